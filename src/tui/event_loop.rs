//! The event loop of an app in a terminal. Each pass waits for a message, advances the app by the elapsed time, handles
//! the messages that have arrived, and draws.
//!
//! The designer and the player share the loop. The [`Runner`] carries out the effects that the app requests.

use std::io;
use std::time::{Duration, Instant};

use crossterm::event::Event;

use super::app::App;
use super::terminal::TerminalSession;
use crate::background::{Inbox, Message};
use crate::tui::commands::Effect;

/// Maximum time spent on handling messages before the loop draws the screen or waits for input again.
const DRAIN: Duration = Duration::from_millis(4);

/// The same limit while the user waits for a redraw. It is not zero, so that growth continues however fast the user
/// types.
const BRIEF_DRAIN: Duration = Duration::from_millis(1);

/// Minimum time between two frames if the user does not wait for the redraw.
const FRAME: Duration = Duration::from_millis(16);

/// The terminal session, the clock and the exit status of the event loop.
pub(super) struct LoopScreen {
    /// `None` for a designer without a terminal, whose frames are not drawn.
    session: Option<TerminalSession>,
    /// Time of the last [`App::advance`].
    now: Instant,
    /// The exit status, once the user has quit.
    end: Option<u8>,
}

impl LoopScreen {
    pub(super) fn new(session: Option<TerminalSession>) -> Self {
        Self {
            session,
            now: Instant::now(),
            end: None,
        }
    }

    /// Draws a frame of the app.
    fn draw(&mut self, app: &App) -> io::Result<()> {
        let Some(session) = &mut self.session else {
            return Ok(());
        };
        let picture = app.screen_picture();
        session.draw(|area, buf| app.draw(area, buf), picture.as_deref())
    }

    /// Sends the next part of the picture in the last frame.
    fn send_more(&mut self, app: &App) -> io::Result<()> {
        let Some(session) = &mut self.session else {
            return Ok(());
        };
        session.send_more(app.screen_picture().as_deref())
    }

    /// Returns whether a part of the picture has not been sent yet.
    fn has_unsent(&self) -> bool {
        self.session.as_ref().is_some_and(TerminalSession::has_unsent)
    }

    /// Returns whether the terminal has refused a picture.
    fn has_refused(&self) -> bool {
        self.session.as_ref().is_some_and(TerminalSession::has_refused)
    }

    /// Captures the mouse, or leaves it to the terminal.
    pub(super) fn use_mouse(&mut self, mouse: bool) -> io::Result<()> {
        self.session.as_mut().map_or(Ok(()), |session| session.use_mouse(mouse))
    }

    /// Carries out an effect that concerns the terminal; without a terminal, ignores it. For [`Effect::Quit`], sets the
    /// exit status. Ignores effects that concern other services. Returns the effects that the app requests when the
    /// terminal is resumed.
    ///
    /// # Errors
    ///
    /// Fails if the terminal fails, and for [`Effect::Fail`].
    pub(super) fn perform(&mut self, app: &mut App, effect: Effect) -> io::Result<Vec<Effect>> {
        match (effect, &mut self.session) {
            (Effect::Suspend, Some(session)) => {
                session.suspend()?;
                return self.resumed(app);
            }
            (Effect::Copy(text), Some(session)) => session.copy(&text)?,
            (Effect::Resume, Some(session)) => {
                session.resume()?;
                return self.resumed(app);
            }
            // The first exit status applies. A second one follows if a client quits the designer and then disconnects
            // before the loop ends.
            (Effect::Quit(status), _) => self.end = self.end.or(Some(status)),
            (Effect::Fail(why), _) => return Err(io::Error::other(why)),
            _ => {}
        }
        Ok(Vec::new())
    }

    /// Handles the continuation of a stopped process. Sends the app a resize event, because the size of the terminal
    /// may have changed. The event also makes the app draw a new frame, because the contents of the terminal are
    /// unknown. Returns the effects that the app requests.
    fn resumed(&mut self, app: &mut App) -> io::Result<Vec<Effect>> {
        // Restarts the clock, so that playback does not advance by the time for which the process was stopped.
        self.now = Instant::now();
        let Some(session) = &self.session else {
            return Ok(Vec::new());
        };
        let (width, height) = session.size()?;
        Ok(app.handle(Message::Input(Event::Resize(width, height))))
    }
}

/// The driver of the event loop: owns the terminal and carries out effects.
pub(super) trait Runner {
    fn screen(&mut self) -> &mut LoopScreen;

    /// Carries out the effects that the app requested.
    fn perform(&mut self, app: &mut App, effects: Vec<Effect>) -> io::Result<()>;

    /// Observes the app after each pass of the loop.
    fn note(&mut self, _app: &App) {}
}

/// Runs the event loop until the user quits, and returns the exit status.
///
/// # Errors
///
/// Fails if the terminal fails, or the runner does.
pub(super) fn go(app: &mut App, inbox: &Inbox<Event>, who: &mut impl Runner) -> io::Result<u8> {
    let mut pace = FRAME;
    let mut drawn = Instant::now();
    who.screen().draw(app)?;
    app.drawn();
    loop {
        let mut timeout = app.next_change();
        if app.is_stale() || who.screen().has_unsent() {
            let rest = pace.saturating_sub(drawn.elapsed());
            timeout = Some(timeout.map_or(rest, |timeout| timeout.min(rest)));
        }
        let mut message = inbox.wait(timeout);
        // Advances the app before it handles messages, so that playback started by a message does not advance by the
        // time that passed before that message.
        let effects = app.advance(who.screen().now.elapsed());
        who.screen().now = Instant::now();
        who.perform(app, effects)?;
        while let Some(some) = message {
            if matches!(some, Message::Input(Event::Resize(..))) {
                app.set_cell(TerminalSession::cell_now());
            }
            let effects = app.handle(some);
            who.perform(app, effects)?;
            let most = if app.is_urgent() { BRIEF_DRAIN } else { DRAIN };
            if who.screen().now.elapsed() >= most {
                break;
            }
            message = inbox.poll();
        }
        who.note(app);
        if who.screen().has_refused() {
            app.lose_pictures();
        }
        if let Some(status) = who.screen().end {
            return Ok(status);
        }
        if app.is_urgent() || (app.is_stale() && drawn.elapsed() >= pace) {
            let effects = app.before_frame();
            who.perform(app, effects)?;
            let begun = Instant::now();
            who.screen().draw(app)?;
            app.drawn();
            drawn = Instant::now();
            // A slow terminal receives fewer frames, which leaves time for handling input.
            pace = FRAME.max(drawn - begun);
        } else if who.screen().has_unsent() && drawn.elapsed() >= pace {
            who.screen().send_more(app)?;
            drawn = Instant::now();
        }
    }
}
