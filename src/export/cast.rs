//! Exports the growth as a terminal recording for asciinema, in true colour.
//!
//! Each character shows two squares, one above the other. A status line below the dungeon shows the progress of the
//! growth, and the recording has a marker at the start of each generation that it shows. Generations in which all
//! Builders sleep have no markers.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::film::{FrameChange, GrowthAnimation, HOLD};
use super::{CastVersion, DungeonView, ExportError, ExportOptions, ExportTask, Rgb};
use crate::engine::ITERATIONS_PER_GENERATION;
use crate::geometry::{Point, Size};
use crate::text::{counted, escape_line};

/// Minimum width of the terminal in columns, so that the status line fits.
const COLUMNS: i32 = 60;

/// Writes events. The version of the format determines whether timestamps count from the start of the recording or from
/// the previous event.
struct CastEvents {
    version: CastVersion,
    /// Time of the last event, in milliseconds since the start.
    last: u32,
}

impl CastEvents {
    fn write(&mut self, time: u32, code: &str, data: &str, job: &mut ExportTask<'_>) -> Result<(), ExportError> {
        let timestamp = match self.version {
            CastVersion::Two => time,
            CastVersion::Three => time - self.last,
        };
        self.last = time;
        let seconds = f64::from(timestamp) / 1000.0;
        job.format(format_args!("{}\n", json!([seconds, code, data])))
    }
}

fn header(dungeon: &DungeonView<'_>, size: Size, version: CastVersion, options: &ExportOptions) -> Value {
    let Size { x, y } = size;
    let (columns, rows) = (y.max(COLUMNS), (x + 1) / 2 + 1);
    // Control characters must be escaped, because players may print the title to a terminal.
    let title = options.provenance(dungeon).title_with_sources();
    let title = escape_line(&title);
    match version {
        CastVersion::Two => json!({"version": 2, "width": columns, "height": rows, "title": title}),
        CastVersion::Three => json!({"version": 3, "term": {"cols": columns, "rows": rows}, "title": title}),
    }
}

/// The cursor position and colours that the terminal has now. They are not sent again while they stay the same.
#[derive(Default)]
struct Pen {
    at: Option<(i32, i32)>,
    colours: Option<[Rgb; 2]>,
}

impl Pen {
    /// Draws one character: the squares of rows `2 * line` and `2 * line + 1`.
    fn draw(&mut self, animation: &GrowthAnimation, line: i32, column: i32, out: &mut String) {
        let rgb = |x: i32| {
            let part = animation.shown().part_of(Point::new(x, column));
            animation.shown().parts().get(part).map_or([0; 3], |part| part.rgb)
        };
        let colours = [rgb(2 * line), rgb(2 * line + 1)];
        // Writing to a string cannot fail.
        if self.at != Some((line, column)) {
            let _ = write!(out, "\x1b[{};{}H", line + 1, column + 1);
        }
        if self.colours != Some(colours) {
            let [above, below] = colours.map(|[red, green, blue]| format!("2;{red};{green};{blue}"));
            let _ = write!(out, "\x1b[38;{above};48;{below}m");
        }
        out.push('▀');
        // After a character in its last column, a terminal delays the line wrap, so the cursor position is unknown.
        let is_last = column + 1 == animation.shown().size().y;
        (self.at, self.colours) = ((!is_last).then_some((line, column + 1)), Some(colours));
    }
}

pub(super) fn write(
    dungeon: &DungeonView<'_>,
    version: CastVersion,
    options: &ExportOptions,
    job: &mut ExportTask<'_>,
) -> Result<(), ExportError> {
    job.at(0, 1)?;
    let mut animation = GrowthAnimation::new(dungeon, options)?;
    let size = animation.shown().size();
    let lines = (size.x + 1) / 2;
    job.format(format_args!("{}\n", header(dungeon, size, version, options)))?;
    let mut events = CastEvents { version, last: 0 };
    let steps = animation.steps.clone();
    // An animation that starts late has no markers for the generations before its start.
    let first = steps.first().map_or(0, |step| step.turn);
    let recording = dungeon.recording();
    let mut next_generation = recording.clock_at(first).generation();
    for (number, step) in steps.iter().enumerate() {
        job.at(number as u64, steps.len() as u64)?;
        let clock = recording.clock_at(step.turn);
        while next_generation <= clock.generation() {
            // If all Builders sleep during a generation, the next iteration belongs to a later one.
            let begins = recording.turn_of_iteration(next_generation * ITERATIONS_PER_GENERATION);
            let generation = recording.clock_at(begins).generation();
            events.write(step.time, "m", &format!("generation {generation}"), job)?;
            next_generation = generation + 1;
        }
        let mut out = String::new();
        let mut pen = Pen::default();
        if number == 0 {
            out.push_str("\x1b[?25l\x1b[2J");
        }
        let mut cells: Vec<(i32, i32)> = match animation.show(number) {
            FrameChange::Squares(changed) => changed.iter().map(|at| (at.x / 2, at.y)).collect(),
            FrameChange::All => (0..lines)
                .flat_map(|line| (0..size.y).map(move |column| (line, column)))
                .collect(),
        };
        cells.sort_unstable();
        cells.dedup();
        for (line, column) in cells {
            pen.draw(&animation, line, column, &mut out);
        }
        let description = format!(
            "generation {}, turn {} of {}, {}",
            clock.generation(),
            step.turn,
            dungeon.turn(),
            counted(step.laid, "tile")
        );
        let _ = write!(out, "\x1b[0m\x1b[{};1H{description}\x1b[K", lines + 1);
        events.write(step.time, "o", &out, job)?;
    }
    let end = events.last.saturating_add(HOLD);
    // The recording ends without a line break, because one in the last row would scroll the picture up.
    events.write(end, "o", "\x1b[?25h", job)
}
