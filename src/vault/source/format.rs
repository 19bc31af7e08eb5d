//! Formats a level file: aligns the values of a map's headers in one column, and continues long values on the next
//! line.
//!
//! Comments, Lua and rows stay as they are. The author's own line breaks within a value stay, unless one of its lines
//! is too long.

use super::print;
use super::{StatementKind, Value, VaultFile, read};

/// Maximum length of the lines of a wrapped header, in bytes.
const WIDTH: usize = 80;

/// Returns the bytes of the formatted level file; `None` if formatting would change the file's meaning, which is only
/// possible if the file has errors.
pub fn format(file: &VaultFile) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut column = 0;
    for (at, statement) in file.statements.iter().enumerate() {
        if matches!(statement.kind, StatementKind::Name(_)) {
            column = value_column(&file.statements[at..]);
        }
        match &statement.kind {
            StatementKind::Name(value) => header(&mut out, b"NAME", value, column),
            StatementKind::Header(keyword, value) => header(&mut out, keyword.name().as_bytes(), value, column),
            StatementKind::DefaultDepth(value) => {
                column = 0;
                header(&mut out, b"default-depth", value, 0);
            }
            kind => print::statement(&mut out, kind),
        }
        out.push(b'\n');
    }
    let again = read(&file.name, &out);
    same_meaning(file, &again).then_some(out)
}

/// Returns the column in which the values of a map's headers begin. `statements` starts with the map's NAME.
fn value_column(statements: &[super::Statement]) -> usize {
    let mut column = b"NAME: ".len();
    for statement in &statements[1..] {
        match &statement.kind {
            StatementKind::Name(_) | StatementKind::DefaultDepth(_) => break,
            StatementKind::Header(keyword, _) => column = column.max(keyword.name().len() + 2),
            _ => {}
        }
    }
    column
}

/// Writes a header with its value starting at a column.
fn header(out: &mut Vec<u8>, name: &[u8], value: &Value, column: usize) {
    let start = out.len();
    out.extend_from_slice(name);
    out.push(b':');
    let column = column.max(name.len() + 2);
    let joined = value.joined();
    let own = kept(value);
    let is_long = own.iter().any(|line| column + line.len() > WIDTH);
    let lines = if is_long {
        wrapped(&joined, WIDTH - column.min(WIDTH / 2))
    } else {
        own
    };
    for (i, line) in lines.iter().enumerate() {
        if i > 0 {
            out.extend_from_slice(b"\\\n");
            out.resize(out.len() + column, b' ');
        } else if !line.is_empty() || lines.len() > 1 {
            out.resize(start + column, b' ');
        }
        out.extend_from_slice(line);
    }
    if value.dangling {
        out.extend_from_slice(b" \\");
    }
}

/// Returns the lines of a value as its author broke them, without surrounding blanks.
fn kept(value: &Value) -> Vec<Vec<u8>> {
    let mut lines = value.lines.clone();
    if let Some(first) = lines.first_mut() {
        *first = first.trim_ascii_start().to_vec();
    }
    if let Some(last) = lines.last_mut() {
        *last = last.trim_ascii_end().to_vec();
    }
    lines
}

/// Breaks a value into lines of at most `room` bytes, except that words stay whole. If possible, breaks after a space
/// that follows a comma or slash, otherwise after another space. The space stays at the end of its line, because spaces
/// at the beginning of a continuation line are dropped.
fn wrapped(value: &[u8], room: usize) -> Vec<Vec<u8>> {
    // The `\` needs a column of its own.
    let room = room.saturating_sub(1).max(1);
    let mut lines = Vec::new();
    let mut rest = value;
    while rest.len() > room {
        let ends = || (1..rest.len()).filter(|at| rest[at - 1] == b' ' && !rest[*at].is_ascii_whitespace());
        let after_separator = |at: &usize| {
            let before = rest[..*at].trim_ascii_end();
            matches!(before.last(), Some(b',' | b'/'))
        };
        let best = ends()
            .take_while(|at| *at <= room)
            .filter(after_separator)
            .last()
            .or_else(|| ends().take_while(|at| *at <= room).last())
            .or_else(|| ends().next());
        let Some(end) = best else { break };
        lines.push(rest[..end].to_vec());
        rest = &rest[end..];
    }
    lines.push(rest.to_vec());
    lines
}

