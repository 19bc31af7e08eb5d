//! Drawing of the vault browser.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Text};
use ratatui::widgets::{Clear, Widget};

use super::areas::BrowserAreas;
use super::rolls::grid;
use super::{BrowserState, list, picture, source, texts};
use crate::design::{ContentKind, ORIENTATIONS};
use crate::geometry::Point;
use crate::tui::commands::COMPARED;
use crate::tui::editor::Editor;
use crate::tui::widget::layout::above_foot;
use crate::tui::widget::popup::block;
use crate::tui::widget::text::{shortened, wrapped};
use crate::vault::place::contents;
use crate::vault::{ResolvedMap, VaultWorld};

/// Draws the browser over the whole screen except the footer line.
pub(in crate::tui) fn draw(state: &BrowserState, editor: &Editor, screen: Rect, buf: &mut Buffer) {
    let body = above_foot(screen);
    Clear.render(body, buf);
    let parts = BrowserAreas::on(screen, state.source_toggled, state.compared.is_some());
    list::draw(state, editor, parts.list, buf);
    draw_picture(state, editor, parts.picture, buf);
    draw_facts(state, editor, parts.facts, buf);
    source::draw(state, editor, parts.source, buf);
    texts::draw(state, editor, screen, buf);
}

fn draw_picture(state: &BrowserState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let orientation = usize::try_from(state.orientation)
        .ok()
        .and_then(|i| ORIENTATIONS.get(i));
    let mut title = vec![state.name().to_owned()];
    title.push(match state.compared {
        None => format!("seed {}", state.seed),
        Some(_) => format!("seeds {} to {}", state.seed, state.seed + COMPARED - 1),
    });
    title.extend(orientation.map(|name| (*name).to_owned()));
    if state.rolls.is_waiting() {
        title.push("rolling …".into());
    }
    let title = shortened(&title.join(" · "), usize::from(area.width.saturating_sub(4)));
    block(editor.theme, false).title(format!(" {title} ")).render(area, buf);
    let inside = area.inner(Margin::new(1, 1));
    match state.compared {
        None => picture::draw_one(state, editor, inside, buf),
        Some(selected) => picture::draw_sheet(state, editor, selected, inside, buf),
    }
}

impl BrowserState {
    /// Returns the selected map's name.
    fn name(&self) -> &str {
        match (self.group(), self.selected) {
            (Some(group), Some((_, map))) => &group.library.map(map).name,
            _ => "no map",
        }
    }
}

fn draw_facts(state: &BrowserState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = editor.theme;
    block(theme, false).title(" About ").render(area, buf);
    let inside = area.inner(Margin::new(1, 1));
    let lines = facts(state, editor, inside.width);
    Text::from(lines).render(inside, buf);
}

/// Returns the facts about the selected map and its roll, the most important first.
fn facts(state: &BrowserState, editor: &Editor, width: u16) -> Vec<Line<'static>> {
    let theme = editor.theme;
    let mut lines = Vec::new();
    let mut report = |text: &str, style: Style| {
        lines.extend(wrapped(text, width, style));
    };
    let known = state.group().and_then(|group| group.facts(state.selected?.1));
    if let Some(failure) = known.and_then(|facts| facts.failure.as_ref()) {
        report(&format!("compile run: {failure}"), theme.error());
    }
    for (i, way) in state.exits().iter().enumerate() {
        let goal = way
            .to
            .map(|(place, map)| state.library.groups[place].library.map(map).name.clone());
        let style = match (state.portal == Some(i), &goal) {
            (true, _) => theme.selected(true),
            (false, Some(_)) => theme.text(),
            (false, None) => theme.warning(),
        };
        let goal = goal.unwrap_or_else(|| "nowhere".into());
        let timed = if way.edge.timed { ", timed" } else { "" };
        report(&format!("⇒ {}{timed} → {goal}", way.edge.way), style);
    }
    if let Some(resolved) = state.rolls.first().and_then(grid) {
        let count = |what: usize, one: &str, many: &str| match what {
            0 => String::new(),
            1 => format!(" · 1 {one}"),
            n => format!(" · {n} {many}"),
        };
        let monsters = resolved
            .cells
            .iter()
            .flatten()
            .filter(|cell| cell.monster.is_some())
            .count();
        let items: usize = resolved.cells.iter().flatten().map(|cell| cell.items.len()).sum();
        report(
            &format!(
                "{} × {} · tries: {}{}{}{}",
                resolved.width,
                resolved.height,
                resolved.origin.tries,
                count(resolved.exits.len(), "exit", "exits"),
                count(monsters, "monster", "monsters"),
                count(items, "item", "items"),
            ),
            theme.text(),
        );
    }
    if let Some(resolved) = state.rolls.first().and_then(grid) {
        for line in contents_lines(resolved) {
            report(&line, theme.text());
        }
        for placed in &resolved.placed {
            report(&format!("placed on the same level: {}", placed.name), theme.quiet());
        }
    }
    if let Some(facts) = known {
        for (label, text) in [("tags", &facts.tags), ("levels", &facts.levels)] {
            if !text.is_empty() {
                report(&format!("{label} {text}"), theme.quiet());
            }
        }
    }
    report(&description(&state.world, &state.asked()), theme.quiet());
    let notes = known.map_or(&[][..], |facts| &facts.notes);
    let roll = state.rolls.first().and_then(grid);
    for note in notes.iter().chain(roll.map_or(&[][..], |roll| &roll.notes)) {
        report(&format!("note: {note}"), theme.quiet());
    }
    lines
}

/// Formats the simulated game's values in one line: the place, and those values of the player character that the map's
/// Lua code reads.
fn description(world: &VaultWorld, asked: &[&str]) -> String {
    let mut text = format!("at {}", world.level);
    for (name, value) in [
        ("xl", format!("level {}", world.xl)),
        ("race", world.race.clone()),
        ("class", world.class.clone()),
        ("god", world.god.clone()),
    ] {
        if asked.contains(&name) {
            text.push_str(" · ");
            text.push_str(&value);
        }
    }
    text
}

/// Returns lines about a map's contents: each kind of monster, item and portal once, with its count.
fn contents_lines(resolved: &ResolvedMap) -> Vec<String> {
    let contents = contents(resolved, Point::new(0, 0));
    let mut lines = Vec::new();
    for kind in ContentKind::ALL {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for content in contents.iter().filter(|content| content.kind == kind) {
            // Portals with the same text can have different properties; the text includes the properties, so that
            // such portals are counted separately.
            let details = content.properties_text();
            let text = if details.is_empty() {
                content.text.clone()
            } else {
                format!("{} ({details})", content.text)
            };
            match counts.iter_mut().find(|(known, _)| *known == text) {
                Some((_, count)) => *count += 1,
                None => counts.push((text, 1)),
            }
        }
        let texts: Vec<String> = counts
            .into_iter()
            .map(|(text, count)| if count == 1 { text } else { format!("{count} × {text}") })
            .collect();
        if !texts.is_empty() {
            lines.push(format!("{}: {}", kind.name(), texts.join("; ")));
        }
    }
    lines
}
