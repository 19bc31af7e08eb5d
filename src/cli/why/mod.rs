//! `wallcrawler why`: lists small changes to a dungeon's growth that would change a square or a metric, or reports the
//! effect of removing a Builder. Each listed change was verified: the dungeon was grown again with the change.

mod print;

use serde_json::{Value, json};

use self::print::{Commands, object, print, show};
use super::change::ChangeArgs;
use super::endpoints::{self, EndpointArgs};
use super::failure::Failure;
use super::output::Output;
use super::progress::{Progress, grouped, reported};
use super::selection::{GrowthArgs, at_least_one};
use super::{DesignArgs, UNREADABLE, UNUSABLE};
use crate::analysis::Anomaly;
use crate::analysis::counterfactual::{
    Alternative, AlternativeGrower, Cause, Goal, MetricOutcome, NEAR, ObservedRun, walls_between,
};
use crate::background::{self, Undoing};
use crate::design::Design;
use crate::design::expect::{ExpectationError, absent, absent_area, all_metrics, parse_condition};
use crate::engine::{BuilderId, Grid, Mark};
use crate::geometry::Point;
use crate::text::{counted, did_you_mean};

/// Maximum number of changes of each kind that are listed without `--all`. If the explained square is a wall, changes
/// that prevent the birth of the Builder that laid it, or of an ancestor of this Builder, are always listed.
const SHOWN: usize = 5;

/// The arguments of `why`.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("subject").required(true))]
pub(super) struct Args {
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    ends: EndpointArgs,
    #[command(flatten)]
    change: ChangeArgs,
    /// Square to explain, such as 12,30: list the changes that would turn a wall into an open square, or an open
    /// square into a wall
    #[arg(long, value_name = "ROW,COLUMN", value_parser = endpoints::point, group = "subject")]
    at: Option<Point>,
    /// Builder to explain, numbered from 1 in order of birth: report what would be different without this Builder
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), group = "subject")]
    builder: Option<u32>,
    /// What to explain: for a count such as enclosed, list the changes that would make it 0; for a metric that is true
    /// or false, those that would reverse it; for an anomaly such as no-way (the exit cannot be reached),
    /// outer-corridor or room-2-unreached, those that would remove it; for a condition such as 'path < 200', those that
    /// would make it true
    #[arg(long, value_name = "NAME", group = "subject")]
    metric: Option<String>,
    /// Instead of the list, print the dungeon with the Nth change: + new walls, - removed walls, # walls in both
    /// dungeons
    #[arg(long, value_name = "N", conflicts_with = "json", value_parser = at_least_one())]
    show: Option<usize>,
    /// Print all changes, not only the first few of each kind
    #[arg(long)]
    all: bool,
    /// Print all changes as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    growth: GrowthArgs,
}

/// A result: one or two changes to the growth that together reach the goal, and the number of squares that these
/// changes open or block.
struct Statement {
    changes: Vec<Alternative>,
    walls: u64,
}

/// The answer to the question that the command line asks.
struct Answer {
    /// Facts about the dungeon, one line each.
    facts: Vec<String>,
    /// The effect that all statements have, printed before them: `the wall … would not stand`.
    conclusion: String,
    /// Text that is printed if there are no statements.
    nothing: String,
    /// Number of dungeons grown to find the statements.
    grown: u64,
    statements: Vec<Statement>,
    /// The Builder of the wall that is explained.
    built_by: Option<BuilderId>,
    /// Additional members of the JSON output.
    members: Value,
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let unusable = || Failure::reported(UNUSABLE);
    let options = args.growth.options();
    let seeded = args.change.design(&args.design, &args.ends, options, output)?;
    output.report(&seeded.beyond_recording([seeded.seed()]));
    let design = seeded.seeds().design(seeded.seed()).ok_or_else(unusable)?;
    // Nothing cancels the run.
    let run = ObservedRun::of(&design, options, || true).ok_or_else(unusable)?;
    let threads = args.growth.threads();
    let answer = match (args.at, args.builder, &args.metric) {
        (Some(at), ..) => square(&run, at, threads).map_err(Failure::unreadable),
        (_, Some(number), _) => builder(&run, BuilderId(number - 1)).map_err(Failure::unreadable),
        (.., Some(text)) => goal(text.trim(), &design).map(|goal| metric(&run, goal, text, threads)),
        _ => Err(Failure::unreadable("pass --at, --builder or --metric")),
    }?;
    let command = Commands::new(args, design.seed);
    if let Some(number) = args.show {
        let changed = answer.statements.get(number - 1).ok_or_else(|| {
            let many = counted(answer.statements.len() as u64, "change");
            Failure::unreadable(format_args!("--show {number}: only {many} found"))
        })?;
        let grid = dungeon(&run, &changed.changes).ok_or_else(unusable)?;
        show(&run, &grid, &changed.changes, output);
    } else if args.json {
        output.line(&format!("{:#}", object(&answer, &command, &design)));
    } else {
        print(&answer, &command, args.all, output);
    }
    Ok(0)
}

