//! `wallcrawler convert`: converts a TOML design to the files of DungeonMaker or back, a recording to its design, and
//! a design to its dungeon code or back.

use std::path::{Path, PathBuf};

use clap::ArgMatches;

use super::failure::Failure;
use super::output::Output;
use super::source::{check_stdin_of, readable};
use super::target::{ForceArgs, OutputKind, Outputs};
use super::{DesignArgs, UNREADABLE, UNUSABLE};
use crate::design::ValidDesign;
use crate::document::{self, DungeonCode};
use crate::recording_file::{RecordingFile, ReproductionCheck};
use crate::storage::{self, DesignFiles, SinkKind, companion_files};

/// The arguments of `convert`.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "wallcrawler convert <DESIGN.toml> --rooms <FILE> --stats <FILE> [--constants <FILE>]\n       \
                      wallcrawler convert --rooms <FILE> --stats <FILE> [--constants <FILE>] <DESIGN.toml>\n       \
                      wallcrawler convert <RECORDING.wcr | ROOMS | CODE> --output <DESIGN.toml>\n       \
                      wallcrawler convert <DESIGN> --code [--turn <N>]",
    after_help = "The files given first are read, and the files given last are written. If a recording is read, its design and \
seed are written; use `wallcrawler play` to see the recorded growth. A dungeon code (wc1:…) is a design with its seed as one line \
of text; most commands accept it in place of a design file, but `check` does not."
)]
pub(super) struct Args {
    /// TOML design: read if it is given before the other files, written if it is given after them. A recording, a rooms
    /// file or a dungeon code can be read instead. - is standard input, or standard output if the design is written
    #[arg(value_name = "DESIGN.toml")]
    design: PathBuf,
    /// Rooms file
    #[arg(long, value_name = "FILE", required_unless_present_any = ["to", "code"])]
    rooms: Option<PathBuf>,
    /// Stats file
    #[arg(long, value_name = "FILE", required_unless_present_any = ["to", "code"])]
    stats: Option<PathBuf>,
    /// Constants file
    #[arg(long, value_name = "FILE")]
    constants: Option<PathBuf>,
    /// Write the design to this TOML file, instead of writing the files of DungeonMaker
    #[arg(long = "output", short = 'o', alias = "to", value_name = "DESIGN.toml", conflicts_with_all = ["rooms", "stats", "constants"])]
    to: Option<PathBuf>,
    /// Print the design as a dungeon code: one line of text with the design and its seed. A design that uses level
    /// files cannot be printed as a dungeon code
    #[arg(long, conflicts_with_all = ["rooms", "stats", "constants", "to", "force"])]
    code: bool,
    /// With --code: turn at which the dungeon is shown when the code is opened; if the growth has fewer than N turns,
    /// the last turn is shown [default: the last turn]
    // clap ignores `requires` if an option that conflicts with `--code` is given, so the conflicts are repeated here.
    #[arg(
        long,
        value_name = "N",
        requires = "code",
        conflicts_with_all = ["rooms", "stats", "constants", "to", "force"]
    )]
    turn: Option<u64>,
    /// Seed to write into the TOML design; the files of DungeonMaker contain no seed
    #[arg(long, value_name = "N", value_parser = super::source::seed)]
    seed: Option<u64>,
    #[command(flatten)]
    force: ForceArgs,
}

/// Returns whether the TOML design is given after the other files, and is therefore written rather than read.
pub(super) fn is_to_toml(matches: &ArgMatches) -> bool {
    matches.index_of("design") > matches.index_of("rooms").max(matches.index_of("stats"))
}

