//! The selection on the map, and the entries under the cursor. The entry selected in the Rooms panel is also selected
//! on the map, and vice versa.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::objects::{self, LayoutObject};
use super::plan::pieces;
use super::{DrawState, Gesture, rooms, shape};
use crate::design::{Design, Entry, Layout, List, Room, Site};
use crate::geometry::Point;
use crate::tui::editor::{Editor, Request};
use crate::tui::widget::form::ring;

/// Maximum distance in squares from a room's centre at which the room can be selected and dragged.
const MIDDLE: u32 = 1;

/// Returns the entries on a square, from the topmost to the lowest. The topmost are the first Crawlers; below them are
/// open squares, wall tiles and columns, then vaults, then rooms from the smallest to the largest. A room counts if the
/// square is on its wall or near its centre.
pub(super) fn entries_at(editor: &Editor, at: Point) -> Vec<Entry> {
    let layout = &editor.document.design().layout;
    let mut all: Vec<Entry> = layout
        .crawlers
        .iter()
        .enumerate()
        .filter(|(_, start)| start.at == at)
        .map(|(i, _)| Entry::Crawler(i))
        .collect();
    // Later entries of a list cover earlier ones, so they come first.
    all.extend(objects::drawn_on(layout, &[at].into()).into_iter().rev());
    let vaults = pieces(editor).iter().filter(|piece| piece.feature(at).is_some());
    all.extend(vaults.map(|piece| Entry::Vault(piece.vault)));
    let mut rooms: Vec<(i32, Entry)> = Vec::new();
    for (i, room) in layout.rooms.iter().enumerate() {
        let Some((center, reach)) = room.center_and_reach(layout.size) else {
            continue;
        };
        let far = center.x.abs_diff(at.x).max(center.y.abs_diff(at.y));
        if far == reach.unsigned_abs() || far <= MIDDLE {
            rooms.push((reach, Entry::Room(i)));
        }
    }
    rooms.sort();
    all.extend(rooms.into_iter().map(|(_, entry)| entry));
    all
}

/// Returns the selected room and its index, if it is the only selected entry.
pub(super) fn room(tools: &DrawState, editor: &Editor) -> Option<(usize, Room)> {
    match tools.selection.first() {
        Some(Entry::Room(index)) if tools.selection.len() == 1 => {
            Some((*index, *editor.document.design().layout.rooms.get(*index)?))
        }
        _ => None,
    }
}

/// Returns the index of the selected room, and which of its sites is on a square.
pub(super) fn site_at(tools: &DrawState, editor: &Editor, at: Point) -> Option<(usize, Site)> {
    let (index, room) = room(tools, editor)?;
    let handles = rooms::handles(&room, editor.document.design().layout.size)?;
    Some((index, handles.iter().position(|handle| *handle == at)?))
}

/// Moves the cursor to another site of the selected room: clockwise, or anticlockwise if `by` is negative.
pub(super) fn next_site(tools: &mut DrawState, editor: &mut Editor, by: i32) {
    let handles = room(tools, editor).and_then(|(_, room)| rooms::handles(&room, editor.document.design().layout.size));
    let Some(handles) = handles else {
        editor.warn("select a room first, then one of the eight sites on its wall");
        return;
    };
    let now = site_at(tools, editor, editor.map.cursor()).map(|(_, site)| site);
    let next = now.map_or(0, |site| ring(site, by, handles.len()));
    editor.show_square(handles[next]);
    super::follow(tools, editor);
}

/// Selects entries; a single entry is also selected in the Rooms panel. Closes the undo group if the selection changes.
pub(super) fn choose(tools: &mut DrawState, editor: &mut Editor, entries: BTreeSet<Entry>) {
    if entries != tools.selection {
        // The next edit changes other entries, so it must start a new undo step.
        editor.document.close_undo_group();
    }
    keep(tools, editor, entries);
}

/// Selects entries like [`choose`], but keeps the undo group open.
pub(super) fn keep(tools: &mut DrawState, editor: &mut Editor, entries: BTreeSet<Entry>) {
    if let Some(first) = entries.first().filter(|_| entries.len() == 1) {
        editor.ask(Request::SelectEntry(*first));
    }
    tools.selection = entries;
    tools.known = Some(editor.document.shared());
    tools.preview.mark_outdated();
}

