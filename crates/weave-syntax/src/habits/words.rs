//! The words of other languages, by the place where they are written, and what they are called here.

use crate::token::TokenKind as K;

/// Whether a text could be a name of the language.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// The kind of declaration that a word starts elsewhere.
pub(crate) fn item(word: &str) -> Option<K> {
    Some(match word {
        "struct" | "class" | "interface" | "record" | "message" | "model" | "schema" | "input" | "object" | "dataclass" | "entity"
        | "dto" | "shape" | "typedef" | "trait" | "data" => K::Type,
        "function" | "func" | "fn" | "fun" | "def" | "activity" | "rpc" | "method" | "procedure" | "proc" | "action" | "query"
        | "mutation" | "operation" | "sub" | "task" | "resolver" | "endpoint" => K::Tool,
        "flow" | "pipeline" | "graph" | "statemachine" | "state_machine" | "stateMachine" | "process" | "dag" | "saga"
        | "orchestration" | "orchestrator" | "chain" | "crew" | "playbook" | "job" | "subflow" | "machine" | "automation" | "routine" => {
            K::Workflow
        }
        "assistant" | "llm" | "bot" | "persona" | "chatbot" | "role" => K::Agent,
        "exception" | "fault" => K::Error,
        "topic" | "channel" | "notification" => K::Event,
        "enumeration" => K::Enum,
        "oneof" | "variant" | "sealed" => K::Union,
        "template" => K::Prompt,
        "toolset" | "service" | "plugin" | "tools" | "skill" | "skills" => K::Toolkit,
        _ => return None,
    })
}

/// Words that other languages put before a declaration, and why there are none here.
pub(crate) fn modifier(word: &str) -> Option<&'static str> {
    Some(match word {
        "export" | "public" | "pub" | "private" | "protected" | "internal" => "everything at top level can be imported",
        "async" | "suspend" => "every call is asynchronous",
        "declare" | "abstract" | "final" | "static" | "inline" | "default" | "extern" | "partial" | "open" | "override" | "virtual" => {
            "only attributes precede the keyword of a declaration"
        }
        _ => return None,
    })
}

/// What kind of node a word starts elsewhere.
pub(crate) fn node(word: &str) -> Option<K> {
    Some(match word {
        "state" | "task" | "node" | "activity" | "action" | "do" | "stage" | "job" | "phase" | "function" | "func" | "fn" | "def"
        | "block" | "process" | "agent" | "tool" | "subflow" | "operation" | "handler" | "pass" | "call_step" | "stepper" | "unit"
        | "vertex" | "place" | "transition" | "workflow" | "prompt" | "event" | "invoke" | "worker" | "box" | "command" => K::Step,
        "succeed" | "success" | "finish" | "output" | "done" | "complete" | "exit" | "terminate" | "stop" | "result" | "final" | "sink" => {
            K::End
        }
        "error" | "abort" | "throw" | "raise" | "failure" | "exception" | "panic" | "reject" | "failed" | "fault" => K::Fail,
        _ => return None,
    })
}

/// Words that open a block of nodes elsewhere.
pub(crate) fn is_group(word: &str) -> bool {
    matches!(
        word,
        "parallel"
            | "concurrent"
            | "concurrently"
            | "fork"
            | "branches"
            | "branch"
            | "sequence"
            | "sequential"
            | "serial"
            | "steps"
            | "nodes"
            | "states"
            | "tasks"
            | "stages"
            | "jobs"
            | "actions"
            | "activities"
            | "begin"
            | "group"
            | "scope"
            | "block"
            | "do"
            | "body"
            | "async"
    )
}

/// Words that name a value elsewhere.
pub(crate) fn is_variable(word: &str) -> bool {
    matches!(word, "let" | "const" | "var" | "val" | "set" | "assign" | "local" | "def" | "auto" | "final" | "mut" | "export")
}

/// Words that start the line of an edge elsewhere.
pub(crate) fn is_edge(word: &str) -> bool {
    matches!(word, "edge" | "arrow" | "link" | "transition" | "connect" | "flow" | "route" | "path")
}

/// Words that other languages say instead of `on`.
pub(crate) fn is_after(word: &str) -> bool {
    matches!(
        word,
        "after"
            | "depends_on"
            | "dependsOn"
            | "depends"
            | "needs"
            | "follows"
            | "requires"
            | "upon"
            | "awaits"
            | "triggered_by"
            | "since"
            | "waits_for"
            | "onDone"
            | "onSuccess"
            | "onComplete"
            | "on_done"
            | "on_success"
            | "on_complete"
    )
}

/// Words that start a statement elsewhere.
pub(crate) fn is_statement(word: &str) -> bool {
    matches!(
        word,
        "return" | "let" | "const" | "var" | "if" | "for" | "while" | "throw" | "raise" | "print" | "yield" | "await" | "switch" | "try"
    )
}

/// Words that other languages say instead of `when`.
pub(crate) fn is_condition(word: &str) -> bool {
    matches!(word, "if" | "where" | "provided" | "given" | "iff" | "condition" | "filter" | "only_if" | "cond")
}

