//! Validates a design: corrects numbers that the engine does not accept, and reports every correction and every error.
//!
//! Only invalid dimensions, insufficient memory and too many expectations are errors. A number outside its parameter's
//! range is clamped and reported. Rooms and Crawlers that cannot be placed are not reported here but by the engine's
//! stage one, which computes all positions.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::expect::PlaceName;
use super::{
    Constant, Design, Diagnostic, Dimension, Entry, EntryText, Feature, Field, GENERATIONS, InvalidDesign, Parameter,
    Place, PlaceField, PlacedVault, Severity, Stat, deserialize_checked, expect, standing,
};
use crate::geometry::{Point, Size};

/// Smallest number of rows and of columns. Smaller numbers are an error, as in recorded runs of the original program.
pub const MIN_DIMENSION: i32 = 20;

/// Largest number of rows and of columns, so that every coordinate fits into 16 bits.
pub const MAX_DIMENSION: i32 = 32_767;

/// The purpose of growing a dungeon. It determines how many bytes each square needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryUse {
    /// Printing. It needs memory for the grid and the living Builders.
    Printing,
    /// Display of any turn. It also needs memory for the recording, and for the frame and keyframes of its playback.
    Showing,
}

impl MemoryUse {
    /// Returns the bytes that one square needs in a dungeon as dense as the presets, including a reserve for denser
    /// designs and for the text of an output file.
    ///
    /// The peak memory of the process was measured at 10,000 × 10,000 squares, with the character of the preset
    /// `catacombs` and as many Builders per square as in that preset. Printing used 1.4 bytes per square, of which the
    /// grid accounts for 1.25. Display used 21 bytes, most of them for Builders in the frame and in two keyframes.
    pub const fn bytes_per_square(self) -> u64 {
        match self {
            Self::Printing => 8,
            Self::Showing => 24,
        }
    }
}

/// The memory available to a dungeon, and what the dungeon is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Available bytes.
    pub available: u64,
    /// Purpose of the dungeon.
    pub purpose: MemoryUse,
}

/// A design that the engine can grow: its dimensions are valid and fit the machine's memory, and the parameters that
/// control growth are within their ranges. Cheap to clone and to send to a thread.
///
/// Serialized as the design and its resolved vaults; deserialization validates the design again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct ValidDesign {
    design: Arc<Design>,
    #[serde(default)]
    pieces: Arc<[PlacedVault]>,
    /// The resolved vaults without those that are left out of the dungeon.
    #[serde(skip)]
    placed: Arc<[PlacedVault]>,
}

deserialize_checked!(ValidDesign);

impl std::ops::Deref for ValidDesign {
    type Target = Design;

    fn deref(&self) -> &Design {
        &self.design
    }
}

impl ValidDesign {
    /// Returns a design that was validated, with its resolved vaults.
    fn of(design: Arc<Design>, pieces: Arc<[PlacedVault]>) -> Self {
        let (placed, left_out) = standing(&pieces, design.layout.size);
        let placed = if left_out.is_empty() {
            Arc::clone(&pieces)
        } else {
            placed.into_iter().cloned().collect()
        };
        Self { design, pieces, placed }
    }

    /// Validates a deserialized design.
    fn checked(self) -> Result<Self, InvalidDesign> {
        let valid = Self::try_from(&*self.design)?;
        Ok(Self::of(valid.design, self.pieces))
    }

    /// Sets the resolved vaults. Without this call, the dungeon grows without vaults.
    #[must_use]
    pub fn with_pieces(self, pieces: Vec<PlacedVault>) -> Self {
        Self::of(self.design, pieces.into())
    }

    /// Returns a copy with another seed. The copy has no resolved vaults, since they must be resolved for each seed.
    #[must_use]
    pub fn with_seed(&self, seed: u64) -> Self {
        let mut design = Design::clone(&self.design);
        design.seed = seed;
        Self::of(Arc::new(design), Arc::new([]))
    }

    /// Applies `edit` to a copy of the design and validates the result, which keeps the resolved vaults.
    ///
    /// # Errors
    ///
    /// Returns the diagnostics if the changed design is invalid.
    pub fn edited(&self, edit: impl FnOnce(&mut Design)) -> Result<Self, InvalidDesign> {
        let mut design = Design::clone(&self.design);
        edit(&mut design);
        let valid = Self::try_from(&design)?;
        Ok(Self::of(valid.design, Arc::clone(&self.pieces)))
    }

    /// Returns the resolved vaults, including those that are left out of the dungeon; see [`Self::placed`].
    pub fn pieces(&self) -> &[PlacedVault] {
        &self.pieces
    }

