//! What is called at the cursor, and which of its parameters is being written.

use std::collections::BTreeSet;

use weave_analysis::model::types::{FieldType, RecordType};
use weave_analysis::model::{DeclarationKind, Lookup, Model};
use weave_analysis::vocabulary::{FUNCTIONS, Function, LIST_METHODS, TEXT_METHODS};
use weave_diagnostics::{FileId, Span};
use weave_syntax::{TokenKind as K, Tokens};

use crate::Analysis;
use crate::references::word;

/// What is called, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// `lookup(id: string, deep?: bool) -> Order`.
    pub label: String,
    /// What is said about it, in Markdown.
    pub docs: Option<String>,
    /// The parameters in their order.
    pub parameters: Vec<Parameter>,
    /// Which of them is being written, or comes next; none if all are there.
    pub active: Option<usize>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Where it stands in the label, in bytes.
    pub span: Span,
    /// What is said about it, in Markdown.
    pub docs: Option<String>,
}

/// The tool, agent, workflow or event whose arguments are written at an offset, or the function or method of a guard. It goes by tokens, because what is being written most often has no
/// tree yet.
#[must_use]
pub fn signature(analysis: &Analysis, file: FileId, offset: u32) -> Option<Signature> {
    let item = analysis.item_at(file, offset)?;
    let unit = analysis.unit(file)?;
    let tokens = Around { tokens: &unit.syntax.tokens, text: &unit.syntax.text };
    if let Some(found) = tokens.guard_call(item.slot.start, offset) {
        return Some(found);
    }
    let call = tokens.call(item.slot.start, item.slot.end, offset)?;
    let Lookup::Found(callee) = analysis.model().scope(file)?.lookup(&call.name, call.is_topic) else { return None };
    let declaration = analysis.model().get(callee)?;
    let (input, output) = match &declaration.kind {
        DeclarationKind::Tool(tool) => (&*tool.input, tool.output.as_ref()),
        DeclarationKind::Agent(agent) => (&*agent.input, agent.output.as_ref()),
        DeclarationKind::Workflow(workflow) => (&*workflow.input, workflow.output.as_ref()),
        DeclarationKind::Event(event) => (&**analysis.model().record(&event.payload)?, None),
        _ => return None,
    };
    let (mut label, parameters) = header(analysis.model(), &declaration.name, input);
    if let Some(output) = output {
        label.push_str(&format!(" -> {}", analysis.model().display(output)));
    }
    let position = |name: &str| input.fields.iter().position(|field| *field.name == *name);
    let active = match &call.key {
        Some(key) => position(key),
        None => input.fields.iter().position(|field| !call.given.contains(&*field.name)),
    };
    let docs = declaration.docs.as_deref().map(str::to_owned);
    Some(Signature { label, docs, parameters, active })
}

fn header(model: &Model, name: &str, input: &RecordType) -> (String, Vec<Parameter>) {
    let mut label = format!("{name}(");
    let mut parameters = Vec::with_capacity(input.fields.len());
    for (index, field) in input.fields.iter().enumerate() {
        if index > 0 {
            label.push_str(", ");
        }
        let start = label.len() as u32;
        label.push_str(&written(model, field));
        let span = Span::new(start, label.len() as u32);
        parameters.push(Parameter { span, docs: field.docs.as_deref().map(str::to_owned) });
    }
    if input.open {
        label.push_str(if input.fields.is_empty() { "..." } else { ", ..." });
    }
    label.push(')');
    (label, parameters)
}

fn written(model: &Model, field: &FieldType) -> String {
    let question = if field.optional { "?" } else { "" };
    let default = field.default.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
    format!("{}{question}: {}{default}", field.name, model.display(&field.ty))
}

/// A call around a cursor.
struct Call {
    name: String,
    is_topic: bool,
    /// The key whose value is being written.
    key: Option<String>,
    /// The keys that are there already.
    given: BTreeSet<String>,
}

/// The signature of a function of guards.
fn described(function: &Function, commas: usize) -> Signature {
    let label = function.signature.to_owned();
    let inside = label.split_once('(').zip(label.split_once(')')).map(|((name, _), (before, _))| (name.len() + 1, before.len()));
    let mut parameters = Vec::new();
    if let Some((mut start, end)) = inside.filter(|(start, end)| start < end) {
        for name in label.get(start..end).unwrap_or_default().split(", ") {
            parameters.push(Parameter { span: Span::new(start as u32, (start + name.len()) as u32), docs: None });
            start += name.len() + 2;
        }
    }
    let active = (commas < parameters.len()).then_some(commas);
    Signature { label, docs: Some(function.about.to_owned()), parameters, active }
}

/// The tokens around a cursor.
struct Around<'a> {
    tokens: &'a Tokens,
    text: &'a str,
}

