//! Builders: what programs name parts by, the data of the parts, and workflows as programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use weave_ir::package::{Builders, Definitions, Field, Package, PackageWorkflow, PartKey, PartKind};

use super::imports::comment;
use super::layout::laid_out;
use super::literal::{entry, property, text};
use super::names::{key, scope};
use super::{SHARED, header};
use crate::OutputFile;
use crate::builders::code::{Code, Layout, Piece};
use crate::builders::handles::{Handle, Section, handles, may_be_left_out, section};
use crate::builders::{self, Naming, data, written};
use crate::text::{camel, described};

/// What all builders share.
const RUNTIME: &[(&str, &str)] = &[
    ("builder.ts", include_str!("runtime/builder.ts")),
    ("builder_guards.ts", include_str!("runtime/builder_guards.ts")),
    ("builder_parts.ts", include_str!("runtime/builder_parts.ts")),
    ("builder_types.ts", include_str!("runtime/builder_types.ts")),
    ("builder_values.ts", include_str!("runtime/builder_values.ts")),
];

/// What every object has.
const OF_OBJECTS: [&str; 7] =
    ["constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf"];

type Handles<'a> = BTreeMap<PartKind, Vec<Handle<'a>>>;

/// The files of builders.
pub(super) fn files(packages: &[Package], all: &Builders) -> Vec<OutputFile> {
    let shared = RUNTIME.iter().map(|(name, text)| (*name, (*text).to_owned()));
    let shared = shared.chain([("parts.ts", laid_out(&parts(all))), ("topics.ts", laid_out(&topics(all)))]);
    let shared =
        shared.map(|(name, text)| OutputFile { path: format!("{SHARED}/{name}"), contents: format!("{}{text}", header("//", None)) });
    let mut files: Vec<OutputFile> = shared.collect();
    let definitions = Definitions::new(packages);
    let found: BTreeMap<&str, Handles<'_>> =
        packages.iter().map(|package| (package.name.as_str(), handles(all, &definitions, package, &scope(), called))).collect();
    let mut names: BTreeMap<PartKey, String> = BTreeMap::new();
    for handle in found.values().flat_map(BTreeMap::values).flatten() {
        names.insert(handle.key.clone(), handle.name.clone());
    }
    for package in packages {
        let head = header("//", Some(&package.source));
        let mut add = |name: &str, text: String| {
            let path = format!("{}/{name}.ts", package.name);
            files.push(OutputFile { path, contents: format!("{head}{}", laid_out(&text)) });
        };
        if let Some(handles) = found.get(package.name.as_str()).filter(|handles| !handles.is_empty()) {
            add("parts", named(handles));
        }
        if !package.workflows.is_empty() {
            add("builders", programs(all, package, &names));
        }
    }
    files
}

/// What something is called among those of its kind.
fn called(kind: PartKind, names: &weave_ir::package::Names, _: &str) -> String {
    let name = names.typescript.as_str();
    match (kind, name.get(..1)) {
        (PartKind::Event | PartKind::Error, Some(first)) => format!("{}{}", first.to_ascii_lowercase(), name.get(1..).unwrap_or_default()),
        _ => name.to_owned(),
    }
}

/// The data of all parts, each as JSON that nobody reads before it is used.
fn parts(all: &Builders) -> String {
    let mut out = String::from(
        "/** What definitions are put together from, as JSON, by what identifies it. */\nexport const PARTS: Readonly<Record<string, string>> = {\n",
    );
    for (key, part) in &all.parts {
        _ = writeln!(out, "  {}: {},", property(&builders::key(key)), text(&data(part).to_string()));
    }
    out.push_str("};\n");
    out
}

/// The topics that no package declares.
fn topics(all: &Builders) -> String {
    let [mut types, mut values] = [const { String::new() }; 2];
    for key in all.parts.keys().filter(|key| key.package.is_none() && key.kind == PartKind::Event) {
        let name = built_in(key);
        _ = writeln!(types, "  readonly {name}: $b.EventPart<$b.Value>;");
        _ = writeln!(values, "  {name}: new $b.EventPart({}),", text(&builders::key(key)));
    }
    format!("import * as $b from \"./builder.js\";\n\n/** The built-in topics. */\nexport const topics: {{\n{types}}} = {{\n{values}}};\n")
}