    /// Returns the vaults that are in the dungeon: the resolved vaults, except those that overlap an earlier one or
    /// reach past the outer wall.
    pub fn placed(&self) -> &[PlacedVault] {
        &self.placed
    }

    /// Returns the placed vault that occupies a square.
    pub fn vault_at(&self, at: Point) -> Option<&PlacedVault> {
        self.placed.iter().find(|piece| piece.feature(at).is_some())
    }

    /// Returns the feature that a placed vault has on a square; `None` if no placed vault occupies the square.
    pub fn feature(&self, at: Point) -> Option<Feature> {
        self.placed.iter().find_map(|piece| piece.feature(at))
    }
}

/// The result of validating a design.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validated {
    /// The design with clamped values; `None` if any diagnostic is an error.
    pub design: Option<ValidDesign>,
    /// Diagnostics in the order in which the parts of the design were checked.
    pub diagnostics: Vec<Diagnostic>,
}

/// Largest number of bytes that one allocation can have, however much memory the machine has: 2 GiB on a 32-bit
/// machine.
const ADDRESSES: u64 = isize::MAX as u64;

impl Design {
    /// Checks the design. Numbers outside the range of their parameter are clamped. It is an error if the dungeon does
    /// not fit into `memory`. If `memory` is `None`, the available memory is unknown, and only the address space
    /// limits the dungeon.
    pub fn validate(&self, memory: Option<Memory>) -> Validated {
        let mut design = self.clone();
        let mut diagnostics = Vec::new();
        check_size(self.layout.size, memory, &mut diagnostics);
        for entry in self.entries() {
            // Dimensions, named places and expectations have their own checks. Stage one checks positions and room
            // codes; the file readers check limits.
            if matches!(entry, Entry::Generation(_) | Entry::Constants | Entry::Protuberances) {
                clamp_entry(&mut design, entry, &mut diagnostics);
            }
        }
        check_places(&design, &mut diagnostics);
        check_corridors(&design, &mut diagnostics);
        check_expectations(&design, &mut diagnostics);
        let usable = diagnostics.iter().all(|d| d.severity < Severity::Error);
        Validated {
            design: usable.then(|| ValidDesign::of(Arc::new(design), Arc::new([]))),
            diagnostics,
        }
    }
}

/// Validates like [`Design::validate`] without a memory limit. Returns the diagnostics if the design has
/// errors; otherwise, warnings are dropped.
impl TryFrom<&Design> for ValidDesign {
    type Error = InvalidDesign;

    fn try_from(design: &Design) -> Result<Self, InvalidDesign> {
        let Validated { design, diagnostics } = design.validate(None);
        design.ok_or(InvalidDesign { diagnostics })
    }
}

fn check_size(size: Size, memory: Option<Memory>, diagnostics: &mut Vec<Diagnostic>) {
    let before = diagnostics.len();
    let purpose = memory.map_or(MemoryUse::Printing, |memory| memory.purpose);
    let need = |squares: u64| squares.saturating_mul(purpose.bytes_per_square());
    for (dimension, value) in [(Dimension::X, size.x), (Dimension::Y, size.y)] {
        let place = Place::field(Entry::Dimensions, dimension);
        let name = dimension.info().name;
        if value < MIN_DIMENSION {
            diagnostics.push(
                Diagnostic::error(format!(
                    "{name} is {value}; a dungeon needs at least {MIN_DIMENSION} rows and columns"
                ))
                .at(place)
                .help(format!("use a value from {MIN_DIMENSION} to {MAX_DIMENSION}")),
            );
        } else if value > MAX_DIMENSION {
            let squares = i64::from(size.x).max(0) as u64 * i64::from(size.y).max(0) as u64;
            diagnostics.push(
                Diagnostic::error(format!(
                    "{name} is {value}; the maximum is {MAX_DIMENSION} (this dungeon would need {})",
                    bytes(need(squares))
                ))
                .at(place)
                .help(format!("use a value from {MIN_DIMENSION} to {MAX_DIMENSION}")),
            );
        }
    }
    let need = need(size.squares());
    let memory = memory.map_or(u64::MAX, |memory| memory.available).min(ADDRESSES);
    if diagnostics.len() == before && need > memory {
        diagnostics.push(
            Diagnostic::error(format!(
                "a dungeon of {size} squares needs {}, but only {} is available",
                bytes(need),
                bytes(memory)
            ))
            .at(Place::entry(Entry::Dimensions))
            .help("reduce dimX or dimY"),
        );
    }
}

