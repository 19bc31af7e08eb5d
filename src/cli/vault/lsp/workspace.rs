//! The level files of an editor session: open documents with their unsaved text, and all other level files in the
//! folders that are open in the editor.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{
    Diagnostic, DiagnosticSeverity, DocumentSymbol, NumberOrString, Position, PublishDiagnosticsParams, Range,
    SymbolKind, TextEdit, Uri,
};

use super::super::check;
use super::super::files::{self, LoadedLibrary};
use super::super::uri::{key_of, path_of, uri_of};
use super::place;
use crate::design::Severity;
use crate::storage;
use crate::vault::lint::{Finding, Names, Rule};
use crate::vault::source::{self, MapSource, VaultFile};
use crate::vault::{Library, MapId, VaultWorld};

/// Maximum number of folders that are searched for level files. It limits the duration of the search if the user opens
/// a home folder.
const MOST_FOLDERS: usize = 10_000;

/// A level file.
pub(super) struct Document {
    /// Text of the file, with replacement characters in place of invalid UTF-8.
    pub text: String,
    /// The parsed text.
    pub parsed: VaultFile,
}

impl Document {
    fn new(path: &Path, text: String) -> Self {
        let parsed = source::read(&path.display().to_string(), text.as_bytes());
        Self { text, parsed }
    }

    /// Returns the range of a map's name in the text.
    fn name_of(&self, map: &MapSource) -> Range {
        let number = map.line.saturating_sub(1);
        let line = place::line(&self.text, number);
        let (_, value) = line.split_once(':').unwrap_or_default();
        let start = line.len() - value.trim_ascii_start().len();
        place::range(number, line, start..start + map.name.len())
    }
}

/// The level files of an editor session, and the documents whose diagnostics must still be sent to the editor.
pub(super) struct Workspace {
    args: files::Args,
    names: Option<Names>,
    documents: BTreeMap<PathBuf, Document>,
    /// Paths of the open documents, with the URIs that the editor uses for them.
    open: BTreeMap<PathBuf, Uri>,
    /// Open documents to check. The flag is `false` for a document whose own text has changed; such a document is
    /// checked first. The flag is `true` for a document that may depend on another document that has changed.
    unchecked: BTreeSet<(bool, PathBuf)>,
    /// URIs of closed documents for which empty diagnostics must still be sent, so that the editor removes the previous
    /// diagnostics.
    closed: Vec<Uri>,
    /// Runtime with all documents; `None` after a change, until it is needed again.
    loaded: Option<LoadedLibrary>,
}

impl Workspace {
    /// Creates a workspace without files.
    pub(super) fn new(args: files::Args, names: Option<Names>) -> Self {
        Self {
            args,
            names,
            documents: BTreeMap::new(),
            open: BTreeMap::new(),
            unchecked: BTreeSet::new(),
            closed: Vec::new(),
            loaded: None,
        }
    }

    /// Reads the level files in the editor's folders and those given on the command line. Files and folders that
    /// cannot be read are left out.
    pub(super) fn open_folders(&mut self, folders: &[Uri]) {
        let mut named: Vec<PathBuf> = folders.iter().filter_map(path_of).collect();
        named.extend(self.args.named().iter().cloned());
        for path in level_files(named) {
            self.read(&key_of(&path));
        }
    }

    /// Sets the text of an open document.
    pub(super) fn set(&mut self, uri: Uri, text: String) {
        let path = key_of_uri(&uri);
        self.documents.insert(path.clone(), Document::new(&path, text));
        self.open.insert(path.clone(), uri);
        self.changed(Some(path));
    }

    /// Marks a document as closed and reads its saved text again.
    pub(super) fn close(&mut self, uri: &Uri) {
        let path = key_of_uri(uri);
        if let Some(uri) = self.open.remove(&path) {
            self.closed.push(uri);
        }
        self.read(&path);
    }

