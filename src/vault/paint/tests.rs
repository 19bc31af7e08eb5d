//! Tests what each primitive draws, and that no argument makes it fail.

use proptest::prelude::*;

use super::*;
use crate::engine::random::Key;

fn dice() -> Dice {
    Dice::new(Key::new(11))
}

fn show(glyphs: &Glyphs) -> Vec<String> {
    glyphs
        .rows()
        .map(|row| String::from_utf8_lossy(row).into_owned())
        .collect()
}

fn area(x1: i32, y1: i32, x2: i32, y2: i32) -> Area {
    Area { x1, y1, x2, y2 }
}

fn set(glyphs: &str) -> GlyphSet {
    GlyphSet::new(glyphs.as_bytes())
}

fn cell(x: i32, y: i32) -> Cell {
    Cell { x, y }
}

fn count(glyphs: &Glyphs, find: &str) -> usize {
    count_in_area(glyphs, Area::whole(glyphs), &set(find))
}

/// Runs a function on empty and very small grids.
fn on_small_grids(paint: impl Fn(&mut Glyphs, &mut Dice)) {
    for (width, height) in [(0, 0), (1, 1), (1, 5), (5, 1), (2, 2), (3, 3)] {
        for fill in [b'x', b'.', b' '] {
            let mut glyphs = Glyphs::new(width, height, fill);
            paint(&mut glyphs, &mut dice());
            assert_eq!((glyphs.width(), glyphs.height()), (width, height));
        }
    }
}

#[test]
fn boxes_include_both_corners_and_are_clipped_at_the_edge() {
    let mut glyphs = Glyphs::new(5, 3, b'.');
    fill_area(&mut glyphs, area(1, 1, 3, 1), b'x', None);
    assert_eq!(show(&glyphs), [".....", ".xxx.", "....."]);
    fill_area(&mut glyphs, area(-9, -9, 0, 99), b'c', None);
    assert_eq!(show(&glyphs), ["c....", "cxxx.", "c...."]);
    fill_area(&mut glyphs, Area::whole(&Glyphs::new(5, 3, b'.')), b'.', Some(b'v'));
    assert_eq!(show(&glyphs), ["vvvvv", "v...v", "vvvvv"]);
    fill_area(&mut glyphs, area(9, 9, 12, 12), b'!', Some(b'!'));
    assert_eq!(area(3, 2, 1, 0).ordered(), area(1, 0, 3, 2));
    assert_eq!(count(&glyphs, "!"), 0);
}

#[test]
fn boxes_have_walls_of_their_thickness() {
    let mut glyphs = Glyphs::new(7, 6, b' ');
    make_box(&mut glyphs, area(0, 0, 6, 5), b'x', b'.', 2);
    assert_eq!(
        show(&glyphs),
        ["xxxxxxx", "xxxxxxx", "xx...xx", "xx...xx", "xxxxxxx", "xxxxxxx"]
    );
    make_box(&mut glyphs, area(0, 0, 6, 5), b'c', b'.', -1);
    assert_eq!(count(&glyphs, "."), 42);
    on_small_grids(|glyphs, _| make_box(glyphs, area(-3, -3, 9, 9), b'x', b'.', i32::MAX));
}

#[test]
fn doors_are_in_sides_and_not_adjacent() {
    for seed in 0..50 {
        let mut dice = Dice::new(Key::new(seed));
        let mut glyphs = Glyphs::new(8, 6, b' ');
        let room = area(1, 1, 6, 4);
        make_box(&mut glyphs, room, b'x', b'.', 1);
        assert_eq!(add_box_doors(&mut glyphs, room, b'+', 3, &mut dice), 3);
        let doors: Vec<Cell> = glyphs.find(b'+').collect();
        assert_eq!(doors.len(), 3);
        for door in &doors {
            assert!((door.x == 1 || door.x == 6) != (door.y == 1 || door.y == 4), "{door:?}");
            assert!(!doors.iter().any(|d| (d.x - door.x).abs() + (d.y - door.y).abs() == 1));
        }
        assert!(add_box_doors(&mut glyphs, room, b'+', i32::MAX, &mut dice) < 20);
    }
    on_small_grids(|glyphs, dice| {
        add_box_doors(glyphs, area(i32::MIN, i32::MIN, i32::MAX, i32::MAX), b'+', 9, dice);
        add_box_doors(glyphs, area(0, 0, 0, 0), b'+', -1, dice);
    });
}

