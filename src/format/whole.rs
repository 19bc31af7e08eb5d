//! Reads a whole design from texts of any format, for callers that want either the design or the errors.
//!
//! The parsers of the individual formats also return warnings and the position of each value.

use std::str::FromStr;

use super::{Kind, Parsed, Text, constants, native, rooms, stats};
use crate::design::{Design, Diagnostic, InvalidDesign, Severity};

/// Reads a design from one TOML text, or from rooms, stats and constants files in any order. The layout, the character
/// and the constants have default values if no text contains them. If several texts contain one of them, the last of
/// these texts counts. A TOML text replaces everything that earlier texts contain. If the design is usable, its warnings
/// and notes are dropped; [`read_as`] returns them, and `wallcrawler check` prints them.
///
/// ```
/// use wallcrawler::format::{self, Text};
///
/// let rooms = Text::new("rooms", "Dungeon dimensions - dimX: 40 dimY: 60");
/// let constants = Text::new("constants", "maxCrawlers: 200");
/// let design = format::read(&[rooms, constants])?;
/// assert_eq!((design.layout.size.x, design.constants.max_crawlers), (40, 200));
///
/// let rejected = format::read(&[Text::new("hall.toml", "[layout]\ndim_x = ten")]);
/// assert!(rejected.unwrap_err().to_string().starts_with("hall.toml:2:9: error:"));
/// # Ok::<(), wallcrawler::InvalidDesign>(())
/// ```
///
/// # Errors
///
/// Returns the diagnostics of all texts if any text has an error.
pub fn read(texts: &[Text]) -> Result<Design, InvalidDesign> {
    let texts = texts.iter().map(|text| (text, Kind::guess(text)));
    read_as(texts).map(|(design, _)| design)
}

/// Reads a design as [`read`] does, but takes the format of each text from the caller; a text with the format `None` is
/// rejected. Also returns the warnings and notes.
///
/// # Errors
///
/// Returns the diagnostics of all texts if any text has an error.
pub fn read_as<'a>(
    texts: impl IntoIterator<Item = (&'a Text, Option<Kind>)>,
) -> Result<(Design, Vec<Diagnostic>), InvalidDesign> {
    let mut design = Design::default();
    let mut diagnostics = Vec::new();
    for (text, kind) in texts {
        match kind {
            Some(Kind::Toml) => design = part(native::parse(text), &mut diagnostics),
            Some(Kind::Rooms) => design.layout = part(rooms::parse(text), &mut diagnostics),
            Some(Kind::Stats) => design.character = part(stats::parse(text), &mut diagnostics),
            Some(Kind::Constants) => design.constants = part(constants::parse(text), &mut diagnostics),
            None => diagnostics.push(
                Diagnostic::error("this text is not a design")
                    .from_source(text.source(0..0))
                    .help("use a TOML design, a rooms file, a stats file or a constants file"),
            ),
        }
    }
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(InvalidDesign { diagnostics });
    }
    Ok((design, diagnostics))
}

fn part<T>(parsed: Parsed<T>, diagnostics: &mut Vec<Diagnostic>) -> T {
    diagnostics.extend(parsed.diagnostics);
    parsed.value
}

/// Parses one text with [`read`]; diagnostics show `design` as its file name.
impl FromStr for Design {
    type Err = InvalidDesign;

    fn from_str(text: &str) -> Result<Self, InvalidDesign> {
        read(&[Text::new("design", text)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets::Preset;

    #[test]
    fn every_preset_is_read_as_by_the_toml_reader() {
        for preset in Preset::all() {
            assert_eq!(preset.text.parse(), Ok(preset.design()), "{}", preset.name);
        }
    }

    #[test]
    fn the_files_of_the_original_are_parts_of_one_design() {
        let mut design = Preset::find("keep").unwrap().design();
        design.constants.join_dist = 7;
        let rooms = Text::new("r", rooms::write(&design.layout).unwrap());
        let stats = Text::new("s", stats::write(&design.character));
        let constants = Text::new("c", constants::write(&design.constants));
        let read = read(&[constants, stats.clone(), rooms]).unwrap();
        assert_eq!(read.layout.rooms, design.layout.rooms);
        assert_eq!(
            (read.character, read.constants),
            (design.character.clone(), design.constants)
        );
        // A stats file after a TOML design replaces only the design's character.
        let weave = Text::new("w.toml", Preset::find("weave").unwrap().text);
        let mixed = super::read(&[weave, stats]).unwrap();
        assert_eq!(mixed.character, design.character);
        assert_eq!(mixed.layout, Preset::find("weave").unwrap().design().layout);
    }

    #[test]
    fn warnings_are_returned_and_a_text_of_another_format_is_rejected() {
        let toml = Text::new("d.toml", "format = 1\nsede = 3");
        let (design, warnings) = read_as([(&toml, Some(Kind::Toml))]).unwrap();
        assert_eq!(design, Design::default());
        assert_eq!(warnings[0].message, "unknown key; it is ignored");
        let rooms = Text::new("stats4", rooms::write(&Design::default().layout).unwrap());
        let rejected = read_as([(&rooms, Some(Kind::Stats))]).unwrap_err().to_string();
        assert!(rejected.contains("this is not a stats file"), "{rejected}");
    }

    #[test]
    fn unusable_texts_are_reported_with_their_position() {
        let said = "format = 99\nseed = 'x'".parse::<Design>().unwrap_err();
        assert!(said.diagnostics.len() >= 2, "{said}");
        assert!(said.to_string().starts_with("design:1:10: error: "), "{said}");
        let letter = "Dear Sir".parse::<Design>().unwrap_err().to_string();
        assert!(letter.contains("help: use a TOML design"), "{letter}");
        assert_eq!("".parse::<Design>().unwrap_err().diagnostics.len(), 1);
    }
}
