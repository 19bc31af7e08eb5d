//! The slider that shows the selected number within its useful range, below a panel's list.
//!
//! A slider shows where a value lies in its range, and lets the user set the value with the mouse; the number itself is
//! in the list. Long ranges end at the largest useful value and are marked with `…`; a value beyond this end is drawn
//! as an outward arrow. For an enumerated parameter, the codes are evenly spaced along the track.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::design::{
    Constant, CrawlerField, Design, Dimension, Entry, OuterWall, Parameter, PlaceField, RoomField, SquareField, Stat,
    VaultField,
};
use crate::text::thousands;
use crate::tui::theme::Theme;
use crate::tui::wording;

/// The values along a slider.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Scale {
    /// The smallest and the largest value shown, and whether larger values are also valid.
    Span(i32, i32, bool),
    /// The codes of an enumerated parameter, in order.
    Codes(Vec<i32>),
}

/// A field's slider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slider {
    scale: Scale,
    value: i32,
    default: i32,
}

impl Slider {
    /// Creates the slider of a parameter; `None` if the entry does not exist, or the parameter is a room's style,
    /// which consists of switches.
    pub(super) fn of(design: &Design, entry: Entry, parameter: impl Into<Parameter>) -> Option<Self> {
        let parameter = parameter.into();
        let value = design.get(entry, parameter)?;
        if parameter == RoomField::Style.into() {
            return None;
        }
        let info = parameter.info();
        let scale = if let Some(codes) = wording::codes(parameter) {
            Scale::Codes(codes)
        } else {
            let most = useful_maximum(design, entry, parameter).clamp(info.min.saturating_add(1), info.max);
            Scale::Span(info.min, most, most < info.max)
        };
        Some(Self {
            scale,
            value,
            default: info.default,
        })
    }

    /// Returns the smallest and the largest value shown; `None` if the values are codes.
    pub(super) const fn span(&self) -> Option<(i32, i32)> {
        match &self.scale {
            Scale::Span(least, most, _) => Some((*least, *most)),
            Scale::Codes(_) => None,
        }
    }

    /// Returns the number of steps from one end to the other, at least 1.
    fn steps(&self) -> i64 {
        match &self.scale {
            Scale::Span(min, max, _) => i64::from(*max) - i64::from(*min),
            Scale::Codes(codes) => codes.len().saturating_sub(1) as i64,
        }
        .max(1)
    }

    /// Returns the number of steps from the left end to a value; `None` for an unknown code.
    fn step_of(&self, value: i32) -> Option<i64> {
        match &self.scale {
            Scale::Span(min, ..) => Some(i64::from(value) - i64::from(*min)),
            Scale::Codes(codes) => codes.iter().position(|code| *code == value).map(|i| i as i64),
        }
    }

    /// Returns the labels at the left and right end; empty if the values are codes.
    fn ends(&self) -> [String; 2] {
        match &self.scale {
            Scale::Span(min, max, more) => {
                let more = if *more { "…" } else { "" };
                [
                    min.to_string(),
                    format!("{}{more}", thousands(max.unsigned_abs().into())),
                ]
            }
            Scale::Codes(_) => [String::new(), String::new()],
        }
    }

    /// Returns the area of the track in a line; empty if there is no room for it.
    pub(super) fn track(&self, line: Rect) -> Rect {
        let [left, right] = self.ends().map(|end| match end.chars().count() as u16 {
            0 => 0,
            width => width + 1,
        });
        match line.width.checked_sub(left + right) {
            Some(width) if width >= 4 && line.height > 0 => Rect::new(line.x + left, line.y, width, 1),
            _ => Rect::ZERO,
        }
    }

    /// Returns the value under a column of the screen; a column outside the track counts as the nearest end. `None` if
    /// the line has no room for a track.
    pub(super) fn value_at(&self, line: Rect, column: u16) -> Option<i32> {
        let track = self.track(line);
        if track.is_empty() {
            return None;
        }
        let last = i64::from(track.width - 1);
        let at = i64::from(column.clamp(track.x, track.right() - 1) - track.x);
        let step = (at * self.steps() + last / 2) / last;
        match &self.scale {
            Scale::Span(min, ..) => Some((i64::from(*min) + step) as i32),
            Scale::Codes(codes) => codes.get(step as usize).copied(),
        }
    }

