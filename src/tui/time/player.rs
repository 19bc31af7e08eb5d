//! The player: walks a recording while it is still being filled, and moves over to the next run after an
//! edit without losing its place.
//!
//! Knows no clock: [`State::advance`] is told how much time went by.

use std::sync::Arc;
use std::time::Duration;

use super::bookmarks::Bookmarks;
use super::film::{BYTES_PER_FRAME, Before, Film, Goal, Run};
use super::guide::Caught;
use super::hunt::Hunt;
use super::{Command, Unit};
use crate::design::ValidDesign;
use crate::engine::{Clock, Grid, ITERATIONS_PER_GENERATION, Options};
use crate::geometry::Size;
use crate::recording::{Errand, Frame, Origins, Recording, Track};
use crate::reel::Again;

/// Turns a second, from slowest to fastest. The last shows all there is in one frame.
pub(super) const SPEEDS: [u32; 18] = [
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    1_000_000,
    u32::MAX,
];

/// Least time between two frames of a running film.
const FRAME: Duration = Duration::from_millis(33);

/// How long the old run stays on the screen while the new one has not reached its place.
const PATIENCE: Duration = Duration::from_millis(150);

/// How long the design is looked at before growth, where that is wished.
pub(super) const LOOK: Duration = Duration::from_secs(3);

/// How long the end stands before a looping film begins anew.
const END: Duration = Duration::from_secs(1);

/// Squares of a dungeon for each turn a second that it is first shown with: a growth of about ten seconds.
const SQUARES_PER_SPEED: u64 = 80;

/// What is shown of time.
#[derive(Debug)]
pub(crate) struct State {
    pub(super) film: Option<Film>,
    /// The run that follows an edit, until it has reached the place of the one on the screen.
    coming: Option<(Film, Duration)>,
    /// What the latest run that was asked for is grown from, and how many films there were.
    ordered: Option<Run>,
    films: u64,
    speed: usize,
    /// Turns a second that are none of [`SPEEDS`], in their place.
    own_speed: Option<f64>,
    pub(super) playing: bool,
    /// The part of the next turn that has gone by.
    carry: f64,
    dragged: bool,
    wishes: Wishes,
    /// For how long the film has stood at its start or its end.
    stood: Duration,
    pub(super) bookmarks: Bookmarks,
    pub(super) hunt: Option<Hunt>,
    /// What the hunt that ended last came to, until it is told.
    pub(super) caught: Option<Caught>,
    /// What is being grown again.
    pub(super) asked: Option<Errand>,
    /// What was on the screen before the last edit.
    before: Option<Before>,
    /// What nobody looks at any more: to drop something large at once would take a while.
    waste: Vec<Waste>,
}

/// What is taken apart, a little at a time.
#[derive(Debug)]
enum Waste {
    Film(Box<Film>),
    Origins(Origins),
}

impl Waste {
    fn of(film: Film) -> Self {
        Self::Film(Box::new(film))
    }

    /// Takes a little of it apart; whether anything is left.
    fn dismantle(&mut self) -> bool {
        match self {
            Self::Film(film) => film.dismantle(),
            Self::Origins(origins) => origins.dismantle(),
        }
    }
}

/// What is wished of every film.
#[derive(Debug, Clone, Copy, Default)]
struct Wishes {
    /// Whether somebody wants to know who laid which tile.
    traces: bool,
    /// Whether a film that has come to its end begins anew.
    looping: bool,
    /// Whether the design is looked at before a film begins.
    looks: bool,
}

