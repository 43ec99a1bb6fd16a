//! What belongs to a file beside its text: mode, owner, extended attributes, other names.

use std::fmt;
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

use crate::failure::reason;

/// What would be lost if another file took the place of this one.
#[derive(Debug)]
pub(crate) enum Loss {
    /// The file has so many names (hard links), and only one would get the new text.
    Names(u64),
    /// This user may not give a file to the owner or the group of this one.
    Owner,
    /// An extended attribute that cannot be copied.
    Attribute(String),
    /// The system says why.
    System(io::Error),
}

impl From<io::Error> for Loss {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Names(count) => write!(f, "it has {count} names (hard links), and only this one would get the new text"),
            Self::Owner => f.write_str("its owner and group cannot be kept"),
            Self::Attribute(name) => write!(f, "its extended attribute `{name}` cannot be kept"),
            Self::System(error) => f.write_str(&reason(error)),
        }
    }
}

impl Loss {
    /// What to do about it.
    pub(crate) const fn help(&self) -> &'static str {
        match self {
            Self::Names(_) => "`--diff` shows what would change; or make the file a copy of its own",
            Self::Owner | Self::Attribute(_) => "`--diff` shows what would change; or run the command as the owner of the file",
            Self::System(_) => "`--diff` shows what would change",
        }
    }
}

/// Gives a file all that belongs to another one beside its text.
pub(super) fn carry_over(from: &Path, metadata: &Metadata, to: &File) -> Result<(), Loss> {
    owner(metadata, to)?;
    extended(from, to)?;
    // Last: a change of the owner takes bits of the mode away.
    to.set_permissions(metadata.permissions())?;
    Ok(())
}

#[cfg(unix)]
fn owner(metadata: &Metadata, to: &File) -> Result<(), Loss> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    if metadata.nlink() > 1 {
        return Err(Loss::Names(metadata.nlink()));
    }
    let fresh = to.metadata()?;
    if (fresh.uid(), fresh.gid()) == (metadata.uid(), metadata.gid()) {
        return Ok(());
    }
    fchown(to, Some(metadata.uid()), Some(metadata.gid())).map_err(|_| Loss::Owner)
}

#[cfg(not(unix))]
fn owner(_: &Metadata, _: &File) -> Result<(), Loss> {
    Ok(())
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn extended(from: &Path, to: &File) -> Result<(), Loss> {
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};

    /// The system allows no more.
    const LONGEST: usize = 64 << 10;

    let source = File::open(from)?;
    let mut names = vec![0_u8; LONGEST];
    // A file system without attributes has none to lose.
    let Ok(length) = flistxattr(&source, names.as_mut_slice()) else { return Ok(()) };
    names.truncate(length);
    let (mut value, mut fresh) = (vec![0_u8; LONGEST], vec![0_u8; LONGEST]);
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let lost = || Loss::Attribute(String::from_utf8_lossy(name).into_owned());
        let length = fgetxattr(&source, name, value.as_mut_slice()).map_err(|_| lost())?;
        let value = value.get(..length).unwrap_or_default();
        let has = fgetxattr(to, name, fresh.as_mut_slice()).ok().and_then(|length| fresh.get(..length));
        if has != Some(value) {
            fsetxattr(to, name, value, XattrFlags::empty()).map_err(|_| lost())?;
        }
    }
    Ok(())
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn extended(_: &Path, _: &File) -> Result<(), Loss> {
    Ok(())
}
