//! Resolves the vaults of the open design in the background, so that no level file can block the interface.
//!
//! A new request makes the one under way stale, which interrupts its Lua code.

use std::rc::Rc;
use std::sync::mpsc::SyncSender;

use super::Message;
use super::worker::{JobContext, RunId, Worker};
use crate::document::VaultRequest;
use crate::vault::resolver::VaultResolver;

/// The vault resolver thread. Dropping it cancels the request under way and joins the thread.
#[derive(Debug)]
pub struct VaultResolveService(Worker<VaultRequest>);

impl VaultResolveService {
    /// Starts the thread, which sends its messages to `inbox`.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        let broken = |run, why| Message::Resolved { run, reply: Err(why) };
        let begin = || {
            let mut resolver = VaultResolver::default();
            move |run, request: VaultRequest, line: &JobContext<I>| {
                let cancelled: Rc<dyn Fn() -> bool> = Rc::new(line.staleness(run));
                if let Some(reply) = request.resolve(&mut resolver, &cancelled) {
                    let reply = Ok(Box::new(reply));
                    line.send(run, Message::Resolved { run, reply });
                }
            }
        };
        Worker::start("resolver", inbox, broken, begin).map(Self)
    }

    /// Cancels the request under way and begins another. Its reply carries the number returned.
    pub fn ask(&self, request: VaultRequest) -> RunId {
        self.0.ask(request)
    }

    /// Cancels the request under way.
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::Inbox;
    use crate::design::{Design, VaultEntry};
    use crate::document::Document;

    fn request(text: &str) -> (tempfile::TempDir, Document, VaultRequest) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("own.des"), text).unwrap();
        let mut design = Design::default();
        design.layout.vaults.push(VaultEntry {
            file: folder.path().join("own.des").display().to_string(),
            map: "own".into(),
            ..VaultEntry::default()
        });
        let document = Document::new(design, None);
        let request = document.vault_request(None).unwrap();
        (folder, document, request)
    }

    #[test]
    fn a_new_request_ends_the_lua_of_the_one_before() {
        let (_one, _, endless) = request("NAME: own\n: while true do end\nMAP\nx\nENDMAP\n");
        let (_other, mut document, wanted) = request("NAME: own\nMAP\nx.x\nENDMAP\n");
        assert!(
            document.vault_request(Some(&wanted)).is_none(),
            "it is asked for already"
        );
        let inbox = Inbox::<()>::new();
        let resolver = VaultResolveService::new(inbox.sender()).unwrap();
        resolver.ask(endless);
        let run = resolver.ask(wanted);
        match inbox.wait(None) {
            Some(Message::Resolved { run: of, reply }) => {
                assert_eq!(of, run);
                document.take_vaults(*reply.unwrap());
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(document.valid().unwrap().pieces().len(), 1);
    }
}
