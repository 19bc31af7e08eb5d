//! Searches for parameter values with which a design meets expectations over many seeds.
//!
//! A [`Tuning`] requests variants and receives their results until it is done. First it searches with [`Cma`], starting
//! from the design's values. An expectation that the design already meets is a constraint: a variant is never preferred
//! to another that breaks fewer of these expectations. Once every expectation is met with a margin, or the search finds
//! no better candidate, the tuning tries to reset single values, so that few parameters differ from the design. Finally
//! it verifies the design and the best variant over seeds that the search never used, and compares both seed by seed.
//! If the best variant meets the expectations over the seeds of the search, but not over these fresh seeds, the search
//! resumes from this variant with twice the seeds. Variants are compared only over the same seeds. The same design and
//! the same results lead to the same outcome.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::cma::reflected;
use super::{Cma, TrialTable, Variant, expectation_changes, variant_of};
use crate::analysis::{PairedChange, Verdict};
use crate::design::expect::{Expectation, Metric};
use crate::design::fields::SavedName;
use crate::design::{Constant, Design, Entry, GENERATIONS, Parameter, Stat};
use crate::engine::{EffectAnalysis, NoEffectReason, Options};

/// The seeds for verifying the outcome of a search.
pub const FRESH: Range<u64> = 1_000_000..1_000_100;

/// Largest number of generations of [`Cma`]. Throughout this module, the generations of the search are those of
/// [`Cma`], not the Builders' generations.
const GENERATIONS_OF_SEARCH: u32 = 60;

/// Number of generations without a better candidate after which the search ends if no candidate meets the
/// expectations.
const STALLED: u32 = 20;

/// Number of generations without a better candidate after which the search ends if the best candidate meets the
/// expectations, but not with a margin.
const STALLED_WHEN_MET: u32 = 6;

/// Cost of breaking an expectation that the design meets. It exceeds the sum of all shortfalls.
const BROKEN: f64 = 1e4;

/// Largest number of times that the search resumes with twice the seeds because its result does not hold over fresh
/// seeds.
const MORE_ROUNDS: u32 = 2;

/// Cost of moving every parameter across its whole range. It is small compared with the cost of a failed expectation:
/// if no dungeon meets an expectation that all dungeons should meet, that expectation alone costs at least 1.
const PULL: f64 = 0.02;

/// Initial step of [`Cma`], as a share of each parameter's range.
const STEP: f64 = 0.2;

/// A tuned parameter and its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "SavedTunedParameter")]
pub struct TunedParameter {
    /// Entry that contains the parameter.
    pub entry: Entry,
    /// The parameter. Files store the parameter's key under the name `field`.
    #[serde(rename = "field")]
    pub parameter: Parameter,
    /// Lower bound.
    pub least: i32,
    /// Upper bound.
    pub most: i32,
}

#[derive(Deserialize)]
struct SavedTunedParameter {
    entry: Entry,
    field: SavedName,
    least: i32,
    most: i32,
}

impl TryFrom<SavedTunedParameter> for TunedParameter {
    type Error = String;

    fn try_from(saved: SavedTunedParameter) -> Result<Self, String> {
        if saved.least > saved.most {
            return Err(format!("the bounds {} and {} are reversed", saved.least, saved.most));
        }
        Ok(Self {
            entry: saved.entry,
            parameter: saved.field.parameter(saved.entry)?,
            least: saved.least,
            most: saved.most,
        })
    }
}

impl TunedParameter {
    /// Returns a parameter with plausible bounds around its present value, within its valid range. Returns `None` if
    /// the design has no such entry, or the entry has no such parameter.
    pub fn around(design: &Design, entry: Entry, parameter: impl Into<Parameter>) -> Option<Self> {
        let parameter = parameter.into();
        let now = design.get(entry, parameter)?;
        let info = parameter.info();
        let (least, most) = match info.unit {
            "%" => (0, 100),
            "generations" => (0, now.max(4)),
            _ => (now / 4, now.saturating_mul(2).max(info.default)),
        };
        let is_useless_at_0 = matches!(parameter, Parameter::Stat(Stat::MaxAge | Stat::CorridorWidth));
        let least = least.max(info.min.max(i32::from(is_useless_at_0)));
        Some(Self {
            entry,
            parameter,
            least: least.min(now),
            most: most.min(info.max).max(now),
        })
    }

