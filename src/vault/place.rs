//! Converts a resolved map to a placed vault of a dungeon.
//!
//! In a map, `x` is the column and `y` the row; in a dungeon, `x` is the row and `y` the column. This module converts
//! the map's coordinates to the dungeon's.

use std::collections::BTreeMap;

use super::glyphs::{Cell, Turn};
use super::map::{Marker, MarkerBody, ResolvedCell, ResolvedMap};
use super::spec::Branch;
use crate::design::{ContentKind, PlacedVault, VaultContent, VaultEntry};
use crate::geometry::{Point, Size};
use crate::text::is_control;

/// Text of the marker that carries the properties a map sets for the whole level.
const LEVEL: &str = "level";

/// Returns the mirroring and the rotations that make up an orientation from 1 to 8, a number whose meaning
/// [`ORIENTATIONS`](crate::design::ORIENTATIONS) lists; `None` for any other value, which means a random orientation.
pub fn turns(orientation: i32) -> Option<Vec<Turn>> {
    let index = usize::try_from(orientation)
        .ok()?
        .checked_sub(1)
        .filter(|index| *index < 8)?;
    let mirrored = (index >= 4).then_some(Turn::MirrorHorizontal);
    let quarters = std::iter::repeat_n(Turn::Clockwise, index % 4);
    Some(mirrored.into_iter().chain(quarters).collect())
}

/// Places a resolved map in a dungeon of size `dungeon`, according to `entry`, whose index in the design is `vault`.
/// Returns `None` if the map does not fit.
pub fn piece(resolved: &ResolvedMap, entry: &VaultEntry, vault: usize, dungeon: Size) -> Option<PlacedVault> {
    let size = Size::new(resolved.height as i32, resolved.width as i32);
    let at = entry.top_left(size, dungeon)?;
    Some(PlacedVault {
        vault,
        name: resolved.name.clone(),
        at,
        size,
        squares: resolved
            .cells
            .iter()
            .map(|cell| cell.as_ref().map(|cell| cell.feature))
            .collect(),
        exits: resolved
            .exits
            .iter()
            .map(|exit| Point::new(at.x + exit.y, at.y + exit.x))
            .collect(),
        contents: contents(resolved, at),
    })
}

/// Returns the contents of the cells of a map whose top left square is `corner`: monsters, items, shops, portals and
/// markers, row by row.
pub fn contents(resolved: &ResolvedMap, corner: Point) -> Vec<VaultContent> {
    let mut markers: BTreeMap<Cell, Vec<&Marker>> = BTreeMap::new();
    for marker in &resolved.markers {
        markers.entry(marker.cell).or_default().push(marker);
    }
    let mut all: Vec<VaultContent> = of_level(resolved, corner).into_iter().collect();
    for (cell, content) in resolved.filled() {
        let at = Point::new(corner.x + cell.y, corner.y + cell.x);
        let here = markers.get(&cell).map_or(&[][..], Vec::as_slice);
        all.extend(
            contents_of_cell(content, here).map(|(kind, text, properties)| VaultContent {
                at,
                kind,
                text: line(&text),
                properties,
            }),
        );
    }
    all
}

/// Returns the properties that the map sets for the whole level, as a marker on the map's first cell. Returns `None` if
/// the map sets no such properties.
fn of_level(resolved: &ResolvedMap, corner: Point) -> Option<VaultContent> {
    let (first, _) = resolved.filled().next()?;
    let properties = resolved.level_properties.iter();
    let properties: Vec<(String, String)> = properties.map(|(name, value)| (line(name), line(value))).collect();
    (!properties.is_empty()).then(|| VaultContent {
        at: Point::new(corner.x + first.y, corner.y + first.x),
        kind: ContentKind::Marker,
        text: LEVEL.to_owned(),
        properties,
    })
}

/// A kind of content, its description, and its properties.
type Part = (ContentKind, String, Vec<(String, String)>);

/// Returns the contents of a cell, including its markers. A branch entrance becomes a portal, unless one of the markers
/// is a portal.
fn contents_of_cell<'a>(content: &'a ResolvedCell, markers: &'a [&Marker]) -> impl Iterator<Item = Part> + 'a {
    let plain = |kind: ContentKind, text: &str| (kind, text.to_owned(), Vec::new());
    let monster = content
        .monster
        .iter()
        .map(move |text| plain(ContentKind::Monster, text));
    let items = content.items.iter().map(move |text| plain(ContentKind::Item, text));
    let shop = content.shop.iter().map(move |text| plain(ContentKind::Shop, text));
    let marked: Vec<Part> = markers.iter().map(|marker| part_of_marker(marker)).collect();
    let leads = marked.iter().any(|(kind, ..)| *kind == ContentKind::Portal);
    let entrance = Branch::of_entrance(content.feature.name()).filter(|_| !leads);
    let entrance = entrance.map(move |branch| plain(ContentKind::Portal, branch.long_name()));
    monster.chain(items).chain(shop).chain(marked).chain(entrance)
}

/// Converts a map's marker to content of the dungeon: a portal if it has a destination, otherwise a marker.
fn part_of_marker(marker: &Marker) -> Part {
    match &marker.body {
        MarkerBody::Feature(feature) => (ContentKind::Marker, feature.name().to_owned(), Vec::new()),
        MarkerBody::Lua { source, props } => {
            let named = |name: &str| marker.prop(name).filter(|value| !value.is_empty());
            let to = ["dst", "transp_loc", "hatch_name"].into_iter().find_map(named);
            let class = named("class").unwrap_or_else(|| source.split(['(', '{', ' ']).next().unwrap_or_default());
            let (kind, text) = match to {
                Some(to) => (ContentKind::Portal, to),
                None => (ContentKind::Marker, class),
            };
            let props = props.iter().map(|(name, value)| (line(name), line(value)));
            (kind, text.to_owned(), props.collect())
        }
    }
}

/// Returns text from a level file as one line. Characters that could control a terminal become spaces.
fn line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if is_control(c) { ' ' } else { c }).collect();
    plain.trim().to_owned()
}
