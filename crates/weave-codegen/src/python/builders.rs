//! Builders: what programs name parts by, the data of the parts, and workflows as programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use weave_ir::package::{Builders, Definitions, Field, Names, Package, PackageWorkflow, PartKey, PartKind};

use super::literal::{docstring, text};
use super::names::{folder, identifier, scope};
use super::{SHARED, header};
use crate::OutputFile;
use crate::builders::code::{Code, Layout, Lines, Piece};
use crate::builders::handles::{Handle, KINDS, Section, handles, may_be_left_out, section};
use crate::builders::{self, Naming, data, written};

const LINES: Lines = Lines { width: 88, indent: "    ", columns: 4 };

/// What all builders share.
const RUNTIME: &[(&str, &str)] = &[
    ("builder.py", include_str!("runtime/builder.py")),
    ("builder_actions.py", include_str!("runtime/builder_actions.py")),
    ("builder_guards.py", include_str!("runtime/builder_guards.py")),
    ("builder_parts.py", include_str!("runtime/builder_parts.py")),
    ("builder_types.py", include_str!("runtime/builder_types.py")),
    ("builder_values.py", include_str!("runtime/builder_values.py")),
];

/// The names that a module with programs has of its own.
const TAKEN: [&str; 10] = ["w", "flow", "timedelta", "BuiltIn", "Agents", "Errors", "Topics", "Tools", "Types", "Workflows"];

/// The files of builders.
pub(super) fn files(packages: &[Package], all: &Builders) -> Vec<OutputFile> {
    let shared = RUNTIME.iter().map(|(name, text)| (*name, (*text).to_owned()));
    let shared = shared.chain([("part_data.py", parts(all)), ("topics.py", topics(all))]);
    let shared =
        shared.map(|(name, text)| OutputFile { path: format!("{SHARED}/{name}"), contents: format!("{}{text}", header("#", None)) });
    let mut files: Vec<OutputFile> = shared.collect();
    let definitions = Definitions::new(packages);
    let found: Vec<Found<'_>> = packages.iter().map(|package| Found::new(package, all, &definitions)).collect();
    let handled = found.iter().flat_map(|found| found.handles.values()).flatten();
    let names: BTreeMap<PartKey, String> = handled.map(|handle| (handle.key.clone(), handle.name.clone())).collect();
    for found in &found {
        let package = found.package;
        let head = header("#", Some(&package.source));
        let mut add = |name: &str, text: String| {
            let path = format!("{}/{name}.py", folder(&package.name));
            files.push(OutputFile { path, contents: format!("{head}{}\n", text.trim_end()) });
        };
        if !found.handles.is_empty() {
            add("parts", found.module());
        }
        if !package.workflows.is_empty() {
            add("builders", programs(all, package, &names));
        }
    }
    files
}

/// What something is called among those of its kind.
fn called(kind: PartKind, names: &Names, wire: &str) -> String {
    match kind {
        PartKind::Event | PartKind::Error => wire.replace('.', "_"),
        _ => names.python.clone(),
    }
}

/// The data of all parts, each as JSON that nobody reads before it is used.
fn parts(all: &Builders) -> String {
    let mut out = String::from("\"\"\"What definitions are put together from, as JSON.\"\"\"\n\nPARTS: dict[str, str] = {\n");
    for (key, part) in &all.parts {
        _ = writeln!(out, "    {}: {},", text(&builders::key(key)), text(&data(part).to_string()));
    }
    out.push_str("}\n");
    out
}

/// The topics that no package declares.
fn topics(all: &Builders) -> String {
    let mut out = String::from(
        "\"\"\"The built-in topics.\"\"\"\n\nfrom . import builder as w\n\n\nclass Topics:\n    \"\"\"The built-in topics.\"\"\"\n\n",
    );
    for key in all.parts.keys().filter(|key| key.package.is_none() && key.kind == PartKind::Event) {
        _ = writeln!(out, "    {} = w.EventPart[w.Value]({})", built_in(key), text(&builders::key(key)));
    }
    out
}

fn built_in(key: &PartKey) -> String {
    identifier(&key.name.replace('.', "_"))
}

/// What programs name of a package.
struct Found<'a> {
    package: &'a Package,
    handles: BTreeMap<PartKind, Vec<Handle<'a>>>,
    /// What the types of what parts are given are called.
    given: BTreeMap<PartKey, String>,
}

