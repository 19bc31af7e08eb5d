//! The exporter: writes grown dungeons for other programs, and tells beforehand what a file would hold, beside the screen.
//!
//! Two threads, as somebody may look at the next export while one is written. Each grows the dungeon for itself, to its
//! end: that takes less than handing a recording over, and nothing that is edited meanwhile can reach it. A file comes
//! to stand in its place whole or not at all. Exports do not wait here; whoever has several asks for one after the other.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use super::Message;
use super::lane::{Lane, Line, RunId};
use crate::design::ValidDesign;
use crate::engine;
use crate::export::{self, Dungeon, Error, Group, Kind, Options, Painting, Picture, Rgb, Setting, Watch};
use crate::geometry::{Point, Size};
use crate::recording::Recording;
use crate::reel::Reel;
use crate::storage::{Draft, StorageError};

/// Bytes that go to the system at once.
const BUFFER: usize = 1 << 16;

/// The least time between two messages on how far an export is.
const PAUSE: Duration = Duration::from_millis(50);

/// How long is counted what a file would hold; what is left then is estimated. Tests wait for the whole of it, however
/// busy the machine is.
const COUNTED: Duration = if cfg!(test) {
    Duration::from_mins(10)
} else {
    Duration::from_secs(2)
};

/// Larger dungeons are not looked at beforehand.
const MOST_SQUARES: u64 = 4_000_000;

/// Bytes of a file's beginning that are kept to be shown.
const HEAD: usize = 1 << 16;

/// Squares this small have no room for the lines of a grid.
const LEAST_WITH_GRID: i32 = 3;

/// What is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// What the dungeon grows from.
    pub design: ValidDesign,
    /// After how many turns; `None` for the end.
    pub turn: Option<u64>,
    /// What is made of it.
    pub kind: Kind,
    /// How; and how the dungeon grows.
    pub options: Options,
    /// The recording that is shown, where it was read from a file: the dungeon is what is in it, and not grown.
    pub recorded: Option<Arc<Reel>>,
    /// The files that the design was read from, where it is still what they say: named in what is written, by their digests.
    pub sources: Vec<PathBuf>,
    /// The file.
    pub to: PathBuf,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The file.
    pub path: PathBuf,
    /// How many bytes it has.
    pub bytes: u64,
    /// The file that stands beside it, where the kind has one, and its bytes.
    pub beside: Option<(PathBuf, u64)>,
    /// What programs that read it may refuse.
    pub warning: Option<String>,
}

/// How far an export is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The dungeon grows; so many turns are over.
    Growing(u64),
    /// So many parts of all are written.
    Writing(u64, u64),
}

/// What an export would write, as far as it can be told beforehand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The dungeon's dimensions.
    pub squares: Size,
    /// Turns of its growth that are over.
    pub turn: u64,
    /// Bytes of the file, and whether they were counted to the last one; `None` for a dungeon too large for that.
    pub bytes: Option<(u64, bool)>,
    /// Pixels across and down, where the file is made of pixels.
    pub pixels: Option<(u32, u32)>,
    /// Pictures of a film.
    pub pictures: Option<u64>,
    /// The file beside it, with its bytes.
    pub beside: Option<(String, u64)>,
    /// How it looks.
    pub shown: Shown,
}

/// How a file looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// The first lines.
    Lines(Vec<String>),
    /// A picture, the colour of its ground, and the parts of a legend.
    Picture {
        /// The pixels, row by row: no more than two to a character, or else no more than eight, in two columns.
        rows: Vec<Vec<Rgb>>,
        /// The colour of what is open.
        ground: Rgb,
        /// Names and colours of what is not.
        legend: Vec<(String, Rgb)>,
    },
    /// Not at all: it is too large.
    Nothing,
}

