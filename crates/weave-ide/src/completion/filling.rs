//! What is inserted with places to fill in: snippets with the names that are known, and calls with their arguments.

use weave_analysis::model::declarations::Tool;
use weave_analysis::model::types::{RecordType, Type};
use weave_analysis::model::{Declaration, DeclarationKind, Model};
use weave_syntax::TokenKind as K;
use weave_syntax::ast::{NodeKind, ToolKind};
use weave_syntax::text::quoted_string;

use super::snippets::{Place, SNIPPETS, Snippet};
use super::{ACTIONS, Completer, Completion, CompletionKind, plain};

/// Offers the snippets that may begin at the cursor.
pub(super) fn offer(completer: &Completer<'_>, expects: &weave_syntax::Expected, has_action: bool, items: &mut Vec<Completion>) {
    if !completer.begins() {
        return;
    }
    let may_stand = |place| match place {
        Place::Item => expects.kinds.contains(&K::Workflow) && expects.kinds.contains(&K::Enum),
        Place::Node => expects.kinds.contains(&K::Step) && !expects.kinds.contains(&K::When),
        Place::Action => expects.kinds.contains(&K::Ask),
    };
    let steps = completer.steps_before();
    let is_second = |snippet: &Snippet| has_action && snippet.words.iter().any(|word| ACTIONS.contains(word)) && snippet.is_of_step();
    for snippet in SNIPPETS.iter().filter(|snippet| may_stand(snippet.place) && !is_second(snippet)) {
        // The first step needs no trigger: it fires at the start.
        let body = if steps.is_empty() { snippet.body.replacen(" on ${2:start}", "", 1) } else { snippet.body.to_owned() };
        let body = filled(&body, &|stop| if matches!(stop, "start" | "step") { steps.clone() } else { names(completer, stop) });
        items.push(Completion {
            detail: snippet.about.to_owned(),
            snippet: Some(body),
            filter: Some(format!("{} {}", snippet.words.join(" "), snippet.name)),
            ..plain(snippet.name, CompletionKind::Snippet)
        });
    }
}

/// The names that are known for a stop; nothing if there are none, or it stands for something else.
fn names(completer: &Completer<'_>, stop: &str) -> Vec<String> {
    let named = |accepts: fn(&DeclarationKind) -> bool| completer.named(&accepts).map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    let mut names = match stop {
        "agent" => named(|kind| matches!(kind, DeclarationKind::Agent(_))),
        "tool" => named(|kind| matches!(kind, DeclarationKind::Tool(tool) if is_callable(tool))),
        "workflow" => named(|kind| matches!(kind, DeclarationKind::Workflow(_))),
        "prompt_name" => named(|kind| matches!(kind, DeclarationKind::Prompt(_))),
        _ => Vec::new(),
    };
    names.truncate(MOST);
    names
}

/// More names than these nobody reads.
const MOST: usize = 12;

/// Whether a step can call it.
pub(super) const fn is_callable(tool: &Tool) -> bool {
    matches!(tool.kind, ToolKind::Local | ToolKind::Interaction)
}

impl Completer<'_> {
    /// Whether what is typed is the first on its line, or behind an opening brace.
    fn begins(&self) -> bool {
        let before = self.analysis.text(self.file).get(..self.word.start as usize).unwrap_or_default();
        let before = before.trim_start_matches('\u{feff}').trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with(['\n', '\r', '{'])
    }

    /// The steps that stand before the cursor, the nearest first.
    fn steps_before(&self) -> Vec<String> {
        let Some((workflow, item)) = self.workflow() else { return Vec::new() };
        let at = self.word.start.saturating_sub(item.slot.start);
        let before = workflow.nodes.iter().filter(|node| node.kind == NodeKind::Step && node.span.end <= at);
        let mut names: Vec<String> = before.map(|node| node.name.text(item.context.text).to_owned()).collect();
        names.retain(|name| !name.is_empty());
        names.reverse();
        names.truncate(MOST);
        names
    }
}

