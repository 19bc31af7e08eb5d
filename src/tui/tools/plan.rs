//! The plan of a tool: the design that the tool would produce, and the name of the undo step.
//!
//! A plan is computed from the document's design, the tool and the cursor; computing it changes nothing, and fails if
//! the file formats cannot store the resulting design. The preview shows what stage one builds from the plan, and
//! rejects the plan if stage one would leave out an entry. Edits that only change the values of selected entries are in
//! [`super::alter`].

use std::collections::{BTreeSet, HashSet};

use super::objects::{self, LayoutObject};
use super::rooms::{self, RoomPlacing};
use super::shape;
use super::{DrawState, Gesture, HeldObject, headings};
use crate::design::{CrawlerStart, Design, Entry, List, PlacedVault, Room, ValidDesign};
use crate::geometry::{Forward, Point};
use crate::import;
use crate::text::counted;
use crate::tui::commands::{DrawCommand, StrokeShape, Tool};
use crate::tui::editor::Editor;
use crate::tui::wording;

/// The design that a tool would produce.
#[derive(Debug)]
pub(super) struct ToolPlan {
    /// Resulting design.
    pub design: Design,
    /// Name of the undo step.
    pub name: String,
    /// Entries of the resulting design that the plan adds, draws or moves.
    pub entries: BTreeSet<Entry>,
    /// Whether the plan adds these entries; false if it moves existing ones.
    pub new: bool,
    /// Note about further changes, such as raised limits.
    pub note: Option<String>,
}

impl ToolPlan {
    /// Creates a plan from a changed design, and raises the design's limits if entries were added.
    fn new(
        before: &Design,
        mut design: Design,
        name: String,
        entries: BTreeSet<Entry>,
        new: bool,
    ) -> Result<Self, String> {
        let note = objects::raise_limits(&mut design, &before.layout)?;
        Ok(Self {
            design,
            name,
            entries,
            new,
            note,
        })
    }
}

/// Returns the placed vaults of the valid design; empty if the design is invalid.
pub(super) fn pieces(editor: &Editor) -> &[PlacedVault] {
    editor.document.valid().map_or(&[], ValidDesign::pieces)
}

/// Returns the plan of the tool at the cursor, as if the gesture ended there; `None` if it changes nothing.
///
/// # Errors
///
/// Fails with the reason why the tool cannot be applied there.
pub(super) fn plan(tools: &DrawState, editor: &Editor) -> Result<Option<ToolPlan>, String> {
    let at = editor.map.cursor();
    let held = tools.held.as_ref();
    match (tools.tool, held) {
        (
            _,
            Some(HeldObject {
                gesture: Gesture::Move,
                from,
                ..
            }),
        ) => {
            let by = Point::new(at.x - from.x, at.y - from.y);
            if by == Point::new(0, 0) {
                Ok(None)
            } else {
                moved(tools, editor, by)
            }
        }
        (
            _,
            Some(HeldObject {
                gesture: Gesture::Paste,
                ..
            }),
        ) => paste(tools, editor, at).map(Some),
        (
            _,
            Some(HeldObject {
                gesture: Gesture::PlaceDrawing,
                ..
            }),
        ) => import_drawing(tools, editor, at),
        (Tool::Select, _) => Ok(None),
        (Tool::Room, held) => room(tools, editor, held.map_or(at, |held| held.from), at).map(Some),
        (Tool::Crawler, held) => crawler(tools, editor, held.map_or(at, |held| held.from), at).map(Some),
        (tool, held) => {
            let squares = match held {
                None => vec![at],
                Some(HeldObject {
                    gesture: Gesture::Stroke(path),
                    ..
                }) => stroke(path)?,
                Some(held) => tools.shape.squares(held.from, at)?,
            };
            match tool.draws() {
                Some(list) => drawn(tools, editor, list, squares),
                None => Ok(erased(editor, squares)),
            }
        }
    }
}

/// Returns the squares that a pencil stroke covers, or an error if there are more than [`shape::MOST`].
fn stroke(path: &[Point]) -> Result<Vec<Point>, String> {
    let mut squares = path.first().map_or_else(Vec::new, |at| vec![*at]);
    for pair in path.windows(2) {
        squares.extend(shape::line(pair[0], pair[1]).into_iter().skip(1));
        if squares.len() as u64 > shape::MOST {
            return Err(format!("the stroke is too long: {} squares at most", shape::MOST));
        }
    }
    Ok(squares)
}

