//! The parts of the metrics, which are computed only when requested.

use super::anomaly::Anomaly;
use crate::design::Design;
use crate::design::expect::{self, AreaPredicate, DungeonMetric, Expression, Metric};

/// A set of parts of [`Metrics`](super::Metrics).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MetricParts(u16);

impl MetricParts {
    /// No part.
    pub const NONE: Self = Self(0);
    /// Path, gap, distances and named places.
    pub const PATH: Self = Self(1);
    /// Reachable squares and enclosed areas.
    pub const REACHED: Self = Self(1 << 1);
    /// Tiles by generation, and the share of walls.
    pub const TILES: Self = Self(1 << 2);
    /// Islands, and the shape that [`Self::LINES`] and [`Self::WIDTHS`] analyse.
    pub const ISLANDS: Self = Self(1 << 3);
    /// Dead ends, and the number of squares in pockets.
    pub const LINES: Self = Self(1 << 4);
    /// Passage widths and junctions.
    pub const WIDTHS: Self = Self(1 << 5);
    /// Corridors along the outer wall.
    pub const OUTER: Self = Self(1 << 6);
    /// Rooms and vaults.
    pub const AREAS: Self = Self(1 << 7);
    /// All parts above. Computing them takes time roughly linear in the number of squares. The parts of [`Self::SIGHT`]
    /// take more time and are computed only on request, for example if an expectation contains a metric of
    /// [`SIGHT_METRICS`](crate::design::expect::SIGHT_METRICS).
    pub const STANDARD: Self = Self((1 << 8) - 1);
    /// The parts that are needed to find all anomalies.
    pub const ANOMALIES: Self = Self::PATH
        .and(Self::REACHED)
        .and(Self::TILES)
        .and(Self::OUTER)
        .and(Self::AREAS);
    /// Visible area.
    pub const VISIBLE: Self = Self(1 << 8);
    /// The share of squares that are not visible from the path.
    pub const UNSEEN: Self = Self(1 << 9);
    /// Integration and intelligibility.
    pub const SPACE: Self = Self(1 << 10);
    /// Choke points.
    pub const CHOKES: Self = Self(1 << 11);
    /// The walks of explorers.
    pub const EXPLORERS: Self = Self(1 << 12);
    /// All parts that analyse sight and the walks of explorers.
    pub const SIGHT: Self = Self(((1 << 13) - 1) & !Self::STANDARD.0);
    /// All parts that yield metrics.
    pub const ALL: Self = Self((1 << 13) - 1);
    /// Local [patterns](super::PATTERNS), which are not a metric.
    pub const PATTERNS: Self = Self(1 << 13);

    /// Returns the parts that are needed to compute a metric.
    pub const fn of(metric: Metric) -> Self {
        use DungeonMetric as Of;
        match metric {
            Metric::Plain(metric) => match metric {
                Of::Reachable | Of::Path | Of::Detour => Self::PATH,
                Of::Squares | Of::Enclosed | Of::EnclosedSquares => Self::REACHED,
                Of::Fill | Of::Tiles | Of::Generations | Of::Dominant => Self::TILES,
                Of::Loops | Of::Pillars => Self::ISLANDS,
                Of::DeadEnds | Of::Blind => Self::LINES,
                Of::Junctions | Of::Width => Self::WIDTHS,
                Of::OuterWall | Of::OuterCorridor => Self::OUTER,
                Of::Unreached | Of::Severable => Self::AREAS,
                Of::Builders | Of::Unborn | Of::Iterations => Self::NONE,
                Of::VisibleArea => Self::VISIBLE,
                Of::Unseen => Self::UNSEEN,
                Of::Integration | Of::Intelligibility => Self::SPACE,
                Of::ChokePoints => Self::CHOKES,
                Of::Found | Of::Explored => Self::EXPLORERS,
            },
            Metric::Reaches(_) | Metric::PathTo(_) => Self::PATH,
            Metric::Generation(_) => Self::TILES,
            Metric::Widths(..) => Self::WIDTHS,
            Metric::Area(AreaPredicate::Crosses | AreaPredicate::Needs | AreaPredicate::Severs, _) => Self::AREAS,
        }
    }

    /// Returns the parts that are needed to find an anomaly.
    pub const fn of_anomaly(anomaly: Anomaly) -> Self {
        match anomaly {
            Anomaly::NoWay => Self::PATH,
            Anomaly::Enclosed => Self::REACHED,
            Anomaly::LeftOut(_) | Anomaly::Unreached(_) => Self::AREAS,
            Anomaly::TakesOver(_) => Self::TILES,
            Anomaly::OuterCorridor => Self::OUTER,
            Anomaly::Unborn | Anomaly::NotGrown => Self::NONE,
        }
    }

    /// Returns the parts that are needed to compute all of these metrics.
    pub fn of_all(metrics: impl IntoIterator<Item = Metric>) -> Self {
        metrics
            .into_iter()
            .fold(Self::NONE, |parts, metric| parts.and(Self::of(metric)))
    }

    /// Returns the parts that are needed to compute all metrics in an expression.
    pub fn of_expression(expression: &Expression) -> Self {
        let mut parts = Self::NONE;
        expression.metrics(&mut |metric, _| parts = parts.and(Self::of(metric)));
        parts
    }

    /// Returns the standard parts, and those that the expectations of a design need.
    pub fn of_design(design: &Design) -> Self {
        let expected = design.expect.that.iter().filter_map(|text| expect::parse(text).ok());
        expected.fold(Self::STANDARD, |parts, expectation| {
            parts.and(Self::of_expression(&expectation.condition))
        })
    }

    /// Returns the union of two sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the set without the parts of another set.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns whether the set contains all parts of another set.
    pub const fn has(self, parts: Self) -> bool {
        self.0 & parts.0 == parts.0
    }

    /// Returns whether the set contains at least one part of another set.
    pub const fn has_any(self, parts: Self) -> bool {
        self.0 & parts.0 != 0
    }

    /// Returns the set, extended by all parts from which its parts are computed.
    pub(super) const fn with_needed(self) -> Self {
        let mut all = self;
        if all.has_any(Self::SIGHT) {
            all = all.and(Self::REACHED);
        }
        if all.has_any(Self::UNSEEN.and(Self::EXPLORERS)) {
            all = all.and(Self::PATH);
        }
        if all.has(Self::AREAS) {
            all = all.and(Self::PATH).and(Self::LINES);
        }
        if all.has(Self::LINES) || all.has(Self::WIDTHS) {
            all = all.and(Self::ISLANDS);
        }
        if all.has(Self::ISLANDS) || all.has(Self::OUTER) {
            all = all.and(Self::REACHED);
        }
        all
    }
}
