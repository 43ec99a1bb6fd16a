//! The names that are offered at each kind of place.

use std::collections::BTreeSet;

use weave_analysis::model::declarations::{Activation, FAILURE_KINDS, FailureName};
use weave_analysis::model::offered::offered;
use weave_analysis::model::types::Scalar;
use weave_analysis::model::workflow::{self, Node};
use weave_analysis::model::{Declaration, DeclarationKind};
use weave_analysis::vocabulary;
use weave_syntax::ast::{Action, Expr, ItemKind, NodeBody, NodeKind, Setting, SettingValue, StepEntry, ToolKind};

use super::filling::{is_callable, with_arguments};
use super::place::{Limited, Wanted};
use super::{Completer, Completion, CompletionKind, attributes, imports, plain};
use crate::analysis::ItemView;

/// Offers the names that a place wants.
pub(super) fn offer(completer: &Completer<'_>, wanted: Wanted<'_>, items: &mut Vec<Completion>) {
    let words = |words: &[&str], kind| words.iter().map(|word| plain(word, kind)).collect::<Vec<_>>();
    if matches!(wanted, Wanted::Trigger | Wanted::Step) {
        steps(completer, wanted, items);
    }
    if wanted == Wanted::Trigger {
        items.push(plain("start", CompletionKind::Keyword));
        called_tools(completer, items);
    }
    if let Some((kind, accepts)) = declarations(wanted) {
        let start = items.len();
        let calls = completer.calls(wanted);
        items.extend(completer.named(&accepts).map(|(name, declaration)| completion(completer, name, kind, declaration, calls)));
        match wanted {
            Wanted::Type => {
                let scalars = Scalar::ALL.iter().map(|scalar| scalar.name()).chain(["json", "map"]);
                items.extend(scalars.map(|name| plain(name, CompletionKind::Type)));
            }
            Wanted::Failure => {
                completer.without_strangers(start, items);
                items.extend(words(&FAILURE_KINDS, CompletionKind::Failure));
            }
            _ => {}
        }
        if !(wanted == Wanted::Failure && completer.is_in_retry()) {
            imports::offer(completer, kind, accepts, calls, items);
        }
        if wanted == Wanted::Failure {
            completer.without_repeated(items);
        }
        if matches!(wanted, Wanted::Offered | Wanted::Grouped) {
            completer.without_listed(start, items);
        }
        return;
    }
    match wanted {
        Wanted::Imported => imported(completer, items),
        Wanted::Attribute => attributes::offer(completer, items),
        Wanted::Argument(attribute, index) => attributes::offer_arguments(attribute, index, items),
        Wanted::Rule => items.extend(
            weave_lint::RULES
                .iter()
                .map(|rule| Completion { detail: rule.code.summary.to_owned(), ..plain(rule.id(), CompletionKind::Rule) }),
        ),
        Wanted::ValueOf(setting) => {
            items.extend(words(vocabulary::values_of(setting), CompletionKind::Setting));
            completer.without_repeated(items);
        }
        Wanted::AnyOf("model") => models(completer, items),
        Wanted::Limit(limited) => limits(completer, limited, items),
        Wanted::Setting(Some(around)) => items.extend(words(vocabulary::settings_in(around), CompletionKind::Setting)),
        Wanted::Setting(None) => settings(completer, items),
        _ => {}
    }
}

/// Which declarations a place wants.
pub(super) type Accepts = fn(&DeclarationKind) -> bool;

/// What a place wants of what is declared.
fn declarations(wanted: Wanted<'_>) -> Option<(CompletionKind, Accepts)> {
    Some(match wanted {
        Wanted::Agent => (CompletionKind::Callable, |kind| matches!(kind, DeclarationKind::Agent(_))),
        Wanted::Workflow => (CompletionKind::Callable, |kind| matches!(kind, DeclarationKind::Workflow(_))),
        Wanted::Prompt => (CompletionKind::Callable, |kind| matches!(kind, DeclarationKind::Prompt(_))),
        Wanted::Callable => (CompletionKind::Callable, |kind| match kind {
            DeclarationKind::Tool(tool) => is_callable(tool),
            kind => matches!(kind, DeclarationKind::Agent(_) | DeclarationKind::Workflow(_)),
        }),
        Wanted::Offered => (CompletionKind::Callable, |kind| match kind {
            DeclarationKind::Tool(tool) => tool.activation != Activation::Internal,
            kind => can_be_listed(kind),
        }),
        Wanted::Grouped => (CompletionKind::Callable, can_be_listed),
        Wanted::Emitted => (CompletionKind::Topic, |kind| matches!(kind, DeclarationKind::Event(event) if !event.external)),
        Wanted::Topic | Wanted::Trigger => (CompletionKind::Topic, |kind| matches!(kind, DeclarationKind::Event(_))),
        Wanted::Type => (CompletionKind::Type, |kind| {
            matches!(kind, DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_) | DeclarationKind::Error(_))
        }),
        Wanted::Failure => (CompletionKind::Failure, |kind| matches!(kind, DeclarationKind::Error(_))),
        _ => return None,
    })
}

