//! Designs of every kind, for property tests.

use proptest::prelude::*;
use wallcrawler::design::{
    Character, Constants, CrawlerStart, Design, FieldInfo, GENERATIONS, Generation, Layout, Room, fields, style,
};
use wallcrawler::geometry::{Point, Size};

/// Failures are printed, not kept in files; PROPTEST_CASES sets how many designs are tried (a quarter of it).
pub fn config() -> ProptestConfig {
    let config = ProptestConfig::default();
    ProptestConfig {
        failure_persistence: None,
        cases: config.cases.div_ceil(4),
        ..config
    }
}

/// A record with each field drawn by `number`.
pub fn record<T: Clone + std::fmt::Debug + 'static>(
    table: &'static [fields::Field<T>],
    blank: T,
    number: impl Fn(&FieldInfo) -> BoxedStrategy<i32>,
) -> impl Strategy<Value = T> {
    let numbers: Vec<_> = table.iter().map(|field| number(&field.info)).collect();
    numbers.prop_map(move |numbers| {
        let mut record = blank.clone();
        for (field, number) in table.iter().zip(numbers) {
            (field.set)(&mut record, number);
        }
        record
    })
}

/// Numbers as people and broken files write them: in the field's range, around its limits, and anything at all.
pub fn number(info: &FieldInfo) -> BoxedStrategy<i32> {
    let FieldInfo { min, max, default, .. } = *info;
    prop_oneof![
        6 => min..=max.min(min.saturating_add(40)),
        4 => Just(default),
        2 => min..=max,
        1 => prop::sample::select(vec![i32::MIN, -1, 0, 1, min, max, i32::MAX]),
        1 => any::<i32>(),
    ]
    .boxed()
}

/// Numbers that let a dungeon of some dozens of squares grow, as a rule.
fn lively(info: &FieldInfo) -> BoxedStrategy<i32> {
    let usual = match info.name {
        "StepLength" => 1..=8,
        "CorridorWidth" | "minCorrWidth" | "SkipGenerations" | "LateSpawn" => 0..=3,
        "MaxAge" => 2..=40,
        "joinDist" => 0..=20,
        "maxCrawlers" => 1..=400,
        "smallestRoomWidth" => 1..=5,
        _ => info.min..=info.max.min(100),
    };
    prop_oneof![80 => usual, 1 => number(info)].boxed()
}

prop_compose! {
    fn room()(
        room in record(&fields::ROOM, Room::default(), number),
        sites in prop::array::uniform8(prop_oneof![
            3 => 0..4_i32,
            2 => prop::sample::select(vec![12, 13, 22, 23, 32, 33, 42, 43]),
            1 => 0..60_i32,
        ]),
        // Most rooms stand somewhere in the dungeon.
        place in prop::option::weighted(0.8, (0..=6_i32, 0..=6_i32, 1..9_i32, 0..=style::ALL)),
        delay in 0..=11_i32,
        walls in prop::bool::weighted(0.8),
    ) -> Room {
        let mut room = Room { sites, ..room };
        if let Some((xdiv, ydiv, width, style)) = place {
            room = Room { div: 6, xdiv, ydiv, width, delay, style: style | i32::from(walls), ..room };
        }
        room
    }
}

/// A Crawler that starts on the border, heads into the dungeon or along the wall, or is wrong in some way.
fn crawler(size: Size) -> impl Strategy<Value = CrawlerStart> {
    let wild = record(&fields::CRAWLER, CrawlerStart::default(), number);
    let ends = prop_oneof![6 => 1..=2_i32, 1 => 3..=4_i32];
    let usual = (0..4_i32, 3..17_i32, 0..6_i32, 0..=10_i32, ends, any::<bool>()).prop_map(
        move |(side, along, tens, delay, termination, far)| {
            let along = |length: i32| if far { length - 1 - along } else { along };
            let (at, forward) = match side {
                0 => (Point::new(along(size.x), 0), 1),
                1 => (Point::new(0, along(size.y)), 2),
                2 => (Point::new(along(size.x), size.y - 1), 3),
                _ => (Point::new(size.x - 1, along(size.y)), 4),
            };
            CrawlerStart {
                at,
                direction: 10 * tens + forward,
                delay,
                termination,
            }
        },
    );
    prop_oneof![6 => usual, 1 => wild]
}

/// Crawlers that belong together: one alone, some side by side, some that start at one place one after the other, an
/// open/closed pair.
fn company(size: Size) -> impl Strategy<Value = Vec<CrawlerStart>> {
    let many = || (crawler(size), 2..5_i32);
    prop_oneof![
        8 => crawler(size).prop_map(|one| vec![one]),
        1 => (many(), 1..6_i32).prop_map(|((first, number), apart)| {
            (0..number)
                .map(|i| {
                    let Point { x, y } = first.at;
                    let aside = apart.saturating_mul(i);
                    // Along the wall that they start on.
                    let at = if first.direction % 2 == 0 {
                        Point::new(x, y.saturating_add(aside))
                    } else {
                        Point::new(x.saturating_add(aside), y)
                    };
                    CrawlerStart { at, ..first }
                })
                .collect()
        }),
        1 => many().prop_map(|(first, number)| (0..number).map(|delay| CrawlerStart { delay, ..first }).collect()),
        1 => (crawler(size), crawler(size))
            .prop_map(|(a, b)| vec![CrawlerStart { termination: 3, ..a }, CrawlerStart { termination: 4, ..b }]),
    ]
}

fn squares(size: Size) -> impl Strategy<Value = Vec<Point>> {
    prop::collection::vec((-1..=size.x, -1..=size.y).prop_map(|(x, y)| Point::new(x, y)), 0..4)
}

prop_compose! {
    fn layout(largest: i32)(x in 20..=largest, y in 20..=largest)(
        size in Just(Size::new(x, y)),
        rooms in prop::collection::vec(room(), 0..3),
        lists in prop::array::uniform3(squares(Size::new(x, y))),
        companies in prop::collection::vec(company(Size::new(x, y)), 1..7),
        protuberances in prop_oneof![3 => Just(0), 2 => 0..12_i32, 1 => any::<i32>()],
    ) -> Layout {
        let [open, walls, columns] = lists;
        let crawlers = companies.concat();
        Layout { size, rooms, open, walls, columns, crawlers, protuberances, ..Layout::default() }
    }
}

prop_compose! {
    /// Any design of 20 to `largest` squares each way. Most grow; some cannot.
    pub fn design(largest: i32)(
        seed: u64,
        layout in layout(largest),
        constants in record(&fields::CONSTANTS, Constants::default(), lively),
        // A few kinds of generation that take turns: a chain of ten is seldom reached.
        kinds in prop::collection::vec(record(&fields::STATS, Generation::default(), lively), 1..=4),
    ) -> Design {
        let generations = std::array::from_fn::<_, GENERATIONS, _>(|i| kinds[i % kinds.len()]);
        Design { seed, layout, constants, character: Character { generations }, ..Design::default() }
    }
}
