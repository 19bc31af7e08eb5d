//! `wallcrawler frequency`: shows in what share of the dungeons each square is a wall.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::DesignArgs;
use super::change::ChangeArgs;
use super::endpoints::EndpointArgs;
use super::failure::Failure;
use super::output::Output;
use super::progress::{grouped, reported};
use super::rows::joined;
use super::seeds::SeedRange;
use super::selection::GrowthArgs;
use super::target::{self, ForceArgs, OutputKind, Outputs, PictureKind};
use crate::analysis::{Interval, SquareOrigin, WallFrequency};
use crate::background::WallFrequencyRequest;
use crate::export::{ExportError, FrequencyPicture};
use crate::geometry::Point;
use crate::recording_file::PROGRAM_VERSION;
use crate::text::counted;

/// Maximum number of seeds. The number of dungeons that have a wall on a square must fit into 16 bits.
const MOST_SEEDS: u64 = u16::MAX as u64;

/// Maximum number of pixels along a side of the picture.
const MOST_PIXELS: u64 = 32_768;

/// The arguments of `frequency`.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("force", |force| force.requires("to").conflicts_with_all(["csv", "json"])),
    mut_arg("seed", |seed| seed.help(super::source::SEED_OF_CHECK))
)]
pub(super) struct Args {
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    change: ChangeArgs,
    /// At most 65535 seeds: 0..1000 (excluding 1000), 5..=9 (including 9), 100 (seeds 0 to 99), or a list of ranges and
    /// single seeds: 3,7,20..40
    #[arg(long, value_name = "SEEDS", default_value = "0..400")]
    seeds: SeedRange,
    /// Print a row for each square as CSV
    #[arg(long)]
    csv: bool,
    /// Print JSON: for each square, row by row, the number of dungeons in which the square is a wall, and the 95%
    /// confidence interval of the share of such dungeons
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Write a picture to this file: as SVG if its name ends with .svg, as PNG if it ends with .png or has no extension.
    /// White squares are never walls, black ones always; in the SVG, hovering over a square shows in what share of
    /// dungeons it is a wall
    #[arg(long = "output", short = 'o', alias = "to", value_name = "FILE", conflicts_with_all = ["csv", "json"])]
    to: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// Width of a square in the picture, in pixels
    #[arg(
        long,
        value_name = "PIXELS",
        default_value_t = 8,
        requires = "to",
        conflicts_with_all = ["csv", "json"],
        value_parser = clap::value_parser!(u32).range(1..=64)
    )]
    scale: u32,
    #[command(flatten)]
    growth: GrowthArgs,
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    if args.seeds.len() > MOST_SEEDS {
        let message = format_args!("--seeds has more than {MOST_SEEDS} seeds");
        return Err(Failure::unreadable(message));
    }
    let options = args.growth.options();
    let ends = EndpointArgs::default();
    let seeded = args.change.design(&args.design, &ends, options, output)?;
    let size = seeded.design().layout.size;
    if args.to.is_some() && size.x.max(size.y) as u64 * u64::from(args.scale) > MOST_PIXELS {
        let message = format_args!("the picture has more than {MOST_PIXELS} pixels on a side; pass a smaller --scale");
        return Err(Failure::unreadable(message));
    }
    let kind = args.to.as_ref().map(|path| PictureKind::of_name(path));
    let kind = kind.transpose()?;
    if kind == Some(PictureKind::Svg) {
        // Check the size first, since counting may take a long time.
        FrequencyPicture::check_svg(size).map_err(Failure::unreadable)?;
    }
    let mut outputs = Outputs::new(args.force, args.design.inputs(seeded.design()));
    let sink_kind = args.to.as_ref().map(|path| outputs.check(path, OutputKind::RangeMap));
    let sink_kind = sink_kind.transpose()?;
    output.report(&seeded.beyond_recording(args.seeds.iter()));
    let request = WallFrequencyRequest { seeded, options };
    let mut done = 0;
    let frequency = reported(args.seeds.len(), |progress| {
        request.count(
            args.growth.threads(),
            args.seeds.len(),
            |number| args.seeds.nth(number),
            || true,
            |_| {
                done += 1;
                progress(done)
            },
        )
    });
    // `frequency` is `None` only if the count was cancelled, and nothing cancels it here.
    let frequency = frequency.unwrap_or_else(|| WallFrequency::new(size));
    if frequency.dungeons() == 0 {
        return Err(Failure::unusable("the design cannot be grown from any of the seeds"));
    }
    if args.csv {
        print_csv(&frequency, output);
    } else if args.json {
        print_json(&frequency, output);
    } else if let (Some(path), Some(sink_kind), Some(kind)) = (&args.to, sink_kind, kind) {
        let picture = picture(&frequency, args, kind).map_err(Failure::unreadable)?;
        target::write(path, sink_kind, &picture, output)?;
    } else {
        print_map(&frequency, &args.seeds.label(), output);
    }
    Ok(0)
}

fn picture(frequency: &WallFrequency, args: &Args, kind: PictureKind) -> Result<Vec<u8>, ExportError> {
    let dungeons = frequency.dungeons();
    let hint = |at: Point| {
        let walls = frequency.walls(at);
        match frequency.origin(at) {
            SquareOrigin::Wall => format!("{at}: wall by design"),
            SquareOrigin::Open => format!("{at}: open by design"),
            SquareOrigin::Chance(_) => {
                let share = f64::from(walls) / f64::from(dungeons) * 100.0;
                let Interval { low, high } = interval(frequency, at);
                let (low, high) = (low * 100.0, high * 100.0);
                let dungeons = counted(dungeons, "dungeon");
                format!("{at}: wall in {walls} of {dungeons}, {share:.1}% [{low:.1}, {high:.1}]")
            }
        }
    };
    let title = format!("Wall frequency, {}", args.seeds.label());
    let picture = FrequencyPicture {
        frequency,
        title: &title,
        hint: &hint,
        scale: args.scale,
    };
    let mut bytes = Vec::new();
    match kind {
        PictureKind::Png => picture.png(&mut bytes)?,
        PictureKind::Svg => picture.svg(&mut bytes)?,
    }
    Ok(bytes)
}

