//! The Plots view: the number of living Builders, births, deaths by cause, and tiles of each generation over the turns
//! of the run.
//!
//! Each quantity has a curve of its own on a common time axis, with its name on the left and its numbers on the right,
//! so that it is readable without colours and in a small view. The part of each curve after the moment shown is dimmed.

use std::collections::BTreeSet;

use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::page::{ListPage, ListRow};
use crate::engine::Death;
use crate::recording::{Bin, Frame, GrowthStats, Recording};
use crate::text::{counted, thousands};
use crate::tui::editor::Editor;
use crate::tui::widget::list::ListState;

/// Width in columns of the names at the left.
const NAME: u16 = 14;

/// Width in columns of the two numbers at the right: first the value at the moment shown (for a count of events, the
/// value in the column that contains this moment), then the maximum.
const NUMBERS: u16 = 12;

/// Minimum width of a curve in columns.
const LEAST: u16 = 5;

/// The way in which the values of all bins that overlap a column are combined.
#[derive(Debug, Clone, Copy)]
enum BinSum {
    /// Their maximum, for a state such as the number of awake Builders.
    Most,
    /// Their sum, for a count of events. A bin that spans several columns is divided among them.
    All,
}

/// A curve with one value per column.
struct PlotCurve {
    name: String,
    style: Style,
    values: Vec<f64>,
    /// Value at the moment shown; `None` for a count of events, which has a value only for a whole column.
    now: Option<u32>,
}

/// Returns the area of the curves inside the view.
fn columns(inside: Rect) -> Rect {
    let x = NAME.min(inside.width);
    Rect {
        x: inside.x + x,
        width: (inside.width - x).saturating_sub(NUMBERS),
        ..inside
    }
}

/// Returns the values of a curve, one for each column.
fn values(stats: &GrowthStats, turns: u64, columns: u16, sum: BinSum, value: impl Fn(usize, &Bin) -> u64) -> Vec<f64> {
    let width = turns.max(1) as f64 / f64::from(columns.max(1));
    let mut values = vec![0.0_f64; usize::from(columns)];
    for (number, bin) in stats.bins().iter().enumerate() {
        let value = value(number, bin) as f64;
        let (from, to) = (bin.turn as f64, bin.end().max(bin.turn + 1) as f64);
        let first = (from / width) as usize;
        let last = ((to / width).ceil() as usize).min(values.len());
        for (column, sum_of) in values.iter_mut().enumerate().take(last).skip(first) {
            let begin = from.max(column as f64 * width);
            let part = (to.min((column + 1) as f64 * width) - begin).max(0.0) / (to - from);
            match sum {
                BinSum::Most => *sum_of = sum_of.max(value),
                BinSum::All => *sum_of += value * part,
            }
        }
    }
    values
}

/// Returns all curves, from top to bottom.
fn curves(editor: &Editor, stats: &GrowthStats, turns: u64, columns: u16) -> Vec<PlotCurve> {
    let theme = editor.theme;
    let frame = editor.time.frame();
    let builders = |name: &str, style, now: fn(&Frame) -> u32, most: fn(&Bin) -> u32| PlotCurve {
        name: name.into(),
        style,
        values: values(stats, turns, columns, BinSum::Most, |_, bin| u64::from(most(bin))),
        now: frame.map(now),
    };
    let count = |name: &str, style, value: &dyn Fn(usize, &Bin) -> u64| PlotCurve {
        name: name.into(),
        style,
        values: values(stats, turns, columns, BinSum::All, value),
        now: None,
    };
    let mut curves = vec![
        builders("awake", theme.accent(), Frame::awake, |bin| bin.most_awake),
        builders("asleep", theme.text(), Frame::asleep, |bin| bin.most_asleep),
        count("births", theme.good(), &|_, bin| bin.born),
        count("not born", theme.warning(), &|_, bin| bin.unborn),
        count("died: no room", theme.error(), &|_, bin| bin.died_of(Death::Blocked)),
        count("died: old age", theme.error(), &|_, bin| bin.died_of(Death::Aged)),
        count("died: joined", theme.error(), &|_, bin| bin.died_of(Death::Joined)),
    ];
    let all = (0..stats.bins().len()).flat_map(|bin| stats.tiles(bin));
    // With a large LateSpawn, there may be many thousands of generations, of which only a few lay tiles.
    let generations: BTreeSet<u32> = all.map(|(generation, _)| *generation).collect();
    for generation in generations {
        let tiles = |bin: usize, _: &Bin| {
            let of_it = stats.tiles(bin).iter().find(|(number, _)| *number == generation);
            of_it.map_or(0, |(_, tiles)| *tiles)
        };
        let style = Style::new().fg(theme.generation(generation));
        curves.push(count(&format!("gen {generation} tiles"), style, &tiles));
    }
    // In most runs every baby is born. The curve of babies that were not born is then left out.
    curves.retain(|curve| curve.name != "not born" || curve.values.iter().any(|value| *value > 0.0));
    curves
}

