//! Tests of imports, driven by keys and mouse.

use std::fs;
use std::path::{Path, PathBuf};

use crossterm::event::{KeyCode, MouseEventKind};

use super::ImportPurpose;
use super::lines::ImportLine;
use crate::background::Message;
use crate::design::Design;
use crate::document::Document;
use crate::geometry::{Point, Size};
use crate::import::ImportSetting;
use crate::tui::dialog::Dialog;
use crate::tui::fixture::{TestApp, drawn_at_any_size};

/// Returns a picture of a hall with a wall in it, `side` pixels per square; the wall is grey, not black.
fn picture(rows: i32, columns: i32, wall: std::ops::Range<i32>, side: usize) -> Vec<u8> {
    let mut pixels = Vec::new();
    for x in 0..rows {
        let row = (0..columns).flat_map(|y| {
            let is_ring = x == 0 || y == 0 || x == rows - 1 || y == columns - 1;
            let shade = match () {
                () if is_ring => 0,
                () if x == 5 && wall.contains(&y) => 93,
                () => 255,
            };
            vec![shade; side]
        });
        let row: Vec<u8> = row.collect();
        (0..side).for_each(|_| pixels.extend(&row));
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, columns as u32 * side as u32, rows as u32 * side as u32);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&pixels).unwrap();
    writer.finish().unwrap();
    bytes
}

fn put(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// Opens the import dialog for a drawing.
fn opened(path: &Path, purpose: ImportPurpose, width: u16, height: u16) -> TestApp {
    let mut designer = TestApp::new(width, height);
    open(&mut designer, path, purpose);
    designer
}

fn open(designer: &mut TestApp, path: &Path, purpose: ImportPurpose) {
    designer.app.show_import(path, purpose);
    designer.perform(Vec::new());
    designer.run_jobs();
}

/// Selects a line by its name.
fn select(designer: &mut TestApp, line: ImportLine) {
    designer.press(KeyCode::Home);
    for _ in 0..30 {
        if designer.app.dialogs.import.form.as_ref().unwrap().selected() == Some(line) {
            return;
        }
        designer.press(KeyCode::Down);
    }
    panic!("no line {line:?}:\n{}", designer.text());
}

/// Reports a changed file to the app, as the watcher does.
fn changed(designer: &mut TestApp, path: &Path) {
    designer.send(Message::FilesChanged(vec![path.to_owned()]));
    designer.run_jobs();
}

fn walls(designer: &TestApp) -> usize {
    designer.app.editor.document.design().layout.walls.len()
}

fn foot(designer: &TestApp) -> String {
    designer.text().lines().last().unwrap_or_default().to_owned()
}

#[test]
fn the_result_of_a_picture_is_previewed_before_it_is_imported() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "hall.png", &picture(20, 30, 10..16, 4));
    let mut designer = opened(&path, ImportPurpose::Design, 100, 30);
    let before = designer.app.editor.document.shared();
    let text = designer.text();
    assert!(
        text.contains("Import hall.png") && text.contains("20 × 30 squares · 6 wall tiles"),
        "{text}"
    );
    assert!(text.contains("4 × 4 pixels are one square"), "{text}");
    insta::assert_snapshot!("import_100x30", text);
    // With a threshold darker than the grey wall, there is no wall inside the hall, and a ring is added around it.
    select(&mut designer, ImportLine::Setting(ImportSetting::Threshold));
    designer.keys("20");
    designer.run_jobs();
    assert!(
        designer.text().contains("20 × 30 squares · a dungeon of 20 × 30"),
        "{}",
        designer.text()
    );
    designer.press(KeyCode::Backspace);
    designer.press(KeyCode::Backspace);
    select(&mut designer, ImportLine::Setting(ImportSetting::Enlarge));
    designer.press(KeyCode::Right);
    designer.run_jobs();
    assert!(
        designer.text().contains("40 × 60 squares · 212 wall tiles"),
        "{}",
        designer.text()
    );
    // Nothing is imported before the user confirms it.
    designer.press(KeyCode::Esc);
    assert!(designer.app.dialogs.open.is_none());
    assert_eq!(designer.app.editor.document.shared(), before);
    open(&mut designer, &path, ImportPurpose::Design);
    assert!(
        designer.text().contains("20 × 30 squares · 6"),
        "cancelled settings are not remembered"
    );
    select(&mut designer, ImportLine::Setting(ImportSetting::KeepOpen));
    designer.keys(" ");
    // Enter waits for the preview in progress.
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    let document = &designer.app.editor.document;
    assert_eq!((document.title().as_str(), document.is_dirty()), ("hall", true));
    assert_eq!(document.design().layout.size, Size::new(20, 30));
    assert_eq!(document.design().layout.open.len(), 18 * 28 - 6);
    assert!(designer.watched.contains(&path), "{:?}", designer.watched);
    // The settings are remembered for this file during the session.
    open(&mut designer, &path, ImportPurpose::Design);
    assert!(
        designer
            .app
            .dialogs
            .import
            .form
            .as_ref()
            .unwrap()
            .import
            .placing
            .keep_open
    );
}

