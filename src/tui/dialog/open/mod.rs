//! The dialog that opens a design: recent ones, those of a folder, and the presets.
//!
//! The input filters them all; a typed path lists its folder and can be completed. A worker grows the selected design
//! and renders a small picture; the request is cancelled when the selection moves on. The entries are computed in
//! `items` and drawn in `draw`.

mod draw;
mod items;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Position, Rect};

pub(super) use self::draw::draw;
use self::items::{OpenItem, TypedPath, items};
use super::{Dialog, DialogCommand, FilesForm, FormPurpose};
use crate::background::{Picture, PreviewReply, PreviewSubject, ReadRequest, RunId};
use crate::design::{Design, MemoryUse};
use crate::document::{Document, available_memory};
use crate::geometry::Size;
use crate::presets::Preset;
use crate::storage::DesignFiles;
use crate::storage::folder::FolderEntry;
use crate::tui::app::{Action, App, Effect};
use crate::tui::files::{self, AfterSave};
use crate::tui::import_dialog;
use crate::tui::keys::{Binding, Context, Key, bindings};
use crate::tui::text_field::{TextField, TextKind};

/// Number of pictures cached while the dialog is open.
const PICTURES: usize = 64;

/// Key bindings of the dialog.
pub(in crate::tui) static KEYS: &[Binding] = bindings! {
    Context::Presets, "open", [Key::plain(KeyCode::Enter)], Action::Dialog(DialogCommand::Accept), true, "Open the design that is selected, or look into the folder.";
    Context::Presets, "cancel", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::CloseDialog, true, "Go back to the open design.";
    Context::Presets, "down", [Key::plain(KeyCode::Down), Key::ctrl('n')], Action::Dialog(DialogCommand::Field(1)), true, "Select the next design.";
    Context::Presets, "up", [Key::plain(KeyCode::Up), Key::ctrl('p')], Action::Dialog(DialogCommand::Field(-1)), true, "Select the design before.";
    Context::Presets, "page down", [Key::plain(KeyCode::PageDown)], Action::Dialog(DialogCommand::Field(10)), false, "Ten designs on.";
    Context::Presets, "page up", [Key::plain(KeyCode::PageUp)], Action::Dialog(DialogCommand::Field(-10)), false, "Ten designs back.";
    Context::Presets, "complete", [Key::plain(KeyCode::Tab)], Action::Dialog(DialogCommand::Complete), true, "Type the rest of the selected name or path.";
    Context::Presets, "name files", [Key::ctrl('t'), Key::plain(KeyCode::F(2))], Action::Dialog(DialogCommand::OtherFormat), true, "Name rooms, stats and constants files one by one, in any mix.";
};

/// The kind of entries to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum OpenFilter {
    /// Designs, and drawings that can be imported as designs.
    All,
    /// The presets.
    Presets,
    /// Drawings to import into the open design.
    Drawings,
}

/// The state of the dialog.
#[derive(Debug)]
pub(in crate::tui) struct OpenDialog {
    shows: OpenFilter,
    typing: TextField,
    /// Folder that is listed unless another one is typed.
    folder: PathBuf,
    /// Last listing: the folder and its entries, or an error.
    listed: Option<(PathBuf, Result<Vec<FolderEntry>, String>)>,
    /// Pending listing request.
    listing: Option<(Option<RunId>, PathBuf)>,
    recent: Vec<(DesignFiles, bool)>,
    presets: Vec<(Design, String)>,
    items: Vec<OpenItem>,
    /// Index of the selected item; never a heading, unless there is nothing else.
    selected: usize,
    /// Pending picture request.
    awaited: Option<(Option<RunId>, PreviewSubject)>,
    pictures: Vec<(PreviewSubject, Result<Picture, String>)>,
    /// Maximal size of a picture in pixels: rows, two per character, and columns. The cached pictures have this size.
    room: Size,
    /// Why the last choice could not be opened.
    why: String,
}

impl OpenDialog {
    /// Creates the state with an empty input.
    fn new(shows: OpenFilter, folder: PathBuf) -> Self {
        let presets = Preset::all().iter().map(|preset| (preset.design(), preset.summary()));
        Self {
            shows,
            typing: TextField::new(TextKind::Line, ""),
            folder,
            listed: None,
            listing: None,
            recent: Vec::new(),
            presets: presets.collect(),
            items: Vec::new(),
            selected: 0,
            awaited: None,
            pictures: Vec::new(),
            room: Size::new(0, 0),
            why: String::new(),
        }
    }

