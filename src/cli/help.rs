//! The last part of each command's help: examples and exit statuses, from one table.

use std::fmt::Write as _;

use clap::Command;

/// Examples and exit statuses of one command.
struct HelpEnd {
    /// The command and its subcommand, such as `vault show`; empty for the program itself.
    command: &'static str,
    /// Examples: command lines without the program's name.
    examples: &'static [&'static str],
    /// Exit statuses with their meanings.
    statuses: &'static [(u8, &'static str)],
}

const DONE: (u8, &str) = (0, "success");
const UNUSABLE: (u8, &str) = (1, "the design is unusable");
const FILE: (u8, &str) = (2, "a file cannot be read or written, or the arguments are invalid");
const USAGE: (u8, &str) = (2, "the arguments are invalid");
const INTERRUPTED: (u8, &str) = (130, "interrupted; no file was changed");
const LEVEL_FILES: (u8, &str) = (1, "a level file or map has errors");

const ENDS: &[HelpEnd] = &[
    HelpEnd {
        command: "",
        examples: &["--preset keep", "castle.toml --seed 7", "rooms4"],
        statuses: &[
            DONE,
            UNUSABLE,
            (
                2,
                "a file cannot be read, there is no terminal, or the arguments are invalid",
            ),
        ],
    },
    HelpEnd {
        command: "new",
        examples: &[
            "new castle.toml --size 60x90",
            "new castle.toml --rooms --crawlers 2",
            "new castle.toml --template keep",
        ],
        statuses: &[DONE, (1, "a design of this size is unusable"), FILE],
    },
    HelpEnd {
        command: "grow",
        examples: &[
            "grow castle.toml --seed 7",
            "grow --preset keep --format ansi",
            "grow castle.toml --output castle.txt",
        ],
        statuses: &[DONE, UNUSABLE, FILE],
    },
    HelpEnd {
        command: "export",
        examples: &[
            "export castle.toml --output castle.png --scale 16 --legend",
            "export castle.toml --output castle.pdf --paper letter",
            "export castle.toml --format json --output -",
        ],
        statuses: &[DONE, UNUSABLE, FILE, INTERRUPTED],
    },
    HelpEnd {
        command: "play",
        examples: &[
            "play castle.toml --seconds 20",
            "play growth.wcr --at 500",
            "play castle.toml --frame 100",
        ],
        statuses: &[DONE, UNUSABLE, FILE, (130, "interrupted")],
    },
    HelpEnd {
        command: "serve",
        examples: &[
            "serve castle.toml --socket ~/designer.sock",
            "serve --preset keep --socket keep.sock --headless",
        ],
        statuses: &[
            DONE,
            UNUSABLE,
            (
                2,
                "a file cannot be read, the socket cannot be opened, there is no terminal, or the arguments are invalid",
            ),
        ],
    },
    HelpEnd {
        command: "mcp",
        examples: &["mcp castle.toml", "mcp --socket ~/designer.sock"],
        statuses: &[
            DONE,
            (1, "the design is unusable, or the agent's last save or export failed"),
            (
                2,
                "a file cannot be read, no designer is listening on the socket, or the arguments are invalid",
            ),
        ],
    },
    HelpEnd {
        command: "check",
        examples: &[
            "check castle.toml",
            "check rooms4 stats4",
            "check castle.toml --seeds 100",
            "check --preset keep --seeds 100",
            "check castle.toml --seeds 1000 --strict --json",
        ],
        statuses: &[
            DONE,
            (1, "the design is unusable, or no dungeon satisfies --where"),
            FILE,
            (
                3,
                "an expectation is not met over the seeds, or, with --strict, the seeds are too few to show whether it is met",
            ),
        ],
    },
    HelpEnd {
        command: "survey",
        examples: &[
            "survey castle.toml --seeds 1000",
            "survey castle.toml --change 'MaxAge -> 3' --output age-3.csv",
            "survey castle.toml --shard 1/4 --output part-1.parquet",
        ],
        statuses: &[DONE, UNUSABLE, FILE],
    },
    HelpEnd {
        command: "sweep",
        examples: &[
            "sweep ages.toml",
            "sweep ages.toml --seeds 1000 --output ages.parquet",
            "sweep ages.toml --sensitivity --correlation",
        ],
        statuses: &[DONE, UNUSABLE, FILE],
    },
    HelpEnd {
        command: "compare",
        examples: &[
            "compare castle.toml --change 'StraightSpawnProb - 10 in 1'",
            "compare castle.toml --preset keep --seeds 0..200",
            "compare before.toml after.toml --json",
        ],
        statuses: &[DONE, UNUSABLE, FILE],
    },
    HelpEnd {
        command: "find",
        examples: &[
            "find castle.toml --where 'path > 250 and dead-ends < 30'",
            "find castle.toml --where reachable --by path",
        ],
        statuses: &[
            (0, "at least one seed satisfies the condition"),
            (1, "no seed satisfies the condition, or the design is unusable"),
            FILE,
        ],
    },
    HelpEnd {
        command: "range",
        examples: &[
            "range castle.toml --x path --y dead-ends",
            "range castle.toml --x path --y dead-ends --seeds 0..10000 --output map.svg",
            "range --from survey.csv --x fill --y loops --output map.csv",
        ],
        statuses: &[
            DONE,
            (1, "the design is unusable, or no dungeon has a value on both axes"),
            FILE,
        ],
    },
    HelpEnd {
        command: "report",
        examples: &[
            "report castle.toml --output castle.html",
            "report --preset keep --seeds 0..10000 --output keep.md",
        ],
        statuses: &[DONE, UNUSABLE, FILE],
    },
    HelpEnd {
        command: "why",
        examples: &[
            "why castle.toml --seed 7 --at 12,30",
            "why --preset weave --builder 41",
            "why castle.toml --metric enclosed",
            "why castle.toml --metric 'path < 200' --all",
            "why castle.toml --at 12,30 --show 1",
        ],
        statuses: &[DONE, UNUSABLE, FILE],
    },
    HelpEnd {
        command: "scatter",
        examples: &[
            "scatter castle.toml --count 12 --apart 8",
            "scatter castle.toml --seed 7 --by dead-end --csv",
        ],
        statuses: &[
            DONE,
            (1, "the design is unusable, or fewer squares fit than --count asks for"),
            FILE,
        ],
    },
    HelpEnd {
        command: "frequency",
        examples: &[
            "frequency castle.toml --seeds 1000",
            "frequency castle.toml --output walls.png",
            "frequency --preset keep --csv",
        ],
        statuses: &[DONE, UNUSABLE, FILE],
    },
    HelpEnd {
        command: "curve",
        examples: &[
            "curve castle.toml --over MaxAge",
            "curve castle.toml --over 'MaxAge in 2' --values 5..=20 --metrics path,loops --csv",
        ],
        statuses: &[DONE, UNUSABLE, FILE],
    },
    HelpEnd {
        command: "remedies",
        examples: &["remedies castle.toml", "remedies castle.toml --seeds 1000 --json"],
        statuses: &[DONE, UNUSABLE, FILE],
    },
    HelpEnd {
        command: "tune",
        examples: &[
            "tune castle.toml --expect 'path >= 180 in 95%' --output tuned.toml",
            "tune castle.toml --move MaxAge,joinDist",
        ],
        statuses: &[
            (0, "no expectation fails over 100 seeds that the search did not use"),
            UNUSABLE,
            FILE,
            (3, "an expectation fails"),
        ],
    },
    HelpEnd {
        command: "atlas",
        examples: &[
            "atlas castle.toml --x loops --y dead-ends --file castle.json",
            "atlas castle.toml --x loops --y dead-ends --file castle.json --picture atlas.png",
            "atlas castle.toml --x loops --y dead-ends --file castle.json --pick 40,12 --output other.toml",
        ],
        statuses: &[
            DONE,
            (
                1,
                "the design is unusable, no candidate has values for both metrics, or the two cells of --breed are too close to each other to have a child",
            ),
            FILE,
        ],
    },
    HelpEnd {
        command: "learn",
        examples: &[
            "learn map-1.png map-2.png map-3.png --output like-them.toml",
            "learn castle.toml --seeds 0..200 --layout keep.toml --output keep-like-castle.toml",
            "learn --preset weave --layout river --metrics path,fill,loops --output woven-river.toml",
        ],
        statuses: &[
            (
                0,
                "the dungeons grown from 100 seeds that the search did not use are like the examples",
            ),
            UNUSABLE,
            FILE,
            (
                3,
                "the dungeons grown from those 100 seeds differ from the examples in at least one metric; the nearest character found is written",
            ),
        ],
    },
    HelpEnd {
        command: "design-digest",
        examples: &[
            "design-digest castle.toml",
            "design-digest castle.toml --change 'MaxAge -> 3'",
            "design-digest --preset keep --json",
        ],
        statuses: &[DONE, UNUSABLE, FILE],
    },
    HelpEnd {
        command: "convert",
        examples: &[
            "convert castle.toml --rooms rooms4 --stats stats4",
            "convert growth.wcr --output castle.toml",
        ],
        statuses: &[DONE, UNUSABLE, FILE],
    },
    HelpEnd {
        command: "import",
        examples: &[
            "import maze.png --output maze.toml",
            "import maze.txt --walls '#' --into castle.toml --output both.toml",
        ],
        statuses: &[DONE, (1, "the drawing or the design is unusable"), FILE],
    },
    HelpEnd {
        command: "presets",
        examples: &["presets", "presets keep", "presets --write designs"],
        statuses: &[DONE, FILE],
    },
    HelpEnd {
        command: "settings",
        examples: &["settings", "settings --write", "settings --check"],
        statuses: &[DONE, (1, "the settings file has invalid entries"), FILE],
    },
    HelpEnd {
        command: "completions",
        examples: &["completions bash > ~/.local/share/bash-completion/completions/wallcrawler"],
        statuses: &[DONE, USAGE],
    },
    HelpEnd {
        command: "man",
        examples: &["man vault show | man -l -", "man --output ~/.local/share/man/man1"],
        statuses: &[DONE, FILE],
    },
    HelpEnd {
        command: "vault",
        examples: &["vault list", "vault check own.des"],
        statuses: &[DONE, LEVEL_FILES, FILE],
    },
    HelpEnd {
        command: "vault list",
        examples: &["vault list", "vault list own.des --tag shop"],
        statuses: &[DONE, LEVEL_FILES, FILE],
    },
    HelpEnd {
        command: "vault show",
        examples: &["vault show moon_well --view ansi", "vault show my_map own.des --seed 7"],
        statuses: &[DONE, LEVEL_FILES, FILE],
    },
    HelpEnd {
        command: "vault check",
        examples: &[
            "vault check own.des",
            "vault check own.des --map my_map --seeds 100",
            "vault check own.des --closets --seeds 1000",
            "vault check levels --strict --format github",
        ],
        statuses: &[DONE, LEVEL_FILES, FILE],
    },
    HelpEnd {
        command: "vault diff",
        examples: &["vault diff old.des new.des", "vault diff release/levels levels --json"],
        statuses: &[(0, "no map differs"), (1, "a map differs"), FILE],
    },
    HelpEnd {
        command: "vault lsp",
        examples: &["vault lsp", "vault lsp levels --names names.json"],
        statuses: &[
            DONE,
            (1, "the editor ended the server without asking it to shut down"),
            FILE,
        ],
    },
    HelpEnd {
        command: "vault fmt",
        examples: &["vault fmt own.des", "vault fmt --check levels"],
        statuses: &[
            DONE,
            (
                1,
                "with --check, a file would change; or a file has errors and cannot be formatted",
            ),
            FILE,
        ],
    },
    HelpEnd {
        command: "vault names",
        examples: &["vault names --crawl-data /usr/share/crawl/dat --output crawl-names.json"],
        statuses: &[DONE, FILE],
    },
    HelpEnd {
        command: "vault stats",
        examples: &["vault stats own.des --place D:5", "vault stats --dungeons 10"],
        statuses: &[DONE, LEVEL_FILES, FILE],
    },
    HelpEnd {
        command: "vault portals",
        examples: &["vault portals own.des"],
        statuses: &[DONE, LEVEL_FILES, FILE],
    },
    HelpEnd {
        command: "vault dump",
        examples: &["vault dump my_map own.des --times 20 --output maps/my_map"],
        statuses: &[DONE, LEVEL_FILES, FILE],
    },
];

