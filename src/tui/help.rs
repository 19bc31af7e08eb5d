//! The help overlay. It shows the purpose and keys of the focused part of the screen, then the rest of the key table;
//! during a search, only the matching rows. In the player, help shows only the player's keys. The same overlay shows
//! facts about the recording being played.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};
use unicode_width::UnicodeWidthStr as _;

use super::commands::{Action, ViewCommand};
use super::editor::Editor;
use super::tabs::Panel;
use super::tabs::View;
use super::theme::Theme;
use super::widget::list::{ListStep, scrollbar};
use super::widget::popup::{after, popup, popup_area};
use super::widget::prompt::{PasteCut, TextField, TextKind};
use super::widget::text::{put, wrap};
use crate::tui::keymap::playback::{self, lists};
use crate::tui::keymap::task::{self, Task};
use crate::tui::keymap::{self, Binding, Context, Keymap};

/// Maximum width of the help overlay, and the width of its list of keys, both in characters.
const WIDTH: u16 = 92;
const KEYS_WIDTH: usize = 22;

/// Minimum width of the screen for showing help texts beside their keys, and facts beside their labels; on a narrower
/// screen, help texts and facts are shown below them.
const BESIDE_FROM: u16 = 56;

/// Width in columns of the facts' labels.
const FACT_WIDTH: usize = 12;

/// The state of the help overlay.
#[derive(Debug, Default)]
pub(super) struct HelpState {
    /// Index of the first line shown.
    top: u16,
    /// Contexts that applied when help was opened, the narrowest first; their rows are shown first.
    here: Vec<Context>,
    /// Bindings that did nothing in the state in which help was opened; only a search shows them.
    idle: Vec<&'static Binding>,
    /// The words to search for; `None` unless a search was started.
    words: Option<TextField>,
    /// Whether the user is typing the words.
    typing: bool,
    /// Facts shown instead of keys, each with a label and a text.
    facts: Vec<(&'static str, String)>,
}

impl HelpState {
    /// Creates the state, scrolled to the top. `here` are the contexts that apply, the narrowest first; their rows are
    /// shown first. `idle` are the bindings to leave out.
    pub(super) const fn new(here: Vec<Context>, idle: Vec<&'static Binding>) -> Self {
        Self {
            top: 0,
            here,
            idle,
            words: None,
            typing: false,
            facts: Vec::new(),
        }
    }

    /// Creates an overlay that shows facts instead of keys.
    pub(super) fn about(facts: Vec<(&'static str, String)>) -> Self {
        Self {
            facts,
            ..Self::default()
        }
    }

    /// Returns the title of the overlay.
    const fn title(&self) -> &'static str {
        if self.facts.is_empty() { "Help" } else { "About" }
    }

    /// Returns the context whose keys apply.
    pub(super) const fn context(&self) -> Context {
        if self.typing {
            Context::HelpSearch
        } else {
            Context::Help
        }
    }

    /// Scrolls by a step, at most to the end of the text.
    pub(super) fn scroll(&mut self, step: ListStep, editor: &Editor) {
        let text = self.text(editor.theme, &editor.keymap, editor.screen.width).len() as u16;
        let rows = self.visible_rows(text, editor.screen);
        let top = usize::from(self.top_of(text, editor.screen)).saturating_add_signed(step.rows(rows));
        self.top = top.min(usize::from(text)) as u16;
        self.top = self.top_of(text, editor.screen);
    }

    /// Returns how many lines are visible, of `text` lines in all.
    fn visible_rows(&self, text: u16, screen: Rect) -> u16 {
        self.rows(popup_area(WIDTH, text + self.frame(), screen).height.saturating_sub(2))
    }

    /// Returns the index of the first line shown, of `text` lines in all. The index is small enough that no rows stay
    /// empty below the text.
    fn top_of(&self, text: u16, screen: Rect) -> u16 {
        self.top.min(text.saturating_sub(self.visible_rows(text, screen)))
    }

    /// Starts a search, or continues typing its words.
    pub(super) fn search(&mut self) {
        // Facts are not searched, as there are only a few.
        if self.facts.is_empty() {
            self.words.get_or_insert_with(|| TextField::new(TextKind::Line, ""));
            self.typing = true;
        }
    }

