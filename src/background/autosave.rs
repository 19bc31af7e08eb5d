//! Autosave: writes unsaved work to the state folder, so that little is lost if the program crashes or is killed.
//!
//! The event loop passes the unsaved work to the autosaver after every message. The autosaver's thread writes the work
//! as soon as edits have paused for half a second, and at intervals while they continue. Any other thread (the signal
//! handler, a panicking thread) may request an immediate write. If the program is killed with `kill -9`, only the edits
//! since the last write are lost. All waits for an unresponsive drive are bounded.

use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Message;
use super::timeout::{ThreadGroup, spawn, with_timeout};
use crate::storage::{AutosaveSlot, DesignFiles, StorageError, Unsaved, leftovers, recent};

/// The reason why unsaved work could not be written.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AutosaveError {
    /// The program has no state folder.
    #[error("there is no folder for autosaves")]
    NoFolder,
    /// The write did not end before the timeout.
    #[error("the drive with the autosave folder is not responding")]
    NoAnswer,
    /// The file could not be written.
    #[error(transparent)]
    Unwritten(Arc<StorageError>),
}

impl From<StorageError> for AutosaveError {
    fn from(error: StorageError) -> Self {
        Self::Unwritten(Arc::new(error))
    }
}

/// Pause between the last edit and its write, so that typing or drawing causes one write instead of one per key.
const REST: Duration = Duration::from_millis(500);

/// The unsaved work, and whether it has been written.
#[derive(Debug, Default)]
struct AutosaveState {
    unsaved: Option<Unsaved>,
    /// Number of changes recorded so far.
    noted: u64,
    /// Value of `noted` at the last write.
    kept: u64,
    /// Times of the first and the last change since the last write.
    first: Option<Instant>,
    last: Option<Instant>,
    /// Slot that another run left behind, which receives future autosaves.
    adopted: Option<Arc<AutosaveSlot>>,
    /// Files of designs to be added to the list of recent files.
    opened: Vec<DesignFiles>,
    ending: bool,
    /// Whether the autosave is deleted at the end.
    finishing: bool,
    /// Longest time that an edit stays unwritten; `None` disables autosave.
    most: Option<Duration>,
}

/// Destination of the autosave.
#[derive(Debug)]
struct AutosavePlace {
    slot: Option<Arc<AutosaveSlot>>,
    /// Error of the last attempt to write; `None` if it succeeded.
    failed: Option<AutosaveError>,
}

#[derive(Debug)]
struct AutosaveShared {
    /// State folder of the program.
    folder: Option<PathBuf>,
    state: Mutex<AutosaveState>,
    changed: Condvar,
    place: Mutex<AutosavePlace>,
}

/// Handle that writes unsaved work immediately, from any thread.
#[derive(Debug, Clone)]
pub struct EmergencySave(Arc<AutosaveShared>);

/// The autosave thread. Dropping the autosaver joins its thread, unless the thread hangs, and leaves the autosave in
/// place.
pub struct Autosaver {
    shared: Arc<AutosaveShared>,
    /// Starts a search for the autosaves of other runs.
    look: Box<dyn Fn() + Send>,
    /// Joined on drop, with a timeout.
    _thread: ThreadGroup,
}

impl std::fmt::Debug for Autosaver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Autosaver")
            .field("shared", &self.shared)
            .finish_non_exhaustive()
    }
}

