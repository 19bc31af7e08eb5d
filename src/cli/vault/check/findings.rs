//! Collects and prints the findings of a check.

use std::collections::BTreeSet;

use super::super::super::output::Output;
use super::is_shown;
use super::runs::{Closets, Runs};
use crate::design::{Diagnostic, Severity};
use crate::text::{counted, thousands};
use crate::vault::lint::{Finding, Names, Rule, entries, misspelt, placeable, unknown_names, wrong_values};
use crate::vault::lua::{CompileReport, FailureKind, LuaFailure, UndefinedUse};
use crate::vault::source::VaultFile;
use crate::vault::{Library, MapId};

/// Findings, and the options that determine which problems are reported and how severely.
pub(super) struct Findings {
    found: Vec<Finding>,
    /// Number of findings that have been printed.
    printed: usize,
    is_strict: bool,
    names: Option<Names>,
}

impl Findings {
    /// Creates an empty list. If `names` is `None`, the names of monsters, items and tiles are not checked.
    pub(super) fn new(is_strict: bool, names: Option<Names>) -> Self {
        Self {
            found: Vec::new(),
            printed: 0,
            is_strict,
            names,
        }
    }

    /// Returns all findings, in the order in which they were added.
    pub(super) fn all(&self) -> &[Finding] {
        &self.found
    }

    /// Adds a finding. In a strict check, warnings become errors.
    pub(super) fn add(&mut self, mut finding: Finding) {
        if self.is_strict && finding.diagnostic.severity == Severity::Warning {
            finding.diagnostic.severity = Severity::Error;
        }
        self.found.push(finding);
    }

    /// Adds a finding that depends on the effects of the map's Lua. If the map calls functions that none of the files
    /// define, those functions might correct the problem. For such a map, errors about its validation, its exits or its
    /// selection become warnings, and a glyph without meaning is not reported.
    fn add_unless_opaque(&mut self, mut finding: Finding, report: &CompileReport) {
        const DRAWN: [Rule; 3] = [Rule::Validation, Rule::Exit, Rule::Selection];
        if report.is_opaque && finding.rule == Rule::Glyph {
            return;
        }
        if report.is_opaque && DRAWN.contains(&finding.rule) && finding.is_error() {
            finding.diagnostic.severity = Severity::Warning;
            finding.diagnostic.help =
                "the map calls functions that none of these files define (`--verbose` lists them), so the problem \
                 may not occur in the game; pass `--crawl-data` to use the functions of your copy of the game"
                    .into();
        }
        self.add(finding);
    }

    /// Adds the problems found when the files were read. If `only` is a map, adds only the problems that concern this
    /// map.
    pub(super) fn add_files(&mut self, library: &Library, only: Option<MapId>) {
        let add = |findings: &mut Self, map: &str, diagnostic: &Diagnostic| {
            if is_shown(diagnostic.severity) {
                findings.add(Finding {
                    rule: Rule::Grammar,
                    map: map.to_owned(),
                    diagnostic: diagnostic.clone(),
                });
            }
        };
        if let Some(map) = only {
            let source = library.map(map);
            for problem in library.file(map).problems_of(source) {
                add(self, &source.name, problem);
            }
            return;
        }
        for file in library.files() {
            for problem in &file.problems {
                let line = problem.source.as_ref().map_or(0, |source| source.line);
                let map = file.maps.iter().find(|map| (map.line..=map.last_line).contains(&line));
                add(self, map.map_or("", |map| &map.name), problem);
            }
        }
        for problem in library.problems() {
            let name = problem.source.as_ref().map_or("", |source| &source.text);
            add(self, name, problem);
        }
    }

