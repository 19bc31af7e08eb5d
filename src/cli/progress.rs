//! Reports progress on standard error: as a bar that is redrawn on a terminal, or as JSON for other programs.
//!
//! With `--progress json`, each line is an object; at most ten objects per second are written, and a last one at the
//! end. For work over many dungeons, an object contains `done` and `total` (numbers of dungeons, including those of an
//! earlier run), `resumed` (number of dungeons from an earlier run), `seconds` since the start, `per_second`, and
//! `seconds_left`, which is null until it can be estimated. For a single task, an object contains `task`, `done`,
//! `total` (0 if it is unknown) and `seconds`.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use terminal_size::{Width, terminal_size_of};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::background::Cancelled;
pub(super) use crate::text::thousands as grouped;
use crate::text::{counted, escape_line};

/// Minimum time between two updates.
const BETWEEN: Duration = Duration::from_millis(100);

/// Largest width of the bar in columns. The bar is left out if it would be narrower than [`LEAST_BAR`].
const BAR: usize = 24;
const LEAST_BAR: usize = 8;

/// Form of progress reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ProgressForm {
    /// Draw a bar if standard error is a terminal
    #[default]
    Auto,
    /// Write a JSON object per line
    Json,
    /// Report no progress
    Never,
}

/// The form that the command line selects.
static FORM: OnceLock<ProgressForm> = OnceLock::new();

/// Sets how the commands of this process report progress. Only the first call has an effect.
pub(super) fn set_form(form: ProgressForm) {
    let _ = FORM.set(form);
}

/// The destination of progress reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sink {
    Terminal,
    Json,
    Nowhere,
}

/// The progress of one command.
pub(super) struct Progress {
    sink: Sink,
    all: u64,
    /// Number of dungeons that an earlier run completed.
    before: u64,
    begun: Instant,
    drawn: Option<Instant>,
    /// The latest report, as JSON, if it has not been written yet.
    pending: Option<Value>,
}

impl Progress {
    /// Creates the progress of a command that grows dungeons. `all` is their number, and `before` is the number of
    /// those that an earlier run completed.
    pub(super) fn new(all: u64, before: u64) -> Self {
        let sink = match FORM.get().copied().unwrap_or_default() {
            ProgressForm::Json => Sink::Json,
            ProgressForm::Auto if io::stderr().is_terminal() => Sink::Terminal,
            ProgressForm::Auto | ProgressForm::Never => Sink::Nowhere,
        };
        Self {
            sink,
            all,
            before,
            begun: Instant::now(),
            drawn: None,
            pending: None,
        }
    }

    /// Sets the total number of dungeons, including those that an earlier run completed.
    pub(super) const fn set_total(&mut self, all: u64) {
        self.all = all;
    }

    /// Reports that `done` dungeons are complete, including those from an earlier run.
    pub(super) fn at(&mut self, done: u64) {
        let time = self.begun.elapsed();
        match self.sink {
            Sink::Json => {
                let value = object(done, self.before, self.all, time);
                self.pending = Some(value);
                self.write_pending();
            }
            Sink::Terminal if !self.is_early() => self.draw(&line(done, self.before, self.all, time, columns())),
            Sink::Terminal | Sink::Nowhere => {}
        }
    }

    /// Reports that `done` of `all` parts of a single task are complete. If `all` is 0, reports only that the task is
    /// running.
    pub(super) fn part(&mut self, what: &str, done: u64, all: u64) {
        match self.sink {
            Sink::Json => {
                let seconds = self.begun.elapsed().as_secs_f64();
                self.pending = Some(json!({"task": what, "done": done, "total": all, "seconds": seconds}));
                self.write_pending();
            }
            // A task that finishes within `BETWEEN` needs no line.
            Sink::Terminal if self.begun.elapsed() >= BETWEEN && !self.is_early() => {
                self.draw(&part(&escape_line(what), done, all, columns()));
            }
            Sink::Terminal | Sink::Nowhere => {}
        }
    }

    /// Returns whether the last report is too recent for another report.
    fn is_early(&self) -> bool {
        self.drawn.is_some_and(|drawn| drawn.elapsed() < BETWEEN)
    }

    fn draw(&mut self, line: &str) {
        self.drawn = Some(Instant::now());
        let _ = write!(io::stderr(), "\r{line}\x1b[K");
        let _ = io::stderr().flush();
    }

    /// Writes the pending report, unless the last written report is too recent.
    fn write_pending(&mut self) {
        if self.is_early() {
            return;
        }
        if let Some(value) = self.pending.take() {
            self.drawn = Some(Instant::now());
            let _ = writeln!(io::stderr(), "{value}");
        }
    }

    /// Ends the reports: erases the bar, or writes the pending JSON report.
    pub(super) fn end(&mut self) {
        let was_drawn = self.drawn.take().is_some();
        match self.sink {
            Sink::Json => self.write_pending(),
            Sink::Terminal if was_drawn => {
                let _ = write!(io::stderr(), "\r\x1b[K");
                let _ = io::stderr().flush();
            }
            Sink::Terminal | Sink::Nowhere => {}
        }
    }

    /// Returns the number of dungeons per second in this run; `done` includes the dungeons from an earlier run.
    pub(super) fn rate(&self, done: u64) -> f64 {
        rate(done - self.before.min(done), self.begun.elapsed())
    }
}

