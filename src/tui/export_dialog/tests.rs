//! Tests of exports, driven by keys and mouse.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyModifiers, MouseEventKind};

use super::areas::ExportAreas;
use super::form::{ExportChoice, ExportFocus};
use super::options::OptionLine;
use crate::background::{Message, PreviewContent};
use crate::design::{CrawlerStart, Design};
use crate::document::Document;
use crate::export::{CastVersion, ColourBy, ExportKind, ExportSetting, Ground, TextStyle};
use crate::format::native;
use crate::geometry::{Point, Size};
use crate::storage::DesignFiles;
use crate::tui::dialog::Dialog;
use crate::tui::fixture::{TestApp, drawn_at_any_size};
use crate::tui::widget::prompt::{TextField, TextKind};

/// Returns a small design, wider than tall, with three Crawlers.
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

/// Writes the design to a file in a folder, opens it and grows its dungeon.
fn test_app(folder: &Path, width: u16, height: u16) -> TestApp {
    let path = folder.join("halls.toml");
    fs::write(&path, native::write(&design())).unwrap();
    let document = Document::from_files(DesignFiles::Toml(path), None, None).unwrap();
    let mut designer = TestApp::with(document, width, height);
    designer.grow();
    designer.keys("G");
    designer
}

fn scrubbed(designer: &TestApp, folder: &Path) -> String {
    designer.text().replace(&folder.display().to_string(), "HOME")
}

fn foot(designer: &TestApp) -> String {
    designer.text().lines().last().unwrap_or_default().to_owned()
}

/// Selects a kind in the dialog.
fn choose(designer: &mut TestApp, kind: ExportKind) {
    designer.keys("g");
    for _ in 0..ExportKind::ALL.len() {
        if designer.app.dialogs.export.form.what == ExportChoice::Dungeon(kind) {
            break;
        }
        designer.press(KeyCode::Down);
    }
    assert_eq!(designer.app.dialogs.export.form.what, ExportChoice::Dungeon(kind));
}

