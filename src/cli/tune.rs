//! `wallcrawler tune`: searches for parameter values with which a design meets its expectations, measured over many
//! seeds.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::change::ChangedDesignArgs;
use super::failure::Failure;
use super::output::Output;
use super::selection::GrowthArgs;
use super::space::{SpaceArgs, print_changes};
use super::target::{ForceArgs, OutputKind, Outputs, save_design};
use super::trials::measure;
use super::{UNEXPECTED, UNREADABLE};
use crate::analysis::tune::{FRESH, Tuning, TuningPhase};
use crate::analysis::{MetricParts, Outcome, PairCounts, PairedChange, Verdict, alone};
use crate::design::Diagnostic;
use crate::design::expect::Expression;
use crate::document::SeededDesign;
use crate::storage::SinkKind;
use crate::text::counted;

/// Help for `--move`. In `tune`, the default leaves out parameters whose value is 0, unlike in other commands.
const MOVES: &str = "Parameters that may change, separated by commas, such as MaxAge (in generations 0 to 3), 'CorridorWidth in 2' (in generation 2) \
                     or joinDist [default: chDirOnStraight, joinDist and every parameter of generations 0 to 3, except those that have no \
                     effect or are 0]";

/// The arguments of `tune`.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("force", |force| force.requires("output")),
    mut_arg("moves", |moves| moves.help(MOVES)),
    mut_arg("seed", |seed| seed.help(super::source::SEED_OF_SEARCH))
)]
pub(super) struct Args {
    #[command(flatten)]
    design: ChangedDesignArgs,
    #[command(flatten)]
    space: SpaceArgs,
    /// Number of seeds over which each candidate (a set of parameter values) is measured; if the
    /// result does not hold over fresh seeds, the number is doubled and the search repeated, up to two times
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    seeds: u64,
    /// Write the tuned design as TOML, with the expectations added by --expect, and the entrance and exit set by
    /// --entrance and --exit, if any
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    growth: GrowthArgs,
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    // Check the target before the search, which takes a long time.
    if let Some(path) = &args.output {
        super::check_design_path(path, false)?;
    }
    let options = args.growth.options();
    let mut document = args.design.document(options, output)?;
    let design = document.design().clone();
    let mut outputs = Outputs::new(args.force, args.design.inputs(&design));
    let sink_kind = args.output.as_ref().map(|path| outputs.check(path, OutputKind::Edited));
    let sink_kind = sink_kind.transpose()?.unwrap_or(SinkKind::File);
    if sink_kind == SinkKind::Stdout {
        output.reserve_for_data();
    }
    let seeded = document.seeded();
    let (texts, expected) = args.space.expectations(&design)?;
    if expected.is_empty() {
        let nothing = Diagnostic::error("the design has no expectations to tune for");
        let nothing = nothing.help("pass one, such as --expect 'path >= 180 in 95%'");
        return Err(Failure::new(UNREADABLE, vec![nothing]));
    }
    let moves = args.space.moves.parameters(&design, options, false)?;
    let mut tuning = Tuning::new(&design, moves, expected, args.seeds, design.seed);
    output.report(&seeded.beyond_recording(tuning.seeds().chain(FRESH)));
    search(&mut tuning, &seeded, &args.growth);
    let best = tuning.best().cloned().ok_or(Failure::reported(UNREADABLE))?;
    let variant = tuning.variant(&best.values);
    output.line(&format!(
        "{}, {} of {} met over {}",
        counted(tuning.tried() as u64, "candidate"),
        best.met(),
        counted(texts.len(), "expectation"),
        counted(tuning.seeds().end - tuning.seeds().start, "seed")
    ));
    print_changes(&variant, &design, output);
    let mut is_any_failing = false;
    if let Some([before, after]) = tuning.verified() {
        output.line("over 100 fresh seeds:");
        for (index, (text, (before, after))) in texts.iter().zip(before.iter().zip(after)).enumerate() {
            is_any_failing |= after.outcome == Outcome::Fails;
            let change = tuning.changes().get(index);
            output.line(&format!(
                "  {text}: {} → {}{}",
                before.description(),
                after.description(),
                change.map_or_else(String::new, |change| {
                    let condition = &tuning.expectations()[index].condition;
                    described(condition, [before, after], change)
                })
            ));
        }
        if best.moved > 0 && !tuning.changes().iter().any(PairedChange::is_real) {
            output.line("  the changes affect no expectation significantly");
        }
    }
    if let Some(path) = &args.output {
        document.edit("tuned", |design| {
            variant.apply(design);
            args.space.expect_in(design);
        });
        save_design(&mut document, path, sink_kind, output)?;
    }
    Ok(if is_any_failing { UNEXPECTED } else { 0 })
}

/// Describes how the number of dungeons that meet a condition changes: `, 54 → 42 dungeons, −12 points [−25, +1]`. A
/// condition on an aggregate, such as `median dead-ends <= 30`, cannot be tested in a single dungeon. In each dungeon,
/// `dead-ends <= 30` is tested instead, and the text names this condition: `, dead-ends <= 30 newly met in …`. The
/// difference in points is left out if the same dungeons meet the condition before and after.
fn described(condition: &Expression, verdicts: [&Verdict; 2], change: &PairedChange) -> String {
    let PairCounts { pairs, higher, lower } = change.counts;
    let mut text = String::from(", ");
    if verdicts[0].is_of_one {
        let [before, after] = verdicts.map(Verdict::met);
        let _ = write!(text, "{before} → {after} dungeons");
    } else {
        let _ = write!(
            text,
            "{} newly met in {higher} of {pairs} dungeons, no longer met in {lower}",
            alone(condition)
        );
    }
    if let Some(difference) = change.change.filter(|_| higher + lower > 0) {
        let caveat = if change.is_real() { "" } else { ", not significant" };
        let _ = write!(text, ", {} points{caveat}", difference.scaled(100.0));
    }
    text
}

/// Measures the variants that the search requests, until it is done.
fn search(tuning: &mut Tuning, seeded: &SeededDesign, growth: &GrowthArgs) {
    let metrics = tuning.metrics();
    loop {
        let asked = tuning.ask();
        if asked.is_empty() || tuning.phase() == TuningPhase::Done {
            return;
        }
        let variants = asked.iter().map(|variant| seeded.varied(variant.of(seeded.design())));
        let readings = measure(
            variants.collect(),
            tuning.seeds().collect(),
            &metrics,
            MetricParts::NONE,
            growth,
        );
        tuning.report(&readings);
    }
}
