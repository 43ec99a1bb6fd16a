//! Python: a package with a package for each file, and one with what they share. They need pydantic and nothing else.

mod builders;
mod codecs;
mod hints;
mod imports;
mod layout;
mod literal;
mod names;
mod parts;
mod pattern;
mod scaffold;
mod services;
mod tools;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use weave_ir::package::{Package, TypeReference};

use crate::program::Program;
use crate::scaffold::Interfaces;
use crate::text::header;
use crate::uses::in_types;
use crate::{Options, OutputFile};
use literal::docstring;
use names::{folder, names};

/// The folder of what all packages share; no package has such a name.
const SHARED: &str = "_weave";

/// What all packages share.
const RUNTIME: &[(&str, &str)] = &[
    ("__init__.py", include_str!("runtime/__init__.py")),
    ("asgi.py", include_str!("runtime/asgi.py")),
    ("guard.py", include_str!("runtime/guard.py")),
    ("json.py", include_str!("runtime/json.py")),
    ("model.py", include_str!("runtime/model.py")),
    ("nodes.py", include_str!("runtime/nodes.py")),
    ("open.py", include_str!("runtime/open.py")),
    ("operators.py", include_str!("runtime/operators.py")),
    ("paths.py", include_str!("runtime/paths.py")),
    ("patterns.py", include_str!("runtime/patterns.py")),
    ("scalars.py", include_str!("runtime/scalars.py")),
    ("template.py", include_str!("runtime/template.py")),
    ("templates.py", include_str!("runtime/templates.py")),
    ("tools.py", include_str!("runtime/tools.py")),
    ("values.py", include_str!("runtime/values.py")),
];

pub(crate) use scaffold::{TEMPLATES, scaffold};

/// What serves tools over the Model Context Protocol.
const MCP: (&str, &str) = ("mcp.py", include_str!("runtime/mcp.py"));

pub(crate) fn generate(packages: &[Package], options: &Options) -> Vec<OutputFile> {
    let program = Program::new(packages, "object", names);
    let shared = RUNTIME
        .iter()
        .chain(options.mcp.then_some(&MCP))
        .map(|(name, text)| OutputFile { path: format!("{SHARED}/{name}"), contents: format!("{}{text}", header("#", None)) });
    let mut files: Vec<OutputFile> = shared.collect();
    files.push(OutputFile { path: "__init__.py".to_owned(), contents: format!("{}\"\"\"What is generated.\"\"\"\n", header("#", None)) });
    // Checkers of types look for it in the outermost package.
    files.push(OutputFile { path: "py.typed".to_owned(), contents: header("#", None).trim_end().to_owned() + "\n" });
    let circles = circles_of(packages);
    for package in packages {
        let taken = package.types.iter().map(|ty| program.ty(&package.name, &own(&ty.name)).0).collect();
        let found = Interfaces::default();
        files.extend(Module { program: &program, package, circles: &circles, taken: &taken, found: &found }.files());
    }
    if let Some(all) = &options.builders {
        files.extend(builders::files(packages, all));
    }
    files
}

/// A number for each package, the same for those whose types are made of each other.
fn circles_of(packages: &[Package]) -> BTreeMap<&str, usize> {
    let needed = |package| in_types(package).into_iter().filter_map(|reference| reference.package.as_deref()).collect();
    circles(&packages.iter().map(|package| (package.name.as_str(), needed(package))).collect())
}

/// A number for each package, the same for those that need each other.
fn circles<'a>(needs: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeMap<&'a str, usize> {
    let mut needed: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let of = |package: &str| needs.get(package).into_iter().flatten().copied().collect::<Vec<_>>();
    // Kosaraju: in the order in which they were done with, each reaches against the arrows those that it shares a circle with.
    let (mut seen, mut done) = (BTreeSet::new(), Vec::new());
    for (package, all) in needs {
        all.iter().for_each(|need| needed.entry(need).or_default().push(package));
        let mut way = if seen.insert(*package) { vec![(*package, of(package))] } else { Vec::new() };
        while let Some((here, left)) = way.last_mut() {
            match left.pop() {
                Some(next) if seen.insert(next) => way.push((next, of(next))),
                Some(_) => {}
                None => {
                    done.push(*here);
                    way.pop();
                }
            }
        }
    }
    let mut found = BTreeMap::new();
    for (number, package) in done.iter().rev().enumerate() {
        let mut left = vec![*package];
        while let Some(next) = left.pop() {
            if !found.contains_key(next) {
                found.insert(next, number);
                left.extend(needed.get(next).into_iter().flatten());
            }
        }
    }
    found
}

