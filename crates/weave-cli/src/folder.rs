//! The output folder: what belongs there, and bringing it there without a moment at which a file is half written.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use rayon::prelude::*;
use weave_compiler::Compiled;
use weave_diagnostics::counted;
use weave_ir::{Manifest, ManifestWorkflow, sha256};

use crate::catalog::{Written, is_catalog};
use crate::compile::{cannot_write, definition, not_written};
use crate::failure::{Exit, Failure, Failures, reason};
use crate::input::{display, shortened};
use crate::terminal::Terminal;
use crate::write::write_beside;

const MANIFEST: &str = "manifest.json";
const MANIFEST_VERSION: &str = "1";
const DEFINITION_END: &str = ".workflow.json";
const SOURCE_MAP_END: &str = ".workflow.map.json";

/// A workflow and the name of the file that declares it.
#[derive(Debug)]
pub(crate) struct Produced {
    pub(crate) compiled: Compiled,
    pub(crate) source: String,
}

/// All files that belong into the folder.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The files by name, without the manifest.
    files: BTreeMap<String, String>,
    /// The text of the manifest.
    manifest: String,
    /// How many workflows there are.
    workflows: usize,
}

impl Plan {
    /// What belongs into a folder for these workflows and catalogs.
    pub(crate) fn new(mut workflows: Vec<Produced>, catalogs: Vec<Written>, compact: bool) -> Result<Self, Failures> {
        let collisions = collisions(&workflows);
        if !collisions.is_empty() {
            return Err(collisions);
        }
        // Two people who compile the same files get the same bytes, wherever the files lie.
        let here = std::env::current_dir().unwrap_or_default();
        for Produced { compiled, source } in &mut workflows {
            rename_sources(&mut compiled.source_map, source, &here);
            *source = relative(Path::new(source.as_str()), &here);
        }
        let texts = workflows.par_iter().map(|workflow| texts(&workflow.compiled, compact)).collect::<Result<Vec<_>, _>>()?;
        let mut manifest = Manifest { version: MANIFEST_VERSION.to_owned(), workflows: BTreeMap::new(), files: BTreeMap::new() };
        let mut files = BTreeMap::new();
        for (Produced { compiled, source }, (definition, source_map)) in workflows.iter().zip(texts) {
            let workflow = ManifestWorkflow {
                digest: compiled.source_map.digest.clone(),
                file: format!("{}{DEFINITION_END}", compiled.name),
                source_map: format!("{}{SOURCE_MAP_END}", compiled.name),
                source: source.clone(),
            };
            for (name, text) in [(&workflow.file, definition), (&workflow.source_map, source_map)] {
                manifest.files.insert(name.clone(), sha256(text.as_bytes()));
                files.insert(name.clone(), text);
            }
            manifest.workflows.insert(compiled.name.clone(), workflow);
        }
        for Written { file, text } in catalogs {
            manifest.files.insert(file.clone(), sha256(text.as_bytes()));
            files.insert(file, text);
        }
        let manifest = manifest.to_json_pretty().map_err(|error| not_written(MANIFEST, &error))?;
        Ok(Self { files, manifest, workflows: workflows.len() })
    }

    /// The files with their texts, the manifest last: it speaks of the others, so it comes when they are there.
    fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        let files = self.files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        files.chain([(MANIFEST, self.manifest.as_str())])
    }
}

/// Says the names of a source map from the folder in which the command runs.
///
/// The compiler knows no such folder: where the workflow's own file `home` has an absolute name, it says the others from beside that.
fn rename_sources(map: &mut weave_ir::SourceMap, home: &str, here: &Path) {
    let Some(folder) = Path::new(home).parent().filter(|folder| folder.is_absolute()) else { return };
    let renamed = map.sources.iter().map(|name| relative(&folder.join(name), here));
    let mut renamed = renamed.zip(0_u32..).collect::<Vec<_>>();
    // The names are in order, so that they do not tell in which order the compiler came by the files.
    renamed.sort();
    let place = |old: u32| renamed.iter().zip(0..).find(|((_, index), _)| *index == old).map_or(old, |(_, new)| new);
    let places = (0..).zip(&renamed).map(|(index, _)| place(index)).collect::<Vec<_>>();
    for range in map.nodes.values_mut().chain(map.paths.values_mut()) {
        range.source = places.get(range.source as usize).copied().unwrap_or(range.source);
    }
    map.sources = renamed.into_iter().map(|(name, _)| name).collect();
}

/// The name of a file as said from this folder: nothing of the machine may come into what is written.
pub(crate) fn relative(path: &Path, here: &Path) -> String {
    if !path.is_absolute() {
        return display(path);
    }
    let path = shortened(path);
    let (mut from, mut to) = (here.components().peekable(), path.components().peekable());
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    let up = from.map(|_| Component::ParentDir);
    display(&up.chain(to).collect::<PathBuf>())
}

