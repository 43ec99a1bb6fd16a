//! `cargo xtask dist`: the packages of a release.
//!
//! One binary goes into all packages of a platform, byte for byte, so that one checksum describes it. Each platform makes its own packages; what describes
//! all platforms (checksums, the Homebrew formula, the winget manifests) is made once from the folder that has the archives of all of them.
//! Archives have no times, no owners and sorted entries: the same binary gives the same bytes.

mod archive;
mod binary;
mod deb;
mod index;
mod installer;
mod npm;
mod platform;
mod sbom;
mod template;
mod vsix;
mod wheel;

use std::path::{Path, PathBuf};

use crate::Outcome;
use platform::Platform;

/// The name of the packages. The registries have other packages called `weave`; the command is `weave` everywhere.
const PACKAGE: &str = "weave-lang";

/// Where the project lives: the only place that has the address. Tests hold manifests and documents to it.
const HOME: &str = env!("CARGO_PKG_REPOSITORY");

/// The version of the release.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What `cargo xtask dist` packs.
#[derive(Debug, Default)]
struct Options {
    /// A binary that is already built; without one, the binary is built with the profile `dist`.
    binary: Option<PathBuf>,
    /// The platform of the binary, as a target of Rust; without one, this machine's.
    target: Option<String>,
    /// Where the packages go; without one, `target/dist`.
    out: Option<PathBuf>,
}

/// Everything that a package needs to know.
struct Release<'a> {
    root: &'a Path,
    platform: &'static Platform,
    /// The binary as it is shipped: without symbols.
    binary: PathBuf,
    out: PathBuf,
}

/// Writes one kind of packages, and names them.
type Step = fn(&Release<'_>) -> Result<Vec<PathBuf>, String>;

/// Runs `cargo xtask dist` with the arguments that follow it.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Outcome {
    if let ["--index", folder] = arguments {
        return index::write(Path::new(folder));
    }
    let options = options(arguments)?;
    let platform = match &options.target {
        Some(target) => platform::find(target)?,
        None => platform::find(&binary::host(root)?)?,
    };
    let out = options.out.unwrap_or_else(|| root.join("target/dist"));
    std::fs::create_dir_all(&out).map_err(|error| failed(&out, &error))?;
    let built = match options.binary {
        Some(binary) => binary,
        None => binary::build(root, platform, options.target.is_some())?,
    };
    let folder = tempfile::tempdir().map_err(|error| format!("cannot create a temporary folder: {error}"))?;
    let stripped = binary::stripped(&built, platform, folder.path())?;
    let release = Release { root, platform, binary: stripped, out };
    let steps: [(&str, Step); 6] = [
        ("archive", archive::write),
        ("wheel", wheel::write),
        ("npm packages", npm::write),
        ("Debian package", deb::write),
        ("VS Code extension", vsix::write),
        ("bill of materials", sbom::write),
    ];
    for (name, step) in steps {
        for path in step(&release).map_err(|problem| format!("{name}: {problem}"))? {
            println!("{:>11}  {}", size(&path)?, path.display());
        }
    }
    Ok(())
}

fn options(arguments: &[&str]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(name) = rest.next() {
        let value = rest.next().ok_or_else(|| format!("`{name}` needs a value"))?;
        match *name {
            "--binary" => options.binary = Some(PathBuf::from(value)),
            "--target" => options.target = Some((*value).to_owned()),
            "--out" => options.out = Some(PathBuf::from(value)),
            _ => return Err(format!("`{name}` is not an option of `cargo xtask dist`")),
        }
    }
    Ok(options)
}

/// The size of a file in megabytes, for people.
#[allow(clippy::cast_precision_loss, reason = "sizes are shown with one decimal")]
fn size(path: &Path) -> Result<String, String> {
    let bytes = std::fs::metadata(path).map_err(|error| failed(path, &error))?.len();
    Ok(format!("{:.2} MB", bytes as f64 / 1e6))
}

/// The message for a file that cannot be read or written.
fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| failed(path, &error))
}

fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Outcome {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    }
    std::fs::write(path, bytes).map_err(|error| failed(path, &error))
}

/// The SHA-256 of some bytes, in hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 of some bytes as wheels write it.
fn sha256_base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    use sha2::Digest as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(sha2::Sha256::digest(bytes))
}
