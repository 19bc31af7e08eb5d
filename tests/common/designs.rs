//! Designs of every kind, for property tests.

use proptest::prelude::*;
use wallcrawler::design::{
    Character, Constant, Constants, CrawlerField, CrawlerStart, Design, Dimension, FieldInfo, GENERATIONS, Generation,
    Layout, Limit, Limits, NamedPlace, Parameter, PlaceField, Room, RoomField, SquareField, Stat, VaultEntry,
    VaultField, style,
};
use wallcrawler::geometry::{Point, Size};

/// Failures are printed, not stored in files. The number of designs is a quarter of PROPTEST_CASES.
pub fn config() -> ProptestConfig {
    let config = ProptestConfig::default();
    ProptestConfig {
        failure_persistence: None,
        cases: config.cases.div_ceil(4),
        ..config
    }
}

/// The parameters of one kind of record.
pub trait Numbers: Copy + Into<Parameter> + 'static {
    type Record: Clone + std::fmt::Debug + 'static;
    const ALL: &'static [Self];
    fn get(self, record: &Self::Record) -> i32;
    fn set(self, record: &mut Self::Record, value: i32);
}

macro_rules! numbers {
    ($($Numbers:ident of $Record:ident),+) => {
        $(impl Numbers for $Numbers {
            type Record = $Record;
            const ALL: &'static [Self] = Self::ALL;
            fn get(self, record: &$Record) -> i32 {
                self.get(record)
            }
            fn set(self, record: &mut $Record, value: i32) {
                self.set(record, value);
            }
        })+
    };
}
numbers!(
    Dimension of Layout,
    Limit of Limits,
    RoomField of Room,
    SquareField of Point,
    CrawlerField of CrawlerStart,
    VaultField of VaultEntry,
    PlaceField of NamedPlace,
    Stat of Generation,
    Constant of Constants
);

/// Generates a record with each number drawn by `number`.
pub fn record<N: Numbers>(
    blank: N::Record,
    number: impl Fn(Parameter) -> BoxedStrategy<i32>,
) -> impl Strategy<Value = N::Record> {
    let numbers: Vec<_> = N::ALL.iter().map(|one| number((*one).into())).collect();
    numbers.prop_map(move |numbers| {
        let mut record = blank.clone();
        for (one, number) in N::ALL.iter().zip(numbers) {
            one.set(&mut record, number);
        }
        record
    })
}

/// Generates numbers as in hand-written and broken files: in the field's range, around its limits, and anything.
pub fn number(parameter: Parameter) -> BoxedStrategy<i32> {
    let FieldInfo { min, max, default, .. } = *parameter.info();
    prop_oneof![
        6 => min..=max.min(min.saturating_add(40)),
        4 => Just(default),
        2 => min..=max,
        1 => prop::sample::select(vec![i32::MIN, -1, 0, 1, min, max, i32::MAX]),
        1 => any::<i32>(),
    ]
    .boxed()
}

/// Generates numbers with which a dungeon of some dozens of squares usually grows.
fn lively(parameter: Parameter) -> BoxedStrategy<i32> {
    let usual = match parameter {
        Parameter::Stat(Stat::StepLength) => 1..=8,
        Parameter::Stat(Stat::CorridorWidth | Stat::SkipGenerations | Stat::LateSpawn)
        | Parameter::Constant(Constant::MinCorrWidth) => 0..=3,
        Parameter::Stat(Stat::MaxAge) => 2..=40,
        Parameter::Constant(Constant::JoinDist) => 0..=20,
        Parameter::Constant(Constant::MaxCrawlers) => 1..=400,
        Parameter::Constant(Constant::SmallestRoomWidth) => 1..=5,
        other => other.info().min..=other.info().max.min(100),
    };
    prop_oneof![80 => usual, 1 => number(parameter)].boxed()
}

prop_compose! {
    fn room()(
        room in record::<RoomField>(Room::default(), number),
        sites in prop::array::uniform8(prop_oneof![
            3 => 0..4_i32,
            2 => prop::sample::select(vec![12, 13, 22, 23, 32, 33, 42, 43]),
            1 => 0..60_i32,
        ]),
        // Most rooms are placed inside the dungeon.
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

/// Generates a Crawler that starts on the border, heads into the dungeon or along the wall, or is invalid in some way.
fn crawler(size: Size) -> impl Strategy<Value = CrawlerStart> {
    let wild = record::<CrawlerField>(CrawlerStart::default(), number);
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

/// Generates groups of Crawlers: a single one, several side by side, several that start at one place in turn, or an
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
                    // The Crawlers start side by side along the wall.
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
    /// Generates designs of 20 to `largest` squares each way. Most can be grown; some cannot.
    pub fn design(largest: i32)(
        seed: u64,
        layout in layout(largest),
        constants in record::<Constant>(Constants::default(), lively),
        // A few kinds of generations that repeat, since a dungeon rarely reaches the tenth generation.
        kinds in prop::collection::vec(record::<Stat>(Generation::default(), lively), 1..=4),
    ) -> Design {
        let generations = std::array::from_fn::<_, GENERATIONS, _>(|i| kinds[i % kinds.len()]);
        Design { seed, layout, constants, character: Character { generations }, ..Design::default() }
    }
}
