//! Words for the Builders, tiles, moments and events of a run.

use crate::engine::{
    BuilderId, BuilderKind, Clock, Death, Event, LookAhead, Mark, Obstacle, Opening, PredictedOutcome, Tile,
    TurnPrediction, TurnReason,
};
use crate::geometry::{Direction, Forward, Size};
use crate::text::{counted, thousands};

/// Returns a Builder's name: `Crawler #17`. Builders are numbered from 1 in the order of their birth; the `#`
/// distinguishes them from entries of the design.
pub(in crate::tui) fn builder_name(kind: BuilderKind, id: BuilderId) -> String {
    format!("{} {id}", kind.name())
}

/// Returns a Builder's number: `#17`.
pub(in crate::tui) fn builder_number(id: BuilderId) -> String {
    id.to_string()
}

/// Returns the name of a kind of tile.
pub(in crate::tui) const fn tile_name(tile: Tile) -> &'static str {
    match tile {
        Tile::Open => "open",
        Tile::Guaranteed => "kept open",
        Tile::Wall => "wall",
        Tile::HighWall => "high wall",
        Tile::Column => "column",
    }
}

/// Names the generation in a mark: `generation 2`, or `generation 123 or later` for [`Mark::LAST`], which includes all
/// later generations.
pub(in crate::tui) fn marked_generation(generation: u8) -> String {
    let later = if generation == Mark::LAST { " or later" } else { "" };
    format!("generation {generation}{later}")
}

/// Formats a Direction: `Direction NorthEast`, or `no Direction`.
pub(in crate::tui) fn direction(direction: Option<Direction>) -> String {
    direction.map_or_else(|| "no Direction".into(), |direction| format!("Direction {direction}"))
}

/// Describes where a Crawler leaves an opening in its wall, if anywhere.
pub(in crate::tui) const fn opening(opening: Opening) -> &'static str {
    match opening {
        Opening::Closed => "closed: it can join a wall ahead",
        Opening::End => "open at its end",
        Opening::Start => "open at its start",
    }
}

/// Describes a cause of death.
pub(in crate::tui) const fn death(cause: Death) -> &'static str {
    match cause {
        Death::Blocked => "no room ahead, and no turn possible",
        Death::Aged => "old age",
        Death::Joined => "joined a wall, so its own wall is complete",
    }
}

/// Formats a moment: `turn 512, iteration 104`.
pub(in crate::tui) fn moment(clock: Clock) -> String {
    format!(
        "turn {}, iteration {}",
        thousands(clock.turn),
        thousands(u64::from(clock.iteration))
    )
}

/// Returns how a Builder turns from one heading to another: `left`, `right` or `around`.
pub(in crate::tui) fn turn_side(from: Forward, to: Forward) -> &'static str {
    if to == from.left() {
        "left"
    } else if to == from.right() {
        "right"
    } else {
        "around"
    }
}

/// Describes an event without naming its Builder.
pub(in crate::tui) fn event(event: &Event) -> String {
    match *event {
        Event::Born { birth, .. } => {
            let of = birth
                .parent
                .map_or_else(String::new, |parent| format!(" of {}", builder_number(parent)));
            format!("born{of}, heading {}", birth.forward)
        }
        Event::Unborn { living, .. } => format!("no baby: {} already alive", counted(living, "Builder")),
        Event::Woke { .. } => "woke".into(),
        Event::Laid { at, tile, .. } => format!("laid {} at {at:#}", tile_name(tile)),
        Event::Moved { to, .. } => format!("moved to {to:#}"),
        Event::Turned { from, to, why, .. } => {
            let side = turn_side(from, to);
            match why {
                TurnReason::Forced { free, .. } => {
                    format!(
                        "turned {side} to {to}: only {} free ahead",
                        counted(u64::from(free), "row")
                    )
                }
                TurnReason::Free { rolled, chance } => {
                    format!("turned {side} to {to}: rolled {rolled}, below {chance}")
                }
            }
        }
        Event::OpeningChanged { .. } => "left a gap at its start".into(),
        Event::Joined { distance, .. } => format!("joined a wall across {}", counted(u64::from(distance), "square")),
        Event::Died { cause, .. } => format!("died: {}", death(cause)),
    }
}

/// Describes what ends the free space ahead: a tile and its square, or the edge of the dungeon.
pub(in crate::tui) fn obstacle(end: Option<Obstacle>, size: Size) -> String {
    let Some(Obstacle::Tile { at, tile, mark }) = end else {
        return "the edge of the dungeon".into();
    };
    let what = match (tile, mark) {
        (Tile::Wall, _) if size.on_border(at) => return "the border".into(),
        (Tile::Guaranteed, _) => "a square that stays open".into(),
        (Tile::Wall, Mark::Generation(generation)) => format!("a wall of {}", marked_generation(generation)),
        (Tile::Column, Mark::Generation(generation)) => format!("a column of {}", marked_generation(generation)),
        (Tile::Wall, Mark::Design) => "a wall of the design".into(),
        (Tile::Column, Mark::Design) => "a column of the design".into(),
        (Tile::HighWall, _) => "a high wall".into(),
        (Tile::Open, _) => "an open square".into(),
    };
    format!("{what} at {at:#}")
}

