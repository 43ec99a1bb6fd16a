//! Programs of other people that the tests use.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The validator, and the name of the environment that has it: another version is another environment.
const REQUIREMENT: &str = "jsonschema==4.26.0";

/// The interpreter of a Python environment with `jsonschema`; made on first use, below `.tools` in the workspace.
///
/// # Panics
///
/// With the way to mend it, when there is no Python 3 or the package cannot be installed.
#[must_use]
pub fn python() -> &'static Path {
    static INTERPRETER: OnceLock<PathBuf> = OnceLock::new();
    INTERPRETER.get_or_init(|| {
        let environment = crate::root().join(".tools").join(REQUIREMENT.replace("==", "-"));
        if !interpreter(&environment).exists() {
            install(&environment);
        }
        interpreter(&environment)
    })
}

fn interpreter(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// Makes the environment beside its place and moves it there when it is complete, so that a test that runs at the same time, or one that
/// was broken off, leaves no half of it.
fn install(environment: &Path) {
    let fresh = environment.with_extension(std::process::id().to_string());
    let system = Path::new(if cfg!(windows) { "python" } else { "python3" });
    let advice = "the tests need Python 3 with its `venv` module (on Debian: `apt-get install python3-venv`)";
    run(system, &["-m", "venv", "--clear", &fresh.to_string_lossy()], advice);
    let arguments = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", REQUIREMENT];
    run(&interpreter(&fresh), &arguments, "the tests install `jsonschema` from the Python package index once");
    if std::fs::rename(&fresh, environment).is_err() {
        // Another test was faster; if it was not, the interpreter that is missing is named where it is started.
        let _ = std::fs::remove_dir_all(&fresh);
    }
}

fn run(program: &Path, arguments: &[&str], advice: &str) {
    let output = Command::new(program).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("`{}` cannot be started: {error}\n{advice}", program.display()));
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "`{} {}` failed:\n{said}\n{advice}", program.display(), arguments.join(" "));
}
