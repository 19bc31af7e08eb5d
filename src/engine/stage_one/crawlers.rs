//! Starts the first Crawlers of the rooms file: interprets their codes, open/closed pairs and delays. An open/closed
//! pair is two Crawlers of which only one, chosen at random, leaves an opening. Also reports first Crawlers that can
//! never lay a tile, both those that the rooms file lists and those at the walls of rooms.

use crate::design::{Constant, CrawlerField, CrawlerStart, Diagnostic, Entry, Place, Stat, ValidDesign};
use crate::geometry::{Direction, Forward};

use super::layout::{self, BuiltLayout, Start};
use crate::engine::event::{BuilderKind, Opening};
use crate::engine::grid::Tile;
use crate::text::counted;

/// The reason why a Crawler is not started.
struct Rejection {
    field: CrawlerField,
    message: String,
    help: String,
}

impl Rejection {
    fn new(field: CrawlerField, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            field,
            message: message.into(),
            help: help.into(),
        }
    }
}

/// Starts the first Crawlers that the rooms file lists, and reports those that cannot start.
pub(super) fn start(design: &ValidDesign, built: &mut BuiltLayout) {
    let crawlers = &design.layout.crawlers;
    for (index, crawler) in crawlers.iter().enumerate() {
        let entry = Entry::Crawler(index);
        match resolve(crawlers, index, design) {
            Ok((forward, direction, opening)) => {
                let place = Place::field(entry, CrawlerField::Delay);
                let mut stream = layout::stream(design.seed, entry);
                let delay = layout::delay(crawler.delay, place, &mut stream, &mut built.diagnostics);
                built.starts.push(Start {
                    origin: Place::field(entry, CrawlerField::Direction),
                    kind: BuilderKind::Crawler,
                    at: crawler.at,
                    forward,
                    direction,
                    opening,
                    delay,
                    turns: None,
                });
            }
            Err(Rejection { field, message, help }) => {
                built.left_out.push(entry);
                built.diagnostics.push(
                    Diagnostic::warning(format!("{message}; the Crawler is left out"))
                        .at(Place::field(entry, field))
                        .help(help),
                );
            }
        }
    }
}

/// Translates a Crawler's codes to its heading, Direction and opening, or returns the reason why it cannot start.
fn resolve(
    crawlers: &[CrawlerStart],
    index: usize,
    design: &ValidDesign,
) -> Result<(Forward, Option<Direction>, Opening), Rejection> {
    let crawler = &crawlers[index];
    let size = design.layout.size;
    if !size.contains(crawler.at) {
        return Err(Rejection::new(
            CrawlerField::X,
            format!("{} lies outside the dungeon", crawler.at),
            format!(
                "use a row (x) from 0 to {} and a column (y) from 0 to {}",
                size.x - 1,
                size.y - 1
            ),
        ));
    }
    let (forward, direction) = crawler.headings().ok_or_else(|| {
        Rejection::new(
            CrawlerField::Direction,
            format!("{} is not a direction", crawler.direction),
            "use 1 to 4 as the ones digit (heading) and 0 to 5 as the tens digit (Direction)",
        )
    })?;
    Ok((forward, direction, opening(crawlers, index, design.seed)?))
}

/// Returns the index of the first Crawler of an open/closed pair whose second Crawler is not in `before`.
fn first_of_open_pair(before: &[CrawlerStart]) -> Option<usize> {
    let complete = before.iter().rposition(|crawler| crawler.termination == 4);
    let begin = complete.map_or(0, |last| last + 1);
    let first = before[begin..].iter().position(|crawler| crawler.termination == 3)?;
    Some(begin + first)
}

/// Returns where a Crawler leaves an opening. A Crawler of termination 3 forms a pair with the next Crawler of
/// termination 4 in the list; if none follows, it is open or closed at random. A further Crawler of termination 3
/// between the two is left out (recorded dungeons: `pairs-*`).
fn opening(crawlers: &[CrawlerStart], index: usize, seed: u64) -> Result<Opening, Rejection> {
    // The first Crawler of a pair that is still incomplete before this Crawler.
    let first = first_of_open_pair(&crawlers[..index]);
    let (message, help) = match (crawlers[index].termination, first) {
        (1, _) => return Ok(Opening::End),
        (2, _) => return Ok(Opening::Closed),
        (3, None) => return Ok(pair_opening(seed, Entry::Crawler(index), true)),
        (4, Some(first)) => return Ok(pair_opening(seed, Entry::Crawler(first), false)),
        (3, Some(_)) => (
            "an open/closed pair begins before the pair above is complete".into(),
            "after each Crawler with termination 3, add a Crawler with termination 4",
        ),
        (4, None) => (
            "an open/closed pair ends, but no Crawler above begins it".into(),
            "before each Crawler with termination 4, add a Crawler with termination 3",
        ),
        (other, _) => (
            format!("{other} is not a valid termination code"),
            "use 1 for an opening at the end, 2 for none, 3 and 4 for the first and second of an open/closed pair",
        ),
    };
    Err(Rejection::new(CrawlerField::Termination, message, help))
}

