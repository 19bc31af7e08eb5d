//! `wallcrawler check`: reports errors and warnings in designs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::change::ChangeArgs;
use super::endpoints::EndpointArgs;
use super::expectations::{self, CheckedExpectation, Report};
use super::failure::Failure;
use super::output::Output;
use super::seeds::SeedRange;
use super::selection::SelectionArgs;
use super::source::{DesignArgs, input_path, preset_name};
use super::{UNEXPECTED, UNREADABLE, UNUSABLE};
use crate::analysis::Outcome;
use crate::design::{Diagnostic, Entry, FieldInfo, MemoryUse, Severity};
use crate::document::{DungeonCode, Opened, SeededDesign, available_memory, diagnose};
use crate::presets::Preset;
use crate::recording_file::ReproductionCheck;
use crate::storage::{self, LoadedDesign};
use crate::text::counted;

/// The arguments of `check`.
#[derive(Debug, clap::Args)]
#[command(
    after_long_help = long_help()
)]
pub(super) struct Args {
    /// Files to check: TOML designs, the files of DungeonMaker (consecutive rooms, stats and constants files form one
    /// design), or recordings. A recording is checked for damage, and its dungeon is compared with the one that its
    /// design grows. - is standard input
    #[arg(
        required_unless_present = "preset",
        conflicts_with = "preset",
        value_name = "FILE",
        value_parser = input_path()
    )]
    files: Vec<PathBuf>,
    /// Check a preset (a built-in design) instead of files; `wallcrawler presets` lists them
    #[arg(
        long,
        value_name = "NAME",
        ignore_case = true,
        hide_possible_values = true,
        value_parser = preset_name()
    )]
    preset: Option<String>,
    /// Grow a dungeon from each of these seeds, and report anomalies and failed expectations. Seeds: 100 (seeds 0 to
    /// 99), 0..10000 (excluding 10000), 5..=9 (including 9), or a list of ranges and single seeds: 3,7,20..40
    #[arg(long, value_name = "SEEDS")]
    seeds: Option<SeedRange>,
    /// Treat an expectation as an error (exit status 3) if --seeds gives too few seeds to show with 95% confidence
    /// whether it is met, even if it is met over these seeds
    #[arg(long, requires = "seeds")]
    strict: bool,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    ends: EndpointArgs,
    #[command(flatten)]
    change: ChangeArgs,
    #[command(flatten)]
    selection: SelectionArgs,
}

/// The findings in a design or a recording.
struct Checked {
    files: Vec<String>,
    status: u8,
    diagnostics: Vec<Diagnostic>,
    summary: String,
    over_seeds: Option<Report>,
}

impl Checked {
    /// Adds the reason why no more findings are possible, and prints it if `is_printed`.
    fn fail(&mut self, failure: &Failure, is_printed: bool, output: &mut Output) {
        self.status = self.status.max(failure.status());
        self.diagnostics.extend_from_slice(failure.diagnostics());
        if is_printed {
            failure.report(output);
        }
    }

    /// Prints the diagnostics and the summary, but not the findings over seeds.
    fn print(&self, output: &mut Output) {
        for diagnostic in &self.diagnostics {
            if diagnostic.source.is_none() && self.status == UNREADABLE {
                output.report(std::slice::from_ref(diagnostic));
            } else {
                output.diagnostic(diagnostic);
            }
            if output.is_closed() {
                break;
            }
        }
        if !self.files.is_empty() && !self.summary.is_empty() {
            output.line(&format!("{}: {}", self.files.join(", "), self.summary));
        }
    }

    /// Returns all findings as a JSON object.
    fn json(&self) -> Value {
        let diagnostics = |diagnostics: &[Diagnostic]| diagnostics.iter().map(object).collect::<Vec<Value>>();
        let mut value = json!({
            "files": self.files,
            "status": self.status,
            "summary": self.summary,
            "diagnostics": diagnostics(&self.diagnostics),
        });
        if let Some(report) = &self.over_seeds {
            value["seeds"] = json!(report.seeds);
            value["dungeons"] = json!(report.dungeons);
            value["over_seeds"] = json!({
                "diagnostics": diagnostics(&report.diagnostics),
                "expectations": report.expectations.iter().map(CheckedExpectation::json).collect::<Vec<Value>>(),
                "anomalies": report.anomalies,
            });
        }
        value
    }
}

/// Returns a diagnostic as a JSON object; file, line and column are null if the diagnostic refers to no place in a
/// file.
fn object(diagnostic: &Diagnostic) -> Value {
    let source = diagnostic.source.as_ref();
    json!({
        "severity": diagnostic.severity.to_string(),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "file": source.map(|source| &source.file),
        "line": source.map(|source| source.line),
        "column": source.map(|source| source.column),
    })
}

