//! The C interface. `include/wallcrawler.h` describes every function, and what the caller must free.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::ops::ControlFlow;
use std::slice;

use serde_json::{Value, json};
use wallcrawler::code::DungeonCode;
use wallcrawler::design::{Diagnostic, Rule, Severity, ValidDesign};
use wallcrawler::engine::{Options, SEED_CATALOG, Tile, cautions};
use wallcrawler::export::{self, DungeonView, ExportKind, ExportOptions};
use wallcrawler::format::{self, Kind, Text, native};
use wallcrawler::geometry::Point;
use wallcrawler::maze::{LevelFiles, MazeGrower};
use wallcrawler::presets::Preset;
use wallcrawler::recording::Recording;
use wallcrawler::{Design, InvalidDesign};

/// The version of the library, with a zero byte at the end.
const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

thread_local! {
    /// The reason for the last failure on this thread.
    static ERROR: RefCell<CString> = RefCell::default();
}

/// A design with the level files of its vaults.
pub struct WcDesign {
    design: Design,
    levels: LevelFiles,
    /// Warnings about the text from which the design was parsed.
    about_text: Vec<Diagnostic>,
}

/// A grown dungeon with its recording, at one of its turns.
pub struct WcDungeon {
    design: ValidDesign,
    /// Warnings about the text of the design, and warnings and notes about the design itself.
    diagnostics: Vec<Diagnostic>,
    recording: Recording,
    turn: u64,
    arrays: Arrays,
}

/// The arrays of the turn that is shown; each is empty until it is requested.
#[derive(Default)]
struct Arrays {
    tiles: Vec<u8>,
    generations: Vec<i16>,
    turn_laid: Vec<u32>,
    steps: Vec<i32>,
}

/// Bytes for the caller.
pub struct WcBytes(Vec<u8>);

/// Stores the reason for a failure.
fn failed(why: impl std::fmt::Display) {
    // A C string ends at the first zero byte.
    let text = why.to_string().replace('\0', "�");
    ERROR.set(CString::new(text).unwrap_or_default());
}

/// Returns a handle. If there is an error, stores the reason and returns null.
fn handle<T>(result: Result<T, impl std::fmt::Display>) -> *mut T {
    match result {
        Ok(value) => Box::into_raw(Box::new(value)),
        Err(why) => {
            failed(why);
            std::ptr::null_mut()
        }
    }
}

/// Returns the caller's bytes.
///
/// # Safety
///
/// `data` points to `length` bytes, or `length` is 0.
unsafe fn bytes<'a>(data: *const u8, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the caller of the interface owns this many bytes.
    unsafe { slice::from_raw_parts(data, length) }
}

/// Returns the caller's text; bytes that are not UTF-8 are replaced.
///
/// # Safety
///
/// As for [`bytes`].
unsafe fn text(data: *const c_char, length: usize) -> String {
    // SAFETY: the caller of this function guarantees the same.
    String::from_utf8_lossy(unsafe { bytes(data.cast(), length) }).into_owned()
}

#[unsafe(no_mangle)]
pub extern "C" fn wc_error() -> *const c_char {
    // The text moves only when another reason is stored.
    ERROR.with_borrow(|error| error.as_ptr())
}

