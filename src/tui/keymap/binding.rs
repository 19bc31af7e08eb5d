//! Bindings, which are the rows of the key table, and the contexts in which they apply.

use super::key::Key;
use crate::tui::commands::Action;
use crate::tui::tabs::{Panel, View};

/// The part or mode of the designer in which a binding is active.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Context {
    /// While no dialog or other screen covers the workspace, and no text is being typed.
    Everywhere,
    /// While the map has the focus.
    Map,
    /// While the user draws on the map.
    Tools,
    /// While the user walks through the dungeon.
    Walk,
    /// While any panel has the focus.
    Panels,
    /// While this panel has the focus.
    Panel(Panel),
    /// While any view has the focus.
    Views,
    /// While this view has the focus.
    View(View),
    /// While the app runs as the player of recordings.
    Player,
    /// While the user types a moment to seek to.
    Moment,
    /// While the prompt for scattering named places is open.
    Scatter,
    /// While a message waits to be dismissed.
    Alert,
    /// While the user types a value.
    Typing,
    /// While the designer asks where to copy a generation to.
    Copying,
    /// While the user tries a random variation of the generations' parameters.
    Varying,
    /// While the list of remedies is open.
    Remedies,
    /// While the parameter search is open.
    Tuning,
    /// While the user types text for the parameter search.
    TuneText,
    /// While the sheet for learning from examples is open. Learning is a search for parameters with which dungeons
    /// resemble the examples.
    Learning,
    /// While the help overlay is open.
    Help,
    /// While the user types the words of a search in help.
    HelpSearch,
    /// While the command palette is open.
    Palette,
    /// During the tour.
    Tour,
    /// While the designer asks about unsaved changes.
    Leaving,
    /// While the designer asks about a conflict between the file and the open design.
    Conflict,
    /// While the designer asks whether to overwrite a file.
    Replacing,
    /// While the designer asks whether to quit before exports are written.
    Unfinished,
    /// While the designer asks whether to continue before the design is saved.
    Saving,
    /// While the export dialog is open.
    Export,
    /// While the user types the path of an export.
    ExportPath,
    /// While the user types text in the options of the export dialog.
    ExportText,
    /// While the import dialog is open.
    Import,
    /// While the user types text in the import dialog.
    ImportText,
    /// While a note is shown that the user must close.
    Note,
    /// While the user types paths in the form for files.
    Form,
    /// While the dialog for a new design is open.
    New,
    /// While the dialog for opening designs, drawings and presets is shown.
    Presets,
    /// While the dialog for choosing a design to compare with, a drawing to import, or an example to learn from is
    /// shown.
    ChooseList,
    /// While the designer offers unsaved work from runs that crashed or were killed.
    Leftovers,
    /// While the vault browser is open.
    Vaults,
    /// While the vault browser compares ten rolls of a vault.
    Rolls,
    /// While the user types text in the vault browser.
    VaultText,
    /// While the user places a vault on the map.
    Placing,
    /// While the seed gallery is open.
    Gallery,
    /// While the atlas is shown in the seed gallery.
    Atlas,
    /// While the user types the path of an atlas file.
    AtlasFile,
    /// While the user types a condition that filters the seed gallery.
    SeedFilter,
    /// While the user chooses a metric in the seed gallery.
    MetricList,
    /// While the comparison of two designs or seeds is open.
    Compare,
}

impl Context {
    /// Returns the context's name in the settings, such as `map`, `rooms` or `vault-text`.
    pub(in crate::tui) fn id(self) -> String {
        match self {
            Self::Panel(panel) => dashed(panel.title()),
            Self::View(view) => dashed(view.title()),
            other => {
                let name = format!("{other:?}");
                let mut id = String::new();
                for c in name.chars() {
                    if c.is_uppercase() && !id.is_empty() {
                        id.push('-');
                    }
                    id.extend(c.to_lowercase());
                }
                id
            }
        }
    }

