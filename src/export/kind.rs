//! The table of export kinds: names, file extensions, one-line descriptions, and the options that each kind uses. The
//! `export` command, its help and the designer's export dialog all read this table.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use self::ExportSetting::{By, Duration, Follow, Generations, Grid, Legend, Marks, OpenDoors, Scale};
use super::{Ground, MapMarks, TextStyle};

/// A format that a dungeon can be exported as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub enum ExportKind {
    /// Text with one character per square.
    Text(TextStyle),
    /// CSV table with one line per square.
    Csv,
    /// JSON with all data, as specified by [`SCHEMA`](super::SCHEMA).
    Json,
    /// PNG picture.
    Png,
    /// SVG picture, in which the areas of each colour are one filled path.
    Svg,
    /// PDF map, on as many pages as its scale needs.
    Pdf,
    /// Tiled map in XML.
    Tmx,
    /// Tiled map in JSON.
    Tmj,
    /// LDtk project.
    Ldtk,
    /// Universal VTT map for virtual tabletops, with walls, doors and a picture.
    Uvtt,
    /// Animated GIF of the growth.
    Gif,
    /// Animated PNG of the growth.
    Apng,
    /// Terminal recording of the growth in asciinema format 2 or 3.
    Cast(CastVersion),
    /// The recording itself, which this program can open again: see [`recording_file`](crate::recording_file).
    Recording,
}

/// Versions of the asciinema format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CastVersion {
    /// Version 2, whose timestamps count from the start of the recording. Every player supports it.
    Two,
    /// Version 3, whose timestamps count from the previous event. Needs a player that supports it, such as asciinema 3.
    Three,
}

/// A group of export kinds; the variants are in display order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Group {
    /// Text, tables and data.
    Text,
    /// Pictures for screen and paper.
    Picture,
    /// Recordings and animations of the growth.
    #[serde(rename = "film")]
    Animation,
    /// Maps for game engines, map editors and virtual tabletops.
    GameTool,
}

impl Group {
    /// Every group, in display order.
    pub const ALL: [Self; 4] = [Self::Text, Self::Picture, Self::Animation, Self::GameTool];

    /// Returns the group's name, as displayed above its kinds.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "Text and data",
            Self::Picture => "Pictures",
            Self::Animation => "Animations",
            Self::GameTool => "Game tools",
        }
    }

    /// Returns the kinds of the group, in the order of the table.
    pub fn kinds(self) -> impl Iterator<Item = &'static KindInfo> {
        ExportKind::ALL.iter().filter(move |about| about.group == self)
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An option that some kinds use: a field of [`ExportOptions`](super::ExportOptions).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ExportSetting {
    /// [`ExportOptions::generations`](super::ExportOptions::generations).
    Generations,
    /// [`ExportOptions::by`](super::ExportOptions::by).
    By,
    /// [`ExportOptions::ground`](super::ExportOptions::ground).
    Ground,
    /// [`ExportOptions::scale`](super::ExportOptions::scale).
    Scale,
    /// [`ExportOptions::grid`](super::ExportOptions::grid).
    Grid,
    /// [`ExportOptions::legend`](super::ExportOptions::legend).
    Legend,
    /// [`ExportOptions::marks`](super::ExportOptions::marks).
    Marks,
    /// [`ExportOptions::print`](super::ExportOptions::print).
    Print,
    /// [`ExportOptions::open_doors`](super::ExportOptions::open_doors).
    OpenDoors,
    /// [`ExportOptions::duration`](super::ExportOptions::duration).
    Duration,
    /// [`ExportOptions::follow`](super::ExportOptions::follow).
    Follow,
}

/// An entry in the table of export kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindInfo {
    /// The kind that this entry describes.
    pub kind: ExportKind,
    /// Name of the kind on the command line.
    pub name: &'static str,
    /// File extensions, the usual one first. A kind without extensions can only be requested by name.
    pub endings: &'static [&'static str],
    /// Group of the kind.
    pub group: Group,
    /// One-line description for the user.
    pub description: &'static str,
    /// Options that the kind uses.
    pub settings: &'static [ExportSetting],
}

/// Builds an entry of the table.
const fn about(
    kind: ExportKind,
    name: &'static str,
    endings: &'static [&'static str],
    group: Group,
    description: &'static str,
    settings: &'static [ExportSetting],
) -> KindInfo {
    KindInfo {
        kind,
        name,
        endings,
        group,
        description,
        settings,
    }
}

impl ExportKind {
    /// Returns whether exports of the kind record the files that the design was read from.
    pub const fn stores_sources(self) -> bool {
        matches!(self, Self::Json | Self::Cast(_) | Self::Recording)
    }
}

/// Serializes a kind as its name.
impl From<ExportKind> for String {
    fn from(kind: ExportKind) -> Self {
        kind.name().into()
    }
}

impl TryFrom<String> for ExportKind {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::by_name(&name).ok_or_else(|| format!("unknown kind of export `{name}`"))
    }
}

