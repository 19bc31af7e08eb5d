//! Previews of exports: size, content and appearance of a file, before anything is written.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::write::Counter;
use super::{ExportPreview, ExportRequest, FileSize, PreviewContent};
use crate::design::ValidDesign;
use crate::engine;
use crate::export::{self, DungeonView, ExportError, ExportKind, Group, Painting, Picture, Rgb};
use crate::geometry::{Point, Size};
use crate::recording::Recording;

/// Time limit for measuring the file; see [`estimate`]. In tests, the time suffices to measure the whole file even on a
/// busy machine.
const COUNTED: Duration = if cfg!(test) {
    Duration::from_mins(10)
} else {
    Duration::from_secs(2)
};

/// Number of squares of the largest dungeon that is previewed.
const MOST_SQUARES: u64 = 4_000_000;

/// Number of bytes at the beginning of a file that are kept for the preview.
const HEAD: usize = 1 << 16;

/// Smallest width of a square in the preview, in pixels, for which grid lines are drawn.
const LEAST_WITH_GRID: i32 = 3;

/// A writer that keeps the first [`HEAD`] bytes written and discards the rest.
#[derive(Default)]
struct Head(Vec<u8>);

impl Write for Head {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = HEAD.saturating_sub(self.0.len());
        self.0.extend_from_slice(&bytes[..bytes.len().min(room)]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Recording of the previous preview, with its design and options. The next preview usually shows the same growth.
pub(super) type LastGrowth = Option<(ValidDesign, engine::Options, Recording)>;

pub(super) fn sample(
    request: &ExportRequest,
    room: Size,
    grown: &mut LastGrowth,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<ExportPreview, ExportError> {
    let squares = request.design.layout.size;
    if squares.squares() > MOST_SQUARES {
        return Ok(ExportPreview {
            squares,
            bytes: None,
            pixels: None,
            pictures: None,
            beside: None,
            shown: PreviewContent::Nothing,
        });
    }
    let ends = || {
        if is_cancelled() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let is_known = |known: &(ValidDesign, engine::Options, Recording)| {
        known.0 == request.design && known.1 == request.options.engine
    };
    let known = grown.take().filter(is_known);
    let recording = if let Some(recording_file) = &request.recorded {
        &recording_file.recording
    } else if let Some(known) = known {
        &grown.insert(known).2
    } else {
        let recording = DungeonView::grow(&request.design, request.options.engine, &mut |_, _| ends())?;
        &grown
            .insert((request.design.clone(), request.options.engine, recording))
            .2
    };
    let dungeon = DungeonView::new(&request.design, recording, request.turn.unwrap_or(u64::MAX));
    let name = request.name();
    let beside = export::beside(request.kind, &dungeon, &request.options, name)?;
    let mut out = Counter::new(Head::default());
    let begun = Instant::now();
    let mut parts = (0, 0);
    let mut is_late = false;
    let mut watch = |done: u64, all: u64| {
        parts = (done, all);
        is_late = begun.elapsed() >= COUNTED;
        if is_late { ControlFlow::Break(()) } else { ends() }
    };
    match export::write(request.kind, &dungeon, &request.options, name, &mut out, &mut watch) {
        Err(ExportError::Interrupted) if is_late => {}
        other => other?,
    }
    let bytes = if is_late {
        estimate(request.kind, out.bytes, parts)
    } else if request.kind.stores_sources() && request.has_sources() {
        // A preview does not read the source files, so the measured size does not include their names and digests.
        Some(FileSize::About(out.bytes))
    } else {
        Some(FileSize::Exact(out.bytes))
    };
    let head = out.inner.0;
    let shown = match request.kind.group() {
        Group::Text => PreviewContent::Lines(lines(&head, room)),
        _ => picture(&dungeon, request, room),
    };
    Ok(ExportPreview {
        squares: dungeon.size(),
        bytes,
        pixels: pixels(&head),
        pictures: (request.kind.group() == Group::Animation).then_some(parts.1),
        beside: beside.map(|(name, bytes)| (name, bytes.len() as u64)),
        shown,
    })
}

/// Estimates the size of a file from its first `bytes` bytes, which contain `done` of `all` parts. Returns `None` if
/// there is no basis for an estimate, because no part is complete or nothing was written.
pub(super) fn estimate(kind: ExportKind, bytes: u64, (done, all): (u64, u64)) -> Option<FileSize> {
    if bytes == 0 || done == 0 {
        return None;
    }
    if kind.group() == Group::Animation {
        // The first pictures of an animation change fewer squares than the later ones, so they are smaller.
        return Some(FileSize::MoreThan(bytes));
    }
    let whole = u128::from(bytes) * u128::from(all) / u128::from(done);
    Some(FileSize::About(whole as u64))
}

/// Returns the width and height in pixels from the header of a PNG or GIF file; `None` for other files.
fn pixels(head: &[u8]) -> Option<(u32, u32)> {
    if head.starts_with(b"\x89PNG") {
        let side = |at: usize| head.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
        return Some((side(16)?, side(20)?));
    }
    if head.starts_with(b"GIF8") {
        let side = |at: usize| head.get(at..at + 2)?.try_into().ok().map(u16::from_le_bytes);
        return Some((side(6)?.into(), side(8)?.into()));
    }
    None
}

/// Returns the first lines of text, as many as fit into `room`.
fn lines(head: &[u8], room: Size) -> Vec<String> {
    /// Largest length of a character with the escape sequence for its colour.
    const MOST_OF_CHARACTER: usize = 16;
    let text = String::from_utf8_lossy(head);
    let most = room.x.max(0) as usize;
    let columns = room.y.max(0) as usize * MOST_OF_CHARACTER;
    let lines = text.lines().take(most);
    lines.map(|line| line.chars().take(columns).collect()).collect()
}

/// Draws a dungeon in the colours of the exported file. Depending on `room`, a square has several pixels, or a pixel
/// shows several squares.
fn picture(dungeon: &DungeonView<'_>, request: &ExportRequest, room: Size) -> PreviewContent {
    let ground = request.options.ground.unwrap_or(request.kind.ground());
    let marks = request.options.marks.unwrap_or(request.kind.marks());
    let painting = Painting::marked(dungeon, request.options.by, ground, marks);
    let size = painting.size();
    let parts = painting.parts();
    let colour = |part: usize| parts.get(part).map_or([0; 3], |part| part.rgb);
    let fits = |room: Size| (room.x / size.x.max(1)).min(room.y / size.y.max(1));
    // With two pixels per character, each pixel has its own colour. Eight pixels per character show more squares, but
    // only two colours per character.
    let [coarse, fine] = [(2, 1), (4, 2)].map(|(rows, columns)| Size::new(room.x * rows, room.y * columns));
    let (each, room) = match fits(coarse) {
        0 => (fits(fine).min(1), fine),
        each => (each, coarse),
    };
    let rows = if room.x <= 0 || room.y <= 0 {
        Vec::new()
    } else if each >= 1 {
        let grid = request.options.grid.filter(|_| each >= LEAST_WITH_GRID);
        // This never fails: the picture is small, and grid lines are drawn only if there is room for them.
        Picture::new(&painting, each as u32, grid, None).map_or_else(|_| Vec::new(), |picture| all_rows(&picture))
    } else {
        let block = div_ceil(size.x, room.x).max(div_ceil(size.y, room.y));
        (0..div_ceil(size.x, block))
            .map(|x| {
                let pixel = |y| colour(most_of(&painting, Point::new(x * block, y * block), block));
                (0..div_ceil(size.y, block)).map(pixel).collect()
            })
            .collect()
    };
    let legend = parts.iter().skip(1).filter(|part| part.tiles > 0);
    PreviewContent::Picture {
        rows,
        ground: colour(0),
        legend: legend.map(|part| (part.name.clone(), part.rgb)).collect(),
    }
}

fn all_rows(picture: &Picture<'_>) -> Vec<Vec<Rgb>> {
    let mut row = vec![0; picture.width() as usize];
    let colours = picture.colours();
    let colour = |number: &u8| colours.get(usize::from(*number)).copied().unwrap_or_default();
    (0..picture.height())
        .map(|y| {
            picture.row(y, &mut row);
            row.iter().map(colour).collect()
        })
        .collect()
}

/// Returns the palette index for a block of `block` × `block` squares. If at least `block` of these squares (as many as
/// in one row of the block) are not open, returns the palette index of the last of them; otherwise returns 0.
fn most_of(painting: &Painting, from: Point, block: i32) -> usize {
    let (mut count, mut seen) = (0, 0);
    for x in from.x..from.x + block {
        for y in from.y..from.y + block {
            let part = painting.part_of(Point::new(x, y));
            if part != 0 {
                (count, seen) = (count + 1, part);
            }
        }
    }
    if count >= block { seen } else { 0 }
}

/// Divides and rounds up; a divisor below 1 counts as 1.
fn div_ceil(a: i32, by: i32) -> i32 {
    let by = by.max(1);
    (a + by - 1) / by
}