    /// Reloads a level file that has changed on disk, unless it is open in the editor.
    pub(super) fn reload(&mut self, uri: &Uri) {
        let path = key_of_uri(uri);
        if !self.open.contains_key(&path) && path.extension().is_some_and(|ending| ending == "des") {
            self.read(&path);
        }
    }

    /// Reads a file from the disk. If it cannot be read, removes its document.
    fn read(&mut self, path: &Path) {
        match storage::read(path) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                self.documents.insert(path.to_owned(), Document::new(path, text));
            }
            Err(_) => drop(self.documents.remove(path)),
        }
        self.changed(None);
    }

    /// Marks all open documents as unchecked, because maps use functions and tags of other files. `path` is the
    /// document whose own text has changed.
    fn changed(&mut self, path: Option<PathBuf>) {
        self.loaded = None;
        let others = self.open.keys().filter(|open| Some(*open) != path.as_ref());
        let others: Vec<_> = others.map(|open| (true, open.clone())).collect();
        self.unchecked.extend(others);
        if let Some(path) = path {
            self.unchecked.remove(&(true, path.clone()));
            self.unchecked.insert((false, path));
        }
    }

    /// Returns the document with this URI; `None` if the workspace does not contain it.
    pub(super) fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(&key_of_uri(uri))
    }

    /// Returns all documents with their URIs.
    pub(super) fn documents(&self) -> impl Iterator<Item = (Uri, &Document)> {
        let documents = self.documents.iter();
        documents.filter_map(|(path, document)| Some((self.uri_of(path)?, document)))
    }

    /// Returns the names that the game defines, if they are known.
    pub(super) fn names(&self) -> Option<&Names> {
        self.names.as_ref()
    }

    /// Returns the runtime with all documents, creating it if necessary; `None` if the helper library fails.
    pub(super) fn loaded(&mut self) -> Option<&LoadedLibrary> {
        if self.loaded.is_none() {
            let parsed = self.documents.values().map(|document| document.parsed.clone());
            let library = Arc::new(Library::new(parsed.collect()));
            self.loaded = self.args.load(library, VaultWorld::default()).ok();
        }
        self.loaded.as_ref()
    }

    /// Returns the maps with a tag, including maps whose Lua adds the tag. Runs only the maps of files that contain the
    /// tag as text.
    pub(super) fn tagged(&mut self, tag: &str) -> Vec<MapId> {
        let has_text = |document: &&Document| document.text.contains(tag);
        let documents = self.documents.values().filter(has_text);
        let files: BTreeSet<String> = documents.map(|document| document.parsed.name.clone()).collect();
        let Some(loaded) = self.loaded().filter(|_| !tag.is_empty()) else {
            return Vec::new();
        };
        let library = loaded.runtime.library();
        let may_have = |map: &MapId| files.contains(&library.file(*map).name);
        let has = |map: &MapId| loaded.runtime.profile(*map).is_some_and(|profile| profile.has(tag));
        library.ids().filter(may_have).filter(has).collect()
    }

    /// Returns the file and the range of a map's name.
    pub(super) fn place_of(&self, library: &Library, map: MapId) -> Option<(Uri, Range)> {
        let path = Path::new(&library.file(map).name);
        let document = self.documents.get(path)?;
        Some((self.uri_of(path)?, document.name_of(library.map(map))))
    }

    /// Returns the next diagnostics to send: empty ones for a closed document, if there is one. Otherwise, checks an
    /// unchecked document and returns its diagnostics; returns `None` if all documents are checked.
    pub(super) fn next_report(&mut self) -> Option<PublishDiagnosticsParams> {
        if let Some(uri) = self.closed.pop() {
            return Some(PublishDiagnosticsParams::new(uri, Vec::new(), None));
        }
        loop {
            let (_, path) = self.unchecked.pop_first()?;
            let name = path.display().to_string();
            let names = self.names.clone();
            let findings = match self.loaded() {
                Some(loaded) => check::without_seeds(loaded, &name, names),
                None => Vec::new(),
            };
            if let (Some(uri), Some(document)) = (self.open.get(&path), self.documents.get(&path)) {
                let diagnostics = findings.iter().map(|finding| diagnostic(finding, &document.text));
                return Some(PublishDiagnosticsParams::new(uri.clone(), diagnostics.collect(), None));
            }
        }
    }

    /// Returns the maps of a document as symbols.
    #[expect(deprecated, reason = "the struct has no constructor without this field")]
    pub(super) fn symbols(&self, uri: &Uri) -> Vec<DocumentSymbol> {
        let Some(document) = self.document(uri) else {
            return Vec::new();
        };
        let maps = document.parsed.maps.iter().filter(|map| !map.name.is_empty());
        maps.map(|map| {
            let selection_range = document.name_of(map);
            let last = map.last_line.max(map.line) - 1;
            let end = Position::new(last, place::units(place::line(&document.text, last)));
            DocumentSymbol {
                name: map.name.clone(),
                detail: None,
                kind: SymbolKind::CLASS,
                tags: None,
                deprecated: None,
                range: Range::new(
                    Position::new(selection_range.start.line, 0),
                    end.max(selection_range.end),
                ),
                selection_range,
                children: None,
            }
        })
        .collect()
    }

    /// Returns the edit that formats a document; `None` if the document is already formatted or cannot be formatted.
    pub(super) fn formatted(&self, uri: &Uri) -> Option<Vec<TextEdit>> {
        let document = self.document(uri)?;
        let formatted = String::from_utf8(source::format(&document.parsed)?).ok()?;
        let lines = document.text.lines().count() as u32;
        let whole = Range::new(Position::new(0, 0), Position::new(lines, 0));
        (formatted != document.text).then(|| vec![TextEdit::new(whole, formatted)])
    }

    fn uri_of(&self, path: &Path) -> Option<Uri> {
        self.open.get(path).cloned().or_else(|| uri_of(path))
    }
}

