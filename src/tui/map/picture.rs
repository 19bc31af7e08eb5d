//! The map's picture: squares, Builders, cursor, border.
//!
//! Only the squares that the window shows are looked at; in the far zooms a sample of each block.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::view::{View, Zoom};
use super::{legend, marked, window};
use crate::design::feature::Class;
use crate::design::{Feature, Piece, ValidDesign};
use crate::engine::{Grid, Mark, Tile};
use crate::geometry::Point;
use crate::recording::{Frame, State};
use crate::tui::app::{App, Focus};
use crate::tui::screen;
use crate::tui::theme::{Depth, Theme};
use crate::tui::views;

/// Squares looked at in each way of a block that a dot stands for.
const SAMPLES: i32 = 4;

/// The dots of a character in Unicode's order: by column and row of the character.
pub(super) const DOTS: [[u32; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// Draws the map with its border.
pub(crate) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let window = window(area);
    let view = app.map.view(window);
    draw_border(app, &view, area, buf);
    let Some(frame) = app.time.frame() else { return };
    let scene = Scene::new(app, frame);
    for row in view.area.top()..view.area.bottom() {
        for column in view.area.left()..view.area.right() {
            let (glyph, style) = scene.character(&view, column, row);
            buf[(column, row)].set_char(glyph).set_style(style);
        }
    }
    marked::draw(app, &view, buf);
    marked::ghost(app, &view, buf);
    draw_builders(&scene, frame, &view, buf);
    draw_cursor(app, &view, buf);
}

fn draw_border(app: &App, view: &View, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let plain = theme.title(false).remove_modifier(Modifier::BOLD);
    let size = app.map.dungeon;
    let mark = if app.document.is_dirty() { " ●" } else { "" };
    let title = format!(" {}{mark} · {size} · {} ", app.document.title(), view.zoom.name());
    let mut block = screen::block(theme, app.focus == Focus::Map).title(title);
    if let Some(frame) = app.time.frame() {
        let at = app.map.cursor();
        let vault = app.document.valid().and_then(|design| design.feature(at));
        let what = vault.map_or_else(|| describe(app, frame, at), |feature| format!("{at} {}", told(feature)));
        let here = Line::styled(format!(" {what} "), plain);
        let room = usize::from(area.width.saturating_sub(2)).saturating_sub(here.width());
        if app.areas().view.is_empty()
            && let Some(legend) = legend::line(app, room)
        {
            block = block.title_bottom(legend.left_aligned());
        }
        block = block.title_bottom(here.right_aligned());
    }
    block.render(area, buf);
}

/// A feature's name in words.
pub(super) fn told(feature: Feature) -> String {
    feature.name().replace('_', " ")
}

/// What stands on a square, in words.
fn describe(app: &App, frame: &Frame, at: Point) -> String {
    let what = match frame.grid().tile(at) {
        Tile::Open => "open",
        Tile::Guaranteed => "open for good",
        Tile::Wall => "wall",
        Tile::HighWall => "high wall",
        Tile::Column => "column",
    };
    let whose = match frame.grid().mark(at) {
        Mark::Generation(generation) => format!(" of generation {generation}"),
        Mark::Design => String::new(),
    };
    let origin = app.time.origins().and_then(|origins| origins.of(at, app.time.turn()));
    let when = origin.map_or_else(String::new, |origin| {
        format!(" · {} in turn {}", origin.builder.0, screen::thousands(origin.turn))
    });
    let who = frame.living().find(|(_, builder)| builder.at == at);
    let who = who.map_or_else(String::new, |(id, builder)| {
        let asleep = if builder.state == State::Asleep { ", asleep" } else { "" };
        let name = views::builder_name(builder.birth.kind, id);
        format!(" · {name} {}{asleep}", builder.forward.arrow())
    });
    format!("{at} {what}{whose}{when}{who}")
}

/// What is drawn: the grid of the moment, and the vaults that stand in it.
struct Scene<'a> {
    theme: Theme,
    grid: &'a Grid,
    vaults: &'a [Piece],
    /// Whether what has grown steps back behind the design.
    faded: bool,
}

