//! The files of a Git revision, which the program `git` is asked for. It is started without a shell, gets no path from anybody, writes nothing, and
//! neither fetches nor runs what the configuration of the repository names.

mod objects;

use std::io;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use weave_compiler::{Input, LoadError, Loader};
use weave_diagnostics::bounds::REVISION_ENTRIES;

use self::objects::{Entry, Kind, Objects};
use crate::diff::tree::Tree;
use crate::failure::{Failure, Failures, reason};
use crate::ignores::Ignores;
use crate::input::{display, shortened};
use crate::read::{self, ReadError};

/// The files of a revision, by their paths from the root of the repository.
pub(crate) struct Repository {
    /// The revision, as it was named.
    revision: String,
    /// Where the repository is.
    root: PathBuf,
    /// The way from there to the current folder.
    prefix: PathBuf,
    /// The tree of the revision.
    tree: String,
    objects: Mutex<Objects>,
}

impl Repository {
    /// The repository around the current folder, at a revision.
    pub(crate) fn open(revision: &str) -> Result<Self, Failure> {
        let root = line(&asked(&["rev-parse", "--show-toplevel"])?, "this folder is not in a Git repository")?;
        let prefix = line(&asked(&["rev-parse", "--show-prefix"])?, "Git does not say where this folder is")?;
        let tree = asked(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}^{{tree}}")])?;
        let tree = String::from_utf8_lossy(&tree.stdout).trim_end().to_owned();
        // `^HEAD` is understood too, as everything but that.
        if tree.is_empty() || !tree.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let failure = Failure::new(format!("there is no Git revision `{revision}` here"));
            return Err(
                failure.help("expected a branch, a tag or a commit; CI systems fetch only the newest commit, so fetch this one first")
            );
        }
        let (root, prefix) = (PathBuf::from(root), PathBuf::from(prefix));
        Ok(Self { revision: revision.to_owned(), root, prefix, tree, objects: Mutex::default() })
    }

    /// The path from the root of the repository of what a path from the current folder names.
    pub(crate) fn place(&self, path: &Path) -> Result<PathBuf, Failure> {
        let outside = || Failure::new(format!("`{}` is outside of the Git repository", display(path)));
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
        self.find(&display(place)).is_ok_and(|found| found.is_some())
    }

    /// What is at a path.
    fn find(&self, path: &str) -> Result<Option<Entry>, ReadError> {
        let mut found = Entry { name: Vec::new(), kind: Kind::Folder, object: self.tree.clone() };
        for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
            if found.kind != Kind::Folder {
                return Ok(None);
            }
            let tree = self.tree(&found.object)?;
            match tree.iter().find(|entry| entry.name == part.as_bytes()) {
                Some(entry) => found = entry.clone(),
                None => return Ok(None),
            }
        }
        Ok(Some(found))
    }

    fn tree(&self, object: &str) -> Result<Arc<Vec<Entry>>, ReadError> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner).tree(object)
    }

    fn bytes(&self, object: &str) -> Result<Vec<u8>, ReadError> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner).read(object, "blob")
    }

    fn text(&self, path: &str) -> Result<Arc<str>, ReadError> {
        match self.find(path)? {
            Some(Entry { kind: Kind::File, object, .. }) => read::text(self.bytes(&object)?),
            Some(Entry { kind: Kind::Folder, .. }) => Err(ReadError::Folder),
            Some(_) => Err(ReadError::NotRegular),
            None => Err(ReadError::NotFound),
        }
    }

    /// What a folder leaves out.
    fn ignores(&self, path: &str, tree: &[Entry], above: Option<Rc<Ignores>>) -> Result<Rc<Ignores>, Failure> {
        let mut failure = None;
        let read = |name: &'static str| {
            let entry = tree.iter().find(|entry| entry.kind == Kind::File && entry.name == name.as_bytes())?;
            match self.bytes(&entry.object) {
                Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
                Err(error) => {
                    failure = Some(self.cannot_read(&joined(path, name), &error));
                    None
                }
            }
        };
        let (ignores, bad) = Ignores::new(&rooted(path), above, read);
        if let Some(bad) = bad.first() {
            let name = self.shown(&joined(path, bad.file));
            return Err(Failure::new(format!("cannot read `{name}`: the pattern on line {} {}", bad.line, bad.reason)));
        }
        failure.map_or(Ok(ignores), Err)
    }

    /// The source files of a folder, as on the disk.
    fn walk(&self, place: &str, folder: &Entry, found: &mut Vec<String>) -> Result<(), Failure> {
        let read = |path: &str, object: &str| self.tree(object).map_err(|error| self.cannot_read(path, &error));
        let mut ignores = Rc::new(Ignores::default());
        let mut above = String::new();
        for part in place.split('/').filter(|part| !part.is_empty()) {
            let entry = self.find(&above).map_err(|error| self.cannot_read(&above, &error))?;
            let Some(entry) = entry else { break };
            ignores = self.ignores(&above, &read(&above, &entry.object)?, Some(ignores))?;
            above = joined(&above, part);
        }
        let mut visited = 0_usize;
        let mut left = vec![(place.to_owned(), folder.object.clone(), ignores)];
        while let Some((path, object, ignores)) = left.pop() {
            let tree = read(&path, &object)?;
            visited += tree.len();
            if visited > REVISION_ENTRIES.most {
                let failure =
                    Failure::new(format!("cannot read `{}`: it has more than {} files", self.shown(place), REVISION_ENTRIES.most));
                return Err(failure.help("name a folder in it"));
            }
            let ignores = self.ignores(&path, &tree, Some(ignores))?;
            for entry in tree.iter() {
                let is_folder = entry.kind == Kind::Folder;
                let is_source = entry.kind == Kind::File && entry.name.ends_with(b".weave");
                let name = String::from_utf8_lossy(&entry.name);
                let whole = joined(&path, &name);
                if !(is_folder || is_source) || ignores.leaves_out(&rooted(&whole), is_folder) {
                    continue;
                }
                match (is_folder, std::str::from_utf8(&entry.name)) {
                    (true, Ok(_)) => left.push((whole, entry.object.clone(), Rc::clone(&ignores))),
                    (false, Ok(_)) => found.push(whole),
                    (_, Err(_)) => {
                        let failure = Failure::new(format!("cannot read `{}`: its name is not UTF-8", self.shown(&whole)));
                        return Err(failure.help("exclude it with a pattern in .weaveignore"));
                    }
                }
            }
        }
        Ok(())
    }

    fn cannot_read(&self, path: &str, error: &ReadError) -> Failure {
        Failure::new(format!("cannot read `{}`: {error}", self.shown(path)))
    }
}

