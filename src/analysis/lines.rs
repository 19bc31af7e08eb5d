//! Passage lines from wall to wall, and the parts that are cut off if one line is closed.
//!
//! A *passage line* is a run of open squares from wall to wall within a row or a column: a cross-section of the passage
//! around it. Closing one may cut a part of the dungeon off from the entrance. The runs of all rows form a graph, in
//! which two runs are joined if a step leads from one to the other; so do the runs of all columns. The runs that cut
//! something off are its articulation points, which one depth-first search finds in time linear in the number of runs.
//! The comments below are written for rows; where `are_columns` is set, read columns instead.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::bit_rows::BitRows;
use super::scene::Rectangle;
use crate::geometry::Point;

/// Length of the longest line that counts as a cross-section of a passage, in squares. Wider places are halls.
pub const WIDEST_PASSAGE: i32 = 12;

const NONE: u32 = u32::MAX;

/// Runs by their indices: the first, and the one after the last.
type RunRange = (u32, u32);

/// A run of open squares from wall to wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    /// Index of the row that contains the run.
    line: u32,
    /// Position of the first square within the row, and the position after the last.
    from: u32,
    to: u32,
    /// Adjacent runs in the row before and in the row after.
    before: RunRange,
    after: RunRange,
    // The results of the search are stored in the run: the search jumps from run to run, and the data of one run should
    // be adjacent in memory.
    /// Number in the order of the search, from 0; `NONE` if not reached.
    number: u32,
    /// Smallest number that can be reached from the run and its descendants.
    low: u32,
    /// Run from which the search reached this one.
    parent: u32,
    /// Adjacent runs still to visit in the row before, or in the row after if those are done.
    left: RunRange,
    /// Last number among its descendants.
    last: u32,
    /// Number of squares of the run and its descendants.
    weight: u32,
}

impl Run {
    /// Returns a run that the search has not reached. Its neighbours in the row after are not known yet.
    const fn new(line: u32, (from, to): (u32, u32), before: RunRange) -> Self {
        Self {
            line,
            from,
            to,
            before,
            after: (NONE, NONE),
            number: NONE,
            low: NONE,
            parent: NONE,
            left: (NONE, NONE),
            last: NONE,
            weight: 0,
        }
    }

    const fn length(&self) -> u32 {
        self.to - self.from
    }

    /// Returns whether the run from which the search came is the only one in a range.
    const fn is_parent_alone(&self, (first, end): RunRange) -> bool {
        first == self.parent && end - first == 1
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

/// A part of the dungeon that one line cuts off from the entrance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    /// Run that cuts the part off.
    line: u32,
    /// Range of its runs, by their numbers in the search.
    first: u32,
    last: u32,
    squares: u32,
}

/// Returns whether a part may be a pocket: its only access is a line of a passage, and together with this line it is at
/// least as large as a square block over the line.
const fn is_pocket(squares: u32, line: u32) -> bool {
    line <= WIDEST_PASSAGE as u32 && squares + line >= line * line
}

/// The runs of all rows, or of all columns, and the search over them.
#[derive(Debug, Default)]
pub(super) struct PassageLines {
    /// Runs in the order of their rows.
    runs: Vec<Run>,
    /// Index of the first run of each row, and the number of runs.
    firsts: Vec<u32>,
    /// Whether columns take the place of rows.
    are_columns: bool,
    /// Runs in the order of their numbers.
    order: Vec<u32>,
    /// Pockets without the exit that hold no other one, in the order in which the search left them.
    innermost: Vec<Part>,
    /// Pockets without the exit that no other one holds.
    outermost: Vec<Part>,
}

impl PassageLines {
    /// Finds the runs of a shape and searches them from the one through `entrance`. A pocket does not contain `exit`.
    /// Both are a row and a column. `shape` is transposed if `are_columns` is set.
    pub(super) fn load(
        &mut self,
        shape: &BitRows,
        are_columns: bool,
        entrance: Option<(usize, usize)>,
        exit: Option<(usize, usize)>,
    ) {
        self.are_columns = are_columns;
        self.runs.clear();
        self.firsts.clear();
        let mut above = 0;
        for line in 0..shape.rows() {
            let here = self.runs.len();
            self.firsts.push(here as u32);
            let mut up = above;
            shape.each_run(line, |from, to| up = self.add(line as u32, (from, to), up..here));
            above = here;
        }
        self.firsts.push(self.runs.len() as u32);
        let index = |at: Option<(usize, usize)>| at.and_then(|at| self.run_at(at)).map_or(NONE, |run| run as u32);
        let (start, exit) = (index(entrance), index(exit));
        self.walk(start, exit);
    }