impl<'a> Scene<'a> {
    fn new(app: &'a App, frame: &'a Frame) -> Self {
        Self {
            theme: app.theme,
            grid: frame.grid(),
            vaults: app.document.valid().map_or(&[], ValidDesign::pieces),
            faded: app.tools.is_on(),
        }
    }

    /// The character and style for a place of the window.
    fn character(&self, view: &View, column: u16, row: u16) -> (char, Style) {
        let at = view.square_at(column, row);
        match view.zoom {
            Zoom::Double => {
                let second = !(column - view.area.x).is_multiple_of(2);
                self.near(at, second, if second { '▌' } else { '▐' })
            }
            Zoom::Single => self.near(at, false, '●'),
            Zoom::Half => self.halves(at),
            Zoom::Dots(block) => self.dots(at, i32::from(block)),
        }
    }

    /// A whole square in one or two characters, of which this may be the second.
    fn near(&self, at: Point, second: bool, column: char) -> (char, Style) {
        let (theme, tile, mark) = (self.theme, self.grid.tile(at), self.grid.mark(at));
        let style = self.color(at).map_or(theme.text(), |color| theme.text().fg(color));
        if let Some(feature) = self.feature(at) {
            return match feature_glyph(feature) {
                Some(glyph) if second && !is_filled(glyph) => (' ', style),
                Some(glyph) => (glyph, style),
                None => (if second { ' ' } else { '·' }, theme.guaranteed()),
            };
        }
        let glyph = match (tile, mark) {
            (Tile::Open, _) => return (' ', theme.text()),
            (Tile::Guaranteed, _) => return (if second { ' ' } else { '·' }, theme.guaranteed()),
            (Tile::HighWall, _) => '▓',
            (Tile::Column, _) => column,
            // Without colours the generation is told by its digit.
            (Tile::Wall, Mark::Generation(generation)) if theme.depth() == Depth::None => {
                char::from(b'0' + generation.min(9))
            }
            (Tile::Wall, _) => '█',
        };
        (glyph, style)
    }

    fn feature(&self, at: Point) -> Option<Feature> {
        self.vaults.iter().find_map(|piece| piece.feature(at))
    }

    fn color(&self, at: Point) -> Option<Color> {
        match self.feature(at) {
            // A vault that has no place leaves the squares to others.
            Some(feature) if self.grid.tile(at).is_open() != Piece::is_wall(feature) => self.theme.feature(feature),
            _ => {
                let color = self.theme.tile(self.grid.tile(at), self.grid.mark(at))?;
                let grown = matches!(self.grid.mark(at), Mark::Generation(_));
                Some(if self.faded && grown {
                    self.theme.faded(color)
                } else {
                    color
                })
            }
        }
    }

    /// Two squares, one above the other.
    fn halves(&self, at: Point) -> (char, Style) {
        let theme = self.theme;
        let below = Point::new(at.x + 1, at.y);
        let bottom = self.grid.size().contains(below).then(|| self.color(below)).flatten();
        match (self.color(at), bottom) {
            (None, None) => (' ', theme.text()),
            (Some(top), None) => ('▀', theme.text().fg(top)),
            (None, Some(bottom)) => ('▄', theme.text().fg(bottom)),
            (Some(top), Some(bottom)) if top == bottom => ('█', theme.text().fg(top)),
            (Some(top), Some(bottom)) => ('▀', theme.text().fg(top).bg(bottom)),
        }
    }

