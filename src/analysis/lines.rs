//! Lines from wall to wall, and the parts that closing one of them cuts off.
//!
//! A *line* is a row or column of open squares from wall to wall: a cross-section of the passage around it. Closing a
//! line of a passage may cut a part of the dungeon off from the entrance. The lines of one heading form a graph, in
//! which two are joined if a step leads from one to the other; the lines that cut something off are its articulation
//! points, all of which one depth-first search finds in time linear in the lines.

use serde::{Deserialize, Serialize};

use super::plan::OpenPlan;
use crate::geometry::Point;

/// Length of the longest line that counts as a cross-section of a passage, in squares. Wider places are halls.
pub const WIDEST_PASSAGE: i32 = 12;

const NONE: u32 = u32::MAX;

/// A row or column of open squares from wall to wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    /// Index of the first square in the plan.
    first: u32,
    /// Number of squares.
    length: u32,
    /// Ranges of adjacent runs, in the line before and in the line after.
    before: (u32, u32),
    after: (u32, u32),
    // The results of the search are stored in the run: the search jumps about, and its data of a run should be
    // adjacent in memory.
    /// Number in the order of the search, from 0; `NONE` if not reached.
    number: u32,
    /// Least number that can be reached from the run and its descendants.
    low: u32,
    /// Run from which the search came.
    parent: u32,
    /// Last number among its descendants.
    last: u32,
    /// Number of squares of the run and its descendants.
    weight: u32,
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

/// The lines of one heading and the search over them.
#[derive(Debug, Default)]
pub(super) struct PassageLines {
    runs: Vec<Run>,
    /// Index step from one square of a run to the next.
    step: usize,
    /// Runs in the order of their numbers.
    order: Vec<u32>,
    stack: Vec<(u32, u32)>,
    /// Parts that closing a line cuts off, the innermost first. The line may be of any length.
    parts: Vec<Part>,
}

impl PassageLines {
    /// Finds the lines of a shape and searches them from the one through `entrance`.
    pub(super) fn take(&mut self, plan: &OpenPlan, shape: &[bool], along_rows: bool, entrance: usize) {
        self.runs.clear();
        let (lines, squares, line_step) = if along_rows {
            self.step = 1;
            (plan.rows(), plan.columns(), plan.stride)
        } else {
            self.step = plan.stride;
            (plan.columns(), plan.rows(), 1)
        };
        let mut start = NONE;
        let (mut before, mut here) = (0, 0);
        for line in 1..=lines {
            let first = line * line_step + self.step;
            self.add_runs(shape, first, squares);
            let end = self.runs.len();
            self.join(before, here, line_step as u32);
            let holds = |run: &Run| {
                let away = entrance.wrapping_sub(run.first as usize);
                away.is_multiple_of(self.step) && away / self.step < run.length as usize
            };
            if start == NONE && (first..first + squares * self.step).contains(&entrance) {
                start = self.runs[here..end]
                    .iter()
                    .position(holds)
                    .map_or(NONE, |i| (here + i) as u32);
            }
            (before, here) = (here, end);
        }
        self.walk(start);
    }

    fn add_runs(&mut self, shape: &[bool], first: usize, squares: usize) {
        let mut at = first;
        let mut left = squares;
        while left > 0 {
            let begin = at;
            while left > 0 && shape[at] {
                at += self.step;
                left -= 1;
            }
            if at > begin {
                self.runs.push(Run {
                    first: begin as u32,
                    length: ((at - begin) / self.step) as u32,
                    before: (0, 0),
                    after: (0, 0),
                    number: NONE,
                    low: NONE,
                    parent: NONE,
                    last: NONE,
                    weight: 0,
                });
            }
            while left > 0 && !shape[at] {
                at += self.step;
                left -= 1;
            }
        }
    }

