//! Parser for rules, and for the targets and changes that rules consist of.

use std::ops::{Range, RangeInclusive};

use super::{Condition, RecordKind, Rule, RuleChange, RuleError, RuleTarget};
use crate::design::fields::is_same_name;
use crate::design::{Entry, GENERATIONS, List, Parameter, Stat};
use crate::text::did_you_mean;

/// Parses a rule such as `MaxAge -> 3`.
pub(super) fn rule(text: &str) -> Result<Rule, RuleError> {
    let mut tokens = Tokens::of(text)?;
    let names = tokens.names()?;
    let condition = tokens.condition()?;
    let change = tokens.change(condition != Condition::Any)?;
    let target = tokens.target(&names, condition)?;
    Ok(Rule { target, change })
}

/// Parses the target of a rule, such as `MaxAge in 3-9`.
pub(super) fn target(text: &str) -> Result<RuleTarget, RuleError> {
    let mut tokens = Tokens::of(text)?;
    let names = tokens.names()?;
    let condition = tokens.condition()?;
    tokens.target(&names, condition)
}

/// Parses the change of a rule, such as `-> 3` or `* 1.5`. A number without a sign is the new value.
pub(super) fn change(text: &str) -> Result<RuleChange, RuleError> {
    let mut tokens = Tokens::of(text)?;
    let change = match tokens.peek() {
        Some(token) if token.text.starts_with(|c: char| c.is_ascii_digit()) => {
            tokens.at += 1;
            RuleChange::To(number(&token)?)
        }
        _ => tokens.change(false)?,
    };
    match tokens.next() {
        None => Ok(change),
        Some(other) => Err(other.unexpected("a change contains only one number")),
    }
}

/// Help for text that fits nowhere in a rule: the order of the parts of a rule.
const EXAMPLE: &str = "write the parameter, the change, then the generations, rooms or Crawlers: `MaxAge + 1 in 2-4`";

/// A name, number or sign in the text of a rule.
#[derive(Debug, Clone)]
struct Token<'a> {
    text: &'a str,
    span: Range<usize>,
}

impl Token<'_> {
    fn error(&self, message: impl Into<String>, help: impl Into<String>) -> RuleError {
        RuleError {
            span: self.span.clone(),
            message: message.into(),
            help: help.into(),
        }
    }

    fn unexpected(&self, help: impl Into<String>) -> RuleError {
        self.error(format!("unexpected `{}`", self.text), help)
    }
}

/// The tokens of a text, and the index of the next one to parse.
struct Tokens<'a> {
    all: Vec<Token<'a>>,
    /// Index of the next token.
    at: usize,
    /// Byte length of the text.
    end: usize,
}