/// Returns the opening of one Crawler of a pair. A random number from the stream of the pair's first Crawler decides
/// which of the two is closed. The first number of that stream is skipped, because it is reserved for a random delay.
fn pair_opening(seed: u64, first: Entry, is_first: bool) -> Opening {
    let mut stream = layout::stream(seed, first);
    stream.below(10);
    if (stream.below(2) == 0) == is_first {
        Opening::Closed
    } else {
        Opening::End
    }
}

/// Reports how many first Crawlers die of old age before they build. Crawlers without a delay have their first turn at
/// age 1, Crawlers with a delay at age 0.
fn report_short_lives(design: &ValidDesign, built: &mut BuiltLayout) {
    let life = design.character.generations[0].max_age;
    let dies = |start: &&Start| life <= i32::from(start.delay == 0);
    let crawlers = || built.starts.iter().filter(|start| start.kind == BuilderKind::Crawler);
    let (dead, all) = (crawlers().filter(dies).count(), crawlers().count());
    if dead == 0 {
        return;
    }
    let which = if dead == all {
        String::new()
    } else {
        format!(" ({dead} of the {all} first Crawlers)")
    };
    let delay = if life == 1 { " without a delay" } else { "" };
    built.diagnostics.push(
        Diagnostic::warning(format!(
            "MaxAge of generation 0 is {life}: first Crawlers{delay}{which} die without building"
        ))
        .at(Place::field(Entry::Generation(0), Stat::MaxAge))
        .help("raise MaxAge: a Crawler without a delay acts MaxAge − 1 times, one with a delay acts MaxAge times"),
    );
}

/// Limits the number of first Builders to maxCrawlers. The Builders beyond the limit do not start, and are reported
/// (recorded dungeons: `limited-*`).
pub(super) fn limit(design: &ValidDesign, built: &mut BuiltLayout) {
    let most = design.constants.max_crawlers;
    let room = usize::try_from(most).unwrap_or(0).min(built.starts.len());
    built.refused = built.starts.split_off(room);
    for start in &built.refused {
        if let entry @ Entry::Crawler(_) = start.origin.entry {
            built.left_out.push(entry);
        }
    }
    let refused = built.refused.len();
    if refused > 0 {
        let left_out = if refused == 1 {
            "the last one does not start".to_owned()
        } else {
            format!("the last {refused} do not start")
        };
        built.diagnostics.push(
            Diagnostic::warning(format!(
                "maxCrawlers is {most}, but the design has more first Builders: {left_out}"
            ))
            .at(Place::field(Entry::Constants, Constant::MaxCrawlers))
            .help("raise maxCrawlers, remove first Crawlers, or remove Crawlers or columns from rooms"),
        );
    }
}

/// Reports first Crawlers that cannot lay a single tile. A Crawler that is blocked at the beginning is still blocked
/// after its delay, because tiles are never removed.
pub(super) fn report_idle(design: &ValidDesign, built: &mut BuiltLayout) {
    report_short_lives(design, built);
    let corridor = design.character.generations[0].corridor(&design.constants);
    let needed = corridor.saturating_add(1);
    for start in built.starts.iter().filter(|start| start.kind == BuilderKind::Crawler) {
        let ahead = start.at.step(start.forward, 1);
        let has_room = |forward: Forward| built.grid.free_rows(start.at, forward, corridor, needed) == needed;
        let sides = [start.forward.left(), start.forward.right()];
        let turns = |side: &Forward| start.direction.is_none_or(|d| d.allows(*side));
        let closed = start.opening == Opening::Closed;
        let (why, help) = if !design.layout.size.contains(ahead) {
            (
                "faces out of the dungeon".into(),
                "turn it, or move it away from the border",
            )
        } else if closed && design.constants.join_dist > 0 && built.grid.tile(ahead) == Tile::Wall {
            (
                "starts directly in front of a wall, which it joins immediately".into(),
                "turn it, move it, or give it an open end",
            )
        } else if closed && built.grid.tile(ahead) == Tile::Open {
            // Other Builders may still build a wall that the Crawler joins, and joining needs no room for a corridor.
            continue;
        } else if !has_room(start.forward) && !sides.iter().filter(|side| turns(side)).any(|side| has_room(*side)) {
            (
                format!(
                    "has no room for a corridor of {} ahead or on a side that its Direction allows",
                    counted(corridor, "square")
                ),
                "move it, turn it, or reduce CorridorWidth of generation 0 and minCorrWidth",
            )
        } else {
            continue;
        };
        let who = match start.origin.entry {
            Entry::Room(_) => format!("a Crawler of {}", start.origin.entry.label()),
            entry => entry.label(),
        };
        built.diagnostics.push(
            Diagnostic::warning(format!("{who} {why}; it dies without building"))
                .at(start.origin)
                .help(help),
        );
    }
}