#[test]
fn shapes_match_their_names() {
    let draw = |shape, radius| {
        let mut glyphs = Glyphs::new(7, 7, b'.');
        make_shape(&mut glyphs, shape, cell(3, 3), radius, b'x');
        show(&glyphs)
    };
    assert_eq!(
        draw(Shape::Circle, 3),
        [
            "..xxx..", ".xxxxx.", "xxxxxxx", "xxxxxxx", "xxxxxxx", ".xxxxx.", "..xxx.."
        ]
    );
    assert_eq!(
        draw(Shape::Diamond, 2),
        [
            ".......", "...x...", "..xxx..", ".xxxxx.", "..xxx..", "...x...", "......."
        ]
    );
    assert_eq!(
        draw(Shape::Square, 1),
        [
            ".......", ".......", "..xxx..", "..xxx..", "..xxx..", ".......", "......."
        ]
    );
    assert_eq!(
        draw(Shape::RoundedSquare, 3),
        [
            ".xxxxx.", "xxxxxxx", "xxxxxxx", "xxxxxxx", "xxxxxxx", "xxxxxxx", ".xxxxx."
        ]
    );
    assert_eq!(draw(Shape::Circle, 0).concat().matches('x').count(), 1);
    assert_eq!(draw(Shape::Circle, -1).concat().matches('x').count(), 0);
    assert_eq!(draw(Shape::Square, i32::MAX).concat().matches('x').count(), 49);
    on_small_grids(|glyphs, _| {
        for shape in [Shape::Circle, Shape::Diamond, Shape::Square, Shape::RoundedSquare] {
            make_shape(glyphs, shape, cell(i32::MAX, i32::MIN), i32::MAX, b'x');
            make_shape(glyphs, shape, cell(0, 0), i32::MIN, b'x');
        }
    });
}

#[test]
fn oval_rooms_are_closed_except_for_their_doors() {
    let mut glyphs = Glyphs::new(9, 7, b' ');
    let made = make_round_box(&mut glyphs, area(0, 0, 8, 6), &room(2), &mut dice());
    assert_eq!(made, 2);
    assert_eq!(count(&glyphs, "+"), 2);
    let shape: Vec<String> = show(&glyphs).iter().map(|row| row.replace('+', "x")).collect();
    assert_eq!(
        shape,
        [
            "  xxxxx  ",
            " xx...xx ",
            "xx.....xx",
            "x.......x",
            "xx.....xx",
            " xx...xx ",
            "  xxxxx  "
        ]
    );
    for floor in glyphs.find(b'.') {
        assert_eq!(count_neighbours(&glyphs, floor, &set(" ")), 0, "{floor:?}");
    }
    on_small_grids(|glyphs, dice| {
        let all = area(i32::MIN, i32::MIN, i32::MAX, i32::MAX);
        make_round_box(glyphs, all, &room(5), dice);
        make_round_box(glyphs, area(0, 0, 4, 4), &room(-5), dice);
    });
}

fn room(doors: i32) -> Room {
    Room {
        wall: b'x',
        floor: b'.',
        door: b'+',
        doors,
    }
}

