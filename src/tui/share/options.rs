//! The lines of the dialog that say how a kind is written: what each is called, what it says and how it is changed.
//!
//! Which of them a kind takes is in the table of kinds; what they come to is the exporter's.

use super::form::Form;
use crate::export::{By, Ground, Kind, Length, Options, Paper, Setting};
use crate::text::counted;
use crate::tui::choices::{Number, next, switch};
use crate::tui::screen::thousands;

/// A line of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// Which moment of the growth.
    Moment,
    /// Something about how it is written.
    Setting(Setting),
    /// The size of paper.
    Paper,
    /// A length on paper.
    Length(Part),
}

/// Lengths on paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Of a square's side.
    Square,
    /// What stays white.
    Margin,
    /// What neighbours both show.
    Overlap,
}

/// Numbers that the arrows go through; any other can be typed.
const SCALES: &[u32] = &[1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512];
const GRIDS: &[u32] = &[1, 2, 5, 10, 20, 50, 100];
/// Micrometres, inches among them.
const SQUARES: &[u32] = &[
    500, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 6000, 8000, 10_000, 12_700, 15_000, 20_000, 25_000, 25_400, 30_000,
    50_000,
];
const MARGINS: &[u32] = &[0, 2000, 3000, 5000, 7000, 10_000, 12_700, 15_000, 20_000, 25_400];
const SECONDS: &[u32] = &[1, 2, 3, 5, 8, 12, 20, 30, 45, 60, 90, 120, 180, 300, 600];

/// The most that can be asked for, as on the command line.
const MOST_SCALE: u32 = 4096;
const MOST_GRID: u32 = 100_000;
const MOST_SECONDS: u32 = 3600;

/// Micrometres in a millimetre, in which lengths are typed, and the most of them.
const MILLIMETRE: u32 = 1000;
const MOST_LENGTH: u32 = 1000 * MILLIMETRE;

/// The grounds with their names.
const GROUNDS: [(Ground, &str); 3] = [
    (Ground::Dark, "dark"),
    (Ground::Light, "light"),
    (Ground::Print, "print"),
];

fn number(line: Line, options: &Options) -> Option<Number> {
    let print = &options.print;
    let length = |length: Length| Some(length.in_micrometres());
    let (value, ladder, least, most, unit) = match line {
        Line::Setting(Setting::Scale) => (options.scale, SCALES, None, MOST_SCALE, 1),
        Line::Setting(Setting::Grid) => (options.grid, GRIDS, None, MOST_GRID, 1),
        Line::Setting(Setting::Duration) => (Some(options.duration / 1000), SECONDS, Some(1), MOST_SECONDS, 1),
        Line::Length(Part::Square) => (print.square.and_then(length), SQUARES, None, MOST_LENGTH, MILLIMETRE),
        Line::Length(Part::Margin) => (length(print.margin), MARGINS, Some(0), MOST_LENGTH, MILLIMETRE),
        Line::Length(Part::Overlap) => (length(print.overlap), MARGINS, Some(0), MOST_LENGTH, MILLIMETRE),
        _ => return None,
    };
    Some(Number {
        value,
        ladder,
        least,
        most,
        unit,
        has_zero: false,
    })
}

fn set_number(line: Line, options: &mut Options, value: Option<u32>) {
    let length = Length::micrometres(value.unwrap_or(0));
    match line {
        Line::Setting(Setting::Scale) => options.scale = value,
        Line::Setting(Setting::Grid) => options.grid = value,
        Line::Setting(Setting::Duration) => options.duration = value.unwrap_or(1).max(1) * 1000,
        Line::Length(Part::Square) => options.print.square = value.map(Length::micrometres),
        Line::Length(Part::Margin) => options.print.margin = length,
        Line::Length(Part::Overlap) => options.print.overlap = length,
        _ => {}
    }
}

