//! A search for a character whose dungeons are like examples.
//!
//! A [`Learning`] requests variants of a layout and receives their results, as [`Tuning`](super::Tuning) does; nothing is
//! grown here. It begins with characters that are given and others that are drawn at random, and searches with [`Cma`] from
//! the most similar of them. It does so in three stages over ever more seeds, since the nearer a search is to its goal the
//! more the noise of few seeds misleads it. At the end it chooses among the best, and measures its choice over seeds that
//! it never used. What it minimizes is how far metrics and local patterns of the dungeons are from those of the examples,
//! in standard deviations of the examples.

use std::collections::BTreeMap;
use std::ops::Range;

use super::cma::even;
use super::likeness::{Likeness, Sample, quantile};
use super::{Cma, FRESH, TrialMetrics, TrialTable, TunedParameter, Variant, variant_of};
use crate::analysis::MetricValue;
use crate::design::Design;
use crate::design::expect::{DungeonMetric, Metric};
use crate::engine::random::{Key, Stream};
use crate::geometry::Size;

/// A stage of the search.
struct Stage {
    /// Number of seeds over which a candidate is measured.
    seeds: u64,
    /// Share of all candidates after which the stage ends.
    until: f64,
    /// Initial step of a search, as a share of the bounds.
    step: f64,
}

/// The stages of the search.
const STAGES: [Stage; 3] = [
    Stage {
        seeds: 10,
        until: 0.5,
        step: 0.2,
    },
    Stage {
        seeds: 30,
        until: 0.8,
        step: 0.1,
    },
    Stage {
        seeds: 90,
        until: 1.0,
        step: 0.05,
    },
];

/// The seeds over which the best candidates are measured again.
const CHOICE: Range<u64> = 500_000..500_200;

/// Number of candidates that are measured again.
const FINALISTS: usize = 12;

/// Number of candidates before the search, those that are given included.
const FIRST: usize = 200;

/// Number of generations without a better candidate after which a search restarts from another one.
const STALLED: u32 = 25;

/// What is to be learnt.
#[derive(Debug, Clone)]
pub struct LearnRequest {
    /// Parameters that may change.
    pub moves: Vec<TunedParameter>,
    /// Characters to begin with: the value of each parameter.
    pub starts: Vec<Vec<i32>>,
    /// Metrics in which the dungeons should be like the examples.
    pub metrics: Vec<Metric>,
    /// The examples, with values of these metrics and with patterns.
    pub examples: Vec<TrialMetrics>,
    /// Number of candidates to measure.
    pub candidates: u64,
    /// Seed of the search itself.
    pub chance: u64,
}

/// The phase of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LearnPhase {
    /// Searching for a character.
    Searching,
    /// Measuring the best candidates over more seeds.
    Choosing,
    /// Measuring the choice over seeds that the search never used.
    Verifying,
    /// Finished: no more requests.
    Done,
}

/// A candidate with its distance from the examples.
#[derive(Debug, Clone, PartialEq)]
struct LearnCandidate {
    distance: f64,
    values: Vec<i32>,
}

/// A metric of the examples and of the learnt character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LearntMetric {
    /// The metric.
    pub metric: Metric,
    /// Range of the middle eight of ten examples.
    pub asked: [f64; 2],
    /// Range of the middle eight of ten dungeons of the learnt character, over fresh seeds, and their median; `None` if
    /// none has the metric.
    pub reached: Option<[f64; 3]>,
    /// Share of the fresh dungeons in the range asked.
    pub share: f64,
    /// Of the medians of all candidates, the one nearest to the range.
    pub nearest: Option<f64>,
}

impl LearntMetric {
    /// Returns whether the metric was learnt: six of ten dungeons lie where eight of ten examples do.
    pub fn holds(&self) -> bool {
        self.share >= HOLDS
    }
}

/// Smallest share of the dungeons in the range of eight of ten examples with which a metric counts as learnt.
pub const HOLDS: f64 = 0.6;

