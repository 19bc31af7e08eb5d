//! `wallcrawler export`: exports a dungeon for other programs.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::ArgMatches;
use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;

use super::attempts::{Attempt, AttemptArgs};
use super::bulk::{self, BulkArgs, BulkExport};
use super::failure::Failure;
use super::interrupt::{INTERRUPTED, end_requested};
use super::output::Output;
use super::play;
use super::progress::Progress;
use super::seeds::SeedRange;
use super::target::{self, ForceArgs, OutputKind, Outputs};
use super::{DesignArgs, UNREADABLE, UNUSABLE};
use crate::background::{companion, needs_file, write_export, write_export_into};
use crate::design::{Diagnostic, MemoryUse, ValidDesign};
use crate::engine::{self, BuilderId};
use crate::export::{
    self, ColourBy, DungeonView, ExportError, ExportKind, ExportOptions, ExportSetting, Ground, Group, Length,
    MOST_SCALE, MapMarks, Pages, Paper, PrintLayout, SCHEMA,
};
use crate::geometry::Size;
use crate::recording::{Frame, MomentScript, Playback, Recording};
use crate::recording_file::RecordingFile;
use crate::storage::{Sink, SinkKind};

/// The property that determines the colour of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Colours {
    /// The generation that laid a tile
    Generation,
    /// The turn in which a tile was laid
    Age,
    /// The first Builder (Crawler or Jumper) in the ancestry of the Builder that laid the tile
    Lineage,
    /// The kind of tile
    Kind,
}

/// The background for which the colours are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ColourGround {
    /// Light colours on dark
    Dark,
    /// Dark colours on white
    Light,
    /// Black and greys on white, for paper; doors, other marks and features of vaults stay coloured
    Print,
}

impl ColourGround {
    /// Converts the option's value to the type of the export module.
    pub(super) const fn ground(self) -> Ground {
        match self {
            Self::Dark => Ground::Dark,
            Self::Light => Ground::Light,
            Self::Print => Ground::Print,
        }
    }
}

/// The arguments of `export`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = kinds())]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate switch")]
pub(super) struct Args {
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    attempts: AttemptArgs,
    #[command(flatten)]
    bulk: BulkArgs,
    /// Write to this file (- for standard output). An earlier export of the same kind is replaced, any other file only
    /// with --force. A file is written completely or not at all; a pipe or a device receives the data as it is produced
    #[arg(
        long = "output",
        short = 'o',
        alias = "to",
        short_alias = 't',
        value_name = "FILE",
        required_unless_present = "schema"
    )]
    to: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// Kind of export [default: from the file extension]
    #[arg(long = "format", alias = "as", value_name = "KIND", value_parser = PossibleValuesParser::new(ExportKind::ALL.iter().map(|about| about.name)))]
    kind: Option<String>,
    /// Export the dungeon after N turns [default: fully grown]; not with --format recording, which always exports the
    /// whole growth
    #[arg(long, value_name = "N")]
    turn: Option<u64>,
    /// Pictures, animations and virtual tabletops: what the colours of squares show
    #[arg(long, value_enum, default_value = "generation")]
    by: Colours,
    /// Pictures, animations and game tools: background on which the export will be shown; determines the colours
    /// [default: print for pdf, otherwise dark]
    #[arg(long, value_enum)]
    on: Option<ColourGround>,
    /// PNG, SVG, GIF, APNG and game tools: side of a square in pixels
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_SCALE.into()))]
    scale: Option<u32>,
    /// Pictures, GIF, APNG and virtual tabletops: draw a grid line every N squares, or around every
    /// square if N is left out
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    grid: Option<u32>,
    /// Pictures, GIF and APNG: add a title and a legend below the dungeon
    #[arg(long)]
    legend: bool,
    /// Pictures, GIF and APNG: what to show besides tiles: `doors`, or `all` (doors, entrance, exit, named places, room
    /// numbers, coordinates) [default: doors for pdf, otherwise none]
    #[arg(long, value_name = "MARKS", value_parser = PossibleValuesParser::new(MapMarks::ALL.map(|(_, name)| name)))]
    marks: Option<String>,
    /// PDF: paper size; the orientation that needs fewer pages is used
    #[arg(long, value_name = "SIZE", default_value = "a4", value_parser = PossibleValuesParser::new(Paper::all().map(Paper::name)))]
    paper: String,
    /// PDF: side of a square, such as 5mm or 1in [default: 5mm, or less if 5mm needs too many pages]
    #[arg(long, value_name = "LENGTH", value_parser = square)]
    square: Option<Length>,
    /// PDF: margin at each edge of the paper
    #[arg(long, value_name = "LENGTH", default_value = "7mm")]
    margin: Length,
    /// PDF: overlap of neighbouring pages, for gluing
    #[arg(long, value_name = "LENGTH", default_value = "5mm")]
    overlap: Length,
    /// Animations: duration of the growth in seconds
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// Animations: follow the Crawler or Jumper with number N (as in `why` and in the designer's Inspect view), showing
    /// the 48 × 48 squares around it from the moment it wakes until it dies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    follow: Option<u32>,
    /// Animations: the turns to show instead of the whole growth: a first turn, then entries of the form TURN:SECONDS,
    /// each of which plays up to TURN in that number of seconds. `0,300:4,300:2,end:5` plays 300 turns in 4 seconds,
    /// waits for 2 seconds, and plays the rest in 5 seconds
    #[arg(long, value_name = "SCRIPT", conflicts_with_all = ["seconds", "follow", "turn"])]
    moments: Option<MomentScript>,
    /// Virtual tabletops: leave out doors, as if all were open
    #[arg(long)]
    open_doors: bool,
    /// Kinds `digits` and `ansi`: do not show the generation of walls
    #[arg(long)]
    no_generations: bool,
    /// Spawn a Crawler wherever JumperProb would produce a Jumper (Jumpers leave single columns instead of walls)
    #[arg(long)]
    no_columns: bool,
    /// Print the JSON schema of --format json and exit
    #[arg(long)]
    schema: bool,
}