#[test]
fn irregular_rooms_are_closed_and_indented_within_their_limits() {
    let ragged = Ragged {
        div_x: 4,
        div_y: 3,
        in_x: 3,
        in_y: 2,
    };
    for seed in 0..50 {
        let mut glyphs = Glyphs::new(24, 18, b' ');
        let dice = &mut Dice::new(Key::new(seed));
        let made = make_irregular_box(&mut glyphs, area(1, 1, 22, 16), &ragged, &room(2), dice);
        assert_eq!((made, count(&glyphs, "+")), (2, 2));
        for y in 0..18 {
            for x in 0..24 {
                let outside = !area(1, 1, 22, 16).holds(cell(x, y));
                let middle = area(5, 4, 18, 13).holds(cell(x, y));
                let glyph = glyphs.get(x, y);
                assert!(!(outside && glyph != b' ' || middle && glyph != b'.'), "{x} {y}");
                let leaks = glyph == b'.' && count_neighbours(&glyphs, cell(x, y), &set(" ")) > 0;
                assert!(!leaks, "{x} {y}");
            }
        }
    }
    let straight = Ragged {
        in_x: 0,
        in_y: 0,
        ..ragged
    };
    let mut glyphs = Glyphs::new(4, 3, b' ');
    make_irregular_box(&mut glyphs, area(0, 0, 3, 2), &straight, &room(0), &mut dice());
    assert_eq!(show(&glyphs), ["xxxx", "x..x", "xxxx"]);
    on_small_grids(|glyphs, dice| {
        for number in [i32::MIN, -1, 0, 1, i32::MAX] {
            let odd = Ragged {
                div_x: number,
                div_y: number,
                in_x: number,
                in_y: number,
            };
            let all = area(i32::MIN, i32::MIN, i32::MAX, i32::MAX);
            make_irregular_box(glyphs, all, &odd, &room(number), dice);
            make_irregular_box(glyphs, area(0, 0, 2, 2), &odd, &room(number), dice);
        }
    });
}

#[test]
fn octagons_lose_their_corners() {
    let mut glyphs = Glyphs::new(6, 5, b'x');
    octa_room(&mut glyphs, area(0, 0, 5, 4), 2, b'.', None, None);
    assert_eq!(show(&glyphs), ["xx..xx", "x....x", "......", "x....x", "xx..xx"]);
    octa_room(&mut glyphs, area(0, 0, 5, 4), 1, b'w', Some(b'c'), Some(&set("x")));
    assert_eq!(show(&glyphs), ["cw..wc", "w....w", "......", "w....w", "cw..wc"]);
    on_small_grids(|glyphs, _| octa_room(glyphs, area(-1, -1, 9, 9), i32::MAX, b'.', Some(b'x'), None));
}

#[test]
fn glyphs_are_found_counted_and_replaced() {
    let mut glyphs = Glyphs::from_rows(&["x.w", ".x.", "w.x"]);
    let all = Area::whole(&glyphs);
    assert!(find_in_area(&glyphs, area(0, 0, 1, 1), &set("cx"), |_| false));
    assert!(!find_in_area(&glyphs, area(1, 0, 1, 0), &set("xw"), |_| false));
    assert!(find_in_area(&glyphs, area(1, 0, 1, 0), &set(""), |at| at == cell(1, 0)));
    assert!(
        !find_in_area(&glyphs, area(7, 7, 9, 9), &set("x "), |_| true),
        "nothing lies there"
    );
    assert_eq!(count_in_area(&glyphs, all, &set("xw")), 5);
    assert_eq!(count_neighbours(&glyphs, cell(0, 0), &set(".")), 2);
    assert_eq!(count_neighbours(&glyphs, cell(1, 1), &set("xw")), 4);
    assert_eq!(count_neighbours(&glyphs, cell(-1, -1), &set("x")), 1);
    assert_eq!(count_neighbours(&glyphs, cell(i32::MIN, i32::MAX), &set("x ")), 0);

    assert!(replace_first(
        &mut glyphs,
        cell(0, 1),
        (1, 0),
        &set("x"),
        Brush(b"c"),
        &mut dice()
    ));
    assert!(!replace_first(
        &mut glyphs,
        cell(0, 1),
        (1, 0),
        &set("x"),
        Brush(b"c"),
        &mut dice()
    ));
    assert!(!replace_first(
        &mut glyphs,
        cell(1, 0),
        (0, 0),
        &set("x"),
        Brush(b"c"),
        &mut dice()
    ));
    assert!(!replace_first(
        &mut glyphs,
        cell(2, 0),
        (i32::MAX, 1),
        &set("q"),
        Brush(b"c"),
        &mut dice()
    ));
    assert_eq!(show(&glyphs), ["x.w", ".c.", "w.x"]);
    assert_eq!(
        replace_closest(&mut glyphs, cell(9, 9), &set("xw"), Brush(b"v"), &mut dice()),
        Some(cell(2, 2))
    );
    assert_eq!(
        replace_closest(&mut glyphs, cell(i32::MIN, 0), &set("q"), Brush(b"v"), &mut dice()),
        None
    );
    assert_eq!(
        replace_random(&mut glyphs, all, &set("c"), Brush(b"b"), &mut dice()),
        Some(cell(1, 1))
    );
    assert_eq!(
        replace_random(&mut glyphs, all, &set("q"), Brush(b"b"), &mut dice()),
        None
    );
    assert_eq!(replace_area(&mut glyphs, all, &set("w"), Brush(b"l"), &mut dice()), 2);
    assert_eq!(show(&glyphs), ["x.l", ".b.", "l.v"]);
    assert_eq!(replace_area(&mut glyphs, all, &set("l"), Brush(b""), &mut dice()), 2);
    assert_eq!(count(&glyphs, "l"), 2);
}

