//! Skeletons: what people fill in to implement what is generated. They are written once and belong to whoever asked for them.

mod progress;
mod templates;

use std::cell::OnceCell;
use std::collections::BTreeSet;

use serde_json::{Value, json};
use weave_ir::package::{Package, TypeReference};

pub use progress::{Missing, Progress, progress};
pub use templates::{TemplateError, Templates};

use crate::Target;
use crate::tools::{Role, role};

/// Where skeletons lie, as far as it stands in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// How the generated files are imported from there: a path of Go, a package of Python, a relative path for TypeScript.
    pub import_path: String,
    /// The name of the folder.
    pub folder: String,
    /// The package that the files in the folder belong to already, where a language has such a thing: Go does.
    pub package: Option<String>,
}

/// A file to start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    /// The path in its folder.
    pub path: String,
    /// The text, with a newline at its end.
    pub contents: String,
    /// What the program asks of it, each of which may be asked later than the file was written.
    pub parts: Vec<Part>,
    /// What its parts may need to import.
    pub imports: Vec<Import>,
}

/// Something that a file imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The name under which it is used.
    pub name: String,
    /// The whole statement.
    pub text: String,
}

/// What a program asks of somebody's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What asks for it, such as `shop.Service`.
    pub interface: String,
    /// The name of what does it, such as `ShopService`.
    pub name: String,
    /// The whole of it.
    pub text: String,
    /// What it consists of.
    pub members: Vec<Member>,
}

/// One thing that is asked for, such as a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// By what it is found in somebody's file.
    pub name: String,
    /// What it is at first.
    pub text: String,
}

/// What interfaces are called, noted where they are written.
#[derive(Debug, Default)]
pub(crate) struct Interfaces {
    /// The one for all tools, and the function that makes tools of what implements it.
    pub(crate) service: OnceCell<(String, String)>,
    /// The one for what prompts need.
    pub(crate) hydrators: OnceCell<String>,
}

/// What is to be implemented, as templates see it.
#[derive(Clone, Debug)]
pub(crate) struct Implementation {
    /// What implements it.
    pub(crate) name: String,
    /// What asks for it, as it stands in the file.
    pub(crate) interface: String,
    /// What asks for it, as people are told.
    pub(crate) told: String,
    pub(crate) docs: String,
    pub(crate) methods: Vec<Method>,
}

/// A method, as templates see it.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(crate) name: String,
    /// The tool or the prompt, by its name in the program.
    pub(crate) wire: String,
    /// Its comment, with the line breaks.
    pub(crate) docs: String,
    /// What stands behind its name, or the whole of its head.
    pub(crate) signature: String,
    /// What it does before somebody has written it.
    pub(crate) body: String,
}

impl Implementation {
    fn value(&self) -> Value {
        json!({ "name": self.name, "interface": self.interface, "docs": self.docs, "methods": self.methods.iter().map(Method::value).collect::<Vec<_>>() })
    }

    /// The implementation, and each of its methods, as texts of templates called like these with the ending of the language behind them.
    pub(crate) fn part(&self, templates: &Templates, ending: &str) -> Result<Part, TemplateError> {
        let service = self.value();
        let member = |method: &Method| {
            let text = templates.render(&format!("method.{ending}"), &json!({ "service": service, "method": method.value() }))?;
            Ok(Member { name: method.name.clone(), text })
        };
        Ok(Part {
            interface: self.told.clone(),
            name: self.name.clone(),
            text: templates.render(&format!("type.{ending}"), &json!({ "service": service }))?,
            members: self.methods.iter().map(member).collect::<Result<_, _>>()?,
        })
    }
}

impl Method {
    fn value(&self) -> Value {
        json!({ "name": self.name, "wire": self.wire, "docs": self.docs, "signature": self.signature, "body": self.body })
    }
}

/// Adds something that a template may name.
fn add(facts: &mut Value, key: &str, value: Value) {
    if let Value::Object(facts) = facts {
        facts.insert(key.to_owned(), value);
    }
}

/// The file with the implementations that a package asks for, from the template `service` of the language.
pub(crate) fn skeleton(
    templates: &Templates,
    path: String,
    ending: &str,
    mut facts: Value,
    all: &[Implementation],
) -> Result<Skeleton, TemplateError> {
    add(&mut facts, "services", all.iter().map(Implementation::value).collect());
    let contents = templates.render(&format!("service.{ending}"), &facts)?;
    let parts = all.iter().map(|it| it.part(templates, ending)).collect::<Result<_, _>>()?;
    Ok(Skeleton { path, contents, parts, imports: Vec::new() })
}

