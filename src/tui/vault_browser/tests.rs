//! Tests of the vault browser: keys, mouse and level files in, screens and edits out.

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};

use super::{draw, update};
use crate::background::{Message, SeedSearchReply};
use crate::design::{Design, Feature, VaultEntry};
use crate::document::Document;
use crate::geometry::{Point, Size};
use crate::storage::DesignFiles;
use crate::tui::commands::BrowserCommand;
use crate::tui::editor::Focus;
use crate::tui::fixture::{TestApp, drawn_at_any_size, spiral};

/// The level file of these tests, relative to the working directory of the tests.
const FILE: &str = "src/tui/fixture.des";

fn design(file: &str) -> Design {
    let mut design = Design {
        name: "Halls".into(),
        ..Design::default()
    };
    design.layout.size = Size::new(40, 60);
    design.layout.vaults.push(VaultEntry {
        file: file.into(),
        map: "zz_tower".into(),
        seed: 7,
        orientation: 1,
        ..VaultEntry::default()
    });
    design
}

/// Opens the browser with only the maps of these tests in its list.
fn desk(width: u16, height: u16) -> TestApp {
    let mut desk = TestApp::with(Document::new(design(FILE), None), width, height);
    desk.deliver(spiral(5));
    desk.keys("G");
    // The filter is set before opening, so that the bundled maps are not run in each test.
    desk.app.screens.vaults.filter = "zz_".into();
    desk.keys("v");
    desk.settle();
    desk
}

/// Selects a map of the list by its name.
fn go(desk: &mut TestApp, name: &str) {
    desk.press(KeyCode::Home);
    for _ in 0..60 {
        if desk.app.screens.vaults.identity().is_some_and(|(_, map)| map == name) {
            desk.settle();
            return;
        }
        desk.press(KeyCode::Down);
    }
    panic!("{name} is not listed:\n{}", desk.text());
}

fn foot(desk: &TestApp) -> String {
    desk.text().lines().last().unwrap().to_owned()
}

#[test]
fn whole_screens() {
    for (width, height) in [(80, 24), (120, 40), (200, 60), (60, 16), (40, 12)] {
        let mut desk = desk(width, height);
        insta::assert_snapshot!(format!("tower_{width}x{height}"), desk.text());
        desk.keys("s");
        insta::assert_snapshot!(format!("source_{width}x{height}"), desk.text());
        desk.keys("sc");
        desk.settle();
        insta::assert_snapshot!(format!("ten_{width}x{height}"), desk.text());
    }
}

#[test]
fn the_browser_is_drawn_at_any_size() {
    for keys in ["", "s", "c", "o", "e", "/x"] {
        let mut desk = desk(80, 24);
        desk.keys(keys);
        desk.settle();
        drawn_at_any_size(
            |area, buf| draw(&desk.app.screens.vaults, &desk.app.editor, area, buf),
            (30, 9),
        );
    }
    for (width, height) in [(0, 0), (1, 1), (12, 3), (41, 12), (300, 4)] {
        let mut desk = desk(80, 24);
        desk.send(Message::Input(crossterm::event::Event::Resize(width, height)));
        desk.keys("jc");
        desk.settle();
        desk.keys("lljjks");
        desk.click(width / 2, height / 2);
        desk.text();
    }
}

#[test]
fn each_outcome_is_reported() {
    let mut desk = desk(120, 40);
    for (map, description) in [
        ("zz_picky", "failed its own validation in 25"),
        ("zz_shy", "refuses this place"),
        ("zz_broken", "fixture.des:54:"),
    ] {
        go(&mut desk, map);
        assert!(desk.text().contains(description), "{}", desk.text());
        let before = desk.app.editor.document.design().clone();
        desk.keys("p");
        assert_eq!(*desk.app.editor.document.design(), before, "{map} cannot be placed");
        assert!(
            desk.app.screens.vaults.is_open() && foot(&desk).contains(map),
            "{}",
            foot(&desk)
        );
    }
    insta::assert_snapshot!("a_failure_on_its_line", desk.text());
}

