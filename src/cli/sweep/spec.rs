//! Reads the specification of a sweep: a TOML file that names a design and the numbers that vary.
//!
//! Every mistake in the file is reported as an error with its place, because a long sweep with unintended values would
//! waste a lot of time.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::analysis::sweep::Factor;
use crate::cli::seeds::SeedRange;
use crate::design::{Diagnostic, Rule, RuleChange, RuleError, RuleTarget};
use crate::format::Text;
use crate::format::native::in_order;
use crate::presets::Preset;
use crate::text::did_you_mean;

/// Keys at the top level of the file.
const TOP: [&str; 7] = ["preset", "design", "seeds", "metrics", "change", "vary", "sample"];

/// Maximum number of levels in one range.
const MOST_LEVELS: i64 = 100_000;

/// Default seeds of a sweep.
const SEEDS: &str = "0..100";

type Value<'i> = Spanned<DeValue<'i>>;

/// A value with its place in the file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Located<T> {
    pub(super) value: T,
    pub(super) span: Range<usize>,
}

/// The design to vary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    Preset(String),
    /// Path of a design file, relative to the specification's folder (to the current folder if the specification comes
    /// from standard input), or a dungeon code.
    File(String),
}

/// A factor of the sweep: parameters that vary together, and their levels.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct VariedFactor {
    /// Name of the factor's column in the rows.
    pub(super) name: String,
    pub(super) factor: Factor,
    /// Place of the factor's target in the file.
    pub(super) span: Range<usize>,
    /// Place of each level in the file.
    pub(super) levels: Vec<Range<usize>>,
}

/// Size and seed of a Latin hypercube sample of the designs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SampleSize {
    pub(super) designs: u32,
    pub(super) seed: u64,
}

/// The specification of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spec {
    pub(super) origin: Located<Origin>,
    pub(super) seeds: SeedRange,
    /// Names of the metrics to write; if empty, all metrics are written.
    pub(super) metrics: Vec<Located<String>>,
    /// Changes that are applied to the design before its numbers vary.
    pub(super) change: Vec<Located<Rule>>,
    pub(super) factors: Vec<VariedFactor>,
    /// How the designs are sampled; `None` makes a design for every combination of levels.
    pub(super) sample: Option<SampleSize>,
}

/// Reads the specification of a sweep. If it is invalid, returns all errors in it.
pub(super) fn read(text: &Text) -> Result<Spec, Vec<Diagnostic>> {
    if let Some(problem) = text.problem() {
        return Err(vec![problem.clone()]);
    }
    let (root, errors) = DeTable::parse_recoverable(text.content());
    if let Some(first) = errors
        .iter()
        .min_by_key(|error| error.span().map_or(0, |span| span.start))
    {
        let error = Diagnostic::error(format!("this is not TOML: {}", first.message()));
        let source = text.source(first.span().unwrap_or(0..0));
        return Err(vec![
            error
                .help("fix the syntax; then the file can be read")
                .from_source(source),
        ]);
    }
    let mut reader = Reader {
        text,
        diagnostics: Vec::new(),
    };
    let spec = reader.read(root.get_ref());
    match spec {
        Some(spec) if reader.diagnostics.is_empty() => Ok(spec),
        _ => Err(reader.diagnostics),
    }
}

