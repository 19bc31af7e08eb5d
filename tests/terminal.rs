//! The real program in a pseudo-terminal: keys go in, the screen that a terminal would show comes out.
//!
//! Every step waits for a condition on the screen, never for a time to pass.

#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a terminal that fails fails its test")]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;
use vt100::{MouseProtocolMode, Parser, Screen};
use wallcrawler::design::Design;
use wallcrawler::format::native;
use wallcrawler::presets::Preset;
use wallcrawler::storage::DesignFiles;

/// How long a condition may take to come true on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// The program on its terminal.
struct Desk {
    master: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    /// While nobody holds it, what is written is read.
    reading: Arc<Mutex<()>>,
    parser: Parser,
    /// Where it keeps what is its own.
    home: Rc<TempDir>,
}

impl Drop for Desk {
    fn drop(&mut self) {
        // Most tests have ended it; a failed one must not leave it behind.
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

impl Desk {
    fn start(rows: u16, cols: u16) -> Self {
        Self::open(rows, cols, &[])
    }

    fn open(rows: u16, cols: u16, arguments: &[&Path]) -> Self {
        Self::at_home(&Rc::new(tempfile::tempdir().unwrap()), rows, cols, arguments)
    }

    /// The program with the settings and the state that others with the same home have.
    fn at_home(home: &Rc<TempDir>, rows: u16, cols: u16, arguments: &[&Path]) -> Self {
        let pair = native_pty_system().openpty(size(rows, cols)).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_wallcrawler"));
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        command.env("HOME", home.path());
        command.env("XDG_CONFIG_HOME", home.path().join("config"));
        command.env("XDG_STATE_HOME", home.path().join("state"));
        // Nobody here is new: the tour has a test of its own.
        let state = home.path().join("state/wallcrawler");
        std::fs::create_dir_all(&state).unwrap();
        std::fs::write(state.join("toured"), "").unwrap();
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
                if sender.send(bytes[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            keyboard: pair.master.take_writer().unwrap(),
            master: pair.master,
            child,
            output,
            reading,
            home: Rc::clone(home),
            parser: Parser::new(rows.try_into().unwrap(), cols.try_into().unwrap(), 0),
        }
    }

    /// Takes what the program writes until the screen is as it should be.
    fn wait_for(&mut self, what: &str, condition: impl Fn(&Screen) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !condition(self.parser.screen()) {
            let rest = deadline.saturating_duration_since(Instant::now());
            let Ok(bytes) = self.output.recv_timeout(rest) else {
                panic!("{what} never came:\n{}", self.parser.screen().contents());
            };
            self.parser.process(&bytes);
        }
    }

    fn wait_for_text(&mut self, text: &str) {
        self.wait_for(text, |screen| screen.contents().contains(text));
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
    }

    fn resize(&mut self, rows: u16, cols: u16) {
        self.master.resize(size(rows, cols)).unwrap();
        self.parser.set_size(rows.try_into().unwrap(), cols.try_into().unwrap());
    }

    fn signal(&self, name: &str) {
        let id = self.child.process_id().unwrap().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Kills it; the terminal stays as it is.
    fn kill(&mut self) {
        self.signal("-KILL");
        self.child.wait().unwrap();
    }

    /// Waits for the program's end and that it gave the terminal back; its exit status.
    fn wait_for_end(&mut self) -> u32 {
        self.wait_for("the terminal as it was", |screen| {
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && !screen.bracketed_paste()
                && screen.mouse_protocol_mode() == MouseProtocolMode::None
        });
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(Instant::now() < deadline, "the program does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Whether all turns are recorded: until then the number of them is followed by an ellipsis.
fn is_grown(screen: &Screen) -> bool {
    let text = screen.contents();
    let turns = text
        .lines()
        .find(|line| line.contains("turn ") && line.contains(" of "));
    turns.is_some_and(|line| !line.contains('…'))
}

/// The number of turns that the timeline says are over: `turn 1,234 of 5,678`.
fn turn(screen: &Screen) -> Option<u64> {
    let text = screen.contents();
    let mut words = text.split("turn ").skip(1);
    words.find_map(|rest| rest.split_once(" of ")?.0.replace(',', "").parse().ok())
}

#[test]
fn a_newcomer_watches_pauses_steps_and_leaves() {
    let mut desk = Desk::start(40, 120);
    desk.wait_for("the designer", |screen| {
        screen.alternate_screen() && screen.mouse_protocol_mode() != MouseProtocolMode::None
    });
    desk.wait_for("growth that plays by itself", |screen| turn(screen) > Some(20));
    desk.press("G");
    desk.wait_for_text("‖");
    desk.wait_for("the end of growth", |screen| {
        turn(screen) > Some(100) && is_grown(screen)
    });
    let end = turn(desk.parser.screen()).unwrap();
    desk.press(",");
    desk.wait_for("one turn back", |screen| turn(screen) == Some(end - 1));
    desk.press("g");
    desk.wait_for("the start", |screen| turn(screen) == Some(0));
    desk.press("}");
    desk.wait_for("the second generation", |screen| {
        screen.contents().contains("generation 1  ")
    });
    desk.press("?");
    desk.wait_for_text("Move the cursor up.");
    desk.press("\u{1b}");
    desk.wait_for("help to go", |screen| {
        !screen.contents().contains("Move the cursor up.")
    });
    desk.press("q");
    assert_eq!(desk.wait_for_end(), 0);
}

#[test]
fn the_mouse_seeks_on_the_timeline() {
    let mut desk = Desk::start(24, 80);
    desk.wait_for("growth", |screen| turn(screen) > Some(0));
    desk.press("G");
    desk.wait_for("the end", |screen| turn(screen) > Some(100) && is_grown(screen));
    // Press and release of the left button at column 3 (from 1), row 22.
    desk.press("\u{1b}[<0;3;22M\u{1b}[<0;3;22m");
    desk.wait_for("the start", |screen| turn(screen) == Some(0));
    desk.press("q");
    assert_eq!(desk.wait_for_end(), 0);
}

#[test]
fn any_size_is_survived() {
    let mut desk = Desk::start(24, 80);
    desk.wait_for("growth", |screen| turn(screen) > Some(0));
    desk.resize(8, 30);
    desk.wait_for_text("at least 40");
    desk.resize(1, 1);
    desk.resize(60, 200);
    desk.wait_for_text("Builder, asleep");
    desk.press("q");
    assert_eq!(desk.wait_for_end(), 0);
}

#[test]
fn signals_give_the_terminal_back() {
    for (signal, status) in [("-TERM", 143), ("-HUP", 129), ("-INT", 130)] {
        let mut desk = Desk::start(24, 80);
        desk.wait_for("growth", |screen| turn(screen) > Some(0));
        desk.signal(signal);
        assert_eq!(desk.wait_for_end(), status);
    }
}

#[test]
fn suspended_and_continued_it_draws_itself_anew() {
    let mut desk = Desk::start(24, 80);
    desk.wait_for("growth", |screen| turn(screen) > Some(0));
    desk.press("\u{1a}");
    desk.wait_for("the shell's screen", |screen| !screen.alternate_screen());
    // The screen is given back before the process stops; it must not be continued before it has.
    let id = desk.child.process_id().unwrap().to_string();
    let stopped = || {
        let state = Command::new("ps").args(["-o", "stat=", "-p", &id]).output().unwrap();
        state.stdout.first() == Some(&b'T')
    };
    let deadline = Instant::now() + PATIENCE;
    while !stopped() {
        assert!(Instant::now() < deadline, "it does not stop");
        thread::sleep(Duration::from_millis(5));
    }
    desk.signal("-CONT");
    desk.wait_for("the designer", |screen| {
        screen.alternate_screen() && turn(screen) > Some(0)
    });
    desk.press("q");
    assert_eq!(desk.wait_for_end(), 0);
}

#[test]
fn without_a_terminal_it_says_so() {
    let output = Command::new(env!("CARGO_BIN_EXE_wallcrawler")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8(output.stderr).unwrap().contains("needs a terminal"));
}

#[test]
fn a_file_is_edited_here_and_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let design = |step_length| {
        let mut design = Preset::all()[0].design();
        design.character.generations[0].step_length = step_length;
        native::write(&design)
    };
    let step_length = || {
        let read: Design = DesignFiles::Toml(path.clone()).load().design.unwrap();
        read.character.generations[0].step_length
    };
    std::fs::write(&path, design(4)).unwrap();
    let mut desk = Desk::open(40, 120, &[&path]);
    desk.wait_for("growth", |screen| turn(screen) > Some(5));
    // Alt-1 goes to the stats; a digit begins to type.
    desk.press("\x1b1");
    desk.wait_for_text("Enter edit");
    desk.press("7");
    desk.wait_for_text("Enter take");
    desk.press("\r");
    desk.wait_for_text("→ 7");
    desk.wait_for_text("mine.toml ●");
    desk.press("\x13");
    desk.wait_for_text("saved: mine.toml");
    assert_eq!(step_length(), 7);

    let beside = folder.path().join("mine.toml.new");
    std::fs::write(&beside, design(9)).unwrap();
    std::fs::rename(&beside, &path).unwrap();
    desk.wait_for_text("changed elsewhere: read and grown again");
    desk.press("u");
    desk.wait_for_text("undone");
    desk.press("q");
    desk.wait_for_text("Unsaved changes");
    desk.press("s");
    assert_eq!(desk.wait_for_end(), 0);
    assert_eq!(step_length(), 7);
}

/// The unsaved designs that are kept in a home.
fn kept(home: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(home.path().join("state/wallcrawler/autosave"));
    let entries = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let designs = entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    designs
        .map(|path| std::fs::read_to_string(path).unwrap_or_default())
        .collect()
}

/// Waits for something outside of the screen.
fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "{what} never came");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A design in a file, with a StepLength that is its mark.
fn castle(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("castle.toml");
    let mut design = Preset::all()[0].design();
    design.character.generations[0].step_length = 4;
    std::fs::write(&path, native::write(&design)).unwrap();
    path
}

/// Sets the mark.
fn set_step_length(desk: &mut Desk, digit: char) {
    desk.press("\x1b1");
    desk.wait_for_text("Enter edit");
    desk.press(&digit.to_string());
    desk.wait_for_text("Enter take");
    desk.press("\r");
    desk.wait_for_text(&format!("→ {digit}"));
}

#[test]
fn what_a_kill_leaves_is_offered_recovered_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let home = Rc::new(tempfile::tempdir().unwrap());
    let path = castle(&folder);
    let mut desk = Desk::at_home(&home, 40, 120, &[&path]);
    set_step_length(&mut desk, '7');
    wait_until("the autosave", || {
        kept(&home).iter().any(|text| text.contains("step_length = 7"))
    });
    // Another designer that runs meanwhile is not offered what this one has.
    let mut other = Desk::at_home(&home, 24, 80, &[]);
    other.wait_for("growth", |screen| turn(screen) > Some(0));
    other.press("q");
    assert_eq!(other.wait_for_end(), 0);
    desk.kill();
    assert!(std::fs::read_to_string(&path).unwrap().contains("step_length = 4"));

    // It is killed again before anything is decided, and after.
    let mut desk = Desk::at_home(&home, 40, 120, &[]);
    desk.wait_for_text("Unsaved work was left behind");
    desk.wait_for_text("castle.toml");
    desk.kill();
    let mut desk = Desk::at_home(&home, 40, 120, &[]);
    desk.wait_for_text("Unsaved work was left behind");
    desk.press("r");
    desk.wait_for_text("castle.toml recovered");
    desk.kill();

    let mut desk = Desk::at_home(&home, 40, 120, &[&path]);
    desk.wait_for_text("Unsaved work was left behind");
    desk.press("\r");
    desk.wait_for_text("castle.toml ●");
    desk.press("\x13");
    desk.wait_for_text("saved: castle.toml");
    assert!(std::fs::read_to_string(&path).unwrap().contains("step_length = 7"));
    desk.press("q");
    assert_eq!(desk.wait_for_end(), 0);
    let rest = std::fs::read_dir(home.path().join("state/wallcrawler/autosave")).unwrap();
    assert_eq!(rest.count(), 0, "an orderly end leaves nothing");
}

#[test]
fn a_signal_keeps_what_is_unsaved_and_says_where() {
    for (signal, status) in [("-TERM", 143), ("-HUP", 129)] {
        let folder = tempfile::tempdir().unwrap();
        let home = Rc::new(tempfile::tempdir().unwrap());
        let path = castle(&folder);
        let mut desk = Desk::at_home(&home, 40, 120, &[&path]);
        set_step_length(&mut desk, '8');
        desk.signal(signal);
        desk.wait_for_text("unsaved work is kept in");
        assert_eq!(desk.wait_for_end(), status);
        assert!(kept(&home)[0].contains("step_length = 8"));
        let mut desk = Desk::at_home(&home, 40, 120, &[&path]);
        desk.wait_for_text("Unsaved work was left behind");
        desk.press("D");
        desk.wait_for_text("thrown away");
        desk.press("q");
        assert_eq!(desk.wait_for_end(), 0);
        assert_eq!(kept(&home), [""; 0]);
    }
}

#[test]
fn leaving_without_saving_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = Desk::open(40, 120, &[&castle(&folder)]);
    set_step_length(&mut desk, '8');
    let home = Rc::clone(&desk.home);
    wait_until("the autosave", || !kept(&home).is_empty());
    desk.press("q");
    desk.wait_for_text("Unsaved changes");
    desk.press("d");
    assert_eq!(desk.wait_for_end(), 0);
    assert_eq!(kept(&home), [""; 0]);
}

#[test]
fn a_terminal_that_takes_no_output_does_not_keep_it_from_ending() {
    let folder = tempfile::tempdir().unwrap();
    let home = Rc::new(tempfile::tempdir().unwrap());
    let mut desk = Desk::at_home(&home, 60, 200, &[&castle(&folder)]);
    set_step_length(&mut desk, '8');
    let gate = Arc::clone(&desk.reading);
    let closed = gate.lock().unwrap();
    // Nobody reads what it writes from here on, and what is pressed has it write whole screens.
    desk.press("\x1b");
    for _ in 0..40 {
        desk.press("m");
        thread::sleep(Duration::from_millis(5));
    }
    desk.signal("-TERM");
    let deadline = Instant::now() + PATIENCE;
    let status = loop {
        if let Some(status) = desk.child.try_wait().unwrap() {
            break status.exit_code();
        }
        assert!(Instant::now() < deadline, "the program does not end");
        thread::sleep(Duration::from_millis(5));
    };
    drop(closed);
    assert_eq!(status, 143);
    assert!(kept(&home)[0].contains("step_length = 8"));
}
