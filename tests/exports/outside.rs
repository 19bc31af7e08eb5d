//! Third-party programs that may be on the path, and readers from package registries. Each has a
//! timeout; if one is missing, the tests say so, bypassing the test runner, and pass.

use std::fs::File;
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Prints a line past the test runner, which hides the output of passing tests.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Timeout for third-party software: a network that hangs must not keep the tests from ending.
const LIMIT: Duration = Duration::from_mins(5);

/// Creates a folder of readers, unless it already has the same packages and they work; returns `None`, with a message,
/// if that fails.
pub(crate) fn made(
    name: &str,
    packages: &[&str],
    make: impl Fn(&Path) -> Result<(), String>,
    usable: impl Fn(&Path) -> Result<(), String>,
) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let ready = folder.join("ready");
    let packages = packages.join("\n");
    if std::fs::read_to_string(&ready).is_ok_and(|there| there == packages) && usable(&folder).is_ok() {
        return Some(folder);
    }
    let _ = std::fs::remove_dir_all(&folder);
    let created = std::fs::create_dir_all(&folder).map_err(|error| error.to_string());
    match created.and_then(|()| make(&folder)).and_then(|()| usable(&folder)) {
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

/// Runs a program to its end and returns its output.
pub(crate) fn run(command: &mut Command) -> Result<String, String> {
    // Files, not pipes: a process left behind by a killed program keeps pipes open.
    let [mut out, mut err] = [(); 2].map(|()| tempfile::tempfile().expect("a file"));
    let files = [&out, &err].map(|file| file.try_clone().expect("a file"));
    let [stdout, stderr] = files.map(Stdio::from);
    let name = format!("{command:?}");
    let failed = |error: std::io::Error| format!("{name}: {error}");
    let spawned = command.stdin(Stdio::null()).stdout(stdout).stderr(stderr).spawn();
    let mut child = spawned.map_err(&failed)?;
    let deadline = Instant::now() + LIMIT;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(&failed)? {
            break status;
        }
        if Instant::now() >= deadline {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("{name}: not done after {} minutes", LIMIT.as_secs() / 60));
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let text = |file: &mut File| -> std::io::Result<String> {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    if status.success() {
        return text(&mut out).map_err(&failed);
    }
    let errors = text(&mut err).map_err(&failed)?;
    let lines: Vec<_> = errors.lines().rev().take(12).collect();
    Err(format!("{name}: {status}: {}", lines.join(" | ")))
}

/// Returns whether a program is on the path; prints a message if not.
pub(crate) fn has(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let is_there = std::env::split_paths(&folders).any(|folder| folder.join(program).is_file());
    if !is_there {
        say(&format!(
            "SKIPPED reading exports with {program}: it is not on the path"
        ));
    }
    is_there
}
