//! Dungeons of many seeds: the seed gallery, the wall frequency map and the comparison, in the real program.

use crate::harness::{ENTER, ESC, Session, set_step_length};

#[test]
fn the_seed_gallery_opens_a_seed_and_a_comparison() {
    let mut session = Session::grown(40, 120, &["--preset", "catacombs"]);
    session.press_for("Y", "Seed gallery · Catacombs");
    session.wait_for("all metrics", |screen| {
        let text = screen.contents();
        text.contains("100 seeds") && !text.contains("measured …")
    });
    session.press_for("s", "by path ↓");
    // The longest path comes first, and all remaining dungeons satisfy the condition.
    session.press_for("/path > 200", "dungeons satisfy it");
    session.press_for(ENTER, " of 100");
    session.press_for(" ", "★ 1 marked");
    session.press_for("lc", "Compare · two seeds");
    session.wait_for_text("both");
    session.press_for("g", "iteration 0 of");
    session.press_for("G", "only ◀");
    session.press_for(ESC, "by path ↓");
    session.press_for(ENTER, "seed: ");
    session.wait_until_gone("Seed gallery · Catacombs");
    session.press_for("u", "undone: seed");
    session.leave();
}

#[test]
fn wall_frequency_has_a_legend_and_an_edit_is_compared() {
    let mut session = Session::grown(40, 120, &["--preset", "first-steps"]);
    session.press_for("M", "walls: 400 seeds");
    session.wait_for_text("of 400 seeds");
    session.press_away("M", "walls:");
    set_step_length(&mut session, '9');
    session.press_for("Z", "before and after the last edit");
    session.wait_for_text("Over 100 seeds: ");
    session.wait_for_text("chance alone makes such a difference");
    session.press_for("1", "undone");
    session.leave();
}
