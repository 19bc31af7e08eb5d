//! The table of settings with a single value: their keys in the file, descriptions and accepted values.

use std::time::Duration;

use toml::de::DeValue;

use super::{Background, Colours, Pixels, Settings};

/// A row of the table: a setting with a single value.
pub(super) struct Row {
    /// Name of the TOML table that contains the setting.
    pub table: &'static str,
    /// Key of the setting in the TOML table.
    pub key: &'static str,
    /// Description in one or two sentences.
    pub help: &'static str,
    /// Accepted values, as text for messages and the template.
    pub takes: &'static str,
    /// Returns the current value as TOML.
    pub get: fn(&Settings) -> String,
    /// Sets the value; returns whether it was valid.
    pub set: fn(&mut Settings, &DeValue<'_>) -> bool,
}

/// Range of the memory for a recording, in MiB.
const MEMORY: std::ops::RangeInclusive<u64> = 16..=1 << 20;

/// Maximum interval of autosaves, in seconds.
const AUTOSAVE: u64 = 3600;

const COLOURS: [(&str, Colours); 5] = [
    ("auto", Colours::Auto),
    ("none", Colours::None),
    ("16", Colours::Sixteen),
    ("256", Colours::Indexed),
    ("true", Colours::True),
];

const BACKGROUNDS: [(&str, Background); 3] = [
    ("auto", Background::Auto),
    ("light", Background::Light),
    ("dark", Background::Dark),
];

const PIXELS: [(&str, Pixels); 3] = [("auto", Pixels::Auto), ("on", Pixels::On), ("off", Pixels::Off)];

fn word<T: Copy>(words: &[(&str, T)], value: &DeValue<'_>, to: &mut T) -> bool {
    let meant = value
        .as_str()
        .and_then(|text| words.iter().find(|(word, _)| *word == text));
    meant.is_some_and(|(_, meant)| {
        *to = *meant;
        true
    })
}

fn word_of<T: PartialEq>(words: &[(&str, T)], value: &T) -> String {
    let word = words
        .iter()
        .find(|(_, of)| of == value)
        .map_or("auto", |(word, _)| word);
    format!("\"{word}\"")
}

fn truth(value: &DeValue<'_>, to: &mut bool) -> bool {
    value.as_bool().is_some_and(|value| {
        *to = value;
        true
    })
}

/// Returns the value as a whole number; `None` if it is negative or not an integer.
fn number(value: &DeValue<'_>) -> Option<u64> {
    let DeValue::Integer(number) = value else { return None };
    u64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// All settings with a single value, grouped by TOML table.
pub(super) static TABLE: [Row; 7] = [
    Row {
        table: "screen",
        key: "colours",
        help: "Number of colours; \"auto\" follows NO_COLOR, COLORTERM, TERM and WT_SESSION.",
        takes: "\"auto\", \"none\", \"16\", \"256\" or \"true\"",
        get: |settings| word_of(&COLOURS, &settings.screen.colours),
        set: |settings, value| word(&COLOURS, value, &mut settings.screen.colours),
    },
    Row {
        table: "screen",
        key: "background",
        help: "Background of the terminal; \"auto\" uses the background that the terminal reports, otherwise the one that COLORFGBG implies, otherwise dark.",
        takes: "\"auto\", \"light\" or \"dark\"",
        get: |settings| word_of(&BACKGROUNDS, &settings.screen.background),
        set: |settings, value| word(&BACKGROUNDS, value, &mut settings.screen.background),
    },
    Row {
        table: "screen",
        key: "pixels",
        help: "Whether the map is drawn in pixels; \"auto\" does so in kitty and Ghostty, \"on\" in any terminal that supports the Unicode placeholders of kitty's graphics protocol.",
        takes: "\"auto\", \"on\" or \"off\"",
        get: |settings| word_of(&PIXELS, &settings.screen.pixels),
        set: |settings, value| word(&PIXELS, value, &mut settings.screen.pixels),
    },
    Row {
        table: "screen",
        key: "mouse",
        help: "Whether the designer uses the mouse; if not, the terminal uses it to select and copy text.",
        takes: "true or false",
        get: |settings| settings.screen.mouse.to_string(),
        set: |settings, value| truth(value, &mut settings.screen.mouse),
    },
    Row {
        table: "recording",
        key: "memory",
        help: "Memory for a recording, in MiB; parts of a larger recording are dropped, and grown again when they are shown.",
        takes: "a whole number from 16 to 1048576",
        get: |settings| (settings.recording.memory >> 20).to_string(),
        set: |settings, value| {
            number(value)
                .filter(|number| MEMORY.contains(number))
                .is_some_and(|number| {
                    settings.recording.memory = number << 20;
                    true
                })
        },
    },
    Row {
        table: "saving",
        key: "autosave",
        help: "Longest time in seconds until an edit is autosaved; it is autosaved earlier if you pause for half a second; 0 turns autosave off. After a crash, the designer offers the autosaved work.",
        takes: "a whole number from 0 to 3600",
        get: |settings| settings.saving.autosave.map_or(0, |every| every.as_secs()).to_string(),
        set: |settings, value| {
            number(value)
                .filter(|number| *number <= AUTOSAVE)
                .is_some_and(|number| {
                    settings.saving.autosave = (number > 0).then(|| Duration::from_secs(number));
                    true
                })
        },
    },
    Row {
        table: "saving",
        key: "backups",
        help: "Whether the first save of a file in a session keeps its previous version as a backup, FILE~.",
        takes: "true or false",
        get: |settings| settings.saving.backups.to_string(),
        set: |settings, value| truth(value, &mut settings.saving.backups),
    },
];
