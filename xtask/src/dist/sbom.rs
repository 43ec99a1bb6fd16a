//! The bill of materials of the binary, in the format of CycloneDX: each crate that it is built from, with its version, licence and checksum.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, PackageId};
use serde_json::{Value, json};

use super::{Release, VERSION, failed, write as write_file};

/// Writes `weave-VERSION-TARGET.cdx.json`.
pub(super) fn write(release: &Release<'_>) -> Result<Vec<PathBuf>, String> {
    let metadata = MetadataCommand::new()
        .manifest_path(release.root.join("Cargo.toml"))
        .other_options(vec!["--locked".to_owned(), format!("--filter-platform={}", release.platform.target)])
        .exec()
        .map_err(|error| format!("cannot read the packages of the workspace: {error}"))?;
    let lock = release.root.join("Cargo.lock");
    let lock = std::fs::read_to_string(&lock).map_err(|error| failed(&lock, &error))?;
    let document = document(&metadata, &checksums(&lock))?;
    let path = release.out.join(format!("weave-{VERSION}-{}.cdx.json", release.platform.target));
    write_file(&path, format!("{document:#}\n"))?;
    Ok(vec![path])
}

fn document(metadata: &Metadata, checksums: &BTreeMap<(String, String), String>) -> Result<Value, String> {
    let resolve = metadata.resolve.as_ref().ok_or("the packages have not been resolved")?;
    let root = metadata.packages.iter().find(|package| *package.name == "weave-cli").ok_or("there is no package `weave-cli`")?;
    let mut edges: BTreeMap<&PackageId, BTreeSet<&PackageId>> = BTreeMap::new();
    let mut open = vec![&root.id];
    while let Some(id) = open.pop() {
        if edges.contains_key(id) {
            continue;
        }
        let node = resolve.nodes.iter().find(|node| node.id == *id).ok_or_else(|| format!("{id} has not been resolved"))?;
        // What only builds or tests the crates is not in the binary.
        let shipped = node.deps.iter().filter(|dependency| dependency.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal));
        let shipped: BTreeSet<&PackageId> = shipped.map(|dependency| &dependency.pkg).collect();
        open.extend(&shipped);
        edges.insert(id, shipped);
    }
    let reference = |id: &PackageId| {
        metadata.packages.iter().find(|package| package.id == *id).map(|package| purl(&package.name, &package.version.to_string()))
    };
    let mut components = Vec::new();
    for package in &metadata.packages {
        if package.id == root.id || !edges.contains_key(&package.id) {
            continue;
        }
        let (name, version) = (package.name.to_string(), package.version.to_string());
        // Some crates write `MIT/Apache-2.0`, which SPDX does not know.
        let licences = package.license.iter().map(|licence| json!({ "expression": licence.replace('/', " OR ") }));
        let reference = purl(&name, &version);
        let sum = checksums.get(&(name.clone(), version.clone()));
        let component = json!({
            "type": "library",
            "bom-ref": reference,
            "name": name,
            "version": version,
            "purl": reference,
            "licenses": licences.collect::<Vec<_>>(),
            "hashes": sum.iter().map(|sum| json!({ "alg": "SHA-256", "content": sum })).collect::<Vec<_>>(),
        });
        components.push(component);
    }
    components.sort_by_key(|component| key(component, "bom-ref"));
    let mut dependencies: Vec<Value> = edges
        .iter()
        .map(|(id, to)| json!({ "ref": reference(id), "dependsOn": to.iter().filter_map(|id| reference(id)).collect::<BTreeSet<_>>() }))
        .collect();
    dependencies.sort_by_key(|dependency| key(dependency, "ref"));
    let main = purl("weave-cli", VERSION);
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": { "type": "application", "bom-ref": main, "name": "weave", "version": VERSION, "purl": main,
            "licenses": [{ "expression": "Apache-2.0 OR MIT" }] } },
        "components": components,
        "dependencies": dependencies,
    }))
}

/// A field as text, to sort by.
fn key(value: &Value, name: &str) -> String {
    value.get(name).map(Value::to_string).unwrap_or_default()
}

fn purl(name: &str, version: &str) -> String {
    format!("pkg:cargo/{name}@{version}")
}

/// The checksums of the lock file by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let field = |part: &str, name: &str| {
        let line = part.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""));
        line.and_then(|rest| rest.strip_suffix('"')).map(str::to_owned)
    };
    let parts = lock.split("[[package]]").skip(1);
    parts.filter_map(|part| Some(((field(part, "name")?, field(part, "version")?), field(part, "checksum")?))).collect()
}
