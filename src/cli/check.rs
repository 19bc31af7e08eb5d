//! `wallcrawler check`: reports errors and warnings of designs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::endpoints::EndpointArgs;
use super::output::Output;
use super::seeds::SeedRange;
use super::{UNEXPECTED, UNREADABLE, UNUSABLE, expectations};
use crate::design::{Entry, FieldInfo, MemoryUse, Severity};
use crate::document::{Opened, SeededDesign, available_memory, diagnose};
use crate::recording_file::ReproductionCheck;
use crate::storage::{self, LoadedDesign};
use crate::text::counted;

/// The arguments of `check`.
#[derive(Debug, clap::Args)]
#[command(
    after_long_help = long_help()
)]
pub(super) struct Args {
    /// TOML designs, rooms, stats and constants files (consecutive ones form a design), and recordings, which are checked
    /// for damage and reproduced
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Grow a dungeon from each of these seeds, and report anomalies and failed expectations: 100 (the seeds 0 to 99),
    /// 0..10000 (without 10000), 5..=9, or a comma-separated list of these
    #[arg(long, value_name = "SEEDS")]
    seeds: Option<SeedRange>,
    #[command(flatten)]
    ends: EndpointArgs,
}

/// Returns the part of `--help` about every parameter of the files.
fn long_help() -> String {
    let mut help = String::new();
    let parts = [
        ("Rooms file: dimensions", Entry::Dimensions),
        ("Rooms file: limits", Entry::Limits),
        ("Rooms file: a room", Entry::Room(0)),
        ("Rooms file: a first Crawler", Entry::Crawler(0)),
        ("Rooms file: the last line", Entry::Protuberances),
        ("Stats file: a generation", Entry::Generation(0)),
        ("Constants file", Entry::Constants),
    ];
    for (title, entry) in parts {
        let _ = writeln!(help, "{title} (name, name in TOML: meaning)");
        for one in entry.parameters() {
            let _ = writeln!(help, "  {}", parameter(one.info()));
        }
        help.push('\n');
    }
    help
}

