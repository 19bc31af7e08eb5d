//! `wallcrawler vault lsp`: a language server for level files, over standard input and output.
//!
//! The server reports the problems that `vault check` can find without resolving maps from seeds. It also describes
//! the word under the cursor, completes names, finds maps by tag and functions by name, lists the maps of a file, and
//! formats files. The module `workspace` stores the files; `describe`, `complete` and `define` answer requests about a
//! position in a file.

mod complete;
mod define;
mod describe;
mod place;
mod words;
mod workspace;

use std::io::{self, BufReader};
use std::path::PathBuf;
use std::sync::mpsc::TryRecvError;

use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument, Exit, LogMessage,
    Notification as _, PublishDiagnostics,
};
use lsp_types::request::{
    Completion, DocumentSymbolRequest, Formatting, GotoDefinition, HoverRequest, Initialize, Request as _, Shutdown,
};
use lsp_types::{
    CompletionParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DocumentFormattingParams, DocumentSymbolParams, GotoDefinitionParams, HoverParams,
    LogMessageParams, MessageType, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::super::UNUSABLE;
use super::super::failure::Failure;
use super::super::output::Output;
use super::{files, names};
use crate::background::{EditorConnection, Incoming};
use workspace::Workspace;

/// The arguments of `vault lsp`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Level files, or folders with level files, to which the files in the editor may refer; the folders open in the
    /// editor are always included
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Folder with the data of Dungeon Crawl Stone Soup (the folder that contains `dlua`), to use instead of
    /// Wallcrawler's replacement for the game's Lua library
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    crawl_data: Option<PathBuf>,
    /// File with the names that the game defines, written by `vault names` [default: the names in --crawl-data]
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
    /// Communicate over standard input and output. This is always the case; the option exists because some editors
    /// pass it
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Serves an editor until the editor asks the server to exit or closes the connection. Returns the exit status.
pub(super) fn run(args: &Args, _: &mut Output) -> Result<u8, Failure> {
    let names = names::of(args.names.as_deref(), args.crawl_data.as_deref())?;
    let files = files::Args::of(args.files.clone(), args.crawl_data.clone());
    let mut server = Server {
        workspace: Workspace::new(files, names),
        stage: Stage::Start,
        connection: EditorConnection::new(BufReader::new(io::stdin()), io::stdout())?,
    };
    server.serve();
    let was_shut_down = server.stage == Stage::ShutDown;
    server.connection.finish()?;
    // The protocol requires a failure status if the editor ends the server without asking it to shut down.
    Ok(if was_shut_down { 0 } else { UNUSABLE })
}

/// The state of the session with the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The editor has not sent `initialize`.
    Start,
    /// Requests are answered.
    Running,
    /// The editor asked the server to shut down; the only valid message is now `exit`.
    ShutDown,
}

/// A language server with its connection to one editor.
struct Server {
    workspace: Workspace,
    stage: Stage,
    connection: EditorConnection,
}

impl Server {
    /// Handles messages until the editor sends `exit` or closes its stream. Documents are checked only while no
    /// message is waiting, so that after several quick changes only the final text is checked.
    fn serve(&mut self) {
        loop {
            let incoming = match self.connection.inbox.try_recv() {
                Ok(incoming) => incoming,
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) => match self.workspace.next_report() {
                    Some(report) => {
                        self.send_notification(PublishDiagnostics::METHOD, report);
                        continue;
                    }
                    None => match self.connection.inbox.recv() {
                        Ok(incoming) => incoming,
                        Err(_) => return,
                    },
                },
            };
            match incoming {
                Incoming::Message(Message::Request(request)) => {
                    let response = self.respond(request);
                    self.send(response.into());
                }
                Incoming::Message(Message::Notification(notification)) if notification.method == Exit::METHOD => return,
                Incoming::Message(Message::Notification(notification)) => {
                    if self.stage == Stage::Running {
                        receive(&mut self.workspace, notification);
                    }
                }
                Incoming::Message(Message::Response(_)) => {}
                Incoming::Dropped(why) => self.send_notification(
                    LogMessage::METHOD,
                    LogMessageParams {
                        typ: MessageType::WARNING,
                        message: format!("wallcrawler ignored a message: {why}"),
                    },
                ),
            }
        }
    }

    /// Sends a message. An error is ignored: if the editor has stopped reading, the input stream also ends soon, and
    /// then the server stops.
    fn send(&self, message: Message) {
        let _ = self.connection.outbox.send(message);
    }

    fn send_notification(&self, method: &str, params: impl serde::Serialize) {
        self.send(Notification::new(method.to_owned(), params).into());
    }

    /// Returns the response to a request.
    fn respond(&mut self, request: Request) -> Response {
        let error = |request: &Request, code: ErrorCode, message: String| {
            Response::new_err(request.id.clone(), code as i32, message)
        };
        match (self.stage, request.method.as_str()) {
            (Stage::Start, Initialize::METHOD) => {
                self.workspace.open_folders(&folders(&request.params));
                self.stage = Stage::Running;
                Response::new_ok(request.id, capabilities())
            }
            (Stage::Start, _) => {
                let message = "`initialize` must be the first request".to_owned();
                error(&request, ErrorCode::ServerNotInitialized, message)
            }
            (Stage::Running, Shutdown::METHOD) => {
                self.stage = Stage::ShutDown;
                Response::new_ok(request.id, Value::Null)
            }
            (Stage::Running, method) if method != Initialize::METHOD => {
                let method = method.to_owned();
                match answer(&mut self.workspace, &method, request.params) {
                    Some(Ok(result)) => Response::new_ok(request.id, result),
                    Some(Err(why)) => Response::new_err(request.id, ErrorCode::InvalidParams as i32, why.to_string()),
                    None => {
                        let message = format!("`{method}` is not supported");
                        Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message)
                    }
                }
            }
            (_, method) => {
                let message = format!("`{method}` is not allowed at this point");
                error(&request, ErrorCode::InvalidRequest, message)
            }
        }
    }
}

