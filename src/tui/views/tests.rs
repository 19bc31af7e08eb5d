//! Tests of the views, with dungeons grown by the engine.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyModifiers, MouseEventKind};
use ratatui::layout::Position;

use super::page::{Link, ListRow};
use crate::background::GrowthReply;
use crate::design::{CrawlerStart, Design, VaultEntry};
use crate::document::Document;
use crate::engine::{BuilderId, BuilderKind, Event, Mark, Options};
use crate::geometry::{Point, Size};
use crate::presets::Preset;
use crate::recording::{BuilderState as Living, FrameBuilder, Recorder, TileOrigins};
use crate::tui::commands::Action;
use crate::tui::editor::Focus;
use crate::tui::fixture::{TestApp, assert_list_keys, drawn_at_any_size};
use crate::tui::tabs::View;
use crate::tui::theme::{Depth, Theme};

/// Starts the app at the end of a preset's growth.
fn grown(preset: &str, width: u16, height: u16) -> TestApp {
    let design = Preset::find(preset).unwrap().design();
    let mut designer = TestApp::with(Document::new(design, None), width, height);
    designer.grow();
    designer.keys("G");
    designer
}

/// Returns the page of the visible view.
fn page(designer: &TestApp) -> super::page::ListPage {
    let inside = super::inside(designer.app.editor.areas.view);
    designer.app.views.page(&designer.app.editor, None, inside).unwrap()
}

/// Returns a tile that a Builder of the generation laid.
fn tile_of(designer: &TestApp, generation: u8) -> Point {
    let grid = designer.app.editor.time.frame().unwrap().grid();
    let size = grid.size();
    let all = size.points();
    let mut tiles = all.filter(|at| grid.mark(*at) == Mark::Generation(generation));
    tiles.nth(40).unwrap()
}

fn inspect(designer: &mut TestApp, at: Point) {
    designer.app.editor.map.move_cursor(at);
    designer.keys("i");
    designer.run_jobs();
}

#[test]
fn a_wall_has_a_story() {
    let mut designer = grown("weave", 120, 40);
    let at = tile_of(&designer, 1);
    inspect(&mut designer, at);
    insta::assert_snapshot!("inspect_why", designer.text());
    let subject = designer.app.views.inspect.subject.unwrap();
    let (builder, turn) = (subject.builder.unwrap(), subject.laid.unwrap());
    let recording = designer.app.editor.time.recording().unwrap();
    let laid =
        |event: &Event| matches!(event, Event::Laid { builder: b, at: square, .. } if *b == builder && *square == at);
    assert!(recording.events_of(turn).iter().any(laid), "{subject:?}");
    // Enter goes to the moment of the line; the subject stays.
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.time.clock().turn, turn);
    assert_eq!(designer.app.views.inspect.subject.unwrap().builder, Some(builder));
    // The first line links to the entry of the first Crawler, and the story begins at the Crawler's start.
    designer.press(KeyCode::Home);
    let text = designer.text();
    assert!(text.contains("it is descended from Crawler 1 of the layout"), "{text}");
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.focus, Focus::Panel);
    assert!(designer.text().contains("Crawlers"), "{}", designer.text());
    inspect(&mut designer, at);
    let rows = page(&designer).rows;
    let first = rows.iter().position(|row| matches!(row.link, Some(Link::Moment(0, _))));
    designer.press(KeyCode::Home);
    for _ in 0..first.unwrap() {
        designer.press(KeyCode::Down);
    }
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.time.clock().turn, 0);
    assert!(designer.text().contains("started as"), "{}", designer.text());
    assert_eq!(designer.app.views.inspect.subject.unwrap().builder, Some(builder));
    // Moving the cursor by hand inspects another square.
    designer.press(KeyCode::Esc);
    designer.keys("l");
    assert_ne!(designer.app.views.inspect.subject.unwrap().builder, Some(builder));
    // Moving back inspects what is on the square, not the earlier subject.
    let aside = designer.app.editor.map.cursor();
    designer.keys("h");
    let subject = designer.app.views.inspect.subject.unwrap();
    assert_eq!(subject.at, designer.app.editor.map.cursor());
    assert_ne!(subject.at, aside);
}

#[test]
fn a_tile_of_the_design_is_described_by_its_source() {
    let mut designer = grown("keep", 120, 40);
    inspect(&mut designer, Point::new(0, 5));
    assert!(
        designer.text().contains("the border: the outer wall"),
        "{}",
        designer.text()
    );
    let layout = designer.app.editor.document.design().layout.clone();
    let (room, center, reach) = layout
        .rooms
        .iter()
        .enumerate()
        .find_map(|(i, room)| {
            room.center_and_reach(layout.size)
                .map(|(center, reach)| (i + 1, center, reach))
        })
        .unwrap();
    // A square of the room's wall that is neither a site nor next to one.
    let at = Point::new(center.x - reach, center.y + reach / 2 + 1);
    inspect(&mut designer, at);
    assert!(
        designer.text().contains(&format!("of room {room}")),
        "{}",
        designer.text()
    );
    insta::assert_snapshot!("inspect_room", designer.text());
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.focus, Focus::Panel, "the line links to the room");
}

