//! Stories of somebody who looks for a design to open.

use std::fs;
use std::path::Path;

use crossterm::event::{Event, KeyCode, KeyModifiers, MouseEventKind};

use crate::design::Design;
use crate::document::Document;
use crate::format::{constants, native, rooms, stats};
use crate::storage::DesignFiles;
use crate::tui::dialog::Dialog;
use crate::tui::fixture::{Desk, drawn_at_any_size};
use crate::worker::{Exhibit, Message};

fn design(name: &str, step_length: i32) -> Design {
    let mut design = Design {
        name: name.into(),
        ..Design::default()
    };
    design.character.generations[0].step_length = step_length;
    design
}

/// A folder with designs of every kind, and a designer that is open on one of them.
fn desk(folder: &Path) -> Desk {
    let put = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    put("castle.toml", &native::write(&design("Castle", 3)));
    put("Cargo.toml", "[package]\nname = \"none\"\n");
    let parts = design("", 8);
    for name in ["rooms4", "rooms7"] {
        put(name, &rooms::write(&parts.layout).unwrap());
    }
    put("stats4", &stats::write(&parts.character));
    put("constants4", &constants::write(&parts.constants));
    fs::create_dir(folder.join("old")).unwrap();
    fs::write(folder.join("old/tower.toml"), native::write(&design("Tower", 5))).unwrap();
    let files = DesignFiles::Toml(folder.join("castle.toml"));
    let mut desk = Desk::with(Document::from_files(files, None, None).unwrap(), 100, 32);
    desk.keys("o");
    desk.settle();
    desk
}

fn step_length(desk: &Desk) -> i32 {
    desk.app.document.design().character.generations[0].step_length
}

fn scrubbed(desk: &Desk, folder: &Path) -> String {
    desk.text().replace(&folder.display().to_string(), "HOME")
}

#[test]
fn designs_of_a_folder_are_found_with_their_partners() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    let text = desk.text();
    for word in [
        "old/",
        "castle.toml",
        "rooms4",
        "with stats4, constants4",
        "rooms7",
        "ammonite",
    ] {
        assert!(text.to_lowercase().contains(word), "{word}:\n{text}");
    }
    assert!(!text.contains("Cargo"), "{text}");
    // Typing finds it, its picture is grown, Enter opens it with its partners.
    desk.keys("rms4");
    desk.settle();
    assert!(desk.text().contains("squares ·"), "{}", desk.text());
    desk.press(KeyCode::Enter);
    assert_eq!(step_length(&desk), 8);
    let names = ["rooms4", "stats4", "constants4"].map(|name| folder.path().join(name));
    assert_eq!(desk.app.document.files(), names);
    assert!(
        matches!(desk.opened, Some(DesignFiles::Legacy { .. })),
        "it is remembered"
    );
}

#[test]
fn folders_are_gone_through_and_paths_are_completed() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    desk.keys("old");
    desk.settle();
    desk.press(KeyCode::Enter);
    desk.settle();
    assert!(
        desk.text().contains("tower.toml") && !desk.text().contains("castle.toml "),
        "{}",
        desk.text()
    );
    desk.press(KeyCode::Backspace);
    desk.settle();
    assert!(desk.text().contains("rooms7"), "{}", desk.text());
    desk.keys("./ol");
    desk.settle();
    desk.press(KeyCode::Tab);
    desk.settle();
    assert!(desk.text().contains("> ./old/"), "{}", desk.text());
    desk.keys("tow");
    desk.settle();
    assert!(!desk.text().contains("mmonite"), "a path is typed: {}", desk.text());
    desk.press(KeyCode::Tab);
    desk.settle();
    assert!(desk.text().contains("> ./old/tower.toml"), "{}", desk.text());
    desk.press(KeyCode::Enter);
    assert_eq!(step_length(&desk), 5);
}

