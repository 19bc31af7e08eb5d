//! Output of the commands: results to standard output, messages to standard error.
//!
//! Text for the user is [escaped](crate::text::escape) here, regardless of its content (names in a design, Lua
//! messages, paths, arguments), so that no command can forget to, and no downloaded file can control the terminal.
//! Escaping does not depend on the destination: a pager or a log shows what the terminal would.
//!
//! There are two exceptions. Data for programs ([`Output::bytes`]: designs, exports, tables) is written byte by byte,
//! unless standard output is a terminal, where it is escaped like other text. What this program draws itself
//! ([`Output::drawn`]) contains no character of a file, so that its colours can be kept.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write};

use super::UNREADABLE;
use super::render::render;
use crate::design::{Diagnostic, Severity};
use crate::text::{escape, escape_bytes};

/// Standard output, buffered, and standard error.
///
/// Write errors are kept until the end, so that commands need not check every line. When the reader of a pipe is gone,
/// the rest is dropped silently, as is usual for command line programs.
pub(super) struct Output {
    out: BufWriter<Stdout>,
    is_terminal: bool,
    /// Whether notes and summaries are left out.
    is_quiet: bool,
    error: Option<io::Error>,
}

impl Output {
    /// Creates an output; a quiet one writes no notes and summaries.
    pub(super) fn new(is_quiet: bool) -> Self {
        Self {
            out: BufWriter::with_capacity(1 << 16, io::stdout()),
            is_terminal: io::stdout().is_terminal(),
            is_quiet,
            error: None,
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.error = self.out.write_all(bytes).err();
        }
    }

    /// Writes data for programs to standard output: unchanged, except that control characters are escaped on a
    /// terminal.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        if self.is_terminal {
            self.write(escape_bytes(bytes).as_bytes());
        } else {
            self.write(bytes);
        }
    }

    /// Writes data for programs as [`Self::bytes`] does, and lets a reader see them at once.
    pub(super) fn data(&mut self, bytes: &[u8]) {
        self.bytes(bytes);
        if self.error.is_none() {
            self.error = self.out.flush().err();
        }
    }

    /// Writes what this program drew itself, including colours, to standard output. No part of it may come from a file
    /// or an argument.
    pub(super) fn drawn(&mut self, text: &str) {
        self.write(text.as_bytes());
    }

    /// Writes text for the user to standard output.
    pub(super) fn text(&mut self, text: &str) {
        self.write(escape(text).as_bytes());
    }

    /// Writes a line for the user to standard output.
    pub(super) fn line(&mut self, line: &str) {
        self.text(line);
        self.write(b"\n");
    }

    /// Returns whether the user wants no more than the result.
    pub(super) const fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    /// Returns whether standard output has no reader any more, or failed.
    pub(super) fn is_closed(&self) -> bool {
        self.error.is_some()
    }

    /// Writes an error message to standard error, which may be closed as well.
    pub(super) fn error(&mut self, message: &str) {
        self.message(Severity::Error, message);
    }

    /// Writes a warning to standard error.
    pub(super) fn warning(&mut self, message: &str) {
        self.message(Severity::Warning, message);
    }

    /// Writes a note to standard error.
    pub(super) fn note(&mut self, message: &str) {
        if !self.is_quiet {
            self.message(Severity::Note, message);
        }
    }

    fn message(&mut self, severity: Severity, message: &str) {
        // Flush first, to keep the order of messages on a terminal.
        let _ = self.out.flush();
        message_to_stderr(severity, message);
    }

    /// Writes a line to standard error that summarizes what a command did.
    pub(super) fn summary(&mut self, line: &str) {
        if self.is_quiet {
            return;
        }
        let _ = self.out.flush();
        let _ = writeln!(io::stderr(), "{}", escape(line));
    }

    /// Writes diagnostics to standard error, except for notes.
    pub(super) fn report(&mut self, diagnostics: &[Diagnostic]) {
        self.report_from(Severity::Warning, diagnostics);
    }

    /// Writes diagnostics to standard error, including notes.
    pub(super) fn report_all(&mut self, diagnostics: &[Diagnostic]) {
        let least = if self.is_quiet {
            Severity::Warning
        } else {
            Severity::Note
        };
        self.report_from(least, diagnostics);
    }

    fn report_from(&mut self, least: Severity, diagnostics: &[Diagnostic]) {
        let _ = self.out.flush();
        let mut err = BufWriter::new(io::stderr().lock());
        for diagnostic in diagnostics.iter().filter(|d| d.severity >= least) {
            if err.write_all(escape(&render(diagnostic)).as_bytes()).is_err() {
                return;
            }
        }
    }

    /// Writes a diagnostic to standard output, as a result of the command.
    pub(super) fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        self.text(&render(diagnostic));
    }

    /// Flushes the output; returns the exit status if writing failed.
    pub(super) fn finish(mut self) -> Option<u8> {
        let error = self.error.take().or_else(|| self.out.flush().err())?;
        if error.kind() == io::ErrorKind::BrokenPipe {
            return None;
        }
        print_error(&format!("cannot write to standard output: {error}"));
        Some(UNREADABLE)
    }
}

