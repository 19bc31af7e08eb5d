//! The search that fills an atlas in the designer: its inputs, the cells that are shown, and its trials.
//!
//! [`Atlas`] is the pure search algorithm; this module runs it, one batch of candidates at a time. Stopping drops the
//! batch in progress. When the search continues, the algorithm proposes this batch again, so no candidate is skipped.

use std::collections::BTreeMap;

use crate::analysis;
use crate::analysis::tune::{
    Atlas, AtlasCell, AtlasState, FIRST_GENERATIONS, TrialTable, TunedParameter, Variant, movable,
};
use crate::background::{AtlasSubject, AtlasTrials, TrialRequest, TrialResult};
use crate::design::Design;
use crate::document::SeededDesign;
use crate::rows;
use crate::tui::editor::Editor;
use crate::tui::jobs::JobHandle;

/// Number of seeds over which each candidate is measured, and number of candidates that a new search tries. Both are
/// the defaults of `wallcrawler atlas`.
const SEEDS: u64 = 5;
pub(super) const CANDIDATES: u64 = 2_500;

/// Largest number of candidates, which is also the limit of `wallcrawler atlas`.
pub(super) const MOST_CANDIDATES: u64 = 10_000_000;

/// A cell that the atlas shows.
#[derive(Debug, Clone)]
pub(super) struct ShownCell {
    /// The candidate in the cell, with its measured values.
    pub cell: AtlasCell,
    /// Whether the candidate is an offspring of the two cells that were bred last.
    pub is_child: bool,
}

/// The purpose of the trials in progress.
#[derive(Debug)]
pub(super) enum TrialPurpose {
    /// To continue the search: to measure the next candidates or, after the last candidate, to measure all cells again
    /// over fresh seeds.
    Search,
    /// To measure the offspring of these two cells.
    Offspring(Box<[AtlasCell; 2]>),
}

/// The result of completed trials.
#[derive(Debug)]
pub(super) enum TrialsEnd {
    /// The search has received the results of a batch and can continue with the next batch.
    Searched,
    /// The search has finished, with this number of cells, measured over fresh seeds.
    Finished(usize),
    /// Two cells have been bred.
    Bred {
        /// Number of offspring.
        born: usize,
        /// Place of the child nearest to the midpoint of its parents; `None` if there are no offspring.
        first: Option<[i64; 2]>,
    },
}

/// A search that fills an atlas.
#[derive(Debug)]
pub(super) struct AtlasSearch {
    pub subject: AtlasSubject,
    /// The design whose numbers the search varies.
    base: SeededDesign,
    atlas: Atlas,
    shown: BTreeMap<[i64; 2], ShownCell>,
    /// Place of the unchanged design, measured over the seeds of the search; `None` until it is known.
    design: Option<[i64; 2]>,
    trials: Option<JobHandle<TrialPurpose>>,
    /// The results of the trials in progress, and the number of dungeons measured so far.
    readings: Vec<TrialTable>,
    done: usize,
    /// Whether the user has stopped the search.
    pub is_paused: bool,
    /// Whether an internal error ended the search.
    pub is_broken: bool,
}

/// Returns the inputs of a search that varies the open design and uses two metrics as axes.
pub(super) fn subject_of(editor: &Editor, axes: [&str; 2]) -> AtlasSubject {
    let design = editor.document.design();
    let seeded = editor.document.seeded();
    let [x, y] = axes.map(str::to_owned);
    AtlasSubject {
        design_digest: rows::digest(design, editor.options, seeded.vault_sources()),
        x,
        y,
        seeds: SEEDS,
        search_seed: design.seed,
        random: false,
        expectations: expectations(design),
        parameters: movable(design, editor.options, |generation| generation < FIRST_GENERATIONS),
    }
}

/// Returns the texts of a design's expectations.
fn expectations(design: &Design) -> Vec<String> {
    let known = analysis::expectations(design).into_iter();
    known.map(|(i, _)| design.expect.that[i].clone()).collect()
}

impl AtlasSearch {
    /// Starts a search, or resumes one.
    ///
    /// # Errors
    ///
    /// Fails with a message for the user if no parameter can be changed, or if the subject is invalid.
    pub(super) fn new(base: SeededDesign, subject: AtlasSubject, state: AtlasState) -> Result<Self, String> {
        if subject.parameters.is_empty() {
            return Err("no parameter can be changed: none has an effect in this design".into());
        }
        let request = subject.request(CANDIDATES.max(state.tried))?;
        let mut search = Self {
            atlas: Atlas::new(base.design(), request, state),
            subject,
            base,
            shown: BTreeMap::new(),
            design: None,
            trials: None,
            readings: Vec::new(),
            done: 0,
            is_paused: false,
            is_broken: false,
        };
        search.refresh();
        Ok(search)
    }

