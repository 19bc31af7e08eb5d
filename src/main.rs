//! The `wallcrawler` program.

use std::process::ExitCode;

use wallcrawler::design::{CrawlerStart, Design};
use wallcrawler::engine::Options;
use wallcrawler::tui::{self, Document};

#[expect(clippy::print_stderr, reason = "errors are told on standard error")]
fn main() -> ExitCode {
    let mut design = Design::default();
    for y in [25, 50, 75] {
        let mut crawler = CrawlerStart::default();
        crawler.at.y = y;
        design.layout.crawlers.push(crawler);
    }
    tui::run(Document::new(design), Options::default()).unwrap_or_else(|error| {
        eprintln!("wallcrawler: {error}");
        ExitCode::from(error.status())
    })
}
