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
pub(super) use marks::{marked, marks};
pub(super) use mouse::{bar as bar_mouse, mouse};
pub(super) use rooms::{RoomPlacing, placed};

use self::objects::LayoutObject;
use self::plan::ToolPlan;
use super::editor::{Editor, Focus};
use crate::design::{CrawlerStart, Design, Entry, List, Place, Room};
use crate::document::{DrawingImport, DrawingSource, ImportedTiles};
use crate::geometry::{Forward, Point, Size};
use crate::import::Drawing;
use crate::tui::commands::{DrawCommand, StrokeShape, Tool};

impl Tool {
    /// Returns the layout's list of squares to which the tool adds.
    const fn draws(self) -> Option<List> {
        match self {
            Self::Wall => Some(List::Walls),
            Self::Open => Some(List::Open),
            Self::Column => Some(List::Columns),
            Self::Select | Self::Room | Self::Crawler | Self::Erase => None,
        }
    }

    /// Returns whether the tool works in strokes, which have a [`StrokeShape`].
    const fn draws_strokes(self) -> bool {
        self.draws().is_some() || matches!(self, Self::Erase)
    }
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
    Paste,
    /// A drawing follows the cursor with its top left square.
    PlaceDrawing,
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
    /// Entry selected in the Rooms panel at the last synchronization.
    in_panel: Option<Entry>,
    /// Copied entries, with their offsets from the first row and column that they occupy.
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

    /// Returns whether a preview is being grown rather than the document's design.
    pub(super) const fn is_previewing(&self) -> bool {
        self.preview.is_grown()
    }

    /// Returns the template of the next room, without its place.
    pub(super) const fn next_room(&self) -> Room {
        self.room
    }

    /// Records the entry that the Rooms panel has selected at the tools' request.
    pub(super) const fn note_panel(&mut self, in_panel: Option<Entry>) {
        self.in_panel = in_panel;
    }

    fn begin_gesture(&mut self, gesture: Gesture, from: Point, by_mouse: bool) {
        self.held = Some(HeldObject {
            gesture,
            from,
            by_mouse,
        });
    }
}

/// Runs a command.
pub(super) fn update(tools: &mut DrawState, editor: &mut Editor, in_panel: Option<Entry>, command: DrawCommand) {
    select::sync(tools, editor, in_panel);
    tools.preview.mark_outdated();
    match command {
        DrawCommand::Begin => begin(tools, editor, in_panel),
        DrawCommand::Leave if tools.held.is_some() => cancel(tools, editor),
        DrawCommand::Leave => tools.on = false,
        DrawCommand::Choose(tool) => {
            cancel(tools, editor);
            tools.tool = tool;
        }
        DrawCommand::Shape(shape) => tools.shape = shape,
        DrawCommand::Apply => press(tools, editor, true),
        DrawCommand::Hold => press(tools, editor, false),
        DrawCommand::Extend(forward) => {
            if tools.held.is_none() {
                begin_at_cursor(tools, editor, false);
            }
            editor.show_square(editor.map.cursor().step(forward, 1));
            follow(tools, editor);
        }
        DrawCommand::Nudge(forward) => nudge(tools, editor, forward),
        DrawCommand::Grab => start_move(tools, editor),
        DrawCommand::Remove => remove(tools, editor),
        DrawCommand::Copy => {
            copy(tools, editor);
        }
        DrawCommand::Paste => start_paste(tools, editor),
        DrawCommand::Duplicate => {
            if copy(tools, editor) {
                start_paste(tools, editor);
            }
        }
        DrawCommand::ImportDrawing => {
            cancel(tools, editor);
            // The shell asks for the drawing.
        }
        DrawCommand::All => select::all(tools, editor),
        DrawCommand::Below => select::below(tools, editor),
        DrawCommand::Site(by) => select::next_site(tools, editor, by),
        DrawCommand::Change(by) => alter::change(tools, editor, by),
        DrawCommand::Doors => alter::doors(tools, editor),
        DrawCommand::Turn => alter::turn(tools, editor, headings::turned),
        DrawCommand::Redirect => alter::turn(tools, editor, headings::redirected),
        DrawCommand::Widen(by) => alter::widen(tools, editor, by),
        DrawCommand::Divide(by) => alter::divide(tools, editor, by),
        DrawCommand::Free => {
            tools.placing = match tools.placing {
                RoomPlacing::Grid => RoomPlacing::Free,
                RoomPlacing::Free => RoomPlacing::Grid,
            };
        }
    }
}

