//! The dialog in which the user types a moment to go to: a turn, an iteration, a generation or a percentage of the run.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::engine::ITERATIONS_PER_GENERATION;
use crate::recording::Recording;
use crate::text::thousands;
use crate::tui::editor::Editor;
use crate::tui::widget::line_prompt::LinePrompt;

/// The width of the dialog including its frame.
const WIDTH: u16 = 50;

/// The state of the dialog.
#[derive(Debug)]
pub(in crate::tui) struct GotoState {
    pub(in crate::tui) prompt: LinePrompt,
}

impl GotoState {
    /// Creates the dialog; `None` if there is no run yet.
    pub(in crate::tui) fn new(editor: &Editor) -> Option<Self> {
        editor.time.recording().is_some().then(|| Self {
            prompt: LinePrompt::new(""),
        })
    }

    /// Seeks to the typed moment, or shows why it is invalid. Returns whether the dialog must close.
    pub(in crate::tui) fn accept(&mut self, editor: &mut Editor) -> bool {
        let Some(recording) = editor.time.recording() else {
            return false;
        };
        match parse(self.prompt.text(), recording) {
            Ok(turn) => editor.time.seek(turn),
            Err(why) => {
                self.prompt.reject(why);
                return false;
            }
        }
        true
    }
}

/// Parses a moment and returns its turn; an error explains the syntax or the range.
fn parse(text: &str, recording: &Recording) -> Result<u64, String> {
    let text: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && !",_'".contains(*c))
        .collect();
    let digits = text.trim_matches(|c: char| !c.is_ascii_digit());
    let number: u64 = digits
        .parse()
        .map_err(|_| "type a turn number, or i 12 (iteration), g 3 (generation), 50% (of the growth)".to_owned())?;
    let unit = text.replacen(digits, "#", 1).to_lowercase();
    let (turns, grows) = (recording.turns(), !recording.is_finished());
    let past = |what: &str, last: u64| {
        let far = if grows { "so far" } else { "one" };
        Err(format!("{what} {} is the last {far}", thousands(last)))
    };
    let last = recording.clock_at(turns);
    // A number that does not fit into the clock's `u32` is replaced by the largest `u32`, which is also past the end.
    let of = |iterations: u64| u32::try_from(number.saturating_mul(iterations)).unwrap_or(u32::MAX);
    match unit.as_str() {
        "#" | "t#" | "turn#" if number <= turns => Ok(number),
        "#" | "t#" | "turn#" => past("turn", turns),
        "i#" | "iter#" | "iteration#" if of(1) <= last.iteration => Ok(recording.turn_of_iteration(of(1))),
        "i#" | "iter#" | "iteration#" => past("iteration", last.iteration.into()),
        "g#" | "gen#" | "generation#" if number <= last.generation().into() => {
            Ok(recording.turn_of_iteration(of(ITERATIONS_PER_GENERATION.into())))
        }
        "g#" | "gen#" | "generation#" => past("generation", last.generation().into()),
        "#%" if number <= 100 => Ok((u128::from(turns) * u128::from(number) / 100) as u64),
        "#%" => Err("100% is the end".into()),
        _ => Err(format!(
            "`{text}` is not a moment: type a turn number, or i 12 (iteration), g 3 (generation), 50% (of the growth)"
        )),
    }
}

/// Draws the dialog.
pub(in crate::tui) fn draw(editor: &Editor, state: &GotoState, screen: Rect, buf: &mut Buffer) {
    let turns = thousands(editor.time.turns());
    let hint = format!("a turn up to {turns}, or i 12 (iteration), g 3 (generation), 50% (of the growth)");
    state.prompt.draw(editor.theme, ("Go to", WIDTH), &hint, screen, buf);
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use super::*;
    use crate::tui::fixture::TestApp;

    #[test]
    fn moments_are_parsed_and_errors_are_reported() {
        let designer = TestApp::grown(80, 24);
        let recording = designer.app.editor.time.recording().unwrap();
        let (turns, last) = (recording.turns(), recording.clock_at(recording.turns()));
        let parse = |text: &str| super::parse(text, recording);
        assert_eq!(parse(" 3 "), Ok(3));
        assert_eq!(parse("turn 0"), Ok(0));
        assert_eq!(parse(&thousands(turns)), Ok(turns));
        assert_eq!(parse("100%"), Ok(turns));
        assert_eq!(parse("50%"), Ok(turns / 2));
        assert_eq!(parse("g 0"), Ok(0));
        let iteration = last.iteration;
        assert_eq!(
            parse(&format!("I{iteration}")),
            Ok(recording.turn_of_iteration(iteration))
        );
        assert_eq!(parse("iteration 1"), Ok(recording.turn_of_iteration(1)));
        for (wrong, description) in [
            ("", "type a turn number"),
            ("soon", "type a turn number"),
            ("-3", "not a moment"),
            ("1.5", "type a turn number"),
            ("i3x", "not a moment"),
            ("101%", "is the end"),
            ("i 99999999999999", "is the last one"),
            ("g 18446744073709551615", "is the last one"),
            ("18446744073709551615", "is the last one"),
            ("18446744073709551616", "type a turn number"),
        ] {
            let why = parse(wrong).unwrap_err();
            assert!(why.contains(description), "{wrong}: {why}");
        }
    }

    #[test]
    fn a_typed_moment_is_sought() {
        let mut designer = TestApp::grown(80, 24);
        designer.keys("#");
        designer.keys("9,999");
        designer.press(KeyCode::Enter);
        assert!(designer.text().contains("is the last one"), "{}", designer.text());
        for _ in 0..5 {
            designer.press(KeyCode::Backspace);
        }
        designer.keys("3");
        designer.press(KeyCode::Enter);
        assert!(designer.app.dialogs.open.is_none());
        assert_eq!(designer.app.editor.time.turn(), 3);
        designer.keys("#7");
        designer.press(KeyCode::Esc);
        assert_eq!(designer.app.editor.time.turn(), 3);
    }
}
