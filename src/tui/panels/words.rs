//! Values in words: the meanings of the codes of the rooms file.

use crate::design::{CrawlerStart, Design, Entry, ORIENTATIONS, Place, SiteCode, SitePlace, sites, style};

/// Indices of fields in their records.
pub(super) mod index {
    /// lTC, the first of a room's eight sites.
    pub(in crate::tui::panels) const SITES: usize = 4;
    /// A room's style.
    pub(in crate::tui::panels) const STYLE: usize = 12;
    /// A room's delay.
    pub(in crate::tui::panels) const ROOM_DELAY: usize = 13;
    /// A Crawler's direction.
    pub(in crate::tui::panels) const DIRECTION: usize = 2;
    /// A Crawler's delay.
    pub(in crate::tui::panels) const CRAWLER_DELAY: usize = 3;
    /// A Crawler's termination.
    pub(in crate::tui::panels) const TERMINATION: usize = 4;
    /// A vault's seed.
    pub(in crate::tui::panels) const VAULT_SEED: usize = 5;
    /// A vault's orientation.
    pub(in crate::tui::panels) const ORIENTATION: usize = 6;
}

/// Returns the site of a room that a field stands for.
fn site(field: usize) -> Option<usize> {
    field
        .checked_sub(index::SITES)
        .filter(|site| *site <= sites::LEFT_CENTER)
}

