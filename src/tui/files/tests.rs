//! Tests of saving to drives that are slow or hang.

use std::fs;
use std::path::Path;

use crossterm::event::{Event, KeyCode, KeyModifiers};

use crate::background::Message;
use crate::design::Design;
use crate::storage::{DesignFiles, StorageError};
use crate::tui::dialog::Dialog;
use crate::tui::editor::NoticeLevel;
use crate::tui::fixture::{READING, TestApp, WRITING};
use crate::tui::stories::{alt, changed, elsewhere, foot, on_file, step_length, test_app};

fn save(designer: &mut TestApp) {
    designer.chord(KeyModifiers::CONTROL, 's');
}

/// Increments StepLength once.
fn edit(designer: &mut TestApp) {
    alt(designer, '1');
    designer.keys("+");
}

/// Lets the drive complete its writes.
fn answer(designer: &mut TestApp) {
    designer.release(&WRITING);
}

fn on_disk(folder: &Path) -> Design {
    DesignFiles::Toml(folder.join("halls.toml")).load().design.unwrap()
}

fn step_length_on_disk(folder: &Path) -> i32 {
    on_disk(folder).character.generations[0].step_length
}

fn name(designer: &mut TestApp, path: &Path) {
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.send(Message::Input(Event::Paste(path.display().to_string())));
}

/// Starts the app on a file with one edit, which is being saved to a drive that hangs.
fn saving(folder: &Path) -> TestApp {
    let mut designer = on_file(folder);
    edit(&mut designer);
    designer.hold(&WRITING);
    save(&mut designer);
    designer
}

#[test]
fn edits_during_a_save_stay_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = saving(folder.path());
    assert!(designer.text().contains("halls.toml · saving …"), "{}", designer.text());
    assert!(
        designer.app.editor.document.is_dirty(),
        "until the save is known to have succeeded"
    );
    designer.keys("+");
    answer(&mut designer);
    assert_eq!((step_length_on_disk(folder.path()), step_length(&designer)), (5, 6));
    assert!(designer.app.editor.document.is_dirty());
    assert!(!designer.text().contains("saving …") && designer.text().contains("halls.toml ●"));
    // The history marks the step that was saved to the file.
    assert_eq!(designer.app.editor.document.saved_step(), Some(1));
    designer.keys("u");
    assert!(!designer.app.editor.document.is_dirty());
    save(&mut designer);
    assert_eq!(step_length_on_disk(folder.path()), 5);
}

#[test]
fn saving_during_a_save_saves_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = saving(folder.path());
    designer.keys("+");
    save(&mut designer);
    assert!(foot(&designer).contains("still being saved"), "{}", foot(&designer));
    designer.keys("+");
    answer(&mut designer);
    assert_eq!((step_length_on_disk(folder.path()), step_length(&designer)), (7, 7));
    assert!(!designer.app.editor.document.is_dirty());
}

#[test]
fn saving_during_a_save_saves_again_if_the_files_cannot_contain_everything() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_three_files(folder.path());
    designer
        .app
        .editor
        .document
        .edit("expectation", |design| design.expect.that.push("path > 3".into()));
    designer.hold(&WRITING);
    save(&mut designer);
    edit(&mut designer);
    save(&mut designer);
    let wanted = step_length(&designer);
    answer(&mut designer);
    let files = designer.app.editor.document.design_files().cloned().unwrap();
    let on_disk = files.load().design.unwrap();
    assert_eq!(on_disk.character.generations[0].step_length, wanted);
    assert!(!designer.app.editor.document.is_dirty());
    assert!(designer.text().contains("1 expectation"), "{}", designer.text());
}

#[test]
fn quitting_waits_for_the_save_unless_the_user_declines() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = saving(folder.path());
    designer.keys("q");
    assert!(designer.text().contains("Still saving"), "{}", designer.text());
    insta::assert_snapshot!("leaving_while_it_is_saved", designer.text());
    answer(&mut designer);
    assert_eq!((designer.quit, step_length_on_disk(folder.path())), (Some(0), 5));
    assert!(!designer.app.is_saving());

    let mut designer = saving(folder.path());
    designer.keys("q");
    designer.press(KeyCode::Esc);
    answer(&mut designer);
    assert_eq!(designer.quit, None, "the designer stays open");

    let mut designer = saving(folder.path());
    designer.keys("qg");
    assert_eq!(designer.quit, Some(0));
    assert!(
        designer.app.is_saving() && designer.app.editor.document.unsaved().is_some(),
        "unsaved work is kept for the next start"
    );

    // Saving from the question about unsaved changes does the same.
    let mut designer = on_file(folder.path());
    edit(&mut designer);
    designer.hold(&WRITING);
    designer.keys("qs");
    assert!(designer.text().contains("Still saving"), "{}", designer.text());
    answer(&mut designer);
    assert_eq!(designer.quit, Some(0));
}

