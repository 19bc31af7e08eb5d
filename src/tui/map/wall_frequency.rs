//! The map coloured by wall frequency: how often each square is a wall over many seeds.
//!
//! While this map is shown, a background service grows dungeons of the current design; editing anything but the seed,
//! the name, the notes or the expectations restarts the count. Squares that the design determines are distinguished
//! from random ones. The larger the dungeon, the fewer seeds are counted.

use crate::analysis::{SquareOrigin, WallFrequency};
use crate::background::{JobError, Ticket, WallFrequencyReply, WallFrequencyRequest};
use crate::engine::Tile;
use crate::geometry::{Point, Size};
use crate::text::thousands;
use crate::tui::commands::{Action, ColourMode, MapCommand};
use crate::tui::editor::Editor;
use crate::tui::viewport::{LegendEntry, LegendRow};

/// Returns the wall frequencies that the map shows; `None` if it shows none, or if the counted dungeons are not of this
/// `size`.
pub(super) fn shown(editor: &Editor, size: Size) -> Option<&WallFrequency> {
    let (wall_frequency, _) = editor.map.frequency.counted.as_ref()?;
    (editor.map.colours == ColourMode::WallFrequency && wall_frequency.dungeons() > 0 && wall_frequency.size() == size)
        .then_some(wall_frequency)
}

/// Switches the map to wall frequencies, or back to the previous colour mode.
pub(super) fn toggle(editor: &mut Editor) {
    if editor.map.colours == ColourMode::WallFrequency {
        editor.map.colours = editor.map.chosen_colours;
        return;
    }
    if editor.document.valid().is_none() && !editor.document.is_resolving() {
        return editor.warn(editor.why_not_grown());
    }
    if editor.map.colours != ColourMode::Changes {
        editor.map.chosen_colours = editor.map.colours;
    }
    editor.map.colours = ColourMode::WallFrequency;
    // Lets the count start again, in case it was stopped or has failed.
    (editor.map.frequency.broken, editor.map.frequency.revision) = (false, None);
    let size = editor.document.design().layout.size;
    match WallFrequencyRequest::seeds(size) {
        0 => {
            editor.map.colours = editor.map.chosen_colours;
            editor.warn(format!("a dungeon of {size} squares is too large for wall frequencies"));
        }
        seeds => editor.done(format!(
            "showing wall frequency over {seeds} seeds; {} stops it",
            key(editor)
        )),
    }
}

/// Starts or stops the count as needed; called before each frame.
pub(in crate::tui) fn before_frame(editor: &mut Editor) {
    let (state, is_shown) = (
        &mut editor.map.frequency,
        editor.map.colours == ColourMode::WallFrequency,
    );
    if !is_shown {
        // The previous result is kept: when the user shows wall frequencies again, the map shows this result until the
        // new count covers at least as many seeds as the result.
        state.count = None;
        return;
    }
    let revision = editor.document.revision();
    if state.revision == Some(revision) {
        return;
    }
    state.revision = Some(revision);
    let (design, seeded) = (editor.document.design(), editor.document.seeded());
    let kernel = design.measured();
    let seeds = WallFrequencyRequest::seeds(design.layout.size);
    if state.kernel.as_ref() == Some(&kernel) {
        let counted = state
            .counted
            .as_ref()
            .map_or(0, |(wall_frequency, _)| u64::from(wall_frequency.dungeons()));
        if state.count.is_some() || counted >= seeds {
            return;
        }
    } else {
        (state.counted, state.broken) = (None, false);
        state.kernel = Some(kernel);
    }
    let is_possible = seeds > 0 && !state.broken && editor.document.valid().is_some();
    let options = editor.options;
    let count = is_possible.then(|| editor.start(WallFrequencyRequest { seeded, options }, ()));
    editor.map.frequency.count = count;
}

