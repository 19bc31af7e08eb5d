//! Tests of editing and of files: a user's actions on real files, and their results.

use std::fs;
use std::path::{Path, PathBuf};

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
use crate::storage::DesignFiles;
use crate::tui::commands::Action;
use crate::tui::editor::{Focus, NoticeLevel};

/// Returns a design with an entry of every kind.
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

/// Returns a design with limits that fit its lists: files contain no others.
fn raised(mut design: Design) -> Design {
    design.layout.limits = design.layout.limits.raised_for(&design.layout);
    design
}

/// Returns a designer with that design in a TOML file in a folder.
pub(super) fn on_file(folder: &Path) -> TestApp {
    let path = folder.join("halls.toml");
    fs::write(&path, native::write(&design())).unwrap();
    let document = Document::from_files(DesignFiles::Toml(path), None, None).unwrap();
    let mut desk = TestApp::with(document, 80, 24);
    desk.deliver(spiral(5));
    desk.keys("G");
    desk
}

pub(super) fn desk(width: u16, height: u16) -> TestApp {
    let mut desk = TestApp::with(Document::new(design(), None), width, height);
    desk.deliver(spiral(5));
    desk.keys("G");
    desk
}

/// Changes the designer's file as another program would.
pub(super) fn elsewhere(folder: &Path, change: impl FnOnce(&mut Design)) {
    let mut theirs = design();
    change(&mut theirs);
    fs::write(folder.join("halls.toml"), native::write(&theirs)).unwrap();
}

fn file(folder: &Path) -> Design {
    raised(DesignFiles::Toml(folder.join("halls.toml")).load().design.unwrap())
}

pub(super) fn changed(desk: &mut TestApp) {
    desk.send(Message::FilesChanged(Vec::new()));
}

pub(super) fn alt(desk: &mut TestApp, c: char) {
    desk.chord(KeyModifiers::ALT, c);
}

pub(super) fn step_length(desk: &TestApp) -> i32 {
    desk.app.editor.document.design().character.generations[0].step_length
}

/// Returns the footer.
pub(super) fn foot(desk: &TestApp) -> String {
    desk.text().lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_parameter_is_typed_and_the_dungeon_grows_anew() {
    let mut desk = desk(80, 24);
    let (before, seed) = (desk.run(), desk.app.editor.document.design().seed);
    alt(&mut desk, '1');
    desk.press(KeyCode::Right);
    desk.press(KeyCode::Down);
    desk.keys("17");
    insta::assert_snapshot!("a_parameter_is_being_typed", desk.text());
    assert_eq!(desk.run(), before);
    desk.press(KeyCode::Enter);
    assert_ne!(desk.run(), before);
    let design = desk.app.editor.document.design();
    assert_eq!(
        (design.character.generations[1].corridor_width, design.seed),
        (17, seed)
    );
    insta::assert_snapshot!("a_parameter_was_typed", desk.text());
}

#[test]
fn what_is_typed_can_be_left_and_is_taken_by_the_next_key() {
    let mut desk = desk(80, 24);
    alt(&mut desk, '1');
    desk.keys("9");
    desk.press(KeyCode::Esc);
    assert_eq!(step_length(&desk), 4);
    desk.press(KeyCode::Enter);
    desk.press(KeyCode::Backspace);
    desk.keys("8");
    desk.press(KeyCode::Down);
    assert_eq!(step_length(&desk), 8, "an arrow takes what is typed and moves on");
    desk.keys("5\t");
    assert_eq!(
        desk.app.editor.document.design().character.generations[0].corridor_width,
        5
    );
    assert_eq!(desk.app.editor.panel, Panel::Stats);
}

#[test]
fn values_out_of_range_are_refused_with_the_range() {
    let mut desk = desk(80, 24);
    alt(&mut desk, '1');
    desk.keys("99999999999");
    let before = desk.run();
    desk.press(KeyCode::Enter);
    assert!(
        foot(&desk).contains("StepLength is 1 to 1,000 squares"),
        "{}",
        foot(&desk)
    );
    assert!(desk.app.panels.is_typing());
    desk.press(KeyCode::Tab);
    assert!(
        desk.app.panels.is_typing(),
        "and nothing else is done before it is put right"
    );
    desk.press(KeyCode::Esc);
    desk.keys("[");
    assert_eq!(step_length(&desk), 1, "a step goes to the end of the range");
    assert_ne!(desk.run(), before);
    let before = desk.run();
    desk.keys("-");
    assert_eq!((step_length(&desk), desk.run()), (1, before));
    assert!(foot(&desk).contains("1 to 1,000"));
}

#[test]
fn steps_of_one_field_are_one_step_back() {
    let mut desk = desk(80, 24);
    alt(&mut desk, '1');
    desk.keys("+++]");
    assert_eq!(step_length(&desk), 17);
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Up);
    desk.keys("+");
    desk.keys("u");
    assert_eq!(
        step_length(&desk),
        17,
        "a step after a look elsewhere is a step of its own"
    );
    desk.keys("u");
    assert_eq!(step_length(&desk), 4);
    assert!(foot(&desk).contains("undone: StepLength of generation 0: 4 → 17"));
    desk.chord(KeyModifiers::CONTROL, 'r');
    assert_eq!(step_length(&desk), 17);
    assert!(foot(&desk).contains("redone: StepLength of generation 0: 4 → 17"));
    desk.keys("uuu");
    assert!(foot(&desk).contains("nothing to undo"));
}

