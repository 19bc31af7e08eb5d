//! The two maps of a comparison. Both show the same squares at the same iteration; their colours show the differences
//! or the generations.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::{Color, Style};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::{CompareSide, CompareState};
use crate::geometry::{Point, Size};
use crate::recording::Trace;
use crate::tui::editor::Editor;
use crate::tui::pictures::{self, PicturePlace};
use crate::tui::theme::{Depth, Theme};
use crate::tui::viewport::{MapScale, MapWindow, Zoom};
use crate::tui::widget::popup::block;
use crate::tui::widget::text::{put_centered, put_glyph, replace_glyph, shortened};
use crate::tui::widget::thumbnail::{self, CellResolution};

/// Maximum number of samples along each side of the block of squares that a dot or a pixel shows.
pub(super) const SAMPLES: u16 = 4;

/// Returns the scale of the maps: the one that the user chose, if it suits the terminal, otherwise the scale at which
/// the dungeons fit.
pub(super) fn scale(state: &CompareState, editor: &Editor, map: Rect) -> MapScale {
    let cell = editor.map.pixels();
    let chosen = state.scale.filter(|scale| scale.suits(cell));
    chosen.unwrap_or_else(|| MapScale::fitting(state.size(), inside(map), cell))
}

/// Returns the viewport of a map. Both maps have the same size, so both show the same squares.
pub(super) fn view(state: &CompareState, editor: &Editor, map: Rect) -> MapWindow {
    MapWindow::at_scale(state.size(), inside(map), scale(state, editor, map), state.origin)
}

/// Returns the area of the squares inside a map's border.
pub(super) fn inside(map: Rect) -> Rect {
    map.inner(Margin::new(1, 1))
}

/// Zooms in or out by one step; the square `still` keeps its place on the screen.
pub(super) fn zoom_by(state: &mut CompareState, editor: &Editor, nearer: bool, still: Point, map: Rect) {
    let before = view(state, editor, map);
    let scale = scale(state, editor, map);
    state.scale = Some(if nearer { scale.nearer() } else { scale.farther() });
    let now = view(state, editor, map).squares_in(inside(map));
    let seen = before.squares_in(inside(map));
    let part = |still: i32, origin: i32, seen: i32, now: i32| {
        let offset = (i64::from(still) - i64::from(origin)) * i64::from(now) / i64::from(seen.max(1));
        still - offset as i32
    };
    state.origin = Point::new(
        part(still.x, before.origin.x, seen.x, now.x),
        part(still.y, before.origin.y, seen.y, now.y),
    );
}

/// Scrolls both maps as little as needed to show the cursor.
pub(super) fn follow_cursor(state: &mut CompareState, editor: &Editor, map: Rect) {
    let view = view(state, editor, map);
    state.origin = view.origin_that_shows(state.cursor, inside(map));
}

/// The sides that have a wall on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Here {
    /// This side only.
    Only,
    /// Both sides.
    Both,
}

/// The map of one side at the iteration shown.
pub(super) struct CompareMap<'a> {
    theme: Theme,
    side: usize,
    trace: &'a Trace,
    other: Option<&'a Trace>,
    now: u32,
    by_generation: bool,
}

impl<'a> CompareMap<'a> {
    /// Returns the map of a side; `None` until its dungeon has been grown.
    pub(super) fn of(state: &'a CompareState, editor: &'a Editor, side: usize) -> Option<Self> {
        Some(Self {
            theme: editor.theme,
            side,
            trace: state.traces[side].as_deref()?,
            other: state.traces[1 - side].as_deref(),
            now: state.now(),
            by_generation: state.by_generation,
        })
    }

    /// Returns which sides have a wall on a square; `None` if this side has none there. Tiles that are not open count
    /// as walls; squares outside a dungeon have no walls. Until the other side's dungeon has been grown, all walls
    /// count as being on both sides.
    pub(super) fn here(&self, at: Point) -> Option<Here> {
        let is_wall = |trace: &Trace| trace.size().contains(at) && !trace.at(at, self.now).0.is_open();
        if !is_wall(self.trace) {
            return None;
        }
        Some(if self.other.is_none_or(is_wall) {
            Here::Both
        } else {
            Here::Only
        })
    }

    /// Returns the size of this side's dungeon.
    pub(super) fn size(&self) -> Size {
        self.trace.size()
    }

    /// Returns the colour of a wall that only this side has, or of a wall that both sides have.
    fn difference(&self, here: Here) -> Color {
        let [right, left, both] = self.theme.changes();
        match (here, self.side) {
            (Here::Both, _) => both,
            (Here::Only, 0) => left,
            (Here::Only, _) => right,
        }
    }

    pub(super) fn color(&self, at: Point) -> Option<Color> {
        let here = self.here(at)?;
        if self.by_generation {
            let (tile, mark) = self.trace.at(at, self.now);
            return self.theme.tile(tile, mark);
        }
        Some(self.difference(here))
    }

    /// Samples a block of squares. Returns whether its walls are on this side only, and the block's colour; `None` if
    /// too few samples are walls. The walls count as [`Here::Only`] if any sampled wall is on this side only, otherwise
    /// as [`Here::Both`]. If the colours show the differences and any sampled wall is on this side only, the block has
    /// the colour of that wall. In all other cases, it has the colour of the first sampled wall.
    pub(super) fn sample(&self, corner: Point, block: i32) -> Option<(Here, Color)> {
        let samples = block.min(SAMPLES.into());
        let places = || (0..samples).map(move |i| i * (block - 1) / (samples - 1).max(1));
        let squares = places().flat_map(|down| places().map(move |right| (down, right)));
        let (mut first, mut seen) = (None, Here::Both);
        let mut count = 0;
        for (down, right) in squares {
            let at = Point::new(corner.x + down, corner.y + right);
            let Some(here) = self.here(at) else { continue };
            count += 1;
            if here == Here::Only {
                seen = Here::Only;
                if !self.by_generation {
                    first = Some(self.difference(here));
                }
            }
            first = first.or_else(|| self.color(at));
        }
        first.filter(|_| count >= samples).map(|color| (seen, color))
    }

