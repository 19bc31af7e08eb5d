//! Copies the attributes of a replaced file to the new file: owner, group, mode and extended attributes.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Copies the attributes of the file at `from`, whose metadata is `before`, to `to`. Returns the attributes that could
/// not be copied, each as a clause that follows "was written, but".
///
/// # Errors
///
/// Fails if the mode cannot be set, since users without permission might otherwise be able to read the file.
#[cfg(unix)]
pub(super) fn copy(from: &Path, before: &Metadata, to: &File) -> io::Result<Vec<String>> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let mut lost = Vec::new();
    let new = to.metadata()?;
    let (owner, group) = (before.uid(), before.gid());
    // Group members may assign a file to their group, but only root may change its owner.
    if new.gid() != group && fchown(to, None, Some(group)).is_err() {
        lost.push(format!("its group is now {}, not {group}", new.gid()));
    }
    if new.uid() != owner && fchown(to, Some(owner), None).is_err() {
        lost.push(format!("its owner is now {}, not {owner}", new.uid()));
    }
    lost.extend(copy_extended(from, to));
    // The mode is set last, since a change of owner clears some of its bits.
    to.set_permissions(before.permissions())?;
    Ok(lost)
}

#[cfg(not(unix))]
pub(super) fn copy(_: &Path, before: &Metadata, to: &File) -> io::Result<Vec<String>> {
    to.set_permissions(before.permissions())?;
    Ok(Vec::new())
}

/// Attributes that macOS itself assigns to a new file and that no program can write: an identifier of the program that
/// wrote the file, and a list of the programs that may open it.
#[cfg(unix)]
const ASSIGNED_BY_SYSTEM: [&str; 2] = ["com.apple.provenance", "com.apple.macl"];

/// Copies extended attributes, which on Linux include access control lists and security labels. Returns the attributes
/// that could not be copied, as [`copy`] does.
#[cfg(unix)]
fn copy_extended(from: &Path, to: &File) -> Vec<String> {
    use xattr::FileExt as _;
    // Listing fails on a file system that does not support attributes; none can be lost there.
    let Ok(names) = xattr::list(from) else {
        return Vec::new();
    };
    let has_not = |name: &std::ffi::OsString| {
        let Ok(Some(value)) = xattr::get(from, name) else {
            return false;
        };
        let there = to.get_xattr(name).ok().flatten();
        there.as_ref() != Some(&value) && to.set_xattr(name, &value).is_err()
    };
    let names: Vec<_> = names
        .filter(|name| !ASSIGNED_BY_SYSTEM.iter().any(|assigned| name == assigned))
        .collect();
    // A folder may assign access control lists to new files. Those that the earlier file did not have are removed.
    for name in to
        .list_xattr()
        .into_iter()
        .flatten()
        .filter(|name| !names.contains(name))
    {
        let _ = to.remove_xattr(name);
    }
    let lost = names.iter().filter(|name| has_not(name));
    lost.map(|name| format!("its attribute {} could not be copied", name.display()))
        .collect()
}

/// Returns whether a file has more than one name (hard links).
#[cfg(unix)]
pub(super) fn has_links(found: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(found) > 1
}

#[cfg(not(unix))]
pub(super) const fn has_links(_: &Metadata) -> bool {
    false
}