impl<'a> Found<'a> {
    fn new(package: &'a Package, all: &'a Builders, definitions: &Definitions<'a>) -> Self {
        let mut taken = scope();
        let own = ["w", "NotRequired", "TypedDict"].into_iter().chain(KINDS.map(|kind| section(kind).name));
        own.for_each(|name| _ = taken.claim(name));
        let mut given = BTreeMap::new();
        for handle in handles(all, definitions, package, &scope(), called).values().flatten().filter(|handle| handle.given.is_some()) {
            let what = if handle.key.kind == PartKind::Event { "Payload" } else { "Arguments" };
            given.insert(handle.key.clone(), taken.claim(&format!("{}{what}", handle.type_names.python.trim_start_matches('_'))));
        }
        // What stands in a class hides what is called like it around.
        Self { package, handles: handles(all, definitions, package, &taken, called), given }
    }

    /// The module with what programs name parts by.
    fn module(&self) -> String {
        let [mut types, mut classes] = [const { String::new() }; 2];
        let mut typing = BTreeSet::new();
        for (kind, handles) in &self.handles {
            let Section { name, class, about } = section(*kind);
            _ = write!(classes, "\n\nclass {name}:\n    \"\"\"{about}\"\"\"\n\n");
            for handle in handles {
                let mut items = vec![Layout::text(text(&builders::key(&handle.key)))];
                let mut argument = "";
                match self.given.get(&handle.key).zip(handle.given) {
                    Some((given, fields)) => {
                        items.push(Layout::text(given));
                        types.push_str(&typed(given, handle, fields, &mut typing));
                    }
                    None if *kind == PartKind::Event => argument = "[w.Value]",
                    None if *kind == PartKind::Type => items.push(Layout::text(text(&handle.part.name))),
                    None => {}
                }
                let layout = Layout::call(format!("w.{class}{argument}"), items).behind(format!("{} = ", handle.name));
                classes.push_str(&layout.statement(LINES, 1, ""));
                classes.push_str(&docstring(handle.about.description.as_deref(), handle.about.deprecated.as_deref(), 4));
            }
        }
        let typing: Vec<&str> = typing.into_iter().collect();
        let typing = if typing.is_empty() { String::new() } else { format!("from typing import {}\n\n", typing.join(", ")) };
        // Behind imports, what is no class has one empty line before it.
        let types = if types.starts_with("\n\nclass ") { types.as_str() } else { types.get(1..).unwrap_or_default() };
        let about = "\"\"\"What programs that build workflows name parts by.\"\"\"";
        format!("{about}\n\n{typing}from .._weave import builder as w\n{types}{classes}")
    }
}

/// The type of what a part is given: a `TypedDict`, as a class where that can have all names.
fn typed(name: &str, handle: &Handle<'_>, fields: &[Field], typing: &mut BTreeSet<&'static str>) -> String {
    typing.insert("TypedDict");
    let mut hint = |field: &Field| match may_be_left_out(field) {
        true => {
            typing.insert("NotRequired");
            "NotRequired[w.Value]"
        }
        false => "w.Value",
    };
    let what = if handle.key.kind == PartKind::Event { "The payload of" } else { "What is given to" };
    let said = format!("{what} `{}`.", handle.key.name);
    // Names that begin with `_` would be changed, and one that is like a name of the module would hide it.
    if fields.iter().all(|field| field.wire != "w" && field.wire != "NotRequired" && is_plain(&field.wire)) {
        let docs = docstring(Some(&said), handle.about.deprecated.as_deref(), 4);
        let lines = fields.iter().map(|field| {
            let docs = docstring(field.about.description.as_deref(), field.about.deprecated.as_deref(), 4);
            format!("    {}\n{docs}", hinted(&format!("{}: ", field.wire), hint(field), 1, ""))
        });
        let lines: String = lines.collect();
        let gap = if lines.is_empty() { "" } else { "\n" };
        let head = format!("class {name}(TypedDict)");
        let head = if head.chars().count() < LINES.width { head } else { format!("class {name}(\n    TypedDict\n)") };
        return format!("\n\n{head}:\n{docs}{gap}{lines}");
    }
    let item = |field: &Field| Layout::text(hinted(&format!("{}: ", text(&field.wire)), hint(field), 2, ","));
    let items = fields.iter().map(item).collect();
    let fields = Layout::Bracket { head: String::new(), open: "{", items, close: "}" };
    let made = Layout::call("TypedDict", vec![Layout::text(text(name)), fields]).behind(format!("{name} = "));
    format!("\n\n{}{}", made.statement(LINES, 0, ""), docstring(Some(&said), handle.about.deprecated.as_deref(), 0))
}

