//! Tests of finding and opening designs.

use std::fs;
use std::path::Path;

use crossterm::event::{Event, KeyCode, KeyModifiers, MouseEventKind};

use super::items::OpenItem;
use crate::background::{FolderReply, JobReply, Message};
use crate::design::Design;
use crate::document::Document;
use crate::format::{constants, native, rooms, stats};
use crate::geometry::{Point, Size};
use crate::presets::Preset;
use crate::storage::DesignFiles;
use crate::tui::dialog::Dialog;
use crate::tui::fixture::{READING, TestApp, drawn_at_any_size};
use crate::tui::keymap::Context;

fn design(name: &str, step_length: i32) -> Design {
    let mut design = Design {
        name: name.into(),
        ..Design::default()
    };
    design.character.generations[0].step_length = step_length;
    design
}

/// Fills a folder with designs of every kind, and starts the app with one of them open.
fn test_app(folder: &Path) -> TestApp {
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
    let mut designer = TestApp::with(Document::from_files(files, None, None).unwrap(), 100, 32);
    designer.keys("o");
    designer.run_jobs();
    designer
}

fn step_length(designer: &TestApp) -> i32 {
    designer.app.editor.document.design().character.generations[0].step_length
}

fn scrubbed(designer: &TestApp, folder: &Path) -> String {
    designer.text().replace(&folder.display().to_string(), "HOME")
}

#[test]
fn designs_of_a_folder_are_found_with_their_companion_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    let text = designer.text();
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
    // Typing finds the rooms file, its picture is rendered, and Enter opens it with its companion files.
    designer.keys("rms4");
    designer.run_jobs();
    assert!(designer.text().contains("squares ·"), "{}", designer.text());
    designer.press(KeyCode::Enter);
    assert_eq!(step_length(&designer), 8);
    let names = ["rooms4", "stats4", "constants4"].map(|name| folder.path().join(name));
    assert_eq!(designer.app.editor.document.files(), names);
    assert!(
        matches!(designer.opened, Some(DesignFiles::Legacy { .. })),
        "it is remembered"
    );
}

#[test]
fn rooms_copied_from_a_design_in_another_folder_keep_their_vaults() {
    let folder = tempfile::tempdir().unwrap();
    let mut other = design("Tower", 5);
    other.layout.vaults.push(crate::design::VaultEntry {
        file: "own.des".into(),
        map: "own_room".into(),
        ..Default::default()
    });
    let mut designer = test_app(folder.path());
    fs::write(folder.path().join("old/tower.toml"), native::write(&other)).unwrap();
    let level = "NAME: own_room\nMAP\nxxxxx\nx...+\nxxxxx\nENDMAP\n";
    fs::write(folder.path().join("old/own.des"), level).unwrap();
    designer.keys("./old/tower.toml");
    designer.run_jobs();
    designer.chord(KeyModifiers::CONTROL, 'r');
    designer.run_jobs();
    let document = &designer.app.editor.document;
    assert_eq!(document.design().layout.vaults[0].file, "old/own.des");
    assert_eq!(document.valid().unwrap().pieces().len(), 1);
}

#[test]
fn the_stats_or_the_rooms_of_a_listed_design_can_be_copied_into_the_open_design() {
    let mut designer = TestApp::new(110, 40);
    let hypostyle = Preset::find("hypostyle").unwrap().design();
    for (key, layout) in [('g', false), ('r', true)] {
        let before = designer.app.editor.document.shared();
        designer.keys("o");
        designer.keys("hypostyle");
        designer.chord(KeyModifiers::CONTROL, key);
        assert!(designer.app.dialogs.open.is_none());
        let after = designer.app.editor.document.design();
        let (character, rooms) = if layout {
            (&before.character, &hypostyle.layout)
        } else {
            (&hypostyle.character, &before.layout)
        };
        assert_eq!((&after.character, &after.layout), (character, rooms), "{key}");
    }
}

