//! Dialogs over the screen, such as questions, the form for file paths, the list of designs, and the list of unsaved
//! work. The `layers` module routes input to the dialog on the screen and carries out the user's choices.

mod form;
mod new;
mod open;
mod question;
mod recover;

pub(super) use form::{FilesForm, FormPurpose, PathFields, base, stem};
pub(super) use new::NewForm;
pub(super) use open::{OpenChoice, OpenDialog, OpenFilter};
pub(super) use question::{Question, QuestionKind};
pub(super) use recover::RecoverDialog;

use super::{help, metrics, palette, time};
use crate::document::Document;
use crate::tui::commands::DesignPart;

/// The dialog on the screen.
#[derive(Debug)]
pub(super) enum Dialog {
    /// The help overlay.
    Help(help::HelpState),
    /// A question or a note.
    Question(Question),
    /// The form for the paths of a design's files.
    Form(Box<FilesForm>),
    /// The settings of a new design.
    New(Box<NewForm>),
    /// The list of designs that can be opened.
    Open(Box<OpenDialog>),
    /// The list of unsaved work from crashes.
    Recover(RecoverDialog),
    /// The palette, in which the user types to find an action.
    Palette(Box<palette::PaletteState>),
    /// The prompt that asks which moment of the growth to seek to.
    Moment(time::Moment),
    /// The prompt for the named places to scatter over the dungeon.
    Scatter(metrics::ScatterState),
    /// The export dialog; opening it again restores the previous choices.
    Export,
    /// The import options of a drawing.
    Import,
}

impl Dialog {
    /// Returns the form for the paths of a design's files.
    pub(super) fn form(purpose: FormPurpose, document: &Document) -> Self {
        Self::Form(Box::new(FilesForm::new(purpose, document)))
    }

    /// Returns what the chosen file is opened for; `None` unless the user chooses a design or a drawing in this dialog.
    pub(super) const fn filter(&self) -> Option<OpenFilter> {
        match self {
            Self::Open(open) => Some(open.filter()),
            Self::Form(form) => form.filter(),
            _ => None,
        }
    }

    /// Returns which part of the chosen design is copied into the open design; `None` if the dialog does not copy a
    /// part.
    pub(super) const fn part(&self) -> Option<DesignPart> {
        match self {
            Self::Open(open) => open.part(),
            Self::Form(form) => form.part(),
            _ => None,
        }
    }
}