impl Line {
    /// The lines of a kind.
    pub(super) fn of(kind: Kind) -> Vec<Self> {
        let settings = kind.about().settings.iter().flat_map(|setting| match setting {
            Setting::Print => [Part::Square, Part::Margin, Part::Overlap]
                .into_iter()
                .fold(vec![Self::Paper], |lines, part| {
                    [lines, vec![Self::Length(part)]].concat()
                }),
            setting => vec![Self::Setting(*setting)],
        });
        // A recording has every moment.
        let moment = (kind != Kind::Recording).then_some(Self::Moment);
        moment.into_iter().chain(settings).collect()
    }

    /// What it is called.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Moment => "moment",
            Self::Paper | Self::Setting(Setting::Print) => "paper",
            Self::Length(Part::Square) => "square",
            Self::Length(Part::Margin) => "margin",
            Self::Length(Part::Overlap) => "overlap",
            Self::Setting(setting) => match setting {
                Setting::Print => "",
                Setting::Generations => "generations",
                Setting::By => "colour by",
                Setting::Ground => "ground",
                Setting::Scale => "scale",
                Setting::Grid => "grid",
                Setting::Legend => "legend",
                Setting::OpenDoors => "doors",
                Setting::Duration => "length",
            },
        }
    }

    /// What it means, in a sentence.
    pub(super) const fn help(self) -> &'static str {
        match self {
            Self::Moment => "The dungeon when it is grown, or as the screen shows it.",
            Self::Paper | Self::Setting(Setting::Print) => "The paper that it is printed on; how it lies is found out.",
            Self::Length(Part::Square) => "The side of a square, in millimetres: type a number, or Backspace.",
            Self::Length(Part::Margin) => "What the printer leaves white at each edge, in millimetres.",
            Self::Length(Part::Overlap) => "What a page shows of its neighbours, for glue, in millimetres.",
            Self::Setting(setting) => match setting {
                Setting::Print => "",
                Setting::Generations => "Walls show the generation that laid them.",
                Setting::By => "What the colours tell, as on the map.",
                Setting::Ground => "For dark screens, for light ones, or for paper.",
                Setting::Scale => "Pixels along a square's side: type a number, or Backspace.",
                Setting::Grid => "Lines between so many squares: type a number, or Backspace.",
                Setting::Legend => "A title, and what the colours mean, below the dungeon.",
                Setting::OpenDoors => "Shut doors, or none: importers make windows of doors that stand open.",
                Setting::Duration => "Seconds until the dungeon is grown: type a number.",
            },
        }
    }

    /// What it says now.
    pub(super) fn value(self, form: &Form, kind: Kind) -> String {
        let options = form.options(kind);
        let setting = match self {
            Self::Moment => return moment(form),
            Self::Paper => return options.print.paper.to_string(),
            Self::Length(Part::Square) => {
                return options
                    .print
                    .square
                    .map_or_else(|| "as suits".into(), |square| square.to_string());
            }
            Self::Length(Part::Margin) => return options.print.margin.to_string(),
            Self::Length(Part::Overlap) => return options.print.overlap.to_string(),
            Self::Setting(setting) => setting,
        };
        match setting {
            Setting::Print => String::new(),
            Setting::Generations => switch(options.generations),
            Setting::By => options.by.name().to_owned(),
            Setting::Ground => {
                let ground = options.ground.unwrap_or(kind.ground());
                let named = GROUNDS.iter().find(|(own, _)| *own == ground);
                named.map_or_else(String::new, |(_, name)| (*name).to_owned())
            }
            Setting::Scale => options.scale.map_or_else(|| "as suits".into(), pixels),
            Setting::Grid => options.grid.map_or_else(|| "none".into(), squares),
            Setting::Legend => switch(options.legend),
            Setting::OpenDoors => (if options.open_doors { "open" } else { "shut" }).to_owned(),
            Setting::Duration => {
                let seconds = options.duration / 1000;
                counted(seconds, "second")
            }
        }
    }

    /// Goes to the next value, or back to the one before; a number grows or shrinks.
    pub(super) fn change(self, options: &mut Options, kind: Kind, by: i32) {
        if let Some(number) = number(self, options) {
            return set_number(self, options, number.stepped(by));
        }
        if self == Self::Paper {
            let all: Vec<Paper> = Paper::all().collect();
            options.print.paper = next(&all, options.print.paper, by);
        }
        let Self::Setting(setting) = self else { return };
        match setting {
            Setting::Generations => options.generations ^= true,
            Setting::Legend => options.legend ^= true,
            Setting::OpenDoors => options.open_doors ^= true,
            Setting::By => {
                let all = By::ALL.map(|(by, _)| by);
                options.by = next(&all, options.by, by);
            }
            Setting::Ground => {
                let all = GROUNDS.map(|(ground, _)| ground);
                options.ground = Some(next(&all, options.ground.unwrap_or(kind.ground()), by));
            }
            Setting::Scale | Setting::Grid | Setting::Duration | Setting::Print => {}
        }
    }

    /// Whether it is a number, which is typed.
    pub(super) fn is_number(self, options: &Options) -> bool {
        number(self, options).is_some()
    }

    /// Takes a digit of a number, the first of a new one where `fresh` says so; whether it takes digits.
    pub(super) fn digit(self, options: &mut Options, digit: u32, fresh: bool) -> bool {
        let Some(number) = number(self, options) else {
            return false;
        };
        set_number(self, options, number.typed(digit, fresh));
        true
    }

    /// Takes the last digit away, or what the kind does not need; whether there are digits.
    pub(super) fn erase(self, options: &mut Options, fresh: bool) -> bool {
        let Some(number) = number(self, options) else {
            return false;
        };
        set_number(self, options, number.erased(fresh));
        true
    }
}

