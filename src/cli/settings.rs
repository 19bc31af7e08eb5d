//! `wallcrawler settings`: prints the path of the settings file, writes a template, and checks the file.

use std::path::{Path, PathBuf};

use super::UNUSABLE;
use super::failure::Failure;
use super::output::Output;
use super::source::readable;
use super::target::{self, ForceArgs, OutputKind, Outputs};
use crate::format::Text;
use crate::settings::{self, SettingsPath, Vocabulary};
use crate::storage::{self, STDIN, SinkKind};

/// Options for the location of the settings file.
#[derive(Debug, clap::Args)]
pub(super) struct PlaceArgs {
    /// Use this settings file instead of the default file in the configuration folder
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// Ignore the settings file and use the defaults
    #[arg(long)]
    no_config: bool,
}

impl PlaceArgs {
    /// Returns the settings location that the options select.
    pub(super) fn place(&self) -> SettingsPath {
        match &self.config {
            Some(path) => SettingsPath::File(path.clone()),
            None if self.no_config => SettingsPath::Nowhere,
            None => SettingsPath::Usual,
        }
    }
}

/// The arguments of `settings`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("force", |force| force.requires("write").conflicts_with("check")))]
pub(super) struct Args {
    /// Use this settings file instead of the default file in the configuration folder
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Write a template that lists every setting, colour and key with its default in a comment
    #[arg(long, short)]
    write: bool,
    #[command(flatten)]
    force: ForceArgs,
    /// Check the file and report invalid entries
    #[arg(long, short, conflicts_with = "write")]
    check: bool,
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, vocabulary: &Vocabulary, output: &mut Output) -> Result<u8, Failure> {
    let place = args.config.clone().map_or(SettingsPath::Usual, SettingsPath::File);
    let Some(path) = place.path() else {
        let message = "no home folder found; pass the path of the settings file with --config";
        return Err(Failure::unreadable(message));
    };
    if args.check {
        let path = readable(&path);
        if !path.exists() && path != Path::new(STDIN) {
            let message = format_args!("{} does not exist; pass --write to create it", path.display());
            return Err(Failure::unreadable(message));
        }
        let text = Text::decode(storage::input_name(&path), storage::read(&path)?);
        let (_, diagnostics) = settings::parse(&text, vocabulary);
        output.report(&diagnostics);
        return Ok(if diagnostics.is_empty() { 0 } else { UNUSABLE });
    }
    if args.write {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let sink_kind = Outputs::new(args.force, Vec::new()).check_in_new_folder(&path, OutputKind::Edited)?;
        folder.map_or(Ok(()), fs_err::create_dir_all)?;
        let text = settings::template(vocabulary);
        target::write(&path, sink_kind, text.as_bytes(), output)?;
        if sink_kind == SinkKind::Stdout {
            return Ok(0);
        }
    }
    output.line(&path.display().to_string());
    Ok(0)
}
