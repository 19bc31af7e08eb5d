//! `wallcrawler vault names`: reads the names of monsters, items, spells, brands and tiles from the user's copy of the
//! game and saves them to a file.

use std::path::{Path, PathBuf};

use super::super::failure::Failure;
use super::super::output::Output;
use super::super::target::{self, ForceArgs, OutputKind, Outputs};
use super::files;
use crate::storage;
use crate::text::counted;
use crate::vault::lint::{ITEM_FILES, MONSTER_FILES, Names, SPELL_FILES};
use crate::vault::source;

/// The arguments of `vault names`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder with the data of Dungeon Crawl Stone Soup (the folder that contains `descript`), such as
    /// /usr/share/crawl/dat
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    crawl_data: PathBuf,
    /// File to write, for `vault check --names`; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
}

/// Runs the command. Returns the exit status, or the error that stopped the command.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let names = of_game(&args.crawl_data)?;
    let text = serde_json::to_string_pretty(&names).map_err(Failure::unreadable)? + "\n";
    let mut outputs = Outputs::new(args.force, Vec::new());
    outputs.read_folder(&args.crawl_data);
    let sink_kind = outputs.check(&args.output, OutputKind::VaultNames)?;
    target::write(&args.output, sink_kind, text.as_bytes(), output)?;
    let lists = [
        (&names.monsters, "monster"),
        (&names.items, "item"),
        (&names.spells, "spell"),
        (&names.brands, "brand"),
        (&names.tiles, "tile"),
    ];
    let counts = lists.map(|(list, what)| counted(list.len(), what));
    output.summary(&counts.join(", "));
    Ok(0)
}

/// Returns the names in `file` if it is given; otherwise the names in the game's data, or `None` if the data contain no
/// description files.
pub(super) fn of(file: Option<&Path>, crawl_data: Option<&Path>) -> Result<Option<Names>, Failure> {
    let Some(file) = file else {
        // Ignore errors: a `--crawl-data` folder that contains only Lua modules is also valid.
        return Ok(crawl_data.and_then(|folder| of_game(folder).ok()));
    };
    // The file must contain a JSON object. serde would also accept an array for the struct.
    let names = serde_json::from_slice(&storage::read(file)?)
        .and_then(|object| serde_json::from_value::<Names>(serde_json::Value::Object(object)));
    let reason = match names {
        Ok(names) if names.format == Names::FORMAT => return Ok(Some(names)),
        Ok(_) => format!("it lacks `\"format\": {}`", Names::FORMAT),
        Err(error) => error.to_string(),
    };
    let file = storage::input_name(file);
    Err(Failure::unreadable(format_args!(
        "{file} is not a list written by `vault names`: {reason}"
    )))
}

/// Reads the names from the game's descriptions and level files, which are in `folder` or its subfolder `dat`. If
/// `folder` is part of the game's source code, also reads the names of tiles from the tile lists there.
fn of_game(folder: &Path) -> Result<Names, Failure> {
    let dat = [folder.to_owned(), folder.join("dat")];
    let dat = dat.iter().find(|dat| dat.join("descript").is_dir()).unwrap_or(&dat[0]);
    let read = |path: &Path| {
        let bytes = storage::read(path);
        bytes.map_or_else(|_| String::new(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let described = |name: &&str| {
        let text = read(&dat.join("descript").join(name));
        if text.is_empty() {
            read(&folder.join(name))
        } else {
            text
        }
    };
    let mut names = Names::default();
    for text in MONSTER_FILES.iter().map(described) {
        names.add_monsters(&text);
    }
    for text in ITEM_FILES.iter().map(described) {
        names.add_items(&text);
    }
    if names.is_empty() {
        return Err(Failure::unreadable(format_args!(
            "{} does not contain the game's description files (descript/{})",
            folder.display(),
            MONSTER_FILES[0]
        )));
    }
    for text in SPELL_FILES.iter().map(described) {
        names.add_spells(&text);
    }
    // If a folder is missing, the lists that are read from it stay empty. `vault check` does not check names against an
    // empty list.
    let below = |folder: PathBuf, ending: &str| {
        let mut paths = Vec::new();
        let _ = files::walk(&folder, ending, &mut paths);
        paths
    };
    for path in below(dat.join("des"), "des") {
        if let Ok(bytes) = storage::read(&path) {
            names.add_level_file(&source::read(&path.display().to_string(), &bytes));
        }
    }
    for path in below(dat.join("../rltiles"), "txt") {
        names.add_tiles(&read(&path));
    }
    Ok(names)
}
