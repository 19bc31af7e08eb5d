//! Checks the destination of an export before anything is written.

use std::path::{Path, PathBuf};

use super::export::companion;
use super::job::{Cancelled, Job, JobCx, Policy};
use crate::export::{ExportKind, SAMPLE_BYTES};
use crate::storage::{self, is_same_file, is_same_path};

/// A request to check the destination that the user typed for an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportTarget {
    /// Kind of the export.
    pub kind: ExportKind,
    /// Path that the user typed.
    pub typed: PathBuf,
    /// Path of the file to write if the typed path is a folder.
    pub inside: PathBuf,
    /// Path of the file to write if the typed path is not a folder, or why the typed path is not a valid file.
    pub file: Result<PathBuf, String>,
    /// Whether an earlier export to this path is repeated. If so, the file is replaced without confirmation, provided
    /// that it is still an export of the same kind.
    pub again: bool,
    /// Files of the open design, and its level files. No export may replace them.
    pub own: Vec<PathBuf>,
    /// Files of earlier exports that are being written or wait to be written. They count as existing files.
    /// Empty if an export is repeated.
    pub unwritten: Vec<PathBuf>,
}

/// Checked destination of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedTarget {
    /// Path of the file to write.
    pub to: PathBuf,
    /// Existing or unwritten files that the export replaces only after the user confirms. Contains the file at `to`,
    /// its companion, both or neither.
    pub in_the_way: Vec<PathBuf>,
}

impl ExportTarget {
    /// Checks the destination, with blocking I/O.
    ///
    /// # Errors
    ///
    /// Returns why the export cannot be written there, and what the user can do about it.
    pub fn find(self) -> Result<ResolvedTarget, String> {
        let is_folder = !self.again && self.typed.is_dir();
        let to = if is_folder { self.inside } else { self.file? };
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !self.again && !folder.is_dir()) {
            return Err(format!(
                "there is no folder {}; create it first, or choose another",
                folder.display()
            ));
        }
        let paths = files_of(self.kind, &to);
        let is_own = |path: &Path| self.own.iter().any(|own| is_same_file(own, path));
        if let Some((own, _)) = paths.iter().find(|(path, _)| is_own(path)) {
            return Err(format!(
                "{} is the design's own file; choose another name for the export",
                own.display()
            ));
        }
        let is_unwritten = |path: &Path| self.unwritten.iter().any(|other| is_same_path(other, path));
        let is_free =
            |path: &Path, kind| !path.exists() && !is_unwritten(path) || self.again && is_earlier_export(path, kind);
        let in_the_way = paths.into_iter().filter(|(path, kind)| !is_free(path, *kind));
        let in_the_way = in_the_way.map(|(path, _)| path).collect();
        Ok(ResolvedTarget { to, in_the_way })
    }
}

/// Returns the files that an export to a path writes, each with the kind of its content: the file itself, and its
/// companion if the kind has one.
pub fn files_of(kind: ExportKind, to: &Path) -> Vec<(PathBuf, ExportKind)> {
    let beside = companion(kind, to).map(|path| (path, ExportKind::Png));
    [(to.to_owned(), kind)].into_iter().chain(beside).collect()
}

impl Job for ExportTarget {
    const NAME: &'static str = "export target";
    const POLICY: Policy = Policy::Detached;
    type Memory = ();
    type Reply = Result<ResolvedTarget, String>;

    fn run(self, (): &mut (), cx: &JobCx<'_, Result<ResolvedTarget, String>>) -> Result<(), Cancelled> {
        cx.send(self.find())
    }
}

/// Returns whether an export of `kind` may replace a file without confirmation: the file contains an earlier export of
/// this kind, is empty, or is a device or a pipe.
fn is_earlier_export(path: &Path, kind: ExportKind) -> bool {
    if path.metadata().is_ok_and(|found| !found.is_file() || found.len() == 0) {
        return true;
    }
    let ends = storage::read_ends(path, SAMPLE_BYTES);
    ends.is_ok_and(|[head, tail]| ExportKind::of_content(&head, &tail).is_some_and(|found| kind.replaces(found)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_gets_the_proposed_name_and_existing_files_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("maps")).unwrap();
        std::fs::write(path("keep.toml"), "").unwrap();
        let site = |typed: &str| ExportTarget {
            kind: ExportKind::Tmx,
            typed: path(typed),
            inside: path(typed).join("keep.tmx"),
            file: Ok(path(typed)),
            again: false,
            own: vec![path("keep.toml")],
            unwritten: Vec::new(),
        };
        let found = site("maps").find().unwrap();
        assert_eq!((found.to, found.in_the_way.len()), (path("maps/keep.tmx"), 0));
        assert!(site("no/keep.tmx").find().unwrap_err().contains("there is no folder"));
        let own = site("maps/../keep.toml").find().unwrap_err();
        assert!(own.contains("the design's own file"), "{own}");
        let beside = companion(ExportKind::Tmx, &path("a.tmx")).unwrap();
        std::fs::write(&beside, "").unwrap();
        assert_eq!(site("a.tmx").find().unwrap().in_the_way, [beside]);
        // A file that another export will write counts as existing, under every spelling of its path.
        let unwritten = ExportTarget {
            unwritten: vec![path("maps/../b.tmx")],
            ..site("b.tmx")
        };
        assert_eq!(unwritten.find().unwrap().in_the_way, [path("b.tmx")]);
        // The folder of a repeated export is not checked, since the writer reports a missing folder.
        let again = ExportTarget {
            again: true,
            ..site("no/keep.tmx")
        };
        assert_eq!(again.find().unwrap().to, path("no/keep.tmx"));
        // An earlier export is replaced without confirmation, but any other file in its place is not.
        for (content, free) in [
            ("", true),
            ("x,y,tile,generation,builder,turn,line,feature,steps\n", true),
            ("mine", false),
        ] {
            std::fs::write(path("a.csv"), content).unwrap();
            let again = ExportTarget {
                kind: ExportKind::Csv,
                again: true,
                ..site("a.csv")
            };
            assert_eq!(again.find().unwrap().in_the_way.is_empty(), free, "{content}");
        }
        let rejected = ExportTarget {
            file: Err("not so".into()),
            ..site("a.png")
        };
        assert_eq!(rejected.find(), Err("not so".into()));
    }
}
