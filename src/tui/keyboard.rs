//! The terminal's input. Reassembles keys whose bytes a slow connection has split.
//!
//! Arrows and similar keys arrive as ESC followed by some characters. If the characters arrive late, crossterm reports
//! ESC as the key Esc and the characters as letters, each of which would trigger an action. So the reader waits for
//! [`MOMENT`] after Esc. If the characters that arrive in time complete the sequence of a key, the reader reports that
//! key. It also recognizes changes of the terminal's focus. It drops all other control sequences that arrive in pieces,
//! such as those of mouse events and of the start of a paste.
//!
//! With the kitty keyboard protocol, the terminal reports the key Esc as a sequence, too. In that case, the reader does
//! not wait after Esc and does not reassemble split keys. The exception is input that arrived before the first frame,
//! when the protocol was not yet enabled.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use super::pictures::PictureReplies;

/// Maximum delay between the bytes of one key. The key Esc on its own is handled after this delay.
const MOMENT: Duration = Duration::from_millis(40);

/// Maximum number of characters after ESC in a sequence; a longer sequence counts as typed text.
const LONGEST: usize = 24;

/// A source of input events.
pub(super) trait InputSource {
    /// Waits for the next event.
    fn read(&mut self) -> io::Result<Event>;

    /// Returns whether another event is available or arrives within the time `within`.
    fn has_more(&mut self, within: Duration) -> io::Result<bool>;
}

/// The terminal as a source of input.
#[derive(Debug, Default)]
pub(super) struct TerminalInput;

impl InputSource for TerminalInput {
    fn read(&mut self) -> io::Result<Event> {
        crossterm::event::read()
    }

    fn has_more(&mut self, within: Duration) -> io::Result<bool> {
        crossterm::event::poll(within)
    }
}

/// Input from a source, with split keys reassembled.
#[derive(Debug, Default)]
pub(super) struct Keyboard<S = TerminalInput> {
    source: S,
    /// Events already read while looking for the rest of a key, to be returned next.
    waiting: VecDeque<Event>,
    /// Events that arrived before the first frame, to be read before the source's events.
    early: VecDeque<Event>,
    /// Whether the terminal reports the key Esc in a form that cannot be confused with the start of a sequence.
    is_exact: bool,
    /// The receiver of the terminal's replies about pictures.
    replies: PictureReplies,
}

/// Maximum number of characters in a terminal's answer to a query.
const ANSWER: usize = 256;

/// The first two characters after ESC in each kind of answer from the terminal: a colour, a reply about a picture, and
/// the terminal's name.
const ANSWERS: [(char, char); 3] = [(']', '1'), ('_', 'G'), ('P', '>')];

impl Keyboard<TerminalInput> {
    /// Creates the keyboard of a terminal. `early` are the events that arrived before the first frame. `is_exact` says
    /// whether the terminal reports the key Esc in a form that cannot be confused with the start of a sequence. Replies
    /// about pictures go to `replies`.
    pub(super) const fn of_terminal(early: VecDeque<Event>, is_exact: bool, replies: PictureReplies) -> Self {
        Self {
            source: TerminalInput,
            waiting: VecDeque::new(),
            early,
            is_exact,
            replies,
        }
    }
}

