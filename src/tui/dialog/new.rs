//! The dialog for a new design: its size, its contents and its first Crawlers.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::design::{MAX_DIMENSION, MIN_DIMENSION, MemoryUse};
use crate::document::{Document, NewDesign, StartWith, available_memory};
use crate::geometry::Size;
use crate::presets::Preset;
use crate::text::counted;
use crate::tui::editor::Editor;
use crate::tui::widget::form::{FormState, NumberChoice, draw_setting, next};
use crate::tui::widget::layout::with_head;
use crate::tui::widget::list::{ListStep, VisibleRows};
use crate::tui::widget::popup::{popup, popup_inside, shrunk};
use crate::tui::widget::text::put_wrapped;

const WIDTH: u16 = 60;
const LABEL_WIDTH: u16 = 16;

/// Number of rows for the settings, and for the text below them.
const ROWS: u16 = 4;
const BELOW: u16 = 4;

/// Values that the arrow keys step through; the user can type any other value.
const SIDES: &[u32] = &[20, 30, 40, 50, 60, 70, 80, 90, 100, 120, 150, 200, 300, 500, 1000];
const CRAWLERS: &[u32] = &[1, 2, 3, 4];

/// A line of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NewLine {
    Start,
    Template,
    Rows,
    Columns,
    Crawlers,
}

impl NewLine {
    const fn label(self) -> &'static str {
        match self {
            Self::Start => "start with",
            Self::Template => "template",
            Self::Rows => "rows",
            Self::Columns => "columns",
            Self::Crawlers => "first Crawlers",
        }
    }
}

/// The contents that the dialog offers for a new design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Start {
    #[default]
    Empty,
    Rooms,
    Template,
}

impl Start {
    const ALL: [Self; 3] = [Self::Empty, Self::Rooms, Self::Template];

    const fn name(self) -> &'static str {
        match self {
            Self::Empty => "an empty dungeon",
            Self::Rooms => "rooms",
            Self::Template => "a template",
        }
    }
}

/// The state of the dialog.
#[derive(Debug)]
pub(in crate::tui) struct NewForm {
    start: Start,
    template: &'static Preset,
    size: Size,
    crawlers: u32,
    settings: FormState,
    /// Why the last key or the design was rejected; empty if neither was.
    why: String,
}

impl Default for NewForm {
    fn default() -> Self {
        Self {
            start: Start::Empty,
            template: &Preset::all()[0],
            size: NewDesign::SIZE,
            crawlers: 1,
            settings: FormState::default(),
            why: String::new(),
        }
    }
}

impl NewForm {
    fn lines(&self) -> [NewLine; ROWS as usize] {
        let third = [NewLine::Rows, NewLine::Columns];
        match self.start {
            Start::Template => [NewLine::Start, NewLine::Template, third[0], third[1]],
            Start::Empty | Start::Rooms => [NewLine::Start, third[0], third[1], NewLine::Crawlers],
        }
    }

    fn selected(&self) -> NewLine {
        let lines = self.lines();
        lines[self.settings.selected(lines.len()).min(lines.len() - 1)]
    }

    fn visible(&self, screen: Rect) -> VisibleRows {
        let [rows, _] = parts(popup_inside(WIDTH, HEIGHT, screen));
        self.settings.visible(rows, self.lines().len())
    }

    /// Returns the description of the design.
    fn design(&self) -> NewDesign {
        NewDesign {
            size: Some(self.size),
            with: match self.start {
                Start::Empty => StartWith::Empty,
                Start::Rooms => StartWith::Rooms,
                Start::Template => StartWith::Template(self.template),
            },
            crawlers: self.crawlers,
        }
    }

    /// Resets the size to the template's size or, without a template, to the default size.
    fn reset_size(&mut self) {
        let new = NewDesign {
            size: None,
            ..self.design()
        };
        self.size = new.size();
    }

    /// Returns the number that a line sets, with its range; `None` for a line that does not set a number.
    fn number(&self, line: NewLine) -> Option<NumberChoice> {
        let (value, ladder, least, most) = match line {
            NewLine::Rows => (self.size.x as u32, SIDES, MIN_DIMENSION as u32, MAX_DIMENSION as u32),
            NewLine::Columns => (self.size.y as u32, SIDES, MIN_DIMENSION as u32, MAX_DIMENSION as u32),
            NewLine::Crawlers => (self.crawlers, CRAWLERS, 0, NewDesign::MOST_CRAWLERS),
            NewLine::Start | NewLine::Template => return None,
        };
        Some(NumberChoice {
            value: Some(value),
            ladder,
            least: Some(least),
            most,
            unit: 1,
            has_zero: false,
        })
    }