/// A search in progress.
#[derive(Debug, Clone)]
pub struct Learning {
    request: LearnRequest,
    now: Vec<i32>,
    phase: LearnPhase,
    /// Results of the first candidates, until all are known.
    first: Vec<(Vec<i32>, Sample)>,
    likeness: Option<Likeness>,
    /// The first candidates, the most similar first, and how many of them a search began with.
    starts: Vec<LearnCandidate>,
    begun: usize,
    cma: Cma,
    /// Points of the current generation.
    points: Vec<Vec<i32>>,
    /// Distances over the seeds of the current stage.
    known: BTreeMap<Vec<i32>, f64>,
    stage: usize,
    /// Whether the best candidates of the stage before are measured over the seeds of the current one.
    is_advancing: bool,
    tried: u64,
    /// Smallest distance of the current search, and the generation that found it.
    found: (f64, u32),
    /// The best candidates, the most similar first.
    best: Vec<LearnCandidate>,
    asked: Vec<Vec<i32>>,
    /// Least and greatest median of each metric among all candidates.
    reach: Vec<Option<[f64; 2]>>,
    verified: Option<TrialTable>,
}

impl Learning {
    /// Starts a search for a character in the layout of a design.
    pub fn new(design: &Design, request: LearnRequest) -> Self {
        let now = request.moves.iter().map(|one| one.now(design)).collect();
        Self {
            now,
            phase: LearnPhase::Searching,
            first: Vec::new(),
            likeness: None,
            starts: Vec::new(),
            begun: 0,
            cma: Cma::new(&[], 1.0, &[], 0),
            points: Vec::new(),
            known: BTreeMap::new(),
            stage: 0,
            is_advancing: false,
            tried: 0,
            found: (f64::INFINITY, 0),
            best: Vec::new(),
            asked: Vec::new(),
            reach: vec![None; request.metrics.len()],
            verified: None,
            request,
        }
    }

    /// Returns the current phase.
    pub const fn phase(&self) -> LearnPhase {
        self.phase
    }

    /// Returns the number of candidates tried.
    pub const fn tried(&self) -> u64 {
        self.tried
    }

    /// Returns about how many dungeons a search with this number of candidates grows before its choice.
    pub fn dungeons(candidates: u64) -> u64 {
        let begins = [0.0].into_iter().chain(STAGES.iter().map(|stage| stage.until));
        let stages = STAGES.iter().zip(begins);
        stages
            .map(|(stage, begin)| ((stage.until - begin) * candidates as f64) as u64 * stage.seeds)
            .sum()
    }

    /// Returns the seeds for the variants requested last.
    pub const fn seeds(&self) -> Range<u64> {
        match self.phase {
            LearnPhase::Searching | LearnPhase::Done => 0..STAGES[self.stage].seeds,
            LearnPhase::Choosing => CHOICE,
            LearnPhase::Verifying => FRESH,
        }
    }

    /// Returns the character that was learnt as a variant of the layout's design; the best so far until the search is
    /// over.
    pub fn learnt(&self) -> Variant {
        let values = self.best.first().map_or(&self.now, |best| &best.values);
        self.variant(values)
    }

    /// Returns the results of the learnt character over fresh seeds, once the search is over.
    pub const fn verified(&self) -> Option<&TrialTable> {
        self.verified.as_ref()
    }

    fn variant(&self, values: &[i32]) -> Variant {
        variant_of(&self.request.moves, values, &self.now)
    }

    /// Returns the variants to try next, each from all [`Self::seeds`]; empty when the search is over.
    pub fn ask(&mut self) -> Vec<Variant> {
        self.asked = match self.phase {
            LearnPhase::Searching if self.likeness.is_none() => self.first_candidates(),
            LearnPhase::Searching => self.next_generation(),
            _ => Vec::new(),
        };
        // The search may have come to its end just now.
        match self.phase {
            LearnPhase::Choosing => self.asked = self.best.iter().map(|best| best.values.clone()).collect(),
            LearnPhase::Verifying => {
                self.asked = self.best.first().map(|best| best.values.clone()).into_iter().collect();
            }
            LearnPhase::Searching | LearnPhase::Done => {}
        }
        if self.asked.is_empty() {
            self.phase = LearnPhase::Done;
        }
        self.asked.iter().map(|values| self.variant(values)).collect()
    }

