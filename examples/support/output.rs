//! Pictures that commands of the program draw.
//!
//! The recipe's only key is `command`: the command without `--to`, or with `--picture picture.png`. Blanks separate its
//! words; there are no quotes. Files that the command writes are not kept.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use wallcrawler::cli::{self, Outcome};
use wallcrawler::tui;

use super::recipe::Recipe;
use super::sheet::Sheet;

/// Name of the picture in commands.
const PICTURE: &str = "picture.png";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Drawn {
    command: String,
}

/// Exit status of a command that ran and reports that an expectation fails.
const UNEXPECTED: u8 = 3;

/// Runs the command of a recipe and returns the picture that it writes.
pub fn picture(recipe: &Recipe) -> Result<Sheet> {
    let Drawn { command } = recipe.value()?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join(PICTURE);
    let mut words: Vec<OsString> = command.split_whitespace().map(OsString::from).collect();
    if !words.iter().any(|word| word == PICTURE) {
        words.extend(["--to".into(), PICTURE.into()]);
    }
    for number in 1..words.len() {
        if ["--to", "--picture", "--output"]
            .iter()
            .any(|option| words[number - 1] == *option)
        {
            words[number] = folder.path().join(&words[number]).into();
        }
    }
    match cli::run(words, &tui::vocabulary()) {
        Outcome::Done(status) if [ExitCode::SUCCESS, UNEXPECTED.into()].contains(&status) => {}
        _ => bail!("{}: the command fails: {command}", recipe.place()),
    }
    let (sheet, _) = Sheet::read(&file).with_context(|| recipe.place())?;
    Ok(sheet)
}
