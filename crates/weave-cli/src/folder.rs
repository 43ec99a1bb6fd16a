//! The output folder: what belongs there, and bringing it there without a moment at which a file is half written.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use rayon::prelude::*;
use weave_codegen::{OutputFile, Ownership};
use weave_compiler::Compiled;
use weave_diagnostics::counted;
use weave_ir::{Manifest, ManifestWorkflow, sha256};

use crate::catalog::{Written, is_catalog};
use crate::compile::{definition, not_written};
use crate::failure::{Exit, Failure, Failures};
use crate::input::{display, shortened};
use crate::terminal::Terminal;
use crate::write::Folder;

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
    files: Vec<OutputFile>,
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
        let files = files.into_iter().map(|(path, contents)| OutputFile { path, contents }).collect();
        Ok(Self { files, manifest, workflows: workflows.len() })
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
pub(crate) fn write(plan: &Plan, folder: &Path, force: bool, terminal: Terminal) -> Result<Exit, Failures> {
    let place = Folder::new(folder, MANIFEST)?;
    let earlier = place.earlier(force, listed)?;
    let changes = place.plan(&plan.files, &earlier, force)?;
    let mut done = place.write(&changes, &plan.files, &plan.manifest, &earlier, terminal)?;
    // The manifest is one of the files that people see in the folder.
    done.written += usize::from(done.listed);
    let what = done.words().unwrap_or_else(|| "nothing to do".to_owned());
    terminal.remark(format!("{} in `{}`: {what}", counted(plan.workflows, "workflow"), display(folder)));
    Ok(Exit::Clean)
}

/// Says how the folder differs from the plan, and writes nothing.
pub(crate) fn compare(plan: &Plan, folder: &Path, force: bool, terminal: Terminal) -> Result<Exit, Failures> {
    let place = Folder::new(folder, MANIFEST)?;
    let earlier = place.earlier(force, listed)?;
    let changes = place.plan(&plan.files, &earlier, force)?;
    if let Some(failure) = place.stale(place.differences(&changes, &plan.manifest)?) {
        return Err(failure.into());
    }
    terminal.remark(format!("{} in `{}`: up to date", counted(plan.workflows, "workflow"), display(folder)));
    Ok(Exit::Clean)
}

/// What a manifest lists, if it is one. It can be edited, so only names that this program could have written count.
fn listed(text: &str) -> Option<Ownership> {
    let manifest = Manifest::from_json(text).ok().filter(|manifest| manifest.version == MANIFEST_VERSION)?;
    let mut owned = Ownership::default();
    for (name, digest) in manifest.files.iter().filter(|(name, _)| is_ours(name)) {
        owned.add(name, digest);
    }
    Some(owned)
}

/// Whether this command writes files of such a name.
fn is_ours(name: &str) -> bool {
    let stem = name.strip_suffix(DEFINITION_END).or_else(|| name.strip_suffix(SOURCE_MAP_END));
    is_catalog(name) || stem.is_some_and(|stem| !stem.is_empty() && stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
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
    fn a_manifest_owns_only_what_this_program_writes() {
        let names = ["old.workflow.json", "old.workflow.map.json", "tools.mcp.json"];
        let others = [
            "../up.workflow.json",
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
        let manifest = Manifest { version: MANIFEST_VERSION.to_owned(), workflows: BTreeMap::new(), files };
        let owned = listed(&manifest.to_json_pretty().unwrap()).unwrap();
        assert_eq!(owned.paths().collect::<Vec<_>>(), names);
        assert_eq!(listed("{\"name\": \"app\"}"), None);
    }
}
