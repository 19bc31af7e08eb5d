//! The form for the paths of a design's files. It saves the open design under another name, or reads another design.

use std::collections::HashSet;
use std::path::{self, Path, PathBuf};

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::document::Document;
use crate::export;
use crate::storage::{DesignFiles, companion_files};
use crate::tui::commands::DesignPart;
use crate::tui::dialog::OpenFilter;
use crate::tui::editor::{AfterSave, Editor};
use crate::tui::widget::form::{draw_field, ring};
use crate::tui::widget::layout::with_head;
use crate::tui::widget::list::ListStep;
use crate::tui::widget::mouse::click;
use crate::tui::widget::popup::{popup, popup_inside, shrunk};
use crate::tui::widget::prompt::{PasteCut, TextField, expanded};
use crate::tui::widget::text::{put, put_wrapped};

const WIDTH: u16 = 72;
const LABEL_WIDTH: u16 = 11;

/// Number of rows above the fields.
const ABOVE: u16 = 2;

/// Maximum number of rows for an error below the fields.
const REASON: u16 = 3;

/// The purpose of the form.
#[derive(Debug)]
pub(in crate::tui) enum FormPurpose {
    /// Saves the open design, then runs the [`AfterSave`].
    SaveAs(AfterSave),
    /// Reads another design. The [`OpenFilter`] of the list from which the form was opened determines what the design
    /// is used for. If there is a [`DesignPart`], only this part of the design is copied into the open design.
    Open(OpenFilter, Option<DesignPart>),
}

/// The state of the form.
#[derive(Debug)]
pub(in crate::tui) struct FilesForm {
    purpose: FormPurpose,
    /// Whether the form has fields for the three files of DungeonMaker rather than for one TOML file.
    legacy: bool,
    paths: PathFields,
    /// Index of the focused field.
    at: usize,
    /// Why the files cannot be used; empty if there is no error.
    why: String,
}

/// The path fields for a design's files: one for the TOML file, and three for the rooms, stats and constants files.
#[derive(Debug)]
pub(in crate::tui) struct PathFields {
    fields: [TextField; 4],
    /// The proposed paths. If the user types only a folder, such as `castles/`, [`Self::file`] appends the proposed
    /// file name.
    proposed: [PathBuf; 4],
}

impl PathFields {
    /// The labels of the fields for the three files.
    pub(in crate::tui) const THREE: [&str; 3] = ["rooms", "stats", "constants"];

    /// Creates the fields with these proposed paths: TOML, rooms, stats and constants file.
    pub(in crate::tui) fn new(paths: &[PathBuf; 4]) -> Self {
        Self {
            fields: paths.each_ref().map(|path| TextField::path(path)),
            proposed: paths.clone(),
        }
    }

    fn propose(&mut self, at: usize, path: &Path) {
        (self.fields[at], self.proposed[at]) = (TextField::path(path), path.to_owned());
    }

    /// Returns the field for the TOML file or, if `legacy`, the fields for the three files.
    pub(in crate::tui) fn fields(&self, legacy: bool) -> &[TextField] {
        if legacy { &self.fields[1..] } else { &self.fields[..1] }
    }

    /// Returns the field for the TOML file or, if `legacy`, the field at index `at` of the three.
    pub(in crate::tui) fn field_mut(&mut self, legacy: bool, at: usize) -> &mut TextField {
        &mut self.fields[if legacy { 1 + at.min(2) } else { 0 }]
    }

    /// Returns the files to write to, or an error that explains which path is missing or wrong.
    pub(in crate::tui) fn files(&self, legacy: bool) -> Result<DesignFiles, String> {
        if legacy {
            three_files([1, 2, 3].map(|at| self.file(at)))
        } else {
            toml_file(self.file(0))
        }
    }

    /// Returns the path typed in a field; `None` if the field is empty. If the path ends with a slash, or if its last
    /// component is `.` or `..`, appends the proposed file name.
    fn file(&self, at: usize) -> Option<PathBuf> {
        let path = self.typed(at)?;
        let text = self.fields[at].text().trim();
        // `file_name` ignores a final `/.`.
        let text = text.strip_suffix('.').unwrap_or(text);
        let is_folder = text.ends_with(path::is_separator) || path.file_name().is_none();
        let name = self.proposed[at].file_name().unwrap_or_default();
        Some(if is_folder { path.join(name) } else { path })
    }

