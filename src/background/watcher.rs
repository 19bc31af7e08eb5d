//! Watches the open files for changes by other programs.
//!
//! Editors save by renaming, truncating or replacing a file; a watch on the file itself stops working after one or two
//! such saves. So the watcher watches the parent folders, not recursively, and filters events by file name. If a folder
//! does not exist, its nearest existing ancestor is watched until the next folder on the path to the file appears. Then
//! a message reports a possible change, and its receiver requests a new watch. A burst of events becomes one message.
//! If a file is a symbolic link, its target is watched as well: a change of the target causes no event for the link.
//!
//! Where the system's file notifications do not work, folders are polled: from the start if no notifier can be created
//! (EMFILE: no inotify instances are left), or as soon as the notifier cannot watch another folder (ENOSPC: no watches
//! are left). In both cases a message reports that folders are polled, and why.
//!
//! A drive may take minutes to respond. [`WatchService`] therefore locates the files of each request on a new thread,
//! so that a thread that hangs does not delay the next request. One other thread sets the watches of all requests.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use notify::{Config, ErrorKind, PollWatcher, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, NoCache, new_debouncer_opt};

use super::Message;
use super::job::{JobError, Ticket, panic_text, send};
use super::timeout::spawn;

/// Time that must pass without events before a message is sent.
const QUIET: Duration = Duration::from_millis(80);

/// Interval at which the debouncer checks whether `QUIET` is over. Its default interval would wake it twice as often
/// without a benefit.
const TICK: Option<Duration> = Some(Duration::from_millis(40));

/// Polling interval where the system's file notifications do not work.
const POLL: Duration = Duration::from_millis(500);

/// Maximum number of attempts to set the watches again while folders appear and disappear; no path is so deep that it
/// needs more.
const MOST_LOOKS: u32 = 32;

/// Maximum number of symbolic links from a file to its target: the limit of Linux, which other systems do not exceed.
const MOST_LINKS: usize = 40;

enum Backend {
    Native(Debouncer<RecommendedWatcher, NoCache>),
    Polling(Debouncer<PollWatcher, NoCache>),
    /// A test backend that can watch only this many more folders, like a system near its limit.
    #[cfg(test)]
    Exhausted(usize),
}

impl Backend {
    fn watch(&mut self, folder: &Path) -> notify::Result<()> {
        match self {
            Self::Native(debouncer) => debouncer.watch(folder, RecursiveMode::NonRecursive),
            Self::Polling(debouncer) => debouncer.watch(folder, RecursiveMode::NonRecursive),
            #[cfg(test)]
            Self::Exhausted(left) => {
                *left = left
                    .checked_sub(1)
                    .ok_or(notify::Error::new(ErrorKind::MaxFilesWatch))?;
                Ok(())
            }
        }
    }

    fn unwatch(&mut self, folder: &Path) -> notify::Result<()> {
        match self {
            Self::Native(debouncer) => debouncer.unwatch(folder),
            Self::Polling(debouncer) => debouncer.unwatch(folder),
            #[cfg(test)]
            Self::Exhausted(_) => Ok(()),
        }
    }
}

/// A watcher for a set of files. It reports when they may have changed.
struct Watcher {
    backend: Backend,
    /// Creates the polling backend.
    poll: Box<dyn Fn() -> notify::Result<Backend> + Send>,
    /// Reason why folders are polled; `None` if they are not polled or the reason has been reported.
    polled: Option<String>,
    files: Arc<Mutex<Files>>,
    folders: BTreeSet<PathBuf>,
}

/// The watched files. The key is the path of a file, as the caller gave it. The value contains the absolute paths whose
/// events concern the file: its own path and, if the file is a symbolic link, the path of each file to which the link
/// leads, up to the final target. If folders on one of these paths are missing, the first missing folder takes the
/// place of the path. The parent folders of the resulting paths are watched.
type Files = BTreeMap<PathBuf, Vec<PathBuf>>;

impl std::fmt::Debug for Watcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watcher")
            .field("folders", &self.folders)
            .finish_non_exhaustive()
    }
}

impl Watcher {
    /// Creates a watcher without files; its messages go to `inbox`.
    ///
    /// # Errors
    ///
    /// Returns an error if neither the system's notifier nor polling can be started.
    fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> notify::Result<Self> {
        let files = Arc::new(Mutex::new(Files::new()));
        let handler = |inbox: SyncSender<Message<I>>| {
            let files = Arc::clone(&files);
            move |result: DebounceEventResult| report(&inbox, &files, result)
        };
        let native = new_debouncer_opt(QUIET, TICK, handler(inbox.clone()), NoCache::new(), Config::default());
        let poll = {
            let handler = handler(inbox);
            move || {
                let config = Config::default().with_poll_interval(POLL).with_compare_contents(true);
                let polling = new_debouncer_opt(QUIET, TICK, handler.clone(), NoCache::new(), config)?;
                Ok(Backend::Polling(polling))
            }
        };
        Self::with(native.map(Backend::Native), poll, files)
    }