/// Returns the height of a value in eighths of a row; at least 1 for positive values.
fn eighths(value: f64, most: f64, rows: u16) -> u16 {
    if value <= 0.0 || most <= 0.0 {
        return 0;
    }
    let all = f64::from(rows) * 8.0;
    ((value / most * all).round() as u16).clamp(1, rows * 8)
}

/// Returns the character of a bar in one row, counted from the bottom.
fn bar(eighths: u16, row: u16) -> char {
    const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    BARS[usize::from(eighths.saturating_sub(row * 8).min(8))]
}

/// Formats a number in at most four characters, so that two numbers fit into [`NUMBERS`] columns.
fn short(value: f64) -> String {
    match value.round() as u64 {
        0 if value > 0.0 => "<1".into(),
        number @ ..10_000 => number.to_string(),
        number @ ..1_000_000 => format!("{}k", number / 1_000),
        number => format!("{}M", number / 1_000_000),
    }
}

/// Returns the index of the column that contains a turn.
fn column_of(turn: u64, turns: u64, columns: u16) -> usize {
    (turn * u64::from(columns) / turns.max(1)).min(u64::from(columns.max(1)) - 1) as usize
}

/// Returns the turn that a click on a column goes to.
pub(super) fn turn_at(editor: &Editor, inside: Rect, at: Position) -> Option<u64> {
    let columns = columns(inside);
    let turns = editor.time.turns();
    columns
        .contains(at)
        .then(|| turns * u64::from(at.x - columns.x) / u64::from(columns.width.max(2) - 1))
}

/// Returns the lines of the view.
pub(super) fn page(list: ListState, editor: &Editor, inside: Rect) -> ListPage {
    let theme = editor.theme;
    let area = columns(inside);
    let note = |text: &str| ListRow::wrapped(&Span::raw(""), text, theme.quiet(), inside.width, None);
    let Some(stats) = editor.time.recording().map(Recording::stats) else {
        return ListPage::new(Vec::new(), note("the growth has not started yet"), 0, list, inside);
    };
    if area.width < LEAST {
        return ListPage::new(
            Vec::new(),
            note("this pane is too narrow for the plots: widen it"),
            0,
            list,
            inside,
        );
    }
    let (turns, now) = (editor.time.turns(), editor.time.clock().turn);
    let curves = curves(editor, stats, turns, area.width);
    let each = (turns as f64 / f64::from(area.width)).round().max(1.0) as u64;
    let here = column_of(now, turns, area.width);
    let width = usize::from(area.width);
    let head = vec![
        Line::from(vec![
            Span::styled(format!("each bar: {:<width$}", counted(each, "turn")), theme.quiet()),
            Span::styled("  now  most ", theme.quiet()),
        ]),
        axis(editor, turns, here, width),
    ];
    // The curves are two rows high if they fit.
    let room = inside.height.saturating_sub(head.len() as u16);
    let rows_each = if curves.len() as u16 * 2 <= room { 2 } else { 1 };
    let mut rows = Vec::new();
    for curve in &curves {
        // The statistics do not contain the iteration in progress yet, but the moment shown may lie in it.
        let now = curve.now.map(f64::from);
        let most = curve.values.iter().copied().chain(now).fold(0.0, f64::max);
        for row in (0..rows_each).rev() {
            let bars: Vec<char> = curve
                .values
                .iter()
                .map(|value| bar(eighths(*value, most, rows_each), row))
                .collect();
            let (past, rest) = bars.split_at((here + 1).min(bars.len()));
            let (name, numbers) = if row == 0 {
                let now = now.or_else(|| curve.values.get(here).copied()).unwrap_or(0.0);
                (curve.name.as_str(), format!("{:>5} {:>5} ", short(now), short(most)))
            } else {
                ("", String::new())
            };
            rows.push(ListRow {
                text: Line::from(vec![
                    Span::styled(format!("{name:<w$}", w = usize::from(NAME)), theme.text()),
                    Span::styled(past.iter().collect::<String>(), curve.style),
                    Span::styled(rest.iter().collect::<String>(), theme.quiet()),
                    Span::styled(numbers, theme.text()),
                ]),
                link: None,
                now: false,
            });
        }
    }
    ListPage::new(head, rows, 0, list, inside)
}

