//! Background job that chooses squares where a game can place objects. The designer adds named places on these squares.

use super::job::{Cancelled, Job, JobCx};
use crate::analysis::{MetricsCalculator, ScatterOptions, Scene};
use crate::design::ValidDesign;
use crate::engine::Grid;
use crate::geometry::Point;

/// A request to choose squares of a dungeon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScatterRequest {
    /// Design from which the dungeon is grown.
    pub design: ValidDesign,
    /// Grid of the dungeon.
    pub grid: Grid,
    /// Options for choosing the squares.
    pub options: ScatterOptions,
}

impl Job for ScatterRequest {
    const NAME: &'static str = "scatter";
    type Memory = ();
    type Reply = Vec<Point>;

    fn run(self, (): &mut (), cx: &JobCx<'_, Vec<Point>>) -> Result<(), Cancelled> {
        let mut calculator = MetricsCalculator::new();
        let metrics = calculator.measure(&self.grid, &Scene::new(&self.design));
        cx.check()?;
        cx.send(calculator.scatter(&metrics, &self.options))
    }
}
