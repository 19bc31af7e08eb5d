//! Damaged files of every kind, given to the commands that read them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use tempfile::TempDir;

use super::inert::first_live_character;
use super::{Random, setting};

/// Runs the program in a folder, with limits on processor time and memory, so that a hang ends.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    let script = r#"ulimit -t 20; ulimit -v 4000000; exec "$0" "$@""#;
    Command::new("/bin/sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_wallcrawler")])
        .args(arguments)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("XDG_CONFIG_HOME", folder.join("config"))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Writes a valid file of every kind, each with the commands that read it.
fn originals(folder: &Path) -> Vec<(PathBuf, Vec<Vec<&'static str>>)> {
    let mut files = Vec::new();
    for preset in ["keep", "pilgrimage", "first-steps"] {
        let path = folder.join(format!("{preset}.toml"));
        std::fs::write(
            &path,
            wallcrawler::format::native::write(&wallcrawler::presets::Preset::find(preset).unwrap().design()),
        )
        .unwrap();
        files.push((path, vec![vec!["check"], vec!["grow", "--seed", "3"]]));
    }
    let made = run(
        folder,
        &["convert", "keep.toml", "--rooms", "rooms4", "--stats", "stats4"],
    );
    if made.status.success() {
        files.push((folder.join("rooms4"), vec![vec!["check"]]));
        files.push((folder.join("stats4"), vec![vec!["check"]]));
    }
    for ending in ["png", "txt", "tmx", "tmj", "csv", "json"] {
        let name = format!("drawing.{ending}");
        let made = run(folder, &["export", "--preset", "first-steps", "--to", &name]);
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        files.push((folder.join(name), vec![vec!["import"]]));
    }
    let made = run(
        folder,
        &[
            "export",
            "--preset",
            "first-steps",
            "--as",
            "recording",
            "--to",
            "film.wcr",
        ],
    );
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    files.push((folder.join("film.wcr"), vec![vec!["check"], vec!["grow"]]));
    // Decoders have most trouble with palettes.
    for number in 0..3 {
        let path = folder.join(format!("indexed{number}.png"));
        std::fs::write(&path, indexed_png()).unwrap();
        files.push((path, vec![vec!["import"], vec!["check"]]));
    }
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/presets/vaults"))
        .unwrap()
        .flatten()
    {
        let path = folder.join(entry.file_name());
        std::fs::copy(entry.path(), &path).unwrap();
        files.push((
            path,
            vec![vec!["vault", "list"], vec!["vault", "check", "--seeds", "1"]],
        ));
    }
    files
}

/// Returns a picture of 8 × 8 pixels with a palette and a transparent colour.
fn indexed_png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 8, 8);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Two);
    encoder.set_palette(vec![0, 0, 0, 255, 255, 255, 200, 0, 0]);
    encoder.set_trns(vec![0]);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[0b0001_1001; 16]).unwrap();
    writer.finish().unwrap();
    bytes
}

/// Bytes that replace or extend those of a file.
const PIECES: [&[u8]; 14] = [
    b"\x1b]0;PWNED\x07",
    b"\xe2\x80\xae",
    b"\xc2\x9b31m",
    b"\x7f",
    b"\0",
    b"-1",
    b"99999999999999999999",
    b"[[",
    b"\"",
    b"\n",
    b"\xff\xff\xff\xff",
    b"nan",
    b"{{",
    b"}}",
];

fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..random.between(1, 6) {
        let at = random.below(bytes.len() + 1);
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.next() as u8,
            2 => drop(bytes.splice(at..at, PIECES[random.below(PIECES.len())].iter().copied())),
            3 => {
                let end = (at + random.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            4 => {
                let end = (at + random.below(40)).min(bytes.len());
                let again = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                drop(bytes.splice(to..to, again));
            }
            _ if random.below(10) == 0 => bytes.truncate(at),
            _ => {}
        }
    }
    repair_png(bytes);
}

/// Computes the checksums of a PNG again, so that the damage reaches the decoder.
fn repair_png(bytes: &mut [u8]) {
    if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return;
    }
    let mut at = 8;
    while let Some(head) = bytes.get(at..at + 8) {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let Some(end) = at.checked_add(8 + length).filter(|end| end + 4 <= bytes.len()) else {
            return;
        };
        let sum = crc(&bytes[at + 4..end]).to_be_bytes();
        bytes[end..end + 4].copy_from_slice(&sum);
        at = end + 4;
    }
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 {
                (sum >> 1) ^ 0xedb8_8320
            } else {
                sum >> 1
            }
        })
    })
}

/// Returns the error in the program's reaction to a damaged file, if any.
fn fault(output: &Output) -> Option<String> {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text);
    let status = output.status.code();
    if !matches!(status, Some(0..=2)) {
        return Some(format!("{:?}: {text}", output.status));
    }
    if text.contains("panicked") {
        return Some(text.into_owned());
    }
    first_live_character(&text, false)
}

#[test]
#[ignore = "a soak; see the module"]
fn damaged_files_are_refused_or_read() {
    let folder = TempDir::new().unwrap();
    let files = originals(folder.path());
    let wanted = setting("WALLCRAWLER_SOAK_FILES", 300);
    let (next, ran) = (AtomicU64::new(0), AtomicU64::new(0));
    let faults = std::sync::Mutex::new(Vec::new());
    let work = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= wanted {
            return;
        }
        let mut random = Random::of(1000 + number);
        let (path, commands) = &files[random.below(files.len())];
        let mut bytes = std::fs::read(path).unwrap();
        mutate(&mut random, &mut bytes);
        let scratch = TempDir::new().unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        std::fs::write(scratch.path().join(name), &bytes).unwrap();
        for command in commands {
            let mut arguments = command.clone();
            arguments.push(name);
            let output = run(scratch.path(), &arguments);
            ran.fetch_add(1, Ordering::Relaxed);
            if let Some(fault) = fault(&output) {
                let copy = std::env::temp_dir().join(format!("soak-{number}-{name}"));
                std::fs::write(&copy, &bytes).unwrap();
                faults
                    .lock()
                    .unwrap()
                    .push(format!("{arguments:?} of {}: {fault}", copy.display()));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    let faults = faults.into_inner().unwrap();
    println!(
        "{wanted} damaged files, {} commands, {} faults",
        ran.into_inner(),
        faults.len()
    );
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}
