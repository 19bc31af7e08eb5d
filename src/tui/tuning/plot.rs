//! A small plot of a metric over a parameter's range: a line of Braille dots within a band. The line shows the median,
//! and the band lies between the quartiles. For a boolean metric, the line shows the share of dungeons in which the
//! metric is true, and the band is the confidence interval of this share.
//!
//! A Braille character is two dots wide and four dots high. The band is dotted sparsely and the line densely, so that
//! they can be distinguished without colours.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::analysis::tune::Band;
use crate::tui::theme::Theme;

/// Bits of a Braille character's dots, by column and row.
const DOTS: [[u32; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// The dots of one character.
#[derive(Debug, Clone, Copy, Default)]
struct Dots {
    line: u32,
    band: u32,
}

/// A plot of bands, ordered by parameter value, over a range.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plot<'a> {
    /// The measured bands with their parameter values.
    pub bands: &'a [(i32, Band)],
    /// The smallest and the largest parameter value.
    pub range: (i32, i32),
    /// The marked parameter value.
    pub now: i32,
}

impl Plot<'_> {
    /// Returns the parameter value at dot column `dot` of `dots`.
    fn value(&self, dot: usize, dots: usize) -> f64 {
        let (least, most) = (f64::from(self.range.0), f64::from(self.range.1));
        least + (most - least) * dot as f64 / dots.saturating_sub(1).max(1) as f64
    }

    /// Returns the lowest and the highest metric value of the bands in range; `None` if no band is in range.
    fn reach(&self) -> Option<(f64, f64)> {
        let (least, most) = self.range;
        let seen = self.bands.iter().filter(|(at, _)| (least..=most).contains(at));
        seen.fold(None, |reach: Option<(f64, f64)>, (_, band)| {
            let (low, high) = reach.unwrap_or((band.low, band.high));
            Some((low.min(band.low), high.max(band.high)))
        })
    }

    /// Returns the character column of the marked value, out of `columns`.
    fn column(&self, columns: u16) -> u16 {
        let (from, to) = (i64::from(self.range.0), i64::from(self.range.1));
        let (steps, last) = ((to - from).max(1), i64::from(columns.max(1) - 1));
        let step = (i64::from(self.now) - from).clamp(0, steps);
        ((step * last + steps / 2) / steps) as u16
    }

    fn dots(&self, columns: u16, rows: u16) -> Vec<Dots> {
        let (width, height) = (usize::from(columns) * 2, usize::from(rows) * 4);
        let mut dots = vec![Dots::default(); usize::from(columns) * usize::from(rows)];
        let Some((low, high)) = self.reach() else { return dots };
        // A constant curve runs along the middle.
        let (low, high) = if high - low < 1e-9 {
            (low - 1.0, high + 1.0)
        } else {
            (low, high)
        };
        let row = |number: f64| {
            let up = (number - low) / (high - low) * (height - 1) as f64;
            height - 1 - (up.round() as usize).min(height - 1)
        };
        let mut before = None;
        for dot in 0..width {
            let Some(band) = Band::at(self.bands, self.value(dot, width)) else {
                before = None;
                continue;
            };
            let mut set = |y: usize, line: bool| {
                let cell = &mut dots[y / 4 * usize::from(columns) + dot / 2];
                let bit = DOTS[dot % 2][y % 4];
                if line {
                    cell.line |= bit;
                } else {
                    cell.band |= bit;
                }
            };
            for y in row(band.high)..=row(band.low) {
                if (dot + y) % 2 == 0 {
                    set(y, false);
                }
            }
            let here = row(band.median);
            let from = before.unwrap_or(here);
            // Steep parts of the line are filled so that it stays connected.
            let steep = if from < here {
                from + 1..=here
            } else {
                here..=from.saturating_sub(1).max(here)
            };
            for y in steep {
                set(y, true);
            }
            before = Some(here);
        }
        dots
    }

    /// Draws the plot.
    pub(super) fn draw(&self, theme: Theme, area: Rect, buf: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let dots = self.dots(area.width, area.height);
        let marked = self.column(area.width);
        for (i, dots) in dots.iter().enumerate() {
            let (x, y) = (
                (i % usize::from(area.width)) as u16,
                (i / usize::from(area.width)) as u16,
            );
            let style = if dots.line > 0 { theme.accent() } else { theme.quiet() };
            // In a character with dots of both the line and the band, only the line is drawn.
            let bits = if dots.line > 0 { dots.line } else { dots.band };
            let (symbol, style) = match (bits, x == marked) {
                (0, false) => continue,
                (0, true) => ('┊', theme.heading()),
                (bits, is_marked) => {
                    let symbol = char::from_u32(0x2800 + bits).unwrap_or(' ');
                    (symbol, if is_marked { theme.heading() } else { style })
                }
            };
            buf[(area.x + x, area.y + y)].set_char(symbol).set_style(style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::{Depth, fixture};

    fn bands(medians: &[(i32, f64)], breadth: f64) -> Vec<(i32, Band)> {
        let band = |median: f64| Band {
            low: median - breadth,
            median,
            high: median + breadth,
        };
        medians.iter().map(|&(at, median)| (at, band(median))).collect()
    }

    #[test]
    fn a_line_rises_in_its_band_and_the_value_is_marked() {
        let bands = bands(&[(0, 0.0), (5, 10.0), (10, 10.0)], 2.0);
        let plot = Plot {
            bands: &bands,
            range: (0, 10),
            now: 10,
        };
        let draw = |area: Rect, buf: &mut Buffer| plot.draw(Theme::new(Depth::None), area, buf);
        let text = fixture::drawn_at_any_size(draw, (12, 3));
        insta::assert_snapshot!(text);
    }

    #[test]
    fn an_empty_plot_has_the_mark_and_a_constant_curve_is_a_line() {
        let drawn = |bands: &[(i32, Band)]| {
            let plot = Plot {
                bands,
                range: (0, 8),
                now: 4,
            };
            fixture::drawn_at_any_size(|area, buf| plot.draw(Theme::new(Depth::True), area, buf), (9, 1))
        };
        assert_eq!(drawn(&[]), "    ┊    \n");
        let flat = drawn(&bands(&[(0, 3.0), (8, 3.0)], 0.0));
        let symbols: std::collections::BTreeSet<char> = flat.trim_end().chars().collect();
        assert_eq!((symbols.len(), flat.trim_end().chars().count()), (1, 9), "{flat}");
    }
}
