//! What the designer can be asked for, and what it asks of the outside.
//!
//! An [`Action`] is what keys, the mouse, the palette and buttons all become; an [`Effect`] is what it wants done where
//! threads, files and the terminal are. Both are names only: [`super::app`] and [`super::input`] say what they do.

use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::KeyCode;

use super::keys::{Binding, Context, Key, bindings};
use super::panels::{self, Panel};
use super::views::{self, View};
use super::{
    compare, dialog, export_dialog, files, import_dialog, map, metrics, player, seed_gallery, time, tools, tuning,
    vault_browser,
};
use crate::background::{
    ComparisonRequest, ExpectationRequest, ExportRequest, ExportTarget, GrowthBatch, ImportRequest, MetricsRequest,
    PreviewSubject, ReadRequest, ReimportRequest, SeedBatch, StoryRequest, TrialRequest, VaultRunRequest,
};
use crate::design::ValidDesign;
use crate::document::{Saving, SeededDesign, VaultRequest};
use crate::engine::Options;
use crate::geometry::Size;
use crate::recording::RegrowRequest;
use crate::reel::RecordingFile;
use crate::storage::{AutosaveSlot, DesignFiles};

/// Everything a key, a click or a menu can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Leave the designer.
    Quit,
    /// Give the terminal back to the shell until `fg`.
    Suspend,
    /// Open help.
    Help,
    /// Open the command palette.
    Palette,
    /// Begin the tour, or go on to its next step.
    Tour,
    /// Leave the tour.
    LeaveTour,
    /// Close the dialog on top.
    CloseDialog,
    /// Put away a message that stays until it is read.
    PutAway,
    /// Move the focus to the next pane.
    NextPane,
    /// Move the focus to the pane before.
    PreviousPane,
    /// Move the focus to the map.
    FocusMap,
    /// Move the focus to a panel.
    FocusPanel(Panel),
    /// Move the focus to a view.
    FocusView(View),
    /// The next tab of the panels or views, on when positive.
    Tab(i32),
    /// Take the last edit back.
    Undo,
    /// Do the edit that was taken back again.
    Redo,
    /// Grow with another seed, drawn by chance.
    Reroll,
    /// Look for a seed from which every vault stands and can be reached, or stop looking.
    Search,
    /// Something in the browser of vaults.
    Vaults(vault_browser::BrowserCommand),
    /// Something in the gallery of seeds.
    Gallery(seed_gallery::SeedGalleryCommand),
    /// Something while two are compared.
    Compare(compare::CompareCommand),
    /// Something with the design's files.
    File(files::FileCommand),
    /// Something on the map.
    Map(map::MapCommand),
    /// Something with the tools that draw on the map.
    Tools(tools::DrawCommand),
    /// Something about how the dungeon is judged.
    Judge(metrics::MetricsCommand),
    /// Something with time.
    Time(time::TimeCommand),
    /// Something in the focused panel.
    Panel(panels::PanelCommand),
    /// Something in the focused view.
    View(views::ViewCommand),
    /// Something with curves, remedies or the search for a character.
    Tune(tuning::TuneCommand),
    /// Something with exports.
    Share(export_dialog::ExportCommand),
    /// Something in the player of recordings.
    Player(player::PlayerCommand),
    /// Something with drawings that come in.
    Intake(import_dialog::ImportCommand),
    /// Something in the dialog on top.
    Dialog(dialog::DialogCommand),
}

/// Keys that hold everywhere.
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

