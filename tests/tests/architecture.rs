//! The arrows between the crates, and the fences around them.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{Metadata, MetadataCommand, Package};
use weave_tests::{files_below, read, root};

/// What the tests of the whole may use.
const EVERYTHING: &[&str] = &[
    "tree-sitter-weave",
    "weave-analysis",
    "weave-codegen",
    "weave-compiler",
    "weave-diagnostics",
    "weave-diff",
    "weave-drive",
    "weave-expr",
    "weave-fix",
    "weave-format",
    "weave-graph",
    "weave-host",
    "weave-ide",
    "weave-ir",
    "weave-lint",
    "weave-lsp",
    "weave-pattern",
    "weave-providers",
    "weave-replay",
    "weave-report",
    "weave-runner",
    "weave-scroll",
    "weave-sample",
    "weave-scalars",
    "weave-scenario",
    "weave-sqlite",
    "weave-syntax",
    "weave-testing",
    "weave-tools",
];

/// Which crates of the workspace each crate may use. A crate that is not listed may not exist.
const ARROWS: &[(&str, &[&str])] = &[
    ("tree-sitter-weave", &[]),
    ("weave-diagnostics", &[]),
    ("weave-scalars", &[]),
    ("weave-pattern", &[]),
    ("weave-ir", &["weave-scalars"]),
    ("weave-diff", &["weave-diagnostics", "weave-ir"]),
    ("weave-expr", &["weave-ir", "weave-pattern", "weave-scalars"]),
    ("weave-runner", &["weave-expr", "weave-ir", "weave-scalars"]),
    ("weave-scroll", &["weave-runner"]),
    ("weave-sqlite", &["weave-scroll"]),
    ("weave-sample", &["weave-expr", "weave-ir", "weave-pattern", "weave-runner"]),
    ("weave-scenario", &["weave-expr", "weave-ir", "weave-runner", "weave-sample"]),
    ("weave-replay", &["weave-diagnostics", "weave-expr", "weave-ir", "weave-runner"]),
    ("weave-drive", &["weave-expr", "weave-ir", "weave-providers", "weave-runner", "weave-scroll"]),
    ("weave-host", &["weave-drive", "weave-ir", "weave-runner", "weave-scroll"]),
    ("weave-tools", &["weave-host", "weave-ir", "weave-runner", "weave-scroll", "weave-sqlite"]),
    ("weave-codegen", &["weave-ir", "weave-pattern"]),
    ("weave-graph", &["weave-ir", "weave-scalars"]),
    ("weave-providers", &["weave-ir"]),
    ("weave-syntax", &["weave-diagnostics", "weave-scalars"]),
    ("weave-report", &["weave-diagnostics"]),
    ("weave-format", &["weave-diagnostics", "weave-syntax"]),
    ("weave-analysis", &["weave-diagnostics", "weave-pattern", "weave-scalars", "weave-syntax"]),
    ("weave-lint", &["weave-analysis", "weave-diagnostics", "weave-diff", "weave-providers", "weave-scalars", "weave-syntax"]),
    (
        "weave-compiler",
        &[
            "weave-analysis",
            "weave-diagnostics",
            "weave-diff",
            "weave-ir",
            "weave-lint",
            "weave-pattern",
            "weave-providers",
            "weave-scenario",
            "weave-syntax",
        ],
    ),
    ("weave-fix", &["weave-compiler", "weave-diagnostics"]),
    ("weave-ide", &["weave-analysis", "weave-compiler", "weave-diagnostics", "weave-format", "weave-graph", "weave-lint", "weave-syntax"]),
    (
        "weave-testing",
        &["weave-compiler", "weave-diagnostics", "weave-format", "weave-ir", "weave-runner", "weave-scenario", "weave-syntax"],
    ),
    ("weave-lsp", &["weave-compiler", "weave-diagnostics", "weave-ide"]),
    (
        "weave-cli",
        &[
            "weave-codegen",
            "weave-compiler",
            "weave-diagnostics",
            "weave-diff",
            "weave-expr",
            "weave-fix",
            "weave-format",
            "weave-graph",
            "weave-host",
            "weave-ir",
            "weave-lsp",
            "weave-providers",
            "weave-replay",
            "weave-report",
            "weave-runner",
            "weave-sample",
            "weave-scalars",
            "weave-scenario",
            "weave-scroll",
            "weave-sqlite",
            "weave-testing",
            "weave-tools",
        ],
    ),
    ("weave-tests", EVERYTHING),
    (
        "xtask",
        &[
            "weave-analysis",
            "weave-cli",
            "weave-compiler",
            "weave-diagnostics",
            "weave-diff",
            "weave-graph",
            "weave-ide",
            "weave-ir",
            "weave-providers",
            "weave-replay",
            "weave-runner",
            "weave-scenario",
            "weave-syntax",
            "weave-testing",
        ],
    ),
];