/// The terms that the descriptions of the parameters use.
const TERMS: &str = "\
Terms: A Crawler builds walls, and a Jumper (in full: ColumnJumper) leaves single columns; both are Builders. In a turn, one Builder \
acts; in an iteration, every Builder that is awake acts once. A generation lasts 100 iterations, and the age of a Builder counts its own turns. A baby (a Builder that another Builder spawns) belongs to the generation after its parent's, and usually sleeps until that generation begins. A Crawler's heading is the way it faces, and its Direction is the way it prefers to go. A Crawler with an open \
end leaves an opening at the end of its wall; a closed Crawler leaves none, and joins its wall to another. In the \
names of a room's parts, such as \"top center\", \"center\" means the middle of a wall, not the centre of the room.

";

/// Returns the part of `--help` that describes every parameter of the DungeonMaker files.
fn long_help() -> String {
    let mut help = TERMS.to_owned();
    let parts = [
        ("Rooms file: dimensions", Entry::Dimensions),
        ("Rooms file: limits", Entry::Limits),
        ("Rooms file: a room", Entry::Room(0)),
        ("Rooms file: a Crawler", Entry::Crawler(0)),
        ("Rooms file: the last line", Entry::Protuberances),
        ("Stats file: a generation", Entry::Generation(0)),
        ("Constants file", Entry::Constants),
    ];
    for (title, entry) in parts {
        let _ = writeln!(
            help,
            "{title}. Each entry gives the name, the name in TOML (if different), the meaning, and in parentheses the unit and the range"
        );
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
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    if args.seeds.is_none() && args.ends.is_given() {
        let message = "--entrance and --exit need --seeds; without --seeds no dungeon is grown";
        return Err(Failure::unreadable(message));
    }
    if args.seeds.is_none() && (!args.change.is_empty() || args.selection.is_given()) {
        return Err(Failure::unreadable(
            "--change, --where, --shard, --threads and --no-columns need --seeds; without --seeds no dungeon is grown",
        ));
    }
    if args
        .files
        .iter()
        .any(|path| path.to_str().is_some_and(DungeonCode::is_code))
    {
        return Err(Failure::unreadable(
            "`check` reads files; convert the dungeon code with `wallcrawler convert CODE --output FILE.toml` first",
        ));
    }
    let memory = available_memory(MemoryUse::Printing);
    let (recordings, files): (Vec<_>, Vec<_>) =
        args.files.iter().cloned().partition(|path| storage::is_recording(path));
    if args.seeds.is_some() && !recordings.is_empty() {
        let message = "--seeds does not apply to recordings, which have one seed; check them separately";
        return Err(Failure::unreadable(message));
    }
    let mut all = Vec::new();
    for path in &recordings {
        all.push(check_recording(path, !args.json, output));
    }
    let preset = args.preset.as_ref().and_then(|name| Preset::find(name));
    let designs = match preset {
        Some(preset) => vec![LoadedDesign::of_text(&format!("preset {}", preset.name), preset.text)],
        None => LoadedDesign::any(&files),
    };
    for loaded in designs {
        let names: Vec<String> = loaded.names().map(str::to_owned).collect();
        let mut opened = diagnose(loaded.clone(), memory);
        opened.diagnostics.sort_by_key(|d| {
            let source = d.source.as_ref();
            source.map(|s| (names.iter().position(|name| *name == s.file), s.span.start))
        });
        let own = match (&opened.valid, opened.unreadable) {
            (_, true) => UNREADABLE,
            (Some(_), _) => 0,
            (None, _) => UNUSABLE,
        };
        let mut checked = Checked {
            files: names,
            status: own,
            summary: summary(&opened),
            diagnostics: std::mem::take(&mut opened.diagnostics),
            over_seeds: None,
        };
        if !args.json {
            checked.print(output);
        }
        if let (Some(seeds), Some(_), Some(design)) = (&args.seeds, &opened.valid, opened.design) {
            let seeded = SeededDesign::new(Arc::new(design), loaded.folder(), memory);
            let report = match over_seeds(seeded, seeds, &loaded, args, output) {
                Ok(report) => report,
                Err(failure) => {
                    checked.fail(&failure, !args.json, output);
                    all.push(checked);
                    continue;
                }
            };
            if !args.json {
                let name = checked.files.join(", ") + &args.change.label();
                print_over_seeds(&report, &name, &args.selection.label(seeds), output);
            }
            if report.is_unexpected() {
                checked.status = checked.status.max(UNEXPECTED);
            }
            checked.over_seeds = Some(report);
        }
        all.push(checked);
    }
    if args.json {
        let checked: Vec<Value> = all.iter().map(Checked::json).collect();
        let all = json!({"version": env!("CARGO_PKG_VERSION"), "checked": checked});
        output.line(&format!("{all:#}"));
    }
    Ok(all.iter().map(|checked| checked.status).fold(0, u8::max))
}

/// Checks a recording, and prints the findings if `is_printed`.
fn check_recording(path: &Path, is_printed: bool, output: &mut Output) -> Checked {
    match recording(path) {
        Ok(checked) => {
            if is_printed {
                checked.print(output);
            }
            checked
        }
        Err(failure) => {
            let mut checked = Checked {
                files: vec![storage::input_name(path)],
                status: 0,
                diagnostics: Vec::new(),
                summary: "not usable".into(),
                over_seeds: None,
            };
            checked.fail(&failure, is_printed, output);
            checked
        }
    }
}

/// Checks whether a recording is undamaged and whether this program grows the same dungeon.
fn recording(path: &Path) -> Result<Checked, Failure> {
    let recording_file = storage::read_recording(path, available_memory(MemoryUse::Showing))?;
    let size = recording_file.design.layout.size;
    let turns = counted(recording_file.recording.turns(), "turn");
    let far = if recording_file.recording.is_finished() {
        "up to the end of growth"
    } else {
        "of unfinished growth"
    };
    let again = match recording_file.again(|| true) {
        Some(ReproductionCheck::Another(turn)) => {
            format!("this version grows a different dungeon: the first difference is in turn {turn}")
        }
        Some(ReproductionCheck::AnotherStart) => {
            "this version grows a different dungeon: it differs even before the first turn".into()
        }
        Some(ReproductionCheck::Same) | None => "this version grows the same dungeon".into(),
    };
    Ok(Checked {
        files: vec![storage::input_name(path)],
        status: 0,
        summary: format!(
            "an undamaged recording of {} × {}, seed {}, {turns} {far}, written by Wallcrawler {}; {again}",
            size.x, size.y, recording_file.design.seed, recording_file.program
        ),
        diagnostics: recording_file.diagnostics,
        over_seeds: None,
    })
}

/// Checks the dungeons that a design grows from many seeds.
fn over_seeds(
    seeded: SeededDesign,
    seeds: &SeedRange,
    loaded: &LoadedDesign,
    args: &Args,
    output: &mut Output,
) -> Result<Report, Failure> {
    let changed = args.change.of(seeded, args.selection.options(), output)?;
    let seeded = args.ends.of(&changed)?;
    let selection = args.selection.condition(seeded.design())?;
    let names: Vec<&str> = loaded.names().collect();
    let design = match (names.as_slice(), &args.preset) {
        (_, Some(preset)) => Some(DesignArgs::of_preset(preset)),
        ([name], None)
            if Path::new(name)
                .extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("toml")) =>
        {
            Some(DesignArgs::of_file(Path::new(name)))
        }
        _ => None,
    };
    let show = design.map(|design| args.change.showing(&design, &args.ends, args.selection.options()));
    let survey = args.selection.survey(seeded);
    let part = args.selection.seeds(seeds);
    let mut report = expectations::check(&survey, &part, &selection, show.as_deref(), args.strict);
    if report.dungeons == 0 {
        let which = args.selection.label(seeds);
        return Err(Failure::unusable(format_args!("{which}: there is no dungeon to check")));
    }
    for diagnostic in &mut report.diagnostics {
        loaded.locate(diagnostic);
    }
    Ok(report)
}