impl<'a> Tokens<'a> {
    /// Splits a text into names, numbers and signs.
    fn of(text: &'a str) -> Result<Self, RuleError> {
        const SIGNS: [&str; 16] = [
            "->", "→", "=>", ">=", "<=", "!=", "..", "≥", "≤", ">", "<", "=", "+", "*", "/", ",",
        ];
        let mut tokens = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let start = text.len() - rest.len();
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let end = if let Some(sign) = sign {
                sign.len()
            } else if first == '-' || first == '–' {
                first.len_utf8()
            } else if first.is_alphanumeric() {
                let in_word = |c: char| c.is_alphanumeric() || c == '_';
                let end = rest.find(|c: char| !in_word(c)).unwrap_or(rest.len());
                // Includes the decimal point of `1.5` in the token, but not the points of the range `1..5`.
                match rest[end..].strip_prefix('.') {
                    Some(after) if first.is_ascii_digit() && after.starts_with(|c: char| c.is_ascii_digit()) => {
                        let fraction = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
                        end + 1 + fraction
                    }
                    _ => end,
                }
            } else {
                return Err(RuleError {
                    span: start..start + first.len_utf8(),
                    message: format!("unexpected `{first}`"),
                    help: EXAMPLE.to_owned(),
                });
            };
            tokens.push(Token {
                text: match &rest[..end] {
                    "→" | "=>" => "->",
                    "≥" => ">=",
                    "≤" => "<=",
                    "–" => "-",
                    token => token,
                },
                span: start..start + end,
            });
            rest = rest[end..].trim_start();
        }
        Ok(Self {
            all: tokens,
            at: 0,
            end: text.len(),
        })
    }

    fn peek(&self) -> Option<Token<'a>> {
        self.all.get(self.at).cloned()
    }

    /// Returns the text of the next token without consuming it; an empty string at the end.
    fn word(&self) -> &'a str {
        self.all.get(self.at).map_or("", |token| token.text)
    }

    fn next(&mut self) -> Option<Token<'a>> {
        let next = self.peek();
        self.at += 1;
        next
    }

    /// Consumes and returns the next token; at the end of the text, returns an error with this message and help.
    fn expect(&mut self, message: &str, help: &str) -> Result<Token<'a>, RuleError> {
        self.next().ok_or_else(|| RuleError {
            span: self.end..self.end,
            message: message.to_owned(),
            help: help.to_owned(),
        })
    }

    /// Parses the comma-separated names of the parameters.
    fn names(&mut self) -> Result<Vec<Token<'a>>, RuleError> {
        let mut names = vec![self.expect("begin the rule with a parameter or with `all`", "")?];
        while self.word() == "," {
            self.at += 1;
            let name = self.expect("a parameter is missing after the comma", "")?;
            if !name.text.starts_with(char::is_alphabetic) {
                return Err(name.error("a parameter is missing after the comma", ""));
            }
            names.push(name);
        }
        Ok(names)
    }

    /// Parses an optional condition. A condition without a sign begins with a digit: `MaxAge 1-3` has the condition
    /// `1-3`, but `MaxAge - 3` has none.
    fn condition(&mut self) -> Result<Condition, RuleError> {
        let first = self.word();
        let is_sign = matches!(first, ">" | "<" | ">=" | "<=" | "=" | "!=");
        if !is_sign && !first.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(Condition::Any);
        }
        if is_sign {
            self.at += 1;
        }
        let value = self.number_after(first)?;
        Ok(match first {
            ">" => Condition::Within(value.saturating_add(1)..=i32::MAX),
            ">=" => Condition::Within(value..=i32::MAX),
            "<" => Condition::Within(i32::MIN..=value.saturating_sub(1)),
            "<=" => Condition::Within(i32::MIN..=value),
            "!=" => Condition::Not(value),
            "=" => Condition::Within(value..=value),
            _ if matches!(self.word(), ".." | "-") && self.is_number_at(self.at + 1) => {
                self.at += 1;
                let end = self.number_after("-")?;
                if end < value {
                    let help = format!("write the lower number first, or `= {value} - {end}` to subtract {end}");
                    return Err(self.all[self.at - 1].error(format!("the range {value} to {end} is empty"), help));
                }
                Condition::Within(value..=end)
            }
            _ => Condition::Within(value..=value),
        })
    }

    fn is_number_at(&self, at: usize) -> bool {
        let token = self.all.get(at);
        token.is_some_and(|token| token.text.starts_with(|c: char| c.is_ascii_digit()))
    }

    fn number_after(&mut self, before: &str) -> Result<i32, RuleError> {
        let token = self.expect(&format!("a number is missing after {before}"), "")?;
        number(&token)
    }

    /// Parses the change. If the text has ended, `is_after_condition` decides whether the error is about a missing new
    /// value (a condition came before) or a missing change.
    fn change(&mut self, is_after_condition: bool) -> Result<RuleChange, RuleError> {
        if self.peek().is_none() {
            let (message, help) = if is_after_condition {
                ("the new value is missing", "write -> and a number")
            } else {
                ("the change is missing", "write 4 -> 3, >20 -> 20, * 2 or + 5")
            };
            self.expect(message, help)?;
        }
        if self.word() == "->" {
            self.at += 1;
            // `-> -3` could mean the value -3, which no parameter can have, or a value that is 3 lower.
            if let Some(sign) = self.peek().filter(|token| matches!(token.text, "+" | "-")) {
                let help = format!(
                    "write `-> 3` to set a value, or `{} 3` without -> to change it by 3",
                    sign.text
                );
                return Err(sign.error(format!("unexpected `{}` after ->", sign.text), help));
            }
            if !matches!(self.word(), "*" | "/") {
                let value = self.expect("the new value is missing", "write a number after ->")?;
                return Ok(RuleChange::To(number(&value)?));
            }
        }
        let sign = self.expect("the change is missing", "")?;
        match sign.text {
            "+" => Ok(RuleChange::Add(self.number_after("+")?)),
            "-" => Ok(RuleChange::Add(-self.number_after("-")?)),
            "*" | "/" => {
                let token = self.expect(&format!("a number is missing after {}", sign.text), "")?;
                let factor = token.text.parse::<f64>().ok().filter(|factor| factor.is_finite());
                let factor =
                    factor.ok_or_else(|| token.error(format!("`{}` is not a number", token.text), String::new()))?;
                if sign.text == "/" && factor == 0.0 {
                    return Err(token.error("cannot divide by 0", ""));
                }
                Ok(RuleChange::Times(if sign.text == "/" {
                    factor.recip()
                } else {
                    factor
                }))
            }
            _ => Err(sign.unexpected("write -> and the new value, or + - * / and a number")),
        }
    }

    /// Parses the optional records up to the end of the text, and resolves the names of the parameters.
    fn target(&mut self, names: &[Token<'a>], condition: Condition) -> Result<RuleTarget, RuleError> {
        let records = match self.next() {
            None => None,
            Some(token) if token.text.eq_ignore_ascii_case("in") || token.text.eq_ignore_ascii_case("of") => {
                Some(self.records()?)
            }
            Some(other) => {
                let help = "only `in` can follow here, as in `in 2-4`, `in rooms` or `in Crawler 1`";
                return Err(other.unexpected(help));
            }
        };
        if let Some(other) = self.next() {
            return Err(other.unexpected(EXAMPLE));
        }
        resolve(names, condition, records.as_ref())
    }

    /// Parses the records after `in`: `3`, `3-9`, `5+`, `generation 3`, `room 2`, `rooms`, `Crawlers 1-3`.
    fn records(&mut self) -> Result<Records<'a>, RuleError> {
        let first = self.expect("the generations are missing", "write 3 or 3-9, or rooms, or Crawler 1")?;
        if first.text.starts_with(|c: char| c.is_ascii_digit()) {
            self.at -= 1;
            let numbers = self.numbers()?;
            return Ok(Records {
                kind: None,
                numbers: Some(numbers),
                first,
            });
        }
        let second = self.word();
        let found = kind(first.text, second);
        let Some((kind, is_of_two)) = found else {
            let names = RecordKind::ALL.into_iter().filter(|kind| is_counted(*kind));
            let names: Vec<String> = names.map(RecordKind::plural).collect();
            let hint = did_you_mean(first.text, names.iter().map(String::as_str));
            let help = hint.unwrap_or_else(|| {
                "write `3` or `3-9` for generations, or an entry such as `rooms`, `vaults` or `Crawler 1`".to_owned()
            });
            return Err(first.error(format!("unknown word `{}`", first.text), help));
        };
        if is_of_two {
            self.at += 1;
        }
        let numbers = if self.peek().is_some() {
            Some(self.numbers()?)
        } else {
            None
        };
        Ok(Records {
            kind: Some(kind),
            numbers,
            first,
        })
    }

    /// Parses the numbers of records: `3`, a range such as `3-9` or `3 to 9`, or `5+` for record 5 and all later ones.
    fn numbers(&mut self) -> Result<Numbers, RuleError> {
        let first = self.expect("a number is missing", "write 3 or 3-9")?;
        let index = |token: &Token<'_>| {
            let number = token.text.parse::<usize>().ok().filter(|number| *number < 1_000_000);
            number.ok_or_else(|| {
                token.error(
                    format!("`{}` is not the number of a generation, room or Crawler", token.text),
                    "",
                )
            })
        };
        let start = index(&first)?;
        let (end, span) = match self.word() {
            "-" | ".." | "to" => {
                self.at += 1;
                let last = self.expect("a number is missing", "write 3-9, or 3+ for all from 3 on")?;
                (index(&last)?, first.span.start..last.span.end)
            }
            "+" => {
                let plus = self.next().map_or(first.span.end, |plus| plus.span.end);
                (usize::MAX, first.span.start..plus)
            }
            _ => (start, first.span.clone()),
        };
        Ok(Numbers { start, end, span })
    }
}

