//! The portal graph: which map leads to which, by what kind of portal, and which portals are dangling.
//!
//! The graph has six kinds of connections: branch entrances, markers with a destination tag, transporters, hatches,
//! subvaults, and maps that a script places on the level. Markers and features are read from resolved maps, which the
//! caller provides; tags of subvaults and of maps placed by scripts are read from the sources. Names that a script
//! generates at random are found only if they occur in the resolved maps.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::glyphs::Cell;
use super::library::{Catalog, Library, MapId};
use super::lua_text;
use super::map::{MarkerBody, ResolvedMap};
use super::source::MapSource;
use super::spec::{Branch, SubvaultSpec};
use crate::design::feature::Feature;
use crate::design::{Diagnostic, Excerpt, SourcePosition};

/// The kind of a connection from a map to another place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PortalKind {
    /// A branch entrance, to the maps made for that branch.
    Branch(Branch),
    /// A marker whose `dst` is a tag of the maps that it leads to.
    Destination(String),
    /// A transporter, to the cell with this name.
    Transporter(String),
    /// A hatch, to the cell with this name on another level.
    Hatch(String),
    /// A part of the map filled by another map, which must have these tags.
    Subvault(Vec<String>),
    /// A script that places maps with this tag on the level.
    Placed(String),
}

impl PortalKind {
    /// Suggests what to add if the portal leads nowhere.
    fn missing(&self) -> String {
        match self {
            Self::Branch(branch) => format!("write a map with `PLACE: {0}` or `DEPTH: {0}`", branch.name()),
            Self::Destination(tag) | Self::Placed(tag) => format!("write a map with `TAGS: {tag}`"),
            Self::Transporter(name) => format!("add a marker `transp_dest_loc(\"{name}\")` to the map"),
            Self::Hatch(name) => format!("add a marker `hatch_dest_name(\"{name}\")` to a map"),
            Self::Subvault(tags) => format!("write a map with `TAGS: {}`", tags.join(" ")),
        }
    }

    /// Returns the position of the portal's name in a map's statements. If they do not contain the name, because Lua
    /// composes it, returns the position of the map's NAME.
    fn position(&self, library: &Library, map: MapId) -> SourcePosition {
        let names: Vec<String> = match self {
            Self::Branch(branch) => {
                let names = Feature::all().map(Feature::name);
                let entrances = names.filter(|name| Branch::of_entrance(name) == Some(*branch));
                entrances.map(str::to_owned).collect()
            }
            Self::Destination(name) | Self::Transporter(name) | Self::Hatch(name) | Self::Placed(name) => {
                vec![name.clone()]
            }
            Self::Subvault(tags) => vec![tags.join(" ")],
        };
        let (file, source) = (library.file(map), library.map(map));
        let statements = source.line + 1..=source.last_line;
        let found = names.iter().find(|name| file.has_text(statements.clone(), name));
        let position = match found {
            Some(name) => file.position(statements, name),
            None => file.position(source.line..=source.line, &source.name),
        };
        // The messages name the portal, so the text at the position would only repeat its name.
        SourcePosition {
            text: String::new(),
            ..position
        }
    }
}

impl fmt::Display for PortalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Branch(branch) => write!(f, "the entrance of the branch {}", branch.name()),
            Self::Destination(tag) => write!(f, "the portal to `{tag}`"),
            Self::Transporter(name) => write!(f, "the transporter `{name}`"),
            Self::Hatch(name) => write!(f, "the hatch `{name}`"),
            Self::Subvault(tags) => write!(f, "the subvault `{}`", tags.join(" ")),
            Self::Placed(tag) => write!(f, "the script that places maps with the tag `{tag}`"),
        }
    }
}

/// A portal of a map, with its destinations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortalEdge {
    /// Map that contains the portal.
    pub from: MapId,
    /// Kind of portal.
    pub way: PortalKind,
    /// Cells of the portal in the first resolution that contains it; empty if the portal was found only in the source.
    pub cells: Vec<Cell>,
    /// Whether the portal closes after some time.
    pub timed: bool,
    /// Properties of the marker, sorted by name, such as `desc`, `dstname`, `floor` and `turns`.
    pub properties: Vec<(String, String)>,
    /// Maps that the portal leads to, in load order; empty if the portal is dangling.
    pub to: Vec<MapId>,
}

