//! Tests of editing and of files: a user's actions on real files, and their results.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::dialog::Dialog;
use super::fixture::{TestApp, drawn_at_any_size, spiral};
use super::tabs::Panel;
use crate::background::{GrowthReply, Message};
use crate::design::{CrawlerStart, Design, Diagnostic, Entry, List, Place, Room, style};
use crate::document::Document;
use crate::format::native;
use crate::geometry::{Point, Size};
use crate::storage::{DesignFiles, StorageError};
use crate::tui::commands::Action;
use crate::tui::editor::{Focus, NoticeLevel};
use crate::tui::keymap::Context;

/// Returns a design that contains at least one entry of every kind.
pub(super) fn design() -> Design {
    let mut design = Design {
        name: "Two halls".into(),
        notes: "Opens with two rooms.\nTry another seed.".into(),
        ..Design::default()
    };
    let layout = &mut design.layout;
    layout.size = Size::new(40, 60);
    layout.rooms = vec![
        Room::default(),
        Room {
            div: 4,
            xdiv: 1,
            ydiv: 3,
            sites: [23, 2, 0, 1, 0, 0, 13, 0],
            style: style::WALLS | style::LARGE_CENTER_DOORS | style::PYRAMID,
            ..Room::default()
        },
    ];
    layout.open = vec![Point::new(30, 30)];
    layout.walls = (0..1000).map(|i| Point::new(1 + i % 38, 1 + i / 38)).collect();
    layout.crawlers = vec![CrawlerStart::default()];
    raised(design)
}

/// Returns the design with its limits raised to fit its lists, as they are after it has been read from a file.
fn raised(mut design: Design) -> Design {
    design.layout.limits = design.layout.limits.raised_for(&design.layout);
    design
}

/// Returns an app that has opened the design of [`design`] from a TOML file in a folder.
pub(super) fn on_file(folder: &Path) -> TestApp {
    let path = folder.join("halls.toml");
    fs::write(&path, native::write(&design())).unwrap();
    let document = Document::from_files(DesignFiles::Toml(path), None, None).unwrap();
    let mut designer = TestApp::with(document, 80, 24);
    designer.receive_run(spiral(5));
    designer.keys("G");
    designer
}

pub(super) fn test_app(width: u16, height: u16) -> TestApp {
    let mut designer = TestApp::with(Document::new(design(), None), width, height);
    designer.receive_run(spiral(5));
    designer.keys("G");
    designer
}

/// Changes the app's file, as another program would.
pub(super) fn elsewhere(folder: &Path, change: impl FnOnce(&mut Design)) {
    let mut theirs = design();
    change(&mut theirs);
    fs::write(folder.join("halls.toml"), native::write(&theirs)).unwrap();
}

fn file(folder: &Path) -> Design {
    raised(DesignFiles::Toml(folder.join("halls.toml")).load().design.unwrap())
}

pub(super) fn changed(designer: &mut TestApp) {
    designer.send(Message::FilesChanged(Vec::new()));
}

pub(super) fn alt(designer: &mut TestApp, c: char) {
    designer.chord(KeyModifiers::ALT, c);
}

pub(super) fn step_length(designer: &TestApp) -> i32 {
    designer.app.editor.document.design().character.generations[0].step_length
}

/// Returns the last line of the screen, the footer.
pub(super) fn foot(designer: &TestApp) -> String {
    designer.text().lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_parameter_is_typed_and_the_dungeon_grows_again() {
    let mut designer = test_app(80, 24);
    let (before, seed) = (designer.run(), designer.app.editor.document.design().seed);
    alt(&mut designer, '1');
    designer.press(KeyCode::Right);
    designer.press(KeyCode::Down);
    designer.keys("17");
    insta::assert_snapshot!("a_parameter_is_being_typed", designer.text());
    assert_eq!(designer.run(), before);
    designer.press(KeyCode::Enter);
    assert_ne!(designer.run(), before);
    let design = designer.app.editor.document.design();
    assert_eq!(
        (design.character.generations[1].corridor_width, design.seed),
        (17, seed)
    );
    insta::assert_snapshot!("a_parameter_was_typed", designer.text());
}

#[test]
fn typing_can_be_cancelled_and_the_next_key_accepts_it() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '1');
    designer.keys("9");
    designer.press(KeyCode::Esc);
    assert_eq!(step_length(&designer), 4);
    designer.press(KeyCode::Enter);
    designer.press(KeyCode::Backspace);
    designer.keys("8");
    designer.press(KeyCode::Down);
    assert_eq!(
        step_length(&designer),
        8,
        "an arrow accepts the typed value and moves on"
    );
    designer.keys("5\t");
    assert_eq!(
        designer.app.editor.document.design().character.generations[0].corridor_width,
        5
    );
    assert_eq!(designer.app.editor.panel, Panel::Stats);
}

#[test]
fn values_out_of_range_are_rejected_with_the_range() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '1');
    designer.keys("99999999999");
    let before = designer.run();
    designer.press(KeyCode::Enter);
    assert!(
        foot(&designer).contains("StepLength must be 1 to 1,000 squares"),
        "{}",
        foot(&designer)
    );
    assert!(designer.app.panels.is_typing());
    designer.press(KeyCode::Tab);
    assert!(
        designer.app.panels.is_typing(),
        "nothing else happens until the value is corrected"
    );
    designer.press(KeyCode::Esc);
    designer.keys("[");
    assert_eq!(step_length(&designer), 1, "a step goes to the end of the range");
    assert_ne!(designer.run(), before);
    let before = designer.run();
    designer.keys("-");
    assert_eq!((step_length(&designer), designer.run()), (1, before));
    assert!(foot(&designer).contains("1 to 1,000"));
}