/// What the outside is asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Grow a design; [`App::run_started`](super::App::run_started) is told the number of the run.
    Grow(ValidDesign, Options),
    /// Show a recording, and find out whether it grows again; [`App::run_started`](super::App::run_started) is told the number of the run.
    Replay(Arc<RecordingFile>),
    /// Resolve the vaults of the design; [`App::resolving_begun`](super::App::resolving_begun) gets the number of the run.
    ResolveVaults(Box<VaultRequest>),
    /// The vaults under way are not wanted any more.
    EndResolving,
    /// Run the Lua of level files; [`App::order_placed`](super::App::order_placed) is told the number of the run.
    Resolve(VaultRunRequest),
    /// Look up the story of a Builder; [`App::inquiry_made`](super::App::inquiry_made) is told the number of the inquiry.
    Inquire(Box<StoryRequest>),
    /// The answer to the inquiry under way is not wanted any more.
    EndInquiry,
    /// Judge a dungeon; [`App::case_begun`](super::App::case_begun) is told the number of the case.
    Judge(Box<MetricsRequest>),
    /// Check expectations over seeds; [`App::check_begun`](super::App::check_begun) is told the number of the check.
    Check(Box<ExpectationRequest>),
    /// End the check that is under way.
    EndCheck,
    /// Look for a seed; [`App::search_begun`](super::App::search_begun) is told the number of the search.
    Search(SeededDesign, Options),
    /// End the search that is under way.
    EndSearch,
    /// Judge dungeons of many seeds; [`App::lot_begun`](super::App::lot_begun) is told the number of the lot.
    Assess(SeedBatch),
    /// Show dungeons as they grow; [`App::film_begun`](super::App::film_begun) is told the number of the film.
    Film(GrowthBatch),
    /// Nobody looks at dungeons of many seeds any more.
    LeaveSheet,
    /// Grow two designs; [`App::traces_begun`](super::App::traces_begun) is told the number.
    Trace(ComparisonRequest),
    /// Compare the dungeons of two designs over so many seeds; [`App::comparison_begun`](super::App::comparison_begun) is told the number.
    Contrast(ComparisonRequest, u64),
    /// Nobody compares them any more.
    LeaveDuel,
    /// Count how often each square is wall; [`App::count_begun`](super::App::count_begun) is told the number of the count.
    Count(SeededDesign, Options),
    /// Nobody looks at that any more.
    LeaveOdds,
    /// Grow again what the recording gave up; [`App::errand_begun`](super::App::errand_begun) is told the number of the run.
    Regrow(RegrowRequest),
    /// Try variants of the design; [`App::trials_begun`](super::App::trials_begun) is told the number of the request.
    Try(Box<TrialRequest>),
    /// End the trials that are under way.
    EndTrials,
    /// Read files to open them; [`App::opening_begun`](super::App::opening_begun) is told the number of the errand.
    Open(ReadRequest),
    /// Nobody waits any more for what was to be opened.
    GiveUp,
    /// Read the open files again; [`App::look_begun`](super::App::look_begun) is told the number of the errand.
    LookAgain(ReadRequest),
    /// Save the open design; [`App::save_begun`](super::App::save_begun) is told the number of the errand.
    Save(Box<Saving>),
    /// The saving under way is not wanted any more.
    LeaveSaving,
    /// Write a copy of the open design; [`App::copy_begun`](super::App::copy_begun) is told the number of the errand.
    Copy(Box<Saving>),
    /// The copy under way is not wanted any more.
    LeaveCopy,
    /// Find out where an export goes; [`App::locating_begun`](super::App::locating_begun) is told the number of the errand.
    Locate(ExportTarget),
    /// Nobody wants to know any more.
    LeaveLocating,
    /// Watch exactly these files.
    Watch(Vec<PathBuf>),
    /// Remember these files as those of the design that was opened last.
    Remember(DesignFiles),
    /// Grow a design for a picture in so many pixels; [`App::picture_begun`](super::App::picture_begun) is told the number of the wish.
    Show(PreviewSubject, Size, Options),
    /// The picture that was asked for is not wanted any more.
    TurnAway,
    /// Tell what a folder holds; [`App::listing_begun`](super::App::listing_begun) is told the number of the wish.
    List(PathBuf),
    /// Write a file for other programs; [`App::export_begun`](super::App::export_begun) is told the number of the export.
    Export(Box<ExportRequest>),
    /// End the export under way.
    EndExport,
    /// Tell what an export would write, with a picture in so many pixels; [`App::sample_begun`](super::App::sample_begun)
    /// is told the number of the look.
    Sample(Box<ExportRequest>, Size),
    /// Nobody looks at that any more.
    LeaveSample,
    /// Tell what would come of a drawing; [`App::proposal_begun`](super::App::proposal_begun) is told the number of the wish.
    Propose(Box<ImportRequest>),
    /// Nobody wants to know that any more.
    LeaveProposal,
    /// Tell what would come of taking drawings of the design again; [`App::reimport_begun`](super::App::reimport_begun) is told
    /// the number of the wish.
    Reimport(Box<ReimportRequest>),
    /// Remember that the tour was taken.
    Toured,
    /// Read the settings again; [`App::configure`](super::App::configure) is told them where they differ.
    Configure,
    /// Look for what other runs left unsaved; the answer is a message.
    Look,
    /// Keep unsaved work in this slot from now on, which another run left behind.
    Adopt(Arc<AutosaveSlot>),
    /// Give the terminal back to the shell until the process is continued.
    Suspend,
    /// Take the terminal again, after the process was stopped and continued.
    Resume,
    /// End the loop with this exit status.
    Quit(u8),
    /// End the loop because the terminal failed, for this reason.
    Fail(String),
}
