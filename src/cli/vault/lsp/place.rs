//! Positions in a document: lines, the words on them, and the part of a level file that a position belongs to.
//!
//! The language server protocol counts lines from 0, and columns from 0 in UTF-16 code units.

use lsp_types::{Position, Range};

use crate::vault::source::{Keyword, StatementKind, VaultFile};

/// The part of a level file that a position belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// A row of a map.
    Row,
    /// Lua code.
    Lua,
    /// The name of a header, or a place where a header may be written, such as an empty line.
    Header,
    /// The value of a header.
    Value(Keyword),
    /// Anything else, such as a comment or the name of a map.
    Other,
}

/// Returns line `number` of a text, counted from 0. Returns an empty string if the text has no line of this number.
pub(super) fn line(text: &str, number: u32) -> &str {
    text.lines().nth(number as usize).unwrap_or_default()
}

/// Converts a column of a line, counted in UTF-16 code units, to a byte index. A column inside a character is rounded
/// up to the start of the next character; a column past the end of the line becomes the end of the line.
pub(super) fn byte_at(line: &str, column: u32) -> usize {
    let mut units = 0;
    for (byte, letter) in line.char_indices() {
        if units >= column as usize {
            return byte;
        }
        units += letter.len_utf16();
    }
    line.len()
}

/// Returns the length of a text in UTF-16 code units.
pub(super) fn units(text: &str) -> u32 {
    text.encode_utf16().count() as u32
}

/// Returns the word around a byte index of a line. A word consists of letters, digits, `_` and the characters in
/// `more`; dots at its ends are removed.
pub(super) fn word_at<'a>(line: &'a str, byte: usize, more: &str) -> &'a str {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || more.contains(letter);
    let (before, after) = line.split_at(byte.min(line.len()));
    let start = before.trim_end_matches(is_part).len();
    let rest = after.trim_start_matches(is_part).len();
    line[start..line.len() - rest].trim_matches('.')
}

/// Converts a byte range of line `number` to a range in the units of the protocol.
pub(super) fn range(number: u32, line: &str, bytes: std::ops::Range<usize>) -> Range {
    let column = |byte: usize| units(line.get(..byte).unwrap_or(line));
    let (start, end) = (column(bytes.start.min(bytes.end)), column(bytes.end));
    Range::new(Position::new(number, start), Position::new(number, end))
}

/// Returns the part of a level file that a position belongs to.
pub(super) fn part_at(file: &VaultFile, text: &str, at: Position) -> Part {
    let number = at.line.saturating_add(1);
    let count = file.statements.partition_point(|statement| statement.line <= number);
    let Some(statement) = count.checked_sub(1).and_then(|index| file.statements.get(index)) else {
        return Part::Header;
    };
    // How many lines this line is below the first line of the statement.
    let before = (number - statement.line) as usize;
    let row = line(text, at.line);
    let in_name = before == 0 && !row[..byte_at(row, at.character)].contains(':');
    let value = |keyword: Option<Keyword>, lines: usize| match keyword {
        _ if in_name || before >= lines => Part::Header,
        Some(keyword) => Part::Value(keyword),
        None => Part::Other,
    };
    match &statement.kind {
        StatementKind::Header(keyword, text) => value(Some(*keyword), text.lines.len()),
        StatementKind::DefaultDepth(text) => value(Keyword::by_name(b"DEPTH"), text.lines.len()),
        StatementKind::Name(text) | StatementKind::Unknown(_, text) => value(None, text.lines.len()),
        StatementKind::Block { lines, closed, .. } if before < lines.len() || !closed => Part::Lua,
        StatementKind::Rows { rows, closed } if before > 0 && (before <= rows.len() || !closed) => Part::Row,
        StatementKind::Lua(_) if before == 0 => Part::Lua,
        StatementKind::Comment(_) if before == 0 => Part::Other,
        _ => Part::Header,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vault::source;

    const TEXT: &str =
        "# a\nNAME: a\nKFEAT: A = altar_zin / \\\n  floor\n: if x then\n{{\nlocal a\n}}\nMAP\nA.x\nENDMAP\nMO\n";

    fn part(text: &str, line: u32, column: u32) -> Part {
        let file = source::read("a.des", text.as_bytes());
        part_at(&file, text, Position::new(line, column))
    }

    #[test]
    fn each_line_has_the_right_kind() {
        let feature = Part::Value(Keyword::by_name(b"KFEAT").unwrap());
        let expected = [
            Part::Other,
            Part::Other,
            feature,
            feature,
            Part::Lua,
            Part::Lua,
            Part::Lua,
            Part::Lua,
            Part::Header,
            Part::Row,
            Part::Header,
            Part::Header,
            Part::Header,
            Part::Header,
        ];
        for (line, expected) in expected.into_iter().enumerate() {
            assert_eq!(part(TEXT, line as u32, 7), expected, "line {line}");
        }
        assert_eq!(part(TEXT, 2, 3), Part::Header);
        assert_eq!(part("", 0, 0), Part::Header);
        assert_eq!(part("NAME: a\nvalidate {{\n", 2, 0), Part::Lua, "the block is open");
        assert_eq!(part("NAME: a\nMAP\nx\n", 3, 0), Part::Row, "the map is open");
        assert_eq!(part(TEXT, u32::MAX, u32::MAX), Part::Header);
    }

    #[test]
    fn words_and_columns_count_letters_beyond_ascii() {
        let line = "x = 𝄞é you.depth() + altar_zin";
        let byte = byte_at(line, 10);
        assert_eq!(word_at(line, byte, "."), "you.depth");
        assert_eq!(word_at(line, byte, ""), "you");
        assert_eq!(word_at(line, line.len(), ""), "altar_zin");
        assert_eq!(word_at("", 5, "."), "");
        let start = line.find("altar").unwrap();
        assert_eq!(range(4, line, start..start + 5).start, Position::new(4, 22));
        assert_eq!(&line[byte_at(line, 5)..][..2], "é", "within the pair of units");
        assert_eq!(
            range(0, line, 5..900),
            Range::new(Position::new(0, 31), Position::new(0, 31))
        );
    }
}
