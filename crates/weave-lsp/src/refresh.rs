//! What a client shows of documents that have not changed, and that means something else since others have: it is told to ask again.
//!
//! What was answered is remembered, with the question. When nothing is left to do the questions are asked once more, one after the other, and
//! where the answer is another one the client is told. Documents that have changed themselves are none of this: the client asks for them anyway.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::jsonrpc::Result;

use crate::documents::path_of;
use crate::features::semantic;
use crate::owner::State;
use crate::requests;
use crate::server::{Outgoing, Refresh};

/// So many lenses of a document are looked at again; nobody sees more of them at once.
const MOST_LENSES: usize = 64;

/// What a client shows.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    /// How often something has changed.
    now: u64,
    /// When each document has changed last.
    changed: BTreeMap<String, u64>,
    answers: BTreeMap<(Refresh, String), Answer>,
}

/// What was answered.
#[derive(Debug, Default)]
struct Answer {
    /// When it was known to be right.
    at: u64,
    /// The questions with their answers; of tokens, which the document remembers, only the question.
    said: Vec<(&'static str, Json, Vec<u8>)>,
    /// How many of them have been asked once more, and for which state of the texts.
    again: (usize, u64),
}

impl Shown {
    /// Takes note that a document has another text.
    pub(crate) fn changed(&mut self, path: &str) {
        self.now += 1;
        self.changed.insert(path.to_owned(), self.now);
    }

    /// Takes note that files have changed that are no documents.
    pub(crate) fn others_changed(&mut self) {
        self.now += 1;
    }

    /// Forgets a document, which nobody sees any more.
    pub(crate) fn forget(&mut self, path: &str) {
        self.now += 1;
        self.changed.remove(path);
        self.answers.retain(|(_, other), _| other != path);
    }

    /// Whether something may not be right any more.
    pub(crate) fn is_doubtful(&self) -> bool {
        self.answers.iter().any(|((_, path), answer)| self.is_doubtful_of(path, answer))
    }

    fn is_doubtful_of(&self, path: &str, answer: &Answer) -> bool {
        answer.at < self.now && self.changed.get(path).is_none_or(|changed| *changed <= answer.at)
    }

    fn note(&mut self, refresh: Refresh, path: String, method: &'static str, params: Json, said: Vec<u8>) {
        let answer = self.answers.entry((refresh, path)).or_default();
        if method == "codeLens/resolve" {
            if answer.said.len() <= MOST_LENSES {
                answer.said.push((method, params, said));
            }
            return;
        }
        *answer = Answer { at: self.now, said: vec![(method, params, said)], ..Answer::default() };
    }
}

/// Answers a request, and remembers what the client shows from now on.
pub(crate) fn answer(state: &mut State, method: &str, params: Json) -> Result<Vec<u8>> {
    let can = state.client.refreshes;
    let (refresh, kept, uri) = match method {
        "textDocument/semanticTokens/full" | "textDocument/semanticTokens/full/delta" if can.tokens => {
            (Refresh::Tokens, "", "/textDocument/uri")
        }
        "textDocument/inlayHint" if can.hints => (Refresh::Hints, "textDocument/inlayHint", "/textDocument/uri"),
        "textDocument/codeLens" if can.lenses => (Refresh::Lenses, "textDocument/codeLens", "/textDocument/uri"),
        "codeLens/resolve" if can.lenses => (Refresh::Lenses, "codeLens/resolve", "/data/uri"),
        other => return requests::answer(state, other, params),
    };
    let path = params.pointer(uri).and_then(Json::as_str).map(path_of);
    let question = params.clone();
    let answer = requests::answer(state, method, params)?;
    if let Some(path) = path.filter(|path| state.documents.contains_key(path)) {
        let said = if refresh == Refresh::Tokens { Vec::new() } else { answer.clone() };
        state.shown.note(refresh, path, kept, question, said);
    }
    Ok(answer)
}

/// Asks one thing once more that may have another answer now.
pub(crate) fn look_at_one(state: &mut State, say: &UnboundedSender<Outgoing>) {
    let shown = &state.shown;
    let doubtful = shown.answers.iter().find(|((_, path), answer)| shown.is_doubtful_of(path, answer));
    let Some((refresh, path)) = doubtful.map(|(key, _)| key.clone()) else { return };
    // What goes wrong here is not tried again.
    let Some(mut answer) = state.shown.answers.remove(&(refresh, path.clone())) else { return };
    let now = state.shown.now;
    let next = if answer.again.1 == now { answer.again.0 } else { 0 };
    let is_right = match answer.said.get(next) {
        None => true,
        Some(_) if refresh == Refresh::Tokens => !semantic::are_other_tokens(state, &path),
        Some((method, params, said)) => requests::answer(state, method, params.clone()).is_ok_and(|found| found == *said),
    };
    if !is_right {
        // It asks for all of them.
        state.shown.answers.retain(|(other, _), _| *other != refresh);
        drop(say.send(Outgoing::Refresh(refresh)));
        return;
    }
    answer.again = (next + 1, now);
    if next + 1 >= answer.said.len() {
        answer.at = now;
    }
    state.shown.answers.insert((refresh, path), answer);
}
