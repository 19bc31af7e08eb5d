//! Widgets that several parts of the designer share: lists, text fields, settings, popups, buttons, pictures.
//!
//! A widget depends on the theme and its own state, but not on the app, the editor, or any panel, view or dialog.

pub(super) mod form;
pub(super) mod items;
pub(super) mod layout;
pub(super) mod line_prompt;
pub(super) mod list;
pub(super) mod mouse;
pub(super) mod popup;
pub(super) mod prompt;
pub(super) mod table;
pub(super) mod text;
pub(super) mod thumbnail;
