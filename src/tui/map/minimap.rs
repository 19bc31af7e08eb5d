//! The minimap in a bottom corner of the map: the whole dungeon, with the outline of the viewport in it.
//!
//! The minimap is shown while the viewport shows at most two thirds of the dungeon and has room to spare. It is in the
//! right corner, or in the left corner while it would cover the cursor in the right one. It is drawn from samples, so
//! its cost depends only on its own size.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Color;
use ratatui::widgets::{Clear, Widget};

use super::scene::Scene;
use crate::geometry::{Point, Size};
use crate::tui::editor::Editor;
use crate::tui::pictures::{self, CLEAR, PicturePlace, Raster, Rgba};
use crate::tui::theme::Theme;
use crate::tui::viewport::MapWindow;
use crate::tui::widget::popup::block;
use crate::tui::widget::text::replace_glyph;
use crate::tui::widget::thumbnail;

/// Smallest viewport with room for the minimap, in columns and rows of characters.
const LEAST: (u16, u16) = (36, 12);

/// Largest size of the minimap without its border, in columns and rows of characters.
const MOST: (u16, u16) = (32, 16);

/// Thickness of the viewport's outline, in pixels.
const FRAME: i32 = 2;

/// Returns the area of the minimap in a viewport, with its border; `None` if it is not shown.
pub(super) fn place(editor: &Editor, view: &MapWindow, window: Rect) -> Option<Rect> {
    let dungeon = editor.map.dungeon;
    let seen = view.squares_in(window);
    // If most of the dungeon is visible, a minimap would hide more than it shows.
    let part = |seen: i32, of: i32| i64::from(seen.min(of));
    let most = part(seen.x, dungeon.x) * part(seen.y, dungeon.y) * 3 > dungeon.squares() as i64 * 2;
    if !editor.map.small_map || most || window.width < LEAST.0 || window.height < LEAST.1 {
        return None;
    }
    let (width, height) = fitting(dungeon, (window.width / 4).min(MOST.0), (window.height / 3).min(MOST.1));
    let (width, height) = (width + 2, height + 2);
    let right = Rect::new(window.right() - width, window.bottom() - height, width, height);
    let left = Rect { x: window.x, ..right };
    // The minimap must cover neither the cursor's square, which may occupy several characters, nor the frame around
    // it.
    let (columns, rows) = view.characters_of_square();
    let near = Rect::new(
        right.x.saturating_sub(columns),
        right.y.saturating_sub(rows),
        width + columns,
        height + rows,
    );
    let under_cursor = view
        .character_of(editor.map.cursor)
        .is_some_and(|at| near.contains(at.into()));
    Some(if under_cursor { left } else { right })
}

fn inside(place: Rect) -> Rect {
    place.inner(Margin::new(1, 1))
}

/// Returns whether the map's picture also shows the inside of the minimap.
fn is_painted(view: &MapWindow, inside: Rect) -> bool {
    view.pixels.is_some() && view.area.intersection(inside) == inside
}

/// Returns the largest size in characters (columns and rows) that has the dungeon's aspect ratio and fits into
/// `width` × `height` characters; a character is twice as tall as it is wide.
fn fitting(dungeon: Size, width: u16, height: u16) -> (u16, u16) {
    let (rows, columns) = (i64::from(dungeon.x.max(1)), i64::from(dungeon.y.max(1)));
    let high = i64::from(width) * rows / (2 * columns);
    let wide = i64::from(height) * 2 * columns / rows;
    if high <= i64::from(height) {
        (width, high.max(1) as u16)
    } else {
        (wide.clamp(1, i64::from(width)) as u16, height)
    }
}

/// Returns the first square of part `part`, if `squares` squares are divided into `of` equal parts.
fn begin(part: i32, of: i32, squares: i32) -> i32 {
    (i64::from(part) * i64::from(squares) / i64::from(of.max(1))) as i32
}

