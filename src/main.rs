//! The `wallcrawler` program.

use std::process::ExitCode;

use wallcrawler::cli::{self, Outcome};
use wallcrawler::tui::{self, Control};

fn main() -> ExitCode {
    match cli::run(std::env::args_os(), &tui::vocabulary()) {
        Outcome::Done(status) => status,
        Outcome::Open {
            document,
            settings,
            unnamed,
        } => exit_status(tui::run(*document, &settings, unnamed, &Control::default())),
        Outcome::Serve {
            document,
            settings,
            socket,
            headless,
            mcp,
        } => {
            let control = Control {
                socket,
                headless: headless.map(|size| (size.y as u16, size.x as u16)),
                mcp,
            };
            exit_status(tui::run(*document, &settings, false, &control))
        }
        Outcome::Play {
            document,
            speed,
            at,
            follow,
            moments,
            grown,
            settings,
        } => {
            let start = tui::PlaybackStart {
                speed,
                at,
                follow,
                moments,
                grown,
            };
            exit_status(tui::play(*document, &start, &settings))
        }
    }
}

/// Returns the exit status of a terminal session, after reporting its error if there is one.
fn exit_status(ended: Result<ExitCode, tui::Error>) -> ExitCode {
    ended.unwrap_or_else(|error| {
        cli::print_error(&error.to_string());
        ExitCode::from(error.status())
    })
}
