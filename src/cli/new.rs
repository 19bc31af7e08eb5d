//! `wallcrawler new`: writes a new design to a file.

use std::path::{Path, PathBuf};

use super::UNUSABLE;
use super::failure::Failure;
use super::output::Output;
use super::source::preset_name;
use super::target::{ForceArgs, OutputKind, Outputs};
use crate::design::Design;
use crate::document::{NewDesign, StartWith};
use crate::geometry::Size;
use crate::presets::Preset;
use crate::storage::{DesignFiles, SinkKind};
use crate::text::shell_path;

/// The arguments of `new`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// TOML file to write; - is standard output
    #[arg(value_name = "DESIGN.toml")]
    file: PathBuf,
    /// Rows and columns of the dungeon, such as 60x90 [default: the size of the template, or 60x90]
    #[arg(long, value_name = "ROWSxCOLUMNS", value_parser = super::import::pair)]
    size: Option<(i32, i32)>,
    /// Start from a preset. With a smaller --size, Crawlers are left out if they are outside the new dungeon.
    /// Hand-placed squares, the entrance and the exit are left out if they are outside it or on its outer wall
    #[arg(
        long,
        value_name = "NAME",
        ignore_case = true,
        hide_possible_values = true,
        value_parser = preset_name(),
        conflicts_with_all = ["rooms", "crawlers"]
    )]
    template: Option<String>,
    /// Start with four rooms, or with one if the dungeon is small
    #[arg(long)]
    rooms: bool,
    /// Number of Crawlers at the start, each in the middle of a side of the outer wall
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(0..=i64::from(NewDesign::MOST_CRAWLERS))
    )]
    crawlers: u32,
    /// Seed of the design [default: 1, or the template's]
    #[arg(long, value_name = "N", value_parser = super::source::seed)]
    seed: Option<u64>,
    #[command(flatten)]
    force: ForceArgs,
}

impl Args {
    /// Returns the design to write.
    fn design(&self) -> Design {
        let template = self.template.as_deref().and_then(Preset::find);
        let with = match template {
            Some(preset) => StartWith::Template(preset),
            None if self.rooms => StartWith::Rooms,
            None => StartWith::Empty,
        };
        let size = self.size.map(|(x, y)| Size::new(x, y));
        let crawlers = self.crawlers;
        let mut design = NewDesign { size, with, crawlers }.design();
        let stem = self.file.file_stem().filter(|_| self.file != Path::new("-"));
        if let Some(stem) = stem {
            design.name = stem.to_string_lossy().into_owned();
        }
        design.seed = self.seed.unwrap_or(design.seed);
        design
    }
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    super::check_design_path(&args.file, false)?;
    let design = args.design();
    let checked = design.validate(None);
    output.report(&checked.diagnostics);
    if checked.design.is_none() {
        return Ok(UNUSABLE);
    }
    let sink_kind = Outputs::new(args.force, Vec::new()).check(&args.file, OutputKind::Edited)?;
    let files = DesignFiles::Toml(args.file.clone());
    output.report_all(&files.write(&[sink_kind], &design, &[], None)?);
    if sink_kind == SinkKind::File {
        let path = shell_path(&args.file);
        output.note(&format!("wrote {path}; `wallcrawler {path}` opens it in the designer"));
    }
    Ok(0)
}
