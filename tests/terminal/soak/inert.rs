//! The output that a program may send to a terminal: text, and the control sequences of the designer itself.

/// Finds the first character that text from a file must never send to a terminal. `may_draw` allows what the designer
/// itself writes: it moves the cursor, colours text, sets modes, the window's title and the clipboard.
pub(super) fn first_live_character(text: &str, may_draw: bool) -> Option<String> {
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let own = if may_draw { own_sequence(&text[at..]) } else { 0 };
        if own > 0 {
            at += own;
            continue;
        }
        if !matches!(character, '\n' | '\t') && is_control(character) {
            let from = text[..at].char_indices().rev().nth(30).map_or(0, |(from, _)| from);
            let excerpt: String = text[from..].chars().take(60).collect();
            return Some(format!("{character:?} in {excerpt:?}"));
        }
        at += character.len_utf8();
    }
    None
}

/// Returns the length of the designer's control sequence at the start of a text. One that is cut off at the end of the
/// text counts, too.
fn own_sequence(text: &str) -> usize {
    if text.starts_with('\r') {
        return 1;
    }
    let Some(rest) = text.strip_prefix('\x1b') else {
        return 0;
    };
    match rest.chars().next() {
        None => 1,
        Some('[' | '7' | '8' | '(' | '=' | '>') => 2,
        // A title or a clipboard, up to the BEL; its content must not contain control characters.
        Some(']') => match rest.find('\x07') {
            Some(end) if !rest[..end].chars().any(is_control) => end + 2,
            Some(_) => 0,
            None => text.len(),
        },
        Some(_) => 0,
    }
}

/// Returns whether a terminal acts on the character, or shows text in another order because of it.
fn is_control(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Splits bytes into text and a tail that is not yet a whole character.
pub(super) fn text_of(bytes: &mut Vec<u8>) -> String {
    let mut text = String::new();
    loop {
        match std::str::from_utf8(bytes) {
            Ok(rest) => {
                text.push_str(rest);
                bytes.clear();
                return text;
            }
            Err(error) => {
                let valid = error.valid_up_to();
                text.push_str(&String::from_utf8_lossy(&bytes[..valid]));
                let Some(length) = error.error_len() else {
                    bytes.drain(..valid);
                    return text;
                };
                // A process that ends at once may leave the first bytes of a character.
                assert!(bytes[valid] >= 0xc2, "bytes that are no UTF-8: {:?}", &bytes[valid..]);
                text.push(char::REPLACEMENT_CHARACTER);
                bytes.drain(..valid + length);
            }
        }
    }
}

#[test]
fn characters_that_a_terminal_acts_on_are_found() {
    assert_eq!(first_live_character("a b\n\x1b[31m\x1b[?25l", true), None);
    for live in ["\x1b]0;a\u{9b}b\x07", "\u{9b}31m", "a\u{202e}b", "\x7f", "\x08"] {
        assert!(first_live_character(live, true).is_some(), "{live:?}");
    }
    assert_eq!(first_live_character("\x1b]0;title\x07", true), None);
    assert!(first_live_character("\x1b[31m", false).is_some());
}
