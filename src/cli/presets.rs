//! `wallcrawler presets`: lists the presets, prints them or writes them out.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;

use super::UNREADABLE;
use super::output::Output;
use crate::presets::Preset;
use crate::storage;

/// The arguments of `presets`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Presets to print as TOML, or to write; without a name they are listed, or all are written
    #[arg(
        value_name = "NAME",
        ignore_case = true,
        hide_possible_values = true,
        value_parser = PossibleValuesParser::new(Preset::all().iter().map(|preset| preset.name))
    )]
    names: Vec<String>,
    /// The folder to write them to, each as NAME.toml; it is made if need be
    #[arg(long, short, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    write: Option<PathBuf>,
    /// Files that are there already are replaced
    #[arg(long, short, requires = "write")]
    force: bool,
}

/// Runs the command; the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> u8 {
    let named = || args.names.iter().filter_map(|name| Preset::find(name));
    let chosen: Vec<&Preset> = if args.names.is_empty() {
        Preset::all().iter().collect()
    } else {
        named().collect()
    };
    if let Some(folder) = &args.write {
        return match write(folder, &chosen, args.force) {
            Ok(()) => 0,
            Err(message) => {
                output.complain(&message);
                UNREADABLE
            }
        };
    }
    let width = chosen.iter().map(|preset| preset.name.len()).max().unwrap_or(0);
    for preset in chosen {
        if args.names.is_empty() {
            output.line(&format!("{:width$}  {}", preset.name, preset.summary()));
        } else {
            output.bytes(preset.text.as_bytes());
        }
    }
    0
}

fn write(folder: &std::path::Path, presets: &[&Preset], force: bool) -> Result<(), String> {
    fs_err::create_dir_all(folder).map_err(|error| error.to_string())?;
    let target = |preset: &Preset| folder.join(format!("{}.toml", preset.name));
    if let Some(there) = presets
        .iter()
        .map(|preset| target(preset))
        .find(|path| !force && path.exists())
    {
        return Err(format!("{} is there already; --force replaces it", there.display()));
    }
    for preset in presets {
        storage::write_atomic(&target(preset), preset.text.as_bytes()).map_err(|error| error.to_string())?;
    }
    Ok(())
}
