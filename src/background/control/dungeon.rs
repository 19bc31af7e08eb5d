//! Answers a client's questions about the dungeon of the open design: its metrics, its picture, or a file of any
//! export kind.
//!
//! The dungeon is grown once more, as in an export, unless it comes from a recording file. This isolates it from edits
//! by the user.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::super::job::{Ticket, panic_text};
use super::ControlError;
use crate::design::ValidDesign;
use crate::export::{self, DungeonView, ExportError, ExportKind, ExportOptions};
use crate::recording_file::RecordingFile;

/// Largest size of an exported dungeon in an answer, in bytes.
const LARGEST: usize = 32 << 20;

/// Which content of the dungeon the client requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DungeonContent {
    /// The metrics.
    Metrics,
    /// The content of a file of this kind.
    File(ExportKind),
}

/// A question about a dungeon. Answering it takes too long for the event loop.
#[derive(Debug, Clone)]
pub struct DungeonQuery {
    /// Design from which the dungeon is grown.
    pub design: ValidDesign,
    /// Recording from which the design was opened. If present, the dungeon is read from this recording instead of
    /// being grown.
    pub recorded: Option<Arc<RecordingFile>>,
    /// Number of turns after which the dungeon is described; `None` for the end of its growth.
    pub turn: Option<u64>,
    /// What the answer contains.
    pub content: DungeonContent,
    /// Options for the export and for the growth.
    pub options: ExportOptions,
}

impl DungeonQuery {
    /// Grows the dungeon and returns the answer. Stops soon after `ticket` is cancelled.
    ///
    /// # Errors
    ///
    /// Returns why there is no answer: the export kind cannot represent the dungeon, the file is too large, or `ticket`
    /// was cancelled.
    pub fn answer(&self, ticket: &Ticket) -> Result<Value, ControlError> {
        let work = || self.grow(ticket);
        let done = catch_unwind(AssertUnwindSafe(work));
        done.unwrap_or_else(|panic| {
            let message = format!("internal error: {}", panic_text(panic.as_ref()));
            Err(ControlError::new(message, "please report it with the design"))
        })
        .map_err(|error| ControlError {
            help: if error.help.is_empty() {
                "use another format or a smaller scale, or the action `everywhere.export`".to_owned()
            } else {
                error.help
            },
            ..error
        })
    }

    fn grow(&self, ticket: &Ticket) -> Result<Value, ControlError> {
        let mut watch = |_, _| {
            if ticket.is_cancelled() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let grown;
        let recording = if let Some(file) = &self.recorded {
            &file.recording
        } else {
            grown = DungeonView::grow(&self.design, self.options.engine, &mut watch).map_err(failed)?;
            &grown
        };
        let dungeon = DungeonView::new(&self.design, recording, self.turn.unwrap_or(u64::MAX));
        let mut answer = json!({
            "seed": self.design.seed,
            "rows": dungeon.size().x,
            "columns": dungeon.size().y,
            "turn": dungeon.clock().turn,
            "turns": recording.turns(),
        });
        match self.content {
            DungeonContent::Metrics => answer["metrics"] = export::metrics_json(&dungeon),
            DungeonContent::File(kind) => {
                let mut file = LimitedBuffer(Vec::new());
                let name = format!("dungeon.{}", kind.about().endings.first().unwrap_or(&"txt"));
                export::write(kind, &dungeon, &self.options, &name, &mut file, &mut watch).map_err(failed)?;
                answer["format"] = kind.name().into();
                let (member, content) = content(kind, file.0)?;
                answer[member] = content;
            }
        }
        Ok(answer)
    }
}

/// Returns the name and the value of the member that holds a file's content in the answer: `json` with the JSON itself,
/// `text` with UTF-8 text, or `base64` with any other content.
fn content(kind: ExportKind, file: Vec<u8>) -> Result<(&'static str, Value), ControlError> {
    if kind == ExportKind::Json {
        let value = serde_json::from_slice(&file);
        return value
            .map(|value| ("json", value))
            .map_err(|error| ControlError::new(error.to_string(), ""));
    }
    Ok(match String::from_utf8(file) {
        Ok(text) => ("text", text.into()),
        Err(bytes) => ("base64", STANDARD.encode(bytes.as_bytes()).into()),
    })
}

#[expect(clippy::needless_pass_by_value, reason = "an argument of `map_err`")]
fn failed(error: ExportError) -> ControlError {
    // Nothing waits for the answer to an interrupted query, so an interruption needs no message of its own.
    ControlError::new(error.to_string(), "")
}

/// A buffer that returns an error when more than [`LARGEST`] bytes are written.
struct LimitedBuffer(Vec<u8>);

impl Write for LimitedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LARGEST {
            let megabytes = LARGEST >> 20;
            return Err(io::Error::other(format!("the answer is larger than {megabytes} MiB")));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