/// Describes a parameter: `StepLength, step_length: wall tiles … (squares, 1 to 1000)`.
fn parameter(info: &FieldInfo) -> String {
    let key = if info.key == info.name {
        String::new()
    } else {
        format!(", {}", info.key)
    };
    let unit = if info.unit.is_empty() {
        String::new()
    } else {
        format!("{}, ", info.unit)
    };
    let FieldInfo {
        name,
        meaning,
        min,
        max,
        ..
    } = info;
    format!("{name}{key}: {meaning} ({unit}{min} to {max})")
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> u8 {
    if args.seeds.is_none() && args.ends.is_given() {
        output.error("--entrance and --exit need --seeds; without it no dungeon is grown");
        return UNREADABLE;
    }
    let memory = available_memory(MemoryUse::Printing);
    let (recordings, files): (Vec<_>, Vec<_>) =
        args.files.iter().cloned().partition(|path| storage::is_recording(path));
    if args.seeds.is_some() && !recordings.is_empty() {
        output.error("--seeds does not apply to recordings, which have one seed; check them separately");
        return UNREADABLE;
    }
    let mut status = 0;
    for path in &recordings {
        status = status.max(recording(path, output));
    }
    for loaded in LoadedDesign::any(&files) {
        let names: Vec<String> = loaded.names().map(str::to_owned).collect();
        let mut opened = diagnose(loaded.clone(), memory);
        opened.diagnostics.sort_by_key(|d| {
            let source = d.source.as_ref();
            source.map(|s| (names.iter().position(|name| *name == s.file), s.span.start))
        });
        for diagnostic in &opened.diagnostics {
            if diagnostic.source.is_none() && opened.unreadable {
                output.report(std::slice::from_ref(diagnostic));
            } else {
                output.diagnostic(diagnostic);
            }
            if output.is_closed() {
                break;
            }
        }
        let own = match (&opened.valid, opened.unreadable) {
            (_, true) => UNREADABLE,
            (Some(_), _) => 0,
            (None, _) => UNUSABLE,
        };
        status = status.max(own);
        if !names.is_empty() {
            output.line(&format!("{}: {}", names.join(", "), summary(&opened)));
        }
        if let (Some(seeds), Some(_), Some(design)) = (&args.seeds, &opened.valid, opened.design) {
            let Some(design) = args.ends.of(&design, output) else {
                return UNREADABLE;
            };
            let seeded = SeededDesign::new(Arc::new(design), loaded.folder(), memory);
            status = status.max(over_seeds(&seeded, seeds, &loaded, output));
        }
    }
    status
}

/// Checks whether a recording is complete and whether this program grows the same; returns the exit status.
fn recording(path: &Path, output: &mut Output) -> u8 {
    let recording_file = match storage::read_recording(path, available_memory(MemoryUse::Showing)) {
        Ok(recording_file) => recording_file,
        Err(error) => {
            output.error(&error.to_string());
            return if error.is_unreadable() { UNREADABLE } else { UNUSABLE };
        }
    };
    let name = path.display();
    for diagnostic in &recording_file.diagnostics {
        output.diagnostic(diagnostic);
    }
    let size = recording_file.design.layout.size;
    let turns = recording_file.recording.turns();
    let far = if recording_file.recording.is_finished() {
        "to the end"
    } else {
        "of unfinished growth"
    };
    let again = match recording_file.again(|| true) {
        Some(ReproductionCheck::Another(turn)) => format!("this version grows a different dungeon from turn {turn} on"),
        Some(ReproductionCheck::AnotherStart) => "this version grows a different dungeon from the start".into(),
        Some(ReproductionCheck::Same) | None => "this version grows the same dungeon".into(),
    };
    output.line(&format!(
        "{name}: an undamaged recording of {} × {}, seed {}, {turns} turns {far}, written by Wallcrawler {}; {again}",
        size.x, size.y, recording_file.design.seed, recording_file.program
    ));
    0
}

/// Checks the dungeons of a design from many seeds; returns the exit status.
fn over_seeds(seeded: &SeededDesign, seeds: &SeedRange, loaded: &LoadedDesign, output: &mut Output) -> u8 {
    let names: Vec<&str> = loaded.names().collect();
    let opens = match names[..] {
        [name] if Path::new(name).extension().is_some_and(|e| e == "toml") => Some(format!("wallcrawler {name}")),
        _ => None,
    };
    let report = expectations::check(seeded, seeds, opens.as_deref());
    for mut diagnostic in report.diagnostics {
        loaded.locate(&mut diagnostic);
        output.diagnostic(&diagnostic);
    }
    let which = seeds.label();
    let names = names.join(", ");
    match report.all {
        0 => output.line(&format!(
            "{names}: the design has no expectations to check over {which}"
        )),
        all => output.line(&format!(
            "{names}: expectations that hold over {which}: {} of {all}",
            report.held
        )),
    }
    if report.held < report.all { UNEXPECTED } else { 0 }
}

/// Summarizes a design: `usable, 100 × 100, 3 rooms, 2 Crawlers; 1 warning`.
fn summary(opened: &Opened) -> String {
    let mut summary = String::from(if opened.valid.is_some() { "usable" } else { "not usable" });
    if let Some(design) = opened.design.as_ref().filter(|_| opened.valid.is_some()) {
        let layout = &design.layout;
        let _ = write!(
            summary,
            ", {}, {}, {}",
            layout.size,
            counted(layout.rooms.len(), "room"),
            counted(layout.crawlers.len(), "Crawler")
        );
    }
    let of = |severity| opened.diagnostics.iter().filter(|d| d.severity == severity).count();
    let counts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .map(|severity| (of(severity), severity))
        .filter(|(count, _)| *count > 0)
        .map(|(count, severity)| counted(count, &severity.to_string()))
        .collect();
    if !counts.is_empty() {
        let _ = write!(summary, "; {}", counts.join(", "));
    }
    summary
}
