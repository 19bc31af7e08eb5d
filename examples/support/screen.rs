//! The designer without a terminal: it draws into a buffer, and all jobs that it starts run to their end.
//!
//! The recipe of a screen has, in addition to its subject, `size` in characters (`"120x40"`); `percent`, the moment of
//! the run at which the picture is taken (default: 100); `keys`, separated by blanks, which are pressed before the
//! picture is taken: characters, and names such as `Tab`, `Enter`, `Space`, `Ctrl-s`; `light`, `octants`, and `pixels`,
//! which draws the map in pixels.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Context, Result};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Color;
use serde::Deserialize;
use wallcrawler::background::{InlineJobs, JobRequest, Message};
use wallcrawler::design::Design;
use wallcrawler::document::Document;
use wallcrawler::export::sha256;
use wallcrawler::tui::{App, Depth, Effect, Ground, Theme};

use super::kitty::{self, Pictures, Placeholder};
use super::paint::LARGE;
use super::recipe::{Recipe, Subject};

/// The size and the style of a screen.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Characters across and down.
    pub size: (u16, u16),
    pub light: bool,
    pub depth: Depth,
    pub octants: bool,
    /// Whether the terminal shows pictures; its characters then have the size in [`LARGE`].
    pub pixels: bool,
}

/// A screen with the pictures on it.
#[derive(Debug)]
pub struct Screen {
    pub cells: Buffer,
    pub pictures: Pictures,
}

/// The recipe of a screen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shot {
    size: String,
    percent: Option<u64>,
    #[serde(default)]
    keys: String,
    #[serde(default)]
    light: bool,
    #[serde(default)]
    octants: bool,
    #[serde(default)]
    pixels: bool,
}

/// Parses a size such as `120x40`: characters across and down.
pub fn size(text: &str) -> Result<(u16, u16)> {
    let (width, height) = text.split_once('x').context("write a size such as 120x40")?;
    Ok((width.parse()?, height.parse()?))
}

/// Returns the screen of a recipe, and whether it has a light background.
pub fn of_recipe(recipe: &Recipe) -> Result<(Screen, bool)> {
    let (subject, shot): (_, Shot) = Subject::part(recipe.value()?).with_context(|| recipe.place())?;
    let design = subject.design().with_context(|| recipe.place())?;
    let look = Look {
        size: size(&shot.size)?,
        light: shot.light,
        depth: Depth::True,
        octants: shot.octants,
        pixels: shot.pixels,
    };
    let mut stage = Stage::new(design, look)?;
    stage.app.seek_share(shot.percent.unwrap_or(100));
    for name in shot.keys.split_whitespace() {
        stage.press(key(name).with_context(|| format!("{}: {name} is not a key", recipe.place()))?)?;
    }
    stage.rest()?;
    Ok((stage.screen(), shot.light))
}

/// Returns a digest of a screen's characters and colours, to compare screens.
pub fn digest<'a>(screens: impl IntoIterator<Item = &'a Buffer>) -> String {
    let mut text = String::new();
    for screen in screens {
        for cell in screen.content() {
            // Writing to a string cannot fail.
            let _ = write!(text, "{}{:?}{:?}{:?}", cell.symbol(), cell.fg, cell.bg, cell.modifier);
        }
    }
    sha256(text.as_bytes())
}

impl Screen {
    /// Returns a digest of the characters, colours and pictures, to compare screens.
    pub fn digest(&self) -> String {
        let cells = digest([&self.cells]);
        let mut pixels = Vec::new();
        let size = (LARGE.width as usize, LARGE.height as usize);
        for shown in self.cells.content().iter().filter_map(placeholder) {
            let offsets = (0..size.1).flat_map(|down| (0..size.0).map(move |right| (right, down)));
            pixels.extend(offsets.filter_map(|offset| self.pictures.pixel(shown, offset)));
        }
        if pixels.is_empty() {
            return cells;
        }
        sha256(format!("{cells}{}", sha256(pixels.as_flattened())).as_bytes())
    }
}

/// Returns what a placeholder shows; `None` for other characters.
pub fn placeholder(cell: &Cell) -> Option<Placeholder> {
    kitty::placeholder(cell.symbol(), || match cell.fg {
        Color::Rgb(red, green, blue) => [red, green, blue],
        _ => [0; 3],
    })
}