#[test]
fn steps_of_one_field_are_one_undo_step() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '1');
    designer.keys("+++]");
    assert_eq!(step_length(&designer), 17);
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Up);
    designer.keys("+");
    designer.keys("u");
    assert_eq!(
        step_length(&designer),
        17,
        "a step after moving elsewhere is a separate undo step"
    );
    designer.keys("u");
    assert_eq!(step_length(&designer), 4);
    assert!(foot(&designer).contains("undone: StepLength of generation 0: 4 → 17"));
    designer.chord(KeyModifiers::CONTROL, 'r');
    assert_eq!(step_length(&designer), 17);
    assert!(foot(&designer).contains("redone: StepLength of generation 0: 4 → 17"));
    designer.keys("uuu");
    assert!(foot(&designer).contains("nothing to undo"));
}

#[test]
fn rooms_are_shown_with_their_fields_and_switches() {
    let mut designer = test_app(120, 40);
    alt(&mut designer, '2');
    insta::assert_snapshot!("rooms_120x40", designer.text());
    for _ in 0..4 {
        designer.press(KeyCode::Down);
    }
    insta::assert_snapshot!("a_room_is_selected", designer.text());
    designer.press(KeyCode::Enter);
    for _ in 0..14 {
        designer.press(KeyCode::Down);
    }
    let before = designer.app.editor.document.design().layout.rooms[1].style;
    designer.press(KeyCode::Enter);
    assert_eq!(
        designer.app.editor.document.design().layout.rooms[1].style,
        before ^ style::LARGE_CORNER_DOORS
    );
    insta::assert_snapshot!("a_switch_was_turned", designer.text());
    designer.keys("-");
    assert_eq!(designer.app.editor.document.design().layout.rooms[1].style, before);
    designer.press(KeyCode::Esc);
    assert_eq!(designer.app.editor.focus, Focus::Panel, "Esc leaves the fields first");
    designer.press(KeyCode::Esc);
    assert_eq!(designer.app.editor.focus, Focus::Map);
}

#[test]
fn entries_are_added_copied_moved_and_removed() {
    let mut designer = test_app(80, 24);
    designer.click(10, 8);
    let cursor = designer.app.editor.map.cursor();
    alt(&mut designer, '2');
    // Selects the heading of the columns, counted from the end; the design has no columns.
    designer.press(KeyCode::End);
    for _ in 0..5 {
        designer.press(KeyCode::Up);
    }
    let layout = |designer: &TestApp| designer.app.editor.document.design().layout.clone();
    designer.keys("a");
    assert_eq!(layout(&designer).columns, [cursor]);
    designer.keys("D");
    assert_eq!(layout(&designer).columns, [cursor, cursor]);
    // Enters the fields of the copy, and moves it to another column of the grid.
    designer.press(KeyCode::Right);
    designer.press(KeyCode::Down);
    designer.keys("7");
    designer.press(KeyCode::Enter);
    designer.press(KeyCode::Left);
    let moved = Point::new(cursor.x, 7);
    assert_eq!(layout(&designer).columns, [cursor, moved]);
    designer.keys("K");
    assert_eq!(layout(&designer).columns, [moved, cursor]);
    designer.keys("K");
    assert!(foot(&designer).contains("column 1 is the first"), "{}", foot(&designer));
    insta::assert_snapshot!("columns_were_added", designer.text());
    designer.keys("d");
    assert_eq!(layout(&designer).columns, [cursor]);
    assert!(foot(&designer).contains("column 1 removed"));
    designer.keys("uuuuu");
    assert_eq!(layout(&designer).columns, []);
    designer.press(KeyCode::Home);
    designer.keys("d");
    assert!(foot(&designer).contains("is not in a list"));
}

#[test]
fn a_thousand_wall_tiles_are_a_list_like_any_other() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '2');
    for _ in 0..70 {
        designer.press(KeyCode::PageDown);
    }
    designer.keys("KKK");
    insta::assert_snapshot!("far_down_the_wall_tiles", designer.text());
    designer.mouse(MouseEventKind::ScrollUp, 60, 5);
    let panel = designer.app.editor.areas.panel;
    let row = designer.text().lines().nth(5).unwrap().to_owned();
    designer.click(panel.x + 8, 5);
    let number: String = row.chars().skip(usize::from(panel.x) + 1).take(4).collect();
    let about = designer.text();
    assert!(
        about.contains(&format!("wall tile {}", number.trim())),
        "{row}\n{about}"
    );
}

#[test]
fn codes_are_reported_and_stepped_in_words() {
    let mut designer = test_app(120, 40);
    alt(&mut designer, '2');
    designer.press(KeyCode::End);
    // Moves past the headings of the places and the vaults; the design has no places and no vaults.
    designer.press(KeyCode::Up);
    designer.press(KeyCode::Up);
    designer.press(KeyCode::Up);
    designer.press(KeyCode::Right);
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Down);
    insta::assert_snapshot!("a_direction_in_words", designer.text());
    let direction = |designer: &TestApp| designer.app.editor.document.design().layout.crawlers[0].direction;
    assert_eq!(direction(&designer), 12);
    designer.keys("+++");
    assert_eq!(direction(&designer), 21, "15 to 20 are not codes of directions");
    designer.keys("15");
    designer.press(KeyCode::Enter);
    assert!(
        designer.text().contains("15 is not a code for direction"),
        "{}",
        designer.text()
    );
}

