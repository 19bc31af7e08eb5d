//! The program on a terminal of its own, and the functions that read its screen.
//!
//! Every wait is for a condition on the screen or in a file, never for a fixed time.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::pictures::Pictures;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;
use vt100::{Color, MouseProtocolMode, Parser, Screen};
use wallcrawler::format::native;
use wallcrawler::presets::Preset;

/// Timeout for a condition on the slowest and busiest machine: only a story that fails
/// waits this long.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_mins(4);

// Byte sequences of keys that are not characters.
pub(crate) const ENTER: &str = "\r";
pub(crate) const ESC: &str = "\x1b";
pub(crate) const TAB: &str = "\t";
pub(crate) const UP: &str = "\x1b[A";
pub(crate) const DOWN: &str = "\x1b[B";
pub(crate) const RIGHT: &str = "\x1b[C";
pub(crate) const LEFT: &str = "\x1b[D";
pub(crate) const F2: &str = "\x1bOQ";
pub(crate) const CTRL_N: &str = "\x0e";
pub(crate) const CTRL_S: &str = "\x13";
pub(crate) const CTRL_T: &str = "\x14";
pub(crate) const CTRL_U: &str = "\x15";
/// Keys of the stats panel, of the rooms panel, and of a view that has no key without Alt.
pub(crate) const ALT_1: &str = "\x1b1";
pub(crate) const ALT_2: &str = "\x1b2";
pub(crate) const ALT_9: &str = "\x1b9";

/// The program on its terminal.
pub(crate) struct Session {
    /// `None` once the terminal is gone.
    master: Option<Box<dyn MasterPty + Send>>,
    keyboard: Box<dyn Write + Send>,
    pub(crate) child: Box<dyn Child + Send + Sync>,
    /// Output, and when it was read.
    output: Receiver<(Instant, Vec<u8>)>,
    /// Output read while waiting; [`Self::drain`] returns it.
    waited: Vec<u8>,
    /// While this is unlocked, a thread reads the output.
    pub(crate) reading: Arc<Mutex<()>>,
    parser: Parser,
    /// The pictures of a terminal that shows them.
    pub(crate) pictures: Option<Pictures>,
    /// The home with its settings and state; removed with its last owner.
    _home: Rc<TempDir>,
}

impl Drop for Session {
    fn drop(&mut self) {
        // Most tests have ended the process; a failed one must not leave it behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const fn size(rows: u16, cols: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

/// Creates a home in which the tour has been completed: the tour has a story of its own.
pub(crate) fn home() -> Rc<TempDir> {
    let home = Rc::new(tempfile::tempdir().unwrap());
    let state = home.path().join("state/wallcrawler");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("toured"), "").unwrap();
    home
}

/// Writes a design of a small hall with one Crawler, in which more dead ends grow than an expectation allows; returns
/// its path.
pub(crate) fn hall(home: &Rc<TempDir>, expectations: &str) -> PathBuf {
    let text = format!(
        "seed = 3
[expect]
that = [{expectations}]
[layout]
dim_x = 30
dim_y = 30
[[crawler]]
x = 0
y = 15
direction = 12
delay = 0
termination = 1
"
    );
    let file = home.path().join("hall.toml");
    std::fs::write(&file, text).unwrap();
    file
}

/// Returns a path as an argument.
pub(crate) fn argument(path: &Path) -> &str {
    path.to_str().unwrap()
}

impl Session {
    pub(crate) fn start(rows: u16, cols: u16) -> Self {
        Self::open(rows, cols, &[])
    }

    pub(crate) fn open(rows: u16, cols: u16, arguments: &[&str]) -> Self {
        Self::at_home(&home(), rows, cols, arguments)
    }

    /// Starts the program with the settings and state of a home.
    pub(crate) fn at_home(home: &Rc<TempDir>, rows: u16, cols: u16, arguments: &[&str]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_wallcrawler"));
        command.args(arguments);
        Self::running(command, home, rows, cols)
    }

