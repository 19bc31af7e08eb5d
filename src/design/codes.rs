//! Decodes the codes of the rooms file: the directions of first Crawlers, the sites in a room's wall, and the position
//! of a room (manual: rooms-file page).
//!
//! Only this module decodes these codes. The engine builds from the decoded values, and the panels describe them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{CrawlerStart, Room, Site};
use crate::geometry::{Direction, Forward, Point, Size};

/// The meaning of a code at a site of a room's wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SiteCode {
    /// Plain wall, without a door or Crawler.
    Nothing,
    /// A door.
    Door,
    /// A Crawler that starts at this site of the wall.
    Crawler {
        /// Direction in which the Crawler faces at the start.
        forward: Forward,
        /// Direction that the Crawler prefers.
        direction: Direction,
        /// Whether the Crawler leaves an opening at the end of its wall.
        open: bool,
    },
}

/// One of the eight sites in a room's wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SitePlace {
    /// The middle of the wall on this side.
    Center(Forward),
    /// The corner between two sides: first the north or south side, then the east or west side.
    Corner(Forward, Forward),
}

impl SitePlace {
    /// All sites in the order of the rooms file: clockwise from the top left corner. The index is a [`Site`].
    pub const ALL: [Self; 8] = [
        Self::Corner(Forward::North, Forward::West),
        Self::Center(Forward::North),
        Self::Corner(Forward::North, Forward::East),
        Self::Center(Forward::East),
        Self::Corner(Forward::South, Forward::East),
        Self::Center(Forward::South),
        Self::Corner(Forward::South, Forward::West),
        Self::Center(Forward::West),
    ];

    /// Returns the index of the site in [`Room::sites`].
    pub fn index(self) -> Site {
        Self::ALL.iter().position(|place| *place == self).unwrap_or_default()
    }

    /// Returns the meaning of a code at this site; `None` if the code is invalid at this site.
    pub fn meaning(self, code: i32) -> Option<SiteCode> {
        let open = match code % 10 {
            2 => false,
            3 => true,
            _ => {
                return match code {
                    0 => Some(SiteCode::Nothing),
                    1 => Some(SiteCode::Door),
                    _ => None,
                };
            }
        };
        let (forward, direction) = match (self, code / 10) {
            // In the original program, code 43 at this corner heads West, not East (recording `codes-rBC-43`).
            (Self::Corner(Forward::South, Forward::East), 4) if open => (Forward::West, Direction::West),
            (Self::Center(side), 0) => (side, side.direction()),
            (Self::Corner(x, _), 1) => (x, x.direction()),
            (Self::Corner(x, y), 2) => (x, diagonal(x, y)),
            (Self::Corner(x, y), 3) => (y, diagonal(x, y)),
            (Self::Corner(_, y), 4) => (y, y.direction()),
            _ => return None,
        };
        Some(SiteCode::Crawler {
            forward,
            direction,
            open,
        })
    }
}

/// Returns the Direction that points diagonally away from the room at the corner between sides `x` and `y`.
fn diagonal(x: Forward, y: Forward) -> Direction {
    x.direction().rotate(if x.right() == y { 1 } else { -1 })
}

impl Room {
    /// Returns the meaning of the code at a site; `None` if the code is invalid at the site.
    pub fn site(&self, site: Site) -> Option<SiteCode> {
        SitePlace::ALL.get(site)?.meaning(self.sites[site])
    }

    /// Returns the centre square of the room in a dungeon of `size`, and the distance in squares from the centre to the
    /// wall. A room that would reach past the border is shifted inward. Returns `None` if the room does not fit at all.
    pub fn center_and_reach(&self, size: Size) -> Option<(Point, i32)> {
        // Rounds down, so that no room fits into fewer than three rows or columns.
        let most = size.x.min(size.y).saturating_sub(3).div_euclid(2);
        if self.div < 1 || !(0..=most).contains(&self.width) {
            return None;
        }
        let reach = self.width + 1;
        let center = |division: i32, side: i32| {
            let wanted = i64::from(division) * i64::from(side) / i64::from(self.div);
            wanted.clamp(i64::from(reach), i64::from(side - 1 - reach)) as i32
        };
        Some((Point::new(center(self.xdiv, size.x), center(self.ydiv, size.y)), reach))
    }
}

