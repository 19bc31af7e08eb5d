//! The level files of the vault browser: those bundled with the program, those named by the design, and those opened by
//! path. The bundled files form one library, and every other file is a library of its own, as in designs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::background::{MapFacts, VaultRunReply};
use crate::design::{Design, Severity};
use crate::document::LevelFileBytes;
use crate::presets;
use crate::text::is_control;
use crate::vault::portals::Portals;
use crate::vault::source::{self, VaultFile};
use crate::vault::{Library, MapId};

/// A map in the browser: the index of its group, and its id in the group's library.
pub(super) type ChosenMap = (usize, MapId);

/// The lines of a level file, prepared for display.
#[derive(Debug)]
struct LevelFileLines {
    file: String,
    lines: Vec<String>,
}

/// The maps of one level file, or of all bundled ones.
#[derive(Debug)]
pub(super) struct MapGroup {
    /// The file's name in designs; empty for the bundled files.
    pub(super) file: String,
    /// The file's path; `None` for the bundled files.
    path: Option<PathBuf>,
    bytes: Vec<u8>,
    /// The library of the group's maps.
    pub(super) library: Arc<Library>,
    texts: Vec<LevelFileLines>,
    /// The error, if the file could not be read.
    pub(super) why: Option<String>,
    facts: Vec<MapFacts>,
    /// The portals between the group's maps; `None` until a reply contains them.
    pub(super) portals: Option<Portals>,
    /// Whether the user opened the file; if not, the group is removed when the design no longer names the file.
    opened: bool,
}

impl MapGroup {
    /// Returns the group of the bundled level files.
    fn own() -> Self {
        let files: Vec<VaultFile> = presets::level_files().collect();
        let text = |name: &str| presets::level_file(name).unwrap_or_default().as_bytes();
        let texts = files
            .iter()
            .map(|file| LevelFileLines::new(&file.name, text(&file.name)));
        Self::new(texts.collect(), files)
    }

    fn new(texts: Vec<LevelFileLines>, files: Vec<VaultFile>) -> Self {
        let library = Library::new(files);
        Self {
            texts,
            facts: library
                .ids()
                .map(|map| MapFacts::of_headers(library.map(map)))
                .collect(),
            library: Arc::new(library),
            file: String::new(),
            path: None,
            bytes: Vec::new(),
            why: None,
            portals: None,
            opened: false,
        }
    }

