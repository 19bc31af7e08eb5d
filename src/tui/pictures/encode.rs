//! Encodes commands of kitty's graphics protocol.
//!
//! A tile is sent as a PNG with a palette. Squares are blocks of equal pixels in a handful of colours, so a tile takes
//! a few hundred bytes, and terminals decode it quickly.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use png::{BitDepth, ColorType, Compression, Encoder, Filter};

use super::Rgba;

/// Maximum number of data bytes in a command, according to the protocol.
const PART: usize = 4_096;

/// Returns the commands that send a tile's pixels as a picture and show it at the tile's placeholders. The terminal
/// replies only if it refuses the picture. `None` if the pixels cannot be encoded with this width.
pub(super) fn tile(number: u32, characters: (u16, u16), width: u32, pixels: &[Rgba]) -> Option<Vec<u8>> {
    let png = png(width, pixels)?;
    let data = STANDARD.encode(png);
    let parts: Vec<&[u8]> = data.as_bytes().chunks(PART).collect();
    let mut bytes = Vec::with_capacity(data.len() + 64 * parts.len());
    for (i, part) in parts.iter().enumerate() {
        let more = u8::from(i + 1 < parts.len());
        let mut control = String::new();
        if i == 0 {
            let (columns, rows) = characters;
            let _ = write!(control, "a=T,U=1,f=100,i={number},c={columns},r={rows},");
        }
        let _ = write!(control, "q=1,m={more}");
        command(&control, part, &mut bytes);
    }
    Some(bytes)
}

/// Appends a command that the terminal answers once it has carried out all earlier commands.
pub(super) fn query(number: u32, bytes: &mut Vec<u8>) {
    command(&format!("a=q,i={number},s=1,v=1,f=24"), b"AAAA", bytes);
}

/// Appends a command that removes a picture.
pub(super) fn delete(number: u32, bytes: &mut Vec<u8>) {
    command(&format!("a=d,d=I,i={number},q=2"), b"", bytes);
}

/// Returns the commands that remove `count` pictures with consecutive ids.
pub(in crate::tui) fn delete_all(first: u32, count: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in first..first.saturating_add(count) {
        delete(number, &mut bytes);
    }
    bytes
}

fn command(control: &str, data: &[u8], bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(b"\x1b_G");
    bytes.extend_from_slice(control.as_bytes());
    if !data.is_empty() {
        bytes.push(b';');
        bytes.extend_from_slice(data);
    }
    bytes.extend_from_slice(b"\x1b\\");
}

/// Encodes pixels as a PNG, with a palette if they have at most 256 colours.
fn png(width: u32, pixels: &[Rgba]) -> Option<Vec<u8>> {
    let height = u32::try_from(pixels.len()).ok()? / width.max(1);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_compression(Compression::Balanced);
    // The pixel rows of a square are equal; compression exploits these repetitions best without a filter.
    encoder.set_filter(Filter::NoFilter);
    let data = if let Some((colors, indices)) = indexed(pixels) {
        let depth = match colors.len() {
            0..=2 => BitDepth::One,
            3..=4 => BitDepth::Two,
            5..=16 => BitDepth::Four,
            _ => BitDepth::Eight,
        };
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(depth);
        let palette = colors.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]);
        encoder.set_palette(palette.collect::<Vec<u8>>());
        if colors.iter().any(|color| color[3] < u8::MAX) {
            encoder.set_trns(colors.iter().map(|color| color[3]).collect::<Vec<u8>>());
        }
        packed(&indices, width as usize, depth as usize)
    } else {
        encoder.set_color(ColorType::Rgba);
        encoder.set_depth(BitDepth::Eight);
        pixels.concat()
    };
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&data).ok()?;
    writer.finish().ok()?;
    Some(bytes)
}

/// Returns the distinct colours of pixels, and the index of each pixel's colour; `None` if there are more than 256
/// colours.
fn indexed(pixels: &[Rgba]) -> Option<(Vec<Rgba>, Vec<u8>)> {
    let mut colors: Vec<Rgba> = Vec::new();
    let mut indices = Vec::with_capacity(pixels.len());
    let mut last = None;
    for pixel in pixels {
        let index = match last {
            Some((color, index)) if color == pixel => index,
            _ => {
                let known = colors.iter().position(|color| color == pixel);
                let index = known.unwrap_or_else(|| {
                    colors.push(*pixel);
                    colors.len() - 1
                });
                u8::try_from(index).ok()?
            }
        };
        last = Some((pixel, index));
        indices.push(index);
    }
    Some((colors, indices))
}

