//! A recording shows the dungeon as it grew, at any turn and in both directions.

#![expect(clippy::expect_used, reason = "a design of the tests is valid")]

use std::collections::BTreeMap;

use crate::common::designs;
use proptest::prelude::*;
use wallcrawler::design::{CrawlerStart, Design, Room, ValidDesign};
use wallcrawler::engine::{BuilderId, Event, Growth, Mark, Options, Tile};
use wallcrawler::geometry::{Point, Size};
use wallcrawler::recording::{BuilderState, EventChunk, Playback, Recording, TileOrigin, TileOrigins};

/// Returns a design in which most kinds of events happen: rooms, columns, Jumpers, open starts, late babies.
fn lively(seed: u64, size: (i32, i32), directions: &[i32]) -> ValidDesign {
    let mut design = Design {
        seed,
        ..Design::default()
    };
    design.layout.size = Size::new(size.0, size.1);
    design.layout.rooms.push(Room {
        sites: [12, 1, 1, 3, 43, 1, 1, 3],
        width: 4,
        style: 1 + 128,
        ..Room::default()
    });
    design.layout.open.push(Point::new(5, 5));
    for (i, &direction) in directions.iter().enumerate() {
        let at = Point::new(0, 8 + 7 * i as i32);
        design.layout.crawlers.push(CrawlerStart {
            at,
            direction,
            delay: i as i32,
            termination: 1 + i as i32 % 2,
        });
    }
    for (g, generation) in design.character.generations.iter_mut().enumerate() {
        generation.step_length = 2 + g as i32 % 4;
        generation.corridor_width = 4 - g as i32 / 3;
        generation.jumper_prob = 20;
        generation.open_start_prob = 20;
        generation.late_spawn_prob = 20;
        generation.late_spawn = 2;
        generation.no_direction_prob = 30;
    }
    design.constants.max_crawlers = if size.0 > 100 { 20_000 } else { 120 };
    valid(&design)
}

fn valid(design: &Design) -> ValidDesign {
    design.validate(None).design.expect("a valid design")
}

fn record(design: &ValidDesign) -> (Growth, Recording) {
    let (mut growth, mut recording) = Recording::begin(design, Options::default());
    growth.finish(&mut recording);
    recording.finish();
    (growth, recording)
}

proptest! {
    #![proptest_config(designs::config())]

    #[test]
    fn any_turn_is_the_same_forwards_and_backwards(
        design in designs::design(60),
        stops in prop::collection::vec(0.0..1.0_f64, 1..12),
    ) {
        let (growth, recording) = record(&valid(&design));
        let stops: Vec<u64> = stops.iter().map(|stop| (stop * recording.turns() as f64) as u64).collect();
        // From the start, turn by turn: only forwards.
        let mut straight = Playback::new(&recording);
        let mut frames = BTreeMap::from([(0, straight.frame().clone())]);
        for turn in 1..=recording.turns() {
            straight.seek(&recording, turn);
            if stops.contains(&turn) {
                frames.insert(turn, straight.frame().clone());
            }
        }
        let mut wandering = Playback::new(&recording);
        wandering.seek(&recording, u64::MAX);
        prop_assert!(wandering.frame() == straight.frame());
        prop_assert!(wandering.frame().grid() == growth.grid());
        prop_assert!(wandering.frame().living().next().is_none(), "a finished run has no living Builder");
        for turn in stops {
            wandering.seek(&recording, turn);
            prop_assert!(wandering.frame() == &frames[&turn] && wandering.turn() == turn, "turn {}", turn);
            let count = |state: BuilderState| wandering.frame().living().filter(|(_, b)| b.state == state).count() as u32;
            prop_assert_eq!(count(BuilderState::Awake), wandering.frame().awake());
            prop_assert_eq!(count(BuilderState::Asleep), wandering.frame().asleep());
        }
    }

    #[test]
    fn births_minus_deaths_are_the_living_and_every_tile_has_a_builder(design in designs::design(60)) {
        let (_, recording) = record(&valid(&design));
        let mut cursor = Playback::new(&recording);
        for turn in [recording.turns() / 3, recording.turns() / 2, recording.turns()] {
            cursor.seek(&recording, turn);
            let seen: Vec<Event> = (0..=turn).flat_map(|t| recording.events_of(t)).collect();
            let born = seen.iter().filter(|e| matches!(e, Event::Born { .. })).count();
            let died = seen.iter().filter(|e| matches!(e, Event::Died { .. })).count();
            prop_assert_eq!(born - died, cursor.frame().living().count());
            let laid: u32 = cursor.frame().builders().iter().map(|b| b.laid).sum();
            let start = recording.start();
            let changed = start.rows().zip(cursor.frame().grid().rows())
                .flat_map(|(a, b)| a.zip(b))
                .filter(|(a, b)| a != b)
                .count();
            prop_assert_eq!(laid as usize, changed, "each tile is laid once, by one Builder");
            prop_assert_eq!(cursor.frame().tiles().iter().sum::<u64>(), u64::from(laid));
            let kinds = Tile::ALL.map(|kind| cursor.frame().grid().rows().flatten().filter(|tile| *tile == kind).count() as u64);
            prop_assert_eq!(cursor.frame().kinds(), kinds);
        }
    }
}

