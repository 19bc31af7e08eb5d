//! Reads PNG pictures: dark pixels are walls.
//!
//! Each pixel is read as one square of the drawing. However, if all walls and open areas fit a coarser grid, each cell
//! of the coarsest such grid is read as one square instead. Transparent pixels are blended with white. The threshold
//! between dark and light is chosen by Otsu's method or set by the user in percent (white is 100). Unless the user sets
//! a threshold, pictures that Wallcrawler exported are recognized by their colours: walls of any colour, the design's
//! column tiles, and squares guaranteed to stay open are distinguished; grid lines, labels and the legend are removed.
//! If such a picture was edited later and has a few new colours, these colours are read by their brightness.
//!
//! Columns that Jumpers leave are recognized only in exported pictures whose colours show the kinds of tiles. In the
//! other exported pictures, these columns have the colours of walls and are read as walls.

use std::collections::BTreeMap;
use std::io::Cursor;

use super::chunks;
use super::colours::{self, Shown, shade};
use super::square::{Drawing, DrawnSquare, common};
use super::{ImportOptions, MOST_SQUARES};
use crate::design::Diagnostic;
use crate::export::Rgb;
use crate::geometry::Size;
use crate::text::counted;

/// Maximum number of pixels; larger pictures are rejected. Each pixel takes two or three bytes of memory while a
/// picture is read. The maximum for interlaced pictures is a quarter of this number, because the decoder returns all
/// rows at once, with up to four bytes per pixel.
const MOST_PIXELS: u64 = 1 << 27;

/// Memory limit of the PNG decoder in bytes.
const READER_BYTES: usize = 64 << 20;

/// Maximum number of squares in a row or column without a warning. The warning suggests `--scale`, because a larger
/// drawing probably uses several pixels for each square.
const LONG: i32 = 600;

/// The pixels of a picture: indices of colours if the picture has at most 256 colours, otherwise shades of grey.
struct Pixels {
    width: usize,
    height: usize,
    /// Number of pictures in the file: 1, unless it is an animation.
    frames: u32,
    /// One byte per pixel: an index into `colours`, or a shade if `colours` is `None`.
    bytes: Vec<u8>,
    colours: Option<Colours>,
}

#[derive(Default)]
struct Colours {
    all: Vec<Rgb>,
    numbers: BTreeMap<Rgb, u8>,
    last: Option<(Rgb, u8)>,
}

impl Colours {
    fn number(&mut self, rgb: Rgb) -> Option<u8> {
        // Adjacent pixels mostly share a colour, so compare with the previous pixel's colour first.
        if let Some((_, number)) = self.last.filter(|(last, _)| *last == rgb) {
            return Some(number);
        }
        let number = if let Some(number) = self.numbers.get(&rgb) {
            *number
        } else {
            let number = u8::try_from(self.all.len()).ok()?;
            self.all.push(rgb);
            self.numbers.insert(rgb, number);
            number
        };
        self.last = Some((rgb, number));
        Some(number)
    }
}

impl Pixels {
    fn push(&mut self, rgb: Rgb) {
        if let Some(colours) = &mut self.colours {
            if let Some(number) = colours.number(rgb) {
                self.bytes.push(number);
                return;
            }
            let shades: Vec<u8> = colours.all.iter().map(|rgb| shade(*rgb)).collect();
            for byte in &mut self.bytes {
                *byte = shades[usize::from(*byte)];
            }
            self.colours = None;
        }
        self.bytes.push(shade(rgb));
    }

    /// Returns each colour with the number of its pixels; `None` for a picture with too many colours.
    fn counted(&self) -> Option<Vec<(Rgb, u64)>> {
        let colours = self.colours.as_ref()?;
        let mut counts = [0; 256];
        for byte in &self.bytes {
            counts[usize::from(*byte)] += 1;
        }
        Some(colours.all.iter().copied().zip(counts).collect())
    }

    /// Converts the pixels to shades of grey, from 0 (black) to 255 (white).
    fn shades(self) -> Vec<u8> {
        let Some(colours) = self.colours else { return self.bytes };
        let shades: Vec<u8> = colours.all.iter().map(|rgb| shade(*rgb)).collect();
        self.bytes
            .into_iter()
            .map(|number| shades[usize::from(number)])
            .collect()
    }
}

