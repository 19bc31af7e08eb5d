//! The class `Design`: a design with the level files of its vaults.

use std::path::{Path, PathBuf};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use wallcrawler::code::DungeonCode;
use wallcrawler::design::{ApplyError, Design, Diagnostic, InvalidDesign, Rule, ValidDesign};
use wallcrawler::engine::{Options, cautions, stage_one, why_same};
use wallcrawler::format::{self, Kind, Text, companion_name, native};
use wallcrawler::maze::{LevelFiles, MazeGrower};
use wallcrawler::presets::Preset;
use wallcrawler::rows;

use crate::dungeon::PyDungeon;
use crate::files::{read, write};
use crate::{design_error, options, texts, warn};

/// A design: everything that determines a dungeon. It is immutable; `change` returns a new one.
#[pyclass(name = "Design", module = "wallcrawler", frozen, eq)]
#[derive(Debug, Clone)]
pub(crate) struct PyDesign {
    pub(crate) design: Design,
    pub(crate) levels: LevelFiles,
    /// Warnings and notes about the files that the design was read from.
    about_files: Vec<Diagnostic>,
}

/// Two designs are equal if all their values and level files are equal; the files that they were read from may differ.
impl PartialEq for PyDesign {
    fn eq(&self, other: &Self) -> bool {
        (&self.design, &self.levels) == (&other.design, &other.levels)
    }
}

impl Eq for PyDesign {}

impl PyDesign {
    /// Returns a design that was not read from a file.
    pub(crate) const fn new_with(design: Design, levels: LevelFiles) -> Self {
        Self {
            design,
            levels,
            about_files: Vec::new(),
        }
    }

    /// Returns the design with this seed, ready to grow, and the diagnostics that `wallcrawler check` reports about it.
    pub(crate) fn prepared(
        &self,
        seed: u64,
        options: Options,
    ) -> Result<(ValidDesign, Vec<Diagnostic>), InvalidDesign> {
        let mut grower = MazeGrower::new(&self.design, self.levels.clone())?;
        let (design, found) = grower.design(seed)?;
        let mut all = self.about_files.clone();
        all.extend(found.into_iter().filter(|found| !found.repeats(&self.about_files)));
        all.extend(cautions(&design, options));
        all.extend(stage_one::build(&design).diagnostics);
        Ok((design, all))
    }

    /// Returns the design with rules applied in order. Warns about rules without an effect, as the program does;
    /// `level` determines which caller the warnings point to; see [`warn`].
    fn changed(&self, py: Python<'_>, rules: &[String], no_columns: bool, level: usize) -> PyResult<Self> {
        let mut changed = self.clone();
        for text in rules {
            let rule = Rule::read(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
            let before = changed.design.clone();
            let replaced = rule.apply(&mut changed.design).map_err(|error| rule_error(&error))?;
            let why = if replaced.is_empty() {
                Some("it changes no value".to_owned())
            } else {
                why_same(&before, options(no_columns), &replaced)
            };
            if let Some(why) = why {
                warn(py, &format!("change `{text}` has no effect: {why}"), level)?;
            }
        }
        let validated = changed.design.validate(None);
        if !rules.is_empty() && validated.design.is_none() {
            let diagnostics = validated.diagnostics;
            return Err(design_error(py, &InvalidDesign { diagnostics }));
        }
        Ok(changed)
    }

    /// Returns the digest that identifies the design in the rows of surveys.
    pub(crate) fn digest(&self, no_columns: bool) -> String {
        let levels = self.levels.iter();
        let mut levels: Vec<(&Path, &[u8])> = levels.map(|(name, bytes)| (Path::new(name), bytes)).collect();
        levels.sort_unstable();
        rows::digest(&self.design, options(no_columns), levels)
    }

    /// Returns the names and contents of the level files, as [`level_files`] accepts them.
    pub(crate) fn level_list<'py>(&self, py: Python<'py>) -> Vec<(&str, Bound<'py, PyBytes>)> {
        let levels = self.levels.iter();
        levels.map(|(name, bytes)| (name, PyBytes::new(py, bytes))).collect()
    }

    /// Reads the level files of the vaults, which are in `folder`.
    fn with_levels_of(mut self, py: Python<'_>, folder: &Path) -> PyResult<Self> {
        for entry in &self.design.layout.vaults {
            if !entry.file.is_empty() && self.levels.get(&entry.file).is_none() {
                let bytes = read(py, &folder.join(&entry.file))?;
                self.levels = self.levels.with(entry.file.clone(), bytes);
            }
        }
        Ok(self)
    }
}

/// Returns the design with rules applied in order, as [`PyDesign::change`] does, but its warnings point to the caller
/// of the Python function that calls this one.
#[pyfunction]
#[pyo3(signature = (design, rules, *, no_columns=false))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 passes lists by value")]
pub(crate) fn changed(py: Python<'_>, design: &PyDesign, rules: Vec<String>, no_columns: bool) -> PyResult<PyDesign> {
    design.changed(py, &rules, no_columns, 2)
}

