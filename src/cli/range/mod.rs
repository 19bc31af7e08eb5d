//! `wallcrawler range`: draws a map of a design's expressive range. The map is a grid over two metrics, and shows how
//! many dungeons fall into each cell.

mod table;
pub(super) mod text;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;

use super::change::ChangedDesignArgs;
use super::export::ColourGround;
use super::failure::Failure;
use super::output::Output;
use super::progress::{Progress, grouped};
use super::rows::joined;
use super::seeds::SeedRange;
use super::selection::{SelectionArgs, expression};
use super::target::{ForceArgs, OutputKind, Outputs, RANGE_COLUMNS, write};
use crate::analysis::{MOST_BINS, MetricParts, RangeCell, RangeMap, evaluate};
use crate::design::Design;
use crate::design::expect::{Expression, Metric, all_metrics, parse_condition, parse_value};
use crate::export::{ExportError, Ground, RangePicture};
use crate::storage::{self, SinkKind};
use crate::text::{counted, escape_line};

/// The arguments of `range`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = super::survey::metrics_and_conditions(), mut_arg("seed", |seed| seed.help(super::source::SEED_OF_CHECK)))]
#[command(mut_arg("force", |force| force.requires("to")))]
pub(super) struct Args {
    #[command(flatten)]
    design: ChangedDesignArgs,
    /// Metric on the horizontal axis, or an expression such as 'path / squares'; with --from, a column of the
    /// table
    #[arg(long, value_name = "METRIC", allow_hyphen_values = true)]
    x: String,
    /// Metric on the vertical axis; accepts the same as --x
    #[arg(long, value_name = "METRIC", allow_hyphen_values = true)]
    y: String,
    /// Seeds: 0..10000 (excluding 10000), 5..=9 (including 9), 100 (seeds 0 to 99), or a list of ranges and single
    /// seeds: 3,7,20..40
    #[arg(long, value_name = "SEEDS", default_value = "0..1000", conflicts_with = "from")]
    seeds: SeedRange,
    /// Read the dungeons from a table instead of growing them: the CSV or JSONL file of a survey or a sweep, or of
    /// another program (- for standard input). No design is needed then. If a design is given and the table contains
    /// seeds, hovering over a cell of an SVG plot shows the command that grows its sample dungeon
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Write the plot to this file (- for standard output) [default: print it as text]
    #[arg(long = "output", short = 'o', alias = "to", value_name = "FILE")]
    to: Option<PathBuf>,
    /// Format of the plot [default: from the file extension, or csv for `--output -`]
    #[arg(long, alias = "as", value_enum, value_name = "FORMAT", requires = "to")]
    format: Option<MapFormat>,
    /// Maximum number of bins, horizontally and vertically; their edges are round numbers
    #[arg(long, value_name = "NxN", default_value = "24x15")]
    bins: Bins,
    /// Background on which pictures will be shown; determines their colours
    #[arg(long, value_enum, default_value = "light", requires = "to")]
    on: ColourGround,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    selection: SelectionArgs,
}

/// Format of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MapFormat {
    /// Vector picture; hovering over a cell shows the seed of a sample dungeon
    Svg,
    /// Pixel picture
    Png,
    /// A row for each cell that contains dungeons: the edges of the cell, the number of its dungeons, and the seed of a
    /// sample dungeon
    Csv,
    /// Characters, as printed without --output
    Text,
}

impl MapFormat {
    /// Returns the format that the extension of a file implies.
    fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match &*extension {
            "svg" => Self::Svg,
            "png" => Self::Png,
            "csv" => Self::Csv,
            "txt" => Self::Text,
            _ => return None,
        })
    }
}

/// Maximum numbers of bins, horizontally and vertically.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bins([usize; 2]);

/// Maximum number of bins of an axis that `--bins` accepts, so that a picture has a reasonable size.
const MOST_OF_AXIS: usize = 200;

impl FromStr for Bins {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let [across, up] = MOST_BINS;
        let wrong = || format!("write two numbers from 2 to {MOST_OF_AXIS}, such as {across}x{up}");
        let (across, up) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
        let read = |text: &str| {
            let number: usize = text.trim().parse().map_err(|_| wrong())?;
            Some(number)
                .filter(|number| (2..=MOST_OF_AXIS).contains(number))
                .ok_or_else(wrong)
        };
        Ok(Self([read(across)?, read(up)?]))
    }
}

/// The dungeons that a map shows. `points` and `seeds` have an entry for each dungeon.
#[derive(Debug, Default)]
struct Dungeons {
    points: Vec<[Option<f64>; 2]>,
    seeds: Vec<Option<u64>>,
    /// For each axis, whether its values may have more than four decimals.
    is_exact: [bool; 2],
    /// Origin of the dungeons: `seeds 0 to 999`, or the name of a file.
    origin: String,
    /// Name of the design, or of the table.
    name: String,
    /// Command that shows a dungeon of the design once the option `--seed` is appended to it.
    show: Option<String>,
}

