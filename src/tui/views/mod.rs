//! The views at the lower right, which show the growth beside the panels that edit the design.
//!
//! One view is visible at a time; the others are tabs in its border. Each view is a module with its state, its commands
//! and keys, and a drawing function; this module holds which one is visible and dispatches to it. Views never change
//! the design, except that History moves between its undo steps.

mod events;
mod figure_lines;
mod filter;
mod follow;
mod history;
mod inspect;
mod list;
mod metric_rows;
mod metrics;
mod plots;
mod story;
#[cfg(test)]
mod tests;
mod words;

use std::time::Duration;

use crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use self::list::{Link, ListRow, VisibleRows};
pub(super) use self::story::{obstacle, room};
pub(super) use self::words::{count, name as builder_name, tile as tile_name};
use super::app::{Action, App, Effect, Focus, NoticeLevel};
use super::keys::{Binding, Context, Key, bindings};
use super::tabs::View;
use super::{map, panels, screen};
use crate::background::{JobError, StoryReply, Ticket};
use crate::engine::BuilderId;

/// Width in columns from which views have a margin inside their border.
const ROOMY: u16 = 60;

/// The state of the views.
#[derive(Debug, Default)]
pub(super) struct ViewsState {
    inspect: inspect::InspectState,
    events: events::EventsState,
    plots: plots::PlotsState,
    history: history::HistoryState,
    figures: metrics::MetricsViewState,
    followed: Option<follow::FollowedBuilder>,
    /// Number of the run that the state belongs to.
    run: u64,
}

impl ViewsState {
    /// Handles the reply to a story request.
    pub(super) fn handle_story(&mut self, ticket: &Ticket, reply: Result<StoryReply, JobError>) {
        self.inspect.handle_reply(ticket, reply);
    }

    /// Returns the followed Builder.
    pub(super) fn followed(&self) -> Option<BuilderId> {
        self.followed.map(|followed| followed.builder)
    }
}

/// Updates the views after an event or as time passes. Returns the effects that they need.
pub(super) fn tick(app: &mut App) -> Vec<Effect> {
    let run = app.editor.time.run_number();
    if app.views.run != run {
        // A Builder of the previous run does not exist in this one.
        app.views.run = run;
        app.views.followed = None;
        app.views.inspect.forget();
    }
    follow::tick(app);
    events::tick(app);
    metrics::tick(app);
    inspect::tick(app)
}

/// Returns whether a visible view needs the origins of tiles.
pub(super) fn needs_origins(app: &App) -> bool {
    inspect::is_seen(app)
}

/// Returns the metrics layer that the selected line of the Figures view shows on the map, and the number of its
/// highlighted item.
pub(super) fn selected_figure(app: &App) -> Option<(crate::analysis::LayerKind, Option<u16>)> {
    metrics::selected(app)
}

/// Returns whether a visible view shows metrics.
pub(super) fn shows_figures(app: &App) -> bool {
    metrics::is_seen(app)
}

/// Returns the time until [`tick`] should continue unfinished work.
pub(super) fn next_change(app: &App) -> Option<Duration> {
    events::next_change(app)
}

/// A command of the views.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ViewCommand {
    /// Moves the focus back to the map.
    Back,
    /// Moves the selection by lines, down if positive.
    Select(i32),
    /// Moves the selection by pages, down if positive.
    Page(i32),
    /// Selects the first line.
    First,
    /// Selects the last line.
    Last,
    /// Follows the link of the selected line.
    Go,
    /// Follows the Builder under the cursor, or stops following.
    Follow,
    /// Shows or hides a kind of event.
    Kind(filter::EventKind),
    /// Shows every kind of event.
    AllKinds,
    /// Shows the events of the next generation only, or of all; back if negative.
    Generation(i32),
    /// Cycles the area of the events shown: everywhere, the map's window, near the cursor.
    Place,
}

const EVENTS: Context = Context::View(View::Events);

