//! `wallcrawler frequency`: shows in which share of the dungeons each square is a wall.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::DesignArgs;
use super::change::ChangeArgs;
use super::endpoints::EndpointArgs;
use super::failure::Failure;
use super::output::Output;
use super::progress::{grouped, reported};
use super::rows::joined;
use super::seeds::SeedRange;
use super::selection::GrowthArgs;
use super::target::{self, ForceArgs, OutputKind, Outputs};
use crate::analysis::{Interval, SquareOrigin, WallFrequency};
use crate::background::WallFrequencyRequest;
use crate::geometry::{Point, Size};
use crate::recording_file::PROGRAM_VERSION;
use crate::text::counted;

/// Largest number of seeds, since a square is counted in 16 bits.
const MOST_SEEDS: u64 = u16::MAX as u64;

/// Largest number of pixels along a side of the picture.
const MOST_PIXELS: u64 = 32_768;

/// The arguments of `frequency`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("force", |force| force.requires("to")))]
pub(super) struct Args {
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    change: ChangeArgs,
    /// Seeds, at most 65535: 0..1000 (without 1000), 5..=9, a number of seeds from 0, or a comma-separated list of
    /// these
    #[arg(long, value_name = "SEEDS", default_value = "0..400")]
    seeds: SeedRange,
    /// Print a row for each square as CSV
    #[arg(long)]
    csv: bool,
    /// Print as JSON, row by row, the number of dungeons in which each square is a wall
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Write a picture to this file (PNG): white squares are never walls, black ones always
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "json"])]
    to: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// Width of a square in the picture, in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 8, requires = "to", value_parser = clap::value_parser!(u32).range(1..=64))]
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
    if let Some(path) = args.to.as_ref().filter(|path| is_other_kind(path)) {
        let (path, png) = (path.display(), path.with_extension("png"));
        let message = format_args!("{path}: the picture is a PNG; name a file such as {}", png.display());
        return Err(Failure::unreadable(message));
    }
    let mut outputs = Outputs::new(args.force, args.design.inputs(seeded.design()));
    let sink_kind = args.to.as_ref().map(|path| outputs.check(path, OutputKind::Edited));
    let sink_kind = sink_kind.transpose()?;
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
    // Nothing cancels it.
    let frequency = frequency.unwrap_or_else(|| WallFrequency::new(size));
    if frequency.dungeons() == 0 {
        return Err(Failure::unusable("the design cannot be grown from any of the seeds"));
    }
    if args.csv {
        print_csv(&frequency, output);
    } else if args.json {
        print_json(&frequency, output);
    } else if let (Some(path), Some(sink_kind)) = (&args.to, sink_kind) {
        let picture = picture(&frequency, args.scale).map_err(Failure::unreadable)?;
        target::write(path, sink_kind, &picture, output)?;
    } else {
        print_map(&frequency, &args.seeds.label(), output);
    }
    Ok(0)
}

/// Returns whether a file's name ends like that of another kind than PNG. Devices and pipes have no such ending.
fn is_other_kind(path: &Path) -> bool {
    path.extension().is_some_and(|end| !end.eq_ignore_ascii_case("png"))
}

/// Returns all squares of a dungeon, row by row.
fn squares(size: Size) -> impl Iterator<Item = Point> {
    (0..size.x).flat_map(move |x| (0..size.y).map(move |y| Point::new(x, y)))
}

/// Returns what decides a square: `wall` and `open` by the design, else `chance`.
const fn origin_name(origin: SquareOrigin) -> &'static str {
    match origin {
        SquareOrigin::Wall => "wall",
        SquareOrigin::Open => "open",
        SquareOrigin::Chance(_) => "chance",
    }
}

/// Prints a row for each square: its place, what decides it, in how many dungeons it is a wall, and the share with its
/// 95 % interval, which is a point if the design decides it.
fn print_csv(frequency: &WallFrequency, output: &mut Output) {
    output.line("row,column,origin,walls,dungeons,share,low,high");
    let dungeons = frequency.dungeons();
    for at in squares(frequency.size()) {
        let (origin, walls) = (frequency.origin(at), frequency.walls(at));
        let share = f64::from(walls) / f64::from(dungeons);
        let interval = match origin {
            SquareOrigin::Chance(_) => Interval::of_share(walls.into(), dungeons.into()),
            SquareOrigin::Wall | SquareOrigin::Open => Interval::point(share),
        };
        let numbers = [share, interval.low, interval.high].map(|number| format!("{number:.4}"));
        let place = [at.x.to_string(), at.y.to_string(), origin_name(origin).to_owned()];
        let counts = [walls.to_string(), dungeons.to_string()];
        output.line(&joined(place.into_iter().chain(counts).chain(numbers)));
        if output.is_closed() {
            break;
        }
    }
}

fn print_json(frequency: &WallFrequency, output: &mut Output) {
    let size = frequency.size();
    let row = |x: i32| (0..size.y).map(move |y| Point::new(x, y));
    let walls: Vec<Vec<u16>> = (0..size.x)
        .map(|x| row(x).map(|at| frequency.walls(at)).collect())
        .collect();
    let origins: Vec<Vec<&str>> = (0..size.x)
        .map(|x| row(x).map(|at| origin_name(frequency.origin(at))).collect())
        .collect();
    let all = json!({
        "version": PROGRAM_VERSION,
        "rows": size.x,
        "columns": size.y,
        "dungeons": frequency.dungeons(),
        "walls": walls,
        "origins": origins,
    });
    output.line(&all.to_string());
}

/// Prints a map, and how many squares are walls how often.
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
        let tenth_of = |share: u8| format!("{} %", u32::from(share) * 10);
        let meaning = format!(
            "walls in {} to {} of the dungeons",
            tenth_of(tenth),
            tenth_of(tenth + 1)
        );
        lines.push((char::from(b'0' + tenth), squares, meaning));
    }
    for (sign, squares, meaning) in lines.into_iter().filter(|(_, squares, _)| *squares > 0) {
        output.line(&format!("{sign} {:>9} squares  {meaning}", grouped(squares)));
    }
    let widest = Interval::of_share(dungeons / 2, dungeons);
    let points = (widest.high - widest.low) * 50.0;
    output.line(&format!(
        "the share of a square is accurate to ± {points:.1} points (95 %)"
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

/// Returns a picture in shades of grey, as PNG.
fn picture(frequency: &WallFrequency, scale: u32) -> Result<Vec<u8>, png::EncodingError> {
    let size = frequency.size();
    let [width, height] = [size.y, size.x].map(|length| length as u32 * scale);
    let mut pixels = Vec::with_capacity(width as usize * height as usize);
    for x in 0..size.x {
        let shade = |y: i32| {
            let walls = u32::from(frequency.walls(Point::new(x, y)));
            255 - (walls * 255 / u32::from(frequency.dungeons().max(1))) as u8
        };
        let row: Vec<u8> = (0..size.y)
            .flat_map(|y| std::iter::repeat_n(shade(y), scale as usize))
            .collect();
        for _ in 0..scale {
            pixels.extend_from_slice(&row);
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(bytes)
}
