//! The map: the dungeon at the moment shown, with a cursor, zoom and scrolling.
//!
//! [`view`] computes which squares are visible, [`colours`] and [`changes`] what they are counted as, [`scene`] and
//! [`picture`] draw them, [`lookahead`] adds the Builders' look-ahead, [`legend`] explains the colours, [`minimap`] is
//! the small map in a corner. This module holds the state of the viewport, and changes it by keys and mouse.

mod changes;
mod colours;
mod cover;
mod legend;
mod lookahead;
mod marked;
mod minimap;
mod mouse;
mod overview;
mod picture;
mod reach;
mod scene;
#[cfg(test)]
mod tests;
mod view;
mod wall_frequency;

use ratatui::layout::Rect;

pub(super) use colours::keep as count_colours;
pub(super) use legend::{click as click_legend, legend};
pub(super) use mouse::mouse;
pub(super) use overview::knows_octants;
pub(super) use picture::draw;
pub(super) use view::{MapWindow as Lens, Zoom};
pub(super) use wall_frequency::{before_frame as count_walls, handle_reply as handle_wall_frequency};

use self::colours::{HiddenGenerations, LegendCache};
use self::lookahead::Lookahead;
use self::overview::Overview;
use self::view::MapWindow;
use self::wall_frequency::WallFrequencyState;
use super::editor::{Editor, NoticeLevel};
use super::theme::Ground;
use crate::engine;
use crate::geometry::{Forward, Point, Size};
use crate::tui::commands::{ColourMode, MapCommand};

/// Squares of a large step of the cursor.
const LARGE_STEP: i32 = 8;

/// The wheel scrolls by one part in this many of the viewport.
const PAN: i32 = 8;

/// The state of the map.
#[derive(Debug)]
pub(super) struct MapViewState {
    dungeon: Size,
    /// The zoom that the user chose; `None`: the closest that shows the whole dungeon.
    zoom: Option<Zoom>,
    /// The square wanted at the top left.
    origin: Point,
    cursor: Point,
    /// Whether the panels are hidden while the map has the focus.
    alone: bool,
    /// The drag of the map under way.
    held: Option<mouse::MapDrag>,
    /// The colour mode, and the generations that are not drawn.
    colours: ColourMode,
    hidden: HiddenGenerations,
    /// The colour mode to return to from changes or wall frequency.
    settled: ColourMode,
    counted: Option<LegendCache>,
    /// The selected row of the legend.
    legend: usize,
    /// Whether the Builders' look-ahead is shown.
    looks: Lookahead,
    /// Whether the minimap is enabled, and its area while it is dragged.
    small_map: bool,
    held_small: Option<Rect>,
    /// The characters chosen for the far zooms, and whether the terminal is known to draw octants.
    overview: Option<Overview>,
    octants: bool,
    /// How often each square is wall over many seeds.
    pub(super) frequency: WallFrequencyState,
}

/// The position of the map and its cursor at some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MapPosition {
    cursor: Point,
    origin: Point,
    zoom: Option<Zoom>,
}

impl MapViewState {
    /// Returns whether no generation is hidden.
    pub(super) const fn shows_all(&self) -> bool {
        self.hidden.is_none()
    }

    /// Creates a map that shows the whole dungeon, with the cursor in its middle.
    pub(super) fn new(dungeon: Size) -> Self {
        Self {
            dungeon,
            zoom: None,
            origin: Point::new(0, 0),
            cursor: Point::new(dungeon.x / 2, dungeon.y / 2),
            alone: false,
            held: None,
            colours: ColourMode::Generation,
            hidden: HiddenGenerations::NONE,
            settled: ColourMode::Generation,
            counted: None,
            legend: 0,
            looks: Lookahead::Hidden,
            small_map: true,
            held_small: None,
            overview: None,
            octants: false,
            frequency: WallFrequencyState::default(),
        }
    }

    /// Resets the map for another document. What the terminal draws stays known, and a count under way is ended by its
    /// next frame.
    pub(super) fn renew(&mut self, dungeon: Size) {
        let old = std::mem::replace(self, Self::new(dungeon));
        (self.octants, self.frequency) = (old.octants, old.frequency);
        self.frequency.forget();
    }

    /// Sets whether the terminal is known to draw octants.
    pub(super) const fn know_octants(&mut self, known: bool) {
        self.octants = known;
    }

    /// Returns whether the terminal is known to draw octants.
    pub(super) const fn has_octants(&self) -> bool {
        self.octants
    }

    /// Returns the characters of a far zoom.
    fn overview(&self, zoom: Zoom) -> Overview {
        self.overview.unwrap_or_else(|| Overview::best(zoom, self.octants))
    }

