//! The requests of the control socket, and how they are parsed from JSON.

use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::ControlError;
use crate::export::{ColourBy, ExportKind, ExportSetting, MOST_SCALE};
use crate::geometry::Point;
use crate::text::thousands;

/// Default and longest time that a client waits for an answer, in seconds.
const TIMEOUT: u64 = 60;
const LONGEST_TIMEOUT: u64 = 3_600;

/// Advice for a request with wrong members or arguments.
const REQUESTS: &str = "the guide's page `agents.md` lists the requests and their arguments";

/// A square of the dungeon. Its row and column are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `row` and `column`")]
pub struct Square {
    /// Row, counted from the top.
    pub row: i32,
    /// Column, counted from the left.
    pub column: i32,
}

impl From<Square> for Point {
    fn from(square: Square) -> Self {
        Self::new(square.row, square.column)
    }
}

/// Arguments of an action.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ActionArgs {
    /// Number of times to run the action.
    pub times: Option<u32>,
    /// Row to which the map's cursor moves before the action runs.
    pub row: Option<i32>,
    /// Column to which the map's cursor moves before the action runs.
    pub column: Option<i32>,
    /// Text for the text field that the action opens. It replaces the text in the field and is confirmed with Enter.
    pub text: Option<String>,
}

/// A moment of a dungeon's growth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DungeonMoment {
    /// The end of the growth.
    #[default]
    End,
    /// The moment that the designer currently shows.
    Shown,
    /// After this many turns.
    Turn(u64),
}

/// Which content of a dungeon a client requests, and how a picture of it is drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DungeonArgs {
    /// Moment of the dungeon's growth.
    pub turn: DungeonMoment,
    /// File format; if `None`, the answer contains only the metrics.
    pub format: Option<ExportKind>,
    /// Width and height of a square in pictures, in pixels.
    pub scale: Option<u32>,
    /// What the colours of a picture mean.
    pub by: Option<ColourBy>,
    /// Whether a picture has a title and a legend.
    pub legend: bool,
}

/// Changes to the open design, which is then grown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "an object with `seed`, `change` or both")]
pub struct GrowArgs {
    /// New seed; `None` to keep the design's seed.
    pub seed: Option<u64>,
    /// Rules that change parameters, in the order in which they are applied.
    pub change: Vec<String>,
}

/// A client's command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ControlCommand {
    /// Run the action with this name, such as `everywhere.undo`.
    Action(String, ActionArgs),
    /// Describe the state of the designer. If true, the answer waits until the design has grown.
    State(bool),
    /// List the actions.
    Actions,
    /// Show the designer's screen as text.
    Screen,
    /// Describe or draw the dungeon.
    Dungeon(DungeonArgs),
    /// Explain the content of a square.
    Why(Point),
    /// Change the design in one undo step, and wait until it has grown.
    Grow(GrowArgs),
}

/// A line from a client, as JSON. The type of each member is checked later, so that the error names the member.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default)]
    id: Value,
    action: Option<Value>,
    get: Option<Value>,
    why: Option<Value>,
    grow: Option<Value>,
    args: Option<Value>,
    timeout: Option<Value>,
}

/// The result of parsing a line.
#[derive(Debug)]
pub(super) struct ParsedLine {
    /// Identifier that the client chose for the request. The answer repeats it.
    pub(super) id: Value,
    /// The command and the time to wait for its answer, or why the request is invalid.
    pub(super) command: Result<(ControlCommand, Duration), ControlError>,
}

impl ParsedLine {
    /// Parses a line.
    pub(super) fn read(bytes: &[u8]) -> Self {
        match serde_json::from_slice::<Line>(bytes) {
            Ok(line) => Self {
                id: line.id.clone(),
                command: line.command(),
            },
            Err(error) => {
                // Even if a request is invalid, for example because of an unknown member, the answer contains its
                // `id`.
                let value: Value = serde_json::from_slice(bytes).unwrap_or_default();
                let help = if value.is_object() {
                    REQUESTS
                } else {
                    r#"write one JSON object per line, such as {"id": 1, "get": "state"}"#
                };
                Self {
                    id: value.get("id").cloned().unwrap_or_default(),
                    command: Err(ControlError::new(format!("cannot read the request: {error}"), help)),
                }
            }
        }
    }
}

impl Line {
    /// Returns the command on the line, and the time to wait for its answer.
    fn command(self) -> Result<(ControlCommand, Duration), ControlError> {
        let seconds: u64 = self.timeout.map_or(Ok(TIMEOUT), |timeout| member("timeout", timeout))?;
        let args: Map<String, Value> = self.args.map_or(Ok(Map::new()), |args| member("args", args))?;
        let command = match (self.action, self.get, self.why, self.grow) {
            (Some(name), None, None, None) => ControlCommand::Action(member("action", name)?, arguments(args)?),
            (None, Some(what), None, None) => get(&member::<String>("get", what)?, args)?,
            (None, None, Some(square), None) => {
                let NoArgs {} = arguments(args)?;
                ControlCommand::Why(member::<Square>("why", square)?.into())
            }
            (None, None, None, Some(grow)) => {
                let NoArgs {} = arguments(args)?;
                ControlCommand::Grow(member("grow", grow)?)
            }
            _ => {
                return Err(ControlError::new(
                    "a request has exactly one of the members `action`, `get`, `why` and `grow`",
                    r#"begin with {"get": "actions"}, which lists the actions"#,
                ));
            }
        };
        Ok((command, Duration::from_secs(seconds.min(LONGEST_TIMEOUT))))
    }
}