    fn read(file: &str, path: PathBuf, levels: &LevelFileBytes, opened: bool) -> Self {
        let (bytes, why) = match levels.bytes(&path) {
            Ok(bytes) => (bytes, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        let name = path.display().to_string();
        let files = match why {
            None => vec![source::read(&name, &bytes)],
            Some(_) => Vec::new(),
        };
        let group = Self::new(vec![LevelFileLines::new(&name, &bytes)], files);
        Self {
            file: file.to_owned(),
            bytes,
            path: Some(path),
            why,
            opened,
            ..group
        }
    }

    /// Returns the file's name in a design stored in `folder`, which may differ from the folder from which the file was
    /// opened. Returns an empty name for the bundled files, and `None` if the path cannot be stored as text.
    pub(super) fn named(&self, folder: &Path) -> Option<String> {
        match &self.path {
            None => Some(String::new()),
            Some(path) => named(path, folder),
        }
    }

    /// Returns the title shown in the list.
    pub(super) fn title(&self) -> String {
        match &self.path {
            None => "built in".into(),
            Some(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// Returns the facts about a map. The compile run executes the map's Lua code once to find errors; until it has
    /// finished, the facts come from the map's headers.
    pub(super) fn facts(&self, map: MapId) -> Option<&MapFacts> {
        self.facts.get(map.index())
    }

    /// Returns the maps with this name, in library order.
    pub(super) fn named_maps(&self, name: &str) -> impl Iterator<Item = MapId> {
        self.library
            .ids()
            .filter(move |map| self.library.map(*map).name == name)
    }

    /// Returns the number of errors in the text of the group's files.
    pub(super) fn errors(&self) -> usize {
        let problems = self.library.files().iter().flat_map(|file| &file.problems);
        problems
            .chain(self.library.problems())
            .filter(|problem| problem.severity == Severity::Error)
            .count()
    }

    /// Returns the lines of the file that contains the map.
    pub(super) fn lines(&self, map: MapId) -> &[String] {
        let file = &self.library.file(map).name;
        let text = self.texts.iter().find(|text| text.file == *file);
        text.map_or(&[], |text| &text.lines)
    }

    /// Returns whether each of the words occurs in the map's name, tags or file name. `words` must be in lower case.
    fn matches(&self, map: MapId, words: &[String]) -> bool {
        let name = self.library.map(map).name.to_lowercase();
        let tags = self
            .facts(map)
            .map_or_else(String::new, |facts| facts.tags.to_lowercase());
        let file = self.library.file(map).name.to_lowercase();
        words
            .iter()
            .all(|word| name.contains(word) || tags.contains(word) || file.contains(word))
    }
}

impl LevelFileLines {
    fn new(file: &str, bytes: &[u8]) -> Self {
        let lines = String::from_utf8_lossy(bytes);
        let lines = lines.lines().map(|line| {
            let line = line.replace('\t', "    ");
            line.chars().map(|c| if is_control(c) { '·' } else { c }).collect()
        });
        Self {
            file: file.to_owned(),
            lines: lines.collect(),
        }
    }
}

/// Returns a path as a design in `folder` names it: relative if the path lies below `folder`, otherwise absolute;
/// unchanged if `folder` is empty.
fn named(path: &Path, folder: &Path) -> Option<String> {
    if folder.as_os_str().is_empty() {
        return path.to_str().map(str::to_owned);
    }
    let (whole, folder) = (std::path::absolute(path).ok()?, std::path::absolute(folder).ok()?);
    whole
        .strip_prefix(&folder)
        .unwrap_or(&whole)
        .to_str()
        .map(str::to_owned)
}

/// All groups of the browser.
#[derive(Debug, Default)]
pub(super) struct VaultLibrary {
    pub(super) groups: Vec<MapGroup>,
}

impl VaultLibrary {
    /// Loads the bundled files and the files named by the design, and removes files that the design no longer names.
    /// Files opened by the user stay. Files already loaded are not read again.
    pub(super) fn fill(&mut self, design: &Design, folder: &Path) {
        if self.groups.is_empty() {
            self.groups.push(MapGroup::own());
        }
        let mut named: Vec<&str> = design.layout.vaults.iter().map(|entry| entry.file.as_str()).collect();
        named.retain(|file| !file.is_empty());
        named.sort_unstable();
        named.dedup();
        let wanted: Vec<(&str, PathBuf)> = named.into_iter().map(|file| (file, folder.join(file))).collect();
        self.groups.retain(|group| {
            let named = wanted.iter().any(|(_, path)| group.path.as_ref() == Some(path));
            group.path.is_none() || group.opened || named
        });
        for (file, path) in wanted {
            match self.groups.iter_mut().find(|group| group.path.as_ref() == Some(&path)) {
                Some(group) => file.clone_into(&mut group.file),
                None => self
                    .groups
                    .push(MapGroup::read(file, path, &LevelFileBytes::default(), false)),
            }
        }
    }

    /// Opens a file for a design in `folder`; returns the group's index, or why the file cannot be opened.
    pub(super) fn open(&mut self, path: &Path, folder: &Path) -> Result<usize, String> {
        let file = named(path, folder).ok_or("the path is not valid text, so a design cannot store it")?;
        let path = folder.join(&file);
        let known = self.groups.iter().position(|group| group.path.as_ref() == Some(&path));
        if let Some(known) = known.filter(|known| !self.groups[*known].library.is_empty()) {
            return Ok(known);
        }
        let group = MapGroup::read(&file, path, &LevelFileBytes::default(), true);
        if let Some(why) = group.why {
            return Err(why);
        }
        if group.library.is_empty() {
            return Err(format!("{} has no map", group.title()));
        }
        if let Some(known) = known {
            self.groups[known] = group;
            return Ok(known);
        }
        self.groups.push(group);
        Ok(self.groups.len() - 1)
    }

    /// Returns the files to watch.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.groups.iter().filter_map(|group| group.path.clone())
    }

    /// Reloads the files whose contents changed; returns the indexes of their groups.
    pub(super) fn reread(&mut self, levels: &LevelFileBytes) -> Vec<usize> {
        let mut changed = Vec::new();
        for (place, group) in self.groups.iter_mut().enumerate() {
            let Some(path) = &group.path else { continue };
            let same = levels
                .bytes(path)
                .map_or(group.why.is_some(), |now| group.why.is_none() && now == group.bytes);
            if !same {
                *group = MapGroup::read(&group.file, path.clone(), levels, group.opened);
                changed.push(place);
            }
        }
        changed
    }

    /// Stores a reply about a library; returns whether the library belongs to one of the groups.
    pub(super) fn apply_reply(&mut self, reply: VaultRunReply) -> bool {
        let (VaultRunReply::Studied { library, .. } | VaultRunReply::Ways { library, .. }) = &reply else {
            return false;
        };
        let group = self
            .groups
            .iter_mut()
            .find(|group| Arc::ptr_eq(&group.library, library));
        match (group, reply) {
            (Some(group), VaultRunReply::Studied { facts, .. }) => group.facts = facts,
            (Some(group), VaultRunReply::Ways { portals, .. }) => group.portals = Some(*portals),
            _ => return false,
        }
        true
    }

    /// Returns the maps that match all words of a filter, in library order.
    pub(super) fn listed(&self, filter: &str) -> Vec<ChosenMap> {
        let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
        let groups = self.groups.iter().enumerate();
        groups
            .flat_map(|(place, group)| group.library.ids().map(move |map| (place, map)))
            .filter(|&(place, map)| words.is_empty() || self.groups[place].matches(map, &words))
            .collect()
    }
}
