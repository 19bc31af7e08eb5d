//! Text for Builders and events.

use crate::engine::{BuilderId, BuilderKind, Clock, Death, Event, Opening, Tile, TurnReason};
use crate::geometry::{Direction, Forward};
use crate::text::counted;
use crate::tui::screen::thousands;

/// Returns a Builder's name: `Crawler #17`. Builders are numbered from 1 in the order of their birth; the sign
/// distinguishes them from entries of the design.
pub(crate) fn name(kind: BuilderKind, id: BuilderId) -> String {
    let kind = match kind {
        BuilderKind::Crawler => "Crawler",
        BuilderKind::Jumper | BuilderKind::DoorJumper | BuilderKind::RoomJumper => "Jumper",
    };
    format!("{kind} {}", number(id))
}

/// Returns a Builder's number: `#17`.
pub(super) fn number(id: BuilderId) -> String {
    format!("#{}", thousands(u64::from(id.0) + 1))
}

/// Returns a count with its noun: `1 square`, `4 squares`.
pub(crate) fn count(number: u64, one: &str) -> String {
    counted(number, one)
}

/// Returns the name of a kind of tile.
pub(in crate::tui) const fn tile(tile: Tile) -> &'static str {
    match tile {
        Tile::Open => "open",
        Tile::Guaranteed => "open for good",
        Tile::Wall => "wall",
        Tile::HighWall => "high wall",
        Tile::Column => "column",
    }
}

/// Returns a Direction, or that there is none.
pub(super) fn direction(direction: Option<Direction>) -> String {
    direction.map_or_else(|| "no Direction".into(), |direction| format!("Direction {direction}"))
}

/// Describes where a Crawler leaves an opening.
pub(super) const fn opening(opening: Opening) -> &'static str {
    match opening {
        Opening::Closed => "closed: it joins a wall ahead",
        Opening::End => "open at its end",
        Opening::Start => "open at its start",
    }
}

/// Describes a cause of death.
pub(super) const fn death(cause: Death) -> &'static str {
    match cause {
        Death::Blocked => "no room ahead or aside",
        Death::Aged => "old age",
        Death::Joined => "joined a wall, which ends its run",
    }
}

/// Formats a moment: `turn 512, iteration 104`.
pub(super) fn moment(clock: Clock) -> String {
    format!(
        "turn {}, iteration {}",
        thousands(clock.turn),
        thousands(u64::from(clock.iteration))
    )
}

/// Returns the side of a turn: left, right or about.
pub(super) fn side(from: Forward, to: Forward) -> &'static str {
    if to == from.left() {
        "left"
    } else if to == from.right() {
        "right"
    } else {
        "about"
    }
}

/// Describes an event without naming its Builder.
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
