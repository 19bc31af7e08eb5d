//! The rooms panel: every entry of the rooms file, to edit, add, remove and reorder.
//!
//! The entries are listed in the order of the file under headings; the selected one shows its fields below it. Up and
//! down move between entries, right moves into the fields of one, and left out again.

mod lines;
mod outline;

use ratatui::layout::{Position, Rect};

pub(super) use lines::draw;

use self::outline::{Detail, Outline, OutlineItem, OutlineRow};
use super::field::{self, TypingTarget};
use super::{KEYS, PanelCommand, follow, move_by, words};
use crate::design::{Design, Entry, Field, List, OuterWall, Room, style};
use crate::geometry::Point;
use crate::tui::app::{Action, App, Effect, NoticeLevel};
use crate::tui::keys::Context;
use crate::tui::map::SquareMarks;
use crate::tui::tabs::Panel;
use crate::tui::tools;

/// The selection, and the first visible line of the list.
#[derive(Debug)]
pub(super) struct RoomsState {
    item: OutlineItem,
    /// The line below the item, while one of its fields is selected.
    detail: Option<usize>,
    top: usize,
}

impl Default for RoomsState {
    fn default() -> Self {
        Self {
            item: OutlineItem::Entry(Entry::Dimensions),
            detail: None,
            top: 0,
        }
    }
}

impl RoomsState {
    fn outline<'a>(&self, design: &'a Design) -> Outline<'a> {
        Outline::new(design, self.item)
    }
}

/// Returns the selection, moved to what exists.
fn selected(app: &App) -> (OutlineItem, Option<usize>) {
    let state = &app.panels.rooms;
    let item = state.outline(app.editor.document.design()).item;
    let lines = outline::details(item);
    // If another entry has replaced the selected one, none of its fields is selected.
    let detail = state.detail.filter(|_| item == state.item && lines > 0);
    (item, detail.map(|detail| detail.min(lines - 1)))
}

