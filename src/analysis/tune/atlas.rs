//! An atlas of a design: the kinds of dungeons that the design could produce with other parameter values.
//!
//! Two metrics span a grid of cells. A candidate is a set of parameter values. The search fills as many cells as it
//! can, each with the best candidate that it finds for that cell: the one whose dungeons fall least short of the
//! expectations or, on a tie, the one whose dungeons differ least from seed to seed. The algorithm is MAP-Elites
//! (Mouret and Clune, 2015). A new candidate is made from one or two candidates that already occupy cells. It is a copy
//! of one of them, lies on the line through both (Vassiliades and Mouret, 2018), or takes the parameters of some
//! generations of Builders from one candidate and those of the remaining generations from the other. Then a few of its
//! numbers are changed.
//!
//! Covariance-matrix adaptation (CMA-ME, Fontaine et al., 2020) was tried as well. It adds emitters, which rank their
//! candidates by improvement and restart from a cell when they improve nothing. With emitters, the search fills fewer
//! cells. On *catacombs*, with loops and dead ends as the axes and 2,500 candidates, it fills 5% fewer cells with one
//! emitter than without emitters, and 19% fewer with three emitters, which then make most of the candidates (medians of
//! ten runs). The reason is that an emitter changes all of the roughly 35 parameters simultaneously, and has fewer than
//! 50 rounds to learn their covariances.
//!
//! An [`Atlas`] requests variants and receives their results, as [`Tuning`](super::Tuning) does; the caller grows the
//! dungeons. The cell of a candidate is determined by the median of each metric over a few seeds. With so few seeds, a
//! candidate's cell is uncertain. Therefore, at the end of the search, every candidate in a cell is measured again over
//! seeds that the search never used, and its cell is determined again from these seeds.
//!
//! The grid has no bounds. The widths of its cells are computed from the first candidates: the design itself, and
//! others that are drawn at random. The same design, parameters and results lead to the same atlas, even if the search
//! is stopped between two batches of 50 candidates and resumed later.

mod candidates;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as MapEntry;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{FRESH, TrialTable, TunedParameter, Variant, variant_of};
use crate::analysis::RangeAxis;
use crate::design::Design;
use crate::design::expect::{Expectation, Metric};
use crate::engine::random::{Key, Stream};

/// Largest number of candidates that are requested together.
const BATCH: u64 = 50;

/// Number of candidates that are not made from others: the design itself, and candidates that are drawn at random.
const FIRST_CANDIDATES: u64 = 200;

/// Number of seeds, never used by the search, over which candidates are measured again at its end.
pub const FRESH_SEEDS: u64 = 20;

/// The cell widths are chosen so that the first candidates span at most this number of cells along each axis.
const FIRST_BINS: usize = 12;

/// Largest number of offspring that [`Atlas::breed`] returns.
const CHILDREN: usize = 30;

/// A cell of an atlas, and the candidate in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AtlasCell {
    /// Position of the cell on both axes, in cell widths.
    pub cell: [i64; 2],
    /// Value of each parameter of the candidate.
    pub values: Vec<i32>,
    /// Median of each metric over the candidate's dungeons.
    pub medians: [f64; 2],
    /// Number of expectations that are met over the candidate's seeds. There may be too few seeds to decide whether
    /// these expectations [hold](crate::analysis::Outcome::Holds).
    pub met: usize,
    /// Sum of the [shortfalls](crate::analysis::MetricSample::shortfall) of the expectations; 0 if all are met.
    pub shortfall: f64,
    /// For each metric, the mean distance of the dungeons from the median.
    pub deviations: [f64; 2],
    /// Seed whose dungeon is nearest to the medians. Its distance on each axis is measured in units of `deviations`.
    #[serde(default)]
    pub seed: u64,
}

impl AtlasCell {
    /// Returns whether the candidate is preferred to another candidate for the same cell.
    fn is_better_than(&self, other: &Self, widths: [i64; 2]) -> bool {
        let spread = |cell: &Self| -> f64 {
            let both = cell.deviations.iter().zip(widths);
            both.map(|(deviation, width)| deviation / width as f64).sum()
        };
        (self.shortfall, spread(self)) < (other.shortfall, spread(other))
    }
}

