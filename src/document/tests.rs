//! Tests of documents and their files.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use super::*;
use crate::design::{Entry, NamedPlace, Place, Severity, VaultEntry};
use crate::format::native;
use crate::geometry::Point;
use crate::vault::resolver::VaultResolver;

fn toml(folder: &Path, step_length: i32) -> DesignFiles {
    let path = folder.join("design.toml");
    fs::write(&path, text(step_length)).unwrap();
    DesignFiles::Toml(path)
}

fn text(step_length: i32) -> String {
    let mut design = Design::default();
    design.character.generations[0].step_length = step_length;
    native::write(&design)
}

fn step_length(document: &Document) -> i32 {
    document.design().character.generations[0].step_length
}

fn set(document: &mut Document, value: i32) {
    document.edit("StepLength", |d| d.character.generations[0].step_length = value);
}

fn opened(folder: &Path) -> Document {
    Document::from_files(toml(folder, 3), None, None).unwrap()
}

#[test]
fn an_edit_is_unsaved_until_it_is_saved_or_undone() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = opened(folder.path());
    assert!(!document.is_dirty());
    set(&mut document, 4);
    assert!(document.is_dirty());
    document.undo();
    assert!(!document.is_dirty());
    document.redo();
    assert_eq!(document.save(false).unwrap(), []);
    assert!(!document.is_dirty());
    assert_eq!(fs::read_to_string(folder.path().join("design.toml")).unwrap(), text(4));
    assert_eq!(document.reload(), Reload::Unchanged, "our own save is not a change");
}

#[test]
fn a_broken_expectation_is_reported_once_before_and_after_an_edit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("design.toml");
    let text = format!("{}\n[expect]\nthat = [\"crosses room 9\"]\n", text(3));
    fs::write(&path, text).unwrap();
    let mut document = Document::from_files(DesignFiles::Toml(path), None, None).unwrap();
    let reports = |document: &Document| {
        let texts = document.diagnostics().map(|d| d.message.clone());
        texts.filter(|text| text.contains("room 9")).count()
    };
    assert_eq!(reports(&document), 1, "of the file");
    set(&mut document, 4);
    assert_eq!(reports(&document), 1, "of the edited design");
}

#[test]
fn a_file_changed_by_another_program_is_loaded_and_undo_restores_the_old_design() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = opened(folder.path());
    toml(folder.path(), 7);
    assert_eq!(document.reload(), Reload::Reloaded);
    assert_eq!((step_length(&document), document.is_dirty()), (7, false));
    document.undo();
    assert_eq!((step_length(&document), document.is_dirty()), (3, true));
}

#[test]
fn changes_on_both_sides_are_a_conflict_that_loses_neither() {
    for (side, now, before) in [(Side::Mine, 4, 7), (Side::Theirs, 7, 4)] {
        let folder = tempfile::tempdir().unwrap();
        let mut document = opened(folder.path());
        set(&mut document, 4);
        toml(folder.path(), 7);
        assert_eq!(document.reload(), Reload::Conflict);
        assert_eq!(step_length(&document), 4, "nothing is replaced before the answer");
        assert!(matches!(document.save(false), Err(SaveError::Changed)));
        assert_eq!(fs::read_to_string(folder.path().join("design.toml")).unwrap(), text(7));
        document.resolve(side);
        assert_eq!(step_length(&document), now);
        document.undo();
        assert_eq!(step_length(&document), before, "the other side is one step back");
    }
}

#[test]
fn a_conflict_ends_if_the_file_is_changed_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = opened(folder.path());
    set(&mut document, 4);
    toml(folder.path(), 7);
    assert_eq!(document.reload(), Reload::Conflict);
    toml(folder.path(), 3);
    assert_eq!(document.reload(), Reload::Unchanged);
    assert!(document.conflict().is_none() && document.is_dirty());
    document.save(false).unwrap();
    assert_eq!(fs::read_to_string(folder.path().join("design.toml")).unwrap(), text(4));
}

#[test]
fn the_same_change_on_both_sides_is_not_a_conflict() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = opened(folder.path());
    set(&mut document, 7);
    toml(folder.path(), 7);
    assert_eq!(document.reload(), Reload::Unchanged);
    assert!(!document.is_dirty());
}

