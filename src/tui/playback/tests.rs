//! Tests of playback.

use super::passing::FRAME;
use super::*;
use crate::tui::fixture::spiral;

const SIZE: Size = Size::new(40, 60);

/// Returns the state of playback for a finished run of some generations.
fn shown(generations: u32) -> TimeState {
    let mut state = TimeState::new(SIZE);
    receive(&mut state, generations);
    state
}

fn receive(state: &mut TimeState, generations: u32) {
    let (start, prelude, track) = spiral(generations);
    state.started(Recording::new(start, prelude));
    state.append(track);
    state.finished();
}

#[test]
fn playback_keeps_its_speed_and_stops_at_the_end() {
    let mut state = shown(5);
    assert!(state.is_playing());
    state.command(TimeCommand::Play);
    while state.speed() > 10 {
        state.command(TimeCommand::Slower);
    }
    state.command(TimeCommand::Play);
    for _ in 0..10 {
        state.advance(Duration::from_millis(50));
    }
    assert_eq!(state.clock().turn, 5);
    assert!(!state.advance(Duration::from_millis(60)), "no turn is due yet");
    state.advance(Duration::from_secs(100));
    assert_eq!(state.clock().turn, state.turns());
    assert!(!state.is_playing());
    assert_eq!(state.next_change(), None);
    state.command(TimeCommand::Play);
    assert_eq!(state.clock().turn, 0, "playing at the end starts again");
}

#[test]
fn an_undone_edit_leads_back_to_the_turn_that_was_shown_before_it() {
    let mut state = shown(5);
    let short = shown(2).turns();
    let turn = short + 3;
    assert!(turn < state.turns());
    state.seek(turn);
    // The edited dungeon ends before the moment that was shown.
    receive(&mut state, 2);
    assert_eq!((state.turn(), state.turns(), state.has_moved()), (short, short, false));
    receive(&mut state, 5);
    assert_eq!(state.turn(), turn);
    // Who goes to the end of the edited dungeon stays at the end.
    receive(&mut state, 2);
    state.command(TimeCommand::End);
    receive(&mut state, 5);
    assert_eq!(state.turn(), state.turns());
}

#[test]
fn a_script_that_is_paused_while_it_holds_the_end_continues_there() {
    let mut state = shown(5);
    let end = state.turns();
    state.play_script("0,end:1,end:20".parse().unwrap());
    state.advance(Duration::from_secs(2));
    assert!(state.is_playing() && state.clock().turn == end);
    state.command(TimeCommand::Play);
    state.command(TimeCommand::Play);
    assert!(state.is_playing());
    assert_eq!(state.clock().turn, end, "no other moment is shown in between");
    state.advance(Duration::from_secs(2));
    assert!(state.is_playing() && state.clock().turn == end);
    state.advance(Duration::from_secs(18));
    assert!(!state.is_playing());
    state.command(TimeCommand::Play);
    assert_eq!(
        state.clock().turn,
        0,
        "without a script, playing at the end starts again"
    );
}

#[test]
fn playback_waits_at_the_end_of_an_unfinished_recording() {
    let mut state = TimeState::new(SIZE);
    let (start, prelude, track) = spiral(5);
    state.started(Recording::new(start, prelude));
    assert!(!state.advance(Duration::from_secs(5)));
    assert_eq!(state.next_change(), None);
    assert!(state.is_playing());
    state.append(track);
    state.advance(Duration::from_millis(20));
    assert!(
        (1..5).contains(&state.clock().turn),
        "time spent waiting does not count: {:?}",
        state.clock()
    );
}

#[test]
fn steps_go_forward_and_back() {
    for unit in [TimeUnit::Turn, TimeUnit::Iteration, TimeUnit::Generation] {
        let mut state = shown(5);
        state.command(TimeCommand::Start);
        let mut moments = vec![state.clock()];
        loop {
            state.command(TimeCommand::Forward(unit));
            if moments.last() == Some(&state.clock()) {
                break;
            }
            moments.push(state.clock());
        }
        assert_eq!(
            moments.len(),
            if unit == TimeUnit::Generation { 6 } else { 36 },
            "{unit:?}"
        );
        for moment in moments.iter().rev().skip(1) {
            state.command(TimeCommand::Back(unit));
            assert_eq!(state.clock(), *moment, "{unit:?}");
        }
    }
}

#[test]
fn a_new_run_is_shown_at_the_end_when_the_old_one_was() {
    let mut state = shown(5);
    state.command(TimeCommand::End);
    let (start, prelude, track) = spiral(7);
    state.started(Recording::new(start, prelude));
    state.append(track);
    assert_eq!(state.turns(), 35, "the old run stays until the new one is grown");
    assert!(!state.advance(Duration::from_millis(10)));
    state.finished();
    assert_eq!((state.clock().turn, state.turns()), (49, 49));
}

#[test]
fn a_new_run_is_shown_at_the_same_moment() {
    let mut state = shown(5);
    state.seek(23);
    let before = state.clock();
    receive(&mut state, 4);
    assert_eq!(state.turns(), 28);
    assert_eq!(state.clock(), before);
    assert!(!state.is_playing());
    receive(&mut state, 2);
    assert_eq!(state.clock().turn, 14, "as near as the shorter run allows");
}

#[test]
fn a_slow_run_is_shown_after_a_while() {
    let mut state = shown(5);
    state.command(TimeCommand::End);
    let (start, prelude, track) = spiral(3);
    state.started(Recording::new(start, prelude));
    let wait = state.next_change().unwrap();
    assert!(state.advance(wait));
    assert_eq!(state.turns(), 0);
    state.append(track);
    assert_eq!(state.clock().turn, 21, "it follows growth to the end");
    state.command(TimeCommand::Play);
    state.finished();
    assert!(!state.is_playing());
}

#[test]
fn playback_continues_in_the_new_run() {
    let mut state = shown(5);
    state.advance(Duration::from_millis(100));
    let before = state.clock();
    receive(&mut state, 6);
    assert_eq!(state.clock(), before);
    assert!(state.is_playing());
    assert!(state.advance(Duration::from_millis(100)));
}

#[test]
fn origins_are_read_over_time_and_kept_for_the_next_run() {
    let mut state = shown(5);
    state.command(TimeCommand::End);
    assert!(state.origins().is_none(), "no request");
    state.keep_origins(true);
    assert_eq!(
        state.origins().map(TileOrigins::read),
        Some(35),
        "recorded turns are read at once"
    );
    let (start, prelude, track) = spiral(6);
    state.started(Recording::new(start, prelude));
    state.show_coming();
    assert_eq!(state.origins().map(TileOrigins::read), Some(0));
    state.append(track);
    assert!(
        state.next_change().is_some_and(|wait| wait < FRAME),
        "there is more to read"
    );
    assert!(state.advance(Duration::ZERO));
    assert_eq!(state.origins().map(TileOrigins::read), Some(42));
    assert_eq!(state.next_change(), None);
    state.keep_origins(false);
    assert!(state.origins().is_none());
}

#[test]
fn edits_in_quick_succession_keep_the_place() {
    let mut state = shown(5);
    state.seek(23);
    let before = state.clock();
    for _ in 0..3 {
        let (start, prelude, _) = spiral(5);
        state.started(Recording::new(start, prelude));
    }
    receive(&mut state, 5);
    assert_eq!(state.clock(), before);
}
