//! Converts squares to characters: determines the legend entry that each square has in the current colour mode, and the
//! characters that show the entries at near and far zoom levels.
//!
//! Only the visible squares are read; at far zoom levels, only a sample of each block.

use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::pixel::{OCTANTS, QUADRANTS};

use super::changes;
use super::colours;
use super::wall_frequency;
use crate::analysis::{SquareOrigin, Walk, WallFrequency};
use crate::design::feature::Class;
use crate::design::{Feature, PlacedVault, ValidDesign};
use crate::engine::{Grid, Mark, Tile};
use crate::geometry::{Point, Size};
use crate::recording::{Frame, TileOrigins};
use crate::tui::commands::ColourMode;
use crate::tui::editor::Editor;
use crate::tui::overlay::{feature_glyph, is_filled};
use crate::tui::theme::{Depth, Theme};
use crate::tui::viewport::{HiddenGenerations, LegendEntry, MapWindow, Overview, SquareChange, Zoom};
use crate::tui::walk::WalkState;
use crate::tui::widget::thumbnail;

/// Maximum number of squares sampled along each side of the block that a dot represents.
const SAMPLES: i32 = 4;

/// The bits of Braille dots in Unicode, by column and row of the character.
pub(super) const DOTS: [[u32; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// The data from which the map's squares are drawn: the grid at the moment shown, the run's vaults, and the data that
/// the colour mode needs.
pub(super) struct Scene<'a> {
    pub theme: Theme,
    grid: &'a Grid,
    /// The dungeon with which `grid` is compared, if changes are shown.
    before: Option<&'a Grid>,
    /// The wall frequencies, if they are shown.
    wall_frequency: Option<&'a WallFrequency>,
    /// The design of the run, not that of the document: an edit may have changed the latter since the run started.
    design: Option<&'a ValidDesign>,
    colours: ColourMode,
    hidden: HiddenGenerations,
    overview: Overview,
    origins: Option<&'a TileOrigins>,
    /// The turn shown.
    now: u64,
    /// Number of turns recorded.
    turns: u64,
    /// Number of equal parts into which the colour mode for age divides the run.
    parts: u8,
    /// Whether grown tiles are faded, so that the design is easy to see.
    is_faded: bool,
    /// The walk in progress; squares that the walker has not seen are not drawn.
    walk: Option<&'a Walk>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(editor: &'a Editor, frame: &'a Frame, zoom: Zoom, is_faded: bool) -> Self {
        let colours = changes::shown(editor);
        let shown = changes::pair(editor, frame).filter(|_| colours == ColourMode::Changes);
        Self {
            theme: editor.theme,
            grid: shown.map_or(frame.grid(), |[_, now]| now),
            wall_frequency: wall_frequency::shown(editor, frame.grid().size()),
            before: shown.map(|[before, _]| before),
            design: editor.time.run().map(|run| &run.design),
            colours,
            hidden: editor.map.hidden,
            overview: editor.map.overview(zoom),
            origins: editor.time.origins(),
            now: editor.time.turn(),
            turns: editor.time.turns(),
            parts: colours::parts(editor.theme.depth()),
            is_faded,
            walk: editor.walk.as_ref().map(WalkState::walk),
        }
    }

    /// Sets the characters for far zoom levels, regardless of the user's choice.
    pub(super) const fn with_overview(mut self, overview: Overview) -> Self {
        self.overview = overview;
        self
    }

    /// Returns the dungeon's size.
    pub(super) const fn size(&self) -> Size {
        self.grid.size()
    }

    /// Returns the legend entry of a square; `None` if nothing is drawn there.
    pub(super) fn entry(&self, at: Point) -> Option<LegendEntry> {
        if self.is_unseen(at) {
            return None;
        }
        let tile = self.grid.tile(at);
        if let Some(wall_frequency) = self.wall_frequency {
            return wall_frequency::entry(wall_frequency, at);
        }
        if let Some(before) = self.before {
            return SquareChange::of(before.tile(at), tile).map(LegendEntry::Change);
        }
        match self.feature(at) {
            Some(feature) if feature.class() == Class::Floor => return None,
            Some(feature) if tile.is_open() != PlacedVault::is_wall(feature) => {
                return Some(LegendEntry::Feature(feature));
            }
            // A square whose tile no longer matches the feature of the vault is drawn as that tile.
            _ => {}
        }
        let generation = match (tile, self.grid.mark(at)) {
            (Tile::Open, _) => return None,
            (_, Mark::Generation(generation)) if self.hidden.contains(generation) => return None,
            (tile, _) if self.colours == ColourMode::Kind => return Some(LegendEntry::Kind(tile)),
            (Tile::Guaranteed, _) => return None,
            (tile, Mark::Design) => return Some(LegendEntry::Design(tile)),
            (_, Mark::Generation(generation)) => generation,
        };
        if !self.colours.needs_origins() {
            return Some(LegendEntry::Generation(generation));
        }
        let origin = self
            .origins
            .and_then(|origins| Some((origins, origins.of(at, self.now)?)));
        Some(match origin {
            None => LegendEntry::Unread,
            Some((origins, origin)) if self.colours == ColourMode::Lineage => {
                LegendEntry::Line(origins.first_of(origin.builder).0)
            }
            Some((_, origin)) => LegendEntry::Age(colours::part_of(origin.turn, self.turns, self.parts)),
        })
    }

    /// Returns the colour of an entry.
    pub(super) fn color_of(&self, entry: LegendEntry) -> Color {
        let theme = self.theme;
        if self.colours == ColourMode::Digits {
            return Color::Reset;
        }
        match entry {
            LegendEntry::Generation(generation) => theme.generation(u32::from(generation)),
            LegendEntry::Age(part) => theme.age(usize::from(part), usize::from(self.parts)),
            LegendEntry::Line(first) => theme.generation(first),
            LegendEntry::Unread => theme.quiet().fg.unwrap_or(Color::Reset),
            LegendEntry::Kind(tile) => theme.kind(tile),
            LegendEntry::Design(tile) => theme.tile(tile, Mark::Design).unwrap_or(Color::Reset),
            LegendEntry::Feature(feature) => theme.feature(feature).unwrap_or(Color::Reset),
            LegendEntry::Change(change) => theme.changes()[change as usize],
            LegendEntry::WallFrequency(tenth) => theme.age(usize::from(tenth), 10),
        }
    }

    /// Returns the colour in which an entry is drawn. While the user draws on the design, grown tiles are faded.
    pub(super) fn shade_of(&self, entry: LegendEntry) -> Color {
        let color = self.color_of(entry);
        match entry {
            LegendEntry::Kind(_) | LegendEntry::Design(_) | LegendEntry::Feature(_) | LegendEntry::Change(_) => color,
            _ if self.is_faded => self.theme.faded(color),
            _ => color,
        }
    }

    /// Returns the legend entry of a square for zoom levels that show squares only as colours. In a terminal without
    /// colours, vanished walls and rare walls are left out, since they would look like any other wall.
    fn overview_entry(&self, at: Point) -> Option<LegendEntry> {
        let vanished = LegendEntry::Change(SquareChange::Vanished);
        self.entry(at)
            .filter(|entry| self.theme.depth() != Depth::None || *entry != vanished && !wall_frequency::is_rare(*entry))
    }

    /// Returns the colour of a square; `None` if nothing is drawn there.
    pub(super) fn color(&self, at: Point) -> Option<Color> {
        let color = self.overview_entry(at).map(|entry| self.shade_of(entry));
        color.or_else(|| self.seen_floor(at))
    }

    /// Returns whether a walk is in progress and the walker has not seen a square.
    fn is_unseen(&self, at: Point) -> bool {
        self.walk.is_some_and(|walk| !walk.is_known(at))
    }

    /// Returns the colour of a floor square that the walker has seen; `None` without a walk or without colours.
    fn seen_floor(&self, at: Point) -> Option<Color> {
        let walk = self
            .walk
            .filter(|walk| walk.is_known(at) && self.theme.depth() != Depth::None)?;
        Some(self.theme.walked(walk.is_in_sight(at)))
    }

    /// Returns the character and style to draw at a position in the viewport.
    pub(super) fn character(&self, view: &MapWindow, column: u16, row: u16) -> (char, Style) {
        let at = view.square_at(column, row);
        match view.zoom {
            Zoom::Double => {
                let second = !(column - view.area.x).is_multiple_of(2);
                self.near(at, second, if second { '▌' } else { '▐' })
            }
            Zoom::Half => self.halves(at),
            Zoom::Dots(block) => self.dots(at, i32::from(block)),
        }
    }

    /// Returns one of the two characters that show a square. `second` selects the second one; `column` is the
    /// character for a column tile.
    fn near(&self, at: Point, second: bool, column: char) -> (char, Style) {
        let theme = self.theme;
        let once = |glyph: char| if second { ' ' } else { glyph };
        if self.is_unseen(at) {
            return (' ', theme.text());
        }
        if let Some(feature) = self.feature(at)
            && feature.class() == Class::Floor
            && self.before.is_none()
            && self.wall_frequency.is_none()
            && self.walk.is_none()
        {
            return (once('·'), theme.guaranteed());
        }
        if let Some(wall_frequency) = self.wall_frequency {
            return match wall_frequency::entry(wall_frequency, at) {
                None if wall_frequency.origin(at) == SquareOrigin::Open => (once('·'), theme.guaranteed()),
                None => (' ', theme.text()),
                Some(entry @ LegendEntry::WallFrequency(_)) if theme.depth() == Depth::None => {
                    (glyph(entry), theme.text())
                }
                Some(entry) => ('█', theme.text().fg(self.shade_of(entry))),
            };
        }
        let tile = self.grid.tile(at);
        let Some(entry) = self.entry(at) else {
            return match tile {
                _ if self.walk.is_some() => {
                    let style = self
                        .seen_floor(at)
                        .map_or(theme.guaranteed(), |floor| theme.text().bg(floor));
                    (once('·'), style)
                }
                Tile::Guaranteed => (
                    once(if self.colours == ColourMode::Digits { 'o' } else { '·' }),
                    theme.guaranteed(),
                ),
                Tile::Open if self.colours == ColourMode::Digits => (once('.'), theme.guaranteed()),
                _ => (' ', theme.text()),
            };
        };
        let style = theme.text().fg(self.shade_of(entry));
        let glyph = match (entry, tile) {
            (LegendEntry::Feature(feature), _) => match feature_glyph(feature) {
                Some(glyph) if is_filled(glyph) => glyph,
                glyph => once(glyph.unwrap_or(' ')),
            },
            (LegendEntry::Change(SquareChange::Vanished), _) if theme.depth() != Depth::None => '░',
            (LegendEntry::Kind(Tile::Guaranteed), _) => '░',
            (LegendEntry::Generation(generation), Tile::Wall) if self.colours == ColourMode::Digits => {
                digit(generation)
            }
            (_, tile) if self.colours == ColourMode::Digits => tile.plain(),
            (_, Tile::HighWall) => '▓',
            (_, Tile::Column) => column,
            // Without colours, the characters themselves distinguish the generations.
            _ if theme.depth() == Depth::None => glyph(entry),
            _ => '█',
        };
        (glyph, style)
    }

    fn feature(&self, at: Point) -> Option<Feature> {
        self.design?.feature(at)
    }

    /// Returns a character that shows two squares, one above the other.
    fn halves(&self, at: Point) -> (char, Style) {
        let below = Some(Point::new(at.x + 1, at.y)).filter(|below| self.grid.size().contains(*below));
        if self.theme.depth() == Depth::None
            && let Some(lettered) = lettered_halves(
                self.overview_entry(at),
                below.and_then(|below| self.overview_entry(below)),
            )
        {
            return lettered;
        }
        let bottom = below.and_then(|below| self.color(below));
        thumbnail::stacked(self.theme, self.color(at), bottom)
    }

    /// Returns a character that shows eight blocks of squares, in four rows of two.
    fn dots(&self, at: Point, block: i32) -> (char, Style) {
        let mut entries = [None; 8];
        for (i, entry) in (0..).zip(&mut entries) {
            let corner = Point::new(at.x + i / 2 * block, at.y + i % 2 * block);
            *entry = self.sample(corner, Size::new(block, block));
        }
        match self.overview {
            Overview::Braille => self.braille(entries),
            Overview::Octants => self.mosaic(entries, &OCTANTS),
            Overview::Quadrants => {
                let pair = |row: usize, column: usize| entries[row * 2 + column].or(entries[row * 2 + 2 + column]);
                self.mosaic([pair(0, 0), pair(0, 1), pair(2, 0), pair(2, 1)], &QUADRANTS)
            }
        }
    }

    /// Returns a Braille character in the colour of the most frequent entry.
    fn braille(&self, entries: [Option<LegendEntry>; 8]) -> (char, Style) {
        let dots = (0..4).flat_map(|row| [DOTS[0][row], DOTS[1][row]]);
        let bits = entries.iter().zip(dots).filter(|(entry, _)| entry.is_some());
        let bits: u32 = bits.map(|(_, bit)| bit).sum();
        let text = self.theme.text();
        let style = most(&entries, None).map_or(text, |entry| text.fg(self.shade_of(entry)));
        let glyph = if bits == 0 { None } else { char::from_u32(0x2800 + bits) };
        (glyph.unwrap_or(' '), style)
    }

    /// Returns a block character in the colours of the two most frequent entries. The parts of all other entries have
    /// the colour of the most frequent one.
    fn mosaic<const N: usize>(&self, entries: [Option<LegendEntry>; N], glyphs: &[char]) -> (char, Style) {
        let text = self.theme.text();
        let Some(first) = most(&entries, None) else {
            return (' ', text);
        };
        let style = text.fg(self.shade_of(first));
        let open = entries.iter().any(Option::is_none);
        let bits = |filled: &dyn Fn(&Option<LegendEntry>) -> bool| {
            entries
                .iter()
                .rev()
                .fold(0, |bits, entry| bits << 1 | usize::from(filled(entry)))
        };
        // If there are open parts, they show the terminal's background, so only one colour remains for entries.
        let second = most(&entries, Some(first)).filter(|_| !open && self.theme.depth() != Depth::None);
        match second {
            None => (glyphs[bits(&Option::is_some)], style),
            Some(second) => (
                glyphs[bits(&|entry| *entry != Some(second))],
                style.bg(self.shade_of(second)),
            ),
        }
    }

    /// Returns the entry that represents a block. While the map shows wall frequencies, this is their mean over the
    /// sampled squares. While the map shows changes, a changed square takes precedence. Otherwise, this is the entry of
    /// the first sampled square that has one. The samples include the block's edges.
    pub(super) fn sample(&self, corner: Point, block: Size) -> Option<LegendEntry> {
        let places = |length: i32| {
            let samples = length.min(SAMPLES);
            (0..samples).map(move |i| i * (length - 1) / (samples - 1).max(1))
        };
        if self.wall_frequency.is_some() {
            let corners = places(block.x).flat_map(|down| places(block.y).map(move |right| (down, right)));
            let squares = corners.map(|(down, right)| Point::new(corner.x + down, corner.y + right));
            let mean = wall_frequency::mean(
                squares
                    .filter(|at| self.grid.size().contains(*at))
                    .map(|at| self.entry(at)),
            );
            return mean.filter(|entry| self.theme.depth() != Depth::None || !wall_frequency::is_rare(*entry));
        }
        let mut entries = places(block.x).flat_map(|down| {
            places(block.y).filter_map(move |right| {
                let at = Point::new(corner.x + down, corner.y + right);
                self.grid.size().contains(at).then(|| self.overview_entry(at)).flatten()
            })
        });
        if self.before.is_some() {
            return entries.max_by_key(|entry| weight(*entry));
        }
        entries.next()
    }
}

