//! Tests of the whole designer: they send keys, mouse events and messages, and check the screens.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::*;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use super::fixture::{TestApp, drawn_at_any_size, spiral};
use crate::background::{GrowthReply, JobError, JobReply, Message};
use crate::engine::Grid;
use crate::geometry::Size;
use crate::recording::EventChunk;
use crate::tui::editor::Focus;
use crate::tui::keymap::{self, Context};

#[test]
fn whole_screens() {
    for (width, height) in [(80, 24), (120, 40), (200, 60), (60, 16), (40, 12), (39, 12), (12, 3)] {
        let mut designer = TestApp::grown(width, height);
        insta::assert_snapshot!(format!("grown_{width}x{height}"), designer.text());
        designer.keys("\t");
        insta::assert_snapshot!(format!("panel_{width}x{height}"), designer.text());
    }
}

#[test]
fn the_app_starts_with_growth() {
    let mut designer = TestApp::new(80, 24);
    insta::assert_snapshot!("before_the_first_run", designer.text());
    designer.receive_run(spiral(5));
    assert!(designer.app.next_change().is_some(), "it plays by itself");
    designer.app.advance(Duration::from_millis(200));
    insta::assert_snapshot!("a_moment_later", designer.text());
}

#[test]
fn the_map_can_have_the_whole_width() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys("m");
    insta::assert_snapshot!(designer.text());
    assert!(designer.app.editor.areas.panel.is_empty());
    designer.keys("\t");
    assert!(
        !designer.app.editor.areas.panel.is_empty(),
        "a panel that has the focus is shown"
    );
    designer.press(KeyCode::Esc);
    designer.keys("m");
    assert!(!designer.app.editor.areas.panel.is_empty());
}

#[test]
fn zooms() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys("++");
    for level in ["full_blocks", "half_blocks", "4_2", "8_4"] {
        insta::assert_snapshot!(format!("zoom_{level}"), designer.text());
        designer.keys("-");
    }
}

#[test]
fn help_shows_every_key() {
    let mut designer = TestApp::grown(80, 1200);
    designer.keys("?");
    // Help texts may be wrapped, but not within their first words.
    let text = designer.text();
    // The player has its own help.
    for binding in keymap::table().filter(|row| row.context != Context::Player) {
        let words: Vec<&str> = binding.help.split(' ').take(3).collect();
        let description = text
            .lines()
            .any(|line| line.contains(&designer.app.editor.keymap.text(binding)) && line.contains(&words.join(" ")));
        assert!(description, "{} is missing", binding.name);
    }
    designer.press(KeyCode::Esc);
    assert!(designer.app.dialogs.open.is_none());
}

#[test]
fn help_begins_with_five_keys_and_what_is_in_focus() {
    for (keys, title) in [("", "On the map"), ("\t", "Stats"), ("\t\t", "Legend")] {
        let mut designer = TestApp::grown(120, 40);
        designer.keys(keys);
        designer.keys("?");
        let text = designer.text();
        let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let help: Vec<char> = "╭ Help".chars().collect();
        let place = |line: &Vec<char>| line.windows(help.len()).position(|part| part == help);
        let left = lines.iter().find_map(place).expect("help is open") + 1;
        let lines = lines.iter().skip_while(|line| place(line).is_none()).skip(1);
        // Headings are indented by one space, the lines below them by more than one.
        let headings = lines.filter(|line| line[left] == ' ' && !" ".contains(line[left + 1]));
        let headings: Vec<String> = headings.map(|line| line[left..].iter().collect()).collect();
        assert!(headings[0].contains("The five most useful keys"), "{headings:?}");
        assert!(headings[1].contains(title), "{headings:?}");
        insta::assert_snapshot!(format!("help_of_{}", title.to_lowercase().replace(' ', "_")), text);
    }
}

#[test]
fn builders_replace_the_style_of_their_square() {
    let mut designer = TestApp::grown(120, 40);
    // Shows a moment in which generation 2 is awake and generation 3 is asleep, at a zoom that shows both.
    designer.app.editor.time.seek(20);
    designer.keys("++");
    let screen = designer.screen();
    let arrows: Vec<_> = screen
        .content()
        .iter()
        .filter(|cell| "▲▶▼◀".contains(cell.symbol()))
        .collect();
    assert!(!arrows.is_empty());
    for arrow in arrows {
        assert!(!arrow.modifier.contains(Modifier::DIM), "{arrow:?}");
    }
}

#[test]
fn without_colours_generations_are_digits() {
    let mut designer = TestApp::grown(120, 40);
    designer.app.editor.theme = super::Theme::new(super::Depth::None);
    designer.keys("+++");
    insta::assert_snapshot!(designer.text());
    for cell in designer.screen().content() {
        assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset), "{cell:?}");
    }
}