fn moment(form: &Form) -> String {
    match &form.subject {
        Some(subject) if subject.is_end => "the end of growth, as shown".into(),
        Some(subject) if !form.at_end => format!("turn {}, as shown", thousands(subject.turn)),
        _ => "the end of growth".into(),
    }
}

fn pixels(scale: u32) -> String {
    format!("{} a square", counted(scale, "pixel"))
}

fn squares(grid: u32) -> String {
    if grid == 1 {
        "every square".into()
    } else {
        format!("every {} squares", thousands(grid.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_of_every_kind_can_be_changed_there_and_back() {
        let form = Form::default();
        for about in Kind::ALL {
            for line in Line::of(about.kind) {
                assert!(!line.label().is_empty() && line.help().ends_with('.'));
                assert!(!line.value(&form, about.kind).is_empty());
                if line == Line::Moment {
                    continue;
                }
                let before = Options::default();
                let mut options = before.clone();
                line.change(&mut options, about.kind, 1);
                assert_ne!(options, before, "{} {line:?}", about.name);
                line.change(&mut options, about.kind, -1);
                let mut named = before;
                named.ground = options.ground;
                assert_eq!(options, named, "{} {line:?}", about.name);
            }
        }
    }

    #[test]
    fn numbers_are_typed_within_their_limits() {
        let mut options = Options::default();
        let scale = Line::Setting(Setting::Scale);
        assert!(scale.digit(&mut options, 3, true) && scale.digit(&mut options, 2, false));
        assert_eq!(options.scale, Some(32));
        for _ in 0..20 {
            scale.digit(&mut options, 9, false);
        }
        assert_eq!(options.scale, Some(MOST_SCALE));
        scale.change(&mut options, Kind::Png, 1);
        assert_eq!(options.scale, Some(MOST_SCALE), "the ladder ends before");
        scale.erase(&mut options, false);
        assert_eq!(options.scale, Some(MOST_SCALE / 10));
        scale.erase(&mut options, true);
        assert_eq!(options.scale, None);
        scale.change(&mut options, Kind::Png, -1);
        assert_eq!(options.scale, None);
        let length = Line::Setting(Setting::Duration);
        length.digit(&mut options, 0, true);
        assert_eq!(options.duration, 1000, "a film lasts");
        length.change(&mut options, Kind::Gif, -1);
        assert_eq!(options.duration, 1000);
        assert!(!Line::Setting(Setting::By).digit(&mut options, 1, true));
    }
}
