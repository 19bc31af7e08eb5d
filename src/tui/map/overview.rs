//! Which characters draw the far zooms, where a character stands for two columns and four rows of blocks.
//!
//! Braille dots show every block of a maze and are known to every terminal, but have gaps between them and one
//! colour a character. Octants show the same blocks filled, in two colours a character; they came with Unicode
//! 16, and few terminals draw them without a font that has them. Quadrants are everywhere and filled, but only
//! half as fine from top to bottom. So by default octants are taken where the terminal is known to draw them;
//! elsewhere Braille while dots stand for single squares or little blocks, so that corridors are seen, and
//! quadrants beyond, where corridors are lost anyway and colour tells more than form.

use super::view::Zoom;

/// The characters of the far zooms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overview {
    /// Eight dots.
    Braille,
    /// Four parts.
    Quadrants,
    /// Eight parts.
    Octants,
}

/// Largest blocks, in squares each way, whose dots still show corridors.
const FINE: u16 = 2;

impl Overview {
    /// All of them.
    const ALL: [Self; 3] = [Self::Braille, Self::Quadrants, Self::Octants];

    /// What looks best at a zoom.
    pub(super) const fn best(zoom: Zoom, octants: bool) -> Self {
        match zoom {
            _ if octants => Self::Octants,
            Zoom::Dots(block) if block > FINE => Self::Quadrants,
            _ => Self::Braille,
        }
    }

    /// The choice after one, the best by default being the last of them.
    pub(super) fn after(chosen: Option<Self>) -> Option<Self> {
        match chosen {
            None => Self::ALL.first().copied(),
            Some(chosen) => Self::ALL.into_iter().skip_while(|one| *one != chosen).nth(1),
        }
    }

    /// Its name, for the line at the foot.
    pub(super) const fn name(chosen: Option<Self>) -> &'static str {
        match chosen {
            None => "overview in what looks best here",
            Some(Self::Braille) => "overview in Braille dots",
            Some(Self::Quadrants) => "overview in quadrants",
            Some(Self::Octants) => "overview in octants; boxes or question marks mean that the terminal has none",
        }
    }
}

/// Whether the terminal is known to draw octants whatever its font, by a function that looks names of the
/// environment up: kitty, Ghostty, foot and WezTerm draw them themselves.
pub(crate) fn knows_octants(variable: impl Fn(&str) -> Option<String>) -> bool {
    // Within tmux and screen the terminal outside cannot be told for sure, and the width of octants neither.
    if ["TMUX", "STY"].iter().any(|name| variable(name).is_some()) {
        return false;
    }
    let is = |name: &str, known: &[&str]| {
        variable(name).is_some_and(|value| known.iter().any(|known| value.to_lowercase().contains(known)))
    };
    is("TERM_PROGRAM", &["kitty", "ghostty", "wezterm"]) || is("TERM", &["kitty", "ghostty", "foot", "wezterm"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_best_depends_on_zoom_and_terminal() {
        assert_eq!(Overview::best(Zoom::Dots(1), false), Overview::Braille);
        assert_eq!(Overview::best(Zoom::Dots(2), false), Overview::Braille);
        assert_eq!(Overview::best(Zoom::Dots(4), false), Overview::Quadrants);
        assert_eq!(Overview::best(Zoom::Dots(1), true), Overview::Octants);
        assert_eq!(Overview::best(Zoom::Dots(64), true), Overview::Octants);
    }

    #[test]
    fn choices_are_a_ring() {
        let mut chosen = None;
        let mut names = Vec::new();
        for _ in 0..4 {
            names.push(Overview::name(chosen));
            chosen = Overview::after(chosen);
        }
        assert_eq!(chosen, None);
        names.dedup();
        assert_eq!(names.len(), 4);
    }

    #[test]
    fn octants_are_for_terminals_that_have_them() {
        let knows = |set: &[(&str, &str)]| {
            knows_octants(|name| set.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned()))
        };
        assert!(knows(&[("TERM", "xterm-kitty")]));
        assert!(knows(&[("TERM", "foot-extra")]));
        assert!(knows(&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "WezTerm")]));
        assert!(knows(&[("TERM_PROGRAM", "ghostty")]));
        assert!(!knows(&[
            ("TERM", "xterm-256color"),
            ("TERM_PROGRAM", "Apple_Terminal")
        ]));
        assert!(!knows(&[("TERM", "xterm-kitty"), ("TMUX", "/tmp/tmux-0/default,1,0")]));
        assert!(!knows(&[]));
    }
}
