//! Drawing on the map: tools that place, move and remove the entries of the layout.
//!
//! While the mode is on, a tool acts at the map's cursor, by keys or by the mouse. What a tool would do there is a
//! [`plan`]: another design and a name. A [`preview`] shows what stage one makes of it before it is done, and while
//! something is held, the dungeon is grown from it at once; the document is changed when it is let go, in one step. So
//! a drag that is given up leaves nothing behind, and a file that is read anew meanwhile changes only what the drag
//! starts from.

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
use super::dialog::{self, OpenFilter};
use super::map;
use crate::design::{CrawlerStart, Design, Entry, List, Place, Room};
use crate::document::{DrawingImport, DrawingSource, ImportedTiles};
use crate::geometry::{Forward, Point, Size};
use crate::import::Drawing;

/// What is done at the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Tool {
    /// Select and move entries.
    #[default]
    Select,
    /// Place rooms.
    Room,
    /// Draw wall tiles.
    Wall,
    /// Draw open squares.
    Open,
    /// Draw columns.
    Column,
    /// Place first Crawlers.
    Crawler,
    /// Erase what can be drawn.
    Erase,
}

impl Tool {
    /// The list of squares that it draws.
    const fn draws(self) -> Option<List> {
        match self {
            Self::Wall => Some(List::Walls),
            Self::Open => Some(List::Open),
            Self::Column => Some(List::Columns),
            Self::Select | Self::Room | Self::Crawler | Self::Erase => None,
        }
    }

    /// Whether it works by strokes, which have a shape.
    const fn strokes(self) -> bool {
        self.draws().is_some() || matches!(self, Self::Erase)
    }
}

/// Everything that can be done while drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DrawCommand {
    /// Begin to draw.
    Begin,
    /// Give up what is held; else leave drawing.
    Leave,
    /// Take a tool.
    Choose(Tool),
    /// Take a shape for strokes.
    Shape(StrokeShape),
    /// Apply the tool to the cursor's square, or end what is held.
    Apply,
    /// Take hold at the cursor, or end what is held.
    Hold,
    /// Take hold if nothing is held, and move the cursor.
    Extend(Forward),
    /// Move what is selected by a square.
    Nudge(Forward),
    /// Take hold of what is selected.
    Grab,
    /// Remove what is selected.
    Remove,
    /// Copy what is selected.
    Copy,
    /// Take the copy to the cursor.
    Put,
    /// Copy what is selected and take it to the cursor.
    Duplicate,
    /// Choose a drawing, to be laid at the cursor.
    Lay,
    /// Select everything.
    All,
    /// Select what else is under the cursor.
    Below,
    /// Move the cursor to another site of the selected room.
    Site(i32),
    /// Another code for a site, or another end for a Crawler.
    Change(i32),
    /// Another width for doors.
    Doors,
    /// Turn a Crawler.
    Turn,
    /// Another Direction for a Crawler.
    Redirect,
    /// Another width for rooms.
    Widen(i32),
    /// Another div for rooms.
    Divide(i32),
    /// Rooms on any square, or on the grid.
    Free,
}

/// What is held between a press and its end.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Gesture {
    /// A pencil on its way over these squares, one line from each to the next.
    Stroke(Vec<Point>),
    /// From the square where it began to the cursor: a line, a rectangle, a room's width, a heading, a selection.
    Span,
    /// What is selected moves as far as the cursor does.
    Move,
    /// The copy is at the cursor.
    Put,
    /// A drawing has its left top square at the cursor.
    Lay,
}

/// Something that is held.
#[derive(Debug, Clone)]
struct HeldObject {
    gesture: Gesture,
    /// Where it began.
    from: Point,
    /// Whether a button of the mouse holds it.
    by_mouse: bool,
}

/// A drawing that is to be laid.
#[derive(Debug, Clone)]
pub(super) struct PendingDrawing {
    /// Its file, how it is taken, and the digest of the file.
    pub(super) path: PathBuf,
    pub(super) import: DrawingImport,
    pub(super) digest: u64,
    /// What is drawn.
    pub(super) drawing: Arc<Drawing>,
}

impl PendingDrawing {
    /// The name of its file.
    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Where it came from, with its left top square here.
    fn source(&self, at: Point, size: Size) -> DrawingSource {
        let mut import = self.import.clone();
        import.placing.at = Some(at);
        let taken = ImportedTiles::laid(Arc::clone(&self.drawing), import.placing, at, size);
        DrawingSource::new(self.path.clone(), import, self.digest, taken)
    }
}

