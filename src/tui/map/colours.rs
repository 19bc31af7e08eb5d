//! What the colours of the map tell: the modes, what a square is counted as in each, and how many there are.
//!
//! Pure: reads the dungeon of the moment and the origins of its tiles. [`super::scene`] finds out what a
//! square is counted as and draws it, [`super::legend`] lists the counts.

use std::collections::BTreeMap;

use super::changes::{self, SquareChange};
use super::wall_frequency;
use crate::design::feature::Class;
use crate::design::{Feature, PlacedVault};
use crate::engine::{Mark, Tile};
use crate::geometry::Point;
use crate::recording::{Frame, TileOrigins};
use crate::tui::app::App;
use crate::tui::screen::thousands;
use crate::tui::theme::Depth;
use crate::tui::views;

/// By what the map is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ColourMode {
    /// The generation that laid a tile.
    #[default]
    Generation,
    /// When it was laid.
    Age,
    /// The first Crawler from which its Builder descends.
    Lineage,
    /// What stands there.
    Kind,
    /// No colours: digits as the original prints them.
    Digits,
    /// What the last edit made appear and vanish. Not in the ring: it is come to by a key of its own.
    Changes,
    /// How often each square is wall over many seeds. Not in the ring either.
    Luck,
}

impl ColourMode {
    /// Those that are gone through, in their order.
    pub(super) const ALL: [Self; 5] = [Self::Generation, Self::Age, Self::Lineage, Self::Kind, Self::Digits];

    /// What the map is coloured by, in a word.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Generation => "generation",
            Self::Age => "age",
            Self::Lineage => "lineage",
            Self::Kind => "kind",
            Self::Digits => "digits",
            Self::Changes => "changes",
            Self::Luck => "luck",
        }
    }

    /// The next in their ring, or the one before.
    pub(super) fn next(self, by: i32) -> Self {
        let now = Self::ALL.iter().position(|mode| *mode == self).unwrap_or(0);
        Self::ALL[(now as i32 + by).rem_euclid(Self::ALL.len() as i32) as usize]
    }

    /// Whether it tells more than the dungeon of the moment does.
    pub(super) const fn needs_origins(self) -> bool {
        matches!(self, Self::Age | Self::Lineage)
    }
}

/// Generations that are not drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct HiddenGenerations(u128);

impl HiddenGenerations {
    /// All are drawn.
    pub(super) const NONE: Self = Self(0);

    /// Returns whether all are drawn.
    pub(super) const fn is_none(self) -> bool {
        self.0 == 0
    }

    const fn bit(generation: u8) -> u128 {
        // The marks of the grid end long before.
        1 << (if generation < Mark::LAST {
            generation
        } else {
            Mark::LAST
        })
    }

    /// Whether a generation is not drawn; those past the last mark are one.
    pub(super) const fn contains(self, generation: u8) -> bool {
        self.0 & Self::bit(generation) != 0
    }

    /// Hides a generation, or shows it again.
    pub(super) const fn toggle(&mut self, generation: u8) {
        self.0 ^= Self::bit(generation);
    }

    /// Hides all but one generation; all are shown again where they were hidden already.
    pub(super) const fn toggle_alone(&mut self, generation: u8) {
        let others = !Self::bit(generation);
        self.0 = if self.0 == others { 0 } else { others };
    }

    /// In a few words, as the map says it; nothing when all are drawn.
    pub(super) fn told(self) -> Option<String> {
        let one = |bits: u128| bits.trailing_zeros();
        match (self.0.count_ones(), self.0.count_zeros()) {
            (0, _) => None,
            (1, _) => Some(format!("generation {} hidden", one(self.0))),
            (_, 1) => Some(format!("generation {} alone", one(!self.0))),
            (hidden, _) => Some(format!("{hidden} generations hidden")),
        }
    }
}

