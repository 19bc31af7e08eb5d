//! What becomes of the designer on drives that do not answer: pipes that nobody writes to, where pipes are read.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::harness::{Desk, ENTER, ESC, argument, marked, replace, set_step_length};

/// A folder in which pipes are read like files.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap()
}

/// A file in it that whoever reads waits for.
fn hanging(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

#[test]
fn a_file_that_is_never_read_can_be_given_up() {
    let folder = folder();
    let slow = hanging(folder.path(), "slow.toml");
    let good = folder.path().join("good.toml");
    std::fs::write(&good, marked(7)).unwrap();
    let mut desk = Desk::grown(40, 120, &[]);
    desk.press_for("o", "Open a design");
    desk.press_for(&slow.display().to_string(), "slow.toml");
    desk.press_for(ENTER, "reading slow.toml");
    desk.press_away(ESC, "Open a design");
    // Others are read meanwhile.
    desk.press_for("o", "Open a design");
    desk.press_for(&good.display().to_string(), "good.toml");
    desk.press_for(ENTER, "good.toml opened");
    // And the file that is open may turn into such a one.
    let beside = hanging(folder.path(), "beside");
    std::fs::rename(&beside, &good).unwrap();
    set_step_length(&mut desk, '8');
    desk.leave_it_unsaved();
}

#[test]
fn a_design_that_changes_is_read_while_another_hangs() {
    let folder = folder();
    let good = folder.path().join("good.toml");
    std::fs::write(&good, marked(7)).unwrap();
    let mut desk = Desk::grown(40, 120, &[argument(&good)]);
    let slow = hanging(folder.path(), "slow.toml");
    desk.press_for("o", "Open a design");
    desk.press_for(&slow.display().to_string(), "slow.toml");
    desk.press_for(ENTER, "reading slow.toml");
    desk.press_away(ESC, "Open a design");
    replace(&good, &marked(5));
    desk.wait_for_text("was changed elsewhere: read and grown again");
    desk.leave();
}