    /// Returns the path typed in a field; `None` if the field is empty.
    fn typed(&self, at: usize) -> Option<PathBuf> {
        let text = self.fields[at].text();
        let proposed = &self.proposed[at];
        // A field cannot exactly show a proposed path that is not Unicode. As long as the user has not changed the
        // field's text, the text stands for this path.
        if proposed.to_str().is_none() && text == proposed.display().to_string() {
            return Some(proposed.clone());
        }
        expanded(text.trim())
    }
}

impl FilesForm {
    /// Creates a form with the paths of a document. For a document without files, a form for saving suggests names and
    /// a form for opening is empty.
    pub(in crate::tui) fn new(purpose: FormPurpose, document: &Document) -> Self {
        let opens = matches!(purpose, FormPurpose::Open(..));
        let stem = stem(&document.design().name);
        let mut paths = [".toml", ".rooms", ".stats", ".constants"].map(|end| {
            let name = if opens { String::new() } else { format!("{stem}{end}") };
            PathBuf::from(name)
        });
        match document.design_files() {
            Some(DesignFiles::Toml(file)) => paths[0].clone_from(file),
            Some(DesignFiles::Legacy {
                rooms,
                stats,
                constants,
            }) => {
                let beside = || companion_files::partner(rooms, "stats").filter(|_| !opens);
                paths[1].clone_from(rooms);
                paths[2] = stats.clone().or_else(beside).unwrap_or_default();
                paths[3] = constants.clone().unwrap_or_default();
            }
            None => {}
        }
        Self {
            purpose,
            legacy: matches!(document.design_files(), Some(DesignFiles::Legacy { .. })),
            paths: PathFields::new(&paths),
            at: 0,
            why: String::new(),
        }
    }

    /// Switches to the fields for three files, and fills in the paths from `files` if these are such files.
    pub(in crate::tui) fn name(&mut self, files: Option<&DesignFiles>) {
        self.legacy = true;
        if let Some(DesignFiles::Legacy {
            rooms,
            stats,
            constants,
        }) = files
        {
            let three = [Some(rooms), stats.as_ref(), constants.as_ref()];
            for (at, path) in (1..).zip(three) {
                self.paths.propose(at, path.map_or(Path::new(""), PathBuf::as_path));
            }
            self.at = usize::from(stats.is_none());
        }
    }

    const fn title(&self) -> &'static str {
        match self.purpose {
            FormPurpose::SaveAs(_) => "Save as",
            FormPurpose::Open(_, Some(DesignPart::Stats)) => "Copy the stats of a design",
            FormPurpose::Open(_, Some(DesignPart::Layout)) => "Copy the rooms of a design",
            FormPurpose::Open(OpenFilter::Compared, None) => "Compare with another design",
            FormPurpose::Open(OpenFilter::Examples, None) => "Learn from a design",
            FormPurpose::Open(_, None) => "Open",
        }
    }

    /// Returns the fields with their labels.
    fn fields(&self) -> impl ExactSizeIterator<Item = (&'static str, &TextField)> {
        let labels: &[&str] = if self.legacy { &PathFields::THREE } else { &["file"] };
        labels.iter().copied().zip(self.paths.fields(self.legacy))
    }

    /// Returns the focused field, and clears the error.
    fn field(&mut self) -> &mut TextField {
        self.why.clear();
        self.paths.field_mut(self.legacy, self.at)
    }

    /// Moves the focus to another field.
    pub(in crate::tui) fn step(&mut self, step: ListStep) {
        if let ListStep::By(by) = step {
            let count = self.fields().len();
            self.at = ring(self.at, by, count);
        }
    }

    /// Switches between one TOML file and three files.
    pub(in crate::tui) fn other_format(&mut self) {
        self.legacy = !self.legacy;
        self.at = 0;
        self.why.clear();
    }

    /// Returns the files at the typed paths, or an error that explains which path is missing or wrong.
    fn files(&self) -> Result<DesignFiles, String> {
        match (self.opens(), self.legacy) {
            (true, true) => {
                let [rooms, stats, constants] = [1, 2, 3].map(|at| self.paths.file(at));
                different_files(named(rooms, "rooms file")?, stats, constants)
            }
            (true, false) => Ok(DesignFiles::Toml(named(self.paths.typed(0), "file")?)),
            (false, legacy) => self.paths.files(legacy),
        }
    }

    /// Shows why the files cannot be used.
    pub(in crate::tui) fn reject(&mut self, why: String) {
        self.why = why;
    }

    /// Returns why the files cannot be used; empty if they were not rejected.
    pub(in crate::tui) fn why(&self) -> &str {
        &self.why
    }

    /// Returns what to do after the design is saved.
    pub(in crate::tui) fn then(self: Box<Self>) -> AfterSave {
        match self.purpose {
            FormPurpose::SaveAs(then) => then,
            FormPurpose::Open(..) => AfterSave::Stay,
        }
    }

    fn height(&self) -> u16 {
        ABOVE + self.fields().len() as u16 + 1 + REASON + 2
    }
}

