//! `wallcrawler sweep`: measures the dungeons of many designs, made by varying some numbers of one design.
//!
//! The rows are those of a survey, with an additional column for each varied number. They are sorted by design, and
//! each design has a row for every seed. Like a survey, a sweep can be resumed after an interruption, and divided into
//! shards.

mod effects;
mod report;
mod spec;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::change;
use super::endpoints::EndpointArgs;
use super::failure::Failure;
use super::output::Output;
use super::progress::Progress;
use super::rows::{FileRow, RowArgs, RowKey, RowWriter, Table, VariedColumn, digest};
use super::seeds::SeedRange;
use super::selection::{Selection, SelectionArgs};
use super::source::input_path;
use super::statistics::CorrelationSample;
use super::survey::{describe_work, unknown_metric};
use super::{DesignArgs, UNREADABLE};
use crate::analysis::sweep::{Factor, SweepPlan};
use crate::analysis::{Cell, CellKind, Metrics, row};
use crate::design::{ApplyError, Design, Diagnostic, RuleChange};
use crate::document::{DungeonCode, SeededDesign};
use crate::format::Text;
use crate::storage;
use crate::text::counted;

use self::effects::report_effects;
use self::report::DesignMeans;
use self::spec::{Origin, Spec};

/// Maximum number of designs in a sweep over all combinations.
const MOST_DESIGNS: u64 = 1_000_000;

/// The arguments of `sweep`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = super::survey::metrics_and_conditions())]
#[command(mut_arg("shard", |shard| {
    shard.help(
        "Produce one part of the rows: 3/16 is the third of sixteen parts. The files of all parts, concatenated in order, equal \
         the file of the whole sweep",
    )
}))]
pub(super) struct Args {
    /// Specification of the sweep: a TOML file that names a design and the numbers that vary; - is standard
    /// input
    #[arg(value_name = "SPEC", value_parser = input_path())]
    spec: PathBuf,
    /// Seeds to use instead of the seeds in the specification: 0..1000 (excluding 1000), 5..=9 (including 9), 100
    /// (seeds 0 to 99), or a list of ranges and single seeds: 3,7,20..40
    #[arg(long, value_name = "SEEDS")]
    seeds: Option<SeedRange>,
    #[command(flatten)]
    ends: EndpointArgs,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    rows: RowArgs,
    /// For each varied number, print the share of each metric's variance that it explains on its own (the
    /// first-order Sobol index), with 95% confidence intervals
    #[arg(long, conflicts_with = "shard")]
    sensitivity: bool,
    /// Print the correlations of the metrics with the varied numbers and with each other
    #[arg(long, conflicts_with = "shard")]
    correlation: bool,
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    prepare(args, output)?.run(args, output)?;
    Ok(0)
}

/// A sweep that is ready to start.
struct Sweep {
    /// The design to vary, with the changes that the specification applies to all designs.
    base: SeededDesign,
    plan: SweepPlan,
    /// The levels of each factor as numbers, for statistics; see [`Factor::numbers`].
    numbers: Vec<Option<Vec<f64>>>,
    table: Table,
    seeds: SeedRange,
    selection: Selection,
    /// Indices of the rows that belong to the shard.
    part: Range<u64>,
    inputs: Vec<PathBuf>,
}

