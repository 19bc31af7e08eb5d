//! Drawing mode: tools that place, move and remove the entries of the layout on the map.
//!
//! While the mode is on, a tool acts at the map's cursor, by keys or by the mouse. What the tool would do there is a
//! [`plan`]: the resulting design and the name of the undo step. A [`preview`] shows what stage one builds from it;
//! during a gesture the dungeon is also regrown from it. The document changes only when the gesture ends, in one step,
//! so a cancelled drag leaves nothing behind, and a file that is reloaded meanwhile changes only the design that the
//! drag starts from.

mod alter;
mod bar;
mod headings;
mod keys;
mod marks;
mod mouse;
mod objects;
mod plan;
mod preview;
mod rooms;
mod select;
mod shape;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

pub(super) use bar::{draw, height};
pub(super) use keys::KEYS;
pub(super) use marks::{marked, marks};
pub(super) use mouse::{bar as bar_mouse, mouse, square};
pub(super) use rooms::{RoomPlacing, placed};
pub(super) use shape::StrokeShape;

use self::objects::LayoutObject;
use self::plan::ToolPlan;
use super::app::{App, Effect, Focus, NoticeLevel};
use super::dialog::OpenFilter;
use super::map;
use crate::design::{CrawlerStart, Design, Entry, List, Place, Room};
use crate::document::{DrawingImport, DrawingSource, ImportedTiles};
use crate::geometry::{Forward, Point, Size};
use crate::import::Drawing;

/// A drawing tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Tool {
    /// Selects and moves entries.
    #[default]
    Select,
    /// Places rooms.
    Room,
    /// Draws wall tiles.
    Wall,
    /// Draws open squares.
    Open,
    /// Draws columns.
    Column,
    /// Places first Crawlers.
    Crawler,
    /// Erases wall tiles, open squares, columns and first Crawlers.
    Erase,
}

impl Tool {
    /// Returns the list of squares that the tool draws to.
    const fn draws(self) -> Option<List> {
        match self {
            Self::Wall => Some(List::Walls),
            Self::Open => Some(List::Open),
            Self::Column => Some(List::Columns),
            Self::Select | Self::Room | Self::Crawler | Self::Erase => None,
        }
    }

    /// Returns whether the tool works in strokes, which have a [`StrokeShape`].
    const fn strokes(self) -> bool {
        self.draws().is_some() || matches!(self, Self::Erase)
    }
}

/// A command of drawing mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DrawCommand {
    /// Enters drawing mode.
    Begin,
    /// Cancels the gesture in progress, else leaves drawing mode.
    Leave,
    /// Chooses a tool.
    Choose(Tool),
    /// Chooses the shape of strokes.
    Shape(StrokeShape),
    /// Applies the tool to the cursor's square, or finishes the gesture in progress.
    Apply,
    /// Starts a gesture at the cursor, or finishes the one in progress.
    Hold,
    /// Starts a gesture unless one is in progress, and moves the cursor.
    Extend(Forward),
    /// Moves the selection by one square, a room on the grid by one division.
    Nudge(Forward),
    /// Starts moving the selection.
    Grab,
    /// Removes the selected entries.
    Remove,
    /// Copies the selected entries.
    Copy,
    /// Brings the copied entries to the cursor.
    Put,
    /// Copies the selected entries and brings the copies to the cursor.
    Duplicate,
    /// Chooses a drawing to import at the cursor.
    Lay,
    /// Selects every entry.
    All,
    /// Selects the next entry under the cursor.
    Below,
    /// Moves the cursor by so many sites of the selected room.
    Site(i32),
    /// Steps the code of a site, or toggles the termination of a Crawler.
    Change(i32),
    /// Sets the next door width.
    Doors,
    /// Turns a Crawler to the right.
    Turn,
    /// Sets the next Direction of a Crawler.
    Redirect,
    /// Widens rooms by so many squares.
    Widen(i32),
    /// Changes the `div` of rooms by so much.
    Divide(i32),
    /// Toggles between placing rooms on any square and on the grid.
    Free,
}

/// A gesture between its start and its end.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Gesture {
    /// A pencil stroke through these squares, with a line from each to the next.
    Stroke(Vec<Point>),
    /// From the starting square to the cursor: a line, a rectangle, a room's width, a heading or a selection.
    Span,
    /// The selection moves by as much as the cursor.
    Move,
    /// The copied entries follow the cursor.
    Put,
    /// A drawing follows the cursor with its top left square.
    Lay,
}

/// A gesture in progress.
#[derive(Debug, Clone)]
struct HeldObject {
    gesture: Gesture,
    /// Square where the gesture began.
    from: Point,
    /// Whether a mouse button is held down for it.
    by_mouse: bool,
}

