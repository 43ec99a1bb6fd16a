//! What was meant as a placeholder and is plain text, because it is written as in another language.

use rustc_hash::FxHashMap;
use weave_analysis::model::DeclarationKind;
use weave_analysis::model::types::RecordType;
use weave_diagnostics::{Place, Span};
use weave_syntax::TokenKind;

use crate::project::DeclarationView;

/// How many of them are found in one declaration.
const MOST: usize = 16;

/// A piece of text that was most likely meant as a placeholder.
pub(crate) struct Mistaken<'a> {
    /// Where.
    pub(crate) place: Place,
    /// How it is written.
    pub(crate) written: &'a str,
    /// The path that was meant, without its dot.
    pub(crate) path: String,
    /// Whether that is right whatever it is for.
    pub(crate) is_sure: bool,
}

impl Mistaken<'_> {
    /// Whether a parameter was meant.
    pub(crate) fn is_parameter(&self, name: &str) -> bool {
        let path = self.path.strip_prefix("input.").unwrap_or(&self.path);
        path.split(['.', '[', '?']).next() == Some(name)
    }
}

/// A name that a placeholder may begin with.
#[derive(Clone, Copy)]
struct Known {
    /// Whether it is read as `.input.NAME`.
    input: bool,
    /// Whether the value is surely there, so that a placeholder of it alone is right.
    is_there: bool,
}

/// What was meant as a placeholder in the texts of a declaration.
pub(crate) fn mistaken<'a>(view: &DeclarationView<'a>) -> Vec<Mistaken<'a>> {
    let mut found = Vec::new();
    let Some(unit) = view.project.units.get(view.context.file.0 as usize) else { return found };
    let (tokens, start) = (&unit.syntax.tokens, view.context.start);
    let range = match &view.declaration.kind {
        DeclarationKind::Prompt(_) | DeclarationKind::Agent(_) | DeclarationKind::Workflow(_) => {
            Span::new(0, view.context.text.len() as u32)
        }
        DeclarationKind::Tool(_) => match view.setting("action") {
            Some(setting) => setting.span,
            None => return found,
        },
        _ => return found,
    };
    let range = range.shifted(start);
    let mut known: Option<FxHashMap<&str, Known>> = None;
    for index in tokens.at(range.start)..tokens.at(range.end) {
        if !matches!(tokens.kind(index), TokenKind::String | TokenKind::TextBlock) {
            continue;
        }
        let token = tokens.span(index);
        let text = token.text(&unit.syntax.text);
        for (span, path) in candidates(text) {
            let known = known.get_or_insert_with(|| names(view));
            let Some((path, is_sure)) = meant(path, known) else { continue };
            let place = view.place(Span::new(token.start - start + span.start, token.start - start + span.end));
            found.push(Mistaken { place, written: span.text(text), path, is_sure });
            if found.len() == MOST {
                return found;
            }
        }
    }
    found
}

/// The names that are known in the texts of a declaration.
fn names<'a>(view: &DeclarationView<'a>) -> FxHashMap<&'a str, Known> {
    let mut names = FxHashMap::default();
    let mut fields = |record: &'a RecordType, input: bool| {
        for field in &record.fields {
            names.insert(&*field.name, Known { input, is_there: !field.optional });
        }
    };
    match &view.declaration.kind {
        DeclarationKind::Prompt(prompt) => {
            fields(&prompt.input, false);
            if let Some(record) = &prompt.hydrates {
                fields(record, false);
            }
        }
        DeclarationKind::Agent(agent) => fields(&agent.input, false),
        DeclarationKind::Tool(tool) => fields(&tool.input, false),
        DeclarationKind::Workflow(workflow) => {
            fields(&workflow.input, true);
            let bodies = view.project.bodies.get(view.declaration.file.0 as usize);
            let body = bodies.and_then(|bodies| bodies.workflows.iter().find(|body| body.declaration == view.id));
            let steps = body.into_iter().flat_map(|body| &body.nodes).map(|node| &*node.name);
            for name in steps.chain(["input", "event", "failure"]) {
                names.insert(name, Known { input: false, is_there: false });
            }
        }
        _ => {}
    }
    names
}

