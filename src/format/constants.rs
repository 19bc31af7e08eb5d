//! Reads and writes the constants file: six numbers for the whole dungeon, followed by a sentence that warns the user.

use super::record::Reader;
use super::template::{Template, skip_space};
use super::text::{Parsed, Places, Text};
use crate::design::{Constant, Constants, Diagnostic, Entry, Place, Severity};

/// The sentence at the end of the file, which is part of the format.
const SENTENCE: &str = "You should only change these constants if you know what you're doing";

fn templates() -> Vec<Template> {
    let names = Constant::ALL.iter().map(|constant| constant.info().name);
    names
        .map(|name| Template::new(format!("{name} = %"), vec![name]))
        .collect()
}

/// Parses a constants file. Constants that are missing have their default values.
pub fn parse(text: &Text) -> Parsed<Constants> {
    let templates = templates();
    let mut reader = Reader::new(text, &templates);
    let mut parsed = Parsed {
        value: Constants::default(),
        diagnostics: Vec::new(),
        places: Places::default(),
        end: 0,
    };
    if text.problem().is_none_or(|p| p.severity < Severity::Error) {
        read_constants(&mut reader, &mut parsed);
    }
    parsed.end = reader.at;
    parsed.diagnostics = reader.finish();
    parsed.places.sort();
    parsed
}

/// Returns the byte offset of the first record of a constants file, if the text has one.
pub(super) fn first_record(text: &Text) -> Option<usize> {
    Reader::new(text, &templates()).first()
}

fn read_constants(reader: &mut Reader<'_>, parsed: &mut Parsed<Constants>) {
    let input = reader.input();
    let mut order: Vec<(Constant, std::ops::Range<usize>)> = Vec::new();
    let is_seen = |order: &[(Constant, _)], constant: &Constant| order.iter().any(|(seen, _)| seen == constant);
    while !Constant::ALL.iter().all(|constant| is_seen(&order, constant)) {
        let before = reader.at;
        let (skipped, found) = reader.next();
        let Some(index) = found else {
            reader.at = before;
            break;
        };
        if !skipped.is_empty() {
            let warning = Diagnostic::warning("unknown constant; it is ignored");
            let names: Vec<&str> = Constant::ALL.iter().map(|constant| constant.info().name).collect();
            reader.report(warning.help(format!("the constants are {}", names.join(", "))), skipped);
        }
        let reading = reader.read(index, Some(Entry::Constants));
        let constant = Constant::ALL[index];
        order.push((constant, reading.span));
        if let Some(number) = &reading.numbers[0] {
            constant.set(&mut parsed.value, number.value);
            let place = Place::field(Entry::Constants, constant);
            parsed.places.add(place, number.span.clone());
        }
    }
    for (i, (constant, span)) in order.iter().enumerate() {
        if order[i + 1..].iter().any(|(later, _)| later <= constant) {
            let name = constant.info().name;
            let warning = Diagnostic::warning(format!("{name} is out of order or given twice; its last value is used"));
            let help = "DungeonMaker reads each constant once, in a fixed order";
            let place = Place::field(Entry::Constants, *constant);
            reader.report(warning.at(place).help(help), span.clone());
        }
    }
    if let Some((_, end)) = Template::new(SENTENCE, Vec::new()).exact(input, reader.at) {
        reader.at = end;
    }
    let absent = Constant::ALL
        .iter()
        .copied()
        .filter(|constant| !is_seen(&order, constant));
    report_end(reader, &absent.collect::<Vec<_>>());
}

fn report_end(reader: &mut Reader<'_>, absent: &[Constant]) {
    let input = reader.input();
    let rest = skip_space(input, reader.at)..input.trim_end().len();
    if input.trim().is_empty() {
        let error = Diagnostic::error("the file is empty").help("a constants file begins with `maxCrawlers = 800`");
        reader.report(error, 0..0);
        return;
    }
    if absent == Constant::ALL {
        reader.diagnostics.clear();
        let error = Diagnostic::error("this is not a constants file: it contains none of the constants");
        reader.report(
            error.help("a constants file begins with `maxCrawlers = 800`"),
            0..input.len(),
        );
        return;
    }
    for constant in absent {
        let info = constant.info();
        let warning = Diagnostic::warning(format!("{} is missing; {} is used", info.name, info.default));
        let help = format!("write `{} = {}`", info.name, info.default);
        reader.report(warning.help(help), input.len()..input.len());
    }
    if rest.is_empty() {
        return;
    }
    let end = std::mem::replace(&mut reader.at, rest.start);
    let diagnostic = if reader.here().is_some() {
        Diagnostic::warning("repeated constants at the end of the file are ignored").help("remove them")
    } else {
        Diagnostic::note("text after the last constant is ignored")
    };
    reader.at = end;
    reader.report(diagnostic, rest);
}

/// Writes a constants file that the original program can read.
pub fn write(constants: &Constants) -> String {
    let mut out = String::new();
    for (constant, template) in Constant::ALL.iter().zip(templates()) {
        out.push_str(&template.write(&[constant.get(constants)]));
        out.push('\n');
    }
    out.push_str(SENTENCE);
    out.push('\n');
    out
}