/// A drawing that is about to be imported.
#[derive(Debug, Clone)]
pub(super) struct PendingDrawing {
    /// Path of its file.
    pub(super) path: PathBuf,
    /// Import options.
    pub(super) import: DrawingImport,
    /// Digest of the file.
    pub(super) digest: u64,
    /// The drawing itself.
    pub(super) drawing: Arc<Drawing>,
}

impl PendingDrawing {
    /// Returns the name of its file.
    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the source record of the drawing when its top left square is placed at `at`.
    fn source(&self, at: Point, size: Size) -> DrawingSource {
        let mut import = self.import.clone();
        import.placing.at = Some(at);
        let taken = ImportedTiles::laid(Arc::clone(&self.drawing), import.placing, at, size);
        DrawingSource::new(self.path.clone(), import, self.digest, taken)
    }
}

/// The state of drawing mode.
#[derive(Debug)]
pub(super) struct DrawState {
    on: bool,
    tool: Tool,
    shape: StrokeShape,
    placing: RoomPlacing,
    /// Template of the next room, without its place.
    room: Room,
    /// Template of the next first Crawler, without its place.
    crawler: CrawlerStart,
    held: Option<HeldObject>,
    selection: BTreeSet<Entry>,
    /// Design that the entries of the selection refer to.
    known: Option<Arc<Design>>,
    /// Entry selected in the rooms panel at the last synchronization.
    in_panel: Option<Entry>,
    /// Copied entries with their offsets from the first row and column of them all.
    copied: Vec<(LayoutObject, Point)>,
    /// Drawing that was chosen last.
    drawing: Option<PendingDrawing>,
    /// Whether the mouse press in progress has just selected the entry that it moves.
    fresh: bool,
    preview: preview::LayoutPreview,
}

/// Default `div` of the first room that is placed.
const FIRST_DIV: i32 = 8;

impl Default for DrawState {
    fn default() -> Self {
        Self {
            on: false,
            tool: Tool::default(),
            shape: StrokeShape::default(),
            placing: RoomPlacing::default(),
            room: Room {
                div: FIRST_DIV,
                ..Room::default()
            },
            crawler: CrawlerStart::default(),
            held: None,
            selection: BTreeSet::new(),
            known: None,
            in_panel: None,
            copied: Vec::new(),
            drawing: None,
            fresh: false,
            preview: preview::LayoutPreview::default(),
        }
    }
}

impl DrawState {
    /// Returns whether drawing mode is on.
    pub(super) const fn is_on(&self) -> bool {
        self.on
    }

    /// Returns whether a mouse button holds a gesture.
    pub(super) fn is_dragged(&self) -> bool {
        self.held.as_ref().is_some_and(|held| held.by_mouse)
    }

    /// Returns whether the dungeon being grown is that of a preview rather than of the document.
    pub(super) const fn is_previewing(&self) -> bool {
        self.preview.is_grown()
    }

    /// Returns the template of the next room, without its place.
    pub(super) const fn next_room(&self) -> Room {
        self.room
    }

    fn hold(&mut self, gesture: Gesture, from: Point, by_mouse: bool) {
        self.held = Some(HeldObject {
            gesture,
            from,
            by_mouse,
        });
    }
}

/// Runs a command.
pub(super) fn update(app: &mut App, command: DrawCommand) -> Vec<Effect> {
    select::sync(app);
    app.tools.preview.outdate();
    match command {
        DrawCommand::Begin => begin(app),
        DrawCommand::Leave if app.tools.held.is_some() => return cancel(app),
        DrawCommand::Leave => app.tools.on = false,
        DrawCommand::Choose(tool) => {
            let effects = cancel(app);
            app.tools.tool = tool;
            return effects;
        }
        DrawCommand::Shape(shape) => app.tools.shape = shape,
        DrawCommand::Apply => return press(app, true),
        DrawCommand::Hold => return press(app, false),
        DrawCommand::Extend(forward) => {
            if app.tools.held.is_none() {
                take_hold(app, false);
            }
            map::update(app, map::MapCommand::Step(forward));
            follow(app);
        }
        DrawCommand::Nudge(forward) => return nudge(app, forward),
        DrawCommand::Grab => grab(app),
        DrawCommand::Remove => return remove(app),
        DrawCommand::Copy => {
            copy(app);
        }
        DrawCommand::Put => put(app),
        DrawCommand::Duplicate => {
            if copy(app) {
                put(app);
            }
        }
        DrawCommand::Lay => {
            let effects = cancel(app);
            app.show_designs(OpenFilter::Drawings);
            return effects;
        }
        DrawCommand::All => select::all(app),
        DrawCommand::Below => select::below(app),
        DrawCommand::Site(by) => select::next_site(app, by),
        DrawCommand::Change(by) => return alter::change(app, by),
        DrawCommand::Doors => return alter::doors(app),
        DrawCommand::Turn => return alter::turn(app, headings::turned),
        DrawCommand::Redirect => return alter::turn(app, headings::redirected),
        DrawCommand::Widen(by) => return alter::widen(app, by),
        DrawCommand::Divide(by) => return alter::divide(app, by),
        DrawCommand::Free => {
            app.tools.placing = match app.tools.placing {
                RoomPlacing::Grid => RoomPlacing::Free,
                RoomPlacing::Free => RoomPlacing::Grid,
            };
        }
    }
    Vec::new()
}

