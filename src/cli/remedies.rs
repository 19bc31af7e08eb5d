//! `wallcrawler remedies`: finds flaws in the dungeons of a design (anomalies, failed expectations, a path that is too
//! direct), and shows which changes to the design reduce these flaws.

use serde_json::{Value, json};

use super::change::ChangedDesignArgs;
use super::failure::Failure;
use super::members::{self, Members};
use super::output::Output;
use super::seeds::SeedRange;
use super::selection::GrowthArgs;
use super::trials::{MOST_SEEDS, describe_change, describe_p, measure};
use crate::analysis::tune::{Flaw, FlawAmount, RemedyEffect, flaws, remedies};
use crate::analysis::{Interval, MetricParts, expectations};
use crate::recording_file::PROGRAM_VERSION;
use crate::text::counted;

/// The arguments of `remedies`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("seed", |seed| seed.help(super::source::SEED_OF_CHECK)))]
pub(super) struct Args {
    #[command(flatten)]
    design: ChangedDesignArgs,
    /// Seeds with which each remedy is measured: 0..1000 (excluding 1000), 5..=9 (including 9), 100 (seeds 0 to 99), or
    /// a list of ranges and single seeds: 3,7,20..40
    #[arg(long, value_name = "SEEDS", default_value = "0..100")]
    seeds: SeedRange,
    /// Maximum number of remedies to print for each flaw
    #[arg(long, value_name = "N", default_value_t = 5)]
    top: usize,
    /// Print everything as JSON, including changes that were tried but do not help
    #[arg(long)]
    json: bool,
    /// Print as CSV a row for each change that was tried, including changes that do not help
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    growth: GrowthArgs,
}

/// A flaw and the remedies that were tried, best first.
struct FoundFlaw {
    description: String,
    amount: FlawAmount,
    remedies: Vec<(String, RemedyEffect)>,
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    if args.seeds.len() > MOST_SEEDS {
        let message = format_args!("--seeds has more than {MOST_SEEDS} seeds");
        return Err(Failure::unreadable(message));
    }
    let options = args.growth.options();
    let seeded = args.design.seeded(options, output)?;
    output.report(&seeded.beyond_recording(args.seeds.iter()));
    let design = seeded.design();
    let (places, expected): (Vec<usize>, Vec<_>) = expectations(design).into_iter().unzip();
    let texts: Vec<String> = places.iter().map(|place| design.expect.that[*place].clone()).collect();
    let metrics = Flaw::metrics(&expected);
    let grow = |variants, metrics: &[_], anomalies| {
        measure(variants, args.seeds.iter().collect(), metrics, anomalies, &args.growth)
    };
    let first = grow(vec![seeded.clone()], &metrics, MetricParts::ANOMALIES).pop();
    let Some(before) = first.filter(|table| table.dungeons() > 0) else {
        return Err(Failure::unusable("the design cannot be grown from any of the seeds"));
    };
    let mut found = Vec::new();
    for (flaw, amount) in flaws(&before, &expected) {
        let variants: Vec<_> = remedies(flaw, design, options, &before, &expected)
            .into_iter()
            .filter(|variant| variant.of(design).validate(None).design.is_some())
            .collect();
        let after = grow(
            variants
                .iter()
                .map(|variant| seeded.varied(variant.of(design)))
                .collect(),
            &flaw.own_metrics(&expected),
            flaw.parts(),
        );
        let effects = RemedyEffect::all(flaw, &before, &after.iter().collect::<Vec<_>>(), &expected);
        let names = variants.iter().map(|variant| variant.name(design));
        let mut remedies: Vec<_> = names.zip(effects).collect();
        remedies.sort_by(|(_, a), (_, b)| {
            let by_count = a.after.count.cmp(&b.after.count);
            b.helps()
                .cmp(&a.helps())
                .then(by_count)
                .then(b.gain().total_cmp(&a.gain()))
        });
        found.push(FoundFlaw {
            description: flaw.description(&texts),
            amount,
            remedies,
        });
    }
    if args.json {
        let flaws: Vec<Value> = found.iter().map(object).collect();
        let all = json!({"version": PROGRAM_VERSION, "seeds": args.seeds.len(), "flaws": flaws});
        output.line(&format!("{all:#}"));
    } else if args.csv {
        members::print_csv(rows(&found), output);
    } else {
        print_table(args, &found, output);
    }
    Ok(0)
}

