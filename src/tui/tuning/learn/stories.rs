//! Tests of learning from examples, driven by keys.

use crossterm::event::{KeyCode, KeyModifiers};

use super::*;
use crate::design::CrawlerStart;
use crate::geometry::{Point, Size};
use crate::tui::fixture::{TestApp, drawn_at_any_size};

/// Opens a 24 × 24 hall with one Crawler.
fn test_app(width: u16, height: u16) -> TestApp {
    let mut design = Design {
        name: "Hall".into(),
        ..Design::default()
    };
    design.layout.size = Size::new(24, 24);
    design.layout.crawlers.push(CrawlerStart {
        at: Point::new(0, 12),
        ..CrawlerStart::default()
    });
    let mut designer = TestApp::with(Document::new(design, None), width, height);
    designer.grow();
    designer.keys("G");
    designer
}

fn learning(designer: &TestApp) -> &LearnState {
    match &designer.app.tune.sheet {
        Some(TuneSheet::Learning(state)) => state,
        _ => panic!("no sheet:\n{}", designer.text()),
    }
}

/// Runs the search until at least 100 candidates have been tried.
fn run_first(designer: &mut TestApp) {
    while learning(designer)
        .learning
        .as_ref()
        .is_none_or(|learning| learning.tried() < 100)
    {
        assert!(designer.run_next(&mut |_| ()), "{}", designer.text());
    }
}

#[test]
fn a_character_is_learnt_from_a_preset_previewed_applied_and_undone() {
    let mut designer = test_app(110, 40);
    let before = designer.app.editor.document.shared();
    designer.chord(KeyModifiers::ALT, 'l');
    assert!(
        designer.text().contains("Learn from a design or a drawing"),
        "{}",
        designer.text()
    );
    designer.keys("hypostyle");
    designer.press(KeyCode::Enter);
    assert!(
        designer.text().contains("measuring the examples"),
        "{}",
        designer.text()
    );
    // Nothing can be applied, previewed or finished yet.
    for key in ["l", "f"] {
        designer.keys(key);
        assert!(!designer.app.editor.regrows(), "{}", designer.text());
    }
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.document.step(), 0);
    run_first(&mut designer);
    insta::assert_snapshot!(designer.text());
    designer.keys("p");
    assert!(designer.text().contains("paused: p resumes"), "{}", designer.text());
    assert!(designer.app.tune.request.is_none());
    drawn_at_any_size(
        |area, buf| assert!(super::super::draw(&designer.app.tune, &designer.app.editor, area, buf)),
        (60, 30),
    );
    designer.keys("l");
    assert!(
        designer.text().contains("shown on the map; not applied"),
        "{}",
        designer.text()
    );
    assert_eq!(designer.app.editor.document.design(), &*before);
    // Ends the search without trying the remaining candidates.
    designer.keys("f");
    designer.run_jobs();
    let text = designer.text();
    assert!(
        text.contains("finished: ") && text.contains("classifier accuracy"),
        "{text}"
    );
    insta::assert_snapshot!(text);
    designer.press(KeyCode::Enter);
    let name = designer.app.editor.document.steps().next().unwrap().to_owned();
    assert_eq!(name, "learnt from Hypostyle");
    let learnt = designer.app.editor.document.shared();
    assert!(learnt.character != before.character && learnt.layout == before.layout);
    assert!(!designer.app.tune.has_sheet());
    designer.keys("u");
    assert_eq!(designer.app.editor.document.design(), &*before);
}

#[test]
fn f_does_not_restart_the_measurement_of_the_best_candidates() {
    let mut designer = test_app(110, 40);
    let examples = LearnExamples::of_design(&designer.app.editor.document);
    open(&mut designer.app.tune, &mut designer.app.editor, examples);
    designer.perform(Vec::new());
    run_first(&mut designer);
    designer.keys("f");
    let measurement = designer.requested("trials").unwrap();
    designer.keys("f");
    assert!(designer.requested("trials").unwrap() == measurement);
    assert!(
        designer.text().contains("already being measured"),
        "{}",
        designer.text()
    );
}

