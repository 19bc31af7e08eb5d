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

use std::time::Duration;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use self::list::{Link, ListRow, VisibleRows};
use super::editor::{Editor, Focus, NoticeLevel, Request};
use super::metric_reports::LatestMetrics;
use super::tabs::View;
use crate::analysis::LayerKind;
use crate::background::{JobError, StoryReply, Ticket};
use crate::engine::BuilderId;
use crate::tui::commands::{Action, ViewCommand};
use crate::tui::keymap::Context;
use crate::tui::widget::layout::tabs;
use crate::tui::widget::popup::block;

/// Width in columns from which views have a margin inside their border.
const ROOMY: u16 = 60;

/// The state of the views.
#[derive(Debug, Default)]
pub(super) struct ViewsState {
    inspect: inspect::InspectState,
    events: events::EventsState,
    plots: list::ListState,
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

    /// Updates the views after an event or as time passes.
    pub(super) fn before_frame(&mut self, editor: &mut Editor, metrics: Option<LatestMetrics<'_>>) {
        let run = editor.time.run_number();
        if self.run != run {
            // A Builder of the previous run does not exist in this one.
            self.run = run;
            self.followed = None;
            self.inspect.forget();
        }
        follow::center(self, editor);
        if editor.shows_view(View::Events) {
            self.events.search(editor);
        }
        if editor.shows_view(View::Metrics) {
            self.figures.keep_selection(editor, metrics);
        }
        let is_visible = editor.shows_view(View::Inspect);
        inspect::update(self, editor, is_visible);
    }

    /// Returns the metrics layer that the selected line of the Figures view shows on the map while the view has the
    /// focus, and the number of its highlighted item.
    pub(super) fn selected_layer(
        &self,
        editor: &Editor,
        metrics: Option<LatestMetrics<'_>>,
    ) -> Option<(LayerKind, Option<u16>)> {
        let is_selecting = editor.focus == Focus::View && editor.view == View::Metrics;
        is_selecting
            .then(|| self.figures.selected_layer(editor, metrics))
            .flatten()
    }

    /// Returns the time until [`Self::before_frame`] should continue unfinished work.
    pub(super) fn next_change(&self, editor: &Editor) -> Option<Duration> {
        let is_visible = editor.shows_view(View::Events);
        is_visible.then(|| self.events.next_change(editor)).flatten()
    }

    /// Runs a command in the visible view.
    pub(super) fn update(&mut self, editor: &mut Editor, metrics: Option<LatestMetrics<'_>>, command: ViewCommand) {
        match command {
            ViewCommand::Back => return editor.act(Action::FocusMap),
            ViewCommand::Follow => return follow::toggle(self, editor),
            ViewCommand::Kind(_) | ViewCommand::AllKinds | ViewCommand::Generation(_) | ViewCommand::Place => {
                return self.events.filter(editor, command);
            }
            _ => {}
        }
        let Some(page) = self.page(editor, metrics, inside(editor.areas.view)) else {
            return;
        };
        let (all, seen) = (page.rows.len(), page.seen());
        let window = i32::from(page.area.height.max(2)) - 1;
        if command == ViewCommand::Go {
            match page.rows.get(seen.selected).and_then(|row| row.lead) {
                Some(link) => self.follow_link(editor, seen.selected, seen, link),
                None => editor.say(NoticeLevel::Warning, "this line leads nowhere"),
            }
            return;
        }
        let Some(list) = self.list(editor) else { return };
        match command {
            ViewCommand::Select(by) => list.move_by(by, seen, all),
            ViewCommand::Page(by) => list.move_by(by * window, seen, all),
            ViewCommand::First => list.select(0, seen),
            ViewCommand::Last => list.select(all.saturating_sub(1), seen),
            _ => {}
        }
    }

