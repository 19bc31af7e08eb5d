//! The design that a command works on: the arguments that select it, shared by the designer and the commands.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args};

use super::failure::Failure;
use super::output::Output;
use super::{UNREADABLE, UNUSABLE};
use crate::design::{Design, Diagnostic, Memory, MemoryUse, ValidDesign};
use crate::document::{self, Document, DungeonCode, NewDesign, Opened, SeededDesign, StartWith, available_memory};
use crate::presets::Preset;
use crate::recording_file::{RecordingFile, SourceFile};
use crate::storage::{self, DesignFiles, STDIN, check_folder, companion_files};
use crate::text::shell_path;

/// The design to open.
#[derive(Debug, Default, Args)]
pub struct DesignArgs {
    /// TOML design, rooms file of DungeonMaker (with the stats file beside it, such as stats4 for rooms4), recording,
    /// drawing to import, or dungeon code (wc1:…); - is standard input [default: the first preset]
    #[arg(
        value_name = "DESIGN",
        value_parser = input_path(),
        conflicts_with_all = ["preset", "rooms", "stats", "constants"]
    )]
    design: Option<PathBuf>,
    /// Preset: a built-in design; `wallcrawler presets` lists them
    #[arg(
        long,
        value_name = "NAME",
        ignore_case = true,
        hide_possible_values = true,
        value_parser = preset_name(),
        conflicts_with_all = ["rooms", "stats", "constants"]
    )]
    preset: Option<String>,
    /// Rooms file of a DungeonMaker design; without --stats, matching files in the same folder are also used, such as
    /// stats4 for rooms4
    #[arg(long, value_name = "FILE", value_parser = input_path())]
    rooms: Option<PathBuf>,
    /// Stats file of the design
    #[arg(long, value_name = "FILE", value_parser = input_path(), requires = "rooms")]
    stats: Option<PathBuf>,
    /// Constants file of the design [default: built-in constants]
    #[arg(long, value_name = "FILE", value_parser = input_path(), requires = "rooms")]
    constants: Option<PathBuf>,
    /// Seed to use instead of the design's seed: a decimal number, or a hexadecimal number that begins with 0x
    #[arg(long, value_name = "N", value_parser = seed)]
    seed: Option<u64>,
}

/// Returns a parser for the name of a preset.
pub(super) fn preset_name() -> PossibleValuesParser {
    PossibleValuesParser::new(Preset::all().iter().map(|preset| preset.name))
}

/// Help for the design in commands that run the designer. It does not offer `-`, because the designer reads keys or
/// requests from standard input.
pub(super) const DESIGN_OF_DESIGNER: &str = "TOML design, rooms file of DungeonMaker (with the stats file beside it, such as stats4 for rooms4), \
                                             recording, drawing to import, or dungeon code (wc1:…) [default: the first preset]";

/// Help for `--seed` in commands that grow dungeons from the seeds that `--seeds` sets.
pub(super) const SEED_OF_CHECK: &str = "Seed with which the design and its vaults are checked before the first dungeon is \
                                        grown; the dungeons are grown from the seeds of --seeds [default: the design's seed]";

/// Help for `--seed` in commands that search for parameter values.
pub(super) const SEED_OF_SEARCH: &str = "Seed to use instead of the design's seed: it determines the random choices of the search, \
                                         and is the seed of the design that --output writes";

/// Returns a parser for the paths of input files; [`readable`] converts each path.
pub(super) fn input_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path: PathBuf| readable(&path))
}

/// Returns the path to read: [`STDIN`] for `-`, any other path unchanged.
pub(super) fn readable(path: &Path) -> PathBuf {
    PathBuf::from(if path == Path::new("-") { Path::new(STDIN) } else { path })
}

/// Fails if the command line names standard input for more than one input file.
pub(super) fn check_stdin(given: &ArgMatches) -> Result<(), Failure> {
    let paths = given
        .ids()
        .filter_map(|id| given.try_get_many::<PathBuf>(id.as_str()).ok().flatten());
    check_stdin_of(paths.flatten())?;
    given.subcommand().map_or(Ok(()), |(_, given)| check_stdin(given))
}

/// Fails if several of the paths to read are standard input, which contains one file.
pub(super) fn check_stdin_of<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    if paths.into_iter().filter(|path| **path == Path::new(STDIN)).count() > 1 {
        return Err(Failure::unreadable(
            "`-` (standard input) is given for several files, but contains only one; pass paths for the others",
        ));
    }
    Ok(())
}

