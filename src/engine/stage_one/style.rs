//! Resolves the style of a room: the features that the style value requests, reduced to those that fit the room's
//! width.
//!
//! This module computes only sizes and switches; it places no tiles. It reports every feature that it removes. A rule
//! marked as recorded comes from recorded dungeons of the original program. Names after the word are the recorded cases
//! that show the rule.

use super::layout::GAP;
use crate::design::{Diagnostic, Entry, Place, RoomField, style};

/// Number of squares on either side of the middle of a normal center door.
const CENTER: i32 = 1;
/// Number of squares of a normal corner door along either wall, without the corner itself.
pub(super) const CORNER: i32 = 2;
/// Minimum difference between a room's width and the size of its large or extra large doors. The size of a door is the
/// number of its squares on one side of its middle or corner (recorded dungeons: `styles-*`, `decos-*`,
/// `room-big-doors-*`).
const BESIDE_DOORS: i32 = 3;
/// Number of squares on either side of the middle of a pyramid.
pub(super) const PYRAMID: i32 = 2;

/// One of two alternatives, each of which has its own switch in the style value. If both switches are set, neither
/// alternative applies, as recorded dungeons show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// The alternative whose switch has the smaller value.
    First,
    /// The alternative whose switch has the larger value.
    Second,
}

/// A style that fits its room.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are the manual's switches, all independent"
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    /// Whether the room has walls.
    pub(super) walls: bool,
    /// Number of squares on either side of the middle of a center door: 1 to 3.
    pub(super) center: i32,
    /// Number of squares of a corner door along either wall, without the corner itself: 2 to 4.
    pub(super) corner: i32,
    /// Whether corner doors are filled except for their ends.
    pub(super) filled: bool,
    /// Whether a Crawler starts in each center door.
    pub(super) crawlers: bool,
    /// Columns behind the center doors ([`Choice::First`]) or along them ([`Choice::Second`]); `None` for no columns.
    pub(super) columns: Option<Choice>,
    /// Kind of decoration outside center doors; `None` for no decoration.
    pub(super) center_decoration: Option<Choice>,
    /// Kind of decoration outside corner doors; `None` for no decoration.
    pub(super) corner_decoration: Option<Choice>,
    /// Whether the room has a pyramid in its middle.
    pub(super) pyramid: bool,
}

impl Style {
    /// Resolves a style value for a room of the given width. Returns `None` when the value is too large to be a sum of
    /// switches. In a negative value, only the bits that are switches count (recorded dungeons: `oddstyle*`).
    pub(super) fn resolve(value: i32, width: i32, room: Entry, report: &mut Vec<Diagnostic>) -> Option<Self> {
        let mut report = Report {
            room,
            value,
            diagnostics: report,
        };
        if value > style::ALL {
            report.warn(
                format!("style {value} is not a sum of switch values; the room is left out"),
                format!("use a value from 0 to {}", style::ALL),
            );
            return None;
        }
        if value < 0 {
            report.value = value & style::ALL;
            report.warn(
                format!("style of {} is {value}; {} is used", room.label(), report.value),
                format!("use a value from 0 to {}", style::ALL),
            );
        }
        let value = report.value;
        let has = |switch: i32| value & switch != 0;
        let mut style = Self {
            walls: has(style::WALLS),
            center: report.door_size(
                "center",
                CENTER,
                (style::LARGE_CENTER_DOORS, style::EXTRA_LARGE_CENTER_DOORS),
                width,
            ),
            corner: report.door_size(
                "corner",
                CORNER,
                (style::LARGE_CORNER_DOORS, style::EXTRA_LARGE_CORNER_DOORS),
                width,
            ),
            filled: has(style::FILLED_CORNER_DOORS),
            crawlers: has(style::CRAWLER_IN_CENTER_DOORS),
            columns: report.choice("columns", style::COLUMNS_BEHIND_DOORS, style::COLUMNS_ALONG_DOORS),
            center_decoration: report.choice(
                "decorations of center doors",
                style::CENTER_DECORATION_1,
                style::CENTER_DECORATION_2,
            ),
            corner_decoration: report.choice(
                "decorations of corner doors",
                style::CORNER_DECORATION_1,
                style::CORNER_DECORATION_2,
            ),
            pyramid: has(style::PYRAMID),
        };
        if style.crawlers && style.center == CENTER {
            style.crawlers = false;
            report.warn(
                "a center door of normal size has no room for a Crawler in its middle; none starts there".into(),
                format!(
                    "add {} or {} to the style for larger center doors, or remove {}",
                    style::LARGE_CENTER_DOORS,
                    style::EXTRA_LARGE_CENTER_DOORS,
                    style::CRAWLER_IN_CENTER_DOORS
                ),
            );
        }
        if style.filled && style.corner_decoration == Some(Choice::First) {
            style.filled = false;
            report.warn(
                format!(
                    "corner doors with decoration 1 ({}) that are also filled in the middle are too narrow to pass; \
                     the middle is left open",
                    style::CORNER_DECORATION_1
                ),
                format!(
                    "remove {} or {}",
                    style::FILLED_CORNER_DOORS,
                    style::CORNER_DECORATION_1
                ),
            );
        }
        style.fit_pyramid(width, &mut report);
        Some(style)
    }

