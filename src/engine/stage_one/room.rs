//! Resolves one room of the design: its position, its style and the codes of its sites.

use std::cmp::Ordering;

use crate::design::{self, Constants, Diagnostic, Entry, Place, RoomField, SiteCode, sites};
use crate::geometry::{Direction, Forward, Point, Size};

use super::style::Style;
use crate::engine::event::Opening;
use crate::text::counted;

/// One of the eight places in a room's wall.
pub(super) use crate::design::SitePlace as Site;

/// The meaning of a site's code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    Nothing,
    Door,
    Crawler(Forward, Direction, Opening),
}

/// A room that will be built: its position, style and site codes after resolving.
#[derive(Debug, Clone)]
pub(super) struct Room {
    pub(super) entry: Entry,
    pub(super) center: Point,
    /// Distance in squares from the centre to the wall.
    pub(super) reach: i32,
    pub(super) style: Style,
    pub(super) codes: [Code; 8],
    /// Sides whose wall lies on the border, because the room would have reached past it and was shifted inward.
    pub(super) shifted: Vec<Forward>,
}

impl Room {
    /// Resolves a room's position, style and sites, and reports every change; `None` when the room cannot be built.
    pub(super) fn resolve(
        requested: &design::Room,
        entry: Entry,
        size: Size,
        constants: &Constants,
        report: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let reach = reach(requested, entry, size, constants, report)?;
        let (center, _) = requested.center_and_reach(size)?;
        let style = Style::resolve(requested.style, requested.width, entry, report)?;
        let x = Axis {
            side: size.x,
            field: RoomField::Xdiv,
            borders: ["top", "bottom"],
        };
        let y = Axis {
            side: size.y,
            field: RoomField::Ydiv,
            borders: ["left", "right"],
        };
        let shifts = [
            (
                x.shift(requested.xdiv, requested.div, center.x, entry, report),
                [Forward::North, Forward::South],
            ),
            (
                y.shift(requested.ydiv, requested.div, center.y, entry, report),
                [Forward::West, Forward::East],
            ),
        ];
        let shifted: Vec<Forward> = shifts
            .into_iter()
            .filter_map(|(way, [low, high])| match way.cmp(&0) {
                Ordering::Greater => Some(low),
                Ordering::Less => Some(high),
                Ordering::Equal => None,
            })
            .collect();
        let lacks_heading = matches!(requested.sites[sites::RIGHT_BOTTOM_CORNER], 2 | 3);
        let mut codes = [Code::Nothing; 8];
        for (i, site) in Site::ALL.into_iter().enumerate() {
            codes[i] = code(requested.sites[i], site).unwrap_or_else(|| {
                report.push(if lacks_heading && i == sites::RIGHT_BOTTOM_CORNER {
                    without_heading(entry)
                } else {
                    bad_code(requested.sites[i], site, entry)
                });
                Code::Nothing
            });
        }
        if lacks_heading {
            return None;
        }
        if style.walls && cuts_off(&codes) {
            report.push(sealed(entry));
            return None;
        }
        if style.walls && is_shut(&codes, &shifted) {
            report.push(shut(entry));
            return None;
        }
        Some(Self {
            entry,
            center,
            reach,
            style,
            codes,
            shifted,
        })
    }

    /// Returns the square `out` squares from the centre toward a side, and `across` squares to the right when facing
    /// that side.
    pub(super) fn at(&self, side: Forward, out: i32, across: i32) -> Point {
        self.center.step(side, out).step(side.right(), across)
    }

    /// Iterates over the sites that have a door, clockwise from the top left corner.
    pub(super) fn door_sites(&self) -> impl Iterator<Item = Site> {
        Site::ALL
            .into_iter()
            .zip(self.codes)
            .filter_map(|(site, code)| (code == Code::Door).then_some(site))
    }

    /// Returns the corner square between two sides.
    pub(super) fn corner(&self, a: Forward, b: Forward) -> Point {
        self.center.step(a, self.reach).step(b, self.reach)
    }
}

/// Returns the distance in squares from the room's centre to its wall. If the room's div or width is out of range,
/// reports this and returns `None`.
fn reach(
    requested: &design::Room,
    entry: Entry,
    size: Size,
    constants: &Constants,
    report: &mut Vec<Diagnostic>,
) -> Option<i32> {
    let least = constants.smallest_room_width;
    let most = size.x.min(size.y).saturating_sub(3) / 2;
    let (field, message, help) = if requested.div < 1 {
        (
            RoomField::Div,
            format!(
                "{} has div {}; a room with a div below 1 is left out",
                entry.label(),
                requested.div
            ),
            "use a div of at least 1".into(),
        )
    } else if requested.width < least || requested.width < 0 {
        (
            RoomField::Width,
            format!("a room of width {} is too small; it is left out", requested.width),
            format!("use a width of at least {}, the smallestRoomWidth", least.max(0)),
        )
    } else if requested.width > most {
        (
            RoomField::Width,
            format!(
                "a room of width {} does not fit into a dungeon of {size} squares; the room is left out",
                requested.width
            ),
            format!("use a width of at most {most}"),
        )
    } else {
        return Some(requested.width + 1);
    };
    report.push(Diagnostic::warning(message).at(Place::field(entry, field)).help(help));
    None
}