#[test]
fn rooms_are_shown_with_their_fields_and_switches() {
    let mut desk = desk(120, 40);
    alt(&mut desk, '2');
    insta::assert_snapshot!("rooms_120x40", desk.text());
    for _ in 0..4 {
        desk.press(KeyCode::Down);
    }
    insta::assert_snapshot!("a_room_is_selected", desk.text());
    desk.press(KeyCode::Enter);
    for _ in 0..14 {
        desk.press(KeyCode::Down);
    }
    let before = desk.app.editor.document.design().layout.rooms[1].style;
    desk.press(KeyCode::Enter);
    assert_eq!(
        desk.app.editor.document.design().layout.rooms[1].style,
        before ^ style::LARGE_CORNER_DOORS
    );
    insta::assert_snapshot!("a_switch_was_turned", desk.text());
    desk.keys("-");
    assert_eq!(desk.app.editor.document.design().layout.rooms[1].style, before);
    desk.press(KeyCode::Esc);
    assert_eq!(desk.app.editor.focus, Focus::Panel, "out of the fields first");
    desk.press(KeyCode::Esc);
    assert_eq!(desk.app.editor.focus, Focus::Map);
}

#[test]
fn entries_are_added_copied_moved_and_removed() {
    let mut desk = desk(80, 24);
    desk.click(10, 8);
    let cursor = desk.app.editor.map.cursor();
    alt(&mut desk, '2');
    // Down to the heading of the columns; there are none.
    desk.press(KeyCode::End);
    for _ in 0..4 {
        desk.press(KeyCode::Up);
    }
    let layout = |desk: &TestApp| desk.app.editor.document.design().layout.clone();
    desk.keys("a");
    assert_eq!(layout(&desk).columns, [cursor]);
    desk.keys("D");
    assert_eq!(layout(&desk).columns, [cursor, cursor]);
    // Into the copy's fields, to another column of the grid.
    desk.press(KeyCode::Right);
    desk.press(KeyCode::Down);
    desk.keys("7");
    desk.press(KeyCode::Enter);
    desk.press(KeyCode::Left);
    let moved = Point::new(cursor.x, 7);
    assert_eq!(layout(&desk).columns, [cursor, moved]);
    desk.keys("K");
    assert_eq!(layout(&desk).columns, [moved, cursor]);
    desk.keys("K");
    assert!(foot(&desk).contains("column 1 is the first"), "{}", foot(&desk));
    insta::assert_snapshot!("columns_were_added", desk.text());
    desk.keys("d");
    assert_eq!(layout(&desk).columns, [cursor]);
    assert!(foot(&desk).contains("column 1 removed"));
    desk.keys("uuuuu");
    assert_eq!(layout(&desk).columns, []);
    desk.press(KeyCode::Home);
    desk.keys("d");
    assert!(foot(&desk).contains("is not in a list"));
}

#[test]
fn a_thousand_wall_tiles_are_a_list_like_any_other() {
    let mut desk = desk(80, 24);
    alt(&mut desk, '2');
    for _ in 0..70 {
        desk.press(KeyCode::PageDown);
    }
    desk.keys("KKK");
    insta::assert_snapshot!("far_down_the_wall_tiles", desk.text());
    desk.mouse(MouseEventKind::ScrollUp, 60, 5);
    let panel = desk.app.editor.areas.panel;
    let row = desk.text().lines().nth(5).unwrap().to_owned();
    desk.click(panel.x + 8, 5);
    let number: String = row.chars().skip(usize::from(panel.x) + 1).take(4).collect();
    let about = desk.text();
    assert!(
        about.contains(&format!("wall tile {}", number.trim())),
        "{row}\n{about}"
    );
}

#[test]
fn codes_are_reported_and_stepped_in_words() {
    let mut desk = desk(120, 40);
    alt(&mut desk, '2');
    desk.press(KeyCode::End);
    // Past the heading of the vaults; there are none.
    desk.press(KeyCode::Up);
    desk.press(KeyCode::Up);
    desk.press(KeyCode::Right);
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Down);
    insta::assert_snapshot!("a_direction_in_words", desk.text());
    let direction = |desk: &TestApp| desk.app.editor.document.design().layout.crawlers[0].direction;
    assert_eq!(direction(&desk), 12);
    desk.keys("+++");
    assert_eq!(direction(&desk), 21, "15 to 20 are no directions");
    desk.keys("15");
    desk.press(KeyCode::Enter);
    assert!(
        desk.text().contains("15 is not a code for direction"),
        "{}",
        desk.text()
    );
}

