//! `wallcrawler man`: generates the manual pages from the commands' help and the designer's table of keys.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory as _, ValueHint};
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};

use super::Cli;
use super::failure::Failure;
use super::output::Output;
use super::target::{ForceArgs, OutputKind, Outputs};
use crate::recording_file::PROGRAM_VERSION;
use crate::settings::Vocabulary;
use crate::storage;

/// The arguments of `man`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("force", |force| force.requires("output").conflicts_with("command")))]
pub(super) struct Args {
    /// Command whose page is printed, as in `wallcrawler man vault show` [default: the program]
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    command: Vec<String>,
    /// Write the pages of the program and all its commands to this folder, which is created if needed
    #[arg(long, short, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

/// An additional section of the manual: its title, and its entries with their descriptions.
type Section = (&'static str, &'static [(&'static str, &'static str)]);

const EXIT: Section = (
    "EXIT STATUS",
    &[
        ("0", "Success."),
        (
            "1",
            "A design is unusable, or the result is negative: for example, no seed satisfies the condition of `find`.",
        ),
        ("2", "A file cannot be read or written, or the arguments are invalid."),
        ("3", "An expectation of a design fails."),
        ("130", "Interrupted; no file was changed."),
    ],
);

const FILES: Section = (
    "FILES",
    &[
        (
            "$XDG_CONFIG_HOME/wallcrawler/config.toml",
            "Keys, colours and other settings; $XDG_CONFIG_HOME is ~/.config unless it is set. `wallcrawler settings` \
             prints the path on this platform and writes a template.",
        ),
        (
            "$XDG_STATE_HOME/wallcrawler",
            "Unsaved work, until it is saved or discarded, and the recent designs; $XDG_STATE_HOME is ~/.local/state \
             unless it is set.",
        ),
        (
            "NAME.toml",
            "A design: layout, character, constants and seed in one file.",
        ),
        (
            "NAME.toml~",
            "Backup of a design's file, made when the designer first saves the file in a session.",
        ),
        (
            "NAME.new",
            "Complete copy of a design, kept while the design is being saved to a file that must be overwritten in \
             place, because the file has hard links, or an owner or attributes that a new file cannot get. The copy \
             remains only if the save was interrupted.",
        ),
        ("rooms, stats, constants", "The files of a DungeonMaker design."),
        ("NAME.wcr", "A recorded growth with its design."),
    ],
);

const ENVIRONMENT: Section = (
    "ENVIRONMENT",
    &[
        ("NO_COLOR", "If set and not empty, the designer draws without colours."),
        ("COLORTERM", "truecolor or 24bit if the terminal shows 24-bit colours."),
        ("WT_SESSION", "Set by Windows Terminal, which shows 24-bit colours."),
        (
            "TERM",
            "Type of the terminal, which determines the colours and characters that the designer uses.",
        ),
        (
            "COLORFGBG",
            "Whether the terminal's background is dark or light; used if the settings leave it open and the terminal \
             does not report it.",
        ),
        (
            "XDG_CONFIG_HOME, XDG_STATE_HOME",
            "Base folders of the settings and of the unsaved work; see FILES.",
        ),
        (
            "WALLCRAWLER_BLESS",
            "If set, the program's own tests rewrite the files with which they compare their results.",
        ),
    ],
);

const EXAMPLES: Section = (
    "EXAMPLES",
    &[
        ("wallcrawler --preset keep", "Opens the designer on a built-in design."),
        (
            "wallcrawler grow castle.toml --seed 7",
            "Prints a dungeon; the digit of a wall is its generation.",
        ),
        (
            "wallcrawler export castle.toml --output castle.png",
            "Exports a dungeon as a picture; the extension selects the kind of export.",
        ),
        (
            "wallcrawler check castle.toml --seeds 100",
            "Reports errors in a design and anomalies in its dungeons.",
        ),
        (
            "wallcrawler man --output ~/.local/share/man/man1",
            "Installs these pages for man(1).",
        ),
    ],
);

/// Returns the program's command, built so that each subcommand has its full name (`wallcrawler vault show`).
fn program() -> Command {
    // clap_mangen leaves out options that are hidden in the short help, so hide no options.
    let mut program = super::help::with_ends(Cli::command())
        .disable_help_subcommand(true)
        .mut_args(|arg| arg.hide_short_help(false));
    program.build();
    program
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, vocabulary: &Vocabulary, output: &mut Output) -> Result<u8, Failure> {
    let program = program();
    if let Some(folder) = &args.output {
        for lost in write_all(&program, vocabulary, folder, args.force)? {
            output.warning(&lost);
        }
    } else if let Some(command) = find(&program, &args.command) {
        output.bytes(&page(command, vocabulary)?);
    } else {
        return Err(Failure::unreadable(format_args!(
            "unknown command `wallcrawler {}`; run `wallcrawler --help` for the list",
            args.command.join(" ")
        )));
    }
    Ok(0)
}

/// Returns the subcommand with this path, such as `vault show`; without words, the program's command.
fn find<'a>(program: &'a Command, words: &[String]) -> Option<&'a Command> {
    let mut words = words.iter();
    words.try_fold(program, |command, word| command.find_subcommand(word))
}

