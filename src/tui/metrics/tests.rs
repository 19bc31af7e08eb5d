//! Tests of metrics, on grown dungeons.

use crossterm::event::{KeyCode, KeyModifiers};

use super::*;
use crate::analysis::{Metrics, MetricsCalculator, Scene};
use crate::background::{GrowthReply, JobReply, Message};
use crate::document::Document;
use crate::engine::Options;
use crate::geometry::Point;
use crate::presets::Preset;
use crate::recording::Recorder;
use crate::tui::editor::Focus;
use crate::tui::fixture::{TestApp, drawn_at_any_size};
use crate::tui::metric_reports::ExpectationState;
use crate::tui::stories::foot;
use crate::tui::theme::{Depth, Theme};

fn grown_from(preset: &str, seed: Option<u64>, width: u16, height: u16) -> TestApp {
    let mut design = Preset::find(preset).unwrap().design();
    design.seed = seed.unwrap_or(design.seed);
    let mut designer = TestApp::with(Document::new(design, None), width, height);
    designer.grow();
    designer
}

fn grown(preset: &str) -> TestApp {
    grown_from(preset, None, 120, 40)
}

/// Asserts that the last reply matches the dungeon on the screen.
fn is_right(designer: &TestApp) {
    let app = &designer.app;
    assert!(is_current(&app.metrics, &app.editor));
    let scene = Scene::new(app.editor.document.valid().unwrap());
    let measured = MetricsCalculator::new().measure(app.editor.time.frame().unwrap().grid(), &scene);
    let found = last_reply(&app.metrics).unwrap().metrics.clone();
    assert_eq!(Metrics { life: None, ..found }, measured);
}

#[test]
fn generations_that_are_counted_together_have_a_plus() {
    let mut design = Preset::find("weave").unwrap().design();
    for generation in &mut design.character.generations {
        (generation.late_spawn, generation.late_spawn_prob) = (200, 100);
    }
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.grow();
    designer.keys("GA");
    designer.run_jobs();
    let latest = super::latest(&designer.app.metrics, &designer.app.editor);
    let lines = designer.app.views.texts(&designer.app.editor, latest);
    assert!(lines.iter().any(|line| line.contains("gen. 123+")), "{lines:#?}");
}

#[test]
fn the_moment_shown_is_measured_while_it_is_visible() {
    let mut designer = grown("catacombs");
    designer.keys("G");
    designer.run_jobs();
    assert!(last_reply(&designer.app.metrics).is_none(), "no request");
    designer.keys("A");
    designer.run_jobs();
    is_right(&designer);
    assert_eq!(
        last_reply(&designer.app.metrics).unwrap().metrics.life.unwrap().unborn,
        0
    );
    // Metrics are measured again for another moment, and for another run at the same moment.
    designer.keys("<<<");
    designer.run_jobs();
    is_right(&designer);
    designer.keys("R");
    assert!(
        last_reply(&designer.app.metrics).is_some(),
        "the previous metrics remain until then"
    );
    designer.grow();
    designer.app.advance(std::time::Duration::from_secs(1));
    designer.want();
    designer.run_jobs();
    is_right(&designer);
    // The same request is not sent twice.
    designer.want();
    assert!(designer.app.metrics.request.is_none());
}

#[test]
fn the_last_turn_so_far_is_not_called_the_end() {
    let design = Preset::find("weave").unwrap().design();
    let valid = design.clone().validate(None).design.unwrap();
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    let (mut growth, mut recorder, recording) = Recorder::begin(&valid, Options::default(), 1 << 30);
    designer.send_growth(GrowthReply::Started {
        recording: Box::new(recording),
        diagnostics: Vec::new(),
    });
    designer.keys("GA");
    for _ in 0..20 {
        growth.turn(&mut recorder);
    }
    designer.send_growth(GrowthReply::Grown(recorder.take_turns(&growth)));
    while designer.app.next_change() == Some(std::time::Duration::ZERO) {
        designer.app.advance(std::time::Duration::from_millis(1));
    }
    designer.want();
    designer.run_jobs();
    assert_eq!(designer.app.editor.time.turn(), 20);
    assert!(is_current(&designer.app.metrics, &designer.app.editor));
    assert!(designer.text().contains("after turn 20"), "{}", designer.text());
    designer.send_growth(GrowthReply::Finished);
    designer.want();
    assert!(designer.text().contains("at the end"), "{}", designer.text());
}