#[test]
fn name_seed_and_notes_are_edited() {
    let mut desk = desk(80, 24);
    alt(&mut desk, '4');
    desk.press(KeyCode::Enter);
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.keys("Three halls");
    desk.press(KeyCode::Down);
    desk.keys("18446744073709551616");
    desk.press(KeyCode::Enter);
    assert!(foot(&desk).contains("a seed is 0 to 18,446,744,073,709,551,615"));
    desk.press(KeyCode::Backspace);
    desk.press(KeyCode::Enter);
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Enter);
    desk.chord(KeyModifiers::CONTROL, 'j');
    desk.send(Message::Input(Event::Paste("A line.\r\nAnother.".into())));
    insta::assert_snapshot!("notes_are_being_typed", desk.text());
    desk.press(KeyCode::Enter);
    let design = desk.app.editor.document.design();
    assert_eq!(design.name, "Three halls");
    assert_eq!(design.seed, 1_844_674_407_370_955_161);
    assert!(design.notes.ends_with("another seed.\nA line.\nAnother."));
    insta::assert_snapshot!("the_design_was_described", desk.text());
    let run = desk.run();
    desk.keys("r");
    assert_ne!(desk.run(), run);
    desk.keys("u");
    assert_eq!(desk.app.editor.document.design().seed, 1_844_674_407_370_955_161);
}

#[test]
fn constants_are_edited() {
    let mut desk = desk(80, 24);
    alt(&mut desk, '3');
    desk.press(KeyCode::End);
    desk.keys("+");
    assert_eq!(desk.app.editor.document.design().constants.join_dist, 14);
    insta::assert_snapshot!("constants", desk.text());
}

#[test]
fn problems_lead_to_their_places() {
    let mut design = design();
    design.character.generations[3].change_dir_prob = 170;
    design.constants.max_crawlers = -1;
    let mut desk = TestApp::with(Document::new(design, None), 80, 24);
    desk.deliver(spiral(5));
    desk.send_growth(GrowthReply::Started {
        recording: Box::new(crate::recording::Recording::new(
            spiral(1).0,
            crate::recording::EventChunk::default(),
        )),
        diagnostics: vec![
            Diagnostic::warning("wall tile 1000 at (12, 27) lies on another").at(Place::entry(Entry::Wall(999))),
            Diagnostic::note("stage one has more to say than fits in a single line of the panel"),
        ],
    });
    desk.keys("G");
    alt(&mut desk, '5');
    insta::assert_snapshot!("problems", desk.text());
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.editor.panel, Panel::Stats);
    desk.keys("-");
    assert_eq!(
        desk.app.editor.document.design().character.generations[3].change_dir_prob,
        100
    );
    desk.keys("u");
    alt(&mut desk, '5');
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.editor.panel, Panel::Constants);
}

#[test]
fn clicks_select_and_the_second_one_edits() {
    let mut desk = desk(80, 24);
    alt(&mut desk, '1');
    let panel = desk.app.editor.areas.panel;
    // The row of MaxAge, the column of generation 2.
    desk.click(panel.x + 1 + 17 + 2 * 4 + 3, panel.y + 2 + 7);
    assert!(desk.text().contains("MaxAge ──"));
    desk.click(panel.x + 1 + 17 + 2 * 4 + 3, panel.y + 2 + 7);
    assert!(desk.app.panels.is_typing());
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.keys("3");
    desk.click(panel.x + 20, panel.y + 3);
    assert_eq!(
        desk.app.editor.document.design().character.generations[2].max_age,
        3,
        "taken by the click"
    );
    desk.mouse(MouseEventKind::ScrollDown, panel.x + 5, panel.y + 5);
    assert!(desk.text().contains("DoubleSpawnProb ──"), "{}", desk.text());
}

#[test]
fn a_design_without_files_is_saved_under_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(80, 24);
    alt(&mut desk, '1');
    desk.keys("+");
    desk.chord(KeyModifiers::CONTROL, 's');
    insta::assert_snapshot!("save_as", desk.text());
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.send(Message::Input(Event::Paste(
        folder.path().join("no/such").display().to_string(),
    )));
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains("does not exist"), "{}", desk.text());
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.send(Message::Input(Event::Paste(
        folder.path().join("halls").display().to_string(),
    )));
    desk.press(KeyCode::Enter);
    assert!(desk.app.dialogs.open.is_none());
    assert!(foot(&desk).contains("saved: halls.toml"), "{}", foot(&desk));
    assert!(!desk.app.editor.document.is_dirty());
    assert_eq!(file(folder.path()), raised(desk.app.editor.document.design().clone()));
    assert_eq!(desk.watched, [folder.path().join("halls.toml")]);
}

