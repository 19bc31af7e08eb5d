//! The platform's folders for the program's own files, as opposed to designs.
//!
//! This module only computes the paths of the folders. It creates no folder, and the folders need not exist.

use std::path::PathBuf;

use etcetera::{AppStrategy as _, AppStrategyArgs, choose_app_strategy};

/// The folders of the program's own files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// Folder of the settings file, which the user writes: `~/.config/wallcrawler`, or `wallcrawler` in
    /// `XDG_CONFIG_HOME`; on Windows, `Wallcrawler\wallcrawler\config` in `%APPDATA%`.
    pub config: PathBuf,
    /// Folder of the program's own state: `~/.local/state/wallcrawler`, or `wallcrawler` in `XDG_STATE_HOME`; on
    /// Windows, `Wallcrawler\wallcrawler\data` in `%APPDATA%`.
    pub state: PathBuf,
}

impl Folders {
    /// Returns the folders of the current user; `None` if the user has no home folder.
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