impl<S: InputSource> Keyboard<S> {
    /// Waits for the next event.
    ///
    /// # Errors
    ///
    /// Fails if the input fails or ends.
    pub(super) fn read(&mut self) -> io::Result<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Ok(event);
            }
            let event = self.next()?;
            if let Some(first) = answer_start(&event) {
                self.skip_answer(first, vec![event])?;
            } else if is_esc(&event) && !(self.is_exact && self.early.is_empty()) {
                self.read_after_esc(event)?;
            } else {
                return Ok(event);
            }
        }
    }

    /// Returns the next event: first those that arrived before the first frame, then those of the source.
    fn next(&mut self) -> io::Result<Event> {
        self.early.pop_front().map_or_else(|| self.source.read(), Ok)
    }

    /// Returns whether another event is available or arrives within [`MOMENT`].
    fn has_more(&mut self) -> io::Result<bool> {
        Ok(!self.early.is_empty() || self.source.has_more(MOMENT)?)
    }

    /// Removes a terminal's answer from the input: `ESC`, a pair of characters from [`ANSWERS`], a text, and `ESC \` or
    /// BEL. Passes on answers about pictures; drops all others, which have arrived too late to be used. `first` is the
    /// first character of the pair, and `start` contains the events read so far, including that character. These events
    /// are queued if they do not begin an answer.
    fn skip_answer(&mut self, first: char, start: Vec<Event>) -> io::Result<()> {
        if !self.has_more()? {
            self.waiting.extend(start);
            return Ok(());
        }
        let event = self.next()?;
        if !letter(&event).is_some_and(|second| ANSWERS.contains(&(first, second))) {
            self.waiting.extend(start);
            self.waiting.push_back(event);
            return Ok(());
        }
        let mut text = String::new();
        for _ in 0..ANSWER {
            if !self.has_more()? {
                break;
            }
            let event = self.next()?;
            if is_answer_end(&event) {
                break;
            }
            if is_esc(&event) && self.has_more()? {
                // The bytes of `ESC \` arrived separately, so the backslash is an event of its own.
                self.next()?;
                break;
            }
            text.extend(letter(&event));
        }
        if first == '_' {
            self.replies.receive(&text);
        }
        Ok(())
    }

    /// Reads the events after Esc, as long as each follows the previous one within [`MOMENT`], and queues the resulting
    /// events.
    fn read_after_esc(&mut self, esc: Event) -> io::Result<()> {
        let (mut name, mut events) = (String::new(), vec![esc]);
        while self.has_more()? {
            let event = self.next()?;
            if let Some(first) = answer_start(&event) {
                // The user pressed Esc just before an answer arrived.
                self.waiting.extend(events);
                return self.skip_answer(first, vec![event]);
            }
            if name.is_empty()
                && events.len() == 1
                && let Some(first) = letter(&event).filter(|first| ANSWERS.iter().any(|(known, _)| known == first))
            {
                events.push(event);
                return self.skip_answer(first, events);
            }
            if is_esc(&event) {
                // A new Esc ends the previous, incomplete sequence. The events of that sequence are queued unchanged.
                self.waiting.extend(events.drain(..));
                name.clear();
            } else {
                name.extend(letter(&event));
            }
            let is_name = letter(&event).is_some() || is_esc(&event);
            events.push(event);
            match classify(&name) {
                SequenceKind::Whole(event) => {
                    self.waiting.extend(event);
                    return Ok(());
                }
                SequenceKind::Part if is_name => {}
                _ => break,
            }
        }
        self.waiting.extend(events);
        Ok(())
    }
}

/// Returns the first character after ESC if an event may be the start of a terminal's answer. Crossterm reports such a
/// start as Alt and that character.
fn answer_start(event: &Event) -> Option<char> {
    let Event::Key(KeyEvent { code, modifiers, .. }) = event else {
        return None;
    };
    let KeyCode::Char(first) = *code else { return None };
    let is_alt = modifiers.difference(KeyModifiers::SHIFT) == KeyModifiers::ALT;
    (is_alt && ANSWERS.iter().any(|(known, _)| *known == first)).then_some(first)
}

/// Returns whether an event is the end of a terminal's answer. Crossterm reports `ESC \` as Alt-`\` and BEL as Ctrl-g.
fn is_answer_end(event: &Event) -> bool {
    let Event::Key(key) = event else { return false };
    matches!(
        (key.code, key.modifiers),
        (KeyCode::Char('\\'), KeyModifiers::ALT) | (KeyCode::Char('g'), KeyModifiers::CONTROL)
    )
}

fn is_esc(event: &Event) -> bool {
    matches!(event, Event::Key(key) if key.code == KeyCode::Esc && key.modifiers.is_empty())
}

