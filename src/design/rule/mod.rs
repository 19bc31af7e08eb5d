//! Rules that change numbers of a design. A rule is parsed from one line of text and applied to a design.
//!
//! Examples: `CorridorWidth 4 -> 3`, `MaxAge * 2 in 3-9`, `all 100 -> 90`, `dimX, dimY -> 60`, `width + 1 in room 2`.
//! The text of a rule consists of one or several parameters, an optional condition on the old value (such as `4` or
//! `> 20`), a new value or a change, and optionally the records (such as generations or rooms) that contain the
//! parameters. Values are never clamped: if one new value would be out of range, the whole rule is rejected.
//!
//! A rule consists of a [`RuleTarget`] (which numbers to change) and a [`RuleChange`] (how to change them), so that
//! `wallcrawler sweep` can combine one target with many changes.

mod parse;
#[cfg(test)]
mod tests;
mod text;

use std::fmt;
use std::ops::{Range, RangeInclusive};

use serde::{Deserialize, Serialize};

use super::{Design, Entry, GENERATIONS, List, Parameter, VaultField};
use crate::text::counted;

/// A parsed rule. Serialized as the text of the rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "text::SavedRule", into = "String")]
pub struct Rule {
    /// The numbers to change.
    pub target: RuleTarget,
    /// How to change them.
    pub change: RuleChange,
}

/// The numbers that a rule changes: parameters of some records, restricted to values that meet a condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RuleTarget {
    /// The parameters, each with the kind of record that contains it.
    fields: Vec<(RecordKind, Parameter)>,
    condition: Condition,
    /// Indices of the records, from 0; `None` for all records. An end of `usize::MAX` means up to the last record.
    numbers: Option<RangeInclusive<usize>>,
}

/// A change to a number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleChange {
    /// Replaces the number with this value.
    To(i32),
    /// Adds this value, which may be negative.
    Add(i32),
    /// Multiplies the number by this factor and rounds the result.
    Times(f64),
}

/// An error in the text of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleError {
    /// Byte range of the offending part of the text.
    pub span: Range<usize>,
    /// Description of the error, without a full stop.
    pub message: String,
    /// Advice on what to do, without a full stop; may be empty.
    pub help: String,
}

/// The reason why a rule cannot be applied to a design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApplyError {
    /// The design lacks a record that the rule names.
    NoRecord {
        /// Singular name of the record's kind, such as `room`.
        singular: &'static str,
        /// Plural of that name.
        plural: String,
        /// Number of the record as the user writes it.
        number: usize,
        /// Number of the first record as the user writes it: 0 for generations, 1 for other records.
        first: usize,
        /// How many such records the design has.
        count: usize,
    },
    /// The rule changes `seed`, a parameter of vaults, and the design has no vaults. The design's seed is not a
    /// parameter.
    NoVaultSeed,
    /// At least one new value would be out of range.
    OutOfRange {
        /// Record that contains the first such value.
        entry: Entry,
        /// Parameter of the first such value.
        parameter: Parameter,
        /// Value that the parameter would get.
        after: i64,
        /// Number of further values that would be out of range.
        more: usize,
    },
}

/// A value that a rule changes, before and after the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "text::SavedReplacedValue")]
pub struct ReplacedValue {
    /// Record that contains the value.
    pub entry: Entry,
    /// Parameter that has the value.
    pub parameter: Parameter,
    /// Old value.
    pub before: i32,
    /// New value.
    pub after: i32,
}

/// A kind of record in a design. All records of one kind have the same fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RecordKind {
    /// A record that exists once.
    Single(Entry),
    /// The records of a list.
    List(List),
    /// The generations.
    Generations,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Condition {
    Any,
    Within(RangeInclusive<i32>),
    Not(i32),
}

impl RecordKind {
    /// Every kind, in the order in which parameter names are searched.
    const ALL: [Self; 11] = [
        Self::Generations,
        Self::Single(Entry::Constants),
        Self::Single(Entry::Dimensions),
        Self::Single(Entry::Protuberances),
        Self::Single(Entry::Limits),
        Self::List(List::Rooms),
        Self::List(List::Crawlers),
        Self::List(List::Vaults),
        Self::List(List::Open),
        Self::List(List::Walls),
        Self::List(List::Columns),
    ];

