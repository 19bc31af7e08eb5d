//! Tags: words that declare what a map is for and how it may be used.

use serde::{Deserialize, Serialize};

/// A set of words, in the order in which they were added.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tags(Vec<String>);

impl Tags {
    /// Adds the words in `words`, which are separated by white space.
    pub fn add(&mut self, words: &str) {
        for word in words.split_ascii_whitespace() {
            if !self.has(word) {
                self.0.push(word.to_owned());
            }
        }
    }

    /// Removes the words in `words`, which are separated by white space.
    pub fn remove(&mut self, words: &str) {
        for word in words.split_ascii_whitespace() {
            self.0.retain(|tag| tag != word);
        }
    }

    /// Returns whether the set contains a word.
    pub fn has(&self, word: &str) -> bool {
        self.0.iter().any(|tag| tag == word)
    }

    /// Returns the words, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(String::as_str)
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
        assert!(tags.has("no_rotate") && tags.has("extra") && !tags.has("uniq"));
        tags.remove("extra missing");
        assert_eq!(tags.iter().count(), 2);
    }
}