#[test]
fn later_edits_are_asked_about_before_quitting() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = saving(folder.path());
    designer.keys("+q");
    answer(&mut designer);
    assert_eq!(designer.quit, None);
    assert!(designer.text().contains("Unsaved changes"), "{}", designer.text());
    designer.keys("s");
    assert_eq!((designer.quit, step_length_on_disk(folder.path())), (Some(0), 6));
}

#[test]
fn opening_another_design_waits_for_the_save_unless_the_user_declines() {
    let folder = tempfile::tempdir().unwrap();
    let open = |designer: &mut TestApp| {
        designer.keys("p");
        designer.run_jobs();
        designer.press(KeyCode::Enter);
        assert!(designer.text().contains("Still saving"), "{}", designer.text());
    };
    let mut designer = saving(folder.path());
    open(&mut designer);
    answer(&mut designer);
    assert_ne!(designer.app.editor.document.title(), "halls.toml");
    assert_eq!(step_length_on_disk(folder.path()), 5);

    let mut designer = saving(folder.path());
    open(&mut designer);
    designer.keys("g");
    let title = designer.app.editor.document.title();
    assert_ne!(title, "halls.toml");
    let before = designer.app.editor.document.shared();
    answer(&mut designer);
    assert_eq!(
        (
            designer.app.editor.document.title(),
            designer.app.editor.document.shared()
        ),
        (title, before)
    );
}

#[test]
fn a_change_by_another_program_is_not_overwritten_without_a_question() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = saving(folder.path());
    elsewhere(folder.path(), |theirs| theirs.character.generations[0].step_length = 9);
    changed(&mut designer);
    assert_eq!(step_length(&designer), 5, "files being written are not read");
    answer(&mut designer);
    assert_eq!(step_length_on_disk(folder.path()), 9);
    assert!(designer.text().contains("Changed on both sides"), "{}", designer.text());
    designer.keys("m");
    assert_eq!(step_length(&designer), 5);
    save(&mut designer);
    assert_eq!(step_length_on_disk(folder.path()), 5);
    // Changes that another program makes after the save are detected.
    elsewhere(folder.path(), |theirs| theirs.character.generations[0].step_length = 8);
    changed(&mut designer);
    assert_eq!(step_length(&designer), 8);
}

#[test]
fn a_question_waits_while_the_user_is_busy() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = saving(folder.path());
    elsewhere(folder.path(), |theirs| theirs.character.generations[0].step_length = 9);
    designer.keys("?");
    answer(&mut designer);
    assert!(matches!(designer.app.dialogs.open, Some(Dialog::Help(_))));
    designer.press(KeyCode::Esc);
    assert!(designer.text().contains("Changed on both sides"), "{}", designer.text());
    designer.keys("t");

    // A save that fails is reported in the last row.
    let mut designer = saving(folder.path());
    fs::write(folder.path().join("halls.toml"), "[layout\n").unwrap();
    designer.keys("?");
    answer(&mut designer);
    assert!(matches!(designer.app.dialogs.open, Some(Dialog::Help(_))));
    designer.press(KeyCode::Esc);
    assert!(
        designer.text().contains("halls.toml was not saved"),
        "{}",
        designer.text()
    );
    assert!(designer.app.editor.document.is_dirty());
    save(&mut designer);
    assert!(designer.text().contains("Overwrite the file?"), "{}", designer.text());
    designer.keys("r");
    assert_eq!(step_length_on_disk(folder.path()), 5);
}

#[test]
fn saving_elsewhere_cancels_the_hanging_save() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut designer = saving(folder.path());
    let (late, request) = designer.take_request("saving").unwrap();
    designer.release(&WRITING);
    designer.keys("S");
    name(&mut designer, &other.path().join("halls.toml"));
    designer.press(KeyCode::Enter);
    assert!(foot(&designer).contains("saved: halls.toml"), "{}", foot(&designer));
    assert_eq!(step_length_on_disk(other.path()), 5);
    // The cancelled write's late reply is ignored.
    assert!(late.is_cancelled());
    designer.run_job(&late, request);
    assert_eq!(step_length_on_disk(folder.path()), 4);
    assert_eq!(designer.app.editor.document.files(), [other.path().join("halls.toml")]);
    assert!(designer.app.dialogs.open.is_none() && !designer.app.editor.document.is_dirty());
}