    /// Creates a watcher without files that uses the system's notifier, or polls if there is none.
    fn with(
        native: notify::Result<Backend>,
        poll: impl Fn() -> notify::Result<Backend> + Send + 'static,
        files: Arc<Mutex<Files>>,
    ) -> notify::Result<Self> {
        let (backend, polled) = match native {
            Ok(native) => (native, None),
            Err(error) => (poll()?, Some(error.to_string())),
        };
        Ok(Self {
            backend,
            poll: Box::new(poll),
            polled,
            files,
            folders: BTreeSet::new(),
        })
    }

    /// Replaces the watched files with `files`, which need not exist. Returns whether new folders are watched.
    ///
    /// # Errors
    ///
    /// Returns an error if a folder cannot be watched; the other folders are watched.
    fn watch(&mut self, files: Files) -> notify::Result<bool> {
        watch_until_unchanged(files, |files| match self.set(files.clone()) {
            Err(error) if is_exhausted(&error) && !matches!(self.backend, Backend::Polling(_)) => {
                self.backend = (self.poll)()?;
                self.polled = Some(error.to_string());
                self.folders.clear();
                self.set(files)
            }
            set => set,
        })
    }

    /// Replaces the watches with watches on the parent folders of the paths in `files`.
    fn set(&mut self, files: Files) -> notify::Result<bool> {
        let folders: BTreeSet<PathBuf> = files
            .values()
            .flatten()
            .filter_map(|seen| seen.parent().map(Path::to_owned))
            .collect();
        *self.files.lock().unwrap_or_else(PoisonError::into_inner) = files;
        let mut failed = None;
        for folder in self.folders.difference(&folders) {
            // Unwatching fails for a deleted folder, which needs no unwatching.
            let _ = self.backend.unwatch(folder);
        }
        let mut more = false;
        let mut watched: BTreeSet<PathBuf> = self.folders.intersection(&folders).cloned().collect();
        for folder in folders {
            if watched.contains(&folder) {
                continue;
            }
            match self.backend.watch(&folder) {
                Ok(()) => more |= watched.insert(folder),
                Err(error) => failed = Some(error),
            }
        }
        self.folders = watched;
        failed.map_or(Ok(more), Err)
    }
}

/// Returns whether the error means that the system has no watches left. Errors that `notify` does not classify are
/// recognized by their number.
fn is_exhausted(error: &notify::Error) -> bool {
    const ENOSPC: i32 = 28;
    match &error.kind {
        ErrorKind::MaxFilesWatch => true,
        ErrorKind::Io(error) => error.raw_os_error() == Some(ENOSPC),
        _ => false,
    }
}

/// Determines the paths to watch for each file.
fn find(files: &[PathBuf]) -> Files {
    let seen = |file: &PathBuf| links(absolute(file)).iter().map(|path| watched_path(path)).collect();
    files.iter().map(|file| (file.clone(), seen(file))).collect()
}

/// Returns the path and, if it is a symbolic link, the path to which it leads, and so on to the target.
fn links(path: PathBuf) -> Vec<PathBuf> {
    let next = |path: &PathBuf| Some(absolute(&path.parent()?.join(path.read_link().ok()?)));
    std::iter::successors(Some(path), next).take(MOST_LINKS).collect()
}

/// A service that watches files without blocking the caller. Dropping it does not wait for its threads.
pub struct WatchService {
    last: Option<Ticket>,
    /// Starts a thread that determines the paths to watch and sends them to the thread that sets the watches.
    search: Box<dyn Fn(Ticket, Vec<PathBuf>)>,
}

