//! The terminal session: sets the terminal up at the start, and restores it at the end, after a panic and on
//! suspension. If this process is killed, a second process, the guardian (`super::guardian`), restores the terminal.

use std::io::{self, BufWriter, IsTerminal, Write, stderr, stdin, stdout};
use std::path::PathBuf;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste, EnableFocusChange,
    EnableMouseCapture, KeyboardEnhancementFlags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    SetTitle, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::pictures::{self, Painter, PictureReplies, PictureSender};
use super::query::{self, Answers};
use crate::background::EmergencySave;
use crate::text::escape;

// The buffer combines the output of a frame into a few writes to the terminal.
type Screen = Terminal<CrosstermBackend<BufWriter<Output>>>;

fn blank() -> io::Result<Screen> {
    execute!(stdout(), Clear(ClearType::All))?;
    Terminal::new(CrosstermBackend::new(BufWriter::new(Output)))
}

/// A writer to standard output that discards what is written while the designer does not own the terminal. When
/// ratatui's terminal is dropped, it writes to its backend, and panics if that fails; by then the real terminal has
/// been restored and may be gone.
#[derive(Debug)]
struct Output;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if TAKEN.load(Ordering::Relaxed) {
            stdout().write(bytes)
        } else {
            Ok(bytes.len())
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if TAKEN.load(Ordering::Relaxed) {
            stdout().flush()
        } else {
            Ok(())
        }
    }
}

/// The reason why the designer could not start or continue.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The terminal cannot move its cursor; the field is the value of `TERM`.
    #[error(
        "the designer needs a terminal whose cursor can be moved, but TERM is `{0}`; \
         `wallcrawler grow` works on any terminal: it prints a dungeon"
    )]
    Dumb(String),
    /// Standard input or output is not a terminal.
    #[error(
        "the designer needs a terminal, but its input or output is not one; \
         `wallcrawler grow` needs no terminal: it prints a dungeon"
    )]
    NotATerminal,
    /// The control socket cannot be opened.
    #[error("cannot open the socket {}: {why}", path.display())]
    Socket {
        /// Path of the socket.
        path: PathBuf,
        /// The operating system's error.
        why: io::Error,
    },
    /// The terminal or the system failed.
    #[error("the terminal failed: {0}")]
    Io(#[from] io::Error),
}

impl Error {
    /// Returns the exit status for the error.
    pub const fn status(&self) -> u8 {
        match self {
            Self::NotATerminal | Self::Dumb(_) | Self::Socket { .. } => 2,
            Self::Io(_) => 1,
        }
    }
}

/// The terminal while the designer owns it. Dropping it restores the terminal.
#[derive(Debug)]
pub(super) struct TerminalSession {
    terminal: Screen,
    /// Whether the designer captures the mouse.
    mouse: bool,
    /// The terminal's answers to the queries before the first frame.
    pub(super) answers: Answers,
    /// The sender of the pictures on the screen.
    sender: PictureSender,
    pub(super) replies: PictureReplies,
}

/// Checks that standard input and output are a terminal whose cursor can be moved.
pub(super) fn check() -> Result<(), Error> {
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return Err(Error::NotATerminal);
    }
    let dumb = std::env::var("TERM").ok().filter(|term| term == "dumb");
    dumb.map_or(Ok(()), |term| Err(Error::Dumb(term)))
}

impl TerminalSession {
    /// Sets up the terminal, with or without mouse capture. With `pictures`, asks the terminal whether it can show
    /// pictures. After a panic, `rescue` saves unsaved work.
    pub(super) fn start(rescue: EmergencySave, mouse: bool, pictures: bool) -> io::Result<Self> {
        #[cfg(unix)]
        let guardian = super::guardian::start(&leave_sequence(), rescue.folder());
        restore_after_panic(rescue);
        // This call starts the reporting of window size changes. Without it, a change between the first query of the
        // size and the first wait for input would be lost.
        crossterm::event::poll(Duration::ZERO)?;
        #[cfg(unix)]
        guardian.wait();
        enter(mouse)?;
        let answers = ask(&query::query(pictures)).inspect_err(|_| restore_modes())?;
        if answers.has_kitty_keys {
            KITTY.store(true, Ordering::Relaxed);
            disambiguate_keys().inspect_err(|_| restore_modes())?;
        }
        let terminal = blank().inspect_err(|_| restore_modes())?;
        let replies = PictureReplies::default();
        Ok(Self {
            terminal,
            mouse,
            answers,
            sender: PictureSender::new(replies.clone()),
            replies,
        })
    }

