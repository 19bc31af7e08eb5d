//! Comments and strings in Lua code.

/// Returns the length of the comment at the start of some code, if there is one. The comment of a line does not include
/// the line break.
pub(super) fn comment(code: &[u8]) -> Option<usize> {
    let inside = code.strip_prefix(b"--")?;
    let line = || inside.iter().position(|b| *b == b'\n').unwrap_or(inside.len());
    Some(2 + long_bracket(inside).unwrap_or_else(line))
}

/// Returns the length of the string literal at the start of some code, if there is one. A quoted string that is not
/// closed ends with its line.
pub(super) fn string(code: &[u8]) -> Option<usize> {
    let quote = *code.first()?;
    if !matches!(quote, b'"' | b'\'') {
        return long_bracket(code);
    }
    let mut at = 1;
    while code.get(at).is_some_and(|b| *b != quote && *b != b'\n') {
        at += 1 + usize::from(code[at] == b'\\');
    }
    Some((at + 1).min(code.len()))
}

/// Returns the length of the long bracket at the start of a text, such as `[[text]]` or `[=[text]=]`.
fn long_bracket(text: &[u8]) -> Option<usize> {
    let level = text.strip_prefix(b"[")?.iter().take_while(|b| **b == b'=').count();
    let inside = text[level + 1..].strip_prefix(b"[")?;
    let close = [b"]".as_slice(), &vec![b'='; level], b"]"].concat();
    let end = inside.windows(close.len()).position(|window| window == close);
    Some(end.map_or(text.len(), |end| level + 2 + end + close.len()))
}