    /// Returns why a command would do nothing in the visible view, if so.
    pub(super) fn refusal(
        &self,
        editor: &Editor,
        metrics: Option<LatestMetrics<'_>>,
        command: ViewCommand,
    ) -> Option<&'static str> {
        match command {
            ViewCommand::Go => {
                let page = self.page(editor, metrics, inside(editor.areas.view));
                match page.and_then(|page| page.rows.get(page.seen().selected)?.lead) {
                    None => Some("the selected line leads nowhere"),
                    Some(Link::Step(step)) if step == editor.document.step() => Some("the design is at this step"),
                    Some(_) => None,
                }
            }
            ViewCommand::Select(_) | ViewCommand::Page(_) | ViewCommand::First | ViewCommand::Last
                if editor.view == View::Legend =>
            {
                Some("there is no line to select")
            }
            _ => None,
        }
    }

    /// Follows a link, and leaves its line selected.
    fn follow_link(&mut self, editor: &mut Editor, line: usize, seen: VisibleRows, target: Link) {
        if let Some(list) = self.list(editor) {
            list.select(line, seen);
        }
        match target {
            Link::Moment(turn, at) => {
                editor.time.seek(turn);
                editor.show_square(at);
                if editor.view == View::Inspect {
                    self.inspect.hold(editor.map.cursor());
                }
            }
            Link::Square(at) => editor.show_square(at),
            Link::Fold(section) => self.figures.fold(section),
            Link::Entry(place) => editor.ask(Request::ShowEntry(place)),
            Link::Step(step) => {
                editor.go_to(step);
                self.history.went(step);
            }
        }
    }

    /// Returns the texts of the list's lines.
    #[cfg(test)]
    pub(super) fn texts(&self, editor: &Editor, metrics: Option<LatestMetrics<'_>>) -> Vec<String> {
        let rows = self
            .page(editor, metrics, inside(editor.areas.view))
            .map_or_else(Vec::new, |page| page.rows);
        rows.iter().map(|row| row.text.to_string()).collect()
    }

    /// Returns the page of the visible view; `None` for the legend.
    fn page(&self, editor: &Editor, metrics: Option<LatestMetrics<'_>>, inside: Rect) -> Option<ListPage> {
        match editor.view {
            View::Inspect => Some(inspect::page(self, editor, inside)),
            View::Events => Some(events::page(&self.events, editor, inside)),
            View::Plots => Some(plots::page(self.plots, editor, inside)),
            View::History => Some(history::page(&self.history, editor, inside)),
            View::Metrics => Some(metrics::page(&self.figures, editor, metrics, inside)),
            View::Legend => None,
        }
    }

    /// Returns the list state of the visible view; `None` for the legend.
    fn list(&mut self, editor: &Editor) -> Option<&mut list::ListState> {
        match editor.view {
            View::Inspect => Some(&mut self.inspect.list),
            View::Events => Some(&mut self.events.list),
            View::Plots => Some(&mut self.plots),
            View::History => Some(self.history.list(editor.document.step())),
            View::Metrics => Some(&mut self.figures.list),
            View::Legend => None,
        }
    }

    /// Handles the mouse: a click focuses the view and follows the link of the line, on a tab it shows that view; the
    /// wheel moves the selection. The shell handles clicks on the legend.
    pub(super) fn mouse(&mut self, editor: &mut Editor, metrics: Option<LatestMetrics<'_>>, mouse: MouseEvent) {
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.click(editor, metrics, Position::new(mouse.column, mouse.row));
            }
            MouseEventKind::ScrollUp => self.update(editor, metrics, ViewCommand::Select(-3)),
            MouseEventKind::ScrollDown => self.update(editor, metrics, ViewCommand::Select(3)),
            _ => {}
        }
    }

    fn click(&mut self, editor: &mut Editor, metrics: Option<LatestMetrics<'_>>, at: Position) {
        // Focusing may enlarge the view, so the clicked line is found with the old layout.
        let area = editor.areas.view;
        let page = self.page(editor, metrics, inside(area));
        editor.focus = Focus::View;
        if at.y == area.y {
            let tabs = tabs(View::ALL, area.x + 1, |view| tab_text(editor, view, area.width));
            if let Some((view, ..)) = tabs.into_iter().find(|(_, from, to)| (*from..*to).contains(&at.x)) {
                editor.act(Action::FocusView(view));
            }
            return;
        }
        if editor.view == View::Plots
            && let Some(turn) = plots::turn_at(editor, inside(area), at)
        {
            return editor.time.seek(turn);
        }
        if editor.view == View::Events
            && let Some(command) = self.events.clicked(inside(area), at)
        {
            return self.update(editor, metrics, command);
        }
        let Some(page) = page else { return };
        let seen = page.seen();
        let Some(line) = list::line_at(at, page.area, seen, page.rows.len()) else {
            return;
        };
        match page.rows[line].lead {
            Some(target) => self.follow_link(editor, line, seen, target),
            None => {
                if let Some(list) = self.list(editor) {
                    list.select(line, seen);
                }
            }
        }
    }

    /// Draws the visible view, with the tabs in its border. The shell draws the legend into [`legend_area`].
    pub(super) fn draw(&self, editor: &Editor, metrics: Option<LatestMetrics<'_>>, area: Rect, buf: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let theme = editor.theme;
        let titles: Vec<Span> = View::ALL
            .into_iter()
            .map(|view| Span::styled(tab_text(editor, view, area.width), theme.tab(view == editor.view)))
            .collect();
        block(theme, editor.focus == Focus::View)
            .title(Line::from(titles))
            .render(area, buf);
        let inside = inside(area);
        if !inside.is_empty()
            && let Some(page) = self.page(editor, metrics, inside)
        {
            page.draw(editor, inside, buf);
        }
    }
}

/// Returns a tab's text: the title, with less space and then cut to three letters where not all titles fit.
fn tab_text(editor: &Editor, view: View, width: u16) -> String {
    let title = view.title();
    let titles: usize = View::ALL.iter().map(|view| view.title().len()).sum();
    let gaps = View::ALL.len();
    match usize::from(width) {
        width if width >= titles + 2 * gaps + 2 => format!(" {title} "),
        width if width >= titles + gaps + 2 => format!("{title} "),
        _ if view == editor.view => format!(" {title} "),
        _ => format!(" {} ", title.get(..3).unwrap_or(title)),
    }
}

/// Returns the area of the map's legend in the area of the views, if the legend is shown.
pub(super) fn legend_area(editor: &Editor, area: Rect) -> Option<Rect> {
    let inside = area.inner(Margin::new(2, 1));
    (editor.view == View::Legend && !inside.is_empty()).then_some(inside)
}

/// Returns the key contexts of a view, the most specific first.
pub(super) const fn contexts(view: View) -> [Context; 3] {
    [Context::View(view), Context::Views, Context::Everywhere]
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

    fn draw(&self, editor: &Editor, inside: Rect, buf: &mut Buffer) {
        for (y, line) in (inside.top()..self.area.top()).zip(&self.head) {
            buf.set_line(inside.x, y, line, inside.width);
        }
        list::draw(
            editor.theme,
            &self.rows,
            self.seen(),
            editor.focus == Focus::View,
            self.area,
            buf,
        );
    }
}

/// Returns the area inside a view's border and margin.
fn inside(area: Rect) -> Rect {
    let margin = if area.width < ROOMY { 1 } else { 2 };
    area.inner(Margin::new(margin, 1))
}