    /// Returns whether the chosen drawing is imported into the open design.
    pub(in crate::tui) fn lays(&self) -> bool {
        self.shows == OpenFilter::Drawings
    }

    /// Sets the number of the picture request.
    pub(in crate::tui) const fn picture_begun(&mut self, run: RunId) {
        if let Some((number, _)) = &mut self.awaited {
            *number = Some(run);
        }
    }

    /// Sets the number of the listing request.
    pub(in crate::tui) const fn listing_begun(&mut self, run: RunId) {
        if let Some((number, _)) = &mut self.listing {
            *number = Some(run);
        }
    }

    /// Returns the interpretation of the input.
    fn place(&self) -> TypedPath {
        TypedPath::of(self.typing.text(), &self.folder)
    }

    /// Recomputes the items; selects the best match, or with `stay` the item selected before if it is still there.
    fn refresh(&mut self, stay: bool) {
        let before = self.items.get(self.selected).cloned();
        let (items, best) = items(self);
        self.items = items;
        let same = before.and_then(|item| self.items.iter().position(|other| *other == item));
        self.selected = same.filter(|_| stay).or(best).unwrap_or(0);
    }

    /// Moves the selection by so many items, skipping headings.
    fn select(&mut self, by: i32) {
        let step = by.signum();
        for _ in 0..by.abs() {
            let mut next = self.selected as i32 + step;
            while self.items.get(next as usize).is_some_and(OpenItem::is_heading) {
                next += step;
            }
            if next < 0 || next as usize >= self.items.len() {
                break;
            }
            self.selected = next as usize;
        }
        self.why.clear();
    }

    /// Shows why the last choice could not be opened.
    pub(super) fn refuse(&mut self, why: String) {
        self.why = why;
    }

    /// Returns the subject of the selected item's picture.
    fn subject(&self) -> Option<PreviewSubject> {
        match self.items.get(self.selected)? {
            OpenItem::Recent(i) => self
                .recent
                .get(*i)
                .filter(|(_, there)| *there)
                .map(|(files, _)| PreviewSubject::Files(files.clone())),
            OpenItem::Design { files, .. } => Some(PreviewSubject::Files(files.clone())),
            OpenItem::Preset(i) => self
                .presets
                .get(*i)
                .map(|(design, _)| PreviewSubject::Design(Box::new(design.clone()))),
            OpenItem::Drawing { path, .. } => Some(PreviewSubject::Drawing(path.clone())),
            OpenItem::Heading(_) | OpenItem::Up | OpenItem::Folder(_) | OpenItem::Rooms(_) => None,
        }
    }

    /// Returns the cached picture of the selected item.
    fn picture(&self) -> Option<&Result<Picture, String>> {
        let subject = self.subject()?;
        self.pictures
            .iter()
            .find(|(of, _)| *of == subject)
            .map(|(_, picture)| picture)
    }

    /// Requests the listing and the picture that are needed and neither cached nor pending.
    fn wishes(&mut self, app_options: crate::engine::Options, room: Size) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.room != room {
            self.room = room;
            self.pictures.clear();
            self.awaited = None;
        }
        let folder = self.place().folder;
        let known = self.listed.as_ref().is_some_and(|(listed, _)| *listed == folder);
        let asked = self.listing.as_ref().is_some_and(|(_, asked)| *asked == folder);
        if self.shows != OpenFilter::Presets && !known && !asked {
            self.listing = Some((None, folder.clone()));
            effects.push(Effect::List(folder));
        }
        let wanted = self.subject().filter(|_| room.x > 0 && self.picture().is_none());
        match wanted {
            Some(subject) if self.awaited.as_ref().is_none_or(|(_, awaited)| *awaited != subject) => {
                self.awaited = Some((None, subject.clone()));
                effects.push(Effect::Show(subject, room, app_options));
            }
            None if self.awaited.take().is_some() => effects.push(Effect::TurnAway),
            _ => {}
        }
        effects
    }
}