proptest! {
    #![proptest_config(designs::config())]

    #[test]
    fn the_origin_of_every_square_agrees_with_a_replay(
        design in designs::design(60),
        portion in 1..40_u64,
        stops in prop::collection::vec(0.0..1.0_f64, 1..6),
    ) {
        let (_, recording) = record(&valid(&design));
        // Computed independently: a map of the tiles laid, turn by turn, and the parents of all Builders.
        let mut laid = BTreeMap::new();
        let mut parents = Vec::new();
        for turn in 0..=recording.turns() {
            for event in recording.events_of(turn) {
                match event {
                    Event::Laid { builder, at, .. } => drop(laid.insert((at.x, at.y), TileOrigin { builder, turn })),
                    Event::Born { birth, .. } => parents.push(birth.parent),
                    _ => {}
                }
            }
        }
        let first = |mut builder: BuilderId| {
            while let Some(parent) = parents[builder.0 as usize] {
                builder = parent;
            }
            builder
        };
        let mut origins = TileOrigins::new(&recording);
        while !origins.read_on(&recording, portion) {}
        prop_assert_eq!(origins.read(), recording.turns());
        prop_assert_eq!(origins.laid_between(0, u64::MAX), laid.len() as u64);
        for builder in 0..parents.len() as u32 {
            prop_assert_eq!(origins.first_of(BuilderId(builder)), first(BuilderId(builder)));
        }
        // Origins that are first read in the middle of a run cover the part before as well.
        let mut cursor = Playback::new(&recording);
        for stop in stops {
            let now = (stop * recording.turns() as f64) as u64;
            cursor.seek(&recording, now);
            let mut early = TileOrigins::new(&recording);
            early.read_on(&recording, now);
            let mut count = 0;
            let Size { x: rows, y: columns } = recording.start().size();
            for at in (-1..=rows).flat_map(|x| (-1..=columns).map(move |y| Point::new(x, y))) {
                let expected = laid.get(&(at.x, at.y)).copied().filter(|origin| origin.turn <= now);
                prop_assert_eq!(origins.of(at, now), expected, "{} at turn {}", at, now);
                prop_assert_eq!(early.of(at, u64::MAX), expected, "{} at turn {}", at, now);
                prop_assert_eq!(expected.is_some(), cursor.frame().grid().mark(at) != Mark::Design);
                count += u64::from(expected.is_some());
            }
            prop_assert_eq!(origins.laid_between(0, now), count);
        }
    }
}

#[test]
fn chunks_make_the_same_recording_as_the_growth() {
    let design = lively(7, (50, 60), &[12, 52]);
    let (_, whole) = record(&design);
    let mut track = EventChunk::default();
    let mut growth = Growth::new(&design, Options::default(), &mut track);
    let mut parts = Recording::new(growth.grid().clone(), std::mem::take(&mut track));
    let mut turns = 0;
    while growth.turn(&mut track) {
        turns += 1;
        if turns % 7 == 0 {
            // Cut between turns and within them.
            parts.append(if turns % 2 == 0 {
                track.take_turns()
            } else {
                std::mem::take(&mut track)
            });
        }
    }
    parts.append(track);
    parts.finish();
    assert_eq!((whole.turns(), whole.events()), (parts.turns(), parts.events()));
    for turn in 0..=whole.turns() {
        assert_eq!(whole.events_of(turn), parts.events_of(turn), "turn {turn}");
    }
    assert!(
        whole.bytes() as u64 <= 8 * whole.events(),
        "{} bytes for {} events",
        whole.bytes(),
        whole.events()
    );
    for turn in 0..whole.turns() {
        let next = whole.next_iteration(turn);
        assert!(next > turn && whole.previous_iteration(next) <= turn);
        assert_eq!(whole.turn_of_iteration(whole.iteration_at(next)), next);
    }
}