#[test]
fn folders_can_be_browsed_and_paths_completed() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    designer.keys("old");
    designer.run_jobs();
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert!(
        designer.text().contains("tower.toml") && !designer.text().contains("castle.toml "),
        "{}",
        designer.text()
    );
    designer.press(KeyCode::Backspace);
    designer.run_jobs();
    assert!(designer.text().contains("rooms7"), "{}", designer.text());
    designer.keys("./ol");
    designer.run_jobs();
    designer.press(KeyCode::Tab);
    designer.run_jobs();
    assert!(designer.text().contains("> ./old/"), "{}", designer.text());
    designer.keys("tow");
    designer.run_jobs();
    assert!(
        !designer.text().contains("mmonite"),
        "a path is typed: {}",
        designer.text()
    );
    designer.press(KeyCode::Tab);
    designer.run_jobs();
    assert!(designer.text().contains("> ./old/tower.toml"), "{}", designer.text());
    designer.press(KeyCode::Enter);
    assert_eq!(step_length(&designer), 5);
}

#[test]
fn presets_are_found_by_the_names_of_the_command_line() {
    let mut designer = TestApp::with(Document::new(Design::default(), None), 100, 32);
    designer.keys("p");
    for preset in crate::presets::Preset::all() {
        designer.chord(KeyModifiers::CONTROL, 'u');
        designer.keys(preset.name);
        let line = format!("{}  {} · ", preset.design().name, preset.name);
        assert!(designer.text().contains(&line), "{line}\n{}", designer.text());
        let Some(Dialog::Open(open)) = &designer.app.dialogs.open else {
            panic!("closed");
        };
        let Some(OpenItem::Preset(i)) = open.item() else {
            panic!("{}: {:?}", preset.name, open.item());
        };
        assert_eq!(open.presets[*i].id, preset.name);
    }
}

#[test]
fn copying_the_rooms_of_a_rooms_file_alone_does_not_open_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    let mut other = design("", 8).layout;
    other.size = Size::new(44, 48);
    fs::write(folder.path().join("rooms7"), rooms::write(&other).unwrap()).unwrap();
    designer.keys("rooms7");
    designer.run_jobs();
    designer.chord(KeyModifiers::CONTROL, 'r');
    assert!(
        designer.text().contains("Copy the rooms of a design"),
        "{}",
        designer.text()
    );
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert!(designer.app.dialogs.open.is_none(), "{}", designer.text());
    let document = &designer.app.editor.document;
    assert_eq!(document.files(), [folder.path().join("castle.toml")]);
    assert_eq!(document.design().layout.size, other.size);
    assert_eq!(step_length(&designer), 3);
}

#[test]
fn a_rooms_file_alone_asks_for_its_stats() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    designer.keys("rooms7");
    designer.run_jobs();
    designer.press(KeyCode::Enter);
    assert!(
        matches!(designer.app.dialogs.open, Some(Dialog::Form(_))),
        "{}",
        designer.text()
    );
    let stats = folder.path().join("stats4").display().to_string();
    designer.send(Message::Input(Event::Paste(stats)));
    designer.press(KeyCode::Enter);
    let names = ["rooms7", "stats4"].map(|name| folder.path().join(name));
    assert_eq!(designer.app.editor.document.files(), names, "any mix");
    // The form also opens the files in other combinations.
    designer.keys("o");
    designer.run_jobs();
    designer.keys("rooms4");
    designer.run_jobs();
    designer.chord(KeyModifiers::CONTROL, 't');
    assert!(designer.text().contains("constants4"), "{}", designer.text());
}

#[test]
fn two_spaces_in_the_name_of_a_recent_file_do_not_split_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    designer.press(KeyCode::Esc);
    designer.keys("o");
    let (ticket, _) = designer.take_request("folder").unwrap();
    let reply = FolderReply {
        found: crate::storage::folder::list(folder.path()),
        recent: vec![(DesignFiles::Toml(folder.path().join("my  keep.toml")), false)],
    };
    designer.send(Message::Reply(ticket, JobReply::Folder(Ok(reply))));
    let text = designer.text();
    assert!(text.contains("my  keep.toml  no longer exists"), "{text}");
}

#[test]
fn recent_designs_come_first_and_missing_ones_are_marked() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    designer.press(KeyCode::Esc);
    designer.keys("o");
    let (ticket, _) = designer.take_request("folder").unwrap();
    let recent = [("old/tower.toml", true), ("gone.toml", false)];
    let recent = recent.map(|(name, there)| (DesignFiles::Toml(folder.path().join(name)), there));
    let reply = FolderReply {
        found: crate::storage::folder::list(folder.path()),
        recent: recent.to_vec(),
    };
    designer.send(Message::Reply(ticket, JobReply::Folder(Ok(reply))));
    designer.run_jobs();
    let text = scrubbed(&designer, folder.path());
    assert!(
        text.contains("Recently opened") && text.contains("no longer exists"),
        "{text}"
    );
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("cannot read"), "{}", designer.text());
    designer.press(KeyCode::Up);
    designer.press(KeyCode::Enter);
    assert_eq!(step_length(&designer), 5);
}

