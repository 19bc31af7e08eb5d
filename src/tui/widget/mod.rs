//! Widgets that several parts of the designer share: lists, text fields, settings, popups, buttons, pictures.
//!
//! A widget knows the theme and its own state, and nothing of the app, the editor or a part of the designer.

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
