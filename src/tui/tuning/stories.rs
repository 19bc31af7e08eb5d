//! Tests of curves, remedies and the search, driven by keys and mouse.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyModifiers};

use super::*;
use crate::background::{JobRequest, Message};
use crate::design::CrawlerStart;
use crate::document::Document;
use crate::geometry::{Point, Size};
use crate::tui::commands::{Effect, PanelCommand};
use crate::tui::fixture::{TestApp, assert_list_keys, drawn_at_any_size};
use crate::tui::tabs::Panel;

/// Opens a 32 × 32 hall with one Crawler, after applying `change` to the design.
fn test_app(change: impl FnOnce(&mut Design), width: u16, height: u16) -> TestApp {
    let mut design = Design {
        name: "Hall".into(),
        ..Design::default()
    };
    design.layout.size = Size::new(32, 32);
    design.layout.crawlers.push(CrawlerStart {
        at: Point::new(0, 16),
        ..CrawlerStart::default()
    });
    change(&mut design);
    let mut designer = TestApp::with(Document::new(design, None), width, height);
    designer.grow();
    designer.keys("G");
    designer
}

/// Advances past the idle delay, and runs the jobs that start then.
fn wait(designer: &mut TestApp) {
    let effects = designer.app.advance(Duration::from_millis(400));
    designer.perform(effects);
    designer.run_jobs();
}

fn are_shown(designer: &TestApp) -> bool {
    curves_are_shown(&designer.app.tune)
}

fn curve_size(designer: &TestApp) -> usize {
    designer.app.tune.curves.tried()
}

#[test]
fn curves_are_drawn_below_the_slider_and_kept_while_only_their_parameter_changes() {
    let mut designer = test_app(|_| (), 100, 44);
    designer.keys("\t");
    designer.keys("W");
    assert!(designer.text().contains("waiting"), "{}", designer.text());
    assert_eq!(designer.app.next_change(), Some(Duration::from_millis(300)));
    wait(&mut designer);
    assert_eq!(designer.app.next_change(), None, "every curve is complete");
    insta::assert_snapshot!(designer.text());
    let all = curve_size(&designer);
    // One step moves the mark and adds at most one value.
    designer.keys("+");
    designer.grow();
    wait(&mut designer);
    assert!(curve_size(&designer) - all <= 32, "{all}");
    // Stepping back needs no new dungeons.
    let all = curve_size(&designer);
    designer.keys("-");
    designer.grow();
    wait(&mut designer);
    assert_eq!(curve_size(&designer), all);
    // Editing another parameter starts a new curve.
    designer.press(KeyCode::Down);
    designer.keys("+");
    designer.grow();
    designer.press(KeyCode::Up);
    assert_eq!(curve_size(&designer), 0);
    designer.chord(KeyModifiers::ALT, 'w');
    assert!(designer.text().contains("junctions"), "{}", designer.text());
    designer.keys("W");
    assert!(!designer.text().contains("junctions"), "{}", designer.text());
}

#[test]
fn a_curve_of_a_dimension_continues_when_the_dungeon_has_become_large() {
    let mut designer = test_app(|design| design.layout.size = Size::new(200, 200), 100, 44);
    let effects = designer.app.update(Action::Resize);
    designer.perform(effects);
    designer.keys("W");
    assert!(are_shown(&designer), "{}", designer.text());
    // A larger dungeon is measured over fewer seeds, but the curve was begun with the smaller one.
    designer
        .app
        .editor
        .edit("larger", |design| design.layout.size = Size::new(210, 200));
    designer.perform(Vec::new());
    designer.want();
    designer.grow();
    designer.keys("G");
    let effects = designer.app.advance(Duration::from_millis(400));
    let trials = effects.into_iter().find_map(|effect| match effect {
        Effect::Start(_, JobRequest::Trials(trials)) => Some(trials),
        _ => None,
    });
    let trials = trials.unwrap();
    assert!(trials.order.iter().all(|(_, seed)| *seed < trials.seeds.len()));
}

#[test]
fn curves_turned_on_while_a_sheet_covers_the_panel_uncover_the_panel() {
    let mut designer = test_app(|_| (), 110, 44);
    designer.keys("\tN");
    assert!(designer.app.tune.has_sheet());
    designer.keys("W");
    assert!(are_shown(&designer), "{}", designer.text());
}

