//! The legend: the meaning of the map's colours, the number of tiles in each colour, and the symbols drawn over
//! the tiles.
//!
//! In the Legend view, the user selects and hides generations with keys or clicks.

use std::collections::BTreeSet;

use crossterm::event::MouseEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::changes;
use super::colours;
use super::colours::feature_name;
use super::lookahead;
use super::scene::{Scene, glyph};
use crate::analysis::LayerKind;
use crate::design::feature::Class;
use crate::design::{Feature, PlacedVault};
use crate::engine::{Mark, Tile};
use crate::text::thousands;
use crate::tui::areas;
use crate::tui::commands::{ColourMode, LegendCommand};
use crate::tui::editor::{Editor, Focus};
use crate::tui::overlay::{MapOverlays, feature_glyph};
use crate::tui::theme::Depth;
use crate::tui::viewport::{LegendEntry, LegendRow, SquareChange, Zoom};
use crate::tui::widget::list::{ListStep, VisibleRows};
use crate::tui::widget::mouse::click;
use crate::tui::widget::table;
use crate::tui::wording;

/// The columns of the legend: their number, the width of an entry, and the width of the gap between columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Columns {
    count: u16,
    entry: u16,
    gap: u16,
}

impl Columns {
    /// The usual widths.
    const USUAL: Self = Self {
        count: 1,
        entry: 20,
        gap: 3,
    };
    /// Smaller widths, which give a narrow view a second column.
    const NARROW: Self = Self {
        count: 1,
        entry: 17,
        gap: 1,
    };

    /// Smallest number of tiles for which a narrow entry has no room.
    const TOO_MANY: u64 = 10_000;

    /// Returns the columns that fit into a width. They are narrow only if a second column would not fit otherwise.
    fn of(rows: &[LegendRow], width: u16) -> Self {
        let fitting = |columns: Self| Self {
            count: (width + columns.gap) / (columns.entry + columns.gap),
            ..columns
        };
        let usual = fitting(Self::USUAL);
        let is_short = || rows.iter().all(|row| row.tiles < Self::TOO_MANY);
        if usual.count < 2 && is_short() {
            let narrow = fitting(Self::NARROW);
            return if narrow.count > 1 { narrow } else { usual };
        }
        usual
    }

    fn is_narrow(self) -> bool {
        self.entry < Self::USUAL.entry
    }

    /// Returns the areas of the entries, each column from top to bottom.
    fn places(self, inside: Rect) -> impl Iterator<Item = Rect> {
        (0..self.count * inside.height).map(move |i| {
            let x = inside.x + i / inside.height * (self.entry + self.gap);
            Rect::new(x, inside.y + i % inside.height, self.entry, 1)
        })
    }
}

/// Returns the glyph and style of an entry.
fn swatch(editor: &Editor, scene: &Scene<'_>, entry: LegendEntry) -> (char, Style) {
    let style = editor.theme.text().fg(scene.color_of(entry));
    let glyph = match entry {
        LegendEntry::Feature(feature) => feature_glyph(feature).unwrap_or(' '),
        LegendEntry::Kind(Tile::HighWall) => '▓',
        LegendEntry::Kind(Tile::Column) => '●',
        LegendEntry::Kind(Tile::Guaranteed) => '░',
        LegendEntry::Change(SquareChange::Vanished) if editor.theme.depth() != Depth::None => '░',
        _ if editor.theme.depth() == Depth::None || changes::shown(editor) == ColourMode::Digits => glyph(entry),
        _ => '■',
    };
    (glyph, style)
}

