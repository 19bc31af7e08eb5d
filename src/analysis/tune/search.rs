//! The search for numbers with which a design meets expectations over many seeds.
//!
//! A [`Tuning`] asks for variants and is told their readings, until it has nothing left to ask: first it searches with
//! [`Cma`], from the present numbers on; once everything is met it sets back one number after the other, so
//! that few parameters move; at the end it looks at the design and at the best variant over seeds that the search
//! never saw. What held by chance only does not hold there; then it searches on from it over twice the seeds. Every variant of the search is judged from the same seeds. The same beginning and the same readings
//! lead to the same end.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Cma, TrialTable, Variant, VariantChange};
use crate::analysis::Verdict;
use crate::design::expect::{Expectation, Metric};
use crate::design::{Design, Entry, GENERATIONS, fields};
use crate::engine::{EffectAnalysis, NoEffectReason, Options};

/// Where the seeds begin over which the outcome is verified, and how many they are.
pub const FRESH: Range<u64> = 1_000_000..1_000_100;

/// Generations of the search at most, and so many without a better candidate.
const GENERATIONS_OF_SEARCH: u32 = 60;
const STALLED: u32 = 20;

/// How often the search goes on with twice the seeds, where what it found held for its own seeds only.
const MORE_ROUNDS: u32 = 2;

/// What it costs to move every parameter, beside expectations of which none is met at 1 or more each.
const PULL: f64 = 0.02;

/// The first step, as a share of the bounds.
const STEP: f64 = 0.2;

/// A parameter that may move, and between which bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TunedParameter {
    /// The record.
    pub entry: Entry,
    /// The field in it.
    pub field: usize,
    /// The least number.
    pub least: i32,
    /// The greatest number.
    pub most: i32,
}

impl TunedParameter {
    /// A field with bounds that are likely to be of use: around what it is, within its range. `None` where the
    /// design has no such field.
    pub fn around(design: &Design, entry: Entry, field: usize) -> Option<Self> {
        let info = entry.fields().get(field).copied()?;
        let now = design.get(entry, field)?;
        let (least, most) = match info.unit {
            "%" => (0, 100),
            "generations" => (0, now.max(4)),
            _ => (now / 4, now.saturating_mul(2).max(info.default)),
        };
        let least = least.max(
            info.min
                .max(i32::from(info.name == "MaxAge" || info.name == "CorridorWidth")),
        );
        Some(Self {
            entry,
            field,
            least: least.min(now),
            most: most.min(info.max).max(now),
        })
    }

    /// What the parameter is called: `MaxAge of generation 1`.
    pub fn name(&self) -> String {
        super::field_name(self.entry, self.field)
    }

    fn span(&self) -> f64 {
        (f64::from(self.most) - f64::from(self.least)).max(1.0)
    }

    fn unit(&self, value: i32) -> f64 {
        (f64::from(value) - f64::from(self.least)) / self.span()
    }

    fn value(&self, unit: f64) -> i32 {
        (f64::from(self.least) + (unit * self.span()).round()) as i32
    }
}

/// The parameters of a design that may be moved: the character's, of the generations that `is_used` tells of, and the
/// constants that say how Crawlers decide; but for those without effect.
pub fn movable(design: &Design, options: Options, is_used: impl Fn(usize) -> bool) -> Vec<TunedParameter> {
    let idle = EffectAnalysis::new(design, options);
    let stats = (0..GENERATIONS)
        .filter(|generation| is_used(*generation))
        .flat_map(|generation| (0..fields::STATS.len()).map(move |field| (Entry::Generation(generation), field)));
    let names = ["chDirOnStraight", "joinDist"];
    let constants = (0..fields::CONSTANTS.len())
        .filter(|field| names.contains(&fields::CONSTANTS[*field].info.name))
        .map(|field| (Entry::Constants, field));
    stats
        .chain(constants)
        .filter(|&(entry, field)| !matches!(idle.of(entry, field), Some(NoEffectReason::Whole(_))))
        .filter_map(|(entry, field)| TunedParameter::around(design, entry, field))
        .filter(|one| one.least < one.most)
        .collect()
}

