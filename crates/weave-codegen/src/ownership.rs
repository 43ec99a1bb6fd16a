//! Which files in an output folder are ours, and what has to change there.
//!
//! A list beside the generated files says which were written, with their digests. By it a file that is no longer generated is removed,
//! and a file that somebody else wrote, or changed since, is not overwritten.
//!
//! A run that is killed must not make its own files look foreign. Before the first file changes, the digests of the files to come are
//! written into a second list, the pending one; what either list names is ours.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use weave_ir::sha256;

use crate::OutputFile;

/// The files that earlier runs wrote, each with the digests that it may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ownership {
    files: BTreeMap<String, BTreeSet<String>>,
}

/// Why a list of owned files cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnershipError;

impl Ownership {
    /// The version of the format.
    const VERSION: &'static str = "1";

    /// Reads a list of an earlier run. Paths that lead out of the folder are not ours, whoever wrote them there.
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
        let mut owned = Self::default();
        for (path, digests) in files {
            match digests {
                Value::String(digest) => owned.add(path, digest),
                Value::Array(digests) => digests.iter().filter_map(Value::as_str).for_each(|digest| owned.add(path, digest)),
                _ => {}
            }
        }
        Ok(owned)
    }

    /// The list for these files.
    #[must_use]
    pub fn of(files: &[OutputFile]) -> Self {
        let mut owned = Self::default();
        for file in files {
            owned.files.entry(file.path.clone()).or_default().insert(sha256(file.contents.as_bytes()));
        }
        owned
    }

    /// Says that a file with this digest is ours, unless its path leads out of the folder.
    pub fn add(&mut self, path: &str, digest: &str) {
        let is_inside = path.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':']));
        if is_inside {
            self.files.entry(path.to_owned()).or_default().insert(digest.to_owned());
        }
    }

    /// Adds all that another list names.
    pub fn merge(&mut self, other: &Self) {
        for (path, digests) in &other.files {
            self.files.entry(path.clone()).or_default().extend(digests.iter().cloned());
        }
    }

    /// The text of the list: a digest for each file, or all that it may have.
    #[must_use]
    pub fn text(&self) -> String {
        let digests = |digests: &BTreeSet<String>| match digests.iter().collect::<Vec<_>>().as_slice() {
            [only] => json!(only),
            several => json!(several),
        };
        let files: Map<String, Value> = self.files.iter().map(|(path, known)| (path.clone(), digests(known))).collect();
        format!("{:#}\n", json!({ "version": Self::VERSION, "files": files }))
    }

    /// The files in it.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Whether the list names this file with these bytes.
    fn owns(&self, path: &str, bytes: &[u8]) -> bool {
        self.files.get(path).is_some_and(|digests| digests.contains(&sha256(bytes)))
    }
}

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A file with these bytes.
    File(Vec<u8>),
    /// Something else, such as a folder or a link.
    Other,
}

/// What has to change in the output folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// What has to be done, by path.
    pub changes: Vec<Change>,
    /// Paths with something in the way that is not ours. If there are any, nothing may be done.
    pub foreign: Vec<String>,
    /// Files that we wrote and somebody changed since, and that are in the way. If there are any, nothing may be done.
    pub edited: Vec<String>,
    /// Files that we wrote, that are no longer generated, and that somebody changed since: they stay.
    pub kept: Vec<String>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A file is written where none is.
    Create(String),
    /// A file is replaced.
    Replace(String),
    /// A file of ours that is no longer generated is removed.
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

