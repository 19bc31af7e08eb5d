//! What an author expects of a dungeon: a small language of conditions on its figures.
//!
//! ```text
//! reachable
//! path >= 180 in 95 %
//! share(generation 3) <= 0.35 and dead-ends < loops * 4
//! median dead-ends <= 40
//! crosses room 2
//! ```
//!
//! A condition speaks of one dungeon, and shall hold for every seed; with `in 95 %` at its end, for so many of a
//! hundred. `median`, `mean`, `least`, `most` and `p90` make one number of a figure over all seeds. The same language
//! filters seeds. [`FIGURES`] is the one table of the figures' names and meanings; what their values are is found
//! elsewhere. Nothing here knows of dungeons.
//!
//! ```text
//! expectation = condition [ "in" number "%" ]
//! condition   = both { "or" both }
//! both        = one { "and" one }
//! one         = "not" one | value [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) value ]
//! value       = term { ( "+" | "-" ) term }
//! term        = factor { ( "*" | "/" ) factor }
//! factor      = number [ "%" ] | "-" factor | "(" condition ")" | over factor | figure
//! over        = "median" | "mean" | "least" | "most" | "p" digits
//! figure      = NAME | ( "crosses" | "needs" | "severs" ) ( "room" | "vault" ) number
//!             | "share" "(" ( "generation" number | "width" number [ ".." [ number ] ] ) ")"
//! ```

mod metric;
mod parse;

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use metric::{AreaIndex, AreaPredicate, DungeonMetric, FIGURES, Metric, MetricInfo};
pub use parse::{parse, parse_condition, parse_value};

use super::{Design, Diagnostic, Entry, Place, SourcePosition};
use crate::geometry::Point;

/// Most expectations of a design: each is evaluated for every dungeon, and has a row in a panel.
pub const MOST_EXPECTATIONS: usize = 1_000;

/// Returns the error of a design with more expectations than that.
pub(crate) fn too_many(count: usize) -> Option<Diagnostic> {
    (count > MOST_EXPECTATIONS).then(|| {
        Diagnostic::error(format!(
            "{count} expectations; a design has at most {MOST_EXPECTATIONS}"
        ))
        .help("remove some, or join them with 'and'")
    })
}

/// What the native format keeps of an author's expectations.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Expectations {
    /// Where the dungeon is entered; `None` for the open square nearest the left top corner.
    pub entrance: Option<Point>,
    /// Where it is left; `None` for the open square nearest the right bottom corner.
    pub exit: Option<Point>,
    /// The expectations as they were written, right or wrong.
    pub that: Vec<String>,
}

impl Expectations {
    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Design {
    /// Whether another design grows the same dungeons: one that differs in what is expected at most.
    pub fn grows_like(&self, other: &Self) -> bool {
        if self.expect == other.expect {
            return self == other;
        }
        let expect = self.expect.clone();
        Self {
            expect,
            ..other.clone()
        } == *self
    }

    /// What is wrong with its expectations, with their places.
    pub fn expectation_problems(&self) -> Vec<Diagnostic> {
        let texts = self.expect.that.iter().enumerate();
        texts
            .flat_map(|(index, text)| {
                problems(text, self)
                    .into_iter()
                    .map(move |problem| problem.about(index))
            })
            .collect()
    }
}

/// An expectation that was understood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// What shall hold.
    pub condition: Expression,
    /// For which share of the seeds, where it need not hold for all of them.
    pub share: Option<f64>,
}

/// A number or a truth that is made of figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expression {
    /// A number.
    Number(f64),
    /// A figure of a dungeon.
    Figure(Metric),
    /// A figure over all dungeons.
    Over(Aggregate, Box<Self>),
    /// The other sign.
    Minus(Box<Self>),
    /// The opposite.
    Not(Box<Self>),
    /// Two of them joined.
    Two(Operator, Box<[Self; 2]>),
}

/// How a value of many dungeons becomes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// The mean.
    Mean,
    /// The value below or at which so many in a thousand lie: 0 the least, 500 the median, 1000 the most.
    Quantile(u16),
}

