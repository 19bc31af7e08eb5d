//! The option lines of the import dialog: their labels, values and changes.
//!
//! The import table lists which options a kind of drawing has; the command line uses the same table and names.

use super::form::ImportForm;
use crate::design::MAX_DIMENSION;
use crate::document::{DrawingImport, FirstCrawler};
use crate::geometry::{Point, Size};
use crate::import::{DrawingKind, ImportSetting};
use crate::text::thousands;
use crate::tui::widget::form::{NumberChoice, next, switch};

/// An option line of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImportLine {
    /// A setting of how the drawing is read.
    Setting(ImportSetting),
    /// The number of rows or columns of the dungeon.
    Side(Axis),
    /// The row or column of the drawing's left top square.
    Place(Axis),
    /// First Crawler of a design in which nothing would grow.
    Crawler,
}

/// One of the two coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// Rows, from top to bottom.
    X,
    /// Columns.
    Y,
}

/// Values that the arrow keys step through; any other can be typed.
const THRESHOLDS: &[u32] = &[10, 20, 30, 40, 50, 60, 70, 80, 90];
const SCALES: &[u32] = &[1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
const TIMES: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20];
const SIDES: &[u32] = &[20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500, 1000];
const PLACES: &[u32] = &[
    0, 1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500, 1000,
];

fn part(axis: Axis, x: i32, y: i32) -> u32 {
    let value = match axis {
        Axis::X => x,
        Axis::Y => y,
    };
    value.max(0) as u32
}

impl ImportLine {
    /// Returns the lines for a kind of drawing, which becomes a design or, with `lays`, is placed into one.
    pub(super) fn of(kind: DrawingKind, lays: bool) -> Vec<Self> {
        let settings = ImportSetting::ALL.into_iter().filter(|setting| kind.takes(*setting));
        let mut lines: Vec<Self> = settings.map(Self::Setting).collect();
        if !lays {
            lines.extend([Axis::X, Axis::Y].map(Self::Side));
        }
        lines.extend([Axis::X, Axis::Y].map(Self::Place));
        if !lays {
            lines.push(Self::Crawler);
        }
        lines
    }

