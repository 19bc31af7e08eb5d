//! A search for a character (the parameters of a design's generations) whose dungeons resemble the given examples.
//!
//! A [`Learning`] requests variants of a design, all with the same layout, and receives their results, as
//! [`Tuning`](super::Tuning) does; the caller grows the dungeons. The search first measures the given characters and
//! some randomly drawn ones, and starts runs of [`Cma`] from those whose dungeons are most similar to the examples.
//! Then it refines the most similar character with a [`LocalModel`] of the measurements around it. The runs of [`Cma`]
//! are the first stage of the search, and the refinement takes several more stages. Later stages use more seeds: near
//! its goal, the search compares characters that differ little, and results over few seeds are too noisy to compare
//! them. Finally the search measures the best characters again, chooses one, and measures the choice over seeds that
//! it never used before. The search minimizes how far the metrics and local patterns of the dungeons are from those of
//! the examples, in standard deviations of the examples.

use std::collections::BTreeMap;
use std::ops::Range;

use super::cma::{even, normal, reflected};
use super::learnt::{LearnRequest, LearntMetric, rounded};
use super::likeness::{Likeness, Sample, quantile};
use super::local_model::{LocalModel, Measured};
use super::{Cma, FRESH, TrialTable, TunedParameter, Variant, variant_of};
use crate::design::Design;
use crate::engine::random::{Key, Stream};

/// A stage of the search.
struct Stage {
    /// Number of seeds over which a candidate is measured.
    seeds: u64,
    /// The stage ends when this share of the search's total number of candidates has been tried.
    until: f64,
    /// Initial step of [`Cma`] in the first stage, or spread of the candidates around the most similar one in later
    /// stages, as a share of each parameter's range.
    step: f64,
}

/// The stages of the search. The first stage uses [`Cma`], the later ones a [`LocalModel`].
const STAGES: [Stage; 4] = [
    Stage {
        seeds: 10,
        until: 0.3,
        step: 0.2,
    },
    Stage {
        seeds: 30,
        until: 0.5,
        step: 0.1,
    },
    Stage {
        seeds: 30,
        until: 0.8,
        step: 0.05,
    },
    Stage {
        seeds: 90,
        until: 1.0,
        step: 0.03,
    },
];

/// The seeds over which the best candidates are measured again.
const CHOICE: Range<u64> = 500_000..500_400;

/// Number of batches after which the seeds of the batches repeat.
const BATCHES: u64 = 4_000;

/// Distance from the first seed of a batch to the first seed of the next one.
const SEEDS_OF_BATCH: u64 = 100;

/// Number of candidates per batch in the stages with a [`LocalModel`].
const BATCH: usize = 12;

/// Radii around the best candidate. For each radius, a [`LocalModel`] proposes one candidate within it. A radius of 1
/// is the typical distance of a batch's random candidates from the best candidate.
const DISTANCES: [f64; 4] = [1.0, 0.5, 0.25, 0.1];

/// Number of best candidates that are kept, and measured again in the next stage and at the end.
const FINALISTS: usize = 12;

/// Largest number of candidates that are measured before the first run of [`Cma`]: the design's own character, the
/// given characters, and randomly drawn ones.
const FIRST: usize = 200;

/// Number of generations of [`Cma`] without a better candidate after which it restarts from another candidate.
const STALLED: u32 = 25;

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

/// A candidate and its distance from the examples.
#[derive(Debug, Clone, PartialEq)]
struct LearnCandidate {
    distance: f64,
    values: Vec<i32>,
}

/// A search in progress.
#[derive(Debug, Clone)]
pub struct Learning {
    request: LearnRequest,
    now: Vec<i32>,
    phase: LearnPhase,
    /// Results of the first candidates, until the first run of [`Cma`] starts.
    first: Vec<(Vec<i32>, Sample)>,
    likeness: Option<Likeness>,
    /// The first candidates, the most similar first. Each run of [`Cma`] starts from the next of these candidates;
    /// `begun` counts the runs so far.
    starts: Vec<LearnCandidate>,
    begun: usize,
    cma: Cma,
    /// Measurements of all candidates in the stages with a [`LocalModel`].
    measured: Vec<Measured>,
    /// Number of batches so far.
    batch: u64,
    /// Candidates at which the runs of [`Cma`] in the first stage ended.
    ends: Vec<Vec<i32>>,
    stream: Stream,
    /// Candidates of the current generation or batch, including those measured earlier.
    points: Vec<Vec<i32>>,
    /// Distance of each candidate that has been measured in the current stage.
    known: BTreeMap<Vec<i32>, f64>,
    stage: usize,
    /// Whether the best candidates of the previous stage are being measured over the seeds of the current stage.
    is_advancing: bool,
    tried: u64,
    /// Smallest distance in the current run of [`Cma`], and the generation that found it.
    found: (f64, u32),
    /// The best candidates, the most similar first.
    best: Vec<LearnCandidate>,
    asked: Vec<Vec<i32>>,
    /// Lowest and highest median of each metric among all candidates; `None` if no candidate's dungeons have the
    /// metric.
    reach: Vec<Option<[f64; 2]>>,
    verified: Option<TrialTable>,
}