/// Merges the values of two arguments in the order in which the command line gives them. Each argument is passed as its
/// id and its values; `given` contains the arguments as clap parsed them.
pub(super) fn in_order<T>(
    given: Option<&ArgMatches>,
    (first, firsts): (&str, impl Iterator<Item = T>),
    (second, seconds): (&str, impl Iterator<Item = T>),
) -> Vec<T> {
    let places = |id: &str| given.and_then(|given| given.indices_of(id)).into_iter().flatten();
    let mut merged: Vec<(usize, T)> = places(first).zip(firsts).chain(places(second).zip(seconds)).collect();
    merged.sort_by_key(|(place, _)| *place);
    merged.into_iter().map(|(_, value)| value).collect()
}

/// Parses a seed in decimal or hexadecimal.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    let digits = text.replace('_', "");
    let number = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    number.map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

impl DesignArgs {
    /// Returns the arguments that name a file.
    pub(super) fn of_file(path: &Path) -> Self {
        Self {
            design: Some(path.to_owned()),
            ..Self::default()
        }
    }

    /// Returns the arguments that name a preset.
    pub(super) fn of_preset(name: &str) -> Self {
        Self {
            preset: Some(name.to_owned()),
            ..Self::default()
        }
    }

    /// Returns whether no argument is given, not even a seed.
    pub(super) fn is_empty(&self) -> bool {
        self.design.is_none() && self.preset.is_none() && self.rooms.is_none() && self.seed.is_none()
    }

    /// Returns the file given as the positional argument, if any.
    pub(super) fn path(&self) -> Option<&Path> {
        self.design.as_deref().filter(|_| self.code_text().is_none())
    }

    /// Returns whether standard input is given in place of a file.
    pub(super) fn is_stdin(&self) -> bool {
        let files = [&self.design, &self.rooms, &self.stats, &self.constants];
        files.into_iter().flatten().any(|path| path == Path::new(STDIN))
    }

    /// Returns the dungeon code given as the positional argument, if any.
    fn code_text(&self) -> Option<&str> {
        self.design
            .as_deref()?
            .to_str()
            .filter(|text| DungeonCode::is_code(text))
    }

    /// Returns whether a dungeon code is given in place of a file.
    pub(super) fn is_code(&self) -> bool {
        self.code_text().is_some()
    }

    /// Parses the dungeon code given as the positional argument, if any. A given `seed` replaces the seed of the code.
    fn code(&self, seed: Option<u64>) -> Option<Result<DungeonCode, Diagnostic>> {
        let read = DungeonCode::read(self.code_text()?);
        let seeded = read.map(|mut code| {
            code.design.seed = seed.unwrap_or(code.design.seed);
            code
        });
        Some(seeded.map_err(|error| {
            let help = "ask its author for a new code; to open a file whose name looks like a code, write `./wc1:…`";
            Diagnostic::error(error.to_string()).help(help)
        }))
    }

    /// Returns the turn at which a dungeon code shows its dungeon, if the code names a turn.
    pub(super) fn moment(&self) -> Option<u64> {
        self.code(None)?.ok()?.turn
    }

    /// Returns the path of the recording file given as the positional argument, if any.
    fn recording_path(&self) -> Option<&Path> {
        self.path().filter(|path| storage::is_recording(path))
    }

    /// Reads the recording given as the positional argument, if any. The caller must check `--seed`: with a different
    /// seed, only the recording's design applies.
    pub(super) fn recording_file(&self) -> Result<Option<RecordingFile>, Failure> {
        let Some(path) = self.recording_path() else {
            return Ok(None);
        };
        let recording_file = storage::read_recording(path, available_memory(MemoryUse::Showing))?;
        Ok(Some(recording_file))
    }

    /// Returns whether the arguments replace the design's seed.
    pub(super) const fn has_seed(&self) -> bool {
        self.seed.is_some()
    }

    /// Returns the design's files, or `None` for a preset or a code. Whether the files exist is checked when they are
    /// read.
    fn files(&self) -> Option<DesignFiles> {
        if self.design.is_some() {
            return self.path().map(companion_files::of);
        }
        let rooms = self.rooms.clone()?;
        if let Some(stats) = self.stats.clone() {
            return Some(DesignFiles::Legacy {
                rooms,
                stats: Some(stats),
                constants: self.constants.clone(),
            });
        }
        let mut found = companion_files::of_rooms(&rooms).unwrap_or_else(|| companion_files::alone(&rooms));
        if let (DesignFiles::Legacy { constants, .. }, Some(given)) = (&mut found, &self.constants) {
            *constants = Some(given.clone());
        }
        Some(found)
    }

