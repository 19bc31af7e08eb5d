//! Dungeons of many seeds: the seed gallery, the wall frequency map and the comparison, in the real program.

use crate::harness::{Desk, ENTER, ESC, set_step_length};

#[test]
fn the_seed_gallery_opens_a_seed_and_a_comparison() {
    let mut desk = Desk::grown(40, 120, &["--preset", "catacombs"]);
    desk.press_for("Y", "Gallery · Catacombs");
    desk.wait_for("all figures", |screen| {
        let text = screen.contents();
        text.contains("100 seeds") && !text.contains("measured …")
    });
    desk.press_for("s", "by path ↓");
    // The longest path comes first, and all remaining dungeons satisfy the condition.
    desk.press_for("/path > 200", "dungeons satisfy it");
    desk.press_for(ENTER, " of 100");
    desk.press_for(" ", "★ 1 marked");
    desk.press_for("lc", "Compare · two seeds");
    desk.wait_for_text("both");
    desk.press_for("g", "iteration 0 of");
    desk.press_for("G", "only ◀");
    desk.press_for(ESC, "by path ↓");
    desk.press_for(ENTER, "seed: ");
    desk.wait_until_gone("Gallery · Catacombs");
    desk.press_for("u", "undone: seed");
    desk.leave();
}

#[test]
fn wall_frequency_has_a_legend_and_an_edit_is_compared() {
    let mut desk = Desk::grown(40, 120, &["--preset", "first-steps"]);
    desk.press_for("M", "walls: 400 seeds");
    desk.wait_for_text("of 400 seeds");
    desk.press_away("M", "walls:");
    set_step_length(&mut desk, '9');
    desk.press_for("Z", "before and after the last edit");
    desk.wait_for_text("Over 100 seeds: ");
    desk.wait_for_text("significant (p");
    desk.press_for("1", "undone");
    desk.leave();
}
