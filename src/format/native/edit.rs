//! Edits to a text: byte ranges and their replacements.

use std::ops::Range;

use super::outline::Outline;
use super::write::item_lines;

/// The replacement of a byte range by `text`; an insertion if the range is empty. The line breaks in `text` may be LF
/// even if the file has CRLF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) at: Range<usize>,
    pub(super) text: String,
    pub(super) kind: EditKind,
}

/// What an edit does to the tables of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EditKind {
    /// Changes a part of a table, or reorders tables.
    Change,
    /// Adds a table. Keys that other edits insert at the same place belong to the table above the new one, so they are
    /// written first.
    AddTable,
    /// Removes a table or the lines of an array's item, with their comments.
    Remove,
}

impl Edit {
    pub(super) fn replace(at: Range<usize>, text: impl Into<String>) -> Self {
        Self {
            at,
            text: text.into(),
            kind: EditKind::Change,
        }
    }

    pub(super) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::replace(at..at, text)
    }
}

/// Applies edits to the byte range `part` of a text, and returns the result. The edits must lie in this range and must
/// not overlap; insertions at the same place keep their order, with new tables after everything else.
pub(super) fn apply(text: &str, part: Range<usize>, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|e| (e.at.start, e.at.end, e.kind == EditKind::AddTable));
    let mut out = String::with_capacity(part.len() + 64);
    let mut at = part.start;
    for edit in edits {
        out.push_str(&text[at..edit.at.start.max(at)]);
        out.push_str(&edit.text);
        at = edit.at.end.max(at);
    }
    out.push_str(&text[at..part.end]);
    out
}

/// The items of an array before and after a change.
pub(super) struct Items<'a> {
    /// Byte range of the array, brackets included.
    pub(super) array: Range<usize>,
    /// Byte ranges of the old items.
    pub(super) old: &'a [Range<usize>],
    /// For each new item, the index of the old item that it is matched with, if any.
    pub(super) matched: Vec<Option<usize>>,
    /// Maximum number of new items in a line.
    pub(super) a_line: usize,
    /// Returns whether the old item at the first index equals the new item at the second index.
    pub(super) same: &'a dyn Fn(usize, usize) -> bool,
    /// Returns the edits that turn the old item at the first index into the new item at the second index.
    pub(super) change: &'a dyn Fn(usize, usize) -> Vec<Edit>,
    /// Returns the text of the new item at an index.
    pub(super) literal: &'a dyn Fn(usize) -> String,
}

/// Returns the edits that change, remove and add items of an array.
///
/// If each old item has lines of its own, the comments beside and directly above an item are moved and removed with it.
/// Otherwise it is not clear to which item a comment belongs, so all comments stay in place. The items at the start and
/// end of the array that have not changed stay in place too.
pub(super) fn array(outline: &Outline<'_>, items: &Items<'_>) -> Vec<Edit> {
    let blocks: Option<Vec<Range<usize>>> = items
        .old
        .iter()
        .map(|item| outline.item_block(item, &items.array))
        .collect();
    let blocks =
        blocks.filter(|blocks| !blocks.is_empty() && items.matched.iter().flatten().all(|&i| i < blocks.len()));
    match blocks {
        Some(blocks) => in_blocks(outline, items, &blocks),
        None => in_place(outline, items),
    }
}

/// Returns the edits to an array in which each old item has lines of its own, its block. Each new item reuses the block
/// of the old item that it is matched with. If the order of the items changes, the reused blocks are exchanged with one
/// another; the lines between blocks stay where they are.
fn in_blocks(outline: &Outline<'_>, items: &Items<'_>, blocks: &[Range<usize>]) -> Vec<Edit> {
    let mut kept: Vec<usize> = items.matched.iter().flatten().copied().collect();
    kept.sort_unstable();
    let is_removed = |slot: &usize| kept.binary_search(slot).is_err();
    let removed = (0..blocks.len()).filter(is_removed).map(|slot| Edit {
        kind: EditKind::Remove,
        ..Edit::replace(blocks[slot].clone(), "")
    });
    let mut edits: Vec<Edit> = removed.collect();
    let mut slots = kept.iter().map(|&slot| &blocks[slot]);
    let mut above = outline.line_end(items.array.start);
    let mut added = Vec::new();
    let add = |added: &mut Vec<String>, above| {
        let lines = item_lines(added, items.a_line);
        let edit = (!added.is_empty()).then(|| Edit::insert(above, lines));
        added.clear();
        edit
    };
    for (j, old) in items.matched.iter().enumerate() {
        let Some((i, slot)) = old.and_then(|i| Some((i, slots.next()?))) else {
            added.push((items.literal)(j));
            continue;
        };
        edits.extend(add(&mut added, above));
        let is_same = (items.same)(i, j);
        let mut changes = if is_same { Vec::new() } else { (items.change)(i, j) };
        if j + 1 < items.matched.len() && outline.comma_after(items.old[i].end).is_none() {
            changes.push(Edit::insert(items.old[i].end, ","));
        }
        let lines = apply(outline.text, blocks[i].clone(), changes);
        if lines != outline.text[slot.clone()] {
            edits.push(Edit::replace(slot.clone(), lines));
        }
        above = slot.end;
    }
    edits.extend(add(&mut added, above));
    edits
}

