//! Tests of colours, hiding, the minimap and the legend on the real screen.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::{Margin, Rect};
use ratatui::style::Color;

use super::colours::rows;
use super::scene::Scene;
use super::{minimap, update};
use crate::design::Design;
use crate::document::Document;
use crate::engine::{Grid, Mark};
use crate::geometry::{Point, Size};
use crate::presets::Preset;
use crate::recording::EventChunk;
use crate::tui::commands::{Action, ColourMode, MapCommand};
use crate::tui::fixture::{TestApp, drawn_at_any_size, spiral};
use crate::tui::tabs::View;
use crate::tui::theme::{Depth, Ground, Theme};
use crate::tui::viewport::{LegendEntry, Zoom, window};

/// Returns a designer with an empty dungeon of 200 × 300 squares.
fn large(width: u16, height: u16) -> TestApp {
    let mut desk = TestApp::new(width, height);
    desk.deliver((
        Grid::new(Size::new(200, 300)),
        EventChunk::default(),
        EventChunk::default(),
    ));
    desk.app.advance(Duration::ZERO);
    desk
}

/// Returns the colours of the characters in the viewport.
fn colours(desk: &TestApp) -> Vec<Color> {
    let screen = desk.screen();
    let window = window(desk.app.editor.areas.map);
    window.positions().map(|at| screen[at].fg).collect()
}

fn has(desk: &TestApp, color: Color) -> bool {
    colours(desk).contains(&color)
}

#[test]
fn every_mode_counts_every_tile_once_at_any_moment() {
    let mut desk = TestApp::grown(120, 40);
    for mode in ColourMode::ALL {
        assert_eq!(desk.app.editor.map.colours, mode);
        for turn in [0, 1, 9, 23, 35] {
            desk.app.editor.time.seek(turn);
            let frame = desk.app.editor.time.frame().unwrap();
            let laid: u64 = frame.tiles().iter().sum();
            let design = frame.kinds()[2..].iter().sum::<u64>() + frame.kinds()[1] - laid;
            let expected = laid + if mode == ColourMode::Kind { design } else { 0 };
            let counted: u64 = rows(&desk.app.editor).iter().map(|row| row.tiles).sum();
            assert_eq!(counted, expected, "{mode:?} at turn {turn}");
        }
        desk.keys("t");
    }
    desk.chord(KeyModifiers::ALT, 't');
    assert_eq!(desk.app.editor.map.colours, ColourMode::Digits);
    for mode in ColourMode::ALL {
        desk.app.update(Action::Map(MapCommand::Colour(mode)));
        assert_eq!(desk.app.editor.map.colours, mode);
    }
}

#[test]
fn squares_are_coloured_as_the_legend_counts_them() {
    let mut desk = TestApp::grown(120, 40);
    for mode in ColourMode::ALL {
        desk.app.update(Action::Map(MapCommand::Colour(mode)));
        desk.app
            .handle(crate::background::Message::WatchFailed("so that it is followed".into()));
        let frame = desk.app.editor.time.frame().unwrap();
        let scene = super::scene::Scene::new(&desk.app.editor, frame, Zoom::Double, false);
        let Size { x, y } = frame.grid().size();
        let squares = (0..x).flat_map(|x| (0..y).map(move |y| Point::new(x, y)));
        let entries: Vec<LegendEntry> = squares.filter_map(|at| scene.entry(at)).collect();
        for row in rows(&desk.app.editor) {
            let count = entries.iter().filter(|entry| **entry == row.entry).count() as u64;
            assert_eq!(count, row.tiles, "{row:?}");
        }
    }
}

#[test]
fn modes_look_like_this() {
    let mut desk = TestApp::grown(120, 40);
    desk.app.editor.time.seek(25);
    for mode in ColourMode::ALL {
        let view = |area, buf: &mut _| crate::tui::screen::draw_legend(&desk.app, area, buf);
        insta::assert_snapshot!(format!("legend_by_{}", mode.name()), drawn_at_any_size(view, (48, 8)));
        desk.keys("t");
    }
    desk.keys("tttt++");
    insta::assert_snapshot!("digits", desk.text());
    // Without colours every mode has its signs.
    desk.app.editor.theme = Theme::new(Depth::None);
    desk.keys("ttz");
    insta::assert_snapshot!("age_without_colours", desk.text());
}

