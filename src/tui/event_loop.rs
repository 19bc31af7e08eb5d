//! The rounds of whatever shows an app in a terminal: wait for a message, let time pass, take what came, draw.
//!
//! The designer and the player go the same rounds. What their effects do, besides what concerns the terminal itself, is
//! their own and is not known here.

use std::io;
use std::time::{Duration, Instant};

use crossterm::event::Event;

use super::action::Effect;
use super::app::App;
use super::terminal::TerminalSession;
use crate::background::{Inbox, Message};

/// How long messages are taken before somebody who types is looked at again, or the screen is drawn.
const DRAIN: Duration = Duration::from_millis(4);

/// The same while somebody waits for the screen: growth goes on however fast one types.
const BRIEF_DRAIN: Duration = Duration::from_millis(1);

/// Least time between two frames that nobody waits for.
const FRAME: Duration = Duration::from_millis(16);

/// The terminal, the time, and whether this is over.
pub(super) struct LoopScreen {
    pub(super) session: TerminalSession,
    /// When time was last let pass.
    now: Instant,
    /// The exit status, once the user has left.
    end: Option<u8>,
}

impl LoopScreen {
    pub(super) fn new(session: TerminalSession) -> Self {
        Self {
            session,
            now: Instant::now(),
            end: None,
        }
    }

    /// Does what is asked of the terminal; what is asked of others is not done here.
    pub(super) fn perform(&mut self, app: &mut App, effect: Effect) -> io::Result<()> {
        match effect {
            Effect::Suspend => {
                self.session.suspend()?;
                self.resumed(app)?;
            }
            Effect::Resume => {
                self.session.resume()?;
                self.resumed(app)?;
            }
            Effect::Quit(status) => self.end = Some(status),
            Effect::Fail(why) => return Err(io::Error::other(why)),
            _ => {}
        }
        Ok(())
    }

    /// The process was stopped: the screen may have another size, and what is on it is not known.
    fn resumed(&mut self, app: &mut App) -> io::Result<()> {
        let (width, height) = self.session.size()?;
        app.handle(Message::Input(Event::Resize(width, height)));
        // The film does not run while the process is stopped.
        self.now = Instant::now();
        Ok(())
    }
}

/// Who goes the rounds.
pub(super) trait Runner {
    fn screen(&mut self) -> &mut LoopScreen;

    /// Does what the app asks for.
    fn perform(&mut self, app: &mut App, effects: Vec<Effect>) -> io::Result<()>;

    /// Takes note of the app after each round.
    fn note(&mut self, _app: &App) {}
}

/// Goes the rounds until the user leaves; the exit status.
///
/// # Errors
///
/// When the terminal fails, or who goes the rounds does.
pub(super) fn go(app: &mut App, inbox: &Inbox<Event>, who: &mut impl Runner) -> io::Result<u8> {
    let mut pace = FRAME;
    let mut drawn = Instant::now();
    who.screen().session.draw(app)?;
    app.drawn();
    loop {
        let mut timeout = app.next_change();
        if app.is_stale() {
            let rest = pace.saturating_sub(drawn.elapsed());
            timeout = Some(timeout.map_or(rest, |timeout| timeout.min(rest)));
        }
        let mut message = inbox.wait(timeout);
        // Time passes before messages are taken: what they begin has not lasted yet.
        let effects = app.advance(who.screen().now.elapsed());
        who.screen().now = Instant::now();
        who.perform(app, effects)?;
        while let Some(some) = message {
            let effects = app.handle(some);
            who.perform(app, effects)?;
            let most = if app.is_urgent() { BRIEF_DRAIN } else { DRAIN };
            if who.screen().now.elapsed() >= most {
                break;
            }
            message = inbox.poll();
        }
        who.note(app);
        if let Some(status) = who.screen().end {
            return Ok(status);
        }
        if app.is_urgent() || (app.is_stale() && drawn.elapsed() >= pace) {
            let effects = app.before_frame();
            who.perform(app, effects)?;
            let begun = Instant::now();
            who.screen().session.draw(app)?;
            app.drawn();
            drawn = Instant::now();
            // A terminal that takes long for a frame gets fewer: the time between belongs to what is typed.
            pace = FRAME.max(drawn - begun);
        }
    }
}
