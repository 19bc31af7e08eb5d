//! Splits PNG files into their chunks and joins them again with correct lengths and checksums, for tests and for
//! the fuzz target.

#![allow(
    unreachable_pub,
    reason = "public in the fuzz target, private in the tests of `import`"
)]

/// A chunk without its length and checksum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    pub kind: [u8; 4],
    pub data: Vec<u8>,
}

const SIGNATURE: &[u8; 8] = b"\x89PNG\r\n\x1a\n";

/// Returns the chunks of any bytes: a length that is too large covers the rest.
pub fn parted(bytes: &[u8]) -> Vec<Chunk> {
    let mut rest = bytes.get(SIGNATURE.len()..).unwrap_or_default();
    let mut chunks = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<4>()
        && let Some((kind, data)) = after.split_first_chunk::<4>()
    {
        let length = (u32::from_be_bytes(*length) as usize).min(data.len());
        let (data, end) = data.split_at(length);
        chunks.push(Chunk {
            kind: *kind,
            data: data.to_vec(),
        });
        rest = end.get(4..).unwrap_or_default();
    }
    chunks
}

/// Returns the file with these chunks.
pub fn joined(chunks: &[Chunk]) -> Vec<u8> {
    let mut bytes = SIGNATURE.to_vec();
    for chunk in chunks {
        let mut sum = flate2::Crc::new();
        sum.update(&chunk.kind);
        sum.update(&chunk.data);
        bytes.extend((chunk.data.len() as u32).to_be_bytes());
        bytes.extend(chunk.kind);
        bytes.extend(&chunk.data);
        bytes.extend(sum.sum().to_be_bytes());
    }
    bytes
}
