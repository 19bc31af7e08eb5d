//! Playback: plays a recording while it is still being filled, and after an edit switches to the next run without
//! losing its place. [`event_search`] finds events in it, and [`bookmarks`] are moments to return to.
//!
//! Has no clock of its own: [`TimeState::advance`] receives the elapsed time.

mod bookmarks;
mod event_search;
mod guide;
mod passing;
mod prediction;
mod run_playback;
mod speed;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use self::bookmarks::Bookmarks;
use self::event_search::EventSearch;
pub(in crate::tui) use self::event_search::{NEAR, description};
pub(in crate::tui) use self::guide::SearchEnd;
pub(in crate::tui) use self::passing::LOOK;
pub(in crate::tui) use self::run_playback::RunInfo;
use self::run_playback::{PreviousRun, RunPlayback, SeekGoal};
pub(in crate::tui) use self::speed::SPEEDS;
use self::speed::Speed;
use crate::background::drop_in_background;
use crate::design::ValidDesign;
use crate::engine::{Clock, Grid, ITERATIONS_PER_GENERATION, Options};
use crate::geometry::Size;
use crate::recording::{EventChunk, Frame, Recording, RegrowRequest, TileOrigins};
use crate::recording_file::ReproductionCheck;
use crate::tui::commands::{TimeCommand, TimeUnit};

/// Time for which the old run stays visible while the new one has not reached its place.
const RUN_TIMEOUT: Duration = Duration::from_millis(150);

/// The state of time: the run shown and the moment in it.
#[derive(Debug)]
pub(in crate::tui) struct TimeState {
    pub(in crate::tui) film: Option<RunPlayback>,
    /// Run that follows an edit, until it has reached the place of the visible one, with the time it has taken.
    coming: Option<(RunPlayback, Duration)>,
    /// What the latest requested run is grown from.
    ordered: Option<RunInfo>,
    /// Number of runs begun so far.
    films: u64,
    speed: Speed,
    pub(in crate::tui) playing: bool,
    /// Elapsed fraction of the next turn.
    carry: f64,
    dragged: bool,
    requests: PlaybackOptions,
    /// Time for which playback has paused at its start or its end.
    stood: Duration,
    pub(in crate::tui) bookmarks: Bookmarks,
    pub(in crate::tui) search: Option<EventSearch>,
    /// Result of the last search, until it is reported.
    pub(in crate::tui) caught: Option<SearchEnd>,
    /// Pending request to regrow events.
    pub(in crate::tui) asked: Option<RegrowRequest>,
    /// Dungeon that was visible before the last edit.
    before: Option<PreviousRun>,
}

/// The options that apply to every playback.
#[derive(Debug, Clone, Copy, Default)]
struct PlaybackOptions {
    /// Whether the origins of tiles are needed.
    traces: bool,
    /// Whether playback restarts after its end.
    looping: bool,
    /// Whether the design is shown before growth starts.
    looks: bool,
}

impl TimeState {
    /// Creates a state without a run, with a speed that suits a dungeon of this size.
    pub(in crate::tui) fn new(size: Size) -> Self {
        Self {
            film: None,
            coming: None,
            ordered: None,
            films: 0,
            speed: Speed::suited(size),
            playing: true,
            carry: 0.0,
            dragged: false,
            requests: PlaybackOptions::default(),
            stood: Duration::ZERO,
            bookmarks: Bookmarks::default(),
            search: None,
            caught: None,
            asked: None,
            before: None,
        }
    }

    /// Creates the state for another design; the user's playback options are kept.
    pub(in crate::tui) fn renewed(&mut self, size: Size) -> Self {
        drop_in_background((self.film.take(), self.coming.take()));
        Self {
            requests: self.requests,
            films: self.films,
            ..Self::new(size)
        }
    }

    /// Starts or stops tracking the origins of tiles, which take memory. Existing turns are read in portions as time
    /// passes.
    pub(in crate::tui) fn keep_origins(&mut self, wanted: bool) {
        self.requests.traces = wanted;
        if let Some(film) = &mut self.film {
            if !wanted {
                drop_in_background(film.origins.take());
            } else if film.origins.is_none() {
                film.origins = Some(TileOrigins::new(&film.recording));
                film.read_origins();
            }
        }
    }

    /// Returns the origins of tiles of the run shown, as far as they have been read; `None` while they are not tracked.
    pub(in crate::tui) fn origins(&self) -> Option<&TileOrigins> {
        self.film.as_ref()?.origins.as_ref()
    }

    /// Sets what the next run is grown from.
    pub(in crate::tui) fn order(&mut self, design: ValidDesign, options: Options) {
        self.ordered = Some(RunInfo {
            design,
            options,
            recorded: None,
        });
    }