/// A field with its type. Where there is no room for both, what stands in brackets has a line of its own.
fn hinted(key: &str, hint: &str, depth: usize, behind: &str) -> String {
    if depth * LINES.columns + key.chars().count() + hint.len() + behind.len() <= LINES.width {
        return format!("{key}{hint}");
    }
    let [inner, margin] = [depth + 1, depth].map(|depth| LINES.indent.repeat(depth));
    format!("{key}{}", hint.replace('[', &format!("[\n{inner}")).replace(']', &format!("\n{margin}]")))
}

/// Whether something can be the name of a field as it is.
fn is_plain(name: &str) -> bool {
    let is_word = name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    is_word && identifier(name) == name
}

/// The module with the programs of a package.
fn programs(all: &Builders, package: &Package, names: &BTreeMap<PartKey, String>) -> String {
    let mut writer =
        Writer { names, home: &package.name, packages: BTreeSet::new(), own: BTreeSet::new(), has_built_in: false, has_times: false };
    let mut out = String::new();
    let mut taken = scope();
    TAKEN.into_iter().for_each(|name| _ = taken.claim(name));
    let function = |workflow: &PackageWorkflow| workflow.names.python.clone();
    let naming = Naming { functions: taken.clone(), variables: taken, function, variable: str::to_owned };
    for program in written(all, package, naming) {
        let (function, workflow) = (program.function, program.workflow);
        let docs = docstring(Some(&format!("Builds the workflow `{}`.", workflow.name)), None, 4);
        let (signature, gives) = (format!("def {function}() -> "), "w.Workflow");
        _ = match signature.chars().count() + gives.len() < LINES.width {
            true => write!(out, "\n\n{signature}{gives}:\n{docs}"),
            false => write!(out, "\n\n{signature}(\n    {gives}\n):\n{docs}"),
        };
        for statement in &program.statements {
            let layout = statement.layout(|name| format!("{name} = "), |code| writer.layout(code));
            out.push_str(&layout.statement(LINES, 1, ""));
        }
        out.push_str("    return flow\n");
    }
    let mut imports = vec!["from .._weave import builder as w".to_owned()];
    if writer.has_built_in {
        imports.push("from .._weave.topics import Topics as BuiltIn".to_owned());
    }
    for package in &writer.packages {
        imports.push(format!("from ..{package} import parts as _{package}"));
    }
    if !writer.own.is_empty() {
        imports.push(format!("from .parts import {}", writer.own.iter().copied().collect::<Vec<_>>().join(", ")));
    }
    let times = if writer.has_times { "from datetime import timedelta\n\n" } else { "" };
    format!("\"\"\"Programs that build the workflows.\"\"\"\n\n{times}{}\n{out}", imports.join("\n"))
}

/// Writes the code of one module.
struct Writer<'a> {
    names: &'a BTreeMap<PartKey, String>,
    home: &'a str,
    /// The folders of the other packages of which it names parts.
    packages: BTreeSet<String>,
    /// What it names of its own.
    own: BTreeSet<&'static str>,
    has_built_in: bool,
    has_times: bool,
}

/// A name of the library, which is none of the words of the language.
fn word(name: &str) -> String {
    if matches!(name, "and" | "or" | "not" | "is" | "as") { format!("{name}_") } else { name.to_owned() }
}

/// The text of calls of what calls give, taken apart before each point that stands behind a call.
fn links(flat: &str) -> Vec<String> {
    let (mut links, mut link) = (Vec::new(), String::new());
    let (mut quote, mut escaped, mut depth) = (None, false, 0_usize);
    let mut before = ' ';
    for character in flat.chars() {
        match (quote, character) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), close) if open == close => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, '.') if depth == 0 && before == ')' => links.push(std::mem::take(&mut link)),
            (None, _) => {}
        }
        link.push(character);
        before = character;
    }
    links.push(link);
    links
}

