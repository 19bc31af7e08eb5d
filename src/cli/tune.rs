//! `wallcrawler tune`: searches for parameters with which a design meets its expectations over many seeds.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::change::ChangeArgs;
use super::endpoints::EndpointArgs;
use super::output::Output;
use super::progress::Progress;
use super::selection::GrowthArgs;
use super::target::{ForceArgs, OutputKind, Outputs};
use super::{DesignArgs, UNEXPECTED, UNREADABLE};
use crate::analysis::tune::{TrialTable, TunedParameter, Tuning, TuningPhase, movable};
use crate::analysis::{PairCounts, PairedChange, Verdict, alone, expectations};
use crate::background::TrialRequest;
use crate::design::expect::{self, Expectation, Expression};
use crate::design::{Design, Diagnostic, Entry, Field};
use crate::document::SeededDesign;
use crate::engine::Options;
use crate::storage::{DesignFiles, SinkKind};
use crate::text::counted;

/// Number of generations whose parameters may change if none is given: the first ones lay most walls.
const GENERATIONS: usize = 4;

/// The arguments of `tune`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("force", |force| force.requires("output")))]
pub(super) struct Args {
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    ends: EndpointArgs,
    #[command(flatten)]
    change: ChangeArgs,
    /// Parameters that may change, in the first four generations or in one: MaxAge,CorridorWidth:2,joinDist [default:
    /// every parameter that is not 0 and has an effect]
    #[arg(long = "move", value_name = "PARAMETER", value_delimiter = ',')]
    moves: Vec<String>,
    /// Add an expectation to those of the design: 'path >= 180 in 95 %'; can be given more than once
    #[arg(long, value_name = "EXPECTATION")]
    expect: Vec<String>,
    /// Number of seeds over which each candidate is measured
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    seeds: u64,
    /// Write the tuned design as TOML, with the given entrance and exit
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    growth: GrowthArgs,
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> u8 {
    // Check the target before the search, which takes long.
    if args
        .output
        .as_deref()
        .is_some_and(|path| !super::may_be_design(path, false, output))
    {
        return UNREADABLE;
    }
    let mut document = match args.design.document(output) {
        Ok(document) => document,
        Err(status) => return status,
    };
    let options = args.growth.options();
    match args.change.of(document.seeded(), options, output) {
        Ok(changed) => document.edit("change", |design| *design = changed.design().clone()),
        Err(status) => return status,
    };
    let Some(design) = args.ends.of(document.design(), output) else {
        return UNREADABLE;
    };
    let mut outputs = Outputs::new(args.force, args.design.inputs(&design));
    let leads = args.output.as_ref().map(|path| outputs.check(path, OutputKind::Edited));
    let leads = match leads.transpose() {
        Ok(leads) => leads.unwrap_or(SinkKind::File),
        Err(why) => {
            output.error(&why);
            return UNREADABLE;
        }
    };
    let seeded = document.seeded().varied(design.clone());
    let Some((texts, expected)) = expected(args, &design, output) else {
        return UNREADABLE;
    };
    let moves = match moves(args, &design, options) {
        Ok(moves) => moves,
        Err(why) => {
            output.report(&[Diagnostic::error(why).help("run `wallcrawler check --help` for the list of parameters")]);
            return UNREADABLE;
        }
    };
    let mut tuning = Tuning::new(&design, moves, expected, args.seeds, design.seed);
    search(&mut tuning, &seeded, &args.growth);
    let Some(best) = tuning.best().cloned() else {
        return UNREADABLE;
    };
    let variant = tuning.variant(&best.values);
    output.line(&format!(
        "{}, {} of {} met over {}",
        counted(tuning.tried() as u64, "candidate"),
        best.met(),
        counted(texts.len(), "expectation"),
        counted(tuning.seeds().end - tuning.seeds().start, "seed")
    ));
    for change in &variant.changes {
        let one = crate::analysis::tune::Variant { changes: vec![*change] };
        output.line(&format!("  {}", one.name(&design)));
    }
    if variant.changes.is_empty() {
        output.line("  no parameter changed");
    }
    let mut holds = true;
    if let Some([before, after]) = tuning.verified() {
        output.line("over 100 fresh seeds:");
        for (index, (text, (before, after))) in texts.iter().zip(before.iter().zip(after)).enumerate() {
            holds &= after.holds;
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
            output.line("  the changes move no expectation by more than chance");
        }
    }
    if let Some(path) = &args.output {
        document.edit("tuned", |design| {
            variant.apply(design);
            // The result is valid for this entrance and exit.
            args.ends.set(design);
        });
        let files = DesignFiles::Toml(path.clone());
        let saved = if leads == SinkKind::File {
            document.save_as(files).map_err(|error| error.to_string())
        } else {
            let streamed = files.stream(&[leads], document.design(), &[]);
            streamed.map_err(|error| error.to_string())
        };
        match saved {
            Ok(notes) => output.report(&notes),
            Err(why) => {
                output.report(&[Diagnostic::error(why)]);
                return UNREADABLE;
            }
        }
    }
    if holds { 0 } else { UNEXPECTED }
}

/// Describes how many dungeons meet a condition by themselves: `, 54 → 42 dungeons, −12 points [−25, +1]`; of one on
/// aggregates it names that of each dungeon. The difference is left out if no dungeon differs.
fn described(condition: &Expression, verdicts: [&Verdict; 2], change: &PairedChange) -> String {
    let PairCounts { pairs, higher, lower } = change.counts;
    let mut text = String::from(", ");
    if verdicts[0].is_of_one {
        let [before, after] = verdicts.map(Verdict::met);
        let _ = write!(text, "{before} → {after} dungeons");
    } else {
        let _ = write!(
            text,
            "{} in {higher} more and {lower} fewer of {pairs} dungeons",
            alone(condition)
        );
    }
    if let Some(difference) = change.change.filter(|_| higher + lower > 0) {
        let caveat = if change.is_real() { "" } else { ", not significant" };
        let _ = write!(text, ", {} points{caveat}", difference.scaled(100.0));
    }
    text
}

/// Runs the search to its end.
fn search(tuning: &mut Tuning, seeded: &SeededDesign, growth: &GrowthArgs) {
    let metrics = tuning.metrics();
    loop {
        let asked = tuning.ask();
        if asked.is_empty() || tuning.phase() == TuningPhase::Done {
            return;
        }
        let seeds: Vec<u64> = tuning.seeds().collect();
        let variants = asked.iter().map(|variant| seeded.varied(variant.of(seeded.design())));
        let mut readings = vec![TrialTable::new(metrics.clone(), seeds.len()); asked.len()];
        let trials = TrialRequest::all(variants.collect(), seeds, metrics.clone(), growth.options());
        let mut progress = Progress::new(trials.order.len() as u64, 0);
        let mut done = 0;
        // Nothing cancels it.
        let _ = trials.measure(
            growth.threads(),
            || true,
            |tried| {
                readings[tried.variant].rows[tried.seed] = tried.reading;
                done += 1;
                progress.at(done);
                Ok(())
            },
        );
        progress.end();
        tuning.report(&readings);
    }
}

/// Returns the expectations of the design and the command line, with their texts; reports an error and returns `None`
/// if they are invalid or there are none.
fn expected(args: &Args, design: &Design, output: &mut Output) -> Option<(Vec<String>, Vec<Expectation>)> {
    let known = expectations(design);
    let mut texts: Vec<String> = known.iter().map(|(i, _)| design.expect.that[*i].clone()).collect();
    let mut expected: Vec<Expectation> = known.into_iter().map(|(_, expectation)| expectation).collect();
    for text in &args.expect {
        if let Some(problem) = expect::problems(text, design).first() {
            output.report(&[problem.description("--expect", text)]);
            return None;
        }
        expected.extend(expect::parse(text).ok());
        texts.push(text.clone());
    }
    if expected.is_empty() {
        let nothing = Diagnostic::error("the design has no expectations to tune for");
        output.report(&[nothing.help("pass one, such as --expect 'path >= 180 in 95 %'")]);
        return None;
    }
    Some((texts, expected))
}

/// Returns the parameters that may change.
fn moves(args: &Args, design: &Design, options: Options) -> Result<Vec<TunedParameter>, String> {
    let all = movable(design, options, |_| true);
    let is_early =
        |one: &TunedParameter| !matches!(one.entry, Entry::Generation(generation) if generation >= GENERATIONS);
    if args.moves.is_empty() {
        let is_on = |one: &TunedParameter| is_early(one) && design.get(one.entry, one.parameter) != Some(0);
        return Ok(all.into_iter().filter(is_on).collect());
    }
    let mut chosen: Vec<TunedParameter> = Vec::new();
    for text in &args.moves {
        let (name, generation) = match text.split_once(':') {
            Some((name, generation)) => {
                let number = generation.trim().parse::<usize>();
                (
                    name,
                    Some(number.map_err(|_| format!("`{generation}` is not a generation; use 0 to 9"))?),
                )
            }
            None => (text.as_str(), None),
        };
        let is_it = |one: &&TunedParameter| {
            let is_named = Field::from(one.parameter).is_called(name.trim());
            let is_there = match generation {
                Some(generation) => one.entry == Entry::Generation(generation),
                None => is_early(one),
            };
            is_named && is_there && !chosen.contains(one)
        };
        let found: Vec<TunedParameter> = all.iter().filter(is_it).copied().collect();
        if found.is_empty() {
            return Err(format!("parameter `{text}` is unknown or has no effect in this design"));
        }
        chosen.extend(found);
    }
    Ok(chosen)
}