/// The definition and its source map.
fn texts(compiled: &Compiled, compact: bool) -> Result<(String, String), Failure> {
    let source_map = compiled.source_map.to_json_pretty().map_err(|error| not_written(&compiled.name, &error))?;
    Ok((definition(compiled, compact)?, source_map))
}

/// Workflows that would be written to the same file; on many systems `Pay` and `pay` are one name.
fn collisions(workflows: &[Produced]) -> Failures {
    let mut by_name: BTreeMap<String, Vec<(&str, &str)>> = BTreeMap::new();
    for Produced { compiled, source } in workflows {
        by_name.entry(compiled.name.to_lowercase()).or_default().push((&compiled.name, source));
    }
    let several = by_name.into_values().filter(|same| same.len() > 1);
    several
        .map(|same| {
            let name = same.first().map_or("", |(name, _)| *name);
            let mut failure =
                Failure::new(format!("{} would be written to `{name}{DEFINITION_END}`", counted(same.len(), "workflow"))).in_files();
            for (name, source) in same {
                failure = failure.detail(format!("{name} in {source}"));
            }
            failure.help("rename all but one, or compile their files into different folders")
        })
        .collect()
}

/// Brings the folder to what the plan says, touching only what differs.
pub(crate) fn write(plan: &Plan, folder: &Path, terminal: Terminal) -> Result<Exit, Failures> {
    let earlier = earlier_manifest(folder)?;
    std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    let mut written = 0;
    for (name, text) in plan.all().filter(|(name, _)| *name != MANIFEST) {
        written += usize::from(replace(&folder.join(name), text)?);
    }
    let removed = remove_leftovers(plan, &earlier, folder, terminal)?;
    let listed = replace(&folder.join(MANIFEST), &plan.manifest)?;
    let mut text = format!("{} in `{}`: ", counted(plan.workflows, "workflow"), display(folder));
    text.push_str(&match (written, removed) {
        // A folder without workflows gets its manifest too, which then lists none.
        (0, 0) if listed => format!("`{MANIFEST}` written"),
        (0, 0) => "nothing to do".to_owned(),
        (written, 0) => format!("{} written", counted(written, "file")),
        (0, removed) => format!("{} removed", counted(removed, "file")),
        (written, removed) => format!("{} written, {removed} removed", counted(written, "file")),
    });
    terminal.remark(&text);
    Ok(Exit::Clean)
}

/// Says how the folder differs from the plan, and writes nothing.
pub(crate) fn compare(plan: &Plan, folder: &Path, terminal: Terminal) -> Result<Exit, Failures> {
    let earlier = earlier_manifest(folder)?;
    let mut differences = Vec::new();
    for (name, text) in plan.all() {
        let path = folder.join(name);
        match std::fs::read(&path) {
            Ok(bytes) if bytes == text.as_bytes() => {}
            Ok(_) => differences.push(format!("`{}` is out of date", display(&path))),
            Err(error) if absent(&error) => differences.push(format!("`{}` is missing", display(&path))),
            Err(error) => return Err(Failure::new(format!("cannot read `{}`: {}", display(&path), reason(&error))).into()),
        }
    }
    for (name, _) in leftovers(plan, &earlier) {
        let path = folder.join(name);
        if path.symlink_metadata().is_ok() {
            differences.push(format!("`{}` is not produced any more", display(&path)));
        }
    }
    if differences.is_empty() {
        terminal.remark(&format!("{} in `{}`: up to date", counted(plan.workflows, "workflow"), display(folder)));
        return Ok(Exit::Clean);
    }
    let mut failure = Failure::new(format!("`{}` is not up to date", display(folder))).in_files();
    for difference in differences {
        failure = failure.detail(difference);
    }
    Err(failure.help("the same command without `--check` brings it up to date").into())
}

/// Writes a file if it does not have this text already, and says whether it did.
///
/// The text goes to another file of the folder first, which then takes the name: whoever reads meanwhile sees the old text or the
/// new one, and so does everybody after a failure.
pub(crate) fn replace(path: &Path, text: &str) -> Result<bool, Failure> {
    if std::fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes()) {
        return Ok(false);
    }
    write_beside(path, text).map_err(|error| cannot_write(path, &error))?;
    Ok(true)
}

/// Removes what an earlier run wrote and this one does not, and says how many files that were.
///
/// A file that somebody changed since is left: it is no longer what was written.
fn remove_leftovers(plan: &Plan, earlier: &Manifest, folder: &Path, terminal: Terminal) -> Result<usize, Failure> {
    let mut removed = 0;
    for (name, digest) in leftovers(plan, earlier) {
        let path = folder.join(name);
        match std::fs::read(&path) {
            Ok(bytes) if sha256(&bytes) == *digest => {
                std::fs::remove_file(&path)
                    .map_err(|error| Failure::new(format!("cannot remove `{}`: {}", display(&path), reason(&error))))?;
                removed += 1;
            }
            Ok(_) => terminal.remark(&format!(
                "warning: `{}` is not produced any more, but was changed since it was written, so it was left; remove it if nobody needs it",
                display(&path)
            )),
            Err(error) if absent(&error) => {}
            Err(error) => return Err(Failure::new(format!("cannot read `{}`: {}", display(&path), reason(&error)))),
        }
    }
    Ok(removed)
}

