use ratatui::style::Color;

use super::*;
use crate::design::Design;
use crate::document::Document;
use crate::presets::Preset;
use crate::tui::commands::{Action, ColourMode, MapCommand};
use crate::tui::fixture::TestApp;
use crate::tui::viewport::{CellSize, PictureSupport};

const CELL: CellSize = CellSize { width: 8, height: 16 };

/// Makes an app draw its map in pixels, as if the terminal supported pictures.
fn in_pixels(designer: &mut TestApp) {
    let editor = &mut designer.app.editor;
    editor.offered = Some(PictureSupport {
        cell: CELL,
        first: 5_000,
    });
    editor.choose_pictures();
    designer.app.before_frame();
}

fn spiral(width: u16, height: u16) -> TestApp {
    let mut designer = TestApp::grown(width, height);
    in_pixels(&mut designer);
    designer
}

fn preset(name: &str, width: u16, height: u16) -> TestApp {
    let design: Design = Preset::find(name).unwrap().design();
    let mut designer = TestApp::with(Document::new(design, None), width, height);
    designer.grow();
    designer.keys("G");
    in_pixels(&mut designer);
    designer
}

/// Returns the whole picture, and its width in pixels.
fn painted(designer: &TestApp) -> (Vec<Rgba>, usize) {
    let picture = designer.app.screen_picture().expect("the map is in pixels");
    let place = picture.place();
    let width = usize::from(place.area.width) * usize::from(place.cell.0);
    (picture.paint(place.area), width)
}

fn view(designer: &TestApp) -> MapWindow {
    let editor = &designer.app.editor;
    editor.map.view(window(editor.areas.map))
}

fn set_scale(designer: &mut TestApp, side: u16, block: u16) {
    designer.app.editor.map.scale = Some(PixelScale {
        side,
        block,
        cell: CELL,
    });
}

fn opaque(color: Color) -> Rgba {
    let [red, green, blue] = Theme::rgb(color).unwrap();
    [red, green, blue, 255]
}

#[test]
fn every_square_has_the_colour_of_its_character() {
    let mut designer = spiral(120, 40);
    // The cursor's frame would cover squares.
    designer.app.editor.map.move_cursor(Point::new(0, 0));
    for side in [1, 2, 3, 5, 8, 13] {
        set_scale(&mut designer, side, 1);
        let (pixels, width) = painted(&designer);
        let (view, side) = (view(&designer), usize::from(side));
        let frame = designer.app.editor.time.frame().unwrap();
        let scene = Scene::new(&designer.app.editor, frame, Zoom::Half, false);
        let mut walls = 0;
        for x in 0..40 {
            for y in 0..60 {
                let at = Point::new(x, y);
                let (down, right) = ((x - view.origin.x) as usize * side, (y - view.origin.y) as usize * side);
                let is_near = x < 12 && y < 12;
                let is_shown = down + side <= pixels.len() / width && right + side <= width;
                let is_builder = frame.living().any(|(_, builder)| builder.at == at);
                if x < view.origin.x || y < view.origin.y || is_near || !is_shown || is_builder {
                    continue;
                }
                let expected = scene.color(at).map_or([0; 4], opaque);
                walls += usize::from(expected != [0; 4]);
                for (dx, dy) in [(0, 0), (side - 1, 0), (side / 2, side / 2), (side - 1, side - 1)] {
                    let is_sign = side >= 3 && frame.grid().tile(at) != crate::engine::Tile::Wall;
                    if !is_sign {
                        assert_eq!(pixels[(down + dy) * width + right + dx], expected, "{at}, side {side}");
                    }
                }
            }
        }
        assert!(walls > 30, "{walls} walls with a side of {side}");
    }
}

