//! Comparison of two designs, or of two seeds of one design, side by side.
//!
//! Both maps show the same squares at the same iteration; their colours show the differences or the generations. Below
//! the maps, the metrics of many dungeons of each side are compared, with a statement about which differences are
//! significant. Workers grow the dungeons and calculate the metrics; this module contains the state and the commands.
//! While the comparison is open, it covers the screen.

mod draw;
mod maps;
mod painter;
#[cfg(test)]
mod tests;
mod words;

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

pub(super) use draw::draw;
pub(super) use painter::ComparePicture;

use self::draw::CompareAreas;
use super::editor::Editor;
use super::jobs::JobHandle;
use super::widget::list::{ListState, VisibleRows};
use crate::analysis::{Difference, MetricComparison};
use crate::background::{ComparisonReply, ComparisonRequest, JobError, Ticket, TraceReply, TraceRequest};
use crate::document::{Document, SeededDesign};
use crate::geometry::{Point, Size};
use crate::recording::Trace;
use crate::text::thousands;
use crate::tui::commands::{Action, CompareCommand, SeedGalleryCommand};
use crate::tui::keymap::Context;
use crate::tui::viewport::MapScale;
use crate::tui::widget::mouse::{position, wheel};

/// Initial and maximum number of seeds per side.
const SEEDS: u64 = 100;
const MOST_SEEDS: u64 = 1_600;

/// Maximum size, in squares, of each of the two dungeons. Both traces are kept in memory. A trace stores, besides the
/// dungeon, the iteration of each tile in four bytes per square.
const MOST_SQUARES: u64 = 16_000_000;

/// Maximum time that playback takes from start to end. The playback of a short growth takes less time.
const PLAYBACK: Duration = Duration::from_secs(8);

/// The kind of comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum ComparisonKind {
    /// Before and after the last edit.
    #[default]
    Edit,
    /// Two seeds of the design.
    Seeds(u64, u64),
    /// The open design and another design.
    Other,
}

/// What the comparison shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum ComparePage {
    /// Maps and metrics, or the maps alone if there is no room for both.
    #[default]
    All,
    /// The maps, as large as possible.
    Maps,
    /// The metrics.
    Metrics,
}

/// A side of the comparison.
#[derive(Debug, Clone)]
struct CompareSide {
    name: String,
    seeded: SeededDesign,
}

/// The state of the comparison.
#[derive(Debug, Default)]
pub(super) struct CompareState {
    kind: ComparisonKind,
    /// Both sides; `None` while the comparison is closed.
    sides: Option<[CompareSide; 2]>,
    /// The other design, if the user chose one to compare with.
    other: Option<Box<Document>>,
    /// Revision of the open document that the comparison shows; a newer revision restarts the comparison.
    revision: Option<u64>,
    traces: [Option<Arc<Trace>>; 2],
    /// Whether the dungeon of each side is known not to grow.
    ungrown: [bool; 2],
    /// Pending jobs: growing the two dungeons, and comparing metrics over many seeds.
    tracing: Option<JobHandle>,
    comparing: Option<JobHandle>,
    /// Comparisons of the metrics; empty until both sides have a value of any metric.
    comparisons: Vec<MetricComparison>,
    /// Number of dungeons measured on each side; `None` before the first reply.
    dungeons: Option<[usize; 2]>,
    seeds: u64,
    /// Iteration shown; `None` for the end.
    iteration: Option<u32>,
    /// Playback position in iterations, including a fraction; `None` while paused.
    playing: Option<f64>,
    /// Whether squares are coloured by generation.
    by_generation: bool,
    /// The scale that the user chose.
    scale: Option<MapScale>,
    origin: Point,
    cursor: Point,
    held: Option<(u16, u16, Point)>,
    page: ComparePage,
    /// The list of metrics.
    list: ListState,
}

impl CompareState {
    /// Returns whether the comparison is open.
    pub(super) const fn is_open(&self) -> bool {
        self.sides.is_some()
    }

