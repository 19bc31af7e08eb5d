//! Scans Lua text for the names that it uses as functions or tables, and for the names that it assigns.
//!
//! A level file may call functions that only the game defines. Such a name becomes an opaque value, provided the file
//! never assigns it. As in the game, a name that the file assigns is nil until the assignment, and a name that the file
//! neither assigns, calls nor indexes is nil.

use std::collections::BTreeSet;

use crate::vault::lua_text;

/// The names in one or more texts.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Names that are called or indexed.
    used: BTreeSet<Vec<u8>>,
    /// Names that are called as members of a table.
    members: BTreeSet<Vec<u8>>,
    /// Global names that are assigned.
    assigned: BTreeSet<Vec<u8>>,
    /// Names of global functions, and names that are assigned at the start of a line. Such an assignment is assumed to
    /// be at the outermost level of the text.
    pub(crate) outer: BTreeSet<Vec<u8>>,
}

impl Names {
    /// Returns whether a name is used, by itself or as a member, and never assigned.
    pub(crate) fn is_undefined(&self, name: &[u8]) -> bool {
        (self.used.contains(name) || self.members.contains(name)) && !self.assigned.contains(name)
    }

    /// Returns whether a name is called as a member and never assigned.
    pub(crate) fn is_undefined_member(&self, name: &[u8]) -> bool {
        self.members.contains(name) && !self.assigned.contains(name)
    }

    /// Adds the names of a text.
    pub(crate) fn read(&mut self, code: &[u8]) {
        let tokens: Vec<Token> = Tokens { code, at: 0 }.collect();
        let at = |index: Option<usize>| index.and_then(|index| tokens.get(index)).copied();
        // Indices of the first and the last name in a list of names, which may be the left side of an assignment.
        let (mut first, mut last) = (0, 0);
        // The tables and blocks around the token, innermost last: whether each one is a table.
        let mut around: Vec<bool> = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            match *token {
                Token::Other(b'{') => around.push(true),
                Token::Word { text, .. } if OPENERS.contains(&text) => around.push(false),
                Token::Other(b'}') => {
                    around.pop();
                }
                Token::Word { text, .. } if CLOSERS.contains(&text) => {
                    around.pop();
                }
                _ => {}
            }
            let Token::Word { text, .. } = *token else { continue };
            if is_keyword(text) {
                continue;
            }
            let (previous, next) = (at(index.checked_sub(1)), at(Some(index + 1)));
            let is_call = matches!(next, Some(Token::Other(b'(' | b'{') | Token::Text));
            if previous != Some(Token::Other(b',')) || last + 2 != index {
                first = index;
            }
            last = index;
            let before = at(first.checked_sub(1));
            match (previous, next) {
                // Files pass environments as tables, so `e.name()` may refer to a function of the map.
                (Some(Token::Other(b'.' | b':')), _) if is_call => {
                    self.members.insert(text.to_vec());
                }
                (Some(Token::Other(b'.' | b':')), _) => {}
                (Some(Token::Word { text: b"function", .. }), Some(Token::Other(b'(')))
                    if is_word(at(index.checked_sub(2)), b"local") => {}
                (Some(Token::Word { text: b"function", .. }), Some(Token::Other(b'('))) => {
                    self.assign(&tokens[index..=index], true);
                }
                // The name is a field of a table.
                (_, Some(Token::Assign)) if around.last() == Some(&true) => {}
                // A local variable does not define a global one. But `local x = x or 1` expects that the global `x` may
                // be nil, so `x` must not become opaque.
                (_, Some(Token::Assign))
                    if (is_word(before, b"local") || is_word(before, b"for")) && is_word(at(Some(index + 2)), text) =>
                {
                    self.assigned.insert(text.to_vec());
                }
                (_, Some(Token::Assign)) if is_word(before, b"local") || is_word(before, b"for") => {}
                (_, Some(Token::Assign)) => {
                    let is_outer = matches!(tokens[first], Token::Word { line_start: true, .. });
                    self.assign(&tokens[first..=index], is_outer);
                }
                (_, Some(Token::Other(b'.' | b':' | b'['))) => {
                    self.used.insert(text.to_vec());
                }
                _ if is_call => {
                    self.used.insert(text.to_vec());
                }
                _ => {}
            }
        }
    }

    /// Adds the names to which an assignment or a function definition assigns.
    fn assign(&mut self, list: &[Token], is_outer: bool) {
        for token in list {
            if let Token::Word { text, .. } = token {
                self.assigned.insert(text.to_vec());
                if is_outer {
                    self.outer.insert(text.to_vec());
                }
            }
        }
    }
}

