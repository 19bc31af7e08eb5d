//! Imports drawings (text mazes, pictures, tables, and layers of Tiled maps) as hand-placed tiles of a design.
//!
//! [`read`] decodes a file into a [`Drawing`], a grid of walls, columns and open squares, and reports in diagnostics
//! how it interpreted the file. [`Placement`] then creates a design from the drawing, or merges the drawing into an
//! existing design; [`first_crawler`] finds a place for a Crawler in the design. This module opens no files: it
//! requests files that a drawing refers to, such as the tilesets of a map, through a [`FetchFile`] callback. As
//! everywhere in Wallcrawler, x points down and y across; formats in which x points across are transposed on reading.

mod alphabet;
mod chunks;
mod colours;
mod guard;
mod numbers;
mod picture;
mod place;
mod setting;
mod square;
mod start;
mod table;
mod text;
mod tiled;

use std::io;

use serde::{Deserialize, Serialize};

use crate::design::{Diagnostic, MAX_DIMENSION, Severity};
use crate::format::Text;

pub use self::guard::is_guarded;
pub use self::place::{Placed, Placement};
pub use self::setting::ImportSetting;
pub use self::square::{Drawing, DrawnSquare};
pub use self::start::{first_crawler, first_crawler_heading};

/// Maximum size of a drawing in squares. Larger drawings are rejected, because a design stores each hand-placed tile in
/// a list.
pub const MOST_SQUARES: u64 = 1 << 25;

/// Format of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawingKind {
    /// Text with one line per row, and one or more characters per square; or a table of tile numbers.
    Text,
    /// PNG picture; dark pixels are walls.
    Png,
    /// Tiled map in XML.
    Tmx,
    /// Tiled map in JSON, or a dungeon that Wallcrawler exported as JSON.
    Tmj,
    /// Table that Wallcrawler exported as CSV, or a table of tile numbers as Tiled exports it.
    Csv,
}

impl DrawingKind {
    /// Every kind, with its name and its file extensions.
    pub const ALL: [(Self, &'static str, &'static [&'static str]); 5] = [
        (Self::Text, "text", &["txt", "text", "ans", "ansi", "maze"]),
        (Self::Png, "png", &["png"]),
        (Self::Tmx, "tmx", &["tmx"]),
        (Self::Tmj, "tmj", &["tmj", "json"]),
        (Self::Csv, "csv", &["csv"]),
    ];

    /// Returns the kind with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        let of = |(_, own, _): &&(Self, &str, &[&str])| *own == name;
        Self::ALL.iter().find(of).map(|(kind, ..)| *kind)
    }

    /// Returns the kind that the extension of a file name implies, ignoring case.
    pub fn by_file(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        let ending = ending.to_ascii_lowercase();
        let of = |(_, _, endings): &&(Self, &str, &[&str])| endings.contains(&ending.as_str());
        Self::ALL.iter().find(of).map(|(kind, ..)| *kind)
    }

    /// Detects the kind of a file from its first bytes or, failing that, from its name. The kind is text if neither is
    /// conclusive. The extension `csv` counts only if the content is a table of tile numbers.
    pub fn of(name: &str, bytes: &[u8]) -> Self {
        let begin = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        if bytes.starts_with(b"\x89PNG") {
            return Self::Png;
        }
        if begin.starts_with(b"<?xml") || begin.starts_with(b"<map") {
            return Self::Tmx;
        }
        if begin.starts_with(b"{") {
            return Self::Tmj;
        }
        if table::delimiter(begin).is_some() {
            return Self::Csv;
        }
        match Self::by_file(name) {
            Some(kind @ (Self::Png | Self::Tmx | Self::Tmj)) => kind,
            Some(Self::Csv) if numbers::is_table(&String::from_utf8_lossy(bytes)) => Self::Csv,
            _ => Self::Text,
        }
    }
}

/// Options for reading a drawing. Each kind uses the options that apply to it and ignores the others;
/// [`ReadResult::unused`] is the first option that was set but ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportOptions {
    /// Format of the file; `None` to detect it from the content or the name.
    pub kind: Option<DrawingKind>,
    /// Characters or tiles to read as walls. For a text, the string contains the characters. For a map or a table of
    /// tile numbers, it is a comma-separated list of tile numbers and ranges of numbers; for a map, the list may also
    /// contain tile classes.
    pub walls: Option<String>,
    /// Characters of a text to read as open squares.
    pub open: Option<String>,
    /// Name of the map layer to read; `None` to choose one.
    pub layer: Option<String>,
    /// Brightness in percent (white is 100) below which pixels are walls; `None` to choose it by Otsu's method.
    pub threshold: Option<u8>,
    /// Whether walls and open squares are exchanged.
    pub invert: bool,
    /// Side of a square in pixels, or width of a square in characters; `None` to determine it from the drawing.
    pub scale: Option<u32>,
    /// Whether rows and columns at the edges are removed if they contain only open or blank squares.
    pub trim: bool,
    /// Number of copies that replace each odd-numbered row and each odd-numbered column (counted from 0); 1 changes
    /// nothing. In mazes whose walls are one square thick, this widens the corridors but not the walls.
    pub corridors: u32,
    /// Side of the block of squares that each square becomes; 1 changes nothing.
    pub enlarge: u32,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            kind: None,
            walls: None,
            open: None,
            layer: None,
            threshold: None,
            invert: false,
            scale: None,
            trim: false,
            corridors: 1,
            enlarge: 1,
        }
    }
}

