//! Deferred destruction of large values, which would block the screen if dropped at once.

use super::run_playback::RunPlayback;
use crate::recording::TileOrigins;

/// A value that is dropped in small parts.
#[derive(Debug)]
pub(in crate::tui) enum DeferredDrop {
    Film(Box<RunPlayback>),
    Origins(TileOrigins),
}

impl DeferredDrop {
    /// Wraps a playback that was shown.
    pub(in crate::tui) fn of(film: RunPlayback) -> Self {
        Self::Film(Box::new(film))
    }

    /// Drops a small part. Returns whether anything is left.
    pub(in crate::tui) fn dismantle(&mut self) -> bool {
        match self {
            Self::Film(film) => film.dismantle(),
            Self::Origins(origins) => origins.dismantle(),
        }
    }
}
