//! Draws the timeline: a status line, a sparkline of living Builders, and a bar in the colours of the generations.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::recording::Recording;
use crate::text::{plural, thousands};
use crate::tui::commands::TimeCommand;
use crate::tui::editor::Editor;
use crate::tui::playback::SPEEDS;
use crate::tui::theme::Theme;
use crate::tui::widget::popup::block;

/// Minimum height in rows of a timeline with a border.
const BORDER_FROM: u16 = 4;

/// Returns the area inside the border, or inside the margin if there is no border.
fn inside(area: Rect) -> Rect {
    if area.height >= BORDER_FROM && area.width >= 4 {
        Rect::new(area.x + 2, area.y + 1, area.width - 4, area.height - 2)
    } else {
        Rect::new(
            area.x + area.width.min(1),
            area.y,
            area.width.saturating_sub(2),
            area.height,
        )
    }
}

/// Maximum height of the sparkline in rows.
const MOST_ROWS: u16 = 3;

/// The areas of the timeline's parts; a part that does not fit has an empty area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimelineAreas {
    /// Status line.
    pub(super) words: Rect,
    /// Sparkline of living Builders.
    pub(super) living: Rect,
    /// Bar of the run.
    pub(super) bar: Rect,
}

impl TimelineAreas {
    /// Lays out the parts in the timeline's area.
    pub(super) fn of(area: Rect) -> Self {
        let inside = inside(area);
        let row = |y: u16, rows: u16| Rect::new(inside.x, inside.y + y, inside.width, rows);
        let living = inside.height.saturating_sub(2).min(MOST_ROWS);
        Self {
            words: row(0, inside.height.min(1)),
            living: row(1.min(inside.height), living),
            bar: if inside.height < 2 {
                Rect::ZERO
            } else {
                row(1 + living, 1)
            },
        }
    }

    /// Returns whether the columns of a screen row correspond to moments: true for the rows of the sparkline and the
    /// bar.
    pub(super) const fn has_moment(self, row: u16) -> bool {
        self.bar.width > 0 && row >= self.bar.y - self.living.height && row <= self.bar.y
    }
}

/// Returns the turn at a column of the bar.
pub(super) fn turn_at(bar: Rect, column: u16, turns: u64) -> u64 {
    let column = u64::from(column.saturating_sub(bar.x).min(bar.width.saturating_sub(1)));
    let last = u64::from(bar.width.saturating_sub(1)).max(1);
    turns.saturating_mul(column) / last
}

/// Returns the column of a turn, relative to the left end of the bar.
pub(super) fn column_of(bar: Rect, turn: u64, turns: u64) -> u16 {
    let last = u64::from(bar.width.saturating_sub(1));
    (turn.min(turns).saturating_mul(last) / turns.max(1)) as u16
}

/// Draws the border with a title, if there is room for a border.
pub(super) fn border(theme: Theme, title: &'static str, area: Rect, buf: &mut Buffer) {
    if area.height >= BORDER_FROM {
        block(theme, false).title(title).render(area, buf);
    }
}

/// Draws the timeline.
pub(super) fn draw(editor: &Editor, area: Rect, buf: &mut Buffer) {
    let places = TimelineAreas::of(area);
    let recording = editor.time.recording();
    if area.height >= BORDER_FROM {
        let mut block = block(editor.theme, false).title(" Time ");
        if let Some(most) = recording
            .and_then(|recording| most_living(editor, recording))
            .filter(|_| !places.living.is_empty())
        {
            let text = format!(" at most {} living ", thousands(most.into()));
            if usize::from(area.width) > text.len() + 10 {
                block = block.title(Line::styled(text, editor.theme.quiet()).right_aligned());
            }
        }
        if let Some((taken, limit)) = editor.time.memory().filter(|memory| is_near_limit(*memory)) {
            let regrows = recording.is_some_and(Recording::regrows);
            let text = format!(
                " recording {} of {} MB{} ",
                megabytes(taken),
                megabytes(limit),
                if regrows {
                    ", distant parts regrow when shown"
                } else {
                    ""
                }
            );
            if usize::from(area.width) > text.len() + 4 {
                block = block.title_bottom(Line::styled(text, editor.theme.quiet()).right_aligned());
            }
        }
        block.render(area, buf);
    }
    if places.words.is_empty() {
        return;
    }
    draw_words(editor, places.words, buf);
    if let Some(recording) = recording {
        draw_living(editor, recording, places.living, buf);
        draw_bar(editor, recording, places.bar, buf);
    }
}

