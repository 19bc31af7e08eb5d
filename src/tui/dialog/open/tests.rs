//! Tests of finding and opening designs.

use std::fs;
use std::path::Path;

use crossterm::event::{Event, KeyCode, KeyModifiers, MouseEventKind};

use crate::background::{FolderReply, JobReply, Message};
use crate::design::Design;
use crate::document::Document;
use crate::format::{constants, native, rooms, stats};
use crate::geometry::{Point, Size};
use crate::storage::DesignFiles;
use crate::tui::dialog::Dialog;
use crate::tui::fixture::{READING, TestApp, drawn_at_any_size};

fn design(name: &str, step_length: i32) -> Design {
    let mut design = Design {
        name: name.into(),
        ..Design::default()
    };
    design.character.generations[0].step_length = step_length;
    design
}

/// Fills a folder with designs of every kind, and starts the app with one of them open.
fn desk(folder: &Path) -> TestApp {
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
    let mut desk = TestApp::with(Document::from_files(files, None, None).unwrap(), 100, 32);
    desk.keys("o");
    desk.settle();
    desk
}

fn step_length(desk: &TestApp) -> i32 {
    desk.app.editor.document.design().character.generations[0].step_length
}

fn scrubbed(desk: &TestApp, folder: &Path) -> String {
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
    // Typing finds it, its picture is rendered, and Enter opens it with its companion files.
    desk.keys("rms4");
    desk.settle();
    assert!(desk.text().contains("squares ·"), "{}", desk.text());
    desk.press(KeyCode::Enter);
    assert_eq!(step_length(&desk), 8);
    let names = ["rooms4", "stats4", "constants4"].map(|name| folder.path().join(name));
    assert_eq!(desk.app.editor.document.files(), names);
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
    assert!(
        matches!(desk.app.dialogs.open, Some(Dialog::Form(_))),
        "{}",
        desk.text()
    );
    let stats = folder.path().join("stats4").display().to_string();
    desk.send(Message::Input(Event::Paste(stats)));
    desk.press(KeyCode::Enter);
    let names = ["rooms7", "stats4"].map(|name| folder.path().join(name));
    assert_eq!(desk.app.editor.document.files(), names, "any mix");
    // The files can also be opened in other combinations.
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
    let (ticket, _) = desk.take_request("folder").unwrap();
    let recent = [("old/tower.toml", true), ("gone.toml", false)];
    let recent = recent.map(|(name, there)| (DesignFiles::Toml(folder.path().join(name)), there));
    let reply = FolderReply {
        found: crate::storage::folder::list(folder.path()).map_err(|error| error.to_string()),
        recent: recent.to_vec(),
    };
    desk.send(Message::Reply(ticket, JobReply::Folder(Ok(reply))));
    desk.settle();
    let text = scrubbed(&desk, folder.path());
    assert!(
        text.contains("Recently opened") && text.contains("no longer exists"),
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
    // Each turn of the wheel moves by three designs.
    let fourth = crate::presets::Preset::all()[3].design();
    assert_eq!(*desk.app.editor.document.design(), fourth);
}

#[test]
fn a_picture_that_is_not_wanted_any_more_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    desk.keys("castle");
    let old = desk.requested("preview").unwrap();
    desk.press(KeyCode::Down);
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.keys("whirl");
    let Some(Dialog::Open(open)) = &desk.app.dialogs.open else {
        panic!("closed");
    };
    assert_ne!(desk.requested("preview"), Some(old.clone()));
    let before = open.pictures.len();
    let picture = Err("too late".into());
    desk.send(Message::Reply(old, JobReply::Picture(Ok(picture))));
    let Some(Dialog::Open(open)) = &desk.app.dialogs.open else {
        panic!("closed");
    };
    assert_eq!(open.pictures.len(), before);
}

#[test]
fn a_folder_that_cannot_be_read_and_a_name_that_is_none_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    desk.keys("/no/such/folder/");
    desk.settle();
    assert!(desk.text().contains("No such"), "{}", desk.text());
    desk.keys("x.toml");
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains("cannot read"), "{}", desk.text());
    desk.press(KeyCode::Esc);
    assert!(desk.app.dialogs.open.is_none());
}

