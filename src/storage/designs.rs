//! Loads and saves the files of a design.

use std::io::Write as _;
use std::path::Path;

use super::backup::Backups;
use super::companion_files::{self, DesignFiles};
use super::disk::{MAX_TOML_BYTES, StorageError};
use super::draft::{Draft, written_but};
use super::loaded::LoadedDesign;
use super::sink::{Sink, SinkKind};
use crate::design::{Character, Constants, Design, Diagnostic, Entry, Place, PlacedVault, Severity, standing};
use crate::format::{Parsed, Text, constants, line_break, native, rooms, stats};
use crate::text::counted;

impl DesignFiles {
    /// Reads the files. Errors are returned as diagnostics in the result; if a file cannot be used, the result has no
    /// design.
    pub fn load(&self) -> LoadedDesign {
        LoadedDesign::of(self)
    }

    /// Writes the files, each atomically. No file is replaced before all are complete on disk. A TOML file keeps the
    /// comments and the order of the TOML text in `before`, which may come from another file. A DungeonMaker file is
    /// not rewritten if its meaning is unchanged, which preserves its author's prose. Replaced files are backed up by
    /// `backups`. Returns diagnostics about parts that the format cannot store, failed backups, and attributes of
    /// replaced files that could not be kept.
    ///
    /// # Errors
    ///
    /// Fails if a format cannot store the design (nothing is written then) or a file cannot be written.
    pub fn save(
        &self,
        design: &Design,
        pieces: &[PlacedVault],
        before: Option<&LoadedDesign>,
        backups: &mut Backups,
    ) -> Result<Vec<Diagnostic>, StorageError> {
        self.save_while(design, pieces, before, backups, &|| true)
    }

    /// Writes the files like [`save`](Self::save), provided that `wanted` returns true just before they are moved
    /// into place.
    ///
    /// # Errors
    ///
    /// Fails like [`save`](Self::save). Also fails if `wanted` returns `false`; in that case, no file is replaced.
    pub fn save_while(
        &self,
        design: &Design,
        pieces: &[PlacedVault],
        before: Option<&LoadedDesign>,
        backups: &mut Backups,
        wanted: &dyn Fn() -> bool,
    ) -> Result<Vec<Diagnostic>, StorageError> {
        let Texts { texts, mut lost } = self.texts(design, pieces, before)?;
        let mut drafts = Vec::new();
        for (path, text) in &texts {
            let mut draft = Draft::new(path)?;
            // The error message already contains the path.
            draft.write_all(text.as_bytes())?;
            draft.complete()?;
            drafts.push(draft);
        }
        lost.extend(texts.iter().filter_map(|(path, _)| backups.keep(path)));
        if !wanted() {
            return Err(StorageError::GivenUp);
        }
        for ((path, _), draft) in texts.iter().zip(drafts) {
            let name = path.display().to_string();
            let kept = draft.commit()?;
            lost.extend(kept.iter().map(|one| Diagnostic::warning(written_but(&name, one))));
        }
        Ok(lost)
    }

    /// Writes the design to the files' paths. The target of a path may be a regular file, a device or a pipe;
    /// `sink_kinds` contains the kind of each path's target. If all targets are regular files, works like
    /// [`save`](Self::save), but without backups. Otherwise, writes to one target after another. As in `save`, a TOML
    /// text keeps the comments and the order of `before`.
    ///
    /// # Errors
    ///
    /// Fails like [`save`](Self::save).
    pub fn write(
        &self,
        sink_kinds: &[SinkKind],
        design: &Design,
        pieces: &[PlacedVault],
        before: Option<&LoadedDesign>,
    ) -> Result<Vec<Diagnostic>, StorageError> {
        if sink_kinds.iter().all(|sink_kind| *sink_kind == SinkKind::File) {
            return self.save(design, pieces, before, &mut Backups::none());
        }
        let Texts { texts, mut lost } = self.texts(design, pieces, before)?;
        for ((path, text), sink_kind) in texts.iter().zip(sink_kinds) {
            let mut sink = Sink::open(path, *sink_kind)?;
            sink.write_all(text.as_bytes())?;
            let name = path.display().to_string();
            let kept = sink.commit()?;
            lost.extend(kept.iter().map(|one| Diagnostic::warning(written_but(&name, one))));
        }
        Ok(lost)
    }

