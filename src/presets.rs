//! The designs that come with the program, embedded in it.
//!
//! Each is a TOML file in `presets/`; to add one, put its file there and its line in the list below. The first
//! line of a preset's notes says what it shows.

use crate::design::Design;
use crate::format::{Text, native};

/// A design that comes with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// Its name: that of its file, without the ending.
    pub name: &'static str,
    /// Its file, as it stands in `presets/`.
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal),* $(,)?) => {
        &[$(Preset { name: $name, text: include_str!(concat!("../presets/", $name, ".toml")) }),*]
    };
}

/// All presets; the first is the one that opens by itself.
static ALL: &[Preset] = presets![
    "ammonite",
    "first-steps",
    "winding-halls",
    "whirlpool",
    "weave",
    "chequer",
    "two-ways",
    "keep",
    "monastery",
    "hypostyle",
    "river",
    "catacombs",
    "standing-stones",
    "gallery",
    "sunken-city",
];

impl Preset {
    /// All presets; the first is the one that opens by itself.
    pub fn all() -> &'static [Self] {
        ALL
    }

    /// The preset of this name, with or without the ending of its file, in any case.
    pub fn find(name: &str) -> Option<&'static Self> {
        let stem = name.strip_suffix(".toml").unwrap_or(name);
        ALL.iter().find(|preset| preset.name.eq_ignore_ascii_case(stem))
    }

    /// Its design. Tests see to it that every preset can be read without a complaint.
    pub fn design(&self) -> Design {
        native::parse(&Text::new(self.name, self.text)).value
    }

    /// One sentence on what it shows: the first line of its notes.
    pub fn summary(&self) -> String {
        let notes = self.design().notes;
        notes.lines().next().unwrap_or_default().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_read_without_a_complaint_and_says_what_it_shows() {
        for preset in Preset::all() {
            let parsed = native::parse(&Text::new(preset.name, preset.text));
            assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
            assert!(!parsed.value.name.is_empty(), "{} has no name", preset.name);
            assert!(!preset.summary().is_empty(), "{} has no summary", preset.name);
            assert_eq!(Preset::find(preset.name), Some(preset));
        }
        assert_eq!(Preset::find("First-Steps.toml"), Preset::find("first-steps"));
        assert_eq!(Preset::find("no such preset"), None);
    }

    #[test]
    fn every_file_in_the_folder_is_embedded() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/presets");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let mut listed: Vec<String> = Preset::all().iter().map(|p| format!("{}.toml", p.name)).collect();
        files.sort();
        listed.sort();
        assert_eq!(files, listed);
    }
}