/// The portals between the maps of a library.
#[derive(Debug, Clone, Default)]
pub struct Portals {
    edges: Vec<PortalEdge>,
    /// Named cells that no transporter or hatch leads to.
    unreached: Vec<(MapId, PortalKind)>,
    /// Maps that have no exit although a portal leads to them by tag.
    trapped: Vec<MapId>,
}

/// The portals and exits found in a map's source and resolutions.
#[derive(Default)]
struct MapExits {
    begins: BTreeMap<PortalKind, Begin>,
    arrives: BTreeSet<PortalKind>,
    /// Whether every resolution has an exit; `None` if the map was not resolved.
    exits: Option<bool>,
}

#[derive(Default)]
struct Begin {
    cells: Vec<Cell>,
    timed: bool,
    properties: Vec<(String, String)>,
}

/// A portal found on a cell.
struct Found<'a> {
    way: PortalKind,
    cell: Cell,
    properties: &'a [(String, String)],
}

impl Portals {
    /// Builds the graph of a library; `resolve` returns a few resolutions of a map, or none if it cannot be resolved.
    pub fn new(library: &Library, catalog: &Catalog, mut resolve: impl FnMut(MapId) -> Vec<ResolvedMap>) -> Self {
        let ends: Vec<(MapId, MapExits)> = library
            .ids()
            .map(|id| {
                let mut ends = MapExits::of_source(library.map(id));
                for resolved in resolve(id) {
                    ends.add(&resolved);
                }
                (id, ends)
            })
            .collect();
        let mut portals = Self::default();
        for (from, found) in &ends {
            for (way, begin) in &found.begins {
                portals.edges.push(PortalEdge {
                    from: *from,
                    way: way.clone(),
                    cells: begin.cells.clone(),
                    timed: begin.timed,
                    properties: begin.properties.clone(),
                    to: targets(way, *from, catalog, &ends),
                });
            }
        }
        let begun: BTreeSet<&PortalKind> = ends.iter().flat_map(|(_, found)| found.begins.keys()).collect();
        for (id, found) in &ends {
            let unreached = found.arrives.iter().filter(|way| !begun.contains(way));
            portals.unreached.extend(unreached.map(|way| (*id, way.clone())));
        }
        portals.trapped = portals.without_exit(&ends);
        portals
    }

    /// Returns all portals, in the load order of the maps that contain them.
    pub fn edges(&self) -> &[PortalEdge] {
        &self.edges
    }

    /// Returns the portals of a map.
    pub fn from(&self, map: MapId) -> impl Iterator<Item = &PortalEdge> {
        self.edges.iter().filter(move |edge| edge.from == map)
    }

    /// Returns the maps that have no exit although a portal leads to them by tag. A map needs no exit if only branch
    /// entrances lead to it, because the game adds stairs.
    fn without_exit(&self, ends: &[(MapId, MapExits)]) -> Vec<MapId> {
        let portals = self
            .edges
            .iter()
            .filter(|edge| matches!(edge.way, PortalKind::Destination(_)));
        let behind: BTreeSet<MapId> = portals.flat_map(|edge| edge.to.iter().copied()).collect();
        let without = ends
            .iter()
            .filter(|(id, found)| behind.contains(id) && found.exits == Some(false));
        without.map(|(id, _)| *id).collect()
    }

