//! Tests of the player: its keys, its layout, and that no key edits the design.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::*;
use crate::background::{GrowthReply, JobReply, Message};
use crate::design::ValidDesign;
use crate::engine::Options;
use crate::presets::Preset;
use crate::recording::Recording;
use crate::tui::fixture::{drawn_at_any_size, text};
use crate::tui::keymap::Context;

fn design() -> ValidDesign {
    Preset::find("ammonite")
        .unwrap()
        .design()
        .validate(None)
        .design
        .unwrap()
}

fn recording_file() -> RecordingFile {
    let design = design();
    let (mut growth, mut recording) = Recording::begin(&design, Options::default());
    growth.finish(&mut recording);
    recording.count();
    recording.finish();
    RecordingFile {
        program: "0.0.9".into(),
        design,
        diagnostics: Vec::new(),
        options: Options::default(),
        sources: Vec::new(),
        recording,
    }
}

pub(in crate::tui) fn player(width: u16, height: u16) -> App {
    let document = Document::recorded(recording_file(), Some(std::path::Path::new("film.wcr")), None);
    App::player(
        document,
        &PlaybackStart::default(),
        usize::MAX,
        Theme::new(Depth::True),
        width,
        height,
    )
    .0
}

fn press(app: &mut App, keys: &str) -> Vec<Effect> {
    let code = |c| match c {
        '\u{1b}' => KeyCode::Esc,
        '\n' => KeyCode::Enter,
        c => KeyCode::Char(c),
    };
    let key = |c| Event::Key(KeyEvent::new(code(c), KeyModifiers::NONE));
    let effects = keys.chars().flat_map(|c| app.handle(Message::Input(key(c))));
    effects.collect()
}

fn screen(app: &App) -> String {
    let mut buffer = Buffer::empty(app.editor.screen);
    app.draw(app.editor.screen, &mut buffer);
    text(&buffer)
}

#[test]
fn the_player_plays_with_the_keys_of_the_designer() {
    let mut app = player(80, 24);
    assert!(app.editor.time.is_playing());
    let last = app.editor.time.turns();
    app.editor.time.run_at(100.0);
    for _ in 0..10 {
        app.advance(Duration::from_millis(100));
    }
    assert!(
        (95..=100).contains(&app.editor.time.turn()),
        "{}",
        app.editor.time.turn()
    );
    press(&mut app, " ");
    assert!(!app.editor.time.is_playing());
    for (keys, turn) in [("G", last), (",", last - 1), (".", last), ("g", 0), ("...,", 2)] {
        press(&mut app, keys);
        while app.next_change() == Some(Duration::ZERO) {
            app.advance(Duration::ZERO);
        }
        assert_eq!(app.editor.time.turn(), turn, "{keys}");
    }
    press(&mut app, "}");
    assert_eq!(app.editor.time.clock().generation(), 1);
    // A custom speed steps to the next preset.
    assert_eq!(app.editor.time.speed(), 100);
    app.editor.time.run_at(123.4);
    press(&mut app, "]");
    assert_eq!(app.editor.time.speed(), 200);
    app.editor.time.run_at(123.4);
    press(&mut app, "[");
    assert_eq!(app.editor.time.speed(), 100);
    assert_eq!(press(&mut app, "q"), [Effect::Quit(0)]);
}

#[test]
fn the_speed_shown_is_the_speed_played() {
    let mut app = player(120, 30);
    app.editor.time.run_at(0.3);
    assert!(screen(&app).contains("0.3 turns a second"), "{}", screen(&app));
    let speed = app.editor.time.speed();
    app.editor.time.play_script("100,200:60".parse().unwrap());
    assert!(screen(&app).contains("script of moments"), "{}", screen(&app));
    assert!(!screen(&app).contains("a second"), "{}", screen(&app));
    // The keys of the speed have no effect on a script, and say so.
    press(&mut app, "]");
    assert_eq!(app.editor.time.speed(), speed);
    assert!(
        screen(&app).contains("the script of moments sets the speed"),
        "{}",
        screen(&app)
    );
    press(&mut app, ",");
    assert!(screen(&app).contains("0.3 turns a second"), "{}", screen(&app));
}

#[test]
fn nothing_is_edited_opened_or_grown() {
    let mut app = player(100, 30);
    let before = app.editor.document.design().clone();
    let all: String = ('!'..='~').filter(|c| *c != 'q').collect();
    // An open help or seek dialog would receive the keys that follow, so Esc closes it after each key.
    let effects: Vec<Effect> = all
        .chars()
        .flat_map(|c| press(&mut app, &format!("{c}\u{1b}")))
        .collect();
    let harmless = |effect: &Effect| matches!(effect, Effect::Suspend);
    assert!(effects.iter().all(harmless), "{effects:?}");
    assert!(app.dialogs.open.is_none() && !app.screens.gallery.is_open() && !app.screens.vaults.is_open());
    assert_eq!(*app.editor.document.design(), before);
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
    assert_eq!(*app.editor.document.design(), before);
    // The wheel on the timeline steps, a click seeks.
    assert!(app.editor.time.turn() > 0);
}

