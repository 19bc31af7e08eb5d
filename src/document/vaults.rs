//! The vaults of the open design: their level files and resolved results.
//!
//! Resolving a vault runs the Lua code of its level file. A [`DesignVaultCache`] caches resolved vaults, so that no Lua
//! code runs after an edit that only moves a vault or does not concern vaults. [`DesignVaultCache::resolve`] resolves
//! vaults on the current thread, [`VaultRequest::resolve`] on another. A changed level file is read again only after
//! [`DesignVaultCache::forget_changed`] has discarded the results that depend on it.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::LevelFileBytes;
use crate::design::{Design, PlacedVault, ValidDesign, VaultEntry};
use crate::geometry::Size;
use crate::presets;
use crate::recording_file::SourceFile;
use crate::storage::{self, DesignFiles, MovedLevelFiles};
use crate::vault::resolver::{LevelFile, PlacedVaults, VaultCache, VaultResolver};

/// The vaults of a recording, and the values that they were resolved from. The vaults apply as long as the design has
/// the same values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RecordedVaults {
    vaults: Vec<VaultEntry>,
    pub(super) seed: u64,
    size: Size,
    pieces: Vec<PlacedVault>,
}

impl RecordedVaults {
    /// Returns whether the vaults apply to `design`.
    pub(super) fn holds_for(&self, design: &Design) -> bool {
        design.seed == self.seed && self.suits(design)
    }

    /// Returns whether the vaults would apply to `design` if it had the recorded seed.
    pub(super) fn suits(&self, design: &Design) -> bool {
        design.layout.size == self.size && design.layout.vaults == self.vaults
    }

    /// Returns the recorded seed and vaults as bytes; `None` if the vaults equal `others`.
    pub(super) fn bytes_unless_equal(&self, others: &[PlacedVault]) -> Option<Vec<u8>> {
        let differs = self.pieces != others;
        differs.then(|| serde_json::to_vec(&(self.seed, &self.pieces)).unwrap_or_default())
    }
}

/// The level files of a design, and its resolved vaults.
#[derive(Debug, Default)]
pub(super) struct DesignVaultCache {
    /// Vaults of the recording that the design was read from.
    recorded: Option<Arc<RecordedVaults>>,
    /// Folder of the level files.
    folder: PathBuf,
    cache: VaultCache,
    resolver: VaultResolver,
    /// Content of level files that were read in advance.
    brought: LevelFileBytes,
}

/// A request to resolve a design's vaults. It is independent of the document, so that another thread can execute it.
#[derive(Debug, Clone)]
pub struct VaultRequest {
    design: Arc<Design>,
    folder: PathBuf,
    cache: VaultCache,
    levels: LevelFileBytes,
}

/// Requests are equal if they refer to the same shared design and the same folder.
impl PartialEq for VaultRequest {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.design, &other.design) && self.folder == other.folder
    }
}

impl Eq for VaultRequest {}

impl VaultRequest {
    /// Returns whether the reply to this request also applies to `design` in `folder`: the folder, the vault entries
    /// and the seed must be the same.
    pub(super) fn holds_for(&self, design: &Design, folder: &Path) -> bool {
        self.folder == folder && self.design.seed == design.seed && self.design.layout.vaults == design.layout.vaults
    }

    /// Resolves the vaults. Returns `None` if `cancelled` returns true in the meantime.
    pub fn resolve(mut self, resolver: &mut VaultResolver, cancelled: &Rc<dyn Fn() -> bool>) -> Option<VaultReply> {
        let read = |file: &str| read(file, &self.folder, &self.levels);
        resolver.resolve(&self.design, &mut self.cache, &read, Some(Rc::clone(cancelled)));
        (!cancelled()).then_some(VaultReply {
            folder: self.folder,
            cache: self.cache,
        })
    }
}

/// Result of a [`VaultRequest`].
#[derive(Debug, Clone)]
pub struct VaultReply {
    folder: PathBuf,
    cache: VaultCache,
}

impl DesignVaultCache {
    /// Creates an empty cache that resolves vaults from level files that were already read.
    pub(super) fn of(brought: LevelFileBytes) -> Self {
        Self {
            brought,
            ..Self::default()
        }
    }

    /// Creates a cache with the vaults of a recorded design, whose level files need not exist.
    pub(super) fn recorded(design: &ValidDesign) -> Self {
        Self {
            recorded: Some(Arc::new(RecordedVaults {
                vaults: design.layout.vaults.clone(),
                seed: design.seed,
                size: design.layout.size,
                pieces: design.pieces().to_vec(),
            })),
            ..Self::default()
        }
    }

    /// Sets the vaults of the recording that the design was read from, if any.
    pub(super) fn with_recorded(self, recorded: Option<Arc<RecordedVaults>>) -> Self {
        Self { recorded, ..self }
    }

    /// Returns the vaults of the recording that the design was read from.
    pub(super) fn recorded_vaults(&self) -> Option<Arc<RecordedVaults>> {
        self.recorded.clone()
    }

    /// Places the vaults of a design whose level files are in `folder`. Returns `None` if a vault is not resolved yet.
    pub(super) fn place(&mut self, design: &Design, folder: &Path) -> Option<PlacedVaults> {
        self.enter(folder);
        match self.recorded.as_ref().filter(|recorded| recorded.holds_for(design)) {
            Some(recorded) => Some((recorded.pieces.clone(), Vec::new())),
            None => self.cache.place(design),
        }
    }

