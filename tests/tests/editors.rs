//! Real editors talk to the real server.

use weave_tests::root;
use weave_tests::tools::neovim;

use crate::suite::weave;

#[test]
fn neovim_attaches_shows_completes_renames_and_formats() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let script = root().join("editors/neovim/test/session.lua");
    let mut editor = neovim();
    editor.args(["--headless", "-u", "NONE", "-l"]).arg(script).arg(weave()).arg(folder.path());
    // Nothing of whoever runs the tests.
    for place in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        editor.env(place, folder.path().join(place));
    }
    let output = editor.output().expect("the editor can be started");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("attached, diagnosed, completed, renamed, formatted"), "{said}");
}
