//! The rows of the legend in each colour mode of the map, with the number of tiles for each row.
//!
//! Each row shows how many tiles belong to one category. [`super::scene`] determines the category of a square and
//! draws it; [`super::legend`] lists the rows.

use std::collections::BTreeMap;

use super::changes;
use super::wall_frequency;
use crate::design::feature::Class;
use crate::design::{Feature, PlacedVault};
use crate::engine::{Mark, Tile};
use crate::geometry::Point;
use crate::recording::{Frame, TileOrigins};
use crate::text::thousands;
use crate::tui::commands::ColourMode;
use crate::tui::editor::Editor;
use crate::tui::theme::Depth;
use crate::tui::viewport::{LegendCache, LegendEntry, LegendKey, LegendRow};
use crate::tui::wording;

/// Returns the number of parts into which a run is divided for the colours of age.
pub(super) const fn parts(depth: Depth) -> u8 {
    match depth {
        Depth::Sixteen => 5,
        Depth::None | Depth::Indexed | Depth::True => 10,
    }
}

/// Returns the index of the part that contains a turn, in a run divided into `parts` parts. Turns are counted from 1.
pub(super) const fn part_of(turn: u64, turns: u64, parts: u8) -> u8 {
    let turns = if turns == 0 { 1 } else { turns };
    let part = turn.saturating_sub(1) as u128 * parts as u128 / turns as u128;
    if part < parts as u128 { part as u8 } else { parts - 1 }
}

/// Returns the number of turns before a part.
pub(super) const fn turns_before(part: u8, turns: u64, parts: u8) -> u64 {
    (part as u128 * turns as u128).div_ceil(parts as u128) as u64
}

impl LegendKey {
    /// Returns the cache key of the current counts; `None` in the colour modes that need no cache.
    fn now(editor: &Editor) -> Option<Self> {
        let colours = changes::shown(editor);
        matches!(colours, ColourMode::Lineage | ColourMode::Changes).then(|| Self {
            colours,
            run: editor.time.run_number(),
            turn: editor.time.turn(),
            alternative: editor.map.alternative.as_ref().map(|shown| shown.alternative),
            read: editor.time.origins().map_or(0, TileOrigins::read),
        })
    }
}

/// Updates the cached rows before the screen is next drawn, if their cache key has changed.
pub(in crate::tui) fn update(editor: &mut Editor) {
    let now = LegendKey::now(editor);
    if editor.map.counted.as_ref().map(|counted| counted.of) != now {
        editor.map.counted = None;
        editor.map.counted = now.map(|of| LegendCache { of, rows: rows(editor) });
    }
}

/// Returns the legend rows of the map's colour mode with their numbers of tiles. Rows without tiles are left out,
/// except in the mode for changes.
pub(super) fn rows(editor: &Editor) -> Vec<LegendRow> {
    let now = LegendKey::now(editor);
    match &editor.map.counted {
        Some(counted) if Some(counted.of) == now => counted.rows.clone(),
        _ => count(editor),
    }
}

fn count(editor: &Editor) -> Vec<LegendRow> {
    let Some(frame) = editor.time.frame() else {
        return Vec::new();
    };
    let mut rows = match changes::shown(editor) {
        // In this mode, rows without tiles are also listed, so that the user can see that nothing appeared.
        ColourMode::Changes => return changes::rows(editor, frame),
        ColourMode::WallFrequency => wall_frequency::rows(editor),
        ColourMode::Generation | ColourMode::Digits => generations(frame),
        ColourMode::Age => ages(editor, frame),
        ColourMode::Lineage => lines(editor, frame),
        ColourMode::Kind => kinds(editor, frame),
    };
    rows.retain(|row| row.tiles > 0);
    rows
}

fn generations(frame: &Frame) -> Vec<LegendRow> {
    let tiles = frame.tiles();
    let last = usize::from(Mark::LAST);
    let alone = tiles.iter().take(last).enumerate();
    let mut rows: Vec<LegendRow> = alone
        .map(|(generation, tiles)| {
            LegendRow::new(
                LegendEntry::Generation(generation as u8),
                generation.to_string(),
                *tiles,
            )
        })
        .collect();
    // Generation `last` and all later ones share one mark, and so one row.
    let later = tiles.iter().skip(last).sum();
    rows.push(LegendRow::new(
        LegendEntry::Generation(Mark::LAST),
        format!("{last}+"),
        later,
    ));
    rows
}

fn ages(editor: &Editor, frame: &Frame) -> Vec<LegendRow> {
    let Some(origins) = editor.time.origins() else {
        return Vec::new();
    };
    let (now, turns, parts) = (editor.time.turn(), editor.time.turns(), parts(editor.theme.depth()));
    let until = |part: u8| turns_before(part, turns, parts).min(now);
    let row = |part: u8| {
        let name = format!("to {}", short(turns_before(part + 1, turns, parts)));
        let tiles = origins.laid_between(until(part), until(part + 1));
        LegendRow::new(LegendEntry::Age(part), name, tiles)
    };
    let mut rows: Vec<LegendRow> = (0..parts).map(row).collect();
    rows.push(unread(origins, frame, now));
    rows
}

/// Returns a number in at most six characters, shortened to thousands or millions.
fn short(number: u64) -> String {
    match number {
        0..10_000 => thousands(number),
        10_000..1_000_000 => format!("{}k", number / 1_000),
        _ => format!("{}.{}M", number / 1_000_000, number / 100_000 % 10),
    }
}

