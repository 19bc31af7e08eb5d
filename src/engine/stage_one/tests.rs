use super::*;
use crate::design::{Constant, CrawlerField, CrawlerStart, Design, Room, RoomField, sites, style};
use crate::engine::{BuilderKind, Opening};
use crate::geometry::{Direction, Size};

fn grown(design: &Design) -> BuiltLayout {
    build(&design.validate(None).design.expect("a valid design"))
}

fn with_room(size: i32, room: Room) -> BuiltLayout {
    let mut design = Design::default();
    design.layout.size = Size::new(size, size);
    design.layout.rooms.push(room);
    grown(&design)
}

/// Returns the squares around a room's centre after its Jumpers have finished.
fn shown(size: i32, room: Room, center: i32, reach: i32) -> Vec<String> {
    let mut design = Design::default();
    design.layout.size = Size::new(size, size);
    design.layout.rooms.push(room);
    let valid = design.validate(None).design.expect("a valid design");
    let mut growth = crate::engine::Growth::new(&valid, crate::engine::Options::default(), &mut ());
    growth.finish(&mut ());
    (center - reach..=center + reach)
        .map(|x| {
            (center - reach..=center + reach)
                .map(|y| growth.grid().tile(Point::new(x, y)).plain())
                .collect()
        })
        .collect()
}

fn messages(built: &BuiltLayout) -> Vec<&str> {
    built.diagnostics.iter().map(|d| d.message.as_str()).collect()
}

#[test]
fn doors_pyramid_and_columns_of_a_small_room() {
    let room = Room {
        width: 7,
        sites: [1, 1, 0, 1, 0, 0, 0, 0],
        style: style::WALLS
            | style::FILLED_CORNER_DOORS
            | style::LARGE_CORNER_DOORS
            | style::COLUMNS_ALONG_DOORS
            | style::PYRAMID,
        ..Room::default()
    };
    assert_eq!(
        shown(45, room, 22, 8),
        [
            "XX..XXX...XXXXXXX",
            "X...............X",
            "................X",
            "...C.........C..X",
            "X...............X",
            "X...............X",
            "X..C..YYYYY..C..X",
            "X.....YYYYY......",
            "X.....YYYYY......",
            "X..C..YYYYY..C...",
            "X.....YYYYY.....X",
            "X...............X",
            "X..C............X",
            "X......C..C..C..X",
            "X...............X",
            "X...............X",
            "XXXXXXXXXXXXXXXXX",
        ]
    );
}

#[test]
fn corner_crawlers_take_their_headings_from_the_tens() {
    let cases = [
        (sites::LEFT_TOP_CORNER, 12, (16, 16), Forward::North, Direction::North),
        (
            sites::RIGHT_TOP_CORNER,
            23,
            (16, 28),
            Forward::North,
            Direction::NorthEast,
        ),
        (
            sites::RIGHT_BOTTOM_CORNER,
            32,
            (28, 28),
            Forward::East,
            Direction::SouthEast,
        ),
        (sites::LEFT_BOTTOM_CORNER, 43, (28, 16), Forward::West, Direction::West),
        (
            sites::LEFT_TOP_CORNER,
            33,
            (16, 16),
            Forward::West,
            Direction::NorthWest,
        ),
        (sites::LEFT_CENTER, 3, (22, 16), Forward::West, Direction::West),
        (sites::BOTTOM_CENTER, 2, (28, 22), Forward::South, Direction::South),
    ];
    for (site, code, (x, y), forward, direction) in cases {
        let mut room = Room {
            sites: [0; 8],
            delay: 3,
            ..Room::default()
        };
        room.sites[site] = code;
        let built = with_room(45, room);
        assert_eq!(
            built.starts,
            [Start {
                origin: Place::field(Entry::Room(0), RoomField::SITES[site]),
                kind: BuilderKind::Crawler,
                at: Point::new(x, y),
                forward,
                direction: Some(direction),
                opening: if code % 10 == 2 { Opening::Closed } else { Opening::End },
                delay: 30,
                turns: None,
            }]
        );
    }
}

