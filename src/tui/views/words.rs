//! Builders and what happened to them, in plain words.

use crate::engine::{BuilderId, BuilderKind, Clock, Death, Event, Opening, Tile, TurnReason};
use crate::geometry::{Direction, Forward};
use crate::text::counted;
use crate::tui::screen::thousands;

/// A Builder: `Crawler #17`. They are numbered in the order of their birth, from 1 as the entries of the design are; the
/// sign keeps them apart from those.
pub(crate) fn name(kind: BuilderKind, id: BuilderId) -> String {
    let kind = match kind {
        BuilderKind::Crawler => "Crawler",
        BuilderKind::Jumper | BuilderKind::DoorJumper | BuilderKind::RoomJumper => "Jumper",
    };
    format!("{kind} {}", number(id))
}

/// A Builder's number: `#17`.
pub(super) fn number(id: BuilderId) -> String {
    format!("#{}", thousands(u64::from(id.0) + 1))
}

/// A count with its word: `1 square`, `4 squares`.
pub(crate) fn count(number: u64, one: &str) -> String {
    counted(number, one)
}

/// What kind of tile.
pub(in crate::tui) const fn tile(tile: Tile) -> &'static str {
    match tile {
        Tile::Open => "open",
        Tile::Guaranteed => "open for good",
        Tile::Wall => "wall",
        Tile::HighWall => "high wall",
        Tile::Column => "column",
    }
}

/// A Direction, or that there is none.
pub(super) fn direction(direction: Option<Direction>) -> String {
    direction.map_or_else(|| "no Direction".into(), |direction| format!("Direction {direction}"))
}

/// Where a Crawler leaves an opening.
pub(super) const fn opening(opening: Opening) -> &'static str {
    match opening {
        Opening::Closed => "closed: it joins a wall ahead",
        Opening::End => "open at its end",
        Opening::Start => "open at its start",
    }
}

/// What a Builder died of.
pub(super) const fn death(cause: Death) -> &'static str {
    match cause {
        Death::Blocked => "no room ahead or aside",
        Death::Aged => "old age",
        Death::Joined => "joined a wall, which ends its run",
    }
}

/// A moment: `turn 512, iteration 104`.
pub(super) fn moment(clock: Clock) -> String {
    format!(
        "turn {}, iteration {}",
        thousands(clock.turn),
        thousands(u64::from(clock.iteration))
    )
}

/// To which side a turn goes.
pub(super) fn side(from: Forward, to: Forward) -> &'static str {
    if to == from.left() {
        "left"
    } else if to == from.right() {
        "right"
    } else {
        "about"
    }
}

/// What happened, without saying to whom.
pub(super) fn event(event: &Event) -> String {
    match *event {
        Event::Born { birth, .. } => {
            let of = birth
                .parent
                .map_or_else(String::new, |parent| format!(" of {}", number(parent)));
            format!("born{of}, heading {}", birth.forward)
        }
        Event::Unborn { living, .. } => format!("no baby: {} live already", thousands(u64::from(living))),
        Event::Woke { .. } => "woke".into(),
        Event::Laid { at, tile, .. } => format!("laid {} at {at}", self::tile(tile)),
        Event::Moved { to, .. } => format!("moved to {to}"),
        Event::Turned { from, to, why, .. } => {
            let side = side(from, to);
            match why {
                TurnReason::Forced { free, .. } => {
                    format!("turned {side} to {to}: {} free ahead", count(u64::from(free), "row"))
                }
                TurnReason::Free { rolled, chance } => {
                    format!("turned {side} to {to}: rolled {rolled} under {chance}")
                }
            }
        }
        Event::OpeningChanged { .. } => "left a gap at its start".into(),
        Event::Joined { distance, .. } => format!("joined the wall {} ahead", count(u64::from(distance), "square")),
        Event::Died { cause, .. } => format!("died: {}", death(cause)),
    }
}
