//! The seed gallery: a contact sheet of the dungeons that the design grows from many seeds, shown while they grow.
//!
//! The background service measures the dungeons of all seeds and renders growth animations of the visible ones.
//! [`results`] stores the metrics and the pictures, and sorts the seeds. [`draw`] draws the gallery. The gallery covers
//! the screen while it is open. It keeps its results while it is closed, until the design changes in more than its
//! seed, name, notes and expectations.

mod areas;
mod atlas;
mod draw;
mod filter;
mod heat_map;
mod metrics;
mod painter;
mod pixels;
mod range;
mod results;
#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use std::collections::BTreeSet;
use std::time::Duration;

use crossterm::event::{KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

pub(super) use draw::draw;

use self::areas::SeedGalleryAreas;
use self::atlas::AtlasView;
pub(super) use self::atlas::{handle_file as handle_atlas_file, handle_trials as handle_atlas};
pub(super) use self::draw::description;
use self::filter::SeedGalleryFilter;
use self::heat_map::HeatMapAreas;
use self::metrics::ListPurpose;
pub(super) use self::painter::GalleryPicture;
use self::range::RangeView;
pub(super) use self::results::SeedOrder;
use self::results::{GalleryResults, SeedPicture, SeedSelection};
use super::editor::Editor;
use super::jobs::JobHandle;
use super::widget::list::{ListState, ListStep, VisibleRows};
use super::widget::prompt::PasteCut;
use crate::analysis;
use crate::background::{GrowthBatch, GrowthBatchReply, JobError, SeedBatch, SeedBatchReply, Ticket};
use crate::design::Design;
use crate::design::expect::Expectation;
use crate::document::SeededDesign;
use crate::engine::Options;
use crate::tui::commands::{Action, SeedGalleryCommand};
use crate::tui::keymap::Context;
use crate::tui::widget::mouse::{position, wheel};

/// Initial number of seeds, and number of seeds added when the user scrolls past the last one.
const FIRST: u64 = 100;

/// Maximum number of seeds.
const MOST: usize = 20_000;

/// Number of pictures in a dungeon's growth animation, and the minimum time between two pictures.
const PICTURES: u32 = 24;
const PAUSE: Duration = Duration::from_millis(45);

/// Number of cached pictures above which the pictures that are not visible are dropped.
const CACHED: usize = 600;

/// Maximum number of squares of each dungeon in the gallery: growing a larger one takes seconds and much memory.
const MOST_SQUARES: u64 = 16_000_000;

/// State of the seed gallery.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub(super) struct SeedGalleryState {
    open: bool,
    /// The design at the gallery's last update, without the fields that do not affect its dungeons.
    kernel: Option<Design>,
    seeded: Option<SeededDesign>,
    /// The document's revision at the gallery's last update.
    revision: Option<u64>,
    expectations: Vec<(String, Expectation)>,
    results: GalleryResults,
    /// Whether measurements must be requested, and the measuring job in progress.
    wants_metrics: bool,
    measuring: Option<JobHandle>,
    /// The growth animation in progress, with its seeds.
    animation: Option<JobHandle<Vec<u64>>>,
    /// Number of squares along the side of a pixel of the cached pictures.
    block: i32,
    /// Whether an internal error ended the last animation.
    broken: bool,
    /// The shown seeds in their order, and whether that order is outdated.
    order: Vec<u64>,
    unordered: bool,
    selected: u64,
    /// The scroll position, in rows of dungeons.
    rows: ListState,
    /// The size level of the dungeons, if the user chose one.
    level: Option<usize>,
    by: SeedOrder,
    downward: bool,
    marks: BTreeSet<u64>,
    /// The seed that was marked last.
    last_mark: Option<u64>,
    only_marked: bool,
    filter: SeedGalleryFilter,
    /// The list of metrics, while it is open, and its purpose.
    list: Option<ListState>,
    list_for: ListPurpose,
    /// The range view, a heat map that counts the dungeons.
    range: RangeView,
    /// The atlas, whose cells contain variants of the design instead of seeds.
    atlas: AtlasView,
}

