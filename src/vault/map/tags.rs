//! Tags: the words that say what a map is for and how it may be used.

use serde::{Deserialize, Serialize};

/// A set of words, in the order in which they came.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tags(Vec<String>);

impl Tags {
    /// Adds the words of a text with blanks between.
    pub fn add(&mut self, words: &str) {
        for word in words.split_ascii_whitespace() {
            if !self.has(word) {
                self.0.push(word.to_owned());
            }
        }
    }

    /// Takes the words of a text out.
    pub fn remove(&mut self, words: &str) {
        for word in words.split_ascii_whitespace() {
            self.0.retain(|tag| tag != word);
        }
    }

    /// Whether a word is among them.
    pub fn has(&self, word: &str) -> bool {
        self.0.iter().any(|tag| tag == word)
    }

    /// Whether all words are among them.
    pub fn has_all<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> bool {
        words.into_iter().all(|word| self.has(word))
    }

    /// What follows a prefix, in each tag that begins with it: `chance_`, `uniq_` and their like.
    pub fn after<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter_map(move |tag| tag.strip_prefix(prefix))
    }

    /// The words.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl std::fmt::Display for Tags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_a_set_of_words() {
        let mut tags = Tags::default();
        tags.add(" extra uniq_pool  extra");
        tags.add("no_rotate");
        assert_eq!(tags.to_string(), "extra uniq_pool no_rotate");
        assert!(tags.has_all(["no_rotate", "extra"]) && !tags.has("uniq"));
        assert_eq!(tags.after("uniq_").collect::<Vec<_>>(), ["pool"]);
        tags.remove("extra missing");
        assert_eq!(tags.iter().count(), 2);
        assert!(!tags.is_empty());
    }
}