#[test]
fn values_of_the_game_are_typed_and_reach_the_vaults() {
    let mut desk = desk(120, 40);
    go(&mut desk, "zz_shy");
    desk.keys("e");
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.keys("Nowhere:3");
    desk.press(KeyCode::Enter);
    insta::assert_snapshot!("a_place_that_is_none", desk.text());
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.keys("D:5\t99");
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains("an experience level is 1 to 27"));
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.keys("\t");
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.keys("Octopode");
    desk.press(KeyCode::Enter);
    desk.settle();
    assert!(desk.text().contains("at D:5 · level 5 Octopode"), "{}", desk.text());
    assert!(!desk.text().contains("refuses this place"), "{}", desk.text());
    desk.keys("p");
    let placed = desk.app.editor.document.design().layout.vaults.last().unwrap().clone();
    assert_eq!((placed.map.as_str(), placed.place.as_str()), ("zz_shy", "D:5"));
}

#[test]
fn a_vault_is_placed_as_it_was_seen_and_undo_takes_it_back() {
    let mut desk = desk(120, 40);
    desk.keys("rrrrm");
    desk.settle();
    assert!(desk.text().contains("seed 5 · mirrored left"), "{}", desk.text());
    desk.app.editor.map.move_cursor(Point::new(5, 7));
    desk.press(KeyCode::Enter);
    assert!(!desk.app.screens.vaults.is_open());
    assert!(
        foot(&desk).contains("vault zz_tower at row 5, column 7 added"),
        "{}",
        foot(&desk)
    );
    let vaults = desk.app.editor.document.design().layout.vaults.clone();
    let entry = &vaults[1];
    assert_eq!((entry.file.as_str(), entry.map.as_str()), (FILE, "zz_tower"));
    assert_eq!(
        (entry.div, entry.at, entry.seed, entry.orientation),
        (0, Point::new(5, 7), 5, 5)
    );
    // The design resolves to what the browser showed: mirrored, with the door at the left.
    let valid = desk.app.editor.document.valid().unwrap();
    assert_eq!(valid.feature(Point::new(8, 7)).map(Feature::name), Some("floor"));
    assert_eq!(valid.feature(Point::new(8, 15)).map(Feature::name), Some("closed_door"));
    desk.keys("u");
    assert!(foot(&desk).contains("undone: vault zz_tower at row 5, column 7 added"));
    assert_eq!(desk.app.editor.document.design().layout.vaults.len(), 1);
}

#[test]
fn turns_and_mirrors_go_round() {
    let mut desk = desk(80, 24);
    let orientation = |desk: &TestApp| desk.app.screens.vaults.orientation;
    let mut seen = Vec::new();
    for key in "tttttmtttmm0".chars() {
        desk.keys(&key.to_string());
        seen.push(orientation(&desk));
    }
    assert_eq!(seen, [2, 3, 4, 1, 2, 6, 7, 8, 5, 1, 5, 0]);
    desk.settle();
}

#[test]
fn a_preview_shows_where_a_vault_would_stand_and_a_click_puts_it_there() {
    let mut desk = desk(120, 40);
    desk.keys("t");
    desk.settle();
    desk.keys("P");
    assert_eq!(
        (desk.app.screens.vaults.is_open(), desk.app.editor.focus),
        (false, Focus::Map)
    );
    let map = desk.app.editor.areas.map;
    desk.mouse(MouseEventKind::Moved, map.x + 12, map.y + 9);
    insta::assert_snapshot!("a_ghost", desk.text());
    let preview = super::preview(&desk.app.screens.vaults, &desk.app.editor).unwrap();
    desk.press(KeyCode::Esc);
    assert!(desk.app.screens.vaults.is_open(), "Esc goes back to the browser");
    assert_eq!(desk.app.editor.document.design().layout.vaults.len(), 1);
    desk.keys("P");
    desk.mouse(MouseEventKind::Down(MouseButton::Left), map.x + 12, map.y + 9);
    let entry = desk.app.editor.document.design().layout.vaults[1].clone();
    assert_eq!(entry.at, preview.at);
    let stands = desk.app.editor.document.valid().unwrap().pieces()[1].clone();
    assert_eq!(stands.squares, preview.squares);
    assert!(super::preview(&desk.app.screens.vaults, &desk.app.editor).is_none());
}

