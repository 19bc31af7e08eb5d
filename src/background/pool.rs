//! Runs many jobs of one kind in parallel and delivers their results in order.
//!
//! Each thread keeps its own state between jobs, such as allocated memory or the content of files. The threads announce
//! results through a bounded channel, so that they pause if results are not received as fast as they are computed.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::job::Cancelled;

/// Capacity of the channel, in announced results per thread.
const WAITING: usize = 64;

/// Returns the number of threads that the machine can run in parallel, at least 1.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the number of threads for background work, at least 1. If possible, one core is left to the interface.
pub fn background_threads() -> usize {
    (threads() - 1).max(1)
}

/// Runs the jobs numbered from 0 to `count` (exclusive) on several threads, and passes the results, in the order of
/// these numbers, to `receive` on the calling thread. `begin` creates the state of a thread. If a job or `receive`
/// returns [`Cancelled`], all work ends.
///
/// # Errors
///
/// Returns [`Cancelled`] if a job or `receive` did.
pub fn in_order<K, T: Send>(
    count: u64,
    threads: usize,
    begin: impl Fn() -> K + Sync,
    job: impl Fn(&mut K, u64) -> Result<T, Cancelled> + Sync,
    mut receive: impl FnMut(u64, T) -> Result<(), Cancelled>,
) -> Result<(), Cancelled> {
    let next = AtomicU64::new(0);
    let is_over = AtomicBool::new(false);
    let threads = threads.clamp(1, count.clamp(1, 1024) as usize);
    let results = Mutex::new(Results {
        wanted: 0,
        waiting: VecDeque::new(),
    });
    let lock = || results.lock().unwrap_or_else(PoisonError::into_inner);
    let work = |report: &Report<'_>| {
        let mut state = begin();
        while !is_over.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            let result = job(&mut state, number).map(|result| lock().insert(number, result));
            let is_last = result.is_err();
            if !report(result) || is_last {
                return;
            }
        }
    };
    let mut deliver = || {
        // Release the lock before `receive` is called.
        let take = || lock().take();
        while let Some((number, result)) = take() {
            receive(number, result)?;
        }
        Ok(())
    };
    run_threads(threads, &work, &mut |result| {
        result
            .and_then(|()| deliver())
            .inspect_err(|_| is_over.store(true, Ordering::Relaxed))
    })
}

/// Results that wait until all earlier ones have been received.
struct Results<T> {
    /// Number of the result that is received next.
    wanted: u64,
    /// Results from number `wanted` on; `None` for a result that is not computed yet.
    waiting: VecDeque<Option<T>>,
}

impl<T> Results<T> {
    fn insert(&mut self, number: u64, result: T) {
        let place = (number - self.wanted) as usize;
        while self.waiting.len() <= place {
            self.waiting.push_back(None);
        }
        self.waiting[place] = Some(result);
    }

    /// Removes and returns the wanted result with its number; `None` if it is not computed yet.
    fn take(&mut self) -> Option<(u64, T)> {
        let result = self.waiting.front_mut()?.take()?;
        self.waiting.pop_front();
        self.wanted += 1;
        Some((self.wanted - 1, result))
    }
}

/// Reports that a job is finished or was cancelled; returns false once reports are no longer received.
type Report<'a> = dyn Fn(Result<(), Cancelled>) -> bool + 'a;

/// Runs `work` on each of several threads, and calls `receive` on the calling thread with each result that they report,
/// until all threads have ended or `receive` fails. Reporting blocks while too many results wait. If the system refuses
/// to start some of the threads, the others do all the work; if it refuses all, the calling thread does. The function
/// is not generic, because compiling a copy of its code for each type of work would take a long time.
fn run_threads(
    threads: usize,
    work: &(dyn Fn(&Report<'_>) + Sync),
    receive: &mut dyn FnMut(Result<(), Cancelled>) -> Result<(), Cancelled>,
) -> Result<(), Cancelled> {
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(threads * WAITING);
        let start = |_: &usize| {
            let sender = sender.clone();
            let run = move || work(&|result| sender.send(result).is_ok());
            thread::Builder::new().spawn_scoped(scope, run).is_ok()
        };
        if (0..threads).take_while(start).count() == 0 {
            let state = RefCell::new((receive, Ok(())));
            work(&|result| {
                let (receive, ended) = &mut *state.borrow_mut();
                *ended = receive(result);
                ended.is_ok()
            });
            return state.into_inner().1;
        }
        drop(sender);
        let ended = receiver.iter().try_for_each(receive);
        // Dropping the receiver wakes threads that are blocked in `send`.
        drop(receiver);
        ended
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        for (count, threads) in [(0, 3), (1, 1), (16, 4), (1000, 3), (1001, 7)] {
            let mut received = Vec::new();
            let job = |done: &mut u64, number: u64| {
                *done += 1;
                // Some jobs take longer than others.
                Ok((0..(number % 37) * 200).fold(number, |sum, i| std::hint::black_box(sum ^ i ^ i)))
            };
            let all = in_order(
                count,
                threads,
                || 0,
                job,
                |number, result| {
                    assert_eq!(number, result);
                    received.push(number);
                    Ok(())
                },
            );
            assert_eq!(all, Ok(()));
            assert_eq!(received, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_calling_thread_does_the_work_if_no_thread_can_be_started() {
        let here = thread::current().id();
        let work = |report: &Report<'_>| {
            assert_eq!(thread::current().id(), here);
            while report(Ok(())) {}
        };
        let mut received = 0;
        let ended = run_threads(0, &work, &mut |result| {
            received += 1;
            if received < 5 { result } else { Err(Cancelled) }
        });
        assert_eq!((ended, received), (Err(Cancelled), 5));
    }

    #[test]
    fn a_receiver_that_cancels_ends_the_work() {
        let done = AtomicU64::new(0);
        let mut received = 0;
        let job = |(): &mut (), _: u64| Ok(done.fetch_add(1, Ordering::Relaxed));
        let ended = in_order(
            1_000_000,
            4,
            || (),
            job,
            |number, _| {
                received = number;
                if number < 100 { Ok(()) } else { Err(Cancelled) }
            },
        );
        assert_eq!((ended, received), (Err(Cancelled), 100));
        assert!(done.load(Ordering::Relaxed) < 10_000, "the threads ran on");
    }

    #[test]
    fn a_job_that_is_cancelled_ends_the_work() {
        let job = |(): &mut (), number: u64| if number < 100 { Ok(()) } else { Err(Cancelled) };
        let mut received = 0;
        let ended = in_order(
            1_000_000,
            4,
            || (),
            job,
            |_, ()| {
                received += 1;
                Ok(())
            },
        );
        assert!(ended.is_err() && received <= 100, "{received}");
    }
}
