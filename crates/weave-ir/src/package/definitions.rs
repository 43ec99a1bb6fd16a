//! Schemas that need no other document, put together of those that refer to each other.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{Package, TypeDeclaration, TypeReference};
use crate::Schema;

/// The types of all packages of a program, each of which stands there once.
#[derive(Clone, Debug)]
pub struct Definitions<'a> {
    types: BTreeMap<(&'a str, &'a str), &'a TypeDeclaration>,
}

impl<'a> Definitions<'a> {
    /// The types of these packages.
    #[must_use]
    pub fn new(packages: &'a [Package]) -> Self {
        let of = |package: &'a Package| package.types.iter().map(|ty| ((package.name.as_str(), ty.name.as_str()), ty));
        Self { types: packages.iter().flat_map(of).collect() }
    }

    /// The type that `reference` is in the package `home`, and the name of the package that declares it.
    #[must_use]
    pub fn get(&self, home: &'a str, reference: &'a TypeReference) -> Option<(&'a str, &'a TypeDeclaration)> {
        let package = reference.package.as_deref().unwrap_or(home);
        self.types.get(&(package, reference.name.as_str())).map(|declaration| (package, *declaration))
    }

    /// What the schema of a type of the package `home` refers to itself: by the names in `$defs`, the package of each and the type.
    #[must_use]
    pub fn referred(&self, home: &'a str, declaration: &'a TypeDeclaration) -> BTreeMap<&'a str, (&'a str, &'a TypeDeclaration)> {
        let mut found = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![(home, declaration)];
        while let Some((home, inner)) = open.pop() {
            for reference in inner.mentioned() {
                let Some((package, ty)) = self.get(home, reference) else { continue };
                match ty.definition.as_deref() {
                    Some(name) => drop(found.insert(name, (package, ty))),
                    // The schema of what was written in place stands in this one.
                    None if seen.insert((package, ty.name.as_str())) => open.push((package, ty)),
                    None => {}
                }
            }
        }
        found
    }

    /// The schema of a type of the package `home`, with all that it refers to in its `$defs`.
    #[must_use]
    pub fn document(&self, home: &'a str, declaration: &'a TypeDeclaration) -> Schema {
        let mut needed = BTreeMap::new();
        let mut open = vec![(home, declaration)];
        while let Some((home, ty)) = open.pop() {
            for (name, found) in self.referred(home, ty) {
                if needed.insert(name, found.1).is_none() {
                    open.push(found);
                }
            }
        }
        let mut schema = declaration.schema.0.clone();
        if let (Value::Object(entries), false) = (&mut schema, needed.is_empty()) {
            let entry = |(name, ty): (&str, &TypeDeclaration)| (name.to_owned(), ty.schema.0.clone());
            entries.insert("$defs".to_owned(), Value::Object(needed.into_iter().map(entry).collect::<Map<_, _>>()));
        }
        Schema(schema)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::package::{Field, Names, Record, Shape, TypeUse};

    fn named(package: Option<&str>, name: &str) -> TypeReference {
        TypeReference { package: package.map(str::to_owned), name: name.to_owned() }
    }

    fn declared(name: &str, definition: Option<&str>, fields: &[TypeReference]) -> TypeDeclaration {
        let field = |reference: &TypeReference| Field {
            wire: reference.name.clone(),
            names: Names::default(),
            about: Default::default(),
            ty: TypeUse::Named(reference.clone()),
            optional: true,
            default: None,
            secret: false,
        };
        let shape = Shape::Record(Record { fields: fields.iter().map(field).collect(), open: false });
        let schema = Schema(json!({ "title": name }));
        let definition = definition.map(str::to_owned);
        TypeDeclaration { name: name.to_owned(), names: Names::default(), about: Default::default(), shape, schema, definition }
    }

    #[test]
    fn a_document_holds_what_can_be_reached_and_nothing_else() {
        let one = Package {
            name: "one".to_owned(),
            types: vec![
                declared("Start", None, &[named(None, "Start_inner")]),
                declared("Start_inner", None, &[named(Some("two"), "A")]),
                declared("Alone", Some("Alone"), &[]),
            ],
            ..Package::default()
        };
        let two = Package {
            name: "two".to_owned(),
            types: vec![declared("A", Some("A_1"), &[named(None, "B")]), declared("B", Some("B"), &[named(None, "A")])],
            ..Package::default()
        };
        let packages = [one, two];
        let definitions = Definitions::new(&packages);
        let document = |package: usize, ty: usize| definitions.document(&packages[package].name, &packages[package].types[ty]).0;
        let defs = json!({ "A_1": { "title": "A" }, "B": { "title": "B" } });
        assert_eq!(document(0, 0), json!({ "title": "Start", "$defs": defs }));
        assert_eq!(document(1, 0), json!({ "title": "A", "$defs": defs }));
        assert_eq!(document(0, 2), json!({ "title": "Alone" }));
    }
}