#[test]
fn a_picture_is_chosen_by_keys_and_written_in_the_background() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 120, 40);
    designer.keys("P");
    designer.run_jobs();
    choose(&mut designer, ExportKind::Png);
    // Chooses colours by age, a light background, and three pixels per square.
    designer.keys("\t");
    designer.press(KeyCode::Down);
    designer.keys("l");
    designer.press(KeyCode::Down);
    designer.keys(" ");
    designer.press(KeyCode::Down);
    designer.keys("3");
    designer.run_jobs();
    insta::assert_snapshot!("export_120x40", scrubbed(&designer, folder.path()));
    designer.press(KeyCode::Enter);
    assert!(
        designer.app.dialogs.open.is_none() && foot(&designer).contains("halls-7.png"),
        "{}",
        foot(&designer)
    );
    designer.run_jobs();
    assert!(
        foot(&designer).contains("written: halls-7.png ("),
        "{}",
        foot(&designer)
    );
    let file = fs::read(folder.path().join("halls-7.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    assert_eq!((reader.info().width, reader.info().height), (180, 90));
    let options = designer.app.dialogs.export.form.options(ExportKind::Png);
    assert_eq!(
        (options.by, options.ground, options.scale),
        (ColourBy::Age, Some(Ground::Light), Some(3))
    );
    // The dialog shows the size of the file that is written.
    designer.keys("P");
    designer.run_jobs();
    assert!(
        designer
            .text()
            .contains(&format!("180 × 90 pixels · {}", super::queue::bytes(file.len() as u64))),
        "{}",
        designer.text()
    );
    assert_eq!(
        designer.app.dialogs.export.form.part,
        ExportFocus::List,
        "the choices were kept"
    );
}

#[test]
fn a_legend_does_not_hide_the_last_rows_of_the_preview() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("halls.toml");
    let mut large = design();
    // Grows, opens the dialog, and returns the height of the preview.
    let mut begin = |rows: i32| {
        large.layout.size.x = rows;
        fs::write(&path, native::write(&large)).unwrap();
        let document = Document::from_files(DesignFiles::Toml(path.clone()), None, None).unwrap();
        let mut designer = TestApp::with(document, 120, 40);
        designer.grow();
        designer.keys("P");
        choose(&mut designer, ExportKind::Png);
        designer.run_jobs();
        let form = &designer.app.dialogs.export.form;
        let height = ExportAreas::of(form, designer.app.editor.screen).preview.height;
        (designer, usize::from(height))
    };
    let (_, height) = begin(30);
    // With eight pixels per character, this dungeon needs all rows.
    let (mut designer, _) = begin(4 * height as i32);
    let rows = |designer: &TestApp| match &designer.app.dialogs.export.form.sample {
        Some((_, Ok(sample))) => match &sample.shown {
            PreviewContent::Picture { rows, .. } => rows.len(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    assert_eq!(rows(&designer), 4 * height);
    designer.keys("\t");
    while designer.app.dialogs.export.form.selected() != Some(OptionLine::Setting(ExportSetting::Legend)) {
        designer.press(KeyCode::Down);
    }
    designer.keys(" ");
    designer.run_jobs();
    assert!(designer.text().contains('■'), "{}", designer.text());
    assert!(rows(&designer) <= 4 * (height - 1));
}

#[test]
fn existing_files_are_replaced_only_when_confirmed() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 100, 30);
    fs::write(folder.path().join("halls-7.tiles.png"), "mine").unwrap();
    designer.keys("P");
    choose(&mut designer, ExportKind::Tmx);
    designer.run_jobs();
    assert!(
        designer.text().contains("also writes halls-7.tiles.png ("),
        "{}",
        designer.text()
    );
    designer.press(KeyCode::Enter);
    assert!(
        designer.text().contains("halls-7.tiles.png exists already"),
        "{}",
        designer.text()
    );
    designer.press(KeyCode::Esc);
    designer.run_jobs();
    assert_eq!(fs::read(folder.path().join("halls-7.tiles.png")).unwrap(), b"mine");
    assert!(!folder.path().join("halls-7.tmx").exists());
    designer.keys("P");
    designer.press(KeyCode::Enter);
    designer.keys("r");
    designer.run_jobs();
    assert!(foot(&designer).contains("written: halls-7.tmx"), "{}", foot(&designer));
    let map = tiled::Loader::new()
        .load_tmx_map(folder.path().join("halls-7.tmx"))
        .unwrap();
    assert_eq!((map.width, map.height), (60, 30));
    // Repeating the export after an edit asks no question; the file contains what the screen shows now.
    let before = fs::read(folder.path().join("halls-7.tmx")).unwrap();
    designer.chord(KeyModifiers::ALT, '1');
    designer.keys("+");
    designer.grow();
    designer.chord(KeyModifiers::CONTROL, 'e');
    designer.run_jobs();
    assert!(foot(&designer).contains("written: halls-7.tmx"), "{}", foot(&designer));
    assert_ne!(fs::read(folder.path().join("halls-7.tmx")).unwrap(), before);
}

#[test]
fn the_turn_shown_can_be_exported() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 80, 24);
    designer.keys("g");
    for _ in 0..5 {
        designer.keys(".");
    }
    designer.keys("P");
    choose(&mut designer, ExportKind::Text(TextStyle::Digits));
    designer.run_jobs();
    let grown = designer.text();
    designer.keys("\t ");
    designer.run_jobs();
    assert_ne!(designer.text(), grown);
    insta::assert_snapshot!("export_of_a_turn_80x24", scrubbed(&designer, folder.path()));
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    let text = fs::read_to_string(folder.path().join("halls-7-turn-5.txt")).unwrap();
    let walls = text.chars().filter(char::is_ascii_digit).count() as u64;
    assert_eq!(
        walls,
        designer.app.editor.time.frame().unwrap().tiles().iter().sum::<u64>()
    );
    assert!(walls > 0 && text.lines().count() == 30);
}