#[test]
fn three_files_are_saved_and_none_is_written_over_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(80, 24);
    desk.keys("S");
    desk.chord(KeyModifiers::CONTROL, 't');
    let paths: Vec<PathBuf> = ["rooms4", "stats4", "constants"]
        .map(|name| folder.path().join(name))
        .into();
    fs::write(&paths[1], "precious").unwrap();
    for path in &paths {
        desk.chord(KeyModifiers::CONTROL, 'u');
        desk.send(Message::Input(Event::Paste(path.display().to_string())));
        desk.press(KeyCode::Tab);
    }
    desk.press(KeyCode::Enter);
    let asked = desk.text();
    assert!(asked.contains("exists already"), "{asked}");
    desk.press(KeyCode::Esc);
    assert_eq!(fs::read_to_string(&paths[1]).unwrap(), "precious");
    assert!(!paths[0].exists());
    desk.keys("S");
    desk.chord(KeyModifiers::CONTROL, 't');
    for path in &paths {
        desk.chord(KeyModifiers::CONTROL, 'u');
        desk.send(Message::Input(Event::Paste(path.display().to_string())));
        desk.press(KeyCode::Tab);
    }
    desk.press(KeyCode::Enter);
    desk.keys("r");
    assert!(paths.iter().all(|path| path.exists()));
    let files = DesignFiles::Legacy {
        rooms: paths[0].clone(),
        stats: Some(paths[1].clone()),
        constants: Some(paths[2].clone()),
    };
    let mine = desk.app.editor.document.design();
    let read = files.load().design.unwrap();
    assert_eq!(
        (&read.layout.walls, &read.character),
        (&mine.layout.walls, &mine.character)
    );
    assert_eq!(desk.watched, paths);
    alt(&mut desk, '4');
    let shown = desk.text();
    assert!(shown.contains("these files store no name"), "{shown}");
}

#[test]
fn leaving_with_unsaved_changes_asks() {
    let folder = tempfile::tempdir().unwrap();
    let edited = || {
        let mut desk = on_file(folder.path());
        alt(&mut desk, '1');
        desk.keys("++");
        desk.keys("q");
        assert_eq!(desk.quit, None);
        desk
    };
    let mut desk = edited();
    insta::assert_snapshot!("leaving_asks", desk.text());
    desk.press(KeyCode::Esc);
    assert!(desk.app.dialogs.open.is_none() && desk.quit.is_none());
    assert_eq!(step_length(&desk), 6);

    let mut desk = edited();
    desk.keys("d");
    assert_eq!(desk.quit, Some(0));
    assert_eq!(file(folder.path()), design());

    let mut desk = edited();
    desk.keys("s");
    assert_eq!(desk.quit, Some(0));
    assert_eq!(file(folder.path()).character.generations[0].step_length, 6);

    let mut desk = on_file(folder.path());
    desk.keys("q");
    assert_eq!(desk.quit, Some(0), "nothing to ask about");
}

#[test]
fn leaving_does_not_go_on_when_saving_failed() {
    let mut desk = desk(80, 24);
    alt(&mut desk, '1');
    desk.keys("+q");
    desk.keys("s");
    assert!(
        matches!(desk.app.dialogs.open, Some(Dialog::Form(_))),
        "it has no file yet"
    );
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.send(Message::Input(Event::Paste("/no/such/folder/x.toml".into())));
    desk.press(KeyCode::Enter);
    assert_eq!(desk.quit, None);
    let folder = tempfile::tempdir().unwrap();
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.send(Message::Input(Event::Paste(
        folder.path().join("x.toml").display().to_string(),
    )));
    desk.press(KeyCode::Enter);
    assert_eq!(desk.quit, Some(0), "and once it is saved, the designer quits");
}

#[test]
fn a_file_saved_elsewhere_is_read_at_once_and_nothing_else_moves() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_file(folder.path());
    desk.click(10, 8);
    desk.keys("+");
    alt(&mut desk, '2');
    desk.press(KeyCode::Down);
    let (cursor, run) = (desk.app.editor.map.cursor(), desk.run());
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 9);
    changed(&mut desk);
    assert_eq!(step_length(&desk), 9);
    assert_ne!(desk.run(), run);
    assert_eq!(
        (desk.app.editor.map.cursor(), desk.app.editor.panel),
        (cursor, Panel::Rooms)
    );
    insta::assert_snapshot!("read_again", desk.text());
    desk.keys("u");
    assert_eq!(step_length(&desk), 4);
    let run = desk.run();
    desk.chord(KeyModifiers::CONTROL, 's');
    changed(&mut desk);
    assert_eq!(desk.run(), run, "our own saving is no news");
}