/// Dependencies that only these crates may have.
const OWNED: &[(&str, &[&str])] = &[
    ("codespan-reporting", &["weave-diagnostics"]),
    ("lalrpop", &["weave-syntax"]),
    ("lalrpop-util", &["weave-syntax"]),
    ("logos", &["weave-syntax"]),
    ("clap", &["weave-cli"]),
    ("anstream", &["weave-cli"]),
    ("ignore", &["weave-cli"]),
    ("ctrlc", &["weave-cli"]),
    ("notify-debouncer-full", &["weave-cli"]),
    ("rusqlite", &["weave-sqlite"]),
    ("tempfile", &["weave-cli", "weave-sqlite", "weave-tests", "weave-tools", "xtask"]),
    ("tokio", &["weave-cli", "weave-host", "weave-lsp", "weave-tools"]),
    ("lsp-types", &["weave-lsp"]),
    ("ls-types", &["weave-lsp"]),
    ("tower", &["weave-lsp"]),
    ("tower-lsp-server", &["weave-lsp"]),
];

/// Crates that may touch files, the environment and standard streams.
const OPEN: &[&str] = &["weave-cli", "weave-lsp", "weave-sqlite", "weave-tests", "weave-tools", "xtask"];

/// Crates whose lints are their own, for a reason that stands in their manifests.
const OWN_LINTS: &[&str] = &["tree-sitter-weave", "weave-tests"];

fn metadata() -> Metadata {
    MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().expect("cargo describes the workspace")
}

fn folder(package: &Package) -> std::path::PathBuf {
    package.manifest_path.parent().expect("a manifest lies in a folder").into()
}

#[test]
fn crates_use_only_what_they_may() {
    let metadata = metadata();
    let arrows = ARROWS.iter().copied().collect::<BTreeMap<_, _>>();
    let members = metadata.packages.iter().map(|package| package.name.as_str()).collect::<BTreeSet<_>>();
    let unknown = members.iter().filter(|member| !arrows.contains_key(*member)).collect::<Vec<_>>();
    assert!(unknown.is_empty(), "new crates need their place in the table of arrows: {unknown:?}");
    for package in &metadata.packages {
        let name = package.name.as_str();
        let used = package.dependencies.iter().map(|dependency| dependency.name.as_str());
        let used = used.filter(|used| members.contains(used) && *used != name).collect::<BTreeSet<_>>();
        let allowed = arrows[name].iter().copied().collect::<BTreeSet<_>>();
        let forbidden = used.difference(&allowed).collect::<Vec<_>>();
        assert!(forbidden.is_empty(), "{name} must not use {forbidden:?}; the arrows are in ARCHITECTURE.md");
        // The tests may use everything; of all others the table says what is, and no more.
        let unused = allowed.difference(&used).collect::<Vec<_>>();
        assert!(name == "weave-tests" || unused.is_empty(), "{name} does not use {unused:?}; take the arrows out of the table");
    }
}

