//! How much is sent, and how long a key takes to reach the screen, while a large dungeon grows in pixels: `cargo test
//! --release --test terminal speed -- --ignored --nocapture`. Times depend on the machine and on what else it does, so
//! they are only printed; the test checks how much is sent.

#![expect(clippy::print_stdout, reason = "the figures that it measures")]

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use vt100::{Cell, Screen};
use wallcrawler::design::{CrawlerStart, Design};
use wallcrawler::format::native;
use wallcrawler::geometry::{Point, Size};

use super::harness::{Session, argument, home, is_grown, turn, turns};
use super::pictures::placeholder;
use super::pixels::opened;

/// Squares along the side of the dungeon.
const SIDE: i32 = 2_000;

/// The smallest screen with a pixel for each square of that dungeon, and a usual one.
const SCREENS: [(u16, u16); 2] = [(136, 336), (60, 200)];

/// Most bytes that may be sent in any second.
const MOST: usize = 2_000_000;

/// Returns the text of a large design with many first Crawlers.
fn design() -> String {
    let mut design = Design::default();
    design.layout.size = Size::new(SIDE, SIDE);
    design.constants.max_crawlers = 10_000_000;
    for y in (50..SIDE).step_by(50) {
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
    native::write(&design)
}

/// The most bytes that arrived within one second.
#[derive(Debug, Default)]
struct Rate {
    recent: VecDeque<(Instant, usize)>,
    within: usize,
    most: usize,
    all: usize,
}

impl Rate {
    fn note(&mut self, (at, bytes): &(Instant, Vec<u8>)) {
        let (at, bytes) = (*at, bytes.len());
        self.recent.push_back((at, bytes));
        (self.within, self.all) = (self.within + bytes, self.all + bytes);
        while let Some((_, old)) = self
            .recent
            .pop_front_if(|(then, _)| at.duration_since(*then) >= Duration::from_secs(1))
        {
            self.within -= old;
        }
        self.most = self.most.max(self.within);
    }
}

/// Prints the median, the 90th and the 99th percentile, and the largest of some times, in milliseconds.
fn print(what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |percent: usize| times.get((times.len() * percent / 100).min(times.len().saturating_sub(1)));
    let ms = [50, 90, 99, 100].map(|percent| at(percent).map_or(0.0, |time| time.as_secs_f64() * 1_000.0));
    println!(
        "  {what}: median {:.1} ms, 90% within {:.1}, 99% within {:.1}, all {} within {:.1}",
        ms[0],
        ms[1],
        ms[2],
        times.len(),
        ms[3]
    );
}

/// Returns the row of the map's lower border, which shows the position of the cursor, once the whole screen is drawn.
fn border(screen: &Screen) -> Option<u16> {
    let (rows, _) = screen.size();
    let row = (0..rows.get()).rev().find(|row| position(screen, *row).is_some());
    row.filter(|_| screen.contents().contains("? help"))
}

/// Returns the position that a row of the screen shows.
fn position(screen: &Screen, row: u16) -> Option<String> {
    let (_, cols) = screen.size();
    let cells = (0..cols.get()).filter_map(|col| screen.cell(row, col));
    let line: String = cells.map(Cell::contents).collect();
    let (_, at) = line.strip_prefix('╰')?.split_once(" (")?;
    Some(at.split_once(") ")?.0.to_owned())
}

/// The times from a key to the text and to the pixels that show its effect, and how much was sent.
#[derive(Debug, Default)]
struct Measured {
    text: Vec<Duration>,
    pixels: Vec<Duration>,
    rate: Rate,
}

impl Measured {
    /// Presses a key that moves the cursor, and waits for its position and for the picture around it.
    fn press(&mut self, session: &mut Session, border: u16, key: &str) {
        let before = position(session.screen(), border);
        let begun = Instant::now();
        session.press(key);
        let (mut text, mut sent) = (None, 0);
        loop {
            // A key at the border of the dungeon moves nothing.
            let Some(arrived) = session.next_output(begun + Duration::from_secs(2)) else {
                return;
            };
            self.rate.note(&arrived);
            let pictures = session.pictures.as_ref().map_or(0, |pictures| pictures.sent);
            if text.is_none() && position(session.screen(), border) != before {
                text = Some(arrived.0 - begun);
                sent = pictures.saturating_sub(1);
            }
            // The tile of the cursor is the first that is sent with, or after, the text.
            if let Some(text) = text.filter(|_| pictures > sent) {
                self.text.push(text);
                self.pixels.push(arrived.0 - begun);
                return;
            }
        }
    }

    /// Presses keys until a condition holds.
    fn until(&mut self, session: &mut Session, over: impl Fn(&Session) -> bool) {
        let (begun, border) = (Instant::now(), border(session.screen()).expect("the map"));
        let mut keys = "llllljjjjjhhhhhkkkkk".chars().cycle();
        while !over(session) && begun.elapsed() < Duration::from_mins(1) {
            // An irregular pause, so that keys are not in step with anything else.
            let pause =
                Instant::now() + Duration::from_micros(30_000 + u64::from(begun.elapsed().subsec_micros()) % 50_000);
            while let Some(arrived) = session.next_output(pause) {
                self.rate.note(&arrived);
            }
            let key = keys.next().expect("the keys repeat");
            self.press(session, border, key.encode_utf8(&mut [0; 4]));
        }
    }

    fn print(&mut self, what: &str, took: Duration) {
        let seconds = took.as_secs_f64();
        println!(
            "{what}: {seconds:.1} s, {:.2} MB a second, at most {:.2} MB in any second",
            self.rate.all as f64 / 1e6 / seconds,
            self.rate.most as f64 / 1e6
        );
        print("key to text", &mut self.text);
        print("key to pixels", &mut self.pixels);
        assert!(self.rate.most <= MOST, "{} bytes within a second", self.rate.most);
    }
}

#[test]
#[ignore = "measures times, which depend on the machine"]
fn a_large_dungeon_is_shown_in_pixels_while_it_grows() {
    let home = home();
    let path = home.path().join("large.toml");
    std::fs::write(&path, design()).unwrap();
    for (rows, cols) in SCREENS {
        let start = || Session::at_home(&home, rows, cols, &[argument(&path)]);
        let mut session = opened(start, "kitty(0.40.0)", None);
        session.wait_for("the whole screen", |screen| border(screen).is_some());
        let screen = session.screen();
        let covered = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let characters = covered.filter(|(row, col)| screen.cell(*row, *col).and_then(placeholder).is_some());
        println!("\n{cols} × {rows} characters, {} of them a picture", characters.count());
        for (what, keys) in [
            ("growing", ""),
            ("played again", "g "),
            ("played at once", "g]]]]]]]]]]]] "),
        ] {
            session.press(keys);
            let begun = Instant::now();
            let mut measured = Measured::default();
            measured.until(&mut session, |session| {
                let screen = session.screen();
                let is_at_end = is_grown(screen) && turn(screen) == turns(screen);
                is_at_end && begun.elapsed() > Duration::from_secs(3)
            });
            measured.print(what, begun.elapsed());
        }
        session.leave();
    }
}