    /// Returns the display name of the parameter, such as `MaxAge of generation 1`.
    pub fn name(&self) -> String {
        super::parameter_name(self.entry, self.parameter)
    }

    /// Returns the name of the parameter's column in a table, such as `max_age_1` or `join_dist`.
    pub fn column(&self) -> String {
        let key = self.parameter.info().key;
        match self.entry {
            Entry::Generation(generation) => format!("{key}_{generation}"),
            _ => key.to_owned(),
        }
    }

    fn span(&self) -> f64 {
        (f64::from(self.most) - f64::from(self.least)).max(1.0)
    }

    /// Widens the bounds to include `value`. However, the lower bound is never lowered below 1, and the upper bound is
    /// never raised above eight times the default.
    #[must_use]
    pub fn reaching(self, value: i32) -> Self {
        let far = self.parameter.info().default.saturating_mul(8);
        Self {
            least: self.least.min(value.max(1)),
            most: self.most.max(value.min(far)),
            ..self
        }
    }

    /// Returns the smallest step (1), as a share of the range between the bounds.
    pub(super) fn step(&self) -> f64 {
        1.0 / self.span()
    }

    /// Returns the parameter's value in a design, clamped to the bounds.
    pub(super) fn now(&self, design: &Design) -> i32 {
        let now = design.get(self.entry, self.parameter);
        now.unwrap_or(self.least).clamp(self.least, self.most)
    }

    pub(super) fn unit(&self, value: i32) -> f64 {
        (f64::from(value) - f64::from(self.least)) / self.span()
    }

    pub(super) fn value(&self, unit: f64) -> i32 {
        (f64::from(self.least) + (unit * self.span()).round()) as i32
    }

    /// Returns `value` moved by the share `by` of the range, reflected at the bounds. Unless `by` is 0, the value
    /// moves by at least 1.
    pub(super) fn moved(&self, value: i32, by: f64) -> i32 {
        let steps = by * self.span();
        let steps = if steps == 0.0 {
            0.0
        } else {
            steps.signum() * steps.abs().max(1.0)
        };
        self.value(reflected(self.unit(value) + steps / self.span()))
    }
}

/// Returns the parameters of a design that a search may change: those of the generations for which `is_used` returns
/// true, and the constants that govern the Crawlers' decisions. Parameters without effect are left out.
pub fn movable(design: &Design, options: Options, is_used: impl Fn(usize) -> bool) -> Vec<TunedParameter> {
    let idle = EffectAnalysis::new(design, options);
    let stats = (0..GENERATIONS)
        .filter(|generation| is_used(*generation))
        .map(Entry::Generation)
        .flat_map(|entry| entry.parameters().iter().map(move |parameter| (entry, *parameter)));
    let constants = [Constant::ChDirOnStraight, Constant::JoinDist].map(|one| (Entry::Constants, one.into()));
    stats
        .chain(constants)
        .filter(|&(entry, parameter)| !matches!(idle.of(entry, parameter), Some(NoEffectReason::Whole(_))))
        .filter_map(|(entry, parameter)| TunedParameter::around(design, entry, parameter))
        .filter(|one| one.least < one.most)
        .collect()
}

/// The phase of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TuningPhase {
    /// Searching for values that meet the expectations.
    Searching,
    /// Resetting values that need not differ from the design's.
    Pruning,
    /// Verifying the outcome over seeds that the search never used.
    Verifying,
    /// Finished: no more requests.
    Done,
}

