//! The folders of the platform where the program keeps what is its own, apart from designs.
//!
//! Only names them: nothing is made here, and nothing need be there.

use std::path::PathBuf;

use etcetera::{AppStrategy as _, AppStrategyArgs, choose_app_strategy};

/// Where the program keeps what is its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// What the user writes: the settings. `~/.config/wallcrawler`, or where XDG_CONFIG_HOME says.
    pub config: PathBuf,
    /// What the program remembers by itself. `~/.local/state/wallcrawler`, or where XDG_STATE_HOME says.
    pub state: PathBuf,
}

impl Folders {
    /// The folders of the user who runs the program; `None` for one without a home.
    pub fn of_this_user() -> Option<Self> {
        let platform = choose_app_strategy(AppStrategyArgs {
            top_level_domain: "org".into(),
            author: "Wallcrawler".into(),
            app_name: "wallcrawler".into(),
        })
        .ok()?;
        Some(Self {
            config: platform.config_dir(),
            state: platform.state_dir().unwrap_or_else(|| platform.data_dir()),
        })
    }
}
