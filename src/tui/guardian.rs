//! A small process that restores the terminal when the designer cannot: after SIGKILL, a memory fault or abort(), which
//! is how a program that runs out of memory ends. No handler in its own process can do that.
//!
//! It is a shell that waits for the end of a pipe. The designer writes into the pipe whether it has taken over the
//! terminal; if the pipe ends while it has, the shell undoes the designer's changes to the terminal. It ignores the
//! signals that the terminal sends to the foreground, and reads no keys. Without a shell the designer runs unguarded.
//!
//! The shell that started the designer may restore the terminal's modes itself and start to read a line. So the
//! guardian writes at once but sets the modes a moment later, and only if output is still raw, which it never is in a
//! shell that reads a line.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::background::with_timeout;

/// The guardian's script; `$1` is the text that leaves the designer's screen, `$2` the folder of unsaved work.
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

/// The pipe to the guardian.
static PIPE: Mutex<Option<ChildStdin>> = Mutex::new(None);

/// A guardian that is starting: it has to read the terminal's modes before they are changed.
pub(super) struct StartingGuardian(Option<ChildStderr>);

/// Starts a guardian. When it has to act, it writes `farewell` and reports unsaved work in the folder `kept`.
pub(super) fn start(farewell: &[u8], kept: Option<PathBuf>) -> StartingGuardian {
    let farewell = String::from_utf8_lossy(farewell).into_owned();
    // The terminal is the child's standard output. From the environment the child uses only the search path of
    // programs.
    let child = Command::new("/bin/sh")
        .args(["-c", SCRIPT, "wallcrawler-guardian", &farewell])
        .arg(kept.unwrap_or_default())
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
            // A guardian that failed to start has no modes, and receives nothing to act on.
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
