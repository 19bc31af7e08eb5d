//! Tasks of the Stats panel that wait for a choice: copying a generation, replacing values, trying a variation. The
//! area below the table says how to continue. The table previews replaced and varied values.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Clear, Paragraph, Widget as _, Wrap};

use super::{selection, variation};
use crate::design::{Character, Entry, GENERATIONS, ReplacedValue, Rule};
use crate::text::counted;
use crate::tui::buttons;
use crate::tui::commands::{Action, CopyTo};
use crate::tui::editor::Editor;
use crate::tui::keymap::Context;
use crate::tui::panels::typing::{self, TypingTarget};
use crate::tui::panels::{PanelsState, explanation};
use crate::tui::tabs::Panel;

/// The task in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PanelTask {
    Copying,
    Replacing,
    Varying,
}

fn task(panels: &PanelsState, editor: &Editor) -> Option<PanelTask> {
    if editor.panel != Panel::Stats {
        None
    } else if typing::typed_at(panels, TypingTarget::Rule).is_some() {
        Some(PanelTask::Replacing)
    } else if panels.copying {
        Some(PanelTask::Copying)
    } else {
        panels.variation.as_ref().map(|_| PanelTask::Varying)
    }
}

/// Returns the context of the task in progress; `None` if there is none or another panel is shown.
pub(in crate::tui::panels) fn context(panels: &PanelsState, editor: &Editor) -> Option<Context> {
    match task(panels, editor)? {
        PanelTask::Copying => Some(Context::Copying),
        PanelTask::Replacing => Some(Context::Typing),
        PanelTask::Varying => Some(Context::Varying),
    }
}

/// Shows and focuses the Stats panel, which shows the tasks.
pub(in crate::tui::panels) fn show(editor: &mut Editor) {
    editor.act(Action::FocusPanel(Panel::Stats));
}

/// Copies the selected generation to the chosen generations, as one edit.
pub(in crate::tui::panels) fn copy(panels: &mut PanelsState, editor: &mut Editor, to: CopyTo) {
    panels.copying = false;
    let from = selection::generation(panels);
    let last = GENERATIONS - 1;
    let (chosen, name) = match to {
        CopyTo::All => (0..=last, "all others".to_owned()),
        _ if from == last => {
            editor.warn(format!(
                "generation {last} is the last with its own parameters: there is no later generation to copy to"
            ));
            return;
        }
        CopyTo::Next => (from + 1..=from + 1, format!("generation {}", from + 1)),
        CopyTo::Later => (from + 1..=last, format!("generations {} to {last}", from + 1)),
    };
    editor.edit(format!("generation {from} copied to {name}"), |design| {
        let stats = design.character.generations[from];
        for generation in chosen {
            design.character.generations[generation] = stats;
        }
    });
    if !editor.regrows() {
        editor.done(format!("generation {from} is already the same as {name}"));
    }
}

/// Returns the values that the rule being typed would change, or what is wrong with the rule; `None` if no rule is
/// being typed.
fn typed_rule(panels: &PanelsState, editor: &Editor) -> Option<Result<Vec<ReplacedValue>, String>> {
    let typing = typing::typed_at(panels, TypingTarget::Rule)?;
    let rule = Rule::read(typing.text()).map_err(|error| error.to_string());
    let replaced = |rule: Rule| {
        rule.replaced(editor.document.design())
            .map_err(|error| error.to_string())
    };
    Some(rule.and_then(replaced))
}

/// Replaces values according to a rule.
///
/// # Errors
///
/// Fails if the rule is invalid, would set a value outside its range, or changes nothing.
pub(in crate::tui::panels) fn replace(editor: &mut Editor, rule: &str) -> Result<(), String> {
    let parsed = Rule::read(rule).map_err(|error| error.to_string())?;
    let replaced = parsed.replaced(editor.document.design());
    let replaced = replaced.map_err(|error| error.to_string())?;
    if replaced.is_empty() {
        return Err("this changes no value".into());
    }
    let name = format!("{}: {}", rule.trim(), values(replaced.len()));
    editor.edit(name, |design| {
        for one in &replaced {
            one.put(design);
        }
    });
    Ok(())
}

fn values(number: usize) -> String {
    counted(number, "value")
}