/// Reads the specification and its design. Reports factors and levels without effect.
fn prepare(args: &Args, output: &mut Output) -> Result<Sweep, Failure> {
    let path = &args.spec;
    let text = Text::decode(storage::input_name(path), storage::read(path)?);
    let spec = spec::read(&text).map_err(|diagnostics| Failure::new(UNREADABLE, diagnostics))?;
    let (seeded, mut inputs) = opened(&spec, path, output)?;
    inputs.push(path.clone());
    let base = args.ends.of(&changed(&spec, &text, &seeded, args, output)?)?;
    let factors: Vec<_> = spec.factors.iter().map(|factor| factor.factor.clone()).collect();
    check_levels(&spec, &text, base.design())?;
    let plan = match spec.sample {
        Some(size) => Some(SweepPlan::latin_hypercube(factors, size.designs, size.seed)),
        None => SweepPlan::grid(factors).filter(|plan| plan.designs() <= MOST_DESIGNS),
    };
    let Some(plan) = plan else {
        let message =
            "the sweep has more than 1,000,000 designs; sample them: add [sample] with latin_hypercube = 1000";
        return Err(Failure::unreadable(message));
    };
    let table = table(&spec, &text, base.design())?;
    let selection = args.selection.condition(base.design())?;
    let seeds = args.seeds.clone().unwrap_or_else(|| spec.seeds.clone());
    let Some(rows) = plan.designs().checked_mul(seeds.len()) else {
        return Err(Failure::unreadable("there are too many rows to count; use fewer seeds"));
    };
    let varied = (0..plan.designs()).map(|number| varied(&plan, number, base.design()));
    output.report(&base.beyond_recording_with(seeds.iter(), varied.filter_map(Result::ok)));
    report_effects(&spec, &text, &plan, base.design(), args.selection.options(), output);
    let numbers = plan.factors().iter().map(|factor| factor.numbers(base.design()));
    Ok(Sweep {
        numbers: numbers.collect(),
        base,
        plan,
        table,
        seeds,
        selection,
        part: args.selection.part(rows),
        inputs,
    })
}

/// Opens the design that a specification names. Returns it with the files that it was read from.
fn opened(spec: &Spec, path: &Path, output: &mut Output) -> Result<(SeededDesign, Vec<PathBuf>), Failure> {
    let design = match &spec.origin.value {
        Origin::Preset(name) => DesignArgs::of_preset(name),
        Origin::File(name) if DungeonCode::is_code(name) => DesignArgs::of_file(Path::new(name)),
        Origin::File(name) => {
            // A specification from standard input or from a pipe has no folder of its own.
            let is_own = |folder: &&Path| !["/dev", "/dev/fd"].map(Path::new).contains(folder);
            let folder = path.parent().filter(is_own);
            DesignArgs::of_file(&folder.unwrap_or(Path::new("")).join(name))
        }
    };
    let seeded = design.seeded_design(output)?;
    let inputs = design.inputs(seeded.design());
    Ok((seeded, inputs))
}

/// Applies the changes that the specification makes to all designs, and warns about those that have no effect.
fn changed(
    spec: &Spec,
    text: &Text,
    seeded: &SeededDesign,
    args: &Args,
    output: &mut Output,
) -> Result<SeededDesign, Failure> {
    let mut design = seeded.design().clone();
    for rule in &spec.change {
        let located = |diagnostic: Diagnostic| vec![diagnostic.from_source(text.source(rule.span.clone()))];
        let applied = change::apply(&rule.value, &mut design, args.selection.options());
        let failed = |why: ApplyError| Failure::new(UNREADABLE, located(Diagnostic::error(why.to_string())));
        if let Some(why) = applied.map_err(failed)? {
            let warning = Diagnostic::warning(format!("this change has no effect: {why}"));
            output.report(&located(warning));
        }
    }
    Ok(seeded.varied(design))
}

/// Checks that every level of every factor can be applied to the base design.
fn check_levels(spec: &Spec, text: &Text, base: &Design) -> Result<(), Failure> {
    let mut errors = Vec::new();
    for varied in &spec.factors {
        if let Err(why) = varied.factor.target.values(base) {
            errors.push(Diagnostic::error(why.to_string()).from_source(text.source(varied.span.clone())));
            continue;
        }
        for (level, span) in varied.levels.iter().enumerate() {
            let rule = varied.factor.rule(level);
            if let Some(Err(why)) = rule.map(|rule| rule.replaced(base)) {
                errors.push(Diagnostic::error(why.to_string()).from_source(text.source(span.clone())));
            }
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(UNREADABLE, errors))
    }
}

