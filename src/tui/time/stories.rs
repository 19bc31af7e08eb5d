//! Tests of the timeline: keys and mouse events, and their effects.

use std::time::Duration;

use crossterm::event::{KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::Rect;

use super::timeline::{self, TimelineAreas};
use crate::background::GrowthReply;
use crate::design::{CrawlerStart, Design};
use crate::engine::{Clock, Event, Options};
use crate::geometry::{Point, Size};
use crate::recording::{EventChunk, Recorder, Recording};
use crate::tui::commands::{SearchedEvent, TimeCommand};
use crate::tui::fixture::{TestApp, spiral, text};
use crate::tui::playback::{self, TimeState};

fn places(designer: &TestApp) -> TimelineAreas {
    TimelineAreas::of(designer.app.editor.areas.time)
}

/// Returns the rows of the screen that the timeline occupies.
fn timeline(designer: &TestApp) -> String {
    let area = designer.app.editor.areas.time;
    let lines = designer.text();
    let rows = lines.lines().skip(area.y.into()).take(area.height.into());
    rows.collect::<Vec<_>>().join("\n")
}

fn clock(designer: &TestApp) -> Clock {
    designer.app.editor.time.clock()
}

fn notice(designer: &TestApp) -> &str {
    designer.app.editor.status.notice.as_ref().map_or("", |(_, text)| text)
}

/// Advances searches and playback by a number of milliseconds.
fn pass(designer: &mut TestApp, millis: u64) {
    designer.app.advance(Duration::from_millis(millis));
}

#[test]
fn the_timeline_is_drawn_at_every_size() {
    for (width, height) in [(40, 12), (80, 24), (120, 40), (200, 60)] {
        let mut designer = TestApp::grown(width, height);
        designer.keys("g>>>b}}>b@&");
        insta::assert_snapshot!(format!("timeline_{width}x{height}"), timeline(&designer));
    }
}

#[test]
fn bookmarks_are_set_found_and_removed() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys("\"");
    assert_eq!(notice(&designer), "no bookmark has been set yet");
    designer.keys("g}>>b");
    assert_eq!(notice(&designer), "bookmark set: iteration 102");
    let first = clock(&designer);
    designer.keys("}}>b}");
    designer.keys("\"");
    assert_eq!(clock(&designer).iteration, 301);
    designer.keys("\"");
    assert_eq!(clock(&designer), first);
    designer.keys("\"");
    assert_eq!(notice(&designer), "no bookmark before this moment");
    designer.keys("'");
    assert_eq!(
        (clock(&designer).iteration, notice(&designer)),
        (301, "bookmark: iteration 301")
    );
    designer.keys("b");
    assert_eq!(notice(&designer), "bookmark removed: iteration 301");
    designer.keys("'");
    assert_eq!(notice(&designer), "no bookmark after this moment");
    assert_eq!(timeline(&designer).matches('◆').count(), 1);
}

#[test]
fn bookmarks_stay_in_the_next_run() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys("g}>b}}}>b");
    assert_eq!(designer.app.editor.time.bookmarks(), [8, 29]);
    // With another seed, the same moment is in another turn. Bookmarks that the new run does not reach are kept for
    // later runs.
    designer.keys("\"R");
    designer.receive_run(spiral(3));
    assert_eq!(clock(&designer).iteration, 101, "an edit keeps the bookmarked moment");
    assert_eq!(designer.app.editor.time.bookmarks(), [8]);
    designer.keys("'");
    assert_eq!(notice(&designer), "the growth has not reached the later bookmarks (1)");
    designer.keys("R");
    designer.receive_run(spiral(6));
    designer.keys("'");
    assert_eq!(clock(&designer).iteration, 401);
}

#[test]
fn bookmarks_are_set_by_mouse() {
    let mut designer = TestApp::grown(80, 24);
    let bar = places(&designer).bar;
    let column = bar.x + 30;
    designer.mouse(MouseEventKind::Down(MouseButton::Right), column, bar.y);
    assert!(notice(&designer).starts_with("bookmark set"), "{}", notice(&designer));
    let marked = clock(&designer);
    designer.keys("G");
    assert!(timeline(&designer).contains('◆'));
    designer.click(column, bar.y);
    assert_eq!(clock(&designer), marked);
    designer.keys("G");
    designer.mouse(MouseEventKind::Down(MouseButton::Right), column, bar.y);
    assert!(
        notice(&designer).starts_with("bookmark removed"),
        "{}",
        notice(&designer)
    );
    assert!(!timeline(&designer).contains('◆'));
}