struct Reader<'t> {
    text: &'t Text,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn error(&mut self, message: impl Into<String>, help: impl Into<String>, span: Range<usize>) {
        let error = Diagnostic::error(message.into()).help(help.into());
        self.diagnostics.push(error.from_source(self.text.source(span)));
    }

    fn unknown(&mut self, key: &str, known: &[&str], span: Range<usize>) {
        let hint = did_you_mean(key, known.iter().copied());
        let help = hint.unwrap_or_else(|| format!("known keys: {}", known.join(", ")));
        self.error(format!("unknown key `{key}`"), help, span);
    }

    fn read(&mut self, root: &DeTable<'_>) -> Option<Spec> {
        let mut origin = None;
        let mut seeds = SEEDS.parse().ok();
        let (mut metrics, mut change, mut factors, mut sample) = (Vec::new(), Vec::new(), None, None);
        for (key, span, value) in in_order(root) {
            match key {
                "preset" | "design" if origin.is_some() => {
                    self.error("a sweep can vary only one design", "remove this line", span);
                }
                "preset" => origin = self.preset(value),
                "design" => {
                    let path = self.string(value, "the name of a file in quotes");
                    origin = path.map(|path| Located {
                        value: Origin::File(path),
                        span: value.span(),
                    });
                }
                "seeds" => seeds = self.seeds(value),
                "metrics" => metrics = self.strings(value),
                "change" => {
                    let texts = self.strings(value);
                    change = texts.into_iter().filter_map(|text| self.rule(&text)).collect();
                }
                "vary" => factors = Some(self.factors(value)),
                "sample" => sample = self.sample(value),
                _ => self.unknown(key, &TOP, span),
            }
        }
        let end = self.text.content().len();
        if origin.is_none() && self.diagnostics.is_empty() {
            let help = "write `preset = \"weave\"` or `design = \"castle.toml\"` at the top";
            self.error("the design is missing", help, 0..0);
        }
        if factors.is_none() {
            let help = "add a table [vary] with lines such as `MaxAge = [4, 8, 12]`";
            self.error("nothing varies", help, end..end);
        }
        Some(Spec {
            origin: origin?,
            seeds: seeds?,
            metrics,
            change,
            factors: factors?,
            sample,
        })
    }

    fn string(&mut self, value: &Value<'_>, wanted: &str) -> Option<String> {
        if let DeValue::String(text) = value.get_ref() {
            return Some(text.to_string());
        }
        self.error(format!("expected {wanted}"), format!("write {wanted}"), value.span());
        None
    }

    /// Reads a string, or a list of strings.
    fn strings(&mut self, value: &Value<'_>) -> Vec<Located<String>> {
        let alone = std::slice::from_ref(value);
        let list = match value.get_ref() {
            DeValue::Array(list) => list.as_ref(),
            _ => alone,
        };
        let one = |value: &Value<'_>| {
            let text = self.string(value, "a list of strings in quotes")?;
            Some(Located {
                span: inner(self.text, &value.span(), &text),
                value: text,
            })
        };
        list.iter().filter_map(one).collect()
    }

    fn preset(&mut self, value: &Value<'_>) -> Option<Located<Origin>> {
        let name = self.string(value, "the name of a preset in quotes")?;
        if Preset::find(&name).is_none() {
            let hint = did_you_mean(&name, Preset::all().iter().map(|preset| preset.name));
            let help = hint.unwrap_or_else(|| "`wallcrawler presets` lists the presets".to_owned());
            self.error(format!("there is no preset `{name}`"), help, value.span());
            return None;
        }
        Some(Located {
            value: Origin::Preset(name),
            span: value.span(),
        })
    }

    fn seeds(&mut self, value: &Value<'_>) -> Option<SeedRange> {
        let text = match value.get_ref() {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix())
                .map_or_else(|_| number.to_string(), |seeds| seeds.to_string()),
            _ => self.string(value, "a number of seeds, or seeds in quotes such as \"0..100\"")?,
        };
        match text.parse() {
            Ok(seeds) => Some(seeds),
            Err(why) => {
                self.error(why, "write the seeds as \"0..100\" or \"3,7,20..=29\"", value.span());
                None
            }
        }
    }

    /// Reports an error in a rule, a target or a change whose text is at `span`.
    fn rule_error(&mut self, error: &RuleError, span: &Range<usize>) {
        let start = (span.start + error.span.start).min(span.end);
        let end = (span.start + error.span.end).min(span.end);
        self.error(error.message.clone(), error.help.clone(), start..end);
    }

    fn rule(&mut self, text: &Located<String>) -> Option<Located<Rule>> {
        match Rule::read(&text.value) {
            Ok(value) => Some(Located {
                value,
                span: text.span.clone(),
            }),
            Err(error) => {
                self.rule_error(&error, &text.span);
                None
            }
        }
    }

    fn factors(&mut self, value: &Value<'_>) -> Vec<VariedFactor> {
        let DeValue::Table(table) = value.get_ref() else {
            let help = "write [vary] on a line of its own, and below it lines such as `MaxAge = [4, 8, 12]`";
            self.error("`vary` must be a table", help, value.span());
            return Vec::new();
        };
        if table.is_empty() {
            self.error(
                "nothing varies",
                "add a line such as `MaxAge = [4, 8, 12]`",
                value.span(),
            );
        }
        let mut factors: Vec<VariedFactor> = Vec::new();
        for (key, span, value) in in_order(table) {
            let span = inner(self.text, &span, key);
            let target = match RuleTarget::read(key) {
                Ok(target) => target,
                Err(error) => {
                    self.rule_error(&error, &span);
                    continue;
                }
            };
            let mut name = column_name(&target.to_string());
            let values = match value.get_ref() {
                DeValue::Table(table) => {
                    if let Some(given) = self.column(table) {
                        name = given;
                    }
                    let Some(values) = table.get("values") else {
                        self.error(
                            "the values are missing",
                            "write { name = \"age\", values = [4, 8, 12] }",
                            value.span(),
                        );
                        continue;
                    };
                    values
                }
                _ => value,
            };
            let (changes, levels): (Vec<_>, Vec<_>) = self.levels(values).into_iter().unzip();
            if changes.is_empty() {
                continue;
            }
            if factors.iter().any(|other| other.name == name) {
                let help = "give one of the two a name: { name = \"age\", values = [4, 8, 12] }";
                self.error(format!("two columns would be called `{name}`"), help, span);
                continue;
            }
            factors.push(VariedFactor {
                name,
                factor: Factor {
                    target,
                    levels: changes,
                },
                span,
                levels,
            });
        }
        factors
    }

    /// Returns the column name that a factor's table sets, if any. Reports unknown keys.
    fn column(&mut self, table: &DeTable<'_>) -> Option<String> {
        let mut name = None;
        for (key, span, value) in in_order(table) {
            match key {
                "name" => name = self.string(value, "a name in quotes"),
                "values" => {}
                _ => self.unknown(key, &["name", "values"], span),
            }
        }
        name.filter(|name| !name.is_empty())
    }

    /// Reads the levels of a factor: a list, or a single level. Each is returned with its place.
    fn levels(&mut self, value: &Value<'_>) -> Vec<(RuleChange, Range<usize>)> {
        let mut levels = Vec::new();
        match value.get_ref() {
            DeValue::Array(list) => {
                for one in list {
                    levels.extend(self.level(one));
                }
                if list.is_empty() {
                    self.error("the list is empty", "write at least one value", value.span());
                }
            }
            _ => levels = self.level(value),
        }
        levels
    }

    /// Reads a number, a change such as `* 1.5`, or a range, which yields several levels. Returns nothing after an
    /// error.
    fn level(&mut self, value: &Value<'_>) -> Vec<(RuleChange, Range<usize>)> {
        let span = value.span();
        let changes = match value.get_ref() {
            DeValue::Integer(number) => match i32::from_str_radix(number.as_str(), number.radix()) {
                Ok(value @ 0..) => Ok(vec![RuleChange::To(value)]),
                Ok(value) => {
                    let help = format!("write \"- {}\" in quotes to subtract", value.unsigned_abs());
                    self.error("numbers may not be negative", help, span);
                    return Vec::new();
                }
                Err(_) => {
                    self.error("this number is too large", format!("the largest is {}", i32::MAX), span);
                    return Vec::new();
                }
            },
            DeValue::String(text) if text.contains("..") => match range(text) {
                Ok(changes) => Ok(changes),
                Err((message, help)) => {
                    self.error(message, help, span);
                    return Vec::new();
                }
            },
            DeValue::String(text) => RuleChange::read(text).map(|change| vec![change]),
            _ => {
                let help = "write a whole number, a change such as \"* 1.5\", or a range such as \"10..=90 step 20\"";
                self.error("this is not a value", help, span);
                return Vec::new();
            }
        };
        match changes {
            Ok(changes) => changes.into_iter().map(|change| (change, span.clone())).collect(),
            Err(error) => {
                let text = value.get_ref().as_str().unwrap_or_default();
                self.rule_error(&error, &inner(self.text, &span, text));
                Vec::new()
            }
        }
    }

    fn sample(&mut self, value: &Value<'_>) -> Option<SampleSize> {
        let help = "write [sample] on a line of its own, and below it `latin_hypercube = 100`";
        let DeValue::Table(table) = value.get_ref() else {
            self.error("`sample` must be a table", help, value.span());
            return None;
        };
        let (mut designs, mut seed) = (None, 0);
        for (key, span, value) in in_order(table) {
            let number = match value.get_ref() {
                DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
                _ => None,
            };
            match (key, number) {
                ("latin_hypercube", Some(number @ 1..=1_000_000)) => designs = Some(number as u32),
                ("latin_hypercube", _) => {
                    self.error(
                        "this is not a number of designs",
                        "write a number from 1 to 1000000",
                        value.span(),
                    );
                }
                ("seed", Some(number)) => seed = number,
                ("seed", None) => self.error("this is not a seed", "write a whole number", value.span()),
                _ => self.unknown(key, &["latin_hypercube", "seed"], span),
            }
        }
        if designs.is_none() && self.diagnostics.is_empty() {
            self.error("the number of designs is missing", help, value.span());
        }
        designs.map(|designs| SampleSize { designs, seed })
    }
}

