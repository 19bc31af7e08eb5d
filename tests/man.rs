//! The manual and the completions contain every command and option of the real program.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use wallcrawler::presets::Preset;

fn run(args: &[&str]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_wallcrawler"));
    let output = program
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("text")
}

/// Returns every command as its words: none for the program itself.
fn commands() -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    let mut at = 0;
    while at < found.len() {
        let mut args: Vec<&str> = found[at].iter().map(String::as_str).collect();
        args.push("--help");
        let help = run(&args);
        let below = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let below = below.take_while(|line| line.starts_with("  "));
        let names = below
            .filter(|line| !line.starts_with("   "))
            .filter_map(|line| line.split_whitespace().next());
        for name in names.filter(|name| *name != "help") {
            let mut command = found[at].clone();
            command.push(name.to_owned());
            found.push(command);
        }
        at += 1;
    }
    found
}

/// Returns the text of a page, without its fonts.
fn plain(page: &str) -> String {
    ["\\fB", "\\fI", "\\fR"]
        .iter()
        .fold(page.replace("\\-", "-"), |page, font| page.replace(font, ""))
}

#[test]
fn the_manual_has_every_command_and_option() {
    let commands = commands();
    assert!(commands.len() > 15, "{commands:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("share/man1");
    run(&["man", "--output", inner.to_str().expect("a name")]);
    let written = std::fs::read_dir(&inner).expect("a folder").count();
    assert_eq!(written, commands.len(), "a page for each command and no other");
    for command in &commands {
        let mut args: Vec<&str> = vec!["man"];
        args.extend(command.iter().map(String::as_str));
        let printed = run(&args);
        let name = [&["wallcrawler".to_owned()], command.as_slice()].concat().join("-");
        let page = std::fs::read_to_string(inner.join(format!("{name}.1"))).expect("a page");
        assert_eq!(page, printed, "{name}");
        let page = plain(&page);
        let title = page.lines().find(|line| line.starts_with(".TH")).expect("a title");
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(title, format!(".TH {name} 1  \"wallcrawler {version}\" Wallcrawler"));
        assert!(page.contains(&format!("\n{name} - ")), "{name}: {page}");
        args.remove(0);
        args.push("--help");
        let help = run(&args);
        let options = help
            .split_whitespace()
            .map(|word| word.trim_end_matches([',', '.', ':', ';']));
        let lines = help.lines().filter(|line| line.trim_start().starts_with('-'));
        let mut count = 0;
        for option in lines
            .flat_map(|line| line.split([' ', ',', '[', '=']))
            .filter(|word| word.starts_with("--"))
        {
            assert!(page.contains(option), "{name}: {option}");
            count += 1;
        }
        assert!(count > 0, "{name}");
        for argument in options.filter(|word| word.starts_with('[') && word.ends_with(']') && word.contains('.')) {
            assert!(page.contains(argument), "{name}: {argument}");
        }
    }
}

#[test]
fn the_programs_page_has_files_keys_and_exit_statuses() {
    let page = plain(&run(&["man"]));
    for part in [
        ".SH \"KEYS OF THE DESIGNER\"",
        ".SH FILES",
        ".SH ENVIRONMENT",
        ".SH \"EXIT STATUS\"",
        ".SH EXAMPLES",
        "NO_COLOR",
        "COLORFGBG",
        "XDG_STATE_HOME",
        "130",
        "Play or pause the growth",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // The place of the settings file on the page is the real one.
    let place = Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
        .arg("settings")
        .env("XDG_CONFIG_HOME", "/nowhere")
        .output()
        .expect("the program runs");
    if cfg!(target_os = "linux") {
        let place = String::from_utf8_lossy(&place.stdout).into_owned();
        assert!(place.contains("/nowhere/wallcrawler/config.toml"), "{place}");
    }
    let unknown = Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
        .args(["man", "vault", "grow"])
        .output()
        .expect("the program runs");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("unknown command `wallcrawler vault grow`"));
}

/// groff formats the pages without warnings.
#[test]
fn groff_formats_every_page_without_a_warning() {
    if Command::new("groff").arg("--version").output().is_err() {
        // Bypasses the test runner, which hides the output of passing tests.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED groff_formats_every_page_without_a_warning: groff is not installed"
        );
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    run(&["man", "--output", folder.path().to_str().expect("a name")]);
    for entry in std::fs::read_dir(folder.path()).expect("a folder") {
        let file = entry.expect("an entry").path();
        let groff = Command::new("groff")
            .args(["-k", "-man", "-ww", "-Tutf8", "-P-cbou"])
            .arg(&file)
            .output();
        let set = groff.expect("groff runs");
        assert!(
            set.status.success() && set.stderr.is_empty(),
            "{}: {}",
            file.display(),
            shown(&set.stderr)
        );
        let text = shown(&set.stdout);
        assert!(
            text.contains("SYNOPSIS") && text.lines().count() > 10,
            "{}: {text}",
            file.display()
        );
    }
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn completions_know_presets_kinds_and_folder_arguments() {
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&["completions", shell]);
        for preset in Preset::all() {
            assert!(script.contains(preset.name), "{shell}: {}", preset.name);
        }
        for word in ["survey", "apng", "lineage", "crawl-data", "portals"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let zsh = run(&["completions", "zsh"]);
    for option in ["--write=", "--crawl-data=", "--output="] {
        let folder = zsh
            .lines()
            .any(|line| line.contains(option) && line.contains("_files -/"));
        assert!(folder, "{option} wants a folder");
    }
    assert!(
        zsh.lines()
            .any(|line| line.contains("--picture=") && line.contains(":_files'"))
    );
    // bash parses its script.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wallcrawler.bash");
    std::fs::write(&file, run(&["completions", "bash"])).expect("written");
    if Path::new("/bin/bash").exists() {
        let read = Command::new("/bin/bash")
            .arg("-n")
            .arg(&file)
            .output()
            .expect("bash runs");
        assert!(read.status.success(), "{}", shown(&read.stderr));
    }
}
