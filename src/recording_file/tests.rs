//! Tests that recordings can be written and read back, and that all other bytes are rejected with a message.

#![cfg(feature = "terminal")]

use std::ops::ControlFlow;

use proptest::prelude::*;

use super::{
    Provenance, ReadError, RecordingFile, RecordingRef, ReproductionCheck, SourceFile, WriteError, is_recording,
    section, write,
};
use crate::design::{Design, Memory, MemoryUse, ValidDesign};
use crate::engine::{Growth, Options};
use crate::recording::{Playback, Recorder, Recording};

/// Returns the design of a preset, with its vaults resolved.
fn preset(name: &str) -> ValidDesign {
    let design = crate::presets::Preset::find(name).unwrap().design();
    crate::document::prepare(&design, None, None).valid.unwrap()
}

/// Grows a design for `turns` turns, or until growth ends if that is earlier.
fn grown(design: &ValidDesign, options: Options, turns: u64) -> Recording {
    let (mut growth, mut recording) = Recording::begin(design, options);
    while growth.clock().turn < turns {
        if !growth.turn(&mut recording) {
            recording.finish();
            break;
        }
    }
    recording.count();
    recording
}

fn sources() -> Vec<SourceFile> {
    vec![("käfig.toml".to_owned(), "0123abcd".repeat(8)).into()]
}

fn written(design: &ValidDesign, options: Options, recording: &Recording) -> Vec<u8> {
    let provenance = Provenance {
        design,
        options,
        sources: &sources(),
    };
    let shot = RecordingRef { provenance, recording };
    let mut bytes = Vec::new();
    write(&shot, &mut bytes, &mut |_, _| ControlFlow::Continue(())).unwrap();
    bytes
}

fn whole(name: &str) -> (ValidDesign, Recording, Vec<u8>) {
    let design = preset(name);
    let recording = grown(&design, Options::default(), u64::MAX);
    let bytes = written(&design, Options::default(), &recording);
    (design, recording, bytes)
}

#[test]
fn every_preset_survives_a_round_trip() {
    for preset in crate::presets::Preset::all() {
        let (design, recording, bytes) = whole(preset.name);
        assert!(is_recording(&bytes));
        let recording_file =
            RecordingFile::read(&bytes, None).unwrap_or_else(|error| panic!("{}: {error}", preset.name));
        assert_eq!(recording_file.recording, recording, "{}", preset.name);
        assert_eq!(recording_file.recording.stats(), recording.stats(), "{}", preset.name);
        assert_eq!(*recording_file.design, *design, "{}", preset.name);
        assert_eq!(recording_file.design.pieces(), design.pieces(), "{}", preset.name);
        assert_eq!(recording_file.sources, sources());
        assert_eq!(recording_file.program, env!("CARGO_PKG_VERSION"));
        assert!(recording_file.recording.is_finished() && recording_file.options.columns);
        assert_eq!(
            written(
                &recording_file.design,
                recording_file.options,
                &recording_file.recording
            ),
            bytes,
            "{}",
            preset.name
        );
        assert_eq!(
            recording_file.again(|| true),
            Some(ReproductionCheck::Same),
            "{}",
            preset.name
        );
        let plan = crate::format::native::write(&design).len();
        assert!(
            bytes.len() < recording.bytes() * 2 / 3 + plan,
            "{}: {}",
            preset.name,
            bytes.len()
        );
    }
}

#[test]
fn a_design_without_crawlers_survives_a_round_trip() {
    let design = Design::default().validate(None).design.unwrap();
    let recording = grown(&design, Options::default(), u64::MAX);
    assert_eq!(recording.turns(), 0);
    let recording_file = RecordingFile::read(&written(&design, Options::default(), &recording), None).unwrap();
    assert_eq!(recording_file.recording, recording);
}

