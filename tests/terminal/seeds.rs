//! Dungeons of many seeds: the seed gallery, the wall frequency map and the comparison, in the real program.

use std::process::Command;

use crate::harness::{ENTER, ESC, Session, argument, home, replace, set_step_length, text_of};

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
    session.wait_for_text("in all 400 seeds");
    session.press_away("M", "walls:");
    set_step_length(&mut session, '9');
    session.press_for("Z", "before and after the last edit");
    session.wait_for_text("Over 100 seeds: ");
    session.wait_for_text("chance alone causes such a difference");
    session.press_for("1", "undone");
    session.leave();
}

#[test]
fn the_atlas_fills_opens_a_cell_breeds_and_is_continued_from_its_file() {
    let home = home();
    let design = home.path().join("steps.toml");
    replace(&design, include_str!("../../presets/first-steps.toml"));
    let file = home.path().join("steps.atlas.json");
    let atlas = |candidates: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wallcrawler"));
        command.args([
            "atlas",
            argument(&design),
            "--x",
            "path",
            "--y",
            "dead-ends",
            "--file",
            argument(&file),
        ]);
        let ran = command
            .args(["--candidates", candidates])
            .output()
            .expect("the program runs");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    let tried = || -> u64 {
        let text = text_of(&file);
        let all: serde_json::Value = serde_json::from_str(&text).expect("an atlas");
        all["tried"].as_u64().expect("a number")
    };
    // The command begins the atlas, and the designer continues it.
    assert!(atlas("250").contains("250 candidates tried"));
    let mut session = Session::at_home(&home, 40, 120, &[argument(&design)]);
    session.press_for(":map elites", "atlas");
    session.press_for(ENTER, "Atlas · steps.toml");
    session.press_for("w", "steps.atlas.json");
    session.press_for(ENTER, "250 candidates tried; further results");
    session.wait_for("more candidates", |_| tried() > 300);
    session.press_for("p", "stopped");
    session.press_for("g ", "marks a second cell");
    session.press_for("G ", "b breeds the two marked cells");
    session.press_for("b", "a child");
    session.press_for(ENTER, "atlas: path ");
    session.wait_until_gone("Atlas · steps.toml");
    session.press_for("u", "undone: atlas: path ");
    session.leave();
    // The command continues what the designer kept.
    let more = tried() + 20;
    let map = atlas(&more.to_string());
    assert!(map.contains("cells filled (medians over 20 fresh seeds)"), "{map}");
    assert_eq!(tried(), more);
}
