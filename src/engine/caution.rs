//! Warnings about values that the program accepts but DungeonMaker's manual advises against.

use super::Options;
use super::no_effect::EffectAnalysis;
use crate::design::{CrawlerField, Design, Diagnostic, Entry, GENERATIONS, Place, Stat};

/// Highest OpenStartProb, in percent, that the manual recommends.
const MOST_OPEN_STARTS: i32 = 50;

/// Value of `termination` in the rooms file for a first Crawler that leaves no opening.
const CLOSED: i32 = 2;

/// Returns a warning for each value that the manual advises against, and a note for each generation whose Crawlers can
/// be born but never build.
pub fn cautions(design: &Design, options: Options) -> Vec<Diagnostic> {
    let idle = EffectAnalysis::new(design, options);
    let mut found = closed_at_the_border(design);
    for number in (1..GENERATIONS).filter(|number| idle.bears_crawlers(*number)) {
        let generation = &design.character.generations[number];
        let entry = Entry::Generation(number);
        if generation.max_age <= 0 {
            let message = format!("MaxAge of generation {number} is 0: its Crawlers die without building");
            let note = Diagnostic::note(message).at(Place::field(entry, Stat::MaxAge));
            found.push(note.help("raise MaxAge, or lower the chance that the generation before has babies"));
        }
        // With joinDist 0, no Crawler ever joins a wall.
        if generation.open_start_prob > MOST_OPEN_STARTS && design.constants.join_dist > 0 && generation.max_age > 0 {
            let message = format!(
                "OpenStartProb of generation {number} is {}: Crawlers with an opening at their start join one another \
                 and enclose areas",
                generation.open_start_prob
            );
            let warning = Diagnostic::warning(message).at(Place::field(entry, Stat::OpenStartProb));
            found.push(warning.help(format!(
                "DungeonMaker's manual advises at most {MOST_OPEN_STARTS}%; joinDist 0 prevents joining"
            )));
        }
    }
    found
}

/// Returns a warning for each listed Crawler that has termination 2 and starts on the outer wall. Returns none if
/// joinDist is 0, because Crawlers then never join a wall.
fn closed_at_the_border(design: &Design) -> Vec<Diagnostic> {
    let size = design.layout.size;
    let is_border = |at: crate::geometry::Point| at.x == 0 || at.y == 0 || at.x == size.x - 1 || at.y == size.y - 1;
    if design.constants.join_dist <= 0 {
        return Vec::new();
    }
    let crawlers = design.layout.crawlers.iter().enumerate();
    let closed = crawlers.filter(|(_, crawler)| crawler.termination == CLOSED && is_border(crawler.at));
    closed
        .map(|(index, _)| {
            let entry = Entry::Crawler(index);
            let message = format!(
                "{} has termination 2 and starts on the outer wall: the wall that it builds may cut the entrance off from the exit",
                entry.label()
            );
            Diagnostic::warning(message)
                .at(Place::field(entry, CrawlerField::Termination))
                .help("use termination 1, or start the Crawler away from all walls, back to back with a Crawler of termination 1 (see DungeonMaker's manual)")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::CrawlerStart;
    use crate::geometry::Point;

    fn messages(design: &Design) -> Vec<String> {
        let found = cautions(design, Options::default());
        found.into_iter().map(|found| found.message).collect()
    }

    #[test]
    fn open_starts_above_50_percent_and_closed_walls_at_the_border_are_warned_of() {
        let mut design = Design::default();
        let start = |at, termination| CrawlerStart {
            at,
            termination,
            ..CrawlerStart::default()
        };
        design.layout.crawlers.push(start(Point::new(0, 50), 1));
        design.character.generations[2].open_start_prob = 50;
        assert_eq!(messages(&design), [""; 0]);
        design.character.generations[2].open_start_prob = 51;
        assert_eq!(messages(&design).len(), 1);
        assert!(messages(&design)[0].contains("OpenStartProb of generation 2 is 51"));
        design.layout.crawlers.push(start(Point::new(99, 50), 2));
        design.layout.crawlers.push(start(Point::new(50, 50), 2));
        assert!(messages(&design)[0].contains("Crawler 2 has termination 2 and starts on the outer wall"));
        assert_eq!(messages(&design).len(), 2);
        // With joinDist 0, Crawlers never join walls, so the walls cannot enclose an area.
        design.constants.join_dist = 0;
        assert_eq!(messages(&design), [""; 0]);
    }

    #[test]
    fn a_generation_that_is_born_and_builds_nothing_is_noted() {
        let mut design = Design::default();
        design.character.generations[3].max_age = 0;
        assert_eq!(messages(&design), [""; 0], "no first Crawler starts");
        design.layout.crawlers.push(CrawlerStart::default());
        assert_eq!(
            messages(&design),
            ["MaxAge of generation 3 is 0: its Crawlers die without building"]
        );
        design.character.generations[2].max_age = 0;
        assert_eq!(
            messages(&design),
            ["MaxAge of generation 2 is 0: its Crawlers die without building"]
        );
    }
}