#[test]
fn saving_takes_what_was_saved_elsewhere_when_nothing_is_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_file(folder.path());
    elsewhere(folder.path(), |design| {
        design.character.generations[0].step_length = 9;
    });
    let run = desk.run();
    desk.chord(KeyModifiers::CONTROL, 's');
    assert_eq!((step_length(&desk), desk.run() != run), (9, true));
    assert!(foot(&desk).contains("halls.toml was changed on disk: reloaded"));
    assert_eq!(file(folder.path()).character.generations[0].step_length, 9);
}

#[test]
fn a_change_on_both_sides_is_decided_and_neither_is_lost() {
    for (answer, now, other) in [("m", 5, 9), ("t", 9, 5)] {
        let folder = tempfile::tempdir().unwrap();
        let mut desk = on_file(folder.path());
        alt(&mut desk, '1');
        desk.keys("+");
        elsewhere(folder.path(), |design| design.character.generations[0].step_length = 9);
        changed(&mut desk);
        if answer == "m" {
            insta::assert_snapshot!("both_sides_changed", desk.text());
        }
        assert_eq!(step_length(&desk), 5, "nothing happens before it is decided");
        desk.keys(answer);
        assert_eq!(step_length(&desk), now);
        desk.keys("u");
        assert_eq!(step_length(&desk), other);
    }
}

#[test]
fn a_drag_or_a_text_is_ended_before_a_change_on_both_sides_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_file(folder.path());
    alt(&mut desk, '1');
    desk.keys("+");
    let conflict = |desk: &mut TestApp, step_length| {
        elsewhere(folder.path(), |design| {
            design.character.generations[0].step_length = step_length;
        });
        changed(desk);
    };
    // On the timeline.
    let bar = desk.app.editor.areas.time;
    let at = (bar.x + 20, bar.bottom() - 2);
    desk.mouse(MouseEventKind::Down(MouseButton::Left), at.0, at.1);
    assert!(desk.app.editor.time.is_dragged());
    conflict(&mut desk, 9);
    desk.mouse(MouseEventKind::Drag(MouseButton::Left), bar.x + 2, at.1);
    assert!(
        desk.app.dialogs.open.is_none() && desk.app.editor.time.clock().turn < 3,
        "the drag continues"
    );
    desk.mouse(MouseEventKind::Up(MouseButton::Left), bar.x + 2, at.1);
    assert!(
        matches!(desk.app.dialogs.open, Some(Dialog::Question(_))),
        "and then it is asked"
    );
    desk.press(KeyCode::Esc);
    // While a name is typed, of which each letter could be an answer.
    alt(&mut desk, '4');
    desk.press(KeyCode::Enter);
    assert!(desk.app.panels.is_typing());
    conflict(&mut desk, 8);
    desk.keys("mt");
    assert!(desk.app.dialogs.open.is_none() && desk.app.editor.document.conflict().is_some());
    desk.press(KeyCode::Enter);
    assert!(matches!(desk.app.dialogs.open, Some(Dialog::Question(_))));
    assert!(desk.app.editor.document.design().name.contains("mt"));
}

#[test]
fn a_picture_that_no_one_waits_for_any_more_is_given_up() {
    let mut desk = desk(80, 24);
    desk.keys("p");
    assert!(desk.requested("preview").is_some());
    desk.press(KeyCode::Esc);
    assert!(desk.app.dialogs.open.is_none() && desk.requested("preview").is_none());
}

#[test]
fn a_decision_put_off_is_asked_for_by_saving() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_file(folder.path());
    alt(&mut desk, '1');
    desk.keys("+");
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 9);
    changed(&mut desk);
    desk.press(KeyCode::Esc);
    alt(&mut desk, '4');
    assert!(desk.text().contains("changed both here and"), "{}", desk.text());
    desk.chord(KeyModifiers::CONTROL, 's');
    assert!(matches!(desk.app.dialogs.open, Some(Dialog::Question(_))));
    assert_eq!(file(folder.path()).character.generations[0].step_length, 9);
    desk.keys("m");
    desk.chord(KeyModifiers::CONTROL, 's');
    assert_eq!(file(folder.path()).character.generations[0].step_length, 5);
}

#[test]
fn a_broken_file_shows_its_problems_and_the_design_stands() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_file(folder.path());
    alt(&mut desk, '1');
    let run = desk.run();
    let path = folder.path().join("halls.toml");
    fs::write(&path, "name = \"Two halls\"\nseed = [1,\n").unwrap();
    changed(&mut desk);
    assert_eq!(desk.app.editor.panel, Panel::Problems);
    assert_eq!((step_length(&desk), desk.run()), (4, run));
    insta::assert_snapshot!("a_broken_file", desk.text());
    desk.keys("R");
    desk.chord(KeyModifiers::CONTROL, 's');
    assert!(
        matches!(desk.app.dialogs.open, Some(Dialog::Question(_))),
        "asks before it writes over it"
    );
    desk.press(KeyCode::Esc);
    assert!(fs::read_to_string(&path).unwrap().contains("[1,"));
    desk.keys("u");
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 8);
    changed(&mut desk);
    assert_eq!(step_length(&desk), 8);
    assert_eq!(
        desk.app.editor.panel,
        Panel::Stats,
        "the panel that was shown comes back"
    );
}

