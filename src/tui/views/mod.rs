//! The views at the lower right. They show the growth; the panels edit the design.
//!
//! The selected view has the other views as tabs in its border; large screens also show a second view. Each view is a
//! module with its state and a function that returns its lines; this module dispatches commands and events to the
//! selected view. Views never change the design, except that History moves between undo steps.

mod events;
mod filter;
mod follow;
mod history;
mod inspect;
mod metric_lines;
mod metric_rows;
mod metrics;
mod page;
mod plan;
mod plots;
mod story;
mod subject;
#[cfg(test)]
mod tests;
mod why;

use std::time::Duration;

use crossterm::event::MouseEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

use self::page::{Link, ListPage};
use super::editor::{Editor, Focus, Request};
use super::metric_reports::LatestMetrics;
use super::tabs::View;
use super::widget::list::{ListClick, ListState, VisibleRows};
use crate::analysis::LayerKind;
use crate::background::{CounterfactualReply, JobError, StoryReply, Ticket};
use crate::engine::BuilderId;
use crate::geometry::Point;
use crate::tui::commands::{Action, LegendCommand, MapCommand, ViewCommand};
use crate::tui::keymap::Context;
use crate::tui::widget::items::{self, ItemBar, Tab};
use crate::tui::widget::mouse::click;
use crate::tui::widget::popup::{block, inside};

/// The state of the views.
#[derive(Debug, Default)]
pub(super) struct ViewsState {
    inspect: inspect::InspectState,
    events: events::EventsState,
    plots: ListState,
    plan: plan::PlanState,
    history: history::HistoryState,
    metrics: metrics::MetricsViewState,
    followed: Option<follow::FollowedBuilder>,
    /// The Builder reached by the last command that goes to another Builder.
    reached: Option<BuilderId>,
    /// Number of the run to which the state belongs.
    run: u64,
}

impl ViewsState {
    /// Handles the reply to a story request.
    pub(super) fn handle_story(&mut self, ticket: &Ticket, reply: Result<StoryReply, JobError>) {
        self.inspect.handle_reply(ticket, reply);
    }

    /// Handles a reply about the effects that individual changes to the run would have.
    pub(super) fn handle_counterfactual(
        &mut self,
        editor: &mut Editor,
        ticket: &Ticket,
        reply: Result<CounterfactualReply, JobError>,
    ) {
        why::handle_reply(&mut self.inspect.why, editor, ticket, reply);
    }

    /// Returns the followed Builder.
    pub(super) fn followed(&self) -> Option<BuilderId> {
        self.followed.map(|followed| followed.builder)
    }

    /// Follows a Builder of the run shown.
    pub(super) fn follow(&mut self, editor: &Editor, builder: BuilderId) {
        self.run = editor.time.run_number();
        self.followed = Some(follow::FollowedBuilder::of(builder));
    }

    /// Updates the views after an event or as time passes.
    pub(super) fn before_frame(&mut self, editor: &mut Editor, metrics: Option<LatestMetrics<'_>>) {
        let run = editor.time.run_number();
        if self.run != run {
            // The Builders of the previous run do not exist in this run.
            self.run = run;
            (self.followed, self.reached) = (None, None);
            self.inspect.forget();
            editor.map.end_alternative();
        }
        follow::center(self, editor);
        if editor.shows_view(View::Events) {
            self.events.search(editor);
        }
        if editor.shows_view(View::Metrics) {
            self.metrics.keep_selection(editor, metrics);
        }
        if editor.shows_view(View::Plan) {
            self.plan.update(editor);
        }
        let is_visible = editor.shows_view(View::Inspect);
        inspect::update(self, editor, is_visible);
    }

