//! The causes of a wall or of an open square: each change to a run that, on its own, makes that square different.

use super::alternative::{Alternative, AlternativeSubject};
use super::grower::{AlternativeGrower, Stopped};
use super::observed::ObservedRun;
use super::walls_between;
use crate::engine::BuilderId;
use crate::geometry::Point;

/// A question about a square of a finished dungeon, with all alternatives that may answer it.
#[derive(Debug, Clone)]
pub struct SquareQuestion {
    /// The square.
    pub at: Point,
    /// Whether the square is blocked by a wall or another tile.
    pub is_wall: bool,
    /// The Builder that laid the tile on the square, and the turn in which it was laid; `None` if no Builder laid one.
    pub origin: Option<(BuilderId, u64)>,
    /// The alternatives, in the order in which they should be grown.
    pub alternatives: Vec<Alternative>,
}

/// A single change to a run after which the square in question is different, verified by growing the dungeon with the
/// change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cause {
    /// The change.
    pub alternative: Alternative,
    /// Number of squares that are wall in the changed dungeon and open in the original one, or the reverse.
    pub walls: u64,
}

impl ObservedRun {
    /// Returns the question of why a square is a wall or open. If a Builder laid the wall, the alternatives include the
    /// rolls of this Builder and of its ancestors, but no other rolls. Other alternatives are left out only if they
    /// cannot matter, such as a birth after the wall was built.
    pub fn question(&self, at: Point) -> SquareQuestion {
        let is_wall = !self.grid().tile(at).is_open();
        let origin = self.origin(at);
        let mut question = SquareQuestion {
            at,
            is_wall,
            origin,
            alternatives: Vec::new(),
        };
        let is_design = is_wall && origin.is_none();
        // Tiles are never removed, so nothing matters after the turn in which the tile was laid.
        let until = origin.map_or(self.turns(), |(_, turn)| turn);
        let found = &mut question.alternatives;
        if !is_design {
            let line = origin.map_or_else(Vec::new, |(builder, _)| self.line_births(builder));
            found.extend(self.other_births(&line, until));
            found.extend(line);
            if let Some((builder, turn)) = origin {
                found.extend(self.rolls(builder, turn));
            }
        }
        // A wall of the design exists before the first turn, so a parameter that acts only later cannot matter.
        found.extend(self.parameters(if is_design { 0 } else { until }));
        found.extend(self.tiles());
        found.sort_by_key(|one| one.departs_after().map_or(0, |turns| turns + 1));
        question
    }
}

impl SquareQuestion {
    /// Grows the alternative with index `number`. Returns it as a cause if the square is different.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped`] once `goes_on` returns `false`.
    pub fn cause(
        &self,
        number: usize,
        run: &ObservedRun,
        grower: &mut AlternativeGrower<'_>,
        goes_on: impl FnMut() -> bool,
    ) -> Result<Option<Cause>, Stopped> {
        let Some(&alternative) = self.alternatives.get(number) else {
            return Ok(None);
        };
        let grid = grower.differing(&alternative, self.at, goes_on)?;
        Ok(grid.map(|grid| Cause {
            alternative,
            walls: walls_between(run.grid(), &grid),
        }))
    }

    /// Sorts causes for display: first the line of descent, nearest ancestor first, then other Builders, parameters,
    /// tiles and rolls. Within each group except the line of descent, causes that change fewer walls come first.
    pub fn sort(causes: &mut [Cause]) {
        causes.sort_by_key(|cause| {
            let (kind, nearest) = match cause.alternative.subject {
                AlternativeSubject::Birth {
                    is_ancestor: true,
                    builder,
                    ..
                } => (0, u32::MAX - builder.0),
                AlternativeSubject::Birth { .. } => (1, 0),
                AlternativeSubject::Parameter { .. } => (2, 0),
                AlternativeSubject::Tile { .. } => (3, 0),
                AlternativeSubject::Roll { .. } => (4, 0),
            };
            (kind, nearest, cause.walls)
        });
    }
}
