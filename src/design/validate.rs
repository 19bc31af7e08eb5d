//! From any design to one the engine accepts, with a diagnostic for everything that was changed.
//!
//! Only what makes a dungeon impossible is an error: its dimensions and its memory. A number outside
//! its field's range is brought into the range and reported. What a room or Crawler lacks in order to
//! be placed is found by the engine's first stage, which knows where things stand.

use std::sync::Arc;

use super::{Design, Diagnostic, Entry, Feature, Piece, Place, Severity};
use crate::geometry::{Point, Size};

/// Dungeons smaller than this in either dimension are refused, as the original does (recorded).
pub const MIN_DIMENSION: i32 = 20;

/// Dungeons larger than this in either dimension are refused, so that a coordinate fits 16 bits.
pub const MAX_DIMENSION: i32 = 32_767;

/// Memory that growing and showing a dungeon takes per square, in bytes, at the most: the grid with its bit
/// maps (2.25) five or six times over (the engine's, the recording's start, the shown frame, keyframes), and
/// the recorded events.
pub const BYTES_PER_SQUARE: u64 = 16;

/// A design that the engine can grow: dimensions in range and small enough for the machine, every
/// parameter within the range that the field table states. Cheap to clone and to send to a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidDesign {
    design: Arc<Design>,
    pieces: Arc<[Piece]>,
}

impl std::ops::Deref for ValidDesign {
    type Target = Design;

    fn deref(&self) -> &Design {
        &self.design
    }
}

impl ValidDesign {
    /// The same design with its vaults resolved. Without this its vaults are left out.
    #[must_use]
    pub fn with_pieces(self, pieces: Vec<Piece>) -> Self {
        Self {
            pieces: pieces.into(),
            ..self
        }
    }

    /// Its resolved vaults.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// What a vault puts on a square; the first of the vaults that take it.
    pub fn feature(&self, at: Point) -> Option<Feature> {
        self.pieces.iter().find_map(|piece| piece.feature(at))
    }
}

/// What validation made of a design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validated {
    /// The design to grow; `None` when a diagnostic is an error.
    pub design: Option<ValidDesign>,
    /// What is wrong, in the order of the files.
    pub diagnostics: Vec<Diagnostic>,
}

/// Bytes that a program can have at most, whatever memory there is: on a machine of 32 bits, 2 GiB.
const ADDRESSES: u64 = isize::MAX as u64;

impl Design {
    /// Checks every number against the field table and the dungeon's size against `memory`, the bytes
    /// that may be used (`None`: unknown; then only what no program can have is refused).
    pub fn validate(&self, memory: Option<u64>) -> Validated {
        let mut design = self.clone();
        let mut diagnostics = Vec::new();
        check_size(self.layout.size, memory, &mut diagnostics);
        for entry in self.entries() {
            // Positions, room codes and limits are judged where they are used: in the first stage and the readers.
            if matches!(entry, Entry::Generation(_) | Entry::Constants | Entry::Protuberances) {
                clamp_entry(&mut design, entry, &mut diagnostics);
            }
        }
        let usable = diagnostics.iter().all(|d| d.severity < Severity::Error);
        Validated {
            design: usable.then(|| ValidDesign {
                design: Arc::new(design),
                pieces: Arc::new([]),
            }),
            diagnostics,
        }
    }
}