    /// Reports the dangling ends of a map, or of all maps: portals that lead nowhere, cells marked as the target of a
    /// transporter or hatch that does not exist, and maps that have no exit although a portal leads to them by tag.
    pub fn dangling(&self, library: &Library, of: Option<MapId>) -> Vec<Diagnostic> {
        let is_wanted = |id: MapId| of.is_none_or(|map| map == id);
        let lost = self
            .edges
            .iter()
            .filter(|edge| edge.to.is_empty() && is_wanted(edge.from));
        let lost = lost.map(|edge| {
            let message = format!("{} leads nowhere: no loaded map matches", edge.way);
            Diagnostic::warning(message)
                .help(edge.way.missing())
                .from_source(edge.way.position(library, edge.from))
        });
        let unreached = self.unreached.iter().filter(|(id, _)| is_wanted(*id)).map(|(id, way)| {
            let (arrival, begin) = match way {
                PortalKind::Hatch(name) => ("hatch_dest_name", format!("hatch_name(\"{name}\")")),
                PortalKind::Transporter(name) => ("transp_dest_loc", format!("transp_loc(\"{name}\")")),
                other => ("", other.to_string()),
            };
            let message = format!("nothing leads to the cell marked `{arrival}`: {way} has no entrance");
            Diagnostic::warning(message)
                .help(format!("add a marker `{begin}` to a map"))
                .from_source(way.position(library, *id))
        });
        let trapped = self.trapped.iter().filter(|id| is_wanted(**id)).map(|id| {
            let map = library.map(*id);
            Diagnostic::warning("a portal leads to this map, but there is no way out of it")
                .help("give it an exit, such as `KFEAT: > = exit_portal_vault`")
                .from_source(SourcePosition {
                    file: library.file(*id).name.clone(),
                    line: map.line,
                    column: 1,
                    span: 0..0,
                    text: map.name.clone(),
                    excerpt: Excerpt::default(),
                })
        });
        lost.chain(unreached).chain(trapped).collect()
    }
}

/// Returns the maps that a portal leads to.
fn targets(way: &PortalKind, from: MapId, catalog: &Catalog, ends: &[(MapId, MapExits)]) -> Vec<MapId> {
    let tagged = |tags: &[&str]| catalog.with_tags(tags, None).collect();
    match way {
        PortalKind::Branch(branch) => {
            let made = |(_, profile): &(MapId, &super::library::Profile)| {
                profile.place.names(*branch) || profile.depths.names(*branch)
            };
            catalog.iter().filter(made).map(|(id, _)| id).collect()
        }
        PortalKind::Destination(tag) | PortalKind::Placed(tag) => tagged(&[tag]),
        PortalKind::Subvault(tags) => tagged(&tags.iter().map(String::as_str).collect::<Vec<_>>()),
        PortalKind::Transporter(_) | PortalKind::Hatch(_) => {
            let arriving = ends.iter().filter(|(_, found)| found.arrives.contains(way));
            let arriving: Vec<MapId> = arriving.map(|(id, _)| *id).collect();
            // A transporter leads to a cell of the same level, so its own map is preferred.
            if matches!(way, PortalKind::Transporter(_)) && arriving.contains(&from) {
                vec![from]
            } else {
                arriving
            }
        }
    }
}

impl MapExits {
    /// Reads the references to other maps from a map's source.
    fn of_source(map: &MapSource) -> Self {
        let mut ends = Self::default();
        let mut called = Vec::new();
        for (_, chunk) in map.chunks() {
            let code = without_comments(&chunk.code);
            // The body also contains each SUBVAULT header as a call.
            called.extend(literals(&code, b"subvault", None));
            for tag in literals(&code, b"place_maps", Some(b"tag")) {
                ends.begins
                    .entry(PortalKind::Placed(String::from_utf8_lossy(&tag).into_owned()))
                    .or_default();
            }
        }
        for spec in called.into_iter().filter_map(|text| SubvaultSpec::parse(&text).ok()) {
            for (tags, _) in spec.choices {
                ends.begins.entry(PortalKind::Subvault(tags)).or_default();
            }
        }
        ends
    }

