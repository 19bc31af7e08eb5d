//! The parts of the metrics, which are computed only when asked for.

use crate::design::expect::{AreaPredicate, DungeonMetric, Expression, Metric};

/// A set of parts of [`Metrics`](super::Metrics).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MetricParts(u16);

impl MetricParts {
    /// No part.
    pub const NONE: Self = Self(0);
    /// Path, gap and distances.
    pub const PATH: Self = Self(1);
    /// Reachable squares and enclosed areas.
    pub const REACHED: Self = Self(1 << 1);
    /// Tiles by generation, and the share of walls.
    pub const TILES: Self = Self(1 << 2);
    /// Islands, and the shape that the next two analyse.
    pub const ISLANDS: Self = Self(1 << 3);
    /// Dead ends and the squares in them.
    pub const LINES: Self = Self(1 << 4);
    /// Passage widths and junctions.
    pub const WIDTHS: Self = Self(1 << 5);
    /// Corridors along the outer wall.
    pub const OUTER: Self = Self(1 << 6);
    /// Rooms and vaults.
    pub const AREAS: Self = Self(1 << 7);
    /// All parts.
    pub const ALL: Self = Self((1 << 8) - 1);

    /// Returns the parts that yield a metric.
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
            },
            Metric::Generation(_) => Self::TILES,
            Metric::Widths(..) => Self::WIDTHS,
            Metric::Area(AreaPredicate::Crosses | AreaPredicate::Needs | AreaPredicate::Severs, _) => Self::AREAS,
        }
    }

    /// Returns the parts that yield all metrics of an expression.
    pub fn of_expression(expression: &Expression) -> Self {
        let mut parts = Self::NONE;
        expression.metrics(&mut |metric, _| parts = parts.and(Self::of(metric)));
        parts
    }

    /// Returns the parts of both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether the set contains all parts of another.
    pub const fn has(self, parts: Self) -> bool {
        self.0 & parts.0 == parts.0
    }

    /// Returns the set with the parts that its own are computed from.
    pub(super) const fn with_needed(self) -> Self {
        let mut all = self;
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
