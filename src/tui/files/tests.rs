//! Tests of saving to drives that are slow or hang.

use std::fs;
use std::path::Path;

use crossterm::event::{Event, KeyCode, KeyModifiers};

use crate::background::Message;
use crate::design::Design;
use crate::storage::DesignFiles;
use crate::tui::dialog::Dialog;
use crate::tui::editor::NoticeLevel;
use crate::tui::fixture::{READING, TestApp, WRITING};
use crate::tui::stories::{alt, changed, desk, elsewhere, foot, on_file, step_length};

fn save(desk: &mut TestApp) {
    desk.chord(KeyModifiers::CONTROL, 's');
}

/// Increments StepLength once.
fn edit(desk: &mut TestApp) {
    alt(desk, '1');
    desk.keys("+");
}

/// Lets the drive answer.
fn answer(desk: &mut TestApp) {
    desk.release(&WRITING);
}

fn on_disk(folder: &Path) -> Design {
    DesignFiles::Toml(folder.join("halls.toml")).load().design.unwrap()
}

fn step_length_on_disk(folder: &Path) -> i32 {
    on_disk(folder).character.generations[0].step_length
}

fn name(desk: &mut TestApp, path: &Path) {
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.send(Message::Input(Event::Paste(path.display().to_string())));
}

/// Starts the app on a file with one edit, which is being saved to a drive that hangs.
fn saving(folder: &Path) -> TestApp {
    let mut desk = on_file(folder);
    edit(&mut desk);
    desk.hold(&WRITING);
    save(&mut desk);
    desk
}

#[test]
fn what_is_edited_while_it_is_saved_stays_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = saving(folder.path());
    assert!(desk.text().contains("halls.toml · saving …"), "{}", desk.text());
    assert!(desk.app.editor.document.is_dirty(), "until it is known to be saved");
    desk.keys("+");
    answer(&mut desk);
    assert_eq!((step_length_on_disk(folder.path()), step_length(&desk)), (5, 6));
    assert!(desk.app.editor.document.is_dirty());
    assert!(!desk.text().contains("saving …") && desk.text().contains("halls.toml ●"));
    // The history marks the step that the file holds.
    assert_eq!(desk.app.editor.document.saved_step(), Some(1));
    desk.keys("u");
    assert!(!desk.app.editor.document.is_dirty());
    save(&mut desk);
    assert_eq!(step_length_on_disk(folder.path()), 5);
}

#[test]
fn saving_again_meanwhile_saves_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = saving(folder.path());
    desk.keys("+");
    save(&mut desk);
    assert!(foot(&desk).contains("still being saved"), "{}", foot(&desk));
    desk.keys("+");
    answer(&mut desk);
    assert_eq!((step_length_on_disk(folder.path()), step_length(&desk)), (7, 7));
    assert!(!desk.app.editor.document.is_dirty());
}

#[test]
fn leaving_waits_for_the_saving_and_can_do_without() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = saving(folder.path());
    desk.keys("q");
    assert!(desk.text().contains("Still saving"), "{}", desk.text());
    insta::assert_snapshot!("leaving_while_it_is_saved", desk.text());
    answer(&mut desk);
    assert_eq!((desk.quit, step_length_on_disk(folder.path())), (Some(0), 5));
    assert!(!desk.app.is_saving());

    let mut desk = saving(folder.path());
    desk.keys("q");
    desk.press(KeyCode::Esc);
    answer(&mut desk);
    assert_eq!(desk.quit, None, "the designer stays open");

    let mut desk = saving(folder.path());
    desk.keys("qg");
    assert_eq!(desk.quit, Some(0));
    assert!(
        desk.app.is_saving() && desk.app.editor.document.unsaved().is_some(),
        "what is unsaved is kept for the next start"
    );

    // The same through the question about unsaved changes.
    let mut desk = on_file(folder.path());
    edit(&mut desk);
    desk.hold(&WRITING);
    desk.keys("qs");
    assert!(desk.text().contains("Still saving"), "{}", desk.text());
    answer(&mut desk);
    assert_eq!(desk.quit, Some(0));
}

