//! Layout of the vault browser.

use ratatui::layout::{Constraint, Layout, Rect};

use super::BrowserState;
use crate::tui::editor::Editor;
use crate::tui::widget::layout::above_foot;

/// Number of columns that the area beside the list needs to show both the picture and the source.
const BOTH: u16 = 84;

/// Areas of the browser's panes; the area of a hidden pane is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BrowserAreas {
    /// The list with its border.
    pub(super) list: Rect,
    /// The picture or the compared rolls, with the border.
    pub(super) picture: Rect,
    /// The facts about the map, with their border.
    pub(super) facts: Rect,
    /// The source with its border.
    pub(super) source: Rect,
}

impl BrowserAreas {
    /// Lays out the browser on the app's screen.
    pub(super) fn of(state: &BrowserState, editor: &Editor) -> Self {
        Self::on(editor.screen, state.source_toggled, state.compared.is_some())
    }

    /// Lays out the browser above the screen's footer line. On wide screens, the source is beside the picture, and
    /// `source_toggled` hides it; on narrow screens it is hidden, and `source_toggled` shows it instead of the picture.
    /// With `sheet`, the compared rolls cover the whole area beside the list.
    pub(super) fn on(screen: Rect, source_toggled: bool, sheet: bool) -> Self {
        let body = above_foot(screen);
        let list_width = (screen.width * 3 / 10).clamp(16, 44).min(screen.width);
        let [list, main] = Layout::horizontal([Constraint::Length(list_width), Constraint::Min(0)]).areas(body);
        if sheet {
            let (picture, facts, source) = (main, Rect::ZERO, Rect::ZERO);
            return Self {
                list,
                picture,
                facts,
                source,
            };
        }
        let (main, source) = match (main.width >= BOTH, source_toggled) {
            (true, false) => {
                let [main, source] = Layout::horizontal([Constraint::Fill(5), Constraint::Fill(6)]).areas(main);
                (main, source)
            }
            (false, true) => (Rect::ZERO, main),
            (true, true) | (false, false) => (main, Rect::ZERO),
        };
        let facts_height = (main.height * 3 / 10).clamp(3, 11).min(main.height);
        let [picture, facts] = Layout::vertical([Constraint::Min(0), Constraint::Length(facts_height)]).areas(main);
        Self {
            list,
            picture,
            facts,
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_fill_any_screen_without_overlap() {
        for width in 0..200 {
            for height in 0..60 {
                for (toggled, sheet) in [(false, false), (true, false), (false, true)] {
                    let screen = Rect::new(0, 0, width, height);
                    let p = BrowserAreas::on(screen, toggled, sheet);
                    let parts = [p.list, p.picture, p.facts, p.source];
                    let total: u32 = parts.iter().map(|part| part.area()).sum();
                    assert_eq!(total, u32::from(width) * u32::from(height.saturating_sub(1)));
                    for (i, part) in parts.iter().enumerate() {
                        assert_eq!(part.intersection(screen), *part);
                        assert!(parts[i + 1..].iter().all(|other| !part.intersects(*other)));
                    }
                }
            }
        }
    }
}
