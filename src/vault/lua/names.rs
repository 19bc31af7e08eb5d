//! A static scan of Lua text: which names it uses as functions or tables, and which it assigns.
//!
//! A level file may call functions that only the game defines. Such a name becomes an opaque value, provided the file
//! never assigns it; a name that the file assigns stays nil until then.

use std::collections::BTreeSet;

/// The names in a text.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Names that are called or indexed.
    used: BTreeSet<Vec<u8>>,
    /// Names that are called as a member of something.
    members: BTreeSet<Vec<u8>>,
    /// Names that are assigned.
    given: BTreeSet<Vec<u8>>,
    /// Names of functions and values at the outermost level of the text.
    pub(crate) outer: BTreeSet<Vec<u8>>,
}

impl Names {
    /// Returns whether a name is used, by itself or as a member, and never assigned.
    pub(crate) fn is_unknown(&self, name: &[u8]) -> bool {
        (self.used.contains(name) || self.members.contains(name)) && !self.given.contains(name)
    }

    /// Returns whether a name is called as a member and never assigned.
    pub(crate) fn is_unknown_member(&self, name: &[u8]) -> bool {
        self.members.contains(name) && !self.given.contains(name)
    }

    /// Adds the names of a text.
    pub(crate) fn read(&mut self, code: &[u8]) {
        let mut tokens = Tokens { code, at: 0 };
        let mut before = Token::Other(0);
        let mut previous = Token::Other(0);
        let mut current = tokens.next();
        while let Some(token) = current {
            let next = tokens.next();
            if let Token::Word { text, line_start } = token {
                let member = matches!(previous, Token::Other(b'.' | b':'));
                if member {
                    // Environments are passed as tables: `e.name()` may refer to a function of the map.
                    if matches!(next, Some(Token::Other(b'(' | b'{') | Token::Text)) {
                        self.members.insert(text.to_vec());
                    }
                } else if !is_keyword(text) {
                    self.see(text, line_start, before, previous, next);
                }
            }
            before = previous;
            previous = token;
            current = next;
        }
    }

    fn see(&mut self, text: &[u8], line_start: bool, before: Token, previous: Token, next: Option<Token>) {
        let function = previous.is_word(b"function");
        let local = previous.is_word(b"local") || function && before.is_word(b"local");
        match next {
            _ if local => {
                self.given.insert(text.to_vec());
            }
            Some(Token::Other(b'(')) if function => {
                self.given.insert(text.to_vec());
                self.outer.insert(text.to_vec());
            }
            // After a brace or a comma it is a field of a table.
            Some(Token::Assign) if !matches!(previous, Token::Other(b'{' | b',')) => {
                self.given.insert(text.to_vec());
                if line_start {
                    self.outer.insert(text.to_vec());
                }
            }
            Some(Token::Other(b'(' | b'{' | b'.' | b':' | b'[') | Token::Text) => {
                self.used.insert(text.to_vec());
            }
            _ => {}
        }
    }
}

fn is_keyword(word: &[u8]) -> bool {
    const KEYWORDS: [&[u8]; 21] = [
        b"and",
        b"break",
        b"do",
        b"else",
        b"elseif",
        b"end",
        b"false",
        b"for",
        b"function",
        b"if",
        b"in",
        b"local",
        b"nil",
        b"not",
        b"or",
        b"repeat",
        b"return",
        b"then",
        b"true",
        b"until",
        b"while",
    ];
    KEYWORDS.contains(&word)
}

#[derive(Clone, Copy)]
enum Token<'a> {
    Word {
        text: &'a [u8],
        line_start: bool,
    },
    /// `=` that is not part of a comparison.
    Assign,
    Text,
    Other(u8),
}

impl Token<'_> {
    fn is_word(self, word: &[u8]) -> bool {
        matches!(self, Token::Word { text, .. } if text == word)
    }
}

struct Tokens<'a> {
    code: &'a [u8],
    at: usize,
}