/// Opens the dialog.
pub(in crate::tui) fn begin(app: &mut App, shows: OpenFilter) -> Vec<Effect> {
    let folder = match app.editor.document.files().first().and_then(|path| path.parent()) {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let folder = std::path::absolute(&folder).unwrap_or(folder);
    let mut open = OpenDialog::new(shows, folder);
    open.refresh(false);
    let effects = open.wishes(app.editor.options, draw::room(app.editor.screen));
    app.dialog = Some(Dialog::Open(Box::new(open)));
    effects
}

/// Changes the state of the dialog, and returns the requests needed afterwards.
fn with(app: &mut App, change: impl FnOnce(&mut OpenDialog)) -> Vec<Effect> {
    let (options, room) = (app.editor.options, draw::room(app.editor.screen));
    let Some(Dialog::Open(open)) = &mut app.dialog else {
        return Vec::new();
    };
    change(open);
    open.wishes(options, room)
}

/// Requests pictures of another size after the screen was resized.
pub(in crate::tui) fn resized(app: &mut App) -> Vec<Effect> {
    with(app, |_| {})
}

/// Handles a reply of the preview service.
pub(in crate::tui) fn hear(app: &mut App, exhibit: PreviewReply) -> Vec<Effect> {
    with(app, |open| match exhibit {
        PreviewReply::Picture { run, picture } => {
            if let Some((_, subject)) = open.awaited.take_if(|(number, _)| *number == Some(run)) {
                open.pictures.truncate(PICTURES - 1);
                open.pictures.insert(0, (subject, picture));
            }
        }
        PreviewReply::Folder { run, found, recent } => {
            if let Some((_, folder)) = open.listing.take_if(|(number, _)| *number == Some(run)) {
                let first = open.listed.is_none();
                open.listed = Some((folder, found));
                open.recent = recent;
                open.refresh(!first);
            }
        }
    })
}

/// Moves the selection.
pub(super) fn select(app: &mut App, by: i32) -> Vec<Effect> {
    with(app, |open| open.select(by))
}

/// Passes a key to the input; returns `None` if it is not text. Backspace in an empty input goes to the parent folder.
pub(super) fn typed(app: &mut App, key: &KeyEvent) -> Option<Vec<Effect>> {
    let Some(Dialog::Open(open)) = &mut app.dialog else {
        return None;
    };
    if key.code == KeyCode::Backspace && open.typing.text().is_empty() && open.shows != OpenFilter::Presets {
        return Some(with(app, up));
    }
    if !(TextField::is_text(key) && open.typing.press(key)) {
        return None;
    }
    Some(with(app, |open| {
        open.why.clear();
        open.refresh(false);
    }))
}

/// Handles pasted text.
pub(super) fn paste(app: &mut App, text: &str) -> Vec<Effect> {
    with(app, |open| {
        open.typing.paste(text);
        open.refresh(false);
    })
}

/// Goes to the parent of the listed folder.
fn up(open: &mut OpenDialog) {
    if let Some(above) = open.place().folder.parent() {
        enter(open, above.to_owned());
    }
}

/// Lists another folder.
fn enter(open: &mut OpenDialog, folder: PathBuf) {
    open.folder = folder;
    open.typing = TextField::new(TextKind::Line, "");
    open.refresh(false);
}

/// Completes the input with the selected name.
pub(super) fn complete(app: &mut App) -> Vec<Effect> {
    with(app, |open| {
        let place = open.place();
        let text = match open.items.get(open.selected) {
            Some(OpenItem::Folder(name)) => format!("{}{name}/", place.typed),
            Some(OpenItem::Design { name, .. } | OpenItem::Drawing { name, .. }) => format!("{}{name}", place.typed),
            Some(OpenItem::Rooms(path)) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                format!("{}{name}", place.typed)
            }
            Some(OpenItem::Preset(i)) => open
                .presets
                .get(*i)
                .map(|(design, _)| design.name.clone())
                .unwrap_or_default(),
            Some(OpenItem::Recent(i)) => open
                .recent
                .get(*i)
                .and_then(|(files, _)| files.paths().first().map(|path| path.display().to_string()))
                .unwrap_or_default(),
            _ => return,
        };
        open.typing = TextField::new(TextKind::Line, text);
        open.refresh(true);
    })
}