/// Returns the time axis with a mark at the moment shown.
fn axis(editor: &Editor, turns: u64, here: usize, width: usize) -> Line<'static> {
    let theme = editor.theme;
    let mut line: Vec<char> = "─".repeat(width).chars().collect();
    line[0] = '0';
    let end = thousands(turns);
    let mut from = width.saturating_sub(end.len());
    if here >= from {
        // The mark would cover a digit, so the number ends before the mark.
        from = here.saturating_sub(end.len());
    }
    if from > 3 {
        for (place, c) in line[from..].iter_mut().zip(end.chars()) {
            *place = c;
        }
    }
    if let Some(place) = line.get_mut(here) {
        *place = '▼';
    }
    let (before, rest) = line.split_at(here.min(width - 1));
    Line::from(vec![
        Span::styled(format!("{:<w$}", "turn", w = usize::from(NAME)), theme.quiet()),
        Span::styled(before.iter().collect::<String>(), theme.quiet()),
        Span::styled(rest[..1].iter().collect::<String>(), theme.accent()),
        Span::styled(rest[1..].iter().collect::<String>(), theme.quiet()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Growth, Options};
    use crate::presets::Preset;
    use crate::recording::Recorder;

    #[test]
    fn columns_hold_every_counted_event() {
        let design = Preset::find("weave").unwrap().design().validate(None).design.unwrap();
        let mut recorder = Recorder::default();
        let mut growth = Growth::new(&design, Options::default(), &mut recorder);
        let mut recording = Recording::new(growth.grid().clone(), recorder.take());
        growth.finish(&mut recorder);
        recording.append(recorder.take());
        let (stats, turns) = (recording.stats(), recording.turns());
        let born: u64 = stats.bins().iter().map(|bin| bin.born).sum();
        assert!(born > 50, "{born}");
        for columns in [1, 7, 46, 300, 4_000] {
            let births = values(stats, turns, columns, BinSum::All, |_, bin| bin.born);
            let sum: f64 = births.iter().sum();
            assert!((sum - born as f64).abs() < 0.01, "{columns}: {sum} of {born}");
            let awake = values(stats, turns, columns, BinSum::Most, |_, bin| u64::from(bin.awake));
            let most = stats.bins().iter().map(|bin| bin.awake).max().unwrap();
            assert_eq!(awake.iter().copied().fold(0.0, f64::max) as u32, most, "{columns}");
        }
    }

    #[test]
    fn bars_fill_their_rows_and_small_values_are_visible() {
        assert_eq!([0.0, 0.001, 50.0, 100.0].map(|v| eighths(v, 100.0, 2)), [0, 1, 8, 16]);
        assert_eq!([bar(12, 0), bar(12, 1), bar(0, 0), bar(1, 0)], ['█', '▄', ' ', '▁']);
        assert_eq!(
            [0.0, 0.3, 9_999.0, 12_345.0, 2.5e6].map(short),
            ["0", "<1", "9999", "12k", "2M"]
        );
    }
}
