//! Reports parts of a sweep that have no effect: factors that affect no design, and levels that leave the base design
//! or its dungeons unchanged. A factor is a set of parameters that vary together. Each level of a factor is a value for
//! these parameters, or a change to their values.

use super::spec::{Spec, VariedFactor};
use crate::analysis::sweep::SweepPlan;
use crate::cli::output::Output;
use crate::design::{Design, Diagnostic};
use crate::engine::{EffectAnalysis, NoEffectReason, Options, why_same};
use crate::format::Text;

/// Maximum number of designs that are examined. They are spread evenly over the plan.
const EXAMINED: u64 = 500;

/// Warns about factors that have no effect in any examined design, and adds notes about levels that leave the base
/// design or its dungeons unchanged.
pub(super) fn report_effects(
    spec: &Spec,
    text: &Text,
    plan: &SweepPlan,
    base: &Design,
    options: Options,
    output: &mut Output,
) {
    let mut reasons: Vec<Option<String>> = spec
        .factors
        .iter()
        .map(|varied| unused(varied, base, options))
        .collect();
    for number in (0..plan.designs()).step_by(plan.designs().div_ceil(EXAMINED).max(1) as usize) {
        if reasons.iter().all(Option::is_none) {
            break;
        }
        let mut design = base.clone();
        for rule in plan.rules(number) {
            // An error can be ignored here: it is reported when the sweep makes the design.
            let _ = rule.apply(&mut design);
        }
        for (reason, varied) in reasons.iter_mut().zip(&spec.factors) {
            if reason.is_some() {
                *reason = unused_in(varied, base, &design, options).and(reason.take());
            }
        }
    }
    let mut diagnostics = Vec::new();
    for (varied, reason) in spec.factors.iter().zip(reasons) {
        let at = |diagnostic: Diagnostic| diagnostic.from_source(text.source(varied.span.clone()));
        match reason {
            Some(why) => diagnostics.push(at(Diagnostic::warning(format!(
                "this number has no effect in any design of the sweep: {why}"
            )))),
            None => diagnostics.extend(same_levels(varied, base, options).map(at)),
        }
    }
    output.report_all(&diagnostics);
}

/// Returns why a factor has no effect in the base design, or `None` if it has one.
fn unused(varied: &VariedFactor, base: &Design, options: Options) -> Option<String> {
    unused_in(varied, base, base, options)
}

/// Returns why none of the numbers that a factor varies has an effect in a design. Returns `None` if one of them has an
/// effect.
fn unused_in(varied: &VariedFactor, base: &Design, design: &Design, options: Options) -> Option<String> {
    let effects = EffectAnalysis::new(design, options);
    let values = varied.factor.target.values(base).unwrap_or_default();
    let mut why = Some("the part before `=` selects no value of the design".to_owned());
    for (at, (entry, parameter, _)) in values.into_iter().enumerate() {
        match effects.of(entry, parameter) {
            Some(NoEffectReason::Whole(reason)) if at == 0 => why = Some(reason),
            Some(NoEffectReason::Whole(_)) => {}
            _ => return None,
        }
    }
    why
}

/// Returns a note about the levels that leave the base design or its dungeons unchanged, if there are any.
fn same_levels(varied: &VariedFactor, base: &Design, options: Options) -> Option<Diagnostic> {
    let mut own = Vec::new();
    let mut same = Vec::new();
    let mut reason = String::new();
    for (level, change) in varied.factor.levels.iter().enumerate() {
        let Some(Ok(replaced)) = varied.factor.rule(level).map(|rule| rule.replaced(base)) else {
            continue;
        };
        if replaced.is_empty() {
            own.push(format!("`{change}`"));
        } else if let Some(why) = why_same(base, options, &replaced) {
            same.push(format!("`{change}`"));
            reason = why;
        }
    }
    let mut parts = Vec::new();
    if !own.is_empty() {
        let leave = if own.len() == 1 { "leaves" } else { "leave" };
        parts.push(format!("{} {leave} the design unchanged", own.join(", ")));
    }
    if !same.is_empty() {
        let have = if same.len() == 1 { "has" } else { "have" };
        parts.push(format!(
            "{} {have} no effect if nothing else varies: {reason}",
            same.join(", ")
        ));
    }
    (!parts.is_empty()).then(|| Diagnostic::note(parts.join("; ")))
}
