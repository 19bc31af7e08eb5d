//! The form for the paths of a design's files: to save it elsewhere, or to open another one.

use std::path::{Path, PathBuf};

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::document::Document;
use crate::export;
use crate::storage::{DesignFiles, companion_files};
use crate::tui::editor::{AfterSave, Editor};
use crate::tui::widget::list::ListStep;
use crate::tui::widget::popup::{popup, popup_inside};
use crate::tui::widget::prompt::{TextField, TextKind};
use crate::tui::widget::text::{put, wrap};

const WIDTH: u16 = 72;
const LABEL_WIDTH: u16 = 11;

/// Rows above the fields, and the maximal rows of an error below them.
const ABOVE: u16 = 2;
const REASON: u16 = 3;

/// The purpose of the form.
#[derive(Debug)]
pub(in crate::tui) enum FormPurpose {
    /// Saves the open design, then continues.
    SaveAs(AfterSave),
    /// Opens another design.
    Open,
}

/// The state of the form.
#[derive(Debug)]
pub(in crate::tui) struct FilesForm {
    purpose: FormPurpose,
    /// Whether the form asks for the original's three files.
    legacy: bool,
    /// Paths of the TOML file, and of the rooms, stats and constants files.
    toml: TextField,
    three: [TextField; 3],
    /// Index of the focused field.
    at: usize,
    /// Why the files cannot be used.
    why: String,
}

impl FilesForm {
    /// Creates a form with the paths of a document, or with suggestions.
    pub(in crate::tui) fn new(purpose: FormPurpose, document: &Document) -> Self {
        let line = |text: String| TextField::new(TextKind::Line, text);
        let path = |path: &Path| path.display().to_string();
        let saving = !matches!(purpose, FormPurpose::Open);
        let stem = if saving {
            stem(&document.design().name)
        } else {
            String::new()
        };
        let suggest = |end: &str| if saving { format!("{stem}{end}") } else { String::new() };
        let mut legacy = false;
        let mut toml = suggest(".toml");
        let mut three = [suggest(".rooms"), suggest(".stats"), suggest(".constants")];
        match document.design_files() {
            Some(DesignFiles::Toml(file)) => toml = path(file),
            Some(DesignFiles::Legacy {
                rooms,
                stats,
                constants,
            }) => {
                legacy = true;
                let beside = if saving {
                    companion_files::partner(rooms, "stats")
                } else {
                    None
                };
                three = [
                    path(rooms),
                    stats
                        .as_ref()
                        .or(beside.as_ref())
                        .map_or_else(String::new, |stats| path(stats)),
                    constants.as_deref().map_or_else(String::new, path),
                ];
            }
            None => {}
        }
        Self {
            purpose,
            legacy,
            toml: line(toml),
            three: three.map(line),
            at: 0,
            why: String::new(),
        }
    }

    /// Fills in the paths of three files.
    pub(in crate::tui) fn name(&mut self, files: Option<&DesignFiles>) {
        let line = |path: &Path| TextField::new(TextKind::Line, path.display().to_string());
        self.legacy = true;
        if let Some(DesignFiles::Legacy {
            rooms,
            stats,
            constants,
        }) = files
        {
            self.three = [
                line(rooms),
                line(stats.as_deref().unwrap_or(Path::new(""))),
                line(constants.as_deref().unwrap_or(Path::new(""))),
            ];
            self.at = usize::from(stats.is_none());
        }
    }

