//! The footer: the result of the last action, and the keys from the key table that apply in the current contexts.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr as _;

use super::editor::{Editor, NoticeLevel};
use crate::tui::commands::{Action, FileCommand};
use crate::tui::keymap::{self, Binding, Context};
use crate::tui::widget::popup::block;
use crate::tui::widget::text::wrapped;

/// The text shown while the design's vaults are being resolved.
const RESOLVING: &str = "resolving vaults …   ";

/// The bindings in the footer: `always` for help and quit, and `others`, the most important first.
#[derive(Debug)]
pub(super) struct FooterKeys {
    always: Vec<&'static Binding>,
    others: Vec<&'static Binding>,
}

/// Draws the footer and, above it, the messages that do not fit into it. On the left are the progress of background work
/// (`left`), the message, and as many keys as fit; on the right are help and quit.
pub(super) fn draw(
    editor: &Editor,
    keys: &FooterKeys,
    mut left: Line<'static>,
    is_searching: bool,
    screen: Rect,
    foot: Rect,
    buf: &mut Buffer,
) {
    let theme = editor.theme;
    let area = foot.inner(Margin::new(1, 0));
    let right = keys
        .always
        .iter()
        .flat_map(|binding| key(editor, binding))
        .collect::<Line>();
    if editor.document.is_resolving() {
        left.push_span(Span::styled(RESOLVING, theme.warning()));
    }
    let room = foot.width.saturating_sub(left.width() as u16);
    if is_searching && messages(editor).next().is_none() {
        left.push_span(Span::styled("trying seeds …   ", theme.warning()));
    }
    left.extend(description(editor, room));
    for binding in &keys.others {
        let spans = key(editor, binding);
        let width: usize = spans.iter().map(Span::width).sum();
        if left.width() + width + right.width() <= usize::from(area.width) {
            left.spans.extend(spans);
        }
    }
    if left.width() + right.width() <= usize::from(area.width) {
        right.right_aligned().render(area, buf);
    }
    left.render(area, buf);
    draw_long(editor, screen, foot, room, buf);
}

/// Returns the footer's bindings that do something in these contexts. `is_idle` returns whether a binding does nothing
/// in the current state.
pub(super) fn keys(editor: &Editor, contexts: &[Context], is_idle: impl Fn(&Binding) -> bool) -> FooterKeys {
    let here = |binding: &&'static Binding| {
        binding.foot
            && contexts.contains(&binding.context)
            && !editor.keymap.keys(binding).is_empty()
            && !is_idle(binding)
    };
    let (always, mut others): (Vec<_>, Vec<_>) = keymap::table()
        .filter(here)
        .partition(|binding| matches!(binding.action, Action::Help | Action::Quit));
    // The keys of a panel or view come before the keys that work everywhere; the map's keys come last. The key to save
    // ranks higher while there are unsaved changes.
    let dirty = editor.document.is_dirty();
    let rank = |binding: &&Binding| match (binding.context, binding.action) {
        (_, Action::File(FileCommand::Save)) if dirty => 2,
        (Context::Everywhere, _) => 3,
        (Context::Map, _) => 4,
        (Context::Panels, _) => 1,
        _ => 0,
    };
    others.sort_by_key(rank);
    // A binding in a narrower context hides bindings of the same key in wider contexts, even if the footer does not
    // show the narrower binding.
    let rank_of = |context: Context| contexts.iter().position(|one| *one == context);
    others.retain(|binding| {
        let Some(key) = editor.keymap.keys(binding).first() else {
            return false;
        };
        let here = rank_of(binding.context);
        let hides = |other: &Binding| rank_of(other.context).is_some_and(|at| Some(at) < here);
        !keymap::table().any(|other| hides(other) && editor.keymap.keys(other).contains(key))
    });
    FooterKeys { always, others }
}

/// Returns the message before the footer's keys; `None` if there is no message or [`draw_long`] shows it. `room` is the
/// width available for the message and the margins.
pub(super) fn description(editor: &Editor, room: u16) -> Option<Span<'static>> {
    let (text, style) = messages(editor).next()?;
    if long(editor, room).first() == Some(&(text, style)) {
        return None;
    }
    Some(Span::styled(format!("{text}   "), style))
}

