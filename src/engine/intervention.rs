//! Interventions: each changes one thing in a run and leaves everything else unchanged.
//!
//! Each Builder's rolls come from a stream of its own, named by its ancestry. So the absence of a Builder affects the
//! others only through the tiles, babies and slots that are missing then, and a roll that comes out the other way
//! shifts no roll of another Builder (later rolls of the same Builder are drawn from its stream as the rules then
//! require). A Builder's [`Key`] is the same in all runs of a design and seed; its number is not, since babies are
//! numbered in the order of their births.

use serde::{Deserialize, Serialize};

use super::random::Key;
use crate::design::{Field, InvalidDesign, Place, ValidDesign};
use crate::geometry::Point;

/// One change of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intervention {
    /// A Builder is not born. The other actions of its parent are unchanged.
    Unborn(Key),
    /// A roll of a Builder comes out the other way.
    Reversed {
        /// The Builder whose stream the roll comes from; for rolls at a birth, the baby.
        builder: Key,
        /// The Builder's age in the turn; `None` for rolls at a birth.
        age: Option<i64>,
        /// The roll.
        roll: RollKind,
    },
    /// A parameter of the design has another value.
    Parameter {
        /// The record, such as a generation, and its parameter.
        place: Place,
        /// The other value.
        value: i32,
    },
    /// The design has no hand-placed tile or open square on this square.
    Bare(Point),
}

/// The rolls of a Builder. Each is rolled at most once in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RollKind {
    /// JumperProb.
    Jumper,
    /// LateSpawnProb.
    LateSpawn,
    /// ChangeDirProb.
    ChangeDir,
    /// chDirOnStraight.
    ChangeDirOnStraight,
    /// The side of a free turn.
    FreeSide,
    /// DoubleSpawnProb.
    DoubleSpawn,
    /// StraightSpawnProb.
    StraightSpawn,
    /// The side that a baby spawned without a turn faces.
    SpawnSide,
    /// The side of a forced turn, between two with equal room.
    ForcedSide,
    /// The wall that a closed Crawler joins, between two at the same distance.
    JoinSide,
    /// NoDirectionProb, at a birth.
    NoDirection,
    /// The side to which a baby's Direction lies, at a birth.
    DirectionSide,
    /// OpenStartProb, at a birth.
    OpenStart,
}

impl Intervention {
    /// Returns the design with all these changes applied; its resolved vaults are kept.
    ///
    /// # Errors
    ///
    /// Returns the diagnostics if the changed design is invalid.
    pub fn design(interventions: &[Self], design: &ValidDesign) -> Result<ValidDesign, InvalidDesign> {
        if !interventions.iter().any(Self::is_of_design) {
            return Ok(design.clone());
        }
        design.edited(|design| {
            for one in interventions {
                match *one {
                    Self::Parameter { place, value } => {
                        if let Some(parameter) = place.field.and_then(Field::number) {
                            design.set(place.entry, parameter, value);
                        }
                    }
                    Self::Bare(at) => {
                        let layout = &mut design.layout;
                        for list in [&mut layout.open, &mut layout.walls, &mut layout.columns] {
                            list.retain(|square| *square != at);
                        }
                    }
                    Self::Unborn(_) | Self::Reversed { .. } => {}
                }
            }
        })
    }

    /// Returns whether it changes the design.
    pub const fn is_of_design(&self) -> bool {
        matches!(self, Self::Parameter { .. } | Self::Bare(_))
    }
}

/// The interventions of a run that concern its Builders.
#[derive(Debug, Clone, Default)]
pub(super) struct Interventions(Vec<Intervention>);

impl Interventions {
    /// Selects those that concern Builders.
    pub(super) fn new(interventions: &[Intervention]) -> Self {
        let mut all = Self::default();
        for one in interventions {
            all.add(*one);
        }
        all
    }

    pub(super) fn add(&mut self, intervention: Intervention) {
        if !intervention.is_of_design() {
            self.0.push(intervention);
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a Builder is not born.
    pub(super) fn prevent(&self, key: Key) -> bool {
        self.0.contains(&Intervention::Unborn(key))
    }

    /// Returns whether a roll comes out the other way.
    pub(super) fn reverse(&self, builder: Key, age: Option<i64>, roll: RollKind) -> bool {
        self.0.contains(&Intervention::Reversed { builder, age, roll })
    }
}