    /// Receives the results of the variants requested last, in their order.
    pub fn report(&mut self, readings: &[TrialTable]) {
        if readings.len() != self.asked.len() || self.asked.is_empty() {
            return;
        }
        let asked = std::mem::take(&mut self.asked);
        let measured = asked.into_iter().zip(readings.iter().map(Sample::of_table));
        match self.phase {
            LearnPhase::Searching => {
                let measured: Vec<_> = measured.collect();
                for (_, sample) in &measured {
                    self.note_reach(sample);
                }
                self.tried += measured.len() as u64;
                if self.likeness.is_none() {
                    self.first = measured;
                    self.begin();
                    return;
                }
                for (values, sample) in measured {
                    self.note(values, &sample);
                }
                if std::mem::take(&mut self.is_advancing) {
                    self.restart();
                } else {
                    self.report_generation();
                }
            }
            LearnPhase::Choosing => {
                let chosen = measured.map(|(values, sample)| LearnCandidate {
                    distance: self.distance(&sample),
                    values,
                });
                self.best = chosen.collect();
                self.best.sort_by(|a, b| a.distance.total_cmp(&b.distance));
                self.phase = LearnPhase::Verifying;
            }
            LearnPhase::Verifying => {
                self.verified = readings.first().cloned();
                self.phase = LearnPhase::Done;
            }
            LearnPhase::Done => {}
        }
    }

    /// Returns how each metric of the learnt character compares with the examples over fresh seeds, once the search is
    /// over; nothing about metrics that no example has.
    pub fn metrics(&self) -> Vec<LearntMetric> {
        let (Some(likeness), Some(table)) = (&self.likeness, &self.verified) else {
            return Vec::new();
        };
        let sample = Sample::of_table(table);
        let bands = likeness.bands().into_iter().enumerate();
        let metrics = bands.filter_map(|(i, band)| {
            let (asked, metric) = (rounded(band?, self.request.metrics[i]), self.request.metrics[i]);
            let numbers = &sample.numbers[i];
            let inside = numbers
                .iter()
                .filter(|number| (asked[0]..=asked[1]).contains(*number))
                .count();
            let at = |share| quantile(numbers, share);
            let nearest = self.reach[i].map(|[least, most]| match asked {
                [low, _] if most < low => most,
                [_, high] if least > high => least,
                [low, high] => f64::midpoint(low, high),
            });
            Some(LearntMetric {
                metric,
                asked,
                reached: at(0.1).and_then(|low| Some([low, at(0.5)?, at(0.9)?])),
                share: inside as f64 / table.rows.len().max(1) as f64,
                nearest,
            })
        });
        metrics.collect()
    }

    /// Returns the characters that are given, the layout's own first, and others drawn at random.
    fn first_candidates(&self) -> Vec<Vec<i32>> {
        let mut stream = Stream::new(Key::new(self.request.chance));
        let mut first = vec![self.now.clone()];
        let count = FIRST.min(self.request.candidates as usize).max(1);
        let clamped = |values: &Vec<i32>| -> Vec<i32> {
            let bounded = values.iter().zip(&self.request.moves);
            bounded
                .map(|(value, one)| (*value).clamp(one.least, one.most))
                .collect()
        };
        for start in self.request.starts.iter().map(clamped) {
            if !first.contains(&start) {
                first.push(start);
            }
        }
        first.truncate(count);
        while first.len() < count {
            first.push(
                self.request
                    .moves
                    .iter()
                    .map(|one| one.value(even(&mut stream)))
                    .collect(),
            );
        }
        first
    }