    /// Returns the command line that opens the design, quoted for a shell, without `--seed`.
    pub(super) fn command(&self) -> String {
        let path = |path: &Path| shell_path(if path == Path::new(STDIN) { Path::new("-") } else { path });
        let mut words = vec!["wallcrawler".to_owned()];
        match (&self.design, &self.rooms) {
            (Some(design), _) => words.push(path(design)),
            (None, Some(rooms)) => {
                let named = [
                    ("--rooms", Some(rooms)),
                    ("--stats", self.stats.as_ref()),
                    ("--constants", self.constants.as_ref()),
                ];
                for (option, file) in named {
                    if let Some(file) = file {
                        words.extend([option.to_owned(), path(file)]);
                    }
                }
            }
            (None, None) => {
                let preset = self.preset().map(|preset| preset.name.to_owned());
                words.extend(preset.into_iter().flat_map(|name| ["--preset".to_owned(), name]));
            }
        }
        words.join(" ")
    }

    /// Returns the command line that applies the command `name` to the design, quoted for a shell, without `--seed`.
    pub(super) fn command_of(&self, name: &str) -> String {
        self.command()
            .replacen("wallcrawler", &format!("wallcrawler {name}"), 1)
    }

    /// Returns the files that a command reads for this design: the design's files, its level files, and the tilesets of
    /// a drawing.
    pub(super) fn inputs(&self, design: &Design) -> Vec<PathBuf> {
        let files = self.files();
        files.map_or_else(Vec::new, |files| document::inputs(&files, design))
    }

    /// Returns the files that the design is read from, and the level files of its vaults. For a preset or a dungeon
    /// code, returns only its text.
    pub(super) fn sources(&self, design: &Design) -> Vec<SourceFile> {
        if let Some(files) = self.files() {
            let mut paths = files.paths();
            paths.extend(document::level_files(design, &document::level_folder(Some(&files))));
            return document::source_files(&paths);
        }
        if let Some(code) = self.code_text() {
            return vec![SourceFile::of("dungeon code".to_owned(), code.as_bytes())];
        }
        let preset = self.preset().into_iter();
        preset
            .map(|preset| SourceFile::of(format!("{}.toml", preset.name), preset.text.as_bytes()))
            .collect()
    }

    /// Prints a note that lists the companion files that will be read in addition to the files on the command line.
    fn report_found(&self, output: &mut Output) {
        let named = [&self.design, &self.rooms, &self.stats, &self.constants];
        let is_found = |path: &PathBuf| !named.contains(&&Some(path.clone())) && path.is_file();
        let paths = self.files().map(|files| files.paths()).unwrap_or_default();
        let found: Vec<String> = paths
            .iter()
            .filter(|path| is_found(path))
            .map(|path| path.display().to_string())
            .collect();
        if !found.is_empty() {
            output.note(&format!("also reading {}", found.join(" and ")));
        }
    }