#[test]
fn name_seed_and_notes_are_edited() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '4');
    designer.press(KeyCode::Enter);
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.keys("Three halls");
    designer.press(KeyCode::Down);
    designer.keys("18446744073709551616");
    designer.press(KeyCode::Enter);
    assert!(foot(&designer).contains("a seed must be a number from 0 to 18,446,744,073,709,551,615"));
    designer.press(KeyCode::Backspace);
    designer.press(KeyCode::Enter);
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Enter);
    designer.chord(KeyModifiers::CONTROL, 'j');
    designer.send(Message::Input(Event::Paste("A line.\r\nAnother.".into())));
    insta::assert_snapshot!("notes_are_being_typed", designer.text());
    designer.press(KeyCode::Enter);
    let design = designer.app.editor.document.design();
    assert_eq!(design.name, "Three halls");
    assert_eq!(design.seed, 1_844_674_407_370_955_161);
    assert!(design.notes.ends_with("another seed.\nA line.\nAnother."));
    insta::assert_snapshot!("the_design_was_described", designer.text());
    let run = designer.run();
    designer.keys("r");
    assert_ne!(designer.run(), run);
    designer.keys("u");
    assert_eq!(designer.app.editor.document.design().seed, 1_844_674_407_370_955_161);
}

#[test]
fn constants_are_edited() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '3');
    designer.press(KeyCode::End);
    designer.keys("+");
    assert_eq!(designer.app.editor.document.design().constants.join_dist, 14);
    insta::assert_snapshot!("constants", designer.text());
}

#[test]
fn problems_lead_to_their_places() {
    let mut design = design();
    design.character.generations[3].change_dir_prob = 170;
    design.constants.max_crawlers = -1;
    let mut designer = TestApp::with(Document::new(design, None), 80, 24);
    designer.receive_run(spiral(5));
    designer.send_growth(GrowthReply::Started {
        recording: Box::new(crate::recording::Recording::new(
            spiral(1).0,
            crate::recording::EventChunk::default(),
        )),
        diagnostics: vec![
            Diagnostic::warning("wall tile 1000 at (12, 27) lies on another").at(Place::entry(Entry::Wall(999))),
            Diagnostic::note("stage one has more to say than fits in a single line of the panel"),
        ],
    });
    designer.keys("G");
    alt(&mut designer, '5');
    insta::assert_snapshot!("problems", designer.text());
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.panel, Panel::Stats);
    designer.keys("-");
    assert_eq!(
        designer.app.editor.document.design().character.generations[3].change_dir_prob,
        100
    );
    designer.keys("u");
    alt(&mut designer, '5');
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.panel, Panel::Constants);
}

#[test]
fn clicks_select_and_the_second_one_edits() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '1');
    let panel = designer.app.editor.areas.panel;
    // Clicks the row of MaxAge in the column of generation 2.
    designer.click(panel.x + 1 + 17 + 2 * 4 + 3, panel.y + 2 + 7);
    assert!(designer.text().contains("MaxAge ──"));
    designer.click(panel.x + 1 + 17 + 2 * 4 + 3, panel.y + 2 + 7);
    assert!(designer.app.panels.is_typing());
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.keys("3");
    designer.click(panel.x + 20, panel.y + 3);
    assert_eq!(
        designer.app.editor.document.design().character.generations[2].max_age,
        3,
        "accepted by the click"
    );
    designer.mouse(MouseEventKind::ScrollDown, panel.x + 5, panel.y + 5);
    assert!(designer.text().contains("DoubleSpawnProb ──"), "{}", designer.text());
}

#[test]
fn a_pasted_text_that_is_cut_is_reported_in_every_field() {
    // The palette, the dialogs that open and save, the search in the help, a moment, the path of an export.
    for keys in [":", "o", "S", "?/", "#", "P\t\t"] {
        let mut designer = test_app(120, 40);
        designer.keys(keys);
        designer.send(Message::Input(Event::Paste("x".repeat(3_999))));
        assert!(!designer.text().contains("was cut"), "{keys}: {}", designer.text());
        designer.send(Message::Input(Event::Paste("xyz".into())));
        assert!(
            designer
                .text()
                .contains("the pasted text was shortened: this field holds at most 4,000 bytes"),
            "{keys}: {}",
            designer.text()
        );
    }
}

#[test]
fn a_design_without_files_is_saved_under_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(80, 24);
    alt(&mut designer, '1');
    designer.keys("+");
    designer.chord(KeyModifiers::CONTROL, 's');
    insta::assert_snapshot!("save_as", designer.text());
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.send(Message::Input(Event::Paste(
        folder.path().join("no/such").display().to_string(),
    )));
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("does not exist"), "{}", designer.text());
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.send(Message::Input(Event::Paste(
        folder.path().join("halls").display().to_string(),
    )));
    designer.press(KeyCode::Enter);
    assert!(designer.app.dialogs.open.is_none());
    assert!(foot(&designer).contains("saved: halls.toml"), "{}", foot(&designer));
    assert!(!designer.app.editor.document.is_dirty());
    assert_eq!(
        file(folder.path()),
        raised(designer.app.editor.document.design().clone())
    );
    assert_eq!(designer.watched, [folder.path().join("halls.toml")]);
}

