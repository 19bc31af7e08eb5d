//! Loads the files of a design, combines its parts, and records the source position of each value.
//!
//! Errors are returned as diagnostics. If a file cannot be used, the result has no design.

use std::io;
use std::path::{Path, PathBuf};

use super::companion_files::{self, DesignFiles};
use super::disk::{MAX_TOML_BYTES, StorageError, input_name, read};
use crate::design::{Character, Constants, Design, Diagnostic, Layout, Severity};
use crate::format::{Kind, Parsed, Places, Text, constants, native, rooms, stats};
use crate::text::fnv1a;

/// Result of loading a design's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedDesign {
    /// The design; `None` if the files cannot be used.
    pub design: Option<Design>,
    /// Diagnostics about the files. Those about the texts of the files have a line and column.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether a file is missing.
    pub missing: bool,
    /// Whether a file could not be read.
    pub unreadable: bool,
    files: Vec<LoadedFile>,
}

/// A part of a design, such as its layout.
#[derive(Default)]
enum DesignPart<T> {
    /// No file was given for the part.
    #[default]
    Absent,
    /// The file of the part cannot be used.
    Unusable,
    /// The part, read from its file.
    Read(T),
}

impl<T> From<Option<T>> for DesignPart<T> {
    fn from(read: Option<T>) -> Self {
        read.map_or(Self::Unusable, Self::Read)
    }
}

impl<T: Default> DesignPart<T> {
    fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Returns the part, with defaults if no file was given; `None` if its file cannot be used.
    fn or_default(self) -> Option<T> {
        match self {
            Self::Absent => Some(T::default()),
            Self::Unusable => None,
            Self::Read(part) => Some(part),
        }
    }
}

/// The content of a design's files: either the whole design, from a TOML file, or its layout, character and constants,
/// from one file each.
#[derive(Default)]
struct DesignParts {
    whole: DesignPart<Design>,
    layout: DesignPart<Layout>,
    character: DesignPart<Character>,
    constants: DesignPart<Constants>,
    /// Path of the rooms file, if there is one.
    rooms: Option<PathBuf>,
}

impl DesignParts {
    /// Returns whether a file of this kind can be added: the design has no part of this kind yet, and is not read from
    /// TOML.
    fn lacks(&self, kind: Kind) -> bool {
        self.whole.is_absent()
            && match kind {
                Kind::Toml => false,
                Kind::Rooms => self.layout.is_absent(),
                Kind::Stats => self.character.is_absent(),
                Kind::Constants => self.constants.is_absent(),
            }
    }

    fn add(&mut self, loaded: &mut LoadedDesign, path: &Path, text: Text, kind: Option<Kind>) {
        match kind {
            Some(Kind::Toml) => self.whole = loaded.toml(path, text).into(),
            Some(Kind::Rooms) => {
                self.layout = loaded.keep(path, text, rooms::parse).into();
                self.rooms = Some(path.to_owned());
            }
            Some(Kind::Stats) => self.character = loaded.keep(path, text, stats::parse).into(),
            Some(Kind::Constants) => self.constants = loaded.keep(path, text, constants::parse).into(),
            None => {
                let why = text.problem().filter(|p| p.severity == Severity::Error).cloned();
                let error = why.unwrap_or_else(|| {
                    let message = if text.content().trim().is_empty() {
                        "the file is empty"
                    } else {
                        "this is not a rooms file, stats file, constants file or TOML design"
                    };
                    Diagnostic::error(message)
                        .from_source(text.source(0..text.content().len()))
                        .help(
                            "a rooms file begins with `Dungeon dimensions`, a stats file with `Generation:`, a \
                             constants file with `maxCrawlers =`, and a TOML design with `format = 1`",
                        )
                });
                loaded.diagnostics.push(error);
                self.whole = DesignPart::Unusable;
            }
        }
    }

    /// Returns the path of the rooms file if it can be used and there is no stats file.
    fn rooms_without_stats(&self) -> Option<&Path> {
        let is_open = self.whole.is_absent() && matches!(self.layout, DesignPart::Read(_));
        self.rooms.as_deref().filter(|_| is_open && self.character.is_absent())
    }