#[test]
fn a_script_of_moments_is_typed_and_replaces_the_duration() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 120, 40);
    designer.keys("P");
    choose(&mut designer, ExportKind::Png);
    designer.keys("\t");
    assert!(!designer.text().contains("moments"), "{}", designer.text());
    designer.press(KeyCode::BackTab);
    choose(&mut designer, ExportKind::Cast(CastVersion::Two));
    designer.keys("\tjjj");
    assert!(designer.text().contains("duration"), "{}", designer.text());
    // Letters are text here, not keys of the dialog.
    designer.keys("0,4:1,jqend:2");
    designer.run_jobs();
    let said = "moments: `jqend` is not a turn; write a number or `end`";
    assert!(designer.text().contains(said), "{}", designer.text());
    designer.press(KeyCode::Enter);
    assert!(matches!(designer.app.dialogs.open, Some(Dialog::Export)));
    assert!(designer.app.dialogs.export.form.why == said, "{}", designer.text());
    for _ in "jqend:2".chars() {
        designer.press(KeyCode::Backspace);
    }
    designer.send(Message::Input(Event::Paste("4:1\nend:2".into())));
    designer.run_jobs();
    assert!(!designer.text().contains("is not a turn"), "{}", designer.text());
    assert!(!designer.text().contains("duration"), "{}", designer.text());
    insta::assert_snapshot!("export_moments_120x40", scrubbed(&designer, folder.path()));
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    let text = fs::read_to_string(folder.path().join("halls-7.cast")).unwrap();
    let last: (f64, String, String) = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    // The last picture stays for three seconds.
    assert!((6.9..=7.1).contains(&last.0), "{last:?}");
    // The script stays for other animations, and an empty one shows the whole growth again.
    designer.keys("P");
    choose(&mut designer, ExportKind::Gif);
    let moments = |designer: &TestApp| designer.app.dialogs.export.form.options(ExportKind::Gif).moments;
    assert_eq!(moments(&designer).map(String::from).as_deref(), Some("0,4:1,4:1,end:2"));
    designer.app.dialogs.export.form.script = TextField::new(TextKind::Line, " ");
    assert_eq!(moments(&designer), None);
}

#[test]
fn a_path_is_typed_completed_and_validated() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("maps")).unwrap();
    fs::create_dir(folder.path().join("mazes")).unwrap();
    let mut designer = test_app(folder.path(), 100, 30);
    designer.keys("P");
    choose(&mut designer, ExportKind::Csv);
    // Moving the focus back from the list wraps around to the path; this kind has only the moment option.
    designer.press(KeyCode::BackTab);
    assert_eq!(designer.app.dialogs.export.form.part, ExportFocus::Path);
    let typed = |designer: &TestApp| designer.app.dialogs.export.form.paths()[0].text().to_owned();
    let home = folder.path().display().to_string();
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.keys(&format!("{home}/m\t"));
    designer.run_jobs();
    assert_eq!(typed(&designer), format!("{home}/ma"));
    assert!(designer.text().contains("maps/  mazes/"), "{}", designer.text());
    designer.keys("p\t");
    designer.run_jobs();
    assert_eq!(typed(&designer), format!("{home}/maps/"));
    // If the typed path is an existing folder, the proposed file name is appended.
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert!(folder.path().join("maps/halls-7.csv").exists());
    let rejected = |designer: &mut TestApp, path: &str, why: &str| {
        designer.keys("P");
        designer.press(KeyCode::BackTab);
        designer.chord(KeyModifiers::CONTROL, 'u');
        designer.keys(path);
        designer.press(KeyCode::Enter);
        assert!(designer.text().contains(why), "{}", designer.text());
        assert!(matches!(designer.app.dialogs.open, Some(Dialog::Export)));
        designer.press(KeyCode::Esc);
    };
    rejected(&mut designer, "", "type the path of the file");
    rejected(
        &mut designer,
        "no/such/folder/x.csv",
        "there is no folder no/such/folder",
    );
    rejected(&mut designer, "x.svg", "a name that ends in .svg is for svg");
    rejected(&mut designer, &format!("{home}/halls.toml"), "the design's own file");
    // The extension of a typed name follows the chosen kind.
    designer.keys("P");
    designer.press(KeyCode::BackTab);
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.keys("level.csv");
    designer.press(KeyCode::Down);
    designer.keys("j");
    assert_eq!(typed(&designer), "level.json");
    designer.press(KeyCode::Esc);
    designer.keys("P");
    assert_eq!(typed(&designer), "level.json", "for the same design");
}

/// Chooses an export that is too large to finish during a test.
fn choose_giant(designer: &mut TestApp) {
    designer.keys("P");
    choose(designer, ExportKind::Png);
    designer.keys("\t");
    for _ in 0..3 {
        designer.press(KeyCode::Down);
    }
    designer.keys("4096");
}

