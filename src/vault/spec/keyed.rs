//! The form shared by all statements about glyphs: `keys = value`, rolled for each cell, or `keys : value`, rolled
//! once.
//!
//! The separator is the first `=` or `:` after the first byte, so that `=` and `:` can also be keys. The keys form a
//! set of glyphs; blanks among them are ignored.

use super::{SpecError, text};

/// A set of glyphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Keys([u64; 4]);

impl Keys {
    /// Creates a set from the bytes `glyphs`, ignoring blanks.
    pub fn new(glyphs: &[u8]) -> Self {
        let mut keys = Self::default();
        for glyph in glyphs.iter().filter(|glyph| !glyph.is_ascii_whitespace()) {
            keys.add(*glyph);
        }
        keys
    }

    pub(crate) fn add(&mut self, glyph: u8) {
        self.0[usize::from(glyph >> 6)] |= 1 << (glyph & 63);
    }

    /// Returns whether the set contains a glyph.
    pub fn holds(&self, glyph: u8) -> bool {
        self.0[usize::from(glyph >> 6)] >> (glyph & 63) & 1 == 1
    }

    /// Returns the glyphs, in byte order.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=u8::MAX).filter(|glyph| self.holds(*glyph))
    }
}

/// Keys, separator and value of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keyed<'a> {
    /// Glyphs that the statement applies to.
    pub keys: Keys,
    /// Whether one roll applies to all cells (`:`); if not, each cell gets its own roll (`=`).
    pub once: bool,
    /// Text after the separator, trimmed.
    pub value: &'a [u8],
}

/// Splits a text at its separator: the first `=` or `:` after the first byte.
pub(crate) fn split(text: &[u8]) -> Option<(&[u8], bool, &[u8])> {
    let at = 1 + text.get(1..)?.iter().position(|byte| matches!(byte, b'=' | b':'))?;
    Some((text[..at].trim_ascii(), text[at] == b':', text[at + 1..].trim_ascii()))
}

impl<'a> Keyed<'a> {
    /// Parses keys, separator and value.
    ///
    /// # Errors
    ///
    /// Fails if there is no separator after the first glyph, or nothing after the separator.
    pub fn parse(source: &'a [u8]) -> Result<Self, SpecError> {
        let (keys, once, value) = split(source.trim_ascii()).ok_or_else(|| {
            SpecError::new(
                "write glyphs, then `=` or `:`, then what the glyphs become",
                text(source),
            )
        })?;
        if value.is_empty() {
            return Err(SpecError::new("nothing after the separator", text(source)));
        }
        Ok(Self {
            keys: Keys::new(keys),
            once,
            value,
        })
    }
}

/// Splits a list at its commas and ignores blank items. A comma is never a glyph here.
///
/// # Errors
///
/// Fails if all items are blank.
pub fn items(list: &[u8]) -> Result<Vec<&[u8]>, SpecError> {
    let items: Vec<&[u8]> = list
        .split(|byte| *byte == b',')
        .map(<[u8]>::trim_ascii)
        .filter(|item| !item.is_empty())
        .collect();
    if items.is_empty() {
        return Err(SpecError::new("the list is empty", text(list)));
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_separator_after_the_first_byte_counts() {
        for (source, keys, once, value) in [
            ("a = b", "a", false, "b"),
            ("  ab:cd  ", "ab", true, "cd"),
            ("= : cc+", "=", true, "cc+"),
            (": = -", ":", false, "-"),
            ("+=+++.", "+", false, "+++."),
            ("%=%.", "%", false, "%."),
            ("==.", "=", false, "."),
            ("b = c:30 d", "b", false, "c:30 d"),
        ] {
            let keyed = Keyed::parse(source.as_bytes()).expect(source);
            assert_eq!(keyed.keys, Keys::new(keys.as_bytes()), "{source}");
            assert_eq!((keyed.once, keyed.value), (once, value.as_bytes()), "{source}");
        }
        for source in ["", "a", "a b", "=", "==", "a =", "a :  "] {
            assert!(Keyed::parse(source.as_bytes()).is_err(), "{source}");
        }
    }

    #[test]
    fn keys_are_a_set() {
        let keys = Keys::new(b"ba a\xff");
        assert_eq!(keys.iter().collect::<Vec<u8>>(), [b'a', b'b', 0xff]);
        assert!(!keys.holds(b' '));
    }

    #[test]
    fn lists_need_an_item() {
        assert_eq!(items(b"a = b,  c = d,").expect("items"), [&b"a = b"[..], b"c = d"]);
        assert!(items(b" , ").is_err());
        assert!(items(b"").is_err());
    }
}
