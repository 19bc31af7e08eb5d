//! The timeline's picture: the state of play in words, and a bar in the colours of the generations whose
//! time it was.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::player::SPEEDS;
use crate::recording::Recording;
use crate::tui::app::App;
use crate::tui::screen::{self, thousands};

/// Rows from which the timeline has a border.
const BORDER_FROM: u16 = 4;

/// Where words and bar stand: inside of the border, if there is one.
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

/// Where the bar stands; empty when there is no room for it.
pub(super) fn bar(area: Rect) -> Rect {
    let inside = inside(area);
    if inside.height < 2 {
        return Rect::ZERO;
    }
    Rect::new(inside.x, inside.y + 1, inside.width, 1)
}

/// The turn that a column of the bar stands for.
pub(super) fn turn_at(bar: Rect, column: u16, turns: u64) -> u64 {
    let column = u64::from(column.saturating_sub(bar.x).min(bar.width.saturating_sub(1)));
    let last = u64::from(bar.width.saturating_sub(1)).max(1);
    turns.saturating_mul(column) / last
}

/// The column of the bar, from its left, in which a turn stands.
fn column_of(bar: Rect, turn: u64, turns: u64) -> u16 {
    let last = u64::from(bar.width.saturating_sub(1));
    (turn.min(turns).saturating_mul(last) / turns.max(1)) as u16
}

/// Draws the timeline.
pub(crate) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    if area.height >= BORDER_FROM {
        screen::block(app.theme, false).title(" Time ").render(area, buf);
    }
    let inside = inside(area);
    if inside.is_empty() {
        return;
    }
    let words = Rect::new(inside.x, inside.y, inside.width, 1);
    draw_words(app, words, buf);
    if let Some(recording) = app.time.recording() {
        draw_bar(app, recording, bar(area), buf);
    }
}

/// Widths from which the words are written out.
const WORDY_FROM: u16 = 96;

fn draw_words(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let Some((recording, frame)) = app.time.recording().zip(app.time.frame()) else {
        Line::styled("waiting for the first run", theme.quiet()).render(area, buf);
        return;
    };
    let clock = app.time.clock();
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
    let sign = if app.time.is_playing() { "▶ " } else { "‖ " };
    let mut line = Line::from(Span::styled(sign, theme.heading()));
    for (i, (long, short, value)) in parts.into_iter().enumerate() {
        let name = if wordy { long } else { short };
        let gap = if i == 0 { "" } else { "  " };
        let name = Span::styled(format!("{gap}{name} "), theme.quiet());
        let value = Span::raw(value);
        // Half a number would be another number.
        if line.width() + name.width() + value.width() > usize::from(area.width) {
            break;
        }
        line.spans.extend([name, value]);
    }
    let speed = match (app.time.speed(), wordy) {
        (speed, _) if speed == SPEEDS[SPEEDS.len() - 1] => "all at once".to_owned(),
        (speed, true) => format!("{} turns a second", thousands(u64::from(speed))),
        (speed, false) => format!("{}/s", thousands(u64::from(speed))),
    };
    // The speed gives way to the words where both have no room.
    if line.width() + speed.len() + 2 <= usize::from(area.width) {
        Line::styled(speed, theme.quiet()).right_aligned().render(area, buf);
    }
    line.render(area, buf);
}

/// The bar: each column in the colour of the generation whose time it is, with the generation's number
/// where it begins; bright where it has been played.
fn draw_bar(app: &App, recording: &Recording, bar: Rect, buf: &mut Buffer) {
    let turns = recording.turns();
    let here = column_of(bar, app.time.clock().turn, turns);
    let mut before = None;
    for column in 0..bar.width {
        let generation = recording.clock_at(turn_at(bar, bar.x + column, turns)).generation();
        let begins = before.replace(generation) != Some(generation);
        let played = column < here;
        let glyph = match column {
            _ if column == here => '●',
            _ if begins => char::from(b'0' + (generation % 10) as u8),
            _ if played => '━',
            _ => '─',
        };
        let mut style = app.theme.text().fg(app.theme.generation(generation));
        if column == here {
            style = app.theme.builder_afar();
        } else if !played && !begins {
            style = style.add_modifier(Modifier::DIM);
        }
        buf[(bar.x + column, bar.y)].set_char(glyph).set_style(style);
    }
}
