//! The Rooms panel: shows the entries of the rooms file, the vaults and the named places. The user can edit, add,
//! remove and reorder them.
//!
//! The entries are listed under headings, in the order of the file. Below the selected entry are its fields. Up and
//! down move between entries, right moves into the fields of the selected entry, and left moves back to the entry.

mod lines;
mod outline;

use std::collections::BTreeSet;

use ratatui::layout::{Position, Rect};

pub(super) use lines::draw;

use self::outline::{Detail, Outline, OutlineItem, OutlineRow};
use super::typing::{self, TypingTarget};
use super::{PanelsState, explanation, move_by};
use crate::design::{Design, Entry, Field, List, OuterWall, Room, style};
use crate::geometry::Point;
use crate::tui::commands::{Action, EntryCommand, PanelCommand};
use crate::tui::editor::Editor;
use crate::tui::keymap::Context;
use crate::tui::tabs::Panel;
use crate::tui::widget::list::{ListState, ListStep, VisibleRows};
use crate::tui::wording;

/// The selection, and the first visible line of the list.
#[derive(Debug)]
pub(super) struct RoomsState {
    /// The selected item.
    item: OutlineItem,
    /// Index of the selected line below the item; `None` if the item itself is selected.
    detail: Option<usize>,
    list: ListState,
}

impl Default for RoomsState {
    fn default() -> Self {
        Self {
            item: OutlineItem::Entry(Entry::Dimensions),
            detail: None,
            list: ListState::default(),
        }
    }
}

impl RoomsState {
    fn outline<'a>(&self, design: &'a Design) -> Outline<'a> {
        Outline::new(design, self.item)
    }
}

/// Returns the selected item and detail; if the item no longer exists, the nearest item.
fn selected(panels: &PanelsState, editor: &Editor) -> (OutlineItem, Option<usize>) {
    let state = &panels.rooms;
    let item = state.outline(editor.document.design()).item;
    let lines = outline::details(item);
    // If the selected entry no longer exists, no field of the nearest entry is selected.
    let detail = state.detail.filter(|_| item == state.item && lines > 0);
    (item, detail.map(|detail| detail.min(lines - 1)))
}

/// Returns the field under the cursor; `None` if the cursor is on another line.
pub(super) fn target(panels: &PanelsState, editor: &Editor) -> Option<TypingTarget> {
    match selected(panels, editor) {
        (OutlineItem::Entry(entry @ Entry::Protuberances), _) => {
            Some(TypingTarget::Number(entry, OuterWall::Protuberances.into()))
        }
        (OutlineItem::Entry(entry), Some(detail)) => match outline::detail(entry, detail)? {
            Detail::Field(field) => Some(TypingTarget::field(entry, field)),
            Detail::Switch(_) => None,
        },
        _ => None,
    }
}

/// Returns the room and the index of the style switch under the cursor; `None` if the cursor is on another line.
fn switch(panels: &PanelsState, editor: &Editor) -> Option<(usize, usize)> {
    match selected(panels, editor) {
        (OutlineItem::Entry(Entry::Room(room)), Some(detail)) => match outline::detail(Entry::Room(room), detail)? {
            Detail::Switch(switch) => Some((room, switch)),
            Detail::Field(_) => None,
        },
        _ => None,
    }
}

/// Returns whether the cursor is on a switch.
pub(super) fn is_switch(panels: &PanelsState, editor: &Editor) -> bool {
    switch(panels, editor).is_some()
}

/// Returns whether the selected entry belongs to a list.
pub(super) fn is_in_list(panels: &PanelsState, editor: &Editor) -> bool {
    matches!(selected(panels, editor).0.list(), Some((_, Some(_))))
}

/// Selects an entry, or one of its fields.
pub(super) fn select(panels: &mut PanelsState, entry: Entry, field: Option<Field>) {
    panels.rooms.item = OutlineItem::Entry(entry);
    panels.rooms.detail = field
        .filter(|_| outline::details(OutlineItem::Entry(entry)) > 0)
        .and_then(|field| outline::detail_of(entry, field));
}

/// Splits the panel into the area of the list and, at the bottom, the area of the selection's explanation.
fn list_part(area: Rect) -> [Rect; 2] {
    explanation::part(area, usize::from(area.height))
}

/// Returns the area of the selection's explanation.
pub(super) fn explanation_part(area: Rect) -> Rect {
    list_part(area)[1]
}

/// Returns the outline, and which of its rows are visible. The outline is scrolled to show the selected entry and as
/// many of its fields as fit.
fn visible<'a>(panels: &PanelsState, editor: &'a Editor, area: Rect) -> (Outline<'a>, VisibleRows) {
    let (item, detail) = selected(panels, editor);
    let [area, _] = list_part(area);
    let outline = Outline::new(editor.document.design(), item);
    let row = outline.selected(detail);
    let fields = if detail.is_none() { outline::details(item) } else { 0 };
    let mut list = panels.rooms.list;
    list.select_block(row, row + fields, area.height);
    let visible = list.visible(area, outline.rows(), 0);
    (outline, visible)
}

