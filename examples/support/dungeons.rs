//! Pictures of dungeons: one or several side by side, each with a caption, at any moment of its growth, whole or
//! cropped, optionally with its Builders and their look-ahead.
//!
//! The recipe has these keys in addition to its subject; a `[[panel]]` can override each of them, and defaults are in
//! parentheses:
//!
//! - `caption`;
//! - `turn`, `iteration` or `percent` of the turns: the moment; by default the end;
//! - `by` (`generation`, `age`, `lineage`, `kind`), `ground` (`dark`, `light`, `print`), `scale` in pixels (4);
//! - `crop`: `[row, column, rows, columns]`; `lines`: lines between squares;
//! - `builders`: arrows for Builders; `looks`: also the look-ahead of those that are awake (the moment must lie between
//!   two iterations);
//! - for the whole picture: `columns` (panels per row; all), `legend`, and `metrics` and `seeds`, see
//!   [`super::metrics`].

use std::ops::ControlFlow;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use wallcrawler::design::{Design, ValidDesign};
use wallcrawler::engine::{BuilderKind, LookFrom, Options, TurnPrediction};
use wallcrawler::export::{ColourBy, DungeonView, Ground, Painting, Rgb, font};
use wallcrawler::geometry::{Forward, Point};
use wallcrawler::recording::{BuilderState, FrameBuilder, Recording};

use super::recipe::{self, Recipe, Subject};
use super::sheet::{Sheet, mix};

/// Pixels around each dungeon.
const MARGIN: u32 = 12;
/// Pixels per font pixel.
const UNIT: u32 = 2;
/// Pixels from one line of text to the next.
const LINE: u32 = (font::HEIGHT + font::DESCENT + 2) * UNIT;

/// The whole picture.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    #[serde(default)]
    columns: Option<usize>,
    #[serde(default)]
    legend: bool,
    /// Metrics of its table.
    #[serde(default)]
    pub metrics: Vec<String>,
    /// Number of seeds over which they are measured.
    pub seeds: Option<u64>,
    #[serde(skip)]
    pub panels: Vec<Panel>,
}

/// One dungeon of the picture.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    #[serde(skip)]
    subject: Subject,
    #[serde(default)]
    pub caption: String,
    turn: Option<u64>,
    iteration: Option<u32>,
    percent: Option<u64>,
    #[serde(default)]
    by: String,
    #[serde(default)]
    ground: String,
    scale: Option<u32>,
    crop: Option<[i32; 4]>,
    #[serde(default)]
    lines: bool,
    #[serde(default)]
    builders: bool,
    #[serde(default)]
    looks: bool,
}

/// Reads the keys of a picture's recipe. Panels inherit them unless they override them.
pub fn read(recipe: &Recipe) -> Result<Layout> {
    const OWN: [&str; 4] = ["columns", "legend", "metrics", "seeds"];
    let mut common: toml::Table = recipe.value()?;
    let own = OWN
        .iter()
        .filter_map(|key| common.remove_entry(*key))
        .collect::<toml::Table>();
    let mut layout: Layout = own.try_into().with_context(|| recipe.place())?;
    let panels = match common.remove("panel") {
        None => vec![toml::Table::new()],
        Some(panels) => panels.try_into().with_context(|| recipe.place())?,
    };
    for panel in panels {
        let mut all = common.clone();
        recipe::merge(&mut all, &panel);
        let (subject, panel): (_, Panel) = Subject::part(all).with_context(|| recipe.place())?;
        layout.panels.push(Panel { subject, ..panel });
    }
    Ok(layout)
}

impl Panel {
    /// Returns the design of the panel, with its changes applied.
    pub fn design(&self) -> Result<Design> {
        self.subject.design()
    }

    fn by(&self) -> Result<ColourBy> {
        let of = |(_, name): &&(ColourBy, &str)| *name == self.by || self.by.is_empty();
        let found = ColourBy::ALL.iter().find(of);
        Ok(found.with_context(|| format!("nothing is coloured by {}", self.by))?.0)
    }

    fn ground(&self) -> Result<Ground> {
        Ok(match self.ground.as_str() {
            "" | "dark" => Ground::Dark,
            "light" => Ground::Light,
            "print" => Ground::Print,
            other => bail!("there is no ground {other}"),
        })
    }

    /// Returns the turn of the moment.
    fn moment(&self, recording: &Recording) -> u64 {
        let turns = recording.turns();
        let of_iteration = self.iteration.map(|iteration| recording.turn_of_iteration(iteration));
        let of_percent = self.percent.map(|percent| turns * percent / 100);
        self.turn.or(of_iteration).or(of_percent).unwrap_or(turns)
    }

