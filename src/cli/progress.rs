//! A progress line on standard error, shown only on a terminal.

use std::fmt::Write as _;

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

pub(super) use crate::text::thousands as grouped;
use crate::text::{counted, escape_line};

/// Minimum time between two updates of the line.
const BETWEEN: Duration = Duration::from_millis(100);

/// Width of the bar in characters.
const BAR: u64 = 24;

/// The progress line.
pub(super) struct Progress {
    is_shown: bool,
    all: u64,
    /// Number of units done before this run.
    before: u64,
    begun: Instant,
    drawn: Option<Instant>,
}

impl Progress {
    /// Creates the line for `all` dungeons, of which `before` were done earlier.
    pub(super) fn new(all: u64, before: u64) -> Self {
        Self {
            is_shown: io::stderr().is_terminal(),
            all,
            before,
            begun: Instant::now(),
            drawn: None,
        }
    }

    /// Reports that `done` dungeons are complete, including those done before.
    pub(super) fn at(&mut self, done: u64) {
        if !self.is_shown || self.drawn.is_some_and(|drawn| drawn.elapsed() < BETWEEN) {
            return;
        }
        self.drawn = Some(Instant::now());
        let line = line(done, self.before, self.all, self.begun.elapsed());
        let _ = write!(io::stderr(), "\r{line}\x1b[K");
        let _ = io::stderr().flush();
    }

    /// Reports the progress of a single task; with a total of 0, only that it is running.
    pub(super) fn part(&mut self, what: &str, done: u64, all: u64) {
        // Tasks that finish at once need no line.
        let is_early = self.begun.elapsed() < BETWEEN || self.drawn.is_some_and(|drawn| drawn.elapsed() < BETWEEN);
        if !self.is_shown || is_early {
            return;
        }
        self.drawn = Some(Instant::now());
        let _ = write!(io::stderr(), "\r{}\x1b[K", escape_line(&part(what, done, all)));
        let _ = io::stderr().flush();
    }

    /// Erases the line.
    pub(super) fn end(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
            let _ = io::stderr().flush();
        }
    }

    /// Returns the number of dungeons per second in this run.
    pub(super) fn rate(&self, done: u64) -> f64 {
        rate(done - self.before.min(done), self.begun.elapsed())
    }
}

/// Formats the progress of a task: `[############............] 50 %, writing map.png`.
fn part(what: &str, done: u64, all: u64) -> String {
    if all == 0 {
        return what.to_owned();
    }
    let share = |of: u64| (u128::from(done.min(all)) * u128::from(of) / u128::from(all)) as usize;
    let filled = share(BAR);
    format!(
        "[{}{}] {} %, {what}",
        "#".repeat(filled),
        ".".repeat(BAR as usize - filled),
        share(100)
    )
}

fn rate(done: u64, time: Duration) -> f64 {
    done as f64 / time.as_secs_f64().max(1e-6)
}

/// Formats the progress of a run: `[#####.....] 3,200 of 10,000, 2,450 a second, 3 s left`.
fn line(done: u64, before: u64, all: u64, time: Duration) -> String {
    let filled = (u128::from(done) * u128::from(BAR) / u128::from(all.max(1))) as usize;
    let rate = rate(done.saturating_sub(before), time);
    let mut line = format!(
        "[{}{}] {} of {}",
        "#".repeat(filled),
        ".".repeat(BAR as usize - filled),
        grouped(done),
        counted(all, "dungeon")
    );
    if rate >= 1e-3 {
        let left = (all - done.min(all)) as f64 / rate;
        let _ = write!(
            line,
            ", {} per second, {} left",
            grouped(rate.round() as u64),
            span(left)
        );
    }
    line
}

/// Formats a duration in seconds.
fn span(seconds: f64) -> String {
    let whole = seconds.ceil() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_remains() {
        let second = Duration::from_secs(1);
        assert_eq!(
            line(2500, 0, 10_000, second),
            "[######..................] 2,500 of 10,000 dungeons, 2,500 per second, 3 s left"
        );
        // Units done before this run do not count towards its speed.
        assert!(line(5000, 4000, 100_000, second).ends_with("1,000 per second, 1 min 35 s left"));
        assert_eq!(
            line(0, 0, 0, Duration::ZERO),
            "[........................] 0 of 0 dungeons"
        );
        assert_eq!(
            (grouped(1), grouped(1234), grouped(1_234_567)),
            ("1".into(), "1,234".into(), "1,234,567".into())
        );
        assert_eq!(span(7300.0), "2 h 1 min");
        assert_eq!(
            part("writing map.png", 5, 10),
            "[############............] 50 %, writing map.png"
        );
        assert_eq!(part("growing", 5, 0), "growing");
    }
}