#[test]
fn brushes_of_several_glyphs_use_them_all() {
    let mut glyphs = Glyphs::new(30, 30, b'.');
    let all = Area::whole(&glyphs);
    replace_area(&mut glyphs, all, &set("."), Brush(b"ab"), &mut dice());
    let a = count(&glyphs, "a");
    assert!((370..530).contains(&a), "{a}");
    assert_eq!(a + count(&glyphs, "b"), 900);
}

#[test]
fn distances_are_measured_in_steps() {
    let glyphs = Glyphs::from_rows(&["C.x..", "xxx..", "....."]);
    assert_eq!(
        farthest_from(&glyphs, &set("C"), &GlyphSet::passable()),
        Some(cell(1, 0))
    );
    let glyphs = Glyphs::from_rows(&["C.x..", "..x..", "....."]);
    assert_eq!(
        farthest_from(&glyphs, &set("C"), &GlyphSet::passable()),
        Some(cell(3, 0))
    );
    for none in [Glyphs::default(), Glyphs::new(1, 1, b'C'), Glyphs::new(2, 2, b'.')] {
        assert_eq!(farthest_from(&none, &set("C"), &GlyphSet::passable()), None);
    }
}

fn spots(glyphs: &Glyphs, iterations: i32, boxy: bool) -> Spots {
    Spots {
        area: Area::inside(glyphs),
        find: set("x"),
        replace: b'.',
        boxy,
        iterations,
    }
}

#[test]
fn spots_are_one_cave_within_the_edge() {
    for boxy in [false, true] {
        let mut glyphs = Glyphs::new(30, 20, b'x');
        let spots = spots(&glyphs, 20, boxy);
        let taken = spotty_map(&mut glyphs, &spots, &mut dice());
        assert!((20..=if boxy { 180 } else { 100 }).contains(&taken), "{taken}");
        assert_eq!(count(&glyphs, "."), taken as usize);
        let mut rest = glyphs.clone();
        let whole = Area::whole(&glyphs);
        assert_eq!(
            fill_disconnected(&mut rest, whole, &set("."), &set(""), b'x'),
            0,
            "one piece"
        );
        assert_eq!(glyphs.find(b'.').filter(|at| !spots.area.holds(*at)).count(), 0);
        let most = Spots {
            iterations: i32::MAX,
            ..spots
        };
        assert_eq!(spotty_map(&mut glyphs, &most, &mut dice()), 28 * 18 - taken);
    }
    on_small_grids(|glyphs, dice| {
        for iterations in [i32::MIN, 0, 3, i32::MAX] {
            let spots = spots(glyphs, iterations, true);
            spotty_map(glyphs, &spots, dice);
        }
    });
}

#[test]
fn spots_that_spread_a_glyph_over_itself_change_nothing() {
    let mut glyphs = Glyphs::new(9, 9, b'x');
    let spots = Spots {
        replace: b'x',
        ..spots(&glyphs, i32::MAX, true)
    };
    spotty_map(&mut glyphs, &spots, &mut dice());
    smear_map(&mut glyphs, &spots, &mut dice());
    assert_eq!(count(&glyphs, "x"), 81);
}

