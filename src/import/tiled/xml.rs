//! Checks an XML document against limits before it is parsed.
//!
//! `roxmltree` compares each attribute of an element with all its other attributes, and stores, for each element that
//! declares a namespace, a list of all namespaces in scope. Time and memory would therefore grow quadratically with the
//! number of attributes or namespaces. The limits do not affect real maps, which have about a dozen attributes per
//! element and no namespaces.

use super::{Rejection, rejection};
use crate::format::Text;

/// Maximum number of attributes of an element.
const MOST_ATTRIBUTES: usize = 256;

/// Maximum number of namespaces that a document may declare.
const MOST_NAMESPACES: usize = 64;

/// Returns an error if an element has too many attributes or the document declares too many namespaces.
pub(super) fn check(text: &Text) -> Result<(), Rejection> {
    let content = text.content();
    let (mut at, mut namespaces) = (0, 0);
    while let Some(next) = content[at..].find('<') {
        let from = at + next;
        let rest = &content[from..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
            .into_iter()
            .find(|(begin, _)| rest.starts_with(begin))
            .map(|(_, end)| rest.find(end).map_or(rest.len(), |at| at + end.len()));
        if let Some(skipped) = skipped {
            at = from + skipped;
            continue;
        }
        // Also scan inside declarations: an entity may contain elements.
        if rest.starts_with("<!") {
            at = from + 2;
            continue;
        }
        let element = Element::of(&rest[1..]);
        namespaces += element.namespaces;
        let message = if element.attributes > MOST_ATTRIBUTES {
            format!("this element has more than {MOST_ATTRIBUTES} attributes")
        } else if namespaces > MOST_NAMESPACES {
            format!("this map declares more than {MOST_NAMESPACES} namespaces")
        } else {
            at = from + 1 + element.length;
            continue;
        };
        let end = rest.find([' ', '>', '\n']).unwrap_or(rest.len());
        let error = rejection(message, "save the map again in Tiled");
        return Err(Box::new(error.from_source(text.source(from..from + end))));
    }
    Ok(())
}

/// The length of a tag, and the numbers of attributes and of namespace declarations in it.
#[derive(Debug, Default)]
struct Element {
    /// Number of bytes up to and including the closing bracket.
    length: usize,
    attributes: usize,
    namespaces: usize,
}

impl Element {
    fn of(text: &str) -> Self {
        let mut element = Self::default();
        let mut quote = None;
        let mut word = 0;
        for (i, byte) in text.bytes().enumerate() {
            element.length = i + 1;
            if let Some(open) = quote {
                quote = (open != byte).then_some(open);
                continue;
            }
            match byte {
                b'"' | b'\'' => quote = Some(byte),
                b'>' => return element,
                // A `<` inside a tag: end here, so that the caller scans the following text as an element of its own.
                b'<' => {
                    element.length = i;
                    return element;
                }
                b'=' => {
                    element.attributes += 1;
                    element.namespaces += usize::from(text.as_bytes()[word..i].starts_with(b"xmlns"));
                }
                byte if byte.is_ascii_whitespace() => word = i + 1,
                _ => {}
            }
        }
        element
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    fn message_of(content: &str) -> Option<String> {
        check(&Text::new("a.tmx", content.to_owned()))
            .err()
            .map(|error| error.message)
    }

    fn attributes(count: usize) -> String {
        (0..count).fold(String::new(), |mut text, i| {
            let _ = write!(text, " a{i}='>=<'");
            text
        })
    }

    #[test]
    fn elements_with_too_many_attributes_are_refused_anywhere() {
        let most = attributes(MOST_ATTRIBUTES);
        assert_eq!(message_of(&format!("<map{most}><x{most}/></map>")), None);
        let more = attributes(MOST_ATTRIBUTES + 1);
        for content in [
            format!("<map{more}/>"),
            format!("<!-- don't > --><map><![CDATA[ <' ]]><x\n{more}></map>"),
            format!("<?xml version='1.0'?><!DOCTYPE map [<!ENTITY e \"<x{more}/>\">]><map>&e;</map>"),
        ] {
            let message = message_of(&content).unwrap();
            assert!(message.contains("more than 256 attributes"), "{content}");
        }
        assert_eq!(message_of(&format!("<!-- <x{more}> --><map/>")), None);
    }

    #[test]
    fn too_many_namespaces_are_refused() {
        let element = |i| format!("<x xmlns:a{i}='u{i}'>");
        let nested = |count: usize| (0..count).map(element).collect::<Vec<_>>().concat();
        assert_eq!(message_of(&nested(MOST_NAMESPACES)), None);
        assert!(message_of(&nested(MOST_NAMESPACES + 1)).is_some_and(|message| message.contains("64")));
    }

    #[test]
    fn a_truncated_document_ends_the_check() {
        for content in ["", "<", "<a b='", "<!-- ", "<![CDATA[", "<a b=", "text"] {
            assert_eq!(message_of(content), None, "{content}");
        }
    }
}