#[test]
fn three_files_are_saved_and_none_is_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(80, 24);
    designer.keys("S");
    designer.chord(KeyModifiers::CONTROL, 't');
    let paths: Vec<PathBuf> = ["rooms4", "stats4", "constants"]
        .map(|name| folder.path().join(name))
        .into();
    fs::write(&paths[1], "precious").unwrap();
    for path in &paths {
        designer.chord(KeyModifiers::CONTROL, 'u');
        designer.send(Message::Input(Event::Paste(path.display().to_string())));
        designer.press(KeyCode::Tab);
    }
    designer.press(KeyCode::Enter);
    let asked = designer.text();
    assert!(asked.contains("exists already"), "{asked}");
    designer.press(KeyCode::Esc);
    assert_eq!(fs::read_to_string(&paths[1]).unwrap(), "precious");
    assert!(!paths[0].exists());
    designer.keys("S");
    designer.chord(KeyModifiers::CONTROL, 't');
    for path in &paths {
        designer.chord(KeyModifiers::CONTROL, 'u');
        designer.send(Message::Input(Event::Paste(path.display().to_string())));
        designer.press(KeyCode::Tab);
    }
    designer.press(KeyCode::Enter);
    designer.keys("r");
    assert!(paths.iter().all(|path| path.exists()));
    let files = DesignFiles::Legacy {
        rooms: paths[0].clone(),
        stats: Some(paths[1].clone()),
        constants: Some(paths[2].clone()),
    };
    let mine = designer.app.editor.document.design();
    let read = files.load().design.unwrap();
    assert_eq!(
        (&read.layout.walls, &read.character),
        (&mine.layout.walls, &mine.character)
    );
    assert_eq!(designer.watched, paths);
    assert!(
        designer.text().contains("Saved, with one exception"),
        "{}",
        designer.text()
    );
    designer.press(KeyCode::Esc);
    alt(&mut designer, '4');
    let shown = designer.text();
    for row in ["not stored: name, notes, ", "seed, expectations, places"] {
        assert!(shown.contains(row), "{row}: {shown}");
    }
}

#[test]
fn quitting_with_unsaved_changes_asks_first() {
    let folder = tempfile::tempdir().unwrap();
    let edited = || {
        let mut designer = on_file(folder.path());
        alt(&mut designer, '1');
        designer.keys("++");
        designer.keys("q");
        assert_eq!(designer.quit, None);
        designer
    };
    let mut designer = edited();
    insta::assert_snapshot!("leaving_asks", designer.text());
    designer.press(KeyCode::Esc);
    assert!(designer.app.dialogs.open.is_none() && designer.quit.is_none());
    assert_eq!(step_length(&designer), 6);

    let mut designer = edited();
    designer.keys("d");
    assert_eq!(designer.quit, None, "discarding needs a second key press");
    assert!(
        designer.text().contains("once more to discard them"),
        "{}",
        designer.text()
    );
    designer.keys("d");
    assert_eq!(designer.quit, Some(0));
    assert_eq!(file(folder.path()), design());

    let mut designer = edited();
    designer.keys("s");
    assert_eq!(designer.quit, Some(0));
    assert_eq!(file(folder.path()).character.generations[0].step_length, 6);

    let mut designer = on_file(folder.path());
    designer.keys("q");
    assert_eq!(designer.quit, Some(0), "nothing to ask about");
}

#[test]
fn quitting_does_not_continue_when_saving_fails() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '1');
    designer.keys("+q");
    designer.keys("s");
    assert!(
        matches!(designer.app.dialogs.open, Some(Dialog::Form(_))),
        "the design has no file yet"
    );
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.send(Message::Input(Event::Paste("/no/such/folder/x.toml".into())));
    designer.press(KeyCode::Enter);
    assert_eq!(designer.quit, None);
    let folder = tempfile::tempdir().unwrap();
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.send(Message::Input(Event::Paste(
        folder.path().join("x.toml").display().to_string(),
    )));
    designer.press(KeyCode::Enter);
    assert_eq!(designer.quit, Some(0), "the designer quits once the design is saved");
}

#[test]
fn a_file_changed_elsewhere_is_reloaded_and_nothing_else_moves() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    designer.click(10, 8);
    designer.keys("+");
    alt(&mut designer, '2');
    designer.press(KeyCode::Down);
    let (cursor, run) = (designer.app.editor.map.cursor(), designer.run());
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 9);
    changed(&mut designer);
    assert_eq!(step_length(&designer), 9);
    assert_ne!(designer.run(), run);
    assert_eq!(
        (designer.app.editor.map.cursor(), designer.app.editor.panel),
        (cursor, Panel::Rooms)
    );
    insta::assert_snapshot!("read_again", designer.text());
    designer.keys("u");
    assert_eq!(step_length(&designer), 4);
    let run = designer.run();
    designer.chord(KeyModifiers::CONTROL, 's');
    changed(&mut designer);
    assert_eq!(designer.run(), run, "the app's own save is not reported");
}

#[test]
fn saving_without_edits_reloads_a_file_changed_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    elsewhere(folder.path(), |design| {
        design.character.generations[0].step_length = 9;
    });
    let run = designer.run();
    designer.chord(KeyModifiers::CONTROL, 's');
    assert_eq!((step_length(&designer), designer.run() != run), (9, true));
    assert!(foot(&designer).contains("halls.toml was changed on disk; the dungeon was grown again"));
    assert_eq!(file(folder.path()).character.generations[0].step_length, 9);
}

#[test]
fn a_change_on_both_sides_is_resolved_and_neither_is_lost() {
    for (answer, now, other) in [("m", 5, 9), ("t", 9, 5)] {
        let folder = tempfile::tempdir().unwrap();
        let mut designer = on_file(folder.path());
        alt(&mut designer, '1');
        designer.keys("+");
        elsewhere(folder.path(), |design| design.character.generations[0].step_length = 9);
        changed(&mut designer);
        if answer == "m" {
            insta::assert_snapshot!("both_sides_changed", designer.text());
        }
        assert_eq!(step_length(&designer), 5, "nothing happens before the user decides");
        designer.keys(answer);
        assert_eq!(step_length(&designer), now);
        designer.keys("u");
        assert_eq!(step_length(&designer), other);
    }
}

