//! Reads and writes the sections of a recording file. Each section has a tag, a length and a checksum.

use std::io::{self, Read as _, Write};

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc, bufread::DeflateDecoder};

use super::bytes::{Bytes, put};
use super::{MAGIC, ReadError, VERSION};

/// Maximum ratio of unpacked to stored bytes. Without a limit, a small file could make the reader allocate a lot of
/// memory.
const MOST_FOLD: usize = 64;

/// Length in bytes of a section's header.
const HEAD: usize = 4 + 1 + 4 + 4;

fn checksum(parts: &[&[u8]]) -> u32 {
    let mut crc = Crc::new();
    for part in parts {
        crc.update(part);
    }
    crc.sum()
}

/// Writes the start of a file: the magic bytes, the versions of the format and the program, and a checksum.
pub(super) fn write_start(program: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    let program = program.as_bytes();
    let program = &program[..program.len().min(usize::from(u8::MAX))];
    bytes.push(program.len() as u8);
    bytes.extend_from_slice(program);
    let sum = checksum(&[&bytes]);
    put(sum, &mut bytes);
    out.write_all(&bytes)
}

/// Writes a section of less than 4 GiB, deflated if that makes it shorter.
pub(super) fn write(tag: [u8; 4], bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(|_| io::Error::other("a section of a recording is too long"))?;
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    let mut packed = encoder.finish()?;
    packed.resize(packed.len().max(bytes.len().div_ceil(MOST_FOLD)), 0);
    let (packing, stored) = if packed.len() < bytes.len() {
        (1, packed.as_slice())
    } else {
        (0, bytes)
    };
    let mut head = tag.to_vec();
    head.push(packing);
    put(stored.len() as u32, &mut head);
    put(length, &mut head);
    let sum = checksum(&[&head, stored]);
    out.write_all(&head)?;
    out.write_all(stored)?;
    out.write_all(&sum.to_le_bytes())
}

/// A section that was read and unpacked.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) tag: [u8; 4],
    /// Offset of the section in the file.
    pub(super) at: usize,
    pub(super) bytes: Vec<u8>,
}

impl Section {
    /// Returns an error that reports damage in this section; `what` describes the damage.
    pub(super) fn damaged(&self, what: impl Into<String>) -> ReadError {
        let what = format!("in section {}, {}", self.tag.escape_ascii(), what.into());
        ReadError::Damaged { at: self.at, what }
    }
}

/// A reader that returns the sections of a file in order.
#[derive(Debug)]
pub(super) struct Sections<'a> {
    bytes: Bytes<'a>,
    length: usize,
    /// Version of the program that wrote the file.
    pub(super) program: String,
}

impl<'a> Sections<'a> {
    /// Reads the start of a file, and checks its versions and checksum.
    pub(super) fn new(file: &'a [u8]) -> Result<Self, ReadError> {
        let length = file.len();
        let mut bytes = Bytes(file);
        let begun = &file[..length.min(MAGIC.len())];
        if begun != &MAGIC[..begun.len()] || length < 4 {
            if super::is_recording(file) {
                let what = "its line endings were converted, as if it were text".to_owned();
                return Err(ReadError::Damaged { at: 4, what });
            }
            return Err(ReadError::NotOne);
        }
        let broken_off = ReadError::BrokenOff(length);
        let start = |bytes: &mut Bytes<'a>| {
            let _: [u8; 8] = bytes.array()?;
            let version = bytes.array().map(u16::from_le_bytes)?;
            let [name] = bytes.array()?;
            let name = bytes.slice(usize::from(name))?;
            let signed = length - bytes.0.len();
            Some((version, name, signed, bytes.number()?))
        };
        let (version, name, signed, sum) = start(&mut bytes).ok_or(broken_off)?;
        let program: String = String::from_utf8_lossy(name)
            .chars()
            .filter(|c| !c.is_control())
            .collect();
        if checksum(&[&file[..signed]]) != sum {
            let what = "the checksum of its header is wrong".to_owned();
            return Err(ReadError::Damaged { at: 0, what });
        }
        if version != VERSION {
            return Err(ReadError::Later { version, program });
        }
        Ok(Self { bytes, length, program })
    }

    /// Returns the number of bytes read so far: the offset of the next section.
    pub(super) const fn at(&self) -> usize {
        self.length - self.bytes.0.len()
    }

    /// Reads the next section, verifies its checksum and unpacks its bytes.
    pub(super) fn next(&mut self) -> Result<Section, ReadError> {
        let at = self.at();
        let broken_off = || ReadError::BrokenOff(self.length);
        let head = self.bytes.slice(HEAD).ok_or_else(broken_off)?;
        let mut fields = Bytes(head);
        let read = |fields: &mut Bytes<'_>| {
            let (tag, [packing]) = (fields.array()?, fields.array()?);
            Some((tag, packing, fields.number()? as usize, fields.number()? as usize))
        };
        let (tag, packing, stored, length) = read(&mut fields).ok_or_else(broken_off)?;
        let stored = self.bytes.slice(stored).ok_or_else(broken_off)?;
        let sum = self.bytes.number().ok_or_else(broken_off)?;
        let mut section = Section {
            tag,
            at,
            bytes: Vec::new(),
        };
        if checksum(&[head, stored]) != sum {
            return Err(section.damaged("the checksum is wrong"));
        }
        section.bytes = match packing {
            0 if stored.len() == length => stored.to_vec(),
            1 if length.div_ceil(MOST_FOLD) <= stored.len() => {
                unpack(stored, length).ok_or_else(|| section.damaged("the bytes cannot be unpacked"))?
            }
            _ => return Err(section.damaged("the lengths do not match each other")),
        };
        Ok(section)
    }
}

/// Inflates `stored` to exactly `length` bytes; only zeros may follow the deflated data.
fn unpack(stored: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length + 1);
    let mut decoder = DeflateDecoder::new(stored);
    (&mut decoder).take(length as u64 + 1).read_to_end(&mut bytes).ok()?;
    let rest = decoder.into_inner();
    (bytes.len() == length && rest.iter().all(|byte| *byte == 0)).then_some(bytes)
}
