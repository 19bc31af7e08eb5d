//! Curves, remedies and the search for parameter values in the real program.

use crate::harness::{ENTER, ESC, Session, TAB, argument, hall, home};

#[test]
fn curves_remedies_and_tuning_change_a_design() {
    let home = home();
    let file = hall(&home, r#""median dead-ends <= 2""#);
    let mut session = Session::at_home(&home, 40, 120, &[argument(&file)]);
    session.go_to_the_end();
    // Metrics over the range of a parameter, computed while no key is pressed.
    session.press(TAB);
    session.press_for("W", "curves");
    session.wait_for_text("32 seeds each");
    session.press_away("W", "32 seeds each");
    // Anomalies, and changes that reduce them.
    session.press_for("N", "flaws");
    session.wait_for("something that helps, or that nothing does", |screen| {
        let text = screen.contents();
        text.contains("before → after") || text.contains("no remedy helps")
    });
    session.press_for("f", "before → after");
    session.press_away(ESC, "flaws");
    // Values that meet the expectations are accepted as one edit, and undone.
    session.press_for("O", "expectations: 1");
    session.press_for(ENTER, "now → best");
    session.wait_for_text("finished: every expectation is met");
    session.press_for(ENTER, "tuned: ");
    session.press_for("u", "undone: tuned");
    session.leave();
}