/// Key bindings of the views.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Views, "to the map", [Key::plain(KeyCode::Esc)], Action::View(ViewCommand::Back), true, "Back to the map.";
    Context::Views, "go there", [Key::plain(KeyCode::Enter)], Action::View(ViewCommand::Go), true, "Go where the line leads: to its moment and square, to its entry of the design, or to its step of the history.";
    Context::Views, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::View(ViewCommand::Select(-1)), false, "Select the line above.";
    Context::Views, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::View(ViewCommand::Select(1)), false, "Select the line below.";
    Context::Views, "page up", [Key::plain(KeyCode::PageUp)], Action::View(ViewCommand::Page(-1)), false, "Move up by a window.";
    Context::Views, "page down", [Key::plain(KeyCode::PageDown)], Action::View(ViewCommand::Page(1)), false, "Move down by a window.";
    Context::Views, "first", [Key::plain(KeyCode::Home)], Action::View(ViewCommand::First), false, "To the first line.";
    Context::Everywhere, "follow", [Key::char('F')], Action::View(ViewCommand::Follow), false, "Follow the Builder under the cursor: the map keeps it in the middle as time goes on; again to end it.";
    EVENTS, "births", [Key::char('1')], Action::View(ViewCommand::Kind(filter::EventKind::Birth)), true, "Show or hide births.";
    EVENTS, "deaths", [Key::char('2')], Action::View(ViewCommand::Kind(filter::EventKind::Death)), true, "Show or hide deaths.";
    EVENTS, "turns", [Key::char('3')], Action::View(ViewCommand::Kind(filter::EventKind::Turn)), true, "Show or hide turns to a side.";
    EVENTS, "walls", [Key::char('4')], Action::View(ViewCommand::Kind(filter::EventKind::Wall)), true, "Show or hide what was built.";
    EVENTS, "joined", [Key::char('5')], Action::View(ViewCommand::Kind(filter::EventKind::Join)), true, "Show or hide walls joined and gaps left at a start.";
    EVENTS, "wakings", [Key::char('6')], Action::View(ViewCommand::Kind(filter::EventKind::Wake)), true, "Show or hide who woke.";
    EVENTS, "not born", [Key::char('7')], Action::View(ViewCommand::Kind(filter::EventKind::Unborn)), true, "Show or hide babies that were not born because maxCrawlers live.";
    EVENTS, "every kind", [Key::char('0')], Action::View(ViewCommand::AllKinds), false, "Show every kind of event.";
    EVENTS, "next generation", [Key::plain(KeyCode::Right), Key::char('l')], Action::View(ViewCommand::Generation(1)), true, "Show the events of the next generation only; after the last, of all.";
    EVENTS, "generation before", [Key::plain(KeyCode::Left), Key::char('h')], Action::View(ViewCommand::Generation(-1)), false, "Show the events of the generation before only; before the first, of all.";
    EVENTS, "place", [Key::char('w')], Action::View(ViewCommand::Place), true, "Show the events everywhere, in the map's window only, or near the cursor only.";
    Context::Views, "last", [Key::plain(KeyCode::End)], Action::View(ViewCommand::Last), false, "To the last line.";
};

/// Returns the key contexts of a view, the most specific first.
pub(super) const fn contexts(view: View) -> [Context; 3] {
    [Context::View(view), Context::Views, Context::Everywhere]
}

/// Runs a command in the visible view.
pub(super) fn update(app: &mut App, command: ViewCommand) -> Vec<Effect> {
    match command {
        ViewCommand::Back => return app.update(Action::FocusMap),
        ViewCommand::Follow => {
            follow::toggle(app);
            return Vec::new();
        }
        ViewCommand::Kind(_) | ViewCommand::AllKinds | ViewCommand::Generation(_) | ViewCommand::Place => {
            events::filter(app, command);
            return Vec::new();
        }
        _ => {}
    }
    let Some(page) = page(app) else {
        return Vec::new();
    };
    let (all, seen) = (page.rows.len(), page.seen());
    let window = i32::from(page.area.height.max(2)) - 1;
    if command == ViewCommand::Go {
        let lead = page.rows.get(seen.selected).and_then(|row| row.lead);
        let Some(lead) = lead else {
            app.editor.say(NoticeLevel::Warning, "this line leads nowhere");
            return Vec::new();
        };
        return go(app, seen.selected, seen, lead);
    }
    let Some(list) = list_of(app) else {
        return Vec::new();
    };
    match command {
        ViewCommand::Select(by) => list.move_by(by, seen, all),
        ViewCommand::Page(by) => list.move_by(by * window, seen, all),
        ViewCommand::First => list.select(0, seen),
        ViewCommand::Last => list.select(all.saturating_sub(1), seen),
        _ => {}
    }
    Vec::new()
}