/// Draws the messages that do not fit into the footer: in a frame above it or, on screens with few rows, without a
/// frame. `room` is the width that [`description`] was called with.
pub(super) fn draw_long(editor: &Editor, screen: Rect, foot: Rect, room: u16, buf: &mut Buffer) {
    if foot.is_empty() {
        return;
    }
    let texts = long(editor, room);
    let Some((_, border)) = texts.first() else { return };
    let has_box = foot.y >= WITH_BOX;
    let width = foot.width.saturating_sub(if has_box { 4 } else { 2 });
    let lines = texts.iter().flat_map(|(text, style)| wrapped(text, width, *style));
    let lines: Vec<Line> = lines.collect();
    let frame = if has_box { 2 } else { 0 };
    let is_foot_free = !has_box && room == foot.width && description(editor, room).is_none();
    let bottom = if is_foot_free { foot.bottom() } else { foot.y };
    let height = (lines.len() as u16 + frame).min(bottom.saturating_sub(screen.y));
    let area = Rect::new(foot.x, bottom - height, foot.width, height);
    Clear.render(area, buf);
    let mut inside = area;
    if has_box {
        let block = block(editor.theme, true).border_style(*border);
        inside = block.inner(area);
        block.render(area, buf);
    }
    Text::from(lines).render(inside.inner(Margin::new(1, 0)), buf);
}

/// Minimum number of rows above the footer for a frame around messages.
const WITH_BOX: u16 = 16;

/// Returns the messages in the order of their importance: the notice, the autosave error, and, if there is no notice,
/// the alert.
fn messages(editor: &Editor) -> impl Iterator<Item = (&str, Style)> {
    let theme = editor.theme;
    let notice = editor.status.notice.as_ref().map(|(level, text)| {
        let style = match level {
            NoticeLevel::Done => theme.good(),
            NoticeLevel::Warning => theme.warning(),
            NoticeLevel::Error => theme.error(),
        };
        (text.as_str(), style)
    });
    let unkept = editor.status.unkept.as_deref().map(|text| (text, theme.error()));
    let alert = editor
        .status
        .alert
        .as_deref()
        .filter(|_| editor.status.notice.is_none());
    let alert = alert.map(|text| (text, theme.warning()));
    notice.into_iter().chain(unkept).chain(alert)
}

/// Returns the messages that do not fit into the footer: all but the first, and also the first if it is too long.
fn long(editor: &Editor, room: u16) -> Vec<(&str, Style)> {
    let fits = |text: &str| text.width() + 2 <= usize::from(room);
    let mut messages = messages(editor).peekable();
    let stays = messages.peek().is_some_and(|(text, _)| fits(text));
    messages.skip(usize::from(stays)).collect()
}

