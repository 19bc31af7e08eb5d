//! Tests of exports, driven by keys and mouse.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyModifiers, MouseEventKind};

use super::form::{ExportChoice, ExportFocus};
use crate::design::{CrawlerStart, Design};
use crate::document::Document;
use crate::export::{ColourBy, ExportKind, Ground, TextStyle};
use crate::format::native;
use crate::geometry::{Point, Size};
use crate::storage::DesignFiles;
use crate::tui::dialog::Dialog;
use crate::tui::fixture::{TestApp, drawn_at_any_size};

/// A small dungeon, wider than high, with three Crawlers.
fn design() -> Design {
    let mut design = Design {
        name: "Halls".into(),
        seed: 7,
        ..Design::default()
    };
    design.layout.size = Size::new(30, 60);
    for y in [10, 30, 50] {
        design.layout.crawlers.push(CrawlerStart {
            at: Point::new(0, y),
            direction: 2,
            ..CrawlerStart::default()
        });
    }
    design
}

/// Opens a file in a folder and grows its dungeon.
fn desk(folder: &Path, width: u16, height: u16) -> TestApp {
    let path = folder.join("halls.toml");
    fs::write(&path, native::write(&design())).unwrap();
    let document = Document::from_files(DesignFiles::Toml(path), None, None).unwrap();
    let mut desk = TestApp::with(document, width, height);
    desk.grow();
    desk.keys("G");
    desk
}

fn scrubbed(desk: &TestApp, folder: &Path) -> String {
    desk.text().replace(&folder.display().to_string(), "HOME")
}

fn foot(desk: &TestApp) -> String {
    desk.text().lines().last().unwrap_or_default().to_owned()
}

/// Selects a kind in the dialog.
fn choose(desk: &mut TestApp, kind: ExportKind) {
    desk.keys("g");
    for _ in 0..ExportKind::ALL.len() {
        if desk.app.dialogs.export.form.what == ExportChoice::Dungeon(kind) {
            break;
        }
        desk.press(KeyCode::Down);
    }
    assert_eq!(desk.app.dialogs.export.form.what, ExportChoice::Dungeon(kind));
}

#[test]
fn a_picture_is_chosen_by_keys_and_written_in_the_background() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path(), 120, 40);
    desk.keys("P");
    desk.settle();
    choose(&mut desk, ExportKind::Png);
    // Colours by age, on a light background, three pixels per square.
    desk.keys("\t");
    desk.press(KeyCode::Down);
    desk.keys("l");
    desk.press(KeyCode::Down);
    desk.keys(" ");
    desk.press(KeyCode::Down);
    desk.keys("3");
    desk.settle();
    insta::assert_snapshot!("export_120x40", scrubbed(&desk, folder.path()));
    desk.press(KeyCode::Enter);
    assert!(
        desk.app.dialogs.open.is_none() && foot(&desk).contains("halls-7.png"),
        "{}",
        foot(&desk)
    );
    desk.settle();
    assert!(foot(&desk).contains("written: halls-7.png ("), "{}", foot(&desk));
    let file = fs::read(folder.path().join("halls-7.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    assert_eq!((reader.info().width, reader.info().height), (180, 90));
    let options = desk.app.dialogs.export.form.options(ExportKind::Png);
    assert_eq!(
        (options.by, options.ground, options.scale),
        (ColourBy::Age, Some(Ground::Light), Some(3))
    );
    // The size shown in the dialog is correct.
    desk.keys("P");
    desk.settle();
    assert!(
        desk.text()
            .contains(&format!("180 × 90 pixels · {}", super::queue::bytes(file.len() as u64))),
        "{}",
        desk.text()
    );
    assert_eq!(
        desk.app.dialogs.export.form.part,
        ExportFocus::List,
        "the choices were kept"
    );
}

#[test]
fn existing_files_are_replaced_only_when_confirmed() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path(), 100, 30);
    fs::write(folder.path().join("halls-7.tiles.png"), "mine").unwrap();
    desk.keys("P");
    choose(&mut desk, ExportKind::Tmx);
    desk.settle();
    assert!(
        desk.text().contains("and beside it halls-7.tiles.png ("),
        "{}",
        desk.text()
    );
    desk.press(KeyCode::Enter);
    assert!(
        desk.text().contains("halls-7.tiles.png exists already"),
        "{}",
        desk.text()
    );
    desk.press(KeyCode::Esc);
    desk.settle();
    assert_eq!(fs::read(folder.path().join("halls-7.tiles.png")).unwrap(), b"mine");
    assert!(!folder.path().join("halls-7.tmx").exists());
    desk.keys("P");
    desk.press(KeyCode::Enter);
    desk.keys("r");
    desk.settle();
    assert!(foot(&desk).contains("written: halls-7.tmx"), "{}", foot(&desk));
    let map = tiled::Loader::new()
        .load_tmx_map(folder.path().join("halls-7.tmx"))
        .unwrap();
    assert_eq!((map.width, map.height), (60, 30));
    // Repeating after an edit asks no question; the file contains what the screen shows now.
    let before = fs::read(folder.path().join("halls-7.tmx")).unwrap();
    desk.chord(KeyModifiers::ALT, '1');
    desk.keys("+");
    desk.grow();
    desk.chord(KeyModifiers::CONTROL, 'e');
    desk.settle();
    assert!(foot(&desk).contains("written: halls-7.tmx"), "{}", foot(&desk));
    assert_ne!(fs::read(folder.path().join("halls-7.tmx")).unwrap(), before);
}

