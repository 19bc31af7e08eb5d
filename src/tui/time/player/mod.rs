//! The player: walks a recording while it is still being filled, and moves over to the next run after an
//! edit without losing its place.
//!
//! Knows no clock: [`TimeState::advance`] is told how much time went by.

mod deferred_drop;
mod passing;
mod speed;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use self::deferred_drop::DeferredDrop;
pub(super) use self::passing::LOOK;
pub(super) use self::speed::SPEEDS;
use self::speed::Speed;
use super::bookmarks::Bookmarks;
use super::event_search::EventSearch;
use super::guide::SearchEnd;
use super::run_playback::{PreviousRun, RunInfo, RunPlayback, SeekGoal};
use super::{TimeCommand, TimeUnit};
use crate::design::ValidDesign;
use crate::engine::{Clock, Grid, ITERATIONS_PER_GENERATION, Options};
use crate::geometry::Size;
use crate::recording::{EventChunk, Frame, Recording, RegrowRequest, TileOrigins};
use crate::reel::ReproductionCheck;

/// How long the old run stays on the screen while the new one has not reached its place.
const PATIENCE: Duration = Duration::from_millis(150);

/// What is shown of time.
#[derive(Debug)]
pub(crate) struct TimeState {
    pub(super) film: Option<RunPlayback>,
    /// The run that follows an edit, until it has reached the place of the one on the screen.
    coming: Option<(RunPlayback, Duration)>,
    /// What the latest run that was asked for is grown from, and how many films there were.
    ordered: Option<RunInfo>,
    films: u64,
    speed: Speed,
    pub(super) playing: bool,
    /// The part of the next turn that has gone by.
    carry: f64,
    dragged: bool,
    wishes: PlaybackOptions,
    /// For how long the film has stood at its start or its end.
    stood: Duration,
    pub(super) bookmarks: Bookmarks,
    pub(super) hunt: Option<EventSearch>,
    /// What the hunt that ended last came to, until it is told.
    pub(super) caught: Option<SearchEnd>,
    /// What is being grown again.
    pub(super) asked: Option<RegrowRequest>,
    /// What was on the screen before the last edit.
    before: Option<PreviousRun>,
    /// What nobody looks at any more: to drop something large at once would take a while.
    waste: Vec<DeferredDrop>,
}

/// What is wished of every film.
#[derive(Debug, Clone, Copy, Default)]
struct PlaybackOptions {
    /// Whether somebody wants to know who laid which tile.
    traces: bool,
    /// Whether a film that has come to its end begins anew.
    looping: bool,
    /// Whether the design is looked at before a film begins.
    looks: bool,
}

impl TimeState {
    /// Nothing to show yet; will play at a speed that suits a dungeon of this size.
    pub(crate) fn new(size: Size) -> Self {
        Self {
            film: None,
            coming: None,
            ordered: None,
            films: 0,
            speed: Speed::suited(size),
            playing: true,
            carry: 0.0,
            dragged: false,
            wishes: PlaybackOptions::default(),
            stood: Duration::ZERO,
            bookmarks: Bookmarks::default(),
            hunt: None,
            caught: None,
            asked: None,
            before: None,
            waste: Vec::new(),
        }
    }

    /// For another design: what the user chose for all films stays.
    pub(crate) fn renewed(&mut self, size: Size) -> Self {
        let mut waste = std::mem::take(&mut self.waste);
        let films = self.film.take().into_iter();
        waste.extend(
            films
                .chain(self.coming.take().map(|(film, _)| film))
                .map(DeferredDrop::of),
        );
        Self {
            wishes: self.wishes,
            waste,
            films: self.films,
            ..Self::new(size)
        }
    }

    /// Keeps the origins of tiles from now on, or no longer: they take memory. What was recorded so far is read
    /// in portions as time goes by.
    pub(crate) fn keep_origins(&mut self, wanted: bool) {
        self.wishes.traces = wanted;
        if let Some(film) = &mut self.film {
            if !wanted {
                self.waste.extend(film.origins.take().map(DeferredDrop::Origins));
            } else if film.origins.is_none() {
                film.origins = Some(TileOrigins::new(&film.recording));
                film.read_origins();
            }
        }
    }

