//! The packages of a release, installed as users install them, without a network, each in a fresh folder.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use weave_tests::node::{extension, packaging};
use weave_tests::tools::{finished, python_with_check_jsonschema};
use weave_tests::{read, root};

use crate::suite::weave;

const PROGRAM: &str = "type Ticket {\n  body: string\n}\n";

/// The packages, made once by the project's own command.
fn packages() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            pack(folder.path());
            folder
        })
        .path()
}

/// Packs the binary of the tests.
fn pack(out: &Path) {
    let _packaging = packaging();
    let mut command = Command::new(env!("CARGO"));
    command.args(["xtask", "dist", "--binary"]).arg(weave()).arg("--out").arg(out).current_dir(root());
    finished(command.env("WEAVE_EXTENSION", extension())).unwrap_or_else(|problem| panic!("{problem}"));
}

/// The one file among the packages whose name begins and ends like this.
fn package(start: &str, end: &str) -> PathBuf {
    let mut found = std::fs::read_dir(packages()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with(start) && name.ends_with(end)
    });
    let path = found.next().unwrap_or_else(|| panic!("there is no {start}…{end}"));
    assert_eq!(found.next(), None, "{start}…{end}");
    path
}

fn run(command: &mut Command) -> String {
    finished(command).unwrap_or_else(|problem| panic!("{problem}"))
}

/// The binary prints its version, and finds the mistake in a wrong program.
fn works(command: &dyn Fn() -> Command, folder: &Path) {
    let version = run(command().arg("--version").current_dir(folder));
    assert!(version.starts_with(&format!("weave {}", env!("CARGO_PKG_VERSION"))), "{version}");
    std::fs::write(folder.join("right.weave"), PROGRAM).unwrap();
    std::fs::write(folder.join("wrong.weave"), PROGRAM.replace("string", "strin")).unwrap();
    run(command().args(["check", "right.weave"]).current_dir(folder));
    let output = command().args(["check", "wrong.weave"]).current_dir(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean `string`?"), "{output:?}");
}

#[test]
fn the_same_binary_gives_the_same_packages() {
    let again = tempfile::tempdir().unwrap();
    pack(again.path());
    for path in std::fs::read_dir(packages()).unwrap().map(|entry| entry.unwrap().path()) {
        // `vsce` writes times of its own into its packages.
        if path.extension().is_some_and(|extension| extension == "vsix") {
            continue;
        }
        let name = path.file_name().unwrap();
        assert!(std::fs::read(&path).unwrap() == std::fs::read(again.path().join(name)).unwrap(), "{} differs", path.display());
    }
}

#[test]
fn the_wheel_is_installed_by_pip() {
    let folder = tempfile::tempdir().unwrap();
    let environment = folder.path().join("venv");
    run(Command::new("python3").args(["-m", "venv"]).arg(&environment));
    let pip = environment.join("bin/python");
    let wheel = package("weave_lang-", ".whl");
    run(Command::new(&pip).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]).arg(&wheel));
    works(&|| Command::new(environment.join("bin/weave")), folder.path());
    works(
        &|| {
            let mut command = Command::new(&pip);
            command.args(["-m", "weave_lang"]);
            command
        },
        folder.path(),
    );
    let shown = run(Command::new(&pip).args(["-m", "pip", "show", "--files", "weave-lang"]));
    assert!(shown.contains("Name: weave-lang") && shown.contains("bin/weave"), "{shown}");
    run(Command::new(&pip).args(["-m", "pip", "uninstall", "--quiet", "--yes", "weave-lang"]));
    assert!(!environment.join("bin/weave").exists());
}

