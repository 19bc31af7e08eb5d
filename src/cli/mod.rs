//! The command line: everything that can be done with designs without the designer.
//!
//! Each command has its own file. Results go to standard output, messages to standard error. If the reader of a pipe
//! closes it, the command ends silently.
//!
//! Exit statuses: 0 success; 1 a design is unusable, or a search or comparison has a negative result (see the help of
//! the command); 2 a file cannot be read or written, or the arguments are invalid; 3 an expectation of a design fails;
//! 130 interrupted before anything was written.
//!
//! If the command line names no command, [`run`] returns the design, and the caller opens it in the designer: this
//! module does not use the code of the designer's screen.

mod atlas;
mod attempts;
mod bulk;
mod change;
mod check;
mod compare;
mod convert;
mod curve;
mod design_digest;
mod endpoints;
mod expectations;
mod export;
mod failure;
mod find;
mod frequency;
mod grow;
mod growth_report;
mod help;
mod import;
mod interrupt;
mod learn;
mod man;
mod members;
mod new;
mod output;
mod play;
mod presets;
mod progress;
mod range;
mod remedies;
mod render;
mod report;
mod rows;
mod scatter;
mod seeds;
mod selection;
mod serve;
mod settings;
mod source;
mod space;
mod statistics;
mod survey;
mod sweep;
mod target;
mod trials;
mod tune;
mod vault;
mod why;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::Styles;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use terminal_size::Width;

use self::failure::Failure;
use self::output::Output;
pub use self::output::print_error;
use self::progress::ProgressForm;
pub use self::source::DesignArgs;
use crate::document::Document;
use crate::engine::BuilderId;
use crate::export::ExportKind;
use crate::geometry::Size;
use crate::recording::MomentScript;
use crate::settings::{SettingsPath, Vocabulary};
use crate::text::{is_control, suggest};

/// Exit status for an unusable design, or for a negative result: for example, no seed satisfies a condition.
const UNUSABLE: u8 = 1;

/// Exit status for a file that cannot be read or written, and for invalid arguments.
const UNREADABLE: u8 = 2;

/// Exit status for a design whose dungeons do not meet its expectations.
const UNEXPECTED: u8 = 3;

