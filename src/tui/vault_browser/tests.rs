//! Tests of the vault browser: they send keys and mouse events, change level files, and check the screens and edits.

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};

use super::{draw, update};
use crate::background::{Message, SeedSearchReply};
use crate::design::{Design, Feature, VaultEntry};
use crate::document::Document;
use crate::geometry::{Point, Size};
use crate::storage::DesignFiles;
use crate::tui::commands::BrowserCommand;
use crate::tui::editor::{Focus, NoticeLevel};
use crate::tui::fixture::{TestApp, drawn_at_any_size, spiral};
use crate::vault::VaultWorld;

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
fn test_app(width: u16, height: u16) -> TestApp {
    let mut designer = TestApp::with(Document::new(design(FILE), None), width, height);
    designer.receive_run(spiral(5));
    designer.keys("G");
    // The filter is set before opening, so that the bundled maps are not run in each test.
    designer.app.screens.vaults.filter = "zz_".into();
    designer.keys("v");
    designer.run_jobs();
    designer
}

/// Selects a map of the list by its name.
fn go(designer: &mut TestApp, name: &str) {
    designer.press(KeyCode::Home);
    for _ in 0..60 {
        if designer
            .app
            .screens
            .vaults
            .identity()
            .is_some_and(|(_, map, _)| map == name)
        {
            designer.run_jobs();
            return;
        }
        designer.press(KeyCode::Down);
    }
    panic!("{name} is not listed:\n{}", designer.text());
}

fn foot(designer: &TestApp) -> String {
    designer.text().lines().last().unwrap().to_owned()
}

#[test]
fn whole_screens() {
    for (width, height) in [(80, 24), (120, 40), (200, 60), (60, 16), (40, 12)] {
        let mut designer = test_app(width, height);
        insta::assert_snapshot!(format!("tower_{width}x{height}"), designer.text());
        designer.keys("s");
        insta::assert_snapshot!(format!("source_{width}x{height}"), designer.text());
        designer.keys("sc");
        designer.run_jobs();
        insta::assert_snapshot!(format!("ten_{width}x{height}"), designer.text());
    }
}

#[test]
fn the_browser_is_drawn_at_any_size() {
    for keys in ["", "s", "c", "o", "e", "/x"] {
        let mut designer = test_app(80, 24);
        designer.keys(keys);
        designer.run_jobs();
        drawn_at_any_size(
            |area, buf| draw(&designer.app.screens.vaults, &designer.app.editor, area, buf),
            (30, 9),
        );
    }
    for (width, height) in [(0, 0), (1, 1), (12, 3), (41, 12), (300, 4)] {
        let mut designer = test_app(80, 24);
        designer.send(Message::Input(crossterm::event::Event::Resize(width, height)));
        designer.keys("jc");
        designer.run_jobs();
        designer.keys("lljjks");
        designer.click(width / 2, height / 2);
        designer.text();
    }
}

#[test]
fn each_outcome_is_reported() {
    let mut designer = test_app(120, 40);
    for (map, description) in [
        ("zz_picky", "failed its own validation in all 25"),
        ("zz_shy", "the map rejects this level"),
        ("zz_broken", "fixture.des:54:"),
    ] {
        go(&mut designer, map);
        assert!(designer.text().contains(description), "{}", designer.text());
        let before = designer.app.editor.document.design().clone();
        designer.keys("p");
        assert_eq!(*designer.app.editor.document.design(), before, "{map} cannot be placed");
        assert!(
            designer.app.screens.vaults.is_open() && foot(&designer).contains(map),
            "{}",
            foot(&designer)
        );
    }
    insta::assert_snapshot!("a_failure_on_its_line", designer.text());
}