    /// Draws the value's position in its range as a bar without labels; draws nothing if the values are codes.
    pub(super) fn gauge(&self, theme: Theme, bar: Rect, selected: bool, buf: &mut Buffer) {
        let (Scale::Span(..), Some(step)) = (&self.scale, self.step_of(self.value)) else {
            return;
        };
        let steps = self.steps();
        let width = i64::from(bar.width);
        // Round up, so that any value above the minimum fills at least one character.
        let filled = (step.clamp(0, steps) * width + steps - 1) / steps;
        let style = if selected { theme.accent() } else { theme.quiet() };
        for x in 0..width {
            let (symbol, style) = match x {
                _ if step > steps && x + 1 == width => ("▶", style),
                _ if x < filled => ("━", style),
                _ => ("─", theme.border(false)),
            };
            buf.set_string(bar.x + x as u16, bar.y, symbol, style);
        }
    }

    /// Draws the slider in a line: the labels, the track, a knob at the value and a tick at the default.
    pub(super) fn draw(&self, theme: Theme, line: Rect, buf: &mut Buffer) {
        let track = self.track(line);
        if track.is_empty() {
            return;
        }
        let [left, right] = self.ends();
        buf.set_string(line.x, line.y, left, theme.quiet());
        buf.set_string(
            line.right() - right.chars().count() as u16,
            line.y,
            right,
            theme.quiet(),
        );
        let (steps, last) = (self.steps(), i64::from(track.width - 1));
        let column = |step: i64| ((step.clamp(0, steps) * last + steps / 2) / steps) as u16;
        let step = self.step_of(self.value);
        let knob = step.map(column);
        let tick = self
            .step_of(self.default)
            .filter(|step| (0..=steps).contains(step))
            .map(column);
        for x in 0..track.width {
            let (symbol, style) = match knob {
                Some(knob) if knob == x => {
                    let symbol = match step {
                        Some(step) if step > steps => "▶",
                        Some(step) if step < 0 => "◀",
                        _ => "●",
                    };
                    (symbol, theme.heading())
                }
                _ if tick == Some(x) => ("┴", theme.quiet()),
                Some(knob) if x < knob => ("━", theme.accent()),
                _ => ("─", theme.border(false)),
            };
            buf.set_string(track.x + x, track.y, symbol, style);
        }
    }
}