    /// Sets the design and options of a recording that is played back rather than grown.
    pub(in crate::tui) fn order_recorded(&mut self, design: ValidDesign, options: Options) {
        self.ordered = Some(RunInfo {
            design,
            options,
            recorded: Some(Arc::default()),
        });
    }

    /// Sets another design that grows to the same dungeon as the last one set.
    pub(in crate::tui) fn order_alike(&mut self, design: ValidDesign) {
        if let Some(run) = &mut self.ordered {
            run.design = design;
        }
    }

    /// Sets the result of reproducing the latest recording.
    pub(in crate::tui) fn grown_again(&mut self, again: ReproductionCheck) {
        if let Some(recorded) = self.ordered.as_ref().and_then(|run| run.recorded.as_ref()) {
            let _ = recorded.set(again);
        }
    }

    /// Returns what the latest requested run is grown from.
    pub(in crate::tui) const fn ordered(&self) -> Option<&RunInfo> {
        self.ordered.as_ref()
    }

    /// Handles the start of a run.
    pub(in crate::tui) fn started(&mut self, recording: Recording) {
        self.films += 1;
        let mut next = RunPlayback::new(recording, None);
        (next.run, next.number) = (self.ordered.clone(), self.films);
        match &self.film {
            None => {
                self.film = Some(next);
                self.keep_origins(self.requests.traces);
            }
            Some(film) => {
                let goal = film.place();
                let waited = self.coming.take().map_or(Duration::ZERO, |(film, waited)| {
                    drop_in_background(film);
                    waited
                });
                next.goal = Some(goal);
                self.coming = Some((next, waited));
            }
        }
        self.settle();
    }

    /// Appends a chunk of events to the latest run.
    pub(in crate::tui) fn grown(&mut self, track: EventChunk) {
        if let Some(film) = self.latest() {
            film.recording.append(track);
            film.shed(None);
        }
        self.settle();
        self.wake_search();
    }

    /// Marks the latest run as finished.
    pub(in crate::tui) fn finished(&mut self) {
        if let Some(film) = self.latest() {
            film.recording.finish();
        }
        self.settle();
        self.wake_search();
    }

    /// Lets a search that waits for growth continue.
    fn wake_search(&mut self) {
        if let Some(search) = &mut self.search {
            search.waits = false;
        }
    }

    fn latest(&mut self) -> Option<&mut RunPlayback> {
        self.coming.as_mut().map(|(film, _)| film).or(self.film.as_mut())
    }

    /// Shows the coming run once it has reached its place, or after [`RUN_TIMEOUT`].
    fn settle(&mut self) {
        if let Some((film, _)) = self
            .coming
            .take_if(|(film, waited)| film.has_reached() || *waited >= RUN_TIMEOUT)
        {
            self.show(film);
        }
        if let (None, Some(film)) = (&self.coming, &mut self.film) {
            film.pursue();
            self.playing &= self.requests.looping || !film.at_end();
        }
    }

    /// Replaces the visible run by another.
    fn show(&mut self, film: RunPlayback) {
        if let Some(old) = &mut self.film
            // A run that was still seeking at the next edit was hardly visible.
            && (self.before.is_none() || !old.is_on_its_way())
        {
            self.before = Some(PreviousRun::of(old, self.before.take()));
        }
        drop_in_background(self.film.replace(film));
        // Searches and regrow requests belong to the previous run.
        self.search = None;
        self.asked = None;
        self.keep_origins(self.requests.traces);
    }

    /// Shows the coming run at once, because the user wants to move in it.
    pub(in crate::tui) fn settle_now(&mut self) {
        if let Some((film, _)) = self.coming.take() {
            self.show(film);
            self.settle();
        }
    }

    /// Seeks in the visible run.
    pub(in crate::tui) fn go(&mut self, turn: u64) {
        if let Some(film) = &mut self.film {
            film.seek(turn);
        }
    }

    fn at_end(&self) -> bool {
        self.film.as_ref().is_some_and(RunPlayback::at_end)
    }

    /// Runs a command of the user.
    pub(in crate::tui) fn command(&mut self, command: TimeCommand) {
        self.settle_now();
        self.search = None;
        match command {
            TimeCommand::Slower | TimeCommand::Faster => self.speed.change(command == TimeCommand::Faster),
            TimeCommand::Play => self.play(),
            TimeCommand::Start => self.seek(0),
            TimeCommand::End => {
                self.playing = false;
                if let Some(film) = &mut self.film {
                    film.stay();
                    film.goal = Some(SeekGoal::End);
                }
                self.settle();
            }
            TimeCommand::Forward(unit) => self.step(unit, true),
            TimeCommand::Back(unit) => self.step(unit, false),
            TimeCommand::Loop => self.requests.looping = !self.requests.looping,
            TimeCommand::Look => self.requests.looks = !self.requests.looks,
            TimeCommand::Bookmark | TimeCommand::ToBookmark { .. } | TimeCommand::Find { .. } | TimeCommand::GoTo => {}
        }
    }

