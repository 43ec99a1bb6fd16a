use insta::{assert_debug_snapshot, assert_snapshot};
use weave_diagnostics::FileId;

use crate::fixture::{Fixture, declared};
use crate::model::DeclarationKind;
use crate::model::declarations::{Activation, Backoff};

/// The declaration of this name in a program that is legal.
fn declaration(program: &str, name: &str) -> DeclarationKind {
    let fixture = Fixture::new(program);
    let found = fixture.declare();
    let shown = fixture.show(found.diagnostics.into_iter().chain(fixture.syntax_diagnostics()).collect());
    assert_eq!(shown, "");
    let declarations = found.model.declarations.into_iter();
    let declaration = declarations.filter(|it| it.file == FileId(1)).find(|it| &*it.name == name).unwrap();
    std::sync::Arc::into_inner(declaration).unwrap().kind
}

#[test]
fn a_tool_has_every_setting_of_the_language() {
    let program = r#"
error card_declined { reason: string }
tool refund(order_id: string, amount: decimal) -> { refund_id: string } {
  id "tool:shop.refund"
  activation deferred
  max_output 16384
  title "Refund"
  version "v2"
  action "Refunding {{.amount}}"
  mode silent
  strict false
  hints [destructive, idempotent]
  timeout 10s
  fails [card_declined, unavailable]
  retry 3 { backoff exponential, base 200ms, max 2s, on [card_declined, timeout] }
  approval when .amount > "500"
  deferred { deadline 2d, on_timeout error }
  progress { pct: int = 0 }
  artifacts { receipt: bytes }
  example { order_id: "A-17", amount: "12.50" } -> { refund_id: "r_1" }
  example { order_id: "A-18", amount: 3 }
  requires [database, clock]
  at env("REFUND_URL")
  meta { owner: "support", tags: ["money"], nested: { a: null } }
  binding worker { module: "orders" }
  binding other
  on_cancel ignore
}
"#;
    let DeclarationKind::Tool(tool) = declaration(program, "refund") else { panic!() };
    assert_eq!((tool.title.as_deref(), tool.version.as_deref(), tool.silent, tool.strict), (Some("Refund"), Some("v2"), true, false));
    assert_eq!(
        (tool.id.as_ref().map(|(id, _)| &**id), tool.activation, tool.max_output),
        (Some("tool:shop.refund"), Activation::Deferred, Some(16384))
    );
    assert_eq!((tool.timeout, tool.at.as_deref()), (Some(10_000), Some("REFUND_URL")));
    assert_eq!((tool.fails.len(), tool.requires.len(), tool.action.unwrap().parts.len()), (2, 2, 2));
    let retry = tool.retry.unwrap();
    assert_eq!(
        (retry.max, retry.backoff, retry.base, retry.cap, retry.on.len()),
        (3, Some(Backoff::Exponential), Some(200), Some(2000), 2)
    );
    assert_debug_snapshot!((tool.hints, tool.deferred, tool.on_cancel), @r#"
    (
        Some(
            Hints {
                read_only: false,
                destructive: true,
                idempotent: true,
                open_world: false,
            },
        ),
        Some(
            Deferred {
                deadline: Some(
                    172800000,
                ),
                on_timeout: Some(
                    Error,
                ),
            },
        ),
        Some(
            Ignore,
        ),
    )
    "#);
    assert_debug_snapshot!((tool.examples, tool.meta, tool.bindings), @r#"
    (
        [
            Example {
                input: Object {
                    "order_id": String("A-17"),
                    "amount": String("12.50"),
                },
                output: Some(
                    Object {
                        "refund_id": String("r_1"),
                    },
                ),
            },
            Example {
                input: Object {
                    "order_id": String("A-18"),
                    "amount": String("3"),
                },
                output: None,
            },
        ],
        Some(
            Object {
                "owner": String("support"),
                "tags": Array [
                    String("money"),
                ],
                "nested": Object {
                    "a": Null,
                },
            },
        ),
        [
            (
                "worker",
                Object {
                    "module": String("orders"),
                },
            ),
            (
                "other",
                Object {},
            ),
        ],
    )
    "#);
    assert!(tool.approval.is_some() && tool.progress.is_some() && tool.artifacts.is_some());
}

#[test]
fn remote_and_provider_tools_say_where_they_are() {
    let program = "tool issue(title: string) { from mcp(\"github\", \"create_issue\"), approval always }\n\
                   provider tool web_search(query: string) { via openai { search_context_size: \"low\" } }\n\
                   provider tool code() { via anthropic }\n";
    let DeclarationKind::Tool(issue) = declaration(program, "issue") else { panic!() };
    let DeclarationKind::Tool(search) = declaration(program, "web_search") else { panic!() };
    assert_debug_snapshot!((issue.from, search.via), @r#"
    (
        Some(
            McpSource {
                server: "github",
                tool: "create_issue",
            },
        ),
        Some(
            Via {
                provider: "openai",
                options: Object {
                    "search_context_size": String("low"),
                },
            },
        ),
    )
    "#);
}

#[test]
fn an_agent_has_every_setting_of_the_language() {
    let program = "tool find(id: string)\ntoolkit desk { namespace \"desk\", tools [find as lookup, find, helper, w], middleware [authorization] }\n\
                   agent helper() { model \"openai/mini\", system \"Help.\" }\nworkflow w() { end done }\n\
                   prompt ask(question: string, tone: string = \"kind\", more?: int) \"\"\"\n  {{.question}} {{.tone}}\n  \"\"\"\n\
                   agent writer(question: string, other: int) -> { text: string } {\n  title \"Writer\"\n  version \"1\"\n  model mini\n  system \"You answer {{.other}}.\"\n  \
                   prompt ask\n  tools [desk, find, helper as aid]\n  max_turns 6\n  timeout 1m\n  retry 2 { on [unavailable] }\n  options { temperature: 0.2 }\n  meta { a: 1 }\n}\n";
    let DeclarationKind::Agent(agent) = declaration(program, "writer") else { panic!() };
    assert_eq!((agent.model.as_deref(), agent.max_turns, agent.timeout), (Some("mini"), Some(6), Some(60_000)));
    assert_eq!((agent.tools.len(), agent.tools[2].alias.as_deref()), (3, Some("aid")));
    assert!(agent.prompt.is_some() && agent.system.is_some() && agent.options.is_some() && agent.retry.is_some());
    let DeclarationKind::Toolkit(toolkit) = declaration(program, "desk") else { panic!() };
    assert_eq!((toolkit.namespace.as_deref(), toolkit.tools.len(), toolkit.middleware.len()), (Some("desk"), 4, 1));
}

#[test]
fn toolkits_of_toolkits_come_to_an_end() {
    // Each level holds the one below by two ways, so 40 levels hold nothing 2⁴⁰ times.
    let mut program = String::from("toolkit a0 { tools [] }\n");
    for level in 1..=40 {
        let below = level - 1;
        program.push_str(&format!(
            "toolkit l{level} {{ tools [a{below}] }}\ntoolkit r{level} {{ tools [a{below}] }}\ntoolkit a{level} {{ tools [l{level}, r{level}] }}\n"
        ));
    }
    program.push_str("agent x() { model mini, system \"Help.\", tools [a40] }\n");
    assert!(declared(&program).starts_with("too-many-tools @ x: agent `x` has more than 1000 tools"));
}

#[test]
fn a_name_that_is_chosen_for_one_language_counts_there_only() {
    assert_eq!(declared("type T { a: int, @go(name: \"Second\") @ts(name: \"second\") @python(name: \"second\") A: int }\n"), "");
    assert_snapshot!(declared("type T { a: int, @go(name: \"Second\") A: int }\nenum E { x, @ts(name: \"x\") y, @ts(name: \"x\") z }\n"), @r#"
target-name-clash @ A: `a` and `A` would both be named `a` in TypeScript and Python
  - the second one
  - a: the first one
  help: rename one of them (`@wire("A")` keeps its JSON name), or set its name there with `@ts(name: "…")`
target-name-clash @ z: `y` and `z` would both be named `x` in TypeScript
  - the second one
  - y: the first one
  help: rename one of them: `other_name = "z"` keeps its JSON value
"#);
}

#[test]
fn prompts_have_tiers() {
    let program =
        "prompt a(x: int) \"Hello\"\nprompt b(x: int) \"Hello {{.x}}\"\nprompt c(x: int) hydrates { docs: string[] } \"Hello {{.docs}}\"\n";
    let tier = |name| match declaration(program, name) {
        DeclarationKind::Prompt(prompt) => format!("{:?}", prompt.tier),
        _ => panic!(),
    };
    assert_eq!(["a", "b", "c"].map(tier), ["Static", "Bound", "Dynamic"]);
}

#[test]
fn a_workflow_has_settings_and_failures() {
    let program = "workflow w(a: int = 3) -> string {\n  title \"W\"\n  version \"2\"\n  timeout 3h\n  meta { a: 1 }\n  fail late on timeout(1h)\n  end done = \"x\"\n}\n";
    let DeclarationKind::Workflow(workflow) = declaration(program, "w") else { panic!() };
    assert_eq!((workflow.title.as_deref(), workflow.version.as_deref(), workflow.timeout), (Some("W"), Some("2"), Some(10_800_000)));
    assert_eq!((workflow.failures.len(), &workflow.input.fields[0].default), (1, &Some(Box::new(serde_json::json!(3)))));
}

#[test]
fn settings_are_known_by_name() {
    assert_snapshot!(declared(
        "tool a() { timeot 10s, description \"x\", retries 3, zebra 1, timeout 1s, timeout 2s, binding x, binding x }\n\
         agent b() { model mini, instructions \"x\", system \"y\" }\ntoolkit c { tool [a] }\nworkflow d() { versionn \"1\"  end done }\n\
         tool e() { retry 3 { maximum 3s }, deferred { until 3d } }\n"
    ), @r#"
unknown-setting @ timeot: a tool has no setting `timeot`
  - not a setting
  note: a tool has the settings `id`, `title`, `version`, `action`, `mode`, `activation`, `strict`, `hints`, `timeout`, `retry`, `approval`, `deferred`, `max_output`, `progress`, `artifacts`, `fails`, `example`, `requires`, `at`, `from`, `via`, `meta`, `binding` and `on_cancel`
  help: did you mean `timeout`?
unknown-setting @ description: a tool has no setting `description`
  - not a setting
  note: a tool has the settings `id`, `title`, `version`, `action`, `mode`, `activation`, `strict`, `hints`, `timeout`, `retry`, `approval`, `deferred`, `max_output`, `progress`, `artifacts`, `fails`, `example`, `requires`, `at`, `from`, `via`, `meta`, `binding` and `on_cancel`
  help: write a `///` comment before the declaration; models read it
unknown-setting @ retries: a tool has no setting `retries`
  - not a setting
  note: a tool has the settings `id`, `title`, `version`, `action`, `mode`, `activation`, `strict`, `hints`, `timeout`, `retry`, `approval`, `deferred`, `max_output`, `progress`, `artifacts`, `fails`, `example`, `requires`, `at`, `from`, `via`, `meta`, `binding` and `on_cancel`
  help: write `retry 2 { backoff exponential, base 1s }`; the number counts the attempts after the first one
unknown-setting @ zebra: a tool has no setting `zebra`
  - not a setting
  note: a tool has the settings `id`, `title`, `version`, `action`, `mode`, `activation`, `strict`, `hints`, `timeout`, `retry`, `approval`, `deferred`, `max_output`, `progress`, `artifacts`, `fails`, `example`, `requires`, `at`, `from`, `via`, `meta`, `binding` and `on_cancel`
duplicate-setting @ timeout: `timeout` is repeated
  - repeated here
  - timeout: first here
  help: remove one of them
duplicate-setting @ binding: `x` has two bindings
  - second binding
  help: merge both blocks
unknown-setting @ instructions: an agent has no setting `instructions`
  - not a setting
  note: an agent has the settings `title`, `version`, `model`, `system`, `prompt`, `tools`, `max_turns`, `timeout`, `retry`, `options` and `meta`
  help: did you mean `system`?
unknown-setting @ tool: a toolkit has no setting `tool`
  - not a setting
  note: a toolkit has the settings `title`, `version`, `namespace`, `tools`, `middleware` and `meta`
  help: did you mean `tools`?
unknown-setting @ versionn: a workflow has no setting `versionn`
  - not a setting
  note: a workflow has the settings `title`, `version`, `timeout` and `meta`
  help: did you mean `version`?
unknown-setting @ maximum: `retry` has no setting `maximum`
  - not a setting
  note: `retry` has the settings `backoff`, `base`, `max` and `on`
unknown-setting @ until: `deferred` has no setting `until`
  - not a setting
  note: `deferred` has the settings `deadline` and `on_timeout`
"#);
}

#[test]
fn values_of_settings_have_kinds() {
    assert_snapshot!(declared(
        "tool a(x: int) -> int {\n  title 3\n  version \" \"\n  action .x\n  mode loud\n  strict yes\n  hints [readonly, 3, idempotent, idempotent]\n  timeout .x\n  \
         retry 3.5\n  approval sometimes\n  deferred 3d\n  progress { pct: percent }\n  requires 3\n  at \"https://x\"\n  via openai\n  meta 3\n  on_cancel stop\n  \
         fails [lost, a, zebra, 3]\n  example 3 -> \"x\"\n}\n\
         tool b() { timeout 0s, retry { max 3s }, at env(REFUND_URL), from mcp(\"x\"), mode silent { x 3 }, example { } -> 3, binding 3, retry 2000 }\n\
         tool c() { at env(\"3X\"), retry 2000, approval when .nothing, action \"{{.nothing}}\", binding d { module \"x\" } }\n"
    ), @r#"
setting-value @ 3: `title` has an invalid value
  - expected a string, such as `"Refund an order"`
setting-value @ " ": `version` has an invalid value
  - expected a string, such as `"v2"`
setting-value @ .x: `action` has an invalid value
  - expected a string, such as `"Refunding {{.amount}}"`
setting-value @ loud: `mode` cannot be `loud`
  - expected `feedback` or `silent`
setting-value @ yes: `strict` has an invalid value
  - expected `true` or `false`
setting-value @ readonly: `hints` cannot be `readonly`
  - expected `read_only`, `destructive`, `idempotent` or `open_world`
  help: did you mean `read_only`?
setting-value @ 3: `hints` has an invalid value
  - expected `read_only`, `destructive`, `idempotent` or `open_world`
duplicate-entry @ idempotent: `idempotent` is listed twice
  - listed again
  - idempotent: first here
  help: remove one of them
setting-value @ .x: `timeout` has an invalid value
  - expected a duration, such as `30s`
setting-value @ 3.5: `retry` has an invalid value
  - expected an integer from 0 to 1000
setting-value @ sometimes: `approval` cannot be `sometimes`
  - expected `always` or `never`
setting-value @ 3d: `deferred` has an invalid value
  - expected a block, such as `deferred { deadline 2d, on_timeout fail }`
unknown-name @ percent: there is no type `percent`
  - not declared or imported
  help: declare it with `type percent { … }`, or import it
setting-value @ 3: `requires` has an invalid value
  - expected a list of names, such as `[database, clock]`
setting-value @ "https://x": `at` has an invalid value
  - expected the environment variable with the address, such as `env("REFUND_URL")`
misplaced-setting @ via: `via` has no effect for a tool of the application
  - no effect here
  note: only a `provider tool` runs at a provider
  help: write `provider tool`, or remove the setting
setting-value @ 3: `meta` has an invalid value
  - expected a block of data, such as `meta { owner: "support" }`
setting-value @ stop: `on_cancel` cannot be `stop`
  - expected `cancel` or `ignore`
unknown-failure @ lost: there is no error or failure kind `lost`
  - not declared or built in
  help: declare it with `error lost { … }`, or import it
wrong-kind @ a: `a` is a tool, not an error
  - expected an error
  - a: a tool with this name
unknown-failure @ zebra: there is no error or failure kind `zebra`
  - not declared or built in
  help: declare it with `error zebra { … }`, or import it
setting-value @ 3: `fails` has an invalid value
  - expected a list of declared errors and failure kinds, such as `[unavailable, timeout]`
type-mismatch @ 3: expected `{ x: int }`, found `3`
  - not `{ x: int }`
type-mismatch @ "x": expected `int`, found `"x"`
  - not `int`
  help: write it like `12`
setting-value @ 0s: `timeout` has an invalid value
  - expected a duration, such as `30s`
setting-value @ { max 3s }: `retry` has an invalid value
  - expected the number of retries before the block, such as `retry 3 { … }`
setting-value @ env(REFUND_URL): `at` has an invalid value
  - expected the environment variable with the address, such as `env("REFUND_URL")`
conflicting-settings @ from: `at` and `from` are mutually exclusive
  - sets the location of the tool
  - at: sets it too
  help: remove one of them
setting-value @ mcp("x"): `from` has an invalid value
  - expected `mcp("server", "tool")`
setting-value @ { x 3 }: `mode` has an invalid value
  - expected `feedback` or `silent`
setting-value @ 3: an example has an output, but the tool has none
  - the tool has no output
  help: remove `->` and what follows, or give the tool an output
setting-value @ 3: `binding` has an invalid value
  - expected a host and data for it, such as `binding worker { module: "orders" }`
duplicate-setting @ retry: `retry` is repeated
  - repeated here
  - retry: first here
  help: remove one of them
setting-value @ env("3X"): `at` has an invalid value
  - expected the environment variable with the address, such as `env("REFUND_URL")`
setting-value @ 2000: `retry` has an invalid value
  - expected an integer from 0 to 1000
unknown-value @ .nothing: there is no value `.nothing` here
  - unknown value
  help: no values can be read here
unknown-value @ .nothing: there is no value `.nothing` here
  - unknown value
  help: no values can be read here
setting-value @ module: `module` is an entry and needs a colon
  - a colon is missing after it
  help: write `module: …`
"#);
}

#[test]
fn kinds_of_tools_have_their_own_settings() {
    assert_snapshot!(declared(
        "signal tool a(x: int) -> int { timeout 3s, mode silent, title \"A\" }\nprovider tool b() { title \"B\", retry 3 }\n\
         interaction tool c() -> int { approval always, timeout 2d }\ntool d() { via openai, at env(\"X\"), from mcp(\"a\", \"b\") }\n"
    ), @r#"
signal-output @ int: the signal tool `a` has an output
  - cannot return anything
  help: remove `->` and the type, or declare an `interaction tool`, which a person answers later
misplaced-setting @ timeout: `timeout` has no effect for a signal tool
  - no effect here
  note: a signal is decoded and never executed
  help: remove the setting, or declare another kind of tool
misplaced-setting @ mode: `mode` has no effect for a signal tool
  - no effect here
  note: a signal is decoded and never executed
  help: remove the setting, or declare another kind of tool
missing-setting @ b: the tool `b` has no `via`
  - needs `via`
  help: name the provider, such as `via openai`
misplaced-setting @ retry: `retry` has no effect for a provider tool
  - no effect here
  note: the model sees its description, and the provider executes it
  help: remove the setting, or declare another kind of tool
misplaced-setting @ approval: `approval` has no effect for an interaction tool
  - no effect here
  note: an interaction is answered by a person, not executed
  help: remove the setting, or declare another kind of tool
misplaced-setting @ via: `via` has no effect for a tool of the application
  - no effect here
  note: only a `provider tool` runs at a provider
  help: write `provider tool`, or remove the setting
conflicting-settings @ from: `at` and `from` are mutually exclusive
  - sets the location of the tool
  - at: sets it too
  help: remove one of them
"#);
}

#[test]
fn failures_are_declared_or_built_in() {
    assert_snapshot!(declared(
        "error lost { id: string }\nerror busy\ntool a() { fails [lost, lost, timeout, timout, bussy], retry 3 { on [lost, busy, unavailable] } }\n\
         agent b() { model mini, system \"x\", retry 2 { on [busy] } }\n"
    ), @r#"
duplicate-entry @ lost: `lost` is listed twice
  - listed again
  - lost: first here
  help: remove one of them
unknown-failure @ timout: there is no error or failure kind `timout`
  - not declared or built in
  help: did you mean `timeout`?
unknown-failure @ bussy: there is no error or failure kind `bussy`
  - not declared or built in
  help: did you mean `busy`?
retry-on @ busy: the tool does not fail with `busy`
  - never occurs
  help: add `busy` to `fails`
retry-on @ busy: an agent does not fail with `busy`
  - never occurs
  help: remove it
"#);
}

#[test]
fn lists_of_tools_hold_what_can_be_called() {
    assert_snapshot!(declared(
        "type T { a: int }\ntool a()\ntoolkit k { tools [a, T, b, a, a as other, j as q, 3] }\ntoolkit j { tools [k, j] }\n\
         agent c() { model mini, prompt a, tools 3 }\n"
    ), @r#"
wrong-kind @ T: `T` is a type, not a tool
  - expected a tool
  - T: a type with this name
unknown-name @ b: there is no tool `b`
  - not declared or imported
  help: declare it, or import it from the file that does
duplicate-entry @ a: `a` is listed twice
  - listed again
  - a: first here
  help: remove one of them
toolkit-alias @ q: the toolkit `j` cannot be renamed here
  - a toolkit is a group of tools
  help: remove `as`; the `namespace` of the toolkit sets the names of its tools
setting-value @ 3: `tools` has an invalid value
  - expected a list of tools, such as `[find_order, web_search as search]`
toolkit-cycle @ j: the toolkit `j` contains itself
  - lists itself
  help: remove it from one of the lists
wrong-kind @ a: `a` is a tool, not a prompt
  - expected a prompt
  - a: a tool with this name
setting-value @ 3: `tools` has an invalid value
  - expected a list of tools, such as `[find_order, web_search as search]`
"#);
}

#[test]
fn agents_have_what_their_prompts_need() {
    assert_snapshot!(declared(
        "prompt p(a: string, b: int, c?: string, d: string = \"x\", e: string) \"{{.a}} {{.b}} {{.c ?? \"\"}} {{.d}} {{.e}}\"\n\
         agent x(a: int, e?: string, c: int) { model mini, prompt p }\nagent y() { }\nagent z() { model mini, prompt missing }\n"
    ), @r#"
prompt-parameters @ p: `a` of the agent does not fit the prompt `p`
  - receives `int` for `a`, requires `string`
  - a: is `int`
  - a: is `string`
  help: give both the same type
prompt-parameters @ p: `c` of the agent does not fit the prompt `p`
  - receives `int` for `c`, requires `string`
  - c: is `int`
  - c: is `string`
  help: give both the same type
prompt-parameters @ p: the prompt `p` needs `b`, which the agent does not have
  - needs `b`
  - b: this parameter
  help: add a parameter `b` to the agent; the prompt receives it under the same name
prompt-parameters @ p: the prompt `p` needs `e`, which may be absent in the agent
  - needs `e`
  - e: may be absent
  - e: may not be absent
  help: make both optional, make both required, or give the parameter of the prompt a default
missing-setting @ y: the agent `y` has no `model`
  - needs `model`
  help: name the model, such as `model mini`
missing-setting @ y: the agent `y` has no `prompt` or `system`
  - needs `prompt` or `system`
  help: add instructions for the model: `prompt name` or `system "…"`
unknown-name @ missing: there is no prompt `missing`
  - not declared or imported
  help: declare it, or import it from the file that does
"#);
}

#[test]
fn a_setting_with_a_colon_is_there() {
    let program = Fixture::new("agent z() { model: mini, system \"x\" }\n");
    assert_eq!(program.syntax_diagnostics().len(), 1);
    assert_eq!(program.show(program.declare().diagnostics), "");
}

#[test]
fn defaults_and_examples_are_typed() {
    assert_snapshot!(declared(
        "enum Tier { free, enterprise = \"ent\" }\ntype Address { city: string = \"Bern\", zip: int }\n\
         type A {\n  a: Tier = \"enterprise\"\n  b: Tier = \"ent\"\n  c: Address = { zip: 3 }\n  d: Address = { }\n  e: int = \"x\"\n  f: string(max: 3) = \"long\"\n  g: timestamp = \"now\"\n  \
         h: string[] = [\"a\", 3]\n  i: Address | null = null\n  j: duration = 30s\n}\n\
         tool t(a: int = 1.5, b: Tier) -> Address { example { b: \"free\" } -> { zip: \"x\" }, example { a: 3 }, progress { x: int = \"y\" } }\n"
    ), @r#"
type-mismatch @ "enterprise": `"enterprise"` is not a value of `Tier`
  - not one of its values
  help: in JSON this value is "ent"
missing-field @ { }: `Address` needs `zip`
  - `zip` is missing
  - zip: `zip: int`
  help: add it
type-mismatch @ "x": expected `int`, found `"x"`
  - not `int`
  help: write it like `12`
broken-constraint @ "long": `"long"` violates the constraint `max: 3`
  - must be `string(max: 3)`
wrong-format @ "now": `"now"` is not a valid `timestamp`
  - not a `timestamp`
  help: write it like `"2027-01-31T12:00:00Z"`
type-mismatch @ 3: expected `string`, found `3`
  - not `string`
  help: write it as a string
type-mismatch @ 1.5: expected `int`, found `1.5`
  - not `int`
  help: write it like `12`
type-mismatch @ "x": expected `int`, found `"x"`
  - not `int`
  - zip: `zip` is declared as `int`
  help: write it like `12`
missing-field @ { a: 3 }: `{ a: int, b: Tier }` needs `b`
  - `b` is missing
  - b: `b: Tier`
  help: add it
type-mismatch @ "y": expected `int`, found `"y"`
  - not `int`
  help: write it like `12`
"#);
}
