//! What all packages declare, and what it is called in one language.

use std::collections::BTreeMap;

use weave_ir::package::{Definitions, Names, Package, PackageTool, Shape, ToolUse, TypeDeclaration, TypeReference, Variant};

use crate::scope::Scope;

/// What the declarations of one package are called in one language.
#[derive(Debug, Default)]
pub(crate) struct PackageNames {
    /// The types, by their names in the package.
    pub(crate) types: BTreeMap<String, String>,
    /// The variants, by the union's name and the tag's value.
    pub(crate) variants: BTreeMap<(String, String), String>,
    /// The tools, by their names.
    pub(crate) tools: BTreeMap<String, String>,
    /// What makes errors, by their names, where that is called otherwise than their types.
    pub(crate) errors: BTreeMap<String, String>,
}

impl PackageNames {
    /// The names of types and of variants, as `called` says for what something is called and what it is in the program.
    pub(crate) fn of_types<'n>(package: &'n Package, taken: &mut Scope, called: impl Fn(&'n Names, &'n str) -> &'n str) -> Self {
        let types: Vec<&str> = package.types.iter().map(|it| called(&it.names, &it.name)).collect();
        let types = package.types.iter().map(|it| it.name.clone()).zip(taken.claim_all(&types)).collect();
        let variants = package.types.iter().flat_map(|declaration| {
            let variants = if let Shape::Union { variants, .. } = &declaration.shape { variants.as_slice() } else { &[] };
            variants.iter().map(move |variant| (declaration, variant))
        });
        let variants: Vec<(&TypeDeclaration, &Variant)> = variants.collect();
        let names: Vec<&str> = variants.iter().map(|(_, it)| called(&it.names, &it.wire)).collect();
        let keys = variants.iter().map(|(declaration, variant)| (declaration.name.clone(), variant.wire.clone()));
        Self { types, variants: keys.zip(taken.claim_all(&names)).collect(), ..Self::default() }
    }

    /// The same with the names of tools.
    pub(crate) fn with_tools<'n>(mut self, package: &'n Package, taken: &mut Scope, called: impl Fn(&'n Names) -> &'n str) -> Self {
        let names: Vec<&str> = package.tools.iter().map(|tool| called(&tool.names)).collect();
        self.tools = package.tools.iter().map(|tool| tool.name.clone()).zip(taken.claim_all(&names)).collect();
        self
    }
}

/// All packages, looked up by the names of the package and the declaration.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    packages: BTreeMap<&'a str, Known<'a>>,
    definitions: Definitions<'a>,
    missing: &'static str,
}

#[derive(Debug)]
struct Known<'a> {
    names: PackageNames,
    types: BTreeMap<&'a str, &'a TypeDeclaration>,
    tools: BTreeMap<&'a str, &'a PackageTool>,
}

impl<'a> Program<'a> {
    /// The packages with the names that `name` gives their declarations. What nothing declares, which does not happen, is called `missing`.
    pub(crate) fn new(packages: &'a [Package], missing: &'static str, name: impl Fn(&Package) -> PackageNames) -> Self {
        let known = |package: &'a Package| Known {
            names: name(package),
            types: package.types.iter().map(|ty| (ty.name.as_str(), ty)).collect(),
            tools: package.tools.iter().map(|tool| (tool.name.as_str(), tool)).collect(),
        };
        let definitions = Definitions::new(packages);
        Self { packages: packages.iter().map(|package| (package.name.as_str(), known(package))).collect(), definitions, missing }
    }

    /// What makes an error.
    pub(crate) fn error(&self, home: &str, reference: &TypeReference) -> &str {
        let package = self.packages.get(reference.package.as_deref().unwrap_or(home));
        package.and_then(|package| package.names.errors.get(&reference.name)).map_or(self.missing, String::as_str)
    }

    /// What a type is called, and what it is.
    pub(crate) fn ty(&self, home: &str, reference: &TypeReference) -> (&str, Option<&'a TypeDeclaration>) {
        let package = self.packages.get(reference.package.as_deref().unwrap_or(home));
        let name = package.and_then(|package| package.names.types.get(&reference.name));
        let declaration = package.and_then(|package| package.types.get(reference.name.as_str()).copied());
        (name.map_or(self.missing, String::as_str), declaration)
    }

    /// The named types that the schema of a type refers to itself: their names in `$defs`, and how they are named in the package `home`.
    pub(crate) fn referred(&self, home: &'a str, declaration: &'a TypeDeclaration) -> Vec<(&'a str, TypeReference)> {
        let reference = |(package, ty): (&str, &TypeDeclaration)| TypeReference {
            package: (package != home).then(|| package.to_owned()),
            name: ty.name.clone(),
        };
        self.definitions.referred(home, declaration).into_iter().map(|(name, found)| (name, reference(found))).collect()
    }

    /// What the type of a variant is called.
    pub(crate) fn variant(&self, home: &str, union: &str, wire: &str) -> &str {
        let variants = self.packages.get(home).map(|package| &package.names.variants);
        variants.and_then(|variants| variants.get(&(union.to_owned(), wire.to_owned()))).map_or(self.missing, String::as_str)
    }

    /// What a tool is called, and the tool.
    pub(crate) fn tool(&self, home: &str, used: &ToolUse) -> Option<(&str, &'a PackageTool)> {
        let package = self.packages.get(used.package.as_deref().unwrap_or(home))?;
        Some((package.names.tools.get(&used.name)?, *package.tools.get(used.name.as_str())?))
    }
}
