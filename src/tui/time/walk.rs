//! The commands and the timeline of a walk through the dungeon on the screen.

use std::time::Duration;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::timeline::{TimelineAreas, border, column_of, turn_at};
use crate::analysis::{Scene, Walk};
use crate::text::{counted, thousands};
use crate::tui::commands::{Action, WalkCommand};
use crate::tui::editor::{Editor, Focus};
use crate::tui::keymap::Context;
use crate::tui::overlay::Mark;
use crate::tui::walk::WalkState;

/// Runs a command.
pub(in crate::tui) fn update(editor: &mut Editor, command: WalkCommand) {
    let Some(state) = &mut editor.walk else {
        if command == WalkCommand::Toggle && std::mem::take(&mut editor.walk_waits) {
            editor.done("the walk was cancelled");
        } else if command == WalkCommand::Toggle {
            begin(editor);
        }
        return;
    };
    let is_moved = match command {
        WalkCommand::Toggle => {
            editor.walk = None;
            return editor.done("walk ended");
        }
        WalkCommand::Play => {
            let pauses = state.is_playing();
            state.play() || pauses
        }
        WalkCommand::Step(forward) => {
            if !state.walk_by_hand().walk(forward) {
                return editor.warn("a wall blocks the step");
            }
            true
        }
        WalkCommand::By(steps) => {
            let walk = state.walk_by_hand();
            let step = walk.step();
            // If the requested step is after the end of the walk, `explore` adds the steps of a simulated explorer.
            let to = step.saturating_add_signed(steps as isize);
            let is_there = to <= walk.steps() || walk.explore() || walk.steps() > step;
            walk.go_to(to);
            is_there
        }
        WalkCommand::Start => {
            state.walk_by_hand().go_to(0);
            true
        }
        WalkCommand::End => {
            let walk = state.walk_by_hand();
            let is_there = walk.found().is_some() || walk.explore() || walk.step() < walk.steps();
            walk.go_to(usize::MAX);
            is_there
        }
    };
    show_walker(editor);
    if !is_moved {
        editor.warn("nothing is left to explore: every reachable square has been seen");
    }
}

fn begin(editor: &mut Editor) {
    let Some((frame, run)) = editor.time.frame().zip(editor.time.run()) else {
        return editor.warn("there is no dungeon to walk in yet");
    };
    // After an edit, the earlier dungeon stays on the screen until the new one has grown.
    editor.walk_waits = editor.regrows() || !editor.time.shows_latest();
    if editor.walk_waits {
        return editor.done("the walk begins as soon as the dungeon has grown");
    }
    let mut scene = Scene::new(&run.design);
    let expect = &editor.document.design().expect;
    (scene.entrance, scene.exit) = (expect.entrance, expect.exit);
    match WalkState::new(frame.grid(), &scene, moment(editor)) {
        Ok(state) => {
            let now = editor.time.turn();
            editor.time.seek(now);
            editor.walk = Some(state);
            editor.focus = Focus::Map;
            show_walker(editor);
            let [explore, end] = [WalkCommand::Play, WalkCommand::Toggle]
                .map(|command| editor.keymap.key_in(Context::Walk, Action::Walk(command)));
            editor.done(format!(
                "walking: the arrow keys step, {explore} explores, {end} ends the walk"
            ));
        }
        Err(why) => editor.warn(why.to_string()),
    }
}

/// Returns the moment shown: the number that identifies the run, and the turn.
fn moment(editor: &Editor) -> (u64, u64) {
    (editor.time.run_number(), editor.time.turn())
}

/// Moves the cursor to the walker, and scrolls to show it.
fn show_walker(editor: &mut Editor) {
    if let Some(state) = &editor.walk {
        editor.show_square(state.walk().at());
    }
}

/// Ends the walk if its dungeon or moment is no longer shown. Begins a walk that waits for the latest dungeon once the
/// moment to show has been reached in it.
pub(in crate::tui) fn before_frame(editor: &mut Editor) {
    if editor.walk_waits && editor.time.shows_latest() && !editor.time.is_seeking() {
        begin(editor);
    }
    let now = moment(editor);
    if editor.walk.take_if(|state| !state.is_of(now)).is_some() {
        editor.done("walk ended: another dungeon or moment is shown");
    }
}

