//! The summary table of a library of level files: how much of it can be read, compiled and resolved, and how much is
//! random.
//!
//! This module only counts. Everything that needs Lua is a method of [`SummaryRuns`], so that this module compiles
//! without Lua.

use serde::{Deserialize, Serialize};

use super::library::{Library, MapId};
use super::map::{ResolvedCell, ResolvedMap};
use super::source::{self, Chunk, MapSource, VaultFile};
use super::stats::MakeResult;
use crate::design::feature::Feature;

/// The measurements that need Lua.
pub trait SummaryRuns {
    /// Returns whether a Lua chunk of a file compiles.
    fn compiles(&self, file: &str, chunk: &Chunk) -> bool;
    /// Returns whether a map's compile run, which executes its Lua once to find errors, ends without a failure.
    fn runs_clean(&self, map: MapId) -> bool;
    /// Returns the number of names that the level files use but that nothing defines.
    fn undefined_names(&self) -> usize;
    /// Resolves a map with a seed, on a level where the map may occur, without mirroring or rotating it.
    fn make(&self, map: MapId, seed: u64) -> MakeResult;
}

/// Number of seeds with which each map is resolved to find out whether its Lua fails and whether it yields a grid.
const SEEDS: u64 = 3;

/// Number of seeds whose grids are compared: a map that resolves to the same grid with all of them counts as constant.
const SEEDS_THAT_DIFFER: u64 = 4;

/// A count out of a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Share {
    /// Number of elements that qualify.
    pub count: usize,
    /// Total number of elements.
    pub of: usize,
}

impl Share {
    fn add(&mut self, is: bool) {
        self.of += 1;
        self.count += usize::from(is);
    }

    /// Returns the share in percent; 100 if the total is 0.
    pub fn percent(self) -> f64 {
        if self.of == 0 {
            100.0
        } else {
            self.count as f64 * 100.0 / self.of as f64
        }
    }
}

/// The measurements of a library.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LibrarySummary {
    /// Files read without a diagnostic.
    pub files: Share,
    /// Maps without a diagnostic on their lines.
    pub maps: Share,
    /// Files whose content is unchanged after printing and reading again.
    pub round_trips: Share,
    /// Lua chunks that compile.
    pub chunks: Share,
    /// Maps whose compile run succeeds.
    pub clean_runs: Share,
    /// Maps whose Lua does not fail for any of three seeds.
    pub without_failure: Share,
    /// Maps that yield a grid for at least one of three seeds. The other maps fail, veto themselves or fail their own
    /// validation for all three.
    pub with_grid: Share,
    /// Maps that yield the same result when they are resolved twice with the same seed.
    pub same: Share,
    /// Maps that yield different visible grids for at least two of four seeds.
    pub differing: Share,
    /// Number of names that the level files use but that nothing defines.
    pub undefined_names: usize,
}

impl LibrarySummary {
    /// Measures a library.
    pub fn new(library: &Library, runs: &impl SummaryRuns) -> Self {
        let mut summary = Self::default();
        for file in library.files() {
            summary.file(file, runs);
        }
        for id in library.ids() {
            summary.maps.add(is_clean(library.file(id), library.map(id)));
            summary.clean_runs.add(runs.runs_clean(id));
            summary.resolutions(id, runs);
        }
        summary.undefined_names = runs.undefined_names();
        summary
    }

    fn file(&mut self, file: &VaultFile, runs: &impl SummaryRuns) {
        self.files.add(file.problems.is_empty());
        let again = source::read(&file.name, &source::print(file));
        self.round_trips.add(file.same_content(&again));
        let chunks = file.maps.iter().flat_map(MapSource::chunks).map(|(_, chunk)| chunk);
        for chunk in file.prelude.iter().chain(chunks) {
            self.chunks.add(runs.compiles(&file.name, chunk));
        }
    }

    fn resolutions(&mut self, id: MapId, runs: &impl SummaryRuns) {
        let made: Vec<MakeResult> = (1..=SEEDS_THAT_DIFFER).map(|seed| runs.make(id, seed)).collect();
        let first = &made[..SEEDS as usize];
        self.without_failure
            .add(!first.iter().any(|made| matches!(made, MakeResult::Failed(_))));
        self.with_grid.add(first.iter().any(|made| grid(made).is_some()));
        self.same.add(made.first() == Some(&runs.make(id, 1)));
        let mut pictures = made.iter().filter_map(grid).map(picture);
        let one = pictures.next();
        self.differing.add(pictures.any(|other| Some(other) != one));
    }