/// What drawing remembers.
#[derive(Debug)]
pub(super) struct DrawState {
    on: bool,
    tool: Tool,
    shape: StrokeShape,
    placing: RoomPlacing,
    /// The next room, but for its place.
    room: Room,
    /// The next first Crawler, but for its place.
    crawler: CrawlerStart,
    held: Option<HeldObject>,
    selection: BTreeSet<Entry>,
    /// The design whose entries the selection names.
    known: Option<Arc<Design>>,
    /// The entry that was selected in the rooms panel when it was last looked at.
    in_panel: Option<Entry>,
    /// Copies, with their squares seen from the first.
    copied: Vec<(LayoutObject, Point)>,
    /// The drawing that was chosen last.
    drawing: Option<PendingDrawing>,
    /// Whether the press that is held has selected what it moves.
    fresh: bool,
    preview: preview::LayoutPreview,
}

/// Into how many parts the dungeon is divided for the first room that is placed.
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
    /// Whether the map is drawn on.
    pub(super) const fn is_on(&self) -> bool {
        self.on
    }

    /// Whether a button of the mouse holds something.
    pub(super) fn is_dragged(&self) -> bool {
        self.held.as_ref().is_some_and(|held| held.by_mouse)
    }

    /// Whether the dungeon that is grown is that of a drag, and not of the document.
    pub(super) const fn is_previewing(&self) -> bool {
        self.preview.is_grown()
    }

    /// The room that is placed next, but for its place.
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

/// Does a command.
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
            let mut effects = cancel(app);
            effects.extend(dialog::begin_open(app, OpenFilter::Drawings));
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
    app.focus = Focus::Map;
    app.tools.on = true;
    app.tools.in_panel = None;
    select::sync(app);
}

/// Takes hold at the cursor.
fn take_hold(app: &mut App, by_mouse: bool) {
    let at = app.map.cursor();
    let tools = &mut app.tools;
    let gesture = if tools.tool.strokes() && tools.shape == StrokeShape::Pencil {
        Gesture::Stroke(vec![at])
    } else {
        Gesture::Span
    };
    tools.hold(gesture, at, by_mouse);
}

