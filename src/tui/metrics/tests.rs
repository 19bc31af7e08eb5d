//! Tests of metrics, on dungeons that are really grown.

use crossterm::event::{KeyCode, KeyModifiers};

use super::*;
use crate::analysis::{Metrics, MetricsCalculator, Scene};
use crate::background::{JobReply, Message};
use crate::document::Document;
use crate::geometry::Point;
use crate::presets::Preset;
use crate::tui::editor::Focus;
use crate::tui::fixture::{TestApp, drawn_at_any_size};
use crate::tui::metric_reports::ExpectationState;
use crate::tui::stories::foot;
use crate::tui::theme::{Depth, Theme};

fn grown_from(preset: &str, seed: Option<u64>, width: u16, height: u16) -> TestApp {
    let mut design = Preset::find(preset).unwrap().design();
    design.seed = seed.unwrap_or(design.seed);
    let mut desk = TestApp::with(Document::new(design, None), width, height);
    desk.grow();
    desk
}

fn grown(preset: &str) -> TestApp {
    grown_from(preset, None, 120, 40)
}

/// Asserts that the last reply matches the dungeon on the screen.
fn is_right(desk: &TestApp) {
    let app = &desk.app;
    assert!(is_current(&app.metrics, &app.editor));
    let scene = Scene::new(app.editor.document.valid().unwrap());
    let measured = MetricsCalculator::new().measure(app.editor.time.frame().unwrap().grid(), &scene);
    let found = last_reply(&app.metrics).unwrap().metrics.clone();
    assert_eq!(Metrics { life: None, ..found }, measured);
}

#[test]
fn the_moment_shown_is_measured_while_it_is_visible() {
    let mut desk = grown("catacombs");
    desk.keys("G");
    desk.settle();
    assert!(last_reply(&desk.app.metrics).is_none(), "no request");
    desk.keys("A");
    desk.settle();
    is_right(&desk);
    assert_eq!(last_reply(&desk.app.metrics).unwrap().metrics.life.unwrap().unborn, 0);
    // Another moment, and another run at the same moment.
    desk.keys("<<<");
    desk.settle();
    is_right(&desk);
    desk.keys("R");
    assert!(
        last_reply(&desk.app.metrics).is_some(),
        "what was known stays for so long"
    );
    desk.grow();
    desk.app.advance(std::time::Duration::from_secs(1));
    desk.want();
    desk.settle();
    is_right(&desk);
    // No request is sent twice.
    desk.want();
    assert!(desk.app.metrics.request.is_none());
}

#[test]
fn one_case_at_a_time_and_answers_of_others_are_dropped() {
    let mut desk = grown("weave");
    desk.keys("GA");
    let first = desk.requested("metrics").unwrap();
    desk.keys("<");
    assert_eq!(desk.requested("metrics"), Some(first.clone()), "it is not answered yet");
    desk.settle();
    is_right(&desk);
    let late = Err(JobError::Panicked("late".into()));
    desk.send(Message::Reply(first, JobReply::Metrics(late)));
    is_right(&desk);
}