#[test]
fn codes_without_meaning_are_reported_and_place_nothing() {
    for (site, code) in [
        (0, 2),
        (0, 4),
        (0, 11),
        (0, 45),
        (0, 50),
        (0, -1),
        (1, 4),
        (1, 12),
        (1, i32::MIN),
    ] {
        let mut room = Room {
            sites: [0; 8],
            ..Room::default()
        };
        room.sites[site] = code;
        let built = with_room(45, room);
        assert!(built.starts.is_empty());
        assert_eq!(built.diagnostics.len(), 1, "{code}");
        assert_eq!(
            built.diagnostics[0].place,
            Some(Place::field(Entry::Room(0), RoomField::SITES[site]))
        );
    }
}

#[test]
fn a_room_whose_closed_crawlers_cut_the_dungeon_is_left_out() {
    let built_with = |sites: [i32; 8]| {
        with_room(
            45,
            Room {
                sites,
                ..Room::default()
            },
        )
    };
    let cut = built_with([0, 2, 0, 1, 0, 0, 0, 2]);
    assert!(cut.starts.is_empty());
    assert!(messages(&cut)[0].contains("cut off"), "{:?}", messages(&cut));
    for fine in [
        [0, 2, 0, 1, 0, 2, 0, 1],
        [0, 2, 0, 0, 0, 0, 0, 3],
        [1, 2, 0, 1, 0, 0, 0, 2],
    ] {
        assert_eq!(built_with(fine).starts.len(), 2);
    }
}

#[test]
fn rooms_are_shifted_until_their_wall_lies_on_the_border() {
    let built = with_room(
        45,
        Room {
            div: 12,
            xdiv: -3,
            ydiv: 12,
            ..Room::default()
        },
    );
    assert_eq!(
        messages(&built),
        [
            "room 1 reaches past the top border; it is shifted 17 squares towards the bottom",
            "room 1 reaches past the right border; it is shifted 7 squares towards the left",
            "the North center door of room 1 lies on the outer wall, which stays closed",
            "the East center door of room 1 lies on the outer wall, which stays closed",
        ]
    );
    assert_eq!(built.grid.tile(Point::new(12, 44)), Tile::Wall);
    assert_eq!(built.grid.tile(Point::new(12, 32)), Tile::Wall);
    assert_eq!(
        built.grid.tile(Point::new(0, 38)),
        Tile::Wall,
        "a door does not open the outer wall"
    );
}

#[test]
fn large_doors_need_a_room_three_squares_wider() {
    for (value, least, centers, corners) in [
        (style::LARGE_CENTER_DOORS, 5, 2, 2),
        (style::EXTRA_LARGE_CENTER_DOORS, 6, 3, 2),
        (style::LARGE_CORNER_DOORS, 6, 1, 3),
        (style::EXTRA_LARGE_CORNER_DOORS, 7, 1, 4),
    ] {
        let resolve = |width| {
            let mut report = Vec::new();
            let style = super::style::Style::resolve(value, width, Entry::Room(0), &mut report).expect("a style");
            (style.center, style.corner, report.len())
        };
        assert_eq!(resolve(least), (centers, corners, 0));
        assert_eq!(resolve(least - 1), (1, 2, 1));
    }
}

#[test]
fn two_exclusive_switches_have_no_effect_and_are_reported() {
    let both = style::ALL & !style::CRAWLER_IN_CENTER_DOORS;
    let built = with_room(
        100,
        Room {
            width: 9,
            style: both,
            ..Room::default()
        },
    );
    assert_eq!(built.diagnostics.len(), 5, "{:?}", messages(&built));
    assert!(built.grid.rows().flatten().all(|t| t != Tile::Column));
}