#[test]
fn one_request_at_a_time_and_other_replies_are_dropped() {
    let mut designer = grown("weave");
    designer.keys("GA");
    let first = designer.requested("metrics").unwrap();
    designer.keys("<");
    assert_eq!(
        designer.requested("metrics"),
        Some(first.clone()),
        "no reply has arrived yet"
    );
    designer.run_jobs();
    is_right(&designer);
    let late = Err(JobError::Panicked("late".into()));
    designer.send(Message::Reply(first, JobReply::Metrics(late)));
    is_right(&designer);
}

#[test]
fn an_enclosed_area_is_listed_with_the_builder_that_closed_it() {
    let mut designer = grown_from("catacombs", Some(123), 120, 40);
    designer.keys("GA");
    designer.run_jobs();
    insta::assert_snapshot!("enclosed_120x40", designer.text());
    let area = last_reply(&designer.app.metrics).unwrap().metrics.enclosed[0];
    let closing = last_reply(&designer.app.metrics).unwrap().causes.clone().unwrap()[0]
        .clone()
        .unwrap();
    // The anomaly comes first and leads to the area.
    assert_ne!(designer.app.editor.map.cursor(), area.at);
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.map.cursor(), area.at);
    // The layer of enclosed areas is on the map while the line is selected, but not while the map has the focus.
    assert_eq!(
        shown(&designer.app.metrics, &designer.app.editor).unwrap().layer,
        LayerKind::Enclosed
    );
    assert_eq!(
        shown(&designer.app.metrics, &designer.app.editor)
            .unwrap()
            .cover
            .number(area.at),
        Some(1)
    );
    designer.press(KeyCode::Esc);
    assert!(shown(&designer.app.metrics, &designer.app.editor).is_none());
    designer.keys("A");
    // The line that names the Builder leads to the moment at which the area was closed.
    let line = |designer: &TestApp| designer.text().lines().any(|line| line.contains("closed by Crawler"));
    assert!(line(&designer), "{}", designer.text());
    for _ in 0..7 {
        designer.press(KeyCode::Down);
    }
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert_eq!(designer.app.editor.time.turn(), closing.turn);
    assert_eq!(designer.app.editor.map.cursor(), closing.at);
    is_right(&designer);
    assert_eq!(
        last_reply(&designer.app.metrics).unwrap().metrics.enclosed.len(),
        1,
        "it has just been closed"
    );
    designer.keys(",");
    designer.run_jobs();
    assert!(
        last_reply(&designer.app.metrics).unwrap().metrics.enclosed.is_empty(),
        "a turn before it was open"
    );
}

#[test]
fn layers_form_a_ring_and_each_is_in_the_palette() {
    let mut designer = grown("ammonite");
    designer.keys("G");
    for layer in LayerKind::ALL {
        designer.keys("s");
        designer.run_jobs();
        assert_eq!(
            shown(&designer.app.metrics, &designer.app.editor).map(|shown| shown.layer),
            Some(layer)
        );
        assert!(
            designer.text().contains(crate::tui::wording::layer_name(layer)),
            "{}",
            designer.text()
        );
        if layer == LayerKind::Way {
            insta::assert_snapshot!("way_120x40", designer.text());
        }
    }
    designer.keys("s");
    assert!(shown(&designer.app.metrics, &designer.app.editor).is_none());
    designer.chord(KeyModifiers::ALT, 's');
    designer.run_jobs();
    assert_eq!(
        shown(&designer.app.metrics, &designer.app.editor).map(|shown| shown.layer),
        Some(LayerKind::Walk)
    );
    designer.keys(":junctions");
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert_eq!(
        shown(&designer.app.metrics, &designer.app.editor).map(|shown| shown.layer),
        Some(LayerKind::Junctions)
    );
}

