//! The lines of the Metrics view: the name and value of each metric, a link to the square that it concerns, and its
//! layer on the map.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::metric_rows::{MetricRow, MetricRows};
use super::page::{Link, MetricSection};
use crate::analysis::{Anomaly, AreaMetrics, EnclosureCause, LayerKind, Metrics};
use crate::background::MetricsReply;
use crate::design::expect::AreaIndex;
use crate::engine::Mark;
use crate::geometry::Point;
use crate::text::{counted, thousands};
use crate::tui::editor::Editor;
use crate::tui::keymap;
use crate::tui::metric_reports::LatestMetrics;
use crate::tui::widget::table;
use crate::tui::wording;

/// Maximum number of Builders listed around an enclosed area.
const NAMED: usize = 6;

/// Returns the heading: the moment that the metrics belong to and, if there are anomalies, the key that opens the
/// remedies.
pub(super) fn head(editor: &Editor, metrics: LatestMetrics<'_>, entries: &[MetricRow]) -> Line<'static> {
    let theme = editor.theme;
    let turn = metrics.turn;
    let end = editor
        .time
        .recording()
        .is_some_and(|recording| recording.is_finished() && recording.turns() == turn);
    let when = match (metrics.is_current, end) {
        (true, true) => "at the end".to_owned(),
        (_, _) => format!("after turn {}", thousands(turn)),
    };
    let mut spans = vec![Span::styled(when, theme.quiet())];
    let flawed = entries.first().is_some_and(|entry| entry.row.now);
    let remedies = keymap::table().find(|row| row.name == "remedies");
    if let Some(row) = remedies.filter(|_| flawed) {
        spans.push(Span::styled(format!("   {}", editor.keymap.text(row)), theme.accent()));
        spans.push(Span::styled(" remedies", theme.quiet()));
    }
    Line::from(spans)
}

/// Returns the lines of a dungeon's metrics, `width` columns wide.
pub(super) fn of(editor: &Editor, open: &[MetricSection], reply: &MetricsReply, width: u16) -> Vec<MetricRow> {
    let mut lines = MetricRows {
        editor,
        open,
        width,
        entries: Vec::new(),
        about: String::new(),
    };
    lines.all(reply);
    lines.entries
}

impl MetricRows<'_> {
    fn all(&mut self, reply: &MetricsReply) {
        let metrics = &reply.metrics;
        self.anomalies(metrics);
        self.way(metrics);
        self.enclosed(reply);
        self.shapes(metrics);
        self.outer(metrics);
        self.sight(metrics);
        self.shares(metrics);
        self.areas(metrics);
        if let Some(life) = metrics.life {
            let unborn = match life.unborn {
                0 => String::new(),
                unborn => format!(", {} not born", thousands(unborn.into())),
            };
            let iterations = counted(life.iterations, "iteration");
            let text = format!("{} born{unborn} in {iterations}", thousands(life.builders.into()));
            self.plain("Builders", &text, None, None);
        }
    }

    /// Adds the anomalies, each with its layer.
    fn anomalies(&mut self, metrics: &Metrics) {
        let theme = self.editor.theme;
        for anomaly in metrics.anomalies() {
            let (layer, place) = match anomaly {
                Anomaly::NoWay => (Some((LayerKind::Reached, None)), metrics.exit),
                Anomaly::Enclosed => (
                    Some((LayerKind::Enclosed, None)),
                    metrics.enclosed().next().map(|area| area.at),
                ),
                Anomaly::OuterCorridor => {
                    let longest = metrics.side_corridor().map(|(line, _)| line);
                    let number = metrics.outer.iter().position(|line| Some(*line) == longest);
                    let picked = number.and_then(|number| u16::try_from(number + 1).ok());
                    (Some((LayerKind::Outer, picked)), longest.map(|line| line.from))
                }
                _ => (None, None),
            };
            let text = match anomaly {
                Anomaly::TakesOver(generation) => format!(
                    "generation {generation} takes over: {:.0}% of the tiles",
                    metrics.share_of_generation(generation) * 100.0
                ),
                anomaly => anomaly.to_string(),
            };
            let sign = Span::styled("! ", theme.warning());
            let line = table::row(self.width, [sign], Span::styled(text, theme.warning()), []);
            self.about = anomaly.key();
            self.push(line, place.map(Link::Square), layer);
            if let Some(entry) = self.entries.last_mut() {
                entry.row.now = true;
            }
        }
    }

    fn way(&mut self, metrics: &Metrics) {
        let path = match (metrics.path(), metrics.detour()) {
            (None, _) => "no path".to_owned(),
            (Some(path), None) => counted(path, "step"),
            (Some(path), Some(detour)) => format!("{}, detour {detour:.2}", counted(path, "step")),
        };
        let middle = metrics.way.get(metrics.way.len() / 2).copied();
        self.plain("path", &path, middle.map(Link::Square), Some(LayerKind::Way));
        let expect = &self.editor.document.design().expect;
        let ends = [
            ("< entrance", metrics.entrance, expect.entrance.is_some()),
            ("> exit", metrics.exit, expect.exit.is_some()),
        ];
        for (name, at, set) in ends {
            let text = match at {
                Some(at) => format!("{at:#}{}", if set { ", set by the design" } else { "" }),
                None if set => "outside the dungeon, set by the design".to_owned(),
                None => "no square is open".to_owned(),
            };
            self.plain(name, &text, at.map(Link::Square), Some(LayerKind::Way));
        }
        let open = metrics.inside.saturating_sub(metrics.filled);
        let share = f64::from(metrics.squares) * 100.0 / f64::from(open.max(1));
        let reached = format!("{} ({share:.0}%)", counted(metrics.squares, "open square"));
        self.plain(
            "reached",
            &reached,
            metrics.entrance.map(Link::Square),
            Some(LayerKind::Reached),
        );
    }

    fn enclosed(&mut self, reply: &MetricsReply) {
        let theme = self.editor.theme;
        let areas = &reply.metrics.enclosed;
        let squares: u32 = areas.iter().map(|area| area.squares).sum();
        let value = match areas.len() {
            0 => "nothing".into(),
            len => format!("{}, {}", counted(len, "area"), counted(squares, "square")),
        };
        if !self.heading(
            MetricSection::Enclosed,
            "enclosed",
            &value,
            Some(LayerKind::Enclosed),
            areas.is_empty(),
        ) {
            return;
        }
        for (i, area) in areas.iter().enumerate() {
            let layer = Some((LayerKind::Enclosed, i + 1));
            let text = format!("{} at {:#}", counted(area.squares, "square"), area.at);
            let style = if area.in_vault { theme.quiet() } else { theme.text() };
            self.item(&text, style, Some(Link::Square(area.at)), layer);
            match reply.causes.as_ref().and_then(|all| all.get(i)) {
                _ if area.in_vault => self.item("  in a vault: as its author made it", theme.quiet(), None, layer),
                None => self.item("  looking up who closed it …", theme.quiet(), None, layer),
                Some(None) => self.item("  closed by the design itself", theme.quiet(), None, layer),
                Some(Some(closing)) => self.closing(closing, layer),
            }
        }
    }

    /// Adds lines about the Builder that closed an area and the other Builders around the area.
    fn closing(&mut self, closing: &EnclosureCause, layer: Option<(LayerKind, usize)>) {
        let theme = self.editor.theme;
        let frame = self.editor.time.frame();
        let builder = frame.and_then(|frame| frame.builder(closing.builder));
        let name = builder.map_or_else(
            || wording::builder_number(closing.builder),
            |builder| {
                let name = wording::builder_name(builder.birth.kind, closing.builder);
                format!("{name} of generation {}", builder.birth.generation)
            },
        );
        let (turn, link) = (thousands(closing.turn), Link::Moment(closing.turn, closing.at));
        self.item(&format!("  closed by {name}"), theme.text(), Some(link), layer);
        let text = format!("  at {:#} in turn {turn}", closing.at);
        self.item(&text, theme.quiet(), Some(link), layer);
        let others = closing.around.iter().filter(|id| **id != closing.builder);
        let others: Vec<String> = others.map(|id| wording::builder_number(*id)).collect();
        if !others.is_empty() {
            let more = if others.len() > NAMED { " …" } else { "" };
            let named = others[..others.len().min(NAMED)].join(" ");
            self.item(&format!("  beside {named}{more}"), theme.quiet(), Some(link), layer);
        }
    }

    fn shapes(&mut self, metrics: &Metrics) {
        let theme = self.editor.theme;
        let ends = &metrics.dead_ends;
        let value = match ends.len() {
            0 => "none".into(),
            len => format!("{}, blind {:.0}%", thousands(len as u64), metrics.blind() * 100.0),
        };
        if self.heading(
            MetricSection::DeadEnds,
            "dead ends",
            &value,
            Some(LayerKind::DeadEnds),
            ends.is_empty(),
        ) {
            // The largest dead ends come first.
            for (i, end) in ends.iter().enumerate().rev() {
                let text = format!("{} beyond {:#}", counted(end.squares, "square"), end.mouth.from);
                let link = Link::Square(end.mouth.from);
                self.item(&text, theme.text(), Some(link), Some((LayerKind::DeadEnds, i + 1)));
            }
        }
        let places = &metrics.junctions;
        let value = match places.len() {
            0 => "none".into(),
            len => {
                let more = places.iter().filter(|place| place.ways > 3).count() as u64;
                format!("{}, {} with 4+ passages", thousands(len as u64), thousands(more))
            }
        };
        if self.heading(
            MetricSection::Junctions,
            "junctions",
            &value,
            Some(LayerKind::Junctions),
            places.is_empty(),
        ) {
            for (i, place) in places.iter().enumerate() {
                let text = format!("{} passages at {:#}, {} wide", place.ways, place.at, place.width);
                let link = Link::Square(place.at);
                self.item(&text, theme.text(), Some(link), Some((LayerKind::Junctions, i + 1)));
            }
        }
        let pillars = metrics.islands.iter().filter(|island| island.is_pillar()).count() as u64;
        let loops = metrics.islands.len() as u64 - pillars;
        let value = format!("{}, {}", thousands(loops), counted(pillars, "pillar"));
        self.plain("loops", &value, None, None);
        let width = metrics
            .width()
            .map_or_else(|| "none".into(), |width| format!("median {width}"));
        if self.heading(
            MetricSection::Widths,
            "widths",
            &width,
            Some(LayerKind::Widths),
            metrics.width().is_none(),
        ) {
            let of = |squares: u32| f64::from(squares) / f64::from(metrics.shape.max(1));
            for (width, squares) in (1_usize..).zip(&metrics.widths).filter(|(_, squares)| **squares > 0) {
                let name = format!("{:>7}", wording::passage_width(width));
                let style = theme.width(width);
                self.bar(&name, of(*squares), *squares, style, Some((LayerKind::Widths, width)));
            }
        }
    }

    fn outer(&mut self, metrics: &Metrics) {
        let theme = self.editor.theme;
        let longest = metrics.outer_corridor();
        let value = match longest {
            None => "no corridor along it".into(),
            Some(line) => format!("{:.0}%, longest {}", metrics.outer_wall() * 100.0, line.length()),
        };
        if self.heading(
            MetricSection::Outer,
            "outer wall",
            &value,
            Some(LayerKind::Outer),
            longest.is_none(),
        ) {
            let mut lines: Vec<_> = metrics.outer.iter().enumerate().collect();
            lines.sort_by_key(|(_, line)| std::cmp::Reverse(line.length()));
            for (i, line) in lines {
                let text = format!("{} from {:#}", counted(line.length(), "square"), line.from);
                let link = Link::Square(line.from);
                self.item(&text, theme.text(), Some(link), Some((LayerKind::Outer, i + 1)));
            }
        }
    }

    /// Adds the metrics of visibility, which are measured only when the user selects one of their lines.
    fn sight(&mut self, metrics: &Metrics) {
        let rows = [
            ("visible", LayerKind::VisibleArea),
            ("seen", LayerKind::Seen),
            ("chokes", LayerKind::ChokePoints),
            ("explorers", LayerKind::Walk),
        ];
        for (name, layer) in rows {
            self.plain(name, &wording::layer_summary(layer, metrics), None, Some(layer));
        }
        let sight = metrics.sight;
        if let Some(integration) = sight.integration {
            let r = sight.intelligibility;
            let r = r.map_or_else(String::new, |r| format!(", intelligibility {r:.2}"));
            self.plain("integration", &format!("{integration:.2}{r}"), None, None);
        }
    }

    fn shares(&mut self, metrics: &Metrics) {
        let theme = self.editor.theme;
        let value = format!(
            "{} laid, {:.0}% filled",
            thousands(metrics.laid().into()),
            metrics.fill() * 100.0
        );
        if !self.heading(MetricSection::Shares, "tiles", &value, None, metrics.laid() == 0) {
            return;
        }
        for (generation, tiles) in (0..).zip(&metrics.tiles).filter(|(_, tiles)| **tiles > 0) {
            let share = metrics.share_of_generation(generation);
            let style = Style::new().fg(theme.generation(generation));
            let later = if generation == u32::from(Mark::LAST) { "+" } else { "" };
            self.bar(&format!("gen. {generation}{later}"), share, *tiles, style, None);
            let dominates = metrics.takes_over().is_some_and(|(over, _)| over == generation);
            if let Some(entry) = self.entries.last_mut().filter(|_| dominates) {
                entry.row.text.spans[1].style = theme.warning();
            }
        }
    }

    fn areas(&mut self, metrics: &Metrics) {
        let indices = |len: usize, area: fn(usize) -> AreaIndex| (0..len).map(area).collect::<Vec<_>>();
        let rooms = indices(metrics.rooms.len(), AreaIndex::Room)
            .into_iter()
            .zip(&metrics.rooms);
        let vaults = indices(metrics.vaults.len(), AreaIndex::Vault)
            .into_iter()
            .zip(&metrics.vaults);
        let all: Vec<(AreaIndex, &AreaMetrics)> = rooms.chain(vaults).collect();
        if all.is_empty() {
            return;
        }
        let many = |which: fn(&AreaMetrics) -> bool| all.iter().filter(|(_, metrics)| which(metrics)).count();
        let what = if metrics.vaults.is_empty() { "rooms" } else { "areas" };
        let value = format!(
            "{} of {} reached, {} on path",
            many(|metrics| metrics.reached),
            all.len(),
            many(|metrics| metrics.crossed)
        );
        if !self.heading(MetricSection::Grounds, what, &value, None, false) {
            return;
        }
        for (area, metrics) in all {
            let mut name = area.label();
            if !metrics.name.is_empty() {
                name = format!("{name} {}", metrics.name);
            }
            let (text, style, place) = describe_area(metrics, self.editor);
            let place = place.or_else(|| middle(self.editor, area));
            self.about = area.label();
            self.item(
                &format!("{name}: {text}"),
                style,
                place.map(Link::Square),
                Some((LayerKind::Way, 0)),
            );
        }
    }
}