#[test]
fn one_of_an_open_closed_pair_is_closed_at_random() {
    let mut design = Design::default();
    for termination in [3, 4] {
        design.layout.crawlers.push(CrawlerStart {
            termination,
            delay: 10,
            ..CrawlerStart::default()
        });
    }
    let mut firsts = [0, 0];
    for seed in 0..200 {
        design.seed = seed;
        let starts = grown(&design).starts;
        assert_ne!(starts[0].opening, starts[1].opening);
        firsts[usize::from(starts[0].opening == Opening::Closed)] += 1;
        assert!(starts.iter().all(|s| s.delay <= 90 && s.delay % 10 == 0));
    }
    assert!(firsts.iter().all(|n| (70..130).contains(n)), "{firsts:?}");
    let lonely = |terminations: &[i32]| {
        let mut design = Design::default();
        for &termination in terminations {
            design.layout.crawlers.push(CrawlerStart {
                termination,
                ..CrawlerStart::default()
            });
        }
        let built = grown(&design);
        (built.starts.len(), built.diagnostics.len())
    };
    // A Crawler with termination 4 may come later or be missing; a second 3 before the 4 is left out.
    assert_eq!(lonely(&[3, 1]), (2, 0));
    assert_eq!(lonely(&[3, 1, 4]), (3, 0));
    assert_eq!(lonely(&[3, 3, 4]), (2, 1));
    assert_eq!(lonely(&[4]), (0, 1));
    assert_eq!(lonely(&[3, 4, 4, 3]), (3, 1));
    assert_eq!(lonely(&[0, 5]), (0, 2));
}

#[test]
fn hand_placed_tiles_leave_the_border_alone() {
    let mut design = Design::default();
    design.layout.open = vec![Point::new(0, 5), Point::new(9, 9), Point::new(-3, 5)];
    design.layout.walls = vec![Point::new(0, 6), Point::new(100, 6)];
    design.layout.columns = vec![Point::new(99, 99)];
    let built = grown(&design);
    assert_eq!(built.grid.tile(Point::new(9, 9)), Tile::Guaranteed);
    assert_eq!(built.diagnostics.len(), 4, "{:?}", messages(&built));
    assert!((0..100).all(|y| built.grid.tile(Point::new(0, y)) == Tile::Wall));
}

#[test]
fn too_many_protuberances_are_reported() {
    let mut design = Design::default();
    design.layout.size = Size::new(30, 900);
    design.layout.protuberances = 500;
    let built = grown(&design);
    assert_eq!(built.diagnostics.len(), 1);
    assert!((0..30).all(|x| built.grid.tile(Point::new(x, 1)) != Tile::HighWall));
}

/// Returns the diagnostics that have a place, with that place, for a design of 40 × 60 squares with the given Crawlers.
fn crawler_diagnostics(crawlers: &[(i32, i32, i32, i32)], change: impl FnOnce(&mut Design)) -> Vec<(Place, String)> {
    let mut design = Design::default();
    design.layout.size = Size::new(40, 60);
    design.layout.crawlers = crawlers
        .iter()
        .map(|&(x, y, direction, termination)| CrawlerStart {
            at: Point::new(x, y),
            direction,
            delay: 0,
            termination,
        })
        .collect();
    change(&mut design);
    let said = grown(&design).diagnostics;
    said.into_iter().filter_map(|d| Some((d.place?, d.message))).collect()
}

#[test]
fn a_crawler_that_faces_out_of_the_dungeon_is_reported_at_its_direction() {
    let outward = [(0, 20, 4, 1), (39, 20, 52, 2), (20, 0, 13, 1), (20, 59, 1, 2)];
    let said = crawler_diagnostics(&outward, |_| {});
    assert_eq!(said.len(), 4, "{said:?}");
    for (index, (place, message)) in said.iter().enumerate() {
        assert_eq!(*place, Place::field(Entry::Crawler(index), CrawlerField::Direction));
        assert_eq!(
            *message,
            format!(
                "Crawler {} faces out of the dungeon; it dies without building",
                index + 1
            )
        );
    }
}

