//! Candidates of an atlas: drawn at random, or made from candidates that occupy cells.

use super::{Atlas, AtlasCell, FIRST_CANDIDATES};
use crate::analysis::tune::TunedParameter;
use crate::analysis::tune::cma::{even, normal};
use crate::design::Entry;
use crate::engine::random::{Key, Stream};

/// Standard deviation of a change to a number, as a share of the range between its bounds.
const SPREAD: f64 = 0.2;

/// Standard deviation of the position of a new candidate on the line through two others. The position is measured from
/// the first of the two, as a share of the distance between them.
const ALONG: f64 = 1.0;

/// Number of randomly drawn cells from which a parent is chosen. The cell with the fewest filled cells around it is
/// chosen, since new cells are found at the edge of the filled ones.
const CHOSEN_FROM: usize = 4;

impl Atlas {
    /// Returns the parameter values of the next `count` candidates.
    pub(super) fn next_batch(&self, count: u64) -> Vec<Vec<i32>> {
        // The random stream of a batch depends only on the number of candidates before it, so that a search can be
        // resumed.
        let mut stream = Stream::new(Key::new(self.request.chance).child(self.state.tried));
        let held: Vec<&AtlasCell> = self.cells.values().collect();
        let is_first = self.state.tried == 0;
        (0..count)
            .map(|number| {
                if is_first && number == 0 {
                    self.now.clone()
                } else if self.request.is_random || self.state.tried < FIRST_CANDIDATES || held.is_empty() {
                    self.drawn(&mut stream)
                } else {
                    self.child(&held, &mut stream)
                }
            })
            .collect()
    }

    /// Returns a candidate whose parameter values are drawn uniformly within their bounds.
    fn drawn(&self, stream: &mut Stream) -> Vec<i32> {
        let moves = self.request.moves.iter();
        moves.map(|one| one.value(even(stream))).collect()
    }

    /// Returns a candidate made from one or two candidates that occupy cells.
    fn child(&self, held: &[&AtlasCell], stream: &mut Stream) -> Vec<i32> {
        let [a, b] = [(), ()].map(|()| self.parent(held, stream));
        let mut values = match stream.below(3) {
            0 => self.crossed(a, b, stream),
            1 => self.along(a, b, stream),
            _ => a.to_vec(),
        };
        // At least one number changes; on average, two do.
        let count = values.len() as u32;
        let certain = stream.below(count.max(1)) as usize;
        for (i, one) in self.request.moves.iter().enumerate() {
            if i == certain || stream.below(count) == 0 {
                values[i] = one.moved(values[i], SPREAD * normal(stream));
            }
        }
        values
    }

    /// Returns the values of a candidate that occupies a cell, preferably at the edge of the filled cells.
    fn parent<'a>(&self, held: &[&'a AtlasCell], stream: &mut Stream) -> &'a [i32] {
        let drawn = (0..CHOSEN_FROM).map(|_| held[stream.below(held.len() as u32) as usize]);
        let around = |cell: &AtlasCell| {
            let [x, y] = cell.cell;
            let beside = (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| [x, y]));
            beside.filter(|cell| self.cells.contains_key(cell)).count()
        };
        drawn.min_by_key(|cell| around(cell)).map_or(&[], |cell| &cell.values)
    }

    /// Returns a candidate that takes each generation, and the constants, from one of two other candidates.
    pub(super) fn crossed(&self, a: &[i32], b: &[i32], stream: &mut Stream) -> Vec<i32> {
        // The parameters of a generation need not be adjacent in the list.
        let mut chosen: Vec<(Entry, bool)> = Vec::new();
        let mut values = Vec::with_capacity(a.len());
        for (one, (a, b)) in self.request.moves.iter().zip(a.iter().zip(b)) {
            let known = chosen.iter().find(|(entry, _)| *entry == one.entry);
            let is_first = known.map_or_else(|| stream.below(2) == 0, |(_, is_first)| *is_first);
            if known.is_none() {
                chosen.push((one.entry, is_first));
            }
            values.push(if is_first { *a } else { *b });
        }
        values
    }

    /// Returns a candidate on the line through two others, at a random position on either side of the first one.
    fn along(&self, a: &[i32], b: &[i32], stream: &mut Stream) -> Vec<i32> {
        let far = ALONG * normal(stream);
        let pairs = self.request.moves.iter().zip(a.iter().zip(b));
        let place = |(one, (a, b)): (&TunedParameter, (&i32, &i32))| one.moved(*a, far * (one.unit(*b) - one.unit(*a)));
        pairs.map(place).collect()
    }
}
