//! Any bytes as a recording; then a recording that was changed and has correct checksums. It is rejected, or it can be
//! played from end to end.

#![no_main]

use std::io::Read as _;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use wallcrawler::design::Design;
use wallcrawler::engine::Options;
use wallcrawler::recording::{Playback, Recording};
use wallcrawler::recording_file::{self, Provenance, RecordingFile, RecordingRef, SourceFile};

/// Tags and bytes of the sections, unpacked.
type Sections = Vec<([u8; 4], Vec<u8>)>;

/// The beginning of a file, up to its checksum, and its sections.
static WHOLE: OnceLock<(Vec<u8>, Sections)> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    let _refused = RecordingFile::read(bytes, None);
    let (start, sections) = WHOLE.get_or_init(whole);
    let mut sections = sections.clone();
    if change(&mut sections, &mut Unstructured::new(bytes)).is_err() {
        return;
    }
    if let Ok(recording_file) = RecordingFile::read(&joined(start, &sections), None) {
        show(&recording_file);
    }
});

/// Returns a short recording in parts.
fn whole() -> (Vec<u8>, Sections) {
    let text = include_str!("../../../presets/first-steps.toml");
    let design: Design = text.parse().expect("a preset");
    let design = design.validate(None).design.expect("usable");
    let recording = Recording::of(&design, Options::default());
    let shot = RecordingRef {
        provenance: Provenance {
            design: &design,
            options: Options::default(),
            sources: &[SourceFile::of("first-steps.toml", text.as_bytes())],
        },
        recording: &recording,
    };
    let mut file = Vec::new();
    recording_file::write(&shot, &mut file, &mut |_, _| ControlFlow::Continue(())).expect("written");
    let begin = 11 + usize::from(file[10]) + 4;
    let (start, mut rest) = file.split_at(begin);
    let mut sections = Sections::new();
    while let Some((head, after)) = rest.split_first_chunk::<13>() {
        let stored = u32::from_le_bytes([head[5], head[6], head[7], head[8]]) as usize;
        let mut bytes = after[..stored].to_vec();
        if head[4] == 1 {
            let mut packed = flate2::read::DeflateDecoder::new(&after[..stored]);
            bytes.clear();
            packed.read_to_end(&mut bytes).expect("packed by us");
        }
        sections.push(([head[0], head[1], head[2], head[3]], bytes));
        rest = &after[stored + 4..];
    }
    (start.to_vec(), sections)
}

/// Replaces some bytes, leaves out sections, and repeats others.
fn change(sections: &mut Sections, bytes: &mut Unstructured) -> Result<()> {
    while !bytes.is_empty() && !sections.is_empty() {
        let which = bytes.choose_index(sections.len())?;
        let held = &mut sections[which].1;
        match bytes.int_in_range(0..=9)? {
            0 => drop(sections.remove(which)),
            1 => sections.insert(which, sections[which].clone()),
            2 => held.truncate(bytes.choose_index(held.len() + 1)?),
            3 => held.insert(bytes.choose_index(held.len() + 1)?, bytes.arbitrary()?),
            _ if held.is_empty() => {}
            _ => {
                let at = bytes.choose_index(held.len())?;
                held[at] = bytes.arbitrary()?;
            }
        }
    }
    Ok(())
}

/// Returns the file of these sections, none of them packed, with its checksums.
fn joined(start: &[u8], sections: &Sections) -> Vec<u8> {
    let mut file = start.to_vec();
    for (tag, held) in sections {
        let begin = file.len();
        file.extend_from_slice(tag);
        file.push(0);
        for _stored_and_length in 0..2 {
            file.extend_from_slice(&(held.len() as u32).to_le_bytes());
        }
        file.extend_from_slice(held);
        let mut sum = flate2::Crc::new();
        sum.update(&file[begin..]);
        file.extend_from_slice(&sum.sum().to_le_bytes());
    }
    file
}

fn show(recording_file: &RecordingFile) {
    let recording = &recording_file.recording;
    let mut cursor = Playback::new(recording);
    let first = cursor.frame().clone();
    cursor.seek(recording, recording.turns());
    for turn in (0..recording.turns()).rev().step_by(7) {
        cursor.seek(recording, turn);
    }
    cursor.seek(recording, 0);
    assert!(*cursor.frame() == first);
    let mut looks = 0;
    let _again = recording_file.again(|| {
        looks += 1;
        looks < 4
    });
}
