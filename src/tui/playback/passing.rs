//! The passing of time: playback and pauses, progress of searches and seeks, and reading of origins.

use std::time::Duration;

use super::run_playback::{BYTES_PER_FRAME, RunPlayback};
use super::{RUN_TIMEOUT, TimeState};

/// Minimal time between two frames of playback.
pub(in crate::tui) const FRAME: Duration = Duration::from_millis(33);

/// Time for which the design is shown before growth, if enabled.
pub(in crate::tui) const LOOK: Duration = Duration::from_secs(3);

/// Time for which the end is shown before playback restarts.
const END: Duration = Duration::from_secs(1);

impl TimeState {
    /// Returns whether nothing grows or moves: the run is complete or paused, and there is no seek in progress.
    pub(in crate::tui) fn is_calm(&self) -> bool {
        let film = self.film.as_ref().filter(|_| self.coming.is_none());
        let is_still =
            |film: &RunPlayback| film.goal.is_none() && film.heading.is_none() && (!self.playing || film.at_end());
        film.is_some_and(|film| is_still(film) && (film.recording.is_finished() || !self.playing))
    }

    /// Returns the time until [`TimeState::advance`] changes something; `None`: never by itself.
    pub(in crate::tui) fn next_change(&self) -> Option<Duration> {
        if let Some((_, waited)) = &self.coming {
            return Some(RUN_TIMEOUT.saturating_sub(*waited));
        }
        let hunts = self
            .search
            .as_ref()
            .is_some_and(|search| !search.waits && search.missing.is_none());
        if hunts || self.wanted().is_some() {
            return Some(Duration::ZERO);
        }
        let film = self.film.as_ref()?;
        if film.heading.is_some() && film.missing.is_none() {
            return Some(Duration::ZERO);
        }
        if film.is_behind() || film.sheds() {
            return Some(Duration::from_millis(1));
        }
        if film.heading.is_some() {
            return None;
        }
        if !self.playing || film.goal.is_some() {
            return None;
        }
        if let Some(pause) = self.pause(film) {
            let left = pause.saturating_sub(self.stood);
            // The screen counts down the remaining seconds.
            let part = Duration::from_nanos(u64::from(left.subsec_nanos()));
            return Some(if part.is_zero() {
                left.min(Duration::from_secs(1))
            } else {
                part
            });
        }
        if film.cursor.turn() >= film.recording.turns() {
            return None;
        }
        let until_turn = (1.0 - self.carry).max(0.0) / self.speed.rate();
        Some(
            Duration::try_from_secs_f64(until_turn)
                .unwrap_or(Duration::MAX)
                .max(FRAME),
        )
    }

    /// Returns the pause at the present moment: at the start if the design is shown first, at the end if playback
    /// loops.
    fn pause(&self, film: &RunPlayback) -> Option<Duration> {
        if film.at_end() {
            self.requests.looping.then_some(END)
        } else {
            (film.cursor.turn() == 0 && self.requests.looks && self.stood < LOOK).then_some(LOOK)
        }
    }

    /// Returns how much longer the design is shown before growth, while it is.
    pub(in crate::tui) fn looking(&self) -> Option<Duration> {
        let film = self.film.as_ref().filter(|film| self.playing && !film.at_end())?;
        self.pause(film).map(|pause| pause.saturating_sub(self.stood))
    }

    /// Advances time. Returns whether the screen has changed.
    pub(in crate::tui) fn advance(&mut self, elapsed: Duration) -> bool {
        if let Some(film) = self.film.as_mut().filter(|film| film.sheds()) {
            film.shed(None);
        }
        let behind = self.film.as_mut().filter(|film| film.is_behind());
        let read = behind.map(RunPlayback::read_origins).is_some();
        self.play_on(elapsed) || read
    }

    fn play_on(&mut self, elapsed: Duration) -> bool {
        if let Some((_, waited)) = &mut self.coming {
            *waited += elapsed;
            if *waited < RUN_TIMEOUT {
                return false;
            }
            self.settle();
            return true;
        }
        if self
            .search
            .as_ref()
            .is_some_and(|search| !search.waits && search.missing.is_none())
        {
            return self.search_on();
        }
        if let Some(film) = self.film.as_mut().filter(|film| film.heading.is_some()) {
            if film.missing.is_none() {
                film.go_on(BYTES_PER_FRAME);
                self.playing &= self.requests.looping || !self.at_end();
                return true;
            }
            return false;
        }
        let Some(film) = self.film.as_ref().filter(|film| film.goal.is_none()) else {
            return false;
        };
        if !self.playing {
            return false;
        }
        if let Some(pause) = self.pause(film) {
            self.stood += elapsed;
            if self.stood < pause {
                return true;
            }
            let again = film.at_end();
            self.carry = 0.0;
            if again {
                self.stood = Duration::ZERO;
                self.go(0);
            }
            return true;
        }
        let (turn, last) = (film.cursor.turn(), film.recording.turns());
        if turn >= last {
            // While playback waits for more turns to be recorded, time does not count.
            self.carry = 0.0;
            return false;
        }
        self.carry += elapsed.as_secs_f64() * self.speed.rate();
        let turns = self.carry.floor();
        if turns < 1.0 {
            return false;
        }
        self.carry -= turns;
        self.stood = Duration::ZERO;
        self.go(turn.saturating_add(turns as u64).min(last));
        self.playing &= self.requests.looping || !self.at_end();
        true
    }
}