#[test]
fn a_deleted_file_is_reported_and_saving_brings_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_file(folder.path());
    fs::remove_file(folder.path().join("halls.toml")).unwrap();
    changed(&mut desk);
    assert!(desk.app.editor.document.is_dirty());
    assert!(foot(&desk).contains("was deleted or moved"), "{}", foot(&desk));
    desk.chord(KeyModifiers::CONTROL, 's');
    assert_eq!(file(folder.path()), design());
    assert!(!desk.app.editor.document.is_dirty());
}

#[test]
fn what_the_watcher_cannot_do_stays_until_it_is_read() {
    let mut desk = desk(80, 24);
    desk.send(Message::WatchFailed("too many watches".into()));
    desk.keys("+c");
    assert!(foot(&desk).contains("too many watches"));
    desk.press(KeyCode::Esc);
    assert!(!foot(&desk).contains("too many watches"));
}

#[test]
fn an_autosave_that_failed_is_shown_until_it_is_read_whatever_else_is_reported() {
    for (width, height) in [(80, 24), (120, 40), (40, 12)] {
        let mut desk = desk(width, height);
        let shows = |desk: &TestApp| desk.text().contains("disk full");
        desk.send(Message::AutosaveFailed("disk full".into()));
        assert!(shows(&desk));
        for keys in ["+c", "u", "m", "U"] {
            desk.keys(keys);
            assert!(shows(&desk), "after {keys}: {}", desk.text());
        }
        for tone in [NoticeLevel::Done, NoticeLevel::Warning, NoticeLevel::Error] {
            desk.app.editor.say(tone, "another notice");
            assert!(
                shows(&desk) && desk.text().contains("another notice"),
                "{}",
                desk.text()
            );
        }
        desk.app.editor.status.notice = None;
        desk.send(Message::WatchFailed("too many watches".into()));
        desk.app.editor.status.alert = None;
        assert!(shows(&desk), "another message leaves all of it visible");
        desk.press(KeyCode::Esc);
        assert!(!shows(&desk));
    }
}

#[test]
fn polling_is_reported_and_stays_until_it_is_read() {
    let mut desk = desk(120, 40);
    desk.send(Message::Polled("OS file watch limit reached.".into()));
    desk.keys("+c");
    assert!(desk.text().contains("checked twice a second"), "{}", desk.text());
    desk.press(KeyCode::Esc);
    assert!(!desk.text().contains("checked twice a second"));
}

#[test]
fn another_design_is_opened_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_file(folder.path());
    let other = folder.path().join("other.toml");
    let mut theirs = design();
    theirs.layout.size = Size::new(30, 30);
    fs::write(&other, native::write(&theirs)).unwrap();
    alt(&mut desk, '1');
    desk.keys("+");
    desk.chord(KeyModifiers::CONTROL, 'o');
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.keys("/no/such/design.toml");
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains("no/such/design.toml:"), "{}", desk.text());
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.send(Message::Input(Event::Paste(other.display().to_string())));
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.editor.document.title(), "halls.toml", "asks first");
    desk.keys("d");
    assert_eq!(desk.app.editor.document.title(), "other.toml");
    assert_eq!(desk.watched, [other]);
    assert!(foot(&desk).contains("other.toml opened"));
}

#[test]
fn a_preset_is_chosen_from_a_list() {
    let mut desk = desk(80, 24);
    desk.keys("p");
    desk.press(KeyCode::Down);
    desk.settle();
    insta::assert_snapshot!("presets", desk.text());
    desk.press(KeyCode::Esc);
    assert_eq!(desk.app.editor.document.title(), "Two halls");
    desk.keys("p");
    desk.press(KeyCode::Up);
    desk.press(KeyCode::Enter);
    let first = crate::presets::Preset::all()[0].design();
    assert_eq!(*desk.app.editor.document.design(), first);
    assert_eq!(desk.watched, Vec::<PathBuf>::new());
    desk.keys("R");
    desk.keys("p");
    desk.press(KeyCode::Enter);
    assert!(
        matches!(desk.app.dialogs.open, Some(Dialog::Question(_))),
        "asks about the seed that would be lost"
    );
    assert_ne!(*desk.app.editor.document.design(), first);
}

