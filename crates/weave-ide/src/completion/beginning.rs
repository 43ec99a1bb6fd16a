//! Where a value may begin and nothing of it has been typed: what could be typed is tried out on a copy of the item.

use weave_analysis::model::types::Type;
use weave_analysis::trace::{AtCursor, strings_of, trace_as, trace_test_as, words_of};
use weave_diagnostics::Span;
use weave_syntax::ast::ItemKind;

use super::{Completer, Completion, CompletionKind, plain};

impl Completer<'_> {
    /// The values that can begin at the cursor: strings of which only some are right, what can be read, and the words for values.
    pub(super) fn begun_values(&self) -> Vec<Completion> {
        // A step is run for each element of what a path reads.
        if self.before().is_some_and(|before| before.ends_with("each")) {
            return self.begun_paths();
        }
        // A number is a value everywhere; what is wanted in its place is known whether it fits or not.
        let wanted = self.tried("0").and_then(|at| at.wanted);
        let mut items = self.literals(wanted.as_ref(), true);
        let words = items.split_off(items.iter().take_while(|item| item.kind == CompletionKind::Literal).count());
        items.extend(self.begun_paths());
        items.extend(self.begun_conditions());
        items.extend(words);
        items
    }

    /// What can stand in a placeholder of the text at a span, if the cursor is in one: a path that has not begun, or what stands for nothing behind `??`.
    pub(super) fn placeholder(&self, text: Span) -> Option<Vec<Completion>> {
        let whole = self.analysis.text(self.file);
        let inside = self.placeholder_before(text)?;
        let items = if inside.trim().is_empty() {
            self.begun_paths()
        } else if inside.trim_end().ends_with("??") {
            // Quotes would end a string; a text block has its own.
            let is_block = text.text(whole).starts_with("\"\"\"");
            self.literals(self.tried("0")?.wanted.as_ref(), is_block)
        } else {
            Vec::new()
        };
        (!items.is_empty()).then_some(items)
    }

    /// What stands in the quotes around the cursor, if these are within a placeholder of the text at a span.
    pub(super) fn quoted(&self, text: Span) -> Option<Span> {
        let (_, before) = self.placeholder_before(text)?.rsplit_once('"')?;
        let behind = Span::new(self.offset, text.end).text(self.analysis.text(self.file));
        let end = behind.find(['"', '\n', '}'])?;
        Some(Span::new(self.word.start - before.len() as u32, self.offset + end as u32))
    }

    /// What stands before the word in the placeholder around it.
    fn placeholder_before(&self, text: Span) -> Option<&str> {
        let before = Span::new(text.start, self.word.start).text(self.analysis.text(self.file));
        before.rfind("{{").and_then(|open| before.get(open + 2..)).filter(|inside| !inside.contains("}}"))
    }

    /// What can be read here, each with the dot that it begins with.
    fn begun_paths(&self) -> Vec<Completion> {
        // A dot alone would take the word behind it for its name.
        let at = self.tried(".").filter(|at| !at.values.is_empty()).or_else(|| self.tried("._"));
        let Some(at) = at else { return Vec::new() };
        let items = self.values(&at).into_iter();
        items.map(|item| Completion { label: format!(".{}", item.label), filter: Some(item.label.clone()), ..item }).collect()
    }

    /// The literals that a place takes: strings if only some are right, then `true`, `false` and `null`.
    fn literals(&self, wanted: Option<&Type>, quotes: bool) -> Vec<Completion> {
        let model = self.analysis.model();
        let strings = wanted.filter(|_| quotes).map(|ty| strings_of(model, ty)).unwrap_or_default();
        let strings = strings.iter().map(|string| plain(&format!("{string:?}"), CompletionKind::Literal));
        let words = words_of(model, wanted.unwrap_or(&Type::Unknown));
        strings.chain(words.into_iter().map(|word| plain(word, CompletionKind::Keyword))).collect()
    }

    /// What the compiler would know behind this text, if it stood here.
    fn tried(&self, typed: &str) -> Option<AtCursor> {
        self.tried_at(typed, "")
    }

    /// What the compiler would know between these texts, if they stood here.
    pub(super) fn tried_at(&self, typed: &str, then: &str) -> Option<AtCursor> {
        self.tried_with(typed, then, 0)
    }

    /// What the compiler would know behind the dot if it were not followed by parentheses.
    pub(super) fn tried_before_call(&self) -> Option<AtCursor> {
        let behind = self.analysis.text(self.file).get(self.word.end as usize..)?;
        let mut depth = 0_usize;
        let closed = behind.find(|letter| {
            match letter {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })?;
        self.tried_with("_", "", closed + 1)
    }

    /// What the compiler would know between these texts, if they stood here and in place of so much of what follows.
    fn tried_with(&self, typed: &str, then: &str, left_out: usize) -> Option<AtCursor> {
        let item = self.item?;
        let (text, start) = (self.analysis.text(self.file), item.slot.start);
        let before = text.get(start as usize..self.word.start as usize)?;
        // Behind an item that is not closed nothing of it follows.
        let behind = text.get(self.word.end as usize + left_out..item.slot.end as usize).unwrap_or_default();
        let cursor = (before.len() + typed.len()) as u32;
        let (model, text) = (self.analysis.model(), format!("{before}{typed}{then}{behind}"));
        let trace = match item.slot.parsed.item.kind {
            ItemKind::Test(_) => trace_test_as(model, (self.file, item.index), &text, cursor, &|id| self.analysis.body(id)),
            _ => trace_as(model, self.file, item.index, &text, cursor),
        };
        Some(trace.at_cursor)
    }
}
