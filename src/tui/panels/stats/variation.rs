//! A random variation of the design's character (the parameters of the stats file). The varied design is grown
//! immediately; one key keeps the variation, another key discards it.
//!
//! A variation consists of a number (the seed of the random changes), a bound (the largest change, in percent of a
//! value) and a range of generations. A small value can change by 1 even if the bound allows less. Parameters that have
//! no effect or are 0 stay unchanged.
//!
//! The design itself is edited only when the user keeps the variation; if the design changes before that (undo, a
//! reloaded file), the variation is applied to the changed design. The same number, bound and generations always vary
//! the same design in the same way; the name of the undo step contains them.

use std::ops::RangeInclusive;

use rand::TryRng as _;
use rand::rngs::SysRng;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget as _, Wrap};

use super::selection;
use crate::design::{Character, Design, Entry, GENERATIONS, Stat, ValidDesign};
use crate::engine::random::{Key, Stream};
use crate::engine::{EffectAnalysis, NoEffectReason, Options};
use crate::tui::buttons;
use crate::tui::commands::VariationCommand;
use crate::tui::editor::Editor;
use crate::tui::keymap::Context;
use crate::tui::panels::typing::{self, TypingTarget};
use crate::tui::panels::{self, PanelsState, explanation};

/// The bounds that the user can choose, in percent.
const AMOUNTS: [i32; 5] = [5, 10, 25, 50, 100];

/// Random variation numbers are below this limit, so that they are short enough to write down.
const NUMBERS: u32 = 100_000;

/// A variation being tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tui::panels) struct Variation {
    /// The number from which the random changes are derived.
    pub number: u32,
    /// Index of the bound in [`AMOUNTS`].
    amount: usize,
    /// The generations to vary.
    generations: RangeInclusive<usize>,
}

impl Variation {
    /// Returns the bound in percent.
    fn percent(&self) -> i32 {
        AMOUNTS[self.amount.min(AMOUNTS.len() - 1)]
    }

    /// Describes the varied generations: `generations 2 to 9`.
    fn generations_text(&self) -> String {
        match (*self.generations.start(), *self.generations.end()) {
            (0, last) if last + 1 == GENERATIONS => "all generations".into(),
            (first, last) if first == last => format!("generation {first}"),
            (first, last) => format!("generations {first} to {last}"),
        }
    }

    fn name(&self) -> String {
        format!(
            "variation {} of {}: values changed by up to {}%",
            self.number,
            self.generations_text(),
            self.percent()
        )
    }

    /// Returns the character of a design with this variation applied.
    pub(in crate::tui::panels) fn of(&self, design: &Design, options: Options) -> Character {
        let idle = EffectAnalysis::new(design, options);
        let mut character = design.character.clone();
        for generation in self.generations.clone() {
            let root = Key::new(u64::from(self.number)).child(generation as u64);
            // The parameter's row in the file is part of its random key, so each parameter varies independently.
            for (row, stat) in Stat::ALL.iter().enumerate() {
                let value = stat.get(&design.character.generations[generation]);
                let is_idle = matches!(
                    idle.of(Entry::Generation(generation), *stat),
                    Some(NoEffectReason::Whole(_))
                );
                if value <= 0 || is_idle {
                    continue;
                }
                let reach = ((i64::from(value) * i64::from(self.percent()) + 50) / 100).clamp(1, 1 << 20);
                let drawn = Stream::new(root.child(row as u64)).below(2 * reach as u32 + 1);
                let varied = i64::from(value) - reach + i64::from(drawn);
                let info = stat.info();
                let (least, most) = (info.min.max(1).min(value), info.max.max(value));
                let varied = varied.clamp(least.into(), most.into()) as i32;
                stat.set(&mut character.generations[generation], varied);
            }
        }
        character
    }
}

/// Carries out a command: starts, changes, keeps or discards the variation.
pub(in crate::tui::panels) fn update(panels: &mut PanelsState, editor: &mut Editor, command: VariationCommand) {
    let here = selection::generation(panels);
    let Some(variation) = &mut panels.variation else {
        if command != VariationCommand::Roll {
            return;
        }
        let Some(number) = draw_number(editor) else {
            return;
        };
        panels.variation = Some(Variation {
            number,
            amount: 2,
            generations: 0..=GENERATIONS - 1,
        });
        editor.regrow();
        return;
    };
    match command {
        VariationCommand::Roll => {
            if let Some(number) = draw_number(editor) {
                set_number(panels, number);
            }
        }
        VariationCommand::Amount(by) => {
            variation.amount = panels::move_by(variation.amount, by, AMOUNTS.len());
        }
        VariationCommand::Generations => {
            let last = GENERATIONS - 1;
            variation.generations = match (*variation.generations.start(), *variation.generations.end()) {
                (0, end) if end == last && here != last => here..=here,
                (start, end) if start == end && end != last => here..=last,
                (0, end) if end == last => last..=last,
                _ => 0..=last,
            };
        }
        VariationCommand::Keep => {
            let kept = variation.clone();
            panels.variation = None;
            let character = kept.of(editor.document.design(), editor.options);
            editor.edit(kept.name(), |design| design.character = character);
            if !editor.regrows() {
                editor.warn("this variation changes nothing");
            }
            return;
        }
        VariationCommand::Leave => {
            panels.variation = None;
            editor.done("variation discarded");
        }
    }
    editor.regrow();
}