/// What a search is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TuningPhase {
    /// Looking for numbers that meet the expectations.
    Searching,
    /// Setting back numbers that need not have moved.
    Pruning,
    /// Looking at the outcome over seeds that the search never saw.
    Verifying,
    /// Nothing is left to be asked.
    Done,
}

/// Numbers that were tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TuningCandidate {
    /// A number for each parameter that may move.
    pub values: Vec<i32>,
    /// How far each expectation is from holding; 0 where it holds.
    pub shortfalls: Vec<f64>,
    /// The sum of these, and a little for what moved.
    pub cost: f64,
    /// How many parameters moved.
    pub moved: usize,
}

impl TuningCandidate {
    /// Whether every expectation holds over the seeds of the search.
    pub fn is_met(&self) -> bool {
        self.shortfalls.iter().all(|shortfall| *shortfall <= 0.0)
    }

    /// How many of them hold.
    pub fn met(&self) -> usize {
        self.shortfalls.iter().filter(|shortfall| **shortfall <= 0.0).count()
    }
}

/// What the expectations come to over fresh seeds: with the design as it was, and with the best candidate.
pub type Verified = [Vec<Verdict>; 2];

/// A search under way.
#[derive(Debug, Clone)]
pub struct Tuning {
    moves: Vec<TunedParameter>,
    expectations: Vec<Expectation>,
    seeds: u64,
    now: Vec<i32>,
    cma: Cma,
    phase: TuningPhase,
    /// The numbers of the generation under way, known or not.
    points: Vec<Vec<i32>>,
    /// Those that were asked for.
    asked: Vec<Vec<i32>>,
    known: BTreeMap<Vec<i32>, TuningCandidate>,
    best: Option<TuningCandidate>,
    /// The generation that found it.
    found: u32,
    progress: Vec<f64>,
    /// The candidate whose numbers were set back one by one, and which these are.
    singles: Option<(TuningCandidate, Vec<usize>)>,
    /// Whether the strategy has been asked since the search began, or went on with more seeds.
    begun: bool,
    /// How often it went on with more seeds.
    rounds: u32,
    /// The user has had enough.
    is_ended: bool,
    verified: Option<Verified>,
}