    /// Draws the panel; returns the names and colours of its parts.
    fn draw(&self) -> Result<(Sheet, Vec<(String, Rgb)>)> {
        let valid = recipe::valid(&self.design()?)?;
        let mut watch = |_, _| ControlFlow::Continue(());
        let recording = DungeonView::grow(&valid, Options::default(), &mut watch)?;
        let dungeon = DungeonView::new(&valid, &recording, self.moment(&recording));
        let painting = Painting::new(&dungeon, self.by()?, self.ground()?);
        let size = dungeon.size();
        let scale = self.scale.unwrap_or(4);
        let [x, y, rows, columns] = self.crop.unwrap_or([0, 0, size.x, size.y]);
        let mut view = View {
            sheet: Sheet::new(columns as u32 * scale, rows as u32 * scale, painting.palette().ground),
            corner: Point::new(x, y),
            scale,
        };
        let parts = painting.parts();
        let squares = (x..x + rows).flat_map(|x| (y..y + columns).map(move |y| Point::new(x, y)));
        for at in squares {
            view.fill(at, parts[painting.part_of(at)].rgb);
        }
        if self.looks {
            view.looks(&valid, &dungeon)?;
        }
        if self.lines {
            view.lines(mix(painting.palette().ground, painting.palette().text, 0.12));
        }
        if self.builders || self.looks {
            // A sleeping baby may share its square with its parent.
            let mut living: Vec<&FrameBuilder> = dungeon.frame().living().map(|(_, builder)| builder).collect();
            living.sort_by_key(|builder| builder.state == BuilderState::Awake);
            for builder in living {
                view.builder(builder, painting.palette().text, painting.palette().ground);
            }
        }
        let names = parts.iter().skip(1).filter(|part| part.tiles > 0);
        let names = names.map(|part| (part.name.clone(), part.rgb)).collect();
        Ok((view.sheet, names))
    }
}

/// A part of a dungeon, drawn.
struct View {
    sheet: Sheet,
    corner: Point,
    scale: u32,
}

/// Colours of free rows, of the square that ends a row, and of squares that may be built on.
const FREE: Rgb = [70, 130, 230];
const END: Rgb = [235, 70, 80];
const NEXT: Rgb = [250, 225, 90];

impl View {
    /// Returns the top left pixel of a square, if the square is visible.
    fn place(&self, at: Point) -> Option<(u32, u32)> {
        let (x, y) = (at.x - self.corner.x, at.y - self.corner.y);
        let place = (y as u32 * self.scale, x as u32 * self.scale);
        (x >= 0 && y >= 0 && place.0 < self.sheet.width && place.1 < self.sheet.height).then_some(place)
    }

    fn fill(&mut self, at: Point, rgb: Rgb) {
        if let Some((left, top)) = self.place(at) {
            self.sheet.fill(left, top, self.scale, self.scale, rgb);
        }
    }

    fn tint(&mut self, at: Point, rgb: Rgb, share: f32) {
        let Some((left, top)) = self.place(at) else { return };
        for y in top..top + self.scale {
            for x in left..left + self.scale {
                self.sheet.blend(x, y, rgb, share);
            }
        }
    }

    fn lines(&mut self, rgb: Rgb) {
        for y in 0..self.sheet.height {
            for x in 0..self.sheet.width {
                if x.is_multiple_of(self.scale) || y.is_multiple_of(self.scale) {
                    self.sheet.blend(x, y, rgb, 0.5);
                }
            }
        }
    }

    /// Draws the look-ahead of the Builders that are awake.
    fn looks(&mut self, design: &ValidDesign, dungeon: &DungeonView<'_>) -> Result<()> {
        let clock = dungeon.clock();
        if dungeon.recording().turn_of_iteration(clock.iteration) != clock.turn {
            bail!(
                "the looks of Builders can only be drawn between two iterations; turn {} is inside one",
                clock.turn
            );
        }
        let frame = dungeon.frame();
        for standing in frame.living().filter_map(|(id, _)| frame.standing(id, clock.iteration)) {
            let ahead = TurnPrediction::of(design, frame.grid(), &standing);
            // A look-ahead that continues another is drawn once.
            let mut seen = Vec::new();
            for LookFrom { from, look } in ahead.looks {
                let rows = if look.end.is_some() { look.free + 1 } else { look.free };
                for row in 1..=rows {
                    for aside in -look.corridor..=look.corridor {
                        let at = from.step(look.forward, row).step(look.forward.right(), aside);
                        if !seen.contains(&at) {
                            seen.push(at);
                            self.tint(at, if row > look.free { END } else { FREE }, 0.38);
                        }
                    }
                }
            }
            for at in ahead.squares {
                self.tint(at, NEXT, 0.55);
            }
        }
        Ok(())
    }

