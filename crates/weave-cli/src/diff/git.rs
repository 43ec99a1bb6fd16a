//! The files of a Git revision, which the program `git` is asked for. It is started without a shell, gets no path from anybody, and writes nothing.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use weave_compiler::{Input, LoadError, Loader};

use crate::diff::tree::Tree;
use crate::failure::{Failure, Failures, reason};
use crate::input::{display, shortened};
use crate::read::{self, ReadError};

/// Files that say what is left out of a folder; the first one counts before the second one.
const IGNORE_FILES: [&str; 2] = [".weaveignore", ".gitignore"];

/// The files of a revision, by their paths from the root of the repository.
pub(crate) struct Repository {
    /// The revision, as it was named.
    revision: String,
    /// Where the repository lies.
    root: PathBuf,
    /// The way from there to the current folder.
    prefix: PathBuf,
    /// The names of the contents of all files.
    objects: BTreeMap<String, String>,
    /// What was read beforehand: source files, and files that say what is left out.
    texts: BTreeMap<String, Vec<u8>>,
}

impl Repository {
    /// The repository around the current folder, at a revision.
    pub(crate) fn open(revision: &str) -> Result<Self, Failure> {
        let root = line(&asked(&["rev-parse", "--show-toplevel"])?, "this folder lies in no Git repository")?;
        let prefix = line(&asked(&["rev-parse", "--show-prefix"])?, "Git does not say where this folder lies")?;
        let commit = asked(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")])?;
        if !commit.status.success() {
            let failure = Failure::new(format!("there is no Git revision `{revision}` here"));
            return Err(
                failure.help("a branch, a tag or a commit is expected; CI systems fetch only the newest commit, so fetch this one first")
            );
        }
        let commit = line(&commit, "Git does not know the revision")?;
        let listed = asked(&["ls-tree", "-r", "-z", "--full-tree", &commit])?;
        if !listed.status.success() {
            return Err(refused("Git cannot list the files of the revision", &listed));
        }
        let objects = objects(&listed.stdout);
        let is_wanted = |path: &&String| path.ends_with(".weave") || IGNORE_FILES.contains(&path.rsplit('/').next().unwrap_or_default());
        let wanted: Vec<&String> = objects.keys().filter(is_wanted).collect();
        let contents = contents(wanted.iter().filter_map(|path| objects.get(*path)))?;
        let texts = wanted.into_iter().cloned().zip(contents).collect();
        Ok(Self { revision: revision.to_owned(), root: PathBuf::from(root), prefix: PathBuf::from(prefix), objects, texts })
    }

    /// The path from the root of the repository of what a path from the current folder names.
    pub(crate) fn place(&self, path: &Path) -> Result<PathBuf, Failure> {
        let outside = || Failure::new(format!("`{}` lies outside of the Git repository", display(path)));
        let place = if path.is_absolute() {
            let canonical = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| shortened(path));
            canonical(path).strip_prefix(canonical(&self.root)).map_err(|_| outside())?.to_path_buf()
        } else {
            shortened(&self.prefix.join(path))
        };
        if place.components().any(|part| part == Component::ParentDir) {
            return Err(outside());
        }
        Ok(if place == Path::new(".") { PathBuf::new() } else { place })
    }

    /// Whether there is such a file or folder.
    pub(crate) fn has(&self, place: &Path) -> bool {
        self.below(&display(place)).next().is_some()
    }