#[test]
fn the_turn_that_is_shown_is_written_when_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path(), 80, 24);
    desk.keys("g");
    for _ in 0..5 {
        desk.keys(".");
    }
    desk.keys("P");
    choose(&mut desk, ExportKind::Text(TextStyle::Digits));
    desk.settle();
    let grown = desk.text();
    desk.keys("\t ");
    desk.settle();
    assert_ne!(desk.text(), grown);
    insta::assert_snapshot!("export_of_a_turn_80x24", scrubbed(&desk, folder.path()));
    desk.press(KeyCode::Enter);
    desk.settle();
    let text = fs::read_to_string(folder.path().join("halls-7-turn-5.txt")).unwrap();
    let walls = text.chars().filter(char::is_ascii_digit).count() as u64;
    assert_eq!(walls, desk.app.editor.time.frame().unwrap().tiles().iter().sum::<u64>());
    assert!(walls > 0 && text.lines().count() == 30);
}

#[test]
fn a_path_is_typed_and_completed_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("maps")).unwrap();
    fs::create_dir(folder.path().join("mazes")).unwrap();
    let mut desk = desk(folder.path(), 100, 30);
    desk.keys("P");
    choose(&mut desk, ExportKind::Csv);
    // Wraps around the list; this kind has only the moment option.
    desk.press(KeyCode::BackTab);
    assert_eq!(desk.app.dialogs.export.form.part, ExportFocus::Path);
    let typed = |desk: &TestApp| desk.app.dialogs.export.form.paths()[0].text().to_owned();
    let home = folder.path().display().to_string();
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.keys(&format!("{home}/m\t"));
    desk.settle();
    assert_eq!(typed(&desk), format!("{home}/ma"));
    assert!(desk.text().contains("maps/  mazes/"), "{}", desk.text());
    desk.keys("p\t");
    desk.settle();
    assert_eq!(typed(&desk), format!("{home}/maps/"));
    // An existing folder gets the proposed file name.
    desk.press(KeyCode::Enter);
    desk.settle();
    assert!(folder.path().join("maps/halls-7.csv").exists());
    let refused = |desk: &mut TestApp, path: &str, why: &str| {
        desk.keys("P");
        desk.press(KeyCode::BackTab);
        desk.chord(KeyModifiers::CONTROL, 'u');
        desk.keys(path);
        desk.press(KeyCode::Enter);
        assert!(desk.text().contains(why), "{}", desk.text());
        assert!(matches!(desk.app.dialogs.open, Some(Dialog::Export)));
        desk.press(KeyCode::Esc);
    };
    refused(&mut desk, "", "type the path of the file");
    refused(&mut desk, "no/such/folder/x.csv", "there is no folder no/such/folder");
    refused(&mut desk, "x.svg", "a name that ends in .svg is for svg");
    refused(&mut desk, &format!("{home}/halls.toml"), "the design's own file");
    // A typed name follows the extension of the chosen kind.
    desk.keys("P");
    desk.press(KeyCode::BackTab);
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.keys("level.csv");
    desk.press(KeyCode::Down);
    desk.keys("j");
    assert_eq!(typed(&desk), "level.json");
    desk.press(KeyCode::Esc);
    desk.keys("P");
    assert_eq!(typed(&desk), "level.json", "for the same design");
}

