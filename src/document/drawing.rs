//! Reads drawings from the files of other programs, and makes designs from them.

use std::io;
use std::path::{Path, PathBuf};

use crate::design::{Design, Diagnostic, Entry, Place};
use crate::engine::stage_one;
use crate::format::{self, Text, native};
use crate::geometry::Forward;
use crate::import::{self, Drawing, DrawingKind, ImportOptions, ImportSetting, Placed, Placement};
use crate::recording_file::is_recording;
use crate::storage;
use crate::text::{counted, fnv1a};

/// Number of bytes that are read from a file to decide whether it contains a design or a drawing.
const LOOKED_AT: u64 = 64 << 10;

/// A drawing that was read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadDrawing {
    /// The drawing.
    pub drawing: Drawing,
    /// Format that the file was read as.
    pub kind: DrawingKind,
    /// An option that was set but had no effect, because it does not apply to this drawing.
    pub unused: Option<ImportSetting>,
    /// Diagnostics, including notes on how the content was interpreted.
    pub diagnostics: Vec<Diagnostic>,
}

/// Whether and where a first Crawler is added to a design in which nothing would grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FirstCrawler {
    /// A Crawler whose square and heading give it the most free rows ahead.
    #[default]
    Best,
    /// A Crawler with this heading, at the square that gives it the most free rows ahead.
    Heading(Forward),
    /// No Crawler.
    None,
}

impl FirstCrawler {
    /// Every choice with its name.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Best, "best"),
        (Self::Heading(Forward::East), "east"),
        (Self::Heading(Forward::South), "south"),
        (Self::Heading(Forward::West), "west"),
        (Self::Heading(Forward::North), "north"),
        (Self::None, "none"),
    ];

    /// Returns the choice with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        let of = Self::ALL.iter().find(|(_, own)| *own == name);
        of.map(|(choice, _)| *choice)
    }
}

/// Settings for importing a drawing into a design.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DrawingImport {
    /// Options for reading the drawing.
    pub options: ImportOptions,
    /// How the drawing is placed in the design.
    pub placing: Placement,
    /// First Crawler to add if nothing would grow in the design.
    pub crawler: FirstCrawler,
}

/// Returns whether a file is a drawing. The extension of its name decides, except for text files: a text file is a
/// drawing unless its content is a design. A stream has no name, so only its content decides.
pub fn is_drawing(path: &Path) -> bool {
    if storage::is_stream(path) {
        return storage::read_head(path, LOOKED_AT).is_ok_and(|bytes| is_drawn(&bytes));
    }
    let named = path
        .file_name()
        .and_then(|name| name.to_str())
        .and_then(DrawingKind::by_file);
    if named != Some(DrawingKind::Text) {
        return named.is_some();
    }
    // For text files only the content decides, since both `rooms4.txt` (a rooms file) and `maze.txt` (a drawing) occur.
    storage::read_head(path, LOOKED_AT).map_or(true, |bytes| !is_design(&Text::decode("", bytes)))
}

/// Returns whether a text is a design, in TOML or in one of DungeonMaker's file formats.
fn is_design(text: &Text) -> bool {
    let is_original = matches!(format::Kind::guess(text), Some(kind) if kind != format::Kind::Toml);
    is_original || native::is_design(text.content())
}

/// Returns whether the bytes of a file without a name are a drawing. A text in which a line has the form of a TOML key
/// or table is not a drawing but a design with errors, which must be reported.
fn is_drawn(bytes: &[u8]) -> bool {
    if is_recording(bytes) || bytes.trim_ascii().is_empty() {
        return false;
    }
    if DrawingKind::of("", bytes) != DrawingKind::Text {
        return true;
    }
    let is_name = |name: &str| {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_letter)
    };
    let is_toml = |line: &str| {
        let key = line.split_once('=').map(|(key, _)| key.trim());
        let table = line
            .trim()
            .strip_prefix('[')
            .map(|table| table.trim_matches(['[', ']']));
        key.or(table).is_some_and(is_name)
    };
    let text = Text::decode("", bytes.to_vec());
    !is_design(&text) && !text.content().lines().any(is_toml)
}

/// Returns what a file is, as in `a recording`, if it must not be read as a drawing: it is a recording, or a design that
/// would be read as a text drawing although `options` does not ask for that. Returns `None` for other files.
fn not_drawn(name: &str, bytes: &[u8], options: &ImportOptions) -> Option<&'static str> {
    if is_recording(bytes) {
        return Some("a recording");
    }
    let is_text = options.kind.is_none() && DrawingKind::of(name, bytes) == DrawingKind::Text;
    let head = &bytes[..bytes.len().min(LOOKED_AT as usize)];
    (is_text && is_design(&Text::decode("", head.to_vec()))).then_some("a design")
}

/// Returns the folder to which the paths in a drawing are relative: the folder of its file, or the current folder for a
/// stream.
fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|_| !storage::is_stream(path));
    folder.unwrap_or(Path::new(""))
}