    /// Returns the parameters of a record of this kind.
    const fn parameters(self) -> &'static [Parameter] {
        self.entry(0).parameters()
    }

    /// Returns the record of this kind at an index. For a record that exists once, the index is ignored.
    const fn entry(self, index: usize) -> Entry {
        match self {
            Self::Single(entry) => entry,
            Self::List(list) => list.entry(index),
            Self::Generations => Entry::Generation(index),
        }
    }

    /// Returns how many records of this kind a design has.
    fn count(self, design: &Design) -> usize {
        match self {
            Self::Single(_) => 1,
            Self::List(list) => list.len(&design.layout),
            Self::Generations => GENERATIONS,
        }
    }

    /// Returns the number that the user writes for the first record: 1 in lists, 0 for generations.
    const fn first(self) -> usize {
        match self {
            Self::List(_) => 1,
            Self::Single(_) | Self::Generations => 0,
        }
    }

    /// Returns the singular name of the records, for use in messages.
    const fn name(self) -> &'static str {
        match self {
            Self::Single(Entry::Dimensions) => "dimensions",
            Self::Single(Entry::Limits) => "limits",
            Self::Single(Entry::Protuberances) => "outer wall",
            Self::Single(_) => "constants",
            Self::List(list) => list.singular(),
            Self::Generations => "generation",
        }
    }

    /// Returns the plural name of the records, for use in messages.
    fn plural(self) -> String {
        match self {
            Self::Single(_) => self.name().to_owned(),
            _ => format!("{}s", self.name()),
        }
    }

    /// Returns the records with the given indices (`None`: all records), or an error if the design lacks one of them.
    fn entries(
        self,
        numbers: Option<&RangeInclusive<usize>>,
        design: &Design,
    ) -> Result<impl Iterator<Item = Entry>, ApplyError> {
        let count = self.count(design);
        let all = 0..=count.saturating_sub(1);
        let numbers = numbers.unwrap_or(&all);
        let last = match *numbers.end() {
            usize::MAX => count.saturating_sub(1).max(*numbers.start()),
            end => end,
        };
        if last < count {
            return Ok((*numbers.start()..=last).map(move |index| self.entry(index)));
        }
        Err(ApplyError::NoRecord {
            singular: self.name(),
            plural: self.plural(),
            number: last.max(*numbers.start()) + self.first(),
            first: self.first(),
            count,
        })
    }
}

impl Rule {
    /// Parses a rule such as `MaxAge -> 3`.
    ///
    /// # Errors
    ///
    /// Returns the part of the text that could not be parsed, with a description and, where possible, advice.
    pub fn read(text: &str) -> Result<Self, RuleError> {
        parse::rule(text)
    }

    /// Returns the values that the rule would change in a design, without changing the design. Values that already
    /// equal their new value are left out.
    ///
    /// # Errors
    ///
    /// Fails if the design lacks a record that the rule names, or if a new value would be out of range.
    pub fn replaced(&self, design: &Design) -> Result<Vec<ReplacedValue>, ApplyError> {
        let mut replaced = Vec::new();
        let (mut rejected, mut first) = (0_usize, None);
        for (entry, parameter, before) in self.target.values(design)? {
            let (info, after) = (parameter.info(), self.change.of(before));
            if !(i64::from(info.min)..=i64::from(info.max)).contains(&after) {
                rejected += 1;
                first.get_or_insert((entry, parameter, after));
            } else if after != i64::from(before) {
                let after = after as i32;
                replaced.push(ReplacedValue {
                    entry,
                    parameter,
                    before,
                    after,
                });
            }
        }
        match first {
            None => Ok(replaced),
            Some((entry, parameter, after)) => Err(ApplyError::OutOfRange {
                entry,
                parameter,
                after,
                more: rejected - 1,
            }),
        }
    }

    /// Applies the rule to a design, and returns the values that it changed.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`Self::replaced`]; the design is then unchanged.
    pub fn apply(&self, design: &mut Design) -> Result<Vec<ReplacedValue>, ApplyError> {
        let replaced = self.replaced(design)?;
        for one in &replaced {
            one.put(design);
        }
        Ok(replaced)
    }
}

impl RuleTarget {
    /// Parses the target of a rule, which is the text of a rule without the change: `MaxAge in 3-9`.
    ///
    /// # Errors
    ///
    /// Returns the part of the text that could not be parsed, with a description and, where possible, advice.
    pub fn read(text: &str) -> Result<Self, RuleError> {
        parse::target(text)
    }

