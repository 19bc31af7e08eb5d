//! The viewport of the map: zoom, origin, cursor, and what the map is set to show.
//!
//! [`MapWindow`] converts between squares and characters. The map draws and changes this state; other modules move the
//! cursor and read which squares are visible.

mod hidden;
mod legend_row;
mod map_window;
mod overview;
mod pixels;
mod wall_frequency;
mod zoom;

use std::sync::Arc;

use ratatui::layout::Rect;

pub(in crate::tui) use self::hidden::HiddenGenerations;
pub(in crate::tui) use self::legend_row::{LegendCache, LegendEntry, LegendKey, LegendRow, SquareChange};
pub(in crate::tui) use self::map_window::MapWindow;
pub(in crate::tui) use self::overview::{Overview, knows_octants};
pub(in crate::tui) use self::pixels::{CellSize, MapScale, PictureSupport, PixelScale};
pub(in crate::tui) use self::wall_frequency::WallFrequencyState;
pub(in crate::tui) use self::zoom::Zoom;
use super::commands::ColourMode;
use super::widget::list::ListState;
use crate::analysis::counterfactual::Alternative;
use crate::engine::Grid;
use crate::geometry::{Forward, Point, Size};

/// One step of panning scrolls by the viewport's size divided by this number.
const PAN: i32 = 8;

/// The visibility of the Builders' look-ahead on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Lookahead {
    Hidden,
    Shown,
}

/// The way in which the map is drawn in terminals that show pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum DrawnIn {
    Pixels,
    Characters,
}

/// The start of a drag of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct MapDrag {
    pub(in crate::tui) column: u16,
    pub(in crate::tui) row: u16,
    /// The viewport's origin at the start.
    pub(in crate::tui) origin: Point,
    /// Whether the press was on the cursor's character and did not move the cursor, and the pointer has stayed on that
    /// character since.
    pub(in crate::tui) again: bool,
}

/// The state of the map.
#[derive(Debug)]
pub(in crate::tui) struct MapViewState {
    pub(in crate::tui) dungeon: Size,
    /// The zoom that the user chose; `None` selects the closest zoom that shows the whole dungeon.
    pub(in crate::tui) zoom: Option<Zoom>,
    /// The scale that the user chose for a map in pixels; `None` selects the largest scale that shows the whole
    /// dungeon.
    pub(in crate::tui) scale: Option<PixelScale>,
    /// The terminal's support for pictures; `None` if the map cannot be drawn in pixels.
    pub(in crate::tui) pictures: Option<PictureSupport>,
    /// Whether the user wants pixels or characters in terminals that can show pictures.
    pub(in crate::tui) drawn_in: DrawnIn,
    /// The square that should be at the top left of the viewport, as far as the dungeon's edges allow.
    pub(in crate::tui) origin: Point,
    pub(in crate::tui) cursor: Point,
    /// Whether the panels are hidden while the map has the focus.
    pub(in crate::tui) alone: bool,
    /// The current drag of the map, if any.
    pub(in crate::tui) held: Option<MapDrag>,
    /// The colour mode, and the generations that are not drawn.
    pub(in crate::tui) colours: ColourMode,
    pub(in crate::tui) hidden: HiddenGenerations,
    /// The dungeon that results from one change to the run. It is shown in place of the run's own dungeon, with the
    /// differences in colour.
    pub(in crate::tui) alternative: Option<AlternativeDungeon>,
    /// The colour mode to return to when the map stops showing changes or wall frequency.
    pub(in crate::tui) chosen_colours: ColourMode,
    pub(in crate::tui) counted: Option<LegendCache>,
    /// The selection and scroll position of the legend.
    pub(in crate::tui) legend: ListState,
    /// Whether the Builders' look-ahead is shown.
    pub(in crate::tui) lookahead: Lookahead,
    /// Whether the minimap is enabled, and its area while it is dragged.
    pub(in crate::tui) small_map: bool,
    pub(in crate::tui) held_small: Option<Rect>,
    /// The characters that the user chose for the far zoom levels (`None` for the default), and whether the terminal is
    /// known to draw octants.
    pub(in crate::tui) overview: Option<Overview>,
    pub(in crate::tui) octants: bool,
    /// How often each square is a wall over many seeds.
    pub(in crate::tui) frequency: WallFrequencyState,
}

/// The dungeon that results from one change to a run.
#[derive(Debug, Clone)]
pub(in crate::tui) struct AlternativeDungeon {
    /// The change.
    pub(in crate::tui) alternative: Alternative,
    /// The finished dungeon.
    pub(in crate::tui) grid: Arc<Grid>,
    /// Number of the run that the change is based on.
    pub(in crate::tui) run: u64,
}

/// The position of the map and its cursor at some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct MapPosition {
    cursor: Point,
    origin: Point,
    zoom: Option<Zoom>,
    scale: Option<PixelScale>,
}

