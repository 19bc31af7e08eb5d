//! The option lines of the export dialog: their labels, their values, and how keys change them.
//!
//! The table of export kinds lists which options each kind has; the exporter interprets the options.

use crate::engine::BuilderId;
use crate::export::{ColourBy, ExportKind, ExportOptions, ExportSetting, Ground, Length, MOST_SCALE, MapMarks, Paper};
use crate::text::counted;
use crate::text::thousands;
use crate::tui::widget::form::{NumberChoice, next, switch};

/// An option, shown on its own line of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionLine {
    /// The moment of growth to export.
    Moment,
    /// The script of moments that an animation shows.
    Script,
    /// A setting of the kind.
    Setting(ExportSetting),
    /// The paper size.
    Paper,
    /// A length on paper.
    Length(PaperPart),
}

/// A length on paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PaperPart {
    /// The side of a square.
    Square,
    /// The white margin.
    Margin,
    /// The overlap of neighbouring pages.
    Overlap,
}

/// Values that the arrow keys step through; the user can type any other value.
const SCALES: &[u32] = &[1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512];
const GRIDS: &[u32] = &[1, 2, 5, 10, 20, 50, 100];
/// Sides of a square in micrometres; some are whole or half inches.
const SQUARES: &[u32] = &[
    500, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 6000, 8000, 10_000, 12_700, 15_000, 20_000, 25_000, 25_400, 30_000,
    50_000,
];
const MARGINS: &[u32] = &[0, 2000, 3000, 5000, 7000, 10_000, 12_700, 15_000, 20_000, 25_400];
const BUILDERS: &[u32] = &[1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100, 200, 500, 1000];
const SECONDS: &[u32] = &[1, 2, 3, 5, 8, 12, 20, 30, 45, 60, 90, 120, 180, 300, 600];

/// Upper limits of the numbers that the user types.
const MOST_GRID: u32 = 100_000;
const MOST_SECONDS: u32 = 3600;
const MOST_BUILDER: u32 = 1_000_000;

/// Micrometres per millimetre, and the largest length in micrometres. The user types lengths in millimetres.
const MILLIMETRE: u32 = 1000;
const MOST_LENGTH: u32 = 1000 * MILLIMETRE;

/// The backgrounds with their names.
const GROUNDS: [(Ground, &str); 3] = [
    (Ground::Dark, "dark"),
    (Ground::Light, "light"),
    (Ground::Print, "print"),
];

impl OptionLine {
    /// Returns the option lines of a kind.
    pub(super) fn of(kind: ExportKind) -> Vec<Self> {
        let settings = kind.about().settings.iter().flat_map(|setting| match setting {
            ExportSetting::Print => {
                let lengths = [PaperPart::Square, PaperPart::Margin, PaperPart::Overlap].map(Self::Length);
                [[Self::Paper].as_slice(), &lengths].concat()
            }
            ExportSetting::Duration => vec![Self::Script, Self::Setting(ExportSetting::Duration)],
            setting => vec![Self::Setting(*setting)],
        });
        // A recording file contains every turn, so it has no moment to choose.
        let moment = (kind != ExportKind::Recording).then_some(Self::Moment);
        moment.into_iter().chain(settings).collect()
    }

