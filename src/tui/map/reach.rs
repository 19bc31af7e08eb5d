//! Selects one of the squares that a clicked character shows.
//!
//! Terminals report only the character under the pointer. So a click selects the character's most likely square: a
//! square with an awake Builder if there is one, else a square with a tile, else an open square. Another click on the
//! same character selects the next square. While a tool draws or a vault is placed, pointer movements within the
//! cursor's character do not move the cursor, so that keys can select another square of the character.

use std::collections::BTreeSet;

use ratatui::layout::Rect;

use crate::engine::Tile;
use crate::geometry::Point;
use crate::recording::BuilderState;
use crate::tui::editor::Editor;
use crate::tui::viewport::{MapViewState, MapWindow, window};

/// Maximum number of squares of a character that are checked. At the farthest zoom levels a character shows more
/// squares; only keys reach the remaining ones.
const MOST: usize = 4_096;

/// Maximum number of squares per character for which clicks also cycle through open squares. If a character shows more
/// squares, clicks skip open ones.
const FEW: i32 = 8;

/// Returns the dungeon's squares in a character, row by row.
fn squares(map: &MapViewState, view: &MapWindow, column: u16, row: u16) -> impl Iterator<Item = Point> {
    let (first, count) = view.squares_of(column, row);
    let size = map.dungeon;
    let all =
        (0..count.x).flat_map(move |down| (0..count.y).map(move |right| Point::new(first.x + down, first.y + right)));
    all.filter(move |at| size.contains(*at)).take(MOST)
}

/// Returns the squares through which clicks on a character cycle, the most likely first.
fn candidates(editor: &Editor, view: &MapWindow, column: u16, row: u16) -> Vec<Point> {
    let all: Vec<Point> = squares(&editor.map, view, column, row).collect();
    let Some(frame) = editor.time.frame().filter(|_| all.len() > 1) else {
        return all;
    };
    let awake = frame
        .living()
        .filter(|(_, builder)| builder.state == BuilderState::Awake);
    let awake: BTreeSet<Point> = awake.map(|(_, builder)| builder.at).collect();
    let rank = |at: &Point| match frame.grid().tile(*at) {
        _ if awake.contains(at) => 0,
        Tile::Open => 2,
        _ => 1,
    };
    let mut ranked = all;
    ranked.sort_by_key(rank);
    if squares_per_character(view) > FEW {
        let occupied = ranked.iter().take_while(|at| rank(at) < 2).count();
        ranked.truncate(occupied.max(1));
    }
    ranked
}

/// Returns the number of squares that the viewport's first character shows. In a map in pixels, other characters may
/// show one row or column of squares more or less.
fn squares_per_character(view: &MapWindow) -> i32 {
    let (_, size) = view.squares_of(view.area.x, view.area.y);
    size.x * size.y
}

/// Returns whether a character shows the cursor's square.
pub(super) fn has_cursor(map: &MapViewState, view: &MapWindow, column: u16, row: u16) -> bool {
    let (first, size) = view.squares_of(column, row);
    let at = map.cursor();
    let is_shown = view.area.contains((column, row).into());
    is_shown && (first.x..first.x + size.x).contains(&at.x) && (first.y..first.y + size.y).contains(&at.y)
}

/// Moves the cursor to a clicked character's most likely square. If the cursor is already on one of the character's
/// squares, `again` moves it to the next of them.
pub(super) fn click(editor: &mut Editor, view: &MapWindow, column: u16, row: u16, again: bool) {
    let all = candidates(editor, view, column, row);
    let now = all.iter().position(|at| *at == editor.map.cursor());
    let next = match now {
        Some(now) if again => (now + 1) % all.len(),
        Some(now) => now,
        None => 0,
    };
    let Some(at) = all.get(next) else { return };
    editor.map.move_cursor(*at);
    if all.len() > 1 {
        let description = format!(
            "{at}: square {} of {} in this character; click again for the next, or use the arrow keys",
            next + 1,
            all.len()
        );
        editor.done(description);
    }
}

/// Returns the square under a moving pointer: the cursor's if the character shows it, otherwise the character's first
/// square.
pub(super) fn pointed(map: &MapViewState, view: &MapWindow, column: u16, row: u16) -> Point {
    if has_cursor(map, view, column, row) {
        map.cursor()
    } else {
        view.square_at(column, row)
    }
}

impl MapViewState {
    /// Returns the square shown at a position on the screen; `None` outside the viewport. While something is dragged
    /// from the square `dragged`, also returns squares beyond the viewport.
    pub(in crate::tui) fn square_under(
        &self,
        area: Rect,
        column: u16,
        row: u16,
        dragged: Option<Point>,
    ) -> Option<Point> {
        let view = self.view(window(area));
        if let Some(from) = dragged {
            return Some(self::dragged(&view, from, column, row));
        }
        let seen = view.area.contains((column, row).into());
        seen.then(|| pointed(self, &view, column, row))
    }