#[test]
fn the_dialog_is_drawn_at_any_size() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    desk.keys("amm");
    desk.settle();
    let text = drawn_at_any_size(|area, buf| desk.app.draw_dialog(area, buf), (100, 30));
    insta::assert_snapshot!("open", text.replace(&folder.path().display().to_string(), "HOME"));
}

#[test]
fn a_drive_that_does_not_answer_delays_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    desk.hold(&READING);
    desk.keys("./old/tower.toml");
    desk.settle();
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains("reading tower.toml …"), "{}", desk.text());
    let (late, request) = desk.take_request("opening").unwrap();
    // Typing on cancels the request.
    desk.press(KeyCode::Backspace);
    assert!(!desk.text().contains("reading"), "{}", desk.text());
    desk.press(KeyCode::Enter);
    desk.press(KeyCode::Esc);
    assert!(desk.app.dialogs.open.is_none());
    assert!(desk.requested("opening").is_none(), "the request was cancelled");
    assert!(late.is_cancelled());
    desk.run_job(&late, request);
    assert_eq!(step_length(&desk), 3, "what comes too late is not taken");
    // The same with files that are named in the form.
    desk.keys("o");
    desk.settle();
    desk.chord(KeyModifiers::CONTROL, 't');
    desk.chord(KeyModifiers::CONTROL, 't');
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.send(Message::Input(Event::Paste(
        folder.path().join("old/tower.toml").display().to_string(),
    )));
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains("reading tower.toml …"), "{}", desk.text());
    desk.release(&READING);
    assert_eq!(step_length(&desk), 5);
}

#[test]
fn what_is_open_is_not_taken_from_before_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    desk.press(KeyCode::Esc);
    desk.hold(&READING);
    desk.send(Message::FilesChanged(Vec::new()));
    let (ticket, request) = desk.take_request("reloading").unwrap();
    let before = desk.replies(&ticket, request);
    desk.keys("R");
    let seed = desk.app.editor.document.design().seed;
    desk.chord(KeyModifiers::CONTROL, 's');
    desk.deliver_replies(&ticket, before);
    assert_eq!(
        desk.app.editor.document.design().seed,
        seed,
        "it is looked at once more"
    );
    assert!(desk.requested("reloading").is_some());
    desk.release(&READING);
    assert!(desk.app.dialogs.open.is_none() && !desk.app.editor.document.is_dirty());
    // Changes during a check are checked after it, and opening another design cancels it.
    fs::write(folder.path().join("castle.toml"), native::write(&design("Castle", 9))).unwrap();
    desk.hold(&READING);
    desk.send(Message::FilesChanged(Vec::new()));
    desk.send(Message::FilesChanged(Vec::new()));
    desk.release(&READING);
    assert_eq!(step_length(&desk), 9);
    desk.hold(&READING);
    desk.send(Message::FilesChanged(Vec::new()));
    desk.keys("p");
    desk.settle();
    desk.press(KeyCode::Enter);
    let name = desk.app.editor.document.title();
    desk.release(&READING);
    assert_eq!(desk.app.editor.document.title(), name);
    assert!(desk.app.dialogs.open.is_none());
}

/// Writes an oblong hall with a wall in it as text, and a picture of the same.
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
    let mut desk = desk(folder.path());
    assert!(!desk.text().contains("letter"), "{}", desk.text());
    desk.keys("maze");
    desk.settle();
    let text = desk.text();
    assert!(
        text.contains("maze.txt  a drawing") && text.contains("26 × 44 squares"),
        "{text}"
    );
    assert!(text.contains("preview of a new design"), "{text}");
    desk.press(KeyCode::Enter);
    desk.settle();
    assert!(matches!(desk.app.dialogs.open, Some(Dialog::Import)), "{}", desk.text());
    desk.press(KeyCode::Enter);
    desk.settle();
    let document = &desk.app.editor.document;
    assert_eq!((document.title().as_str(), document.is_dirty()), ("maze", true));
    assert!(document.files().is_empty());
    let layout = &document.design().layout;
    assert_eq!((layout.size, layout.walls.len()), (Size::new(26, 44), 5));
    assert_eq!(layout.crawlers.len(), 1, "something grows");
    assert!(desk.text().contains("5 wall tiles"), "{}", desk.text());
    // Losses stay among the diagnostics, and leaving asks about the unsaved design.
    let description: Vec<String> = document.diagnostics().map(ToString::to_string).collect();
    assert!(
        description
            .iter()
            .any(|description| description.contains("lies at row 4, column 0 on the outer ring")),
        "{description:?}"
    );
    desk.keys("q");
    assert!(
        matches!(desk.app.dialogs.open, Some(Dialog::Question(_))),
        "{}",
        desk.text()
    );
}