    /// Ends the typing of search words. With `keep`, help still shows only the rows with these words; otherwise it
    /// shows all rows.
    pub(super) fn end_search(&mut self, keep: bool) {
        self.typing = false;
        self.words.take_if(|words| !keep || words.text().trim().is_empty());
        self.top = 0;
    }

    /// Passes a key to the field for the search words. Returns whether the field handled the key.
    pub(super) fn typed(&mut self, key: &KeyEvent) -> bool {
        let Some(words) = self.words.as_mut().filter(|_| self.typing) else {
            return false;
        };
        self.top = 0;
        words.press(key)
    }

    /// Inserts pasted text into the search line, if the user is typing there.
    pub(super) fn paste(&mut self, text: &str) -> Option<PasteCut> {
        let words = self.words.as_mut().filter(|_| self.typing)?;
        self.top = 0;
        words.paste(text)
    }

    /// Returns the number of rows that the popup's frame and the search line need.
    const fn frame(&self) -> u16 {
        2 + self.words.is_some() as u16
    }

    /// Returns how many rows are left for the text if the frame encloses `inside` rows.
    const fn rows(&self, inside: u16) -> u16 {
        inside.saturating_sub(self.words.is_some() as u16)
    }

    /// Returns the lines for a screen of this width.
    fn text(&self, theme: Theme, keymap: &Keymap, width: u16) -> Vec<Line<'static>> {
        if !self.facts.is_empty() {
            return facts(theme, &self.facts, width);
        }
        let words = self.words.as_ref().map(|words| words.text().to_lowercase());
        let words = words.as_deref().unwrap_or_default();
        text(theme, keymap, (&self.here, &self.idle), words, width)
    }
}

/// Returns every context that has bindings, in the order in which help shows them.
pub(super) fn contexts() -> impl Iterator<Item = Context> {
    [Context::Everywhere, Context::Map, Context::Tools, Context::Panels]
        .into_iter()
        .chain(Panel::ALL.map(Context::Panel))
        .chain([
            Context::Typing,
            Context::Copying,
            Context::Varying,
            Context::Views,
            Context::Remedies,
            Context::Tuning,
            Context::TuneText,
            Context::Learning,
        ])
        .chain(View::ALL.map(Context::View))
        .chain([
            Context::Vaults,
            Context::Rolls,
            Context::VaultText,
            Context::Placing,
            Context::Gallery,
            Context::Atlas,
            Context::AtlasFile,
            Context::SeedFilter,
            Context::MetricList,
            Context::Compare,
            Context::Walk,
            Context::Player,
            Context::Moment,
            Context::Scatter,
            Context::Alert,
            Context::Form,
            Context::New,
            Context::Export,
            Context::ExportPath,
            Context::ExportText,
            Context::Import,
            Context::ImportText,
            Context::Presets,
            Context::ChooseList,
            Context::Leftovers,
            Context::Leaving,
            Context::Conflict,
            Context::Replacing,
            Context::Unfinished,
            Context::Saving,
            Context::Note,
            Context::Help,
            Context::HelpSearch,
            Context::Palette,
            Context::Tour,
        ])
        .filter(|context| keymap::table().any(|binding| binding.context == *context))
}