    /// The origins of tiles of the run that is shown, as far as they were read; `None` while nobody keeps them.
    pub(crate) fn origins(&self) -> Option<&TileOrigins> {
        self.film.as_ref()?.origins.as_ref()
    }

    /// Notes what the run that begins next is grown from.
    pub(crate) fn order(&mut self, design: ValidDesign, options: Options) {
        self.ordered = Some(RunInfo {
            design,
            options,
            recorded: None,
        });
    }

    /// The same for a recording, which is not grown.
    pub(crate) fn order_recorded(&mut self, design: ValidDesign, options: Options) {
        self.ordered = Some(RunInfo {
            design,
            options,
            recorded: Some(Arc::default()),
        });
    }

    /// Another design that grows to the dungeon that was ordered last.
    pub(crate) fn order_alike(&mut self, design: ValidDesign) {
        if let Some(run) = &mut self.ordered {
            run.design = design;
        }
    }

    /// Notes what growing the latest recording again came to.
    pub(crate) fn grown_again(&mut self, again: ReproductionCheck) {
        if let Some(recorded) = self.ordered.as_ref().and_then(|run| run.recorded.as_ref()) {
            let _ = recorded.set(again);
        }
    }

    /// What was asked to be grown last.
    pub(crate) const fn ordered(&self) -> Option<&RunInfo> {
        self.ordered.as_ref()
    }

    /// A run began.
    pub(crate) fn started(&mut self, recording: Recording) {
        self.films += 1;
        let mut next = RunPlayback::new(recording, None);
        (next.run, next.number) = (self.ordered.clone(), self.films);
        match &self.film {
            None => {
                self.film = Some(next);
                self.keep_origins(self.wishes.traces);
            }
            Some(film) => {
                let goal = film.place();
                let waited = self.coming.take().map_or(Duration::ZERO, |(film, waited)| {
                    self.waste.push(DeferredDrop::of(film));
                    waited
                });
                next.goal = Some(goal);
                self.coming = Some((next, waited));
            }
        }
        self.settle();
    }

    /// The latest run went on.
    pub(crate) fn grown(&mut self, track: EventChunk) {
        if let Some(film) = self.latest() {
            film.recording.append(track);
            film.shed(None);
        }
        self.settle();
        self.wake_hunt();
    }

    /// The latest run is over.
    pub(crate) fn finished(&mut self) {
        if let Some(film) = self.latest() {
            film.recording.finish();
        }
        self.settle();
        self.wake_hunt();
    }

    /// A hunt that waits for growth has something to read.
    fn wake_hunt(&mut self) {
        if let Some(hunt) = &mut self.hunt {
            hunt.waits = false;
        }
    }

    fn latest(&mut self) -> Option<&mut RunPlayback> {
        self.coming.as_mut().map(|(film, _)| film).or(self.film.as_mut())
    }

    /// Puts the coming run on the screen when it is where it should be, or has been waited for enough.
    fn settle(&mut self) {
        if let Some((film, _)) = self
            .coming
            .take_if(|(film, waited)| film.has_reached() || *waited >= PATIENCE)
        {
            self.show(film);
        }
        if let (None, Some(film)) = (&self.coming, &mut self.film) {
            film.pursue();
            self.playing &= self.wishes.looping || !film.at_end();
        }
    }

    /// Puts another run in the place of the one on the screen.
    fn show(&mut self, film: RunPlayback) {
        if let Some(old) = &mut self.film
            // One that was still on its way when the next edit came was hardly seen.
            && (self.before.is_none() || !old.is_on_its_way())
        {
            self.before = Some(PreviousRun::of(old, self.before.take()));
        }
        self.waste.extend(self.film.replace(film).map(DeferredDrop::of));
        // What was looked for, or grown again, belongs to the run before.
        self.hunt = None;
        self.asked = None;
        self.keep_origins(self.wishes.traces);
    }

