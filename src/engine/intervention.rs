//! Interventions: deliberate changes to a run. A comparison with the unchanged run shows the effects of a change.
//!
//! Each Builder draws its rolls from its own random stream, whose key depends on the Builder's ancestry. Therefore, if
//! a Builder is not born, other Builders are affected only by its missing tiles and babies, and by the slot that it
//! does not occupy. A roll with the opposite outcome does not shift the rolls of other Builders; later rolls of the
//! same Builder still come from its stream, but the rules may require rolls of other kinds. To identify a Builder,
//! interventions use its [`Key`], which is the same in all runs of a design and seed. A Builder's number can differ
//! between these runs, since babies are numbered in order of birth.

use serde::{Deserialize, Serialize};

use super::random::Key;
use crate::design::{Field, InvalidDesign, Place, ValidDesign};
use crate::geometry::Point;

/// One change to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intervention {
    /// The Builder with this key is not born. The other actions of its parent stay the same.
    Unborn(Key),
    /// A roll of a Builder has the opposite outcome.
    Reversed {
        /// The Builder from whose stream the roll is drawn. For a roll at a birth, this is the baby.
        builder: Key,
        /// The Builder's age in the turn of the roll; `None` for a roll at a birth.
        age: Option<i64>,
        /// Which roll of the turn or birth.
        roll: RollKind,
    },
    /// A parameter of the design has another value.
    Parameter {
        /// Address of the parameter: the record, such as a generation, and the field.
        place: Place,
        /// The new value.
        value: i32,
    },
    /// The hand-placed wall tile, column or open square at this position is removed from the design.
    Bare(Point),
}

/// The kinds of rolls that a Builder makes, most of them named after their parameter. Each kind is rolled at most once
/// per turn, or once at a birth.
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
    /// The side of a free turn, if the Direction allows both.
    FreeSide,
    /// DoubleSpawnProb.
    DoubleSpawn,
    /// StraightSpawnProb.
    StraightSpawn,
    /// The side that a baby faces if its parent spawned it without turning.
    SpawnSide,
    /// The side of a forced turn, if both sides have equal room.
    ForcedSide,
    /// The wall that a closed Crawler joins, if two walls are at the same distance.
    JoinSide,
    /// NoDirectionProb, rolled at a birth.
    NoDirection,
    /// Whether a baby's Direction lies to the left or to the right of its heading, rolled at a birth.
    DirectionSide,
    /// OpenStartProb, rolled at a birth.
    OpenStart,
}

impl Intervention {
    /// Returns the design with the changes that these interventions make to it. Its resolved vaults are kept.
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

    /// Returns whether the intervention changes the design rather than the actions or births of Builders.
    pub const fn is_of_design(&self) -> bool {
        matches!(self, Self::Parameter { .. } | Self::Bare(_))
    }
}

/// The interventions that concern the births and rolls of Builders.
#[derive(Debug, Clone, Default)]
pub(super) struct Interventions(Vec<Intervention>);

impl Interventions {
    /// Selects the interventions that do not change the design.
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

    /// Returns whether an intervention prevents the birth of a Builder.
    pub(super) fn prevent(&self, key: Key) -> bool {
        self.0.contains(&Intervention::Unborn(key))
    }

    /// Returns whether an intervention reverses the outcome of a roll.
    pub(super) fn reverse(&self, builder: Key, age: Option<i64>, roll: RollKind) -> bool {
        self.0.contains(&Intervention::Reversed { builder, age, roll })
    }
}
