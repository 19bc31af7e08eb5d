//! Renders a dungeon as pixels: squares of any size, with optional grid lines, title and legend.
//!
//! Pixel rows are rendered one at a time, so that the pixels of a large picture are never in memory all at once.

use std::collections::BTreeMap;
use std::ops::Range;

use super::font;
use super::marks::{Label, labels};
use super::paint::Painting;
use super::palette::{Covered, Palette, mixed};
use super::{DungeonView, ExportError, ExportKind, ExportOptions, ExportTask, Rgb};
use crate::recording_file::PROGRAM;
use crate::text::thousands;

/// Default side length of a square in pixels.
const SCALE: u32 = 8;

/// Maximum side length of a picture in pixels: the limit of the PNG format.
const MOST: u64 = i32::MAX as u64;

/// Maximum number of pixels of a picture, without its caption. The largest dungeon fits at the default scale.
const MOST_PIXELS: u64 = 1 << 36;

/// Margin around the title and the legend, in unscaled font pixels.
const MARGIN: u32 = 6;

/// Distance from one line of text to the next, in unscaled font pixels.
const LINE: u32 = font::HEIGHT + 4;

/// The title and the legend below the dungeon.
#[derive(Debug, Clone)]
struct Caption {
    /// Colour indices, row by row, of the part that contains text.
    pixels: Vec<u8>,
    /// Width of this part. The rest of the picture's width is background.
    width: u32,
}

/// A picture with indexed colours.
#[derive(Debug, Clone)]
pub struct Picture<'a> {
    painting: &'a Painting,
    scale: u32,
    grid: Option<u32>,
    width: u32,
    height: u32,
    colours: Vec<Rgb>,
    /// Colour index of each part of the painting (the squares that share an entry of the legend).
    numbers: Vec<u8>,
    /// Colour index of grid lines.
    line: u8,
    caption: Option<Caption>,
    /// For each row of squares, the blocks of labels that overlap the row.
    labels: BTreeMap<u32, Vec<LabelBlock>>,
    /// Colour indices of label pixels, in one list for outlines and one for text. Each list is indexed by the colour
    /// index of the pixel that the label covers.
    inks: [Vec<u8>; 2],
}

/// A pixel of the font in a label, enlarged to a block of pixels of the picture.
#[derive(Debug, Clone)]
struct LabelBlock {
    rows: Range<u32>,
    columns: Range<u32>,
    /// Index of the block's ink in [`Picture::inks`].
    ink: usize,
}

/// Minimum side length of a square, in pixels, at which coordinates are readable.
const READABLE: u32 = 6;

/// A set of distinct colours with their indices.
#[derive(Default)]
struct Colours {
    all: Vec<Rgb>,
    numbers: BTreeMap<Rgb, u8>,
}

impl Colours {
    /// Returns the index of a colour, and adds the colour if it is new. A painting has about sixty colours, so 256
    /// indices are enough.
    fn number(&mut self, rgb: Rgb) -> u8 {
        if let Some(number) = self.numbers.get(&rgb) {
            return *number;
        }
        let Ok(number) = u8::try_from(self.all.len()) else {
            return 0;
        };
        self.all.push(rgb);
        self.numbers.insert(rgb, number);
        number
    }
}

