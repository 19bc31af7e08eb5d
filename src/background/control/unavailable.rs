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

/// Does nothing. On Unix, the designer holds the socket in a variable only to keep it open. On other systems, without
/// this implementation, clippy would report that such a variable has no effect.
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