/// Finds the changes that would turn a wall into an open square, or an open square into a wall.
fn square(run: &ObservedRun, at: Point, threads: usize) -> Result<Answer, String> {
    let size = run.grid().size();
    if !size.contains(at) {
        return Err(format!(
            "--at names {at}, which is outside the dungeon of {size} squares; rows are 0 to {}, columns 0 to {}",
            size.x - 1,
            size.y - 1
        ));
    }
    let question = run.question(at);
    let causes: Vec<Cause> = reported(question.alternatives.len() as u64, |tried| {
        background::causes(run, &question, threads, || true, tried)
    })
    .unwrap_or_default();
    let (is, becomes) = if question.is_wall {
        ("a wall", "not stand")
    } else {
        ("open", "stand")
    };
    let origin = question
        .origin
        .and_then(|(id, turn)| Some((id, turn, run.builder(id)?)));
    let fact = match origin {
        Some((id, turn, builder)) => format!(
            "{at} is {is} of generation {}, built by {} {id} in turn {}",
            builder.birth.generation,
            builder.birth.kind.name(),
            grouped(turn)
        ),
        None if run.grid().mark(at) == Mark::Design && question.is_wall => format!("{at} is {is} of the design"),
        None => format!("{at} is {is}"),
    };
    Ok(Answer {
        facts: vec![fact],
        conclusion: if question.is_wall {
            format!("the wall at {at} would {becomes}")
        } else {
            format!("a wall would {becomes} at {at}")
        },
        nothing: "no single change to a birth, a parameter, a hand-placed tile or a roll would change this square"
            .into(),
        grown: question.alternatives.len() as u64,
        statements: causes
            .into_iter()
            .map(|cause| Statement {
                changes: vec![cause.alternative],
                walls: cause.walls,
            })
            .collect(),
        built_by: question.origin.map(|(id, _)| id),
        members: json!({
            "row": at.x,
            "column": at.y,
            "wall": question.is_wall,
            "builder": question.origin.map(|(id, _)| id.0 + 1),
            "turn": question.origin.map(|(_, turn)| turn),
        }),
    })
}

/// Reports what would be different without a Builder.
fn builder(run: &ObservedRun, id: BuilderId) -> Result<Answer, String> {
    let born = run.builders().len() as u64;
    let unknown = || {
        format!(
            "--builder {}: the growth has only {}",
            id.0 + 1,
            counted(born, "Builder")
        )
    };
    let builder = run.builder(id).ok_or_else(unknown)?;
    let without = run.without(id).ok_or_else(unknown)?;
    let (effect, grid) = run.effect(id, || true).ok().flatten().ok_or_else(unknown)?;
    let walls = walls_between(run.grid(), &grid);
    // If the change opens no square and blocks none, it is not a statement.
    let change = (walls > 0).then(|| Statement {
        changes: vec![without],
        walls,
    });
    let name = format!("{} {id}", builder.birth.kind.name());
    let when = if builder.turn == 0 {
        "before the first turn".to_owned()
    } else {
        format!("in turn {}", grouped(builder.turn))
    };
    let mut facts = vec![format!(
        "{name} of generation {} was born at {} {when}; if it had not been born:",
        builder.birth.generation, builder.birth.at
    )];
    facts.extend(effect.lines().into_iter().map(|line| format!("  {line}")));
    Ok(Answer {
        facts,
        conclusion: "the dungeon would be different".into(),
        nothing: "no wall would be different".into(),
        grown: 1,
        statements: change.into_iter().collect(),
        built_by: None,
        members: json!({
            "builder": id.0 + 1,
            "own_tiles": effect.own,
            "descendants": effect.descendants,
            "tiles_of_descendants": effect.of_descendants,
            "near": {"squares": NEAR, "gone": effect.near.gone, "new": effect.near.new},
            "far": {"squares": effect.farthest, "gone": effect.far.gone, "new": effect.far.new},
            "born": {"run": effect.born[0], "without": effect.born[1]},
        }),
    })
}

