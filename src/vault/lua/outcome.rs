//! The runtime's reports on compile runs and resolutions of maps.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::failure::{LuaFailure, Place};
use crate::engine::random::Key;
use crate::vault::dice::Dice;
use crate::vault::map::{MapState, Origin, ResolvedMap};

/// A function that returns the text of a module of the game's own library, by its path, such as `dlua/vault.lua`.
pub type Loader = Rc<dyn Fn(&str) -> Option<Vec<u8>>>;

/// The first use of a name that is not defined anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndefinedUse {
    /// File and line of the use, if they are known.
    pub place: Option<Place>,
    /// A similar name that is defined.
    pub similar: Option<String>,
}

/// The report of a map's compile run.
#[derive(Debug, Clone)]
pub struct CompileReport {
    /// State of the map after the compile run, such as its tags, depths, weights and grid.
    pub state: Rc<MapState>,
    /// Failure of the map's Lua, if any.
    pub failure: Option<LuaFailure>,
    /// Whether the map's Lua used a value that only the game knows, so that the effects on the map are unknown.
    pub is_opaque: bool,
    /// Notes for the map's author. Notes are not errors.
    pub notes: Vec<String>,
    /// Texts that the map's Lua printed, each with file and line.
    pub printed: Vec<String>,
}

impl CompileReport {
    /// Returns the map as the compile run left it, finished as if it had been resolved.
    pub fn resolved(&self) -> ResolvedMap {
        let dice = &mut Dice::new(Key::new(0));
        MapState::clone(&self.state).finish(Origin::default(), dice)
    }
}

/// The outcome of a resolution.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResolveOutcome {
    /// A grid that passed the map's own validation.
    Resolved(Box<ResolvedMap>),
    /// The map's veto rejected the level.
    Vetoed,
    /// Every attempt failed the map's validation; contains the grid of the last attempt.
    Invalid(Box<ResolvedMap>),
    /// The map's Lua failed.
    Failed(LuaFailure),
}
