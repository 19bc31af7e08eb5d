//! Parsers for the values of map headers.
//!
//! Each submodule parses one family of header values; nothing here uses a grid or Lua, and random draws use only dice
//! that the caller passes.

mod branch;
mod depth;
mod keyed;
mod kfeat;
mod marker;
mod mask;
mod orient;
mod overlay;
mod replace;
mod subvault;
mod things;
mod weighted;

use serde::{Deserialize, Serialize};

use crate::text::with_suggestion;

pub use branch::Branch;
pub use depth::{ByDepth, CERTAIN, DEFAULT_WEIGHT, Level, Range, Ranges, chance, numbers_by_depth, weight};
pub use keyed::{Keyed, Keys, items};
pub use kfeat::{Choice, Kfeat, What, feature};
pub use marker::{MarkerKind, MarkerSpec};
pub use mask::{Kmask, Kprop, MASKS, MASKS_AS_TAGS, Marks, PROPS};
pub use orient::{LEVEL_SIZE, Orient};
pub use overlay::Overlay;
pub use replace::{Count, GlyphChoice, Nsubst, Segment, Shuffle, Subst};
pub use subvault::SubvaultSpec;
pub use things::{KeyedThings, Thing, things};
pub use weighted::{WEIGHT, Weighted, take_weight};

/// The error of a header value that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}: `{text}`")]
pub struct SpecError {
    /// Message, without a full stop.
    pub message: String,
    /// Offending text.
    pub text: String,
}

impl SpecError {
    /// Creates an error with its offending text.
    pub fn new(message: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            text: text.into(),
        }
    }

    /// Creates an error for an unknown name; the message suggests a similar one.
    pub(crate) fn unknown<'a>(message: &str, name: &str, names: impl IntoIterator<Item = &'a str>) -> Self {
        Self::new(with_suggestion(message, name, names), name)
    }
}

/// Converts a file's bytes to trimmed text, replacing invalid UTF-8.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}