/// Values that were tried, and their results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TuningCandidate {
    /// Value of each tuned parameter.
    pub values: Vec<i32>,
    /// How far each expectation is from holding; 0 if it holds.
    pub shortfalls: Vec<f64>,
    /// How far each expectation is from holding with a margin; 0 if it holds with a margin. An expectation holds with a
    /// margin if a check over as many seeds as [`FRESH`] contains would confirm it, provided that the check finds the
    /// same shares and aggregates as the search.
    #[serde(default)]
    pub margins: Vec<f64>,
    /// Number of expectations that hold for the original design and fail for this candidate.
    #[serde(default)]
    pub broken: usize,
    /// Sum of all [`shortfalls`](Self::shortfalls) and [`margins`](Self::margins), of a small cost for moved
    /// parameters, and of a large cost for broken expectations.
    pub cost: f64,
    /// Number of parameters whose values differ from the design's.
    pub moved: usize,
}

impl TuningCandidate {
    /// Returns whether every expectation holds over the seeds of the search.
    pub fn is_met(&self) -> bool {
        self.shortfalls.iter().all(|shortfall| *shortfall <= 0.0)
    }

    /// Returns whether every expectation holds with a margin.
    pub fn is_safe(&self) -> bool {
        self.is_met() && self.margins.iter().all(|margin| *margin <= 0.0)
    }

    /// Returns whether this candidate is preferred to `other`. The first criterion that differs decides: fewer broken
    /// expectations, all expectations met, all met with a margin, lower cost.
    fn is_better_than(&self, other: &Self) -> bool {
        let rank = |one: &Self| (one.broken, !one.is_met(), !one.is_safe());
        rank(self) < rank(other) || (rank(self) == rank(other) && self.cost < other.cost)
    }

    /// Returns how many expectations hold.
    pub fn met(&self) -> usize {
        self.shortfalls.iter().filter(|shortfall| **shortfall <= 0.0).count()
    }
}

/// The verdict on each expectation over fresh seeds: for the original design, and for the best candidate.
pub type Verified = [Vec<Verdict>; 2];

/// A search in progress.
#[derive(Debug, Clone)]
pub struct Tuning {
    moves: Vec<TunedParameter>,
    expectations: Vec<Expectation>,
    seeds: u64,
    now: Vec<i32>,
    cma: Cma,
    phase: TuningPhase,
    /// Values of all candidates in the current generation, whether or not they have been evaluated.
    points: Vec<Vec<i32>>,
    /// Values of the variants that were requested last.
    asked: Vec<Vec<i32>>,
    known: BTreeMap<Vec<i32>, TuningCandidate>,
    best: Option<TuningCandidate>,
    /// Generation that found the best candidate.
    found: u32,
    progress: Vec<f64>,
    /// While pruning: the candidate whose values are being reset, the indices of these values, and whether several of
    /// them are reset together.
    singles: Option<(TuningCandidate, Vec<usize>, bool)>,
    /// Whether [`Cma`] has been asked for points since the search began, or since it resumed with more seeds.
    begun: bool,
    /// Number of times that the search has resumed with more seeds.
    rounds: u32,
    /// Whether the user ended the search.
    is_ended: bool,
    verified: Option<Verified>,
    /// For each expectation, the change in the share of dungeons that meet it, from the original design to the best
    /// candidate, measured over the fresh seeds.
    changes: Vec<PairedChange>,
}

impl Tuning {
    /// Starts a search for values of the parameters `moves` with which a design meets `expectations` over the seeds
    /// from 0 up to, but excluding, `seeds`. `chance` is the seed of the search itself.
    pub fn new(
        design: &Design,
        moves: Vec<TunedParameter>,
        expectations: Vec<Expectation>,
        seeds: u64,
        chance: u64,
    ) -> Self {
        let now: Vec<i32> = moves.iter().map(|one| one.now(design)).collect();
        let start: Vec<f64> = moves.iter().zip(&now).map(|(one, now)| one.unit(*now)).collect();
        let steps: Vec<f64> = moves.iter().map(TunedParameter::step).collect();
        Self {
            cma: Cma::new(&start, STEP, &steps, chance),
            moves,
            expectations,
            seeds: seeds.max(1),
            points: vec![now.clone()],
            asked: Vec::new(),
            now,
            phase: TuningPhase::Searching,
            known: BTreeMap::new(),
            best: None,
            found: 0,
            progress: Vec::new(),
            singles: None,
            begun: false,
            rounds: 0,
            is_ended: false,
            verified: None,
            changes: Vec::new(),
        }
    }

