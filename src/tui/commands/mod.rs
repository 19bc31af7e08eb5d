//! Actions of the designer with the commands of its parts, and the effects that it requests from the services.
//!
//! Keys, the mouse, the palette and buttons all become an [`Action`]; an [`Effect`] is a request to the services outside
//! the designer. Both are plain data that import no part: the shell (`app`, `input`) passes each command to its part.

mod compare;
mod dialogs;
mod files;
mod map;
mod metrics;
mod panels;
mod player;
mod seed_gallery;
mod time;
mod tools;
mod tuning;
mod vault_browser;
mod views;
mod walk;

use std::path::PathBuf;
use std::sync::Arc;

pub(in crate::tui) use self::compare::CompareCommand;
pub(in crate::tui) use self::dialogs::{Answer, DesignPart, DialogCommand};
pub(in crate::tui) use self::files::{ExportCommand, FileCommand, ImportCommand};
pub(in crate::tui) use self::map::{ColourMode, LegendCommand, MapCommand};
pub(in crate::tui) use self::metrics::{Endpoint, MetricsCommand};
pub(in crate::tui) use self::panels::{CopyTo, EntryCommand, PanelCommand, VariationCommand};
pub(in crate::tui) use self::player::PlayerCommand;
pub(in crate::tui) use self::seed_gallery::SeedGalleryCommand;
pub(in crate::tui) use self::time::{SearchedEvent, TimeCommand, TimeUnit};
pub(in crate::tui) use self::tools::{DrawCommand, StrokeShape, Tool};
pub(in crate::tui) use self::tuning::TuneCommand;
pub(in crate::tui) use self::vault_browser::{BrowserCommand, COMPARED};
pub(in crate::tui) use self::views::{EventKind, ViewCommand};
pub(in crate::tui) use self::walk::WalkCommand;
use super::tabs::{Panel, View};
use crate::background::{JobRequest, Ticket};
use crate::storage::{AutosaveSlot, DesignFiles};

/// A request made by a key, a click or a menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Action {
    /// Quit the designer.
    Quit,
    /// Suspend the process and return to the shell until `fg`.
    Suspend,
    /// Open help.
    Help,
    /// Open the command palette.
    Palette,
    /// Start the tour, or go to its next step.
    Tour,
    /// End the tour.
    LeaveTour,
    /// Close the topmost dialog.
    CloseDialog,
    /// Dismiss a message that stays until it is dismissed.
    PutAway,
    /// Move the focus to the next pane.
    NextPane,
    /// Move the focus to the previous pane.
    PreviousPane,
    /// Move the focus to the map.
    FocusMap,
    /// Move the focus to a panel.
    FocusPanel(Panel),
    /// Move the focus to a view.
    FocusView(View),
    /// Show the next tab of the panels or views; the previous one when negative.
    Tab(i32),
    /// Copy something to the clipboard.
    Copy(CopiedText),
    /// Undo the last edit.
    Undo,
    /// Redo the edit that was undone last.
    Redo,
    /// Grow with another seed, drawn at random.
    Reroll,
    /// Search for a seed for which every vault is placed and reachable, or stop the search.
    Search,
    /// A command of the vault browser.
    Vaults(BrowserCommand),
    /// A command of the seed gallery.
    Gallery(SeedGalleryCommand),
    /// A command of the comparison of two designs.
    Compare(CompareCommand),
    /// Open the panel that has the dungeon's size.
    Resize,
    /// A command for the design's files.
    File(FileCommand),
    Map(MapCommand),
    /// A command for the tools that draw on the map.
    Tools(DrawCommand),
    /// A command for the metrics.
    Metrics(MetricsCommand),
    /// A command for playback.
    Time(TimeCommand),
    /// A command of the walk through the dungeon.
    Walk(WalkCommand),
    /// A command for the focused panel.
    Panel(PanelCommand),
    /// A command for the focused view.
    View(ViewCommand),
    /// A command for curves, remedies or the search for a character.
    Tune(TuneCommand),
    /// A command of the export dialog.
    Export(ExportCommand),
    /// A command of the player of recordings.
    Player(PlayerCommand),
    /// A command of the import dialog.
    Import(ImportCommand),
    /// A command for the topmost dialog.
    Dialog(DialogCommand),
}

/// The text that is copied to the clipboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum CopiedText {
    Seed,
    /// The command line that opens the design.
    CommandLine,
    /// The dungeon code: design, seed and moment as one line of text.
    Code,
    /// The dungeon at the moment shown, one character per square.
    Dungeon,
    /// The lines of the Inspect view: the story of a wall.
    Story,
}

/// A request to the outside: background services, files, the settings and the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Start a job; its replies are messages with this ticket, which cancels it.
    Start(Ticket, JobRequest),
    /// Watch these files and no others.
    Watch(Vec<PathBuf>),
    /// Remember these files as those of the design opened last.
    Remember(DesignFiles),
    /// Remember that the tour was shown.
    RememberTour,
    /// Read the settings again; [`App::configure`](super::App::configure) receives them where they differ.
    Configure,
    /// Find unsaved work that earlier sessions left behind; the reply is a message.
    FindRecoverable,
    /// From now on, autosave into this slot, which an earlier session left behind.
    Adopt(Arc<AutosaveSlot>),
    /// Copy this text to the clipboard.
    Copy(String),
    /// Suspend the process and return the terminal to the shell until the process is continued.
    Suspend,
    /// Set up the terminal again after the process was stopped and continued.
    Resume,
    /// End the event loop with this exit status.
    Quit(u8),
    /// End the event loop because the terminal failed, for this reason.
    Fail(String),
}
