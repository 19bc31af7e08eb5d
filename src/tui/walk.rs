//! A walk through the dungeon on the map: where the walker is, and whether it walks by itself.
//!
//! The map draws only what was seen on the walk, and the timeline shows the steps of the walk. This module has no clock
//! of its own: [`WalkState::advance`] receives the elapsed time.

use std::time::Duration;

use crate::analysis::{NoWalk, Scene, Walk};
use crate::engine::Grid;

/// Steps per second while the walker walks by itself.
const PACE: f64 = 12.0;

/// A walk, and the moment of the run that it belongs to.
#[derive(Debug)]
pub(in crate::tui) struct WalkState {
    walk: Walk,
    /// The run's number and the turn shown when the walk began.
    moment: (u64, u64),
    playing: bool,
    /// Elapsed fraction of the next step.
    carry: f64,
    dragged: bool,
}

impl WalkState {
    /// Begins a walk in the dungeon at a moment. `moment` contains the run's number and the turn.
    pub(in crate::tui) fn new(grid: &Grid, scene: &Scene, moment: (u64, u64)) -> Result<Self, NoWalk> {
        Ok(Self {
            walk: Walk::new(grid, scene)?,
            moment,
            playing: false,
            carry: 0.0,
            dragged: false,
        })
    }

    /// Returns the walk for reading; playback continues.
    pub(in crate::tui) const fn walk(&self) -> &Walk {
        &self.walk
    }

    /// Pauses playback, and returns the walk so that the user can move in it.
    pub(in crate::tui) const fn walk_by_hand(&mut self) -> &mut Walk {
        self.playing = false;
        &mut self.walk
    }

    /// Returns whether the walk began at a moment.
    pub(in crate::tui) fn is_of(&self, moment: (u64, u64)) -> bool {
        self.moment == moment
    }

    /// Returns whether the walker walks by itself.
    pub(in crate::tui) const fn is_playing(&self) -> bool {
        self.playing
    }

    /// Starts or pauses playback. Returns whether the walker walks by itself now; it does not start if nothing is left
    /// to explore.
    pub(in crate::tui) fn play(&mut self) -> bool {
        self.carry = 0.0;
        self.playing = !self.playing && (self.walk.step() < self.walk.steps() || self.walk.explore());
        self.playing
    }

    /// Returns whether the pointer drags the timeline.
    pub(in crate::tui) const fn is_dragged(&self) -> bool {
        self.dragged
    }

    /// Sets whether the pointer drags the timeline.
    pub(in crate::tui) const fn drag(&mut self, dragged: bool) {
        self.dragged = dragged;
    }

    /// Returns the time until the next step.
    pub(in crate::tui) fn next_change(&self) -> Option<Duration> {
        self.playing
            .then(|| Duration::from_secs_f64(((1.0 - self.carry) / PACE).max(0.001)))
    }

    /// Advances playback by the elapsed time. Returns whether the walker has moved.
    pub(in crate::tui) fn advance(&mut self, elapsed: Duration) -> bool {
        if !self.playing {
            return false;
        }
        self.carry += elapsed.as_secs_f64() * PACE;
        let steps = self.carry.floor();
        if steps < 1.0 {
            return false;
        }
        self.carry -= steps;
        self.walk.go_to(self.walk.step().saturating_add(steps as usize));
        self.playing = self.walk.step() < self.walk.steps();
        true
    }
}