    /// Returns the tuned parameters.
    pub fn moves(&self) -> &[TunedParameter] {
        &self.moves
    }

    /// Returns the expectations that the search tries to meet.
    pub fn expectations(&self) -> &[Expectation] {
        &self.expectations
    }

    /// Returns the metrics that results must contain.
    pub fn metrics(&self) -> Vec<Metric> {
        let mut metrics = Vec::new();
        for expectation in &self.expectations {
            expectation.condition.metrics(&mut |metric, _| {
                if !metrics.contains(&metric) {
                    metrics.push(metric);
                }
            });
        }
        metrics
    }

    /// Returns the current phase.
    pub const fn phase(&self) -> TuningPhase {
        self.phase
    }

    /// Returns the seeds for the variants requested last.
    pub const fn seeds(&self) -> Range<u64> {
        let count = FRESH.end - FRESH.start;
        // Skips the seeds of earlier verifications: the search resumed because of their results, so these seeds have
        // influenced the search.
        let passed = self.rounds as u64 * count;
        match self.phase {
            TuningPhase::Verifying => FRESH.start + passed..FRESH.end + passed,
            _ => 0..self.seeds,
        }
    }

    /// Returns the number of generations of [`Cma`] since the search began, or since it last resumed with more seeds.
    pub const fn generation(&self) -> u32 {
        self.cma.generation()
    }

    /// Returns the number of variants tried since the search began, or since it last resumed with more seeds.
    pub fn tried(&self) -> usize {
        self.known.len()
    }

    /// Returns the original design's values of the tuned parameters.
    pub fn now(&self) -> &[i32] {
        &self.now
    }

    /// Returns the result of the original design; `None` until it is known.
    pub fn before(&self) -> Option<&TuningCandidate> {
        self.known.get(&self.now)
    }

    /// Returns the best candidate so far.
    pub const fn best(&self) -> Option<&TuningCandidate> {
        self.best.as_ref()
    }

    /// Returns the sum of the shortfalls of the best candidate after each generation.
    pub fn progress(&self) -> &[f64] {
        &self.progress
    }

    /// Returns the results over seeds that the search never used; `None` before the first verification.
    pub const fn verified(&self) -> Option<&Verified> {
        self.verified.as_ref()
    }

    /// Returns, for each expectation, the change in the share of dungeons that meet it, from the original design to the
    /// best candidate, measured over the seeds of [`Self::verified`]. The list is empty before the first verification.
    pub fn changes(&self) -> &[PairedChange] {
        &self.changes
    }

    /// Returns the values of a candidate as a variant of the design, with only the values that differ from the
    /// design's.
    pub fn variant(&self, values: &[i32]) -> Variant {
        variant_of(&self.moves, values, &self.now)
    }

    /// Returns the variants to try next, each to be grown from all [`Self::seeds`]. The list is empty when the search
    /// is over. Returns the same variants again until [`Self::report`] is called.
    pub fn ask(&mut self) -> Vec<Variant> {
        // A search that has narrowed proposes known values again. Generations whose results are all known are skipped.
        while self.phase != TuningPhase::Done {
            if self.phase == TuningPhase::Verifying {
                let best = self
                    .best
                    .as_ref()
                    .map_or_else(|| self.now.clone(), |best| best.values.clone());
                self.asked = vec![self.now.clone(), best];
                break;
            }
            self.asked.clear();
            for point in &self.points {
                if !self.known.contains_key(point) && !self.asked.contains(point) {
                    self.asked.push(point.clone());
                }
            }
            if !self.asked.is_empty() {
                break;
            }
            self.go_on();
        }
        if self.phase == TuningPhase::Done {
            return Vec::new();
        }
        self.asked.iter().map(|values| self.variant(values)).collect()
    }