/// What is told of exports.
#[derive(Debug)]
pub enum Exported {
    /// An export goes on.
    Going {
        /// Which one.
        run: RunId,
        /// How far it is.
        progress: Progress,
    },
    /// An export is over.
    Over {
        /// Which one.
        run: RunId,
        /// What was written, or why nothing was.
        written: Result<Delivery, String>,
    },
    /// What an export would write.
    Sampled {
        /// Which look.
        run: RunId,
        /// What, or why it cannot be written.
        sample: Result<Box<Sample>, String>,
    },
}

/// The threads. Dropping it ends what is under way and joins them.
#[derive(Debug)]
pub struct Exporter {
    files: Lane<Box<Export>>,
    samples: Lane<(Box<Export>, Size)>,
}

impl Exporter {
    /// Starts the threads; their messages go to `inbox`.
    ///
    /// # Errors
    ///
    /// When the system has no thread to give.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> io::Result<Self> {
        let broken = |run, why: String| {
            let written = Err(format!("a fault of the program: {why}"));
            Message::Exported(Exported::Over { run, written })
        };
        let files = Lane::start("exporter", inbox.clone(), broken, || {
            |run, wish: Box<Export>, line: &Line<I>| {
                let written = write(run, &wish, line).map_err(|error| error.to_string());
                line.send(run, Message::Exported(Exported::Over { run, written }));
            }
        })?;
        let broken = |run, why: String| {
            let sample = Err(format!("a fault of the program: {why}"));
            Message::Exported(Exported::Sampled { run, sample })
        };
        let samples = Lane::start("samples", inbox, broken, || {
            let mut grown = None;
            move |run, (wish, room): (Box<Export>, Size), line: &Line<I>| {
                let is_stale = || line.is_stale(run);
                let sample = match sample(&wish, room, &mut grown, &is_stale) {
                    Err(Error::Interrupted) => return,
                    Err(error) => Err(error.to_string()),
                    Ok(sample) => Ok(Box::new(sample)),
                };
                line.send(run, Message::Exported(Exported::Sampled { run, sample }));
            }
        })?;
        Ok(Self { files, samples })
    }

    /// Writes a file; an export under way ends, and nothing of it is written.
    pub fn write(&self, wish: Box<Export>) -> RunId {
        self.files.ask(wish)
    }

    /// Ends the export under way; nothing of it is written.
    pub fn cancel(&self) {
        self.files.cancel();
    }

    /// Asks what an export would write, and how that looks in at most so many characters (x: rows, y: columns).
    pub fn sample(&self, wish: Box<Export>, room: Size) -> RunId {
        self.samples.ask((wish, room))
    }

    /// Nobody looks at that any more.
    pub fn turn_away(&self) {
        self.samples.cancel();
    }
}

