//! Nothing in a file, a path or an argument reaches the terminal as a control character: every command is run on
//! hostile ones, through a pipe and in a pseudo-terminal.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// Sets the title of a window, reorders the text that follows, begins a sequence with a C1 control, and deletes.
const EVIL: &str = "\u{1b}]0;PWNED\u{7}\u{202e}\u{9b}5n\u{7f}";

/// The same in TOML and JSON strings.
const EVIL_ESCAPED: &str = "\\u001b]0;PWNED\\u0007\\u202e\\u009b5n\\u007f";

/// A command and its arguments; `@` is the hostile folder, `!` hostile text.
type Case = (&'static str, &'static [&'static str]);

/// Cases for every command: one that succeeds and one with an error, if it can have both.
const CASES: &[Case] = &[
    ("", &["!"]),
    ("", &["--seed", "!"]),
    ("", &["--!"]),
    ("", &["--help"]),
    ("new", &["@/new!.toml"]),
    ("new", &["@/no!/x.toml"]),
    ("new", &["-", "--size", "!"]),
    ("grow", &["@/d!.toml", "--figures"]),
    ("grow", &["@/v.toml"]),
    ("grow", &["@/none!.toml"]),
    ("grow", &["--preset", "!"]),
    ("grow", &["@/d!.toml", "--format", "ansi", "--output", "@/no!/x"]),
    ("export", &["@/d!.toml", "--to", "-", "--as", "json"]),
    ("export", &["@/d!.toml", "--to", "-", "--as", "svg"]),
    ("export", &["@/d!.toml", "--to", "-", "--as", "png"]),
    ("export", &["@/d!.toml", "--to", "@/x!.!"]),
    ("export", &["@/d!.toml", "--to", "@/no!/x.png"]),
    ("play", &["@/d!.toml", "--frame", "3"]),
    ("play", &["@/none!.toml"]),
    ("play", &["@/film!.cast"]),
    ("serve", &["@/d!.toml", "--headless", "--socket", "@/no!/x"]),
    ("serve", &["--preset", "!", "--socket", "@/x"]),
    ("mcp", &["--socket", "@/no!/x"]),
    ("mcp", &["--preset", "!"]),
    ("check", &["@/d!.toml", "@/v.toml", "@/none!.toml", "@/rooms!"]),
    ("check", &["@/d!.toml", "--seeds", "2"]),
    (
        "check",
        &["@/d!.toml", "@/v.toml", "@/rooms!", "--seeds", "2", "--json"],
    ),
    ("survey", &["@/d!.toml", "--seeds", "2"]),
    ("survey", &["@/d!.toml", "--seeds", "2", "--output", "-"]),
    ("survey", &["@/d!.toml", "--seeds", "2", "--change", "!"]),
    ("survey", &["@/d!.toml", "--seeds", "2", "--output", "@/no!/x.csv"]),
    ("sweep", &["@/d!.toml"]),
    ("sweep", &["@/none!.toml"]),
    ("sweep", &["@/sweep!.toml", "--seeds", "2"]),
    ("sweep", &["@/sweep!.toml", "--seeds", "2", "--output", "-"]),
    ("compare", &["@/d!.toml", "@/d!.toml", "--seeds", "2"]),
    (
        "compare",
        &["@/d!.toml", "--change", "MaxAge -> 3", "--seeds", "2", "--json"],
    ),
    ("compare", &["@/d!.toml", "--change", "!"]),
    ("find", &["@/d!.toml", "--where", "reachable", "--seeds", "0..2"]),
    ("find", &["@/d!.toml", "--where", "path > 1 and !"]),
    ("find", &["@/d!.toml", "--where", "path > 1", "--change", "!"]),
    ("check", &["@/d!.toml", "--seeds", "2", "--where", "!"]),
    ("range", &["@/d!.toml", "--x", "path", "--y", "fill", "--seeds", "2"]),
    (
        "range",
        &[
            "@/d!.toml",
            "--x",
            "path",
            "--y",
            "fill",
            "--seeds",
            "2",
            "--to",
            "-",
            "--as",
            "svg",
        ],
    ),
    ("range", &["--from", "@/rooms!", "--x", "!", "--y", "fill"]),
    ("report", &["@/d!.toml", "--seeds", "2", "--to", "-"]),
    ("report", &["@/d!.toml", "--seeds", "2", "--to", "@/report!.md"]),
    ("report", &["@/d!.toml", "--seeds", "2", "--to", "@/no!/x.html"]),
    ("why", &["@/d!.toml", "--at", "3,4"]),
    ("why", &["@/d!.toml", "--at", "3,4", "--change", "!"]),
    ("why", &["@/d!.toml", "--builder", "1"]),
    ("why", &["@/d!.toml", "--metric", "!"]),
    ("why", &["@/d!.toml", "--metric", "path > 1 and !"]),
    ("why", &["@/none!.toml", "--at", "3,4"]),
    ("scatter", &["@/d!.toml"]),
    ("scatter", &["@/d!.toml", "--by", "!"]),
    ("scatter", &["@/none!.toml", "--csv"]),
    ("frequency", &["@/d!.toml", "--seeds", "2"]),
    ("frequency", &["@/d!.toml", "--seeds", "2", "--to", "@/no!/x.png"]),
    (
        "curve",
        &["@/d!.toml", "--over", "MaxAge", "--seeds", "2", "--values", "3,9"],
    ),
    ("curve", &["@/d!.toml", "--over", "!"]),
    ("curve", &["@/d!.toml", "--over", "MaxAge", "--metrics", "!"]),
    ("remedies", &["@/d!.toml", "--seeds", "2"]),
    ("remedies", &["@/none!.toml"]),
    ("tune", &["@/d!.toml", "--expect", "! > 1"]),
    ("tune", &["@/d!.toml", "--move", "!"]),
    (
        "atlas",
        &[
            "@/d!.toml",
            "--x",
            "path",
            "--y",
            "fill",
            "--candidates",
            "3",
            "--seeds",
            "2",
        ],
    ),
    ("atlas", &["@/d!.toml", "--x", "!", "--y", "fill"]),
    (
        "atlas",
        &["@/d!.toml", "--x", "path", "--y", "fill", "--file", "@/rooms!"],
    ),
    (
        "learn",
        &[
            "@/d!.toml",
            "--to",
            "@/learnt!.toml",
            "--candidates",
            "3",
            "--seeds",
            "2",
        ],
    ),
    ("learn", &["@/d!.toml", "--to", "@/learnt!.toml", "--metrics", "!"]),
    ("learn", &["@/none!.txt", "--to", "@/learnt!.toml"]),
    ("learn", &["@/d!.toml", "--to", "@/no!/x.toml", "--candidates", "3"]),
    ("design-digest", &["@/d!.toml"]),
    ("design-digest", &["@/d!.toml", "--change", "!"]),
    (
        "convert",
        &["@/d!.toml", "--rooms", "@/rooms-x!", "--stats", "@/stats-x!"],
    ),
    ("convert", &["@/none!.toml", "--to", "@/x!.toml"]),
    ("import", &["@/drawing!.txt", "--to", "-"]),
    ("import", &["@/map!.tmj", "--to", "-", "--layer", "!"]),
    ("import", &["@/map!.tmj", "--to", "-"]),
    ("import", &["@/none!", "--to", "-"]),
    ("presets", &["!"]),
    ("presets", &["keep"]),
    ("presets", &["--write", "@/rooms!"]),
    ("vault list", &["@/v!.des"]),
    ("vault list", &["@/none!.des"]),
    ("vault show", &["a!b", "@/v!.des"]),
    ("vault show", &["!", "@/v!.des"]),
    ("vault show", &["fails", "@/v!.des"]),
    ("vault check", &["@/v!.des", "--verbose", "--seeds", "2"]),
    ("vault check", &["@/v!.des", "--summary"]),
    ("vault check", &["@/v!.des", "--seeds", "2", "--format", "github"]),
    ("vault check", &["@/v!.des", "--seeds", "2", "--format", "sarif"]),
    ("vault check", &["@/v!.des", "--seeds", "2", "--format", "json"]),
    ("vault check", &["@/v!.des", "--names", "@/none!"]),
    ("vault names", &["--crawl-data", "@/none!"]),
    ("vault diff", &["@/v!.des", "@/drawing!.txt"]),
    ("vault diff", &["@/drawing!.txt", "@/v!.des", "--json"]),
    ("vault diff", &["@/v!.des", "@/none!"]),
    ("vault lsp", &["--names", "@/none!"]),
    ("vault fmt", &["@/v!.des", "--check"]),
    ("vault fmt", &["@/none!.des"]),
    ("vault stats", &["@/v!.des", "--levels", "2"]),
    ("vault portals", &["@/v!.des"]),
    ("vault portals", &["@/v!.des", "--place", "!"]),
    ("vault dump", &["a!b", "@/v!.des", "--times", "2"]),
    ("vault dump", &["a!b", "@/v!.des", "--output", "@/no!/x"]),
    ("settings", &["--check", "--config", "@/config!.toml"]),
    ("settings", &["--config", "@/none!.toml"]),
    ("completions", &["bash"]),
    ("completions", &["!"]),
    ("man", &[]),
    ("man", &["!"]),
];

/// Commands whose standard output is data: through a pipe it is exact, whatever it contains.
const DATA: &[&str] = &[
    "export",
    "survey",
    "sweep",
    "convert",
    "import",
    "presets",
    "vault show",
    "vault dump",
];

fn put(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Creates a folder with a hostile name, full of hostile files.
fn hostile_folder(home: &Path) -> String {
    let folder = home.join(format!("f{EVIL}"));
    std::fs::create_dir(&folder).expect("a folder");
    let name = |begin: &str, end: &str| folder.join(format!("{begin}{EVIL}{end}"));
    let design = format!(
        "format = 1\nname = \"Castle {EVIL_ESCAPED}\"\nnotes = \"{EVIL_ESCAPED}\"\n\"{EVIL_ESCAPED}\" = 1\n\
         [expect]\nthat = [\"{EVIL_ESCAPED} > 1\", \"reachable\"]\n\
         [layout]\ndim_x = 30\ndim_y = 30\n[[crawler]]\nx = 0\ny = 15\nforward = \"East\"\n"
    );
    put(&name("d", ".toml"), &design);
    let vault = format!(
        "format = 1\n[layout]\ndim_x = 40\ndim_y = 40\n[[vault]]\nfile = \"v{EVIL_ESCAPED}.des\"\nmap = \"fails\"\n\
         [[vault]]\nfile = \"none{EVIL_ESCAPED}.des\"\nmap = \"{EVIL_ESCAPED}\"\n"
    );
    put(&folder.join("v.toml"), &vault);
    let level = format!(
        "NAME: a{EVIL}b\nTAGS: t{EVIL} transparent\nDEPTH: D:1-3, {EVIL}\nDESC: {EVIL}\nWEIGHT: 10{EVIL}\n\
         KFEAT: A = {EVIL}\nMAP\nxxxxx\nx...x\nx.A.@\nxxxxx\nENDMAP\n\n\
         NAME: a{EVIL}c\nTAGS: t{EVIL}\nDEPTH: D\nITEM: {EVIL}\nMAP\nxxx\nx.@\nxxx\nENDMAP\n\n\
         NAME: fails\nDEPTH: D\n: print(\"{EVIL}\")\n: error(\"{EVIL}\")\nMAP\nxxx\nx.@\nxxx\nENDMAP\n\n\
         {EVIL}: 3\n"
    );
    put(&name("v", ".des"), &level);
    put(&name("drawing", ".txt"), &format!("#####\n#   #\n# {EVIL}  #\n#####\n"));
    let tiled = format!(
        "{{\"type\":\"map\",\"orientation\":\"orthogonal\",\"width\":2,\"height\":1,\"tilewidth\":8,\"tileheight\":8,\
         \"layers\":[{{\"type\":\"tilelayer\",\"name\":\"{EVIL_ESCAPED}\",\"width\":2,\"height\":1,\"data\":[1,2]}},\
         {{\"type\":\"tilelayer\",\"name\":\"b{EVIL_ESCAPED}\",\"width\":2,\"height\":1,\"data\":[1,2]}}],\
         \"tilesets\":[{{\"firstgid\":1,\"source\":\"{EVIL_ESCAPED}.tsx\"}}]}}"
    );
    put(&name("map", ".tmj"), &tiled);
    let sweep = format!(
        "design = \"d{EVIL_ESCAPED}.toml\"\nchange = [\"LateSpawn -> 3\"]\n[vary]\n\
         MaxAge = {{ name = \"{EVIL_ESCAPED}\", values = [3, 4] }}\n"
    );
    put(&name("sweep", ".toml"), &sweep);
    put(&name("film", ".cast"), "{\"version\": 2}\n");
    put(&name("rooms", ""), &format!("{EVIL} of dungeon {EVIL}\n"));
    put(
        &name("config", ".toml"),
        &format!("\"{EVIL_ESCAPED}\" = 1\n[keys]\nmap.zoom-in = [\"{EVIL_ESCAPED}\"]\n"),
    );
    folder.to_str().expect("UTF-8").to_owned()
}

fn arguments(case: &Case, folder: &str) -> Vec<String> {
    let words = case.0.split_whitespace().map(str::to_owned);
    words
        .chain(case.1.iter().map(|one| one.replace('!', EVIL).replace('@', folder)))
        .collect()
}

/// Returns the first control character in a text except line feed and tab, with its surroundings.
fn control(text: &str) -> Option<String> {
    let is_hostile = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let at = text.find(is_hostile)?;
    let around: String = text[at..].chars().take(30).collect();
    Some(format!("{:?}", &around))
}

/// Returns what the program prints in a pseudo-terminal, without its own control sequences: line ends, colours
/// and the progress line.
fn in_terminal(arguments: &[String], home: &Path) -> String {
    let size = PtySize {
        rows: 40,
        cols: 200,
        ..PtySize::default()
    };
    let pair = native_pty_system().openpty(size).expect("a terminal");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_wallcrawler"));
    command.args(arguments);
    // The designer and the player do not start on such a terminal.
    command.env("TERM", "dumb");
    command.env("HOME", home);
    command.cwd(home);
    let mut child = pair.slave.spawn_command(command).expect("the program");
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().expect("its output");
    let mut bytes = Vec::new();
    // On Linux the end of a terminal is an error.
    let _ = reader.read_to_end(&mut bytes);
    child.wait().expect("its end");
    let text = String::from_utf8(bytes).expect("UTF-8 in a terminal, whatever is in the file");
    let own = regex_lite::Regex::new("\x1b\\[[0-9;]*[mK]|\r").expect("a pattern");
    own.replace_all(&text, "").into_owned()
}

#[test]
fn no_command_prints_a_control_character_of_a_file_path_or_argument() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = hostile_folder(home.path());
    let mut wrong = Vec::new();
    for case in CASES {
        let arguments = arguments(case, &folder);
        let output = Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
            .args(&arguments)
            .env("HOME", home.path())
            .current_dir(home.path())
            .stdin(Stdio::null())
            .output()
            .expect("the program runs");
        let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        assert!(
            !out.is_empty() || !err.is_empty() || output.status.success(),
            "{case:?} prints nothing"
        );
        let mut seen = vec![
            ("standard error", err),
            ("terminal", in_terminal(&arguments, home.path())),
        ];
        if !DATA.contains(&case.0) {
            seen.push(("standard output", out));
        }
        let found = seen
            .iter()
            .filter_map(|(place, text)| Some(format!("{case:?}: {place}: {}", control(text)?)));
        wrong.extend(found);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the commands that the help of a command lists.
fn subcommands(of: &[&str]) -> Vec<String> {
    let help = Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
        .args(of)
        .arg("--help")
        .output()
        .expect("the program runs");
    let help = String::from_utf8(help.stdout).expect("text");
    let listed = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    listed
        .take_while(|line| !line.trim().is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .filter(|name| name != "help")
        .collect()
}

#[test]
fn every_command_has_hostile_cases() {
    let cases: BTreeSet<&str> = CASES.iter().map(|case| case.0).collect();
    let mut all = Vec::new();
    for command in subcommands(&[]) {
        let below = subcommands(&[&command]);
        if below.is_empty() {
            all.push(command);
        } else {
            all.extend(below.into_iter().map(|one| format!("{command} {one}")));
        }
    }
    assert!(all.len() > 15, "{all:?}");
    let missing: Vec<&String> = all.iter().filter(|name| !cases.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "no hostile case for {missing:?}");
}

#[test]
fn data_stays_exact_through_a_pipe() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = hostile_folder(home.path());
    let arguments = arguments(&("export", &["@/d!.toml", "--to", "-", "--as", "json"]), &folder);
    let piped = Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
        .args(&arguments)
        .output()
        .expect("the program runs");
    let json: serde_json::Value = serde_json::from_slice(&piped.stdout).expect("JSON");
    assert_eq!(json["name"].as_str(), Some(&*format!("Castle {EVIL}")), "{json}");
    assert!(in_terminal(&arguments, home.path()).contains("\\u{202e}\\u{9b}5n"));
}

#[test]
fn an_escaped_name_is_legible() {
    let home = tempfile::tempdir().expect("a folder");
    put(
        &home.path().join("v.des"),
        "NAME: a\u{1b}]0;PWNED\u{7}b\nMAP\nxxx\nx.@\nxxx\nENDMAP\n",
    );
    let output = Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
        .args(["vault", "list", "v.des"])
        .current_dir(home.path())
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("a\\u{1b}]0;PWNED\\u{7}b"), "{text}");
}