/// Describes a room or vault: the text, its style, and the square to link to, if any.
fn describe_area(metrics: &AreaMetrics, editor: &Editor) -> (String, Style, Option<Point>) {
    let theme = editor.theme;
    if !metrics.is_placed {
        return ("not placed".into(), theme.warning(), None);
    }
    if !metrics.reached {
        return ("cannot be reached".into(), theme.warning(), None);
    }
    let on_way = match (metrics.needed, metrics.crossed) {
        (true, _) => "on every path",
        (_, true) => "on a shortest path",
        (false, false) => "off the path",
    };
    match metrics.severed_by {
        Some(line) => {
            let long = counted(line.length(), "square");
            (
                format!("{on_way}; blocking {long} at {:#} cuts it off", line.from),
                theme.text(),
                Some(line.from),
            )
        }
        None => (on_way.into(), theme.text(), None),
    }
}

/// Returns the centre of a room or vault.
fn middle(editor: &Editor, area: AreaIndex) -> Option<Point> {
    let design = editor.document.valid()?;
    match area {
        AreaIndex::Room(index) => Some(design.layout.rooms.get(index)?.center_and_reach(design.layout.size)?.0),
        AreaIndex::Vault(index) => {
            let piece = design.pieces().iter().find(|piece| piece.vault == index)?;
            Some(Point::new(piece.at.x + piece.size.x / 2, piece.at.y + piece.size.y / 2))
        }
    }
}
