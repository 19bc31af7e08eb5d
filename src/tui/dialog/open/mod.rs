//! The dialog that opens a design: those that were opened last, those of a folder, and those that come with the program.
//!
//! What is typed filters them all; a path that is typed shows its folder and is completed. The selected design is
//! shown grown, small: a worker grows it, and it is let go when the selection moves on. Which entries there are is
//! decided in `items`, how they look in `draw`.

mod draw;
mod items;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Position, Rect};

pub(super) use self::draw::draw;
use self::items::{Item, Place, items};
use super::{Command, Dialog, Form, Purpose};
use crate::design::{Design, MemoryUse};
use crate::document::{Document, available_memory};
use crate::geometry::Size;
use crate::presets::Preset;
use crate::storage::DesignFiles;
use crate::storage::folder::Entry;
use crate::tui::app::{Action, App, Effect};
use crate::tui::files::{self, Then};
use crate::tui::intake;
use crate::tui::keys::{Binding, Context, Key, bindings};
use crate::tui::typing::{Kind, Typing};
use crate::worker::{Exhibit, Fetch, Picture, RunId, Subject};

/// Pictures that are kept while the dialog is open.
const PICTURES: usize = 64;

/// Keys of the dialog.
pub(in crate::tui) static KEYS: &[Binding] = bindings! {
    Context::Presets, "open", [Key::plain(KeyCode::Enter)], Action::Dialog(Command::Accept), true, "Open the design that is selected, or look into the folder.";
    Context::Presets, "cancel", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::CloseDialog, true, "Go back to the open design.";
    Context::Presets, "down", [Key::plain(KeyCode::Down), Key::ctrl('n')], Action::Dialog(Command::Field(1)), true, "Select the next design.";
    Context::Presets, "up", [Key::plain(KeyCode::Up), Key::ctrl('p')], Action::Dialog(Command::Field(-1)), true, "Select the design before.";
    Context::Presets, "page down", [Key::plain(KeyCode::PageDown)], Action::Dialog(Command::Field(10)), false, "Ten designs on.";
    Context::Presets, "page up", [Key::plain(KeyCode::PageUp)], Action::Dialog(Command::Field(-10)), false, "Ten designs back.";
    Context::Presets, "complete", [Key::plain(KeyCode::Tab)], Action::Dialog(Command::Complete), true, "Type the rest of the selected name or path.";
    Context::Presets, "name files", [Key::ctrl('t'), Key::plain(KeyCode::F(2))], Action::Dialog(Command::OtherFormat), true, "Name rooms, stats and constants files one by one, in any mix.";
};

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Shows {
    /// Designs, and drawings of which one can be made.
    All,
    /// The designs that come with the program.
    Presets,
    /// Drawings to be laid into the open design.
    Drawings,
}

/// What the dialog shows and what is typed in it.
#[derive(Debug)]
pub(in crate::tui) struct Open {
    shows: Shows,
    typing: Typing,
    /// The folder that is shown while no other is typed.
    folder: PathBuf,
    /// What was last told: of which folder, and what it holds.
    listed: Option<(PathBuf, Result<Vec<Entry>, String>)>,
    /// The listing that is waited for.
    listing: Option<(Option<RunId>, PathBuf)>,
    recent: Vec<(DesignFiles, bool)>,
    presets: Vec<(Design, String)>,
    items: Vec<Item>,
    /// Which item is selected; never a heading, unless there is nothing else.
    selected: usize,
    /// The picture that is waited for.
    awaited: Option<(Option<RunId>, Subject)>,
    pictures: Vec<(Subject, Result<Picture, String>)>,
    /// The most pixels of a picture: rows, two to a character, and columns. The pictures that are kept have this size.
    room: Size,
    /// Why the last choice could not be opened.
    why: String,
}