#[test]
fn the_arrows_have_no_cycle() {
    let arrows = ARROWS.iter().copied().collect::<BTreeMap<_, _>>();
    let mut done = BTreeSet::new();
    while done.len() < arrows.len() {
        let next = arrows.iter().find(|(name, uses)| !done.contains(*name) && uses.iter().all(|used| done.contains(used)));
        let (name, _) = next.expect("the arrows have a cycle");
        done.insert(*name);
    }
}

#[test]
fn dependencies_stay_with_their_owners() {
    for package in &metadata().packages {
        for dependency in &package.dependencies {
            if let Some((name, owners)) = OWNED.iter().find(|(name, _)| *name == dependency.name) {
                assert!(owners.contains(&package.name.as_str()), "{} must not depend on {name}: only {owners:?} may", package.name);
            }
        }
    }
}

#[test]
fn one_module_knows_how_diagnostics_are_drawn() {
    let sources = files_below(&root().join("crates/weave-diagnostics/src"), "rs");
    let knowing = sources.iter().filter(|path| read(path).contains("codespan_reporting::"));
    let names = knowing.map(|path| weave_tests::suite::file_name(path)).collect::<Vec<_>>();
    assert_eq!(names, ["render.rs"]);
}

#[test]
fn pure_crates_stand_behind_one_fence() {
    let shared = read(&root().join("clippy.toml"));
    let fence = read(&root().join("crates/weave-diagnostics/clippy.toml"));
    for line in shared.lines() {
        assert!(fence.contains(line), "a crate's clippy.toml stands in the place of the root's, so it must repeat `{line}`");
    }
    for package in &metadata().packages {
        let own = folder(package).join("clippy.toml");
        if package.name.as_str() == "weave-cli" {
            // It touches the world; how it prints is fenced all the same.
            let fence = read(&own);
            assert!(shared.lines().all(|line| fence.contains(line)) && fence.contains("std::io::stdout") && fence.contains("std::println"));
        } else if OPEN.contains(&package.name.as_str()) {
            assert!(!own.exists(), "{} is allowed to touch the world; it needs no fence", package.name);
        } else {
            assert_eq!(read(&own), fence, "the fence of {} must be the same as that of weave-diagnostics", package.name);
        }
    }
}

#[test]
fn all_crates_keep_the_shared_lints() {
    for package in &metadata().packages {
        let manifest = read(package.manifest_path.as_std_path());
        let shared = manifest.contains("[lints]\nworkspace = true");
        assert!(shared || OWN_LINTS.contains(&package.name.as_str()), "{} does not inherit the lints of the workspace", package.name);
    }
}

/// The names in the table of shared dependencies.
fn shared_dependencies() -> Vec<String> {
    let manifest = read(&root().join("Cargo.toml"));
    let table = manifest.split("[workspace.dependencies]\n").nth(1).expect("there is a table of shared dependencies");
    let lines = table.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name.to_owned());
    names.filter(|name| !name.starts_with("weave-") && !name.starts_with('#')).collect()
}

#[test]
fn every_dependency_has_its_reason() {
    let decisions = read(&root().join("docs/decisions.md"));
    // Names stand between `**`; one may give the reason of several.
    let reasons = decisions
        .lines()
        .flat_map(|line| line.split("**").skip(1).step_by(2))
        .flat_map(|names| names.split([',', ' ', '`']))
        .collect::<BTreeSet<_>>();
    let metadata = metadata();
    for name in shared_dependencies() {
        let has_reason = name == "tree-sitter-weave" || reasons.contains(name.as_str());
        assert!(has_reason, "docs/decisions.md does not say why `{name}` is there: it needs `**{name}**`");
        let used = metadata
            .packages
            .iter()
            .any(|package| package.dependencies.iter().any(|dependency| dependency.rename.as_ref().unwrap_or(&dependency.name) == &name));
        assert!(used, "no crate uses `{name}`");
    }
}
