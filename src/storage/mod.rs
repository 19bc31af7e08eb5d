//! Reading and atomic writing of files, and how a design is kept in them.
//!
//! Knows paths and bytes; the text formats know what the bytes mean. `disk` reads whole files, `draft` writes them
//! and gives them the `attributes` of the ones that they replace, `sink` writes to whatever a path leads to,
//! `loaded` makes a design of what was read, `designs` says which files a design is kept in and saves it,
//! `folders` says where the program keeps what is its own, `autosave` keeps unsaved work there, `backup` the version
//! before a file's; `pairs` knows which files belong together, `folder` lists designs, `recent` remembers those that were
//! opened last, `reels` reads recordings.

mod attributes;
mod autosave;
mod backup;
pub mod companion_files;
mod designs;
mod disk;
mod draft;
pub mod folder;
mod folders;
mod loaded;
pub mod recent;
mod recordings;
mod sink;

pub use autosave::{AutosaveSlot, RecoverableWork, Unsaved, UnsavedOrigin, leftovers};
pub use backup::Backups;
pub use designs::DesignFiles;
pub use disk::{MAX_BYTES, MAX_TOML_BYTES, StorageError, read, read_ends};
pub use draft::{Draft, sweep, write_all, write_atomic, written_but};
pub use folders::Folders;
pub use loaded::{LoadedDesign, digest};
pub use recordings::{MAX_REEL_BYTES, RecordingFileError, is_reel, read_reel};
pub use sink::{Sink, SinkKind, is_same_file};