#[test]
fn a_broken_file_is_reported_and_the_design_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = opened(folder.path());
    fs::write(folder.path().join("design.toml"), "[layout\n").unwrap();
    assert_eq!(document.reload(), Reload::Broken);
    assert!(document.is_dirty(), "only the document has the design");
    toml(folder.path(), 3);
    assert_eq!(document.reload(), Reload::Unchanged);
    assert!(!document.is_dirty(), "the file has it again");
    fs::write(folder.path().join("design.toml"), "[layout\n").unwrap();
    assert_eq!(document.reload(), Reload::Broken);
    assert_eq!(step_length(&document), 3);
    assert!(document.valid().is_some());
    assert!(
        document
            .diagnostics()
            .any(|d| d.severity == Severity::Error && d.source.is_some())
    );
    set(&mut document, 4);
    assert!(matches!(document.save(false), Err(SaveError::Unreadable)));
    toml(folder.path(), 5);
    assert_eq!(
        document.reload(),
        Reload::Conflict,
        "the edit made meanwhile is not lost"
    );
}

#[test]
fn a_deleted_file_is_reported_and_saving_restores_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = opened(folder.path());
    fs::remove_file(folder.path().join("design.toml")).unwrap();
    assert_eq!(document.reload(), Reload::Gone);
    assert!(document.is_dirty());
    document.save(false).unwrap();
    assert!(!document.is_dirty());
    assert_eq!(fs::read_to_string(folder.path().join("design.toml")).unwrap(), text(3));
}

#[test]
fn a_file_that_was_changed_when_another_was_deleted_is_not_overwritten_unasked() {
    for is_noticed in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let [rooms, stats] = ["dungeon.rooms", "dungeon.stats"].map(|name| folder.path().join(name));
        let mut document = Document::new(Design::default(), None);
        let files = DesignFiles::Legacy {
            rooms: rooms.clone(),
            stats: Some(stats.clone()),
            constants: None,
        };
        document.save_as(files).unwrap();
        let theirs = fs::read_to_string(&rooms).unwrap().replace("100", "90");
        fs::write(&rooms, &theirs).unwrap();
        fs::remove_file(&stats).unwrap();
        if is_noticed {
            assert_eq!(document.reload(), Reload::Gone);
            assert_eq!(document.changed_names(), "dungeon.stats");
        }
        assert!(matches!(document.save(false), Err(SaveError::Unreadable)));
        assert_eq!(fs::read_to_string(&rooms).unwrap(), theirs);
        document.save(true).unwrap();
        assert_ne!(fs::read_to_string(&rooms).unwrap(), theirs);
        assert!(stats.exists() && !document.is_dirty());
        fs::remove_file(&stats).unwrap();
        assert_eq!(document.reload(), Reload::Gone);
        document.save(false).unwrap();
        assert!(stats.exists(), "the rooms file is as it was saved");
    }
}

#[test]
fn saving_under_another_name_moves_the_document_and_a_failure_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = Document::new(Design::default(), None);
    assert!(matches!(document.save(false), Err(SaveError::NoFiles)));
    assert!(
        document
            .save_as(DesignFiles::Toml(folder.path().join("no/folder.toml")))
            .is_err()
    );
    assert_eq!(document.files(), [] as [std::path::PathBuf; 0]);
    let path = folder.path().join("new.toml");
    document.save_as(DesignFiles::Toml(path.clone())).unwrap();
    assert_eq!(document.files(), [path]);
    assert_eq!(document.title(), "new.toml");
}

/// A text with comments, as a person writes it.
const COMMENTED: &str = "# mine\nformat = 1\nseed = 5 # lucky\n\n[layout] # small\ndim_x = 40\ndim_y = 60\n";

/// Opens [`COMMENTED`], and changes the seed to 6.
fn commented(folder: &Path) -> (Document, PathBuf) {
    let path = folder.join("mine.toml");
    fs::write(&path, COMMENTED).unwrap();
    let mut document = Document::from_files(DesignFiles::Toml(path.clone()), None, None).unwrap();
    document.edit("seed", |d| d.seed = 6);
    (document, path)
}

