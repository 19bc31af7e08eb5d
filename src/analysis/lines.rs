//! Passage lines from wall to wall, and the parts that are cut off if one line is closed.
//!
//! A *passage line* is a run of open squares from wall to wall within a row or a column: a cross-section of the
//! passage around it. Closing one may cut a part of the dungeon off from the entrance. The runs of all rows form a
//! graph, which joins two runs if a step leads from one to the other. The runs of all columns form a second graph. The
//! runs that cut something off are the articulation points of a graph; one depth-first search finds all of them. A
//! *pocket* is a part of the dungeon that one run cuts off from the entrance, that does not contain the exit, and for
//! which `is_pocket` returns true.
//!
//! The search goes from stack to stack: equal runs of consecutive rows form a [stack](super::stacks). It enters a stack
//! through the run at one end (the *near* run), crosses it to the other end (the *far* run), visits the stacks beyond
//! the far run, and finally the other stacks that touch the near run on the side from which it came. The runs of a
//! stack have consecutive numbers, from the near run to the far run. The runs between these two touch no other stack,
//! so one of them can cut off only the rest of the stack together with everything beyond the far run. The comments
//! below are written for rows; where `are_columns` is set, read columns instead.

use serde::{Deserialize, Serialize};

use super::bit_rows::BitRows;
use super::scene::Rectangle;
use super::stacks::{Stack, Stacks};
use crate::geometry::Point;

/// Length of the longest line that counts as a cross-section of a passage, in squares. Wider places are halls.
pub const WIDEST_PASSAGE: i32 = 12;

const NONE: u32 = u32::MAX;

/// State of the search for one stack.
#[derive(Debug, Clone, Copy)]
struct Visit {
    /// Numbers of the near run and of the far run, counted from 0 in the order of the search; `NONE` until the search
    /// reaches the stack.
    near: u32,
    far: u32,
    /// Stack from which the search came; `NONE` for the first stack.
    parent: u32,
    /// Stacks that remain to be visited on the current side, as a range of indices for `Stacks::neighbour`.
    left: (u32, u32),
    /// Smallest run number that was reached from the current side so far.
    low: u32,
    /// Number of squares in the descendants found so far. Includes the stack's own squares once the search has crossed
    /// back.
    weight: u32,
    /// Smallest run number that was reached from the far run or from beyond it.
    far_low: u32,
    /// Index of the stack in the order of the search.
    place: u32,
    /// Index, in the same order, of the last stack beyond the far run; equal to `place` if there is none.
    far_last: u32,
    /// Index, in the same order, of the last descendant; equal to `place` if there is none.
    last: u32,
    /// Number of the first run of the largest pocket that begins in the stack; `NONE` if no pocket begins there. The
    /// first run is the near run if the stack and all its descendants form a pocket, otherwise a later run that forms
    /// a pocket together with everything beyond it.
    pocket: u32,
    /// Whether a pocket begins in the stack or in one of its descendants.
    has_pocket: bool,
    /// Whether the near run is the top one.
    is_downward: bool,
    /// Whether the search is visiting the stacks beyond the far run, rather than those that touch the near run.
    is_beyond: bool,
}

impl Visit {
    /// A stack that the search has not reached.
    const NOT_YET: Self = Self {
        near: NONE,
        far: NONE,
        parent: NONE,
        left: (0, 0),
        low: NONE,
        weight: 0,
        far_low: NONE,
        place: NONE,
        far_last: NONE,
        last: NONE,
        pocket: NONE,
        has_pocket: false,
        is_downward: false,
        is_beyond: false,
    };

    const fn is_reached(&self) -> bool {
        self.near != NONE
    }

    /// Returns the number of the run in a row of the stack.
    const fn number(&self, stack: &Stack, row: u32) -> u32 {
        if self.is_downward {
            self.near + (row - stack.top)
        } else {
            self.far - (row - stack.top)
        }
    }
}

/// A line across a passage, from wall to wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassageLine {
    /// First square.
    pub from: Point,
    /// Last square, in the same row or column.
    pub to: Point,
}

impl PassageLine {
    /// Returns the number of squares.
    pub const fn length(self) -> i32 {
        (self.to.x - self.from.x) + (self.to.y - self.from.y) + 1
    }

