//! Drawing mode: tools that place, move and remove the entries of the layout on the map.
//!
//! In drawing mode, the active tool acts at the map's cursor. The user moves the cursor and applies the tool with keys
//! or the mouse. A [`plan`] describes what the tool would do at the cursor: the resulting design and the name of the
//! undo step. A [`preview`] shows what stage one builds from that design; during a gesture, the whole dungeon is also
//! grown from that design.
//!
//! The document changes only when the gesture ends, in one undo step. A cancelled drag therefore changes nothing. If
//! the design's file is reloaded during a drag, the plan is computed again from the reloaded design.

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

pub(super) use bar::{LOW, draw, height};
pub(super) use marks::{marked, marks};
pub(super) use mouse::{bar as bar_mouse, cancel_drag, finish_drag, mouse};
pub(super) use rooms::{RoomPlacing, placed};

use self::objects::LayoutObject;
use self::plan::ToolPlan;
use super::editor::{Editor, Focus};
use crate::design::{CrawlerField, CrawlerStart, Design, Entry, List, Place, Room};
use crate::document::{DrawingImport, DrawingSource, ImportedTiles};
use crate::geometry::{Forward, Point, Size};
use crate::import::Drawing;
use crate::text::counted;
use crate::tui::commands::{Action, DrawCommand, StrokeShape, Tool};

impl Tool {
    /// Returns the layout's list to which the tool adds squares; `None` if it adds no squares.
    const fn draws(self) -> Option<List> {
        match self {
            Self::Wall => Some(List::Walls),
            Self::Open => Some(List::Open),
            Self::Column => Some(List::Columns),
            Self::Select | Self::Room | Self::Crawler | Self::Erase => None,
        }
    }

    /// Returns whether the tool draws or erases strokes, which have a [`StrokeShape`].
    const fn draws_strokes(self) -> bool {
        self.draws().is_some() || matches!(self, Self::Erase)
    }
}

/// The kind of a gesture in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Gesture {
    /// A pencil stroke: the squares that the cursor has visited, in order; lines connect them.
    Stroke(Vec<Point>),
    /// A span from the starting square to the cursor, which determines a line, a rectangle, a room's width, a Crawler's
    /// heading or a selection.
    Span,
    /// A move of the selection, by the offset from the starting square to the cursor.
    Move,
    /// A paste of the copied entries at the cursor.
    Paste,
    /// An import of a drawing, with its top left square at the cursor.
    PlaceDrawing,
}

/// A gesture in progress.
#[derive(Debug, Clone)]
struct HeldObject {
    gesture: Gesture,
    /// Square where the gesture began.
    from: Point,
    /// Whether the cursor has left this square since.
    has_moved: bool,
    /// Whether the user makes the gesture with a mouse button held down.
    by_mouse: bool,
}

/// A drawing that is about to be imported.
#[derive(Debug, Clone)]
pub(super) struct PendingDrawing {
    /// Path of the drawing's file.
    pub(super) path: PathBuf,
    /// Import options.
    pub(super) import: DrawingImport,
    /// Digest of the file.
    pub(super) digest: u64,
    /// The drawing itself.
    pub(super) drawing: Arc<Drawing>,
}

impl PendingDrawing {
    /// Returns the name of the drawing's file.
    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the record that the document keeps of this drawing, with its top left square placed at `at`.
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
    /// Template of the next room; its position is not used.
    room: Room,
    /// Template of the next first Crawler; its square is not used.
    crawler: CrawlerStart,
    held: Option<HeldObject>,
    selection: BTreeSet<Entry>,
    /// Total offset of the nudges that belong to the open undo group.
    nudged: Point,
    /// Design to which the indices of the selected entries refer.
    known: Option<Arc<Design>>,
    /// Entry selected in the Rooms panel at the last synchronization.
    in_panel: Option<Entry>,
    /// Copied entries, each with its offset from the first row and the first column of all copied entries.
    copied: Vec<(LayoutObject, Point)>,
    /// Drawing that the user chose last.
    drawing: Option<PendingDrawing>,
    /// Whether the mouse press in progress has just selected the entry that it moves.
    fresh: bool,
    preview: preview::LayoutPreview,
}

