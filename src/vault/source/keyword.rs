//! The headers of a map: a table of their names, the Lua functions that they call, and how their values are divided
//! into arguments.

use crate::text::suggest;

/// The way in which a header's value is divided into the arguments of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// One call with the whole value.
    Whole,
    /// One call per item; commas separate items.
    List,
    /// One call per word; white space separates words.
    Words,
    /// One call per number; commas separate numbers. For a number with ranges in parentheses, the called function has
    /// the prefix `depth_`, and the ranges are its first argument.
    ByDepth,
    /// A marker: an expression after `lua:` becomes a function.
    Marker,
}

struct Info {
    name: &'static str,
    call: &'static str,
    form: Form,
}

const fn info(name: &'static str, call: &'static str, form: Form) -> Info {
    Info { name, call, form }
}

const TABLE: [Info; 35] = [
    info("SUBST", "subst", Form::List),
    info("NSUBST", "nsubst", Form::List),
    info("SHUFFLE", "shuffle", Form::List),
    info("CLEAR", "clear", Form::Whole),
    info("TAGS", "tags", Form::Words),
    info("MONS", "mons", Form::List),
    info("ITEM", "item", Form::List),
    info("KMONS", "kmons", Form::Whole),
    info("KITEM", "kitem", Form::Whole),
    info("KFEAT", "kfeat", Form::Whole),
    info("KMASK", "kmask", Form::Whole),
    info("KPROP", "kprop", Form::Whole),
    info("DEPTH", "depth", Form::Whole),
    info("PLACE", "place", Form::Whole),
    info("ORIENT", "orient", Form::Whole),
    info("DESC", "desc", Form::Whole),
    info("ORDER", "order", Form::Whole),
    info("WEIGHT", "weight", Form::ByDepth),
    info("CHANCE", "chance", Form::ByDepth),
    info("FTILE", "ftile", Form::List),
    info("RTILE", "rtile", Form::List),
    info("TILE", "tile", Form::List),
    info("COLOUR", "colour", Form::List),
    info("FHEIGHT", "fheight", Form::List),
    info("MARKER", "marker", Form::Marker),
    info("SUBVAULT", "subvault", Form::Whole),
    info("LFLOORTILE", "lfloortile", Form::Whole),
    info("LFLOORCOL", "lfloorcol", Form::Whole),
    info("LROCKTILE", "lrocktile", Form::Whole),
    info("LROCKCOL", "lrockcol", Form::Whole),
    info("WELCOME", "welcome", Form::Whole),
    // FLAGS occurs in level files for release 0.6 of the game. The flags that it contains are tags now.
    info("FLAGS", "tags", Form::Words),
    info("LFLAGS", "lflags", Form::Whole),
    info("BFLAGS", "bflags", Form::Whole),
    info("COLOR", "colour", Form::List),
];

/// A header, as an index into the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Keyword(u8);

impl Keyword {
    /// Returns the header with this name, which must be in capitals.
    pub fn by_name(name: &[u8]) -> Option<Self> {
        let index = TABLE.iter().position(|info| info.name.as_bytes() == name)?;
        Some(Self(index as u8))
    }

    /// Returns the name of the header, as written in level files.
    pub fn name(self) -> &'static str {
        TABLE[usize::from(self.0)].name
    }

    /// Returns the name of the Lua function that the header calls.
    pub fn call(self) -> &'static str {
        TABLE[usize::from(self.0)].call
    }

    /// Returns how the value of the header is divided into arguments.
    pub fn form(self) -> Form {
        TABLE[usize::from(self.0)].form
    }

    /// Returns all headers.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.len()).map(|index| Self(index as u8))
    }

    /// Returns the known name that is most similar to an unknown name; `None` if no known name is similar enough.
    pub(super) fn nearest(name: &str) -> Option<&'static str> {
        let names = TABLE.iter().map(|info| info.name);
        suggest(name, names.chain(["NAME", "default-depth"]))
    }
}

impl std::fmt::Debug for Keyword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_header_has_one_name_and_calls_a_lua_name() {
        for keyword in Keyword::all() {
            assert_eq!(Keyword::by_name(keyword.name().as_bytes()), Some(keyword));
            assert!(keyword.call().bytes().all(|b| b.is_ascii_lowercase()));
        }
        assert_eq!(Keyword::by_name(b"Tags"), None);
    }

    #[test]
    fn misspelt_names_have_a_nearest_name() {
        assert_eq!(Keyword::nearest("TAG"), Some("TAGS"));
        assert_eq!(Keyword::nearest("kfaet"), Some("KFEAT"));
        assert_eq!(Keyword::nearest("DEFAULT_DEPTH"), Some("default-depth"));
        assert_eq!(Keyword::nearest("MOTHER"), None);
    }
}
