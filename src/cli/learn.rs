//! `wallcrawler learn`: searches for a character (the parameters of all generations) whose dungeons are like the
//! examples.

use std::path::PathBuf;

use clap::ArgMatches;
use serde_json::{Value, json};

use super::curve;
use super::export::ColourGround;
use super::failure::Failure;
use super::members;
use super::output::Output;
use super::progress::{Progress, grouped};
use super::seeds::SeedRange;
use super::selection::GrowthArgs;
use super::source::{DesignArgs, in_order, input_path, preset_name};
use super::space::{MoveArgs, print_changes};
use super::target::{ForceArgs, OutputKind, Outputs, PictureKind, save_design, write};
use super::trials::{MOST_SEEDS, dungeon, tables};
use super::{UNEXPECTED, UNREADABLE};
use crate::analysis::tune::{
    CANDIDATES, ENOUGH_EXAMPLES, FRESH, HOLDS, LearnPhase, LearnRequest, Learning, LearntMetric, TrialMetrics,
    TrialTable, Variant, pattern_accuracy, scaled, starting_from,
};
use crate::analysis::{MetricParts, MetricsCalculator, Scene, decimal};
use crate::background::TrialRequest;
use crate::design::expect::Metric;
use crate::design::{Design, MemoryUse};
use crate::document::{Document, NewDesign, StartWith, available_memory};
use crate::engine::{Grid, Growth, Options};
use crate::export::{DungeonRows, ExportError};
use crate::presets::Preset;
use crate::recording_file::PROGRAM_VERSION;
use crate::storage::SinkKind;
use crate::text::counted;

/// Maximum number of dungeons per row of the picture.
const DRAWN: usize = 5;

/// Number of Crawlers that start in the empty layout that is created if the first example is a drawing.
const CRAWLERS: u32 = 2;

/// The arguments of `learn`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = super::survey::metrics())]
pub(super) struct Args {
    /// Examples: drawings (text mazes, PNG pictures, Tiled maps), or designs, whose dungeons are the examples; - is
    /// standard input
    #[arg(value_name = "EXAMPLE", required_unless_present = "preset", value_parser = input_path())]
    examples: Vec<PathBuf>,
    /// Built-in design whose dungeons are examples; can be given more than once
    #[arg(
        long,
        value_name = "NAME",
        ignore_case = true,
        hide_possible_values = true,
        value_parser = preset_name(),
    )]
    preset: Vec<String>,
    /// Seeds from which dungeons are grown if an example is a design: 0..100 (excluding 100), 5..=9 (including 9), 100
    /// (seeds 0 to 99), or a list of ranges and single seeds: 3,7,20..40
    #[arg(long, value_name = "SEEDS", default_value = "0..50")]
    seeds: SeedRange,
    /// Design or preset whose layout (size, rooms, hand-placed squares, first Crawlers) is used [default: the first
    /// example if it is a design, otherwise an empty layout of the first example's size]
    #[arg(long, value_name = "DESIGN", value_parser = input_path())]
    layout: Option<PathBuf>,
    /// Metrics in which the dungeons should be like the examples, separated by commas
    #[arg(
        long,
        value_name = "METRICS",
        value_delimiter = ',',
        default_value = "path,fill,dead-ends,blind,junctions,loops"
    )]
    metrics: Vec<String>,
    #[command(flatten)]
    moves: MoveArgs,
    /// Number of candidates (characters) to try
    #[arg(long, value_name = "N", default_value_t = CANDIDATES, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    candidates: u64,
    /// Write a TOML design with the layout, the parameters found, and expectations that each metric lies in the range
    /// of the examples
    #[arg(long = "output", short = 'o', alias = "to", value_name = "DESIGN.toml")]
    to: PathBuf,
    /// Also draw a picture (PNG): a row of examples, and below it a row of dungeons grown with the parameters found
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Background on which the picture will be shown; determines its colours
    #[arg(long, value_enum, default_value = "light", requires = "picture")]
    on: ColourGround,
    /// Print all numbers as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    growth: GrowthArgs,
}

/// A drawing that is an example, or a design whose dungeons are examples.
struct Example {
    args: DesignArgs,
    document: Document,
    is_drawing: bool,
}

