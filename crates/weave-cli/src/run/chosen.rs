//! Which workflow is run, and what it needs: its definition and those of its children.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use weave_compiler::Compiled;
use weave_diagnostics::Diagnostic;
use weave_ir::{Definition, SourceMap};
use weave_scroll::{RunRow, Store};

use crate::args;
use crate::compile::{checked, merged};
use crate::failure::{Failure, Failures};
use crate::input::gather;
use crate::terminal::Terminal;

/// A workflow that can be run.
pub(crate) struct Chosen {
    /// Its definition.
    pub(crate) definition: Arc<Definition>,
    /// The digest of that.
    pub(crate) digest: String,
    /// Where its parts were written, if that is known.
    pub(crate) map: Option<SourceMap>,
    /// All definitions that it needs, its own included, each with its source map as JSON.
    pub(crate) all: Vec<(Arc<Definition>, String)>,
    /// The definitions by their digests.
    pub(crate) by_digest: BTreeMap<String, Arc<Definition>>,
}

/// The workflow that the arguments name. Nothing: the files have errors, which were reported.
pub(crate) fn choose(arguments: &args::Run, terminal: Terminal) -> Result<Option<Chosen>, Failures> {
    let (paths, name) = place(arguments.workflow.as_deref().unwrap_or_default(), arguments.name.as_deref());
    let snapshot = checked(gather(&paths)?);
    let (compiled, lowering) = match snapshot.compile_all() {
        Ok(compiled) => (compiled, Vec::new()),
        Err(diagnostics) => (Vec::new(), diagnostics),
    };
    let diagnostics = merged(snapshot.diagnostics(), lowering);
    if diagnostics.iter().any(Diagnostic::is_error) {
        terminal.report(&diagnostics, snapshot.sources());
        return Ok(None);
    }
    let roots: BTreeSet<_> = snapshot.root_files().collect();
    let wanted = pick(&compiled, &roots, name.as_deref(), &paths)?;
    let mut by_digest = BTreeMap::new();
    let mut all = Vec::new();
    let mut open = vec![wanted];
    while let Some(compiled_one) = open.pop() {
        let digest = compiled_one.source_map.digest.clone();
        if by_digest.contains_key(&digest) {
            continue;
        }
        let definition = Arc::new(compiled_one.definition.clone());
        let map = compiled_one.source_map.to_json_pretty().map_err(|error| crate::compile::not_written(&compiled_one.name, &error))?;
        let children: BTreeSet<_> = definition.workflows.values().map(|child| child.digest.clone()).collect();
        open.extend(compiled.iter().filter(|other| children.contains(&other.source_map.digest)));
        by_digest.insert(digest, Arc::clone(&definition));
        all.push((definition, map));
    }
    let digest = wanted.source_map.digest.clone();
    let definition = Arc::new(wanted.definition.clone());
    Ok(Some(Chosen { definition, digest, map: Some(wanted.source_map.clone()), all, by_digest }))
}

/// The files to read, and the name of the workflow: a path names files, everything else a workflow of this folder.
fn place(workflow: &str, name: Option<&str>) -> (Vec<PathBuf>, Option<String>) {
    let path = Path::new(workflow);
    let is_path = path.extension().is_some_and(|ending| ending == "weave") || workflow == "-" || path.components().count() > 1;
    if is_path || path.is_dir() {
        (vec![path.to_owned()], name.map(str::to_owned))
    } else {
        (vec![PathBuf::from(".")], Some(workflow.to_owned()))
    }
}

/// The workflow of a run that is in a store, with all definitions that it needs.
pub(crate) fn stored(store: &dyn Store, run: &RunRow) -> Result<Chosen, Failure> {
    let mut by_digest = BTreeMap::new();
    let mut all = Vec::new();
    let mut own = None;
    let mut open = vec![run.digest.clone()];
    while let Some(digest) = open.pop() {
        if by_digest.contains_key(&digest) {
            continue;
        }
        let stored = store.definition(&digest).map_err(|error| Failure::new(error.to_string()))?;
        let stored = stored.ok_or_else(|| Failure::new(format!("the definition {digest} of the run `{}` is not in the store", run.id)))?;
        let wrong = |error: weave_ir::Error| Failure::new(format!("the definition {digest} in the store cannot be read: {error}"));
        let definition = Arc::new(Definition::from_json(&stored.json).map_err(wrong)?);
        let map = stored.map.unwrap_or_default();
        open.extend(definition.workflows.values().map(|child| child.digest.clone()));
        if digest == run.digest {
            own = Some((Arc::clone(&definition), SourceMap::from_json(&map).ok()));
        }
        by_digest.insert(digest, Arc::clone(&definition));
        all.push((definition, map));
    }
    let (definition, map) = own.ok_or_else(|| Failure::new(format!("the run `{}` has no definition", run.id)))?;
    Ok(Chosen { definition, digest: run.digest.clone(), map, all, by_digest })
}

/// The workflow of this name; without a name the only one, or the only one that no other of them runs.
fn pick<'a>(
    compiled: &'a [Compiled],
    roots: &BTreeSet<weave_diagnostics::FileId>,
    name: Option<&str>,
    paths: &[PathBuf],
) -> Result<&'a Compiled, Failure> {
    let own: Vec<_> = compiled.iter().filter(|workflow| roots.contains(&workflow.file)).collect();
    let named: Vec<_> = own.iter().copied().filter(|workflow| name.is_none_or(|name| workflow.name == name)).collect();
    let children: BTreeSet<_> = own.iter().flat_map(|workflow| workflow.definition.workflows.values().map(|child| &child.digest)).collect();
    let tops: Vec<_> = named.iter().copied().filter(|workflow| !children.contains(&workflow.source_map.digest)).collect();
    let place = paths.first().map(|path| crate::input::display(path)).unwrap_or_default();
    match (named.as_slice(), tops.as_slice(), name) {
        ([only], _, _) | (_, [only], _) => Ok(only),
        ([], _, Some(name)) => {
            let near = weave_diagnostics::closest(name, own.iter().map(|workflow| workflow.name.as_str()));
            let failure = listed(Failure::new(format!("there is no workflow `{name}` in `{place}`")), &own);
            Err(match near {
                Some(near) => failure.help(format!("did you mean `{near}`?")),
                None => failure.help("name a workflow of this folder, or a .weave file"),
            })
        }
        ([], _, None) => Err(Failure::new(format!("there is no workflow in `{place}`"))),
        _ => {
            Err(listed(Failure::new(format!("there are several workflows in `{place}`")), &named).help("choose one with `--workflow NAME`"))
        }
    }
}

fn listed(failure: Failure, workflows: &[&Compiled]) -> Failure {
    const MOST_LISTED: usize = 10;
    workflows.iter().take(MOST_LISTED).fold(failure, |failure, workflow| failure.detail(workflow.name.as_str()))
}
