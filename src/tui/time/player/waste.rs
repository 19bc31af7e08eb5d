//! What nobody looks at any more: to drop something large at once would keep the screen waiting.

use crate::recording::Origins;
use crate::tui::time::film::Film;

/// What is taken apart, a little at a time.
#[derive(Debug)]
pub(super) enum Waste {
    Film(Box<Film>),
    Origins(Origins),
}

impl Waste {
    /// A film that was shown.
    pub(super) fn of(film: Film) -> Self {
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