#[test]
fn narrow_screens_have_the_legend_in_the_border() {
    let mut desk = TestApp::grown(100, 24);
    for (mode, expected) in [
        (0, "generation 0 1 2 3 4 "),
        (1, "0 1 2"),
        (2, "first Crawler 0 "),
        (3, "wall"),
    ] {
        let text = desk.text();
        assert!(text.contains(expected), "mode {mode}: {text}");
        desk.keys("t");
    }
}

#[test]
fn generations_are_hidden_and_shown_alone_from_the_map() {
    let mut desk = TestApp::grown(120, 40);
    let [first, second] = [0, 1].map(|generation| desk.app.editor.theme.generation(generation));
    assert!(has(&desk, first) && has(&desk, second));
    // Beside the first Crawler's start on the border.
    desk.app.editor.map.move_cursor(Point::new(3, 1));
    assert_eq!(
        desk.app
            .editor
            .time
            .frame()
            .unwrap()
            .grid()
            .mark(desk.app.editor.map.cursor()),
        Mark::Generation(0)
    );
    desk.keys("x");
    assert!(!has(&desk, first) && has(&desk, second));
    assert!(desk.text().contains("generation 0 hidden"));
    desk.keys("x");
    assert!(has(&desk, first) && !desk.text().contains("hidden"));
    desk.keys("X");
    assert!(has(&desk, first) && !has(&desk, second));
    assert!(desk.text().contains("generation 0 alone"));
    desk.keys("z");
    assert!(has(&desk, first) && has(&desk, second));
    desk.app.editor.map.move_cursor(Point::new(20, 30));
    desk.keys("x");
    assert!(desk.text().contains("no generation laid a tile"));
}

#[test]
fn generations_are_hidden_in_the_legend_by_keys_and_by_clicks() {
    let mut desk = TestApp::grown(120, 40);
    desk.app.update(Action::FocusView(View::Legend));
    let second = desk.app.editor.theme.generation(1);
    desk.press(KeyCode::Down);
    desk.keys(" ");
    assert!(!has(&desk, second));
    assert!(desk.text().contains("□  1"));
    desk.press(KeyCode::Enter);
    assert!(has(&desk, second));
    desk.keys("jX");
    assert!(!has(&desk, second) && has(&desk, desk.app.editor.theme.generation(2)));
    desk.keys("z");
    let inside = desk.app.editor.areas.view.inner(Margin::new(2, 1));
    desk.click(inside.x + 4, inside.y + 1);
    assert!(!has(&desk, second));
    desk.click(inside.x + 4, inside.y + 1);
    assert!(has(&desk, second));
    // Clicks below the rows do nothing, and other modes have nothing to hide.
    desk.click(inside.x + 30, inside.y + 6);
    desk.keys("t ");
    assert!(desk.text().contains("while the map is coloured by them"));
    for _ in 0..20 {
        desk.press(KeyCode::Up);
    }
    let legend = |desk: &TestApp| desk.app.editor.map.legend.selected(usize::MAX);
    assert_eq!(legend(&desk), 0);
    // It is a list as in the other views.
    desk.press(KeyCode::End);
    let last = legend(&desk);
    desk.mouse(MouseEventKind::ScrollUp, inside.x + 4, inside.y + 1);
    assert_eq!(legend(&desk), last.saturating_sub(3));
    desk.press(KeyCode::Home);
    assert_eq!(legend(&desk), 0);
    assert!(last > 0);
}

#[test]
fn the_ground_is_changed_from_the_palette() {
    let mut desk = TestApp::grown(120, 40);
    let dark = desk.app.editor.theme.generation(0);
    desk.app.update(Action::Map(MapCommand::LightGround));
    assert_eq!(desk.app.editor.theme.ground(), Ground::Light);
    assert!(!has(&desk, dark) && has(&desk, desk.app.editor.theme.generation(0)));
    desk.app.update(Action::Map(MapCommand::LightGround));
    assert!(has(&desk, dark));
}

