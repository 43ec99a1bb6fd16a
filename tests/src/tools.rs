//! Programs of other people that the tests use.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the environment has: the validator, with the check of formats, and nothing that must be compiled.
const REQUIREMENTS: &str = "jsonschema==4.26.0";

/// The interpreter of a Python environment with `jsonschema`; made on first use, below `.tools` in the workspace.
///
/// # Panics
///
/// With the way to mend it, when there is no Python 3 or the package cannot be installed.
#[must_use]
pub fn python() -> PathBuf {
    let folder = crate::root().join(".tools");
    std::fs::create_dir_all(&folder).expect("`.tools` can be made");
    // Tests run side by side, also those of other checkouts' programs: one makes the environment, the others wait.
    let lock = File::create(folder.join("python.lock")).expect("`.tools` can be written");
    lock.lock().expect("`.tools/python.lock` can be locked");

    let environment = folder.join("python");
    let interpreter = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = environment.join("requirements");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == REQUIREMENTS) && interpreter.exists() {
        return interpreter;
    }
    let system = if cfg!(windows) { "python" } else { "python3" };
    let advice = "the tests need Python 3 with its `venv` module (on Debian: `apt-get install python3-venv`)";
    run(Path::new(system), &["-m", "venv", "--clear", &environment.to_string_lossy()], advice);
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", REQUIREMENTS];
    run(&interpreter, &install, "the tests install `jsonschema` from the Python package index once");
    std::fs::write(&stamp, REQUIREMENTS).expect("`.tools` can be written");
    interpreter
}

fn run(program: &Path, arguments: &[&str], advice: &str) {
    let output = Command::new(program).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("`{}` cannot be started: {error}\n{advice}", program.display()));
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "`{} {}` failed:\n{said}\n{advice}", program.display(), arguments.join(" "));
}