#[test]
fn an_edit_asks_again_about_the_new_run() {
    let mut designer = grown("weave", 120, 40);
    let at = tile_of(&designer, 1);
    inspect(&mut designer, at);
    let description = designer.text();
    let parameters = |designer: &TestApp| {
        let text: String = designer.text().split_whitespace().collect::<Vec<_>>().join(" ");
        text.contains("MaxAge 21")
    };
    designer.press(KeyCode::End);
    assert!(!parameters(&designer));
    // Until the next run begins, every line still refers to the run shown.
    designer.app.update(Action::FocusMap);
    designer
        .app
        .editor
        .edit("longer lives", |design| design.character.generations[1].max_age = 21);
    assert!(designer.app.editor.regrows());
    designer.want();
    assert!(
        !designer.text().contains("looking up") && !parameters(&designer),
        "{description}"
    );
    designer.perform(Vec::new());
    designer.grow();
    assert!(designer.text().contains("looking up"), "{}", designer.text());
    designer.run_jobs();
    designer.keys("i");
    designer.press(KeyCode::End);
    designer.press(KeyCode::PageUp);
    assert!(parameters(&designer), "{}", designer.text());
}

#[test]
fn leaving_the_view_ends_a_request() {
    let mut designer = grown("weave", 120, 40);
    let at = tile_of(&designer, 1);
    designer.app.editor.map.move_cursor(at);
    designer.keys("i");
    assert!(designer.requested("story").is_some());
    designer.keys("e");
    assert!(designer.requested("story").is_none(), "it was cancelled");
    // Showing the view again repeats the request, and a reply is kept.
    designer.keys("i");
    assert!(designer.requested("story").is_some());
    designer.run_jobs();
    let description = designer.text();
    designer.keys("ei");
    assert!(designer.requested("story").is_none());
    assert_eq!(designer.text(), description);
}

#[test]
fn a_builder_is_followed_through_its_death_and_back_before_its_birth() {
    let mut designer = grown("weave", 120, 40);
    designer.keys("g+++");
    let first = *designer.app.editor.time.frame().unwrap().builder(BuilderId(0)).unwrap();
    designer.app.editor.map.move_cursor(first.at);
    designer.keys("F");
    designer.run_jobs();
    assert_eq!(designer.app.views.followed(), Some(BuilderId(0)));
    designer.keys(">>>>");
    let now = *designer.app.editor.time.frame().unwrap().builder(BuilderId(0)).unwrap();
    assert_ne!(now.at, first.at);
    assert_eq!(designer.app.editor.map.cursor(), now.at);
    insta::assert_snapshot!("inspect_followed", designer.text());
    designer.keys("<<");
    let back = *designer.app.editor.time.frame().unwrap().builder(BuilderId(0)).unwrap();
    assert_eq!(designer.app.editor.map.cursor(), back.at, "backward as well");
    designer.keys("G");
    assert_eq!(designer.app.views.followed(), Some(BuilderId(0)));
    assert!(designer.text().contains("died"), "{}", designer.text());
    designer.keys("g>>>>");
    assert_eq!(designer.app.editor.map.cursor(), now.at, "alive again");
    assert_eq!(designer.app.views.followed(), Some(BuilderId(0)));
    // The same applies to a Builder that is born later.
    designer.keys("F}");
    let is_baby = |designer: &TestApp| {
        let frame = designer.app.editor.time.frame().unwrap();
        let found = frame.living().find(|(_, builder)| builder.birth.parent.is_some());
        found.map(|(id, builder)| (id, builder.at))
    };
    let (baby, at) = is_baby(&designer).unwrap();
    designer.app.editor.map.move_cursor(at);
    designer.keys("F");
    assert_eq!(designer.app.views.followed(), Some(baby));
    designer.keys("g");
    assert_eq!(designer.app.views.followed(), Some(baby));
    assert!(designer.text().contains("is not born yet"), "{}", designer.text());
    designer.keys("}");
    assert_eq!(designer.app.editor.map.cursor(), at);
}

#[test]
fn a_key_goes_to_the_next_living_builder_at_any_zoom() {
    let mut designer = grown("weave", 120, 40);
    designer.keys("g>>>");
    let living: Vec<(BuilderId, Point)> = {
        let frame = designer.app.editor.time.frame().unwrap();
        let awake = frame.living().filter(|(_, builder)| builder.state == Living::Awake);
        awake.map(|(id, builder)| (id, builder.at)).collect()
    };
    assert!(living.len() > 2);
    for zoom in ["0", "-", "-", "++++"] {
        designer.keys(zoom);
        designer.app.editor.map.move_cursor(living[0].1);
        for (_, at) in &living[1..] {
            designer.keys("B");
            assert_eq!(designer.app.editor.map.cursor(), *at);
        }
    }
    designer.app.editor.map.move_cursor(living[0].1);
    designer.keys("FB");
    assert_eq!(designer.app.views.followed(), Some(living[1].0));
    assert!(designer.text().contains("following"), "{}", designer.text());
    // At the end no Builder is alive.
    designer.keys("FGB");
    assert!(designer.text().contains("no Builder is alive"), "{}", designer.text());
}

