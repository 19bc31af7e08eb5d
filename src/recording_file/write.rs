//! Writes recording files.

use std::io::Write;
use std::ops::ControlFlow;

use super::bytes::{put, put_text};
use super::{MOST_DESIGN, PROGRAM_VERSION, Provenance, SourceFile, WriteError, section};
use crate::design::{Feature, PlacedVault};
use crate::engine::Grid;
use crate::format::native;
use crate::geometry::Point;
use crate::recording::{Recording, ReplayError, TurnRange};

/// References to everything that is written to a recording file.
#[derive(Debug, Clone, Copy)]
pub struct RecordingRef<'a> {
    /// Origin of the dungeon: the design, the options of growth and the source files.
    pub provenance: Provenance<'a>,
    /// Recording of the growth, which may still be in progress. Events that were dropped to save memory are regrown for
    /// the file.
    pub recording: &'a Recording,
}

/// Writes a recording file with the turns recorded so far. `watch` receives the number of turns written and the total
/// number of turns, and cancels the write by returning `Break`.
///
/// # Errors
///
/// Fails if writing to `out` fails, `watch` cancels, the design is too long, or dropped events cannot be regrown.
pub fn write(
    shot: &RecordingRef<'_>,
    out: &mut dyn Write,
    watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<(), WriteError> {
    let RecordingRef { provenance, recording } = *shot;
    let plan = native::write(provenance.design);
    if plan.len() > MOST_DESIGN {
        let most = MOST_DESIGN >> 20;
        let message = format!("the design has more than {most} MiB of text, the limit of a recording");
        return Err(WriteError::Cannot(message));
    }
    section::write_start(PROGRAM_VERSION, out)?;
    let flags = u32::from(provenance.options.columns) | u32::from(recording.is_finished()) << 1;
    section::write(*b"HEAD", &flags.to_le_bytes(), out)?;
    section::write(*b"PLAN", plan.as_bytes(), out)?;
    if !provenance.sources.is_empty() {
        section::write(*b"from", &sources(provenance.sources), out)?;
    }
    section::write(*b"VLTS", &vaults(provenance.design.pieces()), out)?;
    let pieces = provenance.design.pieces();
    if pieces.iter().any(|piece| !piece.contents.is_empty()) {
        section::write(*b"held", &contents(pieces), out)?;
    }
    section::write(*b"GRID", &grid(recording.start()), out)?;
    section::write(*b"BORN", &recording.prelude(), out)?;
    let turns = std::cell::Cell::new(0);
    let watch = std::cell::RefCell::new(watch);
    let goes_on = || {
        let mut watch = watch.borrow_mut();
        watch(turns.get(), recording.turns()).is_continue()
    };
    let result = recording.report_parts(&goes_on, |part| {
        if !goes_on() {
            return Err(WriteError::Interrupted);
        }
        section::write(*b"FILM", &turn_range(&part), out)?;
        turns.set(turns.get() + part.turns());
        Ok(())
    });
    result.map_err(|error| match error {
        ReplayError::Refused(error) => error,
        ReplayError::Ended => WriteError::Interrupted,
        ReplayError::Lost(turn) => WriteError::Cannot(format!(
            "the events of turn {turn} were discarded, and regrowing the dungeon does not reproduce them"
        )),
    })?;
    section::write(*b"END.", &turns.get().to_le_bytes(), out)?;
    Ok(())
}

fn sources(sources: &[SourceFile]) -> Vec<u8> {
    let mut bytes = Vec::new();
    put(sources.len() as u32, &mut bytes);
    for SourceFile { name, sha256 } in sources {
        put_text(name, &mut bytes);
        put_text(sha256, &mut bytes);
    }
    bytes
}

fn vaults(pieces: &[PlacedVault]) -> Vec<u8> {
    let mut features: Vec<Feature> = pieces
        .iter()
        .flat_map(|piece| &piece.squares)
        .flatten()
        .copied()
        .collect();
    features.sort_unstable();
    features.dedup();
    let mut bytes = Vec::new();
    put(features.len() as u32, &mut bytes);
    for feature in &features {
        put_text(feature.name(), &mut bytes);
    }
    put(pieces.len() as u32, &mut bytes);
    let put_point = |point: Point, bytes: &mut Vec<u8>| {
        put(point.x as u32, bytes);
        put(point.y as u32, bytes);
    };
    for piece in pieces {
        put(piece.vault as u32, &mut bytes);
        put_text(&piece.name, &mut bytes);
        put_point(piece.at, &mut bytes);
        put(piece.size.x as u32, &mut bytes);
        put(piece.size.y as u32, &mut bytes);
        for square in &piece.squares {
            let number = square.and_then(|feature| features.binary_search(&feature).ok());
            let number = number.map_or(0, |number| number as u16 + 1);
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        put(piece.exits.len() as u32, &mut bytes);
        piece.exits.iter().for_each(|exit| put_point(*exit, &mut bytes));
    }
    bytes
}

fn contents(pieces: &[PlacedVault]) -> Vec<u8> {
    let mut bytes = Vec::new();
    put(pieces.len() as u32, &mut bytes);
    for piece in pieces {
        put(piece.contents.len() as u32, &mut bytes);
        for content in &piece.contents {
            put(content.at.x as u32, &mut bytes);
            put(content.at.y as u32, &mut bytes);
            put_text(content.kind.name(), &mut bytes);
            put_text(&content.text, &mut bytes);
            put(content.properties.len() as u32, &mut bytes);
            for (name, value) in &content.properties {
                put_text(name, &mut bytes);
                put_text(value, &mut bytes);
            }
        }
    }
    bytes
}

fn grid(grid: &Grid) -> Vec<u8> {
    let size = grid.size();
    let mut bytes = Vec::with_capacity(size.squares() as usize + 8);
    put(size.x as u32, &mut bytes);
    put(size.y as u32, &mut bytes);
    bytes.extend(grid.rows().flatten().map(|tile| tile as u8));
    bytes
}

fn turn_range(part: &TurnRange<'_>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(part.bytes.len() + 8 * part.blocks.len() + 12 * part.marks.len() + 8);
    put(part.blocks.len() as u32, &mut bytes);
    for (turns, length) in &part.blocks {
        put(*turns, &mut bytes);
        put(*length, &mut bytes);
    }
    put(part.marks.len() as u32, &mut bytes);
    for mark in part.marks {
        put(mark.iteration, &mut bytes);
        bytes.extend_from_slice(&mark.turn.to_le_bytes());
    }
    bytes.extend_from_slice(part.bytes);
    bytes
}
