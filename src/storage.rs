//! Reading and atomic writing of files, and how a design is kept in them.
//!
//! Knows paths and bytes; the text formats know what the bytes mean. Every write goes to a new file beside
//! the old one and takes its place only when it is whole on disk, so that a crash, a full disk or a pulled
//! plug leaves the old file or the new one, never a part.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::design::{Character, Constants, Design, Diagnostic, Entry, Layout, Place, Severity};
use crate::format::{Kind, Parsed, Places, Text, constants, native, rooms, stats};

/// Larger files are refused: no design is that long, and reading must end.
pub const MAX_BYTES: u64 = 64 << 20;

/// Larger TOML files are refused: changing one takes some 200 bytes of memory for each of its own.
pub const MAX_TOML_BYTES: u64 = 4 << 20;

/// Why files could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The system refused; the message names the path.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is larger than any design.
    #[error("{path} holds more than {} MiB; a design is never that large", limit >> 20)]
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// How many bytes are read.
        limit: u64,
    },
    /// Something that is not a file stands there.
    #[error("{path} is no file")]
    NoFile {
        /// Which path.
        path: PathBuf,
    },
    /// The file may not be written.
    #[error("{path} is read-only; save under another name, or make it writable")]
    ReadOnly {
        /// Which file.
        path: PathBuf,
    },
    /// The format cannot hold the design.
    #[error("the file format cannot hold this design: {}", first(.0))]
    NotCarried(Vec<Diagnostic>),
}

fn first(diagnostics: &[Diagnostic]) -> String {
    diagnostics.first().map(|d| d.message.clone()).unwrap_or_default()
}

/// Reads a whole file of at most [`MAX_BYTES`].
///
/// # Errors
///
/// When there is no such file, it may not be read, it is too large, or a folder or a pipe stands there
/// (what lies under `/dev` is read all the same, for `<(…)` of the shell).
pub fn read(path: &Path) -> Result<Vec<u8>, StorageError> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()));
    if !fs::metadata(path).map_err(named)?.is_file() && !path.starts_with("/dev") {
        return Err(StorageError::NoFile { path: path.to_owned() });
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(named)?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(named)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(StorageError::TooLarge {
            path: path.to_owned(),
            limit: MAX_BYTES,
        });
    }
    Ok(bytes)
}

/// Puts `bytes` in a file, whole or not at all. An existing file keeps its mode, and a link keeps pointing
/// to the file that is replaced.
///
/// # Errors
///
/// When the folder is missing or may not be written, the disk is full, the file is read-only, or
/// something else than a file stands there. What stood there is then untouched.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), StorageError> {
    let target = resolve_links(path)?;
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let before = fs::metadata(&target).ok();
    if before.as_ref().is_some_and(|m| !m.is_file()) {
        return Err(StorageError::NoFile { path: path.to_owned() });
    }
    if before.as_ref().is_some_and(|m| m.permissions().readonly()) {
        return Err(StorageError::ReadOnly { path: path.to_owned() });
    }
    let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wallcrawler-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // A new file gets what the umask leaves of this, like any other program's.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(named)?;
    file.write_all(bytes).map_err(named)?;
    if let Some(before) = before {
        file.as_file().set_permissions(before.permissions()).map_err(named)?;
    }
    file.as_file().sync_all().map_err(named)?;
    file.persist(&target).map_err(|error| named(error.error))?;
    // The new name is on disk only when the folder is; where folders cannot be synced, nothing is lost by it.
    let _ = fs::File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// The file that a path finally names, which need not exist.
fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().map(|folder| folder.join(&next)).unwrap_or(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other(format!("{}: too many links", path.display())))
}

/// The files that a design is kept in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DesignFiles {
    /// One TOML file for everything.
    Toml(PathBuf),
    /// The original's files.
    Legacy {
        /// The layout.
        rooms: PathBuf,
        /// The character.
        stats: PathBuf,
        /// The constants; without a file they have their defaults.
        constants: Option<PathBuf>,
    },
}