#[test]
fn a_crawler_without_room_is_reported_and_one_with_room_is_not() {
    // The first two run along the border and have room on one side. The third starts in the open, and the last at a
    // distance from the border wall.
    let fine = [(0, 20, 1, 1), (0, 20, 2, 1), (20, 30, 54, 1), (35, 30, 2, 2)];
    assert_eq!(crawler_diagnostics(&fine, |_| {}), []);
    let no_room = "has no room for a corridor of 3 squares ahead or on a side that its Direction allows";
    let joins = "starts directly in front of a wall, which it joins immediately";
    // The first runs along the border with a Direction that leads out; the second starts in a corner. The other two are
    // closed and start directly in front of the border.
    let stuck = [
        ((0, 20, 31, 1), no_room),
        ((1, 1, 44, 1), no_room),
        ((38, 30, 32, 2), joins),
        ((0, 20, 11, 2), joins),
    ];
    for (crawler, why) in stuck {
        assert_eq!(
            crawler_diagnostics(&[crawler], |_| {}),
            [(
                Place::field(Entry::Crawler(0), CrawlerField::Direction),
                format!("Crawler 1 {why}; it dies without building")
            )]
        );
    }
    let narrow = crawler_diagnostics(&[(0, 20, 31, 1)], |design| {
        design.character.generations[0].corridor_width = 1;
        design.constants.min_corr_width = 1;
    });
    assert_eq!(narrow.len(), 1);
    assert!(narrow[0].1.contains("a corridor of 1 square ahead"), "{narrow:?}");
    // The required room is the Crawler's CorridorWidth, or minCorrWidth if that is larger.
    let narrow = [(20, 4, 13, 1)];
    let with = |corridor: i32, least: i32| {
        crawler_diagnostics(&narrow, |design| {
            design.character.generations[0].corridor_width = corridor;
            design.constants.min_corr_width = least;
        })
    };
    assert_eq!((with(2, 2).len(), with(30, 2).len(), with(2, 30).len()), (0, 1, 1));
}

#[test]
fn more_first_crawlers_than_may_live_are_reported() {
    let three = [(0, 10, 2, 1), (0, 20, 2, 1), (0, 30, 2, 1)];
    let said = |most| crawler_diagnostics(&three, |design| design.constants.max_crawlers = most);
    assert_eq!(said(3), []);
    assert_eq!(
        said(2),
        [(
            Place::field(Entry::Constants, Constant::MaxCrawlers),
            "maxCrawlers is 2, but the design has more first Builders: the last one does not start".into()
        )]
    );
}

#[test]
fn doors_and_crawlers_on_the_outer_wall_are_reported_at_their_site() {
    let at_corner = |sites| {
        with_room(
            45,
            Room {
                div: 12,
                xdiv: 12,
                ydiv: 12,
                sites,
                ..Room::default()
            },
        )
    };
    let built = at_corner([0, 1, 1, 3, 1, 1, 0, 1]);
    let said: Vec<(Option<Place>, &str)> = built
        .diagnostics
        .iter()
        .map(|d| (d.place, d.message.as_str()))
        .filter(|(_, message)| !message.contains("shifted"))
        .collect();
    // The door at the top right corner causes no warning: its squares to the west of the corner are open.
    assert_eq!(
        said,
        [
            (
                Some(Place::field(Entry::Room(0), RoomField::RightBottomCorner)),
                "the SouthEast corner door of room 1 lies on the outer wall, which stays closed"
            ),
            (
                Some(Place::field(Entry::Room(0), RoomField::BottomCenter)),
                "the South center door of room 1 lies on the outer wall, which stays closed"
            ),
            (
                Some(Place::field(Entry::Room(0), RoomField::RightCenter)),
                "a Crawler of room 1 faces out of the dungeon; it dies without building"
            ),
        ]
    );
}

#[test]
fn the_first_tile_on_a_square_is_kept() {
    let mut design = Design::default();
    design.layout.open = vec![Point::new(9, 9), Point::new(9, 10)];
    design.layout.walls = vec![Point::new(9, 8), Point::new(9, 9)];
    design.layout.columns = vec![Point::new(9, 10), Point::new(9, 8)];
    let built = grown(&design);
    let places: Vec<Option<Place>> = built.diagnostics.iter().map(|d| d.place).collect();
    assert_eq!(
        places,
        [Entry::Wall(1), Entry::Column(0), Entry::Column(1)].map(|entry| Some(Place::entry(entry)))
    );
    assert_eq!(
        messages(&built)[0],
        "wall tile 2 at row 9, column 9 collides with a square that must stay open; wall tile 2 is left out"
    );
}

#[test]
fn a_decoration_that_reaches_past_the_border_is_reported() {
    let decorated = |style, ydiv| {
        with_room(
            100,
            Room {
                div: 100,
                xdiv: 50,
                ydiv,
                width: 5,
                sites: [0, 1, 0, 0, 0, 0, 0, 0],
                style: style::WALLS | style,
                ..Room::default()
            },
        )
    };
    let built = decorated(style::CENTER_DECORATION_1, 8);
    assert_eq!(
        messages(&built),
        ["the decoration of the North center door of room 1 reaches past the border; the part outside is left out"]
    );
    assert_eq!(built.diagnostics[0].place, Some(Place::entry(Entry::Room(0))));
    assert_eq!(messages(&decorated(style::CENTER_DECORATION_1, 50)), [""; 0]);
}