#[test]
fn every_panel_and_dialog_keeps_to_its_place_at_any_size() {
    let folder = tempfile::tempdir().unwrap();
    let check = |desk: &TestApp, name: &str, draw: fn(&super::App, Rect, &mut Buffer)| {
        let shown = drawn_at_any_size(|area, buf| draw(&desk.app, area, buf), (48, 20));
        insta::assert_snapshot!(format!("panel_{name}"), shown);
    };
    for (c, name) in ('1'..='5').zip(["stats", "rooms", "constants", "design", "problems"]) {
        let mut desk = desk(120, 40);
        alt(&mut desk, c);
        if name == "rooms" {
            desk.keys("jjjl");
        }
        check(&desk, name, super::screen::draw_panel);
        desk.keys("5");
        if desk.app.panels.is_typing() {
            check(&desk, &format!("{name}_typing"), super::screen::draw_panel);
        }
    }
    let mut desk = desk(120, 40);
    desk.keys("S");
    check(&desk, "form_one", super::App::draw_dialog);
    desk.chord(KeyModifiers::CONTROL, 't');
    check(&desk, "form_three", super::App::draw_dialog);
    desk.press(KeyCode::Esc);
    desk.keys("p");
    check(&desk, "presets", super::App::draw_dialog);
    let mut desk = on_file(folder.path());
    desk.keys("Rq");
    check(&desk, "leaving", super::App::draw_dialog);
    desk.press(KeyCode::Esc);
    elsewhere(folder.path(), |design| design.seed = 77);
    changed(&mut desk);
    check(&desk, "conflict", super::App::draw_dialog);
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
        let mut desk = on_file(folder.path());
        alt(&mut desk, panel);
        for (i, (key, chance)) in keys.into_iter().enumerate() {
            // A form would write to any path that is typed.
            let form = matches!(desk.app.dialogs.open, Some(Dialog::Form(_)));
            let key = if form && key.code == KeyCode::Enter { KeyEvent::from(KeyCode::Esc) } else { key };
            desk.send(Message::Input(Event::Key(key)));
            match chance {
                0 => elsewhere(folder.path(), |design| design.seed = i as u64),
                1 => fs::write(folder.path().join("halls.toml"), "broken = ").unwrap(),
                2 => {
                    let (width, height) = sizes[i % sizes.len()];
                    desk.send(Message::Input(Event::Resize(width, height)));
                }
                3 => desk.click((i * 7 % 120) as u16, (i * 3 % 40) as u16),
                4 => desk.mouse(MouseEventKind::ScrollDown, 60, 5),
                5 => changed(&mut desk),
                6 => {
                    let left = crossterm::event::MouseButton::Left;
                    desk.mouse(MouseEventKind::Drag(left), (i * 11 % 120) as u16, (i * 3 % 40) as u16);
                }
                _ => {}
            }
            desk.screen();
        }
        let design = desk.app.editor.document.design();
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
fn a_copy_is_written_and_the_design_stays_where_it_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_file(folder.path());
    // The last choice: the original's files.
    desk.keys("PG");
    insta::assert_snapshot!(
        "a_copy_is_named",
        desk.text().replace(&folder.path().display().to_string(), "HOME")
    );
    desk.press(KeyCode::Enter);
    let copy = DesignFiles::Legacy {
        rooms: folder.path().join("halls.rooms"),
        stats: Some(folder.path().join("halls.stats")),
        constants: Some(folder.path().join("halls.constants")),
    };
    assert_eq!(raised(copy.load().design.unwrap()).layout, design().layout);
    assert_eq!(desk.app.editor.document.files(), [folder.path().join("halls.toml")]);
    assert!(desk.text().contains("a copy was written"), "{}", desk.text());
    // A second copy asks before it overwrites; an explicit repetition overwrites; a copy over the design's own file is
    // refused.
    desk.keys("P");
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains("Replace them?"), "{}", desk.text());
    desk.keys("r");
    assert!(desk.text().contains("a copy was written"), "{}", desk.text());
    fs::write(folder.path().join("halls.rooms"), "").unwrap();
    desk.chord(KeyModifiers::CONTROL, 'e');
    assert!(desk.text().contains("a copy was written"), "{}", desk.text());
    assert_eq!(raised(copy.load().design.unwrap()).layout, design().layout);
    desk.keys("Pk");
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains("the design's own file"), "{}", desk.text());
}

#[test]
fn the_version_before_a_sessions_first_save_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_file(folder.path());
    let backup = folder.path().join("halls.toml~");
    let before = fs::read(folder.path().join("halls.toml")).unwrap();
    for _ in 0..2 {
        alt(&mut desk, '1');
        desk.keys("+");
        desk.chord(KeyModifiers::CONTROL, 's');
        assert_eq!(fs::read(&backup).unwrap(), before);
    }
    assert_eq!(step_length_of(&file(folder.path())), 6);
    // With backups switched off, none is written.
    fs::remove_file(&backup).unwrap();
    let mut desk = on_file(folder.path());
    desk.app.editor.configured.settings.saving.backups = false;
    alt(&mut desk, '1');
    desk.keys("+");
    desk.chord(KeyModifiers::CONTROL, 's');
    assert!(!backup.exists());
}

