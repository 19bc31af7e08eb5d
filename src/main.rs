//! The `wallcrawler` program.

use std::process::ExitCode;

use wallcrawler::cli::{self, Outcome};
use wallcrawler::document::Document;
use wallcrawler::engine::Options;
use wallcrawler::tui;

fn main() -> ExitCode {
    match cli::run(std::env::args_os()) {
        Outcome::Done(status) => status,
        Outcome::Open(document) => designer(*document),
    }
}

/// Opens the designer.
#[expect(clippy::print_stderr, reason = "errors are told on standard error")]
fn designer(document: Document) -> ExitCode {
    tui::run(document, Options::default()).unwrap_or_else(|error| {
        eprintln!("wallcrawler: {error}");
        ExitCode::from(error.status())
    })
}