    /// Eight blocks of squares as dots, in the colour that most of them have.
    fn dots(&self, at: Point, block: i32) -> (char, Style) {
        let mut bits = 0;
        let mut seen: [Option<(Color, u8)>; 8] = [None; 8];
        for (right, column) in (0..).zip(DOTS) {
            for (down, bit) in (0..).zip(column) {
                let corner = Point::new(at.x + down * block, at.y + right * block);
                let Some(color) = self.sample(corner, block) else {
                    continue;
                };
                bits |= bit;
                let slot = seen
                    .iter_mut()
                    .find(|slot| slot.is_none_or(|(other, _)| other == color));
                if let Some(slot) = slot {
                    slot.get_or_insert((color, 0)).1 += 1;
                }
            }
        }
        let text = self.theme.text();
        let most = seen.into_iter().flatten().max_by_key(|(_, count)| *count);
        let style = most.map_or(text, |(color, _)| text.fg(color));
        let glyph = if bits == 0 { None } else { char::from_u32(0x2800 + bits) };
        (glyph.unwrap_or(' '), style)
    }

    /// The colour of the first thing that stands in a block, looking at some of its squares, its edges among
    /// them.
    fn sample(&self, corner: Point, block: i32) -> Option<Color> {
        let samples = block.min(SAMPLES);
        let place = move |i: i32| i * (block - 1) / (samples - 1).max(1);
        (0..samples).find_map(|down| {
            (0..samples).find_map(|right| {
                let at = Point::new(corner.x + place(down), corner.y + place(right));
                self.grid.size().contains(at).then(|| self.color(at)).flatten()
            })
        })
    }
}

/// The character for a feature of a vault; `None` for floor.
pub(crate) fn feature_glyph(feature: Feature) -> Option<char> {
    match feature.class() {
        Class::Floor => None,
        Class::Wall => Some('█'),
        Class::ClearWall => Some('▒'),
        Class::Liquid if feature.name().starts_with("shallow") => Some('~'),
        Class::Liquid => Some('≈'),
        _ => Some(char::from(feature.glyph())),
    }
}

/// Whether a character fills its place, so that it is drawn twice where a square takes two.
pub(crate) const fn is_filled(glyph: char) -> bool {
    matches!(glyph, '█' | '▒' | '≈' | '~')
}

fn draw_builders(scene: &Scene<'_>, frame: &Frame, view: &View, buf: &mut Buffer) {
    let theme = scene.theme;
    // The awake come last, so that no sleeper hides them.
    for state in [State::Asleep, State::Awake] {
        for (_, builder) in frame.living().filter(|(_, builder)| builder.state == state) {
            let Some((column, row)) = view.character_of(builder.at) else {
                continue;
            };
            let wall = scene.color(builder.at);
            let (glyph, style) = match (state, view.zoom) {
                // Too many of them to leave room for the walls.
                (State::Asleep, Zoom::Dots(_)) => continue,
                (State::Asleep, _) => (builder.forward.arrow(), theme.sleeper(wall)),
                (_, Zoom::Dots(1)) => ('•', theme.builder_afar()),
                // From far they only light up what stands there.
                (_, Zoom::Dots(_)) => {
                    if let Some(cell) = buf.cell_mut((column, row)) {
                        cell.set_style(theme.builder_afar());
                    }
                    continue;
                }
                (_, _) => (builder.forward.arrow(), theme.builder()),
            };
            for i in 0..view.zoom.width() as u16 {
                put(buf, column + i, row, glyph, style);
            }
        }
    }
}

fn draw_cursor(app: &App, view: &View, buf: &mut Buffer) {
    let Some((column, row)) = view.character_of(app.map.cursor()) else {
        return;
    };
    let glyphs: &[char] = match view.zoom {
        Zoom::Double => &['[', ']'],
        Zoom::Single | Zoom::Half | Zoom::Dots(_) => &['+'],
    };
    let style = app.theme.cursor(app.focus == Focus::Map);
    for (i, glyph) in (0..).zip(glyphs) {
        put(buf, column + i, row, *glyph, style);
    }
}

/// Puts a character in a place, with nothing left of the style that was there.
fn put(buf: &mut Buffer, column: u16, row: u16, glyph: char, style: Style) {
    if let Some(cell) = buf.cell_mut((column, row)) {
        cell.reset();
        cell.set_char(glyph).set_style(style);
    }
}
