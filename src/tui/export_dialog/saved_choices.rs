//! The export choices, saved as text for the next session: the kind, the moment, and the options of each kind.
//!
//! Unknown and invalid entries in the text are ignored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::form::{ExportChoice, ExportForm};
use crate::engine;
use crate::export::{ExportKind, ExportOptions};

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct SavedChoices {
    kind: Option<String>,
    shown_turn: bool,
    options: BTreeMap<String, toml::Value>,
}

impl ExportForm {
    /// Returns the choices as text; `None` if they cannot be serialized.
    pub(super) fn kept(&self) -> Option<String> {
        let own = ExportOptions::default();
        let options = self.options.iter().filter(|(_, options)| **options != own);
        let options = options.filter_map(|(kind, options)| {
            // Engine options and sources are not chosen in the dialog, and the Builder to follow is specific to one
            // growth.
            let options = ExportOptions {
                sources: Vec::new(),
                follow: None,
                engine: engine::Options::default(),
                ..options.clone()
            };
            Some((kind.name().to_owned(), toml::Value::try_from(options).ok()?))
        });
        toml::to_string(&SavedChoices {
            kind: self.what.kind().map(|kind| kind.name().to_owned()),
            shown_turn: !self.at_end,
            options: options.collect(),
        })
        .ok()
    }

    /// Restores the choices from the text returned by [`Self::kept`].
    pub(super) fn recall(&mut self, text: &str) {
        let kept: SavedChoices = toml::from_str(text).unwrap_or_default();
        if let Some(kind) = kept.kind.as_deref().and_then(ExportKind::by_name) {
            self.what = ExportChoice::Dungeon(kind);
        }
        self.at_end = !kept.shown_turn;
        for (name, options) in kept.options {
            if let (Some(kind), Ok(options)) = (ExportKind::by_name(&name), options.try_into()) {
                self.options.insert(kind, options);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::{ColourBy, Ground};

    #[test]
    fn choices_are_saved_and_invalid_entries_are_dropped() {
        let mut form = ExportForm::default();
        form.choose(ExportChoice::Dungeon(ExportKind::Gif));
        form.at_end = false;
        let options = ExportOptions {
            by: ColourBy::Lineage,
            ground: Some(Ground::Print),
            scale: Some(3),
            duration: 5000,
            ..ExportOptions::default()
        };
        *form.options_mut(ExportKind::Gif) = options.clone();
        let text = form.kept().unwrap();
        let mut next = ExportForm::default();
        next.recall(&text);
        assert_eq!(
            (next.what, next.at_end),
            (ExportChoice::Dungeon(ExportKind::Gif), false)
        );
        assert_eq!(next.options(ExportKind::Gif), options);
        assert_eq!(next.options(ExportKind::Png), ExportOptions::default());
        let broken = text.replace("\"Lineage\"", "7").replace("\"lineage\"", "7") + "\n[options.hologram]\nscale = 3\n";
        let mut next = ExportForm::default();
        next.recall(&broken);
        assert_eq!(
            (next.what, next.options(ExportKind::Gif)),
            (ExportChoice::Dungeon(ExportKind::Gif), ExportOptions::default())
        );
        next.recall("kind = [");
        assert_eq!(next.options(ExportKind::Gif), ExportOptions::default());
    }
}