/// Advances the walker. Returns whether the screen has changed.
pub(in crate::tui) fn advance(editor: &mut Editor, elapsed: Duration) -> bool {
    let has_moved = editor.walk.as_mut().is_some_and(|state| state.advance(elapsed));
    if has_moved {
        show_walker(editor);
    }
    has_moved
}

/// Removes the marks on squares that the walker has not seen, and adds the mark of the walker. If there is no walk,
/// returns the marks unchanged.
pub(in crate::tui) fn seen_marks(editor: &Editor, mut marks: Vec<Mark>) -> Vec<Mark> {
    if let Some(state) = &editor.walk {
        marks.retain(|mark| state.walk().is_known(mark.at));
        let walker = Mark::glyph(state.walk().at(), ['@', ' '], editor.theme.highlight());
        marks.push(walker);
    }
    marks
}

/// Handles the mouse on the timeline. A click or drag on the bar goes to a step of the walk. A click on the status line
/// lets the explorer walk, or pauses it. The wheel moves one step forward or back.
pub(super) fn mouse(editor: &mut Editor, mouse: MouseEvent) {
    let places = TimelineAreas::of(editor.areas.time);
    let on_bar = places.has_moment(mouse.row);
    let is_dragged = editor.walk.as_ref().is_some_and(WalkState::is_dragged);
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) if on_bar => go_to(editor, places.bar, mouse.column),
        MouseEventKind::Down(MouseButton::Left) if mouse.row == places.words.y => update(editor, WalkCommand::Play),
        MouseEventKind::Drag(MouseButton::Left) if is_dragged => go_to(editor, places.bar, mouse.column),
        MouseEventKind::Up(_) => {
            if let Some(state) = &mut editor.walk {
                state.drag(false);
            }
        }
        MouseEventKind::ScrollDown => update(editor, WalkCommand::By(1)),
        MouseEventKind::ScrollUp => update(editor, WalkCommand::By(-1)),
        _ => {}
    }
}

fn go_to(editor: &mut Editor, bar: Rect, column: u16) {
    if let Some(state) = &mut editor.walk {
        state.drag(true);
        let walk = state.walk_by_hand();
        walk.go_to(turn_at(bar, column, walk.steps() as u64) as usize);
    }
    show_walker(editor);
}

/// Draws the walk's timeline: a status line with the current step, a sparkline with the share of the floor that had
/// been seen after each step, and a bar.
pub(super) fn draw(editor: &Editor, state: &WalkState, area: Rect, buf: &mut Buffer) {
    let (theme, walk) = (editor.theme, state.walk());
    let places = TimelineAreas::of(area);
    border(theme, " Walk ", area, buf);
    if places.words.is_empty() {
        return;
    }
    let sign = if state.is_playing() { "▶ " } else { "‖ " };
    let mut line = Line::from(Span::styled(sign, theme.heading()));
    let found = match walk.found() {
        Some(step) if step <= walk.step() => format!("  exit in sight after {}", counted(step as u64, "step")),
        _ => String::new(),
    };
    for (name, value) in [
        (
            "step ",
            format!(
                "{} of {}",
                thousands(walk.step() as u64),
                thousands(walk.steps() as u64)
            ),
        ),
        ("  seen ", percent(walk.share_seen(walk.step()))),
        (found.as_str(), String::new()),
    ] {
        line.push_span(Span::styled(name.to_owned(), theme.quiet()));
        line.push_span(value);
    }
    line.render(places.words, buf);
    draw_bar(editor, walk, places, buf);
}

/// Formats a share in whole percent; only a share of 1 is 100%.
fn percent(share: f64) -> String {
    let most = if share < 1.0 { 99.0 } else { 100.0 };
    format!("{:.0}%", (share * 100.0).min(most))
}