    /// Compares the first candidates with the examples, and begins the search.
    fn begin(&mut self) {
        let first = std::mem::take(&mut self.first);
        let samples: Vec<Sample> = first.iter().map(|(_, sample)| sample.clone()).collect();
        let examples = Sample::of(&self.request.examples.iter(), self.request.metrics.len());
        self.likeness = Some(Likeness::new(examples, &samples));
        for (values, sample) in first {
            self.note(values, &sample);
        }
        self.starts = self.known.iter().map(candidate).collect();
        self.starts.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        self.restart();
    }

    /// Restarts the strategy: in the first stage from the next of the first candidates, later from the best of all.
    fn restart(&mut self) {
        let first = self.starts.get(self.begun).filter(|_| self.stage == 0);
        let Some(from) = first.or(self.best.first()) else {
            return;
        };
        let moves = &self.request.moves;
        let start: Vec<f64> = moves
            .iter()
            .zip(&from.values)
            .map(|(one, value)| one.unit(*value))
            .collect();
        let steps: Vec<f64> = moves.iter().map(TunedParameter::step).collect();
        let chance = self.request.chance.wrapping_add(self.begun as u64);
        self.cma = Cma::new(&start, STAGES[self.stage].step, &steps, chance);
        self.begun += 1;
        self.found = (f64::INFINITY, 0);
    }

    /// Advances to the next stage. Returns the best candidates, which are measured again.
    fn advance(&mut self) -> Vec<Vec<i32>> {
        self.stage += 1;
        self.is_advancing = true;
        self.known.clear();
        std::mem::take(&mut self.best)
            .into_iter()
            .map(|best| best.values)
            .collect()
    }

    /// Returns those points of the next generation that are not known.
    fn next_generation(&mut self) -> Vec<Vec<i32>> {
        // Points repeat when a search has narrowed.
        for _ in 0..STALLED * 4 {
            let share = self.tried as f64 / self.request.candidates as f64;
            if share >= 1.0 || self.request.moves.is_empty() {
                break;
            }
            if share >= STAGES[self.stage].until && !self.best.is_empty() {
                return self.advance();
            }
            let asked = self.cma.ask();
            let value = |point: &[f64]| {
                self.request
                    .moves
                    .iter()
                    .zip(point)
                    .map(|(one, at)| one.value(*at))
                    .collect()
            };
            self.points = asked.iter().map(|point| value(point)).collect();
            let mut new: Vec<Vec<i32>> = Vec::new();
            for point in &self.points {
                if !self.known.contains_key(point) && !new.contains(point) {
                    new.push(point.clone());
                }
            }
            if !new.is_empty() {
                return new;
            }
            self.report_generation();
        }
        self.phase = LearnPhase::Choosing;
        Vec::new()
    }

    /// Reports the distances of a generation to the strategy.
    fn report_generation(&mut self) {
        let distance = |point: &Vec<i32>| self.known.get(point).copied().unwrap_or(f64::INFINITY);
        let distances: Vec<f64> = self.points.iter().map(distance).collect();
        self.cma.report(&distances);
        let generation = self.cma.generation();
        let least = distances.into_iter().fold(f64::INFINITY, f64::min);
        if least < self.found.0 {
            self.found = (least, generation);
        } else if generation - self.found.1 >= STALLED {
            self.restart();
        }
    }

    fn distance(&self, sample: &Sample) -> f64 {
        let likeness = self.likeness.as_ref();
        likeness.map_or(f64::INFINITY, |likeness| likeness.distance(sample))
    }

    /// Notes the distance of a candidate.
    fn note(&mut self, values: Vec<i32>, sample: &Sample) {
        let distance = self.distance(sample);
        let place = self.best.partition_point(|best| best.distance <= distance);
        if place < FINALISTS {
            let values = values.clone();
            self.best.insert(place, LearnCandidate { distance, values });
            self.best.truncate(FINALISTS);
        }
        self.known.insert(values, distance);
    }

