//! The watcher of open files.
//!
//! Editors save by renaming, truncating or replacing; a watch on the file itself goes deaf after one or two
//! such saves. So the parent folders are watched, not recursively, and events are filtered by name. Where a folder is
//! not there, the nearest above it is, until the next step towards the file comes: then the file may have changed, and
//! whoever is told so asks for it to be watched again.
//! Bursts of events become one message. Where the system's notification does not work, folders are polled: from the start
//! where it gives no notifier (EMFILE: no instances of inotify are left), and from the first folder on that it refuses to
//! watch for lack of room (ENOSPC: no watches are left). Both are reported.
//!
//! A drive may not answer for minutes: [`Watches`] finds out on one thread where files are, which is left behind when it
//! hangs and other files are wanted, and has them watched on another.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use notify::{Config, ErrorKind, PollWatcher, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, NoCache, new_debouncer_opt};

use super::Message;
use super::detached::DetachedTasks;
use super::job::{JobContext, RunId, Worker};

/// How long the folders must be quiet before a message is sent.
const QUIET: Duration = Duration::from_millis(80);

/// How often it is looked whether they are: the debouncer's own choice would wake it twice as often, for nothing.
const TICK: Option<Duration> = Some(Duration::from_millis(40));

/// How often folders are looked at where the system does not notify.
const POLL: Duration = Duration::from_millis(500);

/// How often watches are set anew for folders that come and go meanwhile: no way is so deep that it takes more.
const MOST_LOOKS: u32 = 32;

enum Backend {
    Native(Debouncer<RecommendedWatcher, NoCache>),
    Polling(Debouncer<PollWatcher, NoCache>),
    /// A notifier that has room for some folders more, as a system at its limit.
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

/// Watches a set of files and says when they may have changed.
struct Watcher {
    backend: Backend,
    /// Makes the backend that polls.
    poll: Box<dyn Fn() -> notify::Result<Backend> + Send>,
    /// Why folders are polled, until it is reported.
    polled: Option<String>,
    files: Arc<Mutex<Files>>,
    folders: BTreeSet<PathBuf>,
}

/// The files, each with what is seen of it in the folder that is watched: itself, or a folder on the way to it.
type Files = BTreeMap<PathBuf, PathBuf>;

impl std::fmt::Debug for Watcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watcher")
            .field("folders", &self.folders)
            .finish_non_exhaustive()
    }
}

