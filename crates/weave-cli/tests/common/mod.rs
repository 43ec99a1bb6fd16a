//! Runs the built program in a folder of its own.
#![allow(dead_code, clippy::unwrap_used)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A workflow called `name`, which is legal and needs nothing else.
pub(crate) fn workflow(name: &str) -> String {
    format!("workflow {name}(who: string) -> string {{\n  end done = \"Hello {{{{.input.who}}}}\"\n}}\n")
}

/// A file with one mistake, on line 2.
pub(crate) const MISTAKE: &str = "type Order {\n  customer: Nope\n}\n";

/// What a run of the program gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Demands this exit code, showing everything where it is another.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Demands this text on standard error.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "no {text:?} in {self:#?}");
        self
    }
}

/// A folder with files, in which the program runs.
pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let project = Self { folder: TempDir::new().unwrap() };
        for (name, text) in files {
            project.write(name, text);
        }
        project
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of what lies in a folder, sorted.
    pub(crate) fn list(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).unwrap();
        let mut names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>();
        names.sort();
        names
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_weave"));
        command.args(arguments).current_dir(self.folder.path());
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR"] {
            command.env_remove(variable);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        finish(self.command(arguments).spawn().unwrap())
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        // Whoever refuses a long input closes the pipe before its end.
        let _ = child.stdin.take().unwrap().write_all(input.as_ref());
        finish(child)
    }
}

pub(crate) fn finish(child: Child) -> Run {
    let output = child.wait_with_output().unwrap();
    Run { code: output.status.code(), stdout: String::from_utf8(output.stdout).unwrap(), stderr: String::from_utf8(output.stderr).unwrap() }
}

/// When a file was last written.
pub(crate) fn modified(path: &Path) -> std::time::SystemTime {
    std::fs::metadata(path).unwrap().modified().unwrap()
}