#[test]
fn files_saved_under_another_name_and_copies_keep_the_comments() {
    let folder = tempfile::tempdir().unwrap();
    let (mut document, _) = commented(folder.path());
    let expected = COMMENTED.replace("seed = 5", "seed = 6");
    assert_eq!(document.toml_text().unwrap(), expected);
    let [copy, other] = ["copy.toml", "other.toml"].map(|name| folder.path().join(name));
    let copying = document.begin_copy(DesignFiles::Toml(copy.clone()), false);
    document.finish(copying.write(&|| true)).unwrap();
    document.save_as(DesignFiles::Toml(other.clone())).unwrap();
    for path in [copy, other] {
        assert_eq!(fs::read_to_string(path).unwrap(), expected);
    }
    // DungeonMaker files have no comments in TOML.
    let three = DesignFiles::Legacy {
        rooms: folder.path().join("rooms1"),
        stats: Some(folder.path().join("stats1")),
        constants: None,
    };
    document.save_as(three).unwrap();
    let new = folder.path().join("new.toml");
    document.save_as(DesignFiles::Toml(new.clone())).unwrap();
    assert_eq!(fs::read_to_string(new).unwrap(), native::write(document.design()));
}

#[test]
fn a_save_over_a_broken_or_deleted_file_keeps_the_comments_that_were_read_last() {
    for broken in [Some("[layout\n"), Some(""), None] {
        let folder = tempfile::tempdir().unwrap();
        let (mut document, path) = commented(folder.path());
        match broken {
            Some(text) => fs::write(&path, text).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        assert_eq!(
            document.reload(),
            if broken.is_some() { Reload::Broken } else { Reload::Gone }
        );
        document.save(true).unwrap();
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            COMMENTED.replace("seed = 5", "seed = 6"),
            "{broken:?}"
        );
    }
}

/// A text whose records have comments.
const WITH_ROOMS: &str = "\
# mine
format = 1

[layout]
walls = []
columns = [
  [5, 5], [6, 6], # a pair
  [7, 7]
]

# first room
[[room]] # one
div = 3
width = 4 # four

# second room
[[room]]
div = 5

[limits] # the last table
rooms = 9
columns = 9";

/// Opens [`WITH_ROOMS`].
fn with_rooms(folder: &Path) -> (Document, PathBuf) {
    let path = folder.join("mine.toml");
    fs::write(&path, WITH_ROOMS).unwrap();
    let document = Document::from_files(DesignFiles::Toml(path.clone()), None, None).unwrap();
    (document, path)
}

fn remove_first_room(design: &mut Design) {
    design.layout.rooms.remove(0);
}

#[test]
fn undo_of_a_saved_deletion_restores_the_comments_of_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let (mut document, path) = with_rooms(folder.path());
    let text = || fs::read_to_string(&path).unwrap();
    let deleted = WITH_ROOMS.replace("# first room\n[[room]] # one\ndiv = 3\nwidth = 4 # four\n\n", "");
    document.edit("delete", remove_first_room);
    document.save(false).unwrap();
    assert_eq!(text(), deleted);
    document.undo();
    document.save(false).unwrap();
    assert_eq!(text(), WITH_ROOMS);
    document.redo();
    document.save(false).unwrap();
    assert_eq!(text(), deleted);
    // Another edit in place of the undone one, and another name for the file.
    document.undo();
    document.edit("delay", |d| d.layout.rooms[1].delay = 9);
    document.save(false).unwrap();
    let slower = WITH_ROOMS.replace("div = 5\n", "div = 5\ndelay = 9\n");
    assert_eq!(text(), slower);
    document.edit("delete", remove_first_room);
    let other = folder.path().join("other.toml");
    document.save_as(DesignFiles::Toml(other.clone())).unwrap();
    document.undo();
    document.save(false).unwrap();
    assert_eq!(fs::read_to_string(other).unwrap(), slower);
}

