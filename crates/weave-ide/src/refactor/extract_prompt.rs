//! What a model is told in a step becomes a prompt with typed parameters, and an agent that the step asks.

use weave_diagnostics::{Edit, FileId, Span};
use weave_syntax::ast::{Block, Coalesce, Expr, ItemKind, LiteralKind, Path, Segment, SettingValue};
use weave_syntax::{Part, template};

use super::infer::{Inference, Inferred};
use super::invoke::Emitted;
use super::{Refactoring, RefactoringKind, fresh, layout};
use crate::Analysis;

/// A parameter of the new prompt.
struct Parameter<'a> {
    name: String,
    ty: Inferred,
    /// What it gets.
    argument: &'a str,
}

/// What extracts the prompt of the `emit ai.request` that a range is in.
pub(super) fn extract_prompt<'a>(analysis: &'a Analysis, file: FileId, range: Span) -> Option<Refactoring<'a>> {
    let emitted = Emitted::at(analysis, file, range.start).filter(|emitted| emitted.topic == "ai.request")?;
    // Whatever else a host is told, an agent has no setting for it.
    let [only] = &*emitted.payload.entries else { return None };
    let Expr::Literal(literal) = &only.value else { return None };
    let is_prompt = emitted.key(only) == "prompt" && matches!(literal.kind, LiteralKind::String | LiteralKind::TextBlock);
    let parts = template(emitted.item.context.text, *literal);
    if !is_prompt || !parts.errors.is_empty() {
        return None;
    }
    let inference = Inference::new(analysis, emitted.item);
    let mut parameters: Vec<Parameter<'_>> = Vec::new();
    let mut text = String::new();
    let mut from = literal.span.start;
    for part in &parts.parts {
        let Part::Placeholder { value, .. } = part else { continue };
        let path = path_of(value)?;
        let written = emitted.text(path.span);
        let known = parameters.iter().position(|parameter| parameter.argument == written);
        if known.is_none() {
            let name = fresh::numbered(&last_name(&emitted, path)?, |name| parameters.iter().any(|other| other.name == name));
            parameters.push(Parameter { name, ty: inference.path(path), argument: written });
        }
        let name = &parameters.get(known.unwrap_or(parameters.len().saturating_sub(1)))?.name;
        text.push_str(emitted.text(Span::new(from, path.span.start)));
        text.push_str(&format!(".{name}"));
        from = path.span.end;
    }
    text.push_str(emitted.text(Span::new(from, literal.span.end)));
    if literal.kind == LiteralKind::TextBlock {
        text = moved_out(&text);
    }
    let step = emitted.text(emitted.node.name.span);
    let workflow = emitted.item.slot.parsed.item.kind.name()?.text(emitted.item.context.text);
    let agent = fresh::name(analysis, file, &format!("{workflow}_{step}"));
    let prompt = fresh::name(analysis, file, &format!("{agent}_prompt"));
    let declared: Vec<String> = parameters.iter().map(Parameter::declared).collect();
    let arguments: Vec<String> = parameters.iter().map(|parameter| format!("{}: {}", parameter.name, parameter.argument)).collect();
    let declared = declared.join(", ");
    let declaration = format!(
        "prompt {prompt}({declared}) {text}\n\nagent {agent}({declared}) {{\n  model {}\n  prompt {prompt}\n}}",
        model(analysis, file)
    );
    let given = if arguments.is_empty() { String::new() } else { format!(" {{ {} }}", arguments.join(", ")) };
    let changes = vec![
        layout::declared_before(analysis, file, emitted.item.slot.start, &declaration),
        Edit { place: emitted.item.place(emitted.span), text: format!("ask {agent}{given}") },
    ];
    Some(Refactoring::new(RefactoringKind::Extract, format!("Extract to the prompt `{prompt}`, and ask an agent"), changes))
}

/// A text block with the margin that it has at top level. Its margin is what stands before the quotes that close it.
fn moved_out(block: &str) -> String {
    let margin = block.rsplit('\n').next().unwrap_or_default();
    let margin = margin.get(..margin.len() - margin.trim_start().len()).unwrap_or_default();
    let line = |line: &str| {
        line.strip_prefix(margin)
            .map_or_else(|| line.to_owned(), |rest| if rest.trim().is_empty() { rest.to_owned() } else { format!("  {rest}") })
    };
    let mut lines = block.split('\n');
    let first = lines.next().unwrap_or_default().to_owned();
    std::iter::once(first).chain(lines.map(line)).collect::<Vec<_>>().join("\n")
}

impl Parameter<'_> {
    fn declared(&self) -> String {
        format!("{}{}: {}", self.name, if self.ty.absent { "?" } else { "" }, self.ty.ty)
    }
}

/// The model that the agents of a file have; each agent needs one.
pub(super) fn model(analysis: &Analysis, file: FileId) -> &str {
    let of = |item: crate::analysis::ItemView<'_>| {
        let ItemKind::Agent(agent) = &item.slot.parsed.item.kind else { return None };
        let mut settings = agent.settings.iter().flat_map(Block::settings);
        let setting = settings.find(|setting| setting.name.text(item.context.text) == "model")?;
        let SettingValue::Value { value, block: None } = &setting.value else { return None };
        analysis.text(file).get(value.span().shifted(item.slot.start).range())
    };
    analysis.items(file).find_map(of).filter(|model| !model.is_empty()).unwrap_or("mini")
}

/// The path of a placeholder, what is taken in its place aside.
fn path_of(value: &Expr) -> Option<&Path> {
    match value {
        Expr::Path(path) => Some(path),
        Expr::Coalesce(coalesce) => match &**coalesce {
            Coalesce { value: Expr::Path(path), .. } => Some(path),
            _ => None,
        },
        _ => None,
    }
}

/// What a path ends with.
fn last_name(emitted: &Emitted<'_>, path: &Path) -> Option<String> {
    let mut names = path.segments.iter().filter_map(|segment| if let Segment::Field(name) = segment { Some(*name) } else { None });
    names.next_back().map(|name| emitted.text(name.span).to_owned())
}
