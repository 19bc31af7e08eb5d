//! The names that the settings may use: what those who have actions and colours say of them.

use crate::design::Diagnostic;
use crate::text::did_you_mean;

/// An action whose keys can be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionName {
    /// The name of the context in which it holds, as the settings write it: `map`.
    pub context: String,
    /// The action's name, as the settings write it: `zoom-in`.
    pub name: String,
    /// What it does, in a sentence.
    pub help: &'static str,
    /// Its keys where nothing is set, as the settings write them: `Ctrl-S`.
    pub keys: Vec<String>,
    /// Whether it must keep a key, because nobody would get on without.
    pub needed: bool,
    /// Whether text is typed where it holds, so that a bare character cannot be its key.
    pub amid_text: bool,
}

/// A colour that can be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColourName {
    /// Its name: `accent`, `generation-3`.
    pub name: String,
    /// Red, green and blue where nothing is set, on a dark background.
    pub rgb: [u8; 3],
}

/// Every name.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    /// The actions, those of a context in a row.
    pub actions: Vec<ActionName>,
    /// The colours.
    pub colours: Vec<ColourName>,
    /// How a key is written that a user writes in one of several ways; `None` where it is no key.
    pub key: fn(&str) -> Option<String>,
}

/// A problem of the settings: what is wrong keeps its default.
pub(super) fn problem(message: String, help: impl Into<String>) -> Diagnostic {
    Diagnostic::warning(message).help(help)
}

/// What to do about an unknown name.
pub(super) fn unknown<'a>(what: &str, word: &str, names: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    let help = did_you_mean(word, names)
        .unwrap_or_else(|| "wallcrawler settings --write writes a file with every name".to_owned());
    problem(format!("there is no {what} of this name"), help)
}
