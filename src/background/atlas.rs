//! Atlases of a design: the file format that the command line and the designer share, and the designer's jobs.
//!
//! The search itself, [`Atlas`](crate::analysis::tune::Atlas), performs no I/O and grows no dungeons: it requests
//! trials. These trials run in a separate job, [`AtlasTrials`], so that an atlas and the tuner do not cancel each
//! other's trials. Files are read and written on separate threads, since a drive may hang.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::job::{Cancelled, Job, JobCx, Policy};
use super::trials::{TrialReply, TrialRequest};
use crate::analysis::tune::{AtlasRequest, AtlasState, TunedParameter};
use crate::design::expect::{self, Expression, Metric};
use crate::recording_file::PROGRAM_VERSION;
use crate::storage::{self, StorageError, write_atomic};
use crate::text::{escape_line, thousands};

/// Value of `format` in an atlas file.
const FORMAT: &str = "wallcrawler atlas 1";

/// Largest number of seeds over which a candidate is measured. It is limited because the results of a whole batch of
/// candidates are kept in memory.
pub const MOST_ATLAS_SEEDS: u64 = 1_000;

/// The inputs of a search for an atlas. A search resumes only from a file with the same inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtlasSubject {
    /// Digest of the design.
    pub design_digest: String,
    /// Metric of the horizontal axis.
    pub x: String,
    /// Metric of the vertical axis.
    pub y: String,
    /// Number of seeds over which a candidate is measured.
    pub seeds: u64,
    /// Seed of the search itself, which is the design's seed.
    pub search_seed: u64,
    /// Whether every candidate is drawn at random, instead of being made from earlier candidates.
    pub random: bool,
    /// The expectations that candidates should meet.
    pub expectations: Vec<String>,
    /// The parameters that may change.
    pub parameters: Vec<TunedParameter>,
}

impl AtlasSubject {
    /// Returns the request for a search with this many candidates.
    ///
    /// # Errors
    ///
    /// Returns a message if a metric or an expectation cannot be parsed, or if the number of seeds is out of range.
    pub fn request(&self, candidates: u64) -> Result<AtlasRequest, String> {
        if !(1..=MOST_ATLAS_SEEDS).contains(&self.seeds) {
            let most = thousands(MOST_ATLAS_SEEDS);
            return Err(format!(
                "a candidate is measured over 1 to {most} seeds, not {}",
                self.seeds
            ));
        }
        let expectations = self.expectations.iter();
        let expectation = |text: &String| expect::parse(text).map_err(|error| format!("`{text}`: {}", error.message));
        Ok(AtlasRequest {
            axes: [axis(&self.x)?, axis(&self.y)?],
            moves: self.parameters.clone(),
            expectations: expectations.map(expectation).collect::<Result<_, _>>()?,
            seeds: self.seeds,
            candidates,
            chance: self.search_seed,
            is_random: self.random,
        })
    }
}

/// Parses the metric of an axis.
fn axis(text: &str) -> Result<Metric, String> {
    match expect::parse_value(text) {
        Ok(Expression::Metric(metric)) => Ok(metric),
        Ok(_) => Err(format!("`{text}` is an expression; an axis must be a single metric")),
        Err(error) => Err(format!("`{text}`: {}", error.message)),
    }
}

/// The content of an atlas file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AtlasFile {
    format: String,
    version: String,
    /// The inputs of the search.
    #[serde(flatten)]
    pub subject: AtlasSubject,
    /// The state of the search, with the cells that it has filled.
    #[serde(flatten)]
    pub state: AtlasState,
}

/// Why an atlas file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum AtlasFileError {
    /// The file cannot be read at all.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The file is not an atlas.
    #[error("{} is not an atlas ({why}); choose another file", path.display())]
    Other {
        /// Path of the file.
        path: PathBuf,
        /// Why it is not an atlas.
        why: String,
    },
    /// A cell of the atlas in this file does not have exactly one value for each parameter.
    #[error("{} is damaged: the values of a cell do not match the parameters; choose another file", .0.display())]
    Damaged(PathBuf),
}

impl AtlasFile {
    /// Creates the content of an atlas file, marked with the version of this program.
    pub fn new(subject: AtlasSubject, state: AtlasState) -> Self {
        Self {
            format: FORMAT.into(),
            version: PROGRAM_VERSION.into(),
            subject,
            state,
        }
    }

