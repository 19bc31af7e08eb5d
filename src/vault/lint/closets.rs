//! Closets: cells to which a teleport may take a player, but from which the player cannot leave the map on foot.
//!
//! A way out is a cell next to a space or to the outside of the map, or a cell with stairs, a hatch, a portal, a shaft
//! or a teleport trap. The search assumes that the player opens closed and runed doors but not sealed ones, and crosses
//! neither deep water nor lava. A transporter leads to its landing; a transporter without a landing on the map is a way
//! out. A map that fills the level has no outside: if it has no way out, its closets are the cells from which the
//! player cannot reach its largest region.

use std::collections::BTreeMap;

use crate::design::feature::{Class, Feature};
use crate::vault::glyphs::Cell;
use crate::vault::map::{ResolvedCell, ResolvedMap};
use crate::vault::spec::{MASKS, Marks, Orient, PROPS};

/// Marks of cells to which no teleport leads.
const NO_TELEPORT: [&str; 2] = ["no_tele_into", "no_rtele_into"];
/// Marks of cells that are closets on purpose, or that the game's level builder excludes from its own search for
/// closets.
const ALLOWED: [&str; 2] = ["allow_tele_closets", "opaque"];
/// Tag of maps whose regions the game's level builder connects. Such maps have no closets.
const LAYOUT: &str = "layout";

/// Returns a map's closets, row by row: the cells to which a teleport may take a player, but from which the player
/// cannot leave the map.
pub fn closets(map: &ResolvedMap) -> Vec<Cell> {
    if map.tags.has(LAYOUT) {
        return Vec::new();
    }
    let search = Search::new(map);
    let left = search.left();
    let is_closet = |at: &usize| !left[*at] && map.cells[*at].as_ref().is_some_and(is_target);
    (0..map.cells.len())
        .filter(is_closet)
        .map(|at| search.cell(at))
        .collect()
}

/// Returns whether a teleport may end on a cell.
fn is_target(cell: &ResolvedCell) -> bool {
    let has = |marks: Marks, table: &'static [&'static str], name: &str| marks.names(table).any(|known| known == name);
    let is_ground = match cell.feature.class() {
        Class::Floor => true,
        Class::Liquid => cell.feature.is_traversable(),
        _ => false,
    };
    is_ground
        && !NO_TELEPORT
            .iter()
            .any(|name| has(cell.props, &PROPS, name) || has(cell.mask, &MASKS, name))
        && !ALLOWED.iter().any(|name| has(cell.mask, &MASKS, name))
}

/// Returns whether a player on foot can enter a feature, possibly by opening it.
fn is_open(feature: Feature) -> bool {
    feature.is_traversable() || is_teleporter(feature)
}

fn is_teleporter(feature: Feature) -> bool {
    feature.name().starts_with("trap_teleport")
}

/// Returns whether a player who enters or uses a feature leaves the map.
fn leaves_map(feature: Feature) -> bool {
    match feature.class() {
        Class::Stairs | Class::Hatch => true,
        Class::Portal => {
            !["transporter", "transporter_landing", "expired_portal", "malign_gateway"].contains(&feature.name())
        }
        _ => is_teleporter(feature) || feature.name() == "shaft",
    }
}

/// A search for the cells from which a player can leave a map.
struct Search<'a> {
    map: &'a ResolvedMap,
    /// For each transporter's cell index, the cell index of its landing; `None` if the landing is not on this map.
    transporters: BTreeMap<usize, Option<usize>>,
}