#[test]
fn values_of_the_game_are_typed_and_reach_the_vaults() {
    let mut designer = test_app(120, 40);
    go(&mut designer, "zz_shy");
    designer.keys("e");
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.keys("Nowhere:3");
    designer.press(KeyCode::Enter);
    insta::assert_snapshot!("a_place_that_is_none", designer.text());
    designer.chord(KeyModifiers::CONTROL, 'u');
    // The map's Lua code reads only the species.
    designer.keys("D:5\t");
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.keys("Octopode");
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    let text = designer.text();
    assert!(
        text.contains("at D:5 · Octopode") && !text.contains("level 5"),
        "{text}"
    );
    assert!(!text.contains("the map rejects this level"), "{text}");
    designer.keys("p");
    let placed = designer
        .app
        .editor
        .document
        .design()
        .layout
        .vaults
        .last()
        .unwrap()
        .clone();
    assert_eq!((placed.map.as_str(), placed.place.as_str()), ("zz_shy", "D:5"));
    // This map reads no values; the species is kept for the next map that reads it.
    designer.keys("v");
    designer.run_jobs();
    go(&mut designer, "zz_tower");
    assert!(!designer.text().contains("Octopode"), "{}", designer.text());
    designer.keys("e");
    assert!(!designer.text().contains("race"), "{}", designer.text());
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.screens.vaults.world.race, "Octopode");
}

#[test]
fn a_vault_whose_map_reads_values_that_a_design_cannot_store_is_placed_with_a_warning() {
    let mut designer = test_app(120, 40);
    let set_race = |designer: &mut TestApp, race: &str| {
        go(designer, "zz_shy");
        designer.keys("e\t");
        designer.chord(KeyModifiers::CONTROL, 'u');
        designer.keys(race);
        designer.press(KeyCode::Enter);
        designer.run_jobs();
    };
    let warning =
        "vault zz_shy added without race Octopode, which a design cannot store; it may differ from its preview";
    set_race(&mut designer, "Octopode");
    designer.keys("p");
    assert!(foot(&designer).contains(warning), "{}", foot(&designer));
    designer.keys("uv");
    designer.run_jobs();
    go(&mut designer, "zz_shy");
    designer.keys("P");
    let map = designer.app.editor.areas.map;
    designer.mouse(MouseEventKind::Down(MouseButton::Left), map.x + 12, map.y + 9);
    assert!(foot(&designer).contains(warning), "{}", foot(&designer));
    // A map that does not read the value looks like its preview.
    designer.keys("uv");
    designer.run_jobs();
    go(&mut designer, "zz_gate");
    designer.keys("p");
    assert!(!foot(&designer).contains("without"), "{}", foot(&designer));
}

#[test]
fn typed_values_are_checked_and_others_kept() {
    let labels = [("place", ""), ("xl", ""), ("god", "")];
    let parse =
        |texts: [&str; 3], before: &VaultWorld| super::texts::parse_world(&labels, &texts.map(str::to_owned), before);
    let before = VaultWorld {
        race: "Naga".into(),
        ..VaultWorld::default()
    };
    let world = parse(["D:9", "", "Xom"], &before).unwrap();
    assert_eq!(
        (
            world.level.to_string().as_str(),
            world.god.as_str(),
            world.race.as_str()
        ),
        ("D:9", "Xom", "Naga")
    );
    assert_eq!(
        world.xl,
        VaultWorld::at("D:9").unwrap().xl,
        "the usual level of its depth"
    );
    assert_eq!(parse(["D:9", "12", ""], &before).unwrap().xl, 12);
    let wrong = parse(["D:9", "99", ""], &before).unwrap_err();
    assert_eq!(wrong, ("an experience level must be from 1 to 27".to_owned(), 1));
    assert_eq!(parse(["Nowhere", "", ""], &before).unwrap_err().1, 0);
}