    fn set_number(&mut self, line: NewLine, value: Option<u32>) {
        let value = value.unwrap_or(0);
        match line {
            NewLine::Rows => self.size.x = value as i32,
            NewLine::Columns => self.size.y = value as i32,
            NewLine::Crawlers => self.crawlers = value,
            NewLine::Start | NewLine::Template => {}
        }
    }

    /// Moves the selection.
    pub(in crate::tui) fn step(&mut self, step: ListStep, screen: Rect) {
        let visible = self.visible(screen);
        self.settings.step(step, visible);
        self.why.clear();
    }

    /// Changes the selected setting.
    pub(in crate::tui) fn change(&mut self, by: i32) {
        self.why.clear();
        self.settings.restart();
        let line = self.selected();
        match line {
            NewLine::Start => {
                self.start = next(&Start::ALL, self.start, by);
                self.reset_size();
            }
            NewLine::Template => {
                let all: Vec<&Preset> = Preset::all().iter().collect();
                self.template = next(&all, self.template, by);
                self.reset_size();
            }
            NewLine::Rows | NewLine::Columns | NewLine::Crawlers => {
                if let Some(number) = self.number(line) {
                    self.set_number(line, number.stepped(by));
                }
            }
        }
    }

    /// Handles a key that edits the number in the selected line. Returns `false` if the line contains no number or the
    /// key does not edit a number.
    pub(in crate::tui) fn typed(&mut self, key: &KeyEvent) -> bool {
        let line = self.selected();
        let Some(number) = self.number(line) else { return false };
        match self.settings.type_number(line.label(), number, key) {
            Some(Ok(value)) => {
                self.why.clear();
                self.set_number(line, value);
            }
            Some(Err(why)) => self.why = why,
            None => return false,
        }
        true
    }

    /// Handles the mouse: a click or the wheel selects a setting and changes its value.
    pub(in crate::tui) fn mouse(&mut self, screen: Rect, mouse: MouseEvent) {
        let visible = self.visible(screen);
        if let Some(by) = self.settings.mouse(mouse, visible, LABEL_WIDTH) {
            self.change(by);
        }
    }

    /// Returns why the last key or the design was rejected; empty if neither was.
    pub(in crate::tui) fn why(&self) -> &str {
        &self.why
    }

    /// Returns the new design, or shows why the design is invalid.
    pub(in crate::tui) fn accept(&mut self) -> Option<Document> {
        if let Some(side) = [self.size.x, self.size.y]
            .into_iter()
            .find(|side| *side < MIN_DIMENSION)
        {
            self.why = format!("a dungeon needs at least {MIN_DIMENSION} rows and columns, not {side}");
            return None;
        }
        let memory = available_memory(MemoryUse::Showing);
        let document = Document::new(self.design().design(), memory);
        if document.valid().is_none() && !document.is_resolving() {
            let error = document.diagnostics().max_by_key(|problem| problem.severity);
            self.why = error.map_or_else(String::new, |problem| problem.message.clone());
            return None;
        }
        Some(document)
    }

    /// Returns the value of a line.
    fn value(&self, line: NewLine) -> String {
        match line {
            NewLine::Start => self.start.name().to_owned(),
            NewLine::Template => self.template.name.to_owned(),
            NewLine::Rows | NewLine::Columns | NewLine::Crawlers => {
                let number = self.number(line).and_then(|number| number.value);
                number.map_or_else(String::new, |number| number.to_string())
            }
        }
    }

    /// Returns an explanation of the selected line.
    fn help(&self) -> String {
        match self.selected() {
            NewLine::Template => self.template.summary(),
            NewLine::Start => match self.start {
                Start::Empty if self.crawlers == 0 => "Nothing but the outer wall.".into(),
                Start::Empty => format!(
                    "Nothing but the outer wall and {}.",
                    counted(self.crawlers, "first Crawler")
                ),
                Start::Rooms => "Four rooms, or one in a small dungeon, each with a door on every side.".into(),
                Start::Template => "A template is a preset, with its generations, rooms and expectations.".into(),
            },
            NewLine::Rows | NewLine::Columns if self.start == Start::Template => {
                "In a dungeon smaller than the template, Crawlers and hand-placed squares that do not fit are removed."
                    .into()
            }
            NewLine::Rows | NewLine::Columns => {
                format!("Size in squares, including the outer wall: at least {MIN_DIMENSION}.")
            }
            NewLine::Crawlers => "Number of Crawlers at the start, each in the middle of a side.".into(),
        }
    }

