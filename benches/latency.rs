//! Latency from a key press to the screen that shows its effect, while a large dungeon grows at full speed: the
//! designer's event loop at 200 × 60 characters, with a terminal that accepts all output without delay. `cargo bench
//! --bench latency`.
//!
//! A separate thread types the keys, which arrive through the inbox, as in the designer. Each is timed from the key
//! press until the next screen has been written. Growth and the event loop run in parallel, so the benchmark needs two
//! free cores. On a busy machine, the wall time includes the time in which the event loop was preempted; the processor
//! time of its thread is printed next to it (Linux only).
//!
//! `cargo bench --bench latency -- first` instead starts the designer several times in a terminal of 200 × 60
//! characters and times its first frame; `-- slow` shows a growing dungeon in a terminal that accepts one kilobyte per
//! second.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot start has nothing to measure")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::collections::VecDeque;
use std::io::{self, Read as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use wallcrawler::background::{GrowthReply, Inbox, JobReply, JobRequest, Jobs, Message};
use wallcrawler::design::{CrawlerStart, Design};
use wallcrawler::document::Document;
use wallcrawler::geometry::{Point, Size};
use wallcrawler::settings::LoadedSettings;
use wallcrawler::tui::{App, Depth, Effect, Theme};

const SCREEN: Rect = Rect::new(0, 0, 200, 60);

/// The designer's own values: the time for which messages are handled before the screen is drawn, the shorter time that
/// applies while the user waits for the screen, and the minimum time between two frames that the user does not wait
/// for.
const DRAIN: Duration = Duration::from_millis(4);
const BRIEF_DRAIN: Duration = Duration::from_millis(1);
const FRAME: Duration = Duration::from_millis(16);

/// Keys pressed in turn: to the end and back, steps, playing, searches, zooms, colours, changes, views (`⎋` is Esc,
/// digits are pressed with Alt).
const KEYS: &str = "GgG<>{}  ()G][b'g (t++t--tG<gt9 ⎋8⎋i⎋6⎋ww-+ G7⎋";

fn key(name: char) -> KeyEvent {
    match name {
        '⎋' => KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE),
        '0'..='9' => KeyEvent::new(KeyCode::Char(name), KeyModifiers::ALT),
        _ => KeyEvent::new(KeyCode::Char(name), KeyModifiers::NONE),
    }
}

fn design(side: i32) -> Design {
    let mut design = Design::default();
    design.layout.size = Size::new(side, side);
    design.constants.max_crawlers = 10_000_000;
    for y in (50..side).step_by(50) {
        design.layout.crawlers.push(CrawlerStart {
            at: Point::new(0, y),
            direction: 2,
            ..CrawlerStart::default()
        });
    }
    design.layout.limits = design.layout.limits.raised_for(&design.layout);
    for generation in &mut design.character.generations {
        generation.max_age = 40;
    }
    design
}

/// Returns the processor time of this thread so far.
#[cfg(target_os = "linux")]
fn processor() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(
        time.tv_sec.try_into().ok()?,
        time.tv_nsec.try_into().ok()?,
    ))
}

#[cfg(not(target_os = "linux"))]
fn processor() -> Option<Duration> {
    None
}

/// Returns how often this thread was preempted.
fn preemptions() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/thread-self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("nonvoluntary_ctxt_switches:"))?;
    line.trim().parse().ok()
}

#[derive(Clone, Copy)]
struct Stopwatch {
    wall: Instant,
    processor: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Self {
        Self {
            wall: Instant::now(),
            processor: processor(),
        }
    }

    fn read(&self) -> Took {
        let took = processor()
            .zip(self.processor)
            .map(|(now, then)| now.saturating_sub(then));
        Took {
            wall: self.wall.elapsed(),
            processor: took,
        }
    }
}

#[derive(Clone, Copy)]
struct Took {
    wall: Duration,
    processor: Option<Duration>,
}

