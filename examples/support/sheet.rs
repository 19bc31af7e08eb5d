//! A picture of pixels, and its PNG file: with a palette, as small as the colours allow, and with a note about its
//! contents, for pictures whose pixels depend on the machine.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use anyhow::{Context, Result, bail};
use wallcrawler::export::Rgb;
use wallcrawler::export::font;

/// The keyword of the note in a PNG file.
const NOTE: &str = "Source";

/// Largest number of colours of a palette.
pub const COLOURS: usize = 256;

/// A picture of pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    pub width: u32,
    pub height: u32,
    /// Row by row.
    pub pixels: Vec<Rgb>,
}

impl Sheet {
    pub fn new(width: u32, height: u32, paper: Rgb) -> Self {
        Self {
            width,
            height,
            pixels: vec![paper; width as usize * height as usize],
        }
    }

    pub fn get(&self, x: u32, y: u32) -> Option<Rgb> {
        let inside = x < self.width && y < self.height;
        inside.then(|| self.pixels[(y * self.width + x) as usize])
    }

    /// Sets a pixel; ignores those outside.
    pub fn set(&mut self, x: u32, y: u32, rgb: Rgb) {
        if x < self.width && y < self.height {
            self.pixels[(y * self.width + x) as usize] = rgb;
        }
    }

    pub fn fill(&mut self, left: u32, top: u32, width: u32, height: u32, rgb: Rgb) {
        for y in top..top + height {
            for x in left..left + width {
                self.set(x, y, rgb);
            }
        }
    }

    /// Mixes a colour into a pixel.
    pub fn blend(&mut self, x: u32, y: u32, rgb: Rgb, share: f32) {
        if let Some(under) = self.get(x, y) {
            self.set(x, y, mix(under, rgb, share));
        }
    }

    /// Draws another picture on it.
    pub fn place(&mut self, other: &Self, left: u32, top: u32) {
        for y in 0..other.height {
            for x in 0..other.width {
                self.set(left + x, top + y, other.pixels[(y * other.width + x) as usize]);
            }
        }
    }

    /// Writes text in the exporter's font, with `unit` pixels per font pixel.
    pub fn text(&mut self, left: u32, top: u32, unit: u32, text: &str, rgb: Rgb) {
        for (column, row) in font::pixels(text) {
            self.fill(left + column * unit, top + row * unit, unit, unit, rgb);
        }
    }

    /// Returns the colours, the most frequent first.
    fn colours(&self) -> Vec<Rgb> {
        let mut counts: BTreeMap<Rgb, usize> = BTreeMap::new();
        for rgb in &self.pixels {
            *counts.entry(*rgb).or_default() += 1;
        }
        let mut colours: Vec<(Rgb, usize)> = counts.into_iter().collect();
        colours.sort_by_key(|(rgb, count)| (std::cmp::Reverse(*count), *rgb));
        colours.into_iter().map(|(rgb, _)| rgb).collect()
    }

    /// Reduces the number of colours: keeps the most frequent ones, and replaces the others with their nearest.
    pub fn reduce(&mut self, most: usize) {
        let palette = Palette::of(std::slice::from_ref(self), most);
        for rgb in &mut self.pixels {
            *rgb = palette.colours[palette.number(*rgb)];
        }
    }

    /// Writes the picture as PNG with a note.
    pub fn write(&self, path: &Path, note: Option<&str>) -> Result<()> {
        let colours = self.colours();
        if colours.len() > COLOURS {
            bail!(
                "{} has {} colours, more than a palette holds",
                path.display(),
                colours.len()
            );
        }
        let depth = match colours.len() {
            0..=2 => png::BitDepth::One,
            3..=4 => png::BitDepth::Two,
            5..=16 => png::BitDepth::Four,
            _ => png::BitDepth::Eight,
        };
        let numbers: BTreeMap<Rgb, u8> = colours.iter().copied().zip(0..=255).collect();
        let bits = depth as usize;
        let mut bytes = Vec::new();
        for row in self.pixels.chunks(self.width as usize) {
            for part in row.chunks(8 / bits) {
                let byte = part
                    .iter()
                    .enumerate()
                    .fold(0, |byte, (i, rgb)| byte | numbers[rgb] << (8 - bits * (i + 1)));
                bytes.push(byte);
            }
        }
        let file = File::create(path).with_context(|| format!("{} cannot be written", path.display()))?;
        let mut encoder = png::Encoder::new(BufWriter::new(file), self.width, self.height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(depth);
        encoder.set_palette(colours.concat());
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::NoFilter);
        if let Some(note) = note {
            encoder.add_text_chunk(NOTE.into(), note.into())?;
        }
        encoder.write_header()?.write_image_data(&bytes)?;
        Ok(())
    }

    /// Reads a PNG file, and its note.
    pub fn read(path: &Path) -> Result<(Self, Option<String>)> {
        let file = File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let mut decoder = png::Decoder::new(BufReader::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info()?;
        let size = reader.output_buffer_size().context("too large")?;
        let mut bytes = vec![0; size];
        let info = reader.next_frame(&mut bytes)?;
        if info.color_type != png::ColorType::Rgb {
            bail!("{} has no palette", path.display());
        }
        let notes = &reader.info().uncompressed_latin1_text;
        let note = notes.iter().find(|chunk| chunk.keyword == NOTE);
        let pixels = bytes[..info.buffer_size()].as_chunks::<3>().0.to_vec();
        let sheet = Self {
            width: info.width,
            height: info.height,
            pixels,
        };
        Ok((sheet, note.map(|chunk| chunk.text.clone())))
    }
}

/// A palette that approximates many colours.
pub struct Palette {
    pub colours: Vec<Rgb>,
    numbers: BTreeMap<Rgb, usize>,
}

impl Palette {
    /// Returns the most frequent colours of some pictures.
    pub fn of(sheets: &[Sheet], most: usize) -> Self {
        let mut counts: BTreeMap<Rgb, usize> = BTreeMap::new();
        for rgb in sheets.iter().flat_map(|sheet| &sheet.pixels) {
            *counts.entry(*rgb).or_default() += 1;
        }
        let mut ranked: Vec<(Rgb, usize)> = counts.into_iter().collect();
        ranked.sort_by_key(|(rgb, count)| (std::cmp::Reverse(*count), *rgb));
        let colours: Vec<Rgb> = ranked.iter().take(most).map(|(rgb, _)| *rgb).collect();
        let nearest = |rgb: Rgb| {
            let distance = |other: &Rgb| -> u32 {
                let parts = rgb.iter().zip(other);
                parts.map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
            };
            let best = colours.iter().enumerate().min_by_key(|(_, other)| distance(other));
            best.map_or(0, |(number, _)| number)
        };
        let numbers = ranked.iter().map(|(rgb, _)| (*rgb, nearest(*rgb))).collect();
        Self { colours, numbers }
    }

    /// Returns the number of the palette colour for a colour of the pictures.
    pub fn number(&self, rgb: Rgb) -> usize {
        self.numbers.get(&rgb).copied().unwrap_or(0)
    }
}

/// Mixes two colours.
pub fn mix(under: Rgb, over: Rgb, share: f32) -> Rgb {
    std::array::from_fn(|i| {
        let (under, over) = (f32::from(under[i]), f32::from(over[i]));
        (under + (over - under) * share).round() as u8
    })
}