#[test]
fn the_key_for_the_next_builder_reaches_the_sleeping_ones_after_those_that_are_awake() {
    let mut designer = grown("first-steps", 160, 40);
    designer.keys("#12");
    designer.press(KeyCode::Enter);
    let frame = designer.app.editor.time.frame().unwrap();
    let of = |awake: bool| {
        let living = frame.living();
        living.filter(move |(_, builder)| (builder.state == Living::Awake) == awake)
    };
    let expected: Vec<(BuilderId, Point, &str)> = of(true)
        .map(|(id, builder)| (id, builder.at, "awake"))
        .chain(of(false).map(|(id, builder)| (id, builder.at, "asleep")))
        .collect();
    let squares: std::collections::HashSet<_> = expected.iter().map(|(_, at, _)| *at).collect();
    assert!(
        expected[1].2 == "asleep" && squares.len() < expected.len(),
        "some are asleep, and some share a square: {expected:?}"
    );
    designer.app.editor.map.move_cursor(expected[0].1);
    for (number, (id, at, doing)) in expected.iter().enumerate().cycle().skip(1).take(expected.len()) {
        designer.keys("B");
        let text = format!(
            "{} at {at:#}: {doing}, number {} of {} living Builders; F follows it",
            crate::tui::wording::builder_name(BuilderKind::Crawler, *id),
            number + 1,
            expected.len()
        );
        assert!(designer.text().contains(&text), "{text}\n{}", designer.text());
        assert_eq!(designer.app.editor.map.cursor(), *at);
    }
    designer.keys("FB");
    assert_eq!(designer.app.views.followed(), Some(expected[1].0));
}

#[test]
fn moving_the_map_by_hand_ends_following() {
    let mut designer = grown("weave", 120, 40);
    designer.keys("g");
    let at = designer
        .app
        .editor
        .time
        .frame()
        .unwrap()
        .builder(BuilderId(0))
        .unwrap()
        .at;
    designer.app.editor.map.move_cursor(at);
    designer.keys("F");
    designer.keys("+");
    assert!(designer.app.views.followed().is_some(), "zooming keeps following");
    designer.press(KeyCode::Down);
    assert_eq!(designer.app.views.followed(), None);
    // No Builder is alive at the end.
    designer.keys("GF");
    assert_eq!(designer.app.views.followed(), None);
    assert!(designer.text().contains("no living Builder"), "{}", designer.text());
}

#[test]
fn commands_that_leave_the_map_in_place_do_not_end_following() {
    let mut designer = grown("weave", 120, 40);
    designer.keys("g");
    let at = designer
        .app
        .editor
        .time
        .frame()
        .unwrap()
        .builder(BuilderId(0))
        .unwrap()
        .at;
    designer.app.editor.map.move_cursor(at);
    designer.keys("F");
    // The map shows the whole dungeon already.
    designer.keys("0");
    assert_eq!(designer.app.views.followed(), Some(BuilderId(0)));
    // Beyond the last steps of the zoom.
    for key in ["-", "+"] {
        for _ in 0..20 {
            designer.keys(key);
            assert_eq!(designer.app.views.followed(), Some(BuilderId(0)), "{key}");
        }
    }
    // The map shows more squares now, and the Builder stays in the middle.
    designer.keys("m");
    assert_eq!(designer.app.views.followed(), Some(BuilderId(0)));
    let editor = &mut designer.app.editor;
    let shown = editor.map.visible(editor.areas.map);
    editor.map.center_on(at, editor.areas.map);
    assert_eq!(editor.map.visible(editor.areas.map), shown);
}

#[test]
fn the_followed_builder_is_that_of_the_cursor_even_if_the_inspect_view_is_hidden() {
    let mut designer = grown("weave", 120, 40);
    designer.keys("g>>>i");
    designer.run_jobs();
    let (wall, builder, open) = {
        let time = &designer.app.editor.time;
        let (frame, origins, turn) = (time.frame().unwrap(), time.origins().unwrap(), time.turn());
        let size = frame.grid().size();
        let is_free = |at: &Point| frame.living().all(|(_, builder)| builder.at != *at);
        let (wall, builder) = size
            .points()
            .filter(is_free)
            .find_map(|at| {
                let id = origins.of(at, turn)?.builder;
                let is_alive = !matches!(frame.builder(id)?.state, Living::Dead(_));
                is_alive.then_some((at, id))
            })
            .unwrap();
        let open = size
            .points()
            .filter(is_free)
            .find(|at| frame.grid().tile(*at).is_open())
            .unwrap();
        (wall, builder, open)
    };
    inspect(&mut designer, wall);
    assert_eq!(designer.app.views.inspect.subject.unwrap().builder, Some(builder));
    designer.keys("e");
    designer.app.editor.map.move_cursor(open);
    designer.keys("F");
    assert_eq!(designer.app.views.followed(), None);
    assert!(designer.text().contains("no living Builder"), "{}", designer.text());
    designer.app.editor.map.move_cursor(wall);
    designer.keys("F");
    assert_eq!(designer.app.views.followed(), Some(builder));
}