/// Returns the row that counts the tiles laid in turns whose events have not been read yet.
fn unread(origins: &TileOrigins, frame: &Frame, now: u64) -> LegendRow {
    let laid: u64 = frame.tiles().iter().sum();
    let read = origins.laid_between(0, now);
    LegendRow::new(LegendEntry::Unread, "being read", laid.saturating_sub(read))
}

fn lines(editor: &Editor, frame: &Frame) -> Vec<LegendRow> {
    let Some(origins) = editor.time.origins() else {
        return Vec::new();
    };
    // `tiles` is indexed by the id of a first Crawler, or of a Builder whose birth has not been read. First Crawlers
    // have the lowest ids, so `tiles` is short once all births have been read.
    let mut tiles: Vec<u64> = Vec::new();
    for (id, builder) in (0..).zip(frame.builders()).filter(|(_, builder)| builder.laid > 0) {
        let first = origins.first_of(crate::engine::BuilderId(id)).0 as usize;
        if tiles.len() <= first {
            tiles.resize(first + 1, 0);
        }
        tiles[first] += u64::from(builder.laid);
    }
    let mut rows: Vec<LegendRow> = Vec::new();
    let mut not_read = 0;
    for (first, tiles) in (0..).zip(tiles) {
        match frame.builders().get(first as usize) {
            Some(builder) if builder.birth.parent.is_none() => {
                let Point { x, y } = builder.birth.at;
                rows.push(LegendRow::new(LegendEntry::Line(first), format!("{x},{y}"), tiles));
            }
            // `first` has a parent, so its lineage has not been read completely.
            _ => not_read += tiles,
        }
    }
    rows.push(LegendRow::new(LegendEntry::Unread, "being read", not_read));
    rows
}

fn kinds(editor: &Editor, frame: &Frame) -> Vec<LegendRow> {
    let mut tiles = frame.kinds();
    let grid = frame.grid();
    let mut features: BTreeMap<&str, (Feature, u64)> = BTreeMap::new();
    let vaults = editor.time.run().map_or(&[][..], |run| run.design.placed());
    for (at, feature) in vaults.iter().flat_map(PlacedVault::features) {
        let tile = grid.tile(at);
        // A square whose tile no longer matches the feature of the vault is counted by the kind of its tile.
        if tile.is_open() == PlacedVault::is_wall(feature) {
            continue;
        }
        let of_kind = &mut tiles[tile as usize];
        *of_kind = of_kind.saturating_sub(1);
        if feature.class() == Class::Floor {
            continue;
        }
        let name = feature_name(feature);
        features.entry(name).or_insert((feature, 0)).1 += 1;
    }
    let kind = |tile: Tile| LegendRow::new(LegendEntry::Kind(tile), wording::tile_name(tile), tiles[tile as usize]);
    [Tile::Wall, Tile::HighWall, Tile::Column, Tile::Guaranteed]
        .map(kind)
        .into_iter()
        .chain(features.into_iter().map(|(name, (feature, tiles))| {
            LegendRow::new(LegendEntry::Feature(feature), name.replace('_', " "), tiles)
        }))
        .collect()
}

/// Returns the name of a vault's feature in the legend; all kinds of walls share one name, since they look the same.
pub(super) fn feature_name(feature: Feature) -> &'static str {
    match feature.class() {
        Class::Wall => "a vault's walls",
        _ => feature.name(),
    }
}

#[cfg(test)]
mod tests {
    use crate::tui::viewport::HiddenGenerations;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn modes_form_a_ring() {
        let mut mode = ColourMode::default();
        for expected in ColourMode::ALL.into_iter().cycle().take(11) {
            assert_eq!(mode, expected);
            assert_eq!(mode.next(1).next(-1), mode);
            mode = mode.next(1);
        }
    }

    #[test]
    fn hiding_is_reported() {
        let mut hidden = HiddenGenerations::default();
        assert_eq!(hidden.description(), None);
        hidden.toggle(3);
        assert_eq!(hidden.description().unwrap(), "generation 3 hidden");
        assert!(hidden.contains(3) && !hidden.contains(4));
        hidden.toggle(200);
        assert!(hidden.contains(Mark::LAST));
        assert_eq!(hidden.description().unwrap(), "2 generations hidden");
        hidden.toggle_alone(5);
        assert_eq!(hidden.description().unwrap(), "generation 5 only");
        assert!(!hidden.contains(5) && hidden.contains(3) && hidden.contains(Mark::LAST));
        hidden.toggle(7);
        assert_eq!(hidden.description().unwrap(), "2 generations only");
        hidden.toggle(7);
        hidden.toggle(5);
        assert_eq!(hidden.description().unwrap(), "every generation hidden");
        hidden.toggle(5);
        hidden.toggle_alone(5);
        assert_eq!(hidden, HiddenGenerations::NONE);
    }

    proptest! {
        #[test]
        fn every_turn_lies_in_the_part_that_counts_it(turns in 1..10_000_u64, turn in 1..10_000_u64, parts in 1..12_u8) {
            let turn = turn.min(turns);
            let part = part_of(turn, turns, parts);
            prop_assert!(part < parts);
            prop_assert!(turn > turns_before(part, turns, parts));
            prop_assert!(turn <= turns_before(part + 1, turns, parts));
            prop_assert_eq!(turns_before(parts, turns, parts), turns);
        }
    }
}