/// Selects the entries whose position lies in a rectangle; the position of a room is its centre.
pub(super) fn within(tools: &mut DrawState, editor: &mut Editor, from: Point, to: Point) {
    let design = editor.document.design();
    let inside = |entry: &Entry| {
        let at = objects::position_of(&design.layout, pieces(editor), *entry);
        at.is_some_and(|at| shape::between(from, to, at))
    };
    let found: BTreeSet<Entry> = entries(design).filter(inside).collect();
    report(tools, editor, found);
}

/// Selects every entry.
pub(super) fn all(tools: &mut DrawState, editor: &mut Editor) {
    let all = entries(editor.document.design()).collect();
    report(tools, editor, all);
}

fn entries(design: &Design) -> impl Iterator<Item = Entry> {
    let of = |list: List| (0..list.len(&design.layout)).map(move |index| list.entry(index));
    List::ALL.into_iter().flat_map(of)
}

fn report(tools: &mut DrawState, editor: &mut Editor, found: BTreeSet<Entry>) {
    let text = match found.first() {
        None => "nothing is selected".into(),
        Some(entry) if found.len() == 1 => format!("{} selected", entry.label()),
        Some(_) => format!("{} entries selected", found.len()),
    };
    editor.done(text);
    choose(tools, editor, found);
}

/// Selects the entry below the selected one on the cursor's square. If the lowest is selected, selects the topmost.
pub(super) fn below(tools: &mut DrawState, editor: &mut Editor) {
    let here = entries_at(editor, editor.map.cursor());
    let now = here.iter().position(|entry| tools.selection.contains(entry));
    let next = now.map_or(0, |now| (now + 1) % here.len().max(1));
    match here.get(next) {
        Some(entry) => choose(tools, editor, [*entry].into()),
        None => editor.warn("there is nothing under the cursor"),
    }
}

/// Adds an entry to the selection, or removes it.
pub(super) fn toggle(tools: &mut DrawState, editor: &mut Editor, entry: Entry) {
    let mut entries = tools.selection.clone();
    if !entries.remove(&entry) {
        entries.insert(entry);
    }
    choose(tools, editor, entries);
}

/// Synchronizes the selection with changes to the design and with the Rooms panel. Cancels a move if the entries that
/// it moves no longer exist.
pub(super) fn sync(tools: &mut DrawState, editor: &mut Editor, in_panel: Option<Entry>) {
    let design = editor.document.shared();
    if let Some(known) = tools.known.take().filter(|known| !Arc::ptr_eq(known, &design)) {
        tools.selection = now(&known, &design, &tools.selection);
        tools.preview.mark_outdated();
    }
    tools.known = Some(design);
    if in_panel != tools.in_panel {
        tools.in_panel = in_panel;
        if let Some(entry) = in_panel.filter(|entry| entry.list().is_some()) {
            tools.selection = [entry].into();
            tools.preview.mark_outdated();
        }
    }
    let moving = tools.held.as_ref().is_some_and(|held| held.gesture == Gesture::Move);
    if moving && tools.selection.is_empty() {
        editor.warn("the selection no longer exists: the design was changed on disk");
        super::cancel(tools, editor);
    }
}

/// Returns the entries of the design `after` that correspond to `entries` of the design `before`. In a list that has
/// the same length in both designs, these are the entries with the same indices; in any other list, they are entries
/// with the same values.
fn now(before: &Design, after: &Design, entries: &BTreeSet<Entry>) -> BTreeSet<Entry> {
    let (before, after) = (&before.layout, &after.layout);
    let of_list = |list: List| {
        let is_here = move |entry: &Entry| entry.list().is_some_and(|(of, _)| of == list);
        let selected: Vec<Entry> = entries.iter().copied().filter(is_here).collect();
        if selected.is_empty() || list.len(before) == list.len(after) {
            selected
        } else {
            with_same_values(before, after, list, &selected)
        }
    };
    List::ALL.into_iter().flat_map(of_list).collect()
}

/// Returns the entries of a list in `after` that have the values of `entries` in `before`: those with the same indices
/// if possible, otherwise the first ones.
fn with_same_values(before: &Layout, after: &Layout, list: List, entries: &[Entry]) -> Vec<Entry> {
    let all = (0..list.len(after)).rev().map(|index| list.entry(index));
    // An earlier entry replaces a later one with the same value.
    let first: HashMap<LayoutObject, Entry> = all
        .filter_map(|entry| Some((LayoutObject::of(after, entry)?, entry)))
        .collect();
    let same = |entry: &Entry| {
        let value = LayoutObject::of(before, *entry)?;
        if LayoutObject::of(after, *entry).as_ref() == Some(&value) {
            return Some(*entry);
        }
        first.get(&value).copied()
    };
    entries.iter().filter_map(same).collect()
}
