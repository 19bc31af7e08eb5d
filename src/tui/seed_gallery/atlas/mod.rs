//! The atlas: a heat map over two metrics, like the range view of the seed gallery, but its cells contain variants of
//! the design instead of seeds.
//!
//! A background search, the same as that of `wallcrawler atlas`, varies the design's numbers to find dungeons with new
//! values of both metrics, and fills the cells while the user watches. Opening a cell applies its numbers as an edit
//! of the design. Breeding two marked cells measures their offspring: variants that take each generation, and the
//! constants, from one of the two. If the user names a file, the atlas is saved to it in the format of `wallcrawler
//! atlas`, so that the command and the designer can each continue a search that the other began.
//!
//! The atlas stays while edits change only the seed, the name, the notes, or numbers that the search varies. Any other
//! edit of the design begins a new atlas; undoing the edit brings the earlier atlas back.

mod draw;
mod search;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};

pub(super) use self::draw::{draw, draw_about, title};
use self::search::{AtlasSearch, MOST_CANDIDATES, ShownCell, TrialsEnd, subject_of};
use super::areas::SeedGalleryAreas;
use super::heat_map::{HeatMap, HeatMapAreas};
use super::results::SeedOrder;
use super::{PAUSE, PICTURES, SeedGalleryState, batch};
use crate::analysis::RangeAxis;
use crate::analysis::tune::{AtlasCell, AtlasState};
use crate::background::{
    AtlasFile, AtlasFileReply, AtlasFileRequest, GrowthBatch, GrowthBatchReply, JobError, Pixels, Ticket, TrialReply,
};
use crate::design::expect::{DungeonMetric, METRICS};
use crate::text::{counted, thousands};
use crate::tui::commands::{Action, SeedGalleryCommand};
use crate::tui::editor::{Editor, Request};
use crate::tui::jobs::JobHandle;
use crate::tui::keymap::Context;
use crate::tui::widget::list::ListStep;
use crate::tui::widget::mouse::{position, wheel};
use crate::tui::widget::prompt::{PasteCut, TextField, expanded};

/// Maximum number of earlier atlases that are kept in memory.
const KEPT: usize = 8;

/// An atlas and its file.
#[derive(Debug)]
struct OpenAtlas {
    search: AtlasSearch,
    /// The file to which the atlas is saved, if any.
    file: Option<PathBuf>,
    /// Whether the file lacks the latest results.
    is_dirty: bool,
}

/// Why a file is read or written.
#[derive(Debug)]
enum FilePurpose {
    /// To open the atlas in this file, or, if the file does not exist, to save the current atlas to it.
    Open(PathBuf),
    /// To save the current atlas to this file.
    Save(PathBuf),
}

/// The picture of the selected cell.
#[derive(Debug)]
struct CellPicture {
    /// The candidate's values, the seed of its dungeon, and the side of a pixel in squares.
    of: (Vec<i32>, u64, i32),
    /// The latest picture of the dungeon's growth; empty until the first one arrives.
    pixels: Pixels,
}

/// State of the atlas view.
#[derive(Debug, Default)]
pub(super) struct AtlasView {
    /// Whether the view is shown.
    pub is_shown: bool,
    open: Option<OpenAtlas>,
    /// Atlases of earlier designs and of other metrics, the most recent one last.
    earlier: Vec<OpenAtlas>,
    /// The axes and the document's revision at the last update of the open atlas.
    followed: Option<([SeedOrder; 2], u64)>,
    /// Why no atlas could be begun; shown while `open` is `None`.
    why_not: String,
    /// Place of the selected cell.
    selected: Option<[i64; 2]>,
    /// Places of the marked cells, at most two, in the order in which they were marked.
    marks: Vec<[i64; 2]>,
    /// The text field for the path of the atlas file; `None` unless the user is typing the path.
    typing: Option<TextField>,
    file_job: Option<JobHandle<FilePurpose>>,
    picture: Option<CellPicture>,
    animation: Option<JobHandle>,
}

impl AtlasView {
    /// Returns the key context.
    pub(super) const fn context(&self) -> Context {
        if self.typing.is_some() {
            Context::AtlasFile
        } else {
            Context::Atlas
        }
    }

    /// Returns the picture of the selected cell's dungeon.
    pub(super) fn picture(&self) -> Option<&Pixels> {
        self.picture.as_ref().map(|picture| &picture.pixels)
    }

    /// Returns whether the path of a file is being typed.
    pub(super) const fn is_typed(&self) -> bool {
        self.typing.is_some()
    }

