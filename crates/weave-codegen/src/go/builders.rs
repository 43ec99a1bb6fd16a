//! Builders: what programs name parts by, the data of the parts, and workflows as programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use weave_ir::package::{Builders, Definitions, Field, Names, Package, PackageWorkflow, PartKey, PartKind};

use super::header;
use super::names::{GoPackage, SHARED, called, identifier, scope};
use super::text::{Imports, comment, json, text};
use crate::builders::code::{Code, Layout, Lines, Piece};
use crate::builders::handles::{Handle, handles, may_be_left_out};
use crate::builders::{self, Naming, data, written};
use crate::scope::Scope;
use crate::text::{camel, pascal as capitalized};
use crate::{Options, OutputFile};

const LINES: Lines = Lines { width: 120, indent: "\t", columns: 4 };

/// What all builders share, in a package of its own.
const RUNTIME: &[(&str, &str)] = &[
    ("guards.go", include_str!("runtime/build/guards.go")),
    ("json.go", include_str!("runtime/build/json.go")),
    ("options.go", include_str!("runtime/build/options.go")),
    ("parts.go", include_str!("runtime/build/parts.go")),
    ("triggers.go", include_str!("runtime/build/triggers.go")),
    ("types.go", include_str!("runtime/build/types.go")),
    ("values.go", include_str!("runtime/build/values.go")),
    ("workflow.go", include_str!("runtime/build/workflow.go")),
];

/// The package of the library.
const LIBRARY: &str = "weavebuild";

/// The files of builders.
pub(super) fn files(packages: &[Package], named: &BTreeMap<String, GoPackage>, all: &Builders, options: &Options) -> Vec<OutputFile> {
    let folder = format!("{SHARED}/{LIBRARY}");
    let shared = RUNTIME.iter().map(|(name, text)| (*name, (*text).to_owned()));
    let shared = shared.chain([("part_data.go", parts(all)), ("topics.go", topics(all))]);
    let shared =
        shared.map(|(name, text)| OutputFile { path: format!("{folder}/{name}"), contents: format!("{}{text}", header("//", None)) });
    let mut files: Vec<OutputFile> = shared.collect();
    let folders: BTreeMap<&str, &str> = named.iter().map(|(name, package)| (name.as_str(), package.folder.as_str())).collect();
    let definitions = Definitions::new(packages);
    let mut names = BTreeMap::new();
    let mut handled = Vec::new();
    for package in packages {
        let mut taken = scope();
        let called = |kind, names: &Names, wire: &str| format!("{}{}", section(kind).0, identifier(called(names, wire)));
        let mut found = handles(all, &definitions, package, &scope(), called);
        for handle in found.values_mut().flatten() {
            handle.name = taken.claim(&handle.name);
        }
        for handle in found.values().flatten() {
            let given = handle.given.map(|given| Struct::new(handle, given, &mut taken));
            names.insert(handle.key.clone(), Named { name: handle.name.clone(), given, is_deprecated: handle.about.deprecated.is_some() });
        }
        handled.push((package, found));
    }
    for (package, found) in &handled {
        let Some(folder) = folders.get(package.name.as_str()) else { continue };
        let head = header("//", Some(&package.source));
        let mut add = |suffix: &str, text: String| {
            let path = format!("{folder}/{folder}{suffix}/{suffix}.go");
            files.push(OutputFile { path, contents: format!("{head}{text}") });
        };
        if found.values().any(|handles| !handles.is_empty()) {
            add("parts", handle_file(found, &names, folder, &package.source, options));
        }
        if !package.workflows.is_empty() {
            add("builders", Writer::new(&names, &folders).programs(all, package, folder, options));
        }
    }
    files
}

/// What programs call a part.
struct Named {
    name: String,
    /// What it is given.
    given: Option<Struct>,
    is_deprecated: bool,
}

/// A struct with what a part is given.
struct Struct {
    name: String,
    /// The names of its fields, by those in JSON.
    fields: BTreeMap<String, String>,
}

