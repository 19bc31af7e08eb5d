//! Alternatives to a run: each is one thing that might have been different.

use super::observed::ObservedRun;
use crate::design::{Constant, GENERATIONS};
use crate::design::{Entry, List, Parameter, Place, Stat};
use crate::engine::random::Key;
use crate::engine::{
    BuilderId, BuilderKind, Clock, Decision, Event, ForcedTurnSide, FreeTurnSide, Growth, Intervention, Observer, Roll,
    RollKind, Tile,
};
use crate::geometry::{Forward, Point};

/// The subject of an alternative: the one thing in the original run that it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlternativeSubject {
    /// One Builder is not born.
    Birth {
        /// Number of the Builder in the run.
        builder: BuilderId,
        /// Kind of the Builder.
        builder_kind: BuilderKind,
        /// Turn of the birth; 0 for a birth before the first turn.
        turn: u64,
        /// Whether the Builder laid the tile in question or is an ancestor of the Builder that laid it; `false` if the
        /// question is not about a tile.
        is_ancestor: bool,
    },
    /// One parameter has another value.
    Parameter {
        /// The design's record and the parameter in it.
        place: Place,
        /// Value in the design.
        before: i32,
        /// Value in the alternative.
        after: i32,
    },
    /// One hand-placed tile is missing, or one square is no longer kept open by the design.
    Tile {
        /// List of the design that contains the square.
        list: List,
        /// Square of the tile.
        at: Point,
    },
    /// One roll comes out the other way.
    Roll {
        /// The Builder that rolled, or at whose birth the roll was made.
        builder: BuilderId,
        /// Kind of the Builder.
        builder_kind: BuilderKind,
        /// Turn of the roll.
        turn: u64,
        /// Kind of the roll.
        roll: RollKind,
        /// The number rolled and the chance; `None` for the choice of a side.
        rolled: Option<Roll>,
        /// `false` for a roll for ChangeDirProb whose opposite outcome may change nothing: a turn also requires a
        /// successful roll for chDirOnStraight, and that roll failed or was not made. Otherwise `true`.
        is_decisive: bool,
    },
}

/// One thing that might have been different in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alternative {
    /// Intervention in the growth that brings the alternative about.
    pub intervention: Intervention,
    /// Subject of the change.
    pub subject: AlternativeSubject,
}

impl Alternative {
    /// Returns the number of turns for which the alternative is certainly the same as the original run; `None` if it
    /// can differ before the first turn.
    pub(super) fn departs_after(&self) -> Option<u64> {
        match self.subject {
            AlternativeSubject::Birth { turn, .. } | AlternativeSubject::Roll { turn, .. } => turn.checked_sub(1),
            AlternativeSubject::Parameter { .. } | AlternativeSubject::Tile { .. } => None,
        }
    }

    /// Returns the rule that makes the same change to a design, such as `MaxAge -> 9 in 2`; `None` if the alternative
    /// does not change a parameter.
    pub fn rule(&self) -> Option<String> {
        let AlternativeSubject::Parameter { place, after, .. } = self.subject else {
            return None;
        };
        let name = place.field?.name();
        Some(match place.entry {
            Entry::Generation(number) => format!("{name} -> {after} in {number}"),
            _ => format!("{name} -> {after}"),
        })
    }
}

impl AlternativeSubject {
    /// Describes the alternative as a condition. If `built_by`, the Builder of the wall in question, is given, the
    /// condition states how the unborn Builder is related to that Builder: `if Crawler #41 (not an ancestor of the
    /// wall's Builder) had not been born`.
    pub fn condition(&self, built_by: Option<BuilderId>) -> String {
        let Self::Birth {
            builder,
            builder_kind,
            is_ancestor,
            ..
        } = *self
        else {
            return self.to_string();
        };
        let relation = match built_by {
            None => return self.to_string(),
            Some(one) if one == builder => "the wall's Builder",
            Some(_) if is_ancestor => "an ancestor of the wall's Builder",
            Some(_) => "not an ancestor of the wall's Builder",
        };
        format!("if {} {builder} ({relation}) had not been born", builder_kind.name())
    }
}