/// Keywords that begin a block; `for` and `while` have a `do`.
const OPENERS: [&[u8]; 4] = [b"do", b"function", b"if", b"repeat"];
/// Keywords that end a block.
const CLOSERS: [&[u8]; 2] = [b"end", b"until"];

fn is_word(token: Option<Token>, word: &[u8]) -> bool {
    matches!(token, Some(Token::Word { text, .. }) if text == word)
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Word {
        text: &'a [u8],
        line_start: bool,
    },
    /// `=` that is not part of a comparison.
    Assign,
    /// `..` or `...`.
    Dots,
    Text,
    Other(u8),
}

struct Tokens<'a> {
    code: &'a [u8],
    at: usize,
}

impl Tokens<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.code.get(self.at + ahead).copied().unwrap_or(0)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let byte = *self.code.get(self.at)?;
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if let Some(length) = lua_text::comment(&self.code[self.at..]) {
                self.at += length;
            } else if byte.is_ascii_alphabetic() || byte == b'_' {
                let start = self.at;
                while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == b'_' {
                    self.at += 1;
                }
                return Some(Token::Word {
                    text: &self.code[start..self.at],
                    line_start: start == 0 || self.code[start - 1] == b'\n',
                });
            } else if let Some(length) = lua_text::string(&self.code[self.at..]) {
                self.at += length;
                return Some(Token::Text);
            } else if byte == b'.' && self.peek(1) == b'.' {
                self.at += 2 + usize::from(self.peek(2) == b'.');
                return Some(Token::Dots);
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
    fn used_names_are_undefined_unless_the_text_assigns_them() {
        let names = names(
            "zap('x') lib.sub.call(1) obj:method{} mark\"text\" local known, too = 1, 2 known.x(too)\n\
             function mine(a, b) return a(b) end mine(3) t = {key = f(), key = 1} other = nil other() x, y = point() x(y)\n\
             local own = own or {} own.list = 1 s = 'a' .. text() n = SUM + 1 for i = 1, 2 do i() end list, sum = 3 list[1] = 1",
        );
        // A local variable does not define a global one that is used elsewhere.
        for undefined in ["zap", "lib", "obj", "mark", "f", "text", "point", "known", "a", "i"] {
            assert!(names.is_undefined(undefined.as_bytes()), "{undefined}");
        }
        for member in ["call", "method"] {
            assert!(names.is_undefined(member.as_bytes()), "{member}");
        }
        for known in [
            "mine", "other", "sub", "key", "t", "if", "x", "y", "own", "SUM", "list", "sum", "too",
        ] {
            assert!(!names.is_undefined(known.as_bytes()), "{known}");
        }
    }

    #[test]
    fn fields_of_tables_assign_no_names() {
        let names = names(
            "t = {a = zap, b = 1, c = lib.zop, d = 2; zip = 3, f = function() if x then y = 1 end end, zup = 4} \
             zap() zop() zip() zup() b() y()",
        );
        for undefined in ["zap", "zop", "zip", "zup", "b"] {
            assert!(names.is_undefined(undefined.as_bytes()), "{undefined}");
        }
        assert!(!names.is_undefined(b"y"));
    }

    #[test]
    fn names_are_assigned_after_a_semicolon() {
        let names = names("x = 1; list = list or {}; list.n = 1; t[1], other = 1, 2; other()");
        for known in ["list", "other"] {
            assert!(!names.is_undefined(known.as_bytes()), "{known}");
        }
    }

    #[test]
    fn texts_and_comments_are_not_code() {
        let names = names(
            "-- zap(1)\n--[[ zup(2)\n zip(3) ]] x = \"zop(4) \\\" zep(5)\" y = [==[ zyp(6) ]==] if a == b then c() end",
        );
        for word in ["zap", "zup", "zip", "zop", "zep", "zyp"] {
            assert!(!names.is_undefined(word.as_bytes()), "{word}");
        }
        assert!(names.is_undefined(b"c"));
        assert!(
            !names.assigned.contains(b"a".as_slice()),
            "a comparison assigns nothing"
        );
    }

    #[test]
    fn outer_names_are_found() {
        let names = names(
            "function setup(e)\n local x = 1\n y = 2\nend\nTABLE = {}\nlocal function hidden() end\nfunction m.f() end",
        );
        let outer: Vec<&[u8]> = names.outer.iter().map(Vec::as_slice).collect();
        assert_eq!(outer, [b"TABLE".as_slice(), b"setup"]);
    }
}