/// Returns the purpose of a context in a few sentences; empty if the help texts of its keys explain it. The caller
/// replaces each `{}` by the key for following a link in a view.
const fn about(context: Context) -> &'static str {
    match context {
        Context::Map => {
            "The dungeon at the moment shown. Arrows show the headings of Builders; dim ones are asleep. The square under \
             the cursor is described at the lower right; a click sets the cursor, a drag moves the view, the wheel zooms."
        }
        Context::Tools => {
            "Draws on the design: a drawn room or Crawler is the same as one typed in the Rooms panel, and each stroke is one \
             undo step. The preview shows the result."
        }
        Context::Panel(Panel::Stats) => {
            "The character: a column for each generation of Crawlers, a row for each parameter. Below the table are the \
             selected parameter's range, default and meaning, and the reason if it has no effect."
        }
        Context::Panel(Panel::Rooms) => {
            "The layout: dimensions, rooms, squares that stay open, wall tiles, columns, first Crawlers, vaults and named \
             places. Go into an entry to change its fields; the map marks the squares of the selected entry."
        }
        Context::Panel(Panel::Constants) => "Six numbers for all generations, with their ranges and meaning below.",
        Context::Panel(Panel::Design) => "Name, notes, seed and files of the design.",
        Context::Panel(Panel::Problems) => {
            "Problems of the design, its files and the settings, the most severe first, each with a suggested fix."
        }
        Context::Panel(Panel::Expect) => {
            "Conditions that the design's dungeons should meet, on metrics such as `path`, `dead-ends` and `enclosed` (see \
             `wallcrawler survey --help`). Each is checked for this dungeon once it is fully grown and, on request, \
             for the dungeons of a hundred seeds."
        }
        Context::View(View::Legend) => "What the colours on the map mean, and how many tiles have each colour.",
        Context::View(View::Inspect) => {
            "Which Builder laid the tile under the map's cursor, when, and which decisions led to it, back to the \
             first Crawler that the Builder descends from. Press {} on a line to show the turn of the decision."
        }
        Context::View(View::Events) => {
            "What happened around the moment shown: births, turns, deaths. You can filter the list by kind, generation and place."
        }
        Context::View(View::Plan) => {
            "What is known before anything grows: when each first Crawler and its descendants act, and which generation spawns which."
        }
        Context::View(View::Plots) => "Living Builders, births, deaths by cause and tiles by generation, over time.",
        Context::View(View::Metrics) => {
            "Metrics of the dungeon at the moment shown: path, enclosed areas, dead ends, widths, tiles by \
             generation. Press {} on a line to go to its place."
        }
        Context::View(View::History) => {
            "Every edit since the design was opened. Press {} on a line to return to that state."
        }
        Context::Remedies => {
            "Flaws of the design over many seeds (anomalies, failed expectations, a path that is too direct), and \
             remedies: changes to the design, each tried with the same seeds and listed with its effect on the flaw \
             and on other metrics."
        }
        Context::Tuning => {
            "Searches for parameter values with which the design meets its expectations over many seeds. First choose \
             the parameters that may change; then view the result and keep it as one edit, or discard it."
        }
        Context::Learning => {
            "Searches for parameter values with which the design's dungeons resemble the examples in six metrics and \
             in their patterns of 3 × 3 squares. View the result and keep it as one edit, or discard it."
        }
        Context::Vaults => {
            "Hand-made maps from level files, resolved from the seed shown below. Place one of them in the design."
        }
        Context::Gallery => {
            "The design's dungeons from many seeds, each with the metric that they are sorted by; below, the metrics of the \
             selected one and its rank among all. A click selects a dungeon, a second click opens it, the right button marks it."
        }
        Context::Atlas => {
            "Variants of the design, arranged by two metrics: each filled cell holds one variant, and its place shows the \
             median values of the two metrics in the variant's dungeons. @ is the cell of the design from which the atlas \
             was started, ★ a marked cell, ◆ a child of two marked cells. A click selects a cell, a second click opens it, \
             the right button marks it."
        }
        Context::Compare => {
            "Two designs, or two seeds, at the same iteration and with the same squares in view: tiles that only one side \
             has are in that side's colour. Below, every metric over many dungeons of each, and whether the difference is significant; the \
             p-values are corrected for the number of metrics."
        }
        Context::SeedFilter => {
            "A condition is made of metrics, numbers, the comparisons < <= > >= == != and the words `and`, `or`, \
             `not`, as in `path > 250 and dead-ends < 30`. There are also `share(generation 3)` (the share of the wall \
             tiles and columns that generation 3 laid), `share(width 2..4)` (the share of the reachable squares in \
             passages 2, 3 or 4 squares wide), `crosses room 1` (a shortest path leads through it), `needs room 1` \
             (every path leads through it) and `severs vault 1` (blocking one cross-section of a passage cuts \
             the vault off)."
        }
        Context::Player => {
            "A recording on the whole screen, without the designer around it: `wallcrawler play`. Nothing can be \
             edited here, but the designer's keys for time and for viewing the map work."
        }
        Context::Palette => {
            "Type part of an action's name, its key, or a word for what it does; recently used actions come first."
        }
        _ => "",
    }
}

