//! The Unix socket of the designer, and the threads of its clients.

use std::io::{self, BufReader, Write as _};
use std::net::Shutdown;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::super::timeout::ThreadGroup;
use super::client::answer_line;
use super::{ControlError, ControlSender, Ticket};

/// Largest number of clients at a time.
const MOST_CLIENTS: usize = 16;

/// Longest time that a client may take to read some of an answer.
const SLOWEST_READ: Duration = Duration::from_secs(10);

/// Pause after a client could not be accepted, because the process has too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// The open socket. Dropping it removes it, answers requests under way and disconnects the clients.
pub struct ControlSocket {
    path: PathBuf,
    /// Device and inode: another program may have put something else in place of the socket.
    identity: (u64, u64),
    sender: ControlSender,
    clients: Arc<Clients>,
    end: Ticket,
    /// Waits for the threads when it is dropped, last.
    _threads: Arc<Mutex<ThreadGroup>>,
}

impl ControlSocket {
    /// Opens a socket at a path, which only this user can use. Replaces a socket of this user without a listener.
    ///
    /// # Errors
    ///
    /// Returns why the socket cannot be opened: something else has this path, another program listens, or the system
    /// refuses.
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
        lock(&threads).spawn("control", move || {
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
        // Wakes the thread that accepts clients.
        let _ = UnixStream::connect(&self.path);
        if identity(&self.path).is_ok_and(|found| found == self.identity) {
            let _ = fs_err::remove_file(&self.path);
        }
        self.sender.end();
        for (_, stream) in self.clients.lock().iter() {
            // An answer under way is still written.
            let _ = stream.shutdown(Shutdown::Read);
        }
    }
}

/// Returns the device and the inode of a file.
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    fs_err::symlink_metadata(path).map(|found| (found.dev(), found.ino()))
}

/// Binds a socket with mode 0600 at a path that is free, or that has a socket of this user without a listener. No
/// other user can connect meanwhile: the socket begins in a folder that only this user can enter.
fn bind(path: &Path) -> io::Result<(UnixListener, (u64, u64))> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        let folder = folder.display();
        return Err(io::Error::other(format!(
            "there is no folder {folder}; create it first"
        )));
    }
    let private = tempfile::Builder::new().prefix(".wc").tempdir_in(folder)?;
    let first = private.path().join("s");
    let is_too_long = |path: &Path| SocketAddr::from_pathname(path).is_err();
    if is_too_long(&first) || is_too_long(path) {
        return Err(io::Error::other(
            "the path is too long for a socket; use one of at most 80 bytes",
        ));
    }
    let listener = UnixListener::bind(&first)?;
    fs_err::set_permissions(&first, std::fs::Permissions::from_mode(0o600))?;
    let owner = fs_err::metadata(private.path())?.uid();
    remove_stale(path, owner)?;
    // Unlike a renaming, a link never replaces what another program has put there meanwhile.
    std::fs::hard_link(&first, path)?;
    Ok((listener, identity(path)?))
}

/// Removes a socket of this user without a listener. Fails if anything else has this path.
fn remove_stale(path: &Path, owner: u32) -> io::Result<()> {
    let found = match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    if !found.file_type().is_socket() {
        return Err(io::Error::other("it exists and is not a socket; name another path"));
    }
    if found.uid() != owner {
        return Err(io::Error::other("it is a socket of another user; name another path"));
    }
    match UnixStream::connect(path) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => std::fs::remove_file(path),
        Err(error) => Err(error),
        Ok(_) => Err(io::Error::other(
            "another program listens there; end it or name another path",
        )),
    }
}

/// Connects to the socket of a designer; returns what it sends and what is sent to it.
///
/// # Errors
///
/// Returns the system's error, such as that no program listens.
pub fn connect(path: &Path) -> io::Result<(UnixStream, UnixStream)> {
    let stream = UnixStream::connect(path)?;
    Ok((stream.try_clone()?, stream))
}

/// The connected clients with their numbers.
#[derive(Default)]
struct Clients {
    streams: Mutex<Vec<(u64, UnixStream)>>,
    next: AtomicU64,
}

impl Clients {
    fn lock(&self) -> MutexGuard<'_, Vec<(u64, UnixStream)>> {
        lock(&self.streams)
    }

    /// Adds a client and returns its number; `None` if there are too many.
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

/// Locks a value; no thread panics while it holds one.
fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the thread of a client, or answers that there are too many.
fn accept(mut stream: UnixStream, clients: &Arc<Clients>, sender: &ControlSender, threads: &Mutex<ThreadGroup>) {
    let Ok((input, shared)) = stream.try_clone().and_then(|input| Ok((input, stream.try_clone()?))) else {
        return;
    };
    let limited = stream.set_write_timeout(Some(SLOWEST_READ));
    let number = limited.ok().and_then(|()| clients.add(shared));
    let Some(number) = number else {
        let error = ControlError::new(
            format!("the designer has {MOST_CLIENTS} clients already"),
            "disconnect one of them",
        );
        // A new connection has room for one line; a client that is gone needs no answer.
        let _ = stream.set_nonblocking(true);
        let _ = stream.write_all((answer_line(&Value::Null, Err(error)) + "\n").as_bytes());
        return;
    };
    let (list, client) = (Arc::clone(clients), sender.client());
    let spawned = lock(threads).spawn("control client", move || {
        // A client that is gone, or does not read, is disconnected.
        let _ = client.serve(BufReader::new(input), &stream);
        let _ = stream.shutdown(Shutdown::Both);
        list.remove(number);
    });
    if spawned.is_err() {
        clients.remove(number);
    }
}
