//! Prints level files in canonical form: one space follows the colon of a header, and continued lines are indented.

use super::translate::arguments;
use super::{Form, Keyword, MapSource, Role, StatementKind, Value, VaultFile};

/// Returns the bytes of a level file in canonical form. Reading these bytes yields the same content on the same lines.
pub fn print(file: &VaultFile) -> Vec<u8> {
    let mut out = Vec::new();
    for statement in &file.statements {
        self::statement(&mut out, &statement.kind);
        out.push(b'\n');
    }
    out
}

/// Returns the statements of a map for a comparison, without comments, blank lines and rows. Each header is on one
/// line, with one space between its arguments, however its author wrapped and spaced it.
pub fn statements(file: &VaultFile, map: &MapSource) -> Vec<Vec<u8>> {
    let of_map = file
        .statements
        .iter()
        .filter(|statement| (map.line..=map.last_line).contains(&statement.line));
    let kinds = of_map.filter_map(|statement| match &statement.kind {
        StatementKind::Blank | StatementKind::Comment(_) | StatementKind::Rows { .. } => None,
        StatementKind::Name(value) => Some(StatementKind::Name(one_line(value.joined()))),
        StatementKind::Header(keyword, value) => Some(StatementKind::Header(
            *keyword,
            one_line(spaced(*keyword, &value.joined())),
        )),
        StatementKind::Unknown(name, value) => Some(StatementKind::Unknown(name.clone(), one_line(value.joined()))),
        kind => Some(kind.clone()),
    });
    let text = |kind| {
        let mut out = Vec::new();
        statement(&mut out, &kind);
        out
    };
    kinds.map(text).collect()
}

fn one_line(value: Vec<u8>) -> Value {
    Value {
        lines: vec![value],
        dangling: false,
    }
}

/// Returns the value of a header with one space between its arguments, and without empty arguments.
fn spaced(keyword: Keyword, value: &[u8]) -> Vec<u8> {
    let arguments: Vec<&[u8]> = arguments(keyword, value).into_iter().map(|at| &value[at]).collect();
    let separator: &[u8] = if keyword.form() == Form::Words { b" " } else { b", " };
    arguments.join(separator)
}

/// Writes a statement without the line break after its last line.
pub(super) fn statement(out: &mut Vec<u8>, kind: &StatementKind) {
    match kind {
        StatementKind::Blank => {}
        StatementKind::Comment(text) | StatementKind::Unread(text) => out.extend_from_slice(text),
        StatementKind::DefaultDepth(value) => header(out, b"default-depth", value),
        StatementKind::Name(value) => header(out, b"NAME", value),
        StatementKind::Header(keyword, value) => header(out, keyword.name().as_bytes(), value),
        StatementKind::Unknown(name, value) => header(out, name, value),
        StatementKind::Lua(code) => {
            out.push(b':');
            out.extend_from_slice(code);
        }
        StatementKind::Block { role, lines, closed } => {
            if *role != Role::Body {
                out.extend_from_slice(role.name().as_bytes());
                out.push(b' ');
            }
            out.extend_from_slice(b"{{");
            out.extend_from_slice(&lines.join(&b'\n'));
            out.extend_from_slice(if *closed { b"}}" } else { b"" });
        }
        StatementKind::Rows { rows, closed } => {
            out.extend_from_slice(b"MAP");
            for row in rows {
                out.push(b'\n');
                out.extend_from_slice(row);
            }
            out.extend_from_slice(if *closed { b"\nENDMAP" } else { b"" });
        }
    }
}

fn header(out: &mut Vec<u8>, name: &[u8], value: &Value) {
    out.extend_from_slice(name);
    out.push(b':');
    for (i, line) in value.lines.iter().enumerate() {
        if i > 0 {
            out.extend_from_slice(b"\\\n   ");
        }
        if i > 0 || !line.is_empty() || value.lines.len() > 1 || value.dangling {
            out.push(b' ');
        }
        out.extend_from_slice(line);
    }
    out.extend_from_slice(if value.dangling { b"\\" } else { b"" });
}