#[test]
fn a_vault_is_placed_as_shown_and_undo_removes_it() {
    let mut designer = test_app(120, 40);
    designer.keys("rrrrm");
    designer.run_jobs();
    assert!(
        designer.text().contains("seed 5 · mirrored left"),
        "{}",
        designer.text()
    );
    designer.app.editor.map.move_cursor(Point::new(5, 7));
    designer.press(KeyCode::Enter);
    assert!(!designer.app.screens.vaults.is_open());
    let preview = super::preview(&designer.app.screens.vaults, &designer.app.editor).unwrap();
    assert_eq!(preview.at, Point::new(5, 7), "Enter shows it first");
    assert_eq!(designer.app.editor.document.design().layout.vaults.len(), 1);
    designer.press(KeyCode::Enter);
    assert!(
        foot(&designer).contains("vault zz_tower at row 5, column 7 added"),
        "{}",
        foot(&designer)
    );
    let vaults = designer.app.editor.document.design().layout.vaults.clone();
    let entry = &vaults[1];
    assert_eq!((entry.file.as_str(), entry.map.as_str()), (FILE, "zz_tower"));
    assert_eq!(
        (entry.div, entry.at, entry.seed, entry.orientation),
        (0, Point::new(5, 7), 5, 5)
    );
    // The design resolves to what the browser showed: mirrored, with the door at the left.
    let valid = designer.app.editor.document.valid().unwrap();
    assert_eq!(valid.feature(Point::new(8, 7)).map(Feature::name), Some("floor"));
    assert_eq!(valid.feature(Point::new(8, 15)).map(Feature::name), Some("closed_door"));
    designer.keys("u");
    assert!(foot(&designer).contains("undone: vault zz_tower at row 5, column 7 added"));
    assert_eq!(designer.app.editor.document.design().layout.vaults.len(), 1);
}

#[test]
fn turning_and_mirroring_lead_back_to_the_start() {
    let mut designer = test_app(80, 24);
    let orientation = |designer: &TestApp| designer.app.screens.vaults.orientation;
    let mut seen = Vec::new();
    for key in "tttttmtttmm0".chars() {
        designer.keys(&key.to_string());
        seen.push(orientation(&designer));
    }
    assert_eq!(seen, [2, 3, 4, 1, 2, 8, 5, 6, 7, 3, 7, 0]);
    designer.run_jobs();
}

#[test]
fn a_turned_vault_is_mirrored_left_to_right() {
    let mut designer = test_app(80, 24);
    let rows = |designer: &mut TestApp| {
        designer.run_jobs();
        let outcome = designer.app.screens.vaults.rolls.first().unwrap();
        let resolved = super::rolls::grid(outcome).unwrap();
        let rows = resolved.cells.chunks(resolved.width);
        rows.map(|row| row.iter().map(|cell| cell.as_ref().map(|cell| cell.feature)).collect())
            .collect::<Vec<Vec<_>>>()
    };
    for turns in ["t", "tt", "ttt", "tttt"] {
        designer.keys("0");
        designer.keys(turns);
        let turned = rows(&mut designer);
        let mirrored: Vec<Vec<_>> = turned.iter().map(|row| row.iter().rev().copied().collect()).collect();
        for expected in [mirrored, turned] {
            designer.keys("m");
            assert_eq!(rows(&mut designer), expected, "{}", designer.text());
        }
    }
}

#[test]
fn a_preview_follows_the_cursor_and_a_click_places_the_vault() {
    let mut designer = test_app(120, 40);
    designer.keys("t");
    designer.run_jobs();
    designer.keys("P");
    assert_eq!(
        (designer.app.screens.vaults.is_open(), designer.app.editor.focus),
        (false, Focus::Map)
    );
    let map = designer.app.editor.areas.map;
    designer.mouse(MouseEventKind::Moved, map.x + 12, map.y + 9);
    insta::assert_snapshot!("a_ghost", designer.text());
    let preview = super::preview(&designer.app.screens.vaults, &designer.app.editor).unwrap();
    designer.press(KeyCode::Esc);
    assert!(designer.app.screens.vaults.is_open(), "Esc goes back to the browser");
    assert_eq!(designer.app.editor.document.design().layout.vaults.len(), 1);
    designer.keys("P");
    designer.mouse(MouseEventKind::Down(MouseButton::Left), map.x + 12, map.y + 9);
    let entry = designer.app.editor.document.design().layout.vaults[1].clone();
    assert_eq!(entry.at, preview.at);
    let stands = designer.app.editor.document.valid().unwrap().pieces()[1].clone();
    assert_eq!(stands.squares, preview.squares);
    assert!(super::preview(&designer.app.screens.vaults, &designer.app.editor).is_none());
}

