//! Renders the designer to a PNG file: `cargo run --release --example screenshot -- OUT.png [DESIGN.toml] [OPTION…]`.
//!
//! The designer runs as it does in a terminal, but draws into a buffer; the buffer's characters are
//! painted here. Block, box and Braille characters are drawn geometrically, so that they join without
//! seams; all others come from a monospaced font of the system (DejaVu Sans Mono, or `--font FILE` with
//! `--bold FILE`). Without a design, one with six Crawlers is grown.
//!
//! The README's picture:
//! `… -- assets/designer.png presets/ammonite.toml --size 120x40 --turn 70`.
//! That of the gallery: `… -- assets/gallery.png presets/catacombs.toml --size 120x40 --keys Ys`.
//!
//! Options: `--size 120x40` (characters), `--seed N`, `--turn SHARE` (percent of the run, default 100),
//! `--keys TEXT` (typed before the picture is taken; `\t` is Tab, `\n` Enter), `--light` (on a light ground),
//! `--colours 0`, `16` or `256` (in place of true colour), `--octants` (as on a terminal that has them). After each key everything that it asked for is waited for.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ab_glyph::{Font, FontVec, PxScale, ScaleFont, point};
use anyhow::{Context, Result, anyhow, bail};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use ratatui::symbols::pixel::OCTANTS;
use wallcrawler::design::{CrawlerStart, Design};
use wallcrawler::document::Document;
use wallcrawler::engine::Options;
use wallcrawler::geometry::Point;
use wallcrawler::storage::DesignFiles;
use wallcrawler::tui::{App, Depth, Effect, Ground, Theme};
use wallcrawler::worker::{
    Bout, Count, Duel, Film, Generator, Inbox, Judger, Message, News, Odds, Proof, Sheet, Teller, Trial, Tuner,
    Workshop,
};

/// Pixels of a character.
const WIDTH: u32 = 12;
const HEIGHT: u32 = 24;
const EM: f32 = 20.0;
/// Pixels around the screen.
const MARGIN: u32 = 16;

/// Text and ground, dark and light.
const INK: [[u8; 3]; 2] = [[216, 220, 228], [36, 40, 48]];
const PAPER: [[u8; 3]; 2] = [[18, 20, 25], [252, 252, 250]];

struct Arguments {
    out: String,
    design: Option<PathBuf>,
    size: (u16, u16),
    seed: Option<u64>,
    turn: u64,
    keys: String,
    light: bool,
    depth: Depth,
    octants: bool,
    fonts: [String; 2],
}

fn arguments() -> Result<Arguments> {
    let fonts = ["DejaVuSansMono", "DejaVuSansMono-Bold"];
    let mut arguments = Arguments {
        out: String::new(),
        design: None,
        size: (120, 40),
        seed: None,
        turn: 100,
        keys: String::new(),
        light: false,
        depth: Depth::True,
        octants: false,
        fonts: fonts.map(|name| format!("/usr/share/fonts/truetype/dejavu/{name}.ttf")),
    };
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut value = || given.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--size" => {
                let text = value()?;
                let (width, height) = text.split_once('x').context("--size is like 120x40")?;
                arguments.size = (width.parse()?, height.parse()?);
            }
            "--seed" => arguments.seed = Some(value()?.parse()?),
            "--turn" => arguments.turn = value()?.parse()?,
            "--keys" => arguments.keys = value()?.replace("\\t", "\t").replace("\\n", "\n"),
            "--light" => arguments.light = true,
            "--colours" => {
                arguments.depth = match value()?.as_str() {
                    "0" => Depth::None,
                    "16" => Depth::Sixteen,
                    "256" => Depth::Indexed,
                    other => bail!("--colours is 0, 16 or 256, not {other}"),
                }
            }
            "--octants" => arguments.octants = true,
            "--font" => arguments.fonts[0] = value()?,
            "--bold" => arguments.fonts[1] = value()?,
            _ if argument.starts_with('-') => bail!("unknown option {argument}"),
            _ if arguments.out.is_empty() => arguments.out = argument,
            _ => arguments.design = Some(argument.into()),
        }
    }
    if arguments.out.is_empty() {
        bail!("the name of a PNG file is missing");
    }
    Ok(arguments)
}

