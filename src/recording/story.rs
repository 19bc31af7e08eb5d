//! The story of one Builder: what it decided and what came of it, turn by turn, and how its ancestors came to spawn
//! the line that ends in it.
//!
//! A recording keeps what changed, not why. A [`StoryRecorder`] watches the same design grow once more and keeps the
//! decisions of the few that it is asked about: all turns of the Builder, and of each ancestor the turn in which
//! the next of the line was born.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::engine::{BuilderId, Clock, Decision, Event, Observer};

/// What a moment of a story tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoryEvent {
    /// Something was decided.
    Decided(Decision),
    /// Something happened.
    Happened(Event),
}

/// Something of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoryMoment {
    /// The turn, counted from 1; 0: before anybody acted.
    pub turn: u64,
    /// Whose turn it is, or of whom it is told between turns.
    pub builder: BuilderId,
    /// What.
    pub what: StoryEvent,
}

/// What a Builder and its ancestors decided, in the order of time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// Everything that is told.
    pub moments: Vec<StoryMoment>,
}

impl Story {
    /// The moments of each turn together.
    pub fn turns(&self) -> impl Iterator<Item = &[StoryMoment]> {
        self.moments.chunk_by(|a, b| a.turn == b.turn && a.builder == b.builder)
    }
}

/// Watches a growth for a story.
#[derive(Debug)]
pub struct StoryRecorder {
    line: BTreeSet<BuilderId>,
    subject: BuilderId,
    story: Story,
    /// Turns over; the one under way has the next number.
    over: u64,
    /// Whether the first Crawlers have been told and turns are taken.
    begun: bool,
    /// Whose turn it is, if it is one of the line.
    acting: Option<BuilderId>,
    /// What was told of the turn under way.
    turn: Vec<StoryEvent>,
    finished: bool,
}

impl StoryRecorder {
    /// A witness for a Builder with these ancestors.
    pub fn new(subject: BuilderId, ancestors: impl IntoIterator<Item = BuilderId>) -> Self {
        Self {
            line: ancestors.into_iter().chain([subject]).collect(),
            subject,
            story: Story::default(),
            over: 0,
            begun: false,
            acting: None,
            turn: Vec::new(),
            finished: false,
        }
    }

    /// Notes that the first Crawlers have been told: what follows belongs to turns.
    pub const fn begin(&mut self) {
        self.begun = true;
    }

    /// Whether the Builder is dead, so that nothing more is to be told.
    pub const fn is_finished(&self) -> bool {
        self.finished
    }

    /// The story, as far as it was watched.
    pub fn into_story(self) -> Story {
        self.story
    }

    fn now(&self) -> u64 {
        self.over + u64::from(self.begun)
    }

    fn keep(&mut self, builder: BuilderId, what: StoryEvent) {
        let turn = self.now();
        self.story.moments.push(StoryMoment { turn, builder, what });
    }
}

impl Observer for StoryRecorder {
    const DECISIONS: bool = true;

    fn event(&mut self, event: Event) {
        let builder = event.builder();
        if self.acting.is_some() {
            self.turn.push(StoryEvent::Happened(event));
        } else if builder == self.subject || (self.line.contains(&builder) && !self.begun) {
            // A first Crawler is born before the turns; the Builder wakes between them.
            self.keep(builder, StoryEvent::Happened(event));
        }
    }

    fn decided(&mut self, builder: BuilderId, decision: Decision) {
        if matches!(decision, Decision::Acts { .. }) {
            self.acting = self.line.contains(&builder).then_some(builder);
        }
        if self.acting.is_some() {
            self.turn.push(StoryEvent::Decided(decision));
        }
    }

    fn turn_ended(&mut self, _: Clock) {
        if let Some(acting) = self.acting.take() {
            let turn = std::mem::take(&mut self.turn);
            let of_the_line = |what: &StoryEvent| matches!(what, StoryEvent::Happened(Event::Born { builder, .. }) if self.line.contains(builder));
            if acting == self.subject || turn.iter().any(of_the_line) {
                for what in &turn {
                    self.keep(acting, *what);
                    self.finished |=
                        matches!(what, StoryEvent::Happened(Event::Died { builder, .. }) if *builder == self.subject);
                }
            }
        }
        self.over += 1;
    }
}
