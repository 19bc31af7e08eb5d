//! `wallcrawler play`: plays a recording, or the growth of a design, without the designer.
//!
//! Without a terminal, or with `--frame`, this module prints the dungeon as text. Otherwise it returns the recording as
//! [`Outcome::Play`](super::Outcome), and the caller plays the recording on the terminal.

use std::ffi::OsStr;
use std::io::{IsTerminal as _, stdin, stdout};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;

use serde_json::Value;

use super::failure::Failure;
use super::interrupt::{INTERRUPTED, end_requested};
use super::output::Output;
use super::progress::{Progress, grouped};
use super::{DesignArgs, UNREADABLE, settings};
use crate::design::MemoryUse;
use crate::document::{Document, available_memory};
use crate::engine::{BuilderId, Options};
use crate::export::{DungeonView, TextStyle, TextWriter};
use crate::recording::{MomentScript, Playback, Recording};
use crate::recording_file::{PROGRAM_VERSION, RecordingFile};
use crate::storage;
use crate::text::counted;

/// The arguments of `play`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Keys: Space plays and pauses; `,` and `.` step by turn, `<` and `>` by iteration (one turn of every Crawler and Jumper that is awake), `{` and `}` by generation; `#` goes to a turn that you type; \
s and S go to the next and previous birth, d and D to the next and previous death; `[` and `]` change the speed; g and G go to the start and the end; \
`@` loops; `+` and `-` zoom; t changes what the colours show; i describes the recording; `?` lists all keys; q quits. Keys changed in the \
settings of the designer also apply here.\n\nWithout a terminal, the dungeon is printed as text: after TURN turns with --at, otherwise fully grown."
)]
pub(super) struct Args {
    #[command(flatten)]
    design: DesignArgs,
    /// Play the whole growth in N seconds
    #[arg(long, value_name = "N", value_parser = above_zero, conflicts_with = "speed")]
    seconds: Option<f64>,
    /// Play N turns per second [default: depends on the size of the dungeon]
    #[arg(long, value_name = "N", value_parser = above_zero)]
    speed: Option<f64>,
    /// Print the dungeon after TURN turns as text and exit
    #[arg(long, value_name = "TURN", conflicts_with_all = ["seconds", "speed"])]
    frame: Option<u64>,
    /// Start paused after TURN turns instead of playing from the start
    #[arg(long, value_name = "TURN", conflicts_with = "frame")]
    at: Option<u64>,
    /// Follow the Crawler or Jumper with number N (as in `why` and in the designer's Inspect view): play from the
    /// moment it wakes, with it in the centre of the map
    #[arg(long, value_name = "N", conflicts_with = "frame", value_parser = clap::value_parser!(u32).range(1..))]
    follow: Option<u32>,
    /// Play a script: a first turn, then entries of the form TURN:SECONDS, each of which plays up to TURN in that
    /// number of seconds; `0,300:4,300:2,end:5` plays 300 turns in 4 seconds, waits for 2, and plays the rest in 5.
    /// Space pauses the script; a key that goes to another turn ends it
    #[arg(long, value_name = "SCRIPT", conflicts_with_all = ["seconds", "speed", "frame", "at", "follow"])]
    moments: Option<MomentScript>,
    #[command(flatten)]
    pub(super) settings: settings::PlaceArgs,
}

fn above_zero(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number: &f64| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "use a number greater than 0".into())
}

/// The recording or design that the caller plays.
pub(super) struct PlaySource {
    pub(super) document: Document,
    /// Turns per second, if --speed or --seconds is given.
    pub(super) speed: Option<f64>,
    /// Turn at which playback starts paused, if --at is given or a dungeon code names a turn.
    pub(super) at: Option<u64>,
    /// Builder to follow, if any.
    pub(super) follow: Option<BuilderId>,
    /// The moments to show, if --moments is given.
    pub(super) moments: Option<MomentScript>,
    /// Whether this command grew and recorded the dungeon; otherwise, the recording was read from a file.
    pub(super) grown: bool,
}

