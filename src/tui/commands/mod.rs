//! The designer's actions, the commands of its components, and the effects that services carry out for the designer.
//!
//! Keys, the mouse, the palette and buttons all become an [`Action`]; an [`Effect`] is a request to the services
//! outside the designer. Both are plain data and depend on no component: `app` and `input` pass each command to its
//! component.

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

/// An action that the user requests with a key, a click or the palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Action {
    /// Quits the designer.
    Quit,
    /// Suspends the process and returns to the shell until the user continues it with `fg`.
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
    /// Dismisses a message that stays on the screen until it is dismissed.
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
    /// Shows the next tab of the panels or views, or the previous one if the number is negative.
    Tab(i32),
    /// Copies this text to the clipboard.
    Copy(CopiedText),
    /// Undoes the last edit.
    Undo,
    /// Redoes the edit that was last undone.
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
    /// Opens the panel in which the dungeon's size is edited.
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
    /// A command for tuning the design with curves, remedies or parameter searches.
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
    /// The dungeon at the moment that is shown, with one character per square.
    Dungeon,
    /// The lines of the Inspect view, which explain the wall under the cursor.
    Story,
}

/// A request to the outside: background services, files, the settings and the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Starts a job. Its replies arrive as messages with this ticket, by which the job can also be cancelled.
    Start(Ticket, JobRequest),
    /// Watches these files, and stops watching all others.
    Watch(Vec<PathBuf>),
    /// Puts these files first in the list of recently opened designs.
    Remember(DesignFiles),
    /// Records that the tour was shown, so that it does not start by itself again.
    RememberTour,
    /// Reads the settings file again. If the settings have changed, [`App::configure`](super::App::configure) receives
    /// them.
    Configure,
    /// Searches for unsaved work that earlier sessions left behind; the result arrives as a message.
    FindRecoverable,
    /// Uses this slot, which an earlier session left behind, for all further autosaves.
    Adopt(Arc<AutosaveSlot>),
    /// Copies this text to the clipboard.
    Copy(String),
    /// Suspends the process, and returns the terminal to the shell until the process continues.
    Suspend,
    /// Sets up the terminal again after the process was stopped and continued.
    Resume,
    /// Ends the event loop with this exit status.
    Quit(u8),
    /// Ends the event loop because the terminal failed; the text describes the failure.
    Fail(String),
}