/// Parses the length of the side of a square, which must be at least 0.1 mm.
fn square(text: &str) -> Result<Length, String> {
    let length: Length = text
        .parse()
        .map_err(|error: export::ParsePaperError| error.to_string())?;
    length.of_square().map_err(|error| error.to_string())
}

/// Returns the part of `--help` that lists the kinds and their file extensions, group by group.
fn kinds() -> String {
    let mut help = String::from("Kinds and their file extensions:\n");
    for group in Group::ALL {
        // Writing to a string cannot fail.
        let _ = writeln!(help, "\n {group}:");
        for about in group.kinds() {
            let endings: Vec<String> = about.endings.iter().map(|ending| format!(".{ending}")).collect();
            let _ = writeln!(help, "  {:10}{:24}{}", about.name, endings.join(" "), about.description);
        }
    }
    help + &bulk::kinds()
}

impl Args {
    fn options(&self) -> ExportOptions {
        ExportOptions {
            generations: !self.no_generations,
            by: match self.by {
                Colours::Generation => ColourBy::Generation,
                Colours::Age => ColourBy::Age,
                Colours::Lineage => ColourBy::Lineage,
                Colours::Kind => ColourBy::Kind,
            },
            ground: self.on.map(ColourGround::ground),
            scale: self.scale,
            grid: self.grid,
            legend: self.legend,
            marks: MapMarks::ALL
                .into_iter()
                .find(|(_, name)| self.marks.as_deref() == Some(*name))
                .map(|(marks, _)| marks),
            print: PrintLayout {
                paper: self.paper.parse().unwrap_or_default(),
                square: self.square,
                margin: self.margin,
                overlap: self.overlap,
            },
            open_doors: self.open_doors,
            duration: self.seconds * 1000,
            follow: self.follow.map(|number| BuilderId(number - 1)),
            moments: self.moments.clone(),
            sources: Vec::new(),
            engine: self.engine(),
        }
    }

    /// Reads the recording that the command line names. Returns `None` if it names no recording, or if --seed,
    /// --no-columns or --attempts require that the recording's design is grown again.
    fn recorded(&self) -> Result<Option<RecordingFile>, Failure> {
        if self.design.has_seed() || self.no_columns || self.attempts.are_several() {
            return Ok(None);
        }
        self.design.recording_file()
    }

    const fn engine(&self) -> engine::Options {
        engine::Options {
            columns: !self.no_columns,
        }
    }

    fn kind(&self, to: &Path) -> Result<ExportKind, Failure> {
        if let Some(kind) = self.kind.as_deref().and_then(ExportKind::by_name) {
            return Ok(kind);
        }
        ExportKind::of_path(to).ok_or_else(|| {
            let names: Vec<&str> = ExportKind::ALL.iter().map(|about| about.name).collect();
            Failure::unreadable(format_args!(
                "cannot infer the format from `{}`; pass --format with one of {}",
                to.display(),
                names.join(", ")
            ))
        })
    }

