//! Updates the text of a design only where the design has changed.
//!
//! Edits replace the byte ranges of changed values in the text itself, not nodes in a tree of parsed values. Everything
//! else in the text stays as it is, even a number that does not fit in 32 bits. New lines have the line breaks of the
//! text.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use toml::de::DeTable;

use super::super::text::{Places, Text, line_break};
use super::edit::{self, Edit, EditKind, Items};
use super::matching::{equal_values, matching};
use super::outline::Outline;
use super::write::{
    SQUARES_A_LINE, field, field_literal, inline_record, nth, record, square_literal, table_name, that_literal,
};
use super::{LISTS, is_style, parse, plain_limits, seed_literal, string_literal};
use crate::design::{Design, Diagnostic, Entry, GENERATIONS, Limits, List, Place, expect};
use crate::geometry::Point;

/// Returns `original`, changed so that it describes `design`.
///
/// Unchanged values are not touched, and comments are kept, with two exceptions. If a room, first Crawler, vault or
/// named place has a table of its own and is removed, some comments are removed with the table: those in the table and
/// those directly above and below it. If an item of an array is removed, and each item of the array has a line of its
/// own, the comments beside the item and directly above it are removed with the item.
///
/// If the edits cannot handle the structure of `original`, the result is a new text from [`write`](super::write()),
/// with all comments of `original` at its end.
///
/// If `original` already describes `design`, it is returned unchanged. If a limit or the length of a list has changed,
/// each limit that is too small for its list is raised. A text without limits gets the table `limits` only if a limit
/// is larger than its list requires.
///
/// # Errors
/// Returns the diagnostics of `original` if it is not a usable design.
pub fn update(original: &str, design: &Design) -> Result<String, Vec<Diagnostic>> {
    let text = Text::new("", original);
    let old = parse(&text);
    if !old.is_usable() {
        return Err(old.diagnostics);
    }
    if old.value == *design {
        return Ok(original.to_owned());
    }
    let (root, _) = DeTable::parse_recoverable(original);
    let mut new = design.clone();
    new.layout.limits = limits(&old.value, design);
    let change = Updater {
        outline: Outline::new(original, root.get_ref()),
        root: root.get_ref(),
        old: &old.value,
        new: &new,
        places: &old.places,
    };
    let mut edits = change.edits();
    let line_break = line_break(original);
    for edit in &mut edits {
        edit.text = with_line_breaks(&edit.text, line_break);
    }
    let removed = edits.iter().filter(|edit| edit.kind == EditKind::Remove);
    let removed: Vec<Range<usize>> = removed.map(|edit| edit.at.clone()).collect();
    let updated = edit::apply(original, 0..original.len(), edits);
    Ok(if is_faithful(&change.outline, &removed, &updated, &new) {
        updated
    } else {
        rewritten(&change.outline, &new)
    })
}

/// Returns the limits for the text: the limits of `new` if neither they nor the lengths of the lists have changed,
/// otherwise these limits raised to fit the lists.
fn limits(old: &Design, new: &Design) -> Limits {
    let lengths = |d: &Design| List::ALL.map(|list| list.len(&d.layout));
    if old.layout.limits == new.layout.limits && lengths(old) == lengths(new) {
        new.layout.limits
    } else {
        new.layout.limits.raised_for(&new.layout)
    }
}

/// Returns the design with its limits raised to fit its lists, like the limits in a written file.
fn raised(mut design: Design) -> Design {
    design.layout.limits = design.layout.limits.raised_for(&design.layout);
    design
}

/// Returns whether the text `updated` describes the design `new` and contains every comment of the text `original`,
/// except those in the byte ranges `removed`.
fn is_faithful(original: &Outline<'_>, removed: &[Range<usize>], updated: &str, new: &Design) -> bool {
    let parsed = parse(&Text::new("", updated));
    if !parsed.is_usable() || raised(parsed.value) != raised(new.clone()) {
        return false;
    }
    let (mut counts, empty) = (HashMap::new(), DeTable::new());
    let updated = Outline::new(updated, &empty);
    let gone = removed.iter().flat_map(|part| original.comments(part.clone()));
    for comment in updated.comments(0..updated.text.len()).chain(gone) {
        *counts.entry(comment).or_insert(0) += 1;
    }
    original.comments(0..original.text.len()).all(|comment| {
        counts
            .get_mut(comment)
            .is_some_and(|n| std::mem::replace(n, *n - 1) > 0)
    })
}

