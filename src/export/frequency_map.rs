//! Draws how often each square is a wall, in shades of grey from white (never) to black (always).

use std::io::Write;

use super::chart::{Chart, MARK};
use super::picture::failed;
use super::{ExportError, Rgb};
use crate::analysis::WallFrequency;
use crate::geometry::{Point, Size};

/// Maximum number of squares in an SVG, where each square is an element with its own hover text.
const MOST_SQUARES: u64 = 250_000;

/// A picture of how often each square is a wall.
#[derive(Clone, Copy)]
pub struct FrequencyPicture<'a> {
    /// The number of dungeons in which each square is a wall.
    pub frequency: &'a WallFrequency,
    /// Title, which says what is counted and over which seeds.
    pub title: &'a str,
    /// Returns the text shown while the pointer is on a square.
    pub hint: &'a dyn Fn(Point) -> String,
    /// Width of a square in pixels.
    pub scale: u32,
}

impl FrequencyPicture<'_> {
    /// Returns the shade of a square: 255 (white) if it is never a wall, 0 (black) if it always is, otherwise a value in
    /// between.
    fn shade(&self, at: Point) -> u8 {
        let walls = u32::from(self.frequency.walls(at));
        let share = walls * 255 / u32::from(self.frequency.dungeons().max(1));
        // A square that is a wall in less than 1 of 255 dungeons is not white.
        255 - share.max(walls.min(1)) as u8
    }

    /// Checks whether an SVG can show dungeons of this size.
    ///
    /// # Errors
    ///
    /// Fails if the dungeons have too many squares.
    pub fn check_svg(size: Size) -> Result<(), ExportError> {
        if size.squares() > MOST_SQUARES {
            return Err(ExportError::Cannot(format!(
                "the dungeon has more than {MOST_SQUARES} squares, which is too many for an SVG; write a PNG"
            )));
        }
        Ok(())
    }

    /// Writes the picture as SVG, which shows a square's hint while the pointer is on the square.
    ///
    /// # Errors
    ///
    /// Fails if writing fails or the dungeon has too many squares for an SVG.
    pub fn svg(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        Self::check_svg(self.frequency.size())?;
        let Size { x: rows, y: columns } = self.frequency.size();
        let white: Rgb = [255; 3];
        let [width, height] = [columns, rows].map(|length| length as u32 * self.scale);
        let mut chart = Chart::new(width, height, self.title, white);
        for at in self.frequency.size().points() {
            let [left, top] = [at.y, at.x].map(|place| place as u32 * self.scale);
            let fill = [self.shade(at); 3];
            chart.rect([left, top, self.scale, self.scale], fill, (self.hint)(at));
        }
        chart.svg(out)
    }

    /// Writes the picture as PNG, in shades of grey.
    ///
    /// # Errors
    ///
    /// Fails if writing fails.
    pub fn png(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        let Size { x: rows, y: columns } = self.frequency.size();
        let [width, height] = [columns, rows].map(|length| length as u32 * self.scale);
        let mut encoder = png::Encoder::new(out, width, height);
        encoder.set_color(png::ColorType::Grayscale);
        encoder
            .add_itxt_chunk("Title".into(), self.title.to_owned())
            .map_err(failed)?;
        let software = encoder.add_text_chunk("Software".into(), MARK.into());
        software.map_err(failed)?;
        let mut writer = encoder.write_header().map_err(failed)?;
        let mut stream = writer.stream_writer().map_err(failed)?;
        for x in 0..rows {
            let shades = (0..columns).map(|y| self.shade(Point::new(x, y)));
            let row: Vec<u8> = shades
                .flat_map(|shade| std::iter::repeat_n(shade, self.scale as usize))
                .collect();
            for _ in 0..self.scale {
                stream.write_all(&row)?;
            }
        }
        stream.finish().map_err(failed)?;
        writer.finish().map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Grid, Mark, Tile};

    #[test]
    fn only_squares_that_are_never_walls_are_white() {
        let size = Size::new(20, 20);
        let [often, rarely] = [Point::new(5, 5), Point::new(5, 6)];
        let mut grid = Grid::new(size);
        grid.set(often, Tile::Wall, Mark::Generation(0));
        let mut frequency = WallFrequency::new(size);
        (0..399).for_each(|_| frequency.add(&grid));
        grid.set(often, Tile::Open, Mark::Design);
        grid.set(rarely, Tile::Wall, Mark::Generation(0));
        frequency.add(&grid);
        let picture = FrequencyPicture {
            frequency: &frequency,
            title: "",
            hint: &|_| String::new(),
            scale: 1,
        };
        let squares = [Point::new(0, 0), often, rarely, Point::new(5, 7)];
        assert_eq!(squares.map(|at| picture.shade(at)), [0, 1, 254, 255]);
    }
}
