//! The report of a survey, as text.

use std::fmt::{self, Write as _};

use super::{MapCount, RefusalReason, VaultSurvey};
use crate::text::plural;
use crate::vault::library::Library;

/// Returns a count and its noun: `1 try`, `1000 tries`.
fn number(count: u32, noun: &str) -> String {
    format!("{count} {}", plural(count.into(), noun))
}

impl VaultSurvey {
    /// Returns the report: levels, refusals with their seeds, where maps were used, and unused maps.
    pub fn report(&self, library: &Library) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(library, &mut text);
        text
    }

    fn write(&self, library: &Library, out: &mut String) -> fmt::Result {
        self.totals(out)?;
        self.level_list(out, "Levels without maps", |level| level.empty)?;
        self.level_list(out, "Levels with the most vetoes", |level| level.vetoes)?;
        self.level_list(out, "Levels abandoned", |level| level.failed)?;
        self.refusals(library, out)?;
        self.by_level(library, out)?;
        self.by_map(library, out)?;
        self.unused_list(library, out)
    }

    fn totals(&self, out: &mut String) -> fmt::Result {
        let sum = |count: fn(&super::LevelCount) -> u32| self.levels.iter().map(count).sum::<u32>();
        let levels = match &self.plan.levels[..] {
            [level] => format!("{level}, {}", number(self.plan.dungeons, "time")),
            levels => format!("{} of {} levels", number(self.plan.dungeons, "dungeon"), levels.len()),
        };
        writeln!(
            out,
            "{levels}, seed {}: {} built in {}, {} abandoned, {} without maps",
            self.plan.seed,
            sum(|level| level.built),
            number(sum(|level| level.tried), "try"),
            sum(|level| level.failed),
            sum(|level| level.empty),
        )
    }

    /// Writes the levels with a count above 0, highest first.
    fn level_list(&self, out: &mut String, title: &str, count: fn(&super::LevelCount) -> u32) -> fmt::Result {
        let mut list: Vec<(u32, String)> = self
            .levels
            .iter()
            .zip(&self.plan.levels)
            .map(|(counts, level)| (count(counts), level.to_string()))
            .filter(|(count, _)| *count > 0)
            .collect();
        if list.is_empty() {
            return Ok(());
        }
        list.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let items: Vec<String> = list.iter().map(|(count, level)| format!("{level} {count}")).collect();
        writeln!(out, "\n{title}: {}", items.join(", "))
    }

    fn refusals(&self, library: &Library, out: &mut String) -> fmt::Result {
        let mut title = "\nMaps that could not be made\n";
        for (name, count) in self.named(library) {
            for refusal in &count.refusals {
                let level = self.plan.levels[refusal.level];
                let (times, why) = match &refusal.why {
                    RefusalReason::Veto => (count.vetoed, "vetoed".to_owned()),
                    RefusalReason::Validation => (count.invalid, "failed its own validation".to_owned()),
                    RefusalReason::Lua(message) => (count.failed, message.clone()),
                };
                let seed = refusal.seed;
                writeln!(out, "{title}  {name}: {times} × {why} (first on {level}, seed {seed})")?;
                title = "";
            }
        }
        Ok(())
    }

    fn by_level(&self, library: &Library, out: &mut String) -> fmt::Result {
        writeln!(out, "\nMaps by level")?;
        for (at, level) in self.plan.levels.iter().enumerate() {
            let mut here: Vec<(u32, &str)> = self
                .named(library)
                .filter_map(|(name, count)| Some((*count.places.get(&at)?, name)))
                .collect();
            here.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
            let items: Vec<String> = here.iter().map(|(count, name)| format!("{name} {count}")).collect();
            if !items.is_empty() {
                writeln!(out, "  {level}: {}", items.join(", "))?;
            }
        }
        Ok(())
    }

    fn by_map(&self, library: &Library, out: &mut String) -> fmt::Result {
        writeln!(out, "\nMaps: how often used, made and drawn, and where")?;
        let mut list: Vec<(&str, &MapCount)> = self.named(library).filter(|(_, count)| count.tried > 0).collect();
        list.sort_by_key(|(_, count)| std::cmp::Reverse(count.used));
        for (name, count) in list {
            let places = count
                .places
                .iter()
                .map(|(at, times)| format!("{} {times}", self.plan.levels[*at]));
            let places: Vec<String> = places.collect();
            writeln!(
                out,
                "  {:5} {:5} {:5}  {name}: {}",
                count.used,
                count.made,
                count.tried,
                places.join(", ")
            )?;
        }
        Ok(())
    }

    fn unused_list(&self, library: &Library, out: &mut String) -> fmt::Result {
        let all: Vec<&str> = self.named(library).map(|(name, _)| name).collect();
        let names: Vec<&str> = self.unused().map(|index| all[index]).collect();
        if names.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nMaps that could be there and never were: {}", names.join(", "))
    }

    fn named<'a>(&'a self, library: &'a Library) -> impl Iterator<Item = (&'a str, &'a MapCount)> {
        library.ids().map(|id| library.map(id).name.as_str()).zip(&self.maps)
    }
}
