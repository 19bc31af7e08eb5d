//! Adds named places on squares chosen at random: the prompt that asks what to add, and the result.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::MetricsState;
use crate::analysis::ScatterOptions;
use crate::background::{JobError, ScatterRequest, Ticket};
use crate::design::NamedPlace;
use crate::design::expect::PlaceName;
use crate::geometry::Point;
use crate::recording::Frame;
use crate::text::counted;
use crate::tui::commands::{Action, TimeCommand};
use crate::tui::editor::Editor;
use crate::tui::widget::line_prompt::LinePrompt;

/// The width of the prompt including its frame.
const WIDTH: u16 = 60;

/// Largest number of places that one command adds.
const MOST: u32 = 200;

const HINT: &str = "number and name, minimum distance in steps (`10 apart`), and `dead ends` (use dead ends first) or \
                    `anywhere`. The squares are chosen for this seed only.";

/// The places to be added, as parsed from the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tui) struct ScatterOrder {
    /// Number of places.
    count: u32,
    /// The name, to which a number is added.
    name: String,
    /// Minimum distance between two places, in steps.
    apart: u32,
    /// Whether squares at the ends of dead ends are chosen first.
    dead_ends: bool,
}

/// The state of the prompt.
#[derive(Debug)]
pub(in crate::tui) struct ScatterState {
    pub(in crate::tui) prompt: LinePrompt,
}

impl ScatterState {
    /// Creates the prompt; if the end of growth is not shown, warns and returns `None`.
    pub(in crate::tui) fn new(editor: &mut Editor) -> Option<Self> {
        if !super::is_at_end(editor) {
            editor.warn(format!(
                "squares chosen now may become walls later: press {} to go to the end of the growth first",
                editor.keymap.key_of(Action::Time(TimeCommand::End))
            ));
            return None;
        }
        Some(Self {
            prompt: LinePrompt::new("8 treasure, 10 apart, dead ends"),
        })
    }

    /// Requests squares for the places, or shows why the text is invalid. Returns whether the prompt can be closed.
    pub(in crate::tui) fn accept(&mut self, metrics: &mut MetricsState, editor: &mut Editor) -> bool {
        match parse(self.prompt.text()) {
            Ok(order) => begin(metrics, editor, order),
            Err(why) => {
                self.prompt.reject(why);
                return false;
            }
        }
        true
    }

    /// Draws the prompt.
    pub(in crate::tui) fn draw(&self, editor: &Editor, screen: Rect, buf: &mut Buffer) {
        self.prompt
            .draw(editor.theme, ("Scatter named places", WIDTH), HINT, screen, buf);
    }
}

/// Parses what to add, such as `8 treasure, 10 apart, dead ends`.
fn parse(text: &str) -> Result<ScatterOrder, String> {
    let mut parts = text.split(',').map(str::trim);
    let first = parts.next().unwrap_or_default();
    let (number, name) = first.split_once(' ').unwrap_or((first, ""));
    let count = number.parse().ok().filter(|count| (1..=MOST).contains(count));
    let count =
        count.ok_or_else(|| format!("begin with a number from 1 to {MOST} and a name, such as `8 treasure`"))?;
    let name = name.trim();
    if PlaceName::new(&format!("{name} {MOST}")).is_none() {
        return Err(format!(
            "`{name}` cannot name a place: use up to 28 letters, digits and hyphens, beginning with a letter"
        ));
    }
    let mut order = ScatterOrder {
        count,
        name: name.to_owned(),
        apart: 1,
        dead_ends: false,
    };
    for part in parts {
        let words: Vec<&str> = part.split_whitespace().collect();
        match words[..] {
            ["dead", "ends"] => order.dead_ends = true,
            ["anywhere"] => order.dead_ends = false,
            [number, "apart"] => {
                order.apart = number
                    .parse()
                    .map_err(|_| format!("`{number}` is not a number of steps; write, for example, `10 apart`"))?;
            }
            _ => {
                return Err(format!(
                    "unknown option `{part}`; write `10 apart`, `dead ends` or `anywhere`"
                ));
            }
        }
    }
    Ok(order)
}