    /// Adds the portals, arrival cells and exits of a resolution.
    fn add<'a>(&mut self, resolved: &'a ResolvedMap) {
        let mut found: Vec<Found<'a>> = Vec::new();
        let mut timed: BTreeSet<Cell> = BTreeSet::new();
        let mut exit = false;
        let mut feature = |name: &str, cell: Cell, found: &mut Vec<Found<'a>>| {
            exit |= name.starts_with("exit_");
            found.extend(Branch::of_entrance(name).map(|branch| Found {
                way: PortalKind::Branch(branch),
                cell,
                properties: properties(resolved, cell),
            }));
        };
        for (cell, content) in resolved.filled() {
            feature(content.feature.name(), cell, &mut found);
        }
        for marker in &resolved.markers {
            match &marker.body {
                MarkerBody::Feature(placed) => feature(placed.name(), marker.cell, &mut found),
                MarkerBody::Lua { source, props } => {
                    let class = marker.prop("class").unwrap_or(source);
                    if class.contains("timed") || marker.prop("turns").is_some() {
                        timed.insert(marker.cell);
                    }
                    let mut begin = |prop: &str, way: fn(String) -> PortalKind| {
                        found.extend(marker.prop(prop).map(|name| Found {
                            way: way(name.to_owned()),
                            cell: marker.cell,
                            properties: props,
                        }));
                    };
                    begin("dst", PortalKind::Destination);
                    begin("transp_loc", PortalKind::Transporter);
                    begin("hatch_name", PortalKind::Hatch);
                    let mut arrive = |prop: &str, way: fn(String) -> PortalKind| {
                        self.arrives.extend(marker.prop(prop).map(|name| way(name.to_owned())));
                    };
                    arrive("transp_dest_loc", PortalKind::Transporter);
                    arrive("hatch_dest_name", PortalKind::Hatch);
                }
            }
        }
        self.exits = Some(self.exits.unwrap_or(true) && exit);
        self.join(found, &timed);
    }

    /// Adds the portals of a resolution. Portals on the cells `timed` close after some time. A portal that an earlier
    /// resolution contains keeps the cells found there.
    fn join(&mut self, found: Vec<Found<'_>>, timed: &BTreeSet<Cell>) {
        let mut fresh: BTreeMap<PortalKind, Begin> = BTreeMap::new();
        for Found { way, cell, properties } in found {
            let begin = fresh.entry(way).or_default();
            begin.cells.push(cell);
            begin.timed |= timed.contains(&cell);
            if begin.properties.is_empty() {
                begin.properties = properties.to_vec();
            }
        }
        for (way, begin) in fresh {
            self.begins.entry(way).or_insert(begin);
        }
    }
}

/// Returns the properties of a cell's first marker that has any.
fn properties(resolved: &ResolvedMap, cell: Cell) -> &[(String, String)] {
    let here = resolved.markers.iter().filter(|marker| marker.cell == cell);
    let mut all = here.filter_map(|marker| match &marker.body {
        MarkerBody::Lua { props, .. } if !props.is_empty() => Some(props.as_slice()),
        MarkerBody::Lua { .. } | MarkerBody::Feature(_) => None,
    });
    all.next().unwrap_or_default()
}

/// Returns Lua code with a space in place of each comment.
fn without_comments(code: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(code.len());
    let mut rest = code;
    while !rest.is_empty() {
        if let Some(length) = lua_text::comment(rest) {
            kept.push(b' ');
            rest = &rest[length..];
        } else {
            let (text, after) = rest.split_at(lua_text::string(rest).unwrap_or(1));
            kept.extend_from_slice(text);
            rest = after;
        }
    }
    kept
}

/// Returns the string literals that calls of a Lua function pass to it: the first argument of each call or, if `field`
/// is given, the value of that field in a table argument. The code must not contain comments.
fn literals(code: &[u8], function: &[u8], field: Option<&[u8]>) -> Vec<Vec<u8>> {
    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.windows(function.len()).position(|window| window == function) {
        let before = &code[..code.len() - rest.len() + at];
        let part_of_word = before.last().is_some_and(word);
        rest = &rest[at + function.len()..];
        let mut arguments = rest.trim_ascii_start();
        if part_of_word
            || !arguments
                .first()
                .is_some_and(|b| matches!(b, b'(' | b'{' | b'"' | b'\''))
        {
            continue;
        }
        if let Some(field) = field {
            let call = &arguments[..arguments
                .iter()
                .position(|b| matches!(b, b')' | b'}'))
                .unwrap_or(arguments.len())];
            let Some(at) = call.windows(field.len()).position(|window| window == field) else {
                continue;
            };
            let Some(value) = call[at + field.len()..].trim_ascii_start().strip_prefix(b"=") else {
                continue;
            };
            arguments = value;
        }
        found.extend(literal(arguments));
    }
    found
}