#[test]
fn a_click_on_a_bookmark_goes_exactly_to_it() {
    let mut designer = TestApp::new(40, 12);
    designer.receive_run(spiral(30));
    designer.keys("g>>>....b");
    let marked = clock(&designer).turn;
    let bar = places(&designer).bar;
    let column = bar.x + timeline::column_of(bar, marked, designer.app.editor.time.turns());
    assert_ne!(
        timeline::turn_at(bar, column, designer.app.editor.time.turns()),
        marked,
        "the bar is too coarse for this turn"
    );
    designer.keys("G");
    designer.click(column, bar.y);
    assert_eq!(clock(&designer).turn, marked);
}

#[test]
fn the_sparkline_handles_clicks_like_the_bar() {
    let mut designer = TestApp::grown(200, 60);
    let places = places(&designer);
    assert_eq!(places.living.height, 2);
    for row in places.living.y..=places.bar.y {
        designer.keys("G");
        designer.click(places.bar.x, row);
        assert_eq!(clock(&designer).turn, 0, "row {row}");
    }
    designer.keys("G");
    designer.click(places.bar.x + 10, places.words.y);
    assert_eq!(
        clock(&designer).turn,
        designer.app.editor.time.turns(),
        "the status line has no moments"
    );
}

#[test]
fn indicators_can_be_clicked() {
    let mut designer = TestApp::grown(120, 40);
    let words = places(&designer).words;
    designer.click(words.x, words.y);
    assert!(designer.app.editor.time.is_playing());
    designer.click(words.x, words.y);
    designer.keys("@&");
    let row = timeline(&designer);
    assert!(row.contains("design first  ↻ looping  "), "{row}");
    let line: Vec<char> = row.lines().nth(1).unwrap().chars().collect();
    let find = |sign: char| line.iter().position(|c| *c == sign).unwrap() as u16;
    designer.click(find('↻'), words.y);
    assert!(!designer.app.editor.time.is_looping() && designer.app.editor.time.shows_design());
    let speed = designer.app.editor.time.speed();
    designer.click(words.right() - 1, words.y);
    assert!(designer.app.editor.time.speed() > speed);
    for width in [40, 80, 200] {
        for column in 0..width {
            timeline::sign_at(&designer.app.editor, Rect::new(0, 0, width, 1), column);
        }
    }
}

#[test]
fn looping_playback_restarts() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys("@");
    assert!(timeline(&designer).contains('↻'));
    for _ in 0..30 {
        designer.keys("]");
    }
    designer.keys(" ");
    assert_eq!(clock(&designer).turn, 0);
    pass(&mut designer, 40);
    assert_eq!(clock(&designer).turn, 35, "everything in one frame");
    pass(&mut designer, 500);
    assert_eq!(clock(&designer).turn, 35, "the end is shown for a second");
    assert!(designer.app.next_change().unwrap() <= Duration::from_millis(500));
    pass(&mut designer, 500);
    assert_eq!(
        (clock(&designer).turn, designer.app.editor.time.is_playing()),
        (0, true)
    );
    designer.keys("@");
    pass(&mut designer, 40);
    assert_eq!(
        (clock(&designer).turn, designer.app.editor.time.is_playing()),
        (35, false)
    );
    assert_eq!(designer.app.next_change(), None, "nothing is left to do");
}

#[test]
fn the_design_is_shown_before_growth() {
    let mut designer = TestApp::grown(120, 40);
    designer.keys("& ");
    assert!(
        timeline(&designer).contains("showing the design; growth starts in 3 s"),
        "{}",
        timeline(&designer)
    );
    pass(&mut designer, 1_100);
    assert!(
        timeline(&designer).contains("growth starts in 2 s"),
        "{}",
        timeline(&designer)
    );
    assert_eq!(clock(&designer).turn, 0);
    pass(&mut designer, 1_950);
    assert!(!timeline(&designer).contains("growth starts"));
    pass(&mut designer, 100);
    assert!(clock(&designer).turn > 0);
    // From any other moment, playback starts without showing the design first.
    designer.keys(" g.  ");
    designer.keys(" ");
    pass(&mut designer, 100);
    assert!(clock(&designer).turn > 1);
}

#[test]
fn the_next_event_near_the_cursor_is_found() {
    let mut designer = TestApp::grown(120, 40);
    let birth = designer.app.editor.time.frame().unwrap().builders()[2].birth.at;
    designer.app.editor.map.move_cursor(birth);
    designer.keys("g");
    designer.chord(KeyModifiers::ALT, 'b');
    assert_eq!(
        notice(&designer),
        format!(
            "Crawler #3 of generation 2 is born at row {}, column {} in turn 14",
            birth.x, birth.y
        )
    );
    assert_eq!(clock(&designer).turn, 14);
    // The parent of that Builder moved and died there in the same turn.
    designer.keys("g");
    designer.chord(KeyModifiers::ALT, 'd');
    assert_eq!(
        notice(&designer),
        format!(
            "Crawler #2 of generation 1 dies of old age at row {}, column {} in turn 14",
            birth.x, birth.y
        )
    );
    designer.keys("G");
    designer.chord(KeyModifiers::ALT, 'D');
    assert_eq!(clock(&designer).turn, 14);
    designer.chord(KeyModifiers::ALT, 'D');
    assert_eq!(
        notice(&designer),
        format!(
            "no death within 5 squares of row {}, column {} before this moment",
            birth.x, birth.y
        )
    );
    assert_eq!(clock(&designer).turn, 14, "without a match the moment stays");
    designer.chord(KeyModifiers::ALT, 'B');
    assert_eq!(clock(&designer).turn, 14);
}

