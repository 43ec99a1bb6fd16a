//! What the types of a definition are called in its `$defs`.
//!
//! A type has the name that it was declared with. Two types from different files may share a name: if they say the same they are
//! one entry, else each gets a piece of the digest of what it says, so that the names depend on nothing but the types themselves.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use weave_analysis::model::{DeclarationId, Model};
use weave_ir::sha256;

use crate::schema::{Schemas, TypeNames};

/// The names of these types.
pub(super) fn names(model: &Model, types: &[DeclarationId]) -> TypeNames {
    let declared = |id: DeclarationId| model.get(id).map(|declaration| &*declaration.name).unwrap_or_default();
    let mut by_name: BTreeMap<&str, Vec<DeclarationId>> = BTreeMap::new();
    for id in types {
        by_name.entry(declared(*id)).or_default().push(*id);
    }
    let mut names: TypeNames = types.iter().map(|id| (*id, declared(*id).to_owned())).collect();
    if by_name.values().all(|same| same.len() == 1) {
        return names;
    }
    let digests = digests(model, types, &names);
    let digest = |id: DeclarationId| digests.get(&id).map(String::as_str).unwrap_or_default();
    let mut taken: FxHashSet<String> = by_name.keys().map(|name| (*name).to_owned()).collect();
    for (name, same) in by_name {
        let mut different: Vec<&str> = same.iter().map(|id| digest(*id)).collect();
        different.sort_unstable();
        different.dedup();
        if different.len() > 1 {
            for text in different {
                let chosen = distinct(name, text, &mut taken);
                for id in same.iter().filter(|id| digest(**id) == text) {
                    names.insert(*id, chosen.clone());
                }
            }
        }
    }
    names
}

/// The name with as much of the digest as it needs to be the only one.
fn distinct(name: &str, digest: &str, taken: &mut FxHashSet<String>) -> String {
    let lengths = [8, 16, 32, 64];
    let mut candidates = lengths.iter().filter_map(|length| Some(format!("{name}_{}", digest.get(..*length)?)));
    let chosen = candidates.find(|candidate| !taken.contains(candidate)).unwrap_or_else(|| format!("{name}_{digest}"));
    taken.insert(chosen.clone());
    chosen
}

/// A digest of what each type says. Types refer to each other in cycles, so first only their own texts count, then those of their
/// neighbours, and so on until no more types can be told apart.
fn digests(model: &Model, types: &[DeclarationId], declared: &TypeNames) -> FxHashMap<DeclarationId, String> {
    let mut digests = declared.clone();
    let mut kinds = 0;
    loop {
        let schemas = Schemas { model, names: &digests };
        let next: TypeNames = types
            .iter()
            .filter_map(|id| {
                let declaration = model.get(*id)?;
                let text = format!("{}\n{}", declaration.name, schemas.declaration(declaration));
                let digest = sha256(text.as_bytes());
                Some((*id, digest.trim_start_matches("sha256:").to_owned()))
            })
            .collect();
        let found = next.values().collect::<FxHashSet<_>>().len();
        digests = next;
        if found == kinds {
            return digests;
        }
        kinds = found;
    }
}
