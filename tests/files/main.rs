//! Designs as files: the formats, serde, and the messages for bad files.

#[cfg(feature = "terminal")]
mod bad;
#[path = "../common/mod.rs"]
mod common;
mod formats;
mod native;
#[cfg(all(feature = "export", feature = "import", feature = "vaults"))]
mod serialized;
