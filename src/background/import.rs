//! The importer: reads drawings as somebody asks for them, tells beforehand what comes of them, and takes those that are
//! part of a design again when their files have changed.
//!
//! Each wish has a thread of its own, for a drive that does not answer must not keep others from being read. What is read
//! is worked on by one of them at a time, and not at all where another wish has come since: a large picture takes
//! memory, and somebody who turns an option asks for many.

use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Message;
use super::detached::DetachedTasks;
use super::job::{JobContext, RunId};
use super::preview::{Pixels, shrunk};
use crate::design::{Design, Diagnostic, MemoryUse, Severity};
use crate::document::{DrawingImport, DrawingSource, ImportedTiles, available_memory};
use crate::engine::stage_one;
use crate::geometry::{Point, Size};
use crate::import::{self, Drawing, DrawingKind, DrawnSquare, Placed};
use crate::storage;

/// A drawing that somebody may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRequest {
    /// The file.
    pub path: PathBuf,
    /// How it is taken.
    pub import: DrawingImport,
    /// The design that it is laid into; without it, it becomes one.
    pub within: Option<Arc<Design>>,
    /// The characters that there are to show what comes of it: rows and columns.
    pub room: Size,
}

/// What comes of a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportPreview {
    /// What it was read as; `None` where the file cannot be read.
    pub kind: Option<DrawingKind>,
    /// The names of the layers, where it is a map.
    pub layers: Vec<String>,
    /// What is wrong, and as notes what was taken for what.
    pub diagnostics: Vec<Diagnostic>,
    /// What comes of it; `None` where it cannot be taken.
    pub made: Option<ImportedDesign>,
}

/// A drawing in a design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedDesign {
    /// What is drawn.
    pub drawing: Arc<Drawing>,
    /// The digest of the file.
    pub digest: u64,
    /// The design with it.
    pub placed: Placed,
    /// Wall tiles, columns and guaranteed squares of the drawing that stand in the design.
    pub tiles: [usize; 3],
    /// Squares of the drawing that something is drawn on and that lie outside of the dungeon or on its outer ring.
    pub outside: usize,
    /// How the dungeon looks before anything grows: no more pixels than two to a character, or else no more than eight,
    /// in two columns. Empty where it cannot be grown.
    pub pixels: Pixels,
}

/// Drawings of a design that may have changed in their files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReimportRequest {
    /// The design as it stands.
    pub design: Arc<Design>,
    /// The drawings that are part of it.
    pub sources: Vec<DrawingSource>,
    /// Whether only files are looked at that were not told of in this state yet.
    pub only_new: bool,
}

/// How many squares a drawing changes and how many stay that were edited since, or why it cannot be taken.
pub type ReimportOutcome = Result<(usize, usize), String>;

/// What comes of taking them again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReimportReply {
    /// The design that stood then.
    pub before: Arc<Design>,
    /// The design with the drawings as they are now.
    pub after: Design,
    /// The drawings, with the states that were taken.
    pub sources: Vec<DrawingSource>,
    /// What is to be told of each that was looked at, beside its name.
    pub told: Vec<(String, ReimportOutcome)>,
}

/// What is told of drawings.
#[derive(Debug)]
pub enum ImportReply {
    /// What comes of one that somebody may take.
    Proposed {
        /// Which wish.
        run: RunId,
        /// What comes of it; `Err` when a fault of the program ended it.
        proposed: Result<Box<ImportPreview>, String>,
    },
    /// What comes of taking some again.
    Reimported {
        /// Which wish.
        run: RunId,
        /// What comes of it; `Err` when a fault of the program ended it.
        reimported: Result<Box<ReimportReply>, String>,
    },
}

/// Who reads. What hangs when it is dropped is left behind.
#[derive(Debug)]
pub struct ImportService {
    proposals: DetachedTasks<Box<ImportRequest>>,
    reimports: DetachedTasks<Box<ReimportRequest>>,
}

