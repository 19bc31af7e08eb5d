//! A reference implementation of the metrics for tests. It follows their definitions literally, square by square and
//! with sets, without regard to speed.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{OUTER_CORRIDOR, PILLAR, WIDEST_PASSAGE};
use crate::engine::Grid;
use crate::engine::random::mix;
use crate::geometry::{Forward, Point};

pub(super) type Squares = BTreeSet<Point>;

pub(super) fn all(grid: &Grid) -> impl Iterator<Item = Point> {
    grid.size().points()
}

pub(super) fn open(grid: &Grid) -> Squares {
    all(grid).filter(|&at| grid.tile(at).is_open()).collect()
}

pub(super) fn neighbours(at: Point) -> impl Iterator<Item = Point> {
    Forward::ALL.into_iter().map(move |forward| at.step(forward, 1))
}

/// Returns the squares of the set `of` that can be reached from `from` by steps within the set.
pub(super) fn flood(of: &Squares, from: Point) -> Squares {
    spread(of, from, |at| neighbours(at).collect())
}

/// Returns the squares of the set `of` that are connected with `from`, where `around` returns the neighbours of a
/// square.
fn spread(of: &Squares, from: Point, around: impl Fn(Point) -> Vec<Point>) -> Squares {
    let mut found = Squares::new();
    let mut edge: Vec<Point> = of.get(&from).copied().into_iter().collect();
    while let Some(at) = edge.pop() {
        if found.insert(at) {
            edge.extend(around(at).into_iter().filter(|at| of.contains(at)));
        }
    }
    found
}

/// Returns the connected components of a set.
pub(super) fn parts(of: &Squares) -> Vec<Squares> {
    let mut left = of.clone();
    let mut parts = Vec::new();
    while let Some(&first) = left.iter().next() {
        let part = flood(&left, first);
        left.retain(|at| !part.contains(at));
        parts.push(part);
    }
    parts
}

/// Returns the number of steps from `from` to each square that can be reached within the set, by breadth-first search.
pub(super) fn distances(of: &Squares, from: Point) -> BTreeMap<Point, u32> {
    let mut known = BTreeMap::new();
    let mut edge: Squares = of.get(&from).copied().into_iter().collect();
    for steps in 0.. {
        known.extend(edge.iter().map(|&at| (at, steps)));
        let next = edge.iter().flat_map(|&at| neighbours(at));
        edge = next.filter(|at| of.contains(at) && !known.contains_key(at)).collect();
        if edge.is_empty() {
            break;
        }
    }
    known
}

pub(super) fn entrance(grid: &Grid) -> Option<Point> {
    open(grid).into_iter().min_by_key(|at| (at.x + at.y, at.x))
}

pub(super) fn exit(grid: &Grid) -> Option<Point> {
    open(grid).into_iter().max_by_key(|at| (at.x + at.y, at.x))
}

/// Returns the connected components of the walls, apart from those that touch the border. Diagonal neighbours are
/// connected.
pub(super) fn islands(grid: &Grid) -> Vec<Squares> {
    let mut left: Squares = all(grid).filter(|&at| !grid.tile(at).is_open()).collect();
    let mut islands = Vec::new();
    let around = |at: Point| (-1..=1).flat_map(move |x| (-1..=1).map(move |y| Point::new(at.x + x, at.y + y)));
    while let Some(&first) = left.iter().next() {
        let island = spread(&left, first, |at| around(at).collect());
        left.retain(|at| !island.contains(at));
        if !island.iter().any(|&at| grid.size().on_border(at)) {
            islands.push(island);
        }
    }
    islands
}

pub(super) fn is_pillar(island: &Squares) -> bool {
    let spread = |of: fn(&Point) -> i32| island.iter().map(of).max().unwrap() - island.iter().map(of).min().unwrap();
    spread(|at| at.x) < PILLAR && spread(|at| at.y) < PILLAR
}

/// Returns the number of holes in a set, from its Euler characteristic. Diagonal neighbours are not connected.
pub(super) fn holes(of: &Squares) -> i64 {
    let has = |at: Point, x: i32, y: i32| of.contains(&Point::new(at.x + x, at.y + y));
    let pairs = |x, y| of.iter().filter(|at| has(**at, x, y)).count() as i64;
    let blocks = of
        .iter()
        .filter(|&&at| has(at, 0, 1) && has(at, 1, 0) && has(at, 1, 1))
        .count() as i64;
    let euler = of.len() as i64 - pairs(0, 1) - pairs(1, 0) + blocks;
    parts(of).len() as i64 - euler
}

