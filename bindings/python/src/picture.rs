//! The keyword arguments of exports: the options of `wallcrawler export`.

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wallcrawler::engine::BuilderId;
use wallcrawler::export::{ColourBy, ExportKind, ExportOptions, ExportSetting, Ground, MapMarks, Paper};
use wallcrawler::recording::{MomentScript, ParseScriptError};

/// The keyword arguments, each with the export option that it sets.
const SETTINGS: [(&str, ExportSetting); 15] = [
    ("by", ExportSetting::By),
    ("on", ExportSetting::Ground),
    ("scale", ExportSetting::Scale),
    ("grid", ExportSetting::Grid),
    ("legend", ExportSetting::Legend),
    ("marks", ExportSetting::Marks),
    ("paper", ExportSetting::Print),
    ("square", ExportSetting::Print),
    ("margin", ExportSetting::Print),
    ("overlap", ExportSetting::Print),
    ("seconds", ExportSetting::Duration),
    ("follow", ExportSetting::Follow),
    ("moments", ExportSetting::Duration),
    ("open_doors", ExportSetting::OpenDoors),
    ("generations", ExportSetting::Generations),
];

/// Longest duration of an animation, in seconds.
const MOST_SECONDS: f64 = 3600.0;

/// The export options that the arguments set, and the names of these arguments.
#[derive(Debug, Default)]
pub(crate) struct ExportArgs {
    options: ExportOptions,
    given: Vec<&'static str>,
}

impl<'py> FromPyObject<'_, 'py> for ExportArgs {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let given = given.cast::<PyDict>()?;
        let mut args = Self::default();
        for (name, value) in given.iter() {
            let name: String = name.extract()?;
            args.set(&name, &value)?;
        }
        Ok(args)
    }
}

impl ExportArgs {
    /// Returns the options for a kind.
    ///
    /// # Errors
    ///
    /// Fails if the kind does not use an argument that was given, or if `moments` was given with an argument that it
    /// replaces.
    pub(crate) fn options(self, kind: ExportKind) -> PyResult<ExportOptions> {
        for (name, setting) in SETTINGS {
            if self.given.contains(&name) && !kind.takes(setting) {
                let takers = ExportKind::ALL.iter().filter(|about| about.kind.takes(setting));
                let takers: Vec<&str> = takers.map(|about| about.name).collect();
                return Err(PyValueError::new_err(format!(
                    "{name} has no effect on {}; it applies to {}",
                    kind.name(),
                    takers.join(", ")
                )));
            }
        }
        let replaced = ["seconds", "follow"].into_iter().find(|name| self.given.contains(name));
        if let (Some(_), Some(name)) = (&self.options.moments, replaced) {
            let message = format!("{name} cannot be used with moments");
            return Err(PyValueError::new_err(message));
        }
        Ok(self.options)
    }

    /// Sets an option by the name of its argument.
    fn set(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let Some((name, _)) = SETTINGS.into_iter().find(|(known, _)| *known == name) else {
            let all: Vec<&str> = SETTINGS.iter().map(|(name, _)| *name).collect();
            let all = all.join(", ");
            return Err(PyValueError::new_err(format!(
                "unknown option `{name}`; use one of {all}"
            )));
        };
        self.given.push(name);
        let options = &mut self.options;
        match name {
            "by" => options.by = choice(value, &ColourBy::ALL)?,
            "on" => options.ground = Some(choice(value, &GROUNDS)?),
            "scale" => options.scale = Some(whole(name, value, 4096)?),
            "grid" => options.grid = Some(whole(name, value, u32::MAX)?),
            "legend" => options.legend = value.extract()?,
            "marks" => options.marks = Some(choice(value, &MapMarks::ALL)?),
            "paper" => {
                let papers: Vec<(Paper, &str)> = Paper::all().map(|paper| (paper, paper.name())).collect();
                options.print.paper = choice(value, &papers)?;
            }
            "square" => options.print.square = Some(length(value)?),
            "margin" => options.print.margin = length(value)?,
            "overlap" => options.print.overlap = length(value)?,
            "seconds" => {
                let seconds: f64 = value.extract()?;
                if !(seconds > 0.0 && seconds <= MOST_SECONDS) {
                    return Err(PyValueError::new_err("seconds must be more than 0 and at most 3600"));
                }
                options.duration = (seconds * 1000.0).round() as u32;
            }
            // The first Builder is number 1, as on the command line.
            "follow" => options.follow = Some(BuilderId(whole(name, value, u32::MAX)? - 1)),
            "moments" => {
                let script: Result<MomentScript, ParseScriptError> = value.extract::<String>()?.parse();
                options.moments = Some(script.map_err(|error| PyValueError::new_err(error.to_string()))?);
            }
            "open_doors" => options.open_doors = value.extract()?,
            _ => options.generations = value.extract()?,
        }
        Ok(())
    }
}

/// The backgrounds with their names.
const GROUNDS: [(Ground, &str); 3] = [
    (Ground::Dark, "dark"),
    (Ground::Light, "light"),
    (Ground::Print, "print"),
];

/// Returns the value with this name.
fn choice<T: Copy>(name: &Bound<'_, PyAny>, all: &[(T, &str)]) -> PyResult<T> {
    let name: String = name.extract()?;
    let found = all.iter().find(|(_, known)| *known == name);
    found.map(|(value, _)| *value).ok_or_else(|| {
        let all: Vec<&str> = all.iter().map(|(_, name)| *name).collect();
        PyValueError::new_err(format!("unknown value `{name}`; use one of {}", all.join(", ")))
    })
}

/// Returns a number from 1 to `most`.
fn whole(name: &str, value: &Bound<'_, PyAny>, most: u32) -> PyResult<u32> {
    let out_of_range = || PyValueError::new_err(format!("{name} must be from 1 to {most}"));
    let number: u32 = value.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            out_of_range()
        } else {
            error
        }
    })?;
    (1..=most).contains(&number).then_some(number).ok_or_else(out_of_range)
}

/// Returns a length such as `5mm`.
fn length(value: &Bound<'_, PyAny>) -> PyResult<wallcrawler::export::Length> {
    let text: String = value.extract()?;
    text.parse()
        .map_err(|error: wallcrawler::export::ParsePaperError| PyValueError::new_err(error.to_string()))
}