fn drawn(tools: &DrawState, editor: &Editor, list: List, mut squares: Vec<Point>) -> Result<Option<ToolPlan>, String> {
    let before = editor.document.design();
    let size = before.layout.size;
    if let [at] = squares[..] {
        objects::allowed(list, at, size)?;
    }
    // A stroke may touch the outer wall; its squares there are left out.
    squares.retain(|at| objects::allowed(list, *at, size).is_ok());
    let Some(first) = squares.first().copied() else {
        return Err("every square of the stroke is on the outer wall".into());
    };
    let mut design = before.clone();
    let entries = objects::draw(&mut design.layout, list, &squares);
    if design == *before {
        return Ok(None);
    }
    let name = match entries.len() {
        0 | 1 => format!("{} at {first}", list.singular()),
        count => {
            let what = match list {
                List::Walls => "wall",
                List::Open => "open",
                _ => "column",
            };
            format!("{what} {} of {count} squares", tools.shape.stroke())
        }
    };
    ToolPlan::new(before, design, name, entries, true).map(Some)
}

fn erased(editor: &Editor, squares: Vec<Point>) -> Option<ToolPlan> {
    let before = editor.document.design();
    let on: BTreeSet<Point> = squares.into_iter().collect();
    let mut gone = objects::drawn_on(&before.layout, &on);
    let starts = before.layout.crawlers.iter().enumerate();
    gone.extend(
        starts
            .filter(|(_, start)| on.contains(&start.at))
            .map(|(i, _)| Entry::Crawler(i)),
    );
    (!gone.is_empty()).then(|| without(before, &gone, "erased"))
}

/// Returns a plan that removes entries; `how` is the verb in the name of the undo step.
fn without(before: &Design, gone: &BTreeSet<Entry>, how: &str) -> ToolPlan {
    let mut design = before.clone();
    let invalid = design.remove_entries(gone);
    let name = match gone.first() {
        Some(entry) if gone.len() == 1 => {
            let place = LayoutObject::of(&before.layout, *entry).map_or_else(String::new, |object| object.place());
            format!("{} {place} {how}", entry.label())
        }
        _ => format!("{} entries {how}", gone.len()),
    };
    ToolPlan {
        design,
        name,
        entries: BTreeSet::new(),
        new: true,
        note: wording::invalid_references(&invalid),
    }
}

/// Returns a plan that removes the selected entries.
pub(super) fn removed(tools: &DrawState, editor: &Editor) -> ToolPlan {
    without(editor.document.design(), &tools.selection, "removed")
}

/// Warns if an edit has increased the number of first Crawlers that lack the other half of their open/closed pair.
/// `before` is this number before the edit, and `name` is the name of the edit's undo step.
pub(super) fn warn_of_half_pairs(editor: &mut Editor, name: &str, before: usize) {
    let halves = objects::halves(&editor.document.design().layout);
    if let Some(half) = halves.last().filter(|_| halves.len() > before) {
        let text = format!(
            "{name}; {} is now half of an open/closed pair whose other half is missing, so this Crawler will not be in the dungeon; select it and press {} to change its termination",
            half.label(),
            super::key(editor, DrawCommand::Change(1))
        );
        editor.warn(text);
    }
}

fn added(editor: &Editor, object: LayoutObject) -> Result<ToolPlan, String> {
    let before = editor.document.design();
    let mut design = before.clone();
    let name = format!("{} added", object.description());
    let entry = object.add(&mut design.layout);
    ToolPlan::new(before, design, name, [entry].into(), true)
}

fn room(tools: &DrawState, editor: &Editor, center: Point, to: Point) -> Result<ToolPlan, String> {
    let design = editor.document.design();
    let size = design.layout.size;
    let mut room = tools.room;
    if center != to {
        // The room's centre may differ from the square where the drag began, because the grid or the border shifts it.
        let there = rooms::placed(room, center, size, tools.placing);
        let center = there.center_and_reach(size).map_or(center, |(center, _)| center);
        room = rooms::with_wall_through(room, center, to, size, &design.constants);
    }
    added(editor, LayoutObject::Room(room).moved(center, size, tools.placing)?)
}

