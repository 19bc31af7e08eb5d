//! Playback: plays a recording, even while growth still appends to it. After an edit, it switches to the new run and
//! shows the same moment of that run. [`event_search`] finds events in the recording, and [`bookmarks`] are moments to
//! return to.
//!
//! Playback reads no clock: callers pass the elapsed time to [`TimeState::advance`].

mod bookmarks;
mod event_search;
mod guide;
mod passing;
mod prediction;
mod run_playback;
mod speed;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};
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
use crate::recording::{EventChunk, Frame, MomentScript, Recording, RegrowRequest, TileOrigins};
use crate::recording_file::ReproductionCheck;
use crate::tui::commands::{TimeCommand, TimeUnit};

/// Maximum time for which the old run stays visible while the new run grows up to the moment that the old run shows.
const RUN_TIMEOUT: Duration = Duration::from_millis(150);

/// The state of playback: the run shown, and the moment of that run that is shown.
#[derive(Debug)]
pub(in crate::tui) struct TimeState {
    pub(in crate::tui) run: Option<RunPlayback>,
    /// The run that replaces the visible run after an edit, and how long it has been waiting; `None` once it is shown.
    coming: Option<(RunPlayback, Duration)>,
    /// The inputs of the latest requested run.
    ordered: Option<RunInfo>,
    /// Number of runs requested so far.
    orders: u64,
    /// Turn at which the first run is shown, paused; `None` to play the first run from its start.
    opening: Option<u64>,
    /// Number of runs begun so far.
    runs: u64,
    speed: Speed,
    pub(in crate::tui) playing: bool,
    /// Fraction of the next turn that has elapsed, from 0 to 1.
    carry: f64,
    dragged: bool,
    /// The script of moments that is played, and the time since its start.
    script: Option<(MomentScript, Duration)>,
    requests: PlaybackOptions,
    /// How long the current pause, at the start or the end of playback, has lasted.
    paused: Duration,
    pub(in crate::tui) bookmarks: Bookmarks,
    pub(in crate::tui) search: Option<EventSearch>,
    /// Result of the last search; `None` once it has been reported to the user.
    pub(in crate::tui) caught: Option<SearchEnd>,
    /// Pending request to regrow events.
    pub(in crate::tui) requested: Option<RegrowRequest>,
    /// Dungeon that was visible before the last edit.
    before: Option<PreviousRun>,
}

/// The options that apply to every playback.
#[derive(Debug, Clone, Copy, Default)]
struct PlaybackOptions {
    /// Whether the origins of tiles are tracked.
    traces: bool,
    /// Whether playback restarts when it reaches the end.
    looping: bool,
    /// Whether the design is shown before growth starts.
    shows_design: bool,
}

impl TimeState {
    /// Creates a state without a run, with a speed that suits a dungeon of `size`.
    pub(in crate::tui) fn new(size: Size) -> Self {
        Self {
            run: None,
            coming: None,
            ordered: None,
            orders: 0,
            opening: None,
            runs: 0,
            speed: Speed::suited(size),
            playing: true,
            carry: 0.0,
            dragged: false,
            script: None,
            requests: PlaybackOptions::default(),
            paused: Duration::ZERO,
            bookmarks: Bookmarks::default(),
            search: None,
            caught: None,
            requested: None,
            before: None,
        }
    }

    /// Creates the state for another design of `size`; keeps the user's playback options.
    pub(in crate::tui) fn renewed(&mut self, size: Size) -> Self {
        drop_in_background((self.run.take(), self.coming.take()));
        Self {
            requests: self.requests,
            runs: self.runs,
            ..Self::new(size)
        }
    }

    /// Starts or stops tracking the origins of tiles; tracking takes memory. Turns that are already recorded are read
    /// in portions, one per call of [`Self::advance`].
    pub(in crate::tui) fn keep_origins(&mut self, wanted: bool) {
        self.requests.traces = wanted;
        if let Some(run) = &mut self.run {
            if !wanted {
                drop_in_background(run.origins.take());
            } else if run.origins.is_none() {
                run.origins = Some(TileOrigins::new(&run.recording));
                run.read_origins();
            }
        }
    }

