//! The Plan view: facts about a design that are known before anything grows. A lane for each first Crawler shows when
//! the Crawler and its descendants act, relative to the starts of the generations. Lines below the lanes list the
//! babies of each generation.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::page::{Link, ListPage, ListRow};
use crate::design::{Entry, Place};
use crate::engine::schedule::{self, LifeSpan, OffspringShare};
use crate::engine::stage_one;
use crate::engine::{BuilderKind, ITERATIONS_PER_GENERATION};
use crate::text::thousands;
use crate::tui::commands::{Action, DrawCommand, Tool};
use crate::tui::editor::Editor;
use crate::tui::widget::list::ListState;

/// Width in columns of the names at the left.
const NAME: u16 = 14;

/// Minimum width of a lane in columns.
const LEAST: usize = 10;

/// The state of the view.
#[derive(Debug, Default)]
pub(super) struct PlanState {
    pub(super) list: ListState,
    /// The revision of the document for which the plan was computed, and the plan.
    plan: Option<(u64, Plan)>,
}

/// The plan of a design: when its first Crawlers act, and which Builders they spawn.
#[derive(Debug, Default)]
struct Plan {
    lanes: Vec<Lane>,
    /// The generations, each with the shares of its kinds of babies.
    offspring: Vec<(u32, Vec<OffspringShare>)>,
}

/// A first Crawler with its descendants.
#[derive(Debug)]
struct Lane {
    origin: Place,
    /// Number of iterations for which the first Crawler sleeps.
    delay: u32,
    spans: Vec<LifeSpan>,
}

impl PlanState {
    /// Computes the plan again after an edit.
    pub(super) fn update(&mut self, editor: &Editor) {
        let revision = editor.document.revision();
        if self.plan.as_ref().is_some_and(|(of, _)| *of == revision) {
            return;
        }
        let Some(design) = editor.document.valid() else { return };
        let starts = stage_one::build(design).starts;
        let crawlers = starts.iter().filter(|start| start.kind == BuilderKind::Crawler);
        let lane = |start: &stage_one::Start| Lane {
            origin: start.origin,
            delay: start.delay,
            spans: schedule::lifespans(design, editor.options, start.delay),
        };
        let generations = schedule::descendants(design, editor.options);
        let babies = |generation: u32| (generation, schedule::offspring(design, editor.options, generation));
        let plan = Plan {
            lanes: crawlers.map(lane).collect(),
            offspring: generations.into_iter().map(babies).collect(),
        };
        self.plan = Some((revision, plan));
    }
}

impl Lane {
    /// Returns the label of the lane: the label of the Crawler's entry in the design or, for a Crawler of a room, a
    /// label such as `from room 2`.
    fn name(&self) -> String {
        match self.origin.entry {
            entry @ Entry::Crawler(_) => entry.label(),
            entry => format!("from {}", entry.label()),
        }
    }

    /// Returns the generation that acts in a range of iterations; if there are several, the latest.
    fn generation(&self, from: u32, until: u32) -> Option<u32> {
        let acts = |span: &&LifeSpan| span.from < until && span.until > from;
        self.spans.iter().rev().find(acts).map(|span| span.generation)
    }

    /// Describes when a delayed first Crawler wakes: during the generation in which it has its last turn, or earlier.
    /// If the Crawler wakes earlier, also states the first iteration of that generation. Returns `None` if the Crawler
    /// has no delay, or if its last turn is during generation 0.
    fn meets(&self) -> Option<String> {
        let own = self.spans.first()?;
        let (from, until) = (own.from, own.until);
        let met = until.saturating_sub(1) / ITERATIONS_PER_GENERATION;
        let begins = met * ITERATIONS_PER_GENERATION;
        (self.delay > 0 && met > 0).then(|| {
            if from >= begins {
                format!("it wakes in iteration {from}, during generation {met}")
            } else {
                format!("it wakes in iteration {from} and overlaps generation {met} from iteration {begins}")
            }
        })
    }
}

/// Returns the lines of the view.
pub(super) fn page(state: &PlanState, editor: &Editor, inside: Rect) -> ListPage {
    let theme = editor.theme;
    let note = |text: &str| ListRow::wrapped(&Span::raw(""), text, theme.quiet(), inside.width, None);
    let width = usize::from(inside.width.saturating_sub(NAME));
    let Some((_, plan)) = &state.plan else {
        return ListPage::new(
            Vec::new(),
            note("the design has errors: see Problems"),
            0,
            state.list,
            inside,
        );
    };
    if plan.lanes.is_empty() {
        let [draw, crawler] = [DrawCommand::Begin, DrawCommand::Choose(Tool::Crawler)]
            .map(|command| editor.keymap.key_of(Action::Tools(command)));
        let text =
            format!("no first Crawler, so no wall grows: press {draw} on the map and then {crawler} to place one");
        return ListPage::new(Vec::new(), note(&text), 0, state.list, inside);
    }
    if width < LEAST {
        return ListPage::new(
            Vec::new(),
            note("this pane is too narrow for the lanes: widen it"),
            0,
            state.list,
            inside,
        );
    }
    let ends = plan.lanes.iter().flat_map(|lane| &lane.spans).map(|span| span.until);
    let last = ends.max().unwrap_or(0).max(ITERATIONS_PER_GENERATION);
    let each = last.div_ceil(width as u32).max(1);
    let head = vec![axis(editor, each, width)];
    let mut rows = Vec::new();
    for lane in &plan.lanes {
        rows.push(lane_row(editor, lane, each, width));
        if let Some(text) = lane.meets() {
            let indent = Span::raw(" ".repeat(usize::from(NAME)));
            rows.extend(ListRow::wrapped(&indent, &text, theme.quiet(), inside.width, None));
        }
    }
    rows.push(ListRow {
        text: Line::styled("babies of each generation", theme.heading()),
        link: None,
        now: false,
    });
    for (generation, babies) in &plan.offspring {
        let name = format!("{:<w$}", format!("generation {generation}"), w = usize::from(NAME));
        let style = Style::new().fg(theme.generation_text(*generation));
        let link = Some(Link::Entry(Place::entry(Entry::Generation(*generation as usize))));
        rows.extend(ListRow::wrapped(
            &Span::styled(name, style),
            &babies_text(*generation, babies),
            theme.text(),
            inside.width,
            link,
        ));
    }
    ListPage::new(head, rows, 0, state.list, inside)
}

