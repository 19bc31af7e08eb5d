//! Places rooms. A room's record stores its centre as fractions of the dungeon's sides (`xdiv`/`div` and `ydiv`/`div`),
//! not as a square.
//!
//! On the grid, a room keeps its `div` and moves to the division nearest to the requested square. With free placement,
//! the room also keeps its `div` if its centre can be exactly on the square; otherwise, it gets the smallest `div` that
//! makes this possible. In dungeons of more than a thousand rows or columns, there are squares that no `div` reaches;
//! the room is then placed as near as possible.

use crate::design::{Constants, Room, RoomField, Site, SitePlace, style};
use crate::geometry::{Point, Size};
use crate::tui::widget::form::ring;

/// The placement of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::tui) enum RoomPlacing {
    /// On the grid of divisions that the room's `div` defines.
    #[default]
    Grid,
    /// On any square; the room's `div` changes if the square requires it.
    Free,
}

/// Largest `div` that the record allows.
const FINEST: i32 = RoomField::Div.info().max;

/// Returns the row or column of a division along a side of `side` squares.
fn square(division: i32, div: i32, side: i32) -> i32 {
    (i64::from(division) * i64::from(side) / i64::from(div.max(1))) as i32
}

/// Returns the division nearest to the row or column `at`, and its distance in squares. A room whose centre lies fewer
/// than `reach` squares from the border would be moved inwards; divisions this close to the border are used only if
/// there are no others.
fn nearest(at: i32, div: i32, side: i32, reach: i32) -> (i32, i32) {
    let div = div.max(1);
    // Only the divisions around the square and at the ends of the valid range are candidates.
    let around = |at: i32| (i64::from(at) * i64::from(div) / i64::from(side.max(1))) as i32;
    let (low, high) = (reach, side - 1 - reach);
    [at, low, high]
        .into_iter()
        .flat_map(|at| around(at) - 1..=around(at) + 2)
        .filter(|division| (0..=div).contains(division))
        .map(|division| (division, square(division, div, side)))
        .min_by_key(|(_, to)| (!(low..=high).contains(to), to.abs_diff(at)))
        .map_or((0, at), |(division, to)| (division, to.abs_diff(at) as i32))
}

/// Returns the room with its centre as near to a square as the grid or the record allows.
pub(in crate::tui) fn placed(room: Room, at: Point, size: Size, placing: RoomPlacing) -> Room {
    let reach = room.width.saturating_add(1);
    let with = |div: i32| {
        let (xdiv, down) = nearest(at.x, div, size.x, reach);
        let (ydiv, right) = nearest(at.y, div, size.y, reach);
        (
            Room {
                div,
                xdiv,
                ydiv,
                ..room
            },
            down.max(right),
        )
    };
    let kept = with(room.div.max(1));
    if placing == RoomPlacing::Grid || kept.1 == 0 {
        return kept.0;
    }
    let all = (2..=FINEST).map(with);
    // Among equally near candidates, the first one has the smallest `div`.
    let mut best = kept;
    for found in all {
        if found.1 < best.1 {
            best = found;
        }
        if best.1 == 0 {
            break;
        }
    }
    best.0
}

/// Returns the rows and the columns of the grid lines for a `div`; the lines divide the dungeon into `div` equal parts.
pub(super) fn grid(div: i32, size: Size) -> (Vec<i32>, Vec<i32>) {
    let lines = |side: i32| (1..div).map(|division| square(division, div, side)).collect();
    (lines(size.x), lines(size.y))
}

/// Returns the room, resized so that its wall passes through `to`. Its width is clamped to the widths that can be
/// built.
pub(super) fn with_wall_through(room: Room, center: Point, to: Point, size: Size, constants: &Constants) -> Room {
    let reach = center.x.abs_diff(to.x).max(center.y.abs_diff(to.y)) as i32;
    let most = (size.x.min(size.y) - 3) / 2;
    let least = constants.smallest_room_width.max(0);
    Room {
        width: (reach - 1).clamp(least, most.max(least)),
        ..room
    }
}

/// Returns the squares of a room's eight sites, in the order of the room's record; `None` if the room cannot be placed.
pub(super) fn handles(room: &Room, size: Size) -> Option<[Point; 8]> {
    let (center, reach) = room.center_and_reach(size)?;
    Some(SitePlace::ALL.map(|place| match place {
        SitePlace::Center(forward) => center.step(forward, reach),
        SitePlace::Corner(a, b) => center.step(a, reach).step(b, reach),
    }))
}