    /// Returns whether the mouse drags the maps.
    pub(super) const fn is_dragged(&self) -> bool {
        self.held.is_some()
    }

    /// Ends the drag of the maps.
    pub(super) const fn release(&mut self) {
        self.held = None;
    }

    /// Returns the larger of the two dungeons' numbers of iterations.
    fn last(&self) -> u32 {
        let iterations = self.traces.iter().flatten().map(|trace| trace.iterations());
        iterations.max().unwrap_or(0)
    }

    /// Returns the iteration shown.
    fn now(&self) -> u32 {
        self.iteration.unwrap_or(u32::MAX).min(self.last())
    }

    /// Returns the larger number of rows and the larger number of columns of the two dungeons, at least 1 × 1.
    fn size(&self) -> Size {
        let sizes = self.sides.iter().flatten().map(|side| side.seeded.design().layout.size);
        // The size of a design that cannot be grown may be zero or negative.
        let larger = |a: Size, b: Size| Size::new(a.x.max(b.x), a.y.max(b.y));
        sizes.fold(Size::new(1, 1), larger)
    }

    /// Returns the metric comparisons in display order: the significant ones first, by ascending p-value.
    fn ordered(&self) -> Vec<&MetricComparison> {
        let mut all: Vec<&MetricComparison> = self.comparisons.iter().collect();
        // Metrics whose value is the same in all dungeons come last.
        let is_one = |comparison: &MetricComparison| {
            let mut values = comparison.values.iter().flatten();
            let first = values.next();
            values.all(|value| Some(value) == first)
        };
        let rank = |comparison: &MetricComparison| (comparison.difference == Difference::Chance, is_one(comparison));
        all.sort_by(|a, b| {
            rank(a)
                .cmp(&rank(b))
                .then(a.p_adjusted.total_cmp(&b.p_adjusted))
                .then(a.p.total_cmp(&b.p))
        });
        all
    }

    /// Returns the rows of the metrics list that are visible in an area.
    fn visible(&self, area: Rect) -> VisibleRows {
        self.list.visible(area, self.comparisons.len(), 0)
    }

    /// Returns whether both sides have the same design, so that their dungeons differ only by chance.
    fn is_one_design(&self) -> bool {
        let kernels = self
            .sides
            .as_ref()
            .map(|sides| sides.each_ref().map(|side| side.seeded.design().measured()));
        kernels.is_some_and(|[a, b]| a == b)
    }

    fn move_cursor(&mut self, to: Point) {
        let size = self.size();
        self.cursor = Point::new(to.x.clamp(0, size.x - 1), to.y.clamp(0, size.y - 1));
    }
}

/// Starts a comparison and cancels the previous comparison. Returns false, without effect, if a dungeon is too large.
fn begin(state: &mut CompareState, editor: &mut Editor, kind: ComparisonKind, sides: [CompareSide; 2]) -> bool {
    let squares = |side: &CompareSide| side.seeded.design().layout.size.squares();
    if sides.iter().any(|side| squares(side) > MOST_SQUARES) {
        editor.warn(
            "cannot compare dungeons of more than 16,000,000 squares side by side; use `wallcrawler compare` instead",
        );
        return false;
    }
    let pair = sides.each_ref().map(|side| side.seeded.clone());
    let options = editor.options;
    state.kind = kind;
    state.revision = Some(editor.document.revision());
    if state.sides.is_none() {
        (state.iteration, state.playing, state.scale) = (None, None, None);
        state.page = ComparePage::All;
        state.cursor = editor.map.cursor();
        state.seeds = SEEDS;
    }
    state.sides = Some(sides);
    (state.traces, state.ungrown) = ([None, None], [false, false]);
    (state.comparisons, state.dungeons, state.list) = (Vec::new(), None, ListState::default());
    state.move_cursor(state.cursor);
    let trace = TraceRequest {
        sides: pair.clone(),
        options,
    };
    state.tracing = Some(editor.start(trace, ()));
    state.comparing = (!state.is_one_design()).then(|| compare(editor, pair, state.seeds));
    true
}

