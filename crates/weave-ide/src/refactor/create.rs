//! What a name stands for that nobody has declared: an import of it, or a declaration with what its use says.

use weave_analysis::model::{DeclarationKind, Model};
use weave_diagnostics::{Diagnostic, FileId, Span};
use weave_syntax::ast::{
    Action, BlockEntry, Dotted, Expr, Field, ItemKind, Node, NodeBody, Root, Setting, SettingValue, Source, StepEntry, Target, Type, Wait,
    Workflow,
};

use super::extract_prompt::model;
use super::infer::{Inference, fields_behind};
use super::types::{key, written};
use super::{Refactoring, layout};
use crate::Analysis;
use crate::analysis::ItemView;
use crate::importing::{Importer, import_path};

/// What should be declared.
enum Missing {
    Type,
    Tool,
    Agent,
    Workflow,
    Prompt,
    Error,
    Event,
}

impl Missing {
    /// What it is called.
    const fn noun(&self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Tool => "tool",
            Self::Agent => "agent",
            Self::Workflow => "workflow",
            Self::Prompt => "prompt",
            Self::Error => "error",
            Self::Event => "event",
        }
    }

    /// Whether a declaration is what is wanted.
    const fn is(&self, kind: &DeclarationKind) -> bool {
        use DeclarationKind as Kind;
        match self {
            Self::Type => matches!(kind, Kind::Type(_) | Kind::Enum(_) | Kind::Union(_) | Kind::Error(_)),
            Self::Tool => matches!(kind, Kind::Tool(_) | Kind::Toolkit(_) | Kind::Agent(_) | Kind::Workflow(_)),
            Self::Agent => matches!(kind, Kind::Agent(_)),
            Self::Workflow => matches!(kind, Kind::Workflow(_)),
            Self::Prompt => matches!(kind, Kind::Prompt(_)),
            Self::Error => matches!(kind, Kind::Error(_)),
            Self::Event => matches!(kind, Kind::Event(_)),
        }
    }
}

/// A name that means nothing, as it is used.
struct Use {
    missing: Missing,
    /// The declaration that would make it right.
    declaration: String,
}

/// What declares or imports the names in a range that mean nothing.
pub(super) fn missing_declarations<'a>(analysis: &'a Analysis, file: FileId, range: Span) -> Vec<Refactoring<'a>> {
    let touches = |span: Span| span.start <= range.end && range.start <= span.end;
    let is_about_names = |found: &&Diagnostic| matches!(found.code.id, "unknown-name" | "unknown-topic" | "unknown-failure");
    let found = analysis.mistakes_in(file).iter().filter(is_about_names).filter(|found| touches(found.primary.place.span));
    found.flat_map(|diagnostic| mended(analysis, file, diagnostic)).collect()
}

fn mended<'a>(analysis: &'a Analysis, file: FileId, diagnostic: &'a Diagnostic) -> Vec<Refactoring<'a>> {
    let place = diagnostic.primary.place;
    let Some(item) = analysis.item_at(file, place.span.start) else { return Vec::new() };
    let Some(start) = place.span.start.checked_sub(item.slot.start) else { return Vec::new() };
    let span = Span::new(start, start + place.span.len());
    let Some(Use { missing, declaration }) = used(analysis, &item, span) else { return Vec::new() };
    let name = place.span.text(analysis.text(file));
    let mut offered: Vec<Refactoring<'a>> = Vec::new();
    for from in declaring(analysis.model(), file, name, &missing) {
        let path = import_path(analysis, file, from);
        let edit = Importer::new(analysis, file).edit(from, &path, name);
        offered.push(Refactoring::mending(diagnostic, format!("Import `{name}` from {path}"), vec![edit]));
    }
    // To declare a type `list` or `map` would hide that such a type is written otherwise.
    if matches!(missing, Missing::Type) && weave_analysis::is_type_elsewhere(name) {
        return offered;
    }
    let declared = layout::declared_before(analysis, file, item.slot.start, &declaration);
    offered.push(Refactoring::mending(diagnostic, format!("Declare the {} `{name}`", missing.noun()), vec![declared]));
    offered
}