#[test]
fn a_vault_that_is_too_large_is_refused() {
    let mut desk = desk(120, 40);
    desk.app
        .editor
        .edit("small", |design| design.layout.size = Size::new(20, 20));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hall.des");
    let row = "x".repeat(30);
    std::fs::write(&path, format!("NAME: hall\nMAP\n{row}\nENDMAP\n")).unwrap();
    desk.keys("o");
    desk.send(Message::Input(crossterm::event::Event::Paste(
        path.display().to_string(),
    )));
    desk.press(KeyCode::Enter);
    desk.settle();
    desk.keys("P");
    assert!(foot(&desk).contains("too many for a dungeon of"), "{}", foot(&desk));
    desk.keys("p");
    assert!(foot(&desk).contains("too many for a dungeon of"), "{}", foot(&desk));
    assert!(desk.app.screens.vaults.is_open());
}

#[test]
fn portals_are_entered_and_left() {
    let mut desk = desk(120, 40);
    go(&mut desk, "zz_gate");
    assert!(desk.text().contains("⇒ the portal to `zz_garden` →"), "{}", desk.text());
    desk.keys("n");
    desk.press(KeyCode::Enter);
    desk.settle();
    assert_eq!(desk.app.screens.vaults.identity().unwrap().1, "zz_garden");
    assert!(foot(&desk).contains("entered zz_garden"));
    desk.press(KeyCode::Backspace);
    desk.settle();
    assert_eq!(desk.app.screens.vaults.identity().unwrap().1, "zz_gate");
    desk.keys("b");
    assert!(foot(&desk).contains("no portal was entered"));
    go(&mut desk, "zz_picky");
    desk.keys("n");
    assert!(foot(&desk).contains("has no exit"));
}

#[test]
fn ten_rolls_are_compared_and_one_is_kept() {
    let mut desk = desk(120, 40);
    desk.keys("c");
    desk.settle();
    assert!(desk.text().contains("seeds 1 to 10"));
    desk.keys("ll");
    desk.press(KeyCode::Down);
    let selected = desk.app.screens.vaults.compared.unwrap();
    assert!(selected > 2, "down is a row");
    desk.press(KeyCode::Enter);
    desk.settle();
    assert_eq!(desk.app.screens.vaults.seed, selected as u64 + 1);
    desk.keys("crrR");
    desk.settle();
    assert_eq!(desk.app.screens.vaults.seed, selected as u64 + 11);
    desk.keys("l");
    let picture = super::BrowserAreas::of(&desk.app.screens.vaults, &desk.app.editor).picture;
    desk.click(picture.x + 2, picture.y + 1);
    assert_eq!(desk.app.screens.vaults.compared, Some(0));
    desk.click(picture.x + 2, picture.y + 1);
    assert_eq!(desk.app.screens.vaults.compared, None);
}

#[test]
fn a_file_that_is_saved_elsewhere_is_read_again_and_the_place_in_it_stays() {
    let folder = tempfile::tempdir().unwrap();
    let level = folder.path().join("own.des");
    let text = std::fs::read_to_string(FILE).unwrap();
    std::fs::write(&level, &text).unwrap();
    let toml = folder.path().join("halls.toml");
    let mut document = Document::new(design("own.des"), None);
    document.save_as(DesignFiles::Toml(toml)).unwrap();
    let mut desk = TestApp::with(document, 160, 40);
    desk.app.screens.vaults.filter = "zz_".into();
    desk.keys("v");
    desk.settle();
    assert!(desk.watched.contains(&level));
    go(&mut desk, "zz_garden");
    desk.keys("JJ");
    let top = desk.app.screens.vaults.source_top;
    assert!(top.is_some());
    let saved = text.replace(
        "NAME:    zz_tower",
        "NAME:    zz_first\nMAP\nx\nENDMAP\n\nNAME: zz_tower\nSUBST: ( = .",
    );
    std::fs::write(&level, saved.replace("t<....t", "t<.T..t")).unwrap();
    desk.send(Message::FilesChanged(vec![level.clone()]));
    desk.settle();
    assert_eq!(desk.app.screens.vaults.identity().unwrap().1, "zz_garden");
    assert_eq!(desk.app.screens.vaults.source_top, top);
    assert!(desk.text().contains("zz_first"), "{}", desk.text());
    assert!(foot(&desk).contains("own.des was changed on disk"), "{}", foot(&desk));
    // Another message without changes has no effect.
    let before = desk.text();
    desk.send(Message::FilesChanged(vec![level.clone()]));
    assert_eq!(desk.text(), before);
    std::fs::remove_file(&level).unwrap();
    desk.send(Message::FilesChanged(vec![level]));
    desk.settle();
    assert!(desk.text().contains("own.des"), "{}", desk.text());
    assert!(desk.app.screens.vaults.selected.is_none(), "{}", desk.text());
    desk.keys("rmcpnbPs");
}

