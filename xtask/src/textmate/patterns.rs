//! The patterns, in the dialect of Oniguruma.

use serde_json::{Value, json};

use super::words;

/// A name.
const NAME: &str = r"[A-Za-z_][A-Za-z0-9_]*";

/// The patterns that depend on the words of the language.
pub(super) struct Patterns {
    keywords: Vec<(&'static str, String)>,
}

impl Patterns {
    pub(super) fn new(grammar: &str) -> Result<Self, String> {
        Ok(Self { keywords: words::keywords(grammar)? })
    }

    /// A word that stands alone: what it is read from, a setting, a keyword, a type, or a name.
    pub(super) fn name(&self) -> Value {
        let method = format!(r"(?<=[A-Za-z0-9_\])?])(\.)({NAME})(?=\()");
        let path = format!(r"(\.)({NAME})");
        let every = words::every_keyword();
        // The word that an entry of a block begins with, if a value follows.
        let setting = format!(r#"(?:^\s*|(?<=[{{,])\s*)(?!{every}\b)({NAME})(?=[ \t]+(?:["\[{{.-]|[A-Za-z0-9_]))"#);
        let mut patterns = vec![
            matched(&method, &["punctuation.accessor.weave", "entity.name.function.member.weave"]),
            matched(&path, &["punctuation.accessor.weave", "variable.other.property.weave"]),
            matched(&setting, &["variable.other.property.setting.weave"]),
        ];
        let keywords = self.keywords.iter().map(|(scope, words)| plain(scope, &format!(r"\b{words}\b")));
        patterns.extend(keywords);
        patterns.extend([
            plain("support.type.weave", &format!(r"\b{}\b", words::built_in_types())),
            plain("entity.name.type.weave", r"\b[A-Z][A-Za-z0-9_]*\b"),
            plain("entity.name.function.weave", &format!(r"\b{NAME}(?=\()")),
            plain("variable.other.weave", &format!(r"\b{NAME}")),
        ]);
        json!({ "patterns": patterns })
    }
}

/// Comments; block comments nest. Four slashes are no documentation.
pub(super) fn comments() -> Value {
    json!({ "patterns": [
        plain("comment.line.documentation.weave", r"//!.*$|///(?!/).*$"),
        plain("comment.line.double-slash.weave", r"//.*$"),
        { "include": "#block-comment" },
    ], "repository": { "block-comment": {
        "name": "comment.block.weave",
        "begin": r"/\*",
        "end": r"\*/",
        "patterns": [{ "include": "#block-comment" }],
    } } })
}

/// `@name`; its arguments are like any others. The ids of rules have hyphens.
pub(super) fn attribute() -> Value {
    let end = r"\)|(?=$)";
    json!({ "patterns": [
        {
            "begin": r"(@)(allow)[ \t]*(\()",
            "end": end,
            "beginCaptures": {
                "1": scope("punctuation.definition.attribute.weave"),
                "2": scope("entity.name.function.attribute.weave"),
                "3": scope("punctuation.bracket.weave"),
            },
            "endCaptures": { "0": scope("punctuation.bracket.weave") },
            "patterns": [
                { "include": "#comments" },
                { "include": "#string" },
                { "include": "#key" },
                plain("constant.other.rule.weave", r"[A-Za-z_][A-Za-z0-9_-]*"),
                { "include": "#operator" },
            ],
        },
        matched(&format!("(@)({NAME})"), &["punctuation.definition.attribute.weave", "entity.name.function.attribute.weave"]),
    ] })
}

/// `"""`, which closes where it is first on its line; a text that starts behind its quotes closes at the next ones.
pub(super) fn text_block() -> Value {
    let quotes = |part: &str| scope(&format!("punctuation.definition.string.{part}.weave"));
    let block = |begin: &str, end: &str| {
        json!({
            "name": "string.quoted.triple.weave",
            "begin": begin,
            "end": end,
            "beginCaptures": { "0": quotes("begin") },
            "endCaptures": { "1": quotes("end") },
            "patterns": [{ "include": "#in-texts" }, { "include": "#markup" }],
        })
    };
    json!({
        "patterns": [block(r#""""(?=[ \t]*$)"#, r#"^[ \t]*(""")"#), block(r#""""(?!")"#, r#"(""")"#)],
        "repository": { "markup": markup() },
    })
}

/// The little of Markdown that a line shows by itself: texts for models are full of it.
fn markup() -> Value {
    let with_inner = |name: &str, pattern: &str| json!({ "name": name, "match": pattern, "captures": { "0": { "patterns": [{ "include": "#in-texts" }] } } });
    json!({ "patterns": [
        with_inner("markup.heading.weave", r"^[ \t]*#{1,6}[ \t].*$"),
        matched(r"^[ \t]*([-*+]|[0-9]+\.)(?=[ \t])", &["punctuation.definition.list.begin.weave"]),
        with_inner("markup.bold.weave", r"\*\*(?=\S)[^*\n]+(?<=\S)\*\*"),
        plain("markup.inline.raw.weave", r"`[^`\n{]+`"),
    ] })
}

/// `"…"`, which ends on its line.
pub(super) fn string() -> Value {
    json!({
        "name": "string.quoted.double.weave",
        "begin": "\"",
        "end": "\"|(?=$)",
        "beginCaptures": { "0": scope("punctuation.definition.string.begin.weave") },
        "endCaptures": { "0": scope("punctuation.definition.string.end.weave") },
        "patterns": [plain("constant.character.escape.weave", r"\\(?:u[0-9A-Fa-f]{4}|\{\{|.)"), { "include": "#placeholder" }],
    })
}

/// What stands in a text block. A backslash is one, but before two braces.
pub(super) fn in_texts() -> Value {
    json!({ "patterns": [plain("constant.character.escape.weave", r"\\\{\{"), { "include": "#placeholder" }] })
}

/// `{{…}}`. One that is not closed does not swallow what follows its line.
pub(super) fn placeholder() -> Value {
    json!({
        "name": "meta.embedded.placeholder.weave",
        "begin": r"\{\{",
        "end": r"\}\}|(?=$)",
        "beginCaptures": { "0": scope("punctuation.definition.template-expression.begin.weave") },
        "endCaptures": { "0": scope("punctuation.definition.template-expression.end.weave") },
        "patterns": [{ "include": "#expression" }],
    })
}

/// The headers of declarations: what they declare is coloured as such.
pub(super) fn declaration() -> Value {
    let kind = "keyword.control.declaration.weave";
    let header = |pattern: String, name: &str| matched(&pattern, &[kind, name]);
    json!({ "patterns": [
        header(format!(r"^[ \t]*(type|enum|union|error)[ \t]+({NAME})\b(?![ \t]*\??:)"), "entity.name.type.weave"),
        matched(
            &format!(r"^[ \t]*(?:(external)[ \t]+)?(event)[ \t]+({NAME}(?:\.{NAME})*)\b(?![ \t]*\??:)"),
            &["keyword.control.modifier.weave", kind, "entity.name.type.event.weave"],
        ),
        matched(
            &format!(r"^[ \t]*(?:(signal|interaction|provider)[ \t]+)?(tool)[ \t]+({NAME})(?=[ \t]*\()"),
            &["keyword.control.modifier.weave", kind, "entity.name.function.weave"],
        ),
        header(format!(r"^[ \t]*(prompt|agent|workflow)[ \t]+({NAME})(?=[ \t]*\()"), "entity.name.function.weave"),
        header(format!(r"^[ \t]*(toolkit)[ \t]+({NAME})(?=[ \t]*(?:\{{|$))"), "entity.name.namespace.weave"),
    ] })
}

/// A test, up to the brace in the first column that closes it. Its verbs are keywords in it alone, where they are first on their line.
pub(super) fn test() -> Value {
    let (kind, keyword, step) = ("keyword.control.declaration.weave", "keyword.control.weave", "variable.other.constant.step.weave");
    let first = r"(?:^[ \t]*|(?<=[{}])[ \t]*)";
    json!({
        "begin": format!(r"^(test)[ \t]+({NAME})[ \t]+(of)[ \t]+({NAME})\b"),
        "end": r"^\}",
        "beginCaptures": {
            "1": scope(kind),
            "2": scope("entity.name.function.weave"),
            "3": scope("keyword.control.flow.weave"),
            "4": scope("entity.name.function.weave"),
        },
        "endCaptures": { "0": scope("punctuation.bracket.weave") },
        "patterns": [
            { "include": "#comments" },
            { "include": "#attribute" },
            { "include": "#text-block" },
            { "include": "#string" },
            matched(&format!(r"{first}(test)[ \t]+({NAME})(?=[ \t]*\{{)"), &[kind, "entity.name.function.weave"]),
            matched(
                &format!(r"{first}(call)[ \t]+({NAME})[ \t]+(from)[ \t]+({NAME})\b"),
                &[keyword, "entity.name.function.weave", keyword, step],
            ),
            matched(
                &format!(r"{first}(send)[ \t]+({NAME}(?:\.{NAME})*)(?:[ \t]+(from)[ \t]+({NAME}))?\b"),
                &[keyword, "entity.name.type.event.weave", keyword, step],
            ),
            matched(&format!(r"{first}(expect)[ \t]+(failure)[ \t]+({NAME})\b"), &[keyword, "keyword.control.flow.weave", "support.constant.failure.weave"]),
            matched(&format!(r"{first}(fail)[ \t]+({NAME})(#[0-9]+)?(?:\[([0-9]+)?\])?[ \t]+({NAME})\b"), &[keyword, step, "constant.numeric.weave", "constant.numeric.weave", "support.constant.failure.weave"]),
            matched(&format!(r"{first}(answer|approve|reject|expect)(?:[ \t]+!?|[ \t]*!)[ \t]*({NAME})\b(?![ \t]*\??:)"), &[keyword, step]),
            plain(keyword, &format!(r"{first}\b(?:start|wait|until|expect|open)\b(?![ \t]*\??:)")),
            plain(keyword, r"\b(?:until|once)\b(?![ \t]*\??:)"),
            { "include": "#key" },
            plain("constant.numeric.weave", r"#[0-9]+\b"),
            { "include": "#number" },
            plain("constant.language.weave", r"\b(?:true|false|null)\b"),
            plain("variable.other.weave", &format!(r"\b{NAME}")),
            { "include": "#operator" },
        ],
    })
}

/// Steps, ends and fails, and what an action names.
pub(super) fn node() -> Value {
    let keyword = "keyword.control.weave";
    // Elsewhere these words are names of steps: `on answer from ask when …`.
    let first = r"(?:^[ \t]*|(?<=[{,}])[ \t]*)";
    json!({ "patterns": [
        matched(&format!(r"(?:^[ \t]*|(?<=\}})[ \t]+)(step|end|fail)[ \t]+({NAME})\b(?![ \t]*\??:)"), &[keyword, "variable.other.constant.step.weave"]),
        matched(&format!(r"{first}(ask|call|run)[ \t]+({NAME})\b(?![ \t]*\??:)"), &[keyword, "entity.name.function.weave"]),
        matched(&format!(r"{first}(emit)[ \t]+({NAME}(?:\.{NAME})*)\b(?![ \t]*\??:)"), &[keyword, "entity.name.type.event.weave"]),
    ] })
}

/// `when …`, until what follows a guard.
pub(super) fn guard() -> Value {
    json!({
        "begin": r"\b(?:(also)[ \t]+)?(when)\b(?![ \t]*\??:)",
        "end": r"(?=[{}]|(?<![=!<>])=(?!=)|(?<!\|)\|(?!\|)|$)",
        "beginCaptures": { "1": scope("keyword.control.flow.weave"), "2": scope("keyword.control.flow.weave") },
        "contentName": "meta.guard.weave",
        "patterns": [{ "include": "#expression" }],
    })
}

/// `name:` and `name?:`; every keyword is a name there.
pub(super) fn key() -> Value {
    matched(
        &format!(r"(?<![.A-Za-z0-9_])({NAME})[ \t]*(\?)?[ \t]*(:)"),
        &["variable.other.property.weave", "keyword.operator.optional.weave", "punctuation.separator.key-value.weave"],
    )
}

/// Durations and numbers.
pub(super) fn number() -> Value {
    json!({ "patterns": [
        plain("constant.numeric.duration.weave", r"\b(?:[0-9]+(?:ms|s|m|h|d))+\b"),
        plain("constant.numeric.weave", r"\b(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\b"),
    ] })
}

/// What is no word.
pub(super) fn operator() -> Value {
    json!({ "patterns": [
        plain("keyword.operator.weave", r"->|\?\?|&&|\|\||==|!=|<=|>=|\.\.\.?|[|=!<>+\-*/%?]"),
        plain("punctuation.bracket.weave", r"[{}()\[\]]"),
        plain("punctuation.separator.weave", r"[,:]"),
    ] })
}

fn scope(name: &str) -> Value {
    json!({ "name": name })
}

fn plain(name: &str, pattern: &str) -> Value {
    json!({ "name": name, "match": pattern })
}

/// A pattern whose groups have these scopes, in their order.
fn matched(pattern: &str, groups: &[&str]) -> Value {
    let captures = groups.iter().enumerate().map(|(index, name)| ((index + 1).to_string(), scope(name)));
    json!({ "match": pattern, "captures": Value::Object(captures.collect()) })
}