/// All times of each kind of work. The kinds are in the order in which they first occurred.
#[derive(Default)]
struct Times(Vec<(&'static str, Vec<Took>)>);

impl Times {
    fn note(&mut self, name: &'static str, took: Took) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, times)) => times.push(took),
            None => self.0.push((name, vec![took])),
        }
    }

    fn print(&self) {
        println!("                      times   median   99%  slowest | processor: 99%  most, in ms");
        for (name, times) in &self.0 {
            let ranked = |time: &dyn Fn(&Took) -> Option<Duration>| {
                let mut all: Vec<_> = times.iter().filter_map(time).collect();
                all.sort_unstable();
                move |percent: usize| {
                    let ms = all.get((all.len() * percent / 100).min(all.len().wrapping_sub(1)));
                    ms.map_or("-".into(), |ms| format!("{:.1}", ms.as_secs_f64() * 1000.0))
                }
            };
            let (wall, processor) = (ranked(&|took| Some(took.wall)), ranked(&|took| took.processor));
            println!(
                "  {name:18} {:7} {:>8} {:>6} {:>8} | {:>15} {:>5}",
                times.len(),
                wall(50),
                wall(99),
                wall(100),
                processor(99),
                processor(100)
            );
        }
    }
}

/// Starts the growth jobs that the app requests.
fn perform(jobs: &mut Jobs, effects: Vec<Effect>) {
    for effect in effects {
        if let Effect::Start(ticket, request @ (JobRequest::Growth(_) | JobRequest::Regrowth(_))) = effect {
            jobs.start(ticket, request);
        }
    }
}

/// The times at which the keys that the designer has not read yet were pressed.
type Typed = Arc<Mutex<VecDeque<Instant>>>;

/// Types keys, about thirty a second, until the inbox is gone or `stop` is set.
fn typist(inbox: &Inbox<Event>, stop: &Arc<AtomicBool>) -> Typed {
    let typed = Typed::default();
    let (theirs, stop) = (Arc::clone(&typed), Arc::clone(stop));
    let mut keys = KEYS.chars().cycle().zip(0_u64..);
    inbox
        .pump(move || {
            let (name, number) = keys.next().unwrap();
            // The intervals are irregular, so that keys are not pressed in step with the frames.
            thread::sleep(Duration::from_micros(20_000 + number * 7919 % 23_000));
            if stop.load(Ordering::Relaxed) {
                return Err(io::Error::other("enough"));
            }
            theirs.lock().unwrap().push_back(Instant::now());
            Ok(Event::Key(key(name)))
        })
        .unwrap();
    typed
}

fn measure(side: i32, limit: usize) {
    let document = Document::new(design(side), None);
    let mut app = App::new(document, Theme::new(Depth::True), SCREEN.width, SCREEN.height);
    let viewport = Viewport::Fixed(SCREEN);
    let mut terminal = Terminal::with_options(CrosstermBackend::new(io::sink()), TerminalOptions { viewport }).unwrap();
    let inbox = Inbox::<Event>::new();
    let mut settings = LoadedSettings::default();
    settings.settings.recording.memory = limit as u64;
    app.configure(settings, |_| None);
    let mut jobs = Jobs::new(&inbox, None);
    let stop = Arc::default();
    let typed = typist(&inbox, &stop);
    let mut times = Times::default();
    let (begun, aside) = (Instant::now(), preemptions());
    let (mut passes, mut pace, mut drawn) = (0_u32, FRAME, Instant::now());
    let mut now = Instant::now();
    let mut grown = Vec::new();
    // Several runs: the first from the start, the others from another seed.
    for run in 0..4 {
        let effects = if run == 0 {
            app.start()
        } else {
            app.handle(Message::Input(Event::Key(key('R'))))
        };
        perform(&mut jobs, effects);
        let (since, mut over) = (Instant::now(), None);
        while over.is_none_or(|over: Instant| over.elapsed() < Duration::from_secs(3)) {
            passes += 1;
            let mut timeout = app.next_change();
            if app.is_stale() {
                let rest = pace.saturating_sub(drawn.elapsed());
                timeout = Some(timeout.map_or(rest, |timeout| timeout.min(rest)));
            }
            let mut message = inbox.wait(timeout);
            let pass = Stopwatch::start();
            let mut keys = Vec::new();
            let effects = app.advance(now.elapsed());
            times.note("passing time", pass.read());
            now = Instant::now();
            perform(&mut jobs, effects);
            while let Some(some) = message {
                let name = match &some {
                    Message::Input(_) => {
                        keys.extend(typed.lock().unwrap().pop_front());
                        "a key"
                    }
                    Message::Reply(_, JobReply::Growth(Ok(reply))) => match reply {
                        GrowthReply::Started { .. } => "a run starts",
                        GrowthReply::Grown(_) => "a run continues",
                        GrowthReply::Finished | GrowthReply::Reproduced(_) => {
                            over = Some(Instant::now());
                            grown.push(since.elapsed());
                            "a run ends"
                        }
                    },
                    _ => "other messages",
                };
                let watch = Stopwatch::start();
                let effects = app.handle(some);
                times.note(name, watch.read());
                perform(&mut jobs, effects);
                if now.elapsed() >= if app.is_urgent() { BRIEF_DRAIN } else { DRAIN } {
                    break;
                }
                message = inbox.poll();
            }
            if app.is_urgent() || (app.is_stale() && drawn.elapsed() >= pace) {
                let watch = Stopwatch::start();
                let effects = app.before_frame();
                times.note("before drawing", watch.read());
                perform(&mut jobs, effects);
                let watch = Stopwatch::start();
                terminal
                    .draw(|frame| app.draw(frame.area(), frame.buffer_mut()))
                    .unwrap();
                times.note("drawing", watch.read());
                app.drawn();
                drawn = Instant::now();
                pace = FRAME.max(watch.wall.elapsed());
                times.note("pass with a frame", pass.read());
                for key in keys {
                    let wall = key.elapsed();
                    times.note("key to screen", Took { wall, processor: None });
                }
            }
        }
    }
    stop.store(true, Ordering::Relaxed);
    let aside = preemptions().zip(aside).map(|(now, then)| now - then);
    let grown: Vec<_> = grown.iter().map(|took| format!("{:.2}", took.as_secs_f64())).collect();
    println!(
        "{side} × {side}, limit {} MB: grown in {} s; {passes} passes in {:.1} s, preempted {} times",
        limit >> 20,
        grown.join(", "),
        begun.elapsed().as_secs_f64(),
        aside.map_or("?".into(), |aside| aside.to_string())
    );
    times.print();
}

/// Returns the designer in a terminal, without the user's settings and files.
fn designer(arguments: &[&str]) -> (portable_pty::PtyPair, CommandBuilder, tempfile::TempDir) {
    let size = PtySize {
        rows: SCREEN.height,
        cols: SCREEN.width,
        pixel_width: 0,
        pixel_height: 0,
    };
    let pair = native_pty_system().openpty(size).unwrap();
    let home = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_wallcrawler"));
    command.args(arguments);
    command.env("HOME", home.path());
    for name in ["XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, home.path().join(name));
    }
    command.env("TERM", "xterm-256color");
    (pair, command, home)
}

/// Returns the time from the start of the process to the last byte of its first frame, in a terminal that answers the
/// designer's questions, or in one that does not.
fn first_frames(answers: bool) {
    let mut all = Vec::new();
    for _ in 0..20 {
        let (pair, command, _home) = designer(&["--preset", "keep"]);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let mut writer = pair.master.take_writer().unwrap();
        let begun = Instant::now();
        let mut child = pair.slave.spawn_command(command).unwrap();
        let (mut text, mut part) = (Vec::new(), vec![0; 1 << 16]);
        let mut answered = !answers;
        // A frame is written in one go, from the top down: the footer is its last line.
        let foot = format!("\u{1b}[{};", SCREEN.height);
        while !text.windows(foot.len()).any(|window| window == foot.as_bytes()) {
            let count = reader.read(&mut part).unwrap();
            text.extend_from_slice(&part[..count]);
            if !answered && text.windows(3).any(|window| window == b"\x1b[c") {
                writer.write_all(b"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[?62c").unwrap();
                answered = true;
            }
        }
        all.push(begun.elapsed());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    all.sort_unstable();
    let ms = |time: &Duration| time.as_secs_f64() * 1000.0;
    println!(
        "first frame after {:.1} ms (median), {:.1} ms at most, of {} starts in a terminal that {}",
        ms(&all[all.len() / 2]),
        ms(all.last().unwrap()),
        all.len(),
        if answers { "answers" } else { "does not answer" }
    );
}

/// Runs the designer in a terminal that accepts one kilobyte per second.
fn slow_terminal() {
    let (pair, command, _home) = designer(&["--preset", "keep"]);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut writer = pair.master.take_writer().unwrap();
    let mut child = pair.slave.spawn_command(command).unwrap();
    let begun = Instant::now();
    let mut part = [0; 128];
    let mut quit = None;
    let mut taken = 0;
    loop {
        thread::sleep(Duration::from_millis(125));
        if begun.elapsed() > Duration::from_secs(10) && quit.is_none() {
            writer.write_all(b"q").unwrap();
            writer.flush().unwrap();
            quit = Some(Instant::now());
        }
        match reader.read(&mut part) {
            Ok(count) if count > 0 => taken += count,
            _ => break,
        }
        if child.try_wait().unwrap().is_some() {
            break;
        }
    }
    println!(
        "a kilobyte per second: {taken} bytes read; the designer ended {:.1} s after q",
        quit.map_or(0.0, |quit| quit.elapsed().as_secs_f64())
    );
}

fn main() {
    let request = std::env::args().nth(1).unwrap_or_default();
    match request.as_str() {
        "first" => [true, false].into_iter().for_each(first_frames),
        "slow" => slow_terminal(),
        _ => {
            for (side, limit) in [(1000, 512 << 20), (2000, 512 << 20), (4000, 512 << 20), (2000, 4 << 20)] {
                measure(side, limit);
            }
        }
    }
}