#[test]
fn the_small_map_stands_where_a_part_is_seen_and_is_led_by_the_mouse() {
    let mut desk = large(120, 40);
    assert!(!desk.text().contains('┌'), "the whole dungeon is seen");
    desk.keys("++");
    insta::assert_snapshot!("small_map", desk.text());
    let window = window(desk.app.editor.areas.map);
    let view = desk.app.editor.map.view(window);
    let place = minimap::place(&desk.app.editor, &view, window).unwrap();
    // A click on its first character shows the dungeon's corner; a drag scrolls along, also beyond its border.
    let cursor = desk.app.editor.map.cursor();
    desk.mouse(MouseEventKind::Down(MouseButton::Left), place.x + 1, place.y + 1);
    assert_eq!(desk.app.editor.map.view(window).origin, Point::new(0, 0));
    desk.mouse(MouseEventKind::Drag(MouseButton::Left), 119, 39);
    let far = desk.app.editor.map.view(window);
    let seen = far.zoom.squares_in(window);
    assert_eq!((far.origin.x + seen.x, far.origin.y + seen.y), (200, 300));
    desk.mouse(MouseEventKind::Up(MouseButton::Left), 119, 39);
    assert!(!desk.app.editor.map.is_dragged());
    assert_eq!(desk.app.editor.map.cursor(), cursor);
    desk.keys("n");
    assert!(!desk.text().contains('┌'));
    // It moves out of the cursor's way.
    desk.keys("n");
    desk.app.editor.map.move_cursor(Point::new(199, 299));
    desk.keys("f+++c");
    desk.app.editor.map.move_cursor(Point::new(199, 299));
    update(&mut desk.app.editor, MapCommand::Stride(crate::geometry::Forward::East));
    let view = desk.app.editor.map.view(window);
    let place = minimap::place(&desk.app.editor, &view, window).unwrap();
    let cursor = view.character_of(desk.app.editor.map.cursor()).unwrap();
    assert!(!place.contains(cursor.into()));
    assert_eq!(place.x, window.x);
}

#[test]
fn small_windows_have_no_small_map() {
    let mut desk = large(60, 16);
    desk.keys("+++");
    assert!(!desk.text().contains('┌'));
    let area = Rect::new(0, 0, 60, 12);
    drawn_at_any_size(
        |area, buf| crate::tui::screen::draw_map(&desk.app, area, desk.app.editor.areas.view.is_empty(), buf),
        (area.width, area.height),
    );
}

#[test]
fn the_wheel_pans_sideways_with_shift() {
    let mut desk = large(120, 40);
    desk.app.editor.map.move_cursor(Point::new(100, 150));
    desk.keys("+++c");
    let window = window(desk.app.editor.areas.map);
    let origin = |desk: &TestApp| desk.app.editor.map.view(window).origin;
    let before = origin(&desk);
    let wheel = |desk: &mut TestApp, kind, modifiers| {
        let event = crossterm::event::MouseEvent {
            kind,
            column: 20,
            row: 10,
            modifiers,
        };
        desk.send(crate::background::Message::Input(crossterm::event::Event::Mouse(event)));
    };
    wheel(&mut desk, MouseEventKind::ScrollDown, KeyModifiers::SHIFT);
    assert!(origin(&desk).y > before.y && origin(&desk).x == before.x);
    wheel(&mut desk, MouseEventKind::ScrollLeft, KeyModifiers::NONE);
    assert_eq!(origin(&desk), before);
    wheel(&mut desk, MouseEventKind::ScrollUp, KeyModifiers::CONTROL);
    assert!(origin(&desk).x < before.x);
}

#[test]
fn the_overview_is_drawn_with_the_characters_that_were_chosen() {
    let mut desk = TestApp::new(80, 24);
    desk.deliver(spiral(5));
    desk.keys("G");
    let is_in = |desk: &TestApp, from: char, to: char| desk.text().chars().any(|c| (from..=to).contains(&c));
    let braille = |desk: &TestApp| is_in(desk, '\u{2801}', '\u{28ff}');
    assert!(braille(&desk), "squares are distinguished by dots");
    desk.app.set_octants_known(true);
    assert!(!braille(&desk) && is_in(&desk, '\u{1cd00}', '\u{1cde5}'));
    desk.app.update(Action::Map(MapCommand::Overview));
    assert!(braille(&desk));
    desk.app.update(Action::Map(MapCommand::Overview));
    assert!(is_in(&desk, '\u{2596}', '\u{259f}') && !braille(&desk));
    assert!(!is_in(&desk, '\u{1cd00}', '\u{1cde5}'));
    // Without colours no character has a background.
    desk.app.editor.theme = Theme::new(Depth::None);
    let screen = desk.screen();
    assert!(screen.content().iter().all(|cell| cell.bg == Color::Reset));
}

