//! The objects of a repository, read one by one from `git cat-file`: nothing is read that was not asked for, and nothing beyond the bound of a text.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use weave_diagnostics::bounds::TEXT;

use crate::read::ReadError;

/// What is at a name in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link or a submodule, which are not read.
    Other,
}

/// An entry of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: Vec<u8>,
    pub(super) kind: Kind,
    pub(super) object: String,
}

/// Asks for objects by their names, and knows the trees that it has seen.
#[derive(Default)]
pub(super) struct Objects {
    sizes: Option<Process>,
    contents: Option<Process>,
    trees: BTreeMap<String, Arc<Vec<Entry>>>,
}

/// A `git cat-file` that answers one question at a time.
struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    fn start(mut command: Command) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok(Self { child, input, output: BufReader::new(output) }),
            _ => Err(io::Error::other("git has no streams")),
        }
    }

    /// Asks for an object; the answer is the kind and the size of it, if there is one.
    fn ask(&mut self, object: &str) -> io::Result<Option<(String, u64)>> {
        const LONGEST: u64 = 1_024;
        self.input.write_all(format!("{object}\n").as_bytes())?;
        self.input.flush()?;
        let mut line = String::new();
        self.output.by_ref().take(LONGEST).read_line(&mut line)?;
        let mut words = line.trim_end().split(' ').skip(1);
        let found = words.next().zip(words.next()).and_then(|(kind, size)| Some((kind.to_owned(), size.parse().ok()?)));
        if found.is_none() && !line.ends_with(" missing\n") {
            return Err(io::Error::other("Git cannot read the files of the revision"));
        }
        Ok(found)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Objects {
    /// The bytes of an object of a kind.
    pub(super) fn read(&mut self, object: &str, kind: &str) -> Result<Vec<u8>, ReadError> {
        let missing = || ReadError::System(io::Error::other("its content is not in this clone; fetch it first"));
        let sizes = started(&mut self.sizes, "--batch-check")?;
        let Some((found, size)) = sizes.ask(object)? else { return Err(missing()) };
        if size > TEXT.most as u64 {
            return Err(ReadError::TooLarge(Some(size)));
        }
        if found != kind {
            return Err(ReadError::System(io::Error::other("the Git object has another kind")));
        }
        let contents = started(&mut self.contents, "--batch")?;
        let Some((_, size)) = contents.ask(object)? else { return Err(missing()) };
        // A line end follows the content.
        let mut bytes = vec![0; usize::try_from(size).unwrap_or_default().min(TEXT.most) + 1];
        contents.output.read_exact(&mut bytes)?;
        bytes.pop();
        Ok(bytes)
    }

    /// The entries of a tree.
    pub(super) fn tree(&mut self, object: &str) -> Result<Arc<Vec<Entry>>, ReadError> {
        if let Some(tree) = self.trees.get(object) {
            return Ok(Arc::clone(tree));
        }
        let tree = Arc::new(entries(&self.read(object, "tree")?, object.len() / 2));
        self.trees.insert(object.to_owned(), Arc::clone(&tree));
        Ok(tree)
    }
}

fn started<'p>(process: &'p mut Option<Process>, option: &str) -> io::Result<&'p mut Process> {
    let running = match process.take() {
        Some(running) => running,
        None => Process::start(super::git(&["cat-file", option]))?,
    };
    Ok(process.insert(running))
}

/// The entries of the bytes of a tree, each `MODE NAME<nul>DIGEST`.
fn entries(mut bytes: &[u8], digest: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    while let Some((entry, rest)) = next(bytes, digest) {
        entries.push(entry);
        bytes = rest;
    }
    entries
}

fn next(bytes: &[u8], digest: usize) -> Option<(Entry, &[u8])> {
    let nul = bytes.iter().position(|byte| *byte == 0)?;
    let (head, rest) = bytes.split_at_checked(nul)?;
    let space = head.iter().position(|byte| *byte == b' ')?;
    let (mode, name) = head.split_at_checked(space)?;
    let object = rest.get(1..=digest)?.iter().map(|byte| format!("{byte:02x}")).collect();
    let kind = match mode {
        b"40000" => Kind::Folder,
        mode if mode.starts_with(b"100") => Kind::File,
        _ => Kind::Other,
    };
    Some((Entry { name: name.get(1..)?.to_vec(), kind, object }, rest.get(digest + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_taken_apart() {
        let tree = b"100644 a b.weave\0\x01\x02100755 x\n.weave\0\x03\x0440000 sub\0\x05\x06120000 link\0\x07\x08160000 module\0\x09\x0a";
        let found = entries(tree, 2).into_iter().map(|entry| (String::from_utf8(entry.name).unwrap(), entry.kind, entry.object));
        let expected = [
            ("a b.weave", Kind::File, "0102"),
            ("x\n.weave", Kind::File, "0304"),
            ("sub", Kind::Folder, "0506"),
            ("link", Kind::Other, "0708"),
            ("module", Kind::Other, "090a"),
        ];
        assert!(found.eq(expected.map(|(name, kind, object)| (name.to_owned(), kind, object.to_owned()))));
        assert_eq!(entries(b"100644 cut\0\x01", 2), []);
    }
}