    /// Returns the squares, from the first to the last.
    pub fn squares(self) -> impl Iterator<Item = Point> {
        let columns = self.from.y..=self.to.y;
        (self.from.x..=self.to.x).flat_map(move |x| columns.clone().map(move |y| Point::new(x, y)))
    }
}

/// A run, given by its stack and by its number in the order of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    stack: u32,
    number: u32,
}

/// Runs with consecutive numbers: the runs of a sequence of stacks, beginning with the run number `first`. `stacks`
/// contains the first and the last index of this sequence in the order of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Runs {
    first: u32,
    stacks: (u32, u32),
}

/// A part of the dungeon that one line cuts off from the entrance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    /// Run that cuts the part off.
    pub(super) line: Run,
    pub(super) runs: Runs,
    pub(super) squares: u32,
}

/// Returns whether a part is large enough to be a pocket. `squares` is the number of its squares, and `line` is the
/// length of the line that cuts the part off. The length must be at most [`WIDEST_PASSAGE`]. The part and the line
/// together must have at least `line` × `line` squares.
const fn is_pocket(squares: u32, line: u32) -> bool {
    line <= WIDEST_PASSAGE as u32 && squares + line >= line * line
}

/// The runs of all rows, or of all columns, and the search over them.
#[derive(Debug, Default)]
pub(super) struct PassageLines {
    stacks: Stacks,
    /// Whether the lines are within columns instead of rows.
    are_columns: bool,
    /// State of the search for each stack.
    visits: Vec<Visit>,
    /// Stacks in the order of the search.
    order: Vec<u32>,
    /// Number of runs reached so far.
    count: u32,
    /// Stack and row of the exit.
    exit: Option<(u32, u32)>,
    /// Number of the run that contains the exit; 0 until the search reaches the exit. Run 0 contains the entrance, so
    /// no line cuts it off.
    exit_number: u32,
    /// Pockets that contain no other pocket.
    pub(super) innermost: Vec<Part>,
}

impl PassageLines {
    /// Finds the runs of a shape and searches them, beginning with the run that contains `entrance`. No pocket
    /// contains `exit`. Both squares are given as row and column of the dungeon. If `are_columns` is set, `shape` must
    /// be transposed.
    pub(super) fn load(
        &mut self,
        shape: &BitRows,
        are_columns: bool,
        entrance: Option<(usize, usize)>,
        exit: Option<(usize, usize)>,
    ) {
        self.are_columns = are_columns;
        let [entrance, exit] = [entrance, exit].map(|at| at.map(|at| self.line_and_place(at)));
        // The search begins with a single run, so this run must be a stack by itself.
        self.stacks.find(shape, 0, entrance.map(|(line, _)| line));
        self.visits.clear();
        self.visits.resize(self.stacks.all().len(), Visit::NOT_YET);
        let stack = |at: Option<(usize, usize)>| at.and_then(|(line, place)| self.stacks.at(line, place));
        let start = stack(entrance);
        self.exit = stack(exit)
            .zip(exit)
            .map(|(stack, (line, _))| (stack as u32, line as u32));
        self.order.clear();
        self.innermost.clear();
        (self.count, self.exit_number) = (0, 0);
        if let Some(start) = start {
            self.walk(start as u32);
        }
    }

    /// Converts a row and column of the dungeon to those of the searched shape, which exchanges the two if
    /// `are_columns` is set.
    const fn line_and_place(&self, (row, column): (usize, usize)) -> (usize, usize) {
        if self.are_columns { (column, row) } else { (row, column) }
    }

    /// Searches depth-first from a stack of one run, and finds the pockets.
    fn walk(&mut self, start: u32) {
        let mut next = Some((start, NONE, true));
        while let Some((stack, from, is_downward)) = next {
            self.enter(stack, from, is_downward);
            next = self.next_after(stack);
        }
    }

