//! Draws the Rooms panel: the visible lines of its list, and the explanation of the selected line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::outline::{self, Detail, OutlineItem, OutlineRow};
use super::{list_part, selected, visible};
use crate::design::{Design, Entry, List, OuterWall, RoomField, style};
use crate::engine::EffectAnalysis;
use crate::tui::editor::{Editor, Focus};
use crate::tui::panels::explanation;
use crate::tui::panels::line::{draw_text, heading};
use crate::tui::panels::{PanelsState, line};
use crate::tui::wording;

/// Minimum width of an entry's number, in columns.
const NUMBER_WIDTH: usize = 4;

/// Columns by which fields are indented below their entry.
const INDENT: u16 = 4;

/// Draws the list, and below it the explanation of the selected item.
pub(in crate::tui::panels) fn draw(panels: &PanelsState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    let [_, about] = list_part(area);
    let (item, detail) = selected(panels, editor);
    let (outline, visible) = visible(panels, editor, area);
    for (row, area) in visible.rows() {
        match outline.row(row) {
            OutlineRow::Item(shown) => draw_item(panels, editor, shown, shown == item, detail.is_none(), area, buf),
            OutlineRow::Detail(entry, n) => draw_detail(panels, editor, entry, n, detail == Some(n), area, buf),
        }
    }
    visible.draw_scrollbar(editor.theme, buf);
    draw_about(editor, item, detail, about, buf);
}

/// Draws an entry as one line, or the heading of a list.
fn draw_item(
    panels: &PanelsState,
    editor: &Editor,
    item: OutlineItem,
    selected: bool,
    at_cursor: bool,
    area: Rect,
    buf: &mut Buffer,
) {
    let theme = editor.theme;
    let design = editor.document.design();
    let entry = match item {
        OutlineItem::List(list) => {
            heading(editor, plural(list), list.len(&design.layout), selected, area, buf);
            return;
        }
        OutlineItem::Entry(Entry::Protuberances) => {
            let field = OuterWall::Protuberances.into();
            line::field(panels, editor, Entry::Protuberances, field, selected, 0, area, buf);
            return;
        }
        OutlineItem::Entry(entry) => entry,
    };
    let style = match (selected, at_cursor) {
        (true, true) => theme.selected(editor.focus == Focus::Panel),
        (true, false) => theme.accent(),
        (false, _) => theme.text(),
    };
    if let Some((list, Some(i))) = item.list() {
        let width = list.len(&design.layout).to_string().len().max(NUMBER_WIDTH);
        let number = format!("{:>width$}", i + 1);
        let column = width as u16 + 1;
        draw_text(&number, 0, column, area, theme.quiet(), buf);
        draw_text(&summary(design, entry), column, area.width, area, style, buf);
    } else {
        draw_text(&entry.label(), 0, area.width, area, style, buf);
        let column = 14;
        draw_text(&summary(design, entry), column, area.width, area, theme.text(), buf);
    }
}

/// Returns a list's heading.
const fn plural(list: List) -> &'static str {
    match list {
        List::Rooms => "Rooms",
        List::Open => "Open squares",
        List::Walls => "Wall tiles",
        List::Columns => "Columns",
        List::Crawlers => "First Crawlers",
        List::Vaults => "Vaults",
        List::Places => "Named places",
    }
}

/// Returns a summary of an entry in a few words.
fn summary(design: &Design, entry: Entry) -> String {
    let layout = &design.layout;
    let square = |at: Option<&crate::geometry::Point>| at.map_or_else(String::new, ToString::to_string);
    match entry {
        Entry::Dimensions => layout.size.to_string(),
        Entry::Room(i) => layout.rooms.get(i).map_or_else(String::new, |room| {
            let (x, y, div) = (room.xdiv, room.ydiv, room.div);
            format!("{x}/{div}, {y}/{div}  width {}", room.width)
        }),
        Entry::Open(i) => square(layout.open.get(i)),
        Entry::Wall(i) => square(layout.walls.get(i)),
        Entry::Column(i) => square(layout.columns.get(i)),
        Entry::Crawler(i) => layout.crawlers.get(i).map_or_else(String::new, |crawler| {
            format!("{:#}  {}", crawler.at, wording::crawler_headings(crawler))
        }),
        Entry::Vault(i) => layout.vaults.get(i).map_or_else(String::new, |vault| {
            let what = match (vault.map.as_str(), vault.tag.as_str()) {
                ("", "") => "nothing yet".to_owned(),
                ("", tag) => format!("any {tag}"),
                (map, _) => map.to_owned(),
            };
            let (x, y, div) = (vault.xdiv, vault.ydiv, vault.div);
            let at = if div == 0 {
                format!("{:#}", vault.at)
            } else {
                format!("{x}/{div}, {y}/{div}")
            };
            format!("{what}  {at}")
        }),
        Entry::NamedPlace(i) => layout.places.get(i).map_or_else(String::new, |place| {
            let name = if place.name.is_empty() {
                "no name yet"
            } else {
                &place.name
            };
            match (place.room, place.vault) {
                (0, 0) => format!("{name}  {:#}", place.at),
                (0, vault) => format!("{name}  vault {vault}"),
                (room, _) => format!("{name}  room {room}"),
            }
        }),
        _ => {
            let values = entry.parameters().iter().filter_map(|one| design.get(entry, *one));
            values.map(|value| value.to_string()).collect::<Vec<_>>().join(" · ")
        }
    }
}

