//! The extension for VS Code and what it is made with, and other packages for tests, all of which come from npm.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use serde_json::{Map, Value, json};

use crate::tools::finished;

/// What is said when Node is missing.
const ADVICE: &str = "the tests of the extension for VS Code and of generated TypeScript need Node 20.19 or newer, with npm";

/// What is made in the folder of the extension, and no part of its sources.
const MADE: [&str; 2] = ["node_modules", "dist"];

/// A copy of the extension for VS Code in which what it is made with is installed; made on first use, below `.tools` in the workspace. Its
/// sources are those of now.
///
/// # Panics
///
/// With the way to mend it, when there is no Node or the packages cannot be installed.
#[must_use]
pub fn extension() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| install().unwrap_or_else(|problem| panic!("{problem}")))
}

/// Held by tests that package the extension: packages are made in its folder.
pub fn packaging() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a program prints on standard output that is started in a folder.
///
/// # Errors
///
/// What it said, if it failed, or why it could not be started.
pub fn run_in(folder: &Path, program: &str, words: &[String]) -> Result<String, String> {
    let program = if cfg!(windows) && program == "npm" { "npm.cmd" } else { program };
    let mut command = Command::new(program);
    // npm looks for newer versions of itself and asks for money; a test should not.
    command.args(words).current_dir(folder).env("npm_config_update_notifier", "false").env("npm_config_fund", "false");
    finished(&mut command).map_err(|problem| format!("{problem}\n{ADVICE}"))
}

/// The settings of a TypeScript project, strict in every way: the folders with its sources, and the types that they need.
#[must_use]
pub fn settings(include: &[&str], types: &[&str]) -> String {
    let strict = [
        "strict",
        "exactOptionalPropertyTypes",
        "noUncheckedIndexedAccess",
        "isolatedDeclarations",
        "declaration",
        "erasableSyntaxOnly",
        "verbatimModuleSyntax",
        "noImplicitOverride",
        "noImplicitReturns",
        "noFallthroughCasesInSwitch",
        "noPropertyAccessFromIndexSignature",
        "noUnusedLocals",
        "noUnusedParameters",
        "skipLibCheck",
    ];
    let mut options: Map<String, Value> = strict.iter().map(|name| ((*name).to_owned(), true.into())).collect();
    let more = json!({
        "target": "es2022", "module": "nodenext", "lib": ["es2023", "dom", "dom.iterable"], "rootDir": "src", "outDir": "out",
        "types": types, "typeRoots": [extension().join("node_modules/@types")],
    });
    options.extend(more.as_object().cloned().unwrap_or_default());
    json!({ "compilerOptions": options, "include": include }).to_string()
}

/// A folder in which the SDK of the Model Context Protocol is installed: what lies below it finds the SDK. Made like [`extension`].
///
/// # Panics
///
/// With the way to mend it, when there is no Node or the packages cannot be installed.
#[must_use]
pub fn with_mcp() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| installed(&crate::root().join("tests/tools/typescript"), "mcp").unwrap_or_else(|problem| panic!("{problem}")))
}

/// The folder in which the packages are installed that a folder of the workspace names.
fn installed(source: &Path, name: &str) -> Result<PathBuf, String> {
    let lock = crate::read(&source.join("package-lock.json"));
    let home = crate::root().join(".tools").join(format!("{name}-{:08x}", checksum(&lock)));
    if !is_installed(&home) {
        install_packages(source, &home)?;
    }
    Ok(home)
}

fn install() -> Result<PathBuf, String> {
    let source = crate::root().join("editors/vscode");
    let home = installed(&source, "vscode")?;
    // What was copied before may be of files that are no more.
    for entry in entries(&home)? {
        if !MADE.iter().any(|made| entry.ends_with(made)) {
            let removed = if entry.is_dir() { std::fs::remove_dir_all(&entry) } else { std::fs::remove_file(&entry) };
            removed.map_err(|error| format!("{}: {error}", entry.display()))?;
        }
    }
    copy(&source, &home)?;
    Ok(home)
}

/// Whether all packages are there: npm writes this file last.
fn is_installed(home: &Path) -> bool {
    home.join("node_modules/.package-lock.json").exists()
}

/// Installs the packages beside their place and moves them there when they are complete.
fn install_packages(source: &Path, home: &Path) -> Result<(), String> {
    let fresh = home.with_extension(std::process::id().to_string());
    std::fs::create_dir_all(&fresh).map_err(|error| format!("{}: {error}", fresh.display()))?;
    for name in ["package.json", "package-lock.json"] {
        std::fs::copy(source.join(name), fresh.join(name)).map_err(|error| format!("{name}: {error}"))?;
    }
    // Nothing of the packages is run but what we start.
    let words = ["ci", "--ignore-scripts", "--no-audit", "--prefer-offline"].map(str::to_owned);
    let installed = run_in(&fresh, "npm", &words);
    if installed.is_ok() && !is_installed(home) {
        // What lies there is what is left of an installation that somebody broke off or took apart.
        let _ = std::fs::remove_dir_all(home);
    }
    if installed.is_err() || std::fs::rename(&fresh, home).is_err() {
        // What is left is of no use: a later attempt begins anew, or another test was faster.
        let _ = std::fs::remove_dir_all(&fresh);
    }
    installed?;
    if is_installed(home) { Ok(()) } else { Err(format!("{}: its packages are incomplete; remove the folder", home.display())) }
}

/// Copies the sources, folders and all.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let mut folders = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = folders.pop() {
        std::fs::create_dir_all(&to).map_err(|error| format!("{}: {error}", to.display()))?;
        for entry in entries(&from)? {
            let name = entry.file_name().unwrap_or_default();
            if MADE.iter().any(|made| name == *made) {
                continue;
            }
            if entry.is_dir() {
                folders.push((entry.clone(), to.join(name)));
            } else {
                std::fs::copy(&entry, to.join(name)).map_err(|error| format!("{}: {error}", entry.display()))?;
            }
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

/// Tells one list of packages from another.
fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
