//! Exports a dungeon as SVG: the outlines of each coloured part are one path, which stays sharp at any size.

use std::fmt::Write as _;

use super::marks::{DIGIT, Label, OUTLINE, labels};
use super::outline::outlines_of;
use super::paint::Painting;
use super::palette::mixed;
use super::{DungeonView, ExportError, ExportKind, ExportOptions, ExportTask, Palette, Rgb, picture};
use crate::geometry::{Point, Size};

/// Default side length of a square in pixels.
const SCALE: u32 = 8;

/// Escapes text for XML; characters that XML forbids become U+FFFD.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML 1.0 cannot represent these characters.
            '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

pub(super) fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Appends a closed line to path data. A dungeon's x is the row, which is y in SVG.
fn add_path(data: &mut String, line: &[Point]) {
    let mut before = None;
    for corner in line {
        // Writing to a string cannot fail.
        let _ = match before {
            None => write!(data, "M{} {}", corner.y, corner.x),
            Some(x) if x == corner.x => write!(data, "H{}", corner.y),
            Some(_) => write!(data, "V{}", corner.x),
        };
        before = Some(corner.x);
    }
    data.push('Z');
}

/// Writes the room numbers at the centres of the rooms, and the coordinates on the outer wall.
fn write_labels(labels: &[Label], map: Size, palette: &Palette, job: &mut ExportTask<'_>) -> Result<(), ExportError> {
    /// Width of a letter as a fraction of the font size. The viewer selects the font, so this is an estimate.
    const LETTER: f64 = 0.6;
    if labels.is_empty() {
        return Ok(());
    }
    let (ink, ground) = (hex(palette.text), hex(palette.ground));
    // Each outline is a separate text element below the letters. With a single element, programs that ignore
    // `paint-order` would draw the outline over the letters.
    let outlines = format!("fill=\"{ground}\" stroke=\"{ground}\" stroke-linejoin=\"round\" aria-hidden=\"true\"");
    for (is_outline, colours) in [(true, outlines), (false, format!("fill=\"{ink}\""))] {
        job.format(format_args!("<g font-family=\"sans-serif\" {colours}>\n"))?;
        for label in labels {
            let size = label.font_size();
            let [width, height] = [LETTER * size * label.text.chars().count() as f64, DIGIT * size];
            let [left, top] = label.place(map, 1.0, [width, height]);
            let (x, anchor) = if label.is_room {
                (left + width / 2.0, "middle")
            } else {
                (left, "start")
            };
            job.format(format_args!(
                "<text x=\"{x:.2}\" y=\"{:.2}\" font-size=\"{size}\" text-anchor=\"{anchor}\"",
                top + height
            ))?;
            if is_outline {
                job.format(format_args!(" stroke-width=\"{:.2}\"", OUTLINE * size))?;
            }
            job.format(format_args!(">{}</text>\n", escaped(&label.text)))?;
        }
        job.text("</g>\n")?;
    }
    Ok(())
}

pub(super) fn write(
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    job: &mut ExportTask<'_>,
) -> Result<(), ExportError> {
    let marks = options.marks.unwrap_or(ExportKind::Svg.marks());
    let painting = Painting::marked(dungeon, options.by, options.ground.unwrap_or_default(), marks);
    let (size, palette) = (dungeon.size(), *painting.palette());
    let scale = options.scale.unwrap_or(SCALE).max(1);
    let title = picture::title(dungeon, options);
    // The text grows with the dungeon, so that it is readable when the picture fills a page.
    let letter = f64::from(size.x.max(size.y)) / 50.0;
    let legend: Vec<_> = painting.legend().collect();
    let below = if options.legend {
        (letter * (legend.len() as f64 + 2.5) * 1.4).ceil() as i32
    } else {
        0
    };
    let (across, down) = (size.y, size.x + below);
    job.format(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {across} {down}\">\n\
         <title>{}</title>\n<rect width=\"{across}\" height=\"{down}\" fill=\"{}\"/>\n\
         <g shape-rendering=\"crispEdges\">\n",
        across as u64 * u64::from(scale),
        down as u64 * u64::from(scale),
        escaped(&title),
        hex(palette.ground)
    ))?;
    let rows = size.x as u64;
    let all = rows + painting.parts().len() as u64;
    let mut paths = vec![String::new(); painting.parts().len()];
    let lines = outlines_of(size, |at| painting.part_of(at), |x| job.at(x as u64, all))?;
    for (part, line) in lines {
        add_path(&mut paths[part], &line);
    }
    for (number, part) in painting.parts().iter().enumerate().skip(1) {
        job.at(rows + number as u64, all)?;
        let (name, fill) = (escaped(&part.name), hex(part.rgb));
        job.format(format_args!(
            "<path fill=\"{fill}\" d=\"{}\"><title>{name}</title></path>\n",
            paths[number]
        ))?;
    }
    job.text("</g>\n")?;
    if let Some(apart) = options.grid.map(|grid| grid.max(1) as usize) {
        let mut data = String::new();
        for y in (0..=size.y).step_by(apart) {
            let _ = write!(data, "M{y} 0V{}", size.x);
        }
        for x in (0..=size.x).step_by(apart) {
            let _ = write!(data, "M0 {x}H{}", size.y);
        }
        let colour = hex(mixed(palette.ground, palette.text, 1, 4));
        job.format(format_args!(
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"0.06\" d=\"{data}\"/>\n"
        ))?;
    }
    write_labels(&labels(dungeon, marks), size, &palette, job)?;
    if options.legend {
        let ink = hex(palette.text);
        job.format(format_args!(
            "<g font-family=\"sans-serif\" font-size=\"{letter}\" fill=\"{ink}\">\n"
        ))?;
        let line = |number: f64| f64::from(size.x) + letter * (number + 1.0) * 1.4;
        job.format(format_args!(
            "<text x=\"{letter}\" y=\"{:.2}\">{}</text>\n",
            line(0.0),
            escaped(&title)
        ))?;
        for (number, part) in legend.iter().enumerate() {
            let foot = line(number as f64 + 1.0);
            job.format(format_args!(
                "<rect x=\"{letter}\" y=\"{:.2}\" width=\"{letter}\" height=\"{letter}\" fill=\"{}\"/>\
                 <text x=\"{:.2}\" y=\"{foot:.2}\">{}: {}</text>\n",
                foot - letter * 0.85,
                hex(part.rgb),
                letter * 2.5,
                escaped(&part.name),
                part.tiles
            ))?;
        }
        job.text("</g>\n")?;
    }
    job.text("</svg>\n")
}