#[test]
fn what_is_no_drawing_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    fs::write(folder.path().join("grass.txt"), "Dear reader,\n").unwrap();
    desk.keys(&format!("{}/grass.txt", folder.path().display()));
    desk.settle();
    desk.press(KeyCode::Enter);
    desk.settle();
    let text = desk.text();
    assert!(
        text.contains("no line of") && text.contains("looks like a row of a maze"),
        "{text}"
    );
    assert_eq!(step_length(&desk), 3);
}

#[test]
fn a_drawing_is_laid_where_the_cursor_is_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    drawings(folder.path());
    let mut desk = desk(folder.path());
    desk.press(KeyCode::Esc);
    let before = desk.app.editor.document.shared();
    desk.keys("da");
    desk.settle();
    let text = desk.text();
    assert!(
        text.contains("Import a drawing into the design") && text.contains("maze.txt"),
        "{text}"
    );
    assert!(!text.contains("rooms4") && !text.contains("mmonite"), "{text}");
    desk.keys("maze");
    desk.settle();
    desk.press(KeyCode::Enter);
    desk.settle();
    assert!(
        desk.text().contains("Import maze.txt into the design"),
        "{}",
        desk.text()
    );
    desk.press(KeyCode::Enter);
    desk.settle();
    assert_eq!(desk.app.editor.document.shared(), before, "nothing is laid yet");
    let at = desk.app.editor.map.cursor();
    desk.press(KeyCode::Right);
    desk.settle();
    assert!(desk.text().contains("maze.txt placed at"), "{}", desk.text());
    desk.press(KeyCode::Enter);
    desk.settle();
    let layout = &desk.app.editor.document.design().layout;
    // The drawing's top left square is at the cursor; parts outside the dungeon are clipped.
    let corner = Point::new(at.x, at.y + 1);
    assert!(layout.walls.contains(&corner) && layout.walls.contains(&Point::new(at.x + 3, at.y + 11)));
    assert!(!layout.walls.contains(&Point::new(at.x + 1, at.y + 2)));
    assert!(layout.walls.iter().all(|at| layout.size.contains(*at)));
    desk.keys("u");
    assert_eq!(*desk.app.editor.document.design(), *before);
    desk.keys("da");
    desk.settle();
    let text = drawn_at_any_size(|area, buf| desk.app.draw_dialog(area, buf), (100, 30));
    assert!(text.contains("a drawing"), "{text}");
}

/// Returns the rows of the screen with control characters, which a terminal might interpret.
fn controls(desk: &TestApp) -> Vec<String> {
    let text = desk.text();
    let rows = text.lines().filter(|row| row.contains(crate::text::is_control));
    rows.map(|row| row.escape_debug().to_string()).collect()
}

#[test]
fn names_of_files_designs_and_maps_do_nothing_to_the_terminal() {
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
    let mut desk = TestApp::with(document, 120, 40);
    let mut wrong = controls(&desk);
    desk.keys("o");
    desk.settle();
    assert!(desk.text().contains("castle\\u{202e}\\u{1b}]0;x"), "{}", desk.text());
    wrong.extend(controls(&desk));
    for _ in 0..6 {
        desk.press(KeyCode::Down);
        desk.settle();
        wrong.extend(controls(&desk));
    }
    desk.press(KeyCode::Esc);
    // Every panel and view, the vault browser, the export, the help, and a notice with the name.
    for keys in [
        "\t", "1", "2", "3", "4", "5", "6", "7", "8", "9", "B", "?", "V", "i", "X", "E", ":", "S",
    ] {
        match keys {
            "\t" => desk.press(KeyCode::Tab),
            keys => desk.keys(keys),
        }
        desk.settle();
        wrong.extend(controls(&desk));
        desk.press(KeyCode::Esc);
        desk.settle();
        wrong.extend(controls(&desk));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
