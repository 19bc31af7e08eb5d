//! Ends a mouse drag if the part of the interface where it began does not learn that the button was released.
//!
//! Normally, each part of the interface ends its own drag when the button is released. The part does not learn of the
//! release if a dialog or a full screen receives the mouse event, or if the terminal does not report the event, for
//! example because the pointer was over another window.

use crossterm::event::{MouseButton, MouseEventKind};

use super::app::App;
use super::{panels, tools};
use crate::tui::screens::Screen;
use crate::tui::walk::WalkState;

impl App {
    /// Returns whether the mouse drags something in the workspace.
    pub(super) fn is_dragged(&self) -> bool {
        self.panels.is_dragged()
            || self.tools.is_dragged()
            || self.editor.is_dividing
            || self.editor.map.is_dragged()
            || self.editor.time.is_dragged()
            || self.editor.walk.as_ref().is_some_and(WalkState::is_dragged)
    }

    /// Ends all drags if the event shows that the button has been released: the pointer moves without a button, or a
    /// button is pressed. The drags end as if the release had been reported.
    pub(super) fn end_missed_drags(&mut self, event: MouseEventKind) {
        let is_released = match event {
            MouseEventKind::Moved | MouseEventKind::Down(MouseButton::Left) => true,
            // During a gesture of a drawing tool, the right button cancels it and the middle button scrolls the map.
            MouseEventKind::Down(_) => !self.tools.is_dragged(),
            _ => false,
        };
        if is_released {
            self.screens.compare.release();
            let in_panel = panels::entry(&self.panels, &self.editor);
            tools::finish_drag(&mut self.tools, &mut self.editor, in_panel);
            self.end_drags();
        }
    }

    /// Ends the drags in the parts that a dialog, a full screen or a walk covers: the covered parts receive no mouse
    /// events. Gestures of drawing tools are cancelled.
    pub(super) fn end_covered_drags(&mut self) {
        let has_dialog = self.dialogs.open.is_some();
        let screen = self.screens.open.top();
        if has_dialog || screen != Some(Screen::Compare) {
            self.screens.compare.release();
        }
        if has_dialog || screen.is_some() {
            tools::cancel_drag(&mut self.tools, &mut self.editor);
            self.end_drags();
        }
        // The timeline of a walk covers that of the growth.
        if self.editor.walk.is_some() {
            self.editor.time.drag(false);
        }
    }

    /// Ends the drags in the workspace, except gestures of drawing tools. What they have changed remains.
    fn end_drags(&mut self) {
        panels::release(&mut self.panels, &mut self.editor);
        self.editor.is_dividing = false;
        self.editor.map.release();
        self.editor.time.drag(false);
        if let Some(walk) = &mut self.editor.walk {
            walk.drag(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};

    use super::{App, Screen};
    use crate::document::Document;
    use crate::presets::Preset;
    use crate::tui::editor::Focus;
    use crate::tui::fixture::TestApp;

    const DOWN: MouseEventKind = MouseEventKind::Down(MouseButton::Left);
    const UP: MouseEventKind = MouseEventKind::Up(MouseButton::Left);

    /// Returns an app in which the mouse has begun a drag of each kind, except with a drawing tool, and the position of
    /// the pointer.
    fn dragged() -> Vec<(&'static str, TestApp, (u16, u16))> {
        let begun = |name, mut designer: TestApp, place: fn(&TestApp) -> (u16, u16)| {
            designer.chord(KeyModifiers::ALT, '1');
            let at = place(&designer);
            designer.mouse(DOWN, at.0, at.1);
            assert!(designer.app.is_dragged(), "{name}");
            (name, designer, at)
        };
        let grown = || TestApp::grown(120, 40);
        let on_bar = |designer: &TestApp| {
            let time = designer.app.editor.areas.time;
            (time.x + 20, time.bottom() - 2)
        };
        let design = Preset::find("first-steps").unwrap().design();
        let mut walking = TestApp::with(Document::new(design, None), 120, 40);
        walking.grow();
        walking.keys("G");
        walking.chord(KeyModifiers::ALT, 'g');
        assert!(walking.app.editor.walk.is_some());
        vec![
            begun("map", grown(), |designer| {
                let map = designer.app.editor.areas.map;
                (map.x + 9, map.y + 9)
            }),
            begun("border", grown(), |designer| {
                let map = designer.app.editor.areas.map;
                (map.right() - 1, map.y + 9)
            }),
            begun("timeline", grown(), on_bar),
            begun("walk", walking, on_bar),
            begun("slider", grown(), |designer| {
                let (panel, screen) = (designer.app.editor.areas.panel, designer.screen());
                let knob = panel.positions().find(|at| screen[*at].symbol() == "●").unwrap();
                (knob.x, knob.y)
            }),
        ]
    }

    /// Checks that the next click goes to the pane under the pointer.
    fn assert_over(name: &str, mut designer: TestApp) {
        assert!(!designer.app.is_dragged(), "{name}");
        designer.app.editor.focus = Focus::Map;
        let panel = designer.app.editor.areas.panel;
        designer.click(panel.x + 3, panel.y + 3);
        assert_eq!(designer.app.editor.focus, Focus::Panel, "{name}");
    }

    #[test]
    fn a_release_in_a_dialog_or_full_screen_ends_the_drag() {
        for key in ['?', ':', 'Y'] {
            for (name, mut designer, at) in dragged() {
                let is_covered =
                    |app: &App| app.dialogs.open.is_some() || app.screens.open.top() == Some(Screen::Gallery);
                designer.press(KeyCode::Char(key));
                assert!(is_covered(&designer.app), "{name}");
                designer.mouse(UP, at.0, at.1);
                designer.press(KeyCode::Esc);
                assert!(!is_covered(&designer.app), "{name}");
                assert_over(name, designer);
            }
        }
    }

    #[test]
    fn a_walk_that_begins_during_a_drag_of_the_timeline_ends_it() {
        let design = Preset::find("first-steps").unwrap().design();
        let mut designer = TestApp::with(Document::new(design, None), 120, 40);
        designer.grow();
        designer.keys("G");
        let time = designer.app.editor.areas.time;
        designer.mouse(DOWN, time.right() - 4, time.bottom() - 2);
        assert!(designer.app.is_dragged());
        designer.chord(KeyModifiers::ALT, 'g');
        assert!(designer.app.editor.walk.is_some() && !designer.app.is_dragged());
    }

    #[test]
    fn a_drag_ends_when_the_pointer_moves_without_a_button() {
        for (name, mut designer, at) in dragged() {
            designer.mouse(MouseEventKind::Moved, at.0 + 1, at.1);
            assert_over(name, designer);
        }
    }

    #[test]
    fn a_press_after_a_release_that_was_not_reported_is_a_click() {
        for (name, mut designer, _) in dragged() {
            designer.app.editor.focus = Focus::Map;
            let panel = designer.app.editor.areas.panel;
            designer.click(panel.x + 3, panel.y + 3);
            assert_eq!(designer.app.editor.focus, Focus::Panel, "{name}");
        }
    }
}
