//! Whole declarations, nodes and actions, where one may begin.

/// Where a snippet may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Where a declaration may begin.
    Item,
    /// Where a node of a workflow may begin.
    Node,
    /// Where the action of a step may begin.
    Action,
}

/// A text with places to fill in, written as the protocol has them: `${1:name}`, and `$0` for where the cursor is in the end.
#[derive(Clone, Copy, Debug)]
pub struct Snippet {
    /// What it is called.
    pub name: &'static str,
    /// The words that it is found by.
    pub words: &'static [&'static str],
    /// What it is.
    pub about: &'static str,
    /// Its text, with `\n` between the lines and two blanks a level.
    pub body: &'static str,
    pub(super) place: Place,
}

impl Snippet {
    /// Whether it is a part of a step, and so means nothing anywhere else.
    #[must_use]
    pub const fn is_of_step(&self) -> bool {
        matches!(self.place, Place::Action)
    }
}

const fn snippet(place: Place, name: &'static str, words: &'static [&'static str], about: &'static str, body: &'static str) -> Snippet {
    Snippet { name, words, about, body, place }
}

/// All snippets. Where the stop of a name is called `agent`, `prompt_name`, `start`, `step`, `tool` or `workflow`, the names that are known there take its place.
pub static SNIPPETS: &[Snippet] = &[
    snippet(
        Place::Item,
        "workflow",
        &["workflow"],
        "A workflow with one step",
        r#"workflow ${1:name}(${2:question}: ${3:string}) -> ${4:string} {
  step ${5:answer} {
    ask ${6:agent} { ${2}: .input.${2} }
  }
  end ${7:done} on ${5} = .${5}$0
}"#,
    ),
    snippet(
        Place::Item,
        "agent",
        &["agent"],
        "An agent with a prompt",
        r#"agent ${1:name}(${2:question}: ${3:string}) -> ${4:string} {
  model ${5:mini}
  system "${6:You are brief and friendly.}"
  prompt ${7:prompt_name}$0
}"#,
    ),
    snippet(
        Place::Item,
        "prompt",
        &["prompt"],
        "A text for a model",
        r#"prompt ${1:name}(${2:question}: ${3:string}) """
  ${0:Answer this question:} {{.${2}}}
  """"#,
    ),
    snippet(
        Place::Item,
        "tool",
        &["tool"],
        "Something that a model or a step may call",
        r#"/// ${1:What it does, for the model that decides whether to call it.}
tool ${2:name}(${3:id}: ${4:string}) -> ${5:string} {
  hints [${6|read_only,destructive,idempotent|}]$0
}"#,
    ),
    snippet(
        Place::Item,
        "toolkit",
        &["toolkit"],
        "Tools that belong together",
        r#"toolkit ${1:name} {
  tools [${2:find}]$0
}"#,
    ),
    snippet(
        Place::Item,
        "type",
        &["type"],
        "A record",
        r#"type ${1:Name} {
  ${2:id}: ${3:string}$0
}"#,
    ),
    snippet(Place::Item, "enum", &["enum"], "One of several words", r#"enum ${1:Name} { ${2:first}, ${3:second} }$0"#),
    snippet(
        Place::Item,
        "union",
        &["union"],
        "One of several records, distinguished by a field",
        r#"union ${1:Name} by ${2:kind} {
  ${3:circle}: { ${4:radius}: ${5:float} }
  ${6:square}: { ${7:side}: ${8:float} }$0
}"#,
    ),
    snippet(Place::Item, "error", &["error"], "A failure that a tool may report", r#"error ${1:name} { ${2:reason}: ${3:string} }$0"#),
    snippet(
        Place::Item,
        "event",
        &["event"],
        "A request, and its answers",
        r#"event ${1:approval}.${2:requested} { ${3:amount}: ${4:decimal} } -> ${1}.${5:granted} | ${1}.${6:denied}
external event ${1}.${5} { ${7:by}: ${8:string} }
external event ${1}.${6} { ${9:reason}: ${10:string} }$0"#,
    ),
    snippet(Place::Item, "import", &["import"], "What another file declares", r#"import { ${2:Name} } from "./${1:types}.weave"$0"#),
    snippet(
        Place::Node,
        "step that asks",
        &["step", "ask"],
        "A step that asks an agent",
        r#"step ${1:answer} on ${2:start} {
  ask ${3:agent} { ${4:question}: .input.${4} }$0
}"#,
    ),
    snippet(
        Place::Node,
        "step that calls",
        &["step", "call"],
        "A step that calls a tool",
        r#"step ${1:found} on ${2:start} {
  call ${3:tool} { ${4:id}: .input.${4} }$0
}"#,
    ),
    snippet(Place::Node, "step that waits", &["step", "wait"], "A step that waits", r#"step ${1:pause} on ${2:start} { wait ${3:30s} }$0"#),
    snippet(
        Place::Node,
        "step for each",
        &["step", "each"],
        "A step that is run for each item of a list",
        r#"step ${1:answers} on ${2:start} each .input.${3:items} as ${4:item} parallel ${5:3} {
  ask ${6:agent} { ${7:question}: ${4} }$0
}"#,
    ),
    snippet(
        Place::Node,
        "choice",
        &["when", "choice"],
        "Two ways, by a guard",
        r#"step ${1:yes} on ${2:step} when .${2}.${3:ok} == true {
  call ${4:tool} { ${5:id}: .${2}.${5} }
}
end ${6:no} on ${2} else = ${0:null}"#,
    ),
    snippet(Place::Node, "end", &["end"], "An end, with the result", r#"end ${1:done} on ${2:step} = .${2}$0"#),
    snippet(
        Place::Node,
        "fail",
        &["fail"],
        "An end that is a failure",
        r#"fail ${1:broken} on failure(${2:step}) = "{{.failure.kind}}: {{.failure.message}}"$0"#,
    ),
    snippet(
        Place::Node,
        "too late",
        &["timeout", "late"],
        "What happens without an answer in time",
        r#"end ${1:late} on timeout(${2:step}, ${3:24h}) = ${0:null}"#,
    ),
    snippet(Place::Action, "ask an agent", &["ask"], "An agent answers", "ask ${1:agent} { ${2:question}: ${3:.input.question} }$0"),
    snippet(Place::Action, "call a tool", &["call"], "A tool answers", "call ${1:tool} { ${2:id}: ${3:.input.id} }$0"),
    snippet(Place::Action, "run a workflow", &["run"], "Another workflow answers", "run ${1:workflow} { ${2:id}: ${3:.input.id} }$0"),
    snippet(
        Place::Action,
        "try again",
        &["retry"],
        "What happens after a failure",
        "retry ${1:3} { backoff exponential, base ${2:200ms}, max ${3:2s} }$0",
    ),
];
