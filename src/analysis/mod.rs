//! Analysis of dungeons, chiefly by metrics that are computed from the grid.
//!
//! [`Regions`] finds connected open squares. [`cut_off`] finds the vault exits from which the largest region cannot be
//! reached. A [`MetricsCalculator`] computes all [`Metrics`] of a dungeon, and [`evaluate`] evaluates an expression
//! over them. [`MetricValues`] stores the metrics of one dungeon compactly, for surveys of thousands of seeds.
//! [`compare_pairs`] compares two designs seed by seed and finds significant differences; [`compare_samples`] finds
//! them between samples of different seeds. [`WallFrequency`] counts, for each square, the seeds whose dungeon has a
//! wall there. [`counterfactual`] finds what would be different if one thing in a run had been different. Nothing here
//! draws, prints or changes a dungeon.
//!
//! ```
//! use wallcrawler::analysis::{MetricValue, evaluate};
//! use wallcrawler::design::expect;
//! # let design: wallcrawler::Design = include_str!("../../presets/keep.toml").parse()?;
//!
//! let wanted = expect::parse_condition("path > 150 and dead-ends < 40").map_err(|problem| problem.message)?;
//! let good = (0..20).find(|&seed| {
//!     let maze = wallcrawler::Maze::grow(&design, seed);
//!     maze.is_ok_and(|maze| evaluate(&wanted, maze.metrics(), &()) == MetricValue::Truth(true))
//! });
//! println!("the first good seed is {good:?}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod anomaly;
mod bit_rows;
mod blocks;
mod calculator;
mod compare;
pub mod counterfactual;
mod cover;
mod dead_ends;
mod enclosure;
mod groups;
mod interval;
mod islands;
mod lines;
mod lookup;
mod metric_sample;
mod metric_values;
mod metrics;
mod openings;
mod outcome;
mod parts;
mod patterns;
mod plan;
mod range;
mod regions;
mod row;
mod runner;
mod scatter;
mod scene;
mod sight;
mod stacks;
mod steps;
mod summary;
pub mod sweep;
pub mod tune;
mod walk;
mod wall_frequency;
mod widths;

pub use anomaly::Anomaly;
pub use calculator::MetricsCalculator;
pub use compare::{
    Difference, FLIPS, MeanDifference, MetricComparison, PairCounts, PairedChange, PairedValues, SIGNIFICANT,
    compare_pairs, compare_samples, holm, kolmogorov_smirnov, mann_whitney, paired_changes,
};
pub use cover::{LayerKind, SquareLayer};
pub use dead_ends::DeadEnd;
pub use enclosure::{EnclosureCause, enclosure_causes};
pub use interval::Interval;
pub use islands::{Island, PILLAR};
pub use lines::{PassageLine, WIDEST_PASSAGE};
pub use lookup::{MetricLookup, MetricValue, SampleLookup, evaluate, margin};
pub use metric_sample::{MetricSample, Verdict, alone, decimal, expectations, rank as quantile_rank};
pub use metric_values::MetricValues;
pub use metrics::{
    AreaMetrics, DOMINANT, EnclosedArea, GrowthMetrics, Metrics, OUTER_CORRIDOR, PlaceMetrics, SightMetrics,
};
pub use outcome::Outcome;
pub use parts::MetricParts;
pub use patterns::PATTERNS;
pub use range::{CLASSES, MOST_BINS, RangeAxis, RangeCell, RangeMap};
pub use regions::{Region, Regions, cut_off};
pub use row::{Cell, CellKind, Column, STATES, columns, row, sight_columns};
pub use runner::MetricsRunner;
pub use scatter::ScatterOptions;
pub use scene::{Ground, Scene};
pub use sight::{EXPLORERS, LARGEST_FLOOR, LARGEST_SIGHT};
pub use summary::{AnomalySeeds, SurveySummary, ValueCounts};
pub use walk::{LARGEST_WALK, NoWalk, Walk};
pub use wall_frequency::{SquareOrigin, WallFrequency, WallFrequencySummary};
pub use widths::{Junction, MOST_WIDTH};

#[cfg(test)]
mod brute;
#[cfg(test)]
mod tests;