/// The state and the results of a search, as saved in a file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct AtlasState {
    /// Number of candidates measured so far.
    pub tried: u64,
    /// Width of a cell on each axis, in units of 0.0001; `None` until the first candidates are measured and one of them
    /// has both metrics.
    pub widths: Option<[i64; 2]>,
    /// The cells that the search has filled, sorted by position.
    pub cells: Vec<AtlasCell>,
    /// The cells as measured over seeds that the search never used; empty until the end of the search.
    #[serde(default)]
    pub verified: Vec<AtlasCell>,
    /// The design itself, measured over the seeds that the search never used; `None` until the end of the search, or if
    /// at least half of the design's dungeons lack one of the metrics. Kept if the search continues after its end.
    #[serde(default)]
    pub design: Option<AtlasCell>,
}

impl AtlasState {
    /// Returns whether every candidate has exactly one value for each of `parameters` parameters.
    pub fn is_of(&self, parameters: usize) -> bool {
        let mut cells = self.cells.iter().chain(&self.verified).chain(&self.design);
        cells.all(|cell| cell.values.len() == parameters)
    }
}

/// The settings of a search for an atlas.
#[derive(Debug, Clone)]
pub struct AtlasRequest {
    /// Metrics of the axes.
    pub axes: [Metric; 2],
    /// Parameters that may change.
    pub moves: Vec<TunedParameter>,
    /// Expectations that the candidates should meet.
    pub expectations: Vec<Expectation>,
    /// Number of seeds over which a candidate is measured during the search.
    pub seeds: u64,
    /// Number of candidates to measure.
    pub candidates: u64,
    /// Seed of the search itself.
    pub chance: u64,
    /// Whether every candidate but the design itself is drawn at random, as a baseline with which the search can be compared.
    pub is_random: bool,
}

/// A search that fills an atlas: its settings and its current state.
#[derive(Debug, Clone)]
pub struct Atlas {
    request: AtlasRequest,
    /// Value of each parameter in the design.
    now: Vec<i32>,
    state: AtlasState,
    cells: BTreeMap<[i64; 2], AtlasCell>,
    /// The candidates that were measured before the cell widths were known.
    first: Vec<AtlasCell>,
    asked: Vec<Vec<i32>>,
    is_verifying: bool,
    is_done: bool,
}

impl Atlas {
    /// Starts a search, or resumes one from its saved state.
    pub fn new(design: &Design, request: AtlasRequest, state: AtlasState) -> Self {
        let now = request.moves.iter().map(|one| one.now(design)).collect();
        let mut atlas = Self {
            request,
            now,
            state: AtlasState::default(),
            cells: BTreeMap::new(),
            first: Vec::new(),
            asked: Vec::new(),
            is_verifying: false,
            is_done: false,
        };
        // A state without widths contains no candidates, so the search starts again.
        if state.widths.is_some() {
            atlas.resume(state);
        }
        atlas
    }

    /// Adopts the results from an earlier run. The positions of cells are computed again, because the file may have
    /// been edited.
    fn resume(&mut self, mut state: AtlasState) {
        let found = std::mem::take(&mut state.cells);
        let verified = std::mem::take(&mut state.verified);
        self.state = state;
        let mut cells = BTreeMap::new();
        for cell in found {
            self.place(cell, &mut cells);
        }
        self.cells = cells;
        self.state.verified = verified.into_iter().filter_map(|cell| self.in_cell(cell)).collect();
        self.state.design = self.state.design.take().and_then(|design| self.in_cell(design));
    }

    /// Returns the current state. It contains no cells until all first candidates are measured.
    pub fn state(&self) -> AtlasState {
        AtlasState {
            cells: self.cells.values().cloned().collect(),
            ..self.state.clone()
        }
    }

    /// Returns the cells that the search has filled so far, sorted by position, with the medians over the search's own
    /// seeds.
    pub fn cells(&self) -> impl Iterator<Item = &AtlasCell> {
        self.cells.values()
    }

    /// Returns the cells as measured over the seeds that the search never used; empty until the end of the search.
    pub fn verified(&self) -> &[AtlasCell] {
        &self.state.verified
    }

    /// Returns the design itself, measured over the seeds that the search never used. See [`AtlasState::design`].
    pub const fn design(&self) -> Option<&AtlasCell> {
        self.state.design.as_ref()
    }

    /// Returns the width of a cell on each axis, in units of 0.0001; `None` until the first candidates are measured.
    pub const fn widths(&self) -> Option<[i64; 2]> {
        self.state.widths
    }

    /// Returns the number of candidates measured so far.
    pub const fn tried(&self) -> u64 {
        self.state.tried
    }

