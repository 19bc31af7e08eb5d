//! The guardian, a small process that restores the terminal when the designer cannot: after SIGKILL, a memory fault or
//! `abort()`, which also ends a program that runs out of memory. No handler inside the designer's process could restore
//! the terminal in these cases.
//!
//! The guardian is a shell that reads from a pipe until the pipe is closed. Through the pipe, the designer reports
//! when it takes over the terminal and when it gives the terminal back. If the pipe is closed while the terminal is
//! taken over, the guardian leaves the designer's screen, writes a message that the designer was killed or has crashed,
//! and restores the terminal's modes. The guardian ignores the signals that the terminal sends, and reads no keys. It has
//! a process group of its own, because SIGSTOP, with which the designer stops its group on suspension, cannot be ignored.
//! If no shell can be started, the designer runs without a guardian.
//!
//! The shell from which the user started the designer may restore the terminal's modes itself and start to read a line.
//! So the guardian writes its message immediately, but waits for a short time before it sets the modes. It sets them
//! only if output is still raw; while a shell reads a line, output is never raw.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::background::with_timeout;

/// The guardian's script. `$1` contains the escape sequences that leave the designer's screen; `$2` is the folder of
/// unsaved work.
const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM USR1 USR2 ALRM TSTP TTIN TTOU
exec 3<&1
modes=$(stty -g <&3 2>/dev/null)
echo ready >&2
exec 2>/dev/null
while read -r line; do state=$line; done
[ "$state" = taken ] || exit 0
printf %s "$1"
kept=
if [ -n "$2" ]; then
    for file in "$2"/*.toml; do
        [ -e "$file" ] && kept='; unsaved work is offered when it starts again'
    done
fi
printf 'wallcrawler was killed or has crashed%s\r\n' "$kept"
sleep 0.05
case $(stty -a <&3) in
*-opost*) stty "$modes" <&3 || stty sane <&3 ;;
esac
"#;

/// The pipe to the guardian; `None` if no guardian runs.
static PIPE: Mutex<Option<ChildStdin>> = Mutex::new(None);

/// A guardian that is starting. It must read the terminal's modes before the designer changes them.
pub(super) struct StartingGuardian(Option<ChildStderr>);

/// Starts a guardian. If the designer is killed, the guardian writes `farewell` to the terminal and reports whether the
/// folder `kept` contains unsaved work.
pub(super) fn start(farewell: &[u8], kept: Option<PathBuf>) -> StartingGuardian {
    let farewell = String::from_utf8_lossy(farewell).into_owned();
    // The child inherits the terminal as its standard output. The only environment variable that the script uses is the
    // search path for programs.
    let child = Command::new("/bin/sh")
        .args(["-c", SCRIPT, "wallcrawler-guardian", &farewell])
        .arg(kept.unwrap_or_default())
        .process_group(0)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        return StartingGuardian(None);
    };
    *PIPE.lock().unwrap_or_else(PoisonError::into_inner) = child.stdin.take();
    StartingGuardian(child.stderr.take())
}

impl StartingGuardian {
    /// Waits until the guardian has read the terminal's modes.
    pub(super) fn wait(self) {
        if let Some(ready) = self.0 {
            let mut line = String::new();
            // The result is ignored: a guardian that failed to start changes nothing.
            with_timeout(move || BufReader::new(ready).read_line(&mut line).is_ok());
        }
    }
}

/// Informs the guardian whether the designer has taken over the terminal.
pub(super) fn report(is_taken: bool) {
    let line: &[u8] = if is_taken { b"taken\n" } else { b"free\n" };
    let mut pipe = PIPE.lock().unwrap_or_else(PoisonError::into_inner);
    if pipe.as_mut().is_some_and(|pipe| pipe.write_all(line).is_err()) {
        // The guardian was killed.
        *pipe = None;
    }
}