impl Tuning {
    /// A search that moves these parameters of a design towards expectations over so many seeds from 0; `chance`
    /// decides where it looks.
    pub fn new(
        design: &Design,
        moves: Vec<TunedParameter>,
        expectations: Vec<Expectation>,
        seeds: u64,
        chance: u64,
    ) -> Self {
        let now: Vec<i32> = moves
            .iter()
            .map(|one| {
                design
                    .get(one.entry, one.field)
                    .unwrap_or(one.least)
                    .clamp(one.least, one.most)
            })
            .collect();
        let start: Vec<f64> = moves.iter().zip(&now).map(|(one, now)| one.unit(*now)).collect();
        let steps: Vec<f64> = moves.iter().map(|one| 1.0 / one.span()).collect();
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
        }
    }

    /// The parameters that may move.
    pub fn moves(&self) -> &[TunedParameter] {
        &self.moves
    }

    /// What is expected.
    pub fn expectations(&self) -> &[Expectation] {
        &self.expectations
    }

    /// The figures that readings must have.
    pub fn figures(&self) -> Vec<Metric> {
        let mut figures = Vec::new();
        for expectation in &self.expectations {
            expectation.condition.figures(&mut |figure, _| {
                if !figures.contains(&figure) {
                    figures.push(figure);
                }
            });
        }
        figures
    }

    /// What it is at.
    pub const fn phase(&self) -> TuningPhase {
        self.phase
    }

    /// The seeds for what was asked last.
    pub const fn seeds(&self) -> Range<u64> {
        let count = FRESH.end - FRESH.start;
        // What decided once that the search goes on is not fresh any more.
        let passed = self.rounds as u64 * count;
        match self.phase {
            TuningPhase::Verifying => FRESH.start + passed..FRESH.end + passed,
            _ => 0..self.seeds,
        }
    }

    /// Generations of the search so far.
    pub const fn generation(&self) -> u32 {
        self.cma.generation()
    }

    /// Variants that were tried.
    pub fn tried(&self) -> usize {
        self.known.len()
    }

    /// The numbers as they are in the design.
    pub fn now(&self) -> &[i32] {
        &self.now
    }

    /// What the design as it is comes to, once that is known.
    pub fn before(&self) -> Option<&TuningCandidate> {
        self.known.get(&self.now)
    }

    /// The best candidate.
    pub const fn best(&self) -> Option<&TuningCandidate> {
        self.best.as_ref()
    }

    /// The sum of the shortfalls of the best candidate after each generation.
    pub fn progress(&self) -> &[f64] {
        &self.progress
    }

    /// What came out over seeds that the search never saw, at the end.
    pub const fn verified(&self) -> Option<&Verified> {
        self.verified.as_ref()
    }

    /// The candidate as a variant of the design: only what moved.
    pub fn variant(&self, values: &[i32]) -> Variant {
        let moved = self.moves.iter().zip(values).zip(&self.now);
        let moved = moved.filter(|((_, value), now)| value != now);
        Variant {
            changes: moved
                .map(|((one, value), _)| VariantChange::Set(one.entry, one.field, *value))
                .collect(),
        }
    }

    /// The variants to be tried next, each from all [`Self::seeds`]; empty when the search is over. Asked again before
    /// anything is told, it asks for the same.
    pub fn ask(&mut self) -> Vec<Variant> {
        // Numbers come again when a search has narrowed; rounds of which everything is known pass at once.
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

    /// Takes the readings of the variants that were asked for, in their order.
    pub fn tell(&mut self, readings: &[TrialTable]) {
        if readings.len() != self.asked.len() || self.asked.is_empty() {
            return;
        }
        if self.phase == TuningPhase::Verifying {
            let verdicts = |readings: &TrialTable| {
                let sample = readings.sample(&self.expectations);
                self.expectations.iter().map(|one| sample.verdict(one)).collect()
            };
            let verified: Verified = [verdicts(&readings[0]), verdicts(&readings[1])];
            self.asked.clear();
            let met = self.best.as_ref().is_some_and(TuningCandidate::is_met);
            let is_luck = met && !self.is_ended && verified[1].iter().any(|verdict| !verdict.holds);
            self.verified = Some(verified);
            if is_luck && self.rounds < MORE_ROUNDS {
                self.search_on();
            } else {
                self.phase = TuningPhase::Done;
            }
            return;
        }
        for (values, readings) in std::mem::take(&mut self.asked).into_iter().zip(readings) {
            let candidate = self.judged(values, readings);
            self.known.insert(candidate.values.clone(), candidate);
        }
        self.go_on();
    }

    fn judged(&self, values: Vec<i32>, readings: &TrialTable) -> TuningCandidate {
        let sample = readings.sample(&self.expectations);
        // What cannot be grown from some seeds is worse than anything that can.
        let gone = readings.rows.len() - readings.len();
        let worse = if gone > 0 { 2.0 } else { 0.0 };
        let shortfalls: Vec<f64> = self
            .expectations
            .iter()
            .map(|expectation| sample.shortfall(expectation) + worse)
            .collect();
        let moves = self.moves.iter().zip(&values).zip(&self.now);
        let far: f64 = moves
            .map(|((one, value), now)| (one.unit(*value) - one.unit(*now)).abs())
            .sum();
        let apart = values.iter().zip(&self.now).filter(|(value, now)| value != now).count();
        let count = self.moves.len().max(1) as f64;
        TuningCandidate {
            cost: shortfalls.iter().sum::<f64>() + PULL * (far + apart as f64) / (2.0 * count),
            values,
            shortfalls,
            moved: apart,
        }
    }

    /// Goes on once every point is known.
    fn go_on(&mut self) {
        let candidates: Vec<TuningCandidate> = self
            .points
            .iter()
            .filter_map(|point| self.known.get(point).cloned())
            .collect();
        let before = self.best.as_ref().map(|best| best.cost);
        for candidate in &candidates {
            let best = self.best.as_ref();
            // What meets the expectations is kept, however little the other moves.
            if best.is_none_or(|best| (best.is_met() <= candidate.is_met()) && candidate.cost < best.cost) {
                self.best = Some(candidate.clone());
            }
        }
        let better = self.best.as_ref().map(|best| best.cost) != before;
        let met = self.best.as_ref().is_some_and(TuningCandidate::is_met);
        if self.phase == TuningPhase::Pruning {
            self.prune(better);
            return;
        }
        let sum = self.best.as_ref().map_or(0.0, |best| best.shortfalls.iter().sum());
        self.progress.push(sum);
        if self.begun {
            let costs: Vec<f64> = candidates.iter().map(|candidate| candidate.cost).collect();
            self.cma.tell(&costs);
        }
        let generation = self.cma.generation();
        if better {
            self.found = generation;
        }
        let is_over = generation >= GENERATIONS_OF_SEARCH || generation - self.found >= STALLED;
        if met || is_over || self.moves.is_empty() {
            self.phase = TuningPhase::Pruning;
            self.prune(true);
            return;
        }
        self.begun = true;
        let asked = self.cma.ask();
        let value = |point: &[f64]| self.moves.iter().zip(point).map(|(one, at)| one.value(*at)).collect();
        self.points = asked.iter().map(|point| value(point)).collect();
    }

    /// Asks for the best candidate with one number set back, for each that moved, and then with those set back together
    /// that did no harm one by one; when nothing of that was better, the search is over.
    fn prune(&mut self, better: bool) {
        let set_back = |from: &TuningCandidate, which: &[usize]| {
            let mut values = from.values.clone();
            for &i in which {
                values[i] = self.now[i];
            }
            values
        };
        self.points.clear();
        if let Some((base, singles)) = self.singles.take() {
            let mut harmless: Vec<(usize, f64)> = singles
                .iter()
                .filter_map(|&i| {
                    let known = self.known.get(&set_back(&base, &[i]))?;
                    (known.is_met() >= base.is_met() && known.cost < base.cost).then_some((i, known.cost))
                })
                .collect();
            harmless.sort_by(|a, b| a.1.total_cmp(&b.1));
            let order: Vec<usize> = harmless.into_iter().map(|(i, _)| i).collect();
            let mut count = 2;
            while count < order.len() * 2 && order.len() > 1 {
                self.points.push(set_back(&base, &order[..count.min(order.len())]));
                count *= 2;
            }
            if !self.points.is_empty() {
                return;
            }
        }
        if let Some(best) = self.best.clone().filter(|best| better && best.moved > 0) {
            let moved: Vec<usize> = (0..best.values.len())
                .filter(|i| best.values[*i] != self.now[*i])
                .collect();
            self.points = moved.iter().map(|&i| set_back(&best, &[i])).collect();
            self.singles = Some((best, moved));
        }
        if self.points.is_empty() {
            self.phase = TuningPhase::Verifying;
        }
    }

    /// Searches on from the best candidate over twice the seeds: what was found held by chance.
    fn search_on(&mut self) {
        self.rounds += 1;
        self.seeds *= 2;
        let from = self.best.take().map_or_else(|| self.now.clone(), |best| best.values);
        let start: Vec<f64> = self.moves.iter().zip(&from).map(|(one, at)| one.unit(*at)).collect();
        let steps: Vec<f64> = self.moves.iter().map(|one| 1.0 / one.span()).collect();
        self.cma = Cma::new(&start, STEP / 2.0, &steps, u64::from(self.rounds));
        self.known.clear();
        self.points = vec![self.now.clone()];
        if from != self.now {
            self.points.push(from);
        }
        (self.found, self.begun, self.singles, self.phase) = (0, false, None, TuningPhase::Searching);
    }

    /// Ends the search with what was found so far: its outcome is verified next.
    pub fn finish(&mut self) {
        if self.best.is_some() && matches!(self.phase, TuningPhase::Searching | TuningPhase::Pruning) {
            self.phase = TuningPhase::Verifying;
            self.is_ended = true;
            self.asked.clear();
        }
    }
}