    /// Returns the new content of the files, and diagnostics about parts of the design that their format cannot store.
    fn texts(
        &self,
        design: &Design,
        pieces: &[PlacedVault],
        before: Option<&LoadedDesign>,
    ) -> Result<Texts<'_>, StorageError> {
        let known = |path: &Path| before.and_then(|loaded| loaded.text_of(path));
        let mut written = Texts::default();
        match self {
            Self::Toml(path) => {
                let text = toml_text(design, before)?;
                if text.len() as u64 > MAX_TOML_BYTES {
                    return Err(StorageError::TooLong {
                        path: path.clone(),
                        limit: MAX_TOML_BYTES,
                    });
                }
                written.texts.push((path.as_path(), text));
            }
            Self::Legacy {
                rooms: rooms_path,
                stats: stats_path,
                constants: constants_path,
            } => {
                let layout = design.layout.with_tiles_of(pieces, &design.constants);
                let text = rooms::write(&layout).map_err(StorageError::NotCarried)?;
                written.lost = lost_vaults(design, pieces);
                written.lost.extend(lost_places(design));
                written.lost.extend(lost_expectations(design));
                // When the design is saved to the same files again, the diagnostics about the seed and about texts that
                // the user has not changed are only notes, so that not every save opens a dialog.
                let is_new = known(rooms_path).is_none();
                let saved = before.and_then(|loaded| loaded.design.as_ref());
                let is_new_text =
                    saved.is_none_or(|saved| (&saved.name, &saved.notes) != (&design.name, &design.notes));
                let losses = [(lost_texts(design), is_new || is_new_text), (lost_seed(design), is_new)];
                for (lost, is_new) in losses {
                    let severity = if is_new { Severity::Warning } else { Severity::Note };
                    written.lost.extend(lost.map(|lost| Diagnostic { severity, ..lost }));
                }
                if is_new {
                    written
                        .lost
                        .extend(companion_files::unreadable_name(rooms_path, stats_path.as_deref()));
                }
                written.put(rooms_path, known(rooms_path), rooms::parse, &layout, text);
                if let Some(path) = stats_path {
                    let text = stats::write(&design.character);
                    written.put(path, known(path), stats::parse, &design.character, text);
                } else {
                    written.lost.extend(lost_character(design));
                }
                if let Some(path) = constants_path {
                    let text = constants::write(&design.constants);
                    written.put(path, known(path), constants::parse, &design.constants, text);
                } else {
                    written.lost.extend(lost_constants(design));
                    written.lost.extend(other_constants(design, rooms_path));
                }
            }
        }
        Ok(written)
    }
}

/// Returns a design as TOML, with the comments and the order of the TOML text in `before` if that is usable.
///
/// # Errors
///
/// Fails if the text in `before` cannot be updated.
pub fn toml_text(design: &Design, before: Option<&LoadedDesign>) -> Result<String, StorageError> {
    let usable = before.filter(|loaded| loaded.design.is_some());
    match usable.and_then(LoadedDesign::only_text) {
        Some(text) => native::update(text.content(), design).map_err(StorageError::NotCarried),
        None => Ok(native::write(design)),
    }
}

/// New content of the files that must be written.
#[derive(Default)]
struct Texts<'a> {
    texts: Vec<(&'a Path, String)>,
    /// Diagnostics about parts of the design that the format cannot store.
    lost: Vec<Diagnostic>,
}