/// Returns the square in the middle of one of the minimap's characters; for a place outside the minimap, the square in
/// the middle of the nearest character.
pub(super) fn square_at(place: Rect, dungeon: Size, column: u16, row: u16) -> Point {
    let (wide, high) = (i32::from(place.width) - 2, i32::from(place.height) - 2);
    let middle = |at: u16, from: u16, parts: i32, squares: i32| {
        let part = (i32::from(at) - i32::from(from) - 1).clamp(0, (parts - 1).max(0));
        i32::midpoint(begin(part, parts, squares), begin(part + 1, parts, squares))
    };
    Point::new(
        middle(row, place.y, high, dungeon.x),
        middle(column, place.x, wide, dungeon.y),
    )
}

/// Draws the minimap if it is shown; draws only placeholders if [`paint`] paints it into the map's picture.
pub(super) fn draw(
    editor: &Editor,
    scene: &Scene<'_>,
    view: &MapWindow,
    window: Rect,
    picture: Option<PicturePlace>,
    buf: &mut Buffer,
) {
    let Some(place) = place(editor, view, window) else {
        return;
    };
    Clear.render(place, buf);
    block(editor.theme, false).render(place, buf);
    let inside = inside(place);
    if let Some(picture) = picture.filter(|_| is_painted(view, inside)) {
        pictures::fill_part(picture, inside, buf);
        return;
    }
    let size = scene.size();
    let (wide, high) = (i32::from(inside.width), i32::from(inside.height) * 2);
    let block = |row: i32, column: i32| {
        let from = Point::new(begin(row, high, size.x), begin(column, wide, size.y));
        let to = Point::new(begin(row + 1, high, size.x), begin(column + 1, wide, size.y));
        let entry = scene.sample(from, Size::new((to.x - from.x).max(1), (to.y - from.y).max(1)));
        entry.map(|entry| scene.color_of(entry))
    };
    for (row, y) in (0..).zip(inside.top()..inside.bottom()) {
        for (column, x) in (0..).zip(inside.left()..inside.right()) {
            let (glyph, style) = thumbnail::stacked(scene.theme, block(2 * row, column), block(2 * row + 1, column));
            buf[(x, y)].set_char(glyph).set_style(style);
        }
    }
    draw_frame(editor, view, window, inside, buf);
}

/// Paints the minimap into `raster`, the map's picture of the screen area `area`. Paints only the part of the minimap
/// that lies in this area.
pub(super) fn paint(
    editor: &Editor,
    scene: &Scene<'_>,
    view: &MapWindow,
    window: Rect,
    area: Rect,
    raster: &mut Raster,
) {
    let Some((place, scale)) = place(editor, view, window).zip(view.pixels) else {
        return;
    };
    let inside = inside(place);
    let shown = inside.intersection(area);
    if shown.is_empty() || !is_painted(view, inside) {
        return;
    }
    let (width, height) = (i32::from(scale.cell.width), i32::from(scale.cell.height));
    let (wide, high) = (i32::from(inside.width) * width, i32::from(inside.height) * height);
    let (left, top) = (
        (i32::from(inside.x) - i32::from(area.x)) * width,
        (i32::from(inside.y) - i32::from(area.y)) * height,
    );
    let (from, to) = (
        (
            i32::from(shown.x - inside.x) * width,
            i32::from(shown.y - inside.y) * height,
        ),
        (i32::from(shown.width) * width, i32::from(shown.height) * height),
    );
    raster.fill((left + from.0, top + from.1), to, CLEAR);
    let size = scene.size();
    // If the dungeon has more rows or columns than the minimap has pixels, one sample colours four pixels.
    let step = if size.y > wide || size.x > high { 2 } else { 1 };
    for down in (from.1..from.1 + to.1).step_by(step) {
        for right in (from.0..from.0 + to.0).step_by(step) {
            let corner = Point::new(begin(down, high, size.x), begin(right, wide, size.y));
            let end = |at: i32, of: i32, squares: i32| begin((at + step as i32).min(of), of, squares);
            let block = Size::new(
                (end(down, high, size.x) - corner.x).max(1),
                (end(right, wide, size.y) - corner.y).max(1),
            );
            let color = scene.sample(corner, block).map(|entry| scene.color_of(entry));
            if let Some(color) = color.and_then(rgba) {
                raster.fill((left + right, top + down), (step as i32, step as i32), color);
            }
        }
    }
    let Some(color) = editor.theme.frame().fg.and_then(rgba) else {
        return;
    };
    let seen = view.squares_in(window);
    let span = |origin: i32, seen: i32, squares: i32, of: i32| {
        let pixel =
            |square: i32| (i64::from(square.clamp(0, squares)) * i64::from(of) / i64::from(squares.max(1))) as i32;
        (pixel(origin), pixel(origin + seen))
    };
    let (first, last) = span(view.origin.x, seen.x, size.x, high);
    let (begin, end) = span(view.origin.y, seen.y, size.y, wide);
    let (corner, width, height) = ((left + begin, top + first), end - begin, last - first);
    raster.fill(corner, (width, FRAME), color);
    raster.fill((corner.0, top + last - FRAME), (width, FRAME), color);
    raster.fill(corner, (FRAME, height), color);
    raster.fill((left + end - FRAME, corner.1), (FRAME, height), color);
}

