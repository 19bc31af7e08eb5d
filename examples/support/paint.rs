//! The characters of a screen in pixels. Block, box and Braille characters are drawn geometrically, so that they join
//! without seams; all others come from a monospaced font of the system.

use ab_glyph::{Font, FontVec, PxScale, ScaleFont, point};
use anyhow::{Context, Result};
use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use ratatui::symbols::pixel::OCTANTS;
use wallcrawler::export::Rgb;

use super::kitty::{Pictures, Placeholder};
use super::screen::{Screen, placeholder};
use super::sheet::{Sheet, mix};

/// Colours of text and background, dark and light.
const INK: [Rgb; 2] = [[216, 220, 228], [36, 40, 48]];
const PAPER: [Rgb; 2] = [[18, 20, 25], [252, 252, 250]];

/// Sizes of characters and letters, in pixels.
#[derive(Debug, Clone, Copy)]
pub struct Metrics {
    pub width: u32,
    pub height: u32,
    pub em: f32,
    /// Margin around the screen.
    pub margin: u32,
}

/// Sizes for pictures.
pub const LARGE: Metrics = Metrics {
    width: 12,
    height: 24,
    em: 20.0,
    margin: 16,
};

/// Sizes for recordings.
pub const SMALL: Metrics = Metrics {
    width: 10,
    height: 20,
    em: 16.6,
    margin: 12,
};

/// A font for text and one for bold text.
pub struct Fonts([FontVec; 2]);

impl Fonts {
    /// Returns the paths of DejaVu Sans Mono on Debian.
    pub fn default_files() -> [String; 2] {
        ["DejaVuSansMono", "DejaVuSansMono-Bold"].map(|name| format!("/usr/share/fonts/truetype/dejavu/{name}.ttf"))
    }

    pub fn read(files: &[String; 2]) -> Result<Self> {
        let [regular, bold] = files.each_ref().map(|path| {
            let bytes = std::fs::read(path).with_context(|| format!("{path}; name a font with --font and --bold"))?;
            FontVec::try_from_vec(bytes).with_context(|| format!("{path} is not a font"))
        });
        Ok(Self([regular?, bold?]))
    }
}

/// Paints a screen, with its pictures.
pub fn screen(screen: &Screen, fonts: &Fonts, light: bool) -> Sheet {
    let Screen { cells, pictures } = screen;
    let mut picture = Picture::new(cells.area.width, cells.area.height, fonts, light, LARGE);
    for row in 0..cells.area.height {
        for column in 0..cells.area.width {
            let cell = &cells[(column, row)];
            match placeholder(cell) {
                Some(shown) => picture.part(pictures, shown, column, row),
                None => picture.cell(cell, column, row),
            }
        }
    }
    picture.sheet
}

/// A screen being painted.
pub struct Picture<'a> {
    pub sheet: Sheet,
    ink: Rgb,
    paper: Rgb,
    fonts: &'a Fonts,
    metrics: Metrics,
}

impl<'a> Picture<'a> {
    /// Creates an empty screen of a number of characters.
    pub fn new(columns: u16, rows: u16, fonts: &'a Fonts, light: bool, metrics: Metrics) -> Self {
        let (ink, paper) = (INK[usize::from(light)], PAPER[usize::from(light)]);
        let width = u32::from(columns) * metrics.width + 2 * metrics.margin;
        let height = u32::from(rows) * metrics.height + 2 * metrics.margin;
        Self {
            sheet: Sheet::new(width, height, paper),
            ink,
            paper,
            fonts,
            metrics,
        }
    }