/// Returns whether two files have the same maps: names, headers, Lua and rows, regardless of line numbers.
fn same_meaning(a: &VaultFile, b: &VaultFile) -> bool {
    let code = |chunk: &super::Chunk| -> Vec<Vec<u8>> {
        let lines = chunk.code.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        lines.filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect()
    };
    let preludes = |file: &VaultFile| file.prelude.as_ref().map(code);
    let same = |(a, b): (&super::MapSource, &super::MapSource)| {
        let headers = |map: &super::MapSource| -> Vec<(super::Keyword, Vec<u8>)> {
            let headers = map.headers.iter();
            headers.map(|header| (header.keyword, header.value.clone())).collect()
        };
        let chunks =
            |map: &super::MapSource| -> Vec<_> { map.chunks().map(|(role, chunk)| (role, code(chunk))).collect() };
        (&a.name, &a.rows, &a.default_depth) == (&b.name, &b.rows, &b.default_depth)
            && headers(a) == headers(b)
            && chunks(a) == chunks(b)
    };
    preludes(a) == preludes(b) && a.maps.len() == b.maps.len() && a.maps.iter().zip(&b.maps).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatted(text: &str) -> String {
        let out = format(&read("a.des", text.as_bytes())).expect("the same meaning");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn values_of_a_map_begin_in_one_column() {
        let text =
            "# first\nNAME: a\n  TAGS:b\nKFEAT:O = floor\nKFEAT:\n: x()\nMAP\n  .\nENDMAP\n\nNAME:    b\nDEPTH:  D\n";
        let expected =
            "# first\nNAME:  a\nTAGS:  b\nKFEAT: O = floor\nKFEAT:\n: x()\nMAP\n  .\nENDMAP\n\nNAME:  b\nDEPTH: D\n";
        assert_eq!(formatted(text), expected);
        assert_eq!(formatted(expected), expected);
    }

    #[test]
    fn long_values_continue_after_a_comma_or_slash() {
        let list = ["one orc w:3", "two kobolds", "three gnolls w:20"]
            .repeat(4)
            .join(" / ");
        let text = format!("NAME: a\nMONS: {list}, rat\n");
        let once = formatted(&text);
        assert!(once.lines().all(|line| line.len() <= WIDTH), "{once}");
        let lines: Vec<&str> = once.lines().skip(1).collect();
        assert!(
            lines.len() > 2 && lines[0].ends_with("/ \\") && lines[1].starts_with("      "),
            "{once}"
        );
        assert_eq!(formatted(&once), once);
    }

    #[test]
    fn long_values_with_tabs_keep_their_meaning() {
        let list = ["one orc w:3"; 8].join(", \t");
        let once = formatted(&format!("NAME: a\nKMONS: 1 = {list}\n"));
        assert_eq!(
            read("a.des", once.as_bytes()).maps[0].headers[0].value,
            format!("1 = {list}").as_bytes()
        );
        assert!(once.contains("\\\n"), "{once}");
    }

    #[test]
    fn an_author_s_line_breaks_stay_while_the_lines_fit() {
        let text = "NAME: a\nTAGS: b \\\n      c\n";
        assert_eq!(formatted(text), text);
        assert_eq!(formatted("NAME: a\nTAGS: b \\\n  c\n"), text);
        assert_eq!(
            formatted("NAME: a\nTAGS: b\\\n  c\n"),
            "NAME: a\nTAGS: b\\\n      c\n",
            "one word"
        );
    }

    #[test]
    fn lua_comments_and_rows_stay_as_they_are() {
        let text = ":  x = 1 -- y\n{{\n  f( )\n}}\n  # indented\nNAME: a\nvalidate {{ return true }}\nMAP\n x \n:\nENDMAP\nwhat?\n";
        let expected = text.replace("\n x \n", "\n x\n");
        assert_eq!(formatted(text), expected);
    }
}