/// Requests squares for the places from a background service.
fn begin(metrics: &mut MetricsState, editor: &mut Editor, order: ScatterOrder) {
    let (Some(frame), Some(run)) = (editor.time.frame(), editor.time.run()) else {
        return;
    };
    let taken: Vec<Point> = editor.named_places().map(|(.., at)| at).collect();
    // The document's entrance, exit and named places may differ from those of the run, because editing them does not
    // regrow the dungeon.
    let now = editor.document.valid().filter(|design| run.design.grows_like(design));
    let request = ScatterRequest {
        design: now.unwrap_or(&run.design).clone(),
        grid: frame.grid().clone(),
        options: ScatterOptions {
            count: order.count,
            apart: order.apart,
            dead_ends: order.dead_ends,
            // This seed depends on the number of places, so that the next request chooses other squares.
            seed: editor.document.design().seed.wrapping_add(taken.len() as u64),
            taken,
        },
    };
    let purpose = (order, editor.time.run_number());
    metrics.scatter = Some(editor.start(request, purpose));
}

/// Adds the places in one undo step, or reports why no square was found for them.
pub(in crate::tui) fn handle_squares(
    metrics: &mut MetricsState,
    editor: &mut Editor,
    ticket: &Ticket,
    reply: Result<Vec<Point>, JobError>,
) {
    let Some((order, run)) = metrics.scatter.take_if(|job| job.has(ticket)).map(|job| job.purpose) else {
        return;
    };
    let squares = match reply {
        Ok(squares) if run == editor.time.run_number() => squares,
        Ok(_) => return editor.warn("the dungeon was grown again meanwhile: no places were added"),
        Err(error) => return editor.fail(format!("cannot choose squares: {error}")),
    };
    if squares.is_empty() {
        let is_wall = |at: &Point| {
            let grid = editor.time.frame().map(Frame::grid);
            grid.is_some_and(|grid| grid.size().contains(*at) && !grid.tile(*at).is_open())
        };
        let why = match editor.document.design().expect.entrance.filter(is_wall) {
            Some(at) => format!("no square is reachable, because the entrance at {at} is a wall"),
            None => format!(
                "no reachable square is at least {} from the entrance, the exit and all named places: choose a smaller distance",
                counted(order.apart, "step")
            ),
        };
        return editor.warn(why);
    }
    let added = counted(squares.len(), "place");
    let ScatterOrder { name, count, .. } = order;
    editor.edit(format!("{added} added: `{name}`"), |design| {
        let places = &mut design.layout.places;
        let is_used = |places: &[NamedPlace], name: &str| places.iter().any(|place| place.name == name);
        let mut number = 0;
        for at in &squares {
            let mut next = String::new();
            while next.is_empty() || is_used(places, &next) {
                number += 1;
                next = format!("{name} {number}");
            }
            places.push(NamedPlace {
                name: next,
                at: *at,
                ..NamedPlace::default()
            });
        }
    });
    let undo = editor.keymap.key_of(Action::Undo);
    if squares.len() < count as usize {
        editor.warn(format!(
            "{added} added, not {count}: no other square is far enough from all places; {undo} removes them"
        ));
    } else {
        editor.done(format!("{added} added for this seed; {undo} removes them"));
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use super::*;
    use crate::tui::commands::{Action, MetricsCommand};
    use crate::tui::fixture::TestApp;

    #[test]
    fn input_is_parsed_and_errors_are_reported() {
        let order = |count, name: &str, apart, dead_ends| ScatterOrder {
            count,
            name: name.into(),
            apart,
            dead_ends,
        };
        assert_eq!(
            parse("8 treasure, 10 apart, dead ends"),
            Ok(order(8, "treasure", 10, true))
        );
        assert_eq!(parse(" 1  big boss ,anywhere"), Ok(order(1, "big boss", 1, false)));
        for (wrong, description) in [
            ("", "begin with a number"),
            ("treasure", "begin with a number"),
            ("0 a", "begin with a number"),
            ("201 a", "begin with a number"),
            ("99999999999 a", "begin with a number"),
            ("3", "cannot name"),
            ("3 9lives", "cannot name"),
            ("3 a-name-that-is-much-longer-than-all-allowed", "cannot name"),
            ("3 a, far apart", "is not a number of steps"),
            ("3 a, in the dark", "unknown option"),
        ] {
            let why = parse(wrong).unwrap_err();
            assert!(why.contains(description), "{wrong}: {why}");
        }
    }

    fn scatter(designer: &mut TestApp) {
        let effects = designer.app.update(Action::Metrics(MetricsCommand::Scatter));
        designer.perform(effects);
    }

    #[test]
    fn places_are_added_in_one_step_and_later_ones_elsewhere() {
        let mut designer = TestApp::grown(120, 40);
        designer.keys("g");
        scatter(&mut designer);
        assert!(designer.app.dialogs.open.is_none());
        assert!(
            designer.text().contains("press G to go to the end"),
            "{}",
            designer.text()
        );
        designer.keys("G");
        scatter(&mut designer);
        insta::assert_snapshot!("scatter", designer.text());
        designer.chord(crossterm::event::KeyModifiers::CONTROL, 'u');
        designer.keys("3 loot, 4 apart!");
        designer.press(KeyCode::Enter);
        assert!(designer.text().contains("unknown option"), "{}", designer.text());
        designer.press(KeyCode::Backspace);
        designer.press(KeyCode::Enter);
        designer.run_jobs();
        let names = |designer: &TestApp| -> Vec<String> {
            let places = &designer.app.document().design().layout.places;
            places.iter().map(|place| place.name.clone()).collect()
        };
        assert_eq!(names(&designer), ["loot 1", "loot 2", "loot 3"], "{}", designer.text());
        scatter(&mut designer);
        designer.chord(crossterm::event::KeyModifiers::CONTROL, 'u');
        designer.keys("2 loot");
        designer.press(KeyCode::Enter);
        designer.run_jobs();
        assert_eq!(names(&designer).len(), 5);
        let places = designer.app.document().design().layout.places.clone();
        let mut squares: Vec<_> = places.iter().map(|place| place.at).collect();
        squares.sort_unstable();
        squares.dedup();
        assert_eq!((squares.len(), places[4].name.as_str()), (5, "loot 5"));
        let frame = designer.app.editor.time.frame().unwrap();
        assert!(squares.iter().all(|at| frame.grid().tile(*at).is_open()));
        designer.keys("u");
        assert_eq!(names(&designer).len(), 3);
        designer.keys("u");
        assert!(names(&designer).is_empty());
    }

    #[test]
    fn typing_replaces_the_proposed_places() {
        let mut designer = TestApp::grown(120, 40);
        designer.keys("G");
        scatter(&mut designer);
        designer.keys("2 treasure, 3 apart, dead ends");
        designer.press(KeyCode::Enter);
        designer.run_jobs();
        let places = &designer.app.document().design().layout.places;
        let names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
        assert_eq!(names, ["treasure 1", "treasure 2"], "{}", designer.text());
    }

    #[test]
    fn an_entrance_in_a_wall_is_named_instead_of_the_distance() {
        let mut designer = TestApp::grown(120, 40);
        let corner = Some(Point::new(0, 0));
        designer
            .app
            .editor
            .edit("entrance", |design| design.expect.entrance = corner);
        designer.keys("G");
        scatter(&mut designer);
        designer.press(KeyCode::Enter);
        designer.run_jobs();
        let expected = "no square is reachable, because the entrance at row 0, column 0 is a wall";
        assert!(designer.text().contains(expected), "{}", designer.text());
    }
}