/// Runs the command and returns the exit status: 0 if the dungeons are like the examples, otherwise 3.
///
/// `given` contains the arguments as clap parsed them; it is needed for the order in which files and presets were
/// given.
pub(super) fn run(args: &Args, given: Option<&ArgMatches>, output: &mut Output) -> Result<u8, Failure> {
    super::check_design_path(&args.to, false)?;
    if let Some(path) = &args.picture {
        PictureKind::check_png(path)?;
    }
    let metrics = curve::metrics(&args.metrics, "learn")?;
    if let Some(truth) = metrics.iter().find(|metric| metric.info().is_truth) {
        let name = truth.info().name;
        let message =
            format_args!("--metrics: the value of `{name}` is yes or no; choose metrics whose values are numbers");
        return Err(Failure::unreadable(message));
    }
    let metrics: Vec<Metric> = metrics.into_iter().map(Metric::Plain).collect();
    if args.seeds.len() > MOST_SEEDS {
        let message = format_args!("--seeds: at most {} seeds", grouped(MOST_SEEDS));
        return Err(Failure::unreadable(message));
    }
    let examples = examples(args, given, output)?;
    let mut layout = layout(args, &examples, output)?;
    let inputs = examples
        .iter()
        .flat_map(|example| example.args.inputs(example.document.design()));
    let mut inputs: Vec<PathBuf> = inputs.collect();
    inputs.extend(
        named_layout(args)
            .into_iter()
            .flat_map(|design| design.inputs(layout.design())),
    );
    let mut outputs = Outputs::new(args.force, inputs);
    let sink_kind = outputs.check(&args.to, OutputKind::Edited)?;
    let drawn_to = args.picture.as_deref();
    let drawn_to = drawn_to.map(|path| outputs.check(path, OutputKind::RangeMap).map(|kind| (path, kind)));
    let drawn_to = drawn_to.transpose()?;
    if sink_kind == SinkKind::Stdout || drawn_to.is_some_and(|(_, kind)| kind == SinkKind::Stdout) {
        output.reserve_for_data();
    }
    let drawn = args.moves.parameters(layout.design(), args.growth.options(), true)?;
    let (moves, starts) = starting_from(&drawn, &starts(&examples));
    if moves.is_empty() {
        let message = "no parameter can be changed: none has an effect with this layout";
        return Err(Failure::unreadable(message));
    }
    let seeds: Vec<u64> = args.seeds.iter().collect();
    for example in examples.iter().filter(|example| !example.is_drawing) {
        let grown = seeds.iter().copied().chain(FRESH);
        output.report(&example.document.seeded().beyond_recording(grown));
    }
    let rows = measured(&examples, &layout, &metrics, &seeds, args);
    if rows.is_empty() {
        return Err(Failure::unusable("no dungeon can be grown from any example"));
    }
    report_missing(&rows, &metrics, output)?;
    let request = LearnRequest {
        moves,
        drawn,
        starts,
        metrics: metrics.clone(),
        examples: rows.clone(),
        candidates: args.candidates,
        chance: layout.design().seed,
    };
    let mut learning = Learning::new(layout.design(), request);
    search(&mut learning, &layout, &metrics, args);
    let fresh: Vec<u64> = FRESH.collect();
    let fresh = if examples.iter().all(|example| example.is_drawing) {
        rows.clone()
    } else {
        measured(&examples, &layout, &metrics, &fresh, args)
    };
    let result = Learnt {
        examples: rows.len(),
        tried: learning.tried(),
        metrics: learning.metrics(),
        accuracy: accuracy(&fresh, learning.verified()),
        variant: learning.learnt(),
    };
    result.print(layout.design(), args.json, output);
    layout.edit("learnt", |design| {
        result.variant.apply(design);
        design.expect.that = result.metrics.iter().map(expectation).collect();
    });
    save_design(&mut layout, &args.to, sink_kind, output)?;
    if let Some((path, sink_kind)) = drawn_to {
        let bytes = picture(&examples, rows.len(), &layout, &seeds, args).map_err(Failure::unreadable)?;
        write(path, sink_kind, &bytes, output)?;
    }
    Ok(if result.is_like() { 0 } else { UNEXPECTED })
}

