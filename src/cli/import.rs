//! `wallcrawler import`: imports a drawing as hand-placed tiles of a design.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;

use super::failure::Failure;
use super::output::Output;
use super::source::input_path;
use super::target::{self, ForceArgs, OutputKind, Outputs};
use super::{UNREADABLE, UNUSABLE};
use crate::design::{Design, PlacedVault, ValidDesign};
use crate::document::{self, FirstCrawler, ReadDrawing};
use crate::format::rooms;
use crate::geometry::{Point, Size};
use crate::import::{DrawingKind, ImportOptions, ImportSetting, Placement};
use crate::storage::{self, Backups, DesignFiles, SinkKind, StorageError};

/// The arguments of `import`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = kinds(), next_line_help = false)]
pub(super) struct Args {
    /// Drawing: a text maze, a PNG picture, a Tiled map, a CSV table or a file exported by Wallcrawler (the kinds
    /// are listed below); - is standard input
    #[arg(value_name = "FILE", value_parser = input_path())]
    file: PathBuf,
    /// Write the design to this TOML file; - is standard output
    #[arg(long = "output", short = 'o', alias = "to", short_alias = 't', value_name = "DESIGN.toml", required_unless_present_any = ["into", "rooms"])]
    to: Option<PathBuf>,
    /// Write the size, hand-placed squares and Crawlers to this file, as a rooms file of DungeonMaker
    #[arg(long, value_name = "FILE")]
    rooms: Option<PathBuf>,
    /// Merge the drawing into this design and keep everything else; its file is overwritten unless --output or
    /// --rooms is given
    #[arg(long, value_name = "DESIGN.toml")]
    into: Option<PathBuf>,
    #[arg(long = "format", alias = "as", value_name = "KIND", value_parser = PossibleValuesParser::new(DrawingKind::ALL.map(|(_, name, _)| name)), help = ImportSetting::Kind.description())]
    kind: Option<String>,
    #[arg(long, value_name = "WHICH", allow_hyphen_values = true, help = ImportSetting::Walls.description())]
    walls: Option<String>,
    #[arg(long, value_name = "CHARACTERS", allow_hyphen_values = true, help = ImportSetting::Open.description())]
    open: Option<String>,
    #[arg(long, value_name = "NAME", help = ImportSetting::Layer.description())]
    layer: Option<String>,
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100), help = ImportSetting::Threshold.description())]
    threshold: Option<u8>,
    #[arg(long, help = ImportSetting::Invert.description())]
    invert: bool,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096), help = ImportSetting::Scale.description())]
    scale: Option<u32>,
    #[arg(long, help = ImportSetting::Trim.description())]
    trim: bool,
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100), help = ImportSetting::Corridors.description())]
    corridors: u32,
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100), help = ImportSetting::Enlarge.description())]
    enlarge: u32,
    /// Size of the dungeon, such as 40x60 [default: large enough for the drawing, or, with
    /// --into, the size of that design]
    #[arg(long, value_name = "ROWSxCOLUMNS", value_parser = pair)]
    size: Option<(i32, i32)>,
    /// Position of the drawing's top left square, such as 5,10 [default: the drawing is centred]
    #[arg(long, value_name = "ROW,COLUMN", value_parser = pair, allow_hyphen_values = true)]
    at: Option<(i32, i32)>,
    #[arg(long, help = ImportSetting::KeepOpen.description())]
    keep_open: bool,
    /// Crawler to add if the design has none: `best` places it where there is the most room; a compass direction does
    /// the same, but only among places where the Crawler can face that way; `none` adds no Crawler
    #[arg(long, value_name = "WHICH", default_value = "best", value_parser = PossibleValuesParser::new(FirstCrawler::ALL.map(|(_, name)| name)))]
    crawler: String,
    /// Seed of the new design; rooms files store no seed
    #[arg(long, value_name = "N", value_parser = super::source::seed, conflicts_with = "into", requires = "to")]
    seed: Option<u64>,
    #[command(flatten)]
    force: ForceArgs,
}

/// Returns the part of `--help` that lists the kinds of drawings and their file extensions.
fn kinds() -> String {
    let mut help = String::from("Kinds and their file extensions:\n");
    for (kind, name, endings) in DrawingKind::ALL {
        let endings: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
        let description = kind.description();
        // Writing to a string cannot fail.
        let _ = writeln!(help, "  {name:6}{:32}{description}", endings.join(" "));
    }
    help
}

/// Parses two whole numbers separated by a comma, `x` or `×`.
pub(super) fn pair(text: &str) -> Result<(i32, i32), String> {
    let parts = text.split_once([',', 'x', '×']);
    let number = |part: &str| part.trim().parse().ok();
    parts
        .and_then(|(x, y)| Some((number(x)?, number(y)?)))
        .ok_or_else(|| "use two whole numbers, rows first: 40x60 or 40,60".into())
}

impl Args {
    fn options(&self) -> ImportOptions {
        ImportOptions {
            kind: self.kind.as_deref().and_then(DrawingKind::by_name),
            walls: self.walls.clone(),
            open: self.open.clone(),
            layer: self.layer.clone(),
            threshold: self.threshold,
            invert: self.invert,
            scale: self.scale,
            trim: self.trim,
            corridors: self.corridors,
            enlarge: self.enlarge,
        }
    }

