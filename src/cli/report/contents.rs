//! The contents of a report, in plain English for readers who have never seen the program.

use super::super::expectations::CheckedExpectation;
use super::super::progress::grouped;
use super::gather::{Findings, MAIN, MeasuredDungeon};
use super::page::{Block, Card, Cell, Histogram, Line, Page, Piece, code, text};
use super::pictures::{Pictures, of_map};
use crate::analysis::{self, Interval, MOST_BINS, Outcome, RangeMap, ValueCounts, decimal};
use crate::design::Design;
use crate::design::expect::{DungeonMetric, METRICS, MetricInfo};
use crate::engine::Options;
use crate::export::{Ground, RangePicture};
use crate::format::native;
use crate::recording_file::PROGRAM_VERSION;
use crate::text::counted;

/// Maximum number of typical dungeons to show.
const TYPICAL: usize = 3;

/// Maximum number of bars in a histogram.
const BARS: usize = 24;

/// Maximum number of seeds to list in one row of a table.
const NAMED: usize = 5;

/// The data from which a report is made.
pub(super) struct Source<'a> {
    pub(super) design: &'a Design,
    pub(super) findings: &'a Findings,
    /// Description of the seeds: `seeds 0 to 999`.
    pub(super) seeds: String,
    /// Command that shows a dungeon of the design once the option `--seed` is appended to it.
    pub(super) show: String,
    /// Command that draws the expressive range of the design once the options `--x` and `--y` are appended to it.
    pub(super) range: String,
    /// Command that makes this report.
    pub(super) made_by: String,
    /// Digest of the design.
    pub(super) digest: String,
    /// Options with which the dungeons are grown.
    pub(super) options: Options,
}

/// Returns the whole page.
pub(super) fn page(source: &Source<'_>, pictures: &mut Pictures<'_>) -> Page {
    let mut blocks = Vec::new();
    source.introduce(&mut blocks);
    source.add_typical(pictures, &mut blocks);
    source.add_range(&mut blocks);
    source.add_extremes(pictures, &mut blocks);
    source.add_metrics(&mut blocks);
    source.add_expectations(&mut blocks);
    source.add_anomalies(&mut blocks);
    source.add_design(&mut blocks);
    source.add_provenance(&mut blocks);
    Page {
        title: format!("Dungeons of {}", source.name()),
        subtitle: format!("{}, from {}", source.dungeons(), source.seeds),
        blocks,
    }
}

/// Formats a value of a metric, without its unit.
fn shown(info: &MetricInfo, value: f64) -> String {
    match value {
        value if info.is_truth => if value > 0.0 { "yes" } else { "no" }.to_owned(),
        value if value.fract() == 0.0 && (0.0..1e15).contains(&value) => grouped(value as u64),
        value => decimal((value * 1000.0).round() as i64 * 10),
    }
}

/// Formats a value of a metric with its unit: `460 steps`.
fn with_unit(metric: DungeonMetric, value: f64) -> String {
    let info = metric.info();
    let value = shown(info, value);
    if info.unit.is_empty() {
        value
    } else {
        format!("{value} {}", info.unit)
    }
}

/// Formats the share of dungeons that have a property, and estimates the share over all seeds: `99.7%; for all possible
/// seeds, with 95% confidence: [99%, 100%]`. The share has four decimals if one decimal would make it look like 0 or
/// 100% although it is not.
fn share(met: u64, of: u64) -> String {
    let share = met as f64 / of.max(1) as f64;
    let permille = (share * 1e3).round() as i64;
    let is_unclear = 0 < met && met < of && permille % 1000 == 0;
    let ten_thousandths = if is_unclear {
        (share * 1e6).round() as i64
    } else {
        permille * 1000
    };
    format!(
        "{}%; estimated for all seeds, with 95% confidence: {}",
        decimal(ten_thousandths),
        Interval::of_share(met, of).percent()
    )
}

fn strong(text: impl Into<String>) -> Piece {
    Piece::Strong(text.into())
}

fn plain(text: impl Into<String>) -> Piece {
    Piece::Text(text.into())
}

