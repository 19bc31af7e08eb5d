//! Tests of colours, hiding, the minimap and the legend on the real screen.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::{Margin, Rect};
use ratatui::style::Color;

use super::colours::rows;
use super::scene::Scene;
use super::{minimap, update};
use crate::design::feature::Class;
use crate::design::{CrawlerStart, Design, PlacedVault};
use crate::document::Document;
use crate::engine::{Grid, Mark, Tile};
use crate::geometry::{Point, Size};
use crate::presets::Preset;
use crate::recording::EventChunk;
use crate::tui::commands::{Action, ColourMode, MapCommand};
use crate::tui::fixture::{TestApp, drawn, drawn_at_any_size, spiral, text};
use crate::tui::tabs::View;
use crate::tui::theme::{Depth, Ground, Theme};
use crate::tui::viewport::{LegendEntry, MapWindow, Zoom, window};

/// Returns an app with an empty dungeon of 200 × 300 squares.
fn large(width: u16, height: u16) -> TestApp {
    let mut designer = TestApp::new(width, height);
    designer.receive_run((
        Grid::new(Size::new(200, 300)),
        EventChunk::default(),
        EventChunk::default(),
    ));
    designer.app.advance(Duration::ZERO);
    designer
}

/// Returns the colours of the characters in the viewport.
fn colours(designer: &TestApp) -> Vec<Color> {
    let screen = designer.screen();
    let window = window(designer.app.editor.areas.map);
    window.positions().map(|at| screen[at].fg).collect()
}

fn has(designer: &TestApp, color: Color) -> bool {
    colours(designer).contains(&color)
}

#[test]
fn every_mode_counts_every_tile_once_at_any_moment() {
    let mut designer = TestApp::grown(120, 40);
    for mode in ColourMode::ALL {
        assert_eq!(designer.app.editor.map.colours, mode);
        for turn in [0, 1, 9, 23, 35] {
            designer.app.editor.time.seek(turn);
            let frame = designer.app.editor.time.frame().unwrap();
            let laid: u64 = frame.tiles().iter().sum();
            let design = frame.kinds()[2..].iter().sum::<u64>() + frame.kinds()[1] - laid;
            let expected = laid + if mode == ColourMode::Kind { design } else { 0 };
            let counted: u64 = rows(&designer.app.editor).iter().map(|row| row.tiles).sum();
            assert_eq!(counted, expected, "{mode:?} at turn {turn}");
        }
        designer.keys("t");
    }
    designer.chord(KeyModifiers::ALT, 't');
    assert_eq!(designer.app.editor.map.colours, ColourMode::Digits);
    for mode in ColourMode::ALL {
        designer.app.update(Action::Map(MapCommand::Colour(mode)));
        assert_eq!(designer.app.editor.map.colours, mode);
    }
}

#[test]
fn squares_are_coloured_as_the_legend_counts_them() {
    let mut designer = TestApp::grown(120, 40);
    for mode in ColourMode::ALL {
        designer.app.update(Action::Map(MapCommand::Colour(mode)));
        designer
            .app
            .handle(crate::background::Message::WatchFailed("so that it is followed".into()));
        let frame = designer.app.editor.time.frame().unwrap();
        let scene = super::scene::Scene::new(&designer.app.editor, frame, Zoom::Double, false);
        let squares = frame.grid().size().points();
        let entries: Vec<LegendEntry> = squares.filter_map(|at| scene.entry(at)).collect();
        for row in rows(&designer.app.editor) {
            let count = entries.iter().filter(|entry| **entry == row.entry).count() as u64;
            assert_eq!(count, row.tiles, "{row:?}");
        }
    }
}

#[test]
fn modes_match_the_snapshots() {
    let mut designer = TestApp::grown(120, 40);
    designer.app.editor.time.seek(25);
    for mode in ColourMode::ALL {
        let view = |area, buf: &mut _| crate::tui::screen::draw_legend(&designer.app, area, buf);
        insta::assert_snapshot!(format!("legend_by_{}", mode.name()), drawn_at_any_size(view, (48, 8)));
        designer.keys("t");
    }
    designer.keys("tttt++");
    insta::assert_snapshot!("digits", designer.text());
    // Without colours, every mode uses symbols of its own.
    designer.app.editor.theme = Theme::new(Depth::None);
    designer.keys("ttz");
    insta::assert_snapshot!("age_without_colours", designer.text());
}

