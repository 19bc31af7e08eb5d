//! Tests of the rules that a recorded dungeon cannot show by itself, of robustness, and of the events.

use super::*;
use crate::design::{Constant, CrawlerStart, Design, GENERATIONS, Generation, Stat};
use crate::engine::event::{Death, Opening, TurnReason};
use crate::engine::grid::{Mark, Tile};
use crate::geometry::{Forward, Point, Size};

/// An observer that collects all events and clocks.
#[derive(Default)]
struct Log {
    events: Vec<Event>,
    turns: Vec<Clock>,
    iterations: Vec<Clock>,
}

impl Observer for Log {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }
    fn turn_ended(&mut self, clock: Clock) {
        self.turns.push(clock);
    }
    fn iteration_ended(&mut self, clock: Clock) {
        self.iterations.push(clock);
    }
}

fn quiet() -> Generation {
    Generation {
        step_length: 4,
        corridor_width: 3,
        change_dir_prob: 0,
        straight_spawn_prob: 0,
        max_age: 1000,
        ..Generation::default()
    }
}

fn design(size: Size, crawlers: &[(i32, i32, i32, i32, i32)], generations: &[Generation]) -> Design {
    let mut design = Design::default();
    design.layout.size = size;
    design.layout.crawlers = crawlers
        .iter()
        .map(|&(x, y, direction, delay, termination)| CrawlerStart {
            at: Point::new(x, y),
            direction,
            delay,
            termination,
        })
        .collect();
    let last = generations[generations.len() - 1];
    for i in 0..GENERATIONS {
        design.character.generations[i] = *generations.get(i).unwrap_or(&last);
    }
    design
}

fn grow(design: &Design, columns: bool) -> (Growth, Log) {
    let valid = design.validate(None).design.unwrap();
    let mut log = Log::default();
    let mut growth = Growth::new(&valid, Options { columns }, &mut log);
    growth.finish(&mut log);
    (growth, log)
}

fn busy() -> Design {
    let generation = Generation {
        step_length: 5,
        change_dir_prob: 30,
        straight_spawn_prob: 60,
        double_spawn_prob: 50,
        jumper_prob: 20,
        open_start_prob: 20,
        max_age: 10,
        skip_generations: 1,
        late_spawn: 2,
        late_spawn_prob: 20,
        no_direction_prob: 50,
        ..quiet()
    };
    design(
        Size::new(61, 61),
        &[
            (0, 20, 12, 0, 1),
            (60, 40, 14, 0, 1),
            (30, 0, 1, 1, 2),
            (30, 60, 33, 2, 1),
        ],
        &[generation],
    )
}

#[test]
fn events_replay_to_the_same_dungeon() {
    let (growth, log) = grow(&busy(), true);
    let valid = busy().validate(None).design.unwrap();
    let mut grid = Growth::new(&valid, Options::default(), &mut ()).grid().clone();
    let mut births = Vec::new();
    let (mut awake, mut dead) = (0, 0);
    for event in &log.events {
        match *event {
            Event::Born { builder, birth } => {
                assert_eq!(builder.0 as usize, births.len(), "numbers are given in order");
                births.push(birth);
            }
            Event::Woke { .. } => awake += 1,
            Event::Laid {
                builder,
                at,
                before,
                tile,
            } => {
                assert_eq!(before, Tile::Open, "only open squares are built on");
                assert_eq!(grid.tile(at), before);
                grid.set(at, tile, Mark::generation(births[builder.0 as usize].generation));
            }
            Event::Died { .. } => dead += 1,
            _ => {}
        }
    }
    assert_eq!(grid, *growth.grid());
    assert_eq!((births.len(), awake, dead), (births.len(), births.len(), births.len()));
    assert!(births.len() > 100, "{} Builders", births.len());
    assert_eq!(log.turns.len() as u64, growth.clock().turn);
    assert!(log.iterations.is_sorted_by_key(|c| c.iteration));
    assert!(growth.is_finished());
}

#[test]
fn the_same_seed_gives_the_same_history_and_another_seed_another() {
    let (a, log) = grow(&busy(), true);
    let (b, again) = grow(&busy(), true);
    assert_eq!((a.grid(), &log.events), (b.grid(), &again.events));
    let mut other = busy();
    other.seed = 2;
    assert_ne!(grow(&other, true).0.grid(), a.grid());
}

#[test]
fn another_first_crawler_does_not_change_the_rolls_of_the_others() {
    let alone = busy();
    let mut joined = alone.clone();
    // A Crawler in a corner dies as soon as it wakes, long after all others; until then it occupies a slot.
    joined.layout.crawlers.insert(
        0,
        CrawlerStart {
            at: Point::new(0, 1),
            direction: 2,
            delay: 1_000,
            termination: 1,
        },
    );
    assert_eq!(grow(&alone, true).0.grid(), grow(&joined, true).0.grid());
}

