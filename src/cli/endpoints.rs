//! Options that replace the design's entrance and exit.

use super::UNREADABLE;
use super::failure::Failure;
use crate::design::Diagnostic;
use crate::document::SeededDesign;
use crate::geometry::Point;

/// Entrance and exit to use instead of the design's.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(super) struct EndpointArgs {
    /// Entrance to use instead of the design's, such as 1,12
    #[arg(long, value_name = "ROW,COLUMN", value_parser = point)]
    entrance: Option<Point>,
    /// Exit to use instead of the design's
    #[arg(long, value_name = "ROW,COLUMN", value_parser = point)]
    exit: Option<Point>,
}

/// Parses a square as row and column.
pub(super) fn point(text: &str) -> Result<Point, String> {
    let read = |text: &str| text.trim().parse::<i32>().ok().filter(|number| *number >= 0);
    text.split_once(',')
        .and_then(|(x, y)| Some(Point::new(read(x)?, read(y)?)))
        .ok_or_else(|| "write the square as ROW,COLUMN, such as 1,12".into())
}

impl EndpointArgs {
    /// Returns whether an entrance or an exit is given.
    pub(super) const fn is_given(&self) -> bool {
        self.entrance.is_some() || self.exit.is_some()
    }

    /// Returns the options to append to a command: ` --exit 3,4`. Returns an empty string if neither is given.
    pub(super) fn command(self) -> String {
        let given = [("--entrance", self.entrance), ("--exit", self.exit)];
        let given = given.into_iter().filter_map(|(name, at)| Some((name, at?)));
        given.fold(String::new(), |command, (name, at)| {
            format!("{command} {name} {},{}", at.x, at.y)
        })
    }

    /// Returns the design with the given entrance and exit; fails if one of them lies outside the dungeon. The caller
    /// must already have applied the rules of `--change`, because they may change the size of the dungeon.
    pub(super) fn of(&self, seeded: &SeededDesign) -> Result<SeededDesign, Failure> {
        let mut design = seeded.design().clone();
        let size = design.layout.size;
        for (name, given) in [("--entrance", self.entrance), ("--exit", self.exit)] {
            if let Some(at) = given.filter(|at| !size.contains(*at)) {
                let why = format!("{name} names {at}, which is outside the dungeon of {size} squares");
                let help = format!("rows are 0 to {}, columns 0 to {}", size.x - 1, size.y - 1);
                return Err(Failure::new(UNREADABLE, vec![Diagnostic::error(why).help(help)]));
            }
        }
        let expect = &mut design.expect;
        expect.entrance = self.entrance.or(expect.entrance);
        expect.exit = self.exit.or(expect.exit);
        Ok(seeded.varied(design))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_a_row_and_a_column() {
        assert_eq!(point("3, 14"), Ok(Point::new(3, 14)));
        for wrong in ["", "3", "3,", "a,1", "-1,4", "1,2,3", "1.5,2"] {
            assert!(point(wrong).unwrap_err().contains("1,12"), "{wrong}");
        }
    }
}
