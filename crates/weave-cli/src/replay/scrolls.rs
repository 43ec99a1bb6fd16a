//! Scrolls in files: one event a line, read as they are needed.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use weave_replay::{Lines, Problem, codes};
use weave_runner::Event;

use crate::failure::{Failure, reason};
use crate::input::display;

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;
/// So much of a line is shown, in bytes.
const LONGEST_SHOWN: u64 = 4096;
/// The deepest folder that is looked into.
const DEEPEST: usize = 64;

/// The files that these paths name: a folder means all `.jsonl` files in it, in the order of their names.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        let about = std::fs::metadata(path).map_err(|error| unreadable(path, &error))?;
        if about.is_dir() {
            below(path, 0, &mut found)?;
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn below(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(|error| unreadable(folder, &error))?;
    let mut paths: Vec<_> = entries.iter().map(std::fs::DirEntry::path).collect();
    paths.sort_unstable();
    for path in paths {
        // A link to a folder could lead back here.
        let is_folder = std::fs::symlink_metadata(&path).is_ok_and(|about| about.is_dir());
        if is_folder && depth < DEEPEST {
            below(&path, depth + 1, found)?;
        } else if path.extension().is_some_and(|extension| extension == "jsonl") && path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot read `{}`: {}", display(path), reason(error)))
}

/// Reads the events of one file.
pub(super) struct Reader {
    file: Result<BufReader<File>, String>,
    lines: Lines,
    line: usize,
}

impl Reader {
    pub(super) fn open(path: &Path) -> Self {
        let file = File::open(path).map(BufReader::new).map_err(|error| reason(&error));
        Self { file, lines: Lines::default(), line: 0 }
    }

    /// The next event; nothing at the end.
    pub(super) fn next(&mut self) -> Result<Option<Event>, Problem> {
        loop {
            self.line += 1;
            let line = self.line;
            let problem = |message: String| Problem::new(&codes::SCROLL_FORM, line, message);
            let file = self.file.as_mut().map_err(|error| problem(format!("the file cannot be read: {error}")))?;
            let mut bytes = Vec::new();
            let read = file.take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes);
            let read = read.map_err(|error| problem(format!("the file cannot be read: {}", reason(&error))))?;
            if read as u64 > LONGEST_LINE {
                return Err(problem(format!("the line is longer than {} MiB", LONGEST_LINE >> 20)));
            }
            if read == 0 {
                return self.lines.finish().map(|()| None);
            }
            let text = std::str::from_utf8(&bytes).map_err(|_| problem("the line is not UTF-8".to_owned()))?;
            if let Some(event) = self.lines.read(text)? {
                return Ok(Some(event));
            }
        }
    }
}

/// The beginning of a line of a file, counted from 1; it is read anew, because only scrolls that are reported need it.
pub(super) fn line(path: &Path, number: usize) -> String {
    let Ok(file) = File::open(path) else { return String::new() };
    let mut file = BufReader::new(file);
    for _ in 1..number {
        if file.skip_until(b'\n').is_err() {
            return String::new();
        }
    }
    let mut bytes = Vec::new();
    let _ = file.take(LONGEST_SHOWN).read_until(b'\n', &mut bytes);
    String::from_utf8_lossy(&bytes).trim_end().to_owned()
}

/// The line of the event with this number, counted from 1.
pub(super) fn line_of(path: &Path, seq: u64) -> usize {
    let mut reader = Reader::open(path);
    loop {
        match reader.next() {
            Ok(Some(event)) if event.seq == seq => return reader.line,
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => return 1,
        }
    }
}