    /// Returns the square under a moving pointer, even outside the viewport.
    pub(in crate::tui) fn pointed(&self, area: Rect, column: u16, row: u16) -> Point {
        pointed(self, &self.view(window(area)), column, row)
    }

    /// Returns `at`, followed by the other squares that are drawn in the same character. If a character shows more than
    /// [`FEW`] squares, returns only `at`.
    pub(in crate::tui) fn beside(&self, area: Rect, at: Point) -> Vec<Point> {
        let view = self.view(window(area));
        let mut all = vec![at];
        if let Some((column, row)) = view
            .character_of(at)
            .filter(|_| (2..=FEW).contains(&squares_per_character(&view)))
        {
            all.extend(squares(self, &view, column, row).filter(|other| *other != at));
        }
        all
    }
}

/// Returns the square that a drag from `from` has reached. The square's offset in the pointer's character equals the
/// offset of `from` in the character that shows `from`.
pub(super) fn dragged(view: &MapWindow, from: Point, column: u16, row: u16) -> Point {
    let first = view.square_at(column, row);
    if view.pixels.is_some() {
        return first;
    }
    let part = |from: i32, origin: i32, each: i32| (from - origin).rem_euclid(each);
    Point::new(
        first.x + part(from.x, view.origin.x, view.zoom.rows()),
        first.y + part(from.y, view.origin.y, view.zoom.columns()),
    )
}

#[cfg(test)]
mod tests {
    use crossterm::event::{MouseButton, MouseEventKind};

    use super::*;
    use crate::engine::Grid;
    use crate::geometry::Size;
    use crate::recording::EventChunk;
    use crate::tui::fixture::TestApp;
    use crate::tui::viewport::Zoom;

    fn view(designer: &TestApp) -> MapWindow {
        designer.app.editor.map.view(window(designer.app.editor.areas.map))
    }

    #[test]
    fn clicks_on_a_character_reach_each_of_its_squares() {
        for (zoom, squares_of_one) in [(Zoom::Double, 1), (Zoom::Half, 2), (Zoom::Dots(1), 8)] {
            let mut designer = TestApp::grown(120, 40);
            designer.app.editor.map.zoom = Some(zoom);
            let view = view(&designer);
            assert_eq!(view.zoom, zoom);
            let (column, row) = (view.area.x + 9, view.area.y + 4);
            let shown: BTreeSet<Point> = squares(&designer.app.editor.map, &view, column, row).collect();
            assert_eq!(shown.len(), squares_of_one);
            let mut reached = BTreeSet::new();
            for _ in 0..squares_of_one {
                designer.click(column, row);
                assert!(reached.insert(designer.app.editor.map.cursor()), "no square twice");
            }
            assert_eq!(reached, shown);
            assert_eq!(designer.text().contains("in this character"), squares_of_one > 1);
        }
    }

    #[test]
    fn clicks_select_tiles_before_open_squares() {
        let mut designer = TestApp::grown(120, 40);
        for zoom in [Zoom::Half, Zoom::Dots(1), Zoom::Dots(2), Zoom::Dots(4)] {
            designer.app.editor.map.zoom = Some(zoom);
            let view = view(&designer);
            let grid = designer.app.editor.time.frame().unwrap().grid().clone();
            let mut hit = 0;
            for row in view.area.top()..view.area.bottom() {
                for column in (view.area.left()..view.area.right()).step_by(3) {
                    let stands =
                        squares(&designer.app.editor.map, &view, column, row).any(|at| grid.tile(at) != Tile::Open);
                    designer.app.editor.map.move_cursor(Point::new(-1, -1));
                    if has_cursor(&designer.app.editor.map, &view, column, row) {
                        continue;
                    }
                    click(&mut designer.app.editor, &view, column, row, false);
                    assert_eq!(
                        grid.tile(designer.app.editor.map.cursor()) != Tile::Open,
                        stands,
                        "{zoom:?}"
                    );
                    assert!(has_cursor(&designer.app.editor.map, &view, column, row));
                    hit += usize::from(stands);
                }
            }
            assert!(hit > 3);
        }
        // An awake Builder comes first.
        designer.app.editor.map.zoom = Some(Zoom::Dots(1));
        designer.app.editor.time.seek(3);
        let view = view(&designer);
        let frame = designer.app.editor.time.frame().unwrap();
        let at = frame
            .living()
            .find(|(_, builder)| builder.state == BuilderState::Awake)
            .unwrap()
            .1
            .at;
        let (column, row) = view.character_of(at).unwrap();
        designer.app.editor.map.move_cursor(Point::new(39, 59));
        designer.click(column, row);
        assert_eq!(designer.app.editor.map.cursor(), at);
    }