impl SeedGalleryState {
    /// Returns whether the gallery covers the screen.
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Returns the key context of the gallery.
    pub(super) const fn context(&self) -> Context {
        match (self.filter.is_typed(), self.list) {
            (true, _) => Context::SeedFilter,
            (false, Some(_)) => Context::MetricList,
            (false, None) if self.atlas.is_shown => self.atlas.context(),
            (false, None) => Context::Gallery,
        }
    }

    /// Returns why the typed condition is invalid; empty if it is valid.
    pub(super) fn why_rejected(&self) -> &str {
        self.filter.why_rejected()
    }

    /// Invalidates the results, because a level file with vaults has changed, which may alter the dungeons.
    pub(super) fn forget(&mut self, editor: &mut Editor) {
        (self.kernel, self.revision) = (None, None);
        self.atlas.forget(editor, self.open && self.atlas.is_shown);
    }

    /// Closes the gallery and discards its state, because another design is opened.
    pub(super) fn leave(&mut self) {
        *self = Self::default();
    }

    /// Returns a marked seed other than the selected one, and the selected seed. Prefers the seed that was marked last,
    /// then the lowest. `None` if there is no such marked seed.
    pub(super) fn pair(&self) -> Option<(u64, u64)> {
        let selected = self.current()?;
        let is_another = |seed: &u64| *seed != selected && self.marks.contains(seed);
        let last = self.last_mark.filter(is_another);
        let marked = last.or_else(|| self.marks.iter().copied().find(is_another))?;
        Some((marked, selected))
    }

    /// Returns the marked seeds, or else the selected one.
    pub(super) fn chosen(&self) -> Vec<u64> {
        if self.marks.is_empty() {
            self.current().into_iter().collect()
        } else {
            self.marks.iter().copied().collect()
        }
    }

    /// Updates the order of the seeds if it is outdated.
    fn put_in_order(&mut self) {
        if !std::mem::take(&mut self.unordered) {
            return;
        }
        self.order = self.results.ordered(SeedSelection {
            by: self.by,
            downward: self.downward,
            condition: self.filter.condition(),
            among: self.only_marked.then_some(&self.marks),
        });
    }

    /// Returns the selected seed's index in the order; 0 if the selected seed is not shown.
    fn place(&self) -> usize {
        let place = self.order.iter().position(|seed| *seed == self.selected);
        place.unwrap_or(0)
    }

    /// Returns the selected seed, or the first seed if the selected one is not shown; `None` if no seed is shown.
    fn current(&self) -> Option<u64> {
        self.seeded.as_ref()?;
        self.order.get(self.place()).copied()
    }

    fn select(&mut self, place: usize) {
        let last = self.order.len().saturating_sub(1);
        if let Some(seed) = self.order.get(place.min(last)) {
            self.selected = *seed;
        }
    }

    /// Returns the visible rows of dungeons; the selected dungeon is in one of them.
    fn visible(&self, plan: &SeedGalleryAreas) -> VisibleRows {
        let area = Rect {
            height: plan.rows as u16,
            ..plan.sheet
        };
        let mut rows = self.rows;
        rows.select_row(self.place() / plan.columns);
        rows.visible(area, self.order.len().div_ceil(plan.columns), 0)
    }

    /// Returns the visible seeds.
    fn seen(&self, plan: &SeedGalleryAreas) -> &[u64] {
        let from = (self.visible(plan).top * plan.columns).min(self.order.len());
        let to = (from + plan.columns * plan.rows).min(self.order.len());
        &self.order[from..to]
    }

