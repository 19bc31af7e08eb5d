//! Queries sent to the terminal before the first frame: the colour of its background, whether it reports keys with the
//! kitty keyboard protocol, and whether it shows pictures.
//!
//! The last query asks for the primary device attributes. Every terminal answers that query, so the wait ends when the
//! answer to it arrives, or else at a timeout. Keys that the user types meanwhile are kept. [`super::keyboard`] removes
//! from the input any answers that arrive after the timeout.

use std::collections::VecDeque;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use super::pictures;
use super::theme::Ground;

/// Returns the bytes of all queries: the background (OSC 11), the flags of the kitty keyboard protocol, the picture
/// queries if `pictures` is set, and last the primary device attributes.
pub(super) fn query(pictures: bool) -> Vec<u8> {
    let asked = if pictures { pictures::query() } else { b"" };
    [b"\x1b]11;?\x1b\\\x1b[?u", asked, b"\x1b[c"].concat()
}

/// The terminal's answers to the queries before the first frame.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Answers {
    /// Whether the background is light or dark; `None` if the terminal has not reported its colour.
    pub(super) ground: Option<Ground>,
    /// Whether the terminal supports the kitty keyboard protocol.
    pub(super) has_kitty_keys: bool,
    /// Whether the terminal shows pictures.
    pub(super) has_pictures: bool,
    /// The width and height of a character in pixels, if the terminal has reported them.
    pub(super) cell: Option<(u16, u16)>,
    /// Name and version that the terminal has reported, such as `kitty(0.32.2)`; empty if none.
    pub(super) name: String,
    /// Input that the user typed while the designer waited for the answers.
    pub(super) typed: VecDeque<Event>,
}

/// Returns whether the answer to the last query has arrived.
pub(super) fn is_complete(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some(start) = find(rest, b"\x1b[?") {
        let after = &rest[start + 3..];
        match after.iter().find(|byte| !is_parameter(**byte)) {
            Some(b'c') => return true,
            _ => rest = after,
        }
    }
    false
}

fn find(bytes: &[u8], sequence: &[u8]) -> Option<usize> {
    bytes.windows(sequence.len()).position(|window| window == sequence)
}

const fn is_parameter(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b';'
}

/// Parses the answers, and separates them from the keys that the user typed.
pub(super) fn parse(bytes: &[u8]) -> Answers {
    let mut answers = Answers::default();
    let mut typed = Vec::new();
    let mut rest = bytes;
    while let Some(&byte) = rest.first() {
        if let Some(color) = rest.strip_prefix(b"\x1b]11;")
            && let Some(end) = color.iter().position(|byte| matches!(byte, 0x07 | 0x1b))
        {
            answers.ground = ground(&color[..end]);
            let terminator = if color[end] == 0x07 { 1 } else { 2 };
            rest = color.get(end + terminator..).unwrap_or_default();
        } else if let Some(report) = rest.strip_prefix(b"\x1b[?")
            && let Some(end) = report.iter().position(|byte| !is_parameter(*byte))
            && matches!(report[end], b'u' | b'c')
        {
            answers.has_kitty_keys |= report[end] == b'u';
            rest = &report[end + 1..];
        } else if let Some(reply) = rest.strip_prefix(b"\x1b_G")
            && let Some(end) = find(reply, b"\x1b\\")
        {
            answers.has_pictures |= &reply[..end] == b"i=31;OK";
            rest = &reply[end + 2..];
        } else if let Some(name) = rest.strip_prefix(b"\x1bP>|")
            && let Some(end) = find(name, b"\x1b\\")
        {
            answers.name = String::from_utf8_lossy(&name[..end]).into_owned();
            rest = &name[end + 2..];
        } else if let Some(size) = rest.strip_prefix(b"\x1b[6;")
            && let Some(end) = size.iter().position(|byte| !is_parameter(*byte))
            && size[end] == b't'
        {
            answers.cell = cell(&size[..end]);
            rest = &size[end + 1..];
        } else {
            typed.push(byte);
            rest = &rest[1..];
        }
    }
    answers.typed = keys(&String::from_utf8_lossy(&typed));
    answers
}

