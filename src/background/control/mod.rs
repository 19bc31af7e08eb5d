//! The control socket: programs drive the designer through a Unix socket, one JSON object per line and request.
//!
//! A thread of its own reads each client, parses a request and sends it to the event loop through the inbox; then it
//! waits for the answer, so that a client never has more than one request under way. The event loop answers at once or
//! later and never waits: the answer goes through a channel with room for it. Work that takes longer than a frame, such
//! as a picture, is described by a [`DungeonQuery`], which the client's thread carries out. A client that does not read
//! blocks only its own thread, and is disconnected after a while.

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
use super::{Inbox, Message};

/// Interval at which a waiting client looks whether the designer is ending.
const LOOK: Duration = Duration::from_millis(100);

/// The reason why a request was not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlError {
    /// What happened, without a full stop.
    pub message: String,
    /// What to do, without a full stop.
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
    /// The result.
    Ready(Value),
    /// Work for the client's thread, whose outcome is the result.
    Query(Box<DungeonQuery>),
}

/// A request of a client, which the event loop must answer.
#[derive(Debug)]
pub struct ControlRequest {
    /// What to do.
    pub command: ControlCommand,
    /// Where the answer goes.
    pub reply: ControlReply,
}

/// The sender of the answer to a client. If it is dropped without an answer, the client reports that the designer has ended.
#[derive(Debug)]
pub struct ControlReply {
    sender: SyncSender<Result<ControlAnswer, ControlError>>,
    ticket: Ticket,
}

impl ControlReply {
    /// Creates the sender and the receiver of an answer. `ticket` is cancelled once the client no longer waits.
    pub fn new(ticket: Ticket) -> (Self, Receiver<Result<ControlAnswer, ControlError>>) {
        let (sender, receiver) = sync_channel(1);
        (Self { sender, ticket }, receiver)
    }

    /// Sends the answer; never blocks.
    pub fn send(self, answer: Result<ControlAnswer, ControlError>) {
        // The only message of a channel with room for one; the client may be gone.
        let _ = self.sender.try_send(answer);
    }

    /// Returns whether the client no longer waits.
    pub fn is_abandoned(&self) -> bool {
        self.ticket.is_cancelled()
    }
}

/// A sender of requests to the event loop.
#[derive(Clone)]
pub struct ControlSender {
    send: Arc<dyn Fn(ControlRequest) -> bool + Send + Sync>,
    /// Cancelled when the designer ends.
    end: Ticket,
}

impl ControlSender {
    /// Creates a sender into an inbox.
    pub fn new<I: Send + 'static>(inbox: &Inbox<I>) -> Self {
        let sender = inbox.sender();
        Self {
            send: Arc::new(move |request| sender.send(Message::Request(Box::new(request))).is_ok()),
            end: Ticket::new(),
        }
    }

    /// Sends a command to the event loop, waits for its answer at most for `timeout`, and does the work that it names.
    ///
    /// # Errors
    ///
    /// Returns why the command was not carried out.
    fn ask(&self, command: ControlCommand, timeout: Duration) -> Result<Value, ControlError> {
        let ended = || ControlError::new("the designer has ended", "start `wallcrawler serve` again");
        let ticket = Ticket::new();
        let (reply, answer) = ControlReply::new(ticket.clone());
        if !(self.send)(ControlRequest { command, reply }) {
            return Err(ended());
        }
        let begun = Instant::now();
        loop {
            let rest = timeout.saturating_sub(begun.elapsed());
            match answer.recv_timeout(rest.min(LOOK)) {
                Ok(Ok(ControlAnswer::Ready(value))) => return Ok(value),
                Ok(Ok(ControlAnswer::Query(query))) => return query.answer(&self.end),
                Ok(Err(error)) => return Err(error),
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
                Err(RecvTimeoutError::Timeout) if self.end.is_cancelled() => return Err(ended()),
                Err(RecvTimeoutError::Timeout) if begun.elapsed() >= timeout => {
                    ticket.cancel();
                    return Err(ControlError::new(
                        format!("the answer is not ready after {} seconds", timeout.as_secs()),
                        "ask for the state, or again with a longer `timeout`",
                    ));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Returns a client without a socket, for a program inside this process.
    pub fn client(&self) -> ControlClient {
        ControlClient::new(self.clone())
    }

    /// Makes clients that wait for an answer stop waiting.
    pub fn end(&self) {
        self.end.cancel();
    }
}

/// Runs a program of this process that drives the designer, on a thread of its own. At its end the event loop receives
/// [`Message::ClientGone`].
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
    // Not joined: it may be reading from a terminal or a pipe.
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