#[test]
fn layers_can_be_read_without_colours_and_in_every_zoom() {
    let mut designer = grown("catacombs");
    designer.keys("G");
    for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True] {
        designer.app.editor.theme = Theme::new(depth);
        for (zoom, near) in [("0", false), ("-", false), ("0+", true), ("+", true), ("+", true)] {
            designer.keys(zoom);
            let bare = designer.screen();
            let layers = LayerKind::ALL.into_iter().filter(|layer| match layer {
                // This dungeon has no enclosed areas and no choke points.
                LayerKind::Enclosed | LayerKind::ChokePoints => false,
                // At a near zoom level, the viewport may contain no squares of the other layers.
                LayerKind::Reached | LayerKind::Widths | LayerKind::VisibleArea | LayerKind::Seen => true,
                _ => !near,
            });
            for layer in layers {
                designer.app.metrics.overlay = Some(layer);
                designer.want();
                designer.run_jobs();
                let map = designer.app.editor.areas.map.inner(ratatui::layout::Margin::new(1, 1));
                let screen = designer.screen();
                let differing = map.positions().filter(|at| screen[*at] != bare[*at]).count();
                assert!(differing > 3, "{layer:?} {depth:?} zoom {zoom}: {differing}");
            }
            designer.app.metrics.overlay = None;
        }
    }
    designer.app.editor.theme = Theme::new(Depth::None);
    designer.keys("0++s");
    designer.run_jobs();
    insta::assert_snapshot!("way_without_colours", designer.text());
}

#[test]
fn entrance_and_exit_are_moved_without_regrowing() {
    let mut designer = grown("ammonite");
    designer.keys("GA");
    designer.run_jobs();
    designer.press(KeyCode::Esc);
    let (run, turn) = (designer.run(), designer.app.editor.time.turn());
    let before = last_reply(&designer.app.metrics).unwrap().metrics.path();
    let at = Point::new(30, 31);
    designer.app.editor.map.move_cursor(at);
    designer.chord(KeyModifiers::ALT, 'e');
    designer.run_jobs();
    is_right(&designer);
    assert_eq!(
        (designer.run(), designer.app.editor.time.turn()),
        (run, turn),
        "the same dungeon is shown"
    );
    assert_eq!(last_reply(&designer.app.metrics).unwrap().metrics.entrance, Some(at));
    assert_ne!(last_reply(&designer.app.metrics).unwrap().metrics.path(), before);
    assert_eq!(
        designer.app.editor.document.steps().last(),
        Some("entrance: row 30, column 31")
    );
    designer.app.editor.map.move_cursor(Point::new(1, 1));
    designer.chord(KeyModifiers::ALT, 'x');
    designer.run_jobs();
    assert_eq!(
        designer.app.editor.document.design().expect.exit,
        Some(Point::new(1, 1))
    );
    // Setting the exit again on the same square resets it to be chosen automatically.
    designer.chord(KeyModifiers::ALT, 'x');
    assert_eq!(designer.app.editor.document.design().expect.exit, None);
    designer.keys("uuu");
    designer.run_jobs();
    assert!(designer.app.editor.document.design().expect.entrance.is_none());
    assert_eq!(last_reply(&designer.app.metrics).unwrap().metrics.path(), before);
    is_right(&designer);
    // An entrance on a wall is accepted with a notice.
    let grid = designer.app.editor.time.frame().unwrap().grid();
    let wall = (0..60).map(|y| Point::new(30, y)).find(|at| !grid.tile(*at).is_open());
    designer.app.editor.map.move_cursor(wall.unwrap());
    designer.chord(KeyModifiers::ALT, 'e');
    assert!(
        designer.text().contains("is a wall at the moment shown"),
        "{}",
        designer.text()
    );
}

#[test]
fn the_metrics_are_shown_at_any_size() {
    for (width, height, name) in [
        (80, 24, "figures_80x24"),
        (40, 12, "figures_40x12"),
        (200, 60, "figures_200x60"),
    ] {
        let mut designer = grown_from("monastery", None, width, height);
        designer.keys("GA");
        designer.run_jobs();
        insta::assert_snapshot!(name, designer.text());
    }
    let mut designer = grown("monastery");
    designer.keys("GA");
    designer.run_jobs();
    let text = drawn_at_any_size(
        |area, buf| crate::tui::screen::draw_view(&designer.app, area, buf),
        (48, 60),
    );
    insta::assert_snapshot!("figures_whole", text);
    // Every heading folds and unfolds with Enter; the lines in between can be selected.
    for _ in 0..200 {
        designer.press(KeyCode::Down);
        designer.press(KeyCode::Enter);
        designer.run_jobs();
        assert_eq!(designer.app.editor.focus, Focus::View);
    }
}

