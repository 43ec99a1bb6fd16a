//! What starts no declaration of this language.

use weave_diagnostics::{Applicability, Span};

use super::{fix, words};
use crate::codes;
use crate::error::SyntaxError;
use crate::feed::Lexeme;
use crate::lexical::shown;
use crate::parse::introducer;
use crate::token::TokenKind as K;

/// The keywords of declarations, for a message.
const KEYWORDS: &str =
    "a declaration starts with `type`, `enum`, `union`, `error`, `event`, `tool`, `toolkit`, `prompt`, `agent`, `workflow` or `import`";

/// What an item without a keyword of the language is read as.
pub(crate) struct Head {
    pub(crate) error: SyntaxError,
    /// Whether the tokens are now those of an item.
    pub(crate) is_item: bool,
}

/// An item that starts with a word of another language. The tokens become those of what was meant, if that is clear.
pub(crate) fn head(text: &str, lexemes: &mut Vec<Lexeme>, first: usize) -> Option<Head> {
    let word = |lexemes: &[Lexeme], number: usize| lexemes.get(number).filter(|it| it.kind.is_word()).map_or("", |it| it.span().text(text));
    let mut head = first;
    while words::modifier(word(lexemes, head)).is_some() && !word(lexemes, head + 1).is_empty() {
        head += 1;
    }
    let modifiers = head > first;
    let start = lexemes.get(first)?.span();
    let place = lexemes.get(head)?.span();
    let kind = lexemes.get(head)?.kind;
    if modifiers && kind.starts_item() {
        let removed = Span::new(start.start, place.start);
        let what = text.get(start.start as usize..lexemes.get(head - 1)?.end as usize)?;
        let error = SyntaxError::new(
            &codes::FOREIGN_FORM,
            Span::new(start.start, start.start + what.len() as u32),
            format!("nothing is written before `{}`", place.text(text)),
        )
        .label(format!("there is no `{what}`"))
        .help(words::modifier(word(lexemes, first)).unwrap_or_default())
        .replace(Applicability::Safe, format!("remove `{what}`"), removed, "");
        lexemes.drain(first..head);
        return Some(Head { error, is_item: true });
    }
    if let Some(head) = import(text, lexemes, head).or_else(|| statement(text, lexemes, head)) {
        return Some(head);
    }
    let found = word(lexemes, head);
    let next = lexemes.get(head + 1).map(|it| it.kind);
    let mut meant = words::item(found)?;
    if !next.is_some_and(|next| next.is_word() || next == K::String) || kind.starts_item() {
        return None;
    }
    let has_bases = lexemes.get(head + 2).is_some_and(|it| it.kind == K::ParenOpen);
    if meant == K::Type && has_bases && (head + 3..head + 8).any(|number| word(lexemes, number).ends_with("Enum")) {
        meant = K::Enum;
    }
    // `class Tier(Enum) {`: what is in the parentheses says nothing more.
    let bases = lexemes
        .get(head + 2)
        .filter(|it| it.kind == K::ParenOpen && matches!(meant, K::Type | K::Enum | K::Error))
        .and_then(|_| (head + 3..head + 10).find(|number| lexemes.get(*number).is_some_and(|it| it.kind == K::ParenClose)))
        .filter(|close| (head + 3..*close).all(|number| is_plain_base(word(lexemes, number))));
    let own = if meant == K::Event { "external event" } else { introducer(meant) };
    let whole = Span::new(start.start, place.end);
    let what = whole.text(text);
    let error = SyntaxError::new(&codes::FOREIGN_FORM, whole, format!("there is no declaration `{}`; {}", shown(what), declared(meant)))
        .label(format!("write `{own}`"));
    let mut edits = vec![(whole, own.to_owned())];
    if let Some(close) = bases {
        let removed = Span::new(lexemes.get(head + 1)?.end, lexemes.get(close)?.end);
        edits.push((removed, String::new()));
        lexemes.drain(head + 2..=close);
    }
    let error = error.fix(fix(format!("write `{own}`"), edits, Applicability::Unsafe));
    let error = match meant {
        K::Tool => error.help("an `agent` asks a model, and a `workflow` has steps; all three have the header `KIND name(…) -> Output`"),
        K::Event => error.help("without `external`, it is an event that workflows emit"),
        _ => error,
    };
    lexemes.drain(first..head);
    if let Some(lexeme) = lexemes.get_mut(first) {
        lexeme.kind = meant;
    }
    if meant == K::Event {
        lexemes.insert(first, Lexeme::made_up(K::External, place.start));
    }
    Some(Head { error, is_item: true })
}

/// Whether a base of a class says nothing about its fields.
fn is_plain_base(word: &str) -> bool {
    matches!(
        word,
        "" | "BaseModel" | "TypedDict" | "Enum" | "StrEnum" | "str" | "object" | "Exception" | "ABC" | "NamedTuple" | "SQLModel" | "Struct"
    )
}

/// What a kind of declaration is for.
const fn declared(kind: K) -> &'static str {
    match kind {
        K::Type => "a record is declared with `type`",
        K::Tool => "what a service executes is declared with `tool`",
        K::Workflow => "a sequence of steps is declared with `workflow`",
        K::Agent => "a model with its instructions is declared with `agent`",
        K::Error => "a failure with its data is declared with `error`",
        K::Event => "an event from outside is declared with `external event`",
        K::Enum => "named values are declared with `enum`",
        K::Union => "alternatives with a tag are declared with `union`",
        K::Prompt => "a text for a model is declared with `prompt`",
        _ => "tools are grouped with `toolkit`",
    }
}

