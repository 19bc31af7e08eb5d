//! State of the export dialog: the selected export, its options, the dungeon and the paths.
//!
//! The state outlives the dialog, so that the next export starts with the choices of the previous export.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::options::OptionLine;
use crate::background::{ExportPreview, ExportRequest, ExportTarget};
use crate::design::ValidDesign;
use crate::document::Document;
use crate::engine;
use crate::export::{ExportKind, ExportOptions, ExportSetting, Group, KindInfo};
use crate::geometry::Size;
use crate::recording::MomentScript;
use crate::recording_file::RecordingFile;
use crate::storage::{DesignFiles, companion_files};
use crate::text::thousands;
use crate::tui::dialog::{PathFields, base, stem};
use crate::tui::jobs::JobHandle;
use crate::tui::widget::form::FormState;
use crate::tui::widget::list::ListState;
use crate::tui::widget::prompt::expanded;
use crate::tui::widget::prompt::{TextField, TextKind};

/// What to export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ExportChoice {
    /// The dungeon, in this kind of file.
    Dungeon(ExportKind),
    /// The design as one TOML file.
    Toml,
    /// The design as rooms, stats and constants files.
    Three,
}

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExportRow {
    /// The heading of a group.
    Heading(&'static str),
    /// A selectable export.
    What(ExportChoice),
}

impl ExportChoice {
    /// Returns the rows of the list, group by group.
    pub(super) fn rows() -> Vec<ExportRow> {
        let mut rows = Vec::new();
        for group in Group::ALL {
            rows.push(ExportRow::Heading(group.name()));
            rows.extend(group.kinds().map(|about| ExportRow::What(Self::Dungeon(about.kind))));
        }
        rows.push(ExportRow::Heading("The design"));
        rows.extend([Self::Toml, Self::Three].map(ExportRow::What));
        rows
    }

    /// Returns the name that the list shows.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Dungeon(kind) => kind.name(),
            Self::Toml => "toml",
            Self::Three => "original",
        }
    }

    /// Returns a one-line description.
    pub(super) fn description(self) -> &'static str {
        match self {
            Self::Dungeon(kind) => kind.description(),
            Self::Toml => "the whole design in one TOML file",
            Self::Three => "a copy in rooms, stats and constants files",
        }
    }

    /// Returns the kind of a dungeon export; `None` for the design.
    pub(super) const fn kind(self) -> Option<ExportKind> {
        match self {
            Self::Dungeon(kind) => Some(kind),
            Self::Toml | Self::Three => None,
        }
    }

    /// Returns the labels of the path fields.
    pub(super) const fn labels(self) -> &'static [&'static str] {
        match self {
            Self::Three => &PathFields::THREE,
            Self::Dungeon(_) | Self::Toml => &["file"],
        }
    }
}

/// The part of the dialog that has the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ExportFocus {
    /// The list of exports.
    #[default]
    List,
    Options,
    Path,
}

/// The dungeon that the screen showed when the dialog was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExportSubject {
    pub(super) design: ValidDesign,
    pub(super) engine: engine::Options,
    /// Number of turns up to the moment that the screen shows, and whether growth ended there.
    pub(super) turn: u64,
    pub(super) is_end: bool,
    /// The shown recording, if it was read from a file.
    pub(super) recorded: Option<Arc<RecordingFile>>,
    /// The files that contain exactly this design; empty if it has unsaved changes.
    pub(super) sources: Vec<PathBuf>,
}

