//! The list of unsaved work from crashes and kills: one line each, and details of the selected one.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use unicode_width::UnicodeWidthStr as _;

use super::{Dialog, DialogCommand, popup, popup_inside};
use crate::storage::{DesignFiles, RecoverableWork};
use crate::tui::app::{Action, App, Effect, NoticeLevel};
use crate::tui::keys::{self, Binding, Context, Key, bindings};
use crate::tui::recovery::ago;
use crate::tui::text::{shortened, wrap};

const WIDTH: u16 = 72;

/// Maximal rows of the list, and rows of the details.
const ROWS: u16 = 8;
const ABOUT: u16 = 5;

/// Width in columns of an answer's keys.
const KEYS_WIDTH: u16 = 14;

/// The recoverable work and the selection; never empty.
#[derive(Debug)]
pub(in crate::tui) struct RecoverDialog {
    found: Vec<RecoverableWork>,
    selected: usize,
}

/// Key bindings of the list.
pub(in crate::tui) static KEYS: &[Binding] = bindings! {
    Context::Leftovers, "recover", [Key::plain(KeyCode::Enter), Key::char('r')], Action::Dialog(DialogCommand::Accept), true, "Open it, unsaved as it was.";
    Context::Leftovers, "throw away", [Key::char('D'), Key::plain(KeyCode::Delete)], Action::Dialog(DialogCommand::ThrowAway), true, "Throw it away; it is lost.";
    Context::Leftovers, "later", [Key::plain(KeyCode::Esc), Key::char('l'), Key::ctrl('c')], Action::CloseDialog, true, "Keep it, and be asked at the next start.";
    Context::Leftovers, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Dialog(DialogCommand::Field(1)), false, "Select the next one.";
    Context::Leftovers, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Dialog(DialogCommand::Field(-1)), false, "Select the one before.";
};

/// The areas inside the popup, from the top.
struct RecoverAreas {
    head: Rect,
    rows: Rect,
    about: Rect,
    answers: Rect,
}

impl RecoverDialog {
    /// Creates the list.
    pub(super) const fn new(found: Vec<RecoverableWork>) -> Self {
        Self { found, selected: 0 }
    }

    /// Moves the selection.
    pub(super) fn select(&mut self, by: i32) {
        let last = self.found.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by as isize).min(last);
    }

    fn answers() -> impl Iterator<Item = &'static Binding> {
        keys::table().filter(|binding| binding.context == Context::Leftovers && binding.foot)
    }

    fn height(&self) -> u16 {
        self.parts(Rect::new(0, 0, WIDTH, u16::MAX)).answers.bottom() + 2
    }

    fn parts(&self, inside: Rect) -> RecoverAreas {
        let mut y = inside.y;
        let mut next = |rows: u16| {
            let part = Rect::new(inside.x, y, inside.width, rows).intersection(inside);
            y = y.saturating_add(rows);
            part
        };
        RecoverAreas {
            head: next(2),
            rows: next((self.found.len() as u16).min(ROWS)),
            about: next(ABOUT),
            answers: next(Self::answers().count() as u16),
        }
    }

    /// Returns the index of the first visible entry.
    fn first(&self, rows: Rect) -> usize {
        (self.selected + 1).saturating_sub(rows.height.max(1).into())
    }

    /// Returns the details of the selected entry.
    fn about(&self) -> String {
        let Some(left) = self.found.get(self.selected) else {
            return String::new();
        };
        let files = left.files.as_ref().map(DesignFiles::paths).unwrap_or_default();
        let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
        let belongs = match (&left.design, names.is_empty()) {
            (Err(_), _) => return format!("It cannot be read: {}", left.slot.path().display()),
            (Ok(_), true) => "It was never saved to a file.".to_owned(),
            (Ok(_), false) => format!("It belongs to {}.", names.join(", ")),
        };
        let changed = match (left.changed, left.loaded.as_ref().is_none_or(|loaded| !loaded.missing)) {
            (true, false) => "\nA file of it is gone since.",
            (true, true) => "\nThe file was changed since by another program; undo will show what it holds.",
            (false, _) => "",
        };
        format!("{belongs}{changed}")
    }
}