/// Returns the character of a key event, unless it has modifiers other than Shift.
fn letter(event: &Event) -> Option<char> {
    let Event::Key(KeyEvent { code, modifiers, .. }) = event else {
        return None;
    };
    let is_plain = modifiers.difference(KeyModifiers::SHIFT).is_empty();
    match code {
        KeyCode::Char(c) if is_plain => Some(*c),
        _ => None,
    }
}

/// The meaning of the characters read after ESC.
enum SequenceKind {
    /// A complete sequence, with its event; `None` if the sequence is unknown.
    Whole(Option<Event>),
    /// Possibly the beginning of a sequence.
    Part,
    /// Characters that the user typed.
    Typed,
}

/// Classifies the characters read after ESC. The caller has checked that no shorter prefix is a complete sequence.
fn classify(name: &str) -> SequenceKind {
    let mut letters = name.chars();
    match (letters.next(), letters.next_back()) {
        _ if name.len() > LONGEST => SequenceKind::Typed,
        (None, _) | (Some('O' | '['), None) | (Some('['), Some(' '..='?')) => SequenceKind::Part,
        // The Linux console sends F1 to F5 as `[[A` to `[[E`.
        (Some('['), Some('[')) if letters.as_str().is_empty() => SequenceKind::Part,
        (Some('O'), Some(last)) => match code("1", last) {
            Some(code) => SequenceKind::Whole(Some(Event::Key(code.into()))),
            None => SequenceKind::Typed,
        },
        (Some('['), Some(last @ '@'..='~')) => SequenceKind::Whole(sequence(letters.as_str(), last)),
        _ => SequenceKind::Typed,
    }
}

/// Returns the event of a control sequence: a key or a change of focus. Returns `None` for any other sequence.
fn sequence(parameters: &str, last: char) -> Option<Event> {
    match (parameters, last) {
        ("", 'I') => return Some(Event::FocusGained),
        ("", 'O') => return Some(Event::FocusLost),
        ("[", 'A'..='E') => return Some(Event::Key(KeyCode::F(last as u8 - b'A' + 1).into())),
        ("[", _) => return None,
        _ => {}
    }
    let (number, with) = parameters.split_once(';').unwrap_or((parameters, "1"));
    let code = code(number, last)?;
    // The second parameter is 1, plus 1 for Shift, 2 for Alt and 4 for Ctrl.
    let with = with.parse::<u8>().ok()?.checked_sub(1)?;
    let mut modifiers = KeyModifiers::NONE;
    for (bit, modifier) in [KeyModifiers::SHIFT, KeyModifiers::ALT, KeyModifiers::CONTROL]
        .into_iter()
        .enumerate()
    {
        modifiers.set(modifier, (with >> bit) & 1 == 1);
    }
    if code == KeyCode::BackTab {
        modifiers |= KeyModifiers::SHIFT;
    }
    Some(Event::Key(KeyEvent::new(code, modifiers)))
}

