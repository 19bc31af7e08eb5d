//! Expectations: conditions on a dungeon's metrics, written by the author of a design in a small language.
//!
//! ```text
//! reachable
//! path >= 180 in 95%
//! found in 120..300 in 90%
//! share(generation 3) <= 0.35 and dead-ends < loops * 4
//! median dead-ends <= 40
//! crosses room 2
//! path to boss >= 80
//! ```
//!
//! A condition is checked in each dungeon. It must be true for every seed or, if it ends with `in 95%`, for at least
//! 95% of the seeds. `median`, `mean`, `least`, `most` and `p90` aggregate a metric over all seeds. Commands that
//! filter seeds use the same language. The tables [`METRICS`] and [`SIGHT_METRICS`] define the names and meanings of
//! all metrics; the analysis computes the values, and this module does not depend on dungeons. Case does not matter in
//! names, and an underscore may replace a hyphen: `dead_ends` is `dead-ends`. The name of a place is written in double
//! quotes, or with hyphens in place of spaces: `reaches story-hook`. `=`, `≤` and `≥` may be written for `==`, `<=` and
//! `>=`.
//!
//! ```text
//! expectation = condition [ "in" number "%" ]
//! condition   = both { "or" both }
//! both        = one { "and" one }
//! one         = "not" one | value [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) value | "in" value ".." value ]
//! value       = term { ( "+" | "-" ) term }
//! term        = factor { ( "*" | "/" ) factor }
//! factor      = number [ "%" ] | "-" factor | "(" condition ")" | over factor | metric
//! over        = "median" | "mean" | "least" | "most" | "p" digits
//! metric      = NAME | ( "crosses" | "needs" | "severs" ) ( "room" | "vault" ) number
//!             | ( "reaches" | "path" "to" ) place
//!             | "share" "(" ( "generation" number | "width" number [ ".." [ number ] ] ) ")"
//! ```

mod metric;
mod parse;
mod place_name;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use metric::{AreaIndex, AreaPredicate, DungeonMetric, METRICS, Metric, MetricInfo, SIGHT_METRICS, all_metrics};
use parse::named_in;
pub(super) use parse::renumbered;
pub use parse::{parse, parse_condition, parse_value};
pub use place_name::PlaceName;

use super::{Design, Diagnostic, Entry, Place, SourcePosition};
use crate::geometry::Point;
use crate::text::did_you_mean;

/// Maximum number of expectations in a design. The number is limited because each expectation is evaluated for every
/// dungeon and has a row in a panel.
pub const MOST_EXPECTATIONS: usize = 1_000;

/// Returns the error for a design with more than [`MOST_EXPECTATIONS`] expectations.
pub(crate) fn too_many(count: usize) -> Option<Diagnostic> {
    (count > MOST_EXPECTATIONS).then(|| {
        Diagnostic::error(format!(
            "{count} expectations; a design has at most {MOST_EXPECTATIONS}"
        ))
        .help("remove some, or join them with `and`")
    })
}

/// The expectations of a design, with the entrance and exit to which they refer. Only the native format stores them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Expectations {
    /// Square of the entrance; `None` for the open square nearest the top left corner.
    pub entrance: Option<Point>,
    /// Square of the exit; `None` for the open square nearest the bottom right corner.
    pub exit: Option<Point>,
    /// Text of each expectation, as the author wrote it; it may be invalid.
    pub that: Vec<String>,
}

impl Expectations {
    /// Returns whether all values are the defaults; if so, nothing has to be written to a file.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Design {
    /// Returns whether two designs are equal apart from their expectations and named places. Such designs grow the same
    /// dungeons.
    pub fn grows_like(&self, other: &Self) -> bool {
        if self.expect == other.expect && self.layout.places == other.layout.places {
            return self == other;
        }
        let mut other = other.clone();
        other.expect.clone_from(&self.expect);
        other.layout.places.clone_from(&self.layout.places);
        other == *self
    }

