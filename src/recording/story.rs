//! The story of one Builder, the subject: its decisions and their results, turn by turn, and how each of its ancestors
//! came to spawn the next Builder in the line of descent.
//!
//! A recording stores the changes but not the reasons. A [`StoryRecorder`] therefore observes a second growth of the
//! same design and records decisions: for the subject, those of all its turns; for each ancestor, those of the turn in
//! which the next Builder in the line of descent was born.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::engine::{BuilderId, Clock, Decision, Event, Observer};

/// What happened in a moment of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoryEvent {
    /// The Builder made a decision.
    Decided(Decision),
    /// An event occurred.
    Happened(Event),
}

/// One moment of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoryMoment {
    /// The turn, counted from 1; 0 before the first turn.
    pub turn: u64,
    /// The Builder whose turn it is; outside turns, the Builder that the event concerns.
    pub builder: BuilderId,
    /// The decision or event.
    pub what: StoryEvent,
}

/// The decisions and events of a Builder and its ancestors, in chronological order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// All moments, in order.
    pub moments: Vec<StoryMoment>,
}

impl Story {
    /// Iterates over the moments grouped by turn.
    pub fn turns(&self) -> impl Iterator<Item = &[StoryMoment]> {
        self.moments.chunk_by(|a, b| a.turn == b.turn && a.builder == b.builder)
    }
}

/// An observer that records a story during a growth.
#[derive(Debug)]
pub struct StoryRecorder {
    line: BTreeSet<BuilderId>,
    subject: BuilderId,
    story: Story,
    /// Number of finished turns.
    over: u64,
    /// Whether the first Crawlers have been reported and turns have begun.
    begun: bool,
    /// Builder whose turn it is, if it is the subject or an ancestor.
    acting: Option<BuilderId>,
    /// Decisions and events of the current turn.
    turn: Vec<StoryEvent>,
    finished: bool,
}

impl StoryRecorder {
    /// Creates a recorder for the story of `subject`, whose ancestors are `ancestors`.
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

    /// Marks the end of the events before the first turn; all later events get turn numbers from 1 on.
    pub const fn begin(&mut self) {
        self.begun = true;
    }

    /// Returns whether the subject has died; if so, its story is complete.
    pub const fn is_finished(&self) -> bool {
        self.finished
    }

    /// Returns the story recorded so far.
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
            // Outside turns, record the subject's events, such as waking. Before the first turn, also record those of
            // the first Crawler in the line of descent.
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