/// Returns why a command would do nothing in the visible view, if so.
pub(super) fn refusal(app: &App, command: ViewCommand) -> Option<&'static str> {
    let page = || page(app);
    match command {
        ViewCommand::Go => {
            let lead = page().and_then(|page| page.rows.get(page.seen().selected)?.lead);
            match lead {
                None => Some("the selected line leads nowhere"),
                Some(Link::Step(step)) if step == app.editor.document.step() => Some("the design is at this step"),
                Some(_) => None,
            }
        }
        ViewCommand::Select(_) | ViewCommand::Page(_) | ViewCommand::First | ViewCommand::Last
            if app.editor.view == View::Legend =>
        {
            Some("there is no line to select")
        }
        _ => None,
    }
}

/// Follows a link, and leaves its line selected.
fn go(app: &mut App, line: usize, seen: VisibleRows, lead: Link) -> Vec<Effect> {
    if let Some(list) = list_of(app) {
        list.select(line, seen);
    }
    match lead {
        Link::Moment(turn, at) => {
            app.editor.time.seek(turn);
            map::show(app, at);
            if app.editor.view == View::Inspect {
                app.views.inspect.hold(app.editor.map.cursor());
            }
            Vec::new()
        }
        Link::Square(at) => {
            map::show(app, at);
            Vec::new()
        }
        Link::Fold(section) => {
            app.views.figures.fold(section);
            Vec::new()
        }
        Link::Entry(place) => panels::show(app, place),
        Link::Step(step) => {
            let effects = app.editor.go_to(step);
            app.views.history.went(step);
            effects
        }
    }
}

/// The content of a view with a list: fixed lines, and the list below them.
struct ListPage {
    head: Vec<Line<'static>>,
    rows: Vec<ListRow>,
    /// Area of the list.
    area: Rect,
    /// Line that is selected until the user selects one.
    suggested: usize,
    list: list::ListState,
}

impl ListPage {
    /// Creates a page with fixed lines above a list, in the inside of a view.
    fn new(
        head: Vec<Line<'static>>,
        rows: Vec<ListRow>,
        suggested: usize,
        list: list::ListState,
        inside: Rect,
    ) -> Self {
        // If there is little room, the list has half of it.
        let above = (head.len() as u16).min(inside.height / 2);
        Self {
            head,
            rows,
            area: Rect::new(inside.x, inside.y + above, inside.width, inside.height - above),
            suggested,
            list,
        }
    }

    fn seen(&self) -> VisibleRows {
        self.list.seen(self.suggested, self.area.height, self.rows.len())
    }

    fn draw(&self, app: &App, inside: Rect, buf: &mut Buffer) {
        for (y, line) in (inside.top()..self.area.top()).zip(&self.head) {
            buf.set_line(inside.x, y, line, inside.width);
        }
        list::draw(
            app.editor.theme,
            &self.rows,
            self.seen(),
            app.editor.focus == Focus::View,
            self.area,
            buf,
        );
    }
}

/// Returns the texts of the list's lines.
#[cfg(test)]
pub(super) fn told(app: &App) -> Vec<String> {
    let rows = page(app).map_or_else(Vec::new, |page| page.rows);
    rows.iter().map(|row| row.text.to_string()).collect()
}

/// Returns the page of the visible view; `None` for the legend.
fn page(app: &App) -> Option<ListPage> {
    page_in(app, inside(app.editor.areas.view))
}

fn page_in(app: &App, inside: Rect) -> Option<ListPage> {
    match app.editor.view {
        View::Inspect => Some(inspect::page(app, inside)),
        View::Events => Some(events::page(app, inside)),
        View::Plots => Some(plots::page(app, inside)),
        View::History => Some(history::page(app, inside)),
        View::Figures => Some(metrics::page(app, inside)),
        View::Legend => None,
    }
}