#[test]
fn the_builder_of_a_wall_is_followed_once_the_walls_of_a_long_recording_are_read() {
    let mut design = Preset::find("weave").unwrap().design();
    design.layout.size = Size::new(400, 400);
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.grow();
    designer.keys("Ge");
    designer.app.before_frame();
    let time = &designer.app.editor.time;
    assert!(time.origins().is_none());
    let (frame, turn, recording) = (time.frame().unwrap(), time.turn(), time.recording().unwrap());
    let mut origins = TileOrigins::new(recording);
    assert!(origins.read_on(recording, u64::MAX));
    let is_free = |at: &Point| frame.living().all(|(_, builder)| builder.at != *at);
    let size = frame.grid().size();
    let all = size.points();
    let last = all
        .filter(|at| is_free(at) && !frame.grid().tile(*at).is_open())
        .max_by_key(|at| origins.of(*at, turn).map(|origin| origin.turn));
    let last = last.unwrap();
    // The outer wall belongs to the design, whatever has been read.
    designer.app.editor.map.move_cursor(Point::new(0, 0));
    designer.keys("F");
    assert!(
        designer.text().contains("the design placed this tile"),
        "{}",
        designer.text()
    );
    designer.app.editor.map.move_cursor(last);
    designer.keys("F");
    assert!(designer.text().contains("still finding out"), "{}", designer.text());
    while designer.app.editor.time.is_reading_origins() {
        designer.app.editor.time.advance(Duration::ZERO);
        designer.app.before_frame();
    }
    designer.keys("F");
    assert!(!designer.text().contains("still finding out"), "{}", designer.text());
}

#[test]
fn a_wall_whose_builder_is_unknown_because_events_were_dropped_asks_to_try_again() {
    let mut designer = limited("catacombs", 2_000);
    designer.keys("e");
    designer.app.before_frame();
    let time = &designer.app.editor.time;
    let frame = time.frame().unwrap();
    let size = frame.grid().size();
    let mut all = (0..size.x).flat_map(|x| (0..size.y).map(move |y| Point::new(x, y)));
    let wall = all.find(|at| {
        let is_free = frame.living().all(|(_, builder)| builder.at != *at);
        is_free && !frame.grid().tile(*at).is_open() && frame.grid().mark(*at) != Mark::Design
    });
    designer.app.editor.map.move_cursor(wall.unwrap());
    designer.keys("F");
    assert!(designer.app.editor.time.missing_turn().is_some());
    assert!(designer.text().contains("still finding out"), "{}", designer.text());
}

#[test]
fn a_sleeping_builder_wakes_in_this_iteration_once_the_iteration_has_begun() {
    let mut designer = grown("first-steps", 160, 40);
    let (turn, at) = {
        let recording = designer.app.editor.time.recording().unwrap();
        let woke = |turn: &u64| {
            let events = recording.events_of(*turn);
            events.iter().any(|event| matches!(event, Event::Woke { .. }))
        };
        let turn = (1..=recording.turns()).find(woke).unwrap();
        let events = recording.events_of(turn);
        let builder = events.iter().find_map(|event| match event {
            Event::Woke { builder } => Some(*builder),
            _ => None,
        });
        let frame = designer.app.editor.time.frame().unwrap();
        (turn, frame.builder(builder.unwrap()).unwrap().birth.at)
    };
    designer.app.editor.time.seek(turn - 1);
    inspect(&mut designer, at);
    let rows: Vec<String> = page(&designer).rows.iter().map(|row| row.text.to_string()).collect();
    assert!(
        rows.iter().any(|row| row.contains("wakes in this iteration")),
        "{rows:#?}"
    );
}

#[test]
fn the_first_events_are_listed_before_the_first_turn_and_end_the_list() {
    let mut designer = grown("first-steps", 120, 40);
    for (turn, is_first) in [(0, true), (60, true), (300, false)] {
        designer.app.editor.time.seek(turn);
        designer.app.update(Action::FocusView(View::Events));
        for _ in 0..10 {
            designer.want();
        }
        let rows: Vec<String> = page(&designer).rows.iter().map(|row| row.text.to_string()).collect();
        assert_eq!(rows[0].contains("the beginning"), is_first, "turn {turn}: {rows:#?}");
        assert_eq!(rows[1].contains("#1 born"), is_first, "turn {turn}: {rows:#?}");
        assert_eq!(
            rows[0].contains("go to one of these"),
            !is_first,
            "turn {turn}: {rows:#?}"
        );
    }
}

#[test]
fn events_are_filtered_and_lead_to_their_moments() {
    let mut designer = grown("weave", 120, 40);
    designer.app.editor.time.seek(40);
    designer.keys("e");
    insta::assert_snapshot!("events_all", designer.text());
    // Hides every kind except deaths.
    designer.keys("134567");
    let text = designer.text();
    assert!(text.contains("died:") && !text.contains(" built "), "{text}");
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Enter);
    let turn = designer.app.editor.time.clock().turn;
    assert!(turn > 40);
    let died = |event: &Event| matches!(event, Event::Died { .. });
    assert!(
        designer
            .app
            .editor
            .time
            .recording()
            .unwrap()
            .events_of(turn)
            .iter()
            .any(died)
    );
    // Shows every kind again, but only of generation 1 near the cursor.
    designer.keys("0lw");
    designer.press(KeyCode::Right);
    designer.press(KeyCode::Left);
    insta::assert_snapshot!("events_filtered", designer.text());
}

