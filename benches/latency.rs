//! From a key to the screen that shows what it did, while a large dungeon grows at full speed: the designer's loop
//! without its terminal, at 200 × 60 characters. `cargo bench --bench latency`.
//!
//! Growth and the loop run side by side as they do in the designer, so that this wants a machine with two free
//! cores. What is printed are milliseconds: the slowest frame of each kind of work, and the slowest of all keys.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot start has nothing to measure")]
#![expect(clippy::print_stdout, reason = "its figures")]

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use wallcrawler::design::{CrawlerStart, Design};
use wallcrawler::document::Document;
use wallcrawler::engine::Options;
use wallcrawler::geometry::{Point, Size};
use wallcrawler::tui::{App, Depth, Effect, Theme};
use wallcrawler::worker::{Generator, Inbox, Message, Regrower};

const SCREEN: Rect = Rect::new(0, 0, 200, 60);

/// How long messages are taken before the screen is drawn, as in the designer.
const DRAIN: Duration = Duration::from_millis(8);

/// Keys pressed in turn: to the end and back, steps, playing, a reroll, which begins another run, hunts.
const KEYS: &str = "GgG<>{}  ()G][b'g (";

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

/// The slowest of each kind, in the order of their names.
#[derive(Default)]
struct Slowest(Vec<(&'static str, Duration)>);

impl Slowest {
    fn note(&mut self, name: &'static str, took: Duration) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, slowest)) => *slowest = took.max(*slowest),
            None => self.0.push((name, took)),
        }
    }
}

struct Outside {
    generator: Generator,
    regrower: Regrower,
}

impl Outside {
    fn perform(&self, app: &mut App, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Grow(design, options) => app.run_started(self.generator.grow(design, options)),
                Effect::Regrow(errand) => app.errand_begun(self.regrower.ask(errand)),
                _ => {}
            }
        }
    }
}

fn measure(side: i32, limit: usize) {
    let document = Document::new(design(side), None);
    let mut app = App::new(
        document,
        Options::default(),
        Theme::new(Depth::True),
        SCREEN.width,
        SCREEN.height,
    );
    let inbox = Inbox::<Event>::new();
    let outside = Outside {
        generator: Generator::new(inbox.sender()).unwrap().limited(limit),
        regrower: Regrower::new(inbox.sender()).unwrap(),
    };
    let effects = app.start();
    outside.perform(&mut app, effects);
    let mut slowest = Slowest::default();
    let mut buffer = Buffer::empty(SCREEN);
    let (mut keys, mut loops) = (KEYS.chars().cycle(), 0_u32);
    let (mut now, begun) = (Instant::now(), Instant::now());
    // Two runs: the first from the start, the other after an edit.
    for run in 0..2 {
        let mut over = false;
        if run == 1 {
            press(&mut app, &outside, 'R');
        }
        let mut after = 0;
        while !over || after < 300 {
            after += u32::from(over);
            loops += 1;
            // A key comes at every tenth frame. It ends the waiting, and is taken after what happens by itself.
            let mut message = inbox.wait(Some(app.next_change().unwrap_or(DRAIN).min(DRAIN)));
            let since = Instant::now();
            let pressed = (loops % 10 == 0).then_some(since);
            let effects = app.advance(since - now);
            slowest.note("advance", since.elapsed());
            now = since;
            outside.perform(&mut app, effects);
            if let Some(pressed) = pressed {
                press(&mut app, &outside, keys.next().unwrap_or(' '));
                slowest.note("advance and key", pressed.elapsed());
            }
            while let Some(some) = message {
                let name = match &some {
                    Message::Started { .. } => "a run starts",
                    Message::Grown { .. } => "a run goes on",
                    Message::Finished { .. } => "a run ends",
                    _ => "other messages",
                };
                over |= matches!(some, Message::Finished { .. });
                let since = Instant::now();
                let effects = app.handle(some);
                slowest.note(name, since.elapsed());
                outside.perform(&mut app, effects);
                if now.elapsed() >= DRAIN {
                    break;
                }
                message = inbox.poll();
            }
            let since = Instant::now();
            let effects = app.before_frame();
            outside.perform(&mut app, effects);
            buffer.reset();
            app.draw(SCREEN, &mut buffer);
            app.drawn();
            slowest.note("drawing", since.elapsed());
            slowest.note("frame in all", now.elapsed());
            if let Some(pressed) = pressed {
                slowest.note("key to screen", pressed.elapsed());
            }
        }
    }
    let took = begun.elapsed().as_secs_f64();
    println!(
        "{side} × {side}, limit {} MB, {loops} frames in {took:.1} s:",
        limit >> 20
    );
    for (name, took) in slowest.0 {
        println!("  {name:16} {:6.1} ms", took.as_secs_f64() * 1000.0);
    }
}

fn press(app: &mut App, outside: &Outside, key: char) {
    let event = KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE);
    let effects = app.handle(Message::Input(Event::Key(event)));
    outside.perform(app, effects);
}

fn main() {
    for (side, limit) in [(1000, 512 << 20), (2000, 512 << 20), (4000, 512 << 20), (2000, 4 << 20)] {
        measure(side, limit);
    }
}