/// A map with everything that is needed to write it in any format.
struct Drawn<'a> {
    map: &'a RangeMap,
    dungeons: &'a Dungeons,
    /// Names of the axes as the user wrote them.
    axes: [&'a str; 2],
    /// Names of the axes with units.
    names: [String; 2],
    /// Whether the dungeons are rows of a table.
    has_rows: bool,
}

/// The file to which a map is written.
struct Target<'a> {
    path: &'a Path,
    sink_kind: SinkKind,
    format: MapFormat,
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let (dungeons, target) = match &args.from {
        Some(table) => from_table(args, table)?,
        None => grown(args, output)?,
    };
    let Some(map) = RangeMap::with_exact(&dungeons.points, args.bins.0, dungeons.is_exact) else {
        return Err(Failure::unusable(format_args!(
            "no dungeon of {} has a value for both {} and {}",
            dungeons.origin, args.x, args.y
        )));
    };
    let drawn = Drawn {
        map: &map,
        dungeons: &dungeons,
        axes: [&args.x, &args.y],
        names: [named(&args.x), named(&args.y)],
        has_rows: args.from.is_some(),
    };
    let Some(Target {
        path,
        sink_kind,
        format,
    }) = target
    else {
        output.text(&text::write(&drawn));
        return Ok(0);
    };
    let bytes = drawn.write(format, args.on.ground()).map_err(Failure::unreadable)?;
    write(path, sink_kind, &bytes, output)?;
    output.summary(&format!("{} in {}", drawn.counts(), counted(map.cells().len(), "cell")));
    Ok(0)
}

/// Returns the file to which the map is written, or `None` if the map is printed. Fails if the file cannot be written,
/// or is one of `inputs`, the files that the command reads.
fn target(args: &Args, inputs: Vec<PathBuf>) -> Result<Option<Target<'_>>, Failure> {
    let Some(path) = &args.to else { return Ok(None) };
    let is_dash = path == Path::new("-");
    let format = args.format.or_else(|| MapFormat::of_name(path));
    let Some(format) = format.or(is_dash.then_some(MapFormat::Csv)) else {
        return Err(Failure::unreadable(format_args!(
            "cannot infer the format from `{}`; pass --format with svg, png, csv or text",
            path.display()
        )));
    };
    let sink_kind = Outputs::new(args.force, inputs).check(path, OutputKind::RangeMap)?;
    Ok(Some(Target {
        path,
        sink_kind,
        format,
    }))
}

/// Checks the target of the map, and then grows a dungeon from each seed. Returns the dungeons and the target.
fn grown<'a>(args: &'a Args, output: &mut Output) -> Result<(Dungeons, Option<Target<'a>>), Failure> {
    let seeded = args.design.seeded(args.selection.options(), output)?;
    let read = |name: &str, text: &str| {
        let parse = |text: &str| parse_condition(text).or_else(|_| parse_value(text));
        expression(name, text, parse, seeded.design())
    };
    let axes = [read("--x", &args.x)?, read("--y", &args.y)?];
    let selection = args.selection.condition(seeded.design())?;
    let mut survey = args.selection.survey(seeded.clone());
    let expressions = axes.iter().chain(selection.condition());
    survey.parts = expressions
        .map(MetricParts::of_expression)
        .fold(MetricParts::NONE, MetricParts::and);
    let target = target(args, args.design.inputs(seeded.design()))?;
    let seeds = args.selection.seeds(&args.seeds);
    output.report(&seeded.beyond_recording(seeds.iter()));
    let mut progress = Progress::new(seeds.len(), 0);
    let mut done = 0;
    // Metrics of the dungeon and paths to places are rounded to four decimals, as they are in a survey's table, so that
    // the map is the same whether it is made from the dungeons or from their table.
    let is_exact = |axis: &Expression| !matches!(axis, Expression::Metric(Metric::Plain(_) | Metric::PathTo(_)));
    let mut dungeons = Dungeons {
        is_exact: axes.each_ref().map(is_exact),
        origin: args.selection.label(&args.seeds),
        name: design_name(seeded.design()),
        show: Some(args.design.showing(args.selection.options())),
        ..Dungeons::default()
    };
    survey.run(
        seeds.len(),
        |number| seeds.nth(number),
        |_, metrics| {
            let values = || axes.each_ref().map(|axis| evaluate(axis, metrics, &()).number());
            selection.includes(metrics).then(values)
        },
        |seed, values| {
            done += 1;
            progress.at(done);
            // A seed from which no dungeon can be grown counts as a dungeon without values.
            if let Some(values) = values.unwrap_or(Some([None; 2])) {
                dungeons.points.push(values);
                dungeons.seeds.push(Some(seed));
            }
            ControlFlow::Continue(())
        },
    );
    progress.end();
    Ok((dungeons, target))
}