/// Returns the key for the number and the last character of a sequence, as xterm, VT220 and the Linux console send
/// them.
fn code(number: &str, last: char) -> Option<KeyCode> {
    Some(match last {
        'A' => KeyCode::Up,
        'B' => KeyCode::Down,
        'C' => KeyCode::Right,
        'D' => KeyCode::Left,
        'H' => KeyCode::Home,
        'F' => KeyCode::End,
        'Z' => KeyCode::BackTab,
        'P'..='S' => KeyCode::F(last as u8 - b'P' + 1),
        '~' => match number.parse::<u8>().ok()? {
            1 | 7 => KeyCode::Home,
            2 => KeyCode::Insert,
            3 => KeyCode::Delete,
            4 | 8 => KeyCode::End,
            5 => KeyCode::PageUp,
            6 => KeyCode::PageDown,
            number @ 11..=15 => KeyCode::F(number - 10),
            number @ 17..=21 => KeyCode::F(number - 11),
            number @ 23..=24 => KeyCode::F(number - 12),
            _ => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Events, each with a flag that says whether it arrives right after the previous event, without a pause.
    struct Line(VecDeque<(bool, Event)>);

    impl InputSource for Line {
        fn read(&mut self) -> io::Result<Event> {
            let (_, event) = self.0.pop_front().ok_or(io::ErrorKind::UnexpectedEof)?;
            Ok(event)
        }

        fn has_more(&mut self, _: Duration) -> io::Result<bool> {
            Ok(self.0.front().is_some_and(|(at_once, _)| *at_once))
        }
    }

    fn key(code: KeyCode) -> Event {
        Event::Key(code.into())
    }

    /// Returns the events for keys, as crossterm reports them when every byte arrives separately. `^` is Esc; `|` is a
    /// pause.
    fn events_of(typed: &str) -> Vec<Event> {
        let mut line = VecDeque::new();
        let mut at_once = true;
        for c in typed.chars() {
            let code = match c {
                '|' => {
                    at_once = false;
                    continue;
                }
                '^' => KeyCode::Esc,
                c => KeyCode::Char(c),
            };
            let modifiers = if c.is_ascii_uppercase() {
                KeyModifiers::SHIFT
            } else {
                KeyModifiers::NONE
            };
            let event = Event::Key(KeyEvent::new(code, modifiers));
            line.push_back((std::mem::replace(&mut at_once, true), event));
        }
        let mut keyboard = Keyboard {
            source: Line(line),
            waiting: VecDeque::new(),
            early: VecDeque::new(),
            is_exact: false,
            replies: PictureReplies::default(),
        };
        std::iter::from_fn(|| keyboard.read().ok()).collect()
    }

    #[test]
    fn a_split_key_is_reassembled() {
        for (typed, code) in [
            ("^[A", KeyCode::Up),
            ("^OD", KeyCode::Left),
            ("^[H", KeyCode::Home),
            ("^OP", KeyCode::F(1)),
            ("^[3~", KeyCode::Delete),
            ("^[15~", KeyCode::F(5)),
            ("^[24~", KeyCode::F(12)),
            ("^[[A", KeyCode::F(1)),
            ("^[[E", KeyCode::F(5)),
        ] {
            assert_eq!(events_of(typed), [key(code)], "{typed}");
            // The events before and after the key are not lost.
            let [before, after] = ['x', 'y'].map(|c| key(KeyCode::Char(c)));
            assert_eq!(events_of(&format!("x{typed}y")), [before, key(code), after], "{typed}");
            let twice = [key(KeyCode::Esc), key(code)];
            assert_eq!(events_of(&format!("^{typed}")), twice, "{typed}");
        }
        let with = |code, modifiers| [Event::Key(KeyEvent::new(code, modifiers))];
        assert_eq!(events_of("^[1;5C"), with(KeyCode::Right, KeyModifiers::CONTROL));
        let both = KeyModifiers::ALT | KeyModifiers::SHIFT;
        assert_eq!(events_of("^[5;4~"), with(KeyCode::PageUp, both));
        assert_eq!(events_of("^[Z"), with(KeyCode::BackTab, KeyModifiers::SHIFT));
        assert_eq!(events_of("^[I"), [Event::FocusGained]);
    }

    #[test]
    fn a_late_answer_is_not_a_key() {
        let alt = |c| Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::ALT));
        let bell = Event::Key(KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL));
        for end in [alt('\\'), bell] {
            let color = "11;rgb:ffff/ffff/ffff".chars().map(|c| key(KeyCode::Char(c)));
            let events: Vec<Event> = std::iter::once(alt(']'))
                .chain(color)
                .chain([end, key(KeyCode::Char('q'))])
                .collect();
            let mut keyboard = Keyboard {
                source: Line(events.into_iter().map(|event| (true, event)).collect()),
                waiting: VecDeque::new(),
                early: VecDeque::new(),
                is_exact: false,
                replies: PictureReplies::default(),
            };
            assert_eq!(keyboard.read().unwrap(), key(KeyCode::Char('q')));
        }
        // The terminal's name, and a reply about a picture; every byte arrives separately.
        for late in ["^P>xkitty(0.32.2)^\\q", "^_Gi=31;OK^\\q"] {
            assert_eq!(events_of(late), [key(KeyCode::Char('q'))], "{late}");
        }
        // The same answer about the colour, but every byte arrives separately.
        assert_eq!(events_of("^]11;rgb:ffff/ffff/ffff^\\q"), [key(KeyCode::Char('q'))]);
    }

    #[test]
    fn esc_just_before_an_answer_does_not_turn_the_answer_into_keys() {
        let alt = |c| Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::ALT));
        let mut events = vec![key(KeyCode::Esc), alt('_')];
        events.extend("Gi=31;OK".chars().map(|c| key(KeyCode::Char(c))));
        events.extend([alt('\\'), key(KeyCode::Char('q'))]);
        let mut keyboard = Keyboard {
            source: Line(events.into_iter().map(|event| (true, event)).collect()),
            waiting: VecDeque::new(),
            early: VecDeque::new(),
            is_exact: false,
            replies: PictureReplies::default(),
        };
        let read: Vec<Event> = std::iter::from_fn(|| keyboard.read().ok()).collect();
        assert_eq!(read, [key(KeyCode::Esc), key(KeyCode::Char('q'))]);
        // The same events, but every byte of the answer arrives separately.
        let read = events_of("^^_Gi=31;OK^\\q");
        assert_eq!(read, [key(KeyCode::Esc), key(KeyCode::Char('q'))]);
    }

    #[test]
    fn replies_about_pictures_are_passed_on() {
        let alt = |c| Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::ALT));
        let mut events = vec![alt('_')];
        events.extend("Gi=7;ENOSPC:x".chars().map(|c| key(KeyCode::Char(c))));
        events.extend([alt('\\'), key(KeyCode::Char('q'))]);
        let replies = PictureReplies::default();
        let mut keyboard = Keyboard {
            source: Line(events.into_iter().map(|event| (true, event)).collect()),
            waiting: VecDeque::new(),
            early: VecDeque::new(),
            is_exact: true,
            replies: replies.clone(),
        };
        assert_eq!(keyboard.read().unwrap(), key(KeyCode::Char('q')));
        assert!(replies.has_refused());
    }

    #[test]
    fn keys_typed_before_the_first_frame_are_reassembled() {
        let early = "^[Aq"
            .chars()
            .map(|c| key(if c == '^' { KeyCode::Esc } else { KeyCode::Char(c) }));
        let mut keyboard = Keyboard {
            source: Line(VecDeque::new()),
            waiting: VecDeque::new(),
            early: early.collect(),
            is_exact: true,
            replies: PictureReplies::default(),
        };
        let events_of: Vec<Event> = std::iter::from_fn(|| keyboard.read().ok()).collect();
        assert_eq!(events_of, [key(KeyCode::Up), key(KeyCode::Char('q'))]);
    }

    #[test]
    fn unknown_sequences_do_nothing() {
        for typed in ["^[<0;12;30M", "^[99~", "^[1;0~", "^[?62c", "^[[F"] {
            assert_eq!(events_of(typed), [], "{typed}");
        }
    }

    #[test]
    fn typed_characters_are_not_mistaken_for_keys() {
        for typed in [
            "^",
            "^^",
            "^x",
            "^|[A",
            "^[|A",
            "^O|D",
            "^[1|~",
            "^[[|A",
            "^OX",
            "^7",
            "^P",
            "^Px",
            "^_",
            "^|_G",
            "[A",
            "^[1234567890123456789012345",
        ] {
            let plain: Vec<Event> = typed
                .chars()
                .filter(|c| *c != '|')
                .map(|c| match c {
                    '^' => key(KeyCode::Esc),
                    c if c.is_ascii_uppercase() => Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::SHIFT)),
                    c => key(KeyCode::Char(c)),
                })
                .collect();
            assert_eq!(events_of(typed), plain, "{typed}");
        }
    }
}