/// Draws a dungeon with one long wall for each generation, and returns each wall's most frequent character and
/// colours. Not all characters of a wall count, since the hint on an empty map covers some of them.
fn looks(depth: Depth, zoom: Zoom) -> Vec<String> {
    let mut designer = TestApp::new(200, 60);
    let at = |generation: i32, i: i32| Point::new(2 + i, 3 + 5 * generation);
    let mut grid = Grid::new(Size::new(40, 60));
    for generation in 0..10 {
        for i in 0..36 {
            grid.set(at(generation, i), Tile::Wall, Mark::Generation(generation as u8));
        }
    }
    designer.receive_run((grid, EventChunk::default(), EventChunk::default()));
    designer.app.advance(Duration::ZERO);
    designer.app.editor.theme = Theme::new(depth);
    designer.keys("0---");
    while designer.app.editor.map.view(window(designer.app.editor.areas.map)).zoom != zoom {
        designer.keys("+");
    }
    // Move the cursor away from the walls, so that it covers none.
    designer.app.editor.map.move_cursor(Point::new(20, 1));
    let view = designer.app.editor.map.view(window(designer.app.editor.areas.map));
    let screen = designer.screen();
    let look = |at: Point| {
        let cell = &screen[view.character_of(at)?];
        Some(format!("{} {:?}", cell.symbol(), (cell.fg, cell.bg, cell.modifier)))
    };
    let looks = |generation: i32| {
        let mut counts = BTreeMap::new();
        for look in (0..36).filter_map(|i| look(at(generation, i))) {
            *counts.entry(look).or_insert(0) += 1;
        }
        counts.into_iter().max_by_key(|(_, count)| *count).expect("a wall").0
    };
    (0..10).map(looks).collect()
}

#[test]
fn every_generation_looks_different_without_colours_and_with_sixteen() {
    for depth in [Depth::None, Depth::Sixteen] {
        for zoom in [Zoom::Double, Zoom::Half] {
            let seen = looks(depth, zoom);
            let different: BTreeSet<&String> = seen.iter().collect();
            assert_eq!(different.len(), 10, "{depth:?} {zoom:?}: {seen:?}");
        }
    }
}

#[test]
fn narrow_screens_have_the_legend_in_the_border() {
    let mut designer = TestApp::grown(100, 24);
    for (mode, expected) in [
        (0, "generation 0 1 2 3 4 "),
        (1, "0 1 2"),
        (2, "first Crawler 0 "),
        (3, "wall"),
    ] {
        let text = designer.text();
        assert!(text.contains(expected), "mode {mode}: {text}");
        designer.keys("t");
    }
}

#[test]
fn generations_are_hidden_and_shown_alone_from_the_map() {
    let mut designer = TestApp::grown(120, 40);
    let [first, second] = [0, 1].map(|generation| designer.app.editor.theme.generation(generation));
    assert!(has(&designer, first) && has(&designer, second));
    // The square beside the first Crawler's start on the border.
    designer.app.editor.map.move_cursor(Point::new(3, 1));
    assert_eq!(
        designer
            .app
            .editor
            .time
            .frame()
            .unwrap()
            .grid()
            .mark(designer.app.editor.map.cursor()),
        Mark::Generation(0)
    );
    designer.keys("x");
    assert!(!has(&designer, first) && has(&designer, second));
    assert!(designer.text().contains("generation 0 hidden"));
    designer.keys("x");
    assert!(has(&designer, first) && !designer.text().contains("hidden"));
    designer.keys("X");
    assert!(has(&designer, first) && !has(&designer, second));
    assert!(designer.text().contains("generation 0 only"));
    designer.keys("z");
    assert!(has(&designer, first) && has(&designer, second));
    designer.app.editor.map.move_cursor(Point::new(20, 30));
    designer.keys("x");
    assert!(designer.text().contains("no generation laid a tile"));
}

