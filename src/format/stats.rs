//! The stats file: ten records, one for each generation from 0 to 9.
//!
//! The parser assigns records to generations by position. A wrong generation number in a record is only a warning,
//! because two of the files shipped with the original program contain wrong numbers.

use super::record::Reader;
use super::template::{Template, skip_space};
use super::text::{Parsed, Places, Text};
use crate::design::{Character, Diagnostic, Entry, GENERATIONS, Place, Severity, Stat};

fn template() -> Template {
    let mut names = vec!["Generation"];
    names.extend(Stat::ALL.iter().map(|stat| stat.info().name));
    let items: Vec<String> = names.iter().map(|name| format!("{name}: %")).collect();
    Template::new(format!("{}.", items.join("; ")), names)
}

/// Parses a stats file. Generations missing from it have default values.
pub fn parse(text: &Text) -> Parsed<Character> {
    let templates = [template()];
    let mut reader = Reader::new(text, &templates);
    let mut parsed = Parsed {
        value: Character::default(),
        diagnostics: Vec::new(),
        places: Places::default(),
        end: 0,
    };
    if text.problem().is_none_or(|p| p.severity < Severity::Error) {
        let read = read_generations(&mut reader, &mut parsed);
        parsed.end = reader.at;
        report_end(&mut reader, read);
    }
    parsed.diagnostics = reader.finish();
    parsed.places.sort();
    parsed
}

/// Returns the byte offset of the first record of a stats file, if the text has one.
pub(super) fn first_record(text: &Text) -> Option<usize> {
    Reader::new(text, &[template()]).first()
}

/// Reads up to ten records and returns the number read.
fn read_generations(reader: &mut Reader<'_>, parsed: &mut Parsed<Character>) -> usize {
    for generation in 0..GENERATIONS {
        let before = reader.at;
        let (skipped, found) = reader.next();
        if !skipped.is_empty() && found.is_some() {
            let warning = Diagnostic::warning("this is not a record of a stats file; it is ignored");
            reader.report(
                warning.help("remove it, or begin the record with `Generation:`"),
                skipped,
            );
        }
        if found.is_none() {
            // The text after the last record is kept when the file is saved.
            reader.at = before;
            return generation;
        }
        let entry = Entry::Generation(generation);
        let reading = reader.read(0, Some(entry));
        parsed.places.add(Place::entry(entry), reading.span.clone());
        if let Some(number) = reading.numbers[0].as_ref().filter(|n| n.value != generation as i32) {
            let message = format!("expected generation {generation}, found {}", number.value);
            let help = format!("write {generation}; records are read in order, and DungeonMaker rejects other numbers");
            let warning = Diagnostic::warning(message).at(Place::entry(entry)).help(help);
            reader.report(warning, number.span.clone());
        }
        for (&stat, number) in Stat::ALL.iter().zip(&reading.numbers[1..]) {
            if let Some(number) = number {
                stat.set(&mut parsed.value.generations[generation], number.value);
                parsed.places.add(Place::field(entry, stat), number.span.clone());
            } else {
                let info = stat.info();
                let note = Diagnostic::note(format!("{} is set to its default, {}", info.name, info.default));
                reader.report(note.at(Place::field(entry, stat)), reading.span.clone());
            }
        }
    }
    GENERATIONS
}

fn report_end(reader: &mut Reader<'_>, read: usize) {
    let input = reader.input();
    let rest = skip_space(input, reader.at)..input.trim_end().len();
    if input.trim().is_empty() {
        let error = Diagnostic::error("the file is empty").help("a stats file begins with `Generation: 0;`");
        reader.report(error, 0..0);
        return;
    }
    if read == 0 {
        reader.diagnostics.clear();
        let error = Diagnostic::error("this is not a stats file: it has no record of a generation");
        reader.report(error.help("a stats file begins with `Generation: 0;`"), 0..input.len());
        return;
    }
    if read < GENERATIONS {
        let message = format!("found only {read} of {GENERATIONS} generations; the others have their default values");
        let warning = Diagnostic::warning(message).at(Place::entry(Entry::Generation(read)));
        let help = format!("write {GENERATIONS} records, for generations 0 to {}", GENERATIONS - 1);
        reader.report(warning.help(help), input.len()..input.len());
    }
    if !rest.is_empty() {
        let end = reader.at;
        reader.at = rest.start;
        let diagnostic = if reader.here().is_some() {
            Diagnostic::warning(format!(
                "more than {GENERATIONS} generations; only the first {GENERATIONS} are used"
            ))
            .help("remove the others; Builders of later generations use the parameters of generation 9")
        } else {
            Diagnostic::note("text after the last record is ignored")
        };
        reader.at = end;
        reader.report(diagnostic, rest);
    }
}

/// Returns the text of a stats file that the original program can read.
pub fn write(character: &Character) -> String {
    let template = template();
    let mut out = String::new();
    for (i, generation) in character.generations.iter().enumerate() {
        let mut numbers = vec![i as i32];
        numbers.extend(Stat::ALL.iter().map(|stat| stat.get(generation)));
        out.push_str(&template.write(&numbers));
        out.push('\n');
    }
    out
}
