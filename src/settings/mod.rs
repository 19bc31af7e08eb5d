//! The user's settings, which apply to all designs: the terminal, recordings, saving, colours and keys.
//!
//! The user writes the settings in a TOML file. [`parse`] converts its text to [`Settings`] and diagnostics. Invalid
//! entries are reported and fall back to their defaults, so that an invalid file never keeps the program from starting.
//! This module does not use the code of the designer's screen: the caller passes the names of the actions and colours
//! that can be set, as a [`Vocabulary`].

mod file;
mod read;
mod table;
mod template;
mod vocabulary;

use std::time::Duration;

pub use self::file::{LoadedSettings, SettingsPath};
pub use self::read::parse;
pub use self::template::template;
pub use self::vocabulary::{ActionName, ColourName, Vocabulary};

/// Number of colours to draw with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colours {
    /// The number that the environment variables `NO_COLOR`, `COLORTERM`, `TERM` and `WT_SESSION` imply.
    #[default]
    Auto,
    /// No colours.
    None,
    /// The 16 ANSI colours.
    Sixteen,
    /// 256 indexed colours.
    Indexed,
    /// 24-bit true colour.
    True,
}

/// Background of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Background {
    /// The background that the terminal reports. If it reports none, the one that `COLORFGBG` implies; otherwise dark.
    #[default]
    Auto,
    /// Light background.
    Light,
    /// Dark background.
    Dark,
}

/// When to draw the map in pixels rather than characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pixels {
    /// If the terminal reports that it shows pictures, and is known to replace placeholder characters with them.
    #[default]
    Auto,
    /// If the terminal reports that it shows pictures.
    On,
    /// Never.
    Off,
}

/// Settings for the terminal's display and input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScreenSettings {
    /// Number of colours to draw with.
    pub colours: Colours,
    /// Background for which the colours are chosen.
    pub background: Background,
    /// Whether the map is drawn in pixels.
    pub pixels: Pixels,
    /// Whether the designer captures the mouse. If not, the mouse selects and copies text in the terminal.
    pub mouse: bool,
}

/// Settings for recordings of growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordingSettings {
    /// Memory for a recording, in bytes. If a recording needs more, the events of some of its segments are dropped, and
    /// regrown on demand.
    pub memory: u64,
}

impl RecordingSettings {
    /// Returns the memory for a recording, in bytes, as a `usize`.
    pub fn limit(&self) -> usize {
        usize::try_from(self.memory).unwrap_or(usize::MAX)
    }
}

/// Settings that protect against losing work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SavingSettings {
    /// Longest time until an edit is autosaved, so that it can be recovered after a crash; `None` disables autosave.
    pub autosave: Option<Duration>,
    /// Whether the first save of a file in a session keeps the file's previous version beside it, as a backup.
    pub backups: bool,
}

/// A colour that replaces a colour of the theme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colour {
    /// Name of the colour in the vocabulary.
    pub name: String,
    /// Red, green and blue.
    pub rgb: [u8; 3],
}

/// Keys that replace the default keys of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyChange {
    /// Name of the action's context in the vocabulary.
    pub context: String,
    /// Name of the action in the vocabulary.
    pub action: String,
    /// Keys in the vocabulary's spelling. If there are none, the action can be run only from the palette or with the
    /// mouse.
    pub keys: Vec<String>,
}

/// All settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Settings for the terminal's display and input.
    pub screen: ScreenSettings,
    /// Settings for recordings of growth.
    pub recording: RecordingSettings,
    /// Settings that protect against losing work.
    pub saving: SavingSettings,
    /// Colours that replace colours of the theme; each name occurs at most once.
    pub colours: Vec<Colour>,
    /// Keys that replace default keys; each action occurs at most once.
    pub keys: Vec<KeyChange>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            screen: ScreenSettings {
                colours: Colours::Auto,
                background: Background::Auto,
                pixels: Pixels::Auto,
                mouse: true,
            },
            recording: RecordingSettings { memory: 512 << 20 },
            saving: SavingSettings {
                autosave: Some(Duration::from_secs(2)),
                backups: true,
            },
            colours: Vec::new(),
            keys: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