/// What a square is counted as: it has one colour, and one line in the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LegendEntry {
    /// Laid by a generation.
    Generation(u8),
    /// Laid in one of so many equal parts of the run as [`parts`] says, counted from 0.
    Age(u8),
    /// Laid by a descendant of this first Crawler.
    Line(u32),
    /// Who laid it has not been read yet.
    Unread,
    /// Of this kind, whoever put it there.
    Kind(Tile),
    /// Put there by the design.
    Design(Tile),
    /// Of a vault.
    Feature(Feature),
    /// What the last edit did to it.
    Change(SquareChange),
    /// Left to chance, and a wall in so many tenths of the dungeons, from 0.
    Luck(u8),
}

/// Into how many parts a run is divided to tell ages.
pub(super) const fn parts(depth: Depth) -> u8 {
    match depth {
        Depth::Sixteen => 5,
        Depth::None | Depth::Indexed | Depth::True => 10,
    }
}

/// The part of a run in which a turn lies, turns counted from 1.
pub(super) const fn part_of(turn: u64, turns: u64, parts: u8) -> u8 {
    let turns = if turns == 0 { 1 } else { turns };
    let part = turn.saturating_sub(1) as u128 * parts as u128 / turns as u128;
    if part < parts as u128 { part as u8 } else { parts - 1 }
}

/// The last turn of the parts before one.
pub(super) const fn turns_before(part: u8, turns: u64, parts: u8) -> u64 {
    (part as u128 * turns as u128).div_ceil(parts as u128) as u64
}

/// A line of the legend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LegendRow {
    /// What it counts.
    pub entry: LegendEntry,
    /// What it is called.
    pub name: String,
    /// How many tiles.
    pub tiles: u64,
}

impl LegendRow {
    pub(super) fn new(entry: LegendEntry, name: impl Into<String>, tiles: u64) -> Self {
        let name = name.into();
        Self { entry, name, tiles }
    }

    /// The generation that it stands for, as marked in the grid.
    pub(super) const fn generation(&self) -> Option<u8> {
        match self.entry {
            LegendEntry::Generation(generation) => Some(generation),
            _ => None,
        }
    }
}

/// What was counted for the legend last: to count lines and changes means to look at every Builder or every square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LegendCache {
    of: LegendKey,
    rows: Vec<LegendRow>,
}

/// What a count depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LegendKey {
    colours: ColourMode,
    run: u64,
    turn: u64,
    /// Turns whose origins were read.
    read: u64,
}

impl LegendKey {
    /// What would be counted now, where that is worth keeping.
    fn now(app: &App) -> Option<Self> {
        let colours = changes::shown(app);
        matches!(colours, ColourMode::Lineage | ColourMode::Changes).then(|| Self {
            colours,
            run: app.time.run_number(),
            turn: app.time.turn(),
            read: app.time.origins().map_or(0, TileOrigins::read),
        })
    }
}

/// Counts for the frame that is drawn next, if anything has changed since the last.
pub(in crate::tui) fn keep(app: &mut App) {
    let now = LegendKey::now(app);
    if app.map.counted.as_ref().map(|counted| counted.of) != now {
        app.map.counted = None;
        app.map.counted = now.map(|of| LegendCache { of, rows: rows(app) });
    }
}

/// What the map shows in its mode, with how many tiles of each: what has none is left out.
pub(super) fn rows(app: &App) -> Vec<LegendRow> {
    let now = LegendKey::now(app);
    match &app.map.counted {
        Some(counted) if Some(counted.of) == now => counted.rows.clone(),
        _ => count(app),
    }
}

