//! Files and folders around the store.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use weave_scroll::StoreError;

/// The file that belongs to a store and has this ending.
pub(crate) fn beside(store: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(store.as_os_str());
    name.push(ending);
    PathBuf::from(name)
}

/// The folder of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// Makes the names in a file's folder durable. Not every system can do that, or needs it.
pub(crate) fn sync_folder(path: &Path) -> Result<(), StoreError> {
    if cfg!(unix) {
        let synced = File::open(folder(path)).and_then(|folder| folder.sync_all());
        synced.map_err(|error| StoreError::Stopped(format!("the folder of {} cannot be synced: {error}", path.display())))?;
    }
    Ok(())
}

/// An error of a file, with its name.
pub(crate) fn file_error(path: &Path, error: &io::Error) -> StoreError {
    let text = format!("{}: {error}", path.display());
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => StoreError::ReadOnly(text),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full(text),
        io::ErrorKind::NotFound => StoreError::Missing(path.display().to_string()),
        _ => StoreError::Io(text),
    }
}

/// Refuses folders on network file systems, as far as they can be told: SQLite's log needs memory that processes share.
#[cfg(target_os = "linux")]
pub(crate) fn refuse_network(path: &Path) -> Result<(), StoreError> {
    /// The numbers that the kernel gives file systems: NFS, SMB in three versions, 9P, AFS, Ceph, Lustre, NCP, Coda.
    const NETWORK: [u32; 10] =
        [0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x5346_414F, 0x00C3_6400, 0x0BD0_0BD0, 0x564C, 0x7375_7245];
    let Ok(found) = rustix::fs::statfs(folder(path)) else { return Ok(()) };
    // The type of the number differs between architectures; the numbers have 32 bits.
    let kind = u32::try_from(i128::from(found.f_type) & 0xFFFF_FFFF).unwrap_or(0);
    if NETWORK.contains(&kind) { Err(network(path)) } else { Ok(()) }
}

/// Refuses folders on network file systems, as far as they can be told.
#[cfg(not(target_os = "linux"))]
pub(crate) fn refuse_network(path: &Path) -> Result<(), StoreError> {
    let text = path.to_string_lossy();
    let shared = cfg!(windows) && (text.starts_with(r"\\") && !text.starts_with(r"\\?\") || text.starts_with(r"\\?\UNC\"));
    if shared { Err(network(path)) } else { Ok(()) }
}

fn network(path: &Path) -> StoreError {
    StoreError::Unsafe(format!("{} is on a network file system", path.display()))
}
