//! Parses a design from TOML.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::super::text::{Parsed, Places, Text};
use super::{EXPECT, LISTS, TABLES, TOP, VERSION};
use crate::design::{
    CrawlerStart, Design, Diagnostic, Entry, Field, GENERATIONS, Limit, List, NamedPlace, Place, Room, Severity,
    SquareField, VaultEntry, expect, style,
};
use crate::geometry::Point;
use crate::text::did_you_mean;

type Value<'i> = Spanned<DeValue<'i>>;

/// Parses a design. Missing keys have default values. A syntax error makes the design unusable, because the meaning of
/// the text after the error is uncertain.
pub fn parse(text: &Text) -> Parsed<Design> {
    let mut reader = Reader {
        text,
        design: Design::default(),
        diagnostics: Vec::new(),
        places: Places::default(),
        expectations: Vec::new(),
    };
    if let Some(problem) = text.problem() {
        // `Text` only warns about Latin-1. Here it is an error, because TOML must be UTF-8. If comments were decoded
        // wrongly, saving would damage them in the file.
        let mut problem = problem.clone();
        problem.severity = Severity::Error;
        reader.diagnostics.push(problem);
    } else {
        reader.read_text();
    }
    reader.places.sort();
    reader
        .diagnostics
        .sort_by_key(|d| d.source.as_ref().map_or(0, |source| source.span.start));
    Parsed {
        value: reader.design,
        diagnostics: reader.diagnostics,
        places: reader.places,
        end: text.content().len(),
    }
}

/// Returns the keys and values of a table in text order.
pub(crate) fn in_order<'a, 'i>(table: &'a DeTable<'i>) -> Vec<(&'a str, Range<usize>, &'a Value<'i>)> {
    let mut items: Vec<_> = table
        .iter()
        .map(|(key, value)| (key.get_ref().as_ref(), key.span(), value))
        .collect();
    items.sort_by_key(|(_, span, _)| span.start);
    items
}

/// Returns the name of a value's type for use in messages.
fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

struct Reader<'t> {
    text: &'t Text,
    design: Design,
    diagnostics: Vec<Diagnostic>,
    places: Places,
    /// Byte range of each expectation's string.
    expectations: Vec<Range<usize>>,
}