    /// Adds a run, and joins it with the runs of the previous row that it touches. `above` is the range of these runs,
    /// from the first that may touch it. Returns the first run that the next one may touch.
    #[inline]
    fn add(&mut self, line: u32, (from, to): (u32, u32), above: Range<usize>) -> usize {
        let down = self.runs.len() as u32;
        let Range { start: mut up, end } = above;
        let earlier = &mut self.runs[..end];
        while earlier.get(up).is_some_and(|above| above.to <= from) {
            up += 1;
        }
        let (next, before) = match earlier.get_mut(up) {
            // Most runs are as long as the one above, and touch no other.
            Some(only) if (only.from, only.to) == (from, to) => {
                only.after = (down, down + 1);
                (up + 1, (up as u32, up as u32 + 1))
            }
            _ => {
                let mut last = up;
                while let Some(above) = earlier.get_mut(last).filter(|above| above.from < to) {
                    if above.after.0 == NONE {
                        above.after.0 = down;
                    }
                    above.after.1 = down + 1;
                    last += 1;
                }
                // The last run of the row before may also touch the next one.
                (last.saturating_sub(1).max(up), (up as u32, last as u32))
            }
        };
        self.runs.push(Run::new(line, (from, to), before));
        next
    }

    /// Returns the run that contains a square, given by row and column.
    fn run_at(&self, (row, column): (usize, usize)) -> Option<usize> {
        let (line, place) = if self.are_columns { (column, row) } else { (row, column) };
        let first = *self.firsts.get(line)? as usize;
        let runs = &self.runs[first..*self.firsts.get(line + 1)? as usize];
        let after = runs.partition_point(|run| run.from as usize <= place);
        let run = after.checked_sub(1)?;
        (place < runs[run].to as usize).then_some(first + run)
    }

    /// Searches depth-first from a run, and finds the pockets, which do not contain the run `exit`.
    fn walk(&mut self, start: u32, exit: u32) {
        self.order.clear();
        self.innermost.clear();
        self.outermost.clear();
        if start == NONE {
            return;
        }
        self.enter(start, NONE);
        let mut at = start;
        while at != NONE {
            let run = &mut self.runs[at as usize];
            let (to, end) = run.left;
            if to == end {
                // The runs of the row before come first, and have smaller indices; then those of the row after.
                at = if end <= at && !run.is_parent_alone(run.after) {
                    run.left = run.after;
                    at
                } else {
                    self.leave(at, exit)
                };
                continue;
            }
            run.left.0 = to + 1;
            let parent = run.parent;
            let number = self.runs[to as usize].number;
            if number == NONE {
                self.enter(to, at);
                at = to;
            } else if to != parent {
                let run = &mut self.runs[at as usize];
                run.low = run.low.min(number);
            }
        }
    }

    #[inline]
    fn enter(&mut self, at: u32, parent: u32) {
        let number = self.order.len() as u32;
        self.order.push(at);
        let run = &mut self.runs[at as usize];
        (run.number, run.low, run.parent) = (number, number, parent);
        run.weight = run.length();
        run.left = if run.is_parent_alone(run.before) {
            run.after
        } else {
            run.before
        };
    }

    /// Ends the search below a run, and adds the part that its parent cuts off, if it is a pocket without the exit.
    /// Returns the parent.
    #[inline]
    fn leave(&mut self, at: u32, exit: u32) -> u32 {
        let last = self.order.len() as u32 - 1;
        let left = &mut self.runs[at as usize];
        left.last = last;
        let Run {
            number,
            low,
            parent,
            weight,
            ..
        } = *left;
        if let Some(up) = self.runs.get_mut(parent as usize) {
            up.weight += weight;
            up.low = up.low.min(low);
            if low >= up.number && is_pocket(weight, up.length()) {
                self.add_pocket(
                    Part {
                        line: parent,
                        first: number,
                        last,
                        squares: weight,
                    },
                    exit,
                );
            }
        }
        parent
    }