const fn can_be_listed(kind: &DeclarationKind) -> bool {
    matches!(kind, DeclarationKind::Tool(_) | DeclarationKind::Toolkit(_) | DeclarationKind::Agent(_) | DeclarationKind::Workflow(_))
}

impl Completer<'_> {
    /// What the file can name, of some kinds: its own names and those of imports first, then those that are built in.
    pub(super) fn named<'a>(
        &'a self,
        accepts: &dyn Fn(&DeclarationKind) -> bool,
    ) -> impl Iterator<Item = (&'a str, &'a Declaration)> + use<'a> {
        let model = self.analysis.model();
        let scope = model.scope(self.file);
        let names = scope.into_iter().flat_map(|scope| scope.names.iter().chain(&scope.topics));
        let mut found: Vec<(bool, &str, &Declaration)> = names
            .filter_map(|(name, id)| {
                let declaration = model.get(*id).filter(|declaration| accepts(&declaration.kind))?;
                Some((declaration.file.0 == 0, &**name, declaration))
            })
            .collect();
        found.sort_by_key(|(built_in, name, _)| (*built_in, *name));
        found.into_iter().map(|(_, name, declaration)| (name, declaration))
    }

    /// Takes out of what a list of tools is offered, from an index on, what stands in the list already and the owner of the list.
    fn without_listed(&self, start: usize, items: &mut Vec<Completion>) {
        let Some(item) = self.item else { return };
        let text = item.context.text;
        let (own, block) = match &item.slot.parsed.item.kind {
            ItemKind::Agent(agent) => (agent.name, agent.settings.as_ref()),
            ItemKind::Toolkit(toolkit) => (toolkit.name, toolkit.settings.as_ref()),
            _ => return,
        };
        let at = self.word.start - item.slot.start;
        let mut taken = vec![own.text(text)];
        for setting in block.into_iter().flat_map(|block| block.settings()).filter(|setting| setting.name.text(text) == "tools") {
            if let SettingValue::Value { value: Expr::List(list), .. } = &setting.value {
                let others = list.items.iter().map(|entry| entry.value.span()).filter(|span| !span.touches(at));
                taken.extend(others.map(|span| span.text(text)));
            }
        }
        let mut index = 0;
        items.retain(|completion| {
            index += 1;
            index <= start || !taken.contains(&&*completion.label)
        });
    }
}

/// A declaration under the name that it has here.
pub(super) fn completion(
    completer: &Completer<'_>,
    name: &str,
    kind: CompletionKind,
    declaration: &Declaration,
    calls: bool,
) -> Completion {
    let noun = declaration.kind.noun();
    let called = calls.then(|| with_arguments(completer.analysis.model(), name, declaration));
    Completion {
        detail: noun.split_once(' ').map_or(noun, |(_, noun)| noun).to_owned(),
        deprecated: declaration.deprecated.is_some(),
        snippet: called.flatten(),
        ..plain(name, kind)
    }
}

/// The models of the other agents: a program has few.
fn models(completer: &Completer<'_>, items: &mut Vec<Completion>) {
    let own = completer.item.and_then(|item| completer.analysis.declared_by(&item)).map(|(_, declaration)| declaration.place);
    let agents = completer.analysis.model().declarations.iter().filter_map(|declaration| match &declaration.kind {
        DeclarationKind::Agent(agent) if Some(declaration.place) != own => agent.model.as_deref(),
        _ => None,
    });
    let is_name = |model: &&str| model.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let models: BTreeSet<&str> = agents.filter(is_name).collect();
    items.extend(models.into_iter().map(|model| plain(model, CompletionKind::Setting)));
}

/// What limits a type and is not said yet.
fn limits(completer: &Completer<'_>, limited: Limited<'_>, items: &mut Vec<Completion>) {
    let words = match limited {
        Limited::Scalar(name) => Scalar::from_name(name).map(vocabulary::limits_of).unwrap_or_default(),
        Limited::List => vocabulary::LIST_LIMITS,
        Limited::Map => vocabulary::MAP_LIMITS,
    };
    items.extend(words.iter().map(|word| {
        let value = match *word {
            "pattern" => "\"$1\"",
            "unique" => "true",
            _ => "$1",
        };
        Completion { snippet: Some(format!("{word}: {value}")), ..plain(word, CompletionKind::Setting) }
    }));
    completer.without_repeated(items);
}

