//! Edits selected entries without moving the cursor: site codes, door widths, room widths, divisions and headings.
//!
//! If no room is selected, the commands for rooms change the template of the next room. While the Room tool is active,
//! the commands for the width and `div` change this template even if rooms are selected. While the Crawler tool is
//! active, the commands for first Crawlers change the template of the next one. Each change to the design is one undo
//! step. If stage one rejects a change, the reason is reported and the design stays unchanged.

use std::collections::BTreeSet;

use super::objects::{self, LayoutObject};
use super::plan::ToolPlan;
use super::rooms::{self, RoomPlacing};
use super::{DrawState, commit, preview, select};
use crate::design::{CrawlerField, CrawlerStart, Entry, Place, Room, RoomField, SitePlace};
use crate::text::counted;
use crate::tui::commands::Tool;
use crate::tui::editor::Editor;
use crate::tui::wording;

/// Replaces the values of entries in one undo step named `name`, and keeps the selection. If stage one rejects the
/// change, reports the reason and changes nothing.
fn rewrite(
    tools: &mut DrawState,
    editor: &mut Editor,
    new: Vec<(Entry, LayoutObject)>,
    place: Option<Place>,
    name: String,
) {
    let before = editor.document.design();
    let mut design = before.clone();
    let entries: BTreeSet<Entry> = new.iter().map(|(entry, _)| *entry).collect();
    for (entry, object) in new {
        if let Some((_, index)) = entry.list() {
            object.write(&mut design.layout, index);
        }
    }
    let selection = tools.selection.clone();
    let plan = ToolPlan {
        design,
        name,
        entries,
        new: false,
        note: None,
    };
    if let Some(why) = preview::rejection(tools, editor, &plan) {
        editor.fail(why);
        return;
    }
    commit(tools, editor, plan, place);
    select::keep(tools, editor, selection);
}

/// If the cursor is on a site of the selected room, steps the site's code by `by`. Otherwise, or while the Crawler tool
/// is active, toggles a termination between an open end and a closed end: see [`turn`].
pub(super) fn change(tools: &mut DrawState, editor: &mut Editor, by: i32) {
    let design = editor.document.design();
    if tools.tool != Tool::Crawler
        && let Some((index, site)) = select::site_at(tools, editor, editor.map.cursor())
        && let Some(mut room) = design.layout.rooms.get(index).copied()
    {
        room.sites[site] = rooms::next_code(site, room.sites[site], by);
        let entry = Entry::Room(index);
        let field = RoomField::SITES[site];
        let mut trial = design.clone();
        trial.set(entry, field, room.sites[site]);
        let meaning = wording::meaning(&trial, entry, field).unwrap_or_default();
        let name = format!("{} of {}: {meaning}", SitePlace::ALL[site], entry.label());
        let place = Place::field(entry, field);
        return rewrite(
            tools,
            editor,
            vec![(entry, LayoutObject::Room(room))],
            Some(place),
            name,
        );
    }
    let other = |start: CrawlerStart| CrawlerStart {
        termination: if start.termination == 1 { 2 } else { 1 },
        ..start
    };
    turn(tools, editor, CrawlerField::Termination, other);
}

/// Returns the selected rooms with their entries.
fn selected_rooms(tools: &DrawState, editor: &Editor) -> Vec<(Entry, Room)> {
    let rooms = &editor.document.design().layout.rooms;
    let room = |entry: &Entry| match entry {
        Entry::Room(i) => Some((*entry, *rooms.get(*i)?)),
        _ => None,
    };
    tools.selection.iter().filter_map(room).collect()
}

/// Describes entries: a single entry by its label, several by their number and kind.
fn description(entries: &[(Entry, LayoutObject)]) -> String {
    match entries {
        [(entry, _)] => entry.label(),
        [] => "nothing".into(),
        [(_, first), ..] => counted(entries.len(), first.list().singular()),
    }
}

/// Joins the distinct values of several entries: `5 and 8`. If there are more than three distinct values, lists the
/// first three and the number of the others: `5, 8, 3 and 2 more`.
fn joined(values: impl IntoIterator<Item = String>) -> String {
    let mut different: Vec<String> = Vec::new();
    for value in values {
        if !different.contains(&value) {
            different.push(value);
        }
    }
    if different.len() > 3 {
        let more = format!("{} more", different.len() - 3);
        different.truncate(3);
        different.push(more);
    }
    let last = different.pop().unwrap_or_default();
    if different.is_empty() {
        last
    } else {
        format!("{} and {last}", different.join(", "))
    }
}

/// Changes the doors of the selected rooms from normal to large, from large to extra large, or from extra large to
/// normal. If no room is selected, changes the doors of the next room's template. Changes the corner doors if the
/// cursor is on a corner site, otherwise the center doors.
pub(super) fn doors(tools: &mut DrawState, editor: &mut Editor) {
    let cursor = select::site_at(tools, editor, editor.map.cursor());
    let corner = cursor.is_some_and(|(_, site)| matches!(SitePlace::ALL[site], SitePlace::Corner(..)));
    let which = if corner { "corner" } else { "center" };
    let rooms = selected_rooms(tools, editor);
    if rooms.is_empty() {
        let (style, doors) = rooms::next_doors(tools.room.style, corner);
        tools.room.style = style;
        editor.done(format!("{which} doors of new rooms: {doors}"));
        return;
    }
    let mut doors = Vec::new();
    let new: Vec<_> = rooms
        .into_iter()
        .map(|(entry, mut room)| {
            let size;
            (room.style, size) = rooms::next_doors(room.style, corner);
            doors.push(size.to_owned());
            (entry, LayoutObject::Room(room))
        })
        .collect();
    let name = format!("{which} doors of {}: {}", description(&new), joined(doors));
    rewrite(tools, editor, new, None, name);
}