#[test]
fn generations_are_hidden_in_the_legend_by_keys_and_by_clicks() {
    let mut designer = TestApp::grown(120, 40);
    designer.app.update(Action::FocusView(View::Legend));
    let second = designer.app.editor.theme.generation(1);
    designer.press(KeyCode::Down);
    designer.keys(" ");
    assert!(!has(&designer, second));
    assert!(designer.text().contains("□  1"));
    designer.press(KeyCode::Enter);
    assert!(has(&designer, second));
    designer.keys("jX");
    assert!(!has(&designer, second) && has(&designer, designer.app.editor.theme.generation(2)));
    designer.keys("z");
    let inside = designer.app.editor.areas.view.inner(Margin::new(2, 1));
    designer.click(inside.x + 4, inside.y + 1);
    assert!(!has(&designer, second));
    designer.click(inside.x + 4, inside.y + 1);
    assert!(has(&designer, second));
    // Clicks below the rows do nothing, and other modes have nothing to hide.
    designer.click(inside.x + 30, inside.y + 6);
    designer.keys("t ");
    assert!(designer.text().contains("colour the map by generation first"));
    for _ in 0..20 {
        designer.press(KeyCode::Up);
    }
    let legend = |designer: &TestApp| designer.app.editor.map.legend.selected(usize::MAX);
    assert_eq!(legend(&designer), 0);
    // The legend's keys and wheel work like those of the lists in the other views.
    designer.press(KeyCode::End);
    let last = legend(&designer);
    designer.mouse(MouseEventKind::ScrollUp, inside.x + 4, inside.y + 1);
    assert_eq!(legend(&designer), last.saturating_sub(3));
    designer.press(KeyCode::Home);
    assert_eq!(legend(&designer), 0);
    assert!(last > 0);
}

/// Returns an app with the Legend view, whose legend has a row for each of this many first Crawlers.
fn with_lines(crawlers: i32) -> TestApp {
    let crawler = |number| CrawlerStart {
        at: Point::new(0, 6 + number * 4),
        direction: 2,
        ..CrawlerStart::default()
    };
    let mut designer = TestApp::with_crawlers((1..=crawlers).map(crawler), 5);
    designer
        .app
        .update(Action::Map(MapCommand::Colour(ColourMode::Lineage)));
    designer.app.update(Action::FocusView(View::Legend));
    designer.want();
    assert_eq!(rows(&designer.app.editor).len(), crawlers as usize);
    designer
}

#[test]
fn the_last_row_of_the_legend_is_visible_when_it_is_selected() {
    for crawlers in 1..=24 {
        let mut designer = with_lines(crawlers);
        designer.press(KeyCode::End);
        let last = rows(&designer.app.editor).pop().unwrap();
        assert!(designer.text().contains(&last.name), "{crawlers}: {}", designer.text());
    }
}

#[test]
fn a_click_on_the_number_of_left_out_entries_selects_no_row() {
    let mut designer = with_lines(24);
    let text = designer.text();
    let (row, line) = (0..)
        .zip(text.lines())
        .find(|(_, line)| line.contains(" more "))
        .unwrap();
    let column = line[..line.find(" more ").unwrap()].chars().count() as u16;
    designer.click(column, row);
    assert_eq!(designer.app.editor.map.legend.selected(usize::MAX), 0, "{text}");
    designer.click(column, row - 1);
    assert_ne!(designer.app.editor.map.legend.selected(usize::MAX), 0);
}

fn legend_text(designer: &TestApp) -> String {
    text(&drawn(60, 40, |area, buf| {
        crate::tui::screen::draw_legend(&designer.app, area, buf);
    }))
}

#[test]
fn the_legend_explains_the_features_of_vaults_among_digits() {
    let design = Preset::find("stronghold").unwrap().design();
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.grow();
    designer.keys("G");
    designer.app.update(Action::Map(MapCommand::Colour(ColourMode::Digits)));
    assert!(legend_text(&designer).contains("a vault's walls"));
}