/// Opens the examples, in the order of the command line, and reports their diagnostics.
fn examples(args: &Args, given: Option<&ArgMatches>, output: &mut Output) -> Result<Vec<Example>, Failure> {
    let files = args.examples.iter().map(|path| DesignArgs::of_file(path));
    let presets = args.preset.iter().map(|name| DesignArgs::of_preset(name));
    let named = in_order(given, ("examples", files), ("preset", presets));
    let opened = named.into_iter().map(|args| {
        Ok(Example {
            is_drawing: args.is_drawing(),
            document: args.usable_document(output)?,
            args,
        })
    });
    opened.collect()
}

/// Returns the design or preset that `--layout` names, if any.
fn named_layout(args: &Args) -> Option<DesignArgs> {
    let path = args.layout.as_ref()?;
    let preset = path.to_str().filter(|_| !path.exists()).and_then(Preset::find);
    Some(preset.map_or_else(
        || DesignArgs::of_file(path),
        |preset| DesignArgs::of_preset(preset.name),
    ))
}

/// Opens or creates the design whose layout is used, and reports its diagnostics.
fn layout(args: &Args, examples: &[Example], output: &mut Output) -> Result<Document, Failure> {
    if let Some(design) = named_layout(args) {
        return design.usable_document(output);
    }
    let first = examples.first().ok_or(Failure::reported(UNREADABLE))?;
    if !first.is_drawing {
        return first.args.usable_document(output);
    }
    let new = NewDesign {
        size: Some(first.document.design().layout.size),
        with: StartWith::Empty,
        crawlers: CRAWLERS,
    };
    Ok(Document::new(new.design(), available_memory(MemoryUse::Showing)))
}

/// Returns the designs whose characters the search begins with: the examples that are designs, and all presets.
fn starts(examples: &[Example]) -> Vec<Design> {
    let designs = examples.iter().filter(|example| !example.is_drawing);
    let own = designs.map(|example| example.document.design().clone());
    own.chain(Preset::all().iter().map(Preset::design)).collect()
}

/// Measures the examples: drawings as they are, and the dungeons that the designs grow from these seeds. The metrics
/// are scaled to the size of the layout.
fn measured(
    examples: &[Example],
    layout: &Document,
    metrics: &[Metric],
    seeds: &[u64],
    args: &Args,
) -> Vec<TrialMetrics> {
    let options = args.growth.options();
    let to = layout.design().layout.size;
    let mut rows = Vec::new();
    for example in examples {
        let found: Vec<TrialMetrics> = if example.is_drawing {
            drawn(&example.document, layout.design(), metrics, options)
                .into_iter()
                .collect()
        } else {
            let variants = vec![example.document.seeded()];
            let request = TrialRequest::all(variants, seeds.to_vec(), metrics.to_vec(), options)
                .with_parts(MetricParts::PATTERNS);
            let tables = tables(&request, &args.growth, || {});
            tables
                .into_iter()
                .flat_map(|table| table.rows.into_iter().flatten())
                .collect()
        };
        let from = example.document.design().layout.size;
        rows.extend(found.into_iter().map(|row| scaled(row, metrics, from, to)));
    }
    rows
}

/// Warns about the metrics that no example has, because the search cannot compare dungeons in them. Fails if no other
/// metric remains.
fn report_missing(examples: &[TrialMetrics], metrics: &[Metric], output: &mut Output) -> Result<(), Failure> {
    let is_missing = |place: usize| examples.iter().all(|row| row.values[place].number().is_none());
    let missing: Vec<usize> = (0..metrics.len()).filter(|place| is_missing(*place)).collect();
    if missing.len() == metrics.len() {
        let message = "--metrics: no example has a value of any of these metrics; choose other metrics";
        return Err(Failure::unreadable(message));
    }
    for place in missing {
        let metric = metrics[place];
        output.warning(&format!(
            "no example has a value of `{metric}`, so the dungeons are not compared in this metric"
        ));
    }
    Ok(())
}

/// Measures a drawing, in which nothing grows. If the drawing has the size of the layout, it is measured with the
/// layout's entrance and exit. Returns `None` if the drawing's design is unusable.
fn drawn(document: &Document, layout: &Design, metrics: &[Metric], options: Options) -> Option<TrialMetrics> {
    let design = document.valid()?;
    let growth = Growth::new(design, options, &mut ());
    let mut scene = Scene::of(design, growth.rooms());
    if layout.layout.size == design.layout.size {
        (scene.entrance, scene.exit) = (layout.expect.entrance, layout.expect.exit);
    }
    let parts = MetricParts::of_all(metrics.iter().copied());
    let parts = parts.and(MetricParts::STANDARD).and(MetricParts::PATTERNS);
    let found = MetricsCalculator::new().measure_parts(growth.grid(), &scene, parts);
    Some(TrialMetrics::of(&found, metrics, parts))
}