/// Finds out what has to change so that these files are in the folder and nothing is left of an earlier run.
///
/// With `force`, regular files that are foreign or edited are replaced, too.
///
/// # Errors
///
/// Whatever `found` says, which tells what is at a path.
pub fn plan<E>(files: &[OutputFile], earlier: &Ownership, force: bool, mut found: impl FnMut(&str) -> Result<Found, E>) -> Result<Plan, E> {
    let mut plan = Plan::default();
    // Where `Pay` and `pay` are one file, the one that was written under the other name is ours.
    let by_folded: BTreeMap<String, &str> = earlier.paths().map(|path| (path.to_ascii_lowercase(), path)).collect();
    for file in files {
        let path = file.path.clone();
        match found(&path)? {
            Found::Nothing => plan.changes.push(Change::Create(path)),
            Found::File(bytes) if bytes == file.contents.as_bytes() => {}
            Found::File(bytes) => {
                let known = by_folded.get(&path.to_ascii_lowercase());
                let is_ours = earlier.owns(&path, &bytes) || known.is_some_and(|known| earlier.owns(known, &bytes));
                match known {
                    _ if is_ours || force => plan.changes.push(Change::Replace(path)),
                    Some(_) => plan.edited.push(path),
                    None => plan.foreign.push(path),
                }
            }
            Found::Other => plan.foreign.push(path),
        }
    }
    let generated: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    for path in earlier.paths().filter(|path| !generated.contains(path)) {
        match found(path)? {
            Found::File(bytes) if earlier.owns(path, &bytes) => plan.changes.push(Change::Remove(path.to_owned())),
            Found::File(_) | Found::Other => plan.kept.push(path.to_owned()),
            Found::Nothing => {}
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

    fn planned(files: &[OutputFile], earlier: &Ownership, force: bool, there: &[(&str, &str)]) -> Plan {
        let look = |path: &str| {
            let found = there.iter().find(|(known, _)| *known == path);
            Ok::<_, Infallible>(found.map_or(Found::Nothing, |(_, text)| match *text {
                "(folder)" => Found::Other,
                text => Found::File(text.as_bytes().to_vec()),
            }))
        };
        plan(files, earlier, force, look).unwrap()
    }

    #[test]
    fn an_empty_folder_gets_everything() {
        let plan = planned(&[file("a.ts", "a"), file("b.ts", "b")], &Ownership::default(), false, &[]);
        assert_eq!(plan.changes, [Change::Create("a.ts".to_owned()), Change::Create("b.ts".to_owned())]);
    }

    #[test]
    fn what_is_as_it_should_be_is_not_touched_and_what_is_stale_goes() {
        let earlier = Ownership::of(&[file("same.ts", "x"), file("old.ts", "old"), file("gone.ts", "gone"), file("changed.ts", "1")]);
        let there = [("same.ts", "x"), ("old.ts", "old"), ("changed.ts", "1")];
        let plan = planned(&[file("same.ts", "x"), file("changed.ts", "2")], &earlier, false, &there);
        assert_eq!(plan.changes, [Change::Replace("changed.ts".to_owned()), Change::Remove("old.ts".to_owned())]);
        assert_eq!((plan.foreign.len(), plan.edited.len(), plan.kept.len()), (0, 0, 0));
    }

    #[test]
    fn what_others_wrote_or_changed_stays_unless_forced() {
        let earlier = Ownership::of(&[file("mine.ts", "1"), file("stale.ts", "1")]);
        let there = [("mine.ts", "by hand"), ("stale.ts", "by hand"), ("theirs.ts", "t"), ("folder.ts", "(folder)")];
        let files = [file("mine.ts", "2"), file("theirs.ts", "2"), file("folder.ts", "2")];
        let plan = planned(&files, &earlier, false, &there);
        assert_eq!(plan.edited, ["mine.ts"]);
        assert_eq!(plan.foreign, ["theirs.ts", "folder.ts"]);
        assert_eq!(plan.kept, ["stale.ts"]);
        assert_eq!(plan.changes, []);
        let forced = planned(&files, &earlier, true, &there);
        assert_eq!(forced.changes, [Change::Replace("mine.ts".to_owned()), Change::Replace("theirs.ts".to_owned())]);
        assert_eq!((forced.foreign, forced.edited.len(), forced.kept), (vec!["folder.ts".to_owned()], 0, vec!["stale.ts".to_owned()]));
    }

    #[test]
    fn a_killed_run_leaves_nothing_foreign() {
        // The list still names the old files; some of the new ones are there already.
        let (old, new) =
            ([file("a.ts", "1"), file("b.ts", "1"), file("gone.ts", "1")], [file("a.ts", "2"), file("b.ts", "2"), file("c.ts", "2")]);
        let mut pending = Ownership::of(&old);
        pending.merge(&Ownership::of(&new));
        let pending = Ownership::read(&pending.text()).unwrap();
        let there = [("a.ts", "2"), ("b.ts", "1"), ("c.ts", "2")];
        let plan = planned(&[file("a.ts", "3"), file("b.ts", "3")], &pending, false, &there);
        let expected = [Change::Replace("a.ts".to_owned()), Change::Replace("b.ts".to_owned()), Change::Remove("c.ts".to_owned())];
        assert_eq!((plan.changes.as_slice(), plan.foreign.len(), plan.edited.len()), (&expected[..], 0, 0));
    }

    #[test]
    fn another_case_of_a_name_is_the_same_file_to_some_systems() {
        let earlier = Ownership::of(&[file("Pay.json", "1")]);
        let plan = planned(&[file("pay.json", "2")], &earlier, false, &[("pay.json", "1"), ("Pay.json", "1")]);
        assert_eq!(plan.changes, [Change::Replace("pay.json".to_owned()), Change::Remove("Pay.json".to_owned())]);
    }

    #[test]
    fn a_list_is_read_again_and_leads_nowhere_else() {
        let list = Ownership::of(&[file("a/b.ts", "x")]);
        assert_eq!(Ownership::read(&list.text()), Ok(list));
        let text = r#"{"version":"1","files":{"../up.ts":"d","/etc/x":"d","a\\b":"d","c:/x":"d","ok.ts":["d","e"]}}"#;
        assert_eq!(Ownership::read(text).unwrap().paths().collect::<Vec<_>>(), ["ok.ts"]);
        for text in ["", "{}", "[]", r#"{"version":"2","files":{}}"#, r#"{"version":"1"}"#] {
            assert_eq!(Ownership::read(text), Err(OwnershipError), "{text}");
        }
    }
}