#[test]
fn the_npm_packages_are_installed_and_started() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("package.json"), "{ \"private\": true }").unwrap();
    let npm = |words: &[&str]| {
        let mut command = Command::new("npm");
        command.args(words).args(["--offline", "--no-audit", "--no-fund", "--silent"]).current_dir(folder.path());
        command
    };
    let (binary, main) = (package("weave-lang-linux-x64", ".tgz"), package("weave-lang-0", ".tgz"));
    run(npm(&["install"]).args([&binary, &main]));
    let launcher = || Command::new(folder.path().join("node_modules/.bin/weave"));
    works(&launcher, folder.path());
    let place = run(launcher().arg("--print-binary").current_dir(folder.path()));
    assert!(place.trim().ends_with("node_modules/weave-lang-linux-x64/bin/weave"), "{place}");
    // The exit code and the standard streams are those of the binary.
    let output = launcher().args(["check", "missing.weave"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    // Another binary is used where the variable names one, and the message names what to do where there is none.
    let output = launcher().arg("--version").env("WEAVE_BINARY", "/nowhere/weave").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("correct WEAVE_BINARY"), "{output:?}");
    std::fs::remove_dir_all(folder.path().join("node_modules/weave-lang-linux-x64")).unwrap();
    let output = launcher().arg("--version").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("package-lock.json") && said.contains("npm/cli/issues/4828"), "{said}");
}

#[test]
fn the_debian_package_has_everything_in_its_place() {
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        eprintln!("not looked at: `dpkg-deb` is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let deb = package("weave-lang_", ".deb");
    run(Command::new("dpkg-deb").arg("--extract").arg(&deb).arg(folder.path()));
    works(&|| Command::new(folder.path().join("usr/bin/weave")), folder.path());
    for part in ["share/man/man1/weave.1", "share/bash-completion/completions/weave", "share/doc/weave-lang/copyright"] {
        assert!(folder.path().join("usr").join(part).metadata().unwrap().len() > 200, "{part}");
    }
    let fields = run(Command::new("dpkg-deb").arg("--field").arg(&deb));
    assert!(fields.contains("Package: weave-lang") && fields.contains("Homepage: https://"), "{fields}");
}

#[test]
fn the_extension_has_the_binary_inside() {
    let folder = tempfile::tempdir().unwrap();
    let unpack = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])";
    run(Command::new("python3").args(["-c", unpack]).arg(package("weave-0.1.0-", ".vsix")).arg(folder.path()));
    let program = folder.path().join("extension/bundled/weave");
    // Python's module does not keep modes; VS Code does.
    run(Command::new("chmod").arg("755").arg(&program));
    works(&|| Command::new(&program), folder.path());
    let manifest = read(&folder.path().join("extension.vsixmanifest"));
    assert!(manifest.contains("TargetPlatform=\"linux-x64\""), "{manifest}");
    let other = package("weave-0.1.0.", "vsix");
    assert!(other.metadata().unwrap().len() < 400_000, "the extension for all platforms has no binary");
}

/// A server on loopback that ends with the test.
struct Server(Child, u16);