    /// Notes which medians a candidate reaches.
    fn note_reach(&mut self, sample: &Sample) {
        for (reach, numbers) in self.reach.iter_mut().zip(&sample.numbers) {
            if let Some(median) = quantile(numbers, 0.5) {
                let [least, most] = reach.unwrap_or([median; 2]);
                *reach = Some([least.min(median), most.max(median)]);
            }
        }
    }
}

fn candidate((values, distance): (&Vec<i32>, &f64)) -> LearnCandidate {
    LearnCandidate {
        distance: *distance,
        values: values.clone(),
    }
}

/// Converts the metrics of a dungeon of one size to those of a similar dungeon of another size: counts grow with the
/// squares, lengths with their root, and shares stay.
#[must_use]
pub fn scaled(mut of: TrialMetrics, metrics: &[Metric], from: Size, to: Size) -> TrialMetrics {
    let squares = to.squares() as f64 / from.squares().max(1) as f64;
    for (value, metric) in of.values.iter_mut().zip(metrics) {
        let Metric::Plain(plain) = metric else { continue };
        let factor = match plain.info() {
            info if !info.is_whole => 1.0,
            info if matches!(
                info.metric,
                DungeonMetric::Width | DungeonMetric::Generations | DungeonMetric::Iterations
            ) =>
            {
                1.0
            }
            info if matches!(info.unit, "steps") || info.metric == DungeonMetric::OuterCorridor => squares.sqrt(),
            _ => squares,
        };
        if let MetricValue::Number(Some(number)) = value {
            *number *= factor;
        }
    }
    of
}

