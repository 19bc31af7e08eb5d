//! Copying text to the clipboard through the user's terminal.

use super::commands::{CopiedText, Effect};
use super::editor::Editor;
use super::views::ViewsState;
use crate::document::DungeonCode;
use crate::geometry::Point;
use crate::recording::Recording;
use crate::storage::DesignFiles;
use crate::text::{counted, shell_path};

/// Maximum number of bytes to copy: terminals ignore longer texts.
const MOST: usize = 70_000;

/// Copies the requested text, or reports why it cannot be copied.
pub(super) fn copy(views: &ViewsState, editor: &mut Editor, what: CopiedText) {
    let (name, text) = match what {
        CopiedText::Seed => ("the seed", Ok(editor.document.design().seed.to_string())),
        CopiedText::CommandLine => ("the command line", command_line(editor)),
        CopiedText::Code => ("the code", code(editor)),
        CopiedText::Dungeon => ("the dungeon", dungeon(editor).map_err(str::to_owned)),
        CopiedText::Story => {
            let story = views.story(editor);
            (
                "the story",
                story.ok_or_else(|| "open the Inspect view on a wall first".to_owned()),
            )
        }
    };
    match text {
        Err(why) => editor.warn(format!("cannot copy {name}: {why}")),
        Ok(text) if text.len() > MOST => {
            let size = counted(text.len(), "byte");
            let instead = match what {
                CopiedText::Dungeon => "; export it instead",
                CopiedText::Code | CopiedText::CommandLine => "; share the design as a file instead",
                CopiedText::Seed | CopiedText::Story => "",
            };
            editor.warn(format!(
                "cannot copy {name}: it has {size}, more than terminals accept{instead}"
            ));
        }
        Ok(text) => {
            let size = match what {
                CopiedText::Code => format!(" ({})", counted(text.len(), "character")),
                _ => String::new(),
            };
            editor.emit(Effect::Copy(text));
            editor.done(format!("{name} is copied{size}, if the terminal allows it"));
        }
    }
}

/// Returns the command line that opens the design. The command line contains the preset or the files if they match the
/// open design, and otherwise the dungeon code.
fn command_line(editor: &Editor) -> Result<String, String> {
    let document = &editor.document;
    let seed = document.design().seed;
    if let Some(preset) = document.preset() {
        return Ok(format!("wallcrawler --preset {} --seed {seed}", preset.name));
    }
    match document.design_files().filter(|_| !document.is_dirty()) {
        Some(DesignFiles::Toml(file)) => Ok(format!("wallcrawler {}", shell_path(file))),
        Some(DesignFiles::Legacy {
            rooms,
            stats,
            constants,
        }) => {
            let mut line = format!("wallcrawler --rooms {}", shell_path(rooms));
            for (option, file) in [("--stats", stats), ("--constants", constants)] {
                if let Some(file) = file {
                    line = format!("{line} {option} {}", shell_path(file));
                }
            }
            Ok(format!("{line} --seed {seed}"))
        }
        None => Ok(format!("wallcrawler {}", code_of(editor, None)?)),
    }
}

/// Returns the dungeon code of the design; it includes the turn shown unless that is the end of a finished growth.
fn code(editor: &Editor) -> Result<String, String> {
    let time = &editor.time;
    let is_finished = time.recording().is_none_or(Recording::is_finished) && time.turn() == time.turns();
    code_of(editor, (!is_finished).then(|| time.turn()))
}

fn code_of(editor: &Editor, turn: Option<u64>) -> Result<String, String> {
    let design = editor.document.design().clone();
    let code = DungeonCode { design, turn };
    code.write().map_err(|error| error.to_string())
}

