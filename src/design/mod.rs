//! The design: constants, layout, character and seed, as plain data.
//!
//! A [`Design`] contains the data that design files store and that the panels edit. It may contain any mistake that a
//! user can make. [`Design::validate`] reports the mistakes and, if none is an error, returns the [`ValidDesign`] that
//! the engine requires. The module [`fields`] is the only table of the parameters' names, meanings, ranges and
//! defaults; parsers, panels, help and documentation read it. The module `design` does not depend on files, text
//! formats or growth.

mod build;
mod checked;
mod codes;
mod diagnostic;
pub mod expect;
pub mod feature;
pub mod fields;
mod model;
mod place;
mod placed_vault;
mod renumber;
mod rule;
mod validate;

pub(crate) use checked::deserialize_checked;
pub use codes::{SiteCode, SitePlace};
pub use diagnostic::{Diagnostic, Excerpt, InvalidDesign, Severity, SourcePosition};
pub use expect::Expectations;
pub use feature::Feature;
pub use fields::{
    Constant, Constants, CrawlerField, Dimension, EntryText, Field, FieldInfo, Generation, Limit, Limits, OuterWall,
    Parameter, PlaceField, RoomField, SquareField, Stat, VaultField,
};
pub use model::{
    Character, CrawlerStart, Design, GENERATIONS, Layout, NamedPlace, ORIENTATIONS, Room, Site, VaultEntry, sites,
    style,
};
pub use place::{Entry, List, Place};
pub use placed_vault::{ContentKind, PlacedVault, PlacementError, VaultContent, standing, way_out};
pub use rule::{ApplyError, ReplacedValue, Rule, RuleChange, RuleError, RuleTarget};
pub use validate::{MAX_DIMENSION, MIN_DIMENSION, Memory, MemoryUse, ValidDesign, Validated};
