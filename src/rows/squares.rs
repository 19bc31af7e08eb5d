//! The squares of a grown dungeon as arrays of numbers, row by row, for numerical programs.

use crate::analysis::{MetricParts, MetricsCalculator, Scene};
use crate::design::ValidDesign;
use crate::engine::{Clock, Event, Growth, Observer, Options, SeedGrower};
use crate::geometry::{Point, Size};

/// Element of [`SquareArrays::generations`] for a square on which no Builder laid a tile.
pub const NO_GENERATION: i16 = -1;

/// Element of [`SquareArrays::steps`] for a square that cannot be reached.
pub const NO_STEPS: i32 = -1;

/// A selection of the arrays in [`SquareArrays`].
#[expect(clippy::struct_excessive_bools, reason = "one for each array")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedArrays {
    /// Whether [`SquareArrays::tiles`] is wanted.
    pub tiles: bool,
    /// Whether [`SquareArrays::generations`] is wanted.
    pub generations: bool,
    /// Whether [`SquareArrays::turn_laid`] is wanted.
    pub turn_laid: bool,
    /// Whether [`SquareArrays::steps`] is wanted.
    pub steps: bool,
}

impl WantedArrays {
    /// Names of the arrays, in the order of the fields.
    pub const NAMES: [&str; 4] = ["tiles", "generations", "turn_laid", "steps"];

    /// All arrays.
    pub const ALL: Self = Self {
        tiles: true,
        generations: true,
        turn_laid: true,
        steps: true,
    };

    /// Selects the arrays with these names.
    ///
    /// # Errors
    ///
    /// Returns the first name that is not in [`Self::NAMES`].
    pub fn named<'a>(names: &[&'a str]) -> Result<Self, &'a str> {
        if let Some(&unknown) = names.iter().find(|name| !Self::NAMES.contains(name)) {
            return Err(unknown);
        }
        let [tiles, generations, turn_laid, steps] = Self::NAMES.map(|name| names.contains(&name));
        Ok(Self {
            tiles,
            generations,
            turn_laid,
            steps,
        })
    }

    /// Returns the names of the arrays that are wanted.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let wanted = [self.tiles, self.generations, self.turn_laid, self.steps];
        let all = Self::NAMES.into_iter().zip(wanted);
        all.filter_map(|(name, is_wanted)| is_wanted.then_some(name))
    }

    /// Returns whether any of the wanted arrays can be filled only by an observer of the growth.
    const fn is_of_growth(self) -> bool {
        self.generations || self.turn_laid
    }
}

/// The squares of a dungeon, row by row. An array that was not requested is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SquareArrays {
    /// Kind of each tile, as its index in [`Tile::ALL`](crate::engine::Tile::ALL).
    pub tiles: Vec<u8>,
    /// Generation of the Builder that laid each tile, or [`NO_GENERATION`]. Generations above 32,767 are stored as
    /// 32,767.
    pub generations: Vec<i16>,
    /// Turn in which each tile was laid, counted from 1; 0 for open squares and tiles of the design. Turns above
    /// `u32::MAX` are stored as `u32::MAX`.
    pub turn_laid: Vec<u32>,
    /// Number of steps from the entrance to each square, or [`NO_STEPS`].
    pub steps: Vec<i32>,
}

/// A grower that returns the squares of one dungeon after another and reuses its memory.
#[derive(Debug, Default)]
pub struct SquareGrower {
    grower: SeedGrower,
    calculator: MetricsCalculator,
}

impl SquareGrower {
    /// Grows a design and returns the wanted arrays of its squares; returns `None` as soon as `goes_on` returns
    /// `false`.
    pub fn grow(
        &mut self,
        design: &ValidDesign,
        options: Options,
        wanted: WantedArrays,
        goes_on: impl Fn() -> bool,
    ) -> Option<SquareArrays> {
        let mut laid = LaidTiles::new(design.layout.size, wanted);
        let growth = if wanted.is_of_growth() {
            grown(&mut self.grower, design, options, &mut laid, &goes_on)
        } else {
            grown(&mut self.grower, design, options, &mut (), &goes_on)
        }?;
        let mut arrays = SquareArrays {
            generations: laid.generations,
            turn_laid: laid.turn_laid,
            ..SquareArrays::default()
        };
        let size = design.layout.size;
        if wanted.tiles {
            arrays.tiles = squares_of(size).map(|at| growth.grid().tile(at) as u8).collect();
        }
        if wanted.steps {
            // The distances do not depend on rooms and vaults, so the scene leaves them out.
            let scene = Scene {
                entrance: design.expect.entrance,
                exit: design.expect.exit,
                ..Scene::default()
            };
            self.calculator.measure_parts(growth.grid(), &scene, MetricParts::PATH);
            let steps = |at| self.calculator.steps_to(at).map_or(NO_STEPS, |steps| steps as i32);
            arrays.steps = squares_of(size).map(steps).collect();
        }
        Some(arrays)
    }
}