    /// Processes the results of the variants that [`Self::ask`] returned last, in the order of these variants.
    pub fn report(&mut self, readings: &[TrialTable]) {
        if readings.len() != self.asked.len() || self.asked.is_empty() {
            return;
        }
        if self.phase == TuningPhase::Verifying {
            let verdicts = |readings: &TrialTable| {
                let sample = readings.sample(&self.expectations);
                self.expectations.iter().map(|one| sample.verdict(one)).collect()
            };
            let verified: Verified = [verdicts(&readings[0]), verdicts(&readings[1])];
            self.changes = expectation_changes(&readings[0], &readings[1], &self.expectations);
            self.asked.clear();
            let met = self.best.as_ref().is_some_and(TuningCandidate::is_met);
            let held_by_chance = met && !self.is_ended && verified[1].iter().any(|verdict| !verdict.holds);
            self.verified = Some(verified);
            if held_by_chance && self.rounds < MORE_ROUNDS {
                self.search_on();
            } else {
                self.phase = TuningPhase::Done;
            }
            return;
        }
        for (values, readings) in std::mem::take(&mut self.asked).into_iter().zip(readings) {
            let candidate = self.measured(values, readings);
            self.known.insert(candidate.values.clone(), candidate);
        }
        self.go_on();
    }

    fn measured(&self, values: Vec<i32>, readings: &TrialTable) -> TuningCandidate {
        let sample = readings.sample(&self.expectations);
        // A variant that cannot be grown from some seeds ranks below every variant that can be grown from all of
        // them.
        let gone = readings.rows.len() - readings.dungeons();
        let worse = if gone > 0 { 2.0 } else { 0.0 };
        let shortfalls: Vec<f64> = self
            .expectations
            .iter()
            .map(|expectation| sample.shortfall(expectation) + worse)
            .collect();
        let fresh = FRESH.end - FRESH.start;
        let margins: Vec<f64> = self
            .expectations
            .iter()
            .map(|expectation| sample.shortfall_of_margin(expectation, fresh) + worse)
            .collect();
        // The original design is measured first.
        let broken = self.before().map_or(0, |before| {
            let both = before.shortfalls.iter().zip(&shortfalls);
            both.filter(|(before, now)| **before <= 0.0 && **now > 0.0).count()
        });
        let moves = self.moves.iter().zip(&values).zip(&self.now);
        let far: f64 = moves
            .map(|((one, value), now)| (one.unit(*value) - one.unit(*now)).abs())
            .sum();
        let apart = values.iter().zip(&self.now).filter(|(value, now)| value != now).count();
        let count = self.moves.len().max(1) as f64;
        let short: f64 = shortfalls.iter().chain(&margins).sum();
        TuningCandidate {
            cost: short + PULL * (far + apart as f64) / (2.0 * count) + BROKEN * broken as f64,
            values,
            shortfalls,
            margins,
            broken,
            moved: apart,
        }
    }

    /// Advances the search once all candidates of the current generation are evaluated.
    fn go_on(&mut self) {
        let candidates: Vec<TuningCandidate> = self
            .points
            .iter()
            .filter_map(|point| self.known.get(point).cloned())
            .collect();
        let before = self.best.as_ref().map(|best| best.cost);
        for candidate in &candidates {
            let best = self.best.as_ref();
            if best.is_none_or(|best| candidate.is_better_than(best)) {
                self.best = Some(candidate.clone());
            }
        }
        let better = self.best.as_ref().map(|best| best.cost) != before;
        let is_met = self.best.as_ref().is_some_and(TuningCandidate::is_met);
        let is_safe = self.best.as_ref().is_some_and(TuningCandidate::is_safe);
        if self.phase == TuningPhase::Pruning {
            self.prune();
            return;
        }
        let sum = self.best.as_ref().map_or(0.0, |best| best.shortfalls.iter().sum());
        self.progress.push(sum);
        if self.begun {
            let costs: Vec<f64> = candidates.iter().map(|candidate| candidate.cost).collect();
            self.cma.report(&costs);
        }
        let generation = self.cma.generation();
        if better {
            self.found = generation;
        }
        let stalled = if is_met { STALLED_WHEN_MET } else { STALLED };
        let is_over = generation >= GENERATIONS_OF_SEARCH || generation - self.found >= stalled;
        if is_safe || is_over || self.moves.is_empty() {
            self.phase = TuningPhase::Pruning;
            self.prune();
            return;
        }
        self.begun = true;
        let asked = self.cma.ask();
        let value = |point: &[f64]| self.moves.iter().zip(point).map(|(one, at)| one.value(*at)).collect();
        self.points = asked.iter().map(|point| value(point)).collect();
    }