/// Handles a reply from the service that counts walls.
pub(in crate::tui) fn handle_reply(editor: &mut Editor, ticket: &Ticket, reply: Result<WallFrequencyReply, JobError>) {
    let state = &mut editor.map.frequency;
    let is_last = reply.as_ref().map_or(true, |reply| reply.is_done);
    match state.count.as_ref().filter(|count| count.has(ticket)) {
        None => return,
        Some(_) if is_last => state.count = None,
        Some(_) => {}
    }
    match reply {
        Ok(reply) => {
            // A restarted count begins with fewer dungeons than the previous result covers.
            let known = state.counted.as_ref().map_or(0, |(known, _)| known.dungeons());
            if reply.frequency.dungeons() >= known {
                state.counted = Some((reply.frequency, reply.summary));
            }
        }
        Err(error) => {
            state.broken = true;
            editor.fail(format!("cannot compute wall frequencies: {error}"));
        }
    }
}

/// Returns the legend entry of a square; `None` if the square is never a wall and so nothing is drawn.
pub(super) fn entry(wall_frequency: &WallFrequency, at: Point) -> Option<LegendEntry> {
    match wall_frequency.origin(at) {
        SquareOrigin::Wall => Some(LegendEntry::Design(Tile::Wall)),
        SquareOrigin::Open | SquareOrigin::Chance(0) => None,
        SquareOrigin::Chance(walls) => Some(LegendEntry::WallFrequency(wall_frequency.tenth(walls) as u8)),
    }
}

/// Returns the legend entry of a block of squares. This is the mean frequency if at least half of the squares have a
/// frequency, or if some do and none is a wall of the design; otherwise it is the design's wall. `None` if no square is
/// ever a wall, or if the mean is too low to be drawn.
pub(super) fn mean(entries: impl Iterator<Item = Option<LegendEntry>>) -> Option<LegendEntry> {
    let (mut sum, mut chance, mut fixed, mut all) = (0, 0, None, 0);
    for entry in entries {
        all += 1;
        match entry {
            Some(LegendEntry::WallFrequency(tenth)) => {
                sum += u32::from(tenth) + 1;
                chance += 1;
            }
            Some(entry) => fixed = Some(entry),
            None => {}
        }
    }
    if all == 0 {
        return None;
    }
    if chance * 2 >= all || (chance > 0 && fixed.is_none()) {
        // The sum is divided by the number of all sampled squares, including those that are never a wall.
        return Some(LegendEntry::WallFrequency((sum / all).saturating_sub(1).min(9) as u8)).filter(|_| sum * 2 >= all);
    }
    fixed
}

/// Returns the key that shows and hides the wall frequencies.
fn key(editor: &Editor) -> String {
    editor.keymap.key_of(Action::Map(MapCommand::WallFrequency))
}

/// Returns the text for the map's title.
pub(super) fn title(editor: &Editor) -> String {
    let key = key(editor);
    let wanted = thousands(WallFrequencyRequest::seeds(editor.map.dungeon));
    match &editor.map.frequency.counted {
        Some((wall_frequency, _)) if wall_frequency.dungeons() > 0 => {
            let counted = thousands(wall_frequency.dungeons().into());
            if editor.map.frequency.count.is_some() {
                format!("· walls: {counted} of {wanted} seeds … {key} stops ")
            } else {
                format!("· walls: {counted} seeds; {key} ends this ")
            }
        }
        _ if editor.map.frequency.count.is_some() => format!("· walls: counting {wanted} seeds … {key} stops "),
        _ => format!("· walls: not counted; {key} ends this "),
    }
}

/// Describes how often a square is a wall.
pub(super) fn describe(wall_frequency: &WallFrequency, at: Point) -> String {
    let dungeons = wall_frequency.dungeons();
    match wall_frequency.origin(at) {
        SquareOrigin::Wall => format!("{at:#} wall by design, whatever the seed"),
        SquareOrigin::Open => format!("{at:#} open by design, whatever the seed"),
        SquareOrigin::Chance(0) => format!("{at:#} wall in none of {dungeons} seeds"),
        SquareOrigin::Chance(walls) if walls == dungeons => {
            format!("{at:#} wall in all {dungeons} seeds, but not fixed by design")
        }
        SquareOrigin::Chance(walls) => {
            let share = f64::from(walls) / f64::from(dungeons.max(1)) * 100.0;
            // Percentages stay between 1 and 99, since 0 and 100 would mean never and always.
            format!("{at:#} wall in {:.0}% of {dungeons} seeds", share.clamp(1.0, 99.0))
        }
    }
}

