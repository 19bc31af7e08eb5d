//! The designer in use, as an animation: a GIF in which each frame contains only what changed.
//!
//! The recipe of an animation has, in addition to its subject, a `size` like the recipe of a screen, and a `script`
//! with a step per line:
//!
//! - `seek 40`: go to a share of the run, in percent, before the first picture;
//! - `say TEXT`: show a caption below the screen, from now on;
//! - `press KEY…`: press keys, one after the other; their names are shown below the screen;
//! - `type TEXT`: type the text, at typing speed;
//! - `wait 1.5`: let seconds pass.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;
use wallcrawler::export::Rgb;
use wallcrawler::tui::Depth;

use super::paint::{Fonts, Picture, SMALL};
use super::recipe::{Recipe, Subject};
use super::screen::{Look, Stage, key, size};
use super::sheet::{Palette, Sheet};

/// Time from one picture to the next.
const BETWEEN: Duration = Duration::from_millis(50);
/// Time from one key to the next: for pressed and for typed keys.
const PRESSED: Duration = Duration::from_millis(400);
const TYPED: Duration = Duration::from_millis(150);
/// Time for which the name of a key is shown.
const SHOWN: Duration = Duration::from_millis(900);
/// Lines below the screen, for captions and keys.
const STRIP: u16 = 2;
/// Prefix of the note in the file.
const NOTE: &str = "cells ";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    size: String,
    #[serde(rename = "script")]
    steps: String,
}

/// A frame of an animation, and its duration.
pub type Shot = (Buffer, Duration);

/// Records the script of a recipe.
pub fn of_recipe(recipe: &Recipe) -> Result<Vec<Shot>> {
    let (subject, script): (_, Script) = Subject::part(recipe.value()?).with_context(|| recipe.place())?;
    let design = subject.design().with_context(|| recipe.place())?;
    let look = Look {
        size: size(&script.size)?,
        light: false,
        depth: Depth::True,
        octants: false,
        pixels: false,
    };
    shoot(Stage::new(design, look)?, &script.steps).with_context(|| recipe.place())
}

/// Records a script.
pub fn shoot(stage: Stage, script: &str) -> Result<Vec<Shot>> {
    let mut camera = Camera {
        stage,
        said: String::new(),
        keys: Vec::new(),
        shots: Vec::new(),
    };
    for line in script.lines().filter(|line| !line.trim().is_empty()) {
        camera.step(line).with_context(|| format!("the step {line}"))?;
    }
    Ok(camera.shots)
}

struct Camera {
    stage: Stage,
    said: String,
    /// The last keys, and for how long they are still shown.
    keys: Vec<(String, Duration)>,
    shots: Vec<Shot>,
}

impl Camera {
    fn step(&mut self, line: &str) -> Result<()> {
        let (what, rest) = line.split_once(' ').unwrap_or((line, ""));
        match what {
            "seek" => self.stage.app.seek_share(rest.parse()?),
            "say" => rest.clone_into(&mut self.said),
            "wait" => self.run(Duration::from_secs_f64(rest.parse()?))?,
            "press" => {
                for name in rest.split_whitespace() {
                    self.press(name, PRESSED)?;
                }
            }
            "type" => {
                for letter in rest.chars() {
                    self.press(letter.encode_utf8(&mut [0; 4]), TYPED)?;
                }
            }
            _ => bail!("there is no such step"),
        }
        Ok(())
    }

    fn press(&mut self, name: &str, time: Duration) -> Result<()> {
        self.stage.press(key(name).context("no key")?)?;
        self.keys.push((name.to_owned(), SHOWN));
        self.run(time)
    }

    /// Lets time pass and takes frames.
    fn run(&mut self, mut time: Duration) -> Result<()> {
        while !time.is_zero() {
            let step = time.min(BETWEEN);
            let shot = self.shot();
            match self.shots.last_mut() {
                Some((last, shown)) if *last == shot => *shown += step,
                _ => self.shots.push((shot, step)),
            }
            for (_, left) in &mut self.keys {
                *left = left.saturating_sub(step);
            }
            // Keys that were pressed together disappear together.
            if self.keys.last().is_some_and(|(_, left)| left.is_zero()) {
                self.keys.clear();
            }
            self.stage.pass(step)?;
            time -= step;
        }
        Ok(())
    }

