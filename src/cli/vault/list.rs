//! `wallcrawler vault list`: lists the maps of level files.

use serde_json::{Value, json};

use super::super::failure::Failure;
use super::super::output::Output;
use super::check::json_text;
use super::files;
use crate::text::{aligned, escape_line};
use crate::vault::spec::{DEFAULT_WEIGHT, Orient};

/// The arguments of `vault list`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: files::Args,
    /// List only maps with this tag
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// List only maps whose name contains this text
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

/// The listed properties of a map.
struct ListedMap {
    name: String,
    width: usize,
    height: usize,
    orient: &'static str,
    depth: String,
    weight: u32,
    tags: Vec<String>,
    file: String,
    line: u32,
}

impl ListedMap {
    /// Returns the cells of the map's row in the text table.
    fn cells(&self) -> Vec<String> {
        let row = [
            self.name.clone(),
            format!("{}×{}", self.width, self.height),
            self.orient.to_owned(),
            self.depth.clone(),
            self.weight.to_string(),
            self.tags.join(" "),
            format!("{}:{}", self.file, self.line),
        ];
        // Escape before the column widths are measured.
        row.map(|cell| escape_line(&cell).into_owned()).into()
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "width": self.width,
            "height": self.height,
            "orient": self.orient,
            "depth": self.depth,
            "weight": self.weight,
            "tags": self.tags,
            "file": self.file,
            "line": self.line,
        })
    }
}

/// Runs the command. Returns the exit status, or the error that stopped the command.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let ready = args.files.ready(output)?;
    let runtime = &ready.runtime;
    let mut maps = Vec::new();
    for (map, report) in runtime.library().ids().zip(runtime.compile_all()) {
        let (source, state) = (runtime.library().map(map), &report.state);
        let named = args
            .name
            .as_ref()
            .is_none_or(|part| source.name.contains(part.as_str()));
        if !named || args.tag.as_ref().is_some_and(|tag| !state.tags.has(tag)) {
            continue;
        }
        let depth = match (state.places.to_string(), state.depths.to_string()) {
            (places, _) if !places.is_empty() => places,
            (_, depths) if !depths.is_empty() => depths,
            _ => source.default_depth.clone().unwrap_or_default(),
        };
        maps.push(ListedMap {
            name: source.name.clone(),
            width: state.glyphs.width(),
            height: state.glyphs.height(),
            orient: state.orient.map_or("", Orient::name),
            depth,
            weight: state.weights.at(&ready.world.level).unwrap_or(DEFAULT_WEIGHT),
            tags: state.tags.iter().map(str::to_owned).collect(),
            file: runtime.library().file(map).name.clone(),
            line: source.line,
        });
    }
    if args.json {
        output.text(&json_text(&maps.iter().map(ListedMap::json).collect::<Value>()));
        return Ok(ready.status(output));
    }
    let head = ["map", "size", "orient", "depth", "weight", "tags", "file"].map(str::to_owned);
    let mut rows = vec![head.into()];
    rows.extend(maps.iter().map(ListedMap::cells));
    for line in aligned(&rows, &[]) {
        output.line(&line);
        if output.is_closed() {
            break;
        }
    }
    Ok(ready.status(output))
}
