//! A template for the settings file, which lists every setting but changes none.

use std::fmt::Write as _;

use super::Settings;
use super::table::TABLE;
use super::vocabulary::Vocabulary;

/// Returns the text of the template. Each setting is a comment that shows the default.
pub fn template(vocabulary: &Vocabulary) -> String {
    let defaults = Settings::default();
    let mut text = String::from(
        "# Settings of Wallcrawler. Each setting shows its default: to change it, remove the # before its name.\n",
    );
    let mut table = "";
    for row in &TABLE {
        if row.table != table {
            table = row.table;
            let _ = write!(text, "\n[{table}]\n");
        }
        let value = (row.get)(&defaults);
        let _ = write!(text, "# {}\n# {}.\n#{} = {value}\n", row.help, row.takes, row.key);
    }
    text.push_str(
        "\n# Colours, as \"#rrggbb\". Each replaces the built-in colour, whether the terminal has a dark or a light\n\
         # background.\n[colours]\n",
    );
    for colour in &vocabulary.colours {
        let [red, green, blue] = colour.rgb;
        let _ = writeln!(text, "#{} = \"#{red:02x}{green:02x}{blue:02x}\"", colour.name);
    }
    text.push_str(
        "\n# Keys, by context. A list replaces the default keys of the action; with [] the action has no key, and can be\n\
         # run only from the palette or with the mouse. Keys are characters, or Enter, Space, Tab, Esc, Up, Down, Left,\n\
         # Right, Home, End, PageUp, PageDown, Insert, Delete, Backspace, F1 …, optionally with Ctrl- or Alt- before\n\
         # them. Shift- may precede any key except characters and Space. Write R, not Shift-r.\n",
    );
    let mut context = "";
    for action in &vocabulary.actions {
        if action.context != context {
            context = &action.context;
            let _ = write!(text, "\n[keys.{context}]\n");
        }
        let keys: Vec<String> = action.keys.iter().map(|key| quoted(key)).collect();
        let _ = write!(text, "# {}\n#{} = [{}]\n", action.help, action.name, keys.join(", "));
    }
    text
}

fn quoted(key: &str) -> String {
    format!("\"{}\"", key.replace('\\', "\\\\").replace('"', "\\\""))
}