/// Returns whether each of the words occurs in a binding's name, keys or help, or in the title of its context.
fn has(binding: &'static Binding, keymap: &Keymap, words: &str) -> bool {
    let place = binding.context.title();
    let all = format!("{} {} {} {place}", binding.name, keymap.text(binding), binding.help).to_lowercase();
    words.split_whitespace().all(|word| all.contains(word))
}

/// Returns the lines for a screen of this width: all rows of the key table, or only those that contain all of the
/// words.
fn text(
    theme: Theme,
    keymap: &Keymap,
    (here, idle): (&[Context], &[&'static Binding]),
    words: &str,
    width: u16,
) -> Vec<Line<'static>> {
    let is_idle = |binding: &'static Binding| idle.iter().any(|one| std::ptr::eq(*one, binding));
    let beside = width >= BESIDE_FROM;
    let inside = usize::from(width.min(WIDTH)).saturating_sub(6);
    let room = inside.saturating_sub(if beside { KEYS_WIDTH } else { 0 }).max(10);
    let plays = here.contains(&Context::Player);
    let link = keymap.key_of(Action::View(ViewCommand::Go));
    let mut lines = Vec::new();
    if words.is_empty() && !plays {
        lines.push(Line::styled(" The five most useful keys", theme.heading()));
        for binding in task::first() {
            lines.extend(binding_lines(theme, keymap, binding, beside, room));
        }
    }
    let rest = contexts().filter(|context| !here.contains(context) && lists(plays, *context));
    for context in here
        .iter()
        .copied()
        .filter(|context| contexts().any(|c| c == *context) || !about(*context).is_empty())
        .chain(rest)
    {
        let rows: Vec<&'static Binding> = keymap::table()
            .filter(|binding| binding.context == context && has(binding, keymap, words))
            .filter(|binding| !plays || playback::has(binding, keymap))
            .filter(|binding| !words.is_empty() || !is_idle(binding))
            .collect();
        if rows.is_empty() && !words.is_empty() {
            continue;
        }
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::styled(format!(" {}", context.title()), theme.heading()));
        for part in wrap(&about(context).replace("{}", &link), inside.max(10))
            .into_iter()
            .filter(|_| words.is_empty())
        {
            lines.push(Line::styled(format!("  {part}"), theme.quiet()));
        }
        // The contexts `Map` and `Everywhere` have many keys, so their rows are grouped by task.
        let is_grouped = words.is_empty() && matches!(context, Context::Map | Context::Everywhere);
        let mut task = None;
        let mut rows = rows;
        if is_grouped {
            rows.sort_by_key(|binding| Task::of(binding.action));
        }
        for binding in rows {
            let own = Task::of(binding.action);
            if is_grouped && task.replace(own) != Some(own) {
                lines.push(Line::styled(format!("  {}", own.title()), theme.quiet()));
            }
            lines.extend(binding_lines(theme, keymap, binding, beside, room));
        }
    }
    if lines.is_empty() {
        lines.push(Line::styled("  no key or action matches these words", theme.quiet()));
    }
    lines
}

/// Returns the lines of a binding: its keys and its help text, which is `room` columns wide. With `beside`, the help
/// text is beside the keys if they are short enough, otherwise below them.
fn binding_lines(
    theme: Theme,
    keymap: &Keymap,
    binding: &'static Binding,
    beside: bool,
    room: usize,
) -> Vec<Line<'static>> {
    let mut keys = keymap.text(binding);
    let parts = wrap(binding.help, room).into_iter();
    if !beside || keys.width() > KEYS_WIDTH {
        let parts = parts.map(|part| Line::styled(format!("    {part}"), theme.text()));
        return std::iter::once(Line::styled(format!("  {keys}"), theme.accent()))
            .chain(parts)
            .collect();
    }
    let line = |part: String| {
        let keys = std::mem::take(&mut keys);
        Line::from(vec![
            Span::styled(format!("  {keys:<KEYS_WIDTH$} "), theme.accent()),
            Span::styled(part, theme.text()),
        ])
    };
    parts.map(line).collect()
}