#[test]
fn another_design_is_drawn_with_the_characters_that_the_terminal_has() {
    let mut desk = TestApp::grown(80, 24);
    desk.app.set_octants_known(true);
    let design = crate::presets::Preset::find("weave").unwrap().design();
    let effects = desk.app.open(crate::document::Document::new(design, None));
    desk.perform(effects);
    assert!(desk.app.editor.map.has_octants());
}

#[test]
fn what_is_counted_once_is_counted_again_when_it_changes() {
    let mut desk = TestApp::grown(120, 40);
    let description = |desk: &TestApp| rows(&desk.app.editor);
    for mode in [ColourMode::Lineage, ColourMode::Changes] {
        desk.deliver(spiral(3));
        desk.keys("G");
        desk.app.update(Action::Map(MapCommand::Colour(mode)));
        for turn in [4, 9, 4, 20] {
            desk.app.editor.time.seek(turn);
            // As the event loop does before it draws.
            desk.want();
            let kept = desk.app.editor.map.counted.clone();
            assert!(kept.is_some());
            let from_the_keep = description(&desk);
            desk.app.editor.map.counted = None;
            assert_eq!(description(&desk), from_the_keep, "{mode:?} at {turn}");
            desk.app.editor.map.counted = kept.clone();
            desk.want();
            assert_eq!(desk.app.editor.map.counted, kept, "nothing has changed");
            // An outdated cache is not used.
            desk.app.editor.time.seek(turn + 1);
            let at_once = description(&desk);
            desk.app.editor.map.counted = None;
            assert_eq!(description(&desk), at_once);
        }
    }
    desk.app.update(Action::Map(MapCommand::Colour(ColourMode::Generation)));
    desk.want();
    assert_eq!(desk.app.editor.map.counted, None);
}

#[test]
fn the_map_shows_the_vaults_of_the_run_that_is_shown() {
    let design = Preset::find("stronghold").unwrap().design();
    let mut desk = TestApp::with(Document::new(design, None), 120, 40);
    desk.grow();
    desk.keys("G");
    desk.app.advance(Duration::ZERO);
    let features = |desk: &TestApp| {
        let frame = desk.app.editor.time.frame().unwrap();
        let scene = Scene::new(&desk.app.editor, frame, Zoom::Double, false);
        let Size { x, y } = scene.size();
        let squares = (0..x).flat_map(|x| (0..y).map(move |y| Point::new(x, y)));
        let is_feature = |at: &Point| matches!(scene.entry(*at), Some(LegendEntry::Feature(_)));
        squares.filter(is_feature).collect::<Vec<_>>()
    };
    let before = features(&desk);
    assert!(!before.is_empty());
    // While the edited design grows, the previous dungeon stays on the screen.
    desk.app.editor.edit("no vaults", |design| design.layout.vaults.clear());
    desk.perform(Vec::new());
    assert_eq!(features(&desk), before);
    desk.grow();
    desk.app.advance(Duration::ZERO);
    desk.keys("G");
    assert_eq!(features(&desk), []);
}

#[test]
fn what_is_shown_has_room_in_the_title_and_what_is_at_the_cursor_begins_with_the_place() {
    let design = Design {
        name: "A design whose name is longer than any map is wide, and then some".into(),
        ..Preset::find("first-steps").unwrap().design()
    };
    let mut desk = TestApp::with(Document::new(design, None), 80, 24);
    desk.grow();
    desk.keys("GA");
    desk.settle();
    let title = desk.text().lines().next().unwrap().to_owned();
    assert!(
        title.contains("A design") && title.contains("outer wall 99 % "),
        "{title}"
    );
    desk.keys("M");
    desk.settle();
    let text = desk.text();
    assert!(
        text.contains("─ (15, 30) wall in") || text.contains("╰ (15, 30) wall in"),
        "{text}"
    );
    // Without colours a hint mentions the digits at closer zooms, if there is room.
    desk.app.editor.theme = Theme::new(Depth::None);
    desk.send(crate::background::Message::Input(crossterm::event::Event::Resize(
        160, 40,
    )));
    let text = desk.text();
    assert!(text.contains("+ shows tenths"), "{text}");
}