/// Runs a task of `all` parts and reports its progress. The task receives a closure, and calls it with the number of
/// completed parts. Returns `None` if the task was cancelled.
pub(super) fn reported<T>(
    all: u64,
    task: impl FnOnce(&mut dyn FnMut(u64) -> Result<(), Cancelled>) -> Result<T, Cancelled>,
) -> Option<T> {
    let mut progress = Progress::new(all, 0);
    let done = task(&mut |done| {
        progress.at(done);
        Ok(())
    });
    progress.end();
    done.ok()
}

/// Returns the number of columns for a report. Only one row is erased before the next report; the last column of the
/// terminal therefore stays free, so that no line wraps.
fn columns() -> usize {
    let width = terminal_size_of(io::stderr()).map_or(80, |(Width(columns), _)| columns);
    usize::from(width).saturating_sub(1)
}

/// Puts a bar before a report if both fit into `width` columns: `[############............] 50%`. Otherwise, returns
/// the report without a bar, cut to `width` columns if necessary.
fn with_bar(report: &str, done: u64, all: u64, width: usize) -> String {
    let room = width.saturating_sub(report.width() + "[] ".len()).min(BAR);
    if room >= LEAST_BAR {
        let filled = share(room, done, all);
        return format!("[{}{}] {report}", "#".repeat(filled), ".".repeat(room - filled));
    }
    cut(report, width)
}

/// Returns the part of a text that fits into `width` columns.
fn cut(text: &str, width: usize) -> String {
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    text.chars().take_while(fits).collect()
}

/// Returns `of` × `done` / `all`, rounded down, but at most `of`.
fn share(of: usize, done: u64, all: u64) -> usize {
    (u128::from(done.min(all)) * of as u128 / u128::from(all.max(1))) as usize
}

/// Formats the progress of a task: `[############............] 50%, writing map.png`.
fn part(what: &str, done: u64, all: u64, width: usize) -> String {
    if all == 0 {
        return cut(what, width);
    }
    with_bar(&format!("{}%, {what}", share(100, done, all)), done, all, width)
}

/// Returns the progress of a run as a JSON object.
fn object(done: u64, before: u64, all: u64, time: Duration) -> Value {
    let rate = rate(done.saturating_sub(before), time);
    let left = (rate >= 1e-3).then(|| (all - done.min(all)) as f64 / rate);
    json!({
        "done": done,
        "total": all,
        "resumed": before,
        "seconds": time.as_secs_f64(),
        "per_second": rate,
        "seconds_left": left,
    })
}

fn rate(done: u64, time: Duration) -> f64 {
    done as f64 / time.as_secs_f64().max(1e-6)
}

/// Formats the progress of a run: `[#####.....] 3,200 of 10,000 dungeons, 2,450 per second, 3 s left`.
fn line(done: u64, before: u64, all: u64, time: Duration, width: usize) -> String {
    let rate = rate(done.saturating_sub(before), time);
    let mut line = format!("{} of {}", grouped(done), counted(all, "dungeon"));
    if rate >= 1e-3 {
        let left = (all - done.min(all)) as f64 / rate;
        let _ = write!(line, ", {}, {} left", speed(rate), span(left));
    }
    with_bar(&line, done, all, width)
}

/// Formats a number of dungeons per second: `2,450 per second`, or `3.2 s per dungeon` if the number is less than 1.
pub(super) fn speed(rate: f64) -> String {
    if rate < 1.0 {
        format!("{:.1} s per dungeon", rate.recip())
    } else {
        format!("{} per second", grouped(rate.round() as u64))
    }
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
            line(2500, 0, 10_000, second, 100),
            "[######..................] 2,500 of 10,000 dungeons, 2,500 per second, 3 s left"
        );
        // Dungeons from an earlier run do not count towards the speed of this run.
        assert!(line(5000, 4000, 100_000, second, 100).ends_with("1,000 per second, 1 min 35 s left"));
        assert_eq!(
            line(0, 0, 0, Duration::ZERO, 100),
            "[........................] 0 of 0 dungeons"
        );
        assert_eq!(
            (grouped(1), grouped(1234), grouped(1_234_567)),
            ("1".into(), "1,234".into(), "1,234,567".into())
        );
        assert_eq!(span(7300.0), "2 h 1 min");
        assert_eq!(
            part("writing map.png", 5, 10, 100),
            "[############............] 50%, writing map.png"
        );
        assert_eq!(part("growing", 5, 0, 100), "growing");
    }

    #[test]
    fn less_than_one_dungeon_per_second_is_not_shown_as_0_per_second() {
        let time = Duration::from_secs(16);
        assert!(line(5, 0, 10, time, 100).ends_with(" 5 of 10 dungeons, 3.2 s per dungeon, 16 s left"));
        assert_eq!(speed(1.0), "1 per second");
    }

    #[test]
    fn the_line_fits_into_the_terminal() {
        let hour = Duration::from_hours(1);
        for width in 1..120 {
            for line in [
                line(3_200_000, 0, 10_000_000, hour, width),
                part("writing 地図.png", 5, 10, width),
                part("growing", 5, 0, width),
            ] {
                assert!(line.width() <= width, "{width}: {line}");
            }
        }
        assert_eq!(
            line(3_200_000, 0, 10_000_000, hour, 79),
            "[###.........] 3,200,000 of 10,000,000 dungeons, 889 per second, 2 h 7 min left"
        );
    }

    #[test]
    fn the_json_object_has_the_same_numbers_as_the_line() {
        let second = Duration::from_secs(2);
        let expected = json!({
            "done": 300, "total": 1000, "resumed": 100, "seconds": 2.0, "per_second": 100.0, "seconds_left": 7.0,
        });
        assert_eq!(object(300, 100, 1000, second), expected);
        assert_eq!(object(0, 0, 5, second)["seconds_left"], Value::Null);
    }
}