    /// Joins the runs of a line, from index `here` on, with those of the line before.
    fn join(&mut self, before: usize, here: usize, line_step: u32) {
        let end = self.runs.len();
        let step = self.step as u32;
        let past = |run: &Run, shift: u32| (run.first + shift, run.first + shift + run.length * step);
        let mut up = before;
        for down in here..end {
            let (from, to) = past(&self.runs[down], 0);
            while up < here && past(&self.runs[up], line_step).1 <= from {
                up += 1;
            }
            let first = up;
            let mut last = up;
            while last < here && past(&self.runs[last], line_step).0 < to {
                let after = &mut self.runs[last].after;
                if after.0 == after.1 {
                    after.0 = down as u32;
                }
                after.1 = down as u32 + 1;
                last += 1;
            }
            self.runs[down].before = (first as u32, last as u32);
        }
    }

    /// Searches depth-first from a run, and finds the parts that closing each run cuts off from it.
    fn walk(&mut self, start: u32) {
        self.order.clear();
        self.parts.clear();
        self.stack.clear();
        if start == NONE {
            return;
        }
        self.enter(start, NONE);
        while let Some((at, next)) = self.stack.last_mut() {
            let at = *at;
            let run = self.runs[at as usize];
            let above = run.before.1 - run.before.0;
            let joined = above + run.after.1 - run.after.0;
            if *next < joined {
                let to = if *next < above {
                    run.before.0 + *next
                } else {
                    run.after.0 + *next - above
                };
                *next += 1;
                let number = self.runs[to as usize].number;
                if number == NONE {
                    self.enter(to, at);
                } else if to != run.parent {
                    let low = &mut self.runs[at as usize].low;
                    *low = (*low).min(number);
                }
                continue;
            }
            self.stack.pop();
            let last = self.order.len() as u32 - 1;
            self.runs[at as usize].last = last;
            if run.parent == NONE {
                continue;
            }
            let up = &mut self.runs[run.parent as usize];
            up.weight += run.weight;
            up.low = up.low.min(run.low);
            if run.low >= up.number {
                self.parts.push(Part {
                    line: run.parent,
                    first: run.number,
                    last,
                    squares: run.weight,
                });
            }
        }
    }

    fn enter(&mut self, run: u32, parent: u32) {
        let number = self.order.len() as u32;
        let entered = &mut self.runs[run as usize];
        (entered.number, entered.low, entered.parent) = (number, number, parent);
        entered.weight = entered.length;
        self.order.push(run);
        self.stack.push((run, 0));
    }

    fn line(&self, plan: &OpenPlan, run: u32) -> PassageLine {
        let run = self.runs[run as usize];
        let last = run.first as usize + (run.length as usize - 1) * self.step;
        PassageLine {
            from: plan.point(run.first as usize),
            to: plan.point(last),
        }
    }

    /// Returns the number of the run that contains a square; `None` if the search did not reach it.
    fn number_of(&self, square: usize) -> Option<u32> {
        // Runs are in the order of their lines.
        let columns = if self.step == 1 { usize::MAX } else { self.step };
        let wanted = (square % columns, square);
        let is_before = |run: &Run| (run.first as usize % columns, run.first as usize) <= wanted;
        let run = self.runs.partition_point(is_before).checked_sub(1)?;
        let away = square.wrapping_sub(self.runs[run].first as usize);
        let holds = away.is_multiple_of(self.step) && away / self.step < self.runs[run].length as usize;
        let number = self.runs[run].number;
        (holds && number != NONE).then_some(number)
    }

    /// Returns the squares of a part.
    fn squares(&self, part: Part) -> impl Iterator<Item = usize> {
        let runs = self.order[part.first as usize..=part.last as usize].iter();
        runs.flat_map(move |&run| {
            let run = self.runs[run as usize];
            (0..run.length as usize).map(move |i| run.first as usize + i * self.step)
        })
    }

    /// Returns whether a part is a pocket: its only access is a line of a passage, it does not contain the exit, and
    /// with its line it is at least as large as a square block over that line.
    fn is_pocket(&self, part: Part, exit: Option<u32>) -> bool {
        let length = self.runs[part.line as usize].length;
        let holds_exit = exit.is_some_and(|exit| (part.first..=part.last).contains(&exit));
        length <= WIDEST_PASSAGE as u32 && !holds_exit && part.squares + length >= length * length
    }