fn begin(tools: &mut DrawState, editor: &mut Editor, in_panel: Option<Entry>) {
    editor.focus = Focus::Map;
    tools.on = true;
    tools.in_panel = None;
    select::sync(tools, editor, in_panel);
}

/// Starts a stroke with the pencil, otherwise a span, at the cursor.
fn begin_at_cursor(tools: &mut DrawState, editor: &Editor, by_mouse: bool) {
    let at = editor.map.cursor();
    let gesture = if tools.tool.draws_strokes() && tools.shape == StrokeShape::Pencil {
        Gesture::Stroke(vec![at])
    } else {
        Gesture::Span
    };
    tools.begin_gesture(gesture, at, by_mouse);
}

/// Handles Enter and Space: finishes the gesture in progress, or begins one at the cursor; with `once`, a tool that
/// draws also finishes it there, as a click does.
fn press(tools: &mut DrawState, editor: &mut Editor, once: bool) {
    if tools.held.is_some() {
        return finish(tools, editor);
    }
    if tools.tool == Tool::Select {
        if select::site_at(tools, editor, editor.map.cursor()).is_some() {
            return alter::change(tools, editor, 1);
        }
        let here = select::entries_at(editor, editor.map.cursor());
        if here.iter().any(|entry| tools.selection.contains(entry)) {
            tools.begin_gesture(Gesture::Move, editor.map.cursor(), false);
            return;
        }
        if let Some(entry) = here.first() {
            select::choose(tools, editor, [*entry].into());
            return;
        }
    }
    begin_at_cursor(tools, editor, false);
    if once && tools.tool != Tool::Select {
        finish(tools, editor);
    }
}

/// Extends a pencil stroke after the cursor has moved.
pub(super) fn follow(tools: &mut DrawState, editor: &Editor) {
    let at = editor.map.cursor();
    if let Some(HeldObject {
        gesture: Gesture::Stroke(path),
        ..
    }) = &mut tools.held
        && path.last() != Some(&at)
    {
        path.push(at);
    }
}

/// Finishes the gesture: applies its plan, or reports why it cannot be applied.
fn finish(tools: &mut DrawState, editor: &mut Editor) {
    let Some(held) = tools.held.clone() else {
        return;
    };
    tools.preview.mark_outdated();
    if tools.tool == Tool::Select && held.gesture == Gesture::Span {
        tools.held = None;
        select::within(tools, editor, held.from, editor.map.cursor());
        return;
    }
    let planned = plan::plan(tools, editor).and_then(|plan| match plan {
        Some(plan) => preview::rejection(tools, editor, &plan).map_or(Ok(Some(plan)), Err),
        None => Ok(None),
    });
    match planned {
        Ok(plan) => {
            tools.held = None;
            match plan {
                Some(plan) if held.gesture == Gesture::PlaceDrawing => commit_drawing(tools, editor, plan),
                Some(plan) => commit(tools, editor, plan, None),
                None => back_to_document(tools, editor),
            }
        }
        Err(why) => {
            // With the keyboard, the user may still move on to a better place.
            if held.by_mouse {
                cancel(tools, editor);
            }
            editor.fail(why);
        }
    }
}

/// Applies the plan that imports a drawing, and adds the drawing to the document's sources.
fn commit_drawing(tools: &mut DrawState, editor: &mut Editor, plan: ToolPlan) {
    let (at, size) = (editor.map.cursor(), plan.design.layout.size);
    let source = tools.drawing.as_ref().map(|load| load.source(at, size));
    commit(tools, editor, plan, None);
    editor.document.sources_mut().extend(source);
    editor.watch();
}

/// Applies a plan to the document. With a `place`, consecutive changes of the same place share one undo step.
fn commit(tools: &mut DrawState, editor: &mut Editor, plan: ToolPlan, place: Option<Place>) {
    let ToolPlan {
        design,
        name,
        entries,
        note,
        ..
    } = plan;
    let before = objects::halves(&editor.document.design().layout).len();
    match place {
        Some(place) => editor.edit_at(place, name.clone(), |present| *present = design),
        None => editor.edit(name.clone(), |present| *present = design),
    }
    back_to_document(tools, editor);
    tools.known = Some(editor.document.shared());
    if editor.document.valid().is_some()
        && let Some(note) = note
    {
        editor.done(format!("{name} ({note})"));
    }
    plan::warn_of_half_pairs(editor, &name, before);
    select::keep(tools, editor, entries);
}