    /// Returns the settings of the search.
    pub const fn request(&self) -> &AtlasRequest {
        &self.request
    }

    /// Sets the number of candidates to measure, including those measured so far. Requested variants whose results have
    /// not been reported are discarded; the next call of [`Self::ask`] requests them again.
    pub fn search_until(&mut self, candidates: u64) {
        self.request.candidates = candidates;
        self.asked.clear();
        self.is_done = false;
    }

    /// Returns the metrics that results must contain.
    pub fn metrics(&self) -> Vec<Metric> {
        let mut metrics = Vec::new();
        let mut add = |metric: Metric| {
            if !metrics.contains(&metric) {
                metrics.push(metric);
            }
        };
        self.request.axes.iter().copied().for_each(&mut add);
        for expectation in &self.request.expectations {
            expectation.condition.metrics(&mut |metric, _| add(metric));
        }
        metrics
    }

    /// Returns the seeds from which the variants requested last must be grown.
    pub const fn seeds(&self) -> Range<u64> {
        if self.is_verifying {
            FRESH.start..FRESH.start + FRESH_SEEDS
        } else {
            0..self.request.seeds
        }
    }

    /// Returns whether the search is over. It is over when the cells have been measured over fresh seeds, or when
    /// [`Self::ask`] has returned no variants.
    pub const fn is_done(&self) -> bool {
        self.is_done
    }

    /// Returns whether the variants requested last are measured over seeds that the search never used.
    pub const fn is_verifying(&self) -> bool {
        self.is_verifying
    }

    /// Returns a candidate as a variant of the design.
    pub fn variant(&self, values: &[i32]) -> Variant {
        variant_of(&self.request.moves, values, &self.now)
    }

    /// Returns a candidate as a variant of `design`. The parameters that may change can have other values in `design`
    /// than in the atlas's design.
    pub fn variant_from(&self, design: &Design, values: &[i32]) -> Variant {
        let now: Vec<i32> = self.request.moves.iter().map(|one| one.now(design)).collect();
        variant_of(&self.request.moves, values, &now)
    }

    /// Returns the design's own values of the parameters that may change.
    pub fn own_values(&self) -> &[i32] {
        &self.now
    }

    /// Returns the variants to try next, each to be grown from all [`Self::seeds`]; empty when the search is over.
    pub fn ask(&mut self) -> Vec<Variant> {
        if self.is_done {
            return Vec::new();
        }
        self.is_verifying = false;
        let left = self.request.candidates.saturating_sub(self.state.tried);
        self.asked = if left > 0 {
            self.state.verified.clear();
            self.next_batch(left.min(BATCH))
        } else if self.state.verified.is_empty() && !self.cells.is_empty() {
            self.is_verifying = true;
            let found = self.cells.values().map(|cell| cell.values.clone());
            std::iter::once(self.now.clone()).chain(found).collect()
        } else {
            // Either an earlier run has already completed the search, or the search has filled no cell.
            Vec::new()
        };
        self.is_done = self.asked.is_empty();
        self.asked.iter().map(|values| self.variant(values)).collect()
    }

    /// Receives the results of the variants requested last, in the order of the request. Ignores the results if there
    /// is not exactly one for each of these variants.
    pub fn report(&mut self, readings: &[TrialTable]) {
        if readings.len() != self.asked.len() || self.asked.is_empty() {
            return;
        }
        let asked = std::mem::take(&mut self.asked);
        let tried = asked.len() as u64;
        let measured = asked.into_iter().zip(readings);
        let measured = measured.map(|(values, table)| self.measured(values, table));
        let mut measured: Vec<Option<AtlasCell>> = measured.collect();
        if self.is_verifying {
            let mut verified = BTreeMap::new();
            // The design comes first and is kept separately. If the search found nothing better for its cell, the
            // design also occurs among the candidates that follow.
            self.state.design = measured[0].take().and_then(|design| self.in_cell(design));
            for cell in measured.into_iter().flatten() {
                self.place(cell, &mut verified);
            }
            self.state.verified = verified.into_values().collect();
            self.is_done = true;
            return;
        }
        let measured = measured.into_iter().flatten();
        self.state.tried += tried;
        let mut cells = std::mem::take(&mut self.cells);
        if self.state.widths.is_some() {
            for cell in measured {
                self.place(cell, &mut cells);
            }
        } else {
            self.first.extend(measured);
            if self.state.tried >= FIRST_CANDIDATES.min(self.request.candidates) {
                self.state.widths = self.first_widths();
                for cell in std::mem::take(&mut self.first) {
                    self.place(cell, &mut cells);
                }
            }
        }
        self.cells = cells;
    }

