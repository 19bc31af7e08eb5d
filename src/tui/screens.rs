//! The stack of full screens that cover the workspace.

use super::commands::{Action, BrowserCommand, CompareCommand, SeedGalleryCommand};

/// A full screen that covers the workspace; its state is kept while it is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Screen {
    /// The vault browser.
    Vaults,
    /// The seed gallery.
    Gallery,
    /// The comparison.
    Compare,
}

impl Screen {
    /// Returns the action that closes the screen.
    pub(super) const fn close(self) -> Action {
        match self {
            Self::Vaults => Action::Vaults(BrowserCommand::Close),
            Self::Gallery => Action::Gallery(SeedGalleryCommand::Close),
            Self::Compare => Action::Compare(CompareCommand::Close),
        }
    }
}

/// The open full screens, from the bottom to the top.
#[derive(Debug, Default)]
pub(super) struct Screens(Vec<Screen>);

impl Screens {
    /// Returns the topmost full screen.
    pub(super) fn top(&self) -> Option<Screen> {
        self.0.last().copied()
    }

    /// Returns the actions that close all open full screens, the topmost first.
    pub(super) fn close(&self) -> Vec<Action> {
        self.0.iter().rev().map(|screen| screen.close()).collect()
    }

    /// Opens a full screen above the others, or closes it.
    pub(super) fn set(&mut self, screen: Screen, is_open: bool) {
        if is_open != self.0.contains(&screen) {
            self.0.retain(|other| *other != screen);
            self.0.extend(is_open.then_some(screen));
        }
    }
}