impl<'a> Picture<'a> {
    /// Creates a picture with `scale` pixels per side of a square and grid lines every `grid` squares. If there is a
    /// `title`, the picture has a caption with the title and a legend.
    ///
    /// # Errors
    ///
    /// Fails if the picture would have too many pixels, or if its squares are too small for grid lines.
    pub fn new(
        painting: &'a Painting,
        scale: u32,
        grid: Option<u32>,
        title: Option<&str>,
    ) -> Result<Self, ExportError> {
        let scale = scale.max(1);
        if grid.is_some() && scale < 3 {
            return Err(ExportError::Options(format!(
                "squares of {scale} pixels are too small for grid lines; use a scale of at least 3, or no grid"
            )));
        }
        let size = painting.size();
        let sides = [size.y, size.x].map(|side| side as u64 * u64::from(scale));
        if sides.iter().any(|side| *side > MOST / 2) || sides[0].saturating_mul(sides[1]) > MOST_PIXELS {
            return Err(ExportError::Options(format!(
                "a picture of {} × {} pixels is too large: the maximum is {} pixels; use a smaller scale",
                sides[0],
                sides[1],
                thousands(MOST_PIXELS)
            )));
        }
        let [width, height] = sides.map(|side| side as u32);
        let palette = painting.palette();
        let mut colours = Colours::default();
        let numbers: Vec<u8> = painting.parts().iter().map(|part| colours.number(part.rgb)).collect();
        let line = colours.number(mixed(palette.ground, palette.text, 1, 4));
        let mut picture = Self {
            painting,
            scale,
            grid: grid.map(|grid| grid.max(1)),
            width,
            height,
            colours: Vec::new(),
            numbers,
            line,
            caption: None,
            labels: BTreeMap::new(),
            inks: [Vec::new(), Vec::new()],
        };
        if let Some(title) = title {
            picture.add_caption(title, &mut colours);
        }
        picture.colours = colours.all;
        Ok(picture)
    }

    /// Adds labels: the room numbers, and the coordinates if squares are large enough for them.
    #[must_use]
    pub(super) fn with_labels(mut self, labels: &[Label]) -> Self {
        let palette = *self.painting.palette();
        let colours = self.colours.len();
        self.inks = [palette.ground, palette.text].map(|ink| self.ink(ink, colours));
        let size = self.painting.size();
        let [width, height] = [size.y, size.x].map(|side| i64::from(side) * i64::from(self.scale));
        let is_shown = |label: &&Label| label.is_room || self.scale >= READABLE;
        // If labels overlap, a shared pixel shows the label that is handled first. The last label must be on top, so
        // the labels are handled in reverse order.
        for label in labels.iter().filter(is_shown).rev() {
            let unit = (self.scale / if label.is_room { 4 } else { 8 }).max(1);
            let place = label.place(size, self.scale.into(), Self::label_size(&label.text, unit));
            let [left, top] = place.map(|length| length.round() as i64);
            let text = font::pixels(&label.text).map(|(column, row)| (i64::from(column), i64::from(row), 1));
            let outline = font::outline(&label.text);
            let outline = outline.into_iter().map(|(column, row)| (column, row, 0));
            let unit = i64::from(unit);
            let block = |from: i64, end: i64| from.clamp(0, end) as u32..(from + unit).clamp(0, end) as u32;
            for (column, row, ink) in text.chain(outline) {
                let columns = block(left + column * unit, width);
                let rows = block(top + row * unit, height);
                if columns.is_empty() || rows.is_empty() {
                    continue;
                }
                for square in rows.start / self.scale..=(rows.end - 1) / self.scale {
                    let (rows, columns) = (rows.clone(), columns.clone());
                    let blocks = self.labels.entry(square).or_default();
                    blocks.push(LabelBlock { rows, columns, ink });
                }
            }
        }
        self
    }

    /// Returns the width and height of a label in pixels, given the side length of a pixel of the font.
    fn label_size(text: &str, unit: u32) -> [f64; 2] {
        // The gap after the last letter does not belong to the text.
        let width = font::width(text).saturating_sub(1);
        [width, font::HEIGHT].map(|side| f64::from(side * unit))
    }

    /// Returns a list of colour indices, with `colours` entries, for drawing a label in the colour `ink`. Where the
    /// label covers a pixel with the colour index `i`, the label is drawn in the colour of entry `i`. This colour
    /// differs from `ink` too little to be seen, but an import can read from it what the label covers.
    fn ink(&mut self, ink: Rgb, colours: usize) -> Vec<u8> {
        let over = Covered::ALL.map(|covered| self.colour(Palette::over(ink, covered)));
        let mut inks = vec![over[Covered::Open as usize]; colours];
        for (number, covered) in self.numbers.iter().zip(self.painting.covered()) {
            inks[usize::from(*number)] = over[*covered as usize];
        }
        inks[usize::from(self.line)] = over[Covered::Line as usize];
        inks
    }