impl<'a> Texts<'a> {
    /// Adds the new text of a DungeonMaker file, unless the existing text, `known`, already has the same meaning. Keeps
    /// the author's text after the last record, and the line breaks of the existing text.
    fn put<T: PartialEq>(
        &mut self,
        path: &'a Path,
        known: Option<&Text>,
        parse: impl FnOnce(&Text) -> Parsed<T>,
        value: &T,
        mut text: String,
    ) {
        if let Some(known) = known {
            let parsed = parse(known);
            if parsed.is_usable() && parsed.value == *value && path.exists() {
                return;
            }
            text = text.replace('\n', line_break(known.content()));
            let rest = &known.content()[parsed.end.min(known.content().len())..];
            if parsed.is_usable() && !rest.trim().is_empty() {
                text.truncate(text.trim_end().len());
                text.push_str(rest);
            }
        }
        self.texts.push((path, text));
    }
}

/// Help text of diagnostics about parts of a design that only a TOML file can store.
const SAVE_AS_TOML: &str = "save as TOML to keep the whole design";

fn lost_vaults(design: &Design, pieces: &[PlacedVault]) -> Vec<Diagnostic> {
    let (placed, _) = standing(pieces, design.layout.size);
    let is_placed = |index: &usize| placed.iter().any(|piece| piece.vault == *index);
    let (saved, lost): (Vec<usize>, Vec<usize>) = (0..design.layout.vaults.len()).partition(is_placed);
    let features = || placed.iter().flat_map(|piece| piece.features());
    let walls = features().filter(|&(_, feature)| PlacedVault::is_wall(feature)).count();
    let open = features().count() - walls;
    let subject = |vaults: &[usize]| match *vaults {
        [index] => Entry::Vault(index).label(),
        _ => counted(vaults.len(), "vault"),
    };
    let saved_as = format!(
        "a rooms file cannot store vaults: {} {} saved as {} and {}",
        subject(&saved),
        if saved.len() == 1 { "is" } else { "are" },
        counted(walls, "wall tile"),
        counted(open, "open square")
    );
    let left_out = format!(
        "a rooms file cannot store vaults, and {} could not be placed; {} left out",
        subject(&lost),
        if lost.len() == 1 { "it is" } else { "they are" }
    );
    let warning = |vaults: &[usize], message: String| {
        let place = Place::entry(Entry::Vault(*vaults.first()?));
        Some(Diagnostic::warning(message).at(place).help(SAVE_AS_TOML))
    };
    let warnings = [warning(&saved, saved_as), warning(&lost, left_out)];
    warnings.into_iter().flatten().collect()
}

fn lost_places(design: &Design) -> Option<Diagnostic> {
    let message = match design.layout.places.len() {
        0 => return None,
        1 => "the files of DungeonMaker cannot store named places: one is left out".to_owned(),
        count => format!("the files of DungeonMaker cannot store named places: {count} are left out"),
    };
    Some(Diagnostic::warning(message).help(SAVE_AS_TOML))
}

fn lost_expectations(design: &Design) -> Option<Diagnostic> {
    let count = design.expect.that.len();
    let expectations = (count > 0).then(|| counted(count, "expectation"));
    let entrance = design.expect.entrance.map(|_| "the entrance".to_owned());
    let exit = design.expect.exit.map(|_| "the exit".to_owned());
    let lost: Vec<String> = [expectations, entrance, exit].into_iter().flatten().collect();
    let message = "the files of DungeonMaker cannot store expectations, an entrance or an exit; left out:";
    (!lost.is_empty()).then(|| Diagnostic::warning(format!("{message} {}", lost.join(", "))).help(SAVE_AS_TOML))
}

fn lost_texts(design: &Design) -> Option<Diagnostic> {
    let message = "the files of DungeonMaker cannot store the name and notes of a design; they are left out";
    (!design.name.is_empty() || !design.notes.is_empty()).then(|| Diagnostic::warning(message).help(SAVE_AS_TOML))
}

fn lost_seed(design: &Design) -> Option<Diagnostic> {
    let seed = design.seed;
    (seed != Design::default().seed).then(|| {
        Diagnostic::warning("the files of DungeonMaker cannot store the seed")
            .help(format!("pass `--seed {seed}` to grow the same dungeon from the files"))
    })
}