/// Returns whether a recording takes at least 80% of its memory limit. Only then does the timeline show the memory
/// used.
const fn is_near_limit((taken, limit): (usize, usize)) -> bool {
    taken / 4 >= limit / 5
}

/// Formats a number of bytes as megabytes (2²⁰ bytes), with one decimal below 10.
fn megabytes(bytes: usize) -> String {
    let tenths = bytes / ((1 << 20) / 10);
    match tenths {
        0 => "under 0.1".into(),
        1..100 => format!("{}.{}", tenths / 10, tenths % 10),
        _ => thousands((bytes >> 20) as u64),
    }
}

/// Returns the maximum number of Builders that were alive at the same time; `None` if there were none.
fn most_living(editor: &Editor, recording: &Recording) -> Option<u32> {
    let bins = recording.stats().bins().iter().map(|bin| bin.most_living);
    // The statistics do not contain the iteration in progress yet.
    let now = editor.time.frame().map(|frame| frame.awake() + frame.asleep());
    bins.chain(now).max().filter(|most| *most > 0)
}

/// Returns, for each column of the bar, the maximum number of living Builders in the iterations that the column covers
/// or touches.
fn living(recording: &Recording, bar: Rect) -> impl Iterator<Item = u32> {
    let (stats, turns) = (recording.stats(), recording.turns());
    (0..bar.width).map(move |column| {
        let from = turn_at(bar, bar.x + column, turns);
        let to = turn_at(bar, bar.x + (column + 1).min(bar.width - 1), turns);
        let to = to.saturating_sub(1).max(from);
        // After the last bin, the number of Builders at the end of that bin is the latest known.
        if let Some(last) = stats.bins().last().filter(|last| last.end() <= from) {
            return last.living();
        }
        // The first turn in the column ends at `from`, which may also be the end of a bin.
        let bins = stats.bin_at(from + 1).zip(stats.bin_at(to.max(from + 1)));
        let bins = bins.map_or(&[][..], |(from, to)| &stats.bins()[from..=to]);
        bins.iter().map(|bin| bin.most_living).max().unwrap_or(0)
    })
}

/// Draws the sparkline of living Builders (awake and asleep) in steps of an eighth of a row.
fn draw_living(editor: &Editor, recording: &Recording, area: Rect, buf: &mut Buffer) {
    const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let turns = recording.turns();
    let Some(most) = most_living(editor, recording).filter(|_| turns > 0) else {
        return;
    };
    let here = column_of(area, editor.time.clock().turn, turns);
    for (column, living) in (0..).zip(living(recording, area)) {
        let generation = recording.clock_at(turn_at(area, area.x + column, turns)).generation();
        let mut style = editor.theme.text().fg(editor.theme.generation(generation));
        if column > here {
            style = style.add_modifier(Modifier::DIM);
        }
        let mut eighths = (u64::from(living) * u64::from(area.height) * 8).div_ceil(most.into());
        for row in (area.top()..area.bottom()).rev() {
            let glyph = EIGHTHS[eighths.min(8) as usize];
            buf[(area.x + column, row)].set_char(glyph).set_style(style);
            eighths = eighths.saturating_sub(8);
        }
    }
}

/// Minimum width in columns of a status line that shows the speed.
const LEAST_WITH_SPEED: usize = 50;

