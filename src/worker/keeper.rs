//! The keeper of unsaved work: writes it to the state folder, so that a crash or a kill loses little.
//!
//! The loop notes what is unsaved after every message; a thread writes it once edits rest for a moment, and now
//! and then while they do not. Any thread may ask for it to be written at once: the listener for signals, a
//! panicking thread. What can be lost by `kill -9` are the last seconds.

use std::path::PathBuf;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::Message;
use crate::storage::{DesignFiles, Leftover, Slot, Unsaved, leftovers, recent};

/// How long edits must rest before they are kept.
const REST: Duration = Duration::from_secs(2);

/// What is unsaved, and how much of that is kept.
#[derive(Debug, Default)]
struct State {
    unsaved: Option<Unsaved>,
    /// Counts what was noted.
    noted: u64,
    /// What was noted last when it was last kept.
    kept: u64,
    /// When it was noted first and last since.
    first: Option<Instant>,
    last: Option<Instant>,
    /// Somebody wants to know what other runs left behind.
    asked: bool,
    /// Designs to be remembered as opened.
    opened: Vec<DesignFiles>,
    ending: bool,
    /// The longest that edits wait to be kept; `None`: they are not kept.
    most: Option<Duration>,
}

/// Where it is kept.
#[derive(Debug)]
struct Place {
    folder: Option<PathBuf>,
    slot: Option<Arc<Slot>>,
    /// Why it could not be kept, until it can be again: told once.
    failed: Option<String>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    place: Mutex<Place>,
}

/// Writes unsaved work at once, from any thread.
#[derive(Debug, Clone)]
pub struct Rescue(Arc<Shared>);

/// The thread. Dropping it joins the thread and leaves what is kept where it is.
#[derive(Debug)]
pub struct Keeper {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Starts the thread. Work is kept in the state folder `folder` at the latest `most` after it was done, and not at all without
    /// `most`; without a folder it is told, once there is work, that it is not kept. Failures go to `inbox`.
    ///
    /// # Errors
    ///
    /// When the system has no thread to give.
    pub fn new<I: Send + 'static>(
        inbox: SyncSender<Message<I>>,
        folder: Option<PathBuf>,
        most: Option<Duration>,
    ) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                most,
                ..State::default()
            }),
            changed: Condvar::new(),
            place: Mutex::new(Place {
                folder,
                slot: None,
                failed: None,
            }),
        });
        let own = Arc::clone(&shared);
        let thread = thread::Builder::new().name("keeper".into()).spawn(move || {
            while let Some(task) = own.next() {
                let message = match task {
                    Task::Keep => own.keep().err().map(Message::NotKept),
                    Task::Remember(files) => {
                        own.remember(&files);
                        None
                    }
                    Task::Look => Some(Message::Leftovers(own.look())),
                };
                if let Some(message) = message {
                    // Nobody listens any more: the designer is closing.
                    let _ = inbox.send(message);
                }
            }
        })?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Takes note of what is unsaved now; `None` when nothing is, and what was kept is thrown away.
    pub fn note(&self, unsaved: Option<Unsaved>) {
        let mut state = lock(&self.shared.state);
        if state.unsaved == unsaved {
            return;
        }
        state.unsaved = unsaved;
        state.noted += 1;
        let now = Instant::now();
        state.first.get_or_insert(now);
        state.last = Some(now);
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Keeps work at the latest `most` after it was done from now on, and without `most` throws away what is kept and
    /// keeps nothing.
    pub fn keep_every(&self, most: Option<Duration>) {
        let mut state = lock(&self.shared.state);
        if state.most == most {
            return;
        }
        state.most = most;
        // Kept or thrown away: there is something to do.
        state.noted += 1;
        let now = Instant::now();
        state.first.get_or_insert(now);
        state.last.get_or_insert(now);
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Remembers a design's files as those that were opened last.
    pub fn remember(&self, files: DesignFiles) {
        lock(&self.shared.state).opened.push(files);
        self.shared.changed.notify_all();
    }

    /// Looks for what other runs left behind; the answer is a message.
    pub fn look(&self) {
        lock(&self.shared.state).asked = true;
        self.shared.changed.notify_all();
    }

    /// Goes on keeping work in a slot that another run left behind, which holds the unsaved work already.
    pub fn adopt(&self, slot: Arc<Slot>) {
        let mut place = lock(&self.shared.place);
        if let Some(before) = place.slot.replace(slot) {
            // What stays is offered at the next start, which is no loss.
            let _ = before.clear();
        }
        // What was unsaved before is not wanted any more, and must not take the place of what is.
        let mut state = lock(&self.shared.state);
        state.unsaved = None;
        state.kept = state.noted;
        (state.first, state.last) = (None, None);
    }

    /// A way to write unsaved work at once.
    pub fn rescue(&self) -> Rescue {
        Rescue(Arc::clone(&self.shared))
    }

    /// Throws away what is kept: the designer ends in order, and nothing is unsaved that is wanted.
    pub fn finish(&self) {
        self.note(None);
        // What cannot be removed is offered at the next start, which is no loss.
        let _ = self.shared.keep();
        // Others may know of the place for as long as the process lives.
        lock(&self.shared.place).slot = None;
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        lock(&self.shared.state).ending = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has nothing to add: the work is written by whoever ends the program.
            let _ = thread.join();
        }
    }
}