/// Starts the comparison of two designs over some seeds.
fn compare(editor: &mut Editor, sides: [SeededDesign; 2], seeds: u64) -> JobHandle {
    let options = editor.options;
    let request = ComparisonRequest { sides, options, seeds };
    editor.start(request, ())
}

/// Compares the design before the last edit with the design after it; warns if there is no edit.
fn open(state: &mut CompareState, editor: &mut Editor) {
    if editor.document.before().is_none() {
        editor.warn(format!(
            "no edit to compare yet: change something first, or choose another design with {}",
            editor.keymap.key_of(Action::Compare(CompareCommand::Other))
        ));
    }
    begin_edit(state, editor);
}

fn begin_edit(state: &mut CompareState, editor: &mut Editor) {
    let Some((name, before)) = editor.document.before() else {
        // The comparison opens anyway, with the open design on both sides, so that the user can choose another design
        // there.
        let now = side(editor, "the design");
        begin(state, editor, ComparisonKind::Edit, [now.clone(), now]);
        return;
    };
    let before = CompareSide {
        name: format!("before: {name}"),
        seeded: before,
    };
    let after = side(editor, "after");
    begin(state, editor, ComparisonKind::Edit, [before, after]);
}

fn side(editor: &Editor, name: &str) -> CompareSide {
    CompareSide {
        name: name.to_owned(),
        seeded: editor.document.seeded(),
    }
}

/// Compares two seeds of the design: the seed marked in the seed gallery and the seed selected there.
pub(super) fn seeds(state: &mut CompareState, editor: &mut Editor, pair: Option<(u64, u64)>) {
    let Some((marked, selected)) = pair else {
        let mark = Action::Gallery(SeedGalleryCommand::Mark);
        editor.warn(format!(
            "mark a seed first ({}), then select another to compare it with",
            editor.keymap.key_in(Context::Gallery, mark)
        ));
        return;
    };
    begin_seeds(state, editor, marked, selected);
}

fn begin_seeds(state: &mut CompareState, editor: &mut Editor, a: u64, b: u64) {
    let sides = [a, b].map(|seed| CompareSide {
        name: format!("seed {seed}"),
        seeded: editor.document.seeded().with_seed(seed),
    });
    begin(state, editor, ComparisonKind::Seeds(a, b), sides);
}

/// Compares another design with the open design.
pub(super) fn with(state: &mut CompareState, editor: &mut Editor, document: Box<Document>) {
    let now = side(editor, &editor.document.title());
    let other = CompareSide {
        name: document.title(),
        seeded: document.seeded(),
    };
    if begin(state, editor, ComparisonKind::Other, [now, other]) {
        state.other = Some(document);
    }
}

/// Restarts the comparison after an edit. Called once per frame.
pub(super) fn tick(state: &mut CompareState, editor: &mut Editor) {
    let revision = editor.document.revision();
    if !state.is_open() || state.revision == Some(revision) {
        return;
    }
    state.revision = Some(revision);
    let other = state.sides.as_ref().map(|sides| sides[1].clone());
    match (state.kind, other) {
        (ComparisonKind::Edit, _) => begin_edit(state, editor),
        (ComparisonKind::Seeds(a, b), _) => begin_seeds(state, editor, a, b),
        (ComparisonKind::Other, Some(other)) => {
            let now = side(editor, &editor.document.title());
            begin(state, editor, ComparisonKind::Other, [now, other]);
        }
        (ComparisonKind::Other, None) => {}
    }
}

/// Advances the playback, if it is running. Returns whether it was running.
pub(super) fn advance(state: &mut CompareState, elapsed: Duration) -> bool {
    let last = f64::from(state.last());
    let Some(at) = state.playing.filter(|_| state.is_open()) else {
        return false;
    };
    let speed = (last / PLAYBACK.as_secs_f64()).max(10.0);
    let next = at + elapsed.as_secs_f64() * speed;
    if next >= last {
        (state.playing, state.iteration) = (None, None);
    } else {
        (state.playing, state.iteration) = (Some(next), Some(next as u32));
    }
    true
}