impl ExportKind {
    /// Every kind, group by group.
    #[rustfmt::skip]
    pub const ALL: [KindInfo; 17] = [
        about(Self::Text(TextStyle::Plain), "text", &["txt", "text"], Group::Text, "one character per square", &[]),
        about(Self::Text(TextStyle::Digits), "digits", &[], Group::Text, "one character per square; each wall is the digit of its generation", &[Generations]),
        about(Self::Text(TextStyle::Ansi), "ansi", &["ans", "ansi"], Group::Text, "blocks in the colours of their generations, for a terminal", &[Generations]),
        about(Self::Csv, "csv", &["csv"], Group::Text, "a table with one line per square", &[]),
        about(Self::Json, "json", &["json"], Group::Text, "all data of the dungeon; see --schema", &[]),
        about(Self::Png, "png", &["png"], Group::Picture, "a picture", &[By, ExportSetting::Ground, Scale, Grid, Legend, Marks]),
        about(Self::Svg, "svg", &["svg"], Group::Picture, "a vector picture, sharp at any size", &[By, ExportSetting::Ground, Scale, Grid, Legend, Marks]),
        about(Self::Pdf, "pdf", &["pdf"], Group::Picture, "the map to scale on paper, over as many pages as needed", &[By, ExportSetting::Ground, Grid, Legend, Marks, ExportSetting::Print]),
        about(Self::Gif, "gif", &["gif"], Group::Animation, "the growth as an animation, supported everywhere", &[By, ExportSetting::Ground, Scale, Grid, Legend, Marks, Duration, Follow]),
        about(Self::Apng, "apng", &["apng"], Group::Animation, "the growth as an animated PNG", &[By, ExportSetting::Ground, Scale, Grid, Legend, Marks, Duration, Follow]),
        about(Self::Cast(CastVersion::Two), "cast", &["cast"], Group::Animation, "the growth in a terminal, for asciinema (format 2)", &[By, ExportSetting::Ground, Duration, Follow]),
        about(Self::Cast(CastVersion::Three), "cast3", &[], Group::Animation, "the growth in a terminal, for asciinema 3 (format 3)", &[By, ExportSetting::Ground, Duration, Follow]),
        about(Self::Recording, "recording", &[crate::recording_file::ENDING], Group::Animation, "every event, to open and play in Wallcrawler", &[]),
        about(Self::Tmx, "tmx", &["tmx"], Group::GameTool, "a Tiled map, and its tileset in the same folder", &[ExportSetting::Ground, Scale]),
        about(Self::Tmj, "tmj", &["tmj"], Group::GameTool, "a Tiled map in JSON, and its tileset in the same folder", &[ExportSetting::Ground, Scale]),
        about(Self::Ldtk, "ldtk", &["ldtk"], Group::GameTool, "an LDtk project, and its tileset in the same folder", &[ExportSetting::Ground, Scale]),
        about(Self::Uvtt, "uvtt", &["uvtt", "dd2vtt", "df2vtt"], Group::GameTool, "Universal VTT: walls, doors and a picture for virtual tabletops", &[By, ExportSetting::Ground, Scale, Grid, OpenDoors]),
    ];

    /// Returns the kind with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|about| about.name == name);
        found.map(|about| about.kind)
    }

    /// Returns the kind with this file extension, ignoring case.
    pub fn by_ending(ending: &str) -> Option<Self> {
        let ending = ending.to_ascii_lowercase();
        let found = Self::ALL.iter().find(|about| about.endings.contains(&ending.as_str()));
        found.map(|about| about.kind)
    }

    /// Returns the kind that the extension of a path implies, if any.
    pub fn of_path(path: &Path) -> Option<Self> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.and_then(Self::by_ending)
    }

    /// Returns an error message if the extension of `path` belongs to an export kind, since a file with such a name
    /// must not contain a design; otherwise `None`. If `text` is true, the extensions of text exports are allowed,
    /// because `path` is a rooms, stats or constants file.
    pub fn denies_design(path: &Path, text: bool) -> Option<String> {
        let kind = Self::of_path(path).filter(|kind| !text || !matches!(kind, Self::Text(_)))?;
        let ending = path.extension().unwrap_or_default().display();
        let name = path.file_name().unwrap_or_default().display();
        let kind = kind.name();
        Some(format!(
            "`{name}` cannot be a design file, because `.{ending}` is the extension of {kind} exports; use `.toml`"
        ))
    }

    /// Returns the entry of the kind in the table.
    pub fn about(self) -> &'static KindInfo {
        static ALL: &[KindInfo] = &ExportKind::ALL;
        // A test checks that every kind has an entry.
        ALL.iter().find(|about| about.kind == self).unwrap_or(&ALL[0])
    }

    /// Returns the name of the kind on the command line.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// Returns the one-line description for the user.
    pub fn description(self) -> &'static str {
        self.about().description
    }

    /// Returns the group of the kind.
    pub fn group(self) -> Group {
        self.about().group
    }

    /// Returns whether the kind uses an option.
    pub fn takes(self, setting: ExportSetting) -> bool {
        self.about().settings.contains(&setting)
    }

    /// Returns whether the kind shows the growth rather than only the result.
    pub fn is_animation(self) -> bool {
        self.group() == Group::Animation
    }

    /// Returns the marks that the kind shows by default: for PDF the doors, because a reader of a paper map might
    /// otherwise overlook the entrances of rooms.
    pub const fn marks(self) -> MapMarks {
        match self {
            Self::Pdf => MapMarks::Doors,
            _ => MapMarks::None,
        }
    }

    /// Returns the background that the kind uses by default.
    pub const fn ground(self) -> Ground {
        match self {
            Self::Pdf => Ground::Print,
            _ => Ground::Dark,
        }
    }
}
