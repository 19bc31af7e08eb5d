//! A budget that all runs of one or more runtimes share, in addition to the limits of each run.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A limit on the total instructions and the total time of many Lua runs. Clones share the same budget.
#[derive(Debug, Clone, Default)]
pub struct Budget(Rc<State>);

/// A function that returns whether the runs have been cancelled.
type Cancelled = Rc<dyn Fn() -> bool>;

#[derive(Default)]
struct State {
    limit: Cell<Option<u64>>,
    spent: Cell<u64>,
    /// Deadline, and the duration from which it was computed.
    deadline: Cell<Option<(Instant, Duration)>>,
    cancelled: RefCell<Option<Cancelled>>,
    /// Place at which the instructions ran out; empty if it is unknown.
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
    /// Creates a budget of `instructions` Lua instructions, without a time limit.
    pub fn of(instructions: u64) -> Self {
        let budget = Self::default();
        budget.limit_to(Some(instructions));
        budget
    }

    /// Makes runs end once `cancelled` returns true; `None` removes the condition.
    pub fn cancel_when(&self, cancelled: Option<Rc<dyn Fn() -> bool>>) {
        self.0.cancelled.replace(cancelled);
    }

    /// Resets the count of used instructions and sets their limit; `None` means no limit.
    pub fn limit_to(&self, instructions: Option<u64>) {
        self.0.limit.set(instructions);
        self.0.spent.set(0);
        self.0.last.replace(None);
    }

    /// Sets the deadline to `time` from now; `None` means no limit. The time limit is a last resort, because the speed
    /// of the machine decides which runs reach the limit.
    pub fn end_within(&self, time: Option<Duration>) {
        let deadline = time.and_then(|time| Some((Instant::now().checked_add(time)?, time)));
        self.0.deadline.set(deadline);
    }

    /// Returns the number of instructions used since the budget was last reset.
    pub fn spent(&self) -> u64 {
        self.0.spent.get()
    }

    /// Returns whether the runs have been cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.borrow().as_ref().is_some_and(|cancelled| cancelled())
    }

    /// Returns whether the deadline has passed.
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

    /// Returns the message for a run that was stopped because the instructions are used up. `place` is where this run
    /// was stopped; the message names the place where the first such run was stopped.
    pub(super) fn spent_message(&self, place: Option<String>) -> String {
        self.0.last.borrow_mut().get_or_insert(place.unwrap_or_default());
        self.exhausted().unwrap_or_default()
    }

    /// Returns a message that names the place at which the limit was reached; `None` if the budget is not exhausted.
    pub fn exhausted(&self) -> Option<String> {
        let (last, limit) = (self.0.last.borrow(), self.0.limit.get()?);
        let last = last.as_deref()?;
        let by = if last.is_empty() { "a map" } else { last };
        Some(format!(
            "all maps together may use {limit} Lua instructions, and {by} reached the limit"
        ))
    }

    /// Returns the message for a run that was stopped because the deadline has passed; `None` if it has not passed.
    pub(super) fn late_message(&self) -> Option<String> {
        let (_, time) = self.0.deadline.get().filter(|_| self.is_late())?;
        let seconds = time.as_secs_f32();
        Some(format!("stopped: all maps together may take at most {seconds} seconds"))
    }
}
