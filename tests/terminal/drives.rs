//! The designer on drives that do not respond, simulated by pipes that nothing writes to, where pipes can be read.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use wallcrawler::presets::Preset;

use crate::harness::{
    CTRL_S, CTRL_U, ENTER, ESC, Session, argument, home, kept, marked, replace, set_step_length, text_of, wait_until,
};

/// Creates a folder in which pipes are read like files.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap()
}

/// Creates a file in it whose readers block.
fn hanging(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

/// A drive with the file `castle.toml`, which can be made to hang.
struct Drive {
    folder: TempDir,
}

impl Drive {
    fn new() -> Self {
        let folder = folder();
        for name in ["good", "bad"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        std::fs::write(folder.path().join("good/castle.toml"), marked(4)).unwrap();
        hanging(&folder.path().join("bad"), "castle.toml");
        let drive = Self { folder };
        drive.mount("good");
        drive
    }

    fn mount(&self, name: &str) {
        let beside = self.folder.path().join("beside");
        std::os::unix::fs::symlink(name, &beside).unwrap();
        std::fs::rename(&beside, self.folder.path().join("drive")).unwrap();
    }

    fn castle(&self) -> PathBuf {
        self.folder.path().join("drive/castle.toml")
    }

    /// Returns the content of the drive, whether it hangs or not.
    fn text(&self) -> String {
        text_of(&self.folder.path().join("good/castle.toml"))
    }

    /// Makes reads and writes block from now on.
    fn hang(&self) {
        self.mount("bad");
    }

    /// Unblocks the drive, including reads and writes that wait.
    fn answer(&self) {
        self.mount("good");
        std::fs::write(self.folder.path().join("bad/castle.toml"), self.text()).unwrap();
    }
}

#[test]
fn saving_to_a_drive_that_hangs_blocks_nothing() {
    let drive = Drive::new();
    let mut session = Session::grown(40, 120, &[argument(&drive.castle())]);
    set_step_length(&mut session, '8');
    drive.hang();
    session.press_for(CTRL_S, "castle.toml · saving …");
    // Work continues, and edits made meanwhile are saved afterwards.
    set_step_length(&mut session, '9');
    session.press_for(CTRL_S, "castle.toml is still being saved");
    session.press_for("q", "Still saving");
    session.press_away(ESC, "Still saving");
    assert_eq!(drive.text(), marked(4));
    drive.answer();
    session.wait_for_text("saved: castle.toml");
    wait_until("the later version", || drive.text() == marked(9));
    session.wait_until_gone("saving …");
    session.leave();
}

#[test]
fn quitting_during_a_save_that_hangs_offers_the_work_at_the_next_start() {
    let drive = Drive::new();
    let home = home();
    let mut session = Session::at_home(&home, 40, 120, &[argument(&drive.castle())]);
    session.go_to_the_end();
    set_step_length(&mut session, '8');
    drive.hang();
    session.press_for(CTRL_S, "castle.toml · saving …");
    session.press_for("q", "Still saving");
    session.press("g");
    assert_eq!(session.wait_for_end(), 0);
    session.wait_for_text("unsaved work is saved in");
    assert_eq!(kept(&home).len(), 1);
    drive.mount("good");
    assert_eq!(drive.text(), marked(4), "nothing was written, and no draft is left");
    assert_eq!(std::fs::read_dir(drive.folder.path().join("good")).unwrap().count(), 1);
    let mut session = Session::at_home(&home, 40, 120, &[]);
    session.wait_for_text("castle.toml");
    session.press_for(ENTER, "castle.toml recovered");
    session.press_for(CTRL_S, "saved: castle.toml");
    assert_eq!(drive.text(), marked(8));
    session.leave();
}

#[test]
fn a_design_on_a_drive_that_hangs_is_saved_elsewhere() {
    let drive = Drive::new();
    let mut session = Session::grown(40, 120, &[argument(&drive.castle())]);
    set_step_length(&mut session, '8');
    drive.hang();
    session.press_for(CTRL_S, "castle.toml · saving …");
    let other = folder();
    let tower = other.path().join("tower.toml");
    session.press_for("S", "Save as");
    session.press(CTRL_U);
    session.paste(argument(&tower));
    session.press_for(ENTER, "saved: tower.toml");
    assert_eq!(text_of(&tower), marked(8));
    session.leave();
}

#[test]
fn an_export_to_a_drive_that_hangs_blocks_neither_the_next_nor_quitting() {
    let home = home();
    let design = Preset::find("first-steps").unwrap().design();
    let map = format!("first-steps-{}.png", design.seed);
    let mut session = Session::at_home(&home, 40, 120, &["--preset", "first-steps"]);
    session.go_to_the_end();
    hanging(home.path(), &map);
    session.press_for("P", "A picture.");
    session.press_for(ENTER, "exists already");
    session.press_for("r", "░");
    session.press_for("\x18", "was not written");
    std::fs::remove_file(home.path().join(&map)).unwrap();
    session.press_for("\x05", &format!("written: {map}"));
    std::fs::remove_file(home.path().join(&map)).unwrap();
    hanging(home.path(), &map);
    session.press_for("\x05", "░");
    session.press_for("q", "Still writing");
    session.press("e");
    assert_eq!(session.wait_for_end(), 0);
}

#[test]
fn reading_a_file_that_hangs_can_be_cancelled() {
    let folder = folder();
    let slow = hanging(folder.path(), "slow.toml");
    let good = folder.path().join("good.toml");
    std::fs::write(&good, marked(7)).unwrap();
    let mut session = Session::grown(40, 120, &[]);
    session.press_for("o", "Open a design");
    session.press_for(&slow.display().to_string(), "slow.toml");
    session.press_for(ENTER, "reading slow.toml");
    session.press_away(ESC, "Open a design");
    // Other files are read meanwhile.
    session.press_for("o", "Open a design");
    session.press_for(&good.display().to_string(), "good.toml");
    session.press_for(ENTER, "good.toml opened");
    // The open file can begin to hang, too.
    let beside = hanging(folder.path(), "beside");
    std::fs::rename(&beside, &good).unwrap();
    set_step_length(&mut session, '8');
    session.leave_it_unsaved();
}

#[test]
fn a_changed_design_is_reloaded_while_another_file_hangs() {
    let folder = folder();
    let good = folder.path().join("good.toml");
    std::fs::write(&good, marked(7)).unwrap();
    let mut session = Session::grown(40, 120, &[argument(&good)]);
    let slow = hanging(folder.path(), "slow.toml");
    session.press_for("o", "Open a design");
    session.press_for(&slow.display().to_string(), "slow.toml");
    session.press_for(ENTER, "reading slow.toml");
    session.press_away(ESC, "Open a design");
    replace(&good, &marked(5));
    session.wait_for_text("was changed on disk; the dungeon was grown again");
    session.leave();
}