/// The content of a level file with one vault.
const LEVELS: &str = "NAME: den\nMAP\nxxxxx\nx...+\nxxxxx\nENDMAP\n";

/// Opens a 32 × 32 hall with one Crawler and one vault, whose level file is in `folder`. Returns the level file's path,
/// too.
fn app_with_vault(folder: &Path) -> (TestApp, PathBuf) {
    let level = folder.join("own.des");
    std::fs::write(&level, LEVELS).unwrap();
    let mut design = Design::default();
    design.layout.size = Size::new(32, 32);
    design.layout.crawlers.push(CrawlerStart {
        at: Point::new(0, 16),
        ..CrawlerStart::default()
    });
    design.layout.vaults.push(crate::design::VaultEntry {
        file: "own.des".into(),
        map: "den".into(),
        ..Default::default()
    });
    let mut document = Document::new(design, None);
    let files = crate::storage::DesignFiles::Toml(folder.join("own.toml"));
    document.save_as(files).unwrap();
    let mut designer = TestApp::with(document, 110, 44);
    designer.grow();
    designer.keys("G");
    (designer, level)
}

/// Writes other content to a level file, and reports this to the designer.
fn change_level(designer: &mut TestApp, level: &Path, text: &str) {
    std::fs::write(level, text).unwrap();
    designer.send(Message::FilesChanged(vec![level.to_owned()]));
}

#[test]
fn curves_and_remedies_are_measured_again_when_a_level_file_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let (mut designer, level) = app_with_vault(folder.path());
    designer.keys("\tW");
    wait(&mut designer);
    assert!(curve_size(&designer) > 0, "{}", designer.text());
    designer.keys("N");
    designer.run_jobs();
    assert!(!designer.text().contains("looking for flaws"), "{}", designer.text());
    change_level(&mut designer, &level, &LEVELS.replace("x...+", "+...+"));
    assert!(designer.text().contains("looking for flaws"), "{}", designer.text());
    designer.press(KeyCode::Esc);
    assert!(are_shown(&designer), "{}", designer.text());
    assert_eq!(curve_size(&designer), 0);
}

#[test]
fn a_search_and_learning_are_cancelled_when_a_level_file_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let (mut designer, level) = app_with_vault(folder.path());
    designer.keys("Oepath >= 100000");
    designer.press(KeyCode::Enter);
    designer.press(KeyCode::Enter);
    assert!(designer.app.tune.request.is_some(), "{}", designer.text());
    change_level(&mut designer, &level, &LEVELS.replace("x...+", "+...+"));
    assert!(designer.text().contains("search cancelled"), "{}", designer.text());
    assert!(designer.app.tune.has_sheet() && designer.app.tune.request.is_none());
    let examples = LearnExamples::of_design(&designer.app.editor.document);
    learn(&mut designer.app.tune, &mut designer.app.editor, examples);
    designer.perform(Vec::new());
    assert!(designer.app.tune.request.is_some(), "{}", designer.text());
    change_level(&mut designer, &level, LEVELS);
    assert!(designer.text().contains("learning cancelled"), "{}", designer.text());
    assert!(!designer.app.tune.has_sheet() && designer.app.tune.request.is_none());
}

#[test]
fn an_edit_or_another_selection_cancels_the_curve_in_progress() {
    let mut designer = test_app(|_| (), 100, 44);
    designer.app.editor.panel = Panel::Constants;
    designer.keys("\tW");
    let effects = designer.app.advance(Duration::from_millis(400));
    assert!(matches!(effects[..], [Effect::Start(..)]), "{effects:?}");
    designer.perform(effects);
    let effects = designer.app.update(Action::Panel(PanelCommand::Row(
        crate::tui::widget::list::ListStep::By(1),
    )));
    designer.perform(effects);
    assert!(designer.requested("trials").is_some());
    designer.want();
    assert!(designer.requested("trials").is_none());
    assert!(designer.app.tune.request.is_none());
}

#[test]
fn a_parameter_without_effect_is_flat_and_the_panel_explains_why() {
    let mut designer = test_app(|_| (), 90, 40);
    designer.keys("\tW");
    // OpenStartProb of generation 0.
    for _ in 0..6 {
        designer.press(KeyCode::Down);
    }
    wait(&mut designer);
    assert_eq!(curve_size(&designer), 0);
    let text = designer.text();
    assert!(text.contains("flat, because the value"), "{text}");
    assert!(text.contains("set in the"), "{text}");
}

