//! The class `Dungeon`: a grown dungeon with the recording of its growth, at one of its turns.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use numpy::{Element, IntoPyArray as _, PyArray2, PyArrayMethods as _};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use wallcrawler::analysis::{Cell, CellKind, columns, row};
use wallcrawler::design::{Design, Diagnostic, ValidDesign};
use wallcrawler::engine::{Options, stage_one};
use wallcrawler::export::{DungeonView, ExportError, ExportKind, ExportOptions, TextStyle};
use wallcrawler::geometry::Point;
use wallcrawler::recording::Recording;
use wallcrawler::recording_file::RecordingFile;
use wallcrawler::rows::{NO_GENERATION, NO_STEPS, saturated_generation, squares_of};
use wallcrawler::storage::SinkKind;

use crate::arrow::{arrow_error, record_batch};
use crate::design::{PyDesign, level_files};
use crate::files::{read, write};
use crate::picture::ExportArgs;
use crate::workers::{BETWEEN_SIGNALS, Failure};
use crate::{events, texts, workers};

/// The value for a square on which no Builder laid a tile.
const NO_BUILDER: i32 = -1;

/// A dungeon after one turn of its growth (by default the last), with the recording of the whole growth.
#[pyclass(name = "Dungeon", module = "wallcrawler", frozen)]
pub(crate) struct PyDungeon {
    /// The design that the caller gave, with this dungeon's seed. If the dungeon was read from a recording, the
    /// recorded design with the level files that the caller gave. The getter `design` returns this field.
    of: PyDesign,
    /// The design after validation, with resolved vaults. The dungeon grew from it.
    design: ValidDesign,
    diagnostics: Vec<Diagnostic>,
    options: Options,
    recording: Arc<Recording>,
    turn: u64,
}

impl PyDungeon {
    /// Grows a design from a seed.
    pub(crate) fn grow(py: Python<'_>, of: &PyDesign, seed: u64, options: Options) -> PyResult<Self> {
        let (design, diagnostics, grown) = py
            .detach(|| {
                let (design, diagnostics) = of.prepared(seed, options).map_err(Failure::Design)?;
                let mut interrupted = None;
                let grown = DungeonView::grow(&design, options, &mut watch(&mut interrupted));
                match interrupted {
                    Some(signal) => Err(Failure::Signal(signal)),
                    None => Ok((design, diagnostics, grown)),
                }
            })
            .map_err(|failure| failure.exception(py))?;
        let recording = grown.map_err(|error| export_error(&error))?;
        Ok(Self {
            turn: recording.turns(),
            of: of.with_seed(seed),
            design,
            diagnostics,
            options,
            recording: Arc::new(recording),
        })
    }

    /// Returns the dungeon at its turn.
    fn view(&self) -> DungeonView<'_> {
        DungeonView::new(&self.design, &self.recording, self.turn)
    }

    /// Returns a value for each square as an array of rows and columns.
    fn array<'py, T: Element + Send>(
        &self,
        py: Python<'py>,
        value: impl Fn(&DungeonView<'_>, Point) -> T + Sync + Send,
    ) -> PyResult<Bound<'py, PyArray2<T>>> {
        let size = self.design.layout.size;
        let list: Vec<T> = py.detach(|| {
            let view = self.view();
            squares_of(size).map(|at| value(&view, at)).collect()
        });
        list.into_pyarray(py).reshape([size.x as usize, size.y as usize])
    }

    /// Exports the dungeon; returns the bytes, and the name and bytes of a companion file.
    fn exported(
        &self,
        py: Python<'_>,
        kind: ExportKind,
        options: &ExportOptions,
        name: &str,
    ) -> PyResult<(Vec<u8>, Option<(String, Vec<u8>)>)> {
        let mut interrupted = None;
        let exported = py.detach(|| {
            let view = self.view();
            let mut bytes = Vec::new();
            let mut watch = watch(&mut interrupted);
            wallcrawler::export::write(kind, &view, options, name, &mut bytes, &mut watch)?;
            let beside = wallcrawler::export::beside(kind, &view, options, name)?;
            Ok((bytes, beside))
        });
        match interrupted {
            Some(signal) => Err(signal),
            None => exported.map_err(|error| export_error(&error)),
        }
    }

    /// Returns the export options for keyword arguments.
    fn options(&self, kind: ExportKind, args: Option<&Bound<'_, PyDict>>) -> PyResult<ExportOptions> {
        let args: ExportArgs = args.map_or_else(|| Ok(ExportArgs::default()), |args| args.extract())?;
        Ok(ExportOptions {
            engine: self.options,
            ..args.options(kind)?
        })
    }
}

