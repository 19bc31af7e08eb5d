//! Previews for the open dialog: the contents of folders, and pictures of designs.
//!
//! Each request has its own thread, since an unresponsive drive must not block other previews.

use std::io;
use std::path::{Path, PathBuf};

use super::job::{Cancelled, Job, JobCx, Policy};
use crate::design::{Design, Diagnostic, MemoryUse, Severity, ValidDesign};
use crate::document::{self, available_memory};
use crate::engine::{Grid, Growth, Mark, Options, Tile};
use crate::geometry::{Point, Size};
use crate::storage::folder::{self, FolderEntry};
use crate::storage::{DesignFiles, recent};

/// Number of squares of the largest dungeon that is grown for a picture.
const MOST_SQUARES: u64 = 4_000_000;

/// The design that a preview picture shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreviewSubject {
    /// A design in files.
    Files(DesignFiles),
    /// A design in memory.
    Design(Box<Design>),
    /// A drawing, previewed as the design that importing it would create.
    Drawing(PathBuf),
}

/// A scaled-down dungeon, row by row from the top. Each pixel shows the tile of a block of squares, or `None` if the
/// block is open.
pub type Pixels = Vec<Vec<Option<(Tile, Mark)>>>;

/// A scaled-down picture of a grown dungeon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Dimensions of the dungeon, in squares.
    pub size: Size,
    /// Pixels of the picture.
    pub rows: Pixels,
    /// Name of the design; empty if it has no name.
    pub name: String,
    /// Number of turns that the growth took.
    pub turns: u64,
}

/// A request for a picture of a design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureRequest {
    /// The design to show.
    pub subject: PreviewSubject,
    /// Largest size of the picture, in pixels (x: rows, y: columns).
    pub room: Size,
    /// Engine options for the growth.
    pub options: Options,
}

impl Job for PictureRequest {
    const NAME: &'static str = "preview";
    const POLICY: Policy = Policy::Detached;
    type Memory = ();
    type Reply = Result<Picture, String>;

    fn run(self, (): &mut (), cx: &JobCx<'_, Result<Picture, String>>) -> Result<(), Cancelled> {
        let picture = picture(self.subject, self.room, self.options, &|| cx.is_cancelled());
        cx.send(picture.ok_or(Cancelled)?)
    }
}

/// A request to list the contents of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderRequest(pub PathBuf);

/// Contents of a folder.
#[derive(Debug)]
pub struct FolderReply {
    /// Entries of the folder, or why the folder cannot be read.
    pub found: io::Result<Vec<FolderEntry>>,
    /// Recently opened designs, each with a flag that says whether all its files exist.
    pub recent: Vec<(DesignFiles, bool)>,
}

impl Job for FolderRequest {
    const NAME: &'static str = "folder";
    const POLICY: Policy = Policy::Detached;
    type Memory = ();
    type Reply = FolderReply;

    fn run(self, (): &mut (), cx: &JobCx<'_, FolderReply>) -> Result<(), Cancelled> {
        let recent = cx.state_folder().map(recent::all).unwrap_or_default().into_iter();
        let exists = |files: &DesignFiles| files.paths().iter().all(|path| path.is_file());
        cx.send(FolderReply {
            found: folder::list(&self.0),
            recent: recent.map(|files| (files.clone(), exists(&files))).collect(),
        })
    }
}

/// Grows a design and scales its dungeon down. Returns `None` if the request was cancelled.
fn picture(
    subject: PreviewSubject,
    room: Size,
    options: Options,
    is_cancelled: &dyn Fn() -> bool,
) -> Option<Result<Picture, String>> {
    let memory = available_memory(MemoryUse::Printing);
    let opened = match subject {
        PreviewSubject::Files(files) => document::open(&files, None, memory),
        PreviewSubject::Design(design) => document::prepare(&design, None, memory),
        PreviewSubject::Drawing(path) => match drawn(&path) {
            Ok(design) => document::prepare(&design, None, memory),
            Err(why) => return Some(Err(why)),
        },
    };
    if is_cancelled() {
        return None;
    }
    let name = opened.design.map(|design| design.name).unwrap_or_default();
    let Some(design) = opened.valid else {
        let errors = opened.diagnostics.into_iter();
        let error = errors.max_by_key(|problem| problem.severity == Severity::Error);
        return Some(Err(error.map_or_else(String::new, |error| error.to_string())));
    };
    let (grid, turns) = grow(&design, options, is_cancelled)?;
    Some(grid.map(|grid| Picture {
        size: grid.size(),
        rows: scaled(&grid, room),
        name,
        turns,
    }))
}