/// State of the dialog.
#[derive(Debug)]
pub(super) struct ExportForm {
    pub(super) what: ExportChoice,
    pub(super) part: ExportFocus,
    /// The selection in the list of exports, and its scroll position.
    pub(super) kinds: ListState,
    /// The selected option.
    pub(super) settings: FormState,
    /// Index of the selected path.
    pub(super) path: usize,
    /// Whether to export the end of growth instead of the shown turn.
    pub(super) at_end: bool,
    pub(super) options: HashMap<ExportKind, ExportOptions>,
    /// The script of moments for animations of every kind, such as `0,300:4,end:5`; empty to show the whole growth.
    pub(super) script: TextField,
    pub(super) subject: Option<ExportSubject>,
    /// The path from which proposed paths are derived: the path of the design's file without the part that marks its
    /// format or, if there is no file, a name made from the design's name.
    base: PathBuf,
    /// The title of the document from which `base` was derived.
    title: String,
    /// The folder of the last export, if any.
    pub(super) folder: Option<PathBuf>,
    /// Path fields for an export of the dungeon, and for a copy of the design.
    dungeon: TextField,
    design: PathFields,
    /// Whether the user typed the dungeon's path rather than keeping the proposed path.
    pub(super) is_named: bool,
    /// The last preview with the request that it answers, and the preview request in progress.
    pub(super) sample: Option<(ExportRequest, Result<Box<ExportPreview>, String>)>,
    pub(super) awaited: Option<JobHandle<ExportRequest>>,
    /// The size of the preview's area in characters, as in the last preview request.
    pub(super) room: Size,
    /// The folder being listed to complete a path.
    pub(super) listing: Option<JobHandle<PathBuf>>,
    /// The error that prevents the export, and a hint; empty if there is none.
    pub(super) why: String,
    pub(super) hint: String,
}

impl Default for ExportForm {
    fn default() -> Self {
        Self {
            what: ExportChoice::Dungeon(ExportKind::Png),
            part: ExportFocus::List,
            kinds: ListState::default(),
            settings: FormState::default(),
            path: 0,
            at_end: true,
            options: HashMap::new(),
            script: TextField::new(TextKind::Line, ""),
            subject: None,
            base: PathBuf::new(),
            title: String::new(),
            folder: None,
            dungeon: TextField::path(Path::new("")),
            design: PathFields::new(&<[PathBuf; 4]>::default()),
            is_named: false,
            sample: None,
            awaited: None,
            room: Size::new(0, 0),
            listing: None,
            why: String::new(),
            hint: String::new(),
        }
    }
}

impl ExportForm {
    /// Resets the form for the dungeon on the screen, but keeps the user's choices.
    pub(super) fn begin(&mut self, subject: Option<ExportSubject>, document: &Document) {
        let title = document.title();
        if title != self.title {
            (self.is_named, self.folder) = (false, None);
        }
        let own = document.files().first().map(|path| base(path));
        let own = own.unwrap_or_else(|| stem(&document.design().name).into());
        (self.title, self.base) = (title, own);
        (self.part, self.settings, self.path) = (ExportFocus::List, FormState::default(), 0);
        self.kinds = ListState::default();
        self.subject = subject;
        if self.subject.is_none() && self.what.kind().is_some() {
            self.what = ExportChoice::Toml;
        }
        self.sample = None;
        self.listing = None;
        let name = |end: &str| PathBuf::from(format!("{}{end}", self.base.display()));
        let rooms = document.files().into_iter().next();
        let copies = rooms.and_then(|rooms| companion_files::for_copy(&rooms));
        let [rooms, stats, constants] = copies.unwrap_or_else(|| [".rooms", ".stats", ".constants"].map(name));
        self.design = PathFields::new(&[name(".toml"), rooms, stats, constants]);
        self.clear();
        self.propose();
    }

    /// Clears the error and the hint.
    pub(super) fn clear(&mut self) {
        self.why.clear();
        self.hint.clear();
    }

    /// Returns the options of a kind. With a script of moments, the animation follows no Builder.
    pub(super) fn options(&self, kind: ExportKind) -> ExportOptions {
        let mut options = self.options.get(&kind).cloned().unwrap_or_default();
        if self.has_script(kind) {
            (options.moments, options.follow) = (self.script.text().parse().ok(), None);
        }
        options
    }

    /// Returns whether the selected export has a legend.
    pub(super) fn has_legend(&self) -> bool {
        let has = |kind: ExportKind| kind.takes(ExportSetting::Legend) && self.options(kind).legend;
        self.what.kind().is_some_and(has)
    }

