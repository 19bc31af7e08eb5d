//! What the user set for every design: keys, colours, limits and habits.
//!
//! The settings are a TOML file that the user writes. [`parse`] reads a text into [`Settings`] and diagnostics: what is
//! wrong in it keeps its default, and nothing in it can keep the program from starting. Which actions and colours
//! there are to set is told by whoever has them, in a [`Vocabulary`]: this module knows no terminal.

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

/// How many colours to draw with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colours {
    /// As many as the environment says that the terminal has.
    #[default]
    Auto,
    /// None.
    None,
    /// The sixteen of old.
    Sixteen,
    /// 256.
    Indexed,
    /// Any.
    True,
}

/// What the terminal's background is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Background {
    /// As the terminal says, or dark where it says nothing.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// What the terminal is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScreenSettings {
    /// How many colours to draw with.
    pub colours: Colours,
    /// Whether colours are chosen for a light background or a dark one.
    pub background: Background,
    /// Whether the mouse is the designer's; without it, it is the terminal's, to select and copy text.
    pub mouse: bool,
}

/// How runs are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordingSettings {
    /// Bytes that a recording may take; a longer run keeps keyframes and is grown again between them.
    pub memory: u64,
}

/// How work is kept safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SavingSettings {
    /// How often unsaved work is written to a file of its own, to be offered after a crash; `None`: never.
    pub autosave: Option<Duration>,
    /// Whether the version before a session's first save is kept beside the file.
    pub backups: bool,
}

/// A colour that replaces the theme's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colour {
    /// What has it, by its name in the vocabulary.
    pub name: String,
    /// Red, green and blue.
    pub rgb: [u8; 3],
}

/// The keys of an action in place of those it has by default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyChange {
    /// Where the action holds, by the vocabulary's name of the context.
    pub context: String,
    /// The action, by its name in the vocabulary.
    pub action: String,
    /// The keys, as the vocabulary writes them; none leaves the action to the palette and the mouse.
    pub keys: Vec<String>,
}

/// Everything that can be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// What the terminal is asked to do.
    pub screen: ScreenSettings,
    /// How runs are recorded.
    pub recording: RecordingSettings,
    /// How work is kept safe.
    pub saving: SavingSettings,
    /// Colours that replace the theme's, each name once.
    pub colours: Vec<Colour>,
    /// Keys that replace those of the key table, each action once.
    pub keys: Vec<KeyChange>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            screen: ScreenSettings {
                colours: Colours::Auto,
                background: Background::Auto,
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
