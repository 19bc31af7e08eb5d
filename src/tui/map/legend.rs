//! The legend: which colour is which generation, and how many tiles each has laid.

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::picture::{feature_glyph, told};
use crate::design::feature::Class;
use crate::design::{Feature, Piece};
use crate::engine::{Mark, Tile};
use crate::recording::Frame;
use crate::tui::app::App;
use crate::tui::screen::thousands;

/// Width of an entry of the legend, and of the gap to the next column.
const ENTRY: u16 = 20;
const GAP: u16 = 3;

/// Generations that have laid tiles, with how many.
fn counts(frame: &Frame) -> impl Iterator<Item = (u32, u64)> {
    frame
        .tiles()
        .iter()
        .enumerate()
        .filter(|(_, tiles)| **tiles > 0)
        .map(|(generation, tiles)| (generation as u32, *tiles))
}

/// The legend in one line of at most `room` characters, without numbers of tiles: for the map's border.
/// `None` where there is nothing to tell or no room.
pub(super) fn line(app: &App, room: usize) -> Option<Line<'static>> {
    let theme = app.theme;
    let mut line = Line::default();
    for (generation, _) in app.time.frame().into_iter().flat_map(counts) {
        let style = theme.text().fg(theme.generation(generation));
        line.push_span(Span::styled(
            format!(" {generation}"),
            style.add_modifier(Modifier::BOLD),
        ));
    }
    line.push_span(" ");
    let name = " generation";
    if line.width() + name.len() < room {
        line.spans.insert(0, Span::styled(name, theme.quiet()));
    }
    (line.spans.len() > 1 && line.width() < room).then_some(line)
}

/// Draws the legend with numbers and shares, in as many columns as have room.
pub(crate) fn legend(app: &App, inside: Rect, buf: &mut Buffer) {
    if inside.is_empty() {
        return;
    }
    let mut entries = app.time.frame().map_or_else(Vec::new, |frame| generations(app, frame));
    let columns = (inside.width + GAP) / (ENTRY + GAP);
    // The other things stand in a column of their own, where there is one.
    let rows = usize::from(inside.height);
    if columns > 1 && entries.len() < rows {
        entries.resize(rows, Line::default());
    }
    entries.extend(others(app));
    let room = usize::from(columns * inside.height);
    if entries.len() > room {
        let left_out = entries.len() + 1 - room.min(entries.len());
        entries.truncate(room.saturating_sub(1));
        entries.push(Line::styled(format!("and {left_out} more"), app.theme.quiet()));
    }
    for (i, entry) in (0..columns * inside.height).zip(&entries) {
        let x = inside.x + i / inside.height * (ENTRY + GAP);
        buf.set_line(x, inside.y + i % inside.height, entry, ENTRY);
    }
}

/// One line for each generation that laid tiles.
fn generations(app: &App, frame: &Frame) -> Vec<Line<'static>> {
    let theme = app.theme;
    let total: u64 = frame.tiles().iter().sum();
    counts(frame)
        .map(|(generation, tiles)| {
            let style = theme.text().fg(theme.generation(generation));
            Line::from(vec![
                Span::styled("■ ", style),
                Span::raw(format!("{generation:>2}")),
                Span::raw(format!("{:>9}", thousands(tiles))),
                Span::styled(format!("{:>4} %", tiles * 100 / total.max(1)), theme.quiet()),
            ])
        })
        .collect()
}

/// One line for each other thing on the map.
fn others(app: &App) -> Vec<Line<'static>> {
    let theme = app.theme;
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
    let mut lines = vec![
        other("■", design, "the design's walls"),
        other("▲", theme.builder(), "Builder, awake"),
        other(
            "▲",
            theme.sleeper(theme.tile(Tile::Wall, Mark::Design)),
            "Builder, asleep",
        ),
    ];
    let vaults = app.document.valid().map_or(&[][..], |design| design.pieces());
    let present: BTreeSet<Feature> = vaults
        .iter()
        .flat_map(Piece::features)
        .map(|(_, feature)| feature)
        .collect();
    for feature in present {
        if let (Some(glyph), Some(color)) = (feature_glyph(feature), theme.feature(feature)) {
            // Walls of every kind look the same.
            let name = match feature.class() {
                Class::Wall => "a vault's walls".to_owned(),
                _ => told(feature),
            };
            let line = other(&glyph.to_string(), theme.text().fg(color), &name);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}
