//! The dialog for choosing a design or a drawing: a recently opened design, a file in a folder, a preset or a dungeon
//! code. The designer opens or imports the choice, compares with it, learns from it, or copies a part of it.
//!
//! The input filters all entries; if the input is a path, its folder is listed and the path can be completed. A worker
//! grows the selected design and renders a small picture; when the selection changes, the request is cancelled. The
//! module `items` computes the entries, and `draw` draws them.

mod draw;
mod items;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::layout::Rect;

use self::items::{OpenItem, TypedPath, items};
use crate::background::{
    FolderReply, FolderRequest, JobError, Picture, PictureRequest, PreviewSubject, ReadRequest, Ticket,
};
use crate::design::{Design, MemoryUse};
use crate::document::{Document, DungeonCode, available_memory};
use crate::geometry::Size;
use crate::presets::Preset;
use crate::storage::folder::FolderEntry;
use crate::storage::{DesignFiles, folder_of};
use crate::tui::commands::DesignPart;
use crate::tui::editor::Editor;
use crate::tui::jobs::JobHandle;
use crate::tui::keymap::Context;
use crate::tui::widget::list::{ListClick, ListState, ListStep, VisibleRows};
use crate::tui::widget::prompt::{PasteCut, TextField, TextKind};

/// Number of pictures cached while the dialog is open.
const PICTURES: usize = 64;

/// The kind of entries to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum OpenFilter {
    /// Designs, and drawings that can be imported as designs.
    All,
    Presets,
    /// The same as `All`, to compare with the open design.
    Compared,
    /// Drawings to import into the open design.
    Drawings,
    /// Designs and drawings to learn from.
    Examples,
}

/// The user's choice in the dialog.
#[derive(Debug)]
pub(in crate::tui) enum OpenChoice {
    /// Nothing yet.
    Nothing,
    /// A design that is already in memory.
    Design(Box<Document>),
    /// Files to read the design from.
    Read(Box<ReadRequest>),
    /// A drawing to import, by its path.
    Drawing(PathBuf),
    /// The user wants to type the paths of three files; the form starts with these paths, if any.
    Files(Option<DesignFiles>),
}

/// A preset with the texts that the dialog shows.
#[derive(Debug)]
struct ListedPreset {
    /// The name by which the command line knows the preset.
    id: &'static str,
    design: Design,
    summary: String,
}

/// The state of the dialog.
#[derive(Debug)]
pub(in crate::tui) struct OpenDialog {
    shows: OpenFilter,
    typing: TextField,
    /// Folder that is listed unless the input contains another folder.
    folder: PathBuf,
    /// Last listing: the folder and its entries, or an error.
    listed: Option<(PathBuf, Result<Vec<FolderEntry>, String>)>,
    /// Pending listing request.
    listing: Option<JobHandle<PathBuf>>,
    recent: Vec<(DesignFiles, bool)>,
    presets: Vec<ListedPreset>,
    items: Vec<OpenItem>,
    /// The selected item; a heading is selected only if the list contains nothing else.
    list: ListState,
    /// Index of the best match, selected unless the user selects another item.
    best: usize,
    /// Pending picture request.
    awaited: Option<JobHandle<PreviewSubject>>,
    pictures: Vec<(PreviewSubject, Result<Picture, String>)>,
    /// Maximum size of a picture in pixels, with two rows of pixels per character row. The cached pictures were
    /// rendered for this size.
    room: Size,
    /// Why the last choice could not be opened.
    why: String,
    /// Part of the chosen design to copy into the open design; `None` to open the chosen design instead.
    part: Option<DesignPart>,
}

impl OpenDialog {
    /// Creates the state with an empty input.
    fn new(shows: OpenFilter, folder: PathBuf) -> Self {
        let presets = Preset::all().iter().map(|preset| ListedPreset {
            id: preset.name,
            design: preset.design(),
            summary: preset.summary(),
        });
        Self {
            shows,
            typing: TextField::new(TextKind::Line, ""),
            folder,
            listed: None,
            listing: None,
            recent: Vec::new(),
            presets: presets.collect(),
            items: Vec::new(),
            list: ListState::default(),
            best: 0,
            awaited: None,
            pictures: Vec::new(),
            room: Size::new(0, 0),
            why: String::new(),
            part: None,
        }
    }

