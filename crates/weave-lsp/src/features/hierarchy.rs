//! `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `outgoingCalls`.

use tower_lsp::ls_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem, CallHierarchyOutgoingCall,
    CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
};
use weave_ide::{HierarchyItem, hierarchy_item, incoming, outgoing};

use super::Open;
use super::symbols::kind;
use crate::convert::Places;
use crate::owner::State;

pub(crate) fn prepare(state: &mut State, params: CallHierarchyPrepareParams) -> Option<Vec<CallHierarchyItem>> {
    let (open, offset) = state.open_at(&params.text_document_position_params)?;
    let found = hierarchy_item(&open.project.analysis, open.file, offset)?;
    let item = item(found, &state.places(&open.project))?;
    Some(vec![item])
}

pub(crate) fn callers(state: &mut State, params: CallHierarchyIncomingCallsParams) -> Option<Vec<CallHierarchyIncomingCall>> {
    let (open, offset) = known(state, &params.item)?;
    let places = state.places(&open.project);
    let call = |call: weave_ide::HierarchyCall| {
        let from_ranges = call.places.iter().map(|place| places.range(*place)).collect();
        Some(CallHierarchyIncomingCall { from: item(call.item, &places)?, from_ranges })
    };
    Some(incoming(&open.project.analysis, open.file, offset).into_iter().filter_map(call).collect())
}

pub(crate) fn called(state: &mut State, params: CallHierarchyOutgoingCallsParams) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let (open, offset) = known(state, &params.item)?;
    let places = state.places(&open.project);
    let call = |call: weave_ide::HierarchyCall| {
        let from_ranges = call.places.iter().map(|place| places.range(*place)).collect();
        Some(CallHierarchyOutgoingCall { to: item(call.item, &places)?, from_ranges })
    };
    Some(outgoing(&open.project.analysis, open.file, offset).into_iter().filter_map(call).collect())
}

/// An item is known by where its name stands.
fn known(state: &mut State, item: &CallHierarchyItem) -> Option<(Open, u32)> {
    let open = state.open(&item.uri)?;
    let offset = state.offset(&open, item.selection_range.start);
    Some((open, offset))
}

/// What lies in no file is not shown.
fn item(found: HierarchyItem, places: &Places<'_>) -> Option<CallHierarchyItem> {
    Some(CallHierarchyItem {
        uri: places.uri(found.target.name.file)?,
        name: found.name,
        kind: kind(found.kind),
        tags: None,
        detail: Some(found.container),
        range: places.range(found.target.whole),
        selection_range: places.range(found.target.name),
        data: None,
    })
}