/// Returns whether a file looks like a drawing, judging by its name and its first bytes.
pub fn looks_like(name: &str, begin: &[u8]) -> bool {
    match DrawingKind::by_file(name) {
        None => false,
        Some(DrawingKind::Text) => text::looks_like(&String::from_utf8_lossy(begin)),
        Some(DrawingKind::Png) => begin.starts_with(b"\x89PNG"),
        Some(DrawingKind::Tmx) => String::from_utf8_lossy(begin).contains("<map"),
        Some(DrawingKind::Tmj) => {
            let begin = String::from_utf8_lossy(begin);
            ["\"tilewidth\"", "\"tilesets\"", "\"wallcrawler-dungeon\""]
                .iter()
                .any(|word| begin.contains(word))
        }
        Some(DrawingKind::Csv) => {
            table::delimiter(begin).is_some() || numbers::looks_like(&String::from_utf8_lossy(begin))
        }
    }
}

/// Result of reading a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadResult {
    /// Format that the file was read as.
    pub kind: DrawingKind,
    /// Names of the tile layers of a Tiled map; empty for files of other formats.
    pub layers: Vec<String>,
    /// The drawing; `None` if `diagnostics` contains an error.
    pub drawing: Option<Drawing>,
    /// The first option that was set but had no effect, because it does not apply to this drawing.
    pub unused: Option<ImportSetting>,
    /// Errors, warnings, and notes that describe how the file was interpreted.
    pub diagnostics: Vec<Diagnostic>,
}

/// Callback that returns the content of a file that a drawing refers to, given the path as written in the drawing.
pub type FetchFile<'a> = dyn FnMut(&str) -> io::Result<Vec<u8>> + 'a;

/// Decodes the bytes of a file. `name` is used in diagnostics and to detect the format; `fetch` reads the files that
/// the drawing refers to.
pub fn read(name: &str, bytes: Vec<u8>, options: &ImportOptions, fetch: &mut FetchFile<'_>) -> ReadResult {
    let kind = options.kind.unwrap_or_else(|| DrawingKind::of(name, &bytes));
    guard::guarded(|| decoded(name, kind, bytes, options, fetch)).unwrap_or_else(|why| ReadResult {
        kind,
        layers: Vec::new(),
        drawing: None,
        unused: None,
        diagnostics: vec![
            Diagnostic::error(format!("internal error while reading {name}: {why}; please report it"))
                .help("save the file again in the program that created it"),
        ],
    })
}

