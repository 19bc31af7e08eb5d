//! The metrics that expressions can name.

use serde::{Deserialize, Serialize};

use super::PlaceName;
use crate::design::Entry;

/// A metric with one value per dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DungeonMetric {
    /// Whether a path leads from the entrance to the exit.
    Reachable,
    /// Number of steps of the shortest path from the entrance to the exit.
    Path,
    /// Length of the shortest path, divided by the length that it would have if there were no walls.
    Detour,
    /// Number of squares reachable from the entrance.
    Squares,
    /// Share of the squares inside the outer wall that are not open.
    Fill,
    /// Number of enclosed areas, which are not connected to the largest area.
    Enclosed,
    /// Number of squares in enclosed areas.
    EnclosedSquares,
    /// Number of dead ends.
    DeadEnds,
    /// Share of the squares that are on no path to the exit.
    Blind,
    /// Number of junctions, from which three or more passages lead away.
    Junctions,
    /// Number of loops: islands of walls larger than 5 × 5 squares, which can be walked around.
    Loops,
    /// Number of pillars: islands of at most 5 × 5 squares.
    Pillars,
    /// Median width of the passages, in squares.
    Width,
    /// Number of tiles that Builders laid.
    Tiles,
    /// Number of generations that laid tiles.
    Generations,
    /// The most productive generation's share of the laid tiles.
    Dominant,
    /// Share of the outer wall along which a corridor runs.
    OuterWall,
    /// Length of the longest straight corridor along the outer wall, in squares.
    OuterCorridor,
    /// Number of rooms and vaults that cannot be reached.
    Unreached,
    /// Number of rooms and vaults that become unreachable if one cross-section of a passage is blocked, while
    /// the exit stays reachable.
    Severable,
    /// Number of Builders born.
    Builders,
    /// Number of babies that were not born because the limit maxCrawlers was reached.
    Unborn,
    /// Number of iterations until the last Builder died.
    Iterations,
    /// Median number of squares that are visible from a square.
    VisibleArea,
    /// Share of the squares that are not visible from the shortest path.
    Unseen,
    /// Mean visual integration.
    Integration,
    /// Correlation between the visible area of a square and its visual integration.
    Intelligibility,
    /// Number of squares whose removal would disconnect other reachable squares from each other.
    ChokePoints,
    /// Median number of steps until an explorer sees the exit.
    Found,
    /// Median share of the squares that an explorer has seen when it sees the exit.
    Explored,
}

/// The index of a room or a vault, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AreaIndex {
    /// One of the design's rooms.
    Room(usize),
    /// One of the design's vaults.
    Vault(usize),
}

impl AreaIndex {
    /// Returns the name shown to the user, with the number counted from 1: `room 2`.
    pub fn label(self) -> String {
        match self {
            Self::Room(index) => Entry::Room(index).label(),
            Self::Vault(index) => Entry::Vault(index).label(),
        }
    }
}

/// A statement about a room or vault that is true or false in a dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AreaPredicate {
    /// At least one of the shortest paths from the entrance to the exit goes through the area.
    Crosses,
    /// Every path from the entrance to the exit goes through the area.
    Needs,
    /// Blocking one cross-section of a passage makes the area unreachable, although the exit stays reachable.
    Severs,
}

/// A metric of a dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// A metric from one of the tables [`METRICS`] and [`SIGHT_METRICS`].
    Plain(DungeonMetric),
    /// Share of the laid tiles that a generation laid.
    Generation(u32),
    /// Share of the squares whose passage width is in a range, both ends included.
    Widths(u32, u32),
    /// Whether a predicate is true for a room or vault.
    Area(AreaPredicate, AreaIndex),
    /// Whether a place with this name can be reached from the entrance.
    Reaches(PlaceName),
    /// Number of steps from the entrance to the nearest place with this name.
    PathTo(PlaceName),
}

/// The name and meaning of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetricInfo {
    /// The described metric.
    pub metric: DungeonMetric,
    /// Name in expressions and tables.
    pub name: &'static str,
    /// Unit, such as `squares`; empty for metrics without one, such as shares.
    pub unit: &'static str,
    /// Whether the metric is a boolean.
    pub is_truth: bool,
    /// Whether the metric is a whole number.
    pub is_whole: bool,
    /// Meaning, without a full stop.
    pub meaning: &'static str,
}

macro_rules! metrics {
    ($($metric:ident $name:literal $unit:literal $meaning:literal;)*) => {
        &[$(MetricInfo {
            metric: DungeonMetric::$metric,
            name: $name,
            unit: $unit,
            is_truth: matches!(DungeonMetric::$metric, DungeonMetric::Reachable),
            is_whole: !matches!(
                DungeonMetric::$metric,
                DungeonMetric::Reachable
                    | DungeonMetric::Detour
                    | DungeonMetric::Fill
                    | DungeonMetric::Blind
                    | DungeonMetric::Dominant
                    | DungeonMetric::OuterWall
                    | DungeonMetric::Unseen
                    | DungeonMetric::Integration
                    | DungeonMetric::Intelligibility
                    | DungeonMetric::Explored
            ),
            meaning: $meaning,
        }),*]
    };
}