/// Returns the legend in one line of at most `room` characters, for the map's border; `None` if it is empty or does not
/// fit. The line contains numbers of tiles only in the colour mode for changes.
pub(super) fn line(
    editor: &Editor,
    overlays: &MapOverlays<'_>,
    scene: &Scene<'_>,
    room: usize,
) -> Option<Line<'static>> {
    let theme = editor.theme;
    let rows = colours::rows(editor);
    let mut line = Line::default();
    let short = |row: &LegendRow| match row.entry {
        LegendEntry::Age(part) => part.to_string(),
        LegendEntry::Line(first) => first.to_string(),
        LegendEntry::Change(change) => {
            let sign = ["+", "−", "="][change as usize];
            format!("{sign}{}", thousands(row.tiles))
        }
        _ => row.name.clone(),
    };
    for row in &rows {
        let mut style = theme.text().fg(scene.color_of(row.entry)).add_modifier(Modifier::BOLD);
        if row
            .generation()
            .is_some_and(|generation| editor.map.hidden.contains(generation))
        {
            style = theme.quiet().add_modifier(Modifier::CROSSED_OUT);
        }
        line.push_span(Span::raw(" "));
        line.push_span(Span::styled(short(row), style));
    }
    line.push_span(" ");
    let name = match changes::shown(editor) {
        ColourMode::Generation => " generation",
        ColourMode::Age => " age, first to last",
        ColourMode::Lineage => " first Crawler",
        ColourMode::Changes => " changes",
        ColourMode::WallFrequency => " % of seeds with a wall",
        ColourMode::Kind | ColourMode::Digits => "",
    };
    if line.width() + name.len() < room {
        line.spans.insert(0, Span::styled(name, theme.quiet()));
    }
    // Adds as many entries for the look-ahead, metrics and places as fit.
    let looks = lookahead::legend(editor).into_iter().map(|(sign, style, name)| {
        Line::from(vec![
            Span::styled(sign, style),
            Span::styled(format!(" {name}"), theme.quiet()),
        ])
    });
    for entry in looks.chain(metric_lines(editor, overlays)) {
        if line.width() + entry.width() + 1 >= room {
            break;
        }
        line.spans.extend(entry.spans);
        line.push_span(" ");
    }
    (!rows.is_empty() && line.width() < room).then_some(line)
}

/// Returns which of the legend's rows are visible in `inside`.
fn visible(editor: &Editor, rows: &[LegendRow], inside: Rect) -> VisibleRows {
    let room = Columns::of(rows, inside.width).places(inside).count();
    // If the rows and the entries after them do not fit, the last place shows how many are left out.
    let height = if rows.len() < room {
        room
    } else {
        room.saturating_sub(1)
    };
    let area = Rect {
        height: height as u16,
        ..inside
    };
    editor.map.legend.visible(area, rows.len(), 0)
}

/// Draws the legend with numbers of tiles and percentages, in as many columns as fit.
pub(crate) fn draw(editor: &Editor, overlays: &MapOverlays<'_>, inside: Rect, buf: &mut Buffer) {
    let Some(frame) = editor.time.frame().filter(|_| !inside.is_empty()) else {
        return;
    };
    let scene = Scene::new(editor, frame, Zoom::Double, overlays.is_drawing);
    let rows = colours::rows(editor);
    let columns = Columns::of(&rows, inside.width);
    let height = usize::from(inside.height);
    let room = usize::from(columns.count) * height;
    let visible = visible(editor, &rows, inside);
    let total: u64 = rows.iter().map(|row| row.tiles).sum();
    let lines = rows.iter().enumerate().skip(visible.top);
    let is_selected = |i: usize| i == visible.selected && editor.focus == Focus::View;
    let mut entries: Vec<Line> = lines
        .map(|(i, row)| description(editor, &scene, row, total, (columns.entry, is_selected(i))))
        .collect();
    let others = others(editor, overlays, columns.is_narrow());
    // `others` begin a new column of the legend, provided that all of them then fit.
    let has_room = columns.count > 1 && height + others.len() <= room;
    if has_room && entries.len() < height {
        entries.resize(height, Line::default());
    }
    entries.extend(others);
    if entries.len() > room {
        let left_out = entries.len() + 1 - room.min(entries.len());
        entries.truncate(room.saturating_sub(1));
        entries.push(Line::styled(format!("and {left_out} more"), editor.theme.quiet()));
    }
    for (place, entry) in columns.places(inside).zip(&entries) {
        buf.set_line(place.x, place.y, entry, place.width);
    }
}

