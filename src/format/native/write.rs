//! Writes a design as a new TOML file, with comments that explain every field.

use std::fmt::Write;

use super::{TABLES, VERSION, plain_limits, seed_literal, string_literal, style_literal};
use crate::design::{Design, Entry, Expectations, Field, FieldInfo, GENERATIONS, style};
use crate::geometry::Point;

/// Number of squares per line.
pub(super) const SQUARES_A_LINE: usize = 8;

/// Writes a design as TOML, with comments that explain every field. A limit that is too small for its list, such as
/// numRooms for the list of rooms, is raised. The limits are left out if none of them is larger than its list requires.
pub fn write(design: &Design) -> String {
    let mut out = String::from("# A design for Wallcrawler: everything that determines a dungeon.\n\n");
    line(&mut out, &format!("format = {VERSION}"));
    line(&mut out, &format!("name = {}", string_literal(&design.name)));
    line(&mut out, &format!("notes = {}", string_literal(&design.notes)));
    line(
        &mut out,
        "# Seed of the random numbers: the same design and seed grow the same dungeon.",
    );
    line(&mut out, &format!("seed = {}", seed_literal(design.seed)));
    line(&mut out, "\n[constants]");
    explained(&mut out, design, Entry::Constants);
    line(&mut out, "\n[layout]");
    explained(&mut out, design, Entry::Dimensions);
    explained(&mut out, design, Entry::Protuberances);
    line(
        &mut out,
        "# Squares placed by hand, each [x, y]: x is the row from the top, y the column from the left.\n# open: squares that always stay open; walls: squares with a wall tile; columns: squares with a column.",
    );
    let layout = &design.layout;
    for (key, squares) in super::LISTS.iter().zip([&layout.open, &layout.walls, &layout.columns]) {
        line(&mut out, &format!("{key} = {}", list_literal(squares)));
    }
    let mut with_limits = design.clone();
    with_limits.layout.limits = layout.limits.raised_for(layout);
    if with_limits.layout.limits != plain_limits(layout) {
        line(&mut out, "\n[limits]");
        explained(&mut out, &with_limits, Entry::Limits);
    }
    if !design.expect.is_empty() {
        out.push('\n');
        out.push_str(&expectations(&design.expect));
    }
    let lists = [
        ("Rooms, each in a table [[room]]:", Entry::Room(0), layout.rooms.len()),
        (
            "The first Crawlers, each in a table [[crawler]]:",
            Entry::Crawler(0),
            layout.crawlers.len(),
        ),
        (
            "Generations 0 to 9, each in a table [[generation]]; later generations use the parameters of generation 9:",
            Entry::Generation(0),
            GENERATIONS,
        ),
    ];
    let vaults = (
        "Vaults, hand-made maps placed in the dungeon, each in a table [[vault]]:",
        Entry::Vault(0),
        layout.vaults.len(),
    );
    let places = (
        "Places with names, for expectations, maps and exports, each in a [[place]] table:",
        Entry::NamedPlace(0),
        layout.places.len(),
    );
    // Vaults and places are explained only if the design has any.
    let present = [vaults, places].into_iter().filter(|(.., count)| *count > 0);
    for (title, kind, count) in lists.into_iter().chain(present) {
        legend(&mut out, title, kind);
        for i in 0..count {
            out.push('\n');
            out.push_str(&record(design, nth(kind, i)));
        }
    }
    out
}

/// Returns the table `expect`.
fn expectations(expect: &Expectations) -> String {
    let mut out = String::new();
    line(
        &mut out,
        "# Expectations for the dungeons; `wallcrawler check FILE --seeds 100` checks them.",
    );
    line(&mut out, "[expect]");
    for (key, at) in [("entrance", expect.entrance), ("exit", expect.exit)] {
        if let Some(at) = at {
            line(&mut out, &format!("{key} = {}", square_literal(at)));
        }
    }
    line(&mut out, &format!("that = {}", that_literal(&expect.that)));
    out
}