/// Returns the lines of the panel at the right of the screen.
fn panel(designer: &TestApp) -> String {
    let area = designer.app.editor.areas.panel;
    let lines = designer.text().lines().map(str::to_owned).collect::<Vec<_>>();
    let column = |line: &String| {
        line.chars()
            .skip(area.x.into())
            .take(area.width.into())
            .collect::<String>()
    };
    let rows = usize::from(area.y)..usize::from(area.bottom());
    lines[rows].iter().map(column).collect::<Vec<_>>().join("\n")
}

fn enter(designer: &mut TestApp, text: &str) {
    designer.keys(text);
    designer.press(KeyCode::Enter);
}

#[test]
fn expectations_are_typed_evaluated_and_checked_over_seeds() {
    let mut designer = grown("ammonite");
    let run = designer.run();
    designer.keys("GE");
    designer.run_jobs();
    assert_eq!(designer.app.editor.focus, Focus::Panel);
    insta::assert_snapshot!("expect_120x40", panel(&designer));
    assert_eq!(held(&mut designer), (5, 5));
    // Text is checked while the user types it; an error names its column, and valid text is applied.
    designer.keys("a");
    designer.keys("dead-ends <= fourty");
    insta::assert_snapshot!("expect_typing", panel(&designer));
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("column 14"), "{}", designer.text());
    for _ in 0.."fourty".len() {
        designer.press(KeyCode::Backspace);
    }
    enter(&mut designer, "40");
    designer.run_jobs();
    assert_eq!(
        designer.app.editor.document.steps().last(),
        Some("expectation added: dead-ends <= 40")
    );
    assert_eq!(
        (designer.run(), held(&mut designer)),
        (run, (5, 6)),
        "the same dungeon is shown"
    );
    designer.keys("a");
    enter(&mut designer, "median path >= 1000");
    // After a check over seeds, each verdict is shown, with the first failing seed.
    designer.keys("c");
    assert!(
        foot(&designer).contains("growing dungeons from 100 seeds"),
        "{}",
        foot(&designer)
    );
    designer.run_jobs();
    assert!(
        !designer.text().contains("growing dungeons from 100 seeds"),
        "{}",
        designer.text()
    );
    assert!(foot(&designer).contains("over 100 seeds, "), "{}", foot(&designer));
    insta::assert_snapshot!("expect_over_seeds", panel(&designer));
    let survey = designer.app.metrics.survey.as_ref().unwrap();
    assert!(survey.is_done);
    assert_eq!(survey.looked, expect::SEEDS);
    let first = survey.verdict(5).unwrap().0.failing[0];
    assert!(!survey.verdict(6).unwrap().0.holds);
    let seed = designer.app.editor.document.design().seed;
    // The selected expectation fails, but it is about an aggregate, so no single seed fails it.
    designer.keys("f");
    assert!(
        foot(&designer).contains("is about all seeds together"),
        "{}",
        foot(&designer)
    );
    // The dungeon from every checked seed meets the expectation two lines above.
    designer.press(KeyCode::Up);
    designer.press(KeyCode::Up);
    designer.keys("f");
    assert!(
        foot(&designer).contains("holds for every checked seed"),
        "{}",
        foot(&designer)
    );
    assert_eq!(designer.app.editor.document.design().seed, seed);
    // The failing seed is opened as an edit, which keeps the check: it covers the same seeds as before.
    designer.press(KeyCode::Down);
    designer.keys("f");
    assert_eq!(designer.app.editor.document.design().seed, first);
    assert!(panel(&designer).contains("over 100 seeds: "), "{}", panel(&designer));
    designer.keys("f");
    assert!(
        foot(&designer).contains(&format!("already has seed {first}")),
        "{}",
        foot(&designer)
    );
    designer.keys("u");
    assert_eq!(designer.app.editor.document.design().seed, seed);
    assert!(designer.app.metrics.survey.is_some());
    // The expectation is removed, and undo restores it.
    designer.keys("d");
    assert_eq!(designer.app.editor.document.design().expect.that.len(), 6);
    designer.keys("u");
    assert_eq!(designer.app.editor.document.design().expect.that[5], "dead-ends <= 40");
    // Emptying an expectation removes it as well.
    designer.press(KeyCode::Enter);
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.document.design().expect.that.len(), 6);
}

