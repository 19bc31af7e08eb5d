//! The terminal itself: taken over at the start, given back at the end, after a panic and on suspension.

use std::io::{self, BufWriter, IsTerminal, Stdout, stdin, stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use crossterm::execute;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, SetTitle, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use super::app::App;

// Standard output writes line by line, which is hundreds of writes a frame; the buffer holds a whole frame.
type Screen = Terminal<CrosstermBackend<BufWriter<Stdout>>>;

fn blank() -> io::Result<Screen> {
    execute!(stdout(), Clear(ClearType::All))?;
    Terminal::new(CrosstermBackend::new(BufWriter::new(stdout())))
}

/// The terminal while the designer has it. Dropping it gives the terminal back.
#[derive(Debug)]
pub(super) struct Session {
    terminal: Screen,
}

/// Whether there is a terminal to take over, on both sides.
pub(super) fn is_there() -> bool {
    stdin().is_terminal() && stdout().is_terminal()
}

impl Session {
    /// Takes the terminal over.
    pub(super) fn start() -> io::Result<Self> {
        restore_after_panic();
        take()?;
        let terminal = blank().inspect_err(|_| give_back())?;
        Ok(Self { terminal })
    }

    /// Width and height in characters.
    pub(super) fn size(&self) -> io::Result<(u16, u16)> {
        self.terminal.size().map(|size| (size.width, size.height))
    }

    /// Draws what has changed.
    pub(super) fn draw(&mut self, app: &App) -> io::Result<()> {
        self.terminal.draw(|frame| app.draw(frame.area(), frame.buffer_mut()))?;
        Ok(())
    }

    /// Gives the terminal to the shell until the process is continued.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        give_back();
        stop_this_process()?;
        take()?;
        // Not `clear`, which asks the terminal for the cursor and waits for an answer that the thread that
        // reads the input takes away.
        self.terminal = blank()?;
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        give_back();
    }
}

#[cfg(unix)]
fn stop_this_process() -> io::Result<()> {
    signal_hook::low_level::raise(signal_hook::consts::SIGSTOP)
}

#[cfg(not(unix))]
fn stop_this_process() -> io::Result<()> {
    Ok(())
}

/// Whether the terminal is the designer's now.
static TAKEN: AtomicBool = AtomicBool::new(false);

fn take() -> io::Result<()> {
    TAKEN.store(true, Ordering::Relaxed);
    enable_raw_mode().inspect_err(|_| give_back())?;
    execute!(
        stdout(),
        EnterAlternateScreen,
        EnableMouseCapture,
        EnableBracketedPaste,
        SetTitle("wallcrawler")
    )
    .inspect_err(|_| give_back())
}

/// Undoes all that [`take`] did, once; what cannot be undone is past help.
fn give_back() {
    // Leaving the alternate screen twice would put the cursor over what was printed since.
    if !TAKEN.swap(false, Ordering::Relaxed) {
        return;
    }
    let _ = execute!(
        stdout(),
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        crossterm::cursor::Show
    );
    let _ = disable_raw_mode();
}

/// Lets a panic of the designer's own thread be read on a restored terminal. Panics of workers are caught
/// where they happen and reported as messages; they must neither take the screen away nor write on it.
fn restore_after_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let designer = thread::current().id();
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if thread::current().id() == designer {
                give_back();
                before(panic);
            }
        }));
    });
}