    /// Adds the findings about a map from its compile run and from resolving it with `seeds` seeds. Lua failures that
    /// repeat an error in the map's text are left out.
    pub(super) fn add_map(&mut self, library: &Library, map: MapId, report: &CompileReport, runs: &Runs, seeds: u64) {
        let (file, source) = (library.file(map), library.map(map));
        let is_known = |failure: &LuaFailure| {
            file.problems_of(source)
                .filter(|problem| problem.severity == Severity::Error)
                .any(|problem| {
                    let line = problem.source.as_ref().map(|source| source.line);
                    failure.line == line || failure.message.contains(&problem.message)
                })
        };
        if let Some(failure) = report.failure.as_ref().filter(|failure| !is_known(failure)) {
            let finding = lua(library, map, failure, "");
            self.add(finding);
        }
        if let Some((seed, level, failure)) = &runs.failed
            && report.failure.as_ref() != Some(failure)
            && !is_known(failure)
        {
            self.add(lua(library, map, failure, &format!(" (seed {seed} on {level})")));
        }
        if let Some((seed, level, resolved)) = &runs.invalid {
            let tries = resolved.origin.tries;
            let message = format!("none of {tries} tries passes the map's own validation (seed {seed} on {level})");
            let line = source.validate.as_ref().map_or(source.line, |chunk| chunk.line);
            let diagnostic = Diagnostic::error(message)
                .help("accept more random results in `validate`, or make the rejected results less likely");
            let finding = Finding::of_lines(Rule::Validation, file, source, line..=line, "", diagnostic);
            self.add_unless_opaque(finding, report);
        }
        if report.failure.is_some() {
            return;
        }
        if let Some(closet) = &runs.closet {
            self.add(of_closets(library, map, closet, runs.closets, seeds));
        }
        for finding in placeable(file, source, &report.state, runs.exits) {
            self.add_unless_opaque(finding, report);
        }
        let mut words = entries(file, source, &runs.portals);
        words.extend(misspelt(file, source, &report.state));
        words.extend(wrong_values(file, source));
        if let Some(names) = &self.names {
            words.extend(unknown_names(file, source, names));
        }
        for finding in words {
            self.add(finding);
        }
    }

    /// Adds a warning about an undefined name, if a defined name is similar.
    pub(super) fn add_misspelt(&mut self, library: &Library, name: &str, first: &UndefinedUse) {
        let (Some(place), Some(similar)) = (&first.place, &first.similar) else {
            return;
        };
        let Some(file) = library.files().iter().find(|file| file.name == place.file) else {
            return;
        };
        let map = file
            .maps
            .iter()
            .find(|map| (map.line..=map.last_line).contains(&place.line));
        // Search only for the last part of the name: the line may call the function through a table with another name,
        // or write a module path without its extension.
        let part = match name.rsplit_once('/') {
            Some((_, file)) => file.trim_end_matches(".lua"),
            None => name.rsplit('.').next().unwrap_or(name),
        };
        self.add(Finding {
            rule: Rule::Lua,
            map: map.map_or_else(String::new, |map| map.name.clone()),
            diagnostic: Diagnostic::warning(format!("`{name}` is not defined; did you mean `{similar}`?"))
                .help("correct the name, or ignore this if a newer version of the game has it")
                .from_source(file.position(place.line..=place.line, part)),
        });
    }

    /// Prints the findings that have not been printed yet.
    pub(super) fn print_new(&mut self, output: &mut Output) {
        for finding in &self.found[self.printed..] {
            output.diagnostic(&finding.diagnostic);
        }
        self.printed = self.found.len();
    }

    /// Summarizes the findings: `2 with problems, 1 warning`, where 2 is the number of maps.
    pub(super) fn description(&self) -> String {
        let errors = || self.found.iter().filter(|finding| finding.is_error());
        let maps: BTreeSet<&str> = errors().map(|finding| finding.map.as_str()).collect();
        let outside = errors().filter(|finding| finding.map.is_empty()).count();
        let bad = maps.iter().filter(|map| !map.is_empty()).count();
        let mut parts = Vec::new();
        if bad > 0 || outside == 0 {
            parts.push(format!("{bad} with problems"));
        }
        if outside > 0 {
            parts.push(format!("{} outside maps", counted(outside, "error")));
        }
        let warnings = self.found.iter().filter(|finding| !finding.is_error()).count();
        if warnings > 0 {
            parts.push(counted(warnings, "warning"));
        }
        let mut description = parts.join(", ");
        if self.names.is_none() {
            description.push_str("; names of monsters, items and tiles not checked (see `vault names`)");
        }
        description
    }
}