    const fn title(&self) -> &'static str {
        match self.purpose {
            FormPurpose::SaveAs(_) => "Save as",
            FormPurpose::Open => "Open",
        }
    }

    /// Returns the fields with their labels.
    fn fields(&self) -> Vec<(&'static str, &TextField)> {
        if self.legacy {
            ["rooms", "stats", "constants"].into_iter().zip(&self.three).collect()
        } else {
            vec![("file", &self.toml)]
        }
    }

    /// Returns the focused field, and clears the error.
    fn field(&mut self) -> &mut TextField {
        self.why.clear();
        if self.legacy {
            &mut self.three[self.at.min(2)]
        } else {
            &mut self.toml
        }
    }

    /// Moves the focus to another field.
    pub(in crate::tui) fn step(&mut self, step: ListStep) {
        if let ListStep::By(by) = step {
            let count = self.fields().len() as i32;
            self.at = (self.at as i32 + by).rem_euclid(count) as usize;
        }
    }

    /// Switches between one file and three.
    pub(in crate::tui) fn other_format(&mut self) {
        self.legacy = !self.legacy;
        self.at = 0;
        self.why.clear();
    }

    /// Returns the named files, or an error about what is missing.
    fn files(&self) -> Result<DesignFiles, String> {
        if self.legacy {
            let texts = self.three.each_ref().map(TextField::text);
            return match texts[1].trim() {
                "" if matches!(self.purpose, FormPurpose::Open) => Ok(DesignFiles::Legacy {
                    rooms: named(texts[0], "rooms file")?,
                    stats: None,
                    constants: expanded(texts[2].trim()),
                }),
                _ => three_files(&texts),
            };
        }
        if matches!(self.purpose, FormPurpose::Open) {
            return Ok(DesignFiles::Toml(named(self.toml.text(), "file")?));
        }
        toml_file(self.toml.text())
    }

    /// Shows why the files cannot be used.
    pub(in crate::tui) fn refuse(&mut self, why: String) {
        self.why = why;
    }

    /// Returns what follows once the design is saved.
    pub(in crate::tui) fn then(self: Box<Self>) -> AfterSave {
        match self.purpose {
            FormPurpose::SaveAs(then) => then,
            FormPurpose::Open => AfterSave::Stay,
        }
    }

    fn height(&self) -> u16 {
        ABOVE + self.fields().len() as u16 + 1 + REASON + 2
    }
}

/// Returns the typed path of a file, or an error if it is empty.
fn named(text: &str, what: &str) -> Result<PathBuf, String> {
    expanded(text.trim()).ok_or_else(|| format!("type the path of the {what}"))
}

/// Returns the typed TOML file with its extension appended if missing, or an error.
pub(in crate::tui) fn toml_file(text: &str) -> Result<DesignFiles, String> {
    let mut file = named(text, "file")?;
    deny(&file, false)?;
    if file.extension().is_none_or(|extension| extension != "toml") {
        file.as_mut_os_string().push(".toml");
    }
    Ok(DesignFiles::Toml(file))
}

/// Refuses a name with the extension of something other than a design.
fn deny(file: &Path, text: bool) -> Result<(), String> {
    let why = export::ExportKind::denies_design(file, text);
    why.map_or(Ok(()), |why| Err(format!("{why}, which P on the map writes")))
}

/// Returns the typed rooms, stats and constants files, or an error about what is missing.
pub(in crate::tui) fn three_files([rooms, stats, constants]: &[&str; 3]) -> Result<DesignFiles, String> {
    let (rooms, stats) = (named(rooms, "rooms file")?, named(stats, "stats file")?);
    let constants = expanded(constants.trim());
    for file in [Some(&rooms), Some(&stats), constants.as_ref()].into_iter().flatten() {
        deny(file, true)?;
    }
    if rooms == stats || constants.as_ref().is_some_and(|path| *path == rooms || *path == stats) {
        return Err("the files need different names".into());
    }
    Ok(DesignFiles::Legacy {
        rooms,
        stats: Some(stats),
        constants,
    })
}

/// Returns a file name for a design: its name in lower case with hyphens.
pub(in crate::tui) fn stem(name: &str) -> String {
    let words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    if words.is_empty() {
        "dungeon".into()
    } else {
        words.join("-")
    }
}

/// Returns a file's path without the part that marks its format: `castle` for `castle.toml`, `4` for `rooms4`.
pub(in crate::tui) fn base(path: &Path) -> PathBuf {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let bare = name
        .strip_prefix("rooms")
        .filter(|bare| !bare.is_empty())
        .unwrap_or(&name);
    path.with_file_name(bare)
}

/// Returns a typed path with `~` expanded to the home folder; `None` if it is empty.
pub(in crate::tui) fn expanded(text: &str) -> Option<PathBuf> {
    let home = std::env::home_dir().filter(|_| text.starts_with("~/"));
    match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => Some(home.join(rest)),
        _ if text.is_empty() => None,
        _ => Some(PathBuf::from(text)),
    }
}

impl FilesForm {
    /// Passes a key to the focused field. Returns whether it was text.
    pub(in crate::tui) fn typed(&mut self, key: &KeyEvent) -> bool {
        TextField::is_text(key) && self.field().press(key)
    }

    /// Inserts pasted text into the focused field.
    pub(in crate::tui) fn paste(&mut self, text: &str) {
        self.field().paste(text);
    }

    /// Returns whether the named files are opened rather than saved.
    pub(in crate::tui) const fn opens(&self) -> bool {
        matches!(self.purpose, FormPurpose::Open)
    }

    /// Returns the named files, or shows what is missing.
    pub(in crate::tui) fn accept(&mut self) -> Option<DesignFiles> {
        self.files().map_err(|why| self.refuse(why)).ok()
    }

