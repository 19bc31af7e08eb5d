//! `wallcrawler presets`: lists the presets, prints them or writes them to files.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::failure::Failure;
use super::output::Output;
use super::source::preset_name;
use super::target::{ForceArgs, OutputKind, Outputs};
use crate::presets::Preset;
use crate::storage;

/// The arguments of `presets`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("force", |force| force.requires("write").conflicts_with("json")))]
pub(super) struct Args {
    /// Presets to print as TOML, or to write with --write. Without a name, all presets are listed or, with --write,
    /// written
    #[arg(
        value_name = "NAME",
        ignore_case = true,
        hide_possible_values = true,
        value_parser = preset_name()
    )]
    names: Vec<String>,
    /// Write the presets to this folder, each as NAME.toml; the folder is created if needed
    #[arg(long, short, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    write: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// Print each preset's name, summary, dimensions and number of vaults as JSON
    #[arg(long, conflicts_with = "write")]
    json: bool,
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let named = || args.names.iter().filter_map(|name| Preset::find(name));
    let chosen: Vec<&Preset> = if args.names.is_empty() {
        Preset::all().iter().collect()
    } else {
        named().collect()
    };
    if let Some(folder) = &args.write {
        for lost in write(folder, &chosen, args.force)? {
            output.warning(&lost);
        }
        return Ok(0);
    }
    if args.json {
        let all: Vec<Value> = chosen.into_iter().map(about).collect();
        output.line(&format!("{:#}", Value::from(all)));
        return Ok(0);
    }
    let width = chosen.iter().map(|preset| preset.name.len()).max().unwrap_or(0);
    for preset in chosen {
        if args.names.is_empty() {
            output.line(&format!("{:width$}  {}", preset.name, preset.summary()));
        } else {
            output.bytes(preset.text.as_bytes());
        }
    }
    Ok(0)
}

/// Returns the list entry of a preset as JSON.
fn about(preset: &Preset) -> Value {
    let layout = preset.design().layout;
    json!({
        "name": preset.name,
        "summary": preset.summary(),
        "rows": layout.size.x,
        "columns": layout.size.y,
        "vaults": layout.vaults.len(),
    })
}

/// Writes the presets to files, or none of them if one cannot be written. Returns warnings about properties of replaced
/// files that could not be preserved.
fn write(folder: &Path, presets: &[&Preset], force: ForceArgs) -> Result<Vec<String>, Failure> {
    let mut outputs = Outputs::new(force, Vec::new());
    let mut paths = Vec::new();
    for preset in presets {
        let path = folder.join(format!("{}.toml", preset.name));
        outputs.check_in_new_folder(&path, OutputKind::Edited)?;
        paths.push(path);
    }
    fs_err::create_dir_all(folder)?;
    let files = paths.iter().zip(presets);
    let files = files.map(|(path, preset)| (path.as_path(), preset.text.as_bytes()));
    Ok(storage::write_all(files)?)
}
