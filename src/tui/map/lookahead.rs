//! The look-ahead of awake Builders, drawn on the map on request. For each Builder, it shows the free rows ahead, the
//! first row that is not free, the squares on which the Builder may build next, and the Builder's Direction. Here, a
//! row is a line of squares across the path of the Builder, not a row of the map.
//!
//! The engine predicts these squares ([`TurnPrediction`]) with the parameters of the run shown, for the dungeon at the
//! moment shown; Builders that act before the predicted turn may change its outcome. The look-ahead is drawn only at
//! zoom levels where a square occupies at least half a character.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier, Style};

use super::changes;
use super::marked::half;
use crate::engine::{BuilderId, LookAhead, LookFrom, Tile, TurnPrediction};
use crate::geometry::{Direction, Point, Size};
use crate::recording::{BuilderState, Frame, FrameBuilder};
use crate::tui::commands::{Action, ColourMode, TimeCommand, TimeUnit};
use crate::tui::editor::{Editor, NoticeLevel};
use crate::tui::theme::Depth;
use crate::tui::viewport::{Lookahead, MapWindow, Zoom};
use crate::tui::widget::text::put_glyph;

/// Maximum number of Builders whose look-aheads can be distinguished on one map.
const FEW: usize = 8;

/// An awake Builder's position and Direction, and the prediction of its next turn.
#[derive(Debug, Clone, PartialEq)]
struct BuilderLook {
    at: Point,
    direction: Option<Direction>,
    ahead: TurnPrediction,
}

/// The look-ahead to draw.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LookaheadOverlay {
    builders: Vec<BuilderLook>,
    /// Number of awake Builders in the viewport.
    awake: usize,
}

/// Returns whether the map shows Builders. It does not in the colour mode for wall frequency, which combines many
/// dungeons, or during a walk, when the map shows only what the walker has seen.
pub(super) fn shows_builders(editor: &Editor) -> bool {
    changes::shown(editor) != ColourMode::WallFrequency && editor.walk.is_none()
}

fn is_drawn(editor: &Editor) -> bool {
    editor.map.lookahead == Lookahead::Shown && shows_builders(editor)
}

/// Shows or hides the Builders' look-ahead.
pub(super) fn toggle(editor: &mut Editor) {
    editor.map.lookahead = match editor.map.lookahead {
        Lookahead::Hidden => Lookahead::Shown,
        Lookahead::Shown => Lookahead::Hidden,
    };
    let description = match (editor.map.lookahead, editor.time.frame().map(Frame::awake)) {
        (Lookahead::Hidden, _) => (NoticeLevel::Done, "look-ahead hidden".to_owned()),
        (Lookahead::Shown, _) if !shows_builders(editor) => (
            NoticeLevel::Warning,
            "the look-ahead is not drawn over wall frequencies or during a walk".to_owned(),
        ),
        (Lookahead::Shown, Some(0)) => (
            NoticeLevel::Warning,
            format!(
                "no Builder is awake at this moment; press {} to step back in time",
                editor
                    .keymap
                    .key_of(Action::Time(TimeCommand::Back(TimeUnit::Iteration)))
            ),
        ),
        (Lookahead::Shown, _) => (
            NoticeLevel::Done,
            "look-ahead of awake Builders: see the Legend view for the colours".to_owned(),
        ),
    };
    editor.say(description.0, description.1);
}

/// Returns the legend's entries for the look-ahead: symbol, style and meaning. Empty while the look-ahead is not
/// drawn.
pub(super) fn legend(editor: &Editor) -> Vec<(&'static str, Style, &'static str)> {
    if !is_drawn(editor) {
        return Vec::new();
    }
    let theme = editor.theme;
    let [seen, end, next] = theme.lookahead_colors();
    let signs = if by_signs(theme.depth()) {
        [":", "×", "□"]
    } else {
        [" ", " ", "▒"]
    };
    let ground = |color: Color| {
        if by_signs(theme.depth()) {
            theme.text().fg(color)
        } else {
            theme.text().bg(color)
        }
    };
    vec![
        (signs[0], ground(seen), "free ahead"),
        (signs[1], ground(end), "first row not free"),
        (signs[2], ground(seen).fg(next), "may be built next"),
        ("▶", theme.text().fg(next), "may turn this way"),
        ("↗", theme.accent(), "its Direction"),
    ]
}