/// Returns the key of a name: a character, or the name of a key with its modifiers.
pub fn key(name: &str) -> Option<KeyEvent> {
    let held = [
        ("Ctrl-", KeyModifiers::CONTROL),
        ("Alt-", KeyModifiers::ALT),
        ("Shift-", KeyModifiers::SHIFT),
    ];
    for (prefix, modifier) in held {
        if let Some(rest) = name.strip_prefix(prefix).filter(|rest| !rest.is_empty()) {
            let key = key(rest)?;
            return Some(KeyEvent::new(key.code, key.modifiers | modifier));
        }
    }
    let mut characters = name.chars();
    let code = match (characters.next()?, characters.next()) {
        (character, None) => KeyCode::Char(character),
        _ => match name {
            "Tab" => KeyCode::Tab,
            "Enter" => KeyCode::Enter,
            "Esc" => KeyCode::Esc,
            "Space" => KeyCode::Char(' '),
            "Backspace" => KeyCode::Backspace,
            "Up" => KeyCode::Up,
            "Down" => KeyCode::Down,
            "Left" => KeyCode::Left,
            "Right" => KeyCode::Right,
            "Home" => KeyCode::Home,
            "End" => KeyCode::End,
            "PageUp" => KeyCode::PageUp,
            "PageDown" => KeyCode::PageDown,
            _ => KeyCode::F(name.strip_prefix('F')?.parse().ok()?),
        },
    };
    Some(KeyEvent::new(code, KeyModifiers::NONE))
}

/// The designer at work, with the threads that its pictures need.
pub struct Stage {
    pub app: App,
    /// Whether the terminal has a light background.
    pub light: bool,
    area: Rect,
    jobs: InlineJobs,
}

impl Stage {
    /// Grows a design and shows the end of its growth.
    pub fn new(design: Design, look: Look) -> Result<Self> {
        let (width, height) = look.size;
        let ground = if look.light { Ground::Light } else { Ground::Dark };
        let mut app = App::new(
            Document::new(design, None),
            Theme::new(look.depth).on(ground),
            width,
            height,
        );
        app.set_octants_known(look.octants);
        if look.pixels {
            app.show_pictures(LARGE.width as u16, LARGE.height as u16);
        }
        let first = app.start();
        let mut stage = Self {
            app,
            light: look.light,
            area: Rect::new(0, 0, width, height),
            jobs: InlineJobs::default(),
        };
        stage.perform(first)?;
        Ok(stage)
    }

    /// Presses a key, and waits for the jobs that it starts.
    pub fn press(&mut self, key: KeyEvent) -> Result<()> {
        let effects = self.app.handle(Message::Input(Event::Key(key)));
        self.perform(effects)?;
        self.settle()
    }

    /// Runs the jobs that the designer starts before a frame.
    pub fn settle(&mut self) -> Result<()> {
        loop {
            let effects = self.app.before_frame();
            if effects.is_empty() {
                return Ok(());
            }
            self.perform(effects)?;
        }
    }

    /// Lets time pass.
    pub fn pass(&mut self, time: Duration) -> Result<()> {
        let effects = self.app.advance(time);
        self.perform(effects)?;
        self.settle()
    }

    /// Lets a second pass without input, after which the designer does some delayed work.
    pub fn rest(&mut self) -> Result<()> {
        let effects = self.app.advance(Duration::from_secs(1));
        self.perform(effects)
    }

    /// Draws the screen.
    pub fn draw(&self) -> Buffer {
        let mut buffer = Buffer::empty(self.area);
        self.app.draw(self.area, &mut buffer);
        buffer
    }

    /// Draws the screen, with the pictures that a terminal receives.
    pub fn screen(&self) -> Screen {
        let cells = self.draw();
        let mut pictures = Pictures::new("kitty", (LARGE.width as usize, LARGE.height as usize));
        pictures.process(&self.app.picture_commands(&cells));
        Screen { cells, pictures }
    }

    /// Carries out the effects that a picture needs: runs every job to its end.
    fn perform(&mut self, effects: Vec<Effect>) -> Result<()> {
        for effect in effects {
            if let Effect::Start(ticket, mut request) = effect {
                if let JobRequest::GalleryPictures(batch) = &mut request {
                    batch.pause = Duration::ZERO;
                }
                for reply in self.jobs.run(&ticket, request) {
                    // A reply may start further jobs.
                    let next = self.app.handle(Message::Reply(ticket.clone(), reply));
                    self.perform(next)?;
                }
            }
        }
        Ok(())
    }
}
