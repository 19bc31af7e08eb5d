//! Growth: the dungeons of the original program, the rules, their explanation, recordings, presets.

#[path = "../common/mod.rs"]
mod common;
mod conformance;
mod counterfactual;
mod decisions;
mod no_effect;
#[cfg(feature = "terminal")]
mod presets;
mod properties;
mod recording;
mod stage_one;