/// A body in which the stops of names that are known offer these: `${1:agent}` becomes `${1:only}` or `${1|one,other|}`.
fn filled(body: &str, names: &dyn Fn(&str) -> Vec<String>) -> String {
    let mut text = String::with_capacity(body.len());
    for part in parts(body) {
        match part {
            Part::Text(part) => text.push_str(part),
            Part::Stop(number, default) => match names(default).as_slice() {
                [] if default.is_empty() => text.push_str(&format!("${{{number}}}")),
                [] => text.push_str(&format!("${{{number}:{default}}}")),
                [only] => text.push_str(&format!("${{{number}:{only}}}")),
                several => text.push_str(&format!("${{{number}|{}|}}", several.join(","))),
            },
            Part::Choice(number, choices) => text.push_str(&format!("${{{number}|{choices}|}}")),
        }
    }
    text
}

/// What stands there before anything is filled in, for editors that have no places to fill in.
pub(super) fn without_stops(body: &str) -> String {
    let mut text = String::with_capacity(body.len());
    let mut known: Vec<(&str, &str)> = Vec::new();
    for part in parts(body) {
        match part {
            Part::Text(part) => text.push_str(part),
            Part::Stop(number, default) => {
                let earlier = known.iter().find(|(other, _)| *other == number).map_or("", |(_, default)| default);
                let default = if default.is_empty() { earlier } else { default };
                text.push_str(default);
                known.push((number, default));
            }
            Part::Choice(number, choices) => {
                let first = choices.split(',').next().unwrap_or_default();
                text.push_str(first);
                known.push((number, first));
            }
        }
    }
    text
}

enum Part<'a> {
    Text(&'a str),
    /// Its number, and what stands there at first; nothing if it is there a second time.
    Stop(&'a str, &'a str),
    /// Its number, and what may stand there, with commas between.
    Choice(&'a str, &'a str),
}

/// The parts of a body. Ours have neither escapes nor stops within stops.
fn parts(body: &str) -> Vec<Part<'_>> {
    let mut found = Vec::new();
    let mut rest = body;
    while let Some((before, behind)) = rest.split_once('$') {
        found.push(Part::Text(before));
        let braced = behind.strip_prefix('{').and_then(|behind| behind.split_once('}'));
        if let Some((stop, behind)) = braced {
            let end = stop.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(stop.len());
            let (number, default) = stop.split_at(end);
            found.push(match default.strip_prefix('|') {
                Some(choices) => Part::Choice(number, choices.trim_end_matches('|')),
                None => Part::Stop(number, default.trim_start_matches(':')),
            });
            rest = behind;
        } else {
            let end = behind.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(behind.len());
            let (number, behind) = behind.split_at(end);
            found.push(Part::Stop(number, ""));
            rest = behind;
        }
    }
    found.push(Part::Text(rest));
    found
}

/// What is called, with what has to be said: `reader { ticket: $1 }`; nothing if that is nothing.
pub(super) fn with_arguments(model: &Model, name: &str, declaration: &Declaration) -> Option<String> {
    let (record, needs_braces) = match &declaration.kind {
        DeclarationKind::Agent(agent) => (&*agent.input, true),
        DeclarationKind::Tool(tool) => (&*tool.input, true),
        DeclarationKind::Workflow(workflow) => (&*workflow.input, true),
        DeclarationKind::Event(event) => (record_of(model, &event.payload)?, false),
        _ => return None,
    };
    let needed = record.fields.iter().filter(|field| !field.may_be_left_out()).enumerate();
    let entries: Vec<String> = needed.map(|(index, field)| format!("{}: ${}", key(&field.name), index + 1)).collect();
    match entries.as_slice() {
        [] if needs_braces => Some(format!("{name} {{}}$0")),
        [] => None,
        entries => Some(format!("{name} {{ {} }}$0", entries.join(", "))),
    }
}

/// The record that a type is, if it is one.
fn record_of<'a>(model: &'a Model, ty: &'a Type) -> Option<&'a RecordType> {
    match ty {
        Type::Record(record) => Some(record),
        Type::Named(id) => match &model.get(*id)?.kind {
            DeclarationKind::Type(Type::Record(record)) => Some(record),
            _ => None,
        },
        _ => None,
    }
}

/// A key as it is written, in quotes where it is no name.
fn key(name: &str) -> String {
    let is_name =
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && !name.starts_with(|first: char| first.is_ascii_digit());
    if is_name && !name.is_empty() { name.to_owned() } else { escaped(&quoted_string(name)) }
}

/// A text in which nothing is a place to fill in. A brace only counts within such a place.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$")
}