#[test]
fn an_enclosed_area_is_listed_with_who_closed_it() {
    let mut desk = grown_from("catacombs", Some(123), 120, 40);
    desk.keys("GA");
    desk.settle();
    insta::assert_snapshot!("enclosed_120x40", desk.text());
    let area = last_reply(&desk.app.metrics).unwrap().metrics.enclosed[0];
    let closing = last_reply(&desk.app.metrics).unwrap().causes.clone().unwrap()[0]
        .clone()
        .unwrap();
    // The anomaly comes first and leads to the area.
    assert_ne!(desk.app.editor.map.cursor(), area.at);
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.editor.map.cursor(), area.at);
    // Its layer is on the map while the line is selected, but not while only the map is shown.
    assert_eq!(
        shown(&desk.app.metrics, &desk.app.editor).unwrap().layer,
        LayerKind::Enclosed
    );
    assert_eq!(
        shown(&desk.app.metrics, &desk.app.editor)
            .unwrap()
            .cover
            .number(area.at),
        Some(1)
    );
    desk.press(KeyCode::Esc);
    assert!(shown(&desk.app.metrics, &desk.app.editor).is_none());
    desk.keys("A");
    // The line that names the Builder leads to the moment.
    let line = |desk: &TestApp| desk.text().lines().any(|line| line.contains("closed by Crawler"));
    assert!(line(&desk), "{}", desk.text());
    for _ in 0..7 {
        desk.press(KeyCode::Down);
    }
    desk.press(KeyCode::Enter);
    desk.settle();
    assert_eq!(desk.app.editor.time.turn(), closing.turn);
    assert_eq!(desk.app.editor.map.cursor(), closing.at);
    is_right(&desk);
    assert_eq!(
        last_reply(&desk.app.metrics).unwrap().metrics.enclosed.len(),
        1,
        "it has just been closed"
    );
    desk.keys(",");
    desk.settle();
    assert!(
        last_reply(&desk.app.metrics).unwrap().metrics.enclosed.is_empty(),
        "a turn before it was open"
    );
}

#[test]
fn layers_go_round_and_each_has_its_place_in_the_palette() {
    let mut desk = grown("ammonite");
    desk.keys("G");
    for layer in LayerKind::ALL {
        desk.keys("s");
        desk.settle();
        assert_eq!(
            shown(&desk.app.metrics, &desk.app.editor).map(|shown| shown.layer),
            Some(layer)
        );
        assert!(
            desk.text().contains(crate::tui::wording::layer_name(layer)),
            "{}",
            desk.text()
        );
        if layer == LayerKind::Way {
            insta::assert_snapshot!("way_120x40", desk.text());
        }
    }
    desk.keys("s");
    assert!(shown(&desk.app.metrics, &desk.app.editor).is_none());
    desk.chord(KeyModifiers::ALT, 's');
    desk.settle();
    assert_eq!(
        shown(&desk.app.metrics, &desk.app.editor).map(|shown| shown.layer),
        Some(LayerKind::Walk)
    );
    desk.keys(":junctions");
    desk.press(KeyCode::Enter);
    desk.settle();
    assert_eq!(
        shown(&desk.app.metrics, &desk.app.editor).map(|shown| shown.layer),
        Some(LayerKind::Junctions)
    );
}

#[test]
fn layers_can_be_read_without_colours_and_in_every_zoom() {
    let mut desk = grown("catacombs");
    desk.keys("G");
    for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True] {
        desk.app.editor.theme = Theme::new(depth);
        for (zoom, near) in [("0", false), ("-", false), ("0+", true), ("+", true), ("+", true)] {
            desk.keys(zoom);
            let bare = desk.screen();
            let layers = LayerKind::ALL.into_iter().filter(|layer| match layer {
                // There are none in this dungeon.
                LayerKind::Enclosed | LayerKind::ChokePoints => false,
                // At a near zoom the viewport may contain none.
                LayerKind::Reached | LayerKind::Widths | LayerKind::VisibleArea | LayerKind::Seen => true,
                _ => !near,
            });
            for layer in layers {
                desk.app.metrics.overlay = Some(layer);
                desk.want();
                desk.settle();
                let map = desk.app.editor.areas.map.inner(ratatui::layout::Margin::new(1, 1));
                let screen = desk.screen();
                let differing = map.positions().filter(|at| screen[*at] != bare[*at]).count();
                assert!(differing > 3, "{layer:?} {depth:?} zoom {zoom}: {differing}");
            }
            desk.app.metrics.overlay = None;
        }
    }
    desk.app.editor.theme = Theme::new(Depth::None);
    desk.keys("0++s");
    desk.settle();
    insta::assert_snapshot!("way_without_colours", desk.text());
}