#[test]
fn the_mouse_selects_scrolls_and_opens() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    let text = designer.text();
    let row = text.lines().position(|line| line.contains("rooms4")).unwrap() as u16;
    designer.click(12, row);
    designer.run_jobs();
    assert!(designer.text().contains("squares ·"), "{}", designer.text());
    let row = designer
        .text()
        .lines()
        .position(|line| line.contains("rooms4"))
        .unwrap() as u16;
    designer.click(12, row);
    assert_eq!(step_length(&designer), 8);
    designer.keys("p");
    designer.mouse(MouseEventKind::ScrollDown, 20, 10);
    designer.mouse(MouseEventKind::ScrollDown, 20, 10);
    designer.mouse(MouseEventKind::ScrollUp, 20, 10);
    designer.press(KeyCode::Enter);
    // Each turn of the wheel moves by three designs.
    let fourth = crate::presets::Preset::all()[3].design();
    assert_eq!(*designer.app.editor.document.design(), fourth);
}

#[test]
fn a_picture_that_is_no_longer_wanted_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    designer.keys("castle");
    let old = designer.requested("preview").unwrap();
    designer.press(KeyCode::Down);
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.keys("whirl");
    let Some(Dialog::Open(open)) = &designer.app.dialogs.open else {
        panic!("closed");
    };
    assert_ne!(designer.requested("preview"), Some(old.clone()));
    let before = open.pictures.len();
    let picture = Err("too late".into());
    designer.send(Message::Reply(old, JobReply::Picture(Ok(picture))));
    let Some(Dialog::Open(open)) = &designer.app.dialogs.open else {
        panic!("closed");
    };
    assert_eq!(open.pictures.len(), before);
}

#[test]
fn unreadable_folders_and_invalid_names_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    designer.keys("/no/such/folder/");
    designer.run_jobs();
    assert!(designer.text().contains("No such"), "{}", designer.text());
    designer.keys("x.toml");
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("cannot read"), "{}", designer.text());
    designer.press(KeyCode::Esc);
    assert!(designer.app.dialogs.open.is_none());
}

#[test]
fn a_name_that_matches_nothing_is_opened_as_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    designer.keys("no-such-design.toml");
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("cannot read"), "{}", designer.text());
}

#[test]
fn the_dialog_is_drawn_at_any_size() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    designer.keys("amm");
    designer.run_jobs();
    let text = drawn_at_any_size(|area, buf| designer.app.draw_dialog(area, buf), (100, 30));
    insta::assert_snapshot!("open", text.replace(&folder.path().display().to_string(), "HOME"));
}

#[test]
fn a_hanging_drive_delays_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    designer.hold(&READING);
    designer.keys("./old/tower.toml");
    designer.run_jobs();
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("reading tower.toml …"), "{}", designer.text());
    let (late, request) = designer.take_request("opening").unwrap();
    // Changing the input cancels the request.
    designer.press(KeyCode::Backspace);
    assert!(!designer.text().contains("reading"), "{}", designer.text());
    designer.press(KeyCode::Enter);
    designer.press(KeyCode::Esc);
    assert!(designer.app.dialogs.open.is_none());
    assert!(designer.requested("opening").is_none(), "the request was cancelled");
    assert!(late.is_cancelled());
    designer.run_job(&late, request);
    assert_eq!(step_length(&designer), 3, "a late reply is ignored");
    // Reading files whose paths were typed in the form is cancelled in the same way.
    designer.keys("o");
    designer.run_jobs();
    designer.chord(KeyModifiers::CONTROL, 't');
    designer.chord(KeyModifiers::CONTROL, 't');
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.send(Message::Input(Event::Paste(
        folder.path().join("old/tower.toml").display().to_string(),
    )));
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("reading tower.toml …"), "{}", designer.text());
    designer.release(&READING);
    assert_eq!(step_length(&designer), 5);
}