/// Returns the width and height of a character from a report such as `16;8`.
fn cell(size: &[u8]) -> Option<(u16, u16)> {
    let (height, width) = std::str::from_utf8(size).ok()?.split_once(';')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

/// Names of the terminals that replace placeholder characters with pictures, each with the first version that does so.
const WITH_PLACEHOLDERS: [(&str, [u32; 2]); 2] = [("kitty", [0, 28]), ("ghostty", [1, 0])];

/// The first version of kitty that draws octants.
const WITH_OCTANTS: [u32; 2] = [0, 40];

impl Answers {
    /// Returns whether the terminal is known to replace placeholder characters with pictures.
    pub(super) fn has_placeholders(&self) -> bool {
        let (name, version) = self.program();
        let known = WITH_PLACEHOLDERS.iter().find(|(known, _)| *known == name);
        self.has_pictures && known.is_some_and(|(_, first)| version >= *first)
    }

    /// Returns whether the terminal is too old to draw octants, the eight-part block characters of Unicode 16.
    pub(super) fn lacks_octants(&self) -> bool {
        let (name, version) = self.program();
        name == "kitty" && version < WITH_OCTANTS
    }

    /// Returns the name of the terminal in lower case, and its version.
    fn program(&self) -> (String, [u32; 2]) {
        let mut words = self.name.split(['(', ' ', ')', '-']);
        let name = words.next().unwrap_or_default().to_lowercase();
        let mut numbers = words
            .next()
            .unwrap_or_default()
            .split('.')
            .map_while(|part| part.parse().ok());
        (name, [numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)])
    }
}

/// Converts typed characters to key events. Esc and the character directly after it become one key event: the
/// character's key with Alt. They stay two events if they may begin an escape sequence, which [`super::keyboard`]
/// reassembles.
fn keys(typed: &str) -> VecDeque<Event> {
    let mut keys = VecDeque::new();
    let mut characters = typed.chars().peekable();
    while let Some(c) = characters.next() {
        let with_alt = (c == '\x1b')
            .then(|| characters.next_if(|next| !matches!(next, '[' | 'O' | ']' | '\x1b')))
            .flatten();
        let mut event = key(with_alt.unwrap_or(c));
        if let (Some(_), Event::Key(key)) = (with_alt, &mut event) {
            key.modifiers |= KeyModifiers::ALT;
        }
        keys.push_back(event);
    }
    keys
}

/// Classifies a background colour such as `rgb:ffff/ffff/dddd`: light if its luminance is more than half, or else dark.
/// `None` if the colour is malformed.
fn ground(color: &[u8]) -> Option<Ground> {
    let text = std::str::from_utf8(color).ok()?;
    let (_, channels) = text.split_once(':')?;
    let mut parts = channels.split('/').map(|hex| {
        let most = 16_f64.powi(
            i32::try_from(hex.len())
                .ok()
                .filter(|digits| (1..=4).contains(digits))?,
        ) - 1.0;
        Some(f64::from(u32::from_str_radix(hex, 16).ok()?) / most)
    });
    let [red, green, blue] = [parts.next()??, parts.next()??, parts.next()??];
    let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    Some(if luminance > 0.5 { Ground::Light } else { Ground::Dark })
}

