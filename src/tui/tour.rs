//! The tour: five steps on the real screen, for first-time users.
//!
//! A card describes a task, a frame marks the part of the screen that the task concerns, and the step ends once the
//! user has done the task. Everything else keeps working as usual, and the user can end the tour at any time.

use crossterm::event::MouseEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::widgets::{Clear, Widget};

use super::editor::Editor;
use super::tabs::Panel;
use super::tabs::View;
use crate::tui::areas::Areas;
use crate::tui::commands::{Action, DrawCommand, Effect, FileCommand, PanelCommand, TimeCommand, TimeUnit};
use crate::tui::keymap;
use crate::tui::widget::mouse::{click, position};
use crate::tui::widget::popup::block;
use crate::tui::widget::text::wrap;

/// Maximum width of the card.
const WIDTH: u16 = 46;

/// The current step, and the design's revision when the step began.
#[derive(Debug)]
pub(super) struct TourState {
    step: usize,
    revision: u64,
}

/// The part of the screen that a step is about.
#[derive(Debug, Clone, Copy)]
enum TourTopic {
    Map,
    Time,
    Panel,
    View,
}

/// A step: its title, topic, text, and the actions whose keys the text names.
struct TourStep {
    title: &'static str,
    part: TourTopic,
    /// The text; each `{}` is replaced by the keys of the next action in `actions`.
    text: &'static str,
    actions: &'static [Action],
}

const STEPS: [TourStep; 5] = [
    TourStep {
        title: "Watch",
        part: TourTopic::Map,
        text: "The map shows how a dungeon grows: Crawlers leave walls behind them and have babies. Babies sleep until their generation wakes; each generation has its own colour. {} pauses and plays. Press it now.",
        actions: &[Action::Time(TimeCommand::Play)],
    },
    TourStep {
        title: "Go back in time",
        part: TourTopic::Time,
        text: "In each turn, one Crawler acts, and all turns are recorded. Press {} to go back one turn and {} to go forward; {} and {} move by generation. You can also click the timeline. Now go back one turn.",
        actions: &[
            Action::Time(TimeCommand::Back(TimeUnit::Turn)),
            Action::Time(TimeCommand::Forward(TimeUnit::Turn)),
            Action::Time(TimeCommand::Back(TimeUnit::Generation)),
            Action::Time(TimeCommand::Forward(TimeUnit::Generation)),
        ],
    },
    TourStep {
        title: "Change a number",
        part: TourTopic::Panel,
        text: "The Stats panel has a column for each generation and a row for each parameter. {} goes there. Select a number with the arrow keys, type another one and press {}: the dungeon grows again.",
        actions: &[Action::FocusPanel(Panel::Stats), Action::Panel(PanelCommand::Take)],
    },
    TourStep {
        title: "Why is this wall here?",
        part: TourTopic::View,
        text: "Click a wall on the map, or go to the map with {} and move the cursor with the arrow keys; then press {} to see which Crawler built it, when, and why.",
        actions: &[Action::PreviousPane, Action::FocusView(View::Inspect)],
    },
    TourStep {
        title: "Undo, draw, save",
        // The previous step asked the user to open Inspect. The user reads the answer during this step, so this step
        // frames the view.
        part: TourTopic::View,
        text: "The Inspect view explains the wall. {} undoes the last edit, {} redoes it. On the map, {} opens the tools that draw walls and rooms and place Crawlers. {} saves to a file. Undo your edit now.",
        actions: &[
            Action::Undo,
            Action::Redo,
            Action::Tools(DrawCommand::Begin),
            Action::File(FileCommand::Save),
        ],
    },
];

/// Starts the tour, or goes to its next step.
pub(super) fn next(tour: &mut Option<TourState>, editor: &mut Editor) {
    let step = tour.as_ref().map_or(0, |tour| tour.step + 1);
    if step >= STEPS.len() {
        let key = |action| editor.keymap.key_of(action);
        let text = format!(
            "end of the tour: press {} to find any action, {} for a list of all keys",
            key(Action::Palette),
            key(Action::Help)
        );
        editor.done(text);
        return end(tour, editor);
    }
    *tour = Some(TourState {
        step,
        revision: editor.document.revision(),
    });
}

/// Ends the tour, and records that it was taken so that it does not start by itself again.
pub(super) fn end(tour: &mut Option<TourState>, editor: &mut Editor) {
    if tour.take().is_some() {
        editor.emit(Effect::RememberTour);
    }
}

/// Handles a user action: advances if `action` completes the current step.
pub(super) fn observe(tour: &mut Option<TourState>, editor: &mut Editor, action: Action) {
    let Some(now) = tour else { return };
    let done = match now.step {
        0 => action == Action::Time(TimeCommand::Play),
        1 => matches!(action, Action::Time(TimeCommand::Back(_))),
        2 => now.revision != editor.document.revision() && !matches!(action, Action::Undo | Action::Redo),
        3 => action == Action::FocusView(View::Inspect) && cursor_is_on_wall(editor),
        _ => action == Action::Undo,
    };
    if done {
        next(tour, editor);
    }
}