fn draw_detail(
    panels: &PanelsState,
    editor: &Editor,
    entry: Entry,
    n: usize,
    selected: bool,
    area: Rect,
    buf: &mut Buffer,
) {
    let index = match outline::detail(entry, n) {
        Some(Detail::Field(field)) => {
            line::field(panels, editor, entry, field, selected, INDENT, area, buf);
            return;
        }
        Some(Detail::Switch(index)) => index,
        None => return,
    };
    let theme = editor.theme;
    let (bit, name) = style::SWITCHES[index];
    let value = editor.document.design().get(entry, RoomField::Style).unwrap_or(0);
    let on = value & bit != 0;
    let idle = match entry {
        Entry::Room(room) => EffectAnalysis::new(editor.document.design(), editor.options).of_switch(room, bit),
        _ => None,
    };
    let style = match (selected, on) {
        (true, _) => theme.selected(editor.focus == Focus::Panel),
        _ if idle.is_some() => theme.idle(),
        (false, true) => theme.text(),
        (false, false) => theme.quiet(),
    };
    let mark = if on { theme.accent() } else { theme.quiet() };
    // Switches that exclude each other are drawn as radio buttons.
    let sign = match (wording::other_switch(bit), on) {
        (None, true) => "■",
        (None, false) => "□",
        (Some(_), true) => "◉",
        (Some(_), false) => "○",
    };
    draw_text(sign, INDENT + 2, 1, area, mark, buf);
    let number_width = 6;
    draw_text(
        name,
        INDENT + 4,
        area.width.saturating_sub(INDENT + 4 + number_width),
        area,
        style,
        buf,
    );
    if let Some(x) = area.width.checked_sub(number_width) {
        draw_text(&format!("{bit:>5}"), x, number_width, area, theme.quiet(), buf);
    }
}

/// Draws the explanation of the selected item or detail.
fn draw_about(editor: &Editor, item: OutlineItem, detail: Option<usize>, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    match (item, detail) {
        (OutlineItem::Entry(entry @ Entry::Protuberances), _) => {
            explanation::about(editor, entry, OuterWall::Protuberances.into(), area, buf);
        }
        (OutlineItem::Entry(entry), Some(detail)) => match outline::detail(entry, detail) {
            None => {}
            Some(Detail::Field(field)) => explanation::about(editor, entry, field, area, buf),
            Some(Detail::Switch(index)) => {
                let (bit, name) = style::SWITCHES[index];
                let design = editor.document.design();
                let value = design.get(entry, RoomField::Style).unwrap_or(0);
                let mut lines = vec![Line::styled(name, theme.text())];
                let idle = match entry {
                    Entry::Room(room) => EffectAnalysis::new(design, editor.options).of_switch(room, bit),
                    _ => None,
                };
                if let Some(why) = idle {
                    lines.push(Line::styled(format!("no effect now: {why}"), theme.warning()));
                }
                if let Some(other) = wording::other_switch(bit) {
                    let other_name = wording::switch_name(other);
                    lines.push(if value & bit != 0 && value & other != 0 {
                        let both = format!("conflicts with {other_name}: neither has an effect");
                        Line::styled(both, theme.warning())
                    } else {
                        Line::styled(format!("excludes {other_name}"), theme.quiet())
                    });
                }
                let counted = format!("if on, adds {bit} to the style (currently {value})");
                lines.push(Line::styled(counted, theme.quiet()));
                explanation::explain(
                    editor,
                    &format!("style · {}", entry.label()),
                    if bit == style::WALLS {
                        "default on"
                    } else {
                        "default off"
                    },
                    lines,
                    area,
                    buf,
                );
            }
        },
        (OutlineItem::Entry(entry), None) => {
            explanation::explain(
                editor,
                &entry.label(),
                "",
                vec![Line::styled(description(entry), theme.quiet())],
                area,
                buf,
            );
        }
        (OutlineItem::List(list), None) => {
            let text = Line::styled(description(list.entry(0)), theme.quiet());
            explanation::explain(editor, plural(list), "", vec![text], area, buf);
        }
        (OutlineItem::List(_), Some(_)) => {}
    }
}

/// Returns a description of an entry.
const fn description(entry: Entry) -> &'static str {
    match entry {
        Entry::Dimensions => "rows and columns of the dungeon, including the outer wall",
        Entry::Limits => {
            "a list in a rooms file must be shorter than its limit; saving raises limits that are too small"
        }
        Entry::Room(_) => "a square room with walls, doors, Crawlers and a style; div, xdiv and ydiv place its centre",
        Entry::Open(_) => "a square on which no Builder ever builds",
        Entry::Wall(_) => "a wall square placed before the first Crawler moves",
        Entry::Column(_) => "a column placed before the first Crawler moves",
        Entry::Crawler(_) => "a Crawler of generation 0, placed before the growth begins",
        Entry::Vault(_) => "a hand-made map placed in the dungeon; only a TOML file stores it",
        Entry::NamedPlace(_) => {
            "a square with a name, for expectations, the map and exports; only a TOML file stores it"
        }
        Entry::Protuberances => "short stubs of wall along each of the four sides of the dungeon",
        Entry::Generation(_) | Entry::Constants | Entry::Expectation(_) => "",
    }
}
