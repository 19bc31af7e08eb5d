//! Writes a report as a single HTML file that contains its style and pictures but no scripts. The page supports light
//! and dark themes, and printing.
//!
//! All text that a user may have written is escaped, and the page's content security policy forbids scripts and network
//! requests, so that a report on a stranger's design is safe to open.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::page::{Block, Card, Cell, Histogram, Line, Page, Picture, Piece};
use crate::export::{Rgb, xml_escaped};
use crate::recording_file::PROGRAM;
use crate::text::{counted, escape};

/// Width and height of a histogram in pixels.
const BARS: [usize; 2] = [168, 36];

const STYLE: &str = include_str!("style.css");

/// The media query that selects the pictures for dark pages.
const DARK: &str = include_str!("dark.txt").trim_ascii();

/// Escapes text for HTML. Control characters, and characters that change the direction of text, become visible escapes.
fn escaped(text: &str) -> String {
    xml_escaped(&escape(text))
}

/// Returns the page as HTML.
pub(super) fn write(page: &Page) -> String {
    let title = escaped(&page.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"generator\" content=\"{PROGRAM} report\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src \
         'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<main>\n<h1>{title}</h1>\n<p class=\"subtitle\">{}</p>\n",
        escaped(&page.subtitle)
    );
    for block in &page.blocks {
        write_block(block, &mut out);
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

// Writing to a string cannot fail.
fn write_block(block: &Block, out: &mut String) {
    match block {
        Block::Heading(text) => {
            let _ = writeln!(out, "<h2>{}</h2>", escaped(text));
        }
        Block::Paragraph(text) => {
            let _ = writeln!(out, "<p>{}</p>", line(text));
        }
        Block::Quote(paragraphs) => {
            out.push_str("<blockquote>\n");
            for text in paragraphs {
                let _ = writeln!(out, "<p>{}</p>", escaped(text));
            }
            out.push_str("</blockquote>\n");
        }
        Block::List(lines) => {
            out.push_str("<ul>\n");
            for one in lines {
                let _ = writeln!(out, "<li>{}</li>", line(one));
            }
            out.push_str("</ul>\n");
        }
        Block::Table { head, rows } => write_table(head, rows, out),
        Block::Picture(picture) => {
            out.push_str("<figure class=\"chart\">\n");
            write_picture(picture, out);
            out.push_str("</figure>\n");
        }
        Block::Cards(cards) => write_cards("cards", cards, out),
        Block::Pairs(cards) => write_cards("cards pairs", cards, out),
        Block::Colours(colours) => {
            out.push_str("<p class=\"colours\">");
            for (name, rgb) in colours {
                let [light, dark] = rgb.map(hex);
                let _ = write!(
                    out,
                    "<span><i style=\"--light:{light};--dark:{dark}\"></i>{}</span> ",
                    escaped(name)
                );
            }
            out.push_str("</p>\n");
        }
        Block::Code(text) => {
            let _ = writeln!(out, "<pre tabindex=\"0\"><code>{}</code></pre>", escaped(text));
        }
    }
}

fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn line(line: &Line) -> String {
    line.iter()
        .map(|piece| match piece {
            Piece::Text(text) => escaped(text),
            Piece::Code(text) => format!("<code>{}</code>", escaped(text)),
            Piece::Strong(text) => format!("<strong>{}</strong>", escaped(text)),
        })
        .collect()
}

fn write_table(head: &[String], rows: &[Vec<Cell>], out: &mut String) {
    out.push_str("<div class=\"table\" tabindex=\"0\"><table>\n<thead><tr>");
    for (place, name) in head.iter().enumerate() {
        let is_number = rows.iter().any(|row| matches!(row.get(place), Some(Cell::Number(_))));
        let class = if is_number { " class=\"number\"" } else { "" };
        let _ = write!(out, "<th scope=\"col\"{class}>{}</th>", escaped(name));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for cell in row {
            let _ = match cell {
                Cell::Line(text) => write!(out, "<td>{}</td>", line(text)),
                Cell::Number(text) => write!(out, "<td class=\"number\">{}</td>", escaped(text)),
                Cell::Histogram(one) => write!(out, "<td>{}</td>", histogram(one)),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
}

/// Returns a histogram as an SVG element: a bar for the number of dungeons in each bin, and below the bars the lowest
/// and the highest value.
fn histogram(one: &Histogram) -> String {
    let [wide, high] = BARS;
    let most = one.counts.iter().copied().max().unwrap_or(0).max(1);
    let bins = one.counts.len().max(1);
    let [least, highest] = one.ends.each_ref().map(|end| escaped(end));
    let mut bars = format!(
        "<figure><svg class=\"bars\" viewBox=\"0 0 {wide} {high}\" width=\"{wide}\" height=\"{high}\" role=\"img\" \
         aria-label=\"histogram from {least} to {highest}\">"
    );
    for (place, count) in one.counts.iter().enumerate() {
        let left = place * wide / bins;
        let width = ((place + 1) * wide / bins - left).saturating_sub(1).clamp(1, 24);
        // Round up, so that even a single dungeon is visible.
        let height = (*count * high as u64).div_ceil(most);
        let _ = write!(
            bars,
            "<rect x=\"{left}\" y=\"{}\" width=\"{width}\" height=\"{height}\"><title>{}</title></rect>",
            high as u64 - height,
            counted(*count, "dungeon")
        );
    }
    bars + &format!("</svg><figcaption><span>{least}</span><span>{highest}</span></figcaption></figure>")
}

fn write_cards(class: &str, cards: &[Card], out: &mut String) {
    let _ = writeln!(out, "<div class=\"{class}\">");
    for one in cards {
        write_card(one, out);
    }
    out.push_str("</div>\n");
}

fn write_card(card: &Card, out: &mut String) {
    let _ = writeln!(out, "<figure class=\"card\">\n<h3>{}</h3>", escaped(&card.title));
    if let Some(picture) = &card.picture {
        write_picture(picture, out);
    }
    out.push_str("<figcaption>");
    for text in &card.lines {
        let _ = write!(out, "<p>{}</p>", line(text));
    }
    out.push_str("</figcaption>\n</figure>\n");
}

fn write_picture(picture: &Picture, out: &mut String) {
    let (kind, files) = match &picture.svg {
        Some(svg) => ("svg+xml", svg),
        None => ("png", &picture.png),
    };
    let [light, dark] = files.each_ref().map(|bytes| STANDARD.encode(bytes));
    let [wide, high] = picture.size;
    let _ = writeln!(
        out,
        "<picture><source media=\"{DARK}\" srcset=\"data:image/{kind};base64,{dark}\">\
         <img src=\"data:image/{kind};base64,{light}\" width=\"{wide}\" height=\"{high}\" alt=\"{}\"></picture>",
        escaped(&picture.alt)
    );
}