    /// Returns the index of a colour, and adds the colour if it is new.
    fn colour(&mut self, rgb: Rgb) -> u8 {
        let found = self.colours.iter().position(|own| *own == rgb);
        let index = found.unwrap_or_else(|| {
            self.colours.push(rgb);
            self.colours.len() - 1
        });
        u8::try_from(index).unwrap_or(0)
    }

    /// Renders the title, and the legend in as many columns as fit.
    fn add_caption(&mut self, title: &str, colours: &mut Colours) {
        let unit = (self.scale / 6).clamp(1, 8);
        let ink = colours.number(self.painting.palette().text);
        let entries: Vec<(u8, String)> = self
            .painting
            .legend()
            .map(|part| (colours.number(part.rgb), format!("{}: {}", part.name, part.tiles)))
            .collect();
        // Room for a swatch and a gap, in unscaled font pixels.
        let swatch = font::HEIGHT + 4;
        let entry_width = |text: &str| swatch + font::width(text) + 2 * MARGIN;
        let widest = entries.iter().map(|(_, text)| entry_width(text)).max().unwrap_or(0);
        let least = (font::width(title).max(widest) + 2 * MARGIN) * unit;
        self.width = self.width.max(least);
        let room = self.width / unit - 2 * MARGIN;
        let columns = (room / widest.max(1)).max(1) as usize;
        let lines = entries.len().div_ceil(columns);
        let height = (2 * MARGIN + LINE * (lines as u32 + 1)) * unit;
        // In a wide picture, the text needs only a part of the width.
        let used = (columns.min(entries.len()) as u32 * widest).max(font::width(title)) + 2 * MARGIN;
        let width = (used * unit).min(self.width);
        let mut pixels = vec![self.numbers[0]; width as usize * height as usize];
        let mut set = |column: u32, row: u32, number: u8| {
            for y in row * unit..(row + 1) * unit {
                let from = y as usize * width as usize + (column * unit) as usize;
                if let Some(pixels) = pixels.get_mut(from..from + unit as usize) {
                    pixels.fill(number);
                }
            }
        };
        for (column, row) in font::pixels(title) {
            set(MARGIN + column, MARGIN + row, ink);
        }
        for (i, (number, text)) in entries.iter().enumerate() {
            // Fill the legend column by column.
            let (left, top) = (
                MARGIN + (i / lines) as u32 * widest,
                MARGIN + LINE * ((i % lines) as u32 + 1),
            );
            for column in 0..font::HEIGHT {
                for row in 0..font::HEIGHT {
                    set(left + column, top + row, *number);
                }
            }
            for (column, row) in font::pixels(text) {
                set(left + swatch + column, top + row, ink);
            }
        }
        self.caption = Some(Caption { pixels, width });
        self.height += height;
    }

    /// Returns the width in pixels.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in pixels.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Returns the colours by index.
    pub fn colours(&self) -> &[Rgb] {
        &self.colours
    }

    /// Returns the colour index of a part of the painting.
    pub(super) fn number(&self, part: u32) -> u8 {
        self.numbers.get(part as usize).copied().unwrap_or(0)
    }

    /// Writes the colour indices of pixel row `y` into `row`, whose length must be [`width`](Self::width).
    pub fn row(&self, y: u32, row: &mut [u8]) {
        self.row_without_labels(y, row);
        let blocks = self.labels.get(&(y / self.scale)).into_iter().flatten();
        for block in blocks.filter(|block| block.rows.contains(&y)) {
            for pixel in &mut row[block.columns.start as usize..block.columns.end as usize] {
                // A pixel that already belongs to another label has no entry in `inks` and stays as it is.
                if let Some(over) = self.inks[block.ink].get(usize::from(*pixel)) {
                    *pixel = *over;
                }
            }
        }
    }

