//! The extension for VS Code with the binary inside.

use std::path::PathBuf;
use std::process::Command;

use super::binary::{make_executable, output};
use super::{Release, VERSION, failed, read, write as write_file};

/// Writes the extension of the platform, and the one without a binary for all others. Where its packages are not installed, it is left out and that is said.
pub(super) fn write(release: &Release<'_>) -> Result<Vec<PathBuf>, String> {
    let folder = match std::env::var_os("WEAVE_EXTENSION") {
        Some(folder) => PathBuf::from(folder),
        None => release.root.join("editors/vscode"),
    };
    if !folder.join("node_modules/.package-lock.json").exists() {
        eprintln!("no VS Code extension: run `npm ci --ignore-scripts` in {} first", folder.display());
        return Ok(Vec::new());
    }
    let out = release.out.canonicalize().map_err(|error| failed(&release.out, &error))?;
    let bundled = folder.join("bundled");
    let program = bundled.join(release.platform.program());
    let platform = release.platform.vscode;
    let package = |name: String, more: &[&str]| {
        let path = out.join(name);
        let npx = if cfg!(windows) { "npx.cmd" } else { "npx" };
        let mut command = Command::new(npx);
        command.args(["--no-install", "vsce", "package", "--no-dependencies", "--out"]).arg(&path).args(more);
        output(&folder, &mut command).map(|_| path)
    };
    let universal = package(format!("weave-{VERSION}.vsix"), &[])?;
    write_file(&program, read(&release.binary)?)?;
    make_executable(&program)?;
    let specific = package(format!("weave-{VERSION}-{platform}.vsix"), &["--target", platform]);
    std::fs::remove_dir_all(&bundled).map_err(|error| failed(&bundled, &error))?;
    Ok(vec![universal, specific?])
}
