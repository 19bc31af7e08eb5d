//! The marks that drawing mode adds to the map: the preview, the selection, first Crawlers as arrows, the sites of a
//! room and the grid of divisions. The map draws them at every zoom level.

use ratatui::style::Style;

use super::plan::pieces;
use super::preview::PlanAtCursor;
use super::{Gesture, Tool, headings, rooms, select, shape};
use crate::design::{Entry, PlacedVault, SiteCode};
use crate::engine::Tile;
use crate::engine::stage_one::Start;
use crate::geometry::Point;
use crate::tui::app::App;
use crate::tui::map::{Mark, SquareMarks, feature_glyph, is_filled};

/// Returns the squares of the selected entries.
pub(in crate::tui) fn marked(app: &App) -> Vec<SquareMarks> {
    let design = app.editor.document.design();
    let one = |entry: &Entry| SquareMarks::of(design, *entry);
    app.tools.selection.iter().map(one).collect()
}

/// Returns all other marks, the lowest layer first.
pub(in crate::tui) fn marks(app: &App) -> Vec<Mark> {
    let mut marks = Vec::new();
    let theme = app.editor.theme;
    if app.tools.tool == Tool::Room && app.tools.placing == rooms::RoomPlacing::Grid {
        grid(app, &mut marks);
    }
    vaults(app, &mut marks);
    middles(app, &mut marks);
    if let Some(held) = &app.tools.held
        && app.tools.tool == Tool::Select
        && held.gesture == Gesture::Span
    {
        let edge = shape::StrokeShape::Outline.squares(held.from, app.editor.map.cursor());
        let style = theme.accent();
        marks.extend(edge.into_iter().flatten().map(|at| Mark::drawn(at, ['░', '░'], style)));
    }
    if let PlanAtCursor::Ghost(ghost) = &app.tools.preview.found {
        marks.extend(ghost.squares.iter().map(|(at, tile)| Mark {
            solid: !tile.is_open(),
            ..Mark::drawn(*at, glyphs(*tile), theme.highlight())
        }));
    }
    let starts = app.tools.preview.starts().iter();
    marks.extend(starts.map(|start| arrow(start, theme.builder(), theme.accent())));
    match &app.tools.preview.found {
        PlanAtCursor::Ghost(ghost) => marks.extend(
            ghost
                .starts
                .iter()
                .map(|start| arrow(start, theme.highlight(), theme.accent())),
        ),
        PlanAtCursor::Refused(_) if app.tools.tool != Tool::Select || app.tools.held.is_some() => {
            marks.push(Mark::sign(app.editor.map.cursor(), ['×', '×'], theme.error()));
        }
        PlanAtCursor::Refused(_) | PlanAtCursor::Nothing => {}
    }
    sites(app, &mut marks);
    marks
}

/// Returns the two glyphs of a previewed tile; squares that become open are crossed out.
const fn glyphs(tile: Tile) -> [char; 2] {
    match tile {
        Tile::Open => ['╳', ' '],
        Tile::Guaranteed => ['·', ' '],
        Tile::Wall => ['█', '█'],
        Tile::HighWall => ['▓', '▓'],
        Tile::Column => ['▐', '▌'],
    }
}

/// Returns the mark of a first Crawler: its heading, and its Direction where a square has two characters.
fn arrow(start: &Start, style: Style, beside: Style) -> Mark {
    let glyphs = [start.forward.arrow(), headings::arrow(start.direction)];
    Mark {
        beside,
        ..Mark::sign(start.at, glyphs, style)
    }
}

fn grid(app: &App, marks: &mut Vec<Mark>) {
    let (rows, columns) = rooms::grid(app.tools.room.div, app.editor.document.design().layout.size);
    let style = app.editor.theme.quiet();
    for x in rows {
        marks.extend(columns.iter().map(|y| Mark {
            only_blank: true,
            ..Mark::sign(Point::new(x, *y), ['+', ' '], style)
        }));
    }
}

/// Adds the marks of the selected vaults, all their squares.
fn vaults(app: &App, marks: &mut Vec<Mark>) {
    let selected = |piece: &&PlacedVault| app.tools.selection.contains(&Entry::Vault(piece.vault));
    for (at, feature) in pieces(app).iter().filter(selected).flat_map(PlacedVault::features) {
        let glyph = feature_glyph(feature).unwrap_or(' ');
        marks.push(Mark {
            solid: PlacedVault::is_wall(feature),
            ..Mark::drawn(
                at,
                [glyph, if is_filled(glyph) { glyph } else { ' ' }],
                app.editor.theme.highlight(),
            )
        });
    }
}

/// Adds the centres of rooms, which serve as handles for dragging.
fn middles(app: &App, marks: &mut Vec<Mark>) {
    let layout = &app.editor.document.design().layout;
    for (i, room) in layout.rooms.iter().enumerate() {
        let selected = app.tools.selection.contains(&Entry::Room(i));
        let style = if selected {
            app.editor.theme.highlight()
        } else {
            app.editor.theme.accent()
        };
        if let Some((center, _)) = room.stands(layout.size) {
            marks.push(Mark::sign(center, ['◇', ' '], style));
        }
    }
}

/// Adds the eight sites of a room, if it is the only selected entry.
fn sites(app: &App, marks: &mut Vec<Mark>) {
    let Some((_, room)) = select::room(app).filter(|_| app.tools.tool == Tool::Select) else {
        return;
    };
    let handles = rooms::handles(&room, app.editor.document.design().layout.size);
    for (site, at) in handles.into_iter().flatten().enumerate() {
        let glyphs = match room.site(site) {
            Some(SiteCode::Door) => ['∩', ' '],
            Some(SiteCode::Crawler { forward, direction, .. }) => [forward.arrow(), headings::arrow(Some(direction))],
            Some(SiteCode::Nothing) => ['□', ' '],
            None => ['?', ' '],
        };
        marks.push(Mark {
            beside: app.editor.theme.accent(),
            ..Mark::sign(at, glyphs, app.editor.theme.selected(true))
        });
    }
}
