//! The Debian package, for the platforms of Debian, where `dpkg-deb` is installed.

use std::path::PathBuf;
use std::process::Command;

use super::archive::extras;
use super::binary::{make_executable, output};
use super::template::render;
use super::{PACKAGE, Release, VERSION, failed, read, write as write_file};

/// Writes the package; nothing for other systems.
pub(super) fn write(release: &Release<'_>) -> Result<Vec<PathBuf>, String> {
    let Some(architecture) = release.platform.deb else { return Ok(Vec::new()) };
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        eprintln!("no Debian package: `dpkg-deb` is not installed");
        return Ok(Vec::new());
    }
    let folder = tempfile::tempdir().map_err(|error| format!("cannot create a temporary folder: {error}"))?;
    let tree = folder.path().join("tree");
    let program = tree.join("usr/bin/weave");
    let binary = read(&release.binary)?;
    let kilobytes = binary.len().div_ceil(1024);
    write_file(&program, binary)?;
    make_executable(&program)?;
    for (source, path) in [
        ("completions/weave.bash", "usr/share/bash-completion/completions/weave"),
        ("completions/_weave", "usr/share/zsh/vendor-completions/_weave"),
        ("completions/weave.fish", "usr/share/fish/vendor_completions.d/weave.fish"),
        ("man/weave.1", "usr/share/man/man1/weave.1"),
    ] {
        if let Some((_, text)) = extras(release)?.into_iter().find(|(name, _)| *name == source) {
            write_file(&tree.join(path), text)?;
        }
    }
    let copyright = [read(&release.root.join("LICENSE-MIT"))?, b"\n".to_vec(), read(&release.root.join("LICENSE-APACHE"))?].concat();
    write_file(&tree.join(format!("usr/share/doc/{PACKAGE}/copyright")), copyright)?;
    write_file(&tree.join("DEBIAN/control"), render("control", minijinja::context! { architecture, kilobytes })?)?;
    let path = release.out.join(format!("{PACKAGE}_{VERSION}_{architecture}.deb"));
    let mut command = Command::new("dpkg-deb");
    // The times of all files are the one of this variable, so that the same binary gives the same package.
    command.env("SOURCE_DATE_EPOCH", "0").args(["--root-owner-group", "-Zgzip", "--build"]).arg(&tree).arg(&path);
    set_times(&tree)?;
    output(release.root, &mut command)?;
    Ok(vec![path])
}

/// Gives all files and folders below a folder the time 0: `dpkg-deb` lowers times that are later than its clock, and keeps the others.
fn set_times(folder: &std::path::Path) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|error| failed(folder, &error))?;
    for entry in entries.flatten() {
        if entry.path().is_dir() {
            set_times(&entry.path())?;
        }
        let file = std::fs::File::open(entry.path()).map_err(|error| failed(&entry.path(), &error))?;
        file.set_modified(std::time::UNIX_EPOCH).map_err(|error| failed(&entry.path(), &error))?;
    }
    Ok(())
}
