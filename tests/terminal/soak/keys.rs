//! Random keys, mouse events and window sizes.

use std::fmt::Write as _;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::inert::{first_live_character, text_of};
use super::{Random, setting};
use crate::harness::{Session, argument, castle, hall, home};

/// Keys of more than one byte, and those that have an effect nearly everywhere.
const KEYS: [&str; 34] = [
    "\r",
    "\r",
    "\x1b",
    "\x1b",
    "\t",
    "\x1b[Z",
    "\x1b[A",
    "\x1b[B",
    "\x1b[C",
    "\x1b[D",
    "\x1b[5~",
    "\x1b[6~",
    "\x1b[H",
    "\x1b[F",
    "\x1b[3~",
    "\x1bOP",
    "\x1bOQ",
    "\x1bOR",
    "\x1b[1;5C",
    "\x1b1",
    "\x1b2",
    "\x1b3",
    "\x1b4",
    "\x1b5",
    "\x1b6",
    "\x1b7",
    "\x1b8",
    "\x1b9",
    "\x1be",
    "\x1bx",
    "\x7f",
    "\x13",
    "\x05",
    " ",
];

const PASTES: [&str; 5] = [
    "12",
    "hall.toml",
    "a\x1b]0;PWNED\x07b\u{202e}c\u{9b}31m",
    "0x40\n20x40\n-1\n99999999999999999999",
    "\u{1f469}\u{200d}\u{1f680} e\u{301} \u{feff}",
];

/// Returns random input of a user or a terminal.
fn input(random: &mut Random, (rows, cols): (u16, u16)) -> String {
    match random.below(20) {
        0..=8 => char::from(b' ' + random.below(95) as u8).to_string(),
        9..=14 => random.pick(&KEYS).to_owned(),
        // All keys with Ctrl except Ctrl-Z, which stops the program.
        15 => char::from(1 + random.below(25) as u8).to_string(),
        16..=18 => {
            let button = [0, 0, 0, 2, 32, 32, 35, 64, 65][random.below(9)];
            let (row, col) = (random.between(1, rows), random.between(1, cols));
            let end = if random.below(3) == 0 { 'm' } else { 'M' };
            format!("\x1b[<{button};{col};{row}{end}")
        }
        _ => format!("\x1b[200~{}\x1b[201~", random.pick(&PASTES)),
    }
}

/// Writes the files of a soak: designs, a level file, and names that a terminal would act on.
fn folder() -> Rc<TempDir> {
    let home = home();
    castle(&home);
    hall(&home, "\"reachable\", \"dead ends < 3\"");
    for name in ["a\x1b]0;PWNED\x07b.toml", "x\u{202e}lmot.toml", "c1\u{9b}31m.toml"] {
        std::fs::copy(home.path().join("hall.toml"), home.path().join(name)).unwrap();
    }
    let level = "NAME: a\x1b]0;PWNED\x07b\nTAGS: \u{202e}tag\nMAP\nxxxxx\nx...@\nxxxxx\nENDMAP\n";
    std::fs::write(home.path().join("hostile.des"), level).unwrap();
    home
}

fn start(random: &mut Random, home: &Rc<TempDir>, (rows, cols): (u16, u16)) -> Session {
    let castle = home.path().join("castle.toml");
    let hostile = home.path().join("x\u{202e}lmot.toml");
    let arguments = [
        vec![],
        vec!["--preset", "pilgrimage"],
        vec!["--preset", "keep"],
        vec![argument(&castle)],
        vec![argument(&hostile)],
    ];
    if random.below(8) == 0 {
        // The tour.
        let _ = std::fs::remove_file(home.path().join("state/wallcrawler/toured"));
    }
    // Sometimes another program writes the files meanwhile.
    touch(random, home.path());
    // Text that the terminal echoes after the program's end is not output of the program.
    let mut script = String::from("stty -echo; exec \"$0\"");
    for argument in &arguments[random.below(arguments.len())] {
        let _ = write!(script, " '{argument}'");
    }
    Session::scripted(home, rows, cols, &script)
}