#[test]
fn broken_and_missing_files_are_reported_and_cannot_be_imported() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = picture(20, 30, 10..16, 4);
    let cut = put(folder.path(), "cut.png", &bytes[..40]);
    let white = put(folder.path(), "white.txt", b"....\n....\n");
    let absent = folder.path().join("absent.tmx");
    for (path, said) in [
        (cut, "cannot be read as a PNG picture"),
        (white, "has no walls"),
        (absent, "absent.tmx"),
    ] {
        let mut designer = opened(&path, ImportPurpose::Design, 100, 30);
        let before = designer.app.editor.document.shared();
        let text = designer.text();
        assert!(text.contains(said) && text.contains("nothing to import"), "{text}");
        designer.press(KeyCode::Enter);
        designer.run_jobs();
        assert!(matches!(designer.app.dialogs.open, Some(Dialog::Import)));
        assert_eq!(designer.app.editor.document.shared(), before);
        // Changing a setting requests a new preview.
        select(&mut designer, ImportLine::Setting(ImportSetting::Trim));
        designer.keys(" ");
        designer.run_jobs();
        assert!(designer.text().contains(said));
    }
}

#[test]
fn layers_are_chosen_and_walls_are_typed() {
    let folder = tempfile::tempdir().unwrap();
    let layer = |name: &str, data: &str| {
        format!("<layer name=\"{name}\" width=\"4\" height=\"3\"><data encoding=\"csv\">{data}</data></layer>")
    };
    let map = format!(
        "<map><tileset firstgid=\"1\"/>{}{}</map>",
        layer("walls", "1,1,1,1,1,0,0,1,1,1,1,1"),
        layer("rocks", "0,0,0,0,0,2,3,0,0,0,0,0"),
    );
    let path = put(folder.path(), "a.tmx", map.as_bytes());
    let mut designer = opened(&path, ImportPurpose::Design, 100, 40);
    assert!(designer.text().contains("3 × 4 squares"), "{}", designer.text());
    select(&mut designer, ImportLine::Setting(ImportSetting::Layer));
    designer.press(KeyCode::Right);
    designer.press(KeyCode::Right);
    designer.run_jobs();
    let text = designer.text();
    assert!(text.contains("rocks") && text.contains("2 wall tiles"), "{text}");
    // In a text field, letters are text rather than the dialog's keys.
    select(&mut designer, ImportLine::Setting(ImportSetting::Walls));
    designer.keys("2");
    designer.run_jobs();
    assert!(designer.text().contains("1 wall tile "), "{}", designer.text());
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert_eq!(walls(&designer), 1);
    let path = put(folder.path(), "q.txt", b"qqq\nq.q\nqqq\n");
    open(&mut designer, &path, ImportPurpose::Design);
    select(&mut designer, ImportLine::Setting(ImportSetting::Walls));
    designer.keys("q");
    designer.run_jobs();
    assert!(designer.text().contains("3 × 3 squares"), "{}", designer.text());
    assert!(matches!(designer.app.dialogs.open, Some(Dialog::Import)));
}

#[test]
fn the_mouse_changes_options_and_imports() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "hall.png", &picture(20, 30, 10..16, 1));
    let mut designer = opened(&path, ImportPurpose::Design, 100, 30);
    let place = |designer: &TestApp, text: &str| {
        let screen = designer.text();
        let row = screen.lines().position(|line| line.contains(text)).unwrap();
        let line = screen.lines().nth(row).unwrap();
        let column = line[..line.find(text).unwrap()].chars().count();
        (column as u16, row as u16)
    };
    let (x, y) = place(&designer, "enlarge");
    designer.click(x + 16, y);
    designer.mouse(MouseEventKind::ScrollUp, x + 16, y);
    designer.run_jobs();
    assert!(designer.text().contains("60 × 90 squares"), "{}", designer.text());
    let (x, y) = place(&designer, "Enter import");
    designer.click(x + 2, y);
    designer.run_jobs();
    assert_eq!(designer.app.editor.document.design().layout.size, Size::new(60, 90));
}

#[test]
fn an_import_ends_when_another_design_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "hall.png", &picture(20, 30, 10..16, 1));
    let mut designer = TestApp::new(100, 30);
    designer.app.show_import(&path, ImportPurpose::Design);
    designer.perform(Vec::new());
    // The import is accepted before its preview has arrived.
    designer.press(KeyCode::Enter);
    let design = Design {
        name: "Another".into(),
        ..Design::default()
    };
    let effects = designer.app.open(Document::new(design, None));
    designer.perform(effects);
    designer.run_jobs();
    assert_eq!(designer.app.editor.document.design().name, "Another");
    assert!(designer.app.dialogs.import.form.is_none() && designer.app.dialogs.open.is_none());
}

