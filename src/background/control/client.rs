//! The conversation with one client: its lines are read, carried out one after the other, and answered.

use std::io::{self, BufRead, Read as _, Write};

use serde_json::{Value, json};

use super::request::ParsedLine;
use super::{ControlError, ControlSender};
use crate::text::escape_json;

/// Longest line of a client, in bytes.
pub(super) const LONGEST_LINE: u64 = 1 << 16;

/// A client, which sends one request after the other.
pub struct ControlClient {
    sender: ControlSender,
}

impl ControlClient {
    pub(super) const fn new(sender: ControlSender) -> Self {
        Self { sender }
    }

    /// Carries out the request of a line, without its end, and returns the answer as one line without its end.
    pub fn answer(&self, line: &[u8]) -> String {
        let ParsedLine { id, command } = ParsedLine::read(line);
        let done = command.and_then(|(command, timeout)| self.sender.ask(command, timeout));
        answer_line(&id, done)
    }

    /// Answers every line of a stream, until it ends or the client no longer reads.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the client is gone.
    pub(super) fn serve(&self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            let answer = match read_line(&mut input, &mut line)? {
                ReadLine::End => return Ok(()),
                ReadLine::TooLong => {
                    let message = format!("a line has at most {LONGEST_LINE} bytes");
                    let error = ControlError::new(message, "end each request with a line break");
                    answer_line(&Value::Null, Err(error))
                }
                ReadLine::Whole if line.trim_ascii().is_empty() => continue,
                ReadLine::Whole => self.answer(&line),
            };
            output.write_all(answer.as_bytes())?;
            output.write_all(b"\n")?;
            output.flush()?;
        }
    }
}

/// Returns the line of an answer.
pub(super) fn answer_line(id: &Value, done: Result<Value, ControlError>) -> String {
    let answer = match done {
        Ok(value) => json!({"id": id, "ok": value}),
        Err(error) => json!({"id": id, "error": {"message": error.message, "help": error.help}}),
    };
    escape_json(&answer.to_string()).into_owned()
}

/// What was read of a stream.
enum ReadLine {
    /// A line, or the last one without its end.
    Whole,
    /// A line that is too long; it was skipped.
    TooLong,
    /// The end of the stream.
    End,
}

/// Reads the next line, without its end.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<ReadLine> {
    line.clear();
    let mut is_too_long = false;
    loop {
        let count = input.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', line)?;
        let is_complete = line.last() == Some(&b'\n');
        if is_complete {
            line.pop();
        }
        is_too_long |= line.len() as u64 > LONGEST_LINE;
        if is_complete || count == 0 {
            return Ok(match (is_too_long, count) {
                (true, _) => ReadLine::TooLong,
                (false, 0) if line.is_empty() => ReadLine::End,
                (false, _) => ReadLine::Whole,
            });
        }
        if is_too_long {
            line.clear();
        }
    }
}