fn crawler(tools: &DrawState, editor: &Editor, from: Point, to: Point) -> Result<ToolPlan, String> {
    let start = CrawlerStart {
        at: from,
        ..tools.crawler
    };
    let start = headings::dragged(start, to);
    added(
        editor,
        LayoutObject::Crawler(start).moved(from, editor.document.design().layout.size, RoomPlacing::Grid)?,
    )
}

/// Returns how the selection is placed: a single entry in the way that the user has chosen; several entries freely, so
/// that they keep their distances from each other.
fn placing(tools: &DrawState) -> RoomPlacing {
    if tools.selection.len() == 1 {
        tools.placing
    } else {
        RoomPlacing::Free
    }
}

/// Returns a plan that moves the selection by an offset in squares.
fn moved(tools: &DrawState, editor: &Editor, by: Point) -> Result<Option<ToolPlan>, String> {
    let before = editor.document.design();
    let layout = &before.layout;
    let mut new = Vec::new();
    for entry in &tools.selection {
        let (Some(object), Some(at)) = (
            LayoutObject::of(layout, *entry),
            objects::position_of(layout, pieces(editor), *entry),
        ) else {
            continue;
        };
        let to = Point::new(at.x + by.x, at.y + by.y);
        new.push((*entry, object.moved(to, layout.size, placing(tools))?));
    }
    rewritten(before, new, |count| move_name(count, by))
}