/// A path in a folder, from the root of the repository.
fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// A path as patterns see it.
fn rooted(path: &str) -> PathBuf {
    Path::new("/").join(path)
}

impl Tree for Repository {
    fn read(&self, path: &Path) -> Result<Option<Arc<str>>, Failure> {
        let path = display(path);
        match self.text(&path) {
            Ok(text) => Ok(Some(text)),
            Err(ReadError::NotFound) => Ok(None),
            Err(error) => Err(self.cannot_read(&path, &error)),
        }
    }

    fn inputs(&self, paths: &[PathBuf]) -> Result<Vec<Input>, Failures> {
        let mut found: Vec<String> = Vec::new();
        for place in paths {
            let place = display(place);
            let place = if place == "." { String::new() } else { place };
            match self.find(&place).map_err(|error| self.cannot_read(&place, &error))? {
                Some(entry) if entry.kind == Kind::Folder => self.walk(&place, &entry, &mut found)?,
                Some(entry) if entry.kind == Kind::File => found.push(place),
                _ => {}
            }
        }
        found.sort();
        found.dedup();
        let read = |path: String| match self.text(&path) {
            Ok(text) => Ok(Input { path, text }),
            Err(error) => Err(self.cannot_read(&path, &error)),
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

/// The command, with messages in one language. What is missing in the repository is not fetched: that could run what its configuration names. Objects
/// are read as they are, whatever `refs/replace` says.
fn git(arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(["-c", "protocol.allow=never", "-c", "protocol.ext.allow=never", "-c", "core.fsmonitor=false"]).args(arguments);
    for (name, value) in [
        ("LC_ALL", "C"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_NO_REPLACE_OBJECTS", "1"),
        ("GIT_ALLOW_PROTOCOL", "none"),
        ("GIT_TERMINAL_PROMPT", "0"),
    ] {
        command.env(name, value);
    }
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
