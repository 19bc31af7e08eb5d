//! Background import of drawings: reads drawings, previews the designs that they become, and updates a design when
//! the files of its drawings have changed.
//!
//! Each request has its own thread, since an unresponsive drive must not block other reads. However, only one thread
//! at a time processes a drawing, because a large picture takes a lot of memory. Cancelled requests are skipped,
//! because changing an option causes many requests.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::job::{Cancelled, Job, JobCx, Policy, Ticket};
use super::preview::{Pixels, shrunk};
use crate::design::{Design, Diagnostic, MemoryUse, Severity};
use crate::document::{DrawingImport, DrawingSource, ImportedTiles, available_memory};
use crate::engine::stage_one;
use crate::geometry::{Point, Size};
use crate::import::{self, Drawing, DrawingKind, DrawnSquare, Placed};
use crate::storage;
use crate::text::fnv1a;

/// A request to preview the import of a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRequest {
    /// Path of the file.
    pub path: PathBuf,
    /// Import options.
    pub import: DrawingImport,
    /// Design into which the drawing is placed. If `None`, the drawing becomes a separate design.
    pub within: Option<Arc<Design>>,
    /// Characters available for the preview (x: rows, y: columns).
    pub room: Size,
}

/// Preview of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportPreview {
    /// Format of the drawing; `None` if the file cannot be read.
    pub kind: Option<DrawingKind>,
    /// Names of the layers of a Tiled map; empty for other drawings.
    pub layers: Vec<String>,
    /// Diagnostics. Notes among them describe how the content was interpreted.
    pub diagnostics: Vec<Diagnostic>,
    /// The drawing in its design; `None` if the drawing cannot be imported.
    pub made: Option<ImportedDesign>,
}

/// A drawing, and the design that contains it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedDesign {
    /// The drawing.
    pub drawing: Arc<Drawing>,
    /// Digest of the drawing's file.
    pub digest: u64,
    /// Design that contains the drawing.
    pub placed: Placed,
    /// Numbers of wall tiles, column tiles and guaranteed open squares that the drawing adds to the design.
    pub tiles: [usize; 3],
    /// Number of drawn walls and columns that lie outside the dungeon or on its outer ring, and are left out.
    pub outside: usize,
    /// The dungeon before growth. If the whole dungeon fits with two pixels per character, each character shows up to
    /// two pixels, one above the other; otherwise up to eight, in four rows and two columns. Empty if the design has
    /// errors.
    pub pixels: Pixels,
}

/// A request to reimport drawings whose files may have changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReimportRequest {
    /// The current design.
    pub design: Arc<Design>,
    /// Drawings that were imported into the design.
    pub sources: Vec<DrawingSource>,
    /// Whether to skip drawings whose files are unchanged since the last import, or cannot be read.
    pub only_new: bool,
}

/// Number of squares that the reimport changes, and number of squares that it keeps because they were edited since
/// the last import; or why the drawing cannot be imported.
pub type ReimportOutcome = Result<(usize, usize), String>;

/// Result of a reimport.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReimportReply {
    /// Design before the reimport.
    pub before: Arc<Design>,
    /// Design after the reimport.
    pub after: Design,
    /// The drawings, with the digests of the files that were reimported.
    pub sources: Vec<DrawingSource>,
    /// Names and outcomes of the drawings. Drawings that were skipped, or are no longer part of the design, are left
    /// out.
    pub description: Vec<(String, ReimportOutcome)>,
}

impl Job for ImportRequest {
    const NAME: &'static str = "import preview";
    const POLICY: Policy = Policy::Detached;
    type Memory = ();
    type Reply = Box<ImportPreview>;

    fn run(self, (): &mut (), cx: &JobCx<'_, Box<ImportPreview>>) -> Result<(), Cancelled> {
        cx.send(Box::new(preview(self, cx)?))
    }
}

impl Job for ReimportRequest {
    const NAME: &'static str = "reimport";
    const POLICY: Policy = Policy::Detached;
    type Memory = ();
    type Reply = Box<ReimportReply>;

    fn run(self, (): &mut (), cx: &JobCx<'_, Box<ReimportReply>>) -> Result<(), Cancelled> {
        cx.send(Box::new(reimport(self, cx)?))
    }
}

/// Lock that is held while a drawing is processed, but not while a file is read.
static PROCESSING: Mutex<()> = Mutex::new(());

