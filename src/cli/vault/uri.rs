//! Converts paths of files to URIs and back.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lsp_types::Uri;

use crate::storage::folder_of;

/// Returns the path that a `file` URI names; `None` for other schemes, and for paths that are not UTF-8.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = decoded(&rest[rest.find('/')?..])?;
    // On Windows, the path in a URI is `/C:/…`; remove the first slash.
    let is_drive = cfg!(windows) && path.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if is_drive { &path[1..] } else { path.as_str() }))
}

/// Decodes the percent-encoded bytes of a text; returns `None` if the result is not UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// Returns the URI of a path; `None` if the path is not UTF-8.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let path = percent_encoded(path.to_str()?);
    let scheme = if path.starts_with('/') { "file://" } else { "file:///" };
    format!("{scheme}{path}").parse().ok()
}

/// Replaces backslashes in a path by slashes, and percent-encodes all characters except ASCII letters, digits and
/// `/-_.~:`. The result contains only characters that a URI may contain.
pub(in crate::cli::vault) fn percent_encoded(path: &str) -> String {
    let mut coded = String::new();
    for byte in path.replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~:".contains(&byte) {
            coded.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(coded, "%{byte:02X}");
        }
    }
    coded
}

/// Returns the path by which the workspace identifies a file: all links in the path of its folder are resolved, so that
/// different paths to one file yield the same result. The file need not exist.
pub(super) fn key_of(path: &Path) -> PathBuf {
    // On Windows, the system returns resolved paths in a form that editors do not use, so the path stays as it is.
    if cfg!(windows) {
        return path.to_owned();
    }
    match (folder_of(path).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_their_uris_agree() {
        for path in ["/a/b c.des", "/é/100%.des", "/x#y?.des"] {
            let uri = uri_of(Path::new(path)).expect("a URI");
            assert_eq!(path_of(&uri), Some(PathBuf::from(path)), "{}", uri.as_str());
        }
        for (uri, path) in [
            ("untitled:Untitled-1", None),
            ("file://", None),
            ("file://host/a.des", Some("/a.des")),
            ("file:///a%2", Some("/a%2")),
            ("file:///a%ff", None),
        ] {
            let parsed: Result<Uri, _> = uri.parse();
            let found = parsed.ok().and_then(|uri| path_of(&uri));
            assert!(
                found == path.map(PathBuf::from) || uri.ends_with("%2"),
                "{uri}: {found:?}"
            );
        }
    }
}
