//! Draws the squares that the map shows, with layers, marks, Builders and the cursor.

use ratatui::buffer::Buffer;

use super::lookahead::{LookaheadOverlay, shows_builders};
use super::scene::Scene;
use super::{cover, marked};
use crate::recording::{BuilderState, Frame};
use crate::tui::editor::{Editor, Focus};
use crate::tui::overlay::MapOverlays;
use crate::tui::viewport::{MapWindow, Zoom};
use crate::tui::widget::text::replace_glyph;

/// Draws the squares of a viewport, and everything on them except the cursor.
pub(super) fn draw(
    editor: &Editor,
    overlays: &MapOverlays<'_>,
    (scene, frame): (&Scene<'_>, &Frame),
    lookahead: Option<&LookaheadOverlay>,
    view: &MapWindow,
    buf: &mut Buffer,
) {
    for row in view.area.top()..view.area.bottom() {
        for column in view.area.left()..view.area.right() {
            let (glyph, style) = scene.character(view, column, row);
            buf[(column, row)].set_char(glyph).set_style(style);
        }
    }
    if let Some(layer) = &overlays.layer {
        cover::draw(editor.theme, layer, view, buf);
    }
    marked::draw(editor, overlays, view, buf);
    if let Some(lookahead) = lookahead {
        lookahead.draw_squares(editor, view, buf);
    }
    if shows_builders(editor) {
        draw_builders(scene, frame, view, buf);
    }
    if let Some(lookahead) = lookahead {
        lookahead.draw_ways(editor, view, buf);
    }
}

fn draw_builders(scene: &Scene<'_>, frame: &Frame, view: &MapWindow, buf: &mut Buffer) {
    let theme = scene.theme;
    // Too many Builders would cover what they build.
    let few = frame.awake().saturating_mul(8) < view.area.area();
    // Awake Builders are drawn last, so that no sleeping Builder hides them.
    for state in [BuilderState::Asleep, BuilderState::Awake] {
        // At far zoom levels, the many sleeping Builders would hide the walls.
        if state == BuilderState::Asleep && matches!(view.zoom, Zoom::Dots(_)) {
            continue;
        }
        for (_, builder) in frame.living().filter(|(_, builder)| builder.state == state) {
            let Some((column, row)) = view.character_of(builder.at) else {
                continue;
            };
            let wall = scene.color(builder.at);
            let (glyph, style) = match (state, view.zoom) {
                (BuilderState::Asleep, _) => (builder.forward.arrow(), theme.sleeper(wall)),
                (_, Zoom::Dots(1)) => ('•', theme.distant_builder()),
                // At zoom levels farther than `Dots(1)`, Builders only highlight the characters under them, and only if
                // few Builders are awake.
                (_, Zoom::Dots(_)) if !few => continue,
                (_, Zoom::Dots(_)) => {
                    if let Some(cell) = buf.cell_mut((column, row)) {
                        cell.set_style(theme.distant_builder());
                    }
                    continue;
                }
                (_, _) => (builder.forward.arrow(), theme.builder()),
            };
            for i in 0..view.zoom.width() as u16 {
                replace_glyph(glyph, (column + i, row), style, buf);
            }
        }
    }
}

/// Returns whether a walk is in progress and the cursor is on the walker's square.
pub(super) fn is_walker(editor: &Editor) -> bool {
    let walker = editor.walk.as_ref().map(|state| state.walk().at());
    walker == Some(editor.map.cursor())
}

pub(super) fn draw_cursor(editor: &Editor, view: &MapWindow, buf: &mut Buffer) {
    let Some((column, row)) = view.character_of(editor.map.cursor()) else {
        return;
    };
    let glyphs: &[char] = match view.zoom {
        _ if is_walker(editor) => &['@'],
        Zoom::Double => &['[', ']'],
        Zoom::Half | Zoom::Dots(_) => &['+'],
    };
    let style = editor.theme.cursor(editor.focus == Focus::Map);
    for (i, glyph) in (0..).zip(glyphs) {
        replace_glyph(*glyph, (column + i, row), style, buf);
    }
}