fn check_size(size: Size, memory: Option<u64>, diagnostics: &mut Vec<Diagnostic>) {
    let before = diagnostics.len();
    for (field, value) in [size.x, size.y].into_iter().enumerate() {
        let place = Place::field(Entry::Dimensions, field);
        let name = Entry::Dimensions.fields()[field].name;
        if value < MIN_DIMENSION {
            diagnostics.push(
                Diagnostic::error(format!(
                    "{name} is {value}: a dungeon needs at least {MIN_DIMENSION} squares each way"
                ))
                .at(place)
                .help(format!("use a value from {MIN_DIMENSION} to {MAX_DIMENSION}")),
            );
        } else if value > MAX_DIMENSION {
            let squares = i64::from(size.x).max(0) as u64 * i64::from(size.y).max(0) as u64;
            diagnostics.push(
                Diagnostic::error(format!(
                    "{name} is {value}: the largest dimension is {MAX_DIMENSION} (this dungeon would need {})",
                    bytes(squares.saturating_mul(BYTES_PER_SQUARE))
                ))
                .at(place)
                .help(format!("use a value from {MIN_DIMENSION} to {MAX_DIMENSION}")),
            );
        }
    }
    let need = size.squares().saturating_mul(BYTES_PER_SQUARE);
    let memory = memory.unwrap_or(u64::MAX).min(ADDRESSES);
    if diagnostics.len() == before && need > memory {
        diagnostics.push(
            Diagnostic::error(format!(
                "a dungeon of {size} squares needs {}, and {} can be had",
                bytes(need),
                bytes(memory)
            ))
            .at(Place::entry(Entry::Dimensions))
            .help("make dimX or dimY smaller"),
        );
    }
}

fn clamp_entry(design: &mut Design, entry: Entry, diagnostics: &mut Vec<Diagnostic>) {
    for (field, info) in entry.fields().into_iter().enumerate() {
        let Some(value) = design.get(entry, field) else {
            continue;
        };
        let used = value.clamp(info.min, info.max);
        if used != value {
            design.set(entry, field, used);
            diagnostics.push(
                Diagnostic::warning(format!("{} of {} is {value}; {used} is used", info.name, entry.label()))
                    .at(Place::field(entry, field))
                    .help(format!("use a value from {} to {}", info.min, info.max)),
            );
        }
    }
}

/// A number of bytes for people: `1.5 GiB`.
fn bytes(n: u64) -> String {
    const UNITS: [&str; 7] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{n} bytes")
    } else {
        format!("{value:.1} {}", UNITS[unit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sized(x: i32, y: i32) -> Design {
        let mut design = Design::default();
        design.layout.size = Size::new(x, y);
        design
    }

    #[test]
    fn sizes_are_refused_with_the_reason() {
        for (x, y) in [
            (0, 50),
            (50, 19),
            (-4, 50),
            (i32::MIN, i32::MAX),
            (10_000_000, 10_000_000),
        ] {
            let checked = sized(x, y).validate(None);
            assert_eq!(checked.design, None, "{x} {y}");
        }
        assert!(sized(20, 32_767).validate(None).design.is_some());
        let huge = sized(10_000_000, 10_000_000).validate(None).diagnostics;
        assert!(huge[0].message.contains("PiB"), "{}", huge[0]);
    }

    #[test]
    fn a_dungeon_larger_than_the_memory_is_refused_with_its_size() {
        let checked = sized(10_000, 10_000).validate(Some(100 << 20));
        assert_eq!(checked.design, None);
        assert!(
            checked.diagnostics[0].message.contains("1.5 GiB"),
            "{}",
            checked.diagnostics[0]
        );
        assert!(sized(100, 100).validate(Some(100 << 20)).design.is_some());
    }

    /// On a machine of 32 bits whoever asks for more would be ended by the allocator, whatever memory there is.
    #[test]
    #[cfg(target_pointer_width = "32")]
    fn a_dungeon_larger_than_the_address_space_is_refused() {
        for memory in [None, Some(64 << 30)] {
            assert_eq!(sized(MAX_DIMENSION, MAX_DIMENSION).validate(memory).design, None);
            assert!(sized(10_000, 10_000).validate(memory).design.is_some());
        }
    }

    #[test]
    fn numbers_out_of_range_are_brought_in_and_reported() {
        let mut design = Design::default();
        design.character.generations[3].change_dir_prob = 170;
        design.constants.max_crawlers = -1;
        let checked = design.validate(None);
        let valid = checked.design.expect("usable");
        assert_eq!(valid.character.generations[3].change_dir_prob, 100);
        assert_eq!(valid.constants.max_crawlers, 1);
        assert_eq!(checked.diagnostics.len(), 2);
        assert_eq!(
            checked.diagnostics[0].place,
            Some(Place::field(Entry::Generation(3), 2))
        );
    }
}
