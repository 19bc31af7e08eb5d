//! Runs many jobs of one kind in the background and delivers their results in batches as they are ready.
//!
//! One core is left to the interface. Unlike `parallel`, results come in no particular order,
//! which gets the first ones on the screen sooner.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time over which results are gathered into one batch.
const GATHER: Duration = Duration::from_millis(40);

/// Number of results per thread that may wait in the channel.
const WAITING: usize = 8;

/// Returns the number of background threads: one less than the machine has, but at least one.
pub(super) fn threads() -> usize {
    super::parallel::threads().saturating_sub(1).max(1)
}

/// Runs the jobs numbered from 0 to `count` (exclusive) and passes their results to `take` on the calling thread, in
/// batches and in no order, until it breaks or `is_over` returns true. `begin` creates the state of a thread; a job
/// that returns `None` was interrupted.
pub(super) fn streamed<K, T: Send>(
    count: u64,
    is_over: &(dyn Fn() -> bool + Sync),
    begin: impl Fn() -> K + Sync,
    job: impl Fn(&mut K, u64) -> Option<T> + Sync,
    mut take: impl FnMut(Vec<(u64, T)>) -> ControlFlow<()>,
) {
    let next = AtomicU64::new(0);
    let is_given_up = AtomicBool::new(false);
    let threads = threads().min(usize::try_from(count).unwrap_or(usize::MAX)).max(1);
    let (begin, job, next) = (&begin, &job, &next);
    let stops = &|| is_given_up.load(Ordering::Relaxed) || is_over();
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(threads * WAITING);
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(move || {
                let mut kept = begin();
                while !stops() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let Some(outcome) = job(&mut kept, number) else { return };
                    // The receiver is dropped at the end of the work.
                    if sender.send((number, outcome)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut gathered = Vec::new();
        let mut handed = Instant::now();
        loop {
            let ended = match receiver.recv_timeout(GATHER) {
                Ok(one) => {
                    gathered.push(one);
                    false
                }
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => true,
            };
            if is_over() {
                break;
            }
            if !gathered.is_empty() && (ended || handed.elapsed() >= GATHER) {
                if take(std::mem::take(&mut gathered)).is_break() {
                    break;
                }
                handed = Instant::now();
            }
            if ended {
                break;
            }
        }
        is_given_up.store(true, Ordering::Relaxed);
        // Dropping the receiver wakes blocked senders.
        drop(receiver);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once() {
        for count in [0, 1, 500] {
            let mut all = Vec::new();
            let square = |(): &mut (), number: u64| Some(number * number);
            streamed(
                count,
                &|| false,
                || (),
                square,
                |some| {
                    all.extend(some);
                    ControlFlow::Continue(())
                },
            );
            all.sort_unstable();
            assert_eq!(
                all,
                (0..count).map(|number| (number, number * number)).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn it_ends_when_nobody_wants_more() {
        let done = AtomicU64::new(0);
        let count = |(): &mut (), _: u64| Some(done.fetch_add(1, Ordering::Relaxed));
        streamed(u64::MAX, &|| false, || (), count, |_| ControlFlow::Break(()));
        streamed(u64::MAX, &|| true, || (), count, |_| panic!("nobody wants it"));
        let broken_off = |(): &mut (), _: u64| None::<()>;
        streamed(9, &|| false, || (), broken_off, |_| panic!("there is nothing"));
    }
}
