//! Rules that change a value across generations: parsed from a line of text and applied to a character.
//!
//! `CorridorWidth 4 -> 3`, `StepLength >20 -> 20`, `MaxAge * 2 in 3-9`, `all 100 -> 90`: a parameter, an optional
//! condition, the new value or a change, and the generations. No value is clamped silently: a rule that leads out of range
//! is rejected as a whole.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{Character, FieldInfo, GENERATIONS, Stat};
use crate::text::did_you_mean;

/// A parsed rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// Parameter that it changes; `None` for all of them.
    pub parameter: Option<Stat>,
    condition: Condition,
    change: Change,
    /// Generations that it applies to.
    pub generations: RangeInclusive<usize>,
}

/// A value that a rule changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplacedValue {
    /// Generation of the value.
    pub generation: usize,
    /// Parameter that it changes.
    pub parameter: Stat,
    /// Old value.
    pub before: i32,
    /// New value.
    pub after: i32,
}

impl ReplacedValue {
    /// Sets the new value in the character.
    pub fn put(self, character: &mut Character) {
        let generation = &mut character.generations[self.generation];
        self.parameter.set(generation, self.after);
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Condition {
    Any,
    Within(RangeInclusive<i32>),
    Not(i32),
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Change {
    To(i32),
    Add(i32),
    Times(f64),
}

impl Rule {
    /// Parses a rule.
    ///
    /// # Errors
    ///
    /// Returns a message for the user that names the part that was not understood.
    pub fn read(text: &str) -> Result<Self, String> {
        let tokens = tokens(text)?;
        let mut rest = tokens.as_slice();
        let name = next_of(&mut rest).ok_or("begin the rule with a parameter or with `all`")?;
        let parameter = parameter(name)?;
        let condition = condition(&mut rest)?;
        let change = match next_of(&mut rest) {
            Some("->") => match next_of(&mut rest) {
                Some(sign @ ("+" | "-" | "*" | "/")) => operation(sign, &mut rest)?,
                Some(value) => Change::To(number(value)?),
                None => return Err("the new value is missing; write a number after ->".into()),
            },
            Some(sign @ ("+" | "-" | "*" | "/")) => operation(sign, &mut rest)?,
            Some(other) => {
                return Err(format!(
                    "unexpected `{other}`; write -> and the new value, or + - * / and a number"
                ));
            }
            None if condition != Condition::Any => {
                return Err("the new value is missing; write -> and a number".into());
            }
            None => return Err("the change is missing; write 4 -> 3, >20 -> 20, * 2 or + 5".into()),
        };
        let generations = match next_of(&mut rest) {
            None => 0..=GENERATIONS - 1,
            Some(word) if word.eq_ignore_ascii_case("in") => generations(&mut rest)?,
            Some(other) => return Err(format!("unexpected `{other}`; only `in` and generations may follow")),
        };
        match rest.first() {
            None => Ok(Self {
                parameter,
                condition,
                change,
                generations,
            }),
            Some(other) => Err(format!("unexpected `{other}`")),
        }
    }

    /// Returns the values of a character that the rule changes, generation by generation.
    ///
    /// # Errors
    ///
    /// Returns a message that names the first value that would leave its range, and how many more would.
    pub fn replaced(&self, character: &Character) -> Result<Vec<ReplacedValue>, String> {
        let mut replaced = Vec::new();
        let (mut refused, mut first) = (0_usize, None);
        for generation in self.generations.clone() {
            let stats = &character.generations[generation.min(GENERATIONS - 1)];
            for &parameter in Stat::ALL {
                let (info, before) = (parameter.info(), parameter.get(stats));
                if self.parameter.is_some_and(|one| one != parameter) || !self.condition.holds(before) {
                    continue;
                }
                let after = self.change.of(before);
                if !(i64::from(info.min)..=i64::from(info.max)).contains(&after) {
                    refused += 1;
                    first.get_or_insert((generation, info, after));
                } else if after != i64::from(before) {
                    replaced.push(ReplacedValue {
                        generation,
                        parameter,
                        before,
                        after: after as i32,
                    });
                }
            }
        }
        match first {
            None => Ok(replaced),
            Some((generation, info, after)) => Err(out_of_range(generation, info, after, refused - 1)),
        }
    }
}

fn out_of_range(generation: usize, info: &FieldInfo, after: i64, more: usize) -> String {
    let more = match more {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!(
        "{} of generation {generation} would be {after}, past {} to {}{more}",
        info.name, info.min, info.max
    )
}

impl Condition {
    fn holds(&self, value: i32) -> bool {
        match self {
            Self::Any => true,
            Self::Within(range) => range.contains(&value),
            Self::Not(other) => value != *other,
        }
    }
}

impl Change {
    fn of(self, value: i32) -> i64 {
        match self {
            Self::To(to) => to.into(),
            Self::Add(by) => i64::from(value) + i64::from(by),
            Self::Times(factor) => (f64::from(value) * factor).round() as i64,
        }
    }
}

/// Splits a text into names, numbers and signs.
fn tokens(text: &str) -> Result<Vec<&str>, String> {
    const SIGNS: [&str; 15] = [
        "->", "→", "=>", ">=", "<=", "!=", "..", "≥", "≤", ">", "<", "=", "+", "*", "/",
    ];
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
        let end = if let Some(sign) = sign {
            sign.len()
        } else if first == '-' || first == '–' {
            first.len_utf8()
        } else if first.is_alphanumeric() {
            let in_word = |c: char| c.is_alphanumeric() || c == '_';
            let end = rest.find(|c: char| !in_word(c)).unwrap_or(rest.len());
            // Accepts the point of 1.5, but not those of 1..5.
            match rest[end..].strip_prefix('.') {
                Some(after) if first.is_ascii_digit() && after.starts_with(|c: char| c.is_ascii_digit()) => {
                    let fraction = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
                    end + 1 + fraction
                }
                _ => end,
            }
        } else {
            return Err(format!("unexpected `{first}`"));
        };
        tokens.push(match &rest[..end] {
            "→" | "=>" => "->",
            "≥" => ">=",
            "≤" => "<=",
            "–" => "-",
            token => token,
        });
        rest = rest[end..].trim_start();
    }
    Ok(tokens)
}

fn next_of<'a>(rest: &mut &[&'a str]) -> Option<&'a str> {
    let (first, after) = rest.split_first()?;
    *rest = after;
    Some(first)
}

