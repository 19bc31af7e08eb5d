//! Decodes the tile data of a layer: comma-separated numbers, or bytes in Base64, which may be compressed.

use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine as _, alphabet};
use std::io::Read;

use super::{Rejection, rejection};
use crate::design::MAX_DIMENSION;
use crate::geometry::Size;
use crate::import::MOST_SQUARES;

/// Returns the size of a layer from its width and height in tiles, or an error if they are out of range.
pub(super) fn size(width: i64, height: i64) -> Result<Size, Rejection> {
    let most = i64::from(MAX_DIMENSION);
    let squares = width.saturating_mul(height);
    if !(0..=most).contains(&width) || !(0..=most).contains(&height) || squares as u64 > MOST_SQUARES {
        return Err(rejection(
            format!("a layer has {width} × {height} tiles"),
            format!("the maximum is {most} tiles each way and {MOST_SQUARES} tiles in total"),
        ));
    }
    Ok(Size::new(height as i32, width as i32))
}

/// Decodes the text of a layer's data. `packing` is the name of its compression, or empty for none. Returns the tile
/// numbers, row by row; see `Layer::tiles`.
pub(super) fn tiles(text: &str, encoding: &str, packing: &str, size: Size) -> Result<Vec<u32>, Rejection> {
    let tiles = match encoding {
        "csv" => numbers(text)?,
        "base64" => bytes(text, packing, size)?,
        other => {
            return Err(rejection(
                format!("tiles in the encoding `{other}` cannot be read"),
                "save the map with its tile layers as CSV or Base64",
            ));
        }
    };
    whole(tiles, size)
}

/// Returns the tiles unchanged if there is one for each square of `size`; otherwise, returns an error.
pub(super) fn whole(tiles: Vec<u32>, size: Size) -> Result<Vec<u32>, Rejection> {
    let needed = size.squares();
    if tiles.len() as u64 != needed {
        // Decompression ends after one surplus tile, so the number of surplus tiles may be unknown.
        let found = if tiles.len() as u64 > needed {
            "more".to_owned()
        } else {
            tiles.len().to_string()
        };
        return Err(rejection(
            format!(
                "a layer of {} × {} squares needs {needed} tiles, but its data has {found}",
                size.y, size.x
            ),
            "save the map again",
        ));
    }
    Ok(tiles)
}

fn numbers(text: &str) -> Result<Vec<u32>, Rejection> {
    let fields = text.split(',').map(str::trim);
    let fields: Vec<&str> = fields.collect();
    let ended = fields.last().is_some_and(|last| last.is_empty());
    let fields = &fields[..fields.len() - usize::from(ended)];
    let number = |field: &&str| {
        field.parse().map_err(|_| {
            let shown: String = field.chars().take(20).collect();
            rejection(
                format!("`{}` is not a tile number", shown.escape_debug()),
                "save the map again",
            )
        })
    };
    fields.iter().map(number).collect()
}

fn bytes(text: &str, packing: &str, size: Size) -> Result<Vec<u32>, Rejection> {
    let packed = from_base64(text).ok_or_else(|| rejection("the tiles are not valid Base64", "save the map again"))?;
    // Read one tile more than needed, so that `whole` detects surplus data.
    let most = size.squares() * 4 + 4;
    let mut plain = Vec::new();
    let unpacked = match packing {
        "" => {
            plain = packed;
            Ok(0)
        }
        "zlib" => flate2::read::ZlibDecoder::new(&packed[..])
            .take(most)
            .read_to_end(&mut plain),
        "gzip" => flate2::read::GzDecoder::new(&packed[..])
            .take(most)
            .read_to_end(&mut plain),
        other => {
            return Err(rejection(
                format!("tiles compressed with `{other}` cannot be read"),
                "save the map with its tile layers as CSV, or Base64 compressed with zlib or gzip",
            ));
        }
    };
    unpacked.map_err(|error| {
        rejection(
            format!("the tiles cannot be decompressed: {error}"),
            "save the map again",
        )
    })?;
    let (tiles, _) = plain.as_chunks::<4>();
    Ok(tiles.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect())
}

/// Decodes Base64, ignoring whitespace; `None` if the text is invalid.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    const LENIENT: GeneralPurpose = GeneralPurpose::new(
        &alphabet::STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_allow_trailing_bits(true)
            .with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    LENIENT.decode(digits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_is_read() {
        let pairs = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9v\n YmFy ", "foobar"),
        ];
        for (text, bytes) in pairs {
            assert_eq!(from_base64(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(from_base64("Zm9*"), None);
    }

    #[test]
    fn numbers_are_counted() {
        let size = Size::new(1, 3);
        assert_eq!(tiles("1,2,\n3", "csv", "", size).unwrap(), [1, 2, 3]);
        assert_eq!(tiles("1,2,3,\n", "csv", "", size).unwrap(), [1, 2, 3]);
        let description = |text| tiles(text, "csv", "", size).unwrap_err().message;
        assert_eq!(
            description("1,2"),
            "a layer of 3 × 1 squares needs 3 tiles, but its data has 2"
        );
        assert_eq!(
            description("1,2,3,4,5"),
            "a layer of 3 × 1 squares needs 3 tiles, but its data has more"
        );
        assert_eq!(description("1,x,3"), "`x` is not a tile number");
        assert!(tiles("AAAA", "base64", "zstd", size).unwrap_err().help.contains("zlib"));
        assert!(size_of(70_000, 2).is_err() && size_of(-1, 2).is_err() && size_of(20_000, 20_000).is_err());
    }

    fn size_of(width: i64, height: i64) -> Result<Size, Rejection> {
        super::size(width, height)
    }
}