impl Learning {
    /// Starts a search for a character that suits the layout of a design.
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
            measured: Vec::new(),
            batch: 0,
            ends: Vec::new(),
            stream: Stream::new(Key::new(request.chance).child(1)),
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

    /// Returns the approximate number of dungeons that a search with this many candidates needs before its final
    /// choice.
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
            // The candidates of one batch are compared over the same seeds. If all batches used the same seeds, the
            // search would find a candidate that suits only these seeds.
            LearnPhase::Searching | LearnPhase::Done => {
                let from = self.batch % BATCHES * SEEDS_OF_BATCH;
                from..from + STAGES[self.stage].seeds
            }
            LearnPhase::Choosing => CHOICE,
            LearnPhase::Verifying => FRESH,
        }
    }

    /// Returns the learnt character, as a variant of the design. Until the search is over, this is the best character
    /// so far.
    pub fn learnt(&self) -> Variant {
        let values = self.best.first().map_or(&self.now, |best| &best.values);
        self.variant(values)
    }

    /// Ends the search, so that the best candidates so far are measured again next. Returns false, and changes
    /// nothing, if there are no candidates yet.
    pub fn finish(&mut self) -> bool {
        if self.phase == LearnPhase::Searching && !self.best.is_empty() {
            self.phase = LearnPhase::Choosing;
            self.asked.clear();
        }
        !self.best.is_empty()
    }

    /// Returns the results of the learnt character over fresh seeds; `None` until the search is over.
    pub const fn verified(&self) -> Option<&TrialTable> {
        self.verified.as_ref()
    }

    fn variant(&self, values: &[i32]) -> Variant {
        variant_of(&self.request.moves, values, &self.now)
    }

    /// Returns the variants to try next, each to be grown from all [`Self::seeds`]. The list is empty when the search
    /// is over. Returns the same variants again until [`Self::report`] or [`Self::finish`] is called.
    pub fn ask(&mut self) -> Vec<Variant> {
        if self.asked.is_empty() {
            self.go_on();
        }
        self.asked.iter().map(|values| self.variant(values)).collect()
    }

    /// Chooses the candidates to try next.
    fn go_on(&mut self) {
        self.asked = match self.phase {
            LearnPhase::Searching if self.likeness.is_none() => self.first_candidates(),
            LearnPhase::Searching => self.next_generation(),
            _ => Vec::new(),
        };
        // The calls above may have ended the search and changed the phase.
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
    }

    /// Processes the results of the variants that [`Self::ask`] returned last, in the order of these variants.
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
                let is_advancing = std::mem::take(&mut self.is_advancing);
                if is_advancing {
                    self.best.clear();
                }
                for (values, sample) in measured {
                    self.note(values, &sample);
                }
                if !is_advancing && self.stage == 0 {
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

    /// Compares each metric of the learnt character, over fresh seeds, with the examples. Leaves out metrics that no
    /// example has. The list is empty until the search is over.
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
            Some(LearntMetric {
                metric,
                asked,
                is_estimated: likeness.is_estimated(i),
                reached: at(0.1).and_then(|low| Some([low, at(0.5)?, at(0.9)?])),
                share: inside as f64 / table.dungeons().max(1) as f64,
                medians: self.reach[i],
            })
        });
        metrics.collect()
    }

    /// Returns the first candidates: the design's own character, the given characters, and randomly drawn ones.
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
                    .drawn
                    .iter()
                    .map(|one| one.value(even(&mut stream)))
                    .collect(),
            );
        }
        first
    }

    /// Compares the first candidates with the examples and starts [`Cma`] from the most similar candidate.
    fn begin(&mut self) {
        let first = std::mem::take(&mut self.first);
        let samples: Vec<Sample> = first.iter().map(|(_, sample)| sample.clone()).collect();
        let examples = Sample::of(&self.request.examples.iter(), self.request.metrics.len());
        self.likeness = Some(Likeness::new(examples, &samples));
        for (values, sample) in first {
            // Candidates that are drawn at random repeat if few values are possible.
            if !self.known.contains_key(&values) {
                self.note(values, &sample);
            }
        }
        self.starts = self.known.iter().map(candidate).collect();
        self.starts.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        self.restart();
    }

    /// Converts the values of a candidate to a point in the unit box.
    fn units(&self, values: &[i32]) -> Vec<f64> {
        let pairs = self.request.moves.iter().zip(values);
        pairs.map(|(one, value)| one.unit(*value)).collect()
    }

    /// Converts a point in the unit box to the values of a candidate.
    fn values(&self, at: &[f64]) -> Vec<i32> {
        self.request
            .moves
            .iter()
            .zip(at)
            .map(|(one, at)| one.value(*at))
            .collect()
    }

    /// Records the final mean of the current run of [`Cma`] as a candidate. The mean averages many candidates,
    /// whereas the best single candidate may owe its rank to chance.
    fn end_run(&mut self) {
        if self.cma.generation() > 0 {
            let end = self.values(&self.cma.mean());
            self.ends.push(end);
        }
    }

    /// Restarts [`Cma`] from the next candidate in `starts`; once all have been used, from the best candidate so far.
    fn restart(&mut self) {
        let Some(from) = self.starts.get(self.begun).or(self.best.first()) else {
            return;
        };
        let start = self.units(&from.values);
        self.end_run();
        let moves = &self.request.moves;
        let steps: Vec<f64> = moves.iter().map(TunedParameter::step).collect();
        let chance = self.request.chance.wrapping_add(self.begun as u64);
        self.cma = Cma::new(&start, STAGES[self.stage].step, &steps, chance);
        self.begun += 1;
        self.found = (f64::INFINITY, 0);
    }

    /// Advances to the next stage.
    fn advance(&mut self) {
        if self.stage == 0 {
            self.end_run();
        }
        self.batch += 1;
        self.stage += 1;
        self.is_advancing = true;
        self.known.clear();
    }

    /// Returns the candidates to measure next, without those measured already. Advances the stage or the phase as
    /// needed.
    fn next_generation(&mut self) -> Vec<Vec<i32>> {
        // Candidates repeat when a search has narrowed; then another generation is drawn.
        for _ in 0..STALLED * 4 {
            let share = self.tried as f64 / self.request.candidates as f64;
            if share >= 1.0 || self.request.moves.is_empty() {
                break;
            }
            if share >= STAGES[self.stage].until && !self.best.is_empty() && !self.is_advancing {
                self.advance();
            }
            if self.is_advancing {
                return self.carried();
            }
            self.batch += 1;
            self.points = if self.stage == 0 {
                self.cma.ask().iter().map(|point| self.values(point)).collect()
            } else {
                self.modelled()
            };
            let mut new: Vec<Vec<i32>> = Vec::new();
            for point in &self.points {
                if !self.known.contains_key(point) && !new.contains(point) {
                    new.push(point.clone());
                }
            }
            if !new.is_empty() {
                return new;
            }
            if self.stage == 0 {
                self.report_generation();
            }
        }
        self.phase = LearnPhase::Choosing;
        Vec::new()
    }

    /// Returns the candidates of the previous stage that are measured again in the new stage.
    fn carried(&self) -> Vec<Vec<i32>> {
        let mut carried: Vec<Vec<i32>> = self.best.iter().map(|best| best.values.clone()).collect();
        for end in self.ends.iter().filter(|_| self.stage == 1) {
            if !carried.contains(end) {
                carried.push(end.clone());
            }
        }
        carried
    }

    /// Returns a batch of candidates. For each radius around the best candidate, a model predicts which candidate
    /// within it is the most similar to the examples. The other candidates of the batch are drawn at random near the
    /// best one; their measurements refine the model.
    fn modelled(&mut self) -> Vec<Vec<i32>> {
        let Some(best) = self.best.first() else {
            return Vec::new();
        };
        let center = self.units(&best.values);
        let spread = STAGES[self.stage].step;
        let radius = spread * (center.len() as f64).sqrt();
        let mut points: Vec<Vec<i32>> = Vec::new();
        if let Some(model) = LocalModel::fit(&center, &self.measured) {
            for share in DISTANCES {
                let point = model.best(&self.request.moves, radius * share);
                if !points.contains(&point) {
                    points.push(point);
                }
            }
        }
        while points.len() < BATCH {
            let around = center.iter().zip(&self.request.moves);
            let point = around.map(|(at, one)| one.value(reflected(at + spread * normal(&mut self.stream))));
            points.push(point.collect());
        }
        points
    }

    /// Passes the distances of the current generation to [`Cma`], and restarts [`Cma`] if it has stalled.
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

    /// Records the distance of a candidate, and its rank if it is among the best.
    fn note(&mut self, values: Vec<i32>, sample: &Sample) {
        let distance = self.distance(sample);
        let likeness = self.likeness.as_ref().filter(|_| self.stage > 0);
        if let Some(difference) = likeness.and_then(|likeness| likeness.difference(sample)) {
            self.measured.push(Measured {
                at: self.units(&values),
                difference,
                seeds: STAGES[self.stage].seeds as f64,
            });
        }
        let place = self.best.partition_point(|best| best.distance <= distance);
        if place < FINALISTS {
            let values = values.clone();
            self.best.insert(place, LearnCandidate { distance, values });
            self.best.truncate(FINALISTS);
        }
        self.known.insert(values, distance);
    }

    /// Extends the ranges in [`reach`](Self::reach) to include the medians of a candidate's metrics.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tune::TrialMetrics;
    use crate::analysis::tune::movable;
    use crate::analysis::{MetricValue, PATTERNS};
    use crate::design::expect::{DungeonMetric, Metric};
    use crate::engine::Options;
    use crate::presets::Preset;

    const WANTED: [Metric; 2] = [Metric::Plain(DungeonMetric::Path), Metric::Plain(DungeonMetric::Loops)];

    fn design() -> Design {
        Preset::find("weave").unwrap().design()
    }

    fn moves() -> Vec<TunedParameter> {
        movable(&design(), Options::default(), |generation| generation < 1)
    }

    /// Returns an invented result instead of growing a dungeon: its metrics and patterns are sums of the parameters,
    /// with noise.
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

    /// Returns invented results of the variants that a search requests.
    fn readings(learning: &Learning, moves: &[TunedParameter], asked: &[Variant]) -> Vec<TrialTable> {
        let table = |variant: &Variant| {
            let varied = variant.of(&design());
            let values: Vec<i32> = moves.iter().map(|one| one.now(&varied)).collect();
            let mut table = TrialTable::new(WANTED.to_vec(), 0);
            table.rows = learning
                .seeds()
                .map(|seed| Some(dungeon(moves, &values, seed)))
                .collect();
            table
        };
        asked.iter().map(table).collect()
    }

    /// Runs a search for a character like `examples` to its end. Returns the search and the values that it found.
    fn learnt(examples: Vec<TrialMetrics>, candidates: u64) -> (Learning, Vec<i32>) {
        let (design, moves) = (design(), moves());
        let request = LearnRequest {
            moves: moves.clone(),
            drawn: moves.clone(),
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
            // A user may pause the search before the results are known, and resume it.
            let seeds = learning.seeds();
            assert_eq!(
                (learning.ask(), learning.seeds()),
                (asked.clone(), seeds),
                "asked again"
            );
            let readings = readings(&learning, &moves, &asked);
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
    fn seeds_without_a_dungeon_do_not_count_in_the_share_in_the_range() {
        let now: Vec<i32> = moves().iter().map(|one| one.now(&design())).collect();
        let examples = (0..40).map(|seed| dungeon(&moves(), &now, 77_000 + seed)).collect();
        let (mut learning, _) = learnt(examples, 300);
        let before = learning.metrics();
        assert!(before[0].share > 0.0, "{before:?}");
        learning.verified.as_mut().unwrap().rows.extend(vec![None; 100]);
        assert_eq!(learning.metrics(), before);
    }

    #[test]
    fn no_candidate_is_among_the_best_twice() {
        // The one parameter has only four values, so the 200 first candidates repeat.
        let moves = vec![TunedParameter {
            least: 1,
            most: 4,
            ..moves()[0]
        }];
        let request = LearnRequest {
            moves: moves.clone(),
            drawn: moves.clone(),
            starts: Vec::new(),
            metrics: WANTED.to_vec(),
            examples: (0..40).map(|seed| dungeon(&moves, &[2], 77_000 + seed)).collect(),
            candidates: 400,
            chance: 3,
        };
        let mut learning = Learning::new(&design(), request);
        let first = learning.ask();
        let readings = readings(&learning, &moves, &first);
        learning.report(&readings);
        // The best candidates are measured again in the next stage.
        assert_eq!((first.len(), learning.ask().len(), learning.stage), (200, 4, 1));
    }

    #[test]
    fn unreached_metrics_do_not_hold_and_report_the_nearest_value() {
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
        let nearest = path.nearest().unwrap();
        let most = 100.0 * moves().len().div_ceil(2) as f64 + 10.0;
        assert!(nearest > 100.0 && nearest <= most, "{nearest}");
    }
}