/// Returns the result of `initialize`: the capabilities of the server.
fn capabilities() -> Value {
    json!({
        "capabilities": {
            "textDocumentSync": {"openClose": true, "change": 1},
            "hoverProvider": true,
            "completionProvider": {"triggerCharacters": [":", ".", " ", "\"", "/"]},
            "definitionProvider": true,
            "documentSymbolProvider": true,
            "documentFormattingProvider": true,
        },
        "serverInfo": {"name": "wallcrawler", "version": env!("CARGO_PKG_VERSION")},
    })
}

/// Returns the folders that are open in the editor, from the parameters of `initialize`. Other parameters are ignored,
/// even if they are malformed.
fn folders(params: &Value) -> Vec<Uri> {
    let uri = |value: &Value| value.as_str()?.parse().ok();
    match params["workspaceFolders"].as_array() {
        Some(folders) => folders.iter().filter_map(|folder| uri(&folder["uri"])).collect(),
        // Editors without support for workspace folders send a single root folder.
        None => uri(&params["rootUri"]).into_iter().collect(),
    }
}

/// Applies a notification. Unknown notifications are ignored, as the protocol requires, and so are malformed ones.
fn receive(workspace: &mut Workspace, notification: Notification) {
    fn read<P: DeserializeOwned>(notification: Notification) -> Option<P> {
        serde_json::from_value(notification.params).ok()
    }
    match notification.method.as_str() {
        DidOpenTextDocument::METHOD => {
            if let Some(params) = read::<DidOpenTextDocumentParams>(notification) {
                workspace.set(params.text_document.uri, params.text_document.text);
            }
        }
        DidChangeTextDocument::METHOD => {
            // The server asked for whole texts (`change: 1`), so the last change is the new text. A change with a
            // range is invalid and ignored.
            if let Some(params) = read::<DidChangeTextDocumentParams>(notification)
                && let Some(change) = params.content_changes.into_iter().next_back()
                && change.range.is_none()
            {
                workspace.set(params.text_document.uri, change.text);
            }
        }
        DidCloseTextDocument::METHOD => {
            if let Some(params) = read::<DidCloseTextDocumentParams>(notification) {
                workspace.close(&params.text_document.uri);
            }
        }
        DidChangeWatchedFiles::METHOD => {
            if let Some(params) = read::<DidChangeWatchedFilesParams>(notification) {
                for change in &params.changes {
                    workspace.reload(&change.uri);
                }
            }
        }
        _ => {}
    }
}

/// Returns the result of a request, or the error in its parameters. Returns `None` if the method is not supported.
fn answer(workspace: &mut Workspace, method: &str, params: Value) -> Option<Result<Value, serde_json::Error>> {
    /// Parses the parameters of a request, calls `answer` with them, and returns the result as JSON.
    fn handle<P: DeserializeOwned, R: serde::Serialize>(
        params: Value,
        answer: impl FnOnce(P) -> R,
    ) -> Result<Value, serde_json::Error> {
        serde_json::to_value(answer(serde_json::from_value(params)?))
    }
    Some(match method {
        HoverRequest::METHOD => handle(params, |params: HoverParams| describe::hover(workspace, &params)),
        Completion::METHOD => handle(params, |params: CompletionParams| {
            complete::complete(workspace, &params)
        }),
        GotoDefinition::METHOD => handle(params, |params: GotoDefinitionParams| {
            define::define(workspace, &params)
        }),
        DocumentSymbolRequest::METHOD => handle(params, |params: DocumentSymbolParams| {
            workspace.symbols(&params.text_document.uri)
        }),
        Formatting::METHOD => handle(params, |params: DocumentFormattingParams| {
            workspace.formatted(&params.text_document.uri)
        }),
        _ => return None,
    })
}