#[test]
fn no_jumper_is_born_without_columns_and_many_with_them() {
    let mut design = busy();
    for generation in &mut design.character.generations {
        generation.jumper_prob = 100;
    }
    let kinds = |columns| {
        let (growth, log) = grow(&design, columns);
        let jumpers = log
            .events
            .iter()
            .filter(|e| matches!(e, Event::Born { birth, .. } if birth.kind == BuilderKind::Jumper))
            .count();
        let columns = growth.grid().rows().flatten().filter(|t| *t == Tile::Column).count();
        (jumpers, columns)
    };
    assert_eq!(kinds(false), (0, 0));
    let (jumpers, columns) = kinds(true);
    assert!(jumpers > 20 && columns > 20, "{jumpers} Jumpers, {columns} columns");
}

#[test]
fn a_jumper_leaves_columns_a_corridor_apart_and_dies_after_jumper_life() {
    let parent = Generation {
        straight_spawn_prob: 100,
        jumper_prob: 100,
        max_age: 2,
        step_length: 20,
        skip_generations: 3,
        ..quiet()
    };
    let mut design = design(Size::new(61, 61), &[(0, 30, 2, 0, 1)], &[parent, quiet()]);
    design.constants.jumper_life = 4;
    let (growth, log) = grow(&design, true);
    let (first, birth) = log
        .events
        .iter()
        .find_map(|e| match e {
            Event::Born { builder, birth } if birth.kind == BuilderKind::Jumper => Some((*builder, *birth)),
            _ => None,
        })
        .expect("a Jumper");
    assert_eq!((birth.generation, birth.wakes), (4, 398));
    let columns: Vec<i32> = log
        .events
        .iter()
        .filter_map(|e| match e {
            Event::Laid { builder, at, .. } if *builder == first => Some((at.y - birth.at.y).abs()),
            _ => None,
        })
        .collect();
    assert_eq!(columns, [3, 6, 9, 12]);
    // Two babies are born at each column: the first faces right of the Jumper's heading, the second left.
    let babies: Vec<(i32, Forward)> = log
        .events
        .iter()
        .filter_map(|e| match e {
            Event::Born { birth: baby, .. } if baby.parent == Some(first) => {
                Some(((baby.at.y - birth.at.y).abs(), baby.forward))
            }
            _ => None,
        })
        .collect();
    let both = |at| [(at, birth.forward.right()), (at, birth.forward.left())];
    assert_eq!(babies, [3, 6, 9, 12].map(both).concat());
    assert!(growth.is_finished());
}

#[test]
fn babies_in_slots_behind_their_parent_age_in_the_same_iteration() {
    let parent = Generation {
        straight_spawn_prob: 100,
        max_age: 8,
        ..quiet()
    };
    // The first Crawler dies in its first turn and frees the lowest slot.
    let starts = [(0, 2, 4, 0, 1), (0, 30, 2, 0, 1), (60, 10, 4, 0, 1)];
    let (_, log) = grow(&design(Size::new(61, 61), &starts, &[parent, quiet()]), true);
    let wakes: Vec<u32> = log
        .events
        .iter()
        .filter_map(|e| match e {
            Event::Born { birth, .. } if birth.parent.is_some() => Some(birth.wakes),
            _ => None,
        })
        .collect();
    assert_eq!(
        wakes[..4],
        [99, 98, 98, 98],
        "the first baby gets the slot of the dead Builder"
    );
}

#[test]
fn turn_reasons_contain_the_numbers_behind_them() {
    let (_, log) = grow(&design(Size::new(40, 40), &[(0, 20, 12, 0, 1)], &[quiet()]), true);
    let forced = log.events.iter().find_map(|e| match *e {
        Event::Turned {
            why: TurnReason::Forced { free, needed, side },
            ..
        } => Some((free, needed, side)),
        _ => None,
    });
    assert_eq!(
        forced,
        Some((3, 4, 8)),
        "free rows on a side are counted up to the limit"
    );
    assert!(matches!(
        log.events.last(),
        Some(Event::Died {
            cause: Death::Blocked,
            ..
        })
    ));
    let (_, log) = grow(&design(Size::new(40, 40), &[(0, 20, 12, 0, 2)], &[quiet()]), true);
    let joined = log.events.iter().find_map(|e| match *e {
        Event::Joined { distance, .. } => Some(distance),
        _ => None,
    });
    // After 28 squares, 10 free rows remain before the border in row 39, fewer than joinDist, which is 13. One turn
    // earlier, 14 rows remained.
    assert_eq!(joined, Some(10));
}

#[test]
fn at_the_limit_no_baby_is_born_and_it_is_reported() {
    let mut design = busy();
    design.constants.max_crawlers = 5;
    let (_, log) = grow(&design, true);
    let mut living = 0_u32;
    let mut refused = 0;
    for event in &log.events {
        match event {
            Event::Born { .. } => living += 1,
            Event::Died { .. } => living -= 1,
            Event::Unborn {
                living: description, ..
            } => {
                assert_eq!((*description, living), (living, 5));
                refused += 1;
            }
            _ => {}
        }
        assert!(living <= 5);
    }
    assert!(refused > 10, "{refused} refused");
}