/// One package on its way to modules.
#[derive(Clone, Copy)]
struct Module<'a> {
    program: &'a Program<'a>,
    package: &'a Package,
    /// What tells which packages need each other.
    circles: &'a BTreeMap<&'a str, usize>,
    /// What the types are called.
    taken: &'a BTreeSet<&'a str>,
    /// What the interfaces are called, once they are written.
    found: &'a Interfaces,
}

/// A type of the package itself.
fn own(name: &str) -> TypeReference {
    TypeReference { package: None, name: name.to_owned() }
}

impl Module<'_> {
    /// Whether the types of another package are made of those of this one, and the other way round.
    fn is_in_circle_with(self, package: &str) -> bool {
        self.circles.get(package).is_some_and(|circle| self.circles.get(self.package.name.as_str()) == Some(circle))
    }

    fn files(self) -> Vec<OutputFile> {
        let written: [(&str, &str, Option<String>); 9] = [
            ("agents", "What agents are given, and what they answer.", self.agents()),
            ("codecs", "What reads and writes values.", self.codecs()),
            ("errors", "The errors that tools fail with.", self.errors()),
            ("events", "Events, with their topics and payloads.", self.events()),
            ("prompts", "The texts of prompts.", self.prompts()),
            ("schemas", "The JSON Schemas of types.", self.schemas()),
            ("tools", "Tools, and what implements them.", self.tools()),
            ("types", "What values are.", Some(self.types())),
            ("workflows", "Workflows, with their definitions.", self.workflows()),
        ];
        let folder = folder(&self.package.name);
        let header = header("#", Some(&self.package.source));
        let file = |name: &str, text: String| OutputFile {
            path: format!("{folder}/{name}.py"),
            contents: format!("{header}{}{}\n", unformatted(&text), text.trim_end()),
        };
        let about = self.package.description.clone().unwrap_or_else(|| format!("What `{}` declares.", self.package.source));
        let mut files = vec![file("__init__", docstring(Some(&about), None, 0))];
        let written = written.into_iter().filter_map(|(name, about, text)| Some((name, about, text?)));
        files.extend(written.map(|(name, about, text)| file(name, format!("\"\"\"{about}\"\"\"\n\n{text}"))));
        files
    }
}

/// Lines have no room for long names, and how formatters break them then changes from version to version: they are told to leave the file.
fn unformatted(text: &str) -> &'static str {
    const LONGEST: usize = 40;
    let is_long = |word: &str| word.len() > LONGEST && word.contains(|it: char| !it.is_ascii_hexdigit());
    if text.split(|it: char| !it.is_alphanumeric() && it != '_').any(is_long) { "# fmt: off\n\n" } else { "" }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::{circles, unformatted};

    #[test]
    fn formatters_leave_files_with_long_names() {
        assert_eq!(unformatted(&format!("a = {}", "x_".repeat(21))), "# fmt: off\n\n");
        assert_eq!(unformatted(&format!("a = {}.{}", "x".repeat(40), "0a".repeat(32))), "");
    }

    #[test]
    fn packages_that_need_each_other_are_found() {
        let needs = BTreeMap::from([
            ("a", BTreeSet::from(["b"])),
            ("b", BTreeSet::from(["c"])),
            ("c", BTreeSet::from(["a", "d"])),
            ("d", BTreeSet::new()),
        ]);
        let found = circles(&needs);
        assert!(found["a"] == found["b"] && found["b"] == found["c"] && found["c"] != found["d"]);
        let line = BTreeMap::from([("a", BTreeSet::from(["b"])), ("b", BTreeSet::from(["c"])), ("c", BTreeSet::new())]);
        assert_eq!(circles(&line).values().collect::<BTreeSet<_>>().len(), 3);
    }
}
