//! What a dungeon can be written as: one table of kinds, from which the command, its help and the designer's dialog take
//! names, endings, a line that says what each is, and what may be said about how it is written.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use self::ExportSetting::{By, Duration, Generations, Grid, Legend, OpenDoors, Scale};
use super::{Ground, TextStyle};

/// What a dungeon can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub enum ExportKind {
    /// Characters, one a square.
    Text(TextStyle),
    /// A table with a line for each square.
    Csv,
    /// Everything, as [`SCHEMA`](super::SCHEMA) says.
    Json,
    /// A picture of squares.
    Png,
    /// A picture of outlines.
    Svg,
    /// A map on paper, over as many pages as its scale takes.
    Pdf,
    /// A map of Tiled in XML.
    Tmx,
    /// A map of Tiled in JSON.
    Tmj,
    /// A project of LDtk.
    Ldtk,
    /// A map for virtual tabletops, with walls, doors and its picture.
    Uvtt,
    /// The growth as a film.
    Gif,
    /// The growth as a film in full colour.
    Apng,
    /// The growth as a recording of a terminal, in the format 2 or 3 of asciinema.
    Cast(CastVersion),
    /// The recording itself, for this program to open again: see [`reel`](crate::reel).
    Recording,
}

/// The two formats of asciinema that are in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CastVersion {
    /// Times since the beginning; every player reads it.
    Two,
    /// Times since the event before; asciinema 3 and its players.
    Three,
}

/// Kinds that belong together, in the order in which people are shown them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Group {
    /// Characters, tables, data.
    Text,
    /// Pictures, for the screen and for paper.
    Picture,
    /// The growth, as it went.
    Film,
    /// Maps that game engines, editors and virtual tabletops open.
    GameTool,
}

impl Group {
    /// Every group, in order.
    pub const ALL: [Self; 4] = [Self::Text, Self::Picture, Self::Film, Self::GameTool];

    /// What it is called: a heading.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "Text and data",
            Self::Picture => "Pictures",
            Self::Film => "Films",
            Self::GameTool => "Game tools",
        }
    }

    /// Its kinds, in the order of the table.
    pub fn kinds(self) -> impl Iterator<Item = &'static KindInfo> {
        ExportKind::ALL.iter().filter(move |about| about.group == self)
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What may be said about how a kind is written; each is a field of [`Options`](super::Options).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ExportSetting {
    /// [`Options::generations`](super::Options::generations).
    Generations,
    /// [`Options::by`](super::Options::by).
    By,
    /// [`Options::ground`](super::Options::ground).
    Ground,
    /// [`Options::scale`](super::Options::scale).
    Scale,
    /// [`Options::grid`](super::Options::grid).
    Grid,
    /// [`Options::legend`](super::Options::legend).
    Legend,
    /// [`Options::print`](super::Options::print).
    Print,
    /// [`Options::open_doors`](super::Options::open_doors).
    OpenDoors,
    /// [`Options::duration`](super::Options::duration).
    Duration,
}

/// What is known about a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindInfo {
    /// The kind.
    pub kind: ExportKind,
    /// The name that it is asked for by.
    pub name: &'static str,
    /// The endings of its files, the usual one first. A kind without any is asked for by its name alone.
    pub endings: &'static [&'static str],
    /// What it belongs with.
    pub group: Group,
    /// What it is, in a line for people; it goes on from the line before it where that saves words.
    pub told: &'static str,
    /// What may be said about how it is written.
    pub settings: &'static [ExportSetting],
}

/// A line of the table.
const fn about(
    kind: ExportKind,
    name: &'static str,
    endings: &'static [&'static str],
    group: Group,
    told: &'static str,
    settings: &'static [ExportSetting],
) -> KindInfo {
    KindInfo {
        kind,
        name,
        endings,
        group,
        told,
        settings,
    }
}

/// It is saved by its name.
impl From<ExportKind> for String {
    fn from(kind: ExportKind) -> Self {
        kind.name().into()
    }
}

impl TryFrom<String> for ExportKind {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::by_name(&name).ok_or_else(|| format!("there is no kind of export '{name}'"))
    }
}