impl Struct {
    fn new(handle: &Handle<'_>, given: &[Field], taken: &mut Scope) -> Self {
        let what = if handle.key.kind == PartKind::Event { "Payload" } else { "Arguments" };
        let name = taken.claim(&format!("{}{what}", identifier(called(handle.type_names, &handle.key.name))));
        let mut scope = scope();
        scope.claim("Given");
        let names: Vec<&str> = given.iter().map(|field| called(&field.names, &field.wire)).collect();
        let wires = given.iter().map(|field| field.wire.clone());
        Self { name, fields: wires.zip(scope.claim_all(&names)).collect() }
    }

    fn field(&self, wire: &str) -> &str {
        self.fields.get(wire).map_or("", String::as_str)
    }

    /// The declaration.
    fn write(&self, handle: &Handle<'_>, given: &[Field], out: &mut String) {
        let name = &self.name;
        let what = if handle.key.kind == PartKind::Event { "is the payload of" } else { "is what is given to" };
        out.push_str(&comment(Some(&format!("{name} {what} `{}`.", handle.key.name)), handle.about.deprecated.as_deref(), ""));
        let field = |field: &Field| {
            let docs = comment(field.about.description.as_deref(), field.about.deprecated.as_deref(), "\t");
            format!("{docs}\t{} any\n", self.field(&field.wire))
        };
        let fields: Vec<String> = given.iter().map(field).collect();
        match fields.is_empty() {
            true => _ = writeln!(out, "type {name} struct{{}}\n"),
            // With empty lines between them, nothing is aligned.
            false => _ = writeln!(out, "type {name} struct {{\n{}}}\n", fields.join("\n")),
        }
        let entry = |field: &Field| {
            let function = if may_be_left_out(field) { "w.Takes" } else { "w.Needs" };
            let value = format!("g.{}", self.field(&field.wire));
            Layout::call(function, vec![Layout::text(text(&field.wire)), Layout::text(value)])
        };
        let entries = Layout::call("return w.EntriesOf", given.iter().map(entry).collect()).statement(LINES, 1, "");
        let receiver = if given.is_empty() { name.clone() } else { format!("g {name}") };
        _ = writeln!(out, "// Given is what there is of it.\nfunc ({receiver}) Given() w.Entries {{\n{entries}}}\n");
    }
}

/// The data of all parts, each as JSON that nobody reads before it is used.
fn parts(all: &Builders) -> String {
    let mut out = format!(
        "package {LIBRARY}\n\n// partText is what definitions are put together from, as JSON, by what identifies it.\nfunc partText(key string) string {{\n\tswitch key {{\n"
    );
    for (key, part) in &all.parts {
        _ = writeln!(out, "\tcase {}:\n\t\treturn {}", text(&builders::key(key)), json(&data(part)));
    }
    out.push_str("\t}\n\treturn \"\"\n}\n");
    out
}

/// The topics that no package declares.
fn topics(all: &Builders) -> String {
    let mut out = format!("package {LIBRARY}\n");
    for key in all.parts.keys().filter(|key| key.package.is_none() && key.kind == PartKind::Event) {
        let name = built_in(key);
        _ = write!(out, "\n// {name} is the built-in topic {}.\nvar {name} = NewEvent[any]({})\n", key.name, text(&builders::key(key)));
    }
    out
}

fn built_in(key: &PartKey) -> String {
    format!("Topic{}", pascal(&key.name.replace('.', "_")))
}

/// `not_looked_up` as `NotLookedUp`, with the words that Go writes in capitals.
fn pascal(name: &str) -> String {
    let word = |word: &str| match word {
        "json" | "uri" | "uuid" => word.to_ascii_uppercase(),
        _ => capitalized(word),
    };
    name.split('_').map(word).collect()
}

/// The name of the variable of a node. One without letters and digits would be no variable at all, or none that anybody reads.
fn variable(node: &str) -> String {
    if node.chars().any(char::is_alphanumeric) { camel(node) } else { "node".to_owned() }
}