#[test]
fn dungeons_marked_in_the_gallery_are_examples_and_without_marks_the_selected_one() {
    let mut designer = test_app(110, 40);
    designer.keys("Y");
    designer.run_jobs();
    designer.keys(" ll L");
    assert!(!designer.app.screens.gallery.is_open());
    let text = designer.text();
    assert!(text.contains("like 2 marked dungeons"), "{text}");
    assert_eq!(learning(&designer).examples.seeds.len(), 2);
    let design = designer.app.editor.document.shared();
    assert_eq!(learning(&designer).examples.seeded.design(), &*design);
    // An edit cancels the search.
    designer
        .app
        .editor
        .edit("other", |design| design.character.generations[0].max_age = 3);
    designer.want();
    assert!(!designer.app.tune.has_sheet() && designer.app.tune.request.is_none());
    assert!(designer.text().contains("learning cancelled"), "{}", designer.text());
    designer.keys("Y");
    designer.run_jobs();
    // Unmarks both.
    designer.keys(" hh L");
    assert!(designer.text().contains("like seed "), "{}", designer.text());
    run_first(&mut designer);
    // The example is a dungeon of the design, and the design is the first candidate; no character can be more similar.
    designer.press(KeyCode::Esc);
    assert!(!designer.app.tune.has_sheet() && designer.app.tune.request.is_none());
    assert_eq!(designer.app.editor.document.step(), 1);
}

#[test]
fn a_drawing_is_an_example_as_it_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.txt");
    let row = |x: usize| -> String {
        let wall = |y: usize| x == 0 || x == 23 || y == 0 || y == 23 || (x.is_multiple_of(4) && y % 6 != 1);
        (0..24).map(|y| if wall(y) { '#' } else { '.' }).collect()
    };
    std::fs::write(&path, (0..24).map(row).collect::<Vec<_>>().join("\n")).unwrap();
    let mut designer = test_app(110, 40);
    let before = designer.app.editor.document.shared();
    designer.chord(KeyModifiers::ALT, 'l');
    designer.keys(path.to_str().unwrap());
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert!(designer.text().contains("Learn from map.txt"), "{}", designer.text());
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("like map.txt"), "{}", designer.text());
    run_first(&mut designer);
    let rows = &learning(&designer).rows;
    assert_eq!(rows.len(), 1, "nothing grows in a drawing");
    // Five rows of 18 wall tiles in 22 × 22 squares.
    let fill = rows[0].values[1].number().unwrap();
    assert!((fill - 90.0 / 484.0).abs() < 1e-9, "{fill}");
    assert_eq!(designer.app.editor.document.design(), &*before);
    // Learning can also be started from the import dialog.
    designer.press(KeyCode::Esc);
    designer
        .app
        .show_import(&path, crate::tui::import_dialog::ImportPurpose::Design);
    designer.perform(Vec::new());
    designer.run_jobs();
    designer.chord(KeyModifiers::ALT, 'l');
    while designer.app.dialogs.open.is_some() {
        assert!(designer.run_next(&mut |_| ()), "{}", designer.text());
    }
    assert!(designer.text().contains("like map.txt"), "{}", designer.text());
}

#[test]
fn after_a_failure_no_key_claims_that_the_examples_are_still_being_measured() {
    let mut designer = test_app(110, 40);
    let examples = LearnExamples::of_design(&designer.app.editor.document);
    open(&mut designer.app.tune, &mut designer.app.editor, examples);
    let error = JobError::NoThread("no threads left".into());
    handle_reply(&mut designer.app.tune, &mut designer.app.editor, Err(error));
    for key in ["p", "f"] {
        designer.keys(key);
        let text = designer.text();
        assert!(
            text.contains("the search failed") && !text.contains("examples are"),
            "{text}"
        );
    }
}