/// Initial `div` of the room template.
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
            nudged: Point::new(0, 0),
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

    /// Returns whether a gesture with a mouse button is in progress.
    pub(super) fn is_dragged(&self) -> bool {
        self.held.as_ref().is_some_and(|held| held.by_mouse)
    }

    /// Returns whether the preview's design is grown instead of the document's.
    pub(super) const fn is_previewing(&self) -> bool {
        self.preview.is_grown()
    }

    /// Returns the template of the next room; its position has no meaning.
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
            has_moved: false,
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
            // The app opens the dialog that asks for the drawing.
        }
        DrawCommand::All => select::all(tools, editor),
        DrawCommand::Below => select::below(tools, editor),
        DrawCommand::Site(by) => select::next_site(tools, editor, by),
        DrawCommand::Change(by) => alter::change(tools, editor, by),
        DrawCommand::Doors => alter::doors(tools, editor),
        DrawCommand::Turn => alter::turn(tools, editor, CrawlerField::Direction, headings::turned),
        DrawCommand::Redirect => alter::turn(tools, editor, CrawlerField::Direction, headings::redirected),
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

/// Starts a gesture at the cursor: a stroke if the tool draws with the pencil, otherwise a span.
fn begin_at_cursor(tools: &mut DrawState, editor: &Editor, by_mouse: bool) {
    let at = editor.map.cursor();
    let gesture = if tools.tool.draws_strokes() && tools.shape == StrokeShape::Pencil {
        Gesture::Stroke(vec![at])
    } else {
        Gesture::Span
    };
    tools.begin_gesture(gesture, at, by_mouse);
}

/// Handles Enter and Space: finishes the gesture in progress, or begins one at the cursor. If the Select tool is active
/// and a site of the selected room is under the cursor, changes this site instead; if only unselected entries are
/// there, selects the topmost. With `once`, every tool except Select also finishes the new gesture at once, like a
/// click at the cursor.
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

/// Updates the gesture in progress after the cursor has moved.
pub(super) fn follow(tools: &mut DrawState, editor: &Editor) {
    let at = editor.map.cursor();
    let Some(held) = &mut tools.held else { return };
    held.has_moved |= at != held.from;
    if let Gesture::Stroke(path) = &mut held.gesture
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
            // A gesture by keys stays in progress, so that the user can move the cursor to a better square.
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

/// Applies a plan to the document. If `place` is given, consecutive changes to the same place share one undo step.
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

/// Regrows the document's design if the preview's design was grown instead.
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

/// Cancels the gesture in progress, because the document is about to change in another way. Returns whether there was a
/// gesture.
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
        editor.warn("nothing is selected, and there is nothing under the cursor");
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
        Ok(Some(mut plan)) => {
            let (place, by) = (Place::entry(first), forward.offset());
            let before = if editor.document.is_open_group(place.into()) {
                tools.nudged
            } else {
                Point::new(0, 0)
            };
            tools.nudged = Point::new(before.x + by.x, before.y + by.y);
            if tools.selection.len() > 1 {
                plan.name = plan::move_name(tools.selection.len(), tools.nudged);
            }
            commit(tools, editor, plan, Some(place));
        }
        Ok(None) if tools.placing == RoomPlacing::Grid && select::room(tools, editor).is_some() => {
            editor.warn(format!(
                "the room cannot move farther on the grid of its div: {} places rooms freely",
                key(editor, DrawCommand::Free)
            ));
        }
        Ok(None) => editor.warn("the selection cannot move farther in this direction"),
        Err(why) => {
            editor.fail(why);
        }
    }
}

/// Returns the key of a command of the drawing tools.
fn key(editor: &Editor, command: DrawCommand) -> String {
    editor.keymap.key_of(Action::Tools(command))
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

/// Copies the selected entries. Returns whether any were selected.
fn copy(tools: &mut DrawState, editor: &mut Editor) -> bool {
    let copied = plan::copies(tools, editor);
    if copied.is_empty() {
        editor.warn("nothing is selected");
        return false;
    }
    let what = match &copied[..] {
        [(object, _)] => object.description(),
        all => counted(all.len(), "entry"),
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

/// Starts importing a drawing: the drawing follows the cursor until Enter or a click places it.
pub(super) fn place_drawing(tools: &mut DrawState, editor: &mut Editor, in_panel: Option<Entry>, load: PendingDrawing) {
    cancel(tools, editor);
    begin(tools, editor, in_panel);
    tools.tool = Tool::Select;
    tools.begin_gesture(Gesture::PlaceDrawing, editor.map.cursor(), false);
    let (name, size) = (load.name(), load.drawing.size());
    editor.done(format!(
        "{name}, {size} squares, with its top left square at the cursor: {} or a click places it",
        key(editor, DrawCommand::Hold)
    ));
    tools.drawing = Some(load);
}

/// Updates the preview, and grows the design of the gesture in progress. The app calls this function once per frame, so
/// that several pointer moves between two frames cause only one run.
pub(super) fn before_frame(tools: &mut DrawState, editor: &mut Editor, in_panel: Option<Entry>) {
    if tools.on {
        select::sync(tools, editor, in_panel);
        preview::renew(tools, editor);
    }
}
