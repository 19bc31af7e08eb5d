//! The failure of a command: its exit status, and the diagnostics that explain it.

use std::fmt;

use super::output::Output;
use super::{UNREADABLE, UNUSABLE};
use crate::design::Diagnostic;
use crate::storage::{RecordingFileError, StorageError};
use crate::vault::lua::LuaFailure;

/// The reason why a command cannot continue.
#[derive(Debug)]
pub(super) struct Failure {
    status: u8,
    diagnostics: Vec<Diagnostic>,
}

impl Failure {
    /// Creates a failure with an exit status and the diagnostics that explain it.
    pub(super) const fn new(status: u8, diagnostics: Vec<Diagnostic>) -> Self {
        Self { status, diagnostics }
    }

    /// Creates a failure with exit status 2, caused by a file or the command line.
    pub(super) fn unreadable(message: impl fmt::Display) -> Self {
        Self::new(UNREADABLE, vec![Diagnostic::error(message.to_string())])
    }

    /// Creates a failure with exit status 1, caused by a design or a map that cannot be used.
    pub(super) fn unusable(message: impl fmt::Display) -> Self {
        Self::new(UNUSABLE, vec![Diagnostic::error(message.to_string())])
    }

    /// Creates a failure that prints no diagnostics; it was already reported, or needs no message.
    pub(super) const fn reported(status: u8) -> Self {
        Self::new(status, Vec::new())
    }

    /// Returns the exit status.
    pub(super) const fn status(&self) -> u8 {
        self.status
    }

    /// Returns the diagnostics that explain the failure.
    pub(super) fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Reports the failure; returns the exit status.
    pub(super) fn report(&self, output: &mut Output) -> u8 {
        output.report_all(&self.diagnostics);
        self.status
    }
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::NotCarried(diagnostics) => Self::new(UNUSABLE, diagnostics),
            error @ StorageError::TooLong { .. } => Self::unusable(error),
            error => Self::unreadable(error),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::unreadable(error)
    }
}

impl From<RecordingFileError> for Failure {
    fn from(error: RecordingFileError) -> Self {
        let status = if error.is_unreadable() { UNREADABLE } else { UNUSABLE };
        Self::new(status, vec![Diagnostic::error(error.to_string())])
    }
}

impl From<LuaFailure> for Failure {
    fn from(failure: LuaFailure) -> Self {
        Self::unusable(failure)
    }
}