fn decoded(
    name: &str,
    kind: DrawingKind,
    bytes: Vec<u8>,
    options: &ImportOptions,
    fetch: &mut FetchFile<'_>,
) -> ReadResult {
    let (mut diagnostics, mut layers) = (Vec::new(), Vec::new());
    let mut is_table = false;
    let drawing = if kind == DrawingKind::Png {
        picture::read(name, &bytes, options, &mut diagnostics)
    } else if let Some(what) = foreign(&bytes) {
        diagnostics.push(
            Diagnostic::error(format!("{name} is {what}, which is not supported"))
                .help("save it as PNG, as text, or as a Tiled map"),
        );
        None
    } else if let Some(error) = text::too_many_lines(&bytes).filter(|_| kind == DrawingKind::Text) {
        diagnostics.push(error);
        None
    } else {
        let text = Text::decode(name, bytes);
        diagnostics.extend(text.problem().cloned());
        let usable = diagnostics.iter().all(|d| d.severity < Severity::Error);
        let mut read = || match kind {
            DrawingKind::Tmx => tiled::read_tmx(&text, options, fetch, &mut layers, &mut diagnostics),
            DrawingKind::Tmj => tiled::read_tmj(&text, options, fetch, &mut layers, &mut diagnostics),
            DrawingKind::Csv | DrawingKind::Text | DrawingKind::Png => match numbers::Table::of(&text, kind, options) {
                Some(table) => {
                    is_table = true;
                    table.read(&text, options, &mut diagnostics)
                }
                None if kind == DrawingKind::Csv => table::read(&text, &mut diagnostics),
                None => text::read(&text, options, &mut diagnostics),
            },
        };
        usable.then(&mut read).flatten()
    };
    let drawing = drawing.and_then(|drawing| finished(name, kind, drawing, options, &mut diagnostics));
    let drawing = drawing.filter(|_| diagnostics.iter().all(|d| d.severity < Severity::Error));
    let mut read = ReadResult {
        kind,
        layers,
        drawing,
        unused: None,
        diagnostics,
    };
    read.unused = read.first_unused(options, is_table);
    read
}

/// Returns a description of the file's format if it is a known format that cannot be imported.
fn foreign(bytes: &[u8]) -> Option<&'static str> {
    const KNOWN: [(&[u8], &str); 9] = [
        (b"\xff\xd8\xff", "a JPEG picture"),
        (b"GIF8", "a GIF picture"),
        (b"BM", "a BMP picture"),
        (b"RIFF", "a WebP picture"),
        (b"II*\0", "a TIFF picture"),
        (b"MM\0*", "a TIFF picture"),
        (b"%PDF", "a PDF document"),
        (b"\x1f\x8b", "a compressed file"),
        (b"PK\x03\x04", "a compressed file"),
    ];
    let begins = |(magic, _): &&(&[u8], &str)| bytes.starts_with(magic);
    // A text maze could start with the two letters of the BMP signature, so a BMP picture must also contain a NUL byte.
    let known = KNOWN.iter().find(begins)?;
    (known.0.len() > 2 || bytes.contains(&0)).then_some(known.1)
}

