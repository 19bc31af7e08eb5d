//! The view Figures: what the dungeon at the moment shown is like.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::list::{self, Lead, Row};
use super::{Page, View};
use crate::analysis::Figures;
use crate::tui::app::App;
use crate::tui::judge;
use crate::tui::screen::thousands;

/// What the view remembers.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) list: list::State,
}

/// Whether the view is on the screen.
pub(super) fn is_seen(app: &App) -> bool {
    app.views.shown == View::Figures && !app.areas().view.is_empty()
}

/// The view's lines.
pub(super) fn page(app: &App, inside: Rect) -> Page {
    let rows = match app.judge.found() {
        None => vec![line(app, "", "judging the dungeon …".into(), None)],
        Some((_, Err(why))) => vec![line(
            app,
            "",
            format!("no figures, a fault of the program: {why}"),
            None,
        )],
        Some((_, Ok(judged))) => rows(app, &judged.figures),
    };
    Page::new(Vec::new(), rows, 0, app.views.figures.list, inside)
}

fn line(app: &App, name: &str, text: String, lead: Option<Lead>) -> Row {
    let style = if judge::is_current(app) {
        app.theme.text()
    } else {
        app.theme.quiet()
    };
    Row {
        text: Line::from(vec![
            Span::styled(format!("{name:<11}"), app.theme.quiet()),
            Span::styled(text, style),
        ]),
        lead,
        now: false,
    }
}

fn rows(app: &App, figures: &Figures) -> Vec<Row> {
    let path = figures.path().map_or_else(
        || "no way from the entrance to the exit".into(),
        |path| format!("{} steps", thousands(path.into())),
    );
    vec![
        line(app, "path", path, None),
        line(app, "squares", thousands(figures.squares.into()), None),
        line(app, "enclosed", figures.enclosed().count().to_string(), None),
        line(app, "dead ends", figures.dead_ends.len().to_string(), None),
        line(app, "junctions", figures.junctions.len().to_string(), None),
    ]
}
