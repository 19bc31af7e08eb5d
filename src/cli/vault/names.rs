//! `wallcrawler vault names`: saves the names of monsters and items of the user's copy of the game to a file.

use std::path::{Path, PathBuf};

use super::super::UNREADABLE;
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

/// Runs the command and returns the exit status, as `Err` if the command fails before it writes.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, u8> {
    let failed = |why: String, output: &mut Output| {
        output.error(&why);
        UNREADABLE
    };
    let names = of_game(&args.crawl_data).map_err(|why| failed(why, output))?;
    let text = serde_json::to_string_pretty(&names).map_err(|error| failed(error.to_string(), output))? + "\n";
    let mut outputs = Outputs::new(args.force, Vec::new());
    outputs.read_folder(&args.crawl_data);
    let kind = outputs
        .check(&args.output, OutputKind::VaultNames)
        .map_err(|why| failed(why, output))?;
    target::write(&args.output, kind, text.as_bytes(), output).map_err(|error| failed(error.to_string(), output))?;
    output.summary(&format!(
        "{}, {}",
        counted(names.monsters.len(), "monster"),
        counted(names.items.len(), "item")
    ));
    Ok(0)
}

/// Returns the names of a file, else those of the game's data, if its descriptions are there; the exit status if a
/// file cannot be read.
pub(super) fn of(file: Option<&Path>, crawl_data: Option<&Path>, output: &mut Output) -> Result<Option<Names>, u8> {
    let names = match (file, crawl_data) {
        (Some(file), _) => storage::read(file)
            .map_err(|error| error.to_string())
            .and_then(|bytes| {
                serde_json::from_slice(&bytes)
                    .map_err(|error| format!("{} is not a list of `vault names`: {error}", file.display()))
            })
            .map(Some),
        // The helper library alone is a valid folder.
        (None, Some(folder)) => Ok(of_game(folder).ok()),
        (None, None) => Ok(None),
    };
    names.map_err(|why| {
        output.error(&why);
        UNREADABLE
    })
}

/// Reads the names from the description files of the game, in a folder or its `dat` folder.
fn of_game(folder: &Path) -> Result<Names, String> {
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
        return Err(format!(
            "{} has no description files of the game (descript/{})",
            folder.display(),
            MONSTER_FILES[0]
        ));
    }
    Ok(names)
}