#[test]
fn smears_grow_from_existing_cells() {
    let mut glyphs = Glyphs::new(20, 20, b'x');
    let spots = spots(&glyphs, 2_000, false);
    assert_eq!(
        smear_map(&mut glyphs, &spots, &mut dice()),
        0,
        "there is nothing to smear"
    );
    fill_area(&mut glyphs, area(9, 9, 11, 11), b'.', None);
    let taken = smear_map(&mut glyphs, &spots, &mut dice());
    assert!(taken > 20, "{taken}");
    assert_eq!(count(&glyphs, "."), 9 + taken as usize);
    let whole = Area::whole(&glyphs);
    assert_eq!(
        fill_disconnected(&mut glyphs, whole, &set("."), &set(""), b'x'),
        0,
        "one piece"
    );
    on_small_grids(|glyphs, dice| {
        let spots = self::spots(glyphs, i32::MAX, false);
        smear_map(glyphs, &spots, dice);
    });
}

#[test]
fn paths_widen_by_one_cell() {
    let mut glyphs = Glyphs::from_rows(&["xxxxx", "xxxxx", "xx.xx", "xxxxx", "xxxxx"]);
    let all = Area::whole(&glyphs);
    widen_paths(
        &mut glyphs,
        all,
        (&set("x"), b'.'),
        &GlyphSet::passable(),
        0,
        &mut dice(),
    );
    assert_eq!(count(&glyphs, "."), 1);
    widen_paths(
        &mut glyphs,
        all,
        (&set("x"), b'.'),
        &GlyphSet::passable(),
        100,
        &mut dice(),
    );
    assert_eq!(show(&glyphs), ["xxxxx", "xx.xx", "x...x", "xx.xx", "xxxxx"]);
    on_small_grids(|glyphs, dice| {
        let all = Area::whole(glyphs);
        widen_paths(glyphs, all, (&set("x"), b'.'), &GlyphSet::passable(), i32::MAX, dice);
    });
}

#[test]
fn isolated_glyphs_are_removed() {
    let rows = ["x....", "..xx.", ".x...", "....x"];
    let remove = |boxy, percent| {
        let mut glyphs = Glyphs::from_rows(&rows);
        let all = Area::whole(&glyphs);
        remove_isolated_glyphs(&mut glyphs, all, (&set("x"), b'.'), percent, boxy, &mut dice());
        show(&glyphs)
    };
    assert_eq!(remove(false, 100), [".....", "..xx.", ".....", "....."]);
    assert_eq!(remove(true, 100), [".....", "..xx.", ".x...", "....."]);
    assert_eq!(remove(true, 0), rows);
    on_small_grids(|glyphs, dice| {
        let all = Area::whole(glyphs);
        remove_isolated_glyphs(glyphs, all, (&set("x"), b'.'), 50, true, dice);
    });
}

#[test]
fn caverns_have_the_requested_size() {
    let dig = Dig {
        least: 3,
        most: 3,
        join_percent: 0,
        cells: 150,
        newest: 1,
        rock: b'x',
        floor: b'.',
    };
    for seed in 0..20 {
        let mut glyphs = Glyphs::new(40, 30, b'x');
        let inside = Area::inside(&glyphs);
        assert_eq!(
            delve(&mut glyphs, inside, &dig, &mut Dice::new(Key::new(seed))),
            150,
            "seed {seed}"
        );
        assert_eq!(count(&glyphs, "."), 150);
        let whole = Area::whole(&glyphs);
        assert_eq!(
            fill_disconnected(&mut glyphs, whole, &set("."), &set(""), b'x'),
            0,
            "one piece"
        );
    }
    on_small_grids(|glyphs, dice| {
        for numbers in [i32::MIN, -1, 0, 1, i32::MAX] {
            let dig = Dig {
                least: numbers,
                most: numbers,
                join_percent: numbers,
                cells: numbers,
                newest: numbers,
                ..dig
            };
            let inside = Area::inside(glyphs);
            delve(glyphs, inside, &dig, dice);
        }
    });
}

fn passages(glyphs: &Glyphs) -> Passages {
    Passages {
        area: Area::inside(glyphs),
        wall: set("x"),
        floor: set("."),
        replace: b'+',
        least: 100,
        most: 100,
        check_distance: None,
    }
}

