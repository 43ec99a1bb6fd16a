//! Where everything comes from that weave is built and tested with.

use std::path::Path;
use std::process::Command;

use weave_tests::tools::{PACKAGES, cargo_deny};
use weave_tests::{read, root};

/// Runs `cargo deny` over the workspace, without the network.
fn deny(words: &[&str]) -> Result<(), String> {
    let mut command = Command::new(cargo_deny()?);
    command.arg("--offline").args(words).current_dir(root());
    let output = command.output().map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

#[test]
fn crates_have_the_licences_and_the_sources_that_are_allowed() {
    deny(&["check", "bans", "licenses", "sources"]).unwrap_or_else(|problem| panic!("{problem}"));
}

/// The database of advisories lies where `cargo deny fetch` puts it. Where it is not, and cannot be fetched, nothing is known of advisories, and that is said.
#[test]
fn crates_have_no_known_advisory() {
    let home = std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo"))).unwrap_or_default();
    // A fetch that failed leaves a lock file, or a folder without the advisories.
    let is_whole = |entry: std::fs::DirEntry| entry.path().join("crates").is_dir();
    let has_database = || Path::new(&home).join("advisory-dbs").read_dir().is_ok_and(|entries| entries.flatten().any(is_whole));
    if !has_database() {
        let program = cargo_deny().unwrap_or_else(|problem| panic!("{problem}"));
        let _ = Command::new(program).args(["fetch", "db"]).current_dir(root()).output();
    }
    if !has_database() {
        eprintln!("advisories were not looked at: there is no database, and it cannot be fetched");
        return;
    }
    deny(&["check", "advisories"]).unwrap_or_else(|problem| panic!("{problem}"));
}

#[test]
fn python_packages_are_pinned_with_their_hashes() {
    for packages in PACKAGES {
        let text = read(&root().join(format!("tests/tools/locks/{}.txt", packages.lock)));
        let entries: Vec<&str> = text.split("\n").filter(|line| !line.starts_with([' ', '#']) && !line.is_empty()).collect();
        for wanted in packages.packages.split(' ') {
            let is_pinned = |line: &&str| line.split([' ', ';']).next() == Some(wanted);
            assert!(entries.iter().any(is_pinned), "{}: no {wanted}", packages.lock);
        }
        for entry in &entries {
            assert!(entry.contains("==") && entry.ends_with('\\'), "{}: {entry} has no version or no hash", packages.lock);
        }
        let hashes = text.matches("--hash=sha256:").count();
        assert!(hashes >= entries.len(), "{}", packages.lock);
    }
}

#[test]
fn npm_packages_are_those_of_the_lock_files() {
    for folder in ["editors/vscode", "tests/tools/typescript"] {
        let lock: serde_json::Value = serde_json::from_str(&read(&root().join(folder).join("package-lock.json"))).unwrap();
        let packages = lock["packages"].as_object().unwrap();
        for (name, package) in packages.iter().filter(|(name, _)| !name.is_empty()) {
            // Where nothing is said, it is the registry that npm asks; the hash counts in any case.
            let from = package["resolved"].as_str().unwrap_or("https://registry.npmjs.org/");
            assert!(from.starts_with("https://registry.npmjs.org/"), "{folder}: {name} comes from {from}");
            assert!(package["integrity"].as_str().is_some_and(|hash| hash.starts_with("sha512-")), "{folder}: {name} has no hash");
        }
    }
    let installer = read(&root().join("tests/src/node.rs"));
    assert!(installer.contains("[\"ci\", \"--ignore-scripts\""), "npm runs scripts of packages");
}

#[test]
fn pipelines_pin_actions_by_commit() {
    for path in ["crates/weave-cli/src/init/github.yml", "docs/ci.md", "docs/diff.md"] {
        for line in read(&root().join(path)).lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("uses: ")) {
            let (commit, version) = line.split_once('@').and_then(|(_, rest)| rest.split_once(" # ")).unwrap_or((line, ""));
            let is_commit = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(is_commit && version.starts_with('v'), "{path}: {line}");
        }
    }
}

#[test]
fn nothing_of_ours_is_unsafe() {
    let manifest = read(&root().join("Cargo.toml"));
    assert!(manifest.contains("unsafe_code = \"forbid\""));
    for file in weave_tests::files_below(&root().join("crates"), "toml") {
        let text = read(&file);
        if text.starts_with("[package]") {
            assert!(text.contains("[lints]\nworkspace = true"), "{}", file.display());
        }
    }
}