impl State {
    /// Nothing to show yet; will play at a speed that suits a dungeon of this size.
    pub(crate) fn new(size: Size) -> Self {
        let suited = (size.squares() / SQUARES_PER_SPEED).min(100_000);
        let speed = SPEEDS.partition_point(|speed| u64::from(*speed) < suited);
        Self {
            film: None,
            coming: None,
            ordered: None,
            films: 0,
            speed,
            own_speed: None,
            playing: true,
            carry: 0.0,
            dragged: false,
            wishes: Wishes::default(),
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
        waste.extend(films.chain(self.coming.take().map(|(film, _)| film)).map(Waste::of));
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
                self.waste.extend(film.origins.take().map(Waste::Origins));
            } else if film.origins.is_none() {
                film.origins = Some(Origins::new(&film.recording));
                film.read_origins();
            }
        }
    }

    /// The origins of tiles of the run that is shown, as far as they were read; `None` while nobody keeps them.
    pub(crate) fn origins(&self) -> Option<&Origins> {
        self.film.as_ref()?.origins.as_ref()
    }

    /// Notes what the run that begins next is grown from.
    pub(crate) fn order(&mut self, design: ValidDesign, options: Options) {
        self.ordered = Some(Run {
            design,
            options,
            recorded: None,
        });
    }

    /// The same for a recording, which is not grown.
    pub(crate) fn order_recorded(&mut self, design: ValidDesign, options: Options) {
        self.ordered = Some(Run {
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
    pub(crate) fn grown_again(&mut self, again: Again) {
        if let Some(recorded) = self.ordered.as_ref().and_then(|run| run.recorded.as_ref()) {
            let _ = recorded.set(again);
        }
    }

    /// What was asked to be grown last.
    pub(crate) const fn ordered(&self) -> Option<&Run> {
        self.ordered.as_ref()
    }

    /// A run began.
    pub(crate) fn started(&mut self, recording: Recording) {
        self.films += 1;
        let mut next = Film::new(recording, None);
        (next.run, next.number) = (self.ordered.clone(), self.films);
        match &self.film {
            None => {
                self.film = Some(next);
                self.keep_origins(self.wishes.traces);
            }
            Some(film) => {
                let goal = film.place();
                let waited = self.coming.take().map_or(Duration::ZERO, |(film, waited)| {
                    self.waste.push(Waste::of(film));
                    waited
                });
                next.goal = Some(goal);
                self.coming = Some((next, waited));
            }
        }
        self.settle();
    }

    /// The latest run went on.
    pub(crate) fn grown(&mut self, track: Track) {
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

    fn latest(&mut self) -> Option<&mut Film> {
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
    fn show(&mut self, film: Film) {
        if let Some(old) = &mut self.film
            // One that was still on its way when the next edit came was hardly seen.
            && (self.before.is_none() || !old.is_on_its_way())
        {
            self.before = Some(Before::of(old, self.before.take()));
        }
        self.waste.extend(self.film.replace(film).map(Waste::of));
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

    /// Whether nothing grows or moves: the run is whole, and no film plays.
    pub(crate) fn is_calm(&self) -> bool {
        let film = self.film.as_ref().filter(|_| self.coming.is_none());
        let is_still = |film: &Film| film.goal.is_none() && film.heading.is_none() && (!self.playing || film.at_end());
        film.is_some_and(|film| is_still(film) && (film.recording.is_finished() || !self.playing))
    }

    /// In what time [`State::advance`] changes something; `None`: never by itself.
    pub(crate) fn next_change(&self) -> Option<Duration> {
        if let Some((_, waited)) = &self.coming {
            return Some(PATIENCE.saturating_sub(*waited));
        }
        let hunts = self
            .hunt
            .as_ref()
            .is_some_and(|hunt| !hunt.waits && hunt.missing.is_none());
        if hunts || self.wanted().is_some() {
            return Some(Duration::ZERO);
        }
        let waste = (!self.waste.is_empty()).then_some(Duration::from_millis(1));
        let Some(film) = &self.film else { return waste };
        if film.heading.is_some() && film.missing.is_none() {
            return Some(Duration::ZERO);
        }
        if film.is_behind() || film.sheds() || waste.is_some() {
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
            // The seconds that are left are shown.
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
        let until_turn = (1.0 - self.carry).max(0.0) / self.rate();
        Some(
            Duration::try_from_secs_f64(until_turn)
                .unwrap_or(Duration::MAX)
                .max(FRAME),
        )
    }

    /// How long a running film stands where it is: at its start when the design is looked at, at its end before it
    /// begins anew.
    fn pause(&self, film: &Film) -> Option<Duration> {
        if film.at_end() {
            self.wishes.looping.then_some(END)
        } else {
            (film.cursor.turn() == 0 && self.wishes.looks && self.stood < LOOK).then_some(LOOK)
        }
    }

    /// How much longer the design is looked at before growth, while it is.
    pub(super) fn looking(&self) -> Option<Duration> {
        let film = self.film.as_ref().filter(|film| self.playing && !film.at_end())?;
        self.pause(film).map(|pause| pause.saturating_sub(self.stood))
    }

    /// Lets time go by; whether the screen changed.
    pub(crate) fn advance(&mut self, elapsed: Duration) -> bool {
        if let Some(waste) = self.waste.last_mut()
            && !waste.dismantle()
        {
            self.waste.pop();
        }
        if let Some(film) = self.film.as_mut().filter(|film| film.sheds()) {
            film.shed(None);
        }
        let behind = self.film.as_mut().filter(|film| film.is_behind());
        let read = behind.map(Film::read_origins).is_some();
        self.play_on(elapsed) || read
    }

    fn play_on(&mut self, elapsed: Duration) -> bool {
        if let Some((_, waited)) = &mut self.coming {
            *waited += elapsed;
            if *waited < PATIENCE {
                return false;
            }
            self.settle();
            return true;
        }
        if self
            .hunt
            .as_ref()
            .is_some_and(|hunt| !hunt.waits && hunt.missing.is_none())
        {
            return self.hunt_on();
        }
        if let Some(film) = self.film.as_mut().filter(|film| film.heading.is_some()) {
            if film.missing.is_none() {
                film.go_on(BYTES_PER_FRAME);
                self.playing &= self.wishes.looping || !self.at_end();
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
            // Waiting at the end of what is recorded: the time does not count.
            self.carry = 0.0;
            return false;
        }
        self.carry += elapsed.as_secs_f64() * self.rate();
        let turns = self.carry.floor();
        if turns < 1.0 {
            return false;
        }
        self.carry -= turns;
        self.stood = Duration::ZERO;
        self.go(turn.saturating_add(turns as u64).min(last));
        self.playing &= self.wishes.looping || !self.at_end();
        true
    }

    /// Moves the film that is shown.
    pub(super) fn go(&mut self, turn: u64) {
        if let Some(film) = &mut self.film {
            film.seek(turn);
        }
    }

    fn at_end(&self) -> bool {
        self.film.as_ref().is_some_and(Film::at_end)
    }

    /// Does a command of the user.
    pub(crate) fn command(&mut self, command: Command) {
        self.settle_now();
        self.hunt = None;
        match command {
            Command::Slower | Command::Faster => self.change_speed(command == Command::Faster),
            Command::Play => self.play(),
            Command::Start => self.seek(0),
            Command::End => {
                self.playing = false;
                if let Some(film) = &mut self.film {
                    film.stay();
                    film.goal = Some(Goal::End);
                }
                self.settle();
            }
            Command::Forward(unit) => self.step(unit, true),
            Command::Back(unit) => self.step(unit, false),
            Command::Loop => self.wishes.looping = !self.wishes.looping,
            Command::Look => self.wishes.looks = !self.wishes.looks,
            Command::Bookmark | Command::ToBookmark { .. } | Command::Find { .. } | Command::GoTo => {}
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

    fn step(&mut self, unit: Unit, forward: bool) {
        let Some(film) = &self.film else { return };
        let recording = &film.recording;
        let turn = film.target();
        let target = match (unit, forward) {
            (Unit::Turn, true) => turn + 1,
            (Unit::Turn, false) => turn.saturating_sub(1),
            (Unit::Iteration, true) => recording.next_iteration(turn),
            (Unit::Iteration, false) => recording.previous_iteration(turn),
            (Unit::Generation, true) => {
                let next = recording.clock_at(turn).generation().saturating_add(1);
                recording.turn_of_iteration(next.saturating_mul(ITERATIONS_PER_GENERATION))
            }
            (Unit::Generation, false) => {
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
        self.before.as_ref().map(Before::grid)
    }

    /// Whether another moment is shown than the one at which that edit came.
    pub(crate) fn is_elsewhere(&self) -> bool {
        let film = self.film.as_ref();
        film.zip(self.before.as_ref())
            .is_some_and(|(film, before)| before.is_left_by(film))
    }

    /// What the run that is shown was grown from.
    pub(crate) fn run(&self) -> Option<&Run> {
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
        self.own_speed.map_or(SPEEDS[self.speed], |speed| speed.round() as u32)
    }

    fn rate(&self) -> f64 {
        self.own_speed.unwrap_or_else(|| f64::from(SPEEDS[self.speed]))
    }

    /// Plays so many turns a second, whether or not that is one of the usual speeds.
    pub(crate) fn run_at(&mut self, turns: f64) {
        self.own_speed = Some(turns).filter(|turns| *turns > 0.0);
    }

    /// The next of the usual speeds.
    fn change_speed(&mut self, faster: bool) {
        let Some(own) = self.own_speed.take() else {
            let next = if faster {
                self.speed + 1
            } else {
                self.speed.saturating_sub(1)
            };
            self.speed = next.min(SPEEDS.len() - 1);
            return;
        };
        let below = SPEEDS.partition_point(|speed| f64::from(*speed) < own);
        let upto = SPEEDS.partition_point(|speed| f64::from(*speed) <= own);
        self.speed = if faster { upto } else { below.saturating_sub(1) }.min(SPEEDS.len() - 1);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture::spiral;

    const SIZE: Size = Size::new(40, 60);

    /// A player that shows a finished run of some generations.
    fn shown(generations: u32) -> State {
        let mut state = State::new(SIZE);
        deliver(&mut state, generations);
        state
    }

    fn deliver(state: &mut State, generations: u32) {
        let (start, prelude, track) = spiral(generations);
        state.started(Recording::new(start, prelude));
        state.grown(track);
        state.finished();
    }

    #[test]
    fn it_plays_at_its_speed_and_stops_at_the_end() {
        let mut state = shown(5);
        assert!(state.is_playing());
        state.command(Command::Play);
        while state.speed() > 10 {
            state.command(Command::Slower);
        }
        state.command(Command::Play);
        for _ in 0..10 {
            state.advance(Duration::from_millis(50));
        }
        assert_eq!(state.clock().turn, 5);
        assert!(!state.advance(Duration::from_millis(60)), "no turn is due yet");
        state.advance(Duration::from_secs(100));
        assert_eq!(state.clock().turn, state.turns());
        assert!(!state.is_playing());
        assert_eq!(state.next_change(), None);
        state.command(Command::Play);
        assert_eq!(state.clock().turn, 0, "playing at the end begins anew");
    }

    #[test]
    fn it_waits_at_the_end_of_what_is_recorded() {
        let mut state = State::new(SIZE);
        let (start, prelude, track) = spiral(5);
        state.started(Recording::new(start, prelude));
        assert!(!state.advance(Duration::from_secs(5)));
        assert_eq!(state.next_change(), None);
        assert!(state.is_playing());
        state.grown(track);
        state.advance(Duration::from_millis(20));
        assert!(
            (1..5).contains(&state.clock().turn),
            "the waiting did not count: {:?}",
            state.clock()
        );
    }

    #[test]
    fn steps_go_there_and_back() {
        for unit in [Unit::Turn, Unit::Iteration, Unit::Generation] {
            let mut state = shown(5);
            state.command(Command::Start);
            let mut moments = vec![state.clock()];
            loop {
                state.command(Command::Forward(unit));
                if moments.last() == Some(&state.clock()) {
                    break;
                }
                moments.push(state.clock());
            }
            assert_eq!(moments.len(), if unit == Unit::Generation { 6 } else { 36 }, "{unit:?}");
            for moment in moments.iter().rev().skip(1) {
                state.command(Command::Back(unit));
                assert_eq!(state.clock(), *moment, "{unit:?}");
            }
        }
    }

    #[test]
    fn a_new_run_is_shown_at_the_end_when_the_old_one_was() {
        let mut state = shown(5);
        state.command(Command::End);
        let (start, prelude, track) = spiral(7);
        state.started(Recording::new(start, prelude));
        state.grown(track);
        assert_eq!(state.turns(), 35, "the old run stays until the new one is grown");
        assert!(!state.advance(Duration::from_millis(10)));
        state.finished();
        assert_eq!((state.clock().turn, state.turns()), (49, 49));
    }

    #[test]
    fn a_new_run_is_shown_at_the_same_moment() {
        let mut state = shown(5);
        state.seek(23);
        let before = state.clock();
        deliver(&mut state, 4);
        assert_eq!(state.turns(), 28);
        assert_eq!(state.clock(), before);
        assert!(!state.is_playing());
        deliver(&mut state, 2);
        assert_eq!(state.clock().turn, 14, "as near as a shorter run goes");
    }

    #[test]
    fn a_slow_run_is_shown_after_a_while() {
        let mut state = shown(5);
        state.command(Command::End);
        let (start, prelude, track) = spiral(3);
        state.started(Recording::new(start, prelude));
        let wait = state.next_change().unwrap();
        assert!(state.advance(wait));
        assert_eq!(state.turns(), 0);
        state.grown(track);
        assert_eq!(state.clock().turn, 21, "it follows growth to the end");
        state.command(Command::Play);
        state.finished();
        assert!(!state.is_playing());
    }

    #[test]
    fn a_film_goes_on_in_the_new_run() {
        let mut state = shown(5);
        state.advance(Duration::from_millis(100));
        let before = state.clock();
        deliver(&mut state, 6);
        assert_eq!(state.clock(), before);
        assert!(state.is_playing());
        assert!(state.advance(Duration::from_millis(100)));
    }

    #[test]
    fn origins_are_read_as_time_goes_by_and_kept_for_the_next_run() {
        let mut state = shown(5);
        state.command(Command::End);
        assert!(state.origins().is_none(), "nobody asked");
        state.keep_origins(true);
        assert_eq!(
            state.origins().map(Origins::read),
            Some(35),
            "what is recorded is read at once"
        );
        let (start, prelude, track) = spiral(6);
        state.started(Recording::new(start, prelude));
        state.settle_now();
        assert_eq!(state.origins().map(Origins::read), Some(0));
        state.grown(track);
        assert!(
            state.next_change().is_some_and(|wait| wait < FRAME),
            "there is more to read"
        );
        assert!(state.advance(Duration::ZERO));
        assert_eq!(state.origins().map(Origins::read), Some(42));
        assert_eq!(state.next_change(), None);
        state.keep_origins(false);
        assert!(state.origins().is_none());
    }

    #[test]
    fn edits_in_quick_succession_keep_the_place() {
        let mut state = shown(5);
        state.seek(23);
        let before = state.clock();
        for _ in 0..3 {
            let (start, prelude, _) = spiral(5);
            state.started(Recording::new(start, prelude));
        }
        deliver(&mut state, 5);
        assert_eq!(state.clock(), before);
    }
}