    /// Adds a pocket that the search has just left, unless it contains the exit.
    fn add_pocket(&mut self, part: Part, exit: u32) {
        // The runs that the search reached after the first one of the part are in the part.
        let exit = self.runs.get(exit as usize).map_or(NONE, |exit| exit.number);
        if exit != NONE && exit >= part.first {
            return;
        }
        // The search leaves inner pockets before outer ones.
        let is_inside = |inner: &mut Part| inner.first >= part.first;
        if self.outermost.pop_if(is_inside).is_none() {
            self.innermost.push(part);
        }
        while self.outermost.pop_if(is_inside).is_some() {}
        self.outermost.push(part);
    }

    fn line(&self, run: u32) -> PassageLine {
        let run = self.runs[run as usize];
        let point = |place: u32| {
            let (line, place) = (run.line as i32, place as i32);
            if self.are_columns {
                Point::new(place, line)
            } else {
                Point::new(line, place)
            }
        };
        PassageLine {
            from: point(run.from),
            to: point(run.to - 1),
        }
    }

    /// Returns the number of the run that contains a square, given by row and column; `None` if the search did not
    /// reach it.
    fn number_of(&self, square: (usize, usize)) -> Option<u32> {
        let number = self.runs[self.run_at(square)?].number;
        (number != NONE).then_some(number)
    }

    /// Returns the runs of a part.
    fn runs_of(&self, part: Part) -> impl Iterator<Item = &Run> {
        let runs = self.order[part.first as usize..=part.last as usize].iter();
        runs.map(|&run| &self.runs[run as usize])
    }