#[test]
fn files_are_opened_by_their_path_or_the_reason_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(120, 40);
    let open = |desk: &mut TestApp, path: &str| {
        desk.keys("o");
        desk.send(Message::Input(crossterm::event::Event::Paste(path.to_owned())));
        desk.press(KeyCode::Enter);
    };
    for (name, content, why) in [
        ("none.des", None, "No such file"),
        ("empty.des", Some(""), "has no map"),
        ("", None, "type the path"),
    ] {
        let path = folder.path().join(name);
        if let Some(content) = content {
            std::fs::write(&path, content).unwrap();
        }
        open(&mut desk, if name.is_empty() { "" } else { path.to_str().unwrap() });
        assert!(desk.text().contains(why), "{}", desk.text());
        desk.press(KeyCode::Esc);
    }
    let path = folder.path().join("one.des");
    std::fs::write(&path, "NAME: only_one\nMAP\nx.x\nENDMAP\n").unwrap();
    open(&mut desk, path.to_str().unwrap());
    desk.settle();
    assert!(desk.text().contains("only_one") && foot(&desk).contains("one.des opened"));
    assert!(desk.watched.contains(&path));
    desk.keys("p");
    let entry = desk.app.editor.document.design().layout.vaults.last().unwrap();
    assert_eq!(entry.file, path.to_str().unwrap());
    let stand = desk.app.editor.document.valid().unwrap().pieces().len();
    assert_eq!(stand, 2, "the design finds it");
    // In a design saved beside the level file, the file's name is relative.
    let toml = DesignFiles::Toml(folder.path().join("here.toml"));
    desk.app.editor.document.save_as(toml).unwrap();
    desk.keys("v");
    desk.settle();
    go(&mut desk, "only_one");
    desk.keys("p");
    let entry = desk.app.editor.document.design().layout.vaults.last().unwrap();
    assert_eq!(entry.file, "one.des");
}

#[test]
fn a_filter_can_be_left_and_the_wheel_and_clicks_select() {
    let mut desk = desk(120, 40);
    desk.keys("/nothing has this");
    assert!(desk.app.screens.vaults.selected.is_none());
    desk.press(KeyCode::Esc);
    desk.settle();
    assert_eq!(desk.app.screens.vaults.identity().unwrap().1, "zz_tower");
    let list = super::BrowserAreas::of(&desk.app.screens.vaults, &desk.app.editor).list;
    let name = |desk: &TestApp| desk.app.screens.vaults.identity().unwrap().1;
    desk.mouse(MouseEventKind::ScrollDown, list.x + 3, list.y + 3);
    assert_eq!(name(&desk), "zz_picky", "three rows on");
    desk.press(KeyCode::PageUp);
    assert_eq!(name(&desk), "zz_tower");
    desk.press(KeyCode::PageDown);
    let paged = name(&desk);
    desk.press(KeyCode::End);
    assert_eq!(name(&desk), paged, "all of them fit on a page");
    go(&mut desk, "zz_gate");
    let row = desk.text().lines().position(|line| line.contains("zz_shy")).unwrap();
    desk.click(list.x + 3, row as u16);
    assert_eq!(desk.app.screens.vaults.identity().unwrap().1, "zz_shy");
    desk.settle();
    desk.keys("q");
    assert!(!desk.app.screens.vaults.is_open() && desk.quit.is_none());
}