/// Returns the level files that the vaults of a design use, from pairs of name and content.
pub(crate) fn level_files(given: Option<Vec<(String, Vec<u8>)>>, design: &Design) -> LevelFiles {
    let is_used = |name: &String| design.layout.vaults.iter().any(|entry| entry.file == *name);
    let used = given.into_iter().flatten().filter(|(name, _)| is_used(name));
    used.fold(LevelFiles::default(), |all, (name, bytes)| all.with(name, bytes))
}

/// Returns the exception for a rule that cannot be applied.
fn rule_error(error: &ApplyError) -> PyErr {
    PyValueError::new_err(match error {
        // The library's advice names the options of the program.
        ApplyError::NoVaultSeed => {
            "`seed` in a rule is the seed of vaults, and the design has no vaults; use `with_seed` \
                                    to set the design's seed"
                .to_owned()
        }
        error => error.to_string(),
    })
}

/// Returns the texts of the stats and constants files that belong to a rooms file; [`PyDesign::read`] says which.
fn companions(
    py: Python<'_>,
    rooms: &Path,
    stats: Option<PathBuf>,
    constants: Option<PathBuf>,
) -> PyResult<Vec<(Text, Option<Kind>)>> {
    let beside = |word: &str| companion_name(rooms, "rooms", word).filter(|path| path.is_file());
    let shared = || Some(rooms.with_file_name("constants")).filter(|path| path.is_file());
    let constants = match (&stats, constants) {
        (_, Some(constants)) => Some(constants),
        // The caller names the files, so no others are searched for.
        (Some(_), None) => None,
        (None, None) => beside("constants").or_else(shared),
    };
    let all = [
        (stats.or_else(|| beside("stats")), Kind::Stats),
        (constants, Kind::Constants),
    ];
    let all = all.into_iter().filter_map(|(path, kind)| Some((path?, kind)));
    all.map(|(path, kind)| Ok((text_of(py, &path)?, Some(kind)))).collect()
}

/// Reads the text of a file.
fn text_of(py: Python<'_>, path: &Path) -> PyResult<Text> {
    Ok(Text::decode(path.display().to_string(), read(py, path)?))
}

/// Returns a warning if a rooms file is read without a stats file.
fn without_stats(rooms: &Path, texts: &[(Text, Option<Kind>)]) -> Option<Diagnostic> {
    let has_stats = texts.iter().any(|(_, kind)| *kind == Some(Kind::Stats));
    (!has_stats).then(|| {
        let message = format!(
            "{}: no stats file found beside the rooms file; the ten generations have the built-in defaults",
            rooms.display()
        );
        Diagnostic::warning(message).help("pass the path of a stats file in `stats`")
    })
}