impl WatchService {
    /// Creates a service without files; its messages go to `inbox`.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub fn new<I: Send + 'static>(inbox: &SyncSender<Message<I>>) -> std::io::Result<Self> {
        let (queue, found) = channel::<(Ticket, Files)>();
        let mut watches = Watches {
            inbox: inbox.clone(),
            watcher: None,
            is_unreported: false,
        };
        spawn("watcher", move || {
            for (ticket, files) in found {
                // Other files may have been requested during a slow search.
                if !ticket.is_cancelled() {
                    let inbox = watches.inbox.clone();
                    guard(&inbox, &ticket, || watches.set(&ticket, files));
                }
            }
        })?;
        let inbox = inbox.clone();
        let search = move |ticket: Ticket, files: Vec<PathBuf>| {
            let (own, queue) = (inbox.clone(), queue.clone());
            let started = spawn("finding", move || {
                // Sending fails only if the thread that sets the watches has ended; then the result is not needed.
                guard(&own, &ticket, || drop(queue.send((ticket.clone(), find(&files)))));
            });
            if let Err(error) = started {
                // The caller is the event loop, which also reads the inbox: waiting here for room in it would deadlock.
                let _ = inbox.try_send(Message::WatchFailed(JobError::NoThread(error.to_string()).to_string()));
            }
        };
        Ok(Self {
            last: None,
            search: Box::new(search),
        })
    }

    /// Replaces the watched files with `files`, which need not exist. A [`Message::Watching`] is sent as soon as new
    /// folders are watched.
    pub fn watch(&mut self, files: Vec<PathBuf>) {
        let ticket = Ticket::new();
        if let Some(last) = self.last.replace(ticket.clone()) {
            last.cancel();
        }
        (self.search)(ticket, files);
    }
}

impl Drop for WatchService {
    fn drop(&mut self) {
        if let Some(last) = &self.last {
            last.cancel();
        }
    }
}

/// Runs `work`, and reports a panic in it.
fn guard<I>(inbox: &SyncSender<Message<I>>, ticket: &Ticket, work: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
        let error = JobError::Panicked(panic_text(panic.as_ref()));
        // Sending fails if the request was cancelled; then the report is not needed.
        let _ = send(inbox, ticket, Message::WatchFailed(error.to_string()));
    }
}

/// State of the thread that sets the watches of a [`WatchService`].
struct Watches<I> {
    inbox: SyncSender<Message<I>>,
    /// The watcher; `None` until the first files are to be watched.
    watcher: Option<Watcher>,
    /// Whether a [`Message::Watching`] is still to be sent for new folders.
    is_unreported: bool,
}

impl<I: Send + 'static> Watches<I> {
    /// Replaces the watched files with `files`, and reports the outcome.
    fn set(&mut self, ticket: &Ticket, files: Files) {
        let done = match &mut self.watcher {
            None if files.is_empty() => return,
            Some(watcher) => watcher.watch(files),
            none => Watcher::new(self.inbox.clone()).and_then(|new| none.insert(new).watch(files)),
        };
        let report = |message| send(&self.inbox, ticket, message);
        if let Some(why) = self.watcher.as_mut().and_then(|watcher| watcher.polled.take()) {
            // Sending fails if the request was cancelled; then the reason is not reported.
            let _ = report(Message::Polled(why));
        }
        match done {
            Ok(more) => {
                self.is_unreported |= more;
                self.is_unreported = self.is_unreported && report(Message::Watching).is_err();
            }
            Err(error) => drop(report(Message::WatchFailed(error.to_string()))),
        }
    }
}

/// Sets the watches, then determines the paths once more, and repeats both until the paths stay the same. Without the
/// repetition, the watcher would miss a folder that is created after the paths are determined and before its parent is
/// watched: neither the folder nor its content causes an event. Returns whether new folders are watched.
fn watch_until_unchanged(mut files: Files, mut set: impl FnMut(Files) -> notify::Result<bool>) -> notify::Result<bool> {
    let mut more = false;
    for _ in 0..MOST_LOOKS {
        let paths: Vec<PathBuf> = files.keys().cloned().collect();
        let seen = files.clone();
        more |= set(files)?;
        files = find(&paths);
        if files == seen {
            break;
        }
    }
    Ok(more)
}

