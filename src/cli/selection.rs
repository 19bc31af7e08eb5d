//! Options shared by the commands that grow dungeons from many seeds: which dungeons are included, and how they are
//! grown.

use std::ops::Range;

use clap::builder::RangedU64ValueParser;

use super::UNREADABLE;
use super::failure::Failure;
use super::seeds::{SeedRange, Shard};
use crate::analysis::{MetricLookup, MetricParts, evaluate};
use crate::background::SeedSurvey;
use crate::design::Design;
use crate::design::expect::{ExpectationError, Expression, absent, parse_condition};
use crate::document::SeededDesign;
use crate::engine::Options;

/// The option that replaces Jumpers with Crawlers.
#[derive(Debug, clap::Args)]
pub(super) struct BuilderArgs {
    /// Spawn a Crawler wherever JumperProb would produce a Jumper (Jumpers leave single columns instead of walls)
    #[arg(long)]
    no_columns: bool,
}

impl BuilderArgs {
    /// Returns the engine options.
    pub(super) const fn options(&self) -> Options {
        Options {
            columns: !self.no_columns,
        }
    }
}

/// Returns the option to append to a command that grows dungeons with these engine options.
pub(super) const fn columns_option(options: Options) -> &'static str {
    if options.columns { "" } else { " --no-columns" }
}

/// Returns a parser of numbers that may not be 0.
pub(super) fn at_least_one() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

/// Options that determine how dungeons are grown.
#[derive(Debug, clap::Args)]
pub(super) struct GrowthArgs {
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    threads: Option<usize>,
    #[command(flatten)]
    builders: BuilderArgs,
}

impl GrowthArgs {
    /// Returns the engine options.
    pub(super) const fn options(&self) -> Options {
        self.builders.options()
    }

    /// Returns the number of threads.
    pub(super) fn threads(&self) -> usize {
        self.threads.unwrap_or_else(crate::background::threads)
    }

    /// Returns whether the user passed any of these options.
    const fn is_given(&self) -> bool {
        self.threads.is_some() || self.builders.no_columns
    }

    /// Returns a survey of a design with these options.
    pub(super) fn survey(&self, seeded: SeededDesign) -> SeedSurvey {
        let mut survey = SeedSurvey::new(seeded, self.options());
        survey.threads = self.threads();
        survey
    }
}

/// Options that determine which dungeons are included, and how they are grown.
#[derive(Debug, clap::Args)]
pub(super) struct SelectionArgs {
    /// Use only dungeons that satisfy this condition: 'path > 250 and dead-ends < 30'
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<String>,
    /// Use one part of the seeds: 3/16 is the third of sixteen parts. Each part is a contiguous block of the seeds, in
    /// the order of --seeds
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    growth: GrowthArgs,
}

impl SelectionArgs {
    /// Returns the engine options.
    pub(super) const fn options(&self) -> Options {
        self.growth.options()
    }

    /// Returns whether the output is the first shard, or the run has no shards. By default, the CSV files of later
    /// shards have no header line.
    pub(super) fn is_first_shard(&self) -> bool {
        self.shard.is_none_or(Shard::is_first)
    }

    /// Returns whether the user passed any of these options. They affect only dungeons that the command grows.
    pub(super) const fn is_given(&self) -> bool {
        self.condition.is_some() || self.shard.is_some() || self.growth.is_given()
    }

    /// Returns the seeds that belong to the shard; without `--shard`, all seeds.
    pub(super) fn seeds(&self, seeds: &SeedRange) -> SeedRange {
        let part = self.shard.map(|shard| seeds.part(&shard.part(seeds.len())));
        part.unwrap_or_else(|| seeds.clone())
    }

    /// Returns the indices, out of `rows` rows, that belong to the shard; without `--shard`, all indices.
    pub(super) fn part(&self, rows: u64) -> Range<u64> {
        self.shard.map_or(0..rows, |shard| shard.part(rows))
    }

    /// Describes the seeds: `seeds 0 to 99, shard 3 of 16, where path > 250`.
    pub(super) fn label(&self, seeds: &SeedRange) -> String {
        let shard = self
            .shard
            .map_or_else(String::new, |shard| format!(", {}", shard.label()));
        let condition = self.condition.as_ref();
        let condition = condition.map_or_else(String::new, |text| format!(", where {text}"));
        format!("{}{shard}{condition}", seeds.label())
    }

    /// Returns a survey of a design with these options. The survey measures the standard metrics, and the metrics that
    /// the design's expectations and the condition need.
    pub(super) fn survey(&self, seeded: SeededDesign) -> SeedSurvey {
        let parts = MetricParts::of_design(seeded.design());
        self.survey_of_parts(seeded, parts)
    }

    /// Returns a survey of a design with these options. The survey measures only the given parts of the metrics, and
    /// the parts that the condition needs.
    pub(super) fn survey_of_parts(&self, seeded: SeededDesign, parts: MetricParts) -> SeedSurvey {
        let mut survey = self.growth.survey(seeded);
        survey.parts = parts;
        if let Some(condition) = self.condition.as_ref().and_then(|text| parse_condition(text).ok()) {
            survey.parts = survey.parts.and(MetricParts::of_expression(&condition));
        }
        survey
    }

    /// Parses the condition; fails if it is invalid or names something that the design lacks.
    pub(super) fn condition(&self, design: &Design) -> Result<Selection, Failure> {
        let text = self.condition.as_ref();
        let condition = text.map(|text| expression("--where", text, parse_condition, design));
        Ok(Selection(condition.transpose()?))
    }
}

/// A condition that selects dungeons; `None` selects all dungeons.
#[derive(Debug, Clone)]
pub(super) struct Selection(Option<Expression>);

impl Selection {
    /// Returns whether the dungeon with these metrics is selected.
    pub(super) fn includes(&self, metrics: &impl MetricLookup) -> bool {
        let condition = self.0.as_ref();
        condition.is_none_or(|condition| evaluate(condition, metrics, &()).holds())
    }

    /// Returns the condition, if there is one.
    pub(super) const fn condition(&self) -> Option<&Expression> {
        self.0.as_ref()
    }
}

/// Parses `text`, the value of the option `name`, with `parse`. Fails if the text is invalid or names something that
/// the design lacks.
pub(super) fn expression(
    name: &str,
    text: &str,
    parse: impl Fn(&str) -> Result<Expression, ExpectationError>,
    design: &Design,
) -> Result<Expression, Failure> {
    let problems = match parse(text) {
        Ok(expression) => match absent(&expression, text, design) {
            problems if problems.is_empty() => return Ok(expression),
            problems => problems,
        },
        Err(problem) => vec![problem],
    };
    let diagnostics = problems.iter().map(|problem| problem.description(name, text));
    Err(Failure::new(UNREADABLE, diagnostics.collect()))
}