fn count(app: &App) -> Vec<LegendRow> {
    let Some(frame) = app.time.frame() else {
        return Vec::new();
    };
    let mut rows = match changes::shown(app) {
        // What there is none of is an answer, too.
        ColourMode::Changes => return changes::rows(app, frame),
        ColourMode::Luck => wall_frequency::rows(app),
        ColourMode::Generation | ColourMode::Digits => generations(frame),
        ColourMode::Age => ages(app, frame),
        ColourMode::Lineage => lines(app, frame),
        ColourMode::Kind => kinds(app, frame),
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
    // Later ones share a mark, and so a line.
    let later = tiles.iter().skip(last).sum();
    rows.push(LegendRow::new(
        LegendEntry::Generation(Mark::LAST),
        format!("{last}+"),
        later,
    ));
    rows
}

fn ages(app: &App, frame: &Frame) -> Vec<LegendRow> {
    let Some(origins) = app.time.origins() else {
        return Vec::new();
    };
    let (now, turns, parts) = (app.time.turn(), app.time.turns(), parts(app.theme.depth()));
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

/// A number in at most six characters, as near as it goes.
fn short(number: u64) -> String {
    match number {
        0..10_000 => thousands(number),
        10_000..1_000_000 => format!("{}k", number / 1_000),
        _ => format!("{}.{}M", number / 1_000_000, number / 100_000 % 10),
    }
}

/// The tiles that were laid in turns that have not been read yet.
fn unread(origins: &TileOrigins, frame: &Frame, now: u64) -> LegendRow {
    let laid: u64 = frame.tiles().iter().sum();
    let read = origins.laid_between(0, now);
    LegendRow::new(LegendEntry::Unread, "being read", laid.saturating_sub(read))
}

fn lines(app: &App, frame: &Frame) -> Vec<LegendRow> {
    let Some(origins) = app.time.origins() else {
        return Vec::new();
    };
    // The first Crawlers have the lowest numbers.
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
            // One of whose parents nothing has been read yet.
            _ => not_read += tiles,
        }
    }
    rows.push(LegendRow::new(LegendEntry::Unread, "being read", not_read));
    rows
}

fn kinds(app: &App, frame: &Frame) -> Vec<LegendRow> {
    let mut tiles = frame.kinds();
    let grid = frame.grid();
    let mut features: BTreeMap<&str, (Feature, u64)> = BTreeMap::new();
    let vaults = app.time.run().map_or(&[][..], |run| run.design.pieces());
    for (at, feature) in vaults.iter().flat_map(PlacedVault::features) {
        let tile = grid.tile(at);
        // A vault that has no place leaves the squares to others.
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
    let kind = |tile: Tile| LegendRow::new(LegendEntry::Kind(tile), views::tile_name(tile), tiles[tile as usize]);
    [Tile::Wall, Tile::HighWall, Tile::Column, Tile::Guaranteed]
        .map(kind)
        .into_iter()
        .chain(features.into_iter().map(|(name, (feature, tiles))| {
            LegendRow::new(LegendEntry::Feature(feature), name.replace('_', " "), tiles)
        }))
        .collect()
}

/// What a feature of a vault is called; walls of every sort look the same.
pub(super) fn feature_name(feature: Feature) -> &'static str {
    match feature.class() {
        Class::Wall => "a vault's walls",
        _ => feature.name(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn modes_are_a_ring() {
        let mut mode = ColourMode::default();
        for expected in ColourMode::ALL.into_iter().cycle().take(11) {
            assert_eq!(mode, expected);
            assert_eq!(mode.next(1).next(-1), mode);
            mode = mode.next(1);
        }
    }

    #[test]
    fn hiding_is_told() {
        let mut hidden = HiddenGenerations::default();
        assert_eq!(hidden.told(), None);
        hidden.toggle(3);
        assert_eq!(hidden.told().unwrap(), "generation 3 hidden");
        assert!(hidden.contains(3) && !hidden.contains(4));
        hidden.toggle(200);
        assert!(hidden.contains(Mark::LAST));
        assert_eq!(hidden.told().unwrap(), "2 generations hidden");
        hidden.toggle_alone(5);
        assert_eq!(hidden.told().unwrap(), "generation 5 alone");
        assert!(!hidden.contains(5) && hidden.contains(3) && hidden.contains(Mark::LAST));
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
