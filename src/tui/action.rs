//! Actions of the designer, and the effects it requests from threads, files and the terminal.
//!
//! Keys, the mouse, the palette and buttons all become an [`Action`]; an [`Effect`] is a request to the services
//! outside [`super::app`]. Both are plain data: [`super::app`] and [`super::input`] carry them out.

use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::KeyCode;

use super::keys::{Binding, Context, Key, bindings};
use super::panels;
use super::tabs::Panel;
use super::tabs::View;
use super::views;
use super::{
    compare, dialog, export_dialog, files, import_dialog, map, metrics, player, seed_gallery, time, tools, tuning,
    vault_browser,
};
use crate::background::{JobRequest, Ticket};
use crate::storage::{AutosaveSlot, DesignFiles};

/// Everything that a key, a click or a menu can request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
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
    /// Undo the last edit.
    Undo,
    /// Redo the edit that was undone last.
    Redo,
    /// Grow with another seed, drawn at random.
    Reroll,
    /// Search for a seed for which every vault is placed and reachable, or stop the search.
    Search,
    /// A command of the vault browser.
    Vaults(vault_browser::BrowserCommand),
    /// A command of the seed gallery.
    Gallery(seed_gallery::SeedGalleryCommand),
    /// A command of the comparison of two designs.
    Compare(compare::CompareCommand),
    /// A command for the design's files.
    File(files::FileCommand),
    /// A command for the map.
    Map(map::MapCommand),
    /// A command for the tools that draw on the map.
    Tools(tools::DrawCommand),
    /// A command for the metrics.
    Judge(metrics::MetricsCommand),
    /// A command for playback.
    Time(time::TimeCommand),
    /// A command for the focused panel.
    Panel(panels::PanelCommand),
    /// A command for the focused view.
    View(views::ViewCommand),
    /// A command for curves, remedies or the search for a character.
    Tune(tuning::TuneCommand),
    /// A command of the export dialog.
    Share(export_dialog::ExportCommand),
    /// A command of the player of recordings.
    Player(player::PlayerCommand),
    /// A command of the import dialog.
    Intake(import_dialog::ImportCommand),
    /// A command for the topmost dialog.
    Dialog(dialog::DialogCommand),
}

/// Key bindings that hold everywhere.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Everywhere, "help", [Key::char('?'), Key::plain(KeyCode::F(1))], Action::Help, true, "Show every key and what it does.";
    Context::Everywhere, "palette", [Key::char(':'), Key::ctrl('p')], Action::Palette, true, "Look an action up by its name, and do it.";
    Context::Everywhere, "quit", [Key::char('q'), Key::ctrl('c')], Action::Quit, true, "Leave the designer; asks when there are unsaved changes.";
    Context::Everywhere, "next pane", [Key::plain(KeyCode::Tab)], Action::NextPane, true, "Move to the next pane: the map, the panels, the views.";
    Context::Everywhere, "previous pane", [Key::plain(KeyCode::BackTab)], Action::PreviousPane, false, "Move to the pane before.";
    Context::Everywhere, "next tab", [Key::alt('.')], Action::Tab(1), false, "Show the next panel or view of the pane.";
    Context::Everywhere, "tab before", [Key::alt(',')], Action::Tab(-1), false, "Show the panel or view before.";
    Context::Everywhere, "stats", [Key::alt('1')], Action::FocusPanel(Panel::Stats), false, "Go to the panel Stats.";
    Context::Everywhere, "rooms", [Key::alt('2')], Action::FocusPanel(Panel::Rooms), false, "Go to the panel Rooms.";
    Context::Everywhere, "constants", [Key::alt('3')], Action::FocusPanel(Panel::Constants), false, "Go to the panel Constants.";
    Context::Everywhere, "design", [Key::alt('4')], Action::FocusPanel(Panel::Design), false, "Go to the panel Design.";
    Context::Everywhere, "problems", [Key::alt('5')], Action::FocusPanel(Panel::Problems), false, "Go to the panel Problems.";
    Context::Everywhere, "expectations", [Key::char('E')], Action::FocusPanel(Panel::Expect), false, "Go to the panel Expect: what shall hold of the dungeons, and whether it does.";
    Context::Everywhere, "legend", [Key::alt('6')], Action::FocusView(View::Legend), false, "Go to the view Legend: what the colours mean.";
    Context::Everywhere, "inspect", [Key::char('i'), Key::alt('7')], Action::FocusView(View::Inspect), false, "Go to the view Inspect: what stands under the map's cursor, who laid it, when and why.";
    Context::Everywhere, "events", [Key::char('e'), Key::alt('8')], Action::FocusView(View::Events), false, "Go to the view Events: what happened around the moment shown.";
    Context::Everywhere, "plots", [Key::alt('9')], Action::FocusView(View::Plots), false, "Go to the view Plots: Builders, births, deaths and tiles over time.";
    Context::Everywhere, "history", [Key::alt('0'), Key::char('y')], Action::FocusView(View::History), false, "Go to the view History: every edit, to go back and forth in.";
    Context::Everywhere, "figures", [Key::char('A')], Action::FocusView(View::Figures), false, "Go to the view Figures: what the dungeon at this moment is like.";
    Context::Map, "inspect", [Key::plain(KeyCode::Enter)], Action::FocusView(View::Inspect), true, "Tell what stands under the cursor, who laid it, when and why.";
    Context::Everywhere, "reroll", [Key::char('R')], Action::Reroll, true, "Grow the design with another seed, drawn by chance; undo brings the old one back.";
    Context::Everywhere, "sound seed", [Key::char('T')], Action::Search, false, "Try the seeds that follow until every vault stands and its exits can be reached; again to stop.";
    Context::Everywhere, "vaults", [Key::char('v')], Action::Vaults(vault_browser::BrowserCommand::Open), true, "Browse level files: see their vaults rolled, and place them.";
    Context::Everywhere, "undo", [Key::char('u')], Action::Undo, false, "Take the last edit back and grow again.";
    Context::Everywhere, "redo", [Key::char('U'), Key::ctrl('r')], Action::Redo, false, "Do again what was taken back.";
    Context::Everywhere, "suspend", [Key::ctrl('z')], Action::Suspend, false, "Go back to the shell; fg returns here.";
};

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
    Toured,
    /// Read the settings again; [`App::configure`](super::App::configure) receives them where they differ.
    Configure,
    /// Find unsaved work that other runs left behind; the reply is a message.
    Look,
    /// Autosave into this slot, left behind by another run, from now on.
    Adopt(Arc<AutosaveSlot>),
    /// Suspend the process and return the terminal to the shell until the process is continued.
    Suspend,
    /// Set up the terminal again after the process was stopped and continued.
    Resume,
    /// End the event loop with this exit status.
    Quit(u8),
    /// End the event loop because the terminal failed, for this reason.
    Fail(String),
}
