//! What is copied to the clipboard of the terminal's user.

use super::commands::{CopiedText, Effect};
use super::editor::Editor;
use super::views::ViewsState;
use crate::geometry::Point;
use crate::storage::DesignFiles;
use crate::text::{counted, shell_quoted};

/// The most bytes that are copied: terminals ignore longer texts.
const MOST: usize = 70_000;

/// Copies a text, or says why it cannot be copied.
pub(super) fn copy(views: &ViewsState, editor: &mut Editor, what: CopiedText) {
    let (name, text) = match what {
        CopiedText::Seed => ("the seed", Ok(editor.document.design().seed.to_string())),
        CopiedText::CommandLine => ("the command line", command_line(editor)),
        CopiedText::Dungeon => ("the dungeon", dungeon(editor)),
        CopiedText::Story => {
            let story = views.story(editor);
            ("the story", story.ok_or("open the view Inspect on a wall first"))
        }
    };
    match text {
        Err(why) => editor.warn(format!("{name} is not copied: {why}")),
        Ok(text) if text.len() > MOST => {
            let size = counted(text.len(), "byte");
            editor.warn(format!(
                "{name} is not copied: it has {size}, more than terminals accept; export it instead"
            ));
        }
        Ok(text) => {
            editor.emit(Effect::Copy(text));
            editor.done(format!("{name} is copied, if the terminal allows it"));
        }
    }
}

/// Returns the command line that opens the design.
fn command_line(editor: &Editor) -> Result<String, &'static str> {
    let document = &editor.document;
    let seed = document.design().seed;
    if let Some(preset) = document.preset() {
        return Ok(format!("wallcrawler --preset {} --seed {seed}", preset.name));
    }
    if document.is_dirty() {
        return Err("the design has unsaved changes; save it first");
    }
    let quoted = |path: &std::path::Path| shell_quoted(&path.to_string_lossy()).into_owned();
    match document.design_files() {
        Some(DesignFiles::Toml(file)) => Ok(format!("wallcrawler {}", quoted(file))),
        Some(DesignFiles::Legacy {
            rooms,
            stats,
            constants,
        }) => {
            let mut line = format!("wallcrawler --rooms {}", quoted(rooms));
            for (option, file) in [("--stats", stats), ("--constants", constants)] {
                if let Some(file) = file {
                    line = format!("{line} {option} {}", quoted(file));
                }
            }
            Ok(format!("{line} --seed {seed}"))
        }
        None => Err("the design is in no file; save it first"),
    }
}

/// Returns the dungeon at the moment shown, one character per square.
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
    use crate::document::Document;
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
    fn the_seed_and_the_dungeon_are_copied_as_they_are() {
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
        assert_eq!(copied(&mut designer, CopiedText::CommandLine), None);
        assert!(designer.text().contains("save it first"), "{}", designer.text());
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