#[test]
fn expectations_are_about_the_end_while_another_moment_is_shown() {
    let mut designer = grown("weave");
    designer.keys("gE");
    designer.run_jobs();
    assert_eq!(designer.app.editor.time.turn(), 0);
    let design = designer.app.editor.document.valid().unwrap().clone();
    let mut growth = crate::engine::Growth::new(&design, crate::engine::Options::default(), &mut ());
    growth.finish(&mut ());
    let mut measured = at_end(&designer.app.metrics, &designer.app.editor).unwrap().clone();
    measured.life = None;
    assert_eq!(
        measured,
        MetricsCalculator::new().measure(growth.grid(), &Scene::new(&design))
    );
    assert!(
        last_reply(&designer.app.metrics).is_none(),
        "no request for the moment shown"
    );
}

#[test]
fn an_edit_ends_a_check_and_a_problem_leads_to_its_expectation() {
    let mut design = Preset::find("ammonite").unwrap().design();
    design.expect.that = vec!["reachable".into(), "crosses room 9".into(), "enclosed == 0".into()];
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.grow();
    designer.keys("GE");
    designer.run_jobs();
    assert!(
        matches!(
            reports(&mut designer.app.metrics, &designer.app.editor)[1].here,
            ExpectationState::Wrong(_)
        ),
        "{}",
        panel(&designer)
    );
    designer.keys("c");
    assert!(designer.app.metrics.survey.is_some());
    designer.keys("J");
    assert_eq!(designer.app.editor.document.design().expect.that[1], "reachable");
    assert!(designer.app.metrics.survey.is_none(), "the check was of another design");
    assert!(
        foot(&designer).contains("the check over seeds was stopped"),
        "{}",
        foot(&designer)
    );
    designer.keys("u");
    designer.keys("cc");
    assert!(designer.app.metrics.survey.is_none(), "stopped");
    // The error is listed in the Problems panel, from which Enter leads back to the Expect panel.
    designer.chord(KeyModifiers::ALT, '5');
    assert!(panel(&designer).contains("there is no room 9"), "{}", panel(&designer));
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.panel, crate::tui::tabs::Panel::Expect);
    designer.keys("d");
    assert_eq!(
        designer.app.editor.document.design().expect.that,
        ["reachable", "enclosed == 0"]
    );
    designer.chord(KeyModifiers::ALT, '5');
    assert!(!panel(&designer).contains("room 9"), "{}", panel(&designer));
}

#[test]
fn a_check_over_seeds_in_progress_survives_another_seed() {
    let mut designer = grown("ammonite");
    designer.keys("GEc");
    designer.keys("R");
    assert!(
        designer
            .app
            .metrics
            .survey
            .as_ref()
            .is_some_and(|survey| !survey.is_done)
    );
    designer.run_jobs();
    let survey = designer.app.metrics.survey.as_ref().unwrap();
    assert!(survey.is_done);
    assert_eq!(survey.looked, expect::SEEDS);
}

/// Seeks to the moment before the first area was enclosed.
fn before_the_first_is_closed(designer: &mut TestApp) {
    let causes = last_reply(&designer.app.metrics).unwrap().causes.clone().unwrap();
    designer.app.editor.time.seek(causes[0].clone().unwrap().turn - 1);
    designer.want();
    designer.run_jobs();
}