impl std::fmt::Display for AlternativeSubject {
    /// Writes the alternative as a condition, such as `if Crawler #41 had not been born` or `with MaxAge 9 in
    /// generation 2`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Birth {
                builder, builder_kind, ..
            } => write!(f, "if {} {builder} had not been born", builder_kind.name()),
            Self::Parameter { place, after, .. } => {
                let name = place.field.map_or("", |field| field.name());
                write!(f, "with {name} {after}")?;
                match place.entry {
                    Entry::Generation(number) => write!(f, " in generation {number}"),
                    _ => Ok(()),
                }
            }
            Self::Tile { list, at } => match list {
                List::Open => write!(f, "if the design did not keep the square at {at} open"),
                List::Columns => write!(f, "without the design's column at {at}"),
                _ => write!(f, "without the design's wall tile at {at}"),
            },
            Self::Roll {
                builder,
                builder_kind,
                turn,
                roll,
                rolled,
                is_decisive,
            } => {
                let name = builder_kind.name();
                write!(f, "if {name} {builder} ")?;
                write_roll(f, turn, roll, rolled, is_decisive)
            }
        }
    }
}

/// Writes what would have happened instead, such as `had turned in turn 9 (it rolled 31 against ChangeDirProb 30)`.
fn write_roll(
    f: &mut std::fmt::Formatter<'_>,
    turn: u64,
    kind: RollKind,
    rolled: Option<Roll>,
    is_decisive: bool,
) -> std::fmt::Result {
    let happened = rolled.is_some_and(Roll::succeeds);
    let (what, name) = match (kind, happened) {
        (RollKind::ChangeDir, true) if !is_decisive => {
            ("had failed its roll for ChangeDirProb", Stat::ChangeDirProb.info().name)
        }
        (RollKind::ChangeDir, false) if !is_decisive => {
            ("had passed its roll for ChangeDirProb", Stat::ChangeDirProb.info().name)
        }
        (RollKind::ChangeDir, true) => ("had not turned", Stat::ChangeDirProb.info().name),
        (RollKind::ChangeDir, false) => ("had turned", Stat::ChangeDirProb.info().name),
        (RollKind::ChangeDirOnStraight, true) => ("had not turned", Constant::ChDirOnStraight.info().name),
        (RollKind::ChangeDirOnStraight, false) => ("had turned", Constant::ChDirOnStraight.info().name),
        (RollKind::StraightSpawn, true) => ("had spawned no baby", Stat::StraightSpawnProb.info().name),
        (RollKind::StraightSpawn, false) => ("had spawned a baby", Stat::StraightSpawnProb.info().name),
        (RollKind::DoubleSpawn, true) => ("had spawned no second baby", Stat::DoubleSpawnProb.info().name),
        (RollKind::DoubleSpawn, false) => ("had spawned a second baby", Stat::DoubleSpawnProb.info().name),
        (RollKind::Jumper, true) => ("had spawned no Jumpers", Stat::JumperProb.info().name),
        (RollKind::Jumper, false) => ("had spawned Jumpers", Stat::JumperProb.info().name),
        (RollKind::LateSpawn, true) => ("had spawned no late babies", Stat::LateSpawnProb.info().name),
        (RollKind::LateSpawn, false) => ("had spawned late babies", Stat::LateSpawnProb.info().name),
        (RollKind::NoDirection, true) => ("had been born with a Direction", Stat::NoDirectionProb.info().name),
        (RollKind::NoDirection, false) => ("had been born without a Direction", Stat::NoDirectionProb.info().name),
        (RollKind::OpenStart, true) => ("had been born without an open start", Stat::OpenStartProb.info().name),
        (RollKind::OpenStart, false) => ("had been born with an open start", Stat::OpenStartProb.info().name),
        (RollKind::FreeSide | RollKind::ForcedSide, _) => ("had turned to the other side", ""),
        (RollKind::SpawnSide, _) => ("had spawned its baby to the other side", ""),
        (RollKind::JoinSide, _) => ("had joined the wall on the other side", ""),
        (RollKind::DirectionSide, _) => ("had been born with its Direction turned to the other side", ""),
    };
    write!(f, "{what} in turn {turn}")?;
    match rolled {
        Some(roll) if !name.is_empty() => write!(f, " (it rolled {} against {name} {})", roll.rolled, roll.chance),
        _ => Ok(()),
    }
}