/// Returns the typed path, or an error if it is missing; `what` names the file in the error.
fn named(path: Option<PathBuf>, what: &str) -> Result<PathBuf, String> {
    path.ok_or_else(|| format!("type a path for the {what}"))
}

/// Returns the TOML file to write to, with `.toml` appended if that is missing, or an error.
fn toml_file(path: Option<PathBuf>) -> Result<DesignFiles, String> {
    let mut file = named(path, "file")?;
    check_extension(&file, false)?;
    if file
        .extension()
        .is_none_or(|extension| !extension.eq_ignore_ascii_case("toml"))
    {
        file.as_mut_os_string().push(".toml");
    }
    Ok(DesignFiles::Toml(file))
}

/// Checks that a path does not have the extension of an export format. If `text` is true, the extensions of text
/// exports are allowed.
fn check_extension(file: &Path, text: bool) -> Result<(), String> {
    let why = export::ExportKind::denies_design(file, text);
    why.map_or(Ok(()), |why| {
        Err(format!("{why}; to export the dungeon, use the export dialog"))
    })
}

/// Returns the rooms, stats and constants files to write to, or an error that explains which path is missing or wrong.
fn three_files([rooms, stats, constants]: [Option<PathBuf>; 3]) -> Result<DesignFiles, String> {
    let (rooms, stats) = (named(rooms, "rooms file")?, named(stats, "stats file")?);
    for file in [Some(&rooms), Some(&stats), constants.as_ref()].into_iter().flatten() {
        check_extension(file, true)?;
    }
    different_files(rooms, Some(stats), constants)
}

/// Returns the rooms, stats and constants files, or an error if two of the paths are equal. `a` and `./a` count as
/// equal.
fn different_files(rooms: PathBuf, stats: Option<PathBuf>, constants: Option<PathBuf>) -> Result<DesignFiles, String> {
    // Compares without reading the files, because a slow drive would block the designer.
    let whole = |path: &PathBuf| path::absolute(path).unwrap_or_else(|_| path.clone());
    let paths = [Some(&rooms), stats.as_ref(), constants.as_ref()];
    let different: HashSet<PathBuf> = paths.into_iter().flatten().map(whole).collect();
    if different.len() < paths.into_iter().flatten().count() {
        return Err("the files need different names".into());
    }
    Ok(DesignFiles::Legacy {
        rooms,
        stats,
        constants,
    })
}

/// Returns a file name without extension for a design: the design's name in lower case with hyphens.
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

impl FilesForm {
    /// Passes a key to the focused field. Returns whether the field handled it.
    pub(in crate::tui) fn typed(&mut self, key: &KeyEvent) -> bool {
        TextField::is_text(key) && self.field().press(key)
    }

    /// Inserts pasted text into the focused field.
    pub(in crate::tui) fn paste(&mut self, text: &str) -> Option<PasteCut> {
        self.field().paste(text)
    }

