//! What all runs of one or more runtimes may use together, besides the limit of each run.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Instructions and time for many runs of Lua. Copies share what is left.
#[derive(Debug, Clone, Default)]
pub struct Budget(Rc<State>);

/// Says whether the runs are still wanted.
type Cancelled = Rc<dyn Fn() -> bool>;

#[derive(Default)]
struct State {
    limit: Cell<Option<u64>>,
    spent: Cell<u64>,
    /// When time is up, and how long it was.
    deadline: Cell<Option<(Instant, Duration)>>,
    cancelled: RefCell<Option<Cancelled>>,
    /// Where the last instruction was used.
    last: RefCell<Option<String>>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State")
            .field("limit", &self.limit)
            .field("spent", &self.spent)
            .finish_non_exhaustive()
    }
}

impl Budget {
    /// A budget of a number of instructions.
    pub fn of(instructions: u64) -> Self {
        let budget = Self::default();
        budget.limit_to(Some(instructions));
        budget
    }

    /// Ends the runs once `cancelled` says so.
    pub fn cancel_when(&self, cancelled: Option<Rc<dyn Fn() -> bool>>) {
        self.0.cancelled.replace(cancelled);
    }

    /// Begins anew with a number of instructions; `None` is without limit.
    pub fn limit_to(&self, instructions: Option<u64>) {
        self.0.limit.set(instructions);
        self.0.spent.set(0);
        self.0.last.replace(None);
    }

    /// Begins to count time; `None` is without limit. Time is a last defence: what it ends depends on the machine.
    pub fn end_within(&self, time: Option<Duration>) {
        let deadline = time.and_then(|time| Some((Instant::now().checked_add(time)?, time)));
        self.0.deadline.set(deadline);
    }

    /// Instructions that were used since the budget began.
    pub fn spent(&self) -> u64 {
        self.0.spent.get()
    }

    /// Whether no instruction is left, or its runs are not wanted any more.
    pub fn is_spent(&self) -> bool {
        self.left() == 0 || self.is_cancelled()
    }

    /// Whether its runs are not wanted any more.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.borrow().as_ref().is_some_and(|cancelled| cancelled())
    }

    /// Whether its time is up.
    pub fn is_late(&self) -> bool {
        self.0
            .deadline
            .get()
            .is_some_and(|(deadline, _)| Instant::now() >= deadline)
    }

    pub(super) fn left(&self) -> u64 {
        let limit = self.0.limit.get().unwrap_or(u64::MAX);
        limit.saturating_sub(self.0.spent.get())
    }

    pub(super) fn charge(&self, instructions: u64) {
        self.0.spent.set(self.0.spent.get().saturating_add(instructions));
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.0.deadline.get().map(|(deadline, _)| deadline)
    }

    /// Says that its instructions are used up, and by what; `place` is where a run is stopped for that.
    pub(super) fn spent_message(&self, place: Option<String>) -> String {
        self.0.last.borrow_mut().get_or_insert(place.unwrap_or_default());
        self.exhausted().unwrap_or_default()
    }

    /// Says which place used the last instruction, once it is used.
    pub fn exhausted(&self) -> Option<String> {
        let (last, limit) = (self.0.last.borrow(), self.0.limit.get()?);
        let last = last.as_deref()?;
        let by = if last.is_empty() { "a map" } else { last };
        Some(format!(
            "all maps together may use {limit} instructions of Lua, and {by} used the last of them"
        ))
    }

    /// Says that its time is up, if it is.
    pub(super) fn late_message(&self) -> Option<String> {
        let (_, time) = self.0.deadline.get().filter(|_| self.is_late())?;
        let seconds = time.as_secs_f32();
        Some(format!("stopped: all maps together may take {seconds} seconds"))
    }
}