    /// Continues the pruning. First requests, for each value of the best candidate that differs from the design's, a
    /// variant with only this value reset. Then requests variants with several values reset together, beginning with
    /// the values that do the least harm when reset alone. If none of these variants is better than the best candidate,
    /// this candidate is verified next.
    fn prune(&mut self) {
        let set_back = |from: &TuningCandidate, which: &[usize]| {
            let mut values = from.values.clone();
            for &i in which {
                values[i] = self.now[i];
            }
            values
        };
        self.points.clear();
        let best = self.best.clone();
        if let Some((base, singles, is_grouped)) = &mut self.singles {
            if !*is_grouped {
                *is_grouped = true;
                let known = |&i: &usize| Some((i, self.known.get(&set_back(base, &[i]))?));
                let mut order: Vec<(usize, &TuningCandidate)> = singles.iter().filter_map(known).collect();
                order.sort_by(|(_, a), (_, b)| a.cost.total_cmp(&b.cost));
                let order: Vec<usize> = order.into_iter().map(|(i, _)| i).collect();
                let mut count = 2;
                while count <= order.len() {
                    self.points.push(set_back(base, &order[..count]));
                    count += count.div_ceil(3);
                }
                if !self.points.is_empty() {
                    return;
                }
            }
            if !best.as_ref().is_some_and(|best| best.is_better_than(base)) {
                self.phase = TuningPhase::Verifying;
                return;
            }
        }
        match best.filter(|best| best.moved > 0) {
            None => self.phase = TuningPhase::Verifying,
            Some(best) => {
                let moved: Vec<usize> = (0..best.values.len())
                    .filter(|i| best.values[*i] != self.now[*i])
                    .collect();
                self.points = moved.iter().map(|&i| set_back(&best, &[i])).collect();
                self.singles = Some((best, moved, false));
            }
        }
    }

    /// Resumes the search from the best candidate with twice the seeds, since its result may have been due to chance.
    fn search_on(&mut self) {
        self.rounds += 1;
        self.seeds *= 2;
        let from = self.best.take().map_or_else(|| self.now.clone(), |best| best.values);
        let start: Vec<f64> = self.moves.iter().zip(&from).map(|(one, at)| one.unit(*at)).collect();
        let steps: Vec<f64> = self.moves.iter().map(TunedParameter::step).collect();
        self.cma = Cma::new(&start, STEP / 2.0, &steps, u64::from(self.rounds));
        self.known.clear();
        self.points = vec![self.now.clone()];
        if from != self.now {
            self.points.push(from);
        }
        (self.found, self.begun, self.singles, self.phase) = (0, false, None, TuningPhase::Searching);
    }

    /// Ends the search with the best candidate so far, which is verified next; a verification in progress continues.
    /// The search does not resume, whatever the verification finds. Does nothing if there is no candidate yet, or if
    /// the search is already over.
    pub fn finish(&mut self) {
        if self.best.is_none() || self.phase == TuningPhase::Done {
            return;
        }
        self.is_ended = true;
        if self.phase != TuningPhase::Verifying {
            self.phase = TuningPhase::Verifying;
            self.asked.clear();
        }
    }
}