    /// Returns the label: the option's name on the command line, if it has one.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Setting(setting) => setting.name(),
            Self::Side(Axis::X) => "rows",
            Self::Side(Axis::Y) => "columns",
            Self::Place(Axis::X) => "from row",
            Self::Place(Axis::Y) => "from column",
            Self::Crawler => "crawler",
        }
    }

    /// Returns an explanation, without a full stop.
    pub(super) const fn help(self) -> &'static str {
        match self {
            Self::Setting(setting) => setting.description(),
            Self::Side(_) => "Dimensions of the dungeon [default: as the drawing needs]",
            Self::Place(_) => "Place of the drawing's top left square [default: centred]",
            Self::Crawler => "First Crawler to add if nothing would grow otherwise",
        }
    }

    /// Returns whether the value is a typed text.
    pub(super) const fn is_text(self) -> bool {
        matches!(self, Self::Setting(ImportSetting::Walls | ImportSetting::Open))
    }

    /// Returns the text; `None` if it is empty or the line is no text.
    pub(super) fn text(self, import: &DrawingImport) -> Option<&str> {
        match self {
            Self::Setting(ImportSetting::Walls) => import.options.walls.as_deref(),
            Self::Setting(ImportSetting::Open) => import.options.open.as_deref(),
            _ => None,
        }
    }

    /// Sets the text; an empty one becomes `None`.
    pub(super) fn set_text(self, import: &mut DrawingImport, text: &str) {
        let text = Some(text.to_owned()).filter(|text| !text.is_empty());
        match self {
            Self::Setting(ImportSetting::Walls) => import.options.walls = text,
            Self::Setting(ImportSetting::Open) => import.options.open = text,
            _ => {}
        }
    }

    /// Returns the value as a number; `None` if it is none.
    pub(super) fn number(self, import: &DrawingImport) -> Option<NumberChoice> {
        let DrawingImport { options, placing, .. } = import;
        let own = |value, ladder, least, has_zero| {
            let most = match self {
                Self::Setting(setting) => setting.range().map_or(u32::MAX, |(_, most)| most),
                _ => MAX_DIMENSION.unsigned_abs(),
            };
            Some(NumberChoice {
                value,
                ladder,
                least,
                most,
                unit: 1,
                has_zero,
            })
        };
        match self {
            Self::Setting(ImportSetting::Threshold) => own(options.threshold.map(u32::from), THRESHOLDS, None, true),
            Self::Setting(ImportSetting::Scale) => own(options.scale, SCALES, None, false),
            Self::Setting(ImportSetting::Corridors) => own(Some(options.corridors), TIMES, Some(1), false),
            Self::Setting(ImportSetting::Enlarge) => own(Some(options.enlarge), TIMES, Some(1), false),
            Self::Side(axis) => own(placing.size.map(|size| part(axis, size.x, size.y)), SIDES, None, false),
            Self::Place(axis) => own(placing.at.map(|at| part(axis, at.x, at.y)), PLACES, None, true),
            _ => None,
        }
    }

    /// Sets the value, if it is a number.
    pub(super) fn set_number(self, form: &mut ImportForm, value: Option<u32>) {
        let (size, at) = (form.size(), form.at());
        let lays = form.lays;
        let DrawingImport { options, placing, .. } = &mut form.import;
        let typed = |axis, own| if axis == own { value } else { None };
        match self {
            Self::Setting(ImportSetting::Threshold) => {
                options.threshold = value.map(|value| u8::try_from(value).unwrap_or(100));
            }
            Self::Setting(ImportSetting::Scale) => options.scale = value,
            Self::Setting(ImportSetting::Corridors) => options.corridors = value.unwrap_or(1),
            Self::Setting(ImportSetting::Enlarge) => options.enlarge = value.unwrap_or(1),
            // The other coordinate keeps the value that resulted.
            Self::Side(axis) => {
                placing.size = value.map(|_| {
                    Size::new(
                        typed(axis, Axis::X).map_or(size.x, |value| value as i32),
                        typed(axis, Axis::Y).map_or(size.y, |value| value as i32),
                    )
                });
            }
            Self::Place(axis) => {
                let value = value.or(lays.then_some(0));
                placing.at = value.map(|value| match axis {
                    Axis::X => Point::new(value as i32, at.y),
                    Axis::Y => Point::new(at.x, value as i32),
                });
            }
            _ => {}
        }
    }

    /// Returns the current value as text.
    pub(super) fn value(self, form: &ImportForm) -> String {
        let DrawingImport { options, crawler, .. } = &form.import;
        let times = |value: u32, one: &str| {
            if value == 1 {
                one.to_owned()
            } else {
                format!("{value} squares")
            }
        };
        match self {
            Self::Setting(setting) => match setting {
                ImportSetting::Kind => options.kind.map_or_else(
                    || format!("{}, detected", form.kind().name()),
                    |kind| kind.name().to_owned(),
                ),
                ImportSetting::Layer => options.layer.clone().unwrap_or_else(|| "detected".into()),
                ImportSetting::Walls | ImportSetting::Open => self
                    .text(&form.import)
                    .map_or_else(|| "detected".into(), ToOwned::to_owned),
                ImportSetting::Threshold => options
                    .threshold
                    .map_or_else(|| "detected".into(), |percent| format!("{percent} % of white")),
                ImportSetting::Invert => switch(options.invert),
                ImportSetting::Scale => options
                    .scale
                    .map_or_else(|| "detected".into(), |scale| thousands(scale.into())),
                ImportSetting::Trim => switch(options.trim),
                ImportSetting::Corridors => times(options.corridors, "as drawn"),
                ImportSetting::Enlarge => times(options.enlarge, "as drawn"),
                ImportSetting::KeepOpen => switch(form.import.placing.keep_open),
            },
            Self::Side(axis) => {
                let size = form.size();
                let squares = thousands(part(axis, size.x, size.y).into());
                if form.import.placing.size.is_none() {
                    format!("{squares}, as needed")
                } else {
                    squares
                }
            }
            Self::Place(axis) => {
                let at = form.at();
                let at = if axis == Axis::X { at.x } else { at.y };
                if form.import.placing.at.is_none() {
                    format!("{at}, centred")
                } else {
                    at.to_string()
                }
            }
            Self::Crawler => match crawler {
                FirstCrawler::Best => "where there is room".into(),
                FirstCrawler::Heading(forward) => format!("heads {forward}"),
                FirstCrawler::None => "none".into(),
            },
        }
    }

    /// Steps to the next value, or the previous one if `by` is negative; numbers grow or shrink.
    pub(super) fn change(self, form: &mut ImportForm, by: i32) {
        if let Some(number) = self.number(&form.import) {
            return self.set_number(form, number.stepped(by));
        }
        let layers: Vec<Option<String>> = std::iter::once(None).chain(form.layers().map(Some)).collect();
        let DrawingImport {
            options,
            placing,
            crawler,
        } = &mut form.import;
        match self {
            Self::Setting(ImportSetting::Kind) => {
                let all: Vec<Option<DrawingKind>> = std::iter::once(None)
                    .chain(DrawingKind::ALL.map(|(kind, ..)| Some(kind)))
                    .collect();
                options.kind = next(&all, options.kind, by);
            }
            Self::Setting(ImportSetting::Layer) => {
                let at = layers.iter().position(|layer| *layer == options.layer).unwrap_or(0);
                let numbers: Vec<usize> = (0..layers.len()).collect();
                options.layer.clone_from(&layers[next(&numbers, at, by)]);
            }
            Self::Setting(ImportSetting::Invert) => options.invert ^= true,
            Self::Setting(ImportSetting::Trim) => options.trim ^= true,
            Self::Setting(ImportSetting::KeepOpen) => placing.keep_open ^= true,
            Self::Crawler => *crawler = next(&FirstCrawler::ALL.map(|(choice, _)| choice), *crawler, by),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(name: &str, lays: bool) -> ImportForm {
        ImportForm::new(name.into(), DrawingImport::default(), lays)
    }

    #[test]
    fn every_line_of_every_kind_says_something_and_can_be_changed() {
        for (kind, _, endings) in DrawingKind::ALL {
            for lays in [false, true] {
                let lines = ImportLine::of(kind, lays);
                assert!(lines.len() >= 7, "{kind:?}");
                for line in lines {
                    let mut form = form(&format!("a.{}", endings[0]), lays);
                    assert!(!line.label().is_empty() && !line.help().is_empty());
                    assert!(!line.value(&form).is_empty(), "{line:?}");
                    let before = form.import.clone();
                    line.change(&mut form, 1);
                    // The layers of a map are unknown until it is read, and texts are typed.
                    let is_still = line.is_text() || line == ImportLine::Setting(ImportSetting::Layer);
                    assert_eq!(form.import == before, is_still, "{kind:?} {line:?}");
                }
            }
        }
    }

    #[test]
    fn a_typed_coordinate_keeps_the_other() {
        let mut form = form("a.png", false);
        ImportLine::Place(Axis::X).set_number(&mut form, Some(7));
        assert_eq!(form.import.placing.at, Some(Point::new(7, 0)));
        ImportLine::Place(Axis::X).set_number(&mut form, None);
        assert_eq!(form.import.placing.at, None, "to the middle again");
        ImportLine::Side(Axis::Y).set_number(&mut form, Some(90));
        assert_eq!(form.import.placing.size.map(|size| size.y), Some(90));
    }
}