#[test]
fn changes_of_different_values_are_listed_and_merged_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    alt(&mut designer, '1');
    designer.keys("+");
    elsewhere(folder.path(), |design| {
        design.seed = 77;
        design.character.generations[2].max_age = 9;
    });
    changed(&mut designer);
    insta::assert_snapshot!("merging", designer.text());
    designer.keys("b");
    let sides = |designer: &TestApp| {
        let design = designer.app.editor.document.design();
        let [first, _, third, ..] = &design.character.generations;
        (first.step_length, design.seed, third.max_age)
    };
    assert_eq!(sides(&designer), (5, 77, 9));
    assert!(foot(&designer).contains("merged both versions"), "{}", foot(&designer));
    assert!(designer.app.editor.document.is_dirty());
    // Undo restores the user's version; saving that version asks again.
    designer.keys("u");
    assert_eq!(sides(&designer).0, 5);
    assert_ne!(sides(&designer).1, 77);
    designer.chord(KeyModifiers::CONTROL, 's');
    assert!(designer.text().contains("Changed on both sides"), "{}", designer.text());
    assert_eq!(file(folder.path()).character.generations[0].step_length, 4);
    designer.press(KeyCode::Esc);
    designer.keys("U");
    designer.chord(KeyModifiers::CONTROL, 's');
    assert!(foot(&designer).contains("saved: halls.toml"), "{}", foot(&designer));
    let saved = file(folder.path());
    assert_eq!((saved.character.generations[0].step_length, saved.seed), (5, 77));
}

#[test]
fn an_open_question_is_asked_again_when_the_file_changes_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    alt(&mut designer, '1');
    designer.keys("+");
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 9);
    changed(&mut designer);
    assert!(
        designer
            .text()
            .contains("StepLength of generation 0: 5 here, 9 in the file (was 4)")
    );
    elsewhere(folder.path(), |design| {
        design.character.generations[0].step_length = 4;
        design.seed = 77;
    });
    changed(&mut designer);
    let text = designer.text();
    assert!(text.contains("StepLength of generation 0: 4 → 5 here"), "{text}");
    assert!(text.contains("→ 77 in the file"), "{text}");
}

#[test]
fn a_conflict_is_asked_about_only_after_a_drag_or_typing() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    alt(&mut designer, '1');
    designer.keys("+");
    let conflict = |designer: &mut TestApp, step_length| {
        elsewhere(folder.path(), |design| {
            design.character.generations[0].step_length = step_length;
        });
        changed(designer);
    };
    // Clicks the timeline.
    let bar = designer.app.editor.areas.time;
    let at = (bar.x + 20, bar.bottom() - 2);
    designer.mouse(MouseEventKind::Down(MouseButton::Left), at.0, at.1);
    assert!(designer.app.editor.time.is_dragged());
    conflict(&mut designer, 9);
    designer.mouse(MouseEventKind::Drag(MouseButton::Left), bar.x + 2, at.1);
    assert!(
        designer.app.dialogs.open.is_none() && designer.app.editor.time.clock().turn < 3,
        "the drag continues"
    );
    designer.mouse(MouseEventKind::Up(MouseButton::Left), bar.x + 2, at.1);
    assert!(
        matches!(designer.app.dialogs.open, Some(Dialog::Question(_))),
        "then the question appears"
    );
    designer.press(KeyCode::Esc);
    // While the user types a name, the question waits, since each letter could be an answer.
    alt(&mut designer, '4');
    designer.press(KeyCode::Enter);
    assert!(designer.app.panels.is_typing());
    conflict(&mut designer, 8);
    designer.keys("mt");
    assert!(designer.app.dialogs.open.is_none() && designer.app.editor.document.conflict().is_some());
    designer.press(KeyCode::Enter);
    assert!(matches!(designer.app.dialogs.open, Some(Dialog::Question(_))));
    assert!(designer.app.editor.document.design().name.contains("mt"));
}

#[test]
fn a_conflict_is_not_asked_about_while_the_user_types_in_a_full_screen() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    alt(&mut designer, '1');
    designer.keys("+v/mo");
    assert_eq!(designer.app.contexts(), [Context::VaultText]);
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 9);
    changed(&mut designer);
    designer.keys("mt");
    assert!(designer.app.dialogs.open.is_none() && designer.app.editor.document.conflict().is_some());
    designer.press(KeyCode::Enter);
    assert!(matches!(designer.app.dialogs.open, Some(Dialog::Question(_))));
}

#[test]
fn a_conflict_is_asked_about_after_a_drag_that_a_dialog_ended() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    alt(&mut designer, '1');
    designer.keys("+");
    let bar = designer.app.editor.areas.time;
    let at = (bar.x + 20, bar.bottom() - 2);
    designer.mouse(MouseEventKind::Down(MouseButton::Left), at.0, at.1);
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 9);
    changed(&mut designer);
    designer.keys("?");
    assert!(matches!(designer.app.dialogs.open, Some(Dialog::Help(_))));
    designer.mouse(MouseEventKind::Up(MouseButton::Left), at.0, at.1);
    designer.press(KeyCode::Esc);
    assert!(matches!(designer.app.dialogs.open, Some(Dialog::Question(_))));
}

#[test]
fn a_picture_that_is_no_longer_needed_is_cancelled() {
    let mut designer = test_app(80, 24);
    designer.keys("p");
    assert!(designer.requested("preview").is_some());
    designer.press(KeyCode::Esc);
    assert!(designer.app.dialogs.open.is_none() && designer.requested("preview").is_none());
}

#[test]
fn saving_asks_for_a_postponed_decision() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    alt(&mut designer, '1');
    designer.keys("+");
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 9);
    changed(&mut designer);
    designer.press(KeyCode::Esc);
    alt(&mut designer, '4');
    assert!(designer.text().contains("changed both here and"), "{}", designer.text());
    designer.chord(KeyModifiers::CONTROL, 's');
    assert!(matches!(designer.app.dialogs.open, Some(Dialog::Question(_))));
    assert_eq!(file(folder.path()).character.generations[0].step_length, 9);
    designer.keys("m");
    designer.chord(KeyModifiers::CONTROL, 's');
    assert_eq!(file(folder.path()).character.generations[0].step_length, 5);
}