    /// Draws a Crawler as an arrow in its heading, and a Jumper as a disc. For a sleeping Builder, draws only the
    /// outline.
    fn builder(&mut self, builder: &FrameBuilder, ink: Rgb, paper: Rgb) {
        let Some((left, top)) = self.place(builder.at) else {
            return;
        };
        let asleep = builder.state == BuilderState::Asleep;
        let side = self.scale as f32;
        for y in 0..self.scale {
            for x in 0..self.scale {
                // Distances from the middle, in halves of a side: `along` is measured ahead, `aside` to the right.
                let (dx, dy) = ((x as f32 + 0.5) / side * 2.0 - 1.0, (y as f32 + 0.5) / side * 2.0 - 1.0);
                let (along, aside) = match builder.forward {
                    Forward::North => (-dy, dx),
                    Forward::East => (dx, dy),
                    Forward::South => (dy, -dx),
                    Forward::West => (-dx, -dy),
                };
                // Distance from the edge of the shape, positive inside.
                let inside = match builder.birth.kind {
                    BuilderKind::Crawler => (0.8 - along - 1.6 * aside.abs()).min(along + 0.75) / 1.6,
                    BuilderKind::Jumper | BuilderKind::DoorJumper | BuilderKind::RoomJumper => 0.7 - along.hypot(aside),
                };
                let edge = 2.0 / side;
                if inside > 0.0 && !(asleep && inside > edge) {
                    self.sheet.set(left + x, top + y, ink);
                } else if inside > -edge {
                    self.sheet.set(left + x, top + y, paper);
                }
            }
        }
    }
}

/// Wraps text into lines of at most a number of pixels.
fn lines(text: &str, width: u32) -> Vec<String> {
    let most = (width / UNIT / font::ADVANCE).max(1) as usize;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Makes the picture of a recipe.
pub fn picture(recipe: &Recipe) -> Result<Sheet> {
    let layout = read(recipe)?;
    let mut panels = Vec::new();
    let mut names: Vec<(String, Rgb)> = Vec::new();
    for panel in &layout.panels {
        let (sheet, parts) = panel.draw().with_context(|| recipe.place())?;
        let captions = lines(&panel.caption, sheet.width);
        panels.push((sheet, captions));
        names.extend(parts);
    }
    let is_dark = layout
        .panels
        .iter()
        .all(|panel| matches!(panel.ground(), Ok(Ground::Dark)));
    let (paper, ink) = if is_dark {
        ([30, 33, 40], [225, 228, 235])
    } else {
        ([236, 238, 242], [30, 33, 40])
    };
    names.sort();
    names.dedup();
    if !layout.legend {
        names.clear();
    }
    let columns = layout.columns.unwrap_or(panels.len()).clamp(1, panels.len());
    let rows: Vec<&[(Sheet, Vec<String>)]> = panels.chunks(columns).collect();
    let head = |row: &[(Sheet, Vec<String>)]| row.iter().map(|(_, text)| text.len() as u32 * LINE).max().unwrap_or(0);
    let tall = |row: &[(Sheet, Vec<String>)]| row.iter().map(|(sheet, _)| sheet.height).max().unwrap_or(0);
    let broad: Vec<u32> = (0..columns)
        .map(|column| {
            let those = rows.iter().filter_map(|row| row.get(column));
            those.map(|(sheet, _)| sheet.width).max().unwrap_or(0)
        })
        .collect();
    let width = MARGIN + broad.iter().map(|width| width + MARGIN).sum::<u32>();
    let entries = entries(&names, width);
    let foot = entries.last().map_or(0, |(_, top, ..)| top + LINE + MARGIN / 2);
    let body: u32 = rows.iter().map(|row| head(row) + tall(row) + MARGIN).sum();
    let mut sheet = Sheet::new(width, MARGIN + body + foot, paper);
    let mut top = MARGIN;
    for row in &rows {
        let mut left = MARGIN;
        for ((panel, captions), width) in row.iter().zip(&broad) {
            // Short captions are aligned with the bottom of long ones.
            let first = top + head(row) - captions.len() as u32 * LINE;
            for (i, line) in captions.iter().enumerate() {
                sheet.text(left, first + i as u32 * LINE, UNIT, line, ink);
            }
            sheet.place(panel, left, top + head(row));
            left += width + MARGIN;
        }
        top += head(row) + tall(row) + MARGIN;
    }
    for (left, below, name, rgb) in entries {
        let side = font::HEIGHT * UNIT;
        sheet.fill(left, top + below, side, side, rgb);
        sheet.text(left + side + 3 * UNIT, top + below, UNIT, name, ink);
    }
    Ok(sheet)
}

/// Returns the entries of a legend, with their places below the dungeons.
fn entries(names: &[(String, Rgb)], width: u32) -> Vec<(u32, u32, &str, Rgb)> {
    let (mut left, mut top) = (MARGIN, 0);
    let mut entries = Vec::new();
    for (name, rgb) in names {
        let wide = (font::HEIGHT + 3 + font::width(name) + 6) * UNIT;
        if left > MARGIN && left + wide > width {
            (left, top) = (MARGIN, top + LINE);
        }
        entries.push((left, top, name.as_str(), *rgb));
        left += wide;
    }
    entries
}