    /// Draws the dialog.
    pub(in crate::tui) fn draw(&self, editor: &Editor, screen: Rect, buf: &mut Buffer) {
        let theme = editor.theme;
        let [_, below] = parts(popup(theme, "New design", WIDTH, HEIGHT, screen, buf));
        let lines = self.lines();
        let visible = self.visible(screen);
        for (i, row) in visible.rows() {
            let here = i == visible.selected;
            let (label, value) = (lines[i].label(), self.value(lines[i]));
            draw_setting(theme, row, LABEL_WIDTH, label, &value, here, buf);
        }
        let (text, style) = if self.why.is_empty() {
            (self.help(), theme.quiet())
        } else {
            (self.why.clone(), theme.error())
        };
        put_wrapped(&text, below, style, buf);
    }
}

const HEIGHT: u16 = ROWS + BELOW + 2;

/// Returns the areas of the settings and of the text below them.
fn parts(inside: Rect) -> [Rect; 2] {
    let inside = shrunk(inside);
    let [rows, rest] = with_head(inside, ROWS);
    let [_, below] = with_head(rest, 1);
    [rows, below]
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use crate::geometry::{Point, Size};
    use crate::tui::commands::{Action, FileCommand};
    use crate::tui::fixture::TestApp;

    fn opened() -> TestApp {
        let mut designer = TestApp::grown(120, 40);
        let effects = designer.app.update(Action::File(FileCommand::New));
        designer.perform(effects);
        designer
    }

    #[test]
    fn a_new_design_has_the_chosen_size_and_grows_from_its_first_crawler() {
        let mut designer = opened();
        insta::assert_snapshot!("new_design", designer.text());
        designer.press(KeyCode::Down);
        designer.keys("45");
        designer.press(KeyCode::Down);
        designer.keys("70");
        designer.press(KeyCode::Enter);
        assert!(designer.app.dialogs.open.is_none());
        let layout = &designer.app.document().design().layout;
        assert_eq!(layout.size, Size::new(45, 70));
        assert_eq!(layout.crawlers[0].at, Point::new(0, 35));
        assert!(designer.app.document().files().is_empty() && !designer.app.document().is_dirty());
        designer.grow();
        assert!(designer.app.editor.time.turns() > 0);
    }

    #[test]
    fn an_empty_dungeon_is_described_with_its_first_crawlers() {
        let mut designer = opened();
        for (number, end) in [
            ("0", "Nothing but the outer wall."),
            ("1", "Nothing but the outer wall and 1 first Crawler."),
            ("3", "Nothing but the outer wall and 3 first Crawlers."),
        ] {
            designer.press(KeyCode::End);
            designer.keys(number);
            designer.press(KeyCode::Home);
            assert!(designer.text().contains(end), "{}", designer.text());
        }
    }

    #[test]
    fn a_template_sets_the_size_and_shows_its_description() {
        let mut designer = opened();
        designer.press(KeyCode::Left);
        designer.press(KeyCode::Down);
        designer.press(KeyCode::Right);
        let text = designer.text();
        assert!(text.contains("first-steps") && text.contains("‹ "), "{text}");
        designer.press(KeyCode::Enter);
        assert_eq!(designer.app.document().design().layout.size, Size::new(30, 60));
    }

    #[test]
    fn a_size_that_is_too_small_is_rejected_with_the_reason() {
        let mut designer = opened();
        designer.press(KeyCode::Down);
        designer.keys("7");
        designer.press(KeyCode::Enter);
        assert!(
            designer.text().contains("at least 20 rows and columns, not 7"),
            "{}",
            designer.text()
        );
        designer.keys("x");
        assert!(designer.text().contains("must be a number"), "{}", designer.text());
        designer.press(KeyCode::Esc);
        assert!(designer.app.dialogs.open.is_none());
        assert_eq!(designer.app.document().design().layout.size, Size::new(40, 60));
    }

    #[test]
    fn a_new_design_replaces_unsaved_work_only_after_a_question() {
        let mut designer = TestApp::grown(120, 40);
        designer.keys("R");
        let effects = designer.app.update(Action::File(FileCommand::New));
        designer.perform(effects);
        designer.press(KeyCode::Enter);
        assert!(designer.text().contains("Unsaved changes"), "{}", designer.text());
    }
}