    /// Ends typing, and cancels the search and the animation; a file that is being written is completed.
    pub(super) fn close(&mut self) {
        self.typing = None;
        if self.animation.take().is_some() {
            // The picture is incomplete, so it must be requested again.
            self.picture = None;
        }
        if let Some(open) = &mut self.open {
            open.search.halt();
        }
    }

    /// Discards all atlases, because a level file with vaults has changed, which may alter the dungeons. Warns if the
    /// open atlas was kept in a file or `is_seen`.
    pub(super) fn forget(&mut self, editor: &mut Editor, is_seen: bool) {
        (self.followed, self.picture, self.selected) = (None, None, None);
        self.marks.clear();
        self.earlier.clear();
        let Some(open) = self.open.take().filter(|open| is_seen || open.file.is_some()) else {
            return;
        };
        // If the footer shows an error, for example about the design's files, this warning does not replace it.
        if editor.has_failed() {
            return;
        }
        let lost = open.file.map_or_else(String::new, |file| {
            format!(" and is no longer kept in {}", file.display())
        });
        editor.warn(format!(
            "a level file was changed on disk: the atlas was started again{lost}"
        ));
    }

    fn search(&self) -> Option<&AtlasSearch> {
        self.open.as_ref().map(|open| &open.search)
    }

    /// Returns the selected cell with its place; if no cell is at the selected place, the nearest cell.
    fn current(&self) -> Option<([i64; 2], &ShownCell)> {
        let search = self.search()?;
        let shown = search.shown();
        let wanted = self.selected.or_else(|| search.place_of_design());
        let far = |place: &[i64; 2]| -> u128 {
            let axes = wanted.iter().flat_map(|wanted| place.iter().zip(wanted));
            axes.map(|(a, b)| u128::from(a.abs_diff(*b)).pow(2).min(1 << 100)).sum()
        };
        let nearest = shown.iter().min_by_key(|(place, _)| far(place));
        nearest.map(|(place, cell)| (*place, cell))
    }
}

/// Builds the heat map of the shown cells. Returns it with the places of the cells, in the order of its points.
fn heat_map(view: &AtlasView, plan: &SeedGalleryAreas) -> Option<(HeatMap, Vec<[i64; 2]>)> {
    let search = view.search()?;
    let shown = search.shown();
    let points: Vec<[Option<f64>; 2]> = shown.values().map(|shown| shown.cell.medians.map(Some)).collect();
    let widths = search.atlas().widths()?;
    let spanning = |side: usize| {
        let cells = shown.iter();
        RangeAxis::spanning(
            cells.map(move |(place, shown)| (place[side], shown.cell.medians[side])),
            widths[side],
        )
    };
    let axes = spanning(0).zip(spanning(1)).map(|(x, y)| [x, y]);
    let heat = HeatMap::new(&points, axes, HeatMapAreas::of(plan).map)?;
    Some((heat, shown.keys().copied().collect()))
}

/// Returns the bins of the heat map that contain the selected cell.
fn selected_bins(view: &AtlasView, heat: &HeatMap) -> Option<[usize; 2]> {
    view.current().and_then(|(_, shown)| heat.place(shown.cell.medians))
}

/// Begins another atlas if the design or the axes require one, continues the search, and requests the picture of the
/// selected cell; called once per frame.
pub(super) fn tick(state: &mut SeedGalleryState, editor: &mut Editor) {
    follow(state, editor);
    let view = &mut state.atlas;
    if let Some(open) = &mut view.open {
        open.search.go_on(editor);
        // The design's own cell is selected first, and stays selected even if a better candidate replaces the design
        // in it.
        view.selected = view.selected.or_else(|| open.search.place_of_design());
    }
    request_picture(state, editor);
}

