//! From the paths of the command line to the texts.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use weave_compiler::Input;
use weave_diagnostics::closest;

use crate::failure::{Failure, Failures};
use crate::read::{ReadError, read_named, read_standard_input};
use crate::walk::{EXTENSION, Walked, walk};

/// The name of standard input in diagnostics.
const STANDARD_INPUT: &str = "<stdin>";

/// Where one text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    StandardInput,
    File(PathBuf),
}

impl Source {
    /// The name that people see: the path as it was given, with `/`.
    fn name(&self) -> String {
        match self {
            Self::StandardInput => STANDARD_INPUT.to_owned(),
            Self::File(path) => display(path),
        }
    }

    fn path(self) -> Option<PathBuf> {
        match self {
            Self::StandardInput => None,
            Self::File(path) => Some(path),
        }
    }

    fn read(&self) -> Result<Arc<str>, ReadError> {
        match self {
            Self::StandardInput => read_standard_input(),
            Self::File(path) => read_named(path),
        }
    }
}

/// The path with `/` between its parts and without `.` parts.
pub(crate) fn display(path: &Path) -> String {
    let mut name = String::new();
    for component in path.components() {
        if component == Component::CurDir {
            continue;
        }
        if !name.is_empty() && !name.ends_with('/') {
            name.push('/');
        }
        match component {
            Component::RootDir if !name.ends_with('/') => name.push('/'),
            Component::RootDir => {}
            other => name.push_str(&other.as_os_str().to_string_lossy()),
        }
    }
    if name.is_empty() { ".".to_owned() } else { name }
}

/// The texts that the paths name, each once: files in the order of the arguments, those of a folder in the order of their names.
pub(crate) fn gather(paths: &[PathBuf]) -> Result<Vec<Input>, Failures> {
    Ok(gather_files(paths)?.into_iter().map(|(_, input)| input).collect())
}

/// The same, each with its path; standard input has none.
pub(crate) fn gather_files(paths: &[PathBuf]) -> Result<Vec<(Option<PathBuf>, Input)>, Failures> {
    let mut failures = Failures::new();
    let mut sources = Vec::new();
    let (mut foreign, mut empty) = (Vec::new(), Vec::new());
    for path in paths {
        if is_foreign(path) {
            foreign.push(display(path));
            continue;
        }
        match expand(path) {
            Ok(found) if found.is_empty() => empty.push(path),
            Ok(found) => sources.extend(found),
            Err(failure) => failures.extend(failure),
        }
    }
    // `weave lint packages/*` is about the packages that have programs.
    if sources.is_empty() && failures.is_empty() && foreign.is_empty() {
        failures.extend(empty.into_iter().map(|folder| no_programs(folder)));
    }
    if !foreign.is_empty() {
        failures.push(not_weave(&foreign));
    }
    if paths.len() > 1 {
        remove_repeated(&mut sources);
    }
    let read = |source: &Source| {
        refuse_nameless(source)?;
        source.read().map_err(|error| cannot_read(source, &error))
    };
    let texts: Vec<_> = match sources.as_slice() {
        // A single file needs no threads, and starting them is a good part of its time.
        [source] => vec![read(source)],
        several => several.par_iter().map(read).collect(),
    };
    let mut inputs = Vec::new();
    for (source, text) in sources.into_iter().zip(texts) {
        match text {
            Ok(text) => {
                let input = Input { path: source.name(), text };
                inputs.push((source.path(), input));
            }
            Err(failure) => failures.push(failure),
        }
    }
    if failures.is_empty() { Ok(inputs) } else { Err(failures) }
}

/// The one text that a path names.
pub(crate) fn one(path: &Path) -> Result<Input, Failures> {
    if is_foreign(path) {
        return Err(not_weave(&[display(path)]).into());
    }
    let source = if path == Path::new("-") { Source::StandardInput } else { Source::File(path.to_owned()) };
    refuse_nameless(&source)?;
    match source.read() {
        Ok(text) => Ok(Input { path: source.name(), text }),
        Err(error) => Err(cannot_read(&source, &error).into()),
    }
}

