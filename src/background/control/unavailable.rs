//! The control socket on systems without Unix sockets, where opening it always fails.

use std::io;
use std::path::Path;

use super::ControlSender;

fn unavailable() -> io::Error {
    io::Error::other("this system has no control sockets; use `wallcrawler mcp` without --socket")
}

/// A socket that cannot be opened.
pub struct ControlSocket;

impl ControlSocket {
    /// Fails: this system has no Unix sockets.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn open(_: &Path, _: &ControlSender) -> io::Result<Self> {
        Err(unavailable())
    }
}

/// Closes nothing. Without `Drop`, the variable that keeps the socket open on Unix would have no effect here, which
/// clippy reports.
impl Drop for ControlSocket {
    fn drop(&mut self) {}
}

/// Fails: this system has no Unix sockets.
///
/// # Errors
///
/// Always.
pub fn connect(_: &Path) -> io::Result<(io::Empty, io::Sink)> {
    Err(unavailable())
}