    /// Returns offspring of two candidates as variants of the design, each to be grown from all [`Self::seeds`], which
    /// the search never used. An offspring takes each of its generations, and its constants as a whole, from one of its
    /// parents. If there are more possible offspring than can be returned, some of them are drawn at random. If there
    /// are none, the list is empty. The next call of [`Self::ask`] continues the search, even if the results of the
    /// offspring have not been reported.
    pub fn breed(&mut self, parents: [&AtlasCell; 2]) -> Vec<Variant> {
        let [a, b] = parents.map(|cell| &cell.values);
        let mut stream = Stream::new(Key::new(self.request.chance).child(self.state.tried));
        let mut offspring: Vec<Vec<i32>> = Vec::new();
        // This number of draws finds nearly all offspring if there are few, and enough of them if there are many.
        for _ in 0..CHILDREN * CHILDREN {
            let child = self.crossed(a, b, &mut stream);
            if child != *a && child != *b && !offspring.contains(&child) {
                offspring.push(child);
            }
            if offspring.len() == CHILDREN {
                break;
            }
        }
        (self.asked, self.is_verifying) = (offspring, true);
        self.asked.iter().map(|values| self.variant(values)).collect()
    }

    /// Receives the results of the offspring, in the order in which [`Self::breed`] returned them. Returns the
    /// offspring that have both metrics, sorted by the distance of their medians from the midpoint between the parents'
    /// medians, nearest first.
    pub fn born(&mut self, parents: [&AtlasCell; 2], readings: &[TrialTable]) -> Vec<AtlasCell> {
        let asked = std::mem::take(&mut self.asked).into_iter().zip(readings);
        let offspring = asked.filter_map(|(values, table)| self.in_cell(self.measured(values, table)?));
        let mut offspring: Vec<AtlasCell> = offspring.collect();
        let widths = self.state.widths.unwrap_or([1, 1]);
        let far = |child: &AtlasCell| -> f64 {
            let axes = (0..2).map(|axis| {
                let middle = f64::midpoint(parents[0].medians[axis], parents[1].medians[axis]);
                (child.medians[axis] - middle) / widths[axis].max(1) as f64
            });
            axes.map(|far| far * far).sum()
        };
        offspring.sort_by(|a, b| far(a).total_cmp(&far(b)));
        offspring
    }

    /// Computes the widths of the cells from the first candidates; `None` if no candidate has both metrics.
    fn first_widths(&self) -> Option<[i64; 2]> {
        let width = |axis: usize| RangeAxis::of(self.first.iter().map(|cell| cell.medians[axis]), FIRST_BINS);
        Some([width(0)?.width(), width(1)?.width()])
    }

    /// Returns a candidate with the position of its cell; `None` before the widths are known, or if a median is not
    /// finite.
    fn in_cell(&self, mut of: AtlasCell) -> Option<AtlasCell> {
        let widths = self.state.widths?.map(|width| width.max(1));
        let bin = |axis: usize| RangeAxis::bin_at(of.medians[axis], widths[axis]);
        of.cell = [bin(0)?, bin(1)?];
        Some(of)
    }

    /// Places a candidate in its cell if the cell is empty or the candidate is better than the one in it.
    fn place(&self, new: AtlasCell, cells: &mut BTreeMap<[i64; 2], AtlasCell>) {
        let (Some(new), Some(widths)) = (self.in_cell(new), self.state.widths) else {
            return;
        };
        match cells.entry(new.cell) {
            MapEntry::Vacant(free) => {
                free.insert(new);
            }
            MapEntry::Occupied(mut held) => {
                if new.is_better_than(held.get(), widths) {
                    held.insert(new);
                }
            }
        }
    }

