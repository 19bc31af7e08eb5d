//! Keys with their modifiers, and the names of keys in the settings and in help.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The modifiers, each with its prefix in a key's name.
const MODIFIERS: [(KeyModifiers, &str); 3] = [
    (KeyModifiers::CONTROL, "Ctrl-"),
    (KeyModifiers::ALT, "Alt-"),
    (KeyModifiers::SHIFT, "Shift-"),
];

/// Keys that have a name: the key, its name in the settings and its text in help.
const NAMES: [(KeyCode, &str, &str); 16] = [
    (KeyCode::Char(' '), "Space", "Space"),
    (KeyCode::Enter, "Enter", "Enter"),
    (KeyCode::Esc, "Esc", "Esc"),
    (KeyCode::Tab, "Tab", "Tab"),
    (KeyCode::BackTab, "Shift-Tab", "Shift-Tab"),
    (KeyCode::Backspace, "Backspace", "Backspace"),
    (KeyCode::Up, "Up", "↑"),
    (KeyCode::Down, "Down", "↓"),
    (KeyCode::Left, "Left", "←"),
    (KeyCode::Right, "Right", "→"),
    (KeyCode::Home, "Home", "Home"),
    (KeyCode::End, "End", "End"),
    (KeyCode::PageUp, "PageUp", "PgUp"),
    (KeyCode::PageDown, "PageDown", "PgDn"),
    (KeyCode::Delete, "Delete", "Del"),
    (KeyCode::Insert, "Insert", "Ins"),
];

/// A key with its modifiers. A shifted character is stored as the character typed (`A`), without the modifier Shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct Key {
    pub(super) code: KeyCode,
    pub(super) modifiers: KeyModifiers,
}

impl Key {
    /// Returns a key without modifiers.
    pub(in crate::tui) const fn plain(code: KeyCode) -> Self {
        Self {
            code,
            modifiers: KeyModifiers::NONE,
        }
    }

    /// Returns the key that types a character.
    pub(in crate::tui) const fn char(c: char) -> Self {
        Self::plain(KeyCode::Char(c))
    }

    /// Returns the key combination of Ctrl and a character.
    pub(in crate::tui) const fn ctrl(c: char) -> Self {
        Self {
            code: KeyCode::Char(c),
            modifiers: KeyModifiers::CONTROL,
        }
    }

    /// Returns a key with Shift. `code` must not be a character, since characters include Shift.
    pub(in crate::tui) const fn shift(code: KeyCode) -> Self {
        Self {
            code,
            modifiers: KeyModifiers::SHIFT,
        }
    }

    /// Returns the key combination of Alt and a character.
    pub(in crate::tui) const fn alt(c: char) -> Self {
        Self {
            code: KeyCode::Char(c),
            modifiers: KeyModifiers::ALT,
        }
    }

    /// Returns a key with Alt; for characters, use [`Self::alt`].
    pub(in crate::tui) const fn alt_code(code: KeyCode) -> Self {
        Self {
            code,
            modifiers: KeyModifiers::ALT,
        }
    }

    /// Returns the event that the terminal sends for the key.
    #[cfg(test)]
    pub(in crate::tui) const fn event(self) -> KeyEvent {
        KeyEvent::new(self.code, self.modifiers)
    }

    /// Parses a key's name as [`Self::name`] writes it or as help shows it, ignoring case except in single characters.
    pub(in crate::tui) fn parse(text: &str) -> Option<Self> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text;
        'more: loop {
            for (modifier, prefix) in MODIFIERS {
                if let Some((head, tail)) = rest.split_at_checked(prefix.len())
                    && head.eq_ignore_ascii_case(prefix)
                    && !tail.is_empty()
                {
                    modifiers |= modifier;
                    rest = tail;
                    continue 'more;
                }
            }
            break;
        }
        let mut characters = rest.chars();
        let code = if let (Some(c), None) = (characters.next(), characters.next()) {
            match NAMES.iter().find(|(_, _, shown)| shown.starts_with(c)) {
                Some((code, _, _)) if !c.is_ascii() => *code,
                _ if c.is_control() || c == ' ' => return None,
                // With Ctrl, terminals report the lower-case letter.
                _ if modifiers.contains(KeyModifiers::CONTROL) => KeyCode::Char(c.to_ascii_lowercase()),
                _ => KeyCode::Char(c),
            }
        } else {
            let is = |name: &str| name.eq_ignore_ascii_case(rest);
            let function = || {
                let number = rest.strip_prefix(['F', 'f'])?.parse().ok()?;
                (1..=24).contains(&number).then_some(KeyCode::F(number))
            };
            let found = NAMES.iter().find(|(_, name, shown)| is(name) || is(shown));
            found.map(|(code, _, _)| *code).or_else(function)?
        };
        // Characters already include Shift, and Shift-Tab has a key code of its own.
        if modifiers.contains(KeyModifiers::SHIFT) {
            match code {
                KeyCode::Char(_) => return None,
                KeyCode::Tab | KeyCode::BackTab => {
                    modifiers.remove(KeyModifiers::SHIFT);
                    return Some(Self {
                        code: KeyCode::BackTab,
                        modifiers,
                    });
                }
                _ => {}
            }
        }
        Some(Self { code, modifiers })
    }

    /// Returns the key's name in the settings, such as `Ctrl-Up`.
    pub(in crate::tui) fn name(self) -> String {
        let shown = self.to_string();
        let named = NAMES.iter().find(|(code, _, _)| *code == self.code);
        named.map_or(shown.clone(), |(_, name, sign)| {
            let modifiers = shown.strip_suffix(sign).unwrap_or_default();
            format!("{modifiers}{name}")
        })
    }

    /// Returns whether a key event reports this key with its modifiers.
    pub(in crate::tui) fn matches(self, event: &KeyEvent) -> bool {
        let relevant = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT;
        let (mut code, mut modifiers) = (event.code, event.modifiers & relevant);
        // With the kitty keyboard protocol, terminals report Alt-B as `b` with Alt and Shift.
        if let KeyCode::Char(c) = &mut code
            && modifiers.contains(KeyModifiers::SHIFT)
            && !modifiers.contains(KeyModifiers::CONTROL)
        {
            c.make_ascii_uppercase();
        }
        // Some terminals report Shift with a capital letter or a back tab; others do not.
        if matches!(code, KeyCode::Char(_) | KeyCode::BackTab) {
            modifiers.remove(KeyModifiers::SHIFT);
        }
        self.code == code && self.modifiers == modifiers
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::new();
        for (modifier, prefix) in MODIFIERS {
            if self.modifiers.contains(modifier) {
                name.push_str(prefix);
            }
        }
        let key = match self.code {
            KeyCode::Char(c) if c != ' ' && self.modifiers.contains(KeyModifiers::CONTROL) => {
                c.to_uppercase().to_string()
            }
            KeyCode::Char(c) if c != ' ' => c.to_string(),
            KeyCode::F(n) => format!("F{n}"),
            code => match NAMES.iter().find(|(named, _, _)| *named == code) {
                Some((_, _, shown)) => (*shown).to_owned(),
                None => format!("{code:?}"),
            },
        };
        name.push_str(&key);
        f.pad(&name)
    }
}
