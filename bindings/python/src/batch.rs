//! `grow`: dungeons of many seeds as NumPy arrays.

use numpy::{Element, IntoPyArray as _, PyArray3, PyArrayMethods as _};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};
use wallcrawler::maze::MazeGrower;
use wallcrawler::rows::{SquareArrays, SquareGrower, WantedArrays};

use crate::design::PyDesign;
use crate::{design_error, options, workers};

/// Grows the dungeons of a design from several seeds; returns the arrays `tiles`, `generations`, `turn_laid` and
/// `steps`, or None in place of an array that was not requested.
#[pyfunction]
#[pyo3(signature = (design, seeds, *, arrays=None, no_columns=false, threads=None))]
pub(crate) fn grow<'py>(
    py: Python<'py>,
    design: &PyDesign,
    seeds: &Bound<'py, PyAny>,
    arrays: Option<Vec<String>>,
    no_columns: bool,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let wanted = wanted(arrays.as_deref())?;
    let (seeds, threads) = (workers::seeds(seeds)?, workers::threads(threads)?);
    let (options, size) = (options(no_columns), design.design.layout.size);
    // Checks the design before memory is reserved for its size, which may be out of range.
    MazeGrower::new(&design.design, design.levels.clone()).map_err(|problem| design_error(py, &problem))?;
    let squares = size.squares() as usize;
    let mut all = filled(wanted, seeds.len().saturating_mul(squares))?;
    workers::over_seeds(
        py,
        &seeds,
        threads,
        || {
            let grower = MazeGrower::new(&design.design, design.levels.clone())?;
            Ok((grower, SquareGrower::default()))
        },
        |(grower, squares), seed, goes_on| {
            let (design, _) = grower.design(seed)?;
            Ok(squares.grow(&design, options, wanted, goes_on))
        },
        |index, one| {
            copied(&mut all.tiles, index, &one.tiles);
            copied(&mut all.generations, index, &one.generations);
            copied(&mut all.turn_laid, index, &one.turn_laid);
            copied(&mut all.steps, index, &one.steps);
        },
    )?;
    let shape = [seeds.len(), size.x as usize, size.y as usize];
    let arrays = [
        shaped(py, all.tiles, shape, wanted.tiles)?,
        shaped(py, all.generations, shape, wanted.generations)?,
        shaped(py, all.turn_laid, shape, wanted.turn_laid)?,
        shaped(py, all.steps, shape, wanted.steps)?,
    ];
    PyTuple::new(py, arrays)
}

/// Returns which arrays are requested; without a list, all.
fn wanted(arrays: Option<&[String]>) -> PyResult<WantedArrays> {
    let Some(arrays) = arrays else {
        return Ok(WantedArrays::ALL);
    };
    let names: Vec<&str> = arrays.iter().map(String::as_str).collect();
    WantedArrays::named(&names).map_err(|unknown| {
        let all = WantedArrays::NAMES.join(", ");
        PyValueError::new_err(format!("unknown array `{unknown}`; choose from {all}"))
    })
}

/// Returns a list as an array of dungeons, rows and columns; None if it is not requested.
fn shaped<T: Element>(py: Python<'_>, list: Vec<T>, shape: [usize; 3], is_wanted: bool) -> PyResult<Py<PyAny>> {
    if !is_wanted {
        return Ok(py.None());
    }
    let array: Bound<'_, PyArray3<T>> = list.into_pyarray(py).reshape(shape)?;
    Ok(array.into_any().unbind())
}

/// Copies an array of the dungeon at `index` to the dungeon's part of `all`. An array that was not requested is empty.
fn copied<T: Copy>(all: &mut [T], index: usize, one: &[T]) {
    let from = index * one.len();
    if let Some(to) = all.get_mut(from..from + one.len()) {
        to.copy_from_slice(one);
    }
}

/// Returns arrays of this many squares.
fn filled(wanted: WantedArrays, squares: usize) -> PyResult<SquareArrays> {
    Ok(SquareArrays {
        tiles: zeros(wanted.tiles, squares)?,
        generations: zeros(wanted.generations, squares)?,
        turn_laid: zeros(wanted.turn_laid, squares)?,
        steps: zeros(wanted.steps, squares)?,
    })
}

/// Returns a list of zeros; empty if it is not requested.
fn zeros<T: Default + Clone>(is_wanted: bool, length: usize) -> PyResult<Vec<T>> {
    let length = if is_wanted { length } else { 0 };
    let mut list = Vec::new();
    list.try_reserve_exact(length).map_err(|_| {
        PyMemoryError::new_err(format!(
            "no memory for {length} squares; use grow_batches to grow fewer seeds at a time"
        ))
    })?;
    list.resize(length, T::default());
    Ok(list)
}