fn lost_character(design: &Design) -> Option<Diagnostic> {
    (design.character != Character::default()).then(|| {
        Diagnostic::warning("the changed generations are not saved, because this design has no stats file")
            .at(Place::entry(Entry::Generation(0)))
            .help("save as one TOML file, or as rooms and stats files")
    })
}

fn lost_constants(design: &Design) -> Vec<Diagnostic> {
    if design.constants == Constants::default() {
        return Vec::new();
    }
    vec![
        Diagnostic::warning("the changed constants are not saved, because this design has no constants file")
            .at(Place::entry(Entry::Constants))
            .help("save as one TOML file, or as rooms, stats and constants files"),
    ]
}

/// Checks a design that is saved without a constants file. There may already be a constants file that is read whenever
/// the saved rooms file is opened. Returns a warning if the constants in this file differ from those of the design.
fn other_constants(design: &Design, rooms: &Path) -> Option<Diagnostic> {
    let path = companion_files::constants_of(rooms)?;
    let text = Text::decode(path.display().to_string(), super::disk::read(&path).ok()?);
    (constants::parse(&text).value != design.constants).then(|| {
        Diagnostic::warning(format!(
            "{} is read whenever this rooms file is opened, and its constants differ from those of the design",
            path.display()
        ))
        .at(Place::entry(Entry::Constants))
        .help("save the constants as well, as a third file")
    })
}

#[cfg(test)]
mod tests {
    use super::super::disk::{MAX_BYTES, MAX_TOML_BYTES, read};
    use super::super::draft::write_atomic;
    use super::*;
    use crate::geometry::Point;

    #[test]
    fn files_of_any_format_are_recognized_and_combined() {
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
        let loaded = LoadedDesign::any(&paths);
        assert_eq!(loaded.len(), 5);
        assert_eq!(loaded[0].design, Some(design.clone()));
        assert_eq!(loaded[1].design, Some(design.clone()));
        assert_eq!(loaded[1].names().count(), 3);
        // The rooms file is in the list twice. The second time, it is a design of its own, with default constants.
        design.constants = Constants::default();
        assert_eq!(loaded[2].design, Some(design));
        assert_eq!((loaded[3].design.as_ref(), loaded[3].unreadable), (None, false));
        assert_eq!((loaded[4].design.as_ref(), loaded[4].missing), (None, true));
    }