/// Returns the columns of the rows. Fails if a metric is unknown, or if two columns would have the same name.
fn table(spec: &Spec, text: &Text, base: &Design) -> Result<Table, Failure> {
    let varied = spec.factors.iter().map(|varied| VariedColumn {
        name: varied.name.clone(),
        kind: if varied.factor.has_values() {
            CellKind::Whole
        } else {
            CellKind::Word
        },
    });
    let table = Table::new(base, varied.collect());
    let names: Vec<&str> = spec.metrics.iter().map(|metric| metric.value.as_str()).collect();
    let selected = if names.is_empty() {
        Ok(table.clone())
    } else {
        table.clone().with_metrics(&names)
    };
    let unknown = selected.as_ref().err().into_iter().flatten().map(|&at| {
        let error = unknown_metric(&table, names[at], "sweep");
        error.from_source(text.source(spec.metrics[at].span.clone()))
    });
    let mut errors: Vec<Diagnostic> = unknown.collect();
    for varied in &spec.factors {
        let is_taken =
            Table::is_fixed(&varied.name) || table.metrics.iter().any(|column| column.identifier() == varied.name);
        if is_taken {
            let message = format!("a column named `{}` already exists", varied.name);
            let help = "give the column of this number another name: { name = \"age\", values = [4, 8, 12] }";
            errors.push(
                Diagnostic::error(message)
                    .help(help)
                    .from_source(text.source(varied.span.clone())),
            );
        }
    }
    match selected {
        Ok(table) if errors.is_empty() => Ok(table),
        _ => Err(Failure::new(UNREADABLE, errors)),
    }
}

/// Makes the design with the index `number` in the plan, by changing a copy of `base`.
fn varied(plan: &SweepPlan, number: u64, base: &Design) -> Result<Design, Failure> {
    let mut design = base.clone();
    for rule in plan.rules(number) {
        let place = |why| Failure::unreadable(format_args!("design {}, `{rule}`: {why}", number + 1));
        rule.apply(&mut design).map_err(place)?;
    }
    Ok(design)
}

impl Sweep {
    /// Returns the design index and the seed of the row at index `number`.
    fn dungeon(&self, number: u64) -> (u64, u64) {
        let seeds = self.seeds.len();
        (number / seeds, self.seeds.nth(number % seeds))
    }

    /// Makes the design at an index of the plan.
    fn design(&self, number: u64) -> Result<SeededDesign, Failure> {
        Ok(self.base.varied(varied(&self.plan, number, self.base.design())?))
    }

    /// Returns the values of a design in the columns of the varied numbers.
    fn varied(&self, design: u64) -> Vec<Cell> {
        let levels = self.plan.levels(design).into_iter().zip(self.plan.factors());
        let cell = |(level, factor): (usize, &Factor)| match factor.levels.get(level) {
            Some(RuleChange::To(value)) if factor.has_values() => Cell::Number(i64::from(*value) * 10_000),
            Some(change) => Cell::Word(change.to_string()),
            None => Cell::Nothing,
        };
        levels.map(cell).collect()
    }