    /// Continues from a stack to the next stack that the search has not reached. Returns the next stack, the stack that
    /// leads to it, and whether the next stack is the lower of the two; `None` at the end of the search.
    #[inline]
    fn next_after(&mut self, mut at: u32) -> Option<(u32, u32, bool)> {
        while at != NONE {
            let visit = &self.visits[at as usize];
            let (mut next, end) = visit.left;
            let (mut low, parent) = (visit.low, visit.parent);
            let (is_beyond, is_downward) = (visit.is_beyond, visit.is_downward == visit.is_beyond);
            while next < end {
                let to = self.stacks.neighbour(next, is_downward);
                next += 1;
                let other = &self.visits[to as usize];
                if !other.is_reached() {
                    let visit = &mut self.visits[at as usize];
                    (visit.left, visit.low) = ((next, end), low);
                    return Some((to, at, is_downward));
                }
                if to != parent {
                    let is_near = other.is_downward == is_downward;
                    low = low.min(if is_near { other.near } else { other.far });
                }
            }
            self.visits[at as usize].low = low;
            if !is_beyond || !self.cross_back(at) {
                at = self.leave(at);
            }
        }
        None
    }

    /// Enters a stack through its top run if `is_downward` is set, otherwise through its bottom run, and crosses it to
    /// the far run.
    #[inline]
    fn enter(&mut self, at: u32, parent: u32, is_downward: bool) {
        let stack = &self.stacks.all()[at as usize];
        let left = stack.side(is_downward);
        let visit = &mut self.visits[at as usize];
        (visit.near, visit.far) = (self.count, self.count + stack.height() - 1);
        self.count = visit.far + 1;
        (visit.parent, visit.left, visit.low) = (parent, left, visit.far);
        (visit.is_downward, visit.is_beyond) = (is_downward, true);
        visit.place = self.order.len() as u32;
        self.order.push(at);
        if let Some((exit, row)) = self.exit
            && exit == at
        {
            self.exit_number = visit.number(stack, row);
        }
    }

    /// Ends the search beyond the far run of a stack, and adds pockets that are cut off by the runs before the far run.
    /// Returns whether the search must visit other stacks that touch the near run.
    #[inline]
    fn cross_back(&mut self, at: u32) -> bool {
        let stack = &self.stacks.all()[at as usize];
        let visit = &mut self.visits[at as usize];
        let (beyond, width) = (visit.weight, stack.width());
        visit.weight += stack.height() * width;
        (visit.far_low, visit.far_last) = (visit.low, self.order.len() as u32 - 1);
        (visit.low, visit.is_beyond) = (visit.low.min(visit.near), false);
        visit.left = stack.side(!visit.is_downward);
        // One of the stacks on this side is the parent.
        let is_more = visit.parent == NONE || visit.left.1 - visit.left.0 > 1;
        if visit.near < visit.far && width <= WIDEST_PASSAGE as u32 {
            self.add_pockets_within(at, width, beyond);
        }
        is_more
    }

    /// Considers the pockets that are cut off by the runs before the far run of a stack, and adds the smallest and the
    /// largest of them. `width` is the length of the runs, `beyond` the number of squares beyond the far run.
    #[inline]
    fn add_pockets_within(&mut self, at: u32, width: u32, beyond: u32) {
        let visit = &mut self.visits[at as usize];
        // The line of a pocket is one run of this stack. The pocket must contain at least `least` other runs of the
        // stack; with fewer runs, the pocket would be too small, or the line would be the far run.
        let least = (width - 1).saturating_sub(beyond / width).max(1);
        let Some(before) = (visit.far - visit.near).checked_sub(least) else {
            return;
        };
        let smallest = if visit.far_low >= visit.far {
            visit.near + before
        } else if visit.far_low == visit.near {
            // A path leads from beyond the far run back to the near run, around the lines between them. Only the near
            // run can cut off a pocket.
            visit.near
        } else {
            return;
        };
        // The exit may be on the line, but not beyond it.
        let largest = self.exit_number.max(visit.near);
        if largest > smallest {
            return;
        }
        visit.pocket = largest + 1;
        if !std::mem::replace(&mut visit.has_pocket, true) {
            self.innermost.push(Part {
                line: Run {
                    stack: at,
                    number: smallest,
                },
                runs: Runs {
                    first: smallest + 1,
                    stacks: (visit.place, visit.far_last),
                },
                squares: beyond + (visit.far - smallest) * width,
            });
        }
    }