/// Returns the parameter with this name, key or unique prefix of either; `None` for `all`.
fn parameter(name: &str) -> Result<Option<Stat>, String> {
    let plain = |text: &str| text.replace('_', "").to_lowercase();
    let wanted = plain(name);
    if wanted == "all" {
        return Ok(None);
    }
    let names = || Stat::ALL.iter().map(|stat| stat.info().name);
    if let Some(stat) = Stat::ALL.iter().find(|stat| plain(stat.info().name) == wanted) {
        return Ok(Some(*stat));
    }
    let is_candidate = |stat: &&Stat| plain(stat.info().name).starts_with(&wanted);
    let candidates: Vec<&Stat> = Stat::ALL.iter().filter(is_candidate).collect();
    match candidates.as_slice() {
        [stat] => Ok(Some(**stat)),
        [] => {
            let hint = did_you_mean(name, names().chain(["all"]));
            let hint = hint.unwrap_or_else(|| "name one of the stats file, or `all`".to_owned());
            Err(format!("unknown parameter `{name}`; {hint}"))
        }
        several => {
            let names: Vec<&str> = several.iter().map(|stat| stat.info().name).collect();
            Err(format!("\"{name}\" may be {}", names.join(" or ")))
        }
    }
}

/// Parses an optional condition; `MaxAge - 3` has none, `MaxAge 1-3` has.
fn condition(rest: &mut &[&str]) -> Result<Condition, String> {
    let Some(first) = rest.first().copied() else {
        return Ok(Condition::Any);
    };
    let sign = matches!(first, ">" | "<" | ">=" | "<=" | "=" | "!=");
    if !sign && !first.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(Condition::Any);
    }
    *rest = &rest[1..];
    let value = if sign {
        number(next_of(rest).ok_or_else(|| format!("a number is missing after {first}"))?)?
    } else {
        number(first)?
    };
    Ok(match first {
        ">" => Condition::Within(value.saturating_add(1)..=i32::MAX),
        ">=" => Condition::Within(value..=i32::MAX),
        "<" => Condition::Within(i32::MIN..=value.saturating_sub(1)),
        "<=" => Condition::Within(i32::MIN..=value),
        "!=" => Condition::Not(value),
        "=" => Condition::Within(value..=value),
        _ => {
            if let [".." | "-", end, ..] = *rest {
                let end = number(end)?;
                *rest = &rest[2..];
                Condition::Within(value..=end)
            } else {
                Condition::Within(value..=value)
            }
        }
    })
}

fn operation(sign: &str, rest: &mut &[&str]) -> Result<Change, String> {
    let text = next_of(rest).ok_or_else(|| format!("a number is missing after {sign}"))?;
    Ok(match sign {
        "+" => Change::Add(number(text)?),
        "-" => Change::Add(-number(text)?),
        _ => {
            let factor: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
            if sign == "/" && factor == 0.0 {
                return Err("cannot divide by 0".into());
            }
            Change::Times(if sign == "/" { factor.recip() } else { factor })
        }
    })
}

fn number(text: &str) -> Result<i32, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a whole number, or too large"))
}