    /// Removes the columns, the pyramid or both if the room is too small for them. There must be space to walk around
    /// the pyramid, and between the pyramid and any columns. A pyramid that is itself too large for the room still
    /// removes the columns (recorded dungeons: `styles-10591-7`).
    fn fit_pyramid(&mut self, width: i32, report: &mut Report<'_>) {
        const WAY: i32 = 2;
        // `GAP` squares separate a row of columns from the wall, and as many separate it from the pyramid.
        const LEAST: i32 = 2 * GAP + PYRAMID + 1;
        if self.pyramid && self.columns.is_some() && width < LEAST {
            self.columns = None;
            report.warn(
                format!("a room of width {width} is too small for columns and a pyramid; the columns are left out"),
                format!("use a width of at least {LEAST}"),
            );
        }
        if self.pyramid && width < PYRAMID + WAY {
            self.pyramid = false;
            report.warn(
                format!("a room of width {width} is too small for a pyramid; the pyramid is left out"),
                format!("use a width of at least {}", PYRAMID + WAY),
            );
        }
    }
}

/// Collects the diagnostics about the style of one room.
struct Report<'a> {
    room: Entry,
    value: i32,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Report<'_> {
    fn warn(&mut self, message: String, help: String) {
        self.diagnostics.push(
            Diagnostic::warning(message)
                .at(Place::field(self.room, RoomField::Style))
                .help(help),
        );
    }

    fn choice(&mut self, what: &str, first: i32, second: i32) -> Option<Choice> {
        match (self.value & first != 0, self.value & second != 0) {
            (true, false) => Some(Choice::First),
            (false, true) => Some(Choice::Second),
            (false, false) => None,
            (true, true) => {
                self.warn(
                    format!("the style has both kinds of {what} ({first} and {second}), so the room gets neither"),
                    format!("remove {first} or {second}"),
                );
                None
            }
        }
    }

    /// Returns the number of squares of a door on one side of its middle or corner: `normal`, plus one if the first
    /// switch is set, or plus two if the second is. If both are set, or if the room's width does not exceed the larger
    /// size by at least [`BESIDE_DOORS`], reports this and returns `normal`.
    fn door_size(&mut self, which: &str, normal: i32, switches: (i32, i32), width: i32) -> i32 {
        let wanted = match (self.value & switches.0 != 0, self.value & switches.1 != 0) {
            (true, false) => normal + 1,
            (false, true) => normal + 2,
            (false, false) => return normal,
            (true, true) => {
                self.warn(
                    format!(
                        "the style has both large ({}) and extra large ({}) {which} doors, so these doors have the \
                         normal size",
                        switches.0, switches.1
                    ),
                    format!("remove {} or {}", switches.0, switches.1),
                );
                return normal;
            }
        };
        let least = wanted + BESIDE_DOORS;
        if width < least {
            self.warn(
                format!("a room of width {width} is too small for {which} doors of the size that its style requests; they get the normal size"),
                format!("use a width of at least {least}, or request smaller doors"),
            );
            return normal;
        }
        wanted
    }
}