    /// Starts the program from a shell script, in which it is `$0`.
    pub(crate) fn scripted(home: &Rc<TempDir>, rows: u16, cols: u16, script: &str) -> Self {
        let mut command = CommandBuilder::new("/bin/sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_wallcrawler")]);
        Self::running(command, home, rows, cols)
    }

    fn running(mut command: CommandBuilder, home: &Rc<TempDir>, rows: u16, cols: u16) -> Self {
        let pair = native_pty_system().openpty(size(rows, cols)).unwrap();
        // Environment variables of the terminal, shell and user that run the tests must not affect the story.
        command.env_clear();
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        command.env("HOME", home.path());
        command.env("XDG_CONFIG_HOME", home.path().join("config"));
        command.env("XDG_STATE_HOME", home.path().join("state"));
        command.cwd(home.path());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        let reading = Arc::new(Mutex::new(()));
        let gate = Arc::clone(&reading);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                drop(gate.lock());
                if sender.send((Instant::now(), bytes[..n].to_vec())).is_err() {
                    return;
                }
            }
        });
        Self {
            keyboard: pair.master.take_writer().unwrap(),
            master: Some(pair.master),
            child,
            output,
            reading,
            _home: Rc::clone(home),
            waited: Vec::new(),
            pictures: None,
            parser: Parser::new(rows.try_into().unwrap(), cols.try_into().unwrap(), 0),
        }
    }

    /// Starts the designer, and pauses it at the end of a fully recorded growth.
    pub(crate) fn grown(rows: u16, cols: u16, arguments: &[&str]) -> Self {
        let mut session = Self::open(rows, cols, arguments);
        session.go_to_the_end();
        session
    }

    /// Waits for the whole growth and pauses at its end.
    pub(crate) fn go_to_the_end(&mut self) {
        self.wait_for("growth", |screen| turn(screen).is_some());
        self.press("G");
        self.wait_for("the end of growth", |screen| {
            screen.contents().contains('‖') && is_grown(screen) && turn(screen) == turns(screen)
        });
    }

    /// Waits for the whole of a growth with another number of turns than before: the old one stays on the screen
    /// for a while after an edit.
    pub(crate) fn wait_for_another_growth(&mut self, before: Option<u64>) {
        self.wait_for("another growth", |screen| is_grown(screen) && turns(screen) != before);
    }

    /// Reads the program's output until the screen satisfies a condition.
    pub(crate) fn wait_for(&mut self, what: &str, condition: impl Fn(&Screen) -> bool) {
        let deadline = Instant::now() + LONGEST_WAIT;
        while !condition(self.parser.screen()) {
            let rest = deadline.saturating_duration_since(Instant::now());
            let Ok((_, bytes)) = self.output.recv_timeout(rest) else {
                panic!("{what} never came:\n{}", self.parser.screen().contents());
            };
            self.show(&bytes);
            self.waited.extend(bytes);
        }
    }

    /// Shows output on the screen, and answers as the terminal does.
    fn show(&mut self, bytes: &[u8]) {
        self.parser.process(bytes);
        let answers = self.pictures.as_mut().map(|pictures| pictures.process(bytes));
        if let Some(answers) = answers.filter(|answers| !answers.is_empty()) {
            // A program that has ended reads no answers.
            let _ = self.keyboard.write_all(&answers).and_then(|()| self.keyboard.flush());
        }
    }

    /// Reads the program's output until the terminal's pictures satisfy a condition.
    pub(crate) fn wait_for_pictures(&mut self, what: &str, condition: impl Fn(&Pictures) -> bool) {
        let deadline = Instant::now() + LONGEST_WAIT;
        while !self.pictures.as_ref().is_some_and(&condition) {
            assert!(Instant::now() < deadline, "{what} never came");
            self.wait_a_moment();
        }
    }

    /// Shows the output of a moment in which the program draws several frames.
    pub(crate) fn wait_a_moment(&mut self) {
        let end = Instant::now() + Duration::from_millis(100);
        while let Some((_, bytes)) = self.next_output(end) {
            self.waited.extend(bytes);
        }
    }

    /// Shows the next output. Returns it, and when it was read; `None` if there is none until a time.
    pub(crate) fn next_output(&mut self, until: Instant) -> Option<(Instant, Vec<u8>)> {
        let rest = until.saturating_duration_since(Instant::now());
        let (at, bytes) = self.output.recv_timeout(rest).ok()?;
        self.show(&bytes);
        Some((at, bytes))
    }

    pub(crate) fn wait_for_text(&mut self, text: &str) {
        self.wait_for(text, |screen| screen.contents().contains(text));
    }

    pub(crate) fn wait_until_gone(&mut self, text: &str) {
        let what = format!("the end of {text}");
        self.wait_for(&what, |screen| !screen.contents().contains(text));
    }

    /// Presses keys and waits for a text on the screen.
    pub(crate) fn press_for(&mut self, keys: &str, text: &str) {
        self.press(keys);
        self.wait_for_text(text);
    }

    /// Presses keys and waits for a text to disappear from the screen.
    pub(crate) fn press_away(&mut self, keys: &str, text: &str) {
        self.press(keys);
        self.wait_until_gone(text);
    }

    /// Presses keys and waits for the screen to change.
    pub(crate) fn press_and_see(&mut self, keys: &str) {
        let before = self.screen().contents_formatted();
        self.press(keys);
        self.wait_for("a change", |screen| screen.contents_formatted() != before);
    }

    /// Writes on the terminal as another program would.
    pub(crate) fn scribble(&mut self, bytes: &str) {
        while let Ok((_, before)) = self.output.try_recv() {
            self.parser.process(&before);
        }
        self.parser.process(bytes.as_bytes());
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
    }

    /// Presses keys in a program that may have ended.
    pub(crate) fn try_press(&mut self, keys: &str) -> std::io::Result<()> {
        self.keyboard.write_all(keys.as_bytes())
    }

    /// Returns the bytes that the program wrote since the last call; they are also shown on the screen.
    pub(crate) fn drain(&mut self) -> Vec<u8> {
        let bytes: Vec<u8> = self.output.try_iter().flat_map(|(_, bytes)| bytes).collect();
        self.parser.process(&bytes);
        let mut all = std::mem::take(&mut self.waited);
        all.extend(bytes);
        all
    }

    /// Returns the bytes that a program wrote before it ended.
    pub(crate) fn drain_to_end(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        while let Ok((_, part)) = self.output.recv_timeout(Duration::from_secs(1)) {
            bytes.extend(part);
        }
        self.parser.process(&bytes);
        bytes
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    pub(crate) fn screen(&self) -> &Screen {
        self.parser.screen()
    }

    /// Returns the row and column of a text on the screen.
    pub(crate) fn place(&self, text: &str) -> (u16, u16) {
        let screen = self.screen();
        let (_, cols) = screen.size();
        for (row, line) in (0_u16..).zip(screen.rows(0, cols.get())) {
            if let Some(at) = line.find(text) {
                return (row, line[..at].chars().count() as u16);
            }
        }
        panic!("{text} is not there:\n{}", screen.contents());
    }

    /// Returns a wall on the map of the first preset that its first Crawler laid, inside the outer wall.
    pub(crate) fn wall(&self) -> (u16, u16) {
        let (row, col) = self.place("█▀▀");
        (row + 3, col + 6)
    }

    /// Returns a place on the timeline's bar, which is two rows below the moment shown.
    pub(crate) fn bar(&self, col: u16) -> (u16, u16) {
        let screen = self.screen();
        let shown = time_line(screen).expect("the moment is shown");
        let (row, _) = self.place(shown.trim_end());
        (row + 2, col)
    }

    /// Sends a mouse event at a row and a column in xterm's encoding: `M` pressed or moved, `m` released.
    fn mouse(&mut self, button: u16, (row, col): (u16, u16), end: char) {
        self.press(&format!("\x1b[<{button};{};{}{end}", col + 1, row + 1));
    }

    pub(crate) fn click(&mut self, at: (u16, u16)) {
        self.push_down(at);
        self.let_go(at);
    }

    pub(crate) fn push_down(&mut self, at: (u16, u16)) {
        self.mouse(0, at, 'M');
    }

    pub(crate) fn drag_to(&mut self, at: (u16, u16)) {
        self.mouse(32, at, 'M');
    }

    pub(crate) fn let_go(&mut self, at: (u16, u16)) {
        self.mouse(0, at, 'm');
    }

    pub(crate) fn wheel_up(&mut self, at: (u16, u16)) {
        self.mouse(64, at, 'M');
    }

    /// Presses the mouse, drags it through some places and releases it.
    pub(crate) fn drag(&mut self, places: &[(u16, u16)]) {
        self.push_down(places[0]);
        for place in &places[1..] {
            self.drag_to(*place);
        }
        self.let_go(places[places.len() - 1]);
    }

    /// Sends a text from the clipboard as a terminal does.
    pub(crate) fn paste(&mut self, text: &str) {
        self.press(&format!("\x1b[200~{text}\x1b[201~"));
    }

    pub(crate) fn resize(&mut self, rows: u16, cols: u16) {
        let master = self.master.as_ref().expect("a terminal");
        master.resize(size(rows, cols)).unwrap();
        self.parser.set_size(rows.try_into().unwrap(), cols.try_into().unwrap());
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.process_id().unwrap().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Sends a signal to all processes in the group of the process, as a shell does.
    pub(crate) fn signal_group(&self, name: &str) {
        let group = format!("-{}", self.child.process_id().unwrap());
        let kill = Command::new("kill").args([name, "--", &group]).status();
        assert!(kill.unwrap().success());
    }

    /// Returns whether the process is stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        let id = self.child.process_id().unwrap().to_string();
        let state = Command::new("ps").args(["-o", "stat=", "-p", &id]).output().unwrap();
        state.stdout.first() == Some(&b'T')
    }

    /// Removes the terminal: closes all handles of its other end.
    #[cfg(target_os = "linux")]
    pub(crate) fn hang_up(&mut self) {
        // The thread that reads the output ends with the next output.
        (_, self.output) = channel();
        self.press("?");
        self.keyboard = Box::new(std::io::sink());
        self.master = None;
    }

    /// Kills the process; the terminal stays as it is.
    pub(crate) fn kill(&mut self) {
        self.signal("-KILL");
        self.child.wait().unwrap();
    }

    /// Quits a designer that has no unsaved changes.
    pub(crate) fn leave(mut self) {
        self.press("q");
        assert_eq!(self.wait_for_end(), 0);
    }

    /// Quits a designer and discards its changes.
    pub(crate) fn leave_it_unsaved(mut self) {
        self.press_for("q", "Unsaved changes");
        self.press_for("d", "once more to discard them");
        self.press("d");
        assert_eq!(self.wait_for_end(), 0);
    }

    /// Waits for the program's end, checks that it restored the terminal, and returns its exit status.
    pub(crate) fn wait_for_end(&mut self) -> u32 {
        self.wait_for("the terminal as it was", |screen| {
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && !screen.bracketed_paste()
                && screen.mouse_protocol_mode() == MouseProtocolMode::None
        });
        self.wait_for_exit()
    }

    /// Waits for the program's end, whatever the state of the terminal, and returns its exit status.
    pub(crate) fn wait_for_exit(&mut self) -> u32 {
        let deadline = Instant::now() + LONGEST_WAIT;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(Instant::now() < deadline, "the program does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Returns whether all turns are recorded: until then an ellipsis follows their number.
pub(crate) fn is_grown(screen: &Screen) -> bool {
    time_line(screen).is_some_and(|line| !line.contains('…'))
}

/// Returns the line that shows the moment.
fn time_line(screen: &Screen) -> Option<String> {
    let text = screen.contents();
    let mut lines = text.lines();
    let line = lines.find(|line| number_before(line, "turn ", " of ").is_some())?;
    Some(line.to_owned())
}

/// Returns the turn that the timeline shows: `turn 1,234 of 5,678`.
pub(crate) fn turn(screen: &Screen) -> Option<u64> {
    number_before(&time_line(screen)?, "turn ", " of ")
}

/// Returns the number of recorded turns.
pub(crate) fn turns(screen: &Screen) -> Option<u64> {
    number_before(&time_line(screen)?, " of ", " ")
}

/// Returns the iteration shown.
pub(crate) fn iteration(screen: &Screen) -> Option<u64> {
    number_before(&time_line(screen)?, "iteration ", " ")
}

/// Returns the generation that is awake at the moment shown.
pub(crate) fn generation(screen: &Screen) -> Option<u64> {
    number_before(&time_line(screen)?, "generation ", " ")
}

/// Returns the number between `before` and `after`, at the first place where there is one.
fn number_before(text: &str, before: &str, after: &str) -> Option<u64> {
    let mut rest = text.split(before).skip(1);
    rest.find_map(|rest| {
        let digits = rest.split_once(after)?.0.replace([',', '…'], "");
        digits.parse().ok()
    })
}

/// Returns the distinct foreground colours of the cells that have text.
pub(crate) fn colours(screen: &Screen) -> Vec<Color> {
    let (rows, cols) = screen.size();
    let mut seen: Vec<Color> = Vec::new();
    for row in 0..rows.get() {
        for col in 0..cols.get() {
            let Some(cell) = screen.cell(row, col).filter(|cell| cell.has_contents()) else {
                continue;
            };
            if !seen.contains(&cell.fgcolor()) {
                seen.push(cell.fgcolor());
            }
        }
    }
    seen
}

/// Waits for a condition that is not on the screen.
pub(crate) fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + LONGEST_WAIT;
    while !condition() {
        assert!(Instant::now() < deadline, "{what} never came");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Returns the unsaved designs that are kept in a home.
pub(crate) fn kept(home: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(home.path().join("state/wallcrawler/autosave"));
    let entries = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let designs = entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    designs
        .map(|path| std::fs::read_to_string(path).unwrap_or_default())
        .collect()
}

/// Returns the text of the first preset, marked by its StepLength of generation 0.
pub(crate) fn marked(step_length: i32) -> String {
    let mut design = Preset::all()[0].design();
    design.character.generations[0].step_length = step_length;
    native::write(&design)
}

/// Writes a design to `castle.toml`, with the mark 4.
pub(crate) fn castle(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("castle.toml");
    std::fs::write(&path, marked(4)).unwrap();
    path
}

/// Returns the text of a file; empty while it cannot be read.
pub(crate) fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// Replaces a file as editors do: renames another file to its name.
pub(crate) fn replace(path: &Path, text: &str) {
    let beside = path.with_extension("new");
    std::fs::write(&beside, text).unwrap();
    std::fs::rename(&beside, path).unwrap();
}

/// Sets the mark in the stats panel.
pub(crate) fn set_step_length(session: &mut Session, digit: char) {
    session.press_for(ALT_1, "Enter edit");
    session.press_for(&digit.to_string(), "Enter accept");
    session.press_for(ENTER, &format!("→ {digit}"));
}