#[test]
fn a_curve_of_a_boolean_shows_the_share_of_dungeons_with_its_interval() {
    let mut designer = test_app(|_| (), 100, 44);
    designer.keys("\tW");
    for _ in 0..4 {
        designer.chord(KeyModifiers::ALT, 'w');
    }
    wait(&mut designer);
    let text = designer.text();
    let line = text.lines().find(|line| line.contains("│reachable "));
    assert!(line.is_some_and(|line| line.contains("%  [")), "{text}");
}

#[test]
fn the_narrow_panel_has_curves_and_its_list() {
    let mut designer = test_app(|_| (), 80, 24);
    designer.keys("\tW");
    wait(&mut designer);
    let text = designer.text();
    assert!(text.contains("StepLength") && text.contains("dead-ends"), "{text}");
    assert!(text.contains("1 ━"), "the slider: {text}");
    insta::assert_snapshot!(text);
    drawn_at_any_size(
        |area, buf| crate::tui::screen::draw_panel(&designer.app, area, buf),
        (40, 20),
    );
}

#[test]
fn a_low_panel_has_the_strongest_difference_beside_the_name_or_above_a_plot_of_one_row() {
    let change = |design: &mut Design| {
        design.layout.size = Size::new(41, 71);
        design.layout.crawlers[0].at = Point::new(0, 20);
    };
    let mut designer = test_app(change, 80, 24);
    designer.keys("\tW");
    wait(&mut designer);
    let text = designer.text();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("dead-ends")).collect();
    assert!(
        lines.len() == 1 && lines[0].contains(" at 18: −10.3 [−14.4, −6.3]│"),
        "{text}"
    );
    assert!(text.contains("106  106 to 106│"), "no value changes the path: {text}");
    let mut designer = test_app(change, 80, 30);
    designer.keys("\tW");
    wait(&mut designer);
    let text = designer.text();
    assert!(text.contains("││at 18: −10.3 [−14.4, −6.3]"), "{text}");
    assert!(text.contains("31  29 to 33│"), "{text}");
}

/// Sets up a design whose generation 1 dominates.
fn dominated(design: &mut Design) {
    design.character.generations[0].max_age = 4;
    design.character.generations[1].max_age = 60;
    design.character.generations[1].straight_spawn_prob = 0;
    design.character.generations[1].double_spawn_prob = 0;
    for generation in &mut design.character.generations[2..] {
        generation.max_age = 1;
    }
    design.expect.that = vec!["share(generation 1) <= 0.6".into()];
}

#[test]
fn a_problem_is_found_and_its_remedy_applied_and_undone() {
    let mut designer = test_app(dominated, 110, 40);
    let before = designer.app.editor.document.shared();
    designer.keys("N");
    assert!(designer.text().contains("looking for flaws"), "{}", designer.text());
    designer.run_jobs();
    let text = designer.text();
    assert!(text.contains("generation 1 takes over"), "{text}");
    insta::assert_snapshot!(text);
    drawn_at_any_size(
        |area, buf| assert!(draw(&designer.app.tune, &designer.app.editor, area, buf)),
        (60, 30),
    );
    // A preview does not change the design.
    designer.keys("l");
    assert!(designer.app.tune.looking.is_some());
    assert!(
        designer.text().contains("shown on the map; not applied"),
        "{}",
        designer.text()
    );
    assert_eq!(designer.app.editor.document.step(), 0);
    let previewed = tuned_design(&designer.app.tune, &designer.app.editor).unwrap();
    assert_ne!(Design::clone(&previewed), *before);
    designer.press(KeyCode::Down);
    assert_ne!(
        tuned_design(&designer.app.tune, &designer.app.editor).unwrap(),
        previewed,
        "the next remedy is previewed"
    );
    designer.press(KeyCode::Up);
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.document.design(), &*previewed);
    let name = designer.app.editor.document.steps().next().unwrap().to_owned();
    assert!(name.starts_with("remedy: "), "{name}");
    assert!(!designer.app.tune.has_sheet());
    designer.keys("u");
    assert_eq!(designer.app.editor.document.design(), &*before);
}