#[test]
fn events_near_the_cursor_are_where_their_builders_were() {
    let mut designer = grown("weave", 120, 40);
    designer.app.editor.time.seek(60);
    designer.app.update(Action::FocusView(View::Events));
    designer.want();
    // Each line links to the square where its Builder is at the end of the turn, or where the Builder built.
    let page = page(&designer);
    let links: Vec<_> = page.rows.iter().filter_map(|row| row.link).collect();
    assert!(links.len() > 20);
    for link in links {
        let Link::Moment(turn, at) = link else { continue };
        designer.app.editor.time.seek(turn);
        let events = designer.app.editor.time.recording().unwrap().events_of(turn);
        let frame = designer.app.editor.time.frame().unwrap();
        let there = events.iter().any(|event| match *event {
            Event::Born { birth, .. } => birth.at == at,
            Event::Laid { at: laid, .. } => laid == at,
            // A Builder that wakes may act in the same turn.
            Event::Woke { builder } => frame.builder(builder).is_some_and(|builder| builder.birth.at == at),
            event => frame.builder(event.builder()).is_some_and(|builder| builder.at == at),
        });
        assert!(there, "turn {turn} at {at}: {events:#?}");
    }
}

fn crawler(y: i32, delay: i32) -> CrawlerStart {
    CrawlerStart {
        at: Point::new(0, y),
        direction: 2,
        delay,
        ..CrawlerStart::default()
    }
}

#[test]
fn a_growth_that_begins_with_sleepers_begins_when_they_wake() {
    let mut designer = TestApp::with_crawlers([crawler(20, 9)], 0);
    designer.keys("g");
    inspect(&mut designer, Point::new(0, 20));
    let text = designer.text();
    assert!(text.contains("dies of old age next"), "{text}");
    assert!(
        text.contains("turn 0 of 1  iteration 89  generation 0  awake 1"),
        "{text}"
    );
    designer.keys(".");
    assert_eq!(designer.app.editor.time.clock().iteration, 90);
}

#[test]
fn the_last_tile_of_an_iteration_is_laid_in_that_iteration() {
    let mut designer = TestApp::with_crawlers([crawler(20, 0)], 9);
    // Every turn of the only Crawler ends an iteration, and the iterations are counted from 0.
    let events = designer.app.editor.time.recording().unwrap().events_of(5);
    let tile = |event: &Event| match *event {
        Event::Laid { at, .. } => Some(at),
        _ => None,
    };
    inspect(&mut designer, events.iter().find_map(tile).unwrap());
    let text = designer.text();
    assert!(text.contains("laid in turn 5, iteration 4"), "{text}");
}

