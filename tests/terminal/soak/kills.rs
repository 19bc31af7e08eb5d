//! Kills at random moments while designs are edited and saved.

use std::time::Duration;

use super::{Random, setting};
use crate::harness::{ALT_1, CTRL_S, ENTER, Session, argument, castle, home, kept, marked, text_of};

#[test]
#[ignore = "a soak; see the module"]
fn kills_leave_every_file_whole() {
    let mut random = Random::of(2);
    let kills = setting("WALLCRAWLER_SOAK_KILLS", 20);
    let mut offered = 0;
    for round in 0..kills {
        let home = home();
        let path = castle(&home);
        let mut session = Session::at_home(&home, 30, 100, &[argument(&path)]);
        session.wait_for("the designer", vt100::Screen::alternate_screen);
        let digits: Vec<usize> = (0..random.between(1, 6)).map(|_| 1 + random.below(9)).collect();
        session.press_for(ALT_1, "Enter edit");
        for digit in &digits {
            let _ = session.try_press(&format!("{digit}{ENTER}"));
            if random.below(2) == 0 {
                let _ = session.try_press(CTRL_S);
            }
            std::thread::sleep(Duration::from_millis(random.below(60) as u64));
        }
        std::thread::sleep(Duration::from_millis(random.below(900) as u64));
        session.kill();
        let versions: Vec<String> = (1..10).map(marked).collect();
        let text = text_of(&path);
        assert!(versions.contains(&text), "round {round}: damaged:\n{text}");
        for text in kept(&home) {
            assert!(
                text.parse::<wallcrawler::Design>().is_ok(),
                "round {round}: kept and damaged:\n{text}"
            );
        }
        let before = kept(&home).len();
        let mut session = Session::at_home(&home, 30, 100, &[argument(&path)]);
        if before > 0 {
            session.wait_for_text("Recover unsaved work");
            offered += 1;
            session.press_for("D", "discarded");
        } else {
            session.go_to_the_end();
        }
        session.leave();
        let rest = std::fs::read_dir(home.path()).unwrap().flatten();
        let drafts: Vec<_> = rest
            .map(|entry| entry.file_name())
            .filter(|name| name.to_string_lossy().starts_with(".wallcrawler-"))
            .collect();
        assert!(drafts.is_empty(), "round {round}: drafts are left: {drafts:?}");
    }
    println!("{kills} kills, {offered} with work to recover, no file damaged");
}