    /// Returns the origins of the visible run's tiles, as far as they have been read; `None` while origins are not
    /// tracked.
    pub(in crate::tui) fn origins(&self) -> Option<&TileOrigins> {
        self.run.as_ref()?.origins.as_ref()
    }

    /// Returns whether some recorded turns have not been read into the tracked origins yet. Their events may have been
    /// dropped, and must then be regrown first.
    pub(in crate::tui) fn is_reading_origins(&self) -> bool {
        let run = self.run.as_ref();
        run.is_some_and(|run| run.has_unread_origins() || run.missing_origin().is_some())
    }

    /// Sets the design and options of the next run.
    pub(in crate::tui) fn order(&mut self, design: ValidDesign, options: Options) {
        self.order_run(design, options, None);
    }

    /// Sets the design and options of a recording that is played back rather than grown.
    pub(in crate::tui) fn order_recorded(&mut self, design: ValidDesign, options: Options) {
        self.order_run(design, options, Some(Arc::default()));
    }

    fn order_run(&mut self, design: ValidDesign, options: Options, recorded: Option<Arc<OnceLock<ReproductionCheck>>>) {
        self.orders += 1;
        self.ordered = Some(RunInfo {
            request: self.orders,
            design,
            options,
            recorded,
        });
    }

    /// Replaces the design of the next run with a design that grows the same dungeon.
    pub(in crate::tui) fn order_alike(&mut self, design: ValidDesign) {
        if let Some(run) = &mut self.ordered {
            run.design = design;
        }
    }

    /// Stores whether this program reproduces the latest recording.
    pub(in crate::tui) fn set_reproduction(&mut self, again: ReproductionCheck) {
        if let Some(recorded) = self.ordered.as_ref().and_then(|run| run.recorded.as_ref()) {
            let _ = recorded.set(again);
        }
    }

    /// Makes the first run open paused at `turn` instead of playing from its start.
    pub(in crate::tui) const fn open_at(&mut self, turn: u64) {
        self.opening = Some(turn);
    }

    /// Returns whether the latest requested run has grown to its end and is shown, with no seek in progress.
    pub(in crate::tui) fn is_grown(&self) -> bool {
        let shown = self.run.as_ref().filter(|_| self.coming.is_none());
        shown.zip(self.ordered.as_ref()).is_some_and(|(shown, ordered)| {
            let is_same = shown.run.as_ref().is_some_and(|run| {
                run.design.grows_like(&ordered.design) && run.design.pieces() == ordered.design.pieces()
            });
            is_same && shown.recording.is_finished() && !shown.is_seeking()
        })
    }

    /// Returns whether the latest requested run is shown.
    pub(in crate::tui) fn shows_latest(&self) -> bool {
        let request = |run: &RunInfo| run.request;
        self.coming.is_none() && self.run().map(request) == self.ordered().map(request)
    }

    /// Returns whether a seek is in progress in the run shown.
    pub(in crate::tui) fn is_seeking(&self) -> bool {
        self.run.as_ref().is_some_and(RunPlayback::is_seeking)
    }

    /// Returns the inputs of the latest requested run.
    pub(in crate::tui) const fn ordered(&self) -> Option<&RunInfo> {
        self.ordered.as_ref()
    }

    /// Handles the start of a run: shows it if it is the first one, or else prepares it to replace the visible run.
    pub(in crate::tui) fn started(&mut self, recording: Recording) {
        self.runs += 1;
        let mut next = RunPlayback::new(recording, None);
        (next.run, next.number) = (self.ordered.clone(), self.runs);
        match &self.run {
            None => {
                if let Some(turn) = self.opening.take() {
                    next.goal = Some(SeekGoal::Turn(turn));
                    self.playing = false;
                }
                self.run = Some(next);
                self.keep_origins(self.requests.traces);
            }
            Some(run) => {
                // If the visible run has no turns, the new run is the first to grow anything: play it from its start.
                let is_first = run.recording.is_finished() && run.recording.turns() == 0;
                self.playing |= is_first;
                let goal = (!is_first).then(|| run.place());
                let waited = self.coming.take().map_or(Duration::ZERO, |(run, waited)| {
                    drop_in_background(run);
                    waited
                });
                next.goal = goal;
                self.coming = Some((next, waited));
            }
        }
        self.show_coming_when_ready();
    }

