//! Lines from wall to wall, and what is cut off when one of them is closed.
//!
//! A *line* is a row or column of squares that runs through the open from wall to wall: a cross-section of the
//! passage it lies in. Closing a line of a passage may cut a part of the dungeon off from the entrance. The lines of one
//! heading form a graph, two being joined where a step leads from one to the other, and the lines that cut something
//! off are its articulation points: all of them are found in one walk that is linear in the lines.

use serde::{Deserialize, Serialize};

use super::plan::OpenPlan;
use crate::geometry::Point;

/// The longest line that counts as a cross-section of a passage, in squares. Wider places are halls.
pub const WIDEST_PASSAGE: i32 = 12;

const NONE: u32 = u32::MAX;

/// A row or column of open squares from wall to wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    /// Its first square, by its place in the plan.
    first: u32,
    /// How many squares.
    length: u32,
    /// The runs that one step leads to: in the line before, and in the line after.
    before: (u32, u32),
    after: (u32, u32),
    // What the walk finds stands beside it: the walk jumps about, and what it needs of a run should lie together.
    /// The number that the walk gave it, from 0; `NONE` where it did not come.
    number: u32,
    /// The least number that can be reached from it and all below it.
    low: u32,
    /// The run that the walk came from.
    parent: u32,
    /// The last number below it.
    last: u32,
    /// Its squares and those of all below it.
    weight: u32,
}

/// A line across a passage, from wall to wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassageLine {
    /// Its first square.
    pub from: Point,
    /// Its last square, in the same row or column.
    pub to: Point,
}

impl PassageLine {
    /// How many squares it has.
    pub const fn length(self) -> i32 {
        (self.to.x - self.from.x) + (self.to.y - self.from.y) + 1
    }

    /// Its squares.
    pub fn squares(self) -> impl Iterator<Item = Point> {
        let columns = self.from.y..=self.to.y;
        (self.from.x..=self.to.x).flat_map(move |x| columns.clone().map(move |y| Point::new(x, y)))
    }
}

/// A part of the dungeon that one line cuts off from the entrance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    /// The run that cuts it off.
    line: u32,
    /// Its runs, by the numbers that the walk gave them.
    first: u32,
    last: u32,
    squares: u32,
}

/// The lines of one heading and the walk over them.
#[derive(Debug, Default)]
pub(super) struct PassageLines {
    runs: Vec<Run>,
    /// From one square of a run to the next.
    step: usize,
    /// The runs by their number.
    order: Vec<u32>,
    stack: Vec<(u32, u32)>,
    /// What closing a line cuts off, the innermost first. The line may be of any length.
    parts: Vec<Part>,
}

impl PassageLines {
    /// Takes the lines of a shape and walks them from the one through `entrance`.
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

    /// Joins the runs of a line, from `here` on, with those of the line before.
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

    /// Walks deep first from a run, and finds what closing each run cuts off from it.
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

    /// The run that holds a square, by its number; `None` where the walk did not come.
    fn number_of(&self, square: usize) -> Option<u32> {
        // Runs stand in the order of their lines.
        let columns = if self.step == 1 { usize::MAX } else { self.step };
        let wanted = (square % columns, square);
        let is_before = |run: &Run| (run.first as usize % columns, run.first as usize) <= wanted;
        let run = self.runs.partition_point(is_before).checked_sub(1)?;
        let away = square.wrapping_sub(self.runs[run].first as usize);
        let holds = away.is_multiple_of(self.step) && away / self.step < self.runs[run].length as usize;
        let number = self.runs[run].number;
        (holds && number != NONE).then_some(number)
    }

    /// The squares of a part.
    fn squares(&self, part: Part) -> impl Iterator<Item = usize> {
        let runs = self.order[part.first as usize..=part.last as usize].iter();
        runs.flat_map(move |&run| {
            let run = self.runs[run as usize];
            (0..run.length as usize).map(move |i| run.first as usize + i * self.step)
        })
    }

    /// Whether a part is a pocket: one enters it across a line of a passage and no other way, the exit does not lie
    /// in it, and with its line it is at least as large as a square over that line.
    fn is_pocket(&self, part: Part, exit: Option<u32>) -> bool {
        let length = self.runs[part.line as usize].length;
        let holds_exit = exit.is_some_and(|exit| (part.first..=part.last).contains(&exit));
        length <= WIDEST_PASSAGE as u32 && !holds_exit && part.squares + length >= length * length
    }

    /// The shortest line of a passage that cuts all of these squares off from the entrance and the exit, those on it
    /// counted; at least one must lie beyond it. Of equally short ones the one that cuts off least.
    pub(super) fn cutting_off(&self, plan: &OpenPlan, squares: &[usize], exit: Option<usize>) -> Option<PassageLine> {
        let exit = exit.and_then(|exit| self.number_of(exit));
        let mut numbers: Vec<u32> = squares.iter().filter_map(|&square| self.number_of(square)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let last = *numbers.last()?;
        let within =
            |first: u32, last: u32| numbers.partition_point(|&n| n <= last) - numbers.partition_point(|&n| n < first);
        // Only a run above all of them can cut all of them off: walk up from the last.
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

    /// What closing a run cuts off, by numbers.
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

/// A dead end: a part of the dungeon that is entered across one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadEnd {
    /// The line that one must come back across.
    pub mouth: PassageLine,
    /// Squares beyond it.
    pub squares: u32,
}

/// What both headings' lines tell of blind ways.
#[derive(Debug, Default)]
pub(super) struct BlindWays {
    taken: Vec<bool>,
    inside: Vec<usize>,
}

impl BlindWays {
    /// The dead ends, the smallest first; and how many squares lie in pockets.
    ///
    /// A pocket that holds another is a blind way with branches, and its branches are what is counted: smallest
    /// first, each that shares no square with one before it.
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
                // Parts come in the order in which the walk leaves them, those inside of others before them.
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