/// Reads a drawing from a file. If the drawing refers to tilesets, their paths are relative to the folder of the file.
///
/// # Errors
///
/// Returns the diagnostics if the file cannot be read, or if [`drawing_of`] fails.
pub fn read_drawing(path: &Path, options: &ImportOptions) -> Result<ReadDrawing, Vec<Diagnostic>> {
    let bytes = storage::read(path).map_err(|error| vec![Diagnostic::error(error.to_string())])?;
    drawing_of(path, bytes, options)
}

/// Returns the files needed to read a drawing: the drawing's own file, and the tilesets that it refers to.
pub fn files_of_drawing(path: &Path, options: &ImportOptions) -> Vec<PathBuf> {
    let mut files = vec![path.to_owned()];
    let folder = folder_of(path);
    if let Ok(bytes) = storage::read(path) {
        let mut fetch = |file: &str| {
            let file = folder.join(file);
            files.push(file.clone());
            storage::read(&file).map_err(io::Error::other)
        };
        import::read(&storage::input_name(path), bytes, options, &mut fetch);
    }
    files
}

/// Reads a drawing from a file. Returns the drawing and the digest of the file's content.
pub(super) fn read_with_digest(path: &Path, import: &DrawingImport) -> Result<(ReadDrawing, u64), Vec<Diagnostic>> {
    let bytes = storage::read(path).map_err(|error| vec![Diagnostic::error(error.to_string())])?;
    let digest = fnv1a(bytes.iter().copied());
    let drawn = drawing_of(path, bytes, &import.options)?;
    Ok((drawn, digest))
}

/// Reads a drawing from the bytes of the file at `path`.
///
/// # Errors
///
/// Returns the diagnostics if the bytes cannot be read as a drawing or contain no walls, or if they are a design or a
/// recording. A design is read if `options` asks for a text drawing.
pub fn drawing_of(path: &Path, bytes: Vec<u8>, options: &ImportOptions) -> Result<ReadDrawing, Vec<Diagnostic>> {
    let name = storage::input_name(path);
    if let Some(what) = not_drawn(&name, &bytes, options) {
        return Err(vec![Diagnostic::error(format!("{name} is {what}, not a drawing")).help(
            "to import the walls of its dungeon, export the dungeon as text first: `wallcrawler export FILE --output \
             walls.txt`",
        )]);
    }
    let folder = folder_of(path);
    let mut fetch = |file: &str| storage::read(&folder.join(file)).map_err(io::Error::other);
    let read = import::read(&name, bytes, options, &mut fetch);
    match read.drawing {
        Some(drawing) => Ok(ReadDrawing {
            drawing,
            kind: read.kind,
            unused: read.unused,
            diagnostics: read.diagnostics,
        }),
        None => Err(read.diagnostics),
    }
}

impl DrawingImport {
    /// Creates a design from a drawing. If nothing would grow in the design, adds a Crawler as the field `crawler`
    /// specifies.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the drawing does not fit into a dungeon.
    pub fn alone(&self, drawing: &Drawing, name: &str) -> Result<Placed, Box<Diagnostic>> {
        let mut placed = self.placing.alone(drawing, name)?;
        let note = add_crawler(&mut placed.design, self.crawler);
        placed.diagnostics.extend(note);
        Ok(placed)
    }
}