    /// Returns whether the user typed a script of moments that exports of this kind use.
    fn has_script(&self, kind: ExportKind) -> bool {
        kind.takes(ExportSetting::Duration) && !self.script.text().trim().is_empty()
    }

    /// Returns what is wrong with the script of moments, if exports of the selected kind use it.
    pub(super) fn script_error(&self) -> Option<String> {
        self.what.kind().filter(|kind| self.has_script(*kind))?;
        let read: Result<MomentScript, _> = self.script.text().parse();
        read.err().map(|error| format!("moments: {error}"))
    }

    /// Returns whether keys are typed into the script of moments.
    pub(super) fn types_script(&self) -> bool {
        self.part == ExportFocus::Options && self.selected() == Some(OptionLine::Script)
    }

    /// Returns the options of a kind, for changing them.
    pub(super) fn options_mut(&mut self, kind: ExportKind) -> &mut ExportOptions {
        self.options.entry(kind).or_default()
    }

    /// Returns the option lines of the selected kind. A script of moments hides the options that it replaces.
    pub(super) fn lines(&self) -> Vec<OptionLine> {
        let Some(kind) = self.what.kind() else {
            return Vec::new();
        };
        let mut lines = OptionLine::of(kind);
        if self.has_script(kind) {
            let replaced = [ExportSetting::Duration, ExportSetting::Follow].map(OptionLine::Setting);
            lines.retain(|line| !replaced.contains(line));
        }
        lines
    }

    /// Returns the value of an option line as text.
    pub(super) fn value(&self, line: OptionLine, kind: ExportKind) -> String {
        let moment = match &self.subject {
            Some(subject) if subject.is_end => "the end of growth, as shown".into(),
            Some(subject) if !self.at_end => format!("turn {}, as shown", thousands(subject.turn)),
            _ => "the end of growth".into(),
        };
        if line == OptionLine::Script && self.has_script(kind) {
            return self.script.text().to_owned();
        }
        line.value(&self.options(kind), kind, moment)
    }

    /// Returns the selected option.
    pub(super) fn selected(&self) -> Option<OptionLine> {
        let lines = self.lines();
        lines.get(self.settings.selected(lines.len())).copied()
    }

    /// Returns the path fields of the selected export.
    pub(super) fn paths(&self) -> &[TextField] {
        match self.what {
            ExportChoice::Dungeon(_) => std::slice::from_ref(&self.dungeon),
            what => self.design.fields(what == ExportChoice::Three),
        }
    }

    /// Returns the path field that receives the keys.
    pub(super) fn typing(&mut self) -> &mut TextField {
        match self.what {
            ExportChoice::Dungeon(_) => &mut self.dungeon,
            what => self.design.field_mut(what == ExportChoice::Three, self.path),
        }
    }

    /// Selects an export, and adapts the extension of a typed path.
    pub(super) fn choose(&mut self, what: ExportChoice) {
        self.what = what;
        (self.settings, self.path) = (FormState::default(), 0);
        self.clear();
        if let (Some(kind), true) = (what.kind(), self.is_named) {
            let path = PathBuf::from(self.dungeon.text());
            if file(kind, path.clone()).is_err()
                && let Some(ending) = endings(kind).first()
            {
                let path = path.with_extension(ending).display().to_string();
                self.dungeon = TextField::new(TextKind::Line, path);
            }
        }
        self.propose();
    }

    /// Proposes a path unless the user typed one: the name of the design's file (or of the design), the seed and the
    /// turn, in the folder of the last export.
    pub(super) fn propose(&mut self) {
        if let (false, Some(kind)) = (self.is_named, self.what.kind()) {
            let name = self.proposed(kind);
            let path = match &self.folder {
                Some(folder) => folder.join(name),
                None => self.base.with_file_name(name),
            };
            self.dungeon = TextField::path(&path);
        }
    }

