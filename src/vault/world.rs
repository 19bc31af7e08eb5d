//! The game state that the scripts of a vault may query: the level, and the player (`you`).
//!
//! No game is running, so the user of the designer sets these values. The absolute depth of a level (its depth below
//! the surface) is computed from the usual depth of its branch.

use serde::{Deserialize, Serialize};

use super::spec::{Branch, Level, SpecError};

/// Values that the user sets in place of those of a running game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VaultWorld {
    /// Level on which maps are placed.
    pub level: Level,
    /// Name of the player.
    pub name: String,
    /// Species, as returned by `you.race()`.
    pub race: String,
    /// Background, as returned by `you.class()`.
    pub class: String,
    /// God, as returned by `you.god()`; `No God` for none.
    pub god: String,
    /// Experience level, 1 to 27.
    pub xl: u32,
}

impl VaultWorld {
    /// Returns the default world at a level, such as `D:3`.
    ///
    /// # Errors
    ///
    /// Fails if there is no such level.
    pub fn at(level: &str) -> Result<Self, SpecError> {
        Ok(Self::on(Level::parse(level)?))
    }

    /// Returns the default world at a level. The player's experience level is the level's absolute depth, limited to
    /// the range from 1 to 27.
    pub fn on(level: Level) -> Self {
        Self {
            level,
            name: "Designer".to_owned(),
            race: "Human".to_owned(),
            class: "Fighter".to_owned(),
            god: "No God".to_owned(),
            xl: level.absolute.clamp(1, 27),
        }
    }
}

/// Species that cross deep water.
const SWIMMERS: [&str; 5] = ["merfolk", "octopode", "barachi", "barachim", "grey draconian"];

impl VaultWorld {
    /// Returns whether the player's species crosses deep water.
    pub fn can_swim(&self) -> bool {
        SWIMMERS.iter().any(|race| race.eq_ignore_ascii_case(self.race.trim()))
    }
}

impl Default for VaultWorld {
    fn default() -> Self {
        Self::on(Level::new(Branch::DUNGEON, 1))
    }
}