impl Rescue {
    /// Writes what is unsaved and tells where it is then; `None` when nothing is.
    ///
    /// # Errors
    ///
    /// Why it could not be written.
    pub fn now(&self) -> Result<Option<PathBuf>, String> {
        // Whether this try fails for the first time does not matter here.
        let _ = self.0.keep();
        if lock(&self.0.state).wanted().is_none() {
            return Ok(None);
        }
        let place = lock(&self.0.place);
        match (&place.slot, &place.failed) {
            (Some(slot), None) => Ok(Some(slot.path().to_owned())),
            (_, failed) => Err(failed.clone().unwrap_or_default()),
        }
    }
}

enum Task {
    Keep,
    Look,
    Remember(DesignFiles),
}

impl Shared {
    /// Waits for something to do; `None` at the end.
    fn next(&self) -> Option<Task> {
        let mut state = lock(&self.state);
        loop {
            if !state.opened.is_empty() {
                return Some(Task::Remember(state.opened.remove(0)));
            }
            if state.ending {
                return None;
            }
            if std::mem::take(&mut state.asked) {
                return Some(Task::Look);
            }
            let now = Instant::now();
            let rest = state.due().map(|due| due.saturating_duration_since(now));
            state = match rest {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => return Some(Task::Keep),
                Some(rest) => {
                    let waited = self.changed.wait_timeout(state, rest);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Writes what is unsaved, or throws away what is kept when nothing is. A failure is given once, until it
    /// could be written again.
    fn keep(&self) -> Result<(), String> {
        // The place first: whoever waits for another's writing finds nothing left to write.
        let mut place = lock(&self.place);
        let unsaved = {
            let mut state = lock(&self.state);
            if state.kept == state.noted && place.failed.is_none() {
                return Ok(());
            }
            state.kept = state.noted;
            (state.first, state.last) = (None, None);
            state.wanted().cloned()
        };
        let told = place.failed.take().is_some();
        let done = place.put(unsaved.as_ref());
        place.failed = done.err();
        match &place.failed {
            Some(why) if !told => Err(why.clone()),
            _ => Ok(()),
        }
    }

    fn look(&self) -> Vec<Leftover> {
        let folder = lock(&self.place).autosaves();
        folder.map(|folder| leftovers(&folder)).unwrap_or_default()
    }

    fn remember(&self, files: &DesignFiles) {
        let folder = lock(&self.place).folder.clone();
        // A list of recent designs that cannot be written is no loss that anybody need hear of.
        let _ = folder.map(|folder| recent::remember(&folder, files));
    }
}

impl Place {
    /// The folder of unsaved work.
    fn autosaves(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join("autosave"))
    }

    fn put(&mut self, unsaved: Option<&Unsaved>) -> Result<(), String> {
        let Some(unsaved) = unsaved else {
            let cleared = self.slot.as_ref().map_or(Ok(()), |slot| slot.clear());
            return cleared.map_err(|error| error.to_string());
        };
        let slot = if let Some(slot) = &self.slot {
            slot
        } else {
            let folder = self.autosaves().ok_or("there is no folder for it")?;
            let slot = Slot::new(&folder).map_err(|error| error.to_string())?;
            self.slot.insert(Arc::new(slot))
        };
        let kept = slot.keep(unsaved);
        if kept.is_err() {
            // Somebody may have removed the folder: the next try makes it anew.
            self.slot = None;
        }
        kept.map_err(|error| error.to_string())
    }
}

impl State {
    /// When something must be kept: once edits rest, and before they wait too long.
    fn due(&self) -> Option<Instant> {
        let (first, last) = (self.first?, self.last?);
        match self.most.filter(|_| self.unsaved.is_some()) {
            None => Some(first),
            Some(most) => Some((last + REST).min(first + most)),
        }
    }

    /// What is to be kept now.
    fn wanted(&self) -> Option<&Unsaved> {
        self.unsaved.as_ref().filter(|_| self.most.is_some())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic while it was held left nothing half done that would not be written anew.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Design;
    use crate::worker::Inbox;
    use std::path::Path;

    fn note(keeper: &Keeper, name: &str) {
        keeper.note(Some(Unsaved {
            design: Arc::new(Design {
                name: name.into(),
                ..Design::default()
            }),
            files: None,
            digest: None,
            origin: None,
        }));
    }

    /// The names of what other processes would find, had this one been killed.
    fn there(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder.join("autosave"))
            .into_iter()
            .flatten()
            .flatten();
        let designs = entries.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "toml"));
        designs
            .filter_map(|entry| {
                // The keeper may throw it away in between.
                let text = std::fs::read_to_string(entry.path()).ok()?;
                let name = text.lines().find_map(|line| line.strip_prefix("name = "));
                Some(name.unwrap().trim_matches('"').to_owned())
            })
            .collect()
    }

    fn keeper(inbox: &Inbox<()>, folder: &Path, most: Duration) -> Keeper {
        Keeper::new(inbox.sender(), Some(folder.to_owned()), Some(most)).unwrap()
    }

    const LONG: Duration = Duration::from_hours(1);

    #[test]
    fn edits_are_kept_at_once_when_asked_and_thrown_away_in_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let keeper = keeper(&inbox, folder.path(), LONG);
        let rescue = keeper.rescue();
        assert_eq!(rescue.now(), Ok(None));
        assert_eq!(
            there(folder.path()).len(),
            0,
            "a designer without edits leaves no trace"
        );
        for name in ["one", "two"] {
            note(&keeper, name);
            let path = rescue.now().unwrap().unwrap();
            assert!(path.starts_with(folder.path()));
            assert_eq!(there(folder.path()), [name]);
        }
        keeper.finish();
        drop((keeper, rescue));
        assert_eq!(std::fs::read_dir(folder.path().join("autosave")).unwrap().count(), 0);
    }