#[test]
fn undo_of_a_save_keeps_what_another_program_wrote_in_the_meantime() {
    let folder = tempfile::tempdir().unwrap();
    let (mut document, path) = with_rooms(folder.path());
    document.edit("delete", remove_first_room);
    document.save(false).unwrap();
    let noted = fs::read_to_string(&path).unwrap().replace("# mine", "# ours");
    fs::write(&path, &noted).unwrap();
    assert_eq!(document.reload(), Reload::Unchanged);
    document.undo();
    document.save(false).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("# ours") && !text.contains("# mine"), "{text}");
    assert!(text.contains("# second room\n[[room]]\ndiv = 5\n"), "{text}");
}

#[test]
fn undo_of_every_edit_restores_the_file_whatever_was_saved_in_between() {
    let folder = tempfile::tempdir().unwrap();
    let (mut document, path) = with_rooms(folder.path());
    let mut random = 1_u64;
    let mut below = |n: u64| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((random >> 33) % n).unwrap()
    };
    for round in 0..20 {
        for _ in 0..12 {
            let (what, some) = (below(9), below(20));
            let count = i32::try_from(some).unwrap();
            let _ = match what {
                0 => document.edit("walls", |d| d.layout.walls.extend((1..count).map(|y| Point::new(9, y)))),
                1 => document.edit("no walls", |d| d.layout.walls.truncate(some)),
                2 => document.edit("columns", |d| d.layout.columns.truncate(some / 4)),
                3 => document.edit("room", |d| d.layout.rooms.insert(0, crate::design::Room::default())),
                4 => document.edit("no room", |d| d.layout.rooms.truncate(some / 5)),
                5 => document.edit("seed", |d| d.seed = u64::try_from(some).unwrap()),
                6 => document.undo().is_some(),
                _ => document.save(false).unwrap().is_empty(),
            };
        }
        while document.undo().is_some() {}
        document.save(false).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), WITH_ROOMS, "round {round}");
    }
}

#[test]
fn files_of_dungeonmaker_keep_their_prose_and_do_not_store_the_seed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let files = DesignFiles::Legacy {
        rooms: path("rooms4"),
        stats: Some(path("stats4")),
        constants: None,
    };
    let mut document = Document::new(
        Design {
            seed: 9,
            ..Design::default()
        },
        None,
    );
    document.save_as(files).unwrap();
    assert!(!document.is_dirty(), "the seed has no place in these files");
    let prose = format!("{}\nMy favourite.\n", fs::read_to_string(path("rooms4")).unwrap());
    fs::write(path("rooms4"), &prose).unwrap();
    document.reload();
    set(&mut document, 6);
    document.save(false).unwrap();
    assert_eq!(
        fs::read_to_string(path("rooms4")).unwrap(),
        prose,
        "the layout did not change"
    );
    assert_eq!(document.design().seed, 9);
    document.edit("joinDist", |d| d.constants.join_dist = 5);
    let notes = document.save(false).unwrap();
    let place = notes.last().unwrap().place;
    assert_eq!(place, Some(Place::entry(Entry::Constants)));
    assert!(document.is_dirty(), "what has no file is not saved");
}

/// Opens a design whose files are a rooms file and a stats file.
fn on_files_of_dungeonmaker(folder: &Path) -> Document {
    let [rooms, stats] = ["rooms4", "stats4"].map(|name| folder.join(name));
    let design = Design::default();
    fs::write(&rooms, crate::format::rooms::write(&design.layout).unwrap()).unwrap();
    fs::write(&stats, crate::format::stats::write(&design.character)).unwrap();
    let files = DesignFiles::Legacy {
        rooms,
        stats: Some(stats),
        constants: None,
    };
    Document::from_files(files, None, None).unwrap()
}