/// Packs each row of indices into bytes, `bits` bits per index, the first index in the highest bits.
fn packed(indices: &[u8], width: usize, bits: usize) -> Vec<u8> {
    if bits == 8 {
        return indices.to_vec();
    }
    let per_byte = 8 / bits;
    let byte = |part: &[u8]| {
        let shifted = part.iter().enumerate();
        shifted.fold(0, |byte, (i, index)| byte | index << (8 - bits * (i + 1)))
    };
    let rows = indices.chunks(width.max(1));
    rows.flat_map(|row| row.chunks(per_byte).map(byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pixels of a PNG as RGBA, decoded by an independent library.
    fn decoded(png: &[u8]) -> Vec<Rgba> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
        decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut bytes).unwrap();
        bytes.as_chunks().0.to_vec()
    }

    /// Returns the control data and the payload of each command.
    fn commands(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
        let text = std::str::from_utf8(bytes).unwrap();
        let parts = text
            .split_terminator("\x1b\\")
            .map(|part| part.strip_prefix("\x1b_G").unwrap());
        parts
            .map(|part| part.split_once(';').unwrap_or((part, "")))
            .map(|(control, data)| (control.to_owned(), data.as_bytes().to_vec()))
            .collect()
    }

    #[test]
    fn pixels_survive_encoding_with_any_number_of_colours() {
        for colors in [1, 2, 3, 5, 17, 256, 300] {
            let pixels: Vec<Rgba> = (0..21 * 16_u32)
                .map(|i| {
                    let color = (i % colors) as u16;
                    [color as u8, (color >> 8) as u8, 7, if color == 0 { 0 } else { 255 }]
                })
                .collect();
            let expected = pixels.clone();
            assert_eq!(decoded(&png(21, &pixels).unwrap()), expected, "{colors}");
        }
    }

    #[test]
    fn a_tile_is_one_picture_in_parts_of_at_most_4096_bytes() {
        let noise: Vec<Rgba> = (0..128 * 128_u32)
            .map(|i| (i.wrapping_mul(2_654_435_761) | 0xff).to_be_bytes())
            .collect();
        let bytes = tile(258, (16, 8), 128, &noise).unwrap();
        let all = commands(&bytes);
        assert!(all.len() > 5);
        assert_eq!(all[0].0, "a=T,U=1,f=100,i=258,c=16,r=8,q=1,m=1");
        for (i, (control, data)) in all.iter().enumerate() {
            let is_last = i + 1 == all.len();
            assert!(data.len() <= PART && (is_last || data.len() % 4 == 0));
            if i > 0 {
                assert_eq!(control, if is_last { "q=1,m=0" } else { "q=1,m=1" });
            }
        }
        let data: Vec<u8> = all.into_iter().flat_map(|(_, data)| data).collect();
        assert_eq!(decoded(&STANDARD.decode(data).unwrap()), noise);
    }

    #[test]
    fn squares_take_few_bytes() {
        // 16 × 16 squares of 8 × 8 pixels in four colours.
        let square = |x: u32, y: u32| (x / 8).wrapping_mul(31) ^ (y / 8).wrapping_mul(17);
        let color = |i: u32| [(i % 4 * 80) as u8, 40, 90, 255];
        let pixels: Vec<Rgba> = (0..128)
            .flat_map(|y| (0..128).map(move |x| color(square(x, y))))
            .collect();
        let bytes = tile(1, (16, 8), 128, &pixels).unwrap();
        assert!(bytes.len() < 1_200, "{}", bytes.len());
        let empty = tile(1, (16, 8), 128, &vec![[0; 4]; 128 * 128]).unwrap();
        assert!(empty.len() < 220, "{}", empty.len());
    }

    #[test]
    fn queries_and_deletions_contain_their_ids() {
        let mut bytes = Vec::new();
        query(7, &mut bytes);
        assert_eq!(bytes, b"\x1b_Ga=q,i=7,s=1,v=1,f=24;AAAA\x1b\\");
        let all = delete_all(8, 2);
        assert_eq!(all, b"\x1b_Ga=d,d=I,i=8,q=2\x1b\\\x1b_Ga=d,d=I,i=9,q=2\x1b\\");
    }
}