/// Adds a first Crawler to a design in which nothing would grow. Returns a note about the Crawler, or a warning if no
/// place has room for one; `None` if the design is invalid or needs no Crawler, or if `which` is
/// [`FirstCrawler::None`].
pub fn add_crawler(design: &mut Design, which: FirstCrawler) -> Option<Diagnostic> {
    let heading = match which {
        FirstCrawler::None => return None,
        FirstCrawler::Best => None,
        FirstCrawler::Heading(forward) => Some(forward),
    };
    let valid = design.validate(None).design?;
    if !design.layout.crawlers.is_empty() || !stage_one::build(&valid).starts.is_empty() {
        return None;
    }
    let entry = Entry::Crawler(0);
    let start = match heading {
        None => import::first_crawler(design),
        Some(forward) => import::first_crawler_heading(design, forward),
    };
    let Some(start) = start else {
        let corridor = valid.character.generations[0].corridor(&valid.constants);
        let wide = 2 * i64::from(corridor) + 1;
        let heading = heading.map_or_else(String::new, |forward| format!(" that heads {forward}"));
        return Some(
            Diagnostic::warning(format!(
                "nothing will grow: there is no first Crawler, and no place has room for one{heading}; a Crawler \
                 needs {} free rows of {} ahead",
                i64::from(corridor) + 2,
                counted(wide, "square")
            ))
            .help(format!(
                "use `wallcrawler import --corridors {wide}` to widen the corridors of a maze, or `--enlarge` to widen \
                 everything; or reduce CorridorWidth of generation 0 and minCorrWidth"
            )),
        );
    };
    let forward = start.headings().map_or(Forward::South, |(forward, _)| forward);
    let note = Diagnostic::note(format!(
        "added a first Crawler at {}, heading {forward}; without it nothing would grow",
        start.at
    ));
    design.layout.crawlers.push(start);
    Some(note.at(Place::entry(entry)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;

    #[test]
    fn drawings_are_recognized_by_name_unless_they_hold_a_design() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        assert!(is_drawing(&put("maze.txt", "###\n#.#\n")));
        assert!(is_drawing(&put("maze.TMX", "")));
        assert!(is_drawing(&folder.path().join("missing.png")));
        assert!(!is_drawing(&put("castle.txt", &native::write(&Design::default()))));
        assert!(!is_drawing(&put("castle.toml", "###")));
        for (content, is_drawing) in [
            ("###\n#.#\n", true),
            ("+==+\n|..|\n", true),
            ("x,y,tile\n", true),
            ("\u{feff}<?xml", true),
            (" \n", false),
            ("# a comment\nseed = 3\n", false),
            ("nme = 3\n", false),
            ("[[crawlr]]\n", false),
            ("Dungeon dimensions - dimX = 30", false),
            ("maxCrawlers = 800", false),
        ] {
            assert_eq!(is_drawn(content.as_bytes()), is_drawing, "{content}");
        }
        assert!(is_drawn(b"\x89PNG\r\n") && !is_drawn(b"\x89WCR\r\n"));
        assert!(!is_drawing(&put("rooms4", "###")));
    }

    #[test]
    fn designs_and_recordings_are_not_read_as_drawings() {
        let drawn = |name: &str, bytes: &[u8], kind| {
            let options = ImportOptions {
                kind,
                ..ImportOptions::default()
            };
            drawing_of(Path::new(name), bytes.to_vec(), &options).map(|drawn| drawn.drawing.walls())
        };
        let message = |name: &str, bytes: &[u8]| drawn(name, bytes, None).unwrap_err()[0].message.clone();
        let toml = b"format = 1\n\n[layout]\nwalls = [[3, 4]]\n####\n#..#\n####\n";
        assert_eq!(message("keep.toml", toml), "keep.toml is a design, not a drawing");
        assert_eq!(message("keep.txt", toml), "keep.txt is a design, not a drawing");
        let rooms = b"Dungeon dimensions - dimX = 30 dimY = 40";
        assert_eq!(message("rooms4", rooms), "rooms4 is a design, not a drawing");
        let recording = b"\x89WCR\r\n####\n####\n";
        assert_eq!(message("a.txt", recording), "a.txt is a recording, not a drawing");
        assert!(drawn("keep.toml", toml, Some(DrawingKind::Text)).is_ok());
        assert_eq!(drawn("rooms4", b"####\n#..#\n####\n", None), Ok(10));
    }

    #[test]
    fn a_tileset_is_found_beside_its_map() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("sets")).unwrap();
        let set = "<tileset><tile id=\"4\" type=\"wall\"/></tileset>";
        std::fs::write(folder.path().join("sets/a.tsx"), set).unwrap();
        let map = "<map><tileset firstgid=\"1\" source=\"sets/a.tsx\"/><layer width=\"3\" height=\"1\">\
            <data encoding=\"csv\">5,2,5</data></layer></map>";
        let path = folder.path().join("a.tmx");
        std::fs::write(&path, map).unwrap();
        let drawn = read_drawing(&path, &ImportOptions::default()).unwrap();
        assert_eq!(drawn.drawing.walls(), 2);
    }

    #[test]
    fn a_design_of_a_drawing_grows_or_says_why_not() {
        let hall = format!(
            "{}\n{}{}",
            "#".repeat(40),
            format!("#{}#\n", ".".repeat(38)).repeat(28),
            "#".repeat(40)
        );
        let drawn = |text: &str, enlarge| {
            let options = ImportOptions {
                enlarge,
                ..ImportOptions::default()
            };
            drawing_of(Path::new("a.txt"), text.as_bytes().to_vec(), &options).unwrap()
        };
        let placed = DrawingImport::default()
            .alone(&drawn(&hall, 1).drawing, "hall")
            .unwrap();
        assert_eq!(placed.design.layout.crawlers.len(), 1);
        let last = placed.diagnostics.last().unwrap();
        assert!(last.message.starts_with("added a first Crawler at row "), "{last}");
        let opened = super::super::prepare(&placed.design, None, None);
        assert_eq!(opened.diagnostics, []);
        let narrow = format!(
            "{}\n{}\n",
            "# ".repeat(12) + "#",
            "#".to_owned() + &" ".repeat(23) + "#"
        )
        .repeat(12);
        let narrow = format!("{0}\n{narrow}{0}\n", "#".repeat(25));
        let placed = DrawingImport::default().alone(&drawn(&narrow, 1).drawing, "").unwrap();
        assert_eq!(placed.design.layout.crawlers, []);
        assert!(
            placed
                .diagnostics
                .iter()
                .any(|d| d.message.contains("nothing will grow")),
            "{:?}",
            placed.diagnostics
        );
        let options = ImportOptions {
            corridors: 7,
            ..ImportOptions::default()
        };
        let wide = drawing_of(Path::new("a.txt"), narrow.clone().into_bytes(), &options).unwrap();
        assert_eq!(wide.drawing.size(), Size::new(13 + 13 * 7, 13 + 12 * 7));
        let placed = DrawingImport::default().alone(&drawn(&narrow, 6).drawing, "").unwrap();
        assert_eq!(placed.design.layout.crawlers.len(), 1);
    }
}
