//! The key bindings of the context `Everywhere`: quitting, panels, views, undo, copying, and more.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, BrowserCommand, CopiedText};
use crate::tui::tabs::{Panel, View};

/// Bindings that apply wherever the focus is.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Everywhere, "help", [Key::char('?'), Key::plain(KeyCode::F(1))], Action::Help, true, "Show every key and what it does.";
    Context::Everywhere, "palette", [Key::char(':'), Key::ctrl('p')], Action::Palette, true, "Find an action by name and run it.";
    Context::Everywhere, "quit", [Key::char('q'), Key::ctrl('c')], Action::Quit, true, "Quit the designer; if there are unsaved changes, you are first asked whether to save them.";
    Context::Everywhere, "next pane", [Key::plain(KeyCode::Tab)], Action::NextPane, true, "Move to the next of the three panes: the map, the panels, the views.";
    Context::Everywhere, "previous pane", [Key::plain(KeyCode::BackTab)], Action::PreviousPane, false, "Move to the previous pane.";
    Context::Everywhere, "next tab", [Key::alt('.')], Action::Tab(1), false, "Show the next panel or view of the pane.";
    Context::Everywhere, "previous tab", [Key::alt(',')], Action::Tab(-1), false, "Show the previous panel or view.";
    Context::Everywhere, "stats", [Key::alt('1')], Action::FocusPanel(Panel::Stats), false, "Go to the Stats panel.";
    Context::Everywhere, "rooms", [Key::alt('2')], Action::FocusPanel(Panel::Rooms), false, "Go to the Rooms panel.";
    Context::Everywhere, "constants", [Key::alt('3')], Action::FocusPanel(Panel::Constants), false, "Go to the Constants panel.";
    Context::Everywhere, "design", [Key::alt('4')], Action::FocusPanel(Panel::Design), false, "Go to the Design panel.";
    Context::Everywhere, "problems", [Key::alt('5')], Action::FocusPanel(Panel::Problems), false, "Go to the Problems panel.";
    Context::Everywhere, "expectations", [Key::char('E')], Action::FocusPanel(Panel::Expect), false, "Go to the Expect panel: conditions that the dungeons should meet, and whether they meet them.";
    Context::Everywhere, "legend", [Key::alt('6')], Action::FocusView(View::Legend), false, "Go to the Legend view: what the colours mean.";
    Context::Everywhere, "inspect", [Key::char('i'), Key::alt('7')], Action::FocusView(View::Inspect), false, "Go to the Inspect view: what is under the map's cursor, which Builder laid it, when and why.";
    Context::Everywhere, "events", [Key::char('e'), Key::alt('8')], Action::FocusView(View::Events), false, "Go to the Events view: what happened around the moment shown.";
    Context::Everywhere, "plots", [Key::alt('9')], Action::FocusView(View::Plots), false, "Go to the Plots view: Builders, births, deaths and tiles over time.";
    Context::Everywhere, "plan", [Key::alt('p')], Action::FocusView(View::Plan), false, "Go to the Plan view: when each first Crawler and its descendants act, and which generation spawns which.";
    Context::Everywhere, "history", [Key::alt('0'), Key::char('y')], Action::FocusView(View::History), false, "Go to the History view, which lists every edit; select one to return to it.";
    Context::Everywhere, "metrics", [Key::char('A')], Action::FocusView(View::Metrics), false, "Go to the Metrics view: the metrics of the dungeon at this moment.";
    Context::Map, "inspect", [Key::plain(KeyCode::Enter)], Action::FocusView(View::Inspect), true, "Show what is under the cursor, which Builder laid it, when and why.";
    Context::Everywhere, "reroll", [Key::char('R')], Action::Reroll, true, "Grow the design with a random seed; undo restores the old seed.";
    Context::Everywhere, "valid seed", [Key::char('T')], Action::Search, false, "Try the next seeds until every vault is placed and its exits are reachable; press again to stop.";
    Context::Everywhere, "vaults", [Key::char('v')], Action::Vaults(BrowserCommand::Open), true, "Browse level files: preview their vaults and place them.";
    Context::Everywhere, "undo", [Key::char('u'), Key::ctrl('z')], Action::Undo, false, "Undo the last edit and grow again.";
    Context::Everywhere, "redo", [Key::char('U'), Key::ctrl('r'), Key::ctrl('y')], Action::Redo, false, "Redo the edit that was undone.";
    Context::Everywhere, "copy seed", [], Action::Copy(CopiedText::Seed), false, "Copy the seed to the clipboard.";
    Context::Everywhere, "copy command line", [], Action::Copy(CopiedText::CommandLine), false, "Copy to the clipboard the command line that opens this design.";
    Context::Everywhere, "copy code", [Key::ctrl('k')], Action::Copy(CopiedText::Code), false, "Copy the design, its seed and this moment to the clipboard as a dungeon code: one line of text that begins with wc1:. Paste it into the designer, or run `wallcrawler CODE`.";
    Context::Everywhere, "copy dungeon", [], Action::Copy(CopiedText::Dungeon), false, "Copy the dungeon at this moment to the clipboard as text: . open, o guaranteed open, X wall, Y high wall (a pyramid or the decoration of a door), C column.";
    Context::Everywhere, "copy story", [], Action::Copy(CopiedText::Story), false, "Copy the lines of the Inspect view to the clipboard: why the wall under the cursor is there.";
    Context::Everywhere, "suspend", [], Action::Suspend, false, "Suspend the program and return to the shell; `fg` resumes it.";
};