#[test]
fn a_check_that_read_the_files_before_a_save_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    designer.press(KeyCode::Esc);
    designer.hold(&READING);
    designer.send(Message::FilesChanged(Vec::new()));
    let (ticket, request) = designer.take_request("reloading").unwrap();
    let before = designer.replies(&ticket, request);
    designer.keys("R");
    let seed = designer.app.editor.document.design().seed;
    designer.chord(KeyModifiers::CONTROL, 's');
    designer.receive_replies(&ticket, before);
    assert_eq!(
        designer.app.editor.document.design().seed,
        seed,
        "the outdated content is ignored"
    );
    assert!(designer.requested("reloading").is_some());
    designer.release(&READING);
    assert!(designer.app.dialogs.open.is_none() && !designer.app.editor.document.is_dirty());
    // If files change during a check, they are checked again after it; opening another design cancels the check.
    fs::write(folder.path().join("castle.toml"), native::write(&design("Castle", 9))).unwrap();
    designer.hold(&READING);
    designer.send(Message::FilesChanged(Vec::new()));
    designer.send(Message::FilesChanged(Vec::new()));
    designer.release(&READING);
    assert_eq!(step_length(&designer), 9);
    designer.hold(&READING);
    designer.send(Message::FilesChanged(Vec::new()));
    designer.keys("p");
    designer.run_jobs();
    designer.press(KeyCode::Enter);
    let name = designer.app.editor.document.title();
    designer.release(&READING);
    assert_eq!(designer.app.editor.document.title(), name);
    assert!(designer.app.dialogs.open.is_none());
}

/// Writes a rectangular hall with a wall in it, once as text and once as a picture.
fn drawings(folder: &Path) -> Vec<String> {
    let mut rows = vec!["#".repeat(44)];
    rows.extend(vec![format!("#{}#", ".".repeat(42)); 24]);
    rows.push("#".repeat(44));
    rows[3].replace_range(10..15, "#####");
    rows[4].replace_range(0..1, ".");
    fs::write(folder.join("maze.txt"), rows.join("\n")).unwrap();
    fs::write(folder.join("letter.txt"), "Dear reader,\n").unwrap();
    rows
}

#[test]
fn a_drawing_becomes_a_new_design_that_is_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    drawings(folder.path());
    let mut designer = test_app(folder.path());
    assert!(!designer.text().contains("letter"), "{}", designer.text());
    designer.keys("maze");
    designer.run_jobs();
    let text = designer.text();
    assert!(
        text.contains("maze.txt  a drawing") && text.contains("26 × 44 squares"),
        "{text}"
    );
    assert!(text.contains("preview of a new design"), "{text}");
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert!(
        matches!(designer.app.dialogs.open, Some(Dialog::Import)),
        "{}",
        designer.text()
    );
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    let document = &designer.app.editor.document;
    assert_eq!((document.title().as_str(), document.is_dirty()), ("maze", true));
    assert!(document.files().is_empty());
    let layout = &document.design().layout;
    assert_eq!((layout.size, layout.walls.len()), (Size::new(26, 44), 5));
    assert_eq!(layout.crawlers.len(), 1, "something grows");
    assert!(designer.text().contains("5 wall tiles"), "{}", designer.text());
    // What the import left out is still listed among the diagnostics, and quitting asks about the unsaved design.
    let description: Vec<String> = document.diagnostics().map(ToString::to_string).collect();
    assert!(
        description
            .iter()
            .any(|description| description.contains("lies at row 4, column 0 on the outer wall")),
        "{description:?}"
    );
    designer.keys("q");
    assert!(
        matches!(designer.app.dialogs.open, Some(Dialog::Question(_))),
        "{}",
        designer.text()
    );
}

#[test]
fn a_file_that_is_not_a_drawing_is_rejected_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    fs::write(folder.path().join("grass.txt"), "Dear reader,\n").unwrap();
    designer.keys(&format!("{}/grass.txt", folder.path().display()));
    designer.run_jobs();
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    let text = designer.text();
    assert!(
        text.contains("no line of") && text.contains("looks like a row of a maze"),
        "{text}"
    );
    assert_eq!(step_length(&designer), 3);
}