impl ImportService {
    /// An importer whose messages go to `inbox`.
    pub fn new<I: Send + 'static>(inbox: &SyncSender<Message<I>>) -> Self {
        let desk = Arc::new(ImportRunner::default());
        let own = Arc::clone(&desk);
        let broken = |run, why| {
            Message::Imported(ImportReply::Proposed {
                run,
                proposed: Err(why),
            })
        };
        let proposals = DetachedTasks::new(
            "proposals",
            inbox.clone(),
            broken,
            move |run, wish: Box<ImportRequest>, line: &JobContext<I>| {
                if let Some(proposed) = proposed(*wish, &own, &|| line.is_stale(run)) {
                    let proposed = Ok(Box::new(proposed));
                    line.send(run, Message::Imported(ImportReply::Proposed { run, proposed }));
                }
            },
        );
        let broken = |run, why| {
            Message::Imported(ImportReply::Reimported {
                run,
                reimported: Err(why),
            })
        };
        let reimports = DetachedTasks::new(
            "reimports",
            inbox.clone(),
            broken,
            move |run, wish: Box<ReimportRequest>, line: &JobContext<I>| {
                if let Some(reimported) = reimported(*wish, &desk, &|| line.is_stale(run)) {
                    let reimported = Ok(Box::new(reimported));
                    line.send(run, Message::Imported(ImportReply::Reimported { run, reimported }));
                }
            },
        );
        Self { proposals, reimports }
    }

    /// Asks what would come of a drawing; the answer carries the number returned.
    pub fn propose(&self, wish: Box<ImportRequest>) -> RunId {
        self.proposals.ask(wish)
    }

    /// Nobody wants to know that any more.
    pub fn turn_away(&self) {
        self.proposals.cancel();
    }

    /// Asks what would come of taking drawings again; the answer carries the number returned.
    pub fn reimport(&self, wish: Box<ReimportRequest>) -> RunId {
        self.reimports.ask(wish)
    }
}

/// Where one drawing is worked on at a time. Nobody keeps it while a file is read.
#[derive(Debug, Default)]
struct ImportRunner(Mutex<()>);

impl ImportRunner {
    fn sit(&self) -> MutexGuard<'_, ()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a drawing with its digest.
    fn read(
        &self,
        path: &Path,
        bytes: Vec<u8>,
        import: &DrawingImport,
    ) -> (import::ReadResult, Option<MutexGuard<'_, ()>>) {
        let folder = path.parent().unwrap_or(Path::new(""));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut seat = Some(self.sit());
        let mut fetch = |file: &str| {
            seat = None;
            let read = storage::read(&folder.join(file)).map_err(|error| error.to_string());
            seat = Some(self.sit());
            read
        };
        let read = import::read(&name, bytes, &import.options, &mut fetch);
        (read, seat)
    }
}

/// What a drawing is called, and the design of it.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn proposed(wish: ImportRequest, desk: &ImportRunner, is_stale: &dyn Fn() -> bool) -> Option<ImportPreview> {
    let ImportRequest {
        path,
        import,
        within,
        room,
    } = wish;
    let bytes = match storage::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            return Some(ImportPreview {
                kind: None,
                layers: Vec::new(),
                diagnostics: vec![Diagnostic::error(error.to_string())],
                made: None,
            });
        }
    };
    if is_stale() {
        return None;
    }
    let digest = storage::digest(bytes.iter().copied());
    let (read, seat) = desk.read(&path, bytes, &import);
    let mut proposed = ImportPreview {
        kind: Some(read.kind),
        layers: read.layers,
        diagnostics: read.diagnostics,
        made: None,
    };
    if is_stale() {
        return None;
    }
    let Some(drawing) = read.drawing else {
        return Some(proposed);
    };
    let placed = match &within {
        None => import.alone(&drawing, &stem(&path)),
        Some(design) => Ok(Placed {
            design: import.placing.over(&drawing, design),
            at: import.placing.at.unwrap_or_default(),
            diagnostics: Vec::new(),
        }),
    };
    match placed {
        Err(error) => proposed.diagnostics.push(*error),
        Ok(placed) => {
            let made = made(drawing, placed, digest, &import, room, &mut proposed.diagnostics);
            proposed.made = Some(made);
        }
    }
    drop(seat);
    Some(proposed)
}