/// What names of parts begin with, and what makes them.
const fn section(kind: PartKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        PartKind::Agent => ("Agent", "NewAgent", "agent"),
        PartKind::Error => ("Error", "NewError", "error"),
        PartKind::Event => ("Topic", "NewEvent", "topic"),
        PartKind::Tool => ("Tool", "NewTool", "tool"),
        PartKind::Workflow => ("Workflow", "NewWorkflow", "workflow"),
        PartKind::Type | PartKind::Prompt | PartKind::Toolkit => ("Type", "NewType", "type"),
    }
}

fn library<'a>(options: &'a Options, imports: Option<Imports<'a>>) -> Imports<'a> {
    let mut imports = imports.unwrap_or_else(|| Imports::new(&options.import_path));
    imports.package(&format!("{SHARED}/{LIBRARY}"), "w");
    imports
}

/// The package with what programs name parts by.
fn handle_file(
    found: &BTreeMap<PartKind, Vec<Handle<'_>>>,
    names: &BTreeMap<PartKey, Named>,
    folder: &str,
    source: &str,
    options: &Options,
) -> String {
    let mut out = String::new();
    for (kind, handles) in found {
        let (_, function, what) = section(*kind);
        for handle in handles {
            let said = format!("{} is the {what} `{}`.", handle.name, handle.key.name);
            let said = crate::text::described(&said, handle.about.description.as_deref());
            let more = if *kind == PartKind::Type { format!(", {}", text(&handle.part.name)) } else { String::new() };
            out.push_str(&comment(Some(&said), handle.about.deprecated.as_deref(), ""));
            let given = names.get(&handle.key).and_then(|named| named.given.as_ref());
            let argument = match (kind, given) {
                (_, Some(given)) => format!("[{}]", given.name),
                (PartKind::Event, None) => "[any]".to_owned(),
                _ => String::new(),
            };
            _ = writeln!(out, "var {} = w.{function}{argument}({}{more})\n", handle.name, text(&builders::key(&handle.key)));
            if let (Some(given), Some(fields)) = (given, handle.given) {
                given.write(handle, fields, &mut out);
            }
        }
    }
    let package = format!("{folder}parts");
    let about = comment(Some(&format!("Package {package} has what programs need to name what `{source}` declares.")), None, "");
    format!("{about}{}", library(options, None).before(&package, &out))
}

/// Writes the code of one package.
struct Writer<'a> {
    names: &'a BTreeMap<PartKey, Named>,
    folders: &'a BTreeMap<&'a str, &'a str>,
    /// The folders of the packages of which it names parts.
    packages: BTreeSet<&'a str>,
    has_times: bool,
    /// Whether it names something that is on its way out.
    names_deprecated: bool,
}

impl<'a> Writer<'a> {
    const fn new(names: &'a BTreeMap<PartKey, Named>, folders: &'a BTreeMap<&'a str, &'a str>) -> Self {
        Self { names, folders, packages: BTreeSet::new(), has_times: false, names_deprecated: false }
    }

    fn programs(mut self, all: &Builders, package: &Package, folder: &str, options: &Options) -> String {
        let mut out = String::new();
        let mut variables = super::names::local();
        ["w", "time"].into_iter().for_each(|name| _ = variables.claim(name));
        self.folders.values().for_each(|folder| _ = variables.claim(&format!("{folder}parts")));
        let function = |workflow: &PackageWorkflow| identifier(called(&workflow.names, &workflow.name));
        let naming = Naming { functions: scope(), variables, function, variable };
        for program in written(all, package, naming) {
            let (function, workflow) = (program.function, program.workflow);
            _ = writeln!(out, "// {function} builds the workflow `{}`.\nfunc {function}() *w.Workflow {{", workflow.name);
            for statement in &program.statements {
                let layout = statement.layout(|name| format!("{name} := "), |code| self.layout(code));
                out.push_str(&layout.statement(LINES, 1, ""));
            }
            out.push_str("\treturn flow\n}\n\n");
        }
        let mut imports = library(options, None);
        for other in &self.packages {
            imports.package(&format!("{other}/{other}parts"), &format!("{other}parts"));
        }
        if self.has_times {
            imports.standard("time");
        }
        if self.names_deprecated {
            imports.deprecated();
        }
        let name = format!("{folder}builders");
        let about = format!("Package {name} builds the workflows that `{}` declares.", package.source);
        format!("{}{}", comment(Some(&about), None, ""), imports.before(&name, &out))
    }

