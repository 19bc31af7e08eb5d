//! What nobody looks at any more: to drop something large at once would keep the screen waiting.

use crate::recording::TileOrigins;
use crate::tui::time::run_playback::RunPlayback;

/// What is taken apart, a little at a time.
#[derive(Debug)]
pub(super) enum DeferredDrop {
    Film(Box<RunPlayback>),
    Origins(TileOrigins),
}

impl DeferredDrop {
    /// A film that was shown.
    pub(super) fn of(film: RunPlayback) -> Self {
        Self::Film(Box::new(film))
    }

    /// Takes a little of it apart; whether anything is left.
    pub(super) fn dismantle(&mut self) -> bool {
        match self {
            Self::Film(film) => film.dismantle(),
            Self::Origins(origins) => origins.dismantle(),
        }
    }
}