#[test]
fn views_show_the_growth() {
    for (width, height) in [(80, 24), (120, 40), (200, 60), (40, 12)] {
        let mut designer = TestApp::grown(width, height);
        designer.app.editor.time.seek(20);
        for (key, name) in [('7', "inspect"), ('8', "events"), ('9', "plots")] {
            designer.chord(KeyModifiers::ALT, key);
            insta::assert_snapshot!(format!("{name}_{width}x{height}"), designer.text());
        }
    }
}

#[test]
fn views_stay_inside_their_area() {
    let mut designer = TestApp::grown(80, 24);
    for key in ['6', '7', '8', '9'] {
        designer.chord(KeyModifiers::ALT, key);
        drawn_at_any_size(|area, buf| super::screen::draw_view(&designer.app, area, buf), (48, 12));
    }
}

#[test]
fn idle_costs_nothing() {
    let mut designer = TestApp::grown(80, 24);
    assert_eq!(designer.app.next_change(), None);
    designer.app.drawn();
    designer.app.advance(Duration::from_secs(59));
    assert!(!designer.app.is_stale());
    designer.keys("x");
    assert!(designer.app.is_urgent());
}

#[test]
fn messages_of_older_runs_are_dropped() {
    let mut designer = TestApp::grown(80, 24);
    let old = designer.run();
    designer.keys("R");
    assert_ne!(designer.run(), old);
    let before = designer.text();
    let chunk = GrowthReply::Grown(EventChunk::default());
    designer.send(Message::Reply(old.clone(), JobReply::Growth(Ok(chunk))));
    let error = JobError::Panicked("old".into());
    designer.send(Message::Reply(old, JobReply::Growth(Err(error))));
    assert_eq!(designer.text(), before);
}

#[test]
fn a_failed_growth_is_reported() {
    let mut designer = TestApp::grown(120, 40);
    let run = designer.run();
    let error = JobError::Panicked("index out of bounds".into());
    designer.send(Message::Reply(run, JobReply::Growth(Err(error))));
    assert!(designer.text().contains("index out of bounds"));
}

#[test]
fn signals_end_the_designer_with_their_status() {
    let mut designer = TestApp::grown(80, 24);
    designer.send(Message::Signal(15));
    assert_eq!(designer.quit, Some(143));
}

#[test]
fn every_part_stays_inside_its_area_at_any_size() {
    type Part = fn(&super::App, Rect, &mut Buffer);
    let parts: [(&str, Part); 7] = [
        ("map", |app, area, buf| {
            super::screen::draw_map(app, area, app.editor.areas.view.is_empty(), buf);
        }),
        ("legend", super::screen::draw_legend),
        ("time", |app: &super::App, area, buf: &mut _| {
            super::time::draw(&app.editor, area, buf);
        }),
        ("foot", |app, area, buf| {
            super::screen::draw_footer(app, area, area, buf);
        }),
        ("panels", super::screen::draw_panel),
        ("screen", super::screen::draw),
        ("help", super::App::draw_dialog),
    ];
    let mut designer = TestApp::grown(80, 24);
    for (name, part) in parts {
        if name == "help" {
            designer.keys("?");
        }
        let shown = drawn_at_any_size(|area, buf| part(&designer.app, area, buf), (60, 20));
        insta::assert_snapshot!(format!("part_{name}"), shown);
    }
}

#[test]
fn clicks_set_the_cursor_and_seek_and_focus() {
    let mut designer = TestApp::grown(80, 24);
    let areas = designer.app.editor.areas;
    designer.keys("+");
    designer.click(areas.map.x + 1, areas.map.y + 1);
    let top_left = designer.app.editor.map.cursor();
    designer.click(areas.map.x + 4, areas.map.y + 3);
    let there = designer.app.editor.map.cursor();
    assert_eq!(
        (there.x - top_left.x, there.y - top_left.y),
        (4, 3),
        "each square takes half a character"
    );

    designer.click(areas.time.x + areas.time.width / 2, areas.time.y + 2);
    let middle = designer.app.editor.time.clock().turn;
    assert!((16..=19).contains(&middle), "{middle}");
    let down = MouseEventKind::Down(MouseButton::Left);
    designer.mouse(down, areas.time.x + 2, areas.time.y + 2);
    designer.mouse(MouseEventKind::Drag(MouseButton::Left), 79, 0);
    assert_eq!(
        designer.app.editor.time.clock().turn,
        designer.app.editor.time.turns(),
        "a drag continues outside the bar"
    );
    designer.mouse(MouseEventKind::Up(MouseButton::Left), 79, 0);

    designer.click(areas.panel.x + 8, areas.panel.y);
    assert_eq!(designer.app.editor.panel, super::tabs::Panel::Rooms);
    assert_eq!(designer.app.editor.focus, Focus::Panel);
    designer.press(KeyCode::Esc);
    assert_eq!(designer.app.editor.focus, Focus::Map);
}