/// Runs the command. Returns the recording to play, or prints the dungeon and returns `None`.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<Option<PlaySource>, Failure> {
    if let Some(path) = args.design.path().filter(|path| is_cast(path)) {
        let name = storage::input_name(path);
        let path = if args.design.is_stdin() { Path::new("-") } else { path }.display();
        return Err(Failure::unreadable(format_args!(
            "{name} is a terminal recording for asciinema; run `asciinema play {path}` to play it"
        )));
    }
    let (document, grown) = document(args, output)?;
    let is_terminal = stdin().is_terminal() && stdout().is_terminal();
    let plays = can_play(is_terminal, std::env::var_os("TERM").as_deref());
    let Some(recording_file) = document.recording_file() else {
        return Err(Failure::reported(UNREADABLE));
    };
    let follow = args.follow.map(|number| BuilderId(number - 1));
    if let Some(id) = follow.filter(|id| recording_file.recording.path_of(*id).is_none()) {
        let mut cursor = Playback::new(&recording_file.recording);
        cursor.seek(&recording_file.recording, u64::MAX);
        let born = counted(cursor.frame().builders().len(), "Builder");
        return Err(Failure::unreadable(format_args!(
            "--follow {}: the growth has only {born}",
            id.0 + 1
        )));
    }
    let at = args.at.or_else(|| args.design.moment());
    let frame = args.frame.or(at.filter(|_| !plays));
    if frame.is_some() || !plays {
        print(recording_file, frame, output);
        return Ok(None);
    }
    let latest = at.or_else(|| args.moments.as_ref().and_then(MomentScript::latest_turn));
    warn_past_end(latest, &recording_file.recording, output);
    let turns = recording_file.recording.turns() as f64;
    let speed = args.speed.or_else(|| args.seconds.map(|seconds| turns / seconds));
    Ok(Some(PlaySource {
        document,
        speed,
        at,
        follow,
        moments: args.moments.clone(),
        grown,
    }))
}

/// Returns whether a terminal can show the player. `term` is the variable `TERM`, which is usually not set on Windows.
fn can_play(is_terminal: bool, term: Option<&OsStr>) -> bool {
    is_terminal && term.is_none_or(|term| term != "dumb")
}

/// Returns whether a file is a terminal recording (asciicast), judging by its first line.
fn is_cast(path: &Path) -> bool {
    /// Length of the longest first line that is read, in bytes; it may contain a long title.
    const LONGEST: u64 = 1 << 16;
    let head = storage::read_head(path, LONGEST).unwrap_or_default();
    let line = head.split(|byte| *byte == b'\n').next();
    let header = line.and_then(|line| serde_json::from_slice::<Value>(line).ok());
    header.is_some_and(|header| {
        let is_known = matches!(header["version"].as_u64(), Some(2 | 3));
        is_known && (header["width"].is_number() || header["term"].is_object())
    })
}

/// Reads a recording file, or grows a design and records its growth. Returns a document with the recording, and whether
/// this command grew the dungeon.
fn document(args: &Args, output: &mut Output) -> Result<(Document, bool), Failure> {
    let path = args.design.path();
    let memory = available_memory(MemoryUse::Showing);
    if !args.design.has_seed()
        && let Some(recording_file) = args.design.recording_file()?
    {
        return Ok((Document::recorded(recording_file, path, memory), false));
    }
    let design = args.design.valid(MemoryUse::Showing, output)?;
    let requested = end_requested();
    let mut progress = Progress::new(0, 0);
    let options = Options::default();
    let recording = DungeonView::grow(&design, options, &mut |done, all| {
        progress.part("growing", done, all);
        if requested.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    progress.end();
    let recording_file = RecordingFile {
        program: PROGRAM_VERSION.to_owned(),
        design,
        diagnostics: Vec::new(),
        options,
        sources: Vec::new(),
        // Only the progress callback can end the growth early.
        recording: recording.map_err(|_| Failure::reported(INTERRUPTED))?,
    };
    Ok((Document::recorded(recording_file, path, memory), true))
}

/// Warns if a turn is past the end of a recording; the last turn is then shown instead.
pub(super) fn warn_past_end(turn: Option<u64>, recording: &Recording, output: &mut Output) {
    if let Some(turn) = turn.filter(|turn| *turn > recording.turns()) {
        let (turn, turns) = (grouped(turn), grouped(recording.turns()));
        output.warning(&format!("turn {turn} is past the end; showing the last turn, {turns}"));
    }
}

/// Prints the dungeon after `turn` turns; with `None`, the final dungeon.
fn print(recording_file: &RecordingFile, turn: Option<u64>, output: &mut Output) {
    let recording = &recording_file.recording;
    warn_past_end(turn, recording, output);
    let mut cursor = Playback::new(recording);
    cursor.seek(recording, turn.unwrap_or(u64::MAX));
    let grid = cursor.frame().grid();
    let text = TextWriter {
        style: TextStyle::Digits,
        generations: true,
        design: &recording_file.design,
    };
    for x in 0..grid.size().x {
        output.drawn(&(text.row(grid, x) + "\n"));
        if output.is_closed() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_without_the_variable_term_plays() {
        assert!(can_play(true, None));
        assert!(can_play(true, Some("xterm-256color".as_ref())));
        assert!(!can_play(true, Some("dumb".as_ref())));
        assert!(!can_play(false, None));
    }
}
