//! Key bindings of the map, the legend, the panes and the wall-frequency map.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::geometry::Forward;
use crate::tui::commands::{Action, ColourMode, LegendCommand, MapCommand};
use crate::tui::tabs::View;
use crate::tui::widget::list::ListStep;

macro_rules! keys {
    ($($name:literal, [$($key:expr),*], $command:expr, $foot:literal, $help:literal;)*) => {
        &[$(Binding {
            context: Context::Map,
            name: $name,
            keys: &[$($key),*],
            action: Action::Map($command),
            help: $help,
            foot: $foot,
        }),*]
    };
}

/// Key bindings of the map.
pub(super) static KEYS: &[Binding] = keys! {
    "up", [Key::plain(KeyCode::Up), Key::char('k')], MapCommand::Step(Forward::North), false, "Move the cursor up.";
    "down", [Key::plain(KeyCode::Down), Key::char('j')], MapCommand::Step(Forward::South), false, "Move the cursor down.";
    "left", [Key::plain(KeyCode::Left), Key::char('h')], MapCommand::Step(Forward::West), false, "Move the cursor left.";
    "right", [Key::plain(KeyCode::Right), Key::char('l')], MapCommand::Step(Forward::East), false, "Move the cursor right.";
    "far up", [Key::shift(KeyCode::Up), Key::char('K')], MapCommand::Stride(Forward::North), false, "Move the cursor up by eight squares.";
    "far down", [Key::shift(KeyCode::Down), Key::char('J')], MapCommand::Stride(Forward::South), false, "Move the cursor down by eight squares.";
    "far left", [Key::shift(KeyCode::Left), Key::char('H')], MapCommand::Stride(Forward::West), false, "Move the cursor left by eight squares.";
    "far right", [Key::shift(KeyCode::Right), Key::char('L')], MapCommand::Stride(Forward::East), false, "Move the cursor right by eight squares.";
    "page up", [Key::plain(KeyCode::PageUp)], MapCommand::Page(Forward::North), false, "Move up by the number of rows that the map shows.";
    "page down", [Key::plain(KeyCode::PageDown)], MapCommand::Page(Forward::South), false, "Move down by the number of rows that the map shows.";
    "page left", [Key::plain(KeyCode::Home)], MapCommand::Page(Forward::West), false, "Move left by the number of columns that the map shows.";
    "page right", [Key::plain(KeyCode::End)], MapCommand::Page(Forward::East), false, "Move right by the number of columns that the map shows.";
    "zoom in", [Key::char('+'), Key::char('=')], MapCommand::Nearer, true, "Draw squares larger.";
    "zoom out", [Key::char('-')], MapCommand::Farther, false, "Draw squares smaller.";
    "fit", [Key::char('0'), Key::char('f')], MapCommand::Fit, true, "Show the whole dungeon, as large as possible.";
    "map only", [Key::char('m')], MapCommand::Alone, true, "Switch between the map alone and the map with the panels beside it.";
    "centre", [Key::char('c')], MapCommand::Center, false, "Centre the map on the cursor.";
    "colour by", [Key::char('t')], MapCommand::NextColours(1), true, "Draw the map in the next way: colours of generations, age, lineage or kind, or digits without colours.";
    "previous colours", [Key::alt('t')], MapCommand::NextColours(-1), false, "Draw the map in the previous way.";
    "colour by generation", [], MapCommand::Colour(ColourMode::Generation), false, "Colour tiles by the generation that laid them.";
    "colour by age", [], MapCommand::Colour(ColourMode::Age), false, "Colour tiles by when they were laid, from the first turn to the last.";
    "colour by lineage", [], MapCommand::Colour(ColourMode::Lineage), false, "Colour tiles by the first Crawler in the ancestry of their Builder.";
    "colour by kind", [], MapCommand::Colour(ColourMode::Kind), false, "Colour squares by kind: walls, high walls, columns, squares kept open, features of vaults.";
    "plain digits", [], MapCommand::Colour(ColourMode::Digits), false, "Show the digits of generations without colours, as DungeonMaker prints them.";
    "what changed", [Key::char('w')], MapCommand::Changes, false, "Show what the last edit changed: compare the dungeon with the one on the screen before the edit, and colour the tiles that appeared, vanished or stayed the same.";
    "hide generation", [Key::char('x')], MapCommand::Hide, false, "Hide the generation that laid the tile under the cursor, or show it again.";
    "generation alone", [Key::char('X')], MapCommand::ShowAlone, false, "Show only the generation of the tile under the cursor, or every generation again.";
    "show all", [Key::char('z')], MapCommand::ShowAll, false, "Show every generation again.";
    "look ahead", [Key::char('a')], MapCommand::Ahead, false, "Show the look-ahead of awake Builders: free squares ahead, the first row that is not free, the squares on which they may build next, and their Direction. If many Builders are awake, only eight are shown: the followed one first, then those nearest to the cursor.";
    "small map", [Key::char('n')], MapCommand::SmallMap, false, "Turn the small map on or off. It shows the whole dungeon in a corner when the map shows only a part.";
    "pixels", [], MapCommand::Pixels, false, "Switch the map between pixels and characters, in terminals that show pictures.";
    "overview", [], MapCommand::Overview, false, "When the map is zoomed out far, draw it with the next kind of characters: Braille dots, quadrants, octants, or an automatic choice.";
    "light background", [], MapCommand::LightGround, false, "Switch between colours for a light and for a dark background.";
};