#[test]
fn a_vault_that_is_too_large_is_rejected() {
    let mut designer = test_app(120, 40);
    designer
        .app
        .editor
        .edit("small", |design| design.layout.size = Size::new(20, 20));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hall.des");
    let row = "x".repeat(30);
    std::fs::write(&path, format!("NAME: hall\nMAP\n{row}\nENDMAP\n")).unwrap();
    designer.keys("o");
    designer.send(Message::Input(crossterm::event::Event::Paste(
        path.display().to_string(),
    )));
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    designer.keys("P");
    assert!(
        foot(&designer).contains("too many for a dungeon of"),
        "{}",
        foot(&designer)
    );
    designer.keys("p");
    assert!(
        foot(&designer).contains("too many for a dungeon of"),
        "{}",
        foot(&designer)
    );
    assert!(designer.app.screens.vaults.is_open());
}

#[test]
fn portals_are_entered_and_left() {
    let mut designer = test_app(120, 40);
    go(&mut designer, "zz_gate");
    assert!(
        designer.text().contains("⇒ the portal to `zz_garden` →"),
        "{}",
        designer.text()
    );
    designer.keys("n");
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert_eq!(designer.app.screens.vaults.identity().unwrap().1, "zz_garden");
    assert!(foot(&designer).contains("entered zz_garden"));
    designer.press(KeyCode::Backspace);
    designer.run_jobs();
    assert_eq!(designer.app.screens.vaults.identity().unwrap().1, "zz_gate");
    designer.keys("b");
    assert!(foot(&designer).contains("no portal was entered"));
    go(&mut designer, "zz_picky");
    designer.keys("n");
    assert!(foot(&designer).contains("has no exit"));
}

#[test]
fn an_exit_that_leads_nowhere_is_not_said_to_lead_to_a_map() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(FILE).unwrap();
    let mut designer = with_own_file(&folder, &text.replace("dst = \"zz_garden\"", "dst = \"zz_nothing\""));
    go(&mut designer, "zz_gate");
    designer.keys("n");
    assert!(designer.app.screens.vaults.portal.is_some());
    assert!(
        foot(&designer).contains("this exit leads nowhere"),
        "{}",
        foot(&designer)
    );
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.screens.vaults.identity().unwrap().1, "zz_gate");
}

#[test]
fn ten_rolls_are_compared_and_one_is_kept() {
    let mut designer = test_app(120, 40);
    designer.keys("c");
    designer.run_jobs();
    assert!(designer.text().contains("seeds 1 to 10"));
    designer.keys("ll");
    designer.press(KeyCode::Down);
    let selected = designer.app.screens.vaults.compared.unwrap();
    assert!(selected > 2, "down is a row");
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert_eq!(designer.app.screens.vaults.seed, selected as u64 + 1);
    designer.keys("crrR");
    designer.run_jobs();
    assert_eq!(designer.app.screens.vaults.seed, selected as u64 + 11);
    designer.keys("l");
    let picture = super::BrowserAreas::of(&designer.app.screens.vaults, &designer.app.editor).picture;
    designer.click(picture.x + 2, picture.y + 1);
    assert_eq!(designer.app.screens.vaults.compared, Some(0));
    designer.click(picture.x + 2, picture.y + 1);
    assert_eq!(designer.app.screens.vaults.compared, None);
}