/// Saves or damages one of the files, as another program would.
fn touch(random: &mut Random, folder: &Path) {
    let path = folder.join(random.pick(&["castle.toml", "hall.toml"]));
    let Ok(mut bytes) = std::fs::read(&path) else {
        castle_and_hall(folder);
        return;
    };
    match random.below(6) {
        0 if !bytes.is_empty() => {
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
        }
        1 => bytes.truncate(random.below(bytes.len() + 1)),
        2 => {
            let _ = std::fs::remove_file(&path);
            return;
        }
        _ => {
            castle_and_hall(folder);
            return;
        }
    }
    let _ = std::fs::write(&path, bytes);
}

fn castle_and_hall(folder: &Path) {
    let text = crate::harness::marked(4);
    let _ = std::fs::write(folder.join("castle.toml"), &text);
    let _ = std::fs::write(folder.join("hall.toml"), text);
}

/// Checks what the program wrote since the last call, and returns it as text.
fn judge(session: &mut Session, tail: &mut Vec<u8>, history: &str) -> String {
    checked(&session.drain(), tail, history)
}

/// Returns the text of some output; fails on characters that must never reach a terminal.
fn checked(output: &[u8], tail: &mut Vec<u8>, history: &str) -> String {
    tail.extend(output);
    let text = text_of(tail);
    if let Some(live) = first_live_character(&text, true) {
        panic!("the terminal got {live}\nafter {history:?}");
    }
    assert!(!text.contains("panicked"), "a panic:\n{text}\nafter {history:?}");
    text
}

#[test]
#[ignore = "a soak; see the module"]
fn random_keys_and_window_sizes_cause_no_crash() {
    let mut random = Random::of(1);
    let end = Instant::now() + Duration::from_secs(setting("WALLCRAWLER_SOAK", 60));
    let (mut starts, mut inputs, mut resizes) = (0, 0, 0);
    while Instant::now() < end {
        let home = folder();
        let mut size = (random.between(12, 60), random.between(40, 200));
        let mut session = start(&mut random, &home, size);
        starts += 1;
        // Before the first output, Ctrl-C goes to the shell, and ends the program like any other.
        let mut tail = session.drain();
        while tail.is_empty() && !session.has_ended() {
            std::thread::sleep(Duration::from_millis(2));
            tail = session.drain();
        }
        let mut history = String::new();
        let mut text = String::new();
        for _ in 0..random.between(10, 400) {
            for _ in 0..random.between(1, 12) {
                let input = input(&mut random, size);
                history.push_str(&input);
                let _ = session.try_press(&input);
                inputs += 1;
            }
            if random.below(4) == 0 {
                size = match random.below(6) {
                    0 => (random.between(1, 12), random.between(1, 45)),
                    _ => (random.between(12, 60), random.between(40, 200)),
                };
                session.resize(size.0, size.1);
                let _ = write!(history, "<{}x{}>", size.0, size.1);
                resizes += 1;
            }
            if random.below(30) == 0 {
                touch(&mut random, home.path());
            }
            text += &judge(&mut session, &mut tail, &history);
            if session.has_ended() || Instant::now() > end {
                break;
            }
            if random.below(3) == 0 {
                std::thread::sleep(Duration::from_millis(random.below(30) as u64));
            }
        }
        if !session.has_ended() {
            // It must still draw: two window sizes in turn, each of which changes the screen.
            for (rows, cols) in [(24, 80), (30, 100)] {
                session.resize(rows, cols);
                let deadline = Instant::now() + Duration::from_mins(2);
                // The last keys may have ended it meanwhile.
                while !session.has_ended() {
                    text += &judge(&mut session, &mut tail, &history);
                    let last = session.screen().rows(0, cols).nth(usize::from(rows) - 1);
                    if last.is_some_and(|row| !row.trim().is_empty()) {
                        break;
                    }
                    assert!(
                        Instant::now() < deadline,
                        "no picture of the new size after {history:?}"
                    );
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
            text += &judge(&mut session, &mut tail, &history);
            if !session.has_ended() {
                session.signal("-TERM");
            }
        }
        let status = session.wait_for_exit();
        let rest = session.drain_to_end();
        text += &checked(&rest, &mut tail, &history);
        // A design that was damaged or removed before the start is an error on the command line, without a screen.
        let is_refused = [1, 2].contains(&status) && text.contains("error: ") && !text.contains("\x1b[?1049h");
        assert!(
            [0, 143].contains(&status) || is_refused,
            "status {status} after {history:?}\n{text}"
        );
    }
    println!("{starts} starts, {inputs} inputs, {resizes} windows");
}
