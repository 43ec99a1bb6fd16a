//! The binary that goes into all packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::platform::Platform;
use super::{failed, read};

/// The target of this machine, as `rustc` names it.
pub(super) fn host(root: &Path) -> Result<String, String> {
    let text = output(root, Command::new("rustc").arg("-vV"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).ok_or_else(|| "`rustc -vV` names no host".to_owned())
}

/// Builds the binary with the profile `dist`; with `cross`, for a target that is named.
pub(super) fn build(root: &Path, platform: &Platform, cross: bool) -> Result<PathBuf, String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--locked", "--profile", "dist", "--package", "weave-cli"]);
    if cross {
        command.args(["--target", platform.target]);
    }
    if let Ok(commit) = commit(root) {
        command.env("WEAVE_COMMIT", commit);
    }
    let status = command.current_dir(root).status().map_err(|error| format!("`cargo` cannot be started: {error}"))?;
    if !status.success() {
        return Err(format!("`cargo build --profile dist` ended with {status}"));
    }
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let folder = if cross { folder.join(platform.target) } else { folder };
    Ok(folder.join("dist").join(platform.program()))
}

/// The commit that is checked out, shortened, and its date; an error where Git does not know.
fn commit(root: &Path) -> Result<String, String> {
    let text = output(root, Command::new("git").args(["log", "-1", "--format=%h %cs"]))?;
    Ok(text.trim().to_owned())
}

/// A copy of the binary without symbols. Binaries of other systems are copied as they are: the profile has stripped them.
pub(super) fn stripped(binary: &Path, platform: &Platform, folder: &Path) -> Result<PathBuf, String> {
    let copy = folder.join(platform.program());
    std::fs::write(&copy, read(binary)?).map_err(|error| failed(&copy, &error))?;
    make_executable(&copy)?;
    if cfg!(target_os = "linux") && platform.target.contains("linux") {
        output(folder, Command::new("strip").arg(&copy))?;
    }
    Ok(copy)
}

/// Lets everybody start a file, on systems where that is a property of files.
pub(super) fn make_executable(path: &Path) -> Result<(), String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).map_err(|error| failed(path, &error))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// What a command prints on standard output.
pub(super) fn output(folder: &Path, command: &mut Command) -> Result<String, String> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let output = command.current_dir(folder).output().map_err(|error| format!("`{shown}` cannot be started: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("`{shown}` ended with {}:\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
    }
}