/// Stores the current scroll position, so that the list does not jump when the selection moves.
fn keep_position(panels: &mut PanelsState, editor: &Editor) {
    let (_, visible) = visible(panels, editor, super::inside(panels, editor));
    panels.rooms.list.select(visible.selected, visible);
}

/// Moves the selection among the entries, or among the fields of the selected entry.
pub(super) fn step(panels: &mut PanelsState, editor: &Editor, step: ListStep) {
    keep_position(panels, editor);
    match step {
        ListStep::First => select(panels, Entry::Dimensions, None),
        ListStep::Last => select(panels, Entry::Protuberances, None),
        ListStep::By(_) | ListStep::Page(_) => {
            let [list, _] = list_part(super::inside(panels, editor));
            move_selection(panels, editor, step.rows(list.height) as i32, 0);
        }
    }
}

/// Moves the selection into the fields of the selected entry, or back to the entry if `by` is negative.
pub(super) fn step_into(panels: &mut PanelsState, editor: &Editor, by: i32) {
    keep_position(panels, editor);
    move_selection(panels, editor, 0, by);
}

/// Turns the selected switch on, or off if `by` is negative.
pub(super) fn step_switch(panels: &PanelsState, editor: &mut Editor, by: i32) {
    if let Some((room, switch)) = switch(panels, editor) {
        set_switch(editor, room, switch, Some(by > 0));
    }
}

/// Adds, duplicates, removes or moves an entry in the list of the selected item.
pub(super) fn update(panels: &mut PanelsState, editor: &mut Editor, command: EntryCommand) {
    keep_position(panels, editor);
    match command {
        EntryCommand::Add => add(panels, editor),
        EntryCommand::Duplicate => duplicate(panels, editor),
        EntryCommand::Remove => remove(panels, editor),
        EntryCommand::Shift(by) => shift(panels, editor, by),
    }
}

/// Moves the selection from a field back to its entry. Returns whether a field was selected.
pub(super) fn back(panels: &mut PanelsState, editor: &Editor) -> bool {
    let was_inside = selected(panels, editor).1.is_some();
    keep_position(panels, editor);
    panels.rooms.detail = None;
    was_inside
}

fn move_selection(panels: &mut PanelsState, editor: &Editor, down: i32, right: i32) {
    let (item, detail) = selected(panels, editor);
    let outline = Outline::new(editor.document.design(), item);
    let lines = outline::details(item);
    let (item, detail) = match detail {
        None if right > 0 && lines > 0 => (item, Some(0)),
        None if down != 0 => (outline.moved(down), None),
        Some(_) if right < 0 => (item, None),
        Some(0) if down < 0 => (item, None),
        Some(line) if down > 0 && line + 1 == lines => (outline.moved(1), None),
        Some(line) => (item, Some(move_by(line, down, lines))),
        None => (item, None),
    };
    panels.rooms.item = item;
    panels.rooms.detail = detail;
}

/// Acts on the selected line: enters an entry, starts typing in a field, or toggles a switch. On the heading of a
/// list, shows how to add an entry.
pub(super) fn enter(panels: &mut PanelsState, editor: &mut Editor) {
    if let Some((room, index)) = switch(panels, editor) {
        set_switch(editor, room, index, None);
        return;
    }
    match selected(panels, editor) {
        (OutlineItem::List(list), _) => say_how_to_add(editor, list),
        (item, None) if outline::details(item) > 0 => panels.rooms.detail = Some(0),
        _ => {
            if let Some(target) = target(panels, editor) {
                typing::begin(panels, editor, target);
            }
        }
    }
}

/// Sets a switch of a room's style; `None` toggles it. Turning on a switch turns off the switch that it excludes.
fn set_switch(editor: &mut Editor, room: usize, index: usize, on: Option<bool>) {
    let (bit, name) = style::SWITCHES[index];
    let Some(before) = editor.document.design().layout.rooms.get(room).map(|room| room.style) else {
        return;
    };
    let on = on.unwrap_or(before & bit == 0);
    let other = wording::other_switch(bit).filter(|other| on && before & other != 0);
    let value = if on {
        before & !other.unwrap_or(0) | bit
    } else {
        before & !bit
    };
    if value == before {
        return;
    }
    let states = if on { "off → on" } else { "on → off" };
    let given_up = other.map_or_else(String::new, |other| format!(", {} off", wording::switch_name(other)));
    let label = Entry::Room(room).label();
    editor.edit(format!("{name} of {label}: {states}{given_up}"), |design| {
        if let Some(room) = design.layout.rooms.get_mut(room) {
            room.style = value;
        }
    });
}

/// Resets the switch under the cursor to its state in a new room; returns false if there is no switch.
pub(super) fn reset_switch(panels: &PanelsState, editor: &mut Editor) -> bool {
    let Some((room, index)) = switch(panels, editor) else {
        return false;
    };
    let on = Room::default().style & style::SWITCHES[index].0 != 0;
    set_switch(editor, room, index, Some(on));
    true
}

