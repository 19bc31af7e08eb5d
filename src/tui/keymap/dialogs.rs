//! Key bindings of the dialogs (help, questions, forms, lists and the palette) and of the tour.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, Answer, DesignPart, DialogCommand};
use crate::tui::widget::list::ListStep;

/// Key bindings of the help dialog and its search field.
pub(super) static HELP_KEYS: &[Binding] = bindings! {
    Context::Help, "close", [Key::plain(KeyCode::Esc), Key::char('?'), Key::char('q'), Key::plain(KeyCode::Enter), Key::ctrl('c')], Action::CloseDialog, true, "Close help.";
    Context::Help, "search", [Key::char('/'), Key::ctrl('f')], Action::Dialog(DialogCommand::Search), true, "Show only the keys and actions that match the typed words.";
    Context::Help, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Dialog(DialogCommand::Select(ListStep::By(1))), true, "Scroll down a line.";
    Context::Help, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Dialog(DialogCommand::Select(ListStep::By(-1))), true, "Scroll up a line.";
    Context::Help, "page down", [Key::plain(KeyCode::PageDown), Key::char(' ')], Action::Dialog(DialogCommand::Select(ListStep::Page(1))), false, "Scroll down by a page.";
    Context::Help, "page up", [Key::plain(KeyCode::PageUp)], Action::Dialog(DialogCommand::Select(ListStep::Page(-1))), false, "Scroll up by a page.";
    Context::Help, "first", [Key::plain(KeyCode::Home), Key::char('g')], Action::Dialog(DialogCommand::Select(ListStep::First)), false, "Scroll to the first line.";
    Context::Help, "last", [Key::plain(KeyCode::End), Key::char('G')], Action::Dialog(DialogCommand::Select(ListStep::Last)), false, "Scroll to the last line.";
    Context::Help, "palette", [Key::char(':'), Key::ctrl('p')], Action::Palette, false, "Find an action by name and run it.";
    Context::HelpSearch, "keep", [Key::plain(KeyCode::Enter)], Action::Dialog(DialogCommand::Accept), true, "Keep the matches and leave the search field.";
    Context::HelpSearch, "show all", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::Dialog(DialogCommand::ShowAll), true, "Show every key again.";
    Context::HelpSearch, "down", [Key::plain(KeyCode::Down)], Action::Dialog(DialogCommand::Select(ListStep::By(1))), true, "Scroll down a line.";
    Context::HelpSearch, "up", [Key::plain(KeyCode::Up)], Action::Dialog(DialogCommand::Select(ListStep::By(-1))), true, "Scroll up a line.";
    Context::HelpSearch, "page down", [Key::plain(KeyCode::PageDown)], Action::Dialog(DialogCommand::Select(ListStep::Page(1))), false, "Scroll down by a page.";
    Context::HelpSearch, "page up", [Key::plain(KeyCode::PageUp)], Action::Dialog(DialogCommand::Select(ListStep::Page(-1))), false, "Scroll up by a page.";
};

const ESC: Key = Key::plain(KeyCode::Esc);

const ENTER: Key = Key::plain(KeyCode::Enter);

const fn answer(answer: Answer) -> Action {
    Action::Dialog(DialogCommand::Answer(answer))
}

/// Key bindings that answer a question, such as whether to save the changes before quitting.
pub(super) static ANSWER_KEYS: &[Binding] = bindings! {
    Context::Leaving, "save", [Key::char('s'), ENTER], answer(Answer::Save), true, "Save the changes, then continue.";
    Context::Leaving, "discard", [Key::char('d')], answer(Answer::Discard), true, "Discard the changes; press the key twice.";
    Context::Leaving, "stay", [ESC, Key::char('c'), Key::ctrl('c')], Action::CloseDialog, true, "Stay and change nothing.";
    Context::Conflict, "both", [Key::char('b')], answer(Answer::Both), true, "Merge both versions: keep both sides' changes.";
    Context::Conflict, "mine", [Key::char('m')], answer(Answer::Mine), true, "Keep your version; undo restores the other one.";
    Context::Conflict, "theirs", [Key::char('t')], answer(Answer::Theirs), true, "Use the file's version; undo restores yours.";
    Context::Conflict, "later", [ESC, Key::char('l'), Key::ctrl('c')], Action::CloseDialog, true, "Decide later; saving will ask again.";
    Context::Replacing, "replace", [Key::char('r')], answer(Answer::Replace), true, "Replace the existing file.";
    Context::Replacing, "cancel", [ESC, Key::char('c'), Key::ctrl('c')], Action::CloseDialog, true, "Keep the existing file.";
    Context::Unfinished, "wait", [Key::char('w'), ENTER], answer(Answer::Wait), true, "Quit once the export is written.";
    Context::Unfinished, "cancel export", [Key::char('e')], answer(Answer::End), true, "Cancel the export and quit; no file is written.";
    Context::Unfinished, "stay", [ESC, Key::char('c'), Key::ctrl('c')], Action::CloseDialog, true, "Stay; the export continues.";
    Context::Saving, "continue", [Key::char('g')], answer(Answer::Continue), true, "Continue now, even if saving fails.";
    Context::Saving, "stay", [ESC, Key::char('c'), Key::ctrl('c')], Action::CloseDialog, true, "Stay; saving continues.";
    Context::Note, "close", [ESC, ENTER, Key::char('q'), Key::ctrl('c')], Action::CloseDialog, true, "Go back to the designer.";
};

