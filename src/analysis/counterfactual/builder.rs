//! The effect of a Builder's absence on its surroundings and on the rest of the dungeon.

use std::cmp::Ordering;

use super::grower::{AlternativeGrower, Stopped};
use super::observed::ObservedRun;
use crate::engine::{BuilderId, Grid};
use crate::geometry::{Point, Size};
use crate::text::{counted, thousands};

/// A difference counts as near if it is at most this many squares from the Builder's birth square, or from a tile of
/// the Builder or of its descendants.
pub const NEAR: u32 = 10;

/// Numbers of squares that change between wall and open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WallChanges {
    /// Number of squares that are wall in the run, but would be open without the Builder.
    pub gone: u64,
    /// Number of squares that are open in the run, but would be wall without the Builder.
    pub new: u64,
}

impl WallChanges {
    /// Returns the number of changed squares.
    pub const fn total(self) -> u64 {
        self.gone + self.new
    }

    fn count(&mut self, is_gone: bool) {
        self.gone += u64::from(is_gone);
        self.new += u64::from(!is_gone);
    }
}

/// The differences that the absence of a Builder would make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuilderEffect {
    /// Number of tiles of the Builder itself that would be gone.
    pub own: u64,
    /// Number of the Builder's descendants, none of which would be born.
    pub descendants: u64,
    /// Number of tiles of its descendants that would be gone.
    pub of_descendants: u64,
    /// Other squares that would change, at most [`NEAR`] squares away.
    pub near: WallChanges,
    /// Other squares that would change, farther away than [`NEAR`] squares.
    pub far: WallChanges,
    /// Distance to the farthest of these other squares, near or far, in squares; 0 if there are none.
    pub farthest: u32,
    /// Number of Builders born in the run, and the number that would be born without this Builder.
    pub born: [u32; 2],
}

impl BuilderEffect {
    /// Describes the differences, one line each: missing tiles, changes nearby, changes farther away, and births.
    pub fn lines(&self) -> Vec<String> {
        let tiles = |count: u64| counted(count, "tile");
        let changes = |changes: WallChanges| {
            let (gone, new) = (counted(changes.gone, "wall"), thousands(changes.new));
            format!("{gone} removed, {new} added")
        };
        let mut lines = vec![match self.descendants {
            0 => format!("{} of its own would be missing", tiles(self.own)),
            descendants => format!(
                "{} of its own and {} of {} would be missing",
                tiles(self.own),
                tiles(self.of_descendants),
                counted(descendants, "descendant")
            ),
        }];
        lines.push(match self.near.total() {
            0 => format!("nothing else within {NEAR} squares would be different"),
            _ => format!("within {NEAR} squares: {}", changes(self.near)),
        });
        lines.push(match self.far.total() {
            0 => "nothing farther away would be different".to_owned(),
            _ => format!(
                "farther away, up to {}: {}",
                counted(self.farthest, "square"),
                changes(self.far)
            ),
        });
        let [before, after] = self.born.map(u64::from);
        let others = before.saturating_sub(self.descendants + 1);
        lines.push(match after.cmp(&others) {
            Ordering::Equal => "the other Builders would have as many babies as now".to_owned(),
            Ordering::Greater => format!("the other Builders would have {}", counted(after - others, "more baby")),
            Ordering::Less => format!(
                "the other Builders would have {}",
                counted(others - after, "fewer baby")
            ),
        });
        lines
    }
}

