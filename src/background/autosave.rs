//! The keeper of unsaved work: writes it to the state folder, so that a crash or a kill loses little.
//!
//! The loop notes what is unsaved after every message; a thread writes it once edits rest for a moment, and now
//! and then while they do not. Any thread may ask for it to be written at once: the listener for signals, a
//! panicking thread. What can be lost by `kill -9` are the last seconds. Nobody waits long for a drive that does not answer.

use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Message;
use super::timeout::{JoinWithTimeout, soon};
use crate::storage::{AutosaveSlot, DesignFiles, Unsaved, leftovers, recent};

/// How long edits must rest before they are kept; what is being typed or drawn is one file, not one a key.
const REST: Duration = Duration::from_millis(500);

/// What is unsaved, and how much of that is kept.
#[derive(Debug, Default)]
struct AutosaveState {
    unsaved: Option<Unsaved>,
    /// Counts what was noted.
    noted: u64,
    /// What was noted last when it was last kept.
    kept: u64,
    /// When it was noted first and last since.
    first: Option<Instant>,
    last: Option<Instant>,
    /// The slot of another run, in which work is kept from now on.
    adopted: Option<Arc<AutosaveSlot>>,
    /// Designs to be remembered as opened.
    opened: Vec<DesignFiles>,
    ending: bool,
    /// Whether nothing is kept at the end.
    finishing: bool,
    /// The longest that edits wait to be kept; `None`: they are not kept.
    most: Option<Duration>,
}

/// Where it is kept.
#[derive(Debug)]
struct AutosavePlace {
    slot: Option<Arc<AutosaveSlot>>,
    /// Why it could not be kept, until it can be again: told once.
    failed: Option<String>,
}

#[derive(Debug)]
struct AutosaveShared {
    /// The folder of all that the program keeps.
    folder: Option<PathBuf>,
    state: Mutex<AutosaveState>,
    changed: Condvar,
    place: Mutex<AutosavePlace>,
}

/// Writes unsaved work at once, from any thread.
#[derive(Debug, Clone)]
pub struct EmergencySave(Arc<AutosaveShared>);

/// The thread. Dropping it joins the thread, unless it hangs, and leaves what is kept where it is.
pub struct Autosaver {
    shared: Arc<AutosaveShared>,
    /// Begins a look for what other runs left behind.
    look: Box<dyn Fn() + Send>,
    /// Its end is waited for.
    _thread: JoinWithTimeout,
}

impl std::fmt::Debug for Autosaver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keeper")
            .field("shared", &self.shared)
            .finish_non_exhaustive()
    }
}

impl Autosaver {
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
                // A thread of its own, left alone: the files of what was left may lie on a drive that does not answer. Where
                // the system has no thread to give, it is found at the next start.
                let _ = thread::Builder::new().name("leftovers".into()).spawn(move || {
                    let found = folder.map(|folder| leftovers(&folder)).unwrap_or_default();
                    let _ = inbox.send(Message::Leftovers(found));
                });
            }
        };
        let own = Arc::clone(&shared);
        let thread = JoinWithTimeout::start("keeper", move || {
            while let Some(task) = own.next() {
                match task {
                    AutosaveTask::Keep => {
                        if let Err(why) = own.keep() {
                            // Nobody listens any more: the designer is closing.
                            let _ = inbox.send(Message::NotKept(why));
                        }
                    }
                    AutosaveTask::Remember(files) => own.remember(&files),
                }
            }
            if lock(&own.state).finishing {
                // Others may know of the place for as long as the process lives.
                lock(&own.place).slot = None;
            }
        })?;
        Ok(Self {
            shared,
            look: Box::new(look),
            _thread: thread,
        })
    }

    /// Takes note of what is unsaved now; `None` when nothing is, and what was kept is thrown away.
    pub fn note(&self, unsaved: Option<Unsaved>) {
        if lock(&self.shared.state).note(unsaved, Instant::now()) {
            self.shared.changed.notify_all();
        }
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
        (self.look)();
    }

    /// Goes on keeping work in a slot that another run left behind, which holds the unsaved work already.
    pub fn adopt(&self, slot: Arc<AutosaveSlot>) {
        // What was unsaved before is not wanted any more, and must not take the place of what is.
        let mut state = lock(&self.shared.state);
        state.adopted = Some(slot);
        state.unsaved = None;
        state.taken();
        drop(state);
        self.shared.changed.notify_all();
    }

    /// A way to write unsaved work at once.
    pub fn rescue(&self) -> EmergencySave {
        EmergencySave(Arc::clone(&self.shared))
    }

    /// Throws away what is kept: the designer ends in order, and nothing is unsaved that is wanted.
    pub fn finish(&self) {
        self.note(None);
        // The thread does it. What cannot be removed is offered at the next start, which is no loss.
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
    /// The folder in which unsaved work is kept, if it is kept at all.
    pub fn folder(&self) -> Option<PathBuf> {
        self.0.folder.as_deref().map(autosaves)
    }

    /// Writes what is unsaved and tells where it is then; `None` when nothing is.
    ///
    /// # Errors
    ///
    /// Why it could not be written; a drive that does not answer is not waited for.
    pub fn now(&self) -> Result<Option<PathBuf>, String> {
        let shared = Arc::clone(&self.0);
        let unanswered = || match lock(&self.0.state).wanted() {
            None => Ok(None),
            Some(_) => Err("the drive of the folder for it does not answer".into()),
        };
        soon(move || shared.rescue()).unwrap_or_else(unanswered)
    }
}

