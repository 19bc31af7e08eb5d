//! Messages of the language server protocol over two streams. One thread reads messages, another writes them.
//!
//! A message consists of a header with the length of the content, and the content as JSON. Text that is not a message
//! is dropped and reported, and reading continues with the next header, so that one invalid message does not end the
//! server.

use std::io::{self, BufRead, Read as _, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

use lsp_server::Message;

/// Largest length of a message, in bytes. Longer messages are dropped.
const LARGEST: u64 = 64 << 20;

/// Largest number of bytes of a header line that are read at a time.
const LONGEST_LINE: u64 = 1 << 16;

/// Input from the editor.
#[derive(Debug)]
pub enum Incoming {
    /// A valid message.
    Message(Message),
    /// Text that was dropped because it is not a message. Contains the reason.
    Dropped(String),
}

/// A connection to an editor.
pub struct EditorConnection {
    /// Messages from the editor. The channel is disconnected at the end of the editor's stream.
    pub inbox: Receiver<Incoming>,
    /// Messages to the editor.
    pub outbox: Sender<Message>,
    writer: JoinHandle<io::Result<()>>,
}

impl EditorConnection {
    /// Starts the threads of a connection.
    ///
    /// # Errors
    ///
    /// Fails if the system cannot start a thread.
    pub fn new(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<Self> {
        let (sender, inbox) = channel();
        let (outbox, receiver) = channel();
        // This thread is not joined: it may wait for the editor until the process ends.
        Builder::new()
            .name("lsp-read".to_owned())
            .spawn(move || read_all(input, &sender))?;
        let writer = Builder::new()
            .name("lsp-write".to_owned())
            .spawn(move || write_all(output, &receiver))?;
        Ok(Self { inbox, outbox, writer })
    }

    /// Waits until all messages in the outbox are written.
    ///
    /// # Errors
    ///
    /// Fails if the editor no longer reads its input.
    pub fn finish(self) -> io::Result<()> {
        drop(self.outbox);
        self.writer
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the writing thread failed")))
    }
}

/// Sends every message of `input` to the server, until the input ends or the server stops receiving.
fn read_all(mut input: impl BufRead, server: &Sender<Incoming>) {
    while let Ok(Some(incoming)) = read(&mut input) {
        if server.send(incoming).is_err() {
            return;
        }
    }
}

/// Writes every message to `output`, until the channel is disconnected.
fn write_all(mut output: impl Write, messages: &Receiver<Message>) -> io::Result<()> {
    messages.iter().try_for_each(|message| message.write(&mut output))
}

/// Reads the next message. Returns `None` at the end of the stream.
fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let dropped = |why: String| Ok(Some(Incoming::Dropped(why)));
    let length = match header(input)? {
        Header::Length(length) if length <= LARGEST => length,
        Header::Length(length) => {
            io::copy(&mut input.take(length), &mut io::sink())?;
            return dropped(format!("it has {length} bytes, more than {LARGEST}"));
        }
        Header::NoLength => return dropped("it has no valid Content-Length".to_owned()),
        Header::End => return Ok(None),
    };
    let mut text = Vec::new();
    input.take(length).read_to_end(&mut text)?;
    if (text.len() as u64) < length {
        return Ok(None);
    }
    match serde_json::from_slice(&text) {
        Ok(message) => Ok(Some(Incoming::Message(message))),
        Err(error) => dropped(error.to_string()),
    }
}

/// The result of reading a header.
enum Header {
    /// Length of the message, in bytes.
    Length(u64),
    /// The header contains no valid length.
    NoLength,
    /// The stream has ended.
    End,
}

/// Reads the header of a message, up to and including its blank line.
fn header(input: &mut impl BufRead) -> io::Result<Header> {
    const NAME: &str = "content-length:";
    let mut header = Header::NoLength;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(Header::End);
        }
        if line.trim_ascii().is_empty() {
            return Ok(header);
        }
        // If the length of the previous message was wrong, the rest of that message may precede the header name on this
        // line.
        let text = String::from_utf8_lossy(&line).to_ascii_lowercase();
        if let Some(at) = text.rfind(NAME) {
            let length = text[at + NAME.len()..].trim().parse();
            header = length.map_or(Header::NoLength, Header::Length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<String> {
        let mut input = bytes;
        let mut found = Vec::new();
        while let Some(incoming) = read(&mut input).expect("a slice never fails") {
            found.push(match incoming {
                Incoming::Message(Message::Notification(notification)) => notification.method,
                Incoming::Message(message) => format!("{message:?}"),
                Incoming::Dropped(_) => "dropped".to_owned(),
            });
        }
        found
    }

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn reading_continues_after_text_that_is_not_a_message() {
        let good = framed(r#"{"jsonrpc":"2.0","method":"a"}"#);
        for garbage in [
            "hello\r\n\r\n".to_owned(),
            framed("{"),
            framed("[]"),
            framed("\u{0}"),
            framed(r#"{"id":{},"method":1}"#),
            framed(&"[".repeat(100_000)),
            "Content-Length: -1\r\n\r\n".to_owned(),
            "Content-Length: 99999999999999999999999\r\n\r\n".to_owned(),
            // The length is too small, so the rest of the content precedes the next header.
            "Content-Length: 3\r\n\r\n{}{}x\r\n\r\n".to_owned(),
        ] {
            let found = all(format!("{garbage}{good}").as_bytes());
            assert_eq!(found.last().map(String::as_str), Some("a"), "{garbage:.40}");
            assert!(found.len() > 1 && found[0] == "dropped", "{garbage:.40}: {found:?}");
        }
        let glued = format!("Content-Length: 2\r\n\r\n{{}}rest{good}");
        assert_eq!(all(glued.as_bytes()), ["dropped", "a"]);
        assert_eq!(
            all(b"content-length:30\n\n{\"jsonrpc\":\"2.0\",\"method\":\"b\"}"),
            ["b"]
        );
        assert_eq!(
            all(&good.as_bytes()[..good.len() - 1]),
            [""; 0],
            "the stream ended early"
        );
        assert_eq!(all(&vec![b'x'; 1 << 18]), [""; 0]);
    }
}
