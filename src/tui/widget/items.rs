//! Clickable texts side by side: tabs, buttons, tools, the parts of a filter.

use crossterm::event::MouseEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::mouse::click;
use crate::tui::theme::Theme;

/// Minimum number of letters to keep of a tab's title if not all titles fit.
const CUT: usize = 4;

/// A text, and what a click on it does.
#[derive(Debug)]
pub(in crate::tui) struct Item<A> {
    text: Line<'static>,
    action: A,
}

impl<A> Item<A> {
    /// Creates an item with a text.
    pub(in crate::tui) fn new(text: impl Into<Line<'static>>, action: A) -> Self {
        let text = text.into();
        Self { text, action }
    }

    /// Creates a button: the key and the name of an action, with `pad` blank columns on either side.
    pub(in crate::tui) fn button(theme: Theme, pad: usize, key: String, name: &'static str, action: A) -> Self {
        let text = vec![
            Span::raw(" ".repeat(pad)),
            Span::styled(key, theme.accent().add_modifier(Modifier::BOLD)),
            Span::raw(" "),
            Span::styled(name, theme.text().add_modifier(Modifier::UNDERLINED)),
            Span::raw(" ".repeat(pad)),
        ];
        Self::new(text, action)
    }
}

/// Items with their areas.
#[derive(Debug)]
pub(in crate::tui) struct ItemBar<A>(Vec<(Item<A>, Rect)>);

impl<A> ItemBar<A> {
    /// Lays out items in the rows of an area, `gap` columns apart. Leaves out the items after the last row, and cuts off
    /// an item that is wider than the area.
    pub(in crate::tui) fn new(items: impl IntoIterator<Item = Item<A>>, area: Rect, gap: u16) -> Self {
        let (mut x, mut y) = (area.x, area.y);
        let place = |item: Item<A>| {
            let width = item.text.width() as u16;
            if x > area.x && x.saturating_add(width) > area.right() {
                (x, y) = (area.x, y.saturating_add(1));
            }
            let place = Rect::new(x, y, width, 1).intersection(area);
            x = x.saturating_add(width).saturating_add(gap);
            (item, place)
        };
        Self(items.into_iter().map(place).collect())
    }

    /// Returns the number of rows that have an item.
    pub(in crate::tui) fn rows(&self) -> u16 {
        let first = self.0.first().map_or(0, |(_, place)| place.y);
        self.0.last().map_or(0, |(_, place)| place.bottom() - first)
    }

    /// Returns the texts in one line.
    pub(in crate::tui) fn line(self) -> Line<'static> {
        let spans = self.0.into_iter().flat_map(|(item, _)| item.text.spans);
        Line::from(spans.collect::<Vec<_>>())
    }

    /// Returns the action of the item at a position.
    pub(in crate::tui) fn at(self, at: Position) -> Option<A> {
        let hit = self.0.into_iter().find(|(_, place)| place.contains(at));
        hit.map(|(item, _)| item.action)
    }

    /// Returns the action of the clicked item.
    pub(in crate::tui) fn clicked(self, mouse: MouseEvent) -> Option<A> {
        self.at(click(mouse)?)
    }

    /// Draws the items.
    pub(in crate::tui) fn draw(&self, buf: &mut Buffer) {
        for (item, place) in self.0.iter().filter(|(_, place)| !place.is_empty()) {
            buf.set_line(place.x, place.y, &item.text, place.width);
        }
    }
}

/// A tab of a pane.
#[derive(Debug)]
pub(in crate::tui) struct Tab<T> {
    /// The value that identifies the tab.
    pub value: T,
    pub title: &'static str,
    /// A remark after the title, if there is room.
    pub remark: String,
    /// The style of the text.
    pub style: Style,
}

/// Lays out tabs in the upper border of a pane. If the remarks do not fit, they are left out; if the titles do not fit
/// either, they are shortened, the longest first, except the title of the tab `shown`.
pub(in crate::tui) fn tabs<T: PartialEq>(tabs: Vec<Tab<T>>, shown: &T, pane: Rect) -> ItemBar<T> {
    let room = usize::from(pane.width.saturating_sub(2));
    // In a narrow pane, the last tabs are cut off at the border.
    let row = Rect::new(pane.x.saturating_add(1), pane.y, u16::MAX, 1);
    let width = |tab: &Tab<T>| tab.title.width() + tab.remark.width();
    let roomy: usize = tabs.iter().map(|tab| width(tab) + 2).sum();
    let lengths = cut(&tabs, shown, room + 1);
    let text = |tab: &Tab<T>, length| match tab.title {
        title if roomy <= room => format!(" {title}{} ", tab.remark),
        title => format!("{} ", title.get(..length).unwrap_or(title)),
    };
    let item = |(tab, length): (Tab<T>, usize)| Item::new(Span::styled(text(&tab, length), tab.style), tab.value);
    ItemBar::new(tabs.into_iter().zip(lengths).map(item), row, 0)
}

/// Returns how many characters of each title fit if a blank follows each title; the blank after the last title may be
/// cut off.
fn cut<T: PartialEq>(tabs: &[Tab<T>], shown: &T, room: usize) -> Vec<usize> {
    let mut lengths: Vec<usize> = tabs.iter().map(|tab| tab.title.len()).collect();
    while lengths.iter().map(|length| length + 1).sum::<usize>() > room {
        let others = lengths.iter_mut().zip(tabs).filter(|(_, tab)| tab.value != *shown);
        let Some((longest, _)) = others
            .max_by_key(|(length, _)| **length)
            .filter(|(length, _)| **length > CUT)
        else {
            break;
        };
        *longest -= 1;
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items() -> impl Iterator<Item = Item<char>> {
        "abc".chars().map(|c| Item::new(c.to_string().repeat(4), c))
    }

    #[test]
    fn items_fill_the_rows_and_are_clicked_where_they_are_drawn() {
        let area = Rect::new(2, 1, 10, 2);
        let at = |x, y| ItemBar::new(items(), area, 2).at(Position::new(x, y));
        assert_eq!([at(2, 1), at(5, 1), at(8, 1)], [Some('a'), Some('a'), Some('b')]);
        assert_eq!([at(2, 2), at(6, 1), at(6, 2), at(2, 3)], [Some('c'), None, None, None]);
        assert_eq!(ItemBar::new(items(), area, 2).rows(), 2);
        let narrow = Rect {
            height: 1,
            width: 7,
            ..area
        };
        let at = |x| ItemBar::new(items(), narrow, 2).at(Position::new(x, 1));
        assert_eq!([at(5), at(8)], [Some('a'), None], "b is left out");
    }

    #[test]
    fn tabs_have_less_space_before_their_titles_are_cut() {
        let text = |width| {
            let tab = |(value, title)| Tab {
                value,
                title,
                remark: String::new(),
                style: Style::new(),
            };
            let all = [(0, "Stats"), (1, "Problems"), (2, "Expect")].map(tab);
            tabs(all.into(), &1, Rect::new(0, 0, width, 9)).line().to_string()
        };
        assert_eq!(text(27), " Stats  Problems  Expect ");
        assert_eq!(text(26), "Stats Problems Expect ");
        assert_eq!(text(23), "Stats Problems Expect ");
        assert_eq!(text(22), "Stats Problems Expec ");
        assert_eq!(text(20), "Stat Problems Expe ");
        assert_eq!(text(9), "Stat Problems Expe ");
    }
}
