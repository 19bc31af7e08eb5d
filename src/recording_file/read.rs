//! Parses recording files. Arbitrary bytes yield an error, never a panic.

use super::bytes::Bytes;
use super::section::{Section, Sections};
use super::{MOST_DESIGN, ReadError, RecordingFile};
use crate::design::{
    ContentKind, Design, Diagnostic, Feature, MAX_DIMENSION, Memory, PlacedVault, Severity, ValidDesign, VaultContent,
};
use crate::engine::{Grid, Mark as Who, Options, Tile};
use crate::format::{Text, native};
use crate::geometry::{Point, Size};
use crate::recording::{InvalidEvent, IterationStart, Replay};
use crate::text::counted;

/// Maximum absolute value of a vault's coordinates and maximum length of its sides, in squares.
const MOST_SIDE: i32 = MAX_DIMENSION;

impl RecordingFile {
    /// Parses a recording. `memory` limits the size of its dungeon, as for any design. If `memory` is `None`, only a
    /// dungeon larger than the address space is rejected.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not a recording, use another version of the format, are truncated or damaged, or contain
    /// a design that is invalid or too large for `memory`.
    pub fn read(file: &[u8], memory: Option<Memory>) -> Result<Self, ReadError> {
        let mut sections = Sections::new(file)?;
        let program = sections.program.clone();
        let mut next = || after_unknown(&mut sections);

        let head = expect(next()?, *b"HEAD")?;
        let flags = match head.bytes[..].try_into() {
            Ok(flags) => u32::from_le_bytes(flags),
            Err(_) => return Err(head.damaged("the number of bytes is wrong")),
        };
        if flags > 3 {
            return Err(head.damaged("there are unknown flags"));
        }
        let plan = expect(next()?, *b"PLAN")?;
        let mut after = next()?;
        let mut sources = Vec::new();
        if after.tag == *b"from" {
            sources = all_of(&after, |bytes| {
                bytes.list(|one| Some((one.text()?, one.text()?).into()))
            })?;
            after = next()?;
        }
        let mut pieces = pieces(&expect(after, *b"VLTS")?)?;
        let mut after = next()?;
        if after.tag == *b"held" {
            read_contents(&after, &mut pieces)?;
            after = next()?;
        }
        let (design, diagnostics) = design(&plan, memory)?;
        let asked = design.layout.vaults.len();
        let are_asked = pieces.windows(2).all(|two| two[0].vault < two[1].vault)
            && pieces.last().is_none_or(|last| last.vault < asked);
        if !are_asked {
            let what = "its vaults do not match those of the design".to_owned();
            return Err(ReadError::Damaged { at: plan.at, what });
        }
        let design = design.with_pieces(pieces);
        drop(plan);

        let start = grid(&expect(after, *b"GRID")?, design.layout.size)?;
        let born = expect(next()?, *b"BORN")?;
        let mut replay = Replay::new(start, &born.bytes).map_err(|invalid| born.damaged(event_error(invalid)))?;
        drop(born);
        let end = loop {
            let section = next()?;
            if section.tag != *b"FILM" {
                break expect(section, *b"END.")?;
            }
            read_turns(section, &mut replay)?;
        };
        let turns = all_of(&end, Bytes::long)?;
        if turns != replay.turns() {
            let what = format!("the file contains {} of {turns} turns", replay.turns());
            return Err(end.damaged(what));
        }
        let read = sections.at();
        if read < file.len() {
            let what = format!("its end is followed by {}", counted(file.len() - read, "byte"));
            return Err(ReadError::Damaged { at: read, what });
        }
        Ok(Self {
            program,
            design,
            diagnostics,
            options: Options {
                columns: flags & 1 != 0,
            },
            sources,
            recording: replay.finish(flags & 2 != 0),
        })
    }
}

/// Returns the next section that is required or that this program supports. Skips optional sections that it does not
/// support.
fn after_unknown(sections: &mut Sections<'_>) -> Result<Section, ReadError> {
    loop {
        let section = sections.next()?;
        if [*b"from", *b"held"].contains(&section.tag) || !section.tag[0].is_ascii_lowercase() {
            return Ok(section);
        }
    }
}

fn expect(section: Section, tag: [u8; 4]) -> Result<Section, ReadError> {
    if section.tag == tag {
        return Ok(section);
    }
    Err(section.damaged(format!("the tag should be {}", tag.escape_ascii())))
}

/// Parses the bytes of a section with `read`, which must consume all of them.
fn all_of<'a, T>(section: &'a Section, read: impl FnOnce(&mut Bytes<'a>) -> Option<T>) -> Result<T, ReadError> {
    let mut bytes = Bytes(&section.bytes);
    let read = read(&mut bytes).filter(|_| bytes.0.is_empty());
    read.ok_or_else(|| section.damaged("the number of bytes is wrong"))
}

fn event_error(invalid: InvalidEvent) -> String {
    if invalid.turn == 0 {
        format!("before the first turn: {}", invalid.why)
    } else {
        format!("in turn {}: {}", invalid.turn, invalid.why)
    }
}

