//! Charts that consist of rectangles and text, and can be written as SVG or as PNG.
//!
//! Coordinates are whole pixels from the top left corner. The layout uses the text widths of the bitmap [`font`] with
//! which the PNG is drawn. The fonts of SVG viewers are narrower, so the same layout fits.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use super::picture::failed;
use super::svg::{escaped, hex};
use super::{ExportError, Rgb, font};

/// Text in every chart's metadata, by which charts are recognized and distinguished from pictures of dungeons.
pub(super) const MARK: &str = concat!("wallcrawler-chart ", env!("CARGO_PKG_VERSION"));

/// Maximum number of pixels of a PNG chart.
const MOST_PIXELS: u64 = 100_000_000;

/// The position of a text relative to the point that it is placed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// The text begins at the point.
    Start,
    /// The text is centred at the point.
    Middle,
    /// The text ends at the point.
    End,
    /// The text runs upwards and is centred at the point.
    Upwards,
}

#[derive(Debug, Clone)]
enum Shape {
    Rect {
        place: [u32; 4],
        fill: Rgb,
        /// Text that viewers show while the pointer is on the rectangle.
        hint: String,
    },
    Text {
        at: [u32; 2],
        text: String,
        anchor: Anchor,
        fill: Rgb,
        scale: u32,
    },
}

/// A chart.
#[derive(Debug, Clone)]
pub(super) struct Chart {
    width: u32,
    height: u32,
    title: String,
    shapes: Vec<Shape>,
}

impl Chart {
    /// Creates an empty chart whose background has the colour `ground`.
    pub(super) fn new(width: u32, height: u32, title: &str, ground: Rgb) -> Self {
        let mut chart = Self {
            width,
            height,
            title: title.to_owned(),
            shapes: Vec::new(),
        };
        chart.rect([0, 0, width, height], ground, String::new());
        chart
    }

    /// Returns the width and height in pixels.
    pub(super) const fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// Adds a rectangle. `place` is its left edge, top edge, width and height; an empty `hint` shows no hover text.
    pub(super) fn rect(&mut self, place: [u32; 4], fill: Rgb, hint: String) {
        self.shapes.push(Shape::Rect { place, fill, hint });
    }

    /// Adds a text. The tops of its capital letters are at the height of the point `at`. In a text that runs upwards,
    /// the tops face left, so `at` lies on the left edge of the text. Each pixel of the font is drawn as
    /// `scale` × `scale` pixels.
    pub(super) fn text(&mut self, at: [u32; 2], anchor: Anchor, text: &str, fill: Rgb, scale: u32) {
        self.shapes.push(Shape::Text {
            at,
            text: text.to_owned(),
            anchor,
            fill,
            scale,
        });
    }

    /// Writes the chart as SVG.
    pub(super) fn svg(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        let (width, height) = (self.width, self.height);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"sans-serif\">\n\
             <title>{}</title>\n<metadata>{MARK}</metadata>\n",
            escaped(&self.title)
        );
        for shape in &self.shapes {
            // Writing to a string cannot fail.
            let _ = match shape {
                Shape::Rect {
                    place: [left, top, width, height],
                    fill,
                    hint,
                } => {
                    let fill = hex(*fill);
                    let rect =
                        format!("<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"");
                    if hint.is_empty() {
                        writeln!(text, "{rect}/>")
                    } else {
                        writeln!(text, "{rect}><title>{}</title></rect>", escaped(hint))
                    }
                }
                Shape::Text {
                    at: [left, top],
                    text: content,
                    anchor,
                    fill,
                    scale,
                } => {
                    let base = top + font::HEIGHT * scale;
                    let place = match anchor {
                        Anchor::Start => format!("x=\"{left}\" y=\"{base}\""),
                        Anchor::Middle => format!("x=\"{left}\" y=\"{base}\" text-anchor=\"middle\""),
                        Anchor::End => format!("x=\"{left}\" y=\"{base}\" text-anchor=\"end\""),
                        Anchor::Upwards => format!(
                            "transform=\"translate({} {top}) rotate(-90)\" text-anchor=\"middle\"",
                            left + font::HEIGHT * scale
                        ),
                    };
                    // In most fonts, the height of capital letters is about 0.7 of the font size. A font size of 9
                    // makes them about as high as those of the bitmap font.
                    writeln!(
                        text,
                        "<text {place} font-size=\"{}\" fill=\"{}\" pointer-events=\"none\">{}</text>",
                        scale * 9,
                        hex(*fill),
                        escaped(content)
                    )
                }
            };
        }
        text.push_str("</svg>\n");
        Ok(out.write_all(text.as_bytes())?)
    }

    /// Writes the chart as PNG.
    ///
    /// # Errors
    ///
    /// Fails if writing fails or the chart is too large.
    pub(super) fn png(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        let (width, height) = (self.width as usize, self.height as usize);
        if u64::from(self.width) * u64::from(self.height) > MOST_PIXELS {
            return Err(ExportError::Cannot(format!(
                "a chart of {width} × {height} pixels is too large; the maximum is {MOST_PIXELS} pixels"
            )));
        }
        let mut colours = BTreeMap::new();
        let mut pixels = vec![0_u8; width * height];
        for shape in &self.shapes {
            let count = colours.len();
            let fill = match shape {
                Shape::Rect { fill, .. } | Shape::Text { fill, .. } => *fill,
            };
            // Charts have few colours; any colours beyond 256 share the last index.
            let number = *colours
                .entry(fill)
                .or_insert_with(|| u8::try_from(count).unwrap_or(u8::MAX));
            let mut set = |left: u32, top: u32, wide: u32, high: u32| {
                let (from, to) = ((left as usize).min(width), ((left + wide) as usize).min(width));
                for row in (top as usize).min(height)..((top + high) as usize).min(height) {
                    pixels[row * width + from..row * width + to].fill(number);
                }
            };
            match shape {
                Shape::Rect {
                    place: [left, top, wide, high],
                    ..
                } => set(*left, *top, *wide, *high),
                Shape::Text {
                    at: [left, top],
                    text,
                    anchor,
                    scale,
                    ..
                } => {
                    let length = font::width(text) * scale;
                    for (column, row) in font::pixels(text) {
                        let (along, down) = (column * scale, row * scale);
                        let (left, top) = match anchor {
                            Anchor::Start => (left + along, top + down),
                            Anchor::Middle => ((left + along).saturating_sub(length / 2), top + down),
                            Anchor::End => ((left + along).saturating_sub(length), top + down),
                            Anchor::Upwards => (left + down, (top + length / 2).saturating_sub(along)),
                        };
                        set(left, top, *scale, *scale);
                    }
                }
            }
        }
        let mut table: Vec<(u8, Rgb)> = colours.into_iter().map(|(rgb, number)| (number, rgb)).collect();
        table.sort_unstable();
        table.dedup_by_key(|(number, _)| *number);
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(table.into_iter().flat_map(|(_, rgb)| rgb).collect::<Vec<u8>>());
        encoder.set_filter(png::Filter::NoFilter);
        encoder
            .add_itxt_chunk("Title".into(), self.title.clone())
            .map_err(failed)?;
        let software = encoder.add_text_chunk("Software".into(), MARK.into());
        software.map_err(failed)?;
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(&pixels).map_err(failed)?;
        writer.finish().map_err(failed)
    }
}
