//! What an editor sees while somebody types: the part that is being typed stays in the tree, and one diagnostic says what is missing.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use weave_diagnostics::FileId;
use weave_syntax::ast::{
    Action, Clause, Expr, Item, ItemKind, Name, Node, NodeBody, Root, Segment, Source, StepEntry, Target, Type, TypeBody, Wait,
};
use weave_syntax::parse;

/// The items in short, with `_` for what is missing, and what is said.
fn outline(text: &str) -> (Vec<String>, Vec<String>) {
    let file = parse(text.into());
    let items = file.items.iter().map(|slot| Outline(file.item_text(slot)).item(&slot.parsed.item));
    let said = file.diagnostics(FileId(0)).into_iter().map(|it| it.message);
    (items.collect(), said.collect())
}

struct Outline<'a>(&'a str);

impl Outline<'_> {
    fn name(&self, name: Name) -> String {
        if name.is_missing() { "_".to_owned() } else { name.text(self.0).to_owned() }
    }

    fn item(&self, item: &Item) -> String {
        match &item.kind {
            ItemKind::Workflow(workflow) => {
                let settings = workflow.settings.iter().map(|setting| self.name(setting.name));
                let parts: Vec<String> = settings.chain(workflow.nodes.iter().map(|node| self.node(node))).collect();
                format!("workflow {} [{}]", self.name(workflow.name), parts.join("; "))
            }
            ItemKind::Type(ty) => match &ty.body {
                TypeBody::Record(record) => {
                    let fields: Vec<String> =
                        record.fields.iter().map(|field| format!("{}: {}", field.name.text(self.0), self.ty(&field.ty))).collect();
                    format!("type {} [{}]", self.name(ty.name), fields.join("; "))
                }
                TypeBody::Alias(alias) => format!("type {} = {}", self.name(ty.name), self.ty(alias)),
                TypeBody::None => format!("type {}", self.name(ty.name)),
            },
            ItemKind::Agent(agent) => {
                let settings = agent.settings.iter().flat_map(|block| block.settings());
                format!("agent {} [{}]", self.name(agent.name), settings.map(|it| self.name(it.name)).collect::<Vec<_>>().join("; "))
            }
            ItemKind::Prompt(prompt) => {
                format!("prompt {} {}", self.name(prompt.name), if prompt.text.is_some() { "with text" } else { "_" })
            }
            ItemKind::Import(import) => {
                let names: Vec<&str> = import.names.iter().map(|it| it.name.text(self.0)).collect();
                format!("import [{}] {}", names.join("; "), if import.path.is_some() { "from" } else { "_" })
            }
            ItemKind::Tool(tool) => format!("tool {} ({}) {}", self.name(tool.name), tool.parameters.len(), tool.output.is_some()),
            ItemKind::Broken => "broken".to_owned(),
            kind => kind.name().map_or_else(|| "item".to_owned(), |name| self.name(name)),
        }
    }

    fn node(&self, node: &Node) -> String {
        let mut text = format!("{:?} {}", node.kind, self.name(node.name)).to_lowercase();
        for clause in &node.clauses {
            text += &match clause {
                Clause::On(triggers) => {
                    let sources: Vec<String> = triggers.items.iter().map(|trigger| self.source(&trigger.source)).collect();
                    format!(" on {}", sources.join(" | "))
                }
                Clause::Limit { count, .. } => format!(" limit {}", self.expr(count)),
                Clause::Each(each) => format!(" each {} as {}", self.expr(&each.list), self.name(each.variable)),
            };
            if let Clause::On(triggers) = clause
                && let Some(weave_syntax::ast::Condition::When { guard, .. }) = triggers.items.first().and_then(|it| it.condition.as_ref())
            {
                text += &format!(" when {}", self.expr(guard));
            }
        }
        match &node.body {
            NodeBody::Block { entries, .. } => {
                let entries: Vec<String> = entries.iter().map(|entry| self.entry(entry)).collect();
                format!("{text} {{{}}}", entries.join(", "))
            }
            NodeBody::Value(value) => format!("{text} = {}", self.expr(value)),
            NodeBody::None => text,
        }
    }

    fn source(&self, source: &Source) -> String {
        match source {
            Source::Name(what) if what.span.is_empty() => "_".to_owned(),
            Source::Name(what) => what.text(self.0).to_owned(),
            Source::From { what, step } => format!("{} from {}", what.text(self.0), self.name(*step)),
            Source::Failure { step } => format!("failure({})", self.name(*step)),
            Source::Timeout { after, .. } => format!("timeout({})", self.expr(after)),
            Source::All { steps } | Source::Settled { steps } | Source::Count { steps, .. } => {
                format!("join({})", steps.iter().map(|step| self.name(*step)).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn entry(&self, entry: &StepEntry) -> String {
        match entry {
            StepEntry::Action(Action::Invoke { target, name, payload, .. }) => {
                let payload = payload.as_ref().map_or(String::new(), |payload| format!(" {}", self.expr(payload)));
                let word = match target {
                    Target::Agent => "ask",
                    Target::Tool => "call",
                    Target::Workflow => "run",
                };
                format!("{word} {}{payload}", self.name(*name))
            }
            StepEntry::Action(Action::Emit { topic, payload, .. }) => {
                let topic = if topic.is_missing(self.0) { format!("{}_", topic.text(self.0)) } else { topic.text(self.0).to_owned() };
                format!("emit {topic}{}", payload.as_ref().map_or(String::new(), |payload| format!(" {}", self.expr(payload))))
            }
            StepEntry::Action(Action::Wait { wait: Wait::For(value) | Wait::Until(value), .. }) => format!("wait {}", self.expr(value)),
            StepEntry::Action(Action::Wait { wait: Wait::Topics { topics, .. }, .. }) => {
                format!(
                    "wait {}",
                    topics.iter().map(|it| if it.span.is_empty() { "_" } else { it.text(self.0) }).collect::<Vec<_>>().join(" | ")
                )
            }
            StepEntry::Action(Action::Cancel { steps, .. }) => {
                format!("cancel {}", steps.iter().map(|step| self.name(*step)).collect::<Vec<_>>().join(", "))
            }
            StepEntry::Setting(setting) => {
                let value = match &setting.value {
                    weave_syntax::ast::SettingValue::Value { value, .. } => self.expr(value),
                    _ => "…".to_owned(),
                };
                format!("{} {value}", self.name(setting.name))
            }
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Missing(_) => "_".to_owned(),
            Expr::Literal(literal) if literal.span.is_empty() => "_".to_owned(),
            Expr::Object(object) => {
                let entries: Vec<String> =
                    object.entries.iter().map(|entry| format!("{}: {}", entry.key.text(self.0), self.expr(&entry.value))).collect();
                format!("{{{}}}", entries.join(", "))
            }
            Expr::List(list) => format!("[{}]", list.items.iter().map(|item| self.expr(&item.value)).collect::<Vec<_>>().join(", ")),
            Expr::Path(path) => {
                let root = match &path.root {
                    Root::Dot(_) => String::new(),
                    Root::Name(name) => self.name(*name),
                    Root::Expr(inner) => self.expr(inner),
                };
                path.segments.iter().fold(root, |text, segment| match segment {
                    Segment::Field(name) => format!("{text}.{}", self.name(*name)),
                    Segment::Call { arguments, .. } => {
                        format!("{text}({})", arguments.iter().map(|it| self.expr(it)).collect::<Vec<_>>().join(", "))
                    }
                    Segment::Optional(_) => format!("{text}?"),
                    Segment::Index(_) | Segment::Key(_) | Segment::All(_) => format!("{text}[]"),
                })
            }
            Expr::Binary(binary) => binary.rest.iter().fold(self.expr(&binary.first), |text, (operator, _, operand)| {
                format!("{text} {} {}", operator.text(), self.expr(operand))
            }),
            other => other.span().text(self.0).to_owned(),
        }
    }

    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Missing(_) => "_".to_owned(),
            other => other.span().text(self.0).to_owned(),
        }
    }
}

/// What is typed, what is kept of it, and what is said.
type Case = (&'static str, &'static str, &'static str);

fn check(cases: &[Case], context: impl Fn(&str) -> (String, Vec<String>)) {
    for (typed, kept, said) in cases {
        let (outline, messages) = context(typed);
        assert_eq!(outline, *kept, "{typed:?}");
        assert_eq!(messages.join("; "), *said, "{typed:?}");
    }
}

/// In a workflow, between two nodes that are complete and that must survive.
fn in_workflow(typed: &str) -> (String, Vec<String>) {
    let (items, said) = outline(&format!(
        "workflow w(a: int) {{\n  step before {{ call x }}\n{typed}\n  end after on before\n}}\n\ntype Next {{ a: int }}\n"
    ));
    assert_eq!(items.get(1..), Some(&["type Next [a: int]".to_owned()][..]), "{typed:?}");
    assert!(items[0].contains("step before {call x}") && items[0].contains("; end after on before]"), "{typed:?}: {}", items[0]);
    (items[0].replace("step before {call x}; ", "").replace("; end after on before]", "").replace("workflow w [", ""), said)
}

/// In a step.
fn in_step(typed: &str) -> (String, Vec<String>) {
    let (node, said) = in_workflow(&format!("  step s on before {{\n    {typed}\n  }}"));
    (node.strip_prefix("step s on before {").and_then(|node| node.strip_suffix('}')).unwrap_or(&node).to_owned(), said)
}

/// Between two items.
fn in_file(typed: &str) -> (String, Vec<String>) {
    let (items, said) = outline(&format!("type Before {{ a: int }}\n\n{typed}\n\ntool next(a: int)\n"));
    assert_eq!(items.first().map(String::as_str), Some("type Before [a: int]"), "{typed:?}");
    assert_eq!(items.last().map(String::as_str), Some("tool next (1) false"), "{typed:?}");
    (items[1..items.len() - 1].join("; "), said)
}

#[test]
fn nodes_that_are_being_typed_are_kept() {
    let cases = [
        ("  step", "step _", "expected a name after `step`"),
        ("  step s", "step s", "the step `s` has no action"),
        ("  step s on ", "step s on _", "expected a trigger after `on`"),
        ("  step s on before |", "step s on before | _", "expected a name after `|`"),
        ("  step s on before when ", "step s on before when _", "expected a condition after `when`"),
        ("  step s on before when .before.", "step s on before when .before._", "expected a name after `.`"),
        ("  step s on before when .a ==", "step s on before when .a == _", "expected a value after `==`"),
        ("  step s on before when .a == 1 &&", "step s on before when .a == 1 && _", "expected a value after `&&`"),
        ("  step s on all(before, ", "step s on join(before)", "expected `)` to close `all(`"),
        ("  step s on failure(", "step s on failure(_)", "expected a name after `(`"),
        ("  step s on timeout(before, ", "step s on timeout(_)", "expected a duration after `,`"),
        ("  step s limit ", "step s limit _", "expected a number after `limit`"),
        ("  step s each .x as", "step s each .x as _", "expected a name after `as`"),
        ("  step s on before {", "step s on before {}", "expected `}` to close the step `s`"),
        ("  step s {", "step s {}", "expected `}` to close the step `s`"),
        ("  end", "end _", "expected a name after `end`"),
        ("  end e =", "end e = _", "expected a value after `=`"),
        ("  end e = {", "end e = {}", "expected `}` to close the end `e`"),
        ("  end e = { a: ", "end e = {a: _}", "expected a value after `:`"),
        ("  end e = \"{{.", "end e = \"{{.", "this string is not closed"),
        ("  end e = \"{{.before.", "end e = \"{{.before.", "this string is not closed"),
        ("  step s when .before.x {\n    ask y\n  }", "step s on _ when .before.x {ask y}", "a condition follows a trigger"),
        ("  timeout ", "timeout", "expected a value after `timeout`"),
        ("  st", "st", "expected a value after `st`"),
        ("  step s on approval.", "step s on approval.", "expected a name after `.`"),
        ("  step s on x from", "step s on x from _", "expected a name after `from`"),
        ("  step s on before { ask }", "step s on before {ask _}", "expected the name of an agent after `ask`"),
        ("  step s on before ask y {} }", "step s on before {ask y {}}", "expected `{` after `before`"),
    ];
    check(&cases, in_workflow);
}

#[test]
fn what_is_typed_in_a_step_is_kept() {
    let cases = [
        ("ask ", "ask _", "expected the name of an agent after `ask`"),
        ("ask y", "ask y", ""),
        ("ask y {", "ask y {}", "expected `}` to close the payload of `ask`"),
        ("ask y { a", "ask y {a: _}", "expected `:` after `a`"),
        ("ask y { a:", "ask y {a: _}", "expected a value after `:`"),
        ("ask y { a: .", "ask y {a: ._}", "expected a name after `.`"),
        ("ask y { a: .input. }", "ask y {a: .input._}", "expected a name after `.`"),
        ("ask y { a: .input.\n    }", "ask y {a: .input._}", "expected a name after `.`"),
        ("ask y { a: 1, b", "ask y {a: 1, b: _}", "expected `:` after `b`"),
        ("call ", "call _", "expected the name of a tool after `call`"),
        ("call \n    timeout 30s", "call _, timeout 30s", "expected the name of a tool after `call`"),
        ("run ", "run _", "expected the name of a workflow after `run`"),
        ("emit ", "emit _", "expected a topic after `emit`"),
        ("emit order.", "emit order._", "expected a name after `.`"),
        ("emit order.placed { a: [1, ", "emit order.placed {a: [1]}", "expected `]` to close `[`"),
        ("wait ", "wait _", "expected what to wait for after `wait`"),
        ("wait until ", "wait until", "`until` is not a topic, so it cannot be awaited"),
        ("cancel ", "cancel _", "expected a name after `cancel`"),
        ("cancel a,", "cancel a, _", "expected a name after `,`"),
        ("timeout ", "timeout _", "expected a value after `timeout`"),
        ("ask y { text: \"{{.in\" }", "ask y {text: \"{{.in\"}", "this placeholder is not closed"),
        ("ask y { text: \"hello }", "ask y {text: \"hello }}", "this string is not closed"),
        ("ask y { text: \"{{.\n    }", "ask y {text: \"{{.}", "this string is not closed"),
        ("retry 3 {", "retry 3", "expected `}` to close `{`"),
        ("ask y { a: (1 + }", "ask y {a: (1 +}", "expected a value after `+`"),
    ];
    check(&cases, in_step);
}

#[test]
fn items_that_are_being_typed_are_kept() {
    let cases = [
        ("type", "type _ []", "expected a name after `type`"),
        ("type X", "type X []", "expected `{` or `=` after `X`"),
        ("type X {", "type X []", "expected `}` to close the type `X`"),
        ("type X = ", "type X = _", "expected a type after `=`"),
        ("type X { a", "type X [a: _]", "expected `:` after `a`"),
        ("type X { a: ", "type X [a: _]", "expected a type after `:`"),
        ("type X { a: string\n  b", "type X [a: string; b: _]", "expected `:` after `b`"),
        ("type X { a: string( }", "type X [a: string(]", "expected `)` to close `string(`"),
        ("agent a(", "agent a []", "expected `)` to close the parameters of `a`"),
        ("agent a() {", "agent a []", "expected `}` to close the agent `a`"),
        ("agent a() { mod }", "agent a [mod]", "expected a value after `mod`"),
        ("agent a() {\n  model ", "agent a [model]", "expected a value after `model`"),
        ("prompt p(x: int)", "prompt p _", "expected a text block after `)`"),
        ("prompt p(x: int) \"\"\"\n  hello", "prompt p with text", "this text block is not closed"),
        ("import {", "import [] _", "expected `}` to close the import"),
        ("import { A", "import [A] _", "expected `}` to close the import"),
        ("import { A } from", "import [A] _", "expected a string after `from`"),
        ("tool t(a: int) ->", "tool t (1) true", "expected a type after `->`"),
        ("tool t(a", "tool t (1) false", "expected `:` after `a`"),
        ("workflow w() {", "workflow w []", "expected `}` to close the workflow `w`"),
        ("workflow w()", "workflow w []", "expected `{` after `)`"),
        ("work", "broken", "expected a declaration, found `work`"),
        ("/// doc", "", ""),
        ("@", "", "expected a name after `@`"),
        ("@deprecated(", "", "expected `)` to close `deprecated(`"),
        ("event order.", "item", "expected a name after `.`"),
        ("enum E { a,", "E", "expected `}` to close the enum `E`"),
        ("union U { a: ", "U", "expected a type after `:`"),
    ];
    check(&cases, in_file);
}