#[test]
fn plots_have_the_numbers_of_the_moment() {
    let design = Preset::find("keep").unwrap().design();
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.grow();
    designer.chord(KeyModifiers::ALT, '9');
    let numbers = |designer: &TestApp, name: &str| -> [u32; 2] {
        let page = page(designer);
        let row = page
            .rows
            .iter()
            .find(|row| row.text.spans[0].content.trim_end() == name);
        let numbers = row.unwrap().text.spans[3].content.split_whitespace();
        let numbers: Vec<u32> = numbers.map(|number| number.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    };
    let turns = designer.app.editor.time.turns();
    let mut most = [0; 2];
    for turn in 0..=turns {
        designer.app.editor.time.seek(turn);
        let frame = designer.app.editor.time.frame().unwrap();
        let now = [frame.awake(), frame.asleep()];
        most = [most[0].max(now[0]), most[1].max(now[1])];
        if turn % 50 == 0 || turn == turns {
            let shown = ["awake", "asleep"].map(|name| numbers(&designer, name));
            assert_eq!(shown.map(|[now, _]| now), now, "turn {turn}");
        }
    }
    // Inside a turn, the first Builder of an iteration may be awake and dead at its end.
    let shown = ["awake", "asleep"].map(|name| numbers(&designer, name)[1]);
    assert!(shown[0] - most[0] <= 1 && shown[1] == most[1], "{shown:?} {most:?}");
}

#[test]
fn plots_show_the_course_of_growth() {
    for (width, height) in [(80, 24), (120, 40)] {
        let mut designer = grown("weave", width, height);
        designer.app.editor.time.seek(60);
        designer.chord(KeyModifiers::ALT, '9');
        insta::assert_snapshot!(format!("plots_{width}x{height}"), designer.text());
        designer.app.editor.theme = Theme::new(Depth::None);
        assert!(designer.text().contains("died: no room"), "{}", designer.text());
        drawn_at_any_size(
            |area, buf| crate::tui::screen::draw_view(&designer.app, area, buf),
            (48, 12),
        );
    }
}

#[test]
fn the_mark_of_the_plots_covers_no_digit() {
    let mut designer = grown("weave", 120, 40);
    designer.chord(KeyModifiers::ALT, '9');
    assert!(designer.text().contains("─657▼"), "{}", designer.text());
}

#[test]
fn searching_stops_once_everything_is_found() {
    let mut designer = grown("weave", 120, 40);
    designer.keys("e");
    for _ in 0..100 {
        designer.want();
    }
    assert_eq!(designer.app.next_change(), None);
    let frame = designer.app.editor.time.frame().unwrap();
    assert!(
        frame
            .builders()
            .iter()
            .all(|builder| matches!(builder.state, Living::Dead(_)))
    );
}

/// Shows the end of a preset's growth, with a recording limited to `limit` bytes.
fn limited(preset: &str, limit: usize) -> TestApp {
    let design = Preset::find(preset).unwrap().design();
    let valid = design.clone().validate(None).design.unwrap();
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    let (mut growth, mut recorder, recording) = Recorder::begin(&valid, Options::default(), limit);
    let recording = Box::new(recording);
    designer.send_growth(GrowthReply::Started {
        recording,
        diagnostics: Vec::new(),
    });
    designer.keys("G");
    while !growth.is_finished() {
        for _ in 0..20 {
            growth.turn(&mut recorder);
        }
        let track = recorder.take_turns(&growth);
        designer.send_growth(GrowthReply::Grown(track));
    }
    let track = recorder.take();
    designer.send_growth(GrowthReply::Grown(track));
    designer.send_growth(GrowthReply::Finished);
    while designer.app.next_change() == Some(std::time::Duration::ZERO) {
        designer.app.advance(std::time::Duration::from_millis(1));
    }
    designer
}

#[test]
fn dropped_events_end_the_search_and_a_line_leads_to_them() {
    let mut desks = [1 << 30, 2_000].map(|limit| limited("catacombs", limit));
    let [all, few] = desks.each_mut().map(|designer| {
        designer.keys("e34");
        for _ in 0..200 {
            designer.want();
        }
        assert_eq!(designer.app.editor.time.turn(), designer.app.editor.time.turns());
        let area = designer.app.editor.areas.view;
        super::events::page(&designer.app.views.events, &designer.app.editor, super::inside(area)).rows
    });
    assert!(desks[1].app.editor.time.recording().unwrap().regrows());
    let lines =
        |rows: &[super::page::ListRow]| -> Vec<String> { rows.iter().map(|row| row.text.to_string()).collect() };
    let (all, few_lines) = (lines(&all), lines(&few));
    assert!(
        few_lines[0].contains("events further away were dropped"),
        "{few_lines:#?}"
    );
    assert!(all.iter().all(|line| !line.contains("dropped")));
    // The list shows the events that the recording has kept, and no events before the dropped ones.
    let kept: Vec<&String> = few_lines.iter().skip_while(|line| !line.contains('■')).collect();
    assert!(kept.len() > 5, "{few_lines:#?}");
    assert!(
        all.iter().rev().zip(kept.iter().rev()).all(|(a, b)| a == *b),
        "{all:#?} {kept:#?}"
    );
    // The line about dropped events links to the last dropped moment, which is then regrown.
    let Some(Link::Moment(turn, _)) = few[0].link else {
        panic!("the line links nowhere");
    };
    assert!(
        desks[1]
            .app
            .editor
            .time
            .recording()
            .unwrap()
            .regrow_request(turn)
            .is_some()
    );
}

#[test]
fn a_jumper_has_a_story() {
    let mut designer = grown("hypostyle", 120, 40);
    let frame = designer.app.editor.time.frame().unwrap();
    let jumper = frame
        .builders()
        .iter()
        .position(|builder| builder.birth.kind.is_jumper() && builder.laid > 2);
    let jumper = BuilderId(jumper.unwrap() as u32);
    let recording = designer.app.editor.time.recording().unwrap();
    let mut column = None;
    recording.walk(0, recording.turns(), |_, event| {
        if let Event::Laid { builder, at, .. } = event
            && *builder == jumper
        {
            column = Some(*at);
        }
    });
    inspect(&mut designer, column.unwrap());
    let text = designer.text();
    assert!(
        text.contains("column of generation") && text.contains("by Jumper #"),
        "{text}"
    );
    assert!(text.contains("and left a column"), "{text}");
    insta::assert_snapshot!("inspect_jumper", text);
}

#[test]
fn a_wall_in_a_design_with_vaults_has_a_story_and_so_has_a_vault() {
    let mut designer = grown("stronghold", 120, 40);
    let at = tile_of(&designer, 0);
    inspect(&mut designer, at);
    designer.press(KeyCode::Home);
    let text = designer.text();
    assert!(text.contains("descended from") || text.contains("it is"), "{text}");
    assert!(text.contains("started as"), "{text}");
    let run = designer.app.editor.time.run().unwrap();
    let piece = &run.design.pieces()[0];
    let (vault, name) = (piece.vault + 1, piece.name.clone());
    let (wall, _) = piece
        .features()
        .find(|(_, feature)| crate::design::PlacedVault::is_wall(*feature))
        .unwrap();
    designer.press(KeyCode::Esc);
    inspect(&mut designer, wall);
    let text = designer.text();
    assert!(
        text.contains(&format!("vault {vault}")) && text.contains(&name),
        "{text}"
    );
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.focus, Focus::Panel, "the line links to the vault");
}

