//! `wallcrawler vault names`: saves the names of monsters and items of the user's copy of the game to a file.

use std::path::{Path, PathBuf};

use super::super::failure::Failure;
use super::super::output::Output;
use super::super::target::{self, ForceArgs, OutputKind, Outputs};
use crate::storage;
use crate::text::counted;
use crate::vault::lint::{ITEM_FILES, MONSTER_FILES, Names};

/// The arguments of `vault names`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder with the data of Dungeon Crawl Stone Soup (with its `descript`), such as /usr/share/crawl/dat
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    crawl_data: PathBuf,
    /// File to write, for `vault check --names`; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
}

/// Runs the command and returns the exit status, or an error if the command fails before it writes.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let names = of_game(&args.crawl_data)?;
    let text = serde_json::to_string_pretty(&names).map_err(Failure::unreadable)? + "\n";
    let mut outputs = Outputs::new(args.force, Vec::new());
    outputs.read_folder(&args.crawl_data);
    let sink_kind = outputs.check(&args.output, OutputKind::VaultNames)?;
    target::write(&args.output, sink_kind, text.as_bytes(), output)?;
    output.summary(&format!(
        "{}, {}",
        counted(names.monsters.len(), "monster"),
        counted(names.items.len(), "item")
    ));
    Ok(0)
}

/// Returns the names of a file, otherwise those of the game's data, if its descriptions are there.
pub(super) fn of(file: Option<&Path>, crawl_data: Option<&Path>) -> Result<Option<Names>, Failure> {
    let Some(file) = file else {
        // The helper library alone is a valid folder.
        return Ok(crawl_data.and_then(|folder| of_game(folder).ok()));
    };
    serde_json::from_slice(&storage::read(file)?)
        .map(Some)
        .map_err(|error| {
            let file = file.display();
            Failure::unreadable(format_args!("{file} is not a list of `vault names`: {error}"))
        })
}

/// Reads the names from the description files of the game, in a folder or its `dat` folder.
fn of_game(folder: &Path) -> Result<Names, Failure> {
    let read = |name: &str| {
        let candidates = [folder.join("descript"), folder.join("dat/descript"), folder.to_owned()];
        let bytes = candidates
            .iter()
            .find_map(|folder| storage::read(&folder.join(name)).ok());
        bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let mut names = Names::default();
    for file in MONSTER_FILES {
        names.add_monsters(&read(file).unwrap_or_default());
    }
    for file in ITEM_FILES {
        names.add_items(&read(file).unwrap_or_default());
    }
    if names.is_empty() {
        return Err(Failure::unreadable(format_args!(
            "{} has no description files of the game (descript/{})",
            folder.display(),
            MONSTER_FILES[0]
        )));
    }
    Ok(names)
}
