//! Many dungeons as NumPy arrays (`.npz`): a zip archive with a `.npy` file for each array.
//!
//! The files in the archive must be written one after another, but each array contains the squares of all dungeons. All
//! arrays are therefore collected in compressed temporary files, and copied to the archive after the last dungeon.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

use super::{BulkEncoder, BulkRow, BulkTable, Ended, PassOn, Pending};
use crate::engine::SEED_CATALOG;
use crate::recording_file::PROGRAM_VERSION;

/// The length of a `.npy` header is a multiple of this number of bytes.
const ALIGNMENT: usize = 64;

/// Number of bytes copied from a temporary file at a time.
const BLOCK: usize = 1 << 16;

/// An encoder that writes the arrays of all dungeons.
pub(super) struct NpzEncoder {
    zip: ZipWriter<StreamWriter<Pending>>,
    table: BulkTable,
    seeds: Vec<u64>,
    arrays: Vec<WaitingArray>,
}

/// An array that is collected in a temporary file.
struct WaitingArray {
    name: &'static str,
    /// Type of the numbers, in NumPy's notation.
    of: &'static str,
    file: DeflateEncoder<File>,
}

impl WaitingArray {
    fn new(name: &'static str, of: &'static str) -> io::Result<Self> {
        let file = DeflateEncoder::new(tempfile::tempfile()?, Compression::fast());
        Ok(Self { name, of, file })
    }
}

impl NpzEncoder {
    /// Creates an encoder that writes the wanted arrays of `table` to `out`.
    pub(super) fn new(table: &BulkTable, out: Pending) -> io::Result<Self> {
        let wanted = table.wanted;
        let all = [
            (wanted.tiles, "tiles", "|u1"),
            (wanted.generations, "generations", "<i2"),
            (wanted.turn_laid, "turn_laid", "<u4"),
            (wanted.steps, "steps", "<i4"),
        ];
        let all = all.into_iter().filter(|(is_wanted, ..)| *is_wanted);
        Ok(Self {
            zip: ZipWriter::new_stream(out),
            table: table.clone(),
            seeds: Vec::new(),
            arrays: all
                .map(|(_, name, of)| WaitingArray::new(name, of))
                .collect::<io::Result<_>>()?,
        })
    }

    /// Begins the `.npy` file of an array in the archive, and writes its header.
    fn begin(&mut self, name: &str, of: &str, shape: &str) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .large_file(true);
        self.zip.start_file(format!("{name}.npy"), options)?;
        self.zip.write_all(&header(of, shape))
    }

    /// Writes text as a zero-dimensional array.
    fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        let length = text.chars().count();
        self.begin(name, &format!("<U{length}"), "()")?;
        let bytes: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        self.zip.write_all(&bytes)
    }
}

impl BulkEncoder for NpzEncoder {
    fn add(&mut self, row: BulkRow) -> io::Result<()> {
        self.seeds.push(row.key.seed);
        for array in &mut self.arrays {
            let bytes: Vec<u8> = match array.name {
                "tiles" => row.arrays.tiles.clone(),
                "generations" => row.arrays.generations.iter().flat_map(|n| n.to_le_bytes()).collect(),
                "turn_laid" => row.arrays.turn_laid.iter().flat_map(|n| n.to_le_bytes()).collect(),
                _ => row.arrays.steps.iter().flat_map(|n| n.to_le_bytes()).collect(),
            };
            array.file.write_all(&bytes)?;
        }
        Ok(())
    }

    fn end(mut self: Box<Self>, pass_on: &mut PassOn<'_>) -> Result<(), Ended> {
        let seeds: Vec<u8> = self.seeds.iter().flat_map(|seed| seed.to_le_bytes()).collect();
        self.begin("seeds", "<u8", &format!("({},)", self.seeds.len()))?;
        self.zip.write_all(&seeds)?;
        let design = self.table.design.clone();
        self.text("design", &design)?;
        self.text("version", PROGRAM_VERSION)?;
        self.begin("seed_catalog", "<u4", "()")?;
        self.zip.write_all(&SEED_CATALOG.to_le_bytes())?;
        let size = self.table.size;
        let shape = format!("({}, {}, {})", self.table.count, size.x, size.y);
        for array in std::mem::take(&mut self.arrays) {
            self.begin(array.name, array.of, &shape)?;
            let mut file = array.file.finish()?;
            file.rewind()?;
            let mut numbers = DeflateDecoder::new(io::BufReader::new(file));
            let mut block = vec![0; BLOCK];
            loop {
                match numbers.read(&mut block)? {
                    0 => break,
                    read => self.zip.write_all(&block[..read])?,
                }
                pass_on()?;
            }
        }
        self.zip.finish().map_err(io::Error::from)?;
        Ok(())
    }
}

/// Returns the header of a `.npy` file (format version 1) for an array with the number type `of` and this shape.
fn header(of: &str, shape: &str) -> Vec<u8> {
    let mut text = format!("{{'descr': '{of}', 'fortran_order': False, 'shape': {shape}, }}");
    // Magic number, version and length take ten bytes; the line break takes one.
    while (10 + text.len() + 1) % ALIGNMENT != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.into_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;
    use crate::rows::{RowKey, SquareArrays, WantedArrays};

    #[test]
    fn the_archive_is_passed_on_while_it_is_written() {
        const DUNGEONS: u64 = 20;
        let size = Size::new(200, 200);
        let table = BulkTable {
            size,
            wanted: WantedArrays::named(&["turn_laid"]).unwrap(),
            count: DUNGEONS,
            design: "seed = 1".to_owned(),
        };
        let pending = Pending::default();
        let mut encoder = Box::new(NpzEncoder::new(&table, pending.clone()).unwrap());
        // Random numbers, which cannot be compressed much.
        let mut number = 1_u32;
        let mut random = || {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            number
        };
        for seed in 0..DUNGEONS {
            let arrays = SquareArrays {
                turn_laid: (0..size.squares()).map(|_| random()).collect(),
                ..SquareArrays::default()
            };
            let key = RowKey::new(seed, "", Vec::new());
            encoder.add(BulkRow { key, arrays }).unwrap();
        }
        let mut parts = Vec::new();
        let ended = encoder.end(&mut || {
            parts.push(pending.take().len());
            Ok(())
        });
        assert!(ended.is_ok());
        parts.push(pending.take().len());
        assert!(parts.iter().sum::<usize>() > 1_000_000, "{parts:?}");
        assert!(parts.iter().all(|part| *part < 4 * BLOCK), "{parts:?}");
    }
}