#[test]
fn a_birth_that_is_not_shown_yet_is_described_with_its_kind_and_generation() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys("g");
    let time = &designer.app.editor.time;
    let (recording, frame) = time.recording().zip(time.frame()).unwrap();
    let mut births = Vec::new();
    recording.walk(0, recording.turns(), |_, event| {
        if matches!(event, Event::Born { .. }) {
            births.push(playback::description(event, frame));
        }
    });
    assert!(births.len() > 1, "{births:?}");
    assert!(births.iter().all(|birth| birth.starts_with("Crawler #")), "{births:?}");
}

#[test]
fn changes_near_the_cursor_are_found_forward_and_back() {
    let mut designer = TestApp::grown(120, 40);
    designer.app.editor.map.move_cursor(Point::new(3, 12));
    designer.keys("g");
    let mut turns = Vec::new();
    loop {
        designer.keys(")");
        if notice(&designer).starts_with("no change") {
            break;
        }
        assert!(
            notice(&designer).contains("lays a wall tile at row "),
            "{}",
            notice(&designer)
        );
        turns.push(clock(&designer).turn);
    }
    assert!(turns.len() > 1 && turns.is_sorted(), "{turns:?}");
    for turn in turns.iter().rev().skip(1) {
        designer.keys("(");
        assert_eq!(clock(&designer).turn, *turn);
    }
}

#[test]
fn a_search_waits_for_growth() {
    let mut designer = TestApp::new(80, 24);
    let (start, prelude, track) = spiral(5);
    designer.receive_part((start, prelude, EventChunk::default()), 2);
    designer.keys("\t\t\t");
    designer.app.editor.map.move_cursor(Point::new(3, 2));
    designer.chord(KeyModifiers::ALT, 'd');
    assert!(notice(&designer).starts_with("no death") || notice(&designer).starts_with("looking for a death"));
    assert_eq!(designer.app.next_change(), None, "the search waits without spinning");
    designer.send_growth(GrowthReply::Grown(track));
    designer.send_growth(GrowthReply::Finished);
    while designer.app.next_change().is_some() {
        pass(&mut designer, 1);
    }
    assert!(
        notice(&designer).starts_with("no death within"),
        "{}",
        notice(&designer)
    );
}

#[test]
fn an_edit_keeps_the_moment_wherever_it_is() {
    // Playback is paused: in the middle of an iteration, at the end, and at the start.
    for (keys, turn, iteration) in [("g}}..", 16, 202), ("G", 42, 600), ("g", 0, 0)] {
        let mut designer = TestApp::grown(80, 24);
        designer.keys(keys);
        designer.keys("R");
        designer.receive_run(spiral(6));
        assert_eq!(
            (clock(&designer).turn, clock(&designer).iteration),
            (turn, iteration),
            "{keys}"
        );
        assert!(!designer.app.editor.time.is_playing());
    }
    // The moment is also kept while playback is running.
    let mut designer = TestApp::grown(80, 24);
    designer.keys(" ");
    pass(&mut designer, 200);
    let before = clock(&designer);
    assert!(before.turn > 0);
    designer.keys("R");
    designer.receive_run(spiral(6));
    assert_eq!(clock(&designer), before);
    pass(&mut designer, 100);
    assert!(clock(&designer).turn > before.turn, "playback continues");
    // A shorter run ends before that moment.
    designer.keys("G");
    designer.keys("{R");
    designer.receive_run(spiral(2));
    assert_eq!(clock(&designer).turn, 14, "as near as the shorter run allows");
}

#[test]
fn many_generations_are_numbered_as_far_as_there_is_room() {
    let mut designer = TestApp::new(80, 24);
    designer.receive_run(spiral(400));
    designer.keys("G");
    // A long seek takes several frames.
    while clock(&designer).turn < designer.app.editor.time.turns() {
        pass(&mut designer, 1);
    }
    let row = timeline(&designer);
    let row = row.lines().nth(2).unwrap();
    let numbers: Vec<u32> = row
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|n| n.parse().ok())
        .collect();
    assert_eq!(numbers, [0, 50, 100, 150, 200, 250, 300, 350], "{row}");
}