#[test]
fn typing_the_own_path_during_a_save_overwrites_no_change_by_another_program() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = saving(folder.path());
    elsewhere(folder.path(), |theirs| theirs.character.generations[0].step_length = 9);
    designer.keys("S");
    designer.press(KeyCode::Enter);
    answer(&mut designer);
    assert_eq!(step_length_on_disk(folder.path()), 9);
    assert!(designer.text().contains("Changed on both sides"), "{}", designer.text());
}

#[test]
fn saving_to_a_hanging_drive_can_be_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(80, 24);
    designer.hold(&WRITING);
    designer.keys("S");
    name(&mut designer, &folder.path().join("far"));
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("saving far.toml …"), "{}", designer.text());
    // Changing the path cancels the save to the old path.
    designer.press(KeyCode::Backspace);
    assert!(
        designer.requested("saving").is_none() && !designer.text().contains("saving"),
        "{}",
        designer.text()
    );
    designer.press(KeyCode::Enter);
    designer.press(KeyCode::Esc);
    assert!(designer.requested("saving").is_none() && designer.app.dialogs.open.is_none());
    assert!(!designer.app.is_saving() && designer.app.editor.document.files().is_empty());
    designer.keys("S");
    name(&mut designer, &folder.path().join("halls"));
    designer.press(KeyCode::Enter);
    answer(&mut designer);
    assert!(designer.app.dialogs.open.is_none());
    assert_eq!(designer.app.editor.document.title(), "halls.toml");
    // Saving to the design's own file asks about changes made by another program.
    edit(&mut designer);
    elsewhere(folder.path(), |theirs| theirs.character.generations[0].step_length = 9);
    designer.keys("S");
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("Changed on both sides"), "{}", designer.text());
    assert_eq!(step_length_on_disk(folder.path()), 9);
}

#[test]
fn copying_to_a_hanging_drive_can_be_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    designer.keys("P");
    designer.run_jobs();
    designer.press(KeyCode::End);
    designer.hold(&WRITING);
    designer.press(KeyCode::Enter);
    assert!(designer.requested("copying").is_some(), "{}", designer.text());
    assert!(designer.text().contains("writing …"), "{}", designer.text());
    designer.press(KeyCode::Esc);
    assert!(designer.requested("copying").is_none() && designer.app.dialogs.open.is_none());
    // Nothing was written that could be repeated, so the copy is requested again.
    designer.keys("P");
    designer.run_jobs();
    designer.press(KeyCode::End);
    designer.press(KeyCode::Enter);
    designer.keys("+");
    answer(&mut designer);
    designer.run_jobs();
    assert!(
        designer.text().contains("Written, with exceptions"),
        "{}",
        designer.text()
    );
}

#[test]
fn a_check_of_the_files_waits_for_the_save() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = saving(folder.path());
    let asked = |designer: &TestApp| designer.requested("reloading").is_some();
    designer.hold(&READING);
    changed(&mut designer);
    assert!(!asked(&designer));
    answer(&mut designer);
    assert!(asked(&designer), "the check starts after the save");
    // A check in progress has read the content from before the save.
    edit(&mut designer);
    let (ticket, request) = designer.take_request("reloading").unwrap();
    let before = designer.replies(&ticket, request);
    designer.hold(&WRITING);
    save(&mut designer);
    designer.receive_replies(&ticket, before);
    answer(&mut designer);
    designer.release(&READING);
    assert!(designer.app.dialogs.open.is_none() && !designer.app.editor.document.is_dirty());
    assert_eq!(step_length(&designer), 6);
}

#[test]
fn notices_about_a_file_disappear_when_it_is_restored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("halls.toml");
    for edited in [false, true] {
        let mut designer = on_file(folder.path());
        let whole = fs::read(&path).unwrap();
        let shown = designer.app.editor.panel;
        let clean = |designer: &TestApp| {
            assert_eq!(designer.app.editor.status.notice, None, "{}", designer.text());
            assert_eq!(designer.app.editor.document.is_dirty(), edited);
            assert!(designer.app.dialogs.open.is_none(), "{}", designer.text());
        };
        if edited {
            edit(&mut designer);
        }
        fs::write(&path, "[layout\n").unwrap();
        changed(&mut designer);
        assert!(
            designer.text().contains("errors in halls.toml (see Problems)"),
            "{}",
            designer.text()
        );
        fs::write(&path, &whole).unwrap();
        changed(&mut designer);
        clean(&designer);
        if !edited {
            assert_eq!(designer.app.editor.panel, shown);
        }
        fs::remove_file(&path).unwrap();
        changed(&mut designer);
        assert!(
            foot(&designer).contains("halls.toml was deleted or moved"),
            "{}",
            foot(&designer)
        );
        fs::write(&path, &whole).unwrap();
        changed(&mut designer);
        clean(&designer);
        // The edits are saved over the restored file without a question.
        save(&mut designer);
        assert!(!designer.app.editor.document.is_dirty() && designer.app.dialogs.open.is_none());
        assert_eq!(step_length_on_disk(folder.path()), if edited { 5 } else { 4 });
    }
}