/// Design dungeons grown by artificial life. Without a command, wallcrawler opens the designer in the terminal. It
/// shows DESIGN or the preset that --preset names; without either, it shows the first preset. If DESIGN is a TOML file
/// that does not exist, the designer begins a new design, which is written when you save it; the folder of this file
/// must exist.
///
/// In a dungeon, Crawlers build walls, and Jumpers (in full: ColumnJumpers) leave single columns; both are called
/// Builders. In a turn, one Builder acts; in an iteration, every Builder that is awake acts once. A vault is a
/// hand-made map that is placed in a dungeon as a whole.
///
/// DungeonMaker is the program of 2001 that first grew such dungeons. Wallcrawler keeps a design in one TOML file, or
/// in the files of DungeonMaker: a rooms file with the layout (rooms, hand-placed squares, first Crawlers), a stats
/// file with the behaviour of each generation, and optionally a constants file.
#[derive(Debug, Parser)]
#[command(
    name = "wallcrawler",
    version,
    override_usage = "wallcrawler [OPTIONS] [DESIGN]\n       wallcrawler [OPTIONS] <COMMAND>",
    mut_arg("design", |design| design.help(source::DESIGN_OF_DESIGNER))
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    change: change::ChangeArgs,
    #[command(flatten)]
    settings: settings::PlaceArgs,
    /// On standard error, print only errors and warnings
    #[arg(long, short, global = true, hide_short_help = true)]
    quiet: bool,
    /// How to report the progress of long tasks on standard error: as a bar on a terminal, or as one JSON object per
    /// line
    #[arg(long, value_name = "FORM", value_enum, global = true, hide_short_help = true)]
    progress: Option<ProgressForm>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a new design to a file: empty, with rooms, or from a preset
    New(new::Args),
    /// Grow a dungeon and print it
    Grow(grow::Args),
    /// Export a dungeon for other programs: text, JSON, pictures, animations, maps for game tools
    Export(export::Args),
    /// Play a recording or the growth of a design in the terminal; without a terminal, print the dungeon
    Play(play::Args),
    /// Run the designer with a socket through which programs drive it
    Serve(serve::Args),
    /// Let an AI agent drive the designer through the Model Context Protocol, on standard input and output
    Mcp(serve::McpArgs),
    /// Report errors in designs and, over many seeds, anomalies in their dungeons
    ///
    /// Anomalies are flaws that usually spoil a dungeon: for example, the exit cannot be reached, an area is enclosed,
    /// a room is missing, or a straight corridor runs along almost a whole side of the outer wall.
    Check(check::Args),
    /// Measure the dungeons of a design over many seeds
    Survey(survey::Args),
    /// Measure the dungeons of many designs that differ in some numbers
    Sweep(sweep::Args),
    /// Compare the metrics of two designs, or of a design before and after a change, seed by seed
    Compare(compare::Args),
    /// Find the seeds whose dungeons satisfy a condition, best first
    ///
    /// With --quiet, standard output contains only the seeds, one per line.
    Find(find::Args),
    /// Plot the distribution of two metrics over many seeds (the expressive range of a design)
    Range(range::Args),
    /// Write a page about the dungeons of a design: pictures, metrics, expectations, anomalies
    ///
    /// Anomalies are flaws that usually spoil a dungeon: for example, the exit cannot be reached, an area is enclosed,
    /// a room is missing, or a straight corridor runs along almost a whole side of the outer wall.
    Report(report::Args),
    /// List small changes to a dungeon's growth that would change a square or a metric, or report what a Builder
    /// contributed
    ///
    /// A Builder is a Crawler, which builds walls, or a Jumper, which leaves single columns. The changes are tried one
    /// at a time: a Builder is not born, a random roll has the opposite result, a parameter is one greater or one less,
    /// or a hand-placed square is missing. Each listed change was verified by growing the dungeon again.
    Why(why::Args),
    /// Choose reachable squares of a dungeon where a game can place objects
    Scatter(scatter::Args),
    /// Show in what share of dungeons each square is a wall, as a map, a picture or a table
    Frequency(frequency::Args),
    /// Show how metrics depend on the value of one parameter, with everything else fixed
    Curve(curve::Args),
    /// Find flaws in the dungeons of a design (anomalies, failed expectations, a path that is too direct), and changes
    /// that reduce them
    ///
    /// Anomalies are flaws that usually spoil a dungeon: for example, the exit cannot be reached, an area is enclosed,
    /// a room is missing, or a straight corridor runs along almost a whole side of the outer wall.
    Remedies(remedies::Args),
    /// Search for parameter values with which a design meets its expectations over many seeds
    Tune(tune::Args),
    /// Search for variants of a design that together cover as wide a range of two metrics as possible
    ///
    /// An atlas is a grid of cells with one metric on each axis. A candidate is a set of parameter values; the medians
    /// of both metrics over its dungeons determine its cell. Each cell keeps only its best candidate: the one that
    /// comes closest to meeting the design's expectations or, on a tie, the one whose dungeons differ least from seed
    /// to seed. The search fills as many cells as it can.
    Atlas(atlas::Args),
    /// Search for a character (the parameters of all generations) whose dungeons are like given examples
    Learn(learn::Args),
    /// Print the digest of a design: a short fingerprint that identifies the design in the rows of surveys
    DesignDigest(design_digest::Args),
    /// Convert a TOML design to the files of DungeonMaker or back, a recording to its design, or a design to a dungeon
    /// code or back
    Convert(convert::Args),
    /// Make a design from a drawing: a text maze, a picture, a Tiled map or a table
    Import(import::Args),
    /// List, print or write the presets
    Presets(presets::Args),
    /// List, show, check and format vaults: the hand-made maps in level files (.des) of Dungeon Crawl Stone Soup
    ///
    /// To resolve a map is to run its Lua code and to make its random choices, which a seed determines.
    Vault(vault::Args),
    /// Print the path of the settings file, write a template, or check the file
    Settings(settings::Args),
    /// Print a script for command-line completion in a shell
    Completions(Completions),
    /// Print a manual page in the format that man(1) reads, or write all manual pages
    Man(man::Args),
}

#[derive(Debug, clap::Args)]
struct Completions {
    /// Shell that the script is for
    shell: clap_complete::Shell,
}

/// Fails if the design cannot be opened in the designer: its name is a misspelt command, or it comes from standard
/// input, where the designer reads keys.
fn check_opened(design: &DesignArgs) -> Result<(), Failure> {
    if design.is_stdin() {
        return Err(Failure::unreadable(
            "the designer reads keys from standard input; write the design to a file, and open that",
        ));
    }
    design.path().and_then(misspelt_command).map_or(Ok(()), Err)
}