#[test]
fn a_drawing_is_placed_with_its_options_and_reimported_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "corner.txt", b"###\n#..\n");
    let mut designer = opened(&path, ImportPurpose::Tiles, 120, 40);
    assert!(
        designer.text().contains("Import corner.txt into the design"),
        "{}",
        designer.text()
    );
    select(&mut designer, ImportLine::Place(super::lines::Axis::X));
    designer.keys("9");
    designer.press(KeyCode::Down);
    designer.keys("12");
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert_eq!(walls(&designer), 0, "nothing is laid yet");
    assert_eq!(designer.app.editor.map.cursor(), Point::new(9, 12));
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert_eq!(walls(&designer), 4);
    assert!(designer.watched.contains(&path));
    // An unchanged file is not reported.
    changed(&mut designer, &path);
    assert_eq!(designer.app.editor.status.alert, None);
    // The user removes a wall; then the file changes.
    let gone = Point::new(9, 13);
    designer
        .app
        .editor
        .edit("one wall fewer", |design| design.layout.walls.retain(|at| *at != gone));
    designer.perform(Vec::new());
    let edited = designer.app.editor.document.shared();
    put(folder.path(), "corner.txt", b"##.\n#.#\n");
    changed(&mut designer, &path);
    assert_eq!(
        designer.app.editor.document.shared(),
        edited,
        "the change is offered but not applied"
    );
    assert!(
        foot(&designer).contains("corner.txt was changed on disk: I imports it again (2 squares)"),
        "{}",
        foot(&designer)
    );
    designer.keys("I");
    designer.run_jobs();
    let mut now = designer.app.editor.document.design().layout.walls.clone();
    now.sort_unstable();
    let expected = [(9, 12), (10, 12), (10, 14)].map(|(x, y)| Point::new(x, y));
    assert_eq!(now, expected);
    assert!(
        foot(&designer).contains("corner.txt imported again: 2 squares"),
        "{}",
        foot(&designer)
    );
    assert_eq!(designer.app.editor.status.alert, None);
    designer.keys("u");
    assert_eq!(*designer.app.editor.document.design(), *edited, "one step");
    // After the re-import was undone, the drawing can be imported again; an invalid file is reported.
    designer.keys("I");
    designer.run_jobs();
    assert_eq!(walls(&designer), 3);
    put(folder.path(), "corner.txt", b"Dear reader,\n");
    changed(&mut designer, &path);
    assert!(
        designer
            .text()
            .contains("corner.txt was changed on disk and cannot be imported"),
        "{}",
        designer.text()
    );
    assert_eq!(walls(&designer), 3);
    put(folder.path(), "corner.txt", b"##.\n#.#\n");
    changed(&mut designer, &path);
    assert_eq!(
        designer.app.editor.status.alert, None,
        "the file equals the last import"
    );
    // Once the drawing is removed, there is nothing to import again.
    designer.keys("uuu");
    assert_eq!(walls(&designer), 0);
    designer.keys("I");
    designer.run_jobs();
    assert!(
        foot(&designer).contains("no longer contains any square of the drawing"),
        "{}",
        foot(&designer)
    );
    assert_eq!(walls(&designer), 0);
}

#[test]
fn a_drawing_placed_at_the_cursor_is_centred_in_a_new_design() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "corner.txt", b"###\n#..\n");
    let mut designer = opened(&path, ImportPurpose::Tiles, 120, 40);
    select(&mut designer, ImportLine::Place(super::lines::Axis::X));
    designer.keys("9");
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert!(designer.app.dialogs.import.form.is_none(), "{}", designer.text());
    open(&mut designer, &path, ImportPurpose::Design);
    let form = designer.app.dialogs.import.form.as_ref().unwrap();
    assert_eq!(form.import.placing.at, None);
}

#[test]
fn a_design_made_from_a_picture_grows_with_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "hall.png", &picture(30, 40, 10..16, 2));
    let mut designer = opened(&path, ImportPurpose::Design, 120, 40);
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    let first = designer.app.editor.document.shared();
    put(folder.path(), "hall.png", &picture(40, 50, 8..20, 2));
    changed(&mut designer, &path);
    assert!(designer.text().contains("I imports it again"), "{}", designer.text());
    // Esc dismisses the offer; it does not return for the same contents.
    designer.press(KeyCode::Esc);
    changed(&mut designer, &path);
    assert_eq!(designer.app.editor.status.alert, None);
    designer.keys("I");
    designer.run_jobs();
    let layout = &designer.app.editor.document.design().layout;
    assert_eq!((layout.size, layout.walls.len()), (Size::new(40, 50), 12));
    designer.keys("u");
    assert_eq!(*designer.app.editor.document.design(), *first);
    // After another design is opened, there is no drawing to import again.
    let effects = designer.app.open(Document::new(Design::default(), None));
    designer.perform(effects);
    designer.keys("I");
    assert!(foot(&designer).contains("no drawing"), "{}", foot(&designer));
}

#[test]
fn the_dialog_stays_inside_any_screen() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "hall.png", &picture(200, 300, 10..200, 1));
    let mut designer = opened(&path, ImportPurpose::Design, 80, 24);
    insta::assert_snapshot!("import_80x24", designer.text());
    for (width, height) in [(40, 12), (1, 1), (59, 40), (200, 60)] {
        designer.send(Message::Input(crossterm::event::Event::Resize(width, height)));
        designer.run_jobs();
        drawn_at_any_size(
            |area, buf| super::draw(&designer.app.dialogs.import, &designer.app.editor, area, buf),
            (width, height),
        );
    }
}