    /// Discards the results and restarts with the same seeds as before, so that results before and after an edit can be
    /// compared. At first, these are the [`FIRST`] lowest ones. Adds the design's own seed.
    fn begin(&mut self, kernel: Design, own: u64) {
        let mut seeds = std::mem::take(&mut self.results.seeds);
        seeds.extend(0..FIRST);
        seeds.insert(own);
        self.results = GalleryResults {
            seeds,
            ..GalleryResults::default()
        };
        self.kernel = Some(kernel);
        (self.animation, self.measuring, self.broken, self.rows) = (None, None, false, ListState::default());
        (self.wants_metrics, self.unordered) = (true, true);
    }
}

/// Updates the gallery to the current design, and requests missing results of visible seeds; called once per frame.
pub(super) fn tick(state: &mut SeedGalleryState, editor: &mut Editor) {
    if !state.open {
        return;
    }
    follow(state, editor);
    if state.atlas.is_shown {
        return atlas::tick(state, editor);
    }
    state.put_in_order();
    keep_in_view(state, editor);
    request_metrics(state, editor);
    request_pictures(state, editor);
}

/// Restarts the gallery if the design has changed in more than its seed, name, notes and expectations.
fn follow(state: &mut SeedGalleryState, editor: &mut Editor) {
    let revision = editor.document.revision();
    if state.revision == Some(revision) {
        return;
    }
    let design = editor.document.design();
    let removed = state.filter.follow(design);
    let known = analysis::expectations(design).into_iter();
    let expectations = known.map(|(i, expectation)| (design.expect.that[i].clone(), expectation));
    let (expectations, own) = (expectations.collect(), design.seed);
    let (kernel, seeded) = (design.measured(), editor.document.seeded());
    let is_shown = editor.document.valid().is_some() && design.layout.size.squares() <= MOST_SQUARES;
    (state.revision, state.expectations) = (Some(revision), expectations);
    if state.kernel.as_ref() != Some(&kernel) {
        state.begin(kernel, own);
    } else if state.results.seeds.insert(own) {
        (state.wants_metrics, state.unordered) = (true, true);
    }
    state.seeded = is_shown.then_some(seeded);
    if let Some((text, why)) = removed {
        state.unordered = true;
        editor.warn(format!("the filter `{text}` was removed: {why}"));
    }
}

fn request_metrics(state: &mut SeedGalleryState, editor: &mut Editor) {
    let options = editor.options;
    let Some(seeded) = state.seeded.clone().filter(|_| state.wants_metrics) else {
        return;
    };
    state.wants_metrics = false;
    let seeds = state.results.seeds.iter().copied();
    let seeds: Vec<u64> = seeds
        .filter(|seed| !state.results.measured.contains_key(seed))
        .collect();
    state.measuring = (!seeds.is_empty()).then(|| editor.start(batch(seeded, options, seeds), ()));
}

const fn batch(seeded: SeededDesign, options: Options, seeds: Vec<u64>) -> SeedBatch {
    SeedBatch { seeded, options, seeds }
}

/// Requests a growth animation of the visible dungeons that have not been shown fully grown yet, unless the animation
/// in progress contains any of them.
fn request_pictures(state: &mut SeedGalleryState, editor: &mut Editor) {
    let plan = SeedGalleryAreas::of(state, editor);
    let options = editor.options;
    let Some(seeded) = state.seeded.clone().filter(|_| !state.broken) else {
        return;
    };
    let in_range = HeatMapAreas::of(&plan).picture(editor).filter(|_| state.range.is_shown);
    let block = in_range.unwrap_or(plan.picture).block;
    if state.block != block {
        state.block = block;
        state.results.pictures.clear();
        state.animation = None;
    }
    let visible = if state.range.is_shown {
        range::needed(state, &plan, editor)
    } else {
        state.seen(&plan).to_vec()
    };
    let is_grown = |seed: &u64| state.results.pictures.get(seed).is_some_and(|picture| picture.is_grown);
    let is_useful =
        |job: &JobHandle<Vec<u64>>| job.purpose.iter().any(|seed| visible.contains(seed) && !is_grown(seed));
    if state.animation.as_ref().is_some_and(is_useful) {
        return;
    }
    let seeds: Vec<u64> = visible.iter().filter(|seed| !is_grown(seed)).copied().collect();
    if seeds.is_empty() {
        return;
    }
    if state.results.pictures.len() > CACHED {
        let visible: BTreeSet<u64> = visible.iter().copied().collect();
        state.results.pictures.retain(|seed, _| visible.contains(seed));
    }
    let batch = GrowthBatch {
        batch: batch(seeded, options, seeds.clone()),
        block,
        pictures: PICTURES,
        pause: PAUSE,
    };
    state.animation = Some(editor.start(batch, seeds));
}