    #[test]
    fn edits_are_kept_by_the_thread_and_thrown_away_when_they_are_saved() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let keeper = keeper(&inbox, folder.path(), Duration::ZERO);
        note(&keeper, "one");
        while there(folder.path()) != ["one"] {
            thread::yield_now();
        }
        keeper.note(None);
        while !there(folder.path()).is_empty() {
            thread::yield_now();
        }
    }

    #[test]
    fn what_is_left_stays_when_the_designer_does_not_end_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let first = keeper(&inbox, folder.path(), LONG);
        note(&first, "lost");
        first.rescue().now().unwrap();
        drop(first);
        let second = keeper(&inbox, folder.path(), LONG);
        second.look();
        let Some(Message::Leftovers(mut found)) = inbox.wait(None) else {
            panic!("no answer");
        };
        assert_eq!(found.len(), 1);
        let slot = Arc::new(found.remove(0).slot);
        // What was unsaved before the other design was taken up is not wanted any more.
        note(&second, "before");
        second.rescue().now().unwrap();
        second.adopt(Arc::clone(&slot));
        assert_eq!(
            there(folder.path()),
            ["lost"],
            "until it is edited, it lies where it lay"
        );
        note(&second, "found");
        assert_eq!(second.rescue().now(), Ok(Some(slot.path().to_owned())));
        assert_eq!(there(folder.path()), ["found"]);
    }

    #[test]
    fn what_cannot_be_kept_is_told_once_and_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        std::fs::write(&state, "in the way").unwrap();
        let inbox = Inbox::<()>::new();
        let keeper = keeper(&inbox, &state, Duration::ZERO);
        note(&keeper, "one");
        let told = inbox.wait(None);
        assert!(
            matches!(&told, Some(Message::NotKept(why)) if why.contains("state")),
            "{told:?}"
        );
        note(&keeper, "two");
        assert!(keeper.rescue().now().is_err());
        std::fs::remove_file(&state).unwrap();
        assert!(keeper.rescue().now().unwrap().is_some(), "it is tried again");
        std::fs::remove_dir_all(&state).unwrap();
        note(&keeper, "three");
        while there(&state) != ["three"] {
            let _ = keeper.rescue().now();
        }
    }

    #[test]
    fn how_often_it_keeps_is_changed_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let keeper = keeper(&inbox, folder.path(), LONG);
        note(&keeper, "one");
        keeper.rescue().now().unwrap();
        keeper.keep_every(None);
        while !there(folder.path()).is_empty() {
            thread::yield_now();
        }
        note(&keeper, "two");
        assert_eq!(keeper.rescue().now(), Ok(None), "switched off, nothing is kept");
        keeper.keep_every(Some(Duration::ZERO));
        while there(folder.path()) != ["two"] {
            thread::yield_now();
        }
    }

    #[test]
    fn without_a_folder_it_says_so_and_switched_off_it_is_still() {
        let inbox = Inbox::<()>::new();
        let keeper = Keeper::new(inbox.sender(), None, Some(Duration::ZERO)).unwrap();
        note(&keeper, "one");
        assert!(matches!(inbox.wait(None), Some(Message::NotKept(_))));
        let off = Keeper::new(inbox.sender(), None, None).unwrap();
        note(&off, "one");
        assert_eq!(off.rescue().now(), Ok(None));
    }
}
