//! Recovery of work that was unsaved when an earlier run crashed or was killed.
//!
//! When the designer starts in a terminal, a background thread searches for such work; a dialog offers it as soon as no
//! other dialog is open and the user is neither dragging nor typing. Until the user decides, no other process offers
//! the same work. Work that the user postpones is offered again the next time the program starts.

use std::time::Duration;

use super::editor::Editor;
use crate::design::MemoryUse;
use crate::document::{Document, available_memory};
use crate::storage::{AutosaveSlot, RecoverableWork};
use crate::text::counted;
use crate::tui::commands::Effect;

/// Recoverable work that was found but not offered yet.
#[derive(Debug, Default)]
pub(super) struct RecoveryState {
    waiting: Vec<RecoverableWork>,
    /// Whether the user requested the search, so that an empty result must be reported.
    is_requested: bool,
}

impl RecoveryState {
    /// Starts a search for recoverable work at the user's request.
    pub(super) fn search(&mut self, editor: &mut Editor) {
        self.is_requested = true;
        editor.emit(Effect::FindRecoverable);
    }

    /// Handles the result of the search.
    pub(super) fn handle_found(&mut self, editor: &mut Editor, found: Vec<RecoverableWork>) {
        let is_requested = std::mem::take(&mut self.is_requested);
        if found.is_empty() && is_requested {
            editor.done("no unsaved work from an earlier run was found");
        }
        self.waiting.extend(found);
    }

    /// Takes the work to offer; `None` if there is none.
    pub(super) fn take(&mut self) -> Option<Vec<RecoverableWork>> {
        Some(std::mem::take(&mut self.waiting)).filter(|found| !found.is_empty())
    }
}

/// Returns why recoverable work cannot be opened; `None` if it can.
pub(super) fn why_unrecoverable(work: &RecoverableWork) -> Option<String> {
    let problems = work.design.as_ref().err()?;
    let why = problems.first().map(ToString::to_string).unwrap_or_default();
    let place = work.slot.path().display();
    Some(format!("cannot read the unsaved work in {place}: {why}"))
}

/// Creates a document from recoverable work. Returns it with the slot that keeps the work until the user saves or
/// discards it; `None` if the design cannot be read.
pub(super) fn document(work: RecoverableWork) -> Option<(AutosaveSlot, Document)> {
    let memory = available_memory(MemoryUse::Showing);
    let files = work.files.zip(work.loaded);
    let document = Document::recovered(work.design.ok()?, files, work.origin.as_ref(), memory);
    Some((work.slot, document))
}

/// Returns the notice about a recovered document.
pub(super) fn notice(document: &Document) -> String {
    let title = document.title();
    if document.is_dirty() && document.design_files().is_none() {
        format!("{title} recovered but not saved; undo to return to the original")
    } else if document.is_dirty() {
        format!("{title} recovered but not saved; undo to return to the file's version")
    } else {
        format!("{title} recovered; the file already contains all of the changes")
    }
}