/// Begins another atlas if the axes have changed, or if the open atlas does not belong to the design any more.
fn follow(state: &mut SeedGalleryState, editor: &Editor) {
    let (axes, revision) = (state.range.axes, editor.document.revision());
    let view = &mut state.atlas;
    if view.followed == Some((axes, revision)) {
        return;
    }
    let has_axes = view.followed.is_some_and(|(followed, _)| followed == axes);
    view.followed = Some((axes, revision));
    let design = editor.document.design();
    let stays = has_axes && view.search().is_some_and(|search| search.is_of(design));
    if stays {
        return;
    }
    if let Some(open) = view.open.take() {
        put_aside(view, open);
    }
    if state.seeded.is_none() || editor.document.valid().is_none() {
        return;
    }
    let view = &mut state.atlas;
    let names = axes.map(SeedOrder::name);
    // If an earlier atlas with these axes belongs to the design, that atlas is opened again.
    let is_same = |open: &OpenAtlas| {
        let subject = &open.search.subject;
        [&*subject.x, &*subject.y] == names && open.search.is_of(design)
    };
    view.open = if let Some(place) = view.earlier.iter().rposition(is_same) {
        Some(view.earlier.remove(place))
    } else {
        let subject = subject_of(editor, names);
        match AtlasSearch::new(editor.document.seeded(), subject, AtlasState::default()) {
            Ok(search) => Some(OpenAtlas {
                search,
                file: None,
                is_dirty: false,
            }),
            Err(why) => {
                view.why_not = why;
                None
            }
        }
    };
}

/// Keeps an atlas in memory, in case the user returns to its design and axes.
fn put_aside(view: &mut AtlasView, mut open: OpenAtlas) {
    open.search.halt();
    view.earlier.push(open);
    if view.earlier.len() > KEPT {
        view.earlier.remove(0);
    }
    view.marks.clear();
    // Another design can have the same values and seed, but another dungeon.
    (view.selected, view.picture, view.animation) = (None, None, None);
}

/// Requests pictures of the selected cell's dungeon while it grows, if there is room for a picture.
fn request_picture(state: &mut SeedGalleryState, editor: &mut Editor) {
    let areas = HeatMapAreas::of(&SeedGalleryAreas::of(state, editor));
    let view = &mut state.atlas;
    let (Some((_, shown)), Some(size)) = (view.current(), areas.picture(editor)) else {
        return;
    };
    let block = size.block;
    let of = (shown.cell.values.clone(), shown.cell.seed, block);
    if view.picture.as_ref().is_some_and(|picture| picture.of == of) {
        return;
    }
    let Some(candidate) = view.search().map(|search| search.candidate(&shown.cell)) else {
        return;
    };
    let request = GrowthBatch {
        batch: batch(candidate, editor.options, vec![shown.cell.seed]),
        block,
        pictures: PICTURES,
        pause: PAUSE,
    };
    view.picture = Some(CellPicture { of, pixels: Vec::new() });
    view.animation = Some(editor.start(request, ()));
}

/// Handles a picture of the selected cell. Returns false if the reply belongs to another request.
pub(super) fn handle_picture(
    view: &mut AtlasView,
    ticket: &Ticket,
    reply: &Result<GrowthBatchReply, JobError>,
) -> bool {
    if view.animation.as_ref().is_none_or(|job| !job.has(ticket)) {
        return false;
    }
    match reply {
        Ok(GrowthBatchReply::Shown(pictures)) => {
            if let (Some(picture), Some((_, pixels, _))) = (&mut view.picture, pictures.first()) {
                picture.pixels.clone_from(pixels);
            }
        }
        Ok(GrowthBatchReply::Done) | Err(_) => view.animation = None,
    }
    true
}

/// Handles results of the search's trials, or their end.
pub(in crate::tui) fn handle_trials(
    state: &mut SeedGalleryState,
    editor: &mut Editor,
    ticket: &Ticket,
    reply: Result<TrialReply, JobError>,
) {
    let view = &mut state.atlas;
    let Some(open) = view.open.as_mut().filter(|open| open.search.has(ticket)) else {
        return;
    };
    match reply {
        Ok(TrialReply::Outcomes(outcomes)) => open.search.receive(outcomes),
        Err(error) => {
            open.search.halt();
            open.search.is_broken = true;
            editor.fail(format!("the atlas failed: {error}"));
        }
        Ok(TrialReply::Done) => {
            match open.search.end_trials() {
                Some(TrialsEnd::Finished(cells)) => {
                    let cells = counted(cells, "cell");
                    editor.done(format!(
                        "the atlas has {cells}, measured over fresh seeds: {} tries more candidates",
                        key(editor, SeedGalleryCommand::More(500))
                    ));
                    open.is_dirty = true;
                }
                Some(TrialsEnd::Searched) => open.is_dirty = true,
                Some(TrialsEnd::Bred { born: 0, .. }) => editor.warn("no child has values of both metrics"),
                Some(TrialsEnd::Bred { born, first }) => {
                    view.selected = first;
                    let nearest = "the child nearest to the midpoint of its parents";
                    let text = match (born, born.saturating_sub(open.search.children())) {
                        (1, _) => "the only child (◆)".to_owned(),
                        (_, 0) => format!("{nearest}, one of {born} offspring (◆)"),
                        (_, hidden) => format!("{nearest} (◆); filled cells hide {hidden} of {born} offspring"),
                    };
                    editor.done(format!("selected: {text}"));
                }
                None => {}
            }
            view.marks.retain(|place| open.search.shown().contains_key(place));
            save(view, editor);
            if let Some(open) = &mut view.open
                && state.open
            {
                open.search.go_on(editor);
            }
        }
    }
}