impl Args {
    /// Returns the files to read and the files to write; `None` if the rooms or the stats file is missing.
    fn files(&self, to_toml: bool) -> Option<(DesignFiles, DesignFiles)> {
        if let Some(to) = &self.to {
            return Some((
                companion_files::of(&readable(&self.design)),
                DesignFiles::Toml(to.clone()),
            ));
        }
        let legacy = |of: fn(&Path) -> PathBuf| {
            Some(DesignFiles::Legacy {
                rooms: of(self.rooms.as_ref()?),
                stats: Some(of(self.stats.as_ref()?)),
                constants: self.constants.as_deref().map(of),
            })
        };
        Some(if to_toml {
            (legacy(readable)?, DesignFiles::Toml(self.design.clone()))
        } else {
            (companion_files::of(&readable(&self.design)), legacy(Path::to_owned)?)
        })
    }
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, to_toml: bool, output: &mut Output) -> Result<u8, Failure> {
    let design = DesignArgs::of_file(&readable(&args.design));
    if args.code {
        return print_code(&design, args, output);
    }
    let (from, to) = args.files(to_toml).ok_or(Failure::reported(UNREADABLE))?;
    check_stdin_of(&from.paths())?;
    let is_text = matches!(to, DesignFiles::Legacy { .. });
    for path in to.paths() {
        super::check_design_path(&path, is_text)?;
    }
    let is_code = (args.to.is_some() || is_text) && design.is_code();
    let opened = if is_code {
        design.opened_for(args.seed, None)
    } else {
        document::open(&from, args.seed, None)
    };
    output.report(&opened.diagnostics);
    let Some(mut design) = opened.design else {
        if args.to.is_none() && opened.unreadable && to.paths().iter().all(|path| path.exists()) {
            output.error("on the command line, the files to read come first and the files to write come last");
        }
        return Ok(if opened.unreadable { UNREADABLE } else { UNUSABLE });
    };
    let inputs = if is_code {
        Vec::new()
    } else {
        document::inputs(&from, &design)
    };
    let mut outputs = Outputs::new(args.force, inputs);
    let paths = to.paths();
    let sink_kinds = paths.iter().map(|path| outputs.check(path, OutputKind::Edited));
    let sink_kinds = sink_kinds.collect::<Result<Vec<SinkKind>, Failure>>()?;
    let pieces = opened.valid.as_ref().map_or(&[][..], ValidDesign::pieces);
    let in_files = sink_kinds.iter().all(|sink_kind| *sink_kind == SinkKind::File);
    // If TOML is written from TOML, the written text keeps the comments of the original, and the names of its level
    // files are adjusted so that they still refer to the same files.
    let is_kept = !is_text && matches!(from, DesignFiles::Toml(_));
    let basis = opened.loaded.as_ref().filter(|_| is_kept);
    if basis.is_some() && in_files {
        let [from, to] = [&from, &to].map(|files| document::level_folder(Some(files)));
        storage::move_level_files(&mut design, &from, &to);
    }
    output.report_all(&to.write(&sink_kinds, &design, pieces, basis)?);
    match from.recording_file().filter(|_| args.seed.is_none()) {
        Some(path) if is_text || !in_files => report_option(path, output),
        Some(path) => return Ok(report_changed(path, &to, output)),
        None => {}
    }
    Ok(0)
}

/// Prints the dungeon code of a design and returns the exit status.
fn print_code(design: &DesignArgs, args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let opened = design.opened_for(args.seed, None);
    output.report(&opened.diagnostics);
    let Some(design) = opened.design else {
        return Ok(if opened.unreadable { UNREADABLE } else { UNUSABLE });
    };
    let turn = args.turn;
    let code = DungeonCode { design, turn }.write().map_err(Failure::unusable)?;
    output.line(&code);
    let files = companion_files::of(&readable(&args.design));
    if let Some(path) = files.recording_file().filter(|_| args.seed.is_none()) {
        report_option(path, output);
    }
    Ok(0)
}

/// Warns if the design of a recording grows the recorded dungeon only with an option that a design cannot store.
fn report_option(recording: &Path, output: &mut Output) {
    let Ok(mut recording_file) = storage::read_recording(recording, None) else {
        return;
    };
    let recorded = std::mem::take(&mut recording_file.options);
    if !recorded.columns && !matches!(recording_file.again(|| true), Some(ReproductionCheck::Same)) {
        output.warning(
            "the dungeon was recorded without Jumpers, but a design cannot store this option; pass --no-columns to grow \
             the same dungeon",
        );
    }
}

/// Warns if the design that was written grows a dungeon other than the one in the recording. Returns the exit status,
/// which reports whether the written design can be grown with the vaults of the recording.
fn report_changed(recording: &Path, written: &DesignFiles, output: &mut Output) -> u8 {
    let Ok(mut recording_file) = storage::read_recording(recording, None) else {
        return 0;
    };
    let opened = document::open(written, None, None);
    let Some(valid) = opened.valid else {
        output.report(&opened.diagnostics);
        return UNUSABLE;
    };
    if valid.pieces() != recording_file.design.pieces() {
        output.report(&opened.diagnostics);
        output.error(
            "the vaults of the written design differ from those of the recording, which does not contain their level \
             files; put the level files at the paths that the design names",
        );
        return UNUSABLE;
    }
    recording_file.design = valid;
    let recorded = std::mem::take(&mut recording_file.options);
    let grows_alike = |file: &RecordingFile| matches!(file.again(|| true), Some(ReproductionCheck::Same));
    if grows_alike(&recording_file) {
        return 0;
    }
    recording_file.options = recorded;
    output.warning(if !recorded.columns && grows_alike(&recording_file) {
        "the dungeon was recorded without Jumpers, but a design cannot store this option; `wallcrawler grow \
         --no-columns` grows the same dungeon from the written design"
    } else {
        "the dungeon that this version grows from the design differs from the recorded one"
    });
    0
}
