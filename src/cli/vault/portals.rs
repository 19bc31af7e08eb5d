//! `wallcrawler vault portals`: lists the connections between maps, and the connections that have no target.

use super::super::failure::Failure;
use super::super::output::Output;
use super::files;
use crate::text::{counted, escape_line};
use crate::vault::portals::{PortalEdge, Portals};

/// The arguments of `vault portals`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: files::Args,
    /// Show only the connections that lead from or to this map, and only the warnings about this map: portals that lead
    /// nowhere, transporters and hatches whose target is missing, and a missing exit
    #[arg(long, value_name = "NAME")]
    map: Option<String>,
}

/// Maximum number of targets that are named for a connection; further targets are only counted.
const NAMED: usize = 6;

/// Runs the command. Returns the exit status, or the error that stopped the command.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let ready = args.files.ready(output)?;
    let measured = ready.measured()?;
    let library = ready.runtime.library();
    let portals = Portals::new(library, measured.catalog(), |map| measured.some(map));
    let wanted = args.map.as_ref().map(|name| files::by_name(library, name));
    let wanted = wanted.transpose()?;
    let shown = |edge: &&PortalEdge| wanted.is_none_or(|map| edge.from == map || edge.to.contains(&map));
    let mut count = 0;
    for edge in portals.edges().iter().filter(shown) {
        count += 1;
        let mut names: Vec<&str> = edge.to.iter().map(|map| library.map(*map).name.as_str()).collect();
        let more = names.len().saturating_sub(NAMED);
        names.truncate(NAMED);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let to = if names.is_empty() {
            "nowhere".to_owned()
        } else {
            names.join(", ")
        };
        output.line(&format!(
            "{}{}{}: {} → {to}{more}",
            library.map(edge.from).name,
            cells(edge),
            if edge.timed { ", for a limited time" } else { "" },
            edge.way,
        ));
        for (name, value) in edge.properties.iter().filter(|(name, _)| name != "class") {
            output.line(&format!("  {name}: {}", escape_line(value)));
        }
        if output.is_closed() {
            return Ok(0);
        }
    }
    let dangling = portals.dangling(library, wanted);
    output.report(&dangling);
    let dangling = counted(dangling.len(), "dangling end");
    output.line(&format!("{}, {dangling}", counted(count, "connection")));
    Ok(ready.status(output))
}

/// Formats the cells where a connection begins, with rows and columns counted from 0: ` at row 4, column 3`.
fn cells(edge: &PortalEdge) -> String {
    let mut cells = edge.cells.iter();
    let Some(first) = cells.next() else {
        return String::new();
    };
    let more = cells.len();
    let more = if more > 0 {
        format!(" and {}", counted(more, "more cell"))
    } else {
        String::new()
    };
    format!(" at row {}, column {}{more}", first.y, first.x)
}