fn clamp_entry(design: &mut Design, entry: Entry, diagnostics: &mut Vec<Diagnostic>) {
    for &parameter in entry.parameters() {
        let Some(value) = design.get(entry, parameter) else {
            continue;
        };
        let info = parameter.info();
        let used = value.clamp(info.min, info.max);
        if used != value {
            design.set(entry, parameter, used);
            let name = match entry {
                Entry::Protuberances => info.name.to_owned(),
                _ => format!("{} of {}", info.name, entry.label()),
            };
            diagnostics.push(
                Diagnostic::warning(format!("{name} is {value}; {used} is used"))
                    .at(Place::field(entry, parameter))
                    .help(format!("use a value from {} to {}", info.min, info.max)),
            );
        }
    }
}

/// Reports corridor widths with which no Crawler could lay a single tile. A Crawler that heads along the shorter
/// dimension needs the least space: in the shorter dimension, the borders, the tile and a corridor ahead of the tile;
/// in the longer dimension, the borders, the tile and a corridor on each side of the tile.
fn check_corridors(design: &Design, diagnostics: &mut Vec<Diagnostic>) {
    let size = design.layout.size;
    let most = (size.x.max(size.y).saturating_sub(3) / 2).min(size.x.min(size.y).saturating_sub(3));
    let widths = (0..GENERATIONS)
        .map(|i| (Entry::Generation(i), Parameter::Stat(Stat::CorridorWidth)))
        .chain([(Entry::Constants, Parameter::Constant(Constant::MinCorrWidth))]);
    for (entry, parameter) in widths {
        let width = design.get(entry, parameter).unwrap_or(0);
        if size.x.min(size.y) >= MIN_DIMENSION && width > most {
            let name = parameter.info().name;
            diagnostics.push(
                Diagnostic::warning(format!(
                    "{name} of {} is {width}; a dungeon of {size} squares has no room for such corridors",
                    entry.label()
                ))
                .at(Place::field(entry, parameter))
                .help(format!("use a value of at most {most}")),
            );
        }
    }
}

/// Reports each named place whose name is invalid, or that refers to a room, vault or square that does not exist. No
/// expectation can use an invalid name.
fn check_places(design: &Design, diagnostics: &mut Vec<Diagnostic>) {
    let layout = &design.layout;
    for (index, place) in layout.places.iter().enumerate() {
        let entry = Entry::NamedPlace(index);
        let mut report = |message: String, field: Field, help: &str| {
            let message = format!("{}: {message}", entry.label());
            diagnostics.push(Diagnostic::warning(message).at(Place::field(entry, field)).help(help));
        };
        if PlaceName::new(&place.name).is_none() {
            report(
                format!("`{}` is not a valid name", place.name),
                EntryText::Name.into(),
                "begin with a letter; use only letters, digits, spaces and hyphens, at most 32 bytes",
            );
        }
        let exists = |number: i32, count: usize| usize::try_from(number).is_ok_and(|number| number <= count);
        if !exists(place.room, layout.rooms.len()) {
            report(
                format!("there is no room {}", place.room),
                PlaceField::Room.into(),
                "use the number of a room, or 0 for none",
            );
        } else if !exists(place.vault, layout.vaults.len()) {
            report(
                format!("there is no vault {}", place.vault),
                PlaceField::Vault.into(),
                "use the number of a vault, or 0 for none",
            );
        } else if (place.room, place.vault) == (0, 0) && !layout.size.contains(place.at) {
            report(
                format!("{} is outside the dungeon", place.at),
                PlaceField::X.into(),
                "move it into the dungeon",
            );
        }
    }
}

/// Reports an error if there are too many expectations. Otherwise, reports each expectation that cannot be parsed or
/// that names a room, vault or place which the design lacks.
fn check_expectations(design: &Design, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(error) = expect::too_many(design.expect.that.len()) {
        diagnostics.push(error);
        return;
    }
    for (index, text) in design.expect.that.iter().enumerate() {
        for problem in expect::problems(text, design) {
            diagnostics.push(problem.about(index));
        }
    }
}