/// Returns a newly written file, with the comments of the old text at its end. This is the fallback for a text whose
/// structure the edits do not handle.
fn rewritten(outline: &Outline<'_>, new: &Design) -> String {
    let mut out = super::write(new);
    for (i, comment) in outline.comments(0..outline.text.len()).enumerate() {
        if i == 0 {
            out.push_str("\n# Comments that the file had before:\n");
        }
        out.push_str(comment);
        out.push('\n');
    }
    with_line_breaks(&out, line_break(outline.text))
}

/// Returns the text with `line_break` in place of each line break.
fn with_line_breaks(text: &str, line_break: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', line_break)
}

/// Returns the names of the metrics of an expectation; `None` if it cannot be parsed.
fn metrics(text: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    expect::parse(text).ok()?.condition.metrics(&mut |metric, _| {
        names.extend(metric.to_string().split([' ', '(']).next().map(str::to_owned));
    });
    Some(names)
}

struct Updater<'t> {
    outline: Outline<'t>,
    root: &'t DeTable<'t>,
    old: &'t Design,
    new: &'t Design,
    places: &'t Places,
}

impl Updater<'_> {
    fn edits(&self) -> Vec<Edit> {
        let mut edits = self.top();
        edits.extend(self.table(&[Entry::Constants], Vec::new()));
        edits.extend(self.layout());
        edits.extend(self.limits());
        let layouts = (&self.old.layout, &self.new.layout);
        edits.extend(self.records(Entry::Room(0), layouts.0.rooms.len(), layouts.1.rooms.len()));
        edits.extend(self.records(Entry::Crawler(0), layouts.0.crawlers.len(), layouts.1.crawlers.len()));
        edits.extend(self.generations());
        edits.extend(self.records(Entry::Vault(0), layouts.0.vaults.len(), layouts.1.vaults.len()));
        edits.extend(self.records(Entry::NamedPlace(0), layouts.0.places.len(), layouts.1.places.len()));
        edits.extend(self.expectations());
        edits
    }

    fn limits(&self) -> Vec<Edit> {
        if self.root.contains_key("limits") {
            return self.table(&[Entry::Limits], Vec::new());
        }
        if self.new.layout.limits.raised_for(&self.new.layout) == plain_limits(&self.new.layout) {
            return Vec::new();
        }
        let all: Vec<String> = Entry::Limits
            .fields()
            .map(|limit| field(self.new, Entry::Limits, limit))
            .collect();
        vec![self.add_keys(None, table_name(Entry::Limits), &all)]
    }

    /// Returns the edits to the keys `name`, `notes` and `seed`.
    fn top(&self) -> Vec<Edit> {
        let (old, new) = (self.old, self.new);
        let values = [
            ("name", old.name != new.name, string_literal(&new.name)),
            ("notes", old.notes != new.notes, string_literal(&new.notes)),
            ("seed", old.seed != new.seed, seed_literal(new.seed)),
        ];
        let mut edits = Vec::new();
        let mut added = String::new();
        for (key, _, literal) in values.into_iter().filter(|(_, changed, _)| *changed) {
            match self.root.get(key) {
                Some(value) => edits.push(Edit::replace(value.span(), literal)),
                None => added.extend([key, " = ", &literal, "\n"]),
            }
        }
        if !added.is_empty() {
            edits.push(self.insert_lines(self.outline.top(), &added));
        }
        edits
    }

    /// Returns the edit that inserts whole lines at the start of a line, or at the end of a text that may lack its last
    /// line break.
    fn insert_lines(&self, at: usize, lines: &str) -> Edit {
        let before = &self.outline.text[..at];
        if before.is_empty() || before.ends_with('\n') || before == "\u{feff}" {
            Edit::insert(at, lines)
        } else {
            Edit::insert(at, format!("\n{lines}"))
        }
    }

    /// Returns the edit that inserts the lines of a new table, like [`insert_lines`](Self::insert_lines).
    fn insert_table(&self, at: usize, lines: &str) -> Edit {
        Edit {
            kind: EditKind::AddTable,
            ..self.insert_lines(at, lines)
        }
    }

    /// Returns the edits to the changed values of a record, and `key = value` for each changed value that is not yet in
    /// the text.
    fn fields(&self, old: Entry, new: Entry) -> (Vec<Edit>, Vec<String>) {
        let (mut edits, mut added) = (Vec::new(), Vec::new());
        for one in new.fields() {
            let literal = field_literal(self.new, new, one);
            if field_literal(self.old, old, one) == literal {
                continue;
            }
            match self.places.exactly(Place::field(old, one)) {
                Some(span) => {
                    let as_number = is_style(one) && !self.outline.text[span.clone()].starts_with(['[', '"', '\'']);
                    let literal = match one.number().filter(|_| as_number) {
                        Some(style) => self.new.get(new, style).unwrap_or_default().to_string(),
                        None => literal,
                    };
                    edits.push(Edit::replace(span, literal));
                }
                None => added.push(field(self.new, new, one)),
            }
        }
        (edits, added)
    }

    /// Returns the edits to the table that contains the records `entries`. The lines `more` are added to the table.
    fn table(&self, entries: &[Entry], more: Vec<String>) -> Vec<Edit> {
        let (mut edits, mut added) = (Vec::new(), Vec::new());
        for &entry in entries {
            let (changed, missing) = self.fields(entry, entry);
            edits.extend(changed);
            added.extend(missing);
        }
        added.extend(more);
        if !added.is_empty() {
            edits.push(self.add_keys(
                self.places.exactly(Place::entry(entries[0])),
                table_name(entries[0]),
                &added,
            ));
        }
        edits
    }

    /// Returns the edit that adds keys to a table in any notation. `node` is the byte range of the table's header, of
    /// its braces, or of its first dotted key; `None` if the text has no such table yet.
    fn add_keys(&self, node: Option<Range<usize>>, name: &str, keys: &[String]) -> Edit {
        let lines = |prefix: &str| {
            let mut lines = String::new();
            for key in keys {
                lines.extend([prefix, key, "\n"]);
            }
            lines
        };
        let text = self.outline.text;
        match node {
            None => self.insert_table(text.len(), &format!("\n[{name}]\n{}", lines(""))),
            Some(span) if text[span.clone()].starts_with('[') => {
                let end = self.outline.content_end(Some(span.start)).unwrap_or(text.len());
                self.insert_lines(end, &lines(""))
            }
            Some(span) if text[span.clone()].starts_with('{') => {
                // `last` is the opening brace, a comma, or the end of the last value.
                let last = self.outline.token_before(span.end - 1);
                let comma = if matches!(&text[last.clone()], "{" | ",") {
                    " "
                } else {
                    ", "
                };
                Edit::insert(last.end, format!("{comma}{}", keys.join(", ")))
            }
            Some(_) => self.insert_lines(self.outline.top(), &lines(&format!("{name}."))),
        }
    }

    /// Returns the edits to the table `layout`: dimensions, protuberances and lists of squares.
    fn layout(&self) -> Vec<Edit> {
        let table = self.root.get("layout").and_then(|value| value.get_ref().as_table());
        let mut edits = Vec::new();
        let mut missing = Vec::new();
        let (old, new) = (&self.old.layout, &self.new.layout);
        let lists: [(List, &[Point], &[Point]); 3] = [
            (List::Open, &old.open, &new.open),
            (List::Walls, &old.walls, &new.walls),
            (List::Columns, &old.columns, &new.columns),
        ];
        for (key, (list, old, new)) in LISTS.into_iter().zip(lists) {
            if old == new {
                continue;
            }
            match table.and_then(|table| table.get(key)) {
                Some(value) => edits.extend(self.squares(value.span(), list, old, new)),
                None => missing.push(format!("{key} = {}", super::write::list_literal(new))),
            }
        }
        edits.extend(self.table(&[Entry::Dimensions, Entry::Protuberances], missing));
        edits
    }

    fn squares(&self, array: Range<usize>, list: List, old: &[Point], new: &[Point]) -> Vec<Edit> {
        let spans = self.spans(old.len(), |i| list.entry(i));
        let text = &self.outline.text[array.clone()];
        let plain = !text.contains('#') || !text.starts_with('[');
        if plain && (old.is_empty() || new.is_empty() || spans.len() != old.len()) {
            return vec![Edit::replace(array, super::write::list_literal(new))];
        }
        let similarity = |i: usize, j: usize| {
            let values = |at: Point| [at.x, at.y];
            Some(equal_values(&values(old[i]), &values(new[j])))
        };
        self.array(array, &spans, (old, new), SQUARES_A_LINE, similarity, |at| {
            square_literal(*at)
        })
    }

    /// Returns the edits to the table `expect`.
    fn expectations(&self) -> Vec<Edit> {
        let (old, new) = (&self.old.expect, &self.new.expect);
        let node = self.root.get("expect");
        let table = node.and_then(|value| value.get_ref().as_table());
        let (mut edits, mut missing, mut removed) = (Vec::new(), Vec::new(), Vec::new());
        for (key, old, new) in [("entrance", old.entrance, new.entrance), ("exit", old.exit, new.exit)] {
            if old == new {
                continue;
            }
            match (table.and_then(|table| table.get_key_value(key)), new) {
                (Some((_, value)), Some(at)) => edits.push(Edit::replace(value.span(), square_literal(at))),
                (Some((key, value)), None) => removed.push(key.span().start..value.span().end),
                (None, Some(at)) => missing.push(format!("{key} = {}", square_literal(at))),
                (None, None) => {}
            }
        }
        if old.that != new.that {
            match table.and_then(|table| table.get("that")) {
                Some(value) => edits.extend(self.that(value.span())),
                None => missing.push(format!("that = {}", that_literal(&new.that))),
            }
        }
        if node.is_some_and(|node| self.outline.text[node.span()].starts_with('{')) {
            // New pairs replace a removed pair. Otherwise, they would be inserted after the last pair, which may be a
            // removed one.
            if !missing.is_empty()
                && let Some(pair) = removed.pop()
            {
                edits.push(Edit::replace(pair, missing.join(", ")));
                missing.clear();
            }
            edits.extend(self.without_pairs(removed));
        } else {
            edits.extend(removed.into_iter().map(|pair| self.without_lines(pair)));
        }
        if !missing.is_empty() {
            edits.push(self.add_keys(node.map(toml::Spanned::span), "expect", &missing));
        }
        edits
    }

    /// Returns the edit that removes the lines of a key and its value, but keeps their comments.
    fn without_lines(&self, pair: Range<usize>) -> Edit {
        let lines = self.outline.line_start(pair.start)..self.outline.line_end(pair.end - 1);
        let comments = self.outline.comments(lines.clone());
        Edit::replace(lines, comments.flat_map(|comment| [comment, "\n"]).collect::<String>())
    }

    /// Returns the edits that remove up to two keys and their values from an inline table.
    fn without_pairs(&self, mut pairs: Vec<Range<usize>>) -> Vec<Edit> {
        pairs.sort_by_key(|pair| pair.start);
        // Two edits could both remove the comma between the pairs. Therefore, one edit removes both pairs, unless a
        // line break follows the comma.
        if let [first, second] = &pairs[..]
            && let Some(comma) = self.outline.comma_after(first.end)
            && self.outline.text[comma.end..second.start]
                .trim_matches([' ', '\t'])
                .is_empty()
        {
            return vec![self.without_pair(first.start..second.end)];
        }
        pairs.into_iter().map(|pair| self.without_pair(pair)).collect()
    }

    /// Returns the edit that removes a key and its value from an inline table, with one of the commas around them.
    /// The comments in the removed text are kept. `pair` may also be the range of two consecutive pairs.
    fn without_pair(&self, pair: Range<usize>) -> Edit {
        let (outline, text) = (&self.outline, self.outline.text);
        let comma = outline.comma_after(pair.end);
        let end = comma.as_ref().map_or(pair.end, |comma| comma.end);
        let starts_its_line = text[outline.line_start(pair.start)..pair.start].trim().is_empty();
        if starts_its_line && outline.ends_its_line(end, text.len()) {
            return self.without_lines(pair.start..end);
        }
        let comments = outline.comments(pair.start..end);
        let mut kept: String = comments.flat_map(|comment| [comment, "\n"]).collect();
        if comma.is_some() {
            let blank = kept.is_empty() && text[end..].starts_with(' ');
            return Edit::replace(pair.start..end + usize::from(blank), kept);
        }
        let before = text[..pair.start].trim_end_matches([' ', '\t']);
        if !before.ends_with(',') {
            return Edit::replace(pair.start..end, kept);
        }
        if !kept.is_empty() {
            kept.insert(0, ' ');
        }
        Edit::replace(before.len() - 1..end, kept)
    }

    fn that(&self, array: Range<usize>) -> Vec<Edit> {
        let (old, new) = (&self.old.expect.that, &self.new.expect.that);
        let spans = self.spans(old.len(), Entry::Expectation);
        let text = &self.outline.text[array.clone()];
        if !text.starts_with('[') || !text.contains('#') && (old.is_empty() || new.is_empty()) {
            return vec![Edit::replace(array, that_literal(new))];
        }
        // An expectation is matched with an old one only if they share a metric, because the comment of the old one
        // would not fit otherwise. If one of the two has an error, its metrics are not known, so they can be matched.
        let [of_old, of_new] = [old, new].map(|texts| texts.iter().map(|text| metrics(text)).collect::<Vec<_>>());
        let similarity = |i: usize, j: usize| match (&of_old[i], &of_new[j]) {
            (Some(old), Some(new)) => Some(old.iter().filter(|name| new.contains(name)).count()).filter(|n| *n > 0),
            _ => Some(0),
        };
        self.array(array, &spans, (old, new), 1, similarity, |text| string_literal(text))
    }

    /// Returns the edits to an array of literals. `spans` are the byte ranges of the old literals.
    fn array<T: Eq + Hash>(
        &self,
        array: Range<usize>,
        spans: &[Range<usize>],
        (old, new): (&[T], &[T]),
        a_line: usize,
        similarity: impl Fn(usize, usize) -> Option<usize>,
        literal: impl Fn(&T) -> String,
    ) -> Vec<Edit> {
        edit::array(
            &self.outline,
            &Items {
                array,
                old: spans,
                matched: matching(old, new, similarity),
                a_line,
                same: &|i, j| old[i] == new[j],
                change: &|i, j| vec![Edit::replace(spans[i].clone(), literal(&new[j]))],
                literal: &|j| literal(&new[j]),
            },
        )
    }

    /// Returns the byte ranges of those entries of a list that the text contains.
    fn spans(&self, count: usize, entry: impl Fn(usize) -> Entry) -> Vec<Range<usize>> {
        (0..count)
            .filter_map(|i| self.places.exactly(Place::entry(entry(i))))
            .collect()
    }

    /// Returns the edits to the rooms, first Crawlers, vaults or named places.
    fn records(&self, kind: Entry, old: usize, new: usize) -> Vec<Edit> {
        let values = |design: &Design, i: usize| -> Vec<String> {
            let entry = nth(kind, i);
            entry.fields().map(|one| field_literal(design, entry, one)).collect()
        };
        let old_values: Vec<_> = (0..old).map(|i| values(self.old, i)).collect();
        let new_values: Vec<_> = (0..new).map(|i| values(self.new, i)).collect();
        if old_values == new_values {
            return Vec::new();
        }
        let spans = self.spans(old, |i| nth(kind, i));
        let matched = matching(&old_values, &new_values, |i, j| {
            Some(equal_values(&old_values[i], &new_values[j]))
        });
        match self.root.get(table_name(kind)) {
            Some(value) if !self.outline.text[value.span()].starts_with("[[") || old == 0 => edit::array(
                &self.outline,
                &Items {
                    array: value.span(),
                    old: &spans,
                    matched,
                    a_line: 1,
                    same: &|i, j| old_values[i] == new_values[j],
                    change: &|i, j| self.inline_change(nth(kind, i), nth(kind, j), &spans[i]),
                    literal: &|j| inline_record(self.new, nth(kind, j)),
                },
            ),
            _ => self.blocks(kind, &spans, &matched),
        }
    }

    fn inline_change(&self, old: Entry, new: Entry, span: &Range<usize>) -> Vec<Edit> {
        let (mut edits, added) = self.fields(old, new);
        if !added.is_empty() {
            edits.push(self.add_keys(Some(span.clone()), "", &added));
        }
        edits
    }

    /// Returns the edits to records that are tables under `[[…]]` headers. `matched` contains, for each new record, the
    /// old record whose lines it reuses. The tables of these old records are put into the order of the new records; the
    /// lines between the tables stay in place. A new record without an old record is added below the record before it.
    /// Old records that no new record reuses are removed with their comments.
    fn blocks(&self, kind: Entry, headers: &[Range<usize>], matched: &[Option<usize>]) -> Vec<Edit> {
        let text = self.outline.text;
        let blocks: Vec<Range<usize>> = headers.iter().map(|h| self.outline.block(h.start)).collect();
        let mut kept: Vec<usize> = matched.iter().flatten().copied().collect();
        kept.sort_unstable();
        let is_removed = |slot: &usize| kept.binary_search(slot).is_err();
        let removed = (0..blocks.len()).filter(is_removed).map(|slot| Edit {
            kind: EditKind::Remove,
            ..Edit::replace(self.outline.with_blank_above(blocks[slot].clone()), "")
        });
        let mut edits: Vec<Edit> = removed.collect();
        let mut slots = kept.iter().map(|&slot| blocks[slot].clone()).peekable();
        let mut above = None;
        for (j, old) in matched.iter().enumerate() {
            let Some(i) = *old else {
                let record = record(self.new, nth(kind, j));
                edits.push(match (above, slots.peek()) {
                    (None, Some(first)) => self.insert_table(first.start, &format!("{record}\n")),
                    (end, _) => self.insert_table(end.unwrap_or(text.len()), &format!("\n{record}")),
                });
                continue;
            };
            let Some(slot) = slots.next() else { continue };
            let changes = self.inline_change(nth(kind, i), nth(kind, j), &headers[i]);
            let mut lines = edit::apply(text, blocks[i].clone(), changes);
            if slot.end < text.len() && !lines.ends_with('\n') {
                // These lines were at the end of the text, without a final line break; now other lines follow them.
                lines.push('\n');
            }
            above = Some(slot.end);
            if lines != text[slot.clone()] {
                edits.push(Edit::replace(slot, lines));
            }
        }
        edits
    }

    /// Returns the edits to the generations. They are never moved, because the position of a generation is its number.
    fn generations(&self) -> Vec<Edit> {
        let there = self.spans(GENERATIONS, Entry::Generation).len();
        let differs = |i: &usize| self.old.character.generations[*i] != self.new.character.generations[*i];
        let Some(last) = (0..GENERATIONS).rev().find(differs) else {
            return Vec::new();
        };
        let spans = self.spans(there, Entry::Generation);
        // A text without generations gets all of them, because a text with only some of them causes a warning.
        let count = if there == 0 { GENERATIONS } else { there.max(last + 1) };
        let matched: Vec<_> = (0..count).map(|i| (i < there).then_some(i)).collect();
        match self.root.get("generation") {
            Some(value) if !self.outline.text[value.span()].starts_with("[[") || there == 0 => edit::array(
                &self.outline,
                &Items {
                    array: value.span(),
                    old: &spans,
                    matched,
                    a_line: 1,
                    same: &|i, j| i == j && i < there && !differs(&i),
                    change: &|i, j| self.inline_change(Entry::Generation(i), Entry::Generation(j), &spans[i]),
                    literal: &|j| inline_record(self.new, Entry::Generation(j)),
                },
            ),
            _ => self.blocks(Entry::Generation(0), &spans, &matched),
        }
    }
}