/// Returns a progress callback that checks for signals and ends the work when a handler raises an exception.
fn watch(interrupted: &mut Option<PyErr>) -> impl FnMut(u64, u64) -> ControlFlow<()> {
    let mut last = Instant::now();
    move |_, _| {
        if last.elapsed() >= BETWEEN_SIGNALS {
            last = Instant::now();
            *interrupted = workers::signal();
        }
        if interrupted.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Returns the exception for an export that failed.
fn export_error(error: &ExportError) -> PyErr {
    match error {
        ExportError::Io(error) => PyRuntimeError::new_err(error.to_string()),
        error => PyValueError::new_err(error.to_string()),
    }
}

/// Returns the export kind of a name.
fn kind_of(name: &str) -> PyResult<ExportKind> {
    ExportKind::by_name(name).ok_or_else(|| {
        let all: Vec<&str> = ExportKind::ALL.iter().map(|about| about.name).collect();
        let all = all.join(", ");
        PyValueError::new_err(format!("unknown kind of export `{name}`; use one of {all}"))
    })
}

/// Returns a point as row and column.
const fn pair(at: Point) -> (i32, i32) {
    (at.x, at.y)
}

#[pymethods]
impl PyDungeon {
    /// Reads a recording, which `wallcrawler export DESIGN --output NAME.wcr` or `save` writes.
    #[staticmethod]
    #[pyo3(name = "read")]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 passes paths by value")]
    fn read_file(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let bytes = read(py, &path)?;
        let of_file = |error| PyValueError::new_err(format!("{}: {error}", path.display()));
        Self::parsed(py, &bytes, None).map_err(of_file)
    }

    /// Returns the dungeon of a recording that is given as bytes. `levels` contains the name and the content of each
    /// level file that the design uses, because a recording does not contain these files. They are needed only to grow
    /// `design` again.
    #[staticmethod]
    #[pyo3(signature = (recording, levels=None))]
    fn from_recording(py: Python<'_>, recording: &[u8], levels: Option<Vec<(String, Vec<u8>)>>) -> PyResult<Self> {
        Self::parsed(py, recording, levels).map_err(PyValueError::new_err)
    }

    /// Returns the dungeon of the same growth after turn number `turn`; 0 stands for the time before the first turn.
    fn at(&self, turn: u64) -> Self {
        Self {
            of: self.of.clone(),
            design: self.design.clone(),
            diagnostics: self.diagnostics.clone(),
            options: self.options,
            recording: Arc::clone(&self.recording),
            turn: turn.min(self.recording.turns()),
        }
    }

    /// Returns every event of the growth up to this turn as a `pyarrow.RecordBatch`; see the guide for its columns.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let batch = py.detach(|| events::table(&self.recording, self.turn));
        record_batch(py, batch.map_err(|error| arrow_error(&error))?)
    }

    /// Returns the dungeon as one of the kinds that `export_kinds()` lists, with the options of `wallcrawler export`.
    #[pyo3(signature = (kind, **options))]
    fn export<'py>(
        &self,
        py: Python<'py>,
        kind: &str,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let kind = kind_of(kind)?;
        let (bytes, _) = self.exported(py, kind, &self.options(kind, options)?, "dungeon")?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Writes the dungeon to a file, and the tile picture of a Tiled or LDtk map beside it. The file's extension
    /// determines the kind, unless `kind` is given.
    #[pyo3(signature = (path, kind=None, **options))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 passes paths by value")]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        kind: Option<&str>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let kind = match kind {
            Some(name) => kind_of(name)?,
            None => ExportKind::of_path(&path).ok_or_else(|| {
                let message = format!("cannot infer the format from `{}`; pass `kind`", path.display());
                PyValueError::new_err(message)
            })?,
        };
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("dungeon");
        let (bytes, beside) = self.exported(py, kind, &self.options(kind, options)?, name)?;
        let Some((name, picture)) = beside else {
            return write(py, &[(&path, &bytes)]);
        };
        if SinkKind::of(&path) != SinkKind::File {
            let message = format!("{} needs a companion file; save it to a regular file", kind.name());
            return Err(PyValueError::new_err(message));
        }
        // The main file refers to its companion, so it is replaced last.
        write(py, &[(&path.with_file_name(name), &picture), (&path, &bytes)])
    }

    /// Returns all data of the dungeon, as in the JSON export.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = self.export(py, ExportKind::Json.name(), None)?;
        py.import("json")?.call_method1("loads", (json,))
    }

    /// Picture for notebooks.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.export(py, ExportKind::Png.name(), None)
    }

    /// Kind of the tile on each square, row by row: 0 open, 1 guaranteed open, 2 wall, 3 high wall, 4 column.
    #[getter]
    fn tiles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        self.array(py, |view, at| view.grid().tile(at) as u8)
    }

    /// Generation of the Builder that laid the tile; -1 where none did.
    #[getter]
    fn generations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i16>>> {
        self.array(py, |view, at| {
            view.generation(at).map_or(NO_GENERATION, saturated_generation)
        })
    }

    /// Turn in which the tile was laid, counted from 1; 0 for open squares and tiles of the design.
    #[getter]
    fn turn_laid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        self.array(py, |view, at| {
            let laid = view.laid(at);
            laid.map_or(0, |(_, turn)| u32::try_from(turn).unwrap_or(u32::MAX))
        })
    }

    /// Builder that laid the tile, counted from 0 in the order of birth; -1 where none did.
    #[getter]
    fn builders<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        self.array(py, |view, at| view.laid(at).map_or(NO_BUILDER, |(id, _)| id.0 as i32))
    }

    /// Number of steps from the entrance; -1 for squares that cannot be reached.
    #[getter]
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        self.array(py, |view, at| view.steps(at).map_or(NO_STEPS, |steps| steps as i32))
    }

    /// Row and column of the entrance; None if no square is open.
    #[getter]
    fn entrance(&self, py: Python<'_>) -> Option<(i32, i32)> {
        py.detach(|| self.view().metrics().entrance.map(pair))
    }

    /// Row and column of the exit; None if no square is open.
    #[getter]
    fn exit(&self, py: Python<'_>) -> Option<(i32, i32)> {
        py.detach(|| self.view().metrics().exit.map(pair))
    }

    /// A shortest path from the entrance to the exit as an array of rows and columns; empty if there is none.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let way: Vec<i32> = py.detach(|| {
            let view = self.view();
            view.metrics().way.iter().flat_map(|at| [at.x, at.y]).collect()
        });
        let steps = way.len() / 2;
        way.into_pyarray(py).reshape([steps, 2])
    }

    /// Metrics at this turn. The keys are the names of the metrics' columns in a survey, such as `dead_ends`.
    #[getter]
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = columns(&self.design);
        let cells = py.detach(|| row(self.view().metrics(), &columns));
        let all = PyDict::new(py);
        for (column, cell) in columns.iter().zip(cells) {
            let name = column.identifier();
            match cell {
                Cell::Nothing => all.set_item(name, py.None())?,
                Cell::Truth(truth) => all.set_item(name, truth)?,
                Cell::Word(word) => all.set_item(name, word)?,
                Cell::Number(number) if column.kind() == CellKind::Whole => all.set_item(name, number / 10_000)?,
                Cell::Number(number) => all.set_item(name, number as f64 / 1e4)?,
            }
        }
        Ok(all)
    }

    /// Anomalies at this turn, such as `no-way`. They have the same names as in the column `anomalies` of a survey.
    #[getter]
    fn anomalies(&self, py: Python<'_>) -> Vec<String> {
        let anomalies = py.detach(|| self.view().metrics().anomalies());
        anomalies.into_iter().map(|anomaly| anomaly.key()).collect()
    }

    /// Warnings and notes about the design and its files, for example about values that were changed and parts that
    /// were left out. A pickled copy and a dungeon read from a recording lack some of these messages, such as those
    /// about files and changed values.
    #[getter]
    fn diagnostics(&self) -> Vec<String> {
        texts(&self.diagnostics)
    }

    /// Design that the dungeon grew from, with its seed. A recording does not contain the level files of its design.
    #[getter]
    fn design(&self) -> PyDesign {
        self.of.clone()
    }

    /// Seed that the dungeon grew from.
    #[getter]
    fn seed(&self) -> u64 {
        self.design.seed
    }

    /// Number of turns shown.
    #[getter]
    fn turn(&self) -> u64 {
        self.turn
    }

    /// Number of turns of the whole growth.
    #[getter]
    fn turns(&self) -> u64 {
        self.recording.turns()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let bytes = this.export(py, ExportKind::Recording.name(), None)?;
        let unpickle = py.import("wallcrawler")?.getattr("_dungeon")?;
        Ok((unpickle, (bytes, this.turn, this.of.level_list(py)).into_pyobject(py)?))
    }

    /// The dungeon as text, one character per square, one line per row.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let kind = ExportKind::Text(TextStyle::Plain);
        let (bytes, _) = self.exported(py, kind, &ExportOptions::default(), "dungeon")?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn __repr__(&self) -> String {
        let size = self.design.layout.size;
        format!(
            "<wallcrawler.Dungeon {:?}, seed {}, {} × {} squares, turn {} of {}>",
            self.design.name,
            self.design.seed,
            size.x,
            size.y,
            self.turn,
            self.recording.turns()
        )
    }
}

impl PyDungeon {
    /// Parses a recording; the error is a message.
    fn parsed(py: Python<'_>, bytes: &[u8], levels: Option<Vec<(String, Vec<u8>)>>) -> Result<Self, String> {
        let file = py.detach(|| {
            let mut file = RecordingFile::read(bytes, None).map_err(|error| error.to_string())?;
            file.diagnostics.extend(stage_one::build(&file.design).diagnostics);
            Ok::<_, String>(file)
        })?;
        let levels = level_files(levels, &file.design);
        Ok(Self {
            turn: file.recording.turns(),
            of: PyDesign::new_with(Design::clone(&file.design), levels),
            design: file.design,
            diagnostics: file.diagnostics,
            options: file.options,
            recording: Arc::new(file.recording),
        })
    }
}
