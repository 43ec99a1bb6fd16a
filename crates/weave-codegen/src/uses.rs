//! Which packages use which others.

use std::collections::{BTreeMap, BTreeSet};

use weave_ir::package::{Failure, Package, TypeDeclaration, TypeReference};

/// The files of packages that use each other, if there are any: the first round that is found, in its order.
pub(crate) fn cycle(packages: &[Package]) -> Option<Vec<String>> {
    let uses: BTreeMap<&str, BTreeSet<String>> = packages.iter().map(|package| (package.name.as_str(), used(package))).collect();
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for start in uses.keys() {
        // The packages on the way, each with those that it uses and nobody has looked at.
        let mut way: Vec<(&str, Vec<&str>)> = vec![(start, next(&uses, start))];
        while let Some((name, open)) = way.last_mut() {
            let Some(other) = open.pop() else {
                done.insert(name);
                way.pop();
                continue;
            };
            if let Some(from) = way.iter().position(|(name, _)| *name == other) {
                let round = way.get(from..).unwrap_or_default().iter().map(|(name, _)| *name);
                let source = |name: &str| packages.iter().find(|package| package.name == name).map(|package| package.source.clone());
                return Some(round.filter_map(source).collect());
            }
            if !done.contains(other) {
                way.push((other, next(&uses, other)));
            }
        }
    }
    None
}

fn next<'a>(uses: &'a BTreeMap<&str, BTreeSet<String>>, name: &str) -> Vec<&'a str> {
    uses.get(name).into_iter().flatten().map(String::as_str).collect()
}

/// The other packages that this one uses.
fn used(package: &Package) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = in_types(package).into_iter().filter_map(|reference| reference.package.clone()).collect();
    let mut add = |reference: &TypeReference| found.extend(reference.package.clone());
    for tool in &package.tools {
        for failure in &tool.fails {
            if let Failure::Error(reference) = failure {
                add(reference);
            }
        }
        for reference in [Some(&tool.input), tool.output.as_ref(), tool.progress.as_ref(), tool.artifacts.as_ref()].into_iter().flatten() {
            add(reference);
        }
    }
    let entries = package.toolkits.iter().flat_map(|toolkit| &toolkit.tools);
    found.extend(entries.filter_map(|entry| entry.tool.package.clone()));
    found.remove(&package.name);
    found
}

/// The types that those of a package are made of.
pub(crate) fn in_types(package: &Package) -> Vec<&TypeReference> {
    package.types.iter().flat_map(TypeDeclaration::mentioned).collect()
}