    /// Returns the numbers of the runs that contain squares of these rectangles, in order.
    fn numbers_of(&self, rectangles: &[Rectangle]) -> Vec<u32> {
        let mut numbers = Vec::new();
        for Rectangle { rows, columns } in rectangles {
            let (lines, places) = if self.are_columns {
                (columns, rows)
            } else {
                (rows, columns)
            };
            for line in lines.clone() {
                let runs = &self.runs[self.firsts[line] as usize..self.firsts[line + 1] as usize];
                let first = runs.partition_point(|run| run.to as usize <= places.start);
                let inside = runs[first..].iter().take_while(|run| (run.from as usize) < places.end);
                numbers.extend(inside.map(|run| run.number).filter(|&number| number != NONE));
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Returns the shortest line of a passage that cuts all squares of these rectangles off from the entrance and the
    /// exit. Squares that are not of the shape do not count. Squares on the line count as cut off; at least one must be
    /// beyond it. Among equally short lines, the one that cuts off the fewest squares is returned.
    pub(super) fn cutting_off(&self, rectangles: &[Rectangle], exit: Option<(usize, usize)>) -> Option<PassageLine> {
        let exit = exit.and_then(|exit| self.number_of(exit));
        let numbers = self.numbers_of(rectangles);
        let (first, last) = (*numbers.first()?, *numbers.last()?);
        let within =
            |first: u32, last: u32| numbers.partition_point(|&n| n <= last) - numbers.partition_point(|&n| n < first);
        // Only a common ancestor can cut off all of the runs: visit the ancestors of the last run. It is cut off
        // together with the part that contains it.
        let mut best: Option<PassageLine> = None;
        let mut below = self.runs[self.order[last as usize] as usize];
        while let Some(&run) = self.runs.get(below.parent as usize) {
            let (at, Run { number, .. }) = (below.parent, run);
            let holds_exit = |first: u32, last: u32| exit.is_some_and(|exit| (first..=last).contains(&exit));
            let is_last_cut_off = below.low >= number && !holds_exit(below.number, below.last);
            let length = run.length();
            let is_shorter = best.is_none_or(|line| (length as i32) < line.length());
            if is_last_cut_off && length <= WIDEST_PASSAGE as u32 && number <= first && is_shorter {
                let on_it = within(number, number);
                let beyond: usize = self
                    .parts_of(at)
                    .filter(|&(first, last)| !holds_exit(first, last))
                    .map(|(first, last)| within(first, last))
                    .sum();
                if beyond + on_it == numbers.len() {
                    best = Some(self.line(at));
                }
            }
            below = run;
        }
        best
    }

    /// Returns the parts that closing a run cuts off, as ranges of numbers.
    fn parts_of(&self, run: u32) -> impl Iterator<Item = (u32, u32)> {
        let at = self.runs[run as usize];
        let joined = (at.before.0..at.before.1).chain(at.after.0..at.after.1);
        joined.filter_map(move |to| {
            let below = self.runs[to as usize].parent == run;
            let cut = below && self.runs[to as usize].low >= self.runs[run as usize].number;
            cut.then(|| (self.runs[to as usize].number, self.runs[to as usize].last))
        })
    }
}

/// A dead end: a part of the dungeon whose only access is one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadEnd {
    /// Line through which the dead end is entered and left.
    pub mouth: PassageLine,
    /// Number of squares beyond the line.
    pub squares: u32,
}

/// Squares as bits: by rows, and with rows and columns exchanged.
#[derive(Debug, Default)]
struct Marked([BitRows; 2]);

impl Marked {
    fn fit(&mut self, rows: usize, columns: usize) {
        self.0[0].fit(rows, columns);
        self.0[1].fit(columns, rows);
    }

    /// Marks the squares of a run in the map of its heading.
    fn add(&mut self, heading: usize, run: &Run) {
        self.0[heading].fill(run.line as usize, run.from as usize, run.to as usize);
    }

    /// Marks the squares of a run in both maps.
    fn add_to_both(&mut self, heading: usize, run: &Run) {
        self.add(heading, run);
        for place in run.from..run.to {
            self.0[1 - heading].set(place as usize, run.line as usize);
        }
    }

    fn has_any(&self, heading: usize, run: &Run) -> bool {
        self.0[heading].any(run.line as usize, run.from as usize, run.to as usize)
    }
}

/// The search for dead ends among the runs of rows and of columns, with its buffers.
#[derive(Debug, Default)]
pub(super) struct DeadEndFinder {
    /// Squares of the dead ends found so far.
    taken: Marked,
    /// Squares in pockets, each in the map of the heading that found it.
    blind: Marked,
    transposed: BitRows,
    /// Pockets that hold no other: sort key, heading, and index among the innermost pockets of that heading.
    innermost: Vec<((u32, Point), usize, usize)>,
}

impl DeadEndFinder {
    /// Returns the dead ends, the smallest first, and the number of squares in pockets. `size` is the number of rows and
    /// columns.
    ///
    /// A pocket that contains others is a dead-end passage with branches, of which only the branches count: the
    /// smallest first, each that shares no square with those before it.
    pub(super) fn find(&mut self, size: (usize, usize), headings: &[PassageLines; 2]) -> (Vec<DeadEnd>, u32) {
        self.taken.fit(size.0, size.1);
        self.blind.fit(size.0, size.1);
        self.innermost.clear();
        for (heading, lines) in headings.iter().enumerate() {
            let innermost = lines.innermost.iter().enumerate();
            let key = |part: &Part| (part.squares, lines.line(part.line).from);
            self.innermost
                .extend(innermost.map(|(index, part)| (key(part), heading, index)));
            for run in lines.outermost.iter().flat_map(|part| lines.runs_of(*part)) {
                self.blind.add(heading, run);
            }
        }
        self.innermost.sort_unstable();
        let mut ends = Vec::new();
        for &(_, heading, index) in &self.innermost {
            let lines = &headings[heading];
            let part = lines.innermost[index];
            if lines.runs_of(part).any(|run| self.taken.has_any(heading, run)) {
                continue;
            }
            lines.runs_of(part).for_each(|run| self.taken.add_to_both(heading, run));
            ends.push(DeadEnd {
                mouth: lines.line(part.line),
                squares: part.squares,
            });
        }
        let [by_rows, by_columns] = &mut self.blind.0;
        by_columns.transpose(&mut self.transposed);
        by_rows.add(&self.transposed);
        (ends, by_rows.count())
    }
}
