//! Key bindings of the panels.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, CopyTo, EntryCommand, MetricsCommand, PanelCommand, VariationCommand};
use crate::tui::tabs::Panel;
use crate::tui::widget::list::ListStep;

const ROOMS: Context = Context::Panel(Panel::Rooms);

const EXPECT: Context = Context::Panel(Panel::Expect);

/// Key bindings of the panels.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Panels, "edit", [Key::plain(KeyCode::Enter)], Action::Panel(PanelCommand::Edit), true, "Edit the value. You can also just type a number.";
    Context::Panels, "more", [Key::char('+'), Key::char('=')], Action::Panel(PanelCommand::Step(1)), true, "Raise the number by one.";
    Context::Panels, "less", [Key::char('-')], Action::Panel(PanelCommand::Step(-1)), true, "Lower the number by one.";
    Context::Panels, "ten more", [Key::char(']'), Key::shift(KeyCode::Up)], Action::Panel(PanelCommand::Step(10)), false, "Raise the number by ten.";
    Context::Panels, "ten less", [Key::char('['), Key::shift(KeyCode::Down)], Action::Panel(PanelCommand::Step(-10)), false, "Lower the number by ten.";
    Context::Panels, "reset", [Key::char('r')], Action::Panel(PanelCommand::Reset), false, "Set the field to its default.";
    Context::Panels, "copy generation", [Key::char('C')], Action::Panel(PanelCommand::Copy), false, "Copy the selected generation to the next one, to all later ones, or to all others.";
    Context::Panels, "variation", [Key::char('V')], Action::Panel(PanelCommand::Vary(VariationCommand::Roll)), false, "Vary the parameters of the generations at random within a limit and grow the result at once; then keep or discard it.";
    Context::Panels, "search and replace", [Key::char('/')], Action::Panel(PanelCommand::Replace), false, "Use a rule, such as CorridorWidth 4 -> 3, to replace values across generations.";
    Context::Copying, "to the next", [Key::char('n')], Action::Panel(PanelCommand::CopyTo(CopyTo::Next)), true, "Copy the parameters to the next generation and replace its own.";
    Context::Copying, "to all later", [Key::char('l')], Action::Panel(PanelCommand::CopyTo(CopyTo::Later)), true, "Copy the parameters to all later generations and replace their own.";
    Context::Copying, "to all others", [Key::char('a')], Action::Panel(PanelCommand::CopyTo(CopyTo::All)), true, "Copy the parameters to all other generations, including earlier ones, and replace their own.";
    Context::Copying, "cancel", [Key::plain(KeyCode::Esc), Key::char('q')], Action::Panel(PanelCommand::CopyNothing), true, "Copy nothing.";
    Context::Varying, "keep", [Key::plain(KeyCode::Enter)], Action::Panel(PanelCommand::Vary(VariationCommand::Keep)), true, "Keep the variation as one undo step.";
    Context::Varying, "another", [Key::char('V'), Key::char(' ')], Action::Panel(PanelCommand::Vary(VariationCommand::Roll)), true, "Try another variation.";
    Context::Varying, "discard", [Key::plain(KeyCode::Esc)], Action::Panel(PanelCommand::Vary(VariationCommand::Leave)), true, "Discard the variation; it leaves no step in the history.";
    Context::Varying, "wider", [Key::char('+'), Key::char('=')], Action::Panel(PanelCommand::Vary(VariationCommand::Amount(1))), true, "Vary values more.";
    Context::Varying, "narrower", [Key::char('-')], Action::Panel(PanelCommand::Vary(VariationCommand::Amount(-1))), true, "Vary values less.";
    Context::Varying, "generations", [Key::char('g')], Action::Panel(PanelCommand::Vary(VariationCommand::Generations)), true, "Choose which generations vary: all, only the selected generation, or the selected and all later generations.";
    Context::Varying, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Panel(PanelCommand::Row(ListStep::By(-1))), false, "Select the parameter above.";
    Context::Varying, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Panel(PanelCommand::Row(ListStep::By(1))), false, "Select the parameter below.";
    Context::Varying, "left", [Key::plain(KeyCode::Left), Key::char('h')], Action::Panel(PanelCommand::Column(-1)), false, "Select the previous generation.";
    Context::Varying, "right", [Key::plain(KeyCode::Right), Key::char('l')], Action::Panel(PanelCommand::Column(1)), false, "Select the next generation.";
    Context::Panels, "reset all", [], Action::Panel(PanelCommand::ResetAll), false, "Set every field of the generation, room or other entry to its default.";
    Context::Panels, "to the map", [Key::plain(KeyCode::Esc)], Action::Panel(PanelCommand::Back), true, "Leave an entry's fields; if no field of an entry is selected, return to the map.";
    Context::Panels, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Panel(PanelCommand::Row(ListStep::By(-1))), false, "Select the line above.";
    Context::Panels, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Panel(PanelCommand::Row(ListStep::By(1))), false, "Select the line below.";
    Context::Panels, "left", [Key::plain(KeyCode::Left), Key::char('h')], Action::Panel(PanelCommand::Column(-1)), false, "Select the field to the left, or leave an entry's fields.";
    Context::Panels, "right", [Key::plain(KeyCode::Right), Key::char('l')], Action::Panel(PanelCommand::Column(1)), false, "Select the field to the right, or go into an entry's fields.";
    Context::Panels, "page up", [Key::plain(KeyCode::PageUp)], Action::Panel(PanelCommand::Row(ListStep::Page(-1))), false, "Move up one page.";
    Context::Panels, "page down", [Key::plain(KeyCode::PageDown)], Action::Panel(PanelCommand::Row(ListStep::Page(1))), false, "Move down one page.";
    Context::Panels, "first", [Key::plain(KeyCode::Home)], Action::Panel(PanelCommand::Row(ListStep::First)), false, "Go to the first entry or generation.";
    Context::Panels, "last", [Key::plain(KeyCode::End)], Action::Panel(PanelCommand::Row(ListStep::Last)), false, "Go to the last entry or generation.";
    Context::Panel(Panel::Design), "another seed", [Key::char('r')], Action::Panel(PanelCommand::Reroll), true, "Grow with a random seed.";
    ROOMS, "add", [Key::char('a'), Key::plain(KeyCode::Insert)], Action::Panel(PanelCommand::Entry(EntryCommand::Add)), true, "Add an entry to the list, at the map's cursor.";
    ROOMS, "remove", [Key::char('d'), Key::plain(KeyCode::Delete)], Action::Panel(PanelCommand::Entry(EntryCommand::Remove)), true, "Remove the entry.";
    ROOMS, "duplicate", [Key::char('D')], Action::Panel(PanelCommand::Entry(EntryCommand::Duplicate)), false, "Copy the entry, and add the copy below it.";
    ROOMS, "move up", [Key::char('K')], Action::Panel(PanelCommand::Entry(EntryCommand::Shift(-1))), false, "Move the entry up in its list.";
    ROOMS, "move down", [Key::char('J')], Action::Panel(PanelCommand::Entry(EntryCommand::Shift(1))), false, "Move the entry down in its list.";
    ROOMS, "edit", [Key::plain(KeyCode::Enter)], Action::Panel(PanelCommand::Edit), true, "Open the entry, edit the value, or toggle the switch.";
    EXPECT, "add", [Key::char('a'), Key::plain(KeyCode::Insert)], Action::Panel(PanelCommand::Entry(EntryCommand::Add)), true, "Add an expectation, such as path >= 180 in 95%.";
    EXPECT, "edit", [Key::plain(KeyCode::Enter)], Action::Panel(PanelCommand::Edit), true, "Edit the expectation; an empty one is removed.";
    EXPECT, "check over seeds", [Key::char('c')], Action::Metrics(MetricsCommand::Check), true, "Grow dungeons from a hundred seeds, and count how many of them meet each expectation; press again to stop.";
    EXPECT, "failing seed", [Key::char('f')], Action::Panel(PanelCommand::OpenFailing), true, "Set the seed to the first one for which the expectation failed.";
    EXPECT, "remove", [Key::char('d'), Key::plain(KeyCode::Delete)], Action::Panel(PanelCommand::Entry(EntryCommand::Remove)), true, "Remove the expectation.";
    EXPECT, "move up", [Key::char('K')], Action::Panel(PanelCommand::Entry(EntryCommand::Shift(-1))), false, "Move the expectation up.";
    EXPECT, "move down", [Key::char('J')], Action::Panel(PanelCommand::Entry(EntryCommand::Shift(1))), false, "Move the expectation down.";
    Context::Panel(Panel::Problems), "go there", [Key::plain(KeyCode::Enter)], Action::Panel(PanelCommand::Edit), true, "Go to the entry or field that the problem is about.";
    Context::Typing, "accept", [Key::plain(KeyCode::Enter)], Action::Panel(PanelCommand::Take), true, "Accept the typed value. Most keys that do not edit the text also accept the value, except while you type a rule.";
    Context::Typing, "cancel", [Key::plain(KeyCode::Esc)], Action::Panel(PanelCommand::Leave), true, "Cancel and keep the old value.";
    Context::Typing, "line break", [Key::ctrl('j')], Action::Panel(PanelCommand::BreakLine), false, "Insert a line break in the notes.";
};
