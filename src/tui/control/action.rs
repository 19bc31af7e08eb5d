//! Running actions by name. The actions are rows of the key table, available under the same conditions as in the
//! palette.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use serde_json::{Value, json};

use super::check_square;
use crate::background::{ActionArgs, ControlError};
use crate::geometry::Point;
use crate::text::did_you_mean;
use crate::tui::app::App;
use crate::tui::commands::{Action, Effect};
use crate::tui::dialog::Dialog;
use crate::tui::editor::NoticeLevel;
use crate::tui::keymap::{self, Binding, Context, Key};
use crate::tui::palette::{ActionReach, reach};
use crate::tui::screens::Screen;

/// Maximum number of times that one request runs an action: more would delay the next frame.
const MOST_TIMES: u32 = 100;

impl App {
    /// Runs an action of the key table by its name, and returns the answer. Appends the action's effects to `effects`,
    /// even if the answer is an error.
    pub(super) fn run_named(
        &mut self,
        name: &str,
        args: &ActionArgs,
        effects: &mut Vec<Effect>,
    ) -> Result<Value, ControlError> {
        self.check_no_drag()?;
        let times = args.times.unwrap_or(1);
        if !(1..=MOST_TIMES).contains(&times) {
            let message = format!("`times` must be from 1 to {MOST_TIMES}");
            return Err(ControlError::new(
                message,
                "use a number in this range; to run the action more often, send several requests",
            ));
        }
        self.find_named(name)?;
        self.move_cursor_to(args)?;
        // Clears the previous notice unless it is an error. An error stays, just as it does after a key press, until
        // the user dismisses it or another notice replaces it.
        if !self.editor.has_failed() {
            self.editor.status.notice = None;
        }
        let mut ran = None;
        for done in 0..times {
            let (binding, way) = match self.find_named(name) {
                Ok(found) => found,
                // The action became unavailable, as `undo` does when no edits are left to undo. It ran as often as it
                // could.
                Err(_) if done > 0 => break,
                Err(error) => return Err(error),
            };
            effects.extend(if done + 1 == times {
                self.run_action(way, binding)
            } else {
                let way = way.into_iter().chain([binding.action]);
                let effects = way.flat_map(|action| self.update(action)).collect();
                self.finish(effects)
            });
            ran = Some(binding);
        }
        if let Some(text) = &args.text {
            self.enter_text(name, text, effects)?;
        }
        let mut answer = json!({"ran": ran.map(full_name), "state": self.state_json()});
        let copied = effects.iter().find_map(|effect| match effect {
            Effect::Copy(text) => Some(text.as_str()),
            _ => None,
        });
        if let Some(text) = copied {
            answer["copied"] = text.into();
        }
        Ok(answer)
    }

    /// Moves the map's cursor to the row and column in the arguments. If one of them is missing, the cursor stays in
    /// its current row or column.
    fn move_cursor_to(&mut self, args: &ActionArgs) -> Result<(), ControlError> {
        if args.row.is_none() && args.column.is_none() {
            return Ok(());
        }
        let cursor = self.editor.map.cursor();
        let at = Point::new(args.row.unwrap_or(cursor.x), args.column.unwrap_or(cursor.y));
        check_square(at, self.editor.document.design().layout.size)?;
        self.editor.show_square(at);
        Ok(())
    }

    /// Replaces the text of the text field that an action opened, and accepts it. If the text is rejected, closes the
    /// field and returns the reason.
    fn enter_text(&mut self, name: &str, text: &str, effects: &mut Vec<Effect>) -> Result<(), ControlError> {
        let context = self.contexts().into_iter().find(|context| context.takes_text());
        let rows = context.and_then(|context| {
            let row = |of: fn(&Binding) -> bool| keymap::table().find(|row| row.context == context && of(row));
            Some((context, row(accepts_text)?, row(cancels_text)?))
        });
        let Some((context, accept, cancel)) = rows else {
            return Err(ControlError::new(
                format!("`{name}` was run, but it opened no text field"),
                "leave out `text`, or use {\"get\": \"screen\"} to see what is open",
            ));
        };
        let mut asked = Vec::new();
        let ctrl_u = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
        for key in [KeyEvent::new(KeyCode::End, KeyModifiers::NONE), ctrl_u] {
            asked.extend(self.key(&key));
        }
        asked.extend(self.input(&Event::Paste(text.to_owned())));
        effects.extend(self.finish(asked));
        let earlier = self.editor.status.notice.take();
        let accepted = self.update(accept.action);
        effects.extend(self.finish(accepted));
        // An open field does not mean that the text was rejected: the field also stays open while the text is being
        // processed, for example while the file at a typed path is being read.
        let rejected = self
            .contexts()
            .contains(&context)
            .then(|| self.why_rejected())
            .flatten();
        let Some(why) = rejected else {
            self.editor.status.notice = self.editor.status.notice.take().or(earlier);
            return Ok(());
        };
        let cancelled = self.update(cancel.action);
        effects.extend(self.finish(cancelled));
        self.editor.status.notice = earlier;
        Err(ControlError::new(
            format!("`{name}` rejected the text: {why}"),
            "correct `text`, and run the action again",
        ))
    }