    /// Returns the filter of the list from which the form was opened; `None` if the form is for saving.
    pub(super) const fn filter(&self) -> Option<OpenFilter> {
        match self.purpose {
            FormPurpose::Open(filter, _) => Some(filter),
            FormPurpose::SaveAs(_) => None,
        }
    }

    /// Returns which part of the chosen design is copied into the open design; `None` if the form does not copy a part.
    pub(super) const fn part(&self) -> Option<DesignPart> {
        match self.purpose {
            FormPurpose::Open(_, part) => part,
            FormPurpose::SaveAs(_) => None,
        }
    }

    /// Returns whether the form opens files rather than saving to them.
    pub(in crate::tui) const fn opens(&self) -> bool {
        matches!(self.purpose, FormPurpose::Open(..))
    }

    /// Returns the files at the typed paths, or shows in the form which path is missing or wrong.
    pub(in crate::tui) fn accept(&mut self) -> Option<DesignFiles> {
        self.files().map_err(|why| self.reject(why)).ok()
    }

    /// Focuses the clicked field.
    pub(in crate::tui) fn mouse(&mut self, screen: Rect, mouse: MouseEvent) {
        let fields = popup_inside(WIDTH, self.height(), screen).rows().skip(ABOVE.into());
        let hit = click(mouse).and_then(|at| {
            let mut fields = fields.take(self.fields().len());
            fields.position(|row| row.contains(at))
        });
        self.at = hit.unwrap_or(self.at);
    }

    /// Draws the form; `progress` describes the operation in progress on the typed files, if any.
    pub(in crate::tui) fn draw(&self, editor: &Editor, progress: Option<&str>, screen: Rect, buf: &mut Buffer) {
        let theme = editor.theme;
        let area = shrunk(popup(theme, self.title(), WIDTH, self.height(), screen, buf));
        let description = if self.legacy {
            "DungeonMaker files; constants optional"
        } else {
            "one TOML file with everything"
        };
        put(description, area, theme.quiet(), buf);
        let rows = area.rows().skip(ABOVE.into());
        for (i, (row, (label, field))) in rows.zip(self.fields()).enumerate() {
            draw_field(theme, row, LABEL_WIDTH, label, field, i == self.at, buf);
        }
        let (text, style) = match progress {
            Some(progress) => (progress, theme.quiet()),
            None => (self.why.as_str(), theme.error()),
        };
        let [_, below] = with_head(area, ABOVE + self.fields().len() as u16 + 1);
        put_wrapped(text, below, style, buf);
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use super::*;
    use crate::design::Design;

    fn form(legacy: bool, paths: [&str; 4]) -> FilesForm {
        let mut form = FilesForm::new(
            FormPurpose::SaveAs(AfterSave::Stay),
            &Document::new(Design::default(), None),
        );
        (form.legacy, form.paths) = (legacy, PathFields::new(&paths.map(PathBuf::from)));
        form
    }

    #[test]
    fn files_are_named_by_the_design() {
        assert_eq!(stem("Halls & Spirals (2)"), "halls-spirals-2");
        assert_eq!(stem(" / "), "dungeon");
    }

    #[test]
    fn one_file_spelt_in_two_ways_is_rejected() {
        let files = |rooms, stats, constants| form(true, ["", rooms, stats, constants]).files();
        assert!(files("a", "./a", "").unwrap_err().contains("different names"));
        assert!(files("a", "b", "./a").unwrap_err().contains("different names"));
        assert!(files("a", "./b", "").is_ok());
    }

    #[test]
    fn a_toml_file_gets_its_extension() {
        let files = |path| form(false, [path, "", "", ""]).files();
        assert_eq!(files("a"), Ok(DesignFiles::Toml("a.toml".into())));
        assert_eq!(files(" v1.2 "), Ok(DesignFiles::Toml("v1.2.toml".into())));
        for path in ["b.toml", "b.TOML", "b.Toml"] {
            assert_eq!(files(path), Ok(DesignFiles::Toml(path.into())));
        }
        assert!(files("").unwrap_err().contains("path"));
        // The extension would suggest a different format from the one written.
        for other in ["film.wcr", "a/Map.PNG", "x.svg", "x.tmx", "x.txt", "x.json", "x.cast"] {
            let why = files(other).unwrap_err();
            assert!(
                why.contains("cannot be a design file") && why.contains("export"),
                "{why}"
            );
        }
    }

    #[test]
    fn a_typed_name_replaces_the_proposed_one() {
        let mut form = form(false, ["the-hub.toml", "", "", ""]);
        for c in "hubby".chars() {
            assert!(form.typed(&KeyCode::Char(c).into()));
        }
        assert_eq!(form.files(), Ok(DesignFiles::Toml("hubby.toml".into())));
    }

    #[cfg(unix)]
    #[test]
    fn an_unchanged_proposal_is_the_file_itself_even_if_its_name_is_not_unicode() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        let path = |name: &'static [u8]| PathBuf::from(OsStr::from_bytes(name));
        let mut form = form(true, [""; 4]);
        let three = [path(b"a/rooms\xff4"), path(b"a/stats\xff4"), PathBuf::new()];
        let [rooms, stats, constants] = three.clone();
        form.paths = PathFields::new(&[PathBuf::new(), rooms.clone(), stats, constants]);
        let files = |stats: PathBuf| {
            Ok(DesignFiles::Legacy {
                rooms: rooms.clone(),
                stats: Some(stats),
                constants: None,
            })
        };
        assert_eq!(form.files(), files(path(b"a/stats\xff4")));
        form.at = 1;
        assert!(form.typed(&KeyCode::Backspace.into()));
        assert_eq!(form.files(), files("a/stats\u{fffd}".into()));
    }