impl MapViewState {
    /// Shows the run's own dungeon again in place of the alternative one.
    pub(in crate::tui) fn end_alternative(&mut self) {
        if self.alternative.take().is_some() && self.colours == ColourMode::Changes {
            self.colours = self.chosen_colours;
        }
    }

    /// Returns whether no generation is hidden.
    pub(in crate::tui) const fn shows_all(&self) -> bool {
        self.hidden.is_none()
    }

    /// Creates a map that shows the whole dungeon, with the cursor in its middle.
    pub(in crate::tui) fn new(dungeon: Size) -> Self {
        Self {
            dungeon,
            zoom: None,
            scale: None,
            pictures: None,
            drawn_in: DrawnIn::Pixels,
            origin: Point::new(0, 0),
            cursor: Point::new(dungeon.x / 2, dungeon.y / 2),
            alone: false,
            held: None,
            colours: ColourMode::Generation,
            hidden: HiddenGenerations::NONE,
            chosen_colours: ColourMode::Generation,
            alternative: None,
            counted: None,
            legend: ListState::default(),
            lookahead: Lookahead::Hidden,
            small_map: true,
            held_small: None,
            overview: None,
            octants: false,
            frequency: WallFrequencyState::default(),
        }
    }

    /// Resets the map for another document. Keeps what is known about the terminal, and the choice between pixels and
    /// characters. If a count of wall frequencies is in progress, the next frame ends it.
    pub(in crate::tui) fn renew(&mut self, dungeon: Size) {
        let old = std::mem::replace(self, Self::new(dungeon));
        (self.octants, self.frequency) = (old.octants, old.frequency);
        (self.pictures, self.drawn_in) = (old.pictures, old.drawn_in);
        self.frequency.forget();
    }

    /// Sets whether the terminal is known to draw octants.
    pub(in crate::tui) const fn set_octants_known(&mut self, known: bool) {
        self.octants = known;
    }

    /// Returns whether the terminal is known to draw octants.
    pub(in crate::tui) const fn has_octants(&self) -> bool {
        self.octants
    }

    /// Returns the characters of a far zoom.
    pub(in crate::tui) fn overview(&self, zoom: Zoom) -> Overview {
        self.overview.unwrap_or_else(|| Overview::best(zoom, self.octants))
    }

    /// Returns whether the colour mode needs to know which Builder laid each tile, and when.
    pub(in crate::tui) const fn needs_origins(&self) -> bool {
        self.colours.needs_origins()
    }

    /// Sets the dungeon's size; keeps the position and the zoom.
    pub(in crate::tui) fn resized(&mut self, dungeon: Size) {
        if dungeon != self.dungeon {
            self.dungeon = dungeon;
            self.move_cursor(self.cursor);
        }
    }

    /// Returns the square under the cursor.
    pub(in crate::tui) const fn cursor(&self) -> Point {
        self.cursor
    }

    /// Moves the cursor to a square. If the square is outside the dungeon, moves the cursor to the nearest square
    /// inside.
    pub(in crate::tui) fn move_cursor(&mut self, to: Point) {
        self.cursor = Point::new(
            to.x.clamp(0, (self.dungeon.x - 1).max(0)),
            to.y.clamp(0, (self.dungeon.y - 1).max(0)),
        );
    }

    /// Returns the position of the map and its cursor.
    pub(in crate::tui) const fn position(&self) -> MapPosition {
        MapPosition {
            cursor: self.cursor,
            origin: self.origin,
            zoom: self.zoom,
            scale: self.scale,
        }
    }

    /// Returns whether the map or its cursor has moved away from the position `since`; zooming alone does not count.
    pub(in crate::tui) fn is_moved(&self, since: &MapPosition) -> bool {
        let is_same_zoom = self.zoom == since.zoom && self.scale == since.scale;
        self.cursor != since.cursor || (is_same_zoom && self.origin != since.origin)
    }

    /// Returns the size of a character in pixels if the map is drawn in pixels. With [`ColourMode::Digits`], the map is
    /// always drawn in characters.
    pub(in crate::tui) fn pixels(&self) -> Option<CellSize> {
        let pictures = self
            .pictures
            .filter(|_| self.colours != ColourMode::Digits && self.drawn_in == DrawnIn::Pixels);
        pictures.map(|pictures| pictures.cell)
    }

    /// Returns whether the panels are hidden while the map has the focus.
    pub(in crate::tui) const fn is_alone(&self) -> bool {
        self.alone
    }

    /// Returns whether the mouse drags the map or the minimap.
    pub(in crate::tui) const fn is_dragged(&self) -> bool {
        self.held.is_some() || self.held_small.is_some()
    }

