//! Translation of headers to calls of Lua functions.

use std::iter;
use std::ops::Range;

use super::keyword::{Form, Keyword};
use crate::vault::spec;

/// Quotes bytes as a Lua string that every version of Lua can read.
pub fn quoted(text: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for byte in text {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', *byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\0' => out.extend_from_slice(b"\\000"),
            _ => out.push(*byte),
        }
    }
    out.push(b'"');
    out
}

/// Returns the ranges of a header's value that become the arguments of its calls.
pub(super) fn arguments(keyword: Keyword, value: &[u8]) -> Vec<Range<usize>> {
    match keyword.form() {
        Form::Whole | Form::Marker => iter::once(0..value.len()).collect(),
        Form::Words => parts(value, |b| b.is_ascii_whitespace()),
        Form::List => parts(value, |b| b == b','),
        Form::ByDepth => {
            let mut inside = false;
            parts(value, |b| {
                // A comma between parentheses separates ranges, not arguments.
                inside = b == b'(' || (inside && b != b')');
                b == b',' && !inside
            })
        }
    }
}

/// Returns the parts between separators, without surrounding blanks; empty parts are left out.
fn parts(value: &[u8], mut separates: impl FnMut(u8) -> bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, byte) in value.iter().copied().chain(iter::once(b',')).enumerate() {
        if at == value.len() || separates(byte) {
            let part = &value[start..at];
            let blanks = part.len() - part.trim_ascii_start().len();
            let bare = part.trim_ascii();
            if !bare.is_empty() {
                found.push(start + blanks..start + blanks + bare.len());
            }
            start = at + 1;
        }
    }
    found
}

/// Returns the Lua calls for a header.
pub(super) fn calls(keyword: Keyword, value: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for argument in arguments(keyword, value) {
        if !out.is_empty() {
            out.push(b' ');
        }
        out.extend(call(keyword, &value[argument]));
    }
    out
}

fn call(keyword: Keyword, argument: &[u8]) -> Vec<u8> {
    let name = keyword.call();
    match keyword.form() {
        Form::Marker => {
            if let Some((key, expression)) = lua_marker(argument) {
                return [
                    &b"lua_marker("[..],
                    &quoted(key),
                    b", function() return ",
                    expression,
                    b" end)",
                ]
                .concat();
            }
        }
        Form::ByDepth => {
            let text = String::from_utf8_lossy(argument);
            if let Ok([(value, Some(ranges))]) = spec::numbers_by_depth(&text).as_deref() {
                let ranges = quoted(ranges.as_bytes());
                return [
                    b"depth_",
                    name.as_bytes(),
                    b"(",
                    &ranges,
                    b", ",
                    &quoted(value.as_bytes()),
                    b")",
                ]
                .concat();
            }
        }
        Form::Whole | Form::List | Form::Words => {}
    }
    [name.as_bytes(), b"(", &quoted(argument), b")"].concat()
}

/// Returns the key and the expression of `KEY = lua:EXPRESSION`.
pub(super) fn lua_marker(value: &[u8]) -> Option<(&[u8], &[u8])> {
    let separator = 1 + value.iter().skip(1).position(|b| matches!(b, b'=' | b':'))?;
    let expression = value[separator + 1..].trim_ascii().strip_prefix(b"lua:")?;
    Some((value[..separator].trim_ascii(), expression.trim_ascii()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(name: &str, value: &str) -> String {
        let keyword = Keyword::by_name(name.as_bytes()).expect("a header");
        String::from_utf8(calls(keyword, value.as_bytes())).expect("text")
    }

    #[test]
    fn headers_become_calls() {
        for (name, value, lua) in [
            ("SUBST", "a = b, c : d e", r#"subst("a = b") subst("c : d e")"#),
            ("TAGS", "no_rotate  allow_dup", r#"tags("no_rotate") tags("allow_dup")"#),
            ("FLAGS", "no_rotate", r#"tags("no_rotate")"#),
            ("MONS", "orc, gnoll", r#"mons("orc") mons("gnoll")"#),
            ("KMONS", "1 = orc, gnoll", r#"kmons("1 = orc, gnoll")"#),
            ("KFEAT", "", r#"kfeat("")"#),
            ("MONS", "", ""),
            ("DEPTH", "D:2-, Orc", r#"depth("D:2-, Orc")"#),
            (
                "WEIGHT",
                "5 (D, Orc), 10",
                r#"depth_weight("D, Orc", "5") weight("10")"#,
            ),
            ("CHANCE", "10%", r#"chance("10%")"#),
            ("CHANCE", "5 : 10%", r#"chance("5 : 10%")"#),
            ("WEIGHT", "5 (D", r#"weight("5 (D")"#),
            ("KITEM", r#"a = "x" \ y"#, r#"kitem("a = \"x\" \\ y")"#),
            (
                "MARKER",
                r#"O = lua:f { a = "x, y" }"#,
                r#"lua_marker("O", function() return f { a = "x, y" } end)"#,
            ),
            ("MARKER", "O = feat:floor", r#"marker("O = feat:floor")"#),
            ("MARKER", "= : lua:f()", r#"lua_marker("=", function() return f() end)"#),
        ] {
            assert_eq!(translated(name, value), lua);
        }
    }

    #[test]
    fn any_byte_can_be_quoted() {
        assert_eq!(quoted(b"a\0\r\n\"\\\xff"), b"\"a\\000\\r\\n\\\"\\\\\xff\"");
    }
}