/// Returns the list of the selected item and the item's index in the list; warns if the item belongs to no list.
fn list(panels: &PanelsState, editor: &mut Editor) -> Option<(List, Option<usize>)> {
    let list = selected(panels, editor).0.list();
    if list.is_none() {
        editor.warn("this entry is not in a list; select a list or one of its entries");
    }
    list
}

/// Shows which key adds an entry to a list.
fn say_how_to_add(editor: &mut Editor, list: List) {
    let add = Action::Panel(PanelCommand::Entry(EntryCommand::Add));
    let key = editor.keymap.key_in(Context::Panel(Panel::Rooms), add);
    let what = match list {
        List::Open => "an open square".to_owned(),
        other => format!("a {}", other.singular()),
    };
    editor.done(format!("{key} adds {what} at the map's cursor"));
}

fn add(panels: &mut PanelsState, editor: &mut Editor) {
    let Some((list, index)) = list(panels, editor) else {
        return;
    };
    let at = editor.map.cursor();
    let ends_at_origin = matches!(list, List::Open | List::Walls | List::Columns | List::Crawlers);
    if at == Point::new(0, 0) && ends_at_origin {
        // In a rooms file, this square marks the end of the list.
        editor.warn("a rooms file cannot store an entry at row 0, column 0; move the map's cursor elsewhere");
        return;
    }
    let index = index.map_or_else(|| list.len(&editor.document.design().layout), |index| index + 1);
    let room = panels.inputs.new_room;
    let name = if list == List::Rooms {
        format!("room at {}/{}, {}/{} added", room.xdiv, room.div, room.ydiv, room.div)
    } else {
        format!("{} at {at} added", list.singular())
    };
    editor.edit(name, |design| {
        design.insert_entry(list, index, Some(at));
        if let (List::Rooms, Some(new)) = (list, design.layout.rooms.get_mut(index)) {
            *new = room;
        }
    });
    select(panels, list.entry(index), None);
}

fn duplicate(panels: &mut PanelsState, editor: &mut Editor) {
    let Some((list, Some(index))) = list(panels, editor) else {
        return;
    };
    let (from, to) = (list.entry(index), list.entry(index + 1));
    editor.edit(format!("{} duplicated", from.label()), |design| {
        design.insert_entry(list, index + 1, None);
        for &parameter in from.parameters() {
            if let Some(value) = design.get(from, parameter) {
                design.set(to, parameter, value);
            }
        }
        for &text in from.texts() {
            if let Some(value) = design.text(from, text).map(str::to_owned) {
                design.set_text(to, text, &value);
            }
        }
    });
    panels.rooms.item = OutlineItem::Entry(to);
}

fn remove(panels: &mut PanelsState, editor: &mut Editor) {
    let Some((list, Some(index))) = list(panels, editor) else {
        return;
    };
    panels.rooms.detail = None;
    let entry = list.entry(index);
    let name = format!("{} removed", entry.label());
    let mut invalid = BTreeSet::new();
    editor.edit(name.clone(), |design| invalid = design.remove_entries(&[entry].into()));
    if let Some(text) = wording::invalid_references(&invalid) {
        editor.warn(format!("{name} ({text})"));
    }
}

fn shift(panels: &mut PanelsState, editor: &mut Editor, by: i32) {
    let Some((list, Some(index))) = list(panels, editor) else {
        return;
    };
    let other = index.checked_add_signed(by as isize);
    let Some(other) = other.filter(|other| *other < list.len(&editor.document.design().layout)) else {
        let end = if by < 0 { "first" } else { "last" };
        editor.warn(format!("{} is the {end} of its list", list.entry(index).label()));
        return;
    };
    let way = if by < 0 { "up" } else { "down" };
    editor.edit(format!("{} moved {way}", list.entry(index).label()), |design| {
        design.swap_entries(list, index, other);
    });
    panels.rooms.item = OutlineItem::Entry(list.entry(other));
}

/// Selects the clicked line, and returns whether it was selected before.
pub(super) fn click(panels: &mut PanelsState, editor: &Editor, area: Rect, at: Position) -> bool {
    let before = selected(panels, editor);
    let (outline, visible) = visible(panels, editor, area);
    let Some(row) = visible.row_at(at) else { return false };
    panels.rooms.list.select(visible.selected, visible);
    let now = match outline.row(row) {
        OutlineRow::Item(item) => (item, None),
        OutlineRow::Detail(_, detail) => (before.0, Some(detail)),
    };
    (panels.rooms.item, panels.rooms.detail) = now;
    now == before
}

/// Returns the selected entry, even if one of its fields is selected; `None` on the heading of a list.
pub(super) fn entry(panels: &PanelsState, editor: &Editor) -> Option<Entry> {
    match selected(panels, editor).0 {
        OutlineItem::Entry(entry) => Some(entry),
        OutlineItem::List(_) => None,
    }
}