    /// Focuses the clicked field.
    pub(in crate::tui) fn mouse(&mut self, screen: Rect, mouse: MouseEvent) {
        let at = Position::new(mouse.column, mouse.row);
        let inside = popup_inside(WIDTH, self.height(), screen);
        let row = at.y.checked_sub(inside.y + ABOVE).filter(|_| inside.contains(at));
        let is_click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if let Some(row) = row.filter(|row| is_click && usize::from(*row) < self.fields().len()) {
            self.at = row.into();
        }
    }

    /// Draws the form; `progress` is what happens to the named files.
    pub(in crate::tui) fn draw(&self, editor: &Editor, progress: Option<&str>, screen: Rect, buf: &mut Buffer) {
        let theme = editor.theme;
        let inside = popup(editor.theme, self.title(), WIDTH, self.height(), screen, buf);
        let row = |y: u16| {
            let row = Rect::new(
                inside.x + 1,
                inside.y.saturating_add(y),
                inside.width.saturating_sub(2),
                1,
            );
            row.intersection(inside)
        };
        let kept = if self.legacy {
            "the original's files; constants may stay empty"
        } else {
            "one TOML file with everything"
        };
        put(kept, row(0), theme.quiet(), buf);
        for (i, (label, typing)) in self.fields().into_iter().enumerate() {
            let line = row(ABOVE + i as u16);
            let here = i == self.at;
            put(label, line, if here { theme.accent() } else { theme.quiet() }, buf);
            let x = LABEL_WIDTH.min(line.width);
            let place = Rect {
                x: line.x + x,
                width: line.width - x,
                ..line
            };
            if here {
                typing.draw(theme, place, buf);
            } else {
                put(typing.text(), place, theme.text(), buf);
            }
        }
        let below = ABOVE + self.fields().len() as u16 + 1;
        let (text, style) = match progress {
            Some(progress) => (progress, theme.quiet()),
            None => (self.why.as_str(), theme.error()),
        };
        let reason = wrap(text, row(0).width.into());
        for (y, line) in (below..below + REASON).zip(reason) {
            put(&line, row(y), style, buf);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Design;

    fn form(legacy: bool, paths: [&str; 4]) -> FilesForm {
        let mut form = FilesForm::new(
            FormPurpose::SaveAs(AfterSave::Stay),
            &Document::new(Design::default(), None),
        );
        let [toml, three @ ..] = paths.map(|path| TextField::new(TextKind::Line, path));
        (form.legacy, form.toml, form.three) = (legacy, toml, three);
        form
    }

    #[test]
    fn files_are_named_by_the_design() {
        assert_eq!(stem("Halls & Spirals (2)"), "halls-spirals-2");
        assert_eq!(stem(" / "), "dungeon");
    }

    #[test]
    fn a_toml_file_gets_its_extension() {
        let files = |path| form(false, [path, "", "", ""]).files();
        assert_eq!(files("a"), Ok(DesignFiles::Toml("a.toml".into())));
        assert_eq!(files(" v1.2 "), Ok(DesignFiles::Toml("v1.2.toml".into())));
        assert_eq!(files("b.toml"), Ok(DesignFiles::Toml("b.toml".into())));
        assert!(files("").unwrap_err().contains("path"));
        // The extension would promise another format than the one written.
        for other in ["film.wcr", "a/Map.PNG", "x.svg", "x.tmx", "x.txt", "x.json", "x.cast"] {
            let why = files(other).unwrap_err();
            assert!(
                why.contains("is not a design's name") && why.contains("export"),
                "{why}"
            );
        }
    }

    #[test]
    fn three_files_need_three_names() {
        let files = |rooms, stats, constants| form(true, ["", rooms, stats, constants]).files();
        let constants = None;
        let (rooms, stats) = ("r".into(), "s".into());
        assert_eq!(
            files("r", "s", ""),
            Ok(DesignFiles::Legacy {
                rooms,
                stats: Some(stats),
                constants
            })
        );
        assert!(files("ROOMS.TXT", "STATS.TXT", "").is_ok(), "they are text");
        for (rooms, stats, constants) in [("r.wcr", "s", ""), ("r", "s.png", ""), ("r", "s", "c.json")] {
            assert!(
                files(rooms, stats, constants)
                    .unwrap_err()
                    .contains("is not a design's name")
            );
        }
        assert!(files("r", "r", "").is_err());
        assert!(files("r", "s", "s").is_err());
        assert!(files("", "s", "").unwrap_err().contains("rooms"));
    }
}
