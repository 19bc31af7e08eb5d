//! Key bindings of curves, remedies and the search.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, TuneCommand};
use crate::tui::widget::list::ListStep;

/// Key bindings of curves, remedies and the search.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Everywhere, "curves", [Key::char('W')], Action::Tune(TuneCommand::Curves), false, "Show below the slider how figures change over the range of the selected parameter; or do not.";
    Context::Everywhere, "other figures", [Key::alt('w')], Action::Tune(TuneCommand::Figures(1)), false, "Show the curves of the next three figures.";
    Context::Everywhere, "figures before", [Key::alt('W')], Action::Tune(TuneCommand::Figures(-1)), false, "Show the curves of the three figures before.";
    Context::Everywhere, "remedies", [Key::char('N')], Action::Tune(TuneCommand::Remedies), false, "Look for the design's flaws over many seeds, and for what lessens them.";
    Context::Everywhere, "tune", [Key::char('O')], Action::Tune(TuneCommand::Tune), false, "Search for numbers with which the design meets its expectations over many seeds.";
    Context::Remedies, "keep", [Key::plain(KeyCode::Enter)], Action::Tune(TuneCommand::Accept), true, "Change the design by the remedy that is selected.";
    Context::Remedies, "look", [Key::char('l')], Action::Tune(TuneCommand::Look), true, "Show the dungeon with the remedy on the map, without keeping it; again to see it without.";
    Context::Remedies, "next flaw", [Key::plain(KeyCode::Right), Key::char('f')], Action::Tune(TuneCommand::Flaw(1)), true, "Look for remedies of the next flaw.";
    Context::Remedies, "flaw before", [Key::plain(KeyCode::Left), Key::char('b')], Action::Tune(TuneCommand::Flaw(-1)), false, "Look for remedies of the flaw before.";
    Context::Remedies, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Tune(TuneCommand::Select(ListStep::By(1))), false, "Select the next remedy.";
    Context::Remedies, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Tune(TuneCommand::Select(ListStep::By(-1))), false, "Select the remedy before.";
    Context::Remedies, "page down", [Key::plain(KeyCode::PageDown)], Action::Tune(TuneCommand::Select(ListStep::Page(1))), false, "A page of remedies down.";
    Context::Remedies, "page up", [Key::plain(KeyCode::PageUp)], Action::Tune(TuneCommand::Select(ListStep::Page(-1))), false, "A page of remedies up.";
    Context::Remedies, "first", [Key::plain(KeyCode::Home)], Action::Tune(TuneCommand::Select(ListStep::First)), false, "Select the first remedy.";
    Context::Remedies, "last", [Key::plain(KeyCode::End)], Action::Tune(TuneCommand::Select(ListStep::Last)), false, "Select the last remedy.";
    Context::Remedies, "close", [Key::plain(KeyCode::Esc)], Action::Tune(TuneCommand::Close), true, "Close the remedies and leave the design as it is.";
    Context::Tuning, "begin or keep", [Key::plain(KeyCode::Enter)], Action::Tune(TuneCommand::Accept), true, "Begin the search; once something is found, change the design by what is selected.";
    Context::Tuning, "look", [Key::char('l')], Action::Tune(TuneCommand::Look), true, "Show the dungeon of the candidate that is selected on the map, without keeping it; again to see the design.";
    Context::Tuning, "pause", [Key::char('p')], Action::Tune(TuneCommand::Pause), true, "Pause the search, or go on.";
    Context::Tuning, "finish", [Key::char('f')], Action::Tune(TuneCommand::Finish), true, "End the search and look at the best candidate over seeds that the search never saw.";
    Context::Tuning, "move or not", [Key::char('x'), Key::char(' ')], Action::Tune(TuneCommand::Toggle), true, "Let the selected parameter move or not; count the selected expectation or not.";
    Context::Tuning, "all or none", [Key::char('a')], Action::Tune(TuneCommand::All), false, "Let all parameters of the list move, or none.";
    Context::Tuning, "bounds", [Key::char('b')], Action::Tune(TuneCommand::Bounds), true, "Type the numbers between which the selected parameter may move: 5-40.";
    Context::Tuning, "expect", [Key::char('e')], Action::Tune(TuneCommand::Expect), true, "Type an expectation for this search alone: path >= 180 in 95 %.";
    Context::Tuning, "seeds", [Key::char('s')], Action::Tune(TuneCommand::Seeds), false, "Judge every candidate from more seeds, or from few again.";
    Context::Tuning, "again", [Key::char('r')], Action::Tune(TuneCommand::Again), false, "Throw the search away and go back to what may move.";
    Context::Tuning, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Tune(TuneCommand::Select(ListStep::By(1))), false, "Select the line below.";
    Context::Tuning, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Tune(TuneCommand::Select(ListStep::By(-1))), false, "Select the line above.";
    Context::Tuning, "page down", [Key::plain(KeyCode::PageDown)], Action::Tune(TuneCommand::Select(ListStep::Page(1))), false, "Move down by a page.";
    Context::Tuning, "page up", [Key::plain(KeyCode::PageUp)], Action::Tune(TuneCommand::Select(ListStep::Page(-1))), false, "Move up by a page.";
    Context::Tuning, "first", [Key::plain(KeyCode::Home)], Action::Tune(TuneCommand::Select(ListStep::First)), false, "Select the first line.";
    Context::Tuning, "last", [Key::plain(KeyCode::End)], Action::Tune(TuneCommand::Select(ListStep::Last)), false, "Select the last line.";
    Context::Tuning, "stop", [Key::plain(KeyCode::Esc)], Action::Tune(TuneCommand::Close), true, "End the search, throw away what it found and leave the design as it is.";
    Context::TuneText, "take", [Key::plain(KeyCode::Enter)], Action::Tune(TuneCommand::Take), true, "Take what is typed.";
    Context::TuneText, "cancel", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::Tune(TuneCommand::Leave), true, "Leave it as it was.";
};