/// Returns the largest value of a parameter that is useful in typical designs; larger values can still be typed.
fn useful_maximum(design: &Design, entry: Entry, parameter: Parameter) -> i32 {
    let size = design.layout.size;
    let parts = |div: Parameter| design.get(entry, div).unwrap_or(1).max(1);
    let all = parameter.info().max;
    match parameter {
        Parameter::Stat(stat) => match stat {
            Stat::StepLength | Stat::SkipGenerations | Stat::LateSpawn => 20,
            Stat::CorridorWidth => 12,
            Stat::MaxAge => 100,
            Stat::ChangeDirProb
            | Stat::StraightSpawnProb
            | Stat::DoubleSpawnProb
            | Stat::JumperProb
            | Stat::OpenStartProb
            | Stat::LateSpawnProb
            | Stat::NoDirectionProb => all,
        },
        Parameter::Constant(constant) => match constant {
            Constant::MaxCrawlers => 2_000,
            Constant::MinCorrWidth => 12,
            Constant::SmallestRoomWidth => 20,
            Constant::ChDirOnStraight => all,
            Constant::JumperLife => 100,
            Constant::JoinDist => 40,
        },
        Parameter::RoomField(field) => match field {
            RoomField::Div => 12,
            RoomField::Xdiv | RoomField::Ydiv => parts(RoomField::Div.into()),
            RoomField::Width => size.x.min(size.y).saturating_sub(3) / 2,
            _ => all,
        },
        Parameter::VaultField(field) => match field {
            VaultField::Div => 12,
            VaultField::Xdiv | VaultField::Ydiv => parts(VaultField::Div.into()),
            VaultField::X => size.x - 1,
            VaultField::Y => size.y - 1,
            VaultField::Seed => 100,
            VaultField::Orientation => all,
        },
        Parameter::CrawlerField(CrawlerField::X) | Parameter::SquareField(SquareField::X) => size.x - 1,
        Parameter::CrawlerField(CrawlerField::Y) | Parameter::SquareField(SquareField::Y) => size.y - 1,
        Parameter::CrawlerField(CrawlerField::Direction | CrawlerField::Delay | CrawlerField::Termination) => all,
        Parameter::PlaceField(field) => match field {
            PlaceField::X => size.x - 1,
            PlaceField::Y => size.y - 1,
            PlaceField::Room => i32::try_from(design.layout.rooms.len()).unwrap_or(all),
            PlaceField::Vault => i32::try_from(design.layout.vaults.len()).unwrap_or(all),
        },
        Parameter::OuterWall(OuterWall::Protuberances) => 40,
        Parameter::Dimension(Dimension::X | Dimension::Y) => 300,
        Parameter::Limit(_) => 1_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{CrawlerStart, Room};
    use crate::tui::Depth;

    fn drawn(design: &Design, entry: Entry, parameter: impl Into<Parameter>, width: u16) -> String {
        let area = Rect::new(0, 0, width, 1);
        let mut buf = Buffer::empty(area);
        Slider::of(design, entry, parameter)
            .unwrap()
            .draw(Theme::new(Depth::True), area, &mut buf);
        crate::tui::fixture::text(&buf)
    }

    fn design() -> Design {
        let mut design = Design::default();
        design.layout.rooms.push(Room::default());
        design.layout.crawlers.push(CrawlerStart::default());
        design
    }

    #[test]
    fn a_value_is_drawn_between_the_ends_of_its_range() {
        let mut design = design();
        let of = |design: &Design, stat: Stat| drawn(design, Entry::Generation(0), stat, 30);
        assert_eq!(
            of(&design, Stat::ChangeDirProb),
            format!("0 {}●{} 100\n", "━".repeat(7), "─".repeat(16))
        );
        design.character.generations[0].change_dir_prob = 100;
        assert_eq!(of(&design, Stat::ChangeDirProb), "0 ━━━━━━━┴━━━━━━━━━━━━━━━● 100\n");
        design.character.generations[0].max_age = 5_000;
        let drawn = of(&design, Stat::MaxAge);
        assert!(drawn.contains("▶ 100…"), "{drawn}");
        assert!(Slider::of(&design, Entry::Room(0), RoomField::Style).is_none());
        assert!(Slider::of(&design, Entry::Room(1), RoomField::Div).is_none());
    }

    #[test]
    fn every_value_of_a_short_range_is_reached_and_drawn_under_the_pointer() {
        let mut design = design();
        for entry in design.entries() {
            for &parameter in entry.parameters() {
                let info = parameter.info();
                let Some(slider) = Slider::of(&design, entry, parameter) else {
                    continue;
                };
                let line = Rect::new(3, 0, 60, 1);
                let track = slider.track(line);
                let mut values = Vec::new();
                for column in 0..70 {
                    let value = slider.value_at(line, column).unwrap();
                    assert!(info.range().contains(&value), "{} {value}", info.name);
                    values.push(value);
                    design.set(entry, parameter, value);
                    let text = drawn_at(&design, entry, parameter, line);
                    let at = text.chars().position(|c| c == '●');
                    if track.contains((column, 0).into()) && slider.steps() >= i64::from(track.width) {
                        assert_eq!(at, Some(usize::from(column)), "{} {value}", info.name);
                    }
                }
                values.dedup();
                assert!(values.is_sorted());
                if slider.steps() < i64::from(track.width) {
                    assert_eq!(values.len() as i64, slider.steps() + 1, "{}", info.name);
                }
            }
        }
    }

    fn drawn_at(design: &Design, entry: Entry, parameter: Parameter, line: Rect) -> String {
        let mut buf = Buffer::empty(Rect::new(0, 0, 70, 1));
        Slider::of(design, entry, parameter)
            .unwrap()
            .draw(Theme::new(Depth::True), line, &mut buf);
        crate::tui::fixture::text(&buf)
    }

    #[test]
    fn a_slider_stays_inside_its_line() {
        let design = design();
        for width in 0..20 {
            drawn(&design, Entry::Constants, Constant::MaxCrawlers, width);
            let slider = Slider::of(&design, Entry::Constants, Constant::MaxCrawlers).unwrap();
            assert_eq!(slider.value_at(Rect::new(0, 0, width, 1), 3).is_some(), width >= 4 + 9);
        }
    }
}
