//! What describes the archives of all platforms: checksums, install scripts, the Homebrew formula and the winget manifests.

use std::collections::BTreeMap;
use std::path::Path;

use super::platform::PLATFORMS;
use super::template::render;
use super::{HOME, PACKAGE, VERSION, failed, installer, read, sha256, write as write_file};
use crate::Outcome;

/// Writes them into the folder that has the archives of all platforms.
pub(super) fn write(folder: &Path) -> Outcome {
    let mut sums = BTreeMap::new();
    for platform in PLATFORMS {
        let archive = platform.archive(VERSION);
        let bytes = read(&folder.join(&archive)).map_err(|problem| format!("{problem}\nthe index needs the archives of all platforms"))?;
        sums.insert(platform.target, sha256(&bytes));
    }
    let url = format!("{HOME}/releases/download/v{VERSION}");
    let archives: BTreeMap<&str, String> = PLATFORMS.iter().map(|platform| (platform.target, platform.archive(VERSION))).collect();
    let context = minijinja::context! { sums, archives, url };
    installer::write(folder)?;
    write_file(&folder.join("homebrew/weave-lang.rb"), render("formula.rb", context.clone())?)?;
    for (kind, suffix) in [("version", ""), ("installer", ".installer"), ("locale", ".locale.en-US")] {
        let path = folder.join(format!("winget/{}{suffix}.yaml", winget_id()));
        write_file(&path, render(&format!("winget.{kind}.yaml"), context.clone())?)?;
    }
    all_sums(folder)
}

/// The identifier of the winget package, which names its publisher too.
pub(super) fn winget_id() -> String {
    format!("{PACKAGE}.weave")
}

/// `SHA256SUMS`, of all files that are downloaded one by one.
fn all_sums(folder: &Path) -> Outcome {
    let entries = std::fs::read_dir(folder).map_err(|error| failed(folder, &error))?;
    let mut lines = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_listed = path.is_file() && name != "SHA256SUMS" && !name.ends_with(".sha256");
        if is_listed {
            lines.push(format!("{}  {name}\n", sha256(&read(&path)?)));
        }
    }
    lines.sort_by(|a, b| a.split("  ").nth(1).cmp(&b.split("  ").nth(1)));
    write_file(&folder.join("SHA256SUMS"), lines.concat())
}