#[test]
fn a_vault_that_is_left_out_is_not_on_the_map() {
    let mut design = Design::sized(40, 60);
    let entry = |map: &str, x, y| VaultEntry {
        map: map.into(),
        div: 0,
        at: Point::new(x, y),
        seed: 1,
        orientation: 1,
        ..VaultEntry::default()
    };
    design.layout.vaults = vec![entry("moon_well", 8, 8), entry("drowned_causeway", 4, 10)];
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.grow();
    designer.keys("G");
    let run = designer.app.editor.time.run().unwrap();
    let [placed, left_out] = run.design.pieces() else {
        panic!("two vaults");
    };
    assert_eq!(run.design.placed().len(), 1);
    let (at, _) = left_out
        .features()
        .find(|(at, feature)| feature.name() == "deep_water" && placed.feature(*at).is_none())
        .unwrap();
    for keys in ["", "t"] {
        designer.keys(keys);
        inspect(&mut designer, at);
        let text = designer.text();
        assert!(!text.contains("deep water"), "{text}");
        designer.press(KeyCode::Esc);
    }
}

#[test]
fn clicks_follow_the_links_of_lines() {
    let mut designer = grown("weave", 120, 40);
    let at = tile_of(&designer, 1);
    inspect(&mut designer, at);
    let area = designer.app.editor.areas.view;
    // Over the list, the wheel moves the selection.
    let page = |designer: &TestApp| page(designer);
    let selected = |designer: &TestApp| page(designer).visible.selected;
    let (before, list) = (selected(&designer), page(&designer).visible.area);
    designer.mouse(MouseEventKind::ScrollUp, list.x + 2, list.y + 1);
    assert_eq!(selected(&designer), before - 3);
    designer.mouse(MouseEventKind::ScrollDown, list.x + 2, list.y + 1);
    assert_eq!(selected(&designer), before);
    // A click on the selected line follows its link, like Enter.
    let seen = page(&designer).visible;
    let rows = page(&designer).rows;
    let line = (seen.top..rows.len()).find(|i| matches!(rows[*i].link, Some(Link::Moment(turn, _)) if turn > 0));
    let line = line.unwrap();
    let Some(Link::Moment(turn, square)) = rows[line].link else {
        panic!("not a moment");
    };
    designer.click(list.x + 2, list.y + (line - seen.top) as u16);
    assert_eq!(selected(&designer), line);
    designer.click(list.x + 2, list.y + (line - seen.top) as u16);
    assert_eq!(
        (designer.app.editor.time.turn(), designer.app.editor.map.cursor()),
        (turn, square)
    );
    assert_eq!(
        designer.app.views.inspect.subject.unwrap().at,
        at,
        "the inspected subject stays"
    );
    // Clicks below the last line and on the head do nothing.
    let now = designer.app.editor.time.turn();
    designer.click(area.x + 2, area.y + 1);
    assert_eq!(
        (designer.app.editor.time.turn(), designer.app.editor.focus),
        (now, Focus::View)
    );
    // Tabs show their views; in Events, the items of the filter toggle kinds.
    for view in View::ALL {
        let area = designer.app.editor.areas.view;
        let at = |x| super::tabs(&designer.app.editor, area).at(Position::new(x, area.y));
        let column = (area.left()..area.right()).find(|x| at(*x) == Some(view)).unwrap();
        designer.click(column, area.y);
        assert_eq!(designer.app.editor.view, view);
    }
    designer.keys("e");
    let (shown, text) = (designer.screen(), designer.text());
    let (row, text) = text
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains("1✓births"))
        .unwrap();
    let column = text.split("1✓births").next().unwrap().chars().count() as u16;
    designer.click(column + 3, row as u16);
    designer.want();
    assert!(designer.screen() != shown, "{}", designer.text());
    designer.click(column + 3, row as u16);
    designer.want();
    assert!(designer.screen() == shown);
}

#[test]
fn the_lists_of_the_views_page_and_scroll_alike() {
    let mut designer = grown("weave", 120, 40);
    designer.app.editor.time.seek(60);
    designer.keys("e");
    designer.want();
    assert_list_keys(&mut designer, |designer| page(designer).visible);
}

/// Returns the number of squares that the map draws as changed.
fn changed(designer: &TestApp) -> usize {
    let colours = designer.app.editor.theme.changes();
    let map = designer.app.editor.areas.map;
    let screen = designer.screen();
    map.positions()
        .filter(|at| colours[..2].contains(&screen[*at].fg) && screen[*at].symbol() != " ")
        .count()
}

