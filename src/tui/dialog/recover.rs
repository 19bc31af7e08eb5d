//! The list of unsaved work from earlier runs that crashed or were killed: a line per entry, and details of the
//! selected entry.

use crossterm::event::MouseEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::question::{answer_at, answer_line};
use crate::storage::{DesignFiles, RecoverableWork};
use crate::tui::commands::Action;
use crate::tui::editor::Editor;
use crate::tui::keymap::{self, Binding, Context};
use crate::tui::recovery::age_text;
use crate::tui::widget::layout::with_head;
use crate::tui::widget::list::{ListClick, ListState, ListStep, VisibleRows};
use crate::tui::widget::popup::{after, popup, popup_inside, shrunk};
use crate::tui::widget::table;
use crate::tui::widget::text::{put, put_wrapped, wrap};

const WIDTH: u16 = 72;

/// Number of rows for the heading.
const HEAD: u16 = 2;

/// Maximum number of rows for the list.
const ROWS: u16 = 8;

/// Minimum number of rows for the details and the blank row above them. If the screen is too small, they get fewer.
const ABOUT: u16 = 5;

/// The first line of the details of an entry that will be discarded.
const DISCARD: &str = "Press the key once more to discard it for good.";

/// The recoverable work and the selection. The dialog closes when no work is left.
#[derive(Debug)]
pub(in crate::tui) struct RecoverDialog {
    found: Vec<RecoverableWork>,
    list: ListState,
    /// Index of the entry that will be discarded if the user presses the discard key a second time.
    doomed: Option<usize>,
}

impl RecoverDialog {
    /// Creates the dialog for `found`, which must not be empty.
    pub(in crate::tui) fn new(found: Vec<RecoverableWork>) -> Self {
        Self {
            found,
            list: ListState::default(),
            doomed: None,
        }
    }