fn design(plan: &Section, memory: Option<Memory>) -> Result<(ValidDesign, Vec<Diagnostic>), ReadError> {
    if plan.bytes.len() > MOST_DESIGN {
        return Err(plan.damaged("the design is too long"));
    }
    let text = std::str::from_utf8(&plan.bytes).map_err(|_| plan.damaged("the design is not text"))?;
    let text = Text::new("the recording's design", text);
    let parsed = native::parse(&text);
    let usable = parsed.is_usable();
    let mut diagnostics = parsed.diagnostics;
    let mut valid = None;
    if usable {
        let design: Design = parsed.value;
        let checked = design.validate(memory);
        valid = checked.design;
        diagnostics.extend(checked.diagnostics);
    }
    for diagnostic in &mut diagnostics {
        parsed.places.locate(diagnostic, &text);
    }
    if let Some(valid) = valid {
        return Ok((valid, diagnostics));
    }
    let error = diagnostics.iter().find(|found| found.severity == Severity::Error);
    let why = error.map_or_else(|| "it cannot be read".to_owned(), |error| error.message.clone());
    Err(ReadError::Design(why))
}

fn pieces(section: &Section) -> Result<Vec<PlacedVault>, ReadError> {
    let read = |bytes: &mut Bytes<'_>| {
        let features = bytes.list(Bytes::text)?;
        // A later version of the program may write other features. A square with an unknown feature is read as outside
        // the map.
        let features: Vec<Option<Feature>> = features.iter().map(|name| Feature::by_name(name)).collect();
        bytes.list(|bytes| piece(bytes, &features))
    };
    all_of(section, read)
}

fn piece(bytes: &mut Bytes<'_>, features: &[Option<Feature>]) -> Option<PlacedVault> {
    let (vault, name) = (bytes.number()? as usize, bytes.text()?);
    let (at, size) = (point(bytes)?, point(bytes)?);
    if size.x < 1 || size.y < 1 {
        return None;
    }
    let size = Size::new(size.x, size.y);
    let squares = bytes.slice(usize::try_from(size.squares()).ok()?.checked_mul(2)?)?;
    let squares = squares.chunks_exact(2).map(|two| {
        let number = usize::from(u16::from_le_bytes([two[0], two[1]]));
        match number.checked_sub(1) {
            None => Some(None),
            Some(number) => features.get(number).copied(),
        }
    });
    Some(PlacedVault {
        vault,
        name,
        at,
        size,
        squares: squares.collect::<Option<_>>()?,
        exits: bytes.list(point)?,
        contents: Vec::new(),
    })
}

/// Reads the section `held` into `pieces`: one list of contents for each vault.
fn read_contents(section: &Section, pieces: &mut [PlacedVault]) -> Result<(), ReadError> {
    let lists = all_of(section, |bytes| {
        bytes.list(|bytes| bytes.list(|bytes| Some(content(bytes)?.ok())))
    })?;
    if lists.len() != pieces.len() {
        return Err(section.damaged("the number of vaults is not the same as in section VLTS"));
    }
    for (piece, contents) in pieces.iter_mut().zip(lists) {
        // Contents of an unknown kind, written by a later version of the program, are left out.
        piece.contents = contents.into_iter().flatten().collect();
    }
    Ok(())
}

/// Reads one entry of a square's contents. Returns `None` if there are too few bytes, and `Some(Err(kind))` if this
/// program does not support the entry's kind.
fn content(bytes: &mut Bytes<'_>) -> Option<Result<VaultContent, String>> {
    let at = point(bytes)?;
    let kind = bytes.text()?;
    let (text, properties) = (bytes.text()?, bytes.list(|one| Some((one.text()?, one.text()?)))?);
    let known = ContentKind::ALL.into_iter().find(|known| known.name() == kind);
    Some(known.ok_or(kind).map(|kind| VaultContent {
        at,
        kind,
        text,
        properties,
    }))
}

/// Reads the row and column of a square; returns `None` if either exceeds [`MOST_SIDE`] in absolute value.
fn point(bytes: &mut Bytes<'_>) -> Option<Point> {
    let near = |number: &i32| number.unsigned_abs() <= MOST_SIDE.unsigned_abs();
    let (x, y) = (bytes.signed().filter(near)?, bytes.signed().filter(near)?);
    Some(Point::new(x, y))
}

fn grid(section: &Section, size: Size) -> Result<Grid, ReadError> {
    let mut bytes = Bytes(&section.bytes);
    let read = (bytes.signed(), bytes.signed());
    if read != (Some(size.x), Some(size.y)) || bytes.0.len() as u64 != size.squares() {
        return Err(section.damaged("the dungeon's size differs from the size in the design"));
    }
    let mut grid = Grid::new(size);
    for (number, tile) in bytes.0.iter().enumerate() {
        let Some(tile) = Tile::ALL.get(usize::from(*tile)).copied() else {
            return Err(section.damaged(format!("tile number {tile} is unknown")));
        };
        let columns = size.y as usize;
        let at = Point::new((number / columns) as i32, (number % columns) as i32);
        grid.set(at, tile, Who::Design);
    }
    Ok(grid)
}

/// Reads the turns in a section `FILM` and appends them to `replay`.
fn read_turns(mut section: Section, replay: &mut Replay) -> Result<(), ReadError> {
    let mut bytes = Bytes(&section.bytes);
    let mut read = || {
        let blocks = bytes.list(|one| Some((one.number()?, one.number()?)))?;
        let marks = bytes.list(|one| {
            Some(IterationStart {
                iteration: one.number()?,
                turn: one.long()?,
            })
        })?;
        Some((blocks, marks))
    };
    let read = read();
    let begin = section.bytes.len() - bytes.0.len();
    let (blocks, marks) = read.ok_or_else(|| section.damaged("there are too few bytes"))?;
    let mut bytes = std::mem::take(&mut section.bytes);
    bytes.drain(..begin);
    replay
        .append(&blocks, bytes, &marks)
        .map_err(|invalid| section.damaged(event_error(invalid)))
}