/// Checks the target of the map, and then reads the dungeons of a table. Returns the dungeons and the target.
fn from_table<'a>(args: &'a Args, table: &Path) -> Result<(Dungeons, Option<Target<'a>>), Failure> {
    if args.selection.is_given() || args.design.is_altered() {
        return Err(Failure::unreadable(
            "--change, --entrance, --exit, --seed, --where, --shard, --threads and --no-columns have no effect with \
             --from, which reads dungeons instead of growing them; remove these options, or --from",
        ));
    }
    let mut inputs = vec![table.to_owned()];
    inputs.extend(args.design.design.path().map(Path::to_owned));
    let target = target(args, inputs)?;
    let values = table::read(table, [&args.x, &args.y])?;
    let show = (!args.design.design.is_empty()).then(|| args.design.showing(args.selection.options()));
    let name = storage::input_name(table.file_name().map_or(table, Path::new));
    let dungeons = Dungeons {
        points: values.points,
        seeds: values.seeds,
        is_exact: [true; 2],
        origin: name.clone(),
        name,
        show,
    };
    Ok((dungeons, target))
}

/// Returns the name of a design for titles, or `the design` if it has no name.
pub(super) fn design_name(design: &Design) -> String {
    match &*design.name {
        "" => "the design".to_owned(),
        name => name.to_owned(),
    }
}

/// Returns the name of an axis with its unit, if it has one: `path (steps)`.
pub(super) fn named(axis: &str) -> String {
    let info = all_metrics().find(|info| info.name == axis.replace('_', "-"));
    match info {
        Some(info) if info.is_truth => format!("{axis} (0 no, 1 yes)"),
        Some(info) if !info.unit.is_empty() => format!("{axis} ({})", info.unit),
        _ => axis.to_owned(),
    }
}

impl Drawn<'_> {
    /// Returns the title of the map.
    fn title(&self) -> String {
        format!(
            "Expressive range of {}: {} and {}",
            self.dungeons.name, self.axes[0], self.axes[1]
        )
    }

    /// Describes the dungeons: `1,000 dungeons`, and the number of those without a value, which are in no cell.
    fn counts(&self) -> String {
        let dungeons = counted(self.map.dungeons(), "dungeon");
        match self.map.without() {
            0 => dungeons,
            without => format!("{dungeons} (left out: {} without a value)", grouped(without)),
        }
    }

    /// Describes the dungeons and, unless they are rows of a table, their seeds.
    fn subtitle(&self) -> String {
        if self.has_rows {
            self.counts()
        } else {
            format!("{}, {}", self.counts(), self.dungeons.origin)
        }
    }

    /// Returns the command that shows the sample dungeon of a cell, if the design and the seed are known.
    fn command(&self, cell: &RangeCell) -> Option<String> {
        let seed = self.dungeons.seeds[cell.sample]?;
        let show = self.dungeons.show.as_ref()?;
        Some(format!("{show} --seed {seed}"))
    }

    /// Describes a cell and its sample dungeon.
    fn hint(&self, cell: &RangeCell) -> String {
        let [x, y] = self.map.axes();
        let place = format!(
            "{} {}, {} {}: {}",
            self.axes[0],
            x.label(cell.across),
            self.axes[1],
            y.label(cell.up),
            counted(cell.count, "dungeon")
        );
        match (self.command(cell), self.dungeons.seeds[cell.sample]) {
            (Some(command), _) => format!("{place}, such as {command}"),
            (None, Some(seed)) => format!("{place}, such as seed {seed}"),
            (None, None) => format!("{place}, such as row {} of the table", cell.sample + 1),
        }
    }

    /// Returns the content of a file that contains the map in this format.
    fn write(&self, format: MapFormat, ground: Ground) -> Result<Vec<u8>, ExportError> {
        let mut bytes = Vec::new();
        let [title, subtitle] = [self.title(), self.subtitle()].map(|text| escape_line(&text).into_owned());
        let picture = RangePicture {
            map: self.map,
            title: &title,
            subtitle: &subtitle,
            names: self.names.each_ref().map(String::as_str),
            hint: &|cell| escape_line(&self.hint(cell)).into_owned(),
            ground,
        };
        match format {
            MapFormat::Svg => picture.svg(&mut bytes)?,
            MapFormat::Png => picture.png(&mut bytes)?,
            MapFormat::Csv => bytes.extend(self.rows().into_bytes()),
            MapFormat::Text => bytes.extend(text::write(self).into_bytes()),
        }
        Ok(bytes)
    }

    /// Returns the cells as CSV. A cell includes its lower edges (`x_low`, `y_low`) and excludes its upper edges.
    fn rows(&self) -> String {
        let mut columns = RANGE_COLUMNS.to_vec();
        if self.has_rows {
            columns.push("row");
        }
        let mut text = joined(columns.into_iter().map(str::to_owned)) + "\n";
        let [x, y] = self.map.axes();
        for cell in self.map.cells() {
            let mut row = vec![
                self.axes[0].to_owned(),
                x.edge_text(cell.across),
                x.edge_text(cell.across + 1),
                self.axes[1].to_owned(),
                y.edge_text(cell.up),
                y.edge_text(cell.up + 1),
                cell.count.to_string(),
                self.dungeons.seeds[cell.sample].map_or(String::new(), |seed| seed.to_string()),
            ];
            if self.has_rows {
                row.push((cell.sample + 1).to_string());
            }
            text += &(joined(row) + "\n");
        }
        text
    }
}
