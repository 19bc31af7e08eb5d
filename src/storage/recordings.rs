//! Recognizes and reads recording files.

use std::path::{Path, PathBuf};

use super::DesignFiles;
use super::disk::{MAX_RECORDING_FILE_BYTES, StorageError, input_name, read_at_most, read_head};
use crate::design::Memory;
use crate::recording_file::{self, ENDING, RecordingFile};

/// The reason why a recording could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum RecordingFileError {
    /// The file could not be read.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The content of the file cannot be used.
    #[error("{}: {error}", input_name(path))]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Reason why the content cannot be used.
        error: recording_file::ReadError,
    },
}

impl RecordingFileError {
    /// Returns whether the file itself cannot be read; `false` if only the design in the file cannot be used.
    pub const fn is_unreadable(&self) -> bool {
        let Self::File { error, .. } = self else { return true };
        !matches!(error, recording_file::ReadError::Design(_))
    }
}

impl DesignFiles {
    /// Returns the path of the recording that contains the design, if the design is in a recording.
    pub fn recording_file(&self) -> Option<&Path> {
        match self {
            Self::Toml(path) if is_recording(path) => Some(path),
            _ => None,
        }
    }
}

/// Returns whether the extension or the first bytes of a file identify it as a recording.
pub fn is_recording(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    if ending.is_some_and(|ending| ending.eq_ignore_ascii_case(ENDING)) {
        return true;
    }
    read_head(path, 4).is_ok_and(|begin| recording_file::is_recording(&begin))
}

/// Reads a recording; `memory` limits the memory of its dungeon.
///
/// # Errors
///
/// Fails if the file cannot be read, or is not a recording that this program can use.
pub fn read_recording(path: &Path, memory: Option<Memory>) -> Result<RecordingFile, RecordingFileError> {
    let bytes = read_at_most(path, MAX_RECORDING_FILE_BYTES)?;
    RecordingFile::read(&bytes, memory).map_err(|error| RecordingFileError::File {
        path: path.to_owned(),
        error,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn recordings_are_recognized_by_extension_and_by_their_first_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        assert!(is_recording(&file("a.WCR", b"")));
        assert!(is_recording(&file("b", b"\x89WCR\r\n")));
        assert!(!is_recording(&file("c.toml", b"seed = 7")));
        assert!(!is_recording(folder.path()) && !is_recording(Path::new("no/such/file")));
        let error = read_recording(&file("d.wcr", b"seed = 7"), None).unwrap_err();
        assert!(
            error.to_string().contains("d.wcr: this is not a Wallcrawler recording"),
            "{error}"
        );
        let error = read_recording(Path::new("no/such/file.wcr"), None).unwrap_err();
        assert!(error.to_string().contains("cannot read"), "{error}");
    }
}