    /// Places those vaults of a design that are already resolved.
    pub(super) fn place_known(&mut self, design: &Design, folder: &Path) -> Vec<PlacedVault> {
        match self.place(design, folder) {
            Some((pieces, _)) => pieces,
            None => self.cache.place_known(design),
        }
    }

    /// Resolves the vaults of a design on the current thread, and places them.
    pub(super) fn resolve(&mut self, design: &Design, folder: &Path) -> PlacedVaults {
        if self.place(design, folder).is_none() {
            let read = |file: &str| read(file, folder, &self.brought);
            self.resolver.resolve(design, &mut self.cache, &read, None);
        }
        self.place(design, folder).unwrap_or_default()
    }

    /// Returns a request to resolve the vaults of a design on another thread.
    pub(super) fn request(&self, design: Arc<Design>) -> VaultRequest {
        VaultRequest {
            design,
            folder: self.folder.clone(),
            cache: self.cache.clone(),
            levels: self.brought.clone(),
        }
    }

    /// Stores the vaults that another thread resolved. If the thread used a level file whose content differs from the
    /// content that was read in advance, the thread's content may be out of date. The vaults from this file are then
    /// discarded.
    pub(super) fn store(&mut self, reply: VaultReply) {
        if reply.folder == self.folder {
            self.cache = reply.cache;
            self.forget(|path, brought| brought.contains(path));
        }
    }

    /// Sets the content of level files that were read in advance. It replaces the content that an earlier call set.
    pub(super) fn bring(&mut self, levels: LevelFileBytes) {
        self.brought = levels;
    }

    /// Discards the results that were resolved from level files which have changed since. Returns whether a file has
    /// changed.
    pub(super) fn forget_changed(&mut self) -> bool {
        self.forget(|_, _| true)
    }

    /// Compares the level files that `is_checked` selects with their present content, and discards the results of those
    /// that differ. Returns whether a file differs.
    fn forget(&mut self, is_checked: impl Fn(&Path, &LevelFileBytes) -> bool) -> bool {
        let (folder, brought) = (&self.folder, &self.brought);
        self.cache.forget(|file, was| {
            !file.is_empty()
                && is_checked(&folder.join(file), brought)
                && match (read(file, folder, brought), was) {
                    (Ok(now), Ok(was)) => now != was,
                    (now, was) => now.is_ok() != was.is_ok(),
                }
        })
    }

    /// Returns the content of the level files that the vaults were resolved from, without the built-in level files.
    pub(super) fn read_levels(&self) -> LevelFileBytes {
        let read = self.cache.levels().filter(|(file, _)| !file.is_empty());
        LevelFileBytes::of(
            read.flat_map(|(file, levels)| levels.iter().map(move |level| (self.folder.join(file), &*level.bytes))),
        )
    }

    /// Changes the names of level files in the recorded vaults.
    pub(super) fn rename_level_files(&mut self, moved: &MovedLevelFiles) {
        if let Some(recorded) = &mut self.recorded {
            moved.rename(&mut Arc::make_mut(recorded).vaults);
        }
    }

    /// Sets the folder of the level files, and discards the cache if the folder changes.
    fn enter(&mut self, folder: &Path) {
        if self.folder != folder {
            // The same names refer to other files in the new folder.
            self.cache = VaultCache::default();
            folder.clone_into(&mut self.folder);
        }
    }
}

/// Reads the level file that a vault entry refers to, or all built-in level files if `file` is empty.
fn read(file: &str, folder: &Path, levels: &LevelFileBytes) -> Result<Vec<LevelFile>, String> {
    if file.is_empty() {
        return Ok(presets::level_texts()
            .map(|(name, text)| LevelFile {
                name: name.to_owned(),
                bytes: text.as_bytes().into(),
            })
            .collect());
    }
    let path = folder.join(file);
    let bytes = levels.bytes(&path)?.into();
    Ok(vec![LevelFile {
        name: path.display().to_string(),
        bytes,
    }])
}

/// Returns the folder that a design's level file paths are relative to: the folder of its first file.
pub fn folder(files: Option<&DesignFiles>) -> PathBuf {
    let first = files.and_then(|files| files.paths().into_iter().next());
    first
        .and_then(|path| path.parent().map(Path::to_owned))
        .unwrap_or_default()
}

/// Returns the names and digests of the files that a dungeon is grown from, for exports that record them. The first of
/// `paths` is the design's own file; the names of files in its folder and below are relative to that folder. Files that
/// cannot be read are left out.
pub fn source_files(paths: &[PathBuf]) -> Vec<SourceFile> {
    let folder = paths.first().and_then(|path| path.parent()).unwrap_or(Path::new(""));
    let absolute = std::path::absolute(Path::new(".").join(folder)).ok();
    let source = |path: &PathBuf| {
        // An absolute path is compared with the absolute folder, because an empty `folder` is a prefix of every path:
        // the name would stay absolute.
        let is_alike = path.is_absolute() == folder.is_absolute();
        let base = if is_alike { Some(folder) } else { absolute.as_deref() };
        let name = base
            .and_then(|base| path.strip_prefix(base).ok())
            .or_else(|| path.file_name().map(Path::new))?;
        let bytes = storage::read(path).ok()?;
        Some(SourceFile::of(name.display().to_string(), &bytes))
    };
    paths.iter().filter_map(source).collect()
}

/// Returns the paths of the level files that a design's vaults refer to, sorted and without duplicates.
pub fn files(design: &Design, folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = design
        .layout
        .vaults
        .iter()
        .filter(|entry| !entry.file.is_empty())
        .map(|entry| folder.join(&entry.file))
        .collect();
    files.sort();
    files.dedup();
    files
}