/// Rounds a range outwards: to whole numbers if the metric has no others, else to four digits after the point.
fn rounded([low, high]: [f64; 2], metric: Metric) -> [f64; 2] {
    let is_whole = matches!(metric, Metric::Plain(plain) if plain.info().is_whole);
    let scale = if is_whole { 1.0 } else { 10_000.0 };
    [(low * scale).floor() / scale, (high * scale).ceil() / scale]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::PATTERNS;
    use crate::analysis::tune::movable;
    use crate::engine::Options;
    use crate::presets::Preset;

    const WANTED: [Metric; 2] = [Metric::Plain(DungeonMetric::Path), Metric::Plain(DungeonMetric::Loops)];

    fn design() -> Design {
        Preset::find("weave").unwrap().design()
    }

    fn moves() -> Vec<TunedParameter> {
        movable(&design(), Options::default(), |generation| generation < 1)
    }

    /// Returns a dungeon of a landscape without dungeons: metrics and patterns are sums of the parameters, with noise.
    fn dungeon(moves: &[TunedParameter], values: &[i32], seed: u64) -> TrialMetrics {
        let units: Vec<f64> = moves.iter().zip(values).map(|(one, value)| one.unit(*value)).collect();
        let mut stream = Stream::new(Key::new(seed));
        let mut noise = |most: u32| f64::from(stream.below(most)) - f64::from(most) / 2.0;
        let sum = |odd: usize| 100.0 * units.iter().skip(odd).step_by(2).sum::<f64>();
        let numbers = [sum(0) + noise(20), sum(1) + noise(20)];
        let pattern = |i: usize| 500.0 + 400.0 * units[i % units.len()] + noise(50);
        TrialMetrics {
            values: numbers.map(|number| MetricValue::Number(Some(number))).to_vec(),
            anomalies: Vec::new(),
            corridor: None,
            gap: Vec::new(),
            patterns: (0..PATTERNS).map(pattern).map(|count| count as u32).collect(),
        }
    }

    /// Learns from dungeons. Returns the search at its end and the values that it found.
    fn learnt(examples: Vec<TrialMetrics>, candidates: u64) -> (Learning, Vec<i32>) {
        let (design, moves) = (design(), moves());
        let request = LearnRequest {
            moves: moves.clone(),
            starts: Vec::new(),
            metrics: WANTED.to_vec(),
            examples,
            candidates,
            chance: 3,
        };
        let mut learning = Learning::new(&design, request);
        let mut phases = Vec::new();
        loop {
            let asked = learning.ask();
            if asked.is_empty() {
                break;
            }
            phases.push(learning.phase());
            let readings = asked.iter().map(|variant| {
                let varied = variant.of(&design);
                let values: Vec<i32> = moves.iter().map(|one| one.now(&varied)).collect();
                let mut table = TrialTable::new(WANTED.to_vec(), 0);
                table.rows = learning
                    .seeds()
                    .map(|seed| Some(dungeon(&moves, &values, seed)))
                    .collect();
                table
            });
            let readings: Vec<TrialTable> = readings.collect();
            learning.report(&readings);
        }
        phases.dedup();
        assert_eq!(
            phases,
            [LearnPhase::Searching, LearnPhase::Choosing, LearnPhase::Verifying]
        );
        assert_eq!(learning.phase(), LearnPhase::Done);
        let found = learning.learnt().of(&design);
        let values = moves.iter().map(|one| one.now(&found)).collect();
        (learning, values)
    }

    #[test]
    fn hidden_values_are_found_again() {
        let hidden: Vec<i32> = moves()
            .iter()
            .enumerate()
            .map(|(i, one)| one.value([0.2, 0.8, 0.5][i % 3]))
            .collect();
        let examples = (0..40).map(|seed| dungeon(&moves(), &hidden, 77_000 + seed)).collect();
        let (learning, found) = learnt(examples, 1_000);
        for (one, (hidden, found)) in moves().iter().zip(hidden.iter().zip(&found)) {
            assert!(
                (one.unit(*hidden) - one.unit(*found)).abs() < 0.15,
                "{one:?}: {hidden} {found}"
            );
        }
        let metrics = learning.metrics();
        assert_eq!(metrics.len(), 2);
        assert!(metrics.iter().all(LearntMetric::holds), "{metrics:?}");
        assert!((1_000..1_050).contains(&learning.tried()), "{}", learning.tried());
    }

    #[test]
    fn what_no_candidate_reaches_does_not_hold_and_has_the_nearest_value() {
        let now: Vec<i32> = moves().iter().map(|one| one.now(&design())).collect();
        let far = |seed| {
            let mut dungeon = dungeon(&moves(), &now, seed);
            dungeon.values[0] = MetricValue::Number(Some(10_000.0 + seed as f64));
            dungeon
        };
        let (learning, _) = learnt((0..20).map(far).collect(), 400);
        let [path, _] = learning.metrics()[..] else {
            panic!("two metrics")
        };
        assert!((path.asked[0] - 10_001.0).abs() < 1e-9, "{path:?}");
        assert!(!path.holds() && path.share == 0.0);
        let nearest = path.nearest.unwrap();
        let most = 100.0 * moves().len().div_ceil(2) as f64 + 10.0;
        assert!(nearest > 100.0 && nearest <= most, "{nearest}");
    }

    #[test]
    fn counts_grow_with_the_squares_lengths_with_their_root_and_shares_stay() {
        let metrics = [
            DungeonMetric::DeadEnds,
            DungeonMetric::Path,
            DungeonMetric::Fill,
            DungeonMetric::Width,
        ];
        let metrics = metrics.map(Metric::Plain);
        let row = TrialMetrics {
            values: [40.0, 100.0, 0.5, 3.0]
                .map(|number| MetricValue::Number(Some(number)))
                .to_vec(),
            anomalies: Vec::new(),
            corridor: None,
            gap: Vec::new(),
            patterns: Vec::new(),
        };
        let larger = scaled(row, &metrics, Size::new(30, 40), Size::new(60, 80));
        let numbers: Vec<Option<f64>> = larger.values.iter().map(|value| value.number()).collect();
        assert_eq!(numbers, [Some(160.0), Some(200.0), Some(0.5), Some(3.0)]);
    }
}
