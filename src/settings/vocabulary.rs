//! The names that settings may use, provided by the modules that define the actions and colours.

use crate::design::Diagnostic;
use crate::text::did_you_mean;

/// An action whose keys can be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionName {
    /// Name of the action's context in the settings, such as `map`.
    pub context: String,
    /// Name of the context in earlier versions. Settings may still use this name.
    pub former_context: Option<&'static str>,
    /// Name of the action in the settings, such as `zoom-in`.
    pub name: String,
    /// Names of the action in earlier versions. Settings may still use these names.
    pub former: Vec<&'static str>,
    /// Description in one sentence.
    pub help: &'static str,
    /// Default keys in the spelling of the settings, such as `Ctrl-S`.
    pub keys: Vec<String>,
    /// Whether the action must keep at least one key, because the program is unusable without it.
    pub needed: bool,
    /// Whether text can be typed in its context; if so, a bare character cannot be its key.
    pub amid_text: bool,
}

impl ActionName {
    /// Returns whether settings may call the action's context by this name.
    pub(super) fn is_in(&self, context: &str) -> bool {
        self.context == context || self.former_context == Some(context)
    }

    /// Returns whether settings may call the action by this name.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.former.contains(&name)
    }
}

/// A colour that can be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColourName {
    /// Name of the colour, such as `accent` or `generation-3`.
    pub name: String,
    /// Name of the colour in earlier versions. Settings may still use this name.
    pub former: Option<&'static str>,
    /// Red, green and blue of the default colour on a dark background.
    pub rgb: [u8; 3],
}

/// All names that the settings may use.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    /// The actions, grouped by context.
    pub actions: Vec<ActionName>,
    /// The colours.
    pub colours: Vec<ColourName>,
    /// Returns the canonical spelling of a key; `None` if the text is not a key.
    pub key: fn(&str) -> Option<String>,
}

/// Returns a warning about an invalid entry, which is replaced by its default.
pub(super) fn problem(message: String, help: impl Into<String>) -> Diagnostic {
    Diagnostic::warning(message).help(help)
}

/// Returns a warning about an unknown name. Its help suggests a similar name or explains how to list all names.
pub(super) fn unknown<'a>(what: &str, word: &str, names: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    let help = did_you_mean(word, names)
        .unwrap_or_else(|| "run `wallcrawler settings --write` for a file with all names".to_owned());
    problem(format!("unknown {what}"), help)
}