impl Reader<'_> {
    fn report(&mut self, diagnostic: Diagnostic, span: Range<usize>) {
        self.diagnostics.push(diagnostic.from_source(self.text.source(span)));
    }

    fn read_text(&mut self) {
        let content = self.text.content();
        if content.trim().is_empty() {
            let error = Diagnostic::error("the file is empty").help("a design begins with `format = 1`");
            self.report(error, 0..0);
            return;
        }
        let (root, errors) = DeTable::parse_recoverable(content);
        if let Some(first) = errors.iter().min_by_key(|e| e.span().map_or(0, |s| s.start)) {
            // Report only the first syntax error: messages about the text after it would be misleading.
            let span = first.span().unwrap_or(0..0);
            let error = Diagnostic::error(format!("this is not TOML: {}", first.message()));
            self.report(error.help("fix the syntax; then the design can be read"), span);
            return;
        }
        let known = |key: &str| TOP.contains(&key) || TABLES.contains(&key);
        if !root.get_ref().keys().any(|key| known(key.get_ref())) {
            let error = Diagnostic::error("this is not a design: it contains none of a design's keys");
            let help = "a design has tables such as [layout], [[crawler]] and [[generation]]";
            self.report(error.help(help), 0..content.len());
            return;
        }
        self.read_root(root.get_ref());
    }

    fn read_root(&mut self, root: &DeTable<'_>) {
        for (key, span, value) in in_order(root) {
            match key {
                "format" => self.read_version(value),
                "name" => self.design.name = self.read_string(key, value),
                "notes" => self.design.notes = self.read_string(key, value),
                "seed" => self.read_seed(value),
                "constants" => self.read_record(key, value, &[Entry::Constants], &[]),
                "limits" => self.read_record(key, value, &[Entry::Limits], &[]),
                "layout" => {
                    self.read_record(key, value, &[Entry::Dimensions, Entry::Protuberances], &LISTS);
                }
                "room" | "crawler" | "vault" | "place" | "generation" => self.read_records(key, value),
                "expect" => self.read_expectations(value),
                _ => self.report_unknown("key", key, span, &[&TOP[..], &TABLES[..]].concat()),
            }
        }
        self.check_limits();
        self.check_expectations();
        for table in ["constants", "layout", "generation"] {
            if !root.contains_key(table) {
                let brackets = if table == "generation" {
                    "[[generation]]"
                } else {
                    &format!("[{table}]")
                };
                let note = Diagnostic::note(format!("{brackets} is missing; the defaults are used"));
                let end = self.text.content().len();
                self.report(note, end..end);
            }
        }
    }

    fn report_unknown(&mut self, what: &str, name: &str, span: Range<usize>, known: &[&str]) {
        let help = did_you_mean(name, known.iter().copied());
        let help = help.unwrap_or_else(|| format!("known names: {}", known.join(", ")));
        let message = format!("unknown {what}; it is ignored");
        self.report(Diagnostic::warning(message).help(help), span);
    }

    fn report_type(&mut self, name: &str, wanted: &str, value: &Value<'_>) {
        let message = format!(
            "expected {wanted} for {name}, found {}; it is ignored",
            kind(value.get_ref())
        );
        self.report(
            Diagnostic::warning(message).help(format!("write {wanted}")),
            value.span(),
        );
    }

    fn read_version(&mut self, value: &Value<'_>) {
        let version = value
            .get_ref()
            .as_integer()
            .and_then(|i| i.as_str().parse::<i64>().ok());
        if version != Some(VERSION) {
            let error = Diagnostic::error(format!("this version of Wallcrawler reads only format {VERSION}"));
            let help = "update Wallcrawler, or correct the value of `format`";
            self.report(error.help(help), value.span());
        }
    }

    fn read_string(&mut self, key: &str, value: &Value<'_>) -> String {
        self.string(value).unwrap_or_else(|| {
            self.report_type(key, "a string in quotes", value);
            String::new()
        })
    }

    /// Returns the content of a string, with LF in place of each CRLF between its lines; `None` for other values.
    fn string(&self, value: &Value<'_>) -> Option<String> {
        let text = value.get_ref().as_str()?;
        let has_crlf = self.text.content()[value.span()].contains("\r\n");
        Some(if has_crlf {
            text.replace("\r\n", "\n")
        } else {
            text.to_owned()
        })
    }

    fn read_seed(&mut self, value: &Value<'_>) {
        let seed = match value.get_ref() {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
            DeValue::String(text) => match text.trim().strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16).ok(),
                None => text.trim().parse().ok(),
            },
            _ => None,
        };
        if let Some(seed) = seed {
            self.design.seed = seed;
            return;
        }
        let message = format!(
            "the seed is not a number from 0 to {}; {} is used",
            u64::MAX,
            self.design.seed
        );
        let help = "write a whole number, or a string of digits";
        self.report(Diagnostic::warning(message).help(help), value.span());
    }

    /// Reads the fields of the records `entries`, which share the table `value`. `lists` are the keys of the table's
    /// lists of squares.
    fn read_record(&mut self, name: &str, value: &Value<'_>, entries: &[Entry], lists: &[&'static str]) {
        let DeValue::Table(table) = value.get_ref() else {
            self.report_type(name, "a table", value);
            return;
        };
        let mut known: Vec<(&str, Entry, Field)> = Vec::new();
        for &entry in entries {
            self.places.add(Place::entry(entry), value.span());
            known.extend(entry.fields().map(|field| (field.key(), entry, field)));
        }
        let mut seen: Vec<&str> = Vec::new();
        for (key, span, value) in in_order(table) {
            let found = known
                .iter()
                .find(|(own, ..)| *own == key)
                .or_else(|| known.iter().find(|(.., field)| field.is_called(key)));
            if let Some(&(own, entry, field)) = found {
                if seen.contains(&own) {
                    let warning = Diagnostic::warning(format!("{own} is given twice; only the first is used"));
                    self.report(
                        warning.help("remove one of them; case and underscores in a key do not matter"),
                        span,
                    );
                    continue;
                }
                seen.push(own);
                self.read_field(key, value, entry, field);
            } else if let Some(list) = lists.iter().position(|l| *l == key) {
                self.read_squares(key, value, [List::Open, List::Walls, List::Columns][list]);
            } else {
                let mut names: Vec<&str> = known.iter().map(|(k, ..)| *k).collect();
                names.extend(lists);
                self.report_unknown(&format!("key in {name}"), key, span, &names);
            }
        }
        let absent: Vec<String> = known
            .iter()
            .filter(|(k, ..)| !seen.contains(k))
            .filter_map(|&(k, entry, field)| Some(format!("{k} ({})", self.design.get(entry, field.number()?)?)))
            .collect();
        if !absent.is_empty() {
            let note = Diagnostic::note(format!("not given; defaults are used: {}", absent.join(", ")));
            self.report(note.at(Place::entry(entries[0])), value.span());
        }
    }

    fn read_field(&mut self, key: &str, value: &Value<'_>, entry: Entry, field: Field) {
        let place = Place::field(entry, field);
        self.places.add(place, value.span());
        let parameter = match field {
            Field::Number(parameter) => parameter,
            Field::Text(text) => {
                let value = self.read_string(key, value);
                self.design.set_text(entry, text, &value);
                return;
            }
        };
        let is_style = super::is_style(field);
        let number = match value.get_ref() {
            DeValue::Integer(number) => self.number(key, number, value.span(), place),
            DeValue::Array(names) if is_style => self.style(names.iter()),
            DeValue::String(_) if is_style => self.style(std::iter::once(value)),
            _ => {
                let wanted = if is_style {
                    "a whole number or a list of names"
                } else {
                    "a whole number"
                };
                self.report_type(key, wanted, value);
                return;
            }
        };
        self.design.set(entry, parameter, number);
    }

    fn number(&mut self, name: &str, number: &DeInteger<'_>, span: Range<usize>, place: Place) -> i32 {
        let wide = i128::from_str_radix(number.as_str(), number.radix());
        let value = match wide {
            Ok(wide) => wide.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
            Err(_) if number.as_str().starts_with('-') => i32::MIN,
            Err(_) => i32::MAX,
        };
        if wide != Ok(value.into()) {
            let message = format!("{name} does not fit into 32 bits; {value} is used");
            let help = "write a number that fits in 32 bits";
            self.report(Diagnostic::warning(message).at(place).help(help), span);
        }
        value
    }

    /// Returns the sum of the style switches with the given names, and reports unknown names.
    fn style<'a, 'i: 'a>(&mut self, names: impl Iterator<Item = &'a Value<'i>>) -> i32 {
        let known: Vec<&str> = style::SWITCHES.iter().map(|(_, name)| *name).collect();
        let mut sum = 0;
        for value in names {
            let DeValue::String(name) = value.get_ref() else {
                self.report_type("style", "a list of names", value);
                continue;
            };
            if let Some(i) = known.iter().position(|k| k.eq_ignore_ascii_case(name.trim())) {
                sum |= style::SWITCHES[i].0;
            } else {
                let quotes = value.span();
                self.report_unknown("style", name, quotes.start + 1..quotes.end - 1, &known);
            }
        }
        sum
    }

    fn read_squares(&mut self, key: &str, value: &Value<'_>, list: List) {
        let DeValue::Array(items) = value.get_ref() else {
            self.report_type(key, "a list of [x, y]", value);
            return;
        };
        for item in items {
            let pair = item.get_ref().as_array().filter(|pair| pair.len() == 2);
            let numbers = pair.map(|pair| [&pair[0], &pair[1]].map(|v| (v.get_ref().as_integer(), v.span())));
            let Some([(Some(x), x_span), (Some(y), y_span)]) = numbers else {
                let message = format!("a square in {key} is not [x, y]; it is left out");
                let help = "write two whole numbers in brackets: row x, column y";
                self.report(Diagnostic::warning(message).help(help), item.span());
                continue;
            };
            let entry = list.entry(list.len(&self.design.layout));
            let (x_place, y_place) = (Place::field(entry, SquareField::X), Place::field(entry, SquareField::Y));
            let at = Point::new(
                self.number("x", x, x_span.clone(), x_place),
                self.number("y", y, y_span.clone(), y_place),
            );
            self.places.add(Place::entry(entry), item.span());
            self.places.add(x_place, x_span);
            self.places.add(y_place, y_span);
            list.insert(&mut self.design.layout, usize::MAX, Some(at));
        }
    }

    fn read_expectations(&mut self, value: &Value<'_>) {
        let DeValue::Table(table) = value.get_ref() else {
            self.report_type("expect", "a table", value);
            return;
        };
        for (key, span, value) in in_order(table) {
            match key {
                "that" => self.read_that(value),
                "entrance" => self.design.expect.entrance = self.read_square(key, value),
                "exit" => self.design.expect.exit = self.read_square(key, value),
                _ => self.report_unknown("key in expect", key, span, &EXPECT),
            }
        }
    }

    fn read_that(&mut self, value: &Value<'_>) {
        let alone = std::slice::from_ref(value);
        let items = match value.get_ref() {
            DeValue::Array(items) => &items[..],
            _ => alone,
        };
        if let Some(error) = expect::too_many(items.len()) {
            self.report(error, value.span());
            return;
        }
        for item in items {
            let Some(text) = self.string(item) else {
                self.report_type("an expectation", "a string in quotes", item);
                continue;
            };
            let that = &mut self.design.expect.that;
            self.places
                .add(Place::entry(Entry::Expectation(that.len())), item.span());
            that.push(text);
            self.expectations.push(item.span());
        }
    }

    fn read_square(&mut self, key: &str, value: &Value<'_>) -> Option<Point> {
        let pair = value.get_ref().as_array().filter(|pair| pair.len() == 2);
        let numbers = pair.and_then(|pair| Some([pair[0].get_ref().as_integer()?, pair[1].get_ref().as_integer()?]));
        let number = |number: &DeInteger<'_>| i32::from_str_radix(number.as_str(), number.radix()).ok();
        let at = numbers.and_then(|[x, y]| Some(Point::new(number(x)?, number(y)?)));
        if at.is_none() && value.get_ref().is_array() {
            let message = format!("{key} is not [x, y] with whole numbers that fit in 32 bits; it is ignored");
            let help = "write two whole numbers in brackets: row x, column y";
            self.report(Diagnostic::warning(message).help(help), value.span());
        } else if at.is_none() {
            self.report_type(key, "a square [x, y]", value);
        }
        at
    }

    /// Reports the problems of the expectations. All rooms, vaults and named places must have been read.
    fn check_expectations(&mut self) {
        for (index, text) in self.design.expect.that.iter().enumerate() {
            let literal = self.expectations.get(index).cloned().unwrap_or(0..0);
            for problem in expect::problems(text, &self.design) {
                // In a string without escapes, the exact characters can be marked; otherwise the whole string is
                // marked.
                let is_plain = literal.len() == text.len() + 2 && self.text.content()[literal.clone()].contains(text);
                let span = if is_plain {
                    let start = literal.start + 1;
                    start + problem.span.start..start + problem.span.end.max(problem.span.start + 1)
                } else {
                    literal.clone()
                };
                self.diagnostics
                    .push(problem.about(index).from_source(self.text.source(span)));
            }
        }
    }

    fn read_records(&mut self, name: &str, value: &Value<'_>) {
        let DeValue::Array(tables) = value.get_ref() else {
            self.report_type(name, &format!("a list of tables [[{name}]]"), value);
            return;
        };
        for (i, table) in tables.iter().enumerate() {
            if table.get_ref().as_table().is_none() {
                self.report_type(name, "a table", table);
                continue;
            }
            let layout = &mut self.design.layout;
            let entry = match name {
                "room" => {
                    layout.rooms.push(Room::default());
                    Entry::Room(layout.rooms.len() - 1)
                }
                "crawler" => {
                    layout.crawlers.push(CrawlerStart::default());
                    Entry::Crawler(layout.crawlers.len() - 1)
                }
                "vault" => {
                    layout.vaults.push(VaultEntry::default());
                    Entry::Vault(layout.vaults.len() - 1)
                }
                "place" => {
                    layout.places.push(NamedPlace::default());
                    Entry::NamedPlace(layout.places.len() - 1)
                }
                _ if i < GENERATIONS => Entry::Generation(i),
                _ => {
                    let message = format!("more than {GENERATIONS} generations; only the first {GENERATIONS} are used");
                    let help = "remove the others; Builders of later generations use the parameters of generation 9";
                    self.report(Diagnostic::warning(message).help(help), table.span());
                    return;
                }
            };
            self.read_record(&entry.label(), table, &[entry], &[]);
        }
        if name == "generation" && tables.len() < GENERATIONS {
            let message = format!(
                "found only {} of {GENERATIONS} generations; the others have their default values",
                tables.len()
            );
            let end = self.text.content().len();
            self.report(Diagnostic::warning(message), end..end);
        }
    }

    /// If the file has the table `limits`, reports each limit that is too small for its list.
    fn check_limits(&mut self) {
        let Some(table) = self.places.unsorted(Place::entry(Entry::Limits)) else {
            return;
        };
        let limits = self.design.layout.limits;
        let raised = limits.raised_for(&self.design.layout);
        for &limit in Limit::ALL {
            let (stated, needed) = (limit.get(&limits), limit.get(&raised));
            if needed > stated {
                let place = Place::field(Entry::Limits, limit);
                let (key, entries) = (limit.info().key, needed - 1);
                let given = self.places.unsorted(place);
                let subject = if given.is_some() { "" } else { "the default " };
                let message = if entries == 0 {
                    format!("{key} = {stated} is too small even for an empty list")
                } else {
                    let excluded = stated.max(1);
                    let allows = format!("{subject}{key} = {stated} allows fewer than {excluded}");
                    format!("{allows}, but the file has {entries}; all of them are used")
                };
                let help = format!("write {key} = {needed}, or remove [limits]");
                let span = given.unwrap_or_else(|| table.clone());
                self.report(Diagnostic::warning(message).at(place).help(help), span);
            }
        }
    }
}