impl<'a> Search<'a> {
    fn new(map: &'a ResolvedMap) -> Self {
        let named = |prop: &'static str| {
            let markers = map.markers.iter();
            markers.filter_map(move |marker| Some((marker.prop(prop)?, marker.cell)))
        };
        let index = |cell: Cell| cell.y as usize * map.width + cell.x as usize;
        let landings: BTreeMap<&str, usize> = named("transp_dest_loc")
            .map(|(name, cell)| (name, index(cell)))
            .collect();
        let is_transporter = |cell: &ResolvedCell| cell.feature.name() == "transporter";
        let cells = map.cells.iter().enumerate();
        let all = cells.filter(|(_, cell)| cell.as_ref().is_some_and(is_transporter));
        let marked = named("transp_loc").map(|(name, cell)| (index(cell), landings.get(name).copied()));
        Self {
            map,
            // A transporter with a marker has two entries: the second one, with the landing site, replaces the first.
            transporters: all.map(|(at, _)| (at, None)).chain(marked).collect(),
        }
    }

    fn cell(&self, at: usize) -> Cell {
        Cell::at(at, self.map.width)
    }

    /// Returns, for each of the eight neighbours of a cell, whether the neighbour is inside the grid, and its index.
    /// The index is `None` outside the grid and for a space.
    fn around(&self, at: usize) -> impl Iterator<Item = (bool, Option<usize>)> {
        let Cell { x, y } = self.cell(at);
        let offsets = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        offsets.filter(|offset| *offset != (0, 0)).map(move |(dx, dy)| {
            let (x, y) = (x + dx, y + dy);
            let is_inside = (0..self.map.width as i32).contains(&x) && (0..self.map.height as i32).contains(&y);
            let at = is_inside.then(|| y as usize * self.map.width + x as usize);
            (is_inside, at.filter(|at| self.map.cells[*at].is_some()))
        })
    }

    fn feature(&self, at: usize) -> Option<Feature> {
        self.map.cells[at].as_ref().map(|cell| cell.feature)
    }

    fn is_way_out(&self, at: usize) -> bool {
        let fills_level = self.map.orient == Some(Orient::Encompass);
        self.feature(at).is_some_and(leaves_map)
            || self.transporters.get(&at) == Some(&None)
            || self
                .around(at)
                .any(|(is_inside, next)| next.is_none() && (is_inside || !fills_level))
    }

    /// Returns, for each cell, whether a player on it can leave the map.
    fn left(&self) -> Vec<bool> {
        let open: Vec<bool> = (0..self.map.cells.len())
            .map(|at| self.feature(at).is_some_and(is_open))
            .collect();
        let mut left = vec![false; open.len()];
        for at in (0..open.len()).filter(|at| open[*at]) {
            if self.is_way_out(at) {
                self.flood(at, &open, &mut left);
            }
        }
        if self.map.orient == Some(Orient::Encompass) && !left.contains(&true) {
            self.flood_largest(&open, &mut left);
        }
        // A transporter is a way out if a player can leave the map from its landing. Each pass adds one such
        // transporter and the cells connected to it, until none is left.
        while let Some(at) = self.newly_left(&open, &left) {
            self.flood(at, &open, &mut left);
        }
        left
    }

    fn newly_left(&self, open: &[bool], left: &[bool]) -> Option<usize> {
        let mut transporters = self.transporters.iter();
        let found = transporters
            .find(|(at, landing)| open[**at] && !left[**at] && landing.is_some_and(|landing| left[landing]));
        found.map(|(at, _)| *at)
    }

    /// Marks `from` and all open cells from which a player can walk to it.
    fn flood(&self, from: usize, open: &[bool], marked: &mut [bool]) {
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            if std::mem::replace(&mut marked[at], true) {
                continue;
            }
            let next = self.around(at).filter_map(|(_, next)| next);
            waiting.extend(next.filter(|next| open[*next] && !marked[*next]));
        }
    }

    /// Marks the largest connected region of open cells.
    fn flood_largest(&self, open: &[bool], marked: &mut [bool]) {
        let mut seen = vec![false; open.len()];
        let mut largest = (0, None);
        for at in (0..open.len()).filter(|at| open[*at]) {
            if seen[at] {
                continue;
            }
            let before = seen.iter().filter(|is| **is).count();
            self.flood(at, open, &mut seen);
            let size = seen.iter().filter(|is| **is).count() - before;
            if size > largest.0 {
                largest = (size, Some(at));
            }
        }
        if let (_, Some(at)) = largest {
            self.flood(at, open, marked);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Key;
    use crate::vault::dice::Dice;
    use crate::vault::map::{MapState, Marker, MarkerBody, Origin};

    /// Returns the rows of a map, with each closet replaced by `!`.
    fn marked(rows: &[&str], headers: &[(&str, &str)], markers: &[(i32, i32, &str, &str)]) -> Vec<String> {
        let mut dice = Dice::new(Key::new(1));
        let mut state = MapState::new("a");
        for row in rows {
            state.add_row(row.as_bytes());
        }
        state.pad();
        for (name, text) in headers {
            state.header(name, text.as_bytes(), &mut dice).expect(name).expect(text);
        }
        for (x, y, prop, name) in markers {
            state.markers.push(Marker {
                cell: Cell { x: *x, y: *y },
                body: MarkerBody::Lua {
                    source: String::new(),
                    props: vec![((*prop).to_owned(), (*name).to_owned())],
                },
            });
        }
        let map = state.finish(Origin::default(), &mut dice);
        let found = closets(&map);
        let mut rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
        for Cell { x, y } in found {
            rows[y as usize][x as usize] = '!';
        }
        rows.into_iter().map(String::from_iter).collect()
    }

    #[test]
    fn floor_behind_walls_and_liquids_is_a_closet() {
        assert_eq!(
            marked(&["xxxxx", "x.x.@", "xxxxx"], &[], &[]),
            ["xxxxx", "x!x.@", "xxxxx"]
        );
        for liquid in ["w", "l"] {
            let rows = ["xxxxxx", "x..A.@", "xxxxxx"].map(|row| row.replace('A', liquid));
            let found = marked(&rows.each_ref().map(String::as_str), &[], &[]);
            assert_eq!(found[1].matches('!').count(), 2, "{found:?}");
        }
        assert_eq!(
            marked(&["xxxxx", "x.W.@", "xxxxx"], &[], &[])[1],
            "x.W.@",
            "shallow water is crossed"
        );
        assert_eq!(marked(&["xxxx", "xWxx", "xxxx"], &[], &[])[1], "x!xx");
        assert_eq!(marked(&["xxxx", "x.xx", "xx.x"], &[], &[])[1], "x.xx", "diagonally");
        assert_eq!(
            marked(&["xxxx", "x.x ", "xxxx"], &[], &[])[1],
            "x!x ",
            "walls on all sides"
        );
        assert_eq!(
            marked(&["xxx", "x. ", "xxx"], &[], &[])[1],
            "x. ",
            "a space is the level"
        );
    }

    #[test]
    fn doors_open_unless_they_are_sealed() {
        let rows = ["xxxxx", "x.+.@", "xxxxx"];
        for door in ["closed_door", "runed_door", "open_door", "runed_clear_door"] {
            assert_eq!(
                marked(&rows, &[("kfeat", &format!("+ = {door}"))], &[])[1],
                rows[1],
                "{door}"
            );
        }
        for shut in ["sealed_door", "sealed_clear_door", "iron_grate"] {
            assert_eq!(
                marked(&rows, &[("kfeat", &format!("+ = {shut}"))], &[])[1],
                "x!+.@",
                "{shut}"
            );
        }
    }

    #[test]
    fn every_feature_that_leaves_the_map_is_a_way_out() {
        let rows = ["xxxx", "x.Ax", "xxxx"];
        for way in [
            "stone_stairs_up_i",
            "escape_hatch_down",
            "enter_sewer",
            "shaft",
            "trap_teleport",
            "trap_teleport_permanent",
        ] {
            assert_eq!(
                marked(&rows, &[("kfeat", &format!("A = {way}"))], &[])[1],
                rows[1],
                "{way}"
            );
        }
        for other in [
            "trap_net",
            "fountain_blue",
            "stone_arch",
            "expired_portal",
            "transporter_landing",
        ] {
            assert_eq!(
                marked(&rows, &[("kfeat", &format!("A = {other}"))], &[])[1],
                "x!Ax",
                "{other}"
            );
        }
    }

    #[test]
    fn cells_without_teleports_and_allowed_closets_are_not_reported() {
        let rows = ["xxx", "x.x", "xxx"];
        for header in [
            ("kprop", ". = no_tele_into"),
            ("kmask", ". = no_rtele_into"),
            ("kmask", ". = allow_tele_closets"),
            ("kmask", ". = opaque"),
            ("tags", "layout"),
            ("tags", "no_tele_into"),
        ] {
            assert_eq!(marked(&rows, &[header], &[]), rows, "{header:?}");
        }
        assert_eq!(marked(&rows, &[("kprop", ". = bloody")], &[])[1], "x!x");
    }

    #[test]
    fn transporters_lead_to_their_landing_and_not_back() {
        let rows = ["xxxxxxx", "x.Px.Q@", "xxxxxxx"];
        let kfeat = [("kfeat", "P = transporter"), ("kfeat", "Q = transporter_landing")];
        let there = [(2, 1, "transp_loc", "a"), (5, 1, "transp_dest_loc", "a")];
        assert_eq!(marked(&rows, &kfeat, &there)[1], rows[1]);
        let elsewhere = [(2, 1, "transp_loc", "b")];
        assert_eq!(marked(&rows, &kfeat, &elsewhere)[1], rows[1], "to another map");
        assert_eq!(marked(&rows, &kfeat, &[])[1], rows[1], "without a marker");
        let back = [(5, 1, "transp_loc", "a"), (2, 1, "transp_dest_loc", "a")];
        let kfeat = [("kfeat", "Q = transporter"), ("kfeat", "P = transporter_landing")];
        assert_eq!(marked(&rows, &kfeat, &back)[1], "x!Px.Q@");
        // The first transporter leads to the room of the second, and the second to the way out.
        let rows = ["xxxxxxxxx", "xPQxRSx.@", "xxxxxxxxx"];
        let kfeat = [("kfeat", "PR = transporter"), ("kfeat", "QS = floor")];
        let chain = [
            (1, 1, "transp_loc", "a"),
            (5, 1, "transp_dest_loc", "a"),
            (4, 1, "transp_loc", "b"),
            (7, 1, "transp_dest_loc", "b"),
        ];
        assert_eq!(marked(&rows, &kfeat, &chain)[1], rows[1]);
        assert_eq!(marked(&rows, &kfeat, &chain[..3])[1], rows[1], "to another map");
        let cycle = [
            chain[0],
            chain[1],
            (4, 1, "transp_loc", "c"),
            (2, 1, "transp_dest_loc", "c"),
        ];
        assert_eq!(marked(&rows, &kfeat, &cycle)[1], "xP!xR!x.@");
    }

    #[test]
    fn a_map_that_fills_the_level_is_left_by_stairs_or_from_its_largest_region() {
        let whole = ("orient", "encompass");
        assert_eq!(marked(&["..x.", "..x<"], &[whole], &[]), ["!!x.", "!!x<"]);
        assert_eq!(marked(&["..x.", "..x."], &[whole], &[]), ["..x!", "..x!"]);
    }
}
