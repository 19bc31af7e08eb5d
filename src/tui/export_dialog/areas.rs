//! Layout of the export dialog, for drawing and for the mouse.

use ratatui::layout::{Constraint, Layout, Margin, Position, Rect};

use super::form::{ExportChoice, ExportForm, ExportRow};
use crate::geometry::Size;
use crate::tui::widget::list::VisibleRows;
use crate::tui::widget::popup::{popup_area, shrunk};

/// Maximum size of the dialog in columns and rows, including its frame.
pub(super) const WIDTH: u16 = 116;
pub(super) const HEIGHT: u16 = 40;

/// Minimum inner width in columns for a preview.
const WITH_PREVIEW: u16 = 60;

/// Minimum inner width in columns for a list with descriptions.
const WITH_REPORT: u16 = 100;

/// Width of the list in columns: in a dialog without a preview, in a dialog with a preview, and in a dialog that is
/// also wide enough for descriptions.
pub(super) const NARROW_LIST: u16 = 11;
pub(super) const LIST: u16 = 20;
const REPORT_LIST: u16 = 42;

/// Width of the option labels in columns: normal, and in a narrow dialog.
const LABEL: u16 = 14;
const NARROW_LABEL: u16 = 12;

/// Minimum height, in rows, at which the area beside the list shows several rows of an option's help.
const HIGH: u16 = 24;

/// Minimum height, in rows, at which the area beside the list has a blank row after the description.
const WITH_GAP: u16 = 16;

/// Areas of the dialog's parts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ExportAreas {
    pub(super) list: Rect,
    pub(super) rule: Rect,
    pub(super) description: Rect,
    pub(super) options: Rect,
    pub(super) help: Rect,
    pub(super) preview: Rect,
    /// The row for the legend, below the preview; empty if the export has no legend, or if there is no room.
    pub(super) legend: Rect,
    pub(super) facts: Rect,
    pub(super) line: Rect,
    pub(super) paths: Rect,
    pub(super) note: Rect,
    /// The frame, whose lower border contains the buttons.
    pub(super) frame: Rect,
}

impl ExportAreas {
    /// Lays out the dialog on a screen.
    pub(super) fn of(form: &ExportForm, screen: Rect) -> Self {
        let frame = popup_area(WIDTH, HEIGHT, screen);
        let inside = frame.inner(Margin::new(1, 1));
        let is_wide = inside.width >= WITH_PREVIEW;
        let [main, line, paths, note] = Layout::vertical([
            Constraint::Min(0),
            Constraint::Length(1),
            Constraint::Length(form.paths().len() as u16),
            Constraint::Length(1),
        ])
        .areas(inside);
        let list = match inside.width {
            WITH_REPORT.. => REPORT_LIST,
            WITH_PREVIEW.. => LIST,
            _ => NARROW_LIST,
        };
        let [list, rule, side] =
            Layout::horizontal([Constraint::Length(list), Constraint::Length(1), Constraint::Fill(1)]).areas(main);
        let lines = form.lines().len() as u16;
        let side = shrunk(side);
        let description = match side.height {
            _ if !is_wide => 0,
            WITH_GAP.. => 2,
            _ => 1,
        };
        // The help text of the selected option gets several rows if there is room.
        let help = match side.height {
            _ if !is_wide || lines == 0 => 0,
            HIGH.. => 3,
            _ => 1,
        };
        let [description, options, help, preview, facts] = Layout::vertical([
            Constraint::Length(description),
            Constraint::Length(lines.min(side.height.saturating_sub(description + 1))),
            Constraint::Length(help),
            Constraint::Min(0),
            Constraint::Length(1),
        ])
        .areas(side);
        let preview = if is_wide { preview } else { Rect::default() };
        let legend = u16::from(form.has_legend() && preview.height > 4);
        let [preview, legend] = Layout::vertical([Constraint::Min(0), Constraint::Length(legend)]).areas(preview);
        Self {
            list,
            rule,
            description,
            options,
            help,
            preview,
            legend,
            facts,
            line,
            paths: shrunk(paths),
            note: shrunk(note),
            frame,
        }
    }

    /// Returns the visible rows of the list.
    pub(super) fn kinds(&self, form: &ExportForm) -> VisibleRows {
        let rows = ExportChoice::rows();
        let chosen = rows.iter().position(|row| *row == ExportRow::What(form.what));
        form.kinds.visible(self.list, rows.len(), chosen.unwrap_or(0))
    }

    /// Returns the visible options.
    pub(super) fn settings(&self, form: &ExportForm) -> VisibleRows {
        form.settings.visible(self.options, form.lines().len())
    }

    /// Returns the width of the option labels in columns.
    pub(super) const fn label(&self) -> u16 {
        if self.preview.is_empty() { NARROW_LABEL } else { LABEL }
    }

    /// Returns the index of the path field at a position.
    pub(super) fn path_at(&self, form: &ExportForm, at: Position) -> Option<usize> {
        let row = at.y.checked_sub(self.paths.y).filter(|_| self.paths.contains(at))?;
        (usize::from(row) < form.paths().len()).then_some(row.into())
    }
}

/// Returns the size of the preview's area in rows and columns of characters.
pub(super) fn room(form: &ExportForm, screen: Rect) -> Size {
    let preview = ExportAreas::of(form, screen).preview;
    Size::new(preview.height.into(), preview.width.into())
}