/// Describes the free space ahead and what ends it: `3 squares free, then a wall of generation 2 at row 12, column 30`.
pub(in crate::tui) fn room_ahead(look: &LookAhead, size: Size) -> String {
    let free = counted(look.free.max(0) as u64, "square");
    match look.end {
        None => format!("at least {free} free"),
        end => format!("{free} free, then {}", obstacle(end, size)),
    }
}

/// Describes the prediction of a Builder's next turn.
pub(in crate::tui) fn next_turn(prediction: &TurnPrediction, kind: BuilderKind, size: Size) -> String {
    let longest = prediction.looks.first().and_then(|first| {
        let ahead = prediction
            .looks
            .iter()
            .filter(|sight| sight.look.forward == first.look.forward);
        // A look from beyond the gap at the start of a wall shows more than the look across the gap.
        ahead.max_by_key(|sight| (sight.from != first.from, sight.look.limit))
    });
    let ahead = longest.map_or_else(String::new, |sight| room_ahead(&sight.look, size));
    let last = prediction.looks.last().map(|sight| sight.look);
    let squares = prediction.squares.len() as u64;
    match prediction.outcome {
        PredictedOutcome::Ages => "dies of old age next".into(),
        PredictedOutcome::Blocked if kind.is_jumper() => format!("dies next: {ahead}, and a Jumper never turns"),
        // A Crawler without room for the gap at its start looks only once; any other one also looks to a side.
        PredictedOutcome::Blocked if prediction.looks.len() == 1 => {
            format!("dies next, without room for the gap at its start: {ahead}")
        }
        PredictedOutcome::Blocked => format!("dies next: {ahead}, and nowhere to turn"),
        PredictedOutcome::Joins => format!(
            "builds {} next and joins {}",
            counted(squares, "square"),
            obstacle(last.and_then(|look| look.end), size)
        ),
        PredictedOutcome::Builds if kind.is_jumper() => format!("leaves a column next: {ahead}"),
        PredictedOutcome::Builds => format!("builds {} next: {ahead}", counted(squares, "square")),
        PredictedOutcome::Turns => {
            let ways: Vec<String> = prediction.headings.iter().map(ToString::to_string).collect();
            format!("turns to {} next: ahead, {ahead}", ways.join(" or "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::LookFrom;
    use crate::geometry::Point;

    fn look(from: Point, free: i32, limit: i32) -> LookFrom {
        let look = LookAhead {
            forward: Forward::East,
            corridor: 2,
            free,
            limit,
            end: (free < limit).then_some(Obstacle::Edge),
        };
        LookFrom { from, look }
    }

    fn description(outcome: PredictedOutcome, looks: Vec<LookFrom>, squares: usize) -> String {
        let prediction = TurnPrediction {
            looks,
            outcome,
            squares: vec![Point::new(5, 9); squares],
            headings: Vec::new(),
        };
        next_turn(&prediction, BuilderKind::Crawler, Size::new(20, 20))
    }

    #[test]
    fn the_look_that_shows_most_describes_the_room_ahead() {
        let (start, beyond) = (Point::new(5, 5), Point::new(5, 7));
        let builds = |looks| description(PredictedOutcome::Builds, looks, 4);
        // A small joinDist limits the first look of a closed Crawler.
        assert_eq!(
            builds(vec![look(start, 1, 1), look(start, 6, 8)]),
            "builds 4 squares next: 6 squares free, then the edge of the dungeon"
        );
        assert_eq!(
            builds(vec![look(start, 13, 13), look(start, 6, 6)]),
            "builds 4 squares next: at least 13 squares free"
        );
        assert_eq!(
            builds(vec![look(start, 5, 5), look(beyond, 2, 2), look(beyond, 4, 4)]),
            "builds 4 squares next: at least 4 squares free"
        );
    }

    #[test]
    fn a_crawler_without_room_for_its_gap_does_not_look_for_a_turn() {
        assert_eq!(
            description(PredictedOutcome::Blocked, vec![look(Point::new(5, 5), 3, 5)], 0),
            "dies next, without room for the gap at its start: 3 squares free, then the edge of the dungeon"
        );
    }

    #[test]
    fn the_last_marked_generation_includes_all_later_ones() {
        assert_eq!(marked_generation(122), "generation 122");
        assert_eq!(marked_generation(123), "generation 123 or later");
        let wall = Obstacle::Tile {
            at: Point::new(2, 3),
            tile: Tile::Wall,
            mark: Mark::generation(500),
        };
        assert_eq!(
            obstacle(Some(wall), Size::new(9, 9)),
            "a wall of generation 123 or later at (2, 3)"
        );
    }

    #[test]
    fn a_joined_wall_is_described_by_the_tiles_that_reach_it() {
        let builder = BuilderId(0);
        let joined = Event::Joined { builder, distance: 7 };
        assert_eq!(event(&joined), "joined a wall across 7 squares");
    }
}