    fn row_without_labels(&self, y: u32, row: &mut [u8]) {
        let size = self.painting.size();
        let below = size.x as u32 * self.scale;
        if let (Some(caption), Some(from)) = (&self.caption, y.checked_sub(below)) {
            let width = caption.width as usize;
            let from = from as usize * width;
            row.fill(self.number(0));
            if let Some(pixels) = caption.pixels.get(from..from + width) {
                row[..width].copy_from_slice(pixels);
            }
            return;
        }
        row.fill(self.number(0));
        let apart = self.grid.map(|grid| u64::from(grid) * u64::from(self.scale));
        let end = size.y as usize * self.scale as usize;
        if apart.is_some_and(|apart| u64::from(y) % apart == 0) {
            row[..end].fill(self.line);
            return;
        }
        let parts = self.painting.row((y / self.scale) as i32);
        for (square, part) in row.chunks_mut(self.scale as usize).zip(parts) {
            square.fill(self.number(*part));
        }
        if let Some(apart) = apart {
            row[..end]
                .iter_mut()
                .step_by(apart as usize)
                .for_each(|pixel| *pixel = self.line);
        }
    }

    /// Creates an encoder for a PNG file that has the picture's size and colours and a title.
    pub(super) fn encoder<'o, W: std::io::Write>(
        &self,
        title: &str,
        out: W,
    ) -> Result<png::Encoder<'o, W>, ExportError> {
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(self.colours.concat());
        // Squares are runs of the same index, for which PNG filters would not improve compression.
        encoder.set_filter(png::Filter::NoFilter);
        encoder.add_itxt_chunk("Title".into(), title.into()).map_err(failed)?;
        let software = encoder.add_text_chunk("Software".into(), PROGRAM.into());
        software.map_err(failed)?;
        Ok(encoder)
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    ///
    /// Fails if writing fails or the progress callback cancels.
    pub(super) fn write(&self, title: &str, job: &mut ExportTask<'_>) -> Result<(), ExportError> {
        let encoder = self.encoder(title, &mut *job.out)?;
        let mut writer = encoder.write_header().map_err(failed)?;
        let mut stream = writer.stream_writer().map_err(failed)?;
        let mut row = vec![0; self.width as usize];
        for y in 0..self.height {
            if (job.watch)(u64::from(y), u64::from(self.height)).is_break() {
                return Err(ExportError::Interrupted);
            }
            self.row(y, &mut row);
            std::io::Write::write_all(&mut stream, &row)?;
        }
        stream.finish().map_err(failed)?;
        writer.finish().map_err(failed)
    }
}

pub(super) fn failed(error: png::EncodingError) -> ExportError {
    match error {
        png::EncodingError::IoError(error) => ExportError::Io(error),
        other => ExportError::Cannot(format!("cannot make the picture: {other}")),
    }
}

/// Returns the title above the legend: the dungeon's title, its size, and the property by which it is coloured.
pub(super) fn title(dungeon: &DungeonView<'_>, options: &ExportOptions) -> String {
    format!("{}, {}, by {}", dungeon.title(), dungeon.size(), options.by.name())
}

