//! Real editors talk to the real server, and an independent client of the protocol does.

use std::path::Path;
use std::process::Command;

use weave_tests::root;
use weave_tests::tools::{neovim, python_with_pytest_lsp};

use crate::suite::weave;

/// Runs a command, which must be well, and returns what it said.
fn said(mut command: Command) -> String {
    let output = command.output().expect("the command can be started");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{said}");
    said
}

/// Builds the parser as the README of Neovim says.
fn build_parser(library: &Path) {
    let source = root().join("grammar/tree-sitter-weave/src");
    std::fs::create_dir_all(library.parent().expect("it lies in a folder")).expect("there is room for a folder");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-I", ".", "parser.c", "scanner.c", "-o"]).arg(library).current_dir(source);
    said(compiler);
}

#[test]
fn neovim_highlights_attaches_shows_completes_renames_and_formats() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    build_parser(&folder.path().join("runtime/parser/weave.so"));
    let script = root().join("editors/neovim/test/session.lua");
    let mut editor = neovim();
    editor.args(["--headless", "-u", "NONE", "-l"]).arg(script).arg(weave()).arg(folder.path());
    // Nothing of whoever runs the tests.
    for place in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        editor.env(place, folder.path().join(place));
    }
    let said = said(editor);
    assert!(said.contains("highlighted, attached, diagnosed, completed, renamed, formatted, healthy"), "{said}");
}

#[test]
fn a_client_in_python_has_a_whole_session() {
    let cache = tempfile::tempdir().expect("there is room for a folder");
    let mut python = Command::new(python_with_pytest_lsp());
    python.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "asyncio_default_fixture_loop_scope=function"]);
    python.arg(root().join("tests/session")).env("WEAVE", weave()).env("WEAVE_ROOT", root()).env("PYTHONDONTWRITEBYTECODE", "1");
    // Nothing of whoever runs the tests.
    python.env("XDG_CACHE_HOME", cache.path());
    let said = said(python);
    assert!(said.contains("11 passed"), "{said}");
}

/// Emacs is in no index of packages that the tests use: who has it runs this, and others are told so.
#[test]
fn emacs_compiles_colours_and_indents() {
    let folder = root().join("editors/emacs");
    let mut emacs = Command::new("emacs");
    if emacs.arg("--version").output().is_err() {
        println!("Emacs is not installed: its mode was not tried");
        return;
    }
    let mut emacs = Command::new("emacs");
    emacs.args(["-q", "--batch", "-L"]).arg(&folder).arg("-l").arg(folder.join("test/weave-mode-test.el"));
    emacs.args(["-f", "ert-run-tests-batch-and-exit"]).env("WEAVE", weave()).env("WEAVE_ROOT", root());
    let said = said(emacs);
    assert!(said.contains("0 unexpected"), "{said}");
}
