//! Reacts to elapsed time: advances or pauses playback, continues a search or a seek that is in progress, and reads the
//! origins of tiles from the recording.

use std::time::Duration;

use super::run_playback::{BYTES_PER_FRAME, RunPlayback};
use super::{RUN_TIMEOUT, TimeState};

/// Minimum time between two frames of playback.
pub(in crate::tui) const FRAME: Duration = Duration::from_millis(33);

/// Time for which the design is shown before growth, if the user has enabled that.
pub(in crate::tui) const LOOK: Duration = Duration::from_secs(3);

/// Time for which the end is shown before looping playback restarts.
const END: Duration = Duration::from_secs(1);

impl TimeState {
    /// Returns whether the picture no longer changes by itself: playback is paused or at the end of a complete run, and
    /// no seek is in progress.
    pub(in crate::tui) fn is_still(&self) -> bool {
        let run = self.run.as_ref().filter(|_| self.coming.is_none());
        let is_still =
            |run: &RunPlayback| run.goal.is_none() && run.heading.is_none() && (!self.playing || run.at_end());
        run.is_some_and(|run| is_still(run) && (run.recording.is_finished() || !self.playing))
    }

    /// Returns the time until [`TimeState::advance`] has something to do; `None` if elapsed time alone changes nothing.
    pub(in crate::tui) fn next_change(&self) -> Option<Duration> {
        if let Some((_, waited)) = &self.coming {
            return Some(RUN_TIMEOUT.saturating_sub(*waited));
        }
        let is_searching = self
            .search
            .as_ref()
            .is_some_and(|search| !search.waits && search.missing.is_none());
        if is_searching || self.missing_turn().is_some() {
            return Some(Duration::ZERO);
        }
        let run = self.run.as_ref()?;
        if run.heading.is_some() && run.missing.is_none() {
            return Some(Duration::ZERO);
        }
        if run.has_unread_origins() || run.has_events_to_drop() {
            return Some(Duration::from_millis(1));
        }
        if run.heading.is_some() {
            return None;
        }
        if !self.playing || run.goal.is_some() {
            return None;
        }
        if self.script.is_some() {
            return Some(FRAME);
        }
        if let Some(pause) = self.pause(run) {
            let left = pause.saturating_sub(self.paused);
            // The screen shows the remaining seconds, so it must be redrawn whenever their number changes.
            let part = Duration::from_nanos(u64::from(left.subsec_nanos()));
            return Some(if part.is_zero() {
                left.min(Duration::from_secs(1))
            } else {
                part
            });
        }
        if run.cursor.turn() >= run.recording.turns() {
            return None;
        }
        let until_turn = (1.0 - self.carry).max(0.0) / self.speed.rate();
        Some(
            Duration::try_from_secs_f64(until_turn)
                .unwrap_or(Duration::MAX)
                .max(FRAME),
        )
    }

    /// Returns the length of the pause at the current moment: [`LOOK`] at the start if the design is shown first,
    /// [`END`] at the end if playback loops, and otherwise `None`.
    fn pause(&self, run: &RunPlayback) -> Option<Duration> {
        if run.at_end() {
            self.requests.looping.then_some(END)
        } else {
            (run.cursor.turn() == 0 && self.requests.shows_design && self.paused < LOOK).then_some(LOOK)
        }
    }

    /// Returns the remaining time of the current pause before growth; `None` if playback is not in that pause.
    pub(in crate::tui) fn design_time_left(&self) -> Option<Duration> {
        let run = self.run.as_ref().filter(|run| self.playing && !run.at_end())?;
        self.pause(run).map(|pause| pause.saturating_sub(self.paused))
    }

    /// Advances playback by the elapsed time. Returns whether the screen must be redrawn.
    pub(in crate::tui) fn advance(&mut self, elapsed: Duration) -> bool {
        if let Some(run) = self.run.as_mut().filter(|run| run.has_events_to_drop()) {
            run.drop_events(None);
        }
        let behind = self.run.as_mut().filter(|run| run.has_unread_origins());
        let read = behind.map(RunPlayback::read_origins).is_some();
        self.play_on(elapsed) || read
    }

    fn play_on(&mut self, elapsed: Duration) -> bool {
        if let Some((_, waited)) = &mut self.coming {
            *waited += elapsed;
            if *waited < RUN_TIMEOUT {
                return false;
            }
            self.show_coming_when_ready();
            return true;
        }
        if self
            .search
            .as_ref()
            .is_some_and(|search| !search.waits && search.missing.is_none())
        {
            return self.search_on();
        }
        if let Some(run) = self.run.as_mut().filter(|run| run.heading.is_some()) {
            if run.missing.is_none() {
                run.continue_seek(BYTES_PER_FRAME);
                self.playing &= self.requests.looping || self.script.is_some() || !self.at_end();
                return true;
            }
            return false;
        }
        let Some(run) = self.run.as_ref().filter(|run| run.goal.is_none()) else {
            return false;
        };
        if !self.playing {
            return false;
        }
        if let Some((script, time)) = &mut self.script {
            *time += elapsed;
            let (turn, is_over) = (script.turn_at(*time, run.recording.turns()), *time >= script.duration());
            self.go(turn);
            if is_over {
                (self.playing, self.script) = (false, None);
            }
            return true;
        }
        if let Some(pause) = self.pause(run) {
            self.paused += elapsed;
            if self.paused < pause {
                return true;
            }
            let again = run.at_end();
            self.carry = 0.0;
            if again {
                self.paused = Duration::ZERO;
                self.go(0);
            }
            return true;
        }
        let (turn, last) = (run.cursor.turn(), run.recording.turns());
        if turn >= last {
            // Playback waits for more recorded turns; the waiting time must not count, or playback would jump later.
            self.carry = 0.0;
            return false;
        }
        self.carry += elapsed.as_secs_f64() * self.speed.rate();
        let turns = self.carry.floor();
        if turns < 1.0 {
            return false;
        }
        self.carry -= turns;
        self.paused = Duration::ZERO;
        self.go(turn.saturating_add(turns as u64).min(last));
        self.playing &= self.requests.looping || !self.at_end();
        true
    }
}