    /// Combines the parts into a design. Absent parts get their defaults. Returns `None` if a part cannot be used.
    fn design(self) -> Option<Design> {
        match self.whole {
            DesignPart::Read(design) => Some(design),
            DesignPart::Unusable => None,
            DesignPart::Absent => Some(Design {
                layout: self.layout.or_default()?,
                character: self.character.or_default()?,
                constants: self.constants.or_default()?,
                ..Design::default()
            }),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct LoadedFile {
    path: PathBuf,
    text: Text,
    places: Places,
}

impl LoadedDesign {
    fn new() -> Self {
        Self {
            design: None,
            diagnostics: Vec::new(),
            missing: false,
            unreadable: false,
            files: Vec::new(),
        }
    }

    /// Loads a TOML design from a text that is not in a file, such as the text of a preset. Diagnostics refer to the
    /// text by `name`.
    pub fn of_text(name: &str, text: &str) -> Self {
        let mut loaded = Self::new();
        let text = Text::decode(name.to_owned(), text.as_bytes().to_vec());
        loaded.design = loaded.toml(Path::new(name), text);
        loaded
    }

    /// Loads a design's files.
    pub(super) fn of(files: &DesignFiles) -> Self {
        let mut loaded = Self::new();
        loaded.design = match files {
            DesignFiles::Toml(path) => loaded.text(path).and_then(|text| loaded.toml(path, text)),
            DesignFiles::Legacy {
                rooms,
                stats,
                constants,
            } => {
                let parts = DesignParts {
                    whole: DesignPart::Absent,
                    layout: loaded.file(rooms, rooms::parse).into(),
                    character: stats
                        .as_ref()
                        .map_or(DesignPart::Absent, |path| loaded.file(path, stats::parse).into()),
                    constants: constants
                        .as_ref()
                        .map_or(DesignPart::Absent, |path| loaded.file(path, constants::parse).into()),
                    rooms: Some(rooms.clone()),
                };
                loaded.note_defaults(&parts);
                parts.design()
            }
        };
        loaded
    }

    /// If there is a rooms file but no stats file, adds the companion files of the rooms file, except those that are in
    /// `paths`.
    fn complete(&mut self, parts: &mut DesignParts, paths: &[PathBuf]) {
        let Some(rooms) = parts.rooms_without_stats().map(Path::to_owned) else {
            return;
        };
        let DesignFiles::Legacy { stats, constants, .. } = companion_files::of(&rooms) else {
            return;
        };
        let constants = constants.filter(|_| parts.constants.is_absent());
        for (path, kind) in [(stats, Kind::Stats), (constants, Kind::Constants)] {
            let Some(path) = path.filter(|path| !paths.contains(path)) else {
                continue;
            };
            match self.text(&path) {
                Some(text) => parts.add(self, &path, text, Some(kind)),
                None => parts.whole = DesignPart::Unusable,
            }
        }
    }

    /// Warns if the design has a rooms file but no stats file.
    fn note_defaults(&mut self, parts: &DesignParts) {
        if let Some(rooms) = parts.rooms_without_stats() {
            let stats = companion_files::partner(rooms, "stats");
            // `check` may have read the matching stats file as part of another design.
            let (existing, missing) = match stats {
                Some(path) if path.is_file() => (Some(path), None),
                path => (None, path),
            };
            let message = match missing.as_deref().and_then(Path::file_name) {
                Some(name) => format!(
                    "no {} found beside the rooms file; the ten generations have the built-in defaults",
                    name.display()
                ),
                None => "no stats file given; the ten generations have the built-in defaults".into(),
            };
            let rooms = input_name(rooms);
            let help = match existing {
                Some(stats) => format!("pass {} too, directly after {rooms}", input_name(&stats)),
                None => {
                    "save a matching stats file in the same folder (stats4 for rooms4), or pass a stats file too".into()
                }
            };
            self.diagnostics
                .push(Diagnostic::warning(format!("{rooms}: {message}")).help(help));
        }
    }

    /// Loads files of any format, which is recognized by content, and groups them into designs. Each TOML file is a
    /// design. Consecutive DungeonMaker files are parts of one design, until a second file of the same kind starts
    /// another design. If a design has a rooms file but no stats file, the companion files of the rooms file are added.
    /// Parts without a file get their defaults.
    pub fn any(paths: &[PathBuf]) -> Vec<Self> {
        let mut groups: Vec<(Self, DesignParts)> = Vec::new();
        for path in paths {
            let mut loaded = Self::new();
            let text = loaded.text(path);
            let kind = text.as_ref().and_then(Kind::guess);
            let fits = |(_, parts): &&mut (Self, DesignParts)| kind.is_some_and(|kind| parts.lacks(kind));
            if let (Some(text), Some((group, parts))) = (&text, groups.last_mut().filter(fits)) {
                parts.add(group, path, text.clone(), kind);
                continue;
            }
            let mut parts = DesignParts::default();
            match text {
                Some(text) => parts.add(&mut loaded, path, text, kind),
                None => parts.whole = DesignPart::Unusable,
            }
            groups.push((loaded, parts));
        }
        for (loaded, parts) in &mut groups {
            loaded.complete(parts, paths);
            loaded.note_defaults(parts);
        }
        let whole = groups.into_iter().map(|(mut loaded, parts)| {
            loaded.design = parts.design();
            loaded
        });
        whole.collect()
    }

    /// Reads a file's text; adds a diagnostic if it cannot be read.
    fn text(&mut self, path: &Path) -> Option<Text> {
        match read(path) {
            Ok(bytes) => Some(Text::decode(input_name(path), bytes)),
            Err(error) => {
                self.reject(&error);
                None
            }
        }
    }

    fn reject(&mut self, error: &StorageError) {
        self.unreadable = true;
        self.missing |= matches!(error, StorageError::Io(e) if e.kind() == io::ErrorKind::NotFound);
        let mut diagnostic = Diagnostic::error(error.to_string());
        if matches!(error, StorageError::Io(_)) {
            diagnostic = diagnostic.help("check the path and its permissions");
        }
        self.diagnostics.push(diagnostic);
    }

    /// Stores a text and parses it with `parse`. Returns the parsed value; `None` if it cannot be used.
    fn keep<T>(&mut self, path: &Path, text: Text, parse: impl FnOnce(&Text) -> Parsed<T>) -> Option<T> {
        let parsed = parse(&text);
        let usable = parsed.is_usable();
        self.diagnostics.extend(parsed.diagnostics);
        self.files.push(LoadedFile {
            path: path.to_owned(),
            text,
            places: parsed.places,
        });
        usable.then_some(parsed.value)
    }

    /// Reads one file and parses it with `parse`. Returns the parsed value; `None` if it cannot be used.
    fn file<T>(&mut self, path: &Path, parse: impl FnOnce(&Text) -> Parsed<T>) -> Option<T> {
        let text = self.text(path)?;
        self.keep(path, text, parse)
    }

    /// Parses and stores a TOML design; returns `None` if it cannot be used.
    fn toml(&mut self, path: &Path, text: Text) -> Option<Design> {
        if text.content().len() as u64 > MAX_TOML_BYTES {
            self.reject(&StorageError::TooLarge {
                path: path.to_owned(),
                limit: MAX_TOML_BYTES,
            });
            return None;
        }
        self.keep(path, text, native::parse)
    }

    /// Returns the names of the files that were read.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.text.name())
    }

    /// Returns the folder of the first file that was read. Paths in the design are relative to this folder.
    pub fn folder(&self) -> PathBuf {
        let first = self.files.first().and_then(|file| file.path.parent());
        first.map(Path::to_owned).unwrap_or_default()
    }

    /// Adds file, line and column to a diagnostic with a place, if the files contain the place.
    pub fn locate(&self, diagnostic: &mut Diagnostic) {
        for file in &self.files {
            file.places.locate(diagnostic, &file.text);
        }
    }

    /// Returns whether the text of a file was read.
    pub fn has_text_of(&self, path: &Path) -> bool {
        self.text_of(path).is_some()
    }

    /// Returns the paths in `files` whose texts differ between `self` and `other`.
    pub fn changed(&self, other: &Self, files: Vec<PathBuf>) -> Vec<PathBuf> {
        let content = |loaded: &Self, path: &Path| loaded.text_of(path).map(|text| text.content().to_owned());
        let differs = |path: &PathBuf| content(self, path) != content(other, path);
        files.into_iter().filter(differs).collect()
    }

    /// Returns whether the files of `self` and `other` contain the same texts.
    pub fn same_text(&self, other: &Self) -> bool {
        let texts =
            |loaded: &Self| -> Vec<String> { loaded.files.iter().map(|file| file.text.content().to_owned()).collect() };
        self.missing == other.missing && self.unreadable == other.unreadable && texts(self) == texts(other)
    }

    /// Returns a digest of the files' content. The digest does not depend on the paths and times of the files; it
    /// changes if their content changes or if a file can no longer be read.
    pub fn digest(&self) -> u64 {
        let marks = [u8::from(self.missing), u8::from(self.unreadable)];
        let texts = self.files.iter().map(|file| file.text.content().as_bytes());
        // A byte that cannot occur in UTF-8 follows each text, so that the digest depends on where a text ends.
        let texts = texts.flat_map(|text| text.iter().copied().chain([0xff]));
        fnv1a(texts.chain(marks))
    }

    /// Returns the text of the file if exactly one file was read, otherwise `None`.
    pub fn only_text(&self) -> Option<&Text> {
        match &self.files[..] {
            [file] => Some(&file.text),
            _ => None,
        }
    }

    /// Returns the text that was read from a file.
    pub(super) fn text_of(&self, path: &Path) -> Option<&Text> {
        self.files.iter().find(|file| file.path == path).map(|file| &file.text)
    }
}
