//! The map: the dungeon as it is at the moment shown, with a cursor, zoom and a view that moves.
//!
//! [`view`] computes which squares are seen, [`picture`] draws them, [`legend`] names the colours. This
//! module keeps where the user looks, and changes it by keys and mouse.

mod legend;
mod marked;
mod picture;
mod view;

use crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

pub(super) use legend::legend;
pub(super) use marked::{Mark, Marked};
pub(super) use picture::{draw, feature_glyph, is_filled};

use self::view::{View, Zoom};
use super::app::{Action, App, Effect, Focus};
use super::keys::{Binding, Context, Key};
use super::{tools, vaults};
use crate::geometry::{Forward, Point, Size};

/// Squares that a large step of the cursor takes.
const LARGE_STEP: i32 = 8;

/// Where the user looks.
#[derive(Debug)]
pub(super) struct State {
    dungeon: Size,
    /// The zoom that was chosen; `None`: as near as shows the whole dungeon.
    zoom: Option<Zoom>,
    /// The square that should be at the top left.
    origin: Point,
    cursor: Point,
    /// Whether the map stands alone while it has the focus.
    alone: bool,
    /// Where the pointer took hold of the map, and the origin then.
    held: Option<(u16, u16, Point)>,
}

/// Where the map and its cursor were at some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Standing {
    cursor: Point,
    origin: Point,
    zoom: Option<Zoom>,
}

/// What can be done on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// Move the cursor by a square.
    Step(Forward),
    /// Move the cursor by eight squares.
    Stride(Forward),
    /// Move the cursor by a window.
    Page(Forward),
    /// Draw squares larger.
    Nearer,
    /// Draw squares smaller.
    Farther,
    /// As near as shows the whole dungeon.
    Fit,
    /// Put the cursor's square in the middle of the window.
    Center,
    /// Hide the panels while the map has the focus, or show them again.
    Alone,
}

macro_rules! keys {
    ($($name:literal, [$($key:expr),*], $command:expr, $foot:literal, $help:literal;)*) => {
        &[$(Binding {
            context: Context::Map,
            name: $name,
            keys: &[$($key),*],
            action: Action::Map($command),
            help: $help,
            foot: $foot,
        }),*]
    };
}

/// Keys of the map.
pub(super) static KEYS: &[Binding] = keys! {
    "up", [Key::plain(KeyCode::Up), Key::char('k')], Command::Step(Forward::North), false, "Move the cursor up.";
    "down", [Key::plain(KeyCode::Down), Key::char('j')], Command::Step(Forward::South), false, "Move the cursor down.";
    "left", [Key::plain(KeyCode::Left), Key::char('h')], Command::Step(Forward::West), false, "Move the cursor left.";
    "right", [Key::plain(KeyCode::Right), Key::char('l')], Command::Step(Forward::East), false, "Move the cursor right.";
    "far up", [Key::shift(KeyCode::Up), Key::char('K')], Command::Stride(Forward::North), false, "Move the cursor up by eight squares.";
    "far down", [Key::shift(KeyCode::Down), Key::char('J')], Command::Stride(Forward::South), false, "Move the cursor down by eight squares.";
    "far left", [Key::shift(KeyCode::Left), Key::char('H')], Command::Stride(Forward::West), false, "Move the cursor left by eight squares.";
    "far right", [Key::shift(KeyCode::Right), Key::char('L')], Command::Stride(Forward::East), false, "Move the cursor right by eight squares.";
    "page up", [Key::plain(KeyCode::PageUp)], Command::Page(Forward::North), false, "Move up by a window.";
    "page down", [Key::plain(KeyCode::PageDown)], Command::Page(Forward::South), false, "Move down by a window.";
    "page left", [Key::plain(KeyCode::Home)], Command::Page(Forward::West), false, "Move left by a window.";
    "page right", [Key::plain(KeyCode::End)], Command::Page(Forward::East), false, "Move right by a window.";
    "zoom in", [Key::char('+'), Key::char('=')], Command::Nearer, true, "Draw squares larger.";
    "zoom out", [Key::char('-')], Command::Farther, false, "Draw squares smaller.";
    "fit", [Key::char('0'), Key::char('f')], Command::Fit, true, "Show the whole dungeon, as large as it fits.";
    "map only", [Key::char('m')], Command::Alone, true, "Give the map the whole width, or show the panels beside it again.";
    "centre", [Key::char('c')], Command::Center, false, "Put the cursor's square in the middle.";
};

