//! Names of fields and of changes to them, and the meanings of parameters whose values are codes.

use std::collections::BTreeSet;

use crate::design::{
    CrawlerField, CrawlerStart, Design, Entry, Field, ORIENTATIONS, Parameter, Room, RoomField, SiteCode, SitePlace,
    VaultField, style,
};

/// Returns the codes that have a meaning for a parameter, ascending; `None` if every number in the parameter's range is
/// valid.
pub(in crate::tui) fn codes(parameter: Parameter) -> Option<Vec<i32>> {
    let range = parameter.info().range();
    match parameter {
        Parameter::RoomField(field) => {
            let place = SitePlace::ALL[field.site()?];
            Some(range.filter(|code| place.meaning(*code).is_some()).collect())
        }
        Parameter::CrawlerField(CrawlerField::Direction) => Some(
            range
                .filter(|direction| {
                    let start = CrawlerStart {
                        direction: *direction,
                        ..CrawlerStart::default()
                    };
                    start.headings().is_some()
                })
                .collect(),
        ),
        _ => None,
    }
}

/// Returns the meaning in words of a parameter's value; `None` if the value is a plain number.
pub(in crate::tui) fn meaning(design: &Design, entry: Entry, parameter: impl Into<Parameter>) -> Option<String> {
    let parameter = parameter.into();
    let value = design.get(entry, parameter)?;
    match (entry, parameter) {
        (Entry::Room(i), Parameter::RoomField(field)) => room_value(design.layout.rooms.get(i)?, field),
        (Entry::Crawler(i), Parameter::CrawlerField(field)) => match field {
            CrawlerField::Direction => Some(crawler_headings(design.layout.crawlers.get(i)?)),
            CrawlerField::Delay => Some(delay(value)),
            CrawlerField::Termination => Some(crawler_end(value).into()),
            CrawlerField::X | CrawlerField::Y => None,
        },
        (_, Parameter::VaultField(VaultField::Seed)) if value == 0 => Some("random".into()),
        (_, Parameter::VaultField(VaultField::Orientation)) => {
            let known = usize::try_from(value).ok().and_then(|value| ORIENTATIONS.get(value));
            Some((*known.unwrap_or(&"invalid code")).to_owned())
        }
        _ => None,
    }
}

fn room_value(room: &Room, field: RoomField) -> Option<String> {
    match field {
        RoomField::Style => return Some(style_words(room.style)),
        RoomField::Delay => return Some(delay(room.delay)),
        _ => {}
    }
    Some(match room.site(field.site()?) {
        Some(SiteCode::Nothing) => "nothing".into(),
        Some(SiteCode::Door) => "door".into(),
        Some(SiteCode::Crawler {
            forward,
            direction,
            open,
        }) => {
            let end = if open { "open" } else { "closed" };
            if forward.direction() == direction {
                format!("{end} Crawler {forward}")
            } else {
                format!("{end} Crawler {forward} → {direction}")
            }
        }
        None => "invalid code".into(),
    })
}

/// Describes a delay, whose unit is ten iterations.
fn delay(value: i32) -> String {
    match value {
        0 => "at once".into(),
        10 => "random, 0 to 90".into(),
        _ => format!("{} iterations", i64::from(value) * 10),
    }
}

/// Names a change to a field: `CorridorWidth of generation 2: 4 → 3`, with words in place of codes.
pub(in crate::tui) fn change_name(entry: Entry, field: Field, before: &Design, after: &Design) -> String {
    let [before, after] = [before, after].map(|design| field_value(design, entry, field));
    format!("{}: {before} → {after}", field_name(entry, field))
}

/// Formats the value of a field: in words if the field's parameter has [`codes`], otherwise as the text or the number.
pub(super) fn field_value(design: &Design, entry: Entry, field: Field) -> String {
    match field {
        Field::Text(text) => quoted(design.text(entry, text).unwrap_or_default()),
        Field::Number(parameter) if codes(parameter).is_some() => meaning(design, entry, parameter).unwrap_or_default(),
        Field::Number(parameter) => design.get(entry, parameter).unwrap_or_default().to_string(),
    }
}

/// Names a field: `CorridorWidth of generation 2`, `maxCrawlers`.
pub(in crate::tui) fn field_name(entry: Entry, field: Field) -> String {
    format!("{}{}", field.name(), of(entry))
}

/// Returns the suffix for a field's name: ` of generation 2`; empty if the field's name is unique in a design.
fn of(entry: Entry) -> String {
    match entry {
        Entry::Constants | Entry::Dimensions | Entry::Limits | Entry::Protuberances => String::new(),
        _ => format!(" of {}", entry.label()),
    }
}

/// Returns text in quotation marks, or `none` if it is empty.
pub(in crate::tui) fn quoted(text: &str) -> String {
    if text.is_empty() {
        "none".into()
    } else {
        format!("\"{text}\"")
    }
}

/// Describes a Crawler's heading and Direction: `South → SouthEast`.
pub(in crate::tui) fn crawler_headings(crawler: &CrawlerStart) -> String {
    match crawler.headings() {
        Some((forward, Some(direction))) => format!("{forward} → {direction}"),
        Some((forward, None)) => format!("{forward}, no Direction"),
        None => "invalid code".into(),
    }
}