    /// Returns the screen, with captions and keys below it.
    fn shot(&self) -> Buffer {
        let screen = self.stage.draw();
        let mut shot = Buffer::empty(Rect {
            height: screen.area.height + STRIP,
            ..screen.area
        });
        shot.content[..screen.content.len()].clone_from_slice(&screen.content);
        let (row, end) = (screen.area.height + 1, screen.area.width);
        let cap = Style::new().fg(Color::Rgb(18, 20, 25)).bg(Color::Rgb(250, 222, 120));
        let (bright, dark) = (Color::Rgb(250, 222, 120), Color::Rgb(140, 96, 0));
        let said = Style::new()
            .fg(if self.stage.light { dark } else { bright })
            .add_modifier(Modifier::BOLD);
        shot.set_stringn(2, row, &self.said, usize::from(end), said);
        let mut column = end;
        for (name, _) in self.keys.iter().rev() {
            let cap_width = name.chars().count() as u16 + 2;
            let Some(left) = column.checked_sub(cap_width + 1).filter(|left| *left > end / 2) else {
                break;
            };
            shot.set_string(left, row, format!(" {name} "), cap);
            column = left;
        }
        shot
    }
}

/// Returns which characters of a screen differ from those of another.
fn changed(old: Option<&Buffer>, new: &Buffer) -> Vec<(u16, u16)> {
    let is_changed = |at: &(u16, u16)| old.is_none_or(|old| old[*at] != new[*at]);
    let Rect { width, height, .. } = new.area;
    (0..height)
        .flat_map(|row| (0..width).map(move |column| (column, row)))
        .filter(is_changed)
        .collect()
}

/// Writes an animation as GIF.
pub fn write(shots: &[Shot], fonts: &Fonts, light: bool, note: &str, out: &mut impl Write) -> Result<()> {
    let (first, _) = shots.first().context("an animation without frames")?;
    let blank = Picture::new(first.area.width, first.area.height, fonts, light, SMALL);
    // The palette is made from all frames first. One colour number stands for unchanged pixels.
    let mut seen: BTreeMap<String, Sheet> = BTreeMap::new();
    for (i, (shot, _)) in shots.iter().enumerate() {
        for at in changed(i.checked_sub(1).map(|before| &shots[before].0), shot) {
            let cell = &shot[at];
            let name = format!("{}{:?}{:?}{:?}", cell.symbol(), cell.fg, cell.bg, cell.modifier);
            seen.entry(name).or_insert_with(|| {
                let mut one = Picture::new(1, 1, fonts, light, SMALL);
                one.cell(cell, 0, 0);
                one.sheet
            });
        }
    }
    let cells: Vec<Sheet> = seen.into_values().chain([blank.sheet.clone()]).collect();
    let palette = Palette::of(&cells, 255);
    let transparent = palette.colours.len() as u8;
    let mut colours: Vec<Rgb> = palette.colours.clone();
    colours.push([0; 3]);
    let (width, height) = (blank.sheet.width as u16, blank.sheet.height as u16);
    let mut encoder = gif::Encoder::new(out, width, height, &colours.concat())?;
    encoder.set_repeat(gif::Repeat::Infinite)?;
    encoder.write_raw_extension(gif::AnyExtension(0xfe), &[format!("{NOTE}{note}").as_bytes()])?;
    let mut picture = blank;
    let mut before: Option<Sheet> = None;
    for (i, (shot, time)) in shots.iter().enumerate() {
        for at in changed(i.checked_sub(1).map(|before| &shots[before].0), shot) {
            picture.cell(&shot[at], at.0, at.1);
        }
        let sheet = &picture.sheet;
        let differs = |x: u32, y: u32| before.as_ref().is_none_or(|before| before.get(x, y) != sheet.get(x, y));
        let (mut left, mut top, mut right, mut bottom) = (sheet.width, sheet.height, 0, 0);
        for y in 0..sheet.height {
            for x in (0..sheet.width).filter(|x| differs(*x, y)) {
                (left, right) = (left.min(x), right.max(x + 1));
                (top, bottom) = (top.min(y), bottom.max(y + 1));
            }
        }
        // No pixel changed: a frame of one pixel preserves the duration.
        if left >= right {
            (left, top, right, bottom) = (0, 0, 1, 1);
        }
        let pixels = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
        let number = |(x, y)| {
            let rgb = sheet.get(x, y).filter(|_| differs(x, y));
            rgb.map_or(transparent, |rgb| palette.number(rgb) as u8)
        };
        let frame = gif::Frame {
            left: left as u16,
            top: top as u16,
            width: (right - left) as u16,
            height: (bottom - top) as u16,
            delay: (time.as_millis() / 10) as u16,
            dispose: gif::DisposalMethod::Keep,
            transparent: Some(transparent),
            buffer: pixels.map(number).collect::<Vec<u8>>().into(),
            ..gif::Frame::default()
        };
        encoder.write_frame(&frame)?;
        before = Some(sheet.clone());
    }
    Ok(())
}

/// Returns the note in the bytes of an animation.
pub fn note(bytes: &[u8]) -> Option<String> {
    /// Number of letters in a digest.
    const LENGTH: usize = 64;
    let at = bytes.windows(NOTE.len()).position(|window| window == NOTE.as_bytes())? + NOTE.len();
    let note = bytes.get(at..at + LENGTH)?;
    Some(String::from_utf8_lossy(note).into_owned())
}
