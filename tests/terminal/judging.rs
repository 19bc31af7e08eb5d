//! Metrics, overlays on the map and expectations in the real program.

use crate::harness::{ENTER, ESC, Session, argument, hall, home, text_of};

#[test]
fn metrics_are_shown_and_expectations_are_saved() {
    let home = home();
    let file = hall(&home, r#""reachable", "dead-ends <= 0""#);
    let mut session = Session::at_home(&home, 40, 120, &[argument(&file)]);
    session.go_to_the_end();
    // The metrics of the dungeon, and the path on the map.
    session.press_for("A", "detour");
    session.wait_for_text("at the end");
    // Waits until Esc has taken effect: together with the next key it would be Alt.
    session.press_away(ESC, "Esc to the map");
    session.press_for("s", "· path ");
    session.press_for("\x1be", "entrance: row 15, column 15");
    // The expectations, for this dungeon and over many seeds.
    session.press_for("E", "holds here: reachable yes");
    session.wait_for_text("fails here: dead-ends");
    session.press_for("a", "such as");
    session.press("path >= 1");
    session.press_for(ENTER, "expectation added: path >= 1");
    session.press_for("c", "over 100 seeds: ");
    session.press_for("\x13", "saved");
    let text = text_of(&file);
    assert!(
        text.contains("entrance = [15, 15]") && text.contains("\"path >= 1\""),
        "{text}"
    );
    session.leave();
}