#[test]
fn a_file_changed_elsewhere_is_reloaded_and_the_place_in_it_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let level = folder.path().join("own.des");
    let text = std::fs::read_to_string(FILE).unwrap();
    std::fs::write(&level, &text).unwrap();
    let toml = folder.path().join("halls.toml");
    let mut document = Document::new(design("own.des"), None);
    document.save_as(DesignFiles::Toml(toml)).unwrap();
    let mut designer = TestApp::with(document, 160, 40);
    designer.app.screens.vaults.filter = "zz_".into();
    designer.keys("v");
    designer.run_jobs();
    assert!(designer.watched.contains(&level));
    go(&mut designer, "zz_garden");
    designer.keys("JJ");
    let top = designer.app.screens.vaults.source_top;
    assert!(top.is_some());
    let saved = text.replace(
        "NAME:    zz_tower",
        "NAME:    zz_first\nMAP\nx\nENDMAP\n\nNAME: zz_tower\nSUBST: ( = .",
    );
    std::fs::write(&level, saved.replace("t<....t", "t<.T..t")).unwrap();
    designer.send(Message::FilesChanged(vec![level.clone()]));
    designer.run_jobs();
    assert_eq!(designer.app.screens.vaults.identity().unwrap().1, "zz_garden");
    assert_eq!(designer.app.screens.vaults.source_top, top);
    assert!(designer.text().contains("zz_first"), "{}", designer.text());
    assert!(
        foot(&designer).contains("reloaded after a change on disk: own.des"),
        "{}",
        foot(&designer)
    );
    // Another message about an unchanged file has no effect.
    let before = designer.text();
    designer.send(Message::FilesChanged(vec![level.clone()]));
    assert_eq!(designer.text(), before);
    std::fs::remove_file(&level).unwrap();
    designer.send(Message::FilesChanged(vec![level]));
    designer.run_jobs();
    assert!(designer.text().contains("own.des"), "{}", designer.text());
    assert!(designer.app.screens.vaults.selected.is_none(), "{}", designer.text());
    designer.keys("rmcpnbPs");
}

/// Opens the browser with a design in `folder` whose level file `own.des` has this text, and selects the first map.
fn with_own_file(folder: &tempfile::TempDir, text: &str) -> TestApp {
    std::fs::write(folder.path().join("own.des"), text).unwrap();
    let mut document = Document::new(design("own.des"), None);
    let toml = DesignFiles::Toml(folder.path().join("halls.toml"));
    document.save_as(toml).unwrap();
    let mut designer = TestApp::with(document, 160, 40);
    designer.app.screens.vaults.filter = "own.des".into();
    designer.keys("v");
    designer.run_jobs();
    designer
}

#[test]
fn a_map_that_its_name_does_not_identify_is_not_placed() {
    let folder = tempfile::tempdir().unwrap();
    let text = "NAME: twin\nMAP\nxx\nENDMAP\nNAME: twin\nMAP\nxxx\nENDMAP\nNAME:\nMAP\nx\nENDMAP\n";
    let mut designer = with_own_file(&folder, text);
    let before = designer.app.editor.document.design().clone();
    for (key, why) in [
        (
            "j",
            "an earlier map has the same name, so it cannot be placed: give the map at own.des:5 a name of its own",
        ),
        (
            "j",
            "this map has no name, so it cannot be placed: give the map at own.des:9 a name of its own",
        ),
    ] {
        designer.keys(key);
        designer.run_jobs();
        for place in ["p", "P"] {
            designer.keys(place);
            assert!(foot(&designer).contains(why), "{}", foot(&designer));
            assert!(designer.app.screens.vaults.is_open());
        }
    }
    assert_eq!(*designer.app.editor.document.design(), before);
    designer.keys("kk");
    designer.run_jobs();
    designer.keys("p");
    let placed = designer.app.editor.document.design().layout.vaults.last().unwrap();
    assert_eq!(placed.map, "twin");
}

#[test]
fn the_second_map_of_a_name_stays_selected_when_the_browser_is_reopened() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = with_own_file(&folder, "NAME: twin\nMAP\nxx\nENDMAP\nNAME: twin\nMAP\nxxx\nENDMAP\n");
    designer.keys("j");
    let second = designer.app.screens.vaults.selected;
    designer.keys("qv");
    designer.run_jobs();
    assert!(second.is_some_and(|(_, map)| map.index() == 1));
    assert_eq!(designer.app.screens.vaults.selected, second);
}

/// Replaces the text of `own.des` in `folder`, or removes the file, and reports the change.
fn change_own_file(designer: &mut TestApp, folder: &tempfile::TempDir, text: Option<&str>) {
    let level = folder.path().join("own.des");
    match text {
        Some(text) => std::fs::write(&level, text).unwrap(),
        None => std::fs::remove_file(&level).unwrap(),
    }
    designer.send(Message::FilesChanged(vec![level]));
    designer.run_jobs();
}