/// Handles a reply with metrics of some dungeons.
pub(super) fn handle_metrics(
    state: &mut SeedGalleryState,
    editor: &mut Editor,
    ticket: &Ticket,
    reply: Result<SeedBatchReply, JobError>,
) {
    if state.measuring.as_ref().is_none_or(|job| !job.has(ticket)) {
        return;
    }
    match reply {
        Ok(SeedBatchReply::NotRecorded(lost)) => {
            if let Some(first) = lost.first().filter(|_| !state.results.is_warned) {
                state.results.is_warned = true;
                editor.warn(first.message.clone());
            }
        }
        Ok(SeedBatchReply::Measured(dungeons)) => {
            state.results.measured.extend(dungeons);
            state.unordered = true;
        }
        Ok(SeedBatchReply::Done) => state.measuring = None,
        Err(error) => {
            state.measuring = None;
            report_failure(editor, &error);
        }
    }
}

/// Handles a reply with pictures of some dungeons.
pub(super) fn handle_pictures(
    state: &mut SeedGalleryState,
    editor: &mut Editor,
    ticket: &Ticket,
    reply: Result<GrowthBatchReply, JobError>,
) {
    if atlas::handle_picture(&mut state.atlas, ticket, &reply)
        || state.animation.as_ref().is_none_or(|job| !job.has(ticket))
    {
        return;
    }
    match reply {
        Ok(GrowthBatchReply::Shown(pictures)) => {
            for (seed, pixels, is_grown) in pictures {
                state.results.pictures.insert(seed, SeedPicture { pixels, is_grown });
            }
        }
        Ok(GrowthBatchReply::Done) => {
            // An empty picture marks seeds that cannot be grown, so that they are not requested again.
            for seed in state.animation.take().into_iter().flat_map(|job| job.purpose) {
                state.results.pictures.entry(seed).or_insert(SeedPicture {
                    pixels: Vec::new(),
                    is_grown: true,
                });
            }
        }
        Err(error) => {
            (state.animation, state.broken) = (None, true);
            report_failure(editor, &error);
        }
    }
}

fn report_failure(editor: &mut Editor, error: &JobError) {
    editor.fail(format!("the seed gallery failed: {error}"));
}

/// Runs a command.
pub(super) fn update(state: &mut SeedGalleryState, editor: &mut Editor, command: SeedGalleryCommand) {
    match draw::cannot_grow(editor).filter(|_| needs_dungeons(command)) {
        Some(why) => editor.warn(why),
        None => perform(state, editor, command),
    }
    state.put_in_order();
    keep_in_view(state, editor);
}