    #[test]
    fn a_file_in_a_typed_folder_gets_the_proposed_name() {
        let typed = |legacy, texts: [&str; 4]| {
            let paths = ["a/halls.toml", "halls.rooms", "halls.stats", ""].map(PathBuf::from);
            let mut form = form(legacy, [""; 4]);
            form.paths = PathFields::new(&paths);
            form.paths.fields = texts.map(|text| TextField::path(Path::new(text)));
            form.files()
        };
        for (text, path) in [
            ("sub/", "sub/halls.toml"),
            (" sub/ ", "sub/halls.toml"),
            ("sub/.", "sub/halls.toml"),
            ("sub/..", "sub/../halls.toml"),
            ("..", "../halls.toml"),
            (".", "./halls.toml"),
            ("/", "/halls.toml"),
        ] {
            assert_eq!(typed(false, [text, "", "", ""]), Ok(DesignFiles::Toml(path.into())));
        }
        assert_eq!(
            typed(true, ["", "sub/", "sub/", ""]),
            Ok(DesignFiles::Legacy {
                rooms: "sub/halls.rooms".into(),
                stats: Some("sub/halls.stats".into()),
                constants: None
            })
        );
    }

    #[test]
    fn files_to_open_may_have_the_extension_of_an_export() {
        let opened = |rooms, stats, constants| {
            let mut form = form(true, ["", rooms, stats, constants]);
            form.purpose = FormPurpose::Open(OpenFilter::All, None);
            form.files()
        };
        for (stats, stats_file) in [("", None), ("castle.json", Some("castle.json".into()))] {
            assert_eq!(
                opened("castle.svg", stats, "castle.png"),
                Ok(DesignFiles::Legacy {
                    rooms: "castle.svg".into(),
                    stats: stats_file,
                    constants: Some("castle.png".into()),
                })
            );
        }
        for (rooms, stats, constants) in [("r", "r", ""), ("r", "s", "s"), ("r", "", "r")] {
            assert!(opened(rooms, stats, constants).unwrap_err().contains("different names"));
        }
        assert!(opened("", "s", "").unwrap_err().contains("rooms"));
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
                    .contains("cannot be a design file")
            );
        }
        assert!(files("r", "r", "").is_err());
        assert!(files("r", "s", "s").is_err());
        assert!(files("", "s", "").unwrap_err().contains("rooms"));
    }
}