/// Writes all pages, or none if one cannot be written. Returns warnings about properties of replaced files that could
/// not be preserved.
fn write_all(
    program: &Command,
    vocabulary: &Vocabulary,
    folder: &Path,
    force: ForceArgs,
) -> Result<Vec<String>, Failure> {
    let mut outputs = Outputs::new(force, Vec::new());
    let mut pages = Vec::new();
    for command in all(program) {
        let path = folder.join(Man::new(command.clone()).get_filename());
        outputs.check_in_new_folder(&path, OutputKind::ManualPage)?;
        pages.push((path, page(command, vocabulary)?));
    }
    fs_err::create_dir_all(folder)?;
    let pages = pages.iter().map(|(path, page)| (path.as_path(), page.as_slice()));
    Ok(storage::write_all(pages)?)
}

/// Returns a command and all its visible subcommands, recursively.
fn all(command: &Command) -> Vec<&Command> {
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    std::iter::once(command).chain(below.flat_map(all)).collect()
}

/// Renders the page of a command; the page of the program has additional sections.
fn page(command: &Command, vocabulary: &Vocabulary) -> std::io::Result<Vec<u8>> {
    let source = format!("wallcrawler {PROGRAM_VERSION}");
    let man = Man::new(command.clone()).manual("Wallcrawler").source(source);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(more) = command.get_after_long_help().or(command.get_after_help()) {
        page.write_all(verbatim("MORE", &more.to_string()).as_bytes())?;
    }
    let is_program = command.get_name() == "wallcrawler";
    if is_program {
        page.write_all(keys(vocabulary).as_bytes())?;
        for section in [FILES, ENVIRONMENT, EXIT, EXAMPLES] {
            page.write_all(entries(section).as_bytes())?;
        }
    } else {
        page.write_all(b".SH \"SEE ALSO\"\n\\fBwallcrawler\\fR(1)\n")?;
    }
    Ok(page)
}

/// Returns a section that is displayed with the line breaks of `text`, because the text may contain tables.
fn verbatim(title: &str, text: &str) -> String {
    let mut roff = Roff::new();
    roff.control("SH", [title]).control("nf", []);
    roff.text(lines(text));
    roff.control("fi", []);
    roff.to_roff()
}

/// Returns `text` without spaces at the ends of its lines.
fn lines(text: &str) -> Vec<Inline> {
    let joined = text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    vec![roman(joined)]
}

fn entries((title, entries): Section) -> String {
    let mut roff = Roff::new();
    roff.control("SH", [title]);
    for (name, meaning) in entries {
        roff.control("TP", []).text([bold(*name)]).text([roman(*meaning)]);
    }
    roff.to_roff()
}

/// Returns the keys of the designer, grouped by context.
fn keys(vocabulary: &Vocabulary) -> String {
    let mut roff = Roff::new();
    roff.control("SH", ["KEYS OF THE DESIGNER"]);
    roff.text([roman(
        "Press : to find an action by its name, including actions without a key. Press ? for the keys of the focused \
         part of the screen. Keys can be changed in the settings file; see FILES.",
    )]);
    let mut context = "";
    for action in vocabulary.actions.iter().filter(|action| !action.keys.is_empty()) {
        if action.context != context {
            context = &action.context;
            roff.control("SS", [context]);
        }
        roff.control("TP", [])
            .text([bold(action.keys.join("  "))])
            .text([roman(format!("{}: {}", action.name, action.help))]);
    }
    roff.to_roff()
}
