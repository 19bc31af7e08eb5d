//! The designs and level files embedded in the program.
//!
//! Each design is a TOML file in `presets/`; to add one, place its file there and add its name to the list below. The
//! first line of a preset's notes describes what the preset shows. The embedded level files are in `presets/vaults/`
//! and are listed in the same way.

use crate::design::Design;
use crate::format::{Text, native};
use crate::vault::source::{self, VaultFile};

/// A design file embedded in the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// Name of the file in `presets/`, without the extension.
    pub name: &'static str,
    /// Content of the file.
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal),* $(,)?) => {
        &[$(Preset { name: $name, text: include_str!(concat!("../presets/", $name, ".toml")) }),*]
    };
}

/// All presets; the designer opens the first by default.
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
    "pilgrimage",
    "pleasure-gardens",
    "stronghold",
    "nautilus",
    "hub",
    "fords",
    "last-hall",
    "short-cut",
    "hedges",
    "market-town",
    "ring-road",
    "sunken-city",
];

macro_rules! level_files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../presets/vaults/", $name)))),*]
    };
}

/// Name and text of each embedded level file.
static LEVEL_FILES: &[(&str, &str)] = level_files![
    "causeways.des",
    "cloister.des",
    "courts.des",
    "drawn.des",
    "gardens.des",
    "islands.des",
    "keeps.des",
    "rose-garden.des",
    "shrines.des",
];

/// Parses the embedded level files, whose vaults any design can use.
pub fn level_files() -> impl Iterator<Item = VaultFile> {
    level_texts().map(|(name, text)| source::read(name, text.as_bytes()))
}

/// Returns the names and texts of the embedded level files.
pub fn level_texts() -> impl Iterator<Item = (&'static str, &'static str)> {
    LEVEL_FILES.iter().copied()
}

/// Returns the text of an embedded level file by its name, which includes the extension.
pub fn level_file(name: &str) -> Option<&'static str> {
    LEVEL_FILES
        .iter()
        .find(|(file, _)| *file == name)
        .map(|(_, text)| *text)
}

impl Preset {
    /// Returns all presets; the designer opens the first by default.
    pub fn all() -> &'static [Self] {
        ALL
    }

    /// Returns the preset with this name, ignoring case. The name may end with `.toml`.
    pub fn find(name: &str) -> Option<&'static Self> {
        let stem = name.strip_suffix(".toml").unwrap_or(name);
        ALL.iter().find(|preset| preset.name.eq_ignore_ascii_case(stem))
    }

    /// Parses the design. A test checks that every preset parses without diagnostics.
    pub fn design(&self) -> Design {
        native::parse(&Text::new(self.name, self.text)).value
    }

    /// Returns one sentence on what the preset shows: the first line of its notes.
    pub fn summary(&self) -> String {
        let notes = self.design().notes;
        notes.lines().next().unwrap_or_default().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_parses_without_diagnostics_and_has_a_summary() {
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
        let in_folder = |folder: &str| -> Vec<String> {
            let mut files: Vec<String> = std::fs::read_dir(format!("{}/{folder}", env!("CARGO_MANIFEST_DIR")))
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            files.sort();
            files
        };
        let mut listed: Vec<String> = Preset::all().iter().map(|p| format!("{}.toml", p.name)).collect();
        listed.push("vaults".into());
        listed.sort();
        assert_eq!(in_folder("presets"), listed);
        let names: Vec<&str> = LEVEL_FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(in_folder("presets/vaults"), names);
        assert!(level_files().all(|file| file.problems.is_empty()));
    }
}