/// A range of record numbers as the user writes them: generations are numbered from 0, entries of lists from 1.
struct Numbers {
    start: usize,
    /// Last number, inclusive; `usize::MAX` for all records from `start` on.
    end: usize,
    span: Range<usize>,
}

impl Numbers {
    fn error(&self, message: impl Into<String>, help: impl Into<String>) -> RuleError {
        RuleError {
            span: self.span.clone(),
            message: message.into(),
            help: help.into(),
        }
    }

    /// Converts the numbers to indices of records of a kind. Returns `None` for all generations.
    fn indexes(&self, kind: RecordKind) -> Result<Option<RangeInclusive<usize>>, RuleError> {
        let (start, end) = (self.start, self.end);
        if !is_counted(kind) {
            let message = format!("`in` does not apply to the {}", kind.name());
            return Err(self.error(message, "leave out `in`"));
        }
        if end < start {
            return Err(self.error(
                format!("the range {start} to {end} is empty"),
                "write the lower number first",
            ));
        }
        let last = GENERATIONS - 1;
        let wrong = [start, end]
            .into_iter()
            .find(|number| *number > last && *number < usize::MAX);
        if kind == RecordKind::Generations
            && let Some(wrong) = wrong
        {
            return Err(self.error(format!("`{wrong}` is not a generation"), format!("use 0 to {last}")));
        }
        let Some(first) = start.checked_sub(kind.first()) else {
            return Err(self.error(format!("there is no {} 0", kind.name()), "numbers begin at 1"));
        };
        let end = match end {
            usize::MAX if kind == RecordKind::Generations => last,
            usize::MAX => usize::MAX,
            end => end - kind.first(),
        };
        let is_all = kind == RecordKind::Generations && (first, end) == (0, last);
        Ok((!is_all).then_some(first..=end))
    }
}