/// Advances time until no search is in progress and playback is paused.
fn finish_seek(app: &mut App) {
    app.before_frame();
    while app.next_change().is_some_and(|left| left <= Duration::from_millis(1)) {
        app.advance(Duration::ZERO);
    }
}

#[test]
fn help_shows_every_key_of_the_player_and_no_other() {
    for (width, height) in [(100, 200), (30, 8)] {
        let mut app = player(width, height);
        press(&mut app, " ?");
        let mut seen = String::new();
        // Scrolls to the end, line by line.
        for _ in 0..400 {
            seen.push_str(&screen(&app));
            press(&mut app, "j");
        }
        let seen: String = seen.split_whitespace().collect();
        let (mut description, mut kept_back) = (0, 0);
        for row in keymap::table() {
            let first_word = row.help.split_whitespace().take(2).collect::<String>();
            if app.editor.keymap.keys(row).is_empty() {
                continue;
            }
            let plays = matches!(row.context, Context::Player | Context::Map | Context::Everywhere);
            if plays && has(row, &app.editor.keymap) {
                assert!(seen.contains(&first_word), "{}: {seen}", row.name);
                description += 1;
            } else if plays && width > 60 {
                let help: String = row.help.split_whitespace().collect();
                kept_back += u32::from(!seen.contains(&help));
            }
        }
        assert!(description > 40, "{description}");
        assert!(width < 60 || kept_back > 20, "{kept_back}");
        let text = screen(&app);
        assert!(text.contains("Esc"), "{text}");
        // The help ignores other keys, and playback stays where it is.
        let turn = app.editor.time.turn();
        press(&mut app, "oSpRx.G:");
        assert_eq!(screen(&app), text);
        press(&mut app, "?");
        assert!(app.dialogs.open.is_none() && app.editor.time.turn() == turn);
        press(&mut app, "?\u{1b}.");
        assert_eq!(app.editor.time.turn(), turn + 1);
    }
}

#[test]
fn the_footer_begins_with_quit_and_help() {
    let app = player(30, 8);
    let text = screen(&app);
    assert!(text.contains(" q quit  ? help  Space play"), "{text}");
}

#[test]
fn births_and_deaths_are_found_wherever_they_are() {
    let mut app = player(100, 30);
    press(&mut app, " g");
    finish_seek(&mut app);
    let mut turns = vec![app.editor.time.turn()];
    for key in "ssddSD".chars() {
        press(&mut app, &key.to_string());
        finish_seek(&mut app);
        let event = app
            .editor
            .status
            .notice
            .clone()
            .map(|(_, text)| text)
            .unwrap_or_default();
        let what = if key.eq_ignore_ascii_case(&'s') {
            "is born"
        } else {
            "dies"
        };
        assert!(event.contains(what) || event.contains("joins a wall"), "{key}: {event}");
        let at = app.editor.map.cursor();
        assert!(
            event.contains(&format!("row {}, column {}", at.x, at.y)),
            "the cursor is there: {event}"
        );
        turns.push(app.editor.time.turn());
    }
    assert!(
        turns[..5].is_sorted() && turns[4] > turns[5] && turns[5] > turns[6],
        "{turns:?}"
    );
    press(&mut app, "gD");
    finish_seek(&mut app);
    assert!(screen(&app).contains("no death before this moment"), "{}", screen(&app));
}

#[test]
fn a_moment_is_typed() {
    let mut app = player(40, 12);
    press(&mut app, "#i 3\n");
    finish_seek(&mut app);
    let recording = app.editor.time.recording().unwrap();
    assert_eq!(app.editor.time.turn(), recording.turn_of_iteration(3));
    assert!(app.dialogs.open.is_none() && !app.editor.time.is_playing());
}

#[test]
fn the_player_reports_facts_and_whether_the_recording_is_reproduced() {
    let mut app = player(100, 30);
    assert!(
        screen(&app).contains("Ammonite · seed 38 · 60 × 60"),
        "{}",
        screen(&app)
    );
    press(&mut app, "i");
    let text = screen(&app);
    assert!(text.contains("Wallcrawler 0.0.9; you are running"), "{text}");
    assert!(
        text.contains("checking whether") && text.contains("474 turns"),
        "{text}"
    );
    let design = crate::design::Design::default().validate(None).design.unwrap();
    app.editor.grow(design);
    app.finish(Vec::new());
    let run = app.editor.jobs.run.as_ref().unwrap().ticket();
    let again = crate::recording_file::ReproductionCheck::Same;
    app.handle(Message::Reply(
        run.clone(),
        JobReply::Growth(Ok(GrowthReply::Reproduced(again))),
    ));
    press(&mut app, "\u{1b}i");
    assert!(
        screen(&app).contains("this program grows the same dungeon"),
        "{}",
        screen(&app)
    );
    assert_eq!(app.editor.status.alert, None);
    // Another program version might grow another dungeon.
    let again = crate::recording_file::ReproductionCheck::Another(17);
    app.handle(Message::Reply(
        run.clone(),
        JobReply::Growth(Ok(GrowthReply::Reproduced(again))),
    ));
    press(&mut app, "\u{1b}");
    let text = screen(&app);
    assert!(
        text.contains("grows a different dungeon") && text.contains("turn 17"),
        "{text}"
    );
    press(&mut app, "\u{1b}");
    assert_eq!(app.editor.status.alert, None, "it is dismissed");
}