    /// Returns the context's name in the settings of earlier versions, if it was different.
    pub(in crate::tui) const fn former_id(self) -> Option<&'static str> {
        match self {
            Self::ChooseList => Some("compare-list"),
            Self::MetricList => Some("figure-list"),
            _ => None,
        }
    }

    /// Returns whether the user types text in this context, so that a character is text rather than a key.
    pub(in crate::tui) const fn takes_text(self) -> bool {
        matches!(
            self,
            Self::Typing
                | Self::Palette
                | Self::Form
                | Self::Moment
                | Self::Scatter
                | Self::ExportPath
                | Self::ExportText
                | Self::ImportText
                | Self::Presets
                | Self::ChooseList
                | Self::VaultText
                | Self::SeedFilter
                | Self::AtlasFile
                | Self::HelpSearch
                | Self::TuneText
        )
    }

    /// Returns the heading of the context's bindings in help.
    pub(in crate::tui) fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Map => "On the map",
            Self::Tools => "While drawing on the map",
            Self::Walk => "While walking through the dungeon",
            Self::Panels => "In every panel",
            Self::Panel(panel) => panel.title(),
            Self::Views => "In every view",
            Self::View(view) => view.title(),
            Self::Player => "In the player",
            Self::Moment => "While you type the turn to go to",
            Self::Scatter => "While you type what to scatter",
            Self::Alert => "While a message waits to be dismissed",
            Self::Typing => "While you type a value",
            Self::Copying => "While you copy a generation",
            Self::Varying => "While you try a variation",
            Self::Remedies => "In the list of remedies",
            Self::Tuning => "During the parameter search",
            Self::Learning => "While learning from examples",
            Self::TuneText => "While you type text in the parameter search",
            Self::Help => "In this help",
            Self::HelpSearch => "While you search this help",
            Self::Palette => "In the command palette",
            Self::Tour => "During the tour",
            Self::Leaving => "When the designer asks about unsaved changes",
            Self::Conflict => "When the designer asks about conflicting changes",
            Self::Replacing => "When the designer asks about replacing a file",
            Self::Unfinished => "When the designer asks about an unfinished export",
            Self::Saving => "When the designer asks about an unfinished save",
            Self::Export => "In the export dialog",
            Self::ExportPath => "While you type the path of an export",
            Self::ExportText => "While you type the script of the moments to show",
            Self::Import => "In the import dialog",
            Self::ImportText => "While you type text in the import dialog",
            Self::Note => "In a dialog with a message",
            Self::Form => "While you type the paths of files",
            Self::New => "In the dialog for a new design",
            Self::Presets => "In the list of designs",
            Self::ChooseList => "In the lists of designs to compare, drawings to import and examples to learn from",
            Self::Leftovers => "When the designer offers to recover unsaved work",
            Self::Vaults => "In the vault browser",
            Self::Rolls => "While you compare ten rolls of a vault",
            Self::VaultText => "While you type text in the vault browser",
            Self::Placing => "While you place a vault on the map",
            Self::Gallery => "In the seed gallery",
            Self::Atlas => "In the atlas",
            Self::AtlasFile => "While you type the path of an atlas",
            Self::SeedFilter => "While you type a condition for the seed gallery",
            Self::Compare => "In the comparison",
            Self::MetricList => "In the seed gallery's list of metrics",
        }
    }
}

/// A row of the key table.
#[derive(Debug)]
pub(in crate::tui) struct Binding {
    /// The context in which the binding is active.
    pub context: Context,
    /// Name of the action, in a few words.
    pub name: &'static str,
    /// The default keys. An action without keys is available in the palette or with the mouse.
    pub keys: &'static [Key],
    pub action: Action,
    /// The text that help shows for the binding.
    pub help: &'static str,
    /// Whether the footer may show the binding.
    pub foot: bool,
}

