//! Key bindings of the seed gallery, its atlas, its filter and its list of metrics.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, SeedGalleryCommand};
use crate::tui::widget::list::ListStep;

const fn act(command: SeedGalleryCommand) -> Action {
    Action::Gallery(command)
}

/// Key bindings of the seed gallery.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Everywhere, "gallery", [Key::char('Y')], act(SeedGalleryCommand::Open), true, "Show the design's dungeons from many seeds side by side as they grow: sort them, filter them, open one.";
    Context::Everywhere, "atlas", [Key::alt('a')], act(SeedGalleryCommand::Atlas), false, "Show what else the design could be: a search tries other parameter values, and fills the atlas, a grid over two metrics, with the resulting dungeons.";
    Context::Gallery, "open seed", [Key::plain(KeyCode::Enter)], act(SeedGalleryCommand::Enter), true, "Open the selected seed in the designer; undo restores the old seed.";
    Context::Gallery, "mark", [Key::char(' ')], act(SeedGalleryCommand::Mark), true, "Mark or unmark the selected seed; marks stay when the gallery is closed.";
    Context::Gallery, "only marked", [Key::char('m')], act(SeedGalleryCommand::OnlyMarked), false, "Show marked seeds only, or all.";
    Context::Gallery, "sort by", [Key::char('s')], act(SeedGalleryCommand::NextMetric(1)), true, "Sort by the next metric and show it under each dungeon.";
    Context::Gallery, "previous sort", [Key::char('S')], act(SeedGalleryCommand::NextMetric(-1)), false, "Sort by the previous metric.";
    Context::Gallery, "metrics", [Key::char('f')], act(SeedGalleryCommand::Metrics), true, "Choose the sort metric from a list.";
    Context::Gallery, "range", [Key::char('v')], act(SeedGalleryCommand::Range), true, "Show the expressive range: a grid with one metric on each axis and the number of dungeons in each cell. A sample dungeon of the selected cell is shown beside the grid. Press again to return to the dungeons.";
    Context::Gallery, "atlas", [Key::char('a')], act(SeedGalleryCommand::Atlas), true, "Go to the atlas. Its axes are those of the range, but its cells show dungeons that the design would have with other parameter values.";
    Context::Gallery, "horizontal axis", [Key::char('x')], act(SeedGalleryCommand::Axis(0)), false, "Choose a metric from a list for the range's horizontal axis.";
    Context::Gallery, "vertical axis", [Key::char('y')], act(SeedGalleryCommand::Axis(1)), false, "Choose a metric from a list for the range's vertical axis.";
    Context::Gallery, "reverse", [Key::char('r')], act(SeedGalleryCommand::Reverse), true, "Reverse the order.";
    Context::Gallery, "filter", [Key::char('/')], act(SeedGalleryCommand::Filter), true, "Show only dungeons that satisfy a condition, such as path > 250 and dead-ends < 30.";
    Context::Gallery, "more like these", [Key::char('L')], act(SeedGalleryCommand::Learn), true, "Search for parameter values with which the design's dungeons resemble the marked ones, or the selected one if none is marked.";
    Context::Gallery, "100 more", [Key::char('n')], act(SeedGalleryCommand::More(100)), true, "Grow dungeons from 100 more seeds; moving past the last dungeon does the same.";
    Context::Gallery, "1,000 more", [Key::char('N')], act(SeedGalleryCommand::More(1000)), false, "Grow dungeons from 1,000 more seeds.";
    Context::Gallery, "larger", [Key::char('+'), Key::char('=')], act(SeedGalleryCommand::Nearer(1)), true, "Draw the dungeons larger.";
    Context::Gallery, "smaller", [Key::char('-')], act(SeedGalleryCommand::Nearer(-1)), true, "Draw the dungeons smaller.";
    Context::Gallery, "replay", [Key::char('p')], act(SeedGalleryCommand::GrowAgain), false, "Replay the growth of the dungeons on the screen.";
    Context::Gallery, "right", [Key::plain(KeyCode::Right), Key::char('l')], act(SeedGalleryCommand::Next(1)), false, "Select the next dungeon.";
    Context::Gallery, "left", [Key::plain(KeyCode::Left), Key::char('h')], act(SeedGalleryCommand::Next(-1)), false, "Select the previous dungeon.";
    Context::Gallery, "down", [Key::plain(KeyCode::Down), Key::char('j')], act(SeedGalleryCommand::Select(ListStep::By(1))), false, "Select the dungeon below.";
    Context::Gallery, "up", [Key::plain(KeyCode::Up), Key::char('k')], act(SeedGalleryCommand::Select(ListStep::By(-1))), false, "Select the dungeon above.";
    Context::Gallery, "page down", [Key::plain(KeyCode::PageDown)], act(SeedGalleryCommand::Select(ListStep::Page(1))), false, "Move down one page of dungeons.";
    Context::Gallery, "page up", [Key::plain(KeyCode::PageUp)], act(SeedGalleryCommand::Select(ListStep::Page(-1))), false, "Move up one page of dungeons.";
    Context::Gallery, "first", [Key::plain(KeyCode::Home), Key::char('g')], act(SeedGalleryCommand::Select(ListStep::First)), false, "Select the first dungeon.";
    Context::Gallery, "last", [Key::plain(KeyCode::End), Key::char('G')], act(SeedGalleryCommand::Select(ListStep::Last)), false, "Select the last dungeon.";
    Context::Gallery, "undo", [Key::char('u'), Key::ctrl('z')], Action::Undo, false, "Undo the last edit of the design.";
    Context::Gallery, "redo", [Key::char('U'), Key::ctrl('r'), Key::ctrl('y')], Action::Redo, false, "Redo the edit that was undone.";
    Context::Gallery, "help", [Key::char('?'), Key::plain(KeyCode::F(1))], Action::Help, true, "Show every key and what it does.";
    Context::Gallery, "palette", [Key::char(':'), Key::ctrl('p')], Action::Palette, false, "Find an action by name and run it.";
    Context::Gallery, "suspend", [], Action::Suspend, false, "Suspend the program and return to the shell; `fg` resumes it.";
    Context::Gallery, "close", [Key::plain(KeyCode::Esc), Key::char('q'), Key::char('Y'), Key::ctrl('c')], act(SeedGalleryCommand::Close), true, "Go back to the design.";
    Context::Atlas, "open cell", [Key::plain(KeyCode::Enter)], act(SeedGalleryCommand::Enter), true, "Give the design the parameter values of the selected cell, and the seed of its typical dungeon, as one edit that can be undone.";
    Context::Atlas, "mark", [Key::char(' ')], act(SeedGalleryCommand::Mark), true, "Mark or unmark the selected cell; two cells can be marked.";
    Context::Atlas, "breed", [Key::char('b')], act(SeedGalleryCommand::Breed), true, "Cross the two marked cells: for each generation, and for the constants as a whole, a child gets the values of one parent or the other. This stops the search until you continue it.";
    Context::Atlas, "stop or continue", [Key::char('p')], act(SeedGalleryCommand::Pause), true, "Stop the search, or continue it.";
    Context::Atlas, "500 more", [Key::char('n')], act(SeedGalleryCommand::More(500)), true, "Try 500 more candidates.";
    Context::Atlas, "2,500 more", [Key::char('N')], act(SeedGalleryCommand::More(2500)), false, "Try 2,500 more candidates.";
    Context::Atlas, "file", [Key::char('w')], act(SeedGalleryCommand::File), true, "Keep the atlas in a file from now on, or continue an atlas that is already in a file, such as one written by `wallcrawler atlas`.";
    Context::Atlas, "horizontal axis", [Key::char('x')], act(SeedGalleryCommand::Axis(0)), true, "Choose a metric from a list for the horizontal axis. Each pair of metrics has its own atlas.";
    Context::Atlas, "vertical axis", [Key::char('y')], act(SeedGalleryCommand::Axis(1)), true, "Choose a metric from a list for the vertical axis. Each pair of metrics has its own atlas.";
    Context::Atlas, "seeds", [Key::char('a')], act(SeedGalleryCommand::Atlas), true, "Go back to the seed gallery: the design's own dungeons, one for each seed.";
    Context::Atlas, "range", [Key::char('v')], act(SeedGalleryCommand::Range), false, "Show the range of the design with the same axes: how different its dungeons are from seed to seed.";
    Context::Atlas, "right", [Key::plain(KeyCode::Right), Key::char('l')], act(SeedGalleryCommand::Next(1)), false, "Select the next filled cell to the right.";
    Context::Atlas, "left", [Key::plain(KeyCode::Left), Key::char('h')], act(SeedGalleryCommand::Next(-1)), false, "Select the next filled cell to the left.";
    Context::Atlas, "down", [Key::plain(KeyCode::Down), Key::char('j')], act(SeedGalleryCommand::Select(ListStep::By(1))), false, "Select the next filled cell below.";
    Context::Atlas, "up", [Key::plain(KeyCode::Up), Key::char('k')], act(SeedGalleryCommand::Select(ListStep::By(-1))), false, "Select the next filled cell above.";
    Context::Atlas, "page down", [Key::plain(KeyCode::PageDown)], act(SeedGalleryCommand::Select(ListStep::Page(1))), false, "Move down by four cells that contain a design; empty cells are skipped.";
    Context::Atlas, "page up", [Key::plain(KeyCode::PageUp)], act(SeedGalleryCommand::Select(ListStep::Page(-1))), false, "Move up by four cells that contain a design; empty cells are skipped.";
    Context::Atlas, "first", [Key::plain(KeyCode::Home), Key::char('g')], act(SeedGalleryCommand::Select(ListStep::First)), false, "Select the first filled cell. The cells are ordered from the bottom row to the top row.";
    Context::Atlas, "last", [Key::plain(KeyCode::End), Key::char('G')], act(SeedGalleryCommand::Select(ListStep::Last)), false, "Select the last filled cell. The cells are ordered from the bottom row to the top row.";
    Context::Atlas, "undo", [Key::char('u'), Key::ctrl('z')], Action::Undo, false, "Undo the last edit of the design.";
    Context::Atlas, "redo", [Key::char('U'), Key::ctrl('r'), Key::ctrl('y')], Action::Redo, false, "Redo the edit that was undone.";
    Context::Atlas, "help", [Key::char('?'), Key::plain(KeyCode::F(1))], Action::Help, true, "Show every key and what it does.";
    Context::Atlas, "palette", [Key::char(':'), Key::ctrl('p')], Action::Palette, false, "Find an action by name and run it.";
    Context::Atlas, "suspend", [], Action::Suspend, false, "Suspend the program and return to the shell; `fg` resumes it.";
    Context::Atlas, "close", [Key::plain(KeyCode::Esc), Key::char('q'), Key::char('Y'), Key::ctrl('c')], act(SeedGalleryCommand::Close), true, "Go back to the design; the search stops until the atlas is shown again.";
    Context::AtlasFile, "accept", [Key::plain(KeyCode::Enter)], act(SeedGalleryCommand::Accept), true, "Keep the atlas in this file from now on; if the file already contains an atlas, continue that atlas. With an empty path, the atlas is no longer kept in a file.";
    Context::AtlasFile, "cancel", [Key::plain(KeyCode::Esc), Key::ctrl('c')], act(SeedGalleryCommand::Cancel), true, "Cancel and change nothing.";
    Context::SeedFilter, "accept", [Key::plain(KeyCode::Enter)], act(SeedGalleryCommand::Accept), true, "Apply the typed condition; an empty one shows all dungeons.";
    Context::SeedFilter, "cancel", [Key::plain(KeyCode::Esc), Key::ctrl('c')], act(SeedGalleryCommand::Cancel), true, "Cancel and keep the old condition.";
    Context::MetricList, "choose", [Key::plain(KeyCode::Enter)], act(SeedGalleryCommand::Accept), true, "Sort by the selected metric, or use it for the axis; a click on it does the same.";
    Context::MetricList, "down", [Key::plain(KeyCode::Down), Key::char('j'), Key::plain(KeyCode::Tab)], act(SeedGalleryCommand::Field(ListStep::By(1))), true, "Select the next metric.";
    Context::MetricList, "up", [Key::plain(KeyCode::Up), Key::char('k'), Key::plain(KeyCode::BackTab)], act(SeedGalleryCommand::Field(ListStep::By(-1))), true, "Select the previous metric.";
    Context::MetricList, "page down", [Key::plain(KeyCode::PageDown)], act(SeedGalleryCommand::Field(ListStep::Page(1))), false, "Move down one page of metrics.";
    Context::MetricList, "page up", [Key::plain(KeyCode::PageUp)], act(SeedGalleryCommand::Field(ListStep::Page(-1))), false, "Move up one page of metrics.";
    Context::MetricList, "first", [Key::plain(KeyCode::Home), Key::char('g')], act(SeedGalleryCommand::Field(ListStep::First)), false, "Select the first metric.";
    Context::MetricList, "last", [Key::plain(KeyCode::End), Key::char('G')], act(SeedGalleryCommand::Field(ListStep::Last)), false, "Select the last metric.";
    Context::MetricList, "cancel", [Key::plain(KeyCode::Esc), Key::char('q'), Key::char('f'), Key::ctrl('c')], act(SeedGalleryCommand::Cancel), true, "Keep the current order or axis.";
};