fn perform(state: &mut SeedGalleryState, editor: &mut Editor, command: SeedGalleryCommand) {
    let plan = SeedGalleryAreas::of(state, editor);
    if state.atlas.is_shown && atlas::perform(state, editor, command) {
        return;
    }
    match command {
        SeedGalleryCommand::Open => open(state, editor),
        SeedGalleryCommand::Atlas => {
            let is_shown = !state.open || !state.atlas.is_shown;
            open(state, editor);
            show_atlas(state, is_shown);
        }
        SeedGalleryCommand::Close => {
            state.atlas.close();
            (state.open, state.animation, state.measuring) = (false, None, None);
            state.filter.cancel();
            state.list = None;
        }
        SeedGalleryCommand::Learn => leave_to_learn(state, editor),
        SeedGalleryCommand::Next(by) if state.range.is_shown => {
            go_to(state, editor, range::sample_beside(state, &plan, by, 0));
        }
        SeedGalleryCommand::Select(by) if state.range.is_shown => {
            go_to(state, editor, range::sample_after(state, &plan, by));
        }
        SeedGalleryCommand::Next(by) => step(state, editor, by as isize),
        SeedGalleryCommand::Select(ListStep::Last) => state.select(usize::MAX),
        SeedGalleryCommand::Select(by) => {
            step(
                state,
                editor,
                by.rows(plan.rows as u16).saturating_mul(plan.columns as isize),
            );
        }
        SeedGalleryCommand::Enter => enter(state, editor),
        SeedGalleryCommand::Mark => mark(state),
        SeedGalleryCommand::OnlyMarked if state.marks.is_empty() && !state.only_marked => {
            editor.warn(format!(
                "no seed is marked: {} marks the selected seed",
                key(editor, SeedGalleryCommand::Mark)
            ));
        }
        SeedGalleryCommand::OnlyMarked => {
            state.only_marked = !state.only_marked;
            state.unordered = true;
        }
        SeedGalleryCommand::NextMetric(by) => sort_by(state, editor, state.by.next(by)),
        SeedGalleryCommand::Metrics => metrics::open(state, ListPurpose::Sort),
        SeedGalleryCommand::Range if state.atlas.is_shown => {
            show_atlas(state, false);
            state.range.is_shown = true;
        }
        SeedGalleryCommand::Range => state.range.is_shown = !state.range.is_shown,
        SeedGalleryCommand::Axis(axis) => {
            state.range.is_shown |= !state.atlas.is_shown;
            metrics::open(state, ListPurpose::Axis(axis));
        }
        SeedGalleryCommand::Field(step) => {
            if let Some(list) = &mut state.list {
                list.step(step, metrics::visible(*list, editor.screen));
            }
        }
        SeedGalleryCommand::Reverse => {
            (state.downward, state.unordered) = (!state.downward, true);
            state.put_in_order();
            state.select(0);
        }
        SeedGalleryCommand::Filter => state.filter.begin(),
        SeedGalleryCommand::Accept if state.filter.is_typed() => filter::accept(state, editor),
        SeedGalleryCommand::Accept => {
            if let Some(list) = state.list.take() {
                let chosen = SeedOrder::at(list.selected(SeedOrder::COUNT));
                match state.list_for {
                    ListPurpose::Sort => sort_by(state, editor, chosen),
                    ListPurpose::Axis(_) if state.atlas.is_shown && chosen == SeedOrder::Seed => {
                        editor.warn("an axis of the atlas must be a metric, not the seed");
                    }
                    ListPurpose::Axis(axis) => state.range.axes[axis.min(1)] = chosen,
                }
            }
        }
        SeedGalleryCommand::Cancel => {
            state.filter.cancel();
            state.list = None;
            state.unordered = true;
        }
        SeedGalleryCommand::More(count) => more(state, editor, count),
        SeedGalleryCommand::Nearer(by) => {
            let level = plan.level.saturating_add_signed(-by as isize).min(areas::LEVELS - 1);
            state.level = Some(level);
        }
        SeedGalleryCommand::GrowAgain => {
            for seed in state.seen(&plan).to_vec() {
                state.results.pictures.remove(&seed);
            }
            (state.animation, state.broken) = (None, false);
        }
        // These belong to the atlas.
        SeedGalleryCommand::Breed | SeedGalleryCommand::Pause | SeedGalleryCommand::File => {}
    }
}