/// Returns the finding that a map has closets. Of the `seeds` seeds that were tried, `found` led to closets. The place
/// of the finding is the first closet cell in the file.
fn of_closets(library: &Library, map: MapId, closet: &Closets, found: u64, seeds: u64) -> Finding {
    let (file, source) = (library.file(map), library.map(map));
    let (seed, level) = (closet.seed, closet.level);
    let of = counted(closet.cells.len(), "cell");
    let message = format!(
        "with {} of {}, the map has closets: a player teleported into one cannot leave (seed {seed} on {level}: {of})",
        thousands(found),
        counted(seeds, "seed")
    );
    let diagnostic =
        Diagnostic::error(message).help("open a way out, or keep teleports away with `KPROP: GLYPHS = no_tele_into`");
    // If Lua draws the map, the file may have no rows; the finding then points at the map's first line.
    let Some(cell) = closet.first_in_rows.filter(|_| source.rows_line > 0) else {
        let lines = source.line..=source.line;
        return Finding::of_lines(Rule::Closet, file, source, lines, &source.name, diagnostic);
    };
    let position = file.position_of_cell(source.rows_line + cell.y as u32, cell.x as u32 + 1);
    Finding {
        rule: Rule::Closet,
        map: source.name.clone(),
        diagnostic: diagnostic.from_source(position),
    }
}

/// Returns the finding that a map's Lua fails. `when` is appended to the message and names the seed and the level.
fn lua(library: &Library, map: MapId, failure: &LuaFailure, when: &str) -> Finding {
    let (file, source) = (library.file(map), library.map(map));
    let header = source.headers.iter().find(|header| Some(header.line) == failure.line);
    let help = match header {
        // A syntax error that Lua reports at a header is in the Lua before that header, unless the header itself
        // contains Lua.
        _ if failure.kind == FailureKind::Syntax && header.is_none_or(|header| header.keyword.call() != "marker") => {
            "check the Lua before this place: a `then`, `do`, `end` or bracket may be missing; level files use Lua 5.1, \
             without `//` and `goto`"
        }
        Some(header) => header.advice(),
        None => "check this line; `print()` shows values",
    };
    let diagnostic = Diagnostic::error(format!("{}{when}", failure.message)).help(help);
    let finding = |diagnostic| Finding {
        rule: Rule::Lua,
        map: source.name.clone(),
        diagnostic,
    };
    let Some(line) = failure.line else {
        return Finding::of_lines(Rule::Lua, file, source, source.line..=source.line, "", diagnostic);
    };
    // The failing line may be in another file, which defines a function that this map calls.
    let files = library.files().iter();
    let Some(at) = files
        .into_iter()
        .find(|file| failure.file.as_deref() == Some(&file.name))
    else {
        let place = failure.file.as_deref().unwrap_or_default();
        return finding(Diagnostic::error(format!("{place}:{line}: {}{when}", failure.message)));
    };
    finding(diagnostic.from_source(at.position(line..=line, subject(at, line, &failure.message))))
}

/// Returns the part of a line that a Lua message is about. A message can quote several texts: in backticks if it is one
/// of our own, in apostrophes if it comes from Lua. The result is the last quoted text that occurs in the line, or else
/// the function name with which the message begins. It is empty if the line contains none of these.
fn subject<'a>(file: &VaultFile, line: u32, message: &'a str) -> &'a str {
    let quoted = |sign: char| {
        message
            .split(sign)
            .skip(1)
            .step_by(2)
            .collect::<Vec<&str>>()
            .into_iter()
            .rev()
    };
    let begins = message.split(|c: char| !c.is_alphanumeric() && c != '_').take(1);
    let mut parts = quoted('`').chain(quoted('\'')).chain(begins);
    parts
        .find(|part| !part.is_empty() && file.has_text(line..=line, part))
        .unwrap_or_default()
}
