//! Output of the commands: results to standard output, messages to standard error.
//!
//! All text for the user is [escaped](crate::text::escape) here, whatever it contains (names in a design, Lua messages,
//! paths, arguments), so that no command can forget to escape it, and no downloaded file can control the terminal.
//! Text is escaped for every destination, so that a pager or a log shows the same text as the terminal.
//!
//! There are two exceptions. Data for programs ([`Output::bytes`]: designs, exports, tables) is written unchanged,
//! unless standard output is a terminal; there it is escaped like other text. Dungeons that this program draws
//! ([`Output::drawn`]) are never escaped, so that they keep their colours; they contain no character from a file.
//!
//! The hyperlinks in diagnostics are added after the text is escaped. Their addresses contain only plain characters.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write};
use std::path::{MAIN_SEPARATOR, Path};

use super::UNREADABLE;
use super::render::{position, render};
use crate::design::{Diagnostic, Severity};
use crate::text::{escape, escape_bytes};

/// Standard output, buffered, and standard error.
///
/// The first write error is kept and reported at the end, so that commands need not check every line. If the reader
/// closes a pipe, all further output is dropped silently, as is usual for command line programs.
pub(super) struct Output {
    out: BufWriter<Stdout>,
    is_terminal: bool,
    /// Whether notes and summaries are left out.
    is_quiet: bool,
    /// Whether standard output is reserved for data, so that text for the user is written to standard error.
    is_reserved: bool,
    error: Option<io::Error>,
}

impl Output {
    /// Creates an output. If `is_quiet`, it writes no notes or summaries.
    pub(super) fn new(is_quiet: bool) -> Self {
        Self {
            out: BufWriter::with_capacity(1 << 16, io::stdout()),
            is_terminal: io::stdout().is_terminal(),
            is_quiet,
            is_reserved: false,
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

    /// Writes data for programs like [`Self::bytes`] and flushes it, so that a reader receives it immediately.
    pub(super) fn data(&mut self, bytes: &[u8]) {
        self.bytes(bytes);
        if self.error.is_none() {
            self.error = self.out.flush().err();
        }
    }

    /// Writes text that this program drew, including colour codes, to standard output without escaping it. No part of
    /// the text may come from a file or an argument.
    pub(super) fn drawn(&mut self, text: &str) {
        self.write(text.as_bytes());
    }

    /// Reserves standard output for data: from now on, text for the user is written to standard error. For commands
    /// that report on a design and also write it to standard output, where another program reads it.
    pub(super) const fn reserve_for_data(&mut self) {
        self.is_reserved = true;
    }

    /// Writes text for the user to standard output.
    pub(super) fn text(&mut self, text: &str) {
        let text = escape(text);
        if self.is_reserved {
            let _ = io::stderr().write_all(text.as_bytes());
        } else {
            self.write(text.as_bytes());
        }
    }

    /// Writes a line for the user to standard output.
    pub(super) fn line(&mut self, line: &str) {
        self.text(&format!("{line}\n"));
    }

    /// Returns whether notes and summaries are left out.
    pub(super) const fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    /// Returns whether writing to standard output has failed, for example because the reader closed the pipe.
    pub(super) fn is_closed(&self) -> bool {
        self.error.is_some()
    }

    /// Writes an error message to standard error.
    pub(super) fn error(&mut self, message: &str) {
        self.message(Severity::Error, message);
    }

    /// Writes a warning to standard error.
    pub(super) fn warning(&mut self, message: &str) {
        self.message(Severity::Warning, message);
    }

    /// Writes a note to standard error, unless the output is quiet.
    pub(super) fn note(&mut self, message: &str) {
        if !self.is_quiet {
            self.message(Severity::Note, message);
        }
    }

    fn message(&mut self, severity: Severity, message: &str) {
        // Flush standard output first, so that a terminal shows results and messages in the order of their creation.
        let _ = self.out.flush();
        message_to_stderr(severity, message);
    }

    /// Writes to standard error a line that summarizes what a command did, unless the output is quiet.
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

    /// Writes diagnostics to standard error, including notes unless the output is quiet.
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
        let has_links = shows_links(io::stderr().is_terminal(), |name| std::env::var(name).ok());
        let mut err = BufWriter::new(io::stderr().lock());
        for diagnostic in diagnostics.iter().filter(|d| d.severity >= least) {
            if err.write_all(rendered(diagnostic, has_links).as_bytes()).is_err() {
                return;
            }
        }
    }

    /// Writes a diagnostic to standard output, as a result of the command.
    pub(super) fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        let has_links = shows_links(self.is_terminal, |name| std::env::var(name).ok());
        self.write(rendered(diagnostic, has_links).as_bytes());
    }