    #[test]
    fn the_first_click_on_the_cursors_character_selects_the_most_likely_square() {
        let mut designer = TestApp::grown(120, 40);
        designer.app.editor.map.zoom = Some(Zoom::Dots(4));
        let view = view(&designer);
        let grid = designer.app.editor.time.frame().unwrap().grid().clone();
        // A character that shows an open square and several tiles.
        let (at, [tiles, open]) = view
            .area
            .positions()
            .map(|at| {
                let shown = squares(&designer.app.editor.map, &view, at.x, at.y);
                let (tiles, open): (Vec<_>, Vec<_>) = shown.partition(|at| grid.tile(*at) != Tile::Open);
                (at, [tiles, open])
            })
            .find(|(_, [tiles, open])| tiles.len() > 1 && !open.is_empty())
            .unwrap();
        designer.app.editor.map.move_cursor(open[0]);
        designer.click(at.x, at.y);
        assert_eq!(designer.app.editor.map.cursor(), tiles[0]);
        designer.click(at.x, at.y);
        assert_eq!(designer.app.editor.map.cursor(), tiles[1]);
    }

    #[test]
    fn a_drag_of_the_map_is_not_a_second_click() {
        let mut designer = TestApp::grown(120, 40);
        designer.app.editor.map.zoom = Some(Zoom::Half);
        let view = view(&designer);
        let (column, row) = (view.area.x + 9, view.area.y + 4);
        designer.click(column, row);
        let cursor = designer.app.editor.map.cursor();
        designer.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
        designer.mouse(MouseEventKind::Drag(MouseButton::Left), column + 3, row);
        designer.mouse(MouseEventKind::Up(MouseButton::Left), column + 3, row);
        assert_eq!(designer.app.editor.map.cursor(), cursor);
    }

    #[test]
    fn a_drag_of_the_map_away_and_back_is_not_a_second_click() {
        let mut designer = TestApp::grown(120, 40);
        designer.app.editor.map.zoom = Some(Zoom::Half);
        let view = view(&designer);
        let (column, row) = (view.area.x + 9, view.area.y + 4);
        designer.click(column, row);
        let cursor = designer.app.editor.map.cursor();
        designer.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
        designer.mouse(MouseEventKind::Drag(MouseButton::Left), column + 3, row);
        designer.mouse(MouseEventKind::Drag(MouseButton::Left), column, row);
        designer.mouse(MouseEventKind::Up(MouseButton::Left), column, row);
        assert_eq!(designer.app.editor.map.cursor(), cursor);
        // Some terminals report movements within a character; the pointer has not left it then.
        designer.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
        designer.mouse(MouseEventKind::Drag(MouseButton::Left), column, row);
        designer.mouse(MouseEventKind::Up(MouseButton::Left), column, row);
        assert_ne!(designer.app.editor.map.cursor(), cursor);
    }

    #[test]
    fn zooming_by_wheel_keeps_the_square_under_the_pointer() {
        let mut designer = TestApp::new(120, 40);
        let grid = Grid::new(Size::new(200, 300));
        designer.receive_run((grid, EventChunk::default(), EventChunk::default()));
        designer.app.advance(std::time::Duration::ZERO);
        let view = |designer: &TestApp| designer.app.editor.map.view(window(designer.app.editor.areas.map));
        let middle = (view(&designer).area.x + 20, view(&designer).area.y + 6);
        // Zoom in first, because a dungeon smaller than the viewport is centred.
        for _ in 0..2 {
            designer.mouse(MouseEventKind::ScrollUp, middle.0, middle.1);
        }
        let (column, row) = (view(&designer).area.x + 30, view(&designer).area.y + 12);
        let square = view(&designer).square_at(column, row);
        for turns in 1..=3 {
            designer.mouse(MouseEventKind::ScrollUp, column, row);
            let (at, down) = view(&designer).character_of(square).unwrap();
            assert!(
                at.abs_diff(column) <= 2 && down.abs_diff(row) <= 1,
                "{turns}: {at} {down}"
            );
        }
    }

    #[test]
    fn a_drag_keeps_its_offset_within_the_character() {
        let view = MapWindow::new(
            Size::new(60, 60),
            ratatui::layout::Rect::new(1, 1, 30, 15),
            Zoom::Dots(1),
            Point::new(8, 4),
        );
        let from = Point::new(view.origin.x + 6, view.origin.y + 3);
        let (column, row) = view.character_of(from).unwrap();
        assert_eq!(dragged(&view, from, column, row), from);
        assert_eq!(
            dragged(&view, from, column + 2, row + 1),
            Point::new(from.x + 4, from.y + 4)
        );
    }
}