#[test]
fn a_cancelled_placement_returns_to_a_roll_of_the_changed_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = with_own_file(&folder, "NAME: room\nMAP\nx.x\nENDMAP\n");
    designer.keys("P");
    assert!(designer.app.screens.vaults.is_placing());
    change_own_file(&mut designer, &folder, Some("NAME: room\nMAP\nx...x\nENDMAP\n"));
    designer.press(KeyCode::Esc);
    let width = |designer: &TestApp| {
        let outcome = designer.app.screens.vaults.rolls.first().unwrap();
        super::rolls::grid(outcome).unwrap().cells.len()
    };
    assert_eq!(width(&designer), 5, "{}", designer.text());
    designer.keys("P");
    let preview = super::preview(&designer.app.screens.vaults, &designer.app.editor).unwrap();
    assert_eq!(preview.squares.len(), 5);
}

#[test]
fn an_exit_is_not_selected_after_its_file_was_changed() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(FILE).unwrap();
    let mut designer = with_own_file(&folder, &text);
    go(&mut designer, "zz_gate");
    designer.keys("n");
    assert!(designer.app.screens.vaults.portal.is_some());
    let without = text.replace(
        "MARKER:  O = lua:one_way_stair { dst = \"zz_garden\", desc = \"a gate\" }\n",
        "",
    );
    assert_ne!(without, text);
    change_own_file(&mut designer, &folder, Some(&without));
    assert_eq!(designer.app.screens.vaults.identity().unwrap().1, "zz_gate");
    designer.press(KeyCode::Enter);
    assert!(designer.app.screens.vaults.is_placing(), "{}", foot(&designer));
}

#[test]
fn opening_a_known_file_that_was_deleted_reports_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let text = "NAME: room\nMAP\nx.x\nENDMAP\n";
    let mut designer = with_own_file(&folder, text);
    change_own_file(&mut designer, &folder, None);
    let level = folder.path().join("own.des");
    designer.keys("o");
    designer.send(Message::Input(crossterm::event::Event::Paste(
        level.display().to_string(),
    )));
    designer.press(KeyCode::Enter);
    let why = designer.app.screens.vaults.why_rejected();
    assert!(why.starts_with(&format!("cannot read {}", level.display())), "{why}");
    // Once the file exists again, it is opened even if the change was not noticed.
    std::fs::write(&level, text).unwrap();
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert!(foot(&designer).contains("own.des opened"), "{}", foot(&designer));
    assert_eq!(designer.app.screens.vaults.identity().unwrap().1, "room");
}

#[test]
fn the_source_of_another_file_is_not_scrolled_when_the_selected_file_vanishes() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = with_own_file(&folder, &std::fs::read_to_string(FILE).unwrap());
    designer.app.screens.vaults.filter.clear();
    designer.keys("JJ");
    assert!(designer.app.screens.vaults.source_top.is_some());
    change_own_file(&mut designer, &folder, None);
    assert!(
        designer
            .app
            .screens
            .vaults
            .selected
            .is_some_and(|(place, _)| place == 0)
    );
    assert_eq!(designer.app.screens.vaults.source_top, None);
}

#[test]
fn a_level_file_that_vanished_is_reported_as_unreadable() {
    let folder = tempfile::tempdir().unwrap();
    let level = folder.path().join("own.des");
    std::fs::copy(FILE, &level).unwrap();
    let mut document = Document::new(design("own.des"), None);
    let toml = DesignFiles::Toml(folder.path().join("halls.toml"));
    document.save_as(toml).unwrap();
    let mut designer = TestApp::with(document, 160, 40);
    designer.keys("v");
    designer.run_jobs();
    std::fs::remove_file(&level).unwrap();
    designer.send(Message::FilesChanged(vec![level.clone()]));
    let (level_of_notice, text) = designer.app.editor.status.notice.clone().unwrap();
    assert_eq!(level_of_notice, NoticeLevel::Error);
    assert!(
        text.starts_with(&format!("cannot read {}", level.display())) && !text.contains("reloaded"),
        "{text}"
    );
}