#[test]
fn each_pair_of_rooms_is_joined_once() {
    let rows = [
        "xxxxxxx", "x..x..x", "x..x..x", "xxxxxxx", "x..x..x", "x..x..x", "xxxxxxx",
    ];
    for seed in 0..30 {
        let mut dice = Dice::new(Key::new(seed));
        let mut glyphs = Glyphs::from_rows(&rows);
        let passages = passages(&glyphs);
        assert_eq!(
            connect_adjacent_rooms(&mut glyphs, &passages, &mut dice),
            3,
            "four rooms"
        );
        assert_eq!(
            connect_adjacent_rooms(&mut glyphs, &passages, &mut dice),
            0,
            "they are joined"
        );
        let mut rest = glyphs.clone();
        let whole = Area::whole(&glyphs);
        assert_eq!(fill_disconnected(&mut rest, whole, &set(".+"), &set(""), b'x'), 0);
        let more = Passages {
            check_distance: Some(2),
            ..passages
        };
        assert!(
            connect_adjacent_rooms(&mut glyphs, &more, &mut dice) > 0,
            "others are far"
        );
    }
    let few = |least, most| {
        let mut glyphs = Glyphs::from_rows(&rows);
        let passages = Passages {
            least,
            most,
            ..passages(&glyphs)
        };
        connect_adjacent_rooms(&mut glyphs, &passages, &mut dice())
    };
    assert_eq!((few(25, 25), few(0, 0), few(-5, -1)), (3, 0, 0));
    assert!(few(1, 1) <= 1);
    on_small_grids(|glyphs, dice| {
        for distance in [None, Some(i32::MIN), Some(-1), Some(0), Some(32), Some(i32::MAX)] {
            let passages = Passages {
                area: area(i32::MIN, i32::MIN, i32::MAX, i32::MAX),
                check_distance: distance,
                least: i32::MIN,
                most: i32::MAX,
                ..passages(glyphs)
            };
            connect_adjacent_rooms(glyphs, &passages, dice);
        }
    });
}

#[test]
fn walls_at_the_edge_do_not_lead_to_spaces_outside_the_grid() {
    let mut glyphs = Glyphs::from_rows(&["x..x", "x..x", "xxxx"]);
    let passages = Passages {
        area: Area::whole(&glyphs),
        floor: set(". "),
        ..passages(&glyphs)
    };
    assert_eq!(connect_adjacent_rooms(&mut glyphs, &passages, &mut dice()), 0);
    assert_eq!(show(&glyphs), ["x..x", "x..x", "xxxx"]);
}

#[test]
fn half_of_the_walls_between_open_ground_get_a_window() {
    let rows = [".......", "xxxxxxx", ".......", "xxxx.xx", "...x..x"];
    let (mut with, mut cells) = (0, 0);
    for seed in 0..600 {
        let mut glyphs = Glyphs::from_rows(&rows);
        let whole = Area::whole(&glyphs);
        let mut dice = Dice::new(Key::new(seed));
        let made = add_windows(&mut glyphs, whole, (&set("x"), &set(".")), b'm', &mut dice);
        let shown = show(&glyphs);
        let found: Vec<(usize, usize)> = shown
            .iter()
            .enumerate()
            .flat_map(|(y, row)| row.match_indices('m').map(move |(x, _)| (x, y)).collect::<Vec<_>>())
            .collect();
        // Windows are possible in the wall of the second row, and in the two cells of the fourth row that have ground
        // above and below.
        assert!(
            found
                .iter()
                .all(|(x, y)| (1..6).contains(x) && (*y == 1 || *y == 3 && *x < 3)),
            "{shown:?}"
        );
        assert_eq!(made == 0, found.is_empty());
        let wall = found.iter().filter(|(_, y)| *y == 1).count();
        with += usize::from(wall > 0);
        cells += wall;
    }
    assert!((240..=360).contains(&with), "{with} of 600");
    // The stretch between two random cells of a wall of five has 2.6 cells on average.
    assert!(
        (with * 22 / 10..=with * 3).contains(&cells),
        "{cells} cells in {with} windows"
    );
    on_small_grids(|glyphs, dice| {
        add_windows(glyphs, area(-4, -4, 9, 9), (&set("x"), &set(".")), b'm', dice);
    });
}

#[test]
fn the_largest_zone_stays() {
    let mut glyphs = Glyphs::from_rows(&["..x.", "..x.", "xxx.", "@x.."]);
    let whole = Area::whole(&glyphs);
    assert_eq!(fill_disconnected(&mut glyphs, whole, &set(".@"), &set("@"), b'x'), 4);
    assert_eq!(show(&glyphs), ["xxx.", "xxx.", "xxx.", "@x.."]);
    on_small_grids(|glyphs, _| {
        fill_disconnected(glyphs, area(-4, -4, 9, 9), &set("."), &set(""), b'x');
    });
}

