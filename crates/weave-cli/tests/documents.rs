//! The console blocks of the documents print what the pages show.
//!
//! A page is a session in a folder of its own. A fence `console` holds commands after `$ `, each with what it prints; a line `…` stands for any
//! lines. The comment `<!-- file: NAME -->` on the line above a fence writes the block to that file, `<!-- run: COMMAND -->` runs a
//! command that the page describes in words, and `<!-- folder: NAME -->` copies a folder of this repository.
//! `BLESS=1` writes what is printed into the pages.
#![cfg(all(unix, feature = "run"))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> = entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    pages.extend(["README.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    pages.sort();
    pages
}

#[test]
fn commands_print_what_the_pages_show() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut count = 0;
    let mut complaints = String::new();
    for path in pages() {
        let text = fs::read_to_string(&path).unwrap();
        if !text.contains("```console") {
            continue;
        }
        let session = Session::new();
        let played = session.page(&text, &mut count);
        if played == text {
            continue;
        }
        if bless {
            fs::write(&path, played).unwrap();
        } else {
            let diff = similar::TextDiff::from_lines(&text, &played).unified_diff().header("shown", "printed").to_string();
            complaints.push_str(&format!("{}:\n{diff}\n", path.display()));
        }
    }
    assert!(complaints.is_empty(), "these pages show something else than the commands print (BLESS=1 writes it):\n{complaints}");
    assert!(count >= 10, "only {count} commands were run");
}

/// A folder in which the commands of a page run, one after the other.
struct Session {
    folder: TempDir,
    /// The folder that `cd` has chosen.
    current: std::cell::RefCell<PathBuf>,
}

impl Session {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let current = folder.path().to_owned().into();
        Self { folder, current }
    }

    /// Plays a page, and returns it with what is printed now.
    fn page(&self, text: &str, count: &mut usize) -> String {
        let mut played = String::new();
        let mut lines = text.lines().peekable();
        let mut file = None;
        while let Some(line) = lines.next() {
            played.push_str(line);
            played.push('\n');
            if let Some(name) = comment(line, "file") {
                file = Some(name);
            } else if let Some(command) = comment(line, "run") {
                let (printed, ok) = self.run(command);
                assert!(ok, "`{command}` of the page failed: {printed}");
            } else if let Some(name) = comment(line, "folder") {
                copy(&root().join(name), &self.folder.path().join(name));
            } else if line.starts_with("```") {
                let block: Vec<&str> = std::iter::from_fn(|| lines.next_if(|line| !line.starts_with("```"))).collect();
                match file.take() {
                    Some(name) => {
                        let path = self.current.borrow().join(name);
                        fs::create_dir_all(path.parent().unwrap()).unwrap();
                        fs::write(path, block.join("\n") + "\n").unwrap();
                        block.iter().for_each(|line| played.push_str(&format!("{line}\n")));
                    }
                    None if line == "```console" => played.push_str(&self.console(&block, count)),
                    None => block.iter().for_each(|line| played.push_str(&format!("{line}\n"))),
                }
                played.push_str("```\n");
                lines.next();
            }
        }
        played
    }

    /// Runs the commands of a block, and returns it with what they print.
    fn console(&self, block: &[&str], count: &mut usize) -> String {
        let mut played = String::new();
        let mut lines = block.iter().copied().peekable();
        while let Some(line) = lines.next() {
            let command = line.strip_prefix("$ ").expect("a console block begins with a command after `$ `");
            let shown: Vec<&str> = std::iter::from_fn(|| lines.next_if(|line| !line.starts_with("$ "))).collect();
            let (printed, _) = self.run(command);
            *count += 1;
            played.push_str(line);
            played.push('\n');
            let printed: Vec<&str> = printed.lines().collect();
            let text = if matches(&shown, &printed) { &shown } else { &printed };
            text.iter().for_each(|line| played.push_str(&format!("{line}\n")));
        }
        played
    }

    /// What a command prints on both streams, and whether it succeeded.
    fn run(&self, command: &str) -> (String, bool) {
        if let Some(folder) = command.strip_prefix("cd ") {
            let next = self.current.borrow().join(folder);
            assert!(next.is_dir(), "`{command}`: there is no such folder");
            self.current.replace(next);
            return (String::new(), true);
        }
        let weave = Path::new(env!("CARGO_BIN_EXE_weave")).parent().unwrap();
        let path = format!("{}:{}", weave.display(), std::env::var("PATH").unwrap());
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(&*self.current.borrow())
            .env("PATH", path)
            .env("HOME", self.folder.path())
            .env("NO_COLOR", "1")
            .env("LC_ALL", "C.UTF-8")
            .output()
            .unwrap();
        (String::from_utf8(output.stdout).unwrap(), output.status.success())
    }
}

/// The text of `<!-- KEY: TEXT -->`.
fn comment<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.strip_prefix("<!-- ")?.strip_prefix(key)?.strip_prefix(": ")?.strip_suffix(" -->")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
}

/// Whether the shown lines are the printed ones, where a line `…` stands for any lines.
fn matches(shown: &[&str], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((&"…", rest)) => (0..=printed.len()).any(|skipped| matches(rest, printed.get(skipped..).unwrap_or_default())),
        Some((line, rest)) => printed.split_first().is_some_and(|(first, others)| same(line, first) && matches(rest, others)),
    }
}

/// Whether two lines are equal, apart from how long something took, and the random end of a run's id.
fn same(shown: &str, printed: &str) -> bool {
    let plain = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let after = words.iter().skip(1).chain([&""]);
        let plain = words.iter().zip(after).map(|(word, after)| {
            let is_time = word.parse::<f64>().is_ok() && matches!(after.trim_end_matches(['.', ',']), "ms" | "s");
            let id = word.rsplit_once('-').filter(|(_, end)| end.len() == 6 && end.bytes().all(|byte| byte.is_ascii_hexdigit()));
            match id {
                Some((name, _)) => format!("{name}-id"),
                None if is_time => "0".to_owned(),
                None => (*word).to_owned(),
            }
        });
        plain.collect::<Vec<_>>().join(" ")
    };
    plain(shown) == plain(printed)
}

#[test]
fn a_line_of_dots_stands_for_any_lines() {
    assert!(matches(&["a", "…", "c"], &["a", "b", "b", "c"]));
    assert!(matches(&["a", "…"], &["a"]));
    assert!(!matches(&["a", "…", "c"], &["a", "b"]));
    assert!(!matches(&["a"], &["a", "b"]));
    assert!(matches(
        &["12 tests, in 41 ms", "support · run support-cbebb6 · x"],
        &["12 tests, in 7 ms", "support · run support-00ff11 · x"]
    ));
    assert!(!matches(&["12 tests, in 41 ms"], &["13 tests, in 41 ms"]));
}