    /// Returns the width and height of the terminal in characters.
    pub(super) fn size(&self) -> io::Result<(u16, u16)> {
        self.terminal.size().map(|size| (size.width, size.height))
    }

    /// Returns the width and height of a character in pixels, as the system reports them now.
    pub(super) fn cell_now() -> Option<(u16, u16)> {
        let size = crossterm::terminal::window_size().ok()?;
        Some((
            size.width.checked_div(size.columns)?,
            size.height.checked_div(size.rows)?,
        ))
    }

    /// Draws a frame: writes the characters that have changed since the last frame, then the next part of the picture
    /// if it has changed. A terminal that supports synchronized output shows both at the same time.
    /// [`Self::send_more`] sends the rest of the picture.
    pub(super) fn draw(
        &mut self,
        draw: impl FnOnce(Rect, &mut Buffer),
        picture: Option<&dyn Painter>,
    ) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        let (mut bytes, place) = (Vec::new(), picture.map(Painter::place));
        let sender = &mut self.sender;
        self.terminal.draw(|frame| {
            draw(frame.area(), frame.buffer_mut());
            sender.frame(place, frame.buffer_mut(), &mut bytes);
        })?;
        self.next_part(picture, &mut bytes);
        self.terminal.backend_mut().write_all(&bytes)?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }

    /// Returns whether a part of the picture has not been sent, or the terminal has not acknowledged the last part.
    pub(super) fn has_unsent(&self) -> bool {
        self.sender.has_more() || self.sender.is_waiting()
    }

    /// Returns whether the terminal has refused a picture.
    pub(super) fn has_refused(&self) -> bool {
        self.replies.has_refused()
    }

    /// Sends another part of the last frame's picture, unless the terminal has yet to acknowledge the previous part.
    pub(super) fn send_more(&mut self, picture: Option<&dyn Painter>) -> io::Result<()> {
        let mut bytes = Vec::new();
        self.next_part(picture, &mut bytes);
        if bytes.is_empty() {
            return Ok(());
        }
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.backend_mut().write_all(&bytes)?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }

    fn next_part(&mut self, picture: Option<&dyn Painter>, bytes: &mut Vec<u8>) {
        let now = Instant::now();
        let Some(picture) = picture else {
            return self.sender.handle_answer(now);
        };
        self.sender.send(picture, now, bytes);
        let (first, count) = self.sender.ids();
        PICTURES.fetch_max(count, Ordering::Relaxed);
        FIRST_PICTURE.store(first, Ordering::Relaxed);
    }

    /// Copies text to the clipboard of the computer on which the terminal runs (OSC 52).
    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(self.terminal.backend_mut(), CopyToClipboard::to_clipboard_from(text))
    }

    /// Captures the mouse, or leaves it to the terminal for selecting and copying text.
    pub(super) fn use_mouse(&mut self, mouse: bool) -> io::Result<()> {
        if mouse != self.mouse {
            self.mouse = mouse;
            if mouse {
                execute!(stdout(), EnableMouseCapture)?;
            } else {
                execute!(stdout(), DisableMouseCapture)?;
            }
        }
        Ok(())
    }

    /// Restores the terminal and stops the process group; sets the terminal up again when the process is continued.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        restore_modes();
        stop_processes()?;
        self.resume()
    }

    /// Sets up the terminal again, whatever state other programs left it in while the process was stopped.
    pub(super) fn resume(&mut self) -> io::Result<()> {
        // Crossterm would not enable raw mode again while it believes that raw mode is on, so disable raw mode first.
        let _ = disable_raw_mode();
        enter(self.mouse)?;
        // Do not use `clear`: it asks the terminal for the cursor position, and the input thread would read the reply.
        self.terminal = blank()?;
        self.sender.forget();
        Ok(())
    }
}

impl Drop for TerminalSession {
    fn drop(&mut self) {
        restore_modes();
    }
}

