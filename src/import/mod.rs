//! Drawings of other programs as hand-placed tiles of a design: mazes in text, pictures, layers of Tiled.
//!
//! [`read`] turns the bytes of a file into a [`Drawing`], which says of each square whether it was drawn as wall, column
//! or open, and tells what it took for what. [`Placement`] then makes a design of it, or lays it into one that is there;
//! [`first_crawler`] finds where a Crawler can live in it. No file is opened here: what a drawing names beside it, as a
//! map its tilesets, is asked of whoever called. Axes are those of the program, x down and y across; formats that have x
//! across are turned when they are read.

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

use serde::{Deserialize, Serialize};

use crate::design::{Diagnostic, MAX_DIMENSION, Severity};
use crate::format::Text;

pub use self::guard::is_guarded;
pub use self::place::{Placed, Placement};
pub use self::setting::ImportSetting;
pub use self::square::{Drawing, DrawnSquare};
pub use self::start::{first_crawler, first_crawler_heading};

/// Larger drawings are refused, in squares, or in pixels of a picture: a design names each of its tiles.
pub const MOST_SQUARES: u64 = 1 << 25;

/// What a drawing is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawingKind {
    /// Characters, one a square.
    Text,
    /// A picture in PNG; dark is wall.
    Png,
    /// A map of Tiled in XML.
    Tmx,
    /// A map of Tiled in JSON, or a dungeon that Wallcrawler wrote as JSON.
    Tmj,
    /// A dungeon that Wallcrawler wrote as a table.
    Csv,
}

impl DrawingKind {
    /// Every kind with the name that it is asked for by and the endings of its files.
    pub const ALL: [(Self, &'static str, &'static [&'static str]); 5] = [
        (Self::Text, "text", &["txt", "text", "ans", "ansi", "maze"]),
        (Self::Png, "png", &["png"]),
        (Self::Tmx, "tmx", &["tmx"]),
        (Self::Tmj, "tmj", &["tmj", "json"]),
        (Self::Csv, "csv", &["csv"]),
    ];

    /// The kind of a name.
    pub fn by_name(name: &str) -> Option<Self> {
        let of = |(_, own, _): &&(Self, &str, &[&str])| *own == name;
        Self::ALL.iter().find(of).map(|(kind, ..)| *kind)
    }

    /// The kind of files with such a name, by its ending.
    pub fn by_file(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        let ending = ending.to_ascii_lowercase();
        let of = |(_, _, endings): &&(Self, &str, &[&str])| endings.contains(&ending.as_str());
        Self::ALL.iter().find(of).map(|(kind, ..)| *kind)
    }

    /// The kind of a file by how it begins, where that tells, else by its name; text where neither does.
    fn of(name: &str, bytes: &[u8]) -> Self {
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
        if begin.starts_with(b"x,y,tile") {
            return Self::Csv;
        }
        match Self::by_file(name) {
            Some(kind @ (Self::Png | Self::Tmx | Self::Tmj)) => kind,
            _ => Self::Text,
        }
    }
}

/// How a drawing is read. Each kind takes of it what it knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportOptions {
    /// What it is written in; without it, as its beginning or its name tells.
    pub kind: Option<DrawingKind>,
    /// What is wall: characters of a text; numbers, ranges of numbers or classes of tiles of a map, with commas between.
    pub walls: Option<String>,
    /// Which characters of a text are open.
    pub open: Option<String>,
    /// The name of a map's layer.
    pub layer: Option<String>,
    /// Darker pixels are wall, in percent of white; without it, where dark and light part best.
    pub threshold: Option<u8>,
    /// Light is wall, and open squares are wall.
    pub invert: bool,
    /// Pixels along a square's side, or characters across a square; without it, as many as all that is drawn allows.
    pub scale: Option<u32>,
    /// Open rows and columns at the edges are left off.
    pub trim: bool,
    /// Every second row and column, from the second on, becomes so many: corridors of mazes whose walls are a square
    /// thick grow wide, and the walls stay as they are.
    pub corridors: u32,
    /// Each square becomes so many squares each way.
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

/// Whether a file of such a name that begins so is a drawing, as far as that can be told.
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
            begin.starts_with(b"x,y,tile") || numbers::looks_like(&String::from_utf8_lossy(begin))
        }
    }
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadResult {
    /// What it was read as.
    pub kind: DrawingKind,
    /// The names of the layers of tiles, where it is a map.
    pub layers: Vec<String>,
    /// What is drawn; `None` when a diagnostic is an error.
    pub drawing: Option<Drawing>,
    /// What is wrong, and as notes what was taken for what.
    pub diagnostics: Vec<Diagnostic>,
}

/// Gives the bytes of a file that a drawing names, or why it cannot be had.
pub type FetchFile<'a> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'a;