    fn play(&mut self) {
        self.playing = !self.playing;
        self.carry = 0.0;
        self.stood = Duration::ZERO;
        if let Some(film) = &mut self.film {
            film.stay();
            if self.playing && film.at_end() {
                film.seek(0);
            }
        }
    }

    fn step(&mut self, unit: TimeUnit, forward: bool) {
        let Some(film) = &self.film else { return };
        let recording = &film.recording;
        let turn = film.target();
        let target = match (unit, forward) {
            (TimeUnit::Turn, true) => turn + 1,
            (TimeUnit::Turn, false) => turn.saturating_sub(1),
            (TimeUnit::Iteration, true) => recording.next_iteration(turn),
            (TimeUnit::Iteration, false) => recording.previous_iteration(turn),
            (TimeUnit::Generation, true) => {
                let next = recording.clock_at(turn).generation().saturating_add(1);
                recording.turn_of_iteration(next.saturating_mul(ITERATIONS_PER_GENERATION))
            }
            (TimeUnit::Generation, false) => {
                let before = recording.clock_at(turn.saturating_sub(1)).generation();
                recording.turn_of_iteration(before * ITERATIONS_PER_GENERATION)
            }
        };
        self.seek(target);
    }

    /// Pauses and seeks to the end of a turn, or as far as the recording goes.
    pub(in crate::tui) fn seek(&mut self, turn: u64) {
        self.settle_now();
        self.playing = false;
        self.search = None;
        if let Some(film) = &mut self.film {
            film.stay();
            film.seek(turn);
        }
    }

    /// Returns the dungeon at the moment shown; `None` before the first run has begun.
    pub(in crate::tui) fn frame(&self) -> Option<&Frame> {
        self.film.as_ref().map(|film| film.cursor.frame())
    }

    /// Returns the dungeon that was visible when an edit started the run shown; `None` before the first edit.
    pub(in crate::tui) fn before(&self) -> Option<&Grid> {
        self.before.as_ref().map(PreviousRun::grid)
    }

    /// Returns whether the moment shown differs from the one at that edit.
    pub(in crate::tui) fn is_elsewhere(&self) -> bool {
        let film = self.film.as_ref();
        film.zip(self.before.as_ref())
            .is_some_and(|(film, before)| before.is_left_by(film))
    }

    /// Returns what the run shown was grown from.
    pub(in crate::tui) fn run(&self) -> Option<&RunInfo> {
        self.film.as_ref()?.run.as_ref()
    }

    /// Returns a number that identifies the run shown; 0 before the first.
    pub(in crate::tui) fn run_number(&self) -> u64 {
        self.film.as_ref().map_or(0, |film| film.number)
    }

    /// Returns the recording shown.
    pub(in crate::tui) fn recording(&self) -> Option<&Recording> {
        self.film.as_ref().map(|film| &film.recording)
    }

    /// Returns the clock at the moment shown.
    pub(in crate::tui) fn clock(&self) -> Clock {
        self.film
            .as_ref()
            .map_or(Clock::default(), |film| film.recording.clock_at(film.cursor.turn()))
    }

    /// Returns the number of completed turns at the moment shown.
    pub(in crate::tui) fn turn(&self) -> u64 {
        self.film.as_ref().map_or(0, |film| film.cursor.turn())
    }

    /// Returns the number of turns recorded so far.
    pub(in crate::tui) fn turns(&self) -> u64 {
        self.recording().map_or(0, Recording::turns)
    }

    /// Returns whether playback is running.
    pub(in crate::tui) const fn is_playing(&self) -> bool {
        self.playing
    }

    /// Returns whether playback restarts after its end.
    pub(in crate::tui) const fn is_looping(&self) -> bool {
        self.requests.looping
    }

    /// Returns whether the design is shown before growth starts.
    pub(in crate::tui) const fn looks(&self) -> bool {
        self.requests.looks
    }

    /// Returns the speed in turns per second, rounded.
    pub(in crate::tui) fn speed(&self) -> u32 {
        self.speed.rounded()
    }

    /// Sets the speed in turns per second, which need not be one of [`SPEEDS`].
    pub(in crate::tui) fn run_at(&mut self, turns: f64) {
        self.speed.set(turns);
    }

    /// Returns whether the pointer drags the timeline.
    pub(in crate::tui) const fn is_dragged(&self) -> bool {
        self.dragged
    }

    /// Sets whether the pointer drags the timeline.
    pub(in crate::tui) const fn drag(&mut self, dragged: bool) {
        self.dragged = dragged;
    }
}