impl ObservedRun {
    /// Grows the dungeon without a Builder. Returns the effect of its absence and the new dungeon; `None` if no Builder
    /// has this number.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped`] once `goes_on`, which is called every 256 turns, returns `false`.
    pub fn effect(
        &self,
        builder: BuilderId,
        goes_on: impl FnMut() -> bool,
    ) -> Result<Option<(BuilderEffect, Grid)>, Stopped> {
        let Some(without) = self.without(builder) else {
            return Ok(None);
        };
        let Some((growth, _)) = AlternativeGrower::new(self).finished(&without, goes_on)? else {
            return Ok(None);
        };
        let family = self.family(builder);
        let born = [self.builders().len() as u32, growth.born()];
        let grid = growth.into_grid();
        let of_family = |at: Point| self.origin(at).filter(|(id, _)| family[id.0 as usize]);
        let start = self.builder(builder).map(|of| of.birth.at);
        let distances = Distances::of(self.grid().size(), |at| of_family(at).is_some() || start == Some(at));
        let mut effect = BuilderEffect {
            own: 0,
            descendants: (family.iter().filter(|is_one| **is_one).count() as u64).saturating_sub(1),
            of_descendants: 0,
            near: WallChanges::default(),
            far: WallChanges::default(),
            farthest: 0,
            born,
        };
        for at in self.grid().differences(&grid) {
            let is_gone = grid.tile(at).is_open();
            if is_gone == self.grid().tile(at).is_open() {
                continue;
            }
            match of_family(at) {
                Some((id, _)) if id == builder => effect.own += 1,
                Some(_) => effect.of_descendants += 1,
                None => {
                    let distance = distances.at(at);
                    let changes = if distance <= NEAR {
                        &mut effect.near
                    } else {
                        &mut effect.far
                    };
                    changes.count(is_gone);
                    effect.farthest = effect.farthest.max(distance);
                }
            }
        }
        Ok(Some((effect, grid)))
    }

    /// Returns, for each Builder, whether it is `builder` or descends from it.
    fn family(&self, builder: BuilderId) -> Vec<bool> {
        let mut family = vec![false; self.builders().len()];
        for (number, one) in self.builders().iter().enumerate() {
            // Parents have lower numbers than their babies, so the parent's entry is already final.
            let parent = one.birth.parent.and_then(|parent| family.get(parent.0 as usize));
            let descends = parent.copied().unwrap_or(false);
            family[number] = descends || number == builder.0 as usize;
        }
        family
    }
}

/// The distance of each square from a set of squares. A diagonal step counts as one.
struct Distances {
    size: Size,
    squares: Vec<u32>,
}

impl Distances {
    fn of(size: Size, is_zero: impl Fn(Point) -> bool) -> Self {
        let squares = size
            .points()
            .map(|at| if is_zero(at) { 0 } else { u32::MAX - 1 })
            .collect();
        let mut distances = Self { size, squares };
        // One pass from the top left corner and one from the bottom right corner are enough.
        for x in 0..size.x {
            for y in 0..size.y {
                distances.relax(Point::new(x, y), [(-1, -1), (-1, 0), (-1, 1), (0, -1)]);
            }
        }
        for x in (0..size.x).rev() {
            for y in (0..size.y).rev() {
                distances.relax(Point::new(x, y), [(1, 1), (1, 0), (1, -1), (0, 1)]);
            }
        }
        distances
    }

    fn relax(&mut self, at: Point, steps: [(i32, i32); 4]) {
        let around = steps.map(|(x, y)| self.at(Point::new(at.x + x, at.y + y)));
        let nearest = around.into_iter().min().unwrap_or(u32::MAX).saturating_add(1);
        let index = self.index(at);
        self.squares[index] = self.squares[index].min(nearest);
    }

    const fn index(&self, at: Point) -> usize {
        at.x as usize * self.size.y as usize + at.y as usize
    }

    fn at(&self, at: Point) -> u32 {
        if self.size.contains(at) {
            self.squares[self.index(at)]
        } else {
            u32::MAX - 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noun_of_changed_walls_agrees_with_the_number_before_it() {
        let effect = BuilderEffect {
            own: 1,
            descendants: 0,
            of_descendants: 0,
            near: WallChanges { gone: 1, new: 1200 },
            far: WallChanges { gone: 0, new: 1 },
            farthest: 1,
            born: [1, 0],
        };
        let lines = [
            "1 tile of its own would be missing",
            "within 10 squares: 1 wall removed, 1,200 added",
            "farther away, up to 1 square: 0 walls removed, 1 added",
            "the other Builders would have as many babies as now",
        ];
        assert_eq!(effect.lines(), lines);
    }
}