fn made(
    drawing: Drawing,
    placed: Placed,
    digest: u64,
    import: &DrawingImport,
    room: Size,
    diagnostics: &mut Vec<Diagnostic>,
) -> ImportedDesign {
    let size = placed.design.layout.size;
    let mut tiles = [0; 3];
    for (_, square) in import.placing.tiles(&drawing, placed.at, size) {
        match square {
            DrawnSquare::Wall => tiles[0] += 1,
            DrawnSquare::Column => tiles[1] += 1,
            _ => tiles[2] += 1,
        }
    }
    let solid = drawing.squares().filter(|(_, square)| square.is_solid()).count();
    let outside = solid.saturating_sub(tiles[0] + tiles[1]);
    let found = placed.design.validate(available_memory(MemoryUse::Showing));
    let errors = found.diagnostics.into_iter().filter(|d| d.severity == Severity::Error);
    diagnostics.extend(errors);
    let pixels = found.design.map_or_else(Vec::new, |valid| {
        let grid = stage_one::build(&valid).grid;
        let fits = size.x <= 2 * room.x && size.y <= room.y;
        let most = |squares: i32, pixels: i32| (squares + pixels.max(1) - 1) / pixels.max(1);
        let block = if fits {
            1
        } else {
            most(size.x, 4 * room.x).max(most(size.y, 2 * room.y))
        };
        // Where nothing is shown nothing need be made.
        if room.x < 1 || room.y < 1 {
            Vec::new()
        } else {
            shrunk(&grid, block)
        }
    });
    ImportedDesign {
        drawing: Arc::new(drawing),
        digest,
        placed,
        tiles,
        outside,
        pixels,
    }
}

fn reimported(wish: ReimportRequest, desk: &ImportRunner, is_stale: &dyn Fn() -> bool) -> Option<ReimportReply> {
    let mut after = Design::clone(&wish.design);
    let mut sources = wish.sources;
    let mut told = Vec::new();
    for source in &mut sources {
        let bytes = storage::read(&source.path);
        if is_stale() {
            return None;
        }
        let bytes = match bytes {
            Ok(bytes) => bytes,
            // What is being replaced is gone for a moment; whoever asks for it is told.
            Err(_) if wish.only_new => continue,
            Err(error) => {
                told.push((source.name(), Err(error.to_string())));
                continue;
            }
        };
        let digest = storage::digest(bytes.iter().copied());
        if wish.only_new && digest == source.digest {
            continue;
        }
        source.digest = digest;
        let merged = again(source, bytes, &after, desk);
        let merged = merged.map(|merged| {
            merged.map(|(merged, taken)| {
                source.take(taken);
                after = merged.design;
                (merged.changed, merged.kept)
            })
        });
        told.extend(merged.transpose().map(|merged| (source.name(), merged)));
    }
    Some(ReimportReply {
        before: wish.design,
        after,
        sources,
        told,
    })
}

/// The design with a drawing as it is now; `None` where it is no part of the design any more.
fn again(
    source: &DrawingSource,
    bytes: Vec<u8>,
    design: &Design,
    desk: &ImportRunner,
) -> Result<Option<(crate::document::DrawingMerge, ImportedTiles)>, String> {
    let (read, seat) = desk.read(&source.path, bytes, &source.import);
    let Some(drawing) = read.drawing else {
        let worst = read.diagnostics.into_iter().max_by_key(|found| found.severity);
        return Err(worst.map_or_else(|| "nothing is drawn in it".into(), |found| found.message));
    };
    let placing = source.import.placing;
    let taken = if source.is_whole() {
        let placed = source.import.alone(&drawing, &stem(&source.path));
        let placed = placed.map_err(|error| error.message)?;
        ImportedTiles::alone(Arc::new(drawing), placing, &placed)
    } else {
        let at = placing.at.unwrap_or(Point::new(0, 0));
        ImportedTiles::laid(Arc::new(drawing), placing, at, design.layout.size)
    };
    let merged = source.merged(design, &taken);
    drop(seat);
    Ok(merged.map(|merged| (merged, taken)))
}