/// Returns the time until the next frame of playback.
pub(super) fn next_change(state: &CompareState) -> Option<Duration> {
    let is_playing = state.is_open() && state.playing.is_some();
    is_playing.then_some(Duration::from_millis(33))
}

/// Handles the trace of one side's dungeon.
pub(super) fn handle_trace(
    state: &mut CompareState,
    editor: &mut Editor,
    ticket: &Ticket,
    reply: Result<TraceReply, JobError>,
) {
    if state.tracing.as_ref().is_none_or(|job| !job.has(ticket)) {
        return;
    }
    match reply {
        Ok(TraceReply { side, trace }) => {
            state.ungrown[side] = trace.is_none();
            state.traces[side] = trace;
        }
        Err(error) => {
            state.ungrown = state.traces.each_ref().map(Option::is_none);
            broke_off(editor, &error);
        }
    }
}

/// Handles the comparison of the metrics measured so far.
pub(super) fn handle_comparison(
    state: &mut CompareState,
    editor: &mut Editor,
    ticket: &Ticket,
    reply: Result<ComparisonReply, JobError>,
) {
    let is_last = reply.as_ref().map_or(true, |reply| reply.is_done);
    match state.comparing.as_ref().filter(|job| job.has(ticket)) {
        None => return,
        Some(_) if is_last => state.comparing = None,
        Some(_) => {}
    }
    match reply {
        Ok(reply) => {
            let index = state.list.selected(state.comparisons.len());
            let selected = state.ordered().get(index).map(|comparison| comparison.metric);
            let has_values = reply.comparisons.iter().any(words::has_values);
            state.comparisons = if has_values { reply.comparisons } else { Vec::new() };
            state.dungeons = Some(reply.dungeons);
            // When the order changes, the selected metric stays selected. If the first row is selected, which is the
            // default, the selection stays on the first row instead.
            let place = state
                .ordered()
                .iter()
                .position(|comparison| Some(comparison.metric) == selected);
            match place.filter(|_| index > 0) {
                Some(place) => state.list.follow_row(place),
                None => state.list = ListState::default(),
            }
        }
        Err(error) => broke_off(editor, &error),
    }
}

fn broke_off(editor: &mut Editor, error: &JobError) {
    editor.fail(format!("the comparison failed: {error}"));
}

/// Runs a command.
pub(super) fn update(state: &mut CompareState, editor: &mut Editor, command: CompareCommand) {
    let plan = CompareAreas::of(state, editor);
    match command {
        CompareCommand::Open => open(state, editor),
        // `App` handles these commands: it calls `seeds`, or opens a dialog and passes the chosen design to `with`.
        CompareCommand::Seeds | CompareCommand::Other => {}
        CompareCommand::Close => {
            (state.sides, state.traces, state.comparisons) = (None, [None, None], Vec::new());
            state.other = None;
            (state.tracing, state.comparing) = (None, None);
        }
        CompareCommand::Step(by) => {
            state.playing = None;
            let now = state.now().saturating_add_signed(by);
            state.iteration = (now < state.last()).then_some(now);
        }
        CompareCommand::Start => (state.iteration, state.playing) = (Some(0), None),
        CompareCommand::End => (state.iteration, state.playing) = (None, None),
        CompareCommand::Play if state.playing.is_some() => state.playing = None,
        CompareCommand::Play => {
            let from = if state.now() >= state.last() { 0 } else { state.now() };
            (state.playing, state.iteration) = (Some(f64::from(from)), Some(from));
        }
        CompareCommand::Colours => state.by_generation = !state.by_generation,
        CompareCommand::Zoom(by) => {
            maps::zoom_by(state, editor, by > 0, state.cursor, plan.maps[0]);
        }
        CompareCommand::Fit => (state.scale, state.origin) = (None, Point::new(0, 0)),
        CompareCommand::Move(forward) => {
            state.move_cursor(state.cursor.step(forward, 1));
            maps::follow_cursor(state, editor, plan.maps[0]);
        }
        CompareCommand::Metric(step) => {
            let visible = state.visible(plan.list);
            state.list.step(step, visible);
        }
        CompareCommand::Page => state.page = draw::next_page(state, editor.screen),
        CompareCommand::More => more(state, editor),
        CompareCommand::Keep(side) => keep(state, editor, side),
    }
}