/// Returns whether symbols replace background colours, because the terminal has no colours or too few.
const fn by_signs(depth: Depth) -> bool {
    matches!(depth, Depth::None | Depth::Sixteen)
}

impl LookaheadOverlay {
    /// Returns the look-ahead of at most [`FEW`] awake Builders in the viewport: the followed one first, then those
    /// nearest to the cursor. `None` while the look-ahead is not drawn.
    pub(super) fn of(editor: &Editor, followed: Option<BuilderId>, frame: &Frame, view: &MapWindow) -> Option<Self> {
        if !is_drawn(editor) {
            return None;
        }
        let cursor = editor.map.cursor();
        let awake = frame
            .living()
            .filter(|(_, builder)| builder.state == BuilderState::Awake);
        let mut seen: Vec<(BuilderId, &FrameBuilder)> = awake
            .filter(|(_, builder)| view.character_of(builder.at).is_some())
            .collect();
        let all = seen.len();
        seen.sort_by_key(|(id, builder)| {
            let away = (builder.at.x - cursor.x).abs().max((builder.at.y - cursor.y).abs());
            (followed != Some(*id), away)
        });
        seen.truncate(FEW);
        let one = |(id, builder): (BuilderId, &FrameBuilder)| {
            Some(BuilderLook {
                at: builder.at,
                direction: builder.birth.direction,
                ahead: editor.time.prediction(id)?,
            })
        };
        Some(Self {
            builders: seen.into_iter().filter_map(one).collect(),
            awake: all,
        })
    }

    /// Returns the text for the map's title.
    pub(super) fn title(&self, zoom: Zoom) -> String {
        match zoom {
            Zoom::Dots(_) => "look-ahead: zoom in to see".into(),
            _ if self.builders.len() < self.awake => {
                format!("look-ahead: {} of {}", self.builders.len(), self.awake)
            }
            _ => "look-ahead".into(),
        }
    }

    pub(super) fn draw_squares(&self, editor: &Editor, view: &MapWindow, buf: &mut Buffer) {
        if matches!(view.zoom, Zoom::Dots(_)) {
            return;
        }
        let Some(frame) = editor.time.frame() else { return };
        let pen = Pen::new(editor, view);
        let grid = frame.grid();
        // Blocked rows are drawn over free rows, and the squares on which Builders may build next over both.
        for LookFrom { from, look } in self.looks() {
            for at in rows(*from, look, 1, look.free, view, grid.size()) {
                pen.free(at, buf);
            }
        }
        for LookFrom { from, look } in self.looks().filter(|sight| sight.look.end.is_some()) {
            let row = look.free.saturating_add(1);
            for at in rows(*from, look, row, row, view, grid.size()) {
                pen.end(at, grid.tile(at) != Tile::Open, buf);
            }
        }
        for at in self.builders.iter().flat_map(|one| &one.ahead.squares) {
            pen.next(*at, buf);
        }
    }

    fn looks(&self) -> impl Iterator<Item = &LookFrom> {
        self.builders.iter().flat_map(|one| &one.ahead.looks)
    }

    /// Draws each Builder's Direction beside its arrow. If a Crawler is about to be forced to turn left or right, also
    /// draws an arrow for each heading that the Crawler may take.
    pub(super) fn draw_ways(&self, editor: &Editor, view: &MapWindow, buf: &mut Buffer) {
        if matches!(view.zoom, Zoom::Dots(_)) {
            return;
        }
        let theme = editor.theme;
        let [.., next] = theme.lookahead_colors();
        let mut sign = |column: i32, row: i32, glyph: char, style: Style| {
            let place = (u16::try_from(column), u16::try_from(row));
            if let (Ok(column), Ok(row)) = place
                && view.area.contains((column, row).into())
            {
                put_glyph(glyph, (column, row), style, buf);
            }
        };
        let width = view.zoom.width();
        for one in &self.builders {
            let Some((column, row)) = view.character_of(one.at) else {
                continue;
            };
            let (column, row) = (i32::from(column), i32::from(row));
            for to in &one.ahead.headings {
                let Point { x, y } = to.offset();
                sign(column + y * width, row + x, to.arrow(), theme.text().fg(next));
            }
            let style = theme.accent().add_modifier(Modifier::BOLD);
            match (view.zoom, one.direction) {
                // The square has two characters: one for the arrow, one for the Direction.
                (Zoom::Double, direction) => {
                    let glyph = direction.map_or('·', Direction::arrow);
                    sign(column + 1, row, glyph, theme.builder());
                }
                (_, Some(direction)) => {
                    let (x, y) = step(direction);
                    sign(column + y, row + x, direction.arrow(), style);
                }
                (_, None) => {}
            }
        }
    }
}

