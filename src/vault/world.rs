//! What a vault may ask about the game it stands in: the level, and the values of `you`.
//!
//! There is no game here: the designer gives the values, and the level is as deep as its branch usually lies.

use serde::{Deserialize, Serialize};

use super::spec::{Branch, Level, SpecError};

/// The designer's own values for what the game would know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VaultWorld {
    /// The level on which maps are placed.
    pub level: Level,
    /// The name of the player.
    pub name: String,
    /// The species, as `you.race()` gives it.
    pub race: String,
    /// The background, as `you.class()` gives it.
    pub class: String,
    /// The god, as `you.god()` gives it; `No God` for none.
    pub god: String,
    /// The experience level, 1 to 27.
    pub xl: u32,
}

impl VaultWorld {
    /// The usual world at a level, such as `D:3`.
    ///
    /// # Errors
    ///
    /// There is no such level.
    pub fn at(level: &str) -> Result<Self, SpecError> {
        Ok(Self::on(Level::parse(level)?))
    }

    /// The usual world at a level: the player has about as much experience as the level is deep.
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

impl Default for VaultWorld {
    fn default() -> Self {
        Self::on(Level::new(Branch::DUNGEON, 1))
    }
}
