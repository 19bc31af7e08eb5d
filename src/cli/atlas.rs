//! `wallcrawler atlas`: searches for variants of a design that together cover as wide a range of two metrics as
//! possible.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::change::ChangedDesignArgs;
use super::export::ColourGround;
use super::failure::Failure;
use super::output::Output;
use super::progress::Progress;
use super::range::{design_name, named, text};
use super::rows::{digest, joined};
use super::selection::{GrowthArgs, expression};
use super::space::{SpaceArgs, print_changes};
use super::target::{ForceArgs, OutputKind, Outputs, PictureKind, save_design, write};
use super::trials::{dungeon, measure, tables};
use crate::analysis::tune::{Atlas, AtlasCell, AtlasState, FRESH, FRESH_SEEDS, TunedParameter};
use crate::analysis::{MetricParts, RangeAxis, decimal};
use crate::background::{AtlasFile, AtlasFileError, AtlasSubject, MOST_ATLAS_SEEDS, TrialRequest};
use crate::design::Design;
use crate::design::expect::{Expression, parse_value};
use crate::document::SeededDesign;
use crate::export::{AtlasPicture, ExportError};
use crate::storage::{SinkKind, check_folder};
use crate::text::{counted, escape_line};

/// Maximum number of bins along an axis of the printed map or the picture.
const MOST_BINS: usize = 200;

/// Message for a grid with more than [`MOST_BINS`] bins along an axis.
const TOO_LARGE: &str = "the grid has too many cells to draw; pass --csv to list the filled ones";

/// The arguments of `atlas`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = super::survey::metrics_and_conditions())]
#[command(group = clap::ArgGroup::new("written").args(["to", "output"]).multiple(true))]
#[command(group = clap::ArgGroup::new("chosen").args(["pick", "breed"]))]
#[command(mut_arg("force", |force| force.requires("written")), mut_arg("seed", |seed| seed.help(super::source::SEED_OF_SEARCH)))]
pub(super) struct Args {
    #[command(flatten)]
    design: ChangedDesignArgs,
    /// Metric on the horizontal axis
    #[arg(long, value_name = "METRIC")]
    x: String,
    /// Metric on the vertical axis
    #[arg(long, value_name = "METRIC")]
    y: String,
    #[command(flatten)]
    space: SpaceArgs,
    /// Number of candidates (sets of parameter values) to try, including those from an earlier run
    #[arg(long, value_name = "N", default_value_t = 2500, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    candidates: u64,
    /// Number of seeds over which each candidate is measured
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=MOST_ATLAS_SEEDS))]
    seeds: u64,
    /// Choose every candidate at random instead of searching; to see what a search gains, compare the number of filled
    /// cells with and without this option
    #[arg(long)]
    random: bool,
    /// Save the atlas to this file as JSON; if the file exists, continue its search
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print a row for each filled cell as CSV: the medians of both metrics, the seed of a typical dungeon, the number
    /// of expectations met, and the value of each parameter
    #[arg(long, conflicts_with_all = ["pick", "to"])]
    csv: bool,
    /// Draw the grid as a picture (PNG), with a typical dungeon in each filled cell
    #[arg(long = "picture", alias = "to", value_name = "FILE", conflicts_with = "pick")]
    to: Option<PathBuf>,
    /// Background on which the picture will be shown; determines its colours
    #[arg(long, value_enum, default_value = "light", requires = "to", conflicts_with_all = ["pick", "csv", "breed"])]
    on: ColourGround,
    /// Show the candidate in the filled cell nearest to these values of both metrics, such as 40,12.5
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pick: Option<Place>,
    /// Combine two candidates, each selected as with --pick: for example, --breed 4,78 20,12. Several offspring are
    /// tried: each takes the parameters of each generation from one parent or the other, and all constants from one of
    /// them. Show the one whose medians are nearest to the midpoint of the parents' medians
    #[arg(
        long,
        value_name = "X,Y",
        num_args = 2,
        allow_hyphen_values = true,
        conflicts_with_all = ["pick", "csv", "to"]
    )]
    breed: Vec<Place>,
    /// Write the design with the values of the candidate that --pick or --breed shows, as TOML
    #[arg(long, short, value_name = "FILE", requires = "chosen")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    growth: GrowthArgs,
}