/// Names of actions in earlier versions. Settings may still contain these names. Each row contains the context, the
/// former name and the current name.
const FORMER: [(&str, &str, &str); 89] = [
    ("alert", "put-away", "dismiss"),
    ("choose-list", "compare", "choose"),
    ("compare", "figure-before", "previous-metric"),
    ("compare", "figures-or-maps", "metrics-or-maps"),
    ("compare", "first-figure", "first-metric"),
    ("compare", "generation-back", "previous-generation"),
    ("compare", "generation-on", "generation"),
    ("compare", "iteration-back", "previous-iteration"),
    ("compare", "iteration-on", "iteration"),
    ("compare", "last-figure", "last-metric"),
    ("compare", "next-figure", "next-metric"),
    ("compare", "ten-back", "ten-iterations-back"),
    ("compare", "ten-on", "ten-iterations"),
    ("events", "every-kind", "all-kinds"),
    ("events", "generation-before", "previous-generation"),
    ("events", "place", "area"),
    ("everywhere", "birth-before", "previous-birth"),
    ("everywhere", "birth-near", "next-birth-near"),
    ("everywhere", "birth-near-before", "previous-birth-near"),
    ("everywhere", "bookmark-before", "previous-bookmark"),
    ("everywhere", "change-near", "next-change-near"),
    ("everywhere", "change-near-before", "previous-change-near"),
    ("everywhere", "death-before", "previous-death"),
    ("everywhere", "death-near", "next-death-near"),
    ("everywhere", "death-near-before", "previous-death-near"),
    ("everywhere", "end-export", "cancel-export"),
    ("everywhere", "figures", "metrics"),
    ("everywhere", "figures-before", "previous-metrics"),
    ("everywhere", "generation-back", "previous-generation"),
    ("everywhere", "iteration-back", "previous-iteration"),
    ("everywhere", "look-first", "design-first"),
    ("everywhere", "luck-map", "wall-frequency"),
    ("everywhere", "other-figures", "other-metrics"),
    ("everywhere", "reached-squares", "reachable-squares"),
    ("everywhere", "shortest-way", "shortest-path"),
    ("everywhere", "sound-seed", "valid-seed"),
    ("everywhere", "tab-before", "previous-tab"),
    ("everywhere", "turn-back", "previous-turn"),
    ("everywhere", "why-not-otherwise", "what-if"),
    ("export", "change-back", "previous-value"),
    ("export", "part-before", "previous-part"),
    ("export-path", "part-before", "previous-part"),
    ("gallery", "axis-across", "horizontal-axis"),
    ("gallery", "axis-up", "vertical-axis"),
    ("gallery", "figures", "metrics"),
    ("gallery", "grow-again", "replay"),
    ("gallery", "sort-back", "previous-sort"),
    ("import", "change-back", "previous-value"),
    ("learning", "keep", "apply"),
    ("leftovers", "throw-away", "discard"),
    ("legend", "colour-back", "previous-colours"),
    ("map", "colour-back", "previous-colours"),
    ("map", "layer-before", "previous-layer"),
    ("metric-list", "take", "choose"),
    ("palette", "do", "run"),
    ("placing", "put-down", "place"),
    ("player", "birth-before", "previous-birth"),
    ("player", "death-before", "previous-death"),
    ("presets", "take-its-rooms", "copy-its-rooms"),
    ("presets", "take-its-stats", "copy-its-stats"),
    ("remedies", "flaw-before", "previous-flaw"),
    ("remedies", "keep", "apply"),
    ("remedies", "look", "preview"),
    ("rolls", "by-chance", "at-random"),
    ("rolls", "keep", "choose"),
    ("rolls", "one", "back"),
    ("rolls", "ten-before", "previous-ten"),
    ("saving", "go-on", "continue"),
    ("seed-filter", "take", "accept"),
    ("tools", "change-back", "change-in-reverse"),
    ("tools", "lay-drawing", "import-drawing"),
    ("tools", "one", "click"),
    ("tools", "open", "open-square"),
    ("tools", "put", "paste"),
    ("tools", "site-before", "previous-site"),
    ("tour", "leave-the-tour", "end-the-tour"),
    ("tune-text", "take", "accept"),
    ("tuning", "begin-or-keep", "start-or-apply"),
    ("tuning", "look", "preview"),
    ("tuning", "may-change", "toggle"),
    ("tuning", "move-or-not", "toggle"),
    ("tuning", "start-or-keep", "start-or-apply"),
    ("typing", "leave", "cancel"),
    ("typing", "take", "accept"),
    ("unfinished", "end-it", "cancel-export"),
    ("varying", "throw-away", "discard"),
    ("vault-text", "take", "accept"),
    ("vaults", "by-chance", "at-random"),
    ("vaults", "roll-before", "previous-roll"),
];

impl Binding {
    /// Returns the other names of the action in earlier versions.
    pub(in crate::tui) fn former_ids(&self) -> Vec<&'static str> {
        let (context, id) = (self.context.id(), self.id());
        let found = FORMER.iter().filter(|(of, _, name)| *of == context && *name == id);
        found.map(|(_, former, _)| *former).collect()
    }

    /// Returns the action's name in the settings, such as `zoom-in`.
    pub(in crate::tui) fn id(&self) -> String {
        dashed(self.name)
    }
}

/// Returns a name in lower case, with hyphens between its words.
fn dashed(name: &str) -> String {
    let words = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

/// Creates rows of the key table from lines that contain the context, the name, the keys, the action, whether the
/// footer may show the binding, and the help text.
macro_rules! bindings {
    ($($context:expr, $name:literal, [$($key:expr),*], $action:expr, $foot:literal, $help:literal;)*) => {
        &[$($crate::tui::keymap::binding::Binding {
            context: $context,
            name: $name,
            keys: &[$($key),*],
            action: $action,
            help: $help,
            foot: $foot,
        }),*]
    };
}
pub(super) use bindings;