/// Words that other languages say instead of `else`.
pub(crate) fn is_otherwise(word: &str) -> bool {
    matches!(word, "otherwise" | "default" | "fallback" | "ELSE" | "Else")
}

/// Words that name a step's success elsewhere.
#[must_use]
pub fn is_success_word(word: &str) -> bool {
    matches!(
        word,
        "success"
            | "succeeded"
            | "completed"
            | "complete"
            | "done"
            | "finished"
            | "finish"
            | "ok"
            | "result"
            | "output"
            | "answered"
            | "ended"
    )
}

/// Words that name a step's failure elsewhere.
#[must_use]
pub fn is_failure_word(word: &str) -> bool {
    matches!(
        word,
        "error"
            | "errors"
            | "catch"
            | "failed"
            | "fails"
            | "fail"
            | "exception"
            | "on_error"
            | "onError"
            | "on_failure"
            | "onFailure"
            | "err"
            | "rejected"
            | "failure_of"
            | "rescue"
            | "except"
    )
}

/// What a verb of other languages is called here, where that does not depend on what is named after it.
pub(crate) fn verb(word: &str) -> Option<&'static str> {
    Some(match word {
        "sleep" | "delay" | "pause" | "timer" | "suspend" | "wait_for" | "waitFor" | "hold" => "wait",
        "listen" | "receive" | "subscribe" | "recv" | "consume" | "expect" => "wait",
        "publish" | "send" | "raise" | "dispatch" | "fire" | "trigger" | "notify" | "produce" | "broadcast" | "post" | "put" | "signal"
        | "emits" | "enqueue" | "push" => "emit",
        _ => return None,
    })
}

/// Words that make a request elsewhere.
pub(crate) fn is_request(word: &str) -> bool {
    matches!(
        word,
        "http" | "https" | "fetch" | "request" | "curl" | "axios" | "GET" | "POST" | "PUT" | "DELETE" | "httpx" | "requests" | "rest"
    )
}

/// Words that print elsewhere.
pub(crate) fn is_print(word: &str) -> bool {
    matches!(word, "print" | "println" | "log" | "console" | "logger" | "echo" | "printf" | "fmt" | "logging" | "debug")
}

/// Settings that other languages have and this one has in another form.
pub(crate) fn foreign_setting(word: &str) -> bool {
    is_option(word)
        || matches!(
            word,
            "description"
                | "startToCloseTimeout"
                | "scheduleToCloseTimeout"
                | "timeout_seconds"
                | "timeoutSeconds"
                | "TimeoutSeconds"
                | "execution_timeout"
                | "timeout_ms"
                | "deadline_seconds"
        )
}

/// Options of models.
pub(crate) fn is_option(word: &str) -> bool {
    matches!(
        word,
        "temperature"
            | "top_p"
            | "topP"
            | "top_k"
            | "max_tokens"
            | "maxTokens"
            | "seed"
            | "frequency_penalty"
            | "presence_penalty"
            | "reasoning_effort"
    )
}

/// The empty value of other languages.
#[must_use]
pub fn is_null_word(word: &str) -> bool {
    matches!(word, "None" | "nil" | "undefined" | "Null" | "NULL" | "nullptr" | "void" | "none")
}

/// An operator that is a word elsewhere.
pub(crate) fn operator(word: &str) -> Option<K> {
    Some(match word {
        "and" | "AND" | "And" => K::And,
        "or" | "OR" | "Or" => K::Or,
        "eq" | "EQ" | "equals" | "is" | "IS" => K::Equal,
        "ne" | "NE" | "neq" => K::NotEqual,
        "lt" | "LT" => K::Less,
        "le" | "lte" | "LE" => K::LessEqual,
        "gt" | "GT" => K::Greater,
        "ge" | "gte" | "GE" => K::GreaterEqual,
        "IN" => K::In,
        _ => return None,
    })
}

/// The type that a word means elsewhere, if it is not what the analysis finds by itself.
pub(crate) fn scalar(word: &str) -> &str {
    match word {
        "str" | "String" | "varchar" => "string",
        "integer" | "Int" | "i32" | "int32" | "uint32" | "Integer" | "i64" | "uint" => "int",
        "number" | "double" | "Float" | "f64" | "f32" | "float64" | "float32" => "float",
        "boolean" | "Boolean" | "Bool" => "bool",
        "any" | "Any" => "json",
        "datetime" | "DateTime" | "Date" => "timestamp",
        other => other,
    }
}

/// Whether a word is a type of the language or of others, so that it is not the name of a field.
pub(crate) fn is_scalar(word: &str) -> bool {
    matches!(
        scalar(word),
        "string"
            | "bool"
            | "int"
            | "int64"
            | "float"
            | "decimal"
            | "bytes"
            | "timestamp"
            | "date"
            | "duration"
            | "uuid"
            | "uri"
            | "email"
            | "json"
    )
}
