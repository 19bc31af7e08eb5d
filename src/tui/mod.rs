//! The designer in the terminal: the dungeon as it grows, beside the panels that edit it.
//!
//! One loop, one inbox: [`run`] waits for a message (a key, a part of a growth, a changed file), takes all
//! that are there within a small budget, lets time pass and draws once, if anything changed. With nothing
//! to play it waits without end and costs nothing.
//!
//! [`App`] is the state; it knows no terminal, thread or clock. Keys become actions by one table
//! (`keys`), actions change the state and ask for [`Effect`]s, and drawing takes `&App`. ratatui and
//! crossterm appear here and nowhere else.

mod app;
mod custom;
mod dialog;
mod edit;
mod files;
#[cfg(test)]
mod fixture;
mod footer;
mod help;
mod keys;
mod map;
mod palette;
mod panels;
mod screen;
mod search;
#[cfg(test)]
mod stories;
mod terminal;
#[cfg(test)]
mod tests;
mod text;
mod theme;
mod time;
mod tools;
mod typing;
mod vaults;
mod views;

pub use app::{App, Effect};
pub use custom::vocabulary;
pub use theme::{Depth, Theme};

use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crossterm::event::Event;

use self::terminal::Session;
use crate::document::Document;
use crate::engine::Options;
use crate::settings::Place;
use crate::worker::{Generator, Inbox, Message, Search, Signals, Watcher, Workshop};

/// How long messages are taken before the screen is drawn.
const DRAIN: Duration = Duration::from_millis(8);

/// Least time between two frames that nobody waits for.
const FRAME: Duration = Duration::from_millis(16);

/// Why the designer could not be shown.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Standard input or output is no terminal.
    #[error(
        "the designer needs a terminal, and its input or output is none; \
         `wallcrawler grow` prints a dungeon without one"
    )]
    NotATerminal,
    /// The terminal or the system failed.
    #[error("the terminal failed: {0}")]
    Io(#[from] io::Error),
}

impl Error {
    /// The exit status that tells it.
    pub const fn status(&self) -> u8 {
        match self {
            Self::NotATerminal => 2,
            Self::Io(_) => 1,
        }
    }
}

/// Shows the designer with a document until the user leaves it.
///
/// # Errors
///
/// When there is no terminal, or it fails.
pub fn run(document: Document, options: Options, settings: &Place) -> Result<ExitCode, Error> {
    if !terminal::is_there() {
        return Err(Error::NotATerminal);
    }
    let loaded = settings.load(&vocabulary());
    let inbox = Inbox::<Event>::new();
    let generator = Generator::new(inbox.sender())?;
    let workshop = Workshop::new(inbox.sender())?;
    let search = Search::new(inbox.sender())?;
    let session = Session::start()?;
    let (width, height) = session.size()?;
    let theme = Theme::new(Depth::Sixteen);
    let mut app = App::new(document, options, theme, width, height);
    app.configure(loaded, |name| std::env::var(name).ok());
    inbox.pump(crossterm::event::read)?;
    let _signals = Signals::new(inbox.sender())?;
    let mut outside = Outside {
        session,
        generator,
        workshop,
        search,
        watcher: None,
        inbox: &inbox,
        settings,
        now: Instant::now(),
        end: None,
    };
    let first = app.start();
    outside.perform(&mut app, first)?;
    let status = event_loop(&mut app, &mut outside)?;
    Ok(ExitCode::from(status))
}

fn event_loop(app: &mut App, outside: &mut Outside) -> io::Result<u8> {
    let mut drawn = Instant::now();
    outside.session.draw(app)?;
    app.drawn();
    loop {
        let mut timeout = app.next_change();
        if app.is_stale() {
            let rest = FRAME.saturating_sub(drawn.elapsed());
            timeout = Some(timeout.map_or(rest, |timeout| timeout.min(rest)));
        }
        let mut message = outside.inbox.wait(timeout);
        // Time passes before messages are taken: what they begin has not lasted yet.
        app.advance(outside.now.elapsed());
        outside.now = Instant::now();
        while let Some(some) = message {
            let effects = app.handle(some);
            outside.perform(app, effects)?;
            if outside.now.elapsed() >= DRAIN {
                break;
            }
            message = outside.inbox.poll();
        }
        if let Some(status) = outside.end {
            return Ok(status);
        }
        if app.is_urgent() || (app.is_stale() && drawn.elapsed() >= FRAME) {
            let effects = app.before_frame();
            outside.perform(app, effects)?;
            outside.session.draw(app)?;
            app.drawn();
            drawn = Instant::now();
        }
    }
}

/// What the designer's effects act on.
struct Outside<'a> {
    session: Session,
    generator: Generator,
    workshop: Workshop,
    search: Search,
    watcher: Option<Watcher>,
    inbox: &'a Inbox<Event>,
    settings: &'a Place,
    /// When time was last let pass.
    now: Instant,
    /// The exit status, once the designer ends.
    end: Option<u8>,
}

impl Outside<'_> {
    fn perform(&mut self, app: &mut App, effects: Vec<Effect>) -> io::Result<()> {
        for effect in effects {
            match effect {
                Effect::Grow(design, options) => app.run_started(self.generator.grow(design, options)),
                Effect::Resolve(order) => app.order_placed(self.workshop.ask(order)),
                Effect::Search(prospect, options) => app.search_begun(self.search.begin(prospect, options)),
                Effect::EndSearch => self.search.cancel(),
                Effect::Watch(files) => {
                    if let Err(error) = self.watch(&files) {
                        app.handle(Message::WatchFailed(error.to_string()));
                    }
                }
                Effect::Configure => {
                    app.configure(self.settings.load(&vocabulary()), |name| std::env::var(name).ok());
                    app.say_configured();
                }
                Effect::Suspend => {
                    self.session.suspend()?;
                    let (width, height) = self.session.size()?;
                    app.handle(Message::Input(Event::Resize(width, height)));
                    // The film does not run while the process is stopped.
                    self.now = Instant::now();
                }
                Effect::Quit(status) => self.end = Some(status),
                Effect::Fail(why) => return Err(io::Error::other(why)),
            }
        }
        Ok(())
    }

    fn watch(&mut self, files: &[std::path::PathBuf]) -> Result<(), Box<dyn std::error::Error>> {
        if self.watcher.is_none() && files.is_empty() {
            return Ok(());
        }
        let watcher = match &mut self.watcher {
            Some(watcher) => watcher,
            none => none.insert(Watcher::new(self.inbox.sender())?),
        };
        watcher.watch(files)?;
        Ok(())
    }
}