    /// Returns a candidate with its metrics, not yet in a cell; `None` if at least half of its dungeons lack one of the
    /// metrics.
    fn measured(&self, values: Vec<i32>, table: &TrialTable) -> Option<AtlasCell> {
        let sample = table.sample(&self.request.expectations);
        let shortfalls = self.request.expectations.iter().map(|one| sample.shortfall(one));
        let shortfalls: Vec<f64> = shortfalls.collect();
        let mut medians = [0.0; 2];
        let mut deviations = [0.0; 2];
        let mut distances = vec![0.0; table.rows.len()];
        for (axis, &metric) in self.request.axes.iter().enumerate() {
            let all = table.numbers(metric);
            let numbers: Vec<f64> = all.iter().copied().flatten().collect();
            if numbers.len() * 2 <= table.rows.len() {
                return None;
            }
            let median = table.median(metric)?;
            medians[axis] = rounded(median);
            let deviation = numbers.iter().map(|number| (number - median).abs()).sum::<f64>() / numbers.len() as f64;
            deviations[axis] = rounded(deviation);
            for (distance, number) in distances.iter_mut().zip(all) {
                let unit = deviation.max(f64::MIN_POSITIVE);
                *distance += number.map_or(f64::INFINITY, |number| (number - median).abs() / unit);
            }
        }
        let nearest = distances
            .iter()
            .zip(self.seeds())
            .min_by(|(a, _), (b, _)| a.total_cmp(b));
        Some(AtlasCell {
            cell: [0, 0],
            values,
            medians,
            met: shortfalls.iter().filter(|shortfall| **shortfall <= 0.0).count(),
            shortfall: rounded(shortfalls.iter().sum::<f64>()),
            deviations,
            seed: nearest.map_or(0, |(_, seed)| seed),
        })
    }
}