/// Returns the edits to an array that leave all comments in place.
fn in_place(outline: &Outline<'_>, items: &Items<'_>) -> Vec<Edit> {
    let (old, count) = (items.old.len(), items.matched.len());
    let least = old.min(count);
    let head = (0..least).take_while(|&i| (items.same)(i, i)).count();
    let tail = (0..least - head)
        .take_while(|&i| (items.same)(old - 1 - i, count - 1 - i))
        .count();
    let common = head + (least - head - tail);
    let mut edits: Vec<Edit> = (head..common).flat_map(|i| (items.change)(i, i)).collect();
    let last_of_line = (tail == 0 && 0 < common && common < old)
        .then(|| items.old[common - 1].end..items.old[old - 1].end)
        .filter(|gone| !outline.text[gone.clone()].contains(['\n', '#']));
    if let Some(gone) = last_of_line {
        edits.push(Edit::replace(gone, ""));
    } else {
        let runs = runs_in_a_line(outline.text, &items.old[common..old - tail]);
        edits.extend(runs.iter().map(|run| remove(outline, &items.array, run)));
    }
    let added: Vec<String> = (common..count - tail).map(|i| (items.literal)(i)).collect();
    if !added.is_empty() {
        edits.extend(insert(outline, items, common, &added));
    }
    edits
}

/// Returns the byte ranges of consecutive items. Items with neither a line break nor a comment between them are one
/// range.
fn runs_in_a_line(text: &str, items: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for item in items {
        match runs.last_mut() {
            Some(run) if !text[run.end..item.start].contains(['\n', '#']) => run.end = item.end,
            _ => runs.push(item.clone()),
        }
    }
    runs
}

/// Removes an item, or several consecutive items of a line, and the comma that follows. If the line contains nothing
/// else, removes the whole line.
fn remove(outline: &Outline<'_>, array: &Range<usize>, item: &Range<usize>) -> Edit {
    let end = outline.comma_after(item.end).map_or(item.end, |comma| comma.end);
    let text = outline.text;
    let (start_of_line, end_of_line) = (outline.line_start(item.start), outline.line_end(end.max(1) - 1));
    let before = text[start_of_line..item.start].trim_end();
    let is_last = text[end..end_of_line].trim().is_empty();
    let alone = start_of_line > array.start && end_of_line < array.end && before.is_empty() && is_last;
    if alone && outline.comments(item.end..end).next().is_none() {
        return Edit::replace(start_of_line..end_of_line, "");
    }
    if outline.comments(item.end..end).next().is_some() {
        // A comment between the item and its comma is kept. Of the two commas around the item, the one before it
        // remains.
        let mut kept = String::new();
        for comment in outline.comments(item.end..end) {
            kept.push_str(comment);
            kept.push('\n');
        }
        return Edit::replace(item.start..end, kept);
    }
    if is_last {
        return Edit::replace(start_of_line + before.len()..end, "");
    }
    let blank = text[end..].starts_with(' ');
    Edit::replace(item.start..end + usize::from(blank), "")
}

/// Inserts items after the first `before` items of an array.
fn insert(outline: &Outline<'_>, items: &Items<'_>, before: usize, added: &[String]) -> Vec<Edit> {
    let joined = added.join(", ");
    let closing = items.array.end - 1;
    let in_lines = || item_lines(added, items.a_line);
    let Some(last) = before.checked_sub(1).map(|i| &items.old[i]) else {
        let opening = items.array.start + 1;
        let follows = !items.old.is_empty();
        if outline.ends_its_line(opening, closing + 1) {
            return vec![Edit::insert(outline.line_end(opening), in_lines())];
        }
        return vec![Edit::insert(
            opening,
            if follows { format!("{joined}, ") } else { joined },
        )];
    };
    let comma = outline.comma_after(last.end);
    let end = comma.as_ref().map_or(last.end, |comma| comma.end);
    let mut edits = Vec::new();
    if outline.ends_its_line(end, closing + 1) {
        if comma.is_none() {
            edits.push(Edit::insert(end, ","));
        }
        edits.push(Edit::insert(outline.line_end(end), in_lines()));
    } else if comma.is_some() {
        edits.push(Edit::insert(end, format!(" {joined},")));
    } else {
        edits.push(Edit::insert(end, format!(", {joined}")));
    }
    edits
}