/// Returns the parameters to preview: the result of the rule being typed or of the variation being tried.
pub(in crate::tui::panels) fn preview(panels: &PanelsState, editor: &Editor) -> Option<Character> {
    match task(panels, editor)? {
        PanelTask::Copying => None,
        PanelTask::Varying => {
            let variation = panels.variation.as_ref()?;
            Some(variation.of(editor.document.design(), editor.options))
        }
        PanelTask::Replacing => {
            let replaced = typed_rule(panels, editor)?.ok()?;
            let mut design = editor.document.design().clone();
            for one in replaced {
                one.put(&mut design);
            }
            Some(design.character)
        }
    }
}

/// Runs the action of the button at a position. Returns whether there is a button.
pub(in crate::tui::panels) fn click(panels: &PanelsState, editor: &mut Editor, about: Rect, at: Position) -> bool {
    let Some(context) = context(panels, editor) else {
        return false;
    };
    let [text, keys] = buttons::part(editor, context, about);
    if context == Context::Typing && text.is_empty() {
        // The text field for the rule covers the buttons.
        return false;
    }
    let action = buttons::of(editor, context, keys).at(at);
    if let Some(action) = action {
        editor.act(action);
    }
    action.is_some()
}

/// Draws the task in progress; returns false if there is none. `about` is the area below the table, in which the task
/// is drawn, and `area` is the inside of the panel.
pub(in crate::tui::panels) fn draw(
    panels: &PanelsState,
    editor: &Editor,
    area: Rect,
    about: Rect,
    buf: &mut Buffer,
) -> bool {
    let theme = editor.theme;
    match task(panels, editor) {
        None => return false,
        Some(PanelTask::Varying) => {
            if let Some(variation) = &panels.variation {
                variation::draw(panels, editor, variation, about, buf);
            }
        }
        Some(PanelTask::Copying) => {
            let from = selection::generation(panels);
            explanation::explain(editor, &format!("copy generation {from}"), "", Vec::new(), about, buf);
            let [text, keys] = buttons::part(editor, Context::Copying, about);
            let line = Line::styled(format!("Copy all parameters of generation {from}:"), theme.quiet());
            Paragraph::new(line).wrap(Wrap { trim: true }).render(text, buf);
            buttons::of(editor, Context::Copying, keys).draw(buf);
        }
        Some(PanelTask::Replacing) => draw_rule(panels, editor, area, about, buf),
    }
    true
}

fn draw_rule(panels: &PanelsState, editor: &Editor, area: Rect, about: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let (Some(typing), Some(outcome)) = (typing::typed_at(panels, TypingTarget::Rule), typed_rule(panels, editor))
    else {
        return;
    };
    let (remark, line) = match outcome {
        _ if typing.text().trim().is_empty() => (
            String::new(),
            Line::styled(
                "CorridorWidth 4 -> 3 · StepLength >20 -> 20 · MaxAge *2 in 3-9 · all 100 -> 90",
                theme.quiet(),
            ),
        ),
        Err(why) => (String::new(), Line::styled(why, theme.warning())),
        Ok(replaced) if replaced.is_empty() => (values(0), Line::styled("this changes no value", theme.warning())),
        Ok(replaced) => {
            let description = replaced.iter().map(|one| {
                let name = one.parameter.info().name;
                let label = match one.entry {
                    Entry::Generation(generation) => format!("{name} of gen {generation}"),
                    _ => one.label(),
                };
                format!("{label}: {} → {}", one.before, one.after)
            });
            (
                values(replaced.len()),
                Line::styled(description.collect::<Vec<_>>().join(", "), theme.text()),
            )
        }
    };
    let [mut text, keys] = buttons::part(editor, Context::Typing, about);
    if text.is_empty() {
        // The panel has no room for an explanation, so the text field for the rule covers the table's last rows.
        let height = area.height.min(2);
        text = Rect {
            y: area.bottom() - height,
            height,
            ..area
        };
        Clear.render(text, buf);
    } else {
        explanation::explain(editor, "search and replace", &remark, Vec::new(), about, buf);
        buttons::of(editor, Context::Typing, keys).draw(buf);
    }
    let row = Rect {
        height: text.height.min(1),
        ..text
    };
    typing.draw(theme, row, buf);
    let below = Rect {
        y: row.bottom(),
        height: text.height - row.height,
        ..text
    };
    Paragraph::new(line).wrap(Wrap { trim: true }).render(below, buf);
}