fn begin(app: &mut App) {
    app.editor.focus = Focus::Map;
    app.tools.on = true;
    app.tools.in_panel = None;
    select::sync(app);
}

/// Starts a stroke with the pencil, else a span, at the cursor.
fn take_hold(app: &mut App, by_mouse: bool) {
    let at = app.editor.map.cursor();
    let tools = &mut app.tools;
    let gesture = if tools.tool.strokes() && tools.shape == StrokeShape::Pencil {
        Gesture::Stroke(vec![at])
    } else {
        Gesture::Span
    };
    tools.hold(gesture, at, by_mouse);
}

/// Handles Enter and Space: finishes the gesture in progress, or acts at the cursor; `once` does what a click does.
fn press(app: &mut App, once: bool) -> Vec<Effect> {
    if app.tools.held.is_some() {
        return finish(app);
    }
    if app.tools.tool == Tool::Select {
        if select::site_at(app, app.editor.map.cursor()).is_some() {
            return alter::change(app, 1);
        }
        let here = select::under(app, app.editor.map.cursor());
        if here.iter().any(|entry| app.tools.selection.contains(entry)) {
            app.tools.hold(Gesture::Move, app.editor.map.cursor(), false);
            return Vec::new();
        }
        if let Some(entry) = here.first() {
            select::choose(app, [*entry].into());
            return Vec::new();
        }
    }
    take_hold(app, false);
    if once && app.tools.tool != Tool::Select {
        return finish(app);
    }
    Vec::new()
}

/// Extends a pencil stroke after the cursor has moved.
pub(super) fn follow(app: &mut App) {
    let at = app.editor.map.cursor();
    if let Some(HeldObject {
        gesture: Gesture::Stroke(path),
        ..
    }) = &mut app.tools.held
        && path.last() != Some(&at)
    {
        path.push(at);
    }
}

/// Finishes the gesture: applies its plan, or reports why it cannot be applied.
fn finish(app: &mut App) -> Vec<Effect> {
    let Some(held) = app.tools.held.clone() else {
        return Vec::new();
    };
    app.tools.preview.outdate();
    if app.tools.tool == Tool::Select && held.gesture == Gesture::Span {
        app.tools.held = None;
        select::within(app, held.from, app.editor.map.cursor());
        return Vec::new();
    }
    let planned = plan::plan(app).and_then(|plan| match plan {
        Some(plan) => preview::refusal(app, &plan).map_or(Ok(Some(plan)), Err),
        None => Ok(None),
    });
    match planned {
        Ok(plan) => {
            app.tools.held = None;
            match plan {
                Some(plan) if held.gesture == Gesture::Lay => commit_lay(app, plan),
                Some(plan) => commit(app, plan, None),
                None => back_to_document(app),
            }
        }
        Err(why) => {
            // With the keyboard, the user may still move on to a better place.
            let effects = if held.by_mouse { cancel(app) } else { Vec::new() };
            app.editor.say(NoticeLevel::Error, why);
            effects
        }
    }
}

/// Applies the plan that imports a drawing, and adds the drawing to the document's sources.
fn commit_lay(app: &mut App, plan: ToolPlan) -> Vec<Effect> {
    let (at, size) = (app.editor.map.cursor(), plan.design.layout.size);
    let source = app.tools.drawing.as_ref().map(|load| load.source(at, size));
    let effects = commit(app, plan, None);
    app.editor.document.sources_mut().extend(source);
    app.editor.watch();
    effects
}

/// Applies a plan to the document. With a `place`, consecutive changes of the same place share one undo step.
fn commit(app: &mut App, plan: ToolPlan, place: Option<Place>) -> Vec<Effect> {
    let ToolPlan {
        design,
        name,
        entries,
        note,
        ..
    } = plan;
    let before = objects::halves(&app.editor.document.design().layout).len();
    let mut effects = match place {
        Some(place) => app.editor.edit_at(place, name.clone(), |present| *present = design),
        None => app.editor.edit(name.clone(), |present| *present = design),
    };
    if app.tools.preview.stop() && effects.is_empty() {
        effects = app.editor.regrow();
    }
    app.tools.known = Some(app.editor.document.shared());
    if app.editor.document.valid().is_some()
        && let Some(note) = note
    {
        app.editor.say(NoticeLevel::Done, format!("{name} ({note})"));
    }
    plan::warn_of_halves(app, &name, before);
    select::keep(app, entries);
    effects
}