    /// Returns whether the colours need the origins of tiles.
    pub(super) const fn needs_origins(&self) -> bool {
        self.colours.needs_origins()
    }

    /// Sets the dungeon's size; position and zoom stay.
    pub(super) fn resized(&mut self, dungeon: Size) {
        if dungeon != self.dungeon {
            self.dungeon = dungeon;
            self.move_cursor(self.cursor);
        }
    }

    /// Returns the square under the cursor.
    pub(super) const fn cursor(&self) -> Point {
        self.cursor
    }

    /// Moves the cursor to a square, or to the nearest one in the dungeon.
    pub(super) fn move_cursor(&mut self, to: Point) {
        self.cursor = Point::new(
            to.x.clamp(0, (self.dungeon.x - 1).max(0)),
            to.y.clamp(0, (self.dungeon.y - 1).max(0)),
        );
    }

    /// Returns the position of the map and its cursor.
    pub(super) const fn position(&self) -> MapPosition {
        MapPosition {
            cursor: self.cursor,
            origin: self.origin,
            zoom: self.zoom,
        }
    }

    /// Returns whether the map or its cursor was moved since; zooming alone does not count.
    pub(super) fn is_moved(&self, since: &MapPosition) -> bool {
        self.cursor != since.cursor || (self.zoom == since.zoom && self.origin != since.origin)
    }

    /// Returns whether the panels are hidden while the map has the focus.
    pub(super) const fn is_alone(&self) -> bool {
        self.alone
    }

    /// Returns whether the mouse drags the map or the minimap.
    pub(super) const fn is_dragged(&self) -> bool {
        self.held.is_some() || self.held_small.is_some()
    }

    /// Returns the part of the dungeon that a viewport shows.
    fn view(&self, window: Rect) -> MapWindow {
        let zoom = self.zoom.unwrap_or_else(|| Zoom::fitting(self.dungeon, window));
        MapWindow::new(self.dungeon, window, zoom, self.origin)
    }

    /// Scrolls as little as needed to show the cursor.
    fn follow_cursor(&mut self, window: Rect) {
        let view = self.view(window);
        self.origin = view.origin_that_shows(self.cursor, window);
    }

    /// Centres the viewport on a square.
    fn center(&mut self, at: Point, window: Rect) {
        let seen = self.view(window).zoom.squares_in(window);
        self.origin = Point::new(at.x - seen.x / 2, at.y - seen.y / 2);
    }

    /// Moves the cursor to a square, and scrolls as little as needed to show it.
    pub(super) fn show(&mut self, at: Point, area: Rect) {
        self.move_cursor(at);
        self.follow_cursor(window(area));
    }

    /// Moves the cursor to a square, and centres the viewport on it.
    pub(super) fn center_on(&mut self, at: Point, area: Rect) {
        self.move_cursor(at);
        self.center(at, window(area));
    }

    /// Returns the square under a character of the screen; `None` where there is none. While something is dragged from a
    /// square, squares beyond the viewport count too.
    pub(super) fn square_under(&self, area: Rect, column: u16, row: u16, dragged: Option<Point>) -> Option<Point> {
        let view = self.view(window(area));
        if let Some(from) = dragged {
            return Some(reach::dragged(&view, from, column, row));
        }
        let seen = view.area.contains((column, row).into());
        seen.then(|| reach::pointed(self, &view, column, row))
    }

    /// Returns the square that a moving pointer means, on or off the squares shown.
    pub(super) fn pointed(&self, area: Rect, column: u16, row: u16) -> Point {
        reach::pointed(self, &self.view(window(area)), column, row)
    }

    /// Returns the character that shows a square, if any does.
    #[cfg(test)]
    pub(super) fn character_of(&self, area: Rect, at: Point) -> Option<(u16, u16)> {
        self.view(window(area)).character_of(at)
    }

    /// Returns how many squares one character shows, if more than one: rows and columns.
    pub(super) fn squares_of_a_character(&self, area: Rect) -> Option<(i32, i32)> {
        let zoom = self.view(window(area)).zoom;
        (zoom.rows() > 1).then(|| (zoom.rows(), zoom.columns()))
    }

    /// Returns the visible squares: the first, and the number of rows and columns.
    pub(super) fn visible(&self, area: Rect) -> (Point, Size) {
        let window = window(area);
        let view = self.view(window);
        (view.origin, view.zoom.squares_in(window))
    }