/// Returns the path by which the workspace identifies a document. For a URI that does not name a file, this is the URI
/// itself.
fn key_of_uri(uri: &Uri) -> PathBuf {
    path_of(uri).map_or_else(|| PathBuf::from(uri.as_str()), |path| key_of(&path))
}

/// Returns the files in `named`, with each folder replaced by the level files below it. Hidden folders, links to
/// folders and unreadable folders are left out.
fn level_files(named: Vec<PathBuf>) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut folders = Vec::new();
    for path in named {
        if path.is_dir() {
            folders.push(path);
        } else {
            found.insert(path);
        }
    }
    let mut searched = 0;
    while let Some(folder) = folders.pop() {
        searched += 1;
        if searched > MOST_FOLDERS {
            break;
        }
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_hidden => folders.push(entry.path()),
                Ok(kind) if !kind.is_dir() && entry.path().extension().is_some_and(|ending| ending == "des") => {
                    found.insert(entry.path());
                }
                _ => {}
            }
        }
    }
    found
}

/// Returns a finding as a diagnostic of the protocol.
fn diagnostic(finding: &Finding, text: &str) -> Diagnostic {
    let found = &finding.diagnostic;
    let source = found.source.as_ref();
    let number = source.map_or(0, |source| source.line.saturating_sub(1));
    let line = place::line(text, number);
    let letters = source.map_or(0, |source| source.column.saturating_sub(1) as usize);
    let start = line.char_indices().nth(letters).map_or(line.len(), |(byte, _)| byte);
    let length = source.map_or(0, |source| source.span.len());
    // A diagnostic without a length covers the rest of the line.
    let end = if length == 0 { line.len() } else { start + length };
    let mut message = found.message.clone();
    if let Some(source) = source.filter(|source| !source.text.is_empty() && finding.rule != Rule::Lua) {
        message = format!("{message}: `{}`", source.text);
    }
    if !found.help.is_empty() {
        message = format!("{message}\nhelp: {}", found.help);
    }
    Diagnostic {
        range: place::range(number, line, start..end.min(line.len())),
        severity: Some(match found.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(finding.rule.key().to_owned())),
        source: Some("wallcrawler".to_owned()),
        message,
        ..Diagnostic::default()
    }
}