    /// Flushes the output. Returns the exit status if writing failed; a pipe without a reader is not a failure.
    pub(super) fn finish(mut self) -> Option<u8> {
        let error = self.error.take().or_else(|| self.out.flush().err())?;
        report_unwritten(&error)
    }
}

/// Reports that writing to standard output failed, and returns the exit status; a pipe without a reader is not a
/// failure.
fn report_unwritten(error: &io::Error) -> Option<u8> {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return None;
    }
    print_error(&format!("cannot write to standard output: {error}"));
    Some(UNREADABLE)
}

/// Returns whether to write hyperlinks. Most terminals without support for hyperlinks ignore them; the terminals named
/// here would print the codes. `variable` looks up environment variables.
fn shows_links(is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    is_terminal && variable("TERM").is_some_and(|term| !matches!(term.as_str(), "" | "dumb" | "linux"))
}

/// Returns a diagnostic as escaped text. If `has_links`, the position in a file on disk is a hyperlink to the file
/// (OSC 8).
fn rendered(diagnostic: &Diagnostic, has_links: bool) -> String {
    let text = escape(&render(diagnostic)).into_owned();
    let Some(source) = diagnostic.source.as_ref().filter(|_| has_links) else {
        return text;
    };
    let position = position(source);
    let line = format!("--> {position}\n");
    match link(Path::new(&source.file)) {
        Some(address) => text.replacen(
            &line,
            &format!("--> \x1b]8;;{address}\x1b\\{position}\x1b]8;;\x1b\\\n"),
            1,
        ),
        None => text,
    }
}

/// Returns the `file:` URL of a file; `None` if there is no such file, for example if the text came from standard
/// input.
fn link(file: &Path) -> Option<String> {
    let path = std::path::absolute(file).ok().filter(|path| path.is_file())?;
    let path = path.to_str()?.replace(MAIN_SEPARATOR, "/");
    let mut link = format!("file://{}", if path.starts_with('/') { "" } else { "/" });
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~:".contains(&byte) {
            link.push(char::from(byte));
        } else {
            let _ = write!(link, "%{byte:02X}");
        }
    }
    Some(link)
}

/// Writes an error message to standard error.
pub fn print_error(message: &str) {
    message_to_stderr(Severity::Error, message);
}

fn message_to_stderr(severity: Severity, message: &str) {
    // Writing fails if standard error is closed, for example because its terminal was closed; the message is then lost.
    let _ = writeln!(io::stderr(), "{severity}: {}", escape(message));
}

/// Prints clap's result for a command line: help and the version to standard output, an error to standard error.
/// Returns the exit status if writing to standard output failed.
///
/// If `is_plain`, the text is escaped. The caller must then have created the error without colours, because clap's
/// colour codes cannot be distinguished from control characters in the arguments that clap repeats.
pub(super) fn print_clap(error: &clap::Error, is_plain: bool) -> Option<u8> {
    let printed = if is_plain {
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
    // A message that standard error does not accept is lost.
    let failed = printed.and_then(|()| io::stdout().flush()).err();
    failed
        .filter(|_| !error.use_stderr())
        .and_then(|error| report_unwritten(&error))
}

/// Installs a panic hook that escapes the panic message, since the message may quote a design. The hook prints nothing
/// for panics that the import of drawings catches and reports as errors.
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

    /// Environment variable that is set in the child process, which panics.
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
    fn positions_in_files_are_hyperlinks_on_terminals() {
        use crate::format::Text;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("two words ü.toml");
        std::fs::write(&file, "x = 1\n").unwrap();
        let of = |file: &str| Diagnostic::error("wrong").from_source(Text::new(file, "x = 1\n").source(0..1));
        let diagnostic = of(file.to_str().unwrap());
        let plain = escape(&render(&diagnostic)).into_owned();
        assert_eq!(rendered(&diagnostic, false), plain);
        let linked = rendered(&diagnostic, true);
        let start = "--> \x1b]8;;file:///";
        let end = "two%20words%20%C3%BC.toml\x1b\\";
        assert!(linked.contains(start) && linked.contains(end), "{linked:?}");
        let without: String = linked
            .split("\x1b]8;;")
            .map(|part| part.split_once("\x1b\\").map_or(part, |(_, rest)| rest))
            .collect();
        assert_eq!(without, plain, "the text is the same");
        // Text that is in no file, and a name that would control the terminal.
        for file in ["-", "a\x1b]8;;x\x07"] {
            assert_eq!(rendered(&of(file), true), escape(&render(&of(file))));
        }
        let shows = |term: Option<&str>| shows_links(true, |_| term.map(str::to_owned));
        assert!(shows(Some("xterm-256color")) && !shows(Some("dumb")) && !shows(None));
        assert!(!shows_links(false, |_| Some("xterm".into())));
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