/// The records that the text of a rule names after `in`.
struct Records<'a> {
    /// Kind of record; `None` if the text contains only numbers.
    kind: Option<RecordKind>,
    /// Numbers of the records; `None` for all records of the kind.
    numbers: Option<Numbers>,
    /// First word after `in`, at which errors are reported.
    first: Token<'a>,
}

/// Returns whether a design can have several records of this kind; such records are numbered.
fn is_counted(kind: RecordKind) -> bool {
    !matches!(kind, RecordKind::Single(_))
}

/// Returns the kind of record that `first` names, and whether `second` belongs to the name, as in `open squares`.
fn kind(first: &str, second: &str) -> Option<(RecordKind, bool)> {
    let is = |word: &str, name: &str| {
        let word = word.to_lowercase();
        word == name || word.strip_suffix('s') == Some(name)
    };
    let names = [
        ("generation", RecordKind::Generations),
        ("room", RecordKind::List(List::Rooms)),
        ("crawler", RecordKind::List(List::Crawlers)),
        ("vault", RecordKind::List(List::Vaults)),
        ("column", RecordKind::List(List::Columns)),
        ("constant", RecordKind::Single(Entry::Constants)),
        ("limit", RecordKind::Single(Entry::Limits)),
        ("dimension", RecordKind::Single(Entry::Dimensions)),
    ];
    if let Some((_, kind)) = names.iter().find(|(name, _)| is(first, name)) {
        return Some((*kind, false));
    }
    let of_two = [("open", "square", List::Open), ("wall", "tile", List::Walls)];
    let found = of_two.iter().find(|(name, ..)| is(first, name));
    found.map(|(_, noun, list)| (RecordKind::List(*list), is(second, noun)))
}

fn number(token: &Token<'_>) -> Result<i32, RuleError> {
    token.text.parse().map_err(|_| {
        let message = format!("`{}` is not a whole number, or is too large", token.text);
        token.error(message, "")
    })
}

