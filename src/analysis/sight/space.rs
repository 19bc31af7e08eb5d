//! Integration and intelligibility. The integration of a square is high if it takes only a few lines of sight, one
//! after the other, to get from there to the other squares. Intelligibility measures how well the number of squares
//! visible from a square predicts its integration.

use super::sampled;
use super::views::{Views, each_bit};

/// Size of the largest floor, in squares, for which integration and intelligibility are computed from all squares.
pub(super) const EXACT: usize = 1024;
/// Number of squares that are sampled on a larger floor.
const SAMPLE: usize = 256;

/// The computation of mean depths, with its buffers.
#[derive(Debug, Default)]
pub(super) struct Space {
    seen: Vec<u64>,
    edge: Vec<u64>,
    next: Vec<u64>,
}

impl Space {
    /// Returns the integration and the intelligibility of a floor whose views have been found. Both are `None` if there
    /// are fewer than three squares, or if every square sees all others. Intelligibility is also `None` if all squares
    /// have the same integration, or if the same number of squares is visible from each.
    pub(super) fn measure(&mut self, views: &Views) -> (Option<f64>, Option<f64>) {
        let squares = views.floor.len();
        let Some(diamond) = diamond(squares) else {
            return (None, None);
        };
        let mut values: Vec<(f64, f64)> = Vec::new();
        for square in sampled(squares, EXACT, SAMPLE) {
            let depth = self.mean_depth(views, square);
            if depth > 1.0 {
                let asymmetry = 2.0 * (depth - 1.0) / (squares as f64 - 2.0);
                let connectivity = f64::from(views.count(square) - 1);
                values.push((connectivity, diamond / asymmetry));
            }
        }
        let sum: f64 = values.iter().map(|(_, integration)| integration).sum();
        let integration = (!values.is_empty()).then(|| sum / values.len() as f64);
        (integration, correlation(&values))
    }

    /// Returns the mean depth of all other squares as seen from one square. The depth is 1 for the squares visible from
    /// it, 2 for further squares visible from those, and so on.
    fn mean_depth(&mut self, views: &Views, from: u32) -> f64 {
        let squares = views.floor.len() as u64;
        for set in [&mut self.seen, &mut self.edge] {
            set.clear();
            set.resize(views.across(), 0);
        }
        let (first, view) = views.of(from);
        self.seen[first..first + view.len()].copy_from_slice(view);
        self.edge.copy_from_slice(&self.seen);
        let mut known = u64::from(views.count(from));
        let mut sum = known - 1;
        for depth in 2.. {
            if known == squares {
                break;
            }
            self.next.clone_from(&self.seen);
            let next = &mut self.next;
            each_bit(&self.edge, |square| {
                let (first, view) = views.of(square);
                for (word, seen) in next[first..].iter_mut().zip(view) {
                    *word |= seen;
                }
            });
            let mut found = 0;
            for ((edge, seen), next) in self.edge.iter_mut().zip(&mut self.seen).zip(&self.next) {
                *edge = next & !*seen;
                *seen = *next;
                found += u64::from(edge.count_ones());
            }
            if found == 0 {
                break;
            }
            known += found;
            sum += depth * found;
        }
        sum as f64 / (squares - 1) as f64
    }
}

/// Returns the relative asymmetry of the root of a diamond-shaped graph (the D-value of space syntax); `None` for fewer
/// than three squares. Dividing the asymmetry of a square by this value makes graphs of different sizes comparable.
fn diamond(squares: usize) -> Option<f64> {
    let n = squares as f64;
    (squares > 2).then(|| 2.0 * (n * (((n + 2.0) / 3.0).log2() - 1.0) + 1.0) / ((n - 1.0) * (n - 2.0)))
}

/// Returns the correlation coefficient of pairs; `None` if the first or the second value is the same in all pairs.
fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let count = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (left, right) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let (mut both, mut of_left, mut of_right) = (0.0, 0.0, 0.0);
    for &(a, b) in pairs {
        both += (a - left) * (b - right);
        of_left += (a - left).powi(2);
        of_right += (b - right).powi(2);
    }
    let is_constant =
        of_left <= f64::EPSILON * left.powi(2) * count || of_right <= f64::EPSILON * right.powi(2) * count;
    (!pairs.is_empty() && !is_constant).then(|| both / (of_left * of_right).sqrt())
}