/// Regrows the document's design if that of a preview was grown.
fn back_to_document(app: &mut App) -> Vec<Effect> {
    if app.tools.preview.stop() {
        app.editor.regrow()
    } else {
        Vec::new()
    }
}

/// Cancels the gesture in progress.
fn cancel(app: &mut App) -> Vec<Effect> {
    app.tools.held = None;
    app.tools.preview.outdate();
    back_to_document(app)
}

/// Cancels the gesture in progress before the document changes in another way. Returns `None` if there was none.
pub(super) fn give_up(app: &mut App) -> Option<Vec<Effect>> {
    app.tools.held.as_ref()?;
    let effects = cancel(app);
    app.editor.say(NoticeLevel::Done, "given up: nothing was changed");
    Some(effects)
}

fn grab(app: &mut App) {
    let at = app.editor.map.cursor();
    if app.tools.selection.is_empty()
        && let Some(entry) = select::under(app, at).first()
    {
        select::choose(app, [*entry].into());
    }
    if app.tools.selection.is_empty() {
        app.editor.say(
            NoticeLevel::Warning,
            "nothing is selected, and nothing is under the cursor",
        );
        return;
    }
    app.tools.tool = Tool::Select;
    app.tools.hold(Gesture::Move, at, false);
}

fn nudge(app: &mut App, forward: Forward) -> Vec<Effect> {
    if app.tools.held.is_some() {
        map::update(app, map::MapCommand::Step(forward));
        follow(app);
        return Vec::new();
    }
    let Some(first) = app.tools.selection.first().copied() else {
        app.editor.say(NoticeLevel::Warning, "nothing is selected");
        return Vec::new();
    };
    let planned = plan::nudged(app, forward).and_then(|plan| match plan {
        Some(plan) => preview::refusal(app, &plan).map_or(Ok(Some(plan)), Err),
        None => Ok(None),
    });
    match planned {
        Ok(Some(plan)) => commit(app, plan, Some(Place::entry(first))),
        Ok(None) => {
            app.editor.say(
                NoticeLevel::Warning,
                "it stands at the end of what its div allows: f places rooms freely",
            );
            Vec::new()
        }
        Err(why) => {
            app.editor.say(NoticeLevel::Error, why);
            Vec::new()
        }
    }
}

fn remove(app: &mut App) -> Vec<Effect> {
    if app.tools.held.is_some() {
        return cancel(app);
    }
    if app.tools.selection.is_empty() {
        app.editor.say(NoticeLevel::Warning, "nothing is selected");
        return Vec::new();
    }
    let plan = plan::removed(app);
    commit(app, plan, None)
}

/// Copies the selected entries. Returns whether there are any.
fn copy(app: &mut App) -> bool {
    let copied = plan::copies(app);
    if copied.is_empty() {
        app.editor.say(NoticeLevel::Warning, "nothing is selected");
        return false;
    }
    let what = match &copied[..] {
        [(thing, _)] => thing.told(),
        all => format!("{} entries", all.len()),
    };
    app.editor.say(NoticeLevel::Done, format!("{what} copied"));
    app.tools.copied = copied;
    true
}

fn put(app: &mut App) {
    if app.tools.copied.is_empty() {
        app.editor.say(NoticeLevel::Warning, "nothing was copied yet");
        return;
    }
    app.tools.tool = Tool::Select;
    app.tools.hold(Gesture::Put, app.editor.map.cursor(), false);
}

/// Starts importing a drawing: it follows the cursor until Enter or a click places its walls.
pub(super) fn lay(app: &mut App, load: PendingDrawing) -> Vec<Effect> {
    let effects = cancel(app);
    begin(app);
    app.tools.tool = Tool::Select;
    app.tools.hold(Gesture::Lay, app.editor.map.cursor(), false);
    let (name, size) = (load.name(), load.drawing.size());
    app.editor.say(
        NoticeLevel::Done,
        format!("{name}, {size} squares, with its left top square at the cursor: Enter or a click lays it"),
    );
    app.tools.drawing = Some(load);
    effects
}

/// Does the work due once per frame: updates the preview and the growth of the gesture's design. Several moves of the
/// pointer between two frames thus cost one run.
pub(super) fn frame(app: &mut App) -> Vec<Effect> {
    if !app.tools.on {
        return Vec::new();
    }
    let mut effects = select::sync(app);
    effects.extend(preview::renew(app));
    effects
}