/// Returns the expectations as an array literal, with each expectation on its own line.
pub(super) fn that_literal(that: &[String]) -> String {
    let lines: Vec<String> = that
        .iter()
        .map(|text| format!("    {},\n", string_literal(text)))
        .collect();
    match lines.len() {
        0 => "[]".into(),
        _ => format!("[\n{}]", lines.concat()),
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// Returns the entry that has the given index and is of the same kind as `kind`.
pub(super) fn nth(kind: Entry, index: usize) -> Entry {
    match kind {
        Entry::Crawler(_) => Entry::Crawler(index),
        Entry::Vault(_) => Entry::Vault(index),
        Entry::NamedPlace(_) => Entry::NamedPlace(index),
        Entry::Generation(_) => Entry::Generation(index),
        _ => Entry::Room(index),
    }
}

/// Returns the name of a record's table.
pub(super) fn table_name(entry: Entry) -> &'static str {
    match entry {
        Entry::Constants => TABLES[0],
        Entry::Limits => TABLES[2],
        Entry::Room(_) => TABLES[3],
        Entry::Crawler(_) => TABLES[4],
        Entry::Generation(_) => TABLES[5],
        Entry::Vault(_) => TABLES[6],
        Entry::NamedPlace(_) => TABLES[8],
        _ => TABLES[1],
    }
}

/// Returns `meaning (manual's name, unit, 0 to 9)`. The name is omitted if it equals the key.
fn explanation(info: &FieldInfo) -> String {
    let mut details: Vec<String> = [info.name, info.unit]
        .into_iter()
        .filter(|detail| !detail.is_empty() && *detail != info.key)
        .map(str::to_owned)
        .collect();
    details.push(format!("{} to {}", info.min, info.max));
    format!("{} ({})", info.meaning, details.join(", "))
}

/// Writes every field of a record below its explanation.
fn explained(out: &mut String, design: &Design, entry: Entry) {
    for &parameter in entry.parameters() {
        line(out, &format!("# {}", explanation(parameter.info())));
        line(out, &field(design, entry, parameter.into()));
    }
}

/// Writes a title and the explanation of every field of a kind of record.
fn legend(out: &mut String, title: &str, kind: Entry) {
    line(out, &format!("\n# {title}"));
    for &parameter in kind.parameters() {
        let info = parameter.info();
        line(out, &format!("#   {}: {}", info.key, explanation(info)));
        if super::is_style(parameter.into()) {
            line(out, "#     a list of names, or the sum of their numbers:");
            for (bit, name) in style::SWITCHES {
                line(out, &format!("#     {bit:5} \"{name}\""));
            }
        }
    }
    for text in kind.texts() {
        line(out, &format!("#   {}: {} (text)", text.key(), text.meaning()));
    }
}

/// Returns the literal of a field's value.
pub(super) fn field_literal(design: &Design, entry: Entry, field: Field) -> String {
    match field {
        Field::Text(text) => string_literal(design.text(entry, text).unwrap_or_default()),
        Field::Number(parameter) => {
            let value = design.get(entry, parameter).unwrap_or_default();
            if super::is_style(field) {
                style_literal(value)
            } else {
                value.to_string()
            }
        }
    }
}

/// Returns `key = value` for a field.
pub(super) fn field(design: &Design, entry: Entry, field: Field) -> String {
    format!("{} = {}", field.key(), field_literal(design, entry, field))
}

/// Returns a record as a table under its header, without explanations.
pub(super) fn record(design: &Design, entry: Entry) -> String {
    let mut out = format!("[[{}]]", table_name(entry));
    if let Entry::Generation(i) = entry {
        let _ = write!(out, " # {i}");
    }
    out.push('\n');
    for one in entry.fields() {
        line(&mut out, &field(design, entry, one));
    }
    out
}

/// Returns a record as an inline table.
pub(super) fn inline_record(design: &Design, entry: Entry) -> String {
    let fields: Vec<String> = entry.fields().map(|one| field(design, entry, one)).collect();
    format!("{{ {} }}", fields.join(", "))
}

/// Returns a square as `[x, y]`.
pub(super) fn square_literal(at: Point) -> String {
    format!("[{}, {}]", at.x, at.y)
}

/// Returns the literal of a list of squares. A list of more than eight squares is split into several lines.
pub(super) fn list_literal(squares: &[Point]) -> String {
    let items: Vec<String> = squares.iter().map(|&at| square_literal(at)).collect();
    if items.len() <= SQUARES_A_LINE {
        format!("[{}]", items.join(", "))
    } else {
        format!("[\n{}]", item_lines(&items, SQUARES_A_LINE))
    }
}

/// Returns the items as indented lines. A line has at most `a_line` items, and a comma follows each item.
pub(super) fn item_lines(items: &[String], a_line: usize) -> String {
    let mut lines = String::new();
    for chunk in items.chunks(a_line) {
        lines += "    ";
        lines += &chunk.join(", ");
        lines += ",\n";
    }
    lines
}