impl Writer<'_> {
    fn part(&mut self, key: &PartKey) -> String {
        let section = section(key.kind).name;
        let name = self.names.get(key).map_or("", String::as_str);
        match &key.package {
            None => {
                self.has_built_in = true;
                format!("BuiltIn.{}", built_in(key))
            }
            Some(package) if package == self.home => {
                self.own.insert(section);
                format!("{section}.{name}")
            }
            Some(package) => {
                let package = folder(package);
                let part = format!("_{package}.{section}.{name}");
                self.packages.insert(package);
                part
            }
        }
    }

    fn time(&mut self, milliseconds: u64) -> Layout {
        self.has_times = true;
        let units = [("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000), ("seconds", 1_000), ("milliseconds", 1)];
        let mut rest = milliseconds;
        let mut items = Vec::new();
        for (unit, length) in units {
            // Up to two days are as well said in hours.
            if rest / length > 0 && (unit != "days" || rest / length > 2) {
                items.push(Layout::text(format!("{unit}={}", rest / length)));
                rest %= length;
            }
        }
        Layout::call("timedelta", items)
    }

    fn entries(&mut self, entries: &[(String, Code)]) -> Layout {
        let items = entries.iter().map(|(name, code)| self.layout(code).behind(format!("{}: ", text(name)))).collect();
        Layout::Bracket { head: String::new(), open: "{", items, close: "}" }
    }

    fn layout(&mut self, code: &Code) -> Layout {
        match code {
            Code::Name(name) => Layout::text(name),
            Code::Input => Layout::text("flow.input"),
            Code::Shared(name) => Layout::text(format!("w.{name}")),
            Code::Part(key) => Layout::text(self.part(key)),
            Code::Text(value) | Code::FailureKind(value) => Layout::text(text(value)),
            Code::Template(pieces) => {
                let piece = |piece: &Piece| match piece {
                    Piece::Text(words) => Layout::text(text(words)),
                    Piece::Value(value) => self.layout(value),
                };
                Layout::call("w.text", pieces.iter().map(piece).collect())
            }
            Code::Number(number) => Layout::text(number.to_string()),
            Code::Bool(value) => Layout::text(if *value { "True" } else { "False" }),
            Code::Null => Layout::text("None"),
            Code::Kind(kind) => Layout::text(serde_json::json!(kind).to_string()),
            Code::Time(milliseconds) => self.time(*milliseconds),
            Code::List(items) => {
                let items = items.iter().map(|item| self.layout(item)).collect();
                Layout::Bracket { head: String::new(), open: "[", items, close: "]" }
            }
            Code::Object(entries) | Code::Fields(entries) => self.entries(entries),
            Code::Property(of, name) => Layout::text(format!("{}.{name}", self.layout(of).flat())),
            Code::Call { function: function @ ("emit" | "call" | "ask" | "run"), arguments, .. } if arguments.len() == 2 => {
                // What is done with a part is a method of it.
                let items: Vec<Layout> = arguments.iter().map(|argument| self.layout(argument)).collect();
                let (part, given) = items.split_at(1);
                let part = part.iter().map(Layout::flat).collect::<String>();
                Layout::call(format!("{part}.{function}"), given.to_vec())
            }
            Code::Call { of, function, arguments, options } => {
                let head = of.as_ref().map_or_else(|| "w".to_owned(), |of| self.layout(of).flat());
                let mut items: Vec<Layout> = arguments.iter().map(|argument| self.layout(argument)).collect();
                let makes_node = matches!(of.as_deref(), Some(Code::Name(name)) if name == "flow");
                if makes_node && !options.is_empty() {
                    // What a node does is always said by `is_`.
                    let argument = items.iter().map(Layout::flat).collect::<Vec<_>>().join(", ");
                    let said = options.iter().map(|(name, code)| self.layout(code).behind(format!("{name}="))).collect();
                    let then = Box::new(Layout::call(".is_", said));
                    return Layout::Made { make: format!("{head}.{function}"), argument, then };
                }
                items.extend(options.iter().map(|(name, code)| self.layout(code).behind(format!("{name}="))));
                let call = Layout::call(format!("{head}.{}", word(function)), items);
                match links(&call.flat()) {
                    links if links.len() > 2 => Layout::Chain(links),
                    _ => call,
                }
            }
        }
    }
}