fn rgba(color: Color) -> Option<Rgba> {
    Theme::rgb(color).map(|[red, green, blue]| [red, green, blue, 255])
}

/// Draws the outline of the viewport into the minimap.
fn draw_frame(editor: &Editor, view: &MapWindow, window: Rect, inside: Rect, buf: &mut Buffer) {
    let dungeon = editor.map.dungeon;
    let seen = view.squares_in(window);
    let span = |origin: i32, seen: i32, squares: i32, from: u16, parts: u16| {
        let part = |square: i32| i64::from(square.clamp(0, squares)) * i64::from(parts) / i64::from(squares.max(1));
        let first = part(origin).min(i64::from(parts) - 1) as u16;
        let last = part(origin + seen - 1).clamp(i64::from(first), i64::from(parts) - 1) as u16;
        (from + first, from + last)
    };
    let (top, bottom) = span(view.origin.x, seen.x, dungeon.x, inside.y, inside.height);
    let (left, right) = span(view.origin.y, seen.y, dungeon.y, inside.x, inside.width);
    for y in top..=bottom {
        for x in left..=right {
            let sides = [y == top, y == bottom, x == left, x == right];
            let glyph = match sides {
                [true, true, true, true] => '□',
                [true, true, true, _] => '╶',
                [true, true, _, true] => '╴',
                [true, _, true, true] => '╷',
                [_, true, true, true] => '╵',
                [true, _, true, _] => '┌',
                [true, _, _, true] => '┐',
                [_, true, true, _] => '└',
                [_, true, _, true] => '┘',
                [true, ..] | [_, true, ..] => '─',
                [_, _, true, _] | [_, _, _, true] => '│',
                _ => continue,
            };
            replace_glyph(glyph, (x, y), editor.theme.frame(), buf);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_minimap_keeps_the_shape_and_every_character_shows_a_square(
            x in 20..4_000i32, y in 20..4_000i32, width in 9..32u16, height in 4..16u16,
        ) {
            let dungeon = Size::new(x, y);
            let (wide, high) = fitting(dungeon, width, height);
            prop_assert!((1..=width).contains(&wide) && (1..=height).contains(&high));
            prop_assert!(wide == width || high == height);
            let place = Rect::new(5, 3, wide + 2, high + 2);
            let first = square_at(place, dungeon, 0, 0);
            let last = square_at(place, dungeon, 300, 300);
            prop_assert!(dungeon.contains(first) && dungeon.contains(last));
            prop_assert!(first.x <= last.x && first.y <= last.y);
            prop_assert!(first.x <= x / i32::from(high) && first.y <= y / i32::from(wide));
        }
    }

    #[test]
    fn shapes() {
        assert_eq!(fitting(Size::new(100, 100), 20, 16), (20, 10));
        assert_eq!(fitting(Size::new(100, 100), 32, 8), (16, 8));
        assert_eq!(fitting(Size::new(20, 4_000), 20, 8), (20, 1));
        assert_eq!(fitting(Size::new(4_000, 20), 20, 8), (1, 8));
    }
}
