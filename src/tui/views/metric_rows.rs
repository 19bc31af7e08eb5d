//! Lines of figures: how they are put together, and what each is about, so that one is found again at another moment.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::list::{Link, ListRow};
use super::metrics::MetricSection;
use crate::analysis::LayerKind;
use crate::geometry::Point;
use crate::tui::app::App;
use crate::tui::screen::thousands;
use crate::tui::text::shortened;

/// Room for the names at the left.
const NAME: usize = 12;

/// Columns of a bar.
const BAR: usize = 12;

/// What a line is about, at whatever moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MetricKey {
    /// The figure, the flaw, or the heading above the line.
    name: String,
    /// Where the line leads.
    at: Option<Point>,
    /// Which of the lines that are about the same it is.
    part: usize,
}

/// A line and what it shows on the map: a layer, and the number in it that stands out.
pub(super) struct MetricRow {
    pub(super) key: MetricKey,
    pub(super) row: ListRow,
    pub(super) layer: Option<(LayerKind, Option<u16>)>,
}

/// The lines as they are put together.
pub(super) struct MetricRows<'a> {
    pub(super) app: &'a App,
    pub(super) width: usize,
    pub(super) entries: Vec<MetricRow>,
    /// What the lines are about that come next.
    pub(super) about: String,
}

/// Where something stands among the lines, or what is nearest to it: another of its kind, or the heading above.
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
    /// A line of some spans.
    pub(super) fn push(
        &mut self,
        spans: Vec<Span<'static>>,
        lead: Option<Link>,
        layer: Option<(LayerKind, Option<u16>)>,
    ) {
        let row = ListRow {
            text: Line::from(spans),
            lead,
            now: false,
        };
        let at = match lead {
            Some(Link::Square(at) | Link::Moment(_, at)) => Some(at),
            _ => None,
        };
        let mut key = MetricKey {
            name: self.about.clone(),
            at,
            part: 0,
        };
        // Lines on one thing follow one another.
        if let Some(before) = self.entries.last().map(|entry| &entry.key)
            && before.name == key.name
            && (before.at == key.at || key.at.is_none())
        {
            (key.at, key.part) = (before.at, before.part + 1);
        }
        self.entries.push(MetricRow { key, row, layer });
    }

    /// A name and a value.
    pub(super) fn plain(&mut self, name: &str, value: &str, lead: Option<Link>, layer: Option<LayerKind>) {
        let theme = self.app.theme;
        name.clone_into(&mut self.about);
        let name = Span::styled(format!("  {name:<NAME$}"), theme.quiet());
        let value = shortened(value, self.width.saturating_sub(NAME + 2));
        self.push(
            vec![name, Span::styled(value, theme.text())],
            lead,
            layer.map(|layer| (layer, None)),
        );
    }

    /// A heading that folds; whether what stands below it is shown.
    pub(super) fn heading(
        &mut self,
        section: MetricSection,
        name: &str,
        value: &str,
        layer: Option<LayerKind>,
        empty: bool,
    ) -> bool {
        let theme = self.app.theme;
        name.clone_into(&mut self.about);
        let open = !empty && self.app.views.figures.open.contains(&section);
        let sign = match (empty, open) {
            (true, _) => " ",
            (_, true) => "▾",
            (_, false) => "▸",
        };
        let value = shortened(value, self.width.saturating_sub(NAME + 2));
        let spans = vec![
            Span::styled(format!("{sign} "), theme.accent()),
            Span::styled(format!("{name:<NAME$}"), theme.quiet()),
            Span::styled(value, theme.text()),
        ];
        let lead = (!empty).then_some(Link::Fold(section));
        self.push(spans, lead, layer.map(|layer| (layer, None)));
        // Those below it are no parts of the heading.
        self.about.push(':');
        open
    }

    /// A line below a heading.
    pub(super) fn item(&mut self, text: &str, style: Style, lead: Option<Link>, layer: Option<(LayerKind, usize)>) {
        let text = shortened(&format!("    {text}"), self.width);
        let layer = layer.map(|(layer, number)| (layer, Some(u16::try_from(number).unwrap_or(u16::MAX))));
        self.push(vec![Span::styled(text, style)], lead, layer);
    }

    /// A share with a bar and a number.
    pub(super) fn bar(&mut self, name: &str, share: f64, number: u32, style: Style, layer: Option<(LayerKind, usize)>) {
        let theme = self.app.theme;
        let above = self.about.clone();
        self.about.push_str(name);
        let (percent, number) = (format!("{:>4.0} % ", share * 100.0), thousands(number.into()));
        let name = format!("    {name:<9}");
        let room = self.width.saturating_sub(name.width() + percent.width() + 8).min(BAR);
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
