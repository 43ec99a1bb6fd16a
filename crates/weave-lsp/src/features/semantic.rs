//! `textDocument/semanticTokens/full`, `full/delta` and `range`.

use tower_lsp::ls_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensDelta, SemanticTokensDeltaParams,
    SemanticTokensEdit, SemanticTokensFullDeltaResult, SemanticTokensLegend, SemanticTokensParams, SemanticTokensRangeParams,
};
use weave_ide::{SemanticKind, SemanticModifiers, semantic_tokens};

use super::Open;
use crate::convert::{Encoding, span};
use crate::documents::path_of;
use crate::owner::State;

/// The numbers of a token on the wire.
const NUMBERS: u32 = 5;

/// The tokens of a document that the client was told last, and what it calls them.
#[derive(Debug, Default)]
pub(crate) struct Told {
    id: u64,
    tokens: Vec<SemanticToken>,
}

/// What the numbers in tokens stand for.
pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: SemanticKind::ALL.map(kind).to_vec(),
        token_modifiers: vec![
            SemanticTokenModifier::DECLARATION,
            SemanticTokenModifier::DEPRECATED,
            SemanticTokenModifier::DEFAULT_LIBRARY,
            SemanticTokenModifier::DOCUMENTATION,
        ],
    }
}

fn kind(kind: SemanticKind) -> SemanticTokenType {
    match kind {
        SemanticKind::Namespace => SemanticTokenType::NAMESPACE,
        SemanticKind::Type => SemanticTokenType::TYPE,
        SemanticKind::Class => SemanticTokenType::CLASS,
        SemanticKind::Enum => SemanticTokenType::ENUM,
        SemanticKind::Event => SemanticTokenType::EVENT,
        SemanticKind::Function => SemanticTokenType::FUNCTION,
        SemanticKind::Method => SemanticTokenType::METHOD,
        SemanticKind::Macro => SemanticTokenType::MACRO,
        SemanticKind::EnumMember => SemanticTokenType::ENUM_MEMBER,
        SemanticKind::Property => SemanticTokenType::PROPERTY,
        SemanticKind::Parameter => SemanticTokenType::PARAMETER,
        SemanticKind::Variable => SemanticTokenType::VARIABLE,
        SemanticKind::Decorator => SemanticTokenType::DECORATOR,
        SemanticKind::Keyword => SemanticTokenType::KEYWORD,
        SemanticKind::String => SemanticTokenType::STRING,
        SemanticKind::Number => SemanticTokenType::NUMBER,
        SemanticKind::Comment => SemanticTokenType::COMMENT,
    }
}

/// A bit for each modifier of the legend.
fn bits(modifiers: SemanticModifiers) -> u32 {
    let SemanticModifiers { declaration, deprecated, built_in, documentation } = modifiers;
    [declaration, deprecated, built_in, documentation].into_iter().rev().fold(0, |bits, is_set| bits << 1 | u32::from(is_set))
}

pub(crate) fn all(state: &mut State, params: SemanticTokensParams) -> Option<SemanticTokens> {
    let open = state.open(&params.text_document.uri)?;
    let data = tokens(&open, None, state.encoding);
    let path = path_of(params.text_document.uri.as_str());
    let result_id = state.documents.get_mut(&path).map(|document| {
        let told = &mut document.tokens;
        *told = Told { id: told.id + 1, tokens: data.clone() };
        told.id.to_string()
    });
    Some(SemanticTokens { result_id, data })
}

pub(crate) fn delta(state: &mut State, params: SemanticTokensDeltaParams) -> Option<SemanticTokensFullDeltaResult> {
    let open = state.open(&params.text_document.uri)?;
    let data = tokens(&open, None, state.encoding);
    let path = path_of(params.text_document.uri.as_str());
    let Some(document) = state.documents.get_mut(&path) else {
        return Some(SemanticTokensFullDeltaResult::Tokens(SemanticTokens { result_id: None, data }));
    };
    let told = &mut document.tokens;
    let result_id = Some((told.id + 1).to_string());
    let answer = if params.previous_result_id == told.id.to_string() {
        SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta { result_id, edits: difference(&told.tokens, &data) })
    } else {
        SemanticTokensFullDeltaResult::Tokens(SemanticTokens { result_id, data: data.clone() })
    };
    *told = Told { id: told.id + 1, tokens: data };
    Some(answer)
}

pub(crate) fn some(state: &mut State, params: SemanticTokensRangeParams) -> Option<SemanticTokens> {
    let open = state.open(&params.text_document.uri)?;
    let within = span(&open.source, params.range, state.encoding);
    Some(SemanticTokens { result_id: None, data: tokens(&open, Some(within), state.encoding) })
}

/// Whether a document has other tokens than the client was told.
pub(crate) fn are_other_tokens(state: &mut State, path: &str) -> bool {
    let Some(uri) = state.documents.get(path).map(|document| document.uri.clone()) else { return false };
    let Some(open) = state.open(&uri) else { return false };
    let now = tokens(&open, None, state.encoding);
    state.documents.get(path).is_some_and(|document| document.tokens.tokens != now)
}

/// The one edit between two lists: what is the same at the start and at the end stays.
fn difference(old: &[SemanticToken], new: &[SemanticToken]) -> Vec<SemanticTokensEdit> {
    let start = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (old, new) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    let (removed, added) = (old.len() - end, new.get(..new.len() - end).unwrap_or_default());
    if removed == 0 && added.is_empty() {
        return Vec::new();
    }
    vec![SemanticTokensEdit {
        start: start as u32 * NUMBERS,
        delete_count: removed as u32 * NUMBERS,
        data: (!added.is_empty()).then(|| added.to_vec()),
    }]
}

/// The tokens of a document, each counted from the one before.
fn tokens(open: &Open, within: Option<weave_diagnostics::Span>, encoding: Encoding) -> Vec<SemanticToken> {
    let found = semantic_tokens(&open.project.analysis, open.file, within);
    let mut data = Vec::with_capacity(found.len());
    let text = open.source.text();
    let width = |from: u32, to: u32| {
        let part = weave_diagnostics::Span::new(from, to).text(text);
        match encoding {
            Encoding::Utf16 if !part.is_ascii() => part.encode_utf16().count() as u32,
            _ => part.len() as u32,
        }
    };
    // Nearly every token stands on the line of the one before it or on the next, so lines are not looked for but counted.
    let (mut line, mut line_start, mut next_line) = (0, 0, open.source.line(1).map(|line| line.start));
    let (mut told_line, mut told_start) = (0, 0);
    for token in found {
        while let Some(start) = next_line.filter(|start| *start <= token.span.start) {
            (line, line_start) = (line + 1, start);
            next_line = open.source.line(line + 1).map(|line| line.start);
        }
        let from = if line == told_line { told_start } else { line_start };
        data.push(SemanticToken {
            delta_line: line - told_line,
            delta_start: width(from, token.span.start),
            length: width(token.span.start, token.span.end),
            token_type: token.kind as u32,
            token_modifiers_bitset: bits(token.modifiers),
        });
        (told_line, told_start) = (line, token.span.start);
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_its_index_in_the_legend() {
        for (index, kind) in SemanticKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index);
        }
        let modifiers = SemanticModifiers { declaration: true, documentation: true, ..SemanticModifiers::default() };
        assert_eq!(bits(modifiers), 0b1001);
    }
}