#[test]
fn the_sparkline_matches_the_snapshot() {
    let designer = TestApp::grown(100, 50);
    let area = Rect::new(0, 0, 100, 6);
    let mut buffer = ratatui::buffer::Buffer::empty(area);
    timeline::draw(&designer.app.editor, area, &mut buffer);
    insta::assert_snapshot!(text(&buffer));
}

/// Returns a recording with a memory limit, and the chunks of a run as the generator sends them.
fn engine_run(limit: usize) -> (Recording, Vec<EventChunk>) {
    let mut design = Design::default();
    design.layout.size = Size::new(60, 80);
    for y in (10..80).step_by(10) {
        design.layout.crawlers.push(CrawlerStart {
            at: Point::new(0, y),
            direction: 2,
            ..CrawlerStart::default()
        });
    }
    let valid = design.validate(None).design.unwrap();
    let (mut growth, mut recorder, recording) = Recorder::begin(&valid, Options::default(), limit);
    let mut tracks = Vec::new();
    while !growth.is_finished() {
        for _ in 0..20 {
            growth.turn(&mut recorder);
        }
        tracks.push(recorder.take_turns(&growth));
    }
    tracks.push(recorder.take());
    (recording, tracks)
}

/// Simulates the event loop: advances time and regrows requested events until nothing is pending. Returns the number of
/// requests.
fn finish_seek(state: &mut TimeState) -> u32 {
    let mut regrow_requests = 0;
    for _ in 0..10_000 {
        if state.next_change().is_none() {
            return regrow_requests;
        }
        state.advance(Duration::from_millis(1));
        if let Some(regrow_request) = state.regrow_request() {
            assert_eq!(state.regrow_request(), None, "the request is returned only once");
            state.regrown(regrow_request.run(|| true).unwrap());
            regrow_requests += 1;
        }
    }
    panic!("never comes to rest");
}

#[test]
fn a_recording_past_its_limit_shows_the_same_moments() {
    let mut states = [1 << 30, 2_000].map(|limit| {
        let mut state = TimeState::new(Size::new(60, 80));
        let (recording, tracks) = engine_run(limit);
        state.started(recording);
        for track in tracks {
            state.append(track);
        }
        state.finished();
        state.command(TimeCommand::End);
        finish_seek(&mut state);
        state
    });
    let turns = states[0].turns();
    assert!(states[1].recording().unwrap().regrows());
    let mut regrow_requests = 0;
    for share in [0, 90, 10, 50, 49, 100, 1, 30, 70] {
        for state in &mut states {
            state.seek(turns * share / 100);
            regrow_requests += finish_seek(state);
        }
        let [all, few] = &states;
        assert_eq!(all.clock(), few.clock());
        assert_eq!(all.frame(), few.frame(), "at {share}%");
        assert!(!few.is_regrowing());
    }
    assert!(regrow_requests > 4, "{regrow_requests}");
    // Steps backward and forward, and a search through the whole run.
    for sight in [SearchedEvent::Birth, SearchedEvent::Death, SearchedEvent::Change] {
        for forward in [true, false] {
            let found = states.each_mut().map(|state| {
                state.seek(if forward { 0 } else { turns });
                finish_seek(state);
                state.search(sight, forward, Some(Point::new(30, 40)));
                finish_seek(state);
                (state.take_result(), state.clock().turn)
            });
            assert!(found[0].0.is_some());
            assert_eq!(found[0], found[1]);
        }
    }
    // Reading the origins of tiles regrows dropped events, too.
    let read = states.each_mut().map(|state| {
        state.keep_origins(true);
        finish_seek(state);
        let origins = state.origins().unwrap();
        let grid = state.frame().unwrap().grid().size();
        let all = grid.points();
        all.map(|at| origins.of(at, turns)).collect::<Vec<_>>()
    });
    assert!(read[0].iter().any(Option::is_some));
    assert_eq!(read[0], read[1]);
}

#[test]
fn playback_continues_through_dropped_events() {
    let mut state = TimeState::new(Size::new(60, 80));
    let (recording, tracks) = engine_run(2_000);
    state.started(recording);
    for track in tracks {
        state.append(track);
    }
    state.finished();
    state.seek(0);
    finish_seek(&mut state);
    state.command(TimeCommand::Play);
    let mut moments = Vec::new();
    while state.is_playing() {
        state.advance(Duration::from_millis(33));
        if let Some(regrow_request) = state.regrow_request() {
            assert!(state.is_regrowing());
            state.regrown(regrow_request.run(|| true).unwrap());
        }
        moments.push(state.clock().turn);
        assert!(moments.len() < 10_000);
    }
    assert!(moments.is_sorted());
    assert_eq!(moments.last(), Some(&state.turns()));
}