/// Returns the line of a row, `width` columns wide: its symbol, its name, its number of tiles and their share in
/// percent.
fn description(
    editor: &Editor,
    scene: &Scene<'_>,
    row: &LegendRow,
    total: u64,
    (width, chosen): (u16, bool),
) -> Line<'static> {
    let theme = editor.theme;
    let hidden = row
        .generation()
        .is_some_and(|generation| editor.map.hidden.contains(generation));
    let (glyph, style) = swatch(editor, scene, row.entry);
    let (sign, style) = if hidden { ('□', theme.quiet()) } else { (glyph, style) };
    let share = (row.tiles * 100 + total / 2) / total.max(1);
    let (name, share) = match row.entry {
        LegendEntry::Generation(_) => (format!("{:>2}", row.name), format!("{share:>4}%")),
        _ => (row.name.clone(), format!("{share:>4}%")),
    };
    let text = if hidden {
        theme.quiet().add_modifier(Modifier::CROSSED_OUT)
    } else {
        theme.text()
    };
    let text = if chosen { theme.selected(true) } else { text };
    let numbers = [Span::raw(thousands(row.tiles)), Span::styled(share, theme.quiet())];
    let sign = Span::styled(format!("{sign} "), style);
    table::row(width - 1, [sign], Span::styled(name, text), numbers)
}

/// Carries out a command of the legend.
pub(super) fn update(editor: &mut Editor, command: LegendCommand) {
    let rows = colours::rows(editor);
    let visible = visible(editor, &rows, areas::legend(editor.areas.view));
    match command {
        LegendCommand::Select(step) => editor.map.legend.step(step, visible),
        LegendCommand::Toggle | LegendCommand::Alone => match rows.get(visible.selected).map(LegendRow::generation) {
            Some(Some(generation)) if command == LegendCommand::Toggle => editor.map.hidden.toggle(generation),
            Some(Some(generation)) => editor.map.hidden.toggle_alone(generation),
            Some(None) => {
                editor.warn("only generations can be hidden: colour the map by generation first");
            }
            None => {}
        },
    }
}

/// Handles a mouse event. A click selects a row and hides its generation, or shows it again; the wheel moves the
/// selection.
pub(crate) fn mouse(editor: &mut Editor, mouse: MouseEvent) {
    if let Some(step) = ListStep::of_wheel(mouse) {
        return update(editor, LegendCommand::Select(step));
    }
    let inside = areas::legend(editor.areas.view);
    let rows = colours::rows(editor);
    let visible = visible(editor, &rows, inside);
    let mut places = Columns::of(&rows, inside.width).places(inside);
    let hit = click(mouse).and_then(|at| places.position(|place| place.contains(at)));
    // Instead of a row, the last place may show how many entries are left out.
    let hit = hit.filter(|hit| *hit < usize::from(visible.area.height));
    if let Some(row) = hit.map(|hit| hit + visible.top).filter(|row| *row < rows.len()) {
        editor.map.legend.select(row, visible);
        update(editor, LegendCommand::Toggle);
    }
}