impl ObservedRun {
    /// Returns the alternatives in which a Builder or one of its ancestors is not born: the Builder itself first, then
    /// its ancestors, nearest first.
    pub(super) fn line_births(&self, builder: BuilderId) -> Vec<Alternative> {
        let line = std::iter::once(builder).chain(self.ancestors(builder));
        line.filter_map(|id| self.birth(id, true)).collect()
    }

    /// Returns, for each Builder that was born before turn `until` and is not in `line`, the alternative in which it is
    /// not born.
    pub(super) fn other_births(&self, line: &[Alternative], until: u64) -> Vec<Alternative> {
        let in_line = |id: BuilderId| {
            line.iter()
                .any(|one| matches!(one.subject, AlternativeSubject::Birth { builder, .. } if builder == id))
        };
        // The Builders are sorted by the turns of their births.
        let before = self.builders().partition_point(|builder| builder.turn < until);
        (0..before as u32)
            .map(BuilderId)
            .filter(|id| !in_line(*id))
            .filter_map(|id| self.birth(id, false))
            .collect()
    }

    fn birth(&self, id: BuilderId, is_ancestor: bool) -> Option<Alternative> {
        let builder = self.builder(id)?;
        Some(Alternative {
            intervention: Intervention::Unborn(builder.key),
            subject: AlternativeSubject::Birth {
                builder: id,
                builder_kind: builder.birth.kind,
                turn: builder.turn,
                is_ancestor,
            },
        })
    }

    /// Returns the alternative in which a Builder is not born; `None` if no Builder has this number.
    pub fn without(&self, builder: BuilderId) -> Option<Alternative> {
        self.birth(builder, false)
    }

    /// Returns the alternatives in which one parameter of a generation, or one constant, is higher or lower by one.
    /// Changes that certainly make no difference by the end of turn `until` are left out.
    pub(super) fn parameters(&self, until: u64) -> Vec<Alternative> {
        let design = self.design();
        let stats = (0..GENERATIONS).flat_map(|number| {
            let entry = Entry::Generation(number);
            Stat::ALL.iter().map(move |stat| (entry, Parameter::Stat(*stat)))
        });
        let constants = Constant::ALL
            .iter()
            .map(|constant| (Entry::Constants, Parameter::Constant(*constant)));
        let mut found = Vec::new();
        for (entry, parameter) in stats.chain(constants) {
            let Some(before) = design.get(entry, parameter) else {
                continue;
            };
            let info = parameter.info();
            for after in [before.saturating_sub(1), before.saturating_add(1)] {
                if !(info.min..=info.max).contains(&after) || self.is_idle(entry, parameter, after, until) {
                    continue;
                }
                let place = Place::field(entry, parameter);
                found.push(Alternative {
                    intervention: Intervention::Parameter { place, value: after },
                    subject: AlternativeSubject::Parameter { place, before, after },
                });
            }
        }
        found
    }

    /// Returns one alternative for each hand-placed tile and each square kept open by the design. Leaves out squares
    /// where the finished dungeon has a tile other than the design's.
    pub(super) fn tiles(&self) -> Vec<Alternative> {
        let layout = &self.design().layout;
        let lists = [
            (List::Open, &layout.open, Tile::Guaranteed),
            (List::Walls, &layout.walls, Tile::Wall),
            (List::Columns, &layout.columns, Tile::Column),
        ];
        let mut found: Vec<Alternative> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for (list, squares, tile) in lists {
            for &at in squares {
                if self.grid().tile(at) == tile && seen.insert((at.x, at.y)) {
                    found.push(Alternative {
                        intervention: Intervention::Bare(at),
                        subject: AlternativeSubject::Tile { list, at },
                    });
                }
            }
        }
        found
    }

    /// Returns the alternatives in which one roll comes out the other way, in chronological order: the rolls of a
    /// Builder up to turn `until`, and the rolls of each ancestor up to the birth of its own baby in the line of
    /// descent. Grows the design again to observe the rolls.
    pub(super) fn rolls(&self, builder: BuilderId, until: u64) -> Vec<Alternative> {
        let mut line = vec![(builder, until)];
        let mut born = self.builder(builder).map_or(0, |of| of.turn);
        for ancestor in self.ancestors(builder) {
            line.push((ancestor, born));
            born = self.builder(ancestor).map_or(0, |of| of.turn);
        }
        let mut watch = RollWatch {
            run: self,
            line,
            over: 0,
            age: 0,
            forward: None,
            found: Vec::new(),
        };
        let mut growth = Growth::new(&self.design, self.options, &mut watch);
        growth.advance(until, &mut watch);
        watch.found
    }
}

