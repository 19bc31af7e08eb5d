//! Hover text: describes the header, glyph, feature, function, tag or map under the cursor.

use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind, Position};

use super::place::{Part, byte_at, line, part_at, word_at};
use super::words;
use super::workspace::{Document, Workspace};
use crate::design::feature::Feature;
use crate::text::counted;
use crate::vault::source::{Form, Header, Keyword, MapSource, advice};
use crate::vault::spec::{Branch, Keyed, items};

/// Maximum number of maps that the description of a tag lists.
const MOST_MAPS: usize = 10;

/// Describes the word or glyph at a position; `None` if there is no description for it.
pub(super) fn hover(workspace: &mut Workspace, params: &HoverParams) -> Option<Hover> {
    let at = params.text_document_position_params.position;
    let document = workspace.document(&params.text_document_position_params.text_document.uri)?;
    let row = line(&document.text, at.line);
    let word = word_at(row, byte_at(row, at.character), "-").to_owned();
    let part = part_at(&document.parsed, &document.text, at);
    let value = match describe(document, part, at) {
        Some(described) => described,
        None if part == Part::Row => return None,
        None => tagged(workspace, &word)?,
    };
    let kind = MarkupKind::Markdown;
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent { kind, value }),
        range: None,
    })
}

fn describe(document: &Document, part: Part, at: Position) -> Option<String> {
    let row = line(&document.text, at.line);
    let byte = byte_at(row, at.character);
    let word = word_at(row, byte, "");
    let in_lua = || function(word_at(row, byte, ".")).or_else(|| function(word));
    match part {
        Part::Row => {
            let number = at.line.saturating_add(1);
            let mut maps = document.parsed.maps.iter();
            let map = maps.find(|map| (map.line..=map.last_line).contains(&number));
            glyph(map, row.get(byte..)?.chars().next()?)
        }
        Part::Lua => in_lua().or_else(|| feature(word)),
        Part::Header => header_at(word_at(row, byte, "-")),
        Part::Value(keyword) => match keyword.call() {
            "kfeat" => feature(word),
            "marker" => feature(word).or_else(in_lua),
            "depth" | "place" | "weight" | "chance" => branch(word),
            _ => None,
        },
        Part::Other => None,
    }
}

/// Describes a header or statement: what it does and, for a header, how to write its value.
fn header_at(word: &str) -> Option<String> {
    if let Some((_, meaning)) = words::STATEMENTS.iter().find(|(name, _)| *name == word) {
        return Some(format!("**{word}**: {meaning}"));
    }
    let keyword = Keyword::by_name(word.as_bytes())?;
    Some(format!(
        "**{}**: {}\n\n{}",
        keyword.name(),
        words::meaning(keyword),
        advice(keyword)
    ))
}

/// Describes a glyph of a map: its default meaning, and the statements that mention it.
fn glyph(map: Option<&MapSource>, glyph: char) -> Option<String> {
    let code = u8::try_from(glyph).ok().filter(u8::is_ascii_graphic)?;
    let default = match glyph {
        '1'..='7' => format!("monster {glyph} of MONS"),
        'd'..='k' => format!("item {} of ITEM", code - b'd' + 1),
        '0' => "a random monster".to_owned(),
        '9' => "a random monster of a greater depth".to_owned(),
        '8' => "a random monster of a much greater depth".to_owned(),
        '$' => "gold".to_owned(),
        '%' => "a random item".to_owned(),
        '*' => "a good random item".to_owned(),
        '|' => "a superb random item".to_owned(),
        '@' => "floor, and an exit if it is on the edge".to_owned(),
        _ => match Feature::of_glyph(code) {
            Some(feature) => feature.name().to_owned(),
            None => "floor".to_owned(),
        },
    };
    let mut lines = vec![format!("`{glyph}`: {default}, by default")];
    let headers = map.into_iter().flat_map(|map| &map.headers);
    for header in headers.clone() {
        for statement in mentions(header, code) {
            lines.push(format!(
                "line {}: `{}: {statement}`",
                header.line,
                header.keyword.name()
            ));
        }
    }
    let slots = |call: &'static str, slot: u8| {
        let lists = headers.clone().filter(move |header| header.keyword.call() == call);
        let texts = lists.flat_map(|header| items(&header.value).unwrap_or_default());
        texts.map(String::from_utf8_lossy).nth(usize::from(slot))
    };
    let thing = match code {
        b'1'..=b'7' => slots("mons", code - b'1'),
        b'd'..=b'k' => slots("item", code - b'd'),
        _ => None,
    };
    lines.extend(thing.map(|thing| format!("`{thing}`")));
    Some(lines.join("\n\n"))
}

/// Returns the parts of a header's value that apply to a glyph.
fn mentions(header: &Header, glyph: u8) -> Vec<String> {
    let is_list = header.keyword.form() == Form::List;
    let statements = match header.keyword.call() {
        "mons" | "item" => return Vec::new(),
        "shuffle" | "clear" => {
            let value = String::from_utf8_lossy(&header.value).into_owned();
            return Vec::from_iter(header.value.contains(&glyph).then_some(value));
        }
        _ if is_list => items(&header.value).unwrap_or_default(),
        "kmons" | "kitem" | "kfeat" | "kmask" | "kprop" | "marker" | "subvault" => vec![header.value.as_slice()],
        _ => return Vec::new(),
    };
    let applies = |statement: &&[u8]| Keyed::parse(statement).is_ok_and(|keyed| keyed.keys.holds(glyph));
    let statements = statements.into_iter().filter(applies);
    statements
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .collect()
}

fn feature(name: &str) -> Option<String> {
    let feature = Feature::by_name(name)?;
    let today = if feature.name() == name {
        String::new()
    } else {
        format!(" (now `{}`)", feature.name())
    };
    let can = if feature.is_traversable() { "can" } else { "cannot" };
    Some(format!(
        "`{name}`{today}: a feature of class `{}`; a player {can} walk on it; shown as `{}`",
        feature.class().name(),
        char::from(feature.glyph())
    ))
}

fn branch(name: &str) -> Option<String> {
    let branch = Branch::by_name(name)?;
    let levels = counted(branch.levels() as usize, "level");
    Some(format!("`{}`: {}, {levels}", branch.name(), branch.long_name()))
}

fn function(name: &str) -> Option<String> {
    let (signature, meaning) = words::function(name)?;
    Some(format!("```lua\n{signature}\n```\n{meaning}"))
}

/// Describes the map whose name is `word`, or lists the maps with the tag `word`.
fn tagged(workspace: &mut Workspace, word: &str) -> Option<String> {
    let maps = workspace.tagged(word);
    let library = workspace.loaded()?.runtime.library();
    if let Some(map) = library.by_name(word) {
        let (file, line) = (&library.file(map).name, library.map(map).line);
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        return Some(format!("the map `{word}` at {name}:{line}"));
    }
    let first = maps.iter().take(MOST_MAPS);
    let names: Vec<&str> = first.map(|map| library.map(*map).name.as_str()).collect();
    let more = if maps.len() > MOST_MAPS { ", …" } else { "" };
    (!names.is_empty()).then(|| format!("the tag of {}: {}{more}", counted(maps.len(), "map"), names.join(", ")))
}