/// Describes the termination of a first Crawler.
pub(in crate::tui) const fn crawler_end(termination: i32) -> &'static str {
    match termination {
        1 => "open end",
        2 => "closed end",
        3 => "first of a pair",
        4 => "second of a pair",
        _ => "invalid code",
    }
}

/// Returns the style switch that excludes this one, if any. If both switches are on, both are ignored. For example, if
/// both switches for the size of corner doors are on, corner doors have the normal size.
pub(in crate::tui) fn other_switch(bit: i32) -> Option<i32> {
    const PAIRS: [(i32, i32); 5] = [
        (style::LARGE_CORNER_DOORS, style::EXTRA_LARGE_CORNER_DOORS),
        (style::LARGE_CENTER_DOORS, style::EXTRA_LARGE_CENTER_DOORS),
        (style::COLUMNS_BEHIND_DOORS, style::COLUMNS_ALONG_DOORS),
        (style::CENTER_DECORATION_1, style::CENTER_DECORATION_2),
        (style::CORNER_DECORATION_1, style::CORNER_DECORATION_2),
    ];
    PAIRS.into_iter().find_map(|(a, b)| match bit {
        _ if bit == a => Some(b),
        _ if bit == b => Some(a),
        _ => None,
    })
}

/// Returns the name of a style switch.
pub(in crate::tui) fn switch_name(bit: i32) -> &'static str {
    let switch = style::SWITCHES.iter().find(|(switch, _)| *switch == bit);
    switch.map_or("", |(_, name)| name)
}

fn style_words(value: i32) -> String {
    let on = style::SWITCHES.iter().filter(|(switch, _)| value & switch != 0);
    let names: Vec<&str> = on.map(|(_, name)| *name).collect();
    if names.is_empty() {
        "nothing is built".into()
    } else {
        names.join(", ")
    }
}

/// Reports the places and expectations whose room or vault an edit has removed; `None` if there are none.
pub(in crate::tui) fn invalid_references(from: &BTreeSet<Entry>) -> Option<String> {
    let from: Vec<String> = from.iter().map(|entry| entry.label()).collect();
    let subject = match &from[..] {
        [] => return None,
        [one] => format!("{one} now names"),
        [one, two] => format!("{one} and {two} now name"),
        all => format!("{} places and expectations now name", all.len()),
    };
    Some(format!("{subject} a room or vault that does not exist: see Problems"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Constant, EntryText, Stat};

    #[test]
    fn codes_are_reported_in_words() {
        let mut design = Design::default();
        design.layout.rooms.push(Room {
            sites: [23, 2, 10, 1, 0, 0, 0, 0],
            style: 8193,
            ..Room::default()
        });
        design.layout.crawlers.push(CrawlerStart {
            direction: 52,
            ..CrawlerStart::default()
        });
        let room = |field: RoomField| meaning(&design, Entry::Room(0), field).unwrap();
        assert_eq!(room(RoomField::LeftTopCorner), "open Crawler North → NorthWest");
        assert_eq!(room(RoomField::TopCenter), "closed Crawler North");
        assert_eq!(room(RoomField::RightTopCorner), "invalid code");
        assert_eq!(room(RoomField::RightCenter), "door");
        assert_eq!(room(RoomField::Style), "walls, pyramid");
        let direction = meaning(&design, Entry::Crawler(0), CrawlerField::Direction);
        assert_eq!(direction.unwrap(), "South, no Direction");
        assert_eq!(meaning(&design, Entry::Room(0), RoomField::Div), None);
        assert_eq!(meaning(&design, Entry::Room(7), RoomField::LeftTopCorner), None);
    }

    #[test]
    fn changes_are_named_with_both_values() {
        let mut before = Design::default();
        before.layout.rooms.push(Room::default());
        before.layout.vaults.push(crate::design::VaultEntry::default());
        let changed = |entry, parameter: Parameter, value| {
            let mut after = before.clone();
            after.set(entry, parameter, value);
            change_name(entry, parameter.into(), &before, &after)
        };
        assert_eq!(
            changed(Entry::Generation(2), Stat::CorridorWidth.into(), 9),
            "CorridorWidth of generation 2: 3 → 9"
        );
        assert_eq!(
            changed(Entry::Constants, Constant::MaxCrawlers.into(), 1),
            "maxCrawlers: 800 → 1"
        );
        assert_eq!(
            changed(Entry::Room(0), RoomField::TopCenter.into(), 2),
            "tC of room 1: door → closed Crawler North"
        );
        let mut after = before.clone();
        after.set_text(Entry::Vault(0), EntryText::Map, "keep");
        assert_eq!(
            change_name(Entry::Vault(0), EntryText::Map.into(), &before, &after),
            "map of vault 1: none → \"keep\""
        );
    }

    #[test]
    fn corners_and_centers_have_codes_of_their_own() {
        assert_eq!(
            codes(RoomField::LeftTopCorner.into()).unwrap(),
            [0, 1, 12, 13, 22, 23, 32, 33, 42, 43]
        );
        assert_eq!(codes(RoomField::TopCenter.into()).unwrap(), [0, 1, 2, 3]);
        assert_eq!(codes(CrawlerField::Direction.into()).unwrap().len(), 24);
        assert_eq!(codes(RoomField::Style.into()), None);
        assert_eq!(codes(Constant::MaxCrawlers.into()), None);
    }
}
