//! Trials: measures variants of a design over the same seeds, for `curve`, `remedies`, `tune`, `atlas` and `learn`.

use super::growth_report::grow;
use super::progress::Progress;
use super::selection::GrowthArgs;
use crate::analysis::tune::TrialTable;
use crate::analysis::{MeanDifference, MetricParts, PairedChange};
use crate::background::TrialRequest;
use crate::design::expect::Metric;
use crate::document::{SeedDesigns, SeededDesign};
use crate::engine::{Grid, Options};

/// Maximum number of seeds. It limits the use of memory, because the metrics of all dungeons are kept.
pub(super) const MOST_SEEDS: u64 = 100_000;

/// Grows and measures every variant of a request with every seed. Returns a table for each variant, with its rows in
/// the order of the seeds. Calls `done` after each dungeon.
pub(super) fn tables(request: &TrialRequest, growth: &GrowthArgs, mut done: impl FnMut()) -> Vec<TrialTable> {
    let table = TrialTable::new(request.metrics.clone(), request.seeds.len());
    let mut tables = vec![table; request.variants.len()];
    // Nothing cancels the measurement.
    let _ = request.measure(
        growth.threads(),
        || true,
        |tried| {
            done();
            tables[tried.variant].rows[tried.seed] = tried.reading;
            Ok(())
        },
    );
    tables
}

/// Measures variants of a design and shows the progress; see [`tables`]. `anomalies` contains the additional groups of
/// metrics that have to be computed to detect anomalies.
pub(super) fn measure(
    variants: Vec<SeededDesign>,
    seeds: Vec<u64>,
    metrics: &[Metric],
    anomalies: MetricParts,
    growth: &GrowthArgs,
) -> Vec<TrialTable> {
    let request = TrialRequest::all(variants, seeds, metrics.to_vec(), growth.options()).with_parts(anomalies);
    let mut progress = Progress::new(request.order.len() as u64, 0);
    let mut done = 0;
    let tables = tables(&request, growth, || {
        done += 1;
        progress.at(done);
    });
    progress.end();
    tables
}

/// Grows the dungeon of a seed for a picture; returns `None` if the dungeon cannot be grown.
pub(super) fn dungeon(seeds: &mut SeedDesigns, seed: u64, options: Options) -> Option<Grid> {
    Some(grow(&seeds.design(seed)?, options).grid().clone())
}

/// Describes the mean difference between two variants over the same seeds: `−0.44 [−0.55, −0.33]`. For booleans, the
/// difference is in percentage points.
pub(super) fn describe_change(change: Option<MeanDifference>, is_truth: bool) -> String {
    match change {
        Some(change) if is_truth => format!("{} points", change.scaled(100.0)),
        Some(change) => change.to_string(),
        None => "too few dungeons".into(),
    }
}

/// Describes the corrected p-value of a change: `< 0.001`, `0.213`.
pub(super) fn describe_p(change: &PairedChange) -> String {
    if change.p_adjusted < 0.001 {
        "< 0.001".into()
    } else {
        format!("{:.3}", change.p_adjusted)
    }
}