#[test]
fn rolls_of_older_orders_are_dropped() {
    let mut desk = desk(120, 40);
    for _ in 0..20 {
        desk.keys("jrk");
    }
    desk.settle();
    assert_eq!(desk.app.screens.vaults.rolls.all().next().unwrap().0, 21);
    let shown = desk.text();
    assert!(shown.contains("zz_tower · seed 21"), "{shown}");
    assert!(!shown.contains("rolling"), "{shown}");
}

#[test]
fn a_sound_seed_is_one_step_of_undo() {
    let mut desk = desk(120, 40);
    desk.keys("qT ");
    assert!(foot(&desk).contains("trying seeds …"), "{}", foot(&desk));
    desk.settle();
    assert!(foot(&desk).contains("seed 1 is valid"), "{}", foot(&desk));
    let before = desk.app.editor.document.design().clone();
    desk.keys("T");
    desk.find(SeedSearchReply {
        seed: Some(47),
        tried: 3,
    });
    assert!(foot(&desk).contains("seed: 1 → 47, 3rd tried"), "{}", foot(&desk));
    assert_eq!(desk.app.editor.document.design().seed, 47);
    desk.keys("u");
    assert_eq!(*desk.app.editor.document.design(), before);
    desk.keys("T");
    desk.find(SeedSearchReply { seed: None, tried: 50 });
    assert!(foot(&desk).contains("none of the next 50 seeds"));
    desk.keys("TT");
    assert!(foot(&desk).contains("stopped"));
    desk.keys("TR");
    desk.find(SeedSearchReply {
        seed: Some(48),
        tried: 4,
    });
    assert!(foot(&desk).contains("cancelled"), "{}", foot(&desk));
    update(&mut desk.app.screens.vaults, &mut desk.app.editor, BrowserCommand::Open);
}

#[test]
fn vaults_are_resolved_while_the_designer_goes_on_and_stale_ones_are_dropped() {
    let mut desk = TestApp::new(100, 32);
    desk.held.push("vault resolver");
    let run = desk.run();
    let effects = desk.app.open(Document::new(design(FILE), None));
    desk.perform(effects);
    desk.send(Message::Watching);
    assert!(foot(&desk).contains("resolving vaults"), "{}", foot(&desk));
    assert!(desk.app.editor.document.valid().is_none());
    assert_eq!(desk.run(), run, "nothing is grown without its vaults");
    let (first, request) = desk.take_request("vault resolver").unwrap();
    // An edit elsewhere is kept, and the same vaults stay in progress.
    desk.app
        .editor
        .edit("named", |design| design.layout.walls.push(Point::new(3, 3)));
    desk.perform(Vec::new());
    desk.send(Message::Watching);
    assert!(desk.requested("vault resolver").is_none());
    // Another seed for the vault makes the request in progress outdated.
    desk.app.editor.edit("seed", |design| design.layout.vaults[0].seed = 8);
    desk.perform(Vec::new());
    desk.send(Message::Watching);
    let (second, newer) = desk.take_request("vault resolver").unwrap();
    desk.run_job(&first, request);
    assert!(desk.app.editor.document.is_resolving(), "the reply is stale");
    desk.run_job(&second, newer);
    assert!(!desk.app.editor.document.is_resolving());
    let valid = desk.app.editor.document.valid().unwrap();
    assert_eq!(
        (valid.pieces().len(), &valid.layout.walls[..]),
        (1, &[Point::new(3, 3)][..])
    );
    assert_ne!(desk.run(), run, "the dungeon grows now");
    assert!(!desk.text().contains("resolving vaults"));
    // A moved vault is not resolved again; removing a requested one cancels the request.
    desk.app
        .editor
        .edit("moved", |design| design.layout.vaults[0].xdiv += 1);
    desk.perform(Vec::new());
    desk.send(Message::Watching);
    assert!(desk.requested("vault resolver").is_none() && desk.app.editor.document.valid().is_some());
    desk.app.editor.edit("seed", |design| design.layout.vaults[0].seed = 9);
    desk.perform(Vec::new());
    desk.send(Message::Watching);
    assert!(desk.requested("vault resolver").is_some());
    desk.keys("u");
    assert!(desk.requested("vault resolver").is_none() && desk.app.editor.document.valid().is_some());
    desk.keys("q");
}
