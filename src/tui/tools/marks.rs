//! The marks that drawing mode adds to the map: the preview, the selection, an arrow for each Builder that stage one
//! starts, the sites of the selected room, and the grid on which rooms are placed. The map draws the marks at every
//! zoom level.

use ratatui::style::Style;

use super::plan::pieces;
use super::preview::PlanAtCursor;
use super::{DrawState, Gesture, headings, rooms, select};
use crate::design::{Entry, PlacedVault, SiteCode};
use crate::engine::Tile;
use crate::engine::stage_one::Start;
use crate::geometry::Point;
use crate::tui::commands::{StrokeShape, Tool};
use crate::tui::editor::Editor;
use crate::tui::overlay::{Mark, SquareMarks};

/// Returns the squares of the selected entries.
pub(in crate::tui) fn marked(tools: &DrawState, editor: &Editor) -> Vec<SquareMarks> {
    let design = editor.document.design();
    let one = |entry: &Entry| SquareMarks::of(design, *entry);
    tools.selection.iter().map(one).collect()
}

/// Returns the marks to draw in addition to the squares of [`marked`], the lowest layer first.
pub(in crate::tui) fn marks(tools: &DrawState, editor: &Editor) -> Vec<Mark> {
    let mut marks = Vec::new();
    let theme = editor.theme;
    if tools.tool == Tool::Room && tools.placing == rooms::RoomPlacing::Grid {
        grid(tools, editor, &mut marks);
    }
    vaults(tools, editor, &mut marks);
    middles(tools, editor, &mut marks);
    if let Some(held) = &tools.held
        && tools.tool == Tool::Select
        && held.gesture == Gesture::Span
    {
        let edge = StrokeShape::Outline.squares(held.from, editor.map.cursor());
        let style = theme.accent();
        marks.extend(edge.into_iter().flatten().map(|at| Mark::drawn(at, ['░', '░'], style)));
    }
    if let PlanAtCursor::Preview(preview) = &tools.preview.found {
        marks.extend(preview.squares.iter().map(|(at, tile)| Mark {
            solid: !tile.is_open(),
            ..Mark::drawn(*at, glyphs(*tile), theme.highlight())
        }));
    }
    let starts = tools.preview.starts().iter();
    marks.extend(starts.map(|start| arrow(start, theme.builder(), theme.accent())));
    match &tools.preview.found {
        PlanAtCursor::Preview(preview) => marks.extend(
            preview
                .starts
                .iter()
                .map(|start| arrow(start, theme.highlight(), theme.accent())),
        ),
        PlanAtCursor::Rejected(_) if tools.tool != Tool::Select || tools.held.is_some() => {
            marks.push(Mark::glyph(editor.map.cursor(), ['×', '×'], theme.error()));
        }
        PlanAtCursor::Rejected(_) | PlanAtCursor::Nothing => {}
    }
    add_sites(tools, editor, &mut marks);
    marks
}

/// Returns the glyphs of a previewed tile for the two characters of a square; squares that become open are crossed out.
const fn glyphs(tile: Tile) -> [char; 2] {
    match tile {
        Tile::Open => ['╳', ' '],
        Tile::Guaranteed => ['·', ' '],
        Tile::Wall => ['█', '█'],
        Tile::HighWall => ['▓', '▓'],
        Tile::Column => ['▐', '▌'],
    }
}

/// Returns the mark of a Builder that stage one starts: an arrow for the Builder's heading and, if the map shows a
/// square as two characters, a second arrow for the Builder's Direction.
fn arrow(start: &Start, style: Style, beside: Style) -> Mark {
    let glyphs = [start.forward.arrow(), headings::arrow(start.direction)];
    Mark {
        beside,
        ..Mark::glyph(start.at, glyphs, style)
    }
}

fn grid(tools: &DrawState, editor: &Editor, marks: &mut Vec<Mark>) {
    let (rows, columns) = rooms::grid(tools.room.div, editor.document.design().layout.size);
    let style = editor.theme.quiet();
    for x in rows {
        marks.extend(columns.iter().map(|y| Mark {
            only_blank: true,
            ..Mark::glyph(Point::new(x, *y), ['+', ' '], style)
        }));
    }
}

/// Adds marks on all squares of the selected vaults.
fn vaults(tools: &DrawState, editor: &Editor, marks: &mut Vec<Mark>) {
    let selected = |piece: &&PlacedVault| tools.selection.contains(&Entry::Vault(piece.vault));
    let style = editor.theme.highlight();
    let pieces = pieces(editor).iter().filter(selected);
    marks.extend(pieces.flat_map(|piece| Mark::vault(piece, style)));
}

/// Adds a mark on the centre of each room. The user can drag a room by its centre.
fn middles(tools: &DrawState, editor: &Editor, marks: &mut Vec<Mark>) {
    let layout = &editor.document.design().layout;
    for (i, room) in layout.rooms.iter().enumerate() {
        let selected = tools.selection.contains(&Entry::Room(i));
        let style = if selected {
            editor.theme.highlight()
        } else {
            editor.theme.accent()
        };
        if let Some((center, _)) = room.center_and_reach(layout.size) {
            marks.push(Mark::glyph(center, ['◇', ' '], style));
        }
    }
}

/// Adds marks on the eight sites of the selected room, if it is the only selected entry.
fn add_sites(tools: &DrawState, editor: &Editor, marks: &mut Vec<Mark>) {
    let Some((_, room)) = select::room(tools, editor).filter(|_| tools.tool == Tool::Select) else {
        return;
    };
    let handles = rooms::handles(&room, editor.document.design().layout.size);
    for (site, at) in handles.into_iter().flatten().enumerate() {
        let glyphs = match room.site(site) {
            Some(SiteCode::Door) => ['∩', ' '],
            Some(SiteCode::Crawler { forward, direction, .. }) => [forward.arrow(), headings::arrow(Some(direction))],
            Some(SiteCode::Nothing) => ['□', ' '],
            None => ['?', ' '],
        };
        marks.push(Mark {
            beside: editor.theme.accent(),
            ..Mark::glyph(at, glyphs, editor.theme.selected(true))
        });
    }
}
