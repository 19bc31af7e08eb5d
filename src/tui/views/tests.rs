//! Tests of the views, with dungeons grown by the engine.

use crossterm::event::{KeyCode, KeyModifiers, MouseEventKind};
use ratatui::layout::Position;

use super::page::{Link, ListRow};
use crate::background::GrowthReply;
use crate::document::Document;
use crate::engine::{BuilderId, Event, Mark, Options};
use crate::geometry::Point;
use crate::presets::Preset;
use crate::recording::{BuilderState as Living, FrameBuilder, Recorder};
use crate::tui::commands::Action;
use crate::tui::editor::Focus;
use crate::tui::fixture::{TestApp, assert_list_keys, drawn_at_any_size};
use crate::tui::tabs::View;
use crate::tui::theme::{Depth, Theme};

/// Starts the app at the end of a preset's growth.
fn grown(preset: &str, width: u16, height: u16) -> TestApp {
    let design = Preset::find(preset).unwrap().design();
    let mut desk = TestApp::with(Document::new(design, None), width, height);
    desk.grow();
    desk.keys("G");
    desk
}

/// Returns the page of the visible view.
fn page(desk: &TestApp) -> super::page::ListPage {
    let inside = super::inside(desk.app.editor.areas.view);
    desk.app.views.page(&desk.app.editor, None, inside).unwrap()
}

/// Returns a tile that a Builder of the generation laid.
fn tile_of(desk: &TestApp, generation: u8) -> Point {
    let grid = desk.app.editor.time.frame().unwrap().grid();
    let size = grid.size();
    let all = (0..size.x).flat_map(|x| (0..size.y).map(move |y| Point::new(x, y)));
    let mut tiles = all.filter(|at| grid.mark(*at) == Mark::Generation(generation));
    tiles.nth(40).unwrap()
}

fn inspect(desk: &mut TestApp, at: Point) {
    desk.app.editor.map.move_cursor(at);
    desk.keys("i");
    desk.settle();
}

#[test]
fn why_a_wall_stands() {
    let mut desk = grown("weave", 120, 40);
    let at = tile_of(&desk, 1);
    inspect(&mut desk, at);
    insta::assert_snapshot!("inspect_why", desk.text());
    let subject = desk.app.views.inspect.subject.unwrap();
    let (builder, turn) = (subject.builder.unwrap(), subject.laid.unwrap());
    let recording = desk.app.editor.time.recording().unwrap();
    let laid =
        |event: &Event| matches!(event, Event::Laid { builder: b, at: square, .. } if *b == builder && *square == at);
    assert!(recording.events_of(turn).iter().any(laid), "{subject:?}");
    // Enter goes to the moment of the line; the subject stays.
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.editor.time.clock().turn, turn);
    assert_eq!(desk.app.views.inspect.subject.unwrap().builder, Some(builder));
    // The first line links to the entry of the first Crawler, and the story begins where that starts.
    desk.press(KeyCode::Home);
    let text = desk.text();
    assert!(text.contains("it descends from Crawler 1 of the rooms file"), "{text}");
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.editor.focus, Focus::Panel);
    assert!(desk.text().contains("Crawlers"), "{}", desk.text());
    inspect(&mut desk, at);
    let rows = page(&desk).rows;
    let first = rows.iter().position(|row| matches!(row.link, Some(Link::Moment(0, _))));
    desk.press(KeyCode::Home);
    for _ in 0..first.unwrap() {
        desk.press(KeyCode::Down);
    }
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.editor.time.clock().turn, 0);
    assert!(desk.text().contains("set out as"), "{}", desk.text());
    assert_eq!(desk.app.views.inspect.subject.unwrap().builder, Some(builder));
    // Moving the cursor by hand inspects another square.
    desk.press(KeyCode::Esc);
    desk.keys("l");
    assert_ne!(desk.app.views.inspect.subject.unwrap().builder, Some(builder));
    // Moving back inspects what is on the square, not the earlier subject.
    let aside = desk.app.editor.map.cursor();
    desk.keys("h");
    let subject = desk.app.views.inspect.subject.unwrap();
    assert_eq!(subject.at, desk.app.editor.map.cursor());
    assert_ne!(subject.at, aside);
}

