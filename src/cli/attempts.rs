//! Tries consecutive seeds until a dungeon meets the conditions of `--until`, and warns about unmet conditions.

use clap::{Args, ValueEnum};

use super::change::ChangeArgs;
use super::expectations::missing_end;
use super::failure::Failure;
use super::output::Output;
use super::{DesignArgs, UNUSABLE};
use crate::analysis::{self, MetricParts, MetricSample, MetricsCalculator, Scene, expectations};
use crate::design::{Diagnostic, Entry, MemoryUse, ValidDesign};
use crate::engine::{Grid, Options};

/// Maximum number of squares of a dungeon in which [`unmet`] searches for a path to the exit. The search takes more
/// memory than printing the dungeon. The exit of a larger dungeon counts as reachable.
const MOST_SQUARES: u64 = 64_000_000;

/// A condition for `--until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Until {
    /// Every vault is placed and its exits are reachable
    Vaults,
    /// The exit is reachable from the entrance
    Reachable,
    /// The dungeon meets the expectations in [expect] of its TOML file. Expectations that concern many dungeons are
    /// ignored: those for less than 100% of the dungeons (such as `in 95%`), and those about an aggregate (such as
    /// `median`)
    Expected,
}

/// The number of seeds to try, and the conditions that a dungeon must meet.
#[derive(Debug, Args)]
pub(super) struct AttemptArgs {
    /// Try up to N consecutive seeds, starting with the design's own, until a dungeon meets the conditions of --until
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    attempts: u32,
    /// Conditions for --attempts, separated by commas
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        value_delimiter = ',',
        default_value = "vaults,reachable"
    )]
    until: Vec<Until>,
}

/// A condition that a dungeon does not meet. It is a reason to try the next seed if `--until` includes it.
struct Unmet {
    what: Until,
    warning: Diagnostic,
}

/// The dungeon of the last attempt.
pub(super) struct Attempt<T> {
    /// The design with the seed of the last attempt.
    pub(super) design: ValidDesign,
    /// The grown dungeon, as `grow` returned it.
    pub(super) grown: T,
    /// Message that names the seed, if a seed other than the design's own met the conditions.
    pub(super) seed: Option<String>,
    /// Warnings about unmet conditions.
    pub(super) warnings: Vec<Diagnostic>,
}

impl<T> Attempt<T> {
    /// Reports the seed and the warnings.
    pub(super) fn report(&self, output: &mut Output) {
        if let Some(seed) = &self.seed {
            output.note(seed);
        }
        output.report(&self.warnings);
    }
}

impl AttemptArgs {
    /// Returns whether several seeds may be tried.
    pub(super) const fn are_several(&self) -> bool {
        self.attempts > 1
    }

    /// Returns the warnings about a dungeon that is already grown, such as the dungeon of a recording.
    pub(super) fn warnings(&self, design: &ValidDesign, grid: &Grid) -> Vec<Diagnostic> {
        let unmet = unmet(design, grid, &self.until);
        unmet.into_iter().map(|unmet| unmet.warning).collect()
    }