    /// Returns the label of the option in the dialog.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Moment => "moment",
            Self::Script => "moments",
            Self::Paper | Self::Setting(ExportSetting::Print) => "paper",
            Self::Length(PaperPart::Square) => "square",
            Self::Length(PaperPart::Margin) => "margin",
            Self::Length(PaperPart::Overlap) => "overlap",
            Self::Setting(setting) => match setting {
                ExportSetting::Print => "",
                ExportSetting::Generations => "generations",
                ExportSetting::By => "colour by",
                ExportSetting::Ground => "background",
                ExportSetting::Scale => "scale",
                ExportSetting::Grid => "grid",
                ExportSetting::Legend => "legend",
                ExportSetting::Marks => "marks",
                ExportSetting::OpenDoors => "doors",
                ExportSetting::Duration => "duration",
                ExportSetting::Follow => "follow",
            },
        }
    }

    /// Returns a sentence that explains the option.
    pub(super) const fn help(self) -> &'static str {
        match self {
            Self::Moment => "The fully grown dungeon, or the one on the screen.",
            Self::Script => {
                "The turns to show, and when: 0,300:4,end:5 shows turns 0 to 300 in 4 seconds, then the rest in 5."
            }
            Self::Paper | Self::Setting(ExportSetting::Print) => "Paper size; the orientation is chosen automatically.",
            Self::Length(PaperPart::Square) => "The side of a square, in millimetres: type a number.",
            Self::Length(PaperPart::Margin) => "Margin at each edge, in millimetres.",
            Self::Length(PaperPart::Overlap) => "Overlap of neighbouring pages for gluing, in millimetres.",
            Self::Setting(setting) => match setting {
                ExportSetting::Print => "",
                ExportSetting::Generations => "Each wall shows the generation that built it.",
                ExportSetting::By => "What the colours show; the map has the same choices.",
                ExportSetting::Ground => "For dark screens, for light screens, or for paper.",
                ExportSetting::Scale => "Pixels along a square's side: type a number.",
                ExportSetting::Grid => "A grid line every N squares: type a number, or press Backspace for none.",
                ExportSetting::Legend => "A title, and what the colours mean, below the dungeon.",
                ExportSetting::Marks => {
                    "`doors` marks doors; `all` also marks entrance, exit, places, room numbers and coordinates."
                }
                ExportSetting::OpenDoors => {
                    "`shut` writes closed doors; `open` writes no doors, because some importers turn open doors into \
                     windows."
                }
                ExportSetting::Duration => "Duration of the growth in seconds: type a number.",
                ExportSetting::Follow => "The number of a Builder to follow: type it, or press Backspace for none.",
            },
        }
    }

    /// Returns the current value as text; for [`Self::Script`], the text for an empty script. `moment` is the text for
    /// the moment to export.
    pub(super) fn value(self, options: &ExportOptions, kind: ExportKind, moment: String) -> String {
        let setting = match self {
            Self::Moment => return moment,
            Self::Script => return "the whole growth".into(),
            Self::Paper => return options.print.paper.to_string(),
            Self::Length(PaperPart::Square) => {
                return options
                    .print
                    .square
                    .map_or_else(|| "automatic".into(), |square| square.to_string());
            }
            Self::Length(PaperPart::Margin) => return options.print.margin.to_string(),
            Self::Length(PaperPart::Overlap) => return options.print.overlap.to_string(),
            Self::Setting(setting) => setting,
        };
        match setting {
            ExportSetting::Print => String::new(),
            ExportSetting::Generations => switch(options.generations),
            ExportSetting::By => options.by.name().to_owned(),
            ExportSetting::Ground => {
                let ground = options.ground.unwrap_or(kind.ground());
                let named = GROUNDS.iter().find(|(own, _)| *own == ground);
                named.map_or_else(String::new, |(_, name)| (*name).to_owned())
            }
            ExportSetting::Scale => options.scale.map_or_else(|| "automatic".into(), pixels),
            ExportSetting::Grid => options.grid.map_or_else(|| "none".into(), squares),
            ExportSetting::Legend => switch(options.legend),
            ExportSetting::Marks => options.marks.unwrap_or(kind.marks()).name().to_owned(),
            ExportSetting::OpenDoors => (if options.open_doors { "open" } else { "shut" }).to_owned(),
            ExportSetting::Duration => {
                let seconds = options.duration / 1000;
                counted(seconds, "second")
            }
            ExportSetting::Follow => options
                .follow
                .map_or_else(|| "none".into(), |id| format!("Builder {id}")),
        }
    }

    /// Returns the number that the option sets, with its range; `None` if the option's value is not a number.
    pub(super) fn number(self, options: &ExportOptions) -> Option<NumberChoice> {
        let print = &options.print;
        let length = |length: Length| Some(length.in_micrometres());
        let (value, ladder, least, most, unit) = match self {
            Self::Setting(ExportSetting::Scale) => (options.scale, SCALES, None, MOST_SCALE, 1),
            Self::Setting(ExportSetting::Grid) => (options.grid, GRIDS, None, MOST_GRID, 1),
            Self::Setting(ExportSetting::Duration) => {
                (Some(options.duration / 1000), SECONDS, Some(1), MOST_SECONDS, 1)
            }
            Self::Setting(ExportSetting::Follow) => {
                (options.follow.map(|id| id.0 + 1), BUILDERS, None, MOST_BUILDER, 1)
            }
            Self::Length(PaperPart::Square) => (print.square.and_then(length), SQUARES, None, MOST_LENGTH, MILLIMETRE),
            Self::Length(PaperPart::Margin) => (length(print.margin), MARGINS, Some(0), MOST_LENGTH, MILLIMETRE),
            Self::Length(PaperPart::Overlap) => (length(print.overlap), MARGINS, Some(0), MOST_LENGTH, MILLIMETRE),
            _ => return None,
        };
        Some(NumberChoice {
            value,
            ladder,
            least,
            most,
            unit,
            has_zero: false,
        })
    }

    /// Sets the option's value; does nothing for an option whose value is not a number.
    pub(super) fn set_number(self, options: &mut ExportOptions, value: Option<u32>) {
        let length = Length::micrometres(value.unwrap_or(0));
        match self {
            Self::Setting(ExportSetting::Scale) => options.scale = value,
            Self::Setting(ExportSetting::Grid) => options.grid = value,
            Self::Setting(ExportSetting::Duration) => options.duration = value.unwrap_or(1).max(1) * 1000,
            Self::Setting(ExportSetting::Follow) => {
                options.follow = value.and_then(|number| number.checked_sub(1)).map(BuilderId);
            }
            Self::Length(PaperPart::Square) => options.print.square = value.map(Length::micrometres),
            Self::Length(PaperPart::Margin) => options.print.margin = length,
            Self::Length(PaperPart::Overlap) => options.print.overlap = length,
            _ => {}
        }
    }

    /// Steps `by` values forward, or backward if `by` is negative. A number steps through the option's list of values.
    pub(super) fn change(self, options: &mut ExportOptions, kind: ExportKind, by: i32) {
        if let Some(number) = self.number(options) {
            return self.set_number(options, number.stepped(by));
        }
        if self == Self::Paper {
            let all: Vec<Paper> = Paper::all().collect();
            options.print.paper = next(&all, options.print.paper, by);
        }
        let Self::Setting(setting) = self else { return };
        match setting {
            ExportSetting::Generations => options.generations ^= true,
            ExportSetting::Legend => options.legend ^= true,
            ExportSetting::OpenDoors => options.open_doors ^= true,
            ExportSetting::By => {
                let all = ColourBy::ALL.map(|(by, _)| by);
                options.by = next(&all, options.by, by);
            }
            ExportSetting::Ground => {
                let all = GROUNDS.map(|(ground, _)| ground);
                options.ground = Some(next(&all, options.ground.unwrap_or(kind.ground()), by));
            }
            ExportSetting::Marks => {
                let all = MapMarks::ALL.map(|(marks, _)| marks);
                options.marks = Some(next(&all, options.marks.unwrap_or(kind.marks()), by));
            }
            ExportSetting::Scale
            | ExportSetting::Grid
            | ExportSetting::Duration
            | ExportSetting::Follow
            | ExportSetting::Print => {}
        }
    }
}

fn pixels(scale: u32) -> String {
    format!("{} per square", counted(scale, "pixel"))
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
    fn every_option_of_every_kind_can_be_stepped_forward_and_back() {
        for about in ExportKind::ALL {
            for line in OptionLine::of(about.kind) {
                assert!(!line.label().is_empty() && line.help().ends_with('.'));
                let before = ExportOptions::default();
                if matches!(line, OptionLine::Moment | OptionLine::Script) {
                    continue;
                }
                assert!(!line.value(&before, about.kind, String::new()).is_empty());
                let mut options = before.clone();
                line.change(&mut options, about.kind, 1);
                assert_ne!(options, before, "{} {line:?}", about.name);
                line.change(&mut options, about.kind, -1);
                let mut named = before;
                (named.ground, named.marks) = (options.ground, options.marks);
                assert_eq!(options, named, "{} {line:?}", about.name);
            }
        }
    }
}