/// Returns one step in a Direction, in rows and columns.
const fn step(direction: Direction) -> (i32, i32) {
    const STEPS: [(i32, i32); 8] = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];
    STEPS[direction as usize]
}

/// Returns the squares of a look-ahead's rows `first` to `last` (counted from 1) that lie both in the dungeon and in
/// the viewport.
fn rows(
    from: Point,
    look: &LookAhead,
    first: i32,
    last: i32,
    view: &MapWindow,
    size: Size,
) -> impl Iterator<Item = Point> {
    let half = look.corridor.max(0);
    let corner = |row: i32, aside: i32| from.step(look.forward, row).step(look.forward.right(), aside);
    let (a, b) = (corner(first, -half), corner(last, half));
    let seen = view.squares_in(view.area);
    let range = |a: i32, b: i32, origin: i32, seen: i32, size: i32| {
        let (low, high) = (
            a.min(b).max(origin).max(0),
            a.max(b).min(origin + seen - 1).min(size - 1),
        );
        low..=high
    };
    let empty = last < first;
    let down = range(a.x, b.x, view.origin.x, seen.x, size.x);
    let right = range(a.y, b.y, view.origin.y, seen.y, size.y);
    down.filter(move |_| !empty)
        .flat_map(move |x| right.clone().map(move |y| Point::new(x, y)))
}

/// A pen that draws squares in a viewport.
struct Pen<'a> {
    view: &'a MapWindow,
    depth: Depth,
    /// Colour of free rows.
    seen: Color,
    /// Colour of the first row that is not free.
    end: Color,
    /// Colour of the squares on which the Builders may build next.
    next: Color,
    /// Colour of the walls and columns in the first row that is not free.
    hit: Color,
}

impl<'a> Pen<'a> {
    fn new(editor: &Editor, view: &'a MapWindow) -> Self {
        let [seen, end, next] = editor.theme.lookahead_colors();
        Self {
            view,
            depth: editor.theme.depth(),
            seen,
            end,
            next,
            hit: editor.theme.error().fg.unwrap_or(Color::Reset),
        }
    }

    /// Calls `change` for each character of a square. The flag is true for the first character.
    fn cells(&self, at: Point, buf: &mut Buffer, change: impl Fn(&mut Cell, bool)) {
        let Some((column, row)) = self.view.character_of(at) else {
            return;
        };
        for i in 0..self.view.zoom.width() as u16 {
            if let Some(cell) = buf.cell_mut((column + i, row)) {
                change(cell, i == 0);
            }
        }
    }

    /// Colours the half of a character that shows a square. Returns false, without drawing, if a square does not
    /// occupy half a character or the terminal has too few colours.
    fn half(&self, at: Point, wall: Color, open: Color, buf: &mut Buffer) -> bool {
        if self.view.zoom != Zoom::Half || by_signs(self.depth) {
            return false;
        }
        self.cells(at, buf, |cell, _| {
            let upper = (at.x - self.view.origin.x).rem_euclid(2) == 0;
            half(cell, upper, wall, open);
        });
        true
    }

    fn free(&self, at: Point, buf: &mut Buffer) {
        if self.half(at, self.seen, self.seen, buf) {
            return;
        }
        self.cells(at, buf, |cell, first| match (by_signs(self.depth), cell.symbol()) {
            (false, _) => drop(cell.set_bg(self.seen)),
            (true, " ") if first => drop(cell.set_char(':').set_fg(self.seen)),
            _ => {}
        });
    }

    fn end(&self, at: Point, is_wall: bool, buf: &mut Buffer) {
        if self.half(at, self.hit, self.end, buf) {
            return;
        }
        self.cells(at, buf, |cell, first| {
            let filled = cell.symbol() == "█";
            match (by_signs(self.depth), is_wall) {
                (false, true) if filled => drop(cell.set_char('▒').set_bg(self.end)),
                (false, _) => drop(cell.set_bg(self.end)),
                // The character keeps the wall's colour.
                (true, true) if filled && self.depth != Depth::None => drop(cell.set_char('▒')),
                (true, true) if self.view.zoom != Zoom::Half => {
                    cell.set_style(Style::new().add_modifier(Modifier::REVERSED));
                }
                (true, false) if first && matches!(cell.symbol(), " " | ":") => {
                    cell.set_char('×').set_fg(self.end);
                }
                _ => {}
            }
        });
    }