    /// Returns the shortest line of a passage that cuts all of these squares off from the entrance and the exit.
    /// Squares on the line count as cut off; at least one must be beyond it. Of equally short lines the one that cuts
    /// off least is returned.
    pub(super) fn cutting_off(&self, plan: &OpenPlan, squares: &[usize], exit: Option<usize>) -> Option<PassageLine> {
        let exit = exit.and_then(|exit| self.number_of(exit));
        let mut numbers: Vec<u32> = squares.iter().filter_map(|&square| self.number_of(square)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let last = *numbers.last()?;
        let within =
            |first: u32, last: u32| numbers.partition_point(|&n| n <= last) - numbers.partition_point(|&n| n < first);
        // Only an ancestor of all of them can cut all of them off: follow the parents of the last.
        let mut best: Option<PassageLine> = None;
        let mut at = self.order[last as usize];
        while at != NONE {
            let run = at as usize;
            let number = self.runs[run].number;
            let length = self.runs[run].length;
            if length <= WIDEST_PASSAGE as u32 && within(number, self.runs[run].last) == numbers.len() {
                let on_it = within(number, number);
                let beyond: usize = self
                    .parts_of(at)
                    .filter(|&(first, last)| exit.is_none_or(|exit| !(first..=last).contains(&exit)))
                    .map(|(first, last)| within(first, last))
                    .sum();
                let shorter = best.is_none_or(|line| (length as i32) < line.length());
                if beyond > 0 && beyond + on_it == numbers.len() && shorter {
                    best = Some(self.line(plan, at));
                }
            }
            at = self.runs[run].parent;
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

/// Finds dead ends from the lines of both headings.
#[derive(Debug, Default)]
pub(super) struct BlindWays {
    taken: Vec<bool>,
    inside: Vec<usize>,
}

impl BlindWays {
    /// Returns the dead ends, the smallest first, and the number of squares in pockets.
    ///
    /// A pocket that contains others is a dead-end passage with branches, of which only the branches count: the
    /// smallest first, each that shares no square with those before it.
    pub(super) fn find(
        &mut self,
        plan: &OpenPlan,
        headings: &[PassageLines; 2],
        exit: Option<usize>,
    ) -> (Vec<DeadEnd>, usize) {
        self.taken.clear();
        self.taken.resize(plan.open.len(), false);
        let mut innermost: Vec<(u32, u32, usize, Part)> = Vec::new();
        let mut blind = vec![false; plan.open.len()];
        for (heading, lines) in headings.iter().enumerate() {
            let exit = exit.and_then(|exit| lines.number_of(exit));
            let mut end_of_last = NONE;
            let mut outermost: Vec<Part> = Vec::new();
            for &part in lines.parts.iter().filter(|part| lines.is_pocket(**part, exit)) {
                // Parts come in the order in which the search leaves them, inner parts before outer ones.
                let holds_another = end_of_last != NONE && end_of_last >= part.first;
                while outermost.last().is_some_and(|inner| inner.first >= part.first) {
                    outermost.pop();
                }
                outermost.push(part);
                if !holds_another {
                    let first = lines.runs[part.line as usize].first;
                    innermost.push((part.squares, first, heading, part));
                }
                end_of_last = part.last;
            }
            for part in outermost {
                lines.squares(part).for_each(|at| blind[at] = true);
            }
        }
        innermost.sort_unstable_by_key(|&(squares, line, heading, part)| (squares, line, heading, part.first));
        let mut ends = Vec::new();
        for (squares, _, heading, part) in innermost {
            let lines = &headings[heading];
            self.inside.clear();
            self.inside.extend(lines.squares(part));
            if self.inside.iter().any(|&at| self.taken[at]) {
                continue;
            }
            self.inside.iter().for_each(|&at| self.taken[at] = true);
            ends.push(DeadEnd {
                mouth: lines.line(plan, part.line),
                squares,
            });
        }
        let blind = blind.into_iter().filter(|&blind| blind).count();
        (ends, blind)
    }
}