fn generations(rest: &mut &[&str]) -> Result<RangeInclusive<usize>, String> {
    let one = |text: &str| {
        let number = text.parse().ok().filter(|number| *number < GENERATIONS);
        number.ok_or_else(|| format!("`{text}` is not a generation; use 0 to {}", GENERATIONS - 1))
    };
    let first = one(next_of(rest).ok_or("the generations are missing; write 3 or 3-9")?)?;
    let last = match *rest {
        ["-" | "..", end, ..] => {
            *rest = &rest[2..];
            one(end)?
        }
        ["+", ..] => {
            *rest = &rest[1..];
            GENERATIONS - 1
        }
        _ => first,
    };
    if last < first {
        return Err(format!("the range of generations {first} to {last} is empty"));
    }
    Ok(first..=last)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn changes(text: &str, character: &Character) -> Vec<(usize, &'static str, i32, i32)> {
        let replaced = Rule::read(text).and_then(|rule| rule.replaced(character)).unwrap();
        replaced
            .iter()
            .map(|r| (r.generation, r.parameter.info().name, r.before, r.after))
            .collect()
    }

    #[test]
    fn values_are_found_and_changed() {
        let mut character = Character::default();
        character.generations[2].corridor_width = 4;
        character.generations[7].corridor_width = 5;
        let two = [(2, "CorridorWidth", 4, 3)];
        for text in [
            "CorridorWidth 4 -> 3",
            "corridor_width=4→3",
            "corr 4 -> 3",
            // A decrease by one, since no parameter is negative.
            "Corr 4 => -1",
            "corr 4 -> -1 in 0-9",
            "corr >3 -> 3 in 2",
            "corr 4..4 -> 3",
        ] {
            assert_eq!(changes(text, &character), two, "{text}");
        }
        assert_eq!(
            changes("Corr >3 -> 3", &character),
            [(2, "CorridorWidth", 4, 3), (7, "CorridorWidth", 5, 3)]
        );
        assert_eq!(
            changes("corr 4-5 -> *2 in 5+", &character),
            [(7, "CorridorWidth", 5, 10)]
        );
        assert_eq!(changes("corr != 3 + 1 in 2", &character), [(2, "CorridorWidth", 4, 5)]);
        assert_eq!(changes("MaxAge * 1.5 in 9", &character), [(9, "MaxAge", 10, 15)]);
        assert_eq!(changes("MaxAge / 4 in 9", &character), [(9, "MaxAge", 10, 3)]);
        assert_eq!(
            changes("all 60 -> 50 in 0", &character),
            [(0, "StraightSpawnProb", 60, 50)]
        );
        assert_eq!(changes("all 77 -> 1", &character), []);
        assert_eq!(changes("MaxAge 10 -> 10", &character), []);
        assert_eq!(changes("MaxAge -> 12 in 3", &character), [(3, "MaxAge", 10, 12)]);
        assert_eq!(changes("MaxAge - 3 in 3", &character), [(3, "MaxAge", 10, 7)]);
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (text, why) in [
            ("", "begin the rule with a parameter"),
            ("Corridor", "the change is missing"),
            ("S 3 -> 4", "may be StepLength or StraightSpawnProb or SkipGenerations"),
            (
                "StepLenght 3 -> 4",
                "unknown parameter `StepLenght`; did you mean `StepLength`?",
            ),
            ("MaxAgee * 2", "did you mean `MaxAge`?"),
            ("Qqq * 2", "unknown parameter `Qqq`; name one"),
            ("StepLength 3", "write -> and a number"),
            ("StepLength 3 ->", "after ->"),
            ("StepLength > -> 3", "`->` is not a whole number"),
            ("StepLength 3 -> x", "`x` is not a whole number"),
            ("StepLength * ", "missing after *"),
            ("StepLength / 0", "cannot divide by 0"),
            ("StepLength * 2 3", "unexpected `3`"),
            ("StepLength * 2 in 12", "`12` is not a generation"),
            ("StepLength * 2 in 5-3", "5 to 3 is empty"),
            ("StepLength ? 2", "unexpected `?`"),
            ("StepLength 4 -> 99999999999", "not a whole number"),
        ] {
            let said = Rule::read(text).unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
    }

    #[test]
    fn a_rule_that_leads_out_of_a_range_is_refused_as_a_whole() {
        let character = Character::default();
        let said = Rule::read("all * 2").unwrap().replaced(&character).unwrap_err();
        assert_eq!(
            said,
            "StraightSpawnProb of generation 0 would be 120, past 0 to 100, and 9 more"
        );
        let said = Rule::read("StepLength - 9 in 3")
            .unwrap()
            .replaced(&character)
            .unwrap_err();
        assert!(said.contains("would be -5, past 1 to 1000"), "{said}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn any_text_is_read_or_refused(text in "(StepLength|all|Max|\\PC){0,2} ?[-><=!*/+. 0-9→≥]{0,8} ?(in)? ?[0-9-]{0,4}") {
            if let Ok(rule) = Rule::read(&text) {
                let character = Character::default();
                for replaced in rule.replaced(&character).unwrap_or_default() {
                    prop_assert!(replaced.parameter.info().range().contains(&replaced.after));
                    prop_assert!(replaced.before != replaced.after);
                }
            }
        }
    }
}
