//! What something is, shown beside it.

use weave_analysis::model::types::Type;
use weave_analysis::model::{Declaration, DeclarationId, DeclarationKind};
use weave_compiler::schema_of;
use weave_diagnostics::{FileId, Place, Span};
use weave_syntax::ast::{ItemKind, NodeBody};

use crate::members::{Member, member_at};
use crate::references::word;
use crate::way::way;
use crate::{Analysis, Mention, Symbol};

/// How many lines of a declaration are shown.
const MOST_LINES: usize = 20;

/// How many lines of a JSON Schema are shown.
const MOST_SCHEMA_LINES: usize = 40;

/// What is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The word that it is about.
    pub place: Place,
    /// The text, in Markdown.
    pub markdown: String,
}

/// What is known of the word at an offset.
#[must_use]
pub fn hover(analysis: &Analysis, file: FileId, offset: u32) -> Option<Hover> {
    let mentions = analysis.mentions_at(file, offset);
    let first = mentions.first()?;
    let markdown = describe(analysis, first)?;
    Some(Hover { place: first.place, markdown })
}

fn describe(analysis: &Analysis, mention: &Mention) -> Option<String> {
    let written = word(analysis.text_of(mention.place));
    let typed = |name: &str| mention.ty.as_ref().map(|ty| code(&value(analysis, name, ty, mention.absent)));
    match &mention.symbol {
        Symbol::Declaration(id) => {
            let declaration = analysis.model().get(*id)?;
            Some(described_declaration(analysis, declaration) + &schema(analysis, *id))
        }
        Symbol::Node(workflow, index) => {
            let node = analysis.body(*workflow)?.nodes.get(*index as usize)?;
            let mut text = code(&node_header(analysis, analysis.in_text(node.place))?);
            let ty = mention.ty.as_ref().or(node.answer.as_ref());
            if let Some(ty) = ty {
                text.push_str(&format!("\n\n{}", code(&value(analysis, &format!(".{}", node.name), ty, mention.absent))));
            }
            push_docs(&mut text, node.docs.as_deref());
            if let Some(way) = analysis.body(*workflow).and_then(|body| way(analysis.model(), body, *index)) {
                text.push_str(&format!("\n\nWay: {}", code_word(&way)));
            }
            Some(text)
        }
        Symbol::Member(place) => match member_at(analysis, *place) {
            Some(member) => Some(described_member(analysis, &member, mention)),
            None => typed(&written),
        },
        Symbol::Variable(_) => typed(&written).or_else(|| Some(code(&written))),
        Symbol::BuiltIn(name) => {
            let about = match *name {
                "input" => "The input of the run.",
                "event" => "The value that fired this node.",
                "response" => "The answer of the model: the payload of `ai.response`.",
                "result" => "The answer of the tool: the payload of `tool.result`.",
                "failure" => "What failed: its `kind`, `code`, `message` and `data`.",
                "kind" => "Which of the built-in kinds of failure it is.",
                "code" => "The name of the error, or of the `fail` of a run; the kind if it has none.",
                "message" => "What happened, for people.",
                "data" => "What the error says about it; built-in kinds say nothing.",
                _ => "The start of the run.",
            };
            let dot = if matches!(*name, "kind" | "code" | "message" | "data") { "" } else { "." };
            let mut text = typed(&format!("{dot}{name}")).map(|code| format!("{code}\n\n")).unwrap_or_default();
            text.push_str(about);
            Some(text)
        }
        Symbol::Type(name) => Some(format!("{}\n\n{}", code(name), about_type(name)?)),
        Symbol::Rule(name) => described_rule(name),
        Symbol::File(file) => {
            let source = analysis.source(*file)?;
            let mut text = format!("`{}`", source.name());
            push_docs(&mut text, analysis.unit(*file)?.syntax.module_docs().as_deref());
            Some(text)
        }
    }
}

/// A declaration as it is shown in a hover and beside a completion.
pub(crate) fn described_declaration(analysis: &Analysis, declaration: &Declaration) -> String {
    let mut text = header(analysis, declaration).map(|header| code(&header)).unwrap_or_default();
    if let Some(reason) = &declaration.deprecated {
        text.push_str(&format!("\n\n**Deprecated**: {reason}"));
    }
    push_docs(&mut text, declaration.docs.as_deref());
    text
}

/// The JSON Schema of a declaration, for the end of a hover.
fn schema(analysis: &Analysis, id: DeclarationId) -> String {
    let Some(schema) = schema_of(analysis.model(), id).and_then(|schema| serde_json::to_string_pretty(&schema).ok()) else {
        return String::new();
    };
    let of = match analysis.model().get(id).map(|declaration| &declaration.kind) {
        Some(DeclarationKind::Tool(_) | DeclarationKind::Agent(_) | DeclarationKind::Workflow(_)) => " of the parameters",
        Some(DeclarationKind::Event(_)) => " of the payload",
        _ => "",
    };
    format!("\n\nJSON Schema{of}:\n\n```json\n{}\n```", first_lines(schema, MOST_SCHEMA_LINES))
}

