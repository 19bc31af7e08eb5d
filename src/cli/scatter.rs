//! `wallcrawler scatter`: chooses squares of a dungeon where a game can place objects.

use clap::ValueEnum;
use serde_json::{Value, json};

use super::DesignArgs;
use super::UNUSABLE;
use super::change::ChangeArgs;
use super::endpoints::EndpointArgs;
use super::expectations::missing_end;
use super::failure::Failure;
use super::members::{Members, object, print_csv};
use super::output::Output;
use super::selection::BuilderArgs;
use crate::analysis::{LayerKind, Metrics, MetricsCalculator, ScatterOptions, Scene};
use crate::design::ValidDesign;
use crate::engine::Growth;
use crate::geometry::Point;
use crate::text::counted;

/// Maximum value of `--count`.
const MOST: i64 = 100_000;

/// Order in which squares are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    /// Any reachable squares, in random order
    Distance,
    /// First the ends of dead ends, then other reachable squares
    DeadEnd,
}

/// The arguments of `scatter`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    ends: EndpointArgs,
    #[command(flatten)]
    change: ChangeArgs,
    /// Number of squares to choose
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=MOST))]
    count: u32,
    /// Which squares to choose first; the same design and seed always yield the same squares
    #[arg(long, value_name = "ORDER", value_enum, default_value = "distance")]
    by: Order,
    /// Minimum number of steps between two chosen squares, and from each of them to the entrance, the exit and the
    /// named places (squares to which the design gives a name, such as `shrine`)
    #[arg(long, value_name = "STEPS", default_value_t = 10)]
    apart: u32,
    /// Print the squares as CSV, one row per square
    #[arg(long)]
    csv: bool,
    /// Print the squares as JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    #[command(flatten)]
    builders: BuilderArgs,
}

/// A chosen square.
struct Square {
    at: Point,
    /// Number of steps from the entrance.
    steps: Option<u32>,
    /// Whether the square lies in a dead end.
    in_dead_end: bool,
}

impl Square {
    fn members(&self) -> Members {
        vec![
            ("row", self.at.x.into()),
            ("column", self.at.y.into()),
            ("steps", self.steps.into()),
            ("dead_end", self.in_dead_end.into()),
        ]
    }

    fn line(&self) -> String {
        let steps = self.steps.map_or(String::new(), |steps| counted(steps, "step"));
        let end = if self.in_dead_end { ", in a dead end" } else { "" };
        format!("{}: {steps} from the entrance{end}", self.at)
    }
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let options = args.builders.options();
    let seeded = args.change.design(&args.design, &args.ends, options, output)?;
    output.report(&seeded.beyond_recording([seeded.seed()]));
    let design = seeded.seeds().design(seeded.seed());
    let design = design.ok_or_else(|| Failure::reported(UNUSABLE))?;
    let mut growth = Growth::new(&design, options, &mut ());
    growth.finish(&mut ());
    let mut calculator = MetricsCalculator::new();
    let metrics = calculator.measure(growth.grid(), &Scene::new(&design));
    let squares = choose(args, &design, &mut calculator, &metrics);
    if args.csv {
        print_csv(squares.iter().map(Square::members), output);
    } else if args.json {
        let all: Vec<Value> = squares.iter().map(|square| object(square.members())).collect();
        let all = json!({"seed": design.seed, "apart": args.apart, "squares": all});
        output.line(&format!("{all:#}"));
    } else {
        for square in &squares {
            output.line(&square.line());
        }
    }
    let is_short = squares.len() < args.count as usize;
    if is_short {
        let found = counted(squares.len(), "square");
        let why = match metrics.entrance {
            Some(at) if metrics.squares == 0 => {
                format!("no square is reachable, because the entrance at {at} is a wall")
            }
            Some(_) if args.apart <= 1 => {
                "every reachable square is chosen, except the entrance, the exit and all named places".to_owned()
            }
            Some(_) => format!(
                "no other reachable square is at least {} away from the chosen squares, the entrance, the exit and all \
                 named places; pass a smaller --apart",
                counted(args.apart, "step")
            ),
            None => format!("no square is reachable, because {}", missing_end(&design.expect, None)),
        };
        output.warning(&format!("only {found} of {}: {why}", args.count));
    }
    Ok(u8::from(is_short) * UNUSABLE)
}

/// Chooses the squares of the dungeon that was measured last, as the arguments request.
fn choose(args: &Args, design: &ValidDesign, calculator: &mut MetricsCalculator, metrics: &Metrics) -> Vec<Square> {
    let layout = &design.layout;
    let places = layout.places.iter();
    let options = ScatterOptions {
        count: args.count,
        apart: args.apart,
        dead_ends: args.by == Order::DeadEnd,
        seed: design.seed,
        taken: places
            .filter_map(|place| layout.square_of(place, design.pieces()))
            .collect(),
    };
    let chosen = calculator.scatter(metrics, &options);
    let dead_ends = calculator.cover(LayerKind::DeadEnds, metrics);
    let square = |at: Point| Square {
        at,
        steps: calculator.steps_to(at),
        in_dead_end: dead_ends.number(at).is_some(),
    };
    chosen.into_iter().map(square).collect()
}