#[test]
fn doors_that_lead_nowhere_are_removed() {
    let mut glyphs = Glyphs::from_rows(&["x+x+x", "x.x.+", "x.++.", "xxxxx"]);
    let whole = Area::whole(&glyphs);
    let gone = remove_disconnected_doors(&mut glyphs, whole, &set("+"), &GlyphSet::passable(), b'x');
    assert_eq!(show(&glyphs), ["xxxxx", "x.x.x", "x.++.", "xxxxx"]);
    assert_eq!(gone, 3);
    on_small_grids(|glyphs, _| {
        remove_disconnected_doors(glyphs, area(-4, -4, 9, 9), &set("x"), &set("."), b'c');
    });
}

#[test]
fn dots_are_joined_by_a_path() {
    for seed in 0..30 {
        let mut glyphs = Glyphs::new(12, 9, b'x');
        let passable = GlyphSet::passable();
        let (from, to) = (cell(10, 1), cell(1, 7));
        assert!(join_the_dots(
            &mut glyphs,
            from,
            to,
            &passable,
            b'.',
            &mut Dice::new(Key::new(seed))
        ));
        assert_eq!(count(&glyphs, "."), 9 + 6 + 1, "no step is wasted");
        assert_eq!((at(&glyphs, from), at(&glyphs, to)), (b'.', b'.'));
        let whole = Area::whole(&glyphs);
        assert_eq!(
            fill_disconnected(&mut glyphs, whole, &set("."), &set(""), b'x'),
            0,
            "one piece"
        );
    }
    on_small_grids(|glyphs, dice| {
        for far in [cell(0, 0), cell(4, 0), cell(i32::MIN, i32::MAX)] {
            join_the_dots(glyphs, cell(0, 0), far, &GlyphSet::passable(), b'.', dice);
        }
    });
}

#[test]
fn pools_cover_the_ground() {
    let pools = |glyphs: &Glyphs| Pools {
        area: Area::whole(glyphs),
        replace: set("."),
        size: 40,
        contents: vec![(b'w', 1), (b'l', 1), (b'q', 0)],
        border: Some(b'x'),
        percent: 100,
    };
    let mut glyphs = Glyphs::new(40, 30, b'.');
    fill_area(&mut glyphs, area(0, 0, 4, 4), b'c', None);
    let all = pools(&glyphs);
    assert_eq!(add_pools(&mut glyphs, &all, &mut dice()), (1200 - 25) / 40);
    assert_eq!(count(&glyphs, "."), 0);
    assert_eq!(count(&glyphs, "c"), 25, "only the ground is divided");
    assert_eq!(count(&glyphs, "q"), 0);
    assert!(count(&glyphs, "w") > 100 && count(&glyphs, "l") > 100 && count(&glyphs, "x") > 100);
    for (one, other) in [("w", "l"), ("l", "w")] {
        for wet in glyphs.find(one.as_bytes()[0]) {
            assert_eq!(
                count_neighbours(&glyphs, wet, &set(other)),
                0,
                "a border lies between {wet:?}"
            );
        }
    }
    let mut glyphs = Glyphs::new(20, 20, b'.');
    let open = Pools {
        border: None,
        percent: 0,
        ..pools(&glyphs)
    };
    add_pools(&mut glyphs, &open, &mut dice());
    assert_eq!(count(&glyphs, "."), 400);
    on_small_grids(|glyphs, dice| {
        for size in [i32::MIN, 0, 1, i32::MAX] {
            let odd = Pools {
                size,
                contents: Vec::new(),
                area: area(i32::MIN, i32::MIN, i32::MAX, i32::MAX),
                ..pools(glyphs)
            };
            add_pools(glyphs, &odd, dice);
        }
    });
}

#[test]
fn maps_grow_and_never_shrink() {
    let mut glyphs = Glyphs::from_rows(&["ab"]);
    extend_map(&mut glyphs, 3, 2, b'x');
    assert_eq!(show(&glyphs), ["abx", "xxx"]);
    extend_map(&mut glyphs, -5, i32::MIN, b'y');
    assert_eq!(show(&glyphs), ["abx", "xxx"]);
    let mut glyphs = Glyphs::default();
    extend_map(&mut glyphs, i32::MAX, i32::MAX, b'x');
    assert!(glyphs.width() <= crate::vault::glyphs::MAX_SIDE);
}