    /// Returns the character for a wall that only this side has, if the theme has no colours.
    fn sign(&self, here: Option<Here>) -> Option<char> {
        (self.theme.depth() == Depth::None && here == Some(Here::Only)).then_some(['<', '>'][self.side])
    }

    fn character(&self, view: &MapWindow, column: u16, row: u16, octants: bool) -> (char, Style) {
        let (theme, at) = (self.theme, view.square_at(column, row));
        match view.zoom {
            Zoom::Double => match (self.color(at), self.here(at)) {
                (Some(color), here) => (self.sign(here).unwrap_or('█'), theme.text().fg(color)),
                _ => (' ', theme.text()),
            },
            Zoom::Half => {
                let both = [at, Point::new(at.x + 1, at.y)];
                match both.iter().find_map(|at| self.sign(self.here(*at))) {
                    Some(sign) => (sign, theme.text()),
                    None => thumbnail::stacked(theme, self.color(both[0]), self.color(both[1])),
                }
            }
            Zoom::Dots(block) => {
                let block = i32::from(block);
                let seen: [_; 8] = std::array::from_fn(|i| {
                    let (down, right) = (i as i32 / 2 * block, i as i32 % 2 * block);
                    self.sample(Point::new(at.x + down, at.y + right), block)
                });
                let mut signs = seen.iter().flatten().filter_map(|(here, _)| self.sign(Some(*here)));
                if let Some(sign) = signs.next() {
                    return (sign, theme.text());
                }
                let resolution = CellResolution::eight(octants);
                thumbnail::dots(theme, seen.map(|seen| seen.map(|(_, color)| color)), resolution)
            }
        }
    }
}

/// Draws a side: its name, its dungeon, and the tile under the cursor. If the maps are drawn in pixels, one picture
/// shows both of them, and `place` is the position of this picture on the screen.
pub(super) fn draw(
    state: &CompareState,
    editor: &Editor,
    side: usize,
    of: &CompareSide,
    (area, place): (Rect, Option<PicturePlace>),
    buf: &mut Buffer,
) {
    let theme = editor.theme;
    if area.is_empty() {
        return;
    }
    let [right, left, _] = theme.changes();
    let color = theme.text().fg(if side == 0 { left } else { right });
    let sign = ["◀", "▶"][side];
    let name = shortened(&of.name, usize::from(area.width).saturating_sub(8));
    let mut block = block(theme, false).title(Line::styled(format!(" {sign} {name} "), color));
    let look = CompareMap::of(state, editor, side);
    if let Some(look) = &look {
        let at = state.cursor;
        let what = match look.here(at) {
            _ if !look.size().contains(at) => "outside this dungeon",
            None => "open",
            Some(_) if look.other.is_none() => "wall",
            Some(Here::Both) => "wall, on both sides",
            Some(Here::Only) => "wall, on this side only",
        };
        let text = shortened(&format!("{at:#} {what}"), usize::from(area.width).saturating_sub(4));
        block = block.title_bottom(Line::from(format!(" {text} ")).right_aligned());
    }
    block.render(area, buf);
    let view = view(state, editor, area);
    let Some(look) = look else {
        let inside = inside(area);
        let text = shortened(why_not_shown(state, editor, side, of), inside.width.into());
        return put_centered(&text, inside, theme.quiet(), buf);
    };
    if view.pixels.is_some() {
        if let Some(place) = place {
            pictures::fill_part(place, view.area, buf);
        }
        return;
    }
    for row in view.area.top()..view.area.bottom() {
        for column in view.area.left()..view.area.right() {
            let (glyph, style) = look.character(&view, column, row, editor.map.has_octants());
            put_glyph(glyph, (column, row), style, buf);
        }
    }
    if let Some((column, row)) = view.character_of(state.cursor) {
        let glyphs: &[char] = if view.zoom == Zoom::Double { &['[', ']'] } else { &['+'] };
        for (i, glyph) in (0..).zip(glyphs) {
            replace_glyph(*glyph, (column + i, row), theme.cursor(true), buf);
        }
    }
}

/// Returns why a side has no map.
fn why_not_shown(state: &CompareState, editor: &Editor, side: usize, of: &CompareSide) -> &'static str {
    if !state.ungrown[side] {
        return "growing …";
    }
    // The Problems panel lists the problems of the open design only.
    if editor.document.valid().is_none() && of.seeded.design() == editor.document.design() {
        "cannot be grown: see Problems"
    } else {
        "cannot be grown"
    }
}

/// Counts the squares that have a wall on the left side only, on the right side only, and on both sides, at the
/// iteration shown. Returns `None` until both dungeons have been grown.
pub(super) fn counts(state: &CompareState, editor: &Editor) -> Option<[u64; 3]> {
    let [left, right] = [0, 1].map(|side| CompareMap::of(state, editor, side));
    let (left, right) = (left?, right?);
    let mut counts = [0; 3];
    for at in state.size().points() {
        match (left.here(at), right.here(at)) {
            (Some(Here::Only), _) => counts[0] += 1,
            (_, Some(Here::Only)) => counts[1] += 1,
            (Some(Here::Both), _) => counts[2] += 1,
            (None, _) => {}
        }
    }
    Some(counts)
}
