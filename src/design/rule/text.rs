//! Formats rules as text, and converts rules and replaced values from the forms in which they are saved.

use std::fmt;
use std::ops::RangeInclusive;

use serde::Deserialize;

use super::{Condition, RecordKind, ReplacedValue, Rule, RuleChange, RuleError, RuleTarget};
use crate::design::fields::SavedName;
use crate::design::{Entry, GENERATIONS, Parameter, Stat};

impl fmt::Display for Condition {
    /// Writes a space and the condition; writes nothing for [`Condition::Any`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => Ok(()),
            Self::Not(value) => write!(f, " != {value}"),
            Self::Within(range) => match (*range.start(), *range.end()) {
                (i32::MIN, end @ 0..) => write!(f, " <= {end}"),
                (i32::MIN, end) => write!(f, " < {}", end + 1),
                (start, end) if start == end => write!(f, " {start}"),
                (start, i32::MAX) => write!(f, " >= {start}"),
                (start, end) => write!(f, " {start}-{end}"),
            },
        }
    }
}

impl RuleTarget {
    /// Writes the names of the parameters, or `all`.
    fn write_fields(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_all = self.fields.len() == Stat::ALL.len()
            && self
                .fields
                .iter()
                .zip(Stat::ALL)
                .all(|(one, stat)| one.1 == Parameter::Stat(*stat));
        if is_all {
            f.write_str("all")?;
        } else {
            for (at, (_, parameter)) in self.fields.iter().enumerate() {
                let comma = if at > 0 { ", " } else { "" };
                write!(f, "{comma}{}", parameter.info().name)?;
            }
        }
        Ok(())
    }

    /// Writes ` in` and the records: ` in room 2`, ` in rooms`, ` in 3-9`. Writes nothing if the rule applies to all
    /// generations or to records of several kinds, or if a design has only one record of this kind.
    fn write_records(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.fields.first().map(|(kind, _)| *kind);
        let kind = kind.filter(|kind| self.fields.iter().all(|(of, _)| of == kind));
        let name = match (kind, &self.numbers) {
            (Some(kind @ RecordKind::List(_)), Some(numbers)) if numbers.start() == numbers.end() => {
                format!("{} ", kind.name())
            }
            (Some(kind @ RecordKind::List(_)), Some(_)) => format!("{} ", kind.plural()),
            (Some(kind @ RecordKind::List(_)), None) => return write!(f, " in {}", kind.plural()),
            _ => String::new(),
        };
        let (Some(kind), Some(numbers)) = (kind, &self.numbers) else {
            return Ok(());
        };
        let start = numbers.start() + kind.first();
        match *numbers.end() {
            end if end == *numbers.start() => write!(f, " in {name}{start}"),
            usize::MAX => write!(f, " in {name}{start}+"),
            end => write!(f, " in {name}{start}-{}", end + kind.first()),
        }
    }
}

impl fmt::Display for RuleTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fields(f)?;
        write!(f, "{}", self.condition)?;
        self.write_records(f)
    }
}

impl fmt::Display for RuleChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::To(value) => write!(f, "-> {value}"),
            Self::Add(by @ 0..) => write!(f, "+ {by}"),
            Self::Add(by) => write!(f, "- {}", by.unsigned_abs()),
            Self::Times(factor) => write!(f, "* {factor}"),
        }
    }
}

impl fmt::Display for Rule {
    /// Writes the rule in the form that [`Rule::read`] accepts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.target.write_fields(f)?;
        match (&self.target.condition, self.change) {
            // Without the `=`, both numbers would be read as a range: `MaxAge 4 - 1`.
            (Condition::Within(range), RuleChange::Add(..=-1)) if range.start() == range.end() => {
                write!(f, " = {}", range.start())?;
            }
            (condition, _) => write!(f, "{condition}")?,
        }
        write!(f, " {}", self.change)?;
        self.target.write_records(f)
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.help.is_empty() {
            return Ok(());
        }
        write!(f, "; {}", self.help)
    }
}

impl std::error::Error for RuleError {}

/// A saved rule: its text, or the separate parts that earlier versions saved.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum SavedRule {
    Text(String),
    Parts {
        /// The parameter; `None` means `all`.
        parameter: Option<Stat>,
        condition: Condition,
        change: RuleChange,
        generations: RangeInclusive<usize>,
    },
}

impl TryFrom<SavedRule> for Rule {
    type Error = RuleError;

    fn try_from(saved: SavedRule) -> Result<Self, RuleError> {
        match saved {
            SavedRule::Text(text) => Self::read(&text),
            SavedRule::Parts {
                parameter,
                condition,
                change,
                generations,
            } => {
                let stats = parameter.map_or_else(|| Stat::ALL.to_vec(), |stat| vec![stat]);
                let field = |stat: Stat| (RecordKind::Generations, stat.into());
                Ok(Self {
                    target: RuleTarget {
                        fields: stats.into_iter().map(field).collect(),
                        condition,
                        numbers: Some(generations).filter(|numbers| *numbers != (0..=GENERATIONS - 1)),
                    },
                    change,
                })
            }
        }
    }
}

impl From<Rule> for String {
    fn from(rule: Rule) -> Self {
        rule.to_string()
    }
}

impl TryFrom<String> for RuleTarget {
    type Error = RuleError;

    fn try_from(text: String) -> Result<Self, RuleError> {
        Self::read(&text)
    }
}

impl From<RuleTarget> for String {
    fn from(target: RuleTarget) -> Self {
        target.to_string()
    }
}

/// A saved [`ReplacedValue`]. Earlier versions saved the number of the generation instead of the entry.
#[derive(Deserialize)]
pub(super) struct SavedReplacedValue {
    entry: Option<Entry>,
    generation: Option<usize>,
    parameter: SavedName,
    before: i32,
    after: i32,
}

impl TryFrom<SavedReplacedValue> for ReplacedValue {
    type Error = String;

    fn try_from(saved: SavedReplacedValue) -> Result<Self, String> {
        let entry = saved.entry.or(saved.generation.map(Entry::Generation));
        let entry = entry.ok_or("the entry is missing")?;
        Ok(Self {
            entry,
            parameter: saved.parameter.parameter(entry)?,
            before: saved.before,
            after: saved.after,
        })
    }
}