/// Resolves the names to parameters of the given records, or of any record if none are given.
fn resolve(names: &[Token<'_>], condition: Condition, records: Option<&Records<'_>>) -> Result<RuleTarget, RuleError> {
    let of_kind = records.and_then(|records| records.kind);
    let mut fields = Vec::new();
    for name in names {
        if is_same_name(name.text, "all") {
            if let Some(kind) = of_kind.filter(|kind| *kind != RecordKind::Generations) {
                let message = format!(
                    "`all` stands for every parameter of a generation, but {} have other parameters",
                    kind.plural()
                );
                return Err(name.error(message, "name the parameters instead of `all`"));
            }
            fields.extend(
                Stat::ALL
                    .iter()
                    .map(|stat| (RecordKind::Generations, Parameter::from(*stat))),
            );
            continue;
        }
        let mut found = candidates(name)?;
        if let Some(kind) = of_kind {
            let all: Vec<String> = found.iter().map(|(kind, _)| kind.plural()).collect();
            found.retain(|(of, _)| *of == kind);
            if found.is_empty() {
                let message = format!("`{}` is not a parameter of {}", name.text, kind.plural());
                let help = format!("it belongs to {}", all.join(" and "));
                return Err(name.error(message, help));
            }
        } else if records.is_some() {
            found.retain(|(of, _)| is_counted(*of));
        }
        match found.as_slice() {
            [one] => fields.push(*one),
            [] => {
                let message = format!("the design has only one `{}`", name.text);
                return Err(name.error(message, "leave out `in`"));
            }
            several => {
                let kinds: Vec<String> = several.iter().map(|(kind, _)| kind.plural()).collect();
                let message = format!("`{}` is a parameter of {}", name.text, kinds.join(" and of "));
                let choices: Vec<String> = several
                    .iter()
                    .map(|(kind, _)| format!("`in {}`", kind.plural()))
                    .collect();
                return Err(name.error(message, format!("add {}", choices.join(" or "))));
            }
        }
    }
    let mut once = Vec::new();
    fields.retain(|field| !once.contains(field) && (once.push(*field), true).1);
    let mut numbers = None;
    if let (Some(records), Some(&(kind, _))) = (records, fields.first()) {
        if let Some((other, _)) = fields.iter().find(|(of, _)| *of != kind) {
            let message = format!("the parameters belong to {} and to {}", kind.plural(), other.plural());
            return Err(records.first.error(message, "write a rule for each"));
        }
        if let Some(given) = &records.numbers {
            numbers = given.indexes(kind)?;
        }
    }
    Ok(RuleTarget {
        fields,
        condition,
        numbers,
    })
}

/// Returns the parameters with this name or key. If there are none, returns the parameters whose names begin with
/// `name`: those of the stats file or, if none of these match, those of any file. Fails if several names match.
fn candidates(name: &Token<'_>) -> Result<Vec<(RecordKind, Parameter)>, RuleError> {
    let all = || {
        let kinds = RecordKind::ALL.into_iter();
        kinds.flat_map(|kind| kind.parameters().iter().map(move |parameter| (kind, *parameter)))
    };
    let called = |(_, parameter): &(RecordKind, Parameter)| {
        let info = parameter.info();
        is_same_name(info.name, name.text) || is_same_name(info.key, name.text)
    };
    let exact: Vec<_> = all().filter(called).collect();
    if !exact.is_empty() {
        return Ok(exact);
    }
    let plain = |text: &str| text.replace('_', "").to_lowercase();
    let wanted = plain(name.text);
    let begins = |(_, parameter): &(RecordKind, Parameter)| plain(parameter.info().name).starts_with(&wanted);
    let stats = |of: &(RecordKind, Parameter)| of.0 == RecordKind::Generations;
    for found in [
        all().filter(stats).filter(begins).collect::<Vec<_>>(),
        all().filter(begins).collect::<Vec<_>>(),
    ] {
        let mut names: Vec<&str> = found.iter().map(|(_, parameter)| parameter.info().name).collect();
        names.sort_unstable();
        names.dedup();
        match names.as_slice() {
            [] => {}
            [_] => return Ok(found),
            several => {
                let message = format!("`{}` is ambiguous: it may be {}", name.text, several.join(" or "));
                return Err(name.error(message, ""));
            }
        }
    }
    let names = all().map(|(_, parameter)| parameter.info().name);
    let hint = did_you_mean(name.text, names.chain(["all"]));
    let help = hint.unwrap_or_else(|| "write the name of a parameter as in the design's files, or `all`".to_owned());
    Err(name.error(format!("unknown parameter `{}`", name.text), help))
}