/// What was found in a design's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// The design; `None` when the files cannot be used.
    pub design: Option<Design>,
    /// What is wrong with the texts, with line and column.
    pub diagnostics: Vec<Diagnostic>,
    /// A file is not there.
    pub missing: bool,
    /// A file could not be read.
    pub unreadable: bool,
    files: Vec<LoadedFile>,
}

/// A part of a design.
#[derive(Default)]
enum Part<T> {
    /// No file was given for it.
    #[default]
    Absent,
    /// Its file cannot be used.
    Unusable,
    /// What its file says.
    Read(T),
}

impl<T> From<Option<T>> for Part<T> {
    fn from(read: Option<T>) -> Self {
        read.map_or(Self::Unusable, Self::Read)
    }
}

impl<T: Default> Part<T> {
    fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The part, with defaults where no file was given.
    fn or_default(self) -> Option<T> {
        match self {
            Self::Absent => Some(T::default()),
            Self::Unusable => None,
            Self::Read(part) => Some(part),
        }
    }
}

/// The parts of a design as they come from files of any format.
#[derive(Default)]
struct Parts {
    whole: Part<Design>,
    layout: Part<Layout>,
    character: Part<Character>,
    constants: Part<Constants>,
}

impl Parts {
    /// Whether a file of this kind belongs to the same design.
    fn lacks(&self, kind: Kind) -> bool {
        self.whole.is_absent()
            && match kind {
                Kind::Toml => false,
                Kind::Rooms => self.layout.is_absent(),
                Kind::Stats => self.character.is_absent(),
                Kind::Constants => self.constants.is_absent(),
            }
    }

    fn take(&mut self, loaded: &mut Loaded, path: &Path, text: Text, kind: Option<Kind>) {
        match kind {
            Some(Kind::Toml) => self.whole = loaded.toml(path, text).into(),
            Some(Kind::Rooms) => self.layout = loaded.keep(path, text, rooms::parse).into(),
            Some(Kind::Stats) => self.character = loaded.keep(path, text, stats::parse).into(),
            Some(Kind::Constants) => self.constants = loaded.keep(path, text, constants::parse).into(),
            None => {
                let why = text.problem().filter(|p| p.severity == Severity::Error).cloned();
                let error = why.unwrap_or_else(|| {
                    let message = if text.content().trim().is_empty() {
                        "the file is empty"
                    } else {
                        "this is no rooms file, stats file, constants file or TOML design"
                    };
                    Diagnostic::error(message)
                        .from_source(text.source(0..text.content().len()))
                        .help("they begin with 'Dungeon dimensions', 'Generation:', 'maxCrawlers =' and 'format = 1'")
                });
                loaded.diagnostics.push(error);
                self.whole = Part::Unusable;
            }
        }
    }

