//! Builds the lines of the Metrics view. Each line has a key. When the view shows the metrics of another turn, the key
//! finds the line about the same subject.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::page::{Link, ListRow, MetricSection};
use crate::analysis::LayerKind;
use crate::geometry::Point;
use crate::text::thousands;
use crate::tui::editor::Editor;
use crate::tui::widget::table;

/// Width in columns of the names.
const NAME: usize = 12;

/// Maximum width of a bar in columns.
const BAR: usize = 12;

/// A key that identifies the subject of a line. At another turn, the line about the same subject has the same key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MetricKey {
    /// Name of the metric, anomaly, room or vault. A line about anything else has the name of its heading, followed by
    /// a colon, such as `dead ends:`. A bar appends its own name: `tiles:gen. 2`.
    name: String,
    /// Square that the line links to.
    at: Option<Point>,
    /// Index of the line among the lines with the same subject.
    part: usize,
}

/// A line with its key and its layer on the map, and the number of the item that the layer highlights.
pub(super) struct MetricRow {
    pub(super) key: MetricKey,
    pub(super) row: ListRow,
    pub(super) layer: Option<(LayerKind, Option<u16>)>,
}

/// Collects the lines.
pub(super) struct MetricRows<'a> {
    pub(super) editor: &'a Editor,
    /// Expanded sections.
    pub(super) open: &'a [MetricSection],
    pub(super) width: u16,
    pub(super) entries: Vec<MetricRow>,
    /// Name for the keys of the lines that follow.
    pub(super) about: String,
}

/// Returns the index of the line with this key. If there is none, returns the index of the nearest line with the same
/// name or, failing that, of the section's heading.
pub(super) fn find(entries: &[MetricRow], key: &MetricKey) -> Option<usize> {
    let same = |entry: &&MetricRow| entry.key.name == key.name;
    let far = |entry: &MetricRow| match (entry.key.at, key.at) {
        (Some(a), Some(b)) => i64::from((a.x - b.x).abs()) + i64::from((a.y - b.y).abs()),
        (None, None) => 0,
        _ => i64::MAX,
    };
    let rank = |entry: &MetricRow| (far(entry), entry.key.part.abs_diff(key.part));
    let nearest = entries.iter().filter(same).map(rank).min();
    let heading = key.name.split_once(':').map(|(heading, _)| heading);
    let found = entries
        .iter()
        .position(|entry| entry.key.name == key.name && Some(rank(entry)) == nearest);
    found.or_else(|| {
        entries
            .iter()
            .position(|entry| Some(entry.key.name.as_str()) == heading)
    })
}

impl MetricRows<'_> {
    /// Adds a line.
    pub(super) fn push(
        &mut self,
        text: impl Into<Line<'static>>,
        link: Option<Link>,
        layer: Option<(LayerKind, Option<u16>)>,
    ) {
        let row = ListRow {
            text: text.into(),
            link,
            now: false,
        };
        let at = match link {
            Some(Link::Square(at) | Link::Moment(_, at)) => Some(at),
            _ => None,
        };
        let mut key = MetricKey {
            name: self.about.clone(),
            at,
            part: 0,
        };
        // Consecutive lines about the same subject are numbered.
        if let Some(before) = self.entries.last().map(|entry| &entry.key)
            && before.name == key.name
            && (before.at == key.at || key.at.is_none())
        {
            (key.at, key.part) = (before.at, before.part + 1);
        }
        self.entries.push(MetricRow { key, row, layer });
    }

    /// Adds a line with a name and a value.
    pub(super) fn plain(&mut self, name: &str, value: &str, link: Option<Link>, layer: Option<LayerKind>) {
        let theme = self.editor.theme;
        name.clone_into(&mut self.about);
        let name = Span::styled(format!("  {name:<NAME$}"), theme.quiet());
        let value = Span::styled(value.to_owned(), theme.text());
        let row = table::row(self.width, [name], value, []);
        self.push(row, link, layer.map(|layer| (layer, None)));
    }

    /// Adds the heading of a section. Returns whether the section is expanded.
    pub(super) fn heading(
        &mut self,
        section: MetricSection,
        name: &str,
        value: &str,
        layer: Option<LayerKind>,
        empty: bool,
    ) -> bool {
        let theme = self.editor.theme;
        name.clone_into(&mut self.about);
        let open = !empty && self.open.contains(&section);
        let sign = match (empty, open) {
            (true, _) => " ",
            (_, true) => "▾",
            (_, false) => "▸",
        };
        let left = [
            Span::styled(format!("{sign} "), theme.accent()),
            Span::styled(format!("{name:<NAME$}"), theme.quiet()),
        ];
        let row = table::row(self.width, left, Span::styled(value.to_owned(), theme.text()), []);
        let link = (!empty).then_some(Link::Fold(section));
        self.push(row, link, layer.map(|layer| (layer, None)));
        // The colon distinguishes the keys of the lines below from the heading's key.
        self.about.push(':');
        open
    }

    /// Adds a line below a heading.
    pub(super) fn item(&mut self, text: &str, style: Style, link: Option<Link>, layer: Option<(LayerKind, usize)>) {
        let row = table::row(self.width, ["    ".into()], Span::styled(text.to_owned(), style), []);
        let layer = layer.map(|(layer, number)| (layer, Some(u16::try_from(number).unwrap_or(u16::MAX))));
        self.push(row, link, layer);
    }

    /// Adds a line with a name, a share as a percentage and as a bar, and a number of squares or tiles.
    pub(super) fn bar(&mut self, name: &str, share: f64, number: u32, style: Style, layer: Option<(LayerKind, usize)>) {
        let theme = self.editor.theme;
        let above = self.about.clone();
        self.about.push_str(name);
        let (percent, number) = (format!("{:>4.0}% ", share * 100.0), thousands(number.into()));
        let name = format!("    {name:<9}");
        let room = usize::from(self.width)
            .saturating_sub(name.width() + percent.width() + 8)
            .min(BAR);
        let long = (share * room as f64).round() as usize;
        let bar = Style::new().fg(style.fg.unwrap_or_default());
        let spans = vec![
            Span::styled(name, theme.text()),
            Span::styled(percent, theme.text()),
            Span::styled("▆".repeat(long), bar),
            Span::raw(" ".repeat(room - long)),
            Span::styled(format!("{number:>8}"), theme.quiet()),
        ];
        let layer = layer.map(|(layer, number)| (layer, u16::try_from(number).ok()));
        self.push(spans, None, layer);
        self.about = above;
    }
}
