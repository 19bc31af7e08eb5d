//! The views at the lower right: what the growth is like, to look at beside the panels that edit the design.
//!
//! One is shown at a time, with the others as tabs in its border. Each view is a module with its state, its
//! commands and keys, and a drawing function; this one keeps which is shown and passes things on. Views change
//! nothing in the design.

use crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use super::app::{Action, App, Effect, Focus};
use super::keys::{Binding, Context, Key, bindings};
use super::{map, screen};

/// The views, in the order of their tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum View {
    /// Which colour means what, and how many tiles have it.
    #[default]
    Legend,
}

impl View {
    /// All of them.
    pub(super) const ALL: [Self; 1] = [Self::Legend];

    /// The view's tab.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Legend => "Legend",
        }
    }

    /// Rows that it wants of a column this high, its border among them; the panel above keeps the rest.
    pub(super) const fn height(self, column: u16) -> u16 {
        match self {
            Self::Legend => {
                let _ = column;
                9
            }
        }
    }
}

/// What the views remember.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Which is shown.
    pub shown: View,
}

/// What can be done in views.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// Back to the map.
    Back,
}

/// Keys of the views.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Views, "to the map", [Key::plain(KeyCode::Esc)], Action::View(Command::Back), true, "Back to the map.";
};

/// The contexts of a view.
pub(super) const fn contexts(view: View) -> [Context; 3] {
    [Context::View(view), Context::Views, Context::Everywhere]
}

/// Does a command in the view that is shown.
pub(super) fn update(app: &mut App, command: Command) -> Vec<Effect> {
    match command {
        Command::Back => app.update(Action::FocusMap),
    }
}

/// Gives the mouse to the view: a click focuses it; on a tab it shows that view.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    let MouseEventKind::Down(MouseButton::Left) = mouse.kind else {
        return Vec::new();
    };
    app.focus = Focus::View;
    let at = Position::new(mouse.column, mouse.row);
    let area = app.areas().view;
    if at.y == area.y
        && let Some((view, _, _)) = tabs(area).find(|(_, from, to)| (*from..*to).contains(&at.x))
    {
        return app.update(Action::FocusView(view));
    }
    let inside = area.inner(Margin::new(2, 1));
    match app.views.shown {
        View::Legend => map::click_legend(app, inside, at),
    }
    Vec::new()
}

/// Where the tabs stand in the border: view, first column, column after the last.
fn tabs(area: Rect) -> impl Iterator<Item = (View, u16, u16)> {
    View::ALL.into_iter().scan(area.x + 1, |from, view| {
        let start = *from;
        *from += tab_text(view).width() as u16;
        Some((view, start, *from))
    })
}

fn tab_text(view: View) -> String {
    format!(" {} ", view.title())
}

/// Draws the view that is shown, with the tabs in its border.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = app.theme;
    let titles: Vec<Span> = View::ALL
        .into_iter()
        .map(|view| {
            let style = if view == app.views.shown {
                theme.title(true)
            } else {
                theme.quiet()
            };
            Span::styled(tab_text(view), style)
        })
        .collect();
    screen::block(theme, app.focus == Focus::View)
        .title(Line::from(titles))
        .render(area, buf);
    let inside = area.inner(Margin::new(2, 1));
    match app.views.shown {
        View::Legend => map::legend(app, inside, buf),
    }
}