#[test]
fn where_a_tile_of_the_design_comes_from() {
    let mut desk = grown("keep", 120, 40);
    inspect(&mut desk, Point::new(0, 5));
    assert!(desk.text().contains("the border: the outer ring"), "{}", desk.text());
    let layout = desk.app.editor.document.design().layout.clone();
    let (room, center, reach) = layout
        .rooms
        .iter()
        .enumerate()
        .find_map(|(i, room)| {
            room.center_and_reach(layout.size)
                .map(|(center, reach)| (i + 1, center, reach))
        })
        .unwrap();
    // A square of its wall that is neither a site nor next to one.
    let at = Point::new(center.x - reach, center.y + reach / 2 + 1);
    inspect(&mut desk, at);
    assert!(desk.text().contains(&format!("of room {room}")), "{}", desk.text());
    insta::assert_snapshot!("inspect_room", desk.text());
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.editor.focus, Focus::Panel, "the line links to the room");
}

#[test]
fn an_edit_asks_anew_of_the_run_that_it_brings() {
    let mut desk = grown("weave", 120, 40);
    let at = tile_of(&desk, 1);
    inspect(&mut desk, at);
    let description = desk.text();
    let parameters = |desk: &TestApp| {
        let text: String = desk.text().split_whitespace().collect::<Vec<_>>().join(" ");
        text.contains("MaxAge 21")
    };
    desk.press(KeyCode::End);
    assert!(!parameters(&desk));
    // Until the next run begins, everything refers to the one shown.
    desk.app.update(Action::FocusMap);
    desk.app
        .editor
        .edit("longer lives", |design| design.character.generations[1].max_age = 21);
    assert!(desk.app.editor.regrows());
    desk.want();
    assert!(
        !desk.text().contains("looking up") && !parameters(&desk),
        "{description}"
    );
    desk.perform(Vec::new());
    desk.grow();
    assert!(desk.text().contains("looking up"), "{}", desk.text());
    desk.settle();
    desk.keys("i");
    desk.press(KeyCode::End);
    assert!(parameters(&desk), "{}", desk.text());
}

#[test]
fn leaving_the_view_ends_a_request() {
    let mut desk = grown("weave", 120, 40);
    let at = tile_of(&desk, 1);
    desk.app.editor.map.move_cursor(at);
    desk.keys("i");
    assert!(desk.requested("story").is_some());
    desk.keys("e");
    assert!(desk.requested("story").is_none(), "it was cancelled");
    // Showing the view again repeats the request, and a reply is kept.
    desk.keys("i");
    assert!(desk.requested("story").is_some());
    desk.settle();
    let description = desk.text();
    desk.keys("ei");
    assert!(desk.requested("story").is_none());
    assert_eq!(desk.text(), description);
}

#[test]
fn a_builder_is_followed_until_it_dies() {
    let mut desk = grown("weave", 120, 40);
    desk.keys("g+++");
    let first = *desk.app.editor.time.frame().unwrap().builder(BuilderId(0)).unwrap();
    desk.app.editor.map.move_cursor(first.at);
    desk.keys("F");
    desk.settle();
    assert_eq!(desk.app.views.followed(), Some(BuilderId(0)));
    desk.keys(">>>>");
    let now = *desk.app.editor.time.frame().unwrap().builder(BuilderId(0)).unwrap();
    assert_ne!(now.at, first.at);
    assert_eq!(desk.app.editor.map.cursor(), now.at);
    insta::assert_snapshot!("inspect_followed", desk.text());
    desk.keys("<<");
    let back = *desk.app.editor.time.frame().unwrap().builder(BuilderId(0)).unwrap();
    assert_eq!(desk.app.editor.map.cursor(), back.at, "backward as well");
    desk.keys("G");
    assert_eq!(desk.app.views.followed(), None);
    assert!(desk.text().contains("died"), "{}", desk.text());
}

#[test]
fn moving_the_map_by_hand_ends_following() {
    let mut desk = grown("weave", 120, 40);
    desk.keys("g");
    let at = desk.app.editor.time.frame().unwrap().builder(BuilderId(0)).unwrap().at;
    desk.app.editor.map.move_cursor(at);
    desk.keys("F");
    desk.keys("+");
    assert!(desk.app.views.followed().is_some(), "zooming keeps following");
    desk.press(KeyCode::Down);
    assert_eq!(desk.app.views.followed(), None);
    // No Builder is alive at the end.
    desk.keys("GF");
    assert_eq!(desk.app.views.followed(), None);
    assert!(desk.text().contains("no living Builder"), "{}", desk.text());
}