/// Returns the field under the cursor, if it is on one.
pub(super) fn target(app: &App) -> Option<TypingTarget> {
    match selected(app) {
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

/// Returns the room and the index of the switch under the cursor.
fn switch(app: &App) -> Option<(usize, usize)> {
    match selected(app) {
        (OutlineItem::Entry(Entry::Room(room)), Some(detail)) => match outline::detail(Entry::Room(room), detail)? {
            Detail::Switch(switch) => Some((room, switch)),
            Detail::Field(_) => None,
        },
        _ => None,
    }
}

/// Returns whether the cursor is on a switch.
pub(super) fn is_switch(app: &App) -> bool {
    switch(app).is_some()
}

/// Returns whether an entry of a list is selected.
pub(super) fn is_in_list(app: &App) -> bool {
    matches!(selected(app).0.list(), Some((_, Some(_))))
}

/// Selects an entry, or a field of it.
pub(super) fn select(app: &mut App, entry: Entry, field: Option<Field>) {
    app.panels.rooms.item = OutlineItem::Entry(entry);
    app.panels.rooms.detail = field
        .filter(|_| outline::details(OutlineItem::Entry(entry)) > 0)
        .and_then(|field| outline::detail_of(entry, field));
    keep_in_view(app);
}

/// Splits the panel into the list and the explanation of the selection, which stays at the bottom.
fn list_part(area: Rect) -> [Rect; 2] {
    field::part(area, usize::from(area.height))
}

/// Returns the area of the selection's explanation.
pub(super) fn about_part(area: Rect) -> Rect {
    list_part(area)[1]
}

/// Scrolls as little as needed to show the selected line.
pub(super) fn keep_in_view(app: &mut App) {
    let (item, detail) = selected(app);
    let [list, _] = list_part(super::inside(app));
    let outline = Outline::new(app.editor.document.design(), item);
    let line = outline.selected(detail);
    let mut top = app.panels.rooms.top;
    if detail.is_none() {
        // As many of its fields as fit are shown with the entry.
        let end = line + outline::details(item);
        top = follow(top, end, list.height.into(), outline.rows());
    }
    let top = follow(top, line, list.height.into(), outline.rows());
    app.panels.rooms = RoomsState { item, detail, top };
}

/// Carries out a command.
pub(super) fn update(app: &mut App, command: PanelCommand) -> Vec<Effect> {
    let effects = match command {
        PanelCommand::Select(down, right) => {
            move_selection(app, down, right);
            Vec::new()
        }
        PanelCommand::Page(down) => {
            let [list, _] = list_part(super::inside(app));
            move_selection(app, down * i32::from(list.height.max(2) - 1), 0);
            Vec::new()
        }
        PanelCommand::First => {
            app.panels.rooms = RoomsState::default();
            Vec::new()
        }
        PanelCommand::Last => {
            app.panels.rooms.item = OutlineItem::Entry(Entry::Protuberances);
            app.panels.rooms.detail = None;
            Vec::new()
        }
        PanelCommand::Edit => enter(app),
        PanelCommand::Step(by) => match switch(app) {
            Some((room, switch)) => set_switch(app, room, switch, Some(by > 0)),
            None => Vec::new(),
        },
        PanelCommand::Add => add(app),
        PanelCommand::Duplicate => duplicate(app),
        PanelCommand::Remove => remove(app),
        PanelCommand::Shift(by) => shift(app, by),
        _ => Vec::new(),
    };
    keep_in_view(app);
    effects
}

/// Moves the selection from the fields back to their entry, and returns whether it was in the fields.
pub(super) fn back(app: &mut App) -> bool {
    let was_inside = selected(app).1.is_some();
    app.panels.rooms.detail = None;
    keep_in_view(app);
    was_inside
}

fn move_selection(app: &mut App, down: i32, right: i32) {
    let (item, detail) = selected(app);
    let outline = Outline::new(app.editor.document.design(), item);
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
    app.panels.rooms.item = item;
    app.panels.rooms.detail = detail;
}

/// Enters an entry, starts typing a field or toggles a switch; on the heading of a list shows how to add to it.
fn enter(app: &mut App) -> Vec<Effect> {
    if let Some((room, index)) = switch(app) {
        return set_switch(app, room, index, None);
    }
    match selected(app) {
        (OutlineItem::List(list), _) => say_how_to_add(app, list),
        (item, None) if outline::details(item) > 0 => app.panels.rooms.detail = Some(0),
        _ => field::begin(app),
    }
    Vec::new()
}

/// Sets a switch of a room's style, or toggles it. Turning on one that excludes another turns the other off.
fn set_switch(app: &mut App, room: usize, index: usize, on: Option<bool>) -> Vec<Effect> {
    let (bit, name) = style::SWITCHES[index];
    let Some(before) = app
        .editor
        .document
        .design()
        .layout
        .rooms
        .get(room)
        .map(|room| room.style)
    else {
        return Vec::new();
    };
    let on = on.unwrap_or(before & bit == 0);
    let other = words::other_switch(bit).filter(|other| on && before & other != 0);
    let value = if on {
        before & !other.unwrap_or(0) | bit
    } else {
        before & !bit
    };
    if value == before {
        return Vec::new();
    }
    let states = if on { "off → on" } else { "on → off" };
    let given_up = other.map_or_else(String::new, |other| format!(", {} off", words::switch_name(other)));
    let label = Entry::Room(room).label();
    app.editor
        .edit(format!("{name} of {label}: {states}{given_up}"), |design| {
            if let Some(room) = design.layout.rooms.get_mut(room) {
                room.style = value;
            }
        })
}

/// Sets the switch under the cursor to its state in a new room; `None` if there is no switch.
pub(super) fn reset_switch(app: &mut App) -> Option<Vec<Effect>> {
    let (room, index) = switch(app)?;
    let on = Room::default().style & style::SWITCHES[index].0 != 0;
    Some(set_switch(app, room, index, Some(on)))
}

/// Returns the selected record, whichever of its lines is selected.
pub(super) fn record(app: &App) -> Option<Entry> {
    match selected(app).0 {
        OutlineItem::Entry(entry) => Some(entry),
        OutlineItem::List(_) => None,
    }
}

/// Returns the list of the selection and the index in it; shows a warning if it is in no list.
fn list(app: &mut App) -> Option<(List, Option<usize>)> {
    let list = selected(app).0.list();
    if list.is_none() {
        app.editor.say(
            NoticeLevel::Warning,
            "this record stands alone; choose a list or an entry of one",
        );
    }
    list
}

/// Shows which key adds an entry to a list.
fn say_how_to_add(app: &mut App, list: List) {
    let binding = KEYS.iter().find(|binding| {
        binding.context == Context::Panel(Panel::Rooms) && binding.action == Action::Panel(PanelCommand::Add)
    });
    let key = binding.and_then(|binding| app.editor.keymap.keys(binding).first());
    let key = key.map_or_else(|| "add".to_owned(), ToString::to_string);
    let what = match list {
        List::Open => "an open square".to_owned(),
        other => format!("a {}", other.singular()),
    };
    app.editor
        .say(NoticeLevel::Done, format!("{key} adds {what} at the map's cursor"));
}

fn add(app: &mut App) -> Vec<Effect> {
    let Some((list, index)) = list(app) else {
        return Vec::new();
    };
    let at = app.editor.map.cursor();
    if at == Point::new(0, 0) && list != List::Rooms {
        // In the files this square marks the end of the list.
        app.editor.say(
            NoticeLevel::Warning,
            "(0, 0) ends the list in a rooms file; move the map's cursor elsewhere",
        );
        return Vec::new();
    }
    let index = index.map_or_else(|| list.len(&app.editor.document.design().layout), |index| index + 1);
    // A room goes to the division nearest to the cursor.
    let size = app.editor.document.design().layout.size;
    let room = tools::placed(app.tools.next_room(), at, size, tools::RoomPlacing::Grid);
    let name = if list == List::Rooms {
        format!("room at {}/{}, {}/{} added", room.xdiv, room.div, room.ydiv, room.div)
    } else {
        format!("{} at {at} added", list.singular())
    };
    let effects = app.editor.edit(name, |design| {
        list.insert(&mut design.layout, index, Some(at));
        if let (List::Rooms, Some(new)) = (list, design.layout.rooms.get_mut(index)) {
            *new = room;
        }
    });
    select(app, list.entry(index), None);
    effects
}

fn duplicate(app: &mut App) -> Vec<Effect> {
    let Some((list, Some(index))) = list(app) else {
        return Vec::new();
    };
    let (from, to) = (list.entry(index), list.entry(index + 1));
    let effects = app.editor.edit(format!("{} duplicated", from.label()), |design| {
        list.insert(&mut design.layout, index + 1, None);
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
    app.panels.rooms.item = OutlineItem::Entry(to);
    effects
}

fn remove(app: &mut App) -> Vec<Effect> {
    let Some((list, Some(index))) = list(app) else {
        return Vec::new();
    };
    app.panels.rooms.detail = None;
    let name = format!("{} removed", list.entry(index).label());
    app.editor.edit(name, |design| list.remove(&mut design.layout, index))
}

fn shift(app: &mut App, by: i32) -> Vec<Effect> {
    let Some((list, Some(index))) = list(app) else {
        return Vec::new();
    };
    let other = index.checked_add_signed(by as isize);
    let Some(other) = other.filter(|other| *other < list.len(&app.editor.document.design().layout)) else {
        let end = if by < 0 { "first" } else { "last" };
        app.editor.say(
            NoticeLevel::Warning,
            format!("{} is the {end} of its list", list.entry(index).label()),
        );
        return Vec::new();
    };
    let way = if by < 0 { "up" } else { "down" };
    let effects = app
        .editor
        .edit(format!("{} moved {way}", list.entry(index).label()), |design| {
            list.swap(&mut design.layout, index, other);
        });
    app.panels.rooms.item = OutlineItem::Entry(list.entry(other));
    effects
}

/// Selects the clicked line, and returns whether it was selected before.
pub(super) fn click(app: &mut App, area: Rect, at: Position) -> bool {
    let [list, _] = list_part(area);
    let before = selected(app);
    let outline = Outline::new(app.editor.document.design(), before.0);
    let line = app.panels.rooms.top + usize::from(at.y.saturating_sub(list.y));
    if !list.contains(at) || line >= outline.rows() {
        return false;
    }
    let now = match outline.row(line) {
        OutlineRow::Item(item) => (item, None),
        OutlineRow::Detail(_, detail) => (before.0, Some(detail)),
    };
    app.panels.rooms.item = now.0;
    app.panels.rooms.detail = now.1;
    keep_in_view(app);
    now == before
}

/// Scrolls the list by lines; the selection stays.
pub(super) fn scroll(app: &mut App, lines: i32) {
    let [list, _] = list_part(super::inside(app));
    let rows = app.panels.rooms.outline(app.editor.document.design()).rows();
    let end = rows.saturating_sub(list.height.into());
    let top = app.panels.rooms.top.saturating_add_signed(lines as isize);
    app.panels.rooms.top = top.min(end);
}

/// Returns the squares of the selected entry, for the map.
pub(in crate::tui) fn marked(app: &App) -> SquareMarks {
    entry(app).map_or(SquareMarks::Nothing, |entry| {
        marked_entry(app.editor.document.design(), entry)
    })
}

/// Returns the selected entry.
pub(super) fn entry(app: &App) -> Option<Entry> {
    match selected(app).0 {
        OutlineItem::Entry(entry) => Some(entry),
        OutlineItem::List(_) => None,
    }
}

/// Returns the squares of an entry, for the map.
pub(in crate::tui) fn marked_entry(design: &Design, entry: Entry) -> SquareMarks {
    let layout = &design.layout;
    let square = |squares: &[Point], i: usize| {
        squares
            .get(i)
            .map_or(SquareMarks::Nothing, |at| SquareMarks::Square(*at))
    };
    match entry {
        Entry::Room(i) => layout
            .rooms
            .get(i)
            .and_then(|room| room.stands(layout.size))
            .map_or(SquareMarks::Nothing, |(center, reach)| SquareMarks::Ring(center, reach)),
        Entry::Open(i) => square(&layout.open, i),
        Entry::Wall(i) => square(&layout.walls, i),
        Entry::Column(i) => square(&layout.columns, i),
        Entry::Crawler(i) => layout
            .crawlers
            .get(i)
            .map_or(SquareMarks::Nothing, |crawler| SquareMarks::Square(crawler.at)),
        Entry::Vault(i) => layout
            .vaults
            .get(i)
            .filter(|vault| vault.div == 0)
            .map_or(SquareMarks::Nothing, |vault| SquareMarks::Square(vault.at)),
        _ => SquareMarks::Nothing,
    }
}
