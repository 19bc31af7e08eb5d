//! The conversation with one client: reads its lines, carries out their requests one after the other, and answers
//! each.

use std::io::{self, BufRead, Read as _, Write};
use std::time::Duration;

use serde_json::{Value, json};

use super::request::ParsedLine;
use super::{ControlError, ControlSender};
use crate::text::{escape_json, thousands};

/// Length of the longest line that a client may send, in bytes.
pub(super) const LONGEST_LINE: u64 = 1 << 16;

/// Timeout of a write to a client.
pub(super) const WAIT: Duration = Duration::from_millis(100);

/// A client is disconnected if more than this many writes to it time out in a row: after about ten seconds.
const MOST_WAITS: u32 = 100;

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

    /// Answers every line of `input` on `output`, except blank lines, until `input` ends or the client stops reading.
    /// A write to `output` must time out after [`WAIT`].
    ///
    /// # Errors
    ///
    /// Returns the system's error if the client has disconnected or does not read its answers.
    pub(super) fn serve(&self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            let mut answer = match read_line(&mut input, &mut line)? {
                ReadLine::End => return Ok(()),
                ReadLine::TooLong => {
                    let message = format!(
                        "the line is too long: at most {} bytes are allowed",
                        thousands(LONGEST_LINE)
                    );
                    let error = ControlError::new(message, "end each request with a line break");
                    answer_line(&Value::Null, Err(error))
                }
                ReadLine::Whole if line.trim_ascii().is_empty() => continue,
                ReadLine::Whole => self.answer(&line),
            };
            answer.push('\n');
            write_patiently(&mut output, answer.as_bytes())?;
            output.flush()?;
        }
    }
}

/// Writes all bytes. Fails if more than [`MOST_WAITS`] writes in a row time out. With one long timeout instead of many
/// short ones, a client that reads nothing could block its thread for twice as long: a write that has sent some of the
/// bytes before it times out counts as a success, and the next write waits for the whole timeout again.
fn write_patiently(output: &mut impl Write, mut bytes: &[u8]) -> io::Result<()> {
    let mut waits = 0;
    while !bytes.is_empty() {
        match output.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => {
                bytes = &bytes[count..];
                waits = 0;
            }
            Err(error) => match error.kind() {
                io::ErrorKind::Interrupted => {}
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut if waits < MOST_WAITS => waits += 1,
                _ => return Err(error),
            },
        }
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A client that accepts four bytes, then nothing during `waits` timeouts, and so on.
    struct Slow {
        waits: u32,
        left: u32,
        received: Vec<u8>,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if let Some(left) = self.left.checked_sub(1) {
                self.left = left;
                return Err(io::ErrorKind::WouldBlock.into());
            }
            self.left = self.waits;
            let count = bytes.len().min(4);
            self.received.extend(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_client_is_disconnected_only_after_too_many_timeouts_in_a_row() {
        for (waits, is_served) in [(0, true), (MOST_WAITS, true), (MOST_WAITS + 1, false)] {
            let mut client = Slow {
                waits,
                left: 0,
                received: Vec::new(),
            };
            let written = write_patiently(&mut client, b"an answer in parts");
            assert_eq!(written.is_ok(), is_served, "{waits}");
            assert_eq!(client.received == b"an answer in parts", is_served, "{waits}");
        }
    }
}
