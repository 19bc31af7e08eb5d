//! `wallcrawler vault list`: lists the maps of level files.

use super::super::failure::Failure;
use super::super::output::Output;
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
}

/// Runs the command and returns the exit status, as `Err` if the command fails before it writes.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let ready = args.files.ready(output)?;
    let runtime = &ready.runtime;
    let mut rows = Vec::new();
    for (map, report) in runtime.library().ids().zip(runtime.compile_all()) {
        let (source, state) = (runtime.library().map(map), &report.state);
        let named = args
            .name
            .as_ref()
            .is_none_or(|part| source.name.contains(part.as_str()));
        if !named || args.tag.as_ref().is_some_and(|tag| !state.tags.has(tag)) {
            continue;
        }
        let depths = match (state.places.to_string(), state.depths.to_string()) {
            (places, _) if !places.is_empty() => places,
            (_, depths) if !depths.is_empty() => depths,
            _ => source.default_depth.clone().unwrap_or_default(),
        };
        let row = [
            source.name.clone(),
            format!("{}×{}", state.glyphs.width(), state.glyphs.height()),
            state.orient.map_or("", Orient::name).to_owned(),
            depths,
            state
                .weights
                .at(&ready.world.level)
                .unwrap_or(DEFAULT_WEIGHT)
                .to_string(),
            state.tags.iter().collect::<Vec<_>>().join(" "),
            format!("{}:{}", runtime.library().file(map).name, source.line),
        ];
        // Escape before the column widths are measured.
        rows.push(row.map(|cell| escape_line(&cell).into_owned()).into());
    }
    rows.insert(
        0,
        ["map", "size", "orient", "depth", "weight", "tags", "file"]
            .map(str::to_owned)
            .into(),
    );
    for line in aligned(&rows, &[]) {
        output.line(&line);
        if output.is_closed() {
            break;
        }
    }
    Ok(ready.status(output))
}
