//! Options of the commands that search for parameter values: the parameters that may change, and the expectations.

use super::UNREADABLE;
use super::failure::Failure;
use super::output::Output;
use crate::analysis::expectations;
use crate::analysis::tune::{FIRST_GENERATIONS, TunedParameter, Variant, movable};
use crate::design::expect::{self, Expectation};
use crate::design::{Design, Diagnostic, Entry, RuleTarget};
use crate::engine::Options;

/// The option that lists the parameters that may change.
#[derive(Debug, clap::Args)]
pub(super) struct MoveArgs {
    /// Parameters that may change, separated by commas, such as MaxAge (in generations 0 to 3), 'CorridorWidth in 2'
    /// (in generation 2) or joinDist [default: chDirOnStraight, joinDist and every parameter of generations 0 to 3,
    /// except those without effect]
    #[arg(long = "move", value_name = "PARAMETER", value_delimiter = ',')]
    moves: Vec<String>,
}

/// Options for the parameters that may change, and for the expectations.
#[derive(Debug, clap::Args)]
pub(super) struct SpaceArgs {
    #[command(flatten)]
    pub(super) moves: MoveArgs,
    /// Add an expectation to those of the design: 'path >= 180 in 95%'; can be given more than once
    #[arg(long, value_name = "EXPECTATION")]
    expect: Vec<String>,
}

impl SpaceArgs {
    /// Adds the expectations of the command line to a design, except those that the design already has.
    pub(super) fn expect_in(&self, design: &mut Design) {
        for text in &self.expect {
            if !design.expect.that.contains(text) {
                design.expect.that.push(text.clone());
            }
        }
    }

    /// Returns the expectations of the design and of the command line: first their texts, then the parsed expectations.
    /// Leaves out invalid expectations of the design, and expectations of the command line that repeat an earlier one.
    /// Fails if an expectation of the command line is invalid.
    pub(super) fn expectations(&self, design: &Design) -> Result<(Vec<String>, Vec<Expectation>), Failure> {
        let known = expectations(design);
        let mut texts: Vec<String> = known.iter().map(|(i, _)| design.expect.that[*i].clone()).collect();
        let mut expected: Vec<Expectation> = known.into_iter().map(|(_, expectation)| expectation).collect();
        for text in &self.expect {
            if let Some(problem) = expect::problems(text, design).first() {
                return Err(Failure::new(UNREADABLE, vec![problem.description("--expect", text)]));
            }
            if !texts.contains(text) {
                expected.extend(expect::parse(text).ok());
                texts.push(text.clone());
            }
        }
        Ok((texts, expected))
    }
}

impl MoveArgs {
    /// Returns the parameters that may change. If the command line names none, these are the parameters that have an
    /// effect, except those of generation [`FIRST_GENERATIONS`] and later. In this case, `zeros` decides whether
    /// parameters whose value is 0 are included. Fails if a named parameter is unknown or has no effect.
    pub(super) fn parameters(
        &self,
        design: &Design,
        options: Options,
        zeros: bool,
    ) -> Result<Vec<TunedParameter>, Failure> {
        self.found(design, options, zeros).map_err(|why| {
            let error = Diagnostic::error(why).help("run `wallcrawler check --help` for the list of parameters");
            Failure::new(UNREADABLE, vec![error])
        })
    }

    /// Works like [`Self::parameters`], but returns only a message as the error.
    fn found(&self, design: &Design, options: Options, zeros: bool) -> Result<Vec<TunedParameter>, String> {
        let all = movable(design, options, |_| true);
        let is_early = |one: &TunedParameter| !matches!(one.entry, Entry::Generation(generation) if generation >= FIRST_GENERATIONS);
        if self.moves.is_empty() {
            let is_on =
                |one: &TunedParameter| is_early(one) && (zeros || design.get(one.entry, one.parameter) != Some(0));
            return Ok(all.into_iter().filter(is_on).collect());
        }
        let mut chosen: Vec<TunedParameter> = Vec::new();
        for text in &self.moves {
            let target = RuleTarget::read(&spelled_as_target(text)).map_err(|error| format!("--move: {error}"))?;
            let values = target.values(design).map_err(|error| format!("--move: {error}"))?;
            let is_meant = |one: &&TunedParameter| {
                values
                    .iter()
                    .any(|(entry, parameter, _)| (*entry, *parameter) == (one.entry, one.parameter))
                    && (target.names_records() || is_early(one))
            };
            let meant: Vec<TunedParameter> = all.iter().filter(is_meant).copied().collect();
            if meant.is_empty() {
                return Err(format!(
                    "--move: `{text}` has no effect in this design, or a search cannot change it"
                ));
            }
            for one in meant {
                if !chosen.contains(&one) {
                    chosen.push(one);
                }
            }
        }
        Ok(chosen)
    }
}

/// Converts the older spelling of a `--move` value, `MaxAge:2`, to the spelling that `--change` uses: `MaxAge in 2`.
fn spelled_as_target(text: &str) -> String {
    text.replacen(':', " in ", 1)
}

/// Prints how a variant changes a design, one changed parameter per line.
pub(super) fn print_changes(variant: &Variant, design: &Design, output: &mut Output) {
    for change in &variant.changes {
        let one = Variant { changes: vec![*change] };
        output.line(&format!("  {}", one.name(design)));
    }
    if variant.changes.is_empty() {
        output.line("  no parameter changed");
    }
}