    /// The design, with defaults for the parts that are not there.
    fn design(self) -> Option<Design> {
        match self.whole {
            Part::Read(design) => Some(design),
            Part::Unusable => None,
            Part::Absent => Some(Design {
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

impl Loaded {
    fn new() -> Self {
        Self {
            design: None,
            diagnostics: Vec::new(),
            missing: false,
            unreadable: false,
            files: Vec::new(),
        }
    }

    /// Reads files of any format, which is told by their words. Each TOML file is a design; of the original's
    /// files, those that follow one another are parts of one, up to the second of a kind. A part that
    /// is not given has its defaults.
    pub fn any(paths: &[PathBuf]) -> Vec<Self> {
        let mut groups: Vec<(Self, Parts)> = Vec::new();
        for path in paths {
            let mut loaded = Self::new();
            let text = loaded.text(path);
            let kind = text.as_ref().and_then(Kind::guess);
            let fits = |(_, parts): &&mut (Self, Parts)| kind.is_some_and(|kind| parts.lacks(kind));
            if let (Some(text), Some((group, parts))) = (&text, groups.last_mut().filter(fits)) {
                parts.take(group, path, text.clone(), kind);
                continue;
            }
            let mut parts = Parts::default();
            match text {
                Some(text) => parts.take(&mut loaded, path, text, kind),
                None => parts.whole = Part::Unusable,
            }
            groups.push((loaded, parts));
        }
        let whole = groups.into_iter().map(|(mut loaded, parts)| {
            loaded.design = parts.design();
            loaded
        });
        whole.collect()
    }

    /// Reads a file's text; a file that cannot be read is reported.
    fn text(&mut self, path: &Path) -> Option<Text> {
        match read(path) {
            Ok(bytes) => Some(Text::decode(path.display().to_string(), bytes)),
            Err(error) => {
                self.refuse(&error);
                None
            }
        }
    }

    fn refuse(&mut self, error: &StorageError) {
        self.unreadable = true;
        self.missing |= matches!(error, StorageError::Io(e) if e.kind() == io::ErrorKind::NotFound);
        self.diagnostics
            .push(Diagnostic::error(error.to_string()).help("check the name and the rights"));
    }

    /// Keeps a text and what `parse` makes of it; `None` when it cannot be used.
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

    /// Reads one file and what `parse` makes of it; `None` when it cannot be used.
    fn file<T>(&mut self, path: &Path, parse: impl FnOnce(&Text) -> Parsed<T>) -> Option<T> {
        let text = self.text(path)?;
        self.keep(path, text, parse)
    }

    /// The same for a TOML design.
    fn toml(&mut self, path: &Path, text: Text) -> Option<Design> {
        if text.content().len() as u64 > MAX_TOML_BYTES {
            self.refuse(&StorageError::TooLarge {
                path: path.to_owned(),
                limit: MAX_TOML_BYTES,
            });
            return None;
        }
        self.keep(path, text, native::parse)
    }

    /// The names of the files that were read.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.text.name())
    }

    /// Gives a diagnostic that names a place its file, line and column, where the files hold the place.
    pub fn locate(&self, diagnostic: &mut Diagnostic) {
        for file in &self.files {
            file.places.locate(diagnostic, &file.text);
        }
    }

    /// Whether the files hold the same texts.
    pub fn same_text(&self, other: &Self) -> bool {
        let texts =
            |loaded: &Self| -> Vec<String> { loaded.files.iter().map(|file| file.text.content().to_owned()).collect() };
        self.missing == other.missing && self.unreadable == other.unreadable && texts(self) == texts(other)
    }

    /// The text that was read from a file.
    fn text_of(&self, path: &Path) -> Option<&Text> {
        self.files.iter().find(|file| file.path == path).map(|file| &file.text)
    }
}

impl DesignFiles {
    /// The paths, the most telling first.
    pub fn paths(&self) -> Vec<PathBuf> {
        match self {
            Self::Toml(path) => vec![path.clone()],
            Self::Legacy {
                rooms,
                stats,
                constants,
            } => [Some(rooms), Some(stats), constants.as_ref()]
                .into_iter()
                .flatten()
                .cloned()
                .collect(),
        }
    }

    /// Reads the files. Problems are in the result; a part that can be used is used.
    pub fn load(&self) -> Loaded {
        let mut loaded = Loaded::new();
        loaded.design = match self {
            Self::Toml(path) => loaded.text(path).and_then(|text| loaded.toml(path, text)),
            Self::Legacy {
                rooms,
                stats,
                constants,
            } => {
                let parts = Parts {
                    whole: Part::Absent,
                    layout: loaded.file(rooms, rooms::parse).into(),
                    character: loaded.file(stats, stats::parse).into(),
                    constants: constants
                        .as_ref()
                        .map_or(Part::Absent, |path| loaded.file(path, constants::parse).into()),
                };
                parts.design()
            }
        };
        loaded
    }

    /// Writes the files, each atomically. Of a TOML file read before, comments and order are kept; of the
    /// original's files, those that would say the same are left alone, with their author's prose.
    /// Gives what the format could not carry.
    ///
    /// # Errors
    ///
    /// When a format cannot hold the design (nothing is written then) or a file cannot be written.
    pub fn save(&self, design: &Design, before: Option<&Loaded>) -> Result<Vec<Diagnostic>, StorageError> {
        match self {
            Self::Toml(path) => {
                let known = before
                    .filter(|loaded| loaded.design.is_some())
                    .and_then(|loaded| loaded.text_of(path));
                let text = match known {
                    Some(text) => native::update(text.content(), design).map_err(StorageError::NotCarried)?,
                    None => native::write(design),
                };
                write_atomic(path, text.as_bytes())?;
                Ok(Vec::new())
            }
            Self::Legacy {
                rooms: rooms_path,
                stats: stats_path,
                constants: constants_path,
            } => {
                let layout = rooms::write(&design.layout).map_err(StorageError::NotCarried)?;
                let known = |path: &Path| before.and_then(|loaded| loaded.text_of(path));
                put(rooms_path, known(rooms_path), rooms::parse, &design.layout, layout)?;
                let character = stats::write(&design.character);
                put(
                    stats_path,
                    known(stats_path),
                    stats::parse,
                    &design.character,
                    character,
                )?;
                let Some(path) = constants_path else {
                    return Ok(lost_constants(design));
                };
                let constants = constants::write(&design.constants);
                put(path, known(path), constants::parse, &design.constants, constants)?;
                Ok(Vec::new())
            }
        }
    }
}

/// Writes one of the original's files, unless the text that is there says the same already. What its author
/// wrote after the last record is kept.
fn put<T: PartialEq>(
    path: &Path,
    known: Option<&Text>,
    parse: impl FnOnce(&Text) -> Parsed<T>,
    value: &T,
    mut text: String,
) -> Result<(), StorageError> {
    if let Some(known) = known {
        let parsed = parse(known);
        if parsed.is_usable() && parsed.value == *value && path.exists() {
            return Ok(());
        }
        let rest = &known.content()[parsed.end.min(known.content().len())..];
        if parsed.is_usable() && !rest.trim().is_empty() {
            text.truncate(text.trim_end().len());
            text.push_str(rest);
        }
    }
    write_atomic(path, text.as_bytes())
}

fn lost_constants(design: &Design) -> Vec<Diagnostic> {
    if design.constants == Constants::default() {
        return Vec::new();
    }
    vec![
        Diagnostic::warning("the constants were changed, and this design has no constants file")
            .at(Place::entry(Entry::Constants))
            .help("save as one TOML file, or as three files"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_replaces_the_whole_file_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rooms");
        write_atomic(&path, b"one").unwrap();
        write_atomic(&path, b"two").unwrap();
        assert_eq!(read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn modes_and_links_survive() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        write_atomic(&file, b"one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        write_atomic(&link, b"two").unwrap();
        assert_eq!(read(&file).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        // A link to a file that is not there yet makes that file.
        let dangling = folder.path().join("dangling");
        std::os::unix::fs::symlink("new", &dangling).unwrap();
        write_atomic(&dangling, b"three").unwrap();
        assert_eq!(read(&folder.path().join("new")).unwrap(), b"three");
        std::os::unix::fs::symlink("circle", folder.path().join("circle")).unwrap();
        assert!(write_atomic(&folder.path().join("circle"), b"x").is_err());
    }

    #[test]
    fn what_cannot_be_written_is_told_and_left_whole() {
        let folder = tempfile::tempdir().unwrap();
        let error = write_atomic(&folder.path().join("no/such/folder"), b"x").unwrap_err();
        assert!(error.to_string().contains("no/such/folder"), "{error}");
        assert!(matches!(
            write_atomic(folder.path(), b"x"),
            Err(StorageError::NoFile { .. })
        ));
        let path = folder.path().join("kept");
        write_atomic(&path, b"kept").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(matches!(write_atomic(&path, b"x"), Err(StorageError::ReadOnly { .. })));
        assert_eq!(read(&path).unwrap(), b"kept");
    }

    #[test]
    fn folders_and_giants_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(read(folder.path()), Err(StorageError::NoFile { .. })));
        let giant = folder.path().join("giant");
        fs::File::create(&giant).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert!(matches!(read(&giant), Err(StorageError::TooLarge { .. })));
    }

    #[test]
    fn files_of_any_format_are_told_apart_and_put_together() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: String| {
            let path = folder.path().join(name);
            write_atomic(&path, text.as_bytes()).unwrap();
            path
        };
        let mut design = Design::default();
        design.layout.size.x = 44;
        design.constants.join_dist = 5;
        let toml = put("a", native::write(&design));
        let layout = put("b", rooms::write(&design.layout).unwrap());
        let character = put("c", stats::write(&design.character));
        let numbers = put("d", constants::write(&design.constants));
        let other = put("e", "Dear Sir".into());
        let absent = folder.path().join("absent");
        let paths = [toml, layout.clone(), numbers, character, layout, other, absent];
        let loaded = Loaded::any(&paths);
        assert_eq!(loaded.len(), 5);
        assert_eq!(loaded[0].design, Some(design.clone()));
        assert_eq!(loaded[1].design, Some(design.clone()));
        assert_eq!(loaded[1].names().count(), 3);
        // The second rooms file is a design of its own, with default constants.
        design.constants = Constants::default();
        assert_eq!(loaded[2].design, Some(design));
        assert_eq!((loaded[3].design.as_ref(), loaded[3].unreadable), (None, false));
        assert_eq!((loaded[4].design.as_ref(), loaded[4].missing), (None, true));
    }

    #[test]
    fn prose_after_the_last_record_survives_a_save() {
        let folder = tempfile::tempdir().unwrap();
        let [rooms_path, stats_path, constants_path] = ["r", "s", "c"].map(|name| folder.path().join(name));
        let design = Design::default();
        let with = |text: String, prose: &str| format!("{}{prose}", text.trim_end());
        write_atomic(
            &rooms_path,
            with(rooms::write(&design.layout).unwrap(), " Mine.\n").as_bytes(),
        )
        .unwrap();
        write_atomic(
            &stats_path,
            with(stats::write(&design.character), "\n\nSlow ones.").as_bytes(),
        )
        .unwrap();
        write_atomic(&constants_path, constants::write(&design.constants).as_bytes()).unwrap();
        let files = DesignFiles::Legacy {
            rooms: rooms_path.clone(),
            stats: stats_path.clone(),
            constants: Some(constants_path),
        };
        let loaded = files.load();
        let mut changed = loaded.design.clone().unwrap();
        changed.layout.protuberances = 3;
        changed.character.generations[4].max_age = 77;
        files.save(&changed, Some(&loaded)).unwrap();
        assert_eq!(files.load().design, Some(changed));
        let text = |path: &Path| String::from_utf8(read(path).unwrap()).unwrap();
        assert!(text(&rooms_path).ends_with("sports 3 protuberances. Mine.\n"));
        assert!(text(&stats_path).ends_with(".\n\nSlow ones."));
    }

    #[test]
    fn a_toml_file_that_would_take_the_memory_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("giant.toml");
        write_atomic(&path, "# x\n".repeat(MAX_TOML_BYTES as usize / 4 + 1).as_bytes()).unwrap();
        let loaded = DesignFiles::Toml(path).load();
        assert!(loaded.unreadable && loaded.design.is_none());
        assert!(
            loaded.diagnostics[0].message.contains("4 MiB"),
            "{}",
            loaded.diagnostics[0]
        );
    }
}