    /// Sets which part of the chosen design is copied into the open design; `None` opens the chosen design.
    pub(in crate::tui) const fn copy_part(&mut self, part: Option<DesignPart>) {
        self.part = part;
    }

    /// Returns which part of the chosen design is copied into the open design; `None` if the dialog does not copy a
    /// part.
    pub(in crate::tui::dialog) const fn part(&self) -> Option<DesignPart> {
        self.part
    }

    /// Returns the key context.
    pub(in crate::tui) const fn context(&self) -> Context {
        match self.shows {
            OpenFilter::All | OpenFilter::Presets => Context::Presets,
            OpenFilter::Compared | OpenFilter::Drawings | OpenFilter::Examples => Context::ChooseList,
        }
    }

    /// Returns the kind of entries that the dialog lists.
    pub(in crate::tui) const fn filter(&self) -> OpenFilter {
        self.shows
    }

    /// Returns the interpretation of the input.
    fn place(&self) -> TypedPath {
        TypedPath::of(self.typing.text(), &self.folder)
    }

    /// Recomputes the items and selects the best match. With `stay`, keeps the selected item if it is still in the
    /// list.
    fn refresh(&mut self, stay: bool) {
        let before = self.item().cloned();
        let (items, best) = items(self);
        self.items = items;
        let same = before.and_then(|item| self.items.iter().position(|other| *other == item));
        self.best = same.filter(|_| stay).or(best).unwrap_or(0);
        self.list = ListState::default();
    }

    /// Returns the visible items.
    fn visible(&self, screen: Rect) -> VisibleRows {
        self.list.visible(draw::list_area(screen), self.items.len(), self.best)
    }

    /// Returns the selected item.
    fn item(&self) -> Option<&OpenItem> {
        self.items.get(self.visible(Rect::ZERO).selected)
    }

    /// Returns why the last choice could not be opened; empty if it was not rejected.
    pub(in crate::tui) fn why(&self) -> &str {
        &self.why
    }

    /// Shows why the last choice could not be opened.
    pub(in crate::tui) fn reject(&mut self, why: String) {
        self.why = why;
    }