/// The path that was most likely meant, and whether that is right whatever it is for.
fn meant(path: &str, known: &FxHashMap<&str, Known>) -> Option<(String, bool)> {
    let known_root = |path: &str| known.get(path.split(['.', '[', '?']).next()?).copied();
    let of = |path: &str| {
        let root = known_root(path)?;
        let is_alone = !path.contains(['.', '[', '?']);
        let path = if root.input { format!("input.{path}") } else { path.to_owned() };
        Some((path, root.is_there && is_alone))
    };
    // `input.name`, of a workflow or as other languages say it.
    let inner = ["input.", "inputs.", "params."].iter().find_map(|prefix| path.strip_prefix(prefix));
    match inner {
        Some(inner) if known_root(inner).is_some_and(|root| root.input) || known_root(path).is_none() => of(inner),
        _ => of(path),
    }
}

/// What looks like a placeholder in the text of a string, as it is written: where, and the path in it without its dot.
fn candidates(text: &str) -> Vec<(Span, &str)> {
    let mut found = Vec::new();
    if !text.contains(['{', '$']) {
        return found;
    }
    let bytes = text.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or_default();
    let mut index = 0;
    while index < bytes.len() {
        match at(index) {
            // One of our own, or what stands in several braces, such as JSON.
            b'{' if at(index + 1) == b'{' => {
                let rest = text.get(index..).unwrap_or_default();
                index += rest.find("}}").map_or(rest.len(), |end| end + 2);
                continue;
            }
            b'{' => {
                let inside = text.get(index + 1..).unwrap_or_default();
                let close = inside.find(['{', '}', '\n']).filter(|close| inside.as_bytes().get(*close) == Some(&b'}'));
                if let Some(close) = close
                    && let Some(path) = path_in(inside.get(..close).unwrap_or_default())
                {
                    let has_sign = index > 0 && matches!(at(index - 1), b'$' | b'#');
                    found.push((Span::new((index - usize::from(has_sign)) as u32, (index + close + 2) as u32), path));
                    index += close + 1;
                }
            }
            b'$' if at(index + 1) == b'.' && at(index + 2).is_ascii_alphabetic() => {
                let inside = text.get(index + 2..).unwrap_or_default();
                let end = inside.find(|letter: char| !is_path_letter(letter)).unwrap_or(inside.len());
                // A dot at the end is that of the sentence.
                let path = inside.get(..end).unwrap_or_default().trim_end_matches('.');
                found.push((Span::new(index as u32, (index + 2 + path.len()) as u32), path));
                index += 1 + path.len();
            }
            _ => {}
        }
        index += 1;
    }
    found
}

const fn is_path_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.')
}

/// The path in braces, if nothing else is in them.
fn path_in(inside: &str) -> Option<&str> {
    let inside = inside.trim();
    let path = inside.strip_prefix('$').unwrap_or(inside);
    let path = path.strip_prefix('.').unwrap_or(path);
    let is_path = path.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && path.chars().all(|letter| is_path_letter(letter) || matches!(letter, '[' | ']' | '?'))
        && !path.ends_with('.');
    is_path.then_some(path)
}

#[cfg(test)]
mod tests {
    use super::candidates;

    #[test]
    fn what_looks_like_a_placeholder() {
        let found = |text| candidates(text).into_iter().map(|(span, path)| (span.text(text), path)).collect::<Vec<_>>();
        assert_eq!(
            found("hello ${name}, #{ a.b } {.c} and $.d.e."),
            [("${name}", "name"), ("#{ a.b }", "a.b"), ("{.c}", "c"), ("$.d.e", "d.e"),]
        );
        assert_eq!(found("{{.name}} {\"name\": 1} {a b} {} $5.00 { name: 1 } {{x} {"), []);
    }
}