#[test]
fn entrance_and_exit_are_moved_by_edits_that_grow_nothing() {
    let mut desk = grown("ammonite");
    desk.keys("GA");
    desk.settle();
    desk.press(KeyCode::Esc);
    let (run, turn) = (desk.run(), desk.app.editor.time.turn());
    let before = last_reply(&desk.app.metrics).unwrap().metrics.path();
    let at = Point::new(30, 31);
    desk.app.editor.map.move_cursor(at);
    desk.chord(KeyModifiers::ALT, 'e');
    desk.settle();
    is_right(&desk);
    assert_eq!(
        (desk.run(), desk.app.editor.time.turn()),
        (run, turn),
        "the same dungeon is shown"
    );
    assert_eq!(last_reply(&desk.app.metrics).unwrap().metrics.entrance, Some(at));
    assert_ne!(last_reply(&desk.app.metrics).unwrap().metrics.path(), before);
    assert_eq!(
        desk.app.editor.document.steps().last(),
        Some("entrance: row 30, column 31")
    );
    desk.app.editor.map.move_cursor(Point::new(1, 1));
    desk.chord(KeyModifiers::ALT, 'x');
    desk.settle();
    assert_eq!(desk.app.editor.document.design().expect.exit, Some(Point::new(1, 1)));
    // Setting it again on the same square resets it to automatic.
    desk.chord(KeyModifiers::ALT, 'x');
    assert_eq!(desk.app.editor.document.design().expect.exit, None);
    desk.keys("uuu");
    desk.settle();
    assert!(desk.app.editor.document.design().expect.entrance.is_none());
    assert_eq!(last_reply(&desk.app.metrics).unwrap().metrics.path(), before);
    is_right(&desk);
    // An entrance on a wall is accepted with a notice.
    let grid = desk.app.editor.time.frame().unwrap().grid();
    let wall = (0..60).map(|y| Point::new(30, y)).find(|at| !grid.tile(*at).is_open());
    desk.app.editor.map.move_cursor(wall.unwrap());
    desk.chord(KeyModifiers::ALT, 'e');
    assert!(desk.text().contains("this square is a wall"), "{}", desk.text());
}

#[test]
fn the_figures_are_reported_in_any_place() {
    for (width, height, name) in [
        (80, 24, "figures_80x24"),
        (40, 12, "figures_40x12"),
        (200, 60, "figures_200x60"),
    ] {
        let mut desk = grown_from("monastery", None, width, height);
        desk.keys("GA");
        desk.settle();
        insta::assert_snapshot!(name, desk.text());
    }
    let mut desk = grown("monastery");
    desk.keys("GA");
    desk.settle();
    let text = drawn_at_any_size(
        |area, buf| crate::tui::screen::draw_view(&desk.app, area, buf),
        (48, 60),
    );
    insta::assert_snapshot!("figures_whole", text);
    // Every heading folds and unfolds with Enter; the lines in between can be selected.
    for _ in 0..200 {
        desk.press(KeyCode::Down);
        desk.press(KeyCode::Enter);
        desk.settle();
        assert_eq!(desk.app.editor.focus, Focus::View);
    }
}

/// Returns the lines of the panel at the right of the screen.
fn panel(desk: &TestApp) -> String {
    let area = desk.app.editor.areas.panel;
    let lines = desk.text().lines().map(str::to_owned).collect::<Vec<_>>();
    let column = |line: &String| {
        line.chars()
            .skip(area.x.into())
            .take(area.width.into())
            .collect::<String>()
    };
    let rows = usize::from(area.y)..usize::from(area.bottom());
    lines[rows].iter().map(column).collect::<Vec<_>>().join("\n")
}

fn enter(desk: &mut TestApp, text: &str) {
    desk.keys(text);
    desk.press(KeyCode::Enter);
}

