//! Key bindings of the comparison.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::geometry::Forward;
use crate::tui::commands::{Action, CompareCommand};
use crate::tui::widget::list::ListStep;

const fn act(command: CompareCommand) -> Action {
    Action::Compare(command)
}

/// Bindings that open the comparison, and bindings inside it.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Everywhere, "compare", [Key::char('Z')], act(CompareCommand::Open), false, "Show the design before and after the last edit side by side, and which metrics differ significantly.";
    Context::Gallery, "compare", [Key::char('c')], act(CompareCommand::Seeds), true, "Compare the selected seed with the most recently marked seed.";
    Context::Compare, "another design", [Key::char('o')], act(CompareCommand::Other), true, "Choose another design, from a file or a preset, to compare with.";
    Context::Compare, "last edit", [Key::char('Z'), Key::char('b')], act(CompareCommand::Open), false, "Compare the design before and after the last edit.";
    Context::Compare, "iteration", [Key::char('.')], act(CompareCommand::Step(1)), true, "Go forward one iteration in both dungeons: every awake Builder acts once.";
    Context::Compare, "previous iteration", [Key::char(',')], act(CompareCommand::Step(-1)), false, "Go back one iteration.";
    Context::Compare, "ten iterations", [Key::char('>')], act(CompareCommand::Step(10)), false, "Go forward ten iterations.";
    Context::Compare, "ten iterations back", [Key::char('<')], act(CompareCommand::Step(-10)), false, "Go back ten iterations.";
    Context::Compare, "generation", [Key::char('}')], act(CompareCommand::Step(100)), false, "Go forward a generation (100 iterations).";
    Context::Compare, "previous generation", [Key::char('{')], act(CompareCommand::Step(-100)), false, "Go back a generation.";
    Context::Compare, "to the start", [Key::char('g')], act(CompareCommand::Start), true, "Go to the start of the growth of both dungeons.";
    Context::Compare, "to the end", [Key::char('G')], act(CompareCommand::End), false, "Go to the end of the growth of both dungeons.";
    Context::Compare, "play", [Key::char(' ')], act(CompareCommand::Play), true, "Play the growth of both dungeons, or pause.";
    Context::Compare, "colours", [Key::char('t')], act(CompareCommand::Colours), true, "Colour squares by difference, or by generation.";
    Context::Compare, "zoom in", [Key::char('+'), Key::char('=')], act(CompareCommand::Zoom(1)), false, "Zoom in: draw both dungeons larger.";
    Context::Compare, "zoom out", [Key::char('-')], act(CompareCommand::Zoom(-1)), false, "Zoom out: draw both dungeons smaller.";
    Context::Compare, "fit", [Key::char('0'), Key::char('f')], act(CompareCommand::Fit), false, "Show the whole of both dungeons.";
    Context::Compare, "up", [Key::plain(KeyCode::Up), Key::char('k')], act(CompareCommand::Move(Forward::North)), false, "Move the cursor up in both dungeons.";
    Context::Compare, "down", [Key::plain(KeyCode::Down), Key::char('j')], act(CompareCommand::Move(Forward::South)), false, "Move the cursor down in both dungeons.";
    Context::Compare, "left", [Key::plain(KeyCode::Left), Key::char('h')], act(CompareCommand::Move(Forward::West)), false, "Move the cursor left in both dungeons.";
    Context::Compare, "right", [Key::plain(KeyCode::Right), Key::char('l')], act(CompareCommand::Move(Forward::East)), false, "Move the cursor right in both dungeons.";
    Context::Compare, "next metric", [Key::char('s')], act(CompareCommand::Metric(ListStep::By(1))), true, "Select the next metric and show its histograms.";
    Context::Compare, "previous metric", [Key::char('S')], act(CompareCommand::Metric(ListStep::By(-1))), false, "Select the previous metric.";
    Context::Compare, "page down", [Key::plain(KeyCode::PageDown)], act(CompareCommand::Metric(ListStep::Page(1))), false, "Move down one page of metrics.";
    Context::Compare, "page up", [Key::plain(KeyCode::PageUp)], act(CompareCommand::Metric(ListStep::Page(-1))), false, "Move up one page of metrics.";
    Context::Compare, "first metric", [Key::plain(KeyCode::Home)], act(CompareCommand::Metric(ListStep::First)), false, "Select the first metric.";
    Context::Compare, "last metric", [Key::plain(KeyCode::End)], act(CompareCommand::Metric(ListStep::Last)), false, "Select the last metric.";
    Context::Compare, "metrics or maps", [Key::plain(KeyCode::Tab)], act(CompareCommand::Page), true, "Show the maps alone, as large as possible; then the metrics alone; then both again, if there is room.";
    Context::Compare, "more seeds", [Key::char('n')], act(CompareCommand::More), false, "Double the number of seeds compared, up to 1,600.";
    Context::Compare, "keep left", [Key::char('1')], act(CompareCommand::Keep(0)), false, "Continue with the left side: open its seed, or undo the edit.";
    Context::Compare, "keep right", [Key::char('2'), Key::plain(KeyCode::Enter)], act(CompareCommand::Keep(1)), true, "Continue with the right side: open its seed, or the other design.";
    Context::Compare, "help", [Key::char('?'), Key::plain(KeyCode::F(1))], Action::Help, true, "Show every key and what it does.";
    Context::Compare, "palette", [Key::char(':'), Key::ctrl('p')], Action::Palette, false, "Find an action by name and run it.";
    Context::Compare, "suspend", [], Action::Suspend, false, "Suspend the program and return to the shell; `fg` resumes it.";
    Context::Compare, "close", [Key::plain(KeyCode::Esc), Key::char('q'), Key::ctrl('c')], act(CompareCommand::Close), true, "Close the comparison.";
};
