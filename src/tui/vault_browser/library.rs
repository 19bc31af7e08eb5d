//! The level files that the browser shows: those that come with the program, those that the design names and
//! those that were opened by their path. Each is a library of its own, as designs see them.

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

/// A map of the browser: the place of its group, and the map in the group's library.
pub(super) type ChosenMap = (usize, MapId);

/// The lines of a level file, fit to be shown.
#[derive(Debug)]
struct LevelFileLines {
    file: String,
    lines: Vec<String>,
}

/// The maps of one level file, or of those that come with the program.
#[derive(Debug)]
pub(super) struct MapGroup {
    /// The file as designs name it; empty for those that come with the program.
    pub(super) file: String,
    /// Its path; none for those that come with the program.
    path: Option<PathBuf>,
    bytes: Vec<u8>,
    /// Its maps.
    pub(super) library: Arc<Library>,
    texts: Vec<LevelFileLines>,
    /// Why it could not be read.
    pub(super) why: Option<String>,
    facts: Vec<MapFacts>,
    /// Which of its maps leads to which, once that is known.
    pub(super) portals: Option<Portals>,
    /// Whether the person opened it: the design need not name it.
    opened: bool,
}

impl MapGroup {
    /// The level files that come with the program.
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

    /// The file as a design in a folder names it: that folder may be another than when the file was opened.
    /// `None` where it has no name that a design could hold.
    pub(super) fn named(&self, folder: &Path) -> Option<String> {
        match &self.path {
            None => Some(String::new()),
            Some(path) => named(path, folder),
        }
    }

    /// What a person calls it.
    pub(super) fn title(&self) -> String {
        match &self.path {
            None => "with the program".into(),
            Some(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// What is known of a map: from its compile run, or before that from its headers.
    pub(super) fn facts(&self, map: MapId) -> Option<&MapFacts> {
        self.facts.get(map.index())
    }

    /// How many errors its text has.
    pub(super) fn errors(&self) -> usize {
        let problems = self.library.files().iter().flat_map(|file| &file.problems);
        problems
            .chain(self.library.problems())
            .filter(|problem| problem.severity == Severity::Error)
            .count()
    }

    /// The lines of the file that a map stands in.
    pub(super) fn lines(&self, map: MapId) -> &[String] {
        let file = &self.library.file(map).name;
        let text = self.texts.iter().find(|text| text.file == *file);
        text.map_or(&[], |text| &text.lines)
    }

    /// Whether the map has all of some words in its name, its tags or its file's name.
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

/// A path as a design in a folder names it: from there if it lies below, else whole.
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

/// All groups.
#[derive(Debug, Default)]
pub(super) struct VaultLibrary {
    pub(super) groups: Vec<MapGroup>,
}

impl VaultLibrary {
    /// Holds the files that come with the program, those that a design in a folder names, and those that were
    /// opened; what is there already is not read again.
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

    /// Opens a file for a design in a folder; the group's place, or why that failed.
    pub(super) fn open(&mut self, path: &Path, folder: &Path) -> Result<usize, String> {
        let file = named(path, folder).ok_or("the path is no text that a design could hold")?;
        let path = folder.join(&file);
        if let Some(known) = self.groups.iter().position(|group| group.path.as_ref() == Some(&path)) {
            return Ok(known);
        }
        let group = MapGroup::read(&file, path, &LevelFileBytes::default(), true);
        if let Some(why) = group.why {
            return Err(why);
        }
        if group.library.is_empty() {
            return Err(format!("{} has no map", group.title()));
        }
        self.groups.push(group);
        Ok(self.groups.len() - 1)
    }

    /// The files to be watched.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.groups.iter().filter_map(|group| group.path.clone())
    }

    /// Reads the files anew that hold something else by now; the places of their groups, and the libraries that
    /// they had.
    pub(super) fn reread(&mut self, levels: &LevelFileBytes) -> Vec<(usize, Arc<Library>)> {
        let mut changed = Vec::new();
        for (place, group) in self.groups.iter_mut().enumerate() {
            let Some(path) = &group.path else { continue };
            let same = levels
                .bytes(path)
                .map_or(group.why.is_some(), |now| group.why.is_none() && now == group.bytes);
            if !same {
                let fresh = MapGroup::read(&group.file, path.clone(), levels, group.opened);
                changed.push((place, std::mem::replace(group, fresh).library));
            }
        }
        changed
    }

    /// Takes what was found out about a library; whether it was one of these.
    pub(super) fn learn(&mut self, news: VaultRunReply) -> bool {
        let (VaultRunReply::Studied { library, .. } | VaultRunReply::Ways { library, .. }) = &news else {
            return false;
        };
        let group = self
            .groups
            .iter_mut()
            .find(|group| Arc::ptr_eq(&group.library, library));
        match (group, news) {
            (Some(group), VaultRunReply::Studied { facts, .. }) => group.facts = facts,
            (Some(group), VaultRunReply::Ways { portals, .. }) => group.portals = Some(*portals),
            _ => return false,
        }
        true
    }

    /// The maps that have all words of a filter, in their order.
    pub(super) fn listed(&self, filter: &str) -> Vec<ChosenMap> {
        let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
        let groups = self.groups.iter().enumerate();
        groups
            .flat_map(|(place, group)| group.library.ids().map(move |map| (place, map)))
            .filter(|&(place, map)| words.is_empty() || self.groups[place].matches(map, &words))
            .collect()
    }
}
