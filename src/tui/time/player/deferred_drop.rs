//! Deferred destruction of large values, which would block the screen if dropped at once.

use crate::recording::TileOrigins;
use crate::tui::time::run_playback::RunPlayback;

/// A value that is dropped in small parts.
#[derive(Debug)]
pub(super) enum DeferredDrop {
    Film(Box<RunPlayback>),
    Origins(TileOrigins),
}

impl DeferredDrop {
    /// Wraps a playback that was shown.
    pub(super) fn of(film: RunPlayback) -> Self {
        Self::Film(Box::new(film))
    }

    /// Drops a small part. Returns whether anything is left.
    pub(super) fn dismantle(&mut self) -> bool {
        match self {
            Self::Film(film) => film.dismantle(),
            Self::Origins(origins) => origins.dismantle(),
        }
    }
}