    fn proposed(&self, kind: ExportKind) -> String {
        let name = self.base.file_name().unwrap_or_default().to_string_lossy();
        let seed = self.subject.as_ref().map(|subject| subject.design.seed);
        let seed = seed.map_or_else(String::new, |seed| format!("-{seed}"));
        let turn = self
            .subject
            .as_ref()
            .and_then(|subject| subject.moment(kind, self.at_end));
        let turn = turn.map_or_else(String::new, |turn| format!("-turn-{turn}"));
        let ending = endings(kind).first().copied().unwrap_or("out");
        format!("{name}{seed}{turn}.{ending}")
    }

    /// Returns the request to check the destination that the user typed; `None` if the path is empty. `own` are the
    /// files of the open design, which must not be overwritten.
    pub(super) fn site(&self, kind: ExportKind, own: Vec<PathBuf>) -> Option<ExportTarget> {
        let text = self.dungeon.text().trim();
        let typed = expanded(text)?;
        let inside = typed.join(self.proposed(kind));
        let file = if text.ends_with(std::path::is_separator) {
            Ok(inside.clone())
        } else {
            file(kind, typed.clone())
        };
        Some(ExportTarget {
            kind,
            typed,
            inside,
            file,
            again: false,
            own,
            unwritten: Vec::new(),
        })
    }

    /// Returns the design files at the typed paths, or an error that explains what is wrong with the paths.
    pub(super) fn design_files(&self) -> Result<DesignFiles, String> {
        self.design.files(self.what == ExportChoice::Three)
    }

    /// Returns the request for the chosen export; `None` if a copy of the design is chosen, if nothing has grown, or if
    /// the script of moments is invalid.
    pub(super) fn export(&self) -> Option<ExportRequest> {
        if self.script_error().is_some() {
            return None;
        }
        let (kind, subject) = (self.what.kind()?, self.subject.as_ref()?);
        Some(subject.export(kind, self.options(kind), self.at_end, Path::new(self.dungeon.text())))
    }
}

/// Returns the path, with the kind's extension appended if the path has none. Fails if the extension is that of another
/// kind.
fn file(kind: ExportKind, mut path: PathBuf) -> Result<PathBuf, String> {
    let own = endings(kind);
    let Some(ending) = path.extension().and_then(|ending| ending.to_str()) else {
        let ending = own.first().copied().unwrap_or("out");
        path.as_mut_os_string().push(format!(".{ending}"));
        return Ok(path);
    };
    match ExportKind::by_ending(ending).filter(|_| !own.contains(&ending.to_ascii_lowercase().as_str())) {
        None => Ok(path),
        Some(other) => Err(format!(
            "a name that ends in .{ending} is for {0}; choose {0} in the list, or end the name with .{1}",
            other.name(),
            own.first().copied().unwrap_or_default()
        )),
    }
}

impl ExportSubject {
    /// Returns the turn to export; `None` for the end of growth, and for a recording file, which contains every turn.
    fn moment(&self, kind: ExportKind, at_end: bool) -> Option<u64> {
        let is_shown = !at_end && !self.is_end && OptionLine::of(kind).contains(&OptionLine::Moment);
        is_shown.then_some(self.turn)
    }

    /// Returns the request for an export to the path `to`. With `at_end`, exports the end of growth, otherwise the turn
    /// shown.
    pub(super) fn export(
        &self,
        kind: ExportKind,
        mut options: ExportOptions,
        at_end: bool,
        to: &Path,
    ) -> ExportRequest {
        options.engine = self.engine;
        ExportRequest {
            design: self.design.clone(),
            turn: self.moment(kind, at_end),
            kind,
            options,
            recorded: self.recorded.clone(),
            sources: self.sources.clone(),
            to: to.to_owned(),
        }
    }
}

/// Returns the file extensions of a kind. A kind without an extension of its own can be selected only by name; its
/// extensions are those of the nearest earlier kind that has some.
pub(super) fn endings(kind: ExportKind) -> &'static [&'static str] {
    static ALL: &[KindInfo] = &ExportKind::ALL;
    let at = ALL.iter().position(|about| about.kind == kind).unwrap_or(0);
    let before = ALL[..=at].iter().rev().map(|about| about.endings);
    before.into_iter().find(|endings| !endings.is_empty()).unwrap_or(&[])
}