/// Rounds a number to ten-thousandths, which a file stores exactly. A resumed search must continue with exactly the
/// same numbers.
fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tune::TrialMetrics;
    use crate::analysis::{MetricValue, tune::movable};
    use crate::design::expect::{self, DungeonMetric};
    use crate::engine::Options;
    use crate::presets::Preset;

    const AXES: [Metric; 2] = [Metric::Plain(DungeonMetric::Path), Metric::Plain(DungeonMetric::Loops)];

    fn design() -> Design {
        Preset::find("weave").unwrap().design()
    }

    fn request(candidates: u64) -> AtlasRequest {
        let design = design();
        AtlasRequest {
            axes: AXES,
            moves: movable(&design, Options::default(), |generation| generation < 4),
            expectations: Vec::new(),
            seeds: 3,
            candidates,
            chance: 5,
            is_random: false,
        }
    }

    /// Returns results that are computed without growing dungeons: each metric is the mean of the values of every
    /// second parameter, in percent of the parameter's range. For values drawn at random, it is near 50.
    fn measured(atlas: &Atlas, design: &Design, variant: &Variant) -> TrialTable {
        let varied = variant.of(design);
        let mean = |odd: usize| {
            let moves = atlas.request.moves.iter().skip(odd).step_by(2);
            let units: Vec<f64> = moves.map(|one| one.unit(one.now(&varied))).collect();
            100.0 * units.iter().sum::<f64>() / units.len() as f64
        };
        let seeds: Vec<u64> = atlas.seeds().collect();
        let mut table = TrialTable::new(atlas.metrics(), seeds.len());
        for (row, seed) in table.rows.iter_mut().zip(seeds) {
            let noise = (seed % 3) as f64 - 1.0;
            *row = Some(TrialMetrics {
                values: [mean(0), mean(1)]
                    .map(|mean| MetricValue::Number(Some(mean + noise)))
                    .to_vec(),
                anomalies: Vec::new(),
                corridor: None,
                gap: Vec::new(),
                patterns: Vec::new(),
            });
        }
        table
    }

    /// Runs a search to its end.
    fn run(request: AtlasRequest, state: AtlasState) -> AtlasState {
        let design = design();
        let mut atlas = Atlas::new(&design, request, state);
        loop {
            let asked = atlas.ask();
            if asked.is_empty() {
                return atlas.state();
            }
            let readings: Vec<TrialTable> = asked.iter().map(|variant| measured(&atlas, &design, variant)).collect();
            atlas.report(&readings);
        }
    }

    #[test]
    fn the_search_fills_more_than_twice_the_cells_of_random_candidates() {
        let found = run(request(2_000), AtlasState::default());
        let random = AtlasRequest {
            is_random: true,
            ..request(2_000)
        };
        let random = run(random, AtlasState::default());
        assert_eq!((found.tried, found.widths), (2_000, random.widths));
        let cells = [found.verified.len(), random.verified.len()];
        assert!(cells[0] > 2 * cells[1] && cells[1] > 20, "{cells:?}");
        // The medians of these results do not vary with the seeds, so every candidate stays in its cell.
        assert_eq!(found.cells.len(), found.verified.len());
    }

    #[test]
    fn a_resumed_search_finds_the_same_as_an_uninterrupted_one() {
        let whole = run(request(900), AtlasState::default());
        let half = run(request(450), AtlasState::default());
        assert!(half.cells.len() < whole.cells.len());
        let json = serde_json::to_string(&half).unwrap();
        let resumed = run(request(900), serde_json::from_str(&json).unwrap());
        assert_eq!(resumed, whole);
        // The search is complete, so nothing is requested.
        let again = Atlas::new(&design(), request(900), whole).ask();
        assert_eq!(again, Vec::new());
    }

    #[test]
    fn a_cell_keeps_the_candidate_that_meets_more_expectations() {
        let mut request = request(600);
        // Few candidates drawn at random meet this expectation.
        request.expectations = vec![expect::parse("path < 45").unwrap()];
        let state = run(request.clone(), AtlasState::default());
        for cell in &state.cells {
            assert_eq!(cell.met == 1, cell.shortfall <= 0.0, "{cell:?}");
        }
        let met = |state: &AtlasState| state.cells.iter().filter(|cell| cell.met == 1).count();
        assert!(met(&state) > 0 && met(&state) < state.cells.len());
        let widths = state.widths.unwrap();
        let [good, bad] = [0.0, 0.5].map(|shortfall| AtlasCell {
            shortfall,
            deviations: [9.0 - shortfall, 0.0],
            ..state.cells[0].clone()
        });
        assert!(good.is_better_than(&bad, widths) && !bad.is_better_than(&good, widths));
    }

    #[test]
    fn a_child_has_each_generation_from_one_of_its_parents_and_the_first_is_between_them() {
        let design = design();
        let state = run(request(900), AtlasState::default());
        let mut atlas = Atlas::new(&design, request(900), state.clone());
        let by_path = |a: &&AtlasCell, b: &&AtlasCell| a.medians[0].total_cmp(&b.medians[0]);
        let [low, high] = [
            state.verified.iter().min_by(by_path).unwrap(),
            state.verified.iter().max_by(by_path).unwrap(),
        ];
        let offspring = atlas.breed([low, high]);
        assert!(
            (10..=CHILDREN).contains(&offspring.len()),
            "five groups have 30 mixtures, {} found",
            offspring.len()
        );
        assert_eq!(atlas.seeds(), FRESH.start..FRESH.start + FRESH_SEEDS);
        let readings: Vec<TrialTable> = offspring.iter().map(|child| measured(&atlas, &design, child)).collect();
        let born = atlas.born([low, high], &readings);
        assert_eq!(born.len(), offspring.len());
        for child in &born {
            assert!(child.values != low.values && child.values != high.values);
            let mut of: BTreeMap<String, [bool; 2]> = BTreeMap::new();
            for (i, one) in atlas.request.moves.iter().enumerate() {
                let may = of.entry(one.entry.label()).or_insert([true; 2]);
                may[0] &= child.values[i] == low.values[i];
                may[1] &= child.values[i] == high.values[i];
            }
            assert!(of.values().all(|[low, high]| *low || *high), "{of:?}");
        }
        let between = low.medians[0] + 1.0..high.medians[0] - 1.0;
        assert!(between.contains(&born[0].medians[0]), "{:?} {between:?}", born[0]);
        // Two identical parents have no offspring.
        assert_eq!(atlas.breed([low, low]), Vec::new());
    }

    #[test]
    fn a_search_continues_after_parents_without_offspring_and_after_offspring_without_results() {
        let design = design();
        let state = run(request(250), AtlasState::default());
        let (low, high) = (&state.cells[0], &state.cells[state.cells.len() - 1]);
        let next = Atlas::new(&design, request(300), state.clone()).ask();
        assert_eq!(next.len(), 50);
        for parents in [[low, low], [low, high]] {
            let mut atlas = Atlas::new(&design, request(300), state.clone());
            assert_eq!(atlas.breed(parents).is_empty(), low == parents[1]);
            assert_eq!(atlas.ask(), next);
        }
    }

    #[test]
    fn a_file_with_impossible_numbers_is_read_without_harm() {
        let mut state = run(request(250), AtlasState::default());
        state.widths = Some([0, -5]);
        state.cells[0].cell = [i64::MAX, i64::MIN];
        state.cells[0].medians = [f64::NAN, 1e300];
        state.verified.clear();
        let found = run(request(300), state);
        assert_eq!(found.tried, 300);
    }
}