    /// Returns whether the target selects records by their numbers: `MaxAge in 3` does, `MaxAge` means all generations.
    pub fn names_records(&self) -> bool {
        self.numbers.is_some()
    }

    /// Returns the address and the value of each number that the target names and that meets the condition.
    ///
    /// # Errors
    ///
    /// Fails if the design lacks a record that the target names.
    pub fn values(&self, design: &Design) -> Result<Vec<(Entry, Parameter, i32)>, ApplyError> {
        let mut values = Vec::new();
        let mut kinds: Vec<RecordKind> = Vec::new();
        for (kind, _) in &self.fields {
            if !kinds.contains(kind) {
                kinds.push(*kind);
            }
        }
        let is_seed = self
            .fields
            .iter()
            .all(|(_, parameter)| *parameter == VaultField::Seed.into());
        for kind in kinds {
            if is_seed && kind == RecordKind::List(List::Vaults) && kind.count(design) == 0 {
                return Err(ApplyError::NoVaultSeed);
            }
            for entry in kind.entries(self.numbers.as_ref(), design)? {
                let own = self.fields.iter().filter(|(of, _)| *of == kind);
                let numbers =
                    own.filter_map(|(_, parameter)| Some((entry, *parameter, design.get(entry, *parameter)?)));
                values.extend(numbers.filter(|(.., value)| self.condition.holds(*value)));
            }
        }
        Ok(values)
    }
}

impl RuleChange {
    /// Parses the change of a rule: `-> 3`, `3`, `+ 5`, `* 1.5`.
    ///
    /// # Errors
    ///
    /// Returns the part of the text that could not be parsed, with a description and, where possible, advice.
    pub fn read(text: &str) -> Result<Self, RuleError> {
        parse::change(text)
    }

    /// Applies the change to a number, and returns the result, which may be out of the parameter's range.
    pub fn of(self, value: i32) -> i64 {
        match self {
            Self::To(to) => to.into(),
            Self::Add(by) => i64::from(value) + i64::from(by),
            Self::Times(factor) => (f64::from(value) * factor).round() as i64,
        }
    }
}

impl ReplacedValue {
    /// Writes the new value into a design.
    pub fn put(self, design: &mut Design) {
        design.set(self.entry, self.parameter, self.after);
    }

    /// Returns the name of the value: `MaxAge of generation 3`, `width of room 2`, `dimX`.
    pub fn label(self) -> String {
        label(self.entry, self.parameter)
    }
}

/// Returns the name of a value: `MaxAge of generation 3`, `width of room 2`, `dimX`.
fn label(entry: Entry, parameter: Parameter) -> String {
    let name = parameter.info().name;
    match entry {
        Entry::Generation(_) => format!("{name} of {}", entry.label()),
        _ if entry.list().is_some() => format!("{name} of {}", entry.label()),
        _ => name.to_owned(),
    }
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoVaultSeed => f.write_str(
                "`seed` in a rule is the seed of vaults, and the design has no vaults; set the design's seed with --seed, \
                 or with `seed` in a request",
            ),
            Self::NoRecord { plural, count: 0, .. } => write!(f, "the design has no {plural}"),
            Self::NoRecord {
                singular,
                number,
                first,
                count: 1,
                ..
            } => write!(f, "there is no {singular} {number}; the design has only {singular} {first}"),
            Self::NoRecord {
                singular,
                plural,
                number,
                first,
                count,
            } => {
                let last = first + count - 1;
                write!(
                    f,
                    "there is no {singular} {number}; the design has {plural} {first} to {last}"
                )
            }
            Self::OutOfRange {
                entry,
                parameter,
                after,
                more,
            } => {
                let (name, info) = (label(*entry, *parameter), parameter.info());
                write!(
                    f,
                    "{name} would be {after}, which is outside the range {} to {}",
                    info.min, info.max
                )?;
                if *more > 0 {
                    write!(
                        f,
                        "; {} would also be out of range",
                        counted(*more as u64, "other value")
                    )
                } else {
                    Ok(())
                }
            }
        }
    }
}

impl std::error::Error for ApplyError {}

impl Condition {
    fn holds(&self, value: i32) -> bool {
        match self {
            Self::Any => true,
            Self::Within(range) => range.contains(&value),
            Self::Not(other) => value != *other,
        }
    }
}