#[test]
fn the_design_is_not_saved_to_a_file_that_an_export_will_replace() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 120, 30);
    let path = folder.path().join("picture.toml").display().to_string();
    choose_giant(&mut designer);
    designer.press(KeyCode::BackTab);
    designer.press(KeyCode::BackTab);
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.send(Message::Input(Event::Paste(path.clone())));
    designer.press(KeyCode::Enter);
    assert!(foot(&designer).contains("picture.toml ░░░"), "{}", foot(&designer));
    let refused = |designer: &mut TestApp| {
        let text = designer.text();
        assert!(text.contains("an export to picture.toml is not written yet"), "{text}");
        designer.press(KeyCode::Esc);
    };
    designer.keys("S");
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.send(Message::Input(Event::Paste(path.clone())));
    designer.press(KeyCode::Enter);
    refused(&mut designer);
    designer.keys("P");
    designer.app.dialogs.export.form.what = ExportChoice::Toml;
    designer.press(KeyCode::BackTab);
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.send(Message::Input(Event::Paste(path.clone())));
    designer.press(KeyCode::Enter);
    refused(&mut designer);
    assert!(!Path::new(&path).exists());
}

#[test]
fn exports_run_one_at_a_time_and_can_be_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 120, 30);
    choose_giant(&mut designer);
    designer.press(KeyCode::Enter);
    assert!(foot(&designer).contains("halls-7.png ░░░"), "{}", foot(&designer));
    designer.keys("P");
    choose(&mut designer, ExportKind::Csv);
    designer.press(KeyCode::Enter);
    assert!(
        foot(&designer).contains("halls-7.csv will be written after halls-7.png"),
        "{}",
        foot(&designer)
    );
    assert!(foot(&designer).contains("+1"));
    // Quitting asks first; after the answer to stay, nothing is lost.
    designer.keys("q");
    insta::assert_snapshot!("leaving_while_writing", designer.text());
    designer.press(KeyCode::Esc);
    assert_eq!(designer.quit, None);
    // A file that waits to be written is replaced only when confirmed, as if it existed.
    designer.keys("P");
    designer.press(KeyCode::Enter);
    assert!(
        designer.text().contains("halls-7.csv exists already"),
        "{}",
        designer.text()
    );
    designer.press(KeyCode::Esc);
    assert!(foot(&designer).contains("+1"));
    // Editing does not disturb the exports in progress. A click cancels the first export, and the second is written.
    let sign = foot(&designer).chars().position(|c| c == '×').unwrap();
    designer.click(sign as u16, 29);
    assert!(
        foot(&designer).contains("export cancelled: halls-7.png was not written"),
        "{}",
        foot(&designer)
    );
    designer.run_jobs();
    assert!(foot(&designer).contains("written: halls-7.csv"), "{}", foot(&designer));
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
        assert!(Instant::now() < patience, "a partial file is left: {names:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
    designer.chord(KeyModifiers::CONTROL, 'x');
    assert!(
        foot(&designer).contains("nothing is being exported"),
        "{}",
        foot(&designer)
    );
    // Quitting at once does not wait for the export.
    choose_giant(&mut designer);
    designer.press(KeyCode::Enter);
    designer.keys("qe");
    assert_eq!(designer.quit, Some(0));
}

#[test]
fn quitting_once_the_export_is_written_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 120, 30);
    designer.keys("P");
    choose(&mut designer, ExportKind::Json);
    designer.press(KeyCode::Enter);
    designer.keys("qw");
    assert_eq!(designer.quit, None);
    designer.run_jobs();
    assert_eq!(designer.quit, Some(0));
    assert!(folder.path().join("halls-7.json").exists());
}

#[test]
fn a_failed_export_is_reported_in_the_footer_and_delays_quitting() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 120, 30);
    fs::create_dir(folder.path().join("maps")).unwrap();
    designer.keys("P");
    choose(&mut designer, ExportKind::Csv);
    designer.press(KeyCode::BackTab);
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.keys(&format!("{}/maps/level.csv", folder.path().display()));
    fs::create_dir(folder.path().join("maps/level.csv")).unwrap();
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    // An export to the path of an existing folder writes the file into it; if the folder has been deleted, the export
    // fails.
    assert!(
        folder.path().join("maps/level.csv/halls-7.csv").exists(),
        "{}",
        designer.text()
    );
    fs::remove_dir_all(folder.path().join("maps")).unwrap();
    designer.chord(KeyModifiers::CONTROL, 'e');
    designer.keys("qw");
    designer.run_jobs();
    assert_eq!(designer.quit, None, "it must be read");
    assert!(
        designer.text().contains("halls-7.csv was not written: cannot write"),
        "{}",
        designer.text()
    );
}