#[test]
fn remedies_follow_the_design_and_close_without_a_trace() {
    let mut designer = test_app(dominated, 110, 40);
    designer.keys("N");
    designer.run_jobs();
    designer.keys("l");
    // An edit while the sheet is open restarts the measurement.
    designer
        .app
        .editor
        .edit("less", |design| design.character.generations[1].max_age = 3);
    designer.perform(Vec::new());
    designer.want();
    assert_eq!(designer.app.tune.looking, None);
    let grown = &designer.app.editor.time.ordered().unwrap().design;
    assert_eq!(
        Design::clone(grown),
        *designer.app.editor.document.design(),
        "the map shows the edited design without the remedy"
    );
    assert!(designer.text().contains("looking for flaws"), "{}", designer.text());
    designer.run_jobs();
    assert!(designer.text().contains("before → after"), "{}", designer.text());
    designer.press(KeyCode::Esc);
    assert!(!designer.app.tune.has_sheet() && designer.app.tune.request.is_none());
    assert_eq!(designer.app.editor.document.step(), 1);
}

#[test]
fn a_requested_panel_covers_the_sheet_whose_work_continues() {
    let mut designer = test_app(dominated, 110, 40);
    designer.keys("N");
    designer.chord(KeyModifiers::ALT, '1');
    assert!(designer.text().contains("StepLength"), "{}", designer.text());
    designer.run_jobs();
    designer.keys("N");
    assert!(designer.text().contains("before → after"), "{}", designer.text());
    designer.keys("N");
    assert!(designer.text().contains("StepLength"), "{}", designer.text());
}

#[test]
fn a_character_is_found_previewed_applied_and_undone() {
    let mut designer = test_app(
        |design| design.expect.that = vec!["median dead-ends <= 4".into()],
        110,
        40,
    );
    let before = designer.app.editor.document.shared();
    designer.keys("O");
    insta::assert_snapshot!(designer.text());
    drawn_at_any_size(
        |area, buf| assert!(draw(&designer.app.tune, &designer.app.editor, area, buf)),
        (60, 30),
    );
    // Adds an expectation, first misspelled and then corrected.
    designer.keys("ereachabel");
    designer.press(KeyCode::Enter);
    assert!(
        designer.app.editor.has_failed() && designer.text().contains("did you mean"),
        "{}",
        designer.text()
    );
    for _ in 0..2 {
        designer.press(KeyCode::Backspace);
    }
    designer.keys("le");
    designer.press(KeyCode::Enter);
    assert!(
        !designer.app.editor.has_failed() && designer.text().contains("expectations: 2"),
        "{}",
        designer.text()
    );
    designer.press(KeyCode::Enter);
    designer.keys("p");
    assert!(designer.text().contains("paused"), "{}", designer.text());
    assert!(designer.app.tune.request.is_none());
    designer.keys("p");
    designer.run_jobs();
    let text = designer.text();
    assert!(text.contains("finished: every expectation is met"), "{text}");
    assert!(text.contains("over 100 fresh seeds"), "{text}");
    insta::assert_snapshot!(text);
    drawn_at_any_size(
        |area, buf| assert!(draw(&designer.app.tune, &designer.app.editor, area, buf)),
        (60, 30),
    );
    designer.keys("l");
    let previewed = tuned_design(&designer.app.tune, &designer.app.editor).unwrap();
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.document.design().character, previewed.character);
    let name = designer.app.editor.document.steps().next().unwrap().to_owned();
    assert!(name.starts_with("tuned: "), "{name}");
    designer.keys("u");
    assert_eq!(designer.app.editor.document.design(), &*before);
}

