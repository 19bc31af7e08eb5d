//! Checks whether the game can place a map: its rows, its size, its ways out, its glyphs, and how the game chooses it.

use std::collections::BTreeSet;

use super::{Finding, Rule};
use crate::design::Diagnostic;
use crate::design::feature::{Class, Feature};
use crate::vault::glyphs::{Cell, SPACE};
use crate::vault::map::{MapState, ResolvedMap};
use crate::vault::source::{MapSource, StatementKind, VaultFile};
use crate::vault::spec::{MASKS, Orient, PROPS, items};

/// Tags that control how the game places a map. The game does not choose maps by these tags.
pub(super) const FLAGS: [&str; 20] = [
    "no_rotate",
    "no_hmirror",
    "no_vmirror",
    "no_exits",
    "no_dump",
    "no_descent",
    "allow_dup",
    "extra",
    "extra_post_overflow",
    "dummy",
    "minivault",
    "generate_awake",
    "patrolling",
    "transparent",
    "passable",
    "overwritable",
    "overwrite_floor_cell",
    "water_ok",
    "replace_portal",
    "decor",
];

/// Prefixes of further tags that the game does not use to choose maps.
const FLAG_PREFIXES: [&str; 8] = [
    "uniq_",
    "buniq_",
    "luniq",
    "chance_",
    "no_species_",
    "ruin",
    "nolayout_",
    "layout_",
];

/// Tags of maps that need no way out.
const WITHOUT_EXIT: [&str; 3] = ["no_exits", "unrand", "dummy"];

/// A record of whether any resolution of a map has a way out. A resolution is the map resolved with one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exits {
    has_way_out: bool,
}

impl Exits {
    /// Adds a resolution.
    pub fn add(&mut self, resolved: &ResolvedMap) {
        self.has_way_out = self.has_way_out || !resolved.exits.is_empty() || has_way_out(resolved);
    }

    /// Returns the record of a map that is assumed to have a way out, because its resolutions are unknown.
    pub const fn supposed() -> Self {
        Self { has_way_out: true }
    }

    /// Adds the resolutions of another record.
    pub fn join(&mut self, other: Self) {
        self.has_way_out |= other.has_way_out;
    }
}

/// Returns whether a map contains stairs, a hatch or a portal, or a liquid at its edge.
fn has_way_out(resolved: &ResolvedMap) -> bool {
    const SIDES: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
    let leads_out = |feature: Feature, cell: Cell| match feature.class() {
        Class::Stairs | Class::Hatch | Class::Portal => true,
        Class::Liquid => SIDES
            .iter()
            .any(|(x, y)| resolved.cell(cell.x + x, cell.y + y).is_none()),
        _ => false,
    };
    resolved
        .filled()
        .any(|(cell, content)| leads_out(content.feature, cell))
}

/// Returns whether the game or another map can choose maps by a tag.
fn is_selectable(tag: &str) -> bool {
    let is_mark = MASKS.contains(&tag) || PROPS.contains(&tag);
    !(is_mark || FLAGS.contains(&tag) || FLAG_PREFIXES.iter().any(|prefix| tag.starts_with(prefix)))
}

/// Returns a finding for each rule that a map breaks. `state` is the map's state after the compile run, and `exits`
/// summarizes its resolutions.
pub fn placeable(file: &VaultFile, source: &MapSource, state: &MapState, exits: Exits) -> Vec<Finding> {
    let lines = source.line..=source.last_line;
    if source.rows_line == 0 && !state.tags.has("dummy") && !file.has_lua(lines) {
        let diagnostic = Diagnostic::error("this map has no rows").help("write its rows between MAP and ENDMAP");
        return vec![Finding::of_map(Rule::Rows, file, source, diagnostic)];
    }
    let found = [
        size(file, source, state),
        exit(file, source, state, exits),
        selection(file, source, state),
    ];
    let mut findings: Vec<Finding> = found.into_iter().flatten().collect();
    findings.extend(glyphs(file, source, state));
    findings.extend(entry_tag(file, source, state));
    findings
}

/// Reports a tag `uniq_X_entry` on a map that is not a branch entry. Because the tag ends in `_entry`, the game treats
/// the map as a branch entry and never selects it.
fn entry_tag(file: &VaultFile, source: &MapSource, state: &MapState) -> Option<Finding> {
    let mut entries = state.tags.iter().filter(|tag| tag.ends_with("_entry"));
    let is_unique = |tag: &str| tag.starts_with("uniq_");
    if !state.places.is_empty() || entries.clone().any(|tag| !is_unique(tag)) {
        return None;
    }
    let tag = entries.next()?;
    let message = format!("the game treats a map with the tag `{tag}` as a branch entry and never selects it");
    let diagnostic = Diagnostic::warning(message).help("choose a tag that does not end in `_entry`");
    let lines = source.line..=source.last_line;
    Some(Finding::of_lines(Rule::Portal, file, source, lines, tag, diagnostic))
}

/// Reports a map that is larger than its orientation allows.
fn size(file: &VaultFile, source: &MapSource, state: &MapState) -> Option<Finding> {
    let (width, height) = (state.glyphs.width(), state.glyphs.height());
    let (widest, highest) = Orient::size_limit(state.orient);
    if width <= widest && height <= highest {
        return None;
    }
    let kind = state.orient.map_or("a map without ORIENT", Orient::name);
    let message = format!("the map has {width} × {height} cells; the limit for {kind} is {widest} × {highest}");
    let diagnostic =
        Diagnostic::error(message).help("make it smaller, or choose another ORIENT; `encompass` fills the level");
    let header = source.headers.iter().rfind(|header| header.keyword.call() == "orient");
    Some(match (header, state.orient) {
        (Some(header), Some(orient)) => Finding::of_lines(
            Rule::Size,
            file,
            source,
            header.line..=header.line,
            orient.name(),
            diagnostic,
        ),
        _ => Finding::of_map(Rule::Size, file, source, diagnostic),
    })
}