/// Parses the goal of `--metric`; fails if it refers to something that the design lacks.
fn goal(text: &str, design: &Design) -> Result<Goal, Failure> {
    let goal = parse_goal(text)?;
    let problems = match &goal {
        Goal::Condition(condition) => absent(condition, text, design),
        Goal::Without(Anomaly::LeftOut(area) | Anomaly::Unreached(area)) => {
            let absent = absent_area(*area, design).map(|[message, help]| ExpectationError {
                span: 0..text.len(),
                message,
                help,
            });
            absent.into_iter().collect()
        }
        _ => Vec::new(),
    };
    if problems.is_empty() {
        return Ok(goal);
    }
    let diagnostics = problems.iter().map(|problem| problem.description("--metric", text));
    Err(Failure::new(UNREADABLE, diagnostics.collect()))
}

fn parse_goal(text: &str) -> Result<Goal, Failure> {
    let name = text.to_ascii_lowercase().replace('_', "-");
    if let Some(info) = all_metrics().find(|info| info.name == name) {
        return Ok(Goal::Undo(info.metric));
    }
    if let Ok(anomaly) = name.parse::<Anomaly>() {
        return Ok(Goal::Without(anomaly));
    }
    let names = all_metrics().map(|info| info.name);
    match parse_condition(text) {
        Ok(condition) => Ok(Goal::Condition(condition)),
        // No metric or anomaly has one of these characters in its name, so the text must be a condition.
        Err(error) if text.contains([' ', '<', '>', '=', '≤', '≥', '(', ')', '+', '*', '/', '%']) => {
            Err(Failure::new(UNREADABLE, vec![error.description("--metric", text)]))
        }
        Err(_) => {
            let known = did_you_mean(&name, names);
            let known = known.unwrap_or_else(|| "`wallcrawler survey --help` lists the metrics".to_owned());
            Err(Failure::unreadable(format_args!(
                "--metric: unknown metric or anomaly `{text}`; {known}"
            )))
        }
    }
}

/// Finds the changes that would reach the goal, which the user wrote as `text`.
fn metric(run: &ObservedRun, goal: Goal, text: &str, threads: usize) -> Answer {
    let (conclusion, already) = match &goal {
        Goal::Undo(metric) => {
            let info = metric.info();
            let value = if info.is_truth {
                "have the opposite value"
            } else {
                "be 0"
            };
            // A numeric metric can already have the value that is wanted. A boolean metric always has a value that a
            // change could reverse.
            let already = format!("`{}` is already 0", info.name);
            (format!("`{}` would {value}", info.name), already)
        }
        Goal::Condition(_) => (format!("`{text}` would hold"), format!("`{text}` already holds")),
        Goal::Without(anomaly) => {
            let key = anomaly.key();
            (
                format!("the anomaly `{key}` would be gone"),
                format!("the dungeon does not have the anomaly `{key}`"),
            )
        }
    };
    let mut answer = Answer {
        facts: Vec::new(),
        nothing: format!("nothing to change: {already} in this dungeon"),
        conclusion,
        grown: 1,
        statements: Vec::new(),
        built_by: None,
        members: json!({"metric": text}),
    };
    let Some(question) = run.metric_question(goal) else {
        return answer;
    };
    let mut progress = Progress::new(question.alternatives.len() as u64, 0);
    let undoing = background::undo(
        run,
        &question,
        threads,
        || true,
        |done, all| {
            progress.set_total(all);
            progress.at(done);
            Ok(())
        },
    );
    progress.end();
    let Undoing { found, singles, pairs } = undoing.unwrap_or_default();
    answer.nothing = format!(
        "no change found that reaches the goal; tried {} and {} of the changes nearest to the goal",
        counted(singles as u64, "single change"),
        counted(pairs as u64, "pair")
    );
    answer.grown = (singles + pairs) as u64;
    let statement = |(changes, outcome): (Vec<Alternative>, MetricOutcome)| Statement {
        changes,
        walls: outcome.walls,
    };
    answer.statements = found.into_iter().map(statement).collect();
    answer
}

/// Grows the dungeon with the changes of a statement.
fn dungeon(run: &ObservedRun, changes: &[Alternative]) -> Option<Grid> {
    if let [one] = changes {
        return AlternativeGrower::new(run).dungeon(one, || true).ok().flatten();
    }
    run.with(changes, || true).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_every_metric_is_a_goal() {
        for info in all_metrics() {
            for name in [info.name.to_owned(), info.name.replace('-', "_").to_uppercase()] {
                let goal = parse_goal(&name);
                assert!(
                    matches!(goal, Ok(Goal::Undo(metric)) if metric == info.metric),
                    "{name}"
                );
            }
        }
    }
}