/// The files of an earlier run that the plan does not have. A manifest can be edited, so only names that this program could have
/// written count: nothing outside of the folder, and no other kind of file.
fn leftovers<'a>(plan: &'a Plan, earlier: &'a Manifest) -> impl Iterator<Item = (&'a str, &'a String)> {
    let ours = |name: &str| {
        let stem = name.strip_suffix(DEFINITION_END).or_else(|| name.strip_suffix(SOURCE_MAP_END));
        is_catalog(name) || stem.is_some_and(|stem| !stem.is_empty() && stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
    };
    // Where `Pay` and `pay` are one file, the new one has already taken the place of the old one.
    let planned = |name: &str| plan.files.keys().any(|file| file.eq_ignore_ascii_case(name));
    earlier.files.iter().map(|(name, digest)| (name.as_str(), digest)).filter(move |(name, _)| ours(name) && !planned(name))
}

/// The manifest that lies in the folder; an empty one where there is none.
fn earlier_manifest(folder: &Path) -> Result<Manifest, Failure> {
    if folder.is_file() {
        return Err(Failure::new(format!("`{}` is a file, not a folder", display(folder))).help("`-o` takes the folder to write into"));
    }
    let path = folder.join(MANIFEST);
    match std::fs::read(&path) {
        Ok(bytes) => {
            let manifest = Manifest::from_json(&String::from_utf8_lossy(&bytes)).ok();
            // Somebody else's `manifest.json` is not for us to overwrite.
            manifest.filter(|manifest| manifest.version == MANIFEST_VERSION).ok_or_else(|| {
                Failure::new(format!("`{}` was not written by this version of weave", display(&path)))
                    .help("choose another folder with `-o`, or remove that file")
            })
        }
        Err(error) if absent(&error) => {
            Ok(Manifest { version: MANIFEST_VERSION.to_owned(), workflows: BTreeMap::new(), files: BTreeMap::new() })
        }
        Err(error) => Err(Failure::new(format!("cannot read `{}`: {}", display(&path), reason(&error)))),
    }
}

fn absent(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_names_no_folder_of_the_machine() {
        let here = Path::new("/home/me/project");
        let cases = [
            ("/home/me/project/flows/a.weave", "flows/a.weave"),
            ("/home/me/other/a.weave", "../other/a.weave"),
            ("/srv/a.weave", "../../../srv/a.weave"),
            ("flows/a.weave", "flows/a.weave"),
            ("../a.weave", "../a.weave"),
            ("/home/me/project/flows/../a.weave", "a.weave"),
            ("<stdin>", "<stdin>"),
        ];
        for (name, written) in cases {
            assert_eq!(relative(Path::new(name), here), written);
        }
    }

    #[test]
    fn the_places_of_a_source_map_follow_its_names() {
        let range = |source| weave_ir::SourceRange { source, start: 0, end: 1, line: 1, column: 1 };
        let mut map = weave_ir::SourceMap {
            version: "1".to_owned(),
            workflow: "w".to_owned(),
            digest: String::new(),
            sources: vec!["../lib/b.weave".to_owned(), "a.weave".to_owned()],
            nodes: BTreeMap::from([("one".to_owned(), range(0)), ("two".to_owned(), range(1))]),
            paths: BTreeMap::from([("/nodes".to_owned(), range(1))]),
        };
        rename_sources(&mut map, "/home/me/project/flows/a.weave", Path::new("/home/me/project"));
        assert_eq!(map.sources, ["flows/a.weave", "lib/b.weave"]);
        assert_eq!((map.nodes["one"].source, map.nodes["two"].source, map.paths["/nodes"].source), (1, 0, 0));
    }

    #[test]
    fn only_files_of_this_program_are_leftovers() {
        let plan =
            Plan { files: BTreeMap::from([("kept.workflow.json".to_owned(), String::new())]), manifest: String::new(), workflows: 1 };
        let names = [
            "old.workflow.json",
            "old.workflow.map.json",
            "kept.workflow.json",
            "KEPT.workflow.json",
            "../up.workflow.json",
            "tools.mcp.json",
        ];
        let others = [
            "/etc/passwd",
            "tools.other.json",
            "../tools.mcp.json",
            "a/b.workflow.json",
            "..\\x.workflow.json",
            ".workflow.json",
            "notes.txt",
            "manifest.json",
        ];
        let files = names.iter().chain(&others).map(|name| ((*name).to_owned(), String::new())).collect();
        let earlier = Manifest { version: MANIFEST_VERSION.to_owned(), workflows: BTreeMap::new(), files };
        let found = leftovers(&plan, &earlier).map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(found, ["old.workflow.json", "old.workflow.map.json", "tools.mcp.json"]);
    }
}