/// Returns the string literal at the start of some code, unless the code concatenates it with another value.
fn literal(code: &[u8]) -> Option<Vec<u8>> {
    let code = code.strip_prefix(b"(").unwrap_or(code).trim_ascii_start();
    let quote = *code.first().filter(|b| matches!(b, b'"' | b'\''))?;
    let mut text = Vec::new();
    let mut bytes = code[1..].iter().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match *byte {
            b'\\' => text.push(*bytes.next()?.1),
            b if b == quote => {
                let joined = code[at + 2..].trim_ascii_start().starts_with(b"..");
                return (!joined).then_some(text);
            }
            b => text.push(b),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Key;
    use crate::vault::dice::Dice;
    use crate::vault::library::Profile;
    use crate::vault::map::{MapState, Marker, Origin};
    use crate::vault::source::read;

    /// Markers in the first row: column, class, properties.
    type Markers<'a> = &'a [(i32, &'a str, &'a [(&'a str, &'a str)])];

    /// Resolves a map without Lua, from its rows, its KFEAT headers and the given markers.
    fn resolved(map: &MapSource, markers: Markers<'_>) -> ResolvedMap {
        let mut dice = Dice::new(Key::new(1));
        let mut state = MapState::new(&map.name);
        for row in &map.rows {
            state.add_row(row);
        }
        state.pad();
        for header in map.headers.iter().filter(|header| header.keyword.call() == "kfeat") {
            state.kfeat(&header.value, &mut dice).expect("a feature");
        }
        for (x, source, props) in markers {
            let props = props
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            state.markers.push(Marker {
                cell: Cell { x: *x, y: 0 },
                body: MarkerBody::Lua {
                    source: (*source).to_owned(),
                    props: props.collect(),
                },
            });
        }
        state.finish(Origin::default(), &mut dice)
    }

    fn portals(text: &str, markers: &[(&str, Markers<'_>)]) -> (Library, Portals) {
        let library = Library::new(vec![read("a.des", text.as_bytes())]);
        let catalog = Catalog::from_headers(&library);
        let portals = Portals::new(&library, &catalog, |id| {
            let map = library.map(id);
            let own = markers.iter().find(|(name, _)| *name == map.name);
            vec![resolved(map, own.map_or(&[], |(_, markers)| markers))]
        });
        (library, portals)
    }

    /// Formats each portal as a line: map, kind, destinations.
    fn lines(library: &Library, portals: &Portals) -> Vec<String> {
        let name = |id: &MapId| library.map(*id).name.clone();
        let to = |edge: &PortalEdge| edge.to.iter().map(name).collect::<Vec<_>>().join(",");
        let edges = portals.edges().iter();
        edges
            .map(|edge| format!("{} {:?} {}", name(&edge.from), edge.way, to(edge)))
            .collect()
    }

    #[test]
    fn portals_are_followed_by_branch_and_by_tag() {
        let (library, portals) = portals(
            "NAME: gate\nKFEAT: O = enter_orcish_mines\nMAP\nO.@\nENDMAP\n\
             NAME: mine\nDEPTH: Orc:1\nMAP\n.\nENDMAP\n\
             NAME: arch\nKFEAT: O = enter_portal_vault\nMAP\nO.@\nENDMAP\n\
             NAME: garden\nTAGS: my_garden\nKFEAT: > = exit_portal_vault\nMAP\n.>\nENDMAP\n\
             NAME: cellar\nTAGS: my_garden\nMAP\n..\nENDMAP\n",
            &[("arch", &[(0, "timed_marker", &[("dst", "my_garden")])])],
        );
        assert_eq!(
            lines(&library, &portals),
            [
                format!(
                    "gate {:?} mine",
                    PortalKind::Branch(Branch::by_name("Orc").expect("a branch"))
                ),
                "arch Destination(\"my_garden\") garden,cellar".to_owned(),
            ]
        );
        let arch = library.by_name("arch").expect("a map");
        let edge = portals.from(arch).next().expect("a portal");
        assert!(edge.timed);
        assert_eq!(edge.cells, [Cell { x: 0, y: 0 }]);
        let garden = library.by_name("garden").expect("a map");
        let to_garden = portals.edges().iter().filter(|edge| edge.to.contains(&garden));
        assert_eq!(to_garden.map(|edge| edge.from).collect::<Vec<_>>(), [arch]);
        let description: Vec<String> = portals
            .dangling(&library, None)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(description.len(), 1, "{description:?}");
        assert!(
            description[0].starts_with(
                "a.des:22:1: warning: a portal leads to this map, but there is no way out of it: `cellar`"
            )
        );
    }

    #[test]
    fn an_entrance_with_a_timer_is_timed() {
        let (library, portals) = portals(
            "NAME: gate\nKFEAT: O = enter_orcish_mines\nMAP\nO.@\nENDMAP\n\
             NAME: mine\nKFEAT: O = enter_orcish_mines\nMAP\nO.@\nENDMAP\n",
            &[("gate", &[(0, "timed_marker", &[("msg", "a bell")])])],
        );
        let timed = |name: &str| {
            let map = library.by_name(name).expect("a map");
            portals.from(map).map(|edge| edge.timed).collect::<Vec<_>>()
        };
        assert_eq!((timed("gate"), timed("mine")), (vec![true], vec![false]));
    }

    #[test]
    fn transporters_and_hatches_are_paired() {
        let (library, portals) = portals(
            "NAME: one\nMAP\n.....\nENDMAP\nNAME: two\nMAP\n..\nENDMAP\n",
            &[
                (
                    "one",
                    &[
                        (0, "transp_loc", &[("transp_loc", "a")]),
                        (1, "transp_dest_loc", &[("transp_dest_loc", "a")]),
                        (2, "transp_loc", &[("transp_loc", "lost")]),
                        (3, "hatch_name", &[("hatch_name", "h")]),
                        (4, "transp_dest_loc", &[("transp_dest_loc", "unreached")]),
                    ],
                ),
                ("two", &[(0, "hatch_dest_name", &[("hatch_dest_name", "h")])]),
            ],
        );
        assert_eq!(
            lines(&library, &portals),
            [
                r#"one Transporter("a") one"#,
                r#"one Transporter("lost") "#,
                r#"one Hatch("h") two"#
            ]
        );
        let description: Vec<String> = portals
            .dangling(&library, None)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(description.len(), 2, "{description:?}");
        assert!(
            description[0].contains("the transporter `lost` leads nowhere"),
            "{}",
            description[0]
        );
        assert!(
            description[1].contains("nothing leads to the cell marked `transp_dest_loc`"),
            "{}",
            description[1]
        );
    }

    #[test]
    fn maps_that_contain_or_place_others_are_followed() {
        let (library, portals) = portals(
            "NAME: host\nSUBVAULT: A : room small:5 / hall\n\
             : subvault('B : ' .. name) subvault(\"C : shed\")\n\
             : -- subvault(\"D : gone\") subvault(\"E : gone\")\n\
             : x() -- subvault(\"D : gone\") dgn.place_maps{tag=\"gone\"}\n\
             : --[[ subvault(\"D : gone\")\n\
             : dgn.place_maps{tag=\"gone\"} ]] x('\\'--') subvault(\"F : kept\")\n\
             : dgn.place_maps { count = 2, tag = \"deco\" } dgn.place_maps{tag=other} my_place_maps{tag=\"x\"}\n\
             NAME: a\nTAGS: room small\nNAME: b\nTAGS: room\nNAME: c\nTAGS: deco\n",
            &[],
        );
        assert_eq!(
            lines(&library, &portals),
            [
                r#"host Subvault(["hall"]) "#,
                r#"host Subvault(["kept"]) "#,
                r#"host Subvault(["room", "small"]) a"#,
                r#"host Subvault(["shed"]) "#,
                r#"host Placed("deco") c"#,
            ]
        );
    }

    #[test]
    fn maps_without_a_profile_are_not_destinations() {
        let library = Library::new(vec![read(
            "a.des",
            b"NAME: a\nSUBVAULT: A : room\nNAME: b\nTAGS: room\n",
        )]);
        let mut catalog = Catalog::new(&library);
        let none = Portals::new(&library, &catalog, |_| Vec::new());
        assert_eq!(none.dangling(&library, None).len(), 1);
        let room = library.by_name("b").expect("a map");
        catalog.set(room, Profile::from_headers(library.map(room)));
        assert!(
            Portals::new(&library, &catalog, |_| Vec::new())
                .dangling(&library, None)
                .is_empty()
        );
    }
}