    fn placing(&self) -> Placement {
        Placement {
            size: self.size.map(|(x, y)| Size::new(x, y)),
            at: self.at.map(|(x, y)| Point::new(x, y)),
            keep_open: self.keep_open,
        }
    }

    /// Checks the destinations of the design and the rooms file, and returns their kinds: `None` for a file that is not
    /// to be written. If both are `None`, the design of `--into` is overwritten.
    fn sink_kinds(&self, into: Option<&Design>) -> Result<[Option<SinkKind>; 2], Failure> {
        let mut inputs = document::files_of_drawing(&self.file, &self.options());
        if let (Some(path), Some(design)) = (&self.into, into) {
            inputs.extend(document::inputs(&DesignFiles::Toml(path.clone()), design));
        }
        let mut outputs = Outputs::new(self.force, inputs);
        let mut sink_kinds = [None; 2];
        for (path, sink_kind) in [&self.to, &self.rooms].into_iter().zip(&mut sink_kinds) {
            if let Some(path) = path {
                *sink_kind = Some(outputs.check(path, OutputKind::Edited)?);
            }
        }
        Ok(sink_kinds)
    }

    fn drawn(&self) -> Result<ReadDrawing, Failure> {
        let unusable = |diagnostics| Failure::new(UNUSABLE, diagnostics);
        let bytes = storage::read(&self.file)?;
        document::drawing_of(&self.file, bytes, &self.options()).map_err(unusable)
    }
}

/// Returns the message about an option that has no effect on a drawing.
fn without_effect(kind: DrawingKind, setting: ImportSetting) -> String {
    let option = setting.name();
    if kind.takes(setting) {
        let reason = match setting {
            ImportSetting::Layer => "has no layers",
            ImportSetting::Open | ImportSetting::Scale => "is a table of numbers",
            _ => "states which squares are walls",
        };
        return format!("--{option} has no effect on this file, because the file {reason}; remove the option");
    }
    let takers = DrawingKind::ALL.into_iter().filter(|(kind, ..)| kind.takes(setting));
    let takers: Vec<&str> = takers.map(|(_, name, _)| name).collect();
    format!(
        "--{option} has no effect on {}; it applies to {}",
        kind.name(),
        takers.join(", ")
    )
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    for (path, is_text) in [(&args.to, false), (&args.rooms, true)] {
        if let Some(path) = path {
            super::check_design_path(path, is_text)?;
        }
    }
    if args.into.as_deref() == Some(Path::new("-")) {
        return Err(Failure::unreadable(
            "--into cannot read a design from standard input; save it to a file first",
        ));
    }
    let drawn = args.drawn()?;
    if let Some(setting) = drawn.unused {
        return Err(Failure::unreadable(without_effect(drawn.kind, setting)));
    }
    output.report_all(&drawn.diagnostics);
    let base = args.into.clone().map(DesignFiles::Toml);
    let loaded = base.as_ref().map(DesignFiles::load);
    let mut pieces = Vec::new();
    let placed = match &loaded {
        None => args.placing().alone(&drawn.drawing, &storage::input_stem(&args.file)),
        Some(loaded) => {
            let opened = document::diagnose(loaded.clone(), None);
            output.report(&opened.diagnostics);
            let Some(design) = &opened.design else {
                return Ok(if opened.unreadable { UNREADABLE } else { UNUSABLE });
            };
            pieces = opened
                .valid
                .as_ref()
                .map(ValidDesign::pieces)
                .unwrap_or_default()
                .to_vec();
            args.placing().within(&drawn.drawing, design)
        }
    };
    let mut placed = placed.map_err(|diagnostic| Failure::new(UNUSABLE, vec![*diagnostic]))?;
    placed.design.seed = args.seed.unwrap_or(placed.design.seed);
    let which = FirstCrawler::by_name(&args.crawler).unwrap_or_default();
    placed
        .diagnostics
        .extend(document::add_crawler(&mut placed.design, which));
    output.report_all(&placed.diagnostics);
    let [to, rooms] = args.sink_kinds(loaded.as_ref().and_then(|loaded| loaded.design.as_ref()))?;
    let notes = match (&args.to, to) {
        (Some(path), Some(sink_kind)) => {
            let files = DesignFiles::Toml(path.clone());
            if sink_kind == SinkKind::File && base.is_some() {
                let [from, to] = [base.as_ref(), Some(&files)].map(document::level_folder);
                storage::move_level_files(&mut placed.design, &from, &to);
            }
            files.write(&[sink_kind], &placed.design, &pieces, loaded.as_ref())?
        }
        _ => match args.into.as_ref().filter(|_| args.rooms.is_none()) {
            Some(path) => {
                let files = DesignFiles::Toml(path.clone());
                files.save(&placed.design, &pieces, loaded.as_ref(), &mut Backups::none())?
            }
            None => Vec::new(),
        },
    };
    output.report(&notes);
    if let (Some(path), Some(sink_kind)) = (&args.rooms, rooms) {
        write_rooms(path, sink_kind, &placed.design, &pieces, output)?;
    }
    Ok(0)
}

/// Writes the layout as a rooms file.
fn write_rooms(
    path: &Path,
    sink_kind: SinkKind,
    design: &Design,
    pieces: &[PlacedVault],
    output: &mut Output,
) -> Result<(), StorageError> {
    let layout = design.layout.with_tiles_of(pieces, &design.constants);
    let text = rooms::write(&layout).map_err(StorageError::NotCarried)?;
    target::write(path, sink_kind, text.as_bytes(), output)
}
