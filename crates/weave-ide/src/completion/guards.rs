//! What only guards have: functions, methods, and the variables of quantifiers.

use weave_analysis::model::types::Type;
use weave_analysis::trace::methods_of;
use weave_analysis::vocabulary::{FUNCTIONS, Function};

use super::{Completer, Completion, CompletionKind, plain};

impl Completer<'_> {
    /// Whether the cursor is in a guard.
    fn is_in_guard(&self) -> bool {
        self.before().is_some_and(|before| before.is_in_guard())
    }

    /// What can be called in a guard on a value of a type.
    pub(super) fn methods(&self, owner: &Type) -> Vec<Completion> {
        if !self.is_in_guard() {
            return Vec::new();
        }
        let bare = self.is_followed_by('(');
        methods_of(self.analysis.model(), owner).iter().map(|method| called(method, bare)).collect()
    }

    /// What may begin a condition beside paths: the variables of the quantifiers around the cursor, and functions.
    pub(super) fn begun_conditions(&self) -> Vec<Completion> {
        let Some(before) = self.before().filter(|before| before.is_in_guard()) else { return Vec::new() };
        let bare = self.is_followed_by('(');
        let variables = before.bound().into_iter().map(|name| plain(name, CompletionKind::Value));
        variables.chain(FUNCTIONS.iter().map(|function| called(function, bare))).collect()
    }
}

/// A function with its parentheses, unless these are there.
fn called(function: &Function, bare: bool) -> Completion {
    let name = function.name;
    let snippet = match name {
        "exists" | "all" => format!("{name}(${{1:item}}, $2)$0"),
        _ if function.signature.starts_with(&format!("{name}()")) => format!("{name}()$0"),
        "has" | "size" => format!("{name}($1)$0"),
        _ => format!("{name}(\"$1\")$0"),
    };
    Completion {
        detail: function.signature.to_owned(),
        docs: Some(function.about.to_owned()),
        snippet: (!bare).then_some(snippet),
        ..plain(name, CompletionKind::Function)
    }
}