impl fmt::Display for SitePlace {
    /// Writes `North center` or `NorthWest corner`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Center(side) => write!(f, "{side} center"),
            Self::Corner(x, y) => write!(f, "{x}{y} corner"),
        }
    }
}

impl CrawlerStart {
    /// Decodes the direction code: returns the Forward and the preferred Direction, which is `None` if the Crawler has
    /// no preference. Returns `None` if the code is invalid.
    pub fn headings(&self) -> Option<(Forward, Option<Direction>)> {
        let forward = match self.direction % 10 {
            1 => Forward::East,
            2 => Forward::South,
            3 => Forward::West,
            4 => Forward::North,
            _ => return None,
        };
        let turned = |eighths| Some(forward.direction().rotate(eighths));
        let direction = match self.direction / 10 {
            0 => turned(0),
            1 => turned(1),
            2 => turned(2),
            3 => turned(-1),
            4 => turned(-2),
            5 => None,
            _ => return None,
        };
        Some((forward, direction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direction_codes_have_the_meaning_of_the_manual() {
        let start = CrawlerStart {
            direction: 14,
            ..CrawlerStart::default()
        };
        assert_eq!(start.headings(), Some((Forward::North, Some(Direction::NorthEast))));
        let codes = (-20..120).filter(|code| {
            let start = CrawlerStart {
                direction: *code,
                ..start
            };
            start.headings().is_some()
        });
        assert_eq!(codes.count(), 24);
    }

    #[test]
    fn corners_head_away_from_the_room() {
        let room = Room {
            sites: [12, 2, 23, 3, 32, 5, 43, 1],
            ..Room::default()
        };
        let crawler = |forward, direction, open| {
            Some(SiteCode::Crawler {
                forward,
                direction,
                open,
            })
        };
        assert_eq!(room.site(0), crawler(Forward::North, Direction::North, false));
        assert_eq!(room.site(1), crawler(Forward::North, Direction::North, false));
        assert_eq!(room.site(2), crawler(Forward::North, Direction::NorthEast, true));
        assert_eq!(room.site(3), crawler(Forward::East, Direction::East, true));
        assert_eq!(room.site(4), crawler(Forward::East, Direction::SouthEast, false));
        assert_eq!(room.site(5), None);
        assert_eq!(room.site(6), crawler(Forward::West, Direction::West, true));
        assert_eq!(room.site(7), Some(SiteCode::Door));
        assert_eq!(room.site(8), None);
        for at in SitePlace::ALL {
            for code in [i32::MIN, -8, 4, 10, 13 + 90, i32::MAX] {
                assert_eq!(at.meaning(code), None, "{at:?} {code}");
            }
        }
    }

    #[test]
    fn a_room_past_the_border_is_shifted_inward() {
        let room = Room {
            div: 4,
            xdiv: 0,
            ydiv: 2,
            width: 5,
            ..Room::default()
        };
        assert_eq!(room.center_and_reach(Size::new(40, 60)), Some((Point::new(6, 30), 6)));
        let huge = Room {
            width: i32::MAX,
            ..room
        };
        assert_eq!(huge.center_and_reach(Size::new(40, 60)), None);
        let far = Room {
            xdiv: i32::MAX,
            ydiv: i32::MIN,
            div: 1,
            ..room
        };
        assert_eq!(far.center_and_reach(Size::new(40, 60)), Some((Point::new(33, 6), 6)));
    }

    #[test]
    fn a_dungeon_of_fewer_than_three_rows_has_no_place_for_a_room() {
        let room = Room::new(2, 1, 1, 0);
        for rows in [i32::MIN, 0, 1, 2] {
            assert_eq!(room.center_and_reach(Size::new(rows, 60)), None, "{rows}");
        }
        assert_eq!(room.center_and_reach(Size::new(3, 60)), Some((Point::new(1, 30), 1)));
    }
}