#[test]
fn a_drawing_is_placed_at_the_cursor_in_one_undo_step() {
    let folder = tempfile::tempdir().unwrap();
    drawings(folder.path());
    let mut designer = test_app(folder.path());
    designer.press(KeyCode::Esc);
    let before = designer.app.editor.document.shared();
    designer.keys("da");
    designer.run_jobs();
    let text = designer.text();
    assert!(
        text.contains("Import a drawing into the design") && text.contains("maze.txt"),
        "{text}"
    );
    assert!(!text.contains("rooms4") && !text.contains("mmonite"), "{text}");
    designer.keys("maze");
    designer.run_jobs();
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert!(
        designer.text().contains("Import maze.txt into the design"),
        "{}",
        designer.text()
    );
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert_eq!(designer.app.editor.document.shared(), before, "nothing is laid yet");
    let at = designer.app.editor.map.cursor();
    designer.press(KeyCode::Right);
    designer.run_jobs();
    assert!(designer.text().contains("maze.txt placed at"), "{}", designer.text());
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    let layout = &designer.app.editor.document.design().layout;
    // The drawing's top left square is at the cursor; parts outside the dungeon are clipped.
    let corner = Point::new(at.x, at.y + 1);
    assert!(layout.walls.contains(&corner) && layout.walls.contains(&Point::new(at.x + 3, at.y + 11)));
    assert!(!layout.walls.contains(&Point::new(at.x + 1, at.y + 2)));
    assert!(layout.walls.iter().all(|at| layout.size.contains(*at)));
    designer.keys("u");
    assert_eq!(*designer.app.editor.document.design(), *before);
    designer.keys("da");
    designer.run_jobs();
    let text = drawn_at_any_size(|area, buf| designer.app.draw_dialog(area, buf), (100, 30));
    assert!(text.contains("a drawing"), "{text}");
}

/// Returns the rows of the screen with control characters, which a terminal might interpret.
fn controls(designer: &TestApp) -> Vec<String> {
    let text = designer.text();
    let rows = text.lines().filter(|row| row.contains(crate::text::is_control));
    rows.map(|row| row.escape_debug().to_string()).collect()
}

#[test]
fn names_of_files_designs_and_maps_cannot_control_the_terminal() {
    const EVIL: &str = "\u{202e}\u{1b}]0;x\u{7}\u{9b}5n";
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join(format!("home{EVIL}"));
    fs::create_dir(&home).unwrap();
    let name = |begin: &str, end: &str| home.join(format!("{begin}{EVIL}{end}"));
    fs::create_dir(name("folder", "")).unwrap();
    let mut design = design(&format!("Castle{EVIL}"), 3);
    design.notes = EVIL.into();
    design.layout.size = Size::new(30, 30);
    design.layout.vaults.push(crate::design::VaultEntry {
        file: format!("maps{EVIL}.des"),
        map: format!("hall{EVIL}"),
        ..Default::default()
    });
    let path = name("castle", ".toml");
    fs::write(&path, native::write(&design)).unwrap();
    let map = format!("NAME: hall{EVIL}\nTAGS: a{EVIL}\n: error(\"{EVIL}\")\nMAP\nxxx\nx.@\nxxx\nENDMAP\n");
    fs::write(name("maps", ".des"), map).unwrap();
    fs::write(name("maze", ".txt"), "#####\n#   #\n#####\n").unwrap();
    let document = Document::from_files(DesignFiles::Toml(path), None, None).unwrap();
    let mut designer = TestApp::with(document, 120, 40);
    let mut wrong = controls(&designer);
    designer.keys("o");
    designer.run_jobs();
    assert!(
        designer.text().contains("castle\\u{202e}\\u{1b}]0;x"),
        "{}",
        designer.text()
    );
    wrong.extend(controls(&designer));
    for _ in 0..6 {
        designer.press(KeyCode::Down);
        designer.run_jobs();
        wrong.extend(controls(&designer));
    }
    designer.press(KeyCode::Esc);
    // Opens every panel and view, the vault browser, the export dialog and the help, and shows a notice with the name.
    for keys in [
        "\t", "1", "2", "3", "4", "5", "6", "7", "8", "9", "B", "?", "V", "i", "X", "E", ":", "S",
    ] {
        match keys {
            "\t" => designer.press(KeyCode::Tab),
            keys => designer.keys(keys),
        }
        designer.run_jobs();
        wrong.extend(controls(&designer));
        designer.press(KeyCode::Esc);
        designer.run_jobs();
        wrong.extend(controls(&designer));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_hint_for_a_name_without_a_match_is_not_cut() {
    let mut designer = TestApp::with(Document::new(Design::default(), None), 80, 24);
    designer.keys("o");
    designer.run_jobs();
    designer.keys("zzzz");
    designer.run_jobs();
    let text = designer.text();
    let rows: Vec<&str> = text.lines().collect();
    let first = rows.iter().position(|row| row.contains("no match;")).unwrap();
    assert!(
        rows[first].contains("type a path and press Enter to") && rows[first + 1].contains(" open it"),
        "{text}"
    );
}

#[test]
fn the_list_of_drawings_neither_opens_a_design_nor_copies_a_part_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    designer.press(KeyCode::Esc);
    let before = designer.app.editor.document.shared();
    designer.keys("da");
    designer.run_jobs();
    let text = designer.text();
    assert!(text.contains("Enter choose") && !text.contains("copy its"), "{text}");
    designer.keys("old/tower.toml");
    for key in ['g', 'r'] {
        designer.chord(KeyModifiers::CONTROL, key);
        designer.run_jobs();
    }
    assert_eq!(*designer.app.editor.document.design(), *before);
    designer.press(KeyCode::Enter);
    designer.release(&READING);
    let text = designer.text();
    assert!(text.contains("`tower.toml` is a design; choose a drawing"), "{text}");
    assert_eq!(*designer.app.editor.document.design(), *before);
    designer.chord(KeyModifiers::CONTROL, 't');
    assert!(
        designer.text().contains("a drawing is a single file"),
        "{}",
        designer.text()
    );
}

#[test]
fn an_example_can_be_read_from_three_files_while_the_open_design_stays_open() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    designer.press(KeyCode::Esc);
    designer.chord(KeyModifiers::ALT, 'l');
    designer.run_jobs();
    let text = designer.text();
    assert!(text.contains("Enter choose") && !text.contains("copy its"), "{text}");
    designer.keys("rooms4");
    designer.run_jobs();
    designer.chord(KeyModifiers::CONTROL, 't');
    assert!(designer.text().contains("Learn from a design"), "{}", designer.text());
    designer.press(KeyCode::Enter);
    designer.release(&READING);
    assert_eq!(designer.app.contexts()[0], Context::Learning, "{}", designer.text());
    assert_eq!(step_length(&designer), 3, "the open design stays open");
}

