//! The file of the settings: where it is, and reading it.

use std::path::PathBuf;

use super::vocabulary::{Vocabulary, problem};
use super::{Settings, parse};
use crate::design::Diagnostic;
use crate::format::Text;
use crate::storage::{self, Folders};

/// Where the settings are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SettingsPath {
    /// In the platform's folder for settings, where there may be none.
    #[default]
    Usual,
    /// In a file that the user names.
    File(PathBuf),
    /// Nowhere: everything has its default.
    Nowhere,
}

impl SettingsPath {
    /// The file, which need not be there; `None` where there can be none.
    pub fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Usual => Folders::of_this_user().map(|folders| folders.config.join("config.toml")),
            Self::File(path) => Some(path.clone()),
            Self::Nowhere => None,
        }
    }

    /// Reads the settings. A file that is not there is told only if the user named it.
    pub fn load(&self, vocabulary: &Vocabulary) -> LoadedSettings {
        let Some(path) = self.path() else {
            return LoadedSettings::default();
        };
        let (settings, diagnostics) = match storage::read(&path) {
            Ok(bytes) => parse(&Text::decode(path.display().to_string(), bytes), vocabulary),
            Err(_) if *self == Self::Usual && !path.exists() => (Settings::default(), Vec::new()),
            Err(error) => {
                let message = format!("the settings have their defaults: {error}");
                let help = "name a file that can be read, or leave --config out";
                (Settings::default(), vec![problem(message, help)])
            }
        };
        LoadedSettings {
            settings,
            diagnostics,
            path: Some(path),
        }
    }
}

/// Settings that were read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LoadedSettings {
    /// What is set.
    pub settings: Settings,
    /// What is wrong with it; all warnings, as what is wrong has its default.
    pub diagnostics: Vec<Diagnostic>,
    /// The file, or where it would be; `None` where there can be none.
    pub path: Option<PathBuf>,
}