#[unsafe(no_mangle)]
pub extern "C" fn wc_version() -> *const c_char {
    VERSION.as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn wc_seed_catalog() -> u32 {
    SEED_CATALOG
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_bytes_data(bytes: *const WcBytes) -> *const u8 {
    // SAFETY: the caller passes a handle of this interface.
    unsafe { &*bytes }.0.as_ptr()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_bytes_length(bytes: *const WcBytes) -> usize {
    // SAFETY: the caller passes a handle of this interface.
    unsafe { &*bytes }.0.len()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_bytes_free(bytes: *mut WcBytes) {
    // SAFETY: the caller passes a handle of this interface, and does not use it again.
    unsafe { free(bytes) };
}

#[unsafe(no_mangle)]
pub extern "C" fn wc_presets() -> *mut WcBytes {
    let all = Preset::all().iter();
    let all: Vec<_> = all
        .map(|preset| json!({"name": preset.name, "summary": preset.summary()}))
        .collect();
    handle(serde_json::to_vec(&all).map(WcBytes))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_design_parse(data: *const c_char, length: usize) -> *mut WcDesign {
    // SAFETY: the caller owns this text.
    let text = unsafe { text(data, length) };
    let parsed: Result<_, String> = if DungeonCode::is_code(&text) {
        DungeonCode::read(&text)
            .map(|code| (code.design, Vec::new()))
            .map_err(|error| error.to_string())
    } else {
        let text = Text::new("design", text);
        let read = format::read_as([(&text, Kind::guess(&text))]);
        read.map(|(design, mut about_text)| {
            // Drops the notes. Commands that grow a dungeon do not show them either.
            about_text.retain(|diagnostic| diagnostic.severity > Severity::Note);
            (design, about_text)
        })
        .map_err(|error| error.to_string())
    };
    handle(parsed.map(|(design, about_text)| WcDesign {
        design,
        levels: LevelFiles::default(),
        about_text,
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_design_preset(name: *const c_char, length: usize) -> *mut WcDesign {
    // SAFETY: the caller owns this many bytes.
    let name = unsafe { text(name, length) };
    let found = Preset::find(&name).ok_or_else(|| format!("unknown preset `{name}`"));
    handle(found.map(|preset| WcDesign {
        design: preset.design(),
        levels: LevelFiles::default(),
        about_text: Vec::new(),
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_design_free(design: *mut WcDesign) {
    // SAFETY: the caller passes a handle of this interface, and does not use it again.
    unsafe { free(design) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_design_add_level(
    design: *mut WcDesign,
    name: *const c_char,
    name_length: usize,
    data: *const u8,
    length: usize,
) -> bool {
    // SAFETY: the caller passes a handle of this interface, and bytes that it owns.
    let (design, name, data) = unsafe { (&mut *design, text(name, name_length), bytes(data, length)) };
    design.levels = std::mem::take(&mut design.levels).with(name, data);
    true
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_design_change(design: *mut WcDesign, rule: *const c_char, length: usize) -> bool {
    // SAFETY: the caller passes a handle of this interface, and bytes that it owns.
    let (design, rule) = unsafe { (&mut *design, text(rule, length)) };
    let changed = Rule::read(&rule).map_err(|error| error.to_string());
    let changed = changed.and_then(|rule| rule.apply(&mut design.design).map_err(|error| error.to_string()));
    changed.map_err(failed).is_ok()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_design_toml(design: *const WcDesign) -> *mut WcBytes {
    // SAFETY: the caller passes a handle of this interface.
    let text = native::write(&unsafe { &*design }.design);
    handle(Ok::<_, String>(WcBytes(text.into_bytes())))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_design_code(design: *const WcDesign, seed: u64) -> *mut WcBytes {
    // SAFETY: the caller passes a handle of this interface.
    let mut design = unsafe { &*design }.design.clone();
    design.seed = seed;
    let code = DungeonCode { design, turn: None };
    handle(code.write().map(|text| WcBytes(text.into_bytes())))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_design_seed(design: *const WcDesign) -> u64 {
    // SAFETY: the caller passes a handle of this interface.
    unsafe { &*design }.design.seed
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_grow(design: *const WcDesign, seed: u64) -> *mut WcDungeon {
    // SAFETY: the caller passes a handle of this interface.
    handle(unsafe { &*design }.grow(seed))
}

impl WcDesign {
    fn grow(&self, seed: u64) -> Result<WcDungeon, InvalidDesign> {
        if cfg!(not(feature = "vaults")) && !self.design.layout.vaults.is_empty() {
            let why = "the design has vaults, which this build of the library cannot grow: it has no Lua interpreter";
            let diagnostics =
                vec![Diagnostic::error(why).help("use a design without vaults, or grow it in the program")];
            return Err(InvalidDesign { diagnostics });
        }
        let resolved = MazeGrower::new(&self.design, self.levels.clone()).and_then(|mut grower| grower.design(seed));
        let (design, about_design) = resolved.map_err(|error| self.with_advice(error))?;
        let mut diagnostics = self.about_text.clone();
        diagnostics.extend(about_design.into_iter().filter(|found| !found.repeats(&self.about_text)));
        diagnostics.extend(cautions(&design, Options::default()));
        let (mut growth, mut recording) = Recording::begin(&design, Options::default());
        diagnostics.extend_from_slice(growth.diagnostics());
        growth.finish(&mut recording);
        recording.finish();
        Ok(WcDungeon {
            turn: recording.turns(),
            design,
            diagnostics,
            recording,
            arrays: Arrays::default(),
        })
    }

    /// Replaces the advice in errors about level files that were not added. The original advice names an argument of a
    /// Rust function, which a C program cannot use.
    fn with_advice(&self, mut error: InvalidDesign) -> InvalidDesign {
        let files = self.design.layout.vaults.iter().map(|vault| vault.file.as_str());
        let missing: Vec<_> = files.filter(|file| self.levels.get(file).is_none()).collect();
        for diagnostic in &mut error.diagnostics {
            let names = |file: &&str| diagnostic.message.contains(&format!("`{file}`"));
            if missing.iter().any(names) {
                diagnostic.help = "add it with `wc_design_add_level`".into();
            }
        }
        error
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_diagnostics(dungeon: *const WcDungeon) -> *mut WcBytes {
    let mut text = String::new();
    // SAFETY: the caller passes a handle of this interface.
    for diagnostic in &unsafe { &*dungeon }.diagnostics {
        for (number, line) in diagnostic.to_string().lines().enumerate() {
            // Only the first line of a diagnostic starts without a space, even if the message has line breaks.
            if number > 0 && !line.starts_with(' ') {
                text.push_str("  ");
            }
            text.push_str(line);
            text.push('\n');
        }
    }
    handle(Ok::<_, String>(WcBytes(text.into_bytes())))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_dungeon_free(dungeon: *mut WcDungeon) {
    // SAFETY: the caller passes a handle of this interface, and does not use it again.
    unsafe { free(dungeon) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_rows(dungeon: *const WcDungeon) -> i32 {
    // SAFETY: the caller passes a handle of this interface.
    unsafe { &*dungeon }.design.layout.size.x
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_columns(dungeon: *const WcDungeon) -> i32 {
    // SAFETY: the caller passes a handle of this interface.
    unsafe { &*dungeon }.design.layout.size.y
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_turns(dungeon: *const WcDungeon) -> u64 {
    // SAFETY: the caller passes a handle of this interface.
    unsafe { &*dungeon }.recording.turns()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_turn(dungeon: *const WcDungeon) -> u64 {
    // SAFETY: the caller passes a handle of this interface.
    unsafe { &*dungeon }.turn
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_seek(dungeon: *mut WcDungeon, turn: u64) {
    // SAFETY: the caller passes a handle of this interface.
    let dungeon = unsafe { &mut *dungeon };
    dungeon.turn = turn.min(dungeon.recording.turns());
    dungeon.arrays = Arrays::default();
}

/// Returns an array of a dungeon, which is filled on first use.
fn array<T>(
    dungeon: &mut WcDungeon,
    of: impl Fn(&mut Arrays) -> &mut Vec<T>,
    value: impl Fn(&DungeonView<'_>, Point) -> T,
) -> *const T {
    if of(&mut dungeon.arrays).is_empty() {
        let view = DungeonView::new(&dungeon.design, &dungeon.recording, dungeon.turn);
        *of(&mut dungeon.arrays) = view.squares().map(|at| value(&view, at)).collect();
    }
    of(&mut dungeon.arrays).as_ptr()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_tiles(dungeon: *mut WcDungeon) -> *const u8 {
    let tile = |view: &DungeonView<'_>, at| -> Tile { view.grid().tile(at) };
    // SAFETY: the caller passes a handle of this interface.
    array(
        unsafe { &mut *dungeon },
        |all| &mut all.tiles,
        |view, at| tile(view, at) as u8,
    )
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_generations(dungeon: *mut WcDungeon) -> *const i16 {
    let generation = |view: &DungeonView<'_>, at| {
        let generation = view.generation(at);
        generation.map_or(-1, |generation| i16::try_from(generation).unwrap_or(i16::MAX))
    };
    // SAFETY: the caller passes a handle of this interface.
    array(unsafe { &mut *dungeon }, |all| &mut all.generations, generation)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_turn_laid(dungeon: *mut WcDungeon) -> *const u32 {
    let turn = |view: &DungeonView<'_>, at| {
        let laid = view.laid(at);
        laid.map_or(0, |(_, turn)| u32::try_from(turn).unwrap_or(u32::MAX))
    };
    // SAFETY: the caller passes a handle of this interface.
    array(unsafe { &mut *dungeon }, |all| &mut all.turn_laid, turn)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_steps(dungeon: *mut WcDungeon) -> *const i32 {
    let steps = |view: &DungeonView<'_>, at| {
        let steps = view.steps(at);
        steps.map_or(-1, |steps| i32::try_from(steps).unwrap_or(i32::MAX))
    };
    // SAFETY: the caller passes a handle of this interface.
    array(unsafe { &mut *dungeon }, |all| &mut all.steps, steps)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_events(dungeon: *const WcDungeon, from: u64, to: u64) -> *mut WcBytes {
    // SAFETY: the caller passes a handle of this interface.
    let recording = &unsafe { &*dungeon }.recording;
    let mut events = Vec::new();
    if from == 0 {
        events.extend(recording.events_of(0).into_iter().map(|event| (0, event)));
    }
    recording.walk(from, to.min(recording.turns()), |turn, event| {
        events.push((turn, *event));
    });
    handle(serde_json::to_vec(&events).map(WcBytes))
}

/// Largest number of pixels per side of a square, as in the program.
const MOST_SCALE: u32 = 4096;

/// Longest duration of an animation in milliseconds, as in the program: an hour.
const MOST_DURATION: u32 = 3_600_000;

/// Parses the export options from a JSON object; an empty string yields the defaults.
///
/// # Errors
///
/// Fails for unknown names, which are probably misspelt, and for numbers that the program does not accept either.
fn options(json: &str) -> Result<ExportOptions, String> {
    let json = json.trim();
    if json.is_empty() {
        return Ok(ExportOptions::default());
    }
    let unreadable = |error: serde_json::Error| format!("the options cannot be read: {error}");
    let given: Value = serde_json::from_str(json).map_err(unreadable)?;
    if !given.is_object() {
        return Err("the options cannot be read: they are not a JSON object".into());
    }
    // A script of moments is serialized only if there is one.
    let with_moments = ExportOptions {
        moments: "0,end:1".parse().ok(),
        ..ExportOptions::default()
    };
    let mut known = serde_json::to_value(with_moments).map_err(unreadable)?;
    // These fields state how the dungeon was grown, which the caller cannot choose.
    if let Some(names) = known.as_object_mut() {
        names.retain(|name, _| !matches!(name.as_str(), "engine" | "sources"));
    }
    check_names(&given, &known, "")?;
    let options: ExportOptions = serde_json::from_str(json).map_err(unreadable)?;
    let limits = [
        ("scale", options.scale, MOST_SCALE),
        ("grid", options.grid, u32::MAX),
        ("duration", Some(options.duration), MOST_DURATION),
    ];
    for (name, number, most) in limits {
        if number.is_some_and(|number| !(1..=most).contains(&number)) {
            return Err(format!("the option `{name}` must be from 1 to {most}"));
        }
    }
    Ok(options)
}

/// Returns an error if an object, or an object in it, has a name that the known value lacks. `path` precedes the name in
/// the message.
fn check_names(given: &Value, known: &Value, path: &str) -> Result<(), String> {
    let (Some(given), Some(known)) = (given.as_object(), known.as_object()) else {
        return Ok(());
    };
    for (name, value) in given {
        let Some(known) = known.get(name) else {
            let all: Vec<&str> = known.keys().map(String::as_str).collect();
            return Err(format!("unknown option `{path}{name}`; use one of {}", all.join(", ")));
        };
        check_names(value, known, &format!("{path}{name}."))?;
    }
    Ok(())
}

/// Exports a dungeon. `texts` are the kind, the name and the options, each as a pointer and a length. Returns the bytes
/// of the export, and those of the companion file if the kind has one.
///
/// # Safety
///
/// `dungeon` is a handle of this interface; each string is valid as for [`bytes`].
unsafe fn exported(
    dungeon: *const WcDungeon,
    texts: [(*const c_char, usize); 3],
) -> Result<(Vec<u8>, Option<Vec<u8>>), String> {
    // SAFETY: the caller of this function guarantees the same.
    let (dungeon, [kind, name, json]) = unsafe { (&*dungeon, texts.map(|(data, length)| text(data, length))) };
    let (kind, name) = (kind.as_str(), name.as_str());
    let found = ExportKind::by_name(kind).ok_or_else(|| format!("unknown kind of export `{kind}`"))?;
    let options = options(&json)?;
    let view = DungeonView::new(&dungeon.design, &dungeon.recording, dungeon.turn);
    let mut bytes = Vec::new();
    export::write(found, &view, &options, name, &mut bytes, &mut |_, _| {
        ControlFlow::Continue(())
    })
    .map_err(|error| error.to_string())?;
    let beside = export::beside(found, &view, &options, name).map_err(|error| error.to_string())?;
    Ok((bytes, beside.map(|(_, bytes)| bytes)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_export(
    dungeon: *const WcDungeon,
    kind: *const c_char,
    kind_length: usize,
    name: *const c_char,
    name_length: usize,
    options: *const c_char,
    options_length: usize,
) -> *mut WcBytes {
    let texts = [(kind, kind_length), (name, name_length), (options, options_length)];
    // SAFETY: the caller passes a handle of this interface, and bytes that it owns.
    handle(unsafe { exported(dungeon, texts) }.map(|(bytes, _)| WcBytes(bytes)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_export_beside(
    dungeon: *const WcDungeon,
    kind: *const c_char,
    kind_length: usize,
    name: *const c_char,
    name_length: usize,
    options: *const c_char,
    options_length: usize,
) -> *mut WcBytes {
    let texts = [(kind, kind_length), (name, name_length), (options, options_length)];
    // SAFETY: the caller passes a handle of this interface, and bytes that it owns.
    let beside = unsafe { exported(dungeon, texts) };
    handle(beside.and_then(|(_, beside)| {
        beside
            .map(WcBytes)
            .ok_or_else(|| "this kind has no companion file".into())
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn wc_alloc(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wc_release(memory: *mut u8, length: usize) {
    // SAFETY: the caller passes memory from `wc_alloc` with the same length, and does not use it again.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(memory, length)) });
}

/// Frees a handle; null is ignored.
///
/// # Safety
///
/// `handle` is a handle of this interface, and is not used again.
unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller of this function guarantees the same.
        drop(unsafe { Box::from_raw(handle) });
    }
}
