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
    /// Quits the designer.
    Quit,
    /// Suspends the process and returns to the shell until `fg`.
    Suspend,
    /// Opens help.
    Help,
    /// Opens the command palette.
    Palette,
    /// Starts the tour, or goes to its next step.
    Tour,
    /// Ends the tour.
    LeaveTour,
    /// Closes the topmost dialog.
    CloseDialog,
    /// Dismisses a message that stays until it is dismissed.
    PutAway,
    /// Moves the focus to the next pane.
    NextPane,
    /// Moves the focus to the previous pane.
    PreviousPane,
    /// Moves the focus to the map.
    FocusMap,
    /// Moves the focus to a panel.
    FocusPanel(Panel),
    /// Moves the focus to a view.
    FocusView(View),
    /// Shows the next tab of the panels or views; the previous one when negative.
    Tab(i32),
    /// Copies something to the clipboard.
    Copy(CopiedText),
    /// Undoes the last edit.
    Undo,
    /// Redoes the edit that was undone last.
    Redo,
    /// Grows with another seed, drawn at random.
    Reroll,
    /// Searches for a seed for which every vault is placed and reachable, or stops the search.
    Search,
    /// A command of the vault browser.
    Vaults(BrowserCommand),
    /// A command of the seed gallery.
    Gallery(SeedGalleryCommand),
    /// A command of the comparison of two designs.
    Compare(CompareCommand),
    /// Opens the panel that has the dungeon's size.
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
    /// Starts a job; its replies are messages with this ticket, which cancels it.
    Start(Ticket, JobRequest),
    /// Watches these files and no others.
    Watch(Vec<PathBuf>),
    /// Remembers these files as those of the design opened last.
    Remember(DesignFiles),
    /// Remembers that the tour was shown.
    RememberTour,
    /// Reads the settings again; [`App::configure`](super::App::configure) receives them where they differ.
    Configure,
    /// Finds unsaved work that earlier sessions left behind; the reply is a message.
    FindRecoverable,
    /// From now on, autosaves into this slot, which an earlier session left behind.
    Adopt(Arc<AutosaveSlot>),
    /// Copies this text to the clipboard.
    Copy(String),
    /// Suspends the process and returns the terminal to the shell until the process is continued.
    Suspend,
    /// Sets up the terminal again after the process was stopped and continued.
    Resume,
    /// Ends the event loop with this exit status.
    Quit(u8),
    /// Ends the event loop because the terminal failed, for this reason.
    Fail(String),
}
