//! The characters of the far zoom levels, where a character shows two columns and up to four rows of blocks. A block is
//! one square at the nearest of these levels, and a group of squares at the others.
//!
//! Braille dots show every block of a maze and work in every terminal, but have gaps between them and one colour per
//! character. Octants show the same blocks without gaps, in two colours per character. They were added in Unicode 16,
//! and few terminals draw them without a font that contains them. Quadrants work everywhere and have no gaps, but only
//! half the vertical resolution.
//!
//! By default, octants are used if the terminal is known to draw them. Otherwise the zoom decides: Braille while a dot
//! shows a single square or a small block, so that corridors stay visible; quadrants for larger blocks, where corridors
//! are lost anyway and colour matters more than shape.

use super::zoom::Zoom;

/// The characters of a far zoom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Overview {
    /// Eight dots per character.
    Braille,
    /// Four blocks per character.
    Quadrants,
    /// Eight blocks per character.
    Octants,
}

/// Side, in squares, of the largest blocks that still show corridors when each block is drawn as one dot.
const FINE: u16 = 2;

impl Overview {
    /// Every variant.
    const ALL: [Self; 3] = [Self::Braille, Self::Quadrants, Self::Octants];

    /// Returns the default for a zoom.
    pub(in crate::tui) const fn best(zoom: Zoom, octants: bool) -> Self {
        match zoom {
            _ if octants => Self::Octants,
            Zoom::Dots(block) if block > FINE => Self::Quadrants,
            _ => Self::Braille,
        }
    }

    /// Returns the choice after `chosen`. The default (`None`) follows the last variant, and the first variant follows
    /// the default.
    pub(in crate::tui) fn after(chosen: Option<Self>) -> Option<Self> {
        match chosen {
            None => Self::ALL.first().copied(),
            Some(chosen) => Self::ALL.into_iter().skip_while(|one| *one != chosen).nth(1),
        }
    }

    /// Returns the choice's name for the footer.
    pub(in crate::tui) const fn name(chosen: Option<Self>) -> &'static str {
        match chosen {
            None => "overview with automatic characters",
            Some(Self::Braille) => "overview in Braille dots",
            Some(Self::Quadrants) => "overview in quadrants",
            Some(Self::Octants) => "overview in octants; boxes or question marks mean that the terminal lacks octants",
        }
    }
}

/// Returns whether the terminal is known to draw octants with any font, as kitty, Ghostty, foot and WezTerm do.
/// `variable` looks up environment variables.
pub(in crate::tui) fn knows_octants(variable: impl Fn(&str) -> Option<String>) -> bool {
    // Inside tmux or GNU screen, neither the outer terminal nor the width of octants is known.
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
    fn the_default_overview_depends_on_zoom_and_terminal() {
        assert_eq!(Overview::best(Zoom::Dots(1), false), Overview::Braille);
        assert_eq!(Overview::best(Zoom::Dots(2), false), Overview::Braille);
        assert_eq!(Overview::best(Zoom::Dots(4), false), Overview::Quadrants);
        assert_eq!(Overview::best(Zoom::Dots(1), true), Overview::Octants);
        assert_eq!(Overview::best(Zoom::Dots(64), true), Overview::Octants);
    }

    #[test]
    fn choices_form_a_ring() {
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