impl Server {
    fn over(folder: &Path) -> Self {
        let script = "import http.server, sys\nhandler = http.server.SimpleHTTPRequestHandler\nhandler.log_message = lambda *_: None\nserver = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler)\nprint(server.server_port, flush=True)\nserver.serve_forever()";
        let mut child = Command::new("python3").args(["-c", script]).current_dir(folder).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self(child, line.trim().parse().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_install_script_verifies_what_it_downloads() {
    let releases = tempfile::tempdir().unwrap();
    let archive = package("weave-0.1.0-", ".tar.gz");
    let name = archive.file_name().unwrap().to_string_lossy().into_owned();
    // Archives of the other platforms are only described; these have the bytes of this one.
    let targets = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"];
    let others = ["x86_64-apple-darwin", "aarch64-apple-darwin", "x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc"];
    for target in targets.iter().chain(&others) {
        let ending = if target.contains("windows") { "zip" } else { "tar.gz" };
        std::fs::copy(&archive, releases.path().join(format!("weave-0.1.0-{target}.{ending}"))).unwrap();
    }
    std::fs::copy(archive.with_file_name(format!("{name}.sha256")), releases.path().join(format!("{name}.sha256"))).unwrap();
    run(Command::new(env!("CARGO")).args(["xtask", "dist", "--index"]).arg(releases.path()).current_dir(root()));
    let server = Server::over(releases.path());
    let home = tempfile::tempdir().unwrap();
    let install = |temporary: &Path| {
        let mut command = Command::new("sh");
        command.arg(releases.path().join("install.sh")).env("HOME", home.path()).env("TMPDIR", temporary);
        command.env("WEAVE_DOWNLOAD_URL", format!("http://127.0.0.1:{}", server.1)).env("no_proxy", "127.0.0.1");
        command
    };
    let temporary = tempfile::tempdir().unwrap();
    let said = run(&mut install(temporary.path()));
    assert!(said.starts_with("Installed weave 0.1.0"), "{said}");
    works(&|| Command::new(home.path().join(".local/bin/weave")), home.path());
    // A second run replaces the first.
    run(&mut install(temporary.path()));

    std::fs::remove_dir_all(home.path().join(".local")).unwrap();
    let sum = releases.path().join(format!("{name}.sha256"));
    std::fs::write(&sum, read(&sum).replacen(|digit: char| digit.is_ascii_hexdigit(), "x", 1)).unwrap();
    let output = install(temporary.path()).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && complaint.contains("nothing was installed"), "{complaint}");
    assert!(!home.path().join(".local").exists());
    assert_eq!(std::fs::read_dir(temporary.path()).unwrap().count(), 0, "a download is left");

    // What describes the archives names each with its checksum.
    let expected = read(&archive.with_file_name(format!("{name}.sha256"))).split(' ').next().unwrap().to_owned();
    let formula = read(&releases.path().join("homebrew/weave-lang.rb"));
    assert_eq!(formula.matches(&expected).count(), 4, "{formula}");
    let installer = read(&releases.path().join("winget/weave-lang.weave.installer.yaml"));
    assert_eq!(installer.matches(&expected.to_uppercase()).count(), 2, "{installer}");
    let sums = read(&releases.path().join("SHA256SUMS"));
    assert_eq!(sums.matches(&expected).count(), 8, "{sums}");
}

#[test]
fn the_bill_of_materials_names_every_crate_once() {
    let document: serde_json::Value = serde_json::from_str(&read(&package("weave-0.1.0-", ".cdx.json"))).unwrap();
    let components = document["components"].as_array().unwrap();
    let names: Vec<&str> = components.iter().map(|component| component["purl"].as_str().unwrap()).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(names, sorted);
    assert!(
        names.iter().any(|name| name.starts_with("pkg:cargo/logos@"))
            && names.iter().any(|name| name.starts_with("pkg:cargo/weave-analysis@"))
    );
    assert!(!names.iter().any(|name| name.contains("insta@") || name.contains("weave-tests")), "what only tests use is not in the binary");
    for component in components {
        let is_ours = component["name"].as_str().unwrap().starts_with("weave-");
        assert!(is_ours || component["hashes"][0]["content"].as_str().is_some_and(|sum| sum.len() == 64), "{component}");
        assert!(component["licenses"][0]["expression"].is_string(), "{component}");
    }
}

#[test]
fn the_release_workflow_fits_its_schema() {
    let mut command = Command::new(python_with_check_jsonschema());
    command.args(["-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]);
    run(command.arg(root().join(".github/workflows/release.yml")));
    let text = read(&root().join(".github/workflows/release.yml"));
    for line in text.lines().filter(|line| line.contains("uses:")) {
        let version = line.split('@').nth(1).unwrap_or_default().split(' ').next().unwrap_or_default();
        assert!(version.len() == 40 && version.bytes().all(|byte| byte.is_ascii_hexdigit()), "{line} is not pinned by its commit");
    }
    let targets = read(&root().join("xtask/src/dist/platform.rs"));
    for target in targets.split("target: \"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(text.contains(&format!("target: {target},")), "{target} is not built");
    }
}

#[test]
fn the_address_of_the_project_is_the_same_everywhere() {
    let manifest = read(&root().join("Cargo.toml"));
    let home = manifest.lines().find_map(|line| line.strip_prefix("repository = \"")).unwrap().trim_end_matches('"');
    let place = home.trim_start_matches("https://github.com/");
    let owner = place.split('/').next().unwrap();
    let files =
        finished(Command::new("git").args(["ls-files", "editors", "docs", "crates", "xtask", "grammar"]).current_dir(root())).unwrap();
    let mut seen = 0;
    for path in files.lines() {
        let Ok(text) = std::fs::read_to_string(root().join(path)) else { continue };
        for rest in text.split("github.com/").skip(1).filter(|rest| rest.starts_with(&format!("{owner}/"))) {
            seen += 1;
            assert!(rest.starts_with(place), "{path}: {}", rest.lines().next().unwrap_or_default());
        }
    }
    assert!(seen >= 3, "the manifests of the editors name the address");
}