/// Whether packages have tools of one name, which no handler serves together.
pub(crate) fn are_apart(packages: &[Package]) -> bool {
    let mut names = BTreeSet::new();
    let tools = packages.iter().flat_map(|package| &package.tools).filter(|tool| role(tool) == Role::Implemented);
    !tools.into_iter().all(|tool| names.insert(&tool.name))
}

/// What serves the tools of a package, for the file that a server is made of.
#[derive(Clone, Debug)]
pub(crate) struct Served {
    /// What implements the tools.
    pub(crate) name: String,
    /// The expression for the tools.
    pub(crate) tools: String,
    /// Where they are served if they stand apart, as a literal.
    pub(crate) path: String,
    /// The line that imports what is generated for them.
    pub(crate) generated: String,
    /// The line that imports what implements them, where it needs one.
    pub(crate) own: String,
}

/// The file that serves all tools, from the template of this name.
pub(crate) fn entry(templates: &Templates, name: &str, mut facts: Value, served: &[Served]) -> Result<Skeleton, TemplateError> {
    add(&mut facts, "services", served.iter().map(|it| json!({ "name": it.name, "tools": it.tools, "path": it.path })).collect());
    let [mut generated, mut own]: [Vec<&str>; 2] =
        [served.iter().map(|it| &*it.generated).collect(), served.iter().map(|it| &*it.own).collect()];
    for (key, lines) in [("generated", &mut generated), ("own", &mut own)] {
        lines.sort_by_cached_key(|line| natural(line));
        add(&mut facts, key, json!(lines));
    }
    let contents = templates.render(name, &facts)?;
    let part = |it: &Served| {
        let lines = [&it.generated, &it.own, &it.tools].into_iter().filter(|line| !line.is_empty());
        let text = lines.map(|line| format!("{line}\n")).collect::<String>();
        let member = Member { name: it.name.clone(), text: text.clone() };
        Part { interface: name.to_owned(), name: it.name.clone(), text, members: vec![member] }
    };
    // Only a template that makes a use of services can be expected to name them.
    let parts = served.iter().filter(|it| contents.contains(&it.name)).map(part).collect();
    Ok(Skeleton { path: name.to_owned(), contents, parts, imports: Vec::new() })
}

/// What texts are sorted by where numbers in them count as numbers, as linters want it for imports.
fn natural(text: &str) -> Vec<(char, u64)> {
    let mut parts: Vec<(char, u64)> = Vec::new();
    let mut in_number = false;
    for character in text.chars() {
        let digit = character.to_digit(10).map(u64::from);
        match (parts.last_mut(), digit) {
            (Some((_, number)), Some(digit)) if in_number => *number = number.saturating_mul(10).saturating_add(digit),
            (_, Some(digit)) => parts.push(('0', digit)),
            (_, None) => parts.push((character, 0)),
        }
        in_number = digit.is_some();
    }
    parts
}

/// A type of a package, as those that lie elsewhere name it.
pub(crate) fn from_outside(reference: &TypeReference, home: &str) -> TypeReference {
    TypeReference { package: reference.package.clone().or_else(|| Some(home.to_owned())), name: reference.name.clone() }
}

/// What is said where nobody has written what a prompt needs.
pub(crate) fn unhydrated(prompt: &str) -> String {
    format!("what the prompt {prompt} needs is not implemented")
}

/// The names and the texts of the templates of a language.
#[must_use]
pub const fn templates(target: Target) -> &'static [(&'static str, &'static str)] {
    match target {
        Target::Go => crate::go::TEMPLATES,
        Target::Python => crate::python::TEMPLATES,
        Target::TypeScript => crate::typescript::TEMPLATES,
    }
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn numbers_in_texts_are_sorted_as_numbers() {
        let mut names = ["from gen.a10 import", "from gen.b import", "from gen.a2 import", "from gen.a_ import", "from gen.a import"];
        names.sort_by_cached_key(|name| natural(name));
        let names = names.map(|name| name.trim_start_matches("from gen.").trim_end_matches(" import"));
        assert_eq!(names, ["a", "a2", "a10", "a_", "b"]);
    }
}
