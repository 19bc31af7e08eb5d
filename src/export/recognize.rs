//! Detects from the content of a file whether it is an export, and of which kind, so that exporting overwrites a file
//! only if it is an earlier export.
//!
//! Formats that can store the program's name are recognized by that name. The other formats are recognized by the exact
//! form in which this program writes them: an order of keys and line breaks that other programs do not produce.

use super::{CastVersion, ExportKind, TextStyle};
use crate::design::MIN_DIMENSION;

/// Maximum number of bytes that [`ExportKind::of_content`] needs from the start of a file, and from its end.
pub const SAMPLE_BYTES: u64 = 1 << 16;

/// Name by which files identify the program that wrote them.
const PROGRAM: &[u8] = b"wallcrawler";

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The exact start of Tiled maps written by this program.
const TMX: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" tiledversion=\"1.10.2\"";
const TMJ: &[u8] = b"{\n\"type\": \"map\", \"version\": \"1.10\", \"tiledversion\": \"1.10.2\"";

impl ExportKind {
    /// Returns which kind of export a file is, given its first and last [`SAMPLE_BYTES`] bytes. Returns `None` for
    /// files that this program did not export. Does not distinguish [`TextStyle::Digits`] from [`TextStyle::Plain`],
    /// and returns `Plain` for both.
    pub fn of_content(head: &[u8], tail: &[u8]) -> Option<Self> {
        let begins = |with: &[u8]| head.starts_with(with);
        let names_us = contains(head, PROGRAM);
        let kind = if crate::recording_file::is_recording(head) {
            Self::Recording
        } else if begins(PNG) {
            let is_animation = contains(&head[..head.len().min(100)], b"acTL");
            let kind = if is_animation { Self::Apng } else { Self::Png };
            let is_chart = contains(head, b"wallcrawler-chart");
            return (names_us && !is_chart).then_some(kind);
        } else if begins(b"GIF89a") {
            return names_us.then_some(Self::Gif);
        } else if begins(b"%PDF-") {
            return contains(tail, PROGRAM).then_some(Self::Pdf);
        } else if begins(TMX) {
            return names_us.then_some(Self::Tmx);
        } else if begins(TMJ) {
            return names_us.then_some(Self::Tmj);
        } else if begins(b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"") {
            return contains(head, b"<g shape-rendering=\"crispEdges\">").then_some(Self::Svg);
        } else if begins(b"{\"__header__\":{\"app\":\"LDtk\",\"appAuthor\"") {
            Self::Ldtk
        } else if begins(b"{\n\"format\": \"wallcrawler-dungeon\"") {
            Self::Json
        } else if begins(b"{\n\"format\": 0.3,\n\"resolution\": {\"map_origin\"") {
            Self::Uvtt
        } else if begins(super::table::BEGINNING.as_bytes()) {
            Self::Csv
        } else if begins(b"{\"height\":") && contains(first_line(head), b"\"version\":2") {
            Self::Cast(CastVersion::Two)
        } else if begins(b"{\"term\":{\"cols\":") && contains(first_line(head), b"\"version\":3}") {
            Self::Cast(CastVersion::Three)
        } else {
            return text(head, tail).map(Self::Text);
        };
        Some(kind)
    }