impl Around<'_> {
    /// The function or method of a guard whose parentheses are the innermost ones around the cursor.
    fn guard_call(&self, start: u32, cursor: u32) -> Option<Signature> {
        let first = self.tokens.at(start);
        let before = (first..self.tokens.len()).take_while(|index| self.tokens.start(*index) < cursor);
        let code: Vec<usize> = before.filter(|index| !self.tokens.kind(*index).is_trivia()).collect();
        let (mut depth, mut commas) = (0_usize, 0_usize);
        for (at, index) in code.iter().enumerate().rev() {
            match self.tokens.kind(*index) {
                kind if kind.is_closer() => depth += 1,
                kind if kind.is_opener() && depth > 0 => depth -= 1,
                K::Comma if depth == 0 => commas += 1,
                // Parentheses around a condition, and lists, may stand within a call.
                K::ParenOpen => match self.function(&code, at) {
                    Some(function) => return Some(described(function, commas)),
                    None => commas = 0,
                },
                K::BracketOpen => commas = 0,
                kind if kind.is_opener() => return None,
                _ => {}
            }
        }
        None
    }

    /// The function or method of a guard that is called with the parentheses which open here.
    fn function(&self, code: &[usize], open: usize) -> Option<&'static Function> {
        let token = |back: usize| open.checked_sub(back).and_then(|at| code.get(at));
        let name = self.tokens.span(*token(1)?).text(self.text);
        match self.tokens.kind(*token(2)?) {
            K::Dot => [TEXT_METHODS, LIST_METHODS].into_iter().flatten().find(|method| method.name == name),
            // What is declared is called like this, too.
            kind if kind.is_word() && kind != K::When => None,
            _ => FUNCTIONS.iter().find(|function| function.name == name),
        }
    }

    /// The innermost call between two offsets whose braces are around the cursor.
    fn call(&self, start: u32, end: u32, cursor: u32) -> Option<Call> {
        let (first, last) = (self.tokens.at(start), self.tokens.at(end).min(self.tokens.len()));
        let holding = self.tokens.at(cursor);
        let here = if self.tokens.start(holding) < cursor { holding + 1 } else { holding };
        let (mut key, mut given) = (None, BTreeSet::new());
        // How deep what is passed lies in brackets, whether it ends before a comma, and what stands behind it.
        let (mut depth, mut is_over, mut behind) = (0_usize, false, self.code(here..last).map(|index| self.tokens.kind(index)));
        let mut is_nested = false;
        for index in (first..here).rev() {
            let kind = self.tokens.kind(index);
            if kind.is_trivia() {
                continue;
            }
            if kind.is_closer() {
                depth += 1;
            } else if kind.is_opener() && depth > 0 {
                depth -= 1;
            } else if kind.is_opener() {
                if let Some((name, is_topic)) = self.callee(first, index) {
                    if !is_nested {
                        given.extend(self.keys_behind(here..last));
                    }
                    return Some(Call { name, is_topic, key, given });
                }
                (key, given, is_over, is_nested) = (None, BTreeSet::new(), false, true);
            } else if depth == 0 {
                is_over |= kind == K::Comma;
                if let Some(name) = self.key(index, behind) {
                    if !is_over && key.is_none() {
                        key = Some(name.clone());
                    }
                    given.insert(name);
                }
            }
            behind = Some(kind);
        }
        None
    }

    /// The first token of some that is neither blank nor comment.
    fn code(&self, mut range: std::ops::Range<usize>) -> Option<usize> {
        range.find(|index| !self.tokens.kind(*index).is_trivia())
    }

    /// The keys from here to the end of the braces.
    fn keys_behind(&self, range: std::ops::Range<usize>) -> Vec<String> {
        let mut found = Vec::new();
        let mut depth = 0_usize;
        let mut before = None;
        for index in range {
            let kind = self.tokens.kind(index);
            if kind.is_trivia() {
                continue;
            }
            if kind.is_opener() {
                depth += 1;
            } else if kind.is_closer() {
                let Some(outer) = depth.checked_sub(1) else { break };
                depth = outer;
            } else if depth == 0 && kind == K::Colon {
                found.extend(before.and_then(|index| self.key(index, Some(K::Colon))));
            }
            before = Some(index);
        }
        found
    }

    /// The key that a token is, if there is a colon behind it.
    fn key(&self, index: usize, behind: Option<K>) -> Option<String> {
        let kind = self.tokens.kind(index);
        let is_key = behind == Some(K::Colon) && (kind.is_word() || kind == K::String);
        is_key.then(|| word(self.tokens.span(index).text(self.text)))
    }

    /// What is called with the braces that open here: `call lookup {`, `emit order.paid {`.
    fn callee(&self, first: usize, open: usize) -> Option<(String, bool)> {
        let before = |index: usize| (first..index).rev().find(|index| !self.tokens.kind(*index).is_trivia());
        let last = before(open).filter(|index| self.tokens.kind(*index).is_word())?;
        let (mut name, mut is_topic) = (last, false);
        while let Some(dot) = name.checked_sub(1).filter(|dot| *dot > first && matches!(self.tokens.kind(*dot), K::Dot | K::LeadingDot)) {
            (name, is_topic) = (dot - 1, true);
        }
        let action = before(name).map(|index| self.tokens.kind(index))?;
        let is_call = if is_topic { action == K::Emit } else { matches!(action, K::Call | K::Ask | K::Run) };
        let span = Span::new(self.tokens.start(name), self.tokens.span(last).end);
        is_call.then(|| (span.text(self.text).to_owned(), is_topic))
    }
}