    /// The files at a path or below it.
    fn below(&self, place: &str) -> impl Iterator<Item = &String> {
        let place = if place == "." { String::new() } else { place.to_owned() };
        self.objects.keys().filter(move |path| {
            place.is_empty() || path.strip_prefix(place.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    fn text(&self, path: &str) -> Result<Arc<str>, ReadError> {
        let bytes = match (self.texts.get(path), self.objects.get(path)) {
            (Some(bytes), _) => bytes.clone(),
            (None, Some(object)) => contents([object].into_iter()).map_err(|_| ReadError::NotFound)?.pop().unwrap_or_default(),
            (None, None) => return Err(ReadError::NotFound),
        };
        read::text(bytes)
    }

    /// Whether a file is left out of a folder, like on the disk: hidden files, and those that an ignore file names.
    fn is_left_out(&self, folder: &str, path: &str, ignored: &mut BTreeMap<String, Option<Gitignore>>) -> bool {
        let inside = path.strip_prefix(folder).unwrap_or(path);
        if inside.split('/').any(|part| part.starts_with('.')) {
            return true;
        }
        for folder in Path::new(path).ancestors().skip(1) {
            let folder = folder.to_string_lossy();
            for name in IGNORE_FILES {
                let file = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
                let rules = ignored.entry(file.clone()).or_insert_with(|| self.rules(&folder, &file));
                match rules.as_ref().map(|rules| rules.matched_path_or_any_parents(path, false)) {
                    Some(Match::Ignore(_)) => return true,
                    Some(Match::Whitelist(_)) => return false,
                    _ => {}
                }
            }
        }
        false
    }

    fn rules(&self, folder: &str, file: &str) -> Option<Gitignore> {
        let text = self.texts.get(file)?;
        let mut builder = GitignoreBuilder::new(folder);
        for line in String::from_utf8_lossy(text).lines() {
            // A line that is no pattern leaves nothing out, as on the disk.
            let _ = builder.add_line(None, line);
        }
        builder.build().ok()
    }
}

impl Tree for Repository {
    fn read(&self, path: &Path) -> Result<Option<Arc<str>>, Failure> {
        let path = display(path);
        match self.text(&path) {
            Ok(text) => Ok(Some(text)),
            Err(ReadError::NotFound) => Ok(None),
            Err(error) => Err(Failure::new(format!("cannot read `{}`: {error}", self.shown(&path)))),
        }
    }

    fn inputs(&self, paths: &[PathBuf]) -> Result<Vec<Input>, Failures> {
        let mut ignored = BTreeMap::new();
        let mut found: Vec<String> = Vec::new();
        for place in paths {
            let place = display(place);
            let folder = if place == "." { String::new() } else { format!("{place}/") };
            let sources = self.below(&place).filter(|path| path.ends_with(".weave"));
            found.extend(sources.filter(|path| **path == place || !self.is_left_out(&folder, path, &mut ignored)).cloned());
        }
        found.sort();
        found.dedup();
        let read = |path: String| match self.text(&path) {
            Ok(text) => Ok(Input { path, text }),
            Err(error) => Err(Failure::new(format!("cannot read `{}`: {error}", self.shown(&path)))),
        };
        Ok(found.into_iter().map(read).collect::<Result<Vec<_>, _>>()?)
    }

    fn loader(&self) -> &dyn Loader {
        self
    }

    fn shown(&self, name: &str) -> String {
        format!("{}:{name}", self.revision)
    }
}

impl Loader for Repository {
    fn load(&self, path: &str) -> Result<Arc<str>, LoadError> {
        self.text(path).map_err(|error| match error {
            ReadError::NotFound => LoadError::NotFound,
            other => LoadError::Other(other.to_string()),
        })
    }
}

/// The command, with messages in one language.
fn git(arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(arguments).env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0");
    command
}

/// What Git answers.
fn asked(arguments: &[&str]) -> Result<Output, Failure> {
    git(arguments).stdin(Stdio::null()).output().map_err(|error| not_started(&error))
}

fn not_started(error: &io::Error) -> Failure {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "there is no such program".to_owned(),
        _ => reason(error),
    };
    Failure::new(format!("`git` cannot be started: {why}"))
        .help("`--against` asks Git for the old version; install it, or compare two folders: `weave diff OLD NEW`")
}

/// What Git answers in one line.
fn line(output: &Output, problem: &str) -> Result<String, Failure> {
    if !output.status.success() {
        return Err(refused(problem, output));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end_matches(['\n', '\r']).to_owned())
}

/// Why Git did not do what it was asked, in its words.
fn refused(problem: &str, output: &Output) -> Failure {
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().next().unwrap_or_default().trim_start_matches("fatal: ").to_owned();
    let failure = Failure::new(problem);
    if said.is_empty() { failure } else { failure.detail(format!("git: {said}")) }
}

/// The files of a listing, each `MODE TYPE OBJECT<tab>PATH`; links and submodules are no files.
fn objects(listing: &[u8]) -> BTreeMap<String, String> {
    let entry = |entry: &[u8]| {
        let text = std::str::from_utf8(entry).ok()?;
        let (head, path) = text.split_once('\t')?;
        let mut words = head.split(' ');
        let (mode, kind, object) = (words.next()?, words.next()?, words.next()?);
        (kind == "blob" && mode.starts_with("100")).then(|| (path.to_owned(), object.to_owned()))
    };
    listing.split(|byte| *byte == 0).filter_map(entry).collect()
}

/// The contents of objects, in their order, by one process.
fn contents<'o>(objects: impl Iterator<Item = &'o String>) -> Result<Vec<Vec<u8>>, Failure> {
    let mut names = String::new();
    let mut count = 0;
    for object in objects {
        names.push_str(object);
        names.push('\n');
        count += 1;
    }
    if count == 0 {
        return Ok(Vec::new());
    }
    let command = git(&["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = command.map_err(|error| not_started(&error))?;
    let input = child.stdin.take();
    // Git answers while it is still being asked, so somebody else has to ask; if it ends early, its answer says so.
    let writer = std::thread::spawn(move || input.map(|mut input| input.write_all(names.as_bytes())));
    let output = child.wait_with_output().map_err(|error| not_started(&error))?;
    let _ = writer.join();
    let mut rest = output.stdout.as_slice();
    let mut found = Vec::with_capacity(count);
    for _ in 0..count {
        found.push(next(&mut rest).ok_or_else(|| refused("Git cannot read the files of the revision", &output))?);
    }
    Ok(found)
}

/// The next answer: `OBJECT blob SIZE`, a line end, so many bytes, a line end.
fn next(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let (head, behind) = rest.split_at_checked(end)?;
    let size: usize = std::str::from_utf8(head).ok()?.rsplit(' ').next()?.parse().ok()?;
    let content = behind.get(1..=size)?.to_vec();
    *rest = behind.get(size + 2..)?;
    Some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_and_answers_are_taken_apart() {
        let listing =
            b"100644 blob aa\tflows/a b.weave\x00120000 blob bb\tlink.weave\x00160000 commit cc\tmodule\x00100755 blob dd\tx\n.weave\0";
        let found: Vec<(String, String)> = objects(listing).into_iter().collect();
        assert_eq!(found, [("flows/a b.weave".to_owned(), "aa".to_owned()), ("x\n.weave".to_owned(), "dd".to_owned())]);
        let mut rest: &[u8] = b"aa blob 3\nx\ny\ndd blob 0\n\nee missing\n";
        assert_eq!(next(&mut rest).as_deref(), Some(&b"x\ny"[..]));
        assert_eq!(next(&mut rest).as_deref(), Some(&b""[..]));
        assert_eq!(next(&mut rest), None);
    }
}