/// Returns a design with an example of every [`LayoutPart`]: rooms with doors, decorations, columns and a pyramid, a
/// room whose decoration reaches past the border, hand-placed squares, vaults and protuberances.
fn everything() -> (Design, Vec<crate::design::PlacedVault>) {
    let mut design = Design::default();
    design.layout.size = Size::new(90, 90);
    let court = Room {
        div: 2,
        xdiv: 1,
        ydiv: 1,
        width: 12,
        sites: [1, 1, 1, 1, 1, 1, 1, 1],
        style: style::WALLS | style::LARGE_CENTER_DOORS | style::CENTER_DECORATION_1 | style::PYRAMID,
        ..Room::default()
    };
    let hall = Room {
        div: 10,
        xdiv: 1,
        ydiv: 8,
        width: 8,
        sites: [0, 1, 0, 1, 0, 1, 0, 1],
        style: style::WALLS | style::COLUMNS_BEHIND_DOORS | style::CENTER_DECORATION_2,
        ..Room::default()
    };
    let at_the_border = Room {
        xdiv: 9,
        ydiv: 1,
        sites: [1, 0, 0, 0, 1, 0, 0, 0],
        style: style::WALLS | style::CORNER_DECORATION_1,
        ..hall
    };
    design.layout.rooms = vec![court, hall, at_the_border];
    design.layout.open = vec![Point::new(10, 10), Point::new(45, 20)];
    design.layout.walls = vec![Point::new(12, 12), Point::new(12, 13)];
    design.layout.columns = vec![Point::new(80, 80)];
    design.layout.protuberances = 3;
    let cell = ["xxxx ", "x..xx", "x...+", "xxxxx"];
    let piece = |vault, x, y| super::vaults::tests::piece(vault, Point::new(x, y), &cell);
    // The first vault cannot be placed; the second would overlap some of its squares.
    (design, vec![piece(0, -2, 2), piece(1, 1, 2), piece(2, 70, 40)])
}

#[test]
fn every_square_names_the_part_of_the_design_that_it_comes_from() {
    use std::collections::BTreeMap;
    let (design, pieces) = everything();
    let valid = design
        .clone()
        .validate(None)
        .design
        .unwrap()
        .with_pieces(pieces.clone());
    let built = build(&valid);
    let mut parts: BTreeMap<String, usize> = BTreeMap::new();
    for x in 0..90 {
        for y in 0..90 {
            let at = Point::new(x, y);
            let (tile, found) = (built.grid.tile(at), source(&valid, at));
            let Some(SquareSource { part, entry }) = found else {
                assert_eq!(tile, Tile::Open, "{at} comes from somewhere");
                continue;
            };
            *parts.entry(format!("{part:?}")).or_default() += 1;
            let fits = match part {
                LayoutPart::Border => tile == Tile::Wall && valid.layout.size.on_border(at) && entry.is_none(),
                LayoutPart::RoomWall => tile == Tile::Wall,
                LayoutPart::Door => tile == Tile::Open,
                LayoutPart::Pyramid => tile == Tile::HighWall,
                LayoutPart::Decoration => tile != Tile::Guaranteed,
                LayoutPart::RoomColumns => tile == Tile::Column,
                LayoutPart::Protuberance => tile == Tile::Wall && entry == Some(Entry::Protuberances),
                LayoutPart::HandPlaced => match entry {
                    Some(Entry::Open(i)) => tile == Tile::Guaranteed && design.layout.open[i] == at,
                    Some(Entry::Wall(i)) => tile == Tile::Wall && design.layout.walls[i] == at,
                    Some(Entry::Column(i)) => tile == Tile::Column && design.layout.columns[i] == at,
                    _ => false,
                },
                LayoutPart::Vault => match entry {
                    Some(Entry::Vault(i)) => {
                        i > 0
                            && pieces[i]
                                .feature(at)
                                .is_some_and(|f| crate::design::PlacedVault::is_wall(f) != tile.is_open())
                    }
                    None => tile == Tile::Guaranteed && pieces[1..].iter().all(|piece| piece.feature(at).is_none()),
                    _ => false,
                },
            };
            assert!(fits, "{at}: {found:?} is {tile:?}");
            // Without the room, the square has another tile, or the same tile comes from another entry.
            if let (
                Some(Entry::Room(i)),
                LayoutPart::RoomWall | LayoutPart::Pyramid | LayoutPart::Decoration | LayoutPart::RoomColumns,
            ) = (entry, part)
            {
                let mut without = design.clone();
                without.layout.rooms[i].width = 0;
                let without = without.validate(None).design.unwrap().with_pieces(pieces.clone());
                let other = build(&without).grid.tile(at);
                let again = source(&without, at);
                assert!(
                    other != tile || again.is_some_and(|again| again.entry != entry),
                    "{at}: {found:?}"
                );
            }
        }
    }
    for part in [
        "Border",
        "RoomWall",
        "Door",
        "Pyramid",
        "Decoration",
        "RoomColumns",
        "HandPlaced",
        "Vault",
        "Protuberance",
    ] {
        assert!(parts.contains_key(part), "{part}: {parts:?}");
    }
    assert_eq!(source(&valid, Point::new(-1, 4)), None);
    assert_eq!(source(&valid, Point::new(4, 90)), None);
}