    /// Returns why the open text field has rejected its text: the reason beside the field, or else the warning or error
    /// in the footer.
    fn why_rejected(&self) -> Option<String> {
        let beside = self.why_beside().map(str::to_owned);
        beside.or_else(|| {
            let notice = self.editor.status.notice.as_ref();
            notice
                .filter(|(level, _)| *level != NoticeLevel::Done)
                .map(|(_, why)| why.clone())
        })
    }

    /// Returns the reason that the open dialog or text field shows beside rejected input.
    fn why_beside(&self) -> Option<&str> {
        let why = match (&self.dialogs.open, self.screens.open.top()) {
            (Some(Dialog::Moment(state)), _) => state.prompt.why(),
            (Some(Dialog::Scatter(state)), _) => state.prompt.why(),
            (Some(Dialog::Form(form)), _) => form.why(),
            (Some(Dialog::New(form)), _) => form.why(),
            (Some(Dialog::Open(open)), _) => open.why(),
            (Some(Dialog::Export), _) => self.dialogs.export.why(),
            (None, Some(Screen::Vaults)) => self.screens.vaults.why_rejected(),
            (None, Some(Screen::Gallery)) => self.screens.gallery.why_rejected(),
            _ => "",
        };
        (!why.is_empty()).then_some(why)
    }

    /// Returns the question or note in the open dialog, or the reason why the dialog has rejected its input. If no
    /// dialog is open, returns the reason why the text field of the vault browser or the seed gallery has rejected its
    /// text.
    pub(super) fn dialog_message(&self) -> Option<String> {
        match &self.dialogs.open {
            Some(Dialog::Question(question)) => Some(question.message()),
            Some(Dialog::Import) => self.dialogs.import.why().map(str::to_owned),
            _ => self.why_beside().map(str::to_owned),
        }
    }

    /// Returns the key table's row of an action, and the actions to run first so that it becomes available.
    fn find_named(&self, name: &str) -> Result<(&'static Binding, Vec<Action>), ControlError> {
        let rows: Vec<_> = keymap::table().filter(|row| is_called(row, name)).collect();
        if rows.is_empty() {
            let names: Vec<String> = keymap::table().flat_map(|row| [full_name(row), row.id()]).collect();
            let meant = did_you_mean(name, names.iter().map(String::as_str));
            let list = "{\"get\": \"actions\"} lists the actions".to_owned();
            return Err(ControlError::new(
                format!("no action is called `{name}`"),
                meant.map_or(list.clone(), |meant| format!("{meant} {list}")),
            ));
        }
        let mut near = Vec::new();
        let mut refused = Vec::new();
        for row in rows {
            match self.reach_of(row) {
                ActionReach::Here => return Ok((row, Vec::new())),
                ActionReach::By(way) => near.push((row, way)),
                ActionReach::Not(why) => refused.push((row, why)),
            }
        }
        match near.len() {
            0 => Err(ControlError::new(
                unavailable_text(name, &self.contexts(), &refused),
                "run one of the actions that {\"get\": \"actions\"} lists as available",
            )),
            1 => Ok(near.swap_remove(0)),
            _ => {
                let names: Vec<String> = near.iter().map(|(row, _)| format!("`{}`", full_name(row))).collect();
                Err(ControlError::new(
                    format!("several actions are called `{name}`"),
                    format!("use one of the names {}", names.join(", ")),
                ))
            }
        }
    }

    /// Returns how an action can be reached. The conditions are those of the palette, except that only the actions of
    /// the current context are available while a dialog is open or text is being typed.
    fn reach_of(&self, binding: &'static Binding) -> ActionReach {
        if binding.action == Action::Suspend {
            return ActionReach::Not("it would also stop this connection".to_owned());
        }
        let unavailable = self.why_unavailable(binding);
        match self.modal_context() {
            None => {
                let here = self.contexts();
                reach(&self.palette_place(&here), unavailable, binding)
            }
            Some(context) if context == binding.context => {
                unavailable.map_or(ActionReach::Here, |why| ActionReach::Not(why.to_owned()))
            }
            Some(context) => ActionReach::Not(modal_text(context)),
        }
    }

