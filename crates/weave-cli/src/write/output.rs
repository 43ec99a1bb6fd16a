//! `-o FILE`: a report or a picture goes where the user says, unless that would destroy a source.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, reason};
use crate::input::display;
use crate::write::attributes::{Loss, carry_over};
use crate::write::temporary::{Go, put};

/// Longer chains of links are a circle.
const MOST_LINKS: usize = 40;

/// A place that a report or a picture may be written to.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    /// The path as it was given.
    path: PathBuf,
}

/// What a path leads to.
enum Target {
    /// Nothing is there yet; a link may say where.
    Nothing(PathBuf),
    /// A regular file.
    File(PathBuf),
    /// A device, a pipe or a stream of this process.
    Stream(PathBuf),
}

impl Output {
    /// Allows a file to be written, if it is none of the inputs and no source of another run.
    ///
    /// # Errors
    ///
    /// If it is one of these, or a folder.
    pub(crate) fn new<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Result<Self, Failure> {
        let help = "name another file with `-o`";
        let refused = |why: &str| Failure::new(format!("cannot write `{}`: {why}", display(path))).help(help);
        let target = target(path).map_err(|error| refused(&reason(&error)))?;
        let (Target::Nothing(place) | Target::File(place) | Target::Stream(place)) = &target;
        for path in [path, place] {
            if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("weave")) {
                return Err(refused("a file of this name is a source"));
            }
            if path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("weave.toml")) {
                return Err(refused("a file of this name is a configuration"));
            }
        }
        if let Target::File(place) = &target
            && inputs.into_iter().any(|input| is_same(input, place))
        {
            return Err(refused("the command reads this file"));
        }
        Ok(Self { path: path.to_owned() })
    }

    /// Opens the file to append to it, such as a log. It is made where it is not there.
    pub(crate) fn append(&self) -> Result<File, Failure> {
        let opened =
            target(&self.path).and_then(|(Target::Nothing(place) | Target::File(place) | Target::Stream(place))| open_to_append(&place));
        opened.map_err(|error| Failure::new(format!("cannot write `{}`: {}", display(&self.path), reason(&error))))
    }

    /// Writes the text.
    ///
    /// A regular file is replaced as a whole, and keeps its mode and owner; if these cannot be kept, or if it has several names, its content is
    /// overwritten. A device, a pipe or a stream is opened and written to.
    pub(crate) fn write(&self, text: &str) -> Result<(), Failure> {
        let written = match target(&self.path) {
            Ok(Target::Nothing(place)) => anew(&place, text),
            Ok(Target::File(place)) => over(&place, text),
            Ok(Target::Stream(place)) => into_stream(&place, text),
            Err(error) => Err(error),
        };
        written.map_err(|error| Failure::new(format!("cannot write `{}`: {}", display(&self.path), reason(&error))))
    }
}

/// Opens a file to append to. A pipe that nobody reads is not waited for.
fn open_to_append(place: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.open(place)
}

/// Follows the links of a path.
fn target(path: &Path) -> io::Result<Target> {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        if is_stream(&place) {
            return Ok(Target::Stream(place));
        }
        let metadata = match place.symlink_metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Target::Nothing(place)),
            Err(error) => return Err(error),
        };
        if !metadata.is_symlink() {
            return match () {
                () if metadata.is_file() => Ok(Target::File(place)),
                () if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
                () => Ok(Target::Stream(place)),
            };
        }
        let to = std::fs::read_link(&place)?;
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        place = std::fs::canonicalize(folder)?.join(to);
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// Whether a path names an open file of a process, which is not to be replaced by another.
fn is_stream(path: &Path) -> bool {
    cfg!(unix)
        && (["/dev/stdin", "/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name))
            || path.starts_with("/dev/fd")
            || path.starts_with("/proc"))
}

fn anew(place: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = place.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    put(place, text, |_| Ok(Go::On))
}

fn over(place: &Path, text: &str) -> io::Result<()> {
    let metadata = place.metadata()?;
    if metadata.permissions().readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    if metadata.len() == text.len() as u64 && std::fs::read(place)? == text.as_bytes() {
        return Ok(());
    }
    match put(place, text, |file| carry_over(place, &metadata, file).map(|()| Go::On)) {
        Ok(()) => Ok(()),
        Err(Loss::System(error)) if error.kind() != io::ErrorKind::PermissionDenied => Err(error),
        // The file can be written, but not replaced: such as one with another name, or in a folder that belongs to others.
        Err(_) => {
            let mut file = OpenOptions::new().write(true).truncate(true).open(place)?;
            file.write_all(text.as_bytes())?;
            file.sync_data()
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a file that the user names may be one of these")]
fn into_stream(place: &Path, text: &str) -> io::Result<()> {
    let written = match place.to_str() {
        Some("/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => into(&mut io::stdout().lock(), text),
        Some("/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2") => into(&mut io::stderr().lock(), text),
        // What is there stays: a stream of another process may be a file.
        _ => OpenOptions::new().append(true).open(place).and_then(|mut file| into(&mut file, text)),
    };
    match written {
        // A reader that has seen enough is no failure.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

fn into(stream: &mut dyn io::Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// Whether two paths lead to one file, by whatever names.
fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let id = |path: &Path| path.metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()));
        id(one).is_some_and(|one| Some(one) == id(other))
    }
    #[cfg(not(unix))]
    {
        std::fs::canonicalize(one).ok().is_some_and(|one| Some(one) == std::fs::canonicalize(other).ok())
    }
}