/// Regrows the document's design if a preview was grown.
fn back_to_document(tools: &mut DrawState, editor: &mut Editor) {
    if tools.preview.stop() {
        editor.regrow();
    }
}

/// Cancels the gesture in progress.
fn cancel(tools: &mut DrawState, editor: &mut Editor) {
    tools.held = None;
    tools.preview.mark_outdated();
    back_to_document(tools, editor);
}

/// Cancels the gesture in progress before the document changes in another way. Returns whether there was one.
pub(super) fn cancel_gesture(tools: &mut DrawState, editor: &mut Editor) -> bool {
    if tools.held.is_none() {
        return false;
    }
    cancel(tools, editor);
    editor.done("cancelled: nothing changed");
    true
}

fn start_move(tools: &mut DrawState, editor: &mut Editor) {
    let at = editor.map.cursor();
    if tools.selection.is_empty()
        && let Some(entry) = select::entries_at(editor, at).first()
    {
        select::choose(tools, editor, [*entry].into());
    }
    if tools.selection.is_empty() {
        editor.warn("nothing is selected, and nothing is under the cursor");
        return;
    }
    tools.tool = Tool::Select;
    tools.begin_gesture(Gesture::Move, at, false);
}

fn nudge(tools: &mut DrawState, editor: &mut Editor, forward: Forward) {
    if tools.held.is_some() {
        editor.show_square(editor.map.cursor().step(forward, 1));
        follow(tools, editor);
        return;
    }
    let Some(first) = tools.selection.first().copied() else {
        editor.warn("nothing is selected");
        return;
    };
    let planned = plan::nudged(tools, editor, forward).and_then(|plan| match plan {
        Some(plan) => preview::rejection(tools, editor, &plan).map_or(Ok(Some(plan)), Err),
        None => Ok(None),
    });
    match planned {
        Ok(Some(plan)) => commit(tools, editor, plan, Some(Place::entry(first))),
        Ok(None) => {
            editor.warn("it cannot move farther on the grid of its div: f places rooms freely");
        }
        Err(why) => {
            editor.fail(why);
        }
    }
}

fn remove(tools: &mut DrawState, editor: &mut Editor) {
    if tools.held.is_some() {
        return cancel(tools, editor);
    }
    if tools.selection.is_empty() {
        editor.warn("nothing is selected");
        return;
    }
    let plan = plan::removed(tools, editor);
    commit(tools, editor, plan, None);
}

/// Copies the selected entries. Returns whether there are any.
fn copy(tools: &mut DrawState, editor: &mut Editor) -> bool {
    let copied = plan::copies(tools, editor);
    if copied.is_empty() {
        editor.warn("nothing is selected");
        return false;
    }
    let what = match &copied[..] {
        [(object, _)] => object.description(),
        all => format!("{} entries", all.len()),
    };
    editor.done(format!("{what} copied"));
    tools.copied = copied;
    true
}

fn start_paste(tools: &mut DrawState, editor: &mut Editor) {
    if tools.copied.is_empty() {
        editor.warn("nothing has been copied yet");
        return;
    }
    tools.tool = Tool::Select;
    tools.begin_gesture(Gesture::Paste, editor.map.cursor(), false);
}

/// Starts importing a drawing: it follows the cursor until Enter or a click places its walls.
pub(super) fn place_drawing(tools: &mut DrawState, editor: &mut Editor, in_panel: Option<Entry>, load: PendingDrawing) {
    cancel(tools, editor);
    begin(tools, editor, in_panel);
    tools.tool = Tool::Select;
    tools.begin_gesture(Gesture::PlaceDrawing, editor.map.cursor(), false);
    let (name, size) = (load.name(), load.drawing.size());
    editor.done(format!(
        "{name}, {size} squares, with its top left square at the cursor: Enter or a click places it"
    ));
    tools.drawing = Some(load);
}

/// Does the work due once per frame: updates the preview and the growth of the gesture's design. Several moves of the
/// pointer between two frames thus cost one run.
pub(super) fn before_frame(tools: &mut DrawState, editor: &mut Editor, in_panel: Option<Entry>) {
    if tools.on {
        select::sync(tools, editor, in_panel);
        preview::renew(tools, editor);
    }
}