/// Fails if an argument of the designer precedes a command. Global options are allowed there; clap's own check
/// (`args_conflicts_with_subcommands`) would also refuse those.
fn check_before_command(command: &clap::Command, matches: &ArgMatches) -> Result<(), Failure> {
    let Some((name, _)) = matches.subcommand() else {
        return Ok(());
    };
    let is_given = |arg: &&clap::Arg| matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let Some(arg) = command
        .get_arguments()
        .filter(|arg| !arg.is_global_set())
        .find(is_given)
    else {
        return Ok(());
    };
    Err(Failure::unreadable(format_args!(
        "`{arg}` comes before the command `{name}`; write it after the command"
    )))
}

/// Opens a design for the designer, or creates a new design if the named TOML file does not exist, and applies the
/// rules of `--change`.
fn open_design(design: &DesignArgs, change: &change::ChangeArgs, output: &mut Output) -> Result<Document, Failure> {
    check_opened(design)?;
    let document = match design.new_file()? {
        Some(document) => document,
        None => design.document(output)?,
    };
    let document = change.edit(document, output)?;
    let files = document.files();
    files
        .iter()
        .filter_map(|path| path.parent())
        .for_each(crate::storage::sweep);
    Ok(document)
}

/// Returns the failure to report if the argument names no file but is similar to the name of a command.
fn misspelt_command(argument: &Path) -> Option<Failure> {
    let word = argument.to_str().filter(|word| !word.contains(['/', '\\', '.']))?;
    let command = Cli::command();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    if names.contains(&word) || argument.exists() {
        return None;
    }
    let meant = suggest(word, names)?;
    Some(Failure::unreadable(format_args!(
        "unknown command or design `{word}`; did you mean `wallcrawler {meant}`?"
    )))
}

/// Fails if the extension of a path for a design belongs to another kind of file. `text` allows the extensions of text
/// files, which rooms, stats and constants files may have.
fn check_design_path(path: &Path, text: bool) -> Result<(), Failure> {
    let path_of = |why| {
        let path = path.display();
        Failure::unreadable(format_args!(
            "{why}; to write an export, run `wallcrawler export DESIGN --output {path}`"
        ))
    };
    ExportKind::denies_design(path, text).map_or(Ok(()), |why| Err(path_of(why)))
}

/// What the caller must do after the command line has been processed.
#[derive(Debug)]
pub enum Outcome {
    /// Nothing: exit with this status.
    Done(ExitCode),
    /// Open a document in the designer.
    Open {
        /// The document to open.
        document: Box<Document>,
        /// Location of the settings.
        settings: SettingsPath,
        /// Whether the command line names no design, in which case the user may be new to the program.
        unnamed: bool,
    },
    /// Run the designer for programs that drive it.
    Serve {
        /// The document to open.
        document: Box<Document>,
        /// Location of the settings.
        settings: SettingsPath,
        /// Path of the socket to open, if any.
        socket: Option<PathBuf>,
        /// Size in characters of a designer without a terminal (x: rows, y: columns).
        headless: Option<Size>,
        /// Whether a program drives the designer over standard input and output.
        mcp: bool,
    },
    /// Play the recording of a document.
    Play {
        /// The document with the recording.
        document: Box<Document>,
        /// Turns per second, if the command line determines them.
        speed: Option<f64>,
        /// Turn at which playback starts paused, if any.
        at: Option<u64>,
        /// Builder to follow, if any.
        follow: Option<BuilderId>,
        /// The moments to show one after the other, if any.
        moments: Option<MomentScript>,
        /// Whether the dungeon was grown and recorded just now, so that the recording has no file.
        grown: bool,
        /// Location of the settings.
        settings: SettingsPath,
    },
}

/// Reports why clap could not parse `args`, or prints the help or version, which clap also returns as an error. Prints
/// without colours if `is_plain`. Returns the exit status.
fn report_unparsed(error: &clap::Error, args: &[OsString], is_plain: bool) -> ExitCode {
    // Look for a misspelt command first: clap takes it for a design and would only report that its arguments are
    // unknown.
    let first = args.get(1).map(Path::new).filter(|_| error.use_stderr());
    if let Some(failure) = first.and_then(misspelt_command) {
        return ExitCode::from(failure.report(&mut Output::new(false)));
    }
    let failed = output::print_clap(error, is_plain);
    ExitCode::from(failed.unwrap_or_else(|| u8::try_from(error.exit_code()).unwrap_or(UNREADABLE)))
}

