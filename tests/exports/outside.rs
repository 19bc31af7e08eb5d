//! What belongs to others: programs that may be on the path, and readers that may be had from a registry. Each has a
//! limit of time, and where it is missing the tests say so past the test runner, and pass.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Says a line past the test runner, which keeps what passing tests print to itself.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Makes a folder of readers, unless it is there already with the same packages; `None`, and a line that says why, where
/// it cannot be made.
pub(crate) fn made(name: &str, packages: &[&str], make: impl Fn(&Path) -> Result<(), String>) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let ready = folder.join("ready");
    let packages = packages.join("\n");
    if std::fs::read_to_string(&ready).is_ok_and(|there| there == packages) {
        return Some(folder);
    }
    let _ = std::fs::remove_dir_all(&folder);
    let created = std::fs::create_dir_all(&folder).map_err(|error| error.to_string());
    match created.and_then(|()| make(&folder)) {
        Ok(()) => {
            std::fs::write(ready, packages).expect("written");
            Some(folder)
        }
        Err(why) => {
            say(&format!("SKIPPED the readers of {name}: {why}"));
            None
        }
    }
}

/// Runs a program to its end, for five minutes at most where `timeout` is at hand; what it printed.
pub(crate) fn run(command: &mut Command) -> Result<String, String> {
    let has_limit = Command::new("timeout").arg("--version").output().is_ok();
    let mut limited;
    let command = if has_limit {
        limited = Command::new("timeout");
        limited
            .args(["-k", "5", "300"])
            .arg(command.get_program())
            .args(command.get_args());
        for (name, value) in command.get_envs() {
            limited.env(name, value.unwrap_or_default());
        }
        &mut limited
    } else {
        command
    };
    let ran = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if ran.status.success() {
        return Ok(String::from_utf8_lossy(&ran.stdout).into_owned());
    }
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    Err(format!(
        "{command:?}: {}",
        told.lines().rev().take(12).collect::<Vec<_>>().join(" | ")
    ))
}

/// Whether a program is on the path; says where it is not.
pub(crate) fn has(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let is_there = std::env::split_paths(&folders).any(|folder| folder.join(program).is_file());
    if !is_there {
        say(&format!(
            "SKIPPED what {program} makes of exports: it is not on the path"
        ));
    }
    is_there
}