#[test]
fn files_are_opened_by_their_path_or_the_reason_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = test_app(120, 40);
    let open = |designer: &mut TestApp, path: &str| {
        designer.keys("o");
        designer.send(Message::Input(crossterm::event::Event::Paste(path.to_owned())));
        designer.press(KeyCode::Enter);
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
        open(&mut designer, if name.is_empty() { "" } else { path.to_str().unwrap() });
        assert!(designer.text().contains(why), "{}", designer.text());
        designer.press(KeyCode::Esc);
    }
    let path = folder.path().join("one.des");
    std::fs::write(&path, "NAME: only_one\nMAP\nx.x\nENDMAP\n").unwrap();
    open(&mut designer, path.to_str().unwrap());
    designer.run_jobs();
    assert!(designer.text().contains("only_one") && foot(&designer).contains("one.des opened"));
    assert!(designer.watched.contains(&path));
    designer.keys("p");
    let entry = designer.app.editor.document.design().layout.vaults.last().unwrap();
    assert_eq!(entry.file, path.to_str().unwrap());
    let stand = designer.app.editor.document.valid().unwrap().pieces().len();
    assert_eq!(stand, 2, "the design finds it");
    // In a design saved beside the level file, the file's name is relative.
    let toml = DesignFiles::Toml(folder.path().join("here.toml"));
    designer.app.editor.document.save_as(toml).unwrap();
    designer.keys("v");
    designer.run_jobs();
    go(&mut designer, "only_one");
    designer.keys("p");
    let entry = designer.app.editor.document.design().layout.vaults.last().unwrap();
    assert_eq!(entry.file, "one.des");
}

#[test]
fn a_filter_can_be_cancelled_and_the_wheel_and_clicks_select() {
    let mut designer = test_app(120, 40);
    designer.keys("/nothing has this");
    assert!(designer.app.screens.vaults.selected.is_none());
    designer.press(KeyCode::Esc);
    designer.run_jobs();
    assert_eq!(designer.app.screens.vaults.identity().unwrap().1, "zz_tower");
    let list = super::BrowserAreas::of(&designer.app.screens.vaults, &designer.app.editor).list;
    let name = |designer: &TestApp| designer.app.screens.vaults.identity().unwrap().1;
    designer.mouse(MouseEventKind::ScrollDown, list.x + 3, list.y + 3);
    assert_eq!(name(&designer), "zz_picky", "three rows on");
    designer.press(KeyCode::PageUp);
    assert_eq!(name(&designer), "zz_tower");
    designer.press(KeyCode::PageDown);
    let paged = name(&designer);
    designer.press(KeyCode::End);
    assert_eq!(name(&designer), paged, "all of them fit on a page");
    go(&mut designer, "zz_gate");
    let row = designer
        .text()
        .lines()
        .position(|line| line.contains("zz_shy"))
        .unwrap();
    designer.click(list.x + 3, row as u16);
    assert_eq!(designer.app.screens.vaults.identity().unwrap().1, "zz_shy");
    designer.run_jobs();
    designer.keys("q");
    assert!(!designer.app.screens.vaults.is_open() && designer.quit.is_none());
}

#[test]
fn rolls_of_older_requests_are_dropped() {
    let mut designer = test_app(120, 40);
    for _ in 0..20 {
        designer.keys("jrk");
    }
    designer.run_jobs();
    assert_eq!(designer.app.screens.vaults.rolls.all().next().unwrap().0, 21);
    let shown = designer.text();
    assert!(shown.contains("zz_tower · seed 21"), "{shown}");
    assert!(!shown.contains("rolling"), "{shown}");
}