    /// Returns whether the atlas belongs to `design`: whether `design` equals the search's initial design, apart from
    /// the numbers that the search varies, the seed, the name and the notes. The atlas therefore still belongs to the
    /// design after a cell is opened, and after one of the varied numbers is edited by hand.
    pub(super) fn is_of(&self, design: &Design) -> bool {
        let mut own = design.clone();
        for (one, value) in self.subject.parameters.iter().zip(self.atlas.own_values()) {
            own.set(one.entry, one.parameter, *value);
        }
        own.measured() == self.base.design().measured() && expectations(design) == self.subject.expectations
    }

    /// Returns whether `design` has these values of the parameters that the search varies.
    pub(super) fn has_values(&self, design: &Design, values: &[i32]) -> bool {
        let mut both = self.subject.parameters.iter().zip(values);
        both.all(|(one, value)| design.get(one.entry, one.parameter) == Some(*value))
    }

    /// Returns the design whose numbers the search varies.
    pub(super) const fn base(&self) -> &SeededDesign {
        &self.base
    }

    pub(super) const fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// Returns the shown cells; the key of each cell is its place in the atlas.
    pub(super) const fn shown(&self) -> &BTreeMap<[i64; 2], ShownCell> {
        &self.shown
    }

    /// Returns the number of offspring shown.
    pub(super) fn children(&self) -> usize {
        self.shown.values().filter(|cell| cell.is_child).count()
    }

    /// Returns whether the cells have been measured over fresh seeds.
    pub(super) fn is_verified(&self) -> bool {
        !self.atlas.verified().is_empty()
    }

    /// Returns whether all candidates have been tried and the cells, if there are any, have been measured over fresh
    /// seeds.
    pub(super) fn is_finished(&self) -> bool {
        (self.is_verified() || self.atlas.is_done()) && self.atlas.tried() >= self.atlas.request().candidates
    }

    /// Returns whether trials are in progress.
    pub(super) const fn is_running(&self) -> bool {
        self.trials.is_some()
    }

    /// Returns whether offspring are being measured.
    pub(super) fn is_breeding(&self) -> bool {
        let trials = self.trials.as_ref();
        trials.is_some_and(|trials| matches!(trials.purpose, TrialPurpose::Offspring(_)))
    }

    /// Returns whether trials with this ticket are in progress.
    pub(super) fn has(&self, ticket: &crate::background::Ticket) -> bool {
        self.trials.as_ref().is_some_and(|trials| trials.has(ticket))
    }

    /// Returns the number of candidates tried, including those of the batch in progress that are already measured.
    pub(super) fn tried(&self) -> u64 {
        let is_search = matches!(&self.trials, Some(trials) if matches!(trials.purpose, TrialPurpose::Search));
        let batch = if is_search && !self.atlas.is_verifying() {
            self.done as u64 / self.subject.seeds.max(1)
        } else {
            0
        };
        self.atlas.tried() + batch
    }

    /// Returns whether the candidate in a cell is the design with which the search began.
    pub(super) fn is_design(&self, cell: &AtlasCell) -> bool {
        cell.values == self.atlas.own_values()
    }

    /// Returns the place of the unchanged design. The cell at that place may contain a better candidate.
    pub(super) fn place_of_design(&self) -> Option<[i64; 2]> {
        self.atlas.design().map(|design| design.cell).or(self.design)
    }

    /// Updates the shown cells: those measured over fresh seeds if there are any, or else the search's current cells.
    fn refresh(&mut self) {
        let shown = |cell: &AtlasCell| {
            let cell = cell.clone();
            (cell.cell, ShownCell { cell, is_child: false })
        };
        self.shown = if self.is_verified() {
            self.atlas.verified().iter().map(shown).collect()
        } else {
            self.atlas.cells().map(shown).collect()
        };
        if self.design.is_none() {
            let mut cells = self.atlas.cells();
            self.design = cells.find(|cell| self.is_design(cell)).map(|cell| cell.cell);
        }
    }

    /// Starts the next trials, unless trials are in progress or the search has finished, failed or been stopped.
    pub(super) fn go_on(&mut self, editor: &mut Editor) {
        if self.is_paused || self.is_broken || self.is_running() {
            return;
        }
        let asked = self.atlas.ask();
        self.start(editor, &asked, TrialPurpose::Search);
    }

