//! Reads and writes files, and creates the exceptions for files that cannot be written.

use std::io::{self, Write as _};
use std::path::Path;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wallcrawler::storage::{Sink, SinkKind, StorageError, written_but};

use crate::warn;

/// Reads a file with Python's own functions, because Ctrl+C can interrupt them while they wait for data from a pipe.
pub(crate) fn read(py: Python<'_>, path: &Path) -> PyResult<Vec<u8>> {
    let file = py.import("io")?.call_method1("open", (path.as_os_str(), "rb"))?;
    let bytes = file.call_method0("read");
    file.call_method0("close")?;
    Ok(bytes?.cast::<PyBytes>()?.as_bytes().to_vec())
}

/// Writes files, as the program does: links are followed, a file is replaced only when all are written, and it keeps its
/// attributes. Devices and pipes are written directly. Warns about attributes that could not be kept.
pub(crate) fn write(py: Python<'_>, files: &[(&Path, &[u8])]) -> PyResult<()> {
    let written = py.detach(|| {
        let mut sinks = Vec::new();
        for &(path, bytes) in files {
            let sink = Sink::open(path, SinkKind::of(path)).and_then(|mut sink| {
                sink.write_all(bytes)?;
                Ok(sink)
            });
            sinks.push((path, sink.map_err(|error| (path, error))?));
        }
        let mut lost = Vec::new();
        for (path, sink) in sinks {
            let name = path.display().to_string();
            let all = sink.commit().map_err(|error| (path, error))?;
            lost.extend(all.iter().map(|lost| written_but(&name, lost)));
        }
        Ok(lost)
    });
    let lost = written.map_err(|(path, error)| storage_error(py, &error, path))?;
    lost.iter().try_for_each(|lost| warn(py, lost, 1))
}

/// Returns the exception for a file that was not written.
fn storage_error(py: Python<'_>, error: &StorageError, path: &Path) -> PyErr {
    let kind = match error {
        StorageError::Io(error) => return os_error(py, error, path),
        // `NoFile` means a folder, a device or a pipe. Writing to a device or a pipe never causes this error, so the
        // path is that of a folder.
        StorageError::NoFile { .. } => io::ErrorKind::IsADirectory,
        StorageError::ReadOnly { .. } => io::ErrorKind::PermissionDenied,
        _ => io::ErrorKind::Other,
    };
    os_error(py, &io::Error::new(kind, error.to_string()), path)
}

/// Returns the exception for a file, with the attributes `errno`, `strerror` and `filename`. The error number
/// determines the class of the exception, such as `FileNotFoundError`.
fn os_error(py: Python<'_>, error: &io::Error, path: &Path) -> PyErr {
    made(py, error, path).unwrap_or_else(|error| error)
}

fn made(py: Python<'_>, error: &io::Error, path: &Path) -> PyResult<PyErr> {
    let (number, message) = match error.raw_os_error() {
        Some(number) if cfg!(unix) => {
            let message: String = py.import("os")?.call_method1("strerror", (number,))?.extract()?;
            (number, message)
        }
        _ => {
            let number = py.import("errno")?.getattr(number_of(error.kind()))?.extract()?;
            (number, error.to_string())
        }
    };
    let class = py.get_type::<PyOSError>();
    Ok(PyErr::from_value(class.call1((number, message, path.as_os_str()))?))
}

/// Returns the name, in Python's module `errno`, of the number of an error.
const fn number_of(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::NotFound => "ENOENT",
        io::ErrorKind::PermissionDenied => "EACCES",
        io::ErrorKind::AlreadyExists => "EEXIST",
        io::ErrorKind::NotADirectory => "ENOTDIR",
        io::ErrorKind::IsADirectory => "EISDIR",
        io::ErrorKind::ReadOnlyFilesystem => "EROFS",
        io::ErrorKind::StorageFull => "ENOSPC",
        io::ErrorKind::FileTooLarge => "EFBIG",
        io::ErrorKind::BrokenPipe => "EPIPE",
        io::ErrorKind::InvalidInput => "EINVAL",
        _ => "EIO",
    }
}