enum AutosaveTask {
    Keep,
    Remember(DesignFiles),
}

impl AutosaveShared {
    /// Waits for something to do; `None` at the end.
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

    /// Writes what is unsaved, or throws away what is kept when nothing is. A failure is given once, until it
    /// could be written again.
    fn keep(&self) -> Result<(), String> {
        // The place first: whoever waits for another's writing finds nothing left to write.
        let mut place = lock(&self.place);
        let adopted = lock(&self.state).adopted.take();
        if let Some(before) = adopted.and_then(|slot| place.slot.replace(slot)) {
            // What stays is offered at the next start, which is no loss.
            let _ = before.clear();
        }
        let unsaved = {
            let mut state = lock(&self.state);
            if state.kept == state.noted && place.failed.is_none() {
                return Ok(());
            }
            state.taken();
            state.wanted().cloned()
        };
        let told = place.failed.take().is_some();
        let done = place.put(unsaved.as_ref(), self.folder.as_deref());
        place.failed = done.err();
        match &place.failed {
            Some(why) if !told => Err(why.clone()),
            _ => Ok(()),
        }
    }

    /// Writes what is unsaved and tells where it is then.
    fn rescue(&self) -> Result<Option<PathBuf>, String> {
        // Whether this try fails for the first time does not matter here.
        let _ = self.keep();
        if lock(&self.state).wanted().is_none() {
            return Ok(None);
        }
        let place = lock(&self.place);
        match (&place.slot, &place.failed) {
            (Some(slot), None) => Ok(Some(slot.path().to_owned())),
            (_, failed) => Err(failed.clone().unwrap_or_default()),
        }
    }

    fn remember(&self, files: &DesignFiles) {
        // A list of recent designs that cannot be written is no loss that anybody need hear of.
        let _ = self.folder.as_ref().map(|folder| recent::remember(folder, files));
    }
}

/// The folder of unsaved work, in that of all that the program keeps.
fn autosaves(folder: &Path) -> PathBuf {
    folder.join("autosave")
}

impl AutosavePlace {
    fn put(&mut self, unsaved: Option<&Unsaved>, folder: Option<&Path>) -> Result<(), String> {
        let Some(unsaved) = unsaved else {
            let cleared = self.slot.as_ref().map_or(Ok(()), |slot| slot.clear());
            return cleared.map_err(|error| error.to_string());
        };
        let slot = if let Some(slot) = &self.slot {
            slot
        } else {
            let folder = folder.ok_or("there is no folder for it")?;
            let slot = AutosaveSlot::new(&autosaves(folder)).map_err(|error| error.to_string())?;
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

impl AutosaveState {
    /// Notes what is unsaved from `now` on. Returns whether that is news.
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

    /// Marks all that was noted as kept: the next edit waits anew.
    const fn taken(&mut self) {
        self.kept = self.noted;
        (self.first, self.last) = (None, None);
    }

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
    use crate::background::Inbox;
    use crate::design::Design;

    fn unsaved(design: Design) -> Unsaved {
        Unsaved {
            design: Arc::new(design),
            files: None,
            digest: None,
            origin: None,
        }
    }

    fn note(keeper: &Autosaver, name: &str) {
        keeper.note(Some(unsaved(Design {
            name: name.into(),
            ..Design::default()
        })));
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

    fn keeper(inbox: &Inbox<()>, folder: &Path, most: Duration) -> Autosaver {
        Autosaver::new(inbox.sender(), Some(folder.to_owned()), Some(most)).unwrap()
    }

    const LONG: Duration = Duration::from_hours(1);

    #[test]
    fn edits_are_kept_half_a_second_after_the_last_and_every_two_seconds_while_they_go_on() {
        let begun = Instant::now();
        let most = crate::settings::Settings::default().saving.autosave;
        // The moments of edits and of autosaves, in milliseconds, when an edit comes every `every` until `until`.
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
                    state.taken();
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
        assert_eq!(second.rescue().now(), Ok(None));
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
    fn a_folder_that_does_not_answer_keeps_nobody_from_leaving() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let keeper = keeper(&inbox, folder.path(), LONG);
        let rescue = keeper.rescue();
        note(&keeper, "one");
        rescue.now().unwrap();
        let shared = Arc::clone(&keeper.shared);
        // As if somebody wrote to it and the drive did not answer.
        let hung = lock(&shared.place);
        note(&keeper, "two");
        assert!(rescue.now().is_err());
        keeper.look();
        assert!(matches!(inbox.wait(None), Some(Message::Leftovers(_))));
        keeper.finish();
        drop(keeper);
        assert_eq!(rescue.now(), Ok(None), "nothing is wanted any more");
        assert_eq!(there(folder.path()), ["one"]);
        drop(hung);
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
        let keeper = Autosaver::new(inbox.sender(), None, Some(Duration::ZERO)).unwrap();
        note(&keeper, "one");
        assert!(matches!(inbox.wait(None), Some(Message::NotKept(_))));
        let off = Autosaver::new(inbox.sender(), None, None).unwrap();
        note(&off, "one");
        assert_eq!(off.rescue().now(), Ok(None));
    }
}