#[test]
fn work_that_files_of_dungeonmaker_cannot_store_is_unsaved_until_a_save_reports_it() {
    let edits: [fn(&mut Design); 5] = [
        |design| design.expect.that.push("path > 3".into()),
        |design| design.expect.exit = Some(crate::geometry::Point::new(3, 3)),
        |design| design.layout.places.push(NamedPlace::default()),
        |design| design.name = "castle".into(),
        |design| design.notes = "mine".into(),
    ];
    for (index, edit) in edits.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let mut document = on_files_of_dungeonmaker(folder.path());
        document.edit("seed", |design| design.seed = 9);
        assert!(!document.is_dirty(), "another seed is no work");
        document.edit("edit", edit);
        assert!(document.unsaved().is_some(), "{index}");
        // Recovered after a crash, the work is still unsaved, and undo returns to the files.
        let files = document.files.clone().zip(document.disk.clone());
        let mut recovered = Document::recovered(document.design().clone(), files, None, None);
        assert!(recovered.is_dirty(), "{index}");
        recovered.undo();
        assert!(!recovered.is_dirty(), "{index}");
        let notes = document.save(false).unwrap();
        assert!(
            notes.iter().any(|note| note.severity == Severity::Warning),
            "{index}: {notes:?}"
        );
        assert!(!document.is_dirty(), "{index}: the user was informed");
        // Later changes of the files, by this program or another one, keep it.
        let kept = document.design().clone();
        let reports = |notes: &[Diagnostic]| notes.iter().filter(|note| note.severity == Severity::Warning).count();
        set(&mut document, 6);
        assert_eq!(
            reports(&document.save(false).unwrap()),
            usize::from(index < 3),
            "{index}"
        );
        fs::write(
            folder.path().join("stats4"),
            crate::format::stats::write(&kept.character),
        )
        .unwrap();
        assert_eq!(document.reload(), Reload::Reloaded);
        assert_eq!((document.design(), document.is_dirty()), (&kept, false), "{index}");
    }
}

#[test]
fn a_conflict_keeps_work_that_files_of_dungeonmaker_cannot_store() {
    for side in [Some(Side::Mine), Some(Side::Theirs), None] {
        let folder = tempfile::tempdir().unwrap();
        let mut document = on_files_of_dungeonmaker(folder.path());
        document.edit("expectation", |design| design.expect.that.push("path > 3".into()));
        let mut character = document.design().character.clone();
        character.generations[0].step_length = 7;
        fs::write(folder.path().join("stats4"), crate::format::stats::write(&character)).unwrap();
        assert_eq!(document.reload(), Reload::Conflict);
        document.edit("expectation", |design| design.expect.that.push("path > 4".into()));
        match side {
            Some(side) => document.resolve(side),
            None => document.merge(),
        }
        assert_eq!(document.design().expect.that, ["path > 3", "path > 4"], "{side:?}");
        assert!(document.is_dirty() && document.saved_step().is_none(), "{side:?}");
        assert_eq!(step_length(&document) == 7, side != Some(Side::Mine), "{side:?}");
    }
}

/// Opens a design with one vault, whose level file is in the same folder, and resolves the vault.
fn with_vault(folder: &Path) -> Document {
    fs::write(
        folder.join("own.des"),
        "NAME: own_room\nTAGS: own no_rotate\nMAP\nxxxxx\nx...+\nxxxxx\nENDMAP\n",
    )
    .unwrap();
    let mut design = Design::default();
    design.layout.vaults = vec![VaultEntry {
        file: "own.des".into(),
        map: "own_room".into(),
        ..VaultEntry::default()
    }];
    let path = folder.join("design.toml");
    fs::write(&path, native::write(&design)).unwrap();
    let mut document = Document::from_files(DesignFiles::Toml(path), None, None).unwrap();
    assert!(document.is_resolving() && document.valid().is_none());
    document.resolve_vaults();
    document
}

fn pieces(document: &mut Document) -> usize {
    document.resolve_vaults();
    document.valid().unwrap().pieces().len()
}

#[test]
fn level_files_are_found_beside_the_design_in_any_working_directory() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut document = with_vault(folder.path());
    let messages: Vec<String> = document.diagnostics().map(ToString::to_string).collect();
    assert_eq!((pieces(&mut document), messages.len()), (1, 0), "{messages:?}");
    assert_eq!(document.watched().len(), 2);
    // A level file that does not exist is reported, and keeps its name if the design moves to another folder.
    fs::remove_file(folder.path().join("own.des")).unwrap();
    document
        .save_as(DesignFiles::Toml(other.path().join("d.toml")))
        .unwrap();
    assert_eq!(pieces(&mut document), 0);
    assert!(document.diagnostics().any(|d| d.message.contains("cannot read")));
    assert_eq!(document.design().layout.vaults[0].file, "own.des");
}

