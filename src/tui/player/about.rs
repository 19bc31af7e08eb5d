//! What the player knows of the recording that it plays, for who got it along with a report.

use std::path::{Path, PathBuf};

use crate::geometry::Size;
use crate::recording::Recording;
use crate::reel::{RecordingFile, ReproductionCheck};
use crate::text::counted;
use crate::tui::recorded;

/// What is told of a recording.
#[derive(Debug)]
pub(in crate::tui) struct PlayedFile {
    name: String,
    notes: String,
    seed: u64,
    size: Size,
    /// Its file; `None` where the design was grown for this.
    file: Option<PathBuf>,
    program: String,
    /// The files that its design was read from, with their SHA-256.
    sources: Vec<(String, String)>,
    /// Where it does not go on to the end, why.
    ends_early: Option<String>,
    /// Whether this program grows the same, once that is known.
    again: Option<ReproductionCheck>,
}

impl PlayedFile {
    /// Of a recording from a file, or one that was grown just now.
    pub(super) fn of(name: String, reel: &RecordingFile, file: Option<&Path>) -> Self {
        Self {
            name,
            notes: reel.design.notes.clone(),
            seed: reel.design.seed,
            size: reel.design.layout.size,
            file: file.map(Path::to_owned),
            program: reel.program.clone(),
            sources: reel.sources.clone(),
            ends_early: recorded::told_at_once(reel),
            again: None,
        }
    }

    /// Notes what growing it again came to; what there is to tell of that at once.
    pub(in crate::tui) fn grown_again(&mut self, again: ReproductionCheck) -> Option<String> {
        self.again = Some(again);
        recorded::told_of(&self.program, again)
    }

    /// What opens it in the designer.
    pub(super) fn command(&self) -> String {
        match &self.file {
            Some(file) => format!("wallcrawler {}", file.display()),
            None => "wallcrawler with the same arguments".into(),
        }
    }

    /// All that is known, each with what it is about.
    pub(super) fn facts(&self, recording: &Recording) -> Vec<(&'static str, String)> {
        let end = recording.clock_at(recording.turns());
        let mut facts = vec![
            ("dungeon", self.name.clone()),
            ("seed", self.seed.to_string()),
            ("squares", self.size.to_string()),
            (
                "length",
                format!(
                    "{}, {}, generations 0 to {}",
                    counted(end.turn, "turn"),
                    counted(end.iteration, "iteration"),
                    end.generation()
                ),
            ),
        ];
        if let Some(why) = &self.ends_early {
            facts.push(("end", why.clone()));
        }
        let ours = env!("CARGO_PKG_VERSION");
        match &self.file {
            None => facts.push(("grown by", format!("this Wallcrawler, {ours}, just now"))),
            Some(file) => {
                facts.push(("file", file.display().to_string()));
                facts.push(("written by", format!("Wallcrawler {}; this is {ours}", self.program)));
                let again = match self.again {
                    None => "is being found out whether this program grows the same".into(),
                    Some(again) => recorded::differs_from(again).map_or_else(
                        || "this program grows the same".into(),
                        |from| format!("this program grows another dungeon {from}"),
                    ),
                };
                facts.push(("growth", again));
            }
        }
        for (name, digest) in &self.sources {
            facts.push(("made from", format!("{name}, SHA-256 {digest}")));
        }
        if !self.notes.trim().is_empty() {
            facts.push(("notes", self.notes.trim().to_owned()));
        }
        facts.push((
            "more",
            format!(
                "{} opens it in the designer, which tells why each wall stands",
                self.command()
            ),
        ));
        facts
    }
}