/// Minimum width in columns of a status line with unabbreviated labels.
const WORDY_FROM: u16 = 96;

/// An item at the right end of the status line: its first column, the command that a click runs, and its text.
type StatusItem = (u16, TimeCommand, Span<'static>);

fn draw_words(editor: &Editor, area: Rect, buf: &mut Buffer) {
    let (line, right) = words(editor, area);
    for (from, _, span) in right {
        buf.set_span(from, area.y, &span, area.right() - from);
    }
    line.render(area, buf);
}

/// Returns the status text, and the items to the right of it from left to right.
fn words(editor: &Editor, area: Rect) -> (Line<'static>, Vec<StatusItem>) {
    let theme = editor.theme;
    let Some((recording, frame)) = editor.time.recording().zip(editor.time.frame()) else {
        return (
            Line::styled("the growth has not started yet", theme.quiet()),
            Vec::new(),
        );
    };
    let clock = editor.time.clock();
    let wordy = area.width >= WORDY_FROM;
    let more = if recording.is_finished() { "" } else { "…" };
    let parts = [
        (
            "turn",
            "turn",
            format!("{} of {}{more}", thousands(clock.turn), thousands(recording.turns())),
        ),
        ("iteration", "iter", thousands(u64::from(clock.iteration))),
        ("generation", "gen", clock.generation().to_string()),
        ("awake", "awake", thousands(u64::from(frame.awake()))),
        ("asleep", "asleep", thousands(u64::from(frame.asleep()))),
    ];
    let sign = if editor.time.is_playing() { "▶ " } else { "‖ " };
    let mut line = Line::from(Span::styled(sign, theme.heading()));
    if editor.time.is_regrowing() {
        line.push_span(Span::styled("regrowing …  ", theme.accent()));
    }
    if let Some(left) = editor.time.design_time_left() {
        let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
        line.push_span(Span::styled(
            format!("showing the design; growth starts in {seconds} s  "),
            theme.accent(),
        ));
    }
    let (mut right, width) = right(editor, area);
    for (i, (long, short, value)) in parts.into_iter().enumerate() {
        let name = if wordy { long } else { short };
        let gap = if i == 0 { "" } else { "  " };
        let name = Span::styled(format!("{gap}{name} "), theme.quiet());
        let value = Span::raw(value);
        // A truncated number would read as a different number, so an item that does not fit is omitted.
        if line.width() + name.width() + value.width() + width > usize::from(area.width) {
            break;
        }
        line.spans.extend([name, value]);
    }
    // If there is no room for both the status text and the speed, the speed is omitted.
    let end = line.width() + 1;
    right.retain(|(from, command, _)| *command != TimeCommand::Faster || usize::from(from - area.x) > end);
    (line, right)
}

/// Returns the items at the right end of the status line, from left to right: the indicators, then the speed. Also
/// returns the width that the status text must leave free.
fn right(editor: &Editor, area: Rect) -> (Vec<StatusItem>, usize) {
    let theme = editor.theme;
    let signs = signs(editor, area).map(|(text, command)| (command, Span::styled(text, theme.accent())));
    let mut parts: Vec<_> = signs.collect();
    let kept: usize = parts.iter().map(|(_, span)| span.width() + 1).sum();
    if usize::from(area.width) >= LEAST_WITH_SPEED {
        parts.push((TimeCommand::Faster, Span::styled(speed(editor, area), theme.quiet())));
    }
    let mut from = area.right();
    let mut places = Vec::new();
    for (command, span) in parts.into_iter().rev() {
        let Some(start) = from
            .checked_sub(span.width() as u16)
            .filter(|start| *start > area.x + 2)
        else {
            break;
        };
        from = start;
        places.push((from, command, span));
    }
    places.reverse();
    (places, kept)
}

/// Returns the speed as text.
fn speed(editor: &Editor, area: Rect) -> String {
    let is_wordy = area.width >= WORDY_FROM;
    if editor.time.has_script() {
        return if is_wordy { "script of moments" } else { "script" }.to_owned();
    }
    let speed = editor.time.speed();
    if speed == SPEEDS[SPEEDS.len() - 1] {
        return "all at once".to_owned();
    }
    let number = turns_per_second(editor.time.rate());
    if is_wordy {
        format!("{number} {} a second", plural(u64::from(number != "1") + 1, "turn"))
    } else {
        format!("{number}/s")
    }
}

/// Formats a number of turns per second: 10 or more as a whole number, less than 10 with up to two decimals.
fn turns_per_second(rate: f64) -> String {
    if rate < 0.01 {
        return "under 0.01".to_owned();
    }
    if rate >= 10.0 {
        return thousands(rate.round() as u64);
    }
    format!("{rate:.2}")
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// Returns the indicators of the enabled options, each with the command that disables the option.
fn signs(editor: &Editor, area: Rect) -> impl Iterator<Item = (&'static str, TimeCommand)> {
    let wordy = area.width >= WORDY_FROM;
    let look = if wordy { "design first  " } else { "3s " };
    let again = if wordy { "↻ looping  " } else { "↻ " };
    let signs = [
        (editor.time.shows_design(), look, TimeCommand::Look),
        (editor.time.is_looping(), again, TimeCommand::Loop),
    ];
    signs
        .into_iter()
        .filter(|sign| sign.0)
        .map(|(_, text, command)| (text, command))
}

/// Returns the command of the item at a column of the status line: the play symbol, an indicator or the speed. Returns
/// `None` if there is no item at this column.
pub(super) fn sign_at(editor: &Editor, area: Rect, column: u16) -> Option<TimeCommand> {
    let offset = column.checked_sub(area.x)?;
    if offset < 2 {
        return Some(TimeCommand::Play);
    }
    let (_, right) = words(editor, area);
    let hit = |(from, command, span): StatusItem| {
        let columns = from..from + span.width() as u16;
        columns.contains(&column).then_some(command)
    };
    right.into_iter().find_map(hit)
}

/// Returns the step between the generation numbers on the bar: the smallest of 1, 2, 5, 10, 20 and so on that fits.
fn labels_step(last: u32, width: u16) -> u32 {
    let room = u32::from(width) / (last.max(1).ilog10() + 4);
    let steps = (0..9).flat_map(|power| [1, 2, 5].map(|step| step * 10_u32.pow(power)));
    let fits = |step: &u32| last < 10 || last / step < room.max(1);
    steps.into_iter().find(fits).unwrap_or(u32::MAX)
}

/// Returns, for each column of the bar, the digit that is drawn there; `None` for a column without a digit. The digits
/// are those of generation numbers: the number of every `step`th generation starts at the column where this generation
/// begins. `generations` contains the generation of each column. A number is left out if the bar or the next number
/// leaves no room for all its digits, because the digits that fit would look like another number.
fn labels(generations: &[u32], step: u32) -> Vec<Option<char>> {
    let begun: Vec<u32> = generations.iter().map(|generation| generation / step * step).collect();
    let mut digits = Vec::new();
    for same in begun.chunk_by(|a, b| a == b) {
        let number = same[0].to_string();
        let label = if number.len() <= same.len() { &number } else { "" };
        let all = label.chars().map(Some).chain(std::iter::repeat(None));
        digits.extend(all.take(same.len()));
    }
    digits
}

/// Draws the bar: each column has the colour of its generation, and columns that have been played are bright. The
/// number of a generation is at the column where it begins; bookmarks are drawn over the bar.
fn draw_bar(editor: &Editor, recording: &Recording, bar: Rect, buf: &mut Buffer) {
    let turns = recording.turns();
    let here = column_of(bar, editor.time.clock().turn, turns);
    let marks: Vec<u16> = editor
        .time
        .bookmarks()
        .into_iter()
        .map(|turn| column_of(bar, turn, turns))
        .collect();
    let step = labels_step(recording.clock_at(turns).generation(), bar.width);
    let generations: Vec<u32> = (0..bar.width)
        .map(|column| recording.clock_at(turn_at(bar, bar.x + column, turns)).generation())
        .collect();
    let digits = labels(&generations, step);
    for ((column, generation), digit) in (0..).zip(generations).zip(digits) {
        let begins = digit.is_some();
        let played = column < here;
        let glyph = match (column, digit) {
            _ if column == here => '●',
            _ if marks.contains(&column) => '◆',
            (_, Some(digit)) => digit,
            _ if played => '━',
            _ => '─',
        };
        let color = if begins {
            editor.theme.generation_text(generation)
        } else {
            editor.theme.generation(generation)
        };
        let mut style = editor.theme.text().fg(color);
        if column == here {
            style = editor.theme.distant_builder();
        } else if marks.contains(&column) {
            style = editor.theme.heading();
        } else if !played && !begins {
            style = style.add_modifier(Modifier::DIM);
        }
        buf[(bar.x + column, bar.y)].set_char(glyph).set_style(style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::CrawlerStart;
    use crate::geometry::Point;
    use crate::tui::fixture::{TestApp, text};

    /// Starts the app at the end of the growth of Crawlers that run straight ahead side by side.
    fn grown(crawlers: i32, max_age: i32) -> TestApp {
        let crawler = |number| CrawlerStart {
            at: Point::new(0, number * 10),
            direction: 2,
            ..CrawlerStart::default()
        };
        TestApp::with_crawlers((1..=crawlers).map(crawler), max_age)
    }

    #[test]
    fn builders_that_die_within_an_iteration_are_counted_as_living_in_it() {
        let designer = grown(10, 4);
        let recording = designer.app.editor.time.recording().unwrap();
        assert_eq!(recording.turns(), 40);
        let columns: Vec<u32> = living(recording, Rect::new(0, 0, 41, 1)).collect();
        assert_eq!(columns[..40], [10; 40]);
        assert_eq!(columns[40], 0, "at the end");
        assert!(designer.text().contains("at most 10 living"), "{}", designer.text());
        assert!(grown(2, 0).text().contains("at most 2 living"));
    }

    #[test]
    fn a_click_reaches_the_speed_only_where_it_is_drawn() {
        let designer = grown(10, 4);
        let editor = &designer.app.editor;
        let mut drawn = Vec::new();
        for width in 40..120 {
            let area = Rect::new(0, 0, width, 1);
            let mut buf = Buffer::empty(area);
            draw_words(editor, area, &mut buf);
            let is_drawn = text(&buf).trim_end().ends_with(&speed(editor, area));
            let is_clickable = (0..width).any(|column| sign_at(editor, area, column) == Some(TimeCommand::Faster));
            assert_eq!(is_clickable, is_drawn, "{}", text(&buf));
            drawn.push(is_drawn);
        }
        assert!(drawn[10..].contains(&false) && drawn.contains(&true), "{drawn:?}");
    }

    #[test]
    fn slow_speeds_are_not_rounded_to_zero() {
        let texts = [0.001, 0.3, 1.0, 5.0 / 3.0, 9.999, 50.4, 123_456.0].map(turns_per_second);
        assert_eq!(texts, ["under 0.01", "0.3", "1", "1.67", "10", "50", "123,456"]);
    }

    #[test]
    fn a_generation_has_its_whole_number_or_none() {
        let drawn = |generations: &[u32], step| -> String {
            let digits = labels(generations, step);
            digits.into_iter().map(|digit| digit.unwrap_or('─')).collect()
        };
        let all: Vec<u32> = (88..=110).collect();
        assert_eq!(drawn(&all, 10), "8090────────100────────");
        assert_eq!(drawn(&[8, 9, 10, 11, 11], 1), "89─11");
    }
}