/// Reports a map that has no way out in any resolution.
fn exit(file: &VaultFile, source: &MapSource, state: &MapState, exits: Exits) -> Option<Finding> {
    let needs_none = state.orient == Some(Orient::Encompass) || WITHOUT_EXIT.iter().any(|tag| state.tags.has(tag));
    if needs_none || state.glyphs.is_empty() || exits.has_way_out || !state.exits().is_empty() {
        return None;
    }
    let diagnostic = Diagnostic::error("nothing leads out of this map")
        .help("place `@`, `+`, `=` or floor on its edge, or give it the tag `no_exits`");
    Some(Finding::of_map(Rule::Exit, file, source, diagnostic))
}

/// Reports a map that the game never chooses.
fn selection(file: &VaultFile, source: &MapSource, state: &MapState) -> Option<Finding> {
    let has_levels = !(state.depths.is_empty() && state.places.is_empty());
    if has_levels || state.tags.iter().any(is_selectable) {
        return None;
    }
    let diagnostic = Diagnostic::error(
        "the game never chooses this map: it has no DEPTH, no PLACE and no tag by which it is requested",
    )
    .help("write `DEPTH:` with the levels that may contain the map, or `TAGS:` with a tag that other maps request");
    Some(Finding::of_map(Rule::Selection, file, source, diagnostic))
}

/// Returns whether a map may list a monster or item for a glyph: a header lists one (even if a condition may skip that
/// header), or the Lua of the map or of its file mentions a call that adds monsters or items.
fn may_list(file: &VaultFile, source: &MapSource, glyph: u8) -> bool {
    let (header, call, first) = if glyph.is_ascii_digit() {
        ("MONS", "mons", b'1')
    } else {
        ("ITEM", "item", b'd')
    };
    let counts = source
        .values(header)
        .map(|list| items(list).map_or(0, |items| items.len()));
    let is_of_other = |line: u32| {
        let mut others = file.maps.iter().filter(|map| map.line != source.line);
        others.any(|map| (map.line..=map.last_line).contains(&line))
    };
    let calls = |code: &[u8]| code.windows(call.len()).any(|part| part == call.as_bytes());
    let mut statements = file.statements.iter().filter(|statement| !is_of_other(statement.line));
    counts.sum::<usize>() > usize::from(glyph - first)
        || statements.any(|statement| match &statement.kind {
            StatementKind::Lua(code) => calls(code),
            StatementKind::Block { lines, .. } => lines.iter().any(|code| calls(code)),
            _ => false,
        })
}

/// Warns about glyphs that have no meaning in the language and that neither a header nor Lua mentions (their cells
/// become floor), and about glyphs for monsters and items that the map does not list. Skips a map without DEPTH and
/// PLACE: it is chosen only by tag, and the map that requests it may give these glyphs a meaning.
fn glyphs(file: &VaultFile, source: &MapSource, state: &MapState) -> Vec<Finding> {
    if state.depths.is_empty() && state.places.is_empty() {
        return Vec::new();
    }
    let headers = source.headers.iter().map(|header| header.value.as_slice());
    let chunks = source.chunks().map(|(_, chunk)| chunk);
    let code = chunks.chain(&file.prelude).map(|chunk| chunk.code.as_slice());
    let texts: Vec<&[u8]> = headers.chain(code).collect();
    let rows: BTreeSet<u8> = source.rows.iter().flatten().copied().collect();
    // A glyph that statements have replaced everywhere needs no meaning.
    let glyphs: BTreeSet<u8> = state.glyphs.cells().iter().copied().collect();
    let glyphs = rows.intersection(&glyphs).copied();
    let is_unknown = |glyph: &u8| {
        glyph.is_ascii()
            && *glyph != SPACE
            && state.lacks_meaning(*glyph)
            && !texts.iter().any(|text| text.contains(glyph))
    };
    let missing = glyphs
        .clone()
        .filter(|glyph| state.lacks_thing(*glyph) && !may_list(file, source, *glyph));
    let missing = missing.map(|glyph| {
        let (message, other) = if glyph.is_ascii_digit() {
            (
                "MONS lists no monster for this glyph; its cells get random monsters",
                "`0`",
            )
        } else {
            ("ITEM lists no item for this glyph; its cells become floor", "`.`")
        };
        let help = format!("add one to the list, or write {other}");
        (glyph, Diagnostic::warning(message).help(help))
    });
    let unknown = glyphs.filter(is_unknown).map(|glyph| {
        let diagnostic = Diagnostic::warning("this glyph has no meaning; its cells become floor");
        (
            glyph,
            diagnostic.help("give the glyph a meaning with KFEAT, KMONS or KITEM, or write `.`"),
        )
    });
    missing
        .chain(unknown)
        .map(|(glyph, diagnostic)| {
            let rows = source.rows_line..=source.last_line;
            Finding::of_lines(
                Rule::Glyph,
                file,
                source,
                rows,
                &char::from(glyph).to_string(),
                diagnostic,
            )
        })
        .collect()
}