/// Returns the dungeon as shown at the current turn, one character per square.
fn dungeon(editor: &Editor) -> Result<String, &'static str> {
    let Some(frame) = editor.time.frame() else {
        return Err("nothing has grown yet");
    };
    let size = frame.grid().size();
    let mut text = String::new();
    for x in 0..size.x {
        text.extend((0..size.y).map(|y| frame.grid().tile(Point::new(x, y)).plain()));
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use crossterm::event::{Event, KeyCode};

    use crate::background::Message;
    use crate::design::Design;
    use crate::document::{Document, DungeonCode};
    use crate::geometry::Point;
    use crate::presets::Preset;
    use crate::tui::commands::{Action, CopiedText};
    use crate::tui::fixture::TestApp;

    fn copied(designer: &mut TestApp, what: CopiedText) -> Option<String> {
        designer.copied = None;
        let effects = designer.app.update(Action::Copy(what));
        designer.perform(effects);
        designer.copied.take()
    }

    #[test]
    fn the_seed_and_the_dungeon_are_copied_verbatim() {
        let mut designer = TestApp::grown(120, 40);
        let seed = designer.app.document().design().seed.to_string();
        assert_eq!(copied(&mut designer, CopiedText::Seed), Some(seed));
        let text = copied(&mut designer, CopiedText::Dungeon).unwrap();
        assert_eq!(text.lines().count(), 40);
        assert!(text.lines().all(|line| line.len() == 60), "{text}");
        assert!(text.starts_with("XXXX"), "{text}");
        assert!(designer.text().contains("the dungeon is copied"));
    }

    #[test]
    fn a_command_line_is_copied_only_if_it_opens_this_design() {
        let mut designer = TestApp::with(Document::new(Preset::all()[1].design(), None), 120, 40);
        designer.app.editor.edit_seed(77);
        let line = "wallcrawler --preset first-steps --seed 77".to_owned();
        assert_eq!(copied(&mut designer, CopiedText::CommandLine), Some(line));
        designer.app.editor.edit("other", |design| design.layout.size.x = 44);
        let line = copied(&mut designer, CopiedText::CommandLine).unwrap();
        let code = DungeonCode::read(line.strip_prefix("wallcrawler ").unwrap()).unwrap();
        assert_eq!(&code.design, designer.app.document().design());
    }

    #[test]
    fn a_code_is_copied_and_opens_the_same_moment_where_it_is_pasted() {
        let mut designer = TestApp::with(Document::new(Preset::all()[1].design(), None), 120, 40);
        designer.grow();
        designer.app.editor.edit("other", |design| design.layout.size.x = 44);
        designer.perform(Vec::new());
        designer.grow();
        designer.app.editor.time.seek(20);
        let code = copied(&mut designer, CopiedText::Code).unwrap();
        assert!(designer.text().contains("characters"), "{}", designer.text());
        let design = designer.app.document().design().clone();
        let frame = designer.app.editor.time.frame().unwrap().grid().clone();

        let mut other = TestApp::with(Document::new(Preset::all()[3].design(), None), 120, 40);
        other.grow();
        other.send(Message::Input(Event::Paste(format!(" {code}\n"))));
        other.grow();
        assert_eq!(other.app.document().design(), &design);
        assert_eq!(other.app.editor.time.turn(), 20);
        assert!(!other.app.editor.time.is_playing());
        assert!(other.app.editor.time.frame().unwrap().grid() == &frame);
        // A damaged code changes nothing.
        other.send(Message::Input(Event::Paste(code[..code.len() - 3].to_owned())));
        assert!(other.text().contains("incomplete or damaged"), "{}", other.text());
        assert_eq!(other.app.document().design(), &design);
        // In the dialog that opens designs, Enter opens the design of a typed code.
        let mut third = TestApp::with(Document::new(Preset::all()[3].design(), None), 120, 40);
        third.keys("o");
        third.send(Message::Input(Event::Paste(code)));
        third.press(KeyCode::Enter);
        assert_eq!(third.app.document().design(), &design);
    }

    #[test]
    fn a_text_that_is_too_long_to_copy_is_refused_with_another_way_to_pass_it_on() {
        let mut design = Design::sized(300, 300);
        // The squares are irregular, so that the code is hardly shorter than their list.
        let mut random = 1_u64;
        let squares = (1..299).flat_map(|x| (1..299).map(move |y| Point::new(x, y)));
        design.layout.walls = squares
            .filter(|_| {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                random >> 63 == 1
            })
            .collect();
        let mut designer = TestApp::with(Document::new(design, None), 160, 40);
        for what in [CopiedText::Code, CopiedText::CommandLine] {
            assert_eq!(copied(&mut designer, what), None);
            let notice = designer.app.editor.status.notice.clone().unwrap().1;
            assert!(
                notice.ends_with("more than terminals accept; share the design as a file instead"),
                "{notice}"
            );
        }
    }

    #[test]
    fn a_story_is_copied_from_the_view_that_shows_it() {
        let mut designer = TestApp::grown(120, 40);
        assert_eq!(copied(&mut designer, CopiedText::Story), None);
        designer.keys("i");
        let story = copied(&mut designer, CopiedText::Story).unwrap();
        assert!(story.contains("(20, 30)"), "{story}");
    }
}