/// Returns the legend's rows: one for each tenth of the scale, and one for the design's walls.
pub(super) fn rows(editor: &Editor) -> Vec<LegendRow> {
    let Some((_, tally)) = &editor.map.frequency.counted else {
        return Vec::new();
    };
    let tenth = |(i, squares): (usize, &u64)| {
        let name = if i == 9 {
            "90–100%".to_owned()
        } else {
            format!("{}–{}%", i * 10, i * 10 + 10)
        };
        LegendRow::new(LegendEntry::WallFrequency(i as u8), name, *squares)
    };
    let chance = tally.chance.iter().enumerate().map(tenth);
    chance
        .chain([LegendRow::new(LegendEntry::Design(Tile::Wall), "design", tally.walls)])
        .collect()
}

/// Returns whether an entry's squares are walls in less than half of all dungeons. Such entries are not drawn if there
/// are neither colours nor room for symbols.
pub(super) const fn is_rare(entry: LegendEntry) -> bool {
    matches!(entry, LegendEntry::WallFrequency(..5))
}

/// Returns the symbol for a tenth of the scale in a terminal without colours: `·` for the lowest tenth, `#` for the
/// highest, otherwise a digit.
pub(super) fn glyph(tenth: u8) -> char {
    match tenth {
        0 => '·',
        9 => '#',
        tenth => char::from(b'0' + tenth),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::background::{JobReply, Message};
    use crate::document::Document;
    use crate::presets::Preset;
    use crate::tui::fixture::TestApp;
    use crate::tui::theme::{Depth, Theme};

    fn test_app(width: u16, height: u16) -> TestApp {
        let design = Preset::find("first-steps").unwrap().design();
        let mut designer = TestApp::with(Document::new(design, None), width, height);
        designer.grow();
        designer
    }

    #[test]
    fn the_wall_frequency_map_matches_the_snapshots() {
        for (width, height) in [(120, 40), (80, 24)] {
            let mut designer = test_app(width, height);
            designer.keys("M");
            assert!(
                designer.text().contains("walls: counting 400 seeds"),
                "{}",
                designer.text()
            );
            designer.run_jobs();
            assert!(designer.text().contains("walls: 400 seeds"));
            insta::assert_snapshot!(format!("wall_frequency_{width}x{height}"), designer.text());
            designer.app.editor.theme = Theme::new(Depth::None);
            designer.keys("0+++");
            insta::assert_snapshot!(
                format!("wall_frequency_without_colours_{width}x{height}"),
                designer.text()
            );
            for zoom in ["-", "-", "-", "-", "-", "-"] {
                designer.keys(zoom);
                designer.text();
            }
            designer.keys("M");
            assert!(!designer.text().contains("walls:"));
        }
    }

    #[test]
    fn a_square_is_reported_in_numbers() {
        let mut designer = test_app(120, 40);
        designer.keys("M");
        designer.run_jobs();
        let (wall_frequency, _) = designer.app.editor.map.frequency.counted.clone().unwrap();
        let size = wall_frequency.size();
        let squares = size.points();
        let at = squares
            .clone()
            .find(|at| matches!(wall_frequency.origin(*at), SquareOrigin::Chance(100..200)))
            .unwrap();
        designer.app.editor.map.move_cursor(at);
        let percent = f64::from(wall_frequency.walls(at)) / 4.0;
        let description = format!("wall in {percent:.0}% of 400 seeds");
        assert!(designer.text().contains(&description), "{description}");
        designer.app.editor.map.move_cursor(Point::new(0, 0));
        assert!(designer.text().contains("wall by design"));
        // The legend counts every square of the dungeon that is ever a wall.
        let counted: u64 = rows(&designer.app.editor).iter().map(|row| row.tiles).sum();
        let walls = squares.filter(|at| entry(&wall_frequency, *at).is_some()).count();
        assert_eq!(counted, walls as u64);
    }

    #[test]
    fn an_edit_restarts_the_count_and_another_seed_does_not() {
        let mut designer = test_app(120, 40);
        designer.keys("M");
        designer.run_jobs();
        designer.app.editor.edit("seed", |design| design.seed += 1);
        designer.perform(Vec::new());
        designer.want();
        assert!(designer.app.editor.map.frequency.counted.is_some() && designer.requested("wall frequency").is_none());
        designer.app.editor.edit("larger steps", |design| {
            design.character.generations[0].step_length += 3;
        });
        designer.perform(Vec::new());
        designer.want();
        assert!(designer.app.editor.map.frequency.counted.is_none() && designer.requested("wall frequency").is_some());
        // Leaving the mode ends the count; late replies are dropped.
        let late = designer.requested("wall frequency").unwrap();
        designer.keys("M");
        assert!(designer.requested("wall frequency").is_none());
        let wall_frequency = WallFrequency::new(Size::new(30, 60));
        let reply = WallFrequencyReply {
            summary: wall_frequency.tally(),
            frequency: Arc::new(wall_frequency),
            is_done: true,
        };
        handle_reply(&mut designer.app.editor, &late, Ok(reply));
        assert!(designer.app.editor.map.frequency.counted.is_none());
        designer.keys("M");
        designer.run_jobs();
        assert_eq!(
            designer.app.editor.map.frequency.counted.as_ref().unwrap().0.dungeons(),
            400
        );
    }

    #[test]
    fn the_title_says_that_nothing_is_counted_if_no_count_runs() {
        let mut designer = test_app(120, 40);
        designer
            .app
            .editor
            .edit("impossible size", |design| design.layout.size.x = -5);
        designer.perform(Vec::new());
        designer.keys("M");
        let text = designer.text();
        assert!(
            text.contains("this design cannot be grown: see Problems") && !text.contains("walls:"),
            "{text}"
        );
        designer.app.editor.undo();
        designer.keys("M");
        designer.run_jobs();
        designer
            .app
            .editor
            .edit("impossible size", |design| design.layout.size.x = -5);
        designer.perform(Vec::new());
        designer.want();
        assert!(
            designer.text().contains("walls: not counted; M ends this"),
            "{}",
            designer.text()
        );
        // A count that failed is not repeated until the user requests it.
        designer.app.editor.undo();
        designer.perform(Vec::new());
        designer.want();
        let (ticket, _) = designer.take_request("wall frequency").unwrap();
        let error = JobError::Panicked("lost".into());
        designer.send(Message::Reply(ticket, JobReply::WallFrequency(Err(error))));
        assert!(designer.text().contains("walls: not counted"), "{}", designer.text());
        assert!(designer.requested("wall frequency").is_none());
        designer.keys("MM");
        designer.run_jobs();
        assert!(designer.text().contains("walls: 400 seeds"), "{}", designer.text());
    }

    #[test]
    fn a_block_shows_the_mean_of_its_squares() {
        let wall_frequency = |tenth| Some(LegendEntry::WallFrequency(tenth));
        assert_eq!(
            mean([wall_frequency(3), wall_frequency(5), None, wall_frequency(7)].into_iter()),
            wall_frequency(3)
        );
        assert_eq!(mean([wall_frequency(9); 4].into_iter()), wall_frequency(9));
        assert_eq!(mean([None; 4].into_iter()), None);
        assert_eq!(mean(std::iter::empty()), None);
        let wall = Some(LegendEntry::Design(Tile::Wall));
        assert_eq!(mean([wall, wall, wall_frequency(1), None].into_iter()), wall);
        assert_eq!(mean([wall_frequency(0), None, None, None].into_iter()), None);
    }
}
