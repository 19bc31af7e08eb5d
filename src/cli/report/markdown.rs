//! Writes a report as Markdown. The pictures are files in a folder beside it, since most Markdown viewers do not show
//! embedded pictures.

use std::ffi::OsStr;
use std::fmt::Write as _;

use super::page::{Block, Cell, Histogram, Line, Page, Piece};
use crate::recording_file::PROGRAM;
use crate::text::{escape, escape_line};

/// Escapes text so that no part of it is interpreted as Markdown or HTML.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in escape_line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '!' | '|' | '~' | '$' => {
                out.push('\\');
                out.push(c);
            }
            // `1.`, `1)`, `-` and `+` begin a list only at the start of a line.
            '.' | '-' | '+' | ')' if out.chars().all(|before| before.is_ascii_digit()) => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

/// Returns a string of at least `least` backticks that is longer than any run of backticks in the text.
fn fence(text: &str, least: usize) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat((longest + 1).max(least))
}

/// Formats text as inline code.
fn inline_code(text: &str) -> String {
    let text = escape_line(text);
    let fence = fence(&text, 1);
    let gap = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{gap}{text}{gap}{fence}")
}

fn line(line: &Line) -> String {
    line.iter()
        .map(|piece| match piece {
            Piece::Text(text) => escaped(text),
            Piece::Code(text) => inline_code(text),
            Piece::Strong(text) => format!("**{}**", escaped(text)),
        })
        .collect()
}

/// Returns a file name as a part of a link's address. Control characters, characters with a meaning in an address or in
/// Markdown, and bytes that are not UTF-8 are percent-encoded.
fn address(name: &OsStr) -> String {
    let mut out = String::new();
    let percent = |out: &mut String, bytes: &[u8]| {
        for byte in bytes {
            let _ = write!(out, "%{byte:02X}");
        }
    };
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_control() || "%<>\\&#?:".contains(c) {
                percent(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                out.push(c);
            }
        }
        percent(&mut out, chunk.invalid());
    }
    out
}

/// Returns the page as Markdown; `folder` is the name of the folder with the pictures.
pub(super) fn write(page: &Page, folder: &OsStr) -> String {
    let folder = &address(folder);
    let mut out = format!("<!-- {PROGRAM} report -->\n\n# {}\n\n", escaped(&page.title));
    let _ = writeln!(out, "{}\n", escaped(&page.subtitle));
    for block in &page.blocks {
        write_block(block, folder, &mut out);
        out.push('\n');
    }
    out.trim_end().to_owned() + "\n"
}

// Writing to a string cannot fail.
fn write_block(block: &Block, folder: &str, out: &mut String) {
    match block {
        Block::Heading(text) => {
            let _ = writeln!(out, "## {}", escaped(text));
        }
        Block::Paragraph(text) => {
            let _ = writeln!(out, "{}", line(text));
        }
        Block::Quote(paragraphs) => {
            let quoted: Vec<String> = paragraphs.iter().map(|text| format!("> {}\n", escaped(text))).collect();
            out.push_str(&quoted.join(">\n"));
        }
        Block::List(lines) => {
            for one in lines {
                let _ = writeln!(out, "- {}", line(one));
            }
        }
        Block::Table { head, rows } => {
            let names: Vec<String> = head.iter().map(|name| escaped(name)).collect();
            let _ = writeln!(out, "| {} |", names.join(" | "));
            let is_number = |place: usize| rows.iter().any(|row| matches!(row.get(place), Some(Cell::Number(_))));
            let rules: Vec<&str> = (0..head.len())
                .map(|place| if is_number(place) { "--:" } else { "---" })
                .collect();
            let _ = writeln!(out, "| {} |", rules.join(" | "));
            for row in rows {
                let cells: Vec<String> = row.iter().map(cell).collect();
                let _ = writeln!(out, "| {} |", cells.join(" | "));
            }
        }
        Block::Picture(picture) => {
            let _ = writeln!(out, "![{}](<{folder}/{}.png>)", escaped(&picture.alt), picture.name);
        }
        Block::Cards(cards) | Block::Pairs(cards) => {
            for card in cards {
                let _ = writeln!(out, "### {}\n", escaped(&card.title));
                if let Some(picture) = &card.picture {
                    let _ = writeln!(out, "![{}](<{folder}/{}.png>)\n", escaped(&picture.alt), picture.name);
                }
                for text in &card.lines {
                    let _ = writeln!(out, "{}\n", line(text));
                }
            }
        }
        // Only the HTML report has a legend of colours.
        Block::Colours(_) => {}
        Block::Code(text) => {
            let text = escape(text);
            let fence = fence(&text, 3);
            let _ = writeln!(out, "{fence}toml\n{}\n{fence}", text.trim_end());
        }
    }
}

fn cell(cell: &Cell) -> String {
    match cell {
        // Escape vertical bars even in code, since a vertical bar ends the cell of a table.
        Cell::Line(pieces) => (pieces.iter())
            .map(|piece| match piece {
                Piece::Code(text) => inline_code(text).replace('|', "\\|"),
                piece => line(&vec![piece.clone()]),
            })
            .collect(),
        Cell::Number(text) => escaped(text),
        Cell::Histogram(Histogram { counts, ends }) => {
            format!("{} {} {}", ends[0], super::super::survey::histogram(counts), ends[1])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_folder_leads_to_it_whatever_its_name() {
        assert_eq!(address("the keep ü-pictures".as_ref()), "the keep ü-pictures");
        assert_eq!(address("100%<a>#1?".as_ref()), "100%25%3Ca%3E%231%3F");
        // With a colon, the name would begin with a scheme such as `http:`.
        assert_eq!(address("keep:2-pictures".as_ref()), "keep%3A2-pictures");
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt as _;
            assert_eq!(address(OsStr::from_bytes(b"a\xffb")), "a%FFb");
        }
    }

    #[test]
    fn no_text_is_markup() {
        assert_eq!(
            escaped("<script>*a*_b_ [x](y) `c` | # \u{202e}&amp;"),
            "&lt;script&gt;\\*a\\*\\_b\\_ \\[x\\](y) \\`c\\` \\| \\# \\\\u\\{202e\\}&amp;amp;"
        );
        assert_eq!(escaped("1. - a"), "1\\. - a");
        assert_eq!(escaped("- a-b.c"), "\\- a-b.c");
        assert_eq!(inline_code("a `` b"), "```a `` b```");
        assert_eq!(inline_code("`"), "`` ` ``");
        assert_eq!(
            cell(&Cell::Line(vec![
                Piece::Code("a | b".into()),
                Piece::Text(" | c".into())
            ])),
            "`a \\| b` \\| c"
        );
    }
}
