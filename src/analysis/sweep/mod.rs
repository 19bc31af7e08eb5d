//! Sweeps: many designs made from one design by varying some of its numbers, and the statistics of their dungeons.
//!
//! A [`SweepPlan`] lists the designs: every combination of the levels of its [`Factor`]s, or a Latin hypercube sample
//! of these combinations. [`correlations`] relates metrics to each other and to the factors; [`sensitivity`] returns
//! how much of a metric's variance a factor explains. The callers grow the dungeons.

mod correlation;
mod plan;
mod sensitivity;

pub use correlation::{Correlation, correlations};
pub use plan::{Factor, SweepPlan};
pub use sensitivity::{RESAMPLES, Sensitivity, sensitivity};