impl Tokens<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.code.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Returns the level of the long bracket that opens here, if one does.
    fn long_bracket(&self, ahead: usize) -> Option<usize> {
        if self.peek(ahead) != b'[' {
            return None;
        }
        let level = (ahead + 1..self.code.len())
            .take_while(|&i| self.peek(i) == b'=')
            .count();
        (self.peek(ahead + 1 + level) == b'[').then_some(level)
    }

    fn skip_long(&mut self, level: usize) {
        let close: Vec<u8> = [b"]".as_slice(), &vec![b'='; level], b"]"].concat();
        while self.at < self.code.len() && !self.code[self.at..].starts_with(&close) {
            self.at += 1;
        }
        self.at = (self.at + close.len()).min(self.code.len());
    }

    fn skip_quoted(&mut self, quote: u8) {
        self.at += 1;
        while self.at < self.code.len() && self.code[self.at] != quote && self.code[self.at] != b'\n' {
            self.at += 1 + usize::from(self.code[self.at] == b'\\');
        }
        self.at = (self.at + 1).min(self.code.len());
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let byte = *self.code.get(self.at)?;
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if byte == b'-' && self.peek(1) == b'-' {
                if let Some(level) = self.long_bracket(2) {
                    self.skip_long(level);
                } else {
                    while self.at < self.code.len() && self.code[self.at] != b'\n' {
                        self.at += 1;
                    }
                }
            } else if byte.is_ascii_alphabetic() || byte == b'_' {
                let start = self.at;
                while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == b'_' {
                    self.at += 1;
                }
                return Some(Token::Word {
                    text: &self.code[start..self.at],
                    line_start: start == 0 || self.code[start - 1] == b'\n',
                });
            } else if byte == b'"' || byte == b'\'' {
                self.skip_quoted(byte);
                return Some(Token::Text);
            } else if let Some(level) = self.long_bracket(0) {
                self.skip_long(level);
                return Some(Token::Text);
            } else if byte == b'=' && self.peek(1) != b'=' {
                self.at += 1;
                return Some(Token::Assign);
            } else {
                // A comparison is one token, so that its `=` is not read as an assignment.
                let wide = matches!(byte, b'=' | b'~' | b'<' | b'>') && self.peek(1) == b'=';
                self.at += 1 + usize::from(wide);
                return Some(Token::Other(byte));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(code: &str) -> Names {
        let mut names = Names::default();
        names.read(code.as_bytes());
        names
    }

    #[test]
    fn called_names_are_unknown_until_they_are_given() {
        let names = names(
            "zap('x') lib.sub.call(1) obj:method{} mark\"text\" local known = 1 known(2)\n\
             function mine(a) end mine(3) t = {key = f()} other = nil other()",
        );
        for unknown in ["zap", "lib", "obj", "mark", "f"] {
            assert!(names.is_unknown(unknown.as_bytes()), "{unknown}");
        }
        for member in ["call", "method"] {
            assert!(names.is_unknown(member.as_bytes()), "{member}");
        }
        for known in ["known", "mine", "other", "sub", "key", "t", "if"] {
            assert!(!names.is_unknown(known.as_bytes()), "{known}");
        }
    }

    #[test]
    fn texts_and_comments_are_no_code() {
        let names = names(
            "-- zap(1)\n--[[ zup(2)\n zip(3) ]] x = \"zop(4) \\\" zep(5)\" y = [==[ zyp(6) ]==] if a == b then c() end",
        );
        for word in ["zap", "zup", "zip", "zop", "zep", "zyp"] {
            assert!(!names.is_unknown(word.as_bytes()), "{word}");
        }
        assert!(names.is_unknown(b"c"));
        assert!(!names.given.contains(b"a".as_slice()), "a comparison gives no value");
    }

    #[test]
    fn outer_names_are_reported() {
        let names = names(
            "function setup(e)\n local x = 1\n y = 2\nend\nTABLE = {}\nlocal function hidden() end\nfunction m.f() end",
        );
        let outer: Vec<&[u8]> = names.outer.iter().map(Vec::as_slice).collect();
        assert_eq!(outer, [b"TABLE".as_slice(), b"setup"]);
    }
}