#[test]
fn a_design_saved_to_another_folder_keeps_its_vaults_in_all_undo_steps() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["lv", "sub"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    let mut document = with_vault(&folder.path().join("lv"));
    let piece = document.valid().unwrap().pieces()[0].clone();
    document.edit("no vaults", |design| design.layout.vaults.clear());
    document.edit("seed", |design| design.seed += 1);
    document.undo();
    document.undo();
    let path = folder.path().join("sub/s.toml");
    // A copy gets the new name too, and leaves the open design as it is.
    let files = DesignFiles::Toml(folder.path().join("sub/copy.toml"));
    let copy = document.begin_copy(files.clone(), false).write(&|| true);
    document.finish(copy).unwrap();
    assert_eq!(document.design().layout.vaults[0].file, "own.des");
    document.save_as(DesignFiles::Toml(path.clone())).unwrap();
    for path in files.paths().iter().chain([&path]) {
        assert!(fs::read_to_string(path).unwrap().contains(r#"file = "../lv/own.des""#));
    }
    assert_eq!(pieces(&mut document), 1);
    assert_eq!(document.valid().unwrap().pieces()[0], piece);
    assert_eq!((document.is_dirty(), document.saved_step()), (false, Some(0)));
    document.redo();
    assert_eq!(pieces(&mut document), 0);
    document.undo();
    assert_eq!(pieces(&mut document), 1);
    // The same is true if the step that contains the vaults is not the present one.
    document.redo();
    document
        .save_as(DesignFiles::Toml(folder.path().join("lv/t.toml")))
        .unwrap();
    document.undo();
    assert_eq!(document.design().layout.vaults[0].file, "own.des");
    assert_eq!(pieces(&mut document), 1);
}

#[test]
fn a_vault_is_moved_without_running_it_again_and_run_again_when_its_file_changed() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = with_vault(folder.path());
    let file = folder.path().join("own.des");
    let text = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    let before = document.valid().unwrap().pieces()[0].clone();
    document.edit("moved", |design| design.layout.vaults[0].xdiv = 0);
    let after = document.valid().unwrap().pieces()[0].clone();
    assert_eq!((after.at.x, &after.squares), (1, &before.squares));
    assert!(reload_vaults(&mut document));
    assert_eq!(pieces(&mut document), 0);
    // An error in another map of the file is reported, and the design can still be grown.
    fs::write(&file, format!("{text}\nNAME: broken\nSUBST: x\nMAP\nx\nENDMAP\n")).unwrap();
    assert!(reload_vaults(&mut document));
    assert!(!reload_vaults(&mut document));
    assert_eq!(pieces(&mut document), 1);
    let slip = document.diagnostics().find(|d| d.source.is_some()).unwrap();
    assert_eq!(
        (slip.severity, slip.source.as_ref().unwrap().line),
        (Severity::Warning, 10)
    );
}

#[test]
fn a_level_file_that_changes_while_its_vaults_are_resolved_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let resolved = with_vault(folder.path());
    let before = resolved.valid().unwrap().pieces()[0].squares.clone();
    let files = resolved.design_files().cloned().unwrap();
    let mut document = Document::from_files(files, None, None).unwrap();
    let request = document.vault_request(None).unwrap();
    let file = folder.path().join("own.des");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("x...+", "x.x.+")).unwrap();
    reload_vaults(&mut document);
    assert!(document.vault_request(Some(&request)).is_none());
    let go_on: Rc<dyn Fn() -> bool> = Rc::new(|| false);
    let reply = request.resolve(&mut VaultResolver::default(), &go_on).unwrap();
    document.store_vaults(reply);
    assert!(document.is_resolving(), "the reply is outdated");
    let request = document.vault_request(None).unwrap();
    let reply = request.resolve(&mut VaultResolver::default(), &go_on).unwrap();
    document.store_vaults(reply);
    assert_ne!(document.valid().unwrap().pieces()[0].squares, before);
}

