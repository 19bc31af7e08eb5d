//! `wallcrawler serve` runs the designer with a socket through which other programs control it. `wallcrawler mcp` lets
//! an MCP client control a designer over standard input and output.

use std::path::PathBuf;

use super::failure::Failure;
use super::output::Output;
use super::source::DESIGN_OF_DESIGNER;
use super::{DesignArgs, Outcome, change, open_design, settings};
use crate::geometry::Size;
use crate::text::shell_path;

/// Screen size, in characters, of the designer that `mcp` runs without a terminal.
const SCREEN: Size = Size::new(40, 120);

/// The arguments of `serve`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("design", |design| design.help(DESIGN_OF_DESIGNER)))]
pub(super) struct Args {
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    change: change::ChangeArgs,
    /// Path of the Unix socket to create; only your user account can connect to it. Requests are JSON objects, one per
    /// line: see the guide's page agents.md
    #[arg(long, value_name = "PATH")]
    socket: PathBuf,
    /// Run without a terminal. To end the program, send it a signal (`kill`), or run the action `everywhere.quit`
    /// through the socket. If there are unsaved changes, the action asks what to do with them; answer with the action
    /// `leaving.save`, or with `leaving.discard` twice (the second confirms)
    #[arg(long)]
    headless: bool,
    /// Height and width, in characters, of the simulated screen of --headless
    #[arg(long, value_name = "ROWSxCOLUMNS", requires = "headless", value_parser = screen, default_value = "40x120")]
    screen: Size,
    #[command(flatten)]
    settings: settings::PlaceArgs,
}

/// The arguments of `mcp`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("design", |design| design.help(DESIGN_OF_DESIGNER)))]
pub(super) struct McpArgs {
    #[command(flatten)]
    design: DesignArgs,
    /// Control the designer that `wallcrawler serve` runs with this socket; by default, start a new designer, which
    /// needs no terminal
    #[arg(
        long,
        value_name = "PATH",
        conflicts_with_all = ["design", "preset", "rooms", "stats", "constants", "seed", "config", "no_config"]
    )]
    socket: Option<PathBuf>,
    #[command(flatten)]
    settings: settings::PlaceArgs,
}

/// Parses the size of a screen in characters, such as `40x120`.
fn screen(text: &str) -> Result<Size, String> {
    let sides = text.split_once(['x', '×']);
    let sides = sides.and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)));
    sides
        .filter(|(rows, columns)| (1..=500).contains(rows) && (1..=500).contains(columns))
        .map(|(rows, columns)| Size::new(rows, columns))
        .ok_or_else(|| "write the size as ROWSxCOLUMNS, such as 40x120, each at most 500".into())
}

/// Returns the designer to run with a socket.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<Outcome, Failure> {
    if !cfg!(unix) {
        return Err(Failure::unreadable(
            "`serve` needs Unix sockets, which this system lacks; `wallcrawler mcp` works without them",
        ));
    }
    let document = open_design(&args.design, &args.change, output)?;
    Ok(Outcome::Serve {
        document: Box::new(document),
        settings: args.settings.place(),
        socket: Some(args.socket.clone()),
        headless: args.headless.then_some(args.screen),
        mcp: false,
    })
}

/// Connects MCP clients to a running designer if `--socket` is given; otherwise returns the designer to start for them.
pub(super) fn mcp(args: &McpArgs, output: &mut Output) -> Result<Outcome, Failure> {
    if let Some(path) = &args.socket {
        return drive(path).map(|()| Outcome::Done(std::process::ExitCode::SUCCESS));
    }
    let document = open_design(&args.design, &change::ChangeArgs::default(), output)?;
    Ok(Outcome::Serve {
        document: Box::new(document),
        settings: args.settings.place(),
        socket: None,
        headless: Some(SCREEN),
        mcp: true,
    })
}

/// Passes MCP tool calls to the designer that listens on the socket, until standard input ends.
fn drive(path: &std::path::Path) -> Result<(), Failure> {
    use std::io::{BufRead as _, BufReader, Write as _, stdin, stdout};

    let (input, mut to_designer) = crate::background::connect(path).map_err(|error| {
        let advice = if cfg!(unix) {
            format!("; start `wallcrawler serve --socket {}` first", shell_path(path))
        } else {
            String::new()
        };
        Failure::unreadable(format_args!("cannot connect to {}: {error}{advice}", path.display()))
    })?;
    let mut from_designer = BufReader::new(input);
    crate::mcp::serve(stdin().lock(), stdout().lock(), |line| {
        writeln!(to_designer, "{line}")?;
        let mut answer = String::new();
        if from_designer.read_line(&mut answer)? == 0 {
            return Err(std::io::Error::other("the designer has ended"));
        }
        Ok(answer)
    })
    .map_err(Failure::from)
}