#[test]
fn a_rooms_file_alone_asks_for_its_stats() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    desk.keys("rooms7");
    desk.settle();
    desk.press(KeyCode::Enter);
    assert!(matches!(desk.app.dialog, Some(Dialog::Form(_))), "{}", desk.text());
    let stats = folder.path().join("stats4").display().to_string();
    desk.send(Message::Input(Event::Paste(stats)));
    desk.press(KeyCode::Enter);
    let names = ["rooms7", "stats4"].map(|name| folder.path().join(name));
    assert_eq!(desk.app.document.files(), names, "any mix");
    // A pair can be taken apart as well.
    desk.keys("o");
    desk.settle();
    desk.keys("rooms4");
    desk.settle();
    desk.chord(KeyModifiers::CONTROL, 't');
    assert!(desk.text().contains("constants4"), "{}", desk.text());
}

#[test]
fn what_was_opened_last_comes_first_and_what_is_gone_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    desk.press(KeyCode::Esc);
    desk.keys("o");
    let run = desk.listed.take().unwrap();
    let recent = [("old/tower.toml", true), ("gone.toml", false)];
    let recent = recent.map(|(name, there)| (DesignFiles::Toml(folder.path().join(name)), there));
    desk.send(Message::Gallery(Exhibit::Folder {
        run,
        found: crate::storage::folder::list(folder.path()).map_err(|error| error.to_string()),
        recent: recent.to_vec(),
    }));
    desk.settle();
    let text = scrubbed(&desk, folder.path());
    assert!(
        text.contains("Opened last") && text.contains("not there any more"),
        "{text}"
    );
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains("cannot read"), "{}", desk.text());
    desk.press(KeyCode::Up);
    desk.press(KeyCode::Enter);
    assert_eq!(step_length(&desk), 5);
}

#[test]
fn the_mouse_selects_scrolls_and_opens() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    let text = desk.text();
    let row = text.lines().position(|line| line.contains("rooms4")).unwrap() as u16;
    desk.click(12, row);
    desk.settle();
    assert!(desk.text().contains("squares ·"), "{}", desk.text());
    let row = desk.text().lines().position(|line| line.contains("rooms4")).unwrap() as u16;
    desk.click(12, row);
    assert_eq!(step_length(&desk), 8);
    desk.keys("p");
    desk.mouse(MouseEventKind::ScrollDown, 20, 10);
    desk.mouse(MouseEventKind::ScrollDown, 20, 10);
    desk.mouse(MouseEventKind::ScrollUp, 20, 10);
    desk.press(KeyCode::Enter);
    let second = crate::presets::Preset::all()[1].design();
    assert_eq!(*desk.app.document.design(), second);
}

#[test]
fn a_picture_that_is_not_wanted_any_more_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    desk.keys("castle");
    let old = desk.shown.unwrap();
    desk.press(KeyCode::Down);
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.keys("whirl");
    let Some(Dialog::Open(open)) = &desk.app.dialog else {
        panic!("closed");
    };
    assert_ne!(desk.shown, Some(old));
    let before = open.pictures.len();
    let picture = Err("too late".into());
    desk.send(Message::Gallery(Exhibit::Picture { run: old, picture }));
    let Some(Dialog::Open(open)) = &desk.app.dialog else {
        panic!("closed");
    };
    assert_eq!(open.pictures.len(), before);
}

#[test]
fn a_folder_that_cannot_be_read_and_a_name_that_is_none_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    desk.keys("/no/such/folder/");
    desk.settle();
    assert!(desk.text().contains("No such"), "{}", desk.text());
    desk.keys("x.toml");
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains("cannot read"), "{}", desk.text());
    desk.press(KeyCode::Esc);
    assert!(desk.app.dialog.is_none());
}

#[test]
fn the_dialog_is_drawn_at_any_size() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    desk.keys("amm");
    desk.settle();
    let text = drawn_at_any_size(|area, buf| crate::tui::dialog::draw(&desk.app, area, buf), (100, 30));
    insta::assert_snapshot!("open", text.replace(&folder.path().display().to_string(), "HOME"));
}
