//! The wheel for PyPI: the binary as a script, and a module for `python -m`.

use std::path::PathBuf;

use minijinja::Value;

use super::archive::{Entry, zip_in_order};
use super::platform::WheelTag;
use super::template::render;
use super::{PACKAGE, Release, VERSION, read, sha256_base64, write as write_file};

/// Writes the wheel.
pub(super) fn write(release: &Release<'_>) -> Result<Vec<PathBuf>, String> {
    let binary = read(&release.binary)?;
    let tag = match release.platform.wheel {
        WheelTag::Fixed(tag) => tag.to_owned(),
        WheelTag::Glibc(architecture) => format!("manylinux_2_{}_{architecture}", glibc_minor(&binary)?),
    };
    let module = PACKAGE.replace('-', "_");
    let (info, data) = (format!("{module}-{VERSION}.dist-info"), format!("{module}-{VERSION}.data"));
    let readme = String::from_utf8_lossy(&read(&release.root.join("README.md"))?).into_owned();
    let mut entries = vec![
        Entry::text(format!("{module}/__init__.py"), render("__init__.py", Value::UNDEFINED)?),
        Entry::text(format!("{module}/__main__.py"), render("__main__.py", Value::UNDEFINED)?),
        Entry::program(format!("{data}/scripts/{}", release.platform.program()), binary),
        Entry::text(format!("{info}/METADATA"), render("METADATA", minijinja::context! { readme })?),
        Entry::text(format!("{info}/WHEEL"), render("WHEEL", minijinja::context! { tag => tag.clone() })?),
    ];
    for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
        entries.push(Entry::text(format!("{info}/licenses/{file}"), read(&release.root.join(file))?));
    }
    let record = format!("{info}/RECORD");
    let mut lines: String =
        entries.iter().map(|entry| format!("{},sha256={},{}\n", entry.path, sha256_base64(&entry.bytes), entry.bytes.len())).collect();
    lines.push_str(&format!("{record},,\n"));
    entries.push(Entry::text(record, lines));
    let path = release.out.join(format!("{module}-{VERSION}-py3-none-{tag}.whl"));
    write_file(&path, zip_in_order(&entries)?)?;
    Ok(vec![path])
}

/// The newest minor version of glibc 2 whose symbols a binary asks for: what `GLIBC_2.17` among its strings says.
fn glibc_minor(binary: &[u8]) -> Result<u32, String> {
    const MARK: &[u8] = b"GLIBC_2.";
    let found = binary.windows(MARK.len() + 3).filter_map(|window| {
        let digits = window.strip_prefix(MARK)?;
        let text: String = digits.iter().take_while(|byte| byte.is_ascii_digit()).map(|&byte| char::from(byte)).collect();
        text.parse().ok()
    });
    found.max().ok_or_else(|| "the binary names no version of glibc".to_owned())
}