/// Returns the codes that have a meaning in a field, in order; `None` if it is a plain number.
pub(super) fn codes(entry: Entry, field: usize) -> Option<Vec<i32>> {
    let infos = entry.fields();
    let range = infos.get(field)?.range();
    match entry {
        Entry::Room(_) => {
            let place = SitePlace::ALL[site(field)?];
            Some(range.filter(|code| place.meaning(*code).is_some()).collect())
        }
        Entry::Crawler(_) if field == index::DIRECTION => Some(
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

/// Returns the meaning of a field's value, if it is a code.
pub(in crate::tui) fn value(design: &Design, entry: Entry, field: usize) -> Option<String> {
    let value = design.get(entry, field)?;
    match (entry, field) {
        (Entry::Room(i), _) if site(field).is_some() => Some(match design.layout.rooms.get(i)?.site(site(field)?) {
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
            None => "no code".into(),
        }),
        (Entry::Room(_), index::STYLE) => Some(style_words(value)),
        (Entry::Room(_), index::ROOM_DELAY) | (Entry::Crawler(_), index::CRAWLER_DELAY) => Some(match value {
            0 => "at once".into(),
            10 => "random, 0 to 90".into(),
            _ => format!("{} iterations", i64::from(value) * 10),
        }),
        (Entry::Crawler(i), index::DIRECTION) => Some(headings(design.layout.crawlers.get(i)?)),
        (Entry::Crawler(_), index::TERMINATION) => Some(
            match value {
                1 => "open end",
                2 => "closed end",
                3 => "first of a pair",
                4 => "second of a pair",
                _ => "no code",
            }
            .into(),
        ),
        (Entry::Vault(_), index::VAULT_SEED) if value == 0 => Some("by chance".into()),
        (Entry::Vault(_), index::ORIENTATION) => {
            let known = usize::try_from(value).ok().and_then(|value| ORIENTATIONS.get(value));
            Some((*known.unwrap_or(&"no code")).to_owned())
        }
        _ => None,
    }
}

/// Names a change of a field or word: `CorridorWidth of generation 2: 4 → 3`, codes in words.
pub(in crate::tui) fn change_name(place: Place, before: &Design, after: &Design) -> String {
    let entry = place.entry;
    let part = place.field.unwrap_or_default();
    let infos = entry.fields();
    let name = infos.get(part).map_or_else(|| entry.key(part), |info| info.name);
    let side = |design: &Design| match part.checked_sub(infos.len()) {
        Some(word) => quoted(design.word(entry, word).unwrap_or_default()),
        None if codes(entry, part).is_some() => value(design, entry, part).unwrap_or_default(),
        None => design.get(entry, part).unwrap_or_default().to_string(),
    };
    format!("{name}{}: {} → {}", of(entry), side(before), side(after))
}

/// Names a field: `CorridorWidth of generation 2`, `maxCrawlers`.
pub(super) fn field_name(entry: Entry, field: usize) -> String {
    let name = entry.fields().get(field).map_or("", |info| info.name);
    format!("{name}{}", of(entry))
}

/// Returns the suffix for a field's name: ` of generation 2`; empty if the name is enough.
fn of(entry: Entry) -> String {
    match entry {
        Entry::Constants | Entry::Dimensions | Entry::Limits | Entry::Protuberances => String::new(),
        _ => format!(" of {}", entry.label()),
    }
}

/// Returns a text in quotation marks, or `none` if it is empty.
pub(super) fn quoted(text: &str) -> String {
    if text.is_empty() {
        "none".into()
    } else {
        format!("\"{text}\"")
    }
}

/// Describes a Crawler's heading and Direction: `South → SouthEast`.
pub(in crate::tui) fn headings(crawler: &CrawlerStart) -> String {
    match crawler.headings() {
        Some((forward, Some(direction))) => format!("{forward} → {direction}"),
        Some((forward, None)) => format!("{forward}, no Direction"),
        None => "no direction".into(),
    }
}

/// Returns the switch that excludes this one, if any: a room with both gets neither, or the normal size.
pub(super) fn other_switch(bit: i32) -> Option<i32> {
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

/// Returns a switch's name.
pub(super) fn switch_name(bit: i32) -> &'static str {
    let switch = style::SWITCHES.iter().find(|(switch, _)| *switch == bit);
    switch.map_or("", |(_, name)| name)
}

fn style_words(value: i32) -> String {
    let on = style::SWITCHES.iter().filter(|(switch, _)| value & switch != 0);
    let names: Vec<&str> = on.map(|(_, name)| *name).collect();
    if names.is_empty() {
        "no walls, nothing else".into()
    } else {
        names.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Room;
    use crate::design::fields;

    #[test]
    fn the_indices_are_those_of_the_field_table() {
        assert_eq!(fields::ROOM[index::SITES].info.name, "lTC");
        assert_eq!(fields::ROOM[index::STYLE].info.name, "style");
        assert_eq!(fields::ROOM[index::ROOM_DELAY].info.name, "delay");
        assert_eq!(fields::CRAWLER[index::DIRECTION].info.name, "direction");
        assert_eq!(fields::CRAWLER[index::CRAWLER_DELAY].info.name, "delay");
        assert_eq!(fields::CRAWLER[index::TERMINATION].info.name, "termination");
    }

    #[test]
    fn codes_are_told_in_words() {
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
        let room = |field| value(&design, Entry::Room(0), field).unwrap();
        assert_eq!(room(4), "open Crawler North → NorthWest");
        assert_eq!(room(5), "closed Crawler North");
        assert_eq!(room(6), "no code");
        assert_eq!(room(7), "door");
        assert_eq!(room(12), "walls, pyramid");
        assert_eq!(value(&design, Entry::Crawler(0), 2).unwrap(), "South, no Direction");
        assert_eq!(value(&design, Entry::Room(0), 0), None);
        assert_eq!(value(&design, Entry::Room(7), 4), None);
    }

    #[test]
    fn changes_are_named_with_both_values() {
        let mut before = Design::default();
        before.layout.rooms.push(Room::default());
        before.layout.vaults.push(crate::design::VaultEntry::default());
        let changed = |entry, field, value| {
            let mut after = before.clone();
            after.set(entry, field, value);
            change_name(Place::field(entry, field), &before, &after)
        };
        assert_eq!(
            changed(Entry::Generation(2), 1, 9),
            "CorridorWidth of generation 2: 3 → 9"
        );
        assert_eq!(changed(Entry::Constants, 0, 1), "maxCrawlers: 800 → 1");
        assert_eq!(
            changed(Entry::Room(0), 5, 2),
            "tC of room 1: door → closed Crawler North"
        );
        let mut after = before.clone();
        after.set_word(Entry::Vault(0), 0, "keep");
        let place = Place::field(Entry::Vault(0), Entry::Vault(0).fields().len());
        assert_eq!(change_name(place, &before, &after), "map of vault 1: none → \"keep\"");
    }

    #[test]
    fn corners_and_centers_have_codes_of_their_own() {
        assert_eq!(
            codes(Entry::Room(0), 4).unwrap(),
            [0, 1, 12, 13, 22, 23, 32, 33, 42, 43]
        );
        assert_eq!(codes(Entry::Room(0), 5).unwrap(), [0, 1, 2, 3]);
        assert_eq!(codes(Entry::Crawler(0), 2).unwrap().len(), 24);
        assert_eq!(codes(Entry::Room(0), 12), None);
        assert_eq!(codes(Entry::Constants, 0), None);
    }
}