const HERE: Context = Context::View(View::Legend);

/// Key bindings of the legend.
pub(super) static LEGEND_KEYS: &[Binding] = bindings! {
    HERE, "line up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Map(MapCommand::Legend(LegendCommand::Select(ListStep::By(-1)))), false, "Select the line above.";
    HERE, "line down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Map(MapCommand::Legend(LegendCommand::Select(ListStep::By(1)))), false, "Select the line below.";
    HERE, "hide", [Key::char(' '), Key::plain(KeyCode::Enter), Key::char('x')], Action::Map(MapCommand::Legend(LegendCommand::Toggle)), true, "On the map, hide the generation of this line, or show it again.";
    HERE, "alone", [Key::char('X')], Action::Map(MapCommand::Legend(LegendCommand::Alone)), true, "Show only this line's generation, or every generation again.";
    HERE, "show all", [Key::char('z')], Action::Map(MapCommand::ShowAll), true, "Show every generation again.";
    HERE, "colour by", [Key::char('t')], Action::Map(MapCommand::NextColours(1)), true, "Colour the map by the next mode: generation, age, lineage, kind, or plain digits.";
    HERE, "previous colours", [Key::alt('t')], Action::Map(MapCommand::NextColours(-1)), false, "Colour the map by the previous mode.";
};

/// Key bindings that resize and fold the panes.
pub(super) static PANE_KEYS: &[Binding] = bindings! {
    Context::Everywhere, "larger map", [Key::alt_code(KeyCode::Right)], Action::Map(MapCommand::Widen(4)), false, "Give the map more of the screen; you can also drag its border with the mouse.";
    Context::Everywhere, "smaller map", [Key::alt_code(KeyCode::Left)], Action::Map(MapCommand::Widen(-4)), false, "Give the panels and views more of the screen.";
    Context::Everywhere, "automatic panes", [], Action::Map(MapCommand::AutoPanes), false, "Divide the screen so that the dungeon is as large as possible.";
    Context::Everywhere, "fold views", [Key::alt('f')], Action::Map(MapCommand::FoldViews), false, "Fold the views to their tabs, or unfold them.";
};

/// Key binding that shows the wall-frequency map.
pub(super) static WALL_FREQUENCY_KEYS: &[Binding] = bindings! {
    Context::Everywhere, "wall frequency", [Key::char('M')], Action::Map(MapCommand::WallFrequency), false, "Colour the map by how often each square is a wall over hundreds of seeds: which squares are the same for every seed, and which vary; press again to stop.";
};
