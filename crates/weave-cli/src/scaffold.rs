//! `weave gen --scaffold`: skeletons of services, written where there are none.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};

use weave_codegen::{Missing, Place, Skeleton, Target};
use weave_diagnostics::counted;
use weave_ir::package::Package;

use crate::compile::cannot_write;
use crate::config::absolute;
use crate::failure::Failure;
use crate::folder::relative;
use crate::input::display;
use crate::printed::Printed;
use crate::read::read_file;
use crate::templates::Replaced;
use crate::terminal::Terminal;
use crate::write::cannot_read;
use crate::write::{create, refuse_link};

/// What is to be written, and for what.
pub(crate) struct Order<'a> {
    pub(crate) target: Target,
    pub(crate) packages: &'a [Package],
    /// The folder with the generated files.
    pub(crate) output: &'a Path,
    /// The folder for skeletons.
    pub(crate) folder: PathBuf,
    /// The path under which the output folder is imported, if somebody said which.
    pub(crate) module: Option<&'a str>,
    /// The one that Go found.
    pub(crate) import_path: &'a str,
    /// What skeletons are made from.
    pub(crate) templates: &'a Replaced,
}

/// Skeletons that are made and not yet written.
pub(crate) struct Prepared {
    target: Target,
    folder: PathBuf,
    skeletons: Vec<Skeleton>,
    /// What lies in the folder.
    there: BTreeMap<String, String>,
}

/// Makes the skeletons: what is wrong with a template shows before anything is written.
pub(crate) fn prepare(order: Order<'_>) -> Result<Prepared, Failure> {
    let folder = order.folder.as_path();
    let there = there(folder, order.target)?;
    let place = Place {
        import_path: import_path(&order, folder)?,
        folder: name(folder),
        package: match order.target {
            Target::Go => there.values().find_map(|text| package_of(text)),
            Target::Python => python_package(folder).ok(),
            Target::TypeScript => None,
        },
    };
    let skeletons = order.templates.scaffold(order.target, order.packages, &place)?;
    Ok(Prepared { target: order.target, folder: order.folder, skeletons, there })
}

/// Writes the skeletons that nobody has, and says what the others lack.
pub(crate) fn write(prepared: &Prepared, terminal: Terminal) -> Result<(), Failure> {
    let Prepared { target, folder, skeletons, there } = prepared;
    if skeletons.is_empty() {
        terminal.remark("no tool or prompt needs an implementation, so there is no skeleton");
        return Ok(());
    }
    let progress = weave_codegen::progress(*target, skeletons, there);
    let (mut written, mut kept) = (Vec::new(), progress.kept);
    for skeleton in skeletons.iter().filter(|skeleton| progress.fresh.contains(&skeleton.path)) {
        let path = folder.join(&skeleton.path);
        if create(&path, &skeleton.contents).map_err(|error| cannot_write(&path, &error))? {
            written.push(skeleton.path.as_str());
        } else {
            kept.insert(skeleton.path.clone());
        }
    }
    terminal.remark(told(folder, &written, &kept));
    for missing in &progress.missing {
        terminal.remark(lacking(folder, missing));
    }
    let comment = if *target == Target::Python { "#" } else { "//" };
    let print = |missing: &Missing| {
        let imports = missing.imports.iter().map(|line| format!("{line}\n")).collect::<String>();
        let gap = if imports.is_empty() { "" } else { "\n" };
        format!("{comment} {}\n{imports}{gap}{}\n", display(&folder.join(&missing.path)), missing.text)
    };
    let printed = progress.missing.iter().map(print).collect::<String>();
    if printed.is_empty() { Ok(()) } else { terminal.print(&Printed::exact(printed)) }
}