/// An observer that collects the rolls of a line of descent.
struct RollWatch<'a> {
    run: &'a ObservedRun,
    /// The Builders in the line, each with the last turn whose rolls matter.
    line: Vec<(BuilderId, u64)>,
    over: u64,
    /// Age of the acting Builder.
    age: i64,
    /// Heading of the acting Builder at the beginning of its turn.
    forward: Option<Forward>,
    found: Vec<Alternative>,
}

impl RollWatch<'_> {
    fn add(&mut self, builder: BuilderId, roll: RollKind, rolled: Option<Roll>) {
        self.add_roll(builder, roll, rolled, true);
    }

    fn add_roll(&mut self, builder: BuilderId, roll: RollKind, rolled: Option<Roll>, is_decisive: bool) {
        // A roll at a chance of 0 or 100 cannot come out the other way.
        if rolled.is_some_and(|rolled| !rolled.is_open()) {
            return;
        }
        let Some(known) = self.run.builder(builder) else { return };
        let key: Key = known.key;
        let is_at_birth = matches!(
            roll,
            RollKind::NoDirection | RollKind::DirectionSide | RollKind::OpenStart
        );
        self.found.push(Alternative {
            intervention: Intervention::Reversed {
                builder: key,
                age: (!is_at_birth).then_some(self.age),
                roll,
            },
            subject: AlternativeSubject::Roll {
                builder,
                builder_kind: known.birth.kind,
                turn: self.over + 1,
                roll,
                rolled,
                is_decisive,
            },
        });
    }

    /// Returns whether the acting Builder needs a second roll, for chDirOnStraight, in order to turn freely.
    fn needs_second_roll(&self, builder: BuilderId) -> bool {
        let heading = self.forward.map(Forward::direction);
        self.run
            .builder(builder)
            .is_some_and(|known| known.birth.generation == 0 && heading.is_some() && known.birth.direction == heading)
    }
}

impl Observer for RollWatch<'_> {
    const DECISIONS: bool = true;

    fn event(&mut self, _: Event) {}

    fn decided(&mut self, builder: BuilderId, decision: Decision) {
        let turn = self.over + 1;
        if let Decision::Acts { age, forward, .. } = decision {
            (self.age, self.forward) = (age, Some(forward));
        }
        if !self.line.iter().any(|(one, until)| *one == builder && turn <= *until) {
            // The Builder is not in the line, or its later rolls do not matter.
            return;
        }
        match decision {
            Decision::TurnsFreely { change, straight } => {
                let is_decisive = straight.map_or_else(|| !self.needs_second_roll(builder), Roll::succeeds);
                self.add_roll(builder, RollKind::ChangeDir, Some(change), is_decisive);
                if straight.is_some() {
                    self.add(builder, RollKind::ChangeDirOnStraight, straight);
                }
            }
            Decision::Leans(FreeTurnSide::Rolled { .. }) => self.add(builder, RollKind::FreeSide, None),
            Decision::SpawnsStraight { roll, forward } => {
                self.add(builder, RollKind::StraightSpawn, Some(roll));
                if forward.is_some() {
                    self.add(builder, RollKind::SpawnSide, None);
                }
            }
            Decision::SpawnsTwo { roll } => self.add(builder, RollKind::DoubleSpawn, Some(roll)),
            Decision::Offspring { jumper, late, .. } => {
                self.add(builder, RollKind::Jumper, Some(jumper));
                self.add(builder, RollKind::LateSpawn, Some(late));
            }
            Decision::TurnsAside {
                choice: ForcedTurnSide::Coin(_),
                ..
            } => self.add(builder, RollKind::ForcedSide, None),
            Decision::Joins { coin: true, .. } => self.add(builder, RollKind::JoinSide, None),
            Decision::SetsOut {
                aimless,
                direction,
                open_start,
                ..
            } => {
                self.add(builder, RollKind::NoDirection, Some(aimless));
                if direction.is_some() {
                    self.add(builder, RollKind::DirectionSide, None);
                }
                self.add(builder, RollKind::OpenStart, Some(open_start));
            }
            _ => {}
        }
    }

    fn turn_ended(&mut self, _: Clock) {
        self.over += 1;
    }
}