#[test]
fn the_wall_under_the_cursor_is_described() {
    let mut app = player(120, 40);
    press(&mut app, "G");
    finish_seek(&mut app);
    let origins = app.editor.time.origins().unwrap();
    let size = app.editor.map.cursor();
    let mut squares = (0..size.x * 2).flat_map(|x| (0..size.y * 2).map(move |y| crate::geometry::Point::new(x, y)));
    let (at, origin) = squares
        .find_map(|at| Some((at, origins.of(at, app.editor.time.turn())?)))
        .unwrap();
    app.editor.show_square(at);
    let text = screen(&app);
    assert!(text.contains(&format!("in turn {}", origin.turn)), "{text}");
    press(&mut app, "\n");
    let text = screen(&app);
    let asked = format!(
        "run wallcrawler film.wcr, go to turn {} with #, then press Enter on",
        origin.turn
    );
    assert!(text.contains(&asked), "{text}");
}

#[test]
fn playback_can_start_at_a_moment() {
    let document = Document::recorded(recording_file(), None, None);
    let begin = PlaybackStart {
        at: Some(7),
        ..PlaybackStart::default()
    };
    let (app, _) = App::player(document, &begin, usize::MAX, Theme::new(Depth::True), 80, 24);
    assert_eq!(app.editor.time.turn(), 7);
    assert!(!app.editor.time.is_playing());
}

#[test]
fn a_script_of_moments_is_played_until_a_key_ends_it() {
    let player = || {
        let document = Document::recorded(recording_file(), None, None);
        let begin = PlaybackStart {
            moments: Some("4, 4:1, 10:2, end:3".parse().unwrap()),
            ..PlaybackStart::default()
        };
        App::player(document, &begin, usize::MAX, Theme::new(Depth::True), 80, 24).0
    };
    let mut app = player();
    let last = app.editor.time.turns();
    assert!(last > 12);
    let mut turns = vec![app.editor.time.turn()];
    for _ in 0..60 {
        app.advance(Duration::from_millis(100));
        turns.push(app.editor.time.turn());
    }
    assert_eq!(
        [turns[0], turns[10], turns[20], turns[30], turns[60]],
        [4, 4, 7, 10, last]
    );
    assert!(!app.editor.time.is_playing());
    // Space pauses the script; any other playback key ends it.
    let mut app = player();
    app.advance(Duration::from_secs(2));
    assert_eq!(app.editor.time.turn(), 7);
    press(&mut app, " ");
    app.advance(Duration::from_secs(9));
    assert_eq!(app.editor.time.turn(), 7);
    press(&mut app, " ");
    app.advance(Duration::from_secs(1));
    assert_eq!(app.editor.time.turn(), 10);
    press(&mut app, ",");
    app.advance(Duration::from_secs(1));
    assert_eq!((app.editor.time.turn(), app.editor.time.is_playing()), (9, false));
}

#[test]
fn the_player_is_drawn_at_any_size() {
    let mut app = player(80, 24);
    app.editor.time.seek(app.editor.time.turns() / 2);
    insta::assert_snapshot!("played", screen(&app));
    app.handle(Message::Input(Event::Resize(40, 7)));
    insta::assert_snapshot!("played_small", screen(&app));
    drawn_at_any_size(|area, buf| app.draw_player(area, buf), (80, 24));
}

#[test]
fn playback_starts_when_the_followed_builder_wakes() {
    let file = recording_file();
    let id = BuilderId(2);
    let path = file.recording.path_of(id).unwrap();
    assert!(path.from > 0);
    let document = Document::recorded(file, None, None);
    let begin = PlaybackStart {
        speed: Some(100.0),
        follow: Some(id),
        ..PlaybackStart::default()
    };
    let (mut app, _) = App::player(document, &begin, usize::MAX, Theme::new(Depth::True), 60, 20);
    for _ in 0..20 {
        app.advance(Duration::from_millis(50));
        app.before_frame();
        let turn = app.editor.time.turn();
        assert!(turn >= path.from, "{turn}");
        assert_eq!(app.views.followed(), Some(id));
        assert_eq!(app.editor.map.cursor(), path.at(turn), "after {turn} turns");
    }
    assert!(app.editor.time.is_playing() && app.editor.time.turn() > path.from);
    // F stops following, and B goes to another Builder.
    press(&mut app, "F");
    assert_eq!(app.views.followed(), None);
    press(&mut app, "B");
    let at = app.editor.map.cursor();
    let frame = app.editor.time.frame().unwrap();
    assert!(frame.living().any(|(_, builder)| builder.at == at));
}