/// What a built-in topic is called.
fn built_in(key: &PartKey) -> String {
    camel(&key.name.replace('.', "_"))
}

/// The module with what programs name parts by.
fn named(handles: &Handles<'_>) -> String {
    let mut out = String::from("import * as $b from \"../_weave/builder.js\";\n");
    for (kind, handles) in handles {
        let Section { name, class, about } = section(*kind);
        let name = name.to_ascii_lowercase();
        let [mut types, mut values] = [const { String::new() }; 2];
        for handle in handles {
            let fields = handle.given.map(|given| {
                let field = |field: &Field| {
                    let mark = if may_be_left_out(field) { "?" } else { "" };
                    format!("readonly {}{mark}: unknown", key(&field.wire))
                };
                let fields: Vec<String> = given.iter().map(field).collect();
                // What every object has fits no such field that is left out, so that no name is refused before the program runs.
                if given.iter().any(|field| may_be_left_out(field) && OF_OBJECTS.contains(&field.wire.as_str())) {
                    return "Readonly<Record<string, unknown>>".to_owned();
                }
                if fields.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", fields.join("; ")) }
            });
            let arguments = match (kind, fields) {
                (PartKind::Event, Some(fields)) => format!("<$b.Arguments<{fields}>>"),
                (PartKind::Event, None) => "<$b.Value>".to_owned(),
                (_, Some(fields)) => format!("<{fields}>"),
                (_, None) => String::new(),
            };
            let docs = comment(handle.about.description.as_deref(), handle.about.deprecated.as_deref(), "  ");
            _ = writeln!(types, "{docs}  readonly {}: $b.{class}{arguments};", handle.name);
            let more = if *kind == PartKind::Type { format!(", {}", text(&handle.part.name)) } else { String::new() };
            _ = writeln!(values, "  {}: new $b.{class}({}{more}),", handle.name, text(&builders::key(&handle.key)));
        }
        _ = writeln!(out, "\n/** {about} */\nexport const {name}: {{\n{types}}} = {{\n{values}}};");
    }
    out
}

/// Writes the code of one module.
struct Writer<'a> {
    names: &'a BTreeMap<PartKey, String>,
    home: &'a str,
    /// The other packages of which it names parts.
    packages: BTreeSet<String>,
    /// What it names of its own.
    own: BTreeSet<String>,
    /// Whether it names built-in topics.
    has_built_in: bool,
}

/// The module with the programs of a package.
fn programs(all: &Builders, package: &Package, names: &BTreeMap<PartKey, String>) -> String {
    let mut writer = Writer { names, home: &package.name, packages: BTreeSet::new(), own: BTreeSet::new(), has_built_in: false };
    let mut out = String::new();
    let mut taken = scope();
    ["w", "agents", "errors", "tools", "topics", "types", "workflows"].into_iter().for_each(|name| _ = taken.claim(name));
    let function = |workflow: &PackageWorkflow| workflow.names.typescript.clone();
    let naming = Naming { functions: taken.clone(), variables: taken, function, variable: camel };
    for program in written(all, package, naming) {
        let (function, workflow) = (program.function, program.workflow);
        let docs = comment(Some(&described(&format!("Builds the workflow `{}`.", workflow.name), None)), None, "");
        _ = writeln!(out, "\n{docs}export function {function}(): w.Workflow {{");
        for statement in &program.statements {
            let layout = statement.layout(|name| format!("const {name} = "), |code| writer.layout(code));
            _ = writeln!(out, "{};", layout.flat());
        }
        out.push_str("  return flow;\n}\n");
    }
    let mut imports = String::from("import * as w from \"../_weave/builder.js\";\n");
    if writer.has_built_in {
        imports.push_str("import { topics as $built } from \"../_weave/topics.js\";\n");
    }
    for package in &writer.packages {
        _ = writeln!(imports, "import * as ${package} from \"../{package}/parts.js\";");
    }
    if !writer.own.is_empty() {
        let own = writer.own.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        _ = writeln!(imports, "import {{ {own} }} from \"./parts.js\";");
    }
    format!("{imports}{out}")
}

