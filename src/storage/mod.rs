//! Reads files, writes them atomically, and stores designs in them.
//!
//! This module handles paths and bytes; the module `format` interprets the bytes. `disk` reads whole files; `draft`
//! writes files; `attributes` gives a written file the attributes of the file that it replaces; `sink` writes to the
//! target of a path, which may also be a device or a pipe; `loaded` makes a design from the files that were read;
//! `designs` loads and saves the files of a design; `folders` computes the paths of the program's own folders;
//! `autosave` saves unsaved work in one of them; `backup` keeps the previous version of a file; `companion_files`
//! groups files that belong together; `level_files` changes the names of level files in a design that moves to another
//! folder; `folder` lists the designs in a folder; `recent` stores the list of recently opened designs; `recordings`
//! reads recordings. The feature `files` enables only `disk`, `draft`, `attributes` and `sink`.

mod attributes;
#[cfg(feature = "terminal")]
mod autosave;
#[cfg(feature = "terminal")]
mod backup;
#[cfg(feature = "terminal")]
pub mod companion_files;
#[cfg(feature = "terminal")]
mod designs;
mod disk;
mod draft;
#[cfg(feature = "terminal")]
pub mod folder;
#[cfg(feature = "terminal")]
mod folders;
#[cfg(feature = "terminal")]
mod level_files;
#[cfg(feature = "terminal")]
mod loaded;
#[cfg(feature = "terminal")]
pub mod recent;
#[cfg(feature = "terminal")]
mod recordings;
mod sink;

#[cfg(feature = "terminal")]
pub use autosave::{AutosaveSlot, RecoverableWork, Unsaved, UnsavedOrigin, leftovers};
#[cfg(feature = "terminal")]
pub use backup::Backups;
#[cfg(feature = "terminal")]
pub use companion_files::DesignFiles;
#[cfg(feature = "terminal")]
pub use designs::toml_text;
pub use disk::{
    MAX_BYTES, MAX_RECORDING_FILE_BYTES, MAX_TOML_BYTES, STDIN, StorageError, input_name, input_stem, is_stream, read,
    read_ends, read_head,
};
pub use draft::{Draft, check_folder, folder_of, sweep, write_all, write_atomic, written_but};
#[cfg(feature = "terminal")]
pub use folders::Folders;
#[cfg(feature = "terminal")]
pub use level_files::{MovedLevelFiles, move_level_files};
#[cfg(feature = "terminal")]
pub use loaded::LoadedDesign;
#[cfg(feature = "terminal")]
pub use recordings::{RecordingFileError, is_recording, read_recording};
pub use sink::{Sink, SinkKind, is_same_file, is_same_path};