    /// Paints a character.
    pub fn cell(&mut self, cell: &Cell, column: u16, row: u16) {
        let Metrics {
            width, height, margin, ..
        } = self.metrics;
        let left = margin + u32::from(column) * width;
        let top = margin + u32::from(row) * height;
        let mut ink = rgb(cell.fg, self.ink);
        let mut paper = rgb(cell.bg, self.paper);
        if cell.modifier.contains(Modifier::REVERSED) {
            std::mem::swap(&mut ink, &mut paper);
        }
        if cell.modifier.contains(Modifier::DIM) {
            ink = mix(paper, ink, 0.5);
        }
        self.sheet.fill(left, top, width, height, paper);
        let glyph = cell.symbol().chars().next().unwrap_or(' ');
        if cell.modifier.contains(Modifier::UNDERLINED) {
            self.sheet.fill(left, top + height - 3, width, 1, ink);
        }
        if let Some(bits) = OCTANTS.iter().position(|octant| *octant == glyph) {
            for i in (0..8).filter(|i| bits >> i & 1 == 1) {
                let (column, row) = (i % 2 * width / 2, i / 2 * height / 4);
                self.sheet.fill(left + column, top + row, width / 2, height / 4, ink);
            }
            return;
        }
        match glyph {
            '\u{2580}'..='\u{259f}' => self.blocks(glyph, left, top, ink, paper),
            '\u{2800}'..='\u{28ff}' => self.braille(glyph as u32 - 0x2800, left, top, ink),
            _ if strokes(glyph).is_some() => self.lines(glyph, left, top, ink),
            _ => {
                let fonts = self.fonts;
                let font = &fonts.0[usize::from(cell.modifier.contains(Modifier::BOLD))];
                self.letter(font, glyph, left, top, ink);
            }
        }
    }

    /// Paints the part of a picture that a character shows.
    fn part(&mut self, pictures: &Pictures, shown: Placeholder, column: u16, row: u16) {
        let Metrics {
            width, height, margin, ..
        } = self.metrics;
        let (left, top) = (margin + u32::from(column) * width, margin + u32::from(row) * height);
        for down in 0..height {
            for right in 0..width {
                if let Some([red, green, blue, opacity]) = pictures.pixel(shown, (right as usize, down as usize)) {
                    let rgb = mix(self.paper, [red, green, blue], f32::from(opacity) / 255.0);
                    self.sheet.set(left + right, top + down, rgb);
                }
            }
        }
    }

    /// Shades every pixel of a character by how much of it is inside a shape, in 4 × 4 samples.
    fn shape(&mut self, left: u32, top: u32, ink: [u8; 3], inside: impl Fn(f32, f32) -> bool) {
        for y in 0..self.metrics.height {
            for x in 0..self.metrics.width {
                let sample = |i: u32, n: u32| (i as f32) + (n as f32 + 0.5) / 4.0;
                let hits = (0..16).filter(|n| inside(sample(x, n % 4), sample(y, n / 4))).count();
                if hits > 0 {
                    self.sheet.blend(left + x, top + y, ink, hits as f32 / 16.0);
                }
            }
        }
    }

    fn blocks(&mut self, glyph: char, left: u32, top: u32, ink: [u8; 3], paper: [u8; 3]) {
        let (half_width, half_height) = (self.metrics.width / 2, self.metrics.height / 2);
        match glyph {
            '▀' => self.sheet.fill(left, top, self.metrics.width, half_height, ink),
            '▄' => self
                .sheet
                .fill(left, top + half_height, self.metrics.width, half_height, ink),
            '█' => self.sheet.fill(left, top, self.metrics.width, self.metrics.height, ink),
            '▌' => self.sheet.fill(left, top, half_width, self.metrics.height, ink),
            '▐' => self
                .sheet
                .fill(left + half_width, top, half_width, self.metrics.height, ink),
            '\u{2581}'..='\u{2587}' => {
                let height = self.metrics.height * (glyph as u32 - 0x2580) / 8;
                self.sheet.fill(
                    left,
                    top + self.metrics.height - height,
                    self.metrics.width,
                    height,
                    ink,
                );
            }
            '\u{2589}'..='\u{258f}' => self.sheet.fill(
                left,
                top,
                self.metrics.width * (0x2590 - glyph as u32) / 8,
                self.metrics.height,
                ink,
            ),
            '░' | '▒' | '▓' => {
                let share = [0.25, 0.5, 0.75][(glyph as usize - 0x2591).min(2)];
                self.sheet.fill(
                    left,
                    top,
                    self.metrics.width,
                    self.metrics.height,
                    mix(paper, ink, share),
                );
            }
            _ => {}
        }
    }

    fn braille(&mut self, bits: u32, left: u32, top: u32, ink: [u8; 3]) {
        let radius = self.metrics.width as f32 * 0.19;
        let dots = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
        for (i, (column, row)) in dots.into_iter().enumerate() {
            if bits & (1 << i) == 0 {
                continue;
            }
            let (x, y) = (
                (0.25 + 0.5 * column as f32) * self.metrics.width as f32,
                (0.125 + 0.25 * row as f32) * self.metrics.height as f32,
            );
            self.shape(left, top, ink, |px, py| (px - x).hypot(py - y) < radius);
        }
    }

