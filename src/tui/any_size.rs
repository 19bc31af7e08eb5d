//! Tests that draw every screen, dialog and view into areas whose size differs from the window size that the app
//! remembers.
//!
//! The window can be resized between the last input and the next frame. That frame is drawn in the new size before
//! [`Event::Resize`] arrives, so drawing must depend only on the given area.

use std::collections::BTreeSet;
use std::path::Path;

use crossterm::event::{Event, KeyCode, MouseButton, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::dialog::{Dialog, Question};
use super::files::AfterSave;
use super::fixture::{TestApp, WRITING, spiral};
use super::stories;
use super::tabs::View;
use crate::background::Message;
use crate::design::{CrawlerStart, Design, VaultEntry};
use crate::document::Document;
use crate::geometry::{Point, Size};
use crate::storage::{AutosaveSlot, DesignFiles, Unsaved, leftovers};
use crate::tui::commands::{Action, FileCommand, MetricsCommand};
use crate::tui::keymap::{self, Context};

/// Usual and degenerate window sizes, as columns × rows.
const SIZES: [(u16, u16); 8] = [
    (0, 0),
    (1, 1),
    (3, 200),
    (40, 12),
    (79, 23),
    (80, 24),
    (111, 37),
    (200, 60),
];

/// The name of a scene (a screen, dialog or view to draw), and an app that shows it.
type Scene = (String, TestApp);

fn key(designer: &mut TestApp, keys: &str) {
    designer.keys(keys);
    designer.run_jobs();
}

/// Returns a design with a vault and an expectation.
fn design() -> Design {
    let mut design = Design::default();
    design.layout.size = Size::new(40, 60);
    design.layout.crawlers.push(CrawlerStart {
        at: Point::new(0, 16),
        ..CrawlerStart::default()
    });
    design.layout.vaults.push(VaultEntry {
        file: "src/tui/fixture.des".into(),
        map: "zz_tower".into(),
        seed: 7,
        ..VaultEntry::default()
    });
    design.expect.that = vec!["path >= 100000".into()];
    design
}

/// Returns an app whose run has ended, with a design that has no file.
fn test_app((width, height): (u16, u16)) -> TestApp {
    let mut designer = TestApp::with(Document::new(design(), None), width, height);
    designer.app.screens.vaults.filter = "zz_tower".into();
    designer.receive_run(spiral(5));
    designer.keys("G");
    designer
}

/// Key sequences that open the scenes; `⌥` means Alt with the next character, `⏎` Enter, and `↓` the down arrow.
const KEYS: [&str; 57] = [
    "",
    "\t",
    "\t\t",
    "⌥1",
    "⌥18",
    "⌥1C",
    "⌥1V",
    "⌥2",
    "⌥2↓↓",
    "⌥3",
    "⌥4",
    "⌥5",
    "E",
    "⌥6",
    "⌥7",
    "⌥8",
    "⌥9",
    "⌥p",
    "⌥0",
    "A",
    "E\t",
    "d",
    "dr",
    "m",
    "+",
    "++",
    "---",
    "M",
    "t",
    "F",
    "?",
    "?/",
    "?/seed",
    ":",
    "p",
    "o",
    "S",
    "P",
    "P\t",
    "#5",
    "v",
    "vc",
    "v/",
    "v⏎",
    "vs",
    "Y",
    "Yf",
    "Y/",
    "N",
    "O",
    "Oe",
    "W\t",
    "⌥1W",
    "#",
    "vP",
    "P\t\t",
    "⌥g",
];

fn scenes(size: (u16, u16), folder: &Path) -> Vec<Scene> {
    let mut scenes: Vec<Scene> = Vec::new();
    for script in KEYS {
        let mut designer = test_app(size);
        let mut keys = script.chars();
        while let Some(sign) = keys.next() {
            match sign {
                '⌥' => stories::alt(&mut designer, keys.next().unwrap()),
                '⏎' => designer.press(KeyCode::Enter),
                '↓' => designer.press(KeyCode::Down),
                sign => key(&mut designer, sign.encode_utf8(&mut [0; 4])),
            }
        }
        scenes.push((format!("keys {script:?}"), designer));
    }
    for step in 0..5 {
        let mut designer = test_app(size);
        (0..=step).for_each(|_| drop(designer.app.update(Action::Tour)));
        scenes.push((format!("step {step} of the tour"), designer));
    }
    scenes.extend(questions(size));
    let mut new = test_app(size);
    new.app.update(Action::File(FileCommand::New));
    scenes.push(("a new design".into(), new));
    let mut compared = test_app(size);
    compared.app.editor.edit("wider corridors", |design| {
        design.character.generations[1].corridor_width = 6;
    });
    compared.perform(Vec::new());
    key(&mut compared, "Z");
    scenes.push(("a comparison".into(), compared));
    // Learning jobs try thousands of parameter sets, so they are not run here.
    let mut learning = test_app(size);
    key(&mut learning, "Y");
    learning.keys("L");
    scenes.push(("learning from a dungeon".into(), learning));
    let mut alert = test_app(size);
    alert.app.editor.status.alert = Some("something must be read, and it is a long text ".repeat(9));
    scenes.push(("an alert".into(), alert));
    let kept = Unsaved {
        design: std::sync::Arc::new(design()),
        files: None,
        folder: std::path::PathBuf::new(),
        digest: None,
        origin: None,
    };
    AutosaveSlot::new(folder).unwrap().keep(&kept).unwrap();
    let mut left = test_app(size);
    left.send(Message::Recoverable(leftovers(folder)));
    scenes.push(("unsaved work".into(), left));
    let drawing = folder.join("maze.txt");
    std::fs::write(&drawing, "#####\n#...#\n##.##\n#...#\n#####\n").unwrap();
    for (name, keys) in [("a drawing", ""), ("a text of a drawing", "G")] {
        let mut designer = test_app(size);
        designer
            .app
            .show_import(&drawing, crate::tui::import_dialog::ImportPurpose::Design);
        designer.perform(Vec::new());
        designer.run_jobs();
        key(&mut designer, keys);
        for _ in 0..30 {
            if keys.is_empty() || designer.app.contexts().contains(&Context::ImportText) {
                break;
            }
            designer.press(KeyCode::Up);
        }
        scenes.push((name.into(), designer));
    }
    let mut scatter = test_app(size);
    scatter.keys("G");
    let effects = scatter.app.update(Action::Metrics(MetricsCommand::Scatter));
    scatter.perform(effects);
    scenes.push(("scattering".into(), scatter));
    let mut player = test_app(size);
    player.app = super::player::tests::player(size.0, size.1);
    scenes.push(("the player".into(), player));
    for (name, keys) in [("an atlas", ""), ("the file of an atlas", "w")] {
        let mut designer = test_app(size);
        stories::alt(&mut designer, 'a');
        designer.keys(keys);
        scenes.push((name.into(), designer));
    }
    let mut moments = test_app(size);
    key(&mut moments, "Pjjj\tjjjjjjj0,4:1");
    scenes.push(("a script of moments".into(), moments));
    let mut listed = test_app(size);
    key(&mut listed, "Zo");
    scenes.push(("designs to compare with".into(), listed));
    scenes
}

/// Returns a scene for each kind of question.
fn questions(size: (u16, u16)) -> Vec<Scene> {
    let file = DesignFiles::Toml("halls.toml".into());
    [
        Question::leaving("halls", AfterSave::Quit),
        Question::conflict(&test_app(size).app.editor.document),
        Question::unreadable("halls", AfterSave::Stay),
        Question::replacing(file.clone(), &["halls.toml".into()], AfterSave::Stay),
        Question::exporting(file, &["halls.toml".into()]),
        Question::unfinished("halls.png"),
        Question::saving("halls", AfterSave::Quit, None),
        Question::note("Read this", "a long text ".repeat(60)),
    ]
    .into_iter()
    .map(|question| {
        let mut designer = test_app(size);
        designer.app.dialogs.open = Some(Dialog::Question(question));
        (format!("{:?}", designer.app.dialogs.open), designer)
    })
    .collect()
}

fn drawn(designer: &TestApp, (width, height): (u16, u16)) -> Buffer {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    designer.app.draw(area, &mut buffer);
    buffer
}

#[test]
fn drawing_depends_on_the_area_and_not_on_the_previous_window_size() {
    let folder = tempfile::tempdir().unwrap();
    let mut differ = BTreeSet::new();
    for before in [(111, 37), (80, 24)] {
        for (name, mut designer) in scenes(before, folder.path()) {
            for size in SIZES {
                let remembered = drawn(&designer, size);
                let screen = std::mem::replace(&mut designer.app.editor.screen, Rect::new(0, 0, size.0, size.1));
                if remembered != drawn(&designer, size) {
                    differ.insert(format!("{name} at {size:?}, after {before:?}"));
                }
                designer.app.editor.screen = screen;
            }
        }
    }
    assert!(differ.is_empty(), "{differ:#?}");
}

#[test]
fn input_at_the_previous_window_size_is_drawn_at_the_current_one() {
    let folder = tempfile::tempdir().unwrap();
    for (i, (name, mut designer)) in scenes((111, 37), folder.path()).into_iter().enumerate() {
        // A click may accept a form, so the jobs that write files are held back.
        designer.hold(&["exporter"]);
        designer.hold(&WRITING);
        for (step, size) in SIZES.into_iter().enumerate() {
            let (column, row) = ((i * 31 + step * 17) as u16 % 111, (i * 13 + step * 7) as u16 % 37);
            designer.mouse(MouseEventKind::ScrollDown, column, row);
            designer.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
            drawn(&designer, size);
            designer.mouse(MouseEventKind::Drag(MouseButton::Left), 110 - column, 36 - row);
            designer.mouse(MouseEventKind::Up(MouseButton::Left), 110 - column, 36 - row);
            designer.press(KeyCode::PageDown);
            drawn(&designer, size);
            let (width, height) = SIZES[(i + step) % SIZES.len()];
            designer.send(Message::Input(Event::Resize(width, height)));
            designer.press(KeyCode::Down);
            drawn(&designer, size);
            assert!(designer.quit.is_none(), "{name}");
        }
    }
}

#[test]
fn every_context_that_has_keys_is_among_the_scenes() {
    let folder = tempfile::tempdir().unwrap();
    let scenes = scenes((111, 37), folder.path());
    let seen: BTreeSet<String> = scenes
        .iter()
        .flat_map(|(_, designer)| designer.app.contexts())
        .map(Context::id)
        .collect();
    let all: BTreeSet<String> = keymap::table().map(|row| row.context.id()).collect();
    let missing: Vec<&String> = all.difference(&seen).collect();
    assert!(missing.is_empty(), "no scene shows {missing:?}");
    for view in View::ALL {
        assert!(
            scenes.iter().any(|(_, designer)| designer.app.editor.view == view),
            "{view:?}"
        );
    }
}
