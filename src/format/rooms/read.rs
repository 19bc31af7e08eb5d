//! Parses a rooms file, checks the order of its sections, and reports each mistake.

use std::ops::Range;

use super::super::record::{Reader, Reading};
use super::super::template::{Number, Template, skip_space};
use super::super::text::{Parsed, Places, Text};
use super::{CRAWLER_TAIL, SECTIONS, SENTENCES, Section, templates, terminator};
use crate::design::{CrawlerStart, Diagnostic, Entry, Layout, Limit, List, Place, Room};
use crate::geometry::Point;

/// Parses a rooms file. Values that cannot be read have their defaults.
pub fn parse(text: &Text) -> Parsed<Layout> {
    let templates = templates();
    let sentences = SENTENCES.map(|sentence| Template::new(sentence, Vec::new()));
    let mut rooms = RoomsReader {
        reader: Reader::new(text, &templates),
        sentences: &sentences,
        layout: Layout::default(),
        places: Places::default(),
        seen: [false; SECTIONS.len()],
        ended: [false; SECTIONS.len()],
        reported: [false; SECTIONS.len()],
        current: 0,
        left: [0; SECTIONS.len()],
    };
    if text
        .problem()
        .is_none_or(|p| p.severity < crate::design::Severity::Error)
    {
        rooms.read_all();
        rooms.places.sort();
        rooms.check_limits();
    }
    Parsed {
        value: rooms.layout,
        end: rooms.reader.at,
        diagnostics: rooms.reader.finish(),
        places: rooms.places,
    }
}

/// Returns the byte offset of the first record of a rooms file, if the text has one.
pub(in crate::format) fn first_record(text: &Text) -> Option<usize> {
    Reader::new(text, &templates()).first()
}

struct RoomsReader<'t> {
    reader: Reader<'t>,
    sentences: &'t [Template; 5],
    layout: Layout,
    places: Places,
    /// For each section, whether one of its records was read.
    seen: [bool; SECTIONS.len()],
    /// For each series, whether the entry that ends it was read.
    ended: [bool; SECTIONS.len()],
    /// For each section, whether a misplaced record of it was already reported. Only the first one is reported.
    reported: [bool; SECTIONS.len()],
    /// Index of the section of the last record.
    current: usize,
    /// For each section, the byte offset at which reading moved on to a later section.
    left: [usize; SECTIONS.len()],
}