impl Source<'_> {
    /// Returns the name of the design.
    fn name(&self) -> &str {
        match &*self.design.name {
            "" => "the design",
            name => name,
        }
    }

    /// Returns the number of dungeons followed by the noun: `1,000 dungeons`.
    fn dungeons(&self) -> String {
        counted(self.findings.dungeons.len(), "dungeon")
    }

    /// Returns the command that shows the dungeon of a seed.
    fn command(&self, seed: u64) -> String {
        format!("{} --seed {seed}", self.show)
    }

    fn introduce(&self, blocks: &mut Vec<Block>) {
        blocks.push(Block::Paragraph(text(
            "Wallcrawler grows dungeons: maps of walls and open squares, for games and stories. Crawlers move over an \
             empty map, lay walls behind them, have babies and die; a design states their rules. A design and a number, \
             the seed, always grow the same dungeon; a different seed grows a different one.",
        )));
        let notes: Vec<String> = (self.design.notes.split("\n\n"))
            .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|paragraph| !paragraph.is_empty())
            .collect();
        if !notes.is_empty() {
            blocks.push(Block::Paragraph(text(format!("The author of {} writes:", self.name()))));
            blocks.push(Block::Quote(notes));
        }
        blocks.push(Block::Heading("In short".into()));
        blocks.push(Block::List(self.summary()));
        // The designer, which shows the growth, cannot grow dungeons with --no-columns.
        let (growth, see) = if self.options.columns {
            (" and how it grew", "open")
        } else {
            ("", "print")
        };
        blocks.push(Block::Paragraph(vec![
            plain(format!(
                "The command under each picture of a dungeon shows that dungeon{growth}; run it in a terminal. To \
                 {see} the dungeon of the design's own seed, run "
            )),
            Piece::Code(self.command(self.design.seed)),
            plain("."),
        ]));
    }

    /// Returns the most important findings, one per line.
    fn summary(&self) -> Vec<Line> {
        let findings = self.findings;
        let size = self.design.layout.size;
        let all = findings.dungeons.len() as u64;
        let were = if all == 1 { "was" } else { "were" };
        let mut lines = vec![vec![
            strong(self.dungeons()),
            plain(format!(" of {} × {} squares {were} grown.", size.x, size.y)),
        ]];
        let reachable = (findings.dungeons.iter())
            .filter(|one| one.value(DungeonMetric::Reachable) == Some(1.0))
            .count() as u64;
        lines.push(vec![
            plain("A path leads from the entrance to the exit in "),
            strong(format!("{} of {}", grouped(reachable), grouped(all))),
            plain(format!(" ({}).", share(reachable, all))),
        ]);
        let path = |thousandths| findings.quantile(DungeonMetric::Path, thousandths);
        if let (Some(low), Some(median), Some(high)) = (path(100), path(500), path(900)) {
            let metric = DungeonMetric::Path;
            lines.push(vec![
                plain("The path is "),
                strong(with_unit(metric, median)),
                plain(format!(
                    " long in the median dungeon; in eight out of ten dungeons, it is between {} and {}.",
                    shown(metric.info(), low),
                    shown(metric.info(), high)
                )),
            ]);
        }
        lines.push(self.expectations_in_short());
        let anomalies = &findings.summary.anomalies;
        let named = anomalies
            .iter()
            .map(|(anomaly, found)| format!("{anomaly} in {}", counted(found.count, "dungeon")));
        lines.push(if anomalies.is_empty() {
            text("No anomalies were found. Anomalies are flaws that usually spoil a dungeon, such as enclosed areas.")
        } else {
            let named: Vec<String> = named.collect();
            vec![strong("Anomalies"), plain(format!(": {}.", named.join("; ")))]
        });
        lines
    }

    fn expectations_in_short(&self) -> Line {
        let expected = &self.findings.expectations;
        if expected.is_empty() {
            return text("The design states no expectations about its dungeons.");
        }
        let count = |outcome| expected.iter().filter(|one| one.verdict.outcome == outcome).count() as u64;
        let parts: Vec<String> = [
            (Outcome::Holds, ["holds", "hold"]),
            (Outcome::Fails, ["fails", "fail"]),
            (Outcome::NeedsMoreSeeds, ["needs more seeds", "need more seeds"]),
        ]
        .into_iter()
        .map(|(outcome, verb)| (count(outcome), verb))
        .filter(|(count, _)| *count > 0)
        .map(|(count, [one, many])| format!("{count} {}", if count == 1 { one } else { many }))
        .collect();
        vec![
            plain(format!("Of the design's {}, ", counted(expected.len(), "expectation"))),
            strong(parts.join(", ")),
            plain("."),
        ]
    }

    /// Returns a card with the picture of a dungeon, its main metrics and the command that shows it.
    fn card(&self, title: String, one: &MeasuredDungeon, pictures: &mut Pictures<'_>) -> Card {
        let value = |metric: &DungeonMetric| {
            Some(format!(
                "{} {}",
                metric.info().name,
                shown(metric.info(), one.value(*metric)?)
            ))
        };
        let values: Vec<String> = MAIN.iter().filter_map(value).collect();
        let values = values.join(", ");
        let alt = format!("Map of the dungeon of seed {}: {values}", one.seed);
        Card {
            title,
            picture: pictures.of(one.seed, &alt),
            lines: vec![text(values), code(self.command(one.seed))],
        }
    }

    fn add_typical(&self, pictures: &mut Pictures<'_>, blocks: &mut Vec<Block>) {
        let typical = self.findings.typical(TYPICAL);
        let names: Vec<&str> = self.findings.varying().map(|metric| metric.info().name).collect();
        blocks.push(Block::Heading("Typical dungeons".into()));
        blocks.push(Block::Paragraph(if names.is_empty() {
            text("All dungeons have the same values of the main metrics; the first dungeons are shown here.")
        } else {
            text(format!(
                "These dungeons are nearest to the medians of {}. The median is the value with as many dungeons above as \
                 below.",
                listed(&names)
            ))
        }));
        let cards = typical
            .into_iter()
            .map(|one| self.card(format!("Seed {}", one.seed), one, pictures))
            .collect();
        blocks.push(Block::Cards(cards));
        if pictures.colours.is_empty() {
            blocks.push(Block::Paragraph(text(
                "These dungeons are too large for pictures in a report.",
            )));
        } else {
            blocks.push(Block::Paragraph(text(
                "Colours show which generation laid each wall. A generation is the set of Crawlers that share one set of \
                 parameters: generation 0 is there from the start, and the later ones are its descendants.",
            )));
            blocks.push(Block::Colours(pictures.colours.clone()));
        }
    }

    /// Adds a map of the expressive range over the first two main metrics whose values differ between dungeons. Adds
    /// nothing if there are fewer than two such metrics.
    fn add_range(&self, blocks: &mut Vec<Block>) {
        let metrics: Vec<DungeonMetric> = self.findings.varying().take(2).collect();
        let [x, y] = metrics[..] else { return };
        let points: Vec<_> = self
            .findings
            .dungeons
            .iter()
            .map(|one| [one.value(x), one.value(y)])
            .collect();
        let Some(map) = RangeMap::new(&points, MOST_BINS) else {
            return;
        };
        let [across, up] = [x, y].map(|metric| match metric.info().unit {
            "" => metric.info().name.to_owned(),
            unit => format!("{} ({unit})", metric.info().name),
        });
        let title = format!("{} and {} of {}", x.info().name, y.info().name, self.dungeons());
        let picture = RangePicture {
            map: &map,
            title: &title,
            subtitle: "Each cell shows the number of dungeons with these values",
            names: [&across, &up],
            hint: &|_| String::new(),
            ground: Ground::Light,
        };
        let alt = format!(
            "Map of the number of dungeons by {} and {}",
            x.info().name,
            y.info().name
        );
        let Some(picture) = of_map(picture, alt) else { return };
        blocks.push(Block::Heading("Expressive range".into()));
        blocks.push(Block::Paragraph(vec![
            plain(format!(
                "How different are the dungeons of one design? This map counts them by {} ({}) and {} ({}). A few \
                 cells with many dungeons mean that all dungeons are much alike; many cells with few dungeons mean \
                 that they differ. To draw a map of other metrics, with a sample dungeon for each cell, replace the \
                 metrics in this command: ",
                x.info().name,
                x.info().meaning,
                y.info().name,
                y.info().meaning
            )),
            Piece::Code(format!("{} --x {} --y {}", self.range, x.info().name, y.info().name)),
        ]));
        blocks.push(Block::Picture(picture));
    }

    fn add_extremes(&self, pictures: &mut Pictures<'_>, blocks: &mut Vec<Block>) {
        let metrics: Vec<DungeonMetric> = self.findings.varying().collect();
        if metrics.is_empty() {
            return;
        }
        blocks.push(Block::Heading("Extreme dungeons".into()));
        blocks.push(Block::Paragraph(text(
            "These dungeons have the lowest and the highest value of each main metric.",
        )));
        let mut cards = Vec::new();
        for metric in metrics {
            let Some(extremes) = self.findings.extremes(metric) else {
                continue;
            };
            for (end, one) in ["Lowest", "Highest"].into_iter().zip(extremes) {
                let value = one
                    .value(metric)
                    .map_or_else(String::new, |value| with_unit(metric, value));
                let title = format!("{end} {}: {value}", metric.info().name);
                cards.push(self.card(title, one, pictures));
            }
        }
        blocks.push(Block::Pairs(cards));
    }

    fn add_metrics(&self, blocks: &mut Vec<Block>) {
        blocks.push(Block::Heading("Metrics".into()));
        blocks.push(Block::Paragraph(text(
            "Each row describes a metric that was measured in every dungeon. A tenth of the dungeons have less than \
             p10, and a tenth more than p90. Brackets contain the interval in which the median of all seeds lies with \
             a confidence of 95%.",
        )));
        let head = [
            "metric",
            "distribution",
            "min",
            "p10",
            "median",
            "p90",
            "max",
            "meaning",
        ];
        let rows = METRICS.iter().filter_map(|info| {
            let counts = self.findings.counts(info.metric)?;
            Some(self.metric_row(info, counts))
        });
        blocks.push(Block::Table {
            head: head.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        });
    }

    fn metric_row(&self, info: &MetricInfo, counts: &ValueCounts) -> Vec<Cell> {
        let name = if info.unit.is_empty() || info.unit == info.name {
            code(info.name)
        } else {
            vec![Piece::Code(info.name.into()), plain(format!(" {}", info.unit))]
        };
        let meaning = Cell::Line(text(info.meaning));
        let mut row = vec![Cell::Line(name)];
        if info.is_truth || counts.is_empty() {
            let of = |truth| counts.count(&analysis::Cell::Truth(truth));
            let all = of(true) + of(false);
            let description = match all {
                0 => "no dungeon has a value".to_owned(),
                all => format!("yes in {} of {}", grouped(of(true)), grouped(all)),
            };
            row.push(Cell::Line(text(description)));
            row.extend((0..5).map(|_| Cell::Number(String::new())));
            row.push(meaning);
            return row;
        }
        let value = |thousandths| {
            let value = self.findings.quantile(info.metric, thousandths);
            value.map_or_else(String::new, |value| shown(info, value))
        };
        row.push(if value(0) == value(1000) {
            Cell::Line(text(format!("always {}", value(0))))
        } else {
            Cell::Histogram(Histogram {
                counts: counts.histogram(BARS),
                ends: [value(0), value(1000)],
            })
        });
        let sorted = self.findings.sorted(info.metric);
        let interval = Interval::of_quantile(&sorted, 500, sorted.len() as u64);
        let interval = match (interval.low, interval.high) {
            (low, high) if low.is_finite() && high.is_finite() && low < high => {
                format!(" [{}, {}]", shown(info, low), shown(info, high))
            }
            _ => String::new(),
        };
        let median = value(500) + &interval;
        row.extend([value(0), value(100), median, value(900), value(1000)].map(Cell::Number));
        row.push(meaning);
        row
    }

    fn add_expectations(&self, blocks: &mut Vec<Block>) {
        blocks.push(Block::Heading("Expectations".into()));
        let expected = &self.findings.expectations;
        if expected.is_empty() {
            blocks.push(Block::Paragraph(text(
                "The design states no expectations. If it stated some, such as `path >= 180 in 95%`, this section would show whether they hold.",
            )));
            return;
        }
        blocks.push(Block::Paragraph(text(
            "An expectation is a promise of the design about its dungeons. It holds if the seeds of this report show, \
             with a confidence of 95%, that it is true over all seeds. It fails if they show that it is not, and needs \
             more seeds if they show neither. An expectation that every dungeon must meet is judged over the seeds of \
             this report alone. Brackets contain the 95% confidence interval for the share of all seeds whose \
             dungeons meet the expectation.",
        )));
        blocks.push(Block::Table {
            head: ["expectation", "verdict", "dungeons that meet it", "first that does not"]
                .map(str::to_owned)
                .to_vec(),
            rows: expected.iter().map(|one| self.expectation_row(one)).collect(),
        });
    }

    fn expectation_row(&self, one: &CheckedExpectation) -> Vec<Cell> {
        let verdict = &one.verdict;
        let sign = match verdict.outcome {
            Outcome::Holds => "✓",
            Outcome::Fails => "✗",
            Outcome::NeedsMoreSeeds => "?",
        };
        let met = if verdict.is_of_one {
            format!(
                "{} of {} ({})",
                grouped(verdict.met()),
                grouped(verdict.seeds),
                share(verdict.met(), verdict.seeds)
            )
        } else {
            one.explanation.clone()
        };
        let first = match verdict.failing.first() {
            _ if !verdict.is_of_one => Line::new(),
            Some(&seed) => {
                let mut line = code(self.command(seed));
                line.push(plain(format!(" ({})", one.explanation)));
                line
            }
            None => text("none"),
        };
        vec![
            Cell::Line(code(one.text.clone())),
            Cell::Line(vec![strong(format!("{sign}\u{a0}{}", verdict.description()))]),
            Cell::Line(text(met)),
            Cell::Line(first),
        ]
    }

    fn add_anomalies(&self, blocks: &mut Vec<Block>) {
        blocks.push(Block::Heading("Anomalies".into()));
        let summary = &self.findings.summary;
        if summary.anomalies.is_empty() {
            blocks.push(Block::Paragraph(text(
                "No dungeon has an anomaly: each has a path to its exit, no enclosed areas, all its rooms, and no straight corridor along the outer wall.",
            )));
            return;
        }
        blocks.push(Block::Paragraph(text(
            "The program searches every dungeon for anomalies, whether or not the design forbids them. It found these.",
        )));
        let rows = summary.anomalies.iter().map(|(anomaly, found)| {
            let named: Vec<String> = found.seeds.iter().take(NAMED).map(u64::to_string).collect();
            let more = if found.count > named.len() as u64 { ", …" } else { "" };
            let first = found
                .seeds
                .first()
                .map_or_else(Line::new, |seed| code(self.command(*seed)));
            vec![
                Cell::Line(text(anomaly.to_string())),
                Cell::Line(text(format!(
                    "{} of {} ({})",
                    grouped(found.count),
                    grouped(summary.dungeons),
                    share(found.count, summary.dungeons)
                ))),
                Cell::Line(text(named.join(", ") + more)),
                Cell::Line(first),
            ]
        });
        blocks.push(Block::Table {
            head: ["anomaly", "dungeons", "seeds", "first"].map(str::to_owned).to_vec(),
            rows: rows.collect(),
        });
    }

    fn add_design(&self, blocks: &mut Vec<Block>) {
        let layout = &self.design.layout;
        blocks.push(Block::Heading("The design".into()));
        blocks.push(Block::Paragraph(text(format!(
            "The map has {} × {} squares, with {}, {} and {} at the start. To open the design, save the text below as \
             a file with the extension .toml.",
            layout.size.x,
            layout.size.y,
            counted(layout.rooms.len(), "room"),
            counted(layout.vaults.len(), "vault"),
            counted(layout.crawlers.len(), "Crawler"),
        ))));
        blocks.push(Block::Code(native::write(self.design)));
    }

    fn add_provenance(&self, blocks: &mut Vec<Block>) {
        blocks.push(Block::Heading("How this report was made".into()));
        blocks.push(Block::Paragraph(vec![
            plain(format!("Wallcrawler {PROGRAM_VERSION} made this report with ")),
            Piece::Code(self.made_by.clone()),
            plain(". The same version, design and seeds make the same report. Digest of the design: "),
            Piece::Code(self.digest.clone()),
            plain("."),
        ]));
    }
}

/// Joins names with commas and `and`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_looks_like_0_or_100_percent_only_if_it_is() {
        let percent = |met, of| share(met, of).split(';').next().unwrap_or_default().to_owned();
        assert_eq!(percent(997, 1000), "99.7%");
        assert_eq!(percent(1999, 2000), "99.95%");
        assert_eq!(percent(1, 10_000), "0.01%");
        assert_eq!(percent(2000, 2000), "100%");
        assert_eq!(percent(0, 2000), "0%");
    }
}