/// A point of the atlas: a value of each metric, x first.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place([f64; 2]);

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "write a value of each metric, such as 40,12.5".to_owned();
        let (x, y) = text.split_once(',').ok_or_else(wrong)?;
        let read = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite());
        Ok(Self([read(x).ok_or_else(wrong)?, read(y).ok_or_else(wrong)?]))
    }
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    if let Some(path) = &args.output {
        super::check_design_path(path, false)?;
    }
    if let Some(path) = &args.to {
        PictureKind::check_png(path)?;
    }
    let options = args.growth.options();
    let mut document = args.design.document(options, output)?;
    // Does not call `with_level_files`, because the designer does not call it either. The digest of the design below
    // must be the same in the command and in the designer; otherwise each would refuse the atlas files of the other.
    let seeded = document.seeded();
    let design = seeded.design();
    let mut outputs = Outputs::new(args.force, args.design.inputs(design));
    // `outputs` does not check --file: the command also reads that file, and replaces it only if it is an atlas.
    let sink_kind = args
        .output
        .as_deref()
        .map(|path| outputs.check(path, OutputKind::Edited));
    let sink_kind = sink_kind.transpose()?.unwrap_or(SinkKind::File);
    let drawn = args.to.as_deref().map(|path| outputs.check(path, OutputKind::RangeMap));
    let drawn = drawn.transpose()?;
    if sink_kind == SinkKind::Stdout || drawn == Some(SinkKind::Stdout) {
        output.reserve_for_data();
    }
    check_axis("--x", &args.x, design)?;
    check_axis("--y", &args.y, design)?;
    let (texts, _) = args.space.expectations(design)?;
    let moves = args.space.moves.parameters(design, options, true)?;
    if moves.is_empty() {
        let message = "no parameter can be changed: none has an effect in this design";
        return Err(Failure::unreadable(message));
    }
    let about = AtlasSubject {
        design_digest: digest(&seeded, options),
        x: args.x.clone(),
        y: args.y.clone(),
        seeds: args.seeds,
        search_seed: design.seed,
        random: args.random,
        expectations: texts,
        parameters: moves,
    };
    let state = match &args.file {
        Some(path) => state_of(path, &about)?,
        None => AtlasState::default(),
    };
    let request = about.request(args.candidates).map_err(Failure::unreadable)?;
    let mut atlas = Atlas::new(design, request, state);
    output.report(&seeded.beyond_recording(atlas.seeds().chain(FRESH)));
    search(&mut atlas, &seeded, args, &about, output)?;
    let state = atlas.state();
    if state.verified.is_empty() {
        let message = format_args!("no candidate has values of both {} and {}", args.x, args.y);
        return Err(Failure::unusable(message));
    }
    if args.csv {
        print_csv(&state, &about, output);
        return Ok(0);
    }
    if let (Some(path), Some(sink_kind)) = (&args.to, drawn) {
        let bytes = picture(&atlas, &state, &about, &seeded, args).map_err(Failure::unreadable)?;
        write(path, sink_kind, &bytes, output)?;
        output.summary(&format!(
            "{} in {}",
            counted(state.verified.len(), "cell"),
            path.display()
        ));
        return Ok(0);
    }
    let cell = match (args.pick, &args.breed[..]) {
        (Some(pick), _) => nearest(&state, pick).clone(),
        (None, [a, b]) => {
            let parents = [a, b].map(|place| nearest(&state, *place));
            child(&mut atlas, parents, &about, &seeded, args, output)?
        }
        _ => {
            output.text(&map(&state, &about, design));
            return Ok(0);
        }
    };
    describe(&cell, &atlas, &about, design, output);
    if let Some(path) = &args.output {
        let variant = atlas.variant(&cell.values);
        document.edit("atlas", |design| variant.apply(design));
        save_design(&mut document, path, sink_kind, output)?;
    }
    Ok(0)
}

/// Crosses the candidates in two cells. Prints the number of their offspring, and returns the child nearest to the
/// midpoint between the two cells.
fn child(
    atlas: &mut Atlas,
    parents: [&AtlasCell; 2],
    about: &AtlasSubject,
    seeded: &SeededDesign,
    args: &Args,
    output: &mut Output,
) -> Result<AtlasCell, Failure> {
    let asked = atlas.breed(parents);
    let variants = asked.iter().map(|variant| seeded.varied(variant.of(seeded.design())));
    let (variants, seeds) = (variants.collect(), atlas.seeds().collect());
    let readings = measure(variants, seeds, &atlas.metrics(), MetricParts::NONE, &args.growth);
    let born = atlas.born(parents, &readings);
    let [a, b] = parents.map(|cell| {
        let [x, y] = cell.medians.map(decimal_of);
        format!("{} {x}, {} {y}", about.x, about.y)
    });
    let Some(child) = born.first() else {
        let message = format_args!("the cells with {a} and with {b} have no child; choose cells farther apart");
        return Err(Failure::unusable(message));
    };
    let count = match born.len() {
        1 => "one child".to_owned(),
        count => format!("{count} offspring"),
    };
    output.line(&format!(
        "{count} of two cells ({a}; {b}); the one nearest to the midpoint:"
    ));
    Ok(child.clone())
}

