//! What the lexer reads: the rules of tokens that are no fixed words or marks.

/// The tokens that have a rule of their own, by their name in the grammar.
const NAMED: &[(&str, &str)] = &[
    ("doc comment", "Doc"),
    ("identifier", "Identifier"),
    ("string", "String"),
    ("text block", "TextBlock"),
    ("number", "Number"),
    ("duration", "Duration"),
    ("ordinal", "Ordinal"),
    ("element [", "ElementOpen"),
    ("leading .", "LeadingDot"),
];

/// Rules that are defined in [`RULES`] and that no token of the grammar is named after.
const OTHERS: &[&str] = &["ModuleDoc"];

/// The rule of a token, if it has one.
pub(super) fn rule_of(token: &str) -> Option<&'static str> {
    NAMED.iter().find(|(name, _)| *name == token).map(|(_, rule)| *rule)
}

/// Whether a rule is one of these.
pub(super) fn is_rule(name: &str) -> bool {
    NAMED.iter().any(|(_, rule)| *rule == name) || OTHERS.contains(&name)
}

/// The rules as text.
pub(super) const RULES: &str = r#"

/* ---- Tokens ---- */

/* Any of the keywords above is a name where the grammar names one (AnyWord, RootWord, TypeWord, …). */
Identifier ::= [A-Za-z_] [A-Za-z0-9_]*

Number ::= ("0" | [1-9] [0-9]*) ("." [0-9]+)? ([eE] [+-]? [0-9]+)?

/* As in 250ms, 30s, 5m, 24h, 7d, and 1h30m. */
Duration ::= ([0-9]+ ("ms" | "s" | "m" | "h" | "d"))+

/* Which firing of a node: #1, #2. */
Ordinal ::= '#' [0-9]+

/* The bracket before the number of an element, directly behind a name or the number of a firing. */
ElementOpen ::= "["

/* It ends on its line. In payloads, outputs, messages, actions and system texts it may hold placeholders. */
String ::= '"' (Placeholder | Escape | [^"\#xA#xD])* '"'

Escape ::= "\" (["\/bfnrt] | "u" Hex Hex Hex Hex | "{{")

Hex ::= [0-9A-Fa-f]

/* The closing quotes stand first on their line. What stands before them on that line is taken off every line; the text is raw, but for
   placeholders and "\{{". The last line end is not part of it. */
TextBlock ::= '"""' Blank* LineEnd (Placeholder | "\{{" | Character)* '"""'

/* A dot that starts a path: not directly behind a name, a `)`, a `]`, a `?` or a string. All other dots of a path have no blank around
   them. */
LeadingDot ::= "."

/* What a model reads about the item, field, value or node behind it. */
Doc ::= "///" [^#xA#xD]*

/* What the file is for; at its start. */
ModuleDoc ::= "//!" [^#xA#xD]*

/* Between tokens. */
Trivia ::= Blank | LineEnd | "//" [^#xA#xD]* | BlockComment

BlockComment ::= "/*" (BlockComment | Character)* "*/"

Blank ::= #x20 | #x9

LineEnd ::= #xD? #xA

Character ::= [#x0-#x10FFFF]
"#;
