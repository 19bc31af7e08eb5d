//! Statements about the differences between two samples of dungeons.

use crate::analysis::{Difference, MeanDifference, MetricComparison, PairCounts};
use crate::text::with_thousands;
use crate::tui::seed_gallery::{SeedOrder, description};

/// Returns whether dungeons of both sides have a value of the metric.
pub(super) fn has_values(comparison: &MetricComparison) -> bool {
    comparison.values.iter().all(|values| !values.is_empty())
}

/// Returns a statement about a metric comparison, and whether the difference is significant.
pub(super) fn statement(comparison: &MetricComparison) -> (String, bool) {
    let info = comparison.metric.info();
    let by = SeedOrder::Metric(comparison.metric);
    let is_real = comparison.difference != Difference::Chance;
    let [before, after] = &comparison.values;
    if !has_values(comparison) {
        return (format!("{}: too few dungeons have a value", info.name), false);
    }
    let is_one = |values: &[f64]| values.first() == values.last();
    if is_one(before) && is_one(after) && before.first() == after.first() {
        return (
            format!("{}: {} in all dungeons", info.name, description(before[0], by)),
            false,
        );
    }
    let ([Some(a), Some(b)], [Some(mean), Some(other)]) = (comparison.medians(), comparison.means()) else {
        return (String::new(), false);
    };
    let numbers = if info.is_truth {
        let percent = |mean: f64| format!("{:.0}%", mean * 100.0);
        format!("yes in {} → {}", percent(mean), percent(other))
    } else if description(a, by) == description(b, by) {
        // The means show a shift that the medians do not show.
        format!("mean {} → {}", rounded(mean), rounded(other))
    } else {
        format!("median {} → {}", description(a, by), description(b, by))
    };
    let verdict = match (comparison.difference, &comparison.change) {
        (Difference::Chance, _) => "not significant".to_owned(),
        (Difference::Shift, Some(change)) => by_how_much(comparison, change),
        (Difference::Shift, None) => "significant".to_owned(),
        (Difference::Spread, _) => "different spread, significant".to_owned(),
    };
    (with_thousands(&format!("{}: {numbers}, {verdict}", info.name)), is_real)
}

/// Describes a difference of means with its confidence interval. If both sides have the same seeds, adds the number of
/// seeds whose values differ in the same direction as the means.
fn by_how_much(comparison: &MetricComparison, change: &MeanDifference) -> String {
    let interval = if comparison.metric.info().is_truth {
        format!("{} points", change.scaled(100.0))
    } else {
        change.to_string()
    };
    comparison.pairs.map_or_else(
        || interval.clone(),
        |PairCounts { pairs, higher, lower }| {
            let (word, count) = if change.mean < 0.0 {
                ("lower", lower)
            } else {
                ("higher", higher)
            };
            format!("{interval}, {word} in {count} of {pairs} seeds")
        },
    )
}

/// Formats a mean: the larger it is, the fewer decimals it gets.
fn rounded(mean: f64) -> String {
    if mean.abs() >= 100.0 {
        format!("{mean:.0}")
    } else if mean.abs() >= 1.0 {
        format!("{mean:.1}")
    } else {
        format!("{mean:.3}")
    }
}

/// Describes a p-value in words: how often chance alone causes a difference this large.
pub(super) fn chance_alone(p: f64) -> String {
    let often = match p {
        ..0.001 => "in fewer than 1 of 1,000 comparisons".to_owned(),
        ..0.01 => format!("in about {:.0} of 1,000 comparisons", p * 1000.0),
        ..0.95 => format!("in about {:.0} of 100 comparisons", (p * 100.0).max(1.0)),
        _ => "in nearly every comparison".to_owned(),
    };
    format!("chance alone causes such a difference {often}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::expect::DungeonMetric;

    fn comparison(metric: DungeonMetric, values: [&[f64]; 2], p: f64, difference: Difference) -> MetricComparison {
        MetricComparison {
            metric,
            values: values.map(<[f64]>::to_vec),
            p,
            p_adjusted: p,
            difference,
            higher: 0.5,
            change: Some(MeanDifference {
                mean: 31.25,
                low: -2.0,
                high: 64.5,
            }),
            pairs: Some(PairCounts {
                pairs: 3,
                higher: 2,
                lower: 1,
            }),
        }
    }

    #[test]
    fn differences_are_reported_in_plain_words() {
        let say = |metric, values, p, difference| statement(&comparison(metric, values, p, difference)).0;
        let (low, high): (&[f64], &[f64]) = (&[180.0, 182.0, 190.0], &[200.0, 211.0, 1300.0]);
        assert_eq!(
            say(DungeonMetric::Path, [low, high], 1e-9, Difference::Shift),
            "path: median 182 → 211, +31 [−2, +64], higher in 2 of 3 seeds"
        );
        assert_eq!(
            say(DungeonMetric::Path, [low, high], 0.4123, Difference::Chance),
            "path: median 182 → 211, not significant"
        );
        assert_eq!(
            say(
                DungeonMetric::Loops,
                [&[0.0, 1.0, 2.0], &[1.0, 1.0, 4.0]],
                0.0312,
                Difference::Spread
            ),
            "loops: mean 1.0 → 2.0, different spread, significant"
        );
        assert_eq!(
            say(
                DungeonMetric::Squares,
                [&[1201.0, 1202.0], &[1196.0]],
                0.4123,
                Difference::Chance
            ),
            "squares: median 1,201.5 → 1,196, not significant"
        );
        assert_eq!(
            say(
                DungeonMetric::Reachable,
                [&[0.0, 1.0], &[1.0, 1.0]],
                1.0,
                Difference::Chance
            ),
            "reachable: yes in 50% → 100%, not significant"
        );
        assert_eq!(
            say(DungeonMetric::Enclosed, [&[0.0, 0.0], &[0.0]], 1.0, Difference::Chance),
            "enclosed: 0 in all dungeons"
        );
        for (p, often) in [
            (1e-9, "in fewer than 1 of 1,000 comparisons"),
            (0.0042, "in about 4 of 1,000 comparisons"),
            (0.0312, "in about 3 of 100 comparisons"),
            (0.4123, "in about 41 of 100 comparisons"),
            (1.0, "in nearly every comparison"),
        ] {
            assert_eq!(
                chance_alone(p),
                format!("chance alone causes such a difference {often}")
            );
        }
        assert!(say(DungeonMetric::Path, [&[], &[1.0]], 1.0, Difference::Chance).contains("too few"));
    }
}
