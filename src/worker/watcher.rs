//! The watcher of open files.
//!
//! Editors save by renaming, truncating or replacing; a watch on the file itself goes deaf after one or two
//! such saves. So the parent folders are watched, not recursively, and events are filtered by name. Where a folder is
//! not there, the nearest above it is, until the next step towards the file comes: then the file may have changed, and
//! whoever is told so asks for it to be watched again.
//! Bursts of events become one message. Where the system's notification does not work, folders are polled.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use notify::{Config, PollWatcher, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, NoCache, new_debouncer_opt};

use super::Message;

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
}

impl Backend {
    fn watch(&mut self, folder: &Path) -> notify::Result<()> {
        match self {
            Self::Native(debouncer) => debouncer.watch(folder, RecursiveMode::NonRecursive),
            Self::Polling(debouncer) => debouncer.watch(folder, RecursiveMode::NonRecursive),
        }
    }

    fn unwatch(&mut self, folder: &Path) -> notify::Result<()> {
        match self {
            Self::Native(debouncer) => debouncer.unwatch(folder),
            Self::Polling(debouncer) => debouncer.unwatch(folder),
        }
    }
}

/// Watches a set of files and says when they may have changed.
pub struct Watcher {
    backend: Backend,
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
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> notify::Result<Self> {
        let files = Arc::new(Mutex::new(Files::new()));
        let handler = |inbox: SyncSender<Message<I>>| {
            let files = Arc::clone(&files);
            move |result: DebounceEventResult| tell(&inbox, &files, result)
        };
        let native = new_debouncer_opt(QUIET, TICK, handler(inbox.clone()), NoCache::new(), Config::default());
        let backend = if let Ok(debouncer) = native {
            Backend::Native(debouncer)
        } else {
            let config = Config::default().with_poll_interval(POLL).with_compare_contents(true);
            Backend::Polling(new_debouncer_opt(QUIET, TICK, handler(inbox), NoCache::new(), config)?)
        };
        Ok(Self {
            backend,
            files,
            folders: BTreeSet::new(),
        })
    }

    /// Watches exactly these files from now on; they need not exist.
    ///
    /// # Errors
    ///
    /// When a folder cannot be watched; the others are.
    pub fn watch(&mut self, files: &[PathBuf]) -> notify::Result<()> {
        settle(files, |files| self.set(files))
    }

    /// Watches the folders in which something is seen of the files.
    fn set(&mut self, files: Files) -> notify::Result<()> {
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
        let mut watched: BTreeSet<PathBuf> = self.folders.intersection(&folders).cloned().collect();
        for folder in folders {
            if watched.contains(&folder) {
                continue;
            }
            match self.backend.watch(&folder) {
                Ok(()) => drop(watched.insert(folder)),
                Err(error) => failed = Some(error),
            }
        }
        self.folders = watched;
        failed.map_or(Ok(()), Err)
    }
}

/// Has watches set for files until nothing came between the look at their folders and the watch: a folder that is made
/// just then is made unseen, and with it all that is put into it.
fn settle(files: &[PathBuf], mut set: impl FnMut(Files) -> notify::Result<()>) -> notify::Result<()> {
    let look = || -> Files {
        let files = files.iter().map(|file| absolute(file));
        files
            .map(|file| {
                let seen = seen_of(&file);
                (file, seen)
            })
            .collect()
    };
    let mut seen = look();
    for _ in 0..MOST_LOOKS {
        set(seen.clone())?;
        let now = look();
        if now == seen {
            break;
        }
        seen = now;
    }
    Ok(())
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
    use crate::worker::Inbox;

    /// How long a message may take on a busy machine.
    const PATIENCE: Duration = Duration::from_mins(4);

    #[test]
    fn a_file_whose_folders_come_later_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let mut watcher = Watcher::new(inbox.sender()).unwrap();
        let file = folder.path().join("config/wallcrawler/config.toml");
        watcher.watch(std::slice::from_ref(&file)).unwrap();
        std::fs::create_dir(folder.path().join("config")).unwrap();
        let mut heard = 0;
        loop {
            // Whoever is told asks again; the last steps may come as one.
            assert!(matches!(inbox.wait(Some(PATIENCE)), Some(Message::FilesChanged(_))));
            watcher.watch(std::slice::from_ref(&file)).unwrap();
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
        settle(std::slice::from_ref(&file), |files| {
            let seen = files.into_values().next().unwrap();
            // Somebody makes the next folder after the look and before the watch: the watch does not tell of it.
            if !seen.exists() && seen.extension().is_none() {
                std::fs::create_dir(&seen).unwrap();
            }
            watched.push(seen.strip_prefix(absolute(folder.path())).unwrap().to_owned());
            Ok(())
        })
        .unwrap();
        let steps = ["config", "config/wallcrawler", "config/wallcrawler/config.toml"];
        assert_eq!(watched, steps.map(PathBuf::from));
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
        watcher.watch(std::slice::from_ref(&file)).unwrap();
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
}
