//! Numbers and texts as consecutive bytes, lowest byte first.

/// Appends a text, preceded by its length in bytes.
pub(super) fn put_text(text: &str, bytes: &mut Vec<u8>) {
    put(text.len() as u32, bytes);
    bytes.extend_from_slice(text.as_bytes());
}

/// Appends a number as four bytes.
pub(super) fn put(number: u32, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

/// A reader of bytes from the front; its methods return `None` when too few are left.
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

    /// Reads a list: its length, then that many items, each read by `one` and at least one byte long.
    pub(super) fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.number()? as usize;
        if length > self.0.len() {
            return None;
        }
        (0..length).map(|_| one(self)).collect()
    }
}