/// Imports in the ways of other languages.
fn import(text: &str, lexemes: &[Lexeme], head: usize) -> Option<Head> {
    let kind = |number: usize| lexemes.get(number).map(|it| it.kind);
    let word = |number: usize| lexemes.get(number).map_or("", |it| it.span().text(text));
    let last = lexemes.last()?;
    let whole = Span::new(lexemes.get(head)?.start, last.end);
    let names = |first: usize, end: usize| {
        let parts = (first..end).filter(|number| kind(*number) != Some(K::Comma)).map(word).collect::<Vec<_>>();
        parts.join(", ").replace(", as, ", " as ")
    };
    let (names, path) = match word(head) {
        "from" => {
            let import = (head + 1..head + 16).find(|number| kind(*number) == Some(K::Import))?;
            let from = Span::new(lexemes.get(head + 1)?.start, lexemes.get(import - 1)?.end).text(text);
            let end = (import + 1..lexemes.len()).find(|number| !kind(*number).is_some_and(|kind| kind.is_word() || kind == K::Comma));
            (names(import + 1, end.unwrap_or(lexemes.len())), path(from))
        }
        "use" => {
            let name = word(lexemes.len() - 1);
            let module = word(head + 1);
            (name.to_owned(), path(module))
        }
        "const" | "let" | "var"
            if kind(head + 1) == Some(K::BraceOpen) && (head..lexemes.len()).any(|number| word(number) == "require") =>
        {
            let close = (head + 2..lexemes.len()).find(|number| kind(*number) == Some(K::BraceClose))?;
            let from = (close..lexemes.len()).find(|number| kind(*number) == Some(K::String))?;
            (names(head + 2, close), path(word(from)))
        }
        "include" | "require" | "load" | "using" if kind(head + 1) == Some(K::String) => {
            let error = SyntaxError::new(&codes::FOREIGN_FORM, whole, "a file imports declarations by their names")
                .label("not a declaration")
                .help(format!("write `import {{ Name }} from \"{}\"`, with the names that you use", path(word(head + 1))));
            return Some(Head { error, is_item: false });
        }
        _ => return None,
    };
    if names.is_empty() || !names.split([',', ' ']).filter(|name| !name.is_empty()).all(words::is_name) {
        return None;
    }
    let written = format!("import {{ {names} }} from \"{path}\"");
    let error = SyntaxError::new(&codes::FOREIGN_FORM, whole, "an import starts with the names that it takes, in braces")
        .label("not a declaration")
        .help(format!("write `{written}`"))
        .replace(Applicability::Unsafe, format!("write `{written}`"), whole, written);
    Some(Head { error, is_item: false })
}

/// The path of a module as an import writes it.
fn path(module: &str) -> String {
    let bare = module.trim_matches(['"', '\'', ';']);
    if module.starts_with('"') || module.starts_with('\'') {
        let dotted = if bare.starts_with('.') { bare.to_owned() } else { format!("./{bare}") };
        return if dotted.ends_with(".weave") { dotted } else { format!("{dotted}.weave") };
    }
    format!("./{}.weave", bare.trim_start_matches('.').replace(['.', ':'], "/").replace("//", "/"))
}

/// Statements that are not declarations: constants, packages, options.
fn statement(text: &str, lexemes: &[Lexeme], head: usize) -> Option<Head> {
    let first = lexemes.get(head)?;
    let word = first.span().text(text);
    let whole = Span::new(first.start, lexemes.last()?.end);
    let next = lexemes.get(head + 1).map(|it| it.kind);
    let error = |message: &str| SyntaxError::new(&codes::FOREIGN_FORM, first.span(), message).label("not a declaration");
    let remove = |error: SyntaxError| error.fix(fix("remove it", vec![(whole, String::new())], Applicability::Unsafe));
    let error = match word {
        "const" | "let" | "var" | "val" | "final" | "static" if next.is_some_and(K::is_word) => remove(
            error("there are no constants: write a value where you use it")
                .help("a value that may differ between runs is a parameter of the workflow, with a default: `limit: int = 3`"),
        ),
        "package" | "module" | "namespace" if next.is_some_and(K::is_word) => remove(
            error("a file does not declare its name").help("other files import it by its path: `import { Order } from \"./shop.weave\"`"),
        ),
        "syntax" | "option" | "edition" if next.is_some_and(|next| next == K::Assign || next.is_word()) => {
            remove(error("a file has no options"))
        }
        "client" | "generator" | "retry_policy" | "llm_config" if next.is_some_and(K::is_word) => remove(
            error("models and their options are settings of an agent")
                .help("write `model mini`, `options { temperature: 0.2 }` in the braces of the agent that uses them"),
        ),
        "service" if next.is_some_and(K::is_word) => error("declare the tools of a service instead of the service")
            .help("declare each as `tool name(…) -> Output`; a `toolkit` groups them: `toolkit desk { tools [a, b] }`"),
        "use" if next == Some(K::String) => remove(error("a file has no options")),
        _ if first.kind == K::String => remove(error("a file has no options")),
        "-" if next == Some(K::Minus) => {
            let mark = Span::new(first.start, lexemes.get(head + 1)?.end);
            let line = text.get(first.start as usize..)?.split('\n').next()?;
            // What follows on the line may be any words, so all of it is one comment.
            let place = Span::new(first.start, first.start + line.len() as u32);
            SyntaxError::new(&codes::FOREIGN_FORM, place, "a comment starts with `//`").label("not a comment").replace(
                Applicability::Safe,
                "write `//`",
                mark,
                "//",
            )
        }
        _ => return None,
    };
    Some(Head { error, is_item: false })
}

/// A word that starts nothing, and of which nothing is known.
pub(crate) fn unknown(first: Span, text: &str) -> SyntaxError {
    SyntaxError::new(&codes::UNKNOWN_ITEM, first, format!("expected a declaration, found `{}`", shown(text)))
        .label("not the start of a declaration")
        .help(KEYWORDS)
}