#[test]
fn an_error_disappears_when_the_input_is_pasted_or_completed_or_the_folder_changes() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path());
    let has_error = |designer: &TestApp| designer.text().contains("cannot read");
    let reject = |designer: &mut TestApp| {
        designer.chord(KeyModifiers::CONTROL, 'u');
        designer.keys("no-such-design.toml");
        designer.press(KeyCode::Enter);
        assert!(has_error(designer), "{}", designer.text());
    };
    reject(&mut designer);
    designer.send(Message::Input(Event::Paste("x".into())));
    assert!(!has_error(&designer), "{}", designer.text());
    let wrong = |designer: &mut TestApp| {
        designer.chord(KeyModifiers::CONTROL, 'u');
        let Some(Dialog::Open(open)) = &mut designer.app.dialogs.open else {
            panic!("closed");
        };
        open.reject("cannot read it".into());
        assert!(has_error(designer), "{}", designer.text());
    };
    wrong(&mut designer);
    designer.press(KeyCode::Tab);
    assert!(!has_error(&designer), "{}", designer.text());
    wrong(&mut designer);
    designer.press(KeyCode::Backspace);
    assert!(!has_error(&designer), "{}", designer.text());
}

#[test]
fn a_late_listing_keeps_the_preset_that_the_user_has_selected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("castle.toml");
    fs::write(&path, native::write(&design("Castle", 3))).unwrap();
    let document = Document::from_files(DesignFiles::Toml(path), None, None).unwrap();
    let mut designer = TestApp::with(document, 100, 32);
    let item = |designer: &TestApp| match &designer.app.dialogs.open {
        Some(Dialog::Open(open)) => open.item().cloned(),
        _ => panic!("closed"),
    };
    designer.keys("o");
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Down);
    let selected = item(&designer);
    assert!(matches!(selected, Some(OpenItem::Preset(_))), "{selected:?}");
    designer.run_jobs();
    assert!(designer.text().contains("castle.toml"), "{}", designer.text());
    assert_eq!(item(&designer), selected);
}