fn write<I>(run: RunId, wish: &Export, line: &Line<I>) -> Result<Delivery, Error> {
    let mut told = Instant::now();
    let mut going = |progress: Progress| {
        if told.elapsed() >= PAUSE {
            told = Instant::now();
            // Whoever does not listen any more has made it stale.
            line.send(run, Message::Exported(Exported::Going { run, progress }));
        }
        if line.is_stale(run) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let grown;
    let recording = if let Some(reel) = &wish.recorded {
        &reel.recording
    } else {
        let mut watch = |turns: u64, _: u64| going(Progress::Growing(turns));
        grown = Dungeon::grow(&wish.design, wish.options.engine, &mut watch)?;
        &grown
    };
    let dungeon = Dungeon::new(&wish.design, recording, wish.turn.unwrap_or(u64::MAX));
    let mut watch = |done: u64, all: u64| going(Progress::Writing(done, all));
    deliver(wish.kind, &dungeon, &wish.options_with_sources(), &wish.to, &mut watch)
}

impl Export {
    /// The options, with the digests of the files that the design was read from; those that cannot be read are left out.
    fn options_with_sources(&self) -> Options {
        let mut options = self.options.clone();
        if let Some(reel) = &self.recorded {
            options.sources.clone_from(&reel.sources);
            return options;
        }
        // Only these name them, and files may be far away.
        if matches!(self.kind, Kind::Cast(_) | Kind::Recording) {
            options.sources.extend(self.sources.iter().filter_map(|path| {
                let bytes = crate::storage::read(path).ok()?;
                let name = path.file_name()?.to_string_lossy().into_owned();
                Some((name, export::sha256(&bytes)))
            }));
        }
        options
    }

    /// The file that is written beside it, by its name alone, where the kind has one.
    pub fn beside(&self) -> Option<PathBuf> {
        let name = export::name_beside(self.kind, self.name())?;
        Some(self.to.with_file_name(name))
    }

    /// Whether another one would write the same, wherever to.
    pub fn same_but_for_the_path(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.turn == other.turn
            && self.options == other.options
            && self.sources == other.sources
            && self.recorded == other.recorded
            && self.design == other.design
    }

    /// The name of the file.
    fn name(&self) -> &str {
        name_of(&self.to)
    }
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or("dungeon")
}

/// Writes a dungeon to a file, and what goes with it beside it: whole or not at all. A device or a pipe is written as
/// it comes.
///
/// # Errors
///
/// When a file cannot be written, the watch ends it, or the kind cannot hold such a dungeon.
pub fn deliver(
    kind: Kind,
    dungeon: &Dungeon<'_>,
    options: &Options,
    to: &Path,
    watch: &mut Watch<'_>,
) -> Result<Delivery, Error> {
    let name = name_of(to);
    let beside = export::beside(kind, dungeon, options, name)?;
    let draft = match Draft::new(to) {
        Ok(draft) => draft,
        Err(StorageError::NoFile { .. }) if !to.is_dir() => {
            let mut out = BufWriter::with_capacity(BUFFER, Counter::new(fs_err::File::create(to)?));
            export::write(kind, dungeon, options, name, &mut out, watch)?;
            let counter = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            return Ok(Delivery {
                path: to.to_owned(),
                bytes: counter.bytes,
                beside: None,
                warning: export::warning(kind, dungeon),
            });
        }
        Err(error) => return Err(refused(error)),
    };
    let mut second = None;
    if let Some((name, bytes)) = beside {
        let path = to.with_file_name(name);
        let mut draft = Draft::new(&path).map_err(refused)?;
        draft.write_all(&bytes)?;
        second = Some((path, bytes.len() as u64, draft));
    }
    let mut out = BufWriter::with_capacity(BUFFER, Counter::new(draft));
    export::write(kind, dungeon, options, name, &mut out, watch)?;
    let Counter { inner: draft, bytes } = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    // Whoever ended it in time finds nothing.
    if watch(1, 1).is_break() {
        return Err(Error::Interrupted);
    }
    // The file that names the other comes last.
    let mut beside = None;
    if let Some((path, bytes, draft)) = second {
        draft.commit().map_err(refused)?;
        beside = Some((path, bytes));
    }
    draft.commit().map_err(refused)?;
    Ok(Delivery {
        path: to.to_owned(),
        bytes,
        beside,
        warning: export::warning(kind, dungeon),
    })
}

fn refused(error: StorageError) -> Error {
    match error {
        StorageError::Io(error) => Error::Io(error),
        other => Error::Io(io::Error::other(other.to_string())),
    }
}

/// Counts the bytes that go through it.
struct Counter<W> {
    inner: W,
    bytes: u64,
}

impl<W> Counter<W> {
    const fn new(inner: W) -> Self {
        Self { inner, bytes: 0 }
    }
}

impl<W: Write> Write for Counter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Keeps the beginning of what is written.
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

/// The last growth that was looked at: most looks are at the same.
type Grown = Option<(ValidDesign, engine::Options, Recording)>;

fn sample(wish: &Export, room: Size, grown: &mut Grown, is_stale: &dyn Fn() -> bool) -> Result<Sample, Error> {
    let squares = wish.design.layout.size;
    if squares.squares() > MOST_SQUARES {
        return Ok(Sample {
            squares,
            turn: wish.turn.unwrap_or(0),
            bytes: None,
            pixels: None,
            pictures: None,
            beside: None,
            shown: Shown::Nothing,
        });
    }
    let ends = || {
        if is_stale() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let is_known =
        |known: &(ValidDesign, engine::Options, Recording)| known.0 == wish.design && known.1 == wish.options.engine;
    let known = grown.take().filter(is_known);
    let recording = if let Some(reel) = &wish.recorded {
        &reel.recording
    } else if let Some(known) = known {
        &grown.insert(known).2
    } else {
        let recording = Dungeon::grow(&wish.design, wish.options.engine, &mut |_, _| ends())?;
        &grown.insert((wish.design.clone(), wish.options.engine, recording)).2
    };
    let dungeon = Dungeon::new(&wish.design, recording, wish.turn.unwrap_or(u64::MAX));
    let name = wish.name();
    let beside = export::beside(wish.kind, &dungeon, &wish.options, name)?;
    let mut out = Counter::new(Head::default());
    let begun = Instant::now();
    let mut parts = (0, 0);
    let mut is_late = false;
    let mut watch = |done: u64, all: u64| {
        parts = (done, all);
        is_late = begun.elapsed() >= COUNTED;
        if is_late { ControlFlow::Break(()) } else { ends() }
    };
    match export::write(wish.kind, &dungeon, &wish.options, name, &mut out, &mut watch) {
        Err(Error::Interrupted) if is_late => {}
        other => other?,
    }
    let bytes = if is_late {
        let done = u128::from(parts.0.max(1));
        (u128::from(out.bytes) * u128::from(parts.1) / done) as u64
    } else {
        out.bytes
    };
    let head = out.inner.0;
    let shown = match wish.kind.group() {
        Group::Text => Shown::Lines(lines(&head, room)),
        _ => picture(&dungeon, wish, room),
    };
    Ok(Sample {
        squares: dungeon.size(),
        turn: dungeon.turn(),
        // From nothing nothing can be concluded.
        bytes: (bytes > 0 || !is_late).then_some((bytes, !is_late)),
        pixels: pixels(&head),
        pictures: wish.kind.takes(Setting::Duration).then_some(parts.1),
        beside: beside.map(|(name, bytes)| (name, bytes.len() as u64)),
        shown,
    })
}

/// Pixels across and down, as the head of a PNG or a GIF says.
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

/// The first lines of a text, as many as have room.
fn lines(head: &[u8], room: Size) -> Vec<String> {
    /// A character in colour, and the change of colour before it.
    const MOST_OF_CHARACTER: usize = 16;
    let text = String::from_utf8_lossy(head);
    let most = room.x.max(0) as usize;
    let columns = room.y.max(0) as usize * MOST_OF_CHARACTER;
    let lines = text.lines().take(most);
    lines.map(|line| line.chars().take(columns).collect()).collect()
}

/// The picture of a dungeon as it is coloured in the file: some pixels for each square, or some squares for each pixel.
fn picture(dungeon: &Dungeon<'_>, wish: &Export, room: Size) -> Shown {
    let ground = wish.options.ground.unwrap_or(wish.kind.ground());
    let painting = Painting::new(dungeon, wish.options.by, ground);
    let size = painting.size();
    let parts = painting.parts();
    let colour = |part: usize| parts.get(part).map_or([0; 3], |part| part.rgb);
    let fits = |room: Size| (room.x / size.x.max(1)).min(room.y / size.y.max(1));
    // Two to a character show every colour; eight show more squares.
    let [coarse, fine] = [(2, 1), (4, 2)].map(|(rows, columns)| Size::new(room.x * rows, room.y * columns));
    let (each, room) = match fits(coarse) {
        0 => (fits(fine).min(1), fine),
        each => (each, coarse),
    };
    let rows = if room.x <= 0 || room.y <= 0 {
        Vec::new()
    } else if each >= 1 {
        let grid = wish.options.grid.filter(|_| each >= LEAST_WITH_GRID);
        // Never too large, and with room for lines.
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
    Shown::Picture {
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

/// The part that a block of squares shows: the last in it that is not open, if as many of them are not as a line through
/// the block has.
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

/// Division that rounds up, by one at least.
fn div_ceil(a: i32, by: i32) -> i32 {
    let by = by.max(1);
    (a + by - 1) / by
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::{Ground, Style};
    use crate::presets::Preset;
    use crate::worker::Inbox;

    fn wish(kind: Kind, to: &Path) -> Export {
        let design = Preset::find("first-steps").unwrap().design();
        Export {
            design: design.validate(None).design.unwrap(),
            turn: None,
            kind,
            options: Options::default(),
            recorded: None,
            sources: Vec::new(),
            to: to.to_owned(),
        }
    }

    fn over(inbox: &Inbox<()>) -> (RunId, Result<Delivery, String>) {
        loop {
            match inbox.wait(None) {
                Some(Message::Exported(Exported::Over { run, written })) => return (run, written),
                Some(Message::Exported(Exported::Going { .. })) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    fn sampled(inbox: &Inbox<()>) -> Result<Box<Sample>, String> {
        match inbox.wait(None) {
            Some(Message::Exported(Exported::Sampled { sample, .. })) => sample,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_told_beforehand_is_what_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let exporter = Exporter::new(inbox.sender()).unwrap();
        for about in Kind::ALL {
            let mut wish = wish(about.kind, &folder.path().join(format!("map.{}", about.name)));
            wish.options.duration = 2000;
            exporter.sample(Box::new(wish.clone()), Size::new(30, 40));
            let sample = sampled(&inbox).unwrap();
            let asked = exporter.write(Box::new(wish.clone()));
            let (run, written) = over(&inbox);
            let written = written.unwrap();
            assert_eq!((run, &written.path), (asked, &wish.to));
            let bytes = std::fs::read(&wish.to).unwrap();
            assert_eq!(written.bytes, bytes.len() as u64, "{}", about.name);
            assert_eq!(sample.bytes, Some((written.bytes, true)), "{}", about.name);
            let beside = written.beside.map(|(path, bytes)| {
                assert_eq!(std::fs::metadata(&path).unwrap().len(), bytes);
                (path.file_name().unwrap().to_string_lossy().into_owned(), bytes)
            });
            assert_eq!(sample.beside, beside, "{}", about.name);
            match about.kind {
                Kind::Png => assert_eq!(
                    sample.pixels,
                    Some((
                        wish.design.layout.size.y as u32 * 8,
                        wish.design.layout.size.x as u32 * 8
                    ))
                ),
                Kind::Gif => assert!(sample.pixels.is_some() && sample.pictures > Some(10)),
                Kind::Text(Style::Digits) => {
                    let Shown::Lines(lines) = &sample.shown else { panic!() };
                    let text = String::from_utf8(bytes).unwrap();
                    assert!(lines.len() == 30 && text.starts_with(&lines.join("\n")));
                }
                _ => {}
            }
        }
        let names = std::fs::read_dir(folder.path()).unwrap();
        let hidden = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with('.');
        assert!(!names.flatten().any(|entry| hidden(&entry.file_name())));
    }

    #[test]
    fn a_picture_has_the_colours_of_the_file_in_any_room() {
        let mut wish = wish(Kind::Png, Path::new("map.png"));
        wish.options.ground = Some(Ground::Light);
        let squares = wish.design.layout.size;
        for room in [
            Size::new(squares.x * 2, squares.y * 4 + 3),
            Size::new(squares.x, squares.y),
            Size::new(squares.x / 2, squares.y),
            Size::new(squares.x / 4, squares.y / 2),
            Size::new(squares.x / 9, squares.y),
            Size::new(1, 1),
            Size::new(0, 0),
        ] {
            let sample = sample(&wish, room, &mut None, &|| false).unwrap();
            let Shown::Picture { rows, ground, legend } = sample.shown else {
                panic!("no picture");
            };
            assert!(
                rows.len() as i32 <= 4 * room.x && rows.iter().all(|row| row.len() as i32 <= 2 * room.y),
                "{room}"
            );
            let known = |rgb: &Rgb| *rgb == ground || legend.iter().any(|(_, own)| own == rgb);
            assert!(rows.iter().flatten().all(known), "{room}");
            if room.x > 9 {
                assert!(rows.iter().flatten().any(|rgb| *rgb != ground), "{room}");
            }
        }
    }

    #[test]
    fn a_recording_is_written_as_it_was_recorded_and_not_grown_anew() {
        let folder = tempfile::tempdir().unwrap();
        let mut wish = wish(Kind::Text(Style::Digits), &folder.path().join("map.txt"));
        // Another program grew something else from the same design.
        let other = wish.design.with_seed(wish.design.seed + 1);
        let recording = Dungeon::grow(&other, wish.options.engine, &mut |_, _| ControlFlow::Continue(())).unwrap();
        let mut recorded = Vec::new();
        let dungeon = Dungeon::new(&other, &recording, u64::MAX);
        let mut watch = |_, _| ControlFlow::Continue(());
        export::write(wish.kind, &dungeon, &wish.options, "", &mut recorded, &mut watch).unwrap();
        let inbox = Inbox::<()>::new();
        let exporter = Exporter::new(inbox.sender()).unwrap();
        exporter.write(Box::new(wish.clone()));
        over(&inbox).1.unwrap();
        assert_ne!(std::fs::read(&wish.to).unwrap(), recorded);
        wish.recorded = Some(Arc::new(Reel {
            program: String::new(),
            design: wish.design.clone(),
            diagnostics: Vec::new(),
            options: wish.options.engine,
            sources: Vec::new(),
            recording,
        }));
        exporter.sample(Box::new(wish.clone()), Size::new(40, 60));
        let sample = sampled(&inbox).unwrap();
        exporter.write(Box::new(wish.clone()));
        over(&inbox).1.unwrap();
        assert_eq!(std::fs::read(&wish.to).unwrap(), recorded);
        assert_eq!(sample.bytes, Some((recorded.len() as u64, true)));
    }

    #[test]
    fn what_ends_an_export_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("map.png");
        std::fs::write(&to, "before").unwrap();
        let wish = wish(Kind::Png, &to);
        let recording =
            Dungeon::grow(&wish.design, wish.options.engine, &mut |_, _| ControlFlow::Continue(())).unwrap();
        let dungeon = Dungeon::new(&wish.design, &recording, u64::MAX);
        for kind in [Kind::Png, Kind::Tmx, Kind::Gif] {
            let mut looks = 0;
            // At the last look, when all is written and nothing stands in its place.
            let mut watch = |done: u64, all: u64| {
                looks += 1;
                if done == all {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            let ended = deliver(kind, &dungeon, &wish.options, &to, &mut watch);
            assert!(matches!(ended, Err(Error::Interrupted)) && looks > 1, "{ended:?}");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
            assert_eq!(std::fs::read(&to).unwrap(), b"before");
        }
        let inbox = Inbox::<()>::new();
        let exporter = Exporter::new(inbox.sender()).unwrap();
        let absent = Export {
            to: folder.path().join("no/such/map.png"),
            ..wish.clone()
        };
        exporter.write(Box::new(absent));
        let why = over(&inbox).1.unwrap_err();
        assert!(why.contains("no/such/map.png"), "{why}");
        // The later one takes the place of the one before.
        let first = exporter.write(Box::new(Export {
            options: Options {
                scale: Some(4000),
                ..Options::default()
            },
            to: folder.path().join("giant.png"),
            ..wish.clone()
        }));
        let second = exporter.write(Box::new(wish));
        let (run, written) = over(&inbox);
        assert!(run == second && run != first && written.is_ok(), "{written:?}");
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            1,
            "nothing of the first"
        );
    }
}