#[test]
fn the_legend_explains_a_layer_over_wall_frequencies() {
    let design = Preset::find("first-steps").unwrap().design();
    let mut designer = TestApp::with(Document::new(design, None), 80, 24);
    designer.grow();
    designer.keys("GA");
    designer.run_jobs();
    assert!(legend_text(&designer).contains("outer wall"));
    designer.keys("M");
    designer.run_jobs();
    let text = legend_text(&designer);
    assert!(text.contains("90–100%") && text.contains("outer wall"), "{text}");
}

#[test]
fn the_legend_explains_builders_only_where_the_map_shows_them() {
    let design = Preset::find("first-steps").unwrap().design();
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.grow();
    designer.keys("G");
    assert!(legend_text(&designer).contains("Builder, awake"));
    designer.chord(KeyModifiers::ALT, 'g');
    assert!(designer.app.editor.walk.is_some());
    let text = legend_text(&designer);
    assert!(
        text.contains("the design's walls") && !text.contains("Builder"),
        "{text}"
    );
    designer.press(KeyCode::Esc);
    assert!(legend_text(&designer).contains("Builder, asleep"));
}

#[test]
fn a_walk_colours_the_floor_of_vaults_like_any_other_floor() {
    let design = Preset::find("stronghold").unwrap().design();
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.grow();
    designer.keys("G");
    designer.chord(KeyModifiers::ALT, 'g');
    let walk = designer.app.editor.walk.as_mut().unwrap().walk_by_hand();
    for _ in 0..9 {
        walk.explore();
        walk.go_to(usize::MAX);
    }
    let editor = &designer.app.editor;
    let walk = editor.walk.as_ref().unwrap().walk();
    let scene = Scene::new(editor, editor.time.frame().unwrap(), Zoom::Double, false);
    let Size { x, y } = scene.size();
    let whole = Rect::new(0, 0, 2 * y as u16, x as u16);
    let view = MapWindow::new(scene.size(), whole, Zoom::Double, Point::new(0, 0));
    let vaults = editor.time.run().unwrap().design.placed();
    let features = vaults.iter().flat_map(PlacedVault::features);
    let floor = features.filter(|(at, feature)| feature.class() == Class::Floor && walk.is_known(*at));
    let mut squares = 0;
    for (at, _) in floor {
        let (column, row) = view.character_of(at).unwrap();
        let (_, style) = scene.character(&view, column, row);
        assert_eq!(style.bg, Some(editor.theme.walked(walk.is_in_sight(at))), "{at}");
        squares += 1;
    }
    assert!(squares > 0);
}

#[test]
fn the_background_is_changed_from_the_palette() {
    let mut designer = TestApp::grown(120, 40);
    let dark = designer.app.editor.theme.generation(0);
    designer.app.update(Action::Map(MapCommand::LightGround));
    assert_eq!(designer.app.editor.theme.ground(), Ground::Light);
    assert!(!has(&designer, dark) && has(&designer, designer.app.editor.theme.generation(0)));
    designer.app.update(Action::Map(MapCommand::LightGround));
    assert!(has(&designer, dark));
}

#[test]
fn the_minimap_is_shown_while_a_part_is_visible_and_follows_the_mouse() {
    let mut designer = large(120, 40);
    assert!(!designer.text().contains('┌'), "the whole dungeon is visible");
    designer.keys("++");
    insta::assert_snapshot!("small_map", designer.text());
    let window = window(designer.app.editor.areas.map);
    let view = designer.app.editor.map.view(window);
    let place = minimap::place(&designer.app.editor, &view, window).unwrap();
    // A click on the minimap's first character shows the dungeon's corner. A drag scrolls, even beyond the minimap.
    let cursor = designer.app.editor.map.cursor();
    designer.mouse(MouseEventKind::Down(MouseButton::Left), place.x + 1, place.y + 1);
    assert_eq!(designer.app.editor.map.view(window).origin, Point::new(0, 0));
    designer.mouse(MouseEventKind::Drag(MouseButton::Left), 119, 39);
    let far = designer.app.editor.map.view(window);
    let seen = far.zoom.squares_in(window);
    assert_eq!((far.origin.x + seen.x, far.origin.y + seen.y), (200, 300));
    designer.mouse(MouseEventKind::Up(MouseButton::Left), 119, 39);
    assert!(!designer.app.editor.map.is_dragged());
    assert_eq!(designer.app.editor.map.cursor(), cursor);
    designer.keys("n");
    assert!(!designer.text().contains('┌'));
    // The minimap moves to the other corner before it covers the cursor.
    designer.keys("n");
    designer.app.editor.map.move_cursor(Point::new(199, 299));
    designer.keys("f+++c");
    designer.app.editor.map.move_cursor(Point::new(199, 299));
    update(
        &mut designer.app.editor,
        MapCommand::Stride(crate::geometry::Forward::East),
    );
    let view = designer.app.editor.map.view(window);
    let place = minimap::place(&designer.app.editor, &view, window).unwrap();
    let cursor = view.character_of(designer.app.editor.map.cursor()).unwrap();
    assert!(!place.contains(cursor.into()));
    assert_eq!(place.x, window.x);
}

