//! The help overlay: what the part of the screen in focus is for, its keys, and then the rest of the key table.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use super::app::App;
use super::dialog::{popup, popup_area};
use super::keys::{self, Context, Keymap};
use super::panels::Panel;
use super::text::wrap;
use super::theme::Theme;
use super::views::View;

/// Widest that help becomes, and the column of the keys.
const WIDTH: u16 = 92;
const KEYS_WIDTH: usize = 22;

/// How far help is scrolled, and the places where the user was, the narrowest first: they come first.
#[derive(Debug, Default)]
pub(super) struct State {
    top: u16,
    here: Vec<Context>,
}

impl State {
    /// At the top, for somebody where the keys of these places hold.
    pub(super) const fn new(here: Vec<Context>) -> Self {
        Self { top: 0, here }
    }

    /// Scrolls by lines, no further than the text goes.
    pub(super) fn scroll(&mut self, lines: i16, theme: Theme, keymap: &Keymap, screen: Rect) {
        let text = text(theme, keymap, &self.here, screen.width).len() as u16;
        let seen = popup_area(WIDTH, text + 2, screen).height.saturating_sub(2);
        self.top = self.top.saturating_add_signed(lines).min(text.saturating_sub(seen));
    }
}

/// Every place that has keys, in the order of help.
pub(super) fn contexts() -> impl Iterator<Item = Context> {
    [Context::Everywhere, Context::Map, Context::Tools, Context::Panels]
        .into_iter()
        .chain(Panel::ALL.map(Context::Panel))
        .chain([Context::Typing, Context::Copying, Context::Varying, Context::Views])
        .chain(View::ALL.map(Context::View))
        .chain([
            Context::Vaults,
            Context::Rolls,
            Context::VaultText,
            Context::Placing,
            Context::Gallery,
            Context::SeedFilter,
            Context::FigureList,
            Context::Compare,
            Context::Alert,
            Context::Form,
            Context::Presets,
            Context::Leftovers,
            Context::Leaving,
            Context::Conflict,
            Context::Replacing,
            Context::Note,
            Context::Help,
            Context::Palette,
            Context::Tour,
        ])
        .filter(|context| keys::table().any(|binding| binding.context == *context))
}

/// What a place is for, in a few sentences; empty where its keys tell it all.
const fn about(context: Context) -> &'static str {
    match context {
        Context::Map => {
            "The dungeon at the moment shown. Arrows are Builders in their heading, dim ones asleep. The cursor tells at the \
             lower right what stands under it; a click sets it, a drag moves the view, the wheel zooms."
        }
        Context::Tools => {
            "Draws on the design: what is drawn stands in it like what is typed in the panel Rooms, and each stroke is one \
             step to undo. The ghost shows what will stand there."
        }
        Context::Panel(Panel::Stats) => {
            "The character: a column for each generation of Crawlers, a row for each parameter. Below stand the range, the \
             default and the meaning of the one that is selected, and why it has no effect, if so."
        }
        Context::Panel(Panel::Rooms) => {
            "The layout: dimensions, rooms, squares that stay open, wall tiles, columns and first Crawlers, as lists. Go into an \
             entry to change its fields; the squares of the one that is selected are marked on the map."
        }
        Context::Panel(Panel::Constants) => {
            "Six numbers that hold for all generations, with their ranges and meaning below."
        }
        Context::Panel(Panel::Design) => "Name, notes and seed of the design, and the files that it is kept in.",
        Context::Panel(Panel::Problems) => {
            "What is wrong with the design, its files and the settings, the worst first, each with what to do about it."
        }
        Context::View(View::Legend) => "What the colours on the map mean, and how many tiles have each.",
        Context::View(View::Inspect) => {
            "Who laid what stands under the map's cursor, when, and which decisions led there, from the rooms file on; a line \
             leads to its moment."
        }
        Context::View(View::Events) => {
            "What happened around the moment shown: births, turns, deaths; filtered by kind, generation and place."
        }
        Context::View(View::Plots) => "Living Builders, births, deaths by cause and tiles by generation, over time.",
        Context::View(View::Figures) => {
            "What the dungeon at the moment shown is like: the way through it, enclosed areas, dead ends, widths, who laid \
             how much; a line leads to its place."
        }
        Context::View(View::History) => "Every edit since the design was opened, to go back to, and on again.",
        Context::Vaults => {
            "Hand-made maps from level files, rolled as the seed below says. One of them can be put in the design."
        }
        Context::Gallery => {
            "The design's dungeons from many seeds, each with the figure that they are sorted by; below, what the selected one \
             is like and where it stands among all. A click selects, another opens, the right button marks."
        }
        Context::Compare => {
            "Two designs, or two seeds, at the same iteration and in the same window: what stands on one side only has that \
             side's colour. Below, every figure over many dungeons of each, and whether it differs by more than chance; the \
             p-values are corrected for how many figures are looked at."
        }
        Context::SeedFilter => {
            "A condition is made of figures, numbers, < <= > >= == !=, and, or, not: path > 250 and dead-ends < 30. \
             share(generation 3), share(width 2..4), crosses room 1 and needs room 1 are figures, too."
        }
        Context::Palette => {
            "Type a part of a name, a key, or a word of what it does; what was chosen last stands first."
        }
        _ => "",
    }
}

/// The lines for a screen of some width.
fn text(theme: Theme, keymap: &Keymap, here: &[Context], width: u16) -> Vec<Line<'static>> {
    let room = usize::from(width.min(WIDTH)).saturating_sub(KEYS_WIDTH + 6).max(10);
    let mut lines = Vec::new();
    let rest = contexts().filter(|context| !here.contains(context));
    for context in here
        .iter()
        .copied()
        .filter(|context| contexts().any(|c| c == *context) || !about(*context).is_empty())
        .chain(rest)
    {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::styled(format!(" {}", context.title()), theme.heading()));
        for part in wrap(about(context), room + KEYS_WIDTH) {
            lines.push(Line::styled(format!("  {part}"), theme.quiet()));
        }
        for binding in keys::table().filter(|binding| binding.context == context) {
            let mut keys = keymap.text(binding);
            for part in wrap(binding.help, room) {
                lines.push(Line::from(vec![
                    Span::styled(format!("  {keys:<KEYS_WIDTH$} "), theme.accent()),
                    Span::styled(part, theme.text()),
                ]));
                keys.clear();
            }
        }
    }
    lines
}

/// Draws help over the screen.
pub(super) fn draw(app: &App, state: &State, screen: Rect, buf: &mut Buffer) {
    let text = text(app.theme, &app.keymap, &state.here, screen.width);
    let inside = popup(app, "Help", WIDTH, text.len() as u16 + 2, screen, buf);
    Paragraph::new(text).scroll((state.top, 0)).render(inside, buf);
}