#[test]
fn everything_can_be_done_with_the_mouse() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 120, 40);
    designer.keys("P");
    let find = |designer: &TestApp, text: &str| {
        let screen = designer.text();
        let (y, line) = screen
            .lines()
            .enumerate()
            .find(|(_, line)| line.contains(text))
            .unwrap();
        let x = line[..line.find(text).unwrap()].chars().count();
        (x as u16, y as u16)
    };
    let (x, y) = find(&designer, "uvtt");
    designer.click(x, y);
    assert_eq!(
        designer.app.dialogs.export.form.what,
        ExportChoice::Dungeon(ExportKind::Uvtt)
    );
    let (x, y) = find(&designer, "doors  ");
    designer.click(x + 16, y);
    assert!(designer.app.dialogs.export.form.options(ExportKind::Uvtt).open_doors);
    let (x, y) = find(&designer, "grid ");
    designer.mouse(MouseEventKind::ScrollUp, x + 16, y);
    designer.mouse(MouseEventKind::ScrollUp, x + 16, y);
    assert_eq!(designer.app.dialogs.export.form.options(ExportKind::Uvtt).grid, Some(2));
    let (x, y) = find(&designer, "‹");
    designer.click(x, y);
    assert_eq!(designer.app.dialogs.export.form.options(ExportKind::Uvtt).grid, Some(1));
    let (x, y) = find(&designer, "file  ");
    designer.click(x + 10, y);
    assert_eq!(designer.app.dialogs.export.form.part, ExportFocus::Path);
    designer.mouse(MouseEventKind::ScrollUp, 10, 10);
    assert_ne!(
        designer.app.dialogs.export.form.what,
        ExportChoice::Dungeon(ExportKind::Uvtt)
    );
    let (x, y) = find(&designer, "Enter export");
    designer.click(x + 7, y);
    designer.run_jobs();
    assert!(foot(&designer).contains("written: halls-7."), "{}", foot(&designer));
}

#[test]
fn without_a_dungeon_only_the_design_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("halls.toml");
    fs::write(&path, native::write(&design())).unwrap();
    let mut designer = TestApp::with(
        Document::from_files(DesignFiles::Toml(path), None, None).unwrap(),
        80,
        24,
    );
    designer.keys("P");
    assert_eq!(designer.app.dialogs.export.form.what, ExportChoice::Toml);
    assert!(designer.text().contains("nothing has grown yet"), "{}", designer.text());
    designer.press(KeyCode::Up);
    assert_eq!(designer.app.dialogs.export.form.what, ExportChoice::Toml);
    designer.chord(KeyModifiers::CONTROL, 'e');
    designer.press(KeyCode::Esc);
    designer.chord(KeyModifiers::CONTROL, 'e');
    assert!(foot(&designer).contains("nothing exported yet"), "{}", foot(&designer));
}

#[test]
fn the_dialog_is_drawn_at_any_size_and_in_any_colours() {
    use crate::tui::{Depth, Ground, Theme};
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 40, 12);
    designer.keys("P");
    for _ in ExportChoice::rows() {
        designer.run_jobs();
        for theme in [
            Theme::new(Depth::None),
            Theme::new(Depth::Sixteen),
            Theme::new(Depth::Sixteen).on(Ground::Light),
            Theme::new(Depth::True).on(Ground::Light),
        ] {
            designer.app.editor.theme = theme;
            designer.screen();
        }
        drawn_at_any_size(
            |area, buf| super::draw(&designer.app.dialogs.export, &designer.app.editor, area, buf),
            (40, 12),
        );
        for part in ["\t", "\t", "\t"] {
            designer.keys(part);
            designer.screen();
            drawn_at_any_size(
                |area, buf| super::draw(&designer.app.dialogs.export, &designer.app.editor, area, buf),
                (60, 20),
            );
        }
        designer.app.dialogs.export.form.part = ExportFocus::List;
        designer.press(KeyCode::Down);
    }
    designer.keys("g");
    choose(&mut designer, ExportKind::Gif);
    designer.run_jobs();
    designer.keys("\tG");
    insta::assert_snapshot!("export_40x12", scrubbed(&designer, folder.path()));
}

#[test]
fn a_number_with_other_characters_is_rejected_not_stripped() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 100, 30);
    designer.keys("P");
    choose(&mut designer, ExportKind::Png);
    designer.keys("\t");
    let scale = |designer: &TestApp| designer.app.dialogs.export.form.options(ExportKind::Png).scale;
    for _ in 0..12 {
        designer.press(KeyCode::Down);
        designer.keys("2");
        if scale(&designer).is_some() {
            break;
        }
    }
    assert_eq!(scale(&designer), Some(2));
    designer.keys("x");
    assert!(foot(&designer).contains("`x` is not allowed"), "{}", foot(&designer));
    designer.keys("40");
    assert_eq!(scale(&designer), Some(2), "2x40 is not 240");
    designer.press(KeyCode::Backspace);
    assert_eq!(scale(&designer), None);
    designer.keys("8");
    assert_eq!(scale(&designer), Some(8));
}

