//! The items in the list of the dialog for opening designs. The items depend on the typed input.

use std::path::{Path, PathBuf};

use super::{OpenDialog, OpenFilter};
use crate::storage::DesignFiles;
use crate::storage::folder::{EntryKind, FolderEntry};
use crate::tui::palette::score;
use crate::tui::widget::prompt::expanded;

/// An item of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OpenItem {
    /// A heading for the lines below.
    Heading(String),
    /// A recently opened design, by its index in [`OpenDialog::recent`].
    Recent(usize),
    /// The parent folder.
    Up,
    Folder(String),
    /// A design in the folder.
    Design {
        /// Name of the design's first file.
        name: String,
        files: DesignFiles,
    },
    /// A rooms file whose stats file was not found.
    Rooms(PathBuf),
    /// A drawing made by another program.
    Drawing {
        /// Name of the drawing's file in the folder.
        name: String,
        path: PathBuf,
    },
    /// A preset, by its index in [`OpenDialog::presets`].
    Preset(usize),
}

impl OpenItem {
    /// Returns whether the item is a heading, which cannot be selected.
    pub(super) const fn is_heading(&self) -> bool {
        matches!(self, Self::Heading(_))
    }
}

/// The typed input, split into a folder and a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TypedPath {
    /// Folder whose designs are listed.
    pub folder: PathBuf,
    /// Input up to and including the last slash, as typed; empty if the input is not a path.
    pub typed: String,
    /// Rest of the input, which filters the list.
    pub rest: String,
    /// The whole input as a path, if it is one.
    pub path: Option<PathBuf>,
}

impl TypedPath {
    /// Interprets the input: as a path relative to `folder` if it contains a slash, otherwise as a filter for the list.
    pub(super) fn of(text: &str, folder: &Path) -> Self {
        // `~` alone also means the home folder, even before its slash is typed.
        let text = if text == "~" { "~/" } else { text };
        let Some(slash) = text.rfind(std::path::is_separator) else {
            return Self {
                folder: folder.to_owned(),
                typed: String::new(),
                rest: text.to_owned(),
                path: None,
            };
        };
        let (typed, rest) = text.split_at(slash + 1);
        let named = |text: &str| folder.join(expanded(text).unwrap_or_default());
        Self {
            folder: named(typed),
            typed: typed.to_owned(),
            rest: rest.to_owned(),
            path: Some(named(text)),
        }
    }
}

/// Returns the items for the input, and the index of the item to select; `None` if there are no items. The item to
/// select is the best match for the filter. Without a filter, it is the first item that is neither a heading nor the
/// parent folder; the parent folder is selected only if there is no such item.
pub(super) fn items(open: &OpenDialog) -> (Vec<OpenItem>, Option<usize>) {
    let place = open.place();
    let mut list = List {
        rest: &place.rest,
        items: Vec::new(),
        best: None,
    };
    let path = place.path.is_some();
    let has_designs = matches!(
        open.shows,
        OpenFilter::All | OpenFilter::Compared | OpenFilter::Examples
    );
    if !path && has_designs {
        let recent = open.recent.iter().enumerate();
        let recent = recent.map(|(i, (files, _))| {
            let (name, folder) = name_and_folder(files);
            (vec![format!("{name}  {folder}")], OpenItem::Recent(i))
        });
        list.section("Recently opened", recent);
    }
    if open.shows != OpenFilter::Presets {
        let heading = place.folder.display().to_string();
        let found = match &open.listed {
            Some((folder, Ok(entries))) if *folder == place.folder => entries.as_slice(),
            _ => &[],
        };
        let up = place.folder.parent().is_some() && place.rest.is_empty();
        let up = up.then(|| (vec![String::new()], OpenItem::Up));
        let is_shown = |entry: &&FolderEntry| match entry.kind {
            EntryKind::Folder | EntryKind::Drawing(_) => true,
            EntryKind::Design(_) | EntryKind::Rooms(_) => has_designs,
        };
        let entries = found.iter().filter(is_shown).map(|entry| {
            let item = match &entry.kind {
                EntryKind::Folder => OpenItem::Folder(entry.name.clone()),
                EntryKind::Design(files) => OpenItem::Design {
                    name: entry.name.clone(),
                    files: files.clone(),
                },
                EntryKind::Rooms(path) => OpenItem::Rooms(path.clone()),
                EntryKind::Drawing(path) => OpenItem::Drawing {
                    name: entry.name.clone(),
                    path: path.clone(),
                },
            };
            (vec![entry.name.clone()], item)
        });
        list.section(&heading, up.into_iter().chain(entries));
    }
    if !path && open.shows != OpenFilter::Drawings {
        let presets = open.presets.iter().enumerate();
        let presets = presets.map(|(i, preset)| {
            let names = vec![preset.design.name.clone(), preset.id.to_owned()];
            (names, OpenItem::Preset(i))
        });
        list.section("Built-in presets", presets);
    }
    let first = list
        .items
        .iter()
        .position(|item| !item.is_heading() && *item != OpenItem::Up);
    let first = first.or_else(|| list.items.iter().position(|item| !item.is_heading()));
    let best = list.best.filter(|_| !place.rest.is_empty()).map(|(_, at)| at);
    (list.items, best.or(first))
}

struct List<'a> {
    rest: &'a str,
    items: Vec<OpenItem>,
    /// Best score, and the index of its item.
    best: Option<(i32, usize)>,
}

impl List<'_> {
    /// Adds a heading and, below it, the entries with a name that matches the filter. Adds nothing if no entry matches.
    fn section(&mut self, heading: &str, entries: impl Iterator<Item = (Vec<String>, OpenItem)>) {
        let mut begun = false;
        for (names, item) in entries {
            let scores = names.iter().filter_map(|name| score(self.rest, name));
            let Some(score) = scores.map(|(score, _)| score).max() else {
                continue;
            };
            if !begun {
                self.items.push(OpenItem::Heading(heading.to_owned()));
                begun = true;
            }
            if self.best.is_none_or(|(best, _)| score > best) {
                self.best = Some((score, self.items.len()));
            }
            self.items.push(item);
        }
    }
}

/// Returns the name and the folder of a design's first file.
pub(super) fn name_and_folder(files: &DesignFiles) -> (String, String) {
    let path = files.paths().into_iter().next().unwrap_or_default();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new(""));
    (name.into_owned(), folder.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_its_folder() {
        let of = |text: &str| {
            let place = TypedPath::of(text, Path::new("/home/me/designs"));
            (place.folder.display().to_string(), place.typed, place.rest)
        };
        let description = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(of("cast"), description("/home/me/designs", "", "cast"));
        assert_eq!(of("old/cast"), description("/home/me/designs/old/", "old/", "cast"));
        assert_eq!(of("/tmp/x.toml"), description("/tmp/", "/tmp/", "x.toml"));
        assert_eq!(of("/"), description("/", "/", ""));
        let home = std::env::home_dir().unwrap();
        assert_eq!(TypedPath::of("~", Path::new("/x")).folder, home.join(""));
        assert_eq!(TypedPath::of("~/a/b", Path::new("/x")).folder, home.join("a/"));
    }
}