    /// Paints box characters as lines of one and a half (heavy: three) pixels, corners as arcs.
    fn lines(&mut self, glyph: char, left: u32, top: u32, ink: [u8; 3]) {
        let Some((sides, heavy)) = strokes(glyph) else { return };
        let half = if heavy { 1.6 } else { 0.9 };
        let (cx, cy) = (self.metrics.width as f32 / 2.0, self.metrics.height as f32 / 2.0);
        if "╭╮╯╰".contains(glyph) {
            let (right, down) = (sides.contains('E'), sides.contains('S'));
            let radius = cx;
            let (ox, oy) = (
                if right { cx + radius } else { cx - radius },
                if down { cy + radius } else { cy - radius },
            );
            self.shape(left, top, ink, |x, y| {
                let beyond = if down { y > oy } else { y < oy };
                if beyond {
                    (x - cx).abs() < half
                } else {
                    let near = if right { x <= ox } else { x >= ox };
                    near && ((x - ox).hypot(y - oy) - radius).abs() < half
                }
            });
            return;
        }
        self.shape(left, top, ink, |x, y| {
            let across = (y - cy).abs() < half;
            let along = (x - cx).abs() < half;
            (sides.contains('E') && across && x > cx - half)
                || (sides.contains('W') && across && x < cx + half)
                || (sides.contains('S') && along && y > cy - half)
                || (sides.contains('N') && along && y < cy + half)
        });
    }

    fn letter(&mut self, font: &FontVec, glyph: char, left: u32, top: u32, ink: [u8; 3]) {
        let scaled = font.as_scaled(PxScale::from(
            self.metrics.em * font.height_unscaled() / font.units_per_em().unwrap_or(2048.0),
        ));
        let baseline = top as f32 + (self.metrics.height as f32 - scaled.height()) / 2.0 + scaled.ascent();
        let id = scaled.glyph_id(glyph);
        let x = left as f32 + (self.metrics.width as f32 - scaled.h_advance(id)) / 2.0;
        let placed = id.with_scale_and_position(scaled.scale(), point(x, baseline));
        if let Some(outline) = font.outline_glyph(placed) {
            let bounds = outline.px_bounds();
            outline.draw(|dx, dy, share| {
                let (x, y) = (bounds.min.x as i32 + dx as i32, bounds.min.y as i32 + dy as i32);
                self.sheet.blend(x as u32, y as u32, ink, share.min(1.0));
            });
        }
    }
}

/// Returns the sides to which a box character's lines run, and whether they are heavy.
fn strokes(glyph: char) -> Option<(&'static str, bool)> {
    Some(match glyph {
        '─' => ("EW", false),
        '│' => ("NS", false),
        '╭' | '┌' => ("ES", false),
        '╮' | '┐' => ("WS", false),
        '╰' | '└' => ("EN", false),
        '╯' | '┘' => ("WN", false),
        '├' => ("ENS", false),
        '┤' => ("WNS", false),
        '┬' => ("EWS", false),
        '┴' => ("EWN", false),
        '┼' => ("EWNS", false),
        '━' => ("EW", true),
        '┃' => ("NS", true),
        _ => return None,
    })
}

/// Returns a colour as red, green and blue. The theme of pictures uses true colour; other colours only come from
/// defaults.
fn rgb(color: Color, default: [u8; 3]) -> [u8; 3] {
    /// The sixteen colours of xterm, in the order of their numbers.
    const SIXTEEN: [[u8; 3]; 16] = [
        [0, 0, 0],
        [205, 0, 0],
        [0, 205, 0],
        [205, 205, 0],
        [0, 0, 238],
        [205, 0, 205],
        [0, 205, 205],
        [229, 229, 229],
        [127, 127, 127],
        [255, 0, 0],
        [0, 255, 0],
        [255, 255, 0],
        [92, 92, 255],
        [255, 0, 255],
        [0, 255, 255],
        [255, 255, 255],
    ];
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let number = match color {
        Color::Reset => return default,
        Color::Rgb(r, g, b) => return [r, g, b],
        Color::Indexed(number) => number,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
    };
    match number {
        0..16 => SIXTEEN[usize::from(number)],
        16..232 => [36, 6, 1].map(|place| STEPS[usize::from((number - 16) / place % 6)]),
        232.. => [8 + 10 * (number - 232); 3],
    }
}