    /// Returns the subject of the selected item's picture.
    fn subject(&self) -> Option<PreviewSubject> {
        match self.item()? {
            OpenItem::Recent(i) => self
                .recent
                .get(*i)
                .filter(|(_, there)| *there)
                .map(|(files, _)| PreviewSubject::Files(files.clone())),
            OpenItem::Design { files, .. } => Some(PreviewSubject::Files(files.clone())),
            OpenItem::Preset(i) => self
                .presets
                .get(*i)
                .map(|preset| PreviewSubject::Design(Box::new(preset.design.clone()))),
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

    /// Requests the folder listing and the picture that the dialog needs, unless they are cached or already requested.
    fn request(&mut self, editor: &mut Editor) {
        let room = draw::room(editor.screen);
        if self.room != room {
            self.room = room;
            self.pictures.clear();
            self.awaited = None;
        }
        let folder = self.place().folder;
        let known = self.listed.as_ref().is_some_and(|(listed, _)| *listed == folder);
        let is_listing = self.listing.as_ref().is_some_and(|job| job.purpose == folder);
        if self.shows != OpenFilter::Presets && !known && !is_listing {
            self.listing = Some(editor.start(FolderRequest(folder.clone()), folder));
        }
        let wanted = self.subject().filter(|_| room.x > 0 && self.picture().is_none());
        match wanted {
            Some(subject) if self.awaited.as_ref().is_none_or(|job| job.purpose != subject) => {
                let request = PictureRequest {
                    subject: subject.clone(),
                    room,
                    options: editor.options,
                };
                self.awaited = Some(editor.start(request, subject));
            }
            None => self.awaited = None,
            Some(_) => {}
        }
    }

    /// Creates the dialog, which lists the folder of the open design at first.
    pub(in crate::tui) fn begin(editor: &mut Editor, shows: OpenFilter) -> Self {
        let files = editor.document.files();
        let folder = files.first().map_or(Path::new("."), |file| folder_of(file));
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let mut open = Self::new(shows, folder);
        open.refresh(false);
        open.request(editor);
        open
    }

    /// Requests the picture in the new size after the screen was resized.
    pub(in crate::tui) fn resized(&mut self, editor: &mut Editor) {
        self.request(editor);
    }

    /// Handles the reply with the contents of a folder.
    pub(in crate::tui) fn handle_folder(
        &mut self,
        editor: &mut Editor,
        ticket: &Ticket,
        reply: Result<FolderReply, JobError>,
    ) {
        if let Some(listing) = self.listing.take_if(|job| job.has(ticket)) {
            let first = self.listed.is_none();
            let (found, recent) = match reply {
                Ok(reply) => (reply.found.map_err(|error| error.to_string()), reply.recent),
                Err(error) => (Err(error.to_string()), Vec::new()),
            };
            self.listed = Some((listing.purpose, found));
            self.recent = recent;
            self.refresh(!first || self.list.selected_by_user().is_some());
        }
        self.request(editor);
    }

    /// Handles the reply with a picture of a design.
    pub(in crate::tui) fn handle_picture(
        &mut self,
        editor: &mut Editor,
        ticket: &Ticket,
        reply: Result<Result<Picture, String>, JobError>,
    ) {
        if let Some(job) = self.awaited.take_if(|job| job.has(ticket)) {
            let picture = reply.unwrap_or_else(|error| Err(error.to_string()));
            self.pictures.truncate(PICTURES - 1);
            self.pictures.insert(0, (job.purpose, picture));
        }
        self.request(editor);
    }

    /// Moves the selection.
    pub(in crate::tui) fn step(&mut self, editor: &mut Editor, step: ListStep) {
        let visible = self.visible(editor.screen);
        self.list.step_over(step, visible, |item| self.items[item].is_heading());
        self.why.clear();
        self.request(editor);
    }

    /// Handles the mouse in the list.
    pub(in crate::tui) fn mouse(&mut self, editor: &mut Editor, mouse: MouseEvent) -> Option<ListClick> {
        let visible = self.visible(editor.screen);
        let clicked = self.list.mouse(mouse, visible, |item| self.items[item].is_heading());
        if clicked == Some(ListClick::Selected) {
            self.why.clear();
            self.request(editor);
        }
        clicked
    }

    /// Passes a key to the input. Returns whether the dialog handled the key. Backspace in an empty input goes to the
    /// parent folder.
    pub(in crate::tui) fn typed(&mut self, editor: &mut Editor, key: &KeyEvent) -> bool {
        if key.code == KeyCode::Backspace && self.typing.text().is_empty() && self.shows != OpenFilter::Presets {
            self.go_up();
        } else if TextField::is_text(key) && self.typing.press(key) {
            self.why.clear();
            self.refresh(false);
        } else {
            return false;
        }
        self.request(editor);
        true
    }

    /// Inserts pasted text.
    pub(in crate::tui) fn paste(&mut self, editor: &mut Editor, text: &str) -> Option<PasteCut> {
        let cut = self.typing.paste(text);
        self.why.clear();
        self.refresh(false);
        self.request(editor);
        cut
    }

    /// Goes to the parent of the listed folder.
    fn go_up(&mut self) {
        if let Some(above) = self.place().folder.parent() {
            self.enter(above.to_owned());
        }
    }

    /// Lists another folder.
    fn enter(&mut self, folder: PathBuf) {
        self.folder = folder;
        self.typing = TextField::new(TextKind::Line, "");
        self.why.clear();
        self.refresh(false);
    }

    /// Completes the input with the selected name.
    pub(in crate::tui) fn complete(&mut self, editor: &mut Editor) {
        if let Some(text) = self.completed() {
            self.typing = TextField::new(TextKind::Line, text);
            self.why.clear();
            self.refresh(true);
            self.request(editor);
        }
    }

    /// Returns the input completed with the selected name.
    fn completed(&self) -> Option<String> {
        let typed = self.place().typed;
        Some(match self.item()? {
            OpenItem::Folder(name) => format!("{typed}{name}/"),
            OpenItem::Design { name, .. } | OpenItem::Drawing { name, .. } => format!("{typed}{name}"),
            OpenItem::Rooms(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                format!("{typed}{name}")
            }
            OpenItem::Preset(i) => self.presets.get(*i)?.design.name.clone(),
            OpenItem::Recent(i) => self.recent.get(*i)?.0.paths().first()?.display().to_string(),
            OpenItem::Heading(_) | OpenItem::Up => return None,
        })
    }

    /// Chooses the typed dungeon code or the typed file, or else the selected item.
    pub(in crate::tui) fn accept(&mut self, editor: &mut Editor) -> OpenChoice {
        if DungeonCode::is_code(self.typing.text()) {
            return match DungeonCode::read(self.typing.text()) {
                Ok(code) => {
                    let document = Document::of_code(code, available_memory(MemoryUse::Showing));
                    OpenChoice::Design(Box::new(document))
                }
                Err(error) => {
                    self.reject(error.to_string());
                    OpenChoice::Nothing
                }
            };
        }
        let place = self.place();
        // A typed path to a file takes precedence over the items that match its name. If there is no such file, the
        // selected item is opened, provided that `ReadRequest::selected` is set.
        let is_selected = self.item().is_some_and(|item| !item.is_heading());
        // A filter that matches no item is also taken as the name of a file.
        let name = (!is_selected).then(|| place.folder.join(&place.rest));
        let typed = place.path.or(name).filter(|_| !place.rest.is_empty());
        match typed {
            None if is_selected => self.choose(editor),
            None => OpenChoice::Nothing,
            Some(path) => OpenChoice::Read(Box::new(ReadRequest {
                selected: is_selected,
                typed: Some(path),
                ..ReadRequest::default()
            })),
        }
    }

    /// Chooses the selected item. A folder is not chosen, but listed.
    pub(in crate::tui) fn choose(&mut self, editor: &mut Editor) -> OpenChoice {
        match self.item().cloned() {
            Some(OpenItem::Preset(i)) => {
                let Some(preset) = self.presets.get(i) else {
                    return OpenChoice::Nothing;
                };
                let document = Document::new(preset.design.clone(), available_memory(MemoryUse::Showing));
                return OpenChoice::Design(Box::new(document));
            }
            Some(OpenItem::Recent(i)) => {
                let recent = self.recent.get(i).cloned();
                return recent.map_or(OpenChoice::Nothing, |(files, _)| {
                    OpenChoice::Read(Box::new(files.into()))
                });
            }
            Some(OpenItem::Design { files, .. }) => return OpenChoice::Read(Box::new(files.into())),
            Some(OpenItem::Drawing { path, .. }) => return OpenChoice::Drawing(path),
            Some(OpenItem::Rooms(_)) => return self.files_choice(),
            Some(OpenItem::Folder(name)) => {
                let folder = self.place().folder.join(name);
                self.enter(folder);
            }
            Some(OpenItem::Up) => self.go_up(),
            Some(OpenItem::Heading(_)) | None => return OpenChoice::Nothing,
        }
        self.request(editor);
        OpenChoice::Nothing
    }

    /// Returns the choice to type the paths of three files; the form starts with the files of the selected item.
    pub(in crate::tui) fn files_choice(&self) -> OpenChoice {
        OpenChoice::Files(match self.item() {
            Some(OpenItem::Rooms(rooms)) => Some(DesignFiles::Legacy {
                stats: None,
                rooms: rooms.clone(),
                constants: None,
            }),
            Some(OpenItem::Design { files, .. }) => Some(files.clone()),
            Some(OpenItem::Recent(i)) => self.recent.get(*i).map(|(files, _)| files.clone()),
            _ => None,
        })
    }
}