#[test]
fn a_broken_file_shows_its_problems_and_the_design_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    alt(&mut designer, '1');
    let run = designer.run();
    let path = folder.path().join("halls.toml");
    fs::write(&path, "name = \"Two halls\"\nseed = [1,\n").unwrap();
    changed(&mut designer);
    assert_eq!(designer.app.editor.panel, Panel::Problems);
    assert_eq!((step_length(&designer), designer.run()), (4, run));
    insta::assert_snapshot!("a_broken_file", designer.text());
    designer.send(Message::Input(Event::FocusGained));
    assert_eq!(designer.app.editor.panel, Panel::Problems, "the file is still broken");
    designer.keys("R");
    designer.chord(KeyModifiers::CONTROL, 's');
    assert!(
        matches!(designer.app.dialogs.open, Some(Dialog::Question(_))),
        "asks before it overwrites the file"
    );
    designer.press(KeyCode::Esc);
    assert!(fs::read_to_string(&path).unwrap().contains("[1,"));
    designer.keys("u");
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 8);
    changed(&mut designer);
    assert_eq!(step_length(&designer), 8);
    assert_eq!(
        designer.app.editor.panel,
        Panel::Stats,
        "the panel that was shown comes back"
    );
}

#[test]
fn a_deleted_file_is_reported_and_saving_brings_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    fs::remove_file(folder.path().join("halls.toml")).unwrap();
    changed(&mut designer);
    assert!(designer.app.editor.document.is_dirty());
    assert!(foot(&designer).contains("was deleted or moved"), "{}", foot(&designer));
    designer.chord(KeyModifiers::CONTROL, 's');
    assert_eq!(file(folder.path()), design());
    assert!(!designer.app.editor.document.is_dirty());
}

#[test]
fn a_failure_of_the_watcher_is_shown_until_dismissed() {
    let mut designer = test_app(80, 24);
    designer.send(Message::WatchFailed("too many watches".into()));
    designer.keys("+c");
    assert!(foot(&designer).contains("too many watches"));
    designer.press(KeyCode::Esc);
    assert!(!foot(&designer).contains("too many watches"));
}

#[test]
fn a_failed_autosave_is_shown_until_dismissed_whatever_else_is_reported() {
    for (width, height) in [(80, 24), (120, 40), (40, 12)] {
        let mut designer = test_app(width, height);
        let shows = |designer: &TestApp| designer.text().contains("disk full");
        let full = StorageError::from(io::Error::other("disk full"));
        designer.send(Message::AutosaveFailed(full.into()));
        assert!(shows(&designer));
        for keys in ["+c", "u", "m", "U"] {
            designer.keys(keys);
            assert!(shows(&designer), "after {keys}: {}", designer.text());
        }
        for level in [NoticeLevel::Done, NoticeLevel::Warning, NoticeLevel::Error] {
            designer.app.editor.say(level, "another notice");
            assert!(
                shows(&designer) && designer.text().contains("another notice"),
                "{}",
                designer.text()
            );
        }
        designer.app.editor.status.notice = None;
        designer.send(Message::WatchFailed("too many watches".into()));
        designer.app.editor.status.alert = None;
        assert!(shows(&designer), "another message leaves the whole failure visible");
        designer.press(KeyCode::Esc);
        assert!(!shows(&designer));
    }
}

#[test]
fn polling_is_reported_until_dismissed() {
    let mut designer = test_app(120, 40);
    designer.send(Message::Polled("OS file watch limit reached.".into()));
    designer.keys("+c");
    assert!(
        designer.text().contains("checked twice a second"),
        "{}",
        designer.text()
    );
    designer.press(KeyCode::Esc);
    assert!(!designer.text().contains("checked twice a second"));
}

#[test]
fn another_design_is_opened_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    let other = folder.path().join("other.toml");
    let mut theirs = design();
    theirs.layout.size = Size::new(30, 30);
    fs::write(&other, native::write(&theirs)).unwrap();
    alt(&mut designer, '1');
    designer.keys("+");
    designer.chord(KeyModifiers::CONTROL, 'o');
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.keys("/no/such/design.toml");
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("no/such/design.toml:"), "{}", designer.text());
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.send(Message::Input(Event::Paste(other.display().to_string())));
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.document.title(), "halls.toml", "asks first");
    designer.keys("dd");
    assert_eq!(designer.app.editor.document.title(), "other.toml");
    assert_eq!(designer.watched, [other]);
    assert!(foot(&designer).contains("other.toml opened"));
}

#[test]
fn a_preset_is_chosen_from_a_list() {
    let mut designer = test_app(80, 24);
    designer.keys("p");
    designer.press(KeyCode::Down);
    designer.run_jobs();
    insta::assert_snapshot!("presets", designer.text());
    designer.press(KeyCode::Esc);
    assert_eq!(designer.app.editor.document.title(), "Two halls");
    designer.keys("p");
    designer.press(KeyCode::Up);
    designer.press(KeyCode::Enter);
    let first = crate::presets::Preset::all()[0].design();
    assert_eq!(*designer.app.editor.document.design(), first);
    assert_eq!(designer.watched, Vec::<PathBuf>::new());
    designer.keys("R");
    designer.keys("p");
    designer.press(KeyCode::Enter);
    assert!(
        matches!(designer.app.dialogs.open, Some(Dialog::Question(_))),
        "asks about the seed that would be lost"
    );
    assert_ne!(*designer.app.editor.document.design(), first);
}

