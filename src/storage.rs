//! Reading and atomic writing of files, and how a design is kept in them.
//!
//! Knows paths and bytes; the text formats know what the bytes mean. Every write goes to a new file beside
//! the old one and takes its place only when it is whole on disk, so that a crash, a full disk or a pulled
//! plug leaves the old file or the new one, never a part.

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::design::{Constants, Design, Diagnostic, Entry, Place};
use crate::format::{Parsed, Places, Text, constants, native, rooms, stats};

/// Larger files are refused: no design is that long, and reading must end.
pub const MAX_BYTES: u64 = 64 << 20;

/// Why files could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The system refused; the message names the path.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is larger than any design.
    #[error("{path} holds more than {} MiB; a design is never that large", MAX_BYTES >> 20)]
    TooLarge {
        /// Which file.
        path: PathBuf,
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
    if !fs::metadata(path)?.is_file() && !path.starts_with("/dev") {
        return Err(StorageError::NoFile { path: path.to_owned() });
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(StorageError::TooLarge { path: path.to_owned() });
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
    let before = std::fs::metadata(&target).ok();
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
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(named)?;
    file.write_all(bytes).map_err(named)?;
    if let Some(before) = before {
        file.as_file().set_permissions(before.permissions()).map_err(named)?;
    }
    file.as_file().sync_all().map_err(named)?;
    file.persist(&target).map_err(|error| named(error.error))?;
    // The new name is on disk only when the folder is; where folders cannot be synced, nothing is lost by it.
    let _ = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// The file that a path finally names, which need not exist.
fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match std::fs::read_link(&path) {
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

    /// Reads one file and what `parse` makes of it; `None` when it cannot be used.
    fn file<T>(&mut self, path: &Path, parse: impl FnOnce(&Text) -> Parsed<T>) -> Option<T> {
        let bytes = match read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.unreadable = true;
                self.missing |= matches!(&error, StorageError::Io(e) if e.kind() == io::ErrorKind::NotFound);
                self.diagnostics
                    .push(Diagnostic::error(error.to_string()).help("check the name and the rights"));
                return None;
            }
        };
        let text = Text::decode(path.display().to_string(), bytes);
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
            Self::Toml(path) => loaded.file(path, native::parse),
            Self::Legacy {
                rooms,
                stats,
                constants,
            } => {
                let layout = loaded.file(rooms, rooms::parse);
                let character = loaded.file(stats, stats::parse);
                let constants = match constants {
                    Some(path) => loaded.file(path, constants::parse),
                    None => Some(Constants::default()),
                };
                match (layout, character, constants) {
                    (Some(layout), Some(character), Some(constants)) => Some(Design {
                        constants,
                        layout,
                        character,
                        ..Design::default()
                    }),
                    _ => None,
                }
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
                let same = known(rooms_path).is_some_and(|text| says(&rooms::parse(text), &design.layout));
                put(rooms_path, same, &layout)?;
                let same = known(stats_path).is_some_and(|text| says(&stats::parse(text), &design.character));
                put(stats_path, same, &stats::write(&design.character))?;
                let Some(path) = constants_path else {
                    return Ok(lost_constants(design));
                };
                let same = known(path).is_some_and(|text| says(&constants::parse(text), &design.constants));
                put(path, same, &constants::write(&design.constants))?;
                Ok(Vec::new())
            }
        }
    }
}

/// Whether a text says this already.
fn says<T: PartialEq>(parsed: &Parsed<T>, value: &T) -> bool {
    parsed.is_usable() && parsed.value == *value
}

fn put(path: &Path, same: bool, text: &str) -> Result<(), StorageError> {
    if same && path.exists() {
        Ok(())
    } else {
        write_atomic(path, text.as_bytes())
    }
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
        fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
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
}