/// Returns the design that importing a drawing would create.
fn drawn(path: &Path) -> Result<Design, String> {
    let first = |diagnostics: Vec<Diagnostic>| {
        let error = diagnostics.into_iter().max_by_key(|problem| problem.severity);
        error.map_or_else(String::new, |error| error.to_string())
    };
    let import = document::DrawingImport::default();
    let drawn = document::read_drawing(path, &import.options).map_err(first)?;
    let placed = import.alone(&drawn.drawing, "").map_err(|error| error.to_string())?;
    Ok(placed.design)
}

fn grow(
    design: &ValidDesign,
    options: Options,
    is_cancelled: &dyn Fn() -> bool,
) -> Option<(Result<Grid, String>, u64)> {
    if design.layout.size.squares() > MOST_SQUARES {
        return Some((Err("too large for a picture".into()), 0));
    }
    let mut growth = Growth::new(design, options, &mut ());
    if !growth.finish_while(&mut (), || !is_cancelled()) {
        return None;
    }
    let turns = growth.clock().turn;
    Some((Ok(growth.into_grid()), turns))
}

/// Scales a dungeon down to at most `room` pixels, with the same scale for rows and columns.
fn scaled(grid: &Grid, room: Size) -> Pixels {
    let size = grid.size();
    let block = [(size.x, room.x), (size.y, room.y)]
        .map(|(squares, pixels)| squares.div_ceil_of(pixels))
        .into_iter()
        .max()
        .unwrap_or(1);
    shrunk(grid, block)
}

/// Scales a dungeon down; each pixel covers `block` × `block` squares. If at least `block` of these squares are not
/// open, the pixel shows the last tile among them (row by row); otherwise the pixel is open.
pub(super) fn shrunk(grid: &Grid, block: i32) -> Pixels {
    let size = grid.size();
    let block = block.max(1);
    let pixel = |x: i32, y: i32| {
        let mut count = 0;
        let mut seen = None;
        for dx in 0..block {
            for dy in 0..block {
                let at = Point::new(x * block + dx, y * block + dy);
                if size.contains(at) && !grid.tile(at).is_open() {
                    count += 1;
                    seen = Some((grid.tile(at), grid.mark(at)));
                }
            }
        }
        seen.filter(|_| count >= block)
    };
    (0..size.x.div_ceil_of(block))
        .map(|x| (0..size.y.div_ceil_of(block)).map(|y| pixel(x, y)).collect())
        .collect()
}

/// Division that rounds up. A divisor below 1 counts as 1.
trait DivCeil {
    fn div_ceil_of(self, by: Self) -> Self;
}

impl DivCeil for i32 {
    fn div_ceil_of(self, by: Self) -> Self {
        let by = by.max(1);
        (self + by - 1) / by
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::job::{Ticket, run_inline};

    /// Runs a job on this thread and returns its only reply.
    fn reply<J: Job<Memory = ()>>(job: J) -> J::Reply {
        run_inline(job, &mut (), &Ticket::new()).pop().unwrap()
    }

    #[test]
    fn a_design_is_grown_to_a_picture_that_fits() {
        let design = crate::presets::Preset::all()[0].design();
        for room in [Size::new(200, 200), Size::new(30, 40), Size::new(1, 1)] {
            let request = PictureRequest {
                subject: PreviewSubject::Design(Box::new(design.clone())),
                room,
                options: Options::default(),
            };
            let picture = reply(request).unwrap();
            assert_eq!(picture.size, design.layout.size);
            assert!(picture.rows.len() as i32 <= room.x && picture.rows[0].len() as i32 <= room.y);
            let walls = picture.rows.iter().flatten().flatten().count();
            assert!(
                walls * 20 > picture.rows.len() * picture.rows[0].len(),
                "walls are seen"
            );
        }
    }

    #[test]
    fn a_missing_preview_has_a_reason() {
        let absent = PictureRequest {
            subject: PreviewSubject::Files(DesignFiles::Toml("/no/such/design.toml".into())),
            room: Size::new(9, 9),
            options: Options::default(),
        };
        assert!(reply(absent).unwrap_err().contains("no/such"));
        assert!(reply(FolderRequest("/no/such/folder".into())).found.is_err());
    }
}
