//! The `wallcrawler` program.

use std::process::ExitCode;

use wallcrawler::cli::{self, Outcome};
use wallcrawler::document::Document;
use wallcrawler::engine::Options;
use wallcrawler::settings::Place;
use wallcrawler::tui;

fn main() -> ExitCode {
    match cli::run(std::env::args_os(), &tui::vocabulary()) {
        Outcome::Done(status) => status,
        Outcome::Open {
            document,
            settings,
            unnamed,
        } => designer(*document, &settings, unnamed),
    }
}

/// Opens the designer.
#[expect(clippy::print_stderr, reason = "errors are told on standard error")]
fn designer(document: Document, settings: &Place, unnamed: bool) -> ExitCode {
    tui::run(document, Options::default(), settings, unnamed).unwrap_or_else(|error| {
        eprintln!("wallcrawler: {error}");
        ExitCode::from(error.status())
    })
}