#[test]
fn expectations_are_written_judged_and_checked_over_seeds() {
    let mut desk = grown("ammonite");
    let run = desk.run();
    desk.keys("GE");
    desk.settle();
    assert_eq!(desk.app.editor.focus, Focus::Panel);
    insta::assert_snapshot!("expect_120x40", panel(&desk));
    assert_eq!(held(&mut desk), (5, 5));
    // The typed text is checked, its error has a column, and valid text is applied.
    desk.keys("a");
    desk.keys("dead-ends <= fourty");
    insta::assert_snapshot!("expect_typing", panel(&desk));
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains("column 14"), "{}", desk.text());
    for _ in 0.."fourty".len() {
        desk.press(KeyCode::Backspace);
    }
    enter(&mut desk, "40");
    desk.settle();
    assert_eq!(
        desk.app.editor.document.steps().last(),
        Some("expectation added: dead-ends <= 40")
    );
    assert_eq!(
        (desk.run(), held(&mut desk)),
        (run, (5, 6)),
        "the same dungeon is shown"
    );
    desk.keys("a");
    enter(&mut desk, "median path >= 1000");
    // Over seeds each verdict is shown, with the first failing seed.
    desk.keys("c");
    assert!(foot(&desk).contains("growing 100 seeds"), "{}", foot(&desk));
    desk.settle();
    assert!(!desk.text().contains("growing 100 seeds"), "{}", desk.text());
    assert!(foot(&desk).contains("over 100 seeds, "), "{}", foot(&desk));
    insta::assert_snapshot!("expect_over_seeds", panel(&desk));
    let survey = desk.app.metrics.survey.as_ref().unwrap();
    assert!(survey.is_done);
    assert_eq!(survey.looked, expect::SEEDS);
    let first = survey.verdict(5).unwrap().0.failing[0];
    assert!(!survey.verdict(6).unwrap().0.holds);
    // The failing seed is opened as an edit, which discards the check.
    desk.press(KeyCode::Up);
    desk.keys("f");
    assert_eq!(desk.app.editor.document.design().seed, first);
    assert!(desk.app.metrics.survey.is_none());
    desk.keys("u");
    // Removed, and restored.
    desk.keys("d");
    assert_eq!(desk.app.editor.document.design().expect.that.len(), 6);
    desk.keys("u");
    assert_eq!(desk.app.editor.document.design().expect.that[5], "dead-ends <= 40");
    // Emptying an expectation removes it as well.
    desk.press(KeyCode::Enter);
    desk.chord(KeyModifiers::CONTROL, 'u');
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.editor.document.design().expect.that.len(), 6);
}

#[test]
fn the_end_is_judged_while_another_moment_is_shown() {
    let mut desk = grown("weave");
    desk.keys("gE");
    desk.settle();
    assert_eq!(desk.app.editor.time.turn(), 0);
    let design = desk.app.editor.document.valid().unwrap().clone();
    let mut growth = crate::engine::Growth::new(&design, crate::engine::Options::default(), &mut ());
    growth.finish(&mut ());
    let mut measured = at_end(&desk.app.metrics, &desk.app.editor).unwrap().clone();
    measured.life = None;
    assert_eq!(
        measured,
        MetricsCalculator::new().measure(growth.grid(), &Scene::new(&design))
    );
    assert!(
        last_reply(&desk.app.metrics).is_none(),
        "no request for the moment shown"
    );
}

#[test]
fn an_edit_ends_a_check_and_a_problem_leads_to_its_expectation() {
    let mut design = Preset::find("ammonite").unwrap().design();
    design.expect.that = vec!["reachable".into(), "crosses room 9".into(), "enclosed == 0".into()];
    let mut desk = TestApp::with(Document::new(design, None), 120, 40);
    desk.grow();
    desk.keys("GE");
    desk.settle();
    assert!(
        matches!(
            reports(&mut desk.app.metrics, &desk.app.editor)[1].here,
            ExpectationState::Wrong(_)
        ),
        "{}",
        panel(&desk)
    );
    desk.keys("c");
    assert!(desk.app.metrics.survey.is_some());
    desk.keys("J");
    assert_eq!(desk.app.editor.document.design().expect.that[1], "reachable");
    assert!(desk.app.metrics.survey.is_none(), "it was another design's");
    assert!(!desk.text().contains("growing 100 seeds"), "{}", desk.text());
    desk.keys("u");
    desk.keys("cc");
    assert!(desk.app.metrics.survey.is_none(), "stopped");
    // The error is listed among the problems, and leads back here.
    desk.chord(KeyModifiers::ALT, '5');
    assert!(panel(&desk).contains("there is no room 9"), "{}", panel(&desk));
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.editor.panel, crate::tui::tabs::Panel::Expect);
    desk.keys("d");
    assert_eq!(
        desk.app.editor.document.design().expect.that,
        ["reachable", "enclosed == 0"]
    );
    desk.chord(KeyModifiers::ALT, '5');
    assert!(!panel(&desk).contains("room 9"), "{}", panel(&desk));
}