/// Returns the list state of the visible view; `None` for the legend.
fn list_of(app: &mut App) -> Option<&mut list::ListState> {
    match app.editor.view {
        View::Inspect => Some(&mut app.views.inspect.list),
        View::Events => Some(&mut app.views.events.list),
        View::Plots => Some(&mut app.views.plots.list),
        View::History => Some(app.views.history.list(app.editor.document.step())),
        View::Figures => Some(&mut app.views.figures.list),
        View::Legend => None,
    }
}

/// Handles the mouse: a click focuses the view and follows the link of the line, on a tab it shows that view; the wheel
/// moves the selection.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => click(app, Position::new(mouse.column, mouse.row)),
        MouseEventKind::ScrollUp => update(app, ViewCommand::Select(-3)),
        MouseEventKind::ScrollDown => update(app, ViewCommand::Select(3)),
        _ => Vec::new(),
    }
}

fn click(app: &mut App, at: Position) -> Vec<Effect> {
    // Focusing may enlarge the view, so the clicked line is found with the old layout.
    let (area, page) = (app.editor.areas.view, page(app));
    app.editor.focus = Focus::View;
    if at.y == area.y {
        let tab = tabs(app, area)
            .into_iter()
            .find(|(_, from, to)| (*from..*to).contains(&at.x));
        return tab.map_or_else(Vec::new, |(view, _, _)| app.update(Action::FocusView(view)));
    }
    if app.editor.view == View::Plots
        && let Some(turn) = plots::turn_at(app, inside(area), at)
    {
        app.editor.time.seek(turn);
        return Vec::new();
    }
    if app.editor.view == View::Events
        && let Some(command) = events::clicked(app, inside(area), at)
    {
        return update(app, command);
    }
    let Some(page) = page else {
        if app.editor.view == View::Legend {
            map::click_legend(app, area.inner(Margin::new(2, 1)), at);
        }
        return Vec::new();
    };
    let seen = page.seen();
    let Some(line) = list::line_at(at, page.area, seen, page.rows.len()) else {
        return Vec::new();
    };
    if let Some(list) = list_of(app) {
        list.select(line, seen);
    }
    let lead = page.rows[line].lead;
    lead.map_or_else(Vec::new, |lead| go(app, line, seen, lead))
}

/// Returns the tabs in the border: view, first column, column after the last.
fn tabs(app: &App, area: Rect) -> Vec<(View, u16, u16)> {
    screen::tabs(View::ALL, area.x + 1, |view| tab_text(app, view, area.width))
}

/// Returns a tab's text: the title, with less space and then cut to three letters where not all titles fit.
fn tab_text(app: &App, view: View, width: u16) -> String {
    let title = view.title();
    let titles: usize = View::ALL.iter().map(|view| view.title().len()).sum();
    let gaps = View::ALL.len();
    match usize::from(width) {
        width if width >= titles + 2 * gaps + 2 => format!(" {title} "),
        width if width >= titles + gaps + 2 => format!("{title} "),
        _ if view == app.editor.view => format!(" {title} "),
        _ => format!(" {} ", title.get(..3).unwrap_or(title)),
    }
}

/// Returns the area inside a view's border and margin.
fn inside(area: Rect) -> Rect {
    let margin = if area.width < ROOMY { 1 } else { 2 };
    area.inner(Margin::new(margin, 1))
}

/// Draws the visible view, with the tabs in its border.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = app.editor.theme;
    let titles: Vec<Span> = View::ALL
        .into_iter()
        .map(|view| {
            let style = theme.tab(view == app.editor.view);
            Span::styled(tab_text(app, view, area.width), style)
        })
        .collect();
    screen::block(theme, app.editor.focus == Focus::View)
        .title(Line::from(titles))
        .render(area, buf);
    let inside = inside(area);
    if inside.is_empty() {
        return;
    }
    if let Some(page) = page_in(app, inside) {
        page.draw(app, inside, buf);
        return;
    }
    map::legend(app, area.inner(Margin::new(2, 1)), buf);
}