impl RoomsReader<'_> {
    fn read_all(&mut self) {
        let mut sentence = None;
        while !self.seen[SECTIONS.len() - 1] {
            let (skipped, found) = self.reader.next();
            self.report_skipped(&skipped, sentence.take());
            let Some(found) = found else { break };
            if found == CRAWLER_TAIL {
                self.report_lone_tail();
                continue;
            }
            self.enter(found);
            let ended = match SECTIONS[found] {
                Section::Dimensions => self.read_fixed(found, Entry::Dimensions),
                Section::Limits => self.read_fixed(found, Entry::Limits),
                Section::Protuberances => self.read_fixed(found, Entry::Protuberances),
                Section::Series(List::Rooms) => self.read_room(found),
                Section::Series(List::Crawlers) => self.read_crawler(found),
                Section::Series(list) => self.read_square(found, list),
            };
            if ended {
                self.ended[found] = true;
                sentence = self.read_sentence(found);
            }
        }
        self.report_end();
    }

    /// Reads the sentence after a series; returns the expected sentence if it is missing.
    fn read_sentence(&mut self, section: usize) -> Option<&'static str> {
        let series = section.checked_sub(2)?;
        match self.sentences.get(series)?.exact(self.reader.input(), self.reader.at) {
            Some((_, end)) => {
                self.reader.at = end;
                None
            }
            None => Some(SENTENCES[series]),
        }
    }

    fn report_skipped(&mut self, skipped: &Range<usize>, sentence: Option<&str>) {
        let help = |s: &str| format!("DungeonMaker expects `{s}` here");
        match sentence {
            Some(s) if skipped.is_empty() => {
                let note = Diagnostic::note("the sentence that ends the list is missing").help(help(s));
                let there = self.line_at(skipped.start);
                self.reader.report(note, there);
            }
            Some(s) => {
                let warning = Diagnostic::warning("this is not the sentence that ends the list; it is ignored");
                self.reader.report(warning.help(help(s)), skipped.clone());
            }
            None if skipped.is_empty() => {}
            None => {
                let warning = Diagnostic::warning("this is not a record of a rooms file; it is ignored");
                let help = "remove it, or write a record as described in the manual's page on rooms files";
                self.reader.report(warning.help(help), skipped.clone());
            }
        }
    }

    fn report_lone_tail(&mut self) {
        let tail = self.reader.read(CRAWLER_TAIL, None);
        let warning = Diagnostic::warning("no Crawler precedes this, so it is ignored");
        let help = "a Crawler at (0 , 0) only ends the list; a Crawler that is to be used must start on another square";
        self.reader.report(warning.help(help), tail.span);
    }

    /// Registers that a record of a section begins. Reports the record if it is out of order, follows the end of its
    /// series, or repeats a record that may occur only once.
    fn enter(&mut self, section: usize) {
        let at = self.reader.at;
        let again = self.seen[section] && !matches!(SECTIONS[section], Section::Series(_));
        if (section < self.current || self.ended[section] || again) && !self.reported[section] {
            self.reported[section] = true;
            let (message, help) = if self.ended[section] {
                (
                    "this record is after the end of its list, but is used",
                    "move it before the record of zeros",
                )
            } else if again {
                (
                    "this record is in the file twice; the later one is used",
                    "remove one of them",
                )
            } else {
                (
                    "this record is not at its usual position, but is used anyway",
                    "DungeonMaker reads the dimensions, limits, rooms, open squares, wall tiles, columns, Crawlers and protuberances in this order",
                )
            };
            let line = self.line_at(at);
            self.reader.report(Diagnostic::warning(message).help(help), line);
        } else if section > self.current {
            self.leave(section, at);
        }
        self.seen[section] = true;
    }

    /// Moves on to a later section.
    fn leave(&mut self, section: usize, at: usize) {
        self.left[self.current..section].fill(at);
        self.current = section;
    }

    /// Reports series without an end, and missing dimensions and limits, at the place where they were expected.
    fn report_unended(&mut self) {
        for section in 0..self.current {
            let (message, help) = match SECTIONS[section] {
                Section::Series(list) if !self.ended[section] => (
                    format!("the list of {}s has no end", list.singular()),
                    format!("end it with `{}` and `{}`", terminator(list), SENTENCES[section - 2]),
                ),
                Section::Dimensions if !self.seen[section] => (
                    format!("the dimensions are missing; {} is used", self.layout.size),
                    "begin the file with `Dungeon dimensions - dimX = 100; dimY = 100.`".into(),
                ),
                Section::Limits if !self.seen[section] => (
                    "the limits (numRooms to numCrawlers) are missing".into(),
                    "write `numRooms < 1; numOpen < 1; numClosed < 1; numColumns < 1; numCrawlers < 1.` after the dimensions".into(),
                ),
                _ => continue,
            };
            let there = self.line_at(self.left[section]);
            self.reader.report(Diagnostic::warning(message).help(help), there);
        }
    }

    /// Returns the byte range from `at` to the end of its line.
    fn line_at(&self, at: usize) -> Range<usize> {
        let rest = &self.reader.input()[at..];
        at..at + rest.find(['\r', '\n']).unwrap_or(rest.len())
    }

    /// Reports the problems that become known only after the last record.
    fn report_end(&mut self) {
        let end = self.reader.at;
        let whole = 0..self.reader.input().len();
        if self.reader.input().trim().is_empty() {
            let error = Diagnostic::error("the file is empty").help("a rooms file begins with `Dungeon dimensions`");
            self.reader.report(error, 0..0);
        } else if self.seen == [false; SECTIONS.len()] {
            self.reader.diagnostics.clear();
            let error = Diagnostic::error("this is not a rooms file: it contains none of the records of a rooms file");
            let help = "a rooms file begins with `Dungeon dimensions - dimX = 100; dimY = 100.`";
            self.reader.report(error.help(help), whole);
        } else if self.seen[SECTIONS.len() - 1] {
            self.report_rest(end..whole.end);
            self.report_unended();
        } else {
            self.leave(SECTIONS.len() - 1, end);
            let warning =
                Diagnostic::warning("the last record, the number of protuberances, is missing; there are none");
            let help = "check that the file is complete: the last line of a rooms file states the number of \
                        protuberances, such as `Outside walls sports 0 protuberances.`";
            self.reader.report(warning.help(help), end..end);
            self.report_unended();
        }
    }

    fn report_rest(&mut self, rest: Range<usize>) {
        let input = self.reader.input();
        let span = skip_space(input, rest.start)..input.trim_end().len();
        if span.is_empty() {
            return;
        }
        let before = self.reader.at;
        self.reader.at = span.start;
        let diagnostic = if self.reader.here().is_some() {
            Diagnostic::warning("records after the protuberances are ignored").help("move them before the last line")
        } else {
            Diagnostic::note("text after the last record is ignored")
        };
        self.reader.at = before;
        self.reader.report(diagnostic, span);
    }

    /// Stores the byte ranges of a record and its numbers.
    fn place(&mut self, entry: Entry, reading: &Reading) {
        self.places.add(Place::entry(entry), reading.span.clone());
        for (&parameter, number) in entry.parameters().iter().zip(&reading.numbers) {
            if let Some(Number { span, .. }) = number {
                self.places.add(Place::field(entry, parameter), span.clone());
            }
        }
    }

    fn read_fixed(&mut self, section: usize, entry: Entry) -> bool {
        let reading = self.reader.read(section, Some(entry));
        self.place(entry, &reading);
        for (i, &parameter) in entry.parameters().iter().enumerate() {
            if let Some(value) = reading.value(i) {
                self.layout.set(entry, parameter, value);
            }
        }
        false
    }

    /// Reads a room. Returns whether it is the entry that ends the series.
    fn read_room(&mut self, section: usize) -> bool {
        let entry = Entry::Room(self.layout.rooms.len());
        let reading = self.reader.read(section, Some(entry));
        if reading.value(0) == Some(0) {
            if reading.numbers.iter().flatten().any(|n| n.value != 0) {
                let warning = Diagnostic::warning(
                    "div is 0, which ends the list of rooms; the other numbers of this room are ignored",
                );
                let help = "write 1 or more for a room, or 0 for every number to end the list";
                self.reader.report(warning.help(help), reading.span);
            }
            return true;
        }
        if reading.found() * 2 < reading.numbers.len() {
            self.report_left_out(&reading);
            return false;
        }
        self.layout.rooms.push(Room::default());
        self.fill(entry, &reading);
        false
    }

    /// Reads a hand-placed square. Returns whether it is the entry that ends the series.
    fn read_square(&mut self, section: usize, list: List) -> bool {
        let entry = list.entry(list.len(&self.layout));
        let reading = self.reader.read(section, Some(entry));
        match (reading.value(0), reading.value(1)) {
            (Some(0), Some(0)) => true,
            (Some(x), Some(y)) => {
                self.place(entry, &reading);
                list.insert(&mut self.layout, usize::MAX, Some(Point::new(x, y)));
                false
            }
            _ => {
                self.report_left_out(&reading);
                false
            }
        }
    }

    /// Reads a Crawler. Returns whether it is the entry that ends the series.
    fn read_crawler(&mut self, section: usize) -> bool {
        let entry = Entry::Crawler(self.layout.crawlers.len());
        let head = self.reader.read(section, Some(entry));
        if (head.value(0), head.value(1)) == (Some(0), Some(0)) {
            return true;
        }
        self.reader.at = skip_space(self.reader.input(), self.reader.at);
        let tail = if self.reader.here() == Some(CRAWLER_TAIL) {
            self.reader.read(CRAWLER_TAIL, Some(entry))
        } else {
            let warning = Diagnostic::warning("a Crawler needs a direction, a delay and a termination");
            let help = "write `and this crawler will head in direction 12 with delay 0 and termination 1.` after it";
            self.reader
                .report(warning.at(Place::entry(entry)).help(help), head.span.clone());
            Reading {
                numbers: vec![None; 3],
                span: head.span.clone(),
            }
        };
        let whole = Reading {
            span: head.span.start..tail.span.end,
            numbers: head.numbers.into_iter().chain(tail.numbers).collect(),
        };
        if whole.value(0).is_none() || whole.value(1).is_none() {
            self.report_left_out(&whole);
            return false;
        }
        self.layout.crawlers.push(CrawlerStart::default());
        self.fill(entry, &whole);
        false
    }

    /// Sets the parameters of `entry` to the numbers that were read. Reports the parameters that keep their defaults.
    fn fill(&mut self, entry: Entry, reading: &Reading) {
        self.place(entry, reading);
        for (i, &parameter) in entry.parameters().iter().enumerate() {
            if let Some(value) = reading.value(i) {
                self.layout.set(entry, parameter, value);
            } else {
                let info = parameter.info();
                let note = Diagnostic::note(format!("{} is set to its default, {}", info.name, info.default));
                self.reader
                    .report(note.at(Place::field(entry, parameter)), reading.span.clone());
            }
        }
    }

    fn report_left_out(&mut self, reading: &Reading) {
        let warning = Diagnostic::warning("too many numbers are missing in this record; it is left out");
        self.reader
            .report(warning.help("complete it, or remove it"), reading.span.clone());
    }

    /// Reports limits that are too small for the lists: the original would write past the end of its arrays. Also
    /// reports limits that are larger than the original can allocate.
    fn check_limits(&mut self) {
        if !self.seen[1] {
            return;
        }
        let raised = self.layout.limits.raised_for(&self.layout);
        for &limit in Limit::ALL {
            let (stated, needed) = (limit.get(&self.layout.limits), limit.get(&raised));
            let info = limit.info();
            let name = info.name;
            let diagnostic = if needed > stated {
                let (entries, allowed) = (needed - 1, stated.saturating_sub(1));
                let message = if entries == 0 {
                    format!("{name} < {stated} is too small even for an empty list")
                } else {
                    format!(
                        "{name} < {stated} allows at most {}, but the file has {entries}; all of them are used",
                        allowed.max(0)
                    )
                };
                Diagnostic::warning(message).help(format!("write {name} < {needed}"))
            } else if stated > info.max {
                Diagnostic::warning(format!("{name} < {stated} is more than DungeonMaker can allocate"))
                    .help(format!("use a value from {} to {}", info.min, info.max))
            } else {
                continue;
            };
            let place = Place::field(Entry::Limits, limit);
            let span = self.places.get(place).unwrap_or_default();
            self.reader.report(diagnostic.at(place), span);
        }
    }
}