    /// Returns the rows of the table: label, share and target; the target is empty if there is none.
    pub fn rows(&self) -> [(&'static str, Share, &'static str); 9] {
        [
            ("files read without a diagnostic", self.files, "100%"),
            ("maps read without a diagnostic", self.maps, "100%"),
            (
                "files unchanged after being printed and read again",
                self.round_trips,
                "100%",
            ),
            ("Lua chunks that compile", self.chunks, "100%"),
            ("maps whose compile run is clean", self.clean_runs, "at least 95%"),
            (
                "maps without a Lua error over 3 seeds",
                self.without_failure,
                "at least 95%",
            ),
            ("maps that resolve for 1 or more of 3 seeds", self.with_grid, ""),
            ("maps whose result depends only on the seed", self.same, "100%"),
            ("maps that vary over 4 seeds (unrotated)", self.differing, "about 74%"),
        ]
    }
}

impl std::fmt::Display for LibrarySummary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (what, share, target) in self.rows() {
            let of = format!("{} of {}", share.count, share.of);
            // Rounded down, so that 100% appears only for a complete share.
            let percent = (share.percent() * 10.0).floor() / 10.0;
            writeln!(
                f,
                "{}",
                format!("{what:<42}{of:>16}{percent:>8.1}%  {target}").trim_end()
            )?;
        }
        writeln!(f, "{:<42}{:>16}", "undefined names", self.undefined_names)
    }
}

/// Returns whether the lines of a map have no diagnostics.
fn is_clean(file: &VaultFile, map: &MapSource) -> bool {
    let lines = map.line..=map.last_line;
    !file.problems.iter().any(|problem| {
        problem
            .source
            .as_ref()
            .is_some_and(|source| lines.contains(&source.line))
    })
}

fn grid(made: &MakeResult) -> Option<&ResolvedMap> {
    match made {
        MakeResult::Resolved(resolved) => Some(resolved),
        MakeResult::Vetoed | MakeResult::Invalid | MakeResult::Failed(_) => None,
    }
}

/// Returns the visible content of a grid: its width and, for each cell, the feature and the glyph of a monster or item.
/// Other glyphs are left out, so that two cells of floor are equal even if their glyphs differ.
pub fn picture(resolved: &ResolvedMap) -> (usize, Vec<Option<(Feature, u8)>>) {
    let seen = |cell: &ResolvedCell| {
        let thing = matches!(cell.glyph, b'0'..=b'9' | b'd'..=b'k' | b'$' | b'%' | b'*' | b'|');
        (cell.feature, if thing { cell.glyph } else { 0 })
    };
    let cells = resolved.cells.iter().map(|cell| cell.as_ref().map(seen)).collect();
    (resolved.width, cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Key;
    use crate::vault::dice::Dice;
    use crate::vault::map::{MapState, Origin};
    use crate::vault::source::read;

    /// Test runs in which the name of a map determines its outcome.
    struct ByName(Library);

    impl SummaryRuns for ByName {
        fn compiles(&self, _file: &str, chunk: &Chunk) -> bool {
            !chunk.code.windows(4).any(|window| window == b"oops")
        }

        fn runs_clean(&self, map: MapId) -> bool {
            self.0.map(map).name != "fails"
        }

        fn undefined_names(&self) -> usize {
            2
        }

        fn make(&self, map: MapId, seed: u64) -> MakeResult {
            let name = self.0.map(map).name.as_str();
            match name {
                "fails" => return MakeResult::Failed("no".to_owned()),
                "late" if seed == 4 => return MakeResult::Failed("no".to_owned()),
                "vetoes" => return MakeResult::Vetoed,
                "never" => return MakeResult::Invalid,
                _ => {}
            }
            let mut state = MapState::new(name);
            state.add_row(if name == "differs" && seed == 4 { b"x" } else { b"." });
            state.pad();
            MakeResult::Resolved(Box::new(
                state.finish(Origin::default(), &mut Dice::new(Key::new(seed))),
            ))
        }
    }

    #[test]
    fn everything_is_counted() {
        let files = || {
            vec![
                read(
                    "a.des",
                    b"NAME: differs\nNAME: fails\n: oops\nNAME: late\nNAME: vetoes\nveto {{ return true }}\n",
                ),
                read("b.des", b"NAME: never\nORIENT: up\nNAME: plain\n"),
            ]
        };
        let library = Library::new(files());
        let summary = LibrarySummary::new(&library, &ByName(Library::new(files())));
        let share = |count, of| Share { count, of };
        let expected = LibrarySummary {
            files: share(1, 2),
            maps: share(5, 6),
            round_trips: share(2, 2),
            chunks: share(6, 7),
            clean_runs: share(5, 6),
            without_failure: share(5, 6),
            with_grid: share(3, 6),
            same: share(6, 6),
            differing: share(1, 6),
            undefined_names: 2,
        };
        assert_eq!(summary, expected);
        let table = summary.to_string();
        assert!(table.contains("5 of 6    83.3%  100%"), "{table}");
        assert!(table.contains("about 74%"), "{table}");
        assert_eq!(table.lines().count(), summary.rows().len() + 1);
    }
}