/// Reads the bytes of a file under the name that diagnostics show.
pub fn read(name: &str, bytes: Vec<u8>, options: &ImportOptions, fetch: &mut FetchFile<'_>) -> ReadResult {
    let kind = options.kind.unwrap_or_else(|| DrawingKind::of(name, &bytes));
    guard::guarded(|| decoded(name, kind, bytes, options, fetch)).unwrap_or_else(|why| ReadResult {
        kind,
        layers: Vec::new(),
        drawing: None,
        diagnostics: vec![
            Diagnostic::error(format!("{name} cannot be read, a fault of its reader: {why}"))
                .help("save it anew in the program that it comes from"),
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
    let drawing = if kind == DrawingKind::Png {
        picture::read(name, &bytes, options, &mut diagnostics)
    } else if let Some(what) = foreign(&bytes) {
        diagnostics.push(
            Diagnostic::error(format!("{name} is {what}, which is not read"))
                .help("save it as PNG, as text, or as a map of Tiled"),
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
            DrawingKind::Csv | DrawingKind::Text | DrawingKind::Png => match numbers::Table::of(&text, options) {
                Some(table) => table.read(&text, options, &mut diagnostics),
                None if kind == DrawingKind::Csv => table::read(&text, &mut diagnostics),
                None => text::read(&text, options, &mut diagnostics),
            },
        };
        usable.then(&mut read).flatten()
    };
    let drawing = drawing.and_then(|drawing| finished(name, drawing, options, &mut diagnostics));
    let drawing = drawing.filter(|_| diagnostics.iter().all(|d| d.severity < Severity::Error));
    ReadResult {
        kind,
        layers,
        drawing,
        diagnostics,
    }
}

/// What another program's bytes are, where they are none that can be read.
fn foreign(bytes: &[u8]) -> Option<&'static str> {
    const KNOWN: [(&[u8], &str); 9] = [
        (b"\xff\xd8\xff", "a JPEG picture"),
        (b"GIF8", "a GIF picture"),
        (b"BM", "a BMP picture"),
        (b"RIFF", "a WebP picture"),
        (b"II*\0", "a TIFF picture"),
        (b"MM\0*", "a TIFF picture"),
        (b"%PDF", "a PDF document"),
        (b"\x1f\x8b", "a packed file"),
        (b"PK\x03\x04", "a packed file"),
    ];
    let begins = |(magic, _): &&(&[u8], &str)| bytes.starts_with(magic);
    // Two letters alone would be a maze of the letters B and M.
    let known = KNOWN.iter().find(begins)?;
    (known.0.len() > 2 || bytes.contains(&0)).then_some(known.1)
}

/// What is done with every drawing once it is read.
fn finished(
    name: &str,
    mut drawing: Drawing,
    options: &ImportOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Drawing> {
    if options.invert && drawing.is_plain {
        drawing.invert();
    }
    if options.trim {
        drawing.trim();
    }
    let size = drawing.size();
    if drawing.walls() == 0 && drawing.count(DrawnSquare::Column) == 0 {
        diagnostics.push(
            Diagnostic::error(format!("{name} shows no wall in {size} squares"))
                .help("say what is wall: characters or tiles with --walls, in pictures with --threshold or --invert"),
        );
        return None;
    }
    let times = i64::from(options.enlarge.max(1));
    let wide = i64::from(options.corridors.max(1));
    let large = [size.x, size.y]
        .map(|side| (i64::from(side) + 1) / 2 + i64::from(side) / 2 * wide)
        .map(|side| side * times);
    if let Some(side) = large.into_iter().find(|side| *side > i64::from(MAX_DIMENSION)) {
        let help = if times > 1 || wide > 1 {
            "enlarge it less"
        } else {
            "draw it smaller; --scale N makes one square of N × N pixels"
        };
        diagnostics.push(
            Diagnostic::error(format!(
                "{name} is {side} squares long; the largest dimension of a dungeon is {MAX_DIMENSION}"
            ))
            .help(help),
        );
        return None;
    }
    if large[0].saturating_mul(large[1]) as u64 > MOST_SQUARES {
        diagnostics.push(
            Diagnostic::error(format!(
                "{name} would become {} × {} squares; at most {MOST_SQUARES} are read",
                large[0], large[1]
            ))
            .help("draw it smaller; --scale N makes one square of N × N pixels"),
        );
        return None;
    }
    Some(drawing.widened(options.corridors).enlarged(options.enlarge))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_known_by_their_beginning_and_then_by_their_name() {
        assert_eq!(DrawingKind::of("maze.txt", b"\x89PNG\r\n"), DrawingKind::Png);
        assert_eq!(
            DrawingKind::of("maze", b"\xef\xbb\xbf\n<?xml version"),
            DrawingKind::Tmx
        );
        assert_eq!(DrawingKind::of("-", b" {\"type\""), DrawingKind::Tmj);
        assert_eq!(DrawingKind::of("-", b"x,y,tile,gen"), DrawingKind::Csv);
        assert_eq!(DrawingKind::of("broken.PNG", b"nothing"), DrawingKind::Png);
        assert_eq!(DrawingKind::of("maze.csv", b"0,1,0"), DrawingKind::Text);
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
    fn what_cannot_be_read_is_named() {
        let told = |bytes: &[u8]| {
            let read = read("a", bytes.to_vec(), &ImportOptions::default(), &mut |_| {
                Err(String::new())
            });
            assert_eq!(read.drawing, None);
            read.diagnostics.last().expect("a reason").to_string()
        };
        assert!(told(b"\xff\xd8\xff\xe0rest").starts_with("error: a is a JPEG picture"));
        assert!(told(b"GIF89a").contains("a GIF picture"));
        assert!(told(b"ab\0c").contains("NUL"));
        assert!(told(b"...\n...\n").contains("no wall"));
        assert!(told(b"").contains("a:1:1"));
    }
}