/// Writes the atlas to its file if the file lacks results; does nothing while a file is being read or written.
fn save(view: &mut AtlasView, editor: &mut Editor) {
    if view.file_job.is_some() {
        return;
    }
    let Some(open) = view.open.as_mut().filter(|open| open.is_dirty) else {
        return;
    };
    let Some(path) = open.file.clone() else { return };
    open.is_dirty = false;
    let file = AtlasFile::new(open.search.subject.clone(), open.search.atlas().state());
    match file.text() {
        Ok(text) => {
            view.file_job = Some(editor.start(AtlasFileRequest::Write(path.clone(), text), FilePurpose::Save(path)));
        }
        Err(error) => editor.fail(format!("the atlas cannot be written: {error}")),
    }
}

/// Handles the reply to reading or writing an atlas file.
pub(in crate::tui) fn handle_file(
    state: &mut SeedGalleryState,
    editor: &mut Editor,
    ticket: &Ticket,
    reply: Result<AtlasFileReply, JobError>,
) {
    let view = &mut state.atlas;
    let Some(job) = view.file_job.take_if(|job| job.has(ticket)) else {
        return;
    };
    match (job.purpose, reply) {
        (FilePurpose::Open(path), Ok(AtlasFileReply::Read(Some(file)))) => open_file(state, editor, path, *file),
        (FilePurpose::Open(path), Ok(AtlasFileReply::Read(None))) => keep_in(view, editor, path),
        (FilePurpose::Save(path), Ok(AtlasFileReply::Failed(why))) => {
            if let Some(open) = view.open.as_mut().filter(|open| open.file.as_ref() == Some(&path)) {
                open.file = None;
                open.search.stop();
            }
            editor.fail(format!("the atlas is no longer kept in a file: {why}"));
        }
        (_, Ok(AtlasFileReply::Failed(why))) => editor.fail(why),
        (_, Err(error)) => editor.fail(format!("reading or writing the atlas file failed: {error}")),
        (_, Ok(_)) => {}
    }
    save(&mut state.atlas, editor);
}

/// Saves the atlas to `path` now and after each batch.
fn keep_in(view: &mut AtlasView, editor: &mut Editor, path: PathBuf) {
    if let Some(open) = &mut view.open {
        editor.done(format!("the atlas is kept in {} from now on", path.display()));
        (open.file, open.is_dirty) = (Some(path), true);
    }
}

/// Opens the atlas that was read from a file, if that atlas belongs to the open design.
fn open_file(state: &mut SeedGalleryState, editor: &mut Editor, path: PathBuf, file: AtlasFile) {
    let view = &mut state.atlas;
    let name = path.display().to_string();
    let Some(open) = &mut view.open else { return };
    let subject = &open.search.subject;
    if subject.design_digest != file.subject.design_digest {
        editor.fail(format!("{name} is an atlas of another design; choose another file"));
        return;
    }
    // If the open search has the same inputs as the one in the file and has tried at least as many candidates, it has
    // found everything that the file contains, so the open atlas replaces the atlas in the file.
    if *subject == file.subject && open.search.atlas().tried() >= file.state.tried {
        return keep_in(view, editor, path);
    }
    let (tried, base) = (file.state.tried, open.search.base().clone());
    match AtlasSearch::new(base, file.subject, file.state) {
        Err(why) => editor.fail(format!("{name} cannot be used: {why}")),
        Ok(search) => {
            let axes = [&search.subject.x, &search.subject.y].map(|name| metric_named(name));
            for (axis, metric) in state.range.axes.iter_mut().zip(axes) {
                *axis = metric.map_or(*axis, SeedOrder::Metric);
            }
            view.followed = Some((state.range.axes, editor.document.revision()));
            let before = view.open.replace(OpenAtlas {
                search,
                file: Some(path),
                is_dirty: false,
            });
            if let Some(before) = before {
                put_aside(view, before);
            }
            let tried = counted(tried, "candidate");
            editor.done(format!(
                "opened {name}: {tried} tried; further results are saved to this file"
            ));
        }
    }
}

