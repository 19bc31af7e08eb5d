//! Where commands write: results to standard output, complaints to standard error.

use std::io::{self, BufWriter, Stdout, Write};

use super::UNREADABLE;
use crate::design::{Diagnostic, Severity};

/// Standard output, buffered, and standard error.
///
/// Errors of writing are kept until the end, so that commands need not ask after every line. When the
/// reader of a pipe is gone the rest is dropped without a word, as other programs of the shell do.
pub(super) struct Output {
    out: BufWriter<Stdout>,
    error: Option<io::Error>,
}

impl Output {
    pub(super) fn new() -> Self {
        Self {
            out: BufWriter::with_capacity(1 << 16, io::stdout()),
            error: None,
        }
    }

    /// Writes to standard output.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.error = self.out.write_all(bytes).err();
        }
    }

    /// Writes a line to standard output.
    pub(super) fn line(&mut self, line: &str) {
        self.bytes(line.as_bytes());
        self.bytes(b"\n");
    }

    /// Whether nobody reads standard output any more, or it failed.
    pub(super) fn is_closed(&self) -> bool {
        self.error.is_some()
    }

    /// Writes a complaint to standard error, which may be closed as well.
    pub(super) fn complain(&mut self, message: &str) {
        // What is on its way to standard output was said before.
        let _ = self.out.flush();
        let _ = writeln!(io::stderr(), "wallcrawler: {message}");
    }

    /// Writes a line to standard error that is no complaint.
    pub(super) fn note(&mut self, line: &str) {
        let _ = self.out.flush();
        let _ = writeln!(io::stderr(), "{line}");
    }

    /// Writes diagnostics to standard error, notes left out.
    pub(super) fn complain_of(&mut self, diagnostics: &[Diagnostic]) {
        let _ = self.out.flush();
        let mut err = BufWriter::new(io::stderr().lock());
        for diagnostic in diagnostics.iter().filter(|d| d.severity > Severity::Note) {
            if writeln!(err, "{diagnostic}").is_err() {
                return;
            }
        }
    }

    /// Ends the output; the exit status when it could not be written.
    pub(super) fn finish(mut self) -> Option<u8> {
        let error = self.error.take().or_else(|| self.out.flush().err())?;
        if error.kind() == io::ErrorKind::BrokenPipe {
            return None;
        }
        let _ = writeln!(io::stderr(), "wallcrawler: cannot write to standard output: {error}");
        Some(UNREADABLE)
    }
}
