//! Resolves the vaults of the open design in the background, so that the Lua code of a level file cannot block the
//! interface.
//!
//! Cancelling a request also interrupts its Lua code.

use std::rc::Rc;

use super::job::{Cancelled, Job, JobCx};
use crate::document::{VaultReply, VaultRequest};
use crate::vault::resolver::VaultResolver;

impl Job for VaultRequest {
    const NAME: &'static str = "vault resolver";
    type Memory = VaultResolver;
    type Reply = Box<VaultReply>;

    fn run(self, resolver: &mut VaultResolver, cx: &JobCx<'_, Box<VaultReply>>) -> Result<(), Cancelled> {
        let ticket = cx.ticket().clone();
        let cancelled: Rc<dyn Fn() -> bool> = Rc::new(move || ticket.is_cancelled());
        let reply = self.resolve(resolver, &cancelled).ok_or(Cancelled)?;
        cx.send(Box::new(reply))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::{Inbox, JobReply, Jobs, Message, Ticket};
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
            "it has already been requested"
        );
        let inbox = Inbox::<()>::new();
        let mut jobs = Jobs::new(&inbox, None);
        let ticket = Ticket::new();
        jobs.start(Ticket::new(), endless.into());
        jobs.start(ticket.clone(), wanted.into());
        match inbox.wait(None) {
            Some(Message::Reply(of, JobReply::VaultResolution(reply))) => {
                assert_eq!(of, ticket);
                document.store_vaults(*reply.unwrap());
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(document.valid().unwrap().pieces().len(), 1);
    }
}