/// Recovers the selected entry.
pub(super) fn accept(app: &mut App) -> Vec<Effect> {
    let Some(Dialog::Leftovers(mut list)) = app.dialog.take() else {
        return Vec::new();
    };
    if list.selected >= list.found.len() {
        return Vec::new();
    }
    let leftover = list.found.remove(list.selected);
    app.accept_recovered(leftover)
}

/// Discards the selected entry; the others stay in the list.
pub(super) fn throw_away(app: &mut App) -> Vec<Effect> {
    let Some(Dialog::Leftovers(list)) = &mut app.dialog else {
        return Vec::new();
    };
    if list.selected >= list.found.len() {
        return Vec::new();
    }
    let leftover = list.found.remove(list.selected);
    list.select(0);
    if list.found.is_empty() {
        app.dialog = None;
    }
    match leftover.slot.clear() {
        Ok(()) => app.editor.say(
            NoticeLevel::Done,
            format!("{}: what was unsaved is thrown away", leftover.title()),
        ),
        Err(error) => app
            .editor
            .say(NoticeLevel::Error, format!("it could not be thrown away: {error}")),
    }
    Vec::new()
}

/// Selects the clicked entry; returns the action of a click on the selected entry or on an answer.
pub(super) fn click(list: &mut RecoverDialog, screen: Rect, at: Position) -> Option<Action> {
    let parts = list.parts(popup_inside(WIDTH, list.height(), screen));
    if parts.rows.contains(at) {
        let clicked = list.first(parts.rows) + usize::from(at.y - parts.rows.y);
        let again = clicked == list.selected;
        list.selected = clicked.min(list.found.len().saturating_sub(1));
        return (again && list.found.len() > 1).then_some(Action::Dialog(DialogCommand::Accept));
    }
    if parts.answers.contains(at) {
        let row = usize::from(at.y - parts.answers.y);
        return RecoverDialog::answers().nth(row).map(|binding| binding.action);
    }
    None
}

/// Draws the list.
pub(super) fn draw(app: &App, list: &RecoverDialog, screen: Rect, buf: &mut Buffer) {
    let theme = app.editor.theme;
    let inside = popup(
        app.editor.theme,
        "Unsaved work was left behind",
        WIDTH,
        list.height(),
        screen,
        buf,
    );
    let parts = list.parts(inside);
    let put = |text: &str, row: Rect, style, buf: &mut Buffer| {
        if !row.is_empty() {
            buf.set_stringn(row.x, row.y, text, row.width.into(), style);
        }
    };
    let head = if list.found.len() == 1 {
        " An earlier run ended before this was saved:"
    } else {
        " Earlier runs ended before these were saved:"
    };
    put(head, parts.head, theme.text(), buf);
    let width = usize::from(inside.width);
    for (row, (i, left)) in parts
        .rows
        .rows()
        .zip(list.found.iter().enumerate().skip(list.first(parts.rows)))
    {
        let style = if i == list.selected {
            theme.selected(true)
        } else {
            theme.text()
        };
        let when = ago(left.age);
        let title = shortened(&left.title(), width.saturating_sub(when.width() + 4));
        let blank = width.saturating_sub(title.width() + when.width() + 3);
        put(&format!(" {title} {:blank$}{when} ", ""), row, style, buf);
    }
    let about = wrap(&list.about(), width.saturating_sub(2));
    for (row, line) in parts.about.rows().skip(1).zip(about) {
        put(&format!(" {line}"), row, theme.quiet(), buf);
    }
    for (row, binding) in parts.answers.rows().zip(RecoverDialog::answers()) {
        let keys = app.editor.keymap.text(binding);
        let blank = usize::from(KEYS_WIDTH).saturating_sub(keys.width()).max(1);
        put(&format!(" {keys}"), row, theme.accent(), buf);
        let x = (1 + keys.width() + blank) as u16;
        let rest = Rect {
            x: row.x.saturating_add(x),
            width: row.width.saturating_sub(x),
            ..row
        };
        put(binding.help, rest, theme.text(), buf);
    }
}
