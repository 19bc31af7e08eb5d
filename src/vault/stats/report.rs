//! Formats a survey as text.

use super::{LevelCount, MapCount, MapOdds, RefusalReason, VaultSurvey};
use crate::text::{aligned, counted, escape_line};
use crate::vault::library::Library;

/// Maximum number of levels named in each row of the table of maps.
const LEVELS_SHOWN: usize = 3;

impl VaultSurvey {
    /// Returns the report: totals, rejections with their seeds, a table of levels, and a table of maps.
    pub fn report(&self, library: &Library) -> String {
        let mut lines = vec![self.totals()];
        let mut add = |part: Vec<String>| {
            if !part.is_empty() {
                lines.push(String::new());
                lines.extend(part);
            }
        };
        add(self.rejections(library));
        if self.plan.levels.len() > 1 {
            add(self.level_table());
        }
        add(self.map_table(library));
        lines.extend(self.unused());
        lines.push(String::new());
        lines.join("\n")
    }

    fn totals(&self) -> String {
        let sum = |count: fn(&LevelCount) -> u32| self.levels.iter().map(count).sum::<u32>();
        let levels = match &self.plan.levels[..] {
            [level] => format!("{level}, {}", counted(self.plan.dungeons, "time")),
            levels => format!("{} of {} levels", counted(self.plan.dungeons, "dungeon"), levels.len()),
        };
        format!(
            "{levels}, seed {}: {} built in {}, {} abandoned, {} without maps",
            self.plan.seed,
            counted(sum(|level| level.built), "level"),
            counted(sum(|level| level.tried), "try"),
            sum(|level| level.failed),
            sum(|level| level.empty),
        )
    }

    fn rejections(&self, library: &Library) -> Vec<String> {
        let mut lines = Vec::new();
        for (name, count) in self.named(library) {
            for refusal in &count.refusals {
                let level = self.plan.levels[refusal.level];
                let why = match &refusal.why {
                    RefusalReason::Veto => "vetoed",
                    RefusalReason::Validation => "failed its own validation",
                    RefusalReason::Lua(message) => message,
                };
                let (times, seed) = (counted(refusal.times, "time"), refusal.seed);
                lines.push(format!("  {name}: {why} ({times}, first on {level}, seed {seed})"));
            }
        }
        if !lines.is_empty() {
            lines.insert(0, "Maps that could not always be resolved".to_owned());
        }
        lines
    }

    fn level_table(&self) -> Vec<String> {
        let mut rows = vec![row([
            "level",
            "tried",
            "built",
            "abandoned",
            "without maps",
            "vetoes",
            "maps",
        ])];
        for (at, (level, count)) in self.plan.levels.iter().zip(&self.levels).enumerate() {
            let maps = self.maps.iter().filter(|map| map.places.contains_key(&at)).count();
            let numbers = [count.tried, count.built, count.failed, count.empty, count.vetoes];
            let mut cells = vec![level.to_string()];
            cells.extend(numbers.map(|number| number.to_string()));
            cells.push(maps.to_string());
            rows.push(cells);
        }
        aligned(&rows, &[1, 2, 3, 4, 5, 6])
    }

    fn map_table(&self, library: &Library) -> Vec<String> {
        let mut maps: Vec<(usize, &str, &MapCount)> = self
            .named(library)
            .enumerate()
            .map(|(index, (name, count))| (index, name, count))
            .filter(|(_, _, count)| count.tried > 0)
            .collect();
        if maps.is_empty() {
            return Vec::new();
        }
        maps.sort_by_key(|(_, _, count)| std::cmp::Reverse((count.used, count.tried)));
        let mut rows = vec![row(["map", "list", "drawn", "made", "used", "levels"])];
        for (index, name, count) in maps {
            let from = self.lists.get(&index).into_iter().flatten().map(|list| list.name());
            rows.push(vec![
                escape_line(name).into_owned(),
                from.collect::<Vec<_>>().join(" "),
                count.tried.to_string(),
                count.made.to_string(),
                count.used.to_string(),
                self.most_used(count),
            ]);
        }
        aligned(&rows, &[2, 3, 4])
    }

    /// Names the levels that contain a map most often.
    fn most_used(&self, count: &MapCount) -> String {
        let mut levels: Vec<(usize, u32)> = count.places.iter().map(|(at, times)| (*at, *times)).collect();
        levels.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        let shown = levels.iter().take(LEVELS_SHOWN);
        let mut names: Vec<String> = shown
            .map(|(at, times)| format!("{} {times}", self.plan.levels[*at]))
            .collect();
        if levels.len() > LEVELS_SHOWN {
            names.push(format!("{} more", levels.len() - LEVELS_SHOWN));
        }
        names.join(", ")
    }

    /// Counts the maps that could have been chosen for a level of the plan but that no finished level contains.
    fn unused(&self) -> Option<String> {
        let unused = self.lists.keys().filter(|index| self.maps[**index].used == 0).count();
        (unused > 0).then(|| {
            format!(
                "\n{} that could have been chosen did not appear on any level; --csv lists these maps",
                counted(unused, "map")
            )
        })
    }

    /// Returns the counts with the names of the maps, in load order.
    pub fn named<'a>(&'a self, library: &'a Library) -> impl Iterator<Item = (&'a str, &'a MapCount)> {
        library.ids().map(|id| library.map(id).name.as_str()).zip(&self.maps)
    }
}

/// Returns the lines of a table of probabilities.
pub fn odds_table(library: &Library, odds: &[MapOdds], level: &str) -> Vec<String> {
    let mut rows = vec![vec!["map".to_owned(), "list".to_owned(), format!("on {level}")]];
    rows.extend(odds.iter().map(|odds| {
        vec![
            escape_line(&library.map(odds.map).name).into_owned(),
            odds.list.name().to_owned(),
            format!("{:.2}%", odds.share * 100.0),
        ]
    }));
    aligned(&rows, &[2])
}

fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).into()
}
