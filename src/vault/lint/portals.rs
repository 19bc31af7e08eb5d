//! Rules for the entries of portals, and for the maps to which portals lead.

use std::collections::BTreeSet;

use super::{Finding, Rule};
use crate::design::Diagnostic;
use crate::text::{counted, thousands};
use crate::vault::map::{MarkerBody, ResolvedMap};
use crate::vault::source::{MapSource, VaultFile};
use crate::vault::{Library, MapId};

/// Feature of a portal entry. A marker on its cell names the destination.
const ENTRY: &str = "enter_portal_vault";

/// Facts about portals, collected from the resolutions of one map.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PortalFacts {
    /// Destinations of the portal entries on the map.
    destinations: BTreeSet<String>,
    /// What portal entries on the map lack.
    missing: BTreeSet<Missing>,
    /// Number of resolutions that contain neither an exit nor a marker with a destination (`dst`).
    without_exit: u64,
    /// Number of resolutions that were added.
    resolved: u64,
    /// Glyph of the first stairs found whose cell has no Lua marker.
    stairs: Option<u8>,
}

/// What a portal entry lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Missing {
    Marker,
    Dst,
    Desc,
}

impl PortalFacts {
    /// Adds the facts of one resolution.
    pub fn add(&mut self, resolved: &ResolvedMap) {
        let mut has_exit = false;
        for marker in &resolved.markers {
            has_exit |= marker.prop("dst").is_some();
            has_exit |= matches!(&marker.body, MarkerBody::Feature(feature) if feature.name().starts_with("exit_"));
        }
        for (at, cell) in resolved.filled() {
            let name = cell.feature.name();
            has_exit |= name.starts_with("exit_");
            let is_stairs = name.starts_with("stone_stairs_");
            if !is_stairs && name != ENTRY {
                continue;
            }
            let mut markers = resolved
                .markers
                .iter()
                .filter(|marker| marker.cell == at)
                .filter(|marker| matches!(marker.body, MarkerBody::Lua { .. }))
                .peekable();
            let has_marker = markers.peek().is_some();
            let (mut dst, mut desc) = (None, None);
            for marker in markers {
                dst = dst.or(marker.prop("dst"));
                desc = desc.or(marker.prop("desc"));
            }
            if is_stairs {
                // A script of the game may change where stairs with a marker lead, so only stairs without a marker
                // are recorded.
                if !has_marker {
                    self.stairs = self.stairs.or(Some(cell.glyph));
                }
                continue;
            }
            self.destinations.extend(dst.map(str::to_owned));
            if !has_marker {
                self.missing.insert(Missing::Marker);
            } else if dst.is_none() {
                self.missing.insert(Missing::Dst);
            } else if desc.is_none() {
                self.missing.insert(Missing::Desc);
            }
        }
        self.resolved += 1;
        self.without_exit += u64::from(!has_exit);
    }

    /// Adds the facts of later resolutions.
    pub fn join(&mut self, later: Self) {
        self.destinations.extend(later.destinations);
        self.missing.extend(later.missing);
        self.without_exit += later.without_exit;
        self.resolved += later.resolved;
        self.stairs = self.stairs.or(later.stairs);
    }
}

/// Reports portal entries of a map that have no marker, or whose marker has no destination or no description.
pub fn entries(file: &VaultFile, source: &MapSource, facts: &PortalFacts) -> Vec<Finding> {
    let finding = |missing: &Missing| {
        let (message, help) = match missing {
            Missing::Marker => (
                "no marker says where this portal leads",
                "add `MARKER: O = lua:one_way_stair { desc = \"…\", dst = \"TAG\" }` for its glyph `O`",
            ),
            Missing::Dst => (
                "the marker of this portal has no `dst`",
                "add `dst = \"TAG\"`, a tag of the maps that the portal leads to",
            ),
            Missing::Desc => (
                "the marker of this portal has no `desc`",
                "add `desc = \"…\"`, a text that the player reads when looking at the portal",
            ),
        };
        let lines = source.line..=source.last_line;
        let diagnostic = Diagnostic::warning(message).help(help);
        Finding::of_lines(Rule::Portal, file, source, lines, ENTRY, diagnostic)
    };
    facts.missing.iter().map(finding).collect()
}

/// Checks each map that is the destination of a portal. Reports its stairs, and the number of seeds with which it has
/// no exit. `has_tag` returns whether a map has a tag.
pub fn destinations(
    library: &Library,
    maps: &[(MapId, PortalFacts)],
    has_tag: impl Fn(MapId, &str) -> bool,
) -> Vec<Finding> {
    let portals: BTreeSet<&String> = maps.iter().flat_map(|(_, facts)| &facts.destinations).collect();
    let mut found = Vec::new();
    for (map, facts) in maps {
        let Some(portal) = portals.iter().find(|tag| has_tag(*map, tag)) else {
            continue;
        };
        let (file, source) = (library.file(*map), library.map(*map));
        if facts.without_exit > 0 {
            let message = format!(
                "the portal to `{portal}` leads to this map, but with {} of {}, the map has no way out",
                thousands(facts.without_exit),
                counted(facts.resolved, "seed")
            );
            let diagnostic = Diagnostic::warning(message).help("add an exit, such as `KFEAT: > = exit_portal_vault`");
            found.push(Finding::of_map(Rule::Portal, file, source, diagnostic));
        }
        if let Some(glyph) = facts.stairs {
            let message = format!("the portal to `{portal}` leads to this map, where stairs do not work");
            let diagnostic = Diagnostic::warning(message)
                .help("replace the stairs with floor, or make them an exit with `KFEAT: … = exit_portal_vault`");
            let rows = source.rows_line.max(source.line)..=source.last_line;
            let part = char::from(glyph).to_string();
            found.push(Finding::of_lines(Rule::Portal, file, source, rows, &part, diagnostic));
        }
    }
    found
}