    /// Ends the search from a stack. Adds the pocket that the stack and its descendants form, if a run of the parent
    /// cuts them off. Returns the parent.
    #[inline]
    fn leave(&mut self, at: u32) -> u32 {
        let last = self.order.len() as u32 - 1;
        let visit = &mut self.visits[at as usize];
        visit.last = last;
        let Visit {
            near,
            parent,
            low,
            weight,
            place,
            has_pocket,
            ..
        } = *visit;
        let Some(up) = self.visits.get_mut(parent as usize) else {
            return parent;
        };
        up.weight += weight;
        up.low = up.low.min(low);
        let number = if up.is_beyond { up.far } else { up.near };
        let is_cut_off = low >= number && self.exit_number < near;
        if is_cut_off && is_pocket(weight, self.stacks.all()[parent as usize].width()) {
            up.has_pocket = true;
            self.visits[at as usize].pocket = near;
            if !has_pocket {
                self.innermost.push(Part {
                    line: Run { stack: parent, number },
                    runs: Runs {
                        first: near,
                        stacks: (place, last),
                    },
                    squares: weight,
                });
            }
        } else {
            up.has_pocket |= has_pocket;
        }
        parent
    }

    /// Returns the pockets that no other pocket contains.
    pub(super) fn outermost(&self) -> impl Iterator<Item = Runs> {
        let mut next = 0;
        std::iter::from_fn(move || {
            while let Some(&stack) = self.order.get(next as usize) {
                let (visit, place) = (&self.visits[stack as usize], next);
                if visit.pocket == NONE {
                    next += 1;
                    continue;
                }
                let is_whole = visit.pocket == visit.near;
                let last = if is_whole { visit.last } else { visit.far_last };
                next = last + 1;
                return Some(Runs {
                    first: visit.pocket,
                    stacks: (place, last),
                });
            }
            None
        })
    }

    /// Returns the line of a run in the dungeon.
    pub(super) fn line(&self, run: Run) -> PassageLine {
        let stack = &self.stacks.all()[run.stack as usize];
        let visit = &self.visits[run.stack as usize];
        let row = if visit.is_downward {
            stack.top + (run.number - visit.near)
        } else {
            stack.top + (visit.far - run.number)
        };
        let point = |place: u32| {
            let (line, place) = (row as i32, place as i32);
            if self.are_columns {
                Point::new(place, line)
            } else {
                Point::new(line, place)
            }
        };
        PassageLine {
            from: point(stack.from),
            to: point(stack.to - 1),
        }
    }

    /// Returns the squares of runs, one rectangle for each stack, with the rows and columns of the searched shape.
    pub(super) fn stacks_of(&self, runs: Runs) -> impl Iterator<Item = Rectangle> {
        let stacks = self.order[runs.stacks.0 as usize..=runs.stacks.1 as usize].iter();
        stacks.map(move |&stack| {
            let (visit, stack) = (&self.visits[stack as usize], &self.stacks.all()[stack as usize]);
            let before = runs.first.saturating_sub(visit.near) as usize;
            let mut squares = stack.rectangle();
            if visit.is_downward {
                squares.rows.start += before;
            } else {
                squares.rows.end -= before;
            }
            squares
        })
    }

    /// Returns the squares of runs, one rectangle for each stack, with the rows and columns of the dungeon.
    pub(super) fn squares_of(&self, runs: Runs) -> impl Iterator<Item = Rectangle> {
        self.stacks_of(runs).map(move |Rectangle { rows, columns }| {
            let (rows, columns) = if self.are_columns {
                (columns, rows)
            } else {
                (rows, columns)
            };
            Rectangle { rows, columns }
        })
    }

    /// Returns the number of the run that contains a square, given by row and column; `None` if the search reached no
    /// such run.
    fn number_of(&self, square: (usize, usize)) -> Option<u32> {
        let (line, place) = self.line_and_place(square);
        let stack = self.stacks.at(line, place)?;
        let visit = &self.visits[stack];
        visit
            .is_reached()
            .then(|| visit.number(&self.stacks.all()[stack], line as u32))
    }