/// Describes an age in words, such as `2 hours ago`.
pub(super) fn age_text(age: Option<Duration>) -> String {
    let Some(age) = age else {
        return "at an unknown time".into();
    };
    let seconds = age.as_secs();
    let (number, unit) = match seconds {
        0..60 => return "a moment ago".into(),
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{} ago", counted(number, unit))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;

    use crossterm::event::KeyCode;

    use super::*;
    use crate::background::Message;
    use crate::design::Design;
    use crate::format::native;
    use crate::storage::{DesignFiles, Unsaved, leftovers};
    use crate::tui::fixture::{TestApp, drawn_at_any_size};

    fn design(name: &str, step_length: i32) -> Design {
        let mut design = Design {
            name: name.into(),
            ..Design::default()
        };
        design.character.generations[0].step_length = step_length;
        design
    }

    fn step_length(designer: &TestApp) -> i32 {
        designer.app.editor.document.design().character.generations[0].step_length
    }

    /// Writes an unsaved design to an autosave slot, as an app that was killed leaves it.
    fn leave(state: &Path, design: Design, file: Option<&Path>) {
        let files = file.map(|path| DesignFiles::Toml(path.to_owned()));
        let digest = files.as_ref().map(|files| files.load().digest());
        let unsaved = Unsaved {
            design: Arc::new(design),
            files,
            folder: std::path::PathBuf::new(),
            digest,
            origin: None,
        };
        AutosaveSlot::new(state).unwrap().keep(&unsaved).unwrap();
    }

    /// Returns an app that has just found the recoverable work in a state folder.
    fn started(state: &Path) -> TestApp {
        let mut designer = TestApp::grown(80, 24);
        designer.send(Message::Recoverable(leftovers(state)));
        designer
    }

    fn foot(designer: &TestApp) -> String {
        designer.text().lines().last().unwrap_or_default().to_owned()
    }

    #[test]
    fn work_on_a_file_is_recovered_as_one_undo_step() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("castle.toml");
        fs::write(&file, native::write(&design("Castle", 3))).unwrap();
        leave(&folder.path().join("state"), design("Castle", 9), Some(&file));
        let mut designer = started(&folder.path().join("state"));
        assert!(designer.text().contains("castle.toml"), "{}", designer.text());
        designer.press(KeyCode::Enter);
        assert_eq!(step_length(&designer), 9);
        assert_eq!(designer.app.editor.document.files().first(), Some(&file));
        assert_eq!(designer.watched.first(), Some(&file));
        assert!(designer.app.editor.document.is_dirty());
        assert!(foot(&designer).contains("castle.toml recovered"), "{}", foot(&designer));
        let slot = designer.adopted.clone().unwrap();
        assert!(slot.path().exists(), "it stays until it is saved");
        designer.keys("u");
        assert_eq!(
            (step_length(&designer), designer.app.editor.document.is_dirty()),
            (3, false)
        );
        designer.keys("U");
        assert!(designer.app.editor.document.save(false).is_ok());
        assert!(fs::read_to_string(&file).unwrap().contains("step_length = 9"));
    }

    #[test]
    fn the_offer_waits_while_the_user_is_typing() {
        let folder = tempfile::tempdir().unwrap();
        leave(folder.path(), design("Castle", 9), None);
        let mut designer = TestApp::grown(80, 24);
        crate::tui::stories::alt(&mut designer, '1');
        designer.keys("5");
        assert!(designer.app.panels.is_typing());
        designer.send(Message::Recoverable(leftovers(folder.path())));
        assert!(designer.app.dialogs.open.is_none(), "{}", designer.text());
        designer.press(KeyCode::Enter);
        assert!(designer.text().contains("Castle"), "{}", designer.text());
    }

    #[test]
    fn work_without_a_file_is_recovered_as_one_undo_step() {
        let folder = tempfile::tempdir().unwrap();
        let mut before = crate::presets::Preset::find("keep").unwrap().design();
        before.seed = 77;
        let mut document = Document::new(before.clone(), None);
        document.edit("StepLength", |design| {
            design.character.generations[0].step_length = 9;
        });
        let unsaved = document.unsaved().unwrap();
        AutosaveSlot::new(folder.path()).unwrap().keep(&unsaved).unwrap();
        let mut designer = started(folder.path());
        designer.keys("r");
        assert_eq!(step_length(&designer), 9);
        assert!(
            foot(&designer).contains("undo to return to the original"),
            "{}",
            foot(&designer)
        );
        designer.keys("u");
        assert_eq!(*designer.app.editor.document.design(), before);
        assert!(!designer.app.editor.document.is_dirty(), "as when it was opened");
    }

    #[test]
    fn several_entries_form_a_list_and_are_decided_one_by_one() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        let file = folder.path().join("keep.toml");
        fs::write(&file, "seed = 1").unwrap();
        leave(&state, design("Old keep", 5), Some(&file));
        leave(&state, design("Never saved", 6), None);
        fs::write(&file, "seed = 2").unwrap();
        fs::write(state.join("0-0.toml"), "step_length = [").unwrap();
        let mut designer = started(&state);
        let scrubbed = designer.text().replace(&state.display().to_string(), "STATE");
        assert!(
            scrubbed.contains("Never saved") && scrubbed.contains("untitled"),
            "{scrubbed}"
        );
        // The entry whose file has changed since the autosave is marked.
        let description = (0..3).any(|_| {
            let description = designer.text().contains("changed the file. After recovery");
            designer.press(KeyCode::Down);
            description
        });
        assert!(description, "{}", designer.text());
        designer.keys("kkkk");
        designer.press(KeyCode::Delete);
        designer.press(KeyCode::Delete);
        designer.keys("jjj");
        assert!(designer.text().contains("cannot be read"), "{}", designer.text());
        designer.keys("r");
        assert!(designer.text().contains("Not recovered"), "{}", designer.text());
        designer.press(KeyCode::Esc);
        assert_eq!(
            leftovers(&state).len(),
            2,
            "one was discarded; the files that cannot be read were kept"
        );
    }

    #[test]
    fn discarding_is_confirmed_visibly_for_work_that_cannot_be_read_or_has_a_long_path() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        let deep = folder.path().join("a folder with a long name".repeat(6));
        fs::create_dir(&deep).unwrap();
        let file = deep.join("keep.toml");
        fs::write(&file, "seed = 1").unwrap();
        leave(&state, design("Old keep", 5), Some(&file));
        fs::write(&file, "seed = 2").unwrap();
        fs::write(state.join("0-0.toml"), "step_length = [").unwrap();
        let mut designer = started(&state);
        let mut unreadable = 0;
        for _ in 0..2 {
            if designer.text().contains("be read.") {
                unreadable += 1;
            } else {
                assert!(designer.text().contains("file contains now."), "{}", designer.text());
            }
            designer.keys("D");
            assert!(
                designer.text().contains("once more to discard it"),
                "{}",
                designer.text()
            );
            designer.press(KeyCode::Down);
        }
        assert_eq!(unreadable, 1);
    }

    #[test]
    fn postponed_work_is_offered_again_and_an_empty_search_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        leave(folder.path(), design("Castle", 9), None);
        let mut designer = started(folder.path());
        insta::assert_snapshot!("unsaved_work_is_offered", designer.text());
        assert_eq!(leftovers(folder.path()), [], "no other process offers it meanwhile");
        designer.press(KeyCode::Esc);
        assert!(designer.app.dialogs.open.is_none());
        let left = leftovers(folder.path());
        assert_eq!(left.len(), 1);
        designer.app.recovery.is_requested = true;
        designer.send(Message::Recoverable(left));
        designer.keys("D");
        assert!(
            designer.app.dialogs.open.is_some(),
            "discarding needs a second key press"
        );
        assert!(
            designer.text().contains("once more to discard it"),
            "{}",
            designer.text()
        );
        designer.keys("D");
        assert_eq!(leftovers(folder.path()), []);
        designer.app.recovery.is_requested = true;
        designer.send(Message::Recoverable(Vec::new()));
        assert!(
            foot(&designer).contains("no unsaved work from an earlier run"),
            "{}",
            foot(&designer)
        );
    }

    #[test]
    fn the_offer_waits_for_another_dialog_and_for_unsaved_changes() {
        let folder = tempfile::tempdir().unwrap();
        leave(folder.path(), design("Castle", 9), None);
        let mut designer = TestApp::grown(80, 24);
        designer.keys("?");
        designer.send(Message::Recoverable(leftovers(folder.path())));
        assert!(!designer.text().contains("Recover unsaved work"), "{}", designer.text());
        designer.press(KeyCode::Esc);
        assert!(designer.text().contains("Recover unsaved work"), "{}", designer.text());
        designer.press(KeyCode::Esc);
        designer.keys("R");
        designer.send(Message::Recoverable(leftovers(folder.path())));
        designer.keys("r");
        assert!(designer.text().contains("Unsaved changes"), "{}", designer.text());
        designer.keys("dd");
        assert_eq!(step_length(&designer), 9);
        assert!(designer.app.editor.document.is_dirty(), "no file holds it");
    }

    #[test]
    fn answers_can_be_clicked() {
        let folder = tempfile::tempdir().unwrap();
        leave(folder.path(), design("Castle", 9), None);
        let mut designer = started(folder.path());
        let text = designer.text();
        let row = text
            .lines()
            .position(|line| line.contains("Open the selected work as an unsaved"))
            .unwrap();
        designer.click(30, row as u16);
        assert_eq!(step_length(&designer), 9);
    }

    #[test]
    fn the_list_is_drawn_at_any_size() {
        let folder = tempfile::tempdir().unwrap();
        for i in 0..12 {
            leave(folder.path(), design(&format!("Design {i}"), 9), None);
        }
        let designer = started(folder.path());
        let text = drawn_at_any_size(|area, buf| designer.app.draw_dialog(area, buf), (80, 24));
        assert!(text.contains("Earlier runs ended"), "{text}");
    }

    #[test]
    fn times_are_reported_in_words() {
        let description = |seconds| age_text(Some(Duration::from_secs(seconds)));
        assert_eq!(description(0), "a moment ago");
        assert_eq!(description(60), "1 minute ago");
        assert_eq!(description(7_199), "1 hour ago");
        assert_eq!(description(200_000), "2 days ago");
        assert_eq!(age_text(None), "at an unknown time");
    }
}