/// Returns the 95% confidence interval for the share of dungeons with a flaw.
fn interval(amount: &FlawAmount) -> Interval {
    Interval::of_share(amount.count as u64, amount.dungeons as u64)
}

/// Returns the name and the numbers of a remedy, each with the name of its column, in the order of the columns.
fn members(name: &str, effect: &RemedyEffect) -> Members {
    let change = effect.change.change;
    let after = interval(&effect.after);
    vec![
        ("remedy", json!(name)),
        ("helps", json!(effect.helps())),
        ("before", json!(effect.before.count)),
        ("after", json!(effect.after.count)),
        ("dungeons", json!(effect.after.dungeons)),
        ("share", json!(effect.after.share())),
        ("low", json!(after.low)),
        ("high", json!(after.high)),
        ("difference", json!(change.map(|change| change.mean))),
        ("difference_low", json!(change.map(|change| change.low))),
        ("difference_high", json!(change.map(|change| change.high))),
        ("p", json!(effect.change.p)),
        ("p_adjusted", json!(effect.change.p_adjusted)),
    ]
}

fn object(flaw: &FoundFlaw) -> Value {
    let remedy = |(name, effect): &(String, RemedyEffect)| members::object(members(name, effect));
    let Interval { low, high } = interval(&flaw.amount);
    json!({
        "flaw": flaw.description,
        "count": flaw.amount.count,
        "dungeons": flaw.amount.dungeons,
        "share": flaw.amount.share(),
        "low": low,
        "high": high,
        "remedies": flaw.remedies.iter().map(remedy).collect::<Vec<Value>>(),
    })
}

/// Returns a CSV row for each remedy of each flaw.
fn rows(found: &[FoundFlaw]) -> impl Iterator<Item = Members> {
    found.iter().flat_map(|flaw| {
        let remedies = flaw.remedies.iter();
        remedies.map(|(name, effect)| {
            let mut row = vec![("flaw", json!(flaw.description))];
            row.extend(members(name, effect));
            row
        })
    })
}

/// Prints the flaws and the remedies that help, as text for people.
fn print_table(args: &Args, found: &[FoundFlaw], output: &mut Output) {
    if found.is_empty() {
        output.line("no flaws found");
    }
    for (at, flaw) in found.iter().enumerate() {
        if at > 0 {
            output.line("");
        }
        let FlawAmount { count, dungeons, .. } = flaw.amount;
        let share = interval(&flaw.amount).percent();
        let dungeons = counted(dungeons as u64, "dungeon");
        output.line(&format!("{} in {count} of {dungeons} {share}", flaw.description));
        let helps = flaw.remedies.iter().filter(|(_, effect)| effect.helps());
        let width = helps
            .clone()
            .take(args.top)
            .map(|(name, _)| name.chars().count())
            .max()
            .unwrap_or(0);
        for (name, effect) in helps.clone().take(args.top) {
            let change = describe_change(effect.change.change, true);
            let (after, p) = (effect.after.count, describe_p(&effect.change));
            let milder = if after == flaw.amount.count {
                ", but less severe"
            } else {
                ""
            };
            output.line(&format!("  {name:width$}  → {after:>4}{milder}, {change}, p {p}"));
        }
        let (tried, helping) = (flaw.remedies.len(), helps.count());
        let verb = if helping == 1 { "helps" } else { "help" };
        output.line(&format!("  {helping} of {tried} remedies {verb} significantly"));
    }
}