/// Formats a number of bytes with its unit: `1.5 GiB`.
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
        assert!(huge[0].message.contains("TiB"), "{}", huge[0]);
    }

    #[test]
    fn a_vault_that_is_left_out_occupies_no_square() {
        let piece = |vault, x, y| PlacedVault {
            vault,
            name: "hall".into(),
            at: Point::new(x, y),
            size: Size::new(2, 2),
            squares: vec![Feature::by_name("deep_water"); 4],
            exits: Vec::new(),
            contents: Vec::new(),
        };
        // The second vault overlaps the first; the third reaches past the outer wall of the smaller dungeon.
        let pieces = vec![piece(0, 3, 3), piece(1, 4, 4), piece(2, 30, 3)];
        let valid = ValidDesign::try_from(&sized(40, 20)).unwrap().with_pieces(pieces);
        let numbers = |valid: &ValidDesign| valid.placed().iter().map(|piece| piece.vault).collect::<Vec<_>>();
        let [shared, alone, far] = [(4, 4), (5, 5), (30, 3)].map(|(x, y)| Point::new(x, y));
        assert_eq!(numbers(&valid), [0, 2]);
        assert_eq!(valid.vault_at(shared).map(|piece| piece.vault), Some(0));
        assert_eq!((valid.vault_at(alone), valid.feature(alone)), (None, None));
        assert_eq!(valid.feature(far), Feature::by_name("deep_water"));
        let smaller = valid.edited(|design| design.layout.size.x = 30).unwrap();
        assert_eq!((numbers(&smaller), smaller.feature(far)), (vec![0], None));
        assert_eq!(smaller.pieces(), valid.pieces());
        let text = serde_json::to_string(&valid).unwrap();
        assert_eq!(serde_json::from_str::<ValidDesign>(&text).unwrap(), valid);
    }

    #[test]
    fn a_dungeon_larger_than_the_memory_is_refused_with_its_size() {
        let memory = |available, purpose| Some(Memory { available, purpose });
        for (purpose, need) in [(MemoryUse::Printing, "762.9 MiB"), (MemoryUse::Showing, "2.2 GiB")] {
            let checked = sized(10_000, 10_000).validate(memory(500 << 20, purpose));
            assert_eq!(checked.design, None);
            assert!(
                checked.diagnostics[0].message.contains(need),
                "{}",
                checked.diagnostics[0]
            );
            let fits = sized(1000, 1000).validate(memory(100 << 20, purpose));
            assert!(fits.design.is_some(), "{purpose:?}");
        }
    }

    /// On a 32-bit machine, an allocation larger than the address space would abort the program, however much memory
    /// the machine has.
    #[test]
    #[cfg(target_pointer_width = "32")]
    fn a_dungeon_larger_than_the_address_space_is_refused() {
        let plenty = Memory {
            available: 64 << 30,
            purpose: MemoryUse::Printing,
        };
        for memory in [None, Some(plenty)] {
            assert_eq!(sized(MAX_DIMENSION, MAX_DIMENSION).validate(memory).design, None);
            assert!(sized(10_000, 10_000).validate(memory).design.is_some());
        }
    }

    #[test]
    fn numbers_out_of_range_are_clamped_and_reported() {
        let mut design = Design::default();
        design.character.generations[3].change_dir_prob = 170;
        design.constants.max_crawlers = -1;
        let checked = design.validate(None);
        let valid = checked.design.expect("usable");
        assert_eq!(valid.character.generations[3].change_dir_prob, 100);
        assert_eq!(valid.constants.max_crawlers, 0);
        assert_eq!(checked.diagnostics.len(), 2);
        assert_eq!(
            checked.diagnostics[0].place,
            Some(Place::field(Entry::Generation(3), Stat::ChangeDirProb))
        );
    }

    #[test]
    fn corridors_too_wide_for_the_dungeon_are_reported() {
        let mut design = sized(40, 61);
        assert_eq!(design.validate(None).diagnostics, []);
        // The longer side of 61 squares has room for a corridor of 29, the tile and a corridor of 29 between its
        // borders.
        design.character.generations[2].corridor_width = 29;
        assert_eq!(design.validate(None).diagnostics, []);
        design.character.generations[2].corridor_width = 30;
        let said = design.validate(None);
        assert!(said.design.is_some());
        assert_eq!(said.diagnostics.len(), 1);
        assert_eq!(
            said.diagnostics[0].place,
            Some(Place::field(Entry::Generation(2), Stat::CorridorWidth))
        );
        assert_eq!(
            said.diagnostics[0].message,
            "CorridorWidth of generation 2 is 30; a dungeon of 40 × 61 squares has no room for such corridors"
        );
        assert_eq!(said.diagnostics[0].help, "use a value of at most 29");
        // The shorter side of 20 squares has room for the tile and one corridor of 17 between its borders.
        assert_eq!(sized(20, 500).with_corridors(17), 0);
        assert_eq!(sized(20, 500).with_corridors(18), 1);
        // The constant widens the corridors of all generations, but it is reported only once.
        design.constants.min_corr_width = 30;
        let said = design.validate(None).diagnostics;
        assert_eq!(said.len(), 2, "{said:?}");
        assert_eq!(
            said[1].place,
            Some(Place::field(Entry::Constants, Constant::MinCorrWidth))
        );
    }

    impl Design {
        /// Sets the corridor width of generation 0, and returns the number of diagnostics.
        fn with_corridors(mut self, squares: i32) -> usize {
            self.character.generations[0].corridor_width = squares;
            self.validate(None).diagnostics.len()
        }
    }
}
