//! The user's settings for all designs: keys, colours, limits and habits.
//!
//! The user writes the settings as a TOML file. [`parse`] reads a text into [`Settings`] and diagnostics: invalid
//! entries are reported and fall back to their defaults, so that the settings never keep the program from starting. The
//! caller lists the actions and colours that can be set in a [`Vocabulary`]: this module does not depend on the
//! terminal.

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
    /// The number that the environment reports for the terminal.
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
    /// As the terminal reports; dark if it does not.
    #[default]
    Auto,
    /// Light background.
    Light,
    /// Dark background.
    Dark,
}

/// The choice of whether the map is drawn in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pixels {
    /// If the terminal is known to show pictures in place of characters.
    #[default]
    Auto,
    /// If the terminal reports that it shows pictures.
    On,
    /// Never.
    Off,
}

/// Display and input of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScreenSettings {
    /// Number of colours to draw with.
    pub colours: Colours,
    /// Background that colours are chosen for.
    pub background: Background,
    /// Whether the map is drawn in pixels.
    pub pixels: Pixels,
    /// Whether the designer captures the mouse; otherwise the terminal can select and copy text.
    pub mouse: bool,
}

/// Recording of growths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordingSettings {
    /// Memory for a recording in bytes; a longer growth is thinned to keyframes, and parts between them are grown again
    /// on demand.
    pub memory: u64,
}

impl RecordingSettings {
    /// Returns the limit of a recording in memory, in bytes.
    pub fn limit(&self) -> usize {
        usize::try_from(self.memory).unwrap_or(usize::MAX)
    }
}

/// Protection against losing work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SavingSettings {
    /// Interval of the autosaves that are offered for recovery after a crash; `None` to disable them.
    pub autosave: Option<Duration>,
    /// Whether the version before a session's first save is kept as a backup beside the file.
    pub backups: bool,
}

/// A colour that replaces one of the theme.
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
    /// Keys in the vocabulary's spelling; if empty, the action is reachable only by the palette and the mouse.
    pub keys: Vec<String>,
}

/// All settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Display and input of the terminal.
    pub screen: ScreenSettings,
    /// Recording of growths.
    pub recording: RecordingSettings,
    /// Protection against losing work.
    pub saving: SavingSettings,
    /// Colours that replace those of the theme, each name at most once.
    pub colours: Vec<Colour>,
    /// Keys that replace the default ones, each action at most once.
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