    fn part(&mut self, key: &PartKey) -> String {
        match &key.package {
            None => format!("w.{}", built_in(key)),
            Some(package) => {
                let folder = self.folders.get(package.as_str()).copied().unwrap_or_default();
                self.packages.insert(folder);
                let named = self.names.get(key);
                self.names_deprecated |= named.is_some_and(|named| named.is_deprecated);
                format!("{folder}parts.{}", named.map_or("", |named| &named.name))
            }
        }
    }

    fn time(&mut self, milliseconds: u64) -> String {
        self.has_times = true;
        let units = [("Hour", 3_600_000), ("Minute", 60_000), ("Second", 1_000), ("Millisecond", 1)];
        let unit = units.into_iter().find(|(_, length)| milliseconds.is_multiple_of(*length)).unwrap_or(("Millisecond", 1));
        // As gofmt writes a product among arguments of arguments.
        format!("{}*time.{}", milliseconds / unit.1, unit.0)
    }

    fn pairs(&mut self, function: &str, entries: &[(String, Code)]) -> Vec<Layout> {
        let pair = |(name, code): &(String, Code)| Layout::call(format!("w.{function}"), vec![Layout::text(text(name)), self.layout(code)]);
        entries.iter().map(pair).collect()
    }

    /// Lists of the library's own types; anything else is a list of JSON.
    fn list(&mut self, items: &[Code]) -> Layout {
        let made: Vec<Layout> = items.iter().map(|item| self.layout(item)).collect();
        match items.first() {
            Some(Code::Name(_)) => Layout::Bracket { head: "[]*w.Step".to_owned(), open: "{", items: made, close: "}" },
            Some(Code::Part(_)) => Layout::Bracket { head: "[]w.Topic".to_owned(), open: "{", items: made, close: "}" },
            _ => Layout::call("w.Items", made),
        }
    }

    /// What stands in a list as arguments of their own.
    fn spread(&mut self, code: &Code) -> Vec<Layout> {
        match code {
            Code::List(items) => items.iter().map(|item| self.layout(item)).collect(),
            Code::Fields(entries) => self.pairs("Field", entries),
            other => vec![self.layout(other)],
        }
    }

    fn option(&mut self, name: &str, code: &Code) -> Layout {
        match (name, code) {
            ("each" | "retry", code) => self.layout(code),
            ("on", Code::List(items))
                if items.iter().all(|item| matches!(item, Code::FailureKind(_) | Code::Part(PartKey { kind: PartKind::Error, .. }))) =>
            {
                let items = self.spread(code);
                Layout::call("w.RetryOn", items)
            }
            ("on" | "codes" | "input", code) => {
                let items = self.spread(code);
                Layout::call(format!("w.{}", pascal(name)), items)
            }
            ("present" | "nullable", _) => Layout::call(format!("w.{}", pascal(name)), Vec::new()),
            _ => {
                let item = self.layout(code);
                Layout::call(format!("w.{}", pascal(name)), vec![item])
            }
        }
    }