    /// Stops the search, and measures the offspring of two cells. Returns whether these cells have offspring.
    pub(super) fn breed(&mut self, editor: &mut Editor, parents: [AtlasCell; 2]) -> bool {
        self.stop();
        let asked = self.atlas.breed(parents.each_ref());
        self.start(editor, &asked, TrialPurpose::Offspring(Box::new(parents)));
        self.is_running()
    }

    fn varied(&self, variant: &Variant) -> SeededDesign {
        self.base.varied(variant.of(self.base.design()))
    }

    fn start(&mut self, editor: &mut Editor, asked: &[Variant], purpose: TrialPurpose) {
        if asked.is_empty() {
            return;
        }
        let variants = asked.iter().map(|variant| self.varied(variant)).collect();
        let metrics = self.atlas.metrics();
        let seeds: Vec<u64> = self.atlas.seeds().collect();
        self.readings = vec![TrialTable::new(metrics.clone(), seeds.len()); asked.len()];
        self.done = 0;
        let trials = TrialRequest::all(variants, seeds, metrics, editor.options);
        self.trials = Some(editor.start(AtlasTrials(trials), purpose));
    }

    /// Stops the search until the user continues it.
    pub(super) fn stop(&mut self) {
        self.is_paused = true;
        self.halt();
    }

    /// Cancels the trials in progress; they are repeated when the search continues.
    pub(super) fn halt(&mut self) {
        self.trials = None;
        self.done = 0;
    }

    /// Continues the search, with `count` more candidates to try.
    pub(super) fn more(&mut self, count: u64) {
        self.halt();
        self.is_paused = false;
        let all = self.atlas.request().candidates.max(self.atlas.tried());
        self.atlas.search_until(all.saturating_add(count).min(MOST_CANDIDATES));
    }

    /// Stores results of the trials in progress.
    pub(super) fn receive(&mut self, outcomes: Vec<TrialResult>) {
        for tried in outcomes {
            self.done += 1;
            let row = self.readings.get_mut(tried.variant);
            if let Some(row) = row.and_then(|table| table.rows.get_mut(tried.seed)) {
                *row = tried.reading;
            }
        }
    }

    /// Reports the results of completed trials to the search, and returns their outcome. Returns `None` if no trials
    /// were in progress.
    pub(super) fn end_trials(&mut self) -> Option<TrialsEnd> {
        let trials = self.trials.take()?;
        let readings = std::mem::take(&mut self.readings);
        self.done = 0;
        Some(match trials.purpose {
            TrialPurpose::Search => {
                self.atlas.report(&readings);
                self.refresh();
                if self.is_finished() {
                    TrialsEnd::Finished(self.shown.len())
                } else {
                    TrialsEnd::Searched
                }
            }
            TrialPurpose::Offspring(parents) => {
                let born = self.atlas.born(parents.each_ref(), &readings);
                self.refresh();
                let end = TrialsEnd::Bred {
                    born: born.len(),
                    first: born.first().map(|child| child.cell),
                };
                // The offspring nearest to the midpoint replaces the cell at its place; the other offspring are shown
                // only at free places.
                for (number, cell) in born.into_iter().enumerate() {
                    if number == 0 || !self.shown.contains_key(&cell.cell) {
                        self.shown.insert(cell.cell, ShownCell { cell, is_child: true });
                    }
                }
                end
            }
        })
    }

    /// Returns the parameters that the search varies.
    pub(super) fn parameters(&self) -> &[TunedParameter] {
        &self.subject.parameters
    }

    /// Returns a candidate's design.
    pub(super) fn candidate(&self, cell: &AtlasCell) -> SeededDesign {
        self.varied(&self.atlas.variant(&cell.values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::presets::Preset;
    use crate::tui::fixture::TestApp;

    #[test]
    fn a_search_that_fills_no_cell_is_finished_after_the_last_candidate() {
        let design = Preset::find("first-steps").unwrap().design();
        let designer = TestApp::with(Document::new(design, None), 80, 24);
        let editor = &designer.app.editor;
        let subject = subject_of(editor, ["path", "loops"]);
        let mut search = AtlasSearch::new(editor.document.seeded(), subject, AtlasState::default()).unwrap();
        search.atlas.search_until(50);
        assert_eq!(search.atlas.ask().len(), 50);
        // No dungeon has a value.
        let table = TrialTable::new(search.atlas.metrics(), SEEDS as usize);
        search.atlas.report(&vec![table; 50]);
        assert_eq!(search.atlas.ask(), Vec::new());
        assert!(search.shown().is_empty() && search.is_finished());
        search.more(10);
        assert!(!search.is_finished());
    }
}