/// Prints the candidate of a cell.
fn describe(cell: &AtlasCell, atlas: &Atlas, about: &AtlasSubject, design: &Design, output: &mut Output) {
    let expected = about.expectations.len();
    let met = if expected == 0 {
        String::new()
    } else {
        format!(", {} of {} met", cell.met, counted(expected, "expectation"))
    };
    let [x, y] = cell.medians.map(decimal_of);
    output.line(&format!(
        "{} {x}, {} {y} (medians over {FRESH_SEEDS} fresh seeds){met}",
        about.x, about.y
    ));
    output.line(&format!("a typical dungeon has the seed {}", cell.seed));
    let variant = atlas.variant(&cell.values);
    print_changes(&variant, design, output);
}

/// Fails unless the text for an axis is a single metric that the design has.
fn check_axis(option: &str, text: &str, design: &Design) -> Result<(), Failure> {
    match expression(option, text, parse_value, design)? {
        Expression::Metric(_) => Ok(()),
        _ => Err(Failure::unreadable(format_args!(
            "{option}: `{text}` is an expression; an axis of an atlas is one metric, such as path"
        ))),
    }
}

/// Returns the state that an earlier search saved, or an empty state if the file does not exist. Fails if the file
/// contains an atlas with another subject.
fn state_of(path: &Path, about: &AtlasSubject) -> Result<AtlasState, Failure> {
    let name = path.display();
    if SinkKind::of(path) != SinkKind::File {
        return Err(Failure::unreadable(format_args!(
            "--file: {name} is not a regular file, so `atlas` cannot both read and write it; choose another file"
        )));
    }
    check_folder(path)?;
    let file = match AtlasFile::read(path) {
        Ok(Some(file)) => file,
        Ok(None) => return Ok(AtlasState::default()),
        Err(AtlasFileError::Storage(error)) => return Err(error.into()),
        Err(error) => return Err(Failure::unreadable(error)),
    };
    let known = &file.subject;
    let other = [
        ("design", known.design_digest == about.design_digest),
        ("--x", known.x == about.x),
        ("--y", known.y == about.y),
        ("--seeds", known.seeds == about.seeds),
        ("--seed", known.search_seed == about.search_seed),
        ("--random", known.random == about.random),
        ("list of expectations", known.expectations == about.expectations),
        (
            "list of parameters that may change",
            known.parameters == about.parameters,
        ),
    ];
    if let Some((what, _)) = other.iter().find(|(_, is_same)| !is_same) {
        // An atlas that was begun in the designer has the seed that the design had at that time, so state the value
        // that `--seed` must have.
        let seed = match *what {
            "--seed" => format!("pass --seed {} or ", known.search_seed),
            _ => String::new(),
        };
        let message = format_args!("{name} is an atlas with a different {what}; {seed}choose another file");
        return Err(Failure::unreadable(message));
    }
    Ok(file.state)
}

/// Runs the search to its end. Saves its state to the file, if one is named, after each step.
fn search(
    atlas: &mut Atlas,
    seeded: &SeededDesign,
    args: &Args,
    about: &AtlasSubject,
    output: &mut Output,
) -> Result<(), Failure> {
    let metrics = atlas.metrics();
    let before = atlas.state().tried;
    let mut progress = Progress::new(args.candidates.max(before) * args.seeds, before * args.seeds);
    let mut done = before * args.seeds;
    loop {
        let asked = atlas.ask();
        if asked.is_empty() {
            break;
        }
        let variants = asked.iter().map(|variant| seeded.varied(variant.of(seeded.design())));
        let (variants, seeds) = (variants.collect(), atlas.seeds().collect());
        let readings = if atlas.is_verifying() {
            progress.end();
            measure(variants, seeds, &metrics, MetricParts::NONE, &args.growth)
        } else {
            let request = TrialRequest::all(variants, seeds, metrics.clone(), args.growth.options());
            tables(&request, &args.growth, || {
                done += 1;
                progress.at(done);
            })
        };
        atlas.report(&readings);
        if let Some(path) = &args.file {
            let file = AtlasFile::new(about.clone(), atlas.state());
            let text = file.text().map_err(Failure::unreadable)?;
            write(path, SinkKind::File, text.as_bytes(), output)?;
        }
    }
    progress.end();
    Ok(())
}

/// Returns the cell whose medians are nearest to the given values; the unit of distance is the width of a cell.
fn nearest(state: &AtlasState, Place(values): Place) -> &AtlasCell {
    let widths = state.widths.unwrap_or([1, 1]);
    let distance = |cell: &AtlasCell| -> f64 {
        let axes = (0..2).map(|axis| (cell.medians[axis] - values[axis]) / widths[axis] as f64);
        axes.map(|far| far * far).sum()
    };
    let cells = state.verified.iter();
    cells
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .unwrap_or(&state.verified[0])
}