/// Converts a character to the key event that produces it; [`super::keyboard`] reassembles escape sequences.
fn key(c: char) -> Event {
    let control = |c: char| KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL);
    Event::Key(match c {
        '\x1b' => KeyCode::Esc.into(),
        '\r' => KeyCode::Enter.into(),
        '\t' => KeyCode::Tab.into(),
        '\x7f' => KeyCode::Backspace.into(),
        c @ '\x01'..='\x1a' => control(char::from(c as u8 - 1 + b'a')),
        c if c.is_uppercase() => KeyEvent::new(KeyCode::Char(c), KeyModifiers::SHIFT),
        c => KeyCode::Char(c).into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_parsed_despite_keys_typed_between_them() {
        let answers = parse(b"q\x1b]11;rgb:ffff/fafa/e0e0\x1b\\\x1b[?1uR\x1b[?62;4cx");
        assert_eq!((answers.ground, answers.has_kitty_keys), (Some(Ground::Light), true));
        let typed: Vec<Event> = "qRx".chars().map(key).collect();
        assert_eq!(answers.typed, typed);
        let answers = parse(b"\x1b]11;rgb:1c/1c/1c\x07\x1b[?6c");
        assert_eq!((answers.ground, answers.has_kitty_keys), (Some(Ground::Dark), false));
        assert!(answers.typed.is_empty());
    }

    #[test]
    fn answers_about_pictures_are_parsed() {
        let answers = parse(b"\x1b_Gi=31;OK\x1b\\x\x1b[6;20;10t\x1bP>|kitty(0.32.2)\x1b\\\x1b[?62;c");
        assert!(answers.has_pictures && answers.has_placeholders());
        assert_eq!(answers.cell, Some((10, 20)));
        assert_eq!(answers.typed, [key('x')]);
        let refused = parse(b"\x1b_Gi=31;EINVAL:no\x1b\\\x1b[?62;c");
        assert!(!refused.has_pictures && refused.typed.is_empty());
        for (name, expected) in [
            ("kitty(0.27.1)", false),
            ("kitty(0.28.0)", true),
            ("kitty(1.0)", true),
            ("ghostty 1.2.3", true),
            ("ghostty 1.1.4-main+9a0f3d1", true),
            ("WezTerm 20240203-110809-5046fc22", false),
            ("XTerm(390)", false),
            ("", false),
        ] {
            let answers = Answers {
                has_pictures: true,
                name: name.into(),
                ..Answers::default()
            };
            assert_eq!(answers.has_placeholders(), expected, "{name}");
        }
        for (name, expected) in [("kitty(0.39.1)", true), ("kitty(0.40.0)", false), ("foot(1.20)", false)] {
            let name = name.into();
            assert_eq!(
                Answers {
                    name,
                    ..Answers::default()
                }
                .lacks_octants(),
                expected
            );
        }
        for odd in ["\x1b[6;;t", "\x1b[6;99999;1t", "\x1b[6;1t"] {
            assert_eq!(parse(odd.as_bytes()).cell, None);
        }
        assert!(query(true).ends_with(b"\x1b[c") && query(true).len() > query(false).len());
    }

    #[test]
    fn a_key_typed_with_alt_stays_one_key() {
        let alt = |c, more| Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::ALT | more));
        let esc = Event::Key(KeyCode::Esc.into());
        let plain = |c| Event::Key(KeyCode::Char(c).into());
        let typed = parse(b"\x1b1\x1bF\x1b\x1b2\x1b[A\x1b").typed;
        let expected = [
            alt('1', KeyModifiers::NONE),
            alt('F', KeyModifiers::SHIFT),
            esc.clone(),
            alt('2', KeyModifiers::NONE),
            esc.clone(),
            plain('['),
            key('A'),
            esc,
        ];
        assert_eq!(typed, expected);
    }

    #[test]
    fn the_wait_ends_with_the_device_attributes() {
        assert!(is_complete(b"\x1b]11;rgb:0/0/0\x07\x1b[?0u\x1b[?62c"));
        for more in [
            &b""[..],
            b"\x1b[?",
            b"\x1b[?62",
            b"\x1b[?0u",
            b"c",
            b"\x1b]11;rgb:0/0/0\x07",
        ] {
            assert!(!is_complete(more), "{more:?}");
        }
    }

    #[test]
    fn invalid_answers_are_ignored() {
        for wrong in [
            "rgb:",
            "rgb:1/2",
            "rgb:12345/0/0",
            "x",
            "rgb:g/0/0",
            "rgb:-1/0/0",
            "rgb://",
        ] {
            assert_eq!(ground(wrong.as_bytes()), None, "{wrong}");
        }
        for bytes in [&b"\x1b]11;"[..], b"\x1b]11;rgb:ff", b"\x1b", b"\xff\xfe"] {
            assert_eq!(parse(bytes).ground, None);
        }
    }
}
