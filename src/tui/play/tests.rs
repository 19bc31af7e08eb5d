//! A recording in the player: keys, places, and nothing that edits.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::*;
use crate::design::ValidDesign;
use crate::engine::Growth;
use crate::presets::Preset;
use crate::recording::{Recording, Track};
use crate::tui::fixture::{drawn_at_any_size, text};
use crate::worker::Message;

fn design() -> ValidDesign {
    Preset::find("ammonite")
        .unwrap()
        .design()
        .validate(None)
        .design
        .unwrap()
}

fn player(width: u16, height: u16) -> App {
    let design = design();
    let mut prelude = Track::default();
    let mut growth = Growth::new(&design, Options::default(), &mut prelude);
    let mut recording = Recording::new(growth.grid().clone(), prelude);
    growth.finish(&mut recording);
    recording.count();
    recording.finish();
    let reel = Reel {
        program: "0.1.0".into(),
        design,
        diagnostics: Vec::new(),
        options: Options::default(),
        sources: Vec::new(),
        recording,
    };
    let document = Document::recorded(reel, None, None);
    App::player(document, usize::MAX, Theme::new(Depth::True), width, height)
}

fn press(app: &mut App, keys: &str) -> Vec<Effect> {
    let key = |c| Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE));
    let effects = keys.chars().flat_map(|c| app.handle(Message::Input(key(c))));
    effects.collect()
}

fn screen(app: &App) -> String {
    let mut buffer = Buffer::empty(app.screen);
    app.draw(app.screen, &mut buffer);
    text(&buffer)
}

#[test]
fn it_plays_and_the_keys_are_those_of_the_designer() {
    let mut app = player(80, 24);
    assert!(app.time.is_playing());
    let last = app.time.turns();
    app.time.run_at(100.0);
    for _ in 0..10 {
        app.advance(Duration::from_millis(100));
    }
    assert!((95..=100).contains(&app.time.turn()), "{}", app.time.turn());
    press(&mut app, " ");
    assert!(!app.time.is_playing());
    for (keys, turn) in [("G", last), (",", last - 1), (".", last), ("g", 0), ("...,", 2)] {
        press(&mut app, keys);
        while app.next_change() == Some(Duration::ZERO) {
            app.advance(Duration::ZERO);
        }
        assert_eq!(app.time.turn(), turn, "{keys}");
    }
    press(&mut app, "}");
    assert_eq!(app.time.clock().generation(), 1);
    // From a speed of its own to the next that the designer has.
    assert_eq!(app.time.speed(), 100);
    app.time.run_at(123.4);
    press(&mut app, "]");
    assert_eq!(app.time.speed(), 200);
    app.time.run_at(123.4);
    press(&mut app, "[");
    assert_eq!(app.time.speed(), 100);
    assert_eq!(press(&mut app, "q"), [Effect::Quit(0)]);
}

#[test]
fn nothing_is_edited_opened_or_grown() {
    let mut app = player(100, 30);
    let before = app.document.design().clone();
    let all: String = ('!'..='~').filter(|c| *c != 'q').collect();
    let effects = press(&mut app, &all);
    let harmless = |effect: &Effect| matches!(effect, Effect::Suspend);
    assert!(effects.iter().all(harmless), "{effects:?}");
    assert!(app.dialog.is_none() && !app.gallery.is_open() && !app.vaults.is_open());
    assert_eq!(*app.document.design(), before);
    for kind in [
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
        MouseEventKind::ScrollUp,
    ] {
        for row in 0..30 {
            let mouse = MouseEvent {
                kind,
                column: 50,
                row,
                modifiers: KeyModifiers::NONE,
            };
            app.handle(Message::Input(Event::Mouse(mouse)));
        }
    }
    assert_eq!(*app.document.design(), before);
    // The wheel on the timeline steps, a click goes there.
    assert!(app.time.turn() > 0);
}

#[test]
fn it_is_drawn_at_any_size() {
    let mut app = player(80, 24);
    app.time.seek(app.time.turns() / 2);
    insta::assert_snapshot!("played", screen(&app));
    app.handle(Message::Input(Event::Resize(40, 7)));
    insta::assert_snapshot!("played_small", screen(&app));
    drawn_at_any_size(|area, buf| draw(&app, area, buf), (80, 24));
}