    /// Returns the design without its seed and without the fields that do not affect the metrics of its dungeons: name,
    /// notes and the texts of the expectations. If two designs are equal without these fields, they have the same
    /// metrics for the same seeds.
    #[must_use]
    pub fn measured(&self) -> Self {
        Self {
            seed: 0,
            name: String::new(),
            notes: String::new(),
            expect: Expectations {
                that: Vec::new(),
                ..self.expect.clone()
            },
            ..self.clone()
        }
    }
}

/// A parsed expectation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// Condition that must be true.
    pub condition: Expression,
    /// Share of the seeds, from 0 to 1, for which the condition must be true; `None` requires all seeds.
    pub share: Option<f64>,
}

impl Expectation {
    /// Returns whether every dungeon must meet the expectation, so that a single dungeon can fail it. Returns `false`
    /// if only a share of the dungeons must meet it, or if the condition depends on an aggregate over many dungeons.
    pub fn is_of_each(&self) -> bool {
        let mut over = false;
        self.condition.metrics(&mut |_, is_over| over |= is_over);
        !over && self.share.is_none_or(|share| share >= 1.0)
    }
}

/// An expression over metrics: a number or a boolean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expression {
    /// A number.
    Number(f64),
    /// A metric of a dungeon.
    #[serde(alias = "figure")]
    Metric(Metric),
    /// A value, aggregated over all dungeons.
    Over(Aggregate, Box<Self>),
    /// The negated number.
    Minus(Box<Self>),
    /// The negated condition.
    Not(Box<Self>),
    /// Two expressions joined by an operator.
    Two(Operator, Box<[Self; 2]>),
}

/// The aggregation of a value over many dungeons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// The mean.
    Mean,
    /// The quantile, given in thousandths: 0 is the minimum, 500 the median, 1000 the maximum.
    Quantile(u16),
}

