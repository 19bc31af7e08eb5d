//! Locates and reads the settings file.

use std::path::PathBuf;

use super::vocabulary::{Vocabulary, problem};
use super::{Settings, parse};
use crate::design::Diagnostic;
use crate::format::Text;
use crate::storage::{self, Folders};

/// Location of the settings file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SettingsPath {
    /// In the platform's configuration folder, if there is one.
    #[default]
    Usual,
    /// At a path given by the user.
    File(PathBuf),
    /// No file: every setting has its default.
    Nowhere,
}

impl SettingsPath {
    /// Returns the path of the settings file, which need not exist. Returns `None` for [`Self::Nowhere`], and if the
    /// user has no configuration folder.
    pub fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Usual => Folders::of_this_user().map(|folders| folders.config.join("config.toml")),
            Self::File(path) => Some(path.clone()),
            Self::Nowhere => None,
        }
    }

    /// Reads the settings. A missing file is reported only if the user gave its path.
    pub fn load(&self, vocabulary: &Vocabulary) -> LoadedSettings {
        let Some(path) = self.path() else {
            return LoadedSettings::default();
        };
        let (settings, diagnostics) = match storage::read(&path) {
            Ok(bytes) => parse(&Text::decode(path.display().to_string(), bytes), vocabulary),
            Err(_) if *self == Self::Usual && !path.exists() => (Settings::default(), Vec::new()),
            Err(error) => {
                let message = format!("default settings are used: {error}");
                let help = match self {
                    Self::Usual => "check the file's permissions",
                    _ => "pass a readable file, or leave out --config",
                };
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

/// Result of reading the settings file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LoadedSettings {
    /// The settings.
    pub settings: Settings,
    /// Diagnostics, all of them warnings: invalid entries fall back to their defaults.
    pub diagnostics: Vec<Diagnostic>,
    /// Path of the settings file, which need not exist; `None` if no file was looked for.
    pub path: Option<PathBuf>,
}