/// Draws the sparkline and the bar below it. The sparkline shows the share of floor seen after each step; its height is
/// rounded up to eighths of a character. The bar shows the current step and the step at which the exit came into sight.
fn draw_bar(editor: &Editor, walk: &Walk, places: TimelineAreas, buf: &mut Buffer) {
    const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let (theme, bar, steps) = (editor.theme, places.bar, walk.steps() as u64);
    let here = column_of(bar, walk.step() as u64, steps);
    let found = walk.found().map(|step| column_of(bar, step as u64, steps));
    for column in 0..bar.width {
        let step = turn_at(bar, bar.x + column, steps) as usize;
        let mut style = theme.accent();
        if column > here {
            style = style.add_modifier(Modifier::DIM);
        }
        let mut eighths = (walk.share_seen(step) * f64::from(places.living.height) * 8.0).ceil() as usize;
        for row in (places.living.top()..places.living.bottom()).rev() {
            buf[(bar.x + column, row)]
                .set_char(EIGHTHS[eighths.min(8)])
                .set_style(style);
            eighths = eighths.saturating_sub(8);
        }
        let glyph = match column {
            _ if column == here => '●',
            _ if found == Some(column) => '>',
            _ if column < here => '━',
            _ => '─',
        };
        let style = if column == here { theme.distant_builder() } else { style };
        buf[(bar.x + column, bar.y)].set_char(glyph).set_style(style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Design;
    use crate::document::Document;
    use crate::geometry::Point;
    use crate::presets::Preset;
    use crate::tui::fixture::TestApp;
    use crossterm::event::{KeyCode, KeyModifiers};

    /// Returns an app that walks through a grown preset.
    fn walking(preset: &str, width: u16, height: u16) -> TestApp {
        walking_in(Preset::find(preset).unwrap().design(), width, height)
    }

    fn walking_in(design: Design, width: u16, height: u16) -> TestApp {
        let mut designer = TestApp::with(Document::new(design, None), width, height);
        designer.grow();
        designer.keys("G");
        designer.chord(KeyModifiers::ALT, 'g');
        designer
    }

    fn walk(designer: &TestApp) -> &Walk {
        designer.app.editor.walk.as_ref().unwrap().walk()
    }

    /// Returns the number of characters of the map that are not blank.
    fn drawn(designer: &TestApp) -> usize {
        let (screen, map) = (designer.screen(), designer.app.editor.areas.map);
        let inside = (map.y + 1..map.bottom() - 1).flat_map(|y| (map.x + 1..map.right() - 1).map(move |x| (x, y)));
        inside.filter(|at| screen[*at].symbol() != " ").count()
    }

    #[test]
    fn only_what_was_seen_is_drawn_until_the_walk_ends() {
        let mut designer = walking("first-steps", 120, 40);
        let at_first = drawn(&designer);
        insta::assert_snapshot!(designer.text());
        designer.keys("G");
        let at_last = drawn(&designer);
        designer.press(KeyCode::Esc);
        assert!(designer.app.editor.walk.is_none());
        let whole = drawn(&designer);
        assert!(
            at_first * 2 < at_last && at_first * 2 < whole,
            "{at_first}, {at_last}, {whole}"
        );
    }

    #[test]
    fn space_explores_until_the_exit_is_in_sight_and_then_the_rest() {
        let mut designer = walking("first-steps", 120, 40);
        assert_eq!(designer.app.next_change(), None, "no walk yet");
        designer.keys(" ");
        while designer.app.next_change().is_some() {
            designer.app.advance(Duration::from_millis(200));
        }
        let found = walk(&designer).found();
        assert_eq!(found, Some(walk(&designer).step()));
        assert!(designer.text().contains("exit in sight after"), "{}", designer.text());
        designer.keys(" ");
        designer.keys(" ");
        designer.keys("G,,,");
        assert!(walk(&designer).steps() > found.unwrap());
        designer.keys("g");
        assert_eq!(walk(&designer).step(), 0);
        designer.press(KeyCode::Down);
        assert!(
            walk(&designer).steps() <= 1,
            "a step by hand replaces the rest of the walk"
        );
    }

    #[test]
    fn space_pauses_the_explorer_and_then_lets_it_walk_on() {
        let mut designer = walking("first-steps", 120, 40);
        for is_playing in [true, false, true] {
            designer.keys(" ");
            assert_eq!(designer.app.next_change().is_some(), is_playing);
            assert!(!designer.text().contains("nothing is left"), "{}", designer.text());
        }
    }

    #[test]
    fn the_end_of_a_walk_that_has_seen_everything_is_reached_without_a_warning() {
        let mut design = Preset::find("first-steps").unwrap().design();
        // No path leads to the exit, so the explorer walks until everything has been seen.
        design.expect.exit = Some(Point::new(0, 0));
        let mut designer = walking_in(design, 120, 40);
        designer.keys("G");
        let steps = walk(&designer).steps();
        assert!(designer.text().contains("seen 100%"), "{}", designer.text());
        designer.keys("gG");
        assert_eq!(walk(&designer).step(), steps);
        assert!(!designer.text().contains("nothing is left"), "{}", designer.text());
        designer.keys("G");
        assert!(designer.text().contains("nothing is left"), "{}", designer.text());
    }

    #[test]
    fn only_the_whole_floor_is_a_hundred_percent() {
        assert_eq!([0.0, 0.5, 0.996, 1.0].map(percent), ["0%", "50%", "99%", "100%"]);
    }

    #[test]
    fn the_timeline_shows_the_walk() {
        let mut designer = walking("first-steps", 120, 40);
        designer.keys(">>");
        assert_eq!(walk(&designer).step(), 20);
        let places = TimelineAreas::of(designer.app.editor.areas.time);
        designer.click(places.bar.right() - 1, places.bar.y);
        assert_eq!(walk(&designer).step(), walk(&designer).steps());
        designer.click(places.bar.x, places.bar.y);
        assert_eq!(walk(&designer).step(), 0);
        assert_eq!(
            designer.app.editor.time.turn(),
            designer.app.editor.time.turns(),
            "growth stays"
        );
    }

    #[test]
    fn an_edit_or_another_moment_ends_the_walk() {
        let mut designer = walking("first-steps", 120, 40);
        designer.keys("{");
        designer.app.before_frame();
        assert!(designer.app.editor.walk.is_none());
        let notice = designer
            .app
            .editor
            .status
            .notice
            .as_ref()
            .map(|(_, text)| text.as_str());
        assert_eq!(notice, Some("walk ended: another dungeon or moment is shown"));
    }

    #[test]
    fn a_walk_begun_just_after_an_edit_waits_for_the_new_dungeon() {
        let mut designer = walking("first-steps", 120, 40);
        designer.press(KeyCode::Esc);
        let edit = |designer: &mut TestApp| {
            let change = |design: &mut Design| design.character.generations[0].max_age += 1;
            designer.app.editor.edit("older", change);
            designer.perform(Vec::new());
        };
        let grow = |designer: &mut TestApp| {
            designer.grow();
            // A seek to the end may take several frames.
            for _ in 0..20 {
                designer.app.advance(Duration::from_millis(1));
            }
            designer.want();
        };
        edit(&mut designer);
        for is_waiting in [true, false, true] {
            designer.chord(KeyModifiers::ALT, 'g');
            assert_eq!(designer.app.editor.walk_waits, is_waiting);
            assert!(designer.app.editor.walk.is_none());
        }
        let run = designer.app.editor.time.run_number();
        grow(&mut designer);
        assert!(designer.app.editor.time.run_number() > run);
        assert!(designer.app.editor.walk.is_some(), "{}", designer.text());
        assert!(designer.text().contains("walking: "), "{}", designer.text());
        // An edit during the walk ends it, and it does not begin again.
        edit(&mut designer);
        grow(&mut designer);
        assert!(designer.app.editor.walk.is_none() && !designer.app.editor.walk_waits);
    }

    #[test]
    fn every_size_of_the_screen_shows_the_walk() {
        for (width, height) in [(1, 1), (40, 12), (60, 16), (80, 24), (200, 60)] {
            let mut designer = walking("catacombs", width, height);
            designer.keys(">>.,<");
            let _ = designer.text();
        }
    }
}