/// Returns the squares whose shape is analysed: the reachable squares and the pillars that they surround.
pub(super) fn shape(grid: &Grid, entrance: Point) -> Squares {
    let mut shape = flood(&open(grid), entrance);
    for island in islands(grid) {
        let above = island.iter().next().unwrap().step(Forward::North, 1);
        if is_pillar(&island) && shape.contains(&above) {
            shape.extend(island);
        }
    }
    shape
}

/// Returns, for each square, the width of the largest block that contains it. A block consists of w × w open squares,
/// and w is its width.
pub(super) fn widths(shape: &Squares) -> BTreeMap<Point, i32> {
    let mut widths: BTreeMap<Point, i32> = shape.iter().map(|&at| (at, 1)).collect();
    for (at, width) in largest(shape) {
        for inside in block(at, width) {
            let known = widths.get_mut(&inside).unwrap();
            *known = (*known).max(width);
        }
    }
    widths
}

fn block(at: Point, width: i32) -> impl Iterator<Item = Point> {
    (0..width).flat_map(move |x| (0..width).map(move |y| Point::new(at.x + x, at.y + y)))
}

/// Returns the blocks that no larger block contains, each as its top left square and its width.
fn largest(shape: &Squares) -> Vec<(Point, i32)> {
    let is_open: HashSet<Point> = shape.iter().copied().collect();
    // Only the last row and column need a check: the other squares are the block of the previous width, which fits.
    let fits = |at: Point, width: i32| {
        let last = width - 1;
        (0..width).all(|i| {
            let edge = [Point::new(at.x + i, at.y + last), Point::new(at.x + last, at.y + i)];
            edge.iter().all(|inside| is_open.contains(inside))
        })
    };
    let of = |&at: &Point| {
        (1..)
            .take_while(move |&width| fits(at, width))
            .map(move |width| (at, width))
    };
    let blocks: HashSet<(Point, i32)> = shape.iter().flat_map(of).collect();
    let is_largest = |&(at, width): &(Point, i32)| {
        block(Point::new(at.x - 1, at.y - 1), 2).all(|bigger| !blocks.contains(&(bigger, width + 1)))
    };
    blocks.iter().copied().filter(is_largest).collect()
}

/// Returns the junctions, each as the set of its squares.
pub(super) fn junctions(shape: &Squares) -> Vec<Squares> {
    let mut squares = Squares::new();
    for (at, width) in largest(shape) {
        if openings(shape, at, width) >= 3 {
            squares.extend(block(at, width));
        }
    }
    parts(&squares)
}

/// Counts the openings around an open block. The ring around the block is split into stretches by the squares that are
/// not open; a stretch is an opening if a passage leads outwards from it.
fn openings(shape: &Squares, at: Point, width: i32) -> usize {
    // Each square of the ring, with the direction that leads away from the block; `None` for the corners.
    let mut ring: Vec<(Point, Option<Forward>)> = Vec::new();
    for i in 0..width {
        ring.push((Point::new(at.x - 1, at.y + i), Some(Forward::North)));
    }
    ring.push((Point::new(at.x - 1, at.y + width), None));
    for i in 0..width {
        ring.push((Point::new(at.x + i, at.y + width), Some(Forward::East)));
    }
    ring.push((Point::new(at.x + width, at.y + width), None));
    for i in (0..width).rev() {
        ring.push((Point::new(at.x + width, at.y + i), Some(Forward::South)));
    }
    ring.push((Point::new(at.x + width, at.y - 1), None));
    for i in (0..width).rev() {
        ring.push((Point::new(at.x + i, at.y - 1), Some(Forward::West)));
    }
    ring.push((Point::new(at.x - 1, at.y - 1), None));
    if let Some(wall) = ring.iter().position(|(at, _)| !shape.contains(at)) {
        ring.rotate_left(wall);
    }
    let stretches = ring.split(|(at, _)| !shape.contains(at));
    let leads_on = |stretch: &&[(Point, Option<Forward>)]| {
        let sides: Vec<_> = stretch.iter().filter_map(|&(at, out)| Some((at, out?))).collect();
        let needed = (sides.len() as i32 + 1).min(3);
        let walks = |&(at, out): &(Point, Forward)| (0..needed).all(|steps| shape.contains(&at.step(out, steps)));
        sides.iter().any(walks)
    };
    stretches.filter(leads_on).count()
}