/// Returns whether a command needs dungeons, and so does nothing if the design cannot be grown.
const fn needs_dungeons(command: SeedGalleryCommand) -> bool {
    matches!(
        command,
        SeedGalleryCommand::Next(_)
            | SeedGalleryCommand::Select(_)
            | SeedGalleryCommand::Enter
            | SeedGalleryCommand::Mark
            | SeedGalleryCommand::More(_)
            | SeedGalleryCommand::GrowAgain
    )
}

/// Closes the gallery if there is a dungeon to learn from, and otherwise warns. The app uses the chosen seeds as
/// examples for tuning the design.
fn leave_to_learn(state: &mut SeedGalleryState, editor: &mut Editor) {
    if state.chosen().is_empty() {
        editor.warn("there is no dungeon to learn from: none is marked or shown");
    } else {
        perform(state, editor, SeedGalleryCommand::Close);
    }
}

/// Returns the key of a command in the seed gallery.
fn key(editor: &Editor, command: SeedGalleryCommand) -> String {
    editor.keymap.key_in(Context::Gallery, Action::Gallery(command))
}

/// Marks the selected seed, or removes its mark.
fn mark(state: &mut SeedGalleryState) {
    if let Some(seed) = state.current() {
        if !state.marks.remove(&seed) {
            state.marks.insert(seed);
            state.last_mark = Some(seed);
        }
        // If only marked seeds are shown, a seed that loses its mark disappears, and the next one is selected instead.
        if state.only_marked {
            let place = state.place();
            state.unordered = true;
            state.put_in_order();
            state.select(place);
        }
    }
}

/// Opens the gallery in the view that was shown when it was closed.
fn open(state: &mut SeedGalleryState, editor: &mut Editor) {
    if state.open {
        return;
    }
    state.open = true;
    state.wants_metrics = true;
    if state.kernel.is_none() {
        state.selected = editor.document.design().seed;
    }
    follow(state, editor);
}

/// Shows the atlas, or returns to the view that was shown before it.
fn show_atlas(state: &mut SeedGalleryState, is_shown: bool) {
    state.atlas.is_shown = is_shown;
    state.filter.cancel();
    state.atlas.close();
    // Both views use the same background threads, so the jobs of the hidden view are cancelled.
    (state.animation, state.measuring) = (None, None);
    (state.wants_metrics, state.unordered) = (true, true);
    if is_shown {
        for (axis, metric) in state.range.axes.iter_mut().zip(RangeView::default().axes) {
            if *axis == SeedOrder::Seed {
                *axis = metric;
            }
        }
    }
}

/// Passes a key to the active text field. Returns whether the field consumed it.
pub(super) fn typed(state: &mut SeedGalleryState, editor: &Editor, key: &KeyEvent) -> bool {
    filter::typed(state, editor, key) || atlas::typed(&mut state.atlas, editor, key)
}

/// Passes pasted text to the active text field.
pub(super) fn paste(state: &mut SeedGalleryState, editor: &Editor, text: &str) -> Option<PasteCut> {
    let cut = filter::paste(state, editor, text);
    atlas::paste(&mut state.atlas, text).or(cut)
}

/// Sorts by a metric, the largest value first; seeds are sorted ascending.
fn sort_by(state: &mut SeedGalleryState, editor: &mut Editor, by: SeedOrder) {
    (state.by, state.downward, state.unordered) = (by, by != SeedOrder::Seed, true);
    state.put_in_order();
    state.select(0);
    let name = by.name();
    let description = match by {
        SeedOrder::Seed => "sorted by seed".to_owned(),
        SeedOrder::Metric(metric) => format!("sorted by {name}: {}", metric.info().meaning),
    };
    editor.done(description);
}

/// Selects `sample`, the sample seed of another cell of the range view; warns if there is no such cell.
fn go_to(state: &mut SeedGalleryState, editor: &mut Editor, sample: Option<u64>) {
    match sample {
        Some(seed) => state.selected = seed,
        None => editor.warn("there is no cell with dungeons in that direction"),
    }
}