/// Returns the place of `text` without its quotes. If the string is empty or contains escapes, returns `span`, the
/// place with the quotes.
fn inner(file: &Text, span: &Range<usize>, text: &str) -> Range<usize> {
    let whole = file.content().get(span.clone()).unwrap_or_default();
    match whole.find(text) {
        Some(at) if !text.is_empty() => span.start + at..span.start + at + text.len(),
        _ => span.clone(),
    }
}

/// Parses a range: `2..5` (excluding 5), `2..=5`, `10..=90 step 20`. The error contains a message and advice.
fn range(text: &str) -> Result<Vec<RuleChange>, (String, &'static str)> {
    const HELP: &str = "write \"2..=5\" or \"10..=90 step 20\"";
    let number = |text: &str| {
        let number = text.trim().parse::<i32>();
        number.map_err(|_| {
            (
                format!("`{}` is not a whole number, or is too large", text.trim()),
                HELP,
            )
        })
    };
    let (ends, step) = match text.split_once("step") {
        Some((ends, step)) => (ends, number(step)?),
        None => (text, 1),
    };
    if step < 1 {
        return Err((format!("the step is {step}"), "use a step of at least 1"));
    }
    let (first, last) = ends.split_once("..").unwrap_or((ends, ""));
    let (first, last) = match last.strip_prefix('=') {
        Some(last) => (number(first)?, i64::from(number(last)?)),
        None => (number(first)?, i64::from(number(last)?) - 1),
    };
    if last < i64::from(first) {
        return Err((
            format!("the range `{}` is empty", text.trim()),
            "write the lower number first, as in \"2..=5\"",
        ));
    }
    if (last - i64::from(first)) / i64::from(step) >= MOST_LEVELS {
        return Err(("the range has too many values".to_owned(), "use a larger step"));
    }
    let last = last.min(i32::MAX.into()) as i32;
    Ok((first..=last).step_by(step as usize).map(RuleChange::To).collect())
}

/// Returns the default column name of a target: `max_age_1_3` for `MaxAge in 1-3`. Databases and data frames accept
/// this name as an identifier.
fn column_name(target: &str) -> String {
    let mut name = String::new();
    let mut before = ' ';
    for c in target.replace(" in ", " ").chars() {
        if c.is_ascii_uppercase() && before.is_ascii_lowercase() || !c.is_alphanumeric() && before.is_alphanumeric() {
            name.push('_');
        }
        if c.is_alphanumeric() {
            name.extend(c.to_lowercase());
        }
        before = c;
    }
    name.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests;