    /// Resolves the destination of the dungeon, and opens a pipe or a device before the dungeon is grown.
    fn target<'a>(&self, to: &'a Path, kind: ExportKind, design: &ValidDesign) -> Result<Target<'a>, Failure> {
        let mut outputs = Outputs::new(self.force, self.design.inputs(design));
        let sink_kind = outputs.check(to, OutputKind::Export(kind))?;
        if let Some(beside) = companion(kind, to) {
            if sink_kind != SinkKind::File {
                return Err(Failure::unreadable(needs_file(kind)));
            }
            outputs.check(&beside, OutputKind::Export(ExportKind::Png))?;
        }
        match sink_kind {
            SinkKind::Stdout => Ok(Target::Stdout),
            SinkKind::File => Ok(Target::File(to)),
            SinkKind::Stream => {
                let sink = Sink::open(to, sink_kind)?;
                Ok(Target::Stream(to, Box::new(sink)))
            }
        }
    }
}

/// Destination of the dungeon.
enum Target<'a> {
    Stdout,
    File(&'a Path),
    Stream(&'a Path, Box<Sink>),
}

/// The options that apply to only some kinds of export, each with its export setting.
const SETTINGS: [(&str, ExportSetting); 15] = [
    ("by", ExportSetting::By),
    ("on", ExportSetting::Ground),
    ("scale", ExportSetting::Scale),
    ("grid", ExportSetting::Grid),
    ("legend", ExportSetting::Legend),
    ("marks", ExportSetting::Marks),
    ("paper", ExportSetting::Print),
    ("square", ExportSetting::Print),
    ("margin", ExportSetting::Print),
    ("overlap", ExportSetting::Print),
    ("seconds", ExportSetting::Duration),
    ("follow", ExportSetting::Follow),
    ("moments", ExportSetting::Duration),
    ("open_doors", ExportSetting::OpenDoors),
    ("no_generations", ExportSetting::Generations),
];

/// Returns a message about the first given option that has no effect on a kind of export; it lists the kinds to which
/// the option applies. Returns `None` if every given option has an effect.
fn without_effect(kind: ExportKind, given: &ArgMatches) -> Option<String> {
    let is_given = |option: &str| given.value_source(option) == Some(ValueSource::CommandLine);
    if kind == ExportKind::Recording && is_given("turn") {
        return Some("--turn has no effect on a recording, which is always exported whole; remove the option".into());
    }
    let (option, setting) = SETTINGS
        .into_iter()
        .find(|(option, setting)| is_given(option) && !kind.takes(*setting))?;
    let takers = ExportKind::ALL.iter().filter(|about| about.kind.takes(setting));
    let takers: Vec<&str> = takers.map(|about| about.name).collect();
    Some(format!(
        "--{} has no effect on {}; it applies to {}",
        option.replace('_', "-"),
        kind.name(),
        takers.join(", ")
    ))
}

/// Exports the dungeons of many seeds to one file and returns the exit status.
fn run_bulk(
    args: &Args,
    seeds: &SeedRange,
    to: &Path,
    given: Option<&ArgMatches>,
    output: &mut Output,
) -> Result<u8, Failure> {
    let is_given =
        |option: &str| given.is_some_and(|given| given.value_source(option) == Some(ValueSource::CommandLine));
    if let Some((option, _)) = SETTINGS.into_iter().find(|(option, _)| is_given(option)) {
        let option = option.replace('_', "-");
        return Err(Failure::unreadable(format_args!(
            "--{option} has no effect on exports of many dungeons; remove it, or --seeds"
        )));
    }
    let seeded = args.design.seeded_design(output)?;
    output.report(&seeded.beyond_recording(seeds.iter()));
    let export = BulkExport {
        args: &args.bulk,
        seeds,
        to,
        force: args.force,
        inputs: args.design.inputs(seeded.design()),
        options: args.engine(),
    };
    bulk::run(export, &seeded, output)
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, given: Option<&ArgMatches>, output: &mut Output) -> Result<u8, Failure> {
    if args.schema {
        output.bytes(SCHEMA.as_bytes());
        return Ok(0);
    }
    let to = args.to.as_deref().ok_or(Failure::reported(UNREADABLE))?;
    if let Some(seeds) = &args.bulk.seeds {
        return run_bulk(args, seeds, to, given, output);
    }
    let kind = args.kind(to)?;
    if let Some(message) = given.and_then(|given| without_effect(kind, given)) {
        return Err(Failure::unreadable(message));
    }
    // A script of moments determines the turns to show, so it overrides the turn that a dungeon code names.
    let turn = args
        .turn
        .or_else(|| args.design.moment().filter(|_| args.moments.is_none()));
    let recorded = args.recorded()?;
    let is_recorded = recorded.is_some();
    let requested = end_requested();
    let mut progress = Progress::new(0, 0);
    let name = if to == Path::new("-") {
        "the dungeon".to_owned()
    } else {
        to.display().to_string()
    };
    let what = format!("writing {name}");
    let mut watch = |done: u64, all: u64| {
        let description = if all == 0 { "growing" } else { what.as_str() };
        progress.part(description, done, all);
        if requested.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let mut options = args.options();
    let mut target = None;
    let mut decide = |design: &ValidDesign| -> Result<(), Failure> {
        if target.is_none() {
            // Check the target first, since growing may take a long time.
            target = Some(args.target(to, kind, design)?);
        }
        Ok(())
    };
    let attempt = if let Some(recording_file) = recorded {
        decide(&recording_file.design).map(|()| {
            (options.sources, options.engine) = (recording_file.sources, recording_file.options);
            Attempt {
                seed: None,
                warnings: args
                    .attempts
                    .warnings(&recording_file.design, last(&recording_file.recording).grid()),
                grown: (last(&recording_file.recording), recording_file.recording),
                design: recording_file.design,
            }
        })
    } else {
        let grow = |design: &ValidDesign| {
            decide(design)?;
            let recording = DungeonView::grow(design, options.engine, &mut watch)?;
            Ok((last(&recording), recording))
        };
        let attempts = &args.attempts;
        attempts.grow(&args.design, None, MemoryUse::Showing, output, grow, |(last, _)| {
            last.grid()
        })
    };
    let mut attempt = match attempt {
        Ok(attempt) => attempt,
        Err(failure) => {
            progress.end();
            return Err(failure);
        }
    };
    if turn.is_some() && kind != ExportKind::Recording && !args.attempts.are_several() {
        // The warnings describe the dungeon at the end of growth, which is not exported. They matter only if several
        // attempts were made to meet the conditions there.
        attempt.warnings.clear();
    }
    if !is_recorded {
        options.sources = args.design.sources(&attempt.design);
    }
    let (design, recording) = (&attempt.design, &attempt.grown.1);
    let dungeon = DungeonView::new(design, recording, turn.unwrap_or(u64::MAX));
    let target = target.ok_or(Failure::reported(UNREADABLE))?;
    let written = write(kind, &dungeon, &options, target, output, &mut watch)
        .map(|warning| warning.or_else(|| many_pages(kind, design.layout.size, &options)));
    progress.end();
    let latest = turn.or_else(|| args.moments.as_ref().and_then(MomentScript::latest_turn));
    play::warn_past_end(latest.filter(|_| kind != ExportKind::Recording), recording, output);
    attempt.report(output);
    if let Some(warning) = written? {
        output.warning(&format!("{name} was written, but {warning}"));
    }
    Ok(0)
}

/// Returns the dungeon at the end of its recording.
fn last(recording: &Recording) -> Frame {
    let mut cursor = Playback::new(recording);
    cursor.seek(recording, recording.turns());
    cursor.frame().clone()
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        let (status, message) = match error {
            // A pipe or a device may have received a part of the export.
            ExportError::Interrupted => (INTERRUPTED, "interrupted; no file was changed".to_owned()),
            ExportError::Io(_) | ExportError::Options(_) => (UNREADABLE, error.to_string()),
            ExportError::Cannot(_) => (UNUSABLE, error.to_string()),
        };
        Self::new(status, vec![Diagnostic::error(message)])
    }
}

/// Returns a warning if a map on paper needs more than 30 pages.
fn many_pages(kind: ExportKind, size: Size, options: &ExportOptions) -> Option<String> {
    const MANY: u64 = 30;
    let pages = Pages::new(size, &options.print).ok()?.count();
    (kind == ExportKind::Pdf && pages > MANY).then(|| {
        format!(
            "it needs {pages} pages and an overview page; use a smaller --square or a larger --paper to print fewer"
        )
    })
}

/// Writes a dungeon and its companion file. Returns a warning for the user, if any.
fn write(
    kind: ExportKind,
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    target: Target<'_>,
    output: &mut Output,
    watch: &mut export::ProgressCallback<'_>,
) -> Result<Option<String>, ExportError> {
    match target {
        Target::File(to) => write_export(kind, dungeon, options, to, watch).map(|report| report.warning),
        Target::Stream(to, sink) => match write_export_into(kind, dungeon, options, to, *sink, watch) {
            Err(ExportError::Io(error)) if target::is_closed(&error) => Ok(None),
            written => written.map(|report| report.warning),
        },
        Target::Stdout => {
            let mut bytes = Vec::new();
            export::write(kind, dungeon, options, "dungeon", &mut bytes, watch)?;
            match kind {
                // Text exports are safe to print unescaped: they consist of squares and colours only, and no character
                // comes from a file.
                ExportKind::Text(_) => output.drawn(&String::from_utf8_lossy(&bytes)),
                _ => output.bytes(&bytes),
            }
            Ok(export::warning(kind, dungeon))
        }
    }
}