/// Returns the first key of a binding, and the name of its action.
fn key(editor: &Editor, binding: &'static Binding) -> [Span<'static>; 2] {
    let theme = editor.theme;
    let key = editor
        .keymap
        .keys(binding)
        .first()
        .map(ToString::to_string)
        .unwrap_or_default();
    [
        Span::styled(key, theme.accent()),
        Span::styled(format!(" {}  ", binding.name), theme.quiet()),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crossterm::event::{Event, KeyCode};

    use super::*;
    use crate::background::Message;
    use crate::tui::fixture::{self, TestApp};
    use crate::tui::screen;
    use crate::tui::stories;
    use crate::tui::tabs::Panel;
    use crate::tui::tabs::View;

    /// Returns the panes and modes of the app: a name, and the actions and keys that lead to each.
    fn places() -> Vec<(String, Vec<Action>, Vec<KeyCode>)> {
        let mut places = Vec::new();
        // `,` goes back one turn, so that playback is not at its end.
        let far: [&[KeyCode]; 4] = [
            &[KeyCode::Char(',')],
            &[KeyCode::Down],
            &[KeyCode::End],
            &[KeyCode::Down, KeyCode::Down, KeyCode::Right],
        ];
        for keys in far {
            for panel in Panel::ALL {
                places.push((
                    format!("{panel:?} {keys:?}"),
                    vec![Action::FocusPanel(panel)],
                    keys.into(),
                ));
            }
            for view in View::ALL {
                places.push((format!("{view:?} {keys:?}"), vec![Action::FocusView(view)], keys.into()));
            }
        }
        for keys in [
            ",+", ",+d", ",+dr", ",+dw", ",+dC", "?↓", ":↓", "#", ",p↓", "Y", "Z", ",O", ",N", "v", "M", "F",
        ] {
            let key = |c| if c == '↓' { KeyCode::Down } else { KeyCode::Char(c) };
            places.push((keys.into(), vec![Action::FocusMap], keys.chars().map(key).collect()));
        }
        places
    }

    fn at((_, actions, keys): &(String, Vec<Action>, Vec<KeyCode>)) -> TestApp {
        let mut designer = stories::test_app(160, 45);
        designer.hold(&["exporter"]);
        for &action in actions {
            let effects = designer.app.update(action);
            designer.perform(effects);
        }
        for &key in keys {
            designer.press(key);
        }
        designer.run_jobs();
        designer
    }

    #[test]
    fn every_key_in_the_footer_does_something() {
        // A key may do nothing at the end of a list or of the recording, but must do something in another state of the
        // same pane or mode.
        let mut silent = BTreeMap::new();
        for place in places() {
            let designer = at(&place);
            let FooterKeys { always, others } = screen::footer_keys(&designer.app);
            assert!(!always.is_empty() || !others.is_empty(), "{}", place.0);
            for binding in always.into_iter().chain(others) {
                let Some(key) = designer.app.editor.keymap.keys(binding).first().copied() else {
                    continue;
                };
                let mut designer = at(&place);
                let before = (designer.screen(), designer.quit);
                designer.send(Message::Input(Event::Key(key.event())));
                let acts = (designer.screen(), designer.quit) != before || matches!(binding.action, Action::Suspend);
                let name = place.0.split(' ').next().unwrap_or_default();
                *silent.entry(format!("{name}: {key} {}", binding.name)).or_insert(true) &= !acts;
            }
        }
        silent.retain(|_, silent| *silent);
        assert!(silent.is_empty(), "{silent:#?}");
    }

    #[test]
    fn every_message_can_be_read_as_a_whole_at_any_size() {
        let text = "this terminal shows no pictures, or the settings turn them off: the map has characters, as in all \
                    terminals that are not known to draw pictures in the place of placeholders";
        for (width, height) in [(40, 12), (60, 12), (60, 16), (60, 17), (60, 20), (80, 24), (200, 60)] {
            for say in [Editor::done, Editor::warn, Editor::fail] {
                let mut designer = TestApp::grown(width, height);
                say(&mut designer.app.editor, text);
                let screen = designer.text();
                let words: Vec<&str> = screen.split_whitespace().filter(|word| *word != "│").collect();
                let all: Vec<&str> = text.split_whitespace().collect();
                let is_whole = words.windows(all.len()).any(|part| part == all);
                assert!(is_whole, "{width} × {height}:\n{screen}");
            }
        }
    }

    #[test]
    fn a_message_that_does_not_fit_beside_the_progress_is_shown_above_the_footer() {
        for height in [14, 24] {
            let mut designer = TestApp::grown(80, height);
            let text = "x".repeat(70);
            designer.app.editor.done(text.clone());
            let keys = screen::footer_keys(&designer.app);
            let (screen, foot) = (designer.app.editor.screen, designer.app.editor.areas.foot);
            let mut buf = Buffer::empty(screen);
            let progress = Line::from("halls.gif  40%   ");
            draw(&designer.app.editor, &keys, progress, false, screen, foot, &mut buf);
            let shown = fixture::text(&buf);
            assert!(shown.contains(&text) && shown.contains("halls.gif  40%"), "{shown}");
        }
    }

    #[test]
    fn the_problems_panel_lists_no_keys_for_numbers() {
        let mut designer = stories::test_app(160, 45);
        let effects = designer.app.update(Action::FocusPanel(Panel::Problems));
        designer.perform(effects);
        let foot = stories::foot(&designer);
        assert!(!foot.contains("more") && !foot.contains("less"), "{foot}");
        designer.keys("?");
        assert!(
            !designer.text().contains("Raise the number by one."),
            "{}",
            designer.text()
        );
        // A search in help still finds these keys.
        designer.keys("/raise");
        assert!(
            designer.text().contains("Raise the number by one."),
            "{}",
            designer.text()
        );
    }
}
