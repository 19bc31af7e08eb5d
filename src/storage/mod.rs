//! Reading and atomic writing of files, and how a design is stored in them.
//!
//! Handles paths and bytes; the text formats interpret the bytes. `disk` reads whole files, `draft` writes them and
//! gives them the `attributes` of the ones that they replace, `sink` writes to the target of a path, `loaded` combines
//! the files that were read into a design, `designs` reads and saves the files of a design, `folders` names the
//! program's own folders, `autosave` keeps unsaved work there, `backup` keeps the previous version of a file;
//! `companion_files` groups files that belong together, `folder` lists designs, `recent` keeps the list of recently
//! opened designs, `recordings` reads recordings.

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
pub use companion_files::DesignFiles;
pub use disk::{MAX_BYTES, MAX_TOML_BYTES, StorageError, read, read_ends};
pub use draft::{Draft, check_folder, sweep, write_all, write_atomic, written_but};
pub use folders::Folders;
pub use loaded::LoadedDesign;
pub use recordings::{MAX_RECORDING_FILE_BYTES, RecordingFileError, is_recording, read_recording};
pub use sink::{Sink, SinkKind, is_same_file};