#[test]
fn first_crawlers_are_named_by_their_entries() {
    let mut design = Design::default();
    design.layout.size = Size::new(60, 60);
    design.layout.rooms.push(Room {
        sites: [0, 3, 0, 0, 23, 0, 0, 0],
        ..Room::default()
    });
    let start = CrawlerStart {
        at: Point::new(12, 0),
        direction: 1,
        ..CrawlerStart::default()
    };
    let outside = CrawlerStart {
        at: Point::new(-5, 0),
        ..start
    };
    design.layout.crawlers = vec![start, outside, start];
    let labels: Vec<String> = grown(&design).starts.iter().map(Start::description).collect();
    let expected = [
        "the Crawler of room 1, North center",
        "the Crawler of room 1, SouthEast corner",
        "Crawler 1 of the layout",
        "Crawler 3 of the layout",
    ];
    assert_eq!(labels, expected);
}

#[test]
fn first_crawlers_that_die_of_age_before_they_build_are_reported() {
    let warnings = |max_age: i32, delays: [i32; 2]| {
        let mut design = Design::default();
        design.character.generations[0].max_age = max_age;
        for (y, delay) in [30, 70].into_iter().zip(delays) {
            let at = Point::new(0, y);
            design.layout.crawlers.push(CrawlerStart {
                at,
                delay,
                ..CrawlerStart::default()
            });
        }
        let found: Vec<String> = messages(&grown(&design)).into_iter().map(str::to_owned).collect();
        found.join("; ")
    };
    assert_eq!(warnings(2, [0, 0]), "");
    assert_eq!(warnings(1, [2, 1]), "");
    assert_eq!(
        warnings(1, [2, 0]),
        "MaxAge of generation 0 is 1: first Crawlers without a delay (1 of the 2 first Crawlers) die without building"
    );
    assert_eq!(
        warnings(1, [0, 0]),
        "MaxAge of generation 0 is 1: first Crawlers without a delay die without building"
    );
    assert_eq!(
        warnings(0, [2, 1]),
        "MaxAge of generation 0 is 0: first Crawlers die without building"
    );
}