    /// Returns the context that makes the actions of all other contexts unavailable: the context of an open dialog, or
    /// of the text field in which the user types.
    fn modal_context(&self) -> Option<Context> {
        let here = self.contexts();
        let first = here.iter().copied().find(|context| *context != Context::Alert)?;
        let is_alone = self.screens.open.top().is_none() && !here.contains(&Context::Everywhere);
        (self.dialogs.open.is_some() || first.takes_text() || is_alone).then_some(first)
    }

    /// Fails while the user drags something, because an action would disturb the drag.
    fn check_no_drag(&self) -> Result<(), ControlError> {
        if self.is_dragged() {
            return Err(ControlError::new(
                "the user is dragging the mouse",
                "ask again in a moment",
            ));
        }
        Ok(())
    }

    /// Fails while a dialog is open, text is being typed or something is dragged, because the design must not be edited
    /// then.
    pub(super) fn check_free(&self) -> Result<(), ControlError> {
        self.check_no_drag()?;
        self.modal_context().map_or(Ok(()), |context| {
            let help = format!(
                "first finish or cancel what is open, with an action of `{}`; {{\"get\": \"actions\"}} lists all \
                 actions",
                context.id()
            );
            Err(ControlError::new(modal_text(context), help))
        })
    }

    /// Lists every action with its keys, and whether it is available now.
    pub(super) fn actions_json(&self) -> Value {
        let row = |row: &'static Binding| {
            let why = match self.reach_of(row) {
                ActionReach::Not(why) => Some(why),
                ActionReach::Here | ActionReach::By(_) => None,
            };
            let keys: Vec<String> = self.editor.keymap.keys(row).iter().map(|key| key.name()).collect();
            let mut listed =
                json!({"name": full_name(row), "help": row.help, "keys": keys, "available": why.is_none()});
            if let Some(why) = why {
                listed["why_not"] = why.into();
            }
            listed
        };
        json!({"actions": keymap::table().map(row).collect::<Vec<_>>()})
    }
}

/// Returns the reason why the actions of other contexts are unavailable.
fn modal_text(context: Context) -> String {
    let mut title = context.title().to_owned();
    title[..1].make_ascii_lowercase();
    format!("{title}, only the actions of `{}` are available", context.id())
}

/// Describes why none of the actions called `name` is available. If there are several, gives the reason for the first
/// one whose context is in `here` or is [`Context::Everywhere`]. If there is no such action, gives a reason only if it
/// is the same for all of them.
fn unavailable_text(name: &str, here: &[Context], refused: &[(&'static Binding, String)]) -> String {
    let is_near = |context| here.contains(&context) || context == Context::Everywhere;
    let meant = refused
        .iter()
        .find(|(row, _)| refused.len() == 1 || is_near(row.context));
    if let Some((row, why)) = meant {
        return format!("`{}` is not available now: {why}", full_name(row));
    }
    match refused {
        [(_, why), rest @ ..] if rest.iter().all(|(_, other)| other == why) => {
            format!("`{name}` is not available now: {why}")
        }
        _ => format!("no action called `{name}` is available now"),
    }
}

/// Returns whether a request may call the action by this name; names from earlier versions are valid too.
fn is_called(row: &Binding, name: &str) -> bool {
    let (context, bare) = name
        .split_once('.')
        .map_or((None, name), |(context, bare)| (Some(context), bare));
    context.is_none_or(|context| row.context.id() == context)
        && (row.id() == bare || row.name == bare || row.former_ids().contains(&bare))
}

/// Returns an action's name with its context: `everywhere.undo`.
pub(super) fn full_name(binding: &Binding) -> String {
    format!("{}.{}", binding.context.id(), binding.id())
}

/// Returns whether a row of the key table is bound to Enter, which accepts the typed text.
pub(super) fn accepts_text(row: &Binding) -> bool {
    row.keys.contains(&Key::plain(KeyCode::Enter))
}

/// Returns whether a row of the key table is bound to Escape, which closes a text field without accepting its text.
pub(super) fn cancels_text(row: &Binding) -> bool {
    row.keys.contains(&Key::plain(KeyCode::Esc))
}
