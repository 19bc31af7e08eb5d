//! Designs opened from a recording file: when their recorded growth is shown, and the notices about the recording.
//!
//! The recorded growth is shown as long as the design is unchanged. After an edit the designer grows the edited design;
//! undoing the edit shows the recorded growth again. A background job checks whether this program would grow the same
//! dungeon.

use crate::design::ValidDesign;
use crate::document::Document;
use crate::engine::Options;
use crate::recording_file::{PROGRAM_VERSION, RecordingFile, ReproductionCheck};
use crate::storage::DesignFiles;
use crate::text::thousands;

/// Returns whether a recording shows the growth of this design with these options.
pub(super) fn shows_growth_of(recording_file: &RecordingFile, design: &ValidDesign, options: Options) -> bool {
    recording_file.options == options
        && recording_file.design.grows_like(design)
        && recording_file.design.pieces() == design.pieces()
}

/// Returns the files under which the open design appears in the list of recent designs: its own files, or else the
/// recording from which it was opened.
pub(super) fn files(document: &Document) -> Option<DesignFiles> {
    let recording_file = document.recording_path().map(|path| DesignFiles::Toml(path.to_owned()));
    document.design_files().cloned().or(recording_file)
}

/// Returns the notice that a recording is incomplete; `None` if growth was recorded to its end.
pub(super) fn program_notice(recording_file: &RecordingFile) -> Option<String> {
    let broken_off = !recording_file.recording.is_finished();
    broken_off.then(|| "this recording is incomplete: it was saved while the dungeon was still growing".into())
}

/// Returns the notice that this program grows a different dungeon than the recorded one; `None` if both dungeons are
/// the same. `program` is the version of Wallcrawler that wrote the recording.
pub(super) fn reproduction_text(program: &str, again: ReproductionCheck) -> Option<String> {
    let from = differs_from(again)?;
    let ours = PROGRAM_VERSION;
    let who = if program == ours {
        String::new()
    } else {
        format!(" (the recording is from Wallcrawler {program}; this is {ours})")
    };
    Some(format!(
        "this program grows a different dungeon: {from}{who}; you see the recorded dungeon"
    ))
}