#[test]
fn options_and_a_growth_under_way_are_reported() {
    let design = preset("catacombs");
    let options = Options { columns: false };
    let all = grown(&design, options, u64::MAX);
    let half = grown(&design, options, all.turns() / 2);
    assert!(!half.is_finished());
    let recording_file = RecordingFile::read(&written(&design, options, &half), None).unwrap();
    assert!(!recording_file.recording.is_finished() && !recording_file.options.columns);
    assert_eq!(recording_file.recording, half);
    assert_eq!(recording_file.recording.turns(), all.turns() / 2);
    for turn in 0..=half.turns() {
        assert_eq!(recording_file.recording.events_of(turn), all.events_of(turn));
    }
    assert_eq!(
        recording_file.again(|| true),
        Some(ReproductionCheck::Same),
        "as far as it was recorded"
    );
}

/// Events dropped to save memory are regrown while writing, and the recording itself stays as small as before.
#[test]
fn dropped_events_are_regrown_for_the_file() {
    let design = preset("catacombs");
    let all = grown(&design, Options::default(), u64::MAX);
    let limit = all.bytes() / 3;
    let mut recorder = Recorder::limited(limit);
    let mut growth = Growth::new(&design, Options::default(), &mut recorder);
    let mut few = Recording::new(growth.grid().clone(), recorder.take()).limited(limit);
    while !growth.is_finished() {
        for _ in 0..100 {
            growth.turn(&mut recorder);
        }
        few.append(recorder.take_turns(&growth));
        while few.drop_distant(0, 0) {}
    }
    few.append(recorder.take());
    few.finish();
    assert!(few.regrows());
    let before = few.bytes();
    let recording_file = RecordingFile::read(&written(&design, Options::default(), &few), None).unwrap();
    assert_eq!(few.bytes(), before);
    assert_eq!(recording_file.recording, all);
    assert_eq!(recording_file.recording.stats(), all.stats());

    let shot = RecordingRef {
        provenance: Provenance {
            design: &design,
            options: Options::default(),
            sources: &[],
        },
        recording: &few,
    };
    let mut looks = 0;
    let ended = write(&shot, &mut Vec::new(), &mut |done, all| {
        assert!(done <= all);
        looks += 1;
        if looks < 3 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    assert!(matches!(ended, Err(WriteError::Interrupted)), "{ended:?}");
}

#[test]
fn another_growth_is_reported_with_its_first_turn() {
    let (design, recording, bytes) = whole("catacombs");
    let mut recording_file = RecordingFile::read(&bytes, None).unwrap();
    let again = |recording_file: &RecordingFile| recording_file.again(|| true).unwrap();
    let mut other = Design::clone(&design);
    other.character.generations[1].max_age += 7;
    recording_file.design = other
        .validate(None)
        .design
        .unwrap()
        .with_pieces(design.pieces().to_vec());
    let ReproductionCheck::Another(turn) = again(&recording_file) else {
        panic!("{:?}", again(&recording_file))
    };
    let changed = grown(&recording_file.design, Options::default(), u64::MAX);
    for before in 0..turn {
        assert_eq!(recording.events_of(before), changed.events_of(before), "turn {before}");
    }
    assert_ne!(recording.events_of(turn), changed.events_of(turn));
    other.layout.open.push(crate::geometry::Point::new(5, 5));
    recording_file.design = other.validate(None).design.unwrap();
    assert_eq!(again(&recording_file), ReproductionCheck::AnotherStart);
    assert_eq!(
        recording_file.again(|| false),
        Some(ReproductionCheck::AnotherStart),
        "at once"
    );
    let recording_file = RecordingFile::read(&bytes, None).unwrap();
    assert_eq!(recording_file.again(|| false), None, "ended");
    // A finished recording does not match a growth that continues after the recording's last turn.
    let mut cut = grown(&design, Options::default(), 50);
    let again = |cut: &Recording| ReproductionCheck::of(&design, Options::default(), cut, || true);
    assert_eq!(again(&cut), Some(ReproductionCheck::Same));
    cut.finish();
    assert_eq!(again(&cut), Some(ReproductionCheck::Another(51)));
}

#[test]
fn read_errors_explain_the_cause_and_what_to_do() {
    let (_, _, bytes) = whole("ammonite");
    let error = |bytes: &[u8]| RecordingFile::read(bytes, None).unwrap_err().to_string();
    for nothing in [&b""[..], b"\x89", b"seed = 7", &bytes[1..]] {
        assert_eq!(
            RecordingFile::read(nothing, None),
            Err(ReadError::NotOne),
            "{nothing:?}"
        );
    }
    assert!(error(b"x").contains("wallcrawler export DESIGN --output NAME.wcr"));
    let mut text = bytes.clone();
    text.remove(4);
    assert!(error(&text).contains("as if it were text"), "{}", error(&text));
    assert!(error(&bytes[..bytes.len() - 1]).contains("ends early"));
    let mut more = bytes.clone();
    for follows in ["1 byte;", "2 bytes;"] {
        more.push(b'\n');
        let message = error(&more);
        assert!(
            message.contains(&format!("its end is followed by {follows}")),
            "{message}"
        );
    }
    let mut flipped = bytes.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    let message = error(&flipped);
    assert!(
        message.contains("the checksum is wrong") && message.contains("copy or download it again"),
        "{message}"
    );

    // A file of a later version of the program starts with the same fields; anything may follow.
    let mut later = bytes[..8].to_vec();
    later.extend_from_slice(&[2, 0, 5]);
    later.extend_from_slice(b"0.9.1");
    let mut crc = flate2::Crc::new();
    crc.update(&later);
    later.extend_from_slice(&crc.sum().to_le_bytes());
    let message = error(&later);
    assert!(
        message.contains("Wallcrawler 0.9.1, in format 2; this program reads format 1"),
        "{message}"
    );
}

#[test]
fn a_dungeon_too_large_for_the_memory_is_refused() {
    let (_, _, bytes) = whole("ammonite");
    let memory = Memory {
        available: 1000,
        purpose: MemoryUse::Showing,
    };
    let error = RecordingFile::read(&bytes, Some(memory)).unwrap_err();
    assert!(matches!(error, ReadError::Design(_)), "{error}");
    assert!(error.to_string().contains("only 1000 bytes"), "{error}");
}

/// Tag and unpacked bytes of a section.
type Held = ([u8; 4], Vec<u8>);

/// Splits a file into its start and its sections.
fn sections(bytes: &[u8]) -> (Vec<u8>, Vec<Held>) {
    let mut sections = section::Sections::new(bytes).unwrap();
    let (start, mut found) = (bytes[..sections.at()].to_vec(), Vec::new());
    while sections.at() < bytes.len() {
        let section = sections.next().unwrap();
        found.push((section.tag, section.bytes));
    }
    (start, found)
}

fn joined(start: &[u8], sections: &[Held]) -> Vec<u8> {
    let mut bytes = start.to_vec();
    for (tag, held) in sections {
        section::write(*tag, held, &mut bytes).unwrap();
    }
    bytes
}

#[test]
fn unknown_sections_are_skipped_or_rejected_by_their_first_letter() {
    let (_, recording, bytes) = whole("ammonite");
    let (start, mut all) = sections(&bytes);
    assert_eq!(joined(&start, &all), bytes);
    for at in 0..all.len() {
        let mut more = all.clone();
        more.insert(at, (*b"note", b"written by a later version".to_vec()));
        assert_eq!(
            RecordingFile::read(&joined(&start, &more), None).unwrap().recording,
            recording
        );
        more[at].0 = *b"Note";
        let error = RecordingFile::read(&joined(&start, &more), None).unwrap_err();
        assert!(error.to_string().contains("section"), "{error}");
    }
    // Turns that are repeated, then turns that are missing.
    let turns = all.iter().position(|(tag, _)| tag == b"FILM").unwrap();
    let mut twice = all.clone();
    twice.insert(turns, twice[turns].clone());
    assert!(RecordingFile::read(&joined(&start, &twice), None).is_err());
    all.remove(turns);
    let error = RecordingFile::read(&joined(&start, &all), None).unwrap_err();
    assert!(error.to_string().contains("contains 0 of"), "{error}");
}

/// A section's header cannot claim more than 64 times as many bytes as the file stores for it.
#[test]
fn a_small_file_cannot_request_much_memory() {
    let mut bytes = Vec::new();
    section::write(*b"GRID", &vec![0; 1 << 20], &mut bytes).unwrap();
    assert!(bytes.len() >= 1 << 14, "{}", bytes.len());
    let (_, _, whole) = whole("ammonite");
    let (start, _) = sections(&whole);
    // The claimed length exceeds the permitted ratio; the checksum is valid.
    let mut bomb = start;
    let mut head = b"HEAD\x01".to_vec();
    head.extend_from_slice(&8_u32.to_le_bytes());
    head.extend_from_slice(&u32::MAX.to_le_bytes());
    head.extend_from_slice(&[0; 8]);
    let mut crc = flate2::Crc::new();
    crc.update(&head);
    head.extend_from_slice(&crc.sum().to_le_bytes());
    bomb.extend_from_slice(&head);
    let error = RecordingFile::read(&bomb, None).unwrap_err();
    assert!(error.to_string().contains("the lengths do not match"), "{error}");
}

/// Seeks through a recording to its end and back to its start.
fn walk(recording_file: &RecordingFile) {
    let recording = &recording_file.recording;
    let mut cursor = Playback::new(recording);
    let first = cursor.frame().clone();
    cursor.seek(recording, recording.turns());
    cursor.seek(recording, recording.turns() / 2);
    for turn in (0..recording.turns() / 2).rev().step_by(61) {
        cursor.seek(recording, turn);
    }
    cursor.seek(recording, 0);
    assert_eq!(cursor.frame(), &first);
    assert!(recording.stats().bins().len() < 5000);
    let _ = recording_file.again(|| true);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn invalid_bytes_are_refused(bytes: Vec<u8>, begins: bool) {
        let mut file = if begins { super::MAGIC.to_vec() } else { Vec::new() };
        file.extend_from_slice(&bytes);
        prop_assert!(RecordingFile::read(&file, None).is_err());
    }

    /// Changes one bit of a recording, or truncates it: neither file can be read.
    #[test]
    fn changed_bits_and_truncation_are_detected(at: prop::sample::Index, bit in 0..8_u8, cut: prop::sample::Index) {
        let (_, _, bytes) = whole("ammonite");
        prop_assert!(RecordingFile::read(&bytes[..cut.index(bytes.len())], None).is_err());
        let mut changed = bytes;
        let at = at.index(changed.len());
        changed[at] ^= 1 << bit;
        prop_assert!(RecordingFile::read(&changed, None).is_err(), "byte {at}");
    }

    /// Valid checksums do not make the content valid: the file is rejected, or else its recording can be played.
    #[test]
    fn arbitrary_sections_are_rejected_or_can_be_played(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..4),
        dropped in prop::option::weighted(0.2, any::<prop::sample::Index>()),
    ) {
        let (_, _, bytes) = whole("pilgrimage");
        let (start, mut all) = sections(&bytes);
        for (section, at, byte) in changes {
            let section = section.index(all.len());
            // The design's text is not changed here: its parser has its own tests.
            if all[section].0 != *b"PLAN" && !all[section].1.is_empty() {
                let at = at.index(all[section].1.len());
                all[section].1[at] = byte;
            }
        }
        if let Some(dropped) = dropped {
            all.remove(dropped.index(all.len()));
        }
        if let Ok(recording_file) = RecordingFile::read(&joined(&start, &all), None) {
            walk(&recording_file);
        }
    }
}