#[test]
fn a_valid_seed_is_one_undo_step() {
    let mut designer = test_app(120, 40);
    designer.keys("qT ");
    assert!(foot(&designer).contains("trying seeds …"), "{}", foot(&designer));
    designer.run_jobs();
    assert!(foot(&designer).contains("seed 1 is valid"), "{}", foot(&designer));
    let before = designer.app.editor.document.design().clone();
    designer.keys("T");
    designer.find(SeedSearchReply {
        seed: Some(47),
        tried: 3,
    });
    assert!(
        foot(&designer).contains("seed: 1 → 47, 3rd tried"),
        "{}",
        foot(&designer)
    );
    assert_eq!(designer.app.editor.document.design().seed, 47);
    designer.keys("u");
    assert_eq!(*designer.app.editor.document.design(), before);
    designer.keys("T");
    designer.find(SeedSearchReply { seed: None, tried: 50 });
    assert!(foot(&designer).contains("none of the next 50 seeds"));
    designer.keys("TT");
    assert!(foot(&designer).contains("stopped"));
    designer.keys("TR");
    designer.find(SeedSearchReply {
        seed: Some(48),
        tried: 4,
    });
    assert!(foot(&designer).contains("cancelled"), "{}", foot(&designer));
    update(
        &mut designer.app.screens.vaults,
        &mut designer.app.editor,
        BrowserCommand::Open,
    );
}

#[test]
fn opening_another_design_ends_the_search_for_a_valid_seed() {
    let mut designer = test_app(120, 40);
    designer.keys("qT");
    assert!(designer.requested("search").is_some());
    let effects = designer.app.open(Document::new(design(FILE), None));
    designer.perform(effects);
    assert!(designer.app.search.is_none() && designer.requested("search").is_none());
    designer.keys("T");
    assert!(foot(&designer).contains("trying seeds"), "{}", foot(&designer));
}

#[test]
fn vaults_are_resolved_while_the_designer_continues_and_stale_ones_are_dropped() {
    let mut designer = TestApp::new(100, 32);
    designer.held.push("vault resolver");
    let run = designer.run();
    let effects = designer.app.open(Document::new(design(FILE), None));
    designer.perform(effects);
    designer.send(Message::Watching);
    assert!(foot(&designer).contains("resolving vaults"), "{}", foot(&designer));
    assert!(designer.app.editor.document.valid().is_none());
    assert_eq!(designer.run(), run, "nothing is grown without its vaults");
    let (first, request) = designer.take_request("vault resolver").unwrap();
    // An edit that does not affect the vaults is kept, and the request in progress continues.
    designer
        .app
        .editor
        .edit("named", |design| design.layout.walls.push(Point::new(3, 3)));
    designer.perform(Vec::new());
    designer.send(Message::Watching);
    assert!(designer.requested("vault resolver").is_none());
    // Another seed for the vault makes the request in progress outdated.
    designer
        .app
        .editor
        .edit("seed", |design| design.layout.vaults[0].seed = 8);
    designer.perform(Vec::new());
    designer.send(Message::Watching);
    let (second, newer) = designer.take_request("vault resolver").unwrap();
    designer.run_job(&first, request);
    assert!(designer.app.editor.document.is_resolving(), "the reply is stale");
    designer.run_job(&second, newer);
    assert!(!designer.app.editor.document.is_resolving());
    let valid = designer.app.editor.document.valid().unwrap();
    assert_eq!(
        (valid.pieces().len(), &valid.layout.walls[..]),
        (1, &[Point::new(3, 3)][..])
    );
    assert_ne!(designer.run(), run, "the dungeon grows now");
    assert!(!designer.text().contains("resolving vaults"));
    // Moving a vault does not resolve it again; undoing the edit that caused a request cancels the request.
    designer
        .app
        .editor
        .edit("moved", |design| design.layout.vaults[0].xdiv += 1);
    designer.perform(Vec::new());
    designer.send(Message::Watching);
    assert!(designer.requested("vault resolver").is_none() && designer.app.editor.document.valid().is_some());
    designer
        .app
        .editor
        .edit("seed", |design| design.layout.vaults[0].seed = 9);
    designer.perform(Vec::new());
    designer.send(Message::Watching);
    assert!(designer.requested("vault resolver").is_some());
    designer.keys("u");
    assert!(designer.requested("vault resolver").is_none() && designer.app.editor.document.valid().is_some());
    designer.keys("q");
}