impl State {
    /// The whole dungeon, with the cursor in its middle.
    pub(super) const fn new(dungeon: Size) -> Self {
        Self {
            dungeon,
            zoom: None,
            origin: Point::new(0, 0),
            cursor: Point::new(dungeon.x / 2, dungeon.y / 2),
            alone: false,
            held: None,
        }
    }

    /// Tells the map of a dungeon's size; place and zoom stay.
    pub(super) fn resized(&mut self, dungeon: Size) {
        if dungeon != self.dungeon {
            self.dungeon = dungeon;
            self.move_cursor(self.cursor);
        }
    }

    /// The square under the cursor.
    pub(super) const fn cursor(&self) -> Point {
        self.cursor
    }

    /// Moves the cursor to a square, or the nearest in the dungeon.
    pub(super) fn move_cursor(&mut self, to: Point) {
        self.cursor = Point::new(
            to.x.clamp(0, (self.dungeon.x - 1).max(0)),
            to.y.clamp(0, (self.dungeon.y - 1).max(0)),
        );
    }

    /// Where the map and its cursor are.
    pub(super) const fn standing(&self) -> Standing {
        Standing {
            cursor: self.cursor,
            origin: self.origin,
            zoom: self.zoom,
        }
    }

    /// Whether the map or its cursor was moved since; zooming alone moves nothing.
    pub(super) fn is_moved(&self, since: &Standing) -> bool {
        self.cursor != since.cursor || (self.zoom == since.zoom && self.origin != since.origin)
    }

    /// Whether the map stands alone while it has the focus.
    pub(super) const fn is_alone(&self) -> bool {
        self.alone
    }

    /// Whether the pointer holds the map.
    pub(super) const fn is_dragged(&self) -> bool {
        self.held.is_some()
    }

    /// What a window shows.
    fn view(&self, window: Rect) -> View {
        let zoom = self.zoom.unwrap_or_else(|| Zoom::fitting(self.dungeon, window));
        View::new(self.dungeon, window, zoom, self.origin)
    }

    /// Moves the view as little as shows the cursor.
    fn follow_cursor(&mut self, window: Rect) {
        let view = self.view(window);
        let seen = view.zoom.squares_in(window);
        let follow = |cursor: i32, origin: i32, seen: i32, step: i32| {
            if cursor < origin {
                cursor
            } else if cursor >= origin + seen {
                cursor - seen + step
            } else {
                origin
            }
        };
        self.origin = Point::new(
            follow(self.cursor.x, view.origin.x, seen.x, view.zoom.rows()),
            follow(self.cursor.y, view.origin.y, seen.y, view.zoom.columns()),
        );
    }

    fn center(&mut self, window: Rect) {
        let seen = self.view(window).zoom.squares_in(window);
        self.origin = Point::new(self.cursor.x - seen.x / 2, self.cursor.y - seen.y / 2);
    }

    /// Changes the zoom; the square stays where it is in the window.
    fn zoom_at(&mut self, zoom: Zoom, still: Point, window: Rect) {
        let before = self.view(window);
        self.zoom = Some(zoom);
        let part = |still: i32, origin: i32, seen: i32, seen_now: i32| {
            let offset = (i64::from(still) - i64::from(origin)) * i64::from(seen_now) / i64::from(seen.max(1));
            still - offset as i32
        };
        let (seen, now) = (before.zoom.squares_in(window), zoom.squares_in(window));
        self.origin = Point::new(
            part(still.x, before.origin.x, seen.x, now.x),
            part(still.y, before.origin.y, seen.y, now.y),
        );
    }
}

/// Where the squares are drawn: inside of the map's border.
fn window(area: Rect) -> Rect {
    area.inner(ratatui::layout::Margin::new(1, 1))
}

/// Moves the cursor to a square, and the view as little as shows it.
pub(super) fn go_to(app: &mut App, to: Point) {
    app.map.move_cursor(to);
    let window = window(app.areas().map);
    app.map.follow_cursor(window);
}

/// The square that a character of the screen shows, or the first of those; `None` where it shows none, unless `nearest`
/// asks for the nearest that could be seen.
pub(super) fn square_under(app: &App, column: u16, row: u16, nearest: bool) -> Option<Point> {
    let view = app.map.view(window(app.areas().map));
    let seen = view.area.contains((column, row).into());
    (seen || nearest).then(|| view.square_at(column, row))
}