    /// Appends a chunk of events to the latest run.
    pub(in crate::tui) fn append(&mut self, chunk: EventChunk) {
        if let Some(run) = self.latest() {
            run.recording.append(chunk);
            run.drop_events(None);
        }
        self.show_coming_when_ready();
        self.resume_search();
    }

    /// Marks the latest run as finished.
    pub(in crate::tui) fn finished(&mut self) {
        if let Some(run) = self.latest() {
            run.recording.finish();
        }
        self.show_coming_when_ready();
        self.resume_search();
    }

    /// Resumes a search that waits for more growth.
    fn resume_search(&mut self) {
        if let Some(search) = &mut self.search {
            search.waits = false;
        }
    }

    fn latest(&mut self) -> Option<&mut RunPlayback> {
        self.coming.as_mut().map(|(run, _)| run).or(self.run.as_mut())
    }

    /// Shows the coming run if it has grown up to the moment of the visible run, or has waited for [`RUN_TIMEOUT`].
    fn show_coming_when_ready(&mut self) {
        if let Some((run, _)) = self
            .coming
            .take_if(|(run, waited)| run.has_reached() || *waited >= RUN_TIMEOUT)
        {
            self.show(run);
        }
        if let (None, Some(run)) = (&self.coming, &mut self.run) {
            run.seek_goal();
            self.playing &= self.requests.looping || !run.at_end();
        }
    }

    /// Replaces the visible run with another.
    fn show(&mut self, run: RunPlayback) {
        if let Some(old) = &mut self.run
            // If the replaced run was still seeking, it was hardly visible, so `before`, if it is set, stays unchanged.
            && (self.before.is_none() || !old.is_seeking())
        {
            self.before = Some(PreviousRun::of(old));
        }
        drop_in_background(self.run.replace(run));
        // Searches and regrow requests belong to the previous run.
        self.search = None;
        self.requested = None;
        self.keep_origins(self.requests.traces);
    }

    /// Shows the coming run without waiting for its growth, because the user is about to seek in it.
    pub(in crate::tui) fn show_coming(&mut self) {
        if let Some((run, _)) = self.coming.take() {
            self.show(run);
            self.show_coming_when_ready();
        }
    }

    /// Seeks to a turn of the visible run.
    pub(in crate::tui) fn go(&mut self, turn: u64) {
        if let Some(run) = &mut self.run {
            run.seek(turn);
        }
    }

    fn at_end(&self) -> bool {
        self.run.as_ref().is_some_and(RunPlayback::at_end)
    }

    /// Runs a command of the user.
    pub(in crate::tui) fn command(&mut self, command: TimeCommand) {
        self.show_coming();
        self.search = None;
        match command {
            TimeCommand::Slower | TimeCommand::Faster => self.speed.change(command == TimeCommand::Faster),
            TimeCommand::Play => self.play(),
            TimeCommand::Start => self.seek(0),
            TimeCommand::End => {
                (self.playing, self.script) = (false, None);
                if let Some(run) = &mut self.run {
                    run.cancel_seek();
                    run.goal = Some(SeekGoal::End);
                }
                self.show_coming_when_ready();
            }
            TimeCommand::Forward(unit) => self.step(unit, true),
            TimeCommand::Back(unit) => self.step(unit, false),
            TimeCommand::Loop => self.requests.looping = !self.requests.looping,
            TimeCommand::Look => self.requests.shows_design = !self.requests.shows_design,
            TimeCommand::Bookmark | TimeCommand::ToBookmark { .. } | TimeCommand::Find { .. } | TimeCommand::GoTo => {}
        }
    }