    /// Puts the coming run on the screen as it is: the user wants to move in it.
    pub(super) fn settle_now(&mut self) {
        if let Some((film, _)) = self.coming.take() {
            self.show(film);
            self.settle();
        }
    }

    /// Moves the film that is shown.
    pub(super) fn go(&mut self, turn: u64) {
        if let Some(film) = &mut self.film {
            film.seek(turn);
        }
    }

    fn at_end(&self) -> bool {
        self.film.as_ref().is_some_and(RunPlayback::at_end)
    }

    /// Does a command of the user.
    pub(crate) fn command(&mut self, command: TimeCommand) {
        self.settle_now();
        self.hunt = None;
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
            TimeCommand::Loop => self.wishes.looping = !self.wishes.looping,
            TimeCommand::Look => self.wishes.looks = !self.wishes.looks,
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

    /// Pauses at the end of a turn, or as far as the recording goes.
    pub(crate) fn seek(&mut self, turn: u64) {
        self.settle_now();
        self.playing = false;
        self.hunt = None;
        if let Some(film) = &mut self.film {
            film.stay();
            film.seek(turn);
        }
    }

    /// The dungeon at the moment that is shown; `None` before the first run has begun.
    pub(crate) fn frame(&self) -> Option<&Frame> {
        self.film.as_ref().map(|film| film.cursor.frame())
    }

    /// The dungeon as it was on the screen when an edit brought the run that is shown; `None` before the first edit.
    pub(crate) fn before(&self) -> Option<&Grid> {
        self.before.as_ref().map(PreviousRun::grid)
    }

    /// Whether another moment is shown than the one at which that edit came.
    pub(crate) fn is_elsewhere(&self) -> bool {
        let film = self.film.as_ref();
        film.zip(self.before.as_ref())
            .is_some_and(|(film, before)| before.is_left_by(film))
    }

    /// What the run that is shown was grown from.
    pub(crate) fn run(&self) -> Option<&RunInfo> {
        self.film.as_ref()?.run.as_ref()
    }

    /// A number that tells the run that is shown from all others; 0 before the first.
    pub(crate) fn run_number(&self) -> u64 {
        self.film.as_ref().map_or(0, |film| film.number)
    }

    /// The recording that is shown.
    pub(crate) fn recording(&self) -> Option<&Recording> {
        self.film.as_ref().map(|film| &film.recording)
    }

    /// The moment that is shown.
    pub(crate) fn clock(&self) -> Clock {
        self.film
            .as_ref()
            .map_or(Clock::default(), |film| film.recording.clock_at(film.cursor.turn()))
    }

    /// Turns that are over at the moment that is shown.
    pub(crate) fn turn(&self) -> u64 {
        self.film.as_ref().map_or(0, |film| film.cursor.turn())
    }

    /// Turns recorded so far.
    pub(crate) fn turns(&self) -> u64 {
        self.recording().map_or(0, Recording::turns)
    }

    /// Whether the film runs.
    pub(crate) const fn is_playing(&self) -> bool {
        self.playing
    }

    /// Whether a film that has come to its end begins anew.
    pub(super) const fn is_looping(&self) -> bool {
        self.wishes.looping
    }

    /// Whether the design is looked at before a film begins.
    pub(super) const fn looks(&self) -> bool {
        self.wishes.looks
    }

    /// Turns a second, to the nearest number.
    pub(crate) fn speed(&self) -> u32 {
        self.speed.rounded()
    }

    /// Plays so many turns a second, whether or not that is one of the usual speeds.
    pub(crate) fn run_at(&mut self, turns: f64) {
        self.speed.set(turns);
    }

    /// Whether the pointer drags the timeline.
    pub(crate) const fn is_dragged(&self) -> bool {
        self.dragged
    }

    /// Notes that the pointer begins or ends to drag the timeline.
    pub(crate) const fn drag(&mut self, dragged: bool) {
        self.dragged = dragged;
    }
}