#[test]
fn bounds_are_typed_parameters_chosen_by_keys_and_mouse_and_escape_leaves_no_trace() {
    let mut designer = test_app(|design| design.expect.that = vec!["path >= 100000".into()], 110, 40);
    designer.keys("O");
    designer.press(KeyCode::Down);
    designer.keys("b");
    for _ in 0..12 {
        designer.press(KeyCode::Backspace);
    }
    designer.keys("1-9");
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("in 1–9"), "{}", designer.text());
    // Clicks the second parameter line twice.
    let area = designer.app.editor.areas.panel;
    let before = designer.text();
    designer.click(area.x + 6, area.y + 5);
    designer.click(area.x + 6, area.y + 5);
    assert_ne!(designer.text(), before);
    designer.keys("as");
    assert!(designer.text().contains("64 seeds"), "{}", designer.text());
    designer.keys("sss");
    designer.press(KeyCode::Enter);
    // The expectation cannot be met. The test ends the search, and the sheet then reports the failure.
    for _ in 0..3 {
        designer.run_next(&mut |_| ());
    }
    designer.keys("f");
    designer.run_jobs();
    assert!(
        designer.text().contains("not all expectations are met"),
        "{}",
        designer.text()
    );
    designer.press(KeyCode::Esc);
    assert!(!designer.app.tune.has_sheet() && designer.app.tune.request.is_none());
    assert_eq!(designer.app.editor.document.step(), 0);
}

#[test]
fn f_during_the_verification_does_not_restart_it() {
    let mut designer = test_app(|design| design.expect.that = vec!["path >= 100000".into()], 110, 40);
    designer.keys("O");
    designer.press(KeyCode::Enter);
    for _ in 0..3 {
        designer.run_next(&mut |_| ());
    }
    designer.keys("f");
    let verification = designer.requested("trials").unwrap();
    designer.keys("f");
    assert!(designer.requested("trials").unwrap() == verification);
    assert!(
        designer.text().contains("already being verified"),
        "{}",
        designer.text()
    );
    // A pause discards the dungeons of an unfinished verification.
    designer.keys("pf");
    assert!(designer.requested("trials").unwrap() != verification);
    designer.run_jobs();
    assert!(
        designer.text().contains("not all expectations are met"),
        "{}",
        designer.text()
    );
}

#[test]
fn an_edit_cancels_the_search_and_missing_expectations_are_reported() {
    let mut designer = test_app(|_| (), 110, 40);
    designer.keys("O");
    designer.press(KeyCode::Enter);
    assert!(
        designer.text().contains("there are no expectations"),
        "{}",
        designer.text()
    );
    designer.keys("epath >= 100000");
    designer.press(KeyCode::Enter);
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("generation 0"), "{}", designer.text());
    designer.keys("R");
    assert!(designer.text().contains("search cancelled"), "{}", designer.text());
    assert!(designer.app.tune.request.is_none());
}

#[test]
fn the_search_sheet_follows_edits_and_keeps_what_was_chosen_on_it() {
    let mut designer = test_app(|_| (), 110, 40);
    designer.keys("O");
    designer.keys("ereachable");
    designer.press(KeyCode::Enter);
    // Generation 0: fixes StepLength, and sets the bounds of the parameter below it.
    designer.press(KeyCode::Down);
    designer.keys(" ");
    designer.press(KeyCode::Down);
    designer.keys("b");
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.keys("1-11");
    designer.press(KeyCode::Enter);
    let line = |designer: &TestApp, words: &str| {
        let text = designer.text();
        let found = text.lines().find(|line| line.contains(words)).map(str::to_owned);
        found.unwrap_or_else(|| panic!("{words}: {text}"))
    };
    assert!(line(&designer, "[ ] StepLength of gen 0").contains("in 1–"));
    line(&designer, "in 1–11");
    designer.chord(KeyModifiers::ALT, '1');
    designer.app.editor.edit("edited", |design| {
        design.character.generations[0].step_length = 20;
        design.expect.that = vec!["path >= 60 in 90%".into()];
    });
    designer.perform(Vec::new());
    designer.want();
    designer.keys("O");
    assert!(designer.text().contains("expectations: 2"), "{}", designer.text());
    line(&designer, "[x] path >= 60 in 90%");
    line(&designer, "[x] reachable");
    let step_length = line(&designer, "[ ] StepLength of gen 0");
    assert!(step_length.contains("20  in 5–40"), "{step_length}");
    line(&designer, "in 1–11");
    // The parameter that was selected is still selected.
    designer.keys(" ");
    assert!(line(&designer, "in 1–11").contains("[ ]"), "{}", designer.text());
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("search generation"), "{}", designer.text());
}

#[test]
fn the_list_of_parameters_pages_and_scrolls_like_every_list() {
    let mut designer = test_app(|_| (), 110, 40);
    designer.keys("O");
    assert_list_keys(&mut designer, |designer| {
        search::visible(&designer.app.tune, &designer.app.editor).unwrap()
    });
}