#[pymethods]
impl PyDesign {
    /// Parses a design from TOML, from the text of a rooms file, or from a dungeon code (`wc1:…`).
    #[new]
    #[pyo3(signature = (text, levels=None))]
    fn new(py: Python<'_>, text: &str, levels: Option<Vec<(String, Vec<u8>)>>) -> PyResult<Self> {
        let (design, about_files) = if DungeonCode::is_code(text) {
            let code = DungeonCode::read(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
            (code.design, Vec::new())
        } else {
            let text = Text::new("design", text);
            format::read_as([(&text, Kind::guess(&text))]).map_err(|problem| design_error(py, &problem))?
        };
        let levels = level_files(levels, &design);
        Ok(Self {
            design,
            levels,
            about_files,
        })
    }

    /// Reads a design from a TOML file or a rooms file, and its level files from the folder of the design.
    ///
    /// With a rooms file such as `rooms4`, the given stats and constants files are read, too. If `stats` is not given,
    /// `stats4` in the same folder is read. If neither is given, `constants4` or else `constants` in that folder is read
    /// as well.
    #[staticmethod]
    #[pyo3(signature = (path, stats=None, constants=None))]
    fn read(py: Python<'_>, path: PathBuf, stats: Option<PathBuf>, constants: Option<PathBuf>) -> PyResult<Self> {
        let text = text_of(py, &path)?;
        let kind = Kind::guess(&text);
        let is_rooms = match kind {
            Some(Kind::Rooms) => true,
            Some(Kind::Toml) if stats.is_some() || constants.is_some() => {
                return Err(PyValueError::new_err("a TOML design has no stats or constants file"));
            }
            Some(Kind::Stats | Kind::Constants) => {
                let message = format!("{} is not a whole design; give its rooms file", path.display());
                return Err(PyValueError::new_err(message));
            }
            Some(Kind::Toml) | None => false,
        };
        let mut all = vec![(text, kind)];
        if is_rooms {
            all.extend(companions(py, &path, stats, constants)?);
        }
        let texts = all.iter().map(|(text, kind)| (text, *kind));
        let (design, mut about_files) = format::read_as(texts).map_err(|problem| design_error(py, &problem))?;
        about_files.extend(is_rooms.then(|| without_stats(&path, &all)).flatten());
        let levels = LevelFiles::default();
        let folder = path.parent().unwrap_or(Path::new(""));
        Self {
            design,
            levels,
            about_files,
        }
        .with_levels_of(py, folder)
    }

    /// Returns a built-in design; `presets()` lists their names.
    #[staticmethod]
    fn preset(name: &str) -> PyResult<Self> {
        let Some(preset) = Preset::find(name) else {
            let all: Vec<&str> = Preset::all().iter().map(|preset| preset.name).collect();
            let all = all.join(", ");
            return Err(PyValueError::new_err(format!(
                "unknown preset `{name}`; use one of {all}"
            )));
        };
        Ok(Self::new_with(preset.design(), LevelFiles::default()))
    }

    /// Writes the design to a TOML file, completely or not at all. Level files are not written.
    #[pyo3(name = "write")]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 passes paths by value")]
    fn write_file(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        write(py, &[(&path, native::write(&self.design).as_bytes())])
    }

    /// Returns the design as TOML.
    fn to_toml(&self) -> String {
        native::write(&self.design)
    }

    /// Returns the design with its seed as a dungeon code: one line of text, which the program opens. Fails for designs
    /// with level files, and for designs that are too large for a code.
    fn to_code(&self) -> PyResult<String> {
        let design = self.design.clone();
        let code = DungeonCode { design, turn: None };
        code.write().map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Returns the design with numbers changed by rules, as by `--change` on the command line. Warns about rules
    /// without an effect.
    #[pyo3(signature = (*rules, no_columns=false))]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "PyO3 passes the arguments of `*rules` by value"
    )]
    fn change(&self, py: Python<'_>, rules: Vec<String>, no_columns: bool) -> PyResult<Self> {
        self.changed(py, &rules, no_columns, 1)
    }

    /// Returns the design with another seed.
    pub(crate) fn with_seed(&self, seed: u64) -> Self {
        let mut other = self.clone();
        other.design.seed = seed;
        other
    }

    /// Grows a dungeon and records its growth. Without `seed`, the design's own is used.
    #[pyo3(signature = (seed=None, *, no_columns=false))]
    fn grow(&self, py: Python<'_>, seed: Option<u64>, no_columns: bool) -> PyResult<PyDungeon> {
        PyDungeon::grow(py, self, seed.unwrap_or(self.design.seed), options(no_columns))
    }

    /// Returns the digest that identifies the design in the rows of surveys. It covers everything except the seed, the
    /// name, the notes and the expectations.
    #[pyo3(name = "digest", signature = (*, no_columns=false))]
    fn digest_of(&self, no_columns: bool) -> String {
        self.digest(no_columns)
    }

    /// Name; empty if it has none.
    #[getter]
    fn name(&self) -> &str {
        &self.design.name
    }

    /// Notes of the author.
    #[getter]
    fn notes(&self) -> &str {
        &self.design.notes
    }

    /// The design's own seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.design.seed
    }

    /// Number of rows of its dungeons, the outer wall included.
    #[getter]
    fn rows(&self) -> i32 {
        self.design.layout.size.x
    }

    /// Number of columns of its dungeons, the outer wall included.
    #[getter]
    fn columns(&self) -> i32 {
        self.design.layout.size.y
    }

    /// Level files of its vaults, by name, without the built-in ones.
    #[getter]
    fn levels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (name, bytes) in self.levels.iter() {
            all.set_item(name, PyBytes::new(py, bytes))?;
        }
        Ok(all)
    }

    /// Errors, warnings and notes, as text: those about the files that the design was read from, and those about what
    /// is changed or left out when the design grows from its own seed. A pickled copy lacks those about the files.
    #[getter]
    fn diagnostics(&self, py: Python<'_>) -> Vec<String> {
        let prepared = py.detach(|| self.prepared(self.design.seed, options(false)));
        match prepared {
            Ok((_, all)) => texts(&all),
            Err(problem) => {
                let all = self.about_files.iter().chain(&problem.diagnostics);
                all.map(Diagnostic::to_string).collect()
            }
        }
    }

    fn __hash__(&self) -> u64 {
        // A digest of 16 hexadecimal digits.
        u64::from_str_radix(&self.digest(false), 16).unwrap_or_default()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let this = slf.get();
        let state = (this.to_toml(), this.level_list(py)).into_pyobject(py)?;
        Ok((slf.get_type().into_any(), state))
    }

    fn __repr__(&self) -> String {
        let size = self.design.layout.size;
        format!(
            "<wallcrawler.Design {:?}, {} × {} squares>",
            self.design.name, size.x, size.y
        )
    }
}