/// Key bindings of the form that asks for file paths.
pub(super) static FORM_KEYS: &[Binding] = bindings! {
    Context::Form, "go", [Key::plain(KeyCode::Enter)], Action::Dialog(DialogCommand::Accept), true, "Save or open these files.";
    Context::Form, "cancel", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::CloseDialog, true, "Close without doing anything.";
    Context::Form, "one or three files", [Key::ctrl('t'), Key::plain(KeyCode::F(2))], Action::Dialog(DialogCommand::OtherFormat), true, "Switch between one TOML file and separate files for rooms, stats and constants.";
    Context::Form, "next", [Key::plain(KeyCode::Tab), Key::plain(KeyCode::Down)], Action::Dialog(DialogCommand::Select(ListStep::By(1))), true, "Move to the next path.";
    Context::Form, "previous", [Key::plain(KeyCode::BackTab), Key::plain(KeyCode::Up)], Action::Dialog(DialogCommand::Select(ListStep::By(-1))), true, "Move to the previous path.";
};

/// Key bindings of the dialog for a new design.
pub(super) static NEW_KEYS: &[Binding] = bindings! {
    Context::New, "create", [ENTER], Action::Dialog(DialogCommand::Accept), true, "Open the new design; it has no file until you save it.";
    Context::New, "cancel", [ESC, Key::ctrl('c')], Action::CloseDialog, true, "Go back to the open design.";
    Context::New, "more", [Key::plain(KeyCode::Right), Key::char(' '), Key::char('+')], Action::Dialog(DialogCommand::Change(1)), true, "Choose the next value; numbers can also be typed.";
    Context::New, "less", [Key::plain(KeyCode::Left), Key::char('-')], Action::Dialog(DialogCommand::Change(-1)), true, "Choose the previous value.";
    Context::New, "down", [Key::plain(KeyCode::Down), Key::plain(KeyCode::Tab), Key::char('j')], Action::Dialog(DialogCommand::Select(ListStep::By(1))), true, "Select the next setting.";
    Context::New, "page down", [Key::plain(KeyCode::PageDown)], Action::Dialog(DialogCommand::Select(ListStep::Page(1))), false, "Move down one page.";
    Context::New, "page up", [Key::plain(KeyCode::PageUp)], Action::Dialog(DialogCommand::Select(ListStep::Page(-1))), false, "Move up one page.";
    Context::New, "first", [Key::plain(KeyCode::Home), Key::char('g')], Action::Dialog(DialogCommand::Select(ListStep::First)), false, "Select the first setting.";
    Context::New, "last", [Key::plain(KeyCode::End), Key::char('G')], Action::Dialog(DialogCommand::Select(ListStep::Last)), false, "Select the last setting.";
    Context::New, "up", [Key::plain(KeyCode::Up), Key::plain(KeyCode::BackTab), Key::char('k')], Action::Dialog(DialogCommand::Select(ListStep::By(-1))), true, "Select the previous setting.";
};

/// Key bindings of the dialog that opens a design.
pub(super) static OPEN_KEYS: &[Binding] = bindings! {
    Context::Presets, "open", [Key::plain(KeyCode::Enter)], Action::Dialog(DialogCommand::Accept), true, "Open the selected design or folder.";
    Context::Presets, "cancel", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::CloseDialog, true, "Go back to the open design.";
    Context::Presets, "down", [Key::plain(KeyCode::Down), Key::ctrl('n')], Action::Dialog(DialogCommand::Select(ListStep::By(1))), true, "Select the next design.";
    Context::Presets, "up", [Key::plain(KeyCode::Up), Key::ctrl('p')], Action::Dialog(DialogCommand::Select(ListStep::By(-1))), true, "Select the previous design.";
    Context::Presets, "page down", [Key::plain(KeyCode::PageDown)], Action::Dialog(DialogCommand::Select(ListStep::Page(1))), false, "Move down a page.";
    Context::Presets, "page up", [Key::plain(KeyCode::PageUp)], Action::Dialog(DialogCommand::Select(ListStep::Page(-1))), false, "Move up a page.";
    Context::Presets, "complete", [Key::plain(KeyCode::Tab)], Action::Dialog(DialogCommand::Complete), true, "Complete the name or path with the selected item.";
    Context::Presets, "copy its stats", [Key::ctrl('g')], Action::Dialog(DialogCommand::Combine(DesignPart::Stats)), true, "Keep the rooms of the open design, and copy the generations and constants of the selected design.";
    Context::Presets, "copy its rooms", [Key::ctrl('r')], Action::Dialog(DialogCommand::Combine(DesignPart::Layout)), true, "Keep the generations and constants of the open design, and copy the layout of the selected design: size, rooms, Crawlers and all other entries.";
    Context::Presets, "name files", [Key::ctrl('t'), Key::plain(KeyCode::F(2))], Action::Dialog(DialogCommand::OtherFormat), true, "Type the paths of separate files for rooms, stats and constants.";
};