impl Open {
    /// Everything, or only what comes with the program.
    fn new(shows: Shows, folder: PathBuf) -> Self {
        let presets = Preset::all().iter().map(|preset| (preset.design(), preset.summary()));
        Self {
            shows,
            typing: Typing::new(Kind::Line, ""),
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

    /// Whether what is chosen is laid into the open design.
    pub(in crate::tui) fn lays(&self) -> bool {
        self.shows == Shows::Drawings
    }

    /// The number of the picture's wish.
    pub(in crate::tui) const fn picture_begun(&mut self, run: RunId) {
        if let Some((number, _)) = &mut self.awaited {
            *number = Some(run);
        }
    }

    /// The number of the listing's wish.
    pub(in crate::tui) const fn listing_begun(&mut self, run: RunId) {
        if let Some((number, _)) = &mut self.listing {
            *number = Some(run);
        }
    }

    /// Where what is typed leads: the folder, and the rest that filters.
    fn place(&self) -> Place {
        Place::of(self.typing.text(), &self.folder)
    }

    /// Finds the entries anew; the selection goes to the best of them, or stays where it was when `stay` says so.
    fn refresh(&mut self, stay: bool) {
        let before = self.items.get(self.selected).cloned();
        let (items, best) = items(self);
        self.items = items;
        let same = before.and_then(|item| self.items.iter().position(|other| *other == item));
        self.selected = same.filter(|_| stay).or(best).unwrap_or(0);
    }

    /// Moves the selection over what can be selected.
    fn select(&mut self, by: i32) {
        let step = by.signum();
        for _ in 0..by.abs() {
            let mut next = self.selected as i32 + step;
            while self.items.get(next as usize).is_some_and(Item::is_heading) {
                next += step;
            }
            if next < 0 || next as usize >= self.items.len() {
                break;
            }
            self.selected = next as usize;
        }
        self.why.clear();
    }

    /// Tells why the last choice could not be opened.
    pub(super) fn refuse(&mut self, why: String) {
        self.why = why;
    }

    /// What a picture of the selected item would be of.
    fn subject(&self) -> Option<Subject> {
        match self.items.get(self.selected)? {
            Item::Recent(i) => self
                .recent
                .get(*i)
                .filter(|(_, there)| *there)
                .map(|(files, _)| Subject::Files(files.clone())),
            Item::Design { files, .. } => Some(Subject::Files(files.clone())),
            Item::Preset(i) => self
                .presets
                .get(*i)
                .map(|(design, _)| Subject::Design(Box::new(design.clone()))),
            Item::Drawing { path, .. } => Some(Subject::Drawing(path.clone())),
            Item::Heading(_) | Item::Up | Item::Folder(_) | Item::Rooms(_) => None,
        }
    }

    /// The picture of the selected item, if it is there.
    fn picture(&self) -> Option<&Result<Picture, String>> {
        let subject = self.subject()?;
        self.pictures
            .iter()
            .find(|(of, _)| *of == subject)
            .map(|(_, picture)| picture)
    }

    /// Asks for the listing and the picture that are wanted and not there.
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
        if self.shows != Shows::Presets && !known && !asked {
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
pub(in crate::tui) fn begin(app: &mut App, shows: Shows) -> Vec<Effect> {
    let folder = match app.document.files().first().and_then(|path| path.parent()) {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let folder = std::path::absolute(&folder).unwrap_or(folder);
    let mut open = Open::new(shows, folder);
    open.refresh(false);
    let effects = open.wishes(app.options, draw::room(app.screen));
    app.dialog = Some(Dialog::Open(Box::new(open)));
    effects
}

/// Does something in the open dialog, and asks for what is wanted then.
fn with(app: &mut App, change: impl FnOnce(&mut Open)) -> Vec<Effect> {
    let (options, room) = (app.options, draw::room(app.screen));
    let Some(Dialog::Open(open)) = &mut app.dialog else {
        return Vec::new();
    };
    change(open);
    open.wishes(options, room)
}

/// Asks for pictures of another size, after the screen changed.
pub(in crate::tui) fn resized(app: &mut App) -> Vec<Effect> {
    with(app, |_| {})
}

/// Takes what the gallery tells.
pub(in crate::tui) fn hear(app: &mut App, exhibit: Exhibit) -> Vec<Effect> {
    with(app, |open| match exhibit {
        Exhibit::Picture { run, picture } => {
            if let Some((_, subject)) = open.awaited.take_if(|(number, _)| *number == Some(run)) {
                open.pictures.truncate(PICTURES - 1);
                open.pictures.insert(0, (subject, picture));
            }
        }
        Exhibit::Folder { run, found, recent } => {
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

/// Gives a key to what is typed; whether it was text. Backspace where nothing is typed goes to the folder above.
pub(super) fn typed(app: &mut App, key: &KeyEvent) -> Option<Vec<Effect>> {
    let Some(Dialog::Open(open)) = &mut app.dialog else {
        return None;
    };
    if key.code == KeyCode::Backspace && open.typing.text().is_empty() && open.shows != Shows::Presets {
        return Some(with(app, up));
    }
    if !(Typing::is_text(key) && open.typing.press(key)) {
        return None;
    }
    Some(with(app, |open| {
        open.why.clear();
        open.refresh(false);
    }))
}

/// Takes what was pasted.
pub(super) fn paste(app: &mut App, text: &str) -> Vec<Effect> {
    with(app, |open| {
        open.typing.paste(text);
        open.refresh(false);
    })
}

/// Goes to the folder above the one that is shown.
fn up(open: &mut Open) {
    if let Some(above) = open.place().folder.parent() {
        enter(open, above.to_owned());
    }
}

/// Shows another folder.
fn enter(open: &mut Open, folder: PathBuf) {
    open.folder = folder;
    open.typing = Typing::new(Kind::Line, "");
    open.refresh(false);
}

/// Types the rest of the selected name.
pub(super) fn complete(app: &mut App) -> Vec<Effect> {
    with(app, |open| {
        let place = open.place();
        let text = match open.items.get(open.selected) {
            Some(Item::Folder(name)) => format!("{}{name}/", place.typed),
            Some(Item::Design { name, .. } | Item::Drawing { name, .. }) => format!("{}{name}", place.typed),
            Some(Item::Rooms(path)) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                format!("{}{name}", place.typed)
            }
            Some(Item::Preset(i)) => open
                .presets
                .get(*i)
                .map(|(design, _)| design.name.clone())
                .unwrap_or_default(),
            Some(Item::Recent(i)) => open
                .recent
                .get(*i)
                .and_then(|(files, _)| files.paths().first().map(|path| path.display().to_string()))
                .unwrap_or_default(),
            _ => return,
        };
        open.typing = Typing::new(Kind::Line, text);
        open.refresh(true);
    })
}

/// Opens what is selected, or a file that is typed and not in the list.
pub(super) fn accept(app: &mut App) -> Vec<Effect> {
    let Some(Dialog::Open(open)) = &app.dialog else {
        return Vec::new();
    };
    let place = open.place();
    // A file that is typed to its end is meant, whatever else its letters would find.
    let typed = place.path.filter(|_| !place.rest.is_empty());
    let selected = open.items.get(open.selected).filter(|item| !item.is_heading());
    match (selected, typed) {
        (Some(_), None) => open_listed(app),
        (None, None) => Vec::new(),
        (selected, Some(path)) => {
            let fetch = Fetch {
                selected: selected.is_some(),
                typed: Some(path),
                ..Fetch::default()
            };
            files::open(app, fetch)
        }
    }
}

/// Opens what is selected.
pub(in crate::tui) fn open_listed(app: &mut App) -> Vec<Effect> {
    let Some(Dialog::Open(open)) = &app.dialog else {
        return Vec::new();
    };
    match open.items.get(open.selected).cloned() {
        Some(Item::Preset(i)) => {
            let Some((design, _)) = open.presets.get(i) else {
                return Vec::new();
            };
            let document = Document::new(design.clone(), available_memory(MemoryUse::Showing));
            app.dialog = None;
            files::proceed(app, Then::Open(Box::new(document)))
        }
        Some(Item::Recent(i)) => match open.recent.get(i).cloned() {
            Some((files, _)) => files::open(app, files.into()),
            None => Vec::new(),
        },
        Some(Item::Design { files, .. }) => files::open(app, files.into()),
        Some(Item::Drawing { path, .. }) => {
            let lays = open.lays();
            intake::begin(app, &path, lays)
        }
        Some(Item::Rooms(path)) => name_files(app, Some(path)),
        Some(Item::Folder(name)) => with(app, |open| {
            let folder = open.place().folder.join(name);
            enter(open, folder);
        }),
        Some(Item::Up) => with(app, up),
        Some(Item::Heading(_)) | None => Vec::new(),
    }
}

/// Goes to the form that names the three files, with what is selected in it.
pub(super) fn name_files(app: &mut App, rooms: Option<PathBuf>) -> Vec<Effect> {
    let Some(Dialog::Open(open)) = &app.dialog else {
        return Vec::new();
    };
    let selected = open.items.get(open.selected);
    let rooms = rooms.or_else(|| match selected {
        Some(Item::Rooms(rooms)) => Some(rooms.clone()),
        _ => None,
    });
    let files = match (selected, rooms) {
        (_, Some(rooms)) => Some(DesignFiles::Legacy {
            stats: None,
            rooms,
            constants: None,
        }),
        (Some(Item::Design { files, .. }), None) => Some(files.clone()),
        (Some(Item::Recent(i)), None) => open.recent.get(*i).map(|(files, _)| files.clone()),
        _ => None,
    };
    let mut form = Form::new(Purpose::Open, &app.document);
    form.name(files.as_ref());
    app.dialog = Some(Dialog::Form(Box::new(form)));
    vec![Effect::TurnAway]
}

/// Selects what was clicked; a click on what is selected opens it.
pub(super) fn click(app: &mut App, at: Position) -> Vec<Effect> {
    let screen: Rect = app.screen;
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
    let given_up = files::give_up(app);
    let mut effects = with(app, |open| {
        open.selected = clicked;
        open.why.clear();
    });
    effects.extend(given_up);
    effects
}