    fn answers() -> impl Iterator<Item = &'static Binding> {
        keymap::table().filter(|binding| binding.context == Context::Leftovers && binding.foot)
    }

    fn height(&self, screen: Rect) -> u16 {
        let width = popup_inside(WIDTH, u16::MAX, screen).width;
        let [.., answers] = self.areas(Rect::new(0, 0, width, u16::MAX));
        answers.bottom() + 2
    }

    /// Returns the areas inside the popup: the heading, the list, the details, and the answers. If the screen has too
    /// few rows for all of them, the details get fewer rows.
    fn areas(&self, inside: Rect) -> [Rect; 4] {
        let mut y = inside.y;
        let (list, answers) = ((self.found.len() as u16).min(ROWS), Self::answers().count() as u16);
        let room = inside.height.saturating_sub(HEAD + list + answers);
        let details = self.detail_rows(inside.width).min(room.max(2));
        [HEAD, list, details, answers].map(|rows| {
            let area = Rect::new(inside.x, y, inside.width, rows).intersection(inside);
            y = y.saturating_add(rows);
            area
        })
    }

    /// Returns the number of rows for the details, with a blank row above them. It is the same for all entries, so that
    /// the popup does not move while the user selects one.
    fn detail_rows(&self, width: u16) -> u16 {
        let width = usize::from(width).saturating_sub(2);
        let rows = |work| wrap(&format!("{DISCARD}\n{}", Self::about(work)), width).len() as u16 + 1;
        self.found.iter().map(rows).fold(ABOUT, u16::max)
    }

    fn visible(&self, screen: Rect) -> VisibleRows {
        let [_, rows, ..] = self.areas(popup_inside(WIDTH, self.height(screen), screen));
        self.list.visible(rows, self.found.len(), 0)
    }

    fn selected(&self) -> usize {
        self.list.selected(self.found.len())
    }

    /// Returns the details of the selected entry. The request for a second key press comes first, because the end of
    /// the text is cut off on a screen with few rows.
    fn details(&self) -> String {
        let selected = self.selected();
        let about = self.found.get(selected).map(Self::about).unwrap_or_default();
        if self.doomed == Some(selected) {
            format!("{DISCARD}\n{about}")
        } else {
            about
        }
    }

    /// Describes an entry: its files, and whether they have changed.
    fn about(work: &RecoverableWork) -> String {
        let files = work.files.as_ref().map(DesignFiles::paths).unwrap_or_default();
        let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
        let belongs = match (&work.design, names.is_empty()) {
            (Err(_), _) => return format!("{} cannot be read.", work.slot.path().display()),
            (Ok(_), true) => "It was never saved to a file.".to_owned(),
            (Ok(_), false) => format!("It belongs to {}.", names.join(", ")),
        };
        let changed = match (work.changed, work.loaded.as_ref().is_none_or(|loaded| !loaded.missing)) {
            (true, false) => "\nOne of its files no longer exists.",
            (true, true) => {
                "\nAnother program has changed the file. After recovery, undo once to get the design that the file \
                 contains now."
            }
            (false, _) => "",
        };
        format!("{belongs}{changed}")
    }

    /// Moves the selection.
    pub(in crate::tui) fn step(&mut self, screen: Rect, step: ListStep) {
        self.list.step(step, self.visible(screen));
    }

    /// Removes the selected entry from the list and returns it.
    pub(in crate::tui) fn accept(&mut self) -> Option<RecoverableWork> {
        let selected = self.selected();
        (selected < self.found.len()).then(|| self.found.remove(selected))
    }

    /// Discards the selected entry when this is requested for the second time. Returns whether the list is now empty.
    pub(in crate::tui) fn discard(&mut self, editor: &mut Editor) -> bool {
        let selected = self.selected();
        if self.doomed.take() != Some(selected) {
            self.doomed = Some(selected);
            return false;
        }
        if let Some(work) = self.accept() {
            match work.slot.clear() {
                Ok(()) => editor.done(format!("{}: unsaved work discarded", work.title())),
                Err(error) => editor.fail(format!("cannot discard the unsaved work: {error}")),
            }
        }
        self.found.is_empty()
    }

    /// Selects the clicked entry, or moves the selection with the wheel.
    pub(in crate::tui) fn mouse(&mut self, screen: Rect, mouse: MouseEvent) -> Option<ListClick> {
        let clicked = self.list.mouse(mouse, self.visible(screen), |_| false);
        // A click on the selected entry recovers its work. A lone entry is always selected, so a click on it is
        // ignored: the user may only want to select the entry.
        clicked.filter(|clicked| *clicked == ListClick::Selected || self.found.len() > 1)
    }

    /// Returns the action of the clicked answer.
    pub(in crate::tui) fn action_at(&self, mouse: MouseEvent, screen: Rect) -> Option<Action> {
        let [.., answers] = self.areas(popup_inside(WIDTH, self.height(screen), screen));
        answer_at(answers.rows(), Self::answers(), mouse)
    }

    /// Draws the list.
    pub(in crate::tui) fn draw(&self, editor: &Editor, screen: Rect, buf: &mut Buffer) {
        let theme = editor.theme;
        let inside = popup(theme, "Recover unsaved work", WIDTH, self.height(screen), screen, buf);
        let [heading, rows, details, answers] = self.areas(inside);
        let head = if self.found.len() == 1 {
            " An earlier run ended before this was saved:"
        } else {
            " Earlier runs ended before these were saved:"
        };
        put(head, heading, theme.text(), buf);
        let visible = self.list.visible(rows, self.found.len(), 0);
        let line = |i: usize| {
            let work = &self.found[i];
            let when = format!("{} ", age_text(work.age));
            table::row(rows.width, [" ".into()], work.title().into(), [when.into()])
        };
        visible.draw(theme, Some(theme.selected(true)), line, buf);
        let [_, details] = with_head(shrunk(details), 1);
        put_wrapped(&self.details(), details, theme.quiet(), buf);
        for (row, binding) in answers.rows().zip(Self::answers()) {
            let row = after(row, 1);
            buf.set_line(row.x, row.y, &answer_line(editor, binding), row.width);
        }
    }
}