/// Moves the selection by a number of dungeons; a step past the last dungeon adds seeds.
fn step(state: &mut SeedGalleryState, editor: &mut Editor, by: isize) {
    let (place, last) = (state.place(), state.order.len().saturating_sub(1));
    let next = place.saturating_add_signed(by);
    if by > 0 && place == last && state.measuring.is_none() && !state.only_marked {
        more(state, editor, FIRST);
        return;
    }
    state.select(next);
}

/// Adds the `count` lowest seeds that the gallery does not contain yet.
fn more(state: &mut SeedGalleryState, editor: &mut Editor, count: u64) {
    let mut next = 0;
    let mut left = count.min(MOST.saturating_sub(state.results.seeds.len()) as u64);
    if left == 0 {
        editor.warn(format!(
            "the seed gallery holds at most {MOST} seeds; `wallcrawler find` has no such limit"
        ));
        return;
    }
    while left > 0 {
        left -= u64::from(state.results.seeds.insert(next));
        next += 1;
    }
    (state.wants_metrics, state.unordered) = (true, true);
}

/// Closes the gallery and sets the design's seed to the selected one.
fn enter(state: &mut SeedGalleryState, editor: &mut Editor) {
    if let Some(seed) = state.current() {
        update(state, editor, SeedGalleryCommand::Close);
        editor.use_seed(seed);
    }
}

/// Scrolls so that the selected dungeon is visible.
pub(super) fn keep_in_view(state: &mut SeedGalleryState, editor: &Editor) {
    let visible = state.visible(&SeedGalleryAreas::of(state, editor));
    state.rows.select(visible.selected, visible);
}

/// Handles the mouse: a left click selects a dungeon, or opens the seed of the dungeon that is already selected; a
/// right or middle click selects and marks a dungeon; the wheel moves the selection, or with Ctrl changes the size.
pub(super) fn mouse(state: &mut SeedGalleryState, editor: &mut Editor, mouse: MouseEvent) {
    let (at, wheel) = (position(mouse), wheel(mouse));
    let plan = SeedGalleryAreas::of(state, editor);
    if state.list.is_some() {
        return metrics::mouse(state, editor, mouse);
    }
    if state.atlas.is_shown {
        return atlas::mouse(state, editor, mouse);
    }
    if state.filter.is_typed() {
        return;
    }
    if wheel != 0 && mouse.modifiers.contains(KeyModifiers::CONTROL) {
        return update(state, editor, SeedGalleryCommand::Nearer(-wheel));
    }
    if wheel != 0 {
        return update(state, editor, SeedGalleryCommand::Select(ListStep::By(wheel)));
    }
    let MouseEventKind::Down(button) = mouse.kind else {
        return;
    };
    if button == MouseButton::Left && at.y == plan.frame.y {
        return update(state, editor, SeedGalleryCommand::Metrics);
    }
    if button == MouseButton::Left && plan.filter.contains(at) {
        return update(state, editor, SeedGalleryCommand::Filter);
    }
    if state.seeded.is_none() {
        return;
    }
    if state.range.is_shown {
        let Some((seed, was_selected)) = range::sample_at(state, &plan, at) else {
            return;
        };
        return match button {
            MouseButton::Left if was_selected => update(state, editor, SeedGalleryCommand::Enter),
            MouseButton::Left => state.selected = seed,
            MouseButton::Right | MouseButton::Middle => {
                state.selected = seed;
                update(state, editor, SeedGalleryCommand::Mark);
            }
        };
    }
    let Some(seed) = plan.cell_at(at).and_then(|cell| state.seen(&plan).get(cell).copied()) else {
        return;
    };
    let was_selected = state.current() == Some(seed);
    state.selected = seed;
    match button {
        MouseButton::Left if was_selected => update(state, editor, SeedGalleryCommand::Enter),
        MouseButton::Left => {}
        MouseButton::Right | MouseButton::Middle => update(state, editor, SeedGalleryCommand::Mark),
    }
}