    /// What emits an event or calls a tool, an agent or a workflow: a method of the part.
    fn request(&mut self, function: &str, key: &PartKey, given: &Code) -> Layout {
        let method = format!("{}.{}", self.part(key), pascal(function));
        let names = self.names;
        let known = names.get(key).and_then(|named| named.given.as_ref());
        let item = match (known, given) {
            (Some(known), Code::Object(entries)) => {
                let package = method.split('.').next().unwrap_or_default();
                let field = |(wire, code): &(String, Code)| match code {
                    Code::Null => (known.field(wire).to_owned(), Layout::text("w.JSONNull")),
                    code => (known.field(wire).to_owned(), self.layout(code)),
                };
                Layout::Struct { head: format!("{package}.{}", known.name), fields: entries.iter().map(field).collect() }
            }
            (Some(_), whole) => return Layout::call(format!("{method}With"), vec![self.layout(whole)]),
            (None, given) => self.layout(given),
        };
        Layout::call(method, vec![item])
    }

    fn call(&mut self, of: Option<&Code>, function: &str, arguments: &[Code], options: &[(&'static str, Code)]) -> Layout {
        if let ("emit" | "call" | "ask" | "run", [Code::Part(key), given]) = (function, arguments) {
            return self.request(function, key, given);
        }
        let of = of.map_or_else(|| "w".to_owned(), |of| self.layout(of).flat());
        let mut items = Vec::new();
        let name = match (function, arguments) {
            ("workflow", _) => "New".to_owned(),
            ("wait", [Code::Time(_)]) => "Wait".to_owned(),
            ("wait", _) => "WaitFor".to_owned(),
            ("record", [fields, ..]) => {
                items = self.spread(fields);
                if arguments.len() > 1 { "OpenRecord" } else { "Record" }.to_owned()
            }
            _ => pascal(function),
        };
        if items.is_empty() && function != "record" {
            for (index, argument) in arguments.iter().enumerate() {
                match argument {
                    Code::Object(entries) if (function == "noted" && index == 1) || (function == "schema" && index == 0) => {
                        items.extend(self.pairs("Set", entries));
                    }
                    other => items.push(self.layout(other)),
                }
            }
        }
        for (name, code) in options {
            // The output of a workflow is a type.
            let name = if function == "workflow" && *name == "output" { "returns" } else { name };
            items.push(self.option(name, code));
        }
        Layout::call(format!("{of}.{name}"), items)
    }

    fn layout(&mut self, code: &Code) -> Layout {
        match code {
            Code::Name(name) => Layout::text(name),
            Code::Input => Layout::text("flow.Input"),
            Code::Shared(name) => Layout::text(format!("w.{}", pascal(name))),
            Code::Part(key) => Layout::text(self.part(key)),
            Code::Text(value) => Layout::text(text(value)),
            Code::FailureKind(kind) if kind == "timeout" => Layout::text("w.TimeoutKind"),
            Code::FailureKind(kind) => Layout::text(format!("w.{}", pascal(kind))),
            Code::Template(pieces) => {
                let piece = |piece: &Piece| match piece {
                    Piece::Text(words) => Layout::text(text(words)),
                    Piece::Value(value) => self.layout(value),
                };
                Layout::call("w.Text", pieces.iter().map(piece).collect())
            }
            Code::Number(number) => Layout::text(number.to_string()),
            Code::Bool(value) => Layout::text(value.to_string()),
            Code::Null => Layout::text("nil"),
            Code::Kind(kind) => {
                let word = serde_json::json!(kind);
                Layout::text(format!("w.{}", pascal(word.as_str().unwrap_or_default())))
            }
            Code::Time(milliseconds) => Layout::text(self.time(*milliseconds)),
            Code::List(items) => self.list(items),
            Code::Object(entries) | Code::Fields(entries) => {
                let items = self.pairs("Set", entries);
                Layout::call("w.Object", items)
            }
            Code::Property(of, "answer") => Layout::text(format!("{}.Answer", self.layout(of).flat())),
            Code::Property(of, name) => Layout::text(format!("{}.{}()", self.layout(of).flat(), pascal(name))),
            Code::Call { of, function, arguments, options } => self.call(of.as_deref(), function, arguments, options),
        }
    }
}