/// Returns whether the map's cursor is on a tile that is not open.
fn cursor_is_on_wall(editor: &Editor) -> bool {
    let cursor = editor.map.cursor();
    let grid = editor.time.frame().map(crate::recording::Frame::grid);
    grid.is_some_and(|grid| grid.size().contains(cursor) && !grid.tile(cursor).is_open())
}

/// Returns the step's text with the keys that are currently bound to its actions.
fn text(editor: &Editor, step: &TourStep) -> String {
    let mut parts = step.text.split("{}");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (action, part) in step.actions.iter().zip(parts) {
        text.push_str(&editor.keymap.key_of(*action));
        text.push_str(part);
    }
    text
}

/// Returns the area of a step's topic; empty if it is not on the screen.
const fn place(areas: &Areas, part: TourTopic) -> Rect {
    match part {
        TourTopic::Map => areas.map,
        TourTopic::Time => areas.time,
        TourTopic::Panel => areas.panel,
        TourTopic::View => areas.view,
    }
}

/// Returns the card's area on the screen, and its lines of text. The card lies above the timeline, in the corner where
/// it hides the least of the step's topic. If the screen is too small for a timeline, the area is empty.
fn card(editor: &Editor, step: &TourStep, areas: &Areas, screen: Rect) -> (Rect, Vec<String>) {
    let body = Rect {
        height: areas.time.y.saturating_sub(screen.y),
        ..screen
    };
    let width = WIDTH.min(body.width);
    let lines = wrap(&text(editor, step), usize::from(width.saturating_sub(4)));
    let height = (lines.len() as u16 + 3).min(body.height);
    let (right, low) = (body.right() - width, body.bottom() - height);
    let corners = [(right, body.y), (right, low), (body.x, low), (body.x, body.y)];
    let about = place(areas, step.part);
    let cards = corners.map(|(x, y)| Rect::new(x, y, width, height));
    let best = cards.into_iter().min_by_key(|card| card.intersection(about).area());
    (best.unwrap_or_default(), lines)
}

/// Returns the current step and its index.
fn shown(tour: Option<&TourState>) -> Option<(usize, &'static TourStep)> {
    let step = tour?.step;
    Some((step, STEPS.get(step)?))
}

/// Handles the mouse on the card: a click on the right half of the last line ends the tour, any other click goes to the
/// next step. Returns whether the event was on the card.
pub(super) fn mouse(tour: &mut Option<TourState>, editor: &mut Editor, mouse: MouseEvent) -> bool {
    let Some((_, step)) = shown(tour.as_ref()) else {
        return false;
    };
    let (card, _) = card(editor, step, &editor.areas, editor.screen);
    if !card.contains(position(mouse)) {
        return false;
    }
    match click(mouse) {
        Some(at) if at.y + 2 >= card.bottom() && at.x >= card.x + card.width / 2 => end(tour, editor),
        Some(_) => next(tour, editor),
        None => {}
    }
    true
}

