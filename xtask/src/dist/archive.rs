//! The archive: the binary, the licences, shell completions and the manual page.

use std::io::{Cursor, Write as _};
use std::path::PathBuf;
use std::process::Command;

use flate2::{Compression, GzBuilder};
use zip::write::SimpleFileOptions;

use super::binary::output;
use super::{Release, VERSION, read, sha256, write as write_file};

/// A file of an archive.
pub(super) struct Entry {
    /// Its path, with `/`.
    pub path: String,
    pub bytes: Vec<u8>,
    pub is_program: bool,
}

impl Entry {
    /// A file that is read.
    pub(super) fn text(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), bytes: bytes.into(), is_program: false }
    }

    /// A file that is started.
    pub(super) fn program(path: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { path: path.into(), bytes, is_program: true }
    }

    fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// Writes the archive, and its checksum next to it in the form of `sha256sum`.
pub(super) fn write(release: &Release<'_>) -> Result<Vec<PathBuf>, String> {
    let name = release.platform.archive(VERSION);
    let folder = name.trim_end_matches(".tar.gz").trim_end_matches(".zip").to_owned();
    let mut entries = vec![Entry::program(format!("{folder}/{}", release.platform.program()), read(&release.binary)?)];
    for file in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        entries.push(Entry::text(format!("{folder}/{file}"), read(&release.root.join(file))?));
    }
    entries.extend(extras(release)?.into_iter().map(|(path, bytes)| Entry::text(format!("{folder}/{path}"), bytes)));
    let bytes = if release.platform.is_windows() { zip(entries)? } else { tar_gz(entries)? };
    let path = release.out.join(&name);
    let sum = release.out.join(format!("{name}.sha256"));
    write_file(&sum, format!("{}  {name}\n", sha256(&bytes)))?;
    write_file(&path, bytes)?;
    Ok(vec![path, sum])
}

/// The completions and the manual page, which the binary itself prints; none for a binary that cannot be started here.
pub(super) fn extras(release: &Release<'_>) -> Result<Vec<(&'static str, String)>, String> {
    if !release.platform.target.contains(std::env::consts::ARCH) || !release.platform.target.contains(system()) {
        return Ok(Vec::new());
    }
    let print = |words: &[&str]| output(release.root, Command::new(&release.binary).args(words));
    Ok(vec![
        ("completions/weave.bash", print(&["completions", "bash"])?),
        ("completions/_weave", print(&["completions", "zsh"])?),
        ("completions/weave.fish", print(&["completions", "fish"])?),
        ("completions/weave.ps1", print(&["completions", "powershell"])?),
        ("man/weave.1", print(&["man"])?),
    ])
}

fn system() -> &'static str {
    if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS }
}

/// A compressed tar archive.
pub(super) fn tar_gz(mut entries: Vec<Entry>) -> Result<Vec<u8>, String> {
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let attempt = || -> std::io::Result<Vec<u8>> {
        let mut builder = tar::Builder::new(GzBuilder::new().mtime(0).write(Vec::new(), Compression::best()));
        for entry in &entries {
            let mut header = tar::Header::new_gnu();
            header.set_size(entry.bytes.len() as u64);
            header.set_mode(entry.mode());
            header.set_mtime(0);
            header.set_uid(0);
            header.set_gid(0);
            builder.append_data(&mut header, &entry.path, entry.bytes.as_slice())?;
        }
        builder.into_inner()?.finish()
    };
    attempt().map_err(|error| format!("cannot write the archive: {error}"))
}

/// A zip archive.
pub(super) fn zip(mut entries: Vec<Entry>) -> Result<Vec<u8>, String> {
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    zip_in_order(&entries)
}

/// A zip archive whose files are in the given order, as wheels want it: their list of files last.
pub(super) fn zip_in_order(entries: &[Entry]) -> Result<Vec<u8>, String> {
    let attempt = || -> zip::result::ZipResult<Vec<u8>> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for entry in entries {
            // Without a time of its own, each file has the first one that the format knows.
            let options = SimpleFileOptions::default().unix_permissions(entry.mode()).last_modified_time(zip::DateTime::default());
            writer.start_file(entry.path.as_str(), options)?;
            writer.write_all(&entry.bytes)?;
        }
        Ok(writer.finish()?.into_inner())
    };
    attempt().map_err(|error| format!("cannot write the archive: {error}"))
}
