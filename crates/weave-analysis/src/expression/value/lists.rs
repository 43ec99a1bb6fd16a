//! Lists.

use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use weave_diagnostics::Span;
use weave_syntax::ast::List;

use super::{Checker, Strings};
use crate::expression::Expected;
use crate::expression::fits::fits;
use crate::expression::shape::{Shape, members};
use crate::messages::bodies as message;
use crate::model::value::{Value, ValueKind};

impl Checker<'_, '_> {
    pub(super) fn list(self, list: &List, expected: Expected<'_>) -> Value {
        let all = members(self.env.model, expected.ty);
        if all.iter().any(|member| matches!(member.shape, Shape::Json | Shape::Unknown)) {
            return self.infer_list(list).0;
        }
        let lists = all.iter().filter_map(|member| if let Shape::List(list) = member.shape { Some((list, member.ty)) } else { None });
        let lists = lists.collect::<Vec<_>>();
        let chosen = match &*lists {
            [] | [_] => lists.first(),
            several => {
                let ty = self.silent(|checker| checker.infer_list(list).1);
                several.iter().find(|(_, candidate)| fits(self.env.model, &ty, candidate).is_ok()).or_else(|| several.first())
            }
        };
        let Some((wanted, _)) = chosen else {
            self.infer_list(list);
            self.env.report(message::wrong_shape(self.env, self.opening(list.span), "a list", expected));
            return self.unknown(list.span);
        };
        let values = list.items.iter().map(|item| self.value(&item.value, expected.part(&wanted.item))).collect::<Vec<_>>();
        let min = wanted.min.filter(|_| list.rest.is_none());
        self.count(values.len(), (min, wanted.max), list.span, expected);
        if wanted.unique {
            self.unique(&values, expected);
        }
        self.opened(self.folded_list(values, list.span), list.rest)
    }

    pub(super) fn folded_list(self, values: Vec<Value>, span: Span) -> Value {
        if self.strings != Strings::Script && values.iter().all(|value| matches!(value.kind, ValueKind::Constant(_))) {
            let constants =
                values.into_iter().filter_map(|value| if let ValueKind::Constant(json) = value.kind { Some(json) } else { None });
            return self.made(ValueKind::Constant(Json::Array(constants.collect())), span);
        }
        self.made(ValueKind::List(values), span)
    }

    /// The number of elements that are written out.
    pub(super) fn count(self, count: usize, (min, max): (Option<u64>, Option<u64>), span: Span, expected: Expected<'_>) {
        let count = count as u64;
        let broken = match (min, max) {
            (Some(min), _) if count < min => format!("min: {min}"),
            (_, Some(max)) if count > max => format!("max: {max}"),
            _ => return,
        };
        self.env.report(message::broken_count(self.env, self.opening(span), count, &broken, expected));
    }

    /// No constant of a list stands in it twice.
    fn unique(self, values: &[Value], expected: Expected<'_>) {
        let mut seen = FxHashMap::default();
        for value in values {
            let ValueKind::Constant(json) = &value.kind else { continue };
            if let Some(earlier) = seen.insert(json.to_string(), value.place) {
                self.env.report(message::not_unique(value.place, earlier, expected));
                return;
            }
        }
    }
}