/// Applies `change`, which changes the field `field`, to the selected first Crawlers or, while the Crawler tool is
/// active, to the template of the next Crawler.
pub(super) fn turn(
    tools: &mut DrawState,
    editor: &mut Editor,
    field: CrawlerField,
    change: impl Fn(CrawlerStart) -> CrawlerStart,
) {
    if tools.tool == Tool::Crawler {
        tools.crawler = change(tools.crawler);
        return;
    }
    let starts = &editor.document.design().layout.crawlers;
    let turned = tools.selection.iter().filter_map(|entry| match entry {
        Entry::Crawler(i) => Some((*entry, change(*starts.get(*i)?))),
        _ => None,
    });
    let (entries, turned): (Vec<Entry>, Vec<CrawlerStart>) = turned.unzip();
    let Some(entry) = entries.first() else {
        editor.warn("select one of the first Crawlers, or a room and one of the eight sites on its wall");
        return;
    };
    let place = (entries.len() == 1).then(|| Place::field(*entry, field));
    let headings = joined(turned.iter().map(wording::crawler_headings));
    let ends = joined(
        turned
            .iter()
            .map(|start| wording::crawler_end(start.termination).to_owned()),
    );
    let new: Vec<_> = entries
        .into_iter()
        .zip(turned.into_iter().map(LayoutObject::Crawler))
        .collect();
    let name = format!("{}: {headings}, {ends}", description(&new));
    rewrite(tools, editor, new, place, name);
}

/// Changes the width of the selected rooms by `by`, or that of the next room if the Room tool is active or no room is
/// selected. Clamps the width to the widths that the dungeon allows.
pub(super) fn widen(tools: &mut DrawState, editor: &mut Editor, by: i32) {
    let design = editor.document.design();
    let least = design.constants.smallest_room_width.max(0);
    let most = ((design.layout.size.x.min(design.layout.size.y) - 3) / 2).max(least);
    let wider = |room: Room| Room {
        width: (room.width.clamp(least, most) + by).clamp(least, most),
        ..room
    };
    let rooms = selected_rooms(tools, editor);
    if tools.tool == Tool::Room || rooms.is_empty() {
        tools.room = wider(tools.room);
        return;
    }
    let width = joined(rooms.iter().map(|(_, room)| wider(*room).width.to_string()));
    let place = (rooms.len() == 1).then(|| Place::field(rooms[0].0, RoomField::Width));
    let new: Vec<_> = rooms
        .into_iter()
        .map(|(entry, room)| (entry, LayoutObject::Room(wider(room))))
        .collect();
    let name = format!("width of {}: {width}", description(&new));
    rewrite(tools, editor, new, place, name);
}

/// Changes the `div` of the selected rooms by `by`, or that of the next room if the Room tool is active or no room is
/// selected. Selected rooms move to the nearest division of their new grid.
pub(super) fn divide(tools: &mut DrawState, editor: &mut Editor, by: i32) {
    let range = RoomField::Div.info().range();
    let other = |room: Room| Room {
        div: room.div.saturating_add(by).clamp((*range.start()).max(2), *range.end()),
        ..room
    };
    let rooms = selected_rooms(tools, editor);
    if tools.tool == Tool::Room || rooms.is_empty() {
        tools.room = other(tools.room);
        return;
    }
    let layout = &editor.document.design().layout;
    let divs: Vec<String> = rooms.iter().map(|(_, room)| other(*room).div.to_string()).collect();
    let new: Vec<_> = rooms
        .into_iter()
        .map(|(entry, room)| {
            let at = objects::position_of(layout, &[], entry).unwrap_or_default();
            (
                entry,
                LayoutObject::Room(rooms::placed(other(room), at, layout.size, RoomPlacing::Grid)),
            )
        })
        .collect();
    let place = (new.len() == 1).then(|| Place::field(new[0].0, RoomField::Div));
    let name = match &new[..] {
        [(entry, object)] => format!("{} {}", entry.label(), object.place()),
        all => format!("div of {}: {}", description(all), joined(divs)),
    };
    rewrite(tools, editor, new, place, name);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_values_are_listed_once() {
        let list = |values: &[i32]| joined(values.iter().map(i32::to_string));
        assert_eq!(list(&[5, 5]), "5");
        assert_eq!(list(&[5, 8, 5]), "5 and 8");
        assert_eq!(list(&[5, 8, 3]), "5, 8 and 3");
        assert_eq!(list(&[5, 8, 3, 4, 4, 6]), "5, 8, 3 and 2 more");
    }

    #[test]
    fn the_thousands_of_edited_entries_are_grouped() {
        let crawler = |index| (Entry::Crawler(index), LayoutObject::Crawler(CrawlerStart::default()));
        let all: Vec<_> = (0..1_200).map(crawler).collect();
        assert_eq!(description(&all), "1,200 Crawlers");
        assert_eq!(description(&all[..1]), Entry::Crawler(0).label());
    }
}
