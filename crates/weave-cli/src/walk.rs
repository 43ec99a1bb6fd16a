//! The source files of a folder on the disk.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::config::{absolute, is_repository};
use crate::failure::{Failure, Failures, reason};
use crate::ignores::Ignores;
use crate::input::display;
use crate::read::{ReadError, read_bytes};

/// The ending of source files.
pub(crate) const EXTENSION: &str = "weave";

/// What a walk found.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// The source files, in the order of their names.
    pub(crate) files: Vec<PathBuf>,
    /// What could not be read.
    pub(crate) failures: Failures,
}

/// Something that is still to be looked at.
struct Entry {
    path: PathBuf,
    is_folder: bool,
    ignores: Rc<Ignores>,
}

/// Finds the files of a folder. What the folder leaves out must not depend on the machine, so only ignore files inside of it and above it in
/// the repository count, not those of the user. Links are not followed.
pub(crate) fn walk(folder: &Path) -> Walked {
    let mut walked = Walked::default();
    let whole = absolute(folder);
    let above: Vec<&Path> = match is_repository(&whole) {
        true => Vec::new(),
        false => {
            let mut above: Vec<&Path> = Vec::new();
            for folder in whole.ancestors().skip(1) {
                above.push(folder);
                if is_repository(folder) {
                    break;
                }
            }
            above
        }
    };
    let mut ignores = Rc::new(Ignores::default());
    for above in above.into_iter().rev() {
        ignores = walked.ignores(above, above, ignores);
    }
    let mut left = vec![Entry { path: folder.to_owned(), is_folder: true, ignores }];
    while let Some(entry) = left.pop() {
        if entry.is_folder {
            walked.folder(entry, &mut left);
        } else {
            walked.files.push(entry.path);
        }
    }
    walked
}

impl Walked {
    /// What a folder leaves out, which is called `shown`.
    fn ignores(&mut self, folder: &Path, shown: &Path, above: Rc<Ignores>) -> Rc<Ignores> {
        let mut failures = Failures::new();
        let read = |name: &'static str| match read_bytes(&folder.join(name)) {
            // Git takes such files for bytes.
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(ReadError::NotFound | ReadError::Folder) => None,
            Err(error) => {
                failures.push(Failure::new(format!("cannot read `{}`: {error}", display(&shown.join(name)))));
                None
            }
        };
        let (ignores, bad) = Ignores::new(folder, Some(above), read);
        self.failures.extend(failures);
        for bad in bad {
            let name = display(&shown.join(bad.file));
            self.failures.push(Failure::new(format!("cannot read `{name}`: the pattern on line {} {}", bad.line, bad.reason)));
        }
        ignores
    }

    /// Looks at a folder; what is in it comes next.
    fn folder(&mut self, entry: Entry, left: &mut Vec<Entry>) {
        let whole = absolute(&entry.path);
        let ignores = self.ignores(&whole, &entry.path, entry.ignores);
        let entries = match std::fs::read_dir(&entry.path) {
            Ok(entries) => entries,
            Err(error) => return self.failures.push(cannot_walk(&entry.path, &error)),
        };
        let mut found = Vec::new();
        for one in entries {
            let kind = one.and_then(|one| Ok((one.path(), one.file_type()?)));
            match kind {
                Ok((path, kind)) => {
                    let is_source = kind.is_file() && path.extension().is_some_and(|extension| extension == EXTENSION);
                    let is_wanted = (is_source || kind.is_dir())
                        && path.file_name().is_some_and(|name| !ignores.leaves_out(&whole.join(name), kind.is_dir()));
                    if is_wanted {
                        found.push(Entry { path, is_folder: kind.is_dir(), ignores: Rc::clone(&ignores) });
                    }
                }
                Err(error) => self.failures.push(cannot_walk(&entry.path, &error)),
            }
        }
        // The last one is looked at first.
        found.sort_by(|one, other| other.path.cmp(&one.path));
        left.append(&mut found);
    }
}

fn cannot_walk(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot read `{}`: {}", display(path), reason(error)))
}
