//! Encodes numbers and texts (strings in UTF-8) as bytes, and decodes them. Numbers are little-endian.

/// Appends the length of a text in bytes, then the text.
pub(super) fn put_text(text: &str, bytes: &mut Vec<u8>) {
    put(text.len() as u32, bytes);
    bytes.extend_from_slice(text.as_bytes());
}

/// Appends a number as four bytes, lowest byte first.
pub(super) fn put(number: u32, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

/// Reads values from the front of a byte slice. The methods return `None` if too few bytes are left or a value is
/// invalid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    pub(super) fn slice(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn number(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn signed(&mut self) -> Option<i32> {
        self.array().map(i32::from_le_bytes)
    }

    pub(super) fn long(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn text(&mut self) -> Option<String> {
        let length = self.number()?;
        let bytes = self.slice(length as usize)?;
        String::from_utf8(bytes.to_vec()).ok()
    }

    /// Reads a list: the number of its items, then the items. `one` reads an item, which must be at least one byte
    /// long.
    pub(super) fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.number()? as usize;
        if length > self.0.len() {
            return None;
        }
        (0..length).map(|_| one(self)).collect()
    }
}
