//! The Python module `wallcrawler._wallcrawler`: designs, dungeons, batches of them and surveys.
//!
//! Everything that grows or measures runs without the interpreter's lock. Work over many seeds runs on several threads,
//! and ends with `KeyboardInterrupt` when the user asks for it; see [`workers`].

mod arrow;
mod batch;
mod design;
mod dungeon;
mod events;
mod files;
mod picture;
mod survey;
mod workers;

use numpy::PyArray1;
use pyo3::create_exception;
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use wallcrawler::design::expect::all_metrics;
use wallcrawler::design::{Diagnostic, InvalidDesign};
use wallcrawler::engine::{Options, SEED_CATALOG};
use wallcrawler::export::ExportKind;
use wallcrawler::presets::Preset;
use wallcrawler::recording_file::PROGRAM_VERSION;

create_exception!(
    wallcrawler,
    DesignError,
    PyValueError,
    "A design is unusable. Its attribute `diagnostics` contains the errors, and the warnings and notes found with \
     them, as text."
);

/// Returns the exception for a design that cannot be used, with its diagnostics.
fn design_error(py: Python<'_>, problem: &InvalidDesign) -> PyErr {
    let error = DesignError::new_err(problem.to_string());
    let set = PyList::new(py, texts(&problem.diagnostics))
        .and_then(|diagnostics| error.value(py).setattr("diagnostics", diagnostics));
    set.err().unwrap_or(error)
}

/// Issues a Python warning. If `level` is 1, the warning points to the caller of the compiled function. If `level` is
/// 2, it points to the caller of the Python function that called the compiled function.
fn warn(py: Python<'_>, message: &str, level: usize) -> PyResult<()> {
    let category = py.get_type::<PyUserWarning>();
    py.import("warnings")?
        .call_method1("warn", (message, category, level))
        .map(drop)
}

/// Returns diagnostics as text.
fn texts(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics.iter().map(Diagnostic::to_string).collect()
}

/// Returns the engine options for the keyword argument `no_columns`.
const fn options(no_columns: bool) -> Options {
    Options { columns: !no_columns }
}

/// Returns the names of the built-in designs with one sentence about each, in the order of the program's list.
#[pyfunction]
fn presets() -> Vec<(&'static str, String)> {
    let all = Preset::all().iter();
    all.map(|preset| (preset.name, preset.summary())).collect()
}

/// Returns the name, the unit and the meaning of every metric.
#[pyfunction]
fn metrics() -> Vec<(&'static str, &'static str, &'static str)> {
    all_metrics().map(|info| (info.name, info.unit, info.meaning)).collect()
}

/// Returns the name, the file extensions and the description of every export kind.
#[pyfunction]
fn export_kinds() -> Vec<(&'static str, Vec<&'static str>, &'static str)> {
    let all = ExportKind::ALL.iter();
    all.map(|about| (about.name, about.endings.to_vec(), about.description))
        .collect()
}

#[pymodule]
fn _wallcrawler(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // Loads the interface of NumPy, which fails with a panic if Ctrl+C interrupts it on the first use.
    drop(PyArray1::<u8>::zeros(module.py(), 0, false));
    module.add("__version__", PROGRAM_VERSION)?;
    module.add("SEED_CATALOG", SEED_CATALOG)?;
    module.add("DesignError", module.py().get_type::<DesignError>())?;
    module.add_class::<design::PyDesign>()?;
    module.add_class::<dungeon::PyDungeon>()?;
    module.add_function(wrap_pyfunction!(presets, module)?)?;
    module.add_function(wrap_pyfunction!(metrics, module)?)?;
    module.add_function(wrap_pyfunction!(export_kinds, module)?)?;
    module.add_function(wrap_pyfunction!(design::changed, module)?)?;
    module.add_function(wrap_pyfunction!(batch::grow, module)?)?;
    module.add_function(wrap_pyfunction!(survey::survey, module)?)
}
