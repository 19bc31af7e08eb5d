//! Work over many seeds on several threads, without the interpreter's lock, until it is done, fails or is interrupted.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use wallcrawler::design::InvalidDesign;

use crate::design_error;

/// Time between two checks for a signal, such as the signal that Ctrl+C sends.
pub(crate) const BETWEEN_SIGNALS: Duration = Duration::from_millis(50);

/// Number of results per thread that may wait to be received.
const WAITING: usize = 4;

/// Returns the seeds of a sequence of whole numbers.
pub(crate) fn seeds(given: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    if given.is_instance_of::<PyInt>() || given.is_instance_of::<PyString>() {
        let message = "seeds must be a sequence of whole numbers, such as range(1000)";
        return Err(PyTypeError::new_err(message));
    }
    let length = match given.len() {
        Ok(length) => length,
        // The length of a range may be more than any list can have.
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => usize::MAX,
        Err(_) => 0,
    };
    let mut seeds = reserved(length)?;
    for seed in given.try_iter()? {
        let seed = seed?;
        seeds.push(seed.extract().map_err(|_| {
            let most = u64::MAX;
            PyValueError::new_err(format!(
                "{seed} is not a seed; a seed is a whole number from 0 to {most}"
            ))
        })?);
    }
    Ok(seeds)
}

/// Returns an empty list with capacity for one value per seed.
pub(crate) fn reserved<T>(seeds: usize) -> PyResult<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(seeds).map_err(|_| {
        PyMemoryError::new_err(
            "no memory for that many seeds; use grow_batches or survey_batches to work on parts of them",
        )
    })?;
    Ok(list)
}

/// Returns the number of threads: one per core unless another number is given.
pub(crate) fn threads(given: Option<usize>) -> PyResult<usize> {
    match given {
        Some(0) => Err(PyValueError::new_err("threads must be at least 1")),
        Some(threads) => Ok(threads),
        None => Ok(thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// Calls `work` for each seed, on several threads. Each thread makes its own value with `worker` and passes this value
/// to every call of `work`. Calls `receive` with each result of `work` and the index of its seed, in any order. `work`
/// polls a callback, and returns `None` once the callback returns false.
///
/// # Errors
///
/// Returns an error of `worker` or `work`, or the exception of a signal handler.
pub(crate) fn over_seeds<W, T: Send>(
    py: Python<'_>,
    seeds: &[u64],
    threads: usize,
    worker: impl Fn() -> Result<W, InvalidDesign> + Sync,
    work: impl Fn(&mut W, u64, &dyn Fn() -> bool) -> Result<Option<T>, InvalidDesign> + Sync,
    mut receive: impl FnMut(usize, T) + Send,
) -> PyResult<()> {
    let (next, cancelled) = (AtomicUsize::new(0), AtomicBool::new(false));
    let threads = threads.min(seeds.len().max(1));
    let failed = py.detach(|| {
        let (sender, results) = sync_channel(threads * WAITING);
        thread::scope(|scope| {
            for _ in 0..threads {
                let sender = sender.clone();
                let (next, cancelled, worker, work) = (&next, &cancelled, &worker, &work);
                scope.spawn(move || {
                    let goes_on = || !cancelled.load(Ordering::Relaxed);
                    let mut own = None;
                    while goes_on() {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&seed) = seeds.get(index) else { break };
                        let result = match &mut own {
                            Some(own) => work(own, seed, &goes_on),
                            none => worker().and_then(|new| work(none.insert(new), seed, &goes_on)),
                        };
                        if sender.send((index, result)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut failed = None;
            let mut last = Instant::now();
            loop {
                match results.recv_timeout(BETWEEN_SIGNALS) {
                    Ok((index, Ok(Some(result)))) if failed.is_none() => receive(index, result),
                    Ok((_, Err(problem))) if failed.is_none() => failed = Some(Failure::Design(problem)),
                    Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break failed,
                }
                if failed.is_none() && last.elapsed() >= BETWEEN_SIGNALS {
                    last = Instant::now();
                    failed = signal().map(Failure::Signal);
                }
                if failed.is_some() {
                    cancelled.store(true, Ordering::Relaxed);
                }
            }
        })
    });
    failed.map_or(Ok(()), |failure| Err(failure.exception(py)))
}

/// The reason why the work ended early.
pub(crate) enum Failure {
    Design(InvalidDesign),
    Signal(PyErr),
}

impl Failure {
    /// Returns the exception for the failure.
    pub(crate) fn exception(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Design(problem) => design_error(py, &problem),
            Self::Signal(error) => error,
        }
    }
}

/// Runs the handlers of signals that arrived. Returns the exception of a handler, such as `KeyboardInterrupt`.
pub(crate) fn signal() -> Option<PyErr> {
    Python::attach(|py| py.check_signals()).err()
}