#[test]
fn exports_wait_for_one_another_and_can_be_ended() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path(), 120, 30);
    let giant = |desk: &mut TestApp| {
        desk.keys("P");
        choose(desk, ExportKind::Png);
        desk.keys("\t");
        for _ in 0..3 {
            desk.press(KeyCode::Down);
        }
        desk.keys("4096");
        // Too large to be counted or exported in time.
        desk.press(KeyCode::Enter);
    };
    giant(&mut desk);
    assert!(foot(&desk).contains("halls-7.png ░░░"), "{}", foot(&desk));
    desk.keys("P");
    choose(&mut desk, ExportKind::Csv);
    desk.press(KeyCode::Enter);
    assert!(
        foot(&desk).contains("halls-7.csv is written after halls-7.png"),
        "{}",
        foot(&desk)
    );
    assert!(foot(&desk).contains("+1"));
    // Quitting asks first; staying loses nothing.
    desk.keys("q");
    insta::assert_snapshot!("leaving_while_writing", desk.text());
    desk.press(KeyCode::Esc);
    assert_eq!(desk.quit, None);
    // Editing meanwhile does not disturb the exports. The first is cancelled by mouse, and the other is written.
    let sign = foot(&desk).chars().position(|c| c == '×').unwrap();
    desk.click(sign as u16, 29);
    assert!(
        foot(&desk).contains("export cancelled: halls-7.png was not written"),
        "{}",
        foot(&desk)
    );
    desk.settle();
    assert!(foot(&desk).contains("written: halls-7.csv"), "{}", foot(&desk));
    // The cancelled export may still be deleting its temporary file.
    let patience = Instant::now() + Duration::from_mins(4);
    loop {
        let mut names: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name())
            .collect();
        names.sort();
        if names == ["halls-7.csv", "halls.toml"] {
            break;
        }
        assert!(Instant::now() < patience, "a half file is left: {names:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
    desk.chord(KeyModifiers::CONTROL, 'x');
    assert!(foot(&desk).contains("nothing is being exported"), "{}", foot(&desk));
    // Quitting later waits for the file; quitting at once leaves no partial file.
    giant(&mut desk);
    desk.keys("qe");
    assert_eq!(desk.quit, Some(0));
}

#[test]
fn who_leaves_when_it_is_written_leaves_then_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path(), 120, 30);
    desk.keys("P");
    choose(&mut desk, ExportKind::Json);
    desk.press(KeyCode::Enter);
    desk.keys("qw");
    assert_eq!(desk.quit, None);
    desk.settle();
    assert_eq!(desk.quit, Some(0));
    assert!(folder.path().join("halls-7.json").exists());
}

#[test]
fn what_cannot_be_written_is_reported_in_the_footer_and_delays_quitting() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path(), 120, 30);
    fs::create_dir(folder.path().join("maps")).unwrap();
    desk.keys("P");
    choose(&mut desk, ExportKind::Csv);
    desk.press(KeyCode::BackTab);
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.keys(&format!("{}/maps/level.csv", folder.path().display()));
    fs::create_dir(folder.path().join("maps/level.csv")).unwrap();
    desk.press(KeyCode::Enter);
    desk.settle();
    // An existing folder of that name receives the file; one that vanished cannot.
    assert!(
        folder.path().join("maps/level.csv/halls-7.csv").exists(),
        "{}",
        desk.text()
    );
    fs::remove_dir_all(folder.path().join("maps")).unwrap();
    desk.chord(KeyModifiers::CONTROL, 'e');
    desk.keys("qw");
    desk.settle();
    assert_eq!(desk.quit, None, "it must be read");
    assert!(
        desk.text().contains("halls-7.csv was not written: cannot write"),
        "{}",
        desk.text()
    );
}

