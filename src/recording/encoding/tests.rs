//! Tests of the encoding of events.

use proptest::prelude::*;

use super::*;
use crate::engine::{Birth, BuilderId, BuilderKind, Death, Event, Opening, Tile, TurnReason, WallRun};
use crate::geometry::{Direction, Forward};

/// Generates small and large numbers, so that tests cover every encoded width.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 0..5_u32, 1 => 250..260_u32, 1 => 65_530..65_540_u32, 1 => any::<u32>()]
}

fn id() -> impl Strategy<Value = BuilderId> {
    number().prop_map(BuilderId)
}

fn point() -> impl Strategy<Value = Point> {
    let coordinate = || prop_oneof![4 => 0..4_i32, 1 => 60..70_i32, 1 => any::<i16>().prop_map(i32::from)];
    (coordinate(), coordinate()).prop_map(|(x, y)| Point::new(x, y))
}

fn heading() -> impl Strategy<Value = Forward> {
    prop::sample::select(Forward::ALL.to_vec())
}

fn any_tile() -> impl Strategy<Value = Tile> {
    prop_oneof![1 => Just(Tile::Open), 1 => Just(Tile::Wall), 1 => prop::sample::select(Tile::ALL.to_vec())]
}

fn any_opening() -> impl Strategy<Value = Opening> {
    prop::sample::select(vec![Opening::Closed, Opening::End, Opening::Start])
}

prop_compose! {
    fn birth()(parent in prop::option::of(id()), kind in prop::sample::select(BuilderKind::ALL.to_vec()),
               generation in number(), at in point(),
               forward in heading(), direction in prop::option::of(prop::sample::select(Direction::ALL.to_vec())),
               opening in any_opening(), wakes in number(), age in number()) -> Birth {
        Birth { parent, kind, generation, at, forward, direction, opening, wakes, age }
    }
}

fn reason() -> impl Strategy<Value = TurnReason> {
    let free = (any::<u8>(), any::<u8>()).prop_map(|(rolled, chance)| TurnReason::Free { rolled, chance });
    let forced = (number(), number(), number());
    prop_oneof![
        free,
        forced.prop_map(|(free, needed, side)| TurnReason::Forced { free, needed, side })
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let causes = vec![Death::Blocked, Death::Aged, Death::Joined];
    prop_oneof![
        (id(), birth()).prop_map(|(builder, birth)| Event::Born { builder, birth }),
        (id(), number()).prop_map(|(parent, living)| Event::Unborn { parent, living }),
        id().prop_map(|builder| Event::Woke { builder }),
        (id(), point(), any_tile(), any_tile()).prop_map(|(builder, at, before, tile)| Event::Laid {
            builder,
            at,
            before,
            tile
        }),
        (id(), point(), point()).prop_map(|(builder, from, to)| Event::Moved { builder, from, to }),
        (id(), heading(), heading(), reason()).prop_map(|(builder, from, to, why)| Event::Turned {
            builder,
            from,
            to,
            why
        }),
        (id(), any_opening(), any_opening()).prop_map(|(builder, from, to)| Event::OpeningChanged {
            builder,
            from,
            to
        }),
        (id(), number()).prop_map(|(builder, distance)| Event::Joined { builder, distance }),
        (id(), prop::sample::select(causes)).prop_map(|(builder, cause)| Event::Died { builder, cause }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_events_are_read_back(events in prop::collection::vec((event(), any::<bool>()), 0..40)) {
        let (mut bytes, mut context) = (Vec::new(), EventContext::default());
        for (event, last) in &events {
            let first = bytes.len();
            write(event, &mut context, &mut bytes);
            if *last {
                end_turn(&mut bytes, first);
            }
        }
        let mut reader = EventReader::new(&bytes);
        for (event, last) in events {
            let read = reader.next().expect("as many as were written");
            prop_assert_eq!((read.event, read.last), (Some(event), last));
        }
        prop_assert!(reader.next().is_none());
    }

    #[test]
    fn invalid_bytes_end_the_reading(bytes: Vec<u8>) {
        let mut reader = EventReader::new(&bytes);
        while reader.next().is_some() {}
    }
}

#[test]
fn runs_are_read_event_by_event() {
    let mut run = WallRun {
        builder: BuilderId(3),
        from: Point::new(7, 1),
        forward: Forward::South,
        squares: 3,
        moves: true,
    };
    let (mut bytes, mut context) = (Vec::new(), EventContext::default());
    assert!(write_run(&run, &mut context, &mut bytes));
    end_turn(&mut bytes, 0);
    let first = bytes.len();
    assert_eq!(first, 8, "however many squares");
    let mut expected: Vec<_> = run.events().map(|event| (Some(event), false)).collect();
    expected[3].1 = true;
    (run.from, run.forward, run.squares, run.moves) = (Point::new(10, 1), Forward::West, 63, false);
    assert!(write_run(&run, &mut context, &mut bytes));
    expected.extend(run.events().map(|event| (Some(event), false)));

    let mut reader = EventReader::new(&bytes);
    let (mut read, mut left) = (Vec::new(), Vec::new());
    while let Some(next) = reader.next() {
        read.push((next.event, next.last));
        left.push(reader.left());
    }
    assert_eq!(read, expected);
    assert_eq!((read.len(), bytes.len()), (4 + 63, 2 * first));
    assert_eq!(
        left[..4],
        [16, 16, 16, 8],
        "a run is left until its last event was read"
    );
    assert_eq!(left[4..].iter().filter(|left| **left == 8).count(), 62);
}

#[test]
fn runs_too_long_for_the_encoding_are_written_as_events() {
    let run = WallRun {
        builder: BuilderId(0),
        from: Point::new(7, 1),
        forward: Forward::South,
        squares: 64,
        moves: true,
    };
    let stranger = WallRun {
        builder: BuilderId(40_000),
        squares: 1,
        ..run
    };
    for run in [run, stranger] {
        let (mut bytes, mut context) = (Vec::new(), EventContext::default());
        assert!(!write_run(&run, &mut context, &mut bytes));
        assert_eq!((bytes.len(), context), (0, EventContext::default()));
    }
}
