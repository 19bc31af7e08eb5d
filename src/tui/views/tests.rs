//! Stories on the views, with a dungeon that was really grown.

use crossterm::event::{KeyCode, KeyModifiers};

use super::View;
use crate::document::Document;
use crate::engine::{BuilderId, Event, Mark};
use crate::geometry::Point;
use crate::presets::Preset;
use crate::recording::State as Living;
use crate::tui::app::Focus;
use crate::tui::fixture::{Desk, drawn_at_any_size};
use crate::tui::theme::{Depth, Theme};

/// A designer that shows the end of a preset's growth.
fn grown(preset: &str, width: u16, height: u16) -> Desk {
    let design = Preset::find(preset).unwrap().design();
    let mut desk = Desk::with(Document::new(design, None), width, height);
    desk.grow();
    desk.keys("G");
    desk
}

/// A tile that a Builder of a generation laid.
fn tile_of(desk: &Desk, generation: u8) -> Point {
    let grid = desk.app.time.frame().unwrap().grid();
    let size = grid.size();
    let all = (0..size.x).flat_map(|x| (0..size.y).map(move |y| Point::new(x, y)));
    let mut tiles = all.filter(|at| grid.mark(*at) == Mark::Generation(generation));
    tiles.nth(40).unwrap()
}

fn inspect(desk: &mut Desk, at: Point) {
    desk.app.map.move_cursor(at);
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
    let recording = desk.app.time.recording().unwrap();
    let laid =
        |event: &Event| matches!(event, Event::Laid { builder: b, at: square, .. } if *b == builder && *square == at);
    assert!(recording.events_of(turn).iter().any(laid), "{subject:?}");
    // Enter goes to the moment of the line; what is inspected stays.
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.time.clock().turn, turn);
    assert_eq!(desk.app.views.inspect.subject.unwrap().builder, Some(builder));
    // The first line of the story is that of the rooms file's Crawler.
    desk.press(KeyCode::Home);
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.time.clock().turn, 0);
    assert!(desk.text().contains("set out at"), "{}", desk.text());
    assert_eq!(desk.app.views.inspect.subject.unwrap().builder, Some(builder));
    // Moving the cursor by hand inspects another square.
    desk.press(KeyCode::Esc);
    desk.keys("l");
    assert_ne!(desk.app.views.inspect.subject.unwrap().builder, Some(builder));
    // Coming back asks what stands there, not what a line led away from.
    let aside = desk.app.map.cursor();
    desk.keys("h");
    let subject = desk.app.views.inspect.subject.unwrap();
    assert_eq!(subject.at, desk.app.map.cursor());
    assert_ne!(subject.at, aside);
}

#[test]
fn where_a_tile_of_the_design_comes_from() {
    let mut desk = grown("keep", 120, 40);
    inspect(&mut desk, Point::new(0, 5));
    assert!(desk.text().contains("the border: the outer ring"), "{}", desk.text());
    let layout = desk.app.document.design().layout.clone();
    let (room, center, reach) = layout
        .rooms
        .iter()
        .enumerate()
        .find_map(|(i, room)| room.stands(layout.size).map(|(center, reach)| (i + 1, center, reach)))
        .unwrap();
    // A square of its wall that is neither a site nor a neighbour of one.
    let at = Point::new(center.x - reach, center.y + reach / 2 + 1);
    inspect(&mut desk, at);
    assert!(desk.text().contains(&format!("of room {room}")), "{}", desk.text());
    insta::assert_snapshot!("inspect_room", desk.text());
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.focus, Focus::Panel, "the line leads to the room");
}

#[test]
fn an_edit_asks_anew_of_the_run_that_it_brings() {
    let mut desk = grown("weave", 120, 40);
    let at = tile_of(&desk, 1);
    inspect(&mut desk, at);
    let told = desk.text();
    let parameters = |desk: &Desk| {
        let text: String = desk.text().split_whitespace().collect::<Vec<_>>().join(" ");
        text.contains("MaxAge 21")
    };
    desk.press(KeyCode::End);
    assert!(!parameters(&desk));
    // Until the next run is there, all is told of the one that is shown.
    desk.app.update(crate::tui::app::Action::FocusMap);
    let effects = desk
        .app
        .edit("longer lives", |design| design.character.generations[1].max_age = 21);
    assert!(!effects.is_empty());
    desk.want();
    assert!(!desk.text().contains("looking up") && !parameters(&desk), "{told}");
    desk.perform(effects);
    desk.grow();
    assert!(desk.text().contains("looking up"), "{}", desk.text());
    desk.settle();
    desk.keys("i");
    desk.press(KeyCode::End);
    assert!(parameters(&desk), "{}", desk.text());
}