    /// Returns the numbers of the reached runs that contain squares of these rectangles, in ascending order and
    /// without duplicates.
    fn numbers_of(&self, rectangles: &[Rectangle]) -> Vec<u32> {
        let mut numbers = Vec::new();
        for Rectangle { rows, columns } in rectangles {
            let (lines, places) = if self.are_columns {
                (columns, rows)
            } else {
                (rows, columns)
            };
            self.stacks.each_meeting(lines, places, |stack| {
                let (visit, stack) = (&self.visits[stack], &self.stacks.all()[stack]);
                let rows = stack.top.max(lines.start as u32)..stack.bottom.min(lines.end as u32);
                if visit.is_reached() {
                    numbers.extend(rows.map(|row| visit.number(stack, row)));
                }
            });
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Returns the shortest passage line that cuts all squares of these rectangles off from the entrance and the exit.
    /// Squares outside the shape are ignored. Squares on the line count as cut off, but at least one square must be
    /// beyond the line. If several lines are equally short, returns the line that cuts off the fewest squares.
    pub(super) fn cutting_off(&self, rectangles: &[Rectangle], exit: Option<(usize, usize)>) -> Option<PassageLine> {
        let exit = exit.and_then(|exit| self.number_of(exit));
        let numbers = self.numbers_of(rectangles);
        let (first, last) = (*numbers.first()?, *numbers.last()?);
        let within =
            |first: u32, last: u32| numbers.partition_point(|&n| n <= last) - numbers.partition_point(|&n| n < first);
        let cuts_off_all = |line: Run| {
            let holds_exit = |first: u32, last: u32| exit.is_some_and(|exit| (first..=last).contains(&exit));
            let parts = self.parts_of(line).filter(|&(first, last)| !holds_exit(first, last));
            let beyond: usize = parts.map(|(first, last)| within(first, last)).sum();
            beyond > 0 && beyond + within(line.number, line.number) == numbers.len()
        };
        // Only a common ancestor of all runs in `numbers` can cut all of them off: visit the ancestors of the last of
        // them, stack by stack.
        let mut best: Option<PassageLine> = None;
        let reached = |&stack: &u32| self.visits[stack as usize].near <= last;
        let mut stack = self.order[self.order.partition_point(reached) - 1];
        let mut lowest = last.checked_sub(1);
        loop {
            let visit = &self.visits[stack as usize];
            let length = self.stacks.all()[stack as usize].width() as i32;
            let is_shorter = length <= WIDEST_PASSAGE && best.is_none_or(|line| length < line.length());
            // `nearest` is the common ancestor in this stack that is nearest to the squares, and therefore furthest
            // from the near run. If this ancestor does not cut off all squares, the near run may still do so:
            // a path can lead around all other runs of the stack.
            let nearest = lowest.map(|lowest| lowest.min(first));
            if is_shorter && let Some(number) = nearest.filter(|&number| number >= visit.near) {
                let numbers = [Some(number), Some(visit.near).filter(|&near| near != number)];
                let mut lines = numbers.into_iter().flatten().map(|number| Run { stack, number });
                if let Some(line) = lines.find(|&line| cuts_off_all(line)) {
                    best = Some(self.line(line));
                }
            }
            let Some(up) = self.visits.get(visit.parent as usize) else {
                return best;
            };
            let is_beyond = up.is_downward == visit.is_downward;
            lowest = Some(if is_beyond { up.far } else { up.near });
            stack = visit.parent;
        }
    }

    /// Returns the parts that a run cuts off, each as its first and last run number.
    fn parts_of(&self, line: Run) -> impl Iterator<Item = (u32, u32)> {
        let Run { stack, number } = line;
        let visit = &self.visits[stack as usize];
        let last = |place: u32| self.visits[self.order[place as usize] as usize].far;
        let rest = number < visit.far && visit.far_low >= number;
        let rest = rest.then(|| (number + 1, last(visit.far_last)));
        let beyond = (number == visit.far).then_some(visit.is_downward);
        let beside = (number == visit.near).then_some(!visit.is_downward);
        let touching = beyond.into_iter().chain(beside).flat_map(move |is_below| {
            let (first, end) = self.stacks.all()[stack as usize].side(is_below);
            (first..end).map(move |index| &self.visits[self.stacks.neighbour(index, is_below) as usize])
        });
        let is_cut_off = move |below: &&Visit| below.parent == stack && below.low >= number;
        let parts = touching.filter(is_cut_off);
        rest.into_iter()
            .chain(parts.map(move |below| (below.near, last(below.last))))
    }
}