/// Returns the width at which help is printed: the width of the terminal, but at most [`help::WIDEST`]. Without a
/// terminal, returns [`help::WIDEST`].
fn help_width() -> usize {
    match terminal_size::terminal_size() {
        Some((Width(columns @ 1..), _)) => help::WIDEST.min(columns.into()),
        _ => help::WIDEST,
    }
}

/// Runs the command line. `args` contains the program's name and its arguments; `vocabulary` lists the designer's
/// actions and colours, which the `settings` and `man` commands describe.
pub fn run(args: impl IntoIterator<Item = OsString>, vocabulary: &Vocabulary) -> Outcome {
    output::report_panics();
    let args: Vec<OsString> = args.into_iter().collect();
    // clap repeats arguments in its messages. A control character in an argument could not be distinguished from clap's
    // own colour codes, so such messages are printed without colours.
    let is_plain = args.iter().any(|arg| arg.to_string_lossy().contains(is_control));
    let mut command = help::wrapped(help::with_ends(Cli::command()), help_width());
    if is_plain {
        command = command.styles(Styles::plain());
    }
    let matches = command.try_get_matches_from_mut(&args);
    let cli = matches.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match cli {
        Ok(parsed) => parsed,
        Err(error) => return Outcome::Done(report_unparsed(&error, &args, is_plain)),
    };
    let form = if cli.quiet {
        ProgressForm::Never
    } else {
        ProgressForm::Auto
    };
    progress::set_form(cli.progress.unwrap_or(form));
    let mut output = Output::new(cli.quiet);
    let checked = check_before_command(&command, &matches).and_then(|()| source::check_stdin(&matches));
    if let Err(failure) = checked {
        return Outcome::Done(ExitCode::from(failure.report(&mut output)));
    }
    let ended = match cli.command {
        None => match open_design(&cli.design, &cli.change, &mut output) {
            Ok(document) => {
                return Outcome::Open {
                    document: Box::new(document),
                    settings: cli.settings.place(),
                    unnamed: cli.design.is_empty() && cli.change.is_empty(),
                };
            }
            Err(failure) => Err(failure),
        },
        Some(Command::New(args)) => new::run(&args, &mut output),
        Some(Command::Grow(args)) => grow::run(&args, &mut output),
        Some(Command::Export(args)) => export::run(&args, matches.subcommand().map(|(_, given)| given), &mut output),
        Some(Command::Play(args)) => match play::run(&args, &mut output) {
            Ok(Some(start)) => {
                return Outcome::Play {
                    document: Box::new(start.document),
                    speed: start.speed,
                    at: start.at,
                    follow: start.follow,
                    moments: start.moments,
                    grown: start.grown,
                    settings: args.settings.place(),
                };
            }
            Ok(None) => Ok(0),
            Err(failure) => Err(failure),
        },
        Some(Command::Serve(args)) => match serve::run(&args, &mut output) {
            Ok(outcome) => return outcome,
            Err(failure) => Err(failure),
        },
        Some(Command::Mcp(args)) => match serve::mcp(&args, &mut output) {
            Ok(outcome) => return outcome,
            Err(failure) => Err(failure),
        },
        Some(Command::Check(args)) => check::run(&args, &mut output),
        Some(Command::Survey(args)) => survey::run(&args, &mut output),
        Some(Command::Sweep(args)) => sweep::run(&args, &mut output),
        Some(Command::Compare(args)) => compare::run(&args, matches.subcommand().map(|(_, given)| given), &mut output),
        Some(Command::Find(args)) => find::run(&args, &mut output),
        Some(Command::Range(args)) => range::run(&args, &mut output),
        Some(Command::Report(args)) => report::run(&args, &mut output),
        Some(Command::Why(args)) => why::run(&args, &mut output),
        Some(Command::Scatter(args)) => scatter::run(&args, &mut output),
        Some(Command::Frequency(args)) => frequency::run(&args, &mut output),
        Some(Command::Curve(args)) => curve::run(&args, &mut output),
        Some(Command::Remedies(args)) => remedies::run(&args, &mut output),
        Some(Command::Atlas(args)) => atlas::run(&args, &mut output),
        Some(Command::Learn(args)) => learn::run(&args, matches.subcommand().map(|(_, given)| given), &mut output),
        Some(Command::Tune(args)) => tune::run(&args, &mut output),
        Some(Command::DesignDigest(args)) => design_digest::run(&args, &mut output),
        Some(Command::Convert(args)) => {
            let to_toml = matches.subcommand().is_some_and(|(_, m)| convert::is_to_toml(m));
            convert::run(&args, to_toml, &mut output)
        }
        Some(Command::Import(args)) => import::run(&args, &mut output),
        Some(Command::Presets(args)) => presets::run(&args, &mut output),
        Some(Command::Settings(args)) => settings::run(&args, vocabulary, &mut output),
        Some(Command::Vault(args)) => vault::run(&args, &mut output),
        Some(Command::Man(args)) => man::run(&args, vocabulary, &mut output),
        Some(Command::Completions(args)) => {
            let mut script = Vec::new();
            clap_complete::generate(args.shell, &mut Cli::command(), "wallcrawler", &mut script);
            output.bytes(&script);
            Ok(0)
        }
    };
    let status = ended.unwrap_or_else(|failure| failure.report(&mut output));
    Outcome::Done(ExitCode::from(output.finish().unwrap_or(status)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::error::{ContextKind, ContextValue, ErrorKind};

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn options_that_need_at_least_one_refuse_0() {
        for line in [
            "why --preset keep --at 3,4 --show 0",
            "survey --preset keep --threads 0",
            "export --preset keep --seeds 5 --output keep.npz --threads 0",
            "vault stats --levels 0",
            "vault stats --dungeons 0",
            "vault dump volcano --times 0",
        ] {
            let words = std::iter::once("wallcrawler").chain(line.split(' '));
            let error = Cli::command().try_get_matches_from(words).unwrap_err();
            assert!(error.to_string().contains("0 is not in 1.."), "{line}: {error}");
        }
    }

    /// Returns a command and all its subcommands, recursively, with arguments that accept any value.
    fn lenient(command: &clap::Command) -> Vec<clap::Command> {
        let mut one = command.clone().mut_args(|arg| {
            if arg.get_action().takes_values() {
                arg.value_parser(clap::value_parser!(String))
            } else {
                arg
            }
        });
        one.build();
        let below = command.get_subcommands().flat_map(lenient);
        std::iter::once(one).chain(below).collect()
    }

    /// Parses a command line with these arguments, and returns clap's error.
    fn error(command: &mut clap::Command, args: &[&clap::Arg]) -> Option<clap::Error> {
        let words = |arg: &&clap::Arg| {
            let flag = arg.get_long().map(|name| format!("--{name}"));
            let values = arg.get_num_args().map_or(0, |range| match range.max_values() {
                0 => 0,
                _ => range.min_values().max(1),
            });
            flag.into_iter().chain(std::iter::repeat_n("1".to_owned(), values))
        };
        let words = std::iter::once("wallcrawler".to_owned()).chain(args.iter().flat_map(words));
        command.try_get_matches_from_mut(words).err()
    }

    /// Returns the arguments that clap reports as missing.
    fn missing(error: Option<&clap::Error>) -> Vec<String> {
        match error.and_then(|error| error.get(ContextKind::InvalidArg)) {
            Some(ContextValue::Strings(names)) => names.clone(),
            _ => Vec::new(),
        }
    }

    /// clap does not demand a required option that conflicts with another option given. The option that requires it
    /// would then be ignored, so it must have the same conflicts.
    #[test]
    fn options_conflict_with_all_that_conflicts_with_the_options_they_require() {
        let is_conflict = |error: &clap::Error| error.kind() == ErrorKind::ArgumentConflict;
        let (mut ignored, mut required) = (Vec::new(), 0);
        for mut command in lenient(&Cli::command()) {
            let args: Vec<clap::Arg> = command.get_arguments().cloned().collect();
            let always = missing(error(&mut command, &[]).as_ref());
            let (always, rest): (Vec<_>, Vec<_>) = args.iter().partition(|arg| always.contains(&arg.to_string()));
            for &option in &rest {
                let needed = missing(error(&mut command, &[option]).as_ref());
                for &needed in rest.iter().filter(|arg| needed.contains(&arg.to_string())) {
                    required += 1;
                    for &other in rest.iter().filter(|other| **other != option && **other != needed) {
                        let conflict = error(&mut command, &[needed, other]);
                        let found = error(&mut command, &[&[option, other], &always[..]].concat());
                        if conflict.as_ref().is_some_and(is_conflict) && found.is_none() {
                            ignored.push(format!("{}: {option} with {other}", command.get_name()));
                        }
                    }
                }
            }
        }
        assert!(required > 10, "{required}");
        assert!(ignored.is_empty(), "{ignored:#?}");
    }
}