impl ExportKind {
    /// Every kind, group by group.
    #[rustfmt::skip]
    pub const ALL: [KindInfo; 17] = [
        about(Self::Text(TextStyle::Plain), "text", &["txt", "text"], Group::Text, "a character for each square", &[]),
        about(Self::Text(TextStyle::Digits), "digits", &[], Group::Text, "the same, walls as the digit of their generation", &[Generations]),
        about(Self::Text(TextStyle::Ansi), "ansi", &["ans", "ansi"], Group::Text, "blocks in the colours of their generations, for a terminal", &[Generations]),
        about(Self::Csv, "csv", &["csv"], Group::Text, "a table with a line for each square", &[]),
        about(Self::Json, "json", &["json"], Group::Text, "everything that is known, by a published schema", &[]),
        about(Self::Png, "png", &["png"], Group::Picture, "a picture", &[By, ExportSetting::Ground, Scale, Grid, Legend]),
        about(Self::Svg, "svg", &["svg"], Group::Picture, "a picture of outlines, sharp at any size", &[By, ExportSetting::Ground, Scale, Grid, Legend]),
        about(Self::Pdf, "pdf", &["pdf"], Group::Picture, "the map on paper, to scale, over as many pages as it takes", &[By, ExportSetting::Ground, Grid, Legend, ExportSetting::Print]),
        about(Self::Gif, "gif", &["gif"], Group::Film, "the growth as a film that plays everywhere", &[By, ExportSetting::Ground, Scale, Grid, Legend, Duration]),
        about(Self::Apng, "apng", &["apng"], Group::Film, "the growth as a film in PNG", &[By, ExportSetting::Ground, Scale, Grid, Legend, Duration]),
        about(Self::Cast(CastVersion::Two), "cast", &["cast"], Group::Film, "the growth in a terminal, for asciinema (format 2)", &[By, ExportSetting::Ground, Duration]),
        about(Self::Cast(CastVersion::Three), "cast3", &[], Group::Film, "the growth in a terminal, for asciinema 3 (format 3)", &[By, ExportSetting::Ground, Duration]),
        about(Self::Recording, "recording", &[crate::reel::ENDING], Group::Film, "every event, to open and play again", &[]),
        about(Self::Tmx, "tmx", &["tmx"], Group::GameTool, "a map of Tiled, with its tiles as a picture beside it", &[ExportSetting::Ground, Scale]),
        about(Self::Tmj, "tmj", &["tmj"], Group::GameTool, "a map of Tiled in JSON, with its tiles as a picture beside it", &[ExportSetting::Ground, Scale]),
        about(Self::Ldtk, "ldtk", &["ldtk"], Group::GameTool, "a project of LDtk, with its tiles as a picture beside it", &[ExportSetting::Ground, Scale]),
        about(Self::Uvtt, "uvtt", &["uvtt", "dd2vtt", "df2vtt"], Group::GameTool, "Universal VTT: walls, doors and picture for virtual tabletops", &[By, ExportSetting::Ground, Scale, Grid, OpenDoors]),
    ];

    /// The kind of a name.
    pub fn by_name(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|about| about.name == name);
        found.map(|about| about.kind)
    }

    /// The kind of files with an ending, in letters of any size.
    pub fn by_ending(ending: &str) -> Option<Self> {
        let ending = ending.to_ascii_lowercase();
        let found = Self::ALL.iter().find(|about| about.endings.contains(&ending.as_str()));
        found.map(|about| about.kind)
    }

    /// The kind that the ending of a path tells, if it tells one.
    pub fn of_path(path: &Path) -> Option<Self> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.and_then(Self::by_ending)
    }

    /// Why a design is not written to a path, if its ending promises something else. Rooms, stats and constants files are
    /// `text`, and may be named so.
    pub fn denies_design(path: &Path, text: bool) -> Option<String> {
        let kind = Self::of_path(path).filter(|kind| !text || !matches!(kind, Self::Text(_)))?;
        let ending = path.extension().unwrap_or_default().display();
        let name = path.file_name().unwrap_or_default().display();
        let kind = kind.name();
        Some(format!(
            "{name} is no name for a design: .{ending} is the ending of exports as {kind}"
        ))
    }

    /// The line of the table about it.
    pub fn about(self) -> &'static KindInfo {
        static ALL: &[KindInfo] = &ExportKind::ALL;
        // Every kind has a line; a test says so.
        ALL.iter().find(|about| about.kind == self).unwrap_or(&ALL[0])
    }

    /// The name that it is asked for by.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// What it is, in a line for people.
    pub fn told(self) -> &'static str {
        self.about().told
    }

    /// What it belongs with.
    pub fn group(self) -> Group {
        self.about().group
    }

    /// Whether something may be said about how it is written.
    pub fn takes(self, setting: ExportSetting) -> bool {
        self.about().settings.contains(&setting)
    }

    /// Whether it shows the growth and not only the dungeon.
    pub fn is_film(self) -> bool {
        self.group() == Group::Film
    }

    /// What it is coloured for where nothing is said.
    pub const fn ground(self) -> Ground {
        match self {
            Self::Pdf => Ground::Print,
            _ => Ground::Dark,
        }
    }
}