    /// Grows and measures the dungeons.
    fn run(&self, args: &Args, output: &mut Output) -> Result<(), Failure> {
        args.rows.check_selection(&self.selection)?;
        args.rows
            .check_tables(&[("--sensitivity", args.sensitivity), ("--correlation", args.correlation)])?;
        let options = args.selection.options();
        let count = self.part.end - self.part.start;
        let designs = self.dungeon(self.part.start).0..self.dungeon(self.part.end.max(1) - 1).0 + 1;
        let mut digests = Vec::new();
        for design in designs.clone() {
            digests.push(digest(&self.design(design)?, options));
        }
        report_equal(&digests, output);
        let key = |number: u64| {
            let (design, seed) = self.dungeon(self.part.start + number);
            RowKey::new(seed, &digests[(design - designs.start) as usize], self.varied(design))
        };
        let mut means = DesignMeans::new(&self.table, designs.clone());
        let mut sample = CorrelationSample::default();
        let mut number = 0;
        let (mut writer, done) = RowWriter::open(
            &args.rows,
            self.table.clone(),
            self.inputs.clone(),
            args.selection.is_first_shard(),
            |number| (number < count).then(|| key(number)),
            |row| {
                self.count(number, &row, &mut means, &mut sample);
                number += 1;
            },
            output,
        )?;
        let survey = args.selection.survey_of_parts(self.base.clone(), self.table.parts());
        let mut progress = Progress::new(count, done);
        let mut taken = done;
        survey.run_variants(
            count - done,
            |number| {
                let (design, seed) = self.dungeon(self.part.start + done + number);
                (design as usize, seed)
            },
            // The fallback is never used: every design was already made once for its digest above.
            |design| self.design(design as u64).unwrap_or_else(|_| self.base.clone()),
            |_, metrics: &Metrics| {
                let is_selected = self.selection.includes(metrics);
                is_selected.then(|| (row(metrics, &self.table.metrics), metrics.anomalies()))
            },
            |_, measured| {
                let number = taken;
                taken += 1;
                progress.at(taken);
                let measured = match measured {
                    Some(None) => return writer.skip(output),
                    None if self.selection.condition().is_some() => return writer.skip(output),
                    measured => measured.flatten(),
                };
                let row = FileRow::new(key(number), measured, &self.table);
                self.count(number, &row, &mut means, &mut sample);
                writer.add(&row, output)
            },
        );
        progress.end();
        let is_printed = writer.is_printed();
        writer.end(output)?;
        if !is_printed {
            self.print(args, &means, &sample, output);
            describe_work(&progress, done, taken, output);
        }
        Ok(())
    }

    /// Adds the row at index `number` of the shard to the means and to the sample for correlations.
    fn count(&self, number: u64, row: &FileRow, means: &mut DesignMeans, sample: &mut CorrelationSample) {
        let (design, _) = self.dungeon(self.part.start + number);
        means.add(design, &row.cells);
        sample.add(|| {
            let levels = self.plan.levels(design).into_iter().zip(&self.numbers);
            let varied = levels.map(|(level, numbers)| numbers.as_ref().map_or(f64::NAN, |numbers| numbers[level]));
            varied.chain(row.cells.iter().map(Cell::number)).collect()
        });
    }

    fn print(&self, args: &Args, means: &DesignMeans, sample: &CorrelationSample, output: &mut Output) {
        let which = args.selection.label(&self.seeds);
        report::print_means(self, means, &which, output);
        if args.sensitivity {
            report::print_sensitivity(self, means, output);
        }
        if args.correlation {
            let varied = self.table.varied_names().map(str::to_owned);
            let metrics = self.table.metrics.iter().map(|column| column.name.clone());
            sample.print(&varied.chain(metrics).collect::<Vec<_>>(), output);
            let varied = self.table.varied_names().zip(&self.numbers);
            for (name, _) in varied.filter(|(_, numbers)| numbers.is_none()) {
                output.line(&format!(
                    "`{name}` is left out: it varies several numbers by changes of different kinds, which cannot be \
                     compared"
                ));
            }
        }
    }
}

/// Prints a note with the number of designs that equal an earlier design of the sweep.
fn report_equal(digests: &[String], output: &mut Output) {
    let distinct: BTreeSet<&String> = digests.iter().collect();
    let equal = digests.len() - distinct.len();
    if equal > 0 {
        let all = counted(digests.len(), "design");
        let designs = if equal == 1 {
            "equals an earlier one and repeats its rows"
        } else {
            "equal earlier ones and repeat their rows"
        };
        output.note(&format!("{equal} of {all} {designs}"));
    }
}
