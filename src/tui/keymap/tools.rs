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

/// The binding that enters drawing mode from the map, and the bindings within drawing mode.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Map, "draw", [Key::char('d')], act(DrawCommand::Begin), true, "Draw on the map: place and drag rooms, walls, open squares, columns and first Crawlers.";
    Context::Tools, "apply", [Key::plain(KeyCode::Enter)], act(DrawCommand::Hold), true, "Press once to start a stroke, line, room or move at the cursor; press again to apply it.";
    Context::Tools, "click", [Key::char(' ')], act(DrawCommand::Apply), false, "Do what a click does: apply the tool to the cursor's square, or finish the stroke.";
    Context::Tools, "done", [Key::plain(KeyCode::Esc)], act(DrawCommand::Leave), true, "Cancel the stroke or move; if nothing is in progress, close the drawing tools.";
    Context::Tools, "select", [Key::char('s')], choose(Tool::Select), false, "Select rooms, squares, Crawlers, vaults and named places, and move them. A click on a site of the selected room (a corner or the middle of a wall) changes what is there: nothing, a door or a Crawler.";
    Context::Tools, "room", [Key::char('r')], choose(Tool::Room), false, "Place rooms: a click uses the current width; a drag from the middle of the room sets the width.";
    Context::Tools, "wall", [Key::char('w')], choose(Tool::Wall), false, "Draw wall tiles.";
    Context::Tools, "open square", [Key::char('o')], choose(Tool::Open), false, "Draw squares that always stay open.";
    Context::Tools, "column", [Key::char('c')], choose(Tool::Column), false, "Draw columns.";
    Context::Tools, "Crawler", [Key::char('C')], choose(Tool::Crawler), false, "Place first Crawlers: drag from a Crawler's square to set its heading; a slanted drag also sets a diagonal Direction.";
    Context::Tools, "erase", [Key::char('e')], choose(Tool::Erase), false, "Erase wall tiles, open squares, columns and first Crawlers.";
    Context::Tools, "pencil", [Key::char('1')], act(DrawCommand::Shape(StrokeShape::Pencil)), false, "Draw square by square.";
    Context::Tools, "line", [Key::char('2')], act(DrawCommand::Shape(StrokeShape::Line)), false, "Draw straight lines.";
    Context::Tools, "outline", [Key::char('3')], act(DrawCommand::Shape(StrokeShape::Outline)), false, "Draw the edges of rectangles.";
    Context::Tools, "filled", [Key::char('4')], act(DrawCommand::Shape(StrokeShape::Filled)), false, "Draw filled rectangles.";
    Context::Tools, "draw up", [Key::shift(KeyCode::Up)], act(DrawCommand::Extend(Forward::North)), false, "Start a stroke if none is in progress, and move up by one square.";
    Context::Tools, "draw down", [Key::shift(KeyCode::Down)], act(DrawCommand::Extend(Forward::South)), false, "Start a stroke if none is in progress, and move down by one square.";
    Context::Tools, "draw left", [Key::shift(KeyCode::Left)], act(DrawCommand::Extend(Forward::West)), false, "Start a stroke if none is in progress, and move left by one square.";
    Context::Tools, "draw right", [Key::shift(KeyCode::Right)], act(DrawCommand::Extend(Forward::East)), false, "Start a stroke if none is in progress, and move right by one square.";
    Context::Tools, "grab", [Key::char('g')], act(DrawCommand::Grab), true, "Pick up the selection, or else the entry under the cursor: it moves with the cursor until you apply the move.";
    Context::Tools, "nudge up", [Key::alt_code(KeyCode::Up)], act(DrawCommand::Nudge(Forward::North)), false, "Move the selection up by one square. A single room whose centre follows a grid (see `div` in the Rooms panel) moves by one step of the grid.";
    Context::Tools, "nudge down", [Key::alt_code(KeyCode::Down)], act(DrawCommand::Nudge(Forward::South)), false, "Move the selection down by one square. A single room whose centre follows a grid (see `div` in the Rooms panel) moves by one step of the grid.";
    Context::Tools, "nudge left", [Key::alt_code(KeyCode::Left)], act(DrawCommand::Nudge(Forward::West)), false, "Move the selection left by one square. A single room whose centre follows a grid (see `div` in the Rooms panel) moves by one step of the grid.";
    Context::Tools, "nudge right", [Key::alt_code(KeyCode::Right)], act(DrawCommand::Nudge(Forward::East)), false, "Move the selection right by one square. A single room whose centre follows a grid (see `div` in the Rooms panel) moves by one step of the grid.";
    Context::Tools, "remove", [Key::char('d'), Key::plain(KeyCode::Delete)], act(DrawCommand::Remove), true, "Remove the selection.";
    Context::Tools, "copy", [Key::char('y')], act(DrawCommand::Copy), false, "Copy the selection.";
    Context::Tools, "paste", [Key::char('p'), Key::ctrl('v')], act(DrawCommand::Paste), false, "Paste the copy: it moves with the cursor until you apply it with a key or a click.";
    Context::Tools, "duplicate", [Key::char('D'), Key::ctrl('d')], act(DrawCommand::Duplicate), false, "Duplicate the selection: the copy moves with the cursor until you apply it with a key or a click.";
    Context::Tools, "import drawing", [Key::char('a')], act(DrawCommand::ImportDrawing), false, "Import a text maze, a picture or a Tiled map: its walls move with the cursor until you apply them with a key or a click.";
    Context::Tools, "select all", [Key::ctrl('a')], act(DrawCommand::All), false, "Select every room, square, Crawler, vault and named place.";
    Context::Tools, "below", [Key::char('b')], act(DrawCommand::Below), false, "Where several entries overlap at the cursor, select the next one below; after the lowest, select the topmost.";
    Context::Tools, "next site", [Key::char('n')], act(DrawCommand::Site(1)), false, "Move the cursor to the next site of the selected room.";
    Context::Tools, "previous site", [Key::char('N')], act(DrawCommand::Site(-1)), false, "Move the cursor to the previous site of the selected room.";
    Context::Tools, "change", [Key::char('x')], act(DrawCommand::Change(1)), false, "At a site of the selected room, change what is there: nothing, a door or a Crawler. Elsewhere, change the termination of the selected first Crawlers. While you are placing a Crawler, change its termination instead.";
    Context::Tools, "change in reverse", [Key::char('X')], act(DrawCommand::Change(-1)), false, "Change to the previous instead of the next choice.";
    Context::Tools, "door width", [Key::char('W')], act(DrawCommand::Doors), false, "Change the width of the center doors of the selected rooms or, if no room is selected, of new rooms. If the selection is a single room and the cursor is on one of its corners, change the width of its corner doors instead.";
    Context::Tools, "turn", [Key::char('t')], act(DrawCommand::Turn), false, "Turn the selected first Crawlers, or the Crawler that you are placing, by 90°.";
    Context::Tools, "Direction", [Key::char('T')], act(DrawCommand::Redirect), false, "Change the Direction of the selected first Crawlers, or of the Crawler that you are placing.";
    Context::Tools, "wider", [Key::char(']')], act(DrawCommand::Widen(1)), false, "Widen the selected rooms, or the room that you are placing.";
    Context::Tools, "narrower", [Key::char('[')], act(DrawCommand::Widen(-1)), false, "Narrow the selected rooms, or the room that you are placing.";
    Context::Tools, "finer", [Key::char('}')], act(DrawCommand::Divide(1)), false, "Make the grid on which rooms are placed finer.";
    Context::Tools, "coarser", [Key::char('{')], act(DrawCommand::Divide(-1)), false, "Make the grid on which rooms are placed coarser.";
    Context::Tools, "free", [Key::char('f')], act(DrawCommand::Free), false, "Allow rooms on any square, or restrict them again to the grid that their `div` defines.";
};