/// Compares twice as many seeds as before.
fn more(state: &mut CompareState, editor: &mut Editor) {
    let Some(sides) = &state.sides else { return };
    if state.is_one_design() {
        return editor.warn(format!(
            "more seeds would show no difference, as both sides have the same design: edit it, or press {} for another",
            editor.keymap.key_of(Action::Compare(CompareCommand::Other))
        ));
    }
    let seeds = (state.seeds * 2).min(MOST_SEEDS);
    if seeds == state.seeds {
        return editor.warn(format!(
            "the maximum of {} seeds is already compared; `wallcrawler compare --seeds 0..10000` compares more",
            thousands(MOST_SEEDS)
        ));
    }
    let pair = sides.each_ref().map(|side| side.seeded.clone());
    state.seeds = seeds;
    state.comparing = Some(compare(editor, pair, seeds));
}

/// Closes the comparison and makes one of the two sides the open design.
fn keep(state: &mut CompareState, editor: &mut Editor, side: usize) {
    let (kind, other) = (state.kind, state.other.take());
    update(state, editor, CompareCommand::Close);
    match (kind, side) {
        (ComparisonKind::Seeds(a, b), side) => editor.use_seed([a, b][side]),
        (ComparisonKind::Edit, 0) => editor.undo(),
        (ComparisonKind::Other, 1) => {
            if let Some(other) = other {
                editor.open_asking(other);
            }
        }
        _ => {}
    }
}

/// Handles the mouse: a click sets the cursor, a drag scrolls both maps, the wheel zooms; a click on the timeline
/// seeks, a click on a metric selects that metric.
pub(super) fn mouse(state: &mut CompareState, editor: &mut Editor, mouse: MouseEvent) {
    let at = position(mouse);
    let plan = CompareAreas::of(state, editor);
    let map = plan.maps.into_iter().find(|map| map.contains(at));
    let wheel = -wheel(mouse);
    match mouse.kind {
        _ if plan.list.contains(at) && state.held.is_none() => {
            let visible = state.visible(plan.list);
            state.list.mouse(mouse, visible, |_| false);
        }
        _ if wheel != 0 && plan.time.contains(at) => update(state, editor, CompareCommand::Step(wheel * 10)),
        _ if wheel != 0 => {
            if let Some(map) = map {
                let still = maps::view(state, editor, map).square_at(mouse.column, mouse.row);
                maps::zoom_by(state, editor, wheel > 0, still, map);
            }
        }
        MouseEventKind::Down(MouseButton::Left | MouseButton::Middle) if let Some(map) = map => {
            let view = maps::view(state, editor, map);
            state.held = Some((mouse.column, mouse.row, view.origin));
            state.move_cursor(view.square_at(mouse.column, mouse.row));
        }
        MouseEventKind::Drag(MouseButton::Left | MouseButton::Middle)
            if let Some((column, row, origin)) = state.held =>
        {
            state.scale = Some(maps::scale(state, editor, plan.maps[0]));
            let view = maps::view(state, editor, plan.maps[0]);
            let moved = view.distance(
                i32::from(mouse.row) - i32::from(row),
                i32::from(mouse.column) - i32::from(column),
            );
            state.origin = Point::new(origin.x - moved.x, origin.y - moved.y);
        }
        MouseEventKind::Down(MouseButton::Left) | MouseEventKind::Drag(MouseButton::Left) if plan.time.contains(at) => {
            state.playing = None;
            let iteration = draw::iteration_at(state, plan.time, mouse.column);
            state.iteration = (iteration < state.last()).then_some(iteration);
        }
        MouseEventKind::Up(_) => state.release(),
        _ => {}
    }
}
