//! Recordings: played without the designer, and opened in it.

use std::rc::Rc;

use tempfile::TempDir;

use crate::harness::{ESC, Session, argument, hall, home, is_grown, turn, turns};

/// Writes a recording of a small hall into a home; returns its path.
fn recorded(home: &Rc<TempDir>) -> String {
    let design = hall(home, "");
    let film = home.path().join("hall.wcr");
    let exported = std::process::Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
        .args(["export", argument(&design), "--to", argument(&film)])
        .output()
        .unwrap();
    assert!(exported.status.success(), "{exported:?}");
    // The recording needs no other file.
    std::fs::remove_file(design).unwrap();
    argument(&film).to_owned()
}

#[test]
fn a_recording_is_played_without_the_designer() {
    let home = home();
    let film = recorded(&home);
    let mut session = Session::at_home(&home, 30, 100, &["play", &film, "--speed", "1"]);
    session.wait_for("playback", |screen| {
        screen.contents().contains('▶') && turns(screen).is_some()
    });
    session.press(" ");
    session.wait_for("a pause", |screen| screen.contents().contains('‖'));
    session.press("G");
    session.wait_for("the end", |screen| turn(screen) == turns(screen));
    let last = turns(session.screen()).unwrap();
    session.press(",");
    session.wait_for("a turn back", |screen| turn(screen) == Some(last - 1));
    session.press("g");
    session.wait_for("the start", |screen| turn(screen) == Some(0));
    session.press("..");
    session.wait_for("two turns", |screen| turn(screen) == Some(2));
    // Keys of the designer have no effect.
    session.press("opvR");
    session.press(".");
    session.wait_for("a third turn", |screen| turn(screen) == Some(3));
    session.resize(7, 50);
    session.press(".");
    session.wait_for("a fourth turn on a small screen", |screen| turn(screen) == Some(4));
    session.resize(30, 100);
    session.wait_for_text("hall");
    session.leave();
}

#[test]
fn the_player_warns_of_turns_past_the_end() {
    let home = home();
    let film = recorded(&home);
    for options in [["--at", "99999"], ["--moments", "0,99999:60"]] {
        let arguments = [&["play", &film], &options[..]].concat();
        let mut session = Session::at_home(&home, 30, 100, &arguments);
        session.wait_for("playback", |screen| turns(screen).is_some());
        session.press("q");
        assert_eq!(session.wait_for_end(), 0);
        let left = session.screen().contents();
        assert!(left.contains("turn 99,999 is past the end"), "{left}");
    }
}

/// A recording attached to a bug report may be played in a terminal of any size.
#[test]
fn the_player_has_help_at_any_window_size() {
    let home = home();
    let film = recorded(&home);
    for (rows, cols) in [(30, 100), (8, 30)] {
        let mut session = Session::at_home(&home, rows, cols, &["play", &film, "--at", "3"]);
        session.wait_for("playback, paused", |screen| {
            screen.contents().contains('‖') && turn(screen) == Some(3)
        });
        session.press_for("?", "In the player");
        // Help scrolls to the player's own keys.
        session.press("j");
        session.wait_for("the next line", |screen| {
            !screen.contents().contains("In the player") || rows > 8
        });
        // Other keys have no effect in help.
        session.press("oSR.G");
        session.press_away(ESC, "Help");
        session.wait_for("the same moment", |screen| turn(screen) == Some(3));
        session.press_for("i", "About");
        session.press_away("?", "About");
        session.press_for("#", "Go to");
        session.press("5\r");
        session.wait_for("turn five", |screen| turn(screen) == Some(5));
        session.leave();
    }
}

/// A resize and a key arrive at the same moment: neither may be lost.
#[test]
fn keys_are_not_lost_while_the_window_is_resized() {
    let home = home();
    let film = recorded(&home);
    let mut session = Session::at_home(&home, 30, 100, &["play", &film, "--speed", "1"]);
    session.wait_for("playback", is_grown);
    session.press(" g");
    session.wait_for("the start", |screen| {
        screen.contents().contains('‖') && turn(screen) == Some(0)
    });
    let turns = turns(session.screen()).unwrap();
    for step in 1..=turns.min(80) {
        let (rows, cols) = if step % 2 == 0 { (30, 100) } else { (24, 80) };
        session.resize(rows, cols);
        session.press(".");
        session.wait_for("the next turn", |screen| turn(screen) == Some(step));
    }
    session.leave();
}

#[test]
fn a_design_is_grown_and_played_and_signals_restore_the_terminal() {
    let home = home();
    let design = hall(&home, "");
    for (signal, status) in [("-TERM", 143), ("-HUP", 129), ("-INT", 130)] {
        let mut session = Session::at_home(&home, 24, 80, &["play", argument(&design), "--seconds", "60"]);
        session.wait_for("playback", |screen| turns(screen).is_some());
        session.signal(signal);
        assert_eq!(session.wait_for_end(), status, "{signal}");
    }
}

#[test]
fn a_recording_opens_in_the_designer() {
    let home = home();
    let film = recorded(&home);
    let mut session = Session::at_home(&home, 30, 100, &[&film]);
    session.go_to_the_end();
    session.wait_for_text("hall");
    let last = turns(session.screen());
    // It is an ordinary design: an edit grows it again, and it can be saved.
    session.press("R");
    session.wait_for_text("seed: 3 →");
    session.press("u");
    session.wait_for("playback again", |screen| turns(screen) == last);
    session.press_for("S", "Save as");
    session.press_away(ESC, "Save as");
    session.leave();
}