/// One of the two axes along which a room is placed.
struct Axis {
    side: i32,
    field: RoomField,
    /// Names of the border at 0 and of the border at the far end.
    borders: [&'static str; 2],
}

impl Axis {
    /// Returns the number of squares by which a room's centre was shifted to keep its wall within the border: `used`
    /// minus the position that xdiv or ydiv requests. Reports the shift if it is not 0.
    fn shift(&self, division: i32, div: i32, used: i32, entry: Entry, report: &mut Vec<Diagnostic>) -> i64 {
        let wanted = i64::from(division) * i64::from(self.side) / i64::from(div);
        let used = i64::from(used);
        if used == wanted {
            return 0;
        }
        let [low_border, high_border] = self.borders;
        let (past, to) = if used > wanted {
            (low_border, high_border)
        } else {
            (high_border, low_border)
        };
        let by = used.abs_diff(wanted);
        report.push(
            Diagnostic::warning(format!(
                "{} reaches past the {past} border; it is shifted {} towards the {to}",
                entry.label(),
                counted(by, "square")
            ))
            .at(Place::field(entry, self.field))
            .help(format!("use another {} or a smaller width", self.field.info().name)),
        );
        used - wanted
    }
}

/// Translates a site's code. Returns `None` when the code has no meaning at this site.
fn code(value: i32, at: Site) -> Option<Code> {
    Some(match at.meaning(value)? {
        SiteCode::Nothing => Code::Nothing,
        SiteCode::Door => Code::Door,
        SiteCode::Crawler {
            forward,
            direction,
            open,
        } => Code::Crawler(forward, direction, if open { Opening::End } else { Opening::Closed }),
    })
}

/// Returns whether the room's closed Crawlers ([`Opening::Closed`]) would cut the dungeon into parts: at least two of
/// them start at center sites, and there is no door between one of them and the next one clockwise. The original does
/// not build such a room (recorded dungeons: `room-crawler-all-delay3`, `codes-mix-4`, `codes-mix-6`, `codes-mix-13`).
/// It disregards Crawlers at corners (`codes-mix-9`, `codes-mix-12`).
fn cuts_off(codes: &[Code; 8]) -> bool {
    let is_closed =
        |i: usize| matches!(Site::ALL[i], Site::Center(_)) && matches!(codes[i], Code::Crawler(_, _, Opening::Closed));
    let closed: Vec<usize> = (0..codes.len()).filter(|i| is_closed(*i)).collect();
    let doorless = |from: usize| {
        (1..codes.len())
            .map(|step| (from + step) % codes.len())
            .take_while(|i| !is_closed(*i))
            .all(|i| codes[i] != Code::Door)
    };
    closed.len() > 1 && closed.into_iter().any(doorless)
}

/// Returns whether a room that was shifted away from the South or East border has no door except on the border. The
/// original does not build such a room (recorded dungeons: `place-37x34-23`, `place-37x41-24`). It does build a room
/// that was shifted away from the North or West border only (`place-33x49-55`).
fn is_shut(codes: &[Code; 8], shifted: &[Forward]) -> bool {
    let on_border = |site: &Site| match site {
        Site::Center(side) => shifted.contains(side),
        Site::Corner(..) => false,
    };
    let mut doors = Site::ALL.iter().zip(codes).filter(|(_, code)| **code == Code::Door);
    shifted
        .iter()
        .any(|side| matches!(side, Forward::South | Forward::East))
        && doors.all(|(site, _)| on_border(site))
}

fn shut(entry: Entry) -> Diagnostic {
    Diagnostic::warning(format!(
        "{} lies on the outer wall and has no door to the dungeon; it is left out",
        entry.label()
    ))
    .at(Place::entry(entry))
    .help("move the room away from the border, or give it a door on another side")
}

/// Reports a bottom right corner with code 2 or 3: a Crawler without the tens digit that sets its heading. The original
/// does not build such a room (recorded dungeons: `codes-rBC-2`).
fn without_heading(entry: Entry) -> Diagnostic {
    let site = Site::ALL[sites::RIGHT_BOTTOM_CORNER];
    Diagnostic::warning(format!(
        "the Crawler at the {site} of {} has no heading; the room is left out",
        entry.label()
    ))
    .at(site_field(entry, site))
    .help("put a digit from 1 to 4 before the code, as in 12; the digit sets the heading and the Direction")
}

fn sealed(entry: Entry) -> Diagnostic {
    Diagnostic::warning(format!(
        "the closed Crawlers of {} would cut off part of the dungeon; the room is left out",
        entry.label()
    ))
    .at(Place::entry(entry))
    .help("place a door between every two neighbouring closed Crawlers, or give all but one of them an open end")
}

/// Returns the design field that contains a site's code.
pub(super) fn site_field(entry: Entry, site: Site) -> Place {
    Place::field(entry, RoomField::SITES[site.index()])
}

fn bad_code(value: i32, site: Site, entry: Entry) -> Diagnostic {
    let name = RoomField::SITES[site.index()].info().name;
    let help = match site {
        Site::Center(_) => "use 0 for nothing, 1 for a door, 2 for a closed Crawler or 3 for one with an open end",
        Site::Corner(..) if matches!(value, 2 | 3) => {
            "a Crawler at a corner needs a heading: put a digit from 1 to 4 before the code, as in 12"
        }
        Site::Corner(..) => {
            "use 0 for nothing or 1 for a door; for a Crawler, use a tens digit from 1 to 4 for its heading and \
             Direction, followed by 2 (closed) or 3 (open end), as in 12"
        }
    };
    Diagnostic::warning(format!("{value} is not a code for {name}; nothing is placed there"))
        .at(site_field(entry, site))
        .help(help)
}
