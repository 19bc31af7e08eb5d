//! Recipes: what a picture of a page shows, in a comment of the page above the picture.
//!
//! ```text
//! <!-- picture
//! of = "weave"
//! [[panel]]
//! caption = "MaxAge 3"
//! change = ["MaxAge -> 3"]
//! -->
//! ![What it shows](pictures/max-age.png)
//! ```
//!
//! A recipe is TOML. There are four kinds: `picture` shows dungeons (see [`super::dungeons`]), `screen` shows the
//! designer ([`super::screen`]), `film` shows the designer in use ([`super::film`]), and `output` shows the picture
//! that a command of the program draws ([`super::output`]). All but the last have a subject: `of`, a preset; `design`,
//! a table with other values, as in a design's file; `change`, rules for the parameters, such as `"MaxAge -> 3 in 0"`;
//! and `seed`. A picture that measures its dungeons has a table of metrics below it ([`super::metrics`]), which is
//! written together with the picture.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use wallcrawler::design::{Design, Diagnostic, Rule, Severity, ValidDesign};
use wallcrawler::document;
use wallcrawler::engine::{Options, cautions};
use wallcrawler::format::{Text, native};
use wallcrawler::presets::Preset;

/// The kind of a recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Picture,
    Screen,
    Film,
    Output,
}

/// A recipe of a page.
#[derive(Debug, Clone)]
pub struct Recipe {
    pub kind: Kind,
    /// Text of the recipe.
    pub text: String,
    /// The file of the picture.
    pub file: PathBuf,
    /// Page that contains the recipe.
    pub page: PathBuf,
    /// The line of the page at which the recipe begins, from 1.
    pub line: usize,
    /// The lines of the table below the picture, from 0; empty where there is none yet.
    pub table: Range<usize>,
}

/// Returns the recipes of a page.
pub fn of_page(page: &Path) -> Result<Vec<Recipe>> {
    let text = std::fs::read_to_string(page).with_context(|| format!("{} cannot be read", page.display()))?;
    let lines: Vec<&str> = text.lines().collect();
    let mut recipes = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let kind = match *line {
            "<!-- picture" => Kind::Picture,
            "<!-- screen" => Kind::Screen,
            "<!-- film" => Kind::Film,
            "<!-- output" => Kind::Output,
            _ => continue,
        };
        let at = || format!("{}:{}", page.display(), start + 1);
        let length = lines[start..].iter().position(|line| *line == "-->");
        let end = start + length.with_context(|| format!("{}: the recipe has no end", at()))?;
        let file = lines.get(end + 1).and_then(|line| image(line));
        let file = file.with_context(|| format!("{}: there is no picture below the recipe", at()))?;
        let folder = page.parent().unwrap_or(Path::new("."));
        let from = if lines.get(end + 2).is_some_and(|line| line.is_empty()) {
            end + 3
        } else {
            end + 2
        };
        let rows = lines.iter().skip(from).take_while(|line| line.starts_with('|')).count();
        recipes.push(Recipe {
            kind,
            text: lines[start + 1..end].join("\n"),
            file: folder.join(file),
            page: page.to_owned(),
            line: start + 1,
            table: from..from + rows,
        });
    }
    Ok(recipes)
}

/// Returns the file of `![…](FILE)`.
fn image(line: &str) -> Option<&str> {
    let (_, file) = line.strip_prefix("![")?.split_once("](")?;
    file.strip_suffix(')')
}

impl Recipe {
    /// Returns the position of the recipe, for messages.
    pub fn place(&self) -> String {
        format!("{}:{}", self.page.display(), self.line)
    }

    /// Parses the recipe.
    pub fn value<T: DeserializeOwned>(&self) -> Result<T> {
        toml::from_str(&self.text).with_context(|| self.place())
    }
}

/// The subject: the keys that recipes of every kind have.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Subject {
    of: Option<String>,
    design: toml::Table,
    change: Vec<String>,
    seed: Option<u64>,
}

impl Subject {
    const KEYS: [&str; 4] = ["of", "design", "change", "seed"];

    /// Separates the subject from the other keys of a recipe.
    pub fn part<T: DeserializeOwned>(mut all: toml::Table) -> Result<(Self, T)> {
        let own = Self::KEYS.iter().filter_map(|key| all.remove_entry(*key));
        let own = own.collect::<toml::Table>();
        Ok((own.try_into()?, all.try_into()?))
    }

    /// Returns the design with its changes and seed applied.
    pub fn design(&self) -> Result<Design> {
        let mut design = design(self.of.as_deref(), &self.design, &self.change)?;
        design.seed = self.seed.unwrap_or(design.seed);
        Ok(design)
    }
}

/// Merges the table `above` into `below`, overriding its values.
pub fn merge(below: &mut toml::Table, above: &toml::Table) {
    for (key, value) in above {
        match (below.get_mut(key), value) {
            (Some(toml::Value::Table(below)), toml::Value::Table(above)) => merge(below, above),
            _ => {
                below.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Returns the preset `of`, or the default design if it is `None`, with other values from a table as in a design's
/// file, and with parameters changed by rules.
fn design(of: Option<&str>, other: &toml::Table, change: &[String]) -> Result<Design> {
    let mut table = match of {
        None => toml::Table::new(),
        Some(name) => {
            let preset = Preset::find(name).with_context(|| format!("there is no preset {name}"))?;
            preset.text.parse().with_context(|| name.to_owned())?
        }
    };
    merge(&mut table, other);
    let text = toml::to_string(&table)?;
    let parsed = native::parse(&Text::new("recipe", &text));
    complain(&parsed.diagnostics)?;
    let mut design = parsed.value;
    for rule in change {
        let parsed = Rule::read(rule).with_context(|| rule.clone())?;
        let applied = parsed.apply(&mut design);
        applied.map_err(|message| anyhow::anyhow!("{rule}: {message}"))?;
    }
    Ok(design)
}

/// Fails on any diagnostic more severe than a note: recipes may only leave out values.
fn complain(diagnostics: &[Diagnostic]) -> Result<()> {
    match diagnostics
        .iter()
        .find(|diagnostic| diagnostic.severity > Severity::Note)
    {
        Some(diagnostic) => bail!("{diagnostic}"),
        None => Ok(()),
    }
}

/// Validates a design. Only the manual's warnings are allowed, because recipes show what the manual warns of.
pub fn valid(design: &Design) -> Result<ValidDesign> {
    let mut prepared = document::prepare(design, None, None);
    let shown = cautions(design, Options::default());
    prepared
        .diagnostics
        .retain(|found| shown.iter().all(|caution| caution.message != found.message));
    complain(&prepared.diagnostics)?;
    prepared.valid.context("the design cannot be grown")
}

/// Returns the pages that have recipes: the README and those of the guide.
pub fn pages() -> Result<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![root.join("README.md")];
    for entry in std::fs::read_dir(root.join("assets/guide"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    Ok(pages)
}