/// Returns the name of an undo step that moves several entries by an offset in squares.
pub(super) fn move_name(count: usize, by: Point) -> String {
    let part = |length: i32, noun, [back, forth]: [&str; 2]| {
        (length != 0).then(|| {
            let way = if length < 0 { back } else { forth };
            format!("{} {way}", counted(length.unsigned_abs(), noun))
        })
    };
    let parts = [
        part(by.x, "row", ["up", "down"]),
        part(by.y, "column", ["left", "right"]),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{} moved {}", counted(count, "entry"), parts.join(" and "))
}

/// Returns a plan that nudges the selection. If rooms are placed on the grid and a single room is selected, its xdiv or
/// ydiv changes by 1, so that its centre moves to the next grid line. Any other selection moves by one square. Returns
/// `None` if nothing changes, for example because the room is already at the edge of the grid.
pub(super) fn nudged(tools: &DrawState, editor: &Editor, forward: Forward) -> Result<Option<ToolPlan>, String> {
    let before = editor.document.design();
    let by = forward.offset();
    let only = tools.selection.first().filter(|_| tools.selection.len() == 1);
    let room = only.and_then(|entry| match (entry, tools.placing) {
        (Entry::Room(i), RoomPlacing::Grid) => Some((*entry, *before.layout.rooms.get(*i)?)),
        _ => None,
    });
    let Some((entry, room)) = room else {
        return moved(tools, editor, by);
    };
    let division = |now: i32, by: i32| now.saturating_add(by).clamp(0, room.div.max(0));
    let moved = Room {
        xdiv: division(room.xdiv, by.x),
        ydiv: division(room.ydiv, by.y),
        ..room
    };
    rewritten(before, vec![(entry, LayoutObject::Room(moved))], |_| String::new())
}

/// Returns a plan that replaces the values of entries; `None` if nothing changes. If an open square, a wall tile or a
/// column moves to a square that already contains one of these, the plan removes the one that was there.
fn rewritten(
    before: &Design,
    new: Vec<(Entry, LayoutObject)>,
    name: impl FnOnce(usize) -> String,
) -> Result<Option<ToolPlan>, String> {
    let own: BTreeSet<Entry> = new.iter().map(|(entry, _)| *entry).collect();
    let taken = new.iter().filter_map(|(_, object)| match object {
        LayoutObject::Square(_, at) => Some(*at),
        _ => None,
    });
    let under = objects::drawn_on(&before.layout, &taken.collect());
    let gone: BTreeSet<Entry> = under.difference(&own).copied().collect();
    let name = match &new[..] {
        [(entry, object)] => format!(
            "{} moved to {}",
            entry.label(),
            object.place().trim_start_matches("at ")
        ),
        all => name(all.len()),
    };
    let mut design = before.clone();
    for (entry, object) in new {
        if let Some((_, index)) = entry.list() {
            object.write(&mut design.layout, index);
        }
    }
    design.layout.remove_entries(&gone);
    if design == *before {
        return Ok(None);
    }
    let entries = own.iter().map(|entry| entry.after_removal(&gone)).collect();
    ToolPlan::new(before, design, name, entries, false).map(Some)
}

/// Returns copies of the selected entries, each with its offset from the top row and the leftmost column of their
/// positions.
pub(super) fn copies(tools: &DrawState, editor: &Editor) -> Vec<(LayoutObject, Point)> {
    let layout = &editor.document.design().layout;
    let all: Vec<(LayoutObject, Point)> = tools
        .selection
        .iter()
        .filter_map(|entry| {
            Some((
                LayoutObject::of(layout, *entry)?,
                objects::position_of(layout, pieces(editor), *entry)?,
            ))
        })
        .collect();
    let top = all.iter().map(|(_, at)| at.x).min().unwrap_or(0);
    let left = all.iter().map(|(_, at)| at.y).min().unwrap_or(0);
    all.into_iter()
        .map(|(object, at)| (object, Point::new(at.x - top, at.y - left)))
        .collect()
}

/// Returns a plan that adds the copied entries, with their first row and first column at the square `at`.
fn paste(tools: &DrawState, editor: &Editor, at: Point) -> Result<ToolPlan, String> {
    let before = editor.document.design();
    let size = before.layout.size;
    let copied = &tools.copied;
    let placing = if copied.len() == 1 {
        tools.placing
    } else {
        RoomPlacing::Free
    };
    let mut design = before.clone();
    let mut entries = BTreeSet::new();
    let mut name = format!("{} entries placed at {at}", copied.len());
    let mut drawn: Vec<(List, Vec<Point>)> = objects::DRAWN.map(|list| (list, Vec::new())).into();
    for (object, offset) in copied {
        let to = Point::new(at.x.saturating_add(offset.x), at.y.saturating_add(offset.y));
        let object = object.moved(to, size, placing)?;
        if copied.len() == 1 {
            name = format!("{} placed", object.description());
        }
        match object {
            LayoutObject::Square(list, to) => {
                let of = drawn.iter_mut().find(|(other, _)| *other == list);
                if let Some((_, squares)) = of {
                    squares.push(to);
                }
            }
            object => drop(entries.insert(object.add(&mut design.layout))),
        }
    }
    let all: BTreeSet<Point> = drawn.iter().flat_map(|(_, squares)| squares).copied().collect();
    let gone = objects::drawn_on(&design.layout, &all);
    design.layout.remove_entries(&gone);
    for (list, squares) in drawn {
        entries.extend(objects::draw(&mut design.layout, list, &squares));
    }
    ToolPlan::new(before, design, name, entries, true)
}

/// Returns a plan that imports the drawing with its top left square at the cursor, clipped to the inside of the outer
/// wall.
fn import_drawing(tools: &DrawState, editor: &Editor, at: Point) -> Result<Option<ToolPlan>, String> {
    /// If the import adds more entries than this, it selects none of them, because the map would have to mark each
    /// selected entry.
    const SELECTED: usize = 2_000;
    let Some(load) = &tools.drawing else {
        return Ok(None);
    };
    let before = editor.document.design();
    let placing = import::Placement {
        at: Some(at),
        ..load.import.placing
    };
    let design = placing.over(&load.drawing, before);
    if design == *before {
        return Ok(None);
    }
    let new = |list: List| {
        let there: HashSet<Point> = objects::squares(&before.layout, list).iter().copied().collect();
        let squares = objects::squares(&design.layout, list).iter().enumerate();
        let new = squares.filter(move |(_, at)| !there.contains(at));
        new.map(|(i, _)| list.entry(i)).collect::<Vec<Entry>>()
    };
    let mut entries: BTreeSet<Entry> = objects::DRAWN.into_iter().flat_map(new).collect();
    if entries.len() > SELECTED {
        entries.clear();
    }
    ToolPlan::new(before, design, format!("{} placed at {at}", load.name()), entries, true).map(Some)
}

/// Returns the shape of strokes, if the tool has one.
pub(super) fn shape_of(tools: &DrawState) -> Option<StrokeShape> {
    tools.tool.draws_strokes().then_some(tools.shape)
}