/// The character that shows a square, if any does.
#[cfg(test)]
pub(super) fn character_of(app: &App, at: Point) -> Option<(u16, u16)> {
    app.map.view(window(app.areas().map)).character_of(at)
}

/// How many squares a character shows, where it shows more than one: rows and columns.
pub(super) fn squares_of_a_character(app: &App) -> Option<(i32, i32)> {
    let zoom = app.map.view(window(app.areas().map)).zoom;
    (zoom.rows() > 1).then(|| (zoom.rows(), zoom.columns()))
}

/// Does a command.
pub(super) fn update(app: &mut App, command: Command) {
    let window = window(app.areas().map);
    let map = &mut app.map;
    let seen = map.view(window).zoom.squares_in(window);
    let page = |forward: Forward| if forward.along_x() { seen.x } else { seen.y }.max(1);
    match command {
        Command::Step(forward) => map.move_cursor(map.cursor.step(forward, 1)),
        Command::Stride(forward) => map.move_cursor(map.cursor.step(forward, LARGE_STEP)),
        Command::Page(forward) => {
            map.origin = map.view(window).origin.step(forward, page(forward));
            map.move_cursor(map.cursor.step(forward, page(forward)));
        }
        Command::Nearer => map.zoom_at(map.view(window).zoom.nearer(), map.cursor, window),
        Command::Farther => map.zoom_at(map.view(window).zoom.farther(), map.cursor, window),
        Command::Fit => map.zoom = None,
        Command::Center => map.center(window),
        Command::Alone => map.alone = !map.alone,
    }
    // The command may have changed the window.
    let window = self::window(app.areas().map);
    app.map.follow_cursor(window);
}

/// Puts the cursor on a square, and the square in the middle of the window.
pub(super) fn center_on(app: &mut App, at: Point) {
    app.map.move_cursor(at);
    let window = window(app.areas().map);
    app.map.center(window);
}

/// The squares that the window shows: the first, and how many rows and columns.
pub(super) fn seen(app: &App) -> (Point, Size) {
    let window = window(app.areas().map);
    let view = app.map.view(window);
    (view.origin, view.zoom.squares_in(window))
}

/// Puts the cursor on a square and brings it into view.
pub(super) fn show(app: &mut App, at: Point) {
    app.map.move_cursor(at);
    let window = window(app.areas().map);
    app.map.follow_cursor(window);
}

/// A click sets the cursor, a drag moves the view, the wheel zooms where the pointer is.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    if app.tools.is_on() && !app.vaults.is_placing() {
        let square = tools::square(app, mouse);
        if let Some(effects) = tools::mouse(app, mouse, square) {
            return effects;
        }
    }
    let window = window(app.areas().map);
    let map = &mut app.map;
    let view = map.view(window);
    let square = view.square_at(mouse.column, mouse.row);
    match mouse.kind {
        // The ghost of a vault follows the pointer.
        MouseEventKind::Moved if app.vaults.is_placing() => map.move_cursor(square),
        MouseEventKind::Down(MouseButton::Left) if app.vaults.is_placing() => {
            map.move_cursor(square);
            return vaults::put_down(app);
        }
        MouseEventKind::Down(MouseButton::Left | MouseButton::Middle) => {
            map.held = Some((mouse.column, mouse.row, view.origin));
            if window.contains((mouse.column, mouse.row).into()) {
                map.move_cursor(square);
            }
            app.focus = Focus::Map;
        }
        MouseEventKind::Drag(MouseButton::Left | MouseButton::Middle) => {
            if let Some((column, row, origin)) = map.held {
                let down = i32::from(mouse.row) - i32::from(row);
                let right = i32::from(mouse.column) - i32::from(column);
                map.origin = Point::new(
                    origin.x - down * view.zoom.rows(),
                    origin.y - right * view.zoom.columns() / view.zoom.width(),
                );
            }
        }
        MouseEventKind::Up(_) => map.held = None,
        MouseEventKind::ScrollUp => map.zoom_at(view.zoom.nearer(), square, window),
        MouseEventKind::ScrollDown => map.zoom_at(view.zoom.farther(), square, window),
        _ => {}
    }
    Vec::new()
}
