//! Describes in words how the designer's and the files' versions of a design differ.

use super::fields::{field_name, field_value, quoted};
use crate::design::{Design, Entry, Field, List};
use crate::document::{ChangedBy, Difference, MergedPart};
use crate::geometry::Point;
use crate::text::counted;

/// Describes a difference: `StepLength of generation 0: 3 → 7 in the file`. `versions` are the common version that both
/// sides began with, the designer's version, and the files' version.
pub(in crate::tui) fn difference(difference: &Difference, versions: [&Design; 3]) -> String {
    let by = difference.by;
    match difference.part {
        MergedPart::Name => values("name", by, versions.map(|design| quoted(&design.name))),
        MergedPart::Notes => changed("notes", by),
        MergedPart::Seed => values("seed", by, versions.map(|design| design.seed.to_string())),
        MergedPart::Entrance => values("entrance", by, versions.map(|design| square(design.expect.entrance))),
        MergedPart::Exit => values("exit", by, versions.map(|design| square(design.expect.exit))),
        MergedPart::Field(entry, field) => of_field(entry, field, by, versions),
        MergedPart::Expectation(index) => {
            let text = |design: &Design| quoted(design.expect.that.get(index).map_or("", String::as_str));
            values(&Entry::Expectation(index).label(), by, versions.map(text))
        }
        MergedPart::Expectations => counts("expectations", by, versions.map(|design| design.expect.that.len())),
        MergedPart::Entries(list) => {
            let count = |design: &Design| list.len(&design.layout);
            counts(list_name(list), by, versions.map(count))
        }
        MergedPart::Squares(count) => changed(&counted(count, "hand-placed square"), by),
    }
}

/// Describes which side changed a part of the design.
const fn side(by: ChangedBy) -> &'static str {
    match by {
        ChangedBy::Both => "differently on both sides",
        ChangedBy::FileUnmerged => "in the file (not merged)",
        ChangedBy::File => "in the file",
        ChangedBy::Designer => "here",
    }
}

fn changed(what: &str, by: ChangedBy) -> String {
    format!("{what}: changed {}", side(by))
}

/// Describes a change with the values before and after it.
fn values(what: &str, by: ChangedBy, [base, mine, theirs]: [String; 3]) -> String {
    match by {
        ChangedBy::Both => format!("{what}: {mine} here, {theirs} in the file (was {base})"),
        ChangedBy::File | ChangedBy::FileUnmerged => format!("{what}: {base} → {theirs} {}", side(by)),
        ChangedBy::Designer => format!("{what}: {base} → {mine} {}", side(by)),
    }
}

/// Describes a change to a list by giving its lengths; if they are equal, reports only that the list was changed.
fn counts(what: &str, by: ChangedBy, counts: [usize; 3]) -> String {
    let [base, mine, theirs] = counts;
    let is_same = match by {
        ChangedBy::Both => mine == theirs,
        ChangedBy::File | ChangedBy::FileUnmerged => base == theirs,
        ChangedBy::Designer => base == mine,
    };
    if is_same {
        return changed(what, by);
    }
    values(what, by, counts.map(|count| count.to_string()))
}

fn of_field(entry: Entry, field: Field, by: ChangedBy, versions: [&Design; 3]) -> String {
    let value = |design: &Design| field_value(design, entry, field);
    values(&field_name(entry, field), by, versions.map(value))
}

fn square(at: Option<Point>) -> String {
    at.map_or_else(|| "automatic".into(), |at| format!("{at:#}"))
}

const fn list_name(list: List) -> &'static str {
    match list {
        List::Rooms => "rooms",
        List::Open => "open squares",
        List::Walls => "wall tiles",
        List::Columns => "columns",
        List::Crawlers => "Crawlers",
        List::Vaults => "vaults",
        List::Places => "named places",
    }
}