#[test]
fn small_windows_have_no_small_map() {
    let mut designer = large(60, 16);
    designer.keys("+++");
    assert!(!designer.text().contains('┌'));
    let area = Rect::new(0, 0, 60, 12);
    drawn_at_any_size(
        |area, buf| crate::tui::screen::draw_map(&designer.app, area, designer.app.editor.areas.view.is_empty(), buf),
        (area.width, area.height),
    );
}

#[test]
fn the_wheel_pans_sideways_with_shift() {
    let mut designer = large(120, 40);
    designer.app.editor.map.move_cursor(Point::new(100, 150));
    designer.keys("+++c");
    let window = window(designer.app.editor.areas.map);
    let origin = |designer: &TestApp| designer.app.editor.map.view(window).origin;
    let before = origin(&designer);
    let wheel = |designer: &mut TestApp, kind, modifiers| {
        let event = crossterm::event::MouseEvent {
            kind,
            column: 20,
            row: 10,
            modifiers,
        };
        designer.send(crate::background::Message::Input(crossterm::event::Event::Mouse(event)));
    };
    wheel(&mut designer, MouseEventKind::ScrollDown, KeyModifiers::SHIFT);
    assert!(origin(&designer).y > before.y && origin(&designer).x == before.x);
    wheel(&mut designer, MouseEventKind::ScrollLeft, KeyModifiers::NONE);
    assert_eq!(origin(&designer), before);
    wheel(&mut designer, MouseEventKind::ScrollUp, KeyModifiers::CONTROL);
    assert!(origin(&designer).x < before.x);
}

#[test]
fn the_overview_is_drawn_with_the_chosen_characters() {
    let mut designer = TestApp::new(80, 24);
    designer.receive_run(spiral(5));
    designer.keys("G");
    let is_in = |designer: &TestApp, from: char, to: char| designer.text().chars().any(|c| (from..=to).contains(&c));
    let braille = |designer: &TestApp| is_in(designer, '\u{2801}', '\u{28ff}');
    assert!(braille(&designer), "squares are distinguished by dots");
    designer.app.set_octants_known(true);
    assert!(!braille(&designer) && is_in(&designer, '\u{1cd00}', '\u{1cde5}'));
    designer.app.update(Action::Map(MapCommand::Overview));
    assert!(braille(&designer));
    designer.app.update(Action::Map(MapCommand::Overview));
    assert!(is_in(&designer, '\u{2596}', '\u{259f}') && !braille(&designer));
    assert!(!is_in(&designer, '\u{1cd00}', '\u{1cde5}'));
    // Without colours no character has a background.
    designer.app.editor.theme = Theme::new(Depth::None);
    let screen = designer.screen();
    assert!(screen.content().iter().all(|cell| cell.bg == Color::Reset));
}

#[test]
fn another_design_keeps_the_characters_that_the_terminal_supports() {
    let mut designer = TestApp::grown(80, 24);
    designer.app.set_octants_known(true);
    let design = crate::presets::Preset::find("weave").unwrap().design();
    let effects = designer.app.open(crate::document::Document::new(design, None));
    designer.perform(effects);
    assert!(designer.app.editor.map.has_octants());
}

