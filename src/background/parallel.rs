//! Runs many jobs of one kind in parallel and delivers their results in order.
//!
//! Each thread keeps state of its own between jobs, such as memory or files it has read. Finished batches wait in a
//! bounded channel, which limits how far a thread runs ahead.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Number of jobs that a thread does before it sends their results.
const BATCH: u64 = 16;

/// Number of batches per thread that may wait in the channel.
const WAITING: usize = 8;

/// Returns the number of threads that the machine runs in parallel, at least 1.
pub(super) fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Runs the jobs numbered from 0 to `count` (exclusive), and calls `take` with each result in order, on the calling
/// thread, until it breaks. `begin` creates the state of a thread.
pub(super) fn in_order<K, T: Send>(
    count: u64,
    threads: usize,
    begin: impl Fn() -> K + Sync,
    job: impl Fn(&mut K, u64) -> T + Sync,
    mut take: impl FnMut(u64, T) -> ControlFlow<()>,
) {
    let next = AtomicU64::new(0);
    let is_over = AtomicBool::new(false);
    let threads = threads.clamp(1, count.div_ceil(BATCH).clamp(1, 1024) as usize);
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(threads * WAITING);
        for _ in 0..threads {
            let (sender, next, is_over) = (sender.clone(), &next, &is_over);
            let (begin, job) = (&begin, &job);
            scope.spawn(move || {
                let mut kept = begin();
                while !is_over.load(Ordering::Relaxed) {
                    let first = next.fetch_add(BATCH, Ordering::Relaxed);
                    if first >= count {
                        return;
                    }
                    let batch = first..count.min(first + BATCH);
                    let done: Vec<T> = batch.map(|number| job(&mut kept, number)).collect();
                    // The receiver is dropped when `take` breaks.
                    if sender.send((first, done)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        while let Ok((first, done)) = receiver.recv() {
            early.insert(first, done);
            while let Some(batch) = early.remove(&wanted) {
                for (number, outcome) in (wanted..).zip(batch) {
                    if take(number, outcome).is_break() {
                        is_over.store(true, Ordering::Relaxed);
                        // Dropping the receiver wakes blocked senders.
                        return;
                    }
                }
                wanted += BATCH;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_come_in_order_whoever_is_quicker() {
        for (count, threads) in [(0, 3), (1, 1), (16, 4), (1000, 3), (1001, 7)] {
            let mut taken = Vec::new();
            let job = |done: &mut u64, number: u64| {
                *done += 1;
                // Some batches take longer than others.
                (0..(number % 37) * 200).fold(number, |sum, i| std::hint::black_box(sum ^ i ^ i))
            };
            in_order(
                count,
                threads,
                || 0,
                job,
                |number, outcome| {
                    assert_eq!(number, outcome);
                    taken.push(number);
                    ControlFlow::Continue(())
                },
            );
            assert_eq!(taken, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_break_ends_the_work() {
        let done = AtomicU64::new(0);
        let mut taken = 0;
        let job = |(): &mut (), _: u64| done.fetch_add(1, Ordering::Relaxed);
        in_order(
            1_000_000,
            4,
            || (),
            job,
            |number, _| {
                taken = number;
                if number < 100 {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            },
        );
        assert_eq!(taken, 100);
        assert!(done.load(Ordering::Relaxed) < 10_000, "they ran on");
    }
}