#[test]
fn parts_fit_together_at_every_scale() {
    let mut designer = preset("first-steps", 100, 30);
    designer.keys("a");
    for (side, block) in [(1, 4), (1, 2), (1, 1), (2, 1), (3, 1), (7, 1), (16, 1), (48, 1)] {
        set_scale(&mut designer, side, block);
        designer.app.editor.map.origin = Point::new(5, 9);
        let (whole, width) = painted(&designer);
        let picture = designer.app.screen_picture().unwrap();
        let area = picture.place().area;
        let parts = [
            Rect::new(area.x, area.y, 1, 1),
            Rect::new(area.right() - 1, area.bottom() - 1, 1, 1),
            Rect::new(
                area.x + area.width / 3,
                area.y + area.height / 2,
                area.width / 3,
                2.min(area.height / 2),
            ),
        ];
        for part in parts
            .into_iter()
            .map(|part| part.intersection(area))
            .filter(|part| !part.is_empty())
        {
            let (left, top) = (usize::from(part.x - area.x) * 8, usize::from(part.y - area.y) * 16);
            let pixels = picture.paint(part);
            let wide = usize::from(part.width) * 8;
            assert_eq!(pixels.len(), wide * usize::from(part.height) * 16);
            for (down, row) in pixels.chunks(wide).enumerate() {
                let expected = &whole[(top + down) * width + left..][..wide];
                assert!(
                    row == expected,
                    "{part} of {area}, side {side}, block {block}, row {down}"
                );
            }
        }
    }
}

#[test]
fn cursor_selection_layers_and_look_ahead_are_visible_at_every_scale() {
    for (side, block) in [(1, 2), (1, 1), (2, 1), (4, 1), (8, 1), (16, 1)] {
        let mut designer = preset("first-steps", 120, 40);
        set_scale(&mut designer, side, block);
        let (plain, _) = painted(&designer);
        let cursor = opaque(designer.app.editor.theme.cursor(true).bg.unwrap());
        assert!(plain.contains(&cursor), "the cursor, side {side}, block {block}");
        designer.app.editor.map.move_cursor(Point::new(4, 7));
        let (moved, _) = painted(&designer);
        assert!(moved != plain, "the cursor moves, side {side}");
        designer.app.editor.map.colours = ColourMode::Kind;
        assert!(painted(&designer).0 != moved, "kinds, side {side}");
        designer.app.editor.map.colours = ColourMode::Generation;
        designer.keys("A");
        designer.run_jobs();
        designer.app.before_frame();
        set_scale(&mut designer, side, block);
        assert!(painted(&designer).0 != moved, "a layer, side {side}");
    }
}

#[test]
fn a_terminal_without_pictures_is_explained() {
    let mut designer = TestApp::grown(120, 40);
    designer.app.update(Action::Map(MapCommand::Pixels));
    assert!(designer.text().contains("this terminal shows no pictures"));
    in_pixels(&mut designer);
    designer.app.update(Action::Map(MapCommand::Pixels));
    assert!(designer.text().contains("map drawn with characters") && designer.app.screen_picture().is_none());
    designer.app.update(Action::Map(MapCommand::Pixels));
    designer.app.before_frame();
    assert!(designer.app.screen_picture().is_some());
}

#[test]
fn texts_are_drawn_over_the_picture() {
    let mut designer = preset("first-steps", 120, 40);
    let is_placeholder = |cell: &Cell| cell.symbol().starts_with('\u{10eeee}');
    let screen = designer.screen();
    let all = screen.content().iter().filter(|cell| is_placeholder(cell)).count();
    assert_eq!(all, view(&designer).area.area() as usize);
    assert!(designer.text().contains("pixels per square"));
    designer.keys(":");
    let covered = designer.screen();
    assert!(covered.content().iter().filter(|cell| is_placeholder(cell)).count() < all);
    assert!(designer.text().contains("type part of a name"));
    designer.press(crossterm::event::KeyCode::Esc);
    assert!(designer.screen() == screen);
    // In the colour mode for digits, the whole map is drawn with characters.
    designer.app.editor.map.colours = ColourMode::Digits;
    designer.app.before_frame();
    assert!(designer.app.screen_picture().is_none());
    assert!(!designer.screen().content().iter().any(is_placeholder));
}