    fn play(&mut self) {
        self.playing = !self.playing;
        self.carry = 0.0;
        self.paused = Duration::ZERO;
        if let Some(run) = &mut self.run {
            run.cancel_seek();
            // At the end, playback restarts; but a script that was paused while it showed the end continues there.
            if self.playing && run.at_end() && self.script.is_none() {
                run.seek(0);
            }
        }
    }

    fn step(&mut self, unit: TimeUnit, forward: bool) {
        let Some(run) = &self.run else { return };
        let recording = &run.recording;
        let turn = run.target();
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

    /// Pauses and seeks to the end of a turn, or to the last recorded turn if that is earlier.
    pub(in crate::tui) fn seek(&mut self, turn: u64) {
        self.show_coming();
        (self.playing, self.script) = (false, None);
        self.search = None;
        if let Some(run) = &mut self.run {
            run.cancel_seek();
            run.seek(turn);
        }
    }

    /// Plays a script of moments from its start.
    pub(in crate::tui) fn play_script(&mut self, script: MomentScript) {
        self.seek(script.turn_at(Duration::ZERO, self.turns()));
        self.script = Some((script, Duration::ZERO));
        self.playing = true;
    }

    /// Returns the dungeon at the moment shown; `None` before the first run has begun.
    pub(in crate::tui) fn frame(&self) -> Option<&Frame> {
        self.run.as_ref().map(|run| run.cursor.frame())
    }

    /// Returns the dungeon that was visible when an edit started the run shown; `None` before the first edit.
    pub(in crate::tui) fn before(&self) -> Option<&Grid> {
        self.before.as_ref().map(PreviousRun::grid)
    }

    /// Returns whether the user has moved to another moment since the edit that started the run shown.
    pub(in crate::tui) fn has_moved(&self) -> bool {
        let run = self.run.as_ref();
        run.zip(self.before.as_ref())
            .is_some_and(|(run, before)| before.is_left_by(run))
    }

    /// Returns the inputs of the run shown.
    pub(in crate::tui) fn run(&self) -> Option<&RunInfo> {
        self.run.as_ref()?.run.as_ref()
    }

    /// Returns a number that identifies the run shown; 0 before the first run.
    pub(in crate::tui) fn run_number(&self) -> u64 {
        self.run.as_ref().map_or(0, |run| run.number)
    }

    /// Returns the recording shown.
    pub(in crate::tui) fn recording(&self) -> Option<&Recording> {
        self.run.as_ref().map(|run| &run.recording)
    }

    /// Returns the clock at the moment shown.
    pub(in crate::tui) fn clock(&self) -> Clock {
        self.run
            .as_ref()
            .map_or(Clock::default(), |run| run.recording.clock_at(run.cursor.turn()))
    }

    /// Returns the number of completed turns at the moment shown.
    pub(in crate::tui) fn turn(&self) -> u64 {
        self.run.as_ref().map_or(0, |run| run.cursor.turn())
    }

    /// Returns the number of turns recorded so far.
    pub(in crate::tui) fn turns(&self) -> u64 {
        self.recording().map_or(0, Recording::turns)
    }

    /// Returns whether playback is running.
    pub(in crate::tui) const fn is_playing(&self) -> bool {
        self.playing
    }

    /// Returns whether playback restarts when it reaches the end.
    pub(in crate::tui) const fn is_looping(&self) -> bool {
        self.requests.looping
    }

    /// Returns whether the design is shown before growth starts.
    pub(in crate::tui) const fn shows_design(&self) -> bool {
        self.requests.shows_design
    }

    /// Returns the speed in turns per second, rounded.
    pub(in crate::tui) fn speed(&self) -> u32 {
        self.speed.rounded()
    }

    /// Returns the speed in turns per second.
    pub(in crate::tui) fn rate(&self) -> f64 {
        self.speed.rate()
    }

    /// Returns whether a script of moments is being played or is paused; the script then determines the speed.
    pub(in crate::tui) const fn has_script(&self) -> bool {
        self.script.is_some()
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