/// What joins two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// Both hold.
    And,
    /// At least one holds.
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
    /// Visits every figure in it, with whether it stands under an [`Over`].
    pub fn figures(&self, visit: &mut impl FnMut(Metric, bool)) {
        self.each_figure(false, visit);
    }

    fn each_figure(&self, over: bool, visit: &mut impl FnMut(Metric, bool)) {
        match self {
            Self::Number(_) => {}
            Self::Figure(figure) => visit(*figure, over),
            Self::Over(_, inner) => inner.each_figure(true, visit),
            Self::Minus(inner) | Self::Not(inner) => inner.each_figure(over, visit),
            Self::Two(_, two) => two.iter().for_each(|one| one.each_figure(over, visit)),
        }
    }

    /// Whether it speaks of each dungeon by itself, not only of all of them together.
    pub fn is_of_one(&self) -> bool {
        let mut of_one = false;
        self.figures(&mut |_, over| of_one |= !over);
        of_one
    }
}

impl fmt::Display for Aggregate {
    /// As it is written.
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
    /// As it is written.
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
    /// As it may be written: whatever is joined to something else stands in parentheses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let closed = |one: &Self| match one {
            Self::Number(_) | Self::Figure(_) => one.to_string(),
            _ => format!("({one})"),
        };
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Figure(figure) => write!(f, "{figure}"),
            Self::Over(over, of) => write!(f, "{over} {}", closed(of)),
            Self::Minus(of) => write!(f, "-{}", closed(of)),
            Self::Not(of) => write!(f, "not {}", closed(of)),
            Self::Two(operator, two) => write!(f, "{} {} {}", closed(&two[0]), operator.sign(), closed(&two[1])),
        }
    }
}

/// What is wrong with a text of this language, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpectationError {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// What is wrong, without a full stop.
    pub message: String,
    /// What to do, without a full stop; may be empty.
    pub help: String,
}

impl ExpectationError {
    /// A warning about one of a design's expectations.
    pub fn about(&self, index: usize) -> Diagnostic {
        Diagnostic::warning(format!("{}; the expectation is not checked", self.message))
            .at(Place::entry(Entry::Expectation(index)))
            .help(self.help.clone())
    }

    /// An error with the place in a text of one line that stands under this name, as on a command line.
    pub fn told(&self, name: &str, text: &str) -> Diagnostic {
        let column = text[..self.span.start].chars().count() as u32 + 1;
        Diagnostic::error(self.message.clone())
            .help(self.help.clone())
            .from_source(SourcePosition {
                file: name.to_owned(),
                line: 1,
                column,
                span: self.span.clone(),
                text: text[self.span.clone()].to_owned(),
            })
    }
}

/// What is wrong with an expectation in a design: its words, or rooms and vaults that the design has not.
pub fn problems(text: &str, design: &Design) -> Vec<ExpectationError> {
    match parse(text) {
        Ok(expectation) => absent(&expectation.condition, text, design),
        Err(problem) => vec![problem],
    }
}

/// The rooms and vaults that an expression names and a design has not.
pub fn absent(expression: &Expression, text: &str, design: &Design) -> Vec<ExpectationError> {
    let mut problems = Vec::new();
    expression.figures(&mut |figure, _| {
        let Metric::Area(_, area) = figure else { return };
        let (count, index) = match area {
            AreaIndex::Room(index) => (design.layout.rooms.len(), index),
            AreaIndex::Vault(index) => (design.layout.vaults.len(), index),
        };
        if index < count {
            return;
        }
        let label = area.label();
        let start = text.find(&label).unwrap_or(0);
        let kind = label.split(' ').next().unwrap_or_default();
        problems.push(ExpectationError {
            span: start..(start + label.len()).min(text.len()),
            message: format!("there is no {label}"),
            help: match count {
                0 => format!("the design has no {kind}s"),
                1 => format!("the design has {kind} 1 only"),
                _ => format!("the design has {kind}s 1 to {count}"),
            },
        });
    });
    problems
}

#[cfg(test)]
mod tests;