/// Writes an error message to standard error.
pub fn print_error(message: &str) {
    message_to_stderr(Severity::Error, message);
}

fn message_to_stderr(severity: Severity, message: &str) {
    // Standard error may be closed along with the terminal; then the message has nowhere to go.
    let _ = writeln!(io::stderr(), "{severity}: {}", escape(message));
}

/// Prints clap's result for a command line: help, the version, or an error. Help goes to standard output.
///
/// clap's colours cannot be distinguished afterwards from the arguments that it repeats, so the caller creates the
/// error without colours if [an argument is escaped](is_plain).
pub(super) fn print_clap(error: &clap::Error, is_plain: bool) {
    // A pipe without a reader is not an error.
    let _ = if is_plain {
        let text = error.render().ansi().to_string();
        let text = escape(&text);
        if error.use_stderr() {
            io::stderr().write_all(text.as_bytes())
        } else {
            io::stdout().write_all(text.as_bytes())
        }
    } else {
        error.print()
    };
}

/// Installs a panic hook that escapes its message, which may quote a design. Panics that the import of drawings catches
/// are not printed: they become errors.
pub(super) fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        if crate::import::is_guarded() {
            return;
        }
        let thread = std::thread::current();
        let name = thread.name().unwrap_or("without a name");
        let trace = Backtrace::capture();
        let trace = match trace.status() {
            BacktraceStatus::Captured => trace.to_string(),
            _ => "note: RUST_BACKTRACE=1 in the environment adds a backtrace".to_owned(),
        };
        let text = format!("thread '{name}' {panic}\n{trace}");
        let _ = writeln!(io::stderr(), "\n{}", escape(&text));
    }));
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Environment variable, set in the child process that panics.
    const PANICS: &str = "WALLCRAWLER_TEST_PANICS";

    #[test]
    fn a_panic_that_quotes_a_file_is_escaped() {
        let ended = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "--ignored", "--nocapture", "cli::output::tests::it_panics"])
            .env(PANICS, "yes")
            .output()
            .unwrap();
        let description = String::from_utf8(ended.stderr).unwrap();
        assert!(
            description.contains("output.rs") && description.contains("a\\u{1b}]0;x\\u{7}\\u{202e}"),
            "{description:?}"
        );
        assert!(
            !description.contains(|c| c != '\n' && crate::text::is_control(c)),
            "{description:?}"
        );
    }

    #[test]
    #[ignore = "panics on purpose, in a process of its own"]
    fn it_panics() {
        if std::env::var_os(PANICS).is_some() {
            report_panics();
            panic!("a\u{1b}]0;x\u{7}\u{202e}");
        }
    }
}
