//! The constants file: six numbers for the whole dungeon, then a sentence of warning.

use super::record::{Reader, Template, skip_space};
use super::text::{Parsed, Places, Text};
use crate::design::{Constants, Diagnostic, Entry, Place, Severity, fields};

/// The closing sentence, which is part of the format.
const SENTENCE: &str = "You should only change these constants if you know what you're doing";

fn templates() -> Vec<Template> {
    let names = fields::CONSTANTS.iter().map(|f| f.info.name);
    names
        .map(|name| Template::new(format!("{name} = %"), vec![name]))
        .collect()
}

/// Parses a constants file. Missing constants have default values.
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
    let mut seen = [false; fields::CONSTANTS.len()];
    let mut order: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
    while seen.contains(&false) {
        let before = reader.at;
        let (skipped, found) = reader.next();
        let Some(index) = found else {
            reader.at = before;
            break;
        };
        if !skipped.is_empty() {
            let warning = Diagnostic::warning("this is no constant; it is not read");
            let help =
                "the constants are maxCrawlers, minCorrWidth, smallestRoomWidth, chDirOnStraight, jumperLife, joinDist";
            reader.report(warning.help(help), skipped);
        }
        let reading = reader.read(index, Some(Entry::Constants));
        order.push((index, reading.span));
        seen[index] = true;
        if let Some(number) = &reading.numbers[0] {
            (fields::CONSTANTS[index].set)(&mut parsed.value, number.value);
            parsed
                .places
                .add(Place::field(Entry::Constants, index), number.span.clone());
        }
    }
    for (i, (index, span)) in order.iter().enumerate() {
        if order[i + 1..].iter().any(|(later, _)| later <= index) {
            let name = fields::CONSTANTS[*index].info.name;
            let warning = Diagnostic::warning(format!("{name} stands too early, or twice; the last one is used"));
            let help = "the original program reads each constant once, in its order";
            let place = Place::field(Entry::Constants, *index);
            reader.report(warning.at(place).help(help), span.clone());
        }
    }
    if let Some((_, end)) = Template::new(SENTENCE, Vec::new()).exact(input, reader.at) {
        reader.at = end;
    }
    report_end(reader, seen);
}

fn report_end(reader: &mut Reader<'_>, seen: [bool; fields::CONSTANTS.len()]) {
    let input = reader.input();
    let rest = skip_space(input, reader.at)..input.trim_end().len();
    if input.trim().is_empty() {
        let error = Diagnostic::error("the file is empty").help("a constants file begins with 'maxCrawlers = 800'");
        reader.report(error, 0..0);
        return;
    }
    if !seen.contains(&true) {
        reader.diagnostics.clear();
        let error = Diagnostic::error("this is no constants file: it has none of the constants");
        reader.report(
            error.help("a constants file begins with 'maxCrawlers = 800'"),
            0..input.len(),
        );
        return;
    }
    for (field, _) in fields::CONSTANTS.iter().zip(seen).filter(|(_, seen)| !seen) {
        let info = field.info;
        let warning = Diagnostic::warning(format!("{} is missing; {} is used", info.name, info.default));
        let help = format!("write '{} = {}'", info.name, info.default);
        reader.report(warning.help(help), input.len()..input.len());
    }
    if rest.is_empty() {
        return;
    }
    let end = std::mem::replace(&mut reader.at, rest.start);
    let diagnostic = if reader.here().is_some() {
        Diagnostic::warning("constants after the last one are not read").help("remove them")
    } else {
        Diagnostic::note("text after the last constant is not read")
    };
    reader.at = end;
    reader.report(diagnostic, rest);
}

/// Writes a constants file that the original program can read.
pub fn write(constants: &Constants) -> String {
    let mut out = String::new();
    for (field, template) in fields::CONSTANTS.iter().zip(templates()) {
        out.push_str(&template.write(&[(field.get)(constants)]));
        out.push('\n');
    }
    out.push_str(SENTENCE);
    out.push('\n');
    out
}
