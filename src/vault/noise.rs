//! Noise: smooth (simplex) and cellular (Worley) values at points in space, for level
//! layouts that shape caves and clearings.
//!
//! Both kinds follow the well-known algorithms (Perlin's simplex noise in four dimensions, Worley's cellular noise),
//! but hash the lattice in our own way. The noise therefore has the character of the game's noise, but not its values.
//! The functions use only sums, products, square roots and integer hashes, which yield the same bits on every platform.
//! They draw no random numbers: a level layout moves the origin to get another pattern.

use crate::engine::random::mix;

/// Factor that skews a point so that simplices become parts of unit cubes: (√5 − 1) / 4.
const SKEW: f64 = 0.309_016_994_374_947_45;
/// Factor that undoes the skew of a lattice point: (5 − √5) / 20.
const UNSKEW: f64 = 0.138_196_601_125_010_5;
/// Squared distance up to which a lattice point has influence.
const REACH: f64 = 0.6;
/// Factor that scales the sum of all influences to the range from about −1 to 1.
const SIMPLEX_SCALE: f64 = 27.0;

/// Number of points in each unit cube of Worley's noise.
const POINTS: u64 = 2;

/// Returns the simplex noise at a point, from −1 to 1; 0 if a coordinate is not finite.
pub fn simplex(at: [f64; 4]) -> f64 {
    let skew = at.iter().sum::<f64>() * SKEW;
    let base = at.map(|value| (value + skew).floor());
    let unskew = base.iter().sum::<f64>() * UNSKEW;
    let offset: [f64; 4] = std::array::from_fn(|i| at[i] - (base[i] - unskew));
    // The order of the point's coordinates within the cube determines its simplex; ties are broken by axis.
    let rank: [usize; 4] = std::array::from_fn(|i| {
        let is_before = |j: usize| offset[j] < offset[i] || (offset[j] <= offset[i] && j < i);
        (0..4).filter(|j| *j != i && is_before(*j)).count()
    });
    let mut sum = 0.0;
    for corner in 0..5_usize {
        let step = rank.map(|rank| f64::from(u8::from(rank + corner >= 4)));
        let from: [f64; 4] = std::array::from_fn(|i| offset[i] - step[i] + corner as f64 * UNSKEW);
        let left = REACH - from.iter().map(|value| value * value).sum::<f64>();
        if left > 0.0 {
            let lattice: [i64; 4] = std::array::from_fn(|i| (base[i] + step[i]) as i64);
            sum += left * left * left * left * slope(hash(&lattice), from);
        }
    }
    (SIMPLEX_SCALE * sum).clamp(-1.0, 1.0)
}

/// Returns the height, at a sampled point, of a linear slope whose height at a lattice point is 0; `from` is the offset
/// of the sampled point from the lattice point. The hash chooses one of 32 directions of the slope: from the centre of
/// a four-dimensional cube to the middle of one of its edges.
fn slope(hash: u64, from: [f64; 4]) -> f64 {
    let flat = (hash >> 3 & 3) as usize;
    let mut sign = hash;
    let mut height = 0.0;
    for (axis, value) in from.into_iter().enumerate() {
        if axis != flat {
            height += if sign & 1 == 0 { value } else { -value };
            sign >>= 1;
        }
    }
    height
}

/// The two scattered points nearest to a sampled point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Distances to the nearest and the second nearest scattered point.
    pub distances: [f64; 2],
    /// Identifiers of these two points; a scattered point has the same identifier for every sample.
    pub points: [u32; 2],
}

/// Returns the two scattered points nearest to `at`. A hash scatters two points in each unit cube. Only points in the
/// cube that contains `at` and in its 26 neighbours are considered.
pub fn worley(at: [f64; 3]) -> Nearest {
    let cube = at.map(f64::floor);
    let mut nearest = Nearest {
        distances: [f64::INFINITY; 2],
        points: [0; 2],
    };
    for neighbour in 0..27 {
        let step = [neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1];
        let corner: [f64; 3] = std::array::from_fn(|i| cube[i] + f64::from(step[i]));
        let number = hash(&corner.map(|value| value as i64));
        for point in 0..POINTS {
            let random = mix(number ^ point);
            let place: [f64; 3] =
                std::array::from_fn(|i| corner[i] + (random >> (21 * i) & 0x1F_FFFF) as f64 / 2_097_152.0);
            let square = (0..3).map(|i| (place[i] - at[i]) * (place[i] - at[i])).sum::<f64>();
            nearest.add(square.sqrt(), (random >> 32) as u32);
        }
    }
    nearest
}

impl Nearest {
    /// Records a point if it is one of the two nearest so far.
    fn add(&mut self, distance: f64, point: u32) {
        if distance < self.distances[0] {
            *self = Self {
                distances: [distance, self.distances[0]],
                points: [point, self.points[0]],
            };
        } else if distance < self.distances[1] {
            self.distances[1] = distance;
            self.points[1] = point;
        }
    }
}

/// Returns a hash of a lattice point.
fn hash(lattice: &[i64]) -> u64 {
    lattice.iter().fold(0, |sum, value| mix(sum ^ *value as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> impl Iterator<Item = [f64; 4]> {
        (0..20_000).map(|i| {
            let i = f64::from(i);
            [i * 0.37, (i * 0.011).sin() * 40.0, i * 0.002, -i * 0.05]
        })
    }

    #[test]
    fn simplex_noise_is_centred_bounded_and_smooth() {
        let values: Vec<f64> = places().map(simplex).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        assert!(mean.abs() < 0.02, "{mean}");
        assert!(values.iter().any(|value| *value > 0.6) && values.iter().any(|value| *value < -0.6));
        assert!(values.iter().all(|value| value.abs() <= 1.0));
        for place in places() {
            let near = [place[0] + 0.001, place[1], place[2], place[3] - 0.001];
            assert!((simplex(place) - simplex(near)).abs() < 0.02, "{place:?}");
        }
        assert!(simplex([f64::NAN, 0.0, 0.0, f64::INFINITY]).abs() < f64::EPSILON);
        assert!(simplex([0.0; 4]).abs() < f64::EPSILON);
    }

    #[test]
    fn worley_noise_names_the_nearest_points_of_a_neighbourhood() {
        for [x, y, z, _] in places().step_by(20) {
            let found = worley([x, y, z]);
            let [first, second] = found.distances;
            assert!(first <= second && second < 2.0 && first >= 0.0, "{found:?}");
            // A step of 0.01 changes the distance by at most 0.01, apart from rounding.
            let near = worley([x + 0.01, y, z]);
            assert!((near.distances[0] - first).abs() <= 0.011);
        }
        let far = worley([f64::NAN, 0.0, 0.0]);
        assert_eq!(far.points, [0, 0]);
    }

    #[test]
    fn noise_never_changes() {
        let value = simplex([0.3, 1.7, 2.9, -4.1]);
        let cells = worley([0.3, 1.7, 2.9]);
        insta::assert_debug_snapshot!((value.to_bits(), cells.points, cells.distances.map(f64::to_bits)));
    }
}