pub(super) fn write(
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    job: &mut ExportTask<'_>,
) -> Result<(), ExportError> {
    let marks = options.marks.unwrap_or(ExportKind::Png.marks());
    let painting = Painting::marked(dungeon, options.by, options.ground.unwrap_or_default(), marks);
    let title = title(dungeon, options);
    let scale = options.scale.unwrap_or(SCALE);
    let picture = Picture::new(&painting, scale, options.grid, options.legend.then_some(&title))?;
    let picture = picture.with_labels(&labels(dungeon, marks));
    picture.write(&title, job)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{ColourBy, Ground, MapMarks, grown_keep};
    use super::*;

    #[test]
    fn labels_of_large_squares_take_no_more_memory() {
        let (design, recording) = grown_keep();
        let dungeon = DungeonView::new(&design, &recording, recording.turns());
        let labels = labels(&dungeon, MapMarks::All);
        let painting = Painting::new(&dungeon, ColourBy::Generation, Ground::Dark);
        let blocks = |scale| {
            let picture = Picture::new(&painting, scale, None, None).unwrap().with_labels(&labels);
            picture.labels.values().map(Vec::len).sum::<usize>()
        };
        // A block may overlap two rows of squares.
        assert!(blocks(64) <= 2 * blocks(8), "{}", blocks(64));
    }

    #[test]
    fn a_picture_has_a_limit_of_pixels_and_a_caption_of_constant_size() {
        let (design, recording) = grown_keep();
        let dungeon = DungeonView::new(&design, &recording, recording.turns());
        let painting = Painting::new(&dungeon, ColourBy::Generation, Ground::Dark);
        let most = (MOST_PIXELS / painting.size().squares()).isqrt() as u32;
        let picture = |scale| Picture::new(&painting, scale, None, Some("The Keep"));
        let ExportError::Options(why) = picture(most + 1).unwrap_err() else {
            panic!("the options are to blame");
        };
        assert!(why.contains("pixels is too large"), "{why}");
        let caption = |scale| picture(scale).unwrap().caption.unwrap().pixels.len();
        assert_eq!(caption(most), caption(most / 2));
        // The picture of the largest dungeon at the default scale is allowed.
        let largest = crate::design::MAX_DIMENSION as u64 * u64::from(SCALE);
        assert!(largest * largest <= MOST_PIXELS);
    }

    #[test]
    fn labels_are_complete_and_have_an_outline() {
        let (design, recording) = grown_keep();
        let dungeon = DungeonView::new(&design, &recording, recording.turns());
        let labels = labels(&dungeon, MapMarks::All);
        for ground in [Ground::Dark, Ground::Light, Ground::Print] {
            let painting = Painting::marked(&dungeon, ColourBy::Generation, ground, MapMarks::All);
            let palette = Palette::of(ground);
            for scale in [6, 8, 13, 16] {
                let picture = Picture::new(&painting, scale, None, None).unwrap().with_labels(&labels);
                let (mut text, mut outline) = (BTreeSet::new(), BTreeSet::new());
                let mut row = vec![0; picture.width() as usize];
                for y in 0..picture.height() {
                    picture.row(y, &mut row);
                    for (x, colour) in (0..).zip(&row) {
                        let rgb = picture.colours()[usize::from(*colour)];
                        let is = |ink| Covered::ALL.iter().any(|covered| Palette::over(ink, *covered) == rgb);
                        if is(palette.text) {
                            text.insert((x, i64::from(y)));
                        } else if is(palette.ground) {
                            outline.insert((x, i64::from(y)));
                        }
                    }
                }
                let pixels = |label: &Label| {
                    let unit = (scale / if label.is_room { 4 } else { 8 }).max(1) as usize;
                    font::pixels(&label.text).count() * unit * unit
                };
                let expected: usize = labels.iter().map(pixels).sum();
                assert_eq!(text.len(), expected, "{ground:?} {scale}");
                for &(x, y) in &text {
                    let around = (-1..=1).flat_map(|right| (-1..=1).map(move |down| (x + right, y + down)));
                    let (width, height) = (i64::from(picture.width()), i64::from(picture.height()));
                    let is_label = |(x, y): (i64, i64)| {
                        let is_outside = !(0..width).contains(&x) || !(0..height).contains(&y);
                        is_outside || text.contains(&(x, y)) || outline.contains(&(x, y))
                    };
                    assert!(around.into_iter().all(is_label), "{ground:?} {scale}: ({x}, {y})");
                }
            }
        }
    }
}
