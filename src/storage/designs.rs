//! The files that a design is kept in, and how it is saved to them.

use std::path::{Path, PathBuf};

use super::backup::Backups;
use super::disk::{MAX_TOML_BYTES, StorageError, write_atomic};
use super::loaded::Loaded;
use crate::design::{Constants, Design, Diagnostic, Entry, Piece, Place};
use crate::format::{Parsed, Text, constants, native, rooms, stats};

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
        Loaded::of(self)
    }

    /// Writes the files, each atomically. Of a TOML file read before, comments and order are kept; of the
    /// original's files, those that would say the same are left alone, with their author's prose.
    /// What a file that is written over held is kept as `backups` says. Gives what the format could not carry, and
    /// which backup could not be made.
    ///
    /// # Errors
    ///
    /// When a format cannot hold the design (nothing is written then) or a file cannot be written.
    pub fn save(
        &self,
        design: &Design,
        pieces: &[Piece],
        before: Option<&Loaded>,
        backups: &mut Backups,
    ) -> Result<Vec<Diagnostic>, StorageError> {
        match self {
            Self::Toml(path) => {
                let known = before
                    .filter(|loaded| loaded.design.is_some())
                    .and_then(|loaded| loaded.text_of(path));
                let text = match known {
                    Some(text) => native::update(text.content(), design).map_err(StorageError::NotCarried)?,
                    None => native::write(design),
                };
                if text.len() as u64 > MAX_TOML_BYTES {
                    return Err(StorageError::TooLong {
                        path: path.clone(),
                        limit: MAX_TOML_BYTES,
                    });
                }
                let unkept = backups.keep(path);
                write_atomic(path, text.as_bytes())?;
                Ok(unkept.into_iter().collect())
            }
            Self::Legacy {
                rooms: rooms_path,
                stats: stats_path,
                constants: constants_path,
            } => {
                let layout = design.layout.with_tiles_of(pieces, &design.constants);
                let text = rooms::write(&layout).map_err(StorageError::NotCarried)?;
                let known = |path: &Path| before.and_then(|loaded| loaded.text_of(path));
                let mut lost = lost_vaults(design, pieces);
                lost.extend(lost_expectations(design));
                let layout_unkept = put(rooms_path, known(rooms_path), rooms::parse, &layout, text, backups)?;
                lost.extend(layout_unkept);
                let character = stats::write(&design.character);
                lost.extend(put(
                    stats_path,
                    known(stats_path),
                    stats::parse,
                    &design.character,
                    character,
                    backups,
                )?);
                if let Some(path) = constants_path {
                    let constants = constants::write(&design.constants);
                    let unkept = put(
                        path,
                        known(path),
                        constants::parse,
                        &design.constants,
                        constants,
                        backups,
                    )?;
                    lost.extend(unkept);
                } else {
                    lost.extend(lost_constants(design));
                }
                Ok(lost)
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
    backups: &mut Backups,
) -> Result<Option<Diagnostic>, StorageError> {
    if let Some(known) = known {
        let parsed = parse(known);
        if parsed.is_usable() && parsed.value == *value && path.exists() {
            return Ok(None);
        }
        let rest = &known.content()[parsed.end.min(known.content().len())..];
        if parsed.is_usable() && !rest.trim().is_empty() {
            text.truncate(text.trim_end().len());
            text.push_str(rest);
        }
    }
    let unkept = backups.keep(path);
    write_atomic(path, text.as_bytes())?;
    Ok(unkept)
}

fn lost_vaults(design: &Design, pieces: &[Piece]) -> Vec<Diagnostic> {
    let lost = |index: usize| {
        let entry = Entry::Vault(index);
        let message = match pieces.iter().find(|piece| piece.vault == index) {
            Some(piece) => {
                let walls = piece.features().filter(|&(_, feature)| Piece::is_wall(feature)).count();
                let open = piece.features().count() - walls;
                format!(
                    "a rooms file has no vaults: {} is kept as {walls} wall tiles and {open} open squares",
                    entry.label()
                )
            }
            None => format!(
                "a rooms file has no vaults, and {} could not be resolved; it is left out",
                entry.label()
            ),
        };
        Diagnostic::warning(message)
            .at(Place::entry(entry))
            .help("save as TOML to keep the vault")
    };
    (0..design.layout.vaults.len()).map(lost).collect()
}

fn lost_expectations(design: &Design) -> Option<Diagnostic> {
    let message = match design.expect.that.len() {
        _ if design.expect.is_empty() => return None,
        1 => "the original's files have no expectations: the one of this design is left out".to_owned(),
        count => format!("the original's files have no expectations: the {count} of this design are left out"),
    };
    Some(Diagnostic::warning(message).help("save as TOML to keep them"))
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
    use super::super::disk::{MAX_TOML_BYTES, read};
    use super::*;

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
        let mut backups = Backups::default();
        files.save(&changed, &[], Some(&loaded), &mut backups).unwrap();
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
