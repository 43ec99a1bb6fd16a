//! What a module imports.

use std::collections::BTreeSet;

use super::layout::import_line;
use super::names::folder;
use crate::scaffold::Import;

/// What a module of a package uses of other modules. Their names begin with `_`, which no name that is made from a program does.
#[derive(Debug, Default)]
pub(super) struct Imports {
    /// From the libraries: the module and the name.
    names: BTreeSet<(&'static str, &'static str)>,
    shared: bool,
    /// From other packages: the package and the module.
    others: BTreeSet<(String, &'static str)>,
    /// Modules of the package itself.
    own: BTreeSet<&'static str>,
    /// Other packages whose types need this one's, and so stand behind them.
    late: BTreeSet<String>,
    /// For a module that lies elsewhere, such as one that people write: what the generated packages lie in.
    outside: Option<String>,
}

impl Imports {
    /// For a module that lies elsewhere and imports the generated packages from this one. Its names are those that people would give.
    pub(super) fn outside(root: &str) -> Self {
        Self { outside: Some(root.to_owned()), ..Self::default() }
    }

    /// A name of the standard library, such as `Literal` of `typing`.
    pub(super) fn name(&mut self, module: &'static str, name: &'static str) -> &'static str {
        self.names.insert((module, name));
        name
    }

    /// A name of `typing`.
    pub(super) fn typing(&mut self, name: &'static str) -> &'static str {
        self.name("typing", name)
    }

    /// What all packages share.
    pub(super) fn shared(&mut self, name: &str) -> String {
        self.shared = true;
        if self.outside.is_some() { format!("weave.{name}") } else { format!("_w.{name}") }
    }

    /// A name in a module of this or another package.
    pub(super) fn of(&mut self, package: Option<&str>, module: &'static str, name: &str) -> String {
        match package {
            None => {
                self.own.insert(module);
                format!("_{module}.{name}")
            }
            Some(package) => {
                self.others.insert((package.to_owned(), module));
                if self.outside.is_some() { format!("{package}_{module}.{name}") } else { format!("_{module}_{package}.{name}") }
            }
        }
    }

    /// A type of another package that needs types of this one.
    pub(super) fn late(&mut self, package: &str, name: &str) -> String {
        self.late.insert(package.to_owned());
        self.typing("TYPE_CHECKING");
        format!("_types_{package}.{name}")
    }

    /// The lines at the top.
    pub(super) fn top(&self) -> String {
        let mut groups = vec!["from __future__ import annotations\n".to_owned()];
        let mut modules: Vec<(&str, Vec<&str>)> = Vec::new();
        for (module, name) in &self.names {
            match modules.last_mut() {
                Some((last, names)) if last == module => names.push(name),
                _ => modules.push((module, vec![name])),
            }
        }
        let lines = |third: bool| {
            let found = modules.iter().filter(|(module, _)| (*module == "pydantic") == third);
            found.map(|(module, names)| format!("from {module} import {}\n", sorted(names))).collect::<String>()
        };
        groups.push(lines(false));
        groups.push(lines(true));
        let mut own = String::new();
        match &self.outside {
            None if self.shared => own.push_str("from .. import _weave as _w\n"),
            Some(root) if self.shared => own.push_str(&format!("from {root} import _weave as weave\n")),
            _ => {}
        }
        for (package, module) in &self.others {
            own.push_str(&match &self.outside {
                None => import(package, module, 0),
                Some(root) => format!("{}\n", import_outside(root, package, module)),
            });
        }
        for module in &self.own {
            own.push_str(&format!("from . import {module} as _{module}\n"));
        }
        groups.push(own);
        groups.retain(|group| !group.is_empty());
        let late = self.late.iter().map(|package| import(package, "types", 4));
        groups.extend((!self.late.is_empty()).then(|| format!("if TYPE_CHECKING:\n{}", late.collect::<String>())));
        groups.join("\n")
    }

    /// What a module that lies elsewhere imports, a statement each.
    pub(super) fn all(&self) -> Vec<Import> {
        let names = self.names.iter().map(|(module, name)| ((*name).to_owned(), format!("from {module} import {name}")));
        let root = self.outside.as_deref().unwrap_or_default();
        let shared = self.shared.then(|| ("weave".to_owned(), format!("from {root} import _weave as weave")));
        let others = self.others.iter().map(|(package, module)| (format!("{package}_{module}"), import_outside(root, package, module)));
        names.chain(shared).chain(others).map(|(name, text)| Import { name, text }).collect()
    }

    /// The lines behind the classes that the types of other packages need.
    pub(super) fn bottom(&self) -> String {
        let found = |package: &String| format!("    _types_{package} = _w.module(\"..{}.types\", __package__)\n", folder(package));
        let lines: String = self.late.iter().map(found).collect();
        if lines.is_empty() { lines } else { format!("if not TYPE_CHECKING:\n{lines}") }
    }
}

fn import_outside(root: &str, package: &str, module: &str) -> String {
    import_line(&format!("{root}.{}", folder(package)), &format!("{module} as {package}_{module}"), 0)
}

fn import(package: &str, module: &str, indent: usize) -> String {
    let line = import_line(&format!("..{}", folder(package)), &format!("{module} as _{module}_{package}"), indent);
    format!("{}{line}\n", " ".repeat(indent))
}

/// Constants first, then classes, then anything else, as is the custom.
fn sorted(names: &[&str]) -> String {
    let order = |name: &&str| {
        (name.chars().any(|it| it.is_ascii_lowercase()), name.starts_with(|it: char| it.is_ascii_lowercase()), (*name).to_owned())
    };
    let mut names = names.to_vec();
    names.sort_by_key(order);
    names.join(", ")
}