#[test]
fn keyframes_of_a_large_run_agree_with_its_events() {
    let (growth, recording) = record(&lively(3, (400, 400), &[12, 52, 32]));
    let turns = recording.turns();
    assert!(
        recording.events() > 60_000,
        "{} events: more than one keyframe",
        recording.events()
    );
    let mut wandering = Playback::new(&recording);
    wandering.seek(&recording, turns);
    assert!(wandering.frame().grid() == growth.grid());
    let mut straight = Playback::new(&recording);
    for step in 1..=20 {
        straight.seek(&recording, turns * step / 20);
        // From the end, from an earlier turn and from a later one, through the nearest keyframe.
        for start in [turns, turns / 3, turns * step / 20 + 50] {
            wandering.seek(&recording, start);
            wandering.seek(&recording, turns * step / 20);
            assert!(
                wandering.frame() == straight.frame(),
                "turn {} from {start}",
                straight.turn()
            );
        }
    }
}

/// Returns a design with first Crawlers and a room's Crawler that sleep for these delays, in tens of iterations.
fn delayed(delays: &[i32], room: Option<i32>) -> ValidDesign {
    let mut design = Design::default();
    design.layout.size = Size::new(60, 60);
    design.layout.rooms.extend(room.map(|delay| Room {
        sites: [12, 0, 0, 0, 0, 0, 0, 0],
        width: 5,
        delay,
        ..Room::default()
    }));
    for (y, &delay) in (10..).step_by(15).zip(delays) {
        design.layout.crawlers.push(CrawlerStart {
            at: Point::new(0, y),
            direction: 2,
            delay,
            ..CrawlerStart::default()
        });
    }
    valid(&design)
}

#[test]
fn a_recording_of_sleepers_begins_when_the_first_of_them_wakes() {
    let cases = [
        (&[9][..], None, 89),
        (&[9, 3], None, 29),
        (&[0, 9], None, 0),
        (&[9], Some(2), 19),
        (&[], None, 0),
    ];
    for (delays, room, first) in cases {
        let design = delayed(delays, room);
        let (growth, begun) = Recording::begin(&design, Options::default());
        assert_eq!(growth.clock().iteration, first, "{delays:?} {room:?}");
        assert_eq!(begun.clock_at(0), growth.clock());
        assert_eq!(begun.iterations(), first);
        let (_, mut recording) = record(&design);
        recording.count();
        assert_eq!(recording.clock_at(0), growth.clock());
        assert_eq!(recording.turn_of_iteration(first), 0);
        assert_eq!(recording.turn_of_iteration(first / 2), 0);
        assert_eq!(recording.stats().bins().first().map_or(0, |bin| bin.iteration), first);
    }
}

#[test]
fn every_builder_first_acts_in_the_iteration_in_which_it_wakes() {
    let (_, recording) = record(&delayed(&[0, 1, 9], Some(2)));
    let mut wakes = Vec::new();
    let mut woken = BTreeMap::new();
    let mut seen = 0;
    for turn in 0..=recording.turns() {
        let iteration = recording.iteration_of(turn);
        let events = recording.events_of(turn);
        for event in &events {
            match *event {
                Event::Born { birth, .. } => wakes.push(birth.wakes),
                Event::Woke { builder } => assert_eq!(wakes[builder.0 as usize], iteration, "turn {turn}"),
                _ => {}
            }
        }
        let mut acts = events
            .iter()
            .filter(|event| !matches!(event, Event::Born { .. } | Event::Woke { .. }));
        if let Some(actor) = acts.next().map(Event::builder) {
            seen = seen.max(*woken.entry(actor).or_insert(iteration));
            assert_eq!(woken[&actor], wakes[actor.0 as usize], "{actor}");
        }
    }
    assert_eq!(wakes[..4], [19, 0, 9, 89]);
    assert!(seen > 89, "babies act, too");
}