/// The other files that declare something of this name that is what is wanted.
fn declaring(model: &Model, file: FileId, name: &str, missing: &Missing) -> Vec<FileId> {
    let is_it = |declaration: &&std::sync::Arc<weave_analysis::model::Declaration>| {
        declaration.file != file && declaration.file.0 > 0 && &*declaration.name == name && missing.is(&declaration.kind)
    };
    let mut files: Vec<FileId> = model.declarations.iter().filter(is_it).map(|declaration| declaration.file).collect();
    files.dedup();
    files
}

/// How the name at a span of an item is used.
fn used(analysis: &Analysis, item: &ItemView<'_>, span: Span) -> Option<Use> {
    let text = item.context.text;
    let kind = &item.slot.parsed.item.kind;
    let name = span.text(text);
    let use_as = |missing: Missing, declaration: String| Some(Use { missing, declaration });
    for part in written(kind, text) {
        if part.ty.span().contains(span) {
            let fields = if is_all(part.ty, span) { fields_of_part(kind, text, &part.part) } else { Vec::new() };
            return use_as(Missing::Type, format!("type {name} {}", record(&fields)));
        }
    }
    match kind {
        ItemKind::Workflow(workflow) => in_workflow(analysis, item, workflow, span),
        ItemKind::Event(event) if event.answers.iter().any(|answer| answer.span == span) => {
            use_as(Missing::Event, format!("external event {name}"))
        }
        ItemKind::Agent(it) => in_settings(it.settings.as_ref(), text, span, &it.parameters),
        ItemKind::Tool(it) => in_settings(it.settings.as_ref(), text, span, &it.parameters),
        ItemKind::Toolkit(it) => in_settings(it.settings.as_ref(), text, span, &[]),
        _ => None,
    }
}

/// Whether a type is nothing but this name.
fn is_all(ty: &Type, name: Span) -> bool {
    matches!(ty, Type::Named(named) if named.name.span == name)
}

/// The fields that an item reads of its parameter or output of this name.
fn fields_of_part(kind: &ItemKind, text: &str, part: &str) -> Vec<String> {
    match kind {
        ItemKind::Workflow(_) => fields_behind(text, &format!(".input.{part}")),
        ItemKind::Prompt(_) | ItemKind::Agent(_) | ItemKind::Tool(_) => fields_behind(text, &format!(".{part}")),
        _ => Vec::new(),
    }
}

/// A record with these fields.
fn record(fields: &[String]) -> String {
    let fields: Vec<String> = fields.iter().map(|field| format!("{field}: string")).collect();
    if fields.is_empty() { "{}".to_owned() } else { format!("{{\n{}\n}}", fields.join(",\n")) }
}

fn in_settings(block: Option<&weave_syntax::ast::Block>, text: &str, span: Span, parameters: &[Field]) -> Option<Use> {
    let name = span.text(text);
    for entry in &block?.entries {
        let BlockEntry::Setting(setting) = entry else { continue };
        if !setting.span.contains(span) {
            continue;
        }
        return match setting.name.text(text) {
            "tools" => Some(Use { missing: Missing::Tool, declaration: format!("tool {name}()") }),
            "prompt" => Some(Use { missing: Missing::Prompt, declaration: prompt(name, parameters, text) }),
            "fails" | "retry" if names(setting, span) => Some(Use { missing: Missing::Error, declaration: format!("error {name}") }),
            _ => None,
        };
    }
    None
}

/// Whether a setting has this name in a list, its own block included.
fn names(setting: &Setting, span: Span) -> bool {
    let SettingValue::Value { value, block } = &setting.value else { return false };
    let in_list = |value: &Expr| match value {
        Expr::List(list) => list.items.iter().any(|item| is_name_at(&item.value, span)),
        other => is_name_at(other, span),
    };
    let within = block.iter().flat_map(weave_syntax::ast::Block::settings);
    in_list(value) || within.into_iter().any(|setting| matches!(&setting.value, SettingValue::Value { value, .. } if in_list(value)))
}

fn is_name_at(value: &Expr, span: Span) -> bool {
    matches!(value, Expr::Path(path) if matches!(path.root, Root::Name(name) if name.span == span))
}