/// An operator between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// True if both conditions are true.
    And,
    /// True if at least one condition is true.
    Or,
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Times,
    /// Quotient.
    Divide,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`
    Differs,
}

impl Expression {
    /// Calls `visit` for every metric in the expression. The flag says whether the metric is inside an aggregate
    /// ([`Self::Over`]).
    pub fn metrics(&self, visit: &mut impl FnMut(Metric, bool)) {
        self.each_metric(false, visit);
    }

    fn each_metric(&self, over: bool, visit: &mut impl FnMut(Metric, bool)) {
        match self {
            Self::Number(_) => {}
            Self::Metric(metric) => visit(*metric, over),
            Self::Over(_, inner) => inner.each_metric(true, visit),
            Self::Minus(inner) | Self::Not(inner) => inner.each_metric(over, visit),
            Self::Two(_, two) => two.iter().for_each(|one| one.each_metric(over, visit)),
        }
    }

    /// Returns whether the expression has its own value for each dungeon, that is, whether at least one of its metrics
    /// is not aggregated.
    pub fn is_of_one(&self) -> bool {
        let mut of_one = false;
        self.metrics(&mut |_, over| of_one |= !over);
        of_one
    }
}

impl fmt::Display for Aggregate {
    /// Writes the aggregate in expression syntax.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mean => f.write_str("mean"),
            Self::Quantile(0) => f.write_str("least"),
            Self::Quantile(500) => f.write_str("median"),
            Self::Quantile(1000) => f.write_str("most"),
            Self::Quantile(thousandths) => write!(f, "p{}", thousandths / 10),
        }
    }
}

impl Operator {
    /// Returns the operator in expression syntax.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Or => "or",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Times => "*",
            Self::Divide => "/",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::AtLeast => ">=",
            Self::Equal => "==",
            Self::Differs => "!=",
        }
    }
}

impl fmt::Display for Expression {
    /// Writes the expression in the syntax of expectations, with parentheses around compound operands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let closed = |one: &Self| match one {
            Self::Number(_) | Self::Metric(_) => one.to_string(),
            _ => format!("({one})"),
        };
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Metric(metric) => write!(f, "{metric}"),
            Self::Over(over, of) => write!(f, "{over} {}", closed(of)),
            Self::Minus(of) => write!(f, "-{}", closed(of)),
            Self::Not(of) => write!(f, "not {}", closed(of)),
            Self::Two(operator, two) => write!(f, "{} {} {}", closed(&two[0]), operator.sign(), closed(&two[1])),
        }
    }
}

/// An error in an expectation or another expression, with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpectationError {
    /// Byte range of the error in the text.
    pub span: Range<usize>,
    /// Description of the error, without a full stop.
    pub message: String,
    /// Advice on what to do, without a full stop; may be empty.
    pub help: String,
}

impl ExpectationError {
    /// Returns the error as a warning about the expectation with this index, from 0.
    pub fn about(&self, index: usize) -> Diagnostic {
        Diagnostic::warning(format!("{}; the expectation is not checked", self.message))
            .at(Place::entry(Entry::Expectation(index)))
            .help(self.help.clone())
    }

    /// Returns the error as a diagnostic about a one-line text that is called `name`, such as a command-line option.
    pub fn description(&self, name: &str, text: &str) -> Diagnostic {
        let (before, rest) = text.split_at(self.span.start);
        let (marked, after) = rest.split_at(self.span.len());
        Diagnostic::error(self.message.clone())
            .help(self.help.clone())
            .from_source(SourcePosition::in_line(
                name,
                1,
                [before, marked, after],
                self.span.clone(),
                false,
            ))
    }
}

/// Returns the problems in an expectation of a design: a syntax error, or an error for each room, vault and named place
/// that the expectation refers to and that the design lacks.
pub fn problems(text: &str, design: &Design) -> Vec<ExpectationError> {
    match parse(text) {
        Ok(expectation) => absent(&expectation.condition, text, design),
        Err(problem) => vec![problem],
    }
}

/// Returns an error for each room, vault and named place that an expression refers to and that the design lacks.
pub fn absent(expression: &Expression, text: &str, design: &Design) -> Vec<ExpectationError> {
    let mut problems = Vec::new();
    expression.metrics(&mut |metric, _| {
        let absent = match metric {
            Metric::Reaches(name) | Metric::PathTo(name) => absent_place(name, design),
            Metric::Area(_, area) => absent_area(area, design),
            Metric::Plain(_) | Metric::Generation(_) | Metric::Widths(..) => None,
        };
        let Some([message, help]) = absent else { return };
        let span = named_in(text, metric);
        let problem = ExpectationError { span, message, help };
        // The expression of `path to boss in 1..9` contains the metric twice.
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    });
    problems
}

/// Returns the message and the advice of an error if the design has no room or vault with this number.
pub fn absent_area(area: AreaIndex, design: &Design) -> Option<[String; 2]> {
    let (count, index) = match area {
        AreaIndex::Room(index) => (design.layout.rooms.len(), index),
        AreaIndex::Vault(index) => (design.layout.vaults.len(), index),
    };
    if index < count {
        return None;
    }
    let label = area.label();
    let kind = label.split(' ').next().unwrap_or_default();
    let help = match count {
        0 => format!("the design has no {kind}s"),
        1 => format!("the design has only one {kind}: {kind} 1"),
        _ => format!("the design has {kind}s 1 to {count}"),
    };
    Some([format!("there is no {label}"), help])
}

/// Returns the message and the advice of an error if the design has no place with this name.
fn absent_place(name: PlaceName, design: &Design) -> Option<[String; 2]> {
    let places = design.layout.places.iter();
    let names: BTreeSet<PlaceName> = places.filter_map(|place| PlaceName::new(&place.name)).collect();
    if names.contains(&name) {
        return None;
    }
    let all: Vec<&str> = names.iter().map(PlaceName::as_str).collect();
    let help = did_you_mean(name.as_str(), all.iter().copied()).unwrap_or_else(|| match &all[..] {
        [] => "the design has no named places; add one under [[place]]".into(),
        [one] => format!("the design has only the place `{one}`"),
        all => format!("the design's places are {}", all.join(", ")),
    });
    Some([format!("there is no place `{name}`"), help])
}

#[cfg(test)]
mod tests;