#[test]
fn every_panel_and_dialog_stays_inside_its_area_at_any_size() {
    let folder = tempfile::tempdir().unwrap();
    let check = |designer: &TestApp, name: &str, draw: fn(&super::App, Rect, &mut Buffer)| {
        let shown = drawn_at_any_size(|area, buf| draw(&designer.app, area, buf), (48, 20));
        insta::assert_snapshot!(format!("panel_{name}"), shown);
    };
    for (c, name) in ('1'..='5').zip(["stats", "rooms", "constants", "design", "problems"]) {
        let mut designer = test_app(120, 40);
        alt(&mut designer, c);
        if name == "rooms" {
            designer.keys("jjjl");
        }
        check(&designer, name, super::screen::draw_panel);
        designer.keys("5");
        if designer.app.panels.is_typing() {
            check(&designer, &format!("{name}_typing"), super::screen::draw_panel);
        }
    }
    let mut designer = test_app(120, 40);
    designer.keys("S");
    check(&designer, "form_one", super::App::draw_dialog);
    designer.chord(KeyModifiers::CONTROL, 't');
    check(&designer, "form_three", super::App::draw_dialog);
    designer.press(KeyCode::Esc);
    designer.keys("p");
    check(&designer, "presets", super::App::draw_dialog);
    let mut designer = on_file(folder.path());
    alt(&mut designer, '1');
    designer.keys("+q");
    check(&designer, "leaving", super::App::draw_dialog);
    designer.press(KeyCode::Esc);
    elsewhere(folder.path(), |design| design.seed = 77);
    changed(&mut designer);
    check(&designer, "conflict", super::App::draw_dialog);
}

fn any_key() -> impl Strategy<Value = KeyEvent> {
    let code = prop_oneof![
        10 => proptest::sample::select("0123456789+-[]=adDKJruUpSohjklgG?qsmtdRxyzCCVV//ae*>".chars().collect::<Vec<_>>())
            .prop_map(KeyCode::Char),
        8 => proptest::sample::select(vec![
            KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right, KeyCode::Tab, KeyCode::Enter, KeyCode::Esc,
            KeyCode::Home, KeyCode::End, KeyCode::PageUp, KeyCode::PageDown, KeyCode::Delete, KeyCode::Backspace,
        ]),
    ];
    let modifiers = proptest::sample::select(vec![
        KeyModifiers::NONE,
        KeyModifiers::NONE,
        KeyModifiers::NONE,
        KeyModifiers::ALT,
        KeyModifiers::CONTROL,
        KeyModifiers::SHIFT,
    ]);
    (code, modifiers).prop_map(|(code, modifiers)| KeyEvent::new(code, modifiers))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_keys_in_panels_panic_or_leave_the_fields_ranges(
        keys in proptest::collection::vec((any_key(), 0..12u8), 1..150),
        panel in proptest::char::range('1', '5'),
        sizes in proptest::collection::vec((0..160u16, 0..50u16), 8),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut designer = on_file(folder.path());
        alt(&mut designer, panel);
        for (i, (key, chance)) in keys.into_iter().enumerate() {
            // An accepted form would write to the random path that was typed, so Esc replaces Enter.
            let form = matches!(designer.app.dialogs.open, Some(Dialog::Form(_)));
            let key = if form && key.code == KeyCode::Enter { KeyEvent::from(KeyCode::Esc) } else { key };
            designer.send(Message::Input(Event::Key(key)));
            match chance {
                0 => elsewhere(folder.path(), |design| design.seed = i as u64),
                1 => fs::write(folder.path().join("halls.toml"), "broken = ").unwrap(),
                2 => {
                    let (width, height) = sizes[i % sizes.len()];
                    designer.send(Message::Input(Event::Resize(width, height)));
                }
                3 => designer.click((i * 7 % 120) as u16, (i * 3 % 40) as u16),
                4 => designer.mouse(MouseEventKind::ScrollDown, 60, 5),
                5 => changed(&mut designer),
                6 => {
                    let left = crossterm::event::MouseButton::Left;
                    designer.mouse(MouseEventKind::Drag(left), (i * 11 % 120) as u16, (i * 3 % 40) as u16);
                }
                _ => {}
            }
            designer.screen();
        }
        let design = designer.app.editor.document.design();
        for entry in design.entries() {
            for &parameter in entry.parameters() {
                let (info, value) = (parameter.info(), design.get(entry, parameter).unwrap());
                prop_assert!(info.range().contains(&value), "{entry:?} {} {value}", info.name);
            }
        }
        prop_assert!(List::ALL.iter().all(|list| list.len(&design.layout) < 1200));
    }
}

#[test]
fn a_copy_is_written_and_the_design_keeps_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    let close_note = |designer: &mut TestApp| {
        let text = designer.text();
        assert!(
            text.contains("Written, with exceptions") && text.contains("name and notes"),
            "{text}"
        );
        designer.press(KeyCode::Esc);
    };
    // Selects the last choice, the files of DungeonMaker.
    designer.keys("PG");
    insta::assert_snapshot!(
        "a_copy_is_named",
        designer.text().replace(&folder.path().display().to_string(), "HOME")
    );
    designer.press(KeyCode::Enter);
    let copy = DesignFiles::Legacy {
        rooms: folder.path().join("halls.rooms"),
        stats: Some(folder.path().join("halls.stats")),
        constants: Some(folder.path().join("halls.constants")),
    };
    assert_eq!(raised(copy.load().design.unwrap()).layout, design().layout);
    assert_eq!(designer.app.editor.document.files(), [folder.path().join("halls.toml")]);
    close_note(&mut designer);
    // A second copy to the same path asks first; confirming overwrites the file. A copy over the design's own file is
    // rejected.
    designer.keys("P");
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("Replace them?"), "{}", designer.text());
    designer.keys("r");
    close_note(&mut designer);
    fs::write(folder.path().join("halls.rooms"), "").unwrap();
    designer.chord(KeyModifiers::CONTROL, 'e');
    close_note(&mut designer);
    assert_eq!(raised(copy.load().design.unwrap()).layout, design().layout);
    designer.keys("Pk");
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("the design's own file"), "{}", designer.text());
}