/// Returns every line from wall to wall, each with its heading: 0 along a row, 1 along a column.
pub(super) fn lines(shape: &Squares) -> Vec<(usize, Vec<Point>)> {
    let mut lines = Vec::new();
    for (heading, forward) in [Forward::East, Forward::South].into_iter().enumerate() {
        for &at in shape.iter().filter(|at| !shape.contains(&at.step(forward, -1))) {
            let line = (0..)
                .map(|steps| at.step(forward, steps))
                .take_while(|at| shape.contains(at));
            lines.push((heading, line.collect()));
        }
    }
    lines
}

/// Returns the parts that are cut off from the entrance if a line is closed.
fn cut_off(shape: &Squares, line: &[Point], entrance: Point) -> Vec<Squares> {
    let left: Squares = shape.iter().filter(|at| !line.contains(at)).copied().collect();
    let mut parts = parts(&left);
    parts.retain(|part| !part.contains(&entrance));
    parts
}

/// Returns the number of squares beyond the mouth of each dead end, and the total number of squares in pockets.
/// [`super::lines`] defines a pocket.
pub(super) fn dead_ends(shape: &Squares, entrance: Point, exit: Option<Point>) -> (Vec<usize>, usize) {
    let mut pockets = Vec::new();
    for (heading, line) in lines(shape) {
        if line.len() > WIDEST_PASSAGE as usize {
            continue;
        }
        for part in cut_off(shape, &line, entrance) {
            let holds_exit = exit.is_some_and(|exit| part.contains(&exit));
            if !holds_exit && part.len() + line.len() >= line.len() * line.len() {
                pockets.push((part.len(), line[0], heading, part));
            }
        }
    }
    pockets.sort_by_key(|(squares, line, heading, part)| (*squares, *line, *heading, part.iter().next().copied()));
    let mut taken = Squares::new();
    let mut ends = Vec::new();
    let mut blind = Squares::new();
    for (squares, _, _, part) in pockets {
        if part.is_disjoint(&taken) {
            taken.extend(part.iter().copied());
            ends.push(squares);
        }
        blind.extend(part);
    }
    (ends, blind.len())
}

/// Returns the length of the shortest line of at most [`WIDEST_PASSAGE`] squares that cuts all reachable squares of
/// `ground` off from the entrance and the exit. Squares on the line count as cut off, but at least one square of
/// `ground` must be beyond it.
pub(super) fn severed_by(shape: &Squares, entrance: Point, exit: Option<Point>, ground: &Squares) -> Option<usize> {
    let ground: Squares = ground.intersection(shape).copied().collect();
    if ground.is_empty() {
        return None;
    }
    let cuts = |line: &Vec<Point>| {
        let mut parts = cut_off(shape, line, entrance);
        parts.retain(|part| exit.is_none_or(|exit| !part.contains(&exit)));
        let gone: Squares = parts.into_iter().flatten().collect();
        let beyond = ground.intersection(&gone).count();
        beyond > 0 && ground.iter().all(|at| gone.contains(at) || line.contains(at))
    };
    let short = lines(shape).into_iter().map(|(_, line)| line);
    let short = short.filter(|line| line.len() <= WIDEST_PASSAGE as usize);
    short.filter(cuts).map(|line| line.len()).min()
}

/// Returns the lengths of the straight corridors along the four sides of the outer wall.
pub(super) fn outer(grid: &Grid, reached: &Squares) -> Vec<i32> {
    let (bottom, right) = (grid.size().x - 2, grid.size().y - 2);
    let sides: [Vec<Point>; 4] = [
        (1..=right).map(|y| Point::new(1, y)).collect(),
        (1..=right).map(|y| Point::new(bottom, y)).collect(),
        (1..=bottom).map(|x| Point::new(x, 1)).collect(),
        (1..=bottom).map(|x| Point::new(x, right)).collect(),
    ];
    let stretches = |side: &Vec<Point>| -> Vec<i32> {
        side.split(|at| !reached.contains(at))
            .map(|stretch| stretch.len() as i32)
            .collect()
    };
    sides
        .iter()
        .flat_map(stretches)
        .filter(|&length| length >= OUTER_CORRIDOR)
        .collect()
}