/// Returns the axis, labelled with the iterations in which generations begin.
fn axis(editor: &Editor, each: u32, width: usize) -> Line<'static> {
    let mut line: Vec<char> = " ".repeat(width).chars().collect();
    let mut free = 0;
    for begins in (0..).map(|generation| generation * ITERATIONS_PER_GENERATION) {
        let column = (begins / each) as usize;
        let text = thousands(begins.into());
        if column + text.len() > width {
            break;
        }
        if column >= free {
            for (place, c) in line[column..].iter_mut().zip(text.chars()) {
                *place = c;
            }
            free = column + text.len() + 1;
        }
    }
    let theme = editor.theme;
    Line::from(vec![
        Span::styled(format!("{:<w$}", "iteration", w = usize::from(NAME)), theme.quiet()),
        Span::styled(line.into_iter().collect::<String>(), theme.quiet()),
    ])
}

fn lane_row(editor: &Editor, lane: &Lane, each: u32, width: usize) -> ListRow {
    let theme = editor.theme;
    let name = format!("{:<w$}", lane.name(), w = usize::from(NAME));
    let mut spans = vec![Span::styled(name, theme.text())];
    for column in 0..width as u32 {
        let (from, until) = (column * each, (column + 1) * each);
        let begins = from.div_ceil(ITERATIONS_PER_GENERATION) * ITERATIONS_PER_GENERATION < until;
        spans.push(match lane.generation(from, until) {
            Some(generation) => {
                let digit = char::from_digit(generation.min(9), 10).unwrap_or('9');
                Span::styled(digit.to_string(), Style::new().fg(theme.generation_text(generation)))
            }
            None if begins => Span::styled("│", theme.border(false)),
            None if lane.spans.first().is_some_and(|first| until <= first.from) => Span::styled("z", theme.quiet()),
            None => Span::raw(" "),
        });
    }
    ListRow {
        text: Line::from(spans),
        link: Some(Link::Entry(lane.origin)),
        now: false,
    }
}

/// Describes the babies of a generation: `→ 75% generation 1 · 25% late, generation 3`.
fn babies_text(generation: u32, babies: &[OffspringShare]) -> String {
    if babies.is_empty() {
        return "no babies".into();
    }
    let percent = |share: f64| match (share * 100.0).round() {
        0.0 => "under 1% ".to_owned(),
        100.0 => String::new(),
        percent => format!("{percent}% "),
    };
    let text = |one: &OffspringShare| {
        let (share, to) = (percent(one.share), one.generation);
        match one.kind {
            BuilderKind::Crawler if to == generation + 1 => format!("{share}generation {to}"),
            BuilderKind::Crawler => format!("{share}late, generation {to}"),
            _ => format!("{share}Jumpers, generation {to}"),
        }
    };
    let all: Vec<String> = babies.iter().map(text).collect();
    format!("→ {}", all.join(" · "))
}

#[cfg(test)]
mod tests {
    use crate::document::Document;
    use crate::presets::Preset;
    use crate::tui::fixture::TestApp;
    use crate::tui::tabs::View;

    fn planned() -> TestApp {
        let mut designer = TestApp::with(Document::new(Preset::all()[1].design(), None), 120, 40);
        designer.app.editor.view = View::Plan;
        designer
    }

    #[test]
    fn lanes_show_generations_and_follow_edits() {
        let mut designer = planned();
        designer.keys(" ");
        insta::assert_snapshot!("plan", designer.text());
        designer.app.editor.edit("later", |design| {
            design.layout.crawlers[0].delay = 9;
            design.character.generations[0].max_age = 30;
            design.character.generations[0].late_spawn = 2;
            design.character.generations[0].late_spawn_prob = 25;
        });
        designer.perform(Vec::new());
        designer.want();
        let text = designer.text();
        assert!(
            text.contains("it wakes in iteration 89 and") && text.contains("overlaps generation 1 from"),
            "{text}"
        );
        assert!(text.contains("→ 75% generation 1 · 25% late"), "{text}");
        designer
            .app
            .editor
            .edit("none", |design| design.layout.crawlers.clear());
        designer.perform(Vec::new());
        designer.want();
        assert!(designer.text().contains("no first Crawler"), "{}", designer.text());
    }
}
