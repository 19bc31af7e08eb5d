//! Writes exports to files, atomically: either the whole file is written, or nothing.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::{ExportReport, name_of};
use crate::export::{self, DungeonView, ExportError, ExportKind, ExportOptions, ProgressCallback};
use crate::storage::{Draft, Sink, SinkKind, StorageError};

/// Size of the write buffer in bytes.
const BUFFER: usize = 1 << 16;

/// Exports a dungeon to a file, and to a companion file if the kind has one. Files are replaced atomically; devices
/// and pipes are written directly.
///
/// # Errors
///
/// Fails for the same reasons as [`write_export_into`], and if `to` is this program's standard output.
pub fn write_export(
    kind: ExportKind,
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    to: &Path,
    watch: &mut ProgressCallback<'_>,
) -> Result<ExportReport, ExportError> {
    let sink_kind = SinkKind::of(to);
    if sink_kind == SinkKind::Stdout {
        let why = format!("{} is the terminal of this program; choose a file", to.display());
        return Err(ExportError::Cannot(why));
    }
    let sink = Sink::open(to, sink_kind).map_err(export_error)?;
    write_export_into(kind, dungeon, options, to, sink, watch)
}

/// Exports a dungeon to the open `sink`. Names written into the file, and the name of its companion file, are derived
/// from `to`.
///
/// # Errors
///
/// Fails if a file or a stream cannot be written, if `watch` interrupts the export, if the kind cannot represent the
/// dungeon with these options, or if the kind needs a companion file but `sink` is not a [`Sink::Draft`].
pub fn write_export_into(
    kind: ExportKind,
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    to: &Path,
    sink: Sink,
    watch: &mut ProgressCallback<'_>,
) -> Result<ExportReport, ExportError> {
    let name = name_of(to);
    let mut second = None;
    if let Some((name, bytes)) = export::beside(kind, dungeon, options, name)? {
        if !matches!(sink, Sink::Draft(_)) {
            return Err(ExportError::Cannot(needs_file(kind)));
        }
        let path = to.with_file_name(name);
        let mut draft = Draft::new(&path).map_err(export_error)?;
        draft.write_all(&bytes)?;
        second = Some((path, bytes.len() as u64, draft));
    }
    let mut out = BufWriter::with_capacity(BUFFER, Counter::new(sink));
    export::write(kind, dungeon, options, name, &mut out, watch)?;
    let Counter { inner: sink, bytes } = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    // This is the last chance to interrupt the export before a file is replaced.
    if watch(1, 1).is_break() {
        return Err(ExportError::Interrupted);
    }
    // The main file refers to its companion, so the main file is committed last.
    let mut warnings: Vec<String> = export::warning(kind, dungeon).into_iter().collect();
    let mut beside = None;
    if let Some((path, bytes, draft)) = second {
        warnings.extend(draft.commit().map_err(export_error)?);
        beside = Some((path, bytes));
    }
    warnings.extend(sink.commit().map_err(export_error)?);
    Ok(ExportReport {
        path: to.to_owned(),
        bytes,
        beside,
        warning: (!warnings.is_empty()).then(|| warnings.join("; ")),
    })
}

/// Returns the error message for a kind that cannot be written to a stream because it needs a companion file.
pub fn needs_file(kind: ExportKind) -> String {
    format!(
        "{} needs a companion file, so the destination must be a regular file",
        kind.name()
    )
}

fn export_error(error: StorageError) -> ExportError {
    match error {
        StorageError::Io(error) => ExportError::Io(error),
        other => ExportError::Io(io::Error::other(other.to_string())),
    }
}

/// A writer that counts the bytes that are written to `inner`.
pub(super) struct Counter<W> {
    pub(super) inner: W,
    pub(super) bytes: u64,
}

impl<W> Counter<W> {
    pub(super) const fn new(inner: W) -> Self {
        Self { inner, bytes: 0 }
    }
}

impl<W: Write> Write for Counter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