    fn next(&self, at: Point, buf: &mut Buffer) {
        if self.half(at, self.next, self.next, buf) {
            return;
        }
        let glyph = if by_signs(self.depth) { '□' } else { '▒' };
        self.cells(at, buf, |cell, _| {
            if matches!(cell.symbol(), " " | ":" | "×" | "·" | "." | "░") {
                cell.set_char(glyph).set_fg(self.next);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::engine::{Death, Event, PredictedOutcome};
    use crate::geometry::Forward;
    use crate::presets::Preset;
    use crate::tui::editor::Focus;
    use crate::tui::fixture::{TestApp, drawn_at_any_size};
    use crate::tui::theme::Theme;
    use crate::tui::viewport::window;

    fn grown(preset: &str, width: u16, height: u16) -> TestApp {
        let design = Preset::find(preset).unwrap().design();
        let mut designer = TestApp::with(Document::new(design, None), width, height);
        designer.grow();
        designer.keys("g");
        designer
    }

    #[test]
    fn predictions_match_the_turns_that_follow() {
        for preset in ["weave", "catacombs", "ammonite"] {
            let mut designer = grown(preset, 80, 24);
            let turns = designer.app.editor.time.turns();
            let (mut laid_in_all, mut aged) = (0, 0);
            for turn in (1..=turns).step_by((turns as usize / 400).max(1)) {
                designer.app.editor.time.seek(turn - 1);
                let events = designer.app.editor.time.recording().unwrap().events_of(turn);
                let acts = |event: &&Event| !matches!(event, Event::Born { .. } | Event::Woke { .. });
                let actor = events.iter().find(acts).unwrap().builder();
                let Some(ahead) = designer.app.editor.time.prediction(actor) else {
                    assert!(events.contains(&Event::Woke { builder: actor }), "{preset} {turn}");
                    continue;
                };
                let laid = events.iter().filter_map(|event| match event {
                    Event::Laid { at, .. } => Some(*at),
                    _ => None,
                });
                let laid: Vec<Point> = laid.collect();
                if ahead.outcome == PredictedOutcome::Joins {
                    assert!(laid.iter().all(|at| ahead.squares.contains(at)), "{preset} {turn}");
                } else {
                    assert_eq!(laid, ahead.squares, "{preset} {turn}");
                }
                let dies = events.iter().find_map(|event| match event {
                    Event::Died { cause, .. } => Some(*cause),
                    _ => None,
                });
                assert_eq!(
                    dies == Some(Death::Aged),
                    ahead.outcome == PredictedOutcome::Ages,
                    "{preset} {turn}"
                );
                assert_eq!(dies == Some(Death::Blocked), ahead.outcome == PredictedOutcome::Blocked);
                aged += usize::from(dies == Some(Death::Aged));
                laid_in_all += laid.len();
            }
            assert!(laid_in_all > 50, "{preset}: {aged}");
        }
    }

    #[test]
    fn predictions_use_the_parameters_of_the_run_shown() {
        let mut designer = grown("weave", 120, 40);
        designer.keys(">>");
        let before = designer.app.editor.time.describe_next_turn(BuilderId(0)).unwrap();
        designer.app.editor.edit("wider corridors", |design| {
            for generation in &mut design.character.generations {
                generation.corridor_width += 2;
            }
        });
        assert!(designer.app.editor.regrows());
        assert_eq!(
            designer.app.editor.time.describe_next_turn(BuilderId(0)).unwrap(),
            before
        );
    }

    #[test]
    fn look_aheads_are_drawn_at_every_near_zoom() {
        let mut designer = grown("weave", 120, 40);
        designer.app.editor.time.seek(196);
        designer.keys("a-");
        assert!(
            designer.text().contains("look-ahead: zoom in to see"),
            "{}",
            designer.text()
        );
        let [seen, end, next] = designer.app.editor.theme.lookahead_colors();
        for _ in 0..3 {
            designer.keys("+");
            assert!(designer.text().contains("look-ahead: 8 of"), "{}", designer.text());
            let screen = designer.screen();
            let map = designer.app.editor.areas.map;
            let cells: Vec<_> = map.positions().map(|at| &screen[at]).collect();
            let has = |color: Color| cells.iter().any(|cell| cell.bg == color || cell.fg == color);
            assert!(has(seen) && has(end) && has(next));
        }
        // The border has room for some of the legend, the panes for all of it.
        assert!(designer.text().contains("free ahead"), "{}", designer.text());
        designer.app.editor.focus = Focus::Panel;
        for legend in ["free ahead", "first row not free", "may be built next", "its Direction"] {
            assert!(designer.text().contains(legend), "{legend}");
        }
        designer.app.editor.focus = Focus::Map;
        designer.app.editor.theme = Theme::new(Depth::None);
        insta::assert_snapshot!("looks_ahead_by_signs", designer.text());
        designer.keys("-");
        insta::assert_snapshot!("looks_ahead_by_signs_100", designer.text());
        designer.keys("-");
        insta::assert_snapshot!("looks_ahead_by_signs_50", designer.text());
        designer.keys("a");
        assert!(!designer.text().contains("look-ahead:") && !designer.text().contains('□'));
        drawn_at_any_size(
            |area, buf| crate::tui::screen::draw_map(&designer.app, area, true, buf),
            (30, 12),
        );
    }

    #[test]
    fn look_aheads_are_drawn_only_where_builders_are() {
        let mut designer = grown("first-steps", 120, 40);
        designer.keys("a");
        assert!(!legend(&designer.app.editor).is_empty());
        designer.keys("M");
        designer.run_jobs();
        assert_eq!(changes::shown(&designer.app.editor), ColourMode::WallFrequency);
        let editor = &designer.app.editor;
        let view = editor.map.view(window(editor.areas.map));
        let overlay = LookaheadOverlay::of(editor, None, editor.time.frame().unwrap(), &view);
        assert_eq!(overlay, None);
        assert!(legend(editor).is_empty());
        designer.keys("aa");
        assert!(
            designer
                .text()
                .contains("the look-ahead is not drawn over wall frequencies"),
            "{}",
            designer.text()
        );
        designer.keys("M");
        assert!(!legend(&designer.app.editor).is_empty());
    }

    #[test]
    fn of_many_builders_the_followed_one_and_the_nearest_are_shown() {
        let mut designer = grown("weave", 120, 40);
        designer.app.editor.time.seek(196);
        designer.keys("a+++");
        let looking = |designer: &TestApp| {
            let window = window(designer.app.editor.areas.map);
            let view = designer.app.editor.map.view(window);
            LookaheadOverlay::of(
                &designer.app.editor,
                None,
                designer.app.editor.time.frame().unwrap(),
                &view,
            )
            .unwrap()
        };
        let away = |one: &BuilderLook, from: Point| (one.at.x - from.x).abs().max((one.at.y - from.y).abs());
        let cursor = designer.app.editor.map.cursor();
        let shown = looking(&designer);
        assert_eq!(shown.builders.len(), FEW);
        assert!(shown.awake > FEW);
        let farthest = shown.builders.iter().map(|one| away(one, cursor)).max().unwrap();
        assert!(farthest < 25, "{farthest}");
        // A Builder under the cursor comes first, and the line below the map describes its next turn.
        let at = shown.builders[3].at;
        designer.app.editor.map.move_cursor(at);
        assert_eq!(looking(&designer).builders[0].at, at);
        designer.keys("m");
        assert!(designer.text().contains(" next"), "{}", designer.text());
        // A sleeping Builder's description says what it waits for.
        let sleeper = designer.app.editor.time.frame().unwrap().living();
        let sleeper = sleeper.filter(|(_, builder)| builder.state == BuilderState::Asleep);
        let (id, builder) = sleeper.last().unwrap();
        let expected = format!("waits for iteration {}", builder.birth.wakes);
        assert_eq!(designer.app.editor.time.describe_next_turn(id), Some(expected));
    }

    #[test]
    fn a_direction_points_where_its_headings_do() {
        for direction in Direction::ALL {
            let (x, y) = step(direction);
            let along = |forward: Forward| {
                let offset = forward.offset();
                offset.x * x + offset.y * y
            };
            let diagonal = direction.straight().is_none();
            for forward in Forward::ALL {
                assert_eq!(
                    along(forward) > 0,
                    direction.allows(forward) && (diagonal || along(forward) != 0)
                );
            }
        }
    }
}