/// Seeks to the moment before the first area was enclosed.
fn before_the_first_is_closed(desk: &mut TestApp) {
    let causes = last_reply(&desk.app.metrics).unwrap().causes.clone().unwrap();
    desk.app.editor.time.seek(causes[0].clone().unwrap().turn - 1);
    desk.want();
    desk.settle();
}

#[test]
fn a_line_stays_selected_while_others_come_and_go() {
    let mut desk = grown_from("catacombs", Some(123), 120, 40);
    desk.keys("GA");
    desk.settle();
    let marked = |desk: &TestApp, word: &str| {
        let screen = desk.screen();
        let style = desk.app.editor.theme.selected(true);
        let view = desk.app.editor.areas.view;
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
        if desk.text().contains("closed by Crawler") {
            break;
        }
        desk.press(KeyCode::Down);
    }
    // Moves down to the junctions, which are below the enclosed areas.
    let lines = |desk: &TestApp| {
        desk.app
            .views
            .texts(&desk.app.editor, super::latest(&desk.app.metrics, &desk.app.editor))
    };
    let at = lines(&desk).iter().position(|line| line.contains("junctions")).unwrap();
    for _ in 0..at {
        desk.press(KeyCode::Down);
    }
    marked(&desk, "junctions");
    let enclosed = lines(&desk).len();
    before_the_first_is_closed(&mut desk);
    assert_ne!(lines(&desk).len(), enclosed, "nothing is enclosed yet");
    marked(&desk, "junctions");
    // A line that disappears passes the selection to its heading, and is selected again once it returns.
    desk.keys("G");
    desk.settle();
    marked(&desk, "junctions");
    let to = lines(&desk).iter().position(|line| line.contains("closed by")).unwrap();
    for _ in to..lines(&desk).iter().position(|line| line.contains("junctions")).unwrap() {
        desk.press(KeyCode::Up);
    }
    marked(&desk, "closed by");
    before_the_first_is_closed(&mut desk);
    marked(&desk, "enclosed");
    desk.keys("G");
    desk.settle();
    marked(&desk, "closed by");
}

#[test]
fn files_that_hold_no_exit_are_named_when_one_is_put() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = Document::new(Preset::find("weave").unwrap().design(), None);
    let path = |name: &str| folder.path().join(name);
    let files = DesignFiles::Legacy {
        rooms: path("rooms1"),
        stats: Some(path("stats1")),
        constants: None,
    };
    document.save_as(files).unwrap();
    let mut desk = TestApp::with(document, 80, 24);
    desk.grow();
    desk.keys("g");
    desk.chord(KeyModifiers::ALT, 'x');
    let text = desk.text();
    assert!(text.contains("only a TOML file stores it"), "{text}");
    // One TOML file can store it, so no notice is needed.
    desk.app
        .editor
        .document
        .save_as(DesignFiles::Toml(path("weave.toml")))
        .unwrap();
    desk.press(crossterm::event::KeyCode::Right);
    desk.chord(KeyModifiers::ALT, 'x');
    let text = desk.text();
    assert!(text.contains("exit: ") && !text.contains("only a TOML"), "{text}");
}

/// Returns how many expectations hold at the end of the run, and how many were evaluated.
fn held(desk: &mut TestApp) -> (usize, usize) {
    let reports = reports(&mut desk.app.metrics, &desk.app.editor);
    let count = |is: fn(&ExpectationState) -> bool| reports.iter().filter(|report| is(&report.here)).count();
    let held = count(|here| matches!(here, ExpectationState::Holds(_)));
    (held, held + count(|here| matches!(here, ExpectationState::Fails(_))))
}