/// Returns a picture (PNG) with a row of examples and below it a row of dungeons of the learnt character. `count` is
/// the total number of examples.
fn picture(
    examples: &[Example],
    count: usize,
    learnt: &Document,
    seeds: &[u64],
    args: &Args,
) -> Result<Vec<u8>, ExportError> {
    let options = args.growth.options();
    let mut shown = Vec::new();
    for example in examples {
        if example.is_drawing {
            let design = example.document.valid();
            shown.extend(design.map(|design| Growth::new(design, options, &mut ()).grid().clone()));
        } else {
            let share = DRAWN.div_ceil(examples.len());
            shown.extend(dungeons(&example.document, seeds.iter().copied(), share, options));
        }
    }
    shown.truncate(DRAWN);
    let found = dungeons(learnt, FRESH, DRAWN, options);
    let rows = [
        ("Some of the examples".to_owned(), shown),
        (
            "Dungeons grown with the parameters found, from fresh seeds".to_owned(),
            found,
        ),
    ];
    let picture = DungeonRows {
        title: &format!("Learnt from {}", counted(count, "dungeon")),
        rows: &rows,
        ground: args.on.ground(),
    };
    let mut bytes = Vec::new();
    picture.png(&mut bytes)?;
    Ok(bytes)
}

/// Grows up to `count` dungeons of a design, one for each seed, and skips seeds from which the design cannot be grown.
fn dungeons(document: &Document, seeds: impl Iterator<Item = u64>, count: usize, options: Options) -> Vec<Grid> {
    let mut designs = document.seeded().seeds();
    let grown = seeds.filter_map(|seed| dungeon(&mut designs, seed, options));
    grown.take(count).collect()
}

/// Runs the search to its end.
fn search(learning: &mut Learning, layout: &Document, metrics: &[Metric], args: &Args) {
    let seeded = layout.seeded();
    let all = Learning::dungeons(args.candidates);
    let mut progress = Progress::new(all, 0);
    let mut done = 0;
    loop {
        let asked = learning.ask();
        if asked.is_empty() {
            break;
        }
        let variants = asked.iter().map(|variant| seeded.varied(variant.of(seeded.design())));
        let seeds = learning.seeds().collect();
        let request = TrialRequest::all(variants.collect(), seeds, metrics.to_vec(), args.growth.options());
        let is_counted = learning.phase() == LearnPhase::Searching;
        let readings = tables(&request.with_parts(MetricParts::PATTERNS), &args.growth, || {
            if is_counted {
                done += 1;
                progress.at(done.min(all));
            }
        });
        learning.report(&readings);
    }
    progress.end();
}

/// Returns the share of dungeons that a classifier assigns correctly to the examples or to the learnt design; `None` if
/// there is nothing to compare.
fn accuracy(examples: &[TrialMetrics], learnt: Option<&TrialTable>) -> Option<f64> {
    let rows: Vec<TrialMetrics> = learnt?.rows.iter().flatten().cloned().collect();
    pattern_accuracy([examples, &rows])
}

/// Returns the expectation that a metric lies in the range of the examples.
fn expectation(one: &LearntMetric) -> String {
    let [low, high] = one.asked;
    format!("{} in {low}..{high} in {}%", one.metric, HOLDS * 100.0)
}

/// The result of the search.
struct Learnt {
    examples: usize,
    tried: u64,
    metrics: Vec<LearntMetric>,
    accuracy: Option<f64>,
    variant: Variant,
}

impl Learnt {
    fn is_like(&self) -> bool {
        self.metrics.iter().all(LearntMetric::holds)
    }