#[test]
fn events_are_filtered_and_lead_to_their_moments() {
    let mut desk = grown("weave", 120, 40);
    desk.app.editor.time.seek(40);
    desk.keys("e");
    insta::assert_snapshot!("events_all", desk.text());
    // Deaths only.
    desk.keys("134567");
    let text = desk.text();
    assert!(text.contains("died:") && !text.contains(" built "), "{text}");
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Enter);
    let turn = desk.app.editor.time.clock().turn;
    assert!(turn > 40);
    let died = |event: &Event| matches!(event, Event::Died { .. });
    assert!(
        desk.app
            .editor
            .time
            .recording()
            .unwrap()
            .events_of(turn)
            .iter()
            .any(died)
    );
    // Everything, of generation 1 only, near the cursor.
    desk.keys("0lw");
    desk.press(KeyCode::Right);
    desk.press(KeyCode::Left);
    insta::assert_snapshot!("events_filtered", desk.text());
}

#[test]
fn events_near_the_cursor_are_where_their_builders_were() {
    let mut desk = grown("weave", 120, 40);
    desk.app.editor.time.seek(60);
    desk.app.update(Action::FocusView(View::Events));
    desk.want();
    // Each line links to where its Builder is at the end of its turn, or where it built.
    let page = page(&desk);
    let links: Vec<_> = page.rows.iter().filter_map(|row| row.link).collect();
    assert!(links.len() > 20);
    for link in links {
        let Link::Moment(turn, at) = link else { continue };
        desk.app.editor.time.seek(turn);
        let events = desk.app.editor.time.recording().unwrap().events_of(turn);
        let frame = desk.app.editor.time.frame().unwrap();
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

#[test]
fn plots_show_how_the_growth_went_on() {
    for (width, height) in [(80, 24), (120, 40)] {
        let mut desk = grown("weave", width, height);
        desk.app.editor.time.seek(60);
        desk.chord(KeyModifiers::ALT, '9');
        insta::assert_snapshot!(format!("plots_{width}x{height}"), desk.text());
        desk.app.editor.theme = Theme::new(Depth::None);
        assert!(desk.text().contains("died: no room"), "{}", desk.text());
        drawn_at_any_size(
            |area, buf| crate::tui::screen::draw_view(&desk.app, area, buf),
            (48, 12),
        );
    }
}

#[test]
fn nothing_goes_on_once_all_is_found() {
    let mut desk = grown("weave", 120, 40);
    desk.keys("e");
    for _ in 0..100 {
        desk.want();
    }
    assert_eq!(desk.app.next_change(), None);
    let frame = desk.app.editor.time.frame().unwrap();
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
    let mut desk = TestApp::with(Document::new(design, None), 120, 40);
    let (mut growth, mut recorder, recording) = Recorder::begin(&valid, Options::default(), limit);
    let recording = Box::new(recording);
    desk.send_growth(GrowthReply::Started {
        recording,
        diagnostics: Vec::new(),
    });
    desk.keys("G");
    while !growth.is_finished() {
        for _ in 0..20 {
            growth.turn(&mut recorder);
        }
        let track = recorder.take_turns(&growth);
        desk.send_growth(GrowthReply::Grown(track));
    }
    let track = recorder.take();
    desk.send_growth(GrowthReply::Grown(track));
    desk.send_growth(GrowthReply::Finished);
    while desk.app.next_change() == Some(std::time::Duration::ZERO) {
        desk.app.advance(std::time::Duration::from_millis(1));
    }
    desk
}

#[test]
fn events_that_were_dropped_end_the_search_and_lead_to_where_they_were() {
    let mut desks = [1 << 30, 2_000].map(|limit| limited("catacombs", limit));
    let [all, few] = desks.each_mut().map(|desk| {
        desk.keys("e34");
        for _ in 0..200 {
            desk.want();
        }
        assert_eq!(desk.app.editor.time.turn(), desk.app.editor.time.turns());
        let area = desk.app.editor.areas.view;
        super::events::page(&desk.app.views.events, &desk.app.editor, super::inside(area)).rows
    });
    assert!(desks[1].app.editor.time.recording().unwrap().regrows());
    let lines =
        |rows: &[super::page::ListRow]| -> Vec<String> { rows.iter().map(|row| row.text.to_string()).collect() };
    let (all, few_lines) = (lines(&all), lines(&few));
    assert!(few_lines[0].contains("farther events were dropped"), "{few_lines:#?}");
    assert!(all.iter().all(|line| !line.contains("dropped")));
    // Events that are kept are shown, and nothing from before the dropped ones.
    let kept: Vec<&String> = few_lines.iter().skip_while(|line| !line.contains('■')).collect();
    assert!(kept.len() > 5, "{few_lines:#?}");
    assert!(
        all.iter().rev().zip(kept.iter().rev()).all(|(a, b)| a == *b),
        "{all:#?} {kept:#?}"
    );
    // The line links to the last dropped moment, which is then regrown.
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
    let mut desk = grown("hypostyle", 120, 40);
    let frame = desk.app.editor.time.frame().unwrap();
    let jumper = frame
        .builders()
        .iter()
        .position(|builder| builder.birth.kind.is_jumper() && builder.laid > 2);
    let jumper = BuilderId(jumper.unwrap() as u32);
    let recording = desk.app.editor.time.recording().unwrap();
    let mut column = None;
    recording.walk(0, recording.turns(), |_, event| {
        if let Event::Laid { builder, at, .. } = event
            && *builder == jumper
        {
            column = Some(*at);
        }
    });
    inspect(&mut desk, column.unwrap());
    let text = desk.text();
    assert!(
        text.contains("column of generation") && text.contains("by Jumper #"),
        "{text}"
    );
    assert!(text.contains("and left a column"), "{text}");
    insta::assert_snapshot!("inspect_jumper", text);
}

#[test]
fn a_wall_in_a_design_with_vaults_has_a_story_and_so_has_a_vault() {
    let mut desk = grown("stronghold", 120, 40);
    let at = tile_of(&desk, 0);
    inspect(&mut desk, at);
    desk.press(KeyCode::Home);
    let text = desk.text();
    assert!(text.contains("descends from") || text.contains("it is"), "{text}");
    assert!(text.contains("set out as"), "{text}");
    let run = desk.app.editor.time.run().unwrap();
    let piece = &run.design.pieces()[0];
    let (vault, name) = (piece.vault + 1, piece.name.clone());
    let (wall, _) = piece
        .features()
        .find(|(_, feature)| crate::design::PlacedVault::is_wall(*feature))
        .unwrap();
    desk.press(KeyCode::Esc);
    inspect(&mut desk, wall);
    let text = desk.text();
    assert!(
        text.contains(&format!("vault {vault}")) && text.contains(&name),
        "{text}"
    );
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.editor.focus, Focus::Panel, "the line links to the vault");
}

#[test]
fn the_mouse_leads_where_lines_do() {
    let mut desk = grown("weave", 120, 40);
    let at = tile_of(&desk, 1);
    inspect(&mut desk, at);
    let area = desk.app.editor.areas.view;
    // Over the list, the wheel moves the selection.
    let page = |desk: &TestApp| page(desk);
    let selected = |desk: &TestApp| page(desk).visible.selected;
    let (before, list) = (selected(&desk), page(&desk).visible.area);
    desk.mouse(MouseEventKind::ScrollUp, list.x + 2, list.y + 1);
    assert_eq!(selected(&desk), before - 3);
    desk.mouse(MouseEventKind::ScrollDown, list.x + 2, list.y + 1);
    assert_eq!(selected(&desk), before);
    // A click on the selected line follows its link, like Enter.
    let seen = page(&desk).visible;
    let rows = page(&desk).rows;
    let line = (seen.top..rows.len()).find(|i| matches!(rows[*i].link, Some(Link::Moment(turn, _)) if turn > 0));
    let line = line.unwrap();
    let Some(Link::Moment(turn, square)) = rows[line].link else {
        panic!("not a moment");
    };
    desk.click(list.x + 2, list.y + (line - seen.top) as u16);
    assert_eq!(selected(&desk), line);
    desk.click(list.x + 2, list.y + (line - seen.top) as u16);
    assert_eq!(
        (desk.app.editor.time.turn(), desk.app.editor.map.cursor()),
        (turn, square)
    );
    assert_eq!(
        desk.app.views.inspect.subject.unwrap().at,
        at,
        "what is inspected stays"
    );
    // Clicks below the last line and on the head do nothing.
    let now = desk.app.editor.time.turn();
    desk.click(area.x + 2, area.y + 1);
    assert_eq!((desk.app.editor.time.turn(), desk.app.editor.focus), (now, Focus::View));
    // Tabs show their views; in Events, the items of the filter toggle kinds.
    for view in View::ALL {
        let area = desk.app.editor.areas.view;
        let at = |x| super::tabs(&desk.app.editor, area).at(Position::new(x, area.y));
        let column = (area.left()..area.right()).find(|x| at(*x) == Some(view)).unwrap();
        desk.click(column, area.y);
        assert_eq!(desk.app.editor.view, view);
    }
    desk.keys("e");
    let (shown, text) = (desk.screen(), desk.text());
    let (row, text) = text
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains("1✓births"))
        .unwrap();
    let column = text.split("1✓births").next().unwrap().chars().count() as u16;
    desk.click(column + 3, row as u16);
    desk.want();
    assert!(desk.screen() != shown, "{}", desk.text());
    desk.click(column + 3, row as u16);
    desk.want();
    assert!(desk.screen() == shown);
}