/// Returns the lines of facts for a screen of this width.
fn facts(theme: Theme, facts: &[(&'static str, String)], width: u16) -> Vec<Line<'static>> {
    let inside = usize::from(width.min(WIDTH)).saturating_sub(6);
    let beside = width >= BESIDE_FROM;
    let room = inside.saturating_sub(if beside { FACT_WIDTH } else { 2 }).max(10);
    let mut lines = Vec::new();
    for (about, description) in facts {
        let mut about = *about;
        if !beside {
            lines.push(Line::styled(format!(" {about}"), theme.quiet()));
            about = "";
        }
        let indent = if beside { FACT_WIDTH } else { 2 };
        for part in wrap(description, room) {
            lines.push(Line::from(vec![
                Span::styled(format!(" {about:<indent$} "), theme.quiet()),
                Span::styled(part, theme.text()),
            ]));
            about = "";
        }
    }
    lines
}

impl HelpState {
    /// Draws help over the screen.
    pub(super) fn draw(&self, editor: &Editor, screen: Rect, buf: &mut Buffer) {
        let theme = editor.theme;
        let text = self.text(theme, &editor.keymap, screen.width);
        // During a search, the popup has its full height, so that the height does not change with the number of
        // matches.
        let height = if self.words.is_some() {
            screen.height
        } else {
            text.len() as u16 + self.frame()
        };
        let (all, top) = (text.len(), self.top_of(text.len() as u16, screen));
        let inside = popup(theme, self.title(), WIDTH, height, screen, buf);
        let lines = Rect {
            height: self.rows(inside.height),
            ..inside
        };
        Paragraph::new(text).scroll((top, 0)).render(lines, buf);
        let bar = Rect {
            x: lines.right(),
            width: 1,
            ..lines
        };
        scrollbar(theme, bar, top.into(), all, buf);
        let line = Rect {
            y: lines.bottom(),
            height: inside.height - lines.height,
            ..inside
        };
        let Some(words) = self.words.as_ref().filter(|_| !line.is_empty()) else {
            return;
        };
        put(" /", line, theme.accent(), buf);
        let field = Rect {
            width: line.width.saturating_sub(3),
            ..after(line, 2)
        };
        if self.typing {
            words.draw(theme, field, buf);
        } else {
            put(words.text(), field, theme.text(), buf);
        }
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{Event, KeyCode};

    use super::Keymap;
    use crate::background::Message;
    use crate::settings::KeyChange;
    use crate::tui::fixture::{TestApp, drawn_at_any_size};

    #[test]
    fn help_is_searched_for_words_in_any_order() {
        let mut designer = TestApp::grown(80, 24);
        designer.keys("?/");
        designer.keys("undo grow");
        let text = designer.text();
        assert!(text.contains("Undo the last edit and grow again."), "{text}");
        assert!(!text.contains("Move the cursor up."), "{text}");
        insta::assert_snapshot!("help_that_is_searched", text);
        // While the words are being typed, letters are text; after Enter, they are keys again.
        designer.press(KeyCode::Enter);
        designer.keys("j");
        assert!(designer.text().contains("/undo grow"), "{}", designer.text());
        designer.keys("/zzz");
        assert!(
            designer.text().contains("no key or action matches these words"),
            "{}",
            designer.text()
        );
        designer.press(KeyCode::Esc);
        assert!(designer.text().contains("Move the cursor up."), "{}", designer.text());
        designer.press(KeyCode::Esc);
        assert!(designer.app.dialogs.open.is_none());
    }

    #[test]
    fn many_keys_do_not_cut_off_the_help_text() {
        let mut designer = TestApp::grown(80, 24);
        designer.app.editor.keymap = Keymap::with(&[KeyChange {
            context: "everywhere".into(),
            action: "undo".into(),
            keys: (1..=16).map(|number| format!("F{number}")).collect(),
        }]);
        designer.keys("?/");
        designer.keys("undo grow");
        assert!(
            designer.text().contains("Undo the last edit and grow again."),
            "{}",
            designer.text()
        );
    }

    #[test]
    fn words_can_be_pasted_and_a_key_is_found_by_its_name() {
        let mut designer = TestApp::grown(80, 24);
        designer.keys("?/");
        designer.send(Message::Input(Event::Paste("ctrl-s".into())));
        assert!(
            designer.text().contains("Save the design to its files."),
            "{}",
            designer.text()
        );
        let shown = drawn_at_any_size(|area, buf| designer.app.draw_dialog(area, buf), (80, 24));
        assert!(shown.contains("ctrl-s"));
    }
}