impl HelpEnd {
    fn text(&self) -> String {
        let mut text = String::from("Examples:\n");
        for example in self.examples {
            let _ = writeln!(text, "  wallcrawler {example}");
        }
        text.push_str("\nExit status:\n");
        for (status, meaning) in self.statuses {
            let _ = writeln!(text, "  {status:<4} {meaning}");
        }
        text
    }
}

/// Adds examples and exit statuses to the end of the `--help` of a command and its subcommands.
pub(super) fn with_ends(command: Command) -> Command {
    added(command, "")
}

fn added(command: Command, path: &str) -> Command {
    let below: Vec<String> = command
        .get_subcommands()
        .map(|below| below.get_name().to_owned())
        .collect();
    let command = below.iter().fold(command, |command, name| {
        let path = format!("{path} {name}");
        command.mut_subcommand(name, |below| added(below, path.trim_start()))
    });
    let Some(end) = ENDS.iter().find(|end| end.command == path) else {
        return command;
    };
    let before = command.get_after_long_help().or(command.get_after_help());
    let before = before.map_or(String::new(), |before| {
        before.to_string().trim_end().to_owned() + "\n\n"
    });
    command.after_long_help(before + &end.text())
}

/// Maximum width of the help, in columns.
pub(super) const WIDEST: usize = 100;