/// Acquires [`PROCESSING`]. Fails if the request was cancelled before the lock was acquired.
fn process(ticket: &Ticket) -> Result<MutexGuard<'static, ()>, Cancelled> {
    let lock = PROCESSING.lock().unwrap_or_else(PoisonError::into_inner);
    if ticket.is_cancelled() {
        Err(Cancelled)
    } else {
        Ok(lock)
    }
}

/// Reads a drawing while holding [`PROCESSING`], which is released while another file of the drawing is read. Returns
/// the drawing and the held lock.
fn read(
    path: &Path,
    bytes: Vec<u8>,
    import: &DrawingImport,
    ticket: &Ticket,
) -> Result<(import::ReadResult, Option<MutexGuard<'static, ()>>), Cancelled> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut lock = Some(process(ticket)?);
    let mut fetch = |file: &str| {
        lock = None;
        let read = storage::read(&folder.join(file)).map_err(io::Error::other);
        lock = Some(process(ticket).map_err(|Cancelled| io::Error::from(io::ErrorKind::Interrupted))?);
        read
    };
    let read = import::read(&name, bytes, &import.options, &mut fetch);
    Ok((read, lock))
}

/// Returns the file stem, which is the name of the drawing and of a design made from it.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn preview(request: ImportRequest, cx: &JobCx<'_, Box<ImportPreview>>) -> Result<ImportPreview, Cancelled> {
    let ImportRequest {
        path,
        import,
        within,
        room,
    } = request;
    let bytes = match storage::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            return Ok(ImportPreview {
                kind: None,
                layers: Vec::new(),
                diagnostics: vec![Diagnostic::error(error.to_string())],
                made: None,
            });
        }
    };
    cx.check()?;
    let digest = fnv1a(bytes.iter().copied());
    let (read, lock) = read(&path, bytes, &import, cx.ticket())?;
    let mut preview = ImportPreview {
        kind: Some(read.kind),
        layers: read.layers,
        diagnostics: read.diagnostics,
        made: None,
    };
    cx.check()?;
    let Some(drawing) = read.drawing else {
        return Ok(preview);
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
        Err(error) => preview.diagnostics.push(*error),
        Ok(placed) => {
            let made = made(drawing, placed, digest, &import, room, &mut preview.diagnostics);
            preview.made = Some(made);
        }
    }
    drop(lock);
    Ok(preview)
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
        // Without room for a single character, nothing is drawn.
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

fn reimport(request: ReimportRequest, cx: &JobCx<'_, Box<ReimportReply>>) -> Result<ReimportReply, Cancelled> {
    let mut after = Design::clone(&request.design);
    let mut sources = request.sources;
    let mut description = Vec::new();
    for source in &mut sources {
        let bytes = storage::read(&source.path);
        cx.check()?;
        let bytes = match bytes {
            Ok(bytes) => bytes,
            // A file that is being replaced is missing for a moment, so only an explicit reimport reports that it
            // cannot be read.
            Err(_) if request.only_new => continue,
            Err(error) => {
                description.push((source.name(), Err(error.to_string())));
                continue;
            }
        };
        let digest = fnv1a(bytes.iter().copied());
        if request.only_new && digest == source.digest {
            continue;
        }
        source.digest = digest;
        let (read, lock) = read(&source.path, bytes, &source.import, cx.ticket())?;
        cx.check()?;
        let merged = merge(source, read, &after);
        drop(lock);
        let merged = merged.map(|merged| {
            merged.map(|(merged, taken)| {
                source.take(taken);
                after = merged.design;
                (merged.changed, merged.kept)
            })
        });
        description.extend(merged.transpose().map(|merged| (source.name(), merged)));
    }
    Ok(ReimportReply {
        before: request.design,
        after,
        sources,
        description,
    })
}

/// Merges a new version of a drawing into the design. `read` is the result of reading the drawing's file again. Returns
/// `None` if the drawing is no longer part of the design.
fn merge(
    source: &DrawingSource,
    read: import::ReadResult,
    design: &Design,
) -> Result<Option<(crate::document::DrawingMerge, ImportedTiles)>, String> {
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
    Ok(merged.map(|merged| (merged, taken)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_is_not_processed_if_its_request_is_cancelled() {
        let ticket = Ticket::new();
        let read = || {
            read(
                Path::new("a.txt"),
                b"XX\nX.\n".to_vec(),
                &DrawingImport::default(),
                &ticket,
            )
        };
        assert!(read().is_ok_and(|(read, _)| read.drawing.is_some()));
        ticket.cancel();
        assert!(read().is_err());
    }
}
