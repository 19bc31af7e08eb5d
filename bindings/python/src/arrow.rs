//! Record batches for pyarrow, through the Arrow PyCapsule interface.

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{Array as _, RecordBatch, StructArray};
use arrow_schema::ArrowError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// A record batch that pyarrow and other libraries import without a copy.
#[pyclass(frozen)]
struct ArrowBatch(RecordBatch);

#[pymethods]
impl ArrowBatch {
    /// Returns the capsules of the schema and of the columns. Columns keep their types regardless of the requested
    /// schema, as the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        drop(requested_schema);
        let schema = FFI_ArrowSchema::try_from(self.0.schema().as_ref()).map_err(|error| arrow_error(&error))?;
        let array = FFI_ArrowArray::new(&StructArray::from(self.0.clone()).to_data());
        let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
        Ok((schema, PyCapsule::new_with_value(py, array, c"arrow_array")?))
    }
}

/// Returns a batch as a `pyarrow.RecordBatch`.
pub(crate) fn record_batch(py: Python<'_>, batch: RecordBatch) -> PyResult<Bound<'_, PyAny>> {
    py.import("pyarrow")?.call_method1("record_batch", (ArrowBatch(batch),))
}

/// Returns the exception for columns that do not fit together.
pub(crate) fn arrow_error(error: &ArrowError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}
