//! Which files in the output folder are ours, and what shall become of them.
//!
//! A list beside the generated files says which were written, with their digests. By it a file that is not generated any more is removed,
//! and a file that somebody else wrote, or changed since, is never overwritten.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use weave_ir::sha256;

use crate::OutputFile;

/// The files that an earlier run wrote, with their digests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ownership {
    files: BTreeMap<String, String>,
}

/// Why a list of owned files cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnershipError;

impl Ownership {
    /// The version of its form.
    const VERSION: &'static str = "1";

    /// Reads the list of an earlier run. Paths that lead out of the folder are not ours, whoever wrote them there.
    ///
    /// # Errors
    ///
    /// If it is no such list, or one of another version.
    pub fn read(text: &str) -> Result<Self, OwnershipError> {
        let value: Value = serde_json::from_str(text).map_err(|_| OwnershipError)?;
        if value.get("version").and_then(Value::as_str) != Some(Self::VERSION) {
            return Err(OwnershipError);
        }
        let files = value.get("files").and_then(Value::as_object).ok_or(OwnershipError)?;
        let inside = |path: &str| path.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':']));
        let owned = files.iter().filter(|(path, _)| inside(path));
        Ok(Self { files: owned.filter_map(|(path, digest)| Some((path.clone(), digest.as_str()?.to_owned()))).collect() })
    }

    /// The list for these files.
    #[must_use]
    pub fn of(files: &[OutputFile]) -> Self {
        Self { files: files.iter().map(|file| (file.path.clone(), sha256(file.contents.as_bytes()))).collect() }
    }

    /// The text of the list.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{:#}\n", json!({ "version": Self::VERSION, "files": self.files }))
    }

    /// The files in it.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }
}

/// What lies at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lying {
    /// Nothing.
    Nothing,
    /// A file with these bytes.
    File(Vec<u8>),
    /// Something else, such as a folder.
    Other,
}

/// What shall become of the output folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// What is to be done, by path.
    pub changes: Vec<Change>,
    /// Paths at which something lies that is not ours and stands in the way. If there are any, nothing may be done.
    pub foreign: Vec<String>,
    /// Files that we wrote and somebody changed since, and that stand in the way. If there are any, nothing may be done.
    pub edited: Vec<String>,
    /// Files that we wrote, that are not generated any more, and that somebody changed since: they stay.
    pub kept: Vec<String>,
}

/// One thing that is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A file is written where none is.
    Create(String),
    /// A file of ours is replaced.
    Replace(String),
    /// A file of ours that is not generated any more is removed.
    Remove(String),
}

impl Change {
    /// The path that it is about.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Create(path) | Self::Replace(path) | Self::Remove(path) => path,
        }
    }
}

/// Finds out what has to be done so that these files lie in the folder and nothing is left of an earlier run.
///
/// # Errors
///
/// Whatever `lying` says, which tells what lies at a path.
pub fn plan<E>(files: &[OutputFile], earlier: &Ownership, mut lying: impl FnMut(&str) -> Result<Lying, E>) -> Result<Plan, E> {
    let mut plan = Plan::default();
    for file in files {
        let path = file.path.clone();
        match lying(&path)? {
            Lying::Nothing => plan.changes.push(Change::Create(path)),
            Lying::File(bytes) if bytes == file.contents.as_bytes() => {}
            Lying::File(bytes) => match earlier.files.get(&path) {
                Some(digest) if *digest == sha256(&bytes) => plan.changes.push(Change::Replace(path)),
                Some(_) => plan.edited.push(path),
                None => plan.foreign.push(path),
            },
            Lying::Other => plan.foreign.push(path),
        }
    }
    let generated = Ownership::of(files);
    for (path, digest) in earlier.files.iter().filter(|(path, _)| !generated.files.contains_key(*path)) {
        match lying(path)? {
            Lying::File(bytes) if *digest == sha256(&bytes) => plan.changes.push(Change::Remove(path.clone())),
            Lying::File(_) | Lying::Other => plan.kept.push(path.clone()),
            Lying::Nothing => {}
        }
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn file(path: &str, contents: &str) -> OutputFile {
        OutputFile { path: path.to_owned(), contents: contents.to_owned() }
    }

    fn planned(files: &[OutputFile], earlier: &[OutputFile], lying: &[(&str, &str)]) -> Plan {
        let look = |path: &str| {
            let found = lying.iter().find(|(known, _)| *known == path);
            Ok::<_, Infallible>(found.map_or(Lying::Nothing, |(_, text)| match *text {
                "(folder)" => Lying::Other,
                text => Lying::File(text.as_bytes().to_vec()),
            }))
        };
        plan(files, &Ownership::of(earlier), look).unwrap()
    }

    #[test]
    fn an_empty_folder_gets_everything() {
        let plan = planned(&[file("a.ts", "a"), file("b.ts", "b")], &[], &[]);
        assert_eq!(plan.changes, [Change::Create("a.ts".to_owned()), Change::Create("b.ts".to_owned())]);
    }

    #[test]
    fn what_is_as_it_should_be_is_not_touched_and_what_is_stale_goes() {
        let earlier = [file("same.ts", "x"), file("old.ts", "old"), file("gone.ts", "gone"), file("changed.ts", "1")];
        let lying = [("same.ts", "x"), ("old.ts", "old"), ("changed.ts", "1")];
        let plan = planned(&[file("same.ts", "x"), file("changed.ts", "2")], &earlier, &lying);
        assert_eq!(plan.changes, [Change::Replace("changed.ts".to_owned()), Change::Remove("old.ts".to_owned())]);
        assert_eq!((plan.foreign.len(), plan.edited.len(), plan.kept.len()), (0, 0, 0));
    }

    #[test]
    fn what_others_wrote_or_changed_stays() {
        let earlier = [file("mine.ts", "1"), file("stale.ts", "1")];
        let lying = [("mine.ts", "by hand"), ("stale.ts", "by hand"), ("theirs.ts", "t"), ("folder.ts", "(folder)")];
        let plan = planned(&[file("mine.ts", "2"), file("theirs.ts", "2"), file("folder.ts", "2")], &earlier, &lying);
        assert_eq!(plan.edited, ["mine.ts"]);
        assert_eq!(plan.foreign, ["theirs.ts", "folder.ts"]);
        assert_eq!(plan.kept, ["stale.ts"]);
        assert_eq!(plan.changes, []);
    }

    #[test]
    fn a_list_is_read_again_and_leads_nowhere_else() {
        let list = Ownership::of(&[file("a/b.ts", "x")]);
        assert_eq!(Ownership::read(&list.text()), Ok(list));
        let text = r#"{"version":"1","files":{"../up.ts":"d","/etc/x":"d","a\\b":"d","c:/x":"d","ok.ts":"d"}}"#;
        assert_eq!(Ownership::read(text).unwrap().paths().collect::<Vec<_>>(), ["ok.ts"]);
        for text in ["", "{}", "[]", r#"{"version":"2","files":{}}"#, r#"{"version":"1"}"#] {
            assert_eq!(Ownership::read(text), Err(OwnershipError), "{text}");
        }
    }
}