/// Key bindings of the dialog that chooses a design to compare with, a drawing to import, or an example to learn from.
pub(super) static CHOOSE_KEYS: &[Binding] = bindings! {
    Context::ChooseList, "choose", [Key::plain(KeyCode::Enter)], Action::Dialog(DialogCommand::Accept), true, "Choose the selected design or drawing, or list the selected folder.";
    Context::ChooseList, "cancel", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::CloseDialog, true, "Go back without choosing anything.";
    Context::ChooseList, "down", [Key::plain(KeyCode::Down), Key::ctrl('n')], Action::Dialog(DialogCommand::Select(ListStep::By(1))), true, "Select the next item.";
    Context::ChooseList, "up", [Key::plain(KeyCode::Up), Key::ctrl('p')], Action::Dialog(DialogCommand::Select(ListStep::By(-1))), true, "Select the previous item.";
    Context::ChooseList, "page down", [Key::plain(KeyCode::PageDown)], Action::Dialog(DialogCommand::Select(ListStep::Page(1))), false, "Move down a page.";
    Context::ChooseList, "page up", [Key::plain(KeyCode::PageUp)], Action::Dialog(DialogCommand::Select(ListStep::Page(-1))), false, "Move up a page.";
    Context::ChooseList, "complete", [Key::plain(KeyCode::Tab)], Action::Dialog(DialogCommand::Complete), true, "Complete the name or path with the selected item.";
    Context::ChooseList, "name files", [Key::ctrl('t'), Key::plain(KeyCode::F(2))], Action::Dialog(DialogCommand::OtherFormat), true, "Type the paths of separate files for rooms, stats and constants.";
};

/// Key bindings of the list of recoverable work.
pub(super) static RECOVER_KEYS: &[Binding] = bindings! {
    Context::Leftovers, "recover", [Key::plain(KeyCode::Enter), Key::char('r')], Action::Dialog(DialogCommand::Accept), true, "Open the selected work as an unsaved design.";
    Context::Leftovers, "discard", [Key::char('D'), Key::plain(KeyCode::Delete)], Action::Dialog(DialogCommand::ThrowAway), true, "Discard the selected work; press the key twice.";
    Context::Leftovers, "later", [Key::plain(KeyCode::Esc), Key::char('l'), Key::ctrl('c')], Action::CloseDialog, true, "Keep the work and ask again at the next start.";
    Context::Leftovers, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Dialog(DialogCommand::Select(ListStep::By(1))), false, "Select the next entry.";
    Context::Leftovers, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Dialog(DialogCommand::Select(ListStep::By(-1))), false, "Select the previous entry.";
    Context::Leftovers, "page down", [Key::plain(KeyCode::PageDown)], Action::Dialog(DialogCommand::Select(ListStep::Page(1))), false, "Move down one page.";
    Context::Leftovers, "page up", [Key::plain(KeyCode::PageUp)], Action::Dialog(DialogCommand::Select(ListStep::Page(-1))), false, "Move up one page.";
    Context::Leftovers, "first", [Key::plain(KeyCode::Home), Key::char('g')], Action::Dialog(DialogCommand::Select(ListStep::First)), false, "Select the first entry.";
    Context::Leftovers, "last", [Key::plain(KeyCode::End), Key::char('G')], Action::Dialog(DialogCommand::Select(ListStep::Last)), false, "Select the last entry.";
};

/// Key bindings of the palette.
pub(super) static PALETTE_KEYS: &[Binding] = bindings! {
    Context::Palette, "run", [Key::plain(KeyCode::Enter)], Action::Dialog(DialogCommand::Accept), true, "Run the selected action; a click does the same.";
    Context::Palette, "close", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::CloseDialog, true, "Close without doing anything.";
    Context::Palette, "down", [Key::plain(KeyCode::Down), Key::plain(KeyCode::Tab), Key::ctrl('n')], Action::Dialog(DialogCommand::Select(ListStep::By(1))), true, "Select the next action.";
    Context::Palette, "up", [Key::plain(KeyCode::Up), Key::plain(KeyCode::BackTab), Key::ctrl('p')], Action::Dialog(DialogCommand::Select(ListStep::By(-1))), true, "Select the previous action.";
    Context::Palette, "page down", [Key::plain(KeyCode::PageDown)], Action::Dialog(DialogCommand::Select(ListStep::Page(1))), false, "Move down a page.";
    Context::Palette, "page up", [Key::plain(KeyCode::PageUp)], Action::Dialog(DialogCommand::Select(ListStep::Page(-1))), false, "Move up a page.";
};

pub(super) static TOUR_KEYS: &[Binding] = bindings! {
    Context::Everywhere, "tour", [Key::plain(KeyCode::F(2))], Action::Tour, false, "Start a five-step tour; during the tour, go to the next step.";
    Context::Tour, "end the tour", [Key::plain(KeyCode::Esc)], Action::LeaveTour, true, "End the tour; it can be started again at any time.";
};