#[test]
fn what_was_edited_since_is_asked_about_before_anybody_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = saving(folder.path());
    desk.keys("+q");
    answer(&mut desk);
    assert_eq!(desk.quit, None);
    assert!(desk.text().contains("Unsaved changes"), "{}", desk.text());
    desk.keys("s");
    assert_eq!((desk.quit, step_length_on_disk(folder.path())), (Some(0), 6));
}

#[test]
fn another_design_waits_for_the_saving_or_is_opened_without() {
    let folder = tempfile::tempdir().unwrap();
    let open = |desk: &mut TestApp| {
        desk.keys("p");
        desk.settle();
        desk.press(KeyCode::Enter);
        assert!(desk.text().contains("Still saving"), "{}", desk.text());
    };
    let mut desk = saving(folder.path());
    open(&mut desk);
    answer(&mut desk);
    assert_ne!(desk.app.editor.document.title(), "halls.toml");
    assert_eq!(step_length_on_disk(folder.path()), 5);

    let mut desk = saving(folder.path());
    open(&mut desk);
    desk.keys("g");
    let title = desk.app.editor.document.title();
    assert_ne!(title, "halls.toml");
    let before = desk.app.editor.document.shared();
    answer(&mut desk);
    assert_eq!(
        (desk.app.editor.document.title(), desk.app.editor.document.shared()),
        (title, before)
    );
}

#[test]
fn what_another_program_wrote_meanwhile_is_asked_about_and_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = saving(folder.path());
    elsewhere(folder.path(), |theirs| theirs.character.generations[0].step_length = 9);
    changed(&mut desk);
    assert_eq!(step_length(&desk), 5, "files being written are not read");
    answer(&mut desk);
    assert_eq!(step_length_on_disk(folder.path()), 9);
    assert!(desk.text().contains("Changed on both sides"), "{}", desk.text());
    desk.keys("m");
    assert_eq!(step_length(&desk), 5);
    save(&mut desk);
    assert_eq!(step_length_on_disk(folder.path()), 5);
    // Later changes are detected.
    elsewhere(folder.path(), |theirs| theirs.character.generations[0].step_length = 8);
    changed(&mut desk);
    assert_eq!(step_length(&desk), 8);
}

#[test]
fn a_question_waits_for_who_is_amid_something() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = saving(folder.path());
    elsewhere(folder.path(), |theirs| theirs.character.generations[0].step_length = 9);
    desk.keys("?");
    answer(&mut desk);
    assert!(matches!(desk.app.dialogs.open, Some(Dialog::Help(_))));
    desk.press(KeyCode::Esc);
    assert!(desk.text().contains("Changed on both sides"), "{}", desk.text());
    desk.keys("t");

    // The same with a failure, which is reported in the last row.
    let mut desk = saving(folder.path());
    fs::write(folder.path().join("halls.toml"), "[layout\n").unwrap();
    desk.keys("?");
    answer(&mut desk);
    assert!(matches!(desk.app.dialogs.open, Some(Dialog::Help(_))));
    desk.press(KeyCode::Esc);
    assert!(desk.text().contains("halls.toml was not saved"), "{}", desk.text());
    assert!(desk.app.editor.document.is_dirty());
    save(&mut desk);
    assert!(desk.text().contains("Overwrite the file?"), "{}", desk.text());
    desk.keys("r");
    assert_eq!(step_length_on_disk(folder.path()), 5);
}

#[test]
fn saving_elsewhere_abandons_the_drive() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut desk = saving(folder.path());
    let (late, request) = desk.take_request("saving").unwrap();
    desk.release(&WRITING);
    desk.keys("S");
    name(&mut desk, &other.path().join("halls.toml"));
    desk.press(KeyCode::Enter);
    assert!(foot(&desk).contains("saved: halls.toml"), "{}", foot(&desk));
    assert_eq!(step_length_on_disk(other.path()), 5);
    // The late reply is ignored, and its write is cancelled.
    assert!(late.is_cancelled());
    desk.run_job(&late, request);
    assert_eq!(step_length_on_disk(folder.path()), 4);
    assert_eq!(desk.app.editor.document.files(), [other.path().join("halls.toml")]);
    assert!(desk.app.dialogs.open.is_none() && !desk.app.editor.document.is_dirty());
}

