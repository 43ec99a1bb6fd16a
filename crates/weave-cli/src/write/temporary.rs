//! Temporary files: how a text takes its place, and what a killed run leaves.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// How the names of temporary files begin and end. `weave init` writes them into `.gitignore`.
const PREFIX: &str = ".weave-";
const SUFFIX: &str = ".tmp";

/// How often a temporary file is made again that another run took for abandoned, between its creation and its lock.
const ATTEMPTS: usize = 3;

/// Whether a temporary file shall take the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Go {
    On,
    /// There is nothing to do any more.
    Stop,
}

/// Puts a text at a path, whatever is there. `ready` sees the temporary file directly before it takes the name.
pub(super) fn put<E: From<io::Error>>(path: &Path, text: &str, ready: impl Fn(&File) -> Result<Go, E>) -> Result<(), E> {
    for attempt in 1.. {
        let file = beside(path, text)?;
        if ready(file.as_file())? == Go::Stop {
            return Ok(());
        }
        match file.persist(path) {
            Ok(_) => break,
            Err(error) if error.error.kind() == io::ErrorKind::NotFound && attempt < ATTEMPTS => {}
            Err(error) => return Err(error.error.into()),
        }
    }
    Ok(())
}

/// Puts a text where nothing is; the answer is whether it did.
pub(super) fn create(path: &Path, text: &str) -> io::Result<bool> {
    match beside(path, text)?.persist_noclobber(path) {
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
        Ok(_) => Ok(true),
    }
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file with this text beside the one that it is to become. Its bytes are on the disk, and it is locked while this process lives.
fn beside(path: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Temporary files are for one user by default; these get the mode of any new file.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder_of(path))?;
    lock(file.as_file());
    file.write_all(text.as_bytes())?;
    file.as_file().sync_data()?;
    Ok(file)
}

/// Locks a file that nobody else knows yet. Where a file system has no locks, abandoned files stay.
#[cfg(unix)]
fn lock(file: &File) {
    let _ = rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive);
}

#[cfg(not(unix))]
fn lock(_: &File) {}

/// Whether the process that made a temporary file is gone.
#[cfg(unix)]
fn is_abandoned(path: &Path) -> bool {
    let file = File::open(path);
    file.is_ok_and(|file| rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_ok())
}

#[cfg(not(unix))]
fn is_abandoned(path: &Path) -> bool {
    const LONG: std::time::Duration = std::time::Duration::from_secs(24 * 60 * 60);
    let age = path.metadata().and_then(|metadata| metadata.modified()).ok().and_then(|written| written.elapsed().ok());
    age.is_some_and(|age| age > LONG)
}

/// Removes the temporary files that killed runs left in a folder.
pub(super) fn remove_abandoned(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) && is_abandoned(&entry.path()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Removes what killed runs left beside these files.
pub(crate) fn remove_abandoned_beside<'a>(paths: impl Iterator<Item = &'a Path>) {
    let folders: BTreeSet<PathBuf> = paths.map(|path| folder_of(path).to_owned()).collect();
    folders.iter().for_each(|folder| remove_abandoned(folder));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn only_files_of_dead_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a.json");
        let living = beside(&place, "x").unwrap();
        let dead = folder.path().join(".weave-dead.tmp");
        let others = [folder.path().join(".weave-go.json"), folder.path().join("x.tmp")];
        std::fs::write(&dead, "").unwrap();
        others.iter().for_each(|path| std::fs::write(path, "").unwrap());
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join(".weave-link.tmp")).unwrap();
        remove_abandoned(folder.path());
        assert!(living.path().exists() && !dead.exists() && others.iter().all(|path| path.exists()));
        assert!(folder.path().join(".weave-link.tmp").symlink_metadata().is_ok());
        drop(living);
    }

    #[test]
    fn a_text_stays_where_it_was_if_there_is_nothing_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        put(&path, "1", |_| Ok::<_, io::Error>(Go::On)).unwrap();
        put(&path, "2", |_| Ok::<_, io::Error>(Go::Stop)).unwrap();
        let error = put(&path, "3", |_| Err::<Go, _>(io::Error::from(io::ErrorKind::AddrInUse))).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AddrInUse);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(!create(&path, "4").unwrap() && create(&folder.path().join("b"), "4").unwrap());
    }
}