/// Enter or Space: ends what is held, or acts at the cursor; `once` does what a click does.
fn press(app: &mut App, once: bool) -> Vec<Effect> {
    if app.tools.held.is_some() {
        return finish(app);
    }
    if app.tools.tool == Tool::Select {
        if select::site_at(app, app.map.cursor()).is_some() {
            return alter::change(app, 1);
        }
        let here = select::under(app, app.map.cursor());
        if here.iter().any(|entry| app.tools.selection.contains(entry)) {
            app.tools.hold(Gesture::Move, app.map.cursor(), false);
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

/// The cursor has moved: a pencil goes with it.
pub(super) fn follow(app: &mut App) {
    let at = app.map.cursor();
    if let Some(HeldObject {
        gesture: Gesture::Stroke(path),
        ..
    }) = &mut app.tools.held
        && path.last() != Some(&at)
    {
        path.push(at);
    }
}

/// Ends what is held: it is done, where it can be.
fn finish(app: &mut App) -> Vec<Effect> {
    let Some(held) = app.tools.held.clone() else {
        return Vec::new();
    };
    app.tools.preview.outdate();
    if app.tools.tool == Tool::Select && held.gesture == Gesture::Span {
        app.tools.held = None;
        select::within(app, held.from, app.map.cursor());
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
            // By keys one may go on to a better place.
            let effects = if held.by_mouse { cancel(app) } else { Vec::new() };
            app.say(NoticeLevel::Error, why);
            effects
        }
    }
}

/// Changes the document by a drawing, which is part of it from now on.
fn commit_lay(app: &mut App, plan: ToolPlan) -> Vec<Effect> {
    let (at, size) = (app.map.cursor(), plan.design.layout.size);
    let source = app.tools.drawing.as_ref().map(|load| load.source(at, size));
    let mut effects = commit(app, plan, None);
    app.document.sources_mut().extend(source);
    effects.push(app.watch());
    effects
}

/// Changes the document as planned; with a place, changes of the same place in a row are one step.
fn commit(app: &mut App, plan: ToolPlan, place: Option<Place>) -> Vec<Effect> {
    let ToolPlan {
        design,
        name,
        entries,
        note,
        ..
    } = plan;
    let before = objects::halves(&app.document.design().layout).len();
    let mut effects = match place {
        Some(place) => app.edit_at(place, name.clone(), |present| *present = design),
        None => app.edit(name.clone(), |present| *present = design),
    };
    if app.tools.preview.stop() && effects.is_empty() {
        effects = app.regrow();
    }
    app.tools.known = Some(app.document.shared());
    if app.document.valid().is_some()
        && let Some(note) = note
    {
        app.say(NoticeLevel::Done, format!("{name} ({note})"));
    }
    plan::warn_of_halves(app, &name, before);
    select::keep(app, entries);
    effects
}

/// Grows the document's design again, where that of a drag was grown.
fn back_to_document(app: &mut App) -> Vec<Effect> {
    if app.tools.preview.stop() {
        app.regrow()
    } else {
        Vec::new()
    }
}

/// Gives up what is held.
fn cancel(app: &mut App) -> Vec<Effect> {
    app.tools.held = None;
    app.tools.preview.outdate();
    back_to_document(app)
}

/// Gives up what is held, if something is, before the document changes in another way; whether something was.
pub(super) fn give_up(app: &mut App) -> Option<Vec<Effect>> {
    app.tools.held.as_ref()?;
    let effects = cancel(app);
    app.say(NoticeLevel::Done, "given up: nothing was changed");
    Some(effects)
}

fn grab(app: &mut App) {
    let at = app.map.cursor();
    if app.tools.selection.is_empty()
        && let Some(entry) = select::under(app, at).first()
    {
        select::choose(app, [*entry].into());
    }
    if app.tools.selection.is_empty() {
        app.say(
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
        app.say(NoticeLevel::Warning, "nothing is selected");
        return Vec::new();
    };
    let planned = plan::nudged(app, forward).and_then(|plan| match plan {
        Some(plan) => preview::refusal(app, &plan).map_or(Ok(Some(plan)), Err),
        None => Ok(None),
    });
    match planned {
        Ok(Some(plan)) => commit(app, plan, Some(Place::entry(first))),
        Ok(None) => {
            app.say(
                NoticeLevel::Warning,
                "it stands at the end of what its div allows: f places rooms freely",
            );
            Vec::new()
        }
        Err(why) => {
            app.say(NoticeLevel::Error, why);
            Vec::new()
        }
    }
}

fn remove(app: &mut App) -> Vec<Effect> {
    if app.tools.held.is_some() {
        return cancel(app);
    }
    if app.tools.selection.is_empty() {
        app.say(NoticeLevel::Warning, "nothing is selected");
        return Vec::new();
    }
    let plan = plan::removed(app);
    commit(app, plan, None)
}

/// Copies what is selected; whether anything is.
fn copy(app: &mut App) -> bool {
    let copied = plan::copies(app);
    if copied.is_empty() {
        app.say(NoticeLevel::Warning, "nothing is selected");
        return false;
    }
    let what = match &copied[..] {
        [(thing, _)] => thing.told(),
        all => format!("{} entries", all.len()),
    };
    app.say(NoticeLevel::Done, format!("{what} copied"));
    app.tools.copied = copied;
    true
}

fn put(app: &mut App) {
    if app.tools.copied.is_empty() {
        app.say(NoticeLevel::Warning, "nothing was copied yet");
        return;
    }
    app.tools.tool = Tool::Select;
    app.tools.hold(Gesture::Put, app.map.cursor(), false);
}

/// Takes a drawing to the cursor: its walls are laid where Enter or a click says.
pub(super) fn lay(app: &mut App, load: PendingDrawing) -> Vec<Effect> {
    let effects = cancel(app);
    begin(app);
    app.tools.tool = Tool::Select;
    app.tools.hold(Gesture::Lay, app.map.cursor(), false);
    let (name, size) = (load.name(), load.drawing.size());
    app.say(
        NoticeLevel::Done,
        format!("{name}, {size} squares, with its left top square at the cursor: Enter or a click lays it"),
    );
    app.tools.drawing = Some(load);
    effects
}

/// What is due once for each frame: the ghost, and the growth of what is held. Many moves of the pointer between two
/// frames so cost one run.
pub(super) fn frame(app: &mut App) -> Vec<Effect> {
    if !app.tools.on {
        return Vec::new();
    }
    let mut effects = select::sync(app);
    effects.extend(preview::renew(app));
    effects
}
