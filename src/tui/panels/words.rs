//! Values in words: what a code of the rooms file stands for.

use crate::design::{CrawlerStart, Design, Entry, ORIENTATIONS, SiteCode, SitePlace, sites, style};

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

/// The site of a room that a field holds.
fn site(field: usize) -> Option<usize> {
    field
        .checked_sub(index::SITES)
        .filter(|site| *site <= sites::LEFT_CENTER)
}

/// The codes that have a meaning in a field, in order; `None` where it holds a number and no code.
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

/// What a field's value means, where it is a code.
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

/// A Crawler's heading and Direction: `South → SouthEast`.
pub(in crate::tui) fn headings(crawler: &CrawlerStart) -> String {
    match crawler.headings() {
        Some((forward, Some(direction))) => format!("{forward} → {direction}"),
        Some((forward, None)) => format!("{forward}, no Direction"),
        None => "no direction".into(),
    }
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
