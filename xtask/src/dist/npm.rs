//! The npm packages: one with the binary for each platform, and the main package that picks one.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value, json};

use super::binary::{make_executable, output};
use super::platform::{PLATFORMS, Platform};
use super::template::render;
use super::{HOME, PACKAGE, Release, VERSION, failed, read, write as write_file};

/// Writes the package of the platform, and the main package, which is the same everywhere.
pub(super) fn write(release: &Release<'_>) -> Result<Vec<PathBuf>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("cannot create a temporary folder: {error}"))?;
    let [main, platform] = ["main", "platform"].map(|name| folder.path().join(name));
    stage_platform(release, &platform)?;
    stage_main(release, &main)?;
    [platform, main].iter().map(|folder| pack(folder, &release.out)).collect()
}

fn stage_platform(release: &Release<'_>, folder: &Path) -> Result<(), String> {
    let program = folder.join("bin").join(release.platform.program());
    write_file(&program, read(&release.binary)?)?;
    make_executable(&program)?;
    write_file(&folder.join("package.json"), pretty(&platform_manifest(release.platform)))?;
    write_file(&folder.join("README.md"), render("npm-platform.md", minijinja::context! { target => release.platform.target })?)?;
    licences(release, folder)
}

fn stage_main(release: &Release<'_>, folder: &Path) -> Result<(), String> {
    let packages: Map<String, Value> = PLATFORMS.iter().map(|platform| (key(platform), platform.npm_package().into())).collect();
    let launcher = folder.join("bin/weave.js");
    write_file(&launcher, render("weave.js", minijinja::context! { packages => serde_json::to_string(&packages).unwrap_or_default() })?)?;
    make_executable(&launcher)?;
    write_file(&folder.join("package.json"), pretty(&main_manifest()))?;
    write_file(&folder.join("README.md"), read(&release.root.join("README.md"))?)?;
    licences(release, folder)
}

fn licences(release: &Release<'_>, folder: &Path) -> Result<(), String> {
    ["LICENSE-APACHE", "LICENSE-MIT"].iter().try_for_each(|file| write_file(&folder.join(file), read(&release.root.join(file))?))
}

/// What the launcher calls a platform: `process.platform`, `process.arch`, and the C library where it is musl.
fn key(platform: &Platform) -> String {
    let (os, cpu, libc) = platform.npm;
    let suffix = if libc == Some("musl") { "-musl" } else { "" };
    format!("{os}-{cpu}{suffix}")
}

fn platform_manifest(platform: &Platform) -> Value {
    let (os, cpu, libc) = platform.npm;
    let mut manifest = shared(&platform.npm_package(), &format!("The weave binary for {}.", platform.target));
    manifest.insert("os".to_owned(), json!([os]));
    manifest.insert("cpu".to_owned(), json!([cpu]));
    manifest.extend(libc.map(|libc| ("libc".to_owned(), json!([libc]))));
    // Yarn leaves packages with binaries in archives unless they ask for it.
    manifest.insert("preferUnplugged".to_owned(), true.into());
    manifest.insert("files".to_owned(), json!(["bin"]));
    manifest.into()
}

fn main_manifest() -> Value {
    let mut manifest = shared(PACKAGE, "weave: a language and a toolchain for AI workflows as data.");
    let platforms: Map<String, Value> = PLATFORMS.iter().map(|platform| (platform.npm_package(), VERSION.into())).collect();
    manifest.insert("bin".to_owned(), json!({ "weave": "bin/weave.js" }));
    manifest.insert("files".to_owned(), json!(["bin"]));
    manifest.insert("engines".to_owned(), json!({ "node": ">=18" }));
    manifest.insert("optionalDependencies".to_owned(), platforms.into());
    manifest.insert("keywords".to_owned(), json!(["weave", "workflow", "agents", "ai", "linter", "formatter", "language server"]));
    manifest.into()
}

fn shared(name: &str, description: &str) -> Map<String, Value> {
    let fields = [
        ("name", json!(name)),
        ("version", json!(VERSION)),
        ("description", json!(description)),
        ("license", json!("Apache-2.0 OR MIT")),
        ("homepage", json!(HOME)),
        ("repository", json!({ "type": "git", "url": format!("git+{HOME}.git") })),
        ("publishConfig", json!({ "access": "public", "provenance": true })),
    ];
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// `npm pack`, which gives files fixed times.
fn pack(folder: &Path, out: &Path) -> Result<PathBuf, String> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let out = out.canonicalize().map_err(|error| failed(out, &error))?;
    let printed = output(folder, Command::new(npm).args(["pack", "--silent", "--pack-destination"]).arg(&out))?;
    let name = printed.lines().last().ok_or("`npm pack` names no file")?;
    Ok(out.join(name))
}
