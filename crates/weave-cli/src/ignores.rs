//! Which files of a folder are left out, on the disk and in a Git revision alike.
//!
//! Hidden files are, and those that a `.weaveignore` or a `.gitignore` names; the first of the two decides where both say something. The nearest
//! folder decides first, and none above the root of the repository counts.

use std::path::Path;
use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use weave_diagnostics::bounds;

/// The files that say what is left out, the one that decides first.
pub(crate) const IGNORE_FILES: [&str; 2] = [".weaveignore", ".gitignore"];

/// What is left out below a folder, as it and the folders above it say.
#[derive(Debug, Default)]
pub(crate) struct Ignores {
    above: Option<Rc<Ignores>>,
    rules: [Option<Gitignore>; 2],
}

/// A pattern that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BadPattern {
    /// The name of the file.
    pub(crate) file: &'static str,
    /// The line, from 1.
    pub(crate) line: usize,
    /// Why.
    pub(crate) reason: String,
}

impl Ignores {
    /// What a folder leaves out. `read` gives the text of an ignore file that is there. Patterns that cannot be taken leave nothing out.
    pub(crate) fn new(
        folder: &Path,
        above: Option<Rc<Self>>,
        mut read: impl FnMut(&'static str) -> Option<String>,
    ) -> (Rc<Self>, Vec<BadPattern>) {
        let mut bad = Vec::new();
        let rules = IGNORE_FILES.map(|file| read(file).and_then(|text| rules(folder, file, &text, &mut bad)));
        if let (Some(above), [None, None]) = (&above, &rules) {
            return (Rc::clone(above), bad);
        }
        (Rc::new(Self { above, rules }), bad)
    }

    /// Whether something in the folder is left out.
    pub(crate) fn leaves_out(&self, path: &Path, is_folder: bool) -> bool {
        for index in 0..IGNORE_FILES.len() {
            let mut level = Some(self);
            while let Some(ignores) = level {
                match ignores.rules.get(index).and_then(Option::as_ref).map(|rules| rules.matched(path, is_folder)) {
                    Some(Match::Ignore(_)) => return true,
                    Some(Match::Whitelist(_)) => return false,
                    _ => level = ignores.above.as_deref(),
                }
            }
        }
        path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
    }
}

fn rules(folder: &Path, file: &'static str, text: &str, bad: &mut Vec<BadPattern>) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(folder);
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let within = if index < bounds::IGNORE_PATTERNS.most { bounds::of_glob(line) } else { Err("is one too many".to_owned()) };
        let reason = match within {
            Err(reason) => reason,
            // A line that is no pattern leaves nothing out, as Git has it.
            Ok(()) => {
                let _ = builder.add_line(None, line);
                continue;
            }
        };
        bad.push(BadPattern { file, line: index + 1, reason });
        if index >= bounds::IGNORE_PATTERNS.most {
            break;
        }
    }
    builder.build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ignores(folder: &str, above: Option<Rc<Ignores>>, files: [&str; 2]) -> Rc<Ignores> {
        let text = |name: &str| IGNORE_FILES.iter().zip(files).find(|(file, _)| **file == name).map(|(_, text)| text.to_owned());
        let (ignores, bad) = Ignores::new(Path::new(folder), above, text);
        assert_eq!(bad, []);
        ignores
    }

    #[test]
    fn the_nearest_file_decides_and_weave_before_git() {
        let top = ignores("/r", None, ["", "*.tmp.weave\nbuild/\n.github/\n"]);
        let below = ignores("/r/a", Some(top), ["!kept.tmp.weave\n!.hidden.weave\n", "kept.*\n"]);
        let cases = [
            ("/r/a/x.tmp.weave", false, true),
            ("/r/a/kept.tmp.weave", false, false),
            ("/r/a/kept.weave", false, true),
            ("/r/a/build", true, true),
            ("/r/a/build", false, false),
            ("/r/a/.hidden.weave", false, false),
            ("/r/a/.other.weave", false, true),
            ("/r/a/x.weave", false, false),
        ];
        for (path, is_folder, expected) in cases {
            assert_eq!(below.leaves_out(Path::new(path), is_folder), expected, "{path}");
        }
    }

    #[test]
    fn patterns_have_bounds() {
        let deep = "{".repeat(60_000);
        let (_, bad) = Ignores::new(Path::new("/r"), None, |name| (name == ".gitignore").then(|| format!("ok\n{deep}\n[\n")));
        assert_eq!(bad.len(), 1);
        assert_eq!((bad[0].file, bad[0].line), (".gitignore", 2));
    }
}