impl Watcher {
    /// A watcher of nothing; its messages go to `inbox`.
    ///
    /// # Errors
    ///
    /// When neither the system's notification nor polling can be started.
    fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> notify::Result<Self> {
        let files = Arc::new(Mutex::new(Files::new()));
        let handler = |inbox: SyncSender<Message<I>>| {
            let files = Arc::clone(&files);
            move |result: DebounceEventResult| tell(&inbox, &files, result)
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

    /// A watcher of nothing with the system's notifier, or one that polls where the system gives none.
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

    /// Watches exactly these files from now on; they need not exist. Whether folders are watched that were not.
    ///
    /// # Errors
    ///
    /// When a folder cannot be watched; the others are.
    fn watch(&mut self, files: Files) -> notify::Result<bool> {
        settle(files, |files| match self.set(files.clone()) {
            Err(error) if is_exhausted(&error) && !matches!(self.backend, Backend::Polling(_)) => {
                self.backend = (self.poll)()?;
                self.polled = Some(error.to_string());
                self.folders.clear();
                self.set(files)
            }
            set => set,
        })
    }

    /// Watches the folders in which something is seen of the files.
    fn set(&mut self, files: Files) -> notify::Result<bool> {
        let folders: BTreeSet<PathBuf> = files
            .values()
            .filter_map(|seen| seen.parent().map(Path::to_owned))
            .collect();
        *self.files.lock().unwrap_or_else(PoisonError::into_inner) = files;
        let mut failed = None;
        for folder in self.folders.difference(&folders) {
            // A folder that is gone cannot be unwatched, and need not be.
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

/// Whether the system has no room for a watch. Where `notify` does not know the error, its number tells.
fn is_exhausted(error: &notify::Error) -> bool {
    const ENOSPC: i32 = 28;
    match &error.kind {
        ErrorKind::MaxFilesWatch => true,
        ErrorKind::Io(error) => error.raw_os_error() == Some(ENOSPC),
        _ => false,
    }
}

/// Finds out what is seen of files, and in which folders.
fn find(files: &[PathBuf]) -> Files {
    let seen = files.iter().map(|file| {
        let file = absolute(file);
        let seen = seen_of(&file);
        (file, seen)
    });
    seen.collect()
}

/// A watcher that keeps nobody waiting. What hangs when it is dropped is left behind.
#[derive(Debug)]
pub struct WatchService {
    finding: DetachedTasks<Vec<PathBuf>>,
}

impl WatchService {
    /// A watcher of nothing; its messages go to `inbox`.
    ///
    /// # Errors
    ///
    /// When the system has no thread to give.
    pub fn new<I: Send + 'static>(inbox: &SyncSender<Message<I>>) -> std::io::Result<Self> {
        let broken = |_: RunId, why: String| Message::WatchFailed(format!("a fault of the program: {why}"));
        let own = inbox.clone();
        let lane = Worker::start("watcher", inbox.clone(), broken, move || {
            let inbox = own.clone();
            let mut watcher = None;
            // Whether it is still to be told that folders are watched that were not.
            let mut untold = false;
            move |run, files: Files, line: &JobContext<I>| {
                let done = match &mut watcher {
                    None if files.is_empty() => return,
                    Some(watcher) => Watcher::watch(watcher, files),
                    none => Watcher::new(inbox.clone()).and_then(|new| none.insert(new).watch(files)),
                };
                if let Some(why) = watcher.as_mut().and_then(|watcher| watcher.polled.take()) {
                    line.send(run, Message::Polled(why));
                }
                match done {
                    Ok(more) => {
                        untold |= more;
                        untold = untold && !line.send(run, Message::Watching);
                    }
                    Err(error) => drop(line.send(run, Message::WatchFailed(error.to_string()))),
                }
            }
        })?;
        let lane = Mutex::new(lane);
        let finding = DetachedTasks::new(
            "finding",
            inbox.clone(),
            broken,
            move |run, files: Vec<PathBuf>, line: &JobContext<I>| {
                let found = find(&files);
                let lane = lane.lock().unwrap_or_else(PoisonError::into_inner);
                // What took long is not wanted any more.
                if !line.is_stale(run) {
                    lane.ask(found);
                }
            },
        );
        Ok(Self { finding })
    }

    /// Watches exactly these files from now on; they need not exist. Once folders are watched that were not,
    /// a [`Message::Watching`] says so.
    pub fn watch(&self, files: Vec<PathBuf>) {
        self.finding.ask(files);
    }
}

/// Has watches set for files until nothing came between the look at their folders and the watch: a folder that is made
/// just then is made unseen, and with it all that is put into it. Whether folders are watched that were not.
fn settle(mut files: Files, mut set: impl FnMut(Files) -> notify::Result<bool>) -> notify::Result<bool> {
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

/// A path that events can be compared with: absolute, its folder free of links.
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

/// The file, or the first folder on the way to it that is not there.
fn seen_of(file: &Path) -> PathBuf {
    let missing = file.ancestors().skip(1).take_while(|folder| !folder.exists()).last();
    // Above a folder that is missing stands one that is there, or nothing does.
    missing.unwrap_or(file).to_owned()
}

fn tell<I>(inbox: &SyncSender<Message<I>>, files: &Mutex<Files>, result: DebounceEventResult) {
    let message = match result {
        Ok(events) => {
            let files = files.lock().unwrap_or_else(PoisonError::into_inner);
            let rescan = events.iter().any(|event| event.need_rescan());
            let touched: BTreeSet<&PathBuf> = events
                .iter()
                .filter(|e| !e.kind.is_access())
                .flat_map(|event| &event.paths)
                .collect();
            let changed: Vec<PathBuf> = files
                .iter()
                .filter(|(file, seen)| rescan || touched.contains(file) || touched.contains(seen))
                .map(|(file, _)| file.clone())
                .collect();
            if changed.is_empty() {
                return;
            }
            Message::FilesChanged(changed)
        }
        Err(errors) => Message::WatchFailed(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")),
    };
    // Nobody listens any more: the designer is closing.
    let _ = inbox.send(message);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::Inbox;

    /// How long a message may take on a busy machine.
    const PATIENCE: Duration = Duration::from_mins(4);

    #[test]
    fn a_file_whose_folders_come_later_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let mut watcher = Watcher::new(inbox.sender()).unwrap();
        let file = folder.path().join("config/wallcrawler/config.toml");
        watcher.watch(find(std::slice::from_ref(&file))).unwrap();
        std::fs::create_dir(folder.path().join("config")).unwrap();
        let mut heard = 0;
        loop {
            // Whoever is told asks again; the last steps may come as one.
            assert!(matches!(inbox.wait(Some(PATIENCE)), Some(Message::FilesChanged(_))));
            watcher.watch(find(std::slice::from_ref(&file))).unwrap();
            heard += 1;
            if file.exists() {
                break;
            }
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            if heard > 1 {
                std::fs::write(&file, "").unwrap();
            }
        }
        assert!(heard >= 2, "at its folders, and at last at the file");
    }

    #[test]
    fn a_folder_that_is_made_while_its_watch_is_set_is_not_missed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config/wallcrawler/config.toml");
        let mut watched = Vec::new();
        settle(find(std::slice::from_ref(&file)), |files| {
            let seen = files.into_values().next().unwrap();
            // Somebody makes the next folder after the look and before the watch: the watch does not tell of it.
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
                assert_eq!(changed(&inbox), ["rooms4"], "{room}");
            }
            // It is reported once, not for every file that is opened later.
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

    fn changed(inbox: &Inbox<()>) -> Vec<String> {
        match inbox.wait(Some(PATIENCE)) {
            Some(Message::FilesChanged(paths)) => paths
                .iter()
                .map(|p| p.file_name().unwrap().to_string_lossy().into_owned())
                .collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn saves_in_place_and_by_rename_are_seen_again_and_again() {
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

    #[test]
    fn who_watches_is_told_when_and_waits_for_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rooms4");
        let inbox = Inbox::<()>::new();
        let watches = WatchService::new(&inbox.sender()).unwrap();
        watches.watch(Vec::new());
        watches.watch(vec![file.clone()]);
        assert!(matches!(inbox.wait(None), Some(Message::Watching)));
        std::fs::write(&file, "one").unwrap();
        assert_eq!(changed(&inbox), ["rooms4"]);
        // The same folder is watched already; another is not.
        let other = tempfile::tempdir().unwrap();
        watches.watch(vec![file.clone(), folder.path().join("stats4")]);
        watches.watch(vec![file.clone(), other.path().join("stats4")]);
        assert!(matches!(inbox.wait(None), Some(Message::Watching)));
        std::fs::write(other.path().join("stats4"), "one").unwrap();
        assert_eq!(changed(&inbox), ["stats4"]);
    }
}