/// Returns the 95% confidence interval for the share of dungeons in which a square is a wall. If the design determines
/// the square, the interval is a single point.
fn interval(frequency: &WallFrequency, at: Point) -> Interval {
    let (walls, dungeons) = (frequency.walls(at), frequency.dungeons());
    match frequency.origin(at) {
        SquareOrigin::Chance(_) => Interval::of_share(walls.into(), dungeons.into()),
        SquareOrigin::Wall | SquareOrigin::Open => Interval::point(f64::from(walls) / f64::from(dungeons)),
    }
}

/// Returns the name of a square's origin in tables: `wall` or `open` if the design determines the square, otherwise
/// `chance`.
const fn origin_name(origin: SquareOrigin) -> &'static str {
    match origin {
        SquareOrigin::Wall => "wall",
        SquareOrigin::Open => "open",
        SquareOrigin::Chance(_) => "chance",
    }
}

/// Prints a CSV row for each square: its row and column, its origin, the number of dungeons in which it is a wall, the
/// total number of dungeons, and the share with its 95% interval.
fn print_csv(frequency: &WallFrequency, output: &mut Output) {
    output.line("row,column,origin,walls,dungeons,share,low,high");
    let dungeons = frequency.dungeons();
    for at in frequency.size().points() {
        let (origin, walls) = (frequency.origin(at), frequency.walls(at));
        let share = f64::from(walls) / f64::from(dungeons);
        let interval = interval(frequency, at);
        let numbers = [share, interval.low, interval.high].map(|number| format!("{number:.4}"));
        let place = [at.x.to_string(), at.y.to_string(), origin_name(origin).to_owned()];
        let counts = [walls.to_string(), dungeons.to_string()];
        output.line(&joined(place.into_iter().chain(counts).chain(numbers)));
        if output.is_closed() {
            break;
        }
    }
}

/// Prints a JSON object of tables with a value for each square: the number of dungeons in which the square is a wall,
/// the lower and the upper limit of the 95% interval of the share, and the square's origin. A table is a list of rows.
fn print_json(frequency: &WallFrequency, output: &mut Output) {
    let size = frequency.size();
    let table = |value: &dyn Fn(Point) -> Value| -> Vec<Vec<Value>> {
        let row = |x: i32| (0..size.y).map(|y| value(Point::new(x, y))).collect();
        (0..size.x).map(row).collect()
    };
    let rounded = |share: f64| json!((share * 1e4).round() / 1e4);
    let all = json!({
        "version": PROGRAM_VERSION,
        "rows": size.x,
        "columns": size.y,
        "dungeons": frequency.dungeons(),
        "walls": table(&|at| json!(frequency.walls(at))),
        "low": table(&|at| rounded(interval(frequency, at).low)),
        "high": table(&|at| rounded(interval(frequency, at).high)),
        "origins": table(&|at| json!(origin_name(frequency.origin(at)))),
    });
    output.line(&all.to_string());
}

/// Prints a map, and the number of squares in each tenth of the wall frequency (0 to 10%, 10 to 20%, …).
fn print_map(frequency: &WallFrequency, which: &str, output: &mut Output) {
    let size = frequency.size();
    for x in 0..size.x {
        let line: String = (0..size.y).map(|y| sign(frequency, Point::new(x, y))).collect();
        output.line(line.trim_end());
    }
    output.line("");
    let dungeons = u64::from(frequency.dungeons());
    output.line(&format!("{}, {which}", counted(dungeons, "dungeon")));
    let tally = frequency.tally();
    let mut lines = vec![
        ('#', tally.walls, "walls by design".to_owned()),
        (' ', tally.open, "open by design".to_owned()),
        ('.', tally.never, "never a wall".to_owned()),
    ];
    for (tenth, squares) in (0_u8..).zip(tally.chance) {
        let tenth_of = |share: u8| format!("{}%", u32::from(share) * 10);
        let meaning = format!(
            "walls in {} to {} of the dungeons",
            tenth_of(tenth),
            tenth_of(tenth + 1)
        );
        lines.push((char::from(b'0' + tenth), squares, meaning));
    }
    for (sign, squares, meaning) in lines.into_iter().filter(|(_, squares, _)| *squares > 0) {
        let unit = if squares == 1 { "square " } else { "squares" };
        output.line(&format!("{sign} {:>9} {unit}  {meaning}", grouped(squares)));
    }
    let widest = Interval::of_share(dungeons / 2, dungeons);
    let points = (widest.high - widest.low) * 50.0;
    output.line(&format!(
        "the wall frequency of a square is accurate to ± {points:.1} percentage points (95% interval)"
    ));
}

fn sign(frequency: &WallFrequency, at: Point) -> char {
    match frequency.origin(at) {
        SquareOrigin::Wall => '#',
        SquareOrigin::Open => ' ',
        SquareOrigin::Chance(0) => '.',
        SquareOrigin::Chance(walls) => char::from(b'0' + frequency.tenth(walls) as u8),
    }
}