/// Returns the next or previous code that has a meaning at a site.
pub(super) fn next_code(site: Site, code: i32, by: i32) -> i32 {
    let Some(place) = SitePlace::ALL.get(site) else {
        return code;
    };
    let codes: Vec<i32> = (0..=99).filter(|code| place.meaning(*code).is_some()).collect();
    match codes.iter().position(|known| *known == code) {
        Some(at) => codes[ring(at, by, codes.len())],
        None => 0,
    }
}

/// Returns the style with the doors changed from normal to large, from large to extra large, or from extra large to
/// normal, and a description of the new doors.
pub(super) fn next_doors(value: i32, corner: bool) -> (i32, &'static str) {
    let (large, extra) = if corner {
        (style::LARGE_CORNER_DOORS, style::EXTRA_LARGE_CORNER_DOORS)
    } else {
        (style::LARGE_CENTER_DOORS, style::EXTRA_LARGE_CENTER_DOORS)
    };
    let rest = value & !(large | extra);
    match (value & large != 0, value & extra != 0) {
        (false, false) => (rest | large, "large"),
        (true, false) => (rest | extra, "extra large"),
        (_, true) => (rest, "of normal width"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn on_the_grid_a_room_goes_to_the_nearest_division() {
        let size = Size::new(40, 60);
        let room = Room {
            div: 4,
            width: 3,
            ..Room::default()
        };
        let at = |x, y| {
            let room = placed(room, Point::new(x, y), size, RoomPlacing::Grid);
            (room.div, room.xdiv, room.ydiv)
        };
        assert_eq!(at(11, 43), (4, 1, 3));
        assert_eq!(at(16, 36), (4, 2, 2));
        assert_eq!(at(0, 59), (4, 1, 3), "the border would shift it at 0 and 4");
        let huge = Room { width: 18, ..room };
        let huge = placed(huge, Point::new(20, 30), size, RoomPlacing::Grid);
        assert_eq!((huge.xdiv, huge.ydiv), (2, 2));
    }

    proptest! {
        #[test]
        fn free_rooms_hit_every_square_of_dungeons_up_to_a_thousand(
            x in 20..1000i32, y in 20..1000i32, at in (0.0..1.0f64, 0.0..1.0f64),
        ) {
            let size = Size::new(x, y);
            let room = Room { width: 3, ..Room::default() };
            let inside = |side: i32, part: f64| 4 + (f64::from(side - 9) * part) as i32;
            let at = Point::new(inside(x, at.0), inside(y, at.1));
            let room = placed(room, at, size, RoomPlacing::Free);
            prop_assert_eq!(room.center_and_reach(size), Some((at, 4)), "{:?}", room);
            let places = [RoomField::Div, RoomField::Xdiv, RoomField::Ydiv];
            prop_assert!(places.iter().all(|field| field.info().range().contains(&field.get(&room))));
        }

        #[test]
        fn extreme_sizes_and_places_do_not_panic(
            x in 20..32_767i32, y in 20..32_767i32, at in (-9..40_000i32, -9..40_000i32),
            div in -3..2000i32, width in -2..40_000i32, free in any::<bool>(),
        ) {
            let size = Size::new(x, y);
            let room = Room { div, width, ..Room::default() };
            let placing = if free { RoomPlacing::Free } else { RoomPlacing::Grid };
            let room = placed(room, Point::new(at.0, at.1), size, placing);
            prop_assert!(room.div >= 1 && (0..=room.div).contains(&room.xdiv) && (0..=room.div).contains(&room.ydiv));
        }
    }

    #[test]
    fn sites_cycle_through_every_code_with_a_meaning() {
        for (site, codes) in [(0, 10), (1, 4)] {
            let mut code = 0;
            for _ in 0..codes {
                code = next_code(site, code, 1);
                assert!(SitePlace::ALL[site].meaning(code).is_some());
            }
            assert_eq!(code, 0);
            assert_eq!(next_code(site, next_code(site, 1, 1), -1), 1);
            assert_eq!(next_code(site, 77, 1), 0, "no code at all");
        }
        assert_eq!(next_doors(1, true), (3, "large"));
        assert_eq!(next_doors(1 | 8, false), (1 | 16, "extra large"));
        assert_eq!(next_doors(1 | 8 | 16, false), (1, "of normal width"));
    }

    #[test]
    fn a_room_is_dragged_to_the_widths_that_can_be_built() {
        let (size, constants) = (Size::new(40, 60), Constants::default());
        let center = Point::new(20, 30);
        let width = |x, y| with_wall_through(Room::default(), center, Point::new(x, y), size, &constants).width;
        assert_eq!(width(20, 38), 7);
        assert_eq!(width(14, 28), 5);
        assert_eq!(width(20, 31), constants.smallest_room_width);
        assert_eq!(width(20, 59), 18, "the largest width in a dungeon of 40 rows");
    }
}