pub(super) fn read(
    name: &str,
    bytes: &[u8],
    options: &ImportOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Drawing> {
    let pixels = match decode(bytes) {
        Ok(pixels) => pixels,
        Err(Rejection { message, help }) => {
            diagnostics.push(Diagnostic::error(format!("{name} {message}")).help(help));
            return None;
        }
    };
    if pixels.frames > 1 {
        let message = format!(
            "{name} is an animation of {} pictures; only the first is read",
            pixels.frames
        );
        diagnostics.push(Diagnostic::warning(message).help("save the picture that you want as a PNG of its own"));
    }
    let own = pixels.counted().and_then(|counted| colours::own(&counted));
    if options.threshold.is_none()
        && let Some(own) = own
        && let Some(drawing) = ours(&pixels, &own.shown, options)
    {
        diagnostics.push(Diagnostic::note(
            "a picture exported by Wallcrawler: its colours identify the tiles",
        ));
        diagnostics.extend(added(&own.added));
        return Some(drawing);
    }
    Some(drawn(pixels, options, diagnostics))
}

/// Returns a warning about colours that were added to an exported picture; `None` if there are none.
fn added(added: &[(Rgb, DrawnSquare)]) -> Option<Diagnostic> {
    let named = |square: DrawnSquare, meaning: &str| {
        let of = added.iter().filter(|(_, read)| *read == square);
        let names: Vec<String> = of.map(|([r, g, b], _)| format!("#{r:02x}{g:02x}{b:02x}")).collect();
        (!names.is_empty()).then(|| format!("{} as {meaning}", names.join(", ")))
    };
    let kinds = [(DrawnSquare::Wall, "wall"), (DrawnSquare::Open, "open")];
    let description: Vec<String> = kinds
        .into_iter()
        .filter_map(|(square, meaning)| named(square, meaning))
        .collect();
    (!added.is_empty()).then(|| {
        Diagnostic::warning(format!(
            "this picture has {} that Wallcrawler does not use, read by brightness: {}",
            counted(added.len(), "colour"),
            description.join("; ")
        ))
        .help("draw walls and open squares in colours that the picture had before")
    })
}

/// The reason why a picture cannot be read, and advice for the user.
struct Rejection {
    message: String,
    help: &'static str,
}

fn decode(bytes: &[u8]) -> Result<Pixels, Rejection> {
    let broken = |error: png::DecodingError| match error {
        png::DecodingError::LimitsExceeded => Rejection {
            message: "needs too much memory".into(),
            help: "make it smaller",
        },
        error => Rejection {
            message: format!("cannot be read as a PNG picture: {error}"),
            help: "save it again as PNG",
        },
    };
    if let Some(message) = chunks::palette_problem(bytes) {
        return Err(Rejection {
            message,
            help: "save it again as PNG",
        });
    }
    let limits = png::Limits { bytes: READER_BYTES };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(broken)?;
    let info = reader.info();
    let (width, height, interlaced) = (info.width, info.height, info.interlaced);
    let frames = info.animation_control.map_or(1, |animation| animation.num_frames);
    let most = if interlaced { MOST_PIXELS / 4 } else { MOST_PIXELS };
    if u64::from(width) * u64::from(height) > most {
        return Err(Rejection {
            message: format!("has {width} × {height} pixels; the maximum is {most}"),
            help: "make it smaller, ideally with one pixel for each square",
        });
    }
    let channels = reader.output_color_type().0.samples();
    let mut pixels = Pixels {
        width: width as usize,
        height: height as usize,
        frames,
        bytes: Vec::new(),
        colours: Some(Colours::default()),
    };
    if interlaced {
        let mut whole = vec![0; reader.output_buffer_size().unwrap_or(0)];
        reader.next_frame(&mut whole).map_err(broken)?;
        whole
            .chunks_exact(channels)
            .for_each(|pixel| pixels.push(on_paper(pixel)));
    } else {
        for _ in 0..height {
            let Some(row) = reader.next_row().map_err(broken)? else {
                break;
            };
            let row = row.data().chunks_exact(channels).take(width as usize);
            row.for_each(|pixel| pixels.push(on_paper(pixel)));
        }
    }
    // Fill missing rows with white.
    while pixels.bytes.len() < pixels.width * pixels.height {
        pixels.push([255; 3]);
    }
    Ok(pixels)
}

/// Blends a pixel, which has 1 to 4 channels, with a white background.
fn on_paper(pixel: &[u8]) -> Rgb {
    let over = |value: u8, alpha: u8| {
        let (value, alpha) = (u32::from(value), u32::from(alpha));
        ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
    };
    match *pixel {
        [grey] => [grey; 3],
        [grey, alpha] => [over(grey, alpha); 3],
        [red, green, blue] => [red, green, blue],
        [red, green, blue, alpha] => [over(red, alpha), over(green, alpha), over(blue, alpha)],
        _ => [255; 3],
    }
}

/// Reads a picture that Wallcrawler exported; `None` if the picture lacks the wall ring of a dungeon.
fn ours(pixels: &Pixels, shown: &[Shown], options: &ImportOptions) -> Option<Drawing> {
    let Pixels { width, height, .. } = *pixels;
    let mut bytes = pixels.bytes.clone();
    let shown_by = |byte: u8| shown.get(usize::from(byte)).copied().unwrap_or(Shown::Line);
    heal(&mut bytes, width, height, &|byte| shown_by(byte) == Shown::Line);
    let square = |byte: u8| match shown_by(byte) {
        Shown::Square(square) => square,
        Shown::Line => DrawnSquare::Open,
    };
    // The corners of a dungeon are always wall. Rooms at the border may open parts of the outer ring, but most of the
    // ring is wall. A legend may follow below the dungeon, so search for the dungeon's lower right corner.
    let is_wall = |x: usize, y: usize| square(bytes[x * width + y]) == DrawnSquare::Wall;
    let across = (0..width).rfind(|y| is_wall(0, *y)).map_or(0, |y| y + 1);
    let both = |x: &usize| across > 0 && is_wall(*x, 0) && is_wall(*x, across - 1);
    let down = (0..height).rfind(both).map_or(0, |x| x + 1);
    let rows = bytes.chunks(width).take(down);
    let squares = rows.flat_map(|row| row[..across].iter().map(|byte| square(*byte)));
    let drawing = Drawing::new(Size::new(down as i32, across as i32), squares.collect());
    let (walls, others): (Vec<_>, Vec<_>) = drawing.edge().partition(|(_, square)| *square == DrawnSquare::Wall);
    let is_ring = is_wall(0, 0) && walls.len() > others.len();
    if across < 2 || down < 2 || !is_ring {
        return None;
    }
    let [a, b] = drawing.grain();
    let scale = options
        .scale
        .map_or_else(|| common(a, b), |scale| scale as usize)
        .max(1);
    let mut drawing = drawing.shrunk(scale, scale);
    drawing.is_plain = false;
    Some(drawing)
}

/// Removes grid lines by replacing their pixels with those below or to the right. A line is one pixel wide and lies at
/// the upper or left edge of squares that measure at least three pixels.
fn heal(bytes: &mut [u8], width: usize, height: usize, is_line: &dyn Fn(u8) -> bool) {
    if width < 4 || height < 4 {
        return;
    }
    for x in (0..height - 1).rev() {
        let row = x * width;
        if is_line(bytes[row + 1]) && is_line(bytes[row + 2]) {
            bytes.copy_within(row + width..row + 2 * width, row);
        }
    }
    for y in (0..width - 1).rev() {
        if is_line(bytes[y]) {
            for x in 0..height {
                bytes[x * width + y] = bytes[x * width + y + 1];
            }
        }
    }
}

/// Reads a picture that Wallcrawler did not export.
fn drawn(pixels: Pixels, options: &ImportOptions, diagnostics: &mut Vec<Diagnostic>) -> Drawing {
    let (mut width, mut height) = (pixels.width, pixels.height);
    let mut shades = pixels.shades();
    let asked = options.scale.map(|scale| scale as usize).filter(|scale| *scale > 1);
    if let Some(scale) = asked {
        shades = averaged(&shades, width, scale);
        (width, height) = (width.div_ceil(scale), height.div_ceil(scale));
    }
    let limit = match options.threshold {
        Some(percent) => (u32::from(percent.min(100)) * 255).div_ceil(100),
        None => parting(&shades),
    };
    let squares = shades.iter().map(|shade| {
        if u32::from(*shade) < limit {
            DrawnSquare::Wall
        } else {
            DrawnSquare::Open
        }
    });
    let size = Size::new(height as i32, width as i32);
    let mut drawing = Drawing::new(size, squares.collect());
    let [across, down] = drawing.grain();
    let scale = common(across, down);
    let mixed = drawing.walls() > 0 && drawing.count(DrawnSquare::Open) > 0;
    if options.scale.is_none() && scale > 1 && mixed {
        drawing = drawing.shrunk(scale, scale);
        diagnostics.push(
            Diagnostic::note(format!("{scale} × {scale} pixels are one square"))
                .help("use --scale 1 if each pixel is a square"),
        );
    } else if options.scale.is_none() && size.x.max(size.y) > LONG {
        diagnostics.push(
            Diagnostic::warning(format!("each of the {width} × {height} pixels is a square"))
                .help("use --scale N if a square is N × N pixels"),
        );
    }
    if drawing.size().squares() > MOST_SQUARES {
        return drawing;
    }
    let (walls, all) = (drawing.walls(), drawing.size().squares());
    let share = walls as u64 * 100 / all.max(1);
    let description = format!(
        "squares with a brightness below {}% are walls: {walls} of {all}",
        limit * 100 / 255
    );
    diagnostics.push(if share > 75 && !options.invert {
        Diagnostic::warning(description).help("use --invert if walls are light, or --threshold for another brightness")
    } else {
        Diagnostic::note(description)
    });
    drawing
}

/// Returns the average shade of each block of `scale` × `scale` pixels. Blocks at the right and lower edge may be
/// smaller.
fn averaged(shades: &[u8], width: usize, scale: usize) -> Vec<u8> {
    let columns = width.div_ceil(scale);
    let mut averaged = Vec::new();
    for rows in shades.chunks(width * scale) {
        let mut sums = vec![(0_u64, 0_u64); columns];
        for row in rows.chunks(width) {
            for (sum, square) in sums.iter_mut().zip(row.chunks(scale)) {
                sum.0 += square.iter().map(|shade| u64::from(*shade)).sum::<u64>();
                sum.1 += square.len() as u64;
            }
        }
        averaged.extend(sums.into_iter().map(|(sum, count)| (sum / count.max(1)) as u8));
    }
    averaged
}

/// Returns the lowest shade that counts as light, chosen by Otsu's method, which maximizes the variance between dark
/// and light shades. Returns 128 if all shades are equal.
fn parting(shades: &[u8]) -> u32 {
    let mut counts = [0_u64; 256];
    for shade in shades {
        counts[usize::from(*shade)] += 1;
    }
    let all: u64 = counts.iter().sum();
    let total: f64 = (0_u32..)
        .zip(counts)
        .map(|(shade, count)| f64::from(shade) * count as f64)
        .sum();
    let (mut dark, mut sum) = (0, 0.0);
    let mut best = (0.0, 128, 128);
    for (shade, count) in (0_u32..).zip(counts) {
        let light = all - dark;
        if dark > 0 && light > 0 {
            let apart = sum / dark as f64 - (total - sum) / light as f64;
            let spread = apart * apart * dark as f64 * light as f64;
            // All thresholds between two neighbouring shades of the picture are equivalent: choose their middle.
            if spread > best.0 * (1.0 + 1e-9) {
                best = (spread, shade, shade);
            } else if spread >= best.0 * (1.0 - 1e-9) {
                best.2 = shade;
            }
        }
        dark += count;
        sum += f64::from(shade) * count as f64;
    }
    u32::midpoint(best.1, best.2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Severity;
    use crate::geometry::Point;
    use crate::import::ReadResult;
    use png::{BitDepth, ColorType};

    /// A maze with different width and height; `#` is dark.
    const MAZE: [&str; 3] = ["#####", "#..##", "#####"];

    fn encoded(color: ColorType, depth: BitDepth, width: u32, data: &[u8], palette: &[u8]) -> Vec<u8> {
        let bits = width as usize * color.samples() * depth as usize;
        let height = data.len() / bits.div_ceil(8);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height as u32);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if !palette.is_empty() {
            encoder.set_palette(palette.to_vec());
        }
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(data).expect("pixels");
        writer.finish().expect("a picture");
        bytes
    }

    /// Encodes the maze as a picture in which the bytes `dark` or `light` represent each square.
    fn painted(color: ColorType, depth: BitDepth, dark: &[u8], light: &[u8]) -> Vec<u8> {
        let squares = MAZE.concat();
        let data: Vec<u8> = squares
            .bytes()
            .flat_map(|c| if c == b'#' { dark } else { light })
            .copied()
            .collect();
        encoded(color, depth, 5, &data, &[])
    }

    fn read(bytes: Vec<u8>, options: &ImportOptions) -> ReadResult {
        crate::import::read("maze.png", bytes, options, &mut |_| {
            Err(std::io::ErrorKind::NotFound.into())
        })
    }

    #[test]
    fn only_the_first_picture_of_an_animation_is_read_and_this_is_said() {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 5, 3);
        encoder.set_color(ColorType::Grayscale);
        encoder.set_animated(2, 0).expect("two pictures");
        let mut writer = encoder.write_header().expect("a header");
        let squares: Vec<u8> = MAZE.concat().bytes().map(|c| if c == b'#' { 0 } else { 255 }).collect();
        for data in [&squares[..], &[0; 15]] {
            writer.write_image_data(data).expect("pixels");
        }
        writer.finish().expect("an animation");
        let read = read(bytes, &ImportOptions::default());
        assert_eq!(shown(&read), MAZE);
        let about = |d: &Diagnostic| d.message.contains("an animation of 2 pictures");
        assert!(read.diagnostics.iter().any(about), "{:?}", read.diagnostics);
    }

    fn shown(read: &ReadResult) -> Vec<String> {
        let drawing = read
            .drawing
            .as_ref()
            .unwrap_or_else(|| panic!("{:?}", read.diagnostics));
        let glyph = |square: DrawnSquare| if square == DrawnSquare::Wall { '#' } else { '.' };
        let Size { x, y } = drawing.size();
        (0..x)
            .map(|x| (0..y).map(|y| glyph(drawing.square(Point::new(x, y)))).collect())
            .collect()
    }

    #[test]
    fn dark_is_wall_in_every_colour_type() {
        use BitDepth::{Eight, Sixteen};
        use ColorType::{Grayscale, GrayscaleAlpha, Rgb, Rgba};
        for (color, depth, dark, light) in [
            (Grayscale, Eight, &[40][..], &[200][..]),
            (Grayscale, Sixteen, &[40, 1], &[200, 2]),
            (GrayscaleAlpha, Eight, &[0, 255], &[0, 10]),
            (Rgb, Eight, &[0, 0, 200], &[250, 240, 90]),
            (Rgb, Sixteen, &[0, 9, 0, 9, 200, 9], &[250, 0, 240, 0, 90, 0]),
            (Rgba, Eight, &[90, 0, 0, 255], &[0, 0, 0, 0]),
            (Rgba, Sixteen, &[0, 0, 0, 0, 0, 0, 255, 255], &[0; 8]),
        ] {
            let read = read(painted(color, depth, dark, light), &ImportOptions::default());
            assert_eq!(shown(&read), MAZE, "{color:?} {depth:?}");
        }
        let bits = [0b0000_0000, 0b0110_0000, 0b0000_0000];
        assert_eq!(
            shown(&read(
                encoded(Grayscale, BitDepth::One, 5, &bits, &[]),
                &ImportOptions::default()
            )),
            MAZE
        );
        let bits = [0b0000_0000, 0b0110_0000, 0b0000_0000];
        let palette = [10, 60, 20, 240, 230, 220];
        let indexed = encoded(ColorType::Indexed, BitDepth::One, 5, &bits, &palette);
        assert_eq!(shown(&read(indexed, &ImportOptions::default())), MAZE);
    }

    #[test]
    fn squares_of_many_pixels_are_found_or_reported() {
        let large = |times: usize| -> Vec<u8> {
            let row = |row: &&str| -> Vec<u8> {
                let pixel = |c: u8| if c == b'#' { 0 } else { 255 };
                row.bytes().flat_map(|c| vec![pixel(c); times]).collect()
            };
            MAZE.iter().flat_map(|r| vec![row(r); times].concat()).collect()
        };
        let picture = |times: usize| {
            encoded(
                ColorType::Grayscale,
                BitDepth::Eight,
                5 * times as u32,
                &large(times),
                &[],
            )
        };
        for times in [1, 2, 7] {
            let read = read(picture(times), &ImportOptions::default());
            assert_eq!(shown(&read), MAZE, "{times}");
            let description = read.diagnostics.iter().any(|d| d.message.contains("are one square"));
            assert_eq!(description, times > 1);
        }
        let one = ImportOptions {
            scale: Some(1),
            ..ImportOptions::default()
        };
        assert_eq!(shown(&read(picture(2), &one)).len(), 6);
        // A single light pixel hides the coarser grid. If the user sets the scale, the pixel is averaged with its
        // square.
        let mut data = large(4);
        data[21 * 4 + 9] = 255;
        let speck = encoded(ColorType::Grayscale, BitDepth::Eight, 20, &data, &[]);
        assert_eq!(shown(&read(speck.clone(), &ImportOptions::default())).len(), 12);
        let four = ImportOptions {
            scale: Some(4),
            ..ImportOptions::default()
        };
        assert_eq!(shown(&read(speck, &four)), MAZE);
    }

    #[test]
    fn invert_and_threshold_apply() {
        let grey = |dark: u8, light: u8| painted(ColorType::Grayscale, BitDepth::Eight, &[dark], &[light]);
        let inverted = ImportOptions {
            invert: true,
            ..ImportOptions::default()
        };
        assert_eq!(shown(&read(grey(200, 40), &inverted)), MAZE);
        let read_as = |dark, light| read(grey(dark, light), &ImportOptions::default());
        assert!(
            read_as(10, 240)
                .diagnostics
                .iter()
                .any(|d| d.severity == Severity::Warning && d.help.contains("--invert"))
        );
        // With a threshold of 50%, both shades of the first picture are dark and both shades of the second are light.
        assert_eq!(shown(&read_as(10, 60)), MAZE);
        assert_eq!(shown(&read_as(180, 250)), MAZE);
        let half = ImportOptions {
            threshold: Some(50),
            ..ImportOptions::default()
        };
        assert!(shown(&read(grey(10, 60), &half)).concat().bytes().all(|c| c == b'#'));
        // 127 of 255 is just below 50%, and 128 just above.
        let middle = read(grey(127, 128), &half);
        assert_eq!(shown(&middle), MAZE);
        assert!(middle.diagnostics.iter().any(|d| d.message.contains("below 50%")));
        let none = read(grey(180, 250), &half);
        assert_eq!(none.drawing, None);
        assert!(none.diagnostics.iter().any(|d| d.message.contains("has no walls")));
        assert!(shown(&read_as(7, 7)).concat().bytes().all(|c| c == b'#'));
        assert_eq!(read_as(250, 250).drawing, None);
    }

    #[test]
    fn errors_of_broken_pictures_say_what_to_do() {
        let whole = painted(ColorType::Rgb, BitDepth::Eight, &[0; 3], &[255; 3]);
        for cut in [8, 20, 40, whole.len() - 20] {
            let read = read(whole[..cut].to_vec(), &ImportOptions::default());
            if let Some(description) = read.diagnostics.iter().find(|d| d.severity == Severity::Error) {
                assert!(description.message.starts_with("maze.png "), "{description}");
            }
        }
        let mut huge = whole;
        huge[16..24].copy_from_slice(&[0x7f, 0, 0, 0, 0x7f, 0, 0, 0]);
        let read = read(huge, &ImportOptions::default());
        assert_eq!(read.drawing, None);
    }
}