#[test]
fn a_line_stays_selected_while_others_come_and_go() {
    let mut designer = grown_from("catacombs", Some(123), 120, 40);
    designer.keys("GA");
    designer.run_jobs();
    let marked = |designer: &TestApp, word: &str| {
        let screen = designer.screen();
        let style = designer.app.editor.theme.selected(true);
        let view = designer.app.editor.areas.view;
        let rows = view.rows().filter(|row| {
            let cell = &screen[(row.x + 2, row.y)];
            Some(cell.bg) == style.bg && row.positions().any(|at| screen[at].symbol() != " ")
        });
        let description: Vec<String> = rows
            .map(|row| row.positions().map(|at| screen[at].symbol().to_owned()).collect())
            .collect();
        assert_eq!(description.len(), 1, "{description:?}");
        assert!(description[0].contains(word), "{word}: {description:?}");
    };
    for _ in 0..60 {
        if designer.text().contains("closed by Crawler") {
            break;
        }
        designer.press(KeyCode::Down);
    }
    // Moves down to the junctions, which are below the enclosed areas.
    let lines = |designer: &TestApp| {
        designer.app.views.texts(
            &designer.app.editor,
            super::latest(&designer.app.metrics, &designer.app.editor),
        )
    };
    let at = lines(&designer)
        .iter()
        .position(|line| line.contains("junctions"))
        .unwrap();
    for _ in 0..at {
        designer.press(KeyCode::Down);
    }
    marked(&designer, "junctions");
    let enclosed = lines(&designer).len();
    before_the_first_is_closed(&mut designer);
    assert_ne!(lines(&designer).len(), enclosed, "nothing is enclosed yet");
    marked(&designer, "junctions");
    // If the selected line disappears, its heading is selected; once the line is back, the line is selected again.
    designer.keys("G");
    designer.run_jobs();
    marked(&designer, "junctions");
    let to = lines(&designer)
        .iter()
        .position(|line| line.contains("closed by"))
        .unwrap();
    for _ in to..lines(&designer)
        .iter()
        .position(|line| line.contains("junctions"))
        .unwrap()
    {
        designer.press(KeyCode::Up);
    }
    marked(&designer, "closed by");
    before_the_first_is_closed(&mut designer);
    marked(&designer, "enclosed");
    designer.keys("G");
    designer.run_jobs();
    marked(&designer, "closed by");
}

#[test]
fn setting_an_exit_warns_if_the_files_cannot_store_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = Document::new(Preset::find("weave").unwrap().design(), None);
    let path = |name: &str| folder.path().join(name);
    let files = DesignFiles::Legacy {
        rooms: path("rooms1"),
        stats: Some(path("stats1")),
        constants: None,
    };
    document.save_as(files).unwrap();
    let mut designer = TestApp::with(document, 80, 24);
    designer.grow();
    designer.keys("g");
    designer.chord(KeyModifiers::ALT, 'x');
    let text = designer.text();
    assert!(text.contains("only a TOML file stores it"), "{text}");
    // One TOML file can store it, so no notice is needed.
    designer
        .app
        .editor
        .document
        .save_as(DesignFiles::Toml(path("weave.toml")))
        .unwrap();
    designer.press(crossterm::event::KeyCode::Right);
    designer.chord(KeyModifiers::ALT, 'x');
    let text = designer.text();
    assert!(text.contains("exit: ") && !text.contains("only a TOML"), "{text}");
}

/// Returns how many expectations hold at the end of the run, and how many were evaluated.
fn held(designer: &mut TestApp) -> (usize, usize) {
    let reports = reports(&mut designer.app.metrics, &designer.app.editor);
    let count = |is: fn(&ExpectationState) -> bool| reports.iter().filter(|report| is(&report.here)).count();
    let held = count(|here| matches!(here, ExpectationState::Holds(_)));
    (held, held + count(|here| matches!(here, ExpectationState::Fails(_))))
}

#[test]
fn a_place_is_named_by_typing_and_keeps_its_first_name_otherwise() {
    let mut designer = TestApp::grown(120, 40);
    let names = |designer: &TestApp| {
        let places = &designer.app.editor.document.design().layout.places;
        places.iter().map(|place| place.name.clone()).collect::<Vec<_>>()
    };
    designer.chord(KeyModifiers::ALT, 'n');
    designer.keys("boss");
    designer.press(KeyCode::Enter);
    assert_eq!(names(&designer), ["boss"]);
    // Naming the same square again edits its name. Another place for which no name is typed keeps its automatic name.
    designer.app.editor.focus = Focus::Map;
    designer.chord(KeyModifiers::ALT, 'n');
    designer.keys("es");
    designer.press(KeyCode::Enter);
    designer.app.editor.focus = Focus::Map;
    designer.press(KeyCode::Right);
    designer.chord(KeyModifiers::ALT, 'n');
    designer.press(KeyCode::Enter);
    assert_eq!(names(&designer), ["bosses", "place 2"]);
}
