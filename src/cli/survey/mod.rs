//! `wallcrawler survey`: measures the dungeons that a design grows from many seeds.
//!
//! Rows are written to a file in the order of the seeds. After an interrupted run, the file contains the first rows,
//! and the next run resumes after them; a run over more seeds continues a complete file in the same way. Shards are
//! consecutive ranges of rows, so that their files, concatenated, equal the file of a single run.

mod table;

pub(super) use self::table::histogram;

use std::fmt::Write as _;

use super::UNREADABLE;
use super::change::ChangedDesignArgs;
use super::failure::Failure;
use super::output::Output;
use super::progress::{Progress, speed};
use super::rows::{FileRow, RowArgs, RowKey, RowWriter, Table, digest};
use super::seeds::SeedRange;
use super::selection::SelectionArgs;
use super::statistics::CorrelationSample;
use crate::analysis::{Cell, Metrics, SurveySummary, row};
use crate::design::Diagnostic;
use crate::design::expect::{SIGHT_METRICS, all_metrics};
use crate::text::{counted, did_you_mean};

/// The arguments of `survey`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = metrics_and_conditions(), mut_arg("seed", |seed| seed.help(super::source::SEED_OF_CHECK)))]
pub(super) struct Args {
    #[command(flatten)]
    design: ChangedDesignArgs,
    /// Seeds: 0..10000 (excluding 10000), 5..=9 (including 9), 100 (seeds 0 to 99), or a list of ranges and single
    /// seeds: 3,7,20..40
    #[arg(long, value_name = "SEEDS", default_value = "0..1000")]
    seeds: SeedRange,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    rows: RowArgs,
    /// Add the metrics about visibility and exploration, from `visible-area` to `explored`; they take longer to compute
    /// than all other metrics together
    #[arg(long)]
    sight: bool,
    /// Measure and write only these metrics, separated by commas; the rows still list the anomalies of each dungeon,
    /// such as an exit that cannot be reached
    #[arg(long, value_name = "METRICS", value_delimiter = ',', conflicts_with = "sight")]
    metrics: Vec<String>,
    /// Print the correlations between the metrics
    #[arg(long)]
    correlation: bool,
}

/// Returns the last section of `--help` of a command with conditions: every metric, and what else conditions can use.
pub(super) fn metrics_and_conditions() -> String {
    metrics()
        + "\n\nConditions and expectations can also use: share(generation 3) (the share of the wall tiles and columns that generation 3 laid), share(width 2..4) (the \
            share of the reachable squares in passages 2, 3 or 4 squares wide; here 4 is included), crosses room 1 (a shortest path leads through it), needs room 1 \
            (every path leads through it), severs vault 1 (blocking one cross-section of a passage cuts the vault off)"
}

/// Returns the last section of `--help`, which lists every metric.
pub(super) fn metrics() -> String {
    let mut help = String::from("Metrics:");
    let width = all_metrics().map(|info| info.name.len()).max().unwrap_or(0);
    for info in all_metrics() {
        let unit = if info.unit.is_empty() {
            String::new()
        } else {
            format!(" ({})", info.unit)
        };
        let _ = write!(help, "\n  {:width$}  {}{unit}", info.name, info.meaning);
    }
    help
}

/// Returns a copy of a table with only the metrics in `names`. Fails if a name is unknown.
fn selected(table: &Table, names: &[String]) -> Result<Table, Failure> {
    table.clone().with_metrics(names).map_err(|unknown| {
        let error = |at: usize| unknown_metric(table, &names[at], "survey");
        Failure::new(UNREADABLE, unknown.into_iter().map(error).collect())
    })
}

/// Describes the error for an unknown metric name. `command` is the command whose help lists all metrics.
pub(super) fn unknown_metric(table: &Table, name: &str, command: &str) -> Diagnostic {
    let known = table.metrics.iter().map(|column| column.name.as_str());
    let known = known.chain(SIGHT_METRICS.iter().map(|info| info.name));
    let help = did_you_mean(name, known).unwrap_or_else(|| format!("`wallcrawler {command} --help` lists the metrics"));
    Diagnostic::error(format!("unknown metric `{name}`")).help(help)
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let seeded = args.design.seeded(args.selection.options(), output)?;
    let selection = args.selection.condition(seeded.design())?;
    args.rows.check_selection(&selection)?;
    args.rows.check_tables(&[("--correlation", args.correlation)])?;
    let seeds = args.selection.seeds(&args.seeds);
    output.report(&seeded.beyond_recording(seeds.iter()));
    let count = seeds.len();
    let design = digest(&seeded, args.selection.options());
    let key = |seed: u64| RowKey::new(seed, &design, Vec::new());
    let mut table = Table::new(seeded.design(), Vec::new());
    if args.sight {
        table = table.with_sight();
    }
    if !args.metrics.is_empty() {
        table = selected(&table, &args.metrics)?;
    }
    let mut summary = SurveySummary::default();
    let mut correlations = CorrelationSample::default();
    let (mut writer, done) = RowWriter::open(
        &args.rows,
        table,
        args.design.inputs(seeded.design()),
        args.selection.is_first_shard(),
        |number| (number < count).then(|| key(seeds.nth(number))),
        |row| {
            correlations.add(|| row.cells.iter().map(Cell::number).collect());
            summary.add(row.key.seed, row.cells, &row.anomalies);
        },
        output,
    )?;
    let table = writer.table().clone();
    let survey = args.selection.survey_of_parts(seeded, table.parts());
    let mut progress = Progress::new(count, done);
    let mut taken = done;
    survey.run(
        count - done,
        |number| seeds.nth(done + number),
        |_, metrics: &Metrics| {
            let is_selected = selection.includes(metrics);
            is_selected.then(|| (row(metrics, &table.metrics), metrics.anomalies()))
        },
        |seed, measured| {
            taken += 1;
            progress.at(taken);
            // `Some(None)` is a dungeon that does not satisfy the condition, `None` a dungeon that could not be grown,
            // which satisfies no condition.
            let measured = match measured {
                Some(None) => return writer.skip(output),
                None if selection.condition().is_some() => return writer.skip(output),
                measured => measured.flatten(),
            };
            let row = FileRow::new(key(seed), measured, &table);
            let flow = writer.add(&row, output);
            correlations.add(|| row.cells.iter().map(Cell::number).collect());
            summary.add(seed, row.cells, &row.anomalies);
            flow
        },
    );
    progress.end();
    let is_printed = writer.is_printed();
    writer.end(output)?;
    if !is_printed {
        let which = args.selection.label(&args.seeds);
        for line in table::lines(&summary, &table.metrics, survey.variants[0].design(), &which) {
            output.line(&line);
        }
        if args.correlation {
            let names: Vec<String> = table.metrics.iter().map(|column| column.name.clone()).collect();
            correlations.print(&names, output);
        }
        describe_work(&progress, done, taken, output);
    }
    Ok(0)
}

/// Reports how many dungeons this run grew, how fast, and how many rows the file already had. `before` and `taken` are
/// the numbers of completed dungeons before and after the run.
pub(super) fn describe_work(progress: &Progress, before: u64, taken: u64, output: &mut Output) {
    if taken > before {
        let grown = counted(taken - before, "dungeon");
        output.summary(&format!("{grown} grown, {}", speed(progress.rate(taken))));
    }
    if before > 0 {
        let verb = if before == 1 { "was" } else { "were" };
        output.summary(&format!("{} {verb} already in the file", counted(before, "row")));
    }
}