#[test]
fn a_design_is_unsaved_if_another_program_emptied_broke_or_replaced_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("halls.toml");
    let ways: [fn(&Path); 3] = [
        |path| fs::write(path, "").unwrap(),
        |path| fs::write(path, "[[[").unwrap(),
        |path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        },
    ];
    for break_file in ways {
        let mut designer = on_file(folder.path());
        break_file(&path);
        changed(&mut designer);
        let notice = designer.app.editor.status.notice.clone().unwrap().1;
        assert!(notice.ends_with("showing the last valid version"), "{notice}");
        assert!(designer.text().contains("halls.toml ●"), "{}", designer.text());
        designer.keys("q");
        assert!(
            designer.quit.is_none() && designer.text().contains("Unsaved changes"),
            "{}",
            designer.text()
        );
    }
}

#[test]
fn a_folder_is_never_offered_to_be_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("halls.toml");
    let mut designer = on_file(folder.path());
    edit(&mut designer);
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    save(&mut designer);
    let text = designer.text();
    assert!(
        text.contains("Not saved") && text.contains("is not a regular file"),
        "{text}"
    );
    designer.press(KeyCode::Esc);
    let other = folder.path().join("dir.toml");
    fs::create_dir(&other).unwrap();
    designer.keys("S");
    name(&mut designer, &other);
    designer.press(KeyCode::Enter);
    let text = designer.text();
    assert!(matches!(designer.app.dialogs.open, Some(Dialog::Form(_))), "{text}");
    assert!(
        text.contains("is not a regular file") && !text.contains("exists already"),
        "{text}"
    );
}

#[test]
fn a_file_restored_unnoticed_is_not_overwritten_without_a_question() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("halls.toml");
    let mut designer = on_file(folder.path());
    let whole = fs::read(&path).unwrap();
    edit(&mut designer);
    fs::write(&path, "[layout\n").unwrap();
    changed(&mut designer);
    designer.press(KeyCode::Esc);
    fs::write(&path, &whole).unwrap();
    save(&mut designer);
    assert!(designer.app.editor.document.is_dirty(), "nothing was written");
    assert!(designer.text().contains("Changed on both sides"), "{}", designer.text());
    designer.keys("m");
    save(&mut designer);
    assert_eq!(step_length_on_disk(folder.path()), 5);
}

#[test]
fn a_save_lists_everything_that_the_files_cannot_contain() {
    let folder = tempfile::tempdir().unwrap();
    let mut design = crate::tui::stories::design();
    design.seed = 7;
    design.layout.places.push(crate::design::NamedPlace::default());
    let mut designer = TestApp::with(crate::document::Document::new(design, None), 80, 24);
    designer.keys("S");
    designer.chord(KeyModifiers::CONTROL, 't');
    for file in ["rooms4", "stats4", "constants4"] {
        name(&mut designer, &folder.path().join(file));
        designer.press(KeyCode::Tab);
    }
    designer.press(KeyCode::Enter);
    let text = designer.text();
    for part in [
        "Saved, with exceptions",
        "- the files",
        "named places",
        "name and notes",
        "seed",
        "`--seed 7`",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(text.matches("save as TOML").count(), 1, "{text}");
    // Saving again to the same files reports the name and the seed without a dialog.
    designer.press(KeyCode::Esc);
    designer
        .app
        .editor
        .document
        .edit("no places", |design| design.layout.places.clear());
    edit(&mut designer);
    save(&mut designer);
    assert!(designer.app.dialogs.open.is_none(), "{}", designer.text());
    let (_, notice) = designer.app.editor.status.notice.clone().unwrap();
    assert!(
        notice.starts_with("saved: rooms4") && notice.ends_with("; the files of DungeonMaker cannot store the seed"),
        "{notice}"
    );
}

#[test]
fn quitting_asks_about_an_expectation_that_the_files_cannot_contain_until_it_was_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_three_files(folder.path());
    designer
        .app
        .editor
        .document
        .edit("expectation", |design| design.expect.that.push("path > 3".into()));
    designer.keys("q");
    assert!(designer.quit.is_none() && designer.text().contains("Unsaved changes"));
    designer.keys("s");
    assert!(designer.quit.is_none(), "the user should read what is left out");
    assert!(designer.text().contains("1 expectation"), "{}", designer.text());
    designer.press(KeyCode::Esc);
    designer.keys("q");
    assert!(designer.quit.is_some(), "{}", designer.text());
}