/// Stops the processes in this process's group, as a terminal does when Ctrl-Z is pressed. If a script started the
/// designer, the shell gets the terminal back only when the script stops, too.
#[cfg(unix)]
fn stop_processes() -> io::Result<()> {
    Ok(rustix::process::kill_current_process_group(
        rustix::process::Signal::STOP,
    )?)
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix it can fail")]
fn stop_processes() -> io::Result<()> {
    Ok(())
}

/// Whether the designer owns the terminal now.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether the terminal supports the kitty keyboard protocol.
static KITTY: AtomicBool = AtomicBool::new(false);

/// Number that identifies the first picture.
static FIRST_PICTURE: AtomicU32 = AtomicU32::new(0);

/// Largest number of pictures that a frame has needed so far.
static PICTURES: AtomicU32 = AtomicU32::new(0);

/// Enables the first level of the kitty keyboard protocol, which makes keys unambiguous: Esc can then no longer be
/// confused with the start of an escape sequence.
fn disambiguate_keys() -> io::Result<()> {
    let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES;
    execute!(stdout(), PushKeyboardEnhancementFlags(flags))
}

/// Timeout for the terminal's answers; some terminals never answer.
#[cfg(unix)]
const ANSWER: Duration = Duration::from_millis(100);

/// Timeout for terminals that are known to answer, but may do so late over a slow connection or while their window
/// opens.
#[cfg(unix)]
const SURE_ANSWER: Duration = Duration::from_secs(1);

/// Returns the timeout for the answers of the terminal that `TERM` names.
#[cfg(unix)]
fn longest_wait(term: &str) -> Duration {
    let is_sure = ["kitty", "ghostty"].iter().any(|known| term.contains(known));
    if is_sure { SURE_ANSWER } else { ANSWER }
}

/// Sends the queries to the terminal and waits for the answers. Call this before anything else reads the input.
#[cfg(unix)]
fn ask(queries: &[u8]) -> io::Result<Answers> {
    use std::io::Read as _;
    use std::os::fd::AsRawFd as _;

    use filedescriptor::{Error, FileDescriptor, POLLIN, poll, pollfd};

    stdout().write_all(queries)?;
    stdout().flush()?;
    let Ok(mut input) = FileDescriptor::dup(&stdin()) else {
        return Ok(Answers::default());
    };
    let longest = longest_wait(&std::env::var("TERM").unwrap_or_default());
    let (begun, mut bytes) = (Instant::now(), Vec::new());
    loop {
        let rest = longest.saturating_sub(begun.elapsed());
        let mut waiting = [pollfd {
            fd: input.as_raw_fd(),
            events: POLLIN,
            revents: 0,
        }];
        match poll(&mut waiting, Some(rest)) {
            Ok(1..) if waiting[0].revents & POLLIN != 0 => {}
            // The signal that reports a new window size interrupts the wait.
            Err(Error::Poll(error) | Error::Io(error)) if error.kind() == io::ErrorKind::Interrupted => continue,
            _ => break,
        }
        let mut part = [0; 256];
        match input.read(&mut part) {
            Ok(count @ 1..) => bytes.extend_from_slice(&part[..count]),
            _ => break,
        }
        if query::is_complete(&bytes) || rest.is_zero() {
            break;
        }
    }
    Ok(query::parse(&bytes))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix it can fail")]
fn ask(_queries: &[u8]) -> io::Result<Answers> {
    Ok(Answers::default())
}

fn enter(mouse: bool) -> io::Result<()> {
    TAKEN.store(true, Ordering::Relaxed);
    notify_guardian(true);
    enable_raw_mode().inspect_err(|_| restore_modes())?;
    execute!(
        stdout(),
        EnterAlternateScreen,
        EnableBracketedPaste,
        EnableFocusChange,
        SetTitle("wallcrawler")
    )
    .inspect_err(|_| restore_modes())?;
    if mouse {
        execute!(stdout(), EnableMouseCapture).inspect_err(|_| restore_modes())?;
    }
    if KITTY.load(Ordering::Relaxed) {
        disambiguate_keys().inspect_err(|_| restore_modes())?;
    }
    Ok(())
}

/// Undoes [`enter`] if the designer owns the terminal, and otherwise does nothing; ignores failures.
fn restore_modes() {
    // Leaving the alternate screen a second time would move the cursor over output that was printed in between.
    if !TAKEN.swap(false, Ordering::Relaxed) {
        return;
    }
    let _ = stdout().write_all(&leave_sequence()).and_then(|()| stdout().flush());
    let _ = disable_raw_mode();
    notify_guardian(false);
}

/// Returns the escape sequences that restore the terminal.
fn leave_sequence() -> Vec<u8> {
    let mut bytes = Vec::new();
    if KITTY.load(Ordering::Relaxed) {
        let _ = queue!(bytes, PopKeyboardEnhancementFlags);
    }
    // The guardian's copy of this sequence deletes no pictures, because it was made before any were sent. That is
    // harmless: terminals drop the pictures of the alternate screen when they leave it.
    let [first, count] = [&FIRST_PICTURE, &PICTURES].map(|number| number.load(Ordering::Relaxed));
    bytes.extend(pictures::delete_all(first, count));
    // Writing into memory cannot fail.
    let _ = queue!(
        bytes,
        EndSynchronizedUpdate,
        DisableFocusChange,
        DisableBracketedPaste,
        DisableMouseCapture,
        // On a terminal without an alternate screen, the designer's screen would stay visible around the shell's lines.
        Clear(ClearType::All),
        crossterm::cursor::MoveTo(0, 0),
        LeaveAlternateScreen,
        crossterm::cursor::Show
    );
    bytes
}

/// Informs the guardian whether the designer owns the terminal.
fn notify_guardian(is_taken: bool) {
    #[cfg(unix)]
    super::guardian::report(is_taken);
    #[cfg(not(unix))]
    let _ = is_taken;
}

/// Exits with the status of a signal. This is the last resort if the signal has not made the designer exit normally.
/// Writes nothing to the terminal, which may no longer accept output.
pub(super) fn leave_it(signal: i32) {
    let _ = disable_raw_mode();
    // By the shells' convention, this status reports that a signal ended the program.
    std::process::exit(128 + signal);
}

/// Saves unsaved work, if there is any, and reports on standard error where it is.
pub(super) fn report_recovery(rescue: &EmergencySave) {
    let description = match rescue.now() {
        Ok(None) => return,
        Ok(Some(path)) => format!(
            "note: the unsaved work is saved in {} and will be offered when wallcrawler starts again",
            path.display()
        ),
        Err(why) => format!("error: the unsaved work could not be saved: {why}"),
    };
    // If standard error is closed, the report is lost.
    let _ = writeln!(stderr(), "{}", escape(&description));
}

/// Installs a panic hook. If the designer's own thread panics, the hook restores the terminal, prints the panic
/// message, saves any unsaved work and reports where it is. For background threads the hook does nothing: they catch
/// their own panics and report them as messages, and must neither restore the terminal nor write to it. Nor does the
/// hook do anything for a panic in a decoder, which the import module catches.
pub(super) fn restore_after_panic(rescue: EmergencySave) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let designer = thread::current().id();
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if thread::current().id() == designer && !crate::import::is_guarded() {
                restore_modes();
                before(panic);
                report_recovery(&rescue);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::sync::Arc;

    use super::*;
    use crate::background::{Autosaver, Inbox};
    use crate::storage::{Unsaved, leftovers};

    /// Environment variable that passes the folder for unsaved work to the process that panics.
    const FOLDER: &str = "WALLCRAWLER_TEST_FOLDER";

    #[test]
    fn a_panic_restores_the_terminal_and_reports_where_the_work_is() {
        let folder = tempfile::tempdir().unwrap();
        let ended = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "--ignored", "--nocapture", "--test-threads=1"])
            .arg("tui::terminal::tests::the_designer_panics")
            .env(FOLDER, folder.path())
            .output()
            .unwrap();
        let [out, description] = [ended.stdout, ended.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(out.contains("\u{1b}[?1049l"), "the alternate screen is left: {out:?}");
        assert!(out.contains("\u{1b}[?25h"), "the cursor is shown: {out:?}");
        let panicked = description.find("a deliberate panic").expect("the panic is reported");
        let kept = description
            .find("unsaved work is saved in")
            .expect("the place is reported");
        assert!(panicked < kept, "{description}");
        let left = leftovers(&folder.path().join("autosave"));
        assert!(
            description.contains(&left[0].slot.path().display().to_string()),
            "{description}"
        );
        assert_eq!(left[0].design.as_ref().unwrap().name, "Castle");
    }

    #[test]
    #[ignore = "panics on purpose, in a process of its own"]
    fn the_designer_panics() {
        let Some(folder) = std::env::var_os(FOLDER) else { return };
        let inbox = Inbox::<()>::new();
        let autosaver = Autosaver::new(inbox.sender(), Some(folder.into()), Some(Duration::from_hours(1))).unwrap();
        restore_after_panic(autosaver.rescue());
        TAKEN.store(true, Ordering::Relaxed);
        autosaver.note(Some(Unsaved {
            design: Arc::new(crate::design::Design {
                name: "Castle".into(),
                ..Default::default()
            }),
            files: None,
            folder: PathBuf::new(),
            digest: None,
            origin: None,
        }));
        panic!("a deliberate panic");
    }
}
