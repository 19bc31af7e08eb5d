//! The conversation with one client: reads its lines, carries out their requests one after the other, and answers
//! each.

use std::io::{self, BufRead, Read as _, Write};

use serde_json::{Value, json};

use super::request::ParsedLine;
use super::{ControlError, ControlSender};
use crate::text::escape_json;

/// Length of the longest line that a client may send, in bytes.
pub(super) const LONGEST_LINE: u64 = 1 << 16;

/// A connection to a client, which sends one request after the other.
pub struct ControlClient {
    sender: ControlSender,
}

impl ControlClient {
    pub(super) const fn new(sender: ControlSender) -> Self {
        Self { sender }
    }

    /// Carries out the request on a line and returns the answer as one line. Neither line includes its line break.
    pub fn answer(&self, line: &[u8]) -> String {
        let ParsedLine { id, command } = ParsedLine::read(line);
        let done = command.and_then(|(command, timeout)| self.sender.ask(command, timeout));
        answer_line(&id, done)
    }

    /// Answers every line of `input` on `output`, until `input` ends or the client stops reading.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the client has disconnected or does not read its answers.
    pub(super) fn serve(&self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            let answer = match read_line(&mut input, &mut line)? {
                ReadLine::End => return Ok(()),
                ReadLine::TooLong => {
                    let message = format!("the line is too long: at most {LONGEST_LINE} bytes are allowed");
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

/// Returns an answer as a line of JSON, without its line break.
pub(super) fn answer_line(id: &Value, done: Result<Value, ControlError>) -> String {
    let answer = match done {
        Ok(value) => json!({"id": id, "ok": value}),
        Err(error) => json!({"id": id, "error": {"message": error.message, "help": error.help}}),
    };
    escape_json(&answer.to_string()).into_owned()
}

/// The result of reading a line.
enum ReadLine {
    /// A complete line. The last line of a stream may lack its line break.
    Whole,
    /// A line that was too long and has been skipped.
    TooLong,
    /// The end of the stream.
    End,
}

/// Reads the next line into `line`, without its line break.
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
