//! Between offsets in bytes and positions in the units of the client.

use tower_lsp::ls_types::{self as lsp, Position, Range};
use weave_diagnostics::{Diagnostic, LineColumn, Place, Severity, SourceFile, Span};
use weave_ide::Project;

use crate::documents::{Documents, uri_of};
use crate::pages::Pages;

/// What a column counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Code units of UTF-16, as everybody understands them.
    #[default]
    Utf16,
}

pub(crate) fn offset(source: &SourceFile, position: Position, encoding: Encoding) -> u32 {
    let at = LineColumn { line: position.line, column: position.character };
    match encoding {
        Encoding::Utf8 => source.offset(at),
        Encoding::Utf16 => source.offset_utf16(at),
    }
}

pub(crate) fn span(source: &SourceFile, range: Range, encoding: Encoding) -> Span {
    Span::new(offset(source, range.start, encoding), offset(source, range.end, encoding))
}

pub(crate) fn position(source: &SourceFile, offset: u32, encoding: Encoding) -> Position {
    let at = match encoding {
        Encoding::Utf8 => source.line_column(offset),
        Encoding::Utf16 => source.line_column_utf16(offset),
    };
    Position { line: at.line, character: at.column }
}

pub(crate) fn range(source: &SourceFile, span: Span, encoding: Encoding) -> Range {
    Range { start: position(source, span.start, encoding), end: position(source, span.end, encoding) }
}

/// What is needed to say where something of a project stands.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    pub(crate) project: &'a Project,
    pub(crate) documents: &'a Documents,
    pub(crate) encoding: Encoding,
    pub(crate) pages: &'a Pages,
}

impl Places<'_> {
    /// A range in its own file.
    pub(crate) fn range(&self, place: Place) -> Range {
        self.project.analysis.source(place.file).map(|source| range(source, place.span, self.encoding)).unwrap_or_default()
    }

    /// What the client calls a file; nothing for one that lies nowhere.
    pub(crate) fn uri(&self, file: weave_diagnostics::FileId) -> Option<lsp::Uri> {
        let path = self.project.path(file)?;
        // The client's own words, where it has any.
        self.documents.get(&path).map(|document| document.uri.clone()).or_else(|| uri_of(&path))
    }

    pub(crate) fn location(&self, place: Place) -> Option<lsp::Location> {
        Some(lsp::Location { uri: self.uri(place.file)?, range: self.range(place) })
    }

    /// A diagnostic as the client shows it. Its first line is the message; what to do stands in lines of its own.
    pub(crate) fn diagnostic(&self, diagnostic: &Diagnostic) -> lsp::Diagnostic {
        let related = diagnostic.secondary.iter().filter_map(|label| {
            let location = self.location(label.place)?;
            Some(lsp::DiagnosticRelatedInformation { location, message: label.message.clone() })
        });
        let related: Vec<_> = related.collect();
        lsp::Diagnostic {
            range: self.range(diagnostic.primary.place),
            related_information: (!related.is_empty()).then_some(related),
            ..plain(diagnostic, self.pages)
        }
    }
}

/// A diagnostic without its places.
pub(crate) fn plain(diagnostic: &Diagnostic, pages: &Pages) -> lsp::Diagnostic {
    let mut message = diagnostic.message.clone();
    let label = Some(&diagnostic.primary.message).filter(|label| !label.is_empty());
    for line in label.into_iter().chain(&diagnostic.help).chain(&diagnostic.notes) {
        message.push('\n');
        message.push_str(line);
    }
    lsp::Diagnostic {
        severity: Some(match diagnostic.severity {
            Severity::Error => lsp::DiagnosticSeverity::ERROR,
            Severity::Warning => lsp::DiagnosticSeverity::WARNING,
            Severity::Note => lsp::DiagnosticSeverity::INFORMATION,
        }),
        code: Some(lsp::NumberOrString::String(diagnostic.code.id.to_owned())),
        code_description: pages.link(diagnostic.code),
        source: Some("weave".to_owned()),
        message,
        tags: tags(diagnostic),
        ..lsp::Diagnostic::default()
    }
}

fn tags(diagnostic: &Diagnostic) -> Option<Vec<lsp::DiagnosticTag>> {
    let id = diagnostic.code.id;
    if id.starts_with("unused-") || id.starts_with("unreachable-") {
        Some(vec![lsp::DiagnosticTag::UNNECESSARY])
    } else if id.starts_with("deprecated") {
        Some(vec![lsp::DiagnosticTag::DEPRECATED])
    } else {
        None
    }
}
