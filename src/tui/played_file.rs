//! Facts that the player shows about its recording. They help users who received the recording as part of a bug
//! report.

use std::path::{Path, PathBuf};

use crate::geometry::Size;
use crate::recording::Recording;
use crate::recording_file::{PROGRAM_VERSION, RecordingFile, ReproductionCheck, SourceFile};
use crate::text::counted;
use crate::tui::recorded;

/// Facts about the played recording.
#[derive(Debug)]
pub(in crate::tui) struct PlayedFile {
    name: String,
    notes: String,
    seed: u64,
    size: Size,
    /// The recording's file; `None` if the recording was grown just now.
    file: Option<PathBuf>,
    program: String,
    /// The files from which the recorded design was read, with their SHA-256 hashes.
    sources: Vec<SourceFile>,
    /// A notice that the recording ends before growth does; `None` if the recording is complete.
    ends_early: Option<String>,
    /// Whether this program reproduces the recording; `None` while that is being checked.
    again: Option<ReproductionCheck>,
}

impl PlayedFile {
    /// Collects facts about a recording, either read from `file` or grown just now (`None`).
    pub(in crate::tui) fn of(name: String, recording_file: &RecordingFile, file: Option<&Path>) -> Self {
        Self {
            name,
            notes: recording_file.design.notes.clone(),
            seed: recording_file.design.seed,
            size: recording_file.design.layout.size,
            file: file.map(Path::to_owned),
            program: recording_file.program.clone(),
            sources: recording_file.sources.clone(),
            ends_early: recorded::program_notice(recording_file),
            again: None,
        }
    }

    /// Stores the result of the reproduction check; returns the notice to show, if any.
    pub(in crate::tui) fn set_reproduction(&mut self, again: ReproductionCheck) -> Option<String> {
        self.again = Some(again);
        recorded::reproduction_text(&self.program, again)
    }

    /// Returns the command line that opens the recording in the designer.
    pub(in crate::tui) fn command(&self) -> String {
        match &self.file {
            Some(file) => format!("wallcrawler {}", file.display()),
            None => "wallcrawler with the same arguments".into(),
        }
    }

    /// Returns all facts with their labels.
    pub(in crate::tui) fn facts(&self, recording: &Recording) -> Vec<(&'static str, String)> {
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
        let ours = PROGRAM_VERSION;
        match &self.file {
            None => facts.push(("grown by", format!("Wallcrawler {ours}, just now"))),
            Some(file) => {
                facts.push(("file", file.display().to_string()));
                facts.push((
                    "written by",
                    format!("Wallcrawler {}; you are running {ours}", self.program),
                ));
                let again = match self.again {
                    None => "checking whether this program grows the same dungeon".into(),
                    Some(again) => recorded::differs_from(again).map_or_else(
                        || "this program grows the same dungeon".into(),
                        |from| format!("this program grows a different dungeon: {from}"),
                    ),
                };
                facts.push(("growth", again));
            }
        }
        for SourceFile { name, sha256 } in &self.sources {
            facts.push(("made from", format!("{name}, SHA-256 {sha256}")));
        }
        if !self.notes.trim().is_empty() {
            facts.push(("notes", self.notes.trim().to_owned()));
        }
        facts.push((
            "more",
            format!(
                "{} opens this dungeon in the designer, which explains each wall",
                self.command()
            ),
        ));
        facts
    }
}
