//! The terminal's replies to picture commands: `ESC _ G i=NUMBER ; OK ESC \`; if the terminal refuses a picture, the
//! reason replaces `OK`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Returns three queries: whether the terminal supports pictures (the reply has the id 31), the size of a character in
/// pixels, and the terminal's name.
pub(in crate::tui) const fn query() -> &'static [u8] {
    b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[16t\x1b[>q"
}

/// The replies received so far, shared by the thread that reads the input and the thread that sends pictures.
#[derive(Debug, Clone, Default)]
pub(in crate::tui) struct PictureReplies {
    /// Id of the last query ([`super::encode::query`]) that the terminal answered; 0 if none.
    answered: Arc<AtomicU32>,
    /// Whether the terminal has refused a picture.
    refused: Arc<AtomicBool>,
}

impl PictureReplies {
    /// Records a reply, given as the text between `G` and the terminator.
    pub(in crate::tui) fn receive(&self, reply: &str) {
        let Some((keys, status)) = reply.split_once(';') else {
            return;
        };
        let number = keys.split(',').find_map(|key| key.strip_prefix("i="));
        match number.and_then(|number| number.parse().ok()) {
            Some(number) if status == "OK" => self.answered.store(number, Ordering::Release),
            Some(_) => self.refused.store(true, Ordering::Release),
            None => {}
        }
    }

    /// Returns the id of the last query that the terminal answered; 0 if none.
    pub(super) fn answered(&self) -> u32 {
        self.answered.load(Ordering::Acquire)
    }

    /// Returns whether the terminal has refused a picture.
    pub(in crate::tui) fn has_refused(&self) -> bool {
        self.refused.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_distinguished() {
        let replies = PictureReplies::default();
        for odd in ["", "OK", "i=;OK", "i=x;OK", ";", "p=3;OK"] {
            replies.receive(odd);
        }
        assert_eq!((replies.answered(), replies.has_refused()), (0, false));
        replies.receive("i=12;OK");
        assert_eq!(replies.answered(), 12);
        replies.receive("i=13,p=1;ENOSPC:no room");
        assert!(replies.has_refused());
        assert_eq!(replies.answered(), 12);
    }
}