    /// Tries consecutive seeds, beginning with the design's own seed, until the dungeon meets the conditions or the
    /// number of attempts is reached. `change` is applied to the design first, `grow` grows the dungeon of a design,
    /// and `grid` returns the dungeon's squares. Returns the last attempt; fails if the design cannot be grown.
    pub(super) fn grow<T>(
        &self,
        args: &DesignArgs,
        change: Option<(&ChangeArgs, Options)>,
        purpose: MemoryUse,
        output: &mut Output,
        mut grow: impl FnMut(&ValidDesign) -> Result<T, Failure>,
        grid: impl Fn(&T) -> &Grid,
    ) -> Result<Attempt<T>, Failure> {
        let mut lost = Vec::new();
        let mut changed = match change.filter(|(change, _)| !change.is_empty()) {
            Some((change, options)) => {
                let seeded = args.seeded_design(output)?;
                let changed = change.of(seeded, options, output)?;
                lost = changed.beyond_recording([changed.seed()]);
                output.report(&lost);
                Some(changed)
            }
            None => None,
        }
        .map(|seeded| (seeded.seeds(), seeded));
        let mut design = match &mut changed {
            Some((seeds, seeded)) => seeds.design(seeded.seed()).ok_or(Failure::reported(UNUSABLE))?,
            None => args.valid(purpose, output)?,
        };
        let first = design.seed;
        for attempt in 1..=self.attempts {
            let grown = grow(&design)?;
            let unmet = unmet(&design, grid(&grown), &self.until);
            let is_met = unmet.iter().all(|unmet| !self.until.contains(&unmet.what));
            if is_met || attempt == self.attempts {
                let seed = (is_met && attempt > 1).then(|| {
                    format!(
                        "seed {} meets the conditions (attempt {attempt}, starting with seed {first})",
                        design.seed
                    )
                });
                let warnings = unmet.into_iter().map(|unmet| unmet.warning).collect();
                return Ok(Attempt {
                    design,
                    grown,
                    seed,
                    warnings,
                });
            }
            let next = first.wrapping_add(u64::from(attempt));
            // All later attempts have the same vaults, with the same diagnostics, so the diagnostics are reported only
            // once.
            if attempt == 1 && lost.is_empty() {
                lost = match &changed {
                    Some((_, seeded)) => seeded.beyond_recording([next]),
                    None => args.beyond_recording(next)?,
                };
                output.report(&lost);
            }
            let opened = match &mut changed {
                Some((seeds, _)) => seeds.design(next),
                None => args.opened(Some(next), purpose).valid,
            };
            design = opened.ok_or(Failure::reported(UNUSABLE))?;
        }
        Err(Failure::reported(UNUSABLE))
    }
}

/// Returns the conditions that a grown dungeon does not meet. The design's expectations are checked only if `until`
/// includes them.
fn unmet(design: &ValidDesign, grid: &Grid, until: &[Until]) -> Vec<Unmet> {
    let seed = design.seed;
    let unmet_by = |what, message: String| Unmet {
        what,
        warning: Diagnostic::warning(format!("{message} (seed {seed})")),
    };
    let absent = |index: &usize| design.placed().iter().all(|piece| piece.vault != *index);
    let mut unmet: Vec<Unmet> = (0..design.layout.vaults.len())
        .filter(absent)
        .map(|index| unmet_by(Until::Vaults, format!("{} is not placed", Entry::Vault(index).label())))
        .collect();
    for (vault, at) in analysis::cut_off(grid, design) {
        let label = Entry::Vault(vault).label();
        unmet.push(unmet_by(
            Until::Vaults,
            format!("the exit of {label} at {at} is cut off"),
        ));
    }
    let scene = Scene::new(design);
    if design.layout.size.squares() <= MOST_SQUARES
        && let Some(ends) = MetricsCalculator::no_way(grid, &scene)
    {
        let is_outside = [scene.entrance, scene.exit]
            .into_iter()
            .flatten()
            .any(|at| !design.layout.size.contains(at));
        let message = match ends {
            (Some(entrance), Some(exit)) => {
                format!("the exit at {exit} is not reachable from the entrance at {entrance}")
            }
            (entrance, _) => format!("the exit is not reachable: {}", missing_end(&design.expect, entrance)),
        };
        let mut way = unmet_by(Until::Reachable, message);
        way.warning = way.warning.help(if is_outside {
            "set `entrance` and `exit` to squares of the dungeon, or remove them"
        } else {
            "pass `--attempts 20` to try the next seeds, or run `wallcrawler check DESIGN --seeds 100` to see how many \
             seeds have this problem"
        });
        unmet.push(way);
    }
    if until.contains(&Until::Expected) {
        let texts = unexpected(design, grid, &scene);
        unmet.extend(texts.map(|text| unmet_by(Until::Expected, format!("`{text}` does not hold"))));
    }
    unmet
}

/// Returns the expectations that every dungeon of the design must meet and this one does not.
fn unexpected(design: &ValidDesign, grid: &Grid, scene: &Scene) -> impl Iterator<Item = String> {
    let mut expected = expectations(design);
    expected.retain(|(_, expectation)| expectation.is_of_each());
    let mut sample = MetricSample::new(expected.iter().map(|(_, expectation)| expectation));
    let metrics = MetricsCalculator::new().measure_parts(grid, scene, MetricParts::of_design(design));
    sample.add(design.seed, sample.values_of(&metrics));
    let fails = expected
        .into_iter()
        .filter_map(move |(index, expectation)| (!sample.verdict(&expectation).failing.is_empty()).then_some(index));
    fails.map(|index| design.expect.that[index].clone())
}