/// Returns all squares of a dungeon of this size, row by row.
pub fn squares_of(size: Size) -> impl Iterator<Item = Point> {
    size.points()
}

/// Converts a generation to an element of [`SquareArrays::generations`]. A generation above `i16::MAX` becomes
/// `i16::MAX`.
pub fn saturated_generation(generation: u32) -> i16 {
    i16::try_from(generation).unwrap_or(i16::MAX)
}

fn grown<'a, O: Observer>(
    grower: &'a mut SeedGrower,
    design: &ValidDesign,
    options: Options,
    observer: &mut O,
    goes_on: impl Fn() -> bool,
) -> Option<&'a Growth> {
    let growth = grower.start(design, options, observer);
    (growth.finish_while(observer, &goes_on) && goes_on()).then_some(growth)
}

/// An observer that records the generation and the turn of each tile that a Builder lays.
struct LaidTiles {
    columns: usize,
    /// Number of completed turns.
    turn: u64,
    /// Generation of each Builder.
    born: Vec<i16>,
    generations: Vec<i16>,
    turn_laid: Vec<u32>,
}

impl LaidTiles {
    /// Creates an observer for a dungeon of this size. Arrays that are not wanted stay empty.
    fn new(size: Size, wanted: WantedArrays) -> Self {
        let squares = |is_wanted| if is_wanted { size.squares() as usize } else { 0 };
        Self {
            columns: size.y as usize,
            turn: 0,
            born: Vec::new(),
            generations: vec![NO_GENERATION; squares(wanted.generations)],
            turn_laid: vec![0; squares(wanted.turn_laid)],
        }
    }
}

impl Observer for LaidTiles {
    fn event(&mut self, event: Event) {
        match event {
            Event::Born { birth, .. } => self.born.push(saturated_generation(birth.generation)),
            Event::Laid { builder, at, .. } => {
                let index = at.x as usize * self.columns + at.y as usize;
                if let Some(square) = self.generations.get_mut(index) {
                    *square = self.born.get(builder.0 as usize).copied().unwrap_or(NO_GENERATION);
                }
                if let Some(square) = self.turn_laid.get_mut(index) {
                    *square = u32::try_from(self.turn + 1).unwrap_or(u32::MAX);
                }
            }
            _ => {}
        }
    }

    fn turn_ended(&mut self, clock: Clock) {
        self.turn = clock.turn;
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::export::DungeonView;
    use crate::maze::{LevelFiles, MazeGrower};
    use crate::presets::Preset;

    #[test]
    fn the_arrays_agree_with_the_end_of_the_recording() {
        let options = Options::default();
        let mut squares = SquareGrower::default();
        for (preset, seed) in [("keep", 11), ("keep", 12), ("hypostyle", 11)] {
            let design = Preset::find(preset).unwrap().design();
            let mut grower = MazeGrower::new(&design, LevelFiles::default()).unwrap();
            let (design, _) = grower.design(seed).unwrap();
            let recording = DungeonView::grow(&design, options, &mut |_, _| ControlFlow::Continue(())).unwrap();
            let view = DungeonView::new(&design, &recording, u64::MAX);
            let arrays = squares.grow(&design, options, WantedArrays::ALL, || true).unwrap();
            for (index, at) in squares_of(view.size()).enumerate() {
                assert_eq!(arrays.tiles[index], view.grid().tile(at) as u8);
                let generation = view.generation(at).map_or(NO_GENERATION, saturated_generation);
                assert_eq!(arrays.generations[index], generation);
                let turn = view.laid(at).map_or(0, |(_, turn)| turn);
                assert_eq!(u64::from(arrays.turn_laid[index]), turn);
                assert_eq!(
                    arrays.steps[index],
                    view.steps(at).map_or(NO_STEPS, |steps| steps as i32)
                );
            }
            assert!(arrays.generations.iter().filter(|generation| **generation > 0).count() > 100);
            let wanted = WantedArrays::named(&["steps"]).unwrap();
            let steps = squares.grow(&design, options, wanted, || true).unwrap();
            assert_eq!((steps.steps, steps.tiles), (arrays.steps, Vec::new()));
            assert_eq!(squares.grow(&design, options, WantedArrays::ALL, || false), None);
        }
        assert_eq!(WantedArrays::named(&["tiles", "tile"]), Err("tile"));
    }
}