/// Whether a path names an existing regular file without the extension `.weave`; a pipe has no extension.
///
/// No command reads such a file as a program: `weave lint --fix *` must not rewrite `README.md` or `weave.toml`. A path that does not exist
/// is reported by whatever reads it.
fn is_foreign(path: &Path) -> bool {
    let has_extension = path.extension().is_some_and(|extension| extension == EXTENSION);
    path != Path::new("-") && !has_extension && std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// At most this many foreign files are named in one message.
const MOST_NAMED: usize = 3;

fn not_weave(files: &[String]) -> Failure {
    let mut named: Vec<String> = files.iter().take(MOST_NAMED).map(|name| format!("`{name}`")).collect();
    if files.len() > MOST_NAMED {
        named.push(format!("{} more", files.len() - MOST_NAMED));
    }
    let message = match named.as_slice() {
        [one] => format!("{one} is not a .{EXTENSION} file"),
        several => {
            let (last, first) =
                several.split_last().map_or((String::new(), String::new()), |(last, first)| (last.clone(), first.join(", ")));
            format!("{first} and {last} are not .{EXTENSION} files")
        }
    };
    Failure::new(message)
        .help(format!("to take all .{EXTENSION} files of a folder, name the folder; `-` reads a program from standard input"))
}

fn expand(path: &Path) -> Result<Vec<Source>, Failures> {
    if path == Path::new("-") {
        return Ok(vec![Source::StandardInput]);
    }
    let path = without_detours(path);
    if path.is_dir() { sources_of(&path) } else { Ok(vec![Source::File(path)]) }
}

/// The path without `folder/..` in it, where it then still leads to the same place.
///
/// Imports are joined to the name of their file and shortened in the same way, so `scripts/../flows/a.weave` and what it imports
/// must not be two names of one file. Behind a link, `..` leads elsewhere, and the path stays as it is.
fn without_detours(path: &Path) -> PathBuf {
    let short = shortened(path);
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    let same = short == path || place(path).is_some_and(|there| place(&short) == Some(there));
    if same { short } else { path.to_owned() }
}

/// The path without `folder/..` in it, by its text alone.
pub(crate) fn shortened(path: &Path) -> PathBuf {
    let mut short = PathBuf::new();
    for component in path.components() {
        let detour = component == Component::ParentDir && matches!(short.components().next_back(), Some(Component::Normal(_)));
        if detour {
            short.pop();
        } else {
            short.push(component);
        }
    }
    if short.as_os_str().is_empty() {
        short.push(".");
    }
    short
}

/// The source files of a folder, in the order of their names, as far as it can be read.
pub(crate) fn files_of(folder: &Path) -> Vec<PathBuf> {
    walk(folder).files.into_iter().filter(|path| path.to_str().is_some()).collect()
}

/// The files of a folder.
fn sources_of(folder: &Path) -> Result<Vec<Source>, Failures> {
    let Walked { files, failures } = walk(folder);
    if !failures.is_empty() {
        return Err(failures);
    }
    Ok(files.into_iter().map(Source::File).collect())
}

/// At most this many entries of a folder are examined to explain why it has no source file.
const MOST_EXAMINED: usize = 10_000;

/// Why there is nothing to read in a folder: what is there is left out, or there is nothing.
fn no_programs(folder: &Path) -> Failure {
    let failure = Failure::new(format!("there is no .{EXTENSION} file in the folder `{}`", display(folder)));
    let mut left = vec![folder.to_owned()];
    for _ in 0..MOST_EXAMINED {
        let Some(path) = left.pop() else { break };
        if path.extension().is_some_and(|extension| extension == EXTENSION) && path.is_file() {
            let name = display(&path);
            let why = "it is hidden, or a .gitignore or .weaveignore names it";
            return failure.help(format!("`{name}` is skipped, because {why}; to read it, name the file"));
        }
        if path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            let mut entries: Vec<PathBuf> = std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
            entries.sort_by(|one, other| other.cmp(one));
            left.append(&mut entries);
        }
    }
    failure.help("name a folder or a file with programs")
}

/// Refuses a path that is no text: two such files could have one name, and only one of them would be looked at.
fn refuse_nameless(source: &Source) -> Result<(), Failure> {
    let Source::File(path) = source else { return Ok(()) };
    if path.to_str().is_some() {
        return Ok(());
    }
    let failure = Failure::new(format!("cannot read `{}`: its name is not UTF-8", escaped(path)));
    Err(failure.help("rename it, or exclude it with a pattern in .weaveignore"))
}

/// A path in which each byte that is no text is written as `\xFF`.
fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
    }
    text
}

/// Leaves each file where it came first, whatever names it was given by.
fn remove_repeated(sources: &mut Vec<Source>) {
    let mut seen = BTreeSet::new();
    sources.retain(|source| {
        let identity = match source {
            Source::StandardInput => None,
            // A path that does not exist has no other name; reading it will say so.
            Source::File(path) => Some(std::fs::canonicalize(path).unwrap_or_else(|_| path.clone())),
        };
        seen.insert(identity)
    });
}

fn cannot_read(source: &Source, error: &ReadError) -> Failure {
    let failure = Failure::new(format!("cannot read `{}`: {error}", source.name()));
    match (error.help(), error, source) {
        (Some(help), _, _) => failure.help(help),
        (None, ReadError::NotFound, Source::File(path)) => match neighbour(path) {
            Some(name) => failure.help(format!("did you mean `{name}`?")),
            None => failure,
        },
        _ => failure,
    }
}

/// A file or folder beside a path that does not exist, with a similar name.
fn neighbour(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).ok()?;
    let mut names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect::<Vec<_>>();
    names.sort_unstable();
    // The ending is no part of what may be mistyped, or `a.weave` would be like `b.weave`.
    let (stem, ending) = match wanted.strip_suffix(".weave") {
        Some(stem) => (stem, ".weave"),
        None if names.contains(&format!("{wanted}.weave")) => return Some(display(&path.with_file_name(format!("{wanted}.weave")))),
        None => (wanted, ""),
    };
    let found = closest(stem, names.iter().filter_map(|name| name.strip_suffix(ending)))?;
    Some(display(&path.with_file_name(format!("{found}{ending}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_was_given_without_dots() {
        let cases =
            [("./a.weave", "a.weave"), ("x//y/./a.weave", "x/y/a.weave"), ("../a", "../a"), ("/a/b", "/a/b"), (".", "."), ("/", "/")];
        for (given, shown) in cases {
            assert_eq!(display(Path::new(given)), shown);
        }
    }
}