#[test]
fn dragging_scrolls_the_map_with_the_pointer() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys("+++");
    let before = designer.text();
    let start = (20, 10);
    designer.mouse(MouseEventKind::Down(MouseButton::Left), start.0, start.1);
    let held = designer.app.editor.map.cursor();
    designer.mouse(MouseEventKind::Drag(MouseButton::Left), start.0 + 6, start.1 - 3);
    assert_ne!(designer.text(), before);
    designer.mouse(MouseEventKind::Up(MouseButton::Left), start.0 + 6, start.1 - 3);
    designer.click(start.0 + 6, start.1 - 3);
    assert_eq!(
        designer.app.editor.map.cursor(),
        held,
        "the square stayed under the pointer"
    );
}

#[test]
fn the_wheel_zooms_where_the_pointer_is() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys("++");
    designer.click(10, 5);
    let square = designer.app.editor.map.cursor();
    designer.mouse(MouseEventKind::ScrollUp, 10, 5);
    designer.click(10, 5);
    let after = designer.app.editor.map.cursor();
    assert!(
        (square.x - after.x).abs() <= 1 && (square.y - after.y).abs() <= 1,
        "{square} {after}"
    );
}

fn any_event() -> impl Strategy<Value = Event> {
    let code = prop_oneof![
        4 => any::<char>().prop_map(KeyCode::Char),
        8 => proptest::char::range(' ', '~').prop_map(KeyCode::Char),
        4 => proptest::sample::select(vec![
            KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right, KeyCode::Tab, KeyCode::BackTab,
            KeyCode::Enter, KeyCode::Esc, KeyCode::Home, KeyCode::End, KeyCode::PageUp, KeyCode::PageDown,
            KeyCode::Delete, KeyCode::Backspace, KeyCode::Insert, KeyCode::F(1), KeyCode::F(8), KeyCode::Null,
        ]),
    ];
    let modifiers = proptest::sample::select(vec![
        KeyModifiers::NONE,
        KeyModifiers::NONE,
        KeyModifiers::SHIFT,
        KeyModifiers::CONTROL,
        KeyModifiers::ALT,
    ]);
    let key = (code, modifiers).prop_map(|(code, modifiers)| Event::Key(KeyEvent::new(code, modifiers)));
    let button = proptest::sample::select(vec![MouseButton::Left, MouseButton::Right]);
    let kind = (button, 0..7).prop_map(|(button, kind)| match kind {
        0 | 1 => MouseEventKind::Down(button),
        2 => MouseEventKind::Up(button),
        3 => MouseEventKind::Drag(button),
        4 => MouseEventKind::ScrollUp,
        5 => MouseEventKind::ScrollDown,
        _ => MouseEventKind::Moved,
    });
    let mouse = (kind, 0..310u16, 0..310u16).prop_map(|(kind, column, row)| {
        Event::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        })
    });
    prop_oneof![
        8 => key,
        4 => mouse,
        2 => (0..=300u16, 0..=300u16).prop_map(|(width, height)| Event::Resize(width, height)),
        1 => any::<String>().prop_map(Event::Paste),
    ]
}

/// A step of a session.
#[derive(Debug, Clone)]
enum Step {
    /// An input event, and the milliseconds that pass after it.
    Input(Event, u64),
    /// The last run delivers a spiral: its number of generations, and the maximum number of messages.
    Run(u32, u8),
    /// The last run delivers a dungeon of this size in which nothing grows.
    Empty(i32, i32),
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (any_event(), 0..400u64).prop_map(|(event, millis)| Step::Input(event, millis)),
        1 => (0..12u32, 1..4u8).prop_map(|(generations, messages)| Step::Run(generations, messages)),
        1 => (20..400i32, 20..400i32).prop_map(|(x, y)| Step::Empty(x, y)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn nothing_that_is_typed_clicked_or_resized_panics(
        first in 0..4u8,
        steps in proptest::collection::vec(any_step(), 1..60),
    ) {
        let mut designer = TestApp::new(80, 24);
        designer.hold(&["exporter"]);
        if first > 0 {
            designer.receive_part(spiral(5), first);
        }
        for step in steps {
            let mut seldom = false;
            // An accepted form would read or write the random path that was typed.
            let form = matches!(designer.app.dialogs.open, Some(super::dialog::Dialog::Form(_)));
            match step {
                Step::Input(Event::Key(key), _) if form && key.code == KeyCode::Enter => {}
                Step::Input(Event::Mouse(_), _) if form => {}
                Step::Input(event, millis) => {
                    designer.send(Message::Input(event));
                    designer.app.advance(Duration::from_millis(millis));
                    seldom = millis % 8 != 0;
                }
                Step::Run(generations, messages) => designer.receive_part(spiral(generations), messages),
                Step::Empty(x, y) => {
                    let nothing = (Grid::new(Size::new(x, y)), EventChunk::default(), EventChunk::default());
                    designer.receive_part(nothing, 3);
                }
            }
            prop_assert!(designer.app.editor.time.clock().turn <= designer.app.editor.time.turns());
            // Large screens are drawn only occasionally, because drawing them takes most of the test's time.
            if designer.app.editor.screen.area() < 9_000 || !seldom {
                designer.screen();
            }
        }
        designer.screen();
    }
}