#[test]
fn a_cause_leads_to_its_moment_and_to_the_dungeon_without_it() {
    let mut designer = grown("weave", 120, 40);
    let at = tile_of(&designer, 1);
    inspect(&mut designer, at);
    designer.press(KeyCode::Esc);
    designer.keys("Q");
    let text = designer.text();
    assert!(text.contains("changes that would prevent this wall"), "{text}");
    insta::assert_snapshot!("inspect_why_not", text);
    // The first line is about the Builder of the wall.
    let (subject, turns) = (
        designer.app.views.inspect.subject.unwrap(),
        designer.app.editor.time.turns(),
    );
    let Some(Link::Alternative(first)) = page(&designer).rows.iter().find_map(|row| {
        let link = row.link?;
        matches!(link, Link::Alternative(_)).then_some(link)
    }) else {
        panic!("no line leads to a dungeon: {text}");
    };
    assert_eq!(changed(&designer), 0);
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    let shown = designer.app.editor.map.alternative.as_ref().unwrap();
    assert_eq!(shown.alternative, first);
    assert!(shown.grid.tile(at).is_open(), "the wall is gone");
    assert_eq!(designer.app.editor.time.turn(), turns, "both dungeons are complete");
    assert!(changed(&designer) > 0, "{}", designer.text());
    assert!(
        designer.text().contains("had not been born: w ends"),
        "{}",
        designer.text()
    );
    // Enter again returns to the run's own dungeon, and so does w on the map.
    designer.press(KeyCode::Enter);
    assert!(designer.app.editor.map.alternative.is_none());
    assert_eq!(changed(&designer), 0);
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert!(changed(&designer) > 0);
    designer.press(KeyCode::Esc);
    designer.keys("w");
    assert!(designer.app.editor.map.alternative.is_none());
    assert_eq!(changed(&designer), 0);
    designer.keys("Q");
    // The line below leads to the moment of the birth, at which the alternative dungeon is not shown.
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    let moment = |row: &ListRow| row.text.to_string().contains("go to turn") && row.link.is_some();
    while !moment(&page(&designer).rows[page(&designer).visible.selected]) {
        designer.press(KeyCode::Down);
    }
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert!(designer.app.editor.time.turn() < subject.laid.unwrap());
    assert_eq!(changed(&designer), 0);
    // Another run has another answer.
    designer.keys("QR");
    designer.grow();
    assert!(designer.app.editor.map.alternative.is_none());
    assert_eq!(changed(&designer), 0);
}

/// Selects the first line with a link, and follows the link.
fn follow(designer: &mut TestApp, link: Link) {
    designer.press(KeyCode::Home);
    for _ in 0..page(designer).rows.len() {
        if page(designer).link() != Some(link) {
            designer.press(KeyCode::Down);
        }
    }
    assert_eq!(page(designer).link(), Some(link));
    designer.press(KeyCode::Enter);
}

#[test]
fn the_dungeon_of_a_cause_is_shown_again_after_another_moment() {
    let mut designer = grown("weave", 120, 40);
    let at = tile_of(&designer, 1);
    inspect(&mut designer, at);
    designer.press(KeyCode::Esc);
    designer.keys("Q");
    let rows = page(&designer).rows;
    let is_cause = |link: &Link| matches!(link, Link::Alternative(_));
    let causes: Vec<Link> = rows.iter().filter_map(|row| row.link).filter(is_cause).collect();
    let first = causes[0];
    let other = causes.into_iter().find(|cause| *cause != first).unwrap();
    let moment = rows.iter().find(|row| row.text.to_string().contains("go to turn"));
    let moment = moment.and_then(|row| row.link).unwrap();
    let turns = designer.app.editor.time.turns();
    follow(&mut designer, first);
    designer.run_jobs();
    assert!(changed(&designer) > 0);
    follow(&mut designer, moment);
    designer.run_jobs();
    assert_ne!(designer.app.editor.time.turn(), turns);
    assert_eq!(changed(&designer), 0);
    follow(&mut designer, first);
    designer.run_jobs();
    assert_eq!(designer.app.editor.time.turn(), turns);
    assert!(changed(&designer) > 0, "{}", designer.text());
    // Returning to the run's own dungeon also cancels the request for another one.
    follow(&mut designer, other);
    follow(&mut designer, first);
    designer.run_jobs();
    assert!(designer.app.editor.map.alternative.is_none());
    assert_eq!(changed(&designer), 0);
}

#[test]
fn what_if_a_builder_had_not_been_born() {
    let mut designer = grown("weave", 120, 40);
    // A moment at which a Builder is awake on an open square.
    designer.app.editor.time.seek(20);
    designer.run_jobs();
    let frame = designer.app.editor.time.frame().unwrap();
    let awake = |builder: &FrameBuilder| builder.state == Living::Awake;
    let (id, at) = frame
        .living()
        .find(|(_, builder)| awake(builder))
        .map(|(id, builder)| (id, builder.at))
        .unwrap();
    designer.app.editor.map.move_cursor(at);
    designer.keys("FQ");
    designer.run_jobs();
    let text = designer.text();
    assert!(text.contains("what if it had not been born"), "{id:?}: {text}");
    assert!(text.contains("would be missing"), "{text}");
}