/// Formats a median.
fn decimal_of(value: f64) -> String {
    decimal((value * 10_000.0).round() as i64)
}

/// Returns the axes that span all cells; `None` if there are no cells or an axis has more than [`MOST_BINS`] bins.
fn axes(state: &AtlasState) -> Option<[RangeAxis; 2]> {
    let widths = state.widths?;
    let all = state.verified.iter().chain(&state.design);
    let axis = |axis: usize| {
        let cells = all.clone();
        RangeAxis::spanning(
            cells.map(move |cell| (cell.cell[axis], cell.medians[axis])),
            widths[axis],
        )
    };
    Some([axis(0)?, axis(1)?]).filter(|axes| axes.iter().all(|axis| axis.bins() <= MOST_BINS))
}

/// Returns the bins of a cell, one on each axis.
fn bins([x, y]: &[RangeAxis; 2], cell: &AtlasCell) -> Option<[usize; 2]> {
    Some([x.place(cell.cell[0])?, y.place(cell.cell[1])?])
}

/// Returns the title and the subtitle of a map.
fn titles(state: &AtlasState, about: &AtlasSubject, design: &Design) -> [String; 2] {
    [
        format!("Atlas of {}: {} and {}", design_name(design), about.x, about.y),
        format!(
            "{} tried, {} filled (medians over {FRESH_SEEDS} fresh seeds)",
            counted(state.tried, "candidate"),
            counted(state.verified.len(), "cell")
        ),
    ]
}

/// Returns the map of the cells as text.
fn map(state: &AtlasState, about: &AtlasSubject, design: &Design) -> String {
    let [title, subtitle] = titles(state, about, design);
    let text = format!("{title}\n{subtitle}\n\n");
    let Some(axes) = axes(state) else {
        return text + TOO_LARGE + "\n";
    };
    let expected = about.expectations.len();
    let glyph = |across: usize, up: usize| {
        let is_here = |cell: &AtlasCell| bins(&axes, cell) == Some([across, up]);
        match state.verified.iter().find(|cell| is_here(cell)) {
            _ if state.design.as_ref().is_some_and(is_here) => '@',
            None => ' ',
            Some(cell) if cell.met == expected => '█',
            Some(_) => '░',
        }
    };
    let legend = if expected == 0 {
        "██ a candidate   @@ the design itself"
    } else {
        "██ all expectations met   ░░ not all met   @@ the design itself"
    };
    let grid = text::grid(&axes, [&named(&about.x), &named(&about.y)], glyph);
    format!(
        "{text}{grid}\n{legend}\n\npass --pick X,Y to see the candidate of a cell; add --output FILE to write the \
         candidate as a design\n"
    )
}

/// Returns the picture of the cells, with a typical dungeon in each.
fn picture(
    atlas: &Atlas,
    state: &AtlasState,
    about: &AtlasSubject,
    seeded: &SeededDesign,
    args: &Args,
) -> Result<Vec<u8>, ExportError> {
    let axes = axes(state).ok_or_else(|| ExportError::Cannot(TOO_LARGE.to_owned()))?;
    let mut dungeons = Vec::new();
    for cell in &state.verified {
        let varied = seeded.varied(atlas.variant(&cell.values).of(seeded.design()));
        let grid = dungeon(&mut varied.seeds(), cell.seed, args.growth.options());
        dungeons.extend(bins(&axes, cell).zip(grid));
    }
    let [title, subtitle] = titles(state, about, seeded.design()).map(|text| escape_line(&text).into_owned());
    let names = [named(&about.x), named(&about.y)];
    let picture = AtlasPicture {
        axes,
        names: names.each_ref().map(String::as_str),
        title: &title,
        subtitle: &subtitle,
        dungeons: &dungeons,
        design: state.design.as_ref().and_then(|design| bins(&axes, design)),
        ground: args.on.ground(),
    };
    let mut bytes = Vec::new();
    picture.png(&mut bytes)?;
    Ok(bytes)
}

/// Prints a row for each cell.
fn print_csv(state: &AtlasState, about: &AtlasSubject, output: &mut Output) {
    let column = |name: &str| name.replace('-', "_");
    let mut header = vec![
        column(&about.x),
        column(&about.y),
        "seed".into(),
        "met".into(),
        "expectations".into(),
    ];
    header.extend(about.parameters.iter().map(TunedParameter::column));
    output.line(&joined(header));
    for cell in &state.verified {
        let mut row: Vec<String> = cell.medians.iter().map(|median| decimal_of(*median)).collect();
        row.extend([
            cell.seed.to_string(),
            cell.met.to_string(),
            about.expectations.len().to_string(),
        ]);
        row.extend(cell.values.iter().map(ToString::to_string));
        output.line(&joined(row));
        if output.is_closed() {
            return;
        }
    }
}
