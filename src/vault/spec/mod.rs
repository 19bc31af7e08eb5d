//! The grammars of what stands behind the headers of a map, as plain values.
//!
//! Each file parses one family of header values from its text and says what they mean; nothing here
//! draws chances on its own account, touches a grid or knows of Lua.

mod branch;
mod depth;
mod orient;

pub use branch::Branch;
pub use depth::{ByDepth, CERTAIN, DEFAULT_WEIGHT, Level, Range, Ranges, chance, numbers_by_depth, weight};
pub use orient::{LEVEL_SIZE, Orient};

/// A header's value cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}: '{text}'")]
pub struct SpecError {
    /// What is wrong, without a full stop.
    pub message: String,
    /// The offending text.
    pub text: String,
}

impl SpecError {
    /// What is wrong with which text.
    pub fn new(message: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            text: text.into(),
        }
    }
}