#[test]
fn the_lists_of_the_views_page_and_scroll_alike() {
    let mut desk = grown("weave", 120, 40);
    desk.app.editor.time.seek(60);
    desk.keys("e");
    desk.want();
    assert_list_keys(&mut desk, |desk| page(desk).visible);
}

/// Returns the number of squares that the map draws as changed.
fn changed(desk: &TestApp) -> usize {
    let colours = desk.app.editor.theme.changes();
    let map = desk.app.editor.areas.map;
    let screen = desk.screen();
    map.positions()
        .filter(|at| colours[..2].contains(&screen[*at].fg) && screen[*at].symbol() != " ")
        .count()
}

#[test]
fn what_would_make_a_wall_different_leads_to_its_moment_and_to_that_dungeon() {
    let mut desk = grown("weave", 120, 40);
    let at = tile_of(&desk, 1);
    inspect(&mut desk, at);
    desk.press(KeyCode::Esc);
    desk.keys("Q");
    let text = desk.text();
    assert!(text.contains("why not otherwise: the wall would not"), "{text}");
    insta::assert_snapshot!("inspect_why_not", text);
    // The first line is about the Builder of the wall.
    let (subject, turns) = (desk.app.views.inspect.subject.unwrap(), desk.app.editor.time.turns());
    let Some(Link::Alternative(first)) = page(&desk).rows.iter().find_map(|row| {
        let link = row.link?;
        matches!(link, Link::Alternative(_)).then_some(link)
    }) else {
        panic!("no line leads to a dungeon: {text}");
    };
    assert_eq!(changed(&desk), 0);
    desk.press(KeyCode::Enter);
    desk.settle();
    let shown = desk.app.editor.map.alternative.as_ref().unwrap();
    assert_eq!(shown.alternative, first);
    assert!(shown.grid.tile(at).is_open(), "the wall is gone");
    assert_eq!(desk.app.editor.time.turn(), turns, "both dungeons are complete");
    assert!(changed(&desk) > 0, "{}", desk.text());
    assert!(desk.text().contains("had not been born: w ends"), "{}", desk.text());
    // Enter again goes back, and so does w on the map.
    desk.press(KeyCode::Enter);
    assert!(desk.app.editor.map.alternative.is_none());
    assert_eq!(changed(&desk), 0);
    desk.press(KeyCode::Enter);
    desk.settle();
    assert!(changed(&desk) > 0);
    desk.press(KeyCode::Esc);
    desk.keys("w");
    assert!(desk.app.editor.map.alternative.is_none());
    assert_eq!(changed(&desk), 0);
    desk.keys("Q");
    // The line below leads to the birth; there the other dungeon is not shown.
    desk.press(KeyCode::Enter);
    desk.settle();
    let moment = |row: &ListRow| row.text.to_string().contains("its moment") && row.link.is_some();
    while !moment(&page(&desk).rows[page(&desk).visible.selected]) {
        desk.press(KeyCode::Down);
    }
    desk.press(KeyCode::Enter);
    desk.settle();
    assert!(desk.app.editor.time.turn() < subject.laid.unwrap());
    assert_eq!(changed(&desk), 0);
    // Another run has another answer.
    desk.keys("QR");
    desk.grow();
    assert!(desk.app.editor.map.alternative.is_none());
    assert_eq!(changed(&desk), 0);
}

#[test]
fn what_if_a_builder_had_not_been_born() {
    let mut desk = grown("weave", 120, 40);
    // A moment at which one is awake on an open square.
    desk.app.editor.time.seek(20);
    desk.settle();
    let frame = desk.app.editor.time.frame().unwrap();
    let awake = |builder: &FrameBuilder| builder.state == Living::Awake;
    let (id, at) = frame
        .living()
        .find(|(_, builder)| awake(builder))
        .map(|(id, builder)| (id, builder.at))
        .unwrap();
    desk.app.editor.map.move_cursor(at);
    desk.keys("FQ");
    desk.settle();
    let text = desk.text();
    assert!(text.contains("what if it had not been born"), "{id:?}: {text}");
    assert!(text.contains("would be missing"), "{text}");
}