fn main() -> Result<()> {
    let arguments = arguments()?;
    let screen = photograph(&arguments)?;
    let fonts = arguments.fonts.each_ref().map(|path| {
        let bytes = std::fs::read(path).with_context(|| format!("{path}; name a font with --font and --bold"))?;
        FontVec::try_from_vec(bytes).with_context(|| format!("{path} is no font"))
    });
    let [regular, bold] = fonts;
    let picture = Picture::of(&screen, &[regular?, bold?], arguments.light);
    picture.write(&arguments.out)
}

fn read(path: &Path) -> Result<Design> {
    let loaded = DesignFiles::Toml(path.to_owned()).load();
    let problems: Vec<String> = loaded.diagnostics.iter().map(ToString::to_string).collect();
    loaded.design.with_context(|| problems.join("\n"))
}

/// Three Crawlers from above, three from below.
fn six_crawlers() -> Design {
    let mut design = Design::default();
    for y in [25, 50, 75] {
        for (x, direction) in [(0, 2), (99, 4)] {
            design.layout.crawlers.push(CrawlerStart {
                at: Point::new(x, y),
                direction,
                ..CrawlerStart::default()
            });
        }
    }
    design
}

/// Runs the designer until the dungeon is grown, goes to the turn, types the keys and draws.
fn photograph(arguments: &Arguments) -> Result<Buffer> {
    let mut design = match &arguments.design {
        Some(path) => read(path)?,
        None => six_crawlers(),
    };
    design.seed = arguments.seed.unwrap_or(design.seed);
    let (width, height) = arguments.size;
    let mut app = App::new(
        Document::new(design, None),
        Options::default(),
        Theme::new(arguments.depth).on(if arguments.light { Ground::Light } else { Ground::Dark }),
        width,
        height,
    );
    app.know_octants(arguments.octants);
    let inbox = Inbox::<Event>::new();
    let workers = (
        Generator::new(inbox.sender())?,
        Workshop::new(inbox.sender())?,
        Teller::new(inbox.sender())?,
        Judger::new(inbox.sender())?,
        Sheet::new(inbox.sender())?,
        Tuner::new(inbox.sender())?,
        (Odds::new(inbox.sender())?, Duel::new(inbox.sender())?),
    );
    let type_key = |code| Message::Input(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    let first = app.start();
    perform(first, &mut app, &workers, &inbox)?;
    app.seek_share(arguments.turn);
    for key in arguments.keys.chars() {
        let code = match key {
            '\t' => KeyCode::Tab,
            '\n' => KeyCode::Enter,
            c => KeyCode::Char(c),
        };
        let effects = app.handle(type_key(code));
        perform(effects, &mut app, &workers, &inbox)?;
        loop {
            let effects = app.before_frame();
            if effects.is_empty() {
                break;
            }
            perform(effects, &mut app, &workers, &inbox)?;
        }
    }
    // Some things wait for a quiet moment.
    let effects = app.advance(Duration::from_secs(1));
    perform(effects, &mut app, &workers, &inbox)?;
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    app.draw(area, &mut buffer);
    Ok(buffer)
}

/// The threads that a picture needs.
type Workers = (Generator, Workshop, Teller, Judger, Sheet, Tuner, (Odds, Duel));

/// Does what the designer asks for, as far as a picture needs it: grows dungeons and rolls vaults to their end.
fn perform(effects: Vec<Effect>, app: &mut App, workers: &Workers, inbox: &Inbox<Event>) -> Result<()> {
    let (generator, workshop, teller, judger, sheet, tuner, (odds, duel)) = workers;
    for effect in effects {
        match effect {
            Effect::Grow(design, options) => app.run_started(generator.grow(design, options)),
            Effect::Resolve(order) => app.order_placed(workshop.ask(order)),
            Effect::Inquire(inquiry) => app.inquiry_made(teller.ask(*inquiry)),
            Effect::Judge(case) => app.case_begun(judger.ask(case)),
            Effect::Assess(lot) => app.lot_begun(sheet.judge(lot)),
            Effect::Count(prospect, options) => app.count_begun(odds.count(prospect, options)),
            Effect::Trace(pair) => app.traces_begun(duel.trace(pair)),
            Effect::Contrast(pair, seeds) => app.comparison_begun(duel.compare(pair, seeds)),
            Effect::Film(film) => app.film_begun(sheet.show(Film {
                pause: Duration::ZERO,
                ..film
            })),
            Effect::Try(trials) => app.trials_begun(tuner.ask(*trials)),
            _ => continue,
        }
        loop {
            let message = inbox
                .wait(Some(Duration::from_mins(1)))
                .ok_or_else(|| anyhow!("growth hangs"))?;
            let over = matches!(
                message,
                Message::Finished { .. }
                    | Message::Broken { .. }
                    | Message::Told { .. }
                    | Message::Judged { .. }
                    | Message::Luck(Count { is_done: true, .. })
                    | Message::Duel(
                        Bout::Traced { side: 1, .. } | Bout::Compared { is_done: true, .. } | Bout::Broken { .. }
                    )
                    | Message::Tried {
                        trial: Trial::Done | Trial::Broken(_),
                        ..
                    }
                    | Message::Sheet(Proof::AllJudged { .. } | Proof::Over { .. } | Proof::Broken { .. })
                    | Message::Vaults(News::Done { .. } | News::Broken { .. })
            );
            let next = app.handle(message);
            if over {
                // What was tried may lead to something else to be tried.
                perform(next, app, workers, inbox)?;
                break;
            }
        }
    }
    Ok(())
}

struct Picture {
    ink: [u8; 3],
    paper: [u8; 3],
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Picture {
    fn of(screen: &Buffer, fonts: &[FontVec; 2], light: bool) -> Self {
        let (ink, paper) = (INK[usize::from(light)], PAPER[usize::from(light)]);
        let width = u32::from(screen.area.width) * WIDTH + 2 * MARGIN;
        let height = u32::from(screen.area.height) * HEIGHT + 2 * MARGIN;
        let mut picture = Self {
            ink,
            paper,
            width,
            height,
            pixels: paper.repeat((width * height) as usize),
        };
        for row in 0..screen.area.height {
            for column in 0..screen.area.width {
                let left = MARGIN + u32::from(column) * WIDTH;
                let top = MARGIN + u32::from(row) * HEIGHT;
                picture.cell(&screen[(column, row)], left, top, fonts);
            }
        }
        picture
    }

    fn cell(&mut self, cell: &Cell, left: u32, top: u32, fonts: &[FontVec; 2]) {
        let mut ink = rgb(cell.fg, self.ink);
        let mut paper = rgb(cell.bg, self.paper);
        if cell.modifier.contains(Modifier::REVERSED) {
            std::mem::swap(&mut ink, &mut paper);
        }
        if cell.modifier.contains(Modifier::DIM) {
            ink = mix(paper, ink, 0.5);
        }
        self.fill(left, top, WIDTH, HEIGHT, paper);
        let glyph = cell.symbol().chars().next().unwrap_or(' ');
        if cell.modifier.contains(Modifier::UNDERLINED) {
            self.fill(left, top + HEIGHT - 3, WIDTH, 1, ink);
        }
        if let Some(bits) = OCTANTS.iter().position(|octant| *octant == glyph) {
            for i in (0..8).filter(|i| bits >> i & 1 == 1) {
                let (column, row) = (i % 2 * WIDTH / 2, i / 2 * HEIGHT / 4);
                self.fill(left + column, top + row, WIDTH / 2, HEIGHT / 4, ink);
            }
            return;
        }
        match glyph {
            '\u{2580}'..='\u{259f}' => self.blocks(glyph, left, top, ink, paper),
            '\u{2800}'..='\u{28ff}' => self.braille(glyph as u32 - 0x2800, left, top, ink),
            _ if strokes(glyph).is_some() => self.lines(glyph, left, top, ink),
            _ => {
                let font = &fonts[usize::from(cell.modifier.contains(Modifier::BOLD))];
                self.letter(font, glyph, left, top, ink);
            }
        }
    }

    fn fill(&mut self, left: u32, top: u32, width: u32, height: u32, color: [u8; 3]) {
        for y in top..top + height {
            for x in left..left + width {
                self.blend(x, y, color, 1.0);
            }
        }
    }

    fn blend(&mut self, x: u32, y: u32, color: [u8; 3], share: f32) {
        if x >= self.width || y >= self.height {
            return;
        }
        let at = ((y * self.width + x) * 3) as usize;
        let under = [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]];
        self.pixels[at..at + 3].copy_from_slice(&mix(under, color, share));
    }

    /// Shades every pixel of a character by how much of it lies inside of a shape, in 4 × 4 samples.
    fn shape(&mut self, left: u32, top: u32, ink: [u8; 3], inside: impl Fn(f32, f32) -> bool) {
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                let sample = |i: u32, n: u32| (i as f32) + (n as f32 + 0.5) / 4.0;
                let hits = (0..16).filter(|n| inside(sample(x, n % 4), sample(y, n / 4))).count();
                if hits > 0 {
                    self.blend(left + x, top + y, ink, hits as f32 / 16.0);
                }
            }
        }
    }

    fn blocks(&mut self, glyph: char, left: u32, top: u32, ink: [u8; 3], paper: [u8; 3]) {
        let (half_width, half_height) = (WIDTH / 2, HEIGHT / 2);
        match glyph {
            '▀' => self.fill(left, top, WIDTH, half_height, ink),
            '▄' => self.fill(left, top + half_height, WIDTH, half_height, ink),
            '█' => self.fill(left, top, WIDTH, HEIGHT, ink),
            '▌' => self.fill(left, top, half_width, HEIGHT, ink),
            '▐' => self.fill(left + half_width, top, half_width, HEIGHT, ink),
            '\u{2581}'..='\u{2587}' => {
                let height = HEIGHT * (glyph as u32 - 0x2580) / 8;
                self.fill(left, top + HEIGHT - height, WIDTH, height, ink);
            }
            '\u{2589}'..='\u{258f}' => self.fill(left, top, WIDTH * (0x2590 - glyph as u32) / 8, HEIGHT, ink),
            '░' | '▒' | '▓' => {
                let share = [0.25, 0.5, 0.75][(glyph as usize - 0x2591).min(2)];
                self.fill(left, top, WIDTH, HEIGHT, mix(paper, ink, share));
            }
            _ => {}
        }
    }

    fn braille(&mut self, bits: u32, left: u32, top: u32, ink: [u8; 3]) {
        let dots = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
        for (i, (column, row)) in dots.into_iter().enumerate() {
            if bits & (1 << i) == 0 {
                continue;
            }
            let (x, y) = (3.0 + 6.0 * column as f32, 3.0 + 6.0 * row as f32);
            self.shape(left, top, ink, |px, py| (px - x).hypot(py - y) < 2.3);
        }
    }

    /// Box characters as lines of one and a half (heavy: three) pixels, corners as arcs.
    fn lines(&mut self, glyph: char, left: u32, top: u32, ink: [u8; 3]) {
        let Some((sides, heavy)) = strokes(glyph) else { return };
        let half = if heavy { 1.6 } else { 0.9 };
        let (cx, cy) = (WIDTH as f32 / 2.0, HEIGHT as f32 / 2.0);
        if "╭╮╯╰".contains(glyph) {
            let (right, down) = (sides.contains('E'), sides.contains('S'));
            let radius = cx;
            let (ox, oy) = (
                if right { cx + radius } else { cx - radius },
                if down { cy + radius } else { cy - radius },
            );
            self.shape(left, top, ink, |x, y| {
                let beyond = if down { y > oy } else { y < oy };
                if beyond {
                    (x - cx).abs() < half
                } else {
                    let near = if right { x <= ox } else { x >= ox };
                    near && ((x - ox).hypot(y - oy) - radius).abs() < half
                }
            });
            return;
        }
        self.shape(left, top, ink, |x, y| {
            let across = (y - cy).abs() < half;
            let along = (x - cx).abs() < half;
            (sides.contains('E') && across && x > cx - half)
                || (sides.contains('W') && across && x < cx + half)
                || (sides.contains('S') && along && y > cy - half)
                || (sides.contains('N') && along && y < cy + half)
        });
    }

    fn letter(&mut self, font: &FontVec, glyph: char, left: u32, top: u32, ink: [u8; 3]) {
        let scaled = font.as_scaled(PxScale::from(
            EM * font.height_unscaled() / font.units_per_em().unwrap_or(2048.0),
        ));
        let baseline = top as f32 + (HEIGHT as f32 - scaled.height()) / 2.0 + scaled.ascent();
        let id = scaled.glyph_id(glyph);
        let x = left as f32 + (WIDTH as f32 - scaled.h_advance(id)) / 2.0;
        let placed = id.with_scale_and_position(scaled.scale(), point(x, baseline));
        if let Some(outline) = font.outline_glyph(placed) {
            let bounds = outline.px_bounds();
            outline.draw(|dx, dy, share| {
                let (x, y) = (bounds.min.x as i32 + dx as i32, bounds.min.y as i32 + dy as i32);
                self.blend(x as u32, y as u32, ink, share.min(1.0));
            });
        }
    }

    fn write(&self, path: &str) -> Result<()> {
        let file = File::create(path).with_context(|| format!("{path} cannot be written"))?;
        let mut encoder = png::Encoder::new(BufWriter::new(file), self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        encoder.write_header()?.write_image_data(&self.pixels)?;
        Ok(())
    }
}