fn time(milliseconds: u64) -> String {
    let units = [("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000)];
    let mut rest = milliseconds;
    let mut parts = Vec::new();
    for (unit, length) in units {
        // A day is as well said in hours, up to two of them.
        if rest / length > 0 && (unit != "days" || (rest.is_multiple_of(length) && rest / length > 2)) {
            parts.push(format!("{unit}: {}", rest / length));
            rest %= length;
        }
    }
    if rest > 0 || parts.is_empty() {
        let fraction = rest % 1000;
        let fraction = if fraction == 0 { String::new() } else { format!(".{fraction:03}").trim_end_matches('0').to_owned() };
        parts.push(format!("seconds: {}{fraction}", rest / 1000));
    }
    format!("{{ {} }}", parts.join(", "))
}

impl Writer<'_> {
    fn part(&mut self, key: &PartKey) -> String {
        let section = section(key.kind).name.to_ascii_lowercase();
        match &key.package {
            None => {
                self.has_built_in = true;
                format!("$built.{}", built_in(key))
            }
            Some(package) => {
                let name = self.names.get(key).map_or("", String::as_str);
                if package == self.home {
                    self.own.insert(section.clone());
                    return format!("{section}.{name}");
                }
                self.packages.insert(package.clone());
                format!("${package}.{section}.{name}")
            }
        }
    }

    fn object(&mut self, entries: impl Iterator<Item = (String, Layout)>) -> Layout {
        let items: Vec<Layout> = entries.map(|(key, value)| value.behind(format!("{key}: "))).collect();
        match items.is_empty() {
            true => Layout::text("{}"),
            false => Layout::Bracket { head: String::new(), open: "{ ", items, close: " }" },
        }
    }

    fn entries(&mut self, entries: &[(String, Code)]) -> Layout {
        let entries: Vec<(String, Layout)> = entries.iter().map(|(name, code)| (entry(name), self.layout(code))).collect();
        self.object(entries.into_iter())
    }

    fn layout(&mut self, code: &Code) -> Layout {
        match code {
            Code::Name(name) => Layout::text(name),
            Code::Input => Layout::text("flow.input"),
            Code::Shared(name) => Layout::text(format!("w.{name}")),
            Code::Part(key) => Layout::text(self.part(key)),
            Code::Text(value) | Code::FailureKind(value) => Layout::text(text(value)),
            Code::Template(pieces) => {
                let mut out = String::from("w.text`");
                for piece in pieces {
                    match piece {
                        Piece::Text(words) => out.push_str(&template(words)),
                        Piece::Value(value) => _ = write!(out, "${{{}}}", self.layout(value).flat()),
                    }
                }
                Layout::text(out + "`")
            }
            Code::Number(number) => Layout::text(number.to_string()),
            Code::Bool(value) => Layout::text(value.to_string()),
            Code::Null => Layout::text("null"),
            Code::Kind(kind) => Layout::text(serde_json::json!(kind).to_string()),
            Code::Time(milliseconds) => Layout::text(time(*milliseconds)),
            Code::List(items) => {
                let items: Vec<Layout> = items.iter().map(|item| self.layout(item)).collect();
                Layout::Bracket { head: String::new(), open: "[", items, close: "]" }
            }
            Code::Object(entries) | Code::Fields(entries) => self.entries(entries),
            Code::Property(of, name) => Layout::text(format!("{}.{}", self.layout(of).flat(), camel(name))),
            Code::Call { of, function, arguments, options } => {
                let of = of.as_ref().map_or_else(|| "w".to_owned(), |of| self.layout(of).flat());
                let mut items: Vec<Layout> = arguments.iter().map(|argument| self.layout(argument)).collect();
                if !options.is_empty() {
                    let options: Vec<(String, Layout)> =
                        options.iter().map(|(name, code)| ((*name).to_owned(), self.layout(code))).collect();
                    items.push(self.object(options.into_iter()));
                }
                Layout::call(format!("{of}.{}", camel(function)), items)
            }
        }
    }
}

/// A text between backticks.
fn template(words: &str) -> String {
    let escaped = text(words);
    let inner = escaped.get(1..escaped.len().saturating_sub(1)).unwrap_or_default();
    inner.replace("\\\"", "\"").replace('`', "\\`").replace("${", "\\${")
}