/// Prints the findings over many seeds.
fn print_over_seeds(report: &Report, names: &str, which: &str, output: &mut Output) {
    for diagnostic in &report.diagnostics {
        output.diagnostic(diagnostic);
    }
    if report.expectations.is_empty() {
        output.line(&format!(
            "{names}: the design has no expectations to check over {which}"
        ));
        return;
    }
    let count = |wanted| {
        let found = report.expectations.iter();
        found.filter(|one| one.verdict.outcome == wanted).count()
    };
    let [held, failed, open] = [Outcome::Holds, Outcome::Fails, Outcome::NeedsMoreSeeds].map(count);
    let mut line = format!(
        "{names}: expectations that hold over {which}: {held} of {}",
        report.expectations.len()
    );
    // If every expectation is decided, the line needs no more numbers: the expectations that do not hold have failed.
    if open > 0 {
        let fails = if failed == 1 { "fails" } else { "fail" };
        let needs = if open == 1 { "needs" } else { "need" };
        let _ = write!(line, "; {failed} {fails}, {open} {needs} more seeds");
    }
    output.line(&line);
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

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::design::ValidDesign;
    use crate::engine::Options;
    use crate::recording::Recording;
    use crate::recording_file::{Provenance, RecordingRef, write};

    #[test]
    fn the_summary_of_a_recording_of_one_turn_has_a_noun_in_the_singular() {
        let design = Preset::find("first-steps").unwrap().design();
        let design = ValidDesign::try_from(&design).unwrap();
        let options = Options::default();
        let (mut growth, mut recording) = Recording::begin(&design, options);
        assert!(growth.turn(&mut recording));
        recording.count();
        let provenance = Provenance {
            design: &design,
            options,
            sources: &[],
        };
        let shot = RecordingRef {
            provenance,
            recording: &recording,
        };
        let mut bytes = Vec::new();
        write(&shot, &mut bytes, &mut |_, _| ControlFlow::Continue(())).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.wcrec");
        std::fs::write(&path, bytes).unwrap();
        let summary = super::recording(&path).unwrap().summary;
        assert!(summary.contains(", 1 turn of unfinished growth, "), "{summary}");
    }
}