/// The folder for skeletons: the one that was named, or `service` next to the output folder.
pub(crate) fn folder(target: Target, output: &Path, named: Option<PathBuf>) -> Result<PathBuf, Failure> {
    let help = format!("set it with `--scaffold=DIR`, or in weave.toml: `[gen.{}]` with `scaffold = \"src/service\"`", target.name());
    let beside = || {
        let is_named = matches!(output.components().next_back(), Some(Component::Normal(_)));
        is_named.then(|| output.with_file_name("service"))
    };
    let Some(folder) = named.or_else(beside) else {
        return Err(Failure::new("no folder is set for the skeletons").help(help));
    };
    if absolute(&folder).starts_with(absolute(output)) {
        let failure = Failure::new(format!("`{}` is for generated files, not for skeletons", display(output)));
        return Err(failure.help(help));
    }
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::new(format!("`{}` is a file, not a folder", display(&folder))).help(help));
    }
    refuse_link(&folder)?;
    Ok(folder)
}

/// The texts of the files of the language in a folder, by their names; none where there is no folder.
fn there(folder: &Path, target: Target) -> Result<BTreeMap<String, String>, Failure> {
    let ending = match target {
        Target::Go => "go",
        Target::Python => "py",
        Target::TypeScript => "ts",
    };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(cannot_read(folder, &error)),
    };
    let mut found = BTreeMap::new();
    for entry in entries {
        let path = entry.map_err(|error| cannot_read(folder, &error))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|_| path.extension().is_some_and(|it| it == ending)) else {
            continue;
        };
        if target == Target::Go && name.ends_with("_test.go") {
            continue;
        }
        if path.is_file() {
            let text = read_file(&path).map_err(|error| Failure::new(format!("cannot read `{}`: {error}", display(&path))))?;
            found.insert(name.to_owned(), text.to_string());
        }
    }
    Ok(found)
}

/// How the skeletons import what is generated.
fn import_path(order: &Order<'_>, folder: &Path) -> Result<String, Failure> {
    match (order.target, order.module) {
        (Target::Go, _) => Ok(order.import_path.to_owned()),
        (Target::Python, Some(module)) => Ok(module.to_owned()),
        (Target::Python, None) => python_package(order.output),
        (Target::TypeScript, _) => Ok(relative(&absolute(order.output), &absolute(folder))),
    }
}

/// The package that a folder of Python is: those above it are packages too as long as they have an `__init__.py`.
fn python_package(folder: &Path) -> Result<String, Failure> {
    let whole = absolute(folder);
    let mut parts = Vec::new();
    for above in whole.ancestors() {
        if !parts.is_empty() && !above.join("__init__.py").is_file() {
            break;
        }
        let part = name(above);
        let is_name = !part.starts_with(|first: char| first.is_ascii_digit()) && part.chars().all(|it| it.is_alphanumeric() || it == '_');
        if part.is_empty() || !is_name {
            let failure = Failure::new(format!("the folder `{}` cannot be imported as a Python package", display(folder)));
            return Err(failure.help("set its package in weave.toml: `[gen.python]` with `module = \"app.gen\"`"));
        }
        parts.insert(0, part);
    }
    Ok(parts.join("."))
}

fn name(folder: &Path) -> String {
    absolute(folder).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The package that a file of Go belongs to.
fn package_of(text: &str) -> Option<String> {
    let name = text.lines().find_map(|line| line.strip_prefix("package "))?;
    name.split_whitespace().next().map(str::to_owned)
}

fn told(folder: &Path, written: &[&str], kept: &BTreeSet<String>) -> String {
    let list = |names: &mut dyn Iterator<Item = &str>| names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let mut said = Vec::new();
    if !written.is_empty() {
        said.push(format!("{} written: {}", counted(written.len(), "skeleton"), list(&mut written.iter().copied())));
    }
    if !kept.is_empty() {
        said.push(format!("not changed: {}", list(&mut kept.iter().map(String::as_str))));
    }
    format!("skeletons in `{}`: {}", display(folder), said.join("; "))
}

fn lacking(folder: &Path, missing: &Missing) -> String {
    let names = missing.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let path = display(&folder.join(&missing.path));
    format!("`{path}` lacks {names}, which `{}` requires; a skeleton is on standard output", missing.interface)
}
