//! Key bindings of drawing mode.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::geometry::Forward;
use crate::tui::commands::{Action, DrawCommand, StrokeShape, Tool};

const fn act(command: DrawCommand) -> Action {
    Action::Tools(command)
}

const fn choose(tool: Tool) -> Action {
    act(DrawCommand::Choose(tool))
}

/// The bindings: one that enters drawing mode from the map, and those of the mode.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Map, "draw", [Key::char('d')], act(DrawCommand::Begin), true, "Draw on the map: place and drag rooms, walls, open squares, columns and first Crawlers.";
    Context::Tools, "apply", [Key::plain(KeyCode::Enter)], act(DrawCommand::Hold), true, "Take hold at the cursor, or let go: the first press begins a stroke, a line, a room or a move, the second applies it.";
    Context::Tools, "one", [Key::char(' ')], act(DrawCommand::Apply), false, "Do what a click does: apply the tool to the cursor's square, or end what was begun.";
    Context::Tools, "done", [Key::plain(KeyCode::Esc)], act(DrawCommand::Leave), true, "Give up what was begun; else leave drawing.";
    Context::Tools, "select", [Key::char('s')], choose(Tool::Select), false, "Select entries, move them, and click the sites of a room.";
    Context::Tools, "room", [Key::char('r')], choose(Tool::Room), false, "Place rooms: a click takes the width that is set, a drag from the middle sets it.";
    Context::Tools, "wall", [Key::char('w')], choose(Tool::Wall), false, "Draw wall tiles.";
    Context::Tools, "open", [Key::char('o')], choose(Tool::Open), false, "Draw squares that are guaranteed to stay open.";
    Context::Tools, "column", [Key::char('c')], choose(Tool::Column), false, "Draw columns.";
    Context::Tools, "Crawler", [Key::char('C')], choose(Tool::Crawler), false, "Place first Crawlers: a drag from the square sets heading and Direction.";
    Context::Tools, "erase", [Key::char('e')], choose(Tool::Erase), false, "Erase wall tiles, open squares, columns and first Crawlers.";
    Context::Tools, "pencil", [Key::char('1')], act(DrawCommand::Shape(StrokeShape::Pencil)), false, "Draw square by square.";
    Context::Tools, "line", [Key::char('2')], act(DrawCommand::Shape(StrokeShape::Line)), false, "Draw straight lines.";
    Context::Tools, "outline", [Key::char('3')], act(DrawCommand::Shape(StrokeShape::Outline)), false, "Draw the edges of rectangles.";
    Context::Tools, "filled", [Key::char('4')], act(DrawCommand::Shape(StrokeShape::Filled)), false, "Draw whole rectangles.";
    Context::Tools, "draw up", [Key::shift(KeyCode::Up)], act(DrawCommand::Extend(Forward::North)), false, "Take hold, if nothing is held, and move up by a square.";
    Context::Tools, "draw down", [Key::shift(KeyCode::Down)], act(DrawCommand::Extend(Forward::South)), false, "Take hold, if nothing is held, and move down by a square.";
    Context::Tools, "draw left", [Key::shift(KeyCode::Left)], act(DrawCommand::Extend(Forward::West)), false, "Take hold, if nothing is held, and move left by a square.";
    Context::Tools, "draw right", [Key::shift(KeyCode::Right)], act(DrawCommand::Extend(Forward::East)), false, "Take hold, if nothing is held, and move right by a square.";
    Context::Tools, "grab", [Key::char('g')], act(DrawCommand::Grab), true, "Take hold of what is selected, or of what is under the cursor: it moves with the cursor until Enter.";
    Context::Tools, "nudge up", [Key::alt_code(KeyCode::Up)], act(DrawCommand::Nudge(Forward::North)), false, "Move what is selected up by a square, a room on the grid by a division.";
    Context::Tools, "nudge down", [Key::alt_code(KeyCode::Down)], act(DrawCommand::Nudge(Forward::South)), false, "Move what is selected down by a square, a room on the grid by a division.";
    Context::Tools, "nudge left", [Key::alt_code(KeyCode::Left)], act(DrawCommand::Nudge(Forward::West)), false, "Move what is selected left by a square, a room on the grid by a division.";
    Context::Tools, "nudge right", [Key::alt_code(KeyCode::Right)], act(DrawCommand::Nudge(Forward::East)), false, "Move what is selected right by a square, a room on the grid by a division.";
    Context::Tools, "remove", [Key::char('d'), Key::plain(KeyCode::Delete)], act(DrawCommand::Remove), true, "Remove what is selected.";
    Context::Tools, "copy", [Key::char('y'), Key::ctrl('y')], act(DrawCommand::Copy), false, "Copy what is selected.";
    Context::Tools, "put", [Key::char('p'), Key::ctrl('v')], act(DrawCommand::Put), false, "Take the copy to the cursor; Enter or a click puts it down.";
    Context::Tools, "duplicate", [Key::char('D'), Key::ctrl('d')], act(DrawCommand::Duplicate), false, "Copy what is selected and take the copy to the cursor.";
    Context::Tools, "lay drawing", [Key::char('a')], act(DrawCommand::Lay), false, "Choose a maze in text, a picture or a map of Tiled: its walls come to the cursor, and Enter or a click lays them into the design.";
    Context::Tools, "select all", [Key::ctrl('a')], act(DrawCommand::All), false, "Select every room, square, Crawler and vault.";
    Context::Tools, "below", [Key::char('b')], act(DrawCommand::Below), false, "Select what else is on the cursor's square.";
    Context::Tools, "next site", [Key::char('n')], act(DrawCommand::Site(1)), false, "Move the cursor to the next site of the selected room.";
    Context::Tools, "site before", [Key::char('N')], act(DrawCommand::Site(-1)), false, "Move the cursor to the site before of the selected room.";
    Context::Tools, "change", [Key::char('x')], act(DrawCommand::Change(1)), false, "At a site of the selected room: nothing, a door, a Crawler; at a first Crawler: how it ends.";
    Context::Tools, "change back", [Key::char('X')], act(DrawCommand::Change(-1)), false, "The same the other way round.";
    Context::Tools, "door width", [Key::char('W')], act(DrawCommand::Doors), false, "Another width for the selected room's doors: those of corners at a corner, else those of the middles.";
    Context::Tools, "turn", [Key::char('t')], act(DrawCommand::Turn), false, "Turn the first Crawler, or those selected, by a quarter.";
    Context::Tools, "Direction", [Key::char('T')], act(DrawCommand::Redirect), false, "Another Direction for the first Crawler, or those selected.";
    Context::Tools, "wider", [Key::char(']')], act(DrawCommand::Widen(1)), false, "Make the room wider, and those selected.";
    Context::Tools, "narrower", [Key::char('[')], act(DrawCommand::Widen(-1)), false, "Make the room narrower, and those selected.";
    Context::Tools, "finer", [Key::char('}')], act(DrawCommand::Divide(1)), false, "Divide the dungeon into more parts for rooms on the grid.";
    Context::Tools, "coarser", [Key::char('{')], act(DrawCommand::Divide(-1)), false, "Divide the dungeon into fewer parts for rooms on the grid.";
    Context::Tools, "free", [Key::char('f')], act(DrawCommand::Free), false, "Place rooms on any square, or on the grid of their div again.";
};