#[test]
fn a_name_on_a_drive_that_does_not_answer_can_be_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(80, 24);
    desk.hold(&WRITING);
    desk.keys("S");
    name(&mut desk, &folder.path().join("far"));
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains("saving far.toml …"), "{}", desk.text());
    // Typing on cancels the save to the old name.
    desk.press(KeyCode::Backspace);
    assert!(
        desk.requested("saving").is_none() && !desk.text().contains("saving"),
        "{}",
        desk.text()
    );
    desk.press(KeyCode::Enter);
    desk.press(KeyCode::Esc);
    assert!(desk.requested("saving").is_none() && desk.app.dialogs.open.is_none());
    assert!(!desk.app.is_saving() && desk.app.editor.document.files().is_empty());
    desk.keys("S");
    name(&mut desk, &folder.path().join("halls"));
    desk.press(KeyCode::Enter);
    answer(&mut desk);
    assert!(desk.app.dialogs.open.is_none());
    assert_eq!(desk.app.editor.document.title(), "halls.toml");
    // Saving to its own name asks about changes made elsewhere.
    edit(&mut desk);
    elsewhere(folder.path(), |theirs| theirs.character.generations[0].step_length = 9);
    desk.keys("S");
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains("Changed on both sides"), "{}", desk.text());
    assert_eq!(step_length_on_disk(folder.path()), 9);
}

#[test]
fn a_copy_on_a_drive_that_does_not_answer_can_be_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_file(folder.path());
    desk.keys("P");
    desk.settle();
    desk.press(KeyCode::End);
    desk.hold(&WRITING);
    desk.press(KeyCode::Enter);
    assert!(desk.requested("copying").is_some(), "{}", desk.text());
    assert!(desk.text().contains("writing …"), "{}", desk.text());
    desk.press(KeyCode::Esc);
    assert!(desk.requested("copying").is_none() && desk.app.dialogs.open.is_none());
    desk.chord(KeyModifiers::CONTROL, 'e');
    desk.keys("+");
    answer(&mut desk);
    desk.settle();
    assert!(desk.text().contains("a copy was written"), "{}", desk.text());
}

#[test]
fn what_looks_at_the_files_waits_until_they_are_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = saving(folder.path());
    let asked = |desk: &TestApp| desk.requested("reloading").is_some();
    desk.hold(&READING);
    changed(&mut desk);
    assert!(!asked(&desk));
    answer(&mut desk);
    assert!(asked(&desk), "and then it is looked");
    // A check in progress has read the earlier content.
    edit(&mut desk);
    let (ticket, request) = desk.take_request("reloading").unwrap();
    let before = desk.replies(&ticket, request);
    desk.hold(&WRITING);
    save(&mut desk);
    desk.deliver_replies(&ticket, before);
    answer(&mut desk);
    desk.release(&READING);
    assert!(desk.app.dialogs.open.is_none() && !desk.app.editor.document.is_dirty());
    assert_eq!(step_length(&desk), 6);
}

