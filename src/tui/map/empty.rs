//! The hint shown on a map where nothing grows because the design has no first Crawler.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::recording::Frame;
use crate::tui::commands::{Action, DrawCommand, Tool};
use crate::tui::editor::Editor;
use crate::tui::widget::text::{put_centered, wrap};

/// Returns the hint, with the keys in effect; `None` in the player, or if something grows or may still grow.
fn hint(editor: &Editor, frame: &Frame, is_drawing: bool) -> Option<String> {
    let recording = editor.time.recording()?;
    let is_empty = recording.is_finished() && recording.turns() == 0 && frame.living().next().is_none();
    if !is_empty || editor.plays_only() || editor.regrows() {
        return None;
    }
    let key = |command| editor.keymap.key_of(Action::Tools(command));
    let [draw, crawler, apply] = [
        DrawCommand::Begin,
        DrawCommand::Choose(Tool::Crawler),
        DrawCommand::Apply,
    ]
    .map(key);
    Some(if is_drawing {
        format!("Press {crawler}, then {apply} to place a Crawler at the cursor.")
    } else {
        format!("Nothing grows yet. Press {draw}, then {crawler}, then {apply} to place a Crawler at the cursor.")
    })
}

/// Draws the hint into the upper part of the map, away from the cursor's initial position in the middle.
pub(super) fn draw(editor: &Editor, frame: &Frame, is_drawing: bool, window: Rect, buf: &mut Buffer) {
    let Some(hint) = hint(editor, frame, is_drawing) else {
        return;
    };
    let width = window.width.saturating_sub(4);
    let lines = wrap(&hint, width.into());
    let top = window.y + window.height / 4;
    let rows = window.rows().filter(|row| row.y >= top);
    for (row, line) in rows.zip(&lines) {
        put_centered(&format!(" {line} "), row, editor.theme.text(), buf);
    }
}

#[cfg(test)]
mod tests {
    use crate::design::Design;
    use crate::document::Document;
    use crate::tui::fixture::TestApp;

    #[test]
    fn an_empty_map_shows_a_hint_with_the_current_keys_until_something_grows() {
        let mut designer = TestApp::with(Document::new(Design::sized(60, 90), None), 120, 40);
        designer.grow();
        let text = designer.text();
        assert!(text.contains("Press d, then C, then Space to"), "{text}");
        designer.keys("d");
        let text = designer.text();
        assert!(text.contains("Press C, then Space to place a Crawler"), "{text}");
        designer.keys("C ");
        designer.grow();
        assert!(
            !designer.text().contains("to place a Crawler at the cursor."),
            "{}",
            designer.text()
        );
        assert!(designer.app.editor.time.turns() > 0);
        assert!(designer.app.next_change().is_some(), "the first wall is seen growing");
    }
}