#[test]
fn an_open_start_leaves_a_corridor_and_then_closes() {
    let parent = Generation {
        straight_spawn_prob: 100,
        step_length: 20,
        max_age: 2,
        ..quiet()
    };
    let child = Generation {
        open_start_prob: 100,
        ..quiet()
    };
    let (growth, log) = grow(&design(Size::new(61, 61), &[(0, 30, 2, 0, 1)], &[parent, child]), true);
    let closed = log.events.iter().any(|e| {
        matches!(
            e,
            Event::OpeningChanged {
                from: Opening::Start,
                to: Opening::Closed,
                ..
            }
        )
    });
    assert!(closed);
    let row: String = (0..61).map(|y| growth.grid().tile(Point::new(20, y)).plain()).collect();
    let left = format!("{}...X{}X", "X".repeat(27), ".".repeat(29));
    let right: String = left.chars().rev().collect();
    assert!(row == left || row == right, "{row}");
}

#[test]
fn iterations_in_which_all_builders_sleep_are_skipped() {
    let (growth, log) = grow(&design(Size::new(30, 30), &[(0, 15, 12, 9, 1)], &[quiet()]), true);
    assert_eq!(log.turns.first().map(|c| c.iteration), Some(89));
    assert!(growth.clock().turn < 20);
}

#[test]
fn one_iteration_gives_each_awake_builder_a_turn() {
    let valid = busy().validate(None).design.unwrap();
    let mut growth = Growth::new(&valid, Options::default(), &mut ());
    assert_eq!(growth.living(), 4);
    assert!(growth.iteration(&mut ()));
    assert_eq!((growth.clock().turn, growth.clock().iteration), (2, 1));
    assert!(growth.turn(&mut ()));
    assert!(growth.iteration(&mut ()), "the rest of the iteration");
    assert_eq!((growth.clock().turn, growth.clock().iteration), (4, 2));
}

#[test]
fn absurd_designs_end_without_panic() {
    for value in [i32::MIN, -1, 0, 1, 50, 99, 100, 1_000_000, i32::MAX] {
        for constant in [i32::MIN, 0, 1, 3, i32::MAX] {
            let mut design = busy();
            design.layout.size = Size::new(25, 41);
            design.layout.crawlers.push(CrawlerStart {
                at: Point::new(12, 20),
                direction: 54,
                delay: 10,
                termination: 2,
            });
            for generation in &mut design.character.generations {
                for &stat in Stat::ALL {
                    if stat != Stat::StepLength || value % 2 == 0 {
                        stat.set(generation, value);
                    }
                }
            }
            for parameter in Constant::ALL {
                parameter.set(&mut design.constants, constant);
            }
            let (growth, _) = grow(&design, true);
            assert!(growth.is_finished());
            // The narrowest corridors let the most Builders build and spawn: the worst case for the number of Builders.
            for generation in &mut design.character.generations {
                generation.corridor_width = 0;
                generation.late_spawn_prob = 50;
            }
            assert!(grow(&design, false).0.is_finished());
        }
    }
}

#[test]
fn a_closed_crawler_lays_no_wall_beside_another() {
    let mut beside = design(Size::new(40, 40), &[(0, 20, 12, 0, 2)], &[quiet()]);
    beside.layout.walls.push(Point::new(38, 22));
    let mut apart = beside.clone();
    apart.layout.walls[0] = Point::new(37, 22);
    let joined = |design| {
        let (growth, log) = grow(design, true);
        let joins = log.events.iter().filter(|e| matches!(e, Event::Joined { .. })).count();
        (
            joins,
            growth.grid().tile(Point::new(34, 20)),
            growth.grid().tile(Point::new(35, 20)),
        )
    };
    // In row 38 the tiles up to (38, 22) would lie along the border, so the Crawler turns and joins the wall in the
    // West.
    assert_eq!(joined(&beside), (1, Tile::Wall, Tile::Open));
    assert_eq!(joined(&apart), (1, Tile::Wall, Tile::Wall));
}

#[test]
fn babies_of_one_turn_are_late_together() {
    let (_, log) = grow(&busy(), true);
    let mut twins = 0;
    for pair in log.events.windows(2) {
        if let [Event::Born { birth: a, .. }, Event::Born { birth: b, .. }] = pair
            && a.parent.is_some()
            && a.parent == b.parent
        {
            assert_eq!((a.kind, a.generation), (b.kind, b.generation));
            assert!(
                a.wakes.abs_diff(b.wakes) <= 1,
                "their slots may be before and behind their parent's"
            );
            twins += 1;
        }
    }
    assert!(twins > 5, "{twins}");
}