#[test]
fn what_was_said_of_a_file_goes_when_the_file_is_restored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("halls.toml");
    for edited in [false, true] {
        let mut desk = on_file(folder.path());
        let whole = fs::read(&path).unwrap();
        let shown = desk.app.editor.panel;
        let clean = |desk: &TestApp| {
            assert_eq!(desk.app.editor.status.notice, None, "{}", desk.text());
            assert_eq!(desk.app.editor.document.is_dirty(), edited);
            assert!(desk.app.dialogs.open.is_none(), "{}", desk.text());
        };
        if edited {
            edit(&mut desk);
        }
        fs::write(&path, "[layout\n").unwrap();
        changed(&mut desk);
        assert!(
            desk.text().contains("halls.toml has errors (see Problems)"),
            "{}",
            desk.text()
        );
        fs::write(&path, &whole).unwrap();
        changed(&mut desk);
        clean(&desk);
        if !edited {
            assert_eq!(desk.app.editor.panel, shown);
        }
        fs::remove_file(&path).unwrap();
        changed(&mut desk);
        assert!(
            foot(&desk).contains("halls.toml was deleted or moved"),
            "{}",
            foot(&desk)
        );
        fs::write(&path, &whole).unwrap();
        changed(&mut desk);
        clean(&desk);
        // The edits are saved over the restored file without a question.
        save(&mut desk);
        assert!(!desk.app.editor.document.is_dirty() && desk.app.dialogs.open.is_none());
        assert_eq!(step_length_on_disk(folder.path()), if edited { 5 } else { 4 });
    }
}

#[test]
fn a_file_restored_unseen_is_asked_about_before_an_edit_is_written_over_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("halls.toml");
    let mut desk = on_file(folder.path());
    let whole = fs::read(&path).unwrap();
    edit(&mut desk);
    fs::write(&path, "[layout\n").unwrap();
    changed(&mut desk);
    desk.press(KeyCode::Esc);
    fs::write(&path, &whole).unwrap();
    save(&mut desk);
    assert!(desk.app.editor.document.is_dirty(), "nothing was written");
    assert!(desk.text().contains("Changed on both sides"), "{}", desk.text());
    desk.keys("m");
    save(&mut desk);
    assert_eq!(step_length_on_disk(folder.path()), 5);
}

/// Starts the app on the three files of the original.
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
    let mut desk = TestApp::with(document, 120, 30);
    desk.grow();
    desk
}

/// Replaces a text in a file like another program.
fn replace(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn the_file_that_changed_is_named_and_what_cannot_be_read_in_it_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_three_files(folder.path());
    let stats = folder.path().join("dungeon.stats");
    replace(&stats, "StepLength: 4", "StepLength: 7");
    changed(&mut desk);
    assert_eq!(step_length(&desk), 7);
    assert_eq!(
        desk.app.editor.status.notice,
        Some((
            NoticeLevel::Done,
            "dungeon.stats was changed on disk: reloaded and grown again".into()
        ))
    );
    assert_eq!(
        desk.app.editor.document.steps().last(),
        Some("dungeon.stats changed on disk")
    );
    replace(&stats, "StepLength: 7", "StepLength: seven");
    changed(&mut desk);
    let (tone, text) = desk.app.editor.status.notice.clone().unwrap();
    assert_eq!(tone, NoticeLevel::Warning);
    assert!(
        text.starts_with("dungeon.stats was changed on disk and grown again; line 1: ") && text.contains("StepLength"),
        "{text}"
    );
    // The value equals the default: nothing is regrown, but the warning appears.
    let default = step_length(&desk);
    replace(&stats, "StepLength: seven", &format!("StepLength: {default}"));
    changed(&mut desk);
    replace(&stats, &format!("StepLength: {default}"), "StepLength: x");
    changed(&mut desk);
    let (tone, text) = desk.app.editor.status.notice.clone().unwrap();
    assert_eq!(tone, NoticeLevel::Warning);
    assert!(
        text.starts_with("dungeon.stats was changed on disk; line 1: "),
        "{text}"
    );
    replace(&stats, "StepLength: x", &format!("StepLength: {default}"));
    changed(&mut desk);
    assert_eq!(desk.app.editor.status.notice, None);

    fs::remove_file(&stats).unwrap();
    changed(&mut desk);
    assert!(
        foot(&desk).contains("dungeon.stats was deleted or moved"),
        "{}",
        foot(&desk)
    );
    fs::write(folder.path().join("dungeon.constants"), "nothing\n").unwrap();
    changed(&mut desk);
    assert!(!desk.text().contains("dungeon.rooms was"), "{}", desk.text());
}