#[test]
fn a_decorated_door_starts_four_jumpers_and_a_crawler_before_them() {
    let room = Room {
        div: 2,
        xdiv: 1,
        ydiv: 1,
        width: 7,
        sites: [12, 1, 0, 0, 0, 0, 0, 0],
        style: style::WALLS
            | style::LARGE_CENTER_DOORS
            | style::CRAWLER_IN_CENTER_DOORS
            | style::COLUMNS_BEHIND_DOORS
            | style::CENTER_DECORATION_1,
        ..Room::default()
    };
    let built = with_room(91, room);
    let starts: Vec<(BuilderKind, (i32, i32), Forward)> = built
        .starts
        .iter()
        .map(|start| (start.kind, (start.at.x, start.at.y), start.forward))
        .collect();
    assert_eq!(
        starts,
        [
            (BuilderKind::Crawler, (37, 45), Forward::North),
            (BuilderKind::RoomJumper, (40, 45), Forward::East),
            (BuilderKind::RoomJumper, (40, 45), Forward::West),
            (BuilderKind::DoorJumper, (19, 54), Forward::North),
            (BuilderKind::DoorJumper, (19, 54), Forward::East),
            (BuilderKind::DoorJumper, (19, 36), Forward::North),
            (BuilderKind::DoorJumper, (19, 36), Forward::West),
            (BuilderKind::Crawler, (37, 37), Forward::North),
        ]
    );
    assert_eq!(built.starts[3].description(), "a Jumper of room 1, North center");
    for column in [(40, 45), (19, 54), (19, 36)] {
        assert_eq!(built.grid.tile(Point::new(column.0, column.1)), Tile::Column);
    }
}

#[test]
fn a_room_that_only_touches_the_border_opens_it_with_its_door() {
    let room = |ydiv| Room {
        div: 100,
        xdiv: 50,
        ydiv,
        width: 8,
        sites: [0, 1, 0, 1, 0, 0, 0, 0],
        ..Room::default()
    };
    let border = Point::new(50, 99);
    let touching = with_room(100, room(90));
    assert_eq!(touching.grid.tile(border), Tile::Open);
    assert!(messages(&touching)[0].contains("opens the outer wall"));
    assert_eq!(with_room(100, room(91)).grid.tile(border), Tile::Wall);
}

#[test]
fn a_room_shifted_from_the_far_borders_needs_a_door_to_the_dungeon() {
    let is_built = |xdiv, ydiv, sites| {
        let room = Room {
            div: 10,
            xdiv,
            ydiv,
            sites,
            ..Room::default()
        };
        !with_room(60, room).rooms.is_empty()
    };
    assert!(!is_built(10, 5, [0; 8]) && !is_built(5, 10, [0, 0, 0, 1, 0, 0, 0, 0]));
    assert!(is_built(10, 5, [0, 0, 0, 0, 0, 0, 0, 1]) && is_built(0, 5, [0, 1, 0, 0, 0, 0, 0, 0]));
    assert!(is_built(5, 5, [0; 8]));
}

#[test]
fn codes_at_the_lower_right_corner_behave_differently() {
    let with_code = |site: usize, code| {
        let mut room = Room {
            sites: [0; 8],
            ..Room::default()
        };
        room.sites[site] = code;
        with_room(45, room)
    };
    let heading = |code| with_code(sites::RIGHT_BOTTOM_CORNER, code).starts[0].forward;
    assert_eq!((heading(42), heading(43)), (Forward::East, Forward::West));
    for code in [2, 3] {
        let left_out = with_code(sites::RIGHT_BOTTOM_CORNER, code);
        assert!(left_out.rooms.is_empty());
        // It is not reported that only the corner stays empty.
        let [message] = messages(&left_out)[..] else {
            panic!("{:?}", left_out.diagnostics);
        };
        assert!(message.ends_with("has no heading; the room is left out"), "{message}");
        assert_eq!(with_code(sites::LEFT_BOTTOM_CORNER, code).rooms.len(), 1);
    }
}

#[test]
fn a_negative_style_has_the_switches_of_its_bits() {
    let resolve = |value| super::style::Style::resolve(value, 7, Entry::Room(0), &mut Vec::new());
    assert_eq!(resolve(-1), resolve(style::ALL));
    assert_eq!(resolve(-16384), resolve(0));
    assert_eq!(resolve(style::ALL + 1), None);
}

#[test]
fn a_negative_style_is_reported_with_the_style_that_is_used() {
    for (value, used) in [(-16383, 1), (-1, style::ALL), (i32::MIN, 0)] {
        let mut report = Vec::new();
        super::style::Style::resolve(value, 7, Entry::Room(1), &mut report);
        assert_eq!(report[0].message, format!("style of room 2 is {value}; {used} is used"));
        assert_eq!(report[0].help, "use a value from 0 to 16383");
        assert_eq!(report[0].place, Some(Place::field(Entry::Room(1), RoomField::Style)));
    }
}
