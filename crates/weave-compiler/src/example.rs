//! The examples of diagnostics, which may have several files.

use std::sync::Arc;

use crate::{Input, LoadError, Loader, Snapshot, check};

/// What starts a further file: `// file: shop.weave`, or `// file: shop.weave (permission denied)` for one that cannot be read.
const MARK: &str = "// file: ";

/// The name of the first file, which is the root.
const ROOT: &str = "input.weave";

/// A small program in one text: the root, and behind each line `// file: NAME` another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    root: Arc<str>,
    others: Vec<(String, Result<Arc<str>, LoadError>)>,
}

impl Example {
    /// The files of the text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut parts = vec![(ROOT, String::new())];
        for line in text.split_inclusive('\n') {
            match (line.strip_prefix(MARK), parts.last_mut()) {
                (Some(name), _) => parts.push((name.trim(), String::new())),
                (None, Some((_, text))) => text.push_str(line),
                (None, None) => {}
            }
        }
        let mut files = parts.into_iter();
        let root = files.next().map(|(_, text)| Arc::from(text)).unwrap_or_default();
        Self { root, others: files.map(|(name, text)| file(name, text)).collect() }
    }

    /// Its root; the example is the loader of the other files.
    #[must_use]
    pub fn input(&self) -> Input {
        Input { path: ROOT.to_owned(), text: Arc::clone(&self.root) }
    }

    /// What the compiler says about it.
    #[must_use]
    pub fn check(&self) -> Snapshot {
        check(vec![self.input()], self)
    }
}

fn file(name: &str, text: String) -> (String, Result<Arc<str>, LoadError>) {
    match name.split_once(" (") {
        Some((name, reason)) => (name.to_owned(), Err(LoadError::Other(reason.trim_end_matches(')').to_owned()))),
        None => (name.to_owned(), Ok(text.into())),
    }
}

impl Loader for Example {
    fn load(&self, path: &str) -> Result<Arc<str>, LoadError> {
        let found = self.others.iter().find(|(name, _)| name == path.trim_start_matches("./"));
        found.map_or(Err(LoadError::NotFound), |(_, text)| text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_marks_is_one_file() {
        let example = Example::new("type A { a: int }\n");
        assert_eq!(&*example.root, "type A { a: int }\n");
        assert_eq!(example.load("a.weave"), Err(LoadError::NotFound));
    }

    #[test]
    fn marks_start_files() {
        let example = Example::new("type A { a: int }\n\n// file: b.weave\ntype B { b: int }\n// file: c.weave (permission denied)\n");
        assert_eq!(&*example.root, "type A { a: int }\n\n");
        assert_eq!(example.load("./b.weave").as_deref(), Ok("type B { b: int }\n"));
        assert_eq!(example.load("c.weave"), Err(LoadError::Other("permission denied".to_owned())));
    }
}