    /// Reads an atlas; returns `None` if the file does not exist or is empty.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is not an atlas, or is damaged.
    pub fn read(path: &Path) -> Result<Option<Self>, AtlasFileError> {
        let bytes = match storage::read(path) {
            Ok(bytes) if bytes.is_empty() => return Ok(None),
            Ok(bytes) => bytes,
            Err(StorageError::Io(error)) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let file = serde_json::from_slice::<Self>(&bytes).map_err(|error| error.to_string());
        let file = file.and_then(|file| match &*file.format {
            FORMAT => Ok(file),
            other => Err(format!("its format is `{}`", escape_line(other))),
        });
        let path = path.to_owned();
        match file {
            Err(why) => Err(AtlasFileError::Other { path, why }),
            Ok(file) if !file.state.is_of(file.subject.parameters.len()) => Err(AtlasFileError::Damaged(path)),
            Ok(file) => Ok(Some(file)),
        }
    }

    /// Returns the content as JSON.
    ///
    /// # Errors
    ///
    /// Fails if a number cannot be written as JSON.
    pub fn text(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// A job that runs the trials of an atlas's candidates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtlasTrials(pub TrialRequest);

impl Job for AtlasTrials {
    const NAME: &'static str = "atlas";
    type Memory = ();
    type Reply = TrialReply;

    fn run(self, memory: &mut (), cx: &JobCx<'_, TrialReply>) -> Result<(), Cancelled> {
        self.0.run(memory, cx)
    }
}

/// A request to read or write an atlas file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AtlasFileRequest {
    /// Read the file.
    Read(PathBuf),
    /// Replace the file with this text.
    Write(PathBuf, String),
}

/// A reply to an [`AtlasFileRequest`].
#[derive(Debug)]
pub enum AtlasFileReply {
    /// Content of the file; `None` if the file does not exist or is empty.
    Read(Option<Box<AtlasFile>>),
    /// The file was written.
    Written,
    /// The file cannot be read or written. Contains the error message.
    Failed(String),
}

impl Job for AtlasFileRequest {
    const NAME: &'static str = "atlas file";
    const POLICY: Policy = Policy::Awaited;
    type Memory = ();
    type Reply = AtlasFileReply;

    fn run(self, (): &mut (), cx: &JobCx<'_, AtlasFileReply>) -> Result<(), Cancelled> {
        cx.send(match self {
            Self::Read(path) => match AtlasFile::read(&path) {
                Ok(file) => AtlasFileReply::Read(file.map(Box::new)),
                Err(error) => AtlasFileReply::Failed(error.to_string()),
            },
            Self::Write(path, text) => match write_atomic(&path, text.as_bytes()) {
                Ok(()) => AtlasFileReply::Written,
                Err(error) => AtlasFileReply::Failed(error.to_string()),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Entry, Stat};

    fn subject() -> AtlasSubject {
        AtlasSubject {
            design_digest: "0123456789abcdef".into(),
            x: "loops".into(),
            y: "dead-ends".into(),
            seeds: 5,
            search_seed: 7,
            random: false,
            expectations: vec!["path > 20".into()],
            parameters: Vec::new(),
        }
    }

    #[test]
    fn a_file_is_read_as_it_was_written_and_no_file_is_no_atlas() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("atlas.json");
        assert!(matches!(AtlasFile::read(&path), Ok(None)));
        let file = AtlasFile::new(subject(), AtlasState::default());
        std::fs::write(&path, file.text().unwrap()).unwrap();
        assert_eq!(AtlasFile::read(&path).unwrap(), Some(file));
        for (text, why) in [
            ("my notes", "is not an atlas"),
            ("{}", "missing field"),
            ("\u{0}", "is not an atlas"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = AtlasFile::read(&path).unwrap_err().to_string();
            assert!(error.contains(why) && error.contains("choose another file"), "{error}");
        }
        assert!(AtlasFile::read(folder.path()).is_err());
    }

    #[test]
    fn a_file_with_reversed_bounds_is_no_atlas() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("atlas.json");
        let reversed = TunedParameter {
            entry: Entry::Generation(1),
            parameter: Stat::MaxAge.into(),
            least: 40,
            most: 5,
        };
        let subject = AtlasSubject {
            parameters: vec![reversed],
            ..subject()
        };
        let file = AtlasFile::new(subject, AtlasState::default());
        std::fs::write(&path, file.text().unwrap()).unwrap();
        let error = AtlasFile::read(&path).unwrap_err().to_string();
        assert!(error.contains("the bounds 40 and 5 are reversed"), "{error}");
    }

    #[test]
    fn a_subject_names_what_it_cannot_read() {
        for seeds in [0, 1_001, u64::MAX] {
            let error = AtlasSubject { seeds, ..subject() }.request(40).unwrap_err();
            assert!(error.contains("1 to 1,000 seeds"), "{error}");
        }
        let request = subject().request(40).unwrap();
        assert_eq!(
            (request.candidates, request.chance, request.expectations.len()),
            (40, 7, 1)
        );
        for (x, expected) in [("path", "a single metric"), ("fill", "pathh")] {
            let mut wrong = subject();
            wrong.x = x.into();
            (wrong.y, wrong.expectations) = match x {
                "path" => ("path / 2".into(), Vec::new()),
                _ => ("fill".into(), vec!["pathh > 2".into()]),
            };
            let error = wrong.request(40).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