/// Minimum width of the descriptions in a list, in columns of the terminal.
const NARROWEST: usize = 15;

/// Sets the width of the help of a command and its subcommands, and wraps the lists that follow the options so that the
/// second line of a description starts in the same column as its first line. clap would start it at the left edge.
pub(super) fn wrapped(command: Command, width: usize) -> Command {
    let command = command.mut_subcommands(|below| wrapped(below, width)).term_width(width);
    match command.get_after_long_help().map(ToString::to_string) {
        Some(text) => command.after_long_help(hanging(&text, width)),
        None => command,
    }
}

/// Wraps the indented lines of a text that are longer than `width`. Each continuation line begins below the last field
/// of the line that is wrapped, such as the description in `  name   description`.
fn hanging(text: &str, width: usize) -> String {
    let lines = text.lines().map(|line| {
        let start = line.len() - line.trim_start().len();
        if start == 0 || line.chars().count() <= width {
            return line.to_owned();
        }
        let column = match line.rfind("  ").map(|at| at + 2) {
            Some(column) if column > start && column + NARROWEST <= width => column,
            _ => start + 2,
        };
        let indent = " ".repeat(line[..column].chars().count());
        let mut wrapped = line[..column].to_owned();
        let mut used = indent.len();
        for (number, word) in line[column..].split(' ').enumerate() {
            let long = word.chars().count();
            if number > 0 && used + 1 + long > width {
                wrapped.push('\n');
                wrapped.push_str(&indent);
                used = indent.len();
            } else if number > 0 {
                wrapped.push(' ');
                used += 1;
            }
            wrapped.push_str(word);
            used += long;
        }
        wrapped
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    fn assert_has_end(command: &Command, words: &[&str]) {
        let path = words.join(" ");
        let end = ENDS.iter().find(|end| end.command == path);
        let end = end.unwrap_or_else(|| panic!("no examples for `{path}`"));
        for example in end.examples {
            assert!(example.starts_with(&path), "{example}");
        }
        for below in command.get_subcommands() {
            assert_has_end(below, &[words, &[below.get_name()]].concat());
        }
    }

    #[test]
    fn every_command_has_examples_and_exit_statuses() {
        assert_has_end(&Cli::command(), &[]);
    }

    #[test]
    fn long_lines_of_a_list_continue_below_their_description() {
        let list = "Kinds:\n  png  .png .apng  a picture of the whole dungeon\n  a command that is too long\n";
        assert_eq!(
            hanging(list, 34),
            "Kinds:\n  png  .png .apng  a picture of\n                   the whole\n                   dungeon\n  a command that is too long\n"
        );
        assert_eq!(
            hanging("  a command that is too long\n", 20),
            "  a command that is\n    too long\n"
        );
        let mut command = wrapped(with_ends(Cli::command()), 60);
        let survey = command.find_subcommand_mut("survey").expect("a command");
        let help = survey.render_long_help().to_string();
        let (_, metrics) = help.split_once("Metrics:\n").expect("a list");
        let (metrics, _) = metrics.split_once("\n\n").expect("more follows");
        let continued = metrics.lines().filter(|line| line.starts_with("                    "));
        assert!(continued.count() > 10, "{metrics}");
        assert!(
            metrics
                .lines()
                .all(|line| line.chars().count() <= 60 && line.starts_with("  ")),
            "{metrics}"
        );
    }

    #[test]
    fn examples_are_accepted_by_the_command_line() {
        for example in ENDS.iter().flat_map(|end| end.examples) {
            let example = example.split(['|', '>']).next().unwrap_or_default();
            let words = match example.split_once('\'') {
                // Skip examples with quotes: quoted arguments contain spaces, so the words cannot be split at spaces.
                Some(_) => continue,
                None => example.split_whitespace(),
            };
            let matches = with_ends(Cli::command()).try_get_matches_from(std::iter::once("wallcrawler").chain(words));
            assert!(matches.is_ok(), "{example}: {}", matches.unwrap_err());
        }
    }
}