    fn print(&self, layout: &Design, is_json: bool, output: &mut Output) {
        if is_json {
            output.line(&format!("{:#}", self.json(layout)));
            return;
        }
        output.line(&format!(
            "learnt from {}, {} tried",
            counted(self.examples, "dungeon"),
            counted(self.tried, "character")
        ));
        print_changes(&self.variant, layout, output);
        let fresh = FRESH.end - FRESH.start;
        output.line(&format!(
            "p10 to p90 of the examples, and of the dungeons from {fresh} fresh seeds:"
        ));
        let is_any_estimated = self.metrics.iter().any(|one| one.is_estimated);
        let room = if is_any_estimated { 24 } else { 18 };
        for one in &self.metrics {
            let examples = asked(one);
            let learnt = one.reached.map_or_else(
                || "none".to_owned(),
                |[low, median, high]| format!("{}, median {}", range([low, high]), number(median)),
            );
            let metric = one.metric.to_string();
            let share = one.share * 100.0;
            output.line(&format!(
                "  {metric:12} {examples:room$} {learnt:34} {share:3.0}% in the range of the examples"
            ));
        }
        if is_any_estimated {
            output.line(&format!(
                "a range with ~ is an estimate, because fewer than {ENOUGH_EXAMPLES} examples have the metric"
            ));
        }
        if let Some(accuracy) = self.accuracy {
            output.line(&format!(
                "a classifier that sees only 3 × 3 patterns distinguishes these dungeons from the examples with an \
                 accuracy of {:.0}% (guessing reaches 50%)",
                accuracy * 100.0
            ));
        }
        if !self.is_like() {
            output.line(&format!(
                "the dungeons do not fit all ranges of the examples (at least {:.0}% of the dungeons must be in each range):",
                HOLDS * 100.0
            ));
        }
        for one in self.metrics.iter().filter(|one| !one.holds()) {
            output.line(&format!("  {}", unreached(one)));
        }
    }

    fn json(&self, layout: &Design) -> Value {
        let metrics: Vec<Value> = self
            .metrics
            .iter()
            .map(|one| {
                members::object(vec![
                    ("name", json!(one.metric.to_string())),
                    ("asked", json!(one.asked)),
                    ("estimated", json!(one.is_estimated)),
                    ("reached", json!(one.reached.map(|[low, _, high]| [low, high]))),
                    ("median", json!(one.reached.map(|[_, median, _]| median))),
                    ("share", json!(one.share)),
                    ("holds", json!(one.holds())),
                    ("medians", json!(one.medians)),
                    ("nearest", json!(one.nearest())),
                ])
            })
            .collect();
        json!({
            "version": PROGRAM_VERSION,
            "examples": self.examples,
            "candidates": self.tried,
            "metrics": metrics,
            "pattern_accuracy": self.accuracy,
            "like": self.is_like(),
            "change": self.variant.name(layout),
        })
    }
}

/// Describes a metric in which the dungeons do not match the examples.
fn unreached(one: &LearntMetric) -> String {
    let median = one
        .reached
        .map_or_else(String::new, |[_, median, _]| format!(", median {}", number(median)));
    let medians = one.medians.map_or_else(
        || "no candidate has this metric".to_owned(),
        |medians| format!("medians of all candidates: {}", range(medians)),
    );
    format!(
        "{}: {:.0}% in {}{median}; {medians}",
        one.metric,
        one.share * 100.0,
        asked(one)
    )
}

/// Formats the range of the examples; an estimate begins with `~`.
fn asked(one: &LearntMetric) -> String {
    let sign = if one.is_estimated { "~" } else { "" };
    sign.to_owned() + &range(one.asked)
}

/// Formats a range: `180 to 240`.
fn range([low, high]: [f64; 2]) -> String {
    format!("{} to {}", number(low), number(high))
}

/// Formats the value of a metric with at most three decimal places.
fn number(value: f64) -> String {
    decimal(((value * 1000.0).round() * 10.0) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::expect::DungeonMetric;

    #[test]
    fn an_unreached_metric_is_described_with_the_medians_of_the_candidates() {
        for (medians, why) in [
            (None, "no candidate has this metric"),
            (Some([12.5, 41.0]), "medians of all candidates: 12.5 to 41"),
        ] {
            let text = unreached(&LearntMetric {
                metric: Metric::Plain(DungeonMetric::Path),
                asked: [20.0, 30.0],
                is_estimated: false,
                reached: Some([40.0, 41.0, 42.0]),
                share: 0.1,
                medians,
            });
            assert_eq!(text, format!("path: 10% in 20 to 30, median 41; {why}"));
        }
    }
}
