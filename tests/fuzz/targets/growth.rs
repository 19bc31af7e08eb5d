//! Any design, grown for a few thousand turns, recorded and played backwards.

#![no_main]

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use wallcrawler::design::{Design, Entry, FieldInfo, List};
use wallcrawler::engine::{Options, Tile};
use wallcrawler::geometry::{Point, Size};
use wallcrawler::recording::{Playback, Recording};

/// Maximum number of turns of a run: errors in the engine's arithmetic show within a few hundred.
const TURNS: u64 = 2_000;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Unstructured::new(bytes);
    let Ok((design, options)) = design(&mut bytes) else {
        return;
    };
    let valid = design.validate(None).design.expect("its size is allowed");
    let (mut growth, mut recording) = Recording::begin(&valid, options);
    while growth.clock().turn < TURNS && growth.turn(&mut recording) {}
    let size = growth.grid().size();
    for x in 0..size.x {
        for y in 0..size.y {
            let at = Point::new(x, y);
            let (before, after) = (recording.start().tile(at), growth.grid().tile(at));
            assert!(
                before == after || before == Tile::Open,
                "{at} was {before:?} and is {after:?}"
            );
        }
    }
    let mut cursor = Playback::new(&recording);
    let first = cursor.frame().clone();
    cursor.seek(&recording, recording.turns());
    assert!(cursor.frame().grid() == growth.grid());
    assert_eq!(cursor.frame().living().count(), growth.living());
    // Backwards through the events, not through the keyframe at the start.
    for turn in (0..recording.turns()).rev() {
        cursor.seek(&recording, turn);
    }
    assert!(*cursor.frame() == first);
});

/// Generates a design of up to 90 × 90 squares with values of any size, most of them sensible.
fn design(bytes: &mut Unstructured) -> Result<(Design, Options)> {
    let mut design = Design {
        seed: bytes.arbitrary()?,
        ..Design::default()
    };
    let options = Options {
        columns: bytes.arbitrary()?,
    };
    for list in List::ALL {
        for i in 0..bytes.int_in_range(0..=4)? {
            list.insert(&mut design.layout, i, None);
        }
    }
    for entry in design.entries() {
        if !matches!(entry, Entry::Limits | Entry::Generation(2..=9)) {
            for &parameter in entry.parameters() {
                let number = number(parameter.info(), bytes)?;
                design.set(entry, parameter, number);
            }
        }
    }
    let later = design.character.generations[1];
    design.character.generations[2..].fill(later);
    design.layout.size = Size::new(bytes.int_in_range(20..=90)?, bytes.int_in_range(20..=90)?);
    Ok((design, options))
}

/// Generates a value of a field: its default, one in its range, a small one, or anything.
fn number(info: &FieldInfo, bytes: &mut Unstructured) -> Result<i32> {
    if bytes.is_empty() {
        return Ok(info.default);
    }
    match bytes.int_in_range(0..=9)? {
        0..=2 => Ok(info.default),
        3..=5 => bytes.int_in_range(info.min..=info.max.min(info.min.saturating_add(120))),
        6..=7 => bytes.int_in_range(0..=9),
        8 => bytes.int_in_range(info.min..=info.max),
        _ => bytes.arbitrary(),
    }
}
