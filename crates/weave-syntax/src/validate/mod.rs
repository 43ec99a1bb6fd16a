//! The second pass over an item: what the grammar accepts and the language does not, said in the words of whoever wrote it.
//!
//! It looks at one item and its text only. What depends on another declaration or on a type is said by the analysis. It is
//! silent about what is missing, because the parser has said that, and about what stands on the line of one of its errors.

mod declarations;
mod guards;
mod lists;
pub(crate) mod messages;
mod nodes;
mod scripts;
mod triggers;
mod types;
mod values;

use weave_diagnostics::Span;
use weave_diagnostics::bounds::FILE_DIAGNOSTICS;

use crate::SyntaxError;
use crate::ast::{Item, ItemKind};

/// Adds what is wrong with an item that parses; whether its shape is most likely not the one that was meant.
pub(crate) fn validate(item: &Item, text: &str, errors: &mut Vec<SyntaxError>) -> bool {
    let mut pass = Pass { text, parser: errors, found: Vec::new(), scalar: None, misread: false };
    pass.meta(&item.meta);
    pass.item(&item.kind);
    let (found, misread) = (pass.found, pass.misread);
    let parser = errors.len();
    for error in found {
        let follows = errors.get(..parser).unwrap_or_default().iter().any(|said| same_line(text, said.span, error.span));
        if !follows {
            errors.push(error);
        }
    }
    misread
}

/// Whether no line ends between two places.
fn same_line(text: &str, one: Span, other: Span) -> bool {
    let (first, second) = if one.start <= other.start { (one, other) } else { (other, one) };
    !Span::new(first.end, second.start).text(text).contains('\n')
}

/// One run over an item.
struct Pass<'a> {
    /// The item's text.
    text: &'a str,
    /// What the parser has said about the item.
    parser: &'a [SyntaxError],
    /// What is found.
    found: Vec<SyntaxError>,
    /// The name of the type whose default or constraint is being looked at.
    scalar: Option<Span>,
    /// Whether something was read as a setting that was meant as something else.
    misread: bool,
}

impl<'a> Pass<'a> {
    fn report(&mut self, error: SyntaxError) {
        if self.found.len() <= FILE_DIAGNOSTICS.most {
            self.found.push(error);
        }
    }

    /// Reports what is about the shape of the text, unless the parser has repaired something in the item: then the shape may be the
    /// repair's, not the one that was meant.
    fn report_shape(&mut self, error: SyntaxError) {
        if self.parser.is_empty() {
            self.found.push(error);
        }
    }

    /// The text between two places.
    fn between(&self, start: u32, end: u32) -> &'a str {
        Span::new(start, end).text(self.text)
    }

    /// The part of a span that stands on its first line, without a brace that opens there.
    fn head(&self, span: Span) -> Span {
        let line = span.text(self.text).split(['\n', '\r', '{']).next().unwrap_or_default().trim_end();
        if line.is_empty() { Span::new(span.start, span.start + 1) } else { Span::new(span.start, span.start + line.len() as u32) }
    }

    fn item(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Import(import) => self.import(import),
            ItemKind::Type(declaration) => self.type_body(&declaration.body),
            ItemKind::Enum(declaration) => self.enumeration(declaration),
            ItemKind::Union(declaration) => self.union(declaration),
            ItemKind::Error(declaration) => self.type_body(&declaration.body),
            ItemKind::Event(event) => self.event(event),
            ItemKind::Tool(tool) => {
                self.signature(&tool.parameters, tool.output.as_ref());
                self.body(tool.settings.as_ref());
            }
            ItemKind::Toolkit(toolkit) => self.body(toolkit.settings.as_ref()),
            ItemKind::Prompt(prompt) => self.prompt(prompt),
            ItemKind::Agent(agent) => {
                self.signature(&agent.parameters, agent.output.as_ref());
                self.body(agent.settings.as_ref());
            }
            ItemKind::Workflow(workflow) => self.workflow(workflow),
            ItemKind::Test(test) => self.test(test),
            ItemKind::Broken => {}
        }
    }
}

#[cfg(test)]
mod tests;