/// Returns the weight that is added to an entry's count, so that a change stands out among unchanged tiles.
const fn weight(entry: LegendEntry) -> usize {
    match entry {
        LegendEntry::Change(SquareChange::Appeared | SquareChange::Vanished) => 8,
        _ => 0,
    }
}

/// Returns the entry with the highest sum of count and [`weight`], ignoring `other_than`.
fn most(entries: &[Option<LegendEntry>], other_than: Option<LegendEntry>) -> Option<LegendEntry> {
    let count = |entry: LegendEntry| entries.iter().filter(|other| **other == Some(entry)).count() + weight(entry);
    let candidates = entries.iter().flatten().filter(|entry| Some(**entry) != other_than);
    candidates.copied().max_by_key(|entry| count(*entry))
}

/// Returns the character for two squares, one above the other, in a terminal without colours: the upper square's digit
/// or letter, or else the lower square's. The character is in reverse video if both squares are drawn, and underlined
/// if only the lower one is. `None` if neither square has a digit or letter.
fn lettered_halves(top: Option<LegendEntry>, bottom: Option<LegendEntry>) -> Option<(char, Style)> {
    let has_letter = |entry: &LegendEntry| {
        matches!(
            entry,
            LegendEntry::Generation(_) | LegendEntry::Age(_) | LegendEntry::Line(_)
        )
    };
    let entry = [top, bottom].into_iter().flatten().find(has_letter)?;
    let style = match (top, bottom) {
        (Some(_), Some(_)) => Style::new().add_modifier(Modifier::REVERSED),
        (None, _) => Style::new().add_modifier(Modifier::UNDERLINED),
        (_, None) => Style::new(),
    };
    Some((glyph(entry), style))
}

/// Returns the digit of a generation; 9 also for generations after 9.
fn digit(generation: u8) -> char {
    char::from(b'0' + generation.min(9))
}

/// Returns the character that represents an entry in a terminal without colours.
pub(super) fn glyph(entry: LegendEntry) -> char {
    match entry {
        LegendEntry::Generation(number) | LegendEntry::Age(number) => digit(number),
        LegendEntry::Line(first) => char::from(b'a' + (first % 26) as u8),
        LegendEntry::Unread => '?',
        LegendEntry::WallFrequency(tenth) => wall_frequency::glyph(tenth),
        LegendEntry::Change(SquareChange::Appeared) => '+',
        LegendEntry::Change(SquareChange::Vanished) => '-',
        LegendEntry::Kind(_)
        | LegendEntry::Design(_)
        | LegendEntry::Feature(_)
        | LegendEntry::Change(SquareChange::Same) => '█',
    }
}
