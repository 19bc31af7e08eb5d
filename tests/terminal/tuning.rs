//! Curves, remedies and the search for parameter values in the real program.

use crate::harness::{Desk, ENTER, ESC, TAB, argument, hall, home};

#[test]
fn curves_remedies_and_tuning_change_a_design() {
    let home = home();
    let file = hall(&home, r#""median dead-ends <= 2""#);
    let mut desk = Desk::at_home(&home, 40, 120, &[argument(&file)]);
    desk.go_to_the_end();
    // Metrics over the range of a parameter, computed while no key is pressed.
    desk.press(TAB);
    desk.press_for("W", "curves");
    desk.wait_for_text("32 seeds each");
    desk.press_away("W", "32 seeds each");
    // Anomalies, and changes that reduce them.
    desk.press_for("N", "flaws");
    desk.wait_for("something that helps, or that nothing does", |screen| {
        let text = screen.contents();
        text.contains("what improves it") || text.contains("nothing tried")
    });
    desk.press_for("f", "before → after");
    desk.press_away(ESC, "flaws");
    // Values that meet the expectations are accepted as one edit, and undone.
    desk.press_for("O", "1 expected");
    desk.press_for(ENTER, "now → best");
    desk.wait_for_text("finished: every expectation is met");
    desk.press_for(ENTER, "tuned: ");
    desk.press_for("u", "undone: tuned");
    desk.leave();
}