/// A prompt that says the parameters of its agent.
fn prompt(name: &str, parameters: &[Field], text: &str) -> String {
    let written: Vec<&str> = parameters.iter().map(|field| field.span.text(text)).collect();
    if parameters.is_empty() {
        return format!("prompt {name}() \"Say what to do.\"");
    }
    let lines: Vec<String> = parameters
        .iter()
        .filter(|field| !field.name.quoted)
        .map(|field| {
            let otherwise = if field.optional.is_some() { " ?? \"\"" } else { "" };
            format!("  {{{{.{}{otherwise}}}}}\n", key(field, text))
        })
        .collect();
    format!("prompt {name}({}) \"\"\"\n{}  \"\"\"", written.join(", "), lines.concat())
}

// ---- Workflows ---------------------------------------------------------------------------------------------------------------

fn in_workflow(analysis: &Analysis, item: &ItemView<'_>, workflow: &Workflow, span: Span) -> Option<Use> {
    let node = workflow.nodes.iter().find(|node| node.span.contains(span))?;
    let text = item.context.text;
    let name = span.text(text);
    match action(node) {
        Some(Action::Invoke { target, name: invoked, payload, .. }) if invoked.span == span => {
            let arguments = match payload {
                Some(Expr::Object(object)) => Inference::new(analysis, *item).fields(object),
                _ => String::new(),
            };
            let read = fields_behind(text, &format!(".{}", node.name.text(text)));
            return Some(invoked_as(*target, name, &arguments, &read, model(analysis, item.context.file)));
        }
        Some(Action::Emit { topic, payload, .. }) if topic.span == span => {
            let body = match payload {
                Some(Expr::Object(object)) => format!(" {{ {} }}", Inference::new(analysis, *item).fields(object)),
                Some(value) => format!(" = {}", Inference::new(analysis, *item).value(value).ty),
                None => String::new(),
            };
            return Some(Use { missing: Missing::Event, declaration: format!("event {name}{body}") });
        }
        Some(Action::Wait { wait: Wait::Topics { topics, .. }, .. }) if topics.iter().any(|topic| topic.span == span) => {
            let mut read = fields_behind(text, &format!(".{}", node.name.text(text)));
            let more = fields_behind(node.span.text(text), ".event");
            read.extend(more.into_iter().filter(|field| !read.contains(field)).collect::<Vec<_>>());
            return Some(heard(name, &read));
        }
        _ => {}
    }
    let listens = node.on().is_some_and(|on| on.items.iter().any(|trigger| topic(&trigger.source) == Some(span)));
    listens.then(|| heard(name, &fields_behind(node.span.text(text), ".event")))
}

fn action(node: &Node) -> Option<&Action> {
    let NodeBody::Block { entries, .. } = &node.body else { return None };
    entries.iter().find_map(|entry| if let StepEntry::Action(action) = entry { Some(action) } else { None })
}

/// Where the topic of a trigger stands.
fn topic(source: &Source) -> Option<Span> {
    let topic = |name: &Dotted| name.is_topic.then_some(name.span);
    match source {
        Source::Name(name) | Source::From { what: name, .. } => topic(name),
        _ => None,
    }
}

/// What is invoked with these arguments, when so much of its answer is read.
fn invoked_as(target: Target, name: &str, arguments: &str, read: &[String], model: &str) -> Use {
    let is_plain = matches!(read, [only] if only == "text");
    let output = if read.is_empty() || (target == Target::Agent && is_plain) { String::new() } else { format!(" -> {}", record(read)) };
    let (missing, declaration) = match target {
        Target::Tool => (Missing::Tool, format!("tool {name}({arguments}){output}")),
        Target::Agent => {
            (Missing::Agent, format!("agent {name}({arguments}){output} {{\n  model {model}\n  system \"Say what to do.\"\n}}"))
        }
        Target::Workflow => (Missing::Workflow, format!("workflow {name}({arguments}) {{\n  end done\n}}")),
    };
    Use { missing, declaration }
}

/// An event that somebody waits for, and of which so much is read.
fn heard(name: &str, read: &[String]) -> Use {
    let body = if read.is_empty() { String::new() } else { format!(" {}", record(read)) };
    Use { missing: Missing::Event, declaration: format!("external event {name}{body}") }
}