    /// Ends the drag of the map or the minimap.
    pub(in crate::tui) const fn release(&mut self) {
        (self.held, self.held_small) = (None, None);
    }

    /// Returns the part of the dungeon that a viewport shows.
    pub(in crate::tui) fn view(&self, window: Rect) -> MapWindow {
        if let Some(cell) = self.pixels() {
            let chosen = self.scale.map(|scale| PixelScale { cell, ..scale });
            let scale = chosen.unwrap_or_else(|| PixelScale::fitting(self.dungeon, window, cell));
            return MapWindow::of_pixels(self.dungeon, window, scale, self.origin);
        }
        let zoom = self.zoom.unwrap_or_else(|| Zoom::fitting(self.dungeon, window));
        MapWindow::new(self.dungeon, window, zoom, self.origin)
    }

    /// Scrolls as little as needed to show the cursor.
    pub(in crate::tui) fn follow_cursor(&mut self, window: Rect) {
        let view = self.view(window);
        self.origin = view.origin_that_shows(self.cursor, window);
    }

    /// Centres the viewport on a square, as far as the dungeon's edges allow.
    pub(in crate::tui) fn center(&mut self, at: Point, window: Rect) {
        let seen = self.view(window).squares_in(window);
        self.origin = Point::new(at.x - seen.x / 2, at.y - seen.y / 2);
        // Keeps the origin inside the dungeon's edges. Otherwise, a later call of `follow_cursor` would do so, and
        // `is_moved` would then return true although the map on the screen has not moved.
        self.origin = self.view(window).origin;
    }

    /// Moves the cursor to a square, and scrolls as little as needed to show it.
    pub(in crate::tui) fn show(&mut self, at: Point, area: Rect) {
        self.move_cursor(at);
        self.follow_cursor(window(area));
    }

    /// Moves the cursor to a square, and centres the viewport on it.
    pub(in crate::tui) fn center_on(&mut self, at: Point, area: Rect) {
        self.move_cursor(at);
        self.center(at, window(area));
    }

    /// Returns the character that shows a square; `None` if none does.
    #[cfg(test)]
    pub(in crate::tui) fn character_of(&self, area: Rect, at: Point) -> Option<(u16, u16)> {
        self.view(window(area)).character_of(at)
    }

    /// Returns the rows and columns of squares that one character shows; `None` if it shows a single square.
    pub(in crate::tui) fn squares_of_a_character(&self, area: Rect) -> Option<(i32, i32)> {
        let view = self.view(window(area));
        let (_, squares) = view.squares_of(view.area.x, view.area.y);
        (squares.x > 1).then_some((squares.x, squares.y))
    }

    /// Returns the visible squares: the first square, and the number of rows and columns.
    pub(in crate::tui) fn visible(&self, area: Rect) -> (Point, Size) {
        let window = window(area);
        let view = self.view(window);
        (view.origin, view.squares_in(window))
    }

    /// Scrolls by a fraction of the viewport (see [`PAN`]).
    pub(in crate::tui) fn pan(&mut self, forward: Forward, window: Rect) {
        let view = self.view(window);
        let seen = view.squares_in(window);
        let squares = if forward.along_x() { seen.x } else { seen.y };
        self.origin = view.origin.step(forward, (squares / PAN).max(1));
    }

    /// Zooms in or out by one step; if the map is drawn in pixels, by one step of its pixel scale. The square given as
    /// `still` stays at its position on the screen, or moves to the centre if it was not visible. Does nothing if there
    /// is no further step.
    pub(in crate::tui) fn zoom_by(&mut self, nearer: bool, still: Point, window: Rect) {
        let middle = (window.x + window.width / 2, window.y + window.height / 2);
        let view = self.view(window);
        let (column, row) = view.character_of(still).unwrap_or(middle);
        let scale = view.scale();
        let next = if nearer { scale.nearer() } else { scale.farther() };
        if next == scale {
            return;
        }
        match next {
            MapScale::Characters(zoom) => self.zoom = Some(zoom),
            MapScale::Pixels(scale) => self.scale = Some(scale),
        }
        let away = self
            .view(window)
            .distance(i32::from(row - window.y), i32::from(column - window.x));
        self.origin = Point::new(still.x - away.x, still.y - away.y);
    }

    /// Returns whether the map can zoom in further.
    pub(in crate::tui) fn can_zoom_in(&self, window: Rect) -> bool {
        let scale = self.view(window).scale();
        scale.nearer() != scale
    }

    /// Shows the whole dungeon, as large as possible.
    pub(in crate::tui) const fn fit(&mut self) {
        (self.zoom, self.scale) = (None, None);
    }
}

/// Returns the area of the squares: inside the map's border.
pub(in crate::tui) fn window(area: Rect) -> Rect {
    area.inner(ratatui::layout::Margin::new(1, 1))
}
