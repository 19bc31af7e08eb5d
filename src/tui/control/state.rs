//! The state of the designer as JSON.

use serde_json::{Value, json};

use crate::tui::app::App;
use crate::tui::editor::{Focus, NoticeLevel};

/// Maximum length of each list: of diagnostics, of undo steps, and of redo steps.
const MOST: usize = 50;

impl App {
    /// Describes the design, its growth, its history, the cursor, the focus, and the messages and the dialog on the
    /// screen.
    pub(super) fn state_json(&self) -> Value {
        let editor = &self.editor;
        let (document, time) = (&editor.document, &editor.time);
        let design = document.design();
        let size = design.layout.size;
        let files: Vec<String> = document.files().iter().map(|path| path.display().to_string()).collect();
        let diagnostics = document.diagnostics().take(MOST).map(|found| {
            json!({
                "severity": found.severity.to_string(),
                "message": found.message,
                "help": found.help,
            })
        });
        let diagnostics: Vec<Value> = diagnostics.collect();
        let steps: Vec<&str> = document.steps().collect();
        let (done, undone) = steps.split_at(document.step().min(steps.len()));
        let cursor = editor.map.cursor();
        let contexts: Vec<String> = self.contexts().iter().map(|context| context.id()).collect();
        json!({
            "design": {
                "title": document.title(),
                "seed": design.seed,
                "rows": size.x,
                "columns": size.y,
                "files": files,
                "unsaved": document.is_dirty(),
            },
            "diagnostics": diagnostics,
            "growth": {
                "grown": time.is_grown(),
                "turn": time.turn(),
                "turns": time.turns(),
                "playing": time.is_playing(),
            },
            "history": {
                "done": done.iter().rev().take(MOST).rev().collect::<Vec<_>>(),
                "undone": undone.iter().take(MOST).collect::<Vec<_>>(),
            },
            "cursor": {"row": cursor.x, "column": cursor.y},
            "focus": match editor.focus {
                Focus::Map => "map",
                Focus::Panel => editor.panel.title(),
                Focus::View => editor.view.title(),
            },
            "contexts": contexts,
            "message": editor.status.notice.as_ref().map(|(level, text)| json!({
                "level": match level {
                    NoticeLevel::Done => "done",
                    NoticeLevel::Warning => "warning",
                    NoticeLevel::Error => "error",
                },
                "text": text,
            })),
            "dialog": self.dialog_message(),
            "alert": editor.status.unkept.as_ref().or(editor.status.alert.as_ref()),
        })
    }
}