    #[test]
    fn the_companion_files_of_a_rooms_file_are_read_or_reported() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: String| {
            let path = folder.path().join(name);
            write_atomic(&path, text.as_bytes()).unwrap();
            path
        };
        let mut design = Design::default();
        design.character.generations[0].step_length = 7;
        let layout = put("rooms4", rooms::write(&design.layout).unwrap());
        let numbers = put("constants4", constants::write(&design.constants));
        for paths in [vec![layout.clone()], vec![layout.clone(), numbers.clone()]] {
            let loaded = LoadedDesign::any(&paths);
            let about = |d: &Diagnostic| d.message.contains("no stats4 found");
            assert_eq!(loaded.len(), 1, "{paths:?}");
            assert!(loaded[0].diagnostics.iter().any(about), "{paths:?}: {loaded:?}");
        }
        let character = put("stats4", stats::write(&design.character));
        // In this order, the stats file becomes a part of the second design.
        let second = put("rooms5", rooms::write(&design.layout).unwrap());
        let loaded = LoadedDesign::any(&[layout.clone(), second, character.clone()]);
        let help = format!("pass {} too, directly after {}", character.display(), layout.display());
        assert!(loaded[0].diagnostics.iter().any(|d| d.help == help), "{loaded:?}");
        let loaded = LoadedDesign::any(&[layout.clone(), numbers]);
        assert_eq!(loaded[0].design, Some(design));
        assert!(loaded[0].diagnostics.is_empty(), "{loaded:?}");
        // The stats file is too large to be read.
        let file = std::fs::File::options().write(true).open(character).unwrap();
        file.set_len(MAX_BYTES + 1).unwrap();
        let loaded = LoadedDesign::any(&[layout]);
        assert_eq!((loaded[0].design.as_ref(), loaded[0].unreadable), (None, true));
        let [error] = &loaded[0].diagnostics[..] else {
            panic!("{loaded:?}")
        };
        assert_eq!(error.help, "", "the path and its permissions are right: {error:?}");
    }

    #[test]
    fn a_constants_file_that_is_read_without_being_saved_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let [rooms, stats, constants_file] = ["rooms2", "stats2", "constants"].map(|name| folder.path().join(name));
        let files = DesignFiles::Legacy {
            rooms,
            stats: Some(stats),
            constants: None,
        };
        let others = Constants {
            join_dist: 5,
            ..Constants::default()
        };
        let design = Design::default();
        for (constants, is_reported) in [(None, false), (Some(&design.constants), false), (Some(&others), true)] {
            if let Some(constants) = constants {
                write_atomic(&constants_file, constants::write(constants).as_bytes()).unwrap();
            }
            let lost = files.save(&design, &[], None, &mut Backups::none()).unwrap();
            let about = |d: &Diagnostic| d.message.contains("its constants differ");
            assert_eq!(lost.iter().any(about), is_reported, "{lost:?}");
        }
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
            stats: Some(stats_path.clone()),
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
    fn prose_below_a_few_generations_survives_a_save_of_all() {
        let folder = tempfile::tempdir().unwrap();
        let [rooms_path, stats_path] = ["r", "s"].map(|name| folder.path().join(name));
        let design = Design::default();
        write_atomic(&rooms_path, rooms::write(&design.layout).unwrap().as_bytes()).unwrap();
        let seven: String = stats::write(&design.character).split_inclusive('\n').take(7).collect();
        write_atomic(&stats_path, format!("{seven}\nSlow ones.\n").as_bytes()).unwrap();
        let files = DesignFiles::Legacy {
            rooms: rooms_path,
            stats: Some(stats_path.clone()),
            constants: None,
        };
        let loaded = files.load();
        let mut changed = loaded.design.clone().unwrap();
        changed.character.generations[4].max_age = 77;
        files.save(&changed, &[], Some(&loaded), &mut Backups::none()).unwrap();
        let text = String::from_utf8(read(&stats_path).unwrap()).unwrap();
        assert_eq!(text.matches("Generation:").count(), 10);
        assert!(text.ends_with(".\n\nSlow ones.\n"), "{text}");
    }

    #[test]
    fn a_save_keeps_the_line_breaks_of_dungeonmaker_files() {
        let folder = tempfile::tempdir().unwrap();
        let [rooms_path, stats_path, constants_path] = ["r", "s", "c"].map(|name| folder.path().join(name));
        let design = Design::default();
        let texts = [
            (&rooms_path, rooms::write(&design.layout).unwrap()),
            (&stats_path, stats::write(&design.character)),
            (&constants_path, constants::write(&design.constants)),
        ];
        let before = texts.map(|(path, text)| (path, format!("{text}\nMine.\n").replace('\n', "\r\n")));
        for (path, text) in &before {
            write_atomic(path, text.as_bytes()).unwrap();
        }
        let files = DesignFiles::Legacy {
            rooms: rooms_path.clone(),
            stats: Some(stats_path.clone()),
            constants: Some(constants_path.clone()),
        };
        let mut changed = design.clone();
        changed.layout.protuberances = 3;
        changed.character.generations[4].max_age = 77;
        changed.constants.join_dist = 5;
        let save = |design: &Design| {
            let loaded = files.load();
            files.save(design, &[], Some(&loaded), &mut Backups::none()).unwrap();
        };
        save(&changed);
        assert_eq!(files.load().design, Some(changed));
        for (path, _) in &before {
            let text = String::from_utf8(read(path).unwrap()).unwrap();
            assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
        }
        save(&design);
        for (path, text) in before {
            assert_eq!(String::from_utf8(read(path).unwrap()).unwrap(), text);
        }
    }

    #[test]
    fn a_toml_file_too_large_for_the_memory_is_rejected() {
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

    #[test]
    fn an_entrance_that_dungeonmaker_cannot_store_is_named() {
        let mut design = Design::default();
        assert_eq!(lost_expectations(&design), None);
        design.expect.entrance = Some(Point::new(1, 2));
        let lost = |design: &Design| lost_expectations(design).unwrap().message;
        assert!(lost(&design).ends_with("left out: the entrance"), "{}", lost(&design));
        design.expect.that = vec!["reachable".into(), "loops >= 2".into()];
        assert!(
            lost(&design).ends_with("left out: 2 expectations, the entrance"),
            "{}",
            lost(&design)
        );
    }

    #[test]
    fn everything_that_dungeonmaker_cannot_store_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        let files = DesignFiles::Legacy {
            rooms: folder.path().join("rooms4"),
            stats: Some(folder.path().join("stats4")),
            constants: None,
        };
        let mut design = Design {
            name: "Castle".into(),
            seed: 7,
            ..Design::default()
        };
        design.layout.vaults = vec![crate::design::VaultEntry::default(); 2];
        design.layout.places.push(crate::design::NamedPlace::default());
        design.expect.exit = Some(Point::new(1, 2));
        design.constants.join_dist = 3;
        let save = |design: &Design, before: Option<&LoadedDesign>| -> Vec<(Severity, String)> {
            let lost = files.save(design, &[], before, &mut Backups::none()).unwrap();
            lost.into_iter().map(|lost| (lost.severity, lost.message)).collect()
        };
        let expected = [
            "a rooms file cannot store vaults, and 2 vaults could not be placed; they are left out",
            "the files of DungeonMaker cannot store named places: one is left out",
            "the files of DungeonMaker cannot store expectations, an entrance or an exit; left out: the exit",
            "the files of DungeonMaker cannot store the name and notes of a design; they are left out",
            "the files of DungeonMaker cannot store the seed",
            "the changed constants are not saved, because this design has no constants file",
        ];
        assert_eq!(
            save(&design, None),
            expected.map(|lost| (Severity::Warning, lost.to_owned()))
        );
        // A new name is reported like other work; it and the seed do not interrupt later saves to the same files.
        design.layout.vaults.clear();
        design.layout.places.clear();
        design.expect.exit = None;
        design.constants = Constants::default();
        let mut before = files.load();
        let mut severities = |name: &str| {
            before.design.as_mut().unwrap().name = name.to_owned();
            let notes = save(&design, Some(&before));
            assert!(notes.iter().map(|note| &note.1).eq(&expected[3..5]), "{notes:?}");
            [notes[0].0, notes[1].0]
        };
        assert_eq!(severities(""), [Severity::Warning, Severity::Note]);
        assert_eq!(severities("Castle"), [Severity::Note; 2]);
    }

    #[test]
    fn three_files_are_written_together_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let there = || {
            let mut names: Vec<_> = std::fs::read_dir(folder.path())
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        // The third file cannot be written, because its path is a folder.
        std::fs::create_dir(path("c")).unwrap();
        let files = DesignFiles::Legacy {
            rooms: path("r"),
            stats: Some(path("s")),
            constants: Some(path("c")),
        };
        let design = Design::default();
        let mut backups = Backups::default();
        assert!(matches!(
            files.save(&design, &[], None, &mut backups),
            Err(StorageError::NoFile { .. })
        ));
        assert_eq!(there(), ["c"]);
        std::fs::remove_dir(path("c")).unwrap();
        // The save is no longer wanted.
        let given_up = files.save_while(&design, &[], None, &mut backups, &|| false);
        assert!(matches!(given_up, Err(StorageError::GivenUp)));
        assert!(there().is_empty(), "{:?}", there());
        files.save(&design, &[], None, &mut backups).unwrap();
        assert_eq!(there(), ["c", "r", "s"]);
    }
}