/// Returns the metric called `name`.
fn metric_named(name: &str) -> Option<DungeonMetric> {
    let known = METRICS.iter().find(|info| info.name == name);
    known.map(|info| info.metric)
}

/// Runs a command of the atlas view. Returns false if the command does not belong to this view.
pub(super) fn perform(state: &mut SeedGalleryState, editor: &mut Editor, command: SeedGalleryCommand) -> bool {
    let plan = SeedGalleryAreas::of(state, editor);
    match command {
        SeedGalleryCommand::Next(by) => {
            let step = |heat: &HeatMap, from| heat.beside(from, by, 0).map(|cell| cell.sample);
            go_to(state, editor, &plan, step);
        }
        SeedGalleryCommand::Select(by) => {
            let step = |heat: &HeatMap, from| heat.after(from, by).map(|cell| cell.sample);
            go_to(state, editor, &plan, step);
        }
        SeedGalleryCommand::Enter => enter(state, editor),
        SeedGalleryCommand::Mark => mark(&mut state.atlas, editor),
        SeedGalleryCommand::Breed => breed(&mut state.atlas, editor),
        SeedGalleryCommand::Pause => pause(&mut state.atlas, editor),
        SeedGalleryCommand::More(count) => more(&mut state.atlas, editor, count),
        SeedGalleryCommand::File => ask_for_file(&mut state.atlas, editor),
        SeedGalleryCommand::Accept if state.atlas.typing.is_some() => accept_file(&mut state.atlas, editor),
        SeedGalleryCommand::Cancel if state.atlas.typing.is_some() => state.atlas.typing = None,
        _ => return false,
    }
    true
}

/// Selects the cell to which `step` leads from the selected cell; warns if there is no such cell.
fn go_to(
    state: &mut SeedGalleryState,
    editor: &mut Editor,
    plan: &SeedGalleryAreas,
    step: impl Fn(&HeatMap, Option<[usize; 2]>) -> Option<usize>,
) {
    let Some((heat, places)) = heat_map(&state.atlas, plan) else {
        return;
    };
    let from = selected_bins(&state.atlas, &heat);
    match step(&heat, from) {
        Some(sample) => state.atlas.selected = places.get(sample).copied(),
        None => editor.warn("there is no filled cell in that direction"),
    }
}

/// Closes the gallery, and applies the selected cell's numbers and the seed of its typical dungeon to the design.
fn enter(state: &mut SeedGalleryState, editor: &mut Editor) {
    let view = &state.atlas;
    let Some(((_, shown), search)) = view.current().zip(view.search()) else {
        editor.warn("no cell is filled yet");
        return;
    };
    let variant = search
        .atlas()
        .variant_from(editor.document.design(), &shown.cell.values);
    let seed = shown.cell.seed;
    let name = format!("atlas: {}", draw::place_of(search, &shown.cell));
    super::update(state, editor, SeedGalleryCommand::Close);
    editor.ask(Request::CloseScreens);
    editor.edit(name, |design| {
        variant.apply(design);
        design.seed = seed;
    });
    if !editor.regrows() {
        editor.done("the design already has the numbers and the seed of this cell");
    }
}

/// Marks the selected cell, or removes its mark. A third mark replaces the oldest one.
fn mark(view: &mut AtlasView, editor: &mut Editor) {
    let Some((place, _)) = view.current() else {
        editor.warn("no cell is filled yet");
        return;
    };
    if let Some(known) = view.marks.iter().position(|mark| *mark == place) {
        view.marks.remove(known);
        return;
    }
    view.marks.push(place);
    if view.marks.len() > 2 {
        view.marks.remove(0);
    }
    if view.marks.len() == 2 {
        editor.done(format!(
            "two cells are marked: {} breeds them",
            key(editor, SeedGalleryCommand::Breed)
        ));
    }
}

/// Returns the key of a command in the atlas.
fn key(editor: &Editor, command: SeedGalleryCommand) -> String {
    editor.keymap.key_in(Context::Atlas, Action::Gallery(command))
}

/// Breeds the two marked cells.
fn breed(view: &mut AtlasView, editor: &mut Editor) {
    let Some(open) = &mut view.open else { return };
    let parent = |place: &[i64; 2]| open.search.shown().get(place).map(|shown| shown.cell.clone());
    let parents: Vec<AtlasCell> = view.marks.iter().filter_map(parent).collect();
    let Ok(parents) = <[AtlasCell; 2]>::try_from(parents) else {
        editor.warn(format!(
            "mark two cells with {}, then breed them",
            key(editor, SeedGalleryCommand::Mark)
        ));
        return;
    };
    if open.search.breed(editor, parents) {
        view.marks.clear();
    } else {
        editor.warn("these cells have no child: mark cells that are farther apart");
    }
}