/// The steps of the workflow, without those that are listed already; the one that the cursor is in comes last, where it can stand at all.
fn steps(completer: &Completer<'_>, wanted: Wanted<'_>, items: &mut Vec<Completion>) {
    let Some((body, own)) = completer.node() else { return };
    let listed = completer.before().filter(|_| wanted == Wanted::Step).map(|before| before.listed()).unwrap_or_default();
    let steps = body.nodes.iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Step && !node.name.is_empty());
    let (own, others): (Vec<_>, Vec<_>) = steps.partition(|(index, _)| *index as u32 == own);
    // Whoever goes round in a loop names itself, but that is seldom what is wanted.
    let may_be_own = wanted == Wanted::Trigger || completer.before().is_some_and(|before| before.is_of_loop());
    let steps = others.into_iter().chain(own.into_iter().filter(|_| may_be_own));
    let asked = completer.before().and_then(|before| before.asked_for()).filter(|_| wanted == Wanted::Step);
    let mut steps: Vec<_> = steps.collect();
    if let Some(what) = asked
        && steps.iter().any(|(index, node)| completer.may_give(what, *index, node))
    {
        steps.retain(|(index, node)| completer.may_give(what, *index, node));
    }
    for (_, node) in steps.into_iter().filter(|(_, node)| !listed.contains(&&*node.name)) {
        let detail = node.answer.as_ref().map(|ty| completer.analysis.model().display(ty)).unwrap_or_default();
        items.push(Completion { detail, ..plain(&node.name, CompletionKind::Step) });
    }
}

/// The tools that the agents of other steps may call, each with its step, as a trigger names it; signals first, since nobody else reacts to them.
fn called_tools(completer: &Completer<'_>, items: &mut Vec<Completion>) {
    let (Some((body, own)), model) = (completer.node(), completer.analysis.model()) else { return };
    let has_step = completer.behind().starts_with("from");
    let scope = model.scope(completer.file);
    let mut found: Vec<(bool, String, &str)> = Vec::new();
    for (index, node) in body.nodes.iter().enumerate().filter(|(index, _)| *index as u32 != own) {
        let asks = completer.item.and_then(|item| completer.asked(&item, index));
        let Some(DeclarationKind::Agent(agent)) = asks.map(|declaration| &declaration.kind) else { continue };
        for tool in offered(model, &agent.tools).tools {
            let Some(DeclarationKind::Tool(it)) = model.get(tool.target).map(|declaration| &declaration.kind) else { continue };
            let (is_signal, noun) = (it.kind == ToolKind::Signal, if it.kind == ToolKind::Signal { "signal tool" } else { "tool" });
            // It may be named as it is declared, too.
            let declared = scope.into_iter().flat_map(|scope| &scope.names).filter(|(_, id)| **id == tool.target);
            for name in declared.map(|(name, _)| &**name).chain([tool.name.as_str()]) {
                let label = if has_step { name.to_owned() } else { format!("{name} from {}", node.name) };
                found.push((!is_signal, label, noun));
            }
        }
    }
    found.sort();
    found.dedup();
    items.extend(
        found.into_iter().map(|(_, label, noun)| Completion { detail: noun.to_owned(), ..plain(&label, CompletionKind::Callable) }),
    );
}

impl Completer<'_> {
    /// The agent that a node asks.
    fn asked(&self, item: &ItemView<'_>, node: usize) -> Option<&Declaration> {
        let ItemKind::Workflow(workflow) = &item.slot.parsed.item.kind else { return None };
        let NodeBody::Block { entries, .. } = &workflow.nodes.get(node)?.body else { return None };
        let name = entries.iter().find_map(|entry| match entry {
            StepEntry::Action(Action::Invoke { name, .. }) => Some(name.text(item.context.text)),
            _ => None,
        })?;
        let model = self.analysis.model();
        model.get(*model.scope(self.file)?.names.get(name)?)
    }
}

