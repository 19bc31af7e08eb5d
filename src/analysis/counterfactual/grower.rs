//! Grows alternative runs, each from the turn in which it departs from the original run. If only one square matters,
//! the growth stops as soon as that square is certain to be the same as in the original run.

use super::alternative::Alternative;
use super::observed::ObservedRun;
use crate::analysis::runner::UnbornCounter;
use crate::engine::{Grid, Growth, Intervention};
use crate::geometry::Point;

/// Number of turns between two checks of the square in question.
const TURNS_PER_CHECK: u64 = 16;

/// A grower of alternatives to one run. An alternative reuses the growth of the original run up to the turn in which it
/// departs from that run. Request alternatives in the order of these turns: if an alternative departs earlier than the
/// one before it, the shared growth starts again.
#[derive(Debug)]
pub struct AlternativeGrower<'a> {
    run: &'a ObservedRun,
    /// The growth of the original run, up to the turn in which the last alternative departed from it; `None` before the
    /// first alternative that shares any turns.
    shared: Option<(Growth, UnbornCounter)>,
}

impl ObservedRun {
    /// Grows the dungeon with several alternatives combined. Returns `None` if the design cannot be grown with them.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped`] once `goes_on`, which is called every 256 turns, returns `false`.
    pub fn with(&self, alternatives: &[Alternative], goes_on: impl FnMut() -> bool) -> Result<Option<Grid>, Stopped> {
        let all: Vec<_> = alternatives.iter().map(|one| one.intervention).collect();
        Ok(self.grown_with(&all, goes_on)?.map(|(growth, _)| growth.into_grid()))
    }

    pub(super) fn grown_with(
        &self,
        interventions: &[Intervention],
        goes_on: impl FnMut() -> bool,
    ) -> Result<Option<(Growth, UnbornCounter)>, Stopped> {
        let mut unborn = UnbornCounter::default();
        let Ok(mut growth) = Growth::changed(&self.design, self.options, interventions, &mut unborn) else {
            return Ok(None);
        };
        if !growth.finish_while(&mut unborn, goes_on) {
            return Err(Stopped);
        }
        Ok(Some((growth, unborn)))
    }
}

/// The error returned after the caller cancelled a growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

impl<'a> AlternativeGrower<'a> {
    /// Creates a grower of alternatives to `run`.
    pub const fn new(run: &'a ObservedRun) -> Self {
        Self { run, shared: None }
    }

    /// Returns the growth of an alternative up to the turn in which it departs from the run, with the intervention
    /// applied; `None` if the design cannot be grown with the alternative. Calls `goes_on` every 256 turns.
    fn departed(
        &mut self,
        alternative: &Alternative,
        goes_on: impl FnMut() -> bool,
    ) -> Result<Option<(Growth, UnbornCounter)>, Stopped> {
        let ObservedRun { design, options, .. } = self.run;
        let Some(turns) = alternative.departs_after() else {
            let mut unborn = UnbornCounter::default();
            let growth = Growth::changed(design, *options, &[alternative.intervention], &mut unborn);
            return Ok(growth.ok().map(|growth| (growth, unborn)));
        };
        let is_past = |shared: &mut (Growth, UnbornCounter)| shared.0.clock().turn > turns;
        self.shared.take_if(is_past);
        let (growth, unborn) = self.shared.get_or_insert_with(|| {
            let mut unborn = UnbornCounter::default();
            (Growth::new(design, *options, &mut unborn), unborn)
        });
        if !growth.advance_while(turns - growth.clock().turn, unborn, goes_on) {
            return Err(Stopped);
        }
        let mut departed = growth.clone();
        departed.intervene(alternative.intervention);
        Ok(Some((departed, *unborn)))
    }

    /// Grows an alternative to its end. Returns `None` if the design cannot be grown with it.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped`] once `goes_on`, which is called every 256 turns, returns `false`.
    pub(super) fn finished(
        &mut self,
        alternative: &Alternative,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<Option<(Growth, UnbornCounter)>, Stopped> {
        let Some((mut growth, mut unborn)) = self.departed(alternative, &mut goes_on)? else {
            return Ok(None);
        };
        if !growth.finish_while(&mut unborn, goes_on) {
            return Err(Stopped);
        }
        Ok(Some((growth, unborn)))
    }

    /// Grows an alternative to its end and returns the dungeon; `None` if the design cannot be grown with the
    /// alternative.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped`] once `goes_on`, which is called every 256 turns, returns `false`.
    pub fn dungeon(
        &mut self,
        alternative: &Alternative,
        goes_on: impl FnMut() -> bool,
    ) -> Result<Option<Grid>, Stopped> {
        Ok(self
            .finished(alternative, goes_on)?
            .map(|(growth, _)| growth.into_grid()))
    }

    /// Grows an alternative to its end, or until a square is certain to be the same as in the run. Returns the dungeon
    /// if the square differs, that is, if it is open instead of a wall or the reverse; otherwise, or if the design
    /// cannot be grown with the alternative, returns `None`.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped`] once `goes_on` returns `false`.
    pub(super) fn differing(
        &mut self,
        alternative: &Alternative,
        at: Point,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<Option<Grid>, Stopped> {
        let was_open = self.run.grid().tile(at).is_open();
        let Some((mut growth, mut unborn)) = self.departed(alternative, &mut goes_on)? else {
            return Ok(None);
        };
        loop {
            // Tiles are never removed, so the square will remain a wall, as in the run.
            if !was_open && !growth.grid().tile(at).is_open() {
                return Ok(None);
            }
            if !goes_on() {
                return Err(Stopped);
            }
            if !growth.advance(TURNS_PER_CHECK, &mut unborn) {
                break;
            }
        }
        let is_open = growth.grid().tile(at).is_open();
        Ok((is_open != was_open).then(|| growth.into_grid()))
    }
}
