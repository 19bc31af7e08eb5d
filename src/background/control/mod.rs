//! The control socket: programs drive the designer through a Unix socket. Each request is one JSON object on one
//! line.
//!
//! Each client has a thread, which reads a request, parses it and sends it to the event loop through the inbox. Then
//! the thread waits for the answer, so that a client never has more than one pending request. The event loop answers
//! immediately or later, but never blocks: the channel for the answer always has room for it. If an answer, such as a
//! picture, takes longer than a frame, the event loop replies with a [`DungeonQuery`], which is carried out on another
//! thread, so that the client's thread can stop waiting when the request times out. A client that does not read its
//! answers blocks only its own thread, and is disconnected after about ten seconds.

#[cfg_attr(not(unix), allow(dead_code, reason = "sockets use all of it"))]
mod client;
mod dungeon;
mod request;
#[cfg(unix)]
mod socket;
#[cfg(not(unix))]
mod unavailable;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use serde_json::Value;

pub use self::client::ControlClient;
pub use self::dungeon::{DungeonContent, DungeonQuery};
pub use self::request::{ActionArgs, ControlCommand, DungeonArgs, DungeonMoment, GrowArgs, Square};
#[cfg(unix)]
pub use self::socket::{ControlSocket, connect};
#[cfg(not(unix))]
pub use self::unavailable::{ControlSocket, connect};
use super::job::Ticket;
use super::timeout::spawn;
use super::{Inbox, Message};
use crate::text::counted;

/// Interval at which a waiting client's thread checks whether the designer is ending.
const LOOK: Duration = Duration::from_millis(100);

/// Why a request was not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlError {
    /// What went wrong, without a full stop.
    pub message: String,
    /// What the client can do about it, without a full stop.
    pub help: String,
}

impl ControlError {
    /// Creates an error.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: help.into(),
        }
    }
}

/// The answer of the event loop to a request.
#[derive(Debug)]
pub enum ControlAnswer {
    /// The result itself.
    Ready(Value),
    /// Work that must be done outside the event loop to obtain the result.
    Query(Box<DungeonQuery>),
}

/// A client's request, which the event loop must answer.
#[derive(Debug)]
pub struct ControlRequest {
    /// The command to carry out.
    pub command: ControlCommand,
    /// Sender of the answer.
    pub reply: ControlReply,
}

/// Sends the answer to a client. If this sender is dropped without sending one, the client receives an error, which
/// reports that the designer has ended.
#[derive(Debug)]
pub struct ControlReply {
    sender: SyncSender<Result<ControlAnswer, ControlError>>,
    ticket: Ticket,
}

impl ControlReply {
    /// Creates the sender and the receiver of an answer. The client cancels `ticket` when it stops waiting.
    pub fn new(ticket: Ticket) -> (Self, Receiver<Result<ControlAnswer, ControlError>>) {
        let (sender, receiver) = sync_channel(1);
        (Self { sender, ticket }, receiver)
    }

    /// Sends the answer; never blocks.
    pub fn send(self, answer: Result<ControlAnswer, ControlError>) {
        // The channel has room for this message, which is its only one. Sending fails only if the client is gone.
        let _ = self.sender.try_send(answer);
    }

    /// Returns whether the client has stopped waiting for the answer.
    pub fn is_abandoned(&self) -> bool {
        self.ticket.is_cancelled()
    }
}

/// Sends clients' requests to the event loop.
#[derive(Clone)]
pub struct ControlSender {
    send: Arc<dyn Fn(ControlRequest) -> bool + Send + Sync>,
    /// Cancelled when the designer ends.
    end: Ticket,
}

impl ControlSender {
    /// Creates a sender of requests to the event loop that reads `inbox`.
    pub fn new<I: Send + 'static>(inbox: &Inbox<I>) -> Self {
        let sender = inbox.sender();
        Self {
            send: Arc::new(move |request| sender.send(Message::Request(Box::new(request))).is_ok()),
            end: Ticket::new(),
        }
    }

    /// Sends a command to the event loop and waits up to `timeout` for the answer. If the answer is a
    /// [`DungeonQuery`], carries it out within this time.
    ///
    /// # Errors
    ///
    /// Returns why the command was not carried out.
    fn ask(&self, command: ControlCommand, timeout: Duration) -> Result<Value, ControlError> {
        let ended = || ControlError::new("the designer has ended", "start it again");
        let ticket = Ticket::new();
        let (reply, mut answer) = ControlReply::new(ticket.clone());
        if !(self.send)(ControlRequest { command, reply }) {
            return Err(ended());
        }
        let begun = Instant::now();
        loop {
            let rest = timeout.saturating_sub(begun.elapsed());
            match answer.recv_timeout(rest.min(LOOK)) {
                Ok(Ok(ControlAnswer::Ready(value))) => return Ok(value),
                Ok(Ok(ControlAnswer::Query(query))) => {
                    let (reply, result) = ControlReply::new(ticket.clone());
                    let ticket = ticket.clone();
                    spawn("control query", move || {
                        reply.send(query.answer(&ticket).map(ControlAnswer::Ready));
                    })
                    .map_err(|error| ControlError::new(format!("cannot start a thread: {error}"), "try again later"))?;
                    answer = result;
                }
                Ok(Err(error)) => return Err(error),
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
                Err(RecvTimeoutError::Timeout) if self.end.is_cancelled() => {
                    ticket.cancel();
                    return Err(ended());
                }
                Err(RecvTimeoutError::Timeout) if begun.elapsed() >= timeout => {
                    ticket.cancel();
                    return Err(ControlError::new(
                        format!("the answer is not ready after {}", counted(timeout.as_secs(), "second")),
                        "request the designer's state, or repeat the request (on the socket, with a longer `timeout`)",
                    ));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Returns a client without a socket, for code that drives the designer from within this process.
    pub fn client(&self) -> ControlClient {
        ControlClient::new(self.clone())
    }

    /// Ends every client's wait for an answer, because the designer is ending.
    pub fn end(&self) {
        self.end.cancel();
    }
}

/// Runs `work`, which drives the designer from within this process, on a separate thread. When `work` returns, the
/// event loop receives [`Message::ClientGone`].
///
/// # Errors
///
/// Returns the system's error if the thread cannot be started.
pub fn spawn_client<I: Send + 'static>(
    inbox: &Inbox<I>,
    sender: &ControlSender,
    work: impl FnOnce(&ControlClient) + Send + 'static,
) -> std::io::Result<()> {
    let (client, sender) = (sender.client(), inbox.sender());
    // The thread is not joined, since it may be blocked reading from a terminal or a pipe.
    std::thread::Builder::new().name("client".into()).spawn(move || {
        work(&client);
        // The event loop may have ended first.
        let _ = sender.send(Message::ClientGone);
    })?;
    Ok(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