/// The arguments of a request that accepts none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoArgs {}

/// The arguments of a request for the state.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct StateArgs {
    wait: bool,
}

/// The arguments of a request for the metrics.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct MetricsArgs {
    turn: Value,
}

/// The arguments of a request for a picture.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct PictureArgs {
    turn: Value,
    scale: Option<u32>,
    by: Option<String>,
    legend: bool,
}

/// The arguments of a request for a dungeon.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RawDungeonArgs {
    turn: Value,
    format: Option<String>,
    scale: Option<u32>,
    by: Option<String>,
    legend: bool,
}

/// Returns the command of a `get` request.
fn get(what: &str, args: Map<String, Value>) -> Result<ControlCommand, ControlError> {
    Ok(match what {
        "state" => {
            let args: StateArgs = arguments(args)?;
            ControlCommand::State(args.wait)
        }
        "actions" => {
            let NoArgs {} = arguments(args)?;
            ControlCommand::Actions
        }
        "screen" => {
            let NoArgs {} = arguments(args)?;
            ControlCommand::Screen
        }
        "metrics" => {
            let args: MetricsArgs = arguments(args)?;
            let turn = moment(&args.turn)?;
            ControlCommand::Dungeon(DungeonArgs {
                turn,
                ..DungeonArgs::default()
            })
        }
        "dungeon" => ControlCommand::Dungeon(dungeon(arguments(args)?)?),
        "picture" => {
            let args: PictureArgs = arguments(args)?;
            ControlCommand::Dungeon(dungeon(RawDungeonArgs {
                turn: args.turn,
                format: Some("png".to_owned()),
                scale: args.scale,
                by: args.by,
                legend: args.legend,
            })?)
        }
        other => {
            return Err(ControlError::new(
                format!("cannot get `{other}`"),
                "get one of state, metrics, dungeon, picture, screen and actions",
            ));
        }
    })
}

/// Converts the arguments of a request for a dungeon. Fails if one of them has no effect on the format.
fn dungeon(args: RawDungeonArgs) -> Result<DungeonArgs, ControlError> {
    let format = args.format.as_deref().unwrap_or("text");
    let kind = ExportKind::by_name(format).ok_or_else(|| {
        let names: Vec<&str> = ExportKind::ALL.iter().map(|info| info.name).collect();
        ControlError::new(
            format!("unknown format `{format}`"),
            format!("use one of {}", names.join(", ")),
        )
    })?;
    let settings = [
        ("scale", args.scale.is_some(), ExportSetting::Scale),
        ("by", args.by.is_some(), ExportSetting::By),
        ("legend", args.legend, ExportSetting::Legend),
    ];
    if let Some((name, _, setting)) = settings
        .into_iter()
        .find(|(_, is_given, of)| *is_given && !kind.takes(*of))
    {
        let takers = ExportKind::ALL.iter().filter(|info| info.kind.takes(setting));
        let takers: Vec<&str> = takers.map(|info| info.name).collect();
        return Err(ControlError::new(
            format!("`{name}` has no effect on {format}"),
            format!("leave it out; it applies to {}", takers.join(", ")),
        ));
    }
    if kind == ExportKind::Recording && !args.turn.is_null() {
        return Err(ControlError::new(
            "`turn` has no effect on a recording, which is always exported whole",
            "leave it out",
        ));
    }
    let by = args.by.map(|name| {
        let found = ColourBy::ALL.iter().find(|(_, other)| *other == name);
        found.map(|(by, _)| *by).ok_or_else(|| {
            let names: Vec<&str> = ColourBy::ALL.iter().map(|(_, name)| *name).collect();
            ControlError::new(
                format!("cannot colour by `{name}`"),
                format!("use one of {}", names.join(", ")),
            )
        })
    });
    if let Some(scale) = args.scale.filter(|scale| !(1..=MOST_SCALE).contains(scale)) {
        return Err(ControlError::new(
            format!("`scale` is {scale}"),
            format!("use a number of pixels from 1 to {}", thousands(MOST_SCALE.into())),
        ));
    }
    Ok(DungeonArgs {
        turn: moment(&args.turn)?,
        format: Some(kind),
        scale: args.scale,
        by: by.transpose()?,
        legend: args.legend,
    })
}

/// Parses the moment of a dungeon's growth.
fn moment(turn: &Value) -> Result<DungeonMoment, ControlError> {
    match turn {
        Value::Null => Ok(DungeonMoment::End),
        Value::String(text) if text == "end" => Ok(DungeonMoment::End),
        Value::String(text) if text == "shown" => Ok(DungeonMoment::Shown),
        other => other.as_u64().map(DungeonMoment::Turn).ok_or_else(|| {
            ControlError::new(
                format!("{other} is not a valid `turn`"),
                "use the number of a turn, \"end\" or \"shown\"",
            )
        }),
    }
}

/// Deserializes the arguments of a request.
fn arguments<T: DeserializeOwned>(args: Map<String, Value>) -> Result<T, ControlError> {
    valid("arguments", Value::Object(args))
}

/// Deserializes a member of a request.
fn member<T: DeserializeOwned>(name: &str, value: Value) -> Result<T, ControlError> {
    valid(&format!("`{name}`"), value)
}

/// Deserializes a part of a request, which the error calls `what`.
fn valid<T: DeserializeOwned>(what: &str, value: Value) -> Result<T, ControlError> {
    serde_json::from_value(value).map_err(|error| ControlError::new(format!("invalid {what}: {error}"), REQUESTS))
}
