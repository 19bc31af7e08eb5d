//! Checks the palette of a PNG picture before decoding.
//!
//! The `png` crate panics on a palette whose length is not a multiple of three, so such pictures are rejected here.

/// Length of the PNG signature, which precedes the first chunk, in bytes.
const SIGNATURE: usize = 8;

/// Length of the longest valid palette in bytes: 256 colours of 3 bytes.
const LONGEST_PALETTE: usize = 768;

/// Returns why the palette of a picture is unusable; `None` if it is valid or absent.
pub(super) fn palette_problem(bytes: &[u8]) -> Option<String> {
    chunks(bytes)
        .filter(|(kind, _)| *kind == b"PLTE")
        .map(|(_, length)| length)
        .find(|length| *length == 0 || *length > LONGEST_PALETTE || !length.is_multiple_of(3))
        .map(|length| format!("has a palette of {length} bytes; expected three bytes for each of 1 to 256 colours"))
}

/// Returns the kind and data length of each chunk, up to the end of `bytes`. The length is read from the chunk and may
/// be wrong.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8], usize)> {
    let mut rest = bytes.get(SIGNATURE..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let kind = after.get(..4)?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        // The data is followed by a checksum of four bytes.
        rest = after
            .get(4..)?
            .get(length..)
            .and_then(|rest| rest.get(4..))
            .unwrap_or_default();
        Some((kind, length))
    })
}

#[cfg(test)]
#[path = "../../tests/common/png.rs"]
mod repair;

#[cfg(test)]
mod tests {
    use super::repair::{Chunk, joined, parted};
    use super::*;
    use crate::design::Severity;
    use crate::import::{ImportOptions, ReadResult, read};
    use png::{BitDepth, ColorType};
    use rand::{Rng as _, SeedableRng as _, rngs::Xoshiro256PlusPlus};

    /// Encodes a picture of 5 × 3 pixels; with indexed colours, it has a palette and a transparency chunk.
    fn picture(color: ColorType, depth: BitDepth) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 5, 3);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if color == ColorType::Indexed {
            encoder.set_palette(vec![0, 0, 0, 255, 255, 255]);
            encoder.set_trns(vec![255, 128]);
        }
        let row = (5 * color.samples() * depth as usize).div_ceil(8);
        let mut writer = encoder.write_header().expect("a header");
        let data: Vec<u8> = (0..row * 3).map(|i| if i % 2 == 0 { 0 } else { 0x11 }).collect();
        writer.write_image_data(&data).expect("pixels");
        writer.finish().expect("a picture");
        bytes
    }

    fn pictures() -> Vec<Vec<u8>> {
        let kinds = [
            (ColorType::Indexed, BitDepth::One),
            (ColorType::Indexed, BitDepth::Two),
            (ColorType::Indexed, BitDepth::Four),
            (ColorType::Indexed, BitDepth::Eight),
            (ColorType::Grayscale, BitDepth::One),
            (ColorType::Grayscale, BitDepth::Sixteen),
            (ColorType::GrayscaleAlpha, BitDepth::Eight),
            (ColorType::Rgb, BitDepth::Eight),
            (ColorType::Rgba, BitDepth::Sixteen),
        ];
        kinds.map(|(color, depth)| picture(color, depth)).into()
    }

    fn read_it(bytes: Vec<u8>) -> ReadResult {
        read("maze.png", bytes, &ImportOptions::default(), &mut |_| {
            Err(std::io::ErrorKind::NotFound.into())
        })
    }

    #[test]
    fn palettes_that_are_not_lists_of_colours_are_rejected() {
        for length in [0, 1, 2, 4, 5, 7, 767, 769, 770, 771, 6000] {
            for (i, bytes) in pictures().into_iter().enumerate() {
                let mut chunks = parted(&bytes);
                let palette = Chunk {
                    kind: *b"PLTE",
                    data: vec![7; length],
                };
                chunks.retain(|chunk| chunk.kind != palette.kind);
                chunks.insert(1, palette);
                let read = read_it(joined(&chunks));
                let error = read.diagnostics.iter().find(|d| d.severity == Severity::Error);
                let message = &error.expect("an error").message;
                let expected = format!("maze.png has a palette of {length} bytes");
                assert!(message.starts_with(&expected), "picture {i}: {message}");
            }
        }
        for bytes in pictures() {
            assert_eq!(palette_problem(&bytes), None);
        }
    }

    #[test]
    fn a_chunk_longer_than_the_file_ends_the_check() {
        let mut bytes = picture(ColorType::Indexed, BitDepth::Eight);
        for length in [u32::MAX, 1 << 31, 100_000] {
            bytes[8..12].copy_from_slice(&length.to_be_bytes());
            assert_eq!(palette_problem(&bytes), None);
        }
        assert_eq!(palette_problem(b"\x89PNG"), None);
    }

    /// Random numbers that are the same on every machine.
    struct Dice(Xoshiro256PlusPlus);

    impl Dice {
        fn below(&mut self, end: usize) -> usize {
            (self.0.next_u64() % end as u64) as usize
        }
    }

    /// Corrupts, removes, copies or inserts a chunk, at random.
    fn mutate(chunks: &mut Vec<Chunk>, dice: &mut Dice) {
        const KINDS: [&[u8; 4]; 12] = [
            b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"iCCP", b"acTL", b"fcTL", b"fdAT", b"tEXt",
        ];
        let (at, other) = (dice.below(chunks.len()), dice.below(chunks.len()));
        let (byte, kind) = (dice.below(256) as u8, *KINDS[dice.below(KINDS.len())]);
        let chunk = &mut chunks[at];
        match dice.below(8) {
            0 => chunk.data.truncate(dice.below(chunk.data.len() + 1)),
            1 => chunk.data.extend(vec![byte; dice.below(800)]),
            2 | 3 if !chunk.data.is_empty() => {
                let place = dice.below(chunk.data.len());
                chunk.data[place] = byte;
            }
            4 => chunk.kind = kind,
            5 => drop(chunks.remove(at)),
            6 => {
                let copy = chunk.clone();
                chunks.insert(other, copy);
            }
            _ => {
                let data = (0..dice.below(40)).map(|_| dice.below(256) as u8).collect();
                chunks.insert(other, Chunk { kind, data });
            }
        }
    }

    #[test]
    fn corrupted_pictures_with_valid_checksums_are_read_or_refused() {
        let mut dice = Dice(Xoshiro256PlusPlus::seed_from_u64(7));
        let pictures = pictures();
        for round in 0..6_000 {
            let mut chunks = parted(&pictures[round % pictures.len()]);
            for _ in 0..=dice.below(3) {
                if !chunks.is_empty() {
                    mutate(&mut chunks, &mut dice);
                }
            }
            let bytes = joined(&chunks);
            let read = read_it(bytes);
            let said = |d: &crate::design::Diagnostic| d.message.contains("internal error");
            let fault = read.diagnostics.iter().find(|d| said(d));
            assert!(fault.is_none(), "round {round}: {fault:?}");
            let rejected = read.diagnostics.iter().any(|d| d.severity == Severity::Error);
            assert_eq!(read.drawing.is_none(), rejected, "round {round}");
        }
    }
}