    fn preset(&self) -> Option<&'static Preset> {
        match &self.preset {
            _ if self.design.is_some() => None,
            Some(name) => Preset::find(name),
            None => Preset::all().first(),
        }
    }

    /// Opens the document for the designer. Its diagnostics are not printed, because the designer shows them.
    pub(super) fn document(&self, output: &mut Output) -> Result<Document, Failure> {
        self.report_found(output);
        if let Some(code) = self.code(self.seed) {
            return code
                .map(|code| Document::of_code(code, available_memory(MemoryUse::Showing)))
                .map_err(|diagnostic| Failure::new(UNUSABLE, vec![diagnostic]));
        }
        if let Some(recording_file) = self.recording_file()? {
            return Ok(self.recorded(recording_file));
        }
        if let Some(drawn) = self.drawn(self.seed, available_memory(MemoryUse::Showing)) {
            return drawn.map_err(|diagnostics| Failure::new(UNUSABLE, diagnostics));
        }
        if let Some(files) = self.files() {
            let opened = Document::from_files(files, self.seed, available_memory(MemoryUse::Showing));
            return opened.map_err(|diagnostics| {
                let read = diagnostics.iter().any(|d| d.source.is_some());
                Failure::new(if read { UNUSABLE } else { UNREADABLE }, diagnostics)
            });
        }
        let preset = self.preset().ok_or(Failure::reported(UNUSABLE))?;
        let mut design = preset.design();
        design.seed = self.seed.unwrap_or(design.seed);
        Ok(Document::new(design, available_memory(MemoryUse::Showing)))
    }

    /// Returns an empty document if the positional argument names a TOML file that does not exist yet. Fails if the
    /// folder of this file does not exist.
    pub(super) fn new_file(&self) -> Result<Option<Document>, Failure> {
        let Some(path) = self.path() else {
            return Ok(None);
        };
        let is_toml = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
        let is_missing = |path: &Path| {
            std::fs::symlink_metadata(path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
        };
        if !is_toml || !is_missing(path) {
            return Ok(None);
        }
        check_folder(path)?;
        let new = NewDesign {
            size: None,
            with: StartWith::Empty,
            crawlers: 0,
        };
        let mut design = new.design();
        design.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        design.seed = self.seed.unwrap_or(design.seed);
        let memory = available_memory(MemoryUse::Showing);
        Ok(Some(Document::in_new_file(path.to_owned(), design, memory)))
    }

    /// Returns the path of the drawing given in place of a design, if any.
    fn drawing_file(&self) -> Option<&Path> {
        let path = self.path()?;
        let is_there = path.is_file() || storage::is_stream(path);
        (is_there && document::is_drawing(path)).then_some(path)
    }

    /// Returns whether a drawing is given in place of a design.
    pub(super) fn is_drawing(&self) -> bool {
        self.drawing_file().is_some()
    }

    /// Imports the drawing given in place of a design, if any.
    fn drawn(&self, seed: Option<u64>, memory: Option<Memory>) -> Option<Result<Document, Vec<Diagnostic>>> {
        let path = self.drawing_file()?;
        Some(Document::of_drawing(
            path,
            &document::DrawingImport::default(),
            seed,
            memory,
        ))
    }

    /// Returns the document of a recording. If `--seed` differs from the recording's seed, the document has the
    /// recording's design with the new seed, but not the recording.
    fn recorded(&self, recording_file: RecordingFile) -> Document {
        let memory = available_memory(MemoryUse::Showing);
        if let Some(seed) = self.seed.filter(|seed| *seed != recording_file.design.seed) {
            let mut design = Design::clone(&recording_file.design);
            design.seed = seed;
            return Document::new(design, memory);
        }
        Document::recorded(recording_file, self.design.as_deref(), memory)
    }

    /// Returns the diagnostics about the vaults of the dungeon with `seed`, if the argument is a recording with a
    /// different seed; see [`SeededDesign::beyond_recording`].
    pub(super) fn beyond_recording(&self, seed: u64) -> Result<Vec<Diagnostic>, Failure> {
        let recorded = self.recording_file()?.map(|file| self.recorded(file).seeded());
        Ok(recorded.map_or_else(Vec::new, |seeded| seeded.beyond_recording([seed])))
    }

    /// Opens the document, resolves its vaults and reports its diagnostics. Fails if the design is invalid.
    pub(super) fn usable_document(&self, output: &mut Output) -> Result<Document, Failure> {
        let mut document = self.document(output)?;
        document.resolve_vaults();
        let diagnostics: Vec<_> = document.diagnostics().cloned().collect();
        output.report(&diagnostics);
        if document.valid().is_none() {
            return Err(Failure::reported(UNUSABLE));
        }
        Ok(document)
    }

    /// Returns the design for growing from many seeds. Reports its diagnostics.
    pub(super) fn seeded_design(&self, output: &mut Output) -> Result<SeededDesign, Failure> {
        Ok(self.usable_document(output)?.seeded().with_level_files())
    }

    /// Returns the design, ready to grow. A given `seed` replaces the design's seed.
    pub(super) fn opened(&self, seed: Option<u64>, purpose: MemoryUse) -> Opened {
        self.opened_for(seed, available_memory(purpose))
    }

    /// Returns the design, ready to grow within this memory limit. A given `seed` replaces the design's seed.
    pub(super) fn opened_for(&self, seed: Option<u64>, memory: Option<Memory>) -> Opened {
        match self.code(seed) {
            Some(Ok(code)) => return document::prepare(&code.design, None, memory),
            Some(Err(diagnostic)) => {
                return Opened {
                    diagnostics: vec![diagnostic],
                    ..Opened::default()
                };
            }
            None => {}
        }
        if let Some(drawn) = self.drawn(seed, memory) {
            return opened_drawing(drawn);
        }
        if let Some(files) = self.files() {
            return document::open(&files, seed, memory);
        }
        let Some(preset) = self.preset() else {
            return Opened::default();
        };
        let mut design = preset.design();
        design.seed = seed.unwrap_or(design.seed);
        document::prepare(&design, None, memory)
    }

    /// Returns the design to grow. Reports its diagnostics.
    pub(super) fn valid(&self, purpose: MemoryUse, output: &mut Output) -> Result<ValidDesign, Failure> {
        self.report_found(output);
        let opened = self.opened(self.seed, purpose);
        output.report(&opened.diagnostics);
        let status = if opened.unreadable { UNREADABLE } else { UNUSABLE };
        opened.valid.ok_or(Failure::reported(status))
    }
}

/// Returns the design of an imported drawing, ready to grow.
fn opened_drawing(drawn: Result<Document, Vec<Diagnostic>>) -> Opened {
    match drawn {
        Ok(document) => Opened {
            design: Some(document.design().clone()),
            valid: document.valid().cloned(),
            diagnostics: document.diagnostics().cloned().collect(),
            ..Opened::default()
        },
        Err(diagnostics) => Opened {
            diagnostics,
            ..Opened::default()
        },
    }
}
