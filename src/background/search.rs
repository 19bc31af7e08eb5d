//! Searches for a seed whose dungeon has sound vaults: all are placed, none overlap, and all their exits are reachable.
//!
//! The search resolves the design and grows the dungeon for one seed after another.

use super::job::{Cancelled, Job, JobCx};
use crate::analysis;
use crate::design::ValidDesign;
use crate::document::SeededDesign;
use crate::engine::{Growth, Options};

/// Maximum number of seeds tried after the design's own seed.
pub const ATTEMPTS: u32 = 50;

/// Result of a seed search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeedSearchReply {
    /// The seed, if one was found.
    pub seed: Option<u64>,
    /// Number of seeds tried after the design's own seed; 0 means that the design's own seed works.
    pub tried: u32,
}

/// A request to search for a seed whose dungeon has sound vaults: placed, without overlaps, and with reachable exits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedSearchRequest {
    /// The design, whose own seed is tried first.
    pub seeded: SeededDesign,
    /// Engine options with which the dungeons grow.
    pub options: Options,
}

impl Job for SeedSearchRequest {
    const NAME: &'static str = "search";
    type Memory = ();
    type Reply = SeedSearchReply;

    fn run(self, (): &mut (), cx: &JobCx<'_, SeedSearchReply>) -> Result<(), Cancelled> {
        let found = search(&self.seeded, self.options, &|| cx.is_cancelled());
        cx.send(found.ok_or(Cancelled)?)
    }
}

/// Tries the design's own seed and then the seeds after it. Returns `None` if the search was cancelled.
fn search(seeded: &SeededDesign, options: Options, is_stale: &dyn Fn() -> bool) -> Option<SeedSearchReply> {
    let mut seeds = seeded.seeds();
    for tried in 0..=ATTEMPTS {
        let seed = seeded.seed().wrapping_add(u64::from(tried));
        let sound = match seeds.design(seed) {
            Some(design) => is_sound(&design, options, is_stale)?,
            None => false,
        };
        if sound {
            return Some(SeedSearchReply {
                seed: Some(seed),
                tried,
            });
        }
    }
    Some(SeedSearchReply {
        seed: None,
        tried: ATTEMPTS,
    })
}

/// Returns whether every vault of the design is placed without overlap and all vault exits are reachable in the grown
/// dungeon. Returns `None` if the search was cancelled.
fn is_sound(design: &ValidDesign, options: Options, is_stale: &dyn Fn() -> bool) -> Option<bool> {
    if is_stale() {
        return None;
    }
    let is_placed = |vault: usize| design.placed().iter().any(|piece| piece.vault == vault);
    if !(0..design.layout.vaults.len()).all(is_placed) {
        return Some(false);
    }
    let mut growth = Growth::new(design, options, &mut ());
    if !growth.finish_while(&mut (), || !is_stale()) {
        return None;
    }
    Some(analysis::cut_off(growth.grid(), design).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Design, VaultEntry};
    use crate::document::Document;
    use crate::geometry::{Point, Size};
    use crate::storage::DesignFiles;

    /// Searches a design with these vaults of a level file. Each vault is a map name, and the number that is both the
    /// row and the column of its square.
    fn found(level: &str, vaults: &[(&str, i32)]) -> (Option<SeedSearchReply>, SeededDesign, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("own.des"), level).unwrap();
        let mut design = Design::default();
        design.layout.size = Size::new(40, 40);
        for (map, at) in vaults {
            design.layout.vaults.push(VaultEntry {
                file: "own.des".into(),
                map: (*map).into(),
                div: 0,
                at: Point::new(*at, *at),
                ..VaultEntry::default()
            });
        }
        let mut document = Document::new(design, None);
        document
            .save_as(DesignFiles::Toml(folder.path().join("design.toml")))
            .unwrap();
        let seeded = document.seeded();
        let found = search(&seeded, Options::default(), &|| false);
        (found, seeded, folder)
    }

    #[test]
    fn a_design_whose_own_seed_works_needs_no_search() {
        let level = "NAME: hut\nMAP\nxxx\nx.@\nxxx\nENDMAP\n";
        let (found, seeded, _folder) = found(level, &[("hut", 9)]);
        let seed = Some(seeded.seed());
        assert_eq!(found, Some(SeedSearchReply { seed, tried: 0 }));
    }

    #[test]
    fn seeds_are_tried_until_a_vault_with_a_random_veto_is_placed() {
        let level = "NAME: moody\nMAP\nx@x\nENDMAP\nveto {{ return crawl.random2(8) > 0 }}\n";
        let (found, seeded, _folder) = found(level, &[("moody", 9)]);
        let SeedSearchReply {
            seed: Some(seed),
            tried,
        } = found.unwrap()
        else {
            panic!("one seed in eight is good");
        };
        assert!(tried > 0, "the first seed should be a bad one: choose another example");
        let mut seeds = seeded.seeds();
        for bad in seeded.seed()..seed {
            assert!(seeds.design(bad).unwrap().pieces().is_empty(), "{bad}");
        }
        assert_eq!(seeds.design(seed).unwrap().pieces().len(), 1);
    }

    #[test]
    fn a_search_without_a_solution_ends_and_can_be_cancelled() {
        let level = "NAME: hut\nMAP\nxxx\nx.@\nxxx\nENDMAP\n";
        let (found, seeded, _folder) = found(level, &[("hut", 9), ("hut", 10)]);
        let tried = ATTEMPTS;
        assert_eq!(found, Some(SeedSearchReply { seed: None, tried }));
        assert_eq!(search(&seeded, Options::default(), &|| true), None);
    }
}
