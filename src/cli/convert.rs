//! `wallcrawler convert`: from a TOML design to the original's files, or back.

use std::path::{Path, PathBuf};

use clap::ArgMatches;

use super::output::Output;
use super::{UNREADABLE, UNUSABLE};
use crate::design::{Design, ValidDesign};
use crate::document;
use crate::storage::{Backups, DesignFiles, StorageError};

/// The arguments of `convert`.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "wallcrawler convert <DESIGN.toml> --rooms <FILE> --stats <FILE> [--constants <FILE>]\n       \
                      wallcrawler convert --rooms <FILE> --stats <FILE> [--constants <FILE>] <DESIGN.toml>",
    after_help = "What stands first is read, what stands last is written."
)]
pub(super) struct Args {
    /// The TOML design: read when it stands before the other files, written when it stands after them
    #[arg(value_name = "DESIGN.toml")]
    design: PathBuf,
    /// The rooms file
    #[arg(long, value_name = "FILE")]
    rooms: PathBuf,
    /// The stats file
    #[arg(long, value_name = "FILE")]
    stats: PathBuf,
    /// The constants file
    #[arg(long, value_name = "FILE")]
    constants: Option<PathBuf>,
    /// The seed that a TOML design gets; the original's files have none
    #[arg(long, value_name = "N", value_parser = super::source::seed)]
    seed: Option<u64>,
    /// Files that are there already are replaced
    #[arg(long, short)]
    force: bool,
}

/// Whether the command line asks for a TOML file: it stands after the others.
pub(super) fn is_to_toml(matches: &ArgMatches) -> bool {
    matches.index_of("design") > matches.index_of("rooms").max(matches.index_of("stats"))
}

/// Runs the command; the exit status.
pub(super) fn run(args: &Args, to_toml: bool, output: &mut Output) -> u8 {
    let toml = DesignFiles::Toml(args.design.clone());
    let legacy = DesignFiles::Legacy {
        rooms: args.rooms.clone(),
        stats: args.stats.clone(),
        constants: args.constants.clone(),
    };
    let (from, to) = if to_toml { (legacy, toml) } else { (toml, legacy) };
    let opened = document::open(&from, args.seed, None);
    output.complain_of(&opened.diagnostics);
    let Some(design) = opened.design else {
        if opened.unreadable && to.paths().iter().all(|path| path.exists()) {
            output.complain("the files to read stand first on the command line, those to write last");
        }
        return if opened.unreadable { UNREADABLE } else { UNUSABLE };
    };
    if let Some(there) = to.paths().iter().find(|path| !args.force && is_taken(path)) {
        output.complain(&format!("{} is there already; --force replaces it", there.display()));
        return UNREADABLE;
    }
    let pieces = opened.valid.as_ref().map_or(&[][..], ValidDesign::pieces);
    match to.save(&design, pieces, None, &mut Backups::none()) {
        Ok(lost) => {
            output.complain_of(&lost);
            if !to_toml {
                tell_lost(&design, output);
            }
            0
        }
        Err(StorageError::NotCarried(diagnostics)) => {
            output.complain_of(&diagnostics);
            UNUSABLE
        }
        Err(error) => {
            output.complain(&error.to_string());
            UNREADABLE
        }
    }
}

/// Whether something stands at a path, be it a link to nowhere.
fn is_taken(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Says what the original's files cannot hold.
fn tell_lost(design: &Design, output: &mut Output) {
    if !design.name.is_empty() || !design.notes.is_empty() {
        output.complain("warning: the original's files have no place for name and notes; they are left out");
    }
    if design.seed != Design::default().seed {
        let seed = design.seed;
        output.complain(&format!(
            "warning: the original's files have no place for the seed; `--seed {seed}` makes the same dungeon"
        ));
    }
}