#[test]
fn a_repeated_export_asks_before_it_replaces_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 120, 40);
    let path = folder.path().join("halls-7.csv");
    designer.keys("P");
    choose(&mut designer, ExportKind::Csv);
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    let own = fs::read(&path).unwrap();
    let again = |designer: &mut TestApp| {
        designer.chord(KeyModifiers::CONTROL, 'e');
        designer.run_jobs();
    };
    again(&mut designer);
    assert!(
        designer.app.dialogs.open.is_none(),
        "its own export is replaced at once"
    );
    // Another program has written a file there.
    fs::write(&path, "mine").unwrap();
    again(&mut designer);
    assert!(designer.text().contains("already. Replace it?"), "{}", designer.text());
    designer.press(KeyCode::Esc);
    designer.run_jobs();
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    again(&mut designer);
    designer.keys("r");
    designer.run_jobs();
    assert_eq!(fs::read(&path).unwrap(), own);
    // An export that replaces the file is already waiting, so there is nothing to ask.
    fs::write(&path, "mine").unwrap();
    let export = designer.app.dialogs.export.form.export().unwrap();
    let export = crate::background::ExportRequest {
        to: path.clone(),
        ..export
    };
    super::enqueue(&mut designer.app.dialogs.export, &mut designer.app.editor, export);
    designer.chord(KeyModifiers::CONTROL, 'e');
    designer.run_jobs();
    assert!(designer.app.dialogs.open.is_none(), "{}", designer.text());
    assert_eq!(fs::read(&path).unwrap(), own);
}

#[test]
fn a_copy_that_the_user_declined_is_not_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 120, 40);
    let path = folder.path().join("precious.toml");
    fs::write(&path, "mine").unwrap();
    designer.keys("PGk");
    assert_eq!(designer.app.dialogs.export.form.what, ExportChoice::Toml);
    designer.press(KeyCode::BackTab);
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.keys(&path.display().to_string());
    designer.press(KeyCode::Enter);
    assert!(
        matches!(designer.app.dialogs.open, Some(Dialog::Question(_))),
        "{}",
        designer.text()
    );
    designer.press(KeyCode::Esc);
    designer.chord(KeyModifiers::CONTROL, 'e');
    assert!(foot(&designer).contains("nothing exported yet"), "{}", foot(&designer));
    assert_eq!(fs::read(&path).unwrap(), b"mine");
}

#[test]
fn a_late_preview_of_another_kind_does_not_replace_the_shown_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 120, 40);
    designer.keys("P");
    choose(&mut designer, ExportKind::Png);
    designer.run_jobs();
    assert!(designer.text().contains(" pixels · "), "{}", designer.text());
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Up);
    designer.run_jobs();
    assert!(designer.text().contains(" pixels · "), "{}", designer.text());
}

#[test]
fn a_typed_extension_follows_the_kind_also_after_a_copy_of_the_design() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 120, 40);
    designer.keys("P");
    choose(&mut designer, ExportKind::Png);
    designer.press(KeyCode::BackTab);
    assert_eq!(designer.app.dialogs.export.form.part, ExportFocus::Path);
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.keys("out.png");
    designer.press(KeyCode::Down);
    designer.keys("Gkk");
    let form = &designer.app.dialogs.export.form;
    let kind = form.what.kind().unwrap();
    assert_ne!(kind, ExportKind::Png);
    assert_eq!(form.paths()[0].text(), format!("out.{}", super::form::endings(kind)[0]));
}

#[test]
fn an_invalid_script_of_moments_stays_visible_while_another_option_is_selected() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(folder.path(), 120, 40);
    designer.keys("P");
    choose(&mut designer, ExportKind::Cast(CastVersion::Two));
    designer.keys("\tjjj");
    assert!(designer.app.dialogs.export.form.types_script());
    designer.keys("0,never");
    designer.press(KeyCode::Up);
    designer.run_jobs();
    assert!(!designer.app.dialogs.export.form.types_script());
    let text = designer.text();
    assert!(text.contains("0,never") && !text.contains("the whole growth"), "{text}");
}
