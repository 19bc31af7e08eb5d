//! `--change`: rules that change the numbers of a design before it grows.

use std::path::PathBuf;

use super::DesignArgs;
use super::endpoints::EndpointArgs;
use super::failure::Failure;
use super::output::Output;
use super::selection::columns_option;
use crate::design::{ApplyError, Design, Diagnostic, Rule};
use crate::document::{Document, SeededDesign};
use crate::engine::{Options, why_same};
use crate::text::shell_quoted;

/// Rules that change a design, in order.
#[derive(Debug, Default, clap::Args)]
pub(super) struct ChangeArgs {
    /// Change numbers of the design: 'MaxAge -> 3', 'CorridorWidth + 1 in 1-4' (in generations 1 to 4), 'all 100 -> 90'
    /// (wherever a generation's parameter is 100), 'dimX, dimY -> 60', 'width * 2 in room 1'; can be given more than
    /// once; the rules are applied in order
    #[arg(long, value_name = "RULE", value_parser = ChangeRule::read)]
    change: Vec<ChangeRule>,
}

/// A rule with the text that the user wrote.
#[derive(Debug, Clone)]
struct ChangeRule {
    text: String,
    rule: Rule,
}

impl ChangeRule {
    /// Parses the value of `--change` and keeps its text.
    fn read(text: &str) -> Result<Self, String> {
        let rule = Rule::read(text).map_err(|error| error.to_string())?;
        let text = text.to_owned();
        Ok(Self { text, rule })
    }
}

impl ChangeArgs {
    /// Returns whether no rule is given.
    pub(super) const fn is_empty(&self) -> bool {
        self.change.is_empty()
    }

    /// Returns the options to append to a command, quoted for a shell: ` --change 'MaxAge -> 3'`. Returns an empty
    /// string if there are no rules.
    pub(super) fn command(&self) -> String {
        let options = self.change.iter().map(|change| shell_quoted(&change.text));
        options.fold(String::new(), |command, rule| command + " --change " + &rule)
    }

    /// Returns the command, quoted for a shell, that shows a dungeon of the changed design; the caller appends a seed.
    /// The command opens the designer, unless the options leave out Jumpers or replace the entrance or exit: the
    /// designer has no such options, so the command then prints the dungeon instead.
    pub(super) fn showing(&self, design: &DesignArgs, ends: &EndpointArgs, options: Options) -> String {
        let shown = if options.columns && !ends.is_given() {
            design.command()
        } else {
            design.command_of("grow")
        };
        shown + &self.command() + columns_option(options)
    }

    /// Returns the rules to append to a design's name: ` with MaxAge -> 3, StepLength + 1`. Returns an empty string if
    /// there are no rules.
    pub(super) fn label(&self) -> String {
        let texts: Vec<&str> = self.change.iter().map(|change| change.text.as_str()).collect();
        if texts.is_empty() {
            return String::new();
        }
        format!(" with {}", texts.join(", "))
    }

    /// Returns the changed design. Reports rules without an effect, and diagnostics that the original design does not
    /// have. Fails if a rule does not apply or the changed design cannot be grown.
    pub(super) fn of(
        &self,
        seeded: SeededDesign,
        options: Options,
        output: &mut Output,
    ) -> Result<SeededDesign, Failure> {
        if self.change.is_empty() {
            return Ok(seeded);
        }
        let mut design = seeded.design().clone();
        self.apply(&mut design, options, output)?;
        let changed = seeded.varied(design);
        let before = seeded.validate().diagnostics;
        let after = changed.validate();
        let new: Vec<Diagnostic> = after
            .diagnostics
            .into_iter()
            .filter(|one| !before.contains(one))
            .collect();
        output.report(&new);
        if after.design.is_none() {
            let label = self.label();
            return Err(Failure::unusable(format_args!("the design{label} cannot be grown")));
        }
        Ok(changed)
    }

    /// Applies the rules to a document as one undo step. Reports rules without an effect; fails if a rule does not
    /// apply.
    pub(super) fn edit(&self, mut document: Document, output: &mut Output) -> Result<Document, Failure> {
        let mut changed = document.design().clone();
        self.apply(&mut changed, Options::default(), output)?;
        document.edit("change", |design| *design = changed);
        Ok(document)
    }

    /// Applies the rules to a design, in order. Warns about rules without an effect; fails if a rule does not apply.
    fn apply(&self, design: &mut Design, options: Options, output: &mut Output) -> Result<(), Failure> {
        for change in &self.change {
            let applied = apply(&change.rule, design, options);
            let same = applied.map_err(|why| Failure::unreadable(format_args!("--change: {why}")))?;
            if let Some(why) = same {
                output.warning(&format!("--change `{}` has no effect: {why}", change.text));
            }
        }
        Ok(())
    }

    /// Opens a design, changes it, and sets the entrance and exit of the changed design. Reports its diagnostics; fails
    /// if the changed design cannot be grown, or if the entrance or exit is outside its dungeon.
    pub(super) fn design(
        &self,
        design: &DesignArgs,
        ends: &EndpointArgs,
        options: Options,
        output: &mut Output,
    ) -> Result<SeededDesign, Failure> {
        let seeded = design.seeded_design(output)?;
        ends.of(&self.of(seeded, options, output)?)
    }
}

/// A design that is opened, changed and grown from many seeds.
#[derive(Debug, clap::Args)]
pub(super) struct ChangedDesignArgs {
    #[command(flatten)]
    pub(super) design: DesignArgs,
    #[command(flatten)]
    ends: EndpointArgs,
    #[command(flatten)]
    change: ChangeArgs,
}

impl ChangedDesignArgs {
    /// Opens the design and changes it. Reports its diagnostics; fails if the changed design cannot be grown.
    pub(super) fn seeded(&self, options: Options, output: &mut Output) -> Result<SeededDesign, Failure> {
        self.change.design(&self.design, &self.ends, options, output)
    }

    /// Opens the design and changes it as one undo step. Reports its diagnostics; fails if the changed design cannot be
    /// grown.
    pub(super) fn document(&self, options: Options, output: &mut Output) -> Result<Document, Failure> {
        let mut document = self.design.usable_document(output)?;
        let changed = self.change.of(document.seeded(), options, output)?;
        let design = self.ends.of(&changed)?.design().clone();
        document.edit("change", |before| *before = design);
        Ok(document)
    }

    /// Returns the files that the command reads.
    pub(super) fn inputs(&self, design: &Design) -> Vec<PathBuf> {
        self.design.inputs(design)
    }

    /// Returns the command, quoted for a shell, that [shows](ChangeArgs::showing) a dungeon of the changed design.
    pub(super) fn showing(&self, options: Options) -> String {
        self.change.showing(&self.design, &self.ends, options)
    }

    /// Returns whether the options replace anything in the design: numbers, the entrance, the exit or the seed.
    pub(super) const fn is_altered(&self) -> bool {
        !self.change.is_empty() || self.ends.is_given() || self.design.has_seed()
    }
}

/// Applies a rule to a design. Returns why the rule has no effect, or `None` if it has an effect.
///
/// # Errors
///
/// Returns the reason if the rule does not apply; the design is then unchanged.
pub(super) fn apply(rule: &Rule, design: &mut Design, options: Options) -> Result<Option<String>, ApplyError> {
    let before = design.clone();
    let replaced = rule.apply(design)?;
    if replaced.is_empty() {
        return Ok(Some("it changes no value".to_owned()));
    }
    Ok(why_same(&before, options, &replaced))
}
