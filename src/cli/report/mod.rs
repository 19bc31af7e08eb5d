//! `wallcrawler report`: writes a page about a design's dungeons, for people who have never seen the program.

mod contents;
mod gather;
mod html;
mod markdown;
mod page;
mod pictures;

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use self::contents::Source;
use self::gather::Findings;
use self::page::Page;
use self::pictures::Pictures;
use super::DesignArgs;
use super::change::ChangeArgs;
use super::endpoints::EndpointArgs;
use super::failure::Failure;
use super::output::Output;
use super::rows::digest;
use super::seeds::SeedRange;
use super::selection::{GrowthArgs, columns_option};
use super::target::{ForceArgs, OutputKind, Outputs, write};
use crate::storage::SinkKind;
use crate::text::{counted, shell_path};

/// The arguments of `report`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("seed", |seed| seed.help(super::source::SEED_OF_CHECK)))]
pub(super) struct Args {
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    change: ChangeArgs,
    /// Seeds: 0..10000 (excluding 10000), 5..=9 (including 9), 100 (seeds 0 to 99), or a list of ranges and single
    /// seeds: 3,7,20..40
    #[arg(long, value_name = "SEEDS", default_value = "0..1000")]
    seeds: SeedRange,
    /// File to write (- for standard output). An HTML file contains its pictures; the pictures of a Markdown file are
    /// written to a folder beside it
    #[arg(long = "output", short = 'o', alias = "to", value_name = "FILE")]
    to: PathBuf,
    /// Format of the report [default: from the file extension, or html for standard output]
    #[arg(long, alias = "as", value_enum, value_name = "FORMAT")]
    format: Option<ReportFormat>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    growth: GrowthArgs,
}

/// Format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// One file that every browser opens
    Html,
    /// Text with a folder of pictures
    Markdown,
}

impl ReportFormat {
    /// Returns the format that a path implies: its extension decides, and `-` is HTML.
    fn of_path(path: &Path) -> Option<Self> {
        if path == Path::new("-") {
            return Some(Self::Html);
        }
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*extension {
            "html" | "htm" => Some(Self::Html),
            "md" | "markdown" => Some(Self::Markdown),
            _ => None,
        }
    }
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let path = &args.to;
    let Some(format) = args.format.or_else(|| ReportFormat::of_path(path)) else {
        return Err(Failure::unreadable(format_args!(
            "cannot infer the format from `{}`; choose a file with the extension .html or .md, or pass --format",
            path.display()
        )));
    };
    let options = args.growth.options();
    let ends = EndpointArgs::default();
    let seeded = args.change.design(&args.design, &ends, options, output)?;
    let mut outputs = Outputs::new(args.force, args.design.inputs(seeded.design()));
    let sink_kind = outputs.check(path, OutputKind::Report)?;
    if format == ReportFormat::Markdown && sink_kind != SinkKind::File {
        let why = "a Markdown report needs a folder of pictures beside it; pass --output with the name of a file, or --format html";
        return Err(Failure::unreadable(why));
    }
    if format == ReportFormat::Markdown {
        check_pictures(&folder(path), &args.seeds, &mut outputs)?;
    }
    output.report(&seeded.beyond_recording(args.seeds.iter()));
    let findings = Findings::of(&args.growth.survey(seeded.clone()), &args.seeds);
    if findings.dungeons.is_empty() {
        return Err(Failure::unusable("the design cannot be grown from any of the seeds"));
    }
    let source = Source {
        design: seeded.design(),
        findings: &findings,
        seeds: args.seeds.label(),
        show: args.change.showing(&args.design, &ends, options),
        range: args.command_of("range"),
        made_by: args.command(seeded.design().seed),
        options,
        digest: digest(&seeded, options),
    };
    let page = contents::page(&source, &mut Pictures::new(&seeded, options));
    let text = match format {
        ReportFormat::Html => html::write(&page),
        ReportFormat::Markdown => {
            let folder = folder(path);
            write_pictures(&page, &folder, output)?;
            markdown::write(&page, folder.file_name().unwrap_or_default())
        }
    };
    write(path, sink_kind, text.as_bytes(), output)?;
    if sink_kind != SinkKind::Stdout {
        let dungeons = counted(findings.dungeons.len(), "dungeon");
        output.summary(&format!("wrote a report on {dungeons} to {}", path.display()));
    }
    Ok(0)
}

/// Returns the folder for the pictures of a Markdown report: `castle-pictures` for `castle.md`.
fn folder(path: &Path) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push("-pictures");
    path.with_file_name(name)
}

/// Checks whether the pictures of a Markdown report can be written to a folder, which need not exist. Which seeds the
/// report shows is not known before the dungeons have grown, so the picture of every seed is checked if its file exists.
fn check_pictures(folder: &Path, seeds: &SeedRange, outputs: &mut Outputs) -> Result<(), Failure> {
    if !folder.is_dir() {
        return match folder.symlink_metadata() {
            Ok(_) => Err(Failure::unreadable(format_args!(
                "{} is not a folder, but a Markdown report writes its pictures to a folder of this name; pass --output \
                 with another name",
                folder.display()
            ))),
            Err(_) => Ok(()),
        };
    }
    // Also checks whether the folder can be written.
    outputs.check(&folder.join(file_name(pictures::RANGE)), OutputKind::Picture)?;
    for entry in fs_err::read_dir(folder)? {
        let path = entry?.path();
        let seed = path.file_stem().and_then(|stem| pictures::seed_of(stem.to_str()?));
        let is_picture = path.extension().is_some_and(|ending| ending == "png");
        if is_picture && seed.is_some_and(|seed| seeds.contains(seed)) {
            outputs.check(&path, OutputKind::Picture)?;
        }
    }
    Ok(())
}

/// Returns the file name of a picture in a Markdown report.
fn file_name(picture: &str) -> String {
    format!("{picture}.png")
}

/// Writes the pictures of the page, each in its version for light pages, to a folder that [`check_pictures`] has
/// checked. Replaces pictures of an earlier report.
fn write_pictures(page: &Page, folder: &Path, output: &mut Output) -> Result<(), Failure> {
    let mut done = Vec::new();
    for picture in page.pictures() {
        if done.contains(&&picture.name) {
            continue;
        }
        done.push(&picture.name);
        let file = folder.join(file_name(&picture.name));
        fs_err::create_dir_all(folder)?;
        write(&file, SinkKind::of(&file), &picture.png[0], output)?;
    }
    Ok(())
}

impl Args {
    /// Returns the command line that applies the command `name` to the changed design, quoted for a shell.
    fn command_of(&self, name: &str) -> String {
        self.design.command_of(name) + &self.change.command() + columns_option(self.growth.options())
    }

    /// Returns the command that makes the same report, quoted for a shell. `seed` is the seed of the design.
    fn command(&self, seed: u64) -> String {
        let report = self.command_of("report");
        let seed = if self.design.has_seed() {
            format!(" --seed {seed}")
        } else {
            String::new()
        };
        let format = self.format.and_then(|format| format.to_possible_value());
        let format = format.map_or(String::new(), |format| format!(" --format {}", format.get_name()));
        let to = shell_path(&self.to);
        format!("{report}{seed} --seeds {}{format} --output {to}", self.seeds)
    }
}
