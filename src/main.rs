//! The `wallcrawler` program.

use std::io::Write as _;
use std::process::ExitCode;

use wallcrawler::cli::{self, Outcome};
use wallcrawler::engine::Options;
use wallcrawler::tui;

fn main() -> ExitCode {
    cli::silence_caught_panics();
    match cli::run(std::env::args_os(), &tui::vocabulary()) {
        Outcome::Done(status) => status,
        Outcome::Open {
            document,
            settings,
            unnamed,
        } => told(tui::run(*document, Options::default(), &settings, unnamed)),
        Outcome::Play {
            document,
            speed,
            at,
            grown,
            settings,
        } => told(tui::play(*document, tui::Begin { speed, at, grown }, &settings)),
    }
}

/// The exit status of what the terminal showed.
fn told(ended: Result<ExitCode, tui::Error>) -> ExitCode {
    ended.unwrap_or_else(|error| {
        // With the terminal standard error may be gone, too: then there is nobody to tell.
        let _ = writeln!(std::io::stderr(), "wallcrawler: {error}");
        ExitCode::from(error.status())
    })
}
