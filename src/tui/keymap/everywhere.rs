//! Key bindings that hold everywhere.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, BrowserCommand};
use crate::tui::tabs::{Panel, View};

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
    Context::Everywhere, "figures", [Key::char('A')], Action::FocusView(View::Metrics), false, "Go to the view Figures: what the dungeon at this moment is like.";
    Context::Map, "inspect", [Key::plain(KeyCode::Enter)], Action::FocusView(View::Inspect), true, "Tell what stands under the cursor, who laid it, when and why.";
    Context::Everywhere, "reroll", [Key::char('R')], Action::Reroll, true, "Grow the design with another seed, drawn by chance; undo brings the old one back.";
    Context::Everywhere, "sound seed", [Key::char('T')], Action::Search, false, "Try the seeds that follow until every vault stands and its exits can be reached; again to stop.";
    Context::Everywhere, "vaults", [Key::char('v')], Action::Vaults(BrowserCommand::Open), true, "Browse level files: see their vaults rolled, and place them.";
    Context::Everywhere, "undo", [Key::char('u')], Action::Undo, false, "Take the last edit back and grow again.";
    Context::Everywhere, "redo", [Key::char('U'), Key::ctrl('r')], Action::Redo, false, "Do again what was taken back.";
    Context::Everywhere, "suspend", [Key::ctrl('z')], Action::Suspend, false, "Go back to the shell; fg returns here.";
};
