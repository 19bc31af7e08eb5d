//! Key bindings of curves and remedies, and of the searches that tune a design or learn from examples.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, TuneCommand};
use crate::tui::widget::list::ListStep;

/// Key bindings of curves, remedies, tuning and learning.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Everywhere, "curves", [Key::char('W')], Action::Tune(TuneCommand::Curves), false, "Show or hide, at the bottom of the panel, curves of metrics over the range of the selected parameter's slider.";
    Context::Everywhere, "other metrics", [Key::alt('w')], Action::Tune(TuneCommand::Metrics(1)), false, "Show the curves of the next three metrics.";
    Context::Everywhere, "previous metrics", [Key::alt('W')], Action::Tune(TuneCommand::Metrics(-1)), false, "Show the curves of the previous three metrics.";
    Context::Everywhere, "remedies", [Key::char('N')], Action::Tune(TuneCommand::Remedies), false, "Look for anomalies and failed expectations over many seeds, and for changes that help.";
    Context::Everywhere, "tune", [Key::char('O')], Action::Tune(TuneCommand::Tune), false, "Search for parameter values with which the design meets its expectations over many seeds.";
    Context::Everywhere, "learn", [Key::alt('l')], Action::Tune(TuneCommand::Learn), false, "Search for parameter values with which the design's dungeons resemble an example: a design, a preset, or a drawing (picture, text, Tiled map).";
    Context::Remedies, "apply", [Key::plain(KeyCode::Enter)], Action::Tune(TuneCommand::Accept), true, "Apply the selected remedy to the design.";
    Context::Remedies, "preview", [Key::char('l')], Action::Tune(TuneCommand::Look), true, "Show on the map the dungeon that the remedy would produce, without applying it; press again to show the design.";
    Context::Remedies, "next flaw", [Key::plain(KeyCode::Right), Key::char('f')], Action::Tune(TuneCommand::Flaw(1)), true, "Show remedies for the next flaw.";
    Context::Remedies, "previous flaw", [Key::plain(KeyCode::Left), Key::char('b')], Action::Tune(TuneCommand::Flaw(-1)), false, "Show remedies for the previous flaw.";
    Context::Remedies, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Tune(TuneCommand::Select(ListStep::By(1))), false, "Select the next remedy.";
    Context::Remedies, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Tune(TuneCommand::Select(ListStep::By(-1))), false, "Select the previous remedy.";
    Context::Remedies, "page down", [Key::plain(KeyCode::PageDown)], Action::Tune(TuneCommand::Select(ListStep::Page(1))), false, "Move down one page of remedies.";
    Context::Remedies, "page up", [Key::plain(KeyCode::PageUp)], Action::Tune(TuneCommand::Select(ListStep::Page(-1))), false, "Move up one page of remedies.";
    Context::Remedies, "first", [Key::plain(KeyCode::Home)], Action::Tune(TuneCommand::Select(ListStep::First)), false, "Select the first remedy.";
    Context::Remedies, "last", [Key::plain(KeyCode::End)], Action::Tune(TuneCommand::Select(ListStep::Last)), false, "Select the last remedy.";
    Context::Remedies, "close", [Key::plain(KeyCode::Esc)], Action::Tune(TuneCommand::Close), true, "Close the remedies without changing the design.";
    Context::Tuning, "start or apply", [Key::plain(KeyCode::Enter)], Action::Tune(TuneCommand::Accept), true, "Start the search; once there are results, apply the selected result to the design.";
    Context::Tuning, "preview", [Key::char('l')], Action::Tune(TuneCommand::Look), true, "Show the selected candidate's dungeon on the map without applying it; press again to show the design.";
    Context::Tuning, "pause", [Key::char('p')], Action::Tune(TuneCommand::Pause), true, "Pause or resume the search.";
    Context::Tuning, "finish", [Key::char('f')], Action::Tune(TuneCommand::Finish), true, "Finish the search and verify the best candidate over seeds that the search has not used.";
    Context::Tuning, "toggle", [Key::char('x'), Key::char(' ')], Action::Tune(TuneCommand::Toggle), true, "Toggle whether the selected parameter may change, or whether the selected expectation counts.";
    Context::Tuning, "all or none", [Key::char('a')], Action::Tune(TuneCommand::All), false, "Allow all parameters of the list to change, or none.";
    Context::Tuning, "bounds", [Key::char('b')], Action::Tune(TuneCommand::Bounds), true, "Type the bounds of the selected parameter, such as 5-40.";
    Context::Tuning, "expect", [Key::char('e')], Action::Tune(TuneCommand::Expect), true, "Type an expectation for this search only, such as path >= 180 in 95%.";
    Context::Tuning, "seeds", [Key::char('s')], Action::Tune(TuneCommand::Seeds), false, "Double the number of seeds over which every candidate is measured; after 128, start again at 16.";
    Context::Tuning, "again", [Key::char('r')], Action::Tune(TuneCommand::Again), false, "Discard the search and return to the parameters.";
    Context::Tuning, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Tune(TuneCommand::Select(ListStep::By(1))), false, "Select the line below.";
    Context::Tuning, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Tune(TuneCommand::Select(ListStep::By(-1))), false, "Select the line above.";
    Context::Tuning, "page down", [Key::plain(KeyCode::PageDown)], Action::Tune(TuneCommand::Select(ListStep::Page(1))), false, "Move down one page.";
    Context::Tuning, "page up", [Key::plain(KeyCode::PageUp)], Action::Tune(TuneCommand::Select(ListStep::Page(-1))), false, "Move up one page.";
    Context::Tuning, "first", [Key::plain(KeyCode::Home)], Action::Tune(TuneCommand::Select(ListStep::First)), false, "Select the first line.";
    Context::Tuning, "last", [Key::plain(KeyCode::End)], Action::Tune(TuneCommand::Select(ListStep::Last)), false, "Select the last line.";
    Context::Tuning, "stop", [Key::plain(KeyCode::Esc)], Action::Tune(TuneCommand::Close), true, "Stop the search and discard its results; the design does not change.";
    Context::Learning, "apply", [Key::plain(KeyCode::Enter)], Action::Tune(TuneCommand::Accept), true, "Apply the best parameter values found so far to the design: those with which its dungeons are most like the examples.";
    Context::Learning, "preview", [Key::char('l')], Action::Tune(TuneCommand::Look), true, "Show the dungeon of the best parameter values on the map without applying them; press again to show the design.";
    Context::Learning, "pause", [Key::char('p')], Action::Tune(TuneCommand::Pause), true, "Pause or resume the search.";
    Context::Learning, "finish", [Key::char('f')], Action::Tune(TuneCommand::Finish), true, "Finish the search and measure the best candidates over seeds that the search has not used.";
    Context::Learning, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Tune(TuneCommand::Select(ListStep::By(1))), false, "Select the next parameter in the list of changes.";
    Context::Learning, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Tune(TuneCommand::Select(ListStep::By(-1))), false, "Select the previous parameter in the list of changes.";
    Context::Learning, "page down", [Key::plain(KeyCode::PageDown)], Action::Tune(TuneCommand::Select(ListStep::Page(1))), false, "Move down one page.";
    Context::Learning, "page up", [Key::plain(KeyCode::PageUp)], Action::Tune(TuneCommand::Select(ListStep::Page(-1))), false, "Move up one page.";
    Context::Learning, "first", [Key::plain(KeyCode::Home)], Action::Tune(TuneCommand::Select(ListStep::First)), false, "Select the first parameter in the list of changes.";
    Context::Learning, "last", [Key::plain(KeyCode::End)], Action::Tune(TuneCommand::Select(ListStep::Last)), false, "Select the last parameter in the list of changes.";
    Context::Learning, "stop", [Key::plain(KeyCode::Esc)], Action::Tune(TuneCommand::Close), true, "Stop learning and discard the results; the design does not change.";
    Context::TuneText, "accept", [Key::plain(KeyCode::Enter)], Action::Tune(TuneCommand::Take), true, "Accept the typed text.";
    Context::TuneText, "cancel", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::Tune(TuneCommand::Leave), true, "Cancel and keep the old text.";
};