/// Returns whether two open squares see each other. They do if, in every row between them (or in every column, if there
/// are more columns than rows between them), the square nearest to the straight line between their centres is open. If
/// two squares are equally near, it suffices that one of them is open.
pub(super) fn sees(open: &Squares, from: Point, to: Point) -> bool {
    let (down, right) = (to.x - from.x, to.y - from.y);
    let lines = down.abs().max(right.abs());
    (1..lines).all(|line| {
        let at = |twice: (i32, i32)| {
            let round = |twice: i32| (twice + lines).div_euclid(2 * lines);
            open.contains(&Point::new(from.x + round(twice.0), from.y + round(twice.1)))
        };
        // If two squares are equally near, rounding up finds one of them and rounding down finds the other.
        let exact = (2 * line * down, 2 * line * right);
        let (rows, columns) = if down.abs() >= right.abs() {
            ((exact.0, exact.0), (exact.1 - 1, exact.1))
        } else {
            ((exact.0 - 1, exact.0), (exact.1, exact.1))
        };
        at((rows.0, columns.0)) || at((rows.1, columns.1))
    })
}

/// Returns, for each square of a floor, the squares of the floor that are visible from it.
pub(super) fn views(open: &Squares, floor: &Squares) -> BTreeMap<Point, Squares> {
    let view = |&at: &Point| {
        let seen = floor.iter().copied().filter(|&to| sees(open, at, to));
        (at, seen.collect())
    };
    floor.iter().map(view).collect()
}

/// Returns the mean depth of all squares other than `from`. The depth of a square is its distance from `from` in the
/// graph that joins squares visible from each other.
pub(super) fn mean_depth(views: &BTreeMap<Point, Squares>, from: Point) -> f64 {
    let mut depths = BTreeMap::from([(from, 0)]);
    let mut edge = vec![from];
    for depth in 1.. {
        if edge.is_empty() {
            break;
        }
        let next: Squares = edge.iter().flat_map(|at| views[at].iter().copied()).collect();
        edge = next.into_iter().filter(|at| !depths.contains_key(at)).collect();
        depths.extend(edge.iter().map(|&at| (at, depth)));
    }
    f64::from(depths.values().sum::<i32>()) / (views.len() - 1) as f64
}

/// Walks as explorer `number` from `ends.0` until the exit `ends.1` is visible. Returns the squares of the walk and all
/// squares seen on it.
pub(super) fn explore(views: &BTreeMap<Point, Squares>, ends: (Point, Point), number: u64) -> (Vec<Point>, Squares) {
    let drawn = |at: &Point| {
        let place = ((at.x as u64) << 32) + at.y as u64;
        mix(mix(number).wrapping_add(place))
    };
    let (mut walk, mut seen) = (vec![ends.0], views[&ends.0].clone());
    while !seen.contains(&ends.1) {
        let steps = distances(&seen, walk[walk.len() - 1]);
        // An unseen square is one step farther away than the nearest seen square beside it.
        let far = |at: &Point| {
            neighbours(*at)
                .filter_map(|to| steps.get(&to))
                .min()
                .map(|steps| steps + 1)
        };
        let unseen = views.keys().filter(|at| !seen.contains(at));
        let Some((far, _, destination)) = unseen.filter_map(|at| Some((far(at)?, drawn(at), *at))).min() else {
            panic!("everything is seen but the exit");
        };
        let mut path = vec![destination];
        for far in (1..far).rev() {
            let before = neighbours(path[path.len() - 1]).filter(|at| steps.get(at) == Some(&far));
            path.push(before.min_by_key(drawn).unwrap());
        }
        for at in path.into_iter().rev() {
            walk.push(at);
            seen.extend(&views[&at]);
            if seen.contains(&ends.1) || seen.contains(&destination) {
                break;
            }
        }
    }
    (walk, seen)
}