    /// Scrolls by a part of the viewport.
    fn pan(&mut self, forward: Forward, window: Rect) {
        let view = self.view(window);
        let seen = view.zoom.squares_in(window);
        let squares = if forward.along_x() { seen.x } else { seen.y };
        self.origin = view.origin.step(forward, (squares / PAN).max(1));
    }

    /// Changes the zoom; the square `still` keeps its place on the screen, or moves to the centre if it was not
    /// visible.
    fn zoom_at(&mut self, zoom: Zoom, still: Point, window: Rect) {
        let middle = (window.x + window.width / 2, window.y + window.height / 2);
        let (column, row) = self.view(window).character_of(still).unwrap_or(middle);
        self.zoom = Some(zoom);
        let (down, right) = (i32::from(row - window.y), i32::from(column - window.x));
        self.origin = Point::new(
            still.x - down * zoom.rows(),
            still.y - right / zoom.width() * zoom.columns(),
        );
    }
}

/// Returns the area of the squares: inside the map's border.
fn window(area: Rect) -> Rect {
    area.inner(ratatui::layout::Margin::new(1, 1))
}

/// Returns whether a command is available in the player of recordings.
pub(super) const fn looks(command: MapCommand) -> bool {
    !matches!(
        command,
        MapCommand::Alone | MapCommand::Changes | MapCommand::Luck | MapCommand::Legend(_)
    )
}

/// Carries out a command.
pub(super) fn update(editor: &mut Editor, command: MapCommand) {
    let window = window(editor.areas.map);
    let map = &mut editor.map;
    let seen = map.view(window).zoom.squares_in(window);
    let page = |forward: Forward| if forward.along_x() { seen.x } else { seen.y }.max(1);
    match command {
        MapCommand::Step(forward) => map.move_cursor(map.cursor.step(forward, 1)),
        MapCommand::Stride(forward) => map.move_cursor(map.cursor.step(forward, LARGE_STEP)),
        MapCommand::Page(forward) => {
            map.origin = map.view(window).origin.step(forward, page(forward));
            map.move_cursor(map.cursor.step(forward, page(forward)));
        }
        MapCommand::Nearer => map.zoom_at(map.view(window).zoom.nearer(), map.cursor, window),
        MapCommand::Farther => map.zoom_at(map.view(window).zoom.farther(), map.cursor, window),
        MapCommand::Fit => map.zoom = None,
        MapCommand::Center => map.center(map.cursor, window),
        MapCommand::Alone => map.alone = !map.alone,
        _ => return change_look(editor, command),
    }
    // The command may have changed the viewport.
    let window = self::window(editor.areas.map);
    editor.map.follow_cursor(window);
}

/// Carries out a command that changes the look of squares.
fn change_look(editor: &mut Editor, command: MapCommand) {
    let map = &mut editor.map;
    match command {
        MapCommand::Colour(colours) => map.colours = colours,
        MapCommand::NextColours(_) if matches!(map.colours, ColourMode::Changes | ColourMode::Luck) => {
            map.colours = map.settled;
        }
        MapCommand::NextColours(by) => map.colours = map.colours.next(by),
        MapCommand::Changes => changes::toggle(editor),
        MapCommand::Luck => wall_frequency::toggle(editor),
        MapCommand::Hide | MapCommand::ShowAlone => {
            let mark = editor.time.frame().map(|frame| frame.grid().mark(map.cursor));
            match mark {
                Some(engine::Mark::Generation(generation)) if command == MapCommand::Hide => {
                    map.hidden.toggle(generation);
                }
                Some(engine::Mark::Generation(generation)) => map.hidden.toggle_alone(generation),
                _ => editor.say(
                    NoticeLevel::Warning,
                    "no generation laid a tile on the cursor's square; the view Legend lists all",
                ),
            }
        }
        MapCommand::ShowAll => map.hidden = HiddenGenerations::NONE,
        MapCommand::Legend(command) => legend::update(editor, command),
        MapCommand::Ahead => lookahead::toggle(editor),
        MapCommand::SmallMap => {
            map.small_map = !map.small_map;
            let description = if map.small_map {
                "small map where the window shows a part"
            } else {
                "no small map"
            };
            editor.say(NoticeLevel::Done, description);
        }
        MapCommand::Overview => {
            map.overview = Overview::after(map.overview);
            let description = Overview::name(map.overview);
            editor.say(NoticeLevel::Done, description);
        }
        MapCommand::LightGround => {
            let ground = match editor.theme.ground() {
                Ground::Dark => Ground::Light,
                Ground::Light => Ground::Dark,
            };
            editor.theme = editor.theme.on(ground).with(&editor.configured.settings.colours);
        }
        // The other commands move the cursor and the viewport.
        _ => {}
    }
}