    /// Returns the metrics layer that the selected line of the Metrics view shows on the map while the view has the
    /// focus, and the number of its highlighted item.
    pub(super) fn selected_layer(
        &self,
        editor: &Editor,
        metrics: Option<LatestMetrics<'_>>,
    ) -> Option<(LayerKind, Option<u16>)> {
        let is_selecting = editor.focus == Focus::View && editor.view == View::Metrics;
        is_selecting
            .then(|| self.metrics.selected_layer(editor, metrics))
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
            ViewCommand::Back => editor.act(Action::FocusMap),
            ViewCommand::Follow => follow::toggle(self, editor),
            ViewCommand::NextBuilder(by) => follow::next(self, editor, by),
            ViewCommand::Why => inspect::show_why(self, editor),
            ViewCommand::Kind(_) | ViewCommand::AllKinds | ViewCommand::Generation(_) | ViewCommand::Place => {
                self.events.filter(editor, command);
            }
            ViewCommand::Go => {
                let Some(page) = self.page(editor, metrics, inside(editor.areas.view)) else {
                    return;
                };
                match page.link() {
                    Some(link) => self.follow_link(editor, page.visible, link),
                    None => editor.warn("this line is not a link"),
                }
            }
            ViewCommand::Select(step) if editor.view == View::Legend => {
                editor.act(Action::Map(MapCommand::Legend(LegendCommand::Select(step))));
            }
            ViewCommand::Select(step) => {
                if let Some(page) = self.page(editor, metrics, inside(editor.areas.view))
                    && let Some(list) = self.list(editor)
                {
                    list.step(step, page.visible);
                }
            }
        }
    }

    /// Returns why a command would do nothing in the visible view; `None` if it would do something.
    pub(super) fn why_unavailable(
        &self,
        editor: &Editor,
        metrics: Option<LatestMetrics<'_>>,
        command: ViewCommand,
    ) -> Option<&'static str> {
        match command {
            ViewCommand::Go => {
                let page = self.page(editor, metrics, inside(editor.areas.view));
                match page.and_then(|page| page.link()) {
                    None => Some("the selected line is not a link"),
                    Some(Link::Step(step)) if step == editor.document.step() => {
                        Some("the design is already at this step")
                    }
                    Some(_) => None,
                }
            }
            _ => None,
        }
    }

    /// Follows the link of the selected line, and leaves the line selected.
    fn follow_link(&mut self, editor: &mut Editor, visible: VisibleRows, link: Link) {
        if let Some(list) = self.list(editor) {
            list.select(visible.selected, visible);
        }
        match link {
            Link::Moment(turn, at) => {
                editor.time.seek(turn);
                editor.show_square(at);
                if editor.view == View::Inspect {
                    self.inspect.note_link(editor.map.cursor());
                }
            }
            Link::Square(at) => editor.show_square(at),
            Link::Fold(section) => self.metrics.fold(section),
            Link::Alternative(alternative) => why::toggle(&mut self.inspect.why, editor, alternative),
            Link::Entry(place) => editor.ask(Request::ShowEntry(place)),
            Link::Step(step) => {
                editor.go_to(step);
                self.history.follow_to(step);
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
        self.page_of(editor.view, editor, metrics, inside)
    }

    /// Returns the page of a view; `None` for the legend.
    fn page_of(
        &self,
        view: View,
        editor: &Editor,
        metrics: Option<LatestMetrics<'_>>,
        inside: Rect,
    ) -> Option<ListPage> {
        match view {
            View::Inspect => Some(inspect::page(self, editor, inside)),
            View::Events => Some(events::page(&self.events, editor, inside)),
            View::Plots => Some(plots::page(self.plots, editor, inside)),
            View::Plan => Some(plan::page(&self.plan, editor, inside)),
            View::History => Some(history::page(&self.history, editor, inside)),
            View::Metrics => Some(metrics::page(&self.metrics, editor, metrics, inside)),
            View::Legend => None,
        }
    }

    /// Returns the lines of the Inspect view as text, wrapped at 200 columns instead of the width of the view; `None`
    /// while the view is not shown.
    pub(super) fn story(&self, editor: &Editor) -> Option<String> {
        const WIDE: Rect = Rect::new(0, 0, 200, 1000);
        let page = editor
            .shows_view(View::Inspect)
            .then(|| inspect::page(self, editor, WIDE))?;
        let lines = page.head.iter().map(ToString::to_string);
        let rows = page.rows.iter().map(|row| row.text.to_string());
        let text: Vec<String> = lines.chain(rows).map(|line| line.trim_end().to_owned()).collect();
        Some(text.join("\n"))
    }

    /// Returns whether the Inspect view is about a square and has all replies about it.
    pub(super) fn has_explained(&self, at: Point) -> bool {
        self.inspect.has_explained(at)
    }

    /// Returns the list state of the visible view; `None` for the legend.
    fn list(&mut self, editor: &Editor) -> Option<&mut ListState> {
        match editor.view {
            View::Inspect => Some(&mut self.inspect.list),
            View::Events => Some(&mut self.events.list),
            View::Plots => Some(&mut self.plots),
            View::Plan => Some(&mut self.plan.list),
            View::History => Some(self.history.list(editor.document.step())),
            View::Metrics => Some(&mut self.metrics.list),
            View::Legend => None,
        }
    }

    /// Handles the mouse: a click focuses the view and selects a line, or follows the link of the selected line; a
    /// click on a tab shows the tab's view; the wheel moves the selection. The app handles clicks on the legend.
    pub(super) fn mouse(&mut self, editor: &mut Editor, metrics: Option<LatestMetrics<'_>>, mouse: MouseEvent) {
        // Focusing may enlarge the view, so the clicked line is found in the layout before the focus changes.
        let area = editor.areas.view;
        let page = self.page(editor, metrics, inside(area));
        if let Some(at) = click(mouse) {
            editor.focus = Focus::View;
            if self.click(editor, metrics, at, area) {
                return;
            }
        }
        let Some((page, list)) = page.zip(self.list(editor)) else {
            return;
        };
        if list.mouse(mouse, page.visible, |_| false) == Some(ListClick::Accepted)
            && let Some(link) = page.link()
        {
            self.follow_link(editor, page.visible, link);
        }
    }

    /// Handles a click outside the list of the view. Returns whether the click was on the border or on something
    /// clickable.
    fn click(&mut self, editor: &mut Editor, metrics: Option<LatestMetrics<'_>>, at: Position, area: Rect) -> bool {
        if at.y == area.y {
            if let Some(view) = tabs(editor, area).at(at) {
                editor.act(Action::FocusView(view));
            }
            return true;
        }
        if editor.view == View::Plots
            && let Some(turn) = plots::turn_at(editor, inside(area), at)
        {
            editor.time.seek(turn);
            return true;
        }
        if editor.view == View::Events
            && let Some(command) = self.events.clicked(editor, inside(area), at)
        {
            self.update(editor, metrics, command);
            return true;
        }
        false
    }

    /// Draws the visible view, with the tabs in its border. The app draws the legend.
    pub(super) fn draw(&self, editor: &Editor, metrics: Option<LatestMetrics<'_>>, area: Rect, buf: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        block(editor.theme, editor.focus == Focus::View)
            .title(tabs(editor, area).line())
            .render(area, buf);
        let inside = inside(area);
        if !inside.is_empty()
            && let Some(page) = self.page(editor, metrics, inside)
        {
            page.draw(editor, inside, buf);
        }
    }

    /// Draws the second view with its title. The app draws the legend.
    pub(super) fn draw_second(
        &self,
        editor: &Editor,
        metrics: Option<LatestMetrics<'_>>,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let view = editor.view.second();
        block(editor.theme, false)
            .title(format!(" {} ", view.title()))
            .render(area, buf);
        let inside = inside(area);
        if !inside.is_empty()
            && let Some(page) = self.page_of(view, editor, metrics, inside)
        {
            page.draw(editor, inside, buf);
        }
    }
}

/// Returns the tabs in the border.
fn tabs(editor: &Editor, area: Rect) -> ItemBar<View> {
    let tab = |view: View| Tab {
        value: view,
        title: view.title(),
        remark: String::new(),
        style: editor.theme.tab(view == editor.view),
    };
    items::tabs(View::ALL.map(tab).into(), &editor.view, area)
}

/// Returns the key contexts of a view, the most specific first.
pub(super) const fn contexts(view: View) -> [Context; 3] {
    [Context::View(view), Context::Views, Context::Everywhere]
}
