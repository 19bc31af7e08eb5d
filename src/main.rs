//! The `wallcrawler` program.

use std::process::ExitCode;

use wallcrawler::design::{CrawlerStart, Design};
use wallcrawler::engine::Options;
use wallcrawler::tui::{self, Document};

fn main() -> ExitCode {
    let mut design = Design::default();
    design.layout.crawlers.push(CrawlerStart::default());
    tui::run(Document::new(design), Options::default()).unwrap_or_else(|error| {
        eprintln!("wallcrawler: {error}");
        ExitCode::from(error.status())
    })
}