fn number() -> impl Strategy<Value = i32> {
    prop_oneof![8 => -3..14_i32, 1 => any::<i32>(), 1 => Just(i32::MIN), 1 => Just(i32::MAX)]
}

proptest! {
    #[test]
    fn no_argument_breaks_a_primitive(
        rows in prop::collection::vec("[x.+w @]{0,10}", 0..9),
        corners in [number(), number(), number(), number()],
        (a, b, c, d) in (number(), number(), number(), number()),
        glyph in any::<u8>(),
        boxy in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let [x1, y1, x2, y2] = corners;
        let mut glyphs = Glyphs::from_rows(&rows);
        let size = (glyphs.width(), glyphs.height());
        let mut dice = Dice::new(Key::new(seed));
        let box_of_cells = area(x1, y1, x2, y2).ordered();
        let (find, passable) = (set("x.w"), GlyphSet::passable());
        fill_area(&mut glyphs, box_of_cells, b'.', boxy.then_some(glyph));
        make_box(&mut glyphs, box_of_cells, b'x', b'.', a);
        add_box_doors(&mut glyphs, box_of_cells, b'+', b, &mut dice);
        make_round_box(&mut glyphs, box_of_cells, &room(c), &mut dice);
        let ragged = Ragged { div_x: a, div_y: b, in_x: c, in_y: d };
        make_irregular_box(&mut glyphs, box_of_cells, &ragged, &room(d), &mut dice);
        octa_room(&mut glyphs, box_of_cells, d, b'.', boxy.then_some(b'x'), boxy.then_some(&find));
        for shape in [Shape::Circle, Shape::Diamond, Shape::Square, Shape::RoundedSquare] {
            make_shape(&mut glyphs, shape, cell(x1, y2), d, b'x');
        }
        let spots = Spots { area: box_of_cells, find, replace: glyph, boxy, iterations: a };
        spotty_map(&mut glyphs, &spots, &mut dice);
        smear_map(&mut glyphs, &spots, &mut dice);
        widen_paths(&mut glyphs, box_of_cells, (&find, glyph), &passable, b, &mut dice);
        remove_isolated_glyphs(&mut glyphs, box_of_cells, (&find, b'.'), c, boxy, &mut dice);
        let dig = Dig { least: a, most: b, join_percent: c, cells: d, newest: a, rock: b'x', floor: b'.' };
        delve(&mut glyphs, box_of_cells, &dig, &mut dice);
        let passages = Passages {
            area: box_of_cells, wall: set("x"), floor: set("."), replace: glyph, least: a, most: b,
            check_distance: boxy.then_some(c),
        };
        connect_adjacent_rooms(&mut glyphs, &passages, &mut dice);
        remove_disconnected_doors(&mut glyphs, box_of_cells, &set("+"), &passable, b'x');
        fill_disconnected(&mut glyphs, box_of_cells, &passable, &set("@"), b'x');
        join_the_dots(&mut glyphs, cell(x1, y1), cell(x2, y2), &passable, b'.', &mut dice);
        let pools = Pools {
            area: box_of_cells, replace: set("."), size: a, contents: vec![(glyph, 3), (b'.', u32::MAX)],
            border: boxy.then_some(b'x'), percent: b,
        };
        add_pools(&mut glyphs, &pools, &mut dice);
        replace_first(&mut glyphs, cell(x1, y1), (a, b), &find, Brush(b"ab"), &mut dice);
        replace_closest(&mut glyphs, cell(x2, y2), &find, Brush(b"c"), &mut dice);
        replace_random(&mut glyphs, box_of_cells, &find, Brush(b""), &mut dice);
        replace_area(&mut glyphs, box_of_cells, &find, Brush(b"xy"), &mut dice);
        farthest_from(&glyphs, &find, &passable);
        count_neighbours(&glyphs, cell(x1, y1), &find);
        prop_assert_eq!((glyphs.width(), glyphs.height()), size);
    }
}