/// Draws the card, and highlights the borders around the step's topic.
pub(super) fn draw(tour: Option<&TourState>, editor: &Editor, areas: &Areas, screen: Rect, buf: &mut Buffer) {
    let Some((number, step)) = shown(tour) else { return };
    let theme = editor.theme;
    let about = place(areas, step.part);
    for position in about.positions() {
        let inner = about.inner(Margin::new(1, 1));
        if !inner.contains(position)
            && let Some(cell) = buf.cell_mut(position)
            && matches!(cell.symbol(), "─" | "│" | "╭" | "╮" | "╰" | "╯")
        {
            cell.set_style(theme.warning());
        }
    }
    let (card, lines) = card(editor, step, areas, screen);
    if card.is_empty() {
        return;
    }
    Clear.render(card, buf);
    let title = format!(" {} of {}: {} ", number + 1, STEPS.len(), step.title);
    let block = block(theme, true).border_style(theme.warning()).title(title);
    let inside = block.inner(card).inner(Margin::new(1, 0));
    block.render(card, buf);
    let width = usize::from(inside.width);
    for (y, line) in (inside.top()..inside.bottom().saturating_sub(1)).zip(lines) {
        buf.set_stringn(inside.x, y, line, width, theme.text());
    }
    if inside.height > 0 {
        let y = inside.bottom() - 1;
        let leave = keymap::table().find(|row| row.action == Action::LeaveTour);
        let leave = leave.map_or_else(String::new, |row| editor.keymap.text(row));
        let hint = format!("{} next step", editor.keymap.key_of(Action::Tour));
        buf.set_stringn(inside.x, y, hint, width, theme.accent());
        let hint = format!("{leave} end the tour");
        let x = inside.right().saturating_sub(hint.chars().count() as u16);
        buf.set_stringn(x.max(inside.x), y, hint, width, theme.accent());
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use super::*;
    use crate::tui::fixture::TestApp;

    fn step(designer: &TestApp) -> Option<usize> {
        designer.app.tour.as_ref().map(|tour| tour.step)
    }

    /// Performs the tasks of the tour in order, and calls `look` with the index of each step once the step is shown.
    fn walk(designer: &mut TestApp, mut look: impl FnMut(&TestApp, usize)) {
        designer.press(KeyCode::F(2));
        look(designer, 0);
        designer.keys(" ");
        look(designer, 1);
        designer.keys(",");
        look(designer, 2);
        designer.chord(crossterm::event::KeyModifiers::ALT, '1');
        designer.keys("7");
        designer.press(KeyCode::Enter);
        look(designer, 3);
        designer.press(KeyCode::Esc);
    }

    #[test]
    fn the_tour_advances_when_each_task_is_done() {
        for (width, height) in [(80, 24), (120, 40), (40, 12)] {
            let mut designer = TestApp::grown(width, height);
            walk(&mut designer, |designer, at| {
                assert_eq!(step(designer), Some(at));
                insta::assert_snapshot!(format!("step_{at}_{width}x{height}"), designer.text());
            });
            // The Esc at the end of `walk` ended the tour.
            assert_eq!(step(&designer), None);
            assert!(designer.toured);
        }
    }

    #[test]
    fn the_last_steps_end_the_tour() {
        let mut designer = TestApp::grown(120, 40);
        designer.app.update(Action::Tour);
        for _ in 0..3 {
            designer.press(KeyCode::F(2));
        }
        // An open square has no story.
        let square = |designer: &TestApp, wall: bool| {
            let grid = designer.app.editor.time.frame().unwrap().grid();
            let size = grid.size();
            let all = (0..size.x).flat_map(|x| (0..size.y).map(move |y| crate::geometry::Point::new(x, y)));
            all.into_iter().find(|at| grid.tile(*at).is_open() != wall).unwrap()
        };
        let open = square(&designer, false);
        designer.app.editor.map.move_cursor(open);
        designer.keys("i");
        assert_eq!(step(&designer), Some(3));
        let wall = square(&designer, true);
        designer.app.editor.map.move_cursor(wall);
        designer.keys("i");
        assert_eq!(step(&designer), Some(4));
        insta::assert_snapshot!("step_4_120x40", designer.text());
        assert!(!designer.toured);
        designer.keys("u");
        assert_eq!(step(&designer), None);
        assert!(designer.toured);
        assert!(designer.text().contains("end of the tour"));
        // The tour starts again on request.
        designer.press(KeyCode::F(2));
        assert_eq!(step(&designer), Some(0));
    }

    #[test]
    fn other_actions_work_as_usual_during_the_tour() {
        let mut designer = TestApp::grown(80, 24);
        designer.press(KeyCode::F(2));
        designer.keys("+?");
        assert_eq!(step(&designer), Some(0));
        assert!(designer.app.dialogs.open.is_some());
        designer.press(KeyCode::Esc);
        assert!(
            designer.app.dialogs.open.is_none() && step(&designer) == Some(0),
            "Esc closes help first"
        );
        let editor = &designer.app.editor;
        let (card, _) = card(editor, &STEPS[0], &editor.areas, editor.screen);
        designer.click(card.x + 2, card.y + 1);
        assert_eq!(step(&designer), Some(1));
        let editor = &designer.app.editor;
        let (card, _) = super::card(editor, &STEPS[1], &editor.areas, editor.screen);
        designer.click(card.right() - 3, card.bottom() - 2);
        assert_eq!(step(&designer), None);
    }

    #[test]
    fn the_tour_names_the_keys_in_force() {
        let named: usize = STEPS.iter().map(|step| step.text.matches("{}").count()).sum();
        let actions: usize = STEPS.iter().map(|step| step.actions.len()).sum();
        assert_eq!(named, actions);
        let mut designer = TestApp::grown(120, 40);
        let change = |context: &str, action: &str| crate::settings::KeyChange {
            context: context.into(),
            action: action.into(),
            keys: vec!["F9".into()],
        };
        for (step, row) in [(0, ("everywhere", "play")), (4, ("map", "draw"))] {
            designer.app.editor.keymap = crate::tui::keymap::Keymap::with(&[change(row.0, row.1)]);
            assert!(text(&designer.app.editor, &STEPS[step]).contains("F9"), "{row:?}");
        }
    }

    #[test]
    fn the_card_stays_inside_the_screen_at_any_size() {
        let mut designer = TestApp::grown(80, 24);
        designer.press(KeyCode::F(2));
        for (width, height) in [(0, 0), (1, 1), (39, 12), (40, 12), (41, 13), (72, 12), (200, 60)] {
            designer.send(crate::background::Message::Input(crossterm::event::Event::Resize(
                width, height,
            )));
            designer.text();
        }
    }
}
