//! The choices of the last export as text, for the next session: what was written, at which moment, and how each kind is.
//!
//! What is not known any more, or broken, is left out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::form::{Form, What};
use crate::engine;
use crate::export::{Kind, Options};

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    kind: Option<String>,
    shown_turn: bool,
    options: BTreeMap<String, toml::Value>,
}

impl Form {
    /// The choices as text; none while nothing was chosen.
    pub(super) fn kept(&self) -> Option<String> {
        let own = Options::default();
        let options = self.options.iter().filter(|(_, options)| **options != own);
        let options = options.filter_map(|(kind, options)| {
            // How dungeons grow and what they were read from is no choice of the dialog.
            let options = Options {
                sources: Vec::new(),
                engine: engine::Options::default(),
                ..options.clone()
            };
            Some((kind.name().to_owned(), toml::Value::try_from(options).ok()?))
        });
        toml::to_string(&Kept {
            kind: self.what.kind().map(|kind| kind.name().to_owned()),
            shown_turn: !self.at_end,
            options: options.collect(),
        })
        .ok()
    }

    /// Takes the choices of a text.
    pub(super) fn recall(&mut self, text: &str) {
        let kept: Kept = toml::from_str(text).unwrap_or_default();
        if let Some(kind) = kept.kind.as_deref().and_then(Kind::by_name) {
            self.what = What::Dungeon(kind);
        }
        self.at_end = !kept.shown_turn;
        for (name, options) in kept.options {
            if let (Some(kind), Ok(options)) = (Kind::by_name(&name), options.try_into()) {
                self.options.insert(kind, options);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::{By, Ground};

    #[test]
    fn choices_are_kept_and_what_is_broken_is_left_out() {
        let mut form = Form::default();
        form.choose(What::Dungeon(Kind::Gif));
        form.at_end = false;
        let options = Options {
            by: By::Lineage,
            ground: Some(Ground::Print),
            scale: Some(3),
            duration: 5000,
            ..Options::default()
        };
        *form.options_mut(Kind::Gif) = options.clone();
        let text = form.kept().unwrap();
        let mut next = Form::default();
        next.recall(&text);
        assert_eq!((next.what, next.at_end), (What::Dungeon(Kind::Gif), false));
        assert_eq!(next.options(Kind::Gif), options);
        assert_eq!(next.options(Kind::Png), Options::default());
        let broken = text.replace("\"Lineage\"", "7").replace("\"lineage\"", "7") + "\n[options.hologram]\nscale = 3\n";
        let mut next = Form::default();
        next.recall(&broken);
        assert_eq!(
            (next.what, next.options(Kind::Gif)),
            (What::Dungeon(Kind::Gif), Options::default())
        );
        next.recall("kind = [");
        assert_eq!(next.options(Kind::Gif), Options::default());
    }
}