/// The metrics that are computed for every dungeon, in table order.
pub static METRICS: &[MetricInfo] = metrics![
    Reachable "reachable" "" "whether a path leads from the entrance to the exit; steps go up, down, left and right";
    Path "path" "steps" "length of the shortest path from the entrance to the exit";
    Detour "detour" "" "path, divided by the number of steps that would be needed without walls";
    Squares "squares" "squares" "squares reachable from the entrance";
    Fill "fill" "" "share of the squares inside the outer wall that are not open";
    Enclosed "enclosed" "areas" "areas that are not connected to the largest one; those inside vaults do not count";
    EnclosedSquares "enclosed-squares" "squares" "squares in enclosed areas";
    DeadEnds "dead-ends" "ends" "parts of the dungeon that can be cut off from both entrance and exit by blocking one cross-section of a passage; if a part lies inside another, only the inner part counts";
    Blind "blind" "" "share of the squares that lie in dead ends or lead only to dead ends; from there, you must turn back to reach the exit";
    Junctions "junctions" "places" "places from which three or more passages lead away";
    Loops "loops" "islands" "islands (walls that can be walked around) that do not fit into 5 × 5 squares";
    Pillars "pillars" "islands" "columns and other islands of at most 5 × 5 squares";
    Width "width" "squares" "median width of the passages, over all reachable squares";
    Tiles "tiles" "tiles" "wall tiles and columns that Crawlers and Jumpers laid";
    Generations "generations" "" "generations that laid wall tiles or columns";
    Dominant "dominant" "" "the most productive generation's share of the wall tiles and columns laid";
    OuterWall "outer-wall" "" "share of the outer wall with a straight corridor of 10 squares or more along it";
    OuterCorridor "outer-corridor" "squares" "the longest straight corridor along the outer wall";
    Unreached "unreached" "areas" "rooms and vaults without a reachable square";
    Severable "severable" "areas" "rooms and vaults that become unreachable if one cross-section of a passage is blocked, while the exit stays reachable";
    Builders "builders" "" "Builders (Crawlers and Jumpers) born, including the first Crawlers";
    Unborn "unborn" "" "babies not born because the limit maxCrawlers was reached";
    Iterations "iterations" "" "iterations (one turn of every awake Builder) until the last Builder died";
];

/// The metrics about visibility and exploration, in table order. They take longer to compute than all other metrics
/// together, so they are computed only when needed, for example for an expression that names them.
pub static SIGHT_METRICS: &[MetricInfo] = metrics![
    VisibleArea "visible-area" "squares" "median number of reachable squares that are visible from a reachable square, including that square";
    Unseen "unseen" "" "share of the reachable squares that are not visible from the shortest path";
    Integration "integration" "" "mean visual integration: high if each square can be reached from any other along only a few straight lines of sight";
    Intelligibility "intelligibility" "" "correlation between how much is visible from a square and its integration: near 1 if the view shows where you are, near 0 in a labyrinth";
    ChokePoints "choke-points" "squares" "reachable squares whose removal would disconnect other reachable squares from each other";
    Found "found" "steps" "median number of steps until simulated explorers see the exit; they remember what they have seen and walk to the nearest unknown square";
    Explored "explored" "" "median share of the reachable squares that explorers have seen when they see the exit";
];

/// Returns the metrics of both tables.
pub fn all_metrics() -> impl Iterator<Item = &'static MetricInfo> + Clone {
    METRICS.iter().chain(SIGHT_METRICS)
}

impl DungeonMetric {
    /// Returns the name and meaning of the metric.
    pub fn info(self) -> &'static MetricInfo {
        // The tables list the metrics in the order of the variants; a test checks this.
        let index = self as usize;
        match index.checked_sub(METRICS.len()) {
            None => &METRICS[index],
            Some(index) => &SIGHT_METRICS[index],
        }
    }
}

impl Metric {
    /// Returns whether the metric is a boolean rather than a number.
    pub fn is_truth(self) -> bool {
        match self {
            Self::Plain(plain) => plain.info().is_truth,
            Self::Area(..) | Self::Reaches(_) => true,
            Self::Generation(_) | Self::Widths(..) | Self::PathTo(_) => false,
        }
    }
}

impl std::fmt::Display for Metric {
    /// Writes the metric in expression syntax.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Plain(plain) => f.write_str(plain.info().name),
            Self::Generation(generation) => write!(f, "share(generation {generation})"),
            Self::Widths(least, most) if least == most => write!(f, "share(width {least})"),
            Self::Widths(least, u32::MAX) => write!(f, "share(width {least}..)"),
            Self::Widths(least, most) => write!(f, "share(width {least}..{most})"),
            Self::Area(predicate, area) => {
                let verb = match predicate {
                    AreaPredicate::Crosses => "crosses",
                    AreaPredicate::Needs => "needs",
                    AreaPredicate::Severs => "severs",
                };
                write!(f, "{verb} {}", area.label())
            }
            Self::Reaches(name) => write!(f, "reaches {name}"),
            Self::PathTo(name) => write!(f, "path to {name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_its_names_are_different() {
        for (i, info) in all_metrics().enumerate() {
            assert_eq!(info.metric as usize, i, "{}", info.name);
            assert_eq!(info.metric.info(), info);
            assert!(
                all_metrics().take(i).all(|other| other.name != info.name),
                "{}",
                info.name
            );
        }
        assert_eq!(
            all_metrics().last().map(|info| info.metric),
            Some(DungeonMetric::Explored)
        );
    }
}