/// The first lines of a text, and a mark if there are more.
fn first_lines(mut text: String, most: usize) -> String {
    if text.lines().count() > most {
        text = text.lines().take(most).collect::<Vec<_>>().join("\n");
        text.push_str("\n…");
    }
    text
}

/// A rule of the linter as it is shown in a hover and beside a completion.
pub(crate) fn described_rule(name: &str) -> Option<String> {
    let page = weave_lint::find(name)?.code;
    Some(format!("**{name}**: {}\n\n{}", page.summary, page.explanation))
}

fn described_member(analysis: &Analysis, member: &Member, mention: &Mention) -> String {
    let declared = member.ty.as_ref().map(|ty| analysis.model().display(ty));
    let question = if member.optional { "?" } else { "" };
    let default = member.value.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
    let mut text = code(&match &declared {
        Some(ty) => format!("{}{question}: {ty}{default}", member.name),
        None => format!("{}{default}", member.name),
    });
    // A guard may know more than the declaration.
    let here = mention.ty.as_ref().map(|ty| analysis.model().display(ty));
    if let Some(here) = here.filter(|here| Some(here) != declared.as_ref() && here != "?") {
        text.push_str(&format!("\n\nHere it is {}", code_word(&here)));
    }
    if let Some(reason) = &member.deprecated {
        text.push_str(&format!("\n\n**Deprecated**: {reason}"));
    }
    push_docs(&mut text, member.docs.as_deref());
    text
}

/// `name: type`, with a question mark for what may be absent.
pub(crate) fn value(analysis: &Analysis, name: &str, ty: &Type, absent: bool) -> String {
    let question = if absent { "?" } else { "" };
    format!("{name}{question}: {}", analysis.model().display(ty))
}

/// The text of a declaration without what it does: of a workflow its signature, of a type all of it.
fn header(analysis: &Analysis, declaration: &Declaration) -> Option<String> {
    let item = analysis.item_of(declaration)?;
    let tree = &item.slot.parsed.item;
    let end = match &tree.kind {
        ItemKind::Workflow(it) if !it.body.is_empty() => it.body.start,
        ItemKind::Tool(it) => it.settings.as_ref().map_or(tree.span.end, |block| block.span.start),
        ItemKind::Agent(it) => it.settings.as_ref().map_or(tree.span.end, |block| block.span.start),
        _ => tree.span.end,
    };
    let mut text = Span::new(tree.span.start, end).text(item.context.text).trim_end().to_owned();
    if let DeclarationKind::Prompt(_) | DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_) = declaration.kind {
        text = first_lines(text, MOST_LINES);
    }
    Some(text)
}

/// The header of a node, without what it does.
fn node_header(analysis: &Analysis, place: Place) -> Option<String> {
    let item = analysis.item_at(place.file, place.span.start)?;
    let ItemKind::Workflow(workflow) = &item.slot.parsed.item.kind else { return None };
    let node = workflow.nodes.iter().find(|node| item.place(node.span) == place)?;
    let end = match &node.body {
        NodeBody::Block { span, .. } => span.start,
        NodeBody::Value(value) => value.span().start,
        NodeBody::None => node.span.end,
    };
    let text = Span::new(node.span.start, end).text(item.context.text);
    Some(text.trim_end().trim_end_matches('=').trim_end().to_owned())
}

fn about_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "string" => "Text.",
        "bool" => "`true` or `false`.",
        "int" => "Whole numbers within ±(2^53−1); a number in JSON.",
        "int64" => "Whole numbers of 64 bits; a string in JSON.",
        "float" => "Finite doubles; a number in JSON.",
        "decimal" => "Decimal numbers of any precision; a string in JSON.",
        "bytes" => "Bytes; a string of standard base64 in JSON.",
        "timestamp" => "Points in time; a string in JSON, as RFC 3339 says.",
        "date" => "Calendar dates; a string in JSON, such as `2026-11-21`.",
        "duration" => "Lengths of time; a string in JSON, as ISO 8601 says: `PT1M30S`.",
        "uuid" => "A UUID.",
        "uri" => "A URI.",
        "email" => "An e-mail address.",
        "json" => "Any JSON value, as it is.",
        "map" => "Strings as keys, values of one type.",
        _ => return None,
    })
}

fn push_docs(text: &mut String, docs: Option<&str>) {
    if let Some(docs) = docs {
        text.push_str(&format!("\n\n{docs}"));
    }
}

fn code(text: &str) -> String {
    format!("```weave\n{text}\n```")
}

/// Code within a sentence, whatever marks are in it.
fn code_word(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}