/// Starts the app with the three files of a DungeonMaker design.
fn on_three_files(folder: &Path) -> TestApp {
    let [rooms, stats, constants] = ["dungeon.rooms", "dungeon.stats", "dungeon.constants"].map(|n| folder.join(n));
    let files = DesignFiles::Legacy {
        rooms,
        stats: Some(stats),
        constants: Some(constants),
    };
    let mut document = crate::document::Document::new(crate::tui::stories::design(), None);
    document.save_as(files.clone()).unwrap();
    let document = crate::document::Document::from_files(files, None, None).unwrap();
    let mut designer = TestApp::with(document, 120, 30);
    designer.grow();
    designer
}

/// Replaces text in a file, as another program would.
fn replace(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn the_changed_file_is_named_and_its_invalid_values_are_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_three_files(folder.path());
    let stats = folder.path().join("dungeon.stats");
    replace(&stats, "StepLength: 4", "StepLength: 7");
    changed(&mut designer);
    assert_eq!(step_length(&designer), 7);
    assert_eq!(
        designer.app.editor.status.notice,
        Some((
            NoticeLevel::Done,
            "dungeon.stats was changed on disk; the dungeon was grown again".into()
        ))
    );
    assert_eq!(
        designer.app.editor.document.steps().last(),
        Some("dungeon.stats changed on disk")
    );
    replace(&stats, "StepLength: 7", "StepLength: seven");
    changed(&mut designer);
    let (tone, text) = designer.app.editor.status.notice.clone().unwrap();
    assert_eq!(tone, NoticeLevel::Warning);
    assert!(
        text.starts_with("dungeon.stats was changed on disk; the dungeon was grown again; line 1: ")
            && text.contains("StepLength"),
        "{text}"
    );
    // The new value is unreadable and its default equals the old value: nothing is grown again, but the warning
    // appears.
    let default = step_length(&designer);
    replace(&stats, "StepLength: seven", &format!("StepLength: {default}"));
    changed(&mut designer);
    replace(&stats, &format!("StepLength: {default}"), "StepLength: x");
    changed(&mut designer);
    let (tone, text) = designer.app.editor.status.notice.clone().unwrap();
    assert_eq!(tone, NoticeLevel::Warning);
    assert!(
        text.starts_with("dungeon.stats was changed on disk; line 1: "),
        "{text}"
    );
    replace(&stats, "StepLength: x", &format!("StepLength: {default}"));
    changed(&mut designer);
    assert_eq!(designer.app.editor.status.notice, None);

    fs::remove_file(&stats).unwrap();
    changed(&mut designer);
    assert!(
        foot(&designer).contains("dungeon.stats was deleted or moved"),
        "{}",
        foot(&designer)
    );
    fs::write(folder.path().join("dungeon.constants"), "nothing\n").unwrap();
    changed(&mut designer);
    assert!(!designer.text().contains("dungeon.rooms was"), "{}", designer.text());
}

/// Returns a designer whose save has not ended and whose autosave has failed.
fn with_failed_autosave(folder: &Path) -> TestApp {
    let mut designer = saving(folder);
    let full = StorageError::from(std::io::Error::other("disk full"));
    designer.send(Message::AutosaveFailed(full.into()));
    designer
}

/// Quits, and returns the message of the question that this opens.
fn question_on_quitting(designer: &mut TestApp) -> String {
    designer.keys("q");
    let Some(Dialog::Question(question)) = &designer.app.dialogs.open else {
        panic!("{}", designer.text());
    };
    question.message()
}

#[test]
fn after_a_failed_autosave_the_question_promises_no_recovery() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = with_failed_autosave(folder.path());
    designer.press(KeyCode::Esc);
    let message = question_on_quitting(&mut designer);
    assert!(
        message.contains("Autosave has failed") && !message.contains("offer to recover"),
        "{message}"
    );
}

#[test]
fn after_an_autosave_that_succeeds_again_the_question_promises_recovery() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = with_failed_autosave(folder.path());
    assert!(designer.text().contains("not protected"), "{}", designer.text());
    designer.send(Message::AutosaveWorks);
    assert!(!designer.text().contains("not protected"), "{}", designer.text());
    let message = question_on_quitting(&mut designer);
    assert!(message.contains("offer to recover"), "{message}");
}
