//! Makes the pictures of the README and of the guide, each from the recipe above it in the page:
//! `cargo run --release --example guide [-- PART…]`.
//!
//! Arguments are parts of names: only pictures whose file or page contains one of them are made. Pictures that would
//! not change stay untouched, and so do screens of which no character changed. `--font FILE` and `--bold FILE` set
//! fonts for screens other than DejaVu Sans Mono. The test `guide` reports stale pictures.

mod support;

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result};

use support::paint::{self, Fonts};
use support::recipe::{Kind, Recipe, pages};
use support::sheet::{COLOURS, Sheet};
use support::{dungeons, film, metrics, output, recipe, screen};

fn main() -> Result<()> {
    let mut fonts = Fonts::default_files();
    let mut parts = Vec::new();
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--font" => fonts[0] = given.next().context("--font needs a file")?,
            "--bold" => fonts[1] = given.next().context("--bold needs a file")?,
            _ => parts.push(argument),
        }
    }
    let mut out = std::io::stdout().lock();
    for page in pages()? {
        // From the bottom up, so that a table that gets longer does not move the recipes that follow in this loop.
        for recipe in recipe::of_page(&page)?.iter().rev() {
            let names = [&recipe.file, &recipe.page].map(|path| path.display().to_string());
            let is_wanted = |part: &String| names.iter().any(|name| name.contains(part.as_str()));
            if !parts.is_empty() && !parts.iter().any(is_wanted) {
                continue;
            }
            let is_new = match recipe.kind {
                Kind::Picture => {
                    let is_new = keep(&recipe.file, &dungeons::picture(recipe)?, None)?;
                    write_table(recipe)? || is_new
                }
                Kind::Output => keep(&recipe.file, &output::picture(recipe)?, None)?,
                Kind::Screen => {
                    let (shown, light) = screen::of_recipe(recipe)?;
                    let note = shown.digest();
                    if Sheet::read(&recipe.file).is_ok_and(|(_, old)| old.as_ref() == Some(&note)) {
                        false
                    } else {
                        let mut sheet = paint::screen(&shown, &Fonts::read(&fonts)?, light);
                        sheet.reduce(COLOURS);
                        keep(&recipe.file, &sheet, Some(&note))?
                    }
                }
                Kind::Film => {
                    let shots = film::of_recipe(recipe)?;
                    let note = screen::digest(shots.iter().map(|(shot, _)| shot));
                    let old = std::fs::read(&recipe.file).unwrap_or_default();
                    let is_new = film::note(&old).as_ref() != Some(&note);
                    if is_new {
                        let mut bytes = Vec::new();
                        film::write(&shots, &Fonts::read(&fonts)?, false, &note, &mut bytes)?;
                        std::fs::write(&recipe.file, bytes)?;
                    }
                    is_new
                }
            };
            let state = if is_new { "made" } else { "as it was" };
            writeln!(out, "{}: {state}", recipe.file.display())?;
        }
    }
    Ok(())
}

/// Writes a picture, unless its file is equal already.
fn keep(file: &Path, sheet: &Sheet, note: Option<&str>) -> Result<bool> {
    if Sheet::read(file).is_ok_and(|(old, old_note)| old == *sheet && old_note.as_deref() == note) {
        return Ok(false);
    }
    sheet.write(file, note)?;
    Ok(true)
}

/// Writes the table of metrics below a picture into its page.
fn write_table(recipe: &Recipe) -> Result<bool> {
    let table = metrics::table(recipe)?;
    let page = std::fs::read_to_string(&recipe.page)?;
    let mut lines: Vec<&str> = page.lines().collect();
    if table.is_empty() || lines[recipe.table.clone()] == table {
        return Ok(false);
    }
    let is_first = recipe.table.is_empty();
    let mut rows: Vec<&str> = table.iter().map(String::as_str).collect();
    if is_first {
        // Put blank lines around a first table. If the page already has a blank line there, `table` begins after it.
        if lines
            .get(recipe.table.start.wrapping_sub(1))
            .is_none_or(|line| !line.is_empty())
        {
            rows.insert(0, "");
        }
        rows.push("");
    }
    lines.splice(recipe.table.clone(), rows);
    std::fs::write(&recipe.page, lines.join("\n") + "\n")?;
    Ok(true)
}