/// The sides to which a box character's lines run, and whether they are heavy.
fn strokes(glyph: char) -> Option<(&'static str, bool)> {
    Some(match glyph {
        '─' => ("EW", false),
        '│' => ("NS", false),
        '╭' | '┌' => ("ES", false),
        '╮' | '┐' => ("WS", false),
        '╰' | '└' => ("EN", false),
        '╯' | '┘' => ("WN", false),
        '├' => ("ENS", false),
        '┤' => ("WNS", false),
        '┬' => ("EWS", false),
        '┴' => ("EWN", false),
        '┼' => ("EWNS", false),
        '━' => ("EW", true),
        '┃' => ("NS", true),
        _ => return None,
    })
}

fn mix(under: [u8; 3], over: [u8; 3], share: f32) -> [u8; 3] {
    std::array::from_fn(|i| {
        let (under, over) = (f32::from(under[i]), f32::from(over[i]));
        (under + (over - under) * share).round() as u8
    })
}

/// The theme of pictures is true colour; other colours only come from defaults.
fn rgb(color: Color, default: [u8; 3]) -> [u8; 3] {
    /// The sixteen colours as xterm shows them, in the order of their numbers.
    const SIXTEEN: [[u8; 3]; 16] = [
        [0, 0, 0],
        [205, 0, 0],
        [0, 205, 0],
        [205, 205, 0],
        [0, 0, 238],
        [205, 0, 205],
        [0, 205, 205],
        [229, 229, 229],
        [127, 127, 127],
        [255, 0, 0],
        [0, 255, 0],
        [255, 255, 0],
        [92, 92, 255],
        [255, 0, 255],
        [0, 255, 255],
        [255, 255, 255],
    ];
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let number = match color {
        Color::Reset => return default,
        Color::Rgb(r, g, b) => return [r, g, b],
        Color::Indexed(number) => number,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
    };
    match number {
        0..16 => SIXTEEN[usize::from(number)],
        16..232 => [36, 6, 1].map(|place| STEPS[usize::from((number - 16) / place % 6)]),
        232.. => [8 + 10 * (number - 232); 3],
    }
}