/// Describes the first difference between the dungeon that this program grows and the recorded dungeon; `None` if there
/// is no difference.
pub(super) fn differs_from(again: ReproductionCheck) -> Option<String> {
    match again {
        ReproductionCheck::Same => None,
        ReproductionCheck::AnotherStart => Some("it differs even before the first turn".into()),
        ReproductionCheck::Another(turn) => Some(format!("the first difference is in turn {}", thousands(turn))),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::path::{Path, PathBuf};

    use crossterm::event::KeyCode;

    use super::*;
    use crate::design::Design;
    use crate::engine::Mark;
    use crate::presets::Preset;
    use crate::recording::Recording;
    use crate::recording_file::{self, Provenance, RecordingRef};
    use crate::tui::fixture::TestApp;

    /// Returns a small design that grows quickly.
    fn design() -> ValidDesign {
        let design = Preset::find("first-steps").unwrap().design();
        design.validate(None).design.unwrap()
    }

    fn grown(design: &ValidDesign, turns: u64) -> Recording {
        let (mut growth, mut recording) = Recording::begin(design, Options::default());
        while growth.clock().turn < turns {
            if !growth.turn(&mut recording) {
                recording.finish();
                break;
            }
        }
        recording
    }

    /// Writes a recording of a design's growth.
    fn put(folder: &Path, design: &ValidDesign, recording: &Recording) -> PathBuf {
        let shot = RecordingRef {
            provenance: Provenance {
                design,
                options: Options::default(),
                sources: &[],
            },
            recording,
        };
        let mut bytes = Vec::new();
        recording_file::write(&shot, &mut bytes, &mut |_, _| ControlFlow::Continue(())).unwrap();
        let path = folder.join("run.wcr");
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Returns an app that has opened a recording with the dialog for opening designs.
    fn opened(path: &Path) -> TestApp {
        let mut designer = TestApp::with(Document::new(Design::default(), None), 100, 32);
        designer.keys("o");
        designer.run_jobs();
        designer.keys(&path.display().to_string());
        designer.run_jobs();
        designer.press(KeyCode::Enter);
        designer
    }

    #[test]
    fn an_opened_recording_shows_its_own_growth() {
        let folder = tempfile::tempdir().unwrap();
        let (design, mut recording) = (design(), grown(&design(), u64::MAX));
        recording.count();
        let path = put(folder.path(), &design, &recording);
        let mut designer = opened(&path);
        assert_eq!(*designer.app.editor.document.design(), *design);
        assert!(designer.app.editor.document.files().is_empty() && !designer.app.editor.document.is_dirty());
        assert_eq!(designer.opened, Some(DesignFiles::Toml(path)), "it is remembered");
        designer.grow();
        designer.keys("G");
        assert_eq!(designer.app.editor.time.recording().unwrap(), &recording);
        designer.grow_again();
        assert_eq!(designer.app.editor.status.alert, None, "it grows the same");
        // An edit grows as usual; undoing it restores the recording.
        designer.keys("R");
        designer.grow();
        assert_ne!(designer.app.editor.time.recording().unwrap(), &recording);
        designer.keys("u");
        designer.grow();
        assert_eq!(designer.app.editor.time.recording().unwrap(), &recording);
    }

    /// Simulates an engine that no longer reproduces the recording: stores another design's growth in the recording.
    fn strayed() -> (tempfile::TempDir, Recording, TestApp) {
        let folder = tempfile::tempdir().unwrap();
        let design = design();
        let mut other = Design::clone(&design);
        other.character.generations[1].step_length += 1;
        let recording = grown(&other.validate(None).design.unwrap(), u64::MAX);
        let path = put(folder.path(), &design, &recording);
        let mut designer = opened(&path);
        designer.grow();
        designer.keys("G");
        (folder, recording, designer)
    }

    #[test]
    fn a_different_dungeon_is_reported() {
        let (_folder, recording, mut designer) = strayed();
        assert_eq!(designer.app.editor.time.recording().unwrap().turns(), recording.turns());
        // A wall that a Builder laid.
        let grid = designer.app.editor.time.frame().unwrap().grid();
        let size = grid.size();
        let mut squares = (0..size.x).flat_map(|x| (0..size.y).map(move |y| crate::geometry::Point::new(x, y)));
        let wall = squares.find(|at| grid.mark(*at) != Mark::Design).unwrap();
        designer.app.editor.show_square(wall);
        designer.keys("i");
        assert!(designer.requested("story").is_none(), "no request before it is known");
        designer.grow_again();
        designer.run_jobs();
        let text = designer.text();
        assert!(text.contains("this program grows a different dungeon"), "{text}");
        assert!(text.contains("the reasons are not available"), "{text}");
        let description = designer.app.editor.status.alert.clone().unwrap();
        assert!(
            description.contains("in turn ") && !description.contains("wrote it"),
            "{description}"
        );
        // The Builder and the turn of the wall are still known.
        assert!(
            text.contains("laid in turn") || text.contains("of generation"),
            "{text}"
        );
    }

    #[test]
    fn statistics_are_those_of_the_recording() {
        let (_folder, recording, mut designer) = strayed();
        designer.grow_again();
        designer.keys("A");
        designer.run_jobs();
        let births = designer.app.editor.time.frame().unwrap().builders().len();
        assert_eq!(births as u64, {
            let mut births = 0;
            recording.walk(0, recording.turns(), |_, event| {
                births += u64::from(matches!(event, crate::engine::Event::Born { .. }));
            });
            births
                + recording
                    .events_of(0)
                    .iter()
                    .filter(|event| matches!(event, crate::engine::Event::Born { .. }))
                    .count() as u64
        });
    }

    #[test]
    fn an_incomplete_recording_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let design = design();
        let all = grown(&design, u64::MAX);
        let path = put(folder.path(), &design, &grown(&design, all.turns() / 2));
        let mut designer = opened(&path);
        designer.grow();
        designer.grow_again();
        designer.keys("G");
        assert!(
            designer.text().contains("this recording is incomplete"),
            "{}",
            designer.text()
        );
        assert_eq!(
            designer.app.editor.time.turn(),
            all.turns() / 2,
            "the run ends there and waits for nothing"
        );
        assert!(!designer.app.editor.time.is_playing());
    }

    #[test]
    fn an_invalid_recording_is_rejected_in_the_dialog() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.wcr");
        std::fs::write(&path, "seed = 7").unwrap();
        let designer = opened(&path);
        assert!(
            designer.text().contains("Wallcrawler recording;"),
            "{}",
            designer.text()
        );
    }
}