#[test]
fn zooming_keeps_the_square_in_place_and_clicks_find_it() {
    let mut designer = preset("keep", 120, 40);
    let side = |designer: &TestApp| view(designer).pixels.unwrap().side;
    let fitting = side(&designer);
    designer.keys("+");
    assert!(side(&designer) > fitting);
    designer.keys("+++");
    let cursor = designer.app.editor.map.cursor();
    let (column, row) = view(&designer).character_of(cursor).expect("the cursor is visible");
    designer.click(column, row);
    let (first, squares) = view(&designer).squares_of(column, row);
    let at = designer.app.editor.map.cursor();
    assert!((first.x..first.x + squares.x).contains(&at.x) && (first.y..first.y + squares.y).contains(&at.y));
    designer.keys("0");
    assert_eq!(side(&designer), fitting);
    designer.keys("--------------------");
    assert!(view(&designer).pixels.unwrap().block > 1);
}

#[test]
fn most_presets_fill_their_pane() {
    for preset in Preset::all() {
        let dungeon = preset.design().layout.size;
        let window = Rect::new(0, 0, 79, 33);
        let scale = PixelScale::fitting(dungeon, window, CELL);
        let (wide, high) = (dungeon.y * i32::from(scale.side), dungeon.x * i32::from(scale.side));
        // A side larger by one pixel would not fit.
        let room = (79 * 8 - wide).min(33 * 16 - high);
        assert!(
            room < dungeon.x.max(dungeon.y) || scale.side == 64,
            "{}: {room}",
            preset.name
        );
        assert!(wide * 3 >= 79 * 8 || high * 3 >= 33 * 16, "{}", preset.name);
    }
}

#[test]
fn the_small_map_is_part_of_the_picture() {
    let mut designer = preset("keep", 120, 40);
    designer.keys("+++");
    let window = window(designer.app.editor.areas.map);
    let view = view(&designer);
    let small = minimap::place(&designer.app.editor, &view, window).expect("a small map");
    let inside = small.inner(ratatui::layout::Margin::new(1, 1));
    let screen = designer.screen();
    for at in small.positions() {
        let is_placeholder = screen[at].symbol().starts_with('\u{10EEEE}');
        assert_eq!(is_placeholder, inside.contains(at), "{at}");
    }
    let (pixels, width) = painted(&designer);
    let (left, top) = (
        usize::from(inside.x - view.area.x) * 8,
        usize::from(inside.y - view.area.y) * 16,
    );
    let rows = (top..top + usize::from(inside.height) * 16)
        .map(|row| &pixels[row * width + left..][..usize::from(inside.width) * 8]);
    let shown: Vec<Rgba> = rows.flatten().copied().collect();
    let theme = designer.app.editor.theme;
    let frame = opaque(theme.frame().fg.unwrap());
    for color in [frame, opaque(theme.generation(0)), opaque(theme.generation(1)), [0; 4]] {
        assert!(shown.iter().filter(|pixel| **pixel == color).count() > 20, "{color:?}");
    }
    // A part painted alone equals the same part of the whole picture.
    let part = Rect::new(inside.x + 3, inside.y + 1, 5, 2);
    let (left, top) = (
        usize::from(part.x - view.area.x) * 8,
        usize::from(part.y - view.area.y) * 16,
    );
    let rows = (top..top + 32).flat_map(|row| &pixels[row * width + left..][..40]);
    let painted = designer.app.screen_picture().unwrap().paint(part);
    assert_eq!(painted, rows.copied().collect::<Vec<_>>());
    // The minimap never covers the cursor's square, however large the square is.
    designer.keys("++G");
    for _ in 0..30 {
        designer.keys("LJ");
        let view = self::view(&designer);
        let small = minimap::place(&designer.app.editor, &view, window).expect("a small map");
        let (column, row) = view.character_of(designer.app.editor.map.cursor()).unwrap();
        let (columns, rows) = view.characters_of_square();
        let square = Rect::new(column, row, columns, rows);
        assert!(!square.intersects(small), "{square} {small}");
    }
}
