//! Time to draw a frame: the designer draws into a buffer of 200 × 60 characters, at each zoom, with a grown dungeon of
//! 1,000 × 1,000 squares; and time of one step of playback.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use wallcrawler::background::{InlineJobs, JobRequest, Message};
use wallcrawler::design::{CrawlerStart, Design};
use wallcrawler::document::Document;
use wallcrawler::geometry::{Point, Size};
use wallcrawler::tui::{App, Depth, Effect, Theme};

const SCREEN: Rect = Rect::new(0, 0, 200, 60);
const SIDE: i32 = 1000;

fn press(app: &mut App, key: char) {
    let event = KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE);
    app.handle(Message::Input(Event::Key(event)));
}

/// Returns the designer in the middle of a growth whose generations live long enough to fill the dungeon.
fn grown() -> App {
    let mut design = Design::default();
    design.layout.size = Size::new(SIDE, SIDE);
    design.constants.max_crawlers = 1_000_000;
    for y in (50..SIDE).step_by(50) {
        design.layout.crawlers.push(CrawlerStart {
            at: Point::new(0, y),
            direction: 2,
            ..CrawlerStart::default()
        });
    }
    for generation in &mut design.character.generations {
        generation.max_age = 40;
    }
    let theme = Theme::new(Depth::True);
    let document = Document::new(design, None);
    let mut app = App::new(document, theme, SCREEN.width, SCREEN.height);
    for effect in app.start() {
        if let Effect::Start(ticket, request @ JobRequest::Growth(_)) = effect {
            for reply in InlineJobs::default().run(&ticket, request) {
                app.handle(Message::Reply(ticket.clone(), reply));
            }
        }
    }
    app.seek_share(70);
    app
}

fn drawing(criterion: &mut Criterion) {
    let mut app = grown();
    for zoom in ["fit", "dots of 4", "dots of 2", "dots", "halves", "single", "double"] {
        criterion.bench_function(&format!("frame 200x60, {zoom}"), |bencher| {
            let mut buffer = Buffer::empty(SCREEN);
            bencher.iter(|| {
                buffer.reset();
                app.draw(SCREEN, &mut buffer);
                black_box(&buffer);
            });
        });
        press(&mut app, '+');
    }
    criterion.bench_function("an iteration back and on", |bencher| {
        bencher.iter(|| {
            press(&mut app, '<');
            press(&mut app, '>');
        });
    });
}

criterion_group!(benches, drawing);
criterion_main!(benches);