fn step_length_of(design: &Design) -> i32 {
    design.character.generations[0].step_length
}

#[test]
fn returning_to_the_terminal_shows_what_was_changed_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_file(folder.path());
    elsewhere(folder.path(), |theirs| theirs.character.generations[0].step_length = 9);
    desk.send(Message::Input(Event::FocusLost));
    assert_eq!(step_length(&desk), 4);
    desk.send(Message::Input(Event::FocusGained));
    assert_eq!(step_length(&desk), 9);
}

#[test]
fn every_edit_is_in_the_list_and_can_be_gone_back_to() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_file(folder.path());
    alt(&mut desk, '1');
    desk.keys("+++");
    desk.press(KeyCode::Down);
    desk.keys("7");
    desk.press(KeyCode::Enter);
    desk.chord(KeyModifiers::CONTROL, 's');
    alt(&mut desk, '4');
    desk.press(KeyCode::Down);
    desk.keys("77");
    desk.press(KeyCode::Enter);
    alt(&mut desk, '3');
    desk.keys("[");
    desk.keys("y");
    assert_eq!(desk.app.editor.focus, Focus::View);
    let design = desk.app.editor.document.design().clone();
    insta::assert_snapshot!("history_80x24", desk.text());
    // Up to the saved step, and to the design as it was opened.
    desk.press(KeyCode::Up);
    desk.press(KeyCode::Up);
    desk.press(KeyCode::Enter);
    assert!(!desk.app.editor.document.is_dirty());
    assert!(
        foot(&desk).contains("after: CorridorWidth of generation 0: 3 → 7"),
        "{}",
        foot(&desk)
    );
    let run = desk.run();
    desk.press(KeyCode::Home);
    desk.press(KeyCode::Enter);
    assert_ne!(desk.run(), run, "and it is grown");
    assert_eq!(step_length(&desk), 4);
    insta::assert_snapshot!("history_at_its_start", desk.text());
    // The last line, with the mouse.
    let view = desk.app.editor.areas.view;
    desk.click(view.x + 8, view.y + 5);
    assert_eq!(desk.app.editor.document.step(), 0, "the first click selects");
    desk.click(view.x + 8, view.y + 5);
    assert_eq!(*desk.app.editor.document.design(), design);
    desk.mouse(MouseEventKind::ScrollUp, view.x + 8, view.y + 5);
    desk.press(KeyCode::Enter);
    desk.keys("u");
    assert_eq!(desk.app.editor.document.step(), 0);
    desk.press(KeyCode::Esc);
    assert_eq!(desk.app.editor.focus, Focus::Map);
}

#[test]
fn a_number_with_other_characters_is_refused_and_not_read_without_them() {
    for panel in [Panel::Stats, Panel::Rooms, Panel::Constants, Panel::Design] {
        let mut fields = 0;
        let mut desk = desk(120, 40);
        let effects = desk.app.update(Action::FocusPanel(panel));
        desk.perform(effects);
        for _ in 0..60 {
            let before = desk.app.editor.document.design().clone();
            desk.keys("2");
            if desk.app.panels.is_typing() {
                fields += 1;
                desk.keys("0x40");
                desk.press(KeyCode::Enter);
                assert_eq!(*desk.app.editor.document.design(), before, "{panel:?}");
                assert!(
                    desk.app.panels.is_typing() && desk.app.editor.has_failed(),
                    "{}",
                    desk.text()
                );
                assert!(desk.text().contains("20x40"), "{}", desk.text());
                desk.press(KeyCode::Esc);
            }
            assert_eq!(*desk.app.editor.document.design(), before);
            desk.press(KeyCode::Right);
            desk.press(KeyCode::Down);
        }
        assert!(fields > 0, "{panel:?} has no number");
    }
}

#[test]
fn enter_at_the_heading_of_a_list_says_how_to_add_and_adds_nothing() {
    let mut desk = desk(120, 40);
    let steps = desk.app.editor.document.steps().len();
    alt(&mut desk, '2');
    let mut headings = 0;
    for _ in 0..12 {
        desk.press(KeyCode::Enter);
        let description = foot(&desk);
        headings += usize::from(description.contains("a adds a"));
        assert_eq!(desk.app.editor.document.steps().len(), steps, "{}", desk.text());
        // Out of the field or entry that Enter opened.
        desk.press(KeyCode::Esc);
        alt(&mut desk, '2');
        desk.press(KeyCode::Left);
        desk.press(KeyCode::Down);
    }
    assert!(headings >= 2, "{headings} headings");
}