    /// Returns whether a file that [`ExportKind::of_content`] recognized as `found` is an earlier export of this kind.
    pub fn replaces(self, found: Self) -> bool {
        let plain = |kind| match kind {
            Self::Text(TextStyle::Digits) => Self::Text(TextStyle::Plain),
            kind => kind,
        };
        plain(self) == plain(found)
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn first_line(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// Returns the style of a text export; `None` if the text is not one. A text export has at least as many rows and
/// columns as the smallest dungeon, lines of equal width, only the characters of tiles and vault features, and walls
/// all around. If a room has opened the outer wall, the export is not recognized, because drawings of mazes also have
/// such gaps.
fn text(head: &[u8], tail: &[u8]) -> Option<TextStyle> {
    const LEAST: usize = MIN_DIMENSION as usize;
    let is_ansi = contains(head, b"\x1b[38;5;");
    let style = if is_ansi { TextStyle::Ansi } else { TextStyle::Plain };
    let wall = if is_ansi { '█' } else { 'X' };
    let known = style.characters();
    let is_wall = |line: &[char]| line.iter().all(|character| *character == wall);
    let is_whole = (head.len() as u64) < SAMPLE_BYTES;
    // Check only the complete lines. If the first line is longer than the sample, check its beginning.
    let (lines, is_cut) = match head.iter().rposition(|&byte| byte == b'\n') {
        Some(end) if is_whole && end + 1 < head.len() => return None,
        Some(end) => (&head[..end], false),
        None if is_whole => return None,
        None => (head, true),
    };
    let lines = match str::from_utf8(lines) {
        Ok(lines) => lines,
        Err(error) if is_cut && error.error_len().is_none() => str::from_utf8(&lines[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    let (mut rows, mut width, mut is_last_wall) = (0, 0, false);
    for line in lines.split('\n') {
        let line: Vec<char> = visible(line).collect();
        if rows == 0 {
            width = line.len();
        }
        is_last_wall = is_wall(&line);
        let is_row = line.len() == width
            && line.first() == Some(&wall)
            && line.last() == Some(&wall)
            && line.iter().all(|character| known.contains(character));
        if !is_row || (rows == 0 && !is_last_wall) {
            return None;
        }
        rows += 1;
    }
    if is_whole && rows < LEAST {
        return None;
    }
    if !is_whole && let Some(line) = last_line(tail) {
        is_last_wall = is_wall(&visible(str::from_utf8(line).ok()?).collect::<Vec<char>>());
    }
    (width >= LEAST && is_last_wall).then_some(style)
}

/// Returns the last line of a file that ends with a line break; `None` if the line is longer than the sample `tail`.
fn last_line(tail: &[u8]) -> Option<&[u8]> {
    let end = tail.strip_suffix(b"\n").unwrap_or(tail);
    let start = end.iter().rposition(|&byte| byte == b'\n')?;
    Some(&end[start + 1..])
}

/// Returns the characters of a line without the escape sequences that set colours.
fn visible(line: &str) -> impl Iterator<Item = char> {
    let mut is_sequence = false;
    line.chars().filter(move |&character| {
        let was_sequence = is_sequence;
        is_sequence = character == '\x1b' || is_sequence && character != 'm';
        !was_sequence && !is_sequence
    })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::super::{DungeonView, ExportOptions, beside, grown_keep, write};
    use super::*;

    fn sample(bytes: &[u8]) -> Option<ExportKind> {
        let most = bytes.len().min(SAMPLE_BYTES as usize);
        ExportKind::of_content(&bytes[..most], &bytes[bytes.len() - most..])
    }

    #[test]
    fn every_kind_recognizes_its_own_export_and_no_other() {
        let (design, recording) = grown_keep();
        let dungeon = DungeonView::new(&design, &recording, recording.turns());
        let options = ExportOptions::default();
        for about in &ExportKind::ALL {
            let mut bytes = Vec::new();
            let go = &mut |_: u64, _: u64| ControlFlow::Continue(());
            write(about.kind, &dungeon, &options, "keep", &mut bytes, go).unwrap();
            let found = sample(&bytes).unwrap_or_else(|| panic!("{} is not recognized", about.name));
            for other in &ExportKind::ALL {
                let is_text = |kind| matches!(kind, ExportKind::Text(TextStyle::Plain | TextStyle::Digits));
                let same = other.kind == about.kind || is_text(other.kind) && is_text(about.kind);
                assert_eq!(other.kind.replaces(found), same, "{} over {}", other.name, about.name);
            }
            if let Some((_, picture)) = beside(about.kind, &dungeon, &options, "keep").unwrap() {
                assert_eq!(sample(&picture), Some(ExportKind::Png), "beside {}", about.name);
            }
        }
    }

    #[test]
    fn a_drawing_is_not_taken_for_a_text_export() {
        let drawing = |rows: usize, columns: usize, inner: char| {
            let wall = "X".repeat(columns) + "\n";
            let row = format!("X{}X\n", inner.to_string().repeat(columns - 2));
            wall.clone() + &row.repeat(rows - 2) + &wall
        };
        let text = Some(ExportKind::Text(TextStyle::Plain));
        assert_eq!(sample(drawing(20, 20, '.').as_bytes()), text);
        assert_eq!(
            sample(drawing(400, 300, '.').as_bytes()),
            text,
            "larger than the sample"
        );
        let open = |lines: &str, at: usize| {
            let mut lines = lines.to_owned();
            lines.replace_range(at..=at, ".");
            lines
        };
        for other in [
            drawing(19, 40, '.'),
            drawing(40, 19, '.'),
            drawing(30, 30, ' '),
            drawing(30, 30, 'q'),
            drawing(30, 30, 'é'),
            drawing(400, 300, ' '),
            drawing(30, 30, '.') + "X",
            drawing(30, 30, '.') + &drawing(30, 31, '.'),
            drawing(30, 30, '.').replace('\n', "\r\n"),
            // A maze has ways in: at the top, the left, the right and the bottom.
            open(&drawing(30, 30, '.'), 7),
            open(&drawing(30, 30, '.'), 31 * 9),
            open(&drawing(30, 30, '.'), 31 * 9 + 29),
            open(&drawing(30, 30, '.'), 31 * 29 + 7),
            open(&drawing(400, 300, '.'), 301 * 399 + 7),
        ] {
            assert_eq!(sample(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn files_of_other_origin_are_not_recognized() {
        for other in [
            &b""[..],
            b"format = 1\nname = \"wallcrawler\"\n",
            b"Dungeon dimensions - dimX: 20 dimY: 40.\n",
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR made with another program",
            b"GIF89a",
            b"%PDF-1.7\n",
            b"{\"format\": \"something\"}",
            b"seed,design,reachable,odd\n1,0,true,\n",
            b"Dear reader,\nthis is a letter.\n",
            b"1024\n2048\n",
            b"oo\n",
            b"\xff\xfe\0\0",
        ] {
            assert_eq!(sample(other), None, "{}", String::from_utf8_lossy(other));
        }
    }
}
