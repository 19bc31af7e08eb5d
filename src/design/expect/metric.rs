//! The figures that expressions may name.

use serde::{Deserialize, Serialize};

use crate::design::Entry;

/// A figure that has one value for a dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DungeonMetric {
    /// A way leads from the entrance to the exit.
    Reachable,
    /// Steps of the shortest way.
    Path,
    /// How much longer that is than any way must be.
    Detour,
    /// Squares that can be walked to.
    Squares,
    /// The share of the inside that is no open square.
    Fill,
    /// Enclosed areas.
    Enclosed,
    /// Squares in enclosed areas.
    EnclosedSquares,
    /// Dead ends.
    DeadEnds,
    /// The share of squares that lie off every way to the exit.
    Blind,
    /// Junctions.
    Junctions,
    /// Ways round.
    Loops,
    /// Islands too small for a way round.
    Pillars,
    /// Median width.
    Width,
    /// Tiles that Builders laid.
    Tiles,
    /// Generations that laid any.
    Generations,
    /// The largest share of a generation.
    Dominant,
    /// The share of the outer wall with a corridor along it.
    OuterWall,
    /// The longest of these.
    OuterCorridor,
    /// Rooms and vaults that cannot be reached.
    Unreached,
    /// Rooms and vaults that one line can cut off.
    Severable,
    /// Builders born.
    Builders,
    /// Builders not born.
    Unborn,
    /// Iterations that growth took.
    Iterations,
}

/// A room or a vault, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AreaIndex {
    /// One of the design's rooms.
    Room(usize),
    /// One of the design's vaults.
    Vault(usize),
}

impl AreaIndex {
    /// `room 2`: what a person calls it, counted from 1.
    pub fn label(self) -> String {
        match self {
            Self::Room(index) => Entry::Room(index).label(),
            Self::Vault(index) => Entry::Vault(index).label(),
        }
    }
}

/// What may be true of a room or vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AreaPredicate {
    /// At least one of the shortest ways goes through it.
    Crosses,
    /// No way avoids it.
    Needs,
    /// One line can cut it off.
    Severs,
}

/// A figure of a dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// One of the table.
    Plain(DungeonMetric),
    /// The share of the laid tiles that a generation laid.
    Generation(u32),
    /// The share of the squares whose passage has a width in a range, both ends included.
    Widths(u32, u32),
    /// What is true of a room or vault.
    Area(AreaPredicate, AreaIndex),
}

/// A figure's name and meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetricInfo {
    /// The figure.
    pub figure: DungeonMetric,
    /// Its name in expressions and tables.
    pub name: &'static str,
    /// What it counts: `squares`; empty for shares and truths.
    pub unit: &'static str,
    /// Whether it is true or false.
    pub is_truth: bool,
    /// What it means, in a sentence without a full stop.
    pub meaning: &'static str,
}

macro_rules! figures {
    ($($figure:ident $name:literal $unit:literal $meaning:literal;)*) => {
        &[$(MetricInfo {
            figure: DungeonMetric::$figure,
            name: $name,
            unit: $unit,
            is_truth: matches!(DungeonMetric::$figure, DungeonMetric::Reachable),
            meaning: $meaning,
        }),*]
    };
}

/// Every figure that has one value for a dungeon, in the order in which tables tell them.
pub static FIGURES: &[MetricInfo] = figures![
    Reachable "reachable" "" "whether a way leads from the entrance to the exit, in steps to the four neighbours";
    Path "path" "steps" "the shortest way from the entrance to the exit";
    Detour "detour" "" "path divided by the steps from the entrance to the exit with no wall between";
    Squares "squares" "squares" "open squares that can be walked to from the entrance: where objects may be placed";
    Fill "fill" "" "share of the squares inside the outer wall that are not open";
    Enclosed "enclosed" "areas" "parts that cannot be walked to from the largest one; those inside of a vault do not count";
    EnclosedSquares "enclosed-squares" "squares" "squares of these parts";
    DeadEnds "dead-ends" "ends" "parts that one enters and leaves across one line from wall to wall, without the exit; the innermost count";
    Blind "blind" "" "share of the squares that lie in such parts, off every way to the exit";
    Junctions "junctions" "places" "places from which three ways or more lead away";
    Loops "loops" "islands" "walls to walk round: islands longer than 5 squares";
    Pillars "pillars" "islands" "columns and other islands of at most 5 × 5 squares";
    Width "width" "squares" "median width of the passages, over their squares";
    Tiles "tiles" "tiles" "wall tiles and columns that Builders laid";
    Generations "generations" "" "generations that laid any";
    Dominant "dominant" "" "largest share of these tiles that one generation laid";
    OuterWall "outer-wall" "" "share of the outer wall with a straight corridor of 10 squares or more along it";
    OuterCorridor "outer-corridor" "squares" "the longest straight corridor along the outer wall";
    Unreached "unreached" "areas" "rooms and vaults of which no square can be walked to";
    Severable "severable" "areas" "rooms and vaults off the way that closing one line across a passage cuts off";
    Builders "builders" "" "Builders born, the first Crawlers among them";
    Unborn "unborn" "" "babies that were not born, as maxCrawlers lived already";
    Iterations "iterations" "" "iterations until the last Builder died";
];

impl DungeonMetric {
    /// Its name and meaning.
    pub fn info(self) -> &'static MetricInfo {
        // The table is in the order of the kinds; a test holds it.
        &FIGURES[self as usize]
    }
}

impl Metric {
    /// Whether it is true or false rather than a number.
    pub fn is_truth(self) -> bool {
        match self {
            Self::Plain(plain) => plain.info().is_truth,
            Self::Area(..) => true,
            Self::Generation(_) | Self::Widths(..) => false,
        }
    }
}

impl std::fmt::Display for Metric {
    /// As it is written in an expression.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Plain(plain) => f.write_str(plain.info().name),
            Self::Generation(generation) => write!(f, "share(generation {generation})"),
            Self::Widths(least, most) if least == most => write!(f, "share(width {least})"),
            Self::Widths(least, u32::MAX) => write!(f, "share(width {least}..)"),
            Self::Widths(least, most) => write!(f, "share(width {least}..{most})"),
            Self::Area(says, area) => {
                let verb = match says {
                    AreaPredicate::Crosses => "crosses",
                    AreaPredicate::Needs => "needs",
                    AreaPredicate::Severs => "severs",
                };
                write!(f, "{verb} {}", area.label())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_its_names_are_different() {
        for (i, info) in FIGURES.iter().enumerate() {
            assert_eq!(info.figure as usize, i, "{}", info.name);
            assert_eq!(info.figure.info(), info);
            assert!(
                FIGURES[..i].iter().all(|other| other.name != info.name),
                "{}",
                info.name
            );
        }
        assert_eq!(FIGURES.last().map(|info| info.figure), Some(DungeonMetric::Iterations));
    }
}
