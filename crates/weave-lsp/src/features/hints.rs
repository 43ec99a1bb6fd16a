//! `textDocument/inlayHint` and `signatureHelp`.

use tower_lsp::ls_types::{
    Documentation, InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams, InlayHintTooltip, MarkupContent, MarkupKind,
    ParameterInformation, ParameterLabel, SignatureHelp, SignatureHelpParams, SignatureInformation,
};
use weave_ide::{Parameter, hints, signature};

use crate::convert::span;
use crate::owner::State;

pub(crate) fn within(state: &mut State, params: InlayHintParams) -> Option<Vec<InlayHint>> {
    let open = state.open(&params.text_document.uri)?;
    let found = hints(&open.project.analysis, open.file, span(&open.source, params.range, state.encoding));
    let places = state.places(&open.project);
    let hint = |hint: weave_ide::Hint| InlayHint {
        position: places.range(hint.place).end,
        label: InlayHintLabel::String(hint.label),
        kind: Some(InlayHintKind::TYPE),
        text_edits: None,
        tooltip: hint.whole.map(|whole| InlayHintTooltip::MarkupContent(markdown(format!("```weave\n{whole}\n```")))),
        padding_left: None,
        padding_right: None,
        data: None,
    };
    Some(found.into_iter().map(hint).collect())
}

pub(crate) fn signature_at(state: &mut State, params: SignatureHelpParams) -> Option<SignatureHelp> {
    let (open, offset) = state.open_at(&params.text_document_position_params)?;
    let found = signature(&open.project.analysis, open.file, offset)?;
    let active = found.active.map(|index| index as u32);
    let offsets = state.client.label_offsets;
    let parameters = found.parameters.iter().map(|parameter| ParameterInformation {
        label: label(&found.label, parameter, offsets),
        documentation: parameter.docs.clone().map(|docs| Documentation::MarkupContent(markdown(docs))),
    });
    let information = SignatureInformation {
        parameters: Some(parameters.collect()),
        documentation: found.docs.map(|docs| Documentation::MarkupContent(markdown(docs))),
        label: found.label,
        active_parameter: active,
    };
    Some(SignatureHelp { signatures: vec![information], active_signature: Some(0), active_parameter: active })
}

/// Where a parameter stands in the label: the protocol counts in UTF-16 here, whatever it counts in elsewhere.
fn label(whole: &str, parameter: &Parameter, offsets: bool) -> ParameterLabel {
    let text = parameter.span.text(whole);
    if !offsets {
        return ParameterLabel::Simple(text.to_owned());
    }
    let length = |text: &str| text.encode_utf16().count() as u32;
    let start = length(whole.get(..parameter.span.start as usize).unwrap_or_default());
    ParameterLabel::LabelOffsets([start, start + length(text)])
}

fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}