#[test]
fn everything_is_done_by_the_mouse_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path(), 120, 40);
    desk.keys("P");
    let find = |desk: &TestApp, text: &str| {
        let screen = desk.text();
        let (y, line) = screen
            .lines()
            .enumerate()
            .find(|(_, line)| line.contains(text))
            .unwrap();
        let x = line[..line.find(text).unwrap()].chars().count();
        (x as u16, y as u16)
    };
    let (x, y) = find(&desk, "uvtt");
    desk.click(x, y);
    assert_eq!(
        desk.app.dialogs.export.form.what,
        ExportChoice::Dungeon(ExportKind::Uvtt)
    );
    let (x, y) = find(&desk, "doors  ");
    desk.click(x + 16, y);
    assert!(desk.app.dialogs.export.form.options(ExportKind::Uvtt).open_doors);
    let (x, y) = find(&desk, "grid ");
    desk.mouse(MouseEventKind::ScrollUp, x + 16, y);
    desk.mouse(MouseEventKind::ScrollUp, x + 16, y);
    assert_eq!(desk.app.dialogs.export.form.options(ExportKind::Uvtt).grid, Some(2));
    let (x, y) = find(&desk, "‹");
    desk.click(x, y);
    assert_eq!(desk.app.dialogs.export.form.options(ExportKind::Uvtt).grid, Some(1));
    let (x, y) = find(&desk, "file  ");
    desk.click(x + 10, y);
    assert_eq!(desk.app.dialogs.export.form.part, ExportFocus::Path);
    desk.mouse(MouseEventKind::ScrollUp, 10, 10);
    assert_ne!(
        desk.app.dialogs.export.form.what,
        ExportChoice::Dungeon(ExportKind::Uvtt)
    );
    let (x, y) = find(&desk, "Enter export");
    desk.click(x + 7, y);
    desk.settle();
    assert!(foot(&desk).contains("written: halls-7."), "{}", foot(&desk));
}

#[test]
fn without_a_dungeon_only_the_design_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("halls.toml");
    fs::write(&path, native::write(&design())).unwrap();
    let mut desk = TestApp::with(
        Document::from_files(DesignFiles::Toml(path), None, None).unwrap(),
        80,
        24,
    );
    desk.keys("P");
    assert_eq!(desk.app.dialogs.export.form.what, ExportChoice::Toml);
    assert!(desk.text().contains("nothing has grown yet"), "{}", desk.text());
    desk.press(KeyCode::Up);
    assert_eq!(desk.app.dialogs.export.form.what, ExportChoice::Toml);
    desk.chord(KeyModifiers::CONTROL, 'e');
    desk.press(KeyCode::Esc);
    desk.chord(KeyModifiers::CONTROL, 'e');
    assert!(foot(&desk).contains("nothing exported yet"), "{}", foot(&desk));
}

#[test]
fn the_dialog_is_drawn_at_any_size_and_in_any_colours() {
    use crate::tui::{Depth, Ground, Theme};
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path(), 40, 12);
    desk.keys("P");
    for _ in ExportChoice::rows() {
        desk.settle();
        for theme in [
            Theme::new(Depth::None),
            Theme::new(Depth::Sixteen),
            Theme::new(Depth::Sixteen).on(Ground::Light),
            Theme::new(Depth::True).on(Ground::Light),
        ] {
            desk.app.editor.theme = theme;
            desk.screen();
        }
        drawn_at_any_size(
            |area, buf| super::draw(&desk.app.dialogs.export, &desk.app.editor, area, buf),
            (40, 12),
        );
        for part in ["\t", "\t", "\t"] {
            desk.keys(part);
            desk.screen();
            drawn_at_any_size(
                |area, buf| super::draw(&desk.app.dialogs.export, &desk.app.editor, area, buf),
                (60, 20),
            );
        }
        desk.app.dialogs.export.form.part = ExportFocus::List;
        desk.press(KeyCode::Down);
    }
    desk.keys("g");
    choose(&mut desk, ExportKind::Gif);
    desk.settle();
    desk.keys("\tG");
    insta::assert_snapshot!("export_40x12", scrubbed(&desk, folder.path()));
}

#[test]
fn a_number_with_other_characters_is_refused_and_not_read_without_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path(), 100, 30);
    desk.keys("P");
    choose(&mut desk, ExportKind::Png);
    desk.keys("\t");
    let scale = |desk: &TestApp| desk.app.dialogs.export.form.options(ExportKind::Png).scale;
    for _ in 0..12 {
        desk.press(KeyCode::Down);
        desk.keys("2");
        if scale(&desk).is_some() {
            break;
        }
    }
    assert_eq!(scale(&desk), Some(2));
    desk.keys("x");
    assert!(foot(&desk).contains("`x` is not allowed"), "{}", foot(&desk));
    desk.keys("40");
    assert_eq!(scale(&desk), Some(2), "2x40 is not 240");
    desk.press(KeyCode::Backspace);
    assert_eq!(scale(&desk), None);
    desk.keys("8");
    assert_eq!(scale(&desk), Some(8));
}