/// Sets the number of the variation being tried.
pub(in crate::tui::panels) fn set_number(panels: &mut PanelsState, number: u32) {
    if let Some(variation) = &mut panels.variation {
        variation.number = number;
    }
}

fn draw_number(editor: &mut Editor) -> Option<u32> {
    match SysRng.try_next_u32() {
        Ok(number) => Some(number % NUMBERS),
        Err(error) => {
            editor.fail(format!("cannot get a random number from the system: {error}"));
            None
        }
    }
}

/// Returns the design to grow while a variation is being tried; `None` if no variation is being tried, or the varied
/// design cannot be grown.
pub(in crate::tui) fn varied_design(panels: &PanelsState, editor: &Editor) -> Option<ValidDesign> {
    let variation = panels.variation.as_ref()?;
    let valid = editor.document.valid()?;
    let mut design = Design::clone(valid);
    design.character = variation.of(&design, editor.options);
    // No memory limit is needed, since the document has checked the size, which a variation does not change. The vaults
    // stay where the document has placed them.
    let varied = design.validate(None).design?;
    Some(varied.with_pieces(valid.pieces().to_vec()))
}

/// Draws the description of the variation and its buttons.
pub(in crate::tui::panels) fn draw(
    panels: &PanelsState,
    editor: &Editor,
    variation: &Variation,
    area: Rect,
    buf: &mut Buffer,
) {
    let theme = editor.theme;
    let design = editor.document.design();
    let varied = variation.of(design, editor.options);
    let changes = variation.generations.clone().flat_map(|generation| {
        let (before, after) = (
            &design.character.generations[generation],
            &varied.generations[generation],
        );
        Stat::ALL.iter().filter(move |stat| stat.get(before) != stat.get(after))
    });
    let values = changes.count();
    let remark = format!("{} ±{}%", variation.generations_text(), variation.percent());
    explanation::explain(editor, "variation", &remark, Vec::new(), area, buf);
    let [below, keys] = buttons::part(editor, Context::Varying, area);
    let values = if values == 1 {
        "1 value differs".into()
    } else {
        format!("{values} values differ")
    };
    let label = Span::styled("number ", theme.quiet());
    if let Some(typing) = typing::typed_at(panels, TypingTarget::Roll) {
        let [label_area, typed] = Layout::horizontal([Constraint::Length(7), Constraint::Max(12)]).areas(Rect {
            height: below.height.min(1),
            ..below
        });
        Paragraph::new(Line::from(label)).render(label_area, buf);
        typing.draw(theme, typed, buf);
    } else {
        let line = Line::from(vec![
            label,
            Span::styled(variation.number.to_string(), theme.accent()),
            Span::styled(format!(": {values}; type digits for another number"), theme.text()),
        ]);
        Paragraph::new(line).wrap(Wrap { trim: true }).render(below, buf);
    }
    buttons::of(editor, Context::Varying, keys).draw(buf);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::CrawlerStart;

    fn variation(number: u32, amount: usize) -> Variation {
        Variation {
            number,
            amount,
            generations: 2..=5,
        }
    }

    #[test]
    fn values_stay_within_the_bound_and_the_generations() {
        let mut design = Design::default();
        design.layout.crawlers.push(CrawlerStart::default());
        let mut seen = std::collections::BTreeSet::new();
        for number in 0..300 {
            let varied = variation(number, 2).of(&design, Options::default());
            for generation in 0..GENERATIONS {
                for &stat in Stat::ALL {
                    let (before, after) = (
                        stat.get(&design.character.generations[generation]),
                        stat.get(&varied.generations[generation]),
                    );
                    let reach = ((before * 25 + 50) / 100).max(1);
                    if !(2..=5).contains(&generation) || before == 0 {
                        assert_eq!(before, after);
                    }
                    assert!((before - after).abs() <= reach, "{stat:?} {after}");
                    assert!(stat.info().range().contains(&after));
                    if generation == 3 && stat == Stat::ChangeDirProb {
                        seen.insert(after);
                    }
                }
            }
        }
        // The value 30 with a bound of 25%: every number from 22 to 38 occurs.
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), (22..=38).collect::<Vec<_>>());
    }

    #[test]
    fn a_number_always_gives_the_same_variation() {
        let mut design = Design::default();
        design.layout.crawlers.push(CrawlerStart::default());
        let stats = variation(48_213, 2).of(&design, Options::default()).generations[4];
        let values: Vec<i32> = Stat::ALL.iter().map(|stat| stat.get(&stats)).collect();
        assert_eq!(values, GOLDEN);
        assert_eq!(
            variation(48_213, 2).name(),
            "variation 48213 of generations 2 to 5: values changed by up to 25%"
        );
    }

    const GOLDEN: [i32; 12] = [3, 2, 32, 49, 62, 0, 0, 10, 1, 0, 0, 0];
}