#[test]
fn the_names_of_source_files_do_not_depend_on_how_the_path_of_the_design_is_written() {
    let outside = tempfile::NamedTempFile::new().unwrap();
    let level = std::path::absolute("src/tui/fixture.des").unwrap();
    let whole = std::path::absolute("Cargo.toml").unwrap();
    for design in [Path::new("Cargo.toml"), Path::new("./Cargo.toml"), whole.as_path()] {
        let paths = [design.to_owned(), level.clone(), outside.path().to_owned()];
        let names: Vec<String> = source_files(&paths).into_iter().map(|source| source.name).collect();
        let own_name = outside.path().file_name().unwrap().to_string_lossy();
        assert_eq!(names, ["Cargo.toml", "src/tui/fixture.des", &*own_name], "{design:?}");
    }
}

/// Reads the design's files and level files again; returns whether a level file changed.
fn reload_vaults(document: &mut Document) -> bool {
    let fresh = FileSnapshot::read(document.design_files(), &document.watched());
    document.reload_from(fresh).is_other_level
}

#[test]
fn a_merge_is_one_step_and_undo_leads_back_to_the_conflict() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = opened(folder.path());
    set(&mut document, 4);
    let mut theirs = document.disk.clone().unwrap().design.unwrap();
    theirs.seed = 99;
    fs::write(folder.path().join("design.toml"), native::write(&theirs)).unwrap();
    assert_eq!(document.reload(), Reload::Conflict);
    let step = document.step();
    document.merge();
    assert_eq!(
        (step_length(&document), document.design().seed, document.step()),
        (4, 99, step + 1)
    );
    assert!(document.conflict().is_none() && document.is_dirty());
    document.undo();
    assert!(document.conflict().is_some());
    assert!(
        matches!(document.save(false), Err(SaveError::Changed)),
        "the file's side is not overwritten unseen"
    );
    document.redo();
    assert!(document.conflict().is_none());
    document.save(false).unwrap();
    document.undo();
    assert!(document.conflict().is_none(), "the file was seen and saved over");
}

#[test]
fn any_step_before_a_merge_leads_back_to_the_conflict() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = opened(folder.path());
    document.edit("seed", |design| design.seed = 5);
    set(&mut document, 4);
    let mut theirs = document.disk.clone().unwrap().design.unwrap();
    theirs.character.generations[1].max_age = 21;
    fs::write(folder.path().join("design.toml"), native::write(&theirs)).unwrap();
    assert_eq!(document.reload(), Reload::Conflict);
    document.merge();
    set(&mut document, 6);
    for before in [0, 1, 2] {
        document.go_to(before);
        assert!(matches!(document.save(false), Err(SaveError::Changed)), "step {before}");
        document.go_to(4);
        assert!(document.conflict().is_none(), "step {before}");
    }
    document.go_to(2);
    document.edit("seed", |design| design.seed = 6);
    set(&mut document, 7);
    document.undo();
    document.redo();
    assert!(document.conflict().is_some(), "the merge was discarded");
}

#[test]
fn a_merge_that_equals_the_files_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = opened(folder.path());
    set(&mut document, 4);
    let mut theirs = document.design().clone();
    theirs.seed = 99;
    fs::write(folder.path().join("design.toml"), native::write(&theirs)).unwrap();
    assert_eq!(document.reload(), Reload::Conflict);
    document.merge();
    assert!(!document.is_dirty() && document.saved_step() == Some(document.step()));
}

#[test]
fn files_that_change_twice_are_merged_from_the_common_version() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = opened(folder.path());
    let began = document.design().clone();
    document.edit("seed", |design| design.seed = 5);
    for (step_length, max_age) in [(8, 20), (3, 21)] {
        let mut theirs = began.clone();
        theirs.character.generations[0].step_length = step_length;
        theirs.character.generations[1].max_age = max_age;
        fs::write(folder.path().join("design.toml"), native::write(&theirs)).unwrap();
        assert_eq!(document.reload(), Reload::Conflict);
    }
    document.merge();
    let design = document.design();
    let generations = &design.character.generations;
    assert_eq!(
        (design.seed, generations[0].step_length, generations[1].max_age),
        (5, 3, 21)
    );
}