#[test]
fn leaving_the_view_ends_an_inquiry() {
    let mut desk = grown("weave", 120, 40);
    let at = tile_of(&desk, 1);
    desk.app.map.move_cursor(at);
    desk.keys("i");
    assert!(desk.inquired.is_some());
    desk.keys("e");
    assert!(desk.inquired.is_none(), "nobody waits for it");
    // Coming back asks again, and what was told stays told.
    desk.keys("i");
    assert!(desk.inquired.is_some());
    desk.settle();
    let told = desk.text();
    desk.keys("ei");
    assert!(desk.inquired.is_none());
    assert_eq!(desk.text(), told);
}

#[test]
fn a_builder_is_followed_until_it_dies() {
    let mut desk = grown("weave", 120, 40);
    desk.keys("g+++");
    let first = *desk.app.time.frame().unwrap().builder(BuilderId(0)).unwrap();
    desk.app.map.move_cursor(first.at);
    desk.keys("F");
    desk.settle();
    assert_eq!(desk.app.views.followed(), Some(BuilderId(0)));
    desk.keys(">>>>");
    let now = *desk.app.time.frame().unwrap().builder(BuilderId(0)).unwrap();
    assert_ne!(now.at, first.at);
    assert_eq!(desk.app.map.cursor(), now.at);
    insta::assert_snapshot!("inspect_followed", desk.text());
    desk.keys("<<");
    let back = *desk.app.time.frame().unwrap().builder(BuilderId(0)).unwrap();
    assert_eq!(desk.app.map.cursor(), back.at, "backward as well");
    desk.keys("G");
    assert_eq!(desk.app.views.followed(), None);
    assert!(desk.text().contains("died"), "{}", desk.text());
}

#[test]
fn moving_the_map_by_hand_ends_following() {
    let mut desk = grown("weave", 120, 40);
    desk.keys("g");
    let at = desk.app.time.frame().unwrap().builder(BuilderId(0)).unwrap().at;
    desk.app.map.move_cursor(at);
    desk.keys("F");
    desk.keys("+");
    assert!(desk.app.views.followed().is_some(), "zooming goes on");
    desk.press(KeyCode::Down);
    assert_eq!(desk.app.views.followed(), None);
    // Nobody lives at the end.
    desk.keys("GF");
    assert_eq!(desk.app.views.followed(), None);
    assert!(desk.text().contains("no living Builder"), "{}", desk.text());
}

#[test]
fn events_are_filtered_and_lead_to_their_moments() {
    let mut desk = grown("weave", 120, 40);
    desk.app.time.seek(40);
    desk.keys("e");
    insta::assert_snapshot!("events_all", desk.text());
    // Deaths only.
    desk.keys("134567");
    let text = desk.text();
    assert!(text.contains("died:") && !text.contains(" built "), "{text}");
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Enter);
    let turn = desk.app.time.clock().turn;
    assert!(turn > 40);
    let died = |event: &Event| matches!(event, Event::Died { .. });
    assert!(desk.app.time.recording().unwrap().events_of(turn).iter().any(died));
    // Everything, of generation 1 only, near the cursor.
    desk.keys("0lw");
    desk.press(KeyCode::Right);
    desk.press(KeyCode::Left);
    insta::assert_snapshot!("events_filtered", desk.text());
}

#[test]
fn events_near_the_cursor_are_where_their_builders_were() {
    let mut desk = grown("weave", 120, 40);
    desk.app.time.seek(60);
    desk.app.update(crate::tui::app::Action::FocusView(View::Events));
    desk.want();
    // Each line's place is where its Builder stands once its turn is over, or where it built.
    let page = super::page(&desk.app).unwrap();
    let leads: Vec<_> = page.rows.iter().filter_map(|row| row.lead).collect();
    assert!(leads.len() > 20);
    for lead in leads {
        let super::Lead::Moment(turn, at) = lead else { continue };
        desk.app.time.seek(turn);
        let events = desk.app.time.recording().unwrap().events_of(turn);
        let frame = desk.app.time.frame().unwrap();
        let there = events.iter().any(|event| match *event {
            Event::Born { birth, .. } => birth.at == at,
            Event::Laid { at: laid, .. } => laid == at,
            // Who wakes may act in the same turn.
            Event::Woke { builder } => frame.builder(builder).is_some_and(|builder| builder.birth.at == at),
            event => frame.builder(event.builder()).is_some_and(|builder| builder.at == at),
        });
        assert!(there, "turn {turn} at {at}: {events:#?}");
    }
}

#[test]
fn plots_tell_how_the_growth_went_on() {
    for (width, height) in [(80, 24), (120, 40)] {
        let mut desk = grown("weave", width, height);
        desk.app.time.seek(60);
        desk.chord(KeyModifiers::ALT, '9');
        insta::assert_snapshot!(format!("plots_{width}x{height}"), desk.text());
        desk.app.theme = Theme::new(Depth::None);
        assert!(desk.text().contains("died: no room"), "{}", desk.text());
        drawn_at_any_size(|area, buf| super::draw(&desk.app, area, buf), (48, 12));
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
    let frame = desk.app.time.frame().unwrap();
    assert!(
        frame
            .builders()
            .iter()
            .all(|builder| matches!(builder.state, Living::Dead(_)))
    );
}