/// Applies the options common to all kinds. Rejects drawings that have neither walls nor columns, or that are too
/// large.
fn finished(
    name: &str,
    kind: DrawingKind,
    mut drawing: Drawing,
    options: &ImportOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Drawing> {
    if options.invert && drawing.is_plain {
        drawing.invert();
        diagnostics.push(Diagnostic::note(
            "walls and open squares are swapped, as set with --invert",
        ));
    }
    if options.trim {
        drawing.trim();
    }
    let size = drawing.size();
    if drawing.walls() == 0 && drawing.count(DrawnSquare::Column) == 0 {
        diagnostics.push(
            Diagnostic::error(format!("{name} ({size} squares) has no walls"))
                .help("use --walls to set the wall characters or tiles; in pictures, use --threshold or --invert"),
        );
        return None;
    }
    let times = i64::from(options.enlarge.max(1));
    let wide = i64::from(options.corridors.max(1));
    let help = if times > 1 || wide > 1 {
        "enlarge the drawing less"
    } else if kind == DrawingKind::Png {
        "draw it smaller; --scale N reads N × N pixels as one square"
    } else {
        "draw it smaller"
    };
    let large = [size.x, size.y]
        .map(|side| (i64::from(side) + 1) / 2 + i64::from(side) / 2 * wide)
        .map(|side| side * times);
    if let Some(side) = large.into_iter().find(|side| *side > i64::from(MAX_DIMENSION)) {
        diagnostics.push(
            Diagnostic::error(format!(
                "a side of {name} would become {side} squares long; the maximum for a dungeon is {MAX_DIMENSION}"
            ))
            .help(help),
        );
        return None;
    }
    if large[0].saturating_mul(large[1]) as u64 > MOST_SQUARES {
        diagnostics.push(
            Diagnostic::error(format!(
                "{name} would become {} × {} squares; the maximum is {MOST_SQUARES}",
                large[0], large[1]
            ))
            .help(help),
        );
        return None;
    }
    Some(drawing.widened(options.corridors).enlarged(options.enlarge))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_detected_by_content_and_then_by_name() {
        assert_eq!(DrawingKind::of("maze.txt", b"\x89PNG\r\n"), DrawingKind::Png);
        assert_eq!(
            DrawingKind::of("maze", b"\xef\xbb\xbf\n<?xml version"),
            DrawingKind::Tmx
        );
        assert_eq!(DrawingKind::of("-", b" {\"type\""), DrawingKind::Tmj);
        assert_eq!(DrawingKind::of("-", b"x,y,tile,gen"), DrawingKind::Csv);
        assert_eq!(DrawingKind::of("broken.PNG", b"nothing"), DrawingKind::Png);
        assert_eq!(DrawingKind::of("maze.csv", b"0,1,0"), DrawingKind::Csv);
        assert_eq!(DrawingKind::of("maze.txt", b"0,1,0"), DrawingKind::Text);
        assert_eq!(DrawingKind::of("maze.csv", b"#,#,#"), DrawingKind::Text);
        for (kind, name, endings) in DrawingKind::ALL {
            assert_eq!(DrawingKind::by_name(name), Some(kind));
            for ending in endings {
                assert_eq!(
                    DrawingKind::by_file(&format!("a.b.{}", ending.to_uppercase())),
                    Some(kind)
                );
            }
        }
        assert_eq!(DrawingKind::by_file("txt"), None);
    }

    #[test]
    fn drawings_that_were_enlarged_too_much_are_to_be_enlarged_less() {
        let maze = format!("{0}\n#{1}#\n{0}\n", "#".repeat(100), ".".repeat(98)).repeat(40);
        let read = |corridors, enlarge| {
            let options = ImportOptions {
                corridors,
                enlarge,
                ..ImportOptions::default()
            };
            let mut fetch = |_: &str| Err(io::ErrorKind::NotFound.into());
            let read = read("maze.txt", maze.clone().into(), &options, &mut fetch);
            read.diagnostics.last().expect("a reason").clone()
        };
        for (corridors, enlarge) in [(100, 2), (1, 100), (1, 70)] {
            let error = read(corridors, enlarge);
            assert_eq!(error.severity, Severity::Error, "{corridors} {enlarge}: {error}");
            assert_eq!(error.help, "enlarge the drawing less", "{error}");
        }
    }

    #[test]
    fn a_text_that_is_too_large_is_not_to_be_read_by_pixels() {
        let maze = format!("{}\n", "#.".repeat(16_500)).repeat(3);
        let mut fetch = |_: &str| Err(io::ErrorKind::NotFound.into());
        let read = read("maze.txt", maze.into(), &ImportOptions::default(), &mut fetch);
        let error = read.diagnostics.last().expect("a reason");
        assert!(error.message.contains("would become 33000 squares long"), "{error}");
        assert_eq!(error.help, "draw it smaller");
    }

    #[test]
    fn unsupported_formats_are_named() {
        let description = |bytes: &[u8]| {
            let read = read("a", bytes.to_vec(), &ImportOptions::default(), &mut |_| {
                Err(io::ErrorKind::NotFound.into())
            });
            assert_eq!(read.drawing, None);
            read.diagnostics.last().expect("a reason").to_string()
        };
        assert!(description(b"\xff\xd8\xff\xe0rest").starts_with("error: a is a JPEG picture"));
        assert!(description(b"GIF89a").contains("a GIF picture"));
        assert!(description(b"ab\0c").contains("NUL"));
        assert!(description(b"...\n...\n").contains("no wall"));
        assert!(description(b"").contains("a:1:1"));
    }
}
