//! The designer's Unix socket, and the threads of its clients.

use std::io::{self, BufReader, Write as _};
use std::net::Shutdown;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::super::timeout::{ThreadGroup, spawn};
use super::client::{WAIT, answer_line};
use super::{ControlError, ControlSender, Ticket};
use crate::storage::folder_of;

/// Largest number of clients that may be connected at the same time.
const MOST_CLIENTS: usize = 16;

/// Pause after a client could not be accepted, for example because the process has too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// The open socket. Dropping it removes the socket's file, answers pending requests with an error, and disconnects
/// the clients.
pub struct ControlSocket {
    path: PathBuf,
    /// Device and inode of the socket's file. They are checked before the file is removed, since another program may
    /// have replaced it.
    identity: (u64, u64),
    sender: ControlSender,
    clients: Arc<Clients>,
    end: Ticket,
    /// Waits for the clients' threads when it is dropped. Must be the last field, so that it is dropped last.
    _threads: Arc<Mutex<ThreadGroup>>,
}

impl ControlSocket {
    /// Opens a socket at `path` that only this user can use. Replaces a socket at this path if it belongs to this
    /// user and no program listens on it.
    ///
    /// # Errors
    ///
    /// Returns why the socket cannot be opened: the path is too long, its folder is missing, another file has this
    /// path, another program listens on it, or the system refuses.
    pub fn open(path: &Path, sender: &ControlSender) -> io::Result<Self> {
        let (listener, identity) = bind(path)?;
        let threads = Arc::new(Mutex::new(ThreadGroup::default()));
        let socket = Self {
            path: path.to_owned(),
            identity,
            sender: sender.clone(),
            clients: Arc::default(),
            end: Ticket::new(),
            _threads: Arc::clone(&threads),
        };
        let (clients, sender, end) = (Arc::clone(&socket.clients), sender.clone(), socket.end.clone());
        let group = Arc::downgrade(&threads);
        // Nothing waits for this thread: if another program has removed the socket's file, nothing can wake it.
        spawn("control", move || {
            for stream in listener.incoming() {
                if end.is_cancelled() {
                    return;
                }
                let Some(group) = group.upgrade() else { return };
                match stream {
                    Ok(stream) => accept(stream, &clients, &sender, &group),
                    Err(_) => std::thread::sleep(PAUSE),
                }
            }
        })?;
        Ok(socket)
    }
}

impl Drop for ControlSocket {
    fn drop(&mut self) {
        self.end.cancel();
        if identity(&self.path).is_ok_and(|found| found == self.identity) {
            // Wakes the thread that accepts clients.
            let _ = UnixStream::connect(&self.path);
            let _ = fs_err::remove_file(&self.path);
        }
        self.sender.end();
        for (_, stream) in self.clients.lock().iter() {
            // Only reading is shut down, so that an answer that is being written is completed.
            let _ = stream.shutdown(Shutdown::Read);
        }
    }
}

/// Returns the device and the inode of a file.
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    fs_err::symlink_metadata(path).map(|found| (found.dev(), found.ino()))
}

/// Binds a socket with mode 0600 at `path`, which must be free or a socket of this user on which no program listens.
/// No other user can connect before the mode is set, because the socket is created in a folder that only this user
/// can enter, and then linked to `path`.
fn bind(path: &Path) -> io::Result<(UnixListener, (u64, u64))> {
    let folder = folder_of(path);
    if !folder.is_dir() {
        let folder = folder.display();
        return Err(io::Error::other(format!(
            "there is no folder {folder}; create it first"
        )));
    }
    let private = tempfile::Builder::new().prefix(".wc").tempdir_in(folder)?;
    // `private.path()` is absolute, so it may be too long for a socket even if `path` is short.
    let first = folder.join(private.path().file_name().unwrap_or_default()).join("s");
    let is_too_long = |path: &Path| SocketAddr::from_pathname(path).is_err();
    if is_too_long(&first) || is_too_long(path) {
        return Err(io::Error::other(
            "the path is too long for a socket; use a path of at most 80 bytes",
        ));
    }
    let listener = UnixListener::bind(&first)?;
    fs_err::set_permissions(&first, std::fs::Permissions::from_mode(0o600))?;
    let owner = fs_err::metadata(private.path())?.uid();
    remove_stale(path, owner)?;
    // Unlike renaming, linking fails if another program has created a file at this path in the meantime.
    std::fs::hard_link(&first, path)?;
    Ok((listener, identity(path)?))
}

/// Removes the socket at `path` if it belongs to this user and no program listens on it. Fails if anything else has
/// this path; does nothing if the path is free.
fn remove_stale(path: &Path, owner: u32) -> io::Result<()> {
    let found = match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    if !found.file_type().is_socket() {
        return Err(io::Error::other("it exists and is not a socket; choose another path"));
    }
    if found.uid() != owner {
        return Err(io::Error::other("it is a socket of another user; choose another path"));
    }
    match UnixStream::connect(path) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => std::fs::remove_file(path),
        Err(error) => Err(error),
        Ok(_) => Err(io::Error::other(
            "another program is listening there; end that program, or choose another path",
        )),
    }
}

/// Connects to the socket of a designer. Returns a stream to read its answers from, and a stream to write requests
/// to.
///
/// # Errors
///
/// Returns the system's error, for example if no program listens on the socket.
pub fn connect(path: &Path) -> io::Result<(UnixStream, UnixStream)> {
    let stream = UnixStream::connect(path)?;
    Ok((stream.try_clone()?, stream))
}

/// The connected clients, each with a unique number.
#[derive(Default)]
struct Clients {
    streams: Mutex<Vec<(u64, UnixStream)>>,
    next: AtomicU64,
}

impl Clients {
    fn lock(&self) -> MutexGuard<'_, Vec<(u64, UnixStream)>> {
        lock(&self.streams)
    }

    /// Adds a client and returns its number; returns `None` if there are too many clients.
    fn add(&self, stream: UnixStream) -> Option<u64> {
        let mut streams = self.lock();
        (streams.len() < MOST_CLIENTS).then(|| {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            streams.push((number, stream));
            number
        })
    }

    fn remove(&self, number: u64) {
        self.lock().retain(|(other, _)| *other != number);
    }
}

/// Locks a mutex. Poisoning is ignored, since no thread panics while it holds one of these locks.
fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the thread of a client, or answers that there are too many clients.
fn accept(mut stream: UnixStream, clients: &Arc<Clients>, sender: &ControlSender, threads: &Mutex<ThreadGroup>) {
    let Ok((input, shared)) = stream.try_clone().and_then(|input| Ok((input, stream.try_clone()?))) else {
        return;
    };
    let limited = stream.set_write_timeout(Some(WAIT));
    let number = limited.ok().and_then(|()| clients.add(shared));
    let Some(number) = number else {
        let error = ControlError::new(
            format!("the designer has {MOST_CLIENTS} clients already"),
            "disconnect one of them",
        );
        // The buffer of a new connection has room for one line, so the write succeeds without blocking. A client that
        // is gone needs no answer.
        let _ = stream.set_nonblocking(true);
        let _ = stream.write_all((answer_line(&Value::Null, Err(error)) + "\n").as_bytes());
        return;
    };
    let (list, client) = (Arc::clone(clients), sender.client());
    let spawned = lock(threads).spawn("control client", move || {
        // An error means that the client is gone or does not read its answers; either way it is disconnected.
        let _ = client.serve(BufReader::new(input), &stream);
        let _ = stream.shutdown(Shutdown::Both);
        list.remove(number);
    });
    if spawned.is_err() {
        clients.remove(number);
    }
}