/// Opens the selected item, or a typed file that is not listed.
pub(super) fn accept(app: &mut App) -> Vec<Effect> {
    let Some(Dialog::Open(open)) = &app.dialog else {
        return Vec::new();
    };
    let place = open.place();
    // A fully typed file takes precedence over items that match its letters.
    let typed = place.path.filter(|_| !place.rest.is_empty());
    let selected = open.items.get(open.selected).filter(|item| !item.is_heading());
    match (selected, typed) {
        (Some(_), None) => open_listed(app),
        (None, None) => Vec::new(),
        (selected, Some(path)) => {
            let fetch = ReadRequest {
                selected: selected.is_some(),
                typed: Some(path),
                ..ReadRequest::default()
            };
            {
                files::open(&mut app.files, &mut app.editor, fetch);
                Vec::new()
            }
        }
    }
}

/// Opens the selected item.
pub(in crate::tui) fn open_listed(app: &mut App) -> Vec<Effect> {
    let Some(Dialog::Open(open)) = &app.dialog else {
        return Vec::new();
    };
    match open.items.get(open.selected).cloned() {
        Some(OpenItem::Preset(i)) => {
            let Some((design, _)) = open.presets.get(i) else {
                return Vec::new();
            };
            let document = Document::new(design.clone(), available_memory(MemoryUse::Showing));
            app.dialog = None;
            app.leave(AfterSave::Open(Box::new(document)))
        }
        Some(OpenItem::Recent(i)) => match open.recent.get(i).cloned() {
            Some((files, _)) => {
                files::open(&mut app.files, &mut app.editor, files.into());
                Vec::new()
            }
            None => Vec::new(),
        },
        Some(OpenItem::Design { files, .. }) => {
            files::open(&mut app.files, &mut app.editor, files.into());
            Vec::new()
        }
        Some(OpenItem::Drawing { path, .. }) => {
            let lays = open.lays();
            import_dialog::begin(app, &path, lays)
        }
        Some(OpenItem::Rooms(path)) => name_files(app, Some(path)),
        Some(OpenItem::Folder(name)) => with(app, |open| {
            let folder = open.place().folder.join(name);
            enter(open, folder);
        }),
        Some(OpenItem::Up) => with(app, up),
        Some(OpenItem::Heading(_)) | None => Vec::new(),
    }
}

/// Opens the form for three files, filled in from the selected item.
pub(super) fn name_files(app: &mut App, rooms: Option<PathBuf>) -> Vec<Effect> {
    let Some(Dialog::Open(open)) = &app.dialog else {
        return Vec::new();
    };
    let selected = open.items.get(open.selected);
    let rooms = rooms.or_else(|| match selected {
        Some(OpenItem::Rooms(rooms)) => Some(rooms.clone()),
        _ => None,
    });
    let files = match (selected, rooms) {
        (_, Some(rooms)) => Some(DesignFiles::Legacy {
            stats: None,
            rooms,
            constants: None,
        }),
        (Some(OpenItem::Design { files, .. }), None) => Some(files.clone()),
        (Some(OpenItem::Recent(i)), None) => open.recent.get(*i).map(|(files, _)| files.clone()),
        _ => None,
    };
    let mut form = FilesForm::new(FormPurpose::Open, &app.editor.document);
    form.name(files.as_ref());
    app.dialog = Some(Dialog::Form(Box::new(form)));
    vec![Effect::TurnAway]
}

/// Selects the clicked item; a click on the selected one opens it.
pub(super) fn click(app: &mut App, at: Position) -> Vec<Effect> {
    let screen: Rect = app.editor.screen;
    let Some(Dialog::Open(open)) = &mut app.dialog else {
        return Vec::new();
    };
    let (rows, first) = draw::rows(open, screen);
    if !rows.contains(at) {
        return Vec::new();
    }
    let clicked = first + usize::from(at.y - rows.y);
    if clicked >= open.items.len() || open.items[clicked].is_heading() {
        return Vec::new();
    }
    if clicked == open.selected {
        return accept(app);
    }
    let given_up = app.cancel_files();
    let mut effects = with(app, |open| {
        open.selected = clicked;
        open.why.clear();
    });
    effects.extend(given_up);
    effects
}