/// Returns a path that can be compared with the paths of events: absolute, with the symbolic links in its parent folder
/// resolved.
fn absolute(file: &Path) -> PathBuf {
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    match (
        path.parent().and_then(|folder| folder.canonicalize().ok()),
        path.file_name(),
    ) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// Returns the file, or the first missing folder on the path to it.
fn watched_path(file: &Path) -> PathBuf {
    let missing = file.ancestors().skip(1).take_while(|folder| !folder.exists()).last();
    // The parent of the first missing folder exists, except if no ancestor does.
    missing.unwrap_or(file).to_owned()
}

/// Returns a path in lower case. Where file names ignore case, such as on Windows and macOS, an event has the name that
/// the file was created with, and the user may have opened the file under another spelling. Elsewhere, two files may
/// have names that differ only in case; a change to one is then also reported for the other, and costs an extra read.
fn ignore_case(path: &Path) -> String {
    path.to_string_lossy().to_lowercase()
}

fn report<I>(inbox: &SyncSender<Message<I>>, files: &Mutex<Files>, result: DebounceEventResult) {
    let message = match result {
        Ok(events) => {
            let files = files.lock().unwrap_or_else(PoisonError::into_inner);
            let rescan = events.iter().any(|event| event.need_rescan());
            let touched: BTreeSet<String> = events
                .iter()
                .filter(|e| !e.kind.is_access())
                .flat_map(|event| &event.paths)
                .map(|path| ignore_case(path))
                .collect();
            let is_touched = |path: &Path| touched.contains(&ignore_case(path));
            let changed: Vec<PathBuf> = files
                .iter()
                .filter(|(_, seen)| rescan || seen.iter().any(|path| is_touched(path)))
                .map(|(file, _)| file.clone())
                .collect();
            if changed.is_empty() {
                return;
            }
            Message::FilesChanged(changed)
        }
        Err(errors) => Message::WatchFailed(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")),
    };
    // Sending fails only while the designer is closing.
    let _ = inbox.send(message);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::Inbox;

    /// Longest time to wait for a message, generous for busy machines.
    const LONGEST_WAIT: Duration = Duration::from_mins(4);

    #[test]
    fn a_file_is_noticed_after_its_folders_are_created() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let mut watcher = Watcher::new(inbox.sender()).unwrap();
        let file = folder.path().join("config/wallcrawler/config.toml");
        watcher.watch(find(std::slice::from_ref(&file))).unwrap();
        std::fs::create_dir(folder.path().join("config")).unwrap();
        let mut received = 0;
        loop {
            // Like the designer, request the watch again after each message. The last two changes may cause only one
            // message.
            assert!(matches!(inbox.wait(Some(LONGEST_WAIT)), Some(Message::FilesChanged(_))));
            watcher.watch(find(std::slice::from_ref(&file))).unwrap();
            received += 1;
            if file.exists() {
                break;
            }
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            if received > 1 {
                std::fs::write(&file, "").unwrap();
            }
        }
        assert!(received >= 2, "the new folders cause messages, then the file does");
    }

    #[test]
    fn a_folder_created_while_its_watch_is_set_is_not_missed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config/wallcrawler/config.toml");
        let mut watched = Vec::new();
        watch_until_unchanged(find(std::slice::from_ref(&file)), |files| {
            let seen = files.into_values().flatten().next().unwrap();
            // Create the folder between the search and the watch, so that the watch does not report it.
            if !seen.exists() && seen.extension().is_none() {
                std::fs::create_dir(&seen).unwrap();
            }
            watched.push(seen.strip_prefix(absolute(folder.path())).unwrap().to_owned());
            Ok(true)
        })
        .unwrap();
        let steps = ["config", "config/wallcrawler", "config/wallcrawler/config.toml"];
        assert_eq!(watched, steps.map(PathBuf::from));
    }

    #[test]
    fn without_watches_left_all_folders_are_polled_and_the_reason_is_kept_to_be_reported() {
        let folders: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
        let files: Vec<PathBuf> = folders.iter().map(|folder| folder.path().join("rooms4")).collect();
        for room in [0, 1, 2] {
            let inbox = Inbox::<()>::new();
            let made = Watcher::new(inbox.sender()).unwrap();
            let mut watcher = Watcher::with(Ok(Backend::Exhausted(room)), made.poll, made.files).unwrap();
            assert!(watcher.watch(find(&files)).unwrap());
            assert!(watcher.polled.take().is_some_and(|why| why.contains("limit")), "{room}");
            for file in &files {
                std::fs::write(file, "one").unwrap();
                wait_for_change(&inbox, file);
            }
            // The reason is reported once, not for every file that is opened later.
            watcher.watch(find(&files[..1])).unwrap();
            assert_eq!(watcher.polled, None);
            for file in &files {
                std::fs::remove_file(file).unwrap();
            }
        }
        let inbox = Inbox::<()>::new();
        let made = Watcher::new(inbox.sender()).unwrap();
        let none = notify::Error::io(std::io::Error::from_raw_os_error(24));
        let watcher = Watcher::with(Err(none), made.poll, made.files).unwrap();
        assert!(watcher.polled.is_some() && matches!(watcher.backend, Backend::Polling(_)));
        let full = notify::Error::io(std::io::Error::from_raw_os_error(28));
        assert!(is_exhausted(&full) && !is_exhausted(&notify::Error::path_not_found()));
    }

    fn changed_paths(inbox: &Inbox<()>) -> Vec<PathBuf> {
        match inbox.wait(Some(LONGEST_WAIT)) {
            Some(Message::FilesChanged(paths)) => paths,
            other => panic!("{other:?}"),
        }
    }

    fn changed(inbox: &Inbox<()>) -> Vec<String> {
        let paths = changed_paths(inbox);
        let names = paths.iter().map(|path| path.file_name().unwrap().to_string_lossy());
        names.map(Into::into).collect()
    }

    /// Waits for a change of a file. A poll between the creation of another file and its first write reports that file
    /// twice, so other files are ignored.
    fn wait_for_change(inbox: &Inbox<()>, file: &PathBuf) {
        while !changed_paths(inbox).contains(file) {}
    }

    #[test]
    fn repeated_saves_in_place_and_by_rename_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rooms4");
        std::fs::write(&file, "one").unwrap();
        let inbox = Inbox::<()>::new();
        let mut watcher = Watcher::new(inbox.sender()).unwrap();
        watcher.watch(find(std::slice::from_ref(&file))).unwrap();
        for round in 0..3 {
            std::fs::write(folder.path().join("other"), "not watched").unwrap();
            std::fs::write(&file, format!("in place {round}")).unwrap();
            assert_eq!(changed(&inbox), ["rooms4"]);
            let beside = folder.path().join("rooms4.tmp");
            std::fs::write(&beside, format!("renamed {round}")).unwrap();
            std::fs::rename(&beside, &file).unwrap();
            assert_eq!(changed(&inbox), ["rooms4"]);
        }
        std::fs::remove_file(&file).unwrap();
        assert_eq!(changed(&inbox), ["rooms4"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_change_of_the_target_of_a_link_is_noticed() {
        let [links, targets] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let (link, between, target) = (
            links.path().join("link"),
            links.path().join("between"),
            targets.path().join("target"),
        );
        std::fs::write(&target, "one").unwrap();
        std::os::unix::fs::symlink(&target, &between).unwrap();
        std::os::unix::fs::symlink("between", &link).unwrap();
        let inbox = Inbox::<()>::new();
        let mut watcher = Watcher::new(inbox.sender()).unwrap();
        let mut watch = || watcher.watch(find(std::slice::from_ref(&link))).unwrap();
        watch();
        std::fs::write(&target, "two").unwrap();
        assert_eq!(changed(&inbox), ["link"]);
        std::fs::remove_file(&between).unwrap();
        std::os::unix::fs::symlink(targets.path().join("other"), &between).unwrap();
        assert_eq!(changed(&inbox), ["link"]);
        watch();
        std::fs::write(targets.path().join("other"), "three").unwrap();
        assert_eq!(changed(&inbox), ["link"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_in_a_linked_folder_is_reported_by_the_path_that_was_requested() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("real")).unwrap();
        std::os::unix::fs::symlink("real", folder.path().join("link")).unwrap();
        let inbox = Inbox::<()>::new();
        let mut watcher = Watcher::new(inbox.sender()).unwrap();
        let file = folder.path().join("link/config.toml");
        watcher.watch(find(std::slice::from_ref(&file))).unwrap();
        std::fs::write(&file, "one").unwrap();
        assert_eq!(changed_paths(&inbox), [file]);
    }

    #[test]
    fn a_file_opened_by_another_spelling_of_its_name_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let mut watcher = Watcher::new(inbox.sender()).unwrap();
        watcher.watch(find(&[folder.path().join("keep.TOML")])).unwrap();
        std::fs::write(folder.path().join("Keep.toml"), "one").unwrap();
        assert_eq!(changed(&inbox), ["keep.TOML"]);
    }

    #[test]
    fn a_watcher_is_notified_in_time_and_waits_for_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rooms4");
        let inbox = Inbox::<()>::new();
        let mut watches = WatchService::new(&inbox.sender()).unwrap();
        watches.watch(Vec::new());
        watches.watch(vec![file.clone()]);
        assert!(matches!(inbox.wait(None), Some(Message::Watching)));
        std::fs::write(&file, "one").unwrap();
        assert_eq!(changed(&inbox), ["rooms4"]);
        // A file in the folder that is already watched causes no message; a file in another folder causes one.
        let other = tempfile::tempdir().unwrap();
        watches.watch(vec![file.clone(), folder.path().join("stats4")]);
        watches.watch(vec![file.clone(), other.path().join("stats4")]);
        assert!(matches!(inbox.wait(None), Some(Message::Watching)));
        std::fs::write(other.path().join("stats4"), "one").unwrap();
        assert_eq!(changed(&inbox), ["stats4"]);
    }
}