/// Returns the entries for the layer of metrics over the map, for named places, and for the entrance and exit.
fn metric_lines(editor: &Editor, overlays: &MapOverlays<'_>) -> Vec<Line<'static>> {
    let theme = editor.theme;
    let mut lines = Vec::new();
    let mut line = |sign: char, style: Style, name: &str| {
        let name = Span::styled(format!(" {name}"), theme.quiet());
        lines.push(Line::from(vec![Span::styled(sign.to_string(), style), name]));
    };
    match &overlays.layer {
        Some(shown) if shown.layer == LayerKind::Widths => {
            for (width, _) in (1..).zip(&shown.metrics.widths).filter(|(_, squares)| **squares > 0) {
                let name = wording::passage_width(width.into());
                line(
                    wording::layer_glyph(shown.layer, width),
                    theme.width(width.into()),
                    &name,
                );
            }
        }
        Some(shown) if shown.layer == LayerKind::VisibleArea => {
            for (twelfths, name) in [(1, "small view"), (6, "medium view"), (12, "largest view")] {
                line(
                    wording::layer_glyph(shown.layer, twelfths),
                    theme.level(twelfths.into()),
                    name,
                );
            }
        }
        Some(shown) if shown.layer == LayerKind::Walk => {
            for (twelfths, name) in [(1, "first steps"), (12, "last steps")] {
                line(
                    wording::layer_glyph(shown.layer, twelfths),
                    theme.level(twelfths.into()),
                    name,
                );
            }
        }
        Some(shown) => {
            let glyph = wording::layer_glyph(shown.layer, 1);
            line(
                glyph,
                theme.layer(shown.layer as usize),
                wording::layer_name(shown.layer),
            );
        }
        None => {}
    }
    if editor.named_places().next().is_some() {
        line('◆', theme.endpoint_style(), "named place");
    }
    if overlays.ends.iter().any(|mark| matches!(mark.glyphs[0], '<' | '>')) {
        let signs = ["<", ">"].map(|sign| Span::styled(sign, theme.endpoint_style()));
        let [entrance, exit] = [" entrance ", " exit"].map(|name| Span::styled(name, theme.quiet()));
        let [enter, leave] = signs;
        lines.push(Line::from(vec![enter, entrance, leave, exit]));
    }
    lines
}

/// Returns a line for each symbol on the map that the legend's rows do not explain, such as the Builders' arrows. If
/// `is_narrow` is true, the lines fit into narrow columns.
fn others(editor: &Editor, overlays: &MapOverlays<'_>, is_narrow: bool) -> Vec<Line<'static>> {
    let theme = editor.theme;
    let other = |sign: &str, style, name: &str| {
        Line::from(vec![
            Span::styled(sign.to_owned(), style),
            Span::raw(" "),
            Span::styled(name.to_owned(), theme.quiet()),
        ])
    };
    let design = theme
        .tile(Tile::Wall, Mark::Design)
        .map_or(theme.text(), |color| theme.text().fg(color));
    let awake = other("▲", theme.builder(), "Builder, awake");
    let sleeper = theme.sleeper(theme.tile(Tile::Wall, Mark::Design));
    let asleep = other("▲", sleeper, "Builder, asleep");
    let looks = lookahead::legend(editor);
    let looks = looks.iter().map(|(sign, style, name)| other(sign, *style, name));
    let walls = if is_narrow {
        "design's walls"
    } else {
        "the design's walls"
    };
    let mode = changes::shown(editor);
    let mut lines: Vec<Line> = looks.collect();
    match mode {
        ColourMode::WallFrequency => return metric_lines(editor, overlays),
        // The legend's rows explain every tile on the map.
        ColourMode::Kind | ColourMode::Changes => {}
        ColourMode::Digits => {
            let signs = [Tile::Wall, Tile::HighWall, Tile::Column, Tile::Guaranteed];
            let names = [walls, "high wall", "column", "kept open"];
            let tiles = signs.iter().zip(names);
            lines.extend(tiles.map(|(tile, name)| other(&tile.plain().to_string(), theme.text(), name)));
        }
        ColourMode::Generation | ColourMode::Age | ColourMode::Lineage => lines.push(other("■", design, walls)),
    }
    if lookahead::shows_builders(editor) {
        lines.extend([awake, asleep]);
    }
    lines.extend(metric_lines(editor, overlays));
    if matches!(mode, ColourMode::Kind | ColourMode::Changes) {
        return lines;
    }
    let vaults = editor.time.run().map_or(&[][..], |run| run.design.placed());
    let present: BTreeSet<Feature> = vaults
        .iter()
        .flat_map(PlacedVault::features)
        .map(|(_, feature)| feature)
        .collect();
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for feature in present {
        if let (Some(glyph), Some(color)) = (feature_glyph(feature), theme.feature(feature))
            && (feature.class() != Class::Wall || named.insert(feature_name(feature)))
        {
            let name = feature_name(feature).replace('_', " ");
            let style = match mode {
                ColourMode::Digits => theme.text(),
                _ => theme.text().fg(color),
            };
            lines.push(other(&glyph.to_string(), style, &name));
        }
    }
    lines
}