impl Autosaver {
    /// Starts the thread. Unsaved work is written to the state folder `folder`, no later than `most` after the edit. If
    /// `most` is `None`, nothing is written. The first of consecutive failures is sent to `inbox`, and so is the first
    /// success after it. Without a folder, autosaving fails at the first unsaved change.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub fn new<I: Send + 'static>(
        inbox: SyncSender<Message<I>>,
        folder: Option<PathBuf>,
        most: Option<Duration>,
    ) -> std::io::Result<Self> {
        let shared = Arc::new(AutosaveShared {
            folder: folder.clone(),
            state: Mutex::new(AutosaveState {
                most,
                ..AutosaveState::default()
            }),
            changed: Condvar::new(),
            place: Mutex::new(AutosavePlace {
                slot: None,
                failed: None,
            }),
        });
        let look = {
            let inbox = inbox.clone();
            move || {
                let (inbox, folder) = (inbox.clone(), folder.as_deref().map(autosaves));
                // The search runs on a detached thread, since the files may be on a drive that does not respond. If
                // the thread cannot be spawned, the next start of the program finds the autosaves.
                let _ = spawn("leftovers", move || {
                    let found = folder.map(|folder| leftovers(&folder)).unwrap_or_default();
                    let _ = inbox.send(Message::Recoverable(found));
                });
            }
        };
        let own = Arc::clone(&shared);
        let thread = ThreadGroup::default();
        thread.spawn("autosaver", move || {
            let mut has_reported_failure = false;
            while let Some(task) = own.next() {
                match task {
                    AutosaveTask::Keep => {
                        let message = match own.keep() {
                            Ok(()) if has_reported_failure => Message::AutosaveWorks,
                            Err(why) if !has_reported_failure => Message::AutosaveFailed(why),
                            _ => continue,
                        };
                        has_reported_failure = !has_reported_failure;
                        // Sending fails only while the designer is closing.
                        let _ = inbox.send(message);
                    }
                    AutosaveTask::Remember(files) => own.remember(&files),
                }
            }
            if lock(&own.state).finishing {
                // `EmergencySave` handles may keep the shared state alive until the process ends; release the slot
                // now.
                lock(&own.place).slot = None;
            }
        })?;
        Ok(Self {
            shared,
            look: Box::new(look),
            _thread: thread,
        })
    }

    /// Records the current unsaved work. `None` means that nothing is unsaved, and deletes the autosave.
    pub fn note(&self, unsaved: Option<Unsaved>) {
        if lock(&self.shared.state).note(unsaved, Instant::now()) {
            self.shared.changed.notify_all();
        }
    }

    /// Sets the longest time that an edit stays unwritten; `None` disables autosave and deletes the file.
    pub fn keep_every(&self, most: Option<Duration>) {
        let mut state = lock(&self.shared.state);
        if state.most == most {
            return;
        }
        state.most = most;
        // Wakes the thread: it must write or delete the autosave.
        state.noted += 1;
        let now = Instant::now();
        state.first.get_or_insert(now);
        state.last.get_or_insert(now);
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Adds a design's files to the list of recent files.
    pub fn remember(&self, files: DesignFiles) {
        lock(&self.shared.state).opened.push(files);
        self.shared.changed.notify_all();
    }

    /// Searches for autosaves that other runs left behind. The reply is [`Message::Recoverable`].
    pub fn look(&self) {
        (self.look)();
    }

    /// Writes future autosaves to a slot that another run left behind. The slot already contains the current
    /// unsaved work.
    pub fn adopt(&self, slot: Arc<AutosaveSlot>) {
        // Work recorded earlier is obsolete and must not overwrite the content of the adopted slot.
        let mut state = lock(&self.shared.state);
        state.adopted = Some(slot);
        state.unsaved = None;
        state.mark_written();
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Returns a handle that writes unsaved work immediately.
    pub fn rescue(&self) -> EmergencySave {
        EmergencySave(Arc::clone(&self.shared))
    }

    /// Deletes the autosave, because the designer is ending normally and the user does not want to keep unsaved work.
    pub fn finish(&self) {
        self.note(None);
        // The thread deletes the autosave. If the file cannot be deleted, the next start offers it to the user, which
        // does no harm.
        lock(&self.shared.state).finishing = true;
    }
}

impl Drop for Autosaver {
    fn drop(&mut self) {
        lock(&self.shared.state).ending = true;
        self.shared.changed.notify_all();
    }
}

impl EmergencySave {
    /// Returns the folder of the autosaves; `None` if the program has no state folder.
    pub fn folder(&self) -> Option<PathBuf> {
        self.0.folder.as_deref().map(autosaves)
    }

    /// Writes the unsaved work and returns its path; `None` if nothing is unsaved.
    ///
    /// # Errors
    ///
    /// Returns why the work could not be written. An unresponsive drive causes an error after a timeout.
    pub fn now(&self) -> Result<Option<PathBuf>, AutosaveError> {
        let shared = Arc::clone(&self.0);
        let unanswered = || match lock(&self.0.state).wanted() {
            None => Ok(None),
            Some(_) => Err(AutosaveError::NoAnswer),
        };
        with_timeout(move || shared.rescue()).unwrap_or_else(unanswered)
    }
}

enum AutosaveTask {
    Keep,
    Remember(DesignFiles),
}

impl AutosaveShared {
    /// Waits for the next task. Returns `None` when the thread must end.
    fn next(&self) -> Option<AutosaveTask> {
        let mut state = lock(&self.state);
        loop {
            if !state.opened.is_empty() {
                return Some(AutosaveTask::Remember(state.opened.remove(0)));
            }
            if state.adopted.is_some() {
                return Some(AutosaveTask::Keep);
            }
            if state.ending {
                return (state.finishing && state.kept != state.noted).then_some(AutosaveTask::Keep);
            }
            let now = Instant::now();
            let rest = state.due().map(|due| due.saturating_duration_since(now));
            state = match rest {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => return Some(AutosaveTask::Keep),
                Some(rest) => {
                    let waited = self.changed.wait_timeout(state, rest);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Writes the unsaved work, or deletes the autosave if nothing is unsaved.
    fn keep(&self) -> Result<(), AutosaveError> {
        self.keep_by(AutosavePlace::put)
    }

    /// Writes or deletes like [`Self::keep`], with `put` in place of [`AutosavePlace::put`].
    fn keep_by(
        &self,
        put: impl FnOnce(&mut AutosavePlace, Option<&Unsaved>, Option<&Path>) -> Result<(), AutosaveError>,
    ) -> Result<(), AutosaveError> {
        // Lock the place before the state: if two threads write at the same time, the second one waits, and then
        // finds nothing left to write.
        let mut place = lock(&self.place);
        let adopted = lock(&self.state).adopted.take();
        if let Some(slot) = adopted {
            // The adopted slot contains the current work, so there is nothing to repeat after an earlier failure.
            place.failed = None;
            // If the file cannot be deleted, the next start offers it to the user, which does no harm.
            let _ = place.slot.replace(slot).map(|before| before.clear());
        }
        let (unsaved, noted) = {
            let mut state = lock(&self.state);
            if state.kept == state.noted && place.failed.is_none() {
                return Ok(());
            }
            (state.first, state.last) = (None, None);
            (state.wanted().cloned(), state.noted)
        };
        let done = put(&mut place, unsaved.as_ref(), self.folder.as_deref());
        place.failed = done.clone().err();
        // Mark the changes as written only after the call of `put`: if `put` panics, the next call writes them again.
        // `adopt` may meanwhile have marked later changes as written, so `kept` must not be lowered.
        let mut state = lock(&self.state);
        state.kept = state.kept.max(noted);
        drop(state);
        done
    }

    /// Writes the unsaved work and returns its path.
    fn rescue(&self) -> Result<Option<PathBuf>, AutosaveError> {
        // The error is also in `place.failed`, which is checked below.
        let _ = self.keep();
        if lock(&self.state).wanted().is_none() {
            return Ok(None);
        }
        let place = lock(&self.place);
        match (&place.slot, &place.failed) {
            (Some(slot), None) => Ok(Some(slot.path().to_owned())),
            (_, failed) => Err(failed.clone().unwrap_or(AutosaveError::NoFolder)),
        }
    }

    fn remember(&self, files: &DesignFiles) {
        // A failure to write the list of recent files is not important enough for a message.
        let _ = self.folder.as_ref().map(|folder| recent::remember(folder, files));
    }
}

/// Returns the folder of the autosaves inside the state folder.
fn autosaves(folder: &Path) -> PathBuf {
    folder.join("autosave")
}

impl AutosavePlace {
    fn put(&mut self, unsaved: Option<&Unsaved>, folder: Option<&Path>) -> Result<(), AutosaveError> {
        let Some(unsaved) = unsaved else {
            let cleared = self.slot.as_ref().map_or(Ok(()), |slot| slot.clear());
            return Ok(cleared.map_err(StorageError::from)?);
        };
        let slot = if let Some(slot) = &self.slot {
            slot
        } else {
            let folder = folder.ok_or(AutosaveError::NoFolder)?;
            let slot = AutosaveSlot::new(&autosaves(folder)).map_err(StorageError::from)?;
            self.slot.insert(Arc::new(slot))
        };
        let kept = slot.keep(unsaved);
        if kept.is_err() && !slot.path().exists() {
            // The folder may have been removed. Without a slot, the next attempt creates the folder again. A slot with
            // earlier work is kept, because otherwise nothing would delete that work at the end.
            self.slot = None;
        }
        Ok(kept?)
    }
}

impl AutosaveState {
    /// Records the unsaved work, with `now` as its time. Returns whether it differs from the work recorded before.
    fn note(&mut self, unsaved: Option<Unsaved>, now: Instant) -> bool {
        if self.unsaved == unsaved {
            return false;
        }
        self.unsaved = unsaved;
        self.noted += 1;
        self.first.get_or_insert(now);
        self.last = Some(now);
        true
    }

    /// Marks every recorded change as written, and resets the times of the first and the last change.
    const fn mark_written(&mut self) {
        self.kept = self.noted;
        (self.first, self.last) = (None, None);
    }

    /// Returns when the next write is due: `REST` after the last edit, but no later than `most` after the first.
    /// Deleting the autosave is due immediately. Returns `None` if nothing has changed.
    fn due(&self) -> Option<Instant> {
        let (first, last) = (self.first?, self.last?);
        match self.most.filter(|_| self.unsaved.is_some()) {
            None => Some(first),
            Some(most) => Some((last + REST).min(first + most)),
        }
    }

    /// Returns the unsaved work if autosave is enabled.
    fn wanted(&self) -> Option<&Unsaved> {
        self.unsaved.as_ref().filter(|_| self.most.is_some())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // If a thread panicked while it held the lock, the state is still usable: an interrupted write is repeated.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::background::Inbox;
    use crate::design::Design;

    fn unsaved(design: Design) -> Unsaved {
        Unsaved {
            design: Arc::new(design),
            files: None,
            folder: PathBuf::new(),
            digest: None,
            origin: None,
        }
    }

    fn note(autosaver: &Autosaver, name: &str) {
        autosaver.note(Some(unsaved(Design {
            name: name.into(),
            ..Design::default()
        })));
    }

    /// Returns the names of the designs in the autosaves that another process would find if this one had been killed.
    fn there(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder.join("autosave"))
            .into_iter()
            .flatten()
            .flatten();
        let designs = entries.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "toml"));
        designs
            .filter_map(|entry| {
                // The autosaver may have deleted the file since it was listed.
                let text = std::fs::read_to_string(entry.path()).ok()?;
                let name = text.lines().find_map(|line| line.strip_prefix("name = "));
                Some(name.unwrap().trim_matches('"').to_owned())
            })
            .collect()
    }

    fn autosaver(inbox: &Inbox<()>, folder: &Path, most: Duration) -> Autosaver {
        Autosaver::new(inbox.sender(), Some(folder.to_owned()), Some(most)).unwrap()
    }

    const LONG: Duration = Duration::from_hours(1);

    #[test]
    fn edits_are_kept_half_a_second_after_the_last_and_every_two_seconds_while_they_continue() {
        let begun = Instant::now();
        let most = crate::settings::Settings::default().saving.autosave;
        // Makes an edit every `every` milliseconds until `until`. Returns the times of the autosaves, in milliseconds.
        let kept = |every: u64, until: u64| {
            let mut state = AutosaveState {
                most,
                ..AutosaveState::default()
            };
            let at = |ms: u64| begun + Duration::from_millis(ms);
            let mut kept = Vec::new();
            for ms in 0..until + 5_000 {
                if ms % every == 0 && ms <= until {
                    let design = Design {
                        seed: ms,
                        ..Design::default()
                    };
                    state.note(Some(unsaved(design)), at(ms));
                }
                if state.due().is_some_and(|due| due <= at(ms)) {
                    state.mark_written();
                    kept.push(ms);
                }
            }
            kept
        };
        assert_eq!(kept(1, 0), [500], "one edit");
        assert_eq!(kept(600, 1_200), [500, 1_100, 1_700], "edits with rests between them");
        assert_eq!(kept(100, 7_000), [2_000, 4_100, 6_200, 7_500], "edits without a rest");
    }

    #[test]
    fn edits_are_saved_on_request_and_discarded_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let autosaver = autosaver(&inbox, folder.path(), LONG);
        let rescue = autosaver.rescue();
        assert_eq!(rescue.now().unwrap(), None);
        assert_eq!(
            there(folder.path()).len(),
            0,
            "a designer without edits leaves no trace"
        );
        for name in ["one", "two"] {
            note(&autosaver, name);
            let path = rescue.now().unwrap().unwrap();
            assert!(path.starts_with(folder.path()));
            assert_eq!(there(folder.path()), [name]);
        }
        autosaver.finish();
        drop((autosaver, rescue));
        assert_eq!(std::fs::read_dir(folder.path().join("autosave")).unwrap().count(), 0);
    }

    #[test]
    fn edits_are_kept_by_the_thread_and_discarded_when_they_are_saved() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let autosaver = autosaver(&inbox, folder.path(), Duration::ZERO);
        note(&autosaver, "one");
        while there(folder.path()) != ["one"] {
            thread::yield_now();
        }
        autosaver.note(None);
        while !there(folder.path()).is_empty() {
            thread::yield_now();
        }
    }

    #[test]
    fn unsaved_work_stays_when_the_designer_ends_abnormally() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let first = autosaver(&inbox, folder.path(), LONG);
        note(&first, "lost");
        first.rescue().now().unwrap();
        drop(first);
        let second = autosaver(&inbox, folder.path(), LONG);
        second.look();
        let Some(Message::Recoverable(mut found)) = inbox.wait(None) else {
            panic!("no answer");
        };
        assert_eq!(found.len(), 1);
        let slot = Arc::new(found.remove(0).slot);
        // Work recorded before the slot is adopted is obsolete.
        note(&second, "before");
        second.rescue().now().unwrap();
        second.adopt(Arc::clone(&slot));
        assert_eq!(second.rescue().now().unwrap(), None);
        assert_eq!(
            there(folder.path()),
            ["lost"],
            "until it is edited, it stays in its place"
        );
        note(&second, "found");
        assert_eq!(second.rescue().now().unwrap(), Some(slot.path().to_owned()));
        assert_eq!(there(folder.path()), ["found"]);
    }

    #[test]
    fn a_folder_that_does_not_answer_does_not_delay_quitting() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let autosaver = autosaver(&inbox, folder.path(), LONG);
        let rescue = autosaver.rescue();
        note(&autosaver, "one");
        rescue.now().unwrap();
        let shared = Arc::clone(&autosaver.shared);
        // Simulates a thread that is writing to a drive that does not respond.
        let hung = lock(&shared.place);
        note(&autosaver, "two");
        assert!(rescue.now().is_err());
        autosaver.look();
        assert!(matches!(inbox.wait(None), Some(Message::Recoverable(_))));
        autosaver.finish();
        drop(autosaver);
        assert_eq!(rescue.now().unwrap(), None, "nothing is wanted any more");
        assert_eq!(there(folder.path()), ["one"]);
        drop(hung);
    }

    #[test]
    fn a_failed_autosave_is_reported_once_and_retried() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        std::fs::write(&state, "in the way").unwrap();
        let inbox = Inbox::<()>::new();
        let autosaver = autosaver(&inbox, &state, Duration::ZERO);
        note(&autosaver, "one");
        let message = inbox.wait(None);
        assert!(
            matches!(&message, Some(Message::AutosaveFailed(why)) if why.to_string().contains("state")),
            "{message:?}"
        );
        note(&autosaver, "two");
        assert!(autosaver.rescue().now().is_err());
        std::fs::remove_file(&state).unwrap();
        assert!(autosaver.rescue().now().unwrap().is_some(), "it is tried again");
        std::fs::remove_dir_all(&state).unwrap();
        note(&autosaver, "three");
        while there(&state) != ["three"] {
            let _ = autosaver.rescue().now();
        }
    }

    #[test]
    fn a_slot_with_earlier_work_is_written_again_after_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let autosaver = autosaver(&inbox, folder.path(), LONG);
        note(&autosaver, "one");
        let path = autosaver.rescue().now().unwrap().unwrap();
        // A folder in place of the file makes the next write fail.
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        note(&autosaver, "two");
        assert!(autosaver.rescue().now().is_err());
        std::fs::remove_dir(&path).unwrap();
        assert_eq!(autosaver.rescue().now().unwrap(), Some(path));
        assert_eq!(there(folder.path()), ["two"]);
    }

    #[test]
    fn adopted_work_is_not_deleted_after_a_failed_autosave() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let first = autosaver(&inbox, folder.path(), LONG);
        note(&first, "lost");
        first.rescue().now().unwrap();
        drop(first);
        let state = folder.path().join("state");
        std::fs::write(&state, "in the way").unwrap();
        let second = autosaver(&inbox, &state, LONG);
        note(&second, "mine");
        assert!(second.rescue().now().is_err());
        let found = leftovers(&autosaves(folder.path())).remove(0);
        second.adopt(Arc::new(found.slot));
        assert_eq!(second.rescue().now().unwrap(), None);
        assert_eq!(there(folder.path()), ["lost"]);
    }

    #[test]
    fn a_write_that_panics_is_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let autosaver = autosaver(&inbox, folder.path(), LONG);
        note(&autosaver, "one");
        let shared = Arc::clone(&autosaver.shared);
        let panicked = thread::spawn(move || shared.keep_by(|_, _, _| panic!("on purpose"))).join();
        assert!(panicked.is_err());
        assert!(autosaver.rescue().now().unwrap().is_some());
        assert_eq!(there(folder.path()), ["one"]);
    }

    #[test]
    fn a_new_autosave_interval_applies_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let autosaver = autosaver(&inbox, folder.path(), LONG);
        note(&autosaver, "one");
        autosaver.rescue().now().unwrap();
        autosaver.keep_every(None);
        while !there(folder.path()).is_empty() {
            thread::yield_now();
        }
        note(&autosaver, "two");
        assert_eq!(autosaver.rescue().now().unwrap(), None, "switched off, nothing is kept");
        autosaver.keep_every(Some(Duration::ZERO));
        while there(folder.path()) != ["two"] {
            thread::yield_now();
        }
    }

    #[test]
    fn a_success_after_a_failure_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let in_the_way = folder.path().join("state");
        std::fs::write(&in_the_way, "not a folder").unwrap();
        let inbox = Inbox::<()>::new();
        let autosaver = autosaver(&inbox, &in_the_way, Duration::ZERO);
        note(&autosaver, "one");
        assert!(matches!(inbox.wait(None), Some(Message::AutosaveFailed(_))));
        // A failure of an immediate write is not reported to the designer a second time, and its success is reported
        // at the next write of the thread.
        assert!(autosaver.rescue().now().is_err());
        std::fs::remove_file(&in_the_way).unwrap();
        assert!(autosaver.rescue().now().unwrap().is_some());
        note(&autosaver, "two");
        assert!(matches!(inbox.wait(None), Some(Message::AutosaveWorks)));
    }

    #[test]
    fn adopting_a_slot_ends_a_reported_failure() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let first = autosaver(&inbox, folder.path(), LONG);
        note(&first, "lost");
        first.rescue().now().unwrap();
        drop(first);
        let state = folder.path().join("state");
        std::fs::write(&state, "in the way").unwrap();
        let second = autosaver(&inbox, &state, Duration::ZERO);
        note(&second, "mine");
        assert!(matches!(inbox.wait(None), Some(Message::AutosaveFailed(_))));
        let found = leftovers(&autosaves(folder.path())).remove(0);
        second.adopt(Arc::new(found.slot));
        assert!(matches!(inbox.wait(None), Some(Message::AutosaveWorks)));
    }

    #[test]
    fn a_missing_folder_is_reported_unless_autosave_is_off() {
        let inbox = Inbox::<()>::new();
        let autosaver = Autosaver::new(inbox.sender(), None, Some(Duration::ZERO)).unwrap();
        note(&autosaver, "one");
        assert!(matches!(inbox.wait(None), Some(Message::AutosaveFailed(_))));
        let off = Autosaver::new(inbox.sender(), None, None).unwrap();
        note(&off, "one");
        assert_eq!(off.rescue().now().unwrap(), None);
    }
}