impl Completer<'_> {
    /// Whether a step may give what stands before `from`: a topic that answers it, or a tool that its agent may call.
    fn may_give(&self, what: &str, index: usize, node: &Node) -> bool {
        let model = self.analysis.model();
        let Some(scope) = model.scope(self.file) else { return false };
        if what.contains('.') {
            let Some(topic) = scope.topics.get(what) else { return false };
            return match &node.action {
                workflow::Action::Emit { event, .. } => match model.get(*event).map(|declaration| &declaration.kind) {
                    Some(DeclarationKind::Event(it)) => it.answers.contains(topic) || (it.answers.is_empty() && event == topic),
                    _ => false,
                },
                workflow::Action::WaitTopics { topics, .. } => topics.contains(topic),
                // What comes from within an agent or a tool, such as `tool.progress`.
                _ => model.get(*topic).is_some_and(|declaration| declaration.file.0 == 0),
            };
        }
        let asked = self.item.and_then(|item| self.asked(&item, index));
        let Some(DeclarationKind::Agent(agent)) = asked.map(|declaration| &declaration.kind) else { return false };
        let declared = scope.names.get(what);
        offered(model, &agent.tools).tools.iter().any(|tool| tool.name == what || Some(&tool.target) == declared)
    }

    /// Whether the cursor is in the block of a `retry`.
    fn is_in_retry(&self) -> bool {
        self.before().is_some_and(|before| before.is_in_list_of("on"))
    }

    /// Takes out of the errors that `retry` may name, from an index on, those that the tool does not fail with.
    fn without_strangers(&self, start: usize, items: &mut Vec<Completion>) {
        let declared = self.item.as_ref().and_then(|item| self.analysis.declared_by(item));
        let Some((_, Declaration { kind: DeclarationKind::Tool(tool), .. })) = declared else { return };
        if !self.is_in_retry() {
            return;
        }
        let scope = self.analysis.model().scope(self.file);
        let fails = |name: &str| {
            let id = scope.and_then(|scope| scope.names.get(name));
            tool.fails.iter().any(|failure| matches!(failure, FailureName::Error(error) if Some(error) == id))
        };
        let mut index = 0;
        items.retain(|item| {
            index += 1;
            index <= start || fails(&item.label)
        });
    }

    /// Takes out what stands in the brackets around the cursor already.
    fn without_repeated(&self, items: &mut Vec<Completion>) {
        let listed = self.before().map(|before| before.listed()).unwrap_or_default();
        items.retain(|item| !listed.contains(&&*item.label));
    }
}

/// What the other file declares and is not imported yet.
fn imported(completer: &Completer<'_>, items: &mut Vec<Completion>) {
    let Some(item) = completer.item else { return };
    let ItemKind::Import(import) = &item.slot.parsed.item.kind else { return };
    let Some(target) = completer.analysis.imported_file(&item) else { return };
    let at = completer.offset - item.slot.start;
    let others = import.names.iter().filter(|name| !name.name.span.touches(at));
    let taken: Vec<&str> = others.map(|name| name.name.text(item.context.text)).collect();
    for declaration in completer.analysis.model().declarations.iter().filter(|declaration| declaration.file == target) {
        if !taken.contains(&&*declaration.name) {
            let kind = match declaration.kind {
                DeclarationKind::Event(_) => CompletionKind::Topic,
                DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_) => CompletionKind::Type,
                DeclarationKind::Error(_) => CompletionKind::Failure,
                _ => CompletionKind::Callable,
            };
            items.push(completion(completer, &declaration.name, kind, declaration, false));
        }
    }
}

/// The settings that are not there yet. Some may be there several times.
fn settings(completer: &Completer<'_>, items: &mut Vec<Completion>) {
    let Some(item) = completer.item else { return };
    let (kind, text, at) = (&item.slot.parsed.item.kind, item.context.text, completer.word.start - item.slot.start);
    let mut words = vocabulary::settings_of(kind);
    let given: Vec<&Setting> = match kind {
        ItemKind::Workflow(workflow) => match workflow.nodes.iter().find(|node| node.span.start < at && at <= node.span.end) {
            Some(node) => {
                words = vocabulary::settings_of_steps();
                let entries: &[StepEntry] = if let NodeBody::Block { entries, .. } = &node.body { entries } else { &[] };
                entries.iter().filter_map(|entry| if let StepEntry::Setting(setting) = entry { Some(setting) } else { None }).collect()
            }
            None if completer.before().is_some_and(|before| before.is_in_node()) => {
                words = vocabulary::settings_of_steps();
                Vec::new()
            }
            // Behind a node there are none.
            None if workflow.nodes.iter().any(|node| node.span.end <= at) => {
                words = &[];
                Vec::new()
            }
            None => workflow.settings.iter().collect(),
        },
        ItemKind::Tool(tool) => tool.settings.iter().flat_map(|block| block.settings()).collect(),
        ItemKind::Toolkit(toolkit) => toolkit.settings.iter().flat_map(|block| block.settings()).collect(),
        ItemKind::Agent(agent) => agent.settings.iter().flat_map(|block| block.settings()).collect(),
        _ => Vec::new(),
    };
    let is_given = |word: &str| {
        !matches!(word, "example" | "binding")
            && given.iter().any(|setting| setting.name.text(text) == word && !setting.name.span.touches(at))
    };
    items.extend(words.iter().filter(|word| !is_given(word)).map(|word| plain(word, CompletionKind::Setting)));
}