#[test]
fn the_version_before_the_first_save_of_a_session_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    let backup = folder.path().join("halls.toml~");
    let before = fs::read(folder.path().join("halls.toml")).unwrap();
    for _ in 0..2 {
        alt(&mut designer, '1');
        designer.keys("+");
        designer.chord(KeyModifiers::CONTROL, 's');
        assert_eq!(fs::read(&backup).unwrap(), before);
    }
    assert_eq!(step_length_of(&file(folder.path())), 6);
    // With backups switched off, no backup is written.
    fs::remove_file(&backup).unwrap();
    let mut designer = on_file(folder.path());
    designer.app.editor.configured.settings.saving.backups = false;
    alt(&mut designer, '1');
    designer.keys("+");
    designer.chord(KeyModifiers::CONTROL, 's');
    assert!(!backup.exists());
}

fn step_length_of(design: &Design) -> i32 {
    design.character.generations[0].step_length
}

#[test]
fn returning_to_the_terminal_reloads_files_changed_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    elsewhere(folder.path(), |theirs| theirs.character.generations[0].step_length = 9);
    designer.send(Message::Input(Event::FocusLost));
    assert_eq!(step_length(&designer), 4);
    designer.send(Message::Input(Event::FocusGained));
    assert_eq!(step_length(&designer), 9);
}

#[test]
fn every_edit_is_listed_and_can_be_returned_to() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    alt(&mut designer, '1');
    designer.keys("+++");
    designer.press(KeyCode::Down);
    designer.keys("7");
    designer.press(KeyCode::Enter);
    designer.chord(KeyModifiers::CONTROL, 's');
    alt(&mut designer, '4');
    designer.press(KeyCode::Down);
    designer.keys("77");
    designer.press(KeyCode::Enter);
    alt(&mut designer, '3');
    designer.keys("[");
    designer.keys("y");
    assert_eq!(designer.app.editor.focus, Focus::View);
    let design = designer.app.editor.document.design().clone();
    insta::assert_snapshot!("history_80x24", designer.text());
    // Moves up to the saved step, and then to the design as it was opened.
    designer.press(KeyCode::Up);
    designer.press(KeyCode::Up);
    designer.press(KeyCode::Enter);
    assert!(!designer.app.editor.document.is_dirty());
    assert!(
        foot(&designer).contains("after: CorridorWidth of generation 0: 3 → 7"),
        "{}",
        foot(&designer)
    );
    let run = designer.run();
    designer.press(KeyCode::Home);
    designer.press(KeyCode::Enter);
    assert_ne!(designer.run(), run, "the design is grown");
    assert_eq!(step_length(&designer), 4);
    insta::assert_snapshot!("history_at_its_start", designer.text());
    // Clicks the last line.
    let view = designer.app.editor.areas.view;
    designer.click(view.x + 8, view.y + 5);
    assert_eq!(designer.app.editor.document.step(), 0, "the first click selects");
    designer.click(view.x + 8, view.y + 5);
    assert_eq!(*designer.app.editor.document.design(), design);
    designer.mouse(MouseEventKind::ScrollUp, view.x + 8, view.y + 5);
    designer.press(KeyCode::Enter);
    designer.keys("u");
    assert_eq!(designer.app.editor.document.step(), 0);
    designer.press(KeyCode::Esc);
    assert_eq!(designer.app.editor.focus, Focus::Map);
}

#[test]
fn a_typed_number_with_other_characters_is_rejected() {
    for panel in [Panel::Stats, Panel::Rooms, Panel::Constants, Panel::Design] {
        let mut fields = 0;
        let mut designer = test_app(120, 40);
        let effects = designer.app.update(Action::FocusPanel(panel));
        designer.perform(effects);
        for _ in 0..60 {
            let before = designer.app.editor.document.design().clone();
            designer.keys("2");
            if designer.app.panels.is_typing() {
                fields += 1;
                designer.keys("0x40");
                designer.press(KeyCode::Enter);
                assert_eq!(*designer.app.editor.document.design(), before, "{panel:?}");
                assert!(
                    designer.app.panels.is_typing() && designer.app.editor.has_failed(),
                    "{}",
                    designer.text()
                );
                assert!(designer.text().contains("20x40"), "{}", designer.text());
                designer.press(KeyCode::Esc);
            }
            assert_eq!(*designer.app.editor.document.design(), before);
            designer.press(KeyCode::Right);
            designer.press(KeyCode::Down);
        }
        assert!(fields > 0, "{panel:?} has no number");
    }
}

#[test]
fn enter_at_the_heading_of_a_list_says_how_to_add_and_adds_nothing() {
    let mut designer = test_app(120, 40);
    let steps = designer.app.editor.document.steps().len();
    alt(&mut designer, '2');
    let mut headings = 0;
    for _ in 0..12 {
        designer.press(KeyCode::Enter);
        let description = foot(&designer);
        headings += usize::from(description.contains("a adds a"));
        assert_eq!(designer.app.editor.document.steps().len(), steps, "{}", designer.text());
        // Leaves the field or entry that Enter opened.
        designer.press(KeyCode::Esc);
        alt(&mut designer, '2');
        designer.press(KeyCode::Left);
        designer.press(KeyCode::Down);
    }
    assert!(headings >= 2, "{headings} headings");
}