#[test]
fn counts_are_cached_until_something_changes() {
    let mut designer = TestApp::grown(120, 40);
    let description = |designer: &TestApp| rows(&designer.app.editor);
    for mode in [ColourMode::Lineage, ColourMode::Changes] {
        designer.receive_run(spiral(3));
        designer.keys("G");
        designer.app.update(Action::Map(MapCommand::Colour(mode)));
        for turn in [4, 9, 4, 20] {
            designer.app.editor.time.seek(turn);
            // Update the cache, as the event loop does before it draws.
            designer.want();
            let kept = designer.app.editor.map.counted.clone();
            assert!(kept.is_some());
            let from_the_keep = description(&designer);
            designer.app.editor.map.counted = None;
            assert_eq!(description(&designer), from_the_keep, "{mode:?} at {turn}");
            designer.app.editor.map.counted = kept.clone();
            designer.want();
            assert_eq!(designer.app.editor.map.counted, kept, "nothing has changed");
            // An outdated cache is not used.
            designer.app.editor.time.seek(turn + 1);
            let at_once = description(&designer);
            designer.app.editor.map.counted = None;
            assert_eq!(description(&designer), at_once);
        }
    }
    designer
        .app
        .update(Action::Map(MapCommand::Colour(ColourMode::Generation)));
    designer.want();
    assert_eq!(designer.app.editor.map.counted, None);
}

#[test]
fn the_map_shows_the_vaults_of_the_run_shown() {
    let design = Preset::find("stronghold").unwrap().design();
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.grow();
    designer.keys("G");
    designer.app.advance(Duration::ZERO);
    let features = |designer: &TestApp| {
        let frame = designer.app.editor.time.frame().unwrap();
        let scene = Scene::new(&designer.app.editor, frame, Zoom::Double, false);
        let squares = scene.size().points();
        let is_feature = |at: &Point| matches!(scene.entry(*at), Some(LegendEntry::Feature(_)));
        squares.filter(is_feature).collect::<Vec<_>>()
    };
    let before = features(&designer);
    assert!(!before.is_empty());
    // While the edited design grows, the previous dungeon stays on the screen.
    designer
        .app
        .editor
        .edit("no vaults", |design| design.layout.vaults.clear());
    designer.perform(Vec::new());
    assert_eq!(features(&designer), before);
    designer.grow();
    designer.app.advance(Duration::ZERO);
    designer.keys("G");
    assert_eq!(features(&designer), []);
}

#[test]
fn a_title_that_is_too_wide_ends_with_an_ellipsis_and_a_blank() {
    let design = Preset::find("hub").unwrap().design();
    let mut designer = TestApp::with(Document::new(design, None), 80, 24);
    designer.grow();
    // The Metrics view keeps the panes open, which leaves little room for the map.
    designer.keys("GA");
    designer.press(crossterm::event::KeyCode::Esc);
    designer.keys("ssssssss");
    designer.run_jobs();
    let text = designer.text();
    let row: Vec<char> = text.lines().next().unwrap().chars().collect();
    let right = row.iter().position(|c| *c == '╮').unwrap();
    let title: String = row[..right].iter().collect();
    assert!(
        title.contains("· visible area median") && title.ends_with("… "),
        "{text}"
    );
}

#[test]
fn the_title_has_room_for_the_mode_and_the_cursor_line_begins_with_the_square() {
    let design = Design {
        name: "A design whose name is longer than any map is wide, and then some".into(),
        ..Preset::find("first-steps").unwrap().design()
    };
    let mut designer = TestApp::with(Document::new(design, None), 80, 24);
    designer.grow();
    designer.keys("GA");
    designer.run_jobs();
    let title = designer.text().lines().next().unwrap().to_owned();
    assert!(
        title.contains("A design") && title.contains("outer wall 99% "),
        "{title}"
    );
    designer.keys("M");
    designer.run_jobs();
    let text = designer.text();
    assert!(
        text.contains("─ (15, 30) wall in") || text.contains("╰ (15, 30) wall in"),
        "{text}"
    );
    // Without colours, a hint mentions the digits at closer zoom levels, if the title has room for it.
    designer.app.editor.theme = Theme::new(Depth::None);
    designer.send(crate::background::Message::Input(crossterm::event::Event::Resize(
        160, 40,
    )));
    let text = designer.text();
    assert!(text.contains("+ shows digits"), "{text}");
}