/// Stops or continues the search.
fn pause(view: &mut AtlasView, editor: &mut Editor) {
    let Some(open) = &mut view.open else { return };
    let search = &mut open.search;
    if search.is_finished() {
        editor.warn(format!(
            "the search has come to its end: {} tries 500 more candidates",
            key(editor, SeedGalleryCommand::More(500))
        ));
    } else if search.is_paused {
        search.is_paused = false;
    } else {
        search.stop();
    }
}

/// Adds `count` to the number of candidates that the search tries.
fn more(view: &mut AtlasView, editor: &mut Editor, count: u64) {
    let Some(open) = &mut view.open else { return };
    if open.search.atlas().request().candidates >= MOST_CANDIDATES {
        editor.warn(format!(
            "an atlas tries at most {} candidates",
            thousands(MOST_CANDIDATES)
        ));
        return;
    }
    open.search.more(count);
    let all = thousands(open.search.atlas().request().candidates);
    editor.done(format!("the search continues up to {all} candidates"));
}

/// Opens the field for the path of the atlas file, and suggests the current file, or else a file next to the design.
fn ask_for_file(view: &mut AtlasView, editor: &Editor) {
    let Some(open) = &view.open else { return };
    let beside = || {
        let design = editor.document.files().into_iter().next();
        design.map_or_else(
            || PathBuf::from("atlas.json"),
            |design| design.with_extension("atlas.json"),
        )
    };
    let path = open.file.clone().unwrap_or_else(beside);
    view.typing = Some(TextField::path(&path));
}

/// Opens the atlas in the file with the typed path, or saves the current atlas to that file if it does not exist. If
/// the path is empty, the atlas is no longer saved to a file.
fn accept_file(view: &mut AtlasView, editor: &mut Editor) {
    let Some(typed) = view.typing.take() else { return };
    let Some(path) = expanded(typed.text().trim()) else {
        if view.open.as_mut().and_then(|open| open.file.take()).is_some() {
            editor.done("the atlas is no longer kept in a file");
        }
        return;
    };
    if view.file_job.is_some() {
        editor.warn("an atlas file is still being read or written: try again");
        view.typing = Some(typed);
        return;
    }
    if editor.document.files().contains(&path) {
        editor.fail(format!("{} is the design; choose another file", path.display()));
        return;
    }
    view.file_job = Some(editor.start(AtlasFileRequest::Read(path.clone()), FilePurpose::Open(path)));
}

/// Passes a key to the field for the path. Returns whether the field consumed it.
pub(super) fn typed(view: &mut AtlasView, editor: &Editor, key: &KeyEvent) -> bool {
    let is_bound = editor.keymap.find(&[Context::AtlasFile], key).is_some();
    !is_bound && view.typing.as_mut().is_some_and(|typing| typing.press(key))
}

/// Passes pasted text to the field for the path.
pub(super) fn paste(view: &mut AtlasView, text: &str) -> Option<PasteCut> {
    view.typing.as_mut()?.paste(text)
}

/// Handles the mouse: a left click selects a cell, or opens the cell that is already selected; a right or middle click
/// selects and marks a cell; the wheel moves the selection down and up.
pub(super) fn mouse(state: &mut SeedGalleryState, editor: &mut Editor, mouse: MouseEvent) {
    if state.atlas.is_typed() {
        return;
    }
    let wheel = wheel(mouse);
    if wheel != 0 {
        return super::update(state, editor, SeedGalleryCommand::Select(ListStep::By(wheel)));
    }
    let MouseEventKind::Down(button) = mouse.kind else {
        return;
    };
    let plan = SeedGalleryAreas::of(state, editor);
    let Some((heat, places)) = heat_map(&state.atlas, &plan) else {
        return;
    };
    let Some(cell) = heat.cell_at(position(mouse)) else {
        return;
    };
    let was_selected = selected_bins(&state.atlas, &heat) == Some([cell.across, cell.up]);
    if !was_selected {
        state.atlas.selected = places.get(cell.sample).copied();
    }
    match button {
        MouseButton::Left if was_selected => super::update(state, editor, SeedGalleryCommand::Enter),
        MouseButton::Left => {}
        MouseButton::Right | MouseButton::Middle => super::update(state, editor, SeedGalleryCommand::Mark),
    }
}
